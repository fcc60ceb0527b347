# SPDX-License-Identifier: BSD-3-Clause
"""hpm plan: the fewest runs for what is wanted, beside the sets of the papers
and a model of the counters worked out here."""

import json
import os
import re

import tap
from tap import HPM, HPMCOUNT, TOP_SOURCE, equal, folder, ok, run

# The 17 events of the CMSSW report for Core, chapter 6.1.
CORE_EVENTS = """
BRANCH_INSTRUCTIONS_RETIRED ILD_STALL INST_RETIRED:LOADS INST_RETIRED:OTHER
INST_RETIRED:STORES INSTRUCTIONS_RETIRED LOAD_BLOCK:OVERLAP_STORE LOAD_BLOCK:STA
LOAD_BLOCK:UNTIL_RETIRE MEM_LOAD_RETIRED:DTLB_MISS
MEM_LOAD_RETIRED:L1D_LINE_MISS MEM_LOAD_RETIRED:L2_LINE_MISS
MISPREDICTED_BRANCH_RETIRED RS_UOPS_DISPATCHED RS_UOPS_DISPATCHED:c=1:i=1
SIMD_COMP_INST_RETIRED:PACKED_SINGLE:PACKED_DOUBLE UNHALTED_CORE_CYCLES
""".split()
# Hierarchies of KOJAK's listings, which all of its counter sets serve.
KOJAK = ("CYCLES,INSTRUCTION,DATA_ACCESS,INST_ACCESS,TLB_ACCESS",
         {"opteron": "HT_MEM_XFER,HT_I/O_XFER,SIMD", "power4": None,
          "ultra3": "SSM_LOCALITY,P$_READS,MC_READS,MC_WRITES,MC_STALLS"})


def plan(*arguments, status=0, **variables):
    result = run([HPM, "plan", *arguments, "--json"], **variables)
    if result.returncode != status:
        ok(False, f"hpm plan {' '.join(arguments)}: {status}", result)
    return json.loads(result.stdout) if result.stdout else None


def runs_of(document):
    return [set(one["events"]) for one in document["runs"]]


def statements(name):
    """The statements of a shipped file, comments left out."""
    with open(os.path.join(tap.MODELS, name)) as file:
        text = re.sub(r"#.*", "", file.read())
    words = "arch|const|set|measure|compute|compose|ratio|tune|remove"
    return re.split(rf"\n(?=(?:{words}) )", text)


def differences(name):
    """Of each difference of two or more plain names its events."""
    found = {}
    for statement in statements(name):
        match = re.match(r"compute (\S+) = ([\w$ +-]+)", statement)
        names = re.findall(r"[A-Za-z_][\w$]*", match[2]) if match else []
        if match and "-" in match[2]:
            found[match[1]] = set(names)
    return found


# ---- the papers ---------------------------------------------------------------

def test_kojak():
    """metrics.md 4 and the tables of the paper: as few sets, or fewer."""
    for pmu, counters, most in (("opteron", 4, 12), ("power4", 8, 6),
                                ("ultra3", 2, 32)):
        document = plan("--on", pmu)
        equal(document["counters"], counters, f"{pmu}: its counters")
        runs = runs_of(document)
        ok(len(runs) <= most, f"{pmu}: at most {most} runs of {counters}",
           len(runs))
        ok(all(len(events) <= counters for events in runs),
           f"{pmu}: no run counts more than there are counters", runs)
        together = differences(f"{pmu}.hpm")
        known = set().union(*runs)
        wrong = [name for name, events in together.items()
                 if events <= known and len(events) <= counters and
                 not any(events <= events_of for events_of in runs)]
        ok(len(together) > 2 and not wrong,
           f"{pmu}: differences of counts are of one run", wrong)
    document = plan("--on", "opteron")
    equal(len(set().union(*runs_of(document))), 48,
          "opteron: all 48 events of the hierarchies")
    document = plan("--on", "ultra3", "--parts", "-m",
                    KOJAK[0] + ",SSM_LOCALITY,P$_READS,MC_READS,MC_WRITES")
    runs = runs_of(document)
    equal((len(runs), len(set().union(*runs))), (26, 50),
          "ultra3: 50 events in 26 runs")
    ok("DATA_STORE_INTO_MEM" in document["combined"] and
       not {"DATA_LOAD_FROM_L2$", "INST_HIT_L2$"} & set(document["combined"]),
       "ultra3: only what needs three counters combines runs",
       document["combined"])


def test_hierarchies():
    roots, more = KOJAK
    for pmu, others in more.items():
        whole = plan("--on", pmu, "--counters", "8")
        named = plan("--on", pmu, "--counters", "8", "--parts", "-m",
                     ",".join(filter(None, (roots, others))))
        known = set().union(*runs_of(whole))
        parts = set().union(*runs_of(named))
        ok(parts <= known and len(parts) > 0.9 * len(known),
           f"{pmu}: the hierarchies have (nearly) all events", known - parts)
    alone = plan("--on", "opteron", "--counters", "8", "-m", "CYCLES")
    equal(runs_of(alone), [{"CPU_CLK_UNHALTED", "FR_X86_INS"}],
          "without --parts a measured whole is one event, and an anchor")


