#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Do the manual pages know every variable, and do the pages, the makefile and the
# tree agree?  (Options: tests/cli/options.py.)

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

man=$top_srcdir/doc/man
# Those that read performance files are not there without libxml2.
absent=
grep -q '^#define HAVE_STUDY 1' "$top_builddir/config.h" ||
    absent=$(sed -n '/^#ifdef HAVE_STUDY/,/^#endif/p' "$top_srcdir/hpm/main.c" |
             grep -o '&subcommand_[a-z]*')
missing=
for subcommand in $(sed -n 's/^    \.name = "\(.*\)",$/\1/p' \
                        "$top_srcdir"/hpm/*.c); do
    grep -q "^\.SS hpm $subcommand\$" "$man/hpm.1" ||
        missing="$missing $subcommand"
    case " $absent " in *"&subcommand_$subcommand"*) continue ;; esac
    "$top_builddir/hpm/hpm" help | grep -q "^  $subcommand " ||
        missing="$missing help:$subcommand"
    for option in $(sed -n 's/.*{"\([a-z-]*\)", [a-z]*_argument.*/\1/p' \
                        "$top_srcdir/hpm/$subcommand.c"); do
        sed 's/\\-/-/g' "$man/hpm.1" | grep -q -e "--$option" ||
            missing="$missing --$option"
        "$top_builddir/hpm/hpm" help "$subcommand" | grep -q -e "--$option" ||
            missing="$missing help:--$option"
    done
done
[ -z "$missing" ]
report $? "hpm(1) and the helps know every subcommand and option$missing"

missing=
for variable in $(sed -n 's/.*= {"\(HPM_[A-Z_]*\)".*/\1/p' \
                      "$top_srcdir/lib/base/env.c"); do
    grep -q "$variable" "$man/hpm.7" || missing="$missing $variable"
done
[ -z "$missing" ]
report $? "hpm(7) knows every variable$missing"

missing=
for page in "$man"/*.[1357]; do
    grep -q "doc/man/$(basename "$page")" "$top_srcdir/doc/local.mk" ||
        missing="$missing $(basename "$page")"
done
[ -z "$missing" ]
report $? "every manual page is installed$missing"

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

lines=$(wc -l <"$top_srcdir/doc/ARCHITECTURE.md")
[ "$lines" -le 132 ]
report $? "the architecture is on two printed pages: $lines lines, at most 132"
echo "1..$n"
