#!/usr/bin/env bash
# Runs real agents, in pinned versions from npm (1.6 GB), against a scripted provider on this machine:
#
#   scripts/test-agents.sh [claude | codex | gemini | opencode | pi]...
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
bash "$root/scripts/npm-ci.sh" "$root/js-tests/agents"
exec node "$root/js-tests/agents/test-agents.mjs" "$@"
