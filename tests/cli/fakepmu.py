# SPDX-License-Identifier: BSD-3-Clause
"""Hardware counters that work, are shared, refuse, read 0 and fall away: all
by tests/programs/fakepmu.c, loaded before hpmcount and programs with libhpm."""

import csv
import errno
import io
import json
import os
import sys
import xml.etree.ElementTree as ET

import tap
from tap import (HPMCOUNT, TOP_BUILD, equal, files, folder, ok, program,
                 run)

THREADS = program("tests/programs/threads")
WAYS = program("tests/programs/ways")
BUSY = ["sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"]
WITHOUT_VALUE = ("brief", "lost", "undefined", "unscheduled", "unsupported")
ERRORS = ("EPERM", "EACCES", "ENOSYS", "EBUSY", "EMFILE", "ENOMEM", "ENODEV",
          "EINVAL", "EOPNOTSUPP", "ENOENT", "ESRCH")
N_OPENS = 12


def fake(command, where=None, **variables):
    return run(command, folder=where, HPM_FSYNC="no",
               **tap.fake_pmu(**variables))


class Run:
    """One hpmcount with its report and its performance file."""

    def __init__(self, form, command, *options, **variables):
        with folder() as where:
            self.result = fake([HPMCOUNT, "-v", "--format", form, "--log", "log",
                                "-o", "x.hpm.xml", *options, *command], where,
                               **variables)
            with open(os.path.join(where, "log")) as log:
                self.report = log.read()
            self.validity = validity(files(where))
            self.xml = records(files(where)[0])[0]

    def row(self, metric):
        """Of the CSV or JSON report."""
        if self.report.startswith("{"):
            table = json.loads(self.report)["data"]
        else:
            table = csv.DictReader(io.StringIO(self.report), strict=True)
        return next(row for row in table
                    if row["scope"] == "process" and row["metric"] == metric)

    def line(self, metric):
        """Of the text report."""
        return next(line for line in self.report.splitlines()
                    if line.startswith(f"  {metric} "))


class Record:
    """One InstrumentationPt."""

    def __init__(self, element):
        self.label = element.get("label")
        self.scope = element.get("scope")
        self.data = {d.get("name"): d.attrib for d in element.findall("data")}

    def number(self, name, attribute="value"):
        return float(self.data[name][attribute])


def records(path):
    root = ET.parse(path).getroot()
    return [Record(e) for e in root.findall("InstrumentationPt")]


def validity(paths):
    """None when all are valid, or when nobody can tell."""
    if not paths:
        return "no file was written"
    return tap.validates(paths) if tap.has_xmllint() else None


def threads(rounds=20, **variables):
    """Two threads with libhpm: the result, what is wrong with the file, its
    records."""
    with folder() as where:
        result = fake([THREADS, "2", str(rounds)], where, **variables)
        paths = files(where)
        return result, validity(paths), records(paths[0])


def is_silent_without_reason(datum):
    """No value, and nothing that says why?"""
    return ("value" not in datum and "exclusive" not in datum and
            (datum.get("state") not in WITHOUT_VALUE or not datum.get("reason")))


# ---- names of libpfm4 ------------------------------------------------------

