#!/usr/bin/env bash
# Checks that a tag may be released: the crate, the package and the changelog have its version.
#
#   scripts/check-release.sh v1.2.3
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
tag=${1:-}
version=${tag#v}
die() {
  printf 'check-release: %s\n' "$1" >&2
  exit 1
}
[[ $tag =~ ^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]] || die "found tag '$tag', expected one such as v1.2.3"

crate=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
package=$(node -p 'require("./pkg-template/package.json").version')
[ "$crate" = "$version" ] || die "Cargo.toml has version $crate, the tag $version: change one of them"
[ "$package" = "$version" ] || die "pkg-template/package.json has version $package, the tag $version: change one of them"
grep -q "^## $version\$" CHANGELOG.md || grep -q "^## $version (20[0-9][0-9]-" CHANGELOG.md ||
  die "CHANGELOG.md has no heading '## $version' or '## $version (date)': replace '(unreleased)'"
echo "check-release: $tag can be released"
