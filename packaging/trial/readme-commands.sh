#!/bin/sh
# Prints the README's commands for the first upload and download, for a trial: readme-commands.sh PROGRAM URL
# They need `photo.jpg` in the current folder, and make `copy.jpg`.
set -eu

readme=$(dirname "$0")/../../README.md
commands=$(awk '/^## /{ on = /^## First upload/ } on && /^```$/ { code = 0 } on && code; on && /^```sh$/ { code = 1 }' "$readme")
if [ "$(echo "$commands" | grep -c '^curl')" != 4 ]; then
  echo "README.md has other commands than the trials know." >&2
  exit 1
fi
echo "$commands" | sed -e "s#^curl -f#curl -sSf#; s#npm run --silent holdall#$1#; s#http://127.0.0.1:3000#$2#"
