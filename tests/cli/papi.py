# SPDX-License-Identifier: BSD-3-Clause
"""Events of PAPI: those libraries define themselves (SDE), and hardware events
on the fake PMU, with everything a program can do to them."""

import os
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import TOP_BUILD, equal, files, folder, ok, program, run, skip

MODULE = os.path.join(TOP_BUILD, "tests", "programs", ".libs", "fakepmu.so")
PAPI = program("tests/programs/papi")
SDE = program("tests/programs/sde")
USER = program("tests/programs/papiuser")
WAYS = program("tests/programs/ways")
TIMEOUT = ["timeout", "-k", "5", "300"]


def config(line):
    with open(os.path.join(TOP_BUILD, "config.h")) as text:
        return line in text.read()


def without_their_leaks(where):
    """For the leak sanitizer: what libpapi and libsde never give back (a string
    per event asked for, tables per thread) is no business of ours."""
    path = os.path.join(where, "leaks")
    with open(path, "w") as file:
        file.write("leak:libpapi.so\nleak:libsde.so\n")
    return {"LSAN_OPTIONS": f"suppressions={path}:print_suppressions=0"}


class Run:
    """A program that was run, with its files."""

    def __init__(self, command, where, **variables):
        if "address" in os.environ.get("sanitizers", ""):
            variables.update(without_their_leaks(where))
        self.result = run(TIMEOUT + command, folder=where, HPM_FSYNC="no",
                          **variables)
        self.said = self.result.stderr.decode()
        self.out = self.result.stdout.decode()
        self.status = self.result.returncode
        self.files = [ET.parse(path).getroot() for path in files(where)]
        self.validity = (tap.validates(files(where))
                         if tap.has_xmllint() and files(where) else None)

    def records(self, label, file=0):
        """The data of all records of that label: dictionaries by name."""
        return [{d.get("name"): d.attrib for d in record.findall("data")}
                for record in self.files[file].findall("InstrumentationPt")
                if record.get("label") == label]

    def value(self, label, event, file=0):
        """Of the only record with the label; None where there is no value."""
        data, = self.records(label, file)
        return int(data[event]["value"]) if "value" in data[event] else None

    def counter(self, event, file=0):
        return next(c for c in self.files[file].iter("Counter")
                    if c.get("name") == event)


def measure(*command, **variables):
    with folder() as where:
        return Run(list(command), where, **variables)


def fake(*command, **variables):
    """With hardware counters, all counted by PAPI."""
    return measure(*command, LD_PRELOAD=MODULE, FAKE_PMU=1,
                   LIBPFM_FORCE_PMU="skl",
                   **{"HPM_SOURCE": "papi", **variables})


# ---- software-defined events ----------------------------------------------

def test_threads():
    for n in (1, 2, 8):
        events = [f"sde:::Lib::c{i}" for i in range(n)]
        got = measure(SDE, "threads", str(n),
                      HPM_EVENTS=",".join(events + ["page-faults", "ru::minflt"]))
        equal((got.status, got.said), (0, ""), f"{n} threads: nothing is said")
        ok(got.validity is None, f"{n} threads: the file is valid", got.validity)
        expected = [20 * 1000 * (i + 1) for i in range(n)]
        equal([got.value("all", e) for e in events], expected,
              f"{n} threads: the process has all counts")
        # a thread's sections see others count, but never less than its own
        sums = sorted(tuple(int(r[e]["value"]) for e in events)
                      for r in got.records("mine"))
        ok(all(any(s[i] == expected[i] for s in sums) for i in range(n)) and
           all(0 <= s[i] <= expected[i] for s in sums for i in range(n)),
           f"{n} threads: each has its own counts, exactly", sums)
        ok(all("value" in r["page-faults"] and "value" in r["ru::minflt"]
               for r in got.records("mine")),
           f"{n} threads: kernel and usage events beside them")
    counter = measure(SDE, "threads", "1",
                      HPM_EVENTS="sde:::Lib::c0").counter("sde:::Lib::c0")
    equal((counter.get("source"), counter.get("description"),
           counter.get("domain"), counter.get("state")),
          ("papi", "what the first thread did", "all", "counted"),
          "the library's own description is in the file")


# In one call and by a first thread: inclusive, exclusive.
SHAPES = {"outer": (740111, 1), "inner": (110, 10), "innermost": (100, 100),
          "nothing": (0, 0), "recursive": (40000, 40000),
          "earlier": (300000, 100000), "later": (600000, 600000)}


