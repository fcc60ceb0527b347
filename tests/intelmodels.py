# SPDX-License-Identifier: BSD-3-Clause
"""The shipped models of Intel's processors beside Intel's own files: of made-up counts,
is each node of top-down what Intel's formula gives, and which nodes are not here?
Codes of events lead from Intel's names to those of the models."""

import csv
import io
import json
import os
import re

import tap
import vendors
from reports import data, record, task_file, write
from tap import HPM, run

# PMU -> Intel's events, metrics, and slots of a cycle
FILES = {
    "hsw_ep": ("haswellx_core", "haswellx_metrics", 4),
    "bdw_ep": ("broadwellx_core", "broadwellx_metrics", 4),
    "skx": ("skylakex_core", "skylakex_metrics", 4),
    "clx": ("cascadelakex_core", "cascadelakex_metrics", 4),
    "icx": ("icelakex_core", "icelakex_metrics", 5),
    "spr": ("sapphirerapids_core", "sapphirerapids_metrics", 6),
    "emr": ("emeraldrapids_core", "emeraldrapids_metrics", 6),
    "gnr": ("graniterapids_core", "graniterapids_metrics", 6),
    "adl": ("alderlake_goldencove_core", "alderlake_metrics_goldencove_core", 6),
    "mtl": ("meteorlake_redwoodcove_core", "meteorlake_metrics_redwoodcove_core", 6),
    "lnl": ("lunarlake_lioncove_core", "lunarlake_metrics_lioncove_core", 8),
    "arl": ("arrowlake_lioncove_core", "arrowlake_metrics_lioncove_core", 8),
    "srf": ("sierraforest_core", "sierraforest_metrics", 6)}
HYBRID = ("adl", "mtl", "lnl", "arl")
# Intel's node -> the metric here, without _PCT
NODES = {
    "Frontend_Bound": "FRONTEND", "Bad_Speculation": "BAD_SPEC",
    "Backend_Bound": "BACKEND", "Retiring": "RETIRING",
    "Fetch_Latency": "FETCH_LATENCY", "Fetch_Bandwidth": "FETCH_BANDWIDTH",
    "Branch_Mispredicts": "MISPREDICTS", "Machine_Clears": "MACHINE_CLEARS",
    "Memory_Bound": "MEMORY_BOUND", "Core_Bound": "CORE_BOUND",
    "Light_Operations": "LIGHT_OPS", "Heavy_Operations": "HEAVY_OPS",
    "ICache_Misses": "FETCH_ICACHE", "ITLB_Misses": "FETCH_ITLB",
    "Branch_Resteers": "FETCH_RESTEER", "MS_Switches": "FETCH_MICROCODE",
    "LCP": "FETCH_LCP", "DSB_Switches": "FETCH_SWITCH", "MITE": "FETCH_DECODER",
    "DSB": "FETCH_DECODED", "LSD": "FETCH_LOOP", "MS": "FETCH_SEQUENCER",
    "Cond_NT_Mispredicts": "MISPREDICTS_NOT_TAKEN",
    "Cond_TK_Mispredicts": "MISPREDICTS_TAKEN",
    "Ind_Call_Mispredicts": "MISPREDICTS_CALL",
    "Ind_Jump_Mispredicts": "MISPREDICTS_JUMP", "Ret_Mispredicts": "MISPREDICTS_RETURN",
    "Other_Mispredicts": "MISPREDICTS_OTHER", "Other_Nukes": "CLEARS_OTHER",
    "L1_Bound": "STALL_L1", "L2_Bound": "STALL_L2", "L3_Bound": "STALL_L3",
    "DRAM_Bound": "STALL_MEM", "L3_Miss_Bound": "STALL_MEM",
    "Store_Bound": "STALL_STORE", "Divider": "CORE_DIVIDER",
    "Serializing_Operation": "CORE_SERIAL", "AMX_Busy": "CORE_AMX",
    "Ports_Utilization": "CORE_PORTS", "FP_Arith": "LIGHT_FP", "X87_Use": "LIGHT_X87",
    "FP_Scalar": "LIGHT_FP_SCALAR", "FP_Vector": "LIGHT_FP_VECTOR",
    "Int_Operations": "LIGHT_INT", "Memory_Operations": "LIGHT_MEMORY",
    "Fused_Instructions": "LIGHT_FUSED", "Non_Fused_Branches": "LIGHT_BRANCH",
    "Branch_Instructions": "LIGHT_BRANCH", "Other_Light_Ops": "LIGHT_OTHER",
    "Few_Uops_Instructions": "FEW_OPS", "Microcode_Sequencer": "MICROCODE"}
