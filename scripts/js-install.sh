#!/usr/bin/env bash
# Gets js-tests/ ready: builds the package if it is stale, installs the test tools if the lock
# file has changed, and unpacks the tarball into js-tests/node_modules/densify if it has changed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/npm-ci.sh" "$root/js-tests"
bash "$root/scripts/unpack.sh" "$root/js-tests"
