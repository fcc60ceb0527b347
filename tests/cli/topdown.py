# SPDX-License-Identifier: BSD-3-Clause
"""The kernel's topdown-* events: found where /sys lists them, opened in the
group of `slots`, in the metrics of processors that have them. The list is a
folder mounted over the machine's, the counters are tests/programs/fakepmu.c's,
which give fixed percentages of the slots."""

import os
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, equal, files, folder, ok, program, run

THREADS = program("tests/programs/threads")
BUSY = ["sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"]
DEVICES = "/sys/bus/event_source/devices"
SLOTS = {"slots": "event=0x00,umask=0x4"}
PERCENT = {"retiring": 40, "bad-spec": 10, "fe-bound": 20, "be-bound": 30,
           "heavy-ops": 8, "br-mispredict": 9, "fetch-lat": 15, "mem-bound": 25}
LEVEL_1 = list(PERCENT)[:4]
DROPPED = 2  # percent of the slots, of INT_MISC:UOP_DROPPING and :CLEARS_COUNT


def listing(where, events, pmu="cpu"):
    """Write what the kernel lists of a PMU."""
    texts = {"type": "4", "format/event": "config:0-7",
             "format/umask": "config:8-15"}
    texts.update({"events/" + name: text for name, text in events.items()})
    for name, text in texts.items():
        path = os.path.join(where, "devices", pmu, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text + "\n")


def percentages(names):
    """The kernel's encoding: event 0, unit masks 0x80 and up."""
    return {"topdown-" + name:
            f"event=0x00,umask=0x{0x80 + list(PERCENT).index(name):x}"
            for name in names}


class Machine:
    """A machine whose /sys lists these events of its processor."""

    def __init__(self, where, events, pmu="cpu"):
        listing(where, events, pmu)
        self.where = where
        self.mount = tap.in_namespace(
            f"mount --bind '{where}/devices' {DEVICES}")

    def run(self, *command, **variables):
        return run([*self.mount, *command], folder=self.where,
                   HPM_FSYNC="no", **tap.fake_pmu(**variables))


def counters(path):
    """Of the first record: name -> attributes."""
    record = ET.parse(path).getroot().find("InstrumentationPt")
    return {d.get("name"): d.attrib for d in record.findall("data")}


def value(data, name):
    datum = data.get(name, {})
    return float(datum.get("value", "nan"))


def is_share(part, whole, percent, slack):
    return abs(part - whole * percent / 100) <= slack


def are_shares(data):
    """Of all slots, within a fiftieth."""
    slots = value(data, "slots")
    return slots > 0 and all(is_share(value(data, "topdown-" + name), slots,
                                      PERCENT[name], slots / 50)
                             for name in LEVEL_1)


def measured(machine, command, is_good, **variables):
    """The run, and the counters of its file.  This PMU counts time, and its counters
    are read one after the other: what is stolen between two readings is in one."""
    def measure():
        result = machine.run(*command, **variables)
        data = counters(files(machine.where)[0])
        for path in files(machine.where):
            os.remove(path)
        return result, data

    return tap.undisturbed(measure, lambda found: is_good(found[1]))


def test_threads(machine):
    """libhpm's own threads: one group, read at once. What the edges cost is
    taken off each count by itself, so shares are nearly exact."""
    names = ["topdown-" + name for name in LEVEL_1]
    result, data = measured(
        machine, [THREADS, "2"], are_shares,
        HPM_EVENTS=",".join([*names, "slots"]))
    equal((result.returncode, result.stderr), (0, b""),
          "sections count topdown-* and slots, slots named last")
    ok(are_shares(data), "each is its share of the slots", data)
    ok(all(data[name].get("state", "counted") == "counted"
           for name in [*names, "slots"]), "all are counted all the time", data)

    def is_good(data):
        return value(data, "cycles") > 0 and is_share(
            value(data, "cpu::topdown-be-bound"),
            value(data, "cpu/topdown-retiring/"), 75, value(data, "cycles") / 50)

    result, data = measured(
        machine, [THREADS, "2"], is_good,
        HPM_EVENTS="page-faults,cpu::topdown-be-bound,cycles,"
                   "cpu/topdown-retiring/")
    equal((result.returncode, result.stderr, "slots" in data), (0, b"", False),
          "without slots their leader is opened all the same, and not shown")
    ok(is_good(data), "and both spellings count", data)


def test_hpmcount(machine):
    """Another program's, inherited: each counter is read by itself."""
    names = ["topdown-" + name for name in LEVEL_1]
    result, data = measured(
        machine, [HPMCOUNT, "-o", "x.hpm.xml", "-e", ",".join([*names, "slots"]),
                  *BUSY], are_shares)
    equal(result.returncode, 0, "hpmcount counts them in a program")
    ok(are_shares(data), "each is its share", data)

    def is_half(data):
        retiring = value(data, "topdown-retiring")
        return retiring > 0 and is_share(value(data, "topdown-fe-bound"), retiring,
                                         50, retiring / 50)

    _, data = measured(
        machine, [HPMCOUNT, "-o", "x.hpm.xml", "-e",
                  "topdown-fe-bound,topdown-retiring", *BUSY], is_half)
    ok(is_half(data), "with a leader nobody asked for, too", data)


