# SPDX-License-Identifier: BSD-3-Clause
"""Lives and deaths of threads and processes that measure: tests/programs/lives.c.
The program ends as it would without us, nothing leaks, and what was measured
is there.  Rows of tests/FAULTS.md, group B."""

import os
import signal
import subprocess
import time
import xml.etree.ElementTree as ET

import tap
from tap import TOP_BUILD, equal, files, folder, ok, program, run

LIVES = program("tests/programs/lives")
PLUGIN, ALPHA, BRAVO = (
    os.path.join(TOP_BUILD, "tests", "programs", ".libs", name + ".so")
    for name in ("plugin", "alpha", "bravo"))
SANITIZERS = os.environ.get("sanitizers", "")
# HPM_TEST_ALL=1: the full numbers, some minutes
ALL = os.environ.get("HPM_TEST_ALL", "") not in ("", "0")
MANY = {"churn": 100000 if ALL else 5000, "crowd": 1000,
        "pairs": 10000000 if ALL else 1000000, "forks": 100000 if ALL else 1000,
        "cancel": 1000 if ALL else 100}
if SANITIZERS:  # an order of magnitude slower, and their own memory
    MANY = {name: max(n // 10, 50) for name, n in MANY.items()}


class Run:
    """One way: its status and words; problems and records of all its files."""

    def __init__(self, name, *arguments, command=None, status=0, n_files=1,
                 **variables):
        with folder() as where:
            result = run(command or [LIVES, name, *map(str, arguments)],
                         folder=where, timeout=1200, HPM_FSYNC="no", **variables)
            self.out = result.stdout.decode()
            self.said = [line[len("hpm: "):] for line in
                         result.stderr.decode().splitlines()
                         if line.startswith("hpm: ")]
            paths = files(where)
            equal((result.returncode, len(paths), sorted(os.listdir(where))),
                  (status, n_files, sorted(map(os.path.basename, paths))),
                  f"{name}: ends as it should, and leaves {n_files} files")
            if result.returncode != status:
                print("# " + (result.stdout + result.stderr).decode()[:2000]
                      .replace("\n", "\n# "))
            if paths and tap.has_xmllint():
                message = tap.validates(paths)
                ok(message is None, f"{name}: all of it valid", message)
            roots = [ET.parse(path).getroot() for path in paths]
        self.complete = [r.get("complete") for r in roots]
        self.problems = {p.get("text"): int(p.get("count"))
                         for r in roots for p in r.findall("Problem")}
        self.records = [r for root in roots
                        for r in root.findall("InstrumentationPt")]

    def named(self, label):
        return [r for r in self.records if r.get("label") == label]

    def calls(self, label):
        return sum(int(datum(r, "Count").get("value"))
                   for r in self.named(label))


def datum(record, name):
    return next(d for d in record.findall("data") if d.get("name") == name)


def tids(records):
    return [int(r.get("tid")) for r in records]


# ---- threads --------------------------------------------------------------

def test_many():
    n = MANY["churn"]
    got = Run("churn", n)
    short = got.named("short")
    equal((got.said, got.calls("short")), ([], n),
          f"{n} short threads: all of them measured")
    apart = [t for t in tids(short) if t >= 0]
    together = [r for r in short if r.get("tid") == "-2"]
    equal((sorted(apart), [int(r.get("threads")) for r in together]),
          (list(range(1, min(n, 1023) + 1)), [n - 1023] if n > 1023 else []),
          "1,024 threads have records of their own, the rest one together")
    n = MANY["crowd"]
    got = Run("crowd", n)
    equal((got.said, sorted(tids(got.named("together")))),
          ([], list(range(1, n + 1))), f"{n} threads at once: each has a number")
    got = Run("crowd", 50, HPM_MAX_THREADS=10)
    for label in ("before", "together"):
        records = got.named(label)
        equal((len([t for t in tids(records) if t > 0]), got.calls(label),
               [r.get("threads") for r in records if r.get("tid") == "-2"]),
              (9, 50, ["41"]), f"HPM_MAX_THREADS=10 of 51, '{label}': 41 "
              "threads are one record")
    n = MANY["pairs"]
    got = Run("pairs", n)
    equal((got.out, got.calls("pair")), ("", n + 2),
          f"{n} pairs in flat memory")


def check_doors(n):
    """Cancelled anywhere, mostly inside a process section's call: that ends
    first, by whatever door it came, and all the thread has measured is there."""
    got = Run(None, command=[program("tests/programs/cancelled"), str(n)])
    doors = got.out.splitlines()
    ok(len(doors) >= 10, "threads are cancelled behind many doors", doors)
    lost = [t for t in got.problems if "cancelled inside a call" in t]
    equal({door: got.calls(door) for door in doors},
          {door: 3 * n for door in doors},
          f"{n} threads cancelled anywhere in process sections of each door: "
          "nothing is lost")
    equal((lost, got.complete), ([], ["yes"]), "and nothing is said to be")


def test_thread_ends():
    got = Run("exit-inside")
    equal((got.calls("left"), got.calls("inside"),
           {r.get("open") for r in got.named("left") + got.named("inside")}),
          (10, 10, {"yes"}), "threads that end in sections: measured until then")
    equal(sorted(got.problems.values()), [10, 10], "and counted as a problem")
    if "address" in SANITIZERS:
        tap.skip("cancelled threads", "the address sanitizer itself fails when "
                 "such a thread ends")
        return
    check_doors(30)
    n = MANY["cancel"]
    got = Run("cancel", n)
    outer, inner = got.calls("outer"), got.calls("inner")
    ok(got.problems == {} and outer == inner >= n,
       "threads cancelled where the program lets them: nothing is lost",
       (got.problems, outer, inner))
    if SANITIZERS:
        tap.skip("threads cancelled anywhere", "a thread cancelled inside the "
                 "sanitizer keeps its locks, and the next one waits for ever")
        return
    got = Run("cancel-at-once", n)
    known = ("cancelled inside a call", "never stopped",
             "another thread has this process section open")
    strange = [t for t in got.problems if not any(k in t for k in known)]
    ok(not strange and got.calls("after") == 1,
       "threads cancelled anywhere: what is left out is said", got.problems)
    has_lost = any("cancelled inside a call" in t for t in got.problems)
    equal(got.complete, ["no" if has_lost else "yes"],
          "and the file says that it is not complete")


def test_stacks():
    if SANITIZERS:
        tap.skip("small stacks", "sanitizers need more themselves")
        return
    line = ("calls are ignored until one comes from a thread with at least 24 "
            "KB of stack left; call hpmInit in the main thread")
    for name, label in (("small-stack", "small"), ("handler-stack", "handler")):
        got = Run(name)
        equal((got.said, got.calls(label), got.calls("main")), ([line], 0, 1),
              f"{name}: left alone, one line says so, others measure")


def test_teams():
    teams = program("tests/programs/teams")
    if not os.path.exists(teams):
        tap.skip("OpenMP's teams", "built without OpenMP")
        return
    for n in (1, 2, 64):
        got = Run(f"{n} threads of OpenMP", command=[teams], OMP_NUM_THREADS=n)
        expected = {"team": 134, "outside": 2, "inside": 6, "task": 100,
                    "default": n}
        equal((got.said, {label: got.calls(label) for label in expected}),
              ([], expected), f"OMP_NUM_THREADS={n}: teams of all sizes, one in "
              "another, tasks: no call is lost")
        numbers = {label: tids(got.named(label)) for label in expected}
        ok(all(len(t) == len(set(t)) for t in numbers.values()),
           f"OMP_NUM_THREADS={n}: each thread has one number", numbers)


def test_migration():
    got = Run("wander", HPM_EVENTS="page-faults")
    value = datum(got.named("wander")[0], "page-faults").get("value")
    if value is None:
        tap.skip("page faults of a thread that migrates",
                 "page faults cannot be counted here")
        return
    n = int(got.out)
    more = 1000 if SANITIZERS else 8  # they have faults of their own
    ok(n <= int(value) <= n + more, "a thread that migrates is counted on every "
       "processor", f"{value} of {n}")


# ---- forks ----------------------------------------------------------------

def test_forks():
    test_forks_beside_threads()
    test_forks_in_init()
    test_generations()


def forks_find_malloc_whole(what):
    """A child that is forked while another thread allocates: the address
    sanitizer's malloc keeps that thread's locks.  Seen in a child's calloc,
    by a debugger."""
    if "address" not in SANITIZERS:
        return True
    tap.skip(what, "this sanitizer's malloc keeps another thread's locks")
    return False


def test_forks_beside_threads():
    if not forks_find_malloc_whole("forks beside two measuring threads"):
        return
    n = MANY["forks"]
    got = Run("forks", n)
    equal((got.out, got.said), ("", []),
          f"{n} forks beside two measuring threads: no child hangs")
    ok(got.calls("process") > 0 and not got.named("child"),
       "the parent measures, and has nothing of its children")


def test_forks_in_init():
    if not forks_find_malloc_whole("forks while another thread begins"):
        return
    # in the child nobody joins the parent's other thread
    options = {"TSAN_OPTIONS": "report_thread_leaks=0"}
    for n in range(0, 40, 4):
        got = Run("fork-in-init", n, n_files=2, **options)
        equal((got.calls("first"), got.calls("child")), (1, 1),
              f"forked during init ({n}): parent and child measure")


def test_generations():
    got = Run("generations", n_files=4)
    equal(sorted(r.get("label") for r in got.records),
          [f"generation {i}" for i in range(4)],
          "a child of a child has its own file")
    equal(Run("fork-in-thread").calls("child"), 1,
          "a child of another thread than the main one measures its first call")


def test_fork_counts():
    got = Run("fork-counts", n_files=2, HPM_EVENTS="page-faults")
    values = {r.get("label"): datum(r, "page-faults").get("value")
              for r in got.records}
    if values["after"] is None:
        tap.skip("the parent's counts after a fork",
                 "page faults cannot be counted here")
        return
    # copying on write after the fork costs some faults more
    more = 9000 if SANITIZERS else 0
    ok(100 <= int(values["after"]) < 150 + more and
       200 <= int(values["around"]) < 400 + more,
       "a child that measures leaves its parent's counts alone", values)
    ok(1000 <= int(values["child"]) < 1050 + more, "and has its own", values)


# ---- other programs -------------------------------------------------------

def test_other_programs():
    bare = subprocess.run([LIVES, "descriptors"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    expected = bare.stdout.decode()
    got = Run("spawn")
    equal((got.out, got.said), (expected * 4, []),
          "posix_spawn, vfork, system, popen: no descriptor goes along")
    equal([(r.get("label"), r.get("open")) for r in got.records],
          [("process", None), ("thread", None)],
          "and the sections around them are whole")
    got = Run("exec", n_files=0)
    equal((got.out, got.said), (expected, []),
          "exec: no descriptor goes along, no file is left")


# ---- ends -----------------------------------------------------------------

def test_ends():
    for name, status in (("abort", -signal.SIGABRT), ("quick_exit", 6),
                         ("int", -signal.SIGINT), ("segv", -signal.SIGSEGV)):
        if name == "segv" and SANITIZERS:
            continue
        equal(Run(name, status=status, n_files=0).said, [],
              f"{name}: nothing of ours comes in between")
    for _ in range(5):
        with folder() as where:
            result = run([LIVES, "exit-in-handler"], folder=where,
                         HPM_FSYNC="no")
            said = result.stderr.decode()
            is_inside = "ended the program, or left by longjmp" in said
            paths = files(where)
            equal((result.returncode, len(paths)), (4, 1),
                  "exit in a handler, in a call or not: a file")
            equal('complete="no"' in open(paths[0]).read(), is_inside,
                  "and it says if the call's thread is left out")


def test_jump_out():
    """A handler leaves calls of libhpm by longjmp: the other thread's part is
    there, the thread's own is left out."""
    got = Run("jump-out", status=3)
    said = [line for line in got.said if "left by longjmp" in line]
    equal((got.calls("other"), got.complete, len(said)), (1, ["no"], 1),
          "calls left by longjmp: the other threads are in the file")


def test_stopped():
    """SIGSTOP in a section: the wall clock goes on, processor time does not."""
    with folder() as where:
        child = subprocess.Popen([LIVES, "stopped"], cwd=where,
                                 env=tap.environment(HPM_EVENTS="task-clock"))
        os.waitpid(child.pid, os.WUNTRACED)
        begin = time.monotonic_ns()
        time.sleep(0.3)
        length = time.monotonic_ns() - begin
        child.send_signal(signal.SIGCONT)
        equal(child.wait(300), 0, "a program that was stopped goes on")
        root = ET.parse(files(where)[0]).getroot()
        record = next(r for r in root.findall("InstrumentationPt")
                      if r.get("label") == "stopped")
        wall = float(datum(record, "IncSec").get("value")) * 1e9
        clock = datum(record, "task-clock").get("value")
        ok(wall >= length and (clock is None or int(clock) <= wall - length),
           "the wall clock counts the stop, the task clock does not",
           (wall, length, clock))


def test_plugin():
    if not os.path.exists(PLUGIN):
        tap.skip("a plug-in that is closed", "it was not built as a module")
        return
    got = Run("plugin", PLUGIN=PLUGIN)
    equal(sorted(tids(got.named("in the plug-in"))), [0, 1],
          "a plug-in that is closed: its measurements stay, a thread that ends "
          "later does no harm")



def test_turns():
    """Two plug-ins loaded in turn, at the same addresses, with the same ids and
    lines: each has its own sections, by every kind of call."""
    if not os.path.exists(ALPHA):
        tap.skip("plug-ins in turn", "not built as modules")
        return
    with folder() as where:
        probe = run([LIVES, "turns"], folder=where, ALPHA=ALPHA, BRAVO=BRAVO)
    if probe.returncode == 77:
        tap.skip("plug-ins in turn", "the second one has other addresses here")
        return
    got = Run("turns", ALPHA=ALPHA, BRAVO=BRAVO)
    counts = sorted((r.get("scope"), r.get("label"), r.get("inst"),
                     int(datum(r, "Count").get("value"))) for r in got.records)
    equal(counts, sorted(
        (scope, label + more, inst, 3) for label in ("alpha work", "bravo work")
        for scope, more, inst in (("thread", "", "1"), ("thread", " inside", "2"),
                                  ("thread", "", "3"), ("process", "", "4"))),
          "plug-ins loaded in turn at one address: each call is in its section")
    equal((got.said, got.problems), ([], {}), "and nothing is said")


def test_buffer():
    got = Run("buffer")
    equal({r.get("label"): int(datum(r, "Count").get("value"))
           for r in got.records},
          {**{f"phase {i}": 1000 for i in range(3)},
           **{f"part {i}": 1000 for i in range(3)}},
          "labels in memory that is written again: each call is in its section")


test_many()
test_thread_ends()
test_stacks()
test_teams()
test_migration()
test_forks()
test_fork_counts()
test_other_programs()
test_ends()
test_jump_out()
test_stopped()
test_plugin()
test_turns()
test_buffer()
tap.done()
