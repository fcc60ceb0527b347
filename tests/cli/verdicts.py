# SPDX-License-Identifier: BSD-3-Clause
"""All doors say the same of a metric in several threads and processes: its
value, state, verdict, why there is none, and how many values are bad.

Some 200 performance files are made by chance, the seed is printed, and can be
given in HPM_TEST_SEED; what is to be said of them is worked out here anew, from
hpm-metrics(5).  What a run says of itself: tests/cli/ownreports.py."""

import json
import math
import os
import random
import re
import tempfile

import doors
import tap
from doors import ask, picked, read_csv, read_text
from reports import data, datum, record, task_file, write
from tap import HPM, equal, ok, run

FILES = int(os.environ.get("HPM_TEST_FILES",
                           "60" if tap.IS_REPEATED else "200"))
SEED = tap.seed()

DEFINITIONS = """
ratio AA = MY_X / MY_Y  bad > 50 good < 10  range 0, 100
    label "of a thread"  why "it is bad"  next BASIC  try "something else"
    timebase SECONDS
compute SECONDS = time::wall  label "all that passed"
ratio BB = MY_X / MY_Y  bad > 50 good < 10  range 0, 100  of run
    label "of the run"
ratio CC = 100 * MY_Z / MY_Y  bad < 2000  label "without a range"
compose DD = MY_X + MY_V  bad > 5000  label "in parts"
ratio RATE = MY_X / time::wall  bad > 9000  range 0, 10000  label "a rate"
"""
KERNEL = "SYSTEM_SHARE"
JUDGED = ["AA", "BB", "CC", "DD", KERNEL]
LOST = ("lost", "unscheduled", "unsupported")
STATES = ("counted", "shared", "inferred", "recorded") + LOST
TICK = 0.004


# ---- files -----------------------------------------------------------------

def chance_count(chance):
    """Of one record: a value, state, share and error; None: not counted."""
    kind = chance.random()
    if kind < 0.03:
        return None
    value = chance.choice([0, 3, 9, 50, 99, 100, 101, 1000,
                           chance.randrange(10000)])
    if kind < 0.1:
        return {"state": chance.choice(LOST)}
    if kind < 0.2:
        return {"state": "inferred", "value": value}
    if kind < 0.4:
        share = chance.choice([0.05, 0.89, 0.9, 0.99])
        return {"state": "shared", "value": value, "share": share,
                "error": value * chance.choice([0.01, 0.1, 0.11, 0.5])}
    return {"state": "counted", "value": value}


def chance_time(chance):
    return {"state": "counted", "value": chance.choice(
        [0, 4000000, 8000000, 50000000, 10**9])}


def chance_row(chance, is_clean):
    row = {"is_short": not is_clean and chance.random() < 0.05}
    for name in ("MY_X", "MY_Y", "MY_Z", "MY_V"):
        row[name] = chance_count(chance)
        if is_clean or row[name] is None and name in "MY_X MY_Y":
            row[name] = {"state": "counted",
                         "value": chance.randrange(100, 6000)}
    if is_clean:
        row["MY_Y"]["value"] = chance.choice([100, 101, 150, 300])
    for name in ("ru::utime", "ru::stime"):
        row[name] = chance_time(chance)
    return row


def make_study(where, chance, number, n_tasks):
    """Files of one run, and their rows by section and place."""
    sections = {}
    is_clean = {label: chance.random() < 0.5 for label in ("one", "two", "all")}
    paths = []
    for task in range(n_tasks):
        records = []
        n_threads = chance.choice([1, 1, 2, 3, 5, 8, 20])
        places = [(label, tid) for label in ("one", "two")
                  for tid in range(n_threads)] + [("all", -1)]
        for i, (label, tid) in enumerate(places):
            row = chance_row(chance, is_clean[label])
            sections.setdefault(label, {})[task, tid] = row
            records.append(record(
                i + 1, tid, task, label, 1.0, 1.0,
                [datum(name, count) for name, count in row.items()
                 if isinstance(count, dict)],
                inst=["one", "two", "all"].index(label),
                scope="process" if tid < 0 else "thread",
                more=' short="yes"' if row["is_short"] else ""))
        facts = f'pmu="power4" facts="L2 TICK_NS={int(TICK * 1e9)}"'
        paths.append(write(where, f"{number}.{task}.hpm.xml",
                           task_file(task, records, pmu=facts)))
    return paths, sections


# ---- what is to be said ----------------------------------------------------

def has_value(count):
    return count is not None and count["state"] not in LOST


def own_doubt(row, names):
    """What a value inherits of its inputs."""
    counts = [row[name] for name in names]
    if row["is_short"]:
        return True
    return any(count.get("share", 1) < 0.9 or
               count.get("error", 0) > 0.1 * abs(count["value"])
               for count in counts)


def coarse(value):
    return math.sqrt(value) if value < 100 else 0.0


