# SPDX-License-Identifier: BSD-3-Clause
"""HPM_CHECKPOINT: what is in the journal when a program is killed, in whatever
way, and that it is nobody's trouble otherwise."""

import math
import os
import random
import shutil
import signal
import struct
import subprocess
import time
import xml.etree.ElementTree as ET

import journal
import tap
from tap import equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
KILLED = program("tests/programs/killed")
THREADS = program("tests/programs/threads")
WAYS = program("tests/programs/ways")

# A checkpoint at every stop, and the disk is not waited for.
OFTEN = {"HPM_CHECKPOINT": 0, "HPM_FSYNC": 0}


def broken_sums(table):
    """Where inclusive is not exclusive and the sections inside, slot by
    slot."""
    inside = [[0] * table.n_row for _ in table.sections]
    for section in table.sections:
        if section.parent:
            row = inside[section.parent - 1]
            for i, value in enumerate(section.inclusive):
                row[i] = (row[i] + value) & journal.MASK
    return [f"thread {table.tid}, {section.label}, slot {i}"
            for section, row in zip(table.sections, inside)
            for i in range(table.n_row)
            if (section.exclusive[i] + row[i]) & journal.MASK !=
            section.inclusive[i]]


def calls(table, label):
    return sum(s.calls for s in table.sections if s.label == label)


# ---- against the performance file ------------------------------------------

def paths_of(names, parents):
    """Section names as paths: outer>inner."""
    paths = []
    for name, parent in zip(names, parents):
        paths.append(f"{paths[parent]}>{name}" if parent is not None else name)
    return paths


def rows_of_journal(path):
    """One row a section: its path and every number, times in ns."""
    read = journal.Journal(path)
    rows = {}
    for table in read.threads + ([read.process] if read.process else []):
        names = [s.label or f"#{s.instance}" for s in table.sections]
        parents = [s.parent - 1 if s.parent else None for s in table.sections]
        for name, section in zip(paths_of(names, parents), table.sections):
            n = section.outer
            sums = section.inclusive[:table.n_counts]  # nothing is charged
            deviations = [math.sqrt((n * s - v * v) / (n * (n - 1)))
                          if n > 1 else None
                          for v, s in zip(sums, section.squares)]
            rows[table.tid, name] = (
                section.calls, n, section.skipped, section.is_open,
                section.first_line, section.last_line, section.works,
                list(zip(sums, section.exclusive[:table.n_counts],
                         [v / n if n > 0 else None for v in sums],
                         deviations)))
    return rows


def nanoseconds(text):
    return int(text.replace(".", ""))


def numbers(data, names):
    """As in a journal: time first, then each counter."""
    total, alone = data["IncSec"], data["ExcSec"]
    sdev = total.get("sdev")
    rows = [(nanoseconds(total["value"]), nanoseconds(alone["value"]),
             float(total["mean"]) * 1e9, float(sdev) * 1e9 if sdev else None)]
    for name in names:
        datum = data[name]
        rows.append((int(datum["value"]), int(datum["exclusive"]),
                     float(datum["mean"]),
                     float(datum["sdev"]) if "sdev" in datum else None))
    return rows


def rows_of_file(path):
    root = ET.parse(path).getroot()
    points = root.findall("InstrumentationPt")
    ids = [p.get("id") for p in points]
    names = [p.get("label") or "#" + p.get("inst") for p in points]
    parents = [ids.index(p.get("parent")) if p.get("parent") else None
               for p in points]
    counters = [c.get("name") for c in root.iter("Counter")
                if not c.get("name").startswith("work::")]
    rows = {}
    for name, point in zip(paths_of(names, parents), points):
        data = {d.get("name"): d.attrib for d in point.findall("data")}
        count = int(data["Count"]["value"])
        works = [(n[6:], int(d["exclusive"])) for n, d in data.items()
                 if n.startswith("work::") and int(d["exclusive"])]
        rows[int(point.get("tid")), name] = (
            count, int(point.get("outer", count)),
            int(point.get("skipped", 0)), point.get("open") == "yes",
            int(point.get("linestart")), int(point.get("lineend")), works,
            numbers(data, counters))
    return rows


def same(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-8, abs_tol=1e-8)
    return a == b


