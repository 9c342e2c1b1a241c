#!/bin/bash
# Unpacks an executable in an empty folder and runs the README's commands with it, on Linux or macOS: try-executable.sh TARBALL
set -euo pipefail

tarball=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
commands=$(cd "$(dirname "$0")" && pwd)/readme-commands.sh
url=http://127.0.0.1:3985
work=$(mktemp -d)
server=
trap 'kill $server 2> /dev/null || true; cd /; rm -r "$work"' EXIT
fail() {
  echo "FAILED: $1" >&2
  exit 1
}

cd "$work"
tar -xzf "$tarball"
PORT=3985 ./holdall serve &
server=$!
for _ in $(seq 150); do
  curl -sf $url/api/health > /dev/null && break
  sleep 0.2
done
head -c 3000000 /dev/urandom > photo.jpg
sh -ec "$(sh "$commands" ./holdall $url)" || fail "the README's commands"
cmp photo.jpg copy.jpg || fail "the download differs"
kill $server
wait $server || fail "it does not end well after SIGTERM"
server=
echo
echo "The executable works."
