#!/bin/sh
# Installs those of the given Debian packages that are missing; does nothing, and asks for nothing, when all are there.
# Usage: tools/install-packages.sh FILE...   (lists of package names, # begins a comment)
set -eu

wanted=$(cat "$@" | sed 's/#.*//' | tr -s ' \t\n' ' ')
missing=""
for package in $wanted; do
  # Packages of Node.js from elsewhere bring npm with them, and conflict with Debian's.
  [ "$package" = npm ] && command -v npm >/dev/null 2>&1 && continue
  dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "picus: these packages are needed, and apt-get is not here to install them:$missing" >&2
  exit 1
fi
run=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "picus: run as root, or install sudo; these packages are needed:$missing" >&2
    exit 1
  fi
  run="sudo"
fi
echo "picus: installing$missing"
$run env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086
$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
