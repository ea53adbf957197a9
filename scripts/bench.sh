#!/usr/bin/env bash
# Builds the package and measures it against plain JavaScript:
#
#   scripts/bench.sh [--quick] [--only CASE]...
#
# A whole run also compares with Rust tokenizers, which are compiled for it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
case " $* " in
  *' --quick '* | *' --only '*) ;;
  *) bash "$root/scripts/rust-peers.sh" ;;
esac
exec node --expose-gc "$root/js-tests/bench/bench.mjs" "$@"