def judge(value, noise, doubt, limits, is_allowed=True):
    """(verdict, is doubtful): bad and good as (is above, limit)."""
    if not is_allowed or doubt or any(abs(value - limit[1]) < noise
                                      for limit in limits.values()):
        return "", True
    for word, (is_above, limit) in limits.items():
        if value > limit if is_above else value < limit:
            return word, False
    return "neutral", False


def ratio(x, y, doubt, limits, most):
    """Of two numbers of events, as percent or not."""
    value = most["scale"] * x / y
    noise = most["scale"] * (coarse(x) + x / y * coarse(y)) / y
    return value, *judge(value, noise, doubt or coarse(y) > y / 10, limits,
                         most["least"] <= value <= most["most"])


AA_LIMITS = {"bad": (True, 50), "good": (False, 10)}
AA_RANGE = {"scale": 1, "least": 0, "most": 100}
CC_RANGE = {"scale": 100, "least": -math.inf, "most": math.inf}


def say_ratio(rows, names, limits, most):
    """Of rows together: (value, verdict, is doubtful), or why there is none."""
    counts = [[row[name] for name in names] for row in rows]
    if not all(has_value(count) for pair in counts for count in pair):
        return None
    x, y = (sum(pair[i]["value"] for pair in counts) for i in (0, 1))
    doubt = any(own_doubt(row, names) for row in rows)
    return ratio(x, y, doubt, limits, most) if y != 0 else None


def say_parts(row):
    present = [row[name] for name in ("MY_X", "MY_V") if has_value(row[name])]
    if not present:
        return None
    value = sum(count["value"] for count in present)
    doubt = own_doubt(row, [name for name in ("MY_X", "MY_V")
                            if has_value(row[name])])
    noise = sum(coarse(count["value"]) for count in present)
    verdict, is_doubtful = judge(value, noise, doubt, {"bad": (True, 5000)})
    return value, verdict if len(present) == 2 else "", is_doubtful


def say_kernel(row):
    user, system = (row[name]["value"] / 1e9
                    for name in ("ru::utime", "ru::stime"))
    if user + system == 0:
        return None
    value = 100 * system / (user + system)
    # three ticks may be on the other side; the sum of both is exact
    return value, *judge(value, 100 * 3 * TICK / (user + system),
                         row["is_short"], {"bad": (True, 5)})


def say_row(metric, row):
    if metric in ("AA", "BB"):
        return say_ratio([row], ("MY_X", "MY_Y"), AA_LIMITS, AA_RANGE)
    if metric == "CC":
        return say_ratio([row], ("MY_Z", "MY_Y"), {"bad": (False, 2000)},
                         CC_RANGE)
    return say_parts(row) if metric == "DD" else say_kernel(row)


def say_section(metric, rows):
    """Verdict, how many were judged, how many of them are bad."""
    if metric == "BB" and len(rows) > 1:
        said = [say_ratio(rows, ("MY_X", "MY_Y"), AA_LIMITS, AA_RANGE)]
    else:
        said = [say_row(metric, row) for row in rows]
    verdicts = [one[1] for one in said if one is not None and one[1]]
    worst = ("bad" if "bad" in verdicts else
             "neutral" if "neutral" in verdicts else
             "good" if verdicts else "")
    return worst, len(verdicts), verdicts.count("bad")


def doubt_of_section(metric, rows, n_judged):
    """Of the value together, which has no limits; None: it is not asked."""
    names = {"AA": ("MY_X", "MY_Y"), "CC": ("MY_Z", "MY_Y")}.get(metric)
    if names is None or not all(has_value(row[name]) for row in rows
                                for name in names):
        return None
    if len(rows) == 1:
        said = say_row(metric, rows[0])
        return said and said[2]
    divisor = sum(row[names[1]]["value"] for row in rows)
    return (any(own_doubt(row, names) for row in rows) or
            coarse(divisor) > divisor / 10 or n_judged == 0 and
            any(said and said[2] for said in
                (say_row(metric, row) for row in rows)))


# ---- what is said ----------------------------------------------------------

def check_oracle(table, sections, name, faults):
    """Of whole sections, or single threads."""
    for row in table:
        section, task, thread, metric, _, _, verdict, remarks, reason, *n = row
        rows = sections[section]
        if thread != "":
            one = rows[int(task), int(thread)]
            said = say_row(metric, one)
            if metric == "BB" and len(rows) > 1:
                said = None
            expected = said[1] if said else ""
            doubt = bool(said and said[2])
            counts = [int(expected != ""), int(expected == "bad")]
            if metric != "BB" and doubt != ("doubtful" in remarks):
                faults.append((name, "doubt", row, one))
        elif task == "":
            expected, *counts = say_section(metric, list(rows.values()))
            doubt = doubt_of_section(metric, list(rows.values()), counts[0])
            if row[4] is not None and doubt not in (
                    None, "doubtful" in remarks):
                faults.append((name, "doubt of the whole", row))
        else:
            own = [r for (t, _), r in rows.items() if t == int(task)]
            if metric == "BB" and len(rows) > 1:
                expected, counts = "", [0, 0]
            else:
                expected, *counts = say_section(metric, own)
        if verdict != expected or list(map(int, n)) != counts:
            faults.append((name, "oracle", row, expected, counts))
        if "doubtful" in remarks and not reason:
            faults.append((name, "no reason", row))