def test_work():
    """What a program may count itself (work::flop) spares no events."""
    runs = runs_of(plan("--on", "skx", "-m", "MFLOPS"))
    ok(len([event for event in set().union(*runs)
            if event.startswith("FP_ARITH_INST_RETIRED:")]) == 8,
       "skx: operations have events, though programs may count them", runs)


def test_cmssw():
    document = plan("--on", "core", "-e", ",".join(CORE_EVENTS))
    runs = runs_of(document)
    ok(len(runs) == 8 and set().union(*runs) == set(CORE_EVENTS),
       "core: the report's 17 events in 8 runs of 2 counters beside 2 fixed "
       "ones", runs)
    anchors = {"UNHALTED_CORE_CYCLES", "INSTRUCTIONS_RETIRED"}
    ok(all(anchors <= events for events in runs),
       "core: cycles and instructions in every run, for they cost nothing",
       runs)
    with open(os.path.join(TOP_SOURCE, "tests/metric/cmssw-nehalem.table")) as f:
        events = [line.split()[1] for line in f if line.startswith("count ")]
    runs = runs_of(plan("--on", "nhm", "-e", ",".join(events)))
    ok(len(events) >= 41 and len(runs) <= (len(events) - 2 + 3) // 4 and
       set().union(*runs) == set(events),
       f"nhm: {len(events)} events in as few runs as 4 counters allow", runs)


# ---- a user's model -----------------------------------------------------------

MODEL = """arch mine "A PMU that is nowhere"
const COUNTERS = 3
set FIXED = CYC INS
set PAIRED = WIDE
set COUNTER_1 = ODD ONE
set COUNTER_2 = ODD
set COUNTER_3 = WIDE2
measure CYCLES = CYC
measure INSTRUCTION = INS
compute DIFFERENCE = A - B
compute TOO_BIG = A + B - C - D
ratio RATE = C / D
ratio SLOW = ONE / A
set OTHERS = WIDE ONE ODD WIDE2 E
"""


def test_model():
    with folder() as where:
        path = os.path.join(where, "mine.hpm")
        with open(path, "w") as file:
            file.write(MODEL)
        document = plan("--on", "mine", "-m", "DIFFERENCE,TOO_BIG,RATE,SLOW",
                        "-e", "ODD,ONE,WIDE,WIDE2,E", HPM_DEFS=path)
        runs = runs_of(document)
        equal((document["pmu"], document["counters"]), ("mine", 3),
              "the model's counters")
        ok(all({"CYC", "INS"} <= events for events in runs),
           "anchors on fixed counters are in every run", runs)
        cost = [sum(2 if e == "WIDE" else e not in ("CYC", "INS")
                    for e in events) for events in runs]
        ok(max(cost) <= 3, "an event that takes two counters takes two", runs)
        equal(len(runs), 4, "10 places on 3 counters: 4 runs")
        ok(any({"A", "B"} <= events for events in runs),
           "a difference is of one run", runs)
        equal("TOO_BIG" in document["combined"], True,
              "four events on three counters: the value combines runs")
        alone = plan("--on", "mine", "-e", "ONE,ODD,WIDE2", HPM_DEFS=path)
        equal([sorted(events - {"CYC", "INS"}) for events in runs_of(alone)],
              [["ODD", "ONE", "WIDE2"]], "events find counters that hold them")
        with open(path, "a") as file:
            file.write("set COUNTER_1 = ODD ONE ALSO\nset MORE = ALSO\n")
        alone = plan("--on", "mine", "-e", "ONE,ALSO", HPM_DEFS=path)
        equal(len(alone["runs"]), 2, "two events of one counter: two runs")


def test_elsewhere():
    """What another processor's events stand beside: the kernel's own counts are
    there for nothing, the names it has for events of the processor at hand are
    not."""
    with folder() as where:
        path = os.path.join(where, "mine.hpm")
        with open(path, "w") as file:
            file.write(MODEL + "compute SOFT = C + sw::page-faults\n"
                               "compute KERNEL = C + perf::CACHE-MISSES\n"
                               "compute SLOTS = C + cpu::slots\n"
                               "compute LEVEL = C + cpu::topdown-retiring\n")
        document = plan("--on", "mine", "-m", "SOFT,KERNEL,SLOTS,LEVEL",
                        HPM_DEFS=path)
        equal([(sorted(one["events"]), one["metrics"])
               for one in document["runs"]], [(["C", "CYC", "INS"], ["SOFT"])],
              "only what the processor's events and the kernel's counts give")
        with open(path, "a") as file:
            file.write("measure MISSES = perf::CACHE-MISSES\n")
        document = plan("--on", "mine", "-m", "MISSES", HPM_DEFS=path)
        equal([one["metrics"] for one in document["runs"]], [["MISSES"]],
              "what a measure for the PMU calls by the kernel's name it counts")


