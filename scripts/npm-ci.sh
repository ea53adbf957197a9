#!/usr/bin/env bash
# Installs a folder's development tools, if its lock file isn't the one they were installed by:
#
#   scripts/npm-ci.sh FOLDER
set -euo pipefail

cd "$1"
if ! cmp -s package-lock.json node_modules/.installed-by; then
  echo "npm ci in ${PWD##*/}/" >&2
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json node_modules/.installed-by
fi
