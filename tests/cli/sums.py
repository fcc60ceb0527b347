# SPDX-License-Identifier: BSD-3-Clause
"""Sums of which a part is missing, and how far the runs of a mean are apart:
in text, CSV, JSON and files."""

import json
import math
import os
import re
import statistics

import tap
from reports import (data, find, record, report, rows, task_file, values_are,
                     write)
from tap import HPM, HPMCOUNT, equal, files, folder, ok, run


def hpm(arguments, where):
    result = run([HPM, *arguments], folder=where)
    if result.returncode != 0:
        print("#", result.stderr.decode())
    return result


def content(where, name):
    with open(os.path.join(where, name)) as file:
        return file.read()


def valid(where, *names):
    if not tap.has_xmllint():
        return None
    return tap.validates([os.path.join(where, name) for name in names])


# ---- values that were not wanted ---------------------------------------------

def section(number, label, line, excl, incl, own, all_in, parent=None, tid=0,
            task=0):
    """With HPM_ONLY_EXCLUSIVE where incl is None."""
    def counter(name):
        if incl is None:
            return data(name, None, exclusive=own)
        return data(name, all_in, exclusive=own)
    text = record(number, tid, task, label, excl, incl or 0,
                  [counter("PM_CYC"), counter("PM_INST_CMPL")], parent=parent,
                  line=line, inst=line)
    if incl is None:
        text = re.sub(r'<data name="IncSec"[^>]*>', "", text)
    return text


def two_paths():
    """work below a (100 of 300 its own), and below b (150 its own; 150 inside
    are in no value of it)."""
    return [section(1, "main", 1, 1, 9, 100, 900),
            section(2, "a", 2, 1, 4, 100, 400, 1),
            section(3, "work", 4, 1, 3, 100, 300, 2),
            section(4, "inner", 5, 2, 2, 200, 200, 3),
            section(5, "b", 3, 1, 4, 100, 400, 1),
            section(6, "work", 4, 1.5, None, 150, None, 5),
            section(7, "inner", 5, 1.5, 1.5, 150, 150, 6)]


REASON = ("partial: 60.0 % of the exclusive value is of calls whose inclusive "
          "value was not measured (HPM_ONLY_EXCLUSIVE)")


def test_two_paths():
    with folder() as where:
        path = write(where, "x.hpm.xml", task_file(0, two_paths()))
        table = rows(path)
        for name, value in (("IncSec", 4.5), ("PM_CYC", 450)):
            ok(values_are(find(table, "work", name), value=value,
                          remarks="partial", reason=REASON,
                          only_exclusive=0.6, state="counted"),
               f"{name} over an ordinary path and one of exclusive values is "
               "partial, and says how much of it is", find(table, "work", name))
        ok(values_are(find(table, "work", "PM_CYC"), exclusive=250) and
           values_are(find(table, "work", "ExcSec"), value=2.5, remarks=""),
           "exclusive values are whole")
        ok(values_are(find(table, "a", "PM_CYC"), value=400, remarks="",
                      reason="", only_exclusive="") and
           values_are(find(table, "inner", "IncSec"), value=3.5, remarks=""),
           "other sections are as ever")
        row = find(table, "work", "IPC")
        ok(values_are(row, value="", exclusive=1) and
           "parts of which were not counted" in row["reason"],
           "no metric is made of partial values", row)
        text = report(path, COLUMNS="150").stdout.decode()
        ok(re.search(r"^work +2 +2\.500000 +\S+ +~4\.500000 ", text, re.M) and
           re.search(r"^  PM_CYC +~450", text, re.M) and
           re.search(r"^  IncSec, PM_CYC, PM_INST_CMPL: partial: 60\.0 %", text,
                     re.M), "text marks it with ~ and says why", text)
        found = json.loads(report("--format", "json", path).stdout)
        row = next(r for r in found["data"] if r["section"] == "work" and
                   r["metric"] == "PM_CYC")
        equal((row["value"], row["remarks"], row["only_exclusive"]),
              (450, "partial", 0.6), "and so does JSON")
        for view in ("thread", "task"):
            row = find(rows("--by", view, path), "work", "IncSec")
            ok(values_are(row, value=4.5, remarks="partial",
                          only_exclusive=0.6), f"and --by {view}", row)
            text = report("--by", view, path, COLUMNS="150").stdout.decode()
            ok(re.search(r"^ +0 .*~4\.500000 .*~450", text, re.M),
               "and its text", text)
        row = [r for r in rows("--by", "tree", path) if r["path"].endswith(
            "b/work") and r["metric"] == "PM_CYC"][0]
        ok(row["value"] == "" and row["exclusive"] == "150" and
           "HPM_ONLY_EXCLUSIVE" in row["reason"],
           "on its path it has no inclusive value, and says why", row)