def check_same(sentence, steps, samples, **variables):
    """A run that leaves by _exit has in its journal what the file of one that
    ends has."""
    with folder() as where:
        with open(os.path.join(where, "x.replay"), "w",
                  encoding="utf-8") as file:
            file.write(samples)
        variables.update(HPM_SOURCE="replay", HPM_REPLAY="x.replay", **OFTEN)
        run([EDGES] + steps.split(), folder=where, **variables)
        equal(journal.paths(where), [], f"{sentence}: no journal at the end")
        result = run([EDGES] + steps.split() + ["leave"], folder=where,
                     **variables)
        equal((result.returncode, len(files(where))), (5, 2),
              f"{sentence}: a journal where there is no end")
        kept = journal.paths(where)
        path = [p for p in files(where) if p not in kept]
        got, expected = rows_of_journal(kept[0]), rows_of_file(path[0])
        ok(same(sorted(got.items()), sorted(expected.items())),
           f"{sentence}: journal and file say the same",
           f"{sorted(got.items())}\n{sorted(expected.items())}")


def test_same():
    squares = "events a task-clock/ns\n" + "".join(
        f"0 {t * t} {t} {7 * t}\n" for t in range(12))
    check_same("one section", "0+1=A 0-1", squares)
    check_same("nested", "0+1=outer 0+2=inner 0-2 0+2=inner 0-2 0+3 0-3 0-1",
               squares)
    check_same("recursive", "0+1=f 0+1=f 0-1 0-1 0+1=f 0-1", squares)
    check_same("overlapping", "0+1=A 0+2=B 0-1 0-2", squares)
    check_same("with work", "0+1=A 0*1 0+2=B 0*2 0-2 0-1", squares)
    check_same("left out at first", "0+1=A 0-1 0+1=A 0-1 0+1=A 0-1", squares,
               HPM_SKIP=1)
    # the end of what is open reads what the last stop has read
    check_same("left open", "0+1=A 0+2=B 0-2 0+2=B 0+3=C 0-3",
               "events a\n0 1 1\n0 5 2\n0 11 7\n0 20 8\n0 31 9\n0 41 11\n"
               "0 41 11\n")
    check_same("threads and the process",
               "0+1=main 0p+9=all 1+1=one 2+1=two 0p+8=part 1p-8 2-1 1-1 0-1 "
               "0p-9",
               "events a\n0 0 0\n0 500 50\n1 100 1000\n1 300 4000\n2 1 2\n"
               "2 3 4\n-1 50 10\n-1 150 1010\n-1 250 3010\n-1 600 5010\n")


# ---- killed ----------------------------------------------------------------

def new_progress(where):
    path = os.path.join(where, "progress")
    with open(path, "wb") as file:
        file.write(bytes(64 * 8))
    return path


def progress_of(path, n):
    with open(path, "rb") as file:
        return struct.unpack(f"{n}Q", file.read(n * 8))


def start_killed(where, n, *more, **variables):
    path = new_progress(where)
    child = subprocess.Popen([KILLED, path, str(n), *more], cwd=where,
                             env=tap.environment(**variables),
                             stderr=subprocess.PIPE)
    return child, path


def wait_until(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.0005)


def kill(child, number=signal.SIGKILL):
    child.send_signal(number)
    said = child.communicate(timeout=300)[1].decode()
    return child.returncode, said


