# SPDX-License-Identifier: BSD-3-Clause
"""The library called wrongly, or from strange places: tests/programs/misuse.c.
What is right is measured all the same, what is wrong is said once, with its
places, and counted in the file.  Rows of tests/FAULTS.md, group A."""

import os
import shutil
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import equal, files, folder, ok, program, run, unescape

MISUSE = program("tests/programs/misuse")


class Run:
    """One way: its status and words, its problems and records."""

    def __init__(self, name, command=None, **variables):
        with folder() as where:
            result = run(command or [MISUSE, name], folder=where, HPM_FSYNC="no",
                         **variables)
            self.status = result.returncode
            self.out = result.stdout.decode()
            self.said = [line[len("hpm: "):] for line in
                         result.stderr.decode().splitlines()
                         if line.startswith("hpm: ")]
            paths = files(where)
            equal((self.status, len(paths)), (0, 1),
                  f"{name}: the program's own affairs are in order")
            if tap.has_xmllint():
                message = tap.validates(paths)
                ok(message is None, f"{name}: the file is valid", message)
            root = ET.parse(paths[0]).getroot()
        self.problems = {p.get("text"): int(p.get("count"))
                         for p in root.findall("Problem")}
        self.records = root.findall("InstrumentationPt")

    def counts(self):
        """(tid, label): calls, in the order of the file."""
        return {(int(r.get("tid")), r.get("label")): calls(r)
                for r in self.records}

    def record(self, label):
        return next(r for r in self.records if r.get("label") == label)

    def check(self, name, problems, counts):
        equal(self.problems, problems,
              f"{name}: each problem is in the file, with its places")
        equal(sorted(self.said), sorted(problems), f"{name}: and said once")
        equal(self.counts(), counts, f"{name}: all that is right is measured")


def calls(record):
    return int(next(d.get("value") for d in record.findall("data")
                    if d.get("name") == "Count"))


def line_of(text):
    """Of misuse.c."""
    with open(os.path.join(tap.TOP_SOURCE, "tests/programs/misuse.c")) as source:
        return next(n for n, line in enumerate(source, 1) if text in line)


def test_mismatch():
    Run("mismatch").check("mismatch", {
        f"misuse.c:{line_of('never started')}: section 7 in thread 0: stopped "
        "but not open here; the stop is ignored": 2,
        "mismatch:22: section 2 in thread 0: stopped but not open here; the "
        "stop is ignored (one with this id starts at mismatch:20 as "
        "\"twice\")": 2,
        "mismatch:31: section 3 \"second\" in thread 0: its id is open already "
        "as another section; both are measured (open since mismatch:30 as "
        "\"first\")": 1},
        {(0, "good"): 8, (0, "twice"): 2, (0, "first"): 2, (0, "second"): 2})


def test_other_thread():
    got = Run("stop-elsewhere")
    got.check("stop-elsewhere", {
        "elsewhere:20: section 1 in thread 1: stopped but not open here; the "
        "stop is ignored": 1,
        "elsewhere:10: section 1 \"thread's\" in thread 0: started but never "
        "stopped; measured up to the end": 1},
        {(-1, "process's"): 1, (0, "thread's"): 1})
    equal([got.record("process's").get(a) for a in ("open", "lineend")],
          [None, "21"], "a process section may be stopped by another thread")
    equal(got.record("thread's").get("open"), "yes",
          "what was never stopped is marked")
    got = Run("open-elsewhere")
    got.check("open-elsewhere", {
        "elsewhere:20: section 1 \"both\" in thread 1: another thread has this "
        "process section open; the start is ignored (open since elsewhere:10 "
        "as \"both\" in thread 0)": 1}, {(-1, "both"): 2})
    equal([got.record("both").get(a) for a in ("outer", "open")], ["1", None],
          "and is still stopped by its own")


def test_labels():
    got = Run("labels")
    equal((got.problems, [calls(r) for r in got.records]), ({}, [2] * 5),
          "labels NULL, empty, of a megabyte and at the end of memory")
    labels = [unescape(r.get("label")) for r in got.records]
    equal((labels[0], labels[1], labels[3], labels[4]),
          (b"#1", b"#2", b"edge", b"no file"), "each is what it was")
    ok(len(labels[2]) == 1024 and labels[2].startswith(b"x" * 1000),
       "the long one is cut", labels[2][-40:])
    equal((got.records[4].get("file"), got.records[4].get("linestart")),
          ("", "-1"), "no place is no place")


def test_same_id():
    got = Run("same-id")
    equal([(r.get("label"), r.get("file"), calls(r)) for r in got.records],
          [("one", "a.h", 3), ("other", "a.h", 3), ("one", "b.h", 3)],
          "one id in two places, or with two labels: sections of their own")


def test_many_labels():
    if os.environ.get("sanitizers") == "thread":
        tap.skip("more labels than there is room for",
                 "one thread, in which nothing races")
        return
    n = 70000 if tap.IS_REPEATED else 1000000
    got = Run("many-labels", [MISUSE, "many-labels", str(n)])
    text = ("section 0 \"(other)\": more than 65,536 sections; measured "
            "together as \"(other)\"")
    equal((got.said, got.problems), ([text], {text: n - 65536}),
          f"{n} labels: said once, all counted")
    equal((len(got.records), sum(calls(r) for r in got.records),
           calls(got.record("(other)"))),
          (65537, n, n - 65536), "and no call is lost")


