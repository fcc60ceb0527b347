# SPDX-License-Identifier: BSD-3-Clause
"""hpm report of what papers print, and of the examples."""

import json
import os
import re
import subprocess

import tap
from reports import (VIEWS, data, find, record, report, rows, task_file,
                     values_are, write)
from tap import equal, folder, ok, program


# ---- the KOJAK paper -------------------------------------------------------

# Its Table 1: counts in 10^9, and the percentage printed behind some.  A name
# after a slash is that under which the platform's hierarchy in the appendix
# has what the table calls STALL.
TABLE_1 = {
    "power4": [
        ("CYCLES", 25911, None), ("INSTRUCTION", 15377, None),
        ("FLOATING_POINT", 7208, 46.9), ("BRANCH", 1287, 8.4),
        ("BRANCH_MISP", 90, 0.6), ("INST_ACCESS", 4202, None),
        ("INST_HIT_L1$", 4201, 100), ("INST_TLB_MISS", 0.008, None),
        ("DATA_TLB_MISS", 5.014, None), ("DATA_ACCESS", 5235, None),
        ("DATA_HIT_L1$", 5092, 97.3), ("DATA_HIT_L2$", 129, 2.5),
        ("DATA_HIT_L3$", 7, 0.1), ("DATA_HIT_MEM", 7, 0.1),
        ("DATA_LOAD_FROM_MEM", 7, None)],
    "opteron": [
        ("CYCLES", 22090, None), ("IC_FETCH_STALL", 15499, 70.2),
        ("INSTRUCTION", 17678, None), ("FLOATING_POINT", 11704, 66.2),
        ("BRANCH", 967, 5.5), ("BRANCH_MISP", 14, 0.1),
        ("INST_ACCESS", 6575, None), ("INST_HIT_L1$", 6575, 100),
        ("INST_TLB_MISS", 0.002, None), ("DATA_TLB_MISS", 5.753, None),
        ("DATA_ACCESS", 7456, None), ("DATA_HIT_L1$", 7230, 97.0),
        ("DATA_HIT_L2$", 194, 2.6), ("DATA_HIT_MEM", 32, 0.4),
        ("DATA_LOAD_FROM_MEM", 20, None)],
    "ultra3": [
        ("CYCLES", 38789, None), ("STALL", 24581, 63.4),
        ("INSTRUCTION", 21197, None), ("FLOATING_POINT", 8649, 40.8),
        ("BRANCH", 923, 4.3), ("BRANCH_MISP", 29, 0.1),
        ("INST_ACCESS", 8793, None), ("INST_HIT_L1$", 8789, 100),
        ("INST_TLB_MISS", 0.004, None), ("DATA_TLB_MISS", 2.991, None),
        ("DATA_ACCESS", 6887, None), ("DATA_HIT_L1$", 5594, 81.2),
        ("DATA_HIT_L2$", 1255, 18.2), ("DATA_HIT_MEM", 37, 0.5),
        ("DATA_LOAD_FROM_MEM", 11, None)],
}
# Section 3.2 has them with two digits, and of branches.
MISPREDICTED = {"power4": (0.58, 7.0), "opteron": (0.08, 1.5),
                "ultra3": (0.14, 3.1)}


def test_kojak():
    with folder() as where:
        for pmu, counts in TABLE_1.items():
            counters = [data(name, round(count * 1e9),
                             exclusive=round(count * 1e9))
                        for name, count, _ in counts]
            path = write(where, pmu + ".hpm.xml", task_file(
                0, [record(1, 0, 0, "sppm", 280, 280, counters)],
                f'pmu="{pmu}"'))
            table = rows(path)
            text = report(path, COLUMNS="80").stdout.decode()
            wrong = []
            for name, _, percentage in counts:
                row = find(table, "sppm", name, "metric")
                if percentage is None:
                    continue
                if row is None or abs(100 * float(row["part"] or "nan") -
                                      percentage) > 0.1:
                    wrong.append((name, percentage, row and row["part"]))
                line = re.search(rf"^ +{re.escape(name)} +[\d,]+ .*?([\d.]+)$",
                                 text, re.M)
                if not line or abs(float(line[1]) - percentage) > 0.1001:
                    wrong.append((name, percentage, line and line[0]))
            equal(wrong, [], f"KOJAK Table 1, {pmu}: the percentages printed")
            of_all, of_branches = MISPREDICTED[pmu]
            part = find(table, "sppm", "BRANCH_MISP", "metric")["part"]
            ratio = find(table, "sppm", "BRANCH_MISP_PCT")["value"]
            ok(abs(100 * float(part) - of_all) < 0.1 and
               abs(float(ratio) - of_branches) < 0.1,
               f"{pmu}: mispredicted branches as section 3.2 has them",
               (part, ratio))


# ---- Figure 3 of the HPM paper ---------------------------------------------

