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


def test_empty_task(where):
    """A counter of two spellings, and a task without any record."""
    here = os.path.join(where, "empty task")
    os.mkdir(here)
    runs = []
    for name, counter in (("a", "page-faults"), ("b", "perf::PAGE-FAULTS")):
        runs.append(os.path.join(here, name))
        os.mkdir(runs[-1])
        for task in range(2):
            records = [] if name == "a" and task == 1 else [
                record(1, 0, task, "sweep", 1.0, 1.0, [data(counter, 5 + task)])]
            write(runs[-1], f"r{task}.hpm.xml", task_file(
                task, records, counters=f'<Counter name="{counter}" '
                'source="kernel" domain="user"/>'))
    out = os.path.join(here, "difference.hpm.xml")
    run([HPM, "diff", "-o", out, *runs])
    expected = run([HPM, "report", "--format", "csv", out]).stdout
    result = viewer("--compare", "--export-csv", "-", *runs)
    ok(result.stdout == expected != b"", "a task without records is one, too",
       result)


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


def values_of(run_folder):
    """{(section, line, metric): value} as hpm report has them, as they are shown
    only where that is their unit, too."""
    text = run([HPM, "report", "--format", "csv", run_folder]).stdout.decode()
    return {(row["section"], row["linestart"], row["metric"]): row["value"]
            for row in csv.DictReader(io.StringIO(text))
            if row["unit"] != "ns"}


def test_three(where):
    here = os.path.join(where, "three runs")
    os.mkdir(here)
    runs = [any_run(random.Random(100 + i), here, name)
            for i, name in enumerate("abc")]
    result = viewer("--compare", "--export-csv", "-", *runs)
    table = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    wrong, n = [], 0
    for letter, folder_of_run in zip("ABC", runs):
        expected = values_of(folder_of_run)
        seen = {}
        for row in table:
            if row["unit"] != "ns" and row[letter]:
                seen.setdefault((row["section"], row["metric"]),
                                []).append(float(row[letter]))
        for (section, _, metric), value in expected.items():
            if value and not any(abs(float(value) - v) <= 1e-9 * abs(v)
                                 for v in seen.get((section, metric), [])):
                wrong.append((letter, section, metric, value))
            n += 1
        for section in {section for section, _ in seen} - \
                {section for section, _, _ in expected}:
            wrong.append((letter, section, "is not in that run"))
    ok(result.returncode == 0 and n > 20 and not wrong,
       "of three runs each column has the numbers of hpm report", wrong)


def test_speedup(where):
    here = os.path.join(where, "speed-up")
    os.mkdir(here)
    runs = [one(here, f"n{tasks}", [("sweep", 8.0 / tasks), ("wait", 1.0)],
                tasks=tasks) for tasks in (1, 2, 4)]
    table = {row["section"]: row for row in csv.DictReader(io.StringIO(
        viewer("--compare", "--export-csv", "-", *runs).stdout.decode()))
        if row["metric"] == "ExcSec"}
    equal([table["sweep"][c] for c in
           ("A", "B", "C", "speedup_C", "efficiency_C")],
          ["8", "4", "2", "4", "1"],
          "what takes a quarter on four times the threads is efficient")
    equal([table["wait"][c] for c in ("speedup_C", "efficiency_C")],
          ["1", "0.25"], "what takes as long is not")
    text = viewer("--compare", "--print", *runs).stdout.decode()
    ok("A  n1, threads: 1, reference\nB  n2, 2 tasks, threads: 2\n" in text and
       "ExcSec, speed-up" in text and "ExcSec, efficiency" in text,
       "--print has the runs, values, speed-up and efficiency", text)


def test_many_records(where):
    """More records than are surveyed with metrics at once."""
    here = os.path.join(where, "many records")
    os.mkdir(here)
    runs = []
    for name in "abc":
        runs.append(write(here, f"{name}.hpm.xml", task_file(0, [
            record(i + 1, 0, 0, f"s{i}", 1.0, 1.0,
                   [data("PM_CYC", 1000, exclusive=1000),
                    data("PM_INST_CMPL", 500, exclusive=500)],
                   line=i + 1, inst=i + 1) for i in range(2001)])))
    table = list(csv.DictReader(io.StringIO(
        viewer("--compare", "--export-csv", "-", *runs).stdout.decode())))
    for metric, value in (("PM_CYC", 1000), ("IPC", 0.5)):
        rows = [row for row in table if row["metric"] == metric]
        ok(len(rows) == 2001 and all(float(row[letter] or "nan") == value
                                     for row in rows for letter in "ABC"),
           f"of 2,001 records each run has its {metric}", rows[:3])