def test_vendor_names():
    if not tap.has_libpfm():
        tap.skip("events have their vendor's names", "built without libpfm4")
        return
    domains = {"INST_RETIRED:ANY_P": "user", "inst_retired:any_p:k": "kernel",
               "skx::INST_RETIRED:ANY_P:u=1:k=1": "all",
               "INST_RETIRED:ANY_P:uk": "all",
               "INST_RETIRED:ANY_P:c=1:i": "user", "BR_INST_RETIRED": "user"}
    with folder() as where:
        result = fake([WAYS, "return"], where, LIBPFM_FORCE_PMU="skx",
                      HPM_EVENTS=",".join(domains))
        equal((result.returncode, result.stderr), (0, b""),
              "events have their vendor's names")
        path = files(where)[0]
        counters = [c for c in ET.parse(path).getroot().iter("Counter")
                    if c.get("name") in domains]
        equal([c.get("source") for c in counters], ["kernel"] * len(domains),
              "our own counters count them")
        equal({c.get("name"): c.get("domain") for c in counters}, domains,
              "modifiers choose the domain, and HPM_DOMAIN where there is none")
        ok(all(records(path)[0].number(name) > 0 for name in domains),
           "and all count", records(path)[0].data)
    for name, word in (("INST_RETIRED:FOO", b"unit masks and modifiers"),
                       ("INST_RETIRED:ANY_P:precise=2", b"':precise'"),
                       ("INST_RETIRD", b"did you mean 'INST_RETIRED'?")):
        with folder() as where:
            result = fake([WAYS, "return"], where, LIBPFM_FORCE_PMU="skx",
                          HPM_EVENTS=name, HPM_SOURCE="kernel")
            ok(word in result.stderr, f"{name}: it is said what is wrong",
               result.stderr)
    with folder() as where:
        result = run([WAYS, "return"], folder=where, LIBPFM_FORCE_PMU="skx",
                     HPM_EVENTS="INST_RETIRED:ANY_P")
        root = ET.parse(files(where)[0]).getroot()
        machine = root.find("Machine").get("reason")
        if machine is None:
            tap.skip("without a PMU the reason is the machine's",
                     "this machine has one")
        else:
            equal(next(c.get("reason") for c in root.iter("Counter")), machine,
                  "without a PMU the reason is the machine's")


def test_presets():
    """PAPI's, in a program that knows nothing of PAPI."""
    with open(os.path.join(TOP_BUILD, "config.h")) as config:
        if "#define HAVE_PAPI 1" not in config.read() or not tap.has_libpfm():
            tap.skip("presets are counted in programs",
                     "built without PAPI or libpfm4")
            return
    got = tap.undisturbed(
        lambda: Run("csv", BUSY, "-e",
                    "PAPI_TOT_INS,INST_RETIRED:ANY_P,PAPI_L1_TCM,page-faults",
                    LIBPFM_FORCE_PMU="skl"),
        lambda got: is_about(int(got.row("PAPI_TOT_INS")["value"]),
                             int(got.row("INST_RETIRED:ANY_P")["value"])))
    row, native = got.row("PAPI_TOT_INS"), got.row("INST_RETIRED:ANY_P")
    ok(int(row["value"]) > 0 and
       is_about(int(row["value"]), int(native["value"])),
       "a preset is the native event it is made of", (row, native))
    row = got.row("PAPI_L1_TCM")
    said = got.result.stderr.decode()
    ok(row["state"] == "unsupported" and row["value"] == "" and
       "'PAPI_L1_TCM': PAPI derives it from 'L1D:REPLACEMENT', "
       "'L2_RQSTS:ALL_CODE_RD'; count these" in said,
       "a derived one is refused by name, and it is said from which", said)
    ok(int(got.row("page-faults")["value"]) > 0, "the others are counted",
       got.report)


# ---- all is well ----------------------------------------------------------

def test_counted():
    got = Run("text", BUSY)
    equal((got.result.returncode, got.result.stdout, got.result.stderr),
          (0, b"", b""), "with a PMU nothing is said")
    ok("no hardware counters" not in got.report,
       "and there is no note on missing counters", got.report)
    ok(any(line.startswith("  IPC ") for line in got.report.splitlines()),
       "instructions per cycle are derived", got.report)
    got = Run("csv", BUSY)
    for name in ("cycles", "instructions"):
        row = got.row(name)
        ok(row["state"] == "counted" and int(row["value"]) > 0 and
           row["share"] == "", f"{name} are counted without being asked for", row)
    ok(got.validity is None, "the file is valid", got.validity)
    result, problem, rows = threads()
    equal((result.returncode, result.stderr), (0, b""),
          "libhpm: with a PMU nothing is said")
    ok(problem is None, "libhpm: the file is valid", problem)
    ok(all(r.data[name].get("state", "counted") == "counted" and
           r.number(name) >= r.number(name, "exclusive") > 0
           for r in rows for name in ("cycles", "instructions")),
       "libhpm: cycles and instructions are counted without being asked for",
       [r.data for r in rows])


# ---- perf_event_open fails ------------------------------------------------

