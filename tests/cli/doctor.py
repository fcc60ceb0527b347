# SPDX-License-Identifier: BSD-3-Clause
"""hpm doctor: what measuring costs here."""

import json
import os
import shutil
import sys

import tap
from tap import HPM, TOP_BUILD, equal, folder, ok, run

HELPER = os.path.join(TOP_BUILD, "hpm", "hpm-empty-sections")
SCENARIOS = [("thread", "empty"), ("thread", "around an empty one"),
             ("thread", "the clock read twice"),
             ("thread", "empty, first call"), ("thread", "around a first call"),
             ("process", "empty"), ("process", "around an empty one")]
PAPER_EVENTS = ["cycles", "instructions", "L1-dcache-loads",
                "L1-dcache-stores", "L1-icache-load-misses",
                "L1-dcache-load-misses", "dTLB-load-misses"]


# ---- what measuring costs ---------------------------------------------------

def overhead(*options, preload={}, **variables):
    """The tables of --json, and the result."""
    result = run([HPM, "doctor", "--overhead", "--json", *options], **preload,
                 **variables)
    try:
        return json.loads(result.stdout), result
    except ValueError:
        return {"costs": [], "before": [], "after": []}, result


def key(row):
    return row["scope"], row["section"], row["what"]


def test_tables():
    with folder() as where:
        report, result = overhead(TMPDIR=where)
        equal((result.returncode, result.stderr, os.listdir(where)),
              (0, b"", []), "it is measured, and nothing is left behind")
    before = {key(row): row for row in report["before"]}
    after = {key(row): row for row in report["after"]}
    equal([k[:2] for k in before if k[2] == "time"], SCENARIOS,
          "sections empty, around others, for the first time, of the process")
    equal({row["calls"] for row in [*before.values(), *after.values()]},
          {1000}, "of 1,000 calls each")
    ok(all(row["min"] <= row["median"] <= row["max"] and
           row["min"] <= row["mean"] <= row["max"]
           for row in [*before.values(), *after.values()]
           if row["min"] is not None),
       "spread from the smallest to the largest")
    equal({key(row)[:2] for row in before.values() if row["min"] is None},
          {s for s in SCENARIOS if s[1] == "around an empty one"},
          "unknown is null: single calls around a known section")
    ok(after.keys() <= before.keys() and
       all(after[k]["mean"] <= before[k]["mean"] for k in after) and
       all(after[k]["mean"] < before[k]["mean"] for k in after
           if k[1].startswith("around") and k[2] == "time"),
       "what is left is less than what was read", (before, after))
    return report


def test_costs(report):
    rows = [row for row in report["costs"] if row["what"] == "time"]
    equal([(row["scope"], row["where"], row["when"], row["calls"])
           for row in rows],
          [("thread", "in the section", "init", 100),
           ("thread", "around it", "init", 100),
           ("thread", "in the section", "end", 100),
           ("thread", "around it", "end", 100),
           ("process", "in the section", "init", 30),
           ("process", "around it", "init", 30)],
          "the calibrations of a run, in both scopes")
    ok(all(row["min"] <= row["median"] <= row["max"] for row in rows),
       "with their spread", rows)
    taken = min(row["min"] for row in rows
                if (row["scope"], row["where"]) == ("thread", "in the section"))
    read, left = (next(row for row in report[name]
                       if key(row) == ("thread", "empty", "time"))
                  for name in ("before", "after"))
    ok(abs(read["max"] - left["max"] - taken) <= 1,
       "the smaller of both is what an empty section's time is less by",
       (read, left, taken))


def test_text():
    result = run([HPM, "doctor", "--overhead"])
    text = result.stdout.decode()
    ok(result.returncode == 0 and "\nTable 2. " in text and
       "\nTable 3. " in text and "\nTable 3, continued. " in text,
       "the paper's Tables 2 and 3", text)
    report, _ = overhead()
    line = next(line for line in text.splitlines()
                if line.startswith("counters: "))
    if report["counters"] == "hardware":
        equal((line, report["reason"]), ("counters: hardware", None),
              "hardware counters, it is said")
    else:
        equal(line, "counters: software only; " + report["reason"],
              "no hardware counters: one line says why")


