#!/bin/sh
# Writes the manual pages and completion scripts of a built program: install-pages.sh PROGRAM FOLDER
# FOLDER gets man1/*.1.gz, bash/suppose, zsh/_suppose and fish/suppose.fish.
set -eu
program=$1
folder=$2
mkdir -p "$folder/man1" "$folder/bash" "$folder/zsh" "$folder/fish"

"$program" man | gzip -9n >"$folder/man1/suppose.1.gz"
# The commands are those that the help lists; `help` itself has no page.
"$program" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$' |
    while read -r command; do
        "$program" man "$command" | gzip -9n >"$folder/man1/suppose-$command.1.gz"
    done
"$program" completions bash >"$folder/bash/suppose"
"$program" completions zsh >"$folder/zsh/_suppose"
"$program" completions fish >"$folder/fish/suppose.fish"
