#!/usr/bin/env bash
# Builds the documentation site as target/site/, with the playground in it, and serves it:
#
#   scripts/docs.sh            on http://localhost:4174/, or another port if that is taken
#   scripts/docs.sh --build    builds it without the playground; fails at a dead link. If npm can't fetch VitePress, nothing is
#                              built: in CI that is a failure, elsewhere a message
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/package.sh" > /dev/null
# Without a lock file: its optional parts for other platforms are not in every registry.
if ! (cd "$root/site" && npm install --ignore-scripts --no-audit --no-fund --no-package-lock --loglevel=error >&2); then
  echo "docs: NOTHING WAS BUILT: npm can't fetch VitePress" >&2
  [ "${1:-}" = --build ] && [ -z "${CI:-}" ] && exit 0
  exit 1
fi
bash "$root/scripts/unpack.sh" "$root/site"
cd "$root/site"
node pages.mjs
node_modules/.bin/vitepress build .

case ${1:-} in
  --build) ;;
  '')
    bash "$root/scripts/playground.sh" --build
    cp -r "$root/target/playground" "$root/target/site/playground"
    exec node_modules/.bin/vitepress preview . --port "${PORT:-4174}"
    ;;
  *)
    echo "docs: unknown: $1" >&2
    exit 2
    ;;
esac