def test_shapes():
    """Nested, entered again, recursive, overlapping, empty; in both scopes."""
    for n in (1, 2, 8):
        events = [f"sde:::Lib::c{i}" for i in range(n)]
        got = measure(SDE, "shapes", str(n), HPM_EVENTS=",".join(events))
        equal((got.status, got.said), (0, ""), f"{n} threads: nothing is said")
        tids = {r.get("tid"): int(r.get("label"))
                for r in got.files[0].findall("InstrumentationPt")
                if r.get("label").isdigit()}
        found = {}
        for record in got.files[0].findall("InstrumentationPt"):
            if record.get("label") in SHAPES:
                i = tids[record.get("tid")]
                own = next(d for d in record.findall("data")
                           if d.get("name") == events[i])
                found[i, record.get("label")] = (int(own.get("value")),
                                                 int(own.get("exclusive")))
        equal(found, {(i, label): (20 * (i + 1) * a, 20 * (i + 1) * b)
                      for i in range(n) for label, (a, b) in SHAPES.items()},
              f"{n} threads: every shape is exact in each")
        each = [20 * 740111 * (i + 1) for i in range(n)]
        equal([got.value("walks", e) for e in events], each,
              f"{n} threads: the process section around them has all")
        equal([got.value("all", e) for e in events],
              [each[0] + 5] + each[1:],
              f"{n} threads: and the one around that")
        equal([got.value("nothing at all", e) for e in events], [0] * n,
              f"{n} threads: an empty process section has nothing")


def test_campaign():
    """hpm itself has no such library: only the program can look the name up."""
    if not os.path.exists(tap.HPM):
        tap.skip("hpm campaign --sections counts them", "there is no hpm")
        return
    with folder() as where:
        leaks = (without_their_leaks(where)
                 if "address" in os.environ.get("sanitizers", "") else {})
        got = run(TIMEOUT + [tap.HPM, "campaign", "--sections", "-n", "-o",
                             "out.xml", "-e", "sde:::Lib::c0,page-faults", SDE,
                             "shapes", "1"], folder=where, HPM_FSYNC="no",
                  **leaks)
        said = got.stderr.decode()
        root = (ET.parse(os.path.join(where, "out.xml")).getroot()
                if got.returncode == 0 else [])
        values = {r.get("label"): d.get("value") for r in root
                  for d in r if d.get("name") == "sde:::Lib::c0"}
        ok(values.get("walks") == str(20 * 740111) and
           "not counted" not in said,
           "hpm campaign --sections counts them", said)
        got = run(TIMEOUT + [tap.HPM, "campaign", "-n", "-e", "sde:::Lib::c0",
                             SDE, "shapes", "1"], folder=where, **leaks)
        ok(got.returncode == 3 and b"hpm campaign --sections" in got.stderr,
           "without --sections it says what to do", got)


def test_kinds():
    names = ("number", "small", "level", "twice", "made", "list:CNT")
    got = measure(SDE, "kinds", HPM_EVENTS=",".join(
        "sde:::Lib::" + n for n in names + ("real", "real-level", "list")))
    equal(got.status, 0, "every kind of counter")
    equal([got.value("kinds", "sde:::Lib::" + n) for n in names],
          [60, 3, 21, 120, 12, 3],
          "registered, small, instant, called back, created, a list's length")
    for name in ("real", "real-level"):
        datum = got.records("kinds")[0]["sde:::Lib::" + name]
        ok("value" not in datum and datum["state"] == "unsupported" and
           "floating-point" in got.counter("sde:::Lib::" + name).get("reason"),
           f"{name}: bits of a floating-point number are no count", datum)
    ok("'sde:::Lib::list:CNT' is its length" in got.said,
       "a recorder is no counter, and it is said what is", got.said)


def test_names():
    got = measure(SDE, "threads", "1",
                  HPM_EVENTS="sde:::Lib::c00,sde:::Else::where,sde:::Lib::c1,"
                             "Lib::c0,nosuch,PAPI_NOSUCH")
    ok("did you mean 'sde:::Lib::c0'?" in got.said,
       "a name that is nearly right is set right", got.said)
    ok("'sde:::Else::where': no library has registered it so far; call hpmInit "
       "after" in got.said, "one of no library is refused, with the remedy",
       got.said)
    ok("'nosuch', 'PAPI_NOSUCH': unknown" in got.said, "so are others", got.said)
    equal(got.value("all", "sde:::Lib::c1"), 0, "the rest is counted")
    got = measure(SDE, "late", HPM_EVENTS="sde:::Lib::c0,page-faults")
    ok("call hpmInit after they have started" in got.said and
       got.value("late", "sde:::Lib::c0") is None,
       "a library that starts after hpmInit is not measured wrong", got.said)
    got = measure(WAYS, "return", HPM_EVENTS="sde:::Lib::c0")
    ok("component 'sde' is off" in got.said,
       "a program without such libraries is told so", got.said)


