# SPDX-License-Identifier: BSD-3-Clause
"""hpm cluster by itself: groups that are there, groups that are not, trees worked
out the slow way, and input that has nothing to cluster."""

import csv
import io
import math
import os
import random
import re
import sys
import xml.etree.ElementTree as ET

import tap
from columnfiles import found, performance_file
from reports import data, record, task_file, write
from tap import HPM, equal, folder, ok, run


def file_of(where, names, rows, threads=None):
    path = os.path.join(where, "x.hpm.xml")
    performance_file(path, names, rows, threads)
    return where


# ---- the paper's cases ---------------------------------------------------------

def master_and_others(chance):
    """sPPM's: 8 tasks of 8 threads, of which thread 0 does more; MEM_SCY tells it
    most, FDV_INS not at all."""
    apart = {"MEM_SCY": 30, "SR_INS": 18, "L1_TCM": 12, "TOT_IIS": 9,
             "LD_INS": 7, "FP_INS": 5, "TOT_CYC": 4, "FDV_INS": 0}
    rows = [[1000000 + apart[n] * 1000 * (thread == 0) +
             round(1000 * chance.gauss(0, 1)) for n in apart]
            for _ in range(8) for thread in range(8)]
    return list(apart), rows


def test_master():
    with folder() as where:
        names, rows = master_and_others(random.Random(1))
        ours = found("cluster", "--raw", file_of(where, names, rows, 8))
        equal([(g["points"], g["members"]) for g in ours["groups"]],
              [(8, "thread 0 of each task"),
               (56, "threads 1 to 7 of each task")],
              "8 threads 0 and 56 others are found, and called so")
        equal([m["metric"] for m in ours["metrics"]], names,
              "the metrics stand by how much they tell")
        ok(all(abs(m["f"] - m["ratio"] * 62) < 1e-9 * m["f"] and
               abs(m["r2"] - m["ratio"] / (1 + m["ratio"])) < 1e-12
               for m in ours["metrics"]), "F and R2 are those of B/W")
        first = ours["metrics"][0]
        ok(abs(first["mean_1"] - first["mean_2"] - 30000) < 1000,
           "means are in the units of what was counted", first)
        merges = ours["merges"]
        ok(len(merges) == 63 and merges[-1]["points"] == 64 and
           {merges[m - 1]["points"] for m in (merges[-1]["a"],
                                              merges[-1]["b"])} == {8, 56},
           "the last two branches of the tree are the two kinds")
        cut = found("cluster", "--raw", "--cut", "--groups", "2", where)
        equal([m["group"] for m in cut["members"]],
              [m["group"] for m in ours["members"]], "a cut has the same groups")


def by_gap(gaps):
    """The rule, of the table."""
    most = max(gaps, key=lambda row: row["gap"])
    if gaps[0]["gap"] >= most["gap"] - most["error"]:
        return 1
    return next((row["groups"] for row, after in zip(gaps[1:], gaps[2:])
                 if row["gap"] >= after["gap"] - after["error"]),
                gaps[-1]["groups"])


def test_gap():
    chance = random.Random(22)
    for n_kinds in (1, 2, 3, 5):
        rows = [[1e6 + 1e3 * chance.gauss(0, 1) + 3e4 * (i % n_kinds == j)
                 for j in range(5)] for i in range(60)]
        with folder() as where:
            ours = found("cluster", "--raw", "--gap",
                         file_of(where, list("ABCDE"), rows))
        equal((ours["groups_found"], by_gap(ours["gap"])),
              (n_kinds if n_kinds > 1 else 0, n_kinds),
              f"the gap statistic finds {n_kinds}, by its rule")
        squares = [c["within"] for c in ours["choices"]]
        ok(len(ours["gap"]) == 10 and
           all(row["error"] > 0 for row in ours["gap"]) and
           len(squares) == 9, "of 1 to 10 groups there is a gap, with its error",
           ours["gap"])
    with folder() as where:
        path = file_of(where, ["A", "B"], [[1.0, 2.0], [3.0, 5.0]] * 6)
        equal((lambda f: (f["groups_found"], by_gap(
            [{**row, "gap": math.inf if row["gap"] == "infinite" else row["gap"]}
             for row in f["gap"]])))(found("cluster", "--raw", "--gap", path)),
              (2, 2), "of two points, six times each, there are two groups")
        result = run([HPM, "cluster", "--gap", "--groups", "2", path])
        ok(result.returncode == 2 and b"--gap does not go with --groups" in
           result.stderr, "it does not go with a number of groups", result.stderr)


