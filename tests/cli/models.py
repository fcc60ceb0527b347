# SPDX-License-Identifier: BSD-3-Clause
"""The models of single processors (metrics/models): a made-up record of each, of
which top-down comes out as the vendor's published formula, written here again, has
it; level 1 is 100 %, level 2 adds up to level 1.  Each model is without a fault, all
it counts is in a set, and its sets fit into its counters."""

import csv
import io
import os
import re

import tap
from reports import data, record, task_file, write
from tap import HPM, MODELS, equal, folder, ok, run

CYCLES = 1_000_000_000


def e_core(width):
    """Intel: each part of level 1 and 2 is an event, a share of width times cycles."""
    slots = width * CYCLES
    parts = {"TOPDOWN_FE_BOUND": ("FRONTEND", 0.25), "TOPDOWN_BAD_SPECULATION":
             ("BAD_SPEC", 0.10), "TOPDOWN_BE_BOUND": ("BACKEND", 0.30),
             "TOPDOWN_RETIRING": ("RETIRING", 0.35)}
    counts = {"CPU_CLK_UNHALTED:CORE_P": CYCLES, "INST_RETIRED:ANY_P": 2 * CYCLES,
              "TOPDOWN_FE_BOUND:FRONTEND_LATENCY": 0.15 * slots,
              "TOPDOWN_FE_BOUND:FRONTEND_BANDWIDTH": 0.10 * slots,
              "TOPDOWN_BAD_SPECULATION:MISPREDICT": 0.08 * slots,
              "TOPDOWN_BAD_SPECULATION:MACHINE_CLEARS": 0.02 * slots,
              "TOPDOWN_BE_BOUND:ALLOC_RESTRICTIONS": 0.05 * slots,
              "UOPS_RETIRED:MS": 0.04 * slots}
    expected = {}
    for event, (name, share) in parts.items():
        counts[event + ":ALL_P"] = share * slots
        expected[name + "_PCT"] = 100 * counts[event + ":ALL_P"] / (width * CYCLES)
    expected |= {"FETCH_LATENCY_PCT": 15, "FETCH_BANDWIDTH_PCT": 10,
                 "MISPREDICTS_PCT": 8, "MACHINE_CLEARS_PCT": 2, "HEAVY_OPS_PCT": 4}
    return counts, expected


def p_core(width):
    """Intel: events of general counters, slots of the P core."""
    slots = width * CYCLES
    counts = {"CPU_CLK_UNHALTED:THREAD_P": CYCLES, "INST_RETIRED:ANY_P": 2 * CYCLES,
              "TOPDOWN:SLOTS_P": slots, "IDQ_UOPS_NOT_DELIVERED:CORE": 0.2 * slots,
              "TOPDOWN:BACKEND_BOUND_SLOTS": 0.4 * slots,
              "TOPDOWN:BAD_SPEC_SLOTS": 0.1 * slots, "UOPS_RETIRED:SLOTS": 0.3 * slots,
              "UOPS_RETIRED:HEAVY": 0.05 * slots,
              "TOPDOWN:BR_MISPREDICT_SLOTS": 0.07 * slots,
              "TOPDOWN:MEMORY_BOUND_SLOTS": 0.25 * slots,
              "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": 0.1 * CYCLES}
    return counts, {"FRONTEND_PCT": 20, "BACKEND_PCT": 40, "BAD_SPEC_PCT": 10,
                    "RETIRING_PCT": 30, "HEAVY_OPS_PCT": 5, "MISPREDICTS_PCT": 7,
                    "MACHINE_CLEARS_PCT": 3, "MEMORY_BOUND_PCT": 25,
                    "CORE_BOUND_PCT": 15, "FETCH_LATENCY_PCT": 10,
                    "FETCH_BANDWIDTH_PCT": 10}