def complaints(read, done, slack=1):
    """What is not right in the journal of a killed program whose threads have
    made so many calls."""
    found = []
    if read.run is None:
        return ["there is no run"]
    if read.run.program != "killed" or not read.run.calibrations:
        found.append("the run is not described")
    by_calls = sorted(calls(table, "inner") for table in read.threads)
    for got, expected in zip(by_calls, sorted(done)):
        if not expected <= got <= expected + slack:
            found.append(f"{got} calls are there, {expected} were made")
    if len(by_calls) != len(done):
        found.append(f"{len(by_calls)} threads are there")
    for table in read.threads:
        found += broken_sums(table)
        outer = [s for s in table.sections if s.label == "outer"]
        if len(outer) != 1 or not outer[0].is_open or outer[0].outer != 1:
            found.append(f"thread {table.tid}: outer is not open")
        weeks = dict(outer[0].works).get("weeks", 0) if outer else 0
        if not abs(calls(table, "inner") // 7 - weeks) <= 1:
            found.append(f"thread {table.tid}: {weeks} weeks of work")
    if read.process is None or \
            [(s.label, s.is_open) for s in read.process.sections] != \
            [("all", True)]:
        found.append("the process's section is not open")
    elif read.process.sections[0].inclusive[0] == 0:
        found.append("the process's section took no time")
    return found


def check_killed(n, times, **variables):
    random.seed(n)
    found, n_older = [], 0
    with folder() as where:
        for _ in range(times):
            child, path = start_killed(where, n, **variables)
            wait_until(lambda: min(progress_of(path, n)) > 0)
            time.sleep(random.random() / 50)
            found += kill(child)[1].splitlines()
            done = progress_of(path, n)
            left = journal.paths(where)
            if len(left) != 1:
                found.append(f"{len(left)} journals")
                continue
            read = journal.Journal(left[0])
            found += complaints(read, done)
            if not found:
                n_older += len(read.copies)
            os.unlink(left[0])
    ok(not found, f"{n} threads killed {times} times: every call is there",
       "\n".join(found))


def test_killed():
    check_killed(1, 10 if tap.IS_REPEATED else 40, **OFTEN)
    check_killed(8, 10 if tap.IS_REPEATED else 30, **OFTEN)
    check_killed(2, 5, HPM_CHECKPOINT=0)


SEEN = {  # the steps of a program, and what it has begun when it ends
    "0+1=a": {("0", "a", 1)},
    "0+1=a 0+2=b": {("0", "a", 1), ("0", "b", 1)},
    "0+1=a 0-1 0+2=b": {("0", "a", 1), ("0", "b", 1)},
    "0p+1=all": {("-1", "all", 1)},
    "0p+1=all 0p+2=part": {("-1", "all", 1), ("-1", "part", 1)},
    "0p+1=all 0+2=a 1+3=b": {("-1", "all", 1), ("0", "a", 1), ("1", "b", 1)},
    "door=f_hpm-at 0+1=outer 0+2=inner": {("0", "outer", 1), ("0", "inner", 1)},
    "door=f_hpm 0p+1=outer 1+2=inner": {("-1", "outer", 1), ("1", "inner", 1)},
    # since the last section that came first: not yet
    "0+1=a 0-1 0+1=a 0-1": {("0", "a", 1)},
}


def seen_in(read):
    return {(str(t.tid), s.label, s.calls)
            for t in read.threads + ([read.process] if read.process else [])
            for s in t.sections}


def check_recovered(steps, path, where, expected):
    if not os.path.exists(tap.HPM):
        tap.skip(f"{steps}: hpm recover has them", "there is no hpm")
        return
    made = run([tap.HPM, "recover", path], folder=where)
    out = path[:-len(".journal")]
    equal((made.returncode,
           {(str(r.tid), r.label, int(r.count)) for r in tap.records(out)}),
          (0, expected), f"{steps}: hpm recover has them")


def test_first_sections():
    """Long before an interval is over: each section is there since its first
    start, however the program ends, and with its calibration."""
    for steps, expected in SEEN.items():
        with folder() as where:
            result = run([EDGES, *steps.split(), "leave"], folder=where,
                         HPM_CHECKPOINT=1000)
            path = journal.paths(where)[0]
            read = journal.Journal(path)
            equal((result.returncode, seen_in(read)), (5, expected),
                  f"{steps}: every section is in the journal")
            n = 1 + (read.process is not None)
            ok(len(read.run.calibrations) == n,
               f"{steps}: so are {n} calibrations", read.run.calibrations)
            check_recovered(steps, path, where, expected)
    for milliseconds in (0, 10, 100, 300):
        with folder() as where:
            child, path = start_killed(where, 2, HPM_CHECKPOINT=1)
            wait_until(lambda: min(progress_of(path, 2)) > 0)
            time.sleep(milliseconds / 1000)
            kill(child)
            read = journal.Journal(journal.paths(where)[0])
            labels = [{s.label for s in t.sections} for t in read.threads]
            ok(len(labels) == 2 and
               all({"outer", "now and then", "inner"} <= l for l in labels) and
               [s.label for s in read.process.sections] == ["all"],
               f"killed {milliseconds} ms later: all sections are there",
               labels)


def test_many_first_sections():
    """A program of very many sections does not spend its life putting them
    aside; what is missing is a sixteenth at most."""
    steps = [step for i in range(1, 3001) for step in (f"0+{i}=s", f"0-{i}")]
    with folder() as where:
        run([EDGES, *steps, "leave"], folder=where, HPM_CHECKPOINT=1000)
        read = journal.Journal(journal.paths(where)[0])
        n, sequence = len(read.threads[0].sections), read.threads[0].sequence
        ok(3000 * 15 / 16 <= n <= 3000 and 256 <= sequence <= 350,
           f"of 3000 sections {n} are there, by {sequence} checkpoints")


def instants(read):
    """When each table was put aside last, in nanoseconds."""
    return {**{t.tid: t.instant[1] for t in read.threads},
            "process": read.process.instant[1], "run": read.run.instant[1]}


def latest(where):
    return journal.Journal(journal.paths(where)[0])


def wait_for_checkpoint(where, path):
    """A second after the latest checkpoint, until each thread has gone through
    a whole call: the threads, and those whose last one is not later."""
    before = instants(latest(where))
    time.sleep(max(0, max(before.values()) + 1.1e9 -
                   time.monotonic_ns()) / 1e9)
    calls_then = progress_of(path, 2)
    wait_until(lambda: all(now >= then + 2 for now, then in
                           zip(progress_of(path, 2), calls_then)))
    after = instants(latest(where))
    return [tid for tid in before if tid not in ("process", "run") and
            after[tid] <= before[tid]]


def test_interval():
    """When a second is over the next call of a thread makes a checkpoint, and
    none before: what is in the journal is whole, and of that time."""
    with folder() as where:
        begin = time.monotonic_ns()
        child, path = start_killed(where, 2, HPM_CHECKPOINT=1, HPM_FSYNC=0)
        wait_until(lambda: min(progress_of(path, 2)) > 0)
        first = instants(latest(where))
        missing = [wait_for_checkpoint(where, path) for _ in range(3)]
        equal(missing, [[], [], []],
              "each thread makes a checkpoint when a second is over")
        equal(kill(child), (-signal.SIGKILL, ""), "killed, nothing said")
        seconds = (time.monotonic_ns() - begin) / 1e9
        done = progress_of(path, 2)
        read = latest(where)
        problems = complaints(read, done, slack=0)
        equal([p for p in problems if "were made" not in p], [],
              "a checkpoint a second: what is there is whole")
        # and one for each section when it came first
        in_time = [t.sequence - len(t.sections) for t in read.threads]
        ok(all(3 <= n <= 1.01 * seconds for n in in_time),
           "a checkpoint in each of three seconds, and none between",
           (in_time, seconds))
        ok(all(0 < calls(t, "inner") <= max(done) for t in read.threads),
           "what is there is not more than was done")
        last = instants(read)
        ok(all(last[table] > first[table] for table in first),
           "the process's table and the run's are as late", (first, last))


def test_other_ends():
    for way, code in (("_exit", 6), ("signal", -signal.SIGTERM)):
        with folder() as where:
            result = run([WAYS, way], folder=where, **OFTEN)
            equal((result.returncode, result.stderr), (code, b""),
                  f"{way}: ends as without, nothing said")
            left = journal.paths(where)
            equal(files(where), left, f"{way}: a journal, no file")
            read = journal.Journal(left[0])
            equal([(s.label, s.calls, s.is_open)
                   for s in read.threads[0].sections], [("work", 1, False)],
                  f"{way}: the section is in it")
            equal(read.run.file + ".journal", left[0],
                  f"{way}: it says which file it stands for")
    with folder() as where:
        child, path = start_killed(where, 1, **OFTEN)
        wait_until(lambda: progress_of(path, 1)[0] > 0)
        kill(child, signal.SIGABRT)
        read = journal.Journal(journal.paths(where)[0])
        equal(complaints(read, progress_of(path, 1)), [],
              "abort: every call is there")


def test_churn():
    """Threads that have ended are there, and those that fold, together."""
    with folder() as where:
        child, path = start_killed(where, 20, "churn", HPM_MAX_THREADS=4,
                                   **OFTEN)
        wait_until(lambda: progress_of(path, 1)[0] == 20)
        kill(child)
        read = journal.Journal(journal.paths(where)[0])
        equal([(t.tid, t.n_threads, calls(t, "inner")) for t in read.threads],
              # thread 0 is main, which has no section
              [(-2, 17, 170)] + [(tid, 0, 10) for tid in (1, 2, 3)],
              "ended threads are in the journal")
        equal(sum((broken_sums(t) for t in read.threads), []), [],
              "and their sums are right")
    with folder() as where:
        child, path = start_killed(where, 6, "churn", HPM_CHECKPOINT=3600,
                                   HPM_FSYNC=0)
        wait_until(lambda: progress_of(path, 1)[0] == 6)
        kill(child)
        read = journal.Journal(journal.paths(where)[0])
        equal([calls(t, "inner") for t in read.threads if t.tid > 0], [10] * 6,
              "a thread that ends does not wait for its time")


def test_fork():
    samples = "events a\n" + "".join(f"0 {t} {t}\n" for t in range(20))
    with folder() as where:
        with open(os.path.join(where, "x.replay"), "w",
                  encoding="utf-8") as file:
            file.write(samples)
        result = run([EDGES] + "0+1=A 0-1 0+2=B fork 0+3=C 0-3 leave".split(),
                     folder=where, HPM_SOURCE="replay", HPM_REPLAY="x.replay",
                     **OFTEN)
        equal(result.returncode, 0, "a child leaves, the parent ends")
        left = journal.paths(where)
        equal(len(left), 1, "the child's journal stays")
        path = [p for p in files(where) if p not in left]
        read = journal.Journal(left[0])
        pid = int(ET.parse(path[0]).getroot().find("Run").get("pid"))
        ok(read.run.pid != pid and str(read.run.pid) in left[0],
           "it has the child's process id")
        equal([s.label for s in read.threads[0].sections], ["C"],
              "it has the child's section only")
        equal(sorted(label for _, label in rows_of_file(path[0])), ["A", "B"],
              "the parent's file has the parent's")


# ---- no trouble ------------------------------------------------------------

def said(result):
    """All lines but those of chance: of a section which is open, of a signal that
    comes inside a call."""
    return [line for line in result.stderr.decode().splitlines()
            if '"busy"' not in line and
            "a signal handler called libhpm inside another call" not in line]


def test_ends_well():
    codes = {"return": 0, "exit": 5, "exit-in-thread": 7, "main-leaves": 0,
             "atexit": 0, "fork": 0, "fork-silent": 0, "handler": 0,
             "handler-in-malloc": 0, "closed-descriptors": 0, "closefrom": 0,
             "chdir": 0, "longjmp": 0, "errno": 0}
    if "thread" in os.environ.get("sanitizers", ""):
        del codes["main-leaves"]
        tap.skip("main-leaves", "the thread sanitizer itself hangs when main "
                 "leaves by pthread_exit")
    if "address" in os.environ.get("sanitizers", ""):
        del codes["handler-in-malloc"]
        tap.skip("handler-in-malloc",
                 "here libhpm uses the sanitizer's malloc")
    for way, code in codes.items():
        variables = dict(OFTEN)
        if way.startswith("handler"):
            # handlers every 50 us would have no end
            variables["HPM_CHECKPOINT"] = 1
        with folder() as where:
            without = run([WAYS, way], folder=where)
        with folder() as where:
            result = run([WAYS, way], folder=where, **variables)
            equal((result.returncode, result.stdout, said(result)),
                  (code, without.stdout, said(without)),
                  f"{way}: as without checkpoints")
            equal(journal.paths(where), [], f"{way}: no journal is left")
            ok(files(where), f"{way}: the file is there")


def test_counts():
    """What a checkpoint costs is not in the counts of the sections around."""
    def faults(**variables):
        with folder() as where:
            run([THREADS, "1"], folder=where, **variables)
            root = ET.parse(files(where)[0]).getroot()
        values = {}
        for point in root.findall("InstrumentationPt"):
            for datum in point.findall("data"):
                if datum.get("name") == "page-faults" and "value" in datum.attrib:
                    values[point.get("label")] = int(datum.get("value"))
        return values

    if os.environ.get("sanitizers"):
        tap.skip("counts are as without checkpoints",
                 "sanitizers have page faults of their own")
        return
    variables = {"HPM_EVENTS": "page-faults"}
    # where memory is short the kernel may take a page and give it again
    without, with_them = tap.undisturbed(
        lambda: (faults(**variables), faults(**variables, **OFTEN)),
        lambda found: all(found[0].get(label) == found[1].get(label)
                          for label in ("outer", "middle", "inner", "touch")))
    if not without:
        tap.skip("counts are as without checkpoints",
                 "page faults cannot be counted here")
        return
    equal({k: with_them[k] for k in ("outer", "middle", "inner", "touch")},
          {k: without[k] for k in ("outer", "middle", "inner", "touch")},
          "counts are as without checkpoints")


def test_names():
    with folder() as where:
        for _ in range(2):
            run([WAYS, "_exit"], folder=where, HPM_OUTPUT_NAME="x.xml", **OFTEN)
        equal([os.path.basename(p) for p in journal.paths(where)],
              ["x.xml.journal", "x.xml.journal.1"],
              "a journal that was left is left")
        first = os.path.join(where, "x.xml.journal")
        with open(first, "rb") as file:
            before = file.read()
        run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="x.xml", **OFTEN)
        equal([os.path.basename(p) for p in journal.paths(where)],
              ["x.xml.journal", "x.xml.journal.1"],
              "and a run that ends removes its own only")
        with open(first, "rb") as file:
            ok(file.read() == before, "which are not touched")


