#!/bin/sh
# Prints the notes of a release: its section of CHANGELOG.md, then how to install it.
# release-notes.sh VERSION (0.2.0, or Unreleased)
set -eu
cd "$(dirname "$0")/.."
version=${1:?which version?}
notes=$(awk -v version="$version" '
    /^## / { inside = ($2 == version); found = found || inside; next }
    inside { print }
    END { if (!found) exit 1 }' CHANGELOG.md) || {
    echo "CHANGELOG.md has no section $version" >&2
    exit 1
}
echo "# Suppose $version"
echo "$notes"
echo
echo "To install it: docs/install.md."
