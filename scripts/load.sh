#!/usr/bin/env bash
# Load-tests the gateway against a scripted provider on this machine; exit code 1 if a bar is missed:
#
#   scripts/load.sh [--quick]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
bash "$root/scripts/npm-ci.sh" "$root/js-tests/load"
exec node "$root/js-tests/load/load.mjs" "$@"