# Who is worse of two values with the same verdict: the larger, or the smaller.
WORSE = {"AA": max, "BB": max, "CC": min, "DD": max, KERNEL: max}


def check_worst(whole, lines, name, faults):
    """The worst is the value of one of the threads: that with the worst
    verdict, and of these the one farthest beyond the limit."""
    ranks = {"good": 1, "neutral": 2, "bad": 3}
    judged = {}
    for line in picked(lines, JUDGED):
        section, task, thread, metric, value, _, verdict, *_ = line
        if verdict:
            judged.setdefault((section, metric), []).append(
                (ranks[verdict], value, f"{task}.{thread}"))
    for row in whole:
        if row["metric"] not in JUDGED or row["kind"] != "metric":
            continue
        rows = judged.get((row["section"], row["metric"]), [])
        said = (row["worst"], row["worst_at"])
        if row["metric"] == "BB" and not rows:  # of the run: the whole is it
            expected = {(row["value"] if row["verdict"] else "", "")}
        elif not rows:
            expected = {("", "")}
        else:
            rank = max(r for r, _, _ in rows)
            worst = WORSE[row["metric"]](v for r, v, _ in rows if r == rank)
            # means that are equal may differ in the last digit of a double
            expected = {(v, at) for r, v, at in rows if r == rank and
                        math.isclose(v, worst, rel_tol=1e-15)}
            said = (float(said[0] or "nan"), said[1])
            if (rank == 3) != (int(row["bad"]) > 0):
                faults.append((name, "worst and number of bad", row, rows))
        if said not in expected:
            faults.append((name, "worst", row["section"], row["metric"], said,
                           rows))


def check_hints(text, table, name, faults):
    hinted = set(re.findall(r"^  \d\. (\w+) ", text, re.M))
    bad = {row[3] for row in table if int(row[10]) > 0}
    for metric in hinted & set(JUDGED):
        if metric not in bad:
            faults.append((name, "a hint on what is not bad", metric))
    if "AA" in bad and "AA" not in hinted and len(hinted) < 5:
        faults.append((name, "no hint", hinted))
    counts = {(row[0], row[3]): row[10] for row in table}
    places = re.findall(r"  \d\. (\w+) [^:]*? \((\d+) bad\) of section '(\w+)'",
                        re.sub(r"\s*\n {5}(?! )", " ", text))
    for metric, n_bad, section in places:
        if n_bad != counts.get((section, metric), n_bad):
            faults.append((name, "how many are bad", metric, section, n_bad))


def as_result(where, chance, paths):
    """Now and then the files are one that hpm made of them: nothing that is said of
    them may change by that."""
    if chance.random() < 0.5:
        return paths
    merged = os.path.join(where, "merged.hpm.xml")
    run([HPM, "merge", "-o", merged, *paths])
    for path in paths:
        os.unlink(path)
    if chance.random() < 0.5:
        return [merged]
    copied = os.path.join(where, "copied.hpm.xml")  # the mean of one is that one
    run([HPM, "mean", "-o", copied, merged])
    os.unlink(merged)
    return [copied]


def check_study(where, chance, number, n_tasks, faults):
    paths, sections = make_study(where, chance, number, n_tasks)
    paths = as_result(where, chance, paths)
    variables = {"HPM_DEFS": os.path.join(where, "own.hpm")}
    name = f"study {number}, {n_tasks} tasks"
    whole = read_csv(ask("--format", "csv", *paths, **variables))
    table = picked(whole, JUDGED)
    check_oracle(table, sections, name, faults)
    doors.check_json(paths, table, name, faults, JUDGED, **variables)
    text = ask(*paths, COLUMNS="100", **variables)
    doors.check_text(text, whole, name, faults, JUDGED)
    check_hints(text, table, name, faults)
    n_bad = {}
    for view in ("task", "thread"):
        rows = read_csv(ask("--by", view, "--format", "csv", *paths,
                            **variables))
        lines = picked(rows, JUDGED)
        if view == "thread":
            check_worst(whole, rows, name, faults)
        check_oracle(lines, sections, f"{name}, by {view}", faults)
        n_bad[view] = sum(int(line[10]) for line in lines if line[3] != "BB")
    n_bad["section"] = sum(int(line[10]) for line in table if line[3] != "BB")
    if len(set(n_bad.values())) != 1:
        faults.append((name, "numbers of bad", n_bad))
    if os.path.exists(doors.VIEWER):
        doors.check_viewer(where, paths, text, table, name, faults, JUDGED,
                           **variables)
    for path in paths:
        os.unlink(path)
    return table


