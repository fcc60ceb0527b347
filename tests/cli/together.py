# SPDX-License-Identifier: BSD-3-Clause
"""Values of several records together, and of what is left of them: each is
what the records say, whichever program or file it is read from."""

import os
import xml.etree.ElementTree as ET

import tap
from reports import data, find, record, rows, task_file, values_are, write
from tap import HPM, equal, folder, ok, run


def hpm(where, *arguments, **variables):
    result = run([HPM, *arguments], folder=where, **variables)
    if result.returncode != 0:
        ok(False, f"hpm {arguments[0]} has a result", result)
    return os.path.join(where, arguments[arguments.index("-o") + 1])


def file_data(path, label, name):
    """The data of the first record of the label."""
    for element in ET.parse(path).getroot():
        if element.get("label") == label:
            for datum in element.findall("data"):
                if datum.get("name") == name:
                    return datum.attrib
    return {}


# ---- the whole of a difference -----------------------------------------------

def cycles(value):
    return [data("PM_CYC", value, exclusive=value)]


def test_total_of_a_difference():
    """total() is of the side the value is of, not of the difference."""
    with folder() as where:
        for name, work, rest in (("a", 300, 700), ("b", 900, 600)):
            write(where, name, task_file(0, [
                record(1, 0, 0, "work", 1, 1, cycles(work)),
                record(2, 0, 0, "rest", 1, 1, cycles(rest), line=20, inst=2)]))
        mine = write(where, "my.hpm",
                     "ratio PART = 100 * PM_CYC / total(PM_CYC)")
        path = hpm(where, "diff", "-o", "d", "a", "b", HPM_DEFS=mine)
        datum = file_data(path, "work", "PART")
        equal((datum.get("base"), datum.get("value")), ("30", "30"),
              "total() in the file of a difference is that of its sides")
        row = find(rows(path, HPM_DEFS=mine), "work", "PART")
        ok(values_are(row, base=30, value=30), "and in its report", row)


# ---- the mean of different runs -----------------------------------------------

def test_mean_of_different_runs():
    """A metric is never of counts that different runs have."""
    def lost(name):
        return data(name, None, state="lost", reason="taken away")

    def counted(name, value):
        return data(name, value, exclusive=value)
    with folder() as where:
        for name, first, second in (
                ("a", counted("EVA", 1000), counted("EVB", 1000)),
                ("b", lost("EVA"), counted("EVB", 3000)),
                ("c", counted("EVA", 5000), "")):
            write(where, name, task_file(0, [
                record(1, 0, 0, "work", 1, 1, [first, second])]))
        mine = write(where, "my.hpm",
                     "ratio R1 = EVA / EVB bad > 2 good < 1 "
                     "ratio RATE = EVA / time::wall ratio OTHER = EVB / time::wall "
                     "ratio PART = 100 * EVB / total(EVA)")
        for runs, names in (("ab", ("R1", "RATE", "PART")),
                            ("abc", ("R1", "RATE", "PART", "OTHER"))):
            path = hpm(where, "mean", "-o", runs + "m", *runs, HPM_DEFS=mine)
            table = rows(path, HPM_DEFS=mine)
            for name in names:
                row = find(table, "work", name)
                datum = file_data(path, "work", name)
                ok(row is not None and
                   values_are(row, value="", exclusive="", verdict="") and
                   "some of the runs" in row["reason"],
                   f"{name} of a mean is of no runs that differ", row)
                ok("value" not in datum and "exclusive" not in datum,
                   "nor in its file", datum)
        row = find(rows(os.path.join(where, "abm"), HPM_DEFS=mine), "work",
                   "OTHER")
        ok(values_are(row, value=2000, remarks=""), "what all runs have is", row)
        row = find(rows(os.path.join(where, "abm"), HPM_DEFS=mine), "work",
                   "EVA")
        ok(values_are(row, value=1000, runs="1") and
           "partial" in row["remarks"],
           "the count is there, and partial", row)
        path = hpm(where, "diff", "-o", "d", "a", "abm", HPM_DEFS=mine)
        row = find(rows(path, HPM_DEFS=mine), "work", "R1")
        ok(row is None or values_are(row, value=""), "nor of a difference", row)


