# SPDX-License-Identifier: BSD-3-Clause
"""The linked trees without a display: each number is that of hpm report or hpm diff,
compared over files made by chance."""

import collections
import csv
import io
import math
import os
import random

import reports
import tap
from tap import equal, ok, run

HPMVIZ = os.path.join(tap.TOP_BUILD, "hpmviz", "hpmviz")
SEED = int(os.environ.get("HPM_TEST_SEED", "23"))
COUNTERS = ["PM_CYC", "PM_INST_CMPL", "PM_FXU_FIN", "PM_OTHER"]


def viewer(*words):
    variables = {}
    if os.environ.get("sanitizers"):  # fontconfig keeps what it has
        variables["ASAN_OPTIONS"] = "detect_leaks=0"
    return run([HPMVIZ, *words], DISPLAY="", WAYLAND_DISPLAY="", **variables)


# ---- files ------------------------------------------------------------------

def shape(chance):
    """Call paths of labels: (label, index of the path around or None)."""
    paths = [("main", None)]
    for i in range(1, chance.randrange(3, 7)):
        paths.append((chance.choice(["a", "b", "c"]) + str(i),
                      chance.randrange(i)))
    return paths


def own_values(chance):
    values = {name: chance.randrange(1, 10**9) for name in COUNTERS}
    values["seconds"] = chance.randrange(1, 10**7) / 10**4
    return values


def add_up(paths, own):
    """With all inside."""
    both = [dict(values) for values in own]
    for i in reversed(range(1, len(paths))):
        for name, value in both[i].items():
            both[paths[i][1]][name] += value
    return both


def thread_records(chance, paths, task, tid):
    """Some paths are not of each thread, some counters not of each record."""
    kept = []
    for i, (_, around) in enumerate(paths):
        if around is None or (around in kept and chance.random() < 0.9):
            kept.append(i)
    own = [own_values(chance) if i in kept else
           dict.fromkeys(COUNTERS + ["seconds"], 0) for i in range(len(paths))]
    for i, values in enumerate(add_up(paths, own)):
        if i not in kept:
            continue
        label, around = paths[i]
        counts = [reports.data(name, values[name], exclusive=own[i][name])
                  for name in COUNTERS
                  if name != "PM_OTHER" or chance.random() < 0.9]
        yield reports.record(
            100 * (tid + 1) + i, tid, task, label, own[i]["seconds"],
            values["seconds"], counts,
            parent=None if around is None else 100 * (tid + 1) + around,
            line=10 * i + 1, inst=i + 1, calls=chance.randrange(1, 100))
    outside = own_values(chance)
    yield reports.record(
        100 * (tid + 1) + 99, tid, task, "(outside sections)",
        outside["seconds"], outside["seconds"],
        [reports.data(name, outside[name], exclusive=outside[name])
         for name in COUNTERS], line=0, inst=0, calls=0).replace(
             "InstrumentationPt", "Outside").replace(
                 reports.data("Count", 0), "")


def make_run(where, name, seed, paths, n_tasks):
    chance = random.Random(seed)
    here = os.path.join(where, name)
    os.mkdir(here)
    for task in range(n_tasks):
        records = [r for tid in range(3)
                   for r in thread_records(chance, paths, task, tid)]
        reports.write(here, f"r.{task}.hpm.xml",
                      reports.task_file(task, records).replace(
                          f'host="node{task}"', f'host="node{task // 2}"'))
    return here


# ---- what hpm says ----------------------------------------------------------

class Said:
    """Lines of hpm report, by path, place and metric."""

    def __init__(self, paths, is_difference=False):
        self.is_difference = is_difference
        self.lines = collections.defaultdict(dict)
        for view in ("tree", "task", "thread"):
            text = run([tap.HPM, "report", "--by", view, "--format", "csv",
                        *paths]).stdout.decode()
            for row in csv.DictReader(io.StringIO(text)):
                key = (row["section"], row["linestart"], row["task"],
                       row["thread"])
                self.lines[key][row["metric"]] = row

    def value(self, key, metric, column):
        """NAN for none; None where there is no such line."""
        row = self.lines.get(key, {}).get(metric)
        if row is None:
            return None
        return float(row[column]) if row[column] else math.nan

    def times(self, line, column):
        """Of each thread of a section."""
        return {key[2:]: float(rows["IncSec" if column == "all" else "ExcSec"]
                               ["value"])
                for key, rows in self.lines.items()
                if key[:2] == line and key[3]}


def is_near(a, b):
    return math.isnan(a) and math.isnan(b) or math.isclose(a, b, rel_tol=1e-9,
                                                           abs_tol=1e-9)


NODES = {"node0": (0, 1), "node1": (2, 3)}


def tasks_of(row):
    """The tasks of a line of the system, as text; all for a machine."""
    if row["system"] == "node":
        return {str(task) for task in NODES[row["node"]]}
    return None if row["system"] in ("machine", "") else {row["task"]}


def expected_time(said, row, of):
    times = said.times((row["section"], row["line"]), of)
    tasks = tasks_of(row)
    return sum(seconds for (task, thread), seconds in times.items()
               if (tasks is None or task in tasks) and
               row["thread"] in ("", thread))


# Reports leave out a metric that only renames a counter.
RENAMED = {"CYCLES": "PM_CYC", "INSTRUCTION": "PM_INST_CMPL",
           "INTEGER": "PM_FXU_FIN"}


