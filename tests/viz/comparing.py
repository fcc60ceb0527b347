# SPDX-License-Identifier: BSD-3-Clause
"""hpmviz --compare without a display: its numbers are those of hpm diff, however
sections, tasks and counters of the runs differ."""

import csv
import io
import os
import random

import tap
from reports import data, record, task_file, write
from tap import HPM, TOP_BUILD, equal, folder, ok, run

HPMVIZ = os.path.join(TOP_BUILD, "hpmviz", "hpmviz")
LABELS = ["init", "sweep", "solve", "exchange", "write"]
COUNTERS = ["PM_CYC", "PM_INST_CMPL", "task-clock", "page-faults"]
SPELLED = {"task-clock": "perf::TASK-CLOCK", "page-faults": "perf::PAGE-FAULTS"}


def viewer(*words, **variables):
    return run([HPMVIZ, *words], DISPLAY="", WAYLAND_DISPLAY="", **variables)


def any_run(chance, where, name):
    """Files of a run in a folder of its own: 1 to 3 tasks, some sections nested."""
    here = os.path.join(where, name)
    os.mkdir(here)
    labels = chance.sample(LABELS, chance.randint(1, len(LABELS)))
    names = chance.sample(COUNTERS, chance.randint(1, len(COUNTERS)))
    if chance.random() < 0.5:
        names = [SPELLED.get(n, n) for n in names]
    counters = "".join(f'<Counter name="{n}" source="kernel" domain="user"/>'
                       for n in names)
    moved = chance.choice([0, 3])
    for task in range(chance.randint(1, 3)):
        records = []
        for tid in range(chance.randint(1, 2)):
            for i, label in enumerate(labels):
                number = 100 * (tid + 1) + i
                seconds = chance.randint(1, 4000000000) / 1e9
                parent = number - 1 if i % 2 == 1 else None
                records.append(record(
                    number, tid, task, label, seconds, seconds * (2 - i % 2),
                    [data(n, chance.randint(0, 10**12)) for n in names],
                    parent=parent, line=10 + 20 * i + moved, inst=i + 1,
                    calls=chance.randint(1, 9)))
        write(here, f"run_{task:04d}.hpm.xml",
              task_file(task, records, counters=counters))
    return here


def test_numbers(where):
    differing = []
    for seed in range(16):
        chance = random.Random(seed)
        here = os.path.join(where, f"seed{seed}")
        os.mkdir(here)
        a, b = any_run(chance, here, "a"), any_run(chance, here, "b")
        out = os.path.join(here, "difference.hpm.xml")
        run([HPM, "diff", "-o", out, a, b])
        expected = run([HPM, "report", "--format", "csv", out]).stdout
        result = viewer("--compare", "--export-csv", "-", a, b)
        if result.returncode != 0 or not result.stdout == expected != b"":
            differing.append((seed, result))
    ok(not differing, "the CSV of two runs is that of hpm diff, of 16 random "
       "pairs", differing)


def one(where, name, sections, counters=("PM_CYC",), tasks=1):
    here = os.path.join(where, name)
    os.mkdir(here)
    for task in range(tasks):
        write(here, f"r{task}.hpm.xml", task_file(task, [
            record(i + 1, 0, task, label, seconds, seconds,
                   [data(n, 1000 * (i + 1)) for n in counters],
                   line=10 * (i + 1), inst=i + 1)
            for i, (label, seconds) in enumerate(sections)]))
    return here


def test_sides(where):
    a = one(where, "one", [("sweep", 2.0), ("old", 1.0)])
    b = one(where, "two", [("sweep", 3.0), ("new", 4.0)], tasks=2)
    table = list(csv.DictReader(io.StringIO(
        viewer("--compare", "--export-csv", "-", a, b).stdout.decode())))
    sections = {row["section"] for row in table}
    ok({"sweep", "old", "new"} <= sections,
       "sections of either run are in it, and those of both once", sections)
    back = list(csv.DictReader(io.StringIO(
        viewer("--compare", "--export-csv", "-", b, a).stdout.decode())))
    equal(len(back), len(table), "the other way round there are as many rows")


def test_refusals(where):
    a = one(where, "three", [("sweep", 2.0)])
    for words, what in (([], "no run"), ([a], "a single run")):
        result = viewer("--compare", "--print", *words)
        ok(result.returncode == 2 and b"expected 2 to 26 runs" in
           result.stderr, f"{what} is not compared, and 2 is said", result)
    result = viewer("--compare", "--print", a, os.path.join(where, "no-such"))
    ok(result.returncode == 3 and b"no-such" in result.stderr and
       not result.stdout, "a run that is not there: 3, and it is named",
       result)
    result = viewer("--compare", "--print", os.path.join(where, "no-such"), a)
    ok(result.returncode == 3 and b"no-such" in result.stderr and
       not result.stdout, "nor is the first replaced by the second", result)


def main():
    with folder() as where:
        test_numbers(where)
        test_sides(where)
        test_refusals(where)
    tap.done()


main()