def test_sde_fork():
    got = measure(SDE, "fork", HPM_EVENTS="sde:::Lib::c0,page-faults")
    equal((got.status, len(got.files)), (0, 2), "fork: two files")
    child = next(i for i, f in enumerate(got.files)
                 if f.find("InstrumentationPt").get("label").startswith("child"))
    equal([got.value(label, "sde:::Lib::c0", 1 - child)
           for label in ("before", "around", "after")], [10, 20, 30],
          "the parent's counts go on")
    equal([got.value(label, "sde:::Lib::c0", child)
           for label in ("child", "child's process")], [500, 7],
          "the child's start anew")
    said = {(record.get("scope"), d.get("name"), d.get("children"))
            for root in got.files for record in root.findall("InstrumentationPt")
            for d in record.findall("data")
            if d.get("name") in ("sde:::Lib::c0", "page-faults")}
    equal(said, {("thread", "sde:::Lib::c0", None),
                 ("thread", "page-faults", None),
                 ("process", "sde:::Lib::c0", "not counted"),
                 ("process", "page-faults", None)},
          "and in process scope the file says that children are not counted")


def test_level():
    got = measure(SDE, "level", HPM_EVENTS="sde:::Lib::level,sde:::Lib::other")
    datum = got.records("up")[0]["sde:::Lib::level"]
    ok(datum["state"] == "lost" and "value" not in datum and
       "went back" in got.counter("sde:::Lib::level").get("reason"),
       "a level that falls has no value, and not a huge one", datum)
    equal([got.value(x, "sde:::Lib::other") for x in ("up", "down")], [5, 6],
          "its neighbour has")


# ---- hardware events on the fake PMU --------------------------------------

HARDWARE = "PAPI_TOT_INS,PAPI_L1_DCM,BR_INST_RETIRED"


def all_counted(got, label, events=HARDWARE):
    return all(got.value(label, event) for event in events.split(","))


def compared(way, labels, events, off):
    """Counts of the fake PMU, which are nanoseconds, beside the clock, in which
    no label is off by more."""
    def is_near(got):
        return got.status == 0 and all(
            1 - off < got.value(label, event, file) /
            got.value(label, "task-clock", file) < 1 + off
            for file in range(len(got.files))
            for label in labels if got.records(label, file)
            for event in events) and all(
                got.value("idle", event) < got.value(labels[0], event) / 10
                for event in events if way == "process")
    return tap.undisturbed(
        lambda: fake(PAPI, way, HPM_EVENTS=",".join([*events, "task-clock"]),
                     HPM_SOURCE="auto"), is_near)


def test_process():
    got = compared("process", ["new thread", "child"], ["PAPI_TOT_INS"], 0.1)
    equal((got.status, got.said, got.counter("PAPI_TOT_INS").get("source")),
          (0, "", "papi"), "PAPI counts what nobody else can name")
    for label in ("new thread", "child"):
        count, clock = (got.value(label, e) for e in ("PAPI_TOT_INS",
                                                      "task-clock"))
        ok(0.9 * clock < count < 1.1 * clock,
           f"the process has what a {label} does", (count, clock))
    ok(got.value("idle", "PAPI_TOT_INS") < count / 10,
       "and little where nothing is done")
    got = compared("old-thread", ["old thread"], ["PAPI_TOT_INS"], 0.1)
    count, clock = (got.value("old thread", e) for e in ("PAPI_TOT_INS",
                                                         "task-clock"))
    ok(0.9 * clock < count < 1.1 * clock,
       "and what a thread does that was there before", (count, clock))


def test_domains():
    got = fake(PAPI, "exec", HPM_DOMAIN="all",
               HPM_EVENTS="PAPI_TOT_INS,BR_INST_RETIRED:u=1:k=0")
    equal([got.counter(e).get("domain") for e in
           ("PAPI_TOT_INS", "BR_INST_RETIRED:u=1:k=0")], ["all", "user"],
          "modifiers of native events stand over HPM_DOMAIN")
    ok(all_counted(got, "work", "PAPI_TOT_INS,BR_INST_RETIRED:u=1:k=0"),
       "and both count")
    got = fake(PAPI, "exec", HPM_EVENTS="BR_INST_RETIRED:k,PAPI_TOT_INS")
    ok("PAPI ignores ':k'" in got.said,
       "a modifier PAPI would pass over is refused", got.said)


