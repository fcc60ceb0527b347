#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Does libhpm export the calls of lib/libhpm.sym, each with a prototype and a
# manual page, and nothing else?

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

library=$top_builddir/lib/.libs/libhpm.so
if [ ! -e "$library" ]; then
    echo "1..0 # SKIP no shared library (configured with --disable-shared)"
    exit 0
fi
# sanitizers add symbols of their own
exported=$(nm -D --defined-only "$library" | awk '$2 ~ /[TDBRVW]/ { print $3 }' |
    grep -v -e '^__asan' -e '^__ubsan' -e '^__odr_asan' -e '^_init$' -e '^_fini$' | LC_ALL=C sort)
listed=$(LC_ALL=C sort "$top_srcdir/lib/libhpm.sym")
[ "$exported" = "$listed" ]
report $? "the library exports what libhpm.sym lists"
[ "$exported" = "$listed" ] || printf '%s\n' "exported: $exported" | sed 's/^/# /'

# Fortran's entries have an underscore at the end, and a second name without;
# those of few letters are for f_hpm.h alone.
fortran=$(echo "$listed" | grep -E '^(f_hpm|h9|q9)')
listed=$(echo "$listed" | grep -vE '^(f_hpm|h9|q9)')
missing=
for symbol in $fortran; do
    name=${symbol%_}
    echo "$fortran" | grep -qx "$name" && echo "$fortran" | grep -qx "${name}_" &&
        cat "$top_srcdir"/fortran/f_hpm.h "$top_srcdir"/fortran/hpm.f90 \
            "$top_srcdir"/doc/man/f_hpm.3 | grep -qiw -e "$name" -e "${name}_" ||
        missing="$missing $symbol"
done
[ -n "$fortran" ] && [ -z "$missing" ]
report $? "every entry for Fortran has both names and is used or documented$missing"

# for libhpm_mpi alone
private=$(echo "$listed" | grep '^hpm_private_')
listed=$(echo "$listed" | grep -v '^hpm_private_')
missing=
for symbol in $private; do
    grep -q "$symbol" "$top_srcdir/lib/session/handover.h" &&
        grep -q "$symbol" "$top_srcdir"/mpi/*.c || missing="$missing $symbol"
done
[ -z "$missing" ]
report $? "what is exported for libhpm_mpi alone is declared and used$missing"

missing=
for symbol in $listed; do
    grep -q "$symbol" "$top_srcdir/include/libhpm.h" || missing="$missing $symbol"
done
[ -z "$missing" ]
report $? "every exported call is declared in libhpm.h$missing"

missing=
for symbol in $listed; do
    [ "$symbol" = hpm_error_count ] && symbol=hpmInit
    [ -e "$top_srcdir/doc/man/$symbol.3" ] || missing="$missing $symbol"
done
[ -z "$missing" ]
report $? "every exported call has a manual page$missing"

readelf -d "$library" | grep -q 'NODELETE'
report $? "the library stays loaded once it is (nodelete)"
readelf -d "$library" | grep -q 'BIND_NOW\|NOW'
report $? "the library resolves its symbols when it is loaded"
# What comes in is looked at too: a dependency may have brought it.
for file in "$library" "$top_builddir/hpmcount/hpmcount"; do
    [ -e "$(dirname "$file")/.libs/$(basename "$file")" ] &&
        file=$(dirname "$file")/.libs/$(basename "$file")
    name=$(basename "$file")
    needed=$(readelf -d "$file" | grep NEEDED)
    echo "$needed" | grep -q 'libc\.' &&
        ! echo "$needed" | grep -q 'libxml2\|glib\|stdc++'
    report $? "$name names neither libxml2 nor GLib"
    loaded=$(LD_LIBRARY_PATH=$top_builddir/lib/.libs ldd "$file")
    echo "$loaded" | grep -q 'libc\.' &&
        ! echo "$loaded" | grep -q 'libxml2\|icu\|glib\|stdc++'
    report $? "$name loads neither libxml2 nor GLib"
done
echo "1..$n"