def test_alone():
    """Without fixed counters."""
    text = ("arch tiny\nconst COUNTERS = 2\nset COUNTER_1 = ONE ALSO\n"
            "set COUNTER_2 = THIRD\nset ALL = ONE ALSO\n")
    with folder() as where:
        path = os.path.join(where, "tiny.hpm")
        with open(path, "w") as file:
            file.write(text)
        result = run([HPM, "plan", "--on", "tiny", "-e", "ONE,ALSO"],
                     HPM_DEFS=path)
        said = result.stdout.decode()
        equal(said.count("no other of the events wanted fits in here"), 2,
              "why an event is alone")
        document = plan("--on", "tiny", "-e", "ONE,ALSO,THIRD", HPM_DEFS=path)
        equal(sorted((len(one["events"]), one["alone"])
                     for one in document["runs"]), [(1, False), (2, False)],
              "an event that others had no room beside is not alone by nature")


def test_check_model():
    """hpm check --model sees the same counters."""
    with folder() as where:
        with open(os.path.join(where, "mine.hpm"), "w") as file:
            file.write(MODEL + "set TIGHT = ONE WIDE2 ODD E\n"
                               "set COUNTER_2 = ODD TWIN\n"
                               "set TWINS = ONE WIDE2\n"
                               "set ODDS = ODD TWIN ONE\n")
        result = run([HPM, "check", "--model", "mine.hpm"], folder=where)
        said = result.stdout.decode()
        ok("the set 'TIGHT' takes 4 counters of 3" in said and
           "the set 'ODDS' wants one counter for several events" in said and
           "'TWINS'" not in said and "'COUNTER_1'" not in said,
           "hpm check --model: sets that do not fit, and those that do", said)
        ok("  sets       4, for 3 counters\n" in said,
           "and how many there are, those left out that name counters", said)


# ---- this machine -------------------------------------------------------------

def test_trial():
    """What hpmcount can count together is together."""
    names = "cycles,instructions,branches,cache-misses,task-clock"
    fake = tap.fake_pmu(FAKE_COUNTERS=2)
    result = run([HPM, "plan", "-e", names, "--lists"], **fake)
    lists = result.stdout.decode().split()
    equal((result.returncode, len(lists),
           sorted({name for line in lists for name in line.split(",")})),
          (0, 2, sorted(names.split(","))),
          "4 events and a clock on 2 counters: 2 runs")
    for line in lists:
        result = run([HPMCOUNT, "-e", line, "true"], **fake)
        ok(b"not counted" not in result.stderr, f"hpmcount counts {line}",
           result.stderr)


def test_not_countable():
    result = run([HPM, "plan", "-e", "no-such-event,task-clock", "--lists"])
    ok(result.returncode == 1 and result.stdout == b"task-clock\n" and
       b"'no-such-event'" in result.stderr,
       "what cannot be counted is named, the rest planned: 1", result)


def test_apart():
    """A ratio may be of two runs only because that saves one: that its events
    cannot be counted together is said of none."""
    for pmu in ("core", "amd64_fam19h_zen4"):
        text = run([HPM, "plan", "--on", pmu]).stdout.decode()
        named = set(re.findall(r"^([\w$]+): its .* several runs", text, re.M))
        combined = plan("--on", pmu)["combined"]
        ok(named and named == set(combined) and "no run can" not in text,
           f"{pmu}: metrics of several runs, and no untrue reason",
           (named, combined))
    text = run([HPM, "plan", "--on", "core", "-e",
                "INST_RETIRED:LOADS"]).stdout.decode()
    ok("INST_RETIRED:LOADS" in text and "alone" not in text,
       "one event is not called alone among others", text)


def test_usage():
    for arguments, status, words in (
            (["--on", "no-such-pmu"], 2, ["'no-such-pmu'", "opteron"]),
            (["--on", "opteron"], 0, []),
            (["--on", "power3"], 2, ["COUNTERS", "--counters"]),
            (["--on", "opteron", "--counters", "0"], 2, ["0", "1 to 64"]),
            (["--on", "opteron", "--counters", "4x"], 2, ["4x", "1 to 64"]),
            (["--counters", "4"], 2, ["--on"]),
            (["-m", "NO_SUCH"], 2, ["'NO_SUCH'"]),
            (["-m", ""], 2, ["empty"]),
            (["-e", "a,,b"], 2, ["empty"]),
            (["--on", "core", "-e", "NO_SUCH"], 2, ["'NO_SUCH'", "'core'"]),
            (["more"], 2, ["'more'"]),
            (["--nosuch"], 2, ["'--nosuch'"])):
        result = run([HPM, "plan", *arguments])
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == status and len(lines) == (status != 0) and
           bool(result.stdout) == (status == 0) and
           all(word in lines[0] for word in words),
           f"hpm plan {' '.join(arguments)}: {status}", result)
    result = run([HPM, "plan", "-e", "no-such-event"])
    equal((result.returncode, result.stdout), (3, b""),
          "nothing can be counted: 3")


test_kojak()
test_hierarchies()
test_work()
test_cmssw()
test_model()
test_elsewhere()
test_alone()
test_check_model()
REASON = tap.no_preload()
if REASON:
    tap.skip("runs on two counters", REASON)
else:
    test_trial()
test_not_countable()
test_apart()
test_usage()
tap.done()
