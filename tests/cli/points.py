# SPDX-License-Identifier: BSD-3-Clause
"""hpm points: the threads of sections as a table, for this reader, for NumPy and
for R, each by itself."""

import csv
import io
import math
import os
import struct
import sys
import zipfile

import reports
import tap
from reports import data, record, task_file, write
from tap import HPM, TOP_SOURCE, equal, folder, ok, run, skip


def points(*arguments):
    return run([HPM, "points", *arguments])


def rows(*arguments):
    result = points(*arguments)
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


def column(table, name):
    return [r[name] for r in table]


# ---- what a point is ---------------------------------------------------------

def test_columns():
    with folder() as where:
        reports.known_files(where)
        table = rows("--section", "sweep*", where)
        equal([(r["section"], r["task"], r["thread"], r["host"], r["line"])
               for r in table],
              [("sweep x", str(t), str(i), f"node{t}", "30")
               for t in range(4) for i in range(2)],
              "a point for each thread of each task, in their order")
        equal(column(table, "IPC"), ["0.5"] * 8, "with its metrics")
        ok("PM_CYC" not in table[0] and "IncSec" not in table[0],
           "and neither counters nor times")
        raw = rows("--raw", "--section", "main", where)
        equal([list(raw[0])[6:], column(raw, "PM_CYC")],
              [["PM_CYC", "PM_INST_CMPL"],
               [str(1000 * t + 10) for t in reports.SECONDS]],
              "--raw has the counters, inclusive and exact")
        equal(column(rows("--raw", "--exclusive", "--section", "main", where),
                     "PM_CYC"), ["10"] * 8,
              "--exclusive what is the section's own")
        refused = points("--max-memory", "2000", where)
        ok(refused.returncode == 3 and
           b"than the 2000 bytes of memory allowed" in refused.stderr,
           "files that take more than --max-memory are refused", refused)
        named = rows("--metrics", "IPC, IncSec,Count", "--section", "sweep*",
                     where)
        equal([list(named[0])[6:], column(named, "IncSec"),
               column(named, "Count")],
              [["Count", "IncSec", "IPC"],
               [str(t) for t in reports.SECONDS], ["10"] * 8],
              "--metrics takes anything by its name, times and calls, too")
        equal(len(rows(where)), 16, "all sections without --section")


def test_missing():
    """One thread has a counter that was lost, one a part of a sum, one is too
    short: each is missing, for a reason that is said, and none is 0."""
    with folder() as where:
        def one(tid, cycles, more=""):
            return record(tid + 1, tid, 0, "solve", 1.0, 1.0,
                          [cycles, data("PM_INST_CMPL", 50)], more=more)
        write(where, "m.0.hpm.xml", task_file(0, [
            one(0, data("PM_CYC", 100, exclusive=100)),
            one(1, data("PM_CYC", None, state="lost", reason="taken away")),
            one(2, data("PM_CYC", 100, partial="yes")),
            one(3, data("PM_CYC", 100), more=' short="yes"'),
            record(5, 4, 0, "solve", 1.0, 1.0, [])]))
        result = points("--raw", where)
        table = list(csv.DictReader(io.StringIO(result.stdout.decode())))
        equal([column(table, "PM_CYC"), column(table, "PM_INST_CMPL")],
              [["100", "", "", "", ""], ["50", "50", "50", "", ""]],
              "n/a, partial, too short and never counted are empty")
        said = result.stderr.decode()
        ok("PM_CYC is missing in 2 of 5 points: n/a" in said and
           "PM_CYC is missing in 1 of 5 points: partial" in said and
           "PM_INST_CMPL is missing in 1 of 5 points: of a section too short"
           in said, "and it is said why, with numbers", said)
        equal(result.returncode, 0, "which is no failure")


def test_process():
    with folder() as where:
        write(where, "p.0.hpm.xml", task_file(0, [
            record(1, -1, 0, "all", 1.0, 1.0, [data("PM_CYC", 7)],
                   scope="process")]))
        table = rows("--raw", where)
        equal([(r["thread"], r["PM_CYC"]) for r in table], [("", "7")],
              "a section of the process is a point without a thread")


def test_no_metrics():
    with folder() as where:
        write(where, "p.0.hpm.xml", task_file(0, [
            record(1, 0, 0, "all", 1.0, 1.0, [data("sde:::x::y", 7)])]))
        result = points(where)
        ok(b"sde:::x::y" in result.stdout and
           b"the columns are counters" in result.stderr,
           "where no metric can be computed the counters are taken, and it is "
           "said", result.stderr)


