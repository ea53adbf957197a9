#!/usr/bin/env bash
# Runs the tests that make up their cases with new cases, so many times as many as usual.
#
#   scripts/fuzz.sh [TIMES [FILES…]]    50 unless given; only test files of the package with these words in their names
#
# At 50, `formats-fuzz` tries 20,000 histories in each of ten formats in about six minutes of one quiet processor; all tests
# take hours.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
times=${1:-50}
shift || true
cd "$root"
bash scripts/setup.sh all
# shellcheck source=scripts/env.sh
. scripts/env.sh

# What fails is printed with its smallest case, and in JavaScript with its seed for DENSIFY_SEED.
[ $# -gt 0 ] || DENSIFY_RUNS=$times cargo test --release
bash scripts/package.sh
files=${*:-$(cd js-tests && grep -lE "fast-check|support/check|support/times|someOf|textsOfLogs" ./*.test.ts)}
# shellcheck disable=SC2086 # names of files, one a word
DENSIFY_RUNS=$times bash scripts/js-tests.sh --test-timeout=0 $files
