# SPDX-License-Identifier: BSD-3-Clause
"""verdicts.py HPM NOISY [COMPARISONS [SLOWDOWNS]]: how often hpm compare finds a
difference where there is none, and one where there is: of a noisy program, while as
many others as there are processors take them.  Beside it what hyperfine says of the
same pairs, where there is one."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

STEPS = 1500000  # some 2 ms, of which a third is the program's start
LONG_STEPS = 20000000  # of which that is a tenth
SLOWDOWN = 0.03
EXTRA = int(1.1 * SLOWDOWN * LONG_STEPS)


@contextlib.contextmanager
def load():
    """A process for each processor that does nothing but run; none where others
    load the machine (LOAD=0)."""
    n = int(os.environ.get("LOAD", os.cpu_count()))
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
             for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.send_signal(signal.SIGKILL)
            loop.wait()


def compare(hpm, commands, *options):
    """Its findings: {metric: (differs, runs of each)}."""
    words = [hpm, "compare", "--format", "json", *options]
    for command in commands:
        words += ["--", *command]
    done = subprocess.run(words, capture_output=True, check=False)
    found = json.loads(done.stdout)
    runs = found["sides"][0]["runs"]
    return {row["metric"]: (row["differs"], runs)
            for row in found["comparisons"]}


def hyperfine_differs(commands, runs):
    """Does it say that one ran 1.03 +- 0.02 times faster, so that 1 is outside?"""
    with tempfile.NamedTemporaryFile() as file:
        subprocess.run(["hyperfine", "-N", "-r", str(runs), "-w", "1",
                        "--export-json", file.name,
                        *[" ".join(command) for command in commands]],
                       capture_output=True, check=True)
        a, b = sorted(json.load(file)["results"], key=lambda one: one["mean"])
    ratio = b["mean"] / a["mean"]
    error = ratio * ((a["stddev"] / a["mean"]) ** 2 +
                     (b["stddev"] / b["mean"]) ** 2) ** 0.5
    return ratio - error > 1


def print_rate(what, found, n):
    print(f"{what:58} {found:4} of {n}: {100 * found / n:5.1f} %", flush=True)


def try_equal(hpm, noisy, n):
    """A against A: any metric that differs is a false alarm."""
    command = [noisy, str(STEPS)]
    alarms, metrics, others = 0, {}, 0
    for _ in range(n):
        found = compare(hpm, [command, command], "-r", "12")
        named = [metric for metric, (differs, _) in found.items() if differs]
        alarms += bool(named)
        for metric in named:
            metrics[metric] = metrics.get(metric, 0) + 1
        if shutil.which("hyperfine"):
            others += hyperfine_differs([command, command], 12)
    print_rate("A against A, 12 runs each: hpm compare finds a difference",
               alarms, n)
    for metric, count in sorted(metrics.items()):
        print_rate(f"    in {metric}", count, n)
    if shutil.which("hyperfine"):
        print_rate("    hyperfine's interval is off 1", others, n)


def try_slower(hpm, noisy, n):
    fast = [noisy, str(LONG_STEPS)]
    slow = [noisy, str(LONG_STEPS + EXTRA)]
    for metric in ("CPU_TIME", "TIME"):
        hits, runs, others = 0, 0, 0
        for _ in range(n):
            found = compare(hpm, [fast, slow], "--until", str(100 * SLOWDOWN),
                            "--only", metric)
            hits += found[metric][0]
            runs += found[metric][1]
            if metric == "TIME" and shutil.which("hyperfine"):
                others += hyperfine_differs([fast, slow], found[metric][1])
        print_rate(f"3 % slower, --until 3 --only {metric}: found", hits, n)
        print(f"    in {runs / n:.0f} runs of each on average")
        if metric == "TIME" and shutil.which("hyperfine"):
            print_rate("    hyperfine's interval is off 1, as many runs", others,
                       n)


if __name__ == "__main__":
    N_EQUAL = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    N_SLOWER = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    with load():
        if N_EQUAL > 0:
            try_equal(sys.argv[1], sys.argv[2], N_EQUAL)
        if N_SLOWER > 0:
            try_slower(sys.argv[1], sys.argv[2], N_SLOWER)