def test_unwanted():
    with folder() as where:
        result = run([WAYS, "_exit"], folder=where)
        equal(os.listdir(where), [], "without the variable there is no journal")
        result = run([WAYS, "_exit"], folder=where, HPM_CHECKPOINT="often")
        equal((result.stderr.decode(), os.listdir(where)),
              ("hpm: HPM_CHECKPOINT='often' is neither a whole number nor no; ignored\n",
               []), "nor with a word for a number")


# ---- disks -----------------------------------------------------------------

def in_tmpfs(options, commands):
    """Run shell commands in a new file system of memory, which is the working
    directory (and $PWD), with the program's folder known; None where that is
    not permitted."""
    mount = ["unshare", "-m"] if os.getuid() == 0 else ["unshare", "-Urm"]
    with folder() as where:
        script = f'mount -t tmpfs -o {options} hpm "$1" && cd "$1" || exit 99\n'
        command = mount + ["sh", "-c", script + commands, "sh", where, EDGES,
                           WAYS, tap.TOP_SOURCE]
        if shutil.which("unshare") is None:
            return None
        result = subprocess.run(command, env=tap.environment(**OFTEN),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                timeout=600)
    return None if result.returncode in (1, 99) else result


def check_disk(sentence, options, commands, said, printed):
    result = in_tmpfs(options, commands)
    if result is None:
        for what in ("what is said", "what comes of it"):
            tap.skip(f"{sentence}: {what}", "no file system may be mounted here")
        return
    lines = result.stderr.decode().splitlines()
    ok(len(lines) == len(said) and
       all(part in line for part, line in zip(said, lines)),
       f"{sentence}: what is said", "\n".join(lines))
    equal(result.stdout.decode().split(), printed.split(),
          f"{sentence}: what comes of it")