def test_two_tasks():
    """One task with, one without; the latter's exclusive time is longer."""
    with folder() as where:
        paths = [write(where, "a.hpm.xml", task_file(0, [
            section(1, "work", 4, 1, 3, 100, 300)])),
                 write(where, "b.hpm.xml", task_file(1, [
                     section(1, "work", 4, 5, None, 500, None, task=1)]))]
        table = rows(*paths)
        ok(values_are(find(table, "work", "IncSec"), value=5,
                      remarks="partial", only_exclusive=5 / 6) and
           values_are(find(table, "work", "PM_CYC"), value=800, exclusive=600,
                      remarks="partial", only_exclusive=5 / 6),
           "of two tasks of which one wants only exclusive values",
           (find(table, "work", "IncSec"), find(table, "work", "PM_CYC")))
        hpm(["merge", "-o", "all", *paths], where)
        equal([{k: r[k] for k in r} for r in rows(os.path.join(where, "all"))],
              [{k: r[k] for k in r} for r in table], "and of them merged")


def test_cut():
    with folder() as where:
        path = write(where, "x.hpm.xml", task_file(0, two_paths()))
        hpm(["cut", "--root", "work", "-o", "work", path], where)
        text = content(where, "work")
        ok('<data name="PM_CYC" value="450" exclusive="250" kind="counter" '
           'partial="yes" only_exclusive="150"/>' in text and
           '<data name="IncSec" value="4.500000000" kind="time" unit="s" '
           'partial="yes" only_exclusive="1.500000000"/>' in text,
           "a cut of both paths is partial and says how much", text)
        equal(valid(where, "work"), None, "the file is valid")
        row = find(rows(os.path.join(where, "work")), "work", "PM_CYC")
        ok(values_are(row, value=450, remarks="partial", only_exclusive=0.6),
           "the report on it, too", row)
        row = find(rows(os.path.join(where, "work")), "work", "IPC")
        ok(values_are(row, value="", exclusive=1),
           "and no metric is made of it", row)
        hpm(["cut", "--remove", "inner", "-o", "rest", path], where)
        ok('exclusive="300"' in content(where, "rest") and
           valid(where, "rest") is None,
           "what was inside belongs to the exclusive value, and it is valid",
           valid(where, "rest"))


def test_cut_of_lacking():
    """A record that has nothing of a counter may have used any number of it;
    one without work has done none."""
    def points(inner):
        return task_file(0, [
            record(1, 0, 0, "main", 1, 3, [
                data("PM_CYC", 900, exclusive=100),
                data("PM_INST_CMPL", 90, exclusive=10),
                data("work::cells", 7, exclusive=7, unit="cells")],
                line=1, inst=1),
            record(2, 0, 0, "inner", 2, 2, [
                data("PM_INST_CMPL", 80, exclusive=80), *inner],
                line=2, inst=2, parent=1)])
    with folder() as where:
        lost = data("PM_CYC", None, state="lost", reason="gone")
        for what, inner in (("nothing of a counter", []),
                            ("lost it", [lost]),
                            ("no exclusive value", [data("PM_CYC", 800)])):
            write(where, "x.hpm.xml", points(inner))
            hpm(["cut", "--remove", "inner", "-o", "rest", "x.hpm.xml"], where)
            text = content(where, "rest")
            row = find(rows(os.path.join(where, "rest")), "main", "PM_CYC")
            ok(values_are(row, value=900, exclusive="") and
               '"PM_INST_CMPL" value="90" exclusive="90"' in text and
               '"work::cells" value="7" exclusive="7"' in text and
               valid(where, "rest") is None,
               f"a section cut out has {what}: what is around does not know "
               "its own part", text)
            ok(re.search(r'<Problem count="1" text="PM_CYC: the exclusive value'
                         r' is not known', text) and
               b"PM_CYC: the exclusive value is not known" in report(
                   os.path.join(where, "rest"), COLUMNS="150").stdout,
               "and why, in the file and the report", text)
            os.remove(os.path.join(where, "rest"))


