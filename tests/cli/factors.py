# SPDX-License-Identifier: BSD-3-Clause
"""hpm components and hpm factors by themselves: the groups of the paper's Table 3,
fits that are known beforehand, and input of which there is no fit."""

import csv
import io
import math
import os
import random
import sys

import tap
from columnfiles import found, performance_file
from tap import HPM, equal, folder, ok, run

# Loadings of Ahn and Vetter's Table 3.  It prints 0 for less than 0.1: those are
# such here that varimax has nothing to turn, as it would have with zeros.
TABLE_3 = {"LD_INS": (-0.658, 0.519, 0.541), "BR_PRC": (0.027, -0.072, 0.792),
           "L1_DCM": (0.969, 0.13, -0.161), "FXU_IDL": (-0.244, 0.883, -0.290),
           "BTAC_M": (0.799, -0.097, 0.324), "FP_INS": (-0.974, 0.199, 0.029),
           "MEM_WCY": (0.957, -0.074, -0.014), "SR_INS": (0.070, 0.690, 0.088)}


def file_of(where, names, rows, threads=None):
    performance_file(os.path.join(where, "x.hpm.xml"), names, rows, threads)
    return where


def times(a, b):
    return [[math.fsum(x * y for x, y in zip(row, column))
             for column in zip(*b)] for row in a]


def root_of(matrix):
    """The lower triangle whose product with itself is the matrix."""
    n = len(matrix)
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - math.fsum(low[i][k] * low[j][k]
                                            for k in range(j))
            low[i][j] = math.sqrt(rest) if i == j else rest / low[j][j]
    return low


def points_with(correlations, n, seed):
    """n points that have exactly these correlations: columns by chance are made
    of mean 0 and at right angles to each other, then mixed."""
    chance = random.Random(seed)
    columns = []
    for _ in correlations:
        column = [chance.gauss(0, 1) for _ in range(n)]
        for _ in range(2):
            for other in [[1 / math.sqrt(n)] * n, *columns]:
                along = math.fsum(x * y for x, y in zip(column, other))
                column = [x - along * y for x, y in zip(column, other)]
        length = math.sqrt(math.fsum(x * x for x in column))
        columns.append([x / length for x in column])
    low = root_of(correlations)
    return [[100 + 10 * math.fsum(low[j][k] * columns[k][i]
                                  for k in range(len(low)))
             for j in range(len(low))] for i in range(n)]


def correlations_of(loadings):
    product = times(loadings, list(zip(*loadings)))
    return [[1.0 if i == j else product[i][j] for j in range(len(product))]
            for i in range(len(product))]


def test_paper():
    with folder() as where:
        rows = points_with(correlations_of(list(TABLE_3.values())), 64, 1)
        ours = found("factors", "--raw", "--factors", "3",
                     file_of(where, list(TABLE_3), rows, 8))
        groups = {frozenset(g["metrics"].split(", "))
                  for g in ours["metric_groups"]}
        equal(groups, {frozenset(g) for g in (
            ("L1_DCM", "BTAC_M", "FP_INS", "MEM_WCY"), ("FXU_IDL", "SR_INS"),
            ("BR_PRC",), ("LD_INS",))},
            "the four groups of Table 3: what loads on three factors is its own")
        equal([g["factors"] for g in ours["metric_groups"]
               if g["metrics"] == "LD_INS"], ["1, 2, 3"],
              "and the factors are named")
        equal([g["representative"] for g in ours["metric_groups"]
               if "L1_DCM" in g["metrics"]], ["FP_INS"],
              "the largest loading stands for its group")
        worst = max(abs(abs(row[f"factor_{k + 1}"]) -
                        abs(TABLE_3[row["metric"]][k]))
                    for row in ours["loadings"] for k in range(3))
        ok(worst < 2e-3, "the loadings are those of the table", worst)
        ok(abs(ours["objective"]) < 1e-3, "which fit", ours["objective"])


def test_known_fit():
    """One factor with loadings that are known is found exactly."""
    loadings = [(0.9,), (0.8,), (0.7,), (0.6,), (-0.5,), (0.4,)]
    with folder() as where:
        rows = points_with(correlations_of(loadings), 40, 2)
        ours = found("factors", "--raw", file_of(where, list("ABCDEF"), rows))
        ok(ours["factors"] == 1 and abs(ours["objective"]) < 1e-12 and
           all(abs(row["factor_1"] - l[0]) < 1e-6 and
               abs(row["uniqueness"] - (1 - l[0] ** 2)) < 1e-6 and
               row["heywood"] is None
               for row, l in zip(ours["loadings"], loadings)),
           "one factor is found exactly", ours)
        ok(abs(ours["explained"][0]["squares"] -
               sum(l[0] ** 2 for l in loadings)) < 1e-6,
           "and what it explains", ours["explained"])
        ok(found("factors", "--raw", "--threshold", "0.65",
                 where)["metric_groups"][0]["metrics"] == "A, B, C",
           "--threshold draws another line")


def test_heywood():
    """A correlates with B and C by more than all of it can explain."""
    r = [[1, .9, .9, .1], [.9, 1, .7, .1], [.9, .7, 1, .1], [.1, .1, .1, 1]]
    with folder() as where:
        result = found("factors", "--raw", "--factors", "1", file_of(
            where, list("ABCD"), points_with(r, 30, 3)))
        ok([row["metric"] for row in result["loadings"] if row["heywood"]] ==
           ["A"] and any("Heywood" in note and " A " in note
                         for note in result["notes"]),
           "a Heywood case is marked, and told in words", result)


