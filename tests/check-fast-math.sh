#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is arithmetic that is not exact refused at compile time?

compile() {
    ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$top_srcdir" -I"$top_srcdir/lib" -fsyntax-only "$@" \
        "$top_srcdir/study/columns/combine.c" 2>&1
}

top_srcdir=${top_srcdir:-.}
echo "1..2"
if said=$(compile); then
    echo "ok 1 - the arithmetic of studies is compiled"
else
    echo "not ok 1 - the arithmetic of studies is compiled"
    echo "$said" | sed 's/^/# /'
fi
if said=$(compile -ffast-math); then
    echo "not ok 2 - but not with -ffast-math"
else
    case $said in
    *"sums in any order"*) echo "ok 2 - but not with -ffast-math" ;;
    *) echo "not ok 2 - but not with -ffast-math"; echo "$said" | sed 's/^/# /' ;;
    esac
fi