def test_usage():
    with folder() as where:
        reports.known_files(where)
        for arguments, status, words in (
                (["--section", "none", where], 3, "no section is called 'none'"),
                (["--metrics", "NONE", where], 3,
                 "no counter or metric is called 'NONE'"),
                (["--raw", "--metrics", "IPC", where], 2, "--raw does not go"),
                (["--format", "xls", where], 2, "xls"),
                ([], 2, "expected performance files")):
            result = points(*arguments)
            lines = result.stderr.decode().splitlines()
            ok(result.returncode == status and len(lines) == 1 and
               words in lines[0] and result.stdout == b"",
               f"{words}: one line, and {status}", result.stderr)


# ---- column files ------------------------------------------------------------

def read_npy(content):
    """By the description of the format, without NumPy."""
    length = struct.unpack("<H", content[8:10])[0]
    header = eval(content[10:10 + length])
    ok((10 + length) % 64 == 0, "the numbers begin at a multiple of 64")
    body = content[10 + length:]
    n, = header["shape"]
    kind, size = header["descr"][1], int(header["descr"][2:])
    if kind == "U":
        return [body[4 * size * i:4 * size * (i + 1)].decode("utf-32-le")
                .rstrip("\0") for i in range(n)]
    return list(struct.unpack(f"<{n}{'d' if kind == 'f' else 'i'}", body))


def odd_files(where):
    write(where, "o.0.hpm.xml", task_file(0, [
        record(1, 0, 0, "a,\u00fc \U0001d50a &quot;b&quot;", 1, 1,
               [data("PM_CYC", 3), data("NAME/WITH", 5)]),
        record(2, 1, 0, "a,\u00fc \U0001d50a &quot;b&quot;", 1, 1,
               [data("PM_CYC", 9007199254740993)])]))


def npz(where, *arguments):
    path = os.path.join(where, "p.npz")
    if os.path.exists(path):
        os.unlink(path)
    result = points("--format", "npz", "-o", path, *arguments, where)
    equal((result.returncode, os.path.exists(path)), (0, True),
          "a column file is written")
    return path


def test_npz():
    with folder() as where:
        odd_files(where)
        path = npz(where, "--raw")
        with zipfile.ZipFile(path) as archive:
            equal(archive.testzip(), None, "its check sums are right")
            arrays = {n[:-4]: read_npy(archive.read(n))
                      for n in archive.namelist()}
        equal(list(arrays), ["section", "file", "line", "host", "task",
                             "thread", "PM_CYC", "NAME/WITH"],
              "it has the columns of the table")
        equal(arrays["section"], ["a,\u00fc \U0001d50a \"b\""] * 2,
              "texts are Unicode")
        equal(arrays["thread"], [0, 1], "whole numbers are there")
        ok(arrays["NAME/WITH"][0] == 5 and math.isnan(arrays["NAME/WITH"][1]),
           "what is missing is NaN", arrays)
        with open(path, "rb") as file:
            first = file.read()
        with open(npz(where, "--raw"), "rb") as file:
            equal(file.read(), first, "the same points make the same bytes")


def test_numpy():
    try:
        import numpy
    except ImportError:
        others = [p for p in ("/usr/bin/python3",) if run(
            [p, "-c", "import numpy"]).returncode == 0]
        if not others:
            skip("NumPy reads the column file", "there is no NumPy")
            return
        python = others[0]
    else:
        python = sys.executable
    with folder() as where:
        odd_files(where)
        result = run([python, "-c", "import numpy, sys\n"
                      "p = numpy.load(sys.argv[1])\n"
                      "print(p['section'][1] == 'a,\u00fc \U0001d50a \"b\"', "
                      "p['task'].sum(), numpy.isnan(p['NAME/WITH']).sum(), "
                      "p['PM_CYC'][0])", npz(where, "--raw")])
        equal(result.stdout.decode().split(), ["True", "0", "1", "3.0"],
              "NumPy reads the column file")


def test_r():
    if tap.which("Rscript") is None:
        skip("R reads the column file", "there is no R")
        return
    with folder() as where:
        odd_files(where)
        source = os.path.join(TOP_SOURCE, "doc", "examples", "read_npz.R")
        result = run(["Rscript", "-e", f"source('{source}')", "-e",
                      f"p <- read_npz('{npz(where, '--raw')}')", "-e",
                      "cat(nrow(p), p$section[1] == 'a,\u00fc \U0001d50a "
                      "\"b\"', p$thread, is.nan(p[['NAME/WITH']]), "
                      "p$PM_CYC[1])"], LC_ALL="C.UTF-8")
        equal(result.stdout.decode().split(),
              ["2", "TRUE", "0", "1", "FALSE", "TRUE", "3"],
              "R reads the column file by the example's function")


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
