#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Is the public header plain C99 and C++11, complete by itself, and does an
# installed library serve a program through pkg-config?

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}
skip() { # SKIP SENTENCE REASON
    n=$((n + 1))
    echo "ok $n - $1 # SKIP $2"
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/user.c" <<'C'
#include <libhpm.h>
int main(void)
{
    hpmInit(-1, "user");
    hpmTstart(1, "work");
    hpmTstop(1);
    hpmTerminate(-1);
    return 0;
}
C
cp "$folder/user.c" "$folder/user.cc"
include=$top_srcdir/include
${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror -I"$include" -c -o "$folder/c.o" "$folder/user.c"
report $? "the header is C99"
if command -v "${CXX:-c++}" >/dev/null; then
    "${CXX:-c++}" -std=c++11 -pedantic -Wall -Wextra -Werror -I"$include" -c -o "$folder/cc.o" "$folder/user.cc"
    report $? "the header is C++11"
else
    skip "the header is C++11" "no C++ compiler"
fi

${CC:-cc} -std=c99 -pedantic -Wall -Wextra -Werror -DHPM_OFF -I"$include" -o "$folder/off" "$folder/user.c" &&
    "$folder/off"
report $? "with -DHPM_OFF a program needs no library"

sentence="a program builds with pkg-config against what 'make install' installs"
if ! command -v pkg-config >/dev/null; then
    skip "$sentence" "pkg-config is missing"
elif [ -n "$sanitizers" ] || [ ! -e "$top_builddir/lib/.libs/libhpm.so" ]; then
    skip "$sentence" "this build has no shared library for others"
else
    (
        set -e
        unset MAKEFLAGS MAKELEVEL MFLAGS
        cd "$top_builddir"
        make -s install DESTDIR="$folder/root" >"$folder/log" 2>&1
        pc=$(find "$folder/root" -name libhpm.pc)
        PKG_CONFIG_PATH=$(dirname "$pc") PKG_CONFIG_SYSROOT_DIR=$folder/root
        export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
        # shellcheck disable=SC2046
        ${CC:-cc} $(pkg-config --cflags libhpm) -o "$folder/user" "$folder/user.c" $(pkg-config --libs libhpm)
        cd "$folder"
        LD_LIBRARY_PATH=$(pkg-config --variable=libdir libhpm)
        [ -d "$LD_LIBRARY_PATH" ] || LD_LIBRARY_PATH=$folder/root$LD_LIBRARY_PATH
        export LD_LIBRARY_PATH
        HPM_OUTPUT_NAME=user.hpm.xml ./user
        grep -q 'label="work"' user.hpm.xml
    ) >"$folder/out" 2>&1
    status=$?
    report $status "$sentence"
    [ $status -eq 0 ] || sed 's/^/# /' "$folder/out" "$folder/log"
fi
echo "1..$n"
