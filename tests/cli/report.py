# SPDX-License-Identifier: BSD-3-Clause
"""hpm report: what it says of files whose numbers are known, in every format."""

import csv
import io
import json
import math
import os
import pty
import random
import re
import shutil
import subprocess
import sys

import tap
from reports import (SECONDS, VIEWS, VIEWS_OF_SAMPLES, data, find, known_files,
                     record, report, rows, task_file, values_are, write)
from tap import HPM, equal, folder, ok, program, run

COLUMNS = (
    "section,path,inst,file,linestart,lineend,scope,task,thread,metric,kind,"
    "unit,value,exclusive,mean,sdev,state,share,error,runs,verdict,remarks,"
    "reason,part,base,time_share,threads,thread_min,thread_min_at,thread_max,"
    "thread_max_at,thread_average,thread_deviation,thread_imbalance,tasks,"
    "task_min,task_max,task_average,task_deviation,task_imbalance,"
    "section_share,judged,bad,run_dev,run_min,run_max,"
    "only_exclusive,worst,worst_at,windows,interval,uncertainty,hint,"
    "explained").split(",")


# ---- values ----------------------------------------------------------------

def test_base_metrics():
    """A metric that is a counter under another name is shown where somebody
    names it, and not beside its counter else."""
    with folder() as where:
        path = write(where, "cmssw.hpm.xml", task_file(0, [
            record(1, 0, 0, "main", 4, 4, [
                data("CPU_CLK_UNHALTED:THREAD_P", 40, exclusive=40),
                data("UOPS_EXECUTED:0x3f:c=1:i=1", 9, exclusive=9)]),
            record(2, 0, 0, "fit", 1, 1, [
                data("CPU_CLK_UNHALTED:THREAD_P", 70, exclusive=70),
                data("UOPS_EXECUTED:0x3f:c=1:i=1", 8, exclusive=8)],
                line=30)], pmu='pmu="nhm"'))
        labels = [r["section"] for r in rows("--sort", "CYCLES", path)
                  if r["metric"] == "CYCLES"]
        equal(labels, ["fit", "main"], "--sort CYCLES")
        equal([r["section"] for r in rows("--sort", "STALLED", path)
               if r["metric"] == "STALLED"], ["main", "fit"], "--sort STALLED")
        table = rows("--filter", "CYCLES > 50", path)
        equal({r["section"] for r in table}, {"fit"}, "--filter 'CYCLES > 50'")
        row = find(table, "fit", "CYCLES")
        equal((row["kind"], row["value"], row["exclusive"], row["state"]),
              ("metric", "70", "70", "counted"), "it has its value there")
        equal([r for r in rows(path) if r["metric"] in ("CYCLES", "STALLED")],
              [], "nobody named it: its counter alone is there")
        for form, what in ((["--format", "json"], '"CYCLES"'),
                           ([], "CYCLES"), (["--by", "metric"], "CYCLES")):
            text = report(*form, "--sort", "CYCLES", path).stdout.decode()
            ok(what in text, f"named, it is shown: {form}", text)
        result = report("--sort", "LOAD", path)
        ok(result.returncode == 2 and
           b"'LOAD' has no value in these files" in result.stderr,
           "what was not counted has no value", result)


def test_legend():
    """Below a table stands how to read its column of shares, and nothing of a
    column that it has not."""
    with folder() as where:
        paths = known_files(where)
        changed = os.path.join(where, "changed")
        run([HPM, "diff", "-o", changed, paths[0], paths[0]])
        for what, arguments, has_shares in (
                ("sections", paths, True),
                ("tasks", ["--by", "task", *paths], False),
                ("a difference", [changed], False)):
            text = report(*arguments, COLUMNS=200).stdout.decode()
            equal(("Share: of" in text, "Marks: ! bad" in text),
                  (has_shares, True), f"{what}: the legend is of the table")


