# SPDX-License-Identifier: BSD-3-Clause
"""Run journeys through the viewer many times, and count what failed by assertion.

    make check-journeys JOURNEYS=100           all of them, a hundred times
    make check-journeys JOURNEYS=100 JOURNEYS_ONLY="tests/viz/worst.py"
    make check-journeys JOURNEYS_FLAGS="--load 4 --at-a-time 1"

A journey that fails by chance once in a thousand runs fails a release now and then,
so it has to be found here.  --load gives the machine that many programs beside the
journeys that want a processor all the time.  The rounds take turns: in each every
journey is made once.  Log and pictures of a run that failed stay in the folder
"journeys" of the build.

The status is 1 when any assertion failed."""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import threading
import time

import tap

NOT_OK = re.compile(r"not ok \d+ - (.*)")
SKIPPED = re.compile(r"1\.\.0 # SKIP (.*)")
PLAN = re.compile(r"1\.\.(\d+)$")
ASSERTION = re.compile(r"(?:not )?ok \d+ - ")
KEPT = os.path.join(tap.TOP_BUILD, "journeys")


def spin(number):
    """Programs that want a processor all the time."""
    loop = f"import os\nwhile os.getppid() == {os.getpid()}:\n" \
        "    for i in range(1000000): pass\n"
    return [subprocess.Popen([sys.executable, "-c", loop])
            for _ in range(number)]


class Tally:
    """What became of the runs so far."""

    def __init__(self):
        self.lock = threading.Lock()
        self.runs = collections.Counter()  # by journey
        self.failures = collections.Counter()  # by journey and assertion
        self.skipped = {}  # reason, by journey
        self.n_assertions = 0

    def add(self, journey, lines, status):
        """The failures of one run."""
        failures = [found[1] for found in map(NOT_OK.match, lines) if found]
        reasons = [found[1] for found in map(SKIPPED.match, lines) if found]
        n = sum(1 for line in lines if ASSERTION.match(line))
        plans = [int(found[1]) for found in map(PLAN.match, lines) if found]
        if not reasons and not failures and (status != 0 or plans != [n]):
            failures = [f"runs to its end (status {status}, {n} assertions)"]
        with self.lock:
            self.runs[journey] += 1
            self.n_assertions += n
            if reasons:
                self.skipped[journey] = reasons[0]
            for sentence in failures:
                self.failures[journey, sentence] += 1
        return failures

    def say(self):
        for journey, reason in sorted(self.skipped.items()):
            print(f"skipped: {journey}: {reason}")
        for (journey, sentence), n in self.failures.most_common():
            print(f"failed {n} of {self.runs[journey]}: {journey}: {sentence}")
        print(f"{sum(self.runs.values())} runs of {len(self.runs)} journeys, "
              f"{self.n_assertions} assertions, "
              f"{sum(self.failures.values())} failed")


def make(journey, number, tally):
    name = os.path.splitext(os.path.basename(journey))[0]
    folder = os.path.join(KEPT, f"{name}-{number}")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "log")
    with open(path, "w") as log:
        status = subprocess.run(
            [sys.executable, os.path.join(tap.TOP_SOURCE, journey)],
            env=dict(os.environ, HPM_TEST_PICTURES=folder),
            stdin=subprocess.DEVNULL, stdout=log, stderr=log).returncode
    with open(path, errors="replace") as log:
        failures = tally.add(name, log.read().splitlines(), status)
    for sentence in failures:
        print(f"{name} {number}: {sentence}\n    {path}", flush=True)
    if not failures:
        os.remove(path)
        os.rmdir(folder)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--at-a-time", type=int, default=os.cpu_count())
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="begin no run later than that")
    parser.add_argument("journeys", nargs="+")
    return parser.parse_args()


def main():
    wanted = arguments()
    end = time.monotonic() + wanted.seconds
    tally = Tally()
    load = spin(wanted.load)

    def begin(journey, number):
        if time.monotonic() < end:
            make(journey, number, tally)

    try:
        with concurrent.futures.ThreadPoolExecutor(wanted.at_a_time) as pool:
            for done in [pool.submit(begin, journey, number)
                         for number in range(1, wanted.times + 1)
                         for journey in wanted.journeys]:
                done.result()
    finally:
        for process in load:
            process.kill()
            process.wait()
    tally.say()
    sys.exit(1 if tally.failures or not tally.runs else 0)


main()
