#!/bin/bash
# Installs a Debian package in a root folder, uses it as its service does, upgrades, removes and purges it. As root:
#   mmdebstrap --variant=minbase --include=adduser,debconf bookworm ROOT && try-deb.sh ROOT PACKAGE
set -euo pipefail

root=$1
package=$2
commands=$(realpath "$(dirname "$0")/readme-commands.sh")
work=$(mktemp -d)
head --bytes=3000000 /dev/urandom > "$work/photo.jpg"
secret=deb-trial-secret-0123456789abcdef0123456789abcdef
url=http://127.0.0.1:3988
data=$root/var/lib/holdall
export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin

inside() { chroot "$root" "$@"; }
fail() {
  echo "FAILED: $1" >&2
  exit 1
}

cp "$package" "$root/tmp/holdall.deb"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
server=
trap 'kill $server 2> /dev/null || true; umount "$root/proc" "$root/dev"; rm -r "$work"' EXIT

inside dpkg -i /tmp/holdall.deb
[ "$(stat -c %a "$data")" = 700 ] || fail "the data folder is open to others"
[ "$(stat -c %a "$root/etc/holdall/env")" = 640 ] || fail "the settings are open to others"
printf 'PORT=3988\nAUTH_SECRET="%s"\n' $secret >> "$root/etc/holdall/env"

# What the unit does without systemd, which no chroot has.
chroot --userspec=holdall:holdall "$root" env -i DATA_PATH=/var/lib/holdall PORT=3988 AUTH_SECRET=$secret \
  /usr/lib/holdall/holdall serve &
server=$!
for _ in $(seq 150); do
  curl -sf $url/api/health > /dev/null && break
  sleep 0.2
done
(cd "$work" && sh -ec "$(sh "$commands" "chroot $root holdall" $url)") || fail "the README's commands"
cmp "$work/photo.jpg" "$work/copy.jpg" || fail "the download differs"
inside holdall health || fail "holdall health"
inside env DATA_PATH=/var/lib/holdall holdall verify || fail "holdall verify"
[ -z "$(find "$data" -user root)" ] || fail "commands leave files of root"
kill $server
wait $server || true

inside dpkg -i /tmp/holdall.deb
grep -q $secret "$root/etc/holdall/env" || fail "an upgrade loses settings"
inside holdall verify | grep 'Checked 2 files' > /dev/null || fail "an upgrade loses files"

inside dpkg -r holdall
[ -e "$data/catalog.sqlite" ] || fail "a removal loses files"
inside dpkg -P holdall
[ -e "$data/catalog.sqlite" ] || fail "a purge without an answer loses files"
[ ! -e "$root/etc/holdall" ] || fail "a purge leaves the settings"

inside dpkg -i /tmp/holdall.deb
echo 'holdall holdall/remove-data boolean true' | inside debconf-set-selections
inside dpkg -P holdall
[ ! -e "$data" ] || fail "a purge with a yes leaves files"
echo "The Debian package works."