def test_total_of_mean():
    """total() is of all tasks, in a file as in a report."""
    with folder() as where:
        for name in ("a", "b"):
            paths = [write(where, f"{name}{task}", task_file(task, [
                record(1, 0, task, "work", 1, 1, cycles(300)),
                record(2, 0, task, "rest", 1, 1, cycles(700 + 1000 * task),
                       line=20, inst=2)])) for task in range(2)]
            hpm(where, "merge", "-o", name, *paths)
        mine = write(where, "my.hpm",
                     "ratio PART = 100 * PM_CYC / total(PM_CYC)")
        path = hpm(where, "mean", "-o", "m", "a", "b", HPM_DEFS=mine)
        datum = file_data(path, "work", "PART")
        row = find(rows("--by", "task", path, HPM_DEFS=mine), "work", "PART",
                   task="0")
        ok(datum.get("value") == "10" and values_are(row, value=10),
           "total() of a mean of tasks is that of its report", datum)


def test_metrics_left_out():
    """What a file has recorded is not averaged: that is said."""
    with folder() as where:
        for name in ("a", "b"):
            write(where, name, task_file(0, [
                record(1, 0, 0, "work", 1, 1, cycles(300) + [
                    data("OLD_RATIO", 7, kind="metric")])]))
        for command in ("mean", "diff", "integrate"):
            path = hpm(where, command, "-o", command, "a", "b")
            said = [p.get("text") for p in ET.parse(path).iter("Problem")]
            ok(len(said) == 1 and said[0].endswith(" again: OLD_RATIO"),
               f"a recorded metric that hpm {command} leaves out is named", said)
        path = hpm(where, "merge", "-o", "merged", "a")
        equal((list(ET.parse(path).iter("Problem")),
               file_data(path, "work", "OLD_RATIO").get("value")), ([], "7"),
              "what stays is not")


# ---- what a cut leaves -------------------------------------------------------

def outside(number, seconds, value):
    text = record(number, 0, 0, "(outside sections)", seconds, seconds,
                  cycles(value), line=0, file="", inst=0)
    return (text.replace("InstrumentationPt", "Outside")
            .replace(data("Count", 1), ""))


def part(path, label, name):
    datum = file_data(path, label, name)
    return datum.get("value"), datum.get("exclusive")


def test_cut_of_an_unknown_value():
    """What is outside sections has no value where what was cut has none: with
    the reason, as every datum without a value."""
    lost = data("PM_CYC", None, state="lost", reason="taken away")
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1, 0, 0, "work", 1, 1, [lost]),
            record(2, 0, 0, "rest", 1, 1, cycles(5), line=30),
            outside(3, 1, 7)]))
        cut = hpm(where, "cut", "--remove=work", "-o", "cut", path)
        equal(file_data(cut, "(outside sections)", "PM_CYC"),
              {"name": "PM_CYC", "kind": "counter", "state": "lost",
               "reason": "a section cut out of it has no exclusive value"},
              "outside of what is cut no value is known, and why")
        equal(file_data(cut, "rest", "PM_CYC").get("value"), "5",
              "other sections keep theirs")
        ok(not [p for p in ET.parse(cut).iter("Problem")],
           "no problem says it again")