def test_processes():
    chance = random.Random(4)
    with folder() as where:
        for task in range(3):
            counters = [[data(n, round(1e6 + 1e3 * chance.gauss(0, 1)))
                         for n in ("A", "B")] for _ in range(5)]
            write(where, f"p.{task}.hpm.xml", task_file(task, [
                record(1, -1, task, "all of it", 9.0, 9.0, counters[4],
                       scope="process", line=1),
                *[record(tid + 2, tid, task, "work", 1.0, 1.0, counters[tid])
                  for tid in range(4)]]))
        ours = found("cluster", "--raw", where)
        ok(ours["section"] == "work" and ours["points"] == 12,
           "threads go before the processes around them", ours["section"])


def grid_kinds(chance):
    """Sweep3D's: a grid of 8 x 8 tasks; corners, edges and the interior have
    another number of neighbours."""
    rows = []
    for i in range(64):
        sides = (i % 8 in (0, 7)) + (i // 8 in (0, 7))
        rows.append([10000 - 2000 * sides + round(30 * chance.gauss(0, 1)),
                     500 + 400 * sides + round(10 * chance.gauss(0, 1))])
    return ["MESSAGES", "WAIT"], rows


def test_grid():
    with folder() as where:
        names, rows = grid_kinds(random.Random(2))
        ours = found("cluster", "--raw", file_of(where, names, rows, 1))
        sizes = sorted(g["points"] for g in ours["groups"])
        equal(sizes, [4, 24, 36], "corners, edges and the interior are found")


def test_names_of_kinds():
    for word, is_one in (("every 8th task from 0 to 56", lambda i: i % 8 == 0),
                         ("tasks 3 to 9", lambda i: 3 <= i <= 9),
                         ("host node5", lambda i: i == 5)):
        with folder() as where:
            chance = random.Random(3)
            rows = [[100 + 50 * is_one(i) + chance.gauss(0, 1),
                     chance.gauss(0, 1)] for i in range(64)]
            ours = found("cluster", "--metrics", "A", "--groups", "2",
                         file_of(where, ["A", "B"], rows, 1))
            ok(word in [g["members"] for g in ours["groups"]],
               f"a group is called '{word}'", ours["groups"])


# ---- groups that are not there -------------------------------------------------------

def test_nothing():
    n, n_none = 4 if tap.IS_REPEATED else 20, 0
    for seed in range(n):
        with folder() as where:
            chance = random.Random(seed)
            rows = [[chance.gauss(1000, 10) for _ in range(6)]
                    for _ in range(60)]
            ours = found("cluster", "--raw",
                         file_of(where, list("ABCDEF"), rows, 8))
            n_none += ours["groups_found"] == 0
    ok(n_none >= n - 1, "where there is only chance there are no natural groups",
       n_none)
    with folder() as where:
        rows = [[random.Random(7 * i + j).gauss(0, 1) for j in range(5)]
                for i in range(50)]
        text = run([HPM, "cluster", "--raw",
                    file_of(where, list("ABCDE"), rows)]).stdout.decode()
    ok("no natural groups" in " ".join(text.split()), "which is said", text)


# ---- trees, the slow way -----------------------------------------------------------

def scaled(rows):
    columns = []
    for column in zip(*rows):
        mean = math.fsum(column) / len(column)
        deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in column) /
                              (len(column) - 1))
        columns.append([(v - mean) / deviation for v in column])
    return list(zip(*columns))


