# SPDX-License-Identifier: BSD-3-Clause
"""hpm doctor --verify: what really happens is counted by a PMU that steps
(tests/programs/steppmu.c); faults planted in it are found, and none is invented.
HPM_TEST_ROUNDS=20 wants that of so many runs without a fault."""

import concurrent.futures
import json
import os
import platform

import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program, run

STEPPMU = os.path.join(os.path.dirname(program("tests/programs/steppmu.la")),
                       ".libs", "steppmu.so")
WILDCLOCK = os.path.join(os.path.dirname(program("tests/programs/wildclock.la")),
                         ".libs", "wildclock.so")
EVENTS = {
    "c0": "INST_RETIRED:ANY_P",
    "c4": "BR_INST_RETIRED:ALL_BRANCHES",
    "c5": "BR_MISP_RETIRED:ALL_BRANCHES",
    "81d0": "MEM_INST_RETIRED:ALL_LOADS",
    "82d0": "MEM_INST_RETIRED:ALL_STORES",
    "1c7": "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE",
    "4c7": "FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE",
}
# What is about one event, or the lack of counters, does not need all of them: each
# instruction of a run takes a signal.
FEW = {code: EVENTS[code] for code in ("c0", "c4", "82d0")}
# fault: the code it is planted in, and the verdicts that find it
FAULTS = [
    {"dead": ("4c7", ["dead"]), "doubled": ("c0", ["factor"]),
     "stores": ("81d0", ["another"]), "drifting": ("c4", ["unsteady"]),
     "half": ("1c7", ["factor"])},
    {"stuck": ("4c7", ["stuck"]), "kernel": ("c0", ["kernel too"]),
     "swapped": ("82d0", ["another"]), "offset": ("c4", ["offset"]),
     "saturating": ("81d0", ["stops", "off"])},
]


def verify(where, planted="", events=EVENTS):
    result = run([HPM, "doctor", "--verify", "--json", "-e",
                  ",".join(events.values())],
                 LD_PRELOAD=STEPPMU, LIBPFM_FORCE_PMU="skx",
                 HPM_MACHINE=where, STEP_PLANT=planted)
    try:
        report = json.loads(result.stdout)
    except ValueError:
        return result, {}
    return result, {row["event"]: row for row in report["events"]}