def test_not_everywhere():
    """A counter lost in one place, shared in another; the exclusive value
    missing in one."""
    def point(number, label, line, cycles, tid=0):
        return record(number, tid, 0, label, 1, 1, [cycles], line=line,
                      inst=line)
    with folder() as where:
        path = write(where, "x.hpm.xml", task_file(0, [
            point(1, "mixed", 1, data("PM_CYC", 10, exclusive=10)),
            point(2, "mixed", 1, data("PM_CYC", 30, exclusive=20, share=0.5,
                                      state="shared"), tid=1),
            point(3, "lost", 2, data("PM_CYC", 10, exclusive=10)),
            point(4, "lost", 2, data("PM_CYC", None, state="lost",
                                     reason="gone"), tid=1),
            point(5, "owned", 3, data("PM_CYC", 10, exclusive=10)),
            point(6, "owned", 3, data("PM_CYC", 30), tid=1)]))
        table = rows(path)
        ok(values_are(find(table, "mixed", "PM_CYC"), value=40, exclusive=30,
                      state="shared"),
           "counted here and shared there has a sum, which is shared",
           find(table, "mixed", "PM_CYC"))
        ok(values_are(find(table, "lost", "PM_CYC"), value="", state="lost",
                      reason="gone"), "lost in one of them has none")
        ok(values_are(find(table, "owned", "PM_CYC"), value=40, exclusive=""),
           "an exclusive value that one lacks has no sum",
           find(table, "owned", "PM_CYC"))
        table = rows("--by", "file", path)
        row = [r for r in table if r["metric"] == "PM_CYC"][0]
        ok(row["value"] == "" and row["reason"] != "",
           "nor has the file, which says why", row)


def shared(value, error, share=0.5):
    more = {"error": error} if error is not None else {}
    return data("PM_CYC", value, exclusive=value, share=share, state="shared",
                **more)


def test_errors():
    """Standard errors of estimates: 3 and 4 are 5 together."""
    counted = data("PM_CYC", 1000, exclusive=1000)
    cases = (("two estimates", shared(1000, 3), shared(1000, 4), 5),
             ("one estimate beside a count", shared(1000, 3), counted, 3),
             ("counts", counted, counted, None),
             ("one that is unknown", shared(1000, 3), shared(1000, None), None))
    for what, first, second, error in cases:
        with folder() as where:
            write(where, "all", task_file(0, [
                record(1 + tid, tid, 0, "a", 1, 1, [one], line=1)
                for tid, one in enumerate((first, second))]))
            for name, one in (("a", first), ("b", second)):
                write(where, name, task_file(0, [
                    record(1, 0, 0, "a", 1, 1, [one], line=1)]))
            hpm(["cut", "--root", "a", "-o", "cut", "all"], where)
            hpm(["diff", "-o", "diff", "a", "b"], where)
            hpm(["mean", "-o", "mean", "a", "b"], where)
            shown = {n: find(rows(os.path.join(where, n)), "a",
                             "PM_CYC")["error"] for n in ("all", "diff",
                                                          "mean")}
            wanted = {"all": error, "diff": error,
                      "mean": error and error / 2}
            equal({n: float(v) if v else None for n, v in shown.items()},
                  wanted, f"{what}: the error of sum, difference and mean")
            found = json.loads(report("--format", "json", os.path.join(
                where, "diff")).stdout)
            row = next(r for r in found["data"] if r["metric"] == "PM_CYC")
            equal(row["error"], error, f"{what}: in JSON, too")
            said = re.findall(r'"PM_CYC"[^>]* error="([^"]*)"',
                              content(where, "diff"))
            equal([float(e) for e in said], [error] if error else [],
                  f"{what}: and in the file")
            equal(valid(where, "diff", "mean"), None, f"{what}: which is valid")


