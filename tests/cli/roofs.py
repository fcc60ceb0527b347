# SPDX-License-Identifier: BSD-3-Clause
"""hpm doctor --roofs: which roofs a machine has, and that they are kept and reach
those who measure.  How fast it is depends on the machine, and is not asked."""

import json
import os
import platform
import re

import tap
from tap import HPM, HPMCOUNT, equal, files, folder, ok, run

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
    for name in BEST:
        equal(roofs[name]["one"],
              max(row["one"] for other, row in roofs.items()
                  if other.startswith(name + "_")),
              f"{name} is the fastest of its widths")
    return roofs


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
test_refused()
tap.done()
