#!/usr/bin/env bash
# Checks formatting, code and prose:
#
#   scripts/lint.sh                 Rust, TypeScript, JavaScript, workflows, texts
#   scripts/lint.sh --javascript    all but Rust
#   scripts/lint.sh --fix           formats instead, and fixes what can safely be fixed
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
biome=js-tests/node_modules/.bin/biome
bash scripts/npm-ci.sh js-tests

case ${1:-} in
  --fix)
    cargo fmt
    exec "$biome" check --write
    ;;
  --javascript) ;;
  '')
    cargo fmt --check
    cargo clippy --all-targets --features constants -- -D warnings
    cargo clippy --all-targets --features wasm,wasm-full,wasm-tokens -- -D warnings
    ;;
  *)
    echo "lint: unknown: $1" >&2
    exit 2
    ;;
esac
node scripts/workflows.mjs
node scripts/prose.mjs
exec "$biome" check
