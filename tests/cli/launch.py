# SPDX-License-Identifier: BSD-3-Clause
"""What a launch of hpmcount reads, opens and looks up: counted in instructions and
calls, which no other load of the machine changes."""

import os
import re
import shutil
import tempfile

import tap
from tap import HPMCOUNT, TOP_BUILD, TOP_SOURCE, ok, run

# reading the text of those definitions takes some six million
MOST = 1000000


def instructions(**variables):
    result = run(["valgrind", "--tool=callgrind", "--trace-children=no",
                  "--callgrind-out-file=/dev/null", HPMCOUNT, "true"],
                 **variables)
    found = re.search(rb"Collected : (\d+)", result.stderr)
    return int(found.group(1)) if found and result.returncode == 0 else 0


def copy_to(folder, more):
    """The shipped definitions for any machine, with `more` at the end."""
    for name in ("generic", "levels", "papi", "software"):
        path = os.path.join(TOP_SOURCE, "metrics", f"{name}.hpm")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(folder, f"{name}.hpm"), "w",
                  encoding="utf-8") as file:
            file.write(text + more)


def check_openings():
    """Once to see whether it can be counted, once to count, once as a witness."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "opened")
        run([HPMCOUNT, "true"], LD_PRELOAD=tap.FAKE_PMU, FAKE_OPENED=path)
        with open(path, encoding="ascii") as file:
            events = [line.split()[:2] for line in file]
    ok(0 < events.count(["1", "0x2"]) <= 3,
       "a launch tries an event of its own choice once", events)


def check_listings():
    """Of what there is to be counted: for its cores, and their slots."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "calls")
        run(["strace", "-qq", "-e", "trace=open,openat", "-o", path, HPMCOUNT,
             "true"])
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = [line for line in file if '/event_source/devices"' in line]
    ok(0 < len(lines) <= 3, "a launch lists the kernel's PMUs few times",
       "".join(lines))


def check():
    with tempfile.TemporaryDirectory() as folder:
        home = {"XDG_CONFIG_HOME": os.path.join(folder, "none")}
        plain = instructions(**home)
        copy_to(folder, "")
        copies = instructions(HPM_DEFS=folder, **home)
        copy_to(folder, "# and a word\n")
        changed = instructions(HPM_DEFS=folder, **home)
    counts = f"{plain} plainly, {copies} with copies, {changed} with others"
    ok(0 < plain < changed - 2 * MOST,
       "a launch does not read the text of shipped definitions", counts)
    ok(0 < copies < plain + MOST,
       "nor that of copies, but for comparing them", counts)


if __name__ == "__main__":
    if os.environ.get("sanitizers"):
        tap.skip("calls of a launch", "sanitizers")
    else:
        check_openings()
        if shutil.which("strace"):
            check_listings()
        else:
            tap.skip("looks into /sys", "no strace")
    if not shutil.which("valgrind") or os.environ.get("sanitizers"):
        tap.skip("instructions of a launch", "no valgrind, or sanitizers")
    elif not os.path.exists(os.path.join(TOP_BUILD, "lib", "metric", "language",
                                         "shippedtables.c")):
        tap.skip("instructions of a launch", "no tables: CC_FOR_BUILD=no")
    else:
        check()
    tap.done()
