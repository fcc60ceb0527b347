# SPDX-License-Identifier: BSD-3-Clause
"""Reports whose work must grow with what they show, and not faster: counted in
instructions, which no other load of the machine changes."""

import os
import re
import shutil
import sys
import tempfile

import tap
from tap import HPM, TOP_SOURCE, ok, run

sys.path.insert(0, os.path.join(TOP_SOURCE, "tests", "data"))
import tasks  # noqa: E402

SIZES = [100, 200, 300]
# a part of the work is n log n, for sums are added in the order of their values
MOST = 1.1


def instructions(arguments):
    result = run(["valgrind", "--tool=callgrind",
                  "--callgrind-out-file=/dev/null", HPM, "report", *arguments])
    found = re.search(rb"Collected : (\d+)", result.stderr)
    return int(found.group(1)) if found and result.returncode == 0 else None


def check(options, paths):
    """The second third of the tasks may not cost more than the first."""
    counts = [instructions([*options, *paths[:n]]) for n in SIZES]
    name = " ".join(["hpm report", *options])
    if None in counts:
        ok(False, f"{name} is counted", counts)
        return
    growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
    ok(growth < MOST, f"{name}: more tasks cost no more each",
       f"{SIZES} tasks: {counts} instructions, growth {growth:.3f}")


def main():
    if not shutil.which("valgrind") or os.environ.get("sanitizers"):
        tap.skip("instructions of reports", "no valgrind, or sanitizers")
        return
    with tempfile.TemporaryDirectory(prefix="hpm-linear-") as where:
        paths = [os.path.join(where, tasks.put(where, i,
                                               tasks.plain(i, 1, 1)))
                 for i in range(SIZES[-1])]
        for options in (["--by", "task", "--sort", "excl"],
                        ["--by", "thread"]):
            check(options, paths)


main()
tap.done()