def test_threads(where):
    here = os.path.join(where, "threads")
    os.mkdir(here)
    whole, folded = [], [record(1, 0, 0, "sweep", 1.0, 1.0, [])]
    folded.append(record(2, -2, 0, "sweep", 7.0, 7.0, [], more=' threads="7"'))
    whole.append(record(1, -1, 0, "sweep", 1.0, 1.0, [], scope="process"))
    runs = [write(here, name, task_file(0, records)) for name, records in (
        ("a.hpm.xml", [record(1, 0, 0, "sweep", 8.0, 8.0, [])]),
        ("b.hpm.xml", folded), ("c.hpm.xml", whole))]
    text = viewer("--compare", "--print", *runs).stdout.decode()
    ok("A  a, threads: 1, reference\nB  b, threads: 8\n"
       "C  c, threads: not known\n" in text,
       "threads without records of their own count, none are not known", text)
    runs[0] = write(here, "p.hpm.xml", task_file(0, [
        record(1, -1, 0, "sweep", 8.0, 8.0, [], scope="process")]))
    csv_text = viewer("--compare", "--export-csv", "-", *runs).stdout.decode()
    table = [row for row in csv.DictReader(io.StringIO(csv_text))
             if row["metric"] == "ExcSec" and row["scope"] == "process"]
    equal([(row["speedup_C"], row["efficiency_C"]) for row in table],
          [("8", "")], "without threads there is no efficiency")


def test_scopes(where):
    here = os.path.join(where, "scopes")
    os.mkdir(here)
    runs = [write(here, f"{name}.hpm.xml", task_file(0, [
        record(1, 0, 0, "sweep", 1.0, 1.0, []),
        record(2, -1, 0, "sweep", 2.0, 2.0, [], scope="process")]))
        for name in "abc"]
    text = viewer("--compare", "--print", *runs).stdout.decode()
    threads, _, processes = text.partition("Sections of the whole process")
    ok("Sections of threads" in threads and "1.000000" in threads and
       "2.000000" not in threads and "2.000000" in processes,
       "sections of threads and of processes have tables of their own", text)


def test_marks(where):
    here = os.path.join(where, "marks")
    os.mkdir(here)
    shared = data("PM_CYC", 1000, exclusive=1000, state="shared", share="0.5")
    lost = data("PM_CYC", None, state="lost", reason="taken away")
    runs = [write(here, f"{name}.hpm.xml", task_file(0, [
        record(1, 0, 0, "sweep", 1.0, 1.0, [counter])]))
        for name, counter in (("a", data("PM_CYC", 5, exclusive=5)),
                              ("b", shared), ("c", lost))]
    row = next(row for row in csv.DictReader(io.StringIO(
        viewer("--compare", "--export-csv", "-", *runs).stdout.decode()))
        if row["metric"] == "PM_CYC")
    equal([row[f"state_{letter}"] for letter in "ABC"] + [row["C"]],
          ["counted", "shared", "lost", ""],
          "the CSV says how each value came about")


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
    b = write(where, "other.hpm.xml", task_file(0, [
        record(1, 0, 0, "sweep", 1.0, 1.0, [data("PM_CYC", 5)])],
        pmu='pmu="power5"'))
    result = viewer("--compare", "--print", a, b)
    ok(result.returncode == 3 and
       b"the runs cannot be compared: " in result.stderr and not result.stdout,
       "nor are runs that different PMUs counted", result)
    result = viewer("--compare", "--print", os.path.join(where, "no-such"), a)
    ok(result.returncode == 3 and b"no-such" in result.stderr and
       not result.stdout, "nor is the first replaced by the second", result)


def main():
    with folder() as where:
        test_numbers(where)
        test_empty_task(where)
        test_sides(where)
        test_three(where)
        test_speedup(where)
        test_many_records(where)
        test_threads(where)
        test_scopes(where)
        test_marks(where)
        test_refusals(where)
    tap.done()


main()