FIGURE_3 = """<InstrumentationPt lid="swim.f775" disp="true" tid="{tid}" task="0"
  label="Loop 300" file="swim.f" linestart="775" lineend="786" >
  <data name="Count" value="1198" />
  <data name="ExcSec" value=" 2.918" />
  <data name="IncSec" value=" 2.918" />
  <data name="PM_CYC" value=" 169719339" disp="false" />
  <data name="PM_INST_CMPL" value=" 135603862" disp="false" />
  <data name="PM_ST_CMPL" value=" 8255773" disp="false" />
  <data name="PM_LD_CMPL" value=" 56883532" disp="false" />
  <data name="PM_FPU0_CMPL" value=" 6463248" disp="false" />
  <data name="PM_FPU1_CMPL" value=" 5122784" disp="false" />
  <data name="PM_EXEC_FMA" value=" 7697521" disp="false" />
  <data name="User time" value=" 0.764" />
  <data name="Use rate" value=" 0.262" />
  <data name="Instr/LS" value=" 2.082" sbad="-1.0" sgood="2.5" dbad="-1.0" dgood="2.5" />
  <data name="Home made" value=" 3.5" sbad="-4.0" sgood="5.0" dbad="-3.0" dgood="5.0" />
</InstrumentationPt>
"""


def test_figure():
    with folder() as where:
        path = write(where, "f.xml", FIGURE_3.format(tid=37))
        result = report(path)
        text = result.stdout.decode()
        ok(result.returncode == 0 and "those of power3" in text,
           "the processor is guessed from the counters, which is said", result)
        table = rows(path)
        row = find(table, "Loop 300", "Instr/LS")
        ok(values_are(row, value=135603862 / (8255773 + 56883532),
                      verdict="neutral"),
           "what can be computed again is computed", row)
        row = find(table, "Loop 300", "User time")
        ok(values_are(row, value=0.764, state="recorded"),
           "what cannot is what the file says, and said to be", row)
        equal([find(rows("--precision", p, path), "Loop 300",
                    "Home made")["verdict"] for p in ("single", "double")],
              ["bad", "neutral"], "and judged by the file's own limits")
        path = write(where, "two.xml", "<HPMPerformanceFile>" +
                     FIGURE_3.format(tid=1) + FIGURE_3.format(tid=2) +
                     "</HPMPerformanceFile>")
        table = rows(path)
        row = find(table, "Loop 300", "Home made")
        ok(values_are(row, value="", state="recorded", thread_min=3.5,
                      threads=2),
           "of two threads it has no value, but those of the threads", row)
        equal(find(table, "Loop 300", "PM_CYC")["value"], "339438678",
              "where the counts have a sum")
        row = find(rows("--arch", "power4", path), "Loop 300", "Instr/LS")
        ok(row is None or row["state"] == "recorded",
           "--arch takes the definitions it names", row)


# ---- the examples ----------------------------------------------------------

def test_examples():
    for name, sections, arguments in (
            ("openmp", {"plate", "sweep", "wait"}, []),
            ("pthreads", {"parallel", "integrate"}, ["2"])):
        path = program("doc/examples/" + name)
        if not os.path.exists(path):
            tap.skip(f"{name}: 4 tasks of 2 threads", "not built (no OpenMP)")
            continue
        with folder() as where:
            running = [subprocess.Popen(
                [path, *arguments], cwd=where, stdout=subprocess.DEVNULL,
                env=tap.environment(PMI_RANK=rank, HPM_JOB="four",
                                    OMP_NUM_THREADS=2,
                                    HPM_EVENTS="task-clock,page-faults"))
                for rank in range(4)]
            for process in running:
                process.wait(timeout=300)
            # one machine may be too busy to run all of them at once
            options = ["--force", where]
            for view in VIEWS:
                whole = json.loads(report("--by", view, "--format", "json",
                                          *options).stdout)
                ok(len(whole["tasks"]) == 4 and
                   {t["job"] for t in whole["tasks"]} == {"four"} and
                   (view == "file" or {d["section"] for d in whole["data"]} ==
                    sections | {"(outside sections)"}), f"{name} by {view}: all sections of 4 tasks",
                   whole["tasks"])
            table = rows(*options)
            inner = [s for s in sections if s in ("sweep", "wait", "integrate")]
            for section in inner:
                row = find(table, section, "task-clock")
                ok(values_are(row, threads=8, tasks=4),
                   f"{name}: {section} in 8 threads of 4 tasks", row)
            by_thread = rows("--by", "thread", *options)
            total = sum(int(r["value"]) for r in by_thread
                        if r["section"] == inner[0] and
                        r["metric"] == "task-clock")
            equal(find(table, inner[0], "task-clock")["value"], str(total),
                  f"{name}: the whole is the sum of its threads")
            for width in ("80", "200"):
                text = report(*options, COLUMNS=width).stdout.decode()
                ok(all(len(l) <= int(width) for l in text.splitlines()) and
                   f"{name}: 4 tasks" in text and
                   all(re.search(rf"^{s} ", text, re.M) for s in sections),
                   f"{name}: the text fits {width} columns", text)


test_kojak()
test_figure()
test_examples()
tap.done()