def test_values():
    with folder() as where:
        paths = known_files(where)
        table = rows(*paths)
        deviation = math.sqrt(sum((s - 4.5) ** 2 for s in SECONDS) / 8)
        row = find(table, "sweep x", "ExcSec")
        ok(values_are(row, value=8, threads=8, thread_min=1,
                      thread_min_at="0.0", thread_max=8, thread_max_at="3.1",
                      thread_average=4.5, thread_deviation=deviation,
                      thread_imbalance=3.5 / 8, time_share=36 / 40),
           "time: the slowest thread's, and how it is spread over threads", row)
        ok(values_are(row, tasks=4, task_min=2, task_max=8, task_average=5,
                      task_deviation=math.sqrt(5), task_imbalance=3 / 8),
           "a task's time is that of the slowest of its threads", row)
        row = find(table, "sweep x", "PM_CYC")
        ok(values_are(row, value="36000", exclusive="36000",
                      thread_min=1000, thread_max=8000, thread_average=4500,
                      task_min=3000, task_max=15000),
           "counters are summed over threads and tasks", row)
        row = find(table, "sweep x", "IPC")
        ok(values_are(row, value=0.5, verdict="bad", thread_imbalance="",
                      thread_min=0.5, thread_max=0.5, threads=8),
           "a ratio is that of the sums, and has no imbalance", row)
        row = find(table, "sweep x", "MIPS")
        ok(values_are(row, value=36 * 500 / 1e6 / 8),
           "a rate divides by the time of the slowest thread", row)
        row = find(table, "main", "PM_CYC")
        ok(values_are(row, value="36080", exclusive="80"),
           "inclusive and exclusive values are told apart", row)
        row = find(table, "sweep x", "Count")
        ok(values_are(row, value="80"), "calls are summed", row)

        row = find(rows("--by", "thread", *paths), "sweep x", "PM_CYC",
                   task="2", thread="1")
        ok(values_are(row, value="6000", threads=""), "by thread: its own", row)
        row = find(rows("--by", "task", *paths), "sweep x", "ExcSec", task="2")
        ok(values_are(row, value=6, thread=""), "by task: its slowest", row)
        row = find(rows("--by", "tree", *paths), "sweep x", "ExcSec")
        ok(values_are(row, path="main/sweep x"), "by tree: the path", row)
        table = rows("--by", "file", *paths)
        row = [r for r in table if r["metric"] == "PM_CYC"]
        ok(len(row) == 1 and row[0]["value"] == "36080" and
           row[0]["file"] == "sweep.f", "by file: exclusive values", row)


def test_uncertainty():
    """How far a time may be off goes with it, to whoever reads it."""
    with folder() as where:
        paths = [write(where, f"{n}.hpm.xml", task_file(0, [
            record(1, 0, 0, "main", t, t, [], off=off)]))
            for n, t, off in (("a", 2, "0.25"), ("b", 5, "0.5"),
                              ("c", 5, None))]
        row = find(rows(paths[0]), "main", "IncSec")
        ok(values_are(row, value=2, uncertainty=0.25),
           "a time says how far it may be off", row)
        ok(find(rows(paths[0]), "main", "ExcSec")["uncertainty"] == "" ==
           find(rows(paths[2]), "main", "IncSec")["uncertainty"],
           "and nothing where that is not known")
        said = json.loads(report("--format", "json", paths[0]).stdout)
        ok([row["uncertainty"] for row in said["data"]
            if row["metric"] == "IncSec"] == [0.25], "so does JSON", said)
        difference = os.path.join(where, "d.xml")
        run([HPM, "diff", "-o", difference, *paths[:2]])
        row = find(rows(difference), "main", "IncSec")
        ok(values_are(row, value=3, uncertainty=0.75),
           "of a difference both sides may be off", row)


def test_hints():
    """Of limits that a thread has crossed, by section; not twice the same."""
    def lines(seconds):
        with folder() as where:
            records = [record(1, 0, 0, "calm", seconds, seconds,
                              [data("PM_CYC", 10**9, exclusive=10**9),
                               data("PM_INST_CMPL", 2 * 10**9,
                                    exclusive=2 * 10**9)], line=1),
                       record(2, 0, 0, "slow", 2 * seconds, 2 * seconds,
                              [data("PM_CYC", 10**9, exclusive=10**9),
                               data("PM_INST_CMPL", 10**8, exclusive=10**8)],
                              line=30, inst=2)]
            path = write(where, "h.hpm.xml", task_file(0, records))
            return (report(path).stdout.decode(),
                    report("--filter", "slow", path).stdout.decode())

    whole, filtered = lines(1)
    ok(whole.count("hints, not verdicts:") == 1 and
       "1. IPC 0.100 in section 'slow' (sweep.f:30) (bad: below 1)" in whole and
       "in section 'calm'" not in whole, "a crossed limit gives a hint", whole)
    ok("hints, not verdicts:" not in filtered, "not where lines are asked for")
    ok("hints, not verdicts:" not in lines(0.001)[0], "nor for a moment's work")


def test_sort_words():
    with folder() as where:
        run([tap.HPMCOUNT, "-o", "x", "-e", "ru::utime", "true"], folder=where)
        for word, said in (("foo", "expected label, excl"),
                           ("MFLOPZ", "expected label, excl"),
                           ("CPU_TIMF", "did you mean 'CPU_TIME'?"),
                           ("labl", "did you mean 'label'?")):
            result = run([tap.HPM, "report", "--sort", word, "x"], folder=where)
            ok(result.returncode == 2 and said.encode() in result.stderr,
               f"--sort {word}: {said}", result.stderr)