def check_result(where, chance, number, n_tasks, faults):
    """What hpm made of two runs: all doors say the same of that."""
    runs = [make_study(where, chance, f"{number}.{i}", n_tasks)[0]
            for i in range(2)]
    operands = []
    for i, paths in enumerate(runs):
        operands.append(os.path.join(where, f"run{i}.hpm.xml"))
        run([HPM, "merge", "-o", operands[i], *paths])
    operation = chance.choice(["mean", "diff", "integrate"])
    path = os.path.join(where, "result.hpm.xml")
    made = run([HPM, operation, "-o", path, *operands])
    name = f"{operation} {number}, {n_tasks} tasks"
    if made.returncode != 0:
        faults.append((name, made.returncode, made.stderr))
    else:
        variables = {"HPM_DEFS": os.path.join(where, "own.hpm")}
        whole = read_csv(ask("--format", "csv", path, **variables))
        table = picked(whole, JUDGED)
        doors.check_json([path], table, name, faults, JUDGED, **variables)
        text = ask(path, COLUMNS="100", **variables)
        doors.check_text(text, whole, name, faults, JUDGED)
        check_hints(text, table, name, faults)
        lines = read_csv(ask("--by", "thread", "--format", "csv", path,
                             **variables))
        check_worst(whole, lines, name, faults)
        if os.path.exists(doors.VIEWER):
            doors.check_viewer(where, [path], text, table, name, faults,
                               JUDGED, **variables)
        os.unlink(path)
    for path in runs[0] + runs[1] + operands:
        os.unlink(path)
    return operation, table if made.returncode == 0 else []


def test_results():
    """Of results of several runs, which have no sums to work out anew here."""
    chance = random.Random(SEED + 1)
    faults, n_values, n_files, number = [], {}, 0, 0
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        write(where, "own.hpm", DEFINITIONS)
        while n_files < FILES // 2 and len(faults) < 20:
            n_tasks = chance.randint(1, 4)
            operation, table = check_result(where, chance, number, n_tasks,
                                            faults)
            n_values[operation] = n_values.get(operation, 0) + len(table)
            n_files += 2 * n_tasks
            number += 1
    ok(not faults, f"results of {n_files} files, all doors",
       f"HPM_TEST_SEED={SEED}\n" + "\n".join(map(str, faults)))
    ok(FILES < 100 or len(n_values) == 3 and all(n_values.values()),
       "of each kind there are some", n_values)


def test_files():
    print(f"# seed {SEED}")
    chance = random.Random(SEED)
    faults, tables, n_files, number = [], [], 0, 0
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        write(where, "own.hpm", DEFINITIONS)
        while n_files < FILES and len(faults) < 20:
            n_tasks = min(chance.randint(1, 8), FILES - n_files)
            tables += check_study(where, chance, number, n_tasks, faults)
            n_files += n_tasks
            number += 1
    ok(not faults, f"{n_files} files, all doors",
       f"HPM_TEST_SEED={SEED}\n" + "\n".join(map(str, faults)))
    said = {row[6] for row in tables}
    ok(said == {"", "bad", "neutral", "good"} or FILES < 100,
       "with every verdict", said)
    if not os.path.exists(doors.VIEWER):
        tap.skip("hpmviz", "not built")


# ---- single findings ---------------------------------------------------------

def of_threads(where, name, records, **variables):
    path = write(where, name, task_file(0, records))
    return (path, read_csv(ask("--format", "csv", path, **variables)),
            ask(path, COLUMNS="80", **variables))


def find(table, metric):
    return next(row for row in table if row["metric"] == metric)


def test_paths():
    """A thread that entered a section on two paths has one value of both."""
    def one(number, tid, some, parent):
        return record(number, tid, 0, "work", 1, 1,
                      [data("PM_A", some, exclusive=some),
                       data("PM_B", 100, exclusive=100)],
                      parent=parent, line=30)
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        mine = write(where, "my.hpm", "ratio PART = 100 * PM_A / PM_B bad > 80")
        _, table, _ = of_threads(where, "paths.hpm.xml", [
            record(1, 0, 0, "one", 1, 2, []), one(2, 0, 10, 1),
            record(3, 0, 0, "two", 1, 2, [], line=20), one(4, 0, 90, 3),
            record(5, 1, 0, "one", 1, 2, []), one(6, 1, 20, 5)], HPM_DEFS=mine)
    row = find(table, "PART")
    equal((float(row["value"]), float(row["thread_min"]),
           float(row["thread_max"])), (40.0, 20.0, 50.0),
          "the ratio of a thread is that of its sums over paths")


def test_usage():
    """What the run used makes metrics of a record that is the whole run, as
    hpmcount's, and of none that is a part of it."""
    used = ('seconds="12.5"><Resource name="ru::utime" value="5" unit="s"/>'
            '<Resource name="ru::stime" value="5" unit="s"/></Run>')
    shares = []
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        for tid, seconds in ((-1, [12.5]), (-1, [3]), (0, [12.5]),
                             (-1, [12.5, 3])):
            text = task_file(0, [
                record(i + 1, tid, 0, f"part {i}", part, part, [],
                       line=10 * i, scope="process" if tid < 0 else "thread")
                for i, part in enumerate(seconds)])
            path = write(where, "u.hpm.xml",
                         text.replace('seconds="12.5"/>', used))
            shares.append([float(row["value"]) for row in
                           read_csv(ask("--format", "csv", path))
                           if row["metric"] == "SYSTEM_SHARE"])
    equal(shares, [[50.0], [], [], []],
          "resource usage is of the run, and of no part of it")


