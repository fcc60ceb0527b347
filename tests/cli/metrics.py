# SPDX-License-Identifier: BSD-3-Clause
"""Metrics from outside: hpmcount -m, -s, -x, the variables, the files."""

import csv
import io
import json
import os
import re
import sys
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, equal, files, folder, ok, program, run


def report(*arguments, **variables):
    return run([HPMCOUNT] + list(arguments), **variables).stderr.decode()


def line_of(text, name):
    """The words of the metric's line."""
    found = text.partition("\nmetrics\n")[2]
    return next((line for line in found.splitlines()
                 if line.split() and line.split()[0] == name), "")


def metrics_of(path):
    """Label of each record -> metrics by name."""
    root = ET.parse(path).getroot()
    return {record.get("label"): {d.get("name"): d.attrib
                                  for d in record.findall("data")
                                  if d.get("kind") == "metric"}
            for record in root.findall("InstrumentationPt")}


def test_all():
    """What must be there on every machine."""
    with folder() as where:
        path = os.path.join(where, "numbers")
        with open(path, "w") as file:
            file.writelines(f"{(i * 7919) % 100003}\n" for i in range(200000))
        text = report("-m", "all", "sort", path, "-o", os.devnull)
    for name in ("UTILISATION", "SYSTEM_SHARE", "PAGE_FAULT_RATE",
                 "MAJOR_FAULTS", "WAIT_RATE", "PREEMPTION_RATE",
                 "RUN_QUEUE_WAIT", "PEAK_MEMORY", "IO_BYTES", "BYTES_PER_CALL"):
        words = line_of(text, name).split()
        ok(len(words) > 2 and words[1] != "-" and
           float(words[1].replace(",", "")) >= 0,
           f"-m all prints {name}", text)
    read = line_of(text, "BYTES_READ").split()
    ok(read and 1000000 < int(read[1].replace(",", "")) < 3000000,
       "bytes read are those of the program", read)
    memory = line_of(text, "PEAK_MEMORY").split()
    ok(memory and 1 << 20 < int(memory[1].replace(",", "")) < 1 << 30 and
       memory[2] == "byte", "memory is in bytes", memory)


def test_names():
    text = report("-m", "PEAK_MEMORY,WAIT_RATE", "true")
    shown = [line.split()[0] for line in
             text.partition("\nmetrics\n")[2].partition("\n\n")[0].splitlines()]
    equal(shown, ["PEAK_MEMORY", "WAIT_RATE"], "-m shows what is asked for")
    result = run([HPMCOUNT, "-m", "PEAK_MEMROY", "true"])
    equal((result.returncode, result.stderr),
          (125, b"hpmcount: there is no metric 'PEAK_MEMROY'; did you mean "
                b"'PEAK_MEMORY'?\n"), "a name that is none")
    for wrong in ("", ",IPC", "IPC,", "IPC,,CPI"):
        result = run([HPMCOUNT, "-m", wrong, "true"])
        ok(result.returncode == 125 and b"empty name" in result.stderr,
           f"-m '{wrong}' is refused", result.stderr)
    text = report("true", HPM_METRICS="IO_BYTES")
    ok(line_of(text, "IO_BYTES") and not line_of(text, "UTILISATION"),
       "HPM_METRICS asks like -m", text)
    text = report("-m", "WAIT_RATE", "true", HPM_METRICS="NOSUCH")
    ok(line_of(text, "WAIT_RATE"), "-m stands over HPM_METRICS", text)
    text = report("-x", "-m", "SYSTEM_SHARE", "true")
    ok("= 100 * SYSTEM_TIME / (USER_TIME + SYSTEM_TIME)" in
       line_of(text, "SYSTEM_SHARE"), "-x shows formulas", text)
    text = report("-s", "io", "true")
    ok("proc::rchar" in text and line_of(text, "IO_BYTES"),
       "a set of the definitions is counted, and its metrics are shown", text)


def test_missing():
    text = report("-m", "IPC,UTILISATION", "true", HPM_SOURCE="usage")
    first = text.splitlines()[0]
    ok(first.startswith("hpmcount: not measured: 'IPC' needs 'perf::") and
       first.endswith("', which cannot be counted here"),
       "a metric that cannot be measured is told before", text)
    words = line_of(text, "IPC")
    ok(words.split()[1] == "-" and "needs 'perf::" in words,
       "and has no value but a reason", text)
    ok(float(line_of(text, "UTILISATION").split()[1]) >= 0,
       "another way is taken where the first cannot be", text)


