#!/usr/bin/env bash
# Runs real agents, in pinned versions from npm (1.6 GB), against a scripted provider on this machine:
#
#   scripts/test-agents.sh [--long | --setup] [--flush=POLICY,...] [claude | codex | gemini | opencode | pi | pi-0.73]...
#   scripts/test-agents.sh --only pi    installs this agent alone; if npm can't fetch it, nothing is tested: in CI
#                                        that is a failure, elsewhere a message
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/js-install.sh"
agents=$root/js-tests/agents
target=$agents
if [ "${1:-}" = --only ]; then
  shift
  target=$agents/node_modules/.only/${1:?name an agent}
  mkdir -p "$target"
  node "$agents/only.mjs" "$1" > "$target/package.json"
  cp "$agents/.npmrc" "$agents/package-lock.json" "$target"
fi
# Not by `npm ci`: an agent names packages for other machines that some registries don't have, and no lock file can hold.
cd "$target"
if ! cmp -s "$agents/package-lock.json" node_modules/.installed-by; then
  if ! npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error >&2; then
    [ "$target" != "$agents" ] || exit 1
    echo "test-agents: NOTHING WAS TESTED: npm can't fetch $1" >&2
    [ -n "${CI:-}" ] && exit 1
    exit 0
  fi
  cp "$agents/package-lock.json" node_modules/.installed-by
fi
node "$agents/first-request.mjs"
DENSIFY_AGENTS=$target/node_modules exec node "$agents/test-agents.mjs" "$@"
