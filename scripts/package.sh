#!/usr/bin/env bash
# Builds the npm package and leaves it as target/package/densify-<version>.tgz:
#
#   scripts/package.sh
#
# cargo, wasm-bindgen, wasm-opt, the glue as a factory (glue.mjs), TypeScript, npm pack.
# What has not changed is not done again.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/setup.sh" wasm wasm-bindgen
. "$root/scripts/env.sh"

# Two builds at once would read each other's half-written files.
mkdir -p "$root/target"
exec 9> "$root/target/package.lock"
flock 9 2> /dev/null || true
node "$root/scripts/package.mjs"
