#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What hpmcount counts of the whole node: energy by the PMU "power" and by
/sys/class/powercap, traffic of the memory by the controllers of Intel, AMD and Arm.
The kernel's lists are folders mounted over the machine's; of the counters
tests/programs/fakepmu.c gives each read config << 20 more than the one before, so that
every value is known."""

import errno
import json
import os
import sys
import xml.etree.ElementTree as ET

import listedpmus
import reports
import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program

WAYS = program("tests/programs/ways")
STEP = 1 << 20
# "event,umask" as the kernel lists them: code, and what it is in config
SCALE_J, SCALE_MIB = "2.3283064365386962890625e-10", "6.103515625e-5"
CODE = {"format/event": "config:0-7", "format/umask": "config:8-15"}


def listed(name, terms, scale=None, unit=None):
    files = {f"events/{name}": terms}
    if scale:
        files.update({f"events/{name}.scale": scale, f"events/{name}.unit": unit})
    return files


def joules(name, code):
    return listed(name, f"event={code:#x}", SCALE_J, "Joules")


def lines(name, terms):
    return listed(name, terms, SCALE_MIB, "MiB")


def pmu(kind, cpus, *files, **others):
    found = {**CODE, "type": str(kind), "cpumask": cpus, **others}
    for each in files:
        found.update(each)
    return found


RAPL = {"power": pmu(20, "0,9", joules("energy-pkg", 2), joules("energy-ram", 3),
                     joules("energy-cores", 1))}
IMC = {f"uncore_imc_{i}": pmu(21 + i, "0-1",
                              lines("cas_count_read", "event=0x04,umask=0x03"),
                              lines("cas_count_write", "event=0x04,umask=0x0c"))
       for i in range(3)}
# servers have these besides, of the same bytes
IMC["uncore_imc_free_running_0"] = pmu(25, "0", lines("data_read", "event=0x20"),
                                       lines("data_write", "event=0x30"))
SCHEDULED = {f"uncore_imc_{i}": pmu(
    21 + i, "0", *(lines(f"cas_count_{way}_sch{part}", f"event={5 + part},umask={mask}")
                   for way, mask in (("read", 0xcf), ("write", 0xf0))
                   for part in (0, 1))) for i in range(2)}
CLIENT = {f"uncore_imc_free_running_{i}": pmu(
    21 + i, "0", lines("data_read", "event=0x20"), lines("data_write", "event=0x30"))
          for i in range(2)}
UMC = {f"amd_umc_{i}": pmu(21 + i, "0", **{"format/rdwrmask": "config:8-9"})
       for i in range(12)}
CMN = {"arm_cmn_0": {"type": "21", "cpumask": "0", "format/type": "config:0-15",
                     "format/eventid": "config:16-26",
                     "events/hnf_mc_reqs": "type=0x5,eventid=0xd"}}


class Node(listedpmus.Machine):
    """A machine with these PMUs and these zones of powercap: name of its folder ->
    (name, energy, range)."""

    def __init__(self, where, zones=None, **pmus):
        super().__init__(where, {"FAKE_NODE": "20:40"}, **pmus)
        self.zones = zones or {}
        os.makedirs(self.path("class/powercap"), exist_ok=True)
        os.makedirs(self.path("devices"), exist_ok=True)
        for zone, (name, energy, top) in self.zones.items():
            self.put(zone, "name", name)
            self.put(zone, "energy_uj", energy)
            self.put(zone, "max_energy_range_uj", top)
        self.mount = tap.in_namespace(
            f"mount --bind '{where}/devices' {listedpmus.DEVICES} && "
            f"mount --bind '{where}/class' /sys/class")

    def put(self, zone, name, text):
        path = self.path(f"class/powercap/{zone}/{name}")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(f"{text}\n")

    def count(self, *options, command=("true",), **variables):
        """hpmcount: name -> attributes of what it counted and derived; the problems
        of the file; and what it said."""
        path = self.path("x.hpm.xml")
        result = self.run(HPMCOUNT, "-o", path, *options, *command, **variables)
        if not os.path.exists(path):
            return {}, [], result
        root = ET.parse(path).getroot()
        os.remove(path)
        data = {each.get("name"): {"state": "counted", **each.attrib}
                for each in root.find("InstrumentationPt").iter("data")}
        return data, [each.get("text") for each in root.iter("Problem")], result


def contains(output, text, sentence):
    ok(text in " ".join(output.decode().split()), sentence, output)


def value(datum):
    return float(datum["value"])


def near(a, b):
    return abs(a - b) <= 0.002 * max(abs(a), abs(b))


def opened(machine):
    """(type, config, cpu) of the counters of whole processors, in order, each once."""
    return sorted({(line[0], line[1], line[5]) for line in machine.opened()
                   if len(line) > 5})


def test_energy(machine):
    data, problems, result = machine.count(
        "-e", "node::energy-pkg,node::energy-ram,node::energy-cores")
    wanted = {name: 2 * code * STEP * 1e6 / 2**32
              for name, code in (("pkg", 2), ("ram", 3), ("cores", 1))}
    found = {name: value(data[f"node::energy-{name}"]) for name in wanted}
    ok(all(abs(found[name] - wanted[name]) <= 1 for name in wanted),
       "energy is what the kernel's scale makes of the counts, in microjoules, of "
       "both packages together", (found, wanted))
    equal(opened(machine), [(20, code, cpu) for code in (1, 2, 3) for cpu in (0, 9)],
          "it is counted on one processor of each package, of all that runs")
    ok(any("node::energy-pkg" in each and "of the whole node" in each
           for each in problems), "the file says whose it is", problems)
    contains(result.stderr, "of the whole node; whatever else ran there",
             "and so does the report")


def test_energy_metrics(machine):
    data, _, result = machine.count("-s", "ENERGY")
    energy = 2 * (2 + 3) * STEP / 2**32
    seconds = energy / value(data["NODE_POWER"])
    ok(near(value(data["NODE_ENERGY_DELAY"]), energy * seconds),
       "power and the energy-delay product are of packages and memory",
       (energy, data["NODE_POWER"], data["NODE_ENERGY_DELAY"]))
    equal(data["NODE_POWER"].get("unit"), "W", "power is in watts")
    contains(result.stderr, "NODE_POWER", "the report has it by that name")
    data, _, _ = machine.count("-m", "NODE_ENERGY")
    ok(near(value(data["NODE_ENERGY"]), energy), "energy is in joules",
       data.get("NODE_ENERGY"))
    _, _, result = machine.count()
    ok(b"energy" not in result.stderr and b"NODE" not in result.stderr,
       "the first screen has nothing of it unless it is asked for", result.stderr)


def test_traffic(machine, name, codes, bytes_a_count=64, boxes=1):
    """`codes`: of one box, all on one processor."""
    data, _, _ = machine.count("-e", f"node::{name}")
    datum = data[f"node::{name}"]
    equal(datum.get("value"), str(boxes * sum(codes) * STEP * bytes_a_count),
          f"{name}: bytes, of all controllers")
    return opened(machine)


def test_intel(machine):
    equal(test_traffic(machine, "memory-read", [0x304], boxes=6),
          [(21 + i, 0x304, cpu) for i in range(3) for cpu in (0, 1)],
          "each controller on each processor of its mask, and nothing twice")
    test_traffic(machine, "memory-write", [0xc04], boxes=6)
    data, _, _ = machine.count("-s", "NODE_MEMORY")
    read, write = value(data["NODE_MEM_READ"]), value(data["NODE_MEM_WRITE"])
    equal((read, write), (6 * 0x304 * STEP * 64, 6 * 0xc04 * STEP * 64),
          "metrics have what was read and written")
    ok(value(data["NODE_MEM_BANDWIDTH"]) > 0 and
       data["NODE_MEM_BANDWIDTH"].get("unit") == "1e9 byte/s",
       "and the bandwidth", data["NODE_MEM_BANDWIDTH"])
    data, _, _ = machine.count("-e", "uncore_imc/cas_count_read/,"
                               "uncore_imc_1/event=4,umask=3/")
    equal({name: int(data[name]["value"]) for name in data if "imc" in name},
          {"node::uncore_imc/cas_count_read/": 6 * 0x304 * STEP * 64,
           "node::uncore_imc_1/event=4,umask=3/": 2 * 0x304 * STEP},
          "a PMU's own events have a name that says whose they are; without "
          "the kernel's scale they are counts")


def node_file(where, task, host, facts="", more=()):
    """Two seconds of 8e9 bytes and 50 J."""
    text = reports.task_file(task, [reports.record(
        1, -1, task, "run", 2, 2,
        [reports.data("node::memory", 8 * 10**9, unit="byte"),
         reports.data("node::energy-pkg", 50 * 10**6, unit="uJ"), *more],
        scope="process")], pmu=f'pmu="power4" facts="no-VM{facts}"')
    return reports.write(where, f"{task}.hpm.xml",
                         text.replace(f'host="node{task}"', f'host="{host}"'))


def reported(*paths, **variables):
    result = tap.run([HPM, "report", "--format", "json", *paths], **variables)
    return {row["metric"]: row for row in json.loads(result.stdout)["data"]
            if row["section"] == "run"}


def test_reports(where):
    rows = reported(node_file(where, 0, "a", " ROOF:memory_all=1e10"))
    for name, wanted in (("NODE_MEM_BANDWIDTH", 4), ("NODE_MEM_ROOF_PCT", 40),
                         ("NODE_ENERGY", 50), ("NODE_POWER", 25),
                         ("NODE_ENERGY_DELAY", 100)):
        ok(near(rows[name]["value"], wanted), f"a file's {name} is {wanted}",
           rows[name])
    rows = reported(node_file(where, 0, "a"))
    ok("hpm doctor --roofs" in rows["NODE_MEM_ROOF_PCT"]["reason"],
       "without a roof the report says how to measure it", rows["NODE_MEM_ROOF_PCT"])
    ok("NODE_ENERGY_PER_INSTR" not in rows,
       "without instructions there is no energy for one")
    rows = reported(reports.write(where, "plain.hpm.xml", reports.task_file(
        0, [reports.record(1, -1, 0, "run", 2, 2, [], scope="process")])))
    equal([name for name in rows if "NODE" in name or "WORK" in name], [],
          "what has no count of the node has nothing of it")


def test_work(where):
    """Energy for what was done."""
    instructions = reports.data("perf::instructions", 25 * 10**9)
    rows = reported(node_file(where, 0, "a", more=[instructions]))
    for name, wanted, unit in (("NODE_ENERGY_PER_INSTR", 2, "nJ"),
                               ("NODE_ENERGY_PER_BYTE", 6.25, "nJ"),
                               ("NODE_ENERGY_PER_WORK", 50, "J")):
        ok(near(rows[name]["value"], wanted) and rows[name]["unit"] == unit,
           f"{name} is {wanted} {unit}", rows[name])
    path = os.path.join(where, "work.hpm")
    with open(path, "w") as file:
        file.write("const RUN_WORK = 1000\nratio J_PER_CELL = NODE_ENERGY / work::cells\n")
    rows = reported(node_file(where, 0, "a"), HPM_DEFS=path)
    ok(near(rows["NODE_ENERGY_PER_WORK"]["value"], 0.05),
       "with a run's units of work energy is for one of them",
       rows["NODE_ENERGY_PER_WORK"])
    rows = reported(node_file(where, 0, "a", more=[
        reports.data("work::work", 200), reports.data("work::cells", 400)]),
        HPM_DEFS=path)
    ok(near(rows["NODE_ENERGY_PER_WORK"]["value"], 0.25) and
       near(rows["J_PER_CELL"]["value"], 0.125),
       "what a record counts itself goes before the constant", rows)


def test_merged(where):
    """Two tasks of one node each count all of it."""
    files = [node_file(where, task, host) for task, host in enumerate("aab")]
    rows = reported(*files)
    for name in ("node::memory", "NODE_ENERGY"):
        ok(rows[name]["value"] is None and
           "belongs to the node" in rows[name]["reason"],
           f"no {name} over tasks of one node", rows[name])
    rows = reported(*files[1:])
    ok(near(rows["node::memory"]["value"], 16 * 10**9) and
       near(rows["NODE_ENERGY"]["value"], 100),
       "tasks of different nodes have a sum", rows["NODE_ENERGY"])
    test_moved(where, files)


def test_moved(where, files):
    """The same tasks on one node, and then on two: the difference has no sum of
    either, because one side has none."""
    paths = [os.path.join(where, name) for name in ("one.xml", "two.xml", "diff.xml")]
    other = reports.write(where, "other.xml", open(files[1]).read().replace(
        'host="a"', 'host="c"'))
    for path, second in zip(paths, (files[1], other)):
        tap.run([HPM, "merge", "-o", path, files[0], second])
    for a, b in (0, 1), (1, 0):
        path = f"{paths[2]}{a}"
        tap.run([HPM, "diff", "-o", path, paths[a], paths[b]])
        rows = reported(path)
        equal([rows[name]["value"] for name in ("node::memory", "NODE_ENERGY")],
              [None, None], f"no difference of a node's counts, whichever is first: {a}")


def test_zones(where):
    zones = {"intel-rapl:0": ("package-0", 5000000, 100000000),
             "intel-rapl:0:0": ("core", 1000000, 100000000),
             "intel-rapl:0:1": ("dram", 4000000, 65000000),
             "intel-rapl:1": ("package-1", 99000000, 100000000),
             "intel-rapl-mmio:0": ("package-0", 5000000, 100000000)}
    machine = Node(where, zones)
    script = ("put() { echo $1 >new && mv new class/powercap/$2/energy_uj; };"
              "put 7000000 intel-rapl:0; put 500000 intel-rapl:1;"
              "put 4250000 intel-rapl:0:1; put 9000000 intel-rapl-mmio:0")
    data, problems, _ = machine.count(
        "-e", "node::energy-pkg,node::energy-ram,node::energy-cores",
        command=("sh", "-c", script))
    equal({name: int(data[f"node::energy-{name}"]["value"])
           for name in ("pkg", "ram", "cores")},
          {"pkg": 2000000 + 1500000, "ram": 250000, "cores": 0},
          "powercap: zones are added up, one that began at 0 again is not lost, and "
          "no zone counts twice")
    ok(any("whole node" in each for each in problems), "and the file says whose",
       problems)
    machine.put("intel-rapl:1", "energy_uj", 99000000)
    machine.put("intel-rapl:1", "max_energy_range_uj", 98000000)
    data, _, result = machine.count("-e", "node::energy-pkg",
                                    command=("sh", "-c", script))
    ok(data["node::energy-pkg"].get("state") != "counted" and
       "value" not in data["node::energy-pkg"],
       "what went back otherwise has no value", data)
    contains(result.stderr, "went back", "and the report says why")


# Writes energies, each when the last one has been read by hpmcount, its parent: which
# shows in how often that has read anything.
WRITER = """
import os, sys, time
def reads():
    with open(f"/proc/{os.getppid()}/io") as file:
        return int(file.read().split("syscr: ")[1].split()[0])