def check_hpmcount(where, name, **variables):
    """What is wrong, as text."""
    log = f"{name}.log"
    result = fake([HPMCOUNT, "--log", log, "-o", f"{name}.hpm.xml", "sh", "-c",
                   "echo out; echo err >&2; exit 3"], where, **variables)
    said = [line for line in result.stderr.decode().splitlines()
            if line != "err" and not line.startswith("hpmcount: not counted: ")]
    if (result.returncode, result.stdout, said) != (3, b"out\n", []):
        return f"hpmcount {name}: {result}\n"
    with open(os.path.join(where, log)) as report:
        return "" if "wall clock time" in report.read() else f"{name}: no report\n"


def check_libhpm(where, command, name, **variables):
    result = fake(command, where, HPM_OUTPUT_NAME=f"{name}.hpm.xml", **variables)
    said = [line for line in result.stderr.decode().splitlines()
            if not line.startswith(("hpm: not counted: ",
                                    "hpm: no value in some sections: "))]
    if (result.returncode, result.stdout, said) != (0, b"", []):
        return f"libhpm {name}: {result}\n"
    return ""


def check_files(where, n, sentence):
    paths = files(where)
    equal(len(paths), n, f"{sentence}: each run has a file")
    problem = validity(paths)
    ok(problem is None, f"{sentence}: the files are valid", problem)
    silent = [(os.path.basename(path), record.label, name)
              for path in paths for record in records(path)
              for name, datum in record.data.items()
              if is_silent_without_reason(datum)]
    ok(not silent, f"{sentence}: what has no value has a state and a reason",
       silent)


def check_error(name, sentence, **variables):
    """The error at the first, the second .. call."""
    problems = ""
    with folder() as where:
        for k in range(1, N_OPENS + 1):
            variables.update(FAKE_FAIL_AT=k, FAKE_ERRNO=getattr(errno, name))
            problems += check_hpmcount(where, f"hpmcount-{k}", **variables)
            problems += check_libhpm(where, [THREADS, "2"], f"threads-{k}",
                                     **variables)
            problems += check_libhpm(where, [WAYS, "return"], f"ways-{k}",
                                     **variables)
        ok(not problems, f"{sentence}: status and output are the program's",
           problems)
        check_files(where, 3 * N_OPENS, sentence)


def test_errors():
    for name in ERRORS:
        check_error(name, f"{name} at call 1 to {N_OPENS}")
    check_error("EMFILE", f"EMFILE from call 1 to {N_OPENS} on",
                FAKE_FAIL_FOREVER=1)


def test_late_error():
    """The descriptors run out after all counters are open: that says nothing
    about the machine."""
    late = {"FAKE_FAIL_AT": 8, "FAKE_FAIL_FOREVER": 1,
            "FAKE_ERRNO": errno.EMFILE}
    with folder() as where:
        fake([HPMCOUNT, "--log", "log", "-o", "x", *BUSY], where, **late)
        fake([WAYS, "return"], where, HPM_OUTPUT_NAME="y", **late)
        for name, who in (("x", "hpmcount"), ("y", "libhpm")):
            root = ET.parse(os.path.join(where, name)).getroot()
            cycles = records(os.path.join(where, name))[0].data["cycles"]
            ok("value" in cycles and
               root.find("Machine").get("counters") == "hardware",
               f"{who}: where cycles were counted there are hardware counters",
               (cycles, root.find("Machine").attrib))


def test_remedies():
    remedies = {"ENOSYS": ("perf_event_open", "seccomp"),
                "EACCES": ("not permitted", "perf_event_paranoid"),
                "EMFILE": ("file descriptors", "limit", "ulimit -n")}
    for name, words in remedies.items():
        always = {"FAKE_FAIL_AT": 1, "FAKE_FAIL_FOREVER": 1,
                  "FAKE_ERRNO": getattr(errno, name)}
        got = Run("text", BUSY, **always)
        lines = got.result.stderr.decode().splitlines()
        ok(len(lines) == 1 and all(word in lines[0] for word in words) and
           "'task-clock'" in lines[0],
           f"{name} always: one line says what and the remedy", lines)
        ok("wall clock time" in got.report and "user time" in got.report,
           f"{name} always: the times are still there", got.report)
        result, _, rows = threads(**always)
        lines = result.stderr.decode().splitlines()
        ok(len(lines) == 1 and all(word in lines[0] for word in words),
           f"libhpm, {name} always: one line says what and the remedy", lines)
        ok(all(r.number("IncSec") > 0 for r in rows),
           f"libhpm, {name} always: the times are still there")


# ---- counters that share the hardware -------------------------------------