OF_E_CORES = {
    "IFetch_Latency": "FETCH_LATENCY", "IFetch_Bandwidth": "FETCH_BANDWIDTH",
    "Core_Bound": "ALLOCATION", "Allocation_Restriction": "ALLOCATION",
    "Resource_Bound": "RESOURCES", "Branch_Detect": "FETCH_DETECT",
    "Branch_Resteer": "FETCH_TAKEN", "Cisc": "FETCH_CISC", "Decode": "FETCH_DECODE",
    "Predecode": "FETCH_PREDECODE", "Other_FB": "FETCH_OTHER", "Nuke": "CLEARS_SLOW",
    "Fast_Nuke": "CLEARS_FAST", "Mem_Scheduler": "MEM_SCHEDULER",
    "Non_Mem_Scheduler": "NON_MEM_SCHEDULER", "Register": "REGISTER",
    "Reorder_Buffer": "REORDER_BUFFER", "Serialization": "SERIALIZATION"}
CYCLES = 10 ** 9
# The same count by other names: the kernel's part of the slots, and its event.
OF_KERNEL = {"fe-bound": "IDQ_UOPS_NOT_DELIVERED:CORE IDQ_BUBBLES:CORE",
             "be-bound": "TOPDOWN:BACKEND_BOUND_SLOTS", "retiring": "UOPS_RETIRED:SLOTS",
             "bad-spec": "TOPDOWN:BAD_SPEC_SLOTS", "heavy-ops": "UOPS_RETIRED:HEAVY",
             "br-mispredict": "TOPDOWN:BR_MISPREDICT_SLOTS",
             "mem-bound": "TOPDOWN:MEMORY_BOUND_SLOTS",
             "fetch-lat": "IDQ_BUBBLES:CYCLES_0_UOPS_DELIV:CORE IDQ_BUBBLES:FETCH_LATENCY"}
# Intel's fixed counters, which the models count by general ones.
FIXED = {"cpu_clk_unhalted:thread": "0x3c", "cpu_clk_unhalted:core": "0x3c",
         "inst_retired:any": "0xc0", "cpu_clk_unhalted:thread_any": "0x20003c",
         "topdown:slots": "0x1a4"}
# Vectors of integers by width, which Lion Cove has as the sums of their kinds.
SUMS = {"0x13e7": ("0x3e7", "0x10e7"), "0xace7": ("0xce7", "0x80e7", "0x20e7")}


def codes_of(pmu):
    """{code: the models' names of the event}"""
    found = {}
    with open(os.path.join(tap.TOP_SOURCE, "tests/data/codes.tsv")) as file:
        for line in file:
            if line.startswith(pmu + "\t"):
                _, event, code, _ = line.split("\t")
                found.setdefault(code, []).append(event)
    return found


def code_of(event, changes):
    """The kernel's configuration of an event of Intel's list, with changes."""
    def number(key):
        return int(str(event.get(key) or "0").split(",")[0], 0)
    values = {"event": number("EventCode"), "umask": number("UMask"),
              "c": number("CounterMask"), "i": number("Invert"),
              "e": number("EdgeDetect"), "any": number("AnyThread"),
              "eq": number("Equal")}
    values |= {name: int(value, 0) for name, value in
               (change.split("=") for change in changes)}
    shifts = {"event": 0, "umask": 8, "e": 18, "any": 21, "i": 23, "c": 24, "eq": 36}
    config = hex(sum(value << shifts[name] for name, value in values.items()))
    more = number("MSRValue") if number("MSRIndex") else 0
    return config + (f"+{more:#x}" if more else "")