def test_definitions():
    with folder() as where:
        path = os.path.join(where, "my.hpm")

        def define(text):
            with open(path, "w") as file:
                file.write(text)

        define('ratio FAULTS_PER_WAIT = PAGE_FAULTS / (WAITS + 1000) '
               'label "mine" unit "1" good > 0.001\n'
               'const PAGE = 1\n')
        text = report("-m", "FAULTS_PER_WAIT,FIRST_TOUCH_RATE,PAGE_FAULT_RATE",
                      "-x", "true", HPM_DEFS=path)
        words = line_of(text, "FAULTS_PER_WAIT")
        ok("= PAGE_FAULTS / (WAITS + 1000) (good: above 0.001)" in words and
           " + " in words, "a user's metric, good and marked so", text)
        ok("= MINOR_FAULTS * 1 / time::wall" in
           line_of(text, "FIRST_TOUCH_RATE"), "a user's constant", text)
        define("ratio X = PAGE_FAULTS /\nratio Y = WAITS / 2\n")
        result = run([HPMCOUNT, "-m", "Y", "true"], HPM_DEFS=path)
        ok(result.returncode == 0 and
           b"my.hpm:2:1: 'ratio' is out of place; expected a number, a name "
           b"or '('" in result.stderr and line_of(result.stderr.decode(), "Y"),
           "a fault in a file is told, the rest of it holds", result.stderr)
        result = run([HPMCOUNT, "true"], HPM_DEFS=os.path.join(where, "none"))
        ok(result.returncode == 0 and
           b"cannot be read: No such file or directory" in result.stderr,
           "so is a file that is not there", result.stderr)


def test_allowed():
    """The processors a program may use are those of its affinity."""
    one = min(os.sched_getaffinity(0))
    before = os.sched_getaffinity(0)
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write("ratio MINE = cpu::allowed + 0\n"
                       "ratio ALL = cpu::count + 0\n")
        n = float(line_of(report("-m", "MINE", "true", HPM_DEFS=path),
                          "MINE").split()[1])
        equal(n, float(len(before)), "all of them, of a program that may")
        os.sched_setaffinity(0, {one})
        text = report("-m", "MINE,ALL", "true", HPM_DEFS=path)
        shared = report("-m", "MINE", "true", HPM_DEFS=path,
                        OMPI_COMM_WORLD_LOCAL_SIZE="1000000")
        os.sched_setaffinity(0, before)
    equal(float(line_of(text, "MINE").split()[1]), 1.0, "one, where it is one")
    ok(float(line_of(text, "ALL").split()[1]) >= 1, "of those that there are",
       text)
    equal(float(line_of(shared, "MINE").split()[1]), 1.0,
          "and never none, however many tasks share them")


def test_latencies():
    text = report("-x", "-m", "MEM_IMPACT", "true", HPM_MEM_LATENCY="123")
    ok("DATA_LOAD_FROM_MEM * 123" in line_of(text, "MEM_IMPACT") or
       "-" in line_of(text, "MEM_IMPACT").split(),
       "HPM_MEM_LATENCY is the constant", text)
    text = report("true", HPM_MEM_LATENCY="long")
    ok("HPM_MEM_LATENCY" in text.splitlines()[0], "a wrong one is told", text)


def values_of(*command):
    """What a run's CSV says, by name."""
    text = report("--format", "csv", *command)
    return {row["metric"]: float(row["value"]) for row in csv.DictReader(
        io.StringIO(text[text.index("section,"):])) if row["value"]}


def test_sources():
    """A metric is what its formula says: the counter where it was counted, else
    getrusage, and both sides of a ratio from one of them."""
    loop = ["sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"]
    for _ in range(5):
        got = values_of("-e", "task-clock", *loop)
        if "task-clock" not in got:
            tap.skip("where metrics come from", "task-clock cannot be counted")
            return
        expected = 100 * got["task-clock"] / 1e9 / got["time::wall"]
        ok(abs(got["UTILISATION"] - expected) < 1e-6 * expected,
           "UTILISATION is task-clock over the time that passed", got)
        usage = (got["ru::utime"] + got["ru::stime"]) / 1e9
        ok("PREEMPTION_RATE" not in got or
           abs(got["PREEMPTION_RATE"] * usage - got["ru::nivcsw"]) <
           1e-6 * (1 + got["ru::nivcsw"]),
           "PREEMPTION_RATE is getrusage's count over getrusage's time", got)
        ok(got["UTILISATION"] < 101,
           "one thread is busy for all of the time at most", got)
        begin = time.monotonic()
        got = values_of("-e", "page-faults", *loop)
        elapsed = time.monotonic() - begin
        expected = 100 * (got["ru::utime"] + got["ru::stime"]) / 1e9
        ok(abs(got["UTILISATION"] * got["time::wall"] - expected) <
           1e-6 * expected, "without task-clock it is getrusage's", got)
        # which knows what was before the program began, too
        ok(got["UTILISATION"] / 100 * got["time::wall"] < elapsed,
           "and one thread is busy for all of the time, and its start",
           (elapsed, got))