def test_whole():
    """Twenty threads at 4 to 6 percent are no well used processor."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        _, table, text = of_threads(where, "u.hpm.xml", [
            record(i + 1, i, 0, "work", 1, 1,
                   [data("task-clock", 40000000 + i * 1000000, unit="ns",
                         exclusive=40000000 + i * 1000000)])
            for i in range(20)])
    row = find(table, "UTILISATION")
    equal((round(float(row["value"]), 6), row["thread_min"], float(row["thread_max"]),
           row["verdict"], row["judged"], row["bad"]),
          (99.0, "4", 5.9, "bad", "20", "20"),
          "the whole is good, all twenty threads are bad")
    ok(re.search(r"^  metric +together +unit", text, re.M) and
       re.search(r"^  UTILISATION +99\.000  ! 20 of 20  % +4\.000 +5\.900 ",
                 text, re.M) and
       "UTILISATION 4.000 % in the gravest of 20 threads (20 bad) of "
       "section 'work'" in
       " ".join(text.split()), "text and hint say so", text)


def test_of_run():
    """What the whole job makes of its processors is asked of the whole."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        paths = [write(where, f"p.{task}.hpm.xml", task_file(
            task, [record(1, -1, task, "all", 1, 1,
                          [data("task-clock", 900000000, unit="ns",
                                exclusive=900000000)], scope="process")],
            pmu='pmu="power4" allowed="4"')) for task in range(4)]
        table = read_csv(ask("--format", "csv", *paths))
        lines = read_csv(ask("--by", "thread", "--format", "csv", *paths))
        alone = read_csv(ask("--by", "thread", "--format", "csv", paths[0]))
        text = " ".join(ask(*paths).split())
    row = find(table, "PARALLEL_EFFICIENCY")
    equal((row["value"], row["verdict"], row["judged"], row["bad"]),
          ("22.5", "bad", "1", "1"), "PARALLEL_EFFICIENCY of four processes")
    equal({line["verdict"] for line in lines
           if line["metric"] == "PARALLEL_EFFICIENCY"}, {""}, "not of each")
    row = find(alone, "PARALLEL_EFFICIENCY")
    equal((row["value"], row["verdict"]), ("90", "neutral"),
          "one that works on one processor is judged by that one")
    ok("PARALLEL_EFFICIENCY 22.500 % in all 4 processes of section 'all'" in text,
       "and its hint", text)