class Machine(vendors.World):
    """Counts by their codes; those of slots fit together."""

    def __init__(self, pmu, folder, seed, has_smt):
        super().__init__(seed, has_smt)
        self.pmu, self.width = pmu, FILES[pmu][2]
        self.codes = codes_of(pmu)
        listed = json.loads(vendors.read(path_of(folder, FILES[pmu][0])))["Events"]
        self.events = {event["EventName"].replace(".", ":", 1).lower(): event
                       for event in reversed(listed)}
        slots = self.width * CYCLES
        self.by_code = {"0x3c": CYCLES, "0x1a4": slots, "0x20003c": 2 * CYCLES,
                        "0x2ec": CYCLES // 2, "0xc0": slots // 5}
        self.draw_slots(slots)
        if pmu in ("lnl", "arl"):
            for code, parts in SUMS.items():
                self.by_code |= {part: self.chance.randrange(10 ** 5, 10 ** 8)
                                 for part in parts}
                self.by_code[code] = sum(self.by_code[part] for part in parts)

    def draw_slots(self, slots):
        share = [self.chance.uniform(0.1, 1) for _ in range(4)]
        parts = [int(slots * each / sum(share)) for each in share[:3]]
        self.kernel = dict(zip(("fe-bound", "be-bound", "bad-spec", "retiring"),
                               (*parts, slots - sum(parts))))
        for part, whole in (("heavy-ops", "retiring"), ("br-mispredict", "bad-spec"),
                            ("mem-bound", "be-bound"), ("fetch-lat", "fe-bound")):
            n = int(self.kernel[whole] * self.chance.uniform(0.1, 0.9))
            self.kernel[part] = n // self.width * self.width
        for part, events in OF_KERNEL.items():
            for event in events.split():
                for code, names in self.codes.items():
                    if event in (names[0], names[0].removeprefix("P_")):
                        self.by_code[code] = self.kernel[part] // (
                            self.width if part == "fetch-lat" else 1)

    def count(self, name):
        if name.startswith("cpu::topdown-"):
            return vendors.Fraction(self.kernel[name.removeprefix("cpu::topdown-")])
        event, changes = ":".join(name.split(":")[:2]), name.split(":")[2:]
        code = FIXED.get(event) or code_of(self.events[event], changes)
        if code not in self.by_code:
            most = self.width * CYCLES // 3 if "uops" in event else CYCLES // 5
            self.by_code[code] = self.chance.randrange(10 ** 5, most)
        return vendors.Fraction(self.by_code[code])

    def counters(self):
        """All that was asked for, by the models' names."""
        found = {name: n for code, n in self.by_code.items()
                 for name in self.codes.get(code, ()) if not name.startswith("E_")}
        if self.pmu in ("icx", "spr", "emr", "gnr"):
            few = ("fe-bound", "be-bound", "bad-spec", "retiring")
            found |= {f"cpu::topdown-{part}": n for part, n in self.kernel.items()
                      if self.pmu != "icx" or part in few}
            found["cpu::slots"] = self.width * CYCLES
        return found


def path_of(folder, name):
    return os.path.join(folder, "intel", name + ".json.gz")


def reported(where, pmu, counters, has_smt):
    """{metric: value}"""
    facts = "SMT" if has_smt else "no-SMT"
    text = [data(name, n, exclusive=n) for name, n in counters.items()]
    path = write(where, f"{pmu}.hpm.xml", task_file(
        0, [record(1, 0, 0, "calc", 1, 1, text)], pmu=f'pmu="{pmu}" facts="{facts}"'))
    rows = csv.DictReader(io.StringIO(
        run([HPM, "report", "--format", "csv", path]).stdout.decode()))
    return {row["metric"]: float(row["value"]) for row in rows
            if row["section"] == "calc" and row["value"]}


def draw(where, folder, pmu, metrics, seed, has_smt):
    """{node: why it differs, or None}; nodes that take latencies are left out."""
    machine = Machine(pmu, folder, seed, has_smt)
    nodes = NODES | (OF_E_CORES if pmu == "srf" else {})
    evaluator, expected = vendors.Evaluator(machine, metrics), {}
    for metric in metrics:
        if metric.name in nodes and not any("retire_latency" in event for event
                                            in metric.meanings.values()):
            expected[metric.name] = evaluator.value(metric, ())
    got = reported(where, pmu, machine.counters(), has_smt)
    first = "P_" if pmu in HYBRID else ""
    found = {}
    for node, value in expected.items():
        name = f"{first}{nodes[node]}_PCT"
        is_same = name in got and abs(got[name] - float(value)) <= \
            1e-6 * max(1, abs(float(value)))
        found[node] = None if is_same else (name, got.get(name), float(value))
    return found


def compare(where, folder, pmu, seeds=(1, 2, 3)):
    """Intel's nodes: how many are the same here, which differ, and which, of levels 1
    to 3, are not here."""
    path = path_of(folder, FILES[pmu][1])
    listed = [metric for metric in json.loads(vendors.read(path))["Metrics"]
              if metric.get("Category") == "TMA"]
    names = {metric["MetricName"] for metric in listed}
    metrics = [metric for metric in vendors.metrics_of(path) if metric.name in names]
    different, same = {}, set()
    for seed in seeds:
        for has_smt in (False,) if pmu in (*HYBRID, "srf") else (False, True):
            for node, why in draw(where, folder, pmu, metrics, f"{pmu}{seed}",
                                  has_smt).items():
                same.add(node)
                if why:
                    different[node] = why
    lacking = sorted(metric["MetricName"] for metric in listed
                     if (metric.get("Level") or 9) <= 3 and
                     not re.match("Info_|Bottleneck_", metric["MetricName"]) and
                     metric["MetricName"] not in same)
    return len(same - set(different)), different, lacking
