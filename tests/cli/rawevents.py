# SPDX-License-Identifier: BSD-3-Clause
"""Events by their codes: r1a8, pmu/field=value,.../ with the fields the kernel
lists, and what is said of those that are none."""

import errno
import os
import xml.etree.ElementTree as ET

import listedpmus
import tap
from listedpmus import DEVICES
from tap import HPMCOUNT, equal, folder, ok, program

WAYS = program("tests/programs/ways")
INTEL = {"type": "4",
         "format/event": "config:0-7", "format/umask": "config:8-15,40-47",
         "format/cmask": "config:24-31", "format/inv": "config:23",
         "format/edge": "config:18", "format/offcore_rsp": "config1:0-63",
         "format/strange": "config9:0-3", "format/acr_mask": "config2:0-63",
         "format/newest": "config3:4-7",
         "events/cpu-cycles": "event=0x3c", "events/slots": "event=0,umask=4"}
ARM = {"type": "10", "cpus": "0-3", "format/event": "config:0-15",
       "format/long": "config1:0"}
MEMORY = {"type": "12", "cpumask": "0", "format/event": "config:0-7"}


class Machine(listedpmus.Machine):
    def __init__(self, where, **pmus):
        super().__init__(where, {"FAKE_TYPE": 10}, **pmus)

    def count(self, event):
        """What is opened for an event, its name in the file, its domain."""
        result = self.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", event, "true")
        counter = ET.parse(self.path("x.hpm.xml")).getroot().find(".//Counter")
        os.remove(self.path("x.hpm.xml"))
        return set(self.opened()), counter, result

    def opens(self, event, codes, name=None, domain="user"):
        opened, counter, result = self.count(event)
        attributes = counter.attrib
        ok(codes in opened and result.returncode == 0 and
           attributes["name"] == (name or event) and
           attributes.get("domain") == domain,
           f"{event} opens {' '.join(hex(word) for word in codes)}",
           (opened, attributes, result.stderr))

    def refuses(self, event, *words):
        result = self.run(HPMCOUNT, "-e", event, "true")
        text = result.stderr.decode()
        ok(f"not counted: '{event}': " in text and
           all(word in text for word in words),
           f"{event} is refused: {words[0]}", text)


def test_intel(machine):
    machine.opens("r1a8", (4, 0x1a8, 0, 0, 0))
    machine.opens("r0x10003c:k", (4, 0x10003c, 0, 0, 0), domain="kernel")
    machine.opens("cpu/event=0xa4,umask=0x2/", (4, 0x2a4, 0, 0, 0))
    machine.opens("cpu/event=0xa4,umask=2,inv,edge,cmask=16/",
                  (4, 0x108402a4, 0, 0, 0))
    machine.opens("cpu/event=0x2e,umask=0x0141/", (4, 0x1000000412e, 0, 0, 0))
    machine.opens("cpu/event=0xb7,umask=1,offcore_rsp=0x10003,acr_mask=0x6/",
                  (4, 0x1b7, 0x10003, 6, 0))
    machine.opens("cpu/event=1,newest=0xa/", (4, 1, 0, 0, 0xa0))
    machine.opens("cpu/config=0x1a8,config1=1,config2=2,config3=3/",
                  (4, 0x1a8, 1, 2, 3))
    machine.opens("cpu/cpu-cycles,cmask=1/", (4, 0x100003c, 0, 0, 0))
    machine.opens("cpu/cpu-cycles/uk", (4, 0x3c, 0, 0, 0), domain="all")
    machine.opens("cpu/event=0xa4/k", (4, 0xa4, 0, 0, 0), domain="kernel")
    machine.opens("cpu/event=0xa4/:k", (4, 0xa4, 0, 0, 0), domain="kernel")
    machine.opens("cpu/event=0xa4,name=STALLS,umask=2/", (4, 0x2a4, 0, 0, 0),
                  name="STALLS")
    _, counter, _ = machine.count("cpu/event=0xa4,name=STALLS/")
    equal(counter.get("description"), "cpu/event=0xa4,name=STALLS/",
          "what has a name of its own says by which code")