def test_page_faults():
    """Of one run the kernel's counters and getrusage differ by the program's
    start: a whole and its parts are of one of them, and the report says why
    there are two numbers."""
    remark = "with its start, before counters begin"
    def number(text, pattern):
        found = re.search(rf"^ +{pattern} +([0-9,]+)( |$)", text, re.M)
        return found and int(found.group(1).replace(",", ""))
    for events in ("page-faults", "minor-faults,major-faults",
                   "page-faults,minor-faults", "task-clock"):
        text = report("-v", "-e", events, "true")
        if None in [number(text, event) for event in events.split(",")
                    if "faults" in event]:
            tap.skip(f"page faults with {events}", "they cannot be counted")
            continue
        whole = number(text, "PAGE_FAULTS")
        parts = [number(text, name) for name in ("MINOR_FAULTS", "MAJOR_FAULTS")]
        used = [number(text, f"page faults {how} I/O")
                for how in ("without", "with")]
        ok(whole == sum(parts) and parts[1] <= used[1] and whole <= sum(used),
           f"page faults are the sum of their parts, with {events}, and no more "
           "than getrusage says", text)
        equal(text.count(remark), int("faults" in events),
              "which the report explains where both stand in it")


def test_formats():
    # not a program as small as the child of hpmcount that becomes it
    text = report("--format", "csv", "-m", "PEAK_MEMORY,UTILISATION", sys.executable,
                  "-c", "")
    rows = {row["metric"]: row for row in csv.DictReader(
        io.StringIO(text[text.index("section,"):])) if row["kind"] == "metric"}
    ok(float(rows["UTILISATION"]["value"]) >= 0 and
       rows["UTILISATION"]["unit"] == "%" and
       # a sanitizer makes the child of hpmcount larger than the program is
       (os.environ.get("sanitizers") or
        int(float(rows["PEAK_MEMORY"]["value"])) > 0),
       "CSV has metrics, asked for or derived", rows)
    share = rows["SYSTEM_SHARE"]
    ok(share["verdict"] in ("bad", "neutral") and not share["reason"] or
       share["remarks"] == "doubtful" and share["reason"] or
       share["state"] == "undefined",
       "and their verdicts, or why there are none", share)


def test_precision():
    """Every format judges by the limits of the precision that is asked for."""
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write("ratio TEN = 10 * time::wall / time::wall "
                       "sbad > 5 dbad > 20\n")
        def verdict(form, *options):
            text = report("-m", "TEN", *options, "--format", form, "true",
                          HPM_DEFS=path)
            if form == "json":
                rows = json.loads(text)["data"]
            elif form == "csv":
                rows = csv.DictReader(io.StringIO(text[text.index("section,"):]))
            else:
                return "bad" if " ! " in line_of(text, "TEN") else "neutral"
            return next(row["verdict"] for row in rows if row["metric"] == "TEN")
        for form in "text", "csv", "json":
            equal([verdict(form), verdict(form, "--precision", "double"),
                   verdict(form, "--precision", "single")],
                  ["neutral", "neutral", "bad"],
                  f"--precision chooses the limits of {form}")


def test_colour():
    text = report("-m", "WAIT_RATE", "true", TERM="xterm")
    ok("\033" not in text, "what is no terminal gets no colours", text)


def test_file():
    """Sections have metrics in the file, with limits as in the paper."""
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write('ratio CALLS_RATE = Count / time::wall as "Calls/s" '
                       'unit "1/s" bad < 0.5 sgood > 1e9 dgood > 2e9\n'
                       'ratio PART = 100 * PAGE_FAULTS / total(PAGE_FAULTS)\n'
                       'ratio NOTHING = 1 / (PAGE_FAULTS - PAGE_FAULTS)\n')
        run([program("tests/programs/threads"), "2"], folder=where,
            HPM_DEFS=path, HPM_EVENTS="page-faults")
        paths = files(where)
        equal(len(paths), 1, "a program leaves its file")
        if tap.has_xmllint():
            message = tap.validates(paths)
            ok(message is None, "which is valid", message)
        else:
            tap.skip("which is valid", "xmllint is missing")
        records = metrics_of(paths[0])
        rates = [m.get("Calls/s", {}) for m in records.values()]
        # where the machine is busy a section's time may be below its error
        ok(any("value" in rate for rate in rates) and all(
            (float(rate["value"]) > 0 if "value" in rate else
             rate["state"] == "undefined" and
             rate["reason"] == "'time::wall' is not above its measuring error")
            and rate["sbad"] == "-0.5" and
            rate["sgood"] == "1000000000" and rate["dbad"] == "-0.5" and
            rate["dgood"] == "2000000000" and rate["unit"] == "1/s"
            for rate in rates), "each section has its metrics and their limits",
           rates)
        nothing = [m.get("NOTHING", {}) for m in records.values()]
        ok(all("value" not in n and n.get("state") == "undefined" and
               n.get("reason") == "division by 0" for n in nothing),
           "what has no result has a state and a reason", nothing[:2])