def test_share_of_difference():
    """It is that of the side that had less; metrics of both sides are judged
    by the values of that side, not by their small difference."""
    def one(where, name, cycles, share):
        write(where, name, task_file(0, [record(1, 0, 0, "a", 1, 1, [
            shared(cycles, 30, share), data("PM_INST_CMPL", 1000,
                                            exclusive=1000)], line=1)]))
    with folder() as where:
        one(where, "a", 1000, 0.95)
        one(where, "b", 1010, 0.92)
        hpm(["diff", "-o", "diff", "a", "b"], where)
        table = rows(os.path.join(where, "diff"))
        row = find(table, "a", "PM_CYC")
        ok(values_are(row, value=10, share=0.92,
                      error=math.hypot(30, 30)),
           "a difference of estimates has the smaller share", row)
        row = find(table, "a", "IPC")
        ok(row["value"] != "" and "doubtful" not in row["remarks"],
           "42 of 1010 is no error to doubt a metric for", row)


def test_whole():
    """total() takes the run's time for that of all."""
    with folder() as where:
        path = write(where, "x.hpm.xml", task_file(0, [
            section(1, "main", 1, 4, 10, 100, 900),
            section(2, "a", 2, 6, 6, 100, 400, 1)]))
        own = write(where, "own.hpm",
                    "ratio PART = time::wall / total(time::wall)\n")
        table = rows(path, HPM_DEFS=own)
        ok(values_are(find(table, "main", "PART"), value=10 / 12.5) and
           values_are(find(table, "a", "PART"), value=6 / 12.5),
           "total(time::wall) is the run's 12.5 s, not the sections' 10 s",
           find(table, "main", "PART"))


def test_schema():
    """A datum with neither value nor reason, or with both, is refused."""
    if not tap.has_xmllint():
        tap.skip("a value that is not there has a reason, by the schema",
                 "no xmllint (apt-get install libxml2-utils)")
        return
    good = data("PM_CYC", 7)
    bad = {"neither value nor reason": data("PM_CYC", None),
           "an exclusive value and no reason": data("PM_CYC", None,
                                                    exclusive=7),
           "a state and no reason": data("PM_CYC", None, state="lost"),
           "both": data("PM_CYC", 7, reason="why"),
           "twice": good + good}
    with folder() as where:
        def message(point):
            path = write(where, "x.xml", task_file(0, [
                record(1, 0, 0, "main", 1, 1, [point])]))
            return tap.validates([path])
        equal(message(good), None, "a value is valid")
        equal(message(data("PM_CYC", None, state="lost", reason="gone")), None,
              "a state with a reason, too")
        equal(message('<data name="PM_CYC" value=" 7 "/>'), None,
              "a value of which nothing else is said, as the paper has it")
        for what, point in bad.items():
            ok("valueOrReason" in (message(point) or ""), f"{what}: refused",
               message(point))
        for what in ("neither value nor reason", "a state and no reason",
                     "an exclusive value and no reason"):
            path = write(where, "x.xml", task_file(0, [
                record(1, 0, 0, "main", 1, 1, [bad[what]])]))
            hpm(["cut", "--root", "main", "-o", "again", path], where)
            equal(valid(where, "again"), None,
                  f"{what}: what hpm makes of it has a reason")
            os.remove(os.path.join(where, "again"))


# ---- spread over runs --------------------------------------------------------

CYCLES = [1000003, 1000019, 999983, 1000133, 1000457]


