#!/usr/bin/env bash
# Puts the built package into a folder's node_modules, if what is there is another one:
#
#   scripts/unpack.sh FOLDER
#
# Not by npm: no manifest and no lock file of the folder is to know of a build.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
tarballs=("$root"/target/package/*.tgz)
modules=$(cd "$1" && pwd -P)/node_modules

digest=$(node -e 'const [hash, read] = [require("node:crypto").createHash("sha256"), require("node:fs").readFileSync];
  console.log(hash.update(read(process.argv[1])).digest("hex"))' "${tarballs[0]}")
[ "$(cat "$modules/.densify" 2> /dev/null)" != "$digest" ] || [ ! -d "$modules/densify" ] || exit 0

mkdir -p "$modules"
fresh=$(mktemp -d "$modules/.densify-XXXXXX")
trap 'rm -rf "$fresh"' EXIT
tar -xzf "${tarballs[0]}" -C "$fresh"
rm -rf "$modules/densify"
mv "$fresh/package" "$modules/densify"
printf '%s\n' "$digest" > "$modules/.densify"
