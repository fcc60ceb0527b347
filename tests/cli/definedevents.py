# SPDX-License-Identifier: BSD-3-Clause
"""Events of which definitions have the codes, and processors that definitions
know by their identity: what is opened, in whichever way they are named."""

import os
import re
import xml.etree.ElementTree as ET

import listedpmus
import tap
from listedpmus import DEVICES
from tap import HPM, HPMCOUNT, equal, folder, ok, program, run

WAYS = program("tests/programs/ways")
INTEL = {"type": "4", "format/event": "config:0-7",
         "format/umask": "config:8-15", "format/inv": "config:23",
         "format/cmask": "config:24-31", "format/offcore_rsp": "config1:0-63"}
DEFINITIONS = """
processor trial = "%s"  label "a processor of the test's"
arch trial "Trial"
event STALLS:ALL = cpu/event=0xa4,umask=0x2/
    label "slots in which nothing was taken"  source "none"
event RAW:ONE = r1a8
event OCR:READS = cpu/event=0x2a,umask=1,offcore_rsp=0x10003/
event BAD:FIELD = cpu/evnt=1/
measure BACK = STALLS:ALL
ratio BACK_PCT = 100 * BACK / RAW:ONE  unit "%%"
measure NEEDS_BAD = BAD:FIELD
arch other
event STALLS:ALL = r1
arch any
event ANYWHERE = cpu/event=0xc0,inv,cmask=1/
"""


def identity(cpuinfo):
    """As definitions name it: on x86 only."""
    fields = dict(re.findall(r"^([^\t:]+?)\s*: (.*)$", cpuinfo, re.M))
    if "vendor_id" not in fields:
        return None
    return (f"{fields['vendor_id']}-{fields['cpu family']}-"
            f"{int(fields['model']):X}-{int(fields['stepping']):X}")


class Machine(listedpmus.Machine):
    def __init__(self, where, text):
        path = os.path.join(where, "my.hpm")
        super().__init__(where, {"HPM_DEFS": path}, cpu=INTEL)
        with open(path, "w") as file:
            file.write(text)

    def codes(self):
        return {line[:3] for line in self.opened()}

    def counters(self):
        root = ET.parse(self.path("x.hpm.xml")).getroot()
        os.remove(self.path("x.hpm.xml"))
        return root


def test_names(machine):
    for name, codes in {"STALLS:ALL": (4, 0x2a4, 0),
                        "stalls.all": (4, 0x2a4, 0),
                        "trial::STALLS:ALL": (4, 0x2a4, 0),
                        "STALLS:ALL:k": (4, 0x2a4, 0),
                        "RAW:ONE": (4, 0x1a8, 0),
                        "OCR:READS": (4, 0x12a, 0x10003),
                        "ANYWHERE": (4, 0x18000c0, 0)}.items():
        result = machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", name, "true")
        counter = machine.counters().find(".//Counter").attrib
        opened = machine.codes()
        ok(result.returncode == 0 and codes in opened and
           counter["name"] == name and counter["domain"] ==
           ("kernel" if name.endswith(":k") else "user"),
           f"{name} opens {codes[1]:#x}, {codes[2]:#x}",
           (result.stderr, opened, counter))
        if name == "STALLS:ALL":
            equal(counter["description"], "slots in which nothing was taken",
                  "its label describes it")
    result = machine.run(HPMCOUNT, "-e", "BAD:FIELD,STALLS:ALL:c=1", "true")
    text = result.stderr.decode()
    ok("not counted: 'BAD:FIELD': its definition, cpu/evnt=1/, cannot be "
       "counted here: 'evnt' is neither an event nor a field" in text,
       "a code with a field this machine lacks is named", text)
    ok("not counted: 'STALLS:ALL:c=1'" in text,
       "a modifier that no definition has is refused", text)
    text = machine.run(HPMCOUNT, "-l").stdout.decode()
    ok(all(re.search(rf"^\s*{name}\s", text, re.M)
           for name in ("STALLS:ALL", "RAW:ONE", "ANYWHERE")),
       "hpmcount -l lists them", text)