def verify_each(where, plans):
    """What is planted in one does not reach another, so two run at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda plan: verify(where, *plan), plans))


def test_right(found):
    for i, (result, events) in enumerate(found):
        ok(result.returncode == 0 and len(events) == len(EVENTS) and
           all(row["verdict"] == "right" for row in events.values()),
           f"run {i + 1}: a PMU without a fault counts right", (result, events))


def plan_of(faults):
    return ",".join(f"{code}={fault}" for fault, (code, _) in faults.items())


def test_planted(found):
    for faults, (result, events) in zip(FAULTS, found):
        plan = plan_of(faults)
        equal(result.returncode, 1, f"{plan}: some count wrongly")
        for fault, (code, verdicts) in faults.items():
            row = events.get(EVENTS[code], {})
            ok(row.get("verdict") in verdicts, f"found: {fault}", row)
        others = set(EVENTS) - {code for code, _ in faults.values()}
        ok(all(events.get(EVENTS[code], {}).get("verdict") == "right"
               for code in others), "and no other", events)


def test_passing(found):
    """A fault that is gone at the second attempt was no fault of the event."""
    result, events = found
    row = events.get(EVENTS["c0"], {})
    ok(result.returncode == 0 and row.get("verdict") == "right" and
       row.get("found", "").startswith("at a second attempt; at first factor"),
       "what is wrong once is tried again, and what it was is told", row)


def test_crowded(found):
    """Events whose counters others had beside them are tried by themselves."""
    result, events = found
    ok(result.returncode == 0 and len(events) == len(FEW) and
       all(row["verdict"] == "right" for row in events.values()),
       "what has no value beside others is tried alone, and right", (result, events))


def test_waiting(where):
    """What waits for a processor runs for events of the system alone, or it would take
    most of the time."""
    kernels = {}
    for event in ("context-switches", EVENTS["c0"]):
        result = run([HPM, "doctor", "--verify", "--json", "-e", event],
                     LD_PRELOAD=STEPPMU, LIBPFM_FORCE_PMU="skx", HPM_MACHINE=where)
        kernels[event] = {row["kernel"] for row in
                          json.loads(result.stdout)["values"]}
    ok("sleeps" in kernels["context-switches"] and
       not kernels[EVENTS["c0"]] & {"sleeps", "moves"} and
       "plain" in kernels[EVENTS["c0"]],
       "sleeping shows switches, and nothing of hardware", kernels)


def test_spellings(where):
    """One event by several names should count the same, in the kernel another count."""
    names = ["page-faults", "faults", "PERF_COUNT_SW_PAGE_FAULTS", "sw::page-faults"]
    for name in [*names, "page-faults:k"]:
        result = run([HPM, "doctor", "--verify", "--json", "-e", name],
                     HPM_MACHINE=where)
        row, = json.loads(result.stdout or b'{"events": [{}]}')["events"]
        known = "page-faults" if name in names else None
        equal(row.get("should count"), known, f"{name} should count that")


def test_no_clock(where):
    """A thread without a clock of its own, or whose clock stands still: what is tried
    ends all the same."""
    for fault in ("gone", "still"):
        result = run([HPM, "doctor", "--verify", "--json", "-e", "page-faults"],
                     LD_PRELOAD=WILDCLOCK, WILD_THREAD=fault, HPM_MACHINE=where)
        rows = json.loads(result.stdout or b'{"values": []}')["values"]
        ok(result.returncode in (0, 1) and
           {"plain", "faults"} <= {row["kernel"] for row in rows},
           f"a thread's clock that is {fault}: the rounds are bounded by time", result)


def test_marks(where):
    """What is kept marks metrics of later runs."""
    result = run([HPM, "doctor", "--verify"], HPM_MACHINE=where)
    name = [name for name in os.listdir(where) if name.endswith(".machine")]
    ok(len(name) == 1, "what was found is kept for this machine",
       (result, name))
    path = os.path.join(where, name[0])
    with open(path, encoding="utf-8") as file:
        # what was found here and now is another matter: a virtual machine that others
        # load may have a clock that is off for a moment
        kept = "".join(line for line in file if "WRONG:" not in line)
    for text, is_marked in (
            (kept, False),
            (kept + "fact WRONG:sw::task-clock factor: twice\n", True),
            ("processor of another kind\nfact WRONG:sw::task-clock\n", False)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = run([HPMCOUNT, "-m", "CPU_EFFICIENCY", "-v", "true"],
                     HPM_MACHINE=where)
        ok((b"counts wrongly on this machine" in result.stderr) == is_marked,
           f"hpmcount marks what needs a wrong event: {is_marked}",
           result.stderr)


with folder() as here:
    test_marks(here)
    test_spellings(here)
    no_pmu = tap.no_preload() if platform.machine() == "x86_64" else \
        "the PMU that steps is for x86-64"
    if no_pmu:
        tap.skip("planted faults are found, and none is invented", no_pmu)
    else:
        n_right = int(os.environ.get("HPM_TEST_ROUNDS", "1"))
        verified = verify_each(here, n_right * [("",)] +
                               [(plan_of(faults),) for faults in FAULTS] +
                               [("c0=passing", FEW), ("c0=crowded", FEW)])
        test_right(verified[:n_right])
        test_planted(verified[n_right:-2])
        test_passing(verified[-2])
        test_crowded(verified[-1])
        test_waiting(here)
    if tap.no_preload():
        tap.skip("threads without a clock", tap.no_preload())
    else:
        test_no_clock(here)
tap.done()