def test_above_of_run():
    """A limit of one thread does not ask one of the run above it, which a
    thread has no verdict on."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        mine = write(where, "own.hpm",
                     "ratio AA = MY_X / MY_Y  bad > 26  of run\n"
                     "ratio AB = MY_Y / MY_Y  bad > 0.5  under AA\n"
                     "ratio AC = MY_X / MY_Y  bad > 15\n"
                     "ratio AD = MY_Y / MY_Y  bad > 0.5  of run  under AC\n")
        table = of_threads(where, "g.hpm.xml", [
            record(1 + tid, tid, 0, "work", 1, 1,
                   [data("MY_X", 100000 * (tid + 1)), data("MY_Y", 10000)])
            for tid in range(4)], HPM_DEFS=mine)[1]
    for name, verdict, judged, bad in (
            ("AA", "neutral", "1", "0"), ("AB", "bad", "4", "4"),
            ("AC", "bad", "4", "3"), ("AD", "bad", "1", "1")):
        row = find(table, name)
        equal((row["verdict"], row["judged"], row["bad"]),
              (verdict, judged, bad), f"{name}: a limit of another extent above")


def test_two_processors():
    """What only one kind of processor defines is judged there, and told of the
    section, whichever task comes last."""
    for first, last in (("skx", "power4"), ("power4", "skx")):
        with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
            mine = write(where, "own.hpm", "arch skx\n"
                         "ratio AA = MY_X / MY_Y  bad > 15\n")
            paths = [write(where, f"{task}.hpm.xml", task_file(task, [
                record(1 + tid, tid, task, "work", 1, 1,
                       [data("MY_X", 100000 * (tid + 1)),
                        data("MY_Y", 10000)]) for tid in range(3)],
                pmu=f'pmu="{pmu}"')) for task, pmu in enumerate((first, last))]
            table = read_csv(ask("--format", "csv", *paths, HPM_DEFS=mine))
            text = read_text(ask(*paths, HPM_DEFS=mine), {"AA"})
        row = find(table, "AA")
        equal((row["value"], row["verdict"], row["judged"], row["bad"],
               row["reason"]),
              ("", "bad", "3", "2", "counted by processors of several kinds"),
              f"a metric of one of two processors, {last} last")
        equal(text[1], {"work": 2}, "and the section has as many bad values")


def test_user_time():
    """What counts the user program alone explains no time of the kernel."""
    counters = "".join(
        f'<Counter name="{name}" domain="{domain}" state="counted"/>'
        for name, domain in (("PM_CYC", "user"), ("PM_INST_CMPL", "user")))
    for user, hints in ((0.08, ["SYSTEM_SHARE"]),
                        (1.5, ["SYSTEM_SHARE", "IPC"])):
        with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
            path = write(where, "u.hpm.xml", task_file(0, [record(
                1, -1, 0, "all", 4, 4, [
                    data(name, int(value), exclusive=int(value), **more)
                    for name, value, more in (
                        ("task-clock", 4e9, {"unit": "ns"}),
                        ("ru::utime", user * 1e9, {"unit": "ns"}),
                        ("ru::stime", (4 - user) * 1e9, {"unit": "ns"}),
                        ("PM_CYC", user * 1e9, {}),
                        ("PM_INST_CMPL", user * 1e8, {}))],
                scope="process")], counters=counters))
            said = json.loads(ask("--format", "json", path))["hints"]
        equal([hint["hint"] for hint in said], hints,
              f"{user} s of 4 in the program")


def test_gravest():
    """A hint has the value of one thread, and says how many are bad, as the
    table does: not where it leaves out what sections inside did."""
    def one(tid, n_bad, inner):
        x = 9000 if tid < n_bad else 20
        counts = [data("MY_X", x, exclusive=x),
                  data("MY_Y", 100, exclusive=100)]
        own = record(1 + 2 * tid, tid, 0, "work", 1, 1 + inner, counts)
        return [own, record(2 + 2 * tid, tid, 0, "in", 1, 1, [
            data("Q", 1, exclusive=1)], parent=1 + 2 * tid, line=90, inst=2)
        ] if inner else [own]
    for n_bad, inner, place in (
            (1, 0, "the gravest of 5 threads (1 bad) of section 'work'"),
            (2, 0, "the gravest of 5 threads (2 bad) of section 'work'"),
            (5, 0, "the gravest of 5 threads (5 bad) of section 'work'"),
            (2, 1, "the gravest of 5 threads of section 'work'")):
        with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
            mine = write(where, "own.hpm", "ratio AA = MY_X / MY_Y  bad > 3  "
                         'label "x"  why "w"  next BASIC  try "t"')
            path, table, text = of_threads(
                where, "g.hpm.xml",
                [part for tid in range(5) for part in one(tid, n_bad, inner)],
                HPM_DEFS=mine)
            rows = json.loads(ask("--format", "json", path,
                                  HPM_DEFS=mine))["hints"]
        shown = " ".join(text.split())
        places = [place + " (sweep.f:10)" +
                  (" without the sections inside it" if inner else "")]
        equal((find(table, "AA")["bad"], [row["where"] for row in rows]),
              (str(n_bad), places), f"{n_bad} of 5 threads are bad")
        ok(f"! {n_bad} of 5" in shown and
           f"AA 90.000 in {places[0]} (bad: above 3)" in shown,
           "the hint says what the table does", text)


def test_two_ways():
    """What one thread has from a formula and others from the counter of the
    metric's name is a row of each: of the least and the most, and of the mark
    of what the formula gives of them together."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        mine = write(where, "own.hpm", "compute TWO_WAYS = MY_X + MY_Y")
        def one(tid, **words):
            value = words.get("value")
            return record(1 + tid, tid, 0, "work", 1, 1, [
                data("MY_X", 1000, exclusive=1000),
                data("MY_Y", 500, exclusive=500),
                data("TWO_WAYS", value, exclusive=value,
                     **{k: v for k, v in words.items() if k != "value"})
                if value else data("TWO_WAYS", None, **words)])
        path, table, text = of_threads(where, "w.hpm.xml", [
            one(0, state="lost"), one(1, value=100, state="shared",
                                      share="0.5", error="1"),
            one(2, value=9000)], HPM_DEFS=mine)
        lines = [row for row in read_csv(ask("--by", "thread", "--format",
                                             "csv", path, HPM_DEFS=mine))
                 if row["metric"] == "TWO_WAYS" and row["kind"] == "metric"]
        page = ask("--by", "thread", path, HPM_DEFS=mine, COLUMNS="200")
    row = next(row for row in table if row["metric"] == "TWO_WAYS" and
               row["kind"] == "metric")
    equal((row["value"], row["threads"], row["thread_min"], row["thread_max"],
           row["remarks"]), ("4500", "3", "100", "9000", "doubtful"),
          "all three are rows, of which one is in doubt")
    ok(re.search(r"^  TWO_WAYS +4,500  \? ", text, re.M), "and as text", text)
    equal([(line["thread"], line["value"], line["remarks"]) for line in lines],
          [("0", "1500", ""), ("1", "100", "doubtful"), ("2", "9000", "")],
          "each thread has its line")
    ok(all(re.search(rf"^  0 +{thread} .*[^,0-9]{value}( |$)", page, re.M)
           for thread, value in ((0, "1,500"), (1, r"100 \?"), (2, "9,000"))),
       "and its value in the table", page)


