# SPDX-License-Identifier: BSD-3-Clause
"""Shares of samples against shares that are known: sections of 10, 35, 105 and 350
us (tests/programs/shares.c), whose work is counted: recursive, nested, overlapping.
`make check-all` has three rates and 1 to 8 threads, with HPM_TEST_RUNS runs of each
(10; 100 take half an hour and more)."""

import csv
import io
import os
import sys

from tap import HPM, done, equal, files, folder, ok, program, run, skip

SHARES = program("tests/programs/shares")
TRUE = {"in_10": 10 / 500, "in_35": 35 / 500, "in_105": 105 / 500, "in_350": 350 / 500}
SECTIONS = {name: name[3:] for name in TRUE}
SECTIONS["between"] = "(outside sections)"
ALL = bool(os.environ.get("HPM_TEST_ALL"))
RUNS = int(os.environ.get("HPM_TEST_RUNS", "10"))
# 100, 1,000 and 4,000 Hz, with how many rounds one thread does
RATES = (("9973us", 6000), ("997us", 1500), ("251us", 750))
THREADS = (1, 2, 4, 8)


def sample(arguments, period):
    """Samples of each function in all, and those in sections that are not theirs."""
    with folder() as where:
        result = run([SHARES, *map(str, arguments)], folder=where,
                     HPM_SAMPLE=f"cpu-clock@{period}",
                     HPM_OUTPUT_NAME=os.path.join(where, "s.hpm.xml"))
        if b"not sampled" in result.stderr:
            return None, result.stderr.decode()
        text = run([HPM, "report", "--by", "symbol", "--format", "csv",
                    *files(where)]).stdout.decode()
    counts, wrong = {}, []
    for row in csv.DictReader(io.StringIO(text)):
        name, n = row["name"].split(".")[0], int(row["samples"])
        if not row["section"]:
            counts[name] = counts.get(name, 0) + n
        elif row["scope"] == "thread" and name in SECTIONS and \
                row["section"] != SECTIONS[name]:
            wrong.append((name, row["section"], n))
    return counts, wrong


def deviations(counts, truth):
    n = sum(counts.get(name, 0) for name in truth)
    return {name: (counts.get(name, 0) - n * part) / (n * part * (1 - part)) ** 0.5
            for name, part in truth.items()}, n


def check(period, threads, n_rounds, n_runs, most):
    """Within `most` sigma, each; one of 100 runs may be beyond 3 by chance."""
    name = f"a sample each {period}, {'/'.join(map(str, threads))} threads"
    beyond, wrong, total = 0, [], {}
    for run_number in range(n_runs):
        n_threads = threads[run_number % len(threads)]
        counts, here = sample((n_threads, n_rounds // n_threads,
                               run_number), period)
        wrong += here
        found, n = deviations(counts, TRUE)
        beyond += sum(abs(off) > 3 for off in found.values())
        for key in TRUE:
            total[key] = total.get(key, 0) + counts.get(key, 0)
    found, n = deviations(total, TRUE)
    print(f"# {name}: {n_runs} runs, {n} samples, {beyond} of {4 * n_runs} shares "
          "beyond 3 sigma; in all " +
          ", ".join(f"{key} {total[key] / max(n, 1):.4f} ({off:+.1f})"
                    for key, off in found.items()))
    equal(wrong, [], f"{name}: none is in a wrong section")
    ok(all(abs(off) <= most for off in found.values()),
       f"{name}: the shares are those of the work", found)
    if n_runs > 1:
        ok(beyond <= 1 + 0.02 * 4 * n_runs, f"{name}: in single runs, too", beyond)


def check_short(n_threads):
    """Threads of one period, which were all sampled at one place."""
    counts, _ = sample(("short", n_threads), "997us")
    truth = {f"fifth_{letter}": 0.2 for letter in "abcde"}
    found, n = deviations(counts, truth)
    print(f"# short threads: {n} samples; " +
          ", ".join(f"{key} {counts.get(key, 0)}" for key in truth))
    ok(n > n_threads / 3, "threads of one period have their samples", n)
    ok(all(abs(off) <= 5 for off in found.values()),
       "threads of one period are sampled at all their places", found)


counts, problem = sample((1, 10), "997us")
if counts is None:
    skip("samples", problem)
    done()
    sys.exit()
check_short(300)
for period, rounds in RATES if ALL else ():
    check(period, THREADS, rounds, RUNS, 4)
if not ALL:
    check("809us", (2,), 4000, 1, 5)
done()