def test_depth():
    got = Run("deep")
    equal((len(got.problems), len(got.said), calls(got.record("recursion")),
           got.record("recursion").get("outer")), (44, 44, 10000, "1"),
          "10,000 deep recursion is one section; what is too deep is named")
    equal((len(got.records), calls(got.record("good"))), (1 + 256 + 1, 1),
          "all others are measured")


def test_longjmp():
    got = Run("longjmp")
    got.check("longjmp", {
        "jump:20: section 2 \"left\" in thread 0: started but never stopped; "
        "measured up to the end": 1},
        {(0, "outer"): 1, (0, "left"): 1, (0, "good"): 1})
    equal([got.record(label).get("open") for label in ("outer", "left")],
          [None, "yes"], "the section around it is closed by its own stop")


def test_strange_places():
    expected = {(0, "before main"): 1, (0, "good"): 1, (0, "after main"): 1}
    if not os.path.exists(os.path.join(tap.TOP_BUILD, "lib/.libs/libhpm.so")):
        # our end is one of the program's destructors then, and comes early
        del expected[0, "after main"]
    equal(Run("around-main", EARLY=1).counts(), expected,
          "constructors and destructors of the program may measure")
    equal(Run("thread-destructor").counts(),
          {(1, "thread"): 1, (1, "destructor"): 1, (2, "thread"): 1,
           (2, "destructor"): 1}, "so may those of a thread's data")


def test_floating_point():
    for name, variables in (("default", {}), ("none", {"HPM_SOURCE": "none"}),
                            ("report", {"HPM_REPORT": "report"}),
                            ("checkpoints", {"HPM_CHECKPOINT": "0"})):
        got = Run("rounding", **variables)
        equal(got.out, "", f"flags and rounding are the program's ({name})")
    got = Run("traps", HPM_REPORT="report")
    equal(calls(got.record("thread")), 100,
          "where the program lets everything trap, nothing of ours does")


CPP = r"""
#include <stdexcept>
#include <thread>
#include <libhpm.h>

struct Early {
    Early() { hpmTstartAt(1, "static constructor", "x", 1); hpmTstop(1); }
    ~Early() { hpmTstartAt(2, "static destructor", "x", 2); hpmTstop(2); }
} early;

struct Local {
    bool is_used = false;
    ~Local() { hpmTstartAt(3, "thread_local", "x", 3); hpmTstop(3); }
};
thread_local Local local;

struct Section {
    int id;
    Section(int id_, const char *label) : id(id_) {
        hpmTstartAt(id, label, "x", id);
    }
    ~Section() { hpmTstop(id); }
};

static void fail(bool has_guard)
{
    if (has_guard) {
        Section guarded(4, "guarded");
        throw std::runtime_error("on purpose");
    }
    hpmTstartAt(5, "left", "x", 5);
    throw std::runtime_error("on purpose");
}

int main()
{
    int n_caught = 0;

    for (int i = 0; i < 10; i++) {
        hpmTstartAt(6, "around", "x", 6);
        try { fail(i % 2 == 0); } catch (const std::exception &) { n_caught++; }
        hpmTstop(6);
    }
    std::thread([] { local.is_used = true; }).join();
    return n_caught == 10 ? 0 : 1;
}
"""


def test_exceptions():
    compiler = os.environ.get("CXX") or shutil.which("c++")
    library = os.path.join(tap.TOP_BUILD, "lib", ".libs")
    if compiler is None or os.environ.get("sanitizers") or \
       not os.path.exists(os.path.join(library, "libhpm.so")):
        tap.skip("C++ exceptions", "no C++ compiler, or no shared library "
                 "that serves every program")
        return
    with folder() as where:
        binary = os.path.join(where, "exceptions")
        source = binary + ".cc"
        with open(source, "w") as file:
            file.write(CPP)
        subprocess.run(compiler.split() + [
            "-std=c++11", "-I", os.path.join(tap.TOP_SOURCE, "include"), "-o",
            binary, source, "-L", library, "-lhpm", "-lpthread",
            "-Wl,-rpath," + library], check=True)
        got = Run("exceptions", [binary])
    equal(got.counts(), {(0, "static constructor"): 1, (0, "around"): 10,
                         (0, "guarded"): 5, (0, "left"): 5,
                         (0, "static destructor"): 1, (1, "thread_local"): 1},
          "exceptions, static and thread_local objects: all is measured")
    equal([t for t in got.problems if "never stopped" not in t], [],
          "a section whose guard an exception destroys is closed")
    equal(got.record("guarded").get("open"), None, "at once")
    equal(got.record("left").get("open"), "yes",
          "one without a guard stays open, and is marked")


test_mismatch()
test_other_thread()
test_labels()
test_same_id()
test_many_labels()
test_depth()
test_longjmp()
test_strange_places()
test_floating_point()
test_exceptions()
tap.done()