def slow_heights(points, linkage):
    """By the definitions: all pairs of clusters, all pairs of their points."""
    clusters = [[p] for p in points]
    heights = []

    def distance(a, b):
        if linkage == "ward":
            means = [[math.fsum(c) / len(one) for c in zip(*one)]
                     for one in (a, b)]
            return math.sqrt(2 * len(a) * len(b) / (len(a) + len(b))) * \
                math.dist(*means)
        all_pairs = [math.dist(x, y) for x in a for y in b]
        return {"single": min, "complete": max,
                "average": lambda d: math.fsum(d) / len(d)}[linkage](all_pairs)

    while len(clusters) > 1:
        height, i, j = min((distance(clusters[i], clusters[j]), i, j)
                           for i in range(len(clusters)) for j in range(i))
        heights.append(height)
        clusters[j] += clusters.pop(i)
    return heights


def test_slow_trees():
    chance = random.Random(4)
    rows = [[chance.gauss(0, 1), chance.random(), chance.gauss(5, 3)]
            for _ in range(24)]
    with folder() as where:
        file_of(where, list("ABC"), rows)
        for linkage in ("single", "complete", "average", "ward"):
            ours = found("cluster", "--raw", "--linkage", linkage, where)
            expected = slow_heights(scaled(rows), linkage)
            ok(all(abs(m["height"] - h) < 1e-9
                   for m, h in zip(ours["merges"], expected)),
               f"{linkage}: the heights are those of the definition")


# ---- forms ------------------------------------------------------------------------

def test_no_spread_within():
    """Where all of a kind are equal F has no number: rounding is not one."""
    chance = random.Random(3)
    rows = [[0.1 + 0.7 * (i % 8 == 0), 1e6 * (1 / 3 if i % 8 else 2 / 7),
             chance.gauss(1e6, 1e4) + 3e5 * (i % 8 == 0)] for i in range(64)]
    with folder() as where:
        ours = found("cluster", "--raw", file_of(where, list("ABC"), rows, 8))
        equal([(m["metric"], m["ratio"], m["f"], m["mean_2"])
               for m in ours["metrics"]][:2],
              [("A", "infinite", "infinite", 0.1),
               ("B", "infinite", "infinite", 1e6 / 3)],
              "of metrics without spread within groups F is infinite, and the mean "
              "what each has")
        said = " ".join(run([HPM, "report", where]).stdout.decode().split())
        ok("they differ most in A (F infinite) and B (F infinite)." in said,
           "and the sentence says so", said[-300:])
    with folder() as where:
        said = " ".join(run([HPM, "report", file_of(
            where, list("AB"), [[row[2] + 1e10 * (i % 8 == 0), row[2]]
                                for i, row in enumerate(rows)], 8)]).stdout.decode().split())
        ok("A (F >999999)" in said, "an F of many digits is no more than large",
           said[-300:])


def test_equal_but_for_rounding():
    """F is only large then, in all forms, and the bars of other metrics are seen."""
    chance = random.Random(3)
    rows = [[(0.1 if i % 8 else 0.7) * (1 + 2e-16 * (i % 3)),
             chance.gauss(1e6, 1e4) + 3e5 * (i % 8 == 0)] for i in range(64)]
    with folder() as where:
        options = ("--raw", "--groups", "2", file_of(where, list("AB"), rows, 8))
        ours = found("cluster", *options)["metrics"]
        equal([ours[0][word] for word in ("metric", "ratio", "f")],
              ["A", ">999999", ">999999"], "in JSON")
        ok(isinstance(ours[1]["f"], (int, float)) and ours[1]["f"] < 1e6,
           "other ratios are numbers", ours)
        table = run([HPM, "cluster", "--format", "csv", "--table", "metrics",
                     *options]).stdout.decode().splitlines()
        ok(table[1].startswith("A,>999999,>999999,1,0,"), "in CSV", table)
        svg = run([HPM, "cluster", "--format", "svg", "--picture", "ratios",
                   *options]).stdout.decode()
        ok(svg.count(">>999999<") == 2 and svg.count('width="200.0"') == 2,
           "in the picture it is as long as the largest that is a number", svg[-900:])


