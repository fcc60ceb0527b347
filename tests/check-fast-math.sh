#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is arithmetic that is not exact refused at compile time?

compile() { # compile FILE FLAGS...
    file=$top_srcdir/study/columns/$1
    shift
    ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$top_srcdir" -I"$top_srcdir/lib" -fsyntax-only "$@" \
        "$file" 2>&1
}

top_srcdir=${top_srcdir:-.}
n=0
result() { # result ok|"not ok" SENTENCE
    n=$((n + 1))
    echo "$1 $n - $2"
    [ "$1" = ok ] || echo "$said" | sed 's/^/# /'
}

for name in combine spread standarderror; do
    if said=$(compile $name.c); then
        result ok "$name.c is compiled"
    else
        result "not ok" "$name.c is compiled"
    fi
    if said=$(compile $name.c -ffast-math); then
        result "not ok" "but not with -ffast-math"
    else
        case $said in
        *"sums in any order"*) result ok "but not with -ffast-math" ;;
        *) result "not ok" "but not with -ffast-math" ;;
        esac
    fi
done
echo "1..$n"
