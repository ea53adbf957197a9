#!/usr/bin/env bash
# Runs a measurement of real conversations, scripts/NAME.py, by a built example of the crate:
#
#   scripts/on-transcripts.sh NAME EXAMPLE [options of optimize, as JSON]...
#
# frontier propose:     what presets and budgets leave of them, beside classical rules and a planner that knows the future
#
#   scripts/on-transcripts.sh economics [options of js-tests/bench/economics.mjs]...
#
# by the package: what they cost under flush policies, beside the cheapest plan for a planner who knows the future.
#
#   scripts/on-transcripts.sh intake
#
# likewise: what the reducers of the intake save of them, and what is still there.
#
#   scripts/on-transcripts.sh digest [options of digest, as JSON]...
#
# likewise: what a digest of them holds, beside as much of the newest messages.
#
#   scripts/on-transcripts.sh limits
#
# likewise: how conversations end in windows of 16k to 128k tokens, under each strategy.
#
# The conversations are in a folder `shared/` beside the project; without it nothing is measured.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
shared=${DENSIFY_SHARED:-$root/../shared}
if [ ! -d "$shared/probe" ] || ! command -v python3 > /dev/null; then
  echo "skipped: no shared probe beside the project, or no Python 3"
  exit 0
fi
cd "$root"
name=$1
shift
if [ "$name" = intake ] || [ "$name" = digest ]; then
  bash scripts/js-install.sh
  exec python3 "scripts/$name.py" "$shared" "$@"
fi
if [ "$name" = economics ]; then
  bash scripts/js-install.sh
  exec node js-tests/bench/economics.mjs "$shared" "$@"
fi
if [ "$name" = limits ]; then
  bash scripts/js-install.sh
  folders=("$shared/transcripts")
  [ -d "$shared/transcripts-new" ] && folders+=("$shared/transcripts-new")
  exec node js-tests/bench/limits.mjs "${folders[@]}"
fi
example=$1
shift
cargo build --quiet --release --example "$example"
exec python3 "scripts/$name.py" "${CARGO_TARGET_DIR:-target}/release/examples/$example" "$shared" "$@"
