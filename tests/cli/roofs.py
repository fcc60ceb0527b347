# SPDX-License-Identifier: BSD-3-Clause
"""hpm doctor --roofs: which roofs a machine has, and that they are kept and reach
those who measure; what metrics make of them, of clocks and of memory nodes.  How
fast it is depends on the machine, and is not asked."""

import json
import os
import platform
import re

import tap
from tap import HPM, HPMCOUNT, equal, files, folder, ok, run

import reports

WIDTHS = ["double_64", "single_32"]
BEST = ["double", "single"]
LEVELS = ["L1", "L2", "L3", "memory"]


def flags():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        words = file.read().split()
    return set(words)


def expected_widths():
    widths = list(WIDTHS)
    if platform.machine() in ("x86_64", "aarch64"):
        widths += ["double_128", "single_128"]
    if platform.machine() == "x86_64" and "fma" in flags():
        widths += ["double_256", "single_256"]
    if platform.machine() == "x86_64" and "avx512f" in flags():
        widths += ["double_512", "single_512"]
    return widths


def kept_in(where):
    path, = [os.path.join(where, name) for name in os.listdir(where)]
    with open(path, encoding="utf-8") as file:
        return path, file.read()


def test_roofs(where):
    result = run([HPM, "doctor", "--roofs", "--json"], HPM_MACHINE=where)
    report = json.loads(result.stdout)
    roofs = {row["roof"]: row for row in report["roofs"]}
    equal(result.returncode, 0, "measured")
    equal(sorted(roofs), sorted(expected_widths() + BEST + LEVELS),
          "each width that this processor has, and each level")
    equal(report["processors"], len(os.sched_getaffinity(0)),
          "on all processors that may be used")
    for name, row in roofs.items():
        for whose in ("one", "all"):
            words = {"one": "of one processor", "all": "of all"}[whose]
            why = f"{name} {words}: not measured: "
            ok((row[whose] is None) == (why in report["not_measured"]) and
               (row[whose] is None or
                row[whose] > 0 and 0 <= row[whose + "_spread"] < 100),
               f"{name} {words} has a rate and its spread, or a reason", row)
        ok(row["all"] is None or row["one"] is None or row["all"] >= row["one"],
           f"{name}: all reach at least what one does", row)
    for name in BEST:
        equal(roofs[name]["one"],
              max(row["one"] for other, row in roofs.items()
                  if other.startswith(name + "_")),
              f"{name} is the fastest of its widths")
    return roofs


def check_disturbed(text):
    """Attempts far below the best ones mean that other programs ran."""
    table = text.split("\n\n")[1].splitlines()[1:]
    numbers = [re.split(r"  +", line)[3:] for line in table]
    spreads = [float(cells[i]) for cells in numbers for i in (1, 3)
               if i < len(cells) and cells[i] != "-"]
    has_note = "other programs ran meanwhile" in text
    ok(has_note or max(spreads) < 21, "where they did, a line says so", text)
    ok(not has_note or max(spreads) > 19, "and only there", text)


def test_kept(where, roofs):
    path, text = kept_in(where)
    facts = dict(re.findall(r"^fact ROOF:(\w+)=(\S+)", text, re.M))
    equal(int(facts.pop("processors")), len(os.sched_getaffinity(0)),
          "kept: of how many processors")
    wanted = {f"{name}_{whose}": row[whose] for name, row in roofs.items()
              for whose in ("one", "all") if row[whose] is not None}
    equal(sorted(facts), sorted(wanted), "kept: each that was measured")
    ok(all(abs(float(facts[name]) - 1e9 * value) <= 1e-3 * 1e9 * value
           for name, value in wanted.items()), "with its value",
       (facts, wanted))
    with open(path, "a", encoding="utf-8") as file:
        file.write("fact WRONG:some::event dead\n")
    cpu = min(os.sched_getaffinity(0))
    result = run(["taskset", "-c", str(cpu), HPM, "doctor", "--roofs"],
                 HPM_MACHINE=where)
    check_disturbed(result.stdout.decode())
    _, text = kept_in(where)
    ok(result.returncode == 0 and text.count("ROOF:processors=1\n") == 1 and
       text.count("ROOF:double_one=") == 1,
       "measured again: the new ones replace the old ones", (result, text))
    ok("fact WRONG:some::event dead\n" in text, "and what else is kept stays",
       text)
    return re.search(r"ROOF:double_one=\S+", text).group()


def test_travels(where, fact):
    here = os.path.join(where, "files")
    os.mkdir(here)
    run([HPMCOUNT, "-o", os.path.join(here, "run.hpm.xml"), "true"],
        HPM_MACHINE=where)
    found = files(here)
    ok(len(found) == 1 and
       fact in open(found[0], encoding="utf-8").read(),
       "a performance file has the roofs of its machine", found)


