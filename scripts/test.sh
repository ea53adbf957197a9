#!/usr/bin/env bash
# Every check and test, the quick ones first; the first that fails ends the run.
#
#   scripts/test.sh [WORD]...    only the steps with one of these words in their names
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
wanted=("$@")
# The same random cases in every run, so that a red run means a change; `make fuzz` tries new ones.
export PROPTEST_RNG_SEED=${PROPTEST_RNG_SEED-1} DENSIFY_SEED=${DENSIFY_SEED-1}
locked=${CI:+--locked}
passed=0
durations=()

# is_wanted NAME: does it have one of the wanted words?
is_wanted() {
  local word
  [ ${#wanted[@]} != 0 ] || return 0
  for word in "${wanted[@]}"; do [[ $1 != *"$word"* ]] || return 0; done
  return 1
}

# step NAME COMMAND...: runs the command under a heading.
step() {
  local name=$1 start=$SECONDS status=0
  shift
  is_wanted "$name" || return 0
  printf '\n== %s\n' "$name"
  "$@" < /dev/null || status=$?
  if [ $status != 0 ]; then
    printf '\n== %s: FAILED (exit code %d after %d s): %s\n' "$name" $status $((SECONDS - start)) "$*"
    printf 'steps: %d passed, 1 failed\n' $passed
    exit 1
  fi
  passed=$((passed + 1))
  printf -- '-- %s: %d s\n' "$name" $((SECONDS - start))
  durations+=("$(printf '%5d s  %s' $((SECONDS - start)) "$name")")
}

bash scripts/setup.sh all
# shellcheck source=scripts/env.sh
. scripts/env.sh

# shellcheck disable=SC2086 # $locked is one word or none
{
  step 'Rust: formatting' cargo fmt --check
  step 'Rust: clippy' cargo clippy $locked --all-targets -- -D warnings
  step 'Rust: clippy, with the bindings' cargo clippy $locked --all-targets --features wasm,wasm-full,wasm-tokens -- -D warnings
  step 'Rust: docs' env RUSTDOCFLAGS='-D warnings' cargo doc $locked --no-deps --all-features
  step 'Rust: tests' cargo test $locked
  # Without advisories: their database comes over the network, see `make advisories`.
  step 'Rust: dependencies' cargo deny $locked --all-features check bans licenses sources
}
step 'JavaScript: formatting and lints' bash scripts/lint.sh --javascript
step 'wasm: tests in Chromium' bash scripts/wasm-test.sh
step 'package: build' bash scripts/package.sh
step 'package: content' bash scripts/check-package.sh
step 'package: build scripts' node --test --test-reporter=spec scripts/*.test.mjs
step 'package: tests in Node and Chromium' bash scripts/js-tests.sh
step 'package: options page' node scripts/options-page.mjs --check
step 'bench: types' js-tests/node_modules/.bin/tsc --project js-tests/bench
step 'bench: its baselines' node --test --test-reporter=spec js-tests/bench/*.test.mjs
# With an engine made for tests; `make test-llm` has a real model.
step 'llm: endpoint, faults, client' node --test --test-reporter=spec llm/*.test.mjs
step 'demo: conversations' node demo/build-conversations.mjs --check
step 'demo: runs' bash scripts/demo.sh
step 'demo: its rows are the edits' node --test --test-reporter=spec demo/*.test.mjs
step 'playground: build, tests in Chromium' bash scripts/playground.sh --test

if [ $passed = 0 ]; then
  echo "test: no step's name has one of: ${wanted[*]}" >&2
  exit 2
fi
printf '\n'
printf '%s\n' "${durations[@]}"
printf 'steps: %d passed, 0 failed\n' $passed