def test_descriptors():
    got = fake(PAPI, "exec", HPM_EVENTS=HARDWARE)
    equal((got.status, got.out), (0, "6 counters, 0 of them would leak\n"),
          "no counter is handed on to another program")
    ok(all_counted(got, "work") and all_counted(got, "process"),
       "thread and process count at once")
    got = fake(PAPI, "exits", HPM_EVENTS=HARDWARE)
    equal((got.status, got.out), (0, "0 more\n"),
          "100 threads that have ended leave no descriptor behind")
    ok(all(int(r[e]["value"]) > 0 for r in got.records("thread")
           for e in HARDWARE.split(",")), "and all were counted")
    got = fake(PAPI, "closefrom", HPM_EVENTS=HARDWARE)
    equal(got.status, 0, "a pipe in the place of our descriptor: no hang, and "
          "it stays the program's")
    ok(all(got.records(label)[0][e]["state"] == "lost" and
           "closed or taken away" in got.counter(e).get("reason")
           for label in ("before", "after", "process")
           for e in HARDWARE.split(",")), "what was counted is lost")
    got = fake(PAPI, "few-descriptors", HPM_EVENTS=HARDWARE)
    ok(got.status == 0 and all(
        "ulimit -n" in got.counter(e).get("reason", "") and
        got.records("thread")[0][e]["state"] == "unsupported"
        for e in HARDWARE.split(",")),
       "where descriptors are few, the program has them",
       (got.status, got.said))
    got = fake(PAPI, "no-descriptors", HPM_EVENTS=HARDWARE)
    ok(got.status == 0 and "ulimit -n" in got.said,
       "where there are none, PAPI does not end the program",
       (got.status, got.said))
    got = fake(PAPI, "no-standard", HPM_EVENTS=HARDWARE)
    equal(got.status, 0, "no counter becomes the program's standard output")
    ok(all_counted(got, "work"), "and all are counted")


def test_fork():
    got = compared("fork", ["parent", "child"],
                   ["PAPI_TOT_INS", "PAPI_L1_DCM"], 0.2)
    equal((got.status, got.said, len(got.files)), (0, "", 2),
          "parent and child count through PAPI")
    child = next(i for i, f in enumerate(got.files)
                 if f.find("InstrumentationPt").get("label") == "child")
    for label, file in (("parent", 1 - child), ("child", child)):
        clock = got.value(label, "task-clock", file)
        counts = [got.value(label, e, file)
                  for e in ("PAPI_TOT_INS", "PAPI_L1_DCM")]
        ok(all(0.8 * clock < c < 1.2 * clock for c in counts),
           f"the {label}'s counters count the {label}, and to its end",
           (counts, clock))


