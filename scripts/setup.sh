#!/usr/bin/env bash
# Makes sure the tools for building and testing densify are there.
#
#   scripts/setup.sh [wasm | wasm-bindgen | wasm-pack | browser | clippy | cargo-deny | all]...
#
# What is already on the machine is used. What is missing is made in .toolchain/
# in the project's root (ignored by git, safe to delete); only root gets Debian
# packages installed system-wide. When all is there, this takes a moment and
# prints one line.
#
# DENSIFY_PRIVATE_PREFIX=1 unpacks Debian packages into .toolchain/ even for root.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." > /dev/null && pwd -P)
tc=$root/.toolchain
target=wasm32-unknown-unknown
cd "$root" # so that rustup sees the project's rust-toolchain.toml, if any

# Look at the user's own toolchain, even if called from within wasm-env.sh, and
# let no setting made for the project leak into the building of tools.
PATH=${PATH//"$tc/wasm/bin:"/}
PATH=$tc/bin:${PATH//"$tc/bin:"/}
export PATH RUSTUP_AUTO_INSTALL=0
unset RUSTC RUSTDOC RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR

# say LINE...
say() { printf 'setup: %s\n' "$@" >&2; }
die() { say "$@"; exit 1; }
has() { command -v "$1" > /dev/null 2>&1; }

# --- Prerequisites ------------------------------------------------------------

# check_prerequisites: a line for each that is missing.
check_prerequisites() {
  local missing=() v least
  least=$(sed -nE 's/^rust-version *= *"(.*)"/\1/p' Cargo.toml)
  v=$(rustc --version 2> /dev/null | cut -d ' ' -f 2) || v=
  if ! has cargo || [ "$(printf '%s\n' "$least" "${v:-0}" | sort -V | head -n 1)" != "$least" ]; then
    missing+=("Rust $least or newer, stable, best by rustup (${v:-nothing} is here)")
  fi
  v=$(node --version 2> /dev/null) || v=
  v=${v#v}
  [ "${v%%.*}" -ge 20 ] 2> /dev/null || missing+=("Node.js 20 or newer (${v:-nothing} is here)")
  has npm || missing+=('npm')
  has make || missing+=('make')
  has cc || missing+=('a C compiler named cc, which Rust links with (Debian: gcc and libc6-dev)')
  [ ${#missing[@]} = 0 ] || { say "${missing[@]/#/please install }"; exit 1; }
}

have_clippy() { cargo clippy --version && cargo fmt --version; } > /dev/null 2>&1
get_clippy() { die 'please install clippy and rustfmt: rustup component add clippy rustfmt'; }

# --- Debian packages ----------------------------------------------------------

# May packages be installed system-wide?
system_wide() { [ "$(id -u)" = 0 ] && [ "${DENSIFY_PRIVATE_PREFIX:-0}" != 1 ]; }

# installed PACKAGE...: are all of them on the system?
installed() {
  local p
  [ "${DENSIFY_PRIVATE_PREFIX:-0}" != 1 ] && has dpkg-query || return 1
  for p; do
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$p" 2> /dev/null)" = 'ii ' ] || return 1
  done
}

# apt_install PACKAGE...: as root. Never removes a package to make room for another.
apt_install() {
  DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300 \
    --no-install-recommends --no-remove install "$@" > "$tc/tmp/apt.log" 2>&1 && return
  tail -n 3 "$tc/tmp/apt.log" >&2
  return 1
}

# apt_private_lists: package lists of our own, as the system's may be missing or
# too old to download by and only root could renew them.
apt_private_lists() {
  [ -f "$tc/tmp/apt/ready" ] && return
  mkdir -p "$tc/tmp/apt/lists/partial" "$tc/tmp/apt/cache/archives/partial"
  cat > "$tc/tmp/apt/conf" <<- CONF
	Dir::State::lists "$tc/tmp/apt/lists";
	Dir::Cache "$tc/tmp/apt/cache";
	Debug::NoLocking "true";
	APT::Sandbox::User "";
	#clear APT::Update::Pre-Invoke;
	#clear APT::Update::Post-Invoke;
	#clear APT::Update::Post-Invoke-Success;
	CONF
  apt-get -qq -c "$tc/tmp/apt/conf" update || return
  touch "$tc/tmp/apt/ready"
}

# apt_unpack PREFIX PACKAGE...: downloads the packages, and those they need that
# the system lacks, and unpacks them into PREFIX. Needs no root.
apt_unpack() {
  local prefix=$1 names deb
  shift
  apt_private_lists || return
  rm -rf "$prefix" "$tc/tmp/debs"
  mkdir -p "$prefix" "$tc/tmp/debs"
  # Lines such as: 'address' name_version_architecture.deb size hash
  names=$(apt-get -qq -y -c "$tc/tmp/apt/conf" --no-install-recommends --reinstall --print-uris install "$@" |
    sed -n "s/^'[^']*' \([^_]*\)_.*/\1/p") || return
  [ -n "$names" ] || return
  # shellcheck disable=SC2086 # one word per package
  (cd "$tc/tmp/debs" && apt-get -qq -c "$tc/tmp/apt/conf" download $names) || return
  for deb in "$tc"/tmp/debs/*.deb; do dpkg -x "$deb" "$prefix" || return; done
  rm -rf "$tc/tmp/debs"
}

# newest_lld: the name of the newest lld package there is, such as lld-22.
newest_lld() { apt-cache "$@" pkgnames lld- | grep -xE 'lld-[0-9]+' | sort -V | tail -n 1; }

# shim FILE PREFIX PROGRAM: FILE becomes a script that runs PREFIX/PROGRAM with
# the libraries that are in PREFIX. An empty PREFIX is the system itself; otherwise
# it lies in .toolchain and is found from there, so that the project can be moved.
# Further lines of the script, from stdin, may set its arguments.
shim() {
  local file=$1 prefix=$2 program=$3 libs=
  if [ -n "$prefix" ]; then
    libs=$(find "$prefix" -name 'lib*.so*' ! -path '*/rustlib/*' -printf '%h\n' | sort -u |
      sed "s|^$tc|\$tc|" | paste -sd:)
  fi
  mkdir -p "${file%/*}"
  {
    echo '#!/bin/sh'
    echo "# Made by scripts/setup.sh."
    echo "tc=\$(cd \"\${0%/*}/$(realpath -m --relative-to="${file%/*}" "$tc")\" && pwd -P)"
    [ -z "$libs" ] || echo "export LD_LIBRARY_PATH=\"$libs\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}\""
    cat
    echo "exec \"${prefix/#"$tc"/\$tc}/$program\" \"\$@\""
  } > "$file"
  chmod +x "$file"
}

# --- wasm: the standard library for wasm32-unknown-unknown -----------------------

own_wasm() { [ -d "$(rustc --print sysroot 2> /dev/null)/lib/rustlib/$target/lib" ]; }

# The stamp says from which rustc our std was made; another rustc can't use it.
rustc_state() { stat -L -c '%s %Y %n' "$1" 2> /dev/null; }
shim_wasm() {
  local made_by
  [ -f "$tc/wasm/stamp" ] && made_by=$(< "$tc/wasm/stamp") &&
    [ "$made_by" = "$(rustc_state "${made_by#* * }")" ]
}

have_wasm() {
  if own_wasm; then
    rm -f "$tc/wasm/stamp" # wasm-env.sh goes by it
  else
    shim_wasm
  fi
}

get_wasm() {
  if has rustup; then
    say "no std for $target yet, asking rustup for it"
    if has timeout; then timeout 300 rustup target add "$target"; else rustup target add "$target"; fi \
      > "$tc/tmp/rustup.log" 2>&1 && have_wasm && return
    say "rustup could not get it ($(grep -m 1 -E '^(error|info: caused)' "$tc/tmp/rustup.log" | cut -c -120))"
  fi
  has apt-get || die "no std for $target: add it to your Rust toolchain, for example with: rustup target add $target"

  # A rustc from Debian that comes with std's sources, and a linker.
  local pkgs=(rustc-web cargo-web rust-web-src libstd-rust-web-dev) prefix=
  if installed "${pkgs[@]}" && has "wasm-ld-$(newest_lld | tr -dc 0-9)"; then
    say "using Debian's rustc"
  elif system_wide && say 'installing rustc with its sources by apt-get (15 s)' &&
    { apt-get -qq update || true; } && apt_install "${pkgs[@]}" "$(newest_lld)"; then
    :
  else
    say "unpacking Debian's rustc with its sources into .toolchain (150 MB to download, 800 MB unpacked)"
    prefix=$tc/debian/rust
    if ! apt_private_lists || ! apt_unpack "$prefix" "${pkgs[@]}" "$(newest_lld -c "$tc/tmp/apt/conf")"; then
      die "can't get Debian's rustc-web; add the target to your Rust toolchain instead: rustup target add $target"
    fi
  fi
  make_sysroot "$prefix"
  build_std
  rm -rf "$root/target/wasm" # cargo does not notice that std is another one
  prefix=${prefix#"$root/"} # relative to the project, which may be moved
  rustc_state "$prefix/usr/bin/rustc" > "$tc/wasm/stamp"
}

# A sysroot of our own, where that rustc finds its host's std, the sources, the
# linker and, once built, std for wasm; and shims that make rustc use it.
make_sysroot() {
  local prefix=$1 bin=$tc/wasm/bin lib=$tc/wasm/sysroot/lib/rustlib host lld
  rm -rf "$tc/wasm"
  mkdir -p "$bin" "$lib/$target/lib"
  for tool in rustc rustdoc; do
    shim "$bin/$tool" "$prefix" usr/bin/$tool <<- 'SH'
	for a; do case $a in --sysroot | --sysroot=*) own_sysroot=1 ;; esac; done
	[ "${own_sysroot:-}" ] || set -- --sysroot "$tc/wasm/sysroot" "$@"
	SH
  done
  shim "$bin/cargo" "$prefix" usr/bin/cargo < /dev/null
  lld=$(printf '%s\n' "$prefix"/usr/bin/wasm-ld-[0-9]* | sort -V | tail -n 1)
  shim "$bin/rust-lld" "$prefix" "${lld#"$prefix/"}" < /dev/null
  host=$("$bin/rustc" -vV | sed -n 's/^host: //p')
  local deb=${prefix:+$(realpath --relative-to="$lib" "$prefix")}
  ln -s "$deb/usr/lib/rustlib/$host" "$lib/$host"
  ln -s "$deb/usr/lib/rustlib/src" "$lib/src"
}

build_std() {
  local work=$tc/tmp/std sep=$'\x1f' src
  say "building std for $target (about half a minute on two cores, once)"
  rm -rf "$work"
  mkdir -p "$work/src"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n' > "$work/Cargo.toml"
  : > "$work/src/lib.rs"
  # Bitcode is for LTO. Paths of this machine must not get into panic messages.
  src=$tc/wasm/sysroot/lib/rustlib/src/rust
  (
    cd "$work"
    PATH=$tc/wasm/bin:$PATH RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target RUSTC_WRAPPER='' \
      CARGO_ENCODED_RUSTFLAGS="-Cembed-bitcode=yes$sep--remap-path-prefix=$src=/rust$sep--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" \
      nice cargo build --quiet --release -Zbuild-std=std,panic_abort,test --target "$target" 9>&-
  ) || die "building std failed"
  rm -f "$work/target/$target/release/deps"/libempty-*
  cp "$work/target/$target/release/deps"/*.rlib "$tc/wasm/sysroot/lib/rustlib/$target/lib/"
}

# --- Tools from the Rust registry -------------------------------------------------

# cargo_install CRATE DURATION [VERSION]: quick to build matters more than quick to run.
cargo_install() {
  say "building ${1}${3:+ $3} with cargo install ($2 on two cores, once)"
  CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
    CARGO_TARGET_DIR=$tc/tmp/$1 nice cargo install --quiet --root "$tc" --locked --force ${3:+--version "$3"} "$1" 9>&- ||
    die "building $1 failed"
  rm -rf "$tc/tmp/$1" # kept after a failure, so that the next try goes on from there
}

# The wasm-bindgen tools must have exactly the version of the crate.
bindgen_version() {
  local v=
  [ ! -f Cargo.toml ] ||
    v=$(sed -nE 's/^ *wasm-bindgen *=.*"=?([0-9]+\.[0-9]+\.[0-9]+)".*/\1/p' Cargo.toml)
  echo "${v:-0.2.129}"
}
have_wasm_bindgen() {
  local v
  v=$(bindgen_version)
  [ "$(wasm-bindgen --version 2> /dev/null)" = "wasm-bindgen $v" ] &&
    [ "$(wasm-bindgen-test-runner --version 2> /dev/null)" = "wasm-bindgen-test-runner $v" ]
}
get_wasm_bindgen() { cargo_install wasm-bindgen-cli '2 to 3 minutes' "$(bindgen_version)"; }

have_wasm_pack() { has wasm-pack; }
get_wasm_pack() { cargo_install wasm-pack 'about a minute'; }

have_cargo_deny() { has cargo-deny; }
get_cargo_deny() { cargo_install cargo-deny '2 to 3 minutes'; }

# --- browser: Chromium and ChromeDriver --------------------------------------------

# .toolchain/browser holds the paths of the two, for env.sh.
have_browser() {
  local c d
  [ -f "$tc/browser" ] && { read -r c && read -r d; } < "$tc/browser" && [ -x "$c" ] && [ -x "$d" ]
}

# use_browser: notes the first browser that has the same major version as chromedriver.
use_browser() {
  local c v d=${CHROMEDRIVER:-chromedriver}
  d=$(command -v "$d") && v=$("$d" --version 2> /dev/null | grep -oE '[0-9]+' | head -n 1) || return
  for c in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable; do
    c=$(command -v "$c") && [ "$("$c" --version 2> /dev/null | grep -oE '[0-9]+' | head -n 1)" = "$v" ] || continue
    printf '%s\n' "$c" "$d" > "$tc/browser"
    return
  done
  return 1
}

get_browser() {
  if [ "${DENSIFY_PRIVATE_PREFIX:-0}" != 1 ] && use_browser; then return; fi
  local prefix=$tc/debian/browser pkgs=(chromium chromium-common chromium-driver)
  has apt-get || die 'please install Chromium (or Chrome) and the ChromeDriver of the same version'
  if system_wide && say 'installing Chromium and ChromeDriver by apt-get (20 s)' &&
    { apt-get -qq update || true; } && apt_install "${pkgs[@]}" && use_browser; then
    return
  fi
  say 'unpacking Chromium and ChromeDriver into .toolchain (130 MB to download, 450 MB unpacked)'
  apt_unpack "$prefix" "${pkgs[@]}" || die "can't get Debian's chromium and chromium-driver"
  shim "$tc/bin/chromium" "$prefix" usr/lib/chromium/chromium < /dev/null
  shim "$tc/bin/chromedriver" "$prefix" usr/bin/chromedriver < /dev/null
  use_browser || die "Chromium does not start: $(chromium --version 2>&1 | head -n 1)"
}

# --- Main -----------------------------------------------------------------------

wanted=()
for w in "${@:-all}"; do
  case $w in
    wasm | wasm-bindgen | wasm-pack | browser | clippy | cargo-deny) wanted+=("$w") ;;
    all) wanted+=(clippy wasm wasm-bindgen wasm-pack browser cargo-deny) ;;
    *) die "unknown: $w (try: wasm, wasm-bindgen, wasm-pack, browser, clippy, cargo-deny, all)" ;;
  esac
done

check_prerequisites

missing=()
for w in "${wanted[@]}"; do "have_${w//-/_}" || missing+=("$w"); done

if [ ${#missing[@]} != 0 ]; then
  mkdir -p "$tc/bin"
  echo '*' > "$tc/.gitignore"
  exec 9> "$tc/lock"
  if has flock && ! flock -n 9; then
    say 'another set-up is at work, waiting for it'
    flock 9
  fi
  mkdir -p "$tc/tmp"
  export TMPDIR="$tc/tmp"
  for w in "${missing[@]}"; do
    "have_${w//-/_}" || "get_${w//-/_}" # another run may have made it meanwhile
    "have_${w//-/_}" || die "$w is still missing after its set-up"
  done
  rm -rf "$tc/tmp"
fi
say "ready: ${wanted[*]}"