for energy in sys.argv[2:]:
    with open("new", "w") as file:
        file.write(energy)
    os.rename("new", sys.argv[1])
    before, parent, end = reads(), os.getppid(), time.monotonic() + 60
    while (os.getppid() == parent and time.monotonic() < end and
           reads() < before + 40):
        time.sleep(0.005)
"""


def test_rounds(where):
    """Of so small a range the report would know one round alone."""
    machine = Node(where, {"intel-rapl:0": ("package-0", 0, 50000000)})
    data, _, _ = machine.count(
        "-e", "node::energy-pkg",
        command=(sys.executable, "-c", WRITER,
                 "class/powercap/intel-rapl:0/energy_uj",
                 "40000000", "10000000", "30000000", "5000000"))
    equal(data["node::energy-pkg"].get("value"), "105000000",
          "energy that begins at 0 again twice in a run is read often enough")


def test_amd(machine):
    opened_ = test_traffic(machine, "memory-read", [0x10a], boxes=12)
    equal(opened_, [(21 + i, 0x10a, 0) for i in range(12)],
          "amd_umc: column reads of each controller")
    test_traffic(machine, "memory-write", [0x20a], boxes=12)
    test_traffic(machine, "memory", [0x0a], boxes=12)


def test_shared(machine):
    """Boxes with fewer counters than events."""
    data, _, _ = machine.count("-e", "node::memory-read", FAKE_RUNNING=50)
    datum = data["node::memory-read"]
    equal((datum.get("state"), datum.get("value"), datum.get("share")),
          ("shared", str(6 * 0x304 * STEP * 64), "0.5"),
          "a controller's counter that took turns is scaled and says so")


def test_running(machine):
    data, problems, _ = machine.count("-A", "--timeout", "50",
                                      "-e", "node::energy-pkg", command=())
    ok(abs(value(data["node::energy-pkg"]) - 2 * 2 * STEP * 1e6 / 2**32) <= 1,
       "with all processors counted the node's energy is there once", data)
    data, _, result = machine.count("-A", "--per-core", "--timeout", "50",
                                    "-e", "node::energy-pkg", command=())
    ok("value" not in data["node::energy-pkg"],
       "no core has the node's energy for its own", data)
    contains(result.stderr, "of the whole node and not of one thread or core",
             "and the report says so")


def test_permission(machine):
    """The kernel's own rule, and a filter's answer."""
    plain = machine.mount
    for level, error, wanted, sentence in (
            (2, errno.EACCES, "(kernel.perf_event_paranoid is 2, expected 0 or less); "
             "run hpmcount as root, give it CAP_PERFMON, or as root: sysctl "
             "kernel.perf_event_paranoid=0", "a lack of permission says what to do"),
            (-1, errno.EACCES, f"(perf_event_open: {os.strerror(errno.EACCES)})",
             "where the level permits it, the level is not blamed"),
            (2, errno.EPERM, os.strerror(errno.EPERM),
             "nor is it for what the kernel's rule never answers")):
        with open(machine.path("level"), "w") as file:
            file.write(f"{level}\n")
        machine.mount = tap.in_namespace(
            f"mount --bind '{machine.where}/devices' {listedpmus.DEVICES} && "
            f"mount --bind '{machine.path('level')}' "
            "/proc/sys/kernel/perf_event_paranoid")
        if not machine.mount:
            tap.skip(sentence, "no file can be mounted there")
            continue
        _, _, result = machine.count("-e", "node::energy-pkg", FAKE_FAIL_AT=1,
                                     FAKE_FAIL_FOREVER=1, FAKE_ERRNO=error)
        contains(result.stderr, wanted, sentence)
        if "expected 0 or less" not in wanted:
            ok(b"expected 0 or less" not in result.stderr, sentence, result.stderr)
    machine.mount = plain


def test_many(machine, n):
    """A processor of each of many packages, as a machine of so many lists them."""
    cpus = ",".join(str(2 * i) for i in range(n))
    machine.list("power/cpumask", cpus)
    data, _, result = machine.count("-e", "node::energy-pkg")
    if len(cpus) < 4095:
        ok(abs(value(data["node::energy-pkg"]) - n * 2 * STEP * 1e6 / 2**32) <= 1,
           f"the energy of all {n} packages is in the sum", data)
    else:
        ok("value" not in data.get("node::energy-pkg", {}),
           "a list that cannot be read whole gives no sum", data)
        contains(result.stderr, "its cpumask is longer than 4094 characters",
                 "and says why")


def test_no_unit(machine):
    """Boxes of which the kernel gives no unit: a bare count is no number of bytes."""
    data, _, result = machine.count("-e", "node::memory-read")
    ok("value" not in data.get("node::memory-read", {}),
       "a count of unknown size is no value", data)
    contains(result.stderr, "the kernel does not say how much a count of 'uncore_imc' "
             "is", "and says why")
    data, _, _ = machine.count("-e", "uncore_imc/cas_count_read/")
    equal(data["node::uncore_imc/cas_count_read/"].get("value"), str(0x304 * STEP),
          "as PMU/EVENT/ it is a count")


def test_scales(machine):
    """Boxes of one PMU with scales of their own: lines of 64 and of 128 bytes."""
    data, _, _ = machine.count("-e", "node::memory-read")
    equal(data["node::memory-read"].get("value"),
          str(2 * 0x304 * STEP * 64 + 0x304 * STEP * 128),
          "each box counts by its own scale")


DEFINED = """arch any
event node::UNC_M_READS:ALL = uncore_imc/event=0x04,umask=0x03/
event node::UNC_X = uncore_nosuch/event=0x1/
ratio NODE_READS = 64 * node::UNC_M_READS:ALL / 1e6
"""


def test_defined(machine):
    """Events of units that definitions have, as hpm import-definitions makes them."""
    with open(machine.path("own.hpm"), "w") as file:
        file.write(DEFINED)
    own = {"HPM_DEFS": machine.path("own.hpm")}
    data, problems, _ = machine.count("-e", "node::UNC_M_READS:ALL", **own)
    count = 6 * 0x304 * STEP
    equal(data["node::UNC_M_READS:ALL"].get("value"), str(count),
          "an event of the node that a definition has the code of is counted in all "
          "units")
    ok(any("node::UNC_M_READS:ALL" in each and "of the whole node" in each
           for each in problems), "and the file says whose it is", problems)
    data, _, _ = machine.count("-m", "NODE_READS", **own)
    ok(near(value(data["NODE_READS"]), 64 * count / 1e6), "a metric is made of it",
       data)
    data, _, result = machine.count("-e", "node::UNC_X", **own)
    contains(result.stderr, "its definition, uncore_nosuch/event=0x1/, cannot be "
             "counted here: there is no PMU 'uncore_nosuch'",
             "what the machine has no unit for says why")
    result = machine.run(WAYS, "return", HPM_EVENTS="node::UNC_M_READS:ALL",
                         HPM_OUTPUT_NAME="d.hpm.xml", **own)
    contains(result.stderr, "it is of the whole node, not of one program",
             "a measured program is sent to hpmcount")


def test_units(machine):
    data, _, result = machine.count("-e", "node::memory-read")
    ok("value" not in data.get("node::memory-read", {}),
       "boxes that count in different units have no sum", data)
    contains(result.stderr, "the PMUs 'uncore_imc' give 'cas_count_read' in different "
             "units", "which are named")


def test_intervals(machine):
    """Of one read more than at the begin: the sum is of the first and the last."""
    result = machine.run(HPMCOUNT, "-I", "300000",
                         "-e", "node::energy-pkg,node::memory-read", "true")
    text = result.stderr.decode()
    energy, joules_ = 2 * 2 * STEP / 2**32, "node::energy-pkg J"
    rows = {line.split("  ")[-1]: line.split()[2] for line in text.splitlines()
            if line.split()[:2] == ["sum", "all"]}
    ok(joules_ in rows and near(float(rows[joules_]), energy),
       "energy of an interval is in joules, and says so", text)
    equal(rows.get("node::memory-read byte"), f"{2 * 0x304 * STEP * 64:,}",
          "bytes say that they are bytes")


def test_refusals(machine):
    _, _, result = machine.count("-e", "node::energy")
    contains(result.stderr, "expected one of energy-pkg, energy-cores, energy-ram",
             "a wrong name is told those there are")
    _, _, result = machine.count("-e", "node::energy-gpu")
    contains(result.stderr, "neither a PMU 'power' nor /sys/class/powercap has it",
             "what the machine has not says why")
    _, _, result = machine.count("-m", "NODE_MEM_BANDWIDTH")
    contains(result.stderr, "needs 'node::memory', which cannot be counted here: the "
             "kernel lists no PMU of the memory controllers",
             "and so does a metric")
    test_permission(machine)
    data, _, result = machine.count("-a", "-e", "node::energy-pkg,task-clock",
                                    SLURM_PROCID=0, SLURM_NTASKS=1)
    contains(result.stderr, "each task of the job would have it again",
             "the sum over a job's tasks would count it more than once")
    result = machine.run(WAYS, "return", HPM_EVENTS="power/energy-pkg/",
                         HPM_OUTPUT_NAME="y.hpm.xml")
    contains(result.stderr, "hpmcount alone counts it",
             "a measured program is sent to hpmcount")
    result = machine.run(WAYS, "return", HPM_EVENTS="node::energy-pkg",
                         HPM_OUTPUT_NAME="z.hpm.xml")
    contains(result.stderr, "'node::energy-pkg': it is of the whole node, not of one "
             "program; hpmcount alone counts it", "by the node's name, too")
    result = machine.run(HPM, "explain", "NODE_POWER")
    contains(result.stdout, "power of the node, as its processors tell it",
             "hpm explains it")


def test_unreadable(where):
    machine = Node(where, {"intel-rapl:0": ("package-0", 0, 500000000)})
    os.chmod(machine.path("class/powercap/intel-rapl:0/energy_uj"), 0o400)
    if os.geteuid() == 0:
        tap.skip("root may read every file", 1)
        return
    _, _, result = machine.count("-e", "node::energy-pkg")
    contains(result.stderr, "only root may read", "energy that only root may read")


def on(test, *arguments, **pmus):
    with folder() as where:
        test(Node(where, **pmus), *arguments)


def main():
    for test in (test_reports, test_work, test_merged):
        with folder() as where:
            test(where)
    reason = tap.no_preload()
    if reason or not tap.in_namespace(
            f"mount -t tmpfs none {listedpmus.DEVICES} && "
            "mount -t tmpfs none /sys/class"):
        tap.skip("counts of the whole node", reason or "nothing can be mounted")
        return
    on(test_energy, **RAPL)
    on(test_energy_metrics, **RAPL)
    on(test_intel, **IMC)
    on(test_shared, **IMC)
    reads = [event + (0xcf << 8) for event in (5, 6)]
    writes = [event + (0xf0 << 8) for event in (5, 6)]
    on(test_traffic, "memory-read", reads, 64, 2, **SCHEDULED)
    on(test_traffic, "memory", reads + writes, 64, 2, **SCHEDULED)
    on(test_traffic, "memory-write", [0x30], 64, 2, **CLIENT)
    on(test_amd, **UMC)
    on(test_traffic, "memory", [5 + (0xd << 16)], **CMN)
    on(test_running, **RAPL)
    on(test_refusals, **RAPL)
    on(test_many, 128, **RAPL)
    on(test_many, 1100, **RAPL)
    on(test_defined, **IMC)
    on(test_no_unit, uncore_imc_0=pmu(21, "0", listed("cas_count_read",
                                                      "event=0x04,umask=0x03")))
    reads = listed("cas_count_read", "event=0x04,umask=0x03")
    on(test_scales, uncore_imc_0=IMC["uncore_imc_0"],
       uncore_imc_1=pmu(22, "0", listed("cas_count_read", "event=0x04,umask=0x03",
                                        "1.220703125e-4", "MiB")))
    on(test_units, uncore_imc_2=pmu(23, "0", reads), **{
        name: IMC[name] for name in ("uncore_imc_0", "uncore_imc_1")})
    on(test_intervals, uncore_imc_0=IMC["uncore_imc_0"], **RAPL)
    for test in (test_zones, test_rounds, test_unreadable):
        with folder() as where:
            test(where)


main()
tap.done()