def test_rates():
    """Limits are those of one thread."""
    for counts, expected in (([60, 60, 60], "neutral"), ([60, 101, 0], "bad"),
                             ([1, 2, 3], "good"), ([9, 9, 20], "neutral")):
        with folder() as where:
            path = write(where, "r.hpm.xml", task_file(0, [
                record(i + 1, i, 0, "loop", 1, 1,
                       [data("ru::nivcsw", n, exclusive=n)])
                for i, n in enumerate(counts)]))
            limits = write(where, "own.hpm",
                           "ratio OWN_RATE = PREEMPTIONS / time::wall\n"
                           "bad > 100  good < 10\n")
            row = find(rows(path, HPM_DEFS=limits), "loop", "OWN_RATE")
            ok(values_are(row, value=sum(counts), verdict=expected),
               f"rates of {counts} together are {expected}", row)


def test_paths():
    """One section on two paths of one thread."""
    def two(task, tid):
        return [record(1, tid, task, "a", 1, 3, [], line=1, inst=1),
                record(2, tid, task, "f", 2, 2,
                       [data("PM_CYC", 20, exclusive=20)], parent=1, line=9,
                       inst=3),
                record(3, tid, task, "b", 1, 5, [], line=5, inst=2),
                record(4, tid, task, "f", 4, 4,
                       [data("PM_CYC", 40, exclusive=40)], parent=3, line=9,
                       inst=3)]
    with folder() as where:
        path = write(where, "p.hpm.xml", task_file(0, two(0, 0)))
        row = find(rows(path), "f", "ExcSec")
        ok(values_are(row, value=6, threads=1, thread_average=6),
           "paths of one thread follow each other: their times are summed", row)
        equal(find(rows(path), "f", "PM_CYC")["value"], "60",
              "and so are counters")
        text = report("--by", "tree", path).stdout.decode()
        order = re.findall(r"^( *\w+) +1 ", text, re.M)
        equal(order, ["b", "  f", "a", "  f"],
              "a tree has paths below what is around them, the longest first")
        text = report("--by", "tree", "--sort", "label", "--filter",
                      "path = b/*", path).stdout.decode()
        equal(re.findall(r"^( *\w+) +1 ", text, re.M), ["b", "  f"],
              "and what is around the lines a filter wants")


# ---- states ----------------------------------------------------------------

def state_file(where):
    counters = "".join(
        f'<Counter name="{n}" source="kernel" state="{s}"{r}/>' for n, s, r in (
            ("cycles", "shared", ""), ("instructions", "unscheduled",
                                       ' reason="no counter was free"'),
            ("branches", "unsupported", ' reason="reads 0"'),
            ("branch-misses", "lost", ' reason="taken away"')))
    records = [record(1, t, 0, "loop", 2, 2, [
        data("cycles", 4000, exclusive=4000, state="shared", share=0.25),
        data("instructions", None, state="unscheduled",
             reason="no counter was free"),
        data("branches", None, state="unsupported", reason="reads 0"),
        data("branch-misses", 0, exclusive=0) if t == 0 else
        data("branch-misses", None, state="lost", reason="taken away"),
    ] + ([data("page-faults", 5, exclusive=5)] if t == 0 else []))
        for t in range(2)]
    for i, r in enumerate(records):
        records[i] = r.replace('id="1"', f'id="{i + 1}"')
    return write(where, "s.hpm.xml",
                 task_file(0, records, 'pmu="skl"', counters))


def test_states():
    with folder() as where:
        path = state_file(where)
        table = rows(path)
        expected = {"cycles": ("8000", "shared"),
                    "instructions": ("", "unscheduled"),
                    "branches": ("", "unsupported"),
                    "branch-misses": ("", "lost"),
                    "page-faults": ("", "unsupported")}
        got = {n: find(table, "loop", n, "counter") for n in expected}
        equal({n: (r["value"], r["state"]) for n, r in got.items()}, expected,
              "CSV: n/a is empty, with its state")
        equal((got["instructions"]["reason"], got["page-faults"]["reason"]),
              ("no counter was free", "no value in 1 of 2 records"),
              "and its reason")
        equal((got["branch-misses"]["thread_min"],
               got["branch-misses"]["threads"]),
              ("0", "1"), "what one thread has is told as that")
        row = find(table, "loop", "IPC")
        ok(values_are(row, value="", state="unscheduled", verdict=""),
           "a metric has the worst state of its inputs", row)
        objects = json.loads(report("--format", "json", path).stdout)["data"]
        found = [o for o in objects if o["metric"] == "instructions"]
        ok(found and found[0]["value"] is None and
           found[0]["state"] == "unscheduled", "JSON: null", found)
        text = report(path, COLUMNS="80").stdout.decode()
        flat = " ".join(text.split())
        for words in ("cycles 8,000 +-? shared 25 %", "instructions - unscheduled",
                      "branches - unsupported", "branch-misses - lost",
                      "page-faults - unsupported", "IPC - unscheduled",
                      "instructions: no counter was free",
                      "page-faults: no value in 1 of 2 records",
                      "IPC, CPI, MIPS, BRANCH_MPKI,",
                      "BRANCH_MISP_PCT: needs 'perf::branches', which is "
                      "unsupported",
                      "BRANCH_IMPACT_PCT: needs 'perf::branch-misses', which is "
                      "lost",
                      "note: instructions: not counted: no counter was free",
                      "note: branches: not counted: reads 0",
                      "note: cycles: shared the hardware with other counters: "
                      "counted as little as 25.0 % of the time"):
            ok(words in flat, f"text: {words}", text)


