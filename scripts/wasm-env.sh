#!/usr/bin/env bash
# Runs a command that compiles to wasm:
#
#   scripts/wasm-env.sh cargo build --target wasm32-unknown-unknown
#
# If your own toolchain has the target, it is used. Otherwise the command sees the
# rustc and cargo that scripts/setup.sh made, and a target folder of its own
# (target/wasm): two compilers can't share one.
set -euo pipefail
[ $# -gt 0 ] || { echo "usage: ${0##*/} COMMAND [ARGUMENT]..." >&2; exit 2; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
# shellcheck source=scripts/env.sh
. "$root/scripts/env.sh"

if [ -f "$DENSIFY_TOOLCHAIN/wasm/stamp" ]; then
  export PATH="$DENSIFY_TOOLCHAIN/wasm/bin:$PATH"
  export CARGO_TARGET_DIR="$root/target/wasm"
  unset RUSTC RUSTDOC CARGO # set if this is called from within cargo
fi
exec "$@"
