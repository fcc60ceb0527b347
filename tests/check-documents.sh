#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Do the documents for developers name what is there?  (Manual pages:
# tests/check-pages.py.)

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

# What the pages on the architecture name is there, and where they say.
pages="$top_srcdir/doc/ARCHITECTURE.md $(echo "$top_srcdir"/doc/design/*.md)"
missing=
for page in $pages; do
    grep -q "doc/${page##*/doc/}" "$top_srcdir/doc/local.mk" ||
        missing="$missing ${page##*/}:not-installed"
    for link in $(grep -o '](\([^):]*\))' "$page" | sed 's/^](\(.*\))$/\1/'); do
        [ -f "$(dirname "$page")/$link" ] || missing="$missing ${page##*/}:$link"
    done
done
[ -z "$missing" ]
report $? "pages on the architecture are installed and their links lead somewhere$missing"

files=$(cd "$top_srcdir" && find . -name .git -prune -o -type f -print)
missing=
for name in $(grep -oh '`[A-Za-z0-9_./-]*[a-z]\.\(c\|h\|md\|py\|txt\|xsd\|mk\)`' $pages |
              tr -d '`' | LC_ALL=C sort -u); do
    echo "$files" | grep -q "/$name\$" || missing="$missing $name"
done
[ -z "$missing" ]
report $? "the files they name are there$missing"

# What a newcomer and the hosted CI start with.
contributing=$top_srcdir/.github/CONTRIBUTING.md
missing=
for link in $(grep -o '](\([^):]*\))' "$contributing" | sed 's/^](\(.*\))$/\1/'); do
    [ -f "$top_srcdir/.github/$link" ] || missing="$missing $link"
done
for called in $(grep -oh '\.ci/[a-z]*' "$top_srcdir/quickstart" \
                    "$top_srcdir/runtests" "$contributing" \
                    "$top_srcdir/.github/workflows/ci.yml"); do
    [ -x "$top_srcdir/$called" ] || missing="$missing $called"
    grep -q "[[:space:]]$called\([[:space:]]\|\$\)" "$top_srcdir/Makefile.am" ||
        missing="$missing $called:not-distributed"
done
[ -z "$missing" ]
report $? "what they start with is there, in a tarball, too$missing"
lines=$(wc -l <"$contributing")
[ "$lines" -le 60 ]
report $? "the page for contributors is one page: $lines lines, at most 60"

lines=$(wc -l <"$top_srcdir/doc/ARCHITECTURE.md")
[ "$lines" -le 132 ]
report $? "the architecture is on two printed pages: $lines lines, at most 132"
echo "1..$n"