def test_metrics(machine):
    result = machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-m", "BACK_PCT", "true")
    root = machine.counters()
    opened = machine.codes()
    ok({(4, 0x2a4, 0), (4, 0x1a8, 0)} <= opened, "a metric has them counted",
       (opened, result.stderr))
    ok(root.find(".//Machine").get("pmu") == "trial" and
       any(data.get("name") == "BACK_PCT" and data.get("value") is not None
           for data in root.iter("data")),
       "the file has the processor's name and the metric's value")
    result = machine.run(HPMCOUNT, "-m", "NEEDS_BAD", "true")
    ok(b"'NEEDS_BAD' needs 'BAD:FIELD'" in result.stderr,
       "one that needs an event of no use is n/a", result.stderr)
    machine.run(WAYS, "return", HPM_METRICS="BACK_PCT",
                HPM_EVENTS="OCR:READS", HPM_OUTPUT_NAME="x.hpm.xml")
    root = machine.counters()
    opened = machine.codes()
    ok(root.find(".//Machine").get("pmu") == "trial" and
       {(4, 0x2a4, 0), (4, 0x1a8, 0), (4, 0x12a, 0x10003)} <= opened,
       "and so does a program with libhpm", opened)
    machine.run(WAYS, "return", HPM_EVENTS="STALLS:ALL",
                HPM_OUTPUT_NAME="x.hpm.xml")
    root = machine.counters()
    ok(root.find(".//Machine").get("pmu") == "trial" and
       (4, 0x2a4, 0) in machine.codes(), "also where it names only events")


def test_doctor(machine, own):
    text = machine.run(HPM, "doctor").stdout.decode()
    ok(f"definitions know this processor ({own}): trial" in text,
       "hpm doctor says by which identity it is known", text)


def test_others(machine, own):
    if tap.has_libpfm():
        machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", "instructions", "true",
                    LIBPFM_FORCE_PMU="skx")
        equal(machine.counters().find(".//Machine").get("pmu"), "skx",
              "LIBPFM_FORCE_PMU goes before definitions")
    with open(machine.path("my.hpm")) as file:
        text = file.read()
    with open(machine.path("my.hpm"), "w") as file:
        file.write(text.replace(own, own + "0"))
    machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", "ANYWHERE,STALLS:ALL",
                "true")
    root = machine.counters()
    states = [counter.get("state") for counter in root.iter("Counter")]
    equal((root.find(".//Machine").get("pmu") == "trial", states),
          (False, ["counted", "unsupported"]),
          "another processor has none of its events")
    machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", "STALLS:ALL", "true",
                LIBPFM_FORCE_PMU="trial")
    root = machine.counters()
    equal((root.find(".//Machine").get("pmu"),
           root.find(".//Counter").get("state", "counted")), ("trial", "counted"),
          "but for LIBPFM_FORCE_PMU, also of a name that only definitions know")


def test_check(machine):
    result = run([HPM, "check", "--events", machine.path("my.hpm")])
    ok(b"trial STALLS:ALL known" in result.stdout and
       b"trial RAW:ONE known" in result.stdout,
       "hpm check --events knows what is defined", result.stdout)
    result = run([HPM, "check", machine.path("my.hpm")])
    ok(b"note" not in result.stdout.replace(b"'other'", b"") or
       b"'trial'" not in result.stdout,
       "and a processor's name is no unknown PMU", result.stdout)


def main():
    with open("/proc/cpuinfo") as file:
        own = identity(file.read())
    reason = tap.no_preload() or (own is None and "this is no x86")
    if reason or not tap.in_namespace(f"mount -t tmpfs none {DEVICES}"):
        tap.skip("codes of definitions", reason or "nothing can be mounted")
        return
    with folder() as where:
        machine = Machine(where, DEFINITIONS % own)
        test_names(machine)
        test_metrics(machine)
        test_doctor(machine, own)
        test_check(machine)
        test_others(machine, own)


main()
tap.done()
