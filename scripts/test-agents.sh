#!/usr/bin/env bash
# Runs real agents, in pinned versions from npm (1.6 GB), against a scripted provider on this machine:
#
#   scripts/test-agents.sh [--long] [claude | codex | gemini | opencode | pi]...
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
# Not by `npm ci`: an agent names packages for other machines that some registries don't have, and no lock file can hold.
cd "$root/js-tests/agents"
if ! cmp -s package-lock.json node_modules/.installed-by; then
  npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  cp package-lock.json node_modules/.installed-by
fi
exec node "$root/js-tests/agents/test-agents.mjs" "$@"