READ = ('PYTHONPATH="$4/tests" python3 -c "import journal; '
        "print(*[(s.label + str(s.calls)) for t in "
        "journal.Journal(journal.paths('.')[0]).threads "
        'for s in t.sections])"\n')
# How many tables the journal says are behind.
BEHIND = ('PYTHONPATH="$4/tests" python3 -c "import journal; '
          "print(*[n for text, n in "
          "journal.Journal(journal.paths('.')[0]).run.problems "
          "if text.startswith('tables could not be written')])\"\n")


def test_disks():
    check_disk("a disk that is full at init", "size=8k",
               'head -c 8192 /dev/zero > filler; "$3" _exit; echo $?; ls\n',
               ["HPM_CHECKPOINT: cannot reserve room for the journal"],
               "6 filler")
    check_disk("a disk that the program fills", "size=512k",
               '"$2" 0+1=A 0+2=B 0-2 fill 0+2=B 0-2 0+2=B 0-2 0-1 leave\n'
               "echo $?\n" + READ, [], "5 A1 B3")
    many = " ".join(f"0+{i}=s{i} 0-{i}" for i in range(200))
    check_disk("a full disk and new sections", "size=128k",
               f'"$2" 0+1=A 0-1 fill {many} 0+1=A 0-1 leave\necho $?\n'
               "PYTHONPATH=\"$4/tests\" python3 -c \"import journal; "
               "print(journal.Journal(journal.paths('.')[0])"
               ".threads[0].sections[0].label)\"\n",
               ["HPM_CHECKPOINT: cannot reserve room for the journal"],
               "5 A")
    check_disk("and what the journal says of them", "size=128k",
               f'"$2" 0+1=A 0-1 fill {many} 0+1=A 0-1 leave\necho $?\n' +
               BEHIND, ["HPM_CHECKPOINT: cannot reserve room"], "5 1")
    check_disk("a full disk at the end", "size=512k",
               '"$2" 0+1=A 0+2=B 0-2 fill 0+2=B 0-2 0-1; echo $?\n' + READ,
               ["; the measurement is in the journal"], "0 A1 B2")
    check_disk("a full disk at the end of many sections", "size=128k",
               f'"$2" 0+1=A 0-1 fill {many} 0+1=A 0-1; echo $?\n' + BEHIND,
               ["HPM_CHECKPOINT: cannot reserve room for the journal",
                "; only a part of the measurement is in the journal"],
               "0 1")
    check_disk("a disk that has room again", "size=2m",
               f'"$2" 0+1=A 0-1 fill {many} clear 0+1=A 0-1 leave; echo $?\n' +
               BEHIND, ["HPM_CHECKPOINT: cannot reserve room"], "5")
    check_disk("a full disk where the file goes instead", "size=128k",
               'env -u HPM_CHECKPOINT HPM_OUTPUT_NAME=no/x.xml "$2" 0+1=A 0-1 '
               "fill; echo $?; ls\n",
               ["cannot write into the folder",
                "No space left on device; the measurement is lost"], "0 filler")
    check_disk("a folder that may not be written", "size=64k",
               'mount -o remount,ro hpm "$1"; "$3" _exit; echo $?; ls\n',
               ["cannot write into the folder",
                "HPM_CHECKPOINT: no place for the journal"], "6")


