#!/bin/bash
# Runs what the Dockerfile does after the build, without a container engine, and starts the image's root as its user: read-only
# except for /data, which has what 0.1.0 stored. As root, in a bookworm system, with an executable: try-image.sh EXECUTABLE
set -euo pipefail

executable=$(realpath "$1")
repository=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
release=$repository/test/releases/0.1.0
secret=$(sed -n 's/.*"authSecret": "\(.*\)".*/\1/p' "$release/contents.json")
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
  sed -e 's/^RUN //' -e "s# /writable# $work/writable#g; s#\([ =>]\)/image#\1$work/image#g")
(cd "$work/source" && bash -ec "$step")
cp -r -p "$work/writable/data" "$work/image/data"
chown 65532:65532 "$work/image/data"
compressed=$(tar -cz -C "$work/image" . | wc -c)
echo "compressed: $((compressed / 1024 / 1024)) MB"
[ "$compressed" -le $((60 * 1024 * 1024)) ] || fail "the image has more than 60 MB"

# Its own mounts, which end with it.
export work repository release secret url
unshare --mount bash -euo pipefail -c '
  mkdir -p "$work/root" "$work/volume" "$work/image/proc" "$work/image/dev"
  tar -xzf "$release/data-folder.tar.gz" -C "$work/volume"
  chown -R 65532:65532 "$work/volume"
  mount --bind "$work/image" "$work/root"
  mount --bind "$work/volume" "$work/root/data"
  # What every container engine mounts.
  mount -t proc proc "$work/root/proc"
  mount --rbind /dev "$work/root/dev"
  mount -o remount,bind,ro "$work/root"
  export chroot=$(command -v chroot)
  inside() { env -i NODE_ENV=production HOST=0.0.0.0 PORT=3987 DATA_PATH=/data AUTH_SECRET=$secret \
    "$chroot" --userspec=65532:65532 "$work/root" /usr/local/bin/holdall "$@"; }
  export -f inside
  inside version
  inside serve &
  server=$!
  for _ in $(seq 150); do curl -sf $url/api/health > /dev/null && break; sleep 0.2; done
  inside health
  cd "$work"
  head --bytes=3000000 /dev/urandom > photo.jpg
  bash -ec "$(sh "$repository/packaging/trial/readme-commands.sh" inside $url)"
  cmp photo.jpg copy.jpg
  [ "$(curl -sf $url/api/hosting/docs/2026/hello.txt)" = "hello from 0.1.0" ]
  # The function runs in a shell of its own, whose only child is the server.
  kill -TERM $(ps -o pid= --ppid $server)
  wait $server
' || fail "the image does not serve, see above"
[ -z "$(find "$work/image/data" -type f)" ] || fail "the data is in the image"
rm -r "$work"
echo "The image works."