def is_shared(datum):
    """Of an XML datum, a CSV or a JSON row."""
    return datum["state"] == "shared" and abs(float(datum["share"]) - 0.5) < 0.01


def is_about(value, expected):
    return abs(value / expected - 1) < 0.02


def is_scaled(got):
    """Half of the nanoseconds were counted and make all of them, in the report
    and in the file?"""
    data = got.xml.data
    return all(is_about(float(cycles["value"]), float(clock["value"]))
               for cycles, clock in ((got.row("cycles"), got.row("task-clock")),
                                     (data["cycles"], data["task-clock"])))


def with_overhead(record, name):
    return record.number(name) + int(record.data[name]["overhead"])


def is_process_scaled(rows):
    return all(is_about(with_overhead(r, "cycles"), with_overhead(r, "task-clock"))
               for r in rows if r.scope == "process")


def are_threads_scaled(rows):
    """The process's time has what it takes to make the threads, too: more on a loaded
    machine, and most of that is overhead."""
    inside = sum(r.number("cycles") for r in rows if r.label == "outer")
    clock, most = next((r.number("task-clock"), with_overhead(r, "task-clock"))
                       for r in rows
                       if (r.scope, r.label) == ("process", "parallel"))
    return 0.7 * clock < inside < 1.01 * most


def test_shared():
    events = ("-e", "cycles,task-clock")
    for form in ("csv", "json"):
        got = tap.undisturbed(
            lambda: Run(form, BUSY, *events, FAKE_RUNNING=50), is_scaled)
        row, clock = got.row("cycles"), got.row("task-clock")
        ok(is_shared(row), f"half of the time: shared, share 0.5 in {form}", row)
        ok(is_about(float(row["value"]), float(clock["value"])),
           f"and scaled to twice what was counted in {form}", (row, clock))
        ok(clock["state"] == "counted" and clock["share"] in ("", None),
           "a counter that was not shared has no share", clock)
    datum, clock = got.xml.data["cycles"], got.xml.data["task-clock"]
    ok(is_shared(datum), "shared, share 0.5 in the file", datum)
    ok(is_about(float(datum["value"]), float(clock["value"])),
       "and scaled in the file", (datum, clock))
    ok(got.validity is None, "the file is valid", got.validity)
    line = Run("text", BUSY, *events, FAKE_RUNNING=50).line("cycles")
    ok("counted 50.0 % of the time" in line, "and the text says so", line)


def test_shared_sections():
    result, problem, rows = tap.undisturbed(
        lambda: threads(200, HPM_EVENTS="cycles,task-clock", FAKE_RUNNING=50),
        lambda found: is_process_scaled(found[2]) and
        are_threads_scaled(found[2]))
    equal((result.returncode, result.stderr), (0, b""),
          "shared counters in sections: nothing is said")
    ok(problem is None, "the file is valid", problem)
    for scope in ("thread", "process"):
        cycles = [r.data["cycles"] for r in rows if r.scope == scope]
        ok(cycles and all(is_shared(c) for c in cycles),
           f"all {scope} sections: shared, share 0.5", cycles)
        ok(all(int(c["value"]) >= int(c["exclusive"]) > 0 for c in cycles),
           f"{scope} sections: inclusive is not less than exclusive", cycles)
    process = {r.label: r for r in rows if r.scope == "process"}
    ok(is_process_scaled(rows),
       "process sections are scaled to twice what was counted",
       [r.data for r in process.values()])
    ok("state" not in process["all"].data["task-clock"],
       "and the clock beside them is not shared", process["all"].data)
    ok(are_threads_scaled(rows),
       "thread sections are scaled, too: they sum up to the process's time",
       [(r.label, r.data) for r in rows])


