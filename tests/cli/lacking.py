# SPDX-License-Identifier: BSD-3-Clause
"""What is not in a result is said in it, and processes of a run that were
forked are tasks of it."""

import errno
import json
import os
import re
import xml.etree.ElementTree as ET

import tap
from tap import HPM, XSD, equal, files, folder, ok, program, run

INJECT = program("tests/programs/inject")
UNTRACED = "system calls cannot be traced, or are a sanitizer's, too"
EDGES = program("tests/programs/edges")
REREAD = program("tests/programs/reread")
SAMPLES = "events a\n" + "".join(f"0 {t} {t * t}\n" for t in range(12))


def text_of(task, pid=None, forked=None, start="10:00:00.000", seconds=5,
            program_name="app", host="node1", value=7):
    """A performance file of one record."""
    more = f' forked_from="{forked}"' if forked else ""
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<HPMPerformanceFile version="1" complete="yes" kind="run">
  <Run task="{task}" program="{program_name}" job="" pid="{pid or 100 + task}"{more} start="2026-11-20T{start}Z" seconds="{seconds}" tool="hpm 1">
  </Run>
  <Machine task="{task}" host="{host}"/>
  <InstrumentationPt lid="a.c1" disp="true" tid="0" task="{task}" label="a" file="a.c" linestart="1" lineend="2" scope="thread" inst="1" id="1">
    <data name="Count" value="1" kind="counter"/>
    <data name="IncSec" value="1.5" kind="time" unit="s"/>
    <data name="ExcSec" value="1.5" kind="time" unit="s"/>
    <data name="c" value="{value}" exclusive="{value}" kind="counter"/>
  </InstrumentationPt>
  <End records="1"/>
