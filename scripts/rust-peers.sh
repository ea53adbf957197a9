#!/usr/bin/env bash
# Compiles Rust tokenizers to wasm, so that `make bench` compares with them too: target/rust-peers/*.wasm
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/setup.sh" wasm
out=$root/target/rust-peers
mkdir -p "$out"
for crate in tiktoken tiktoken-rs; do
  (cd "$root/js-tests/bench/rust-peers" && "$root/scripts/wasm-env.sh" cargo build --release --locked \
    --target wasm32-unknown-unknown --target-dir "$out/$crate" --features "$crate")
  cp "$out/$crate/wasm32-unknown-unknown/release/rust_peers.wasm" "$out/$crate.wasm"
done
ls -l "$out"/*.wasm