def test_small():
    """Divided by hardly anything; hardly measured."""
    with folder() as where:
        few = record(1, 0, 0, "few", 1, 1,
                     [data("PM_CYC", 99, exclusive=99),
                      data("PM_INST_CMPL", 50, exclusive=50)], inst=1)
        many = record(2, 0, 0, "many", 1, 1,
                      [data("PM_CYC", 100, exclusive=100),
                       data("PM_INST_CMPL", 50, exclusive=50)], inst=2)
        none = record(3, 0, 0, "none", 1, 1,
                      [data("PM_CYC", 0, exclusive=0),
                       data("PM_INST_CMPL", 50, exclusive=50)], inst=3,
                      more=' short="yes"')
        path = write(where, "d.hpm.xml", task_file(0, [few, many, none]))
        table = rows(path)
        equal([find(table, s, "IPC")["remarks"] for s in ("few", "many")],
              ["doubtful", ""], "a ratio to fewer than 100 events is marked")
        row = find(table, "none", "IPC")
        ok(values_are(row, value="", state="undefined",
                      reason="'CYCLES' is 0"), "to none it is undefined", row)
        text = report(path).stdout.decode()
        ok(re.search(r"^  IPC +0\.505  \?$", text, re.M) and
           re.search(r"^none \? ", text, re.M) and
           "records (?) hardly take longer" in text,
           "text has the marks", text)


# ---- order, width, formats -------------------------------------------------

def test_same_bytes():
    with folder() as where:
        paths = known_files(where)
        merged = os.path.join(where, "merged")
        with open(merged, "wb") as out:
            tap.run_to(out, [program("tests/programs/reread"), "merge", *paths])
        for form in ("text", "csv", "json"):
            first = report("--format", form, *paths)
            ok(first.returncode == 0 and not first.stderr and first.stdout,
               f"{form}: a report", first)
            shuffled = paths[:]
            random.Random(7).shuffle(shuffled)
            others = {
                "the order of the files": report("--format", form, *shuffled),
                "threads": report("--format", form, "--threads", "1", *paths),
                "a folder": report("--format", form, where),
                "the locale": report("--format", form, *paths,
                                     LC_ALL="de_DE.UTF-8", LANG="tr_TR.UTF-8"),
                "a pattern": report("--format", form,
                                    os.path.join(where, "k.*.hpm.xml"))}
            for what, other in others.items():
                ok(other.stdout == first.stdout,
                   f"{form}: {what} makes no difference", other)
            if form != "json":
                ok(report("--format", form, merged).stdout == first.stdout,
                   f"{form}: of the merged file it is the same")
        with open(merged, "rb") as stdin:
            other = run([HPM, "report", "-"], stdin=stdin)
        ok(other.stdout == report(merged).stdout, "- is standard input", other)


def test_formats():
    with folder() as where:
        paths = known_files(where)
        for view in VIEWS:
            result = report("--by", view, "--format", "csv", *paths)
            table = list(csv.reader(io.StringIO(result.stdout.decode()),
                                    strict=True))
            ok(table[0] == COLUMNS and len(table) > 5 and
               all(len(r) == len(COLUMNS) for r in table),
               f"CSV by {view}: the columns are always the same", table[0])
            whole = json.loads(
                report("--by", view, "--format", "json", *paths).stdout)
            ok(whole["by"] == view and whole["kind"] == "merged" and
               whole["complete"] is True and len(whole["tasks"]) == 4 and
               [list(o) for o in whole["data"]] ==
               [COLUMNS] * (len(table) - 1), f"JSON by {view}: the same rows")
            same = [[("" if v is None else v) for v in o.values()]
                    for o in whole["data"]]
            equal([[float(a) if isinstance(b, (int, float)) else a
                    for a, b in zip(x, y)] for x, y in zip(table[1:], same)],
                  same, f"by {view}: the same values in both")
            keys = [tuple(r[i] for i in (0, 1, 3, 4, 6, 7, 8, 9, 10))
                    for r in table[1:]]
            equal(len(keys), len(set(keys)), f"by {view}: no row is there twice")


