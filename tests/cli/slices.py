# SPDX-License-Identifier: BSD-3-Clause
"""Events of PAPI that take turns: what files say of them, and what the program
notices of the thread that changes them."""

import os
import xml.etree.ElementTree as ET

import tap
from tap import equal, files, folder, ok, program, run, skip

SDE = program("tests/programs/sde")
WAYS = program("tests/programs/ways")
FOUR = [f"sde:::Lib::c{i}" for i in range(4)]
HARDWARE = ["PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_BR_INS"]


def has_papi():
    with open(os.path.join(tap.TOP_BUILD, "config.h")) as text:
        return "#define HAVE_PAPI 1" in text.read()


def measure(command, events, **variables):
    """What was written to stdout, as words; the data of each section by label;
    the result; the roots of the files."""
    with folder() as where:
        if "address" in os.environ.get("sanitizers", ""):
            path = os.path.join(where, "leaks")
            with open(path, "w") as file:
                file.write("leak:libpapi.so\nleak:libsde.so\n")
            variables["LSAN_OPTIONS"] = f"suppressions={path}:print_suppressions=0"
        result = run(["timeout", "-k", "5", "300"] + command, folder=where,
                     HPM_FSYNC="no", HPM_EVENTS=",".join(events), **variables)
        roots = [ET.parse(path).getroot() for path in files(where)]
        if tap.has_xmllint():
            equal(tap.validates(files(where)), None,
                  f"{' '.join(command[1:])}: the file is as the schema says")
    said = dict(line.split() for line in result.stdout.decode().splitlines())
    data = {}
    for root in roots:
        for record in root.findall("InstrumentationPt"):
            data.setdefault(record.get("label"), []).append(
                {d.get("name"): d.attrib for d in record.findall("data")})
    return said, data, result, roots


TURNS = {"HPM_SHARE": "1", "HPM_SHARE_EVENTS": "1"}


def test_exact():
    """Nobody asked for turns, or all are counted at once."""
    for variables in ({"HPM_SHARE": "1"}, {"HPM_SHARE_EVENTS": "1"}):
        said, data, result, _ = measure([SDE, "turns", "1"], FOUR, **variables)
        values = [data["all"][0][event] for event in FOUR]
        ok([int(v["value"]) for v in values] ==
           [int(said[f"c{i}"]) for i in range(4)] and
           all("state" not in v for v in values),
           f"{variables}: exact", [values, said])
        equal((result.returncode, said["threads"]), (0, "1"),
              "without a thread more than the program has made")


def estimates(said, data):
    """What is told of each event, beside what there was of it."""
    return [int(v["value"]) / int(said[v["name"].rsplit("::", 1)[1]])
            for v in (data["all"][0][event] for event in FOUR)
            if v.get("state") == "shared"]


def test_turns():
    """A slice in which the machine stood still counts for more than it has."""
    for n in (1, 4):
        said, data, result, _ = tap.undisturbed(
            lambda: measure([SDE, "turns", str(n)], FOUR, **TURNS),
            lambda found: any(int(found[1]["all"][0][event].get("windows", 0)) > 1
                              for event in FOUR) and
            all(0.5 < ratio < 2 for ratio in estimates(*found[:2])))
        equal((result.returncode, said["interrupted"]), (0, "0"),
              "no call of the program is interrupted")
        equal(said["threads"], "2", "there is one thread of ours")
        values = [data["all"][0][event] for event in FOUR]
        # on a machine with much else to do slices may be long, and few
        ok(all(v.get("state") in ("shared", "brief", "unscheduled")
               for v in values), "no value looks as if it were exact", values)
        shares = sum(float(v.get("share", 0)) for v in values)
        ok(shares <= 1.0001, "their shares are parts of the time", shares)
        ok(any(int(v.get("windows", 0)) > 1 for v in values),
           "turns are seen within one call", values)
        values = [v for v in values if v.get("state") == "shared"]
        ok(all(int(v["windows"]) >= 4 and float(v["error"]) >= 0
               for v in values), "what has a value has an error, by the slices "
           "of one call", values)
        equal(len(data["one"]), n, "a record for each thread")
        ratios = estimates(said, data)
        ok(all(0.5 < ratio < 2 for ratio in ratios),
           "the estimates are those of the counts", ratios)


def test_short():
    _, data, result, roots = measure([SDE, "threads", "2"], FOUR, **TURNS)
    values = [data["all"][0][event] for event in FOUR]
    ok(result.returncode == 0 and
       all("value" in v or v["state"] in ("unscheduled", "brief")
           for v in values) and
       any(v.get("state") == "unscheduled" for v in values),
       "a run shorter than a slice has no value of what had no turn", values)
    reasons = [c.get("reason") for c in roots[0].iter("Counter")
               if c.get("state") == "unscheduled"]
    ok(reasons and all("turn" in reason for reason in reasons),
       "and says why", reasons)


def test_leaving():
    """The slicer is then the last thread, and lets the process end."""
    said, data, result, roots = measure([SDE, "leaves", "1"], FOUR, **TURNS)
    equal((result.returncode, said["interrupted"], len(roots)), (0, "0", 1),
          "a program whose main thread leaves ends, and is written")
    equal(len(data.get("one", [])), 1, "with the thread that went on")


def test_fork():
    said, data, result, roots = measure([SDE, "fork"], FOUR, **TURNS)
    equal((result.returncode, len(roots)), (0, 2),
          "a forked child has a file of its own")
    ok({"before", "around", "after", "child", "child's process"} <= set(data),
       "and each its sections", sorted(data))


def test_hardware():
    """Sets of a thread's own, whose descriptors PAPI opens anew each time."""
    fake = tap.fake_pmu(LIBPFM_FORCE_PMU="skl", HPM_SOURCE="papi", **TURNS)
    ways = [("exit-in-thread", 7), ("fork", 0), ("closefrom", 0),
            ("main-leaves", 0)]
    if os.environ.get("HPM_TEST_ALL", "") not in ("", "0"):
        ways += [("churn", 0), ("handler", 0), ("handler-in-malloc", 0)]
    for way, status in ways:
        _, data, result, _ = measure([WAYS, way], HARDWARE, **fake)
        ok(result.returncode == status and data,
           f"{way}: the program ends as without us",
           [result.returncode, result.stderr])


def main():
    if os.path.exists(SDE):
        test_exact()
        test_turns()
        test_short()
        test_leaving()
        test_fork()
    else:
        skip("events that take turns", "libsde is missing (libpapi-dev)")
    if tap.no_preload():
        skip("hardware events that take turns", tap.no_preload())
    elif not has_papi():
        skip("hardware events that take turns", "built without PAPI")
    else:
        test_hardware()


main()
tap.done()
