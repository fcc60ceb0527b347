# SPDX-License-Identifier: BSD-3-Clause
"""What there is to measure: hpm metrics lists it, hpm explain tells of each."""

import json
import os

import tap
from tap import HPM, equal, folder, ok, run


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
                       '    unit "cycles" info "what a miss costs"\n'
                       'arch elsewhere { const MINE = 4 source "others" }\n')
        result = run([HPM, "explain", "MINE"], HPM_DEFS=path)
        text = result.stdout.decode()
        ok("value      3 cycles\n" in text and "anybody" in text and
           "others" not in text,
           "a constant has no source of another processor", text)
        ok(text.startswith("MINE: a constant, generic\n") and
           "meaning    what a miss costs\n" in text,
           "but its label and meaning", text)


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
    with folder() as where:
        mine = os.path.join(where, "mine.hpm")
        with open(mine, "w") as file:
            file.write("compute PART = NO_B + NO_C\n"
                       "ratio MINE = NO_A / (PART + NO_A + PM_CYC)\n")
        words = " ".join(run([HPM, "explain", "--arch", "power4", "MINE"],
                             HPM_DEFS=mine).stdout.decode().split())
    ok("it needs 'NO_A', which cannot be counted on power4; nor can 'NO_B', 'NO_C'"
       in words, "all that is lacking is told, each once", words)
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
    for words in (["explain", "IPC"], ["metrics", "--arch", "skx"]):
        result = run([HPM, *words], HPM_MODELS=tap.TOP_SOURCE)
        ok(b"' has no models of processors; expected their folder" in result.stderr,
           f"{words[0]}: a folder without models is named", result)
    result = run([HPM, "plan", "--on", "apple_m1", "-m", "all"], HPM_MODELS="/nowhere")
    equal((result.returncode, result.stderr.decode()),
          (2, "hpm plan: HPM_MODELS: '/nowhere' has no models of processors; "
              "expected their folder, metrics/models of the sources\n"
              "hpm plan: there is no model 'apple_m1.hpm' in /nowhere; HPM_MODELS "
              "names the folder of the models, metrics/models of the sources\n"),
          "a known processor whose model is elsewhere is told from an unknown one")
    result = run([HPM, "explain", "--arch", "power4", "IPC"], HPM_MODELS="/nowhere")
    ok(result.returncode == 2 and b"is no model 'power4.hpm' in /nowhere; HPM_MODELS "
       in result.stderr, "so may be one that nothing else names", result)
    result = run([HPM, "metrics", "--arch", "nosuch"])
    ok(result.returncode == 2 and b"expected one of: " in result.stderr and
       b" skx " in result.stderr, "or all of them", result)


test_list()
test_explain()
test_explain_constant()
test_explain_given()
test_explain_all()
test_arch()
tap.done()