def test_width():
    with folder() as where:
        paths = known_files(where) + []
        long = write(where, "long.xml", task_file(
            0, [record(1, 0, 0, "l\u00e4bel " * 30, 1, 1, [
                data(f"some::rather_long_event_name_{i}", 10 ** 15 + i)
                for i in range(12)])]))
        for width in ("80", "200"):
            for view in VIEWS:
                for files in (paths, [long]):
                    text = report("--by", view, *files,
                                  COLUMNS=width).stdout.decode()
                    wide = [l for l in text.splitlines()
                            if len(l) > int(width)]
                    blank = [l for l in text.splitlines() if l != l.rstrip()]
                    ok(not wide and not blank and len(text) > 300,
                       f"by {view}: fits {width} columns", wide or text)
        narrow = report(*paths, COLUMNS="80").stdout
        ok(report(*paths, COLUMNS="nonsense").stdout == narrow and
           report(*paths).stdout == narrow, "without a terminal it is 80")
        wide = report(*paths, COLUMNS="200").stdout.decode()
        ok("lost s" in wide and "dev s" in wide and "dev s" not in
           narrow.decode() and b"COLUMNS=200" in narrow,
           "wider ones have more columns, which narrow ones say", wide)
        said = {match[0] for width in range(80, 201)
                for match in [re.search(r"up to (\d+) columns? (is|are) left",
                                        " ".join(report(
                                            *paths, COLUMNS=str(width)
                                        ).stdout.decode().split()))] if match}
        ok("up to 1 column is left" in said and
           "up to 2 columns are left" in said,
           "one column is no columns", said)