def test_refusals(machine):
    machine.refuses("cpu/evnt=0xa4/", "'evnt' is neither an event nor a field",
                    "PMU 'cpu'", " event", " umask", " config")
    machine.refuses("cpu/umask=0x10000/",
                    "0x10000 is too large for the 16 bits of 'umask'",
                    "config:8-15,40-47")
    machine.refuses("cpu/inv=2/", "0x2 is too large for the 1 bits")
    machine.refuses("cpu/event=1,event=2/",
                    "'event' sets bits (config:0-7) that a term before it")
    machine.refuses("cpu/event=none/", "'none' is not a number")
    machine.refuses("cpu/event=/", "'' is not a number")
    machine.refuses("cpu/event=0x10000000000000000/", "is not a number")
    machine.refuses("cpu/strange=1/", "'strange' is at 'config9:0-3'")
    machine.refuses("cpu/period=1000/", "'period' is neither")
    machine.refuses("cpuu/event=1/", "there is no PMU 'cpuu' on this machine",
                    "those that count programs are: cpu")
    result = machine.run(WAYS, "return", HPM_EVENTS="memory/event=1/",
                         HPM_OUTPUT_NAME="x.hpm.xml")
    os.remove(machine.path("x.hpm.xml"))
    ok(b"the PMU 'memory' counts whole processors" in result.stderr,
       "a measured program refuses what counts whole processors", result.stderr)
    machine.refuses("cpu/event=1/p", "the modifier 'p' is for samples")
    machine.refuses("cpu/event=1/:pp", "the modifier 'pp'")
    machine.refuses("r1a8:G", "the modifier 'G' is for samples or for virtual")
    machine.refuses("cpu/event=1", "expected cpu/EVENT/ or cpu/field=value")
    machine.refuses("cpu//", "expected cpu/EVENT/")
    machine.refuses("r1a8z", "unknown on this machine")
    machine.refuses("r11112222333344445", "'r11112222333344445' has more than the 16 "
                    "hexadecimal digits of a code")
    machine.refuses("cpu/event=0xa4,name=cycles/", "take this event for the kernel's "
                    "'cycles'; give it a name of its own")
    result = machine.run(HPMCOUNT, "-e", "r1,cpu/event=2,name=r1/", "true")
    ok(b"two events are named 'r1'; give 'cpu/event=2,name=r1/'" in
       result.stderr, "one name is not given to two events", result.stderr)


def test_ways(machine):
    """Wherever events are named."""
    machine.run(WAYS, "return", HPM_EVENTS="r1a8,cpu/event=0xa4,umask=0x2/",
                HPM_OUTPUT_NAME="x.hpm.xml")
    names = [counter.get("name") for counter in
             ET.parse(machine.path("x.hpm.xml")).getroot().iter("Counter")]
    equal(names[:2], ["r1a8", "cpu/event=0xa4,umask=0x2/"],
          "HPM_EVENTS has commas between slashes")
    os.remove(machine.path("x.hpm.xml"))
    codes = {line[:2] for line in machine.opened()}
    ok({(4, 0x1a8), (4, 0x2a4)} <= codes, "and both are counted", codes)
    with open(machine.path("libHPM_events"), "w") as file:
        file.write("1 r1a8\n2 cpu/event=0xa4,umask=0x2/\n")
    result = machine.run(WAYS, "return", HPM_OUTPUT_NAME="x.hpm.xml")
    codes = {line[:2] for line in machine.opened()}
    ok({(4, 0x1a8), (4, 0x2a4)} <= codes, "so are those of libHPM_events",
       (codes, result.stderr))


def test_arm(where):
    machine = Machine(where, armv8_cortex_a57=ARM, memory=MEMORY)
    machine.opens("r8", (10, 8, 0, 0, 0))
    machine.opens("armv8_cortex_a57/event=0x1b,long/", (10, 0x1b, 1, 0, 0))
    machine.opens("cpu/event=0x1b/", (10, 0x1b, 0, 0, 0))
    machine.refuses("cpu/umask=1/", "PMU 'armv8_cortex_a57'; its fields are:")


def test_hybrid(where):
    machine = Machine(where, cpu_core={**INTEL, "cpus": "0-3"},
                      cpu_atom={**INTEL, "type": "10", "cpus": "4-7"})
    machine.refuses("r1a8", "cores of several kinds", "cpu_core", "cpu_atom")
    machine.refuses("cpu/event=1/", "name the PMU of one")
    machine.opens("cpu_atom/event=1/", (10, 1, 0, 0, 0))
    machine.opens("cpu_core/config=0x1a8/", (4, 0x1a8, 0, 0, 0))


def test_no_core(where):
    """Without a PMU of the cores that is said, and not which fields it would have."""
    machine = Machine(where, memory=MEMORY)
    machine.variables |= {"FAKE_FAIL_AT": 1, "FAKE_FAIL_FOREVER": 1,
                          "FAKE_ERRNO": errno.ENOENT}
    for event in "cpu/cycles/", "cpu/evnt=1/", "cpu/event=0x3c/":
        machine.refuses(event, "no PMU")
        result = machine.run(HPMCOUNT, "-e", event, "true")
        ok(b"its fields are" not in result.stderr, f"{event}: without fields of none",
           result.stderr)


def main():
    reason = tap.no_preload()
    if reason or not tap.in_namespace(f"mount -t tmpfs none {DEVICES}"):
        tap.skip("events by their codes", reason or "nothing can be mounted")
        return
    with folder() as where:
        machine = Machine(where, cpu=INTEL, memory=MEMORY)
        test_intel(machine)
        test_refusals(machine)
        test_ways(machine)
    with folder() as where:
        test_arm(where)
    with folder() as where:
        test_hybrid(where)
    with folder() as where:
        test_no_core(where)


main()
tap.done()