def test_events():
    report, result = overhead("-e", "page-faults,no-such-event")
    equal({row["what"] for row in report["before"]}, {"time", "page-faults"},
          "-e: what is counted")
    equal(result.stderr.count(b"no-such-event"), 1,
          "what cannot be counted is said once")
    report, result = overhead(HPM_EVENTS="page-faults", HPM_DISABLE=1,
                              HPM_ONLY="nothing", HPM_SKIP=7,
                              HPM_REPORT="stderr", HPM_OUTPUT_NAME="/nosuch/x",
                              HPM_MAX_THREADS=1)
    equal((result.returncode, result.stderr), (0, b""),
          "what the user has set for programs does not disturb it")
    equal({row["what"] for row in report["before"]}, {"time", "page-faults"},
          "but for the events")


def test_hardware():
    sentence = "with hardware counters the events of the paper"
    reason = tap.no_preload()
    if reason:
        tap.skip(sentence, reason)
        return
    report, result = overhead(preload=tap.fake_pmu())
    equal((result.returncode, report["counters"]), (0, "hardware"),
          "hardware counters are used where there are some")
    for scope, section in SCENARIOS:
        equal([row["what"] for row in report["before"]
               if (row["scope"], row["section"]) == (scope, section)],
              ["time"] + PAPER_EVENTS, f"{sentence}: {scope}, {section}")
    report, result = overhead("-e", "cycles,instructions",
                              preload=tap.fake_pmu(FAKE_RUNNING=50))
    ok(result.returncode == 0 and
       {row["what"] for row in report["before"]} == {"time"} and
       "note: cycles (thread, empty): shared" in
       run([HPM, "doctor", "--overhead", "-e", "cycles"],
           **tap.fake_pmu(FAKE_RUNNING=50)).stdout.decode(),
       "estimates of shared counters are left out, which is said", result)


def test_helper():
    with folder() as where:
        program = os.path.join(where, "bin", "hpm")
        helpers = os.path.join(where, "libexec", "hpm-toolkit")
        os.makedirs(os.path.dirname(program))
        shutil.copy(HPM, program)
        result = run([program, "doctor", "--overhead"])
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 3 and not result.stdout and
           len(lines) == 1 and "hpm-empty-sections" in lines[0],
           "without its helper: 3, and one line names it", result)
        os.makedirs(helpers)
        os.symlink(HELPER, os.path.join(helpers, "hpm-empty-sections"))
        result = run([program, "doctor", "--overhead"])
        equal((result.returncode, result.stderr), (0, b""),
              "installed elsewhere it finds its helper")
        os.unlink(os.path.join(helpers, "hpm-empty-sections"))
        os.symlink(shutil.which("false"),
                   os.path.join(helpers, "hpm-empty-sections"))
        result = run([program, "doctor", "--overhead"], TMPDIR=where)
        ok(result.returncode == 3 and b"exit status 1" in result.stderr and
           sorted(os.listdir(where)) == ["bin", "libexec"],
           "a helper that fails: 3, said, and nothing is left behind", result)


# ---- the command line -------------------------------------------------------

def test_usage():
    for arguments, word in ((["--nosuch"], "'--nosuch'"), (["-q"], "'-q'"),
                            (["--overhead", "-e"], "'-e'"),
                            (["-e", "cycles"], "--overhead"),
                            (["--overhead", "more"], "'more'")):
        result = run([HPM, "doctor"] + arguments)
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 2 and len(lines) == 1 and word in lines[0] and
           lines[0].startswith("hpm doctor: ") and not result.stdout,
           f"hpm doctor {' '.join(arguments)}: 2 and one line naming it",
           result)
    with open("/dev/full", "wb") as full:
        result = tap.run_to(full, [HPM, "doctor", "--overhead"])
    ok(result.returncode == 4 and result.stderr.startswith(b"hpm doctor: "),
       "a full disk: 4, and it is said", result)


test_costs(test_tables())
test_text()
test_events()
test_hardware()
test_helper()
test_usage()
tap.done()
