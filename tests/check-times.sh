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

HPM_TEST_TIMES=$work/times "$timed" sh -c \
    'sleep 0.3; i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; exit 3' sh \
    --test-name tests/slow.sh --log-file x
[ $? -eq 3 ]
report $? "a test has the status it would have"
awk '$1 + 0.03 >= 0.3 + $2 && $2 > 0 && $3 == "tests/slow.sh" { found = 1 }
    END { exit !found }' "$work/times"
report $? "and its seconds, those of a processor, and its name are noted"
sed 's/^/# /' "$work/times"
HPM_TEST_TIMES= "$timed" sh -c 'exit 4' sh --test-name tests/other.sh
[ $? -eq 4 ] && [ "$(wc -l <"$work/times")" -eq 1 ]
report $? "without a file for them, nothing is"

mkdir -p "$work/tree/tests" "$work/tree/build-tests/results"
cp "$top_srcdir/runtests" "$work/tree/"
cp "$top_srcdir/tests/environment.sh" "$work/tree/tests/"
"$work/tree/runtests" --times >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -q "run ./runtests first" "$work/err"
report $? "before any run, runtests --times says what to do"
printf '%s\n' '1.50 1.25 tests/a' '120.25 60.00 tests/b' '9.00 0.05 tests/c' \
    >"$work/tree/build-tests/results/dist.times"
i=0
while [ $i -lt 30 ]; do
    echo "0.$((10 + i)) 0.10 tests/quick$i"
    i=$((i + 1))
done >"$work/tree/build-tests/results/bare.times"
printf 'configure (dist) 5 s\nmake (dist) 61 s\n' \
    >"$work/tree/build-tests/results/dist.steps"
echo 'check 230 s, 151 s of processors' \
    >"$work/tree/build-tests/results/pmu.steps"
echo '1100 s' >"$work/tree/build-tests/results/whole"
printf '20.00 18.00 tests/c\n' >>"$work/tree/build-tests/results/bare.times"
"$work/tree/runtests" --times >"$work/out" 2>"$work/err"
status=$?
cat >"$work/expected" <<'END'
 seconds  processor  way        test
  120.25      60.00  dist       tests/b
   20.00      18.00  bare       tests/c
    9.00       0.05  dist       tests/c
    1.50       1.25  dist       tests/a
    0.39       0.10  bare       tests/quick29
END
[ $status -eq 0 ] && [ ! -s "$work/err" ] &&
    head -n 6 "$work/out" | cmp -s - "$work/expected"
report $? "it lists the slowest first, with their way"
sed 's/^/# /' "$work/out" | head -n 6
[ "$(grep -c ' tests/' "$work/out")" -eq 20 ]
report $? "twenty of them"
grep -q '^dist: 131 s in 3 tests, 61 s of processors, configure (dist) 5 s, make (dist) 61 s$' \
    "$work/out" &&
    grep -q '^bare: 27 s in 31 tests, 21 s of processors$' "$work/out"
report $? "and the sum of each way, with the time its building took"
tail -n 2 "$work/out" | tr '\n' '|' |
    grep -qF 'pmu: check 230 s, 151 s of processors|all: 1100 s|'
report $? "what the lab took, and all"

# The functions that note a step, by themselves: the time of a processor is that of
# what was waited for.
sed -n '/^sum_processors()/,/^}/p; /^begin_step()/,/^}/p; /^end_step()/,/^}/p' \
    "$top_srcdir/runtests" >"$work/functions"
results=$work lane_way=own steps=$work/steps
. "$work/functions"
begin_step
sh -c 'while read -r stat </proc/$$/stat && set -- ${stat##*) } &&
           [ $((${12} + ${13})) -lt "$0" ]; do :; done' \
    $((3 * $(getconf CLK_TCK 2>/dev/null || echo 100) / 2))
end_step "to count"
# one and a half, both ends of which are rounded; beside others it takes longer
awk '$1 == "to" && $4 == "s," && $5 >= 1 && $5 <= $3 + 2 { found = 1 }
    END { exit !found }' "$work/steps" &&
    grep -qE '^to count [0-9]+ s, [0-9]+ s of processors$' "$work/steps"
report $? "a step has its seconds, and those of processors"
sed 's/^/# /' "$work/steps"
echo "1..$n"