def test_threads_of_all_sizes():
    got = fake(PAPI, "small-stack", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
    datum = got.records("thread")[0]
    ok(got.status == 0 and datum["PAPI_TOT_INS"]["state"] == "unsupported" and
       "32 KB of stack" in got.counter("PAPI_TOT_INS").get("reason") and
       "value" in datum["ru::utime"],
       "a thread with little stack goes without PAPI", datum)
    ok(all_counted(got, "main", "PAPI_TOT_INS"), "the others do not")
    got = fake(PAPI, "small-init", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
    ok(got.status == 0 and "64 KB of stack" in got.said,
       "nor is PAPI started where there is little", got.said)
    got = fake(PAPI, "cancel", HPM_EVENTS=HARDWARE)
    equal(got.status, 0, "a section's edge is no point of cancellation")


def test_conflicts():
    got = fake(PAPI, "exec", FAKE_COUNTERS=2,
               HPM_EVENTS="PAPI_TOT_INS,ru::utime,PAPI_L1_DCM,BR_INST_RETIRED,"
                          "PAPI_TOT_CYC,INST_RETIRED:FOO")
    lines = got.said.splitlines()
    equal(lines[:1], ["hpm: not counted: 'BR_INST_RETIRED', 'PAPI_TOT_CYC': "
                      "conflicts with 'PAPI_TOT_INS', 'PAPI_L1_DCM': PAPI "
                      "counts those together, but not this one, too; count it "
                      "in a run of its own"],
          "events that do not go together are named at init")
    ok(all_counted(got, "work", "PAPI_TOT_INS,PAPI_L1_DCM") and
       got.value("work", "ru::utime") is not None,
       "those that do are counted")
    ok(len(lines) == 2 and "'INST_RETIRED:FOO': " in lines[1],
       "and one that is none of them has a reason of its own", got.said)


# ---- programs with PAPI of their own --------------------------------------

def test_users():
    got = fake(USER, "before", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
    ok(got.status == 0 and "this program uses PAPI itself" in got.said,
       "a program that uses PAPI itself keeps it", (got.status, got.said))
    equal(got.out, "the program counted something\n" * 2, "and counts")
    got = fake(USER, "after", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
    equal((got.status, got.said, got.out),
          (0, "", "the program counted something\n" * 2),
          "one that comes later finds its place free")
    ok(all(int(r["PAPI_TOT_INS"]["value"]) > 0 for label in
           ("work", "inside", "thread", "later", "last")
           for r in got.records(label)), "and ours go on")
    got = fake(USER, "shutdown", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
    datum = got.records("last")[0]["PAPI_TOT_INS"]
    ok(got.status == 0 and datum.get("state") == "lost",
       "one that shuts PAPI down takes our counters with it, no more",
       (got.status, got.said, datum))


# ---- libpapi that is none --------------------------------------------------

def is_loaded(*command, **variables):
    with folder() as where:
        result = subprocess.run(
            TIMEOUT + list(command), cwd=where, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, env=tap.environment(LD_DEBUG="files",
                                                        **variables))
        return b"libpapi" in result.stderr


def stub(where, source):
    soname = "libpapi.so.7.0"
    for line in open(os.path.join(TOP_BUILD, "config.h")):
        if line.startswith("#define PAPI_SONAME"):
            soname = line.split('"')[1]
    path = os.path.join(where, "stub.c")
    with open(path, "w") as file:
        file.write(source)
    command = os.environ.get("CC", "cc").split()
    subprocess.run(command + ["-w", "-shared", "-fPIC", "-o",
                              os.path.join(where, soname), path], check=True)


def test_stubs():
    events = "PAPI_TOT_INS,sde:::Lib::c0,page-faults,ru::utime"
    ok(not is_loaded(WAYS, "return", HPM_EVENTS="page-faults,ru::utime") and
       not is_loaded(WAYS, "return"),
       "a program that counts nothing through PAPI does not load it")
    ok(is_loaded(WAYS, "return", HPM_EVENTS="PAPI_TOT_INS"), "others do")
    names = ("is_initialized", "library_init")
    with open(os.path.join(tap.TOP_SOURCE, "lib", "source",
                           "papilib.h")) as file:
        calls = [line.split("(")[1].split(")")[0] for line in file
                 if line.strip().startswith("CALL(")]
    whole = "".join(f"int PAPI_{c}() {{ return 0; }}\n" for c in calls
                    if c not in names)
    for source, word, sentence in (
            ("int nothing;", "it is another version or no PAPI",
             "an empty library"),
            (whole + "int PAPI_is_initialized() { return 0; }\n"
             "int PAPI_library_init() { return 6 << 24; }\n",
             "is PAPI 6.0, but", "another version"),
            (whole + "int PAPI_is_initialized() { return 0; }\n"
             "int PAPI_library_init() { return -2; }\n",
             "PAPI does not start (error -2)", "one without memory")):
        with folder() as lib, folder() as where:
            stub(lib, source)
            got = Run([WAYS, "return"], where, HPM_EVENTS=events,
                      LD_LIBRARY_PATH=lib)
            lines = got.said.splitlines()
            ok(got.status == 0 and len(lines) == 1 and word in lines[0] and
               "'PAPI_TOT_INS', 'sde:::Lib::c0'" in lines[0],
               f"{sentence}: only its events are missing, in one line", got.said)
            ok("value" in got.records("work")[0]["ru::utime"],
               f"{sentence}: the others are counted")


def main():
    if not config("#define HAVE_PAPI 1"):
        got = measure(WAYS, "return", HPM_EVENTS="PAPI_TOT_INS,ru::utime")
        ok(got.status == 0 and "'PAPI_TOT_INS': unknown" in got.said,
           "built without PAPI, its names are unknown", got.said)
        skip("events of PAPI", "built without PAPI")
        return
    if "thread" not in os.environ.get("sanitizers", ""):
        test_stubs()
    if os.path.exists(SDE):
        test_threads()
        test_shapes()
        test_campaign()
        test_kinds()
        test_names()
        test_sde_fork()
        test_level()
    else:
        skip("software-defined events", "libsde is missing (libpapi-dev)")
    if os.path.exists(MODULE):
        for test in (test_process, test_domains, test_descriptors, test_fork,
                     test_threads_of_all_sizes, test_conflicts, test_users):
            test()
    else:
        skip("hardware events of PAPI",
             "the fake PMU cannot be loaded into sanitized programs")


main()
tap.done()
