#!/usr/bin/env bash
# Checks bench-tasks/ without network, key or Docker, against a scripted model. Installs mini-swe-agent into .toolchain/tasks/
# first (350 MB), without the libraries for data sets, which the check doesn't use.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
venv=$root/.toolchain/tasks
agent=$(grep '^mini-swe-agent==' "$root/bench-tasks/requirements.txt")
if [ "$(cat "$venv/installed" 2> /dev/null)" != "$agent" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check \
    pyyaml requests jinja2 'pydantic>=2' 'litellm>=1.75.5' tenacity rich python-dotenv typer platformdirs openai mcp
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps "$agent"
  printf '%s\n' "$agent" > "$venv/installed"
fi
bash "$root/scripts/js-install.sh"
cd "$root/bench-tasks"
exec "$venv/bin/python" check.py
