# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of more digits than a double has: a count is printed to the last
one, what was rounded has an exponent; and the runs of hpmcount -r, whose
values are exact, estimated, or of a file of samples."""

import csv
import io
import json
import os
import re
import xml.etree.ElementTree as ET

import tap
from reports import data, record, report, task_file, write
from tap import HPM, HPMCOUNT, equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
BIG = 2 ** 53 + 1
MOST = 2 ** 64 - 1


def squeeze(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def cycles(value):
    return [data("PM_CYC", value, exclusive=value)]


def two_threads(first, second, task=0):
    return task_file(task, [record(1 + tid, tid, task, "a", 1.0, 1.0,
                                   cycles(value))
                            for tid, value in enumerate((first, second))])


def test_report():
    with folder() as where:
        path = write(where, "a", two_threads(BIG, 3 * BIG + 1))
        lines = squeeze(report(path, COLUMNS="200").stdout.decode())
        cells = next(line for line in lines
                     if line.startswith("PM_CYC")).split()
        equal(cells[:4],
              ["PM_CYC", f"{4 * BIG + 1:,}", f"{BIG:,}", f"{3 * BIG + 1:,}"],
              "text has the smallest and the largest to the last digit")
        ok(re.fullmatch(r"1\.8014\d+e\+16", cells[4]) and
           re.fullmatch(r"9\.00\d+e\+15", cells[5]),
           "the mean and the deviation are rounded, which the exponent says",
           cells)
        rows = list(csv.DictReader(io.StringIO(
            report("--format", "csv", path).stdout.decode())))
        row = next(r for r in rows if r["metric"] == "PM_CYC")
        ok((row["value"], row["thread_min"]) == (str(4 * BIG + 1), str(BIG)) and
           "e+16" in row["thread_average"], "CSV says the same", row)


def test_difference():
    with folder() as where:
        a = write(where, "a", two_threads(3 * BIG, BIG))
        b = write(where, "b", two_threads(BIG, BIG).replace("11:30:0", "11:31:0"))
        result = os.path.join(where, "d")
        run([HPM, "diff", "-o", result, a, b])
        lines = squeeze(report(result, COLUMNS="200").stdout.decode())
        cells = next(line for line in lines
                     if line.startswith("PM_CYC")).split()
        equal(cells[1:3], [f"-{2 * BIG:,}", f"{4 * BIG:,}"],
              "a difference and what was before it, too")


def test_metrics():
    """What is left of two large counts is exact; of their halves, which are no
    counts, it may be nothing but rounding."""
    with folder() as where:
        definitions = write(where, "own.hpm", "compute REST = PM_A - PM_B\n"
                            "compute HALF = 0.5 * PM_A - 0.5 * PM_B")
        path = write(where, "a", task_file(0, [record(
            1 + n, 0, 0, label, 1.0, 1.0,
            [data("PM_A", large, exclusive=large),
             data("PM_B", small, exclusive=small)], line=10 + n)
            for n, (label, large, small) in enumerate((
                ("near", BIG + 1, BIG), ("far", 2 * BIG, BIG)))]))
        rows = {(r["metric"], r["section"]): r for r in csv.DictReader(
            io.StringIO(report("--format", "csv", path,
                               HPM_DEFS=definitions).stdout.decode()))}
        equal({label: (rows["REST", label]["value"],
                       rows["REST", label]["remarks"])
               for label in ("near", "far")},
              {"near": ("1", ""), "far": (str(BIG), "")},
              "a difference of counts is exact")
        equal({label: rows["HALF", label]["remarks"] for label in ("near", "far")},
              {"near": "doubtful", "far": ""},
              "a difference that rounding may have made is doubtful")


def test_calls():
    """A mean of calls need not be whole."""
    with folder() as where:
        paths = [write(where, str(number), task_file(0, [record(
            1, 0, 0, "a", 1.0, 1.0, [], calls=calls)]).replace(
                "11:30:0", f"11:3{number}:0"))
            for number, calls in enumerate((1, 2))]
        result = os.path.join(where, "mean")
        run([HPM, "mean", "-o", result, *paths])
        lines = squeeze(report(result).stdout.decode())
        ok(any(line.startswith("a 1.500 1.000000 ") for line in lines),
           "the calls of a mean have decimals", lines)


def test_partial():
    """Of several threads in one record the longest is not known."""
    with folder() as where:
        path = write(where, "a", task_file(0, [record(
            1, -2, 0, "a", 6.0, 9.0, [], more=' threads="3"')]))
        lines = squeeze(report(path).stdout.decode())
        ok(any(line.startswith("a 1 ~2.000000 100.0 ~3.000000 ")
               for line in lines),
           "text marks the exclusive time, as CSV does", lines)
        lines = squeeze(report("--by", "thread", path).stdout.decode())
        ok("0 sum of 3 1 6.000000 9.000000" in lines,
           "by thread it is said that they are added up", lines)


def test_sides():
    """A section that both runs have is not only in one of them."""
    def paths(name, *labels):
        outer = [record(1 + i, i, 0, label, 1.0, 1.0, [])
                 for i, label in enumerate(labels)]
        inner = record(9, 0, 0, "x", 1.0, 1.0, [], parent=1)
        return task_file(0, [outer[0], inner, *outer[1:]]).replace(
            "11:30:0", f"11:3{name}:0")

    with folder() as where:
        a = write(where, "a", paths(0, "a", "both", "x"))
        b = write(where, "b", paths(1, "b", "both"))
        result = os.path.join(where, "d")
        run([HPM, "diff", "-o", result, a, b])
        rows = list(csv.DictReader(io.StringIO(
            report("--format", "csv", result).stdout.decode())))
        equal({r["section"]: [word for word in r["remarks"].split()
                              if "only" in word]
               for r in rows if r["metric"] == "ExcSec"},
              {"a": ["only-in-a"], "b": ["only-in-b"], "both": [], "x": []},
              "only what has no record in the other run is only in one")
        tree = csv.DictReader(io.StringIO(report(
            "--by", "tree", "--format", "csv", result).stdout.decode()))
        equal({r["path"]: r["remarks"] for r in tree
               if r["metric"] == "ExcSec" and "/" in r["path"]},
              {"a/x": "only-in-a", "b/x": "only-in-b"}, "by call path each is")


def test_mean():
    with folder() as where:
        paths = [write(where, str(run_number), two_threads(
            BIG + run_number, BIG).replace("11:30:0", f"11:3{run_number}:0"))
            for run_number in range(2)]
        result = os.path.join(where, "mean")
        run([HPM, "mean", "-o", result, *paths])
        found = [d.attrib for d in ET.parse(result).iter("data")
                 if d.get("name") == "PM_CYC"]
        equal([d["value"] for d in found], ["9.007199254740994e+15", str(BIG)],
              "a mean that is no integer has an exponent, one that is has none")
        equal((found[0]["min"], found[0]["max"]), (str(BIG), str(BIG + 1)),
              "its runs have all digits")


# ---- work --------------------------------------------------------------------

def test_work():
    """Four times 2^62 is more than a counter holds: it was 0."""
    large = f"={2**62}"
    with folder() as where:
        run([EDGES, "0+1=all", "0+2=much", *["0*2" + large] * 3, "0-2",
             "0+3=more", *["0*3" + large] * 5, "0-3", "0+4=some", "0*4", "0-4",
             "0-1"], folder=where, HPM_SOURCE="none")
        path = files(where)[0]
        found = {element.get("label"): d.attrib
                 for element in ET.parse(path).getroot()
                 for d in element.findall("data")
                 if d.get("name") == "work::cells"}
        equal([(found[label].get("value"), found[label].get("state"))
               for label in ("much", "some", "more", "all")],
              [(str(3 * 2**62), None), ("7", None), (None, "lost"),
               (None, "lost")], "more work than can be held has no number")
        text = " ".join(report(path).stdout.decode().split())
        ok("it is 2^64 - 1 or more in some sections" in text, "and says why",
           text)


# ---- hpmcount -r -------------------------------------------------------------

SAMPLES = f"""events cycles instructions branches cache-misses
-1 2000000000 {MOST} {BIG} 4000:2000000000:500000000 -
"""


def count(where, *arguments):
    write(where, "samples", SAMPLES)
    return run([HPMCOUNT, "-r", "3", *arguments, "true"], folder=where,
               HPM_SOURCE="replay", HPM_REPLAY="samples")


def test_runs():
    with folder() as where:
        lines = squeeze(count(where).stderr.decode())
        table = {line.split()[0]: line.split()[1:] for line in lines if line}
        equal((table["cycles"][0], table["cycles"][4]),
              (f"{MOST:,}.0", f"{MOST:,}"),
              "hpmcount -r has mean and minimum to the last digit")
        equal((table["instructions"][0], table["instructions"][4]),
              (f"{BIG:,}.0", f"{BIG:,}"), "of each counter")
        equal((table["branches"][-1], table["cache-misses"]),
              ("brief", ["-", "lost"]), "it says which have no ground for a number")
        ok("wall clock time 2.000000 0.000000 0.000000 0.0 2.000000 s" in lines,
           "each run takes all of the samples, their time, too", lines)
        table = count(where, "--format", "csv").stderr.decode().splitlines(True)
        rows = {r["metric"]: r for r in csv.DictReader(
            line for line in table if not line.startswith("#"))}
        equal([[rows[name][column] for column in ("mean", "min", "max", "median")]
               for name in ("cycles", "instructions")],
              [[str(MOST)] * 4, [str(BIG)] * 4], "CSV has all digits")
        equal([rows[name]["state"] for name in
               ("cycles", "branches", "cache-misses", "time::wall")],
              ["counted", "brief", "lost", "counted"], "and the states")
        listed = {r["metric"]: r for r in json.loads(
            count(where, "--format", "json").stderr)["data"]}
        equal([listed["instructions"][column] for column in ("mean", "max")],
              [BIG, BIG], "JSON, too")


test_report()
test_difference()
test_metrics()
test_calls()
test_partial()
test_sides()
test_mean()
test_work()
test_runs()
tap.done()
