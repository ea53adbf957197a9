#!/usr/bin/env bash
# Builds the package and measures it against plain JavaScript:
#
#   scripts/bench.sh [--quick] [--only CASE]...
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
exec node --expose-gc "$root/js-tests/bench/bench.mjs" "$@"