def zen(resync):
    """AMD: de_no_dispatch_per_slot and operations over 8 times cycles."""
    slots = 8 * CYCLES
    fe, late, be, smt = 0.2 * slots, 0.6 * CYCLES * 0.2, 0.3 * slots, 0.05 * slots
    retired, ucode, brn, sync = 0.37 * slots, 0.03 * slots, 9_000_000, 1_000_000
    dispatched = slots - fe - be - smt
    load, stalled = 400_000_000, 500_000_000
    counts = {"LS_NOT_HALTED_CYC": CYCLES, "EX_RET_INSTR": 2 * CYCLES,
              "DE_NO_DISPATCH_PER_SLOT:NO_OPS_FROM_FRONTEND": fe,
              "DE_NO_DISPATCH_PER_SLOT:NO_OPS_FROM_FRONTEND:c=8": late,
              "DE_NO_DISPATCH_PER_SLOT:BACKEND_STALLS": be,
              "DE_NO_DISPATCH_PER_SLOT:SMT_CONTENTION": smt,
              "DE_SRC_OP_DISP:ALL": dispatched, "EX_RET_OPS": retired,
              "EX_RET_UCODE_OPS": ucode, "EX_RET_BRN_MISP": brn, resync: sync,
              "EX_NO_RETIRE:LOAD_NOT_COMPLETE": load,
              "EX_NO_RETIRE:NOT_COMPLETE": stalled}
    bad = (dispatched - retired) / slots
    return counts, {
        "FRONTEND_PCT": 100 * fe / slots, "BACKEND_PCT": 100 * be / slots,
        "SMT_LOST_PCT": 100 * smt / slots, "BAD_SPEC_PCT": 100 * bad,
        "RETIRING_PCT": 100 * retired / slots,
        "FETCH_LATENCY_PCT": 100 * 8 * late / slots,
        "FETCH_BANDWIDTH_PCT": 100 * (fe - 8 * late) / slots,
        "MISPREDICTS_PCT": 100 * bad * brn / (brn + sync),
        "MACHINE_CLEARS_PCT": 100 * bad * sync / (brn + sync),
        "MEMORY_BOUND_PCT": 100 * be / slots * load / stalled,
        "CORE_BOUND_PCT": 100 * be / slots * (1 - load / stalled),
        "HEAVY_OPS_PCT": 100 * retired / slots * (ucode / retired)}


def arm(slots, has_flush):
    """Arm's telemetry: stalled slots, and the others by operations completed."""
    fe, be, spec, done, flush, misp = (
        slots * CYCLES // 4, slots * CYCLES // 3, 3_100_000_000, 2_900_000_000,
        40_000_000, 12_000_000)
    stall = fe + be
    counts = {"CPU_CYCLES": CYCLES, "INST_RETIRED": 2 * CYCLES,
              "STALL_SLOT_FRONTEND": fe, "STALL_SLOT_BACKEND": be,
              "STALL_SLOT": stall, "OP_SPEC": spec, "OP_RETIRED": done}
    rest = 1 - stall / (slots * CYCLES)
    level_1 = {"RETIRING_PCT": 100 * done / spec * rest}
    if not has_flush:
        return counts | {"BR_MIS_PRED": misp}, level_1 | {
            "FRONTEND_PCT": 100 * (fe / (CYCLES * slots) - misp / CYCLES),
            "BACKEND_PCT": 100 * (be / (CYCLES * slots) - misp * 3 / CYCLES),
            "BAD_SPEC_PCT": 100 * ((1 - done / spec) * rest + misp * 4 / CYCLES)}
    counts |= {"STALL_FRONTEND_FLUSH": flush, "STALL_BACKEND": 400_000_000,
               "STALL_BACKEND_MEMBOUND": 240_000_000,
               "STALL_BACKEND_CPUBOUND": 100_000_000,
               "STALL_BACKEND_BUSY": 60_000_000}
    return counts, level_1 | {
        "FRONTEND_PCT": 100 * (fe / (slots * CYCLES) - flush / CYCLES),
        "BACKEND_PCT": 100 * be / (slots * CYCLES),
        "BAD_SPEC_PCT": 100 * (rest * (1 - done / spec) + flush / CYCLES),
        "MEMORY_BOUND_PCT": 60 * be / (slots * CYCLES),
        "CORE_BOUND_PCT": 40 * be / (slots * CYCLES),
        "BACKEND_CORE_PCT": 25, "BACKEND_BUSY_PCT": 15}