def test_far_apart():
    """The difference of two values may be larger than any double."""
    chance = random.Random(5)
    rows = [[(1 if i % 8 else -1) * 1.7e308 * (1 - 0.01 * chance.random()),
             chance.gauss(5, 1) + 30 * (i % 8 == 0)] for i in range(64)]
    with folder() as where:
        path = file_of(where, list("AB"), rows, 8)
        for how in ("z", "range", "robust"):
            ours = found("cluster", "--raw", "--scale", how, path)
            kinds = {(-1e308 > g["mean_1"], g["mean_2"] > 1e308)
                     for g in ours["metrics"] if g["metric"] == "A"}
            equal((ours["columns"], ours["groups_found"], kinds),
                  (2, 2, {(True, True)}), f"{how}: both columns tell two kinds")
        for command in ("components", "outliers"):
            ours = found(command, "--raw", path)
            ok(ours is not None and
               not any("the same in all" in note for note in ours["notes"]),
               f"{command} takes them, too", ours and ours["notes"])
        rows = [[*row, chance.gauss(9, 1)] for row in rows]
        ours = found("cluster", "--raw", "--scale", "none",
                     file_of(where, list("ABC"), rows, 8))
        ok(ours["columns"] == 2 and "1 column is left out, too large without "
           "scaling: A." in ours["notes"], "what is not scaled may be too large",
           ours["notes"])


def test_gap_of_many():
    """A hundred times k-means, of the code that test_gap() has run."""
    if tap.IS_REPEATED:
        return
    n = 5001
    with folder() as where:
        path = os.path.join(where, "x.hpm.xml")
        very_many_calls(path, n)
        result = run([HPM, "cluster", "--gap", "--calls", "--metrics", "A,B,C",
                      path])
        text = " ".join(result.stdout.decode().split())
        ok("The gap is of 5000 of the 5001 points, drawn by chance." in text and
           "3 groups by k-means" in text, "of very many points some make the gap",
           text[:900])


def very_many_calls(path, n):
    """Single calls of one thread, of three kinds."""
    chance = random.Random(11)
    calls = "".join(
        f'<call n="{i + 1}" begin="{i}" seconds="0.5" counts="' +
        " ".join(str(round(1e6 + 4e4 * (i % 3 == j) + 1e3 * chance.gauss(0, 1)))
                 for j in range(3)) + '"/>' for i in range(n))
    counters = [data(name, 10 ** 6 * n) for name in "ABC"]
    with open(path, "w", encoding="utf-8") as file:
        file.write(task_file(0, [record(
            1, 0, 0, "step", 0.5 * n, 0.5 * n, counters + [
                f'<calls of="{n}" kept="{n}"><counted name="A"/>'
                f'<counted name="B"/><counted name="C"/>{calls}</calls>'],
            calls=n)]))


def test_approximate():
    n = 50001
    with folder() as where:
        path = os.path.join(where, "x.hpm.xml")
        very_many_calls(path, n)
        options = ("--calls", "--metrics", "A,B,C", path)
        ours = found("cluster", "--cut", "--groups", "3", *options)
        ok(ours is not None and len(ours["members"]) == n and
           all(m["group"] == (m["call"] - 1) % 3 + 1 for m in ours["members"]),
           "a cut of an approximate tree has the three kinds of very many calls")
        leaves = [m["leaf"] for m in ours["members"]]
        merges = ours["merges"]
        ok(max(leaves) == ours["leaves"] == len(merges) + 1 <= 500 and
           merges[-1]["points"] == n and
           all(merges[i]["points"] == leaves.count(-merges[i]["a"]) +
               leaves.count(-merges[i]["b"]) for i in range(3)),
           "its leaves are small groups, and merges know how many points they are")
        kinds = {}
        for leaf, member in zip(leaves, ours["members"]):
            kinds.setdefault(leaf, set()).add(member["group"])
        ok(all(len(kind) == 1 for kind in kinds.values()),
           "no leaf is of two kinds that are far apart")
        if tap.IS_REPEATED:
            return
        text = run([HPM, "cluster", "--cut", *options]).stdout.decode()
        ok(f"approximate: its leaves are {len(merges) + 1} small groups of points "
           "near to each other" in " ".join(text.split()), "in text it is said",
           text[-2500:])
        equal(sum(int(size) for size in re.findall(r"\n  (\d+) with ", text)), n,
              "and the branches that are drawn have all points")
        result = run([HPM, "cluster", "--cut", "--groups", "501", *options])
        ok(result.returncode != 0 and b"a cut of an approximate tree makes at most"
           in result.stderr, "more groups than leaves cannot be cut", result.stderr)