def test_more_than_there_are():
    """What does not fit beside the events before it is left out by name, unless
    all may take turns: then it has a group of its own, and the kernel shares
    the hardware between the groups."""
    names = ("cycles", "page-faults", "instructions", "branches",
             "cache-misses")
    line = (": not counted: 'branches', 'cache-misses': no counter is left "
            "beside 'cycles', 'instructions'; ")
    result, problem, rows = threads(HPM_EVENTS=",".join(names), FAKE_COUNTERS=2)
    said = result.stderr.decode()
    ok(result.returncode == 0 and said.count("\n") == 1 and line in said and
       "HPM_SHARE=1" in said,
       "more events than counters: one line names what does not fit, what takes "
       "the counters, and the remedy", said)
    ok(problem is None, "more events than counters: the file is valid", problem)
    ok(all(("value" in r.data[name] and "share" not in r.data[name])
           == (name not in ("branches", "cache-misses"))
           for r in rows for name in names),
       "the others are counted, and all the time", [r.data for r in rows])
    ok(all(r.data[name]["state"] == "unscheduled" and
           "'cycles', 'instructions'" in r.data[name]["reason"]
           for r in rows for name in ("branches", "cache-misses")),
       "in the file, too, is why the rest is not", [r.data for r in rows])
    check_more_in_program(names, line)
    result, problem, rows = threads(HPM_EVENTS=",".join(names), FAKE_COUNTERS=2,
                                    HPM_SHARE="yes")
    equal((result.returncode, result.stderr), (0, b""),
          "events that may take turns: nothing is said, for all are counted")
    ok(problem is None, "events that may take turns: the file is valid", problem)
    ok(all("value" in r.data[name] for r in rows for name in names),
       "events that may take turns: each has a value", [r.data for r in rows])


def check_more_in_program(names, line):
    def values(*options, **variables):
        got = Run("csv", BUSY, "-e", ",".join(names), *options, FAKE_COUNTERS=2,
                  **variables)
        return got, {name: got.row(name)["state"] for name in names}

    got, states = values()
    said = got.result.stderr.decode()
    ok(got.result.returncode == 0 and line in said and "--share" in said,
       "hpmcount names what does not fit", said)
    equal(states, {"cycles": "counted", "page-faults": "counted",
                   "instructions": "counted", "branches": "unscheduled",
                   "cache-misses": "unscheduled"}, "and counts the others")
    for options, variables in ((["--share"], {}), ([], {"HPM_SHARE": "1"})):
        got, states = values(*options, **variables)
        ok(b"not counted" not in got.result.stderr and
           set(states.values()) == {"counted"},
           f"hpmcount lets all take turns with {options or variables}",
           (got.result.stderr, states))
    got = Run("csv", BUSY, "-e", "cycles,instructions", FAKE_COUNTERS=2)
    ok(b"not counted" not in got.result.stderr,
       "as many events as counters fit", got.result.stderr)
    if not tap.has_libpfm():
        return
    got = Run("csv", BUSY, "-e", "cycles,INST_RETIRED:ANY_P,branches",
              FAKE_COUNTERS=2, LIBPFM_FORCE_PMU="skx")
    ok(b"not counted: 'branches': no counter is left beside 'cycles', "
       b"'INST_RETIRED:ANY_P'" in got.result.stderr,
       "the vendor's events and the kernel's take the same counters",
       got.result.stderr)


# ---- counters that never count --------------------------------------------

def check_none(run_of, metric, state, words):
    """No value in any format, and why not."""
    row, item = run_of("csv").row(metric), run_of("json").row(metric)
    equal((row["value"], row["exclusive"], row["share"], row["state"]),
          ("", "", "", state), f"{metric} {state}: empty in CSV")
    equal((item["value"], item["state"]), (None, state),
          f"{metric} {state}: null in JSON")
    got = run_of("text")
    line = got.line(metric)
    ok(" - " in line and state in line, f"{metric} {state}: - in the text", line)
    note = [line for line in got.report.splitlines()
            if line.startswith(f"note: {metric}: ")]
    ok(len(note) == 1 and ": not counted: " in note[0] and words in note[0],
       f"{metric} {state}: a note says that it was not counted, and why", note)
    datum = got.xml.data[metric]
    ok("value" not in datum and "exclusive" not in datum and
       datum["state"] == state and words in datum.get("reason", ""),
       f"{metric} {state}: no value but a reason in the file", datum)
    ok(got.validity is None, f"{metric} {state}: the file is valid", got.validity)