</HPMPerformanceFile>
"""


def put(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def root_of(path):
    return ET.parse(path).getroot()


def left_out(path):
    """What the file says: named ones, and how many more."""
    found = root_of(path).findall("Sources/LeftOut")
    named = [(os.path.basename(e.get("file")), e.get("reason"))
             for e in found if e.get("file")]
    return named, sum(int(e.get("count")) for e in found if e.get("count"))


def is_whole(path):
    with open(path, "rb") as file:
        data = file.read()
    result = run([REREAD, path])
    if tap.which("xmllint") and run(["xmllint", "--noout", "--schema", XSD,
                                     path]).returncode != 0:
        return False
    return result.returncode == 0 and result.stdout == data


# ---- what was left out ----------------------------------------------------

def test_left_out():
    with folder() as where:
        for task in (0, 1, 4, 9):
            put(where, f"t{task}.hpm.xml", text_of(task))
        put(where, "t5.hpm.xml", "rubbish")
        put(where, "t6.hpm.xml", text_of(6, program_name="other"))
        result = run([HPM, "merge", "-o", "all.xml", "t0.hpm.xml",
                      "t1.hpm.xml", "t4.hpm.xml", "t5.hpm.xml", "t6.hpm.xml",
                      "t7.hpm.xml", "t9.hpm.xml"], folder=where)
        path = os.path.join(where, "all.xml")
        named, n_more = left_out(path)
        equal((result.returncode, [n for n, _ in named], n_more),
              (1, ["t5.hpm.xml", "t6.hpm.xml", "t7.hpm.xml"], 0),
              "a merge names in its file what it left out")
        ok(named[0][1].startswith("1:1: is not XML") and
           named[1][1].startswith("is of the program 'other'") and
           named[2][1].startswith("cannot be opened"), "and why", named)
        equal((root_of(path).get("complete"), root_of(path).get("reason")),
              ("no", "3 files were left out"), "and is not complete")
        ok(is_whole(path), "what it says comes back byte for byte")
        ok(b"tasks 2-3, 5-8 are missing: 6 of 10\n" in result.stdout,
           "holes in the numbers of tasks are said", result.stdout)
        again = run([HPM, "report", path])
        words = " ".join(again.stdout.decode().split())
        ok(again.returncode == 0 and
           "note: tasks 2-3, 5-8 are missing: 6 of 10" in words and
           "note: 3 files were left out: 't5.hpm.xml' (1:1: is not XML" in
           words, "a report of it says both", again.stdout.decode())
        said = run([HPM, "report", "--format", "csv", path]).stderr
        ok(b"are missing: 6 of 10\n" in said and b"3 files were left" in said,
           "beside a table for programs, too", said)
        data = json.loads(run([HPM, "report", "--format", "json", path]).stdout)
        equal((data["complete"], data["n_left_out"], data["missing_tasks"],
               [os.path.basename(row["file"]) for row in rows(data["left_out"])]),
              (False, 3, "2-3, 5-8", [n for n, _ in named]),
              "and in JSON it has a place")


def rows(table):
    """The rows of a table as they are, or by its columns."""
    if isinstance(table, list):
        return table
    names = table["columns"]
    return [dict(zip(names, row)) for row in table["rows"]]


def test_kept_in_merges():
    with folder() as where:
        put(where, "bad1.xml", "x")
        put(where, "bad2.xml", "x")
        for task in range(4):
            put(where, f"t{task}.xml", text_of(task))
        run([HPM, "merge", "-o", "a.xml", "t0.xml", "t1.xml", "bad1.xml"],
            folder=where)
        run([HPM, "merge", "-o", "b.xml", "t2.xml", "bad1.xml", "bad2.xml"],
            folder=where)
        result = run([HPM, "merge", "-o", "ab.xml", "a.xml", "b.xml", "t3.xml"],
                     folder=where)
        path = os.path.join(where, "ab.xml")
        equal(([n for n, _ in left_out(path)[0]], result.returncode),
              (["bad1.xml", "bad2.xml"], 0),
              "a merge of merges says what each left out, once")
        ok(b"2 files were left out: 'bad1.xml'" in result.stdout,
           "and says so when it is made", result.stdout)
        for command in (["mean", "-o", "m.xml", "ab.xml"],
                        ["cut", "-o", "c.xml", "--root", "a", "ab.xml"],
                        ["diff", "-o", "d.xml", "ab.xml", "ab.xml"],
                        ["mean", "-o", "m2.xml", "t0.xml", "bad1.xml",
                         "bad2.xml"]):
            run([HPM] + command, folder=where)
            made = os.path.join(where, command[2])
            equal([n for n, _ in left_out(made)[0]], ["bad1.xml", "bad2.xml"],
                  f"so does {command[0]} -o {command[2]}")
        one = run([HPM, "merge", "-o", "one.xml", "t0.xml", "bad1.xml"],
                  folder=where)
        equal(([n for n, _ in left_out(os.path.join(where, "one.xml"))[0]],
               one.returncode), (["bad1.xml"], 1),
              "where one file is left, it is said as well")
        put(where, "again.xml", text_of(0, start="11:00:00.000"))
        kinds = []
        for word, names in (("merge", ["t0.xml"]), ("merge", ["t0.xml", "t1.xml"]),
                            ("mean", ["t0.xml", "again.xml", "bad1.xml"])):
            path = os.path.join(where, "kind.xml")
            run([HPM, word, "-o", path, *names], folder=where)
            kinds.append(root_of(path).get("kind"))
            os.unlink(path)
        equal(kinds, ["run", "merged", "mean"], "one file alone stays a run; with "
              "a file left out a mean stays a mean")


def test_bounded():
    with folder() as where:
        put(where, "t0.xml", text_of(0))
        put(where, "t1.xml", text_of(1))
        for half, names in (("a", range(0, 170)), ("b", range(150, 330))):
            bad = [f"no{i:04}.xml" for i in names]
            run([HPM, "merge", "-o", half + ".xml",
                 f"t{'ab'.index(half)}.xml"] + bad, folder=where)
        for made, sources in (("ab.xml", ["a.xml", "b.xml"]),
                              ("ba.xml", ["b.xml", "a.xml"])):
            run([HPM, "merge", "-o", made] + sources, folder=where)
        path = os.path.join(where, "ab.xml")
        named, n_more = left_out(path)
        equal(([n for n, _ in named], n_more),
              ([f"no{i:04}.xml" for i in range(100)], 250),
              "of many the first 100 are named, the others counted")
        ok(is_whole(path), "which comes back byte for byte")
        with open(path, "rb") as a, \
                open(os.path.join(where, "ba.xml"), "rb") as b:
            equal(a.read(), b.read(), "whatever the order of merging")


def test_words():
    with folder() as where:
        put(where, "t0.hpm.xml", text_of(0))
        os.mkdir(os.path.join(where, "none"))
        for word in ("*.nosuch", "none"):
            result = run([HPM, "merge", "-o", "-", "t0.hpm.xml", word],
                         folder=where)
            ok(result.returncode == 1 and word.encode() in result.stderr and
               f'<LeftOut file="{word}"'.encode() in result.stdout,
               f"'{word}' stands for nothing: the other file is read, it is "
               "named", result)
            result = run([HPM, "merge", "-o", "-", word], folder=where)
            ok(result.returncode == 2 and word.encode() in result.stderr,
               f"'{word}' alone is wrong usage", result)
        result = run([HPM, "mean", "-o", "-", "t0.hpm.xml", "./t0.hpm.xml"],
                     folder=where)
        ok(result.returncode == 0 and
           b"'t0.hpm.xml' is named twice; it is read once" in result.stderr,
           "a file that is named twice is said to be", result)
        result = run([HPM, "report", "-o", "t0.hpm.xml", "t0.hpm.xml"],
                     folder=where)
        ok(result.returncode == 2 and b"is one of the files to read" in
           result.stderr and os.listdir(where).count("t0.hpm.xml.1") == 0,
           "a report is not written beside what it is of under its name",
           result)


# ---- while the files are read ---------------------------------------------

def test_faults():
    """Whatever call fails: the result is the same, or something is said."""
    with folder() as where:
        names = [f"t{i}.xml" for i in range(3)]
        for i, name in enumerate(names):
            put(where, name, text_of(i))
        calls = os.path.join(where, "calls")
        command = [HPM, "merge", "--threads", "1", "-o", "-"] + names
        plain = run([INJECT, "t0.xml", calls, "0"] + command, folder=where)
        if plain.returncode == 77:
            tap.skip("every call fails once", UNTRACED)
            return
        with open(calls, encoding="ascii") as file:
            called = file.read().split()
        silent, waiting = [], []
        for i, name in enumerate(called, 1):
            for error in (errno.EIO, errno.EINTR):
                result = run([INJECT, "t0.xml", calls, str(i), str(error)] +
                             command, folder=where)
                is_same = result.stdout == plain.stdout
                if name == "open" and error == errno.EINTR and not is_same:
                    waiting.append(i)
                if not is_same and not result.stderr and name != "futex":
                    silent.append((i, name, error))
        ok(plain.returncode == 0 and called.count("open") >= len(names),
           f"{len(called)} calls fail", plain)
        equal(waiting, [], "a file whose opening is interrupted is opened again")
        equal(silent, [], "nothing is left out without a word")


# ---- forked processes -----------------------------------------------------

def tasks_of(path):
    """Task -> pid, as a result has them."""
    return {int(e.get("task")): int(e.get("pid"))
            for e in root_of(path).findall("Run")}


def chain_of(parents):
    """The processes from the first one on, each forked by the one before it: their
    numbers may begin anew between two of them."""
    children = {parent and int(parent): pid for pid, parent in parents.items()}
    chain = [children.get(None)]
    while chain[-1] in children:
        chain.append(children.pop(chain[-1]))
    return chain


def test_recorded():
    for leaves in (False, True):
        with folder() as where:
            put(where, "x.replay", SAMPLES)
            steps = ("0+1=a 0-1 fork 0+2=b 0-2 fork 0+3=c 0-3" +
                     (" leave" if leaves else "")).split()
            run([EDGES] + steps, folder=where, HPM_SOURCE="replay",
                HPM_REPLAY="x.replay", HPM_CHECKPOINT=0, HPM_FSYNC=0)
            if leaves:
                run([HPM, "recover", where])
            paths = [p for p in files(where) if p.endswith(".hpm.xml")]
            runs = {int(e.get("pid")): e.get("forked_from")
                    for e in (root_of(p).find("Run") for p in paths)}
            chain = chain_of(runs)
            equal(len(chain), 3,
                  "a forked child's file names the process that forked it" +
                  (", recovered, too" if leaves else ""))
            result = run([HPM, "merge", "-o", os.path.join(where, "all.xml")] +
                         paths)
            ok(result.returncode == 0 and not result.stderr and
               list(tasks_of(os.path.join(where, "all.xml")).values()) == chain,
               "and its files are one run", result)
            ok(is_whole(os.path.join(where, "all.xml")), "which is whole")


def family(where, n=5):
    """Two tasks, the first with n children one after the other, the last of
    which has a child; its file comes first."""
    put(where, "b0.xml", text_of(0, 500, seconds=60))
    put(where, "b1.xml", text_of(1, 501, seconds=60))
    for i in range(n):
        put(where, f"a{i}.xml", text_of(0, 900 - i, 500, f"10:00:{i + 1:02}.000",
                                        1))
    put(where, "A.xml", text_of(0, 950, 900 - n + 1, f"10:00:{n}.500", 1))
    return ["A.xml"] + [f"a{i}.xml" for i in range(n)] + ["b0.xml", "b1.xml"]


FAMILY = {0: 500, 1: 501, 2: 900, 3: 899, 4: 898, 5: 897, 6: 896, 7: 950}


def test_family():
    with folder() as where:
        names = family(where)
        result = run([HPM, "merge", "-o", "all.xml"] + names, folder=where)
        path = os.path.join(where, "all.xml")
        ok(result.returncode == 0 and not result.stderr,
           "forked workers, one after the other: one run", result)
        equal(tasks_of(path), FAMILY,
              "numbered behind the tasks, as they began")
        ok(b"tasks 2-6 are processes that task 0 forked (process 500)\n"
           b"task 7 is a process that task 6 forked (process 896)\n" in
           result.stdout, "whose they are is said", result.stdout)
        words = " ".join(run([HPM, "report", path]).stdout.decode().split())
        ok("note: tasks 2-6 are processes that task 0 forked" in words,
           "in a report, too", words)
        run([HPM, "merge", "-o", "x.xml", "A.xml"] + names[4:7], folder=where)
        run([HPM, "merge", "-o", "y.xml"] + names[1:4], folder=where)
        result = run([HPM, "merge", "-o", "xy.xml", "b1.xml", "y.xml", "x.xml"],
                     folder=where)
        equal((result.returncode, tasks_of(os.path.join(where, "xy.xml"))),
              (0, FAMILY), "merged in steps, the numbers are the same")
        put(where, "b2.xml", text_of(2, 502, seconds=60))
        run([HPM, "merge", "-o", "later.xml", "all.xml", "b2.xml"],
            folder=where)
        equal(tasks_of(os.path.join(where, "later.xml")),
              {0: 500, 1: 501, 2: 502, 3: 900, 4: 899, 5: 898, 6: 897, 7: 896,
               8: 950}, "a task that comes later has its own number")
        put(where, "late.xml", text_of(2, 502, start="10:02:00.000"))
        put(where, "last.xml", text_of(0, 700, 502, "10:02:01.000"))
        run([HPM, "merge", "-o", "lates.xml", "late.xml", "last.xml"],
            folder=where)
        result = run([HPM, "merge", "-o", "two.xml", "all.xml", "lates.xml"],
                     folder=where)
        ok(result.returncode != 0 and b"task 2 began 59.999 s after task 0 had "
           b"ended: not one run" in result.stderr,
           "children may begin when they want; a task behind them that began "
           "too late is named", result)
        put(where, "b4.xml", text_of(4, 504, seconds=60))
        result = run([HPM, "merge", "-o", "hole.xml", "all.xml", "b4.xml"],
                     folder=where)
        ok(b"tasks 2-3 are missing: 2 of 5\n" in result.stdout,
           "a missing task is seen beside children", result.stdout)


def test_no_family():
    with folder() as where:
        names = family(where)
        put(where, "z.xml", text_of(0, 77, 76))
        put(where, "twice.xml", text_of(0, 900, 500, "10:00:01.000", 1))
        put(where, "far.xml", text_of(0, 601, 500, host="node2"))
        result = run([HPM, "merge", "-o", "all.xml", "z.xml", "twice.xml",
                      "far.xml"] + names, folder=where)
        said = result.stderr.decode()
        ok(result.returncode == 1 and re.search(r"z\.xml is of a process that "
                                                r"was forked by none .*--force",
                                                said),
           "a child of a process of another run is left out, with the way to "
           "take it", said)
        ok(re.search(r"(a0|twice)\.xml is of process 900, which is in "
                     r"'(a0|twice)\.xml' already", said),
           "the same process twice is said to be", said)
        ok("far.xml is of a process that was forked by none" in said,
           "a process id is of one machine", said)
        equal(tasks_of(os.path.join(where, "all.xml")), FAMILY,
              "the others are as without them")
        for pid, name in ((100, "m1.xml"), (101, "m2.xml")):
            put(where, name, text_of(0, pid, value=len(name)))
        result = run([HPM, "merge", "-o", "two.xml", "m1.xml", "m2.xml"],
                     folder=where)
        ok(b"--force takes it as one more task" in result.stderr,
           "where a task is there already, the message names --force", result)
        result = run([HPM, "merge", "--force", "-o", "force.xml", "z.xml"] +
                     names, folder=where)
        equal((result.returncode,
               len(tasks_of(os.path.join(where, "force.xml")))), (0, 9),
              "--force takes them all")
        put(where, "o1.xml", text_of(0, 81, 80))
        put(where, "o2.xml", text_of(0, 82, 80, "10:00:09.000"))
        result = run([HPM, "merge", "-o", "orphans.xml", "o1.xml", "o2.xml"],
                     folder=where)
        ok(result.returncode == 0 and
           b"that process 80 forked, of which there is no file" in
           result.stdout, "children whose parent left no file are one run",
           result)


test_left_out()
test_kept_in_merges()
test_bounded()
test_words()
test_faults()
test_recorded()
test_family()
test_no_family()
tap.done()
