#!/usr/bin/env bash
# Runs whole conversations through every strategy that needs a model, with a real one, for at most
# ten minutes:
#
#   scripts/llm-test.sh [WORD]...    only the cases with one of these words in their names
#
# The model is a small one that runs here, or what the environment names: DENSIFY_LLM_URL (an
# OpenAI-compatible endpoint), DENSIFY_LLM_MODEL, and DENSIFY_LLM_KEY if it wants a key.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
[ -n "${DENSIFY_LLM_URL:-}" ] || bash "$root/scripts/llm-setup.sh"
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/unpack.sh" "$root/llm"
node "$root/llm/run.mjs" "$@"

# The same small model, inside the playground's page.
if [ $# = 0 ] && [ -z "${DENSIFY_LLM_URL:-}" ]; then bash "$root/scripts/playground.sh" --test-llm; fi
