#!/bin/bash
# Runs what the Dockerfile does after the build, without a container engine, and starts the image's root as its user: read-only
# except for /data. As root, in a bookworm system, with an executable: try-image.sh EXECUTABLE
set -euo pipefail

executable=$(realpath "$1")
repository=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
key=image-trial-key-0123456789abcdef
url=http://127.0.0.1:3987
fail() {
  echo "FAILED: $1" >&2
  exit 1
}

mkdir -p "$work/source/dist"
cp "$executable" "$work/source/dist/holdall"
cp "$repository/LICENSE" "$repository/THIRD-PARTY.md" "$work/source"
# The step that fills /image, with its folders moved here.
step=$(awk '/^RUN mkdir/ { on = 1 } on { print } on && !/\\$/ { exit }' "$repository/Dockerfile" |
  sed -e 's/^RUN //' -e "s# /empty# $work/empty#g; s#\([ =>]\)/image#\1$work/image#g")
(cd "$work/source" && bash -ec "$step")
cp -r "$work/empty" "$work/image/data"
chown 65532:65532 "$work/image/data"
compressed=$(tar -cz -C "$work/image" . | wc -c)
echo "compressed: $((compressed / 1024 / 1024)) MB"
[ "$compressed" -le $((60 * 1024 * 1024)) ] || fail "the image has more than 60 MB"

# Its own mounts, which end with it.
export work key url
unshare --mount bash -euo pipefail -c '
  mkdir -p "$work/root" "$work/volume" "$work/image/proc" "$work/image/dev"
  chown 65532:65532 "$work/volume"
  mount --bind "$work/image" "$work/root"
  mount --bind "$work/volume" "$work/root/data"
  # What every container engine mounts.
  mount -t proc proc "$work/root/proc"
  mount --rbind /dev "$work/root/dev"
  mount -o remount,bind,ro "$work/root"
  inside() { env -i NODE_ENV=production HOST=0.0.0.0 PORT=3987 DATA_PATH=/data INITIAL_API_KEY=$key \
    "$chroot" --userspec=65532:65532 "$work/root" /usr/local/bin/holdall "$@"; }
  chroot=$(command -v chroot)
  inside version
  inside serve &
  server=$!
  for _ in $(seq 150); do curl -sf $url/api/health > /dev/null && break; sleep 0.2; done
  inside health
  echo kept > "$work/kept.txt"
  curl -sf -H "API-Key: $key" -F "files=@$work/kept.txt" $url/api/files > /dev/null
  [ "$(curl -sf $url/api/hosting/kept.txt)" = kept ]
  # The function runs in a shell of its own, whose only child is the server.
  kill -TERM $(ps -o pid= --ppid $server)
  wait $server
' || fail "the image does not serve, see above"
[ -e "$work/volume/catalog.sqlite" ] || fail "the data is not in the volume"
[ -z "$(find "$work/image/data" -type f)" ] || fail "the data is in the image"
rm -r "$work"
echo "The image works."
