#!/usr/bin/env bash
# Runs the crate's wasm tests in headless Chromium:
#
#   scripts/wasm-test.sh [further arguments for cargo test, such as a test's name]
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
cd "$root"
case $root in *[[:space:]]*)
  echo "wasm-test: wasm-pack can't run tests in a folder whose path has a space: $root" >&2
  exit 1 ;;
esac
bash scripts/setup.sh wasm wasm-bindgen wasm-pack browser
# shellcheck source=scripts/env.sh
. scripts/env.sh

# webdriver.json has the browser's flags; which browser to start differs from
# machine to machine, so it goes into a copy.
mkdir -p target
node -e '
  const fs = require("fs");
  const caps = JSON.parse(fs.readFileSync("webdriver.json", "utf8"));
  caps["goog:chromeOptions"].binary = process.env.CHROMIUM;
  fs.writeFileSync("target/webdriver.json", JSON.stringify(caps, null, 2));
'
export WASM_BINDGEN_TEST_WEBDRIVER_JSON="$root/target/webdriver.json"
# A busy machine takes its time: seconds for all tests of a file, and for the driver's start.
export WASM_BINDGEN_TEST_TIMEOUT="${WASM_BINDGEN_TEST_TIMEOUT:-120}"
export WASM_BINDGEN_TEST_DRIVER_TIMEOUT="${WASM_BINDGEN_TEST_DRIVER_TIMEOUT:-30}"

# The examples are native programs; --mode no-install and --chromedriver keep wasm-pack from downloading anything.
exec bash scripts/wasm-env.sh wasm-pack test --headless --chrome \
  --chromedriver "$CHROMEDRIVER" --mode no-install . --features wasm --lib --test web "$@"
