# SPDX-License-Identifier: BSD-3-Clause
"""What several runs, and tables of threads, say of one metric: in how many runs
it is bad, and each counter once."""

import json
import os

import tap
from reports import data, record, report, task_file, write
from tap import HPMCOUNT, equal, folder, ok, run

# EVER gives way to LONG in the run that is long, and is bad there, too.
RUNS = """
ratio LONG = time::wall  bad > 2  label "a long time"
    why "it is long"  next BASIC  try "less"  timebase PASSED
    explains ALL
ratio ALL = 100 * time::wall / time::wall  unit "%"
ratio EVER = 10 * time::wall  bad > 1  label "any time"  unless LONG
    why "it takes time"  next BASIC  try "less"  timebase PASSED
ratio MOST = time::wall  bad > 0.9 label "most of them"
    why "it is most"  next BASIC  try "less"  timebase PASSED
compute PASSED = time::wall
"""
# The first run takes 2.5 s, the second 1.3 s, the third 0.2 s: far from the limits,
# also where other programs make the machine slow; where it stands still for longer, all
# are made again.
SLEEP = 'echo >> "$0"; case $(wc -l < "$0") in 1) exec sleep 2.5 ;; ' \
    '2) exec sleep 1.3 ;; esac; exec sleep 0.2'


def hints_of(where, defs, *options):
    log = os.path.join(where, "log")
    if os.path.exists(log):
        os.unlink(log)
    return run([HPMCOUNT, "-m", "LONG,EVER,MOST", *options, "sh", "-c", SLEEP,
                log], HPM_DEFS=defs).stderr.decode()


def places_of(text):
    return {hint["hint"]: hint["places"] for hint in json.loads(text)["hints"]}


def test_runs():
    with folder() as where:
        defs = write(where, "own.hpm", RUNS)
        text = tap.undisturbed(
            lambda: hints_of(where, defs, "-r", "3"),
            lambda text: "(bad in all 3 runs: above 1)" in text and
            "(bad in 2 of 3 runs: above 0.9)" in text)
        ok("(bad in all 3 runs: above 1)" in text,
           "bad in each run, though one of them gives another hint", text)
        ok("(bad in 2 of 3 runs: above 0.9)" in text and "more (bad" not in text,
           "bad in some of them", text)
        ok("LONG 2." not in text.partition("hints, not")[2],
           "no hint is of one run of three", text)
        expected = {"EVER": 3, "MOST": 2}
        equal(tap.undisturbed(
            lambda: places_of(hints_of(where, defs, "-r", "3", "--format", "json")),
            lambda found: found == expected), expected, "JSON counts the same runs")
        text = hints_of(where, defs)
        ok("(bad: above 2)" in text and " runs:" not in text,
           "of one run none are counted", text)


TREE = """
compose WHOLE = MY_X + MY_V
measure OTHER = MY_X
compose HALF = OTHER + MY_Z
"""


def headings(text):
    """The columns of the table of threads."""
    return next(line.split() for line in text.splitlines() if " calls " in line)


def threads(where, task, pmu):
    names = ("MY_X", "MY_V", "MY_Y", "MY_Z")
    return write(where, f"{task}.hpm.xml", task_file(task, [
        record(tid + 1, tid, task, "one", 1, 1,
               [data(name, 100 * tid + i) for i, name in enumerate(names)])
        for tid in range(3)], pmu=f'pmu="{pmu}"'))


def test_columns():
    """A counter that is a part of a composition is a metric of its name, too."""
    with folder() as where:
        defs = write(where, "own.hpm", TREE)
        path = threads(where, 0, "power4")
        for view in ("thread", "task"):
            text = report("--by", view, path, COLUMNS="200",
                          HPM_DEFS=defs).stdout.decode()
            equal(sorted(headings(text)[-7:]),
                  ["HALF", "MY_V", "MY_X", "MY_Y", "MY_Z", "OTHER", "WHOLE"],
                  f"--by {view} has each once")
        text = report("--by", "metric", path, HPM_DEFS=defs).stdout.decode()
        titles = [line for line in text.splitlines()
                  if line in ("MY_X", "MY_V", "MY_Y", "MY_Z", "WHOLE")]
        equal(sorted(titles), ["MY_V", "MY_X", "MY_Y", "MY_Z", "WHOLE"],
              "--by metric has a table of each")
        text = report(path, HPM_DEFS=defs, COLUMNS="100").stdout.decode()
        equal(sum(line.strip().startswith("MY_X ")
                  for line in text.splitlines()), 1, "and a section a line")


def test_kinds_of_processors():
    """The counter stays where threads have it that have no such metric."""
    with folder() as where:
        defs = write(where, "own.hpm", "arch power4 " + TREE)
        paths = [threads(where, 0, "power4"), threads(where, 1, "skx")]
        text = report("--by", "thread", *paths, COLUMNS="200",
                      HPM_DEFS=defs).stdout.decode()
        columns = headings(text)
        last = [line.split() for line in text.splitlines()
                if line.startswith("  1 ")][-1]
        equal(last[columns.index("MY_X") - len(columns)], "200",
              "the value of a thread of another processor")


test_runs()
test_columns()
test_kinds_of_processors()
tap.done()
