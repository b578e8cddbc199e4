#!/bin/sh
# Builds the Debian package target/debian/suppose_*.deb with cargo-deb (`cargo install cargo-deb`).
# SUPPOSE names a program that is built already, to be put into the package as it is.
set -eu
cd "$(dirname "$0")/.."
if [ -z "${SUPPOSE:-}" ]; then
    cargo build --locked --release
    SUPPOSE=target/release/suppose
fi
rm -rf target/install
mkdir -p target/install/bin
sh scripts/install-pages.sh "$SUPPOSE" target/install
cp "$SUPPOSE" target/install/bin/suppose
cargo deb --locked -p suppose-cli --no-build
