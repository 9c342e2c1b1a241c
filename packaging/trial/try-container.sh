#!/bin/bash
# Runs an image as its users do, read-only except for its volume: runs the README's commands, stops, starts again.
#   docker build --tag trial . && try-container.sh trial
# CONTAINER_ENGINE is docker or podman. CONTAINER_OPTIONS are more options of its command `run`.
set -euo pipefail

image=$1
commands=$(realpath "$(dirname "$0")/readme-commands.sh")
engine=${CONTAINER_ENGINE:-docker}
name=holdall-trial-$$
url=http://127.0.0.1:3986
work=$(mktemp -d)
trap 'cd /; rm -r "$work"; "$engine" rm --force --volumes $name > /dev/null 2>&1; "$engine" volume rm $name > /dev/null' EXIT
fail() {
  "$engine" logs $name >&2 || true
  echo "FAILED: $1" >&2
  exit 1
}
await() {
  for _ in $(seq 300); do
    if curl --silent --fail $url/api/health > /dev/null; then return; fi
    sleep 0.1
  done
  fail "the server does not start"
}
stop() {
  "$engine" stop --time 20 $name > /dev/null
  [ "$("$engine" inspect --format '{{.State.ExitCode}}' $name)" = 0 ] || fail "it does not end well after SIGTERM"
}

"$engine" save "$image" | gzip > "$work/image.gz"
compressed=$(wc -c < "$work/image.gz")
[ "$compressed" -le $((60 * 1024 * 1024)) ] || fail "the image has more than 60 MB: $compressed bytes"

# shellcheck disable=SC2086 # The options are several words.
"$engine" run --detach --name $name --read-only --cap-drop=ALL --security-opt=no-new-privileges \
  --env PORT=3986 --publish 127.0.0.1:3986:3986 --volume $name:/data \
  ${CONTAINER_OPTIONS:-} "$image" > /dev/null
from=$(date +%s%N)
await
start=$((($(date +%s%N) - from) / 1000000))
"$engine" exec $name holdall health > /dev/null || fail "the health command"
# It ends with 1, as it has other findings: there is no administrator account.
findings=$("$engine" exec $name holdall doctor || true)
[[ $findings != *chmod* ]] || fail "other users may read the volume"
cd "$work"
head --bytes=3000000 /dev/urandom > photo.jpg
sh -ec "$(sh "$commands" "$engine exec $name holdall" $url)" > printed 2>&1 || fail "the README's commands: $(cat printed)"
cmp photo.jpg copy.jpg || fail "the download differs"
curl --silent --fail $url/ | grep '<script' > /dev/null || fail "the dashboard"
stop

"$engine" start $name > /dev/null
await
curl --silent --fail $url/api/hosting/holiday/2026/photo.jpg | cmp - photo.jpg || fail "a restart loses files"
stop
echo "The image works: $((compressed / 1024 / 1024)) MB compressed, serves after $start ms."
