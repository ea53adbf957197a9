#!/usr/bin/env bash
# Runs the example for Apache Spark in its local mode; pyspark, which is 300 MB, comes from PyPI. Wants Python and Java.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
venv=$root/.toolchain/spark
version=3.5.7
command -v java > /dev/null || { echo 'test-spark: Spark wants Java, 8, 11 or 17' >&2; exit 1; }
if [[ $(cat "$venv/version" 2> /dev/null) != "$version" ]]; then
  echo "installing pyspark $version by pip (300 MB)" >&2
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "pyspark==$version"
  echo "$version" > "$venv/version"
fi
DENSIFY_PYTHON=$venv/bin/python bash "$root/scripts/js-tests.sh" replay.test -t Spark
