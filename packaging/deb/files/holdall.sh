#!/bin/sh
# Runs Holdall. Commands for the service's instance run with its settings and as its user, so that it can
# read what they write. The others are for remote servers or for an instance of the user.
set -e

program=/usr/lib/holdall/holdall
settings=/etc/holdall/env

case "${1:-}" in
keys | admin | backup | restore | export | import | migrate | verify | health | doctor) ;;
*) exec "$program" "$@" ;;
esac
if [ "${DATA_PATH:-/var/lib/holdall}" != /var/lib/holdall ]; then exec "$program" "$@"; fi

if [ "$(id -u)" != 0 ] && [ "$(id -un)" != holdall ]; then
  echo "The service's data belongs to the user holdall: run it with sudo, or set DATA_PATH for another instance." >&2
  exit 1
fi

# The same syntax as systemd's EnvironmentFile, without continued lines.
while IFS= read -r line || [ -n "$line" ]; do
  case "$line" in
  '' | '#'* | ';'*) continue ;;
  *=*) ;;
  *) continue ;;
  esac
  value=${line#*=}
  case "$value" in
  \"*\") value=${value#\"} value=${value%\"} ;;
  \'*\') value=${value#\'} value=${value%\'} ;;
  esac
  export "${line%%=*}=$value"
done < "$settings"
export DATA_PATH="${DATA_PATH:-/var/lib/holdall}"

if [ "$(id -u)" != 0 ]; then exec "$program" "$@"; fi
exec setpriv --reuid=holdall --regid=holdall --clear-groups "$program" "$@"
