#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Let clang's libFuzzer, with the address and undefined behaviour sanitizers,
# make texts for the definition language:
#     tests/metric/libfuzzer.sh SECONDS
# Prints TAP.  From the build folder, with top_srcdir set, as 'make check' and
# 'make fuzz' do.

seconds=${1:-10}
root=${top_srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! echo 'int LLVMFuzzerTestOneInput(const char *t, long n) { return 0; }' |
        clang -fsanitize=fuzzer -x c - -o "$work/try" 2>"$work/why"; then
    echo "1..1"
    echo "ok 1 # SKIP clang with libFuzzer is not here"
    exit
fi

mkdir "$work/seeds" "$work/found"
for file in "$root"/metrics/*.hpm "$root"/tests/metric/listings/*; do
    cp "$file" "$work/seeds/$(basename "$file")"
done
for word in compose measure compute ratio const set arch include tune remove \
        as label unit scale info source sample under if no any total min max \
        range rises falls why evidence next try like \
        bad good sbad sgood dbad dgood L2 L3 SMT FMA VM NUMA CYCLES; do
    echo "\"$word\""
done > "$work/words"

(cd "$root" && metrics/embed metrics/*.hpm) > "$work/shipped.c"
# a build inside the tree has a shipped.c of its own
sources=$(ls "$root"/lib/metric/*.c "$root"/lib/base/*.c | grep -v /shipped.c)
echo "1..1"
if clang -g -O1 -std=gnu11 -D_GNU_SOURCE -DHPM_LIBFUZZER \
        -DHPM_METRICS_DIR='"/nowhere"' -I. -I"$root/lib" -I"$root/tests" \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        "$root/tests/metric/fuzz.c" "$work/shipped.c" $sources \
        "$root/lib/model/experiment.c" -lm -ldl -lpthread -o "$work/fuzz" > "$work/log" 2>&1 &&
   "$work/fuzz" -seed=1 -max_len=4096 -timeout=10 -dict="$work/words" \
        -max_total_time="$seconds" -artifact_prefix="$work/found/" \
        "$work/found" "$work/seeds" >> "$work/log" 2>&1
then
    grep '^Done' "$work/log" | sed 's/^/# /'
    echo "ok 1 - nothing found in $seconds seconds"
else
    tail -n 60 "$work/log" | sed 's/^/# /'
    for found in "$work"/found/crash-* "$work"/found/leak-* \
            "$work"/found/timeout-* "$work"/found/oom-*; do
        if [ -f "$found" ]; then
            cp "$found" .
            echo "# kept as $(basename "$found")"
        fi
    done
    echo "not ok 1 - nothing found in $seconds seconds"
    exit 1
fi