def metrics_in(data):
    return {name: value(data, name) for name, datum in data.items()
            if datum.get("kind") == "metric"}


def have(data, wanted):
    """The metrics, within one percent of the slots."""
    got = metrics_in(data)
    return all(abs(got.get(name, -1) - percent) < 1
               for name, percent in wanted.items())


def metrics_of(machine, pmu, wanted, *options):
    """The data of hpmcount's performance file, the names of its counters, the run."""
    result, data = measured(
        machine, [HPMCOUNT, "-o", "x.hpm.xml", *options, *BUSY],
        lambda data: have(data, wanted), LIBPFM_FORCE_PMU=pmu, FAKE_MISC=DROPPED)
    return data, {name for name, datum in data.items()
                  if datum.get("kind") == "counter"}, result


def test_metrics(machine):
    for pmu, clears in ("icx", 5 * DROPPED), ("spr", 0):
        wanted = {"FRONTEND_PCT": 20 - DROPPED, "BACKEND_PCT": 30 + clears,
                  "BAD_SPEC_PCT": 10 + DROPPED - clears, "RETIRING_PCT": 40}
        data, names, result = metrics_of(machine, pmu, wanted, "-s", "TOPDOWN")
        ok(have(data, wanted), f"{pmu}: level 1 comes from the kernel's events",
           (metrics_in(data), result))
        ok({"cpu::slots", "cpu::topdown-fe-bound"} <= names and
           not any(name.startswith(("TOPDOWN", "IDQ")) for name in names),
           f"{pmu}: and from no general counter but for what was dropped", names)
    wanted = {"MEMORY_BOUND_PCT": 25, "HEAVY_OPS_PCT": 8, "MISPREDICTS_PCT": 9,
              "FETCH_LATENCY_PCT": 15 - DROPPED, "CORE_BOUND_PCT": 5}
    data, names, result = metrics_of(machine, "spr", wanted, "-s", "TOPDOWN_2", "-m",
                                     ",".join(wanted))
    ok(have(data, wanted), "spr: so does level 2", (metrics_in(data), result))


def test_without(where):
    """Processors whose topdown-* are not such percentages, or are none."""
    machine = Machine(os.path.join(where, "atom"),
                      {"topdown-fe-bound": "event=0x71,umask=0x00"})
    result = machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e", "topdown-fe-bound",
                         *BUSY)
    data = counters(os.path.join(machine.where, "x.hpm.xml"))
    ok(result.returncode == 0 and value(data, "topdown-fe-bound") > 0,
       "a processor without slots counts its topdown-* by themselves", data)
    os.remove(os.path.join(machine.where, "x.hpm.xml"))

    machine = Machine(os.path.join(where, "none"), {})
    _, names, result = metrics_of(machine, "icx", {}, "-s", "TOPDOWN")
    ok({"TOPDOWN:SLOTS_P", "IDQ_UOPS_NOT_DELIVERED:CORE", "UOPS_RETIRED:SLOTS"}
       <= names and ("TOPDOWN:BACKEND_BOUND_SLOTS" in names or
                     b"libpfm4 encodes 'TOPDOWN:BACKEND_BOUND_SLOTS' wrongly" in
                     result.stderr),
       "where the kernel has none, the processor's own events serve, as far as "
       "libpfm4 encodes them rightly",
       (names, result))


def test_refused(machine):
    """A kernel without the percentages refuses them, and it is said."""
    result = machine.run(HPMCOUNT, "-o", "x.hpm.xml", "-e",
                         "topdown-retiring,page-faults", *BUSY,
                         FAKE_COUNTERS=0)
    data = counters(os.path.join(machine.where, "x.hpm.xml"))
    os.remove(os.path.join(machine.where, "x.hpm.xml"))
    ok(result.returncode == 0 and value(data, "page-faults") > 0 and
       "value" not in data["topdown-retiring"] and
       data["topdown-retiring"]["state"] == "unsupported" and
       data["topdown-retiring"].get("reason"),
       "what the kernel refuses has a reason, never 0", (data, result))


def main():
    reason = tap.no_preload()
    if not reason and not tap.in_namespace(f"mount --bind {DEVICES} {DEVICES}"):
        reason = "no folder can be mounted here"
    if reason:
        tap.skip("the kernel's topdown-* events", reason)
        tap.done()
    with folder() as where:
        machine = Machine(where, {**SLOTS, **percentages(PERCENT)})
        test_threads(machine)
        test_hpmcount(machine)
        if tap.has_libpfm() and os.uname().machine == "x86_64":
            test_metrics(machine)
            test_without(where)
        else:
            tap.skip("metrics of top-down", "no libpfm4 that knows Ice Lake")
        test_refused(machine)
    tap.done()


main()