def recorded_file(where, task):
    """Two threads, and the process with its largest memory."""
    def one(tid):
        delay = 250000000
        return record(2 + tid, tid, task, "work", 1, 1, [
            data("sw::cpu-migrations", 5 + tid, exclusive=5 + tid),
            data("proc::run_delay", delay, exclusive=delay, unit="ns"),
            data("MIGRATIONS", 5 + tid, exclusive=5 + tid, kind="metric"),
            data("RUN_DELAY", delay / 1e9, exclusive=delay / 1e9,
                 kind="metric", unit="s")])
    whole = record(1, -1, task, "all", 12.5, 12.5, [
        data("PEAK_MEMORY", 4096, exclusive=4096, kind="metric", unit="byte")],
        scope="process")
    used = 'seconds="12.5"><Resource name="ru::maxrss" value="4" unit="kB"/></Run>'
    return write(where, f"r.{task}.hpm.xml", task_file(
        task, [whole, one(0), one(1)]).replace('seconds="12.5"/>', used))


def test_recorded():
    """What a file records of a metric that is one counter under another name,
    as hpmcount does of MIGRATIONS, is computed from the counter: of several,
    too, where what was recorded has no sum.  A maximum has none either."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        paths = [recorded_file(where, task) for task in range(2)]
        for names, n, peak in ((paths[:1], 2, "4096"), (paths, 4, "")):
            table = read_csv(ask("--format", "csv", *names))
            told = {row["metric"]: (float(row["value"] or "nan"), row["state"],
                                    row["reason"], row["threads"])
                    for row in table if row["kind"] == "metric"}
            equal(told.get("MIGRATIONS"),
                  (11.0 * n / 2, "counted", "", str(n)),
                  f"a recorded counter of {n} threads is their sum")
            equal(told.get("RUN_DELAY"), (0.25 * n, "counted", "", str(n)),
                  "in the unit of the metric")
            equal(find(table, "PEAK_MEMORY")["value"], peak,
                  "a maximum that was recorded of each has no sum")
        lines = [row for row in read_csv(ask("--by", "thread", "--format",
                                             "csv", paths[0]))
                 if row["metric"] == "MIGRATIONS"]
        text = ask(*paths)
    equal([(row["value"], row["state"]) for row in lines],
          [("5", "counted"), ("6", "counted")], "each thread has its own")
    ok(re.search(r"^  MIGRATIONS +22 ", text, re.M), "and as text", text)


def test_cells():
    """Bad counts what is red in the viewer's table."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        write(where, "own.hpm", DEFINITIONS)
        _, table, text = of_threads(where, "c.hpm.xml", [
            record(i + 1, i, 0, "work", 1, 1,
                   [data("MY_X", 6000 if i < 6 else 0,
                         exclusive=6000 if i < 6 else 0),
                    data("MY_Y", 100, exclusive=100)]) for i in range(8)],
            HPM_DEFS=os.path.join(where, "own.hpm"))
    row = find(table, "AA")
    equal((row["value"], row["verdict"], row["judged"], row["bad"]),
          ("45", "bad", "8", "6"), "together neutral, but six of eight are bad")
    equal((row["worst"], row["worst_at"]), ("60", "0.0"), "the worst is one")
    row = find(table, "MY_X")
    equal((row["worst"], row["worst_at"]), ("", ""),
          "what has no limits has no worst")
    row = find(table, "BB")
    equal((row["value"], row["verdict"], row["judged"], row["bad"]),
          ("45", "neutral", "1", "0"), "of the run the whole is judged")
    equal(read_text(text, JUDGED)[1], {"work": 6}, "the section has six bad values")
    row = find(table, "RATE")
    equal((row["value"], row["verdict"], row["remarks"]),
          ("36000", "neutral", ""),
          "a range is that of one thread, too: together they may be beyond it")


def test_doubts():
    """Outside its range, or counted a twentieth of the time: no verdict."""
    with tempfile.TemporaryDirectory(prefix="hpm-verdicts-") as where:
        write(where, "own.hpm", DEFINITIONS)
        for name, x, words, reason in (
                ("range", 30000, {}, "outside the range of its definition"),
                ("share", 6000, {"state": "shared", "share": "0.05",
                                 "error": "3000"},
                 "an input was counted less than 90 % of the time"),
                ("error", 6000, {"state": "shared", "share": "0.95",
                                 "error": "3000"},
                 "an input may be off by more than a tenth"),
                ("few", 60, {}, ""), ("none", 6000, {}, "")):
            y = 100 if name != "few" else 1
            _, table, text = of_threads(where, f"{name}.hpm.xml", [
                record(1, 0, 0, "work", 1, 1,
                       [data("MY_X", x, exclusive=x, **words),
                        data("MY_Y", y, exclusive=y)])],
                HPM_DEFS=os.path.join(where, "own.hpm"))
            row = find(table, "AA")
            if name == "none":
                equal((row["verdict"], row["remarks"], row["reason"]),
                      ("bad", "", ""), "without a doubt it is bad")
                continue
            ok(row["verdict"] == "" and row["remarks"] == "doubtful" and
               row["reason"] == (reason or row["reason"]) != "" and
               re.search(r"^  AA +[\d.]+  \?", text, re.M) and
               row["reason"] in " ".join(text.split()) and
               "hints, not verdicts: what" not in text,
               f"{name}: a question mark, the reason, no hint", (row, text))


