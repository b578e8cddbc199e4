#!/bin/sh
# Installs what the tests need and runs all of them: format, lints, API documentation, Rust tests, browser tests, editor tests, the Python module.
# The last line says how many passed. Needs Rust and, to install packages, root or sudo.
set -eu
cd "$(dirname "$0")/.."
command -v cargo >/dev/null 2>&1 || PATH="$HOME/.cargo/bin:$PATH"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Debian packages: chromium draws the reports, python3-venv runs the tests that look at them; SPIN
# and a C compiler are what PROMELA programs are compared with; NuSMV needs libxml2.
packages=""
command -v chromium >/dev/null 2>&1 || packages="$packages chromium"
command -v spin >/dev/null 2>&1 || packages="$packages spin"
command -v gcc >/dev/null 2>&1 || packages="$packages gcc libc6-dev"
ldconfig -p 2>/dev/null | grep -q 'libxml2\.so\.2' || packages="$packages libxml2"
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || packages="$packages python3 python3-venv"
if [ -n "$packages" ]; then
    as_root apt-get update
    # shellcheck disable=SC2086 # several packages are several words
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
fi
cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
cargo clippy --version >/dev/null 2>&1 || rustup component add clippy

# Runs a command, shows its output and keeps it; the step fails when the command does.
failures=0
step() {
    name=$1
    shift
    echo "== $*"
    { "$@" 2>&1 && echo ok >"$logs/$name.ok"; } | tee "$logs/$name.log"
    if [ ! -e "$logs/$name.ok" ]; then
        echo "== failed: $*"
        failures=$((failures + 1))
    fi
}

# The browser tests, and the solvers and model checkers that ours are compared with, are in an environment of their own.
tools=.test-tools
has_tools() {
    "$tools/bin/pytest" --version && "$tools/bin/z3" --version &&
        "$tools/bin/python" -c 'import cvc5, playwright, pytest_lsp, stormpy' &&
        { "$tools/bin/NuSMV" -help 2>&1 | grep -q 'NuSMV 2.6'; }
}
# NuSMV's program is in the package pyboolnet (of which nothing else is used) and needs a library that
# Debian keeps for old programs.
install_nusmv() {
    "$tools/bin/pip" install --quiet --no-deps pyboolnet
    (cd "$tools" && apt-get download libtinfo5 && dpkg -x libtinfo5_*.deb tinfo5)
    nusmv=$(echo "$PWD/$tools"/lib/python3*/site-packages/pyboolnet/binaries/linux64/NuSMV-a)
    {
        echo '#!/bin/sh'
        echo "export LD_LIBRARY_PATH='$nusmv:$PWD/$tools/tinfo5/lib/x86_64-linux-gnu'"
        echo "exec '$nusmv/NuSMVa_linux64' \"\$@\""
    } >"$tools/bin/NuSMV"
    chmod +x "$tools/bin/NuSMV" "$nusmv/NuSMVa_linux64"
}
if ! has_tools >/dev/null 2>&1; then
    rm -rf "$tools"
    python3 -m venv "$tools"
    step pip "$tools/bin/pip" install --quiet pytest playwright pytest-lsp z3-solver cvc5 stormpy
    as_root apt-get update
    step nusmv install_nusmv
fi
# The package of cvc5 has no command; this makes one.
{ echo "#!$PWD/$tools/bin/python"; cat scripts/cvc5.py; } >"$tools/bin/cvc5"
chmod +x "$tools/bin/cvc5"

step format cargo fmt --all --check
step lints cargo clippy --locked --workspace --all-targets -- -D warnings
step docs env RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --quiet
step rust cargo test --locked --workspace --no-fail-fast

step browser "$tools/bin/pytest" -q tests/browser
step python sh scripts/test-python.sh

# A language client drives the server, and the extension is packaged.
step editors "$tools/bin/pytest" -q tests/editors

# Adds up "N passed" (or "N failed") over all runners.
count() {
    cat "$logs/rust.log" "$logs/browser.log" "$logs/editors.log" "$logs/python.log" |
        sed 's/\x1b\[[0-9;]*m//g' |
        grep -E '^test result:|(passed|failed|error)[^:]* in [0-9.]+s' |
        grep -oE "[0-9]+ $1" | awk '{ sum += $1 } END { print sum + 0 }'
}
passed=$(count passed)
failed=$(($(count failed) + $(count errors?)))
# A step that failed without a failed test (it did not compile, say) counts as one.
if [ "$failed" -lt "$failures" ]; then failed=$failures; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