def few_places(where):
    """Very many calls at ten places, four of which have few calls: joined these are
    farther from their mean than from calls of others."""
    heavy = [(x, y) for x in (-1.675, 1.675) for y in (-1.15, 1.15)]
    light = [(x, y) for x in (-0.675, 0.675) for y in (-1.15, 1.15)]
    places = heavy * 12500 + light * 40 + [(0, -10), (0, 10)] * 371
    calls = "".join(
        f'<call n="{i + 1}" begin="{i}" seconds="0.5" counts="' +
        " ".join(str(round(2e6 + 1e5 * at)) for at in place) + '"/>'
        for i, place in enumerate(places))
    n = len(places)
    return write(where, "x.hpm.xml", task_file(0, [record(
        1, 0, 0, "step", 0.5 * n, 0.5 * n,
        [data(name, 2 * 10 ** 6 * n) for name in "AB"] +
        [f'<calls of="{n}" kept="{n}"><counted name="A"/><counted name="B"/>'
         f'{calls}</calls>'], calls=n)]))


def test_fewer_than_asked():
    with folder() as where:
        text = " ".join(run([HPM, "cluster", "--cut", "--groups", "7", "--calls",
                             "--metrics", "A,B", few_places(where)])
                        .stdout.decode().split())
        ok("A cut of the approximate tree makes 6 groups here, not 7: all points "
           "of the others are nearer to the mean of another group." in text and
           "points differ" not in text,
           "where a cut leaves a group without points, that is said", text[:1500])


def test_forms():
    with folder() as where:
        names, rows = master_and_others(random.Random(5))
        file_of(where, names, rows, 8)
        text = run([HPM, "cluster", "--raw", where]).stdout.decode()
        ok("2 groups by k-means" in text and "seed 20020716" in text and
           "thread 0 of each task" in text and "B/W" in text and
           "The tree" in text, "text has groups, seed, metrics and tree", text)
        first = run([HPM, "cluster", "--raw", "--format", "json", where]).stdout
        again = run([HPM, "cluster", "--raw", "--format", "json", "--threads",
                     "3", where]).stdout
        equal(again, first, "the same bytes with any number of threads")
        table = list(csv.DictReader(io.StringIO(
            run([HPM, "cluster", "--raw", "--format", "csv", where])
            .stdout.decode())))
        equal([len(table), list(table[0])],
              [64, ["section", "task", "thread", "group", "silhouette"]],
              "CSV has the points with their groups")
        table = run([HPM, "cluster", "--raw", "--format", "csv", "--table",
                     "metrics", where]).stdout.decode()
        ok(table.startswith("metric,ratio,f,r2,p,mean_1,mean_2\nMEM_SCY,"),
           "or the table that is named", table)
        svg = run([HPM, "cluster", "--raw", "--format", "svg", where]).stdout
        lines = ET.fromstring(svg).iter(
            "{http://www.w3.org/2000/svg}polyline")
        equal(len([e for e in lines if "class" not in e.attrib]), 63,
              "the picture is XML, with a branch for each merge")
        drawn = [ET.fromstring(run([HPM, "cluster", "--raw", "--format", "svg",
                                    "--picture", name, where]).stdout)
                 for name in ("points", "weights", "ratios")]
        equal([[len(list(p.iter("{http://www.w3.org/2000/svg}" + shape)))
                for shape in ("circle", "rect")] for p in drawn],
              [[64, 1], [0, 17], [0, 9]],
              "points, weights of 8 metrics in two components, and F of each")
        equal(run([HPM, "cluster", "--picture", "points", where]).returncode, 2,
              "none of them is text")
        newick = run([HPM, "cluster", "--raw", "--format", "newick",
                      where]).stdout.decode()
        ok(newick.count("(") == newick.count(")") == 63 and
           newick.endswith(");\n") and
           len(set(re.findall(r"'([^']*)'", newick))) == 64,
           "Newick has every point once", newick)


# ---- input with nothing in it ---------------------------------------------------------

