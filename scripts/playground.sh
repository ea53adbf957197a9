#!/usr/bin/env bash
# Builds the playground on the packed package, as target/playground/, and serves it:
#
#   scripts/playground.sh              on http://127.0.0.1:4173/, or another port if that is taken
#   scripts/playground.sh --build      only builds it
#   scripts/playground.sh --measure    builds it and measures its bars in headless Chromium
#   scripts/playground.sh --test       builds it and tests it in headless Chromium; further arguments go to Playwright
#   scripts/playground.sh --test-llm   the same with the small model inside the page, which llm-setup.sh must have fetched
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/npm-ci.sh" "$root/www"
bash "$root/scripts/unpack.sh" "$root/www"
# shellcheck source=scripts/env.sh
. "$root/scripts/env.sh"
cd "$root/www"

case ${1:-} in
  --test | --test-llm)
    [ "$1" = --test ] || export PLAYGROUND_TESTS=tests-llm
    shift
    bash "$root/scripts/setup.sh" browser
    . "$root/scripts/env.sh"
    node_modules/.bin/tsc --project .
    node_modules/.bin/vite build --logLevel warn
    exec node_modules/.bin/playwright test "$@"
    ;;
  --measure)
    bash "$root/scripts/setup.sh" browser
    . "$root/scripts/env.sh"
    node_modules/.bin/vite build --logLevel warn
    node serve.mjs 4573 > "$root/target/playground-server.txt" &
    server=$!
    trap 'kill "$server"' EXIT
    until address=$(grep -som1 'http://[^ ]*' "$root/target/playground-server.txt"); do sleep 0.1; done
    node measure.mjs "$address"
    ;;
  --build) exec node_modules/.bin/vite build --logLevel warn ;;
  '')
    node_modules/.bin/vite build --logLevel warn
    exec node serve.mjs
    ;;
  *)
    echo "playground: unknown: $1" >&2
    exit 2
    ;;
esac