def run_of(cycles, seconds, job):
    """Two threads; the second has a tenth of all."""
    def point(tid):
        part = 10 if tid == 1 else 1
        return record(1 + tid, tid, 0, "solve", seconds / part,
                      seconds / part,
                      [data("PM_CYC", cycles // part,
                            exclusive=cycles // part)], line=3, inst=3)
    text = task_file(0, [point(0), point(1)], job="j")
    return text.replace("11:30:00", f"11:3{job}:00")


def write_runs(where):
    return [write(where, f"r{i}.xml", run_of(c, c / 1e6, i))
            for i, c in enumerate(CYCLES)]


def spread_of(table, metric, **more):
    row = find(table, "solve", metric, **more)
    return [row[k] for k in ("runs", "run_dev", "run_min", "run_max")]


def is_spread(got, numbers):
    expected = [len(numbers), statistics.stdev(numbers), min(numbers),
                max(numbers)]
    return all(math.isclose(float(g), e, rel_tol=1e-12)
               for g, e in zip(got, expected))


def test_mean(where, paths):
    hpm(["mean", "-o", "mean", *paths], where)
    table = rows(os.path.join(where, "mean"))
    seconds = [c / 1e6 for c in CYCLES]
    ok(is_spread(spread_of(table, "ExcSec"), seconds),
       "a mean's time: runs, deviation (n - 1), smallest and largest",
       spread_of(table, "ExcSec"))
    row = find(table, "solve", "ExcSec")
    ok(values_are(row, threads=2, thread_min=sum(seconds) / 50,
                  thread_max=sum(seconds) / 5),
       "beside the spread over threads, which has other names", row)
    by_thread = rows("--by", "thread", os.path.join(where, "mean"))
    for tid in (0, 1):
        part = [c // (10 if tid else 1) for c in CYCLES]
        ok(is_spread(spread_of(by_thread, "PM_CYC", thread=str(tid)), part),
           f"and of thread {tid} alone")
    row = find(table, "solve", "PM_CYC")
    sums = [c + c // 10 for c in CYCLES]
    ok(row["runs"] == "5" and row["remarks"] == "run-bounds" and
       statistics.stdev(sums) <= float(row["run_dev"]) and
       float(row["run_min"]) <= min(sums) and
       max(sums) <= float(row["run_max"]),
       "of a sum over threads there are bounds, said to be such", row)
    text = report(os.path.join(where, "mean"), COLUMNS="180").stdout.decode()
    ok("run dev s  run min s  run max s" in text and
       re.search(r"^solve .* 0\.%06d  " % round(
           1e6 * statistics.stdev(seconds)), text, re.M) and
       re.search(r"^  PM_CYC .* <\S+ +>\S+ +<", text, re.M) and
       "divided by n - 1" in text, "text shows it and says what it is", text)
    found = json.loads(report("--format", "json",
                              os.path.join(where, "mean")).stdout)
    equal((found["version"], found["data"][0]["runs"]), (2, 5),
          "JSON has it, in its second form")
    ok(all("min" not in r and "run_min" in r and "thread_min" in r
           for r in found["data"]), "with names that cannot be confused")


def test_mean_of_means(where, paths):
    hpm(["mean", "-o", "first", *paths[:3]], where)
    hpm(["mean", "-o", "last", *paths[3:]], where)
    hpm(["mean", "-o", "pooled", "first", "last"], where)
    all_rows = rows("--by", "thread", os.path.join(where, "mean"))
    pooled = rows("--by", "thread", os.path.join(where, "pooled"))
    for name in ("PM_CYC", "ExcSec"):
        one = find(all_rows, "solve", name, thread="0")
        other = find(pooled, "solve", name, thread="0")
        ok(all(math.isclose(float(one[k]), float(other[k]), rel_tol=1e-12)
               for k in ("value", "runs", "run_dev", "run_min", "run_max")),
           f"{name}: a mean of means is that of all runs", (one, other))


def test_diff(where):
    hpm(["diff", "-o", "change", "first", "last"], where)
    table = rows("--by", "thread", os.path.join(where, "change"))
    row = find(table, "solve", "PM_CYC", thread="0")
    a, b = CYCLES[:3], CYCLES[3:]
    ok(values_are(row, value=statistics.mean(b) - statistics.mean(a),
                  run_dev=math.hypot(statistics.stdev(a), statistics.stdev(b)),
                  run_min=min(b) - max(a), run_max=max(b) - min(a), runs="2"),
       "a difference of means has the spread of run from run", row)
    text = report(os.path.join(where, "change"), COLUMNS="180").stdout.decode()
    ok("change s  run dev s" in text and
       "of a run of b less a run of a" in text,
       "text has it beside the change", text)
    hpm(["diff", "-o", "half", "first", "r4.xml"], where)
    row = find(rows(os.path.join(where, "half")), "solve", "ExcSec")
    ok(values_are(row, runs="1", run_dev="", remarks="no-run-spread"),
       "a difference from a single run is marked", row)
    text = report(os.path.join(where, "half"), COLUMNS="180").stdout.decode()
    ok("No spread over runs: a or b is a single run" in text,
       "in text, too", text)


def test_slowest(where):
    """Another thread is the slowest in b: its runs have no difference."""
    def runs(name, seconds):
        for i in range(2):
            write(where, f"{name}{i}.xml", task_file(0, [
                record(1 + tid, tid, 0, "solve", one + i / 10, one + i / 10,
                       [data("PM_CYC", 1000 + i, exclusive=1000 + i)], line=3)
                for tid, one in enumerate(seconds)]))
        hpm(["mean", "-o", name, f"{name}0.xml", f"{name}1.xml"], where)
    runs("slow0", (3, 1))
    runs("slow1", (1, 2))
    hpm(["diff", "-o", "swapped", "slow0", "slow1"], where)
    path = os.path.join(where, "swapped")
    row = find(rows(path), "solve", "ExcSec")
    ok(values_are(row, value=-1, runs="2", run_dev="",
                  remarks="no-run-spread"),
       "where another thread is the slowest no spread is known", row)
    text = " ".join(report(path, COLUMNS="180").stdout.decode().split())
    ok("of a time - where another thread is the slowest in b than in a" in text,
       "and the legend says that, not that a side is one run", text)


def test_absent_side(where):
    """b is a single run without the section."""
    write(where, "none.xml", run_of(1000000, 1, 0).replace("solve", "else"))
    hpm(["diff", "-o", "gone", "first", "none.xml"], where)
    row = find(rows("--by", "thread", os.path.join(where, "gone")), "solve",
               "PM_CYC", thread="0")
    ok(values_are(row, value=-statistics.mean(CYCLES[:3]), runs="1",
                  run_dev=""),
       "nor has a single run without the section a spread", row)


def test_carried(where, paths):
    """Through cut and merge."""
    hpm(["cut", "--root", "solve", "-o", "part", "mean"], where)
    equal([spread_of(rows(os.path.join(where, name)), "ExcSec")
           for name in ("part", "mean")],
          [spread_of(rows(os.path.join(where, "mean")), "ExcSec")] * 2,
          "a cut keeps it")
    for i, path in enumerate(paths):
        text = content(where, os.path.basename(path))
        write(where, f"t{i}.xml", text.replace('task="0"', 'task="1"'))
    hpm(["mean", "-o", "other"] + [f"t{i}.xml" for i in range(5)], where)
    hpm(["merge", "-o", "both", "mean", "other"], where)
    table = rows("--by", "thread", os.path.join(where, "both"))
    equal([spread_of(table, "PM_CYC", thread="0", task=str(i))
           for i in range(2)],
          [spread_of(rows("--by", "thread", os.path.join(where, "mean")),
                     "PM_CYC", thread="0")] * 2, "means that are merged, too")
    equal(valid(where, "mean", "first", "pooled", "change", "half", "part",
                "both"), None, "all of these files are valid")


def test_runs():
    with folder() as where:
        paths = write_runs(where)
        test_mean(where, paths)
        test_mean_of_means(where, paths)
        test_diff(where)
        test_slowest(where)
        test_absent_side(where)
        test_carried(where, paths)


def test_hpmcount():
    """What hpmcount -r says of its runs is what hpm mean says of their
    files."""
    with folder() as where:
        result = run([HPMCOUNT, "--format", "json", "-r", "5", "-e",
                      "task-clock,page-faults", "-o", "x.hpm.xml", "sh", "-c",
                      "i=0; while [ $i -lt 99 ]; do i=$((i+1)); done"],
                     folder=where)
        text = result.stderr.decode()
        said = {r["metric"]: r
                for r in json.loads(text[text.index("{"):])["data"]}
        hpm(["mean", "-o", "mean", *files(where)], where)
        found = {r["metric"]: r
                 for r in rows(os.path.join(where, "mean"))}
        for metric, name, divisor in (("time::wall", "IncSec", 1),
                                      ("task-clock", "task-clock", 1e9),
                                      ("page-faults", "page-faults", 1)):
            row, one = found[name], said[metric]
            equal([float(row[k]) / divisor for k in (
                "value", "run_dev", "run_min", "run_max")],
                  [one[k] for k in ("mean", "sdev", "min", "max")],
                  f"hpmcount -r and hpm mean agree to the digit: {metric}")


def test():
    test_two_paths()
    test_two_tasks()
    test_cut()
    test_cut_of_lacking()
    test_not_everywhere()
    test_errors()
    test_share_of_difference()
    test_whole()
    test_schema()
    test_runs()
    test_hpmcount()
    tap.done()


test()
