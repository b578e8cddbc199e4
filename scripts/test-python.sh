#!/bin/sh
# Builds the wheel of python/, installs it into a fresh environment and tests it there. The wheel is of the profile for tests, so
# that it shares what cargo has built; PROFILE=release builds the one to give away. Needs Rust and python3-venv.
set -eu
cd "$(dirname "$0")/.."
command -v cargo >/dev/null 2>&1 || PATH="$HOME/.cargo/bin:$PATH"

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/venv"
"$place/venv/bin/pip" install --quiet 'maturin>=1.9,<2' pytest networkx nbclient nbformat ipykernel
"$place/venv/bin/maturin" build --quiet --locked --profile "${PROFILE:-dev}" --manifest-path python/Cargo.toml \
    --interpreter "$place/venv/bin/python" --out "$place/wheels"
"$place/venv/bin/pip" install --quiet --no-deps "$place"/wheels/*.whl
# Not from the folder of the sources: what is installed is what is tested.
"$place/venv/bin/python" -m pytest -q -p no:cacheprovider python/tests