def test_short_thread():
    """Of threads the longest time counts, with the doubt of a shorter one,
    whichever comes first."""
    with tempfile.TemporaryDirectory() as where:
        definitions = write(where, "own.hpm",
                            "ratio PER_TIME = 100 / time::wall bad > 5 good < 1 "
                            "of run")
        for name, brief in (("neither", None), ("first", 0), ("second", 1)):
            path = write(where, name, task_file(0, [
                record(1 + tid, tid, 0, "work", 1 + (tid == long),
                       1 + (tid == long), [],
                       more=' short="yes"' if tid == brief else "")
                for long in [0 if brief is None else 1 - brief]
                for tid in (0, 1)]))
            row = find(read_csv(ask("--format", "csv", path,
                                    HPM_DEFS=definitions)), "PER_TIME")
            equal((row["value"], row["verdict"], row["reason"]),
                  ("50", "", "takes hardly longer than its own measuring")
                  if brief is not None else ("50", "bad", ""),
                  f"of two threads {name} takes hardly longer than measuring it")


def test_none_seen():
    """No event in a time so short that one would be a bad rate tells nothing."""
    with tempfile.TemporaryDirectory() as where:
        definitions = write(where, "own.hpm",
                            "ratio SEEN = MY_X / time::wall bad > 100 good < 10")
        path = write(where, "x", task_file(0, [
            record(1 + n, 0, 0, label, seconds, seconds,
                   [data("MY_X", 0, exclusive=0)], line=10 + n)
            for n, (label, seconds) in enumerate((("brief", 0.001),
                                                  ("long", 10.0)))]))
        table = read_csv(ask("--format", "csv", path, HPM_DEFS=definitions))
    equal({row["section"]: (row["value"], row["verdict"], row["remarks"])
           for row in table if row["metric"] == "SEEN"},
          {"brief": ("0", "", "doubtful"), "long": ("0", "good", "")},
          "none of them in a short time is not good yet")


def test_none_of_part():
    """One event more of the part would be a thousandth of what it is a part
    of, and so much of other events."""
    with tempfile.TemporaryDirectory() as where:
        definitions = write(where, "own.hpm", "ratio PART_OF = "
                            "MY_X / MY_Y * MY_Z / MY_W bad > 0.9 good < 0.5")
        path = write(where, "x", task_file(0, [
            record(1, 0, 0, "work", 1, 1, [
                data(name, value, exclusive=value) for name, value in (
                    ("MY_X", 0), ("MY_Y", 1000), ("MY_Z", 1000),
                    ("MY_W", 1000))])]))
        table = read_csv(ask("--format", "csv", path, HPM_DEFS=definitions))
    row = find(table, "PART_OF")
    equal((row["value"], row["verdict"], row["reason"]), ("0", "good", ""),
          "none of a part is as exact as the part's whole is large")


def test_one_more():
    """None of a rate may as well be one: of a sum, a difference and a
    composition, times what a formula multiplies it by."""
    rates = {"PRODUCT": "100 * MY_X / MY_Y", "SUM": "(MY_W + 100 * MY_X) / MY_Y",
             "DIFFERENCE": "(MY_W - 100 * MY_X) / MY_Y",
             "TREE": "WHOLE / MY_Y"}
    with tempfile.TemporaryDirectory() as where:
        definitions = write(
            where, "own.hpm", "compute LARGE = 100 * MY_X\n"
            "compose WHOLE = MY_W + LARGE\n" + "".join(
                f"ratio {name} = {formula} bad > 0.5 good < 0.05\n"
                for name, formula in rates.items()))
        path = write(where, "x", task_file(0, [
            record(1, 0, 0, "work", 1, 1, [
                data(name, value, exclusive=value) for name, value in (
                    ("MY_X", 0), ("MY_W", 0), ("MY_Y", 1000))])]))
        table = read_csv(ask("--format", "csv", path, HPM_DEFS=definitions))
    for name in rates:
        row = find(table, name)
        equal((row["value"], row["verdict"], row["reason"]),
              ("0", "", "too near a limit for how exact its inputs are"),
              f"none of {name} is none give or take a hundred thousandths")


test_short_thread()
test_none_seen()
test_none_of_part()
test_one_more()
test_paths()
test_usage()
test_whole()
test_of_run()
test_above_of_run()
test_two_processors()
test_user_time()
test_gravest()
test_two_ways()
test_recorded()
test_cells()
test_doubts()
test_files()
test_results()
tap.done()