def test_hardware():
    """On a PMU that counts the same in every counter."""
    if os.environ.get("sanitizers"):
        tap.skip("metrics of hardware counters",
                 "sanitizers do not let a library be loaded before them")
        return
    busy = ["sh", "-c", "i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done"]
    def is_one(text):
        return abs(float(line_of(text, "IPC").split()[1]) - 1) < 0.1
    text = tap.undisturbed(
        lambda: report("-m", "IPC,BRANCH_MISP_PCT", *busy, **tap.fake_pmu()),
        is_one)
    ok(is_one(text), "instructions per cycle", text)
    words = line_of(text, "BRANCH_MISP_PCT")
    ok(" ! " in words and "(bad: above 5)" in words,
       "all branches mispredicted is bad", words)
    if not tap.has_libpfm() or os.uname().machine != "x86_64":
        tap.skip("a PMU's own definitions", "no libpfm4 that knows Nehalem")
        return
    text = report("-s", "NHM_STALLS", *busy,
                  **tap.fake_pmu(LIBPFM_FORCE_PMU="nhm"))
    ok(line_of(text, "~COUNTED_STALLS") and
       "(bad: above 20)" in line_of(text, "DIV_IMPACT_PCT") and
       not line_of(text, "STORE_FWD_IMPACT"),
       "a PMU's own definitions and set", text)


def hints(text):
    """The hints of a report: metric -> lines by their words."""
    found = text.partition("\nhints, not verdicts: ")[2].splitlines()[1:]
    result = {}
    for line in found:
        words = line.split()
        if line.startswith("  ") and line[2] != " ":
            lines = result.setdefault(words[1], {"": words[0]})
        elif line[5:6] != " ":
            lines[words[0]] = line[11:]
        else:
            lines[list(lines)[-1]] += " " + line.strip()
    return result


def test_hints():
    """A program that only waits; hints are the last thing said."""
    wait = ["sleep", "0.3"]
    text = report("-m", "UTILISATION", *wait)
    ok(list(hints(text)) == ["UTILISATION"], "a metric that is bad hints", text)
    hint = hints(text).get("UTILISATION", {})
    equal(list(hint), ["", "why", "with", "next", "try"],
          "with all that belongs to it")
    equal(hint.get("next"), "hpmcount -s IO", "what to measure next")
    ok(text.count("hints, not verdicts") == 1, "no verdicts, said once", text)
    text = report("-m", "all", *wait)
    found = hints(text)
    # where others took most of its time in truth, or it waited for files, that
    # is said in its place (the "unless" of UTILISATION); tests/metric/hints.c
    # has the values that decide
    instead = {"RUN_QUEUE_WAIT", "PREEMPTION_RATE", "MAJOR_FAULT_RATE"}
    ok(list(found)[:1] == ["UTILISATION"] or instead & set(found),
       "so it does among all, first", f"{list(found)}\n{text}")
    equal([hint[""] for hint in found.values()],
          [f"{i}." for i in range(1, min(len(found), 5) + 1)],
          "at most five are given, counted")
    text = report("-m", "PEAK_MEMORY,WAIT_RATE", *wait)
    ok("\nmetrics\n" in text and not hints(text),
       "what was not asked for gives none", text)
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write('tune UTILISATION why "it sleeps" try "wake it up" '
                       'next PEAK_MEMORY\n')
        hint = hints(report("-m", "UTILISATION,PEAK_MEMORY", *wait,
                            HPM_DEFS=path)).get("UTILISATION", {})
        equal((hint.get("why"), hint.get("try")), ("it sleeps", "wake it up"),
              "a user's own words")
        equal(hint.get("next"), None,
              "what was measured is not to be measured again")


test_all()
test_names()
test_missing()
test_definitions()
test_allowed()
test_latencies()
test_sources()
test_page_faults()
test_formats()
test_precision()
test_colour()
test_file()
test_hardware()
test_hints()
tap.done()
