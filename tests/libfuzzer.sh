#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Let clang's libFuzzer, with the address and undefined behaviour sanitizers,
# make texts for the definition language, or performance files for the reader:
#     tests/libfuzzer.sh metric|reader [SECONDS]
# Without SECONDS it makes 20,000, the same each time.  Prints TAP.  From the
# build folder, with top_srcdir set, as 'make check' and 'make fuzz' do.

what=$1
seconds=$2
if [ -n "$seconds" ]; then
    limit=-max_total_time=$seconds
    sentence="nothing found in the $what in $seconds seconds"
else
    limit='-runs=20000 -max_total_time=120'
    sentence="nothing found in the $what in 20,000 inputs"
fi
root=${top_srcdir:-.}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! echo 'int LLVMFuzzerTestOneInput(const char *t, long n) { return 0; }' |
        clang -fsanitize=fuzzer -x c - -o "$work/try" 2>"$work/why"; then
    echo "1..1"
    echo "ok 1 # SKIP clang with libFuzzer is not here"
    exit
fi

# A build inside the tree has a shipped.c of its own.  Text is what is to be read
# here, so there are no tables.
metric_sources="$(ls "$root"/lib/metric/*.c "$root"/lib/metric/language/*.c | \
    grep -v /shipped) $work/shipped.c"
base_sources=$(ls "$root"/lib/host/*.c "$root"/lib/base/*.c "$root"/study/store/*.c)

# Half of the time of the metric goes into its texts, of the reader nearly all into the
# compilation, which without optimization takes a third.
prepare_metric() {
    optimization=-O1
    for file in "$root"/metrics/*.hpm "$root"/metrics/models/*.hpm \
        "$root"/tests/metric/listings/*; do
        cp "$file" "$work/seeds/$(basename "$file")"
    done
    for word in compose measure compute ratio const set arch include tune \
            remove as label unit scale info source sample under if no any \
            total min max range rises falls why says evidence next try like \
            unless bad good sbad sgood dbad dgood L2 L3 SMT FMA VM \
            NUMA CYCLES; do
        echo "\"$word\""
    done > "$work/words"
    longest=4096
    sources="$root/tests/metric/fuzz.c $metric_sources $base_sources
        $(ls "$root"/lib/model/*.c)
        $root/study/columns/study.c
        $root/study/columns/series.c"
    libraries=
}

# The hostile inputs that a mutation can still change.
prepare_reader() {
    optimization=-O0
    [ -z "$seconds" ] || optimization=-O1 # for long runs a quick program is better
    mkdir "$work/inputs"
    python3 "$root/tests/data/hostile.py" "$work/inputs"
    find "$work/inputs" -type f -size -16k -exec cp {} "$work/seeds" \;
    { grep -oE 'name="[A-Za-z_]+"' "$root/xsd/hpm.xsd" | cut -d'"' -f2
      printf '%s\n' '<' '/>' '</' '<!--' '-->' '<?' '<!DOCTYPE' '&#' '&lt;' '=' \
          yes no true false counter metric time 'xmlns:'
    } | sort -u | sed 's/.*/"&"/' > "$work/words"
    longest=8192
    # the writer writes metrics, too
    sources="$root/tests/study/file/fuzz.c $base_sources $metric_sources
        $(ls "$root"/lib/model/*.c "$root"/study/columns/*.c "$root"/study/statistics/*.c)"
    for noun in study/file/describe study/file/filecallers \
            study/file/filecalls \
            study/file/fileprofile study/file/filerecord study/file/filespreads \
            study/file/format \
            study/file/notes study/file/parents study/file/parse \
            study/file/reader study/file/studyfile study/xml/gzip \
            study/xml/xmlguard lib/file/output lib/file/pattern \
            lib/file/writer; do
        sources="$sources $root/$noun.c"
    done
    libraries=$(pkg-config --cflags --libs libxml-2.0 zlib)
}

mkdir "$work/seeds" "$work/found"
(cd "$root" && metrics/embed metrics/*.hpm) > "$work/shipped.c"
"prepare_$what" || exit 2

echo "1..1"
# shellcheck disable=SC2086
if clang -gline-tables-only $optimization -std=gnu11 -D_GNU_SOURCE -DHPM_LIBFUZZER \
        -DHPM_METRICS_DIR='"/nowhere"' -I. -I"$root" -I"$root/lib" -I"$root/tests" \
        -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
        $sources $libraries -lm -ldl -lpthread \
        -o "$work/fuzz" > "$work/log" 2>&1 &&
   "$work/fuzz" -seed=1 -max_len=$longest -timeout=10 -dict="$work/words" \
        $limit -artifact_prefix="$work/found/" \
        "$work/found" "$work/seeds" >> "$work/log" 2>&1
then
    grep '^Done' "$work/log" | sed 's/^/# /'
    echo "ok 1 - $sentence"
else
    tail -n 60 "$work/log" | sed 's/^/# /'
    for found in "$work"/found/crash-* "$work"/found/leak-* \
            "$work"/found/timeout-* "$work"/found/oom-*; do
        if [ -f "$found" ]; then
            cp "$found" .
            echo "# kept as $(basename "$found")"
        fi
    done
    echo "not ok 1 - $sentence"
    exit 1
fi
