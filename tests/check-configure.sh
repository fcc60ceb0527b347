#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is what --with-papi and its like are given used, or refused by name?  PAPI and
# libpfm4 stand in a folder of their own, made of links to those there are.

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

source=$(cd "$top_srcdir" && pwd)
if [ -f "$source/config.status" ]; then
    echo "1..0 # SKIP configured in the source's folder: no second configure"
    exit 0
fi
where=$(mktemp -d) || exit 99
trap 'rm -rf "$where"' EXIT
cd "$where" || exit 99

try() { # TRY OPTION...: what it says, with what it has found out before
    "$source/configure" -C --disable-hpmviz --disable-fortran \
        --disable-openmp "$@" >said 2>&1
}

refuses() { # REFUSES WORD OPTION
    try "$2"
    status=$?
    [ $status -ne 0 ] && tail -n 1 said | grep -qF -e "$2" &&
        tail -n 1 said | grep -qF "$1"
    report $? "$2 is refused by name"
}

mkdir empty
refuses "no libpapi.so" "--with-papi=$where/empty"
refuses "whole path" --with-papi=empty
refuses "no libpfm.so" "--with-libpfm=$where/empty"
refuses "no libxml-2.0.pc" "--with-libxml2=$where/empty"
refuses "yes or no" --enable-werror=maybe
refuses "C compiler for this machine" CC_FOR_BUILD=/bin/false

# the folder a library of this machine is in, by its name for the linker
find_library() {
    path=$(${CC:-cc} -print-file-name="$1")
    [ "$path" != "$1" ] && echo "$path"
}

papi=$(find_library libpapi.so) pfm=$(find_library libpfm.so)
if [ -z "$papi" ] || [ -z "$pfm" ] || [ ! -f /usr/include/papi.h ]; then
    n=$((n + 1))
    echo "ok $n - a folder is used # SKIP no PAPI or libpfm4 to link to"
else
    mkdir -p own/include own/lib64
    ln -s /usr/include/papi.h /usr/include/perfmon own/include
    ln -s "$papi" "$pfm" own/lib64
    try --without-libxml2 "--with-papi=$where/own" "--with-libpfm=$where/own"
    report $? "a folder is taken"
    [ "$(grep -c "define P.*_FILE \"$where/own/lib64/lib" config.h)" = 2 ] &&
        grep -q "^CPPFLAGS = .*-I$where/own/include" Makefile &&
        grep -q "^PAPI_LIBS = -L$where/own/lib64" Makefile
    report $? "its headers and libraries are used, and loaded from there"
fi
echo "1..$n"
