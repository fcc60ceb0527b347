# SPDX-License-Identifier: BSD-3-Clause
"""The listings of KOJAK's appendix as definitions of a user (what hpm check says
of them: metrics.py), and the list of hints."""

import os
import re
import shutil
import tempfile

import tap
from tap import HPM, TOP_SOURCE, equal, ok, run


def test_listings():
    """The listings of KOJAK's appendix, of whatever machine, load without a fault;
    that one stands in place of a file that each program carries is said in one line."""
    folder = os.path.join(TOP_SOURCE, "tests", "metric", "listings")
    for name in ("generic", "papi", "power4", "ultra3", "opteron"):
        path = os.path.join(folder, f"{name}.hpm")
        line = (f"{path}: stands in place of the shipped {name}.hpm, of which "
                "nothing holds; to add to it, give the file another name\n")
        said = "hpm metrics: " + line if name in ("generic", "papi") else ""
        result = run([HPM, "metrics", "--all"], HPM_DEFS=path)
        equal((result.returncode, result.stderr.decode()),
              (0, said), f"{name}: in place of a shipped one, or beside a model")
        with tempfile.TemporaryDirectory() as where:
            other = os.path.join(where, f"my-{name}.hpm")
            shutil.copy(path, other)
            result = run([HPM, "metrics", "--all"], HPM_DEFS=other)
            equal((result.returncode, result.stderr.decode()), (0, ""),
                  f"{name}: beside it")


def test_hints_listed():
    """Which hints there are."""
    result = run([HPM, "explain", "--hints"])
    lines = result.stdout.decode().splitlines()
    names = [line.split()[0] for line in lines[1:]]
    ok(result.returncode == 0 and len(names) > 40 and
       {"UTILISATION", "IPC", "BYTES_PER_CALL"} <= set(names) and
       any(re.match(r"SYSTEM_SHARE +yes +above 5 % ", line) for line in lines),
       "hpm explain --hints lists metrics, limits and what they are", result)
    told = run([HPM, "explain", *names])
    ok(told.returncode == 0 and told.stdout.count(b"as a hint and no") ==
       len(names), "each has a hint", told.stderr)
    ok(run([HPM, "explain", "--hints", "--arch", "skx"]).stdout.count(b" yes ")
       > result.stdout.count(b" yes "), "on another processor, too")
    result = run([HPM, "explain", "--hints", "IPC"])
    ok(result.returncode == 2 and b"'IPC' is not expected" in result.stderr,
       "with a name it is refused", result)


test_listings()
test_hints_listed()
tap.done()