def test_cut_to_outside():
    """What a section around no other had is outside sections without it."""
    with folder() as where:
        write(where, "x", task_file(0, [
            record(1, 0, 0, "setup", 1, 3, [data("PM_CYC", 300,
                                                 exclusive=100)]),
            record(2, 0, 0, "read", 2, 2, cycles(200), parent=1, line=20,
                   inst=2),
            record(3, 0, 0, "solve", 4, 4, cycles(400), line=30, inst=3),
            outside(4, 0.5, 50)]))
        path = hpm(where, "cut", "--remove", "setup", "-o", "y", "x")
        equal(part(path, "(outside sections)", "PM_CYC"), ("350", "350"),
              "counts of a section that is cut out are outside sections")
        for name in ("ExcSec", "IncSec"):
            equal(part(path, "(outside sections)", name)[0], "3.500000000",
                  f"and its time: {name}")
        row = find(rows(path), "solve", "ExcSec")
        ok(values_are(row, time_share=4 / 7.5),
           "so shares are those of the same run", row)


def test_cut_of_overlap():
    """b begins in a and outlasts it: which part of b was in a no record says;
    c is inside both."""
    def sections(more):
        return [record(1, 0, 0, "around", 1, 10, [
                    data("PM_CYC", 1000, exclusive=100)]),
                record(2, 0, 0, "a", 2, 3, [data("PM_CYC", 300, exclusive=200)],
                       parent=1, line=20, inst=2, more=more),
                record(3, 0, 0, "b", 6, 7, [data("PM_CYC", 700, exclusive=600)],
                       parent=2, line=30, inst=3, more=more),
                record(4, 0, 0, "c", 1, 1, cycles(100), parent=3, line=40,
                       inst=4),
                outside(5, 0.5, 50)]
    with folder() as where:
        write(where, "x", task_file(0, sections(' overlap="yes"')))
        path = hpm(where, "cut", "--remove", "b", "-o", "y", "x")
        equal([part(path, label, "PM_CYC") for label in ("a", "around")],
              [("300", None), ("1000", None)],
              "where a section overlaps what is cut out, exclusive counts are "
              "not known up to the one around both")
        datum = file_data(path, "a", "ExcSec")
        ok("value" not in datum and "overlapped" in datum.get("reason", ""),
           "nor is the exclusive time, and its reason is said", datum)
        equal(part(path, "(outside sections)", "PM_CYC"), ("50", "50"),
              "what is outside has not changed")
        path = hpm(where, "cut", "--remove", "c", "-o", "z", "x")
        equal(part(path, "b", "PM_CYC"), ("700", "700"),
              "what ended inside an overlapping section belongs to it")


# ---- threads that share a record ----------------------------------------------

def test_folded_threads():
    """Six threads beyond HPM_MAX_THREADS, 12 s together: 2 s each, as far as
    anybody knows, and two of their own."""
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1, -2, 0, "work", 12, 12, cycles(600), calls=6,
                   more=' threads="6"'),
            record(2, 0, 0, "work", 2, 2, cycles(100)),
            record(3, 1, 0, "work", 3, 3, cycles(200))]))
        mine = write(where, "my.hpm", "ratio RATE = PM_CYC / time::wall")
        table = rows(path, HPM_DEFS=mine)
        row = find(table, "work", "ExcSec")
        ok(values_are(row, value=3, threads=8, thread_min=2, thread_max=3,
                      thread_average=17 / 8, remarks="partial") and
           "of 6 threads" in row["reason"],
           "the time of threads in one record is not that of one thread, and "
           "it is said that the longest is not known", row)
        row = find(table, "work", "PM_CYC")
        ok(values_are(row, value=900, threads=8, thread_min=100,
                      thread_max=200, thread_average=900 / 8, remarks=""),
           "their counts are added, and spread over all of them", row)
        row = find(table, "work", "RATE")
        ok(values_are(row, value=300, thread_min=50, thread_max=200 / 3),
           "metrics have the sum of counts and the time of one thread", row)
        text = run([HPM, "report", path], COLUMNS="150").stdout.decode()
        ok("1 task, 8 threads" in text and "~3.000000" in text,
           "text counts all of them and marks the time", text)
        write(where, "y", task_file(0, [
            record(1, -2, 0, "work", 12, 12, cycles(600), calls=6,
                   more=' threads="6"')]))
        table = rows(os.path.join(where, "y"), HPM_DEFS=mine)
        ok(values_are(find(table, "work", "IncSec"), value=2, threads=6) and
           values_are(find(table, "work", "RATE"), value=300),
           "also where there are no others", table)


