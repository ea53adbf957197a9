#!/usr/bin/env bash
# Builds the package, installs it into demo/ and runs the demo with it:
#
#   scripts/demo.sh                              the bundled conversations
#   FILES="a.jsonl b.json" scripts/demo.sh       logs of your own
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/unpack.sh" "$root/demo"
exec node "$root/demo/demo.mjs"