# One processor does 10 GFLOP/s and reads 4 GB/s, all four 30 and 6.
ROOFS = (' facts="no-VM ROOF:processors=4 ROOF:double_one=1e+10'
         ' ROOF:double_all=3e+10 ROOF:memory_one=4e+09'
         ' ROOF:memory_all=6e+09"')


def section(number, tid, seconds, flop, moved):
    """Work that the program counts, and a thread that works all the time."""
    return reports.record(
        number, tid, 0, "solve", seconds, seconds, [
            reports.data("work::flop", flop, exclusive=flop),
            reports.data("work::bytes", moved, exclusive=moved),
            reports.data("task-clock", int(seconds * 1e9), unit="ns",
                         exclusive=int(seconds * 1e9))])


def values_of(where, facts, sections):
    path = reports.write(where, "work.hpm.xml",
                         reports.task_file(0, sections, f'pmu="power4"{facts}'))
    result = run([HPM, "report", "--format", "json", path])
    return {row["metric"]: row for row in json.loads(result.stdout)["data"]
            if row["section"] == "solve"}


def test_metrics(where):
    """Two operations a byte: memory allows 8 of one processor's 10 GFLOP/s."""
    rows = values_of(where, ROOFS, [section(1, 0, 2.0, 4 * 10**9, 2 * 10**9)])
    for name, value in (("AT_WORK", 1),
                        ("ARITHMETIC_INTENSITY", 2), ("FLOP_ROOF", 10),
                        ("MEM_ROOF", 4), ("ATTAINABLE", 8), ("ROOF_PCT", 25),
                        ("FLOP_ROOF_PCT", 20), ("MEM_ROOF_PCT", 25)):
        got = rows.get(name, {}).get("value")
        ok(got is not None and abs(got - value) <= 1e-9 * value,
           f"{name} is {value}", rows.get(name))
    # two threads at once: twice the calculation, and memory at its end
    rows = values_of(where, ROOFS, [section(1, 0, 2.0, 4 * 10**9, 2 * 10**9),
                                    section(2, 1, 2.0, 4 * 10**9, 2 * 10**9)])
    for name, value in (("AT_WORK", 2), ("FLOP_ROOF", 20), ("MEM_ROOF", 6),
                        ("ATTAINABLE", 12), ("ROOF_PCT", 100 * 4 / 12)):
        got = rows.get(name, {}).get("value")
        ok(got is not None and abs(got - value) <= 1e-9 * value,
           f"of two threads {name} is {value}", rows.get(name))


def test_not_measured(where):
    rows = values_of(where, ' facts="no-VM"',
                     [section(1, 0, 2.0, 4 * 10**9, 2 * 10**9)])
    row = rows.get("ROOF_PCT", {})
    ok(row.get("value") is None and
       "run 'hpm doctor --roofs' once" in str(row.get("reason")),
       "without roofs there is no share, and the reason says what to do", row)
    equal(rows["ARITHMETIC_INTENSITY"]["value"], 2,
          "what needs no roofs has its value")
    result = run([HPM, "explain", "MEM_ROOF"], HPM_MACHINE=where)
    ok(b"measured by hpm doctor --roofs" in b" ".join(result.stdout.split()),
       "hpm explain says it, too", result.stdout)


def test_machine(where):
    """3 of 2 nominal cycles; 5 of 20 loads from another node."""
    counted = {"perf::CYCLES": 3 * 10**9, "perf::REF-CYCLES": 2 * 10**9,
               "perf::NODE-LOADS": 20 * 10**6, "perf::NODE-LOAD-MISSES":
               5 * 10**6}
    sections = [reports.record(1, 0, 0, "solve", 2, 2, [
        reports.data(name, n, exclusive=n) for name, n in counted.items()])]
    rows = values_of(where, ' facts="NUMA"', sections)
    equal(rows.get("CLOCK_PCT", {}).get("value"), 150,
          "the clock beside the nominal one")
    equal(rows.get("REMOTE_PCT", {}).get("value"), 25,
          "loads from another node")


def test_refused():
    for more in ("--verify", "--overhead"):
        result = run([HPM, "doctor", "--roofs", more])
        ok(result.returncode == 2 and b"measure different things" in
           result.stderr, f"--roofs {more} is refused", result)
    result = run([HPM, "doctor", "--roofs"], HPM_MACHINE="/proc/none")
    ok(result.returncode == 3 and b"HPM_MACHINE" in result.stderr,
       "what cannot be kept says so", result)


with folder() as machine:
    measured = test_roofs(machine)
    test_travels(machine, test_kept(machine, measured))
with folder() as machine:
    test_metrics(machine)
    test_not_measured(machine)
    test_machine(machine)
test_refused()
tap.done()
