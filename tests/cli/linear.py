# SPDX-License-Identifier: BSD-3-Clause
"""Work that must grow with what there is to do, and not faster: counted in
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


def instructions(arguments, **variables):
    result = run(["valgrind", "--tool=callgrind",
                  "--callgrind-out-file=/dev/null", HPM, *arguments],
                 **variables)
    found = re.search(rb"Collected : (\d+)", result.stderr)
    return int(found.group(1)) if found and result.returncode == 0 else None


def check(options, paths):
    """The second third of the tasks may not cost more than the first."""
    counts = [instructions(["report", *options, *paths[:n]]) for n in SIZES]
    judge(" ".join(["hpm report", *options]), "tasks", SIZES, counts, MOST)


def judge(name, what, sizes, counts, most):
    if None in counts:
        ok(False, f"{name} is counted", counts)
        return
    each = [(counts[i + 1] - counts[i]) / (sizes[i + 1] - sizes[i])
            for i in range(2)]
    growth = each[1] / each[0]
    ok(growth < most, f"{name}: more {what} cost no more each",
       f"{sizes} {what}: {counts} instructions, growth {growth:.3f}")


def put_chains(path, n):
    """Each needs the one before it, the one behind it, and a part more."""
    with open(path, "w", encoding="utf-8") as file:
        for i in range(1, n + 1):
            file.write(f"compute A{i} = {f'A{i - 1}' if i > 1 else 'TICKS'}"
                       " + 1\n")
            file.write(f"compute B{n - i} = "
                       f"{f'B{n - i - 1}' if i < n else 'TICKS'} + 1\n")
            file.write(f"compose C{i} = {f'C{i - 1}' if i > 1 else 'TICKS'}"
                       f" + D{i}\n")
    return path


def check_chains(where, path):
    sizes = [500, 1000, 2000]  # arrays double
    most = 1.3
    files = [put_chains(os.path.join(where, f"chains{n}.hpm"), n)
             for n in sizes]
    judge("hpm check", "definitions in a chain", sizes,
          [instructions(["check", file]) for file in files], most)
    judge("hpm report", "definitions in a chain", sizes,
          [instructions(["report", path], HPM_DEFS=file) for file in files], most)


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
        check_chains(where, paths[0])


main()
tap.done()