def on_terminal(command, **variables):
    """What it writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave,
                               stderr=subprocess.DEVNULL,
                               env=tap.environment(**variables))
    os.close(slave)
    output = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        output += more
    process.wait()
    os.close(master)
    return output


def test_colour():
    with folder() as where:
        command = [HPM, "report", *known_files(where)]
        coloured = on_terminal(command, TERM="xterm", NO_COLOR="", COLUMNS="80")
        plain = on_terminal(command, TERM="xterm", NO_COLOR="1", COLUMNS="80")
        dumb = on_terminal(command, TERM="dumb", NO_COLOR="", COLUMNS="80")
        piped = run(command, COLUMNS="80", TERM="xterm").stdout
        ok(b"\033[31m0.500\033[0m" in coloured, "bad is red on a terminal",
           coloured)
        equal(re.sub(rb"\033\[\d+m", b"", coloured).replace(b"\r", b""), piped,
              "without the colours it is the same")
        ok(b"\033" not in plain + dumb + piped,
           "no colours with NO_COLOR, on a dumb terminal, in a pipe")


# ---- filters and sorting ---------------------------------------------------

def filter_files(where):
    records = [record(i + 1, 0, 0, label, t, t,
                      [data("PM_CYC", 1000, exclusive=1000),
                       data("PM_INST_CMPL", n, exclusive=n)],
                      line=10 * i, inst=i + 1, file=file, calls=i + 1)
               for i, (label, t, n, file) in enumerate((
                   ("sweep x", 4, 500, "a.f"), ("sweep y", 3, 2500, "a.f"),
                   ("and", 2, 1500, "b.f"), ("halo", 1, 100, "b.f")))]
    records.append(record(9, 0, 0, "bare", 0.5, 0.5, [], inst=9, line=99,
                          file="c.f"))
    return write(where, "f.hpm.xml", task_file(0, records))


def shown(*arguments):
    """The sections of a report by section, in their order."""
    seen = []
    for row in rows(*arguments):
        if row["section"] not in seen:
            seen.append(row["section"])
    return seen


def test_filter():
    everything = ["sweep x", "sweep y", "and", "halo", "bare"]
    cases = [
        ("sweep*", ["sweep x", "sweep y"]),
        ("'sweep x'", ["sweep x"]),
        ('"and"', ["and"]),
        ("sweep?x or halo", ["sweep x", "halo"]),
        ("[!sh]*", ["and", "bare"]),
        ("not sweep*", ["and", "halo", "bare"]),
        ("!sweep* && excl >= 1", ["and", "halo"]),
        ("excl>1", ["sweep x", "sweep y", "and"]),
        ("excl = 2", ["and"]),
        ("excl != 2", ["sweep x", "sweep y", "halo", "bare"]),
        ("IPC < 1", ["sweep x", "halo"]),
        ("IPC != 0.5", ["sweep y", "and", "halo"]),
        ("not IPC < 1", ["sweep y", "and", "bare"]),
        ("IPC = bad", ["sweep x", "halo"]),
        ("IPC = good", ["sweep y"]),
        ("IPC != bad", ["sweep y", "and"]),
        ("bad > 0 and share > 20", ["sweep x"]),
        ("PM_INST_CMPL >= 1500", ["sweep y", "and"]),
        ("pm_inst_cmpl >= 1.5e3", ["sweep y", "and"]),
        ("file = a.f", ["sweep x", "sweep y"]),
        ("file != a.f and (halo || calls = 3)", ["and", "halo"]),
        ("(sweep* or halo) and not (line < 10 or id = 2)", ["halo"]),
        ("scope = process", []),
        ("threads = 1 and tasks = 1 and imbalance = 0 and lost = 0",
         everything),
    ]
    with folder() as where:
        path = filter_files(where)
        equal(shown(path), everything, "without a filter, by time")
        for expression, expected in cases:
            equal(shown("--filter", expression, path), expected,
                  f"--filter {expression}")
        result = report("--filter", "scope = process", path)
        ok(result.returncode == 0 and b"no line is as the filter wants" in
           result.stdout, "that nothing is left is said", result)
        for expression, words in (
                ("IPCC < 1", ["'IPCC'", "'IPC'"]),
                ("excl > much", ["'much'", "character 8", "a number"]),
                ("sweep* and", ["ends too early", "expected"]),
                ("sweep* halo", ["'halo'", "character 8", "and, or"]),
                ("(sweep*", ["')'"]), ("'sweep", ["quote"]),
                ("label > 3", ["'3'", "= or !="]), ("", ["expected"]),
                ("= 3", ["'='", "character 1"]),
                ("not", ["ends too early"]),
                ("excl = bad", ["'bad'", "a number"]),
                ("DATA_ACCESS > 1", ["'DATA_ACCESS'", "no value"]),
                ("task = 1", ["'task'", "--by task"]),
                ("(" * 40 + "a" + ")" * 40, ["deeper"])):
            result = report("--filter", expression, path)
            lines = result.stderr.decode().splitlines()
            ok(result.returncode == 2 and not result.stdout and
               len(lines) == 1 and all(w in lines[0] for w in words),
               f"--filter {expression[:20]}: 2 and a line that helps", result)

        paths = known_files(where)
        table = rows("--by", "thread", "--filter",
                     "task >= 2 and thread = 1 and sweep*", *paths)
        equal({(r["section"], r["task"], r["thread"]) for r in table},
              {("sweep x", "2", "1"), ("sweep x", "3", "1")},
              "by thread each thread is asked")
        table = rows("--by", "task", "--filter", "excl > 5 and sweep*", *paths)
        equal({r["task"] for r in table}, {"2", "3"}, "by task each task")


def test_sort():
    cases = [("excl", ["sweep x", "sweep y", "and", "halo", "bare"]),
             ("-excl", ["bare", "halo", "and", "sweep y", "sweep x"]),
             ("label", ["and", "bare", "halo", "sweep x", "sweep y"]),
             ("-label", ["sweep y", "sweep x", "halo", "bare", "and"]),
             ("calls", ["halo", "and", "sweep y", "sweep x", "bare"]),
             ("IPC", ["sweep y", "and", "sweep x", "halo", "bare"]),
             ("-IPC", ["halo", "sweep x", "and", "sweep y", "bare"]),
             ("PM_CYC", ["sweep x", "sweep y", "and", "halo", "bare"]),
             ("file", ["sweep x", "sweep y", "and", "halo", "bare"])]
    with folder() as where:
        path = filter_files(where)
        for key, expected in cases:
            equal(shown("--sort", key, path), expected, f"--sort {key}")
        result = report("--sort", "exkl", path)
        ok(result.returncode == 2 and b"'exkl'" in result.stderr and
           b"'excl'" in result.stderr, "a key that is none: 2, and the nearest",
           result)
        text = report("--by", "thread", "--sort", "excl", "--filter", "sweep*",
                      *known_files(where)).stdout.decode()
        equal([float(m) for m in re.findall(
            r"^  \d +\d +10 +([\d.]+) ", text, re.M)],
              sorted(map(float, SECONDS), reverse=True),
              "threads are sorted where a key is given")


# ---- results of the algebra ------------------------------------------------

def test_difference():
    def one(t, n, gone=False):
        records = [record(1, 0, 0, "loop", t, t,
                          [data("PM_CYC", 1000, exclusive=1000),
                           data("PM_INST_CMPL", n, exclusive=n)])]
        if not gone:
            records.append(record(2, 0, 0, "old", 1, 1, [], line=77, inst=5))
        return task_file(0, records)
    with folder() as where:
        a = write(where, "a.xml", one(2, 500))
        b = write(where, "b.xml", one(3, 1500, gone=True))
        path = os.path.join(where, "d.xml")
        with open(path, "wb") as out:
            tap.run_to(out, [program("tests/programs/reread"), "diff", a, b])
        table = rows(path)
        ok(values_are(find(table, "loop", "ExcSec"), value=1, base=2),
           "a difference has what was before")
        row = find(table, "loop", "IPC")
        ok(values_are(row, value=1.0, base=0.5, verdict=""),
           "metrics are computed on both sides and subtracted", row)
        ok(values_are(find(table, "old", "ExcSec"), value=-1, base=1,
                      remarks="only-in-a"), "a section that is gone is there",
           find(table, "old", "ExcSec"))
        text = report(path).stdout.decode()
        ok(re.search(r"^loop +0 +2\.000000 +3\.000000 +1\.000000 +50\.0 ", text,
                     re.M) and re.search(r"^  IPC +1\.000 +0\.500 +200\.0",
                                         text, re.M),
           "text has before, after, change and percent", text)


def test_machines():
    """Tasks on different processors."""
    with folder() as where:
        one = task_file(0, [record(1, 0, 0, "loop", 2, 2, [
            data("PM_CYC", 1000, exclusive=1000),
            data("PM_INST_CMPL", 500, exclusive=500)])], 'pmu="power4"')
        other = task_file(1, [record(1, 0, 1, "loop", 2, 2, [
            data("CPU_CLK_UNHALTED", 1000, exclusive=1000),
            data("FR_X86_INS", 2500, exclusive=2500)])], 'pmu="opteron"')
        paths = [write(where, "0.xml", one), write(where, "1.xml", other)]
        row = find(rows(*paths), "loop", "IPC")
        ok(values_are(row, value="", thread_min=0.5, thread_max=2.5,
                      threads=2) and
           "several kinds" in row["reason"],
           "metrics of different processors are told, not combined", row)


# What every record of process scope has without a counter, in file_of_part.
FREE = {"time::wall": 2, "Count": 3, "cpu::mhz": 1000, "cpu::count": 4,
        "cpu::allowed": 2}


def file_of_part(where, task, allowed, seconds, name=None, scope="process"):
    """A task that may use these processors, and was on them so long."""
    text = task_file(task, [record(
        1, -1 if scope == "process" else 0, task, "loop", 2, 2, [
            data("sw::task-clock", f"{seconds:.9f}", kind="time", unit="s",
                 exclusive=f"{seconds:.9f}"),
            data("CPU_EFFICIENCY", 7, kind="metric", unit="%")],
        scope=scope, calls=3)])
    return write(where, name or f"{task}.hpm.xml", text.replace(
        'cpus="4"', f'cpus="4" allowed="{allowed}"'))


def test_free_names():
    """What a formula may use without a counter is known of files, too."""
    with open(os.path.join(tap.TOP_SOURCE, "lib/metric/binding.c")) as file:
        equal(set(re.findall(r'\{"([^"]+)", HPM_ORIGIN_', file.read())),
              set(FREE), "these are all there are")
    with folder() as where:
        path = file_of_part(where, 0, 2, 3)
        own = write(where, "my.hpm", "".join(
            f"ratio MINE{i} = {name} + 0\n" for i, name in enumerate(FREE)))
        table = rows(path, HPM_DEFS=own)
        for i, (name, value) in enumerate(FREE.items()):
            row = find(table, "loop", f"MINE{i}")
            ok(values_are(row, value=value), f"{name} of a file", row)


def test_allowed():
    """How busy the processors were that tasks may use."""
    with folder() as where:
        paths = [file_of_part(where, 0, 2, 3), file_of_part(where, 1, 4, 6)]
        row = find(rows(paths[0]), "loop", "CPU_EFFICIENCY")
        ok(values_are(row, value=75, state="counted"),
           "computed again, whatever was recorded", row)
        row = find(rows(*paths), "loop", "CPU_EFFICIENCY")
        ok(values_are(row, value=75), "tasks have their processors together",
           row)
        thread = file_of_part(where, 0, 2, 2, "thread.hpm.xml", "thread")
        table = [r for r in rows(thread) if r["state"] != "recorded"]
        ok(find(table, "loop", "UTILISATION") is not None and
           find(table, "loop", "CPU_EFFICIENCY") is None,
           "a thread can use but one: no share of them is computed", table)
        again = file_of_part(where, 0, 2, 4, "again.hpm.xml")
        for command, expected in ("mean", 87.5), ("integrate", 87.5):
            both = os.path.join(where, command)
            run([HPM, command, "-o", both, paths[0], again])
            row = find(rows(both), "loop", "CPU_EFFICIENCY")
            with open(both) as file:
                text = file.read()
            ok(values_are(row, value=expected) and
               'name="CPU_EFFICIENCY" value="87.5"' in text,
               f"hpm {command} computes it again", text)


# ---- what goes wrong -------------------------------------------------------

def test_bad():
    with folder() as where:
        paths = known_files(where)
        bad = write(where, "bad.hpm.xml", "<HPMPerformanceFile><no")
        stranger = write(where, "z.hpm.xml", task_file(
            7, [record(1, 0, 7, "loop", 1, 1, [])], program_name="other"))
        result = report(*paths, bad)
        ok(result.returncode == 1 and b"bad.hpm.xml:1:" in result.stderr and
           b"sweep x" in result.stdout, "a bad file is named, 1", result)
        result = report(*paths, stranger)
        ok(result.returncode == 1 and b"z.hpm.xml" in result.stderr and
           b"4 tasks" in result.stdout, "so is one of another run", result)
        result = report("--force", *paths, stranger)
        ok(result.returncode == 0 and b"5 tasks" in result.stdout,
           "--force takes it", result)
        result = report(bad)
        ok(result.returncode == 3 and not result.stdout, "nothing usable: 3",
           result)
        for arguments, word in (([], b"expected performance files"),
                                (["--by", "colour", paths[0]], b"'colour'"),
                                (["--format", "xml", paths[0]], b"'xml'"),
                                (["--precision", "half", paths[0]], b"'half'"),
                                (["--max-memory", "1X", paths[0]], b"'1X'"),
                                (["--max-memory", "0", paths[0]], b"'0'"),
                                (["--threads", "0", paths[0]], b"'0'"),
                                (["--nosuch", paths[0]], b"'--nosuch'")):
            result = report(*arguments)
            ok(result.returncode == 2 and word in result.stderr and
               not result.stdout and result.stderr.count(b"\n") == 1,
               f"{' '.join(arguments[:2])}: 2 and one line", result)

        out = os.path.join(where, "out.txt")
        first, second = (report("-o", out, *paths) for _ in range(2))
        expected = report(*paths).stdout
        with open(out, "rb") as one, open(out + ".1", "rb") as other:
            ok(one.read() == expected == other.read() and first.returncode == 0
               and not first.stderr and b"out.txt.1" in second.stderr,
               "-o writes a file, and never over another", second)
        result = report("-o", os.path.join(where, "no", "out"), *paths)
        ok(result.returncode == 4 and result.stderr and not result.stdout,
           "-o where nothing can be written: 4", result)
        with open("/dev/full", "wb") as full:
            result = tap.run_to(full, [HPM, "report", *paths])
        equal(result.returncode, 4, "a full disk: 4")


def test_incomplete():
    with folder() as where:
        text = task_file(2, [record(1, 0, 2, "loop", 1, 1, [])], extra=(
            '<Problem task="2" text="loop was stopped twice" count="3"/>'))
        text = text.replace('complete="yes"',
                            'complete="no" reason="killed by signal 9"')
        other = task_file(0, [record(1, 0, 0, "loop", 1, 1, [], more=(
            ' open="yes"'))])
        paths = [write(where, "2.xml", text), write(where, "0.xml", other)]
        result = report(*paths)
        ok(re.search(rb"note: incomplete: killed by signal 9; in task 2\n",
                     result.stdout) and
           re.search(rb"note: loop was stopped twice \(3 times\); in task 2\n",
                     result.stdout) and
           b"1 of 2 records were left open" in result.stdout,
           "what is incomplete, and what went wrong, with the tasks", result)
        whole = json.loads(report("--format", "json", *paths).stdout)
        ok(whole["complete"] is False and whole["problems"] ==
           [{"task": 2, "text": "loop was stopped twice", "count": 3}] and
           whole["tasks"][1]["reason"] == "killed by signal 9",
           "JSON has it, too", whole)


# ---- completion ------------------------------------------------------------

def complete(*words):
    """What bash offers for the last of the words."""
    script = os.path.join(tap.TOP_SOURCE, "completions", "hpm.bash")
    quoted = " ".join(f"'{w}'" for w in (HPM, *words))
    result = run(["bash", "-c", f". {script}; COMP_WORDS=({quoted}); "
                  f"COMP_CWORD={len(words)}; _hpm; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\""])
    return set(result.stdout.decode().split())


def test_completion():
    ok({"report", "explain", "doctor"} <= complete("") and
       complete("rep") == {"report"}, "subcommands are completed")
    text = run([HPM, "help", "report"]).stdout.decode()
    equal(complete("report", "-"),
          set(re.findall(r"(?<=[ ,])(--?[a-z-]+)(?= [A-Z]| {2,})", text)) |
          {"-o"}, "all options of a subcommand")
    equal(complete("report", "--by", ""), {*VIEWS, *VIEWS_OF_SAMPLES},
          "what --by takes")
    equal(complete("report", "--format", "j"), {"json"}, "and --format")


def complete_by_fish(line):
    script = os.path.join(tap.TOP_SOURCE, "completions", "hpm.fish")
    result = run(["fish", "--no-config", "-c",
                  f"source {script}; complete -C'{HPM} {line}'"])
    return {one.split("\t")[0] for one in result.stdout.decode().splitlines()}


def test_fish():
    if not shutil.which("fish"):
        tap.skip("fish completes, too", "fish is missing")
        return
    equal(complete_by_fish("rep"), {"report"}, "fish completes subcommands")
    equal(complete_by_fish("report --by "), {*VIEWS, *VIEWS_OF_SAMPLES},
          "what --by takes")
    equal(complete_by_fish("explain PEAK_MEM"), {"PEAK_MEMORY"}, "metrics")
    text = run([HPM, "help", "report"]).stdout.decode()
    equal(complete_by_fish("report -"), complete("report", "-"),
          "and the options that bash completes")


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
