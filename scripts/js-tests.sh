#!/usr/bin/env bash
# Tests the npm package as users get it: the packed tarball, in Node, in headless Chromium, and
# as TypeScript sees it.
#
#   scripts/js-tests.sh [further arguments for vitest, such as a file's name]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
bash "$root/scripts/setup.sh" browser
bash "$root/scripts/js-install.sh"
bash "$root/scripts/judges.sh"
# shellcheck source=scripts/env.sh
. "$root/scripts/env.sh"

cd "$root/js-tests"
exec node_modules/.bin/vitest run "$@"
