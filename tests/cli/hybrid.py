# SPDX-License-Identifier: BSD-3-Clause
"""A processor with cores of two kinds, as Intel's with P and E cores: each kind has
a PMU, whose counters stand still while a thread is on the other kind.  Counts of
each kind, ratios of one kind, reports.  tests/programs/fakepmu.c moves the program
between the kinds; what the kernel lists is a folder mounted over the machine's."""

import os
import re
import sys
import xml.etree.ElementTree as ET

import htmlpages
import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program, run

THREADS = program("tests/programs/threads")
DEVICES = "/sys/bus/event_source/devices"
BUSY = ["sh", "-c", "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done"]
LISTED = {"format/event": "config:0-7", "format/umask": "config:8-15",
          "format/cmask": "config:24-31"}
P, E = "4", "10"
# what the two kinds count a nanosecond: cycles and instructions by the kernel's names
P_RATES, E_RATES = (1, 2), (511, 510)


class Machine:
    def __init__(self, where, pmus=("cpu_core", "cpu_atom")):
        for pmu, kind in zip(pmus, (P, E)):
            for name, text in {**LISTED, "type": kind, "cpus": "0-3"}.items():
                path = os.path.join(where, "devices", pmu, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w") as file:
                    file.write(text + "\n")
        self.where = where
        self.mount = tap.in_namespace(f"mount --bind '{where}/devices' {DEVICES}")

    def run(self, *command, on="7:3", **variables):
        return run([*self.mount, *command], folder=self.where, HPM_FSYNC="no",
                   HPM_SOURCE="kernel",
                   **tap.fake_pmu(FAKE_KINDS=f"{P}:{E}:{on}", **variables))

    def count(self, *options, command=BUSY, **variables):
        """hpmcount: name -> attributes of what it counted and derived, and what it
        said."""
        path = os.path.join(self.where, "x.hpm.xml")
        result = self.run(HPMCOUNT, "-o", path, *options, *command, **variables)
        root = ET.parse(path).getroot()
        os.remove(path)
        return {each.get("name"): {"state": "counted", **each.attrib}
                for each in root.find("InstrumentationPt").findall("data")}, result


def number(datum):
    return float(datum["value"])


def whole(datum):
    """With what measuring added: the other kind may have had it."""
    return number(datum) + float(datum["overhead"])


def is_near(a, b, part=0.01):
    return abs(a - b) <= part * max(abs(a), abs(b))


def test_counts(machine):
    """Not scaled by the time on the other kind, and that is no sharing."""
    names = ("cpu_core/event=0x10/", "task-clock", "cpu_atom/event=0x20/",
             "cpu_core/event=0x0,umask=0x4/")

    def times(data):
        first, _, second, _ = (data[name] for name in names)
        return number(first) / 17, number(second) / (511 - 32)

    # counters of this PMU count time, and are read one after the other
    data, _ = tap.undisturbed(
        lambda: machine.count("-e", ",".join(names)),
        lambda found: is_near(sum(times(found[0])), number(found[0]["task-clock"])) and
        times(found[0])[0] > 1.5 * times(found[0])[1] > 0)
    first, time, second, third = (data[name] for name in names)
    on_p, on_e = times(data)
    ok(is_near(on_p + on_e, number(time)),
       "the time on both kinds is all of the program's", (on_p, on_e, time))
    ok(on_p > 1.5 * on_e > 0, "most of it on P cores", (on_p, on_e))
    ok(is_near(number(third) / 5, on_p, 1e-9),
       "two events of one kind are counted together", (third, first))
    equal([(d.get("state"), "share" in d) for d in (first, time, second, third)],
          [("counted", False)] * 4,
          "each is counted all the time that it could be")
    data, _ = machine.count("-e", ",".join(names), on="1:0")
    equal((data[names[2]].get("state"), number(data[names[2]])), ("counted", 0),
          "a program that stays on P cores has counted 0 on the others")
    data, _ = machine.count("-e", names[2], on="5:5")
    equal(data[names[2]].get("state"), "counted",
          "an event of one kind alone is known to be counted, too")


def test_contention(machine):
    """Counters that others have half of the time."""
    names = ("cpu_core/event=0x10/", "cpu_atom/event=0x20/", "task-clock")

    def has_halves(data):
        return all(data[name]["state"] == "shared" and
                   is_near(float(data[name]["share"]), 0.5, 0.05)
                   for name in names[:2])

    def is_scaled(data):
        p, e, time = (number(data[name]) for name in names)
        return is_near(p / 17 + e / (511 - 32), time, 0.05)

    data, _ = tap.undisturbed(
        lambda: machine.count("-e", ",".join(names), FAKE_RUNNING=50, on="5:5"),
        lambda found: has_halves(found[0]) and is_scaled(found[0]))
    ok(has_halves(data), "half of the time on each kind is seen", data)
    ok(is_scaled(data), "and counts are scaled by that", data)


def test_names(machine):
    """The kernel's names mean an event of each kind, and none of both."""
    data, result = machine.count("-e", "cycles,instructions:k")
    equal(sorted(name for name in data if "/" in name),
          ["cpu_atom/cycles/", "cpu_atom/instructions/k", "cpu_core/cycles/",
           "cpu_core/instructions/k"], "'cycles' is counted on each kind")
    equal((data["cpu_core/cycles/"].get("state"), result.returncode),
          ("counted", 0), "and is counted")
    result = machine.run(HPMCOUNT, "-m", "IPC", "true")
    ok(b"IPC" in result.stderr and b"cores of several kinds" in result.stderr +
       machine.run(HPM, "doctor").stdout,
       "a ratio of both kinds together is refused", result.stderr.decode())
    data, _ = machine.count("-m", "P_IPC", "-m", "E_IPC")
    ok("IPC" not in data and "CYCLES" not in data,
       "and none appears unasked", sorted(data))


def test_ratios(machine):
    for on in ("7:3", "1:9"):
        data, _ = machine.count("-s", "HYBRID", on=on)
        ok(is_near(number(data["P_IPC"]), P_RATES[1] / P_RATES[0], 1e-6) and
           is_near(number(data["E_IPC"]), E_RATES[1] / E_RATES[0], 1e-6),
           f"{on}: instructions per cycle are those of each kind",
           (data["P_IPC"], data["E_IPC"]))
        p, e = (number(data[f"cpu_{kind}/instructions/"])
                for kind in ("core", "atom"))
        ok(is_near(number(data["E_INSTRUCTION_PCT"]), 100 * e / (p + e), 1e-9),
           f"{on}: with the part that E cores completed")
    data, _ = machine.count("-s", "HYBRID", on="1:0")
    ok(data.get("E_IPC", {}).get("value") is None and
       number(data["E_TIME_PCT"]) == 0,
       "where nothing ran on E cores their ratio is n/a, not 0",
       data.get("E_IPC"))


def test_screen(machine):
    text = machine.run(HPMCOUNT, *BUSY).stderr.decode()
    lines = [line.strip() for line in text.splitlines()]
    at = [i for i, line in enumerate(lines) if line.startswith("instructions")]
    ok(at and "; 2 per cycle; " in lines[at[0]] and
       lines[at[0]].endswith("cycles on P cores") and
       "; 1.00 per cycle; " in lines[at[0] + 1] and
       lines[at[0] + 1].endswith("cycles on E cores"),
       "the first screen has a line for each kind", text)


OF_BOTH = {"IPC", "CPI", "CYCLES", "CYCLES_EXPECTED", "I_FACTOR", "BRANCH_MISP_PCT"}


def has_kinds(what, text):
    """Ratios of each kind, and no number that mixes what the two did."""
    names = set(re.findall(r"[A-Z][A-Z_0-9]+", text))
    ok({"P_IPC", "E_IPC", "E_INSTRUCTION_PCT"} <= names and not OF_BOTH & names,
       f"{what} has ratios of each kind and none of both", sorted(names))


def test_views(machine, path):
    """What else shows or makes such files: pages, parts, differences, means."""
    page = os.path.join(machine.where, "page.html")
    htmlpages.make(page, path)
    has_kinds("its page", " ".join(
        quantity["name"] for quantity in
        htmlpages.Page(page).experiments[0]["quantities"] if quantity["sections"]))
    for verb, files, options in (("cut", [path], ["--root", "outer"]),
                                 ("diff", [path, path], []), ("mean", [path, path], [])):
        made = os.path.join(machine.where, verb + ".hpm.xml")
        result = run([HPM, verb, *options, "-o", made, *files])
        ok(os.path.exists(made), f"hpm {verb} makes a file", result.stderr)
        has_kinds(f"hpm {verb}", run([HPM, "report", made]).stdout.decode())
    viewer = os.path.join(tap.TOP_BUILD, "hpmviz", "hpmviz")
    if os.path.exists(viewer):
        has_kinds("hpmviz --print", run([viewer, "--print", path]).stdout.decode())


def test_sections(machine):
    events = ("cpu_core/cycles/,cpu_core/instructions/,cpu_atom/cycles/,"
              "cpu_atom/instructions/,task-clock")
    path = os.path.join(machine.where, "s.hpm.xml")

    def measure():
        if os.path.exists(path):
            os.remove(path)
        result = machine.run(THREADS, "2", "60", on="3:2", HPM_EVENTS=events,
                             HPM_OUTPUT_NAME=path)
        return result, [row for row in tap.records(path) if row.scope == "thread"]

    def is_whole(d):
        return is_near(whole(d["cpu_core/cycles/"]) / P_RATES[0] +
                       whole(d["cpu_atom/cycles/"]) / E_RATES[0],
                       whole(d["task-clock"]), 0.02)

    result, rows = tap.undisturbed(measure, lambda found: all(
        is_whole(row.data) for row in found[1] if row.label == "outer"))
    equal((result.returncode, result.stderr), (0, b""), "sections are counted")
    wrong = [(row.label, row.data) for row in rows
             for kind in ("core", "atom") for what in ("cycles", "instructions")
             if row.data[f"cpu_{kind}/{what}/"].get("state", "counted") != "counted"]
    equal(wrong, [], "on each kind, in all sections, and none is scaled")
    outer = [row.data for row in rows if row.label == "outer"]
    ok(outer and all(map(is_whole, outer)), "the time on both kinds is the thread's",
       outer)
    text = run([HPM, "report", "--format", "csv", path]).stdout.decode()
    has_kinds("hpm report", text)
    lines = run([HPM, "report", "--by", "metric", path]).stdout.decode()
    ok("P_IPC" in lines and "E_IPC" in lines and " IPC" not in lines,
       "in its table, too", lines)
    test_views(machine, path)


def test_apple(where):
    """Apple's two kinds under Linux: the same rule, by the names of their PMUs."""
    p, e = pmus = ("apple_firestorm_pmu", "apple_icestorm_pmu")
    machine = Machine(where, pmus)
    data, _ = machine.count("-s", "HYBRID")
    counts = {pmu: number(data[pmu + "/instructions/"]) for pmu in pmus}
    ok(is_near(number(data["P_IPC"]), P_RATES[1] / P_RATES[0], 1e-6) and
       is_near(number(data["E_IPC"]), E_RATES[1] / E_RATES[0], 1e-6) and
       is_near(number(data["E_INSTRUCTION_PCT"]),
               100 * counts[e] / sum(counts.values()), 1e-9),
       "Apple: instructions per cycle are those of each kind", data)
    ok("IPC" not in data and "CYCLES" not in data, "Apple: and none of both",
       sorted(data))
    path = os.path.join(where, "opened")
    machine.count("-e", p + "/event=0xcb/", FAKE_OPENED=path)
    with open(path) as file:
        opened = {tuple(int(word, 0) for word in line.split()[:2]) for line in file}
    ok({(int(P), 0xcb), (int(E), 0x2)} <= opened and (int(E), 0x3c) not in opened,
       "Apple: the time on the other kind is told by its cycles' own number", opened)


if tap.no_preload():
    print(f"1..0 # SKIP {tap.no_preload()}")
    sys.exit(0)
with folder() as place:
    hybrid = Machine(place)
    if not hybrid.mount:
        print("1..0 # SKIP nothing can be mounted here")
        sys.exit(0)
    test_counts(hybrid)
    test_contention(hybrid)
    test_names(hybrid)
    test_ratios(hybrid)
    test_screen(hybrid)
    test_sections(hybrid)
with folder() as place:
    test_apple(place)
tap.done()