def fails(where, names, rows, words, *options):
    file_of(where, names, rows)
    result = run([HPM, "cluster", "--raw", *options, where])
    lines = result.stderr.decode().splitlines()
    ok(result.returncode == 3 and len(lines) == 1 and words in lines[0] and
       result.stdout == b"", f"{words}: one line, and 3",
       (result.returncode, lines))


def test_hostile():
    with folder() as where:
        fails(where, ["A"], [[5]], "1 of the 2 points")
        fails(where, ["A"], [[5], [5]], "0 of the 1 columns")
        fails(where, ["A", "B"], [[None, None]] * 6, "missing in more")
        fails(where, ["A"], [[1], [2], [3]], "4 groups of 3 points",
              "--groups", "4")
        two = found("cluster", "--raw",
                    file_of(where, ["A"], [[1], [2]]))
        equal([len(two["merges"]), two["groups_found"]], [1, 0],
              "two points are a tree, and no groups")
        one = found("cluster", "--raw", file_of(where, ["A"], [
            [v + i / 100] for v in (1, 9) for i in range(10)]))
        equal(one["groups_found"], 2, "one metric is enough")
        chance = random.Random(6)
        wide = found("cluster", "--raw", file_of(
            where, [f"M{j:02}" for j in range(64)],
            [[chance.random() for _ in range(64)] for _ in range(3)]))
        equal([wide["points"], wide["columns"], len(wide["merges"])],
              [3, 64, 2], "so are 3 points of 64 metrics")
        same = found("cluster", "--raw", "--groups", "5", file_of(
            where, ["A"], [[1], [1], [1], [2], [2]]))
        equal(same["groups_found"], 2, "of 2 different points there are no 5 "
              "groups")
        huge = found("cluster", "--raw", file_of(where, ["A", "B"], [
            [4 * 10 ** 15 + (i > 4), 10 ** 10 + 3 * (i > 4)]
            for i in range(10)]))
        equal([g["points"] for g in huge["groups"]], [5, 5],
              "large counters that differ by 1 are not constant")


def test_section():
    """Without --section: the one with the most time of those of several
    threads."""
    with folder() as where:
        write(where, "s.0.hpm.xml", task_file(0, [
            record(1, 0, 0, "alone", 900, 900, [data("A", 1)]),
            *[record(2 + i, i, 0, "short", 1, 1, [data("A", i)], line=20)
              for i in range(4)],
            *[record(9 + i, i, 0, "long", 5, 5, [data("A", i * i)], line=30)
              for i in range(4)]]))
        result = run([HPM, "cluster", "--raw", where])
        ok(b"section 'long'" in result.stdout and
           b"of 3 sections this is section 'long'" in result.stderr,
           "of three sections the longest of several threads is taken, which is "
           "said", result.stderr)
        result = run([HPM, "cluster", "--raw", "--section", "short", where])
        ok(b"section 'short'" in result.stdout and result.stderr == b"",
           "or that which is named", result.stderr)


def test_dropped():
    with folder() as where:
        rows = [[float(i), 7, None if i > 3 else 1.5, 2.0 * i,
                 None if i == 2 else (i * 7) % 5] for i in range(10)]
        ours = found("cluster", "--raw", file_of(where, list("ABCDE"), rows))
        said = " ".join(ours["notes"])
        ok("missing in more than half of the points: C." in said and
           "the same in all points: B." in said and
           "1 of 10 points are left out" in said and
           "A and D say the same" in said and ours["columns"] == 3,
           "what was left out, and what counts twice, is said by name", said)
        rows = [[float(i), 2.0 * i, float(i * i), -3.0 * i, 5.0 * i * i]
                for i in range(10)]
        os.mkdir(os.path.join(where, "sets"))
        ours = found("cluster", "--raw", file_of(os.path.join(where, "sets"),
                                                 list("ABCDE"), rows))
        equal([n for n in ours["notes"] if "say the same" in n],
              ["A, B and D say the same (their correlations are 1 or -1): they count "
               "3 times here.",
               "C and E say the same (their correlation is 1): they count twice here."],
              "a sentence for each set of columns, not for each pair")


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
