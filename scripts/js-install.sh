#!/usr/bin/env bash
# Gets js-tests/ ready: builds the package if it is stale, installs the test tools if the lock
# file has changed, and unpacks the tarball into js-tests/node_modules/densify if it has changed.
# The lock file knows nothing of the package: a build must not change what is committed.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
bash scripts/package.sh > /dev/null
tarballs=(target/package/*.tgz)

cd js-tests
digest() {
  node -e 'const [read, hash] = [require("node:fs").readFileSync, require("node:crypto").createHash("sha256")];
    console.log(hash.update(read(process.argv[1])).digest("hex"))' "$1"
}
# is FILE DIGEST: does the file hold the digest?
is() { [ -f "$1" ] && [ "$(< "$1")" = "$2" ]; }

lock=$(digest package-lock.json)
if ! is node_modules/.installed-by "$lock"; then
  echo 'js-tests: npm ci' >&2
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
  printf '%s\n' "$lock" > node_modules/.installed-by
fi

package=$(digest "../${tarballs[0]}")
if ! is node_modules/.densify "$package"; then
  echo "js-tests: unpacking ${tarballs[0]}" >&2
  fresh=$(mktemp -d node_modules/.densify-XXXXXX)
  tar -xzf "../${tarballs[0]}" -C "$fresh"
  rm -rf node_modules/densify
  mv "$fresh/package" node_modules/densify
  rmdir "$fresh"
  printf '%s\n' "$package" > node_modules/.densify
fi
