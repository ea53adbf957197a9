#!/usr/bin/env bash
# Tests the npm package in the runtimes and bundlers that people use: each must say what Node.js says.
#
#   scripts/runtimes-test.sh [FILE]...    only these tests of runtimes/, for instance worker.test.mjs
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/setup.sh" browser
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/npm-ci.sh" "$root/runtimes"
bash "$root/scripts/unpack.sh" "$root/runtimes"
# The largest by far, and the one that a machine may well refuse: its tests then say that it isn't there.
bash "$root/scripts/npm-ci.sh" "$root/runtimes/next" && bash "$root/scripts/unpack.sh" "$root/runtimes/next" ||
  echo 'runtimes-test: Next.js is left out' >&2

cd "$root/runtimes"
[ $# != 0 ] || set -- ./*.test.mjs
exec node --test --test-reporter=spec "$@"
