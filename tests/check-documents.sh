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
echo "1..$n"
