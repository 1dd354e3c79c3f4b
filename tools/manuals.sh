#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/manuals.sh STRIA FOLDER
#
# Writes what is installed beside the tool into FOLDER, all of it made from what the tool itself
# says: man/stria.1 and man/stria-COMMAND.1 from its help, and completions/{stria,_stria,stria.fish}
# by `stria completion bash`, zsh and fish.
set -euo pipefail
stria=${1:?usage: tools/manuals.sh STRIA FOLDER} out=${2:?usage: tools/manuals.sh STRIA FOLDER}
export LC_ALL=C
mkdir -p "$out/man" "$out/completions"

version=$("$stria" --version | sed 's/ (.*//')
# Lines "NAME SUMMARY" for each command.
commands=$("$stria" --help | awk '/^  [a-z]+ +[^ ]/ && $1 != "stria" {print}' | sed 's/^ *//; s/  */ /')

# ---- manual pages ---------------------------------------------------------------------------

# Prints help as roff: the text before the first blank line is the synopsis, lines at the margin are paragraphs,
# indented ones stay as they are.
roff() { # TITLE SUMMARY
    awk -v title="$1" -v summary="$2" -v version="$version" '
        function escaped(text) {
            gsub(/\\/, "\\e", text)
            gsub(/-/, "\\-", text)
            gsub(/\047/, "\\(aq", text)
            gsub(/`/, "\\(ga", text)
            gsub(/\^/, "\\(ha", text)
            gsub(/~/, "\\(ti", text)
            if (text ~ /^\./) text = "\\&" text
            return text
        }
        function mode(wanted) {
            if (kept && !wanted) print ".fi"
            if (!kept && wanted) print ".nf"
            kept = wanted
        }
        BEGIN {
            name = title
            gsub(/ /, "-", name)
            printf ".TH %s 1 \"\" \"%s\" \"User Commands\"\n.nh\n.SH NAME\n", toupper(name), version
            printf "%s \\- %s\n.SH SYNOPSIS\n", escaped(name), escaped(summary)
            synopsis = 1
            mode(1)
        }
        synopsis && /^$/ { synopsis = 0; mode(0); print ".SH DESCRIPTION"; next }
        synopsis { print escaped($0); next }
        /^$/ { mode(0); print ".PP"; next }
        /^ / { mode(1); print escaped($0); next }
        { mode(0); print escaped($0) }
        END { mode(0) }'
}

see_also() {
    printf '.SH SEE ALSO\n.nh\n'
    printf '.BR stria (1)'
    while read -r name _; do printf ',\n.BR stria\\-%s (1)' "$name"; done <<<"$commands"
    printf '\n'
}

{
    "$stria" --help | sed '1,2d; 3s/^ *//' | roff stria 'strided arrays on the command line'
    see_also
} >"$out/man/stria.1"
while read -r name summary; do
    { "$stria" help "$name" | roff "stria $name" "$summary" && see_also; } >"$out/man/stria-$name.1"
done <<<"$commands"

# ---- completion -----------------------------------------------------------------------------

"$stria" completion bash >"$out/completions/stria"
"$stria" completion zsh >"$out/completions/_stria"
"$stria" completion fish >"$out/completions/stria.fish"
