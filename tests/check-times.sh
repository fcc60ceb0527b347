#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Do tests note how long they took, and does runtests list the slowest?

n=0
report() { # REPORT STATUS SENTENCE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; fi
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
timed=$top_srcdir/tests/timed-driver

HPM_TEST_TIMES=$work/times "$timed" sh -c 'sleep 0.3; exit 3' sh \
    --test-name tests/slow.sh --log-file x
[ $? -eq 3 ]
report $? "a test has the status it would have"
grep -q '^0\.[3-9][0-9]* tests/slow.sh$\|^[1-9][0-9.]* tests/slow.sh$' "$work/times"
report $? "and its seconds and name are noted"
HPM_TEST_TIMES= "$timed" sh -c 'exit 4' sh --test-name tests/other.sh
[ $? -eq 4 ] && [ "$(wc -l <"$work/times")" -eq 1 ]
report $? "without a file for them, nothing is"

mkdir -p "$work/tree/tests" "$work/tree/build-tests/results"
cp "$top_srcdir/runtests" "$work/tree/"
cp "$top_srcdir/tests/environment.sh" "$work/tree/tests/"
"$work/tree/runtests" --times >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "run ./runtests first" "$work/err"
report $? "before any run, runtests --times says what to do"
printf '%s\n' '1.50 tests/a' '120.25 tests/b' '9.00 tests/c' \
    >"$work/tree/build-tests/results/dist.times"
i=0
while [ $i -lt 30 ]; do
    echo "0.$((10 + i)) tests/quick$i"
    i=$((i + 1))
done >"$work/tree/build-tests/results/bare.times"
printf 'configure (dist) 5 s\nmake (dist) 61 s\n' \
    >"$work/tree/build-tests/results/dist.steps"
printf '20.00 tests/c\n' >>"$work/tree/build-tests/results/bare.times"
"$work/tree/runtests" --times >"$work/out" 2>"$work/err"
status=$?
cat >"$work/expected" <<'END'
 seconds  way        test
  120.25  dist       tests/b
   20.00  bare       tests/c
    9.00  dist       tests/c
    1.50  dist       tests/a
    0.39  bare       tests/quick29
END
[ $status -eq 0 ] && [ ! -s "$work/err" ] &&
    head -n 6 "$work/out" | cmp -s - "$work/expected"
report $? "it lists the slowest first, with their way"
sed 's/^/# /' "$work/out" | head -n 6
[ "$(grep -c ' tests/' "$work/out")" -eq 20 ]
report $? "twenty of them"
grep -q '^dist: 131 s in 3 tests, configure (dist) 5 s, make (dist) 61 s$' "$work/out" &&
    grep -q '^bare: 27 s in 31 tests$' "$work/out"
report $? "and the sum of each way, with the time its building took"
echo "1..$n"