def expected(said, row, metric):
    """The number of a line, by reports; None where they have no such line."""
    metric = RENAMED.get(metric, metric)
    if row["metric"] == "Time":
        return expected_time(said, row, row["of"])
    column = "value" if row["of"] == "all" or metric == "Count" else "exclusive"
    return said.value((row["section"], row["line"], row["task"], row["thread"]),
                      metric, column)


# ---- comparing --------------------------------------------------------------

def trees_of(words, metric):
    result = viewer("--view", "trees", "--metric", metric, "--export-csv", "-",
                    *words)
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


def compare(said, words, metric):
    """Lines that differ, and how many were compared."""
    wrong, n = [], 0
    for row in trees_of(words, metric):
        if row["tree"] == "metrics":
            continue
        want = expected(said, row, metric)
        got = float(row["value"]) if row["value"] else math.nan
        if row["system"] == "node" and row["metric"] != "Time":
            continue  # no report has a line for a node
        if want is None:
            wrong += [] if math.isnan(got) else [(row, "no line in reports")]
            continue
        if row["reason"].startswith("of a difference only") or (
                math.isnan(want) and (row["tree"], row["of"]) ==
                ("paths", "own") and said.is_difference):
            continue  # of its own hpm diff has only counters; see check_own
        n += 1
        if not is_near(got, want):
            wrong.append((row, want))
    return wrong, n


def metrics_of(words):
    rows = trees_of(words, "ExcSec")
    return sorted({row["metric"] for row in rows if row["tree"] == "metrics"})


def check_run(words, said, sentence):
    wrong, n = [], 0
    for metric in metrics_of(words):
        more, n_here = compare(said, words,
                               "ExcSec" if metric == "Time" else metric)
        wrong += more
        n += n_here
    ok(n > 300 and not wrong, f"{sentence} ({n} numbers, seed {SEED})",
       (n, wrong[:3]))


def check_totals(words):
    """Amounts of the run are added over the outermost call paths."""
    for metric in ("ExcSec", "PM_INST_CMPL", "INTEGER"):
        rows = trees_of(words, metric)
        name = "Time" if metric == "ExcSec" else rows[-1]["metric"]
        whole = [float(r["value"]) for r in rows if r["tree"] == "metrics" and
                 r["metric"] == name and r["of"] == "all"]
        parts = [float(r["value"]) for r in rows if r["tree"] == "paths" and
                 "/" not in r["path"] and r["of"] == "all"]
        ok(len(whole) == 1 and is_near(whole[0], sum(parts)),
           f"{metric} of the run is that of its outermost paths",
           (whole, parts))
        own = sum(float(r["value"]) for r in rows if r["tree"] == "paths" and
                  r["of"] == "own")
        ok(is_near(whole[0], own), "and the sum of all that is their own",
           (whole, own))


def check_own(words):
    """What a call path has of its own is what the paths in it leave."""
    rows = [r for r in trees_of(words, "CYCLES") if r["tree"] == "paths"]
    both = {(r["path"], r["of"]): float(r["value"]) for r in rows}
    left = {path: all_of - sum(
        value for (other, of), value in both.items() if of == "all" and
        other.rpartition("/")[0] == path)
        for (path, of), all_of in both.items() if of == "all"}
    ok(len(left) > 3 and all(is_near(both[path, "own"], value)
                             for path, value in left.items()),
       "what a path has of its own is what the paths in it leave", (both, left))


def check_nodes(words):
    """Amounts of a node are those of its tasks."""
    rows = [r for r in trees_of(words, "INTEGER") if r["tree"] == "system"]
    sums = collections.Counter()
    for row in rows:
        if row["system"] == "task":
            node = f"node{int(row['task']) // 2}"
            sums[row["path"], row["of"], node] += int(float(row["value"]))
    equal({(r["path"], r["of"], r["node"]): int(float(r["value"]))
           for r in rows if r["system"] == "node"}, dict(sums),
          "a node has what its tasks have")


def check_options(words):
    result = viewer("--view", "trees", "--metric", "NO_SUCH", "--print", *words)
    ok(result.returncode == 3 and result.stderr.count(b"\n") == 1 and
       b"NO_SUCH" in result.stderr, "a metric there is not is named", result)
    result = viewer("--view", "forest", "--print", *words)
    ok(result.returncode == 2 and b"'forest'" in result.stderr,
       "so is a view there is not", result)
    text = viewer("--view", "trees", "--metric", "IPC", "--print",
                  *words).stdout.decode()
    ok("  main" not in text and "\nmain " in text and "\n(outside sections) " in
       text and "\n      thread 2 " in text,
       "--print has the trees, indented", text)


def check_picture(where, words):
    for name, begin in (("t.svg", b"<?xml"), ("t.png", b"\x89PNG")):
        path = os.path.join(where, name)
        viewer("--view", "trees", "--screenshot", path, *words)
        with open(path, "rb") as file:
            ok(file.read().startswith(begin), f"--screenshot draws them: {name}")


def test():
    chance = random.Random(SEED)
    paths = shape(chance)
    with tap.folder() as where:
        a = make_run(where, "a", SEED, paths, 4)
        b = make_run(where, "b", SEED + 1, paths, 4)
        check_run([a], Said([a]), "trees of a run have the numbers of hpm report")
        check_totals([a])
        check_nodes([a])
        check_own([a])
        check_options([a])
        check_picture(where, [a])
        difference = os.path.join(where, "diff.hpm.xml")
        run([tap.HPM, "diff", "-o", difference, a, b])
        check_run(["--compare", a, b], Said([difference], True),
                  "of two runs those of hpm diff")
        check_own(["--compare", a, b])


test()
tap.done()