def test_limit():
    """A file may not grow beyond 32 KB: no SIGXFSZ, one line, the same end."""
    with folder() as where:
        many = " ".join(f"0+{i}=s{i} 0-{i}" for i in range(200))
        command = ["sh", "-c", f'ulimit -f 64; exec "$1" {many} leave', "sh",
                   EDGES]
        result = run(command, folder=where, **OFTEN)
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 5 and len(lines) == 1 and
           "HPM_CHECKPOINT: cannot reserve room" in lines[0],
           "a file size limit: one line, the program ends as it does", lines)
        read = journal.Journal(journal.paths(where)[0])
        sections = read.threads[0].sections
        ok(sections and [s.calls for s in sections] == [1] * len(sections),
           "what was there before is there still")


# ---- damage ----------------------------------------------------------------

def test_damage():
    """However the file is cut or spoilt, a reader has the latest whole copies
    or older ones, never a wrong one."""
    with folder() as where:
        child, path = start_killed(where, 2, **OFTEN)
        wait_until(lambda: min(progress_of(path, 2)) > 700)
        kill(child)
        left = journal.paths(where)[0]
        data = open(left, "rb").read()
        whole = journal.Journal(left)
        good = {(c.table, c.sequence): c.bytes for c in whole.copies}
        latest = {t.table: t.sequence for t in whole.threads}
        random.seed(1)
        wrong = []
        served_older = 0
        for trial in range(300):
            spoilt = bytearray(data)
            if trial % 3 == 0:
                del spoilt[random.randrange(len(spoilt)):]
            elif trial % 3 == 1:
                at = random.randrange(len(spoilt) // 512) * 512
                spoilt[at:at + 512] = bytes(512)
            else:
                victim = random.choice(whole.copies)
                at = victim.offset + random.randrange(56 + len(victim.bytes))
                spoilt[at] ^= 1 << random.randrange(8)
            found = journal.copies(bytes(spoilt))
            wrong += [c for c in found
                      if good.get((c.table, c.sequence)) != c.bytes]
            served_older += any(
                max((c.sequence for c in found if c.table == table), default=0)
                < sequence for table, sequence in latest.items())
            if trial % 3 == 2 and any(
                    not any(c.table == t for c in found) for t in latest):
                wrong.append(f"trial {trial}: a table is gone")
        equal(wrong, [], "no damaged copy is taken for a whole one")
        ok(served_older > 10, "damage was done to latest copies, too",
           served_older)


test_same()
test_killed()
test_first_sections()
test_many_first_sections()
test_interval()
test_other_ends()
test_churn()
test_fork()
test_ends_well()
test_counts()
test_names()
test_unwanted()
test_disks()
test_limit()
test_damage()
tap.done()