def test_large_counts():
    """Of more digits than a double has."""
    large = 2**53 + 1
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1 + tid, tid, 0, "work", 1, 1, cycles(large + 2 * tid))
            for tid in range(2)]))
        row = find(rows(path), "work", "PM_CYC")
        equal([row[k] for k in ("value", "thread_min", "thread_max",
                                "task_min", "task_max")],
              [str(n) for n in (2 * large + 2, large, large + 2, 2 * large + 2,
                                2 * large + 2)],
              "the smallest and the largest are exact")


# ---- counters of the process ---------------------------------------------------

def test_counters_of_process():
    """Each thread reads all 4,000 that the process counted: no sum is that."""
    names = ("sde:::my::n", "ru::maxrss")
    with folder() as where:
        paths = [write(where, f"{task}", task_file(task, [
            record(1 + tid, tid, task, "work", 1, 1,
                   [data(name, 4000, exclusive=4000) for name in names])
            for tid in range(threads)]))
                 for task, threads in ((0, 4), (1, 1))]
        for name in names:
            row = find(rows(paths[0]), "work", name)
            ok(values_are(row, value="", exclusive="", thread_max=4000) and
               "belongs to the process" in row["reason"],
               f"no sum over threads of {name}", row)
            row = find(rows("--by", "task", paths[0]), "work", name)
            ok(values_are(row, value="", exclusive=""), "nor of a task", row)
            row = find(rows("--by", "thread", paths[0]), "work", name,
                       thread="1")
            ok(values_are(row, value=4000), "each thread has its value", row)
            row = find(rows(paths[1]), "work", name)
            ok(values_are(row, value=4000, reason=""), "of one it stands", row)


def test_metrics_of_process_counters():
    name = "sde:::my::n"
    with folder() as where:
        mine = write(where, "my.hpm", f"ratio RATE = {name} / time::wall "
                     f"ratio PART = 100 * {name} / total({name})")
        paths = [write(where, f"{task}", task_file(task, [
            record(1 + tid, tid, task, "work", 1, 1,
                   [data(name, 4000, exclusive=4000)])
            for tid in range(threads)]))
                 for task, threads in ((0, 4), (1, 1), (2, 1))]
        table = rows(paths[0], HPM_DEFS=mine)
        for metric in ("RATE", "PART"):
            row = find(table, "work", metric)
            ok(values_are(row, value="") and
               "belongs to the process" in row["reason"],
               f"no {metric} over threads of what belongs to the process", row)
        row = find(rows("--by", "thread", paths[0], HPM_DEFS=mine), "work",
                   "RATE", thread="1")
        ok(values_are(row, value=4000), "each thread has its own", row)
        row = find(rows(*paths[1:], HPM_DEFS=mine), "work", "RATE")
        ok(values_are(row, value=8000), "processes have a sum", row)


def test_peak_of_section():
    """A section of a program that had 131,423 pages grew by 1,000."""
    counts = [data("ru::minflt", 30050, exclusive=30050),
              data("ru::maxrss", 4000, exclusive=4000, unit="kB")]
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1, -1, 0, "work", 1, 1, counts + [
                data("MEMORY_TURNOVER", 30.05, kind="metric")],
                scope="process"),
            record(2, -1, 0, "rest", 1, 1, counts, scope="process", line=30,
                   inst=2)]))
        for metric in ("MEMORY_TURNOVER", "PEAK_MEMORY"):
            row = find(rows(path), "work", metric)
            ok(row is None or (values_are(row, value="") and
                               "of a section" in row["reason"]),
               f"no {metric} of how much a section's maximum grew", row)
        path = write(where, "y", task_file(0, [
            record(1, -1, 0, "whole", 12.5, 12.5, counts, scope="process")]))
        row = find(rows(path), "whole", "MEMORY_TURNOVER")
        ok(values_are(row, value=30050 * 4096 / 4096000), "of the run there is",
           row)