def test_dependent():
    chance = random.Random(4)
    with folder() as where:
        rows = []
        for _ in range(40):
            load, store = chance.gauss(100, 9), chance.gauss(50, 9)
            rows.append([load, store, load + store, chance.gauss(5, 1),
                         load * 2 + chance.gauss(0, 4)])
        result = found("factors", "--raw", file_of(
            where, ["LD", "SR", "LST", "X", "Y"], rows))
        ok(result["method"] == "principal axis" and "objective" not in result,
           "a column that is a sum of others: another fit, which is named",
           result["method"])
        ok(sum("Other columns tell all of: " in n for n in result["notes"]) ==
           1, "and the column is named", result["notes"])
        few = found("factors", "--raw", file_of(
            where, list("ABCDE"),
            [[chance.random() for _ in range(5)] for _ in range(4)]))
        equal(few["method"], "principal axis",
              "so it is with fewer points than columns")


def test_components():
    with folder() as where:
        rows = [[i, -2 * i + 7, 5 * (i % 2)] for i in range(20)]
        ours = found("components", "--raw", file_of(where, list("ABC"), rows))
        values = [c["eigenvalue"] for c in ours["components"]]
        ok(abs(sum(values) - 3) < 1e-12 and values[2] < 1e-15,
           "eigenvalues add up to the number of columns; what two columns say "
           "alike is none", values)
        weights = [w["PC1"] for w in ours["weights"]]
        ok(abs(weights[0] + weights[1]) < 1e-12, "columns that go against each "
           "other have weights of two signs", weights)
        ok(abs(sum(s["PC1"] for s in ours["scores"])) < 1e-9 and
           abs(sum(s["PC1"] ** 2 for s in ours["scores"]) / 19 - values[0]) <
           1e-9, "scores have mean 0 and the eigenvalue for a variance")
        one = found("components", "--raw", "--metrics", "A", where, status=2)
        equal(one, {}, "--raw and --metrics do not go together")
        one = found("components", "--metrics", "A", where)
        equal([len(one["components"]), one["weights"][0]["PC1"]], [1, 1],
              "one column is its own component")
        text = run([HPM, "components", "--raw", where]).stdout.decode()
        ok("####" in text and "PC1" in text, "text has the bars", text)


def test_forms():
    with folder() as where:
        rows = points_with(correlations_of(list(TABLE_3.values())), 64, 5)
        file_of(where, list(TABLE_3), rows, 8)
        for command, table in (("factors", "loadings"),
                               ("components", "components")):
            first = run([HPM, command, "--raw", "--format", "json", where])
            again = run([HPM, command, "--raw", "--format", "json", "--threads",
                         "3", where])
            equal(again.stdout, first.stdout, f"{command}: the same bytes each "
                  "time")
            lines = list(csv.reader(io.StringIO(run(
                [HPM, command, "--raw", "--format", "csv", where])
                .stdout.decode())))
            equal(len(lines), 9, f"{command}: CSV has the {table}")
            bad = run([HPM, command, "--raw", "--format", "csv", "--table",
                       "none", where])
            ok(bad.returncode == 2 and table.encode() in bad.stderr and
               len(bad.stderr.splitlines()) == 1,
               f"{command}: a table that is none of its own is refused, with "
               "those there are", bad.stderr)
        for word in ("1.5", "0", "x", "0.", "0.505"):
            bad = run([HPM, "factors", "--raw", "--threshold", word, where])
            ok(bad.returncode == 2 and f"'{word}' is no threshold".encode() in
               bad.stderr, f"a threshold of {word} is refused", bad.stderr)


def fails(command, where, names, rows, words, *options):
    file_of(where, names, rows)
    result = run([HPM, command, "--raw", *options, where])
    lines = result.stderr.decode().splitlines()
    ok(result.returncode == 3 and len(lines) == 1 and words in lines[0] and
       result.stdout == b"", f"{command}, {words}: one line, and 3",
       (result.returncode, lines))


def test_hostile():
    chance = random.Random(6)
    three = [[chance.random() for _ in range(64)] for _ in range(3)]
    with folder() as where:
        for command, least in (("factors", 3), ("components", 2)):
            fails(command, where, ["A", "B", "C"], [[1, 2, 3]],
                  f"1 of the {least} points")
            fails(command, where, ["A", "B", "C"], [[1, 2, 3]] * 4,
                  "the same in all points")
            fails(command, where, ["A", "B", "C"], [[None] * 3] * 4,
                  "missing in more than half")
            wide = found(command, "--raw", file_of(
                where, [f"M{j:02}" for j in range(64)], three))
            ok(wide is not None and wide["columns"] == 64,
               f"{command}: 3 points of 64 metrics")
        fails("factors", where, ["A", "B"], [[1, 2], [2, 3], [5, 1]],
              "2 of the 3 columns")
        fails("factors", where, list("ABCD"),
              [[chance.random() for _ in range(4)] for _ in range(9)],
              "2 factors are too many for 4 columns; at most 1",
              "--factors", "2")


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
