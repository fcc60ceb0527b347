# SPDX-License-Identifier: BSD-3-Clause
"""Metrics from outside: hpmcount -m, -s, -x, the variables, the files."""

import csv
import io
import json
import os
import re
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPM, HPMCOUNT, equal, files, folder, ok, program, run


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
    text = report("--format", "csv", "-m", "PEAK_MEMORY,UTILISATION", "true")
    rows = {row["metric"]: row for row in csv.DictReader(
        io.StringIO(text[text.index("section,"):])) if row["kind"] == "metric"}
    ok(float(rows["UTILISATION"]["value"]) >= 0 and
       rows["UTILISATION"]["unit"] == "%" and
       int(float(rows["PEAK_MEMORY"]["value"])) > 0,
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
            file.write("ratio TEN = 10 * PEAK_MEMORY / PEAK_MEMORY "
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


def test_list():
    result = run([HPM, "metrics"])
    lines = {line.split()[0]: line for line in
             result.stdout.decode().splitlines() if line}
    ok(result.returncode == 0 and not result.stderr and
       lines["UTILISATION"].split()[1:3] == ["yes", "%"] and
       "FRONTEND_PCT" not in lines, "hpm metrics lists what can be measured",
       result)
    result = run([HPM, "metrics", "--all", "--json"])
    document = json.loads(result.stdout)
    metrics = {row["metric"]: row for row in document["metrics"]}
    equal((metrics["UTILISATION"]["here"], metrics["FRONTEND_PCT"]["here"]),
          ("yes", "no"), "with --all what cannot be, too; as JSON")
    ok(any(row["set"] == "SOFTWARE" for row in document["sets"]),
       "and the sets")
    result = run([HPM, "metrics", "IPC"])
    ok(result.returncode == 2 and b"hpm explain" in result.stderr,
       "one metric is for another subcommand", result)


def test_explain():
    with open(os.path.join(tap.TOP_SOURCE, "metrics", "software.hpm")) as file:
        place = next(n for n, line in enumerate(file, 1)
                     if line.startswith("ratio SYSTEM_SHARE"))
    result = run([HPM, "explain", "SYSTEM_SHARE"])
    text = result.stdout.decode()
    equal(text.splitlines()[0],
          "SYSTEM_SHARE: part of the processor time spent in the kernel",
          "hpm explain tells what a metric is")
    for line in (
            "  formula    100 * SYSTEM_TIME / (USER_TIME + SYSTEM_TIME) "
            f"(software.hpm:{place})",
            "  unit       %, from 0 to 100",
            "  limits     bad above 5; of one thread or process",
            "  source     top-down method 5.01: Kernel_Utilization above 0.05",
            "  here       yes: hpmcount -m SYSTEM_SHARE",
            "  next       hpmcount -s IO",
            "    SYSTEM_TIME = ru::stime: time on processors in the kernel"):
        ok(line in text.splitlines(), f"with its {line.split()[0]}", text)
    for word in ("meaning", "in words", "rises", "falls", "why", "try"):
        ok(f"\n  {word:10} " in text, f"and what is said after {word}", text)
    result = run([HPM, "explain", "SYSTEM_SHRAE", "IPC"])
    ok(result.returncode == 1 and b"did you mean 'SYSTEM_SHARE'?" in
       result.stderr and result.stdout.startswith(b"IPC: "),
       "one of two is no metric: 1", result)
    result = run([HPM, "explain", "mispredict"])
    ok(result.returncode == 3 and b"these are about it: " in result.stderr and
       b"BRANCH_MISP_PCT" in result.stderr,
       "a word finds what is about it", result)
    result = run([HPM, "explain", "NOSUCHMETRIC"])
    ok(result.returncode == 3 and b"'hpm metrics --all'" in result.stderr,
       "none is one: 3", result)
    result = run([HPM, "explain"])
    ok(result.returncode == 2 and not result.stdout and
       b"hpm explain UTILISATION" in result.stderr, "no name: 2, and an example",
       result)


def test_explain_constant():
    with folder() as where:
        path = os.path.join(where, "mine.hpm")
        with open(path, "w", encoding="utf-8") as file:
            file.write('const MINE = 3 label "generic" source "anybody"\n'
                       'arch elsewhere { const MINE = 4 source "others" }\n')
        result = run([HPM, "explain", "MINE"], HPM_DEFS=path)
        text = result.stdout.decode()
        ok("value      3\n" in text and "anybody" in text and
           "others" not in text,
           "a constant has no source of another processor", text)


def test_explain_given():
    """Names that have values without being counted are no events."""
    units = {"time::wall": "s, from 0 on", "IncSec": "s, from 0 on",
             "ExcSec": "s, from 0 on", "Count": "a count, from 0 on",
             "cpu::mhz": "MHz", "cpu::count": "a count, from 1 on",
             "cpu::allowed": "a count, from 1 on"}
    for name, unit in units.items():
        result = run([HPM, "explain", name])
        text = result.stdout.decode()
        ok(result.returncode == 0 and text.startswith(f"{name}: ") and
           f"\n  unit       {unit}\n" in text and "\n  meaning    " in text and
           "\n  from       " in text and "an event, which" not in text,
           f"{name} is explained for what it is", result)
    text = run([HPM, "explain", "TIME::WALL"]).stdout.decode()
    ok(text.startswith("time::wall: time that passed") and
       "\n  used by    MIPS, " in text, "in any case, and who uses it", text)
    text = run([HPM, "explain", "ru::utime"]).stdout.decode()
    ok(text.startswith("ru::utime: resource usage, which getrusage(2) gives\n"),
       "resource usage is no counter either", text)


def test_explain_all():
    """Every metric, to a reader who knows none."""
    rows = json.loads(run([HPM, "metrics", "--all", "--json"]).stdout)["metrics"]
    names = [row["metric"] for row in rows]
    result = run([HPM, "explain"] + names)
    text = result.stdout.decode()
    ok(result.returncode == 0 and not result.stderr and len(names) > 100,
       "each metric is explained", (result.returncode, result.stderr))
    wide = [line for line in text.splitlines()
            if len(line) > 80 and " " in line[13:].strip()]
    equal(wide, [], "in lines of a terminal's width")
    least = [row for row in rows if row["metric"].startswith("KERNEL_TIME_PER")]
    ok(len(least) == 3 and all(": low, " in row["meaning"] for row in least),
       "where it is not plain why less of it is bad, the label says so", least)
    heads = [line for line in text.splitlines()
             if line and line[0] != " " and ": " not in line]
    equal(heads, ["How values are marked in reports:"],
          "with what it is in the first line")


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


def test_replaced():
    """A file of a shipped one's name stands in its place, and that is said."""
    said = ("generic.hpm: stands in place of the shipped generic.hpm, of which "
            "nothing holds; to add to it, give the file another name")
    with folder() as where:
        path = os.path.join(where, "generic.hpm")
        with open(path, "w") as file:
            file.write("ratio MINE = PAGE_FAULTS / time::wall\n")
        text = report("true", HPM_DEFS=path)
        ok(f"hpmcount: {where}/{said}\n" in text, "a report says so", text)
        result = run([HPM, "check", "generic.hpm"], folder=where)
        lines = result.stdout.decode().splitlines()
        equal((result.returncode, lines),
              (0, [said, "generic.hpm: 1 statement, no fault"]),
              "and hpm check, which looks for the file's own faults")
        with open(path, "w") as file:
            file.write("ratio MINE = PAGE_FAULTS / 0\n")
        result = run([HPM, "check", "generic.hpm"], folder=where)
        equal((result.returncode, result.stdout.decode().splitlines()),
              (1, [said, "generic.hpm:1:26: division by 0, which has no result, "
                         "whatever is counted"]), "and finds them")
        with open(os.path.join(tap.TOP_SOURCE, "metrics", "generic.hpm")) as file:
            shipped = file.read()
        with open(path, "w") as file:
            file.write(shipped)
        result = run([HPM, "check", "generic.hpm"], folder=where)
        ok(result.returncode == 0 and b"stands" not in result.stdout,
           "a copy of the shipped one is no replacement", result)


def test_listings():
    """Those of KOJAK's appendix, whatever machine their events are of."""
    listings = os.path.join(tap.TOP_SOURCE, "tests", "metric", "listings")
    for name, n in (("generic", 15), ("papi", 56), ("power4", 32),
                    ("opteron", 40), ("ultra3", 48)):
        with open(os.path.join(listings, f"{name}.hpm")) as file:
            text = file.read()
        with folder() as where:
            for own in (f"{name}.hpm", "mine.hpm"):
                with open(os.path.join(where, own), "w") as file:
                    file.write(text)
                result = run([HPM, "check", own], folder=where)
                lines = result.stdout.decode().splitlines()
                said = [f"{own}: stands in place of the shipped {own}, of which "
                        "nothing holds; to add to it, give the file another "
                        "name"] if own != "mine.hpm" else []
                equal((result.returncode, lines),
                      (0, said + [f"{own}: {n} statements, no fault"]),
                      f"the listing {name} as {own}")


SENSE = (
    ("compute A = CYCLES / 0", "1:20: division by 0, which has no result, "
                               "whatever is counted"),
    ("compute A = CYCLES / (3 - 3)", "1:20: division by 0, which has no "
                                     "result, whatever is counted"),
    ("const NONE = 0 compute A = CYCLES / NONE",
     "1:35: division by 0, which has no result, whatever is counted"),
    ("ratio R = R + 1", "1:11: the formula of 'R' needs its own value"),
    ("ratio P = Q + 1 ratio Q = O + 1 ratio O = P + 1",
     "1:33: 'P' needs itself: P -> Q -> O -> P"),
    ("set S = S", "1:9: the set 'S' names itself; expected events and metrics"),
    ("set S = IPC T set T = CPI",
     "1:13: 'T' is a set; expected an event or a metric"),
    ("ratio R = CYCLES / INSTRUCTION bad > 5 good > 3",
     "1:40: a value of 'R' above 3 would be good and bad (above 5); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION bad < 1 good < 2",
     "1:40: a value of 'R' below 2 would be good and bad (below 1); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION bad > 2 good < 3",
     "1:40: a value of 'R' below 3 would be good and bad (above 2); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION range 0, 10 bad > 20",
     "1:44: the limit 20 of 'R' is outside its range"),
    # of a shipped metric: where the user's file says it
    ("\ntune IPC bad > 3",
     "2:10: a value of 'IPC' above 2 would be good and bad (above 3); expected "
     "the limits on opposite sides"),
    ("\ntune IPC good < 3",
     "2:10: a value of 'IPC' below 3 would be good and bad (below 1); expected "
     "the limits on opposite sides"),
    ("\ntune IPC range 0, 1.5",
     "2:1: the limit 2 of 'IPC' is outside its range"),
    ("\ntune SYSTEM_SHARE\n  bad > 200",
     "3:3: the limit 200 of 'SYSTEM_SHARE' is outside its range"),
)

# Slips in names of PMUs: one that libpfm4 has may be meant where it is missing.
PMU_SLIPS = (
    ("arch skxx measure CYCLES = X",
     "1:6: 'skxx' is no PMU of libpfm4 or of other definitions; did you mean "
     "'skx'?"),
    ("arch skx zen4 measure CYCLES = X",
     "1:10: 'zen4' is no PMU of libpfm4 or of other definitions; did you mean "
     "'amd64_fam19h_zen4'?"),
)

SENSIBLE = (
    "ratio R = CYCLES / INSTRUCTION bad > 5 good < 3",
    "ratio R = CYCLES / INSTRUCTION bad > 5 good < 5",
    "ratio R = CYCLES / INSTRUCTION bad > 10 range 0, 10",
    "measure NEW_EVENT = NEW_EVENT",
    "compute A = CYCLES / (4 - 3)",
    "arch skx power4 measure CYCLES = X",
)


def test_sense():
    """What can be read and can never be right."""
    with folder() as where:
        path = os.path.join(where, "f.hpm")
        for text, fault in SENSE + (PMU_SLIPS if tap.has_libpfm() else ()):
            with open(path, "w") as file:
                file.write(text + "\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            equal((result.returncode, result.stdout.decode().splitlines()),
                  (1, [f"f.hpm:{fault}"]), text)
        for text in SENSIBLE:
            with open(path, "w") as file:
                file.write(text + "\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            ok(result.returncode == 0 and b"no fault" in result.stdout,
               f"no fault: {text}", result)
        unknown, place = ["gnr_new"], "libpfm4 or of other definitions"
        if not tap.has_libpfm():
            unknown += ["skxx", "skylake"]
            place = ("other definitions; libpfm4, which may know it, is missing "
                     "here")
        for pmu in unknown:
            with open(path, "w") as file:
                file.write(f"arch {pmu} measure CYCLES = X\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            equal((result.returncode, result.stdout.decode().splitlines()),
                  (0, [f"f.hpm: note: '{pmu}' (line 1) is no PMU of {place}",
                       "f.hpm: 1 statement, no fault"]),
                  f"{pmu}, a processor that nobody knows here, is noted")


def test_arch():
    """Another processor's metrics, without that machine."""
    text = run([HPM, "metrics", "--arch", "skx"]).stdout.decode()
    ok("there?" in text.splitlines()[0] and
       any(line.split()[:2] == ["BACKEND_PCT", "yes"]
           for line in text.splitlines()), "hpm metrics --arch", text)
    data = json.loads(run([HPM, "metrics", "--arch", "power4", "--all",
                           "--json"]).stdout)
    here = {row["metric"]: row["here"] for row in data["metrics"]}
    equal((data["arch"], here["IPC"], here["BACKEND_PCT"]),
          ("power4", "yes", "no"), "as JSON, with what it lacks")
    result = run([HPM, "explain", "--arch", "power4", "IPC", "BACKEND_PCT"])
    words = " ".join(result.stdout.decode().split())
    ok(result.returncode == 0 and "formula PM_INST_CMPL / PM_CYC" in words or
       "there yes on power4, by PM_CYC,PM_INST_CMPL" in words,
       "hpm explain --arch has that processor's formula", words)
    ok("there no on power4: it needs" in words and
       "which cannot be counted on power4" in words,
       "and what it cannot count", words)
    for command in (["metrics"], ["explain", "IPC"], ["report", "x"],
                    ["mean", "-o", "y", "x"]):
        result = run([HPM, command[0], "--arch", "zen4", *command[1:]])
        if b"this hpm lacks libxml2" in result.stderr:
            tap.skip(f"hpm {command[0]} --arch zen4 names the nearest: 2",
                     "this build reads no performance files (--without-libxml2)")
            continue
        equal((result.returncode, result.stderr.decode()),
              (2, f"hpm {command[0]}: no definitions are for the PMU 'zen4'; did "
                  "you mean 'amd64_fam19h_zen4'?\n"),
              f"hpm {command[0]} --arch zen4 names the nearest: 2")
    result = run([HPM, "metrics", "--arch", "nosuch"])
    ok(result.returncode == 2 and b"expected one of: " in result.stderr and
       b" skx " in result.stderr, "or all of them", result)


def test_check():
    shipped = os.path.join(tap.TOP_SOURCE, "metrics")
    paths = sorted(os.path.join(shipped, name) for name in os.listdir(shipped)
                   if name.endswith(".hpm"))
    result = run([HPM, "check"] + paths)
    ok(result.returncode == 0 and len(paths) >= 9 and
       all(line.endswith((" statements, no fault", " statement, no fault"))
           for line in result.stdout.decode().splitlines()),
       "hpm check finds no fault in the shipped files", result)
    with folder() as where:
        path = os.path.join(where, "bad.hpm")
        with open(path, "w") as file:
            file.write("ratio MINE = INSTRUCTON / CYCLES\n"
                       "compose X = UNIT USE + Y\n"
                       "tune IPCC bad < 2\n"
                       "arch skx\ncompute A = B + 1 compute B = A + 1\n"
                       "arch any\ntune IPC why \"it is slow\" next CACHES "
                       "try \"less\"\n"
                       "tune MEM_IMPACT_PCT bad > 2 why \"it is slow\" "
                       "next NO_SUCH_THING try \"less\"\n")
        result = run([HPM, "check", "bad.hpm"], folder=where)
        equal((result.returncode, result.stdout.decode().splitlines()),
              (1, ["bad.hpm:2:13: 'USE' follows 'UNIT'; expected '+' between "
                   "them; did you mean 'UNIT_USE'?",
                   "bad.hpm:3:1: there is no metric 'IPCC' to tune; did you "
                   "mean 'IPC'?",
                   "bad.hpm:1:14: 'INSTRUCTON' is neither defined nor an event "
                   "known here; did you mean 'INSTRUCTION'?",
                   "bad.hpm:7:1: 'CACHES', to measure next, is no set, metric "
                   "or event known here; did you mean 'CACHE'?",
                   "bad.hpm:8:1: 'NO_SUCH_THING', to measure next, is no set, "
                   "metric or event known here",
                   "bad.hpm:5:19: 'A' needs itself: A -> B -> A"]),
              "each fault is named, those for one PMU, too")
        result = run([HPM, "check", "none.hpm"], folder=where)
        equal((result.returncode, result.stderr),
              (3, b"hpm check: none.hpm: cannot be read: No such file or "
               b"directory\n"), "so is a file that is not there: 3")
        with open(os.path.join(where, "one.hpm"), "w",
                  encoding="utf-8") as file:
            file.write("const ONE = 1\n")
        result = run([HPM, "check", "none.hpm", "one.hpm"], folder=where)
        ok(result.returncode == 1 and b"none.hpm" in result.stderr and
           result.stdout == b"one.hpm: 1 statement, no fault\n",
           "beside one that is good: 1", result)
    equal(run([HPM, "check"]).returncode, 2, "no file: 2")


CPUS = ("a64fx", "cortex-a57", "neoverse", "power9", "xeon", "zen")


def check_summary(lines, pmu, answers):
    """The line "events" of check --model beside what --events answers."""
    line = next(line for line in lines[lines.index(pmu):]
                if line.startswith("  events "))
    n_wrong = answers.count("wrong")
    said = "not checked: libpfm4 of this machine lacks the PMU"
    if not tap.has_libpfm():
        said = "not checked: libpfm4 is missing here"
    elif "untold" not in answers:
        said = f"libpfm4 knows {answers.count('known') + n_wrong}"
    if n_wrong:
        said += f" and encodes {n_wrong} of them wrongly"
    equal(line, f"  events     {len(answers)}, {said}",
          f"{pmu}: how many events there are, and are known")


def test_models():
    """hpm check --model, of the shipped processors and of a bad one."""
    shipped = os.path.join(tap.TOP_SOURCE, "metrics")
    for name in CPUS:
        path = os.path.join(shipped, name + ".hpm")
        result = run([HPM, "check", "--model", path])
        lines = result.stdout.decode().splitlines()
        ok(result.returncode == 0 and not result.stderr and
           not [line for line in lines if line.startswith("  fault")] and
           [line for line in lines if line.startswith("  sets ")],
           f"{name}: events exist, sets fit, limits have a source", lines)
    model = ('arch skl\n'
             'const COUNTERS = 2\n'
             'set FIXED = CPU_CLK_UNHALTED:THREAD_P\n'
             'set PAIRED = L2_LINES_IN:ALL\n'
             'measure CYCLES = CPU_CLK_UNHALTED:THREAD_P\n'
             'measure INSTRUCTION = INST_RETIRED:ANY_P\n'
             'measure STALL = CYCLE_ACTIVITY:STALLS_NOTHING\n'
             'measure MEMORY = MEM_INST_RETIRED:ANY\n'
             'measure LOAD = MEM_INST_RETIRED:ALL_LOADS\n'
             'compose MEMORY = LOAD + STORE + SYNCH\n'
             'ratio MINE = LOAD / CYCLES bad > 2\n'
             'set GOOD = CYCLES INSTRUCTION LOAD\n'
             'set TIGHT = CYCLES INSTRUCTION L2_LINES_IN:ALL\n')
    faults = ["  fault      the limits of 'MINE' have no source",
              "  fault      the set 'TIGHT' takes 3 counters of 2"]
    if tap.has_libpfm() and os.uname().machine == "x86_64":
        faults.insert(0, "  fault      there is no event "
                         "'CYCLE_ACTIVITY:STALLS_NOTHING'")
    with folder() as where:
        with open(os.path.join(where, "bad.hpm"), "w") as file:
            file.write(model)
        result = run([HPM, "check", "--model", "bad.hpm"], folder=where)
        lines = result.stdout.decode().splitlines()
        titles = [line for line in lines
                  if line[0] != " " and not line.startswith("bad.hpm: note: ")]
        equal((result.returncode, titles,
               [line for line in lines if line.startswith("  fault")]),
              (1, ["bad.hpm: 12 statements, no fault", "skl"], faults),
              "faults of a model are told")
        ok({"  missing    BRANCH_MPKI needs BRANCH_MISP",
            "  missing    'STORE' of 'MEMORY'",
            "  missing    'SYNCH' of 'MEMORY'",
            "  missing    the constant 'WIDTH'"} <= set(lines) and
           not [line for line in lines if line.startswith("  missing    IPC ")],
           "and what it leaves out", lines)
        result = run([HPM, "check", "--events", "bad.hpm"], folder=where)
        rows = [line.split() for line in result.stdout.decode().splitlines()]
        equal(sorted(row[1] for row in rows if row[0] == "skl"),
              ["CPU_CLK_UNHALTED:THREAD_P", "CYCLE_ACTIVITY:STALLS_NOTHING",
               "INST_RETIRED:ANY_P", "L2_LINES_IN:ALL",
               "MEM_INST_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:ANY"],
              "--events lists the native events")
        check_summary(lines, "skl", [row[2] for row in rows
                                     if row[0] == "skl"])
    result = run([HPM, "check", "--events", "none.hpm"])
    ok(result.returncode == 3 and result.stdout == b"" and
       b"none.hpm: cannot be read" in result.stderr,
       "a file that is not there is said to be none", result)
    with folder() as where:
        open(os.path.join(where, "empty.hpm"), "w").close()
        for option in ("--events", "--model"):
            result = run([HPM, "check", option, "empty.hpm"], folder=where)
            ok(result.returncode == 1 and
               b"empty.hpm: cannot be read, or has no" in result.stderr,
               f"{option} of a file without definitions says so", result)
    equal(run([HPM, "check", "--modle", path]).returncode, 2,
          "an option that is none: 2")


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
test_list()
test_explain()
test_explain_constant()
test_explain_given()
test_explain_all()
test_hints()
test_replaced()
test_listings()
test_sense()
test_arch()
test_check()
test_models()
tap.done()