def test_unscheduled():
    """Others have the counters: that is no fault of the machine."""
    for metric in ("cache-misses", "cycles"):
        check_none(lambda form: Run(form, BUSY, "-e", f"{metric},page-faults",
                                    FAKE_RUNNING=0),
                   metric, "unscheduled", "never had a free counter")
    got = Run("text", BUSY, FAKE_RUNNING=0)
    ok("read 0" not in got.report,
       "counters others have are not said to read 0", got.report)
    faults = Run("csv", BUSY, "-e", "cache-misses,page-faults",
                 FAKE_RUNNING=0).row("page-faults")
    ok(faults["state"] == "counted" and int(faults["value"]) > 0,
       "and what needs no hardware is counted", faults)
    result, problem, rows = threads(HPM_EVENTS="cache-misses", FAKE_RUNNING=0)
    equal(result.returncode, 0, "unscheduled in sections: the program's status")
    ok(problem is None, "unscheduled in sections: the file is valid", problem)
    data = [r.data["cache-misses"] for r in rows]
    ok(data and all("value" not in d and d["state"] == "unscheduled" and
                    d["reason"] for d in data),
       "unscheduled in sections: no value but a reason", data)


def test_zero():
    """A PMU that accepts events and does not count them."""
    check_none(lambda form: Run(form, BUSY, "-e", "cycles,task-clock",
                                FAKE_ZERO=1),
               "cycles", "unsupported", "reads 0")
    row = Run("csv", BUSY, "-e", "cache-misses", FAKE_ZERO=1).row("cache-misses")
    equal((row["value"], row["state"]), ("0", "counted"),
          "what can be 0 may be 0")
    got = Run("text", BUSY, FAKE_ZERO=1)
    note = [line for line in got.report.splitlines()
            if "no hardware counters" in line]
    ok(len(note) == 1 and "read 0" in note[0],
       "counters that read 0 are explained in one line", note)
    ok("\n  task-clock " in got.report and "\n  cycles " not in got.report,
       "and software events are counted instead", got.report)
    result, problem, rows = threads(HPM_EVENTS="cycles,task-clock", FAKE_ZERO=1)
    equal(result.returncode, 0, "reads 0 in sections: the program's status")
    ok(problem is None, "reads 0 in sections: the file is valid", problem)
    data = [r.data["cycles"] for r in rows]
    ok(data and all("value" not in d and d["state"] == "unsupported" and
                    "reads 0" in d["reason"] for d in data),
       "reads 0 in sections: unsupported, with the reason", data)


# ---- counters that fall away ----------------------------------------------

def test_lost():
    check_none(lambda form: Run(form, BUSY, "-e", "cycles,task-clock",
                                FAKE_EOF_AFTER=1), "cycles", "lost", "counter")
    got = Run("csv", ["sh", "-c", "echo out; exit 3"], "-e",
              "cycles,task-clock", FAKE_EOF_AFTER=1)
    equal((got.result.returncode, got.result.stdout), (3, b"out\n"),
          "a lost counter is not the program's affair")
    ok(got.row("task-clock")["state"] == "counted" and
       int(got.row("task-clock")["value"]) > 0 and
       float(got.row("IncSec")["value"]) > 0, "the others and the time stay")
    for n in (1, 2, 3, 10, 50):
        result, problem, rows = threads(HPM_EVENTS="cycles", FAKE_EOF_AFTER=n)
        equal((result.returncode, result.stdout), (0, b""),
              f"lost after {n} reads: the program's status")
        lines = result.stderr.decode().splitlines()
        ok(len(lines) == 1 and lines[0].startswith("hpm: no value in some sections: 'cycles': "),
           f"lost after {n} reads: one line says so", lines)
        ok(problem is None, f"lost after {n} reads: the file is valid", problem)
        data = [r.data["cycles"] for r in rows if r.scope == "thread"]
        ok(data and all("value" not in d and d["state"] == "lost" and d["reason"]
                        for d in data),
           f"lost after {n} reads: no value but a reason", data)
        ok(len(rows) == 10 and
           all(r.number("IncSec") >= r.number("ExcSec") > 0 and
               r.number("Count") == (20 if r.label in ("middle", "inner", "touch")
                                     else 1) for r in rows),
           f"lost after {n} reads: times and calls stay",
           [r.data for r in rows])


if tap.no_preload():
    print(f"1..0 # SKIP {tap.no_preload()}")
    sys.exit(0)
test_vendor_names()
test_presets()
test_counted()
test_errors()
test_late_error()
test_remedies()
test_shared()
test_shared_sections()
test_more_than_there_are()
test_unscheduled()
test_zero()
test_lost()
tap.done()
