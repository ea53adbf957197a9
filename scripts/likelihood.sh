#!/usr/bin/env bash
# Measures how likely the small local model finds the next call of real conversations, by what is left of their histories:
#
#   scripts/likelihood.sh [--points=110] [--window=1600] [--others]
#
# The conversations are in a folder `shared/` beside the project; without it nothing is measured. A run that is interrupted
# goes on where it was.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
shared=${DENSIFY_SHARED:-$root/../shared}
folders=()
for folder in "$shared/transcripts" "$shared/transcripts-new"; do [ ! -d "$folder" ] || folders+=("$folder"); done
if [ ${#folders[@]} = 0 ]; then
  echo 'skipped: no shared transcripts beside the project'
  exit 0
fi
bash "$root/scripts/llm-setup.sh"
bash "$root/scripts/package.sh" > /dev/null
bash "$root/scripts/unpack.sh" "$root/llm"
exec nice node "$root/llm/likelihood.mjs" "${folders[@]}" "$@"