RECORDS = {"gnr": p_core(6), "srf": e_core(6), "cwf": e_core(8),
           "amd64_fam1ah_zen5": zen("BP_REDIRECTS:RESYNC"),
           "amd64_fam1ah_zen6": zen("BP_FE_REDIR:RESYNC"),
           "arm_n2": arm(5, False), "arm_v2": arm(8, False),
           "arm_n3": arm(5, True), "arm_v3": arm(10, True)}
LEVEL_1 = ("FRONTEND", "BACKEND", "BAD_SPEC", "RETIRING", "SMT_LOST")
LEVEL_2 = {"FRONTEND": ("FETCH_LATENCY", "FETCH_BANDWIDTH"),
           "BAD_SPEC": ("MISPREDICTS", "MACHINE_CLEARS"),
           "BACKEND": ("MEMORY_BOUND", "CORE_BOUND")}


def evaluate(where, pmu, counts):
    """Metric -> value, as hpm report has them."""
    counters = [data(name, round(count), exclusive=round(count))
                for name, count in counts.items()]
    path = write(where, f"{pmu}.hpm.xml",
                 task_file(0, [record(1, 0, 0, "calc", 1, 1, counters)],
                           pmu=f'pmu="{pmu}"'))
    text = run([HPM, "report", "--format", "csv", path]).stdout.decode()
    return {row["metric"]: float(row["value"])
            for row in csv.DictReader(io.StringIO(text))
            if row["section"] == "calc" and row["value"]}


def test_records(where):
    for pmu, (counts, expected) in RECORDS.items():
        rows = evaluate(where, pmu, counts)
        got = {name: rows.get(name) for name in expected}
        wrong = {name: (value, expected[name]) for name, value in got.items()
                 if value is None or abs(value - expected[name]) > 1e-6}
        equal(wrong, {}, f"{pmu}: top-down is what the vendor's formulas give")
        total = sum(got.get(name + "_PCT") or 0 for name in LEVEL_1)
        ok(abs(total - 100) < 1e-6, f"{pmu}: level 1 is 100 %", total)
        for whole, parts in LEVEL_2.items():
            values = [got.get(part + "_PCT") for part in parts]
            if all(value is not None for value in values):
                ok(abs(sum(values) - got[whole + "_PCT"]) < 1e-6,
                   f"{pmu}: level 2 of {whole} adds up to it", values)


def reached(text):
    """The events that sets, and the metrics in them, name."""
    body = re.sub(r"#.*|\"[^\"]*\"", " ", text)
    statements = re.split(r"\n(?=\w)", body)
    needs, sets = {}, []
    for statement in statements:
        words = re.findall(r"[A-Za-z_][\w$:.=]*", statement)
        if words and words[0] in ("measure", "compute", "compose", "ratio"):
            needs.setdefault(words[1], set()).update(words[2:])
        elif words and words[0] == "set" and words[1] not in ("FIXED", "PAIRED"):
            sets += words[2:]
    found = set()
    while sets:
        word = sets.pop()
        if word not in found:
            found.add(word)
            sets += needs.get(word, ())
    return found


def test_models():
    for name in sorted(os.listdir(MODELS)):
        pmu, path = name.removesuffix(".hpm"), os.path.join(MODELS, name)
        result = run([HPM, "check", "--model", path])
        text = result.stdout.decode() + result.stderr.decode()
        ok(result.returncode == 0 and "no fault" in text and "fault  " not in text,
           f"{name}: is without a fault, and its sets fit", text)
        with open(path) as file:
            text = file.read()
        events = re.findall(r"^event (\S+) =", text, re.M)
        if "\nset " in text:
            equal(sorted(set(events) - reached(text)), [],
                  f"{name}: each event is in a set")
        ok(pmu in RECORDS or pmu == "emr", f"{name}: has a record")


with folder() as place:
    test_records(place)
test_models()
tap.done()
