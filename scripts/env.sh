# shellcheck shell=sh
# To be sourced: puts the tools of .toolchain/ in PATH and says where the browser is.
#
#   . scripts/env.sh
#
# Native builds go on with your own Rust toolchain. Anything that compiles to wasm
# is run through scripts/wasm-env.sh, which sources this file by itself.
# In a shell other than bash and zsh, source it from the project's root.

# shellcheck disable=SC3028,SC3054 # where BASH_SOURCE is unset, $0 or the working directory serves
DENSIFY_TOOLCHAIN=$(cd "$(dirname "${BASH_SOURCE:-$0}")/.." > /dev/null && pwd -P)
[ -f "$DENSIFY_TOOLCHAIN/scripts/wasm-env.sh" ] || DENSIFY_TOOLCHAIN=$(pwd -P)
DENSIFY_TOOLCHAIN=$DENSIFY_TOOLCHAIN/.toolchain

case :$PATH: in
  *":$DENSIFY_TOOLCHAIN/bin:"*) ;;
  *) export PATH="$DENSIFY_TOOLCHAIN/bin:$PATH" ;;
esac

# Found by `scripts/setup.sh browser`; what you set yourself has priority.
if [ -f "$DENSIFY_TOOLCHAIN/browser" ]; then
  : "${CHROMIUM:=$(sed -n 1p "$DENSIFY_TOOLCHAIN/browser")}"
  : "${CHROMEDRIVER:=$(sed -n 2p "$DENSIFY_TOOLCHAIN/browser")}"
  export CHROMIUM CHROMEDRIVER
fi
