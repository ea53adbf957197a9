#!/usr/bin/env bash
# Checks target/package/densify-<version>.tgz: what is in it, its package.json (publint),
# and that its types fit its code for every kind of importer (attw).
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
bin=pkg-template/node_modules/.bin
tarballs=(target/package/*.tgz)
[ ${#tarballs[@]} = 1 ] && [ -f "${tarballs[0]}" ] || { echo 'check-package: run scripts/package.sh first' >&2; exit 1; }
tarball=${tarballs[0]}

# Nothing but what belongs there; nothing missing that the law or a reader needs.
files=$(tar -tzf "$tarball" | sed 's|^package/||' | sort)
extra=$(grep -vxE 'package\.json|README\.md|LICENSE(-[A-Z]+)?|THIRD-PARTY-LICENSES\.txt|\.claude-plugin/plugin\.json|hooks/hooks\.json|dist/((shared|node)/)?[a-z0-9-]+(\.d)?\.c?[jt]s|dist/(core|full|tokens)\.wasm|docs/[a-z-]+\.md|examples/[a-z-]+/(Dockerfile|[a-z-]+\.(ts|py))' <<< "$files" || true)
[ -z "$extra" ] || { printf 'check-package: should not be in the tarball:\n%s\n' "$extra" >&2; exit 1; }
for file in README.md LICENSE dist/{core,full,tokens}.wasm dist/{o200k,cl100k}-base.js; do
  grep -q "^$file" <<< "$files" || { echo "check-package: $file is missing in the tarball" >&2; exit 1; }
done

# Every bundled library is named.
notices=$(tar -xzOf "$tarball" package/THIRD-PARTY-LICENSES.txt)
for name in $(sed -nE "s|^ *'bundled:([^']+)'.*|\1|p" pkg-template/rollup.libraries.js); do
  grep -q "^$name [0-9]" <<< "$notices" || { echo "check-package: $name is missing in THIRD-PARTY-LICENSES.txt" >&2; exit 1; }
done

# No code runs at installation, and nothing else is installed.
tar -xzOf "$tarball" package/package.json | node -e '
  const manifest = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const banned = Object.keys(manifest).filter((key) => key === "scripts" || /dependencies/i.test(key));
  if (banned.length) {
    console.error("check-package: package.json has " + banned.join(", "));
    process.exit(1);
  }
'

# quietly CHECK...: its output only if it fails.
quietly() {
  local output
  output=$("$@" 2>&1) || { printf '%s\n' "$output" >&2; exit 1; }
}
quietly "$bin/publint" run "$tarball" --strict
# Files are no modules to TypeScript; node10, the resolution of old, knows no subpaths.
quietly "$bin/attw" "$tarball" --exclude-entrypoints ./js ./{core,full,tokens}.wasm --profile node16
echo "check-package: $tarball is in order"