# ---- work ----------------------------------------------------------------------

def test_work():
    """One of two threads has done 10 cells in 2 calls, the other none in 3."""
    def work(cells):
        return [data("work::cells", cells, exclusive=cells, mean=cells / 2,
                     sdev=0, unit="cells")]
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1, 0, 0, "sweep", 1, 1, work(10), calls=2),
            record(2, 1, 0, "sweep", 1, 1, [], calls=3),
            record(3, 1, 0, "rest", 1, 1, [], line=20, inst=2)]))
        table = rows(path)
        row = find(table, "sweep", "work::cells")
        ok(values_are(row, value=10, exclusive=10, mean=2, state="counted"),
           "a thread without work has done 0 of it, and there is a sum", row)
        equal(find(table, "rest", "work::cells"), None,
              "a section without any says nothing of work")


# ---- forked processes ----------------------------------------------------------

def test_forked_sections():
    def task(number, pid, more, scope):
        return task_file(number, [
            record(1, -1 if scope == "process" else 0, number, "work", 1, 1,
                   cycles(100), scope=scope)]).replace(
                       "<Run", f'<Run pid="{pid}"{more}').replace(
                           "node1", "node0")
    child = ' forked_from="500"'
    with folder() as where:
        for scope in ("process", "thread"):
            paths = [write(where, f"{scope}0", task(0, 500, "", scope)),
                     write(where, f"{scope}1", task(1, 501, child, scope))]
            said = run([HPM, "report", *paths]).stdout.decode()
            equal("counts that twice" in " ".join(said.split()),
                  scope == "process",
                  f"{scope} sections of a forked process: what is in the sum "
                  "twice is said")
            mine = write(where, "my.hpm", "ratio RATE = PM_CYC / time::wall "
                         "ratio PART = 100 * PM_CYC / total(PM_CYC)")
            table = rows(*paths, HPM_DEFS=mine)
            row = find(table, "work", "PM_CYC")
            said = row["remarks"], "twice" in row["reason"]
            equal(said, ("partial", True) if scope == "process" else
                  ("", False), "so it is beside the value")
            for name, value in (("RATE", 200), ("PART", 100)):
                row = find(table, "work", name)
                ok(values_are(row, value="") and "twice" in row["reason"]
                   if scope == "process" else values_are(row, value=value),
                   f"and {name} is not made of it", row)
            row = find(rows("--by", "task", *paths, HPM_DEFS=mine), "work",
                       "PM_CYC", task="0")
            ok(values_are(row, value=100, remarks=""),
               "of a task it is known", row)


# ---- hints ---------------------------------------------------------------------

def test_hint_about_own_time():
    """outer takes 10 % of a processor itself, 91 % with inner."""
    def clock(value, own):
        return [data("task-clock", value, exclusive=own, unit="ns")]
    with folder() as where:
        path = write(where, "x", task_file(0, [
            record(1, 0, 0, "outer", 1, 10, clock(9100000000, 100000000)),
            record(2, 0, 0, "inner", 9, 9, clock(9000000000, 9000000000),
                   parent=1, line=20, inst=2)]))
        text = run([HPM, "report", path], COLUMNS="150").stdout.decode()
        ok("UTILISATION 10.000 % in section 'outer' (sweep.f:10) without the "
           "sections inside it (bad: below 80)" in " ".join(text.split()),
           "a hint says that its value is of the section itself", text)


def test():
    test_total_of_a_difference()
    test_total_of_mean()
    test_metrics_left_out()
    test_mean_of_different_runs()
    test_cut_of_an_unknown_value()
    test_cut_to_outside()
    test_cut_of_overlap()
    test_folded_threads()
    test_large_counts()
    test_counters_of_process()
    test_metrics_of_process_counters()
    test_peak_of_section()
    test_work()
    test_forked_sections()
    test_hint_about_own_time()
    tap.done()


test()
