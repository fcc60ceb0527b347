# SPDX-License-Identifier: BSD-3-Clause
"""hpm outliers: points that lie apart are found, whatever they are, and others are
not."""

import csv
import io
import math
import os
import random
import sys

import tap
from columnfiles import found, performance_file
from tap import HPM, equal, folder, ok, run


def file_of(where, names, rows, threads=None):
    performance_file(os.path.join(where, "x.hpm.xml"), names, rows, threads)
    return where


def cloud(chance, n):
    """A and B rise together, C is apart from them."""
    rows = []
    for _ in range(n):
        a = chance.gauss(0, 1)
        rows.append([1000 + 100 * a, 500 + 50 * a + chance.gauss(0, 5),
                     chance.gauss(70, 7)])
    return rows


def apart(ours):
    return [(d["task"], d["thread"]) for d in ours["distances"]
            if d["outlier"]]


def test_found():
    with folder() as where:
        rows = cloud(random.Random(1), 64)
        rows[10][2] = 700  # far in one column
        rows[33] = [1100, 450, 70]  # in no column far, but against the others
        ours = found("outliers", "--raw", file_of(where, list("ABC"), rows, 8))
        equal(apart(ours), [(1, 2), (4, 1)], "what is far in one column, and "
              "what is only odd in two together, lies apart")
        equal(ours["outliers"][0]["point"], "task 1 thread 2",
              "the farthest comes first")
        ok(ours["outliers"][0]["reasons"].startswith("C ") and
           "above" in ours["outliers"][0]["reasons"],
           "with the column in which it is", ours["outliers"])


def test_masked():
    """As many as a quarter of the points do not hide each other."""
    with folder() as where:
        rows = cloud(random.Random(2), 60)
        for i in range(0, 60, 4):
            rows[i][2] += 1000
        ours = found("outliers", "--raw", file_of(where, list("ABC"), rows))
        equal(apart(ours), [(0, i) for i in range(0, 60, 4)],
              "15 of 60 points that lie apart are all found")


def test_none():
    n_runs = 0
    for seed in range(20):
        with folder() as where:
            rows = cloud(random.Random(100 + seed), 200)
            n_runs += found("outliers", "--raw", file_of(
                where, list("ABC"), rows))["outliers_found"] > 0
    ok(n_runs <= 3, "where there is only chance hardly a run has an outlier",
       n_runs)


def test_units():
    """Distances do not depend on units."""
    with folder() as where:
        rows = cloud(random.Random(3), 50)
        first = found("outliers", "--raw", file_of(where, list("ABC"), rows))
        rows = [[a * 1e9, b * 1e-6, 3 * c + 7] for a, b, c in rows]
        again = found("outliers", "--raw", file_of(where, list("ABC"), rows))
        ok(all(math.isclose(x["distance"], y["distance"], rel_tol=1e-6)
               for x, y in zip(first["distances"], again["distances"])),
           "distances are the same in other units")


def test_hostile():
    chance = random.Random(4)
    with folder() as where:
        for rows, words in (([[1, 2]], "1 of the 5 points"),
                            ([[1, 2]] * 2, "2 of the 5 points"),
                            ([[1, 2]] * 9, "the same in all points"),
                            ([[None, None]] * 9, "missing in more than half")):
            result = run([HPM, "outliers", "--raw",
                          file_of(where, ["A", "B"], rows)])
            lines = result.stderr.decode().splitlines()
            ok(result.returncode == 3 and len(lines) == 1 and words in lines[0],
               f"{words}: one line, and 3", lines)
        wide = found("outliers", "--raw", file_of(
            where, [f"M{j:02}" for j in range(64)],
            [[chance.random() for _ in range(64)] for _ in range(6)]))
        ok(wide["columns"] == 64 and "by itself" in " ".join(wide["notes"]),
           "6 points of 64 metrics: each column by itself, which is said")
        most = found("outliers", "--raw", file_of(
            where, ["A", "B"], [[5 + 100 * (i == 7), i % 3] for i in range(30)]))
        equal(apart(most), [(0, 7)], "a column that is the same in all points "
              "but one")
        copied = found("outliers", "--raw", file_of(
            where, ["A", "B"], [[i % 7, 2 * (i % 7)] for i in range(40)]))
        equal(copied["outliers_found"], 0, "a copied column is no direction")


def test_forms():
    with folder() as where:
        rows = cloud(random.Random(5), 40)
        rows[3][0] = 9999
        file_of(where, list("ABC"), rows)
        table = list(csv.DictReader(io.StringIO(run(
            [HPM, "outliers", "--raw", "--format", "csv", where])
            .stdout.decode())))
        equal([len(table), table[3]["outlier"], table[4]["outlier"]],
              [40, "1", "0"], "CSV has all points")
        text = run([HPM, "outliers", "--raw", where]).stdout.decode()
        ok("One point lies apart" in text and "task 0 thread 3" in text,
           "text names them", text)


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
