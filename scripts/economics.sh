#!/usr/bin/env bash
# What real conversations cost under flush policies; see economics.py:
#
#   scripts/economics.sh [options of optimize, as JSON]...
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
cargo build --quiet --release --example economics
exec python3 scripts/economics.py "${CARGO_TARGET_DIR:-target}/release/examples/economics" "$shared" "$@"
