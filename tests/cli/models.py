# SPDX-License-Identifier: BSD-3-Clause
"""The models of single processors (metrics/models): a made-up record of each, of
which top-down comes out as the vendor's published formula, written here again, has
it; level 1 is 100 %, level 2 adds up to level 1.  Each model is without a fault, all
it counts is in a set, and its sets fit into its counters.  With HPM_TEST_VENDOR, a
folder of vendors' files, Intel's own formulas are worked out, too."""

import csv
import io
import os
import re

import intelmodels
import tap
from reports import data, record, task_file, write
from tap import HPM, MODELS, equal, folder, ok, run, skip

CYCLES = 1_000_000_000


def e_core(width):
    """Intel: each part of levels 1 to 3 is an event, a share of width times cycles."""
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
                 "MISPREDICTS_PCT": 8, "MACHINE_CLEARS_PCT": 2, "HEAVY_OPS_PCT": 4,
                 "ALLOCATION_PCT": 5, "RESOURCES_PCT": 25}
    more, level_3 = e_core_level_3(slots)
    return counts | more, expected | level_3


# The vendor's nodes of level 3 below fetch latency, fetch bandwidth, machine clears and
# resources: event, the metric here, and a made-up percentage of the slots.
E_NODES = (
    ("FE_BOUND:ICACHE", "FETCH_ICACHE", 6), ("FE_BOUND:ITLB_MISS", "FETCH_ITLB", 1),
    ("FE_BOUND:BRANCH_DETECT", "FETCH_DETECT", 3),
    ("FE_BOUND:BRANCH_RESTEER", "FETCH_TAKEN", 5), ("FE_BOUND:CISC", "FETCH_CISC", 2),
    ("FE_BOUND:DECODE", "FETCH_DECODE", 4), ("FE_BOUND:PREDECODE", "FETCH_PREDECODE", 1),
    ("FE_BOUND:OTHER", "FETCH_OTHER", 3), ("BAD_SPECULATION:NUKE", "CLEARS_SLOW", 0.5),
    ("BAD_SPECULATION:FASTNUKE", "CLEARS_FAST", 1.5),
    ("BE_BOUND:MEM_SCHEDULER", "MEM_SCHEDULER", 12),
    ("BE_BOUND:NON_MEM_SCHEDULER", "NON_MEM_SCHEDULER", 4),
    ("BE_BOUND:REGISTER", "REGISTER", 2), ("BE_BOUND:REORDER_BUFFER", "REORDER_BUFFER", 3),
    ("BE_BOUND:SERIALIZATION", "SERIALIZATION", 1))


def e_core_level_3(slots, resources=25):
    """Intel: the count of the node's event, divided by width times cycles; what the
    parts of the resources leave of them is said."""
    counts, expected = {}, {}
    for event, name, percent in E_NODES:
        counts["TOPDOWN_" + event] = percent * slots / 100
        expected[name + "_PCT"] = 100 * counts["TOPDOWN_" + event] / slots
    return counts, expected | {"RESOURCES_UNTOLD_PCT": resources - (12 + 4 + 2 + 3 + 1)}


def clearwater():
    """Intel's list of events has one more resource: for the buffer of loops."""
    counts, expected = e_core(8)
    counts["TOPDOWN_BE_BOUND:LSD"] = 0.02 * 8 * CYCLES
    return counts, expected | {"LOOP_ENTRY_PCT": 2, "RESOURCES_UNTOLD_PCT": 1,
                               "FRONTEND_UNTOLD_PCT": 0}


def p_core(width):
    """Intel: events of general counters, slots of the P core."""
    slots = width * CYCLES
    counts = {"CPU_CLK_UNHALTED:THREAD_P": CYCLES, "INST_RETIRED:ANY_P": 2 * CYCLES,
              "TOPDOWN:SLOTS_P": slots, "IDQ_UOPS_NOT_DELIVERED:CORE": 0.2 * slots,
              "TOPDOWN:BACKEND_BOUND_SLOTS": 0.4 * slots,
              "UOPS_RETIRED:SLOTS": 0.3 * slots,
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
               "STALL_BACKEND_BUSY": 56_000_000}
    front_end = slots * CYCLES // 4 / (slots * CYCLES) - flush / CYCLES
    more_counts, level_3 = arm_level_3(slots == 10, flush)
    return counts | more_counts, level_1 | level_3 | {
        "FRONTEND_PCT": 100 * front_end,
        "BACKEND_PCT": 100 * be / (slots * CYCLES),
        "BAD_SPEC_PCT": 100 * (rest * (1 - done / spec) + flush / CYCLES),
        "FETCH_MEMORY_PCT": 100 * front_end * 150 / (250 - 40),
        "FETCH_CORE_PCT": 100 * front_end * 60 / (250 - 40),
        "FETCH_UNTOLD_PCT": 0, "BACKEND_UNTOLD_PCT": 1,
        "MEMORY_BOUND_PCT": 60 * be / (slots * CYCLES),
        "CORE_BOUND_PCT": 40 * be / (slots * CYCLES),
        "BACKEND_CORE_PCT": 25, "BACKEND_BUSY_PCT": 14}


def arm_level_3(has_flow, flush):
    """Arm's telemetry: what stalled cycles of each part waited for."""
    million = {"STALL_FRONTEND": 250, "STALL_FRONTEND_MEMBOUND": 150,
               "STALL_FRONTEND_CPUBOUND": 100, "STALL_FRONTEND_L1I": 90,
               "STALL_FRONTEND_MEM": 30, "STALL_FRONTEND_TLB": 30,
               "STALL_BACKEND_L1D": 60, "STALL_BACKEND_MEM": 90,
               "STALL_BACKEND_TLB": 36, "STALL_BACKEND_ST": 48,
               "STALL_BACKEND_RENAME": 70}
    expected = {"FETCH_CACHE_PCT": (90 + 30) / 150 * 100,
                "FETCH_TLB_PCT": 30 / 150 * 100, "FETCH_FLUSH_PCT": flush / 1e6,
                "MEMORY_CACHE_PCT": (60 + 90) / 240 * 100,
                "MEMORY_FAR_PCT": 90 / (60 + 90) * 100,
                "MEMORY_TLB_PCT": 36 / 240 * 100, "MEMORY_STORE_PCT": 48 / 240 * 100,
                "MEMORY_UNTOLD_PCT": 2.5, "CORE_RENAME_PCT": 70}
    if has_flow:
        million["STALL_FRONTEND_FLOW"] = 25
        expected["FETCH_FLOW_PCT"] = 25
    return {name: n * 1_000_000 for name, n in million.items()}, expected


def hybrid(late, width):
    """Intel: P cores as p_core, E cores by the parts, each kind of its own slots."""
    p_slots, e_slots = width * CYCLES, 5 * CYCLES // 2
    p = {"TOPDOWN:SLOTS_P": 1, "IDQ_BUBBLES:CORE": 0.2, "UOPS_RETIRED:SLOTS": 0.3,
         "TOPDOWN:BACKEND_BOUND_SLOTS": 0.4, "TOPDOWN:BAD_SPEC_SLOTS": 0.1,
         "TOPDOWN:BR_MISPREDICT_SLOTS": 0.07, "TOPDOWN:MEMORY_BOUND_SLOTS": 0.25,
         "UOPS_RETIRED:HEAVY": 0.05, late: 0.12 / width}
    e = {"TOPDOWN_FE_BOUND:ALL_P": 0.25, "TOPDOWN_BAD_SPECULATION:ALL_P": 0.15,
         "TOPDOWN_BE_BOUND:ALL_P": 0.40, "TOPDOWN_RETIRING:ALL_P": 0.20,
         "TOPDOWN_FE_BOUND:FRONTEND_LATENCY": 0.15,
         "TOPDOWN_FE_BOUND:FRONTEND_BANDWIDTH": 0.10,
         "TOPDOWN_BAD_SPECULATION:MISPREDICT": 0.13,
         "TOPDOWN_BAD_SPECULATION:MACHINE_CLEARS": 0.02,
         "TOPDOWN_BE_BOUND:ALLOC_RESTRICTIONS": 0.05, "UOPS_RETIRED:MS": 0.04}
    counts = {"P_CPU_CLK_UNHALTED:THREAD_P": CYCLES, "P_INST_RETIRED:ANY_P": 2 * CYCLES,
              "P_MEM_INST_RETIRED:ALL_LOADS": 4_000_000,
              "P_MEM_LOAD_RETIRED:L1_MISS": 1_000_000,
              "P_MEM_LOAD_RETIRED:L2_MISS": 400_000, "P_MEM_LOAD_RETIRED:L3_MISS": 100_000,
              "P_BR_INST_RETIRED:ALL_BRANCHES": 8_000_000,
              "P_BR_MISP_RETIRED:ALL_BRANCHES": 80_000,
              "E_CPU_CLK_UNHALTED:CORE_P": CYCLES // 2, "E_INST_RETIRED:ANY_P": CYCLES // 4,
              "E_MEM_UOPS_RETIRED:ALL_LOADS": 2_000_000,
              "E_MEM_LOAD_UOPS_RETIRED:L1_MISS": 200_000,
              "E_MEM_LOAD_UOPS_RETIRED:L2_MISS": 50_000,
              "E_BR_INST_RETIRED:ALL_BRANCHES": 1_000_000,
              "E_BR_MISP_RETIRED:ALL_BRANCHES": 30_000}
    counts |= {"P_" + name: share * p_slots for name, share in p.items()}
    counts |= {"E_" + name: share * e_slots for name, share in e.items()}
    more, level_3 = e_core_level_3(e_slots, 35)
    counts |= {"E_" + name: n for name, n in more.items()}
    return counts, {"E_" + name: value for name, value in level_3.items()} | {
        "P_IPC": 2, "E_IPC": 0.5, "P_FRONTEND_PCT": 20, "P_BACKEND_PCT": 40,
        "P_BAD_SPEC_PCT": 10, "P_RETIRING_PCT": 30, "P_MEMORY_BOUND_PCT": 25,
        "P_CORE_BOUND_PCT": 15, "P_MISPREDICTS_PCT": 7, "P_MACHINE_CLEARS_PCT": 3,
        "P_FETCH_LATENCY_PCT": 12, "P_FETCH_BANDWIDTH_PCT": 8, "P_HEAVY_OPS_PCT": 5,
        "P_LIGHT_OPS_PCT": 25, "E_FRONTEND_PCT": 25, "E_BACKEND_PCT": 40,
        "E_BAD_SPEC_PCT": 15, "E_RETIRING_PCT": 20, "E_FETCH_LATENCY_PCT": 15,
        "E_FETCH_BANDWIDTH_PCT": 10, "E_MISPREDICTS_PCT": 13,
        "E_MACHINE_CLEARS_PCT": 2, "E_ALLOCATION_PCT": 5, "E_RESOURCES_PCT": 35,
        "E_HEAVY_OPS_PCT": 4, "E_LIGHT_OPS_PCT": 16, "P_L1_MISS_PCT": 25,
        "P_L1_MPKI": 0.5, "P_L2_MPKI": 0.2, "P_L3_MPKI": 0.05, "E_L1_MISS_PCT": 10,
        "E_L1_MPKI": 0.8, "E_L2_MPKI": 0.2, "P_BRANCH_MISP_PCT": 1,
        "E_BRANCH_MISP_PCT": 3}


def lion_bandwidth():
    """Intel: half of the cycles in which some of eight operations came, and of the short
    ones without any the decoders' and their cache's share of operations.  In the record
    those for latency are 0.12 of all."""
    odd, mite, dsb, starved, ms, loops = (20_000_000, 300_000_000, 900_000_000,
                                          140_000_000, 9_000_000, 4_000_000)
    starved_short = starved - 120_000_000
    counts = {"IDQ:MITE_UOPS:c=8:i=1:eq=1": odd, "IDQ:MITE_UOPS": mite,
              "IDQ:DSB_UOPS:c=8:i=1:eq=1": 2 * odd, "IDQ:DSB_UOPS": dsb,
              "IDQ_BUBBLES:STARVATION_CYCLES": starved, "IDQ:MS_CYCLES_ANY": ms,
              "LSD:UOPS:c=8:i=1:eq=1": loops}
    return counts, {
        "FETCH_DECODER_PCT":
            100 * (odd / 2 + mite / (dsb + mite) * starved_short) / CYCLES,
        "FETCH_DECODED_PCT":
            100 * (2 * odd / 2 + dsb / (dsb + mite) * starved_short) / CYCLES,
        "FETCH_LOOP_PCT": 100 * loops / CYCLES / 2,
        "FETCH_SEQUENCER_PCT": 100 * ms / CYCLES / 1.8}


def hybrid_level_3(record, is_lion):
    """Intel: level 3 of P cores, which run one thread; Lion Cove counts stalls by
    level and changes to the microcode as they are."""
    counts, expected = record
    slots = counts["P_TOPDOWN:SLOTS_P"]
    more = {"ICACHE_DATA:STALLS": 40_000_000, "ICACHE_TAG:STALLS": 10_000_000,
            "INT_MISC:CLEAR_RESTEER_CYCLES": 20_000_000,
            "INT_MISC:UNKNOWN_BRANCH_CYCLES": 5_000_000, "DECODE:LCP": 1_000_000,
            "DSB2MITE_SWITCHES:PENALTY_CYCLES": 7_000_000,
            "UOPS_RETIRED:MS": 0.02 * slots, "ARITH:DIV_ACTIVE": 50_000_000,
            "CPU_CLK_UNHALTED:C02": 6_000_000,
            "EXE_ACTIVITY:BOUND_ON_STORES": 20_000_000}
    level_3 = {"FETCH_ICACHE_PCT": 4, "FETCH_ITLB_PCT": 1, "FETCH_RESTEER_PCT": 2.5,
               "FETCH_LCP_PCT": 0.1, "FETCH_SWITCH_PCT": 0.7}
    if is_lion:
        more |= {"IDQ:MS_SWITCHES": 2_000_000, "BE_STALLS:SCOREBOARD": 30_000_000,
                 "MEMORY_STALLS:L1": 100_000_000, "MEMORY_STALLS:L2": 50_000_000,
                 "MEMORY_STALLS:L3": 40_000_000, "MEMORY_STALLS:MEM": 110_000_000}
        level_3["FETCH_MICROCODE_PCT"] = 100 * 3 * 2_000_000 / CYCLES
    else:
        more |= {"UOPS_RETIRED:MS:c=1:e=1": 2_000_000, "UOPS_ISSUED:ANY": 0.36 * slots,
                 "RESOURCE_STALLS:SCOREBOARD": 30_000_000,
                 "IDQ:MITE_CYCLES_ANY": 200_000_000, "IDQ:MITE_CYCLES_OK": 180_000_000,
                 "IDQ:DSB_CYCLES_ANY": 500_000_000, "IDQ:DSB_CYCLES_OK": 470_000_000,
                 "EXE_ACTIVITY:BOUND_ON_LOADS": 300_000_000,
                 "MEMORY_ACTIVITY:STALLS_L1D_MISS": 200_000_000,
                 "MEMORY_ACTIVITY:STALLS_L2_MISS": 150_000_000,
                 "MEMORY_ACTIVITY:STALLS_L3_MISS": 110_000_000}
        level_3["FETCH_MICROCODE_PCT"] = 100 * 3 * 2_000_000 / (0.3 / 0.36) / CYCLES
    level_3["FETCH_UNTOLD_PCT"] = 12 - sum(level_3.values())
    if is_lion:
        bandwidth, parts = lion_bandwidth()
        more |= bandwidth
        level_3 |= parts | {"BANDWIDTH_UNTOLD_PCT": 8 - sum(parts.values())}
        expected = expected | {"E_FRONTEND_UNTOLD_PCT": 0}
    else:
        level_3 |= {"FETCH_DECODER_PCT": 1, "FETCH_DECODED_PCT": 1.5}
    level_3 |= {"CORE_DIVIDER_PCT": 5, "CORE_SERIAL_PCT": 3.6,
                "MICROCODE_PCT": 2, "FEW_OPS_PCT": 3,
                "STALL_L1_PCT": 10, "STALL_L2_PCT": 5, "STALL_L3_PCT": 4,
                "STALL_MEM_PCT": 11, "STALL_STORE_PCT": 2}
    return (counts | {"P_" + name: n for name, n in more.items()},
            expected | {"P_" + name: value for name, value in level_3.items()})


def haswell():
    """Intel, a core that runs one thread: what was issued and not completed, and the
    cycles of recovery, are the wrong path's."""
    slots = 4 * CYCLES
    fe, issued, retired, recovery = 0.2 * slots, 0.40 * slots, 0.35 * slots, 30_000_000
    late, clears, misp, micro = 120_000_000, 500_000, 9_500_000, 60_000_000
    bad = (issued - retired + 4 * recovery) / slots
    counts = {"CPU_CLK_UNHALTED:THREAD_P": CYCLES, "INST_RETIRED:ANY_P": 2 * CYCLES,
              "IDQ_UOPS_NOT_DELIVERED:CORE": fe, "UOPS_ISSUED:ANY": issued,
              "UOPS_RETIRED:RETIRE_SLOTS": retired, "INT_MISC:RECOVERY_CYCLES": recovery,
              "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE": late,
              "BR_MISP_RETIRED:ALL_BRANCHES": misp, "MACHINE_CLEARS:COUNT": clears,
              "IDQ:MS_UOPS": micro}
    return counts, {
        "FRONTEND_PCT": 20, "RETIRING_PCT": 35, "BAD_SPEC_PCT": 100 * bad,
        "BACKEND_PCT": 100 * (1 - (0.2 + bad + 0.35)),
        "FETCH_LATENCY_PCT": 100 * 4 * late / slots,
        "FETCH_BANDWIDTH_PCT": 20 - 100 * 4 * late / slots,
        "MISPREDICTS_PCT": 100 * bad * misp / (misp + clears),
        "MACHINE_CLEARS_PCT": 100 * bad * clears / (misp + clears),
        "HEAVY_OPS_PCT": 100 * retired / issued * micro / slots,
        "MICROCODE_PCT": 100 * retired / issued * micro / slots}


def haswell_level_3(record, is_broadwell):
    """Intel: the back end's part of memory asks how many instructions are done a
    cycle, and whether the front end is late; Haswell's record has it so, that of
    Broadwell, which has other names for the same, has it otherwise."""
    counts, expected = record
    executed = ["UOPS_EXECUTED:CORE:c=1", "UOPS_EXECUTED:CORE:c=2",
                "UOPS_EXECUTED:CORE:c=3"]
    pending, divider, walks = "PENDING", "ARITH:DIVIDER_UOPS", "ITLB_MISSES:WALK_DURATION"
    if is_broadwell:
        executed = ["UOPS_EXECUTED:CYCLES_GE_1_UOP_EXEC",
                    "UOPS_EXECUTED:CYCLES_GE_2_UOPS_EXEC",
                    "UOPS_EXECUTED:CYCLES_GE_3_UOPS_EXEC"]
        pending, divider, walks = "MISS", "ARITH:FPU_DIV_ACTIVE", walks + ":c=1"
        counts |= {"INST_RETIRED:ANY_P": CYCLES,
                   "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE": 50_000_000}
        expected |= {"FETCH_LATENCY_PCT": 5, "FETCH_BANDWIDTH_PCT": 15}
    million = {"CYCLE_ACTIVITY:CYCLES_NO_EXECUTE": 300, executed[0]: 700,
               executed[1]: 500, executed[2]: 400, "RS_EVENTS:EMPTY_CYCLES": 50,
               "RESOURCE_STALLS:SB": 20, "CYCLE_ACTIVITY:STALLS_LDM_PENDING": 180,
               "CYCLE_ACTIVITY:STALLS_L1D_" + pending: 120,
               "CYCLE_ACTIVITY:STALLS_L2_" + pending: 80,
               "MEM_LOAD_UOPS_RETIRED:L3_HIT": 7, "MEM_LOAD_UOPS_RETIRED:L3_MISS": 1,
               "ICACHE:IFDATA_STALL": 40, "ITLB_MISSES:STLB_HIT": 1, walks: 6,
               "ITLB_MISSES:WALK_COMPLETED": 1, "BACLEARS:ANY": 1, "IDQ:MS_SWITCHES": 2,
               "ILD_STALL:LCP": 1, "DSB2MITE_SWITCHES:PENALTY_CYCLES": 7,
               divider: 50 if is_broadwell else 5,
               "IDQ:ALL_MITE_CYCLES_ANY_UOPS": 200, "IDQ:ALL_MITE_CYCLES_4_UOPS": 180,
               "IDQ:ALL_DSB_CYCLES_ANY_UOPS": 500, "IDQ:ALL_DSB_CYCLES_4_UOPS": 470}
    cycles = 300 + 700 - 500 + 20 if is_broadwell else 300 + 700 - 400 - 50 + 20
    level_3 = {"FETCH_ICACHE_PCT": 4, "FETCH_ITLB_PCT": 2.7 if is_broadwell else 2,
               "FETCH_RESTEER_PCT": 1.2 * (9.5 + 0.5 + 1), "FETCH_MICROCODE_PCT": 0.4,
               "FETCH_LCP_PCT": 0.1, "FETCH_SWITCH_PCT": 0.7}
    memory = expected["BACKEND_PCT"] * (180 + 20) / cycles
    core = expected["BACKEND_PCT"] - memory
    return (counts | {name: n * 1_000_000 for name, n in million.items()},
            expected | level_3 | {
                "FETCH_UNTOLD_PCT": expected["FETCH_LATENCY_PCT"] - sum(level_3.values()),
                "MEMORY_BOUND_PCT": memory, "CORE_BOUND_PCT": core,
                "FETCH_DECODER_PCT": 1, "FETCH_DECODED_PCT": 1.5,
                "CORE_DIVIDER_PCT": 5, "CORE_PORTS_PCT": 100 * (cycles - 20 - 180) / 1000,
                "STALL_L1_PCT": 6,
                "STALL_L2_PCT": 4, "STALL_L3_PCT": 4, "STALL_MEM_PCT": 4,
                "STALL_STORE_PCT": 2})


def skylake():
    """Intel, one thread: operations beyond one an instruction are heavy."""
    counts, expected = haswell()
    del counts["IDQ:MS_UOPS"], expected["HEAVY_OPS_PCT"]
    late = "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV"
    counts[late + "_CORE"] = counts.pop(late + ":CORE")
    retired, slots = counts["UOPS_RETIRED:RETIRE_SLOTS"], 4 * CYCLES
    fused, instructions = 100_000_000, 1_300_000_000
    counts |= {"UOPS_RETIRED:0x4": fused, "INST_RETIRED:ANY_P": instructions}
    heavy = retired + fused - instructions
    micro = retired / counts["UOPS_ISSUED:ANY"] * 60_000_000
    counts |= {"IDQ:MS_UOPS": 60_000_000, "IDQ:ALL_MITE_CYCLES_ANY_UOPS": 300_000_000,
               "IDQ:ALL_MITE_CYCLES_4_UOPS": 260_000_000,
               "IDQ:DSB_CYCLES_ANY": 400_000_000, "IDQ:DSB_CYCLES_OK": 350_000_000,
               "ICACHE_16B:IFDATA_STALL": 20_000_000,
               "ICACHE_16B:IFDATA_STALL:c=1:e=1": 5_000_000,
               "ICACHE_TAG:STALLS": 10_000_000,
               "INT_MISC:CLEAR_RESTEER_CYCLES": 25_000_000, "BACLEARS:ANY": 1_000_000,
               "IDQ:MS_SWITCHES": 2_000_000, "ILD_STALL:LCP": 3_000_000,
               "DSB2MITE_SWITCHES:PENALTY_CYCLES": 8_000_000,
               "ARITH:DIVIDER_ACTIVE": 40_000_000,
               "PARTIAL_RAT_STALLS:SCOREBOARD": 15_000_000}
    return counts, expected | {
        "HEAVY_OPS_PCT": 100 * heavy / slots, "MICROCODE_PCT": 100 * micro / slots,
        "FEW_OPS_PCT": 100 * (heavy - micro) / slots,
        "FETCH_ICACHE_PCT": 100 * (20 + 2 * 5) / 1000, "FETCH_ITLB_PCT": 1,
        "FETCH_RESTEER_PCT": 100 * (25 + 9 * 1) / 1000,
        "FETCH_MICROCODE_PCT": 100 * 2 * 2 / 1000, "FETCH_LCP_PCT": 0.3,
        "FETCH_SWITCH_PCT": 0.8,
        "FETCH_UNTOLD_PCT": expected["FETCH_LATENCY_PCT"] - (3 + 1 + 3.4 + 0.4 + 1.1),
        "FETCH_DECODER_PCT": 100 * (300 - 260) / 1000 / 2,
        "FETCH_DECODED_PCT": 100 * (400 - 350) / 1000 / 2,
        "CORE_DIVIDER_PCT": 4, "CORE_SERIAL_PCT": 1.5}


def p_core_level_3(counts, expected):
    """Intel: level 3 from Sapphire Rapids on; a core that runs one thread."""
    slots = 6 * CYCLES
    more = {"ICACHE_DATA:STALLS": 40_000_000, "ICACHE_TAG:STALLS": 10_000_000,
            "INT_MISC:CLEAR_RESTEER_CYCLES": 20_000_000,
            "INT_MISC:UNKNOWN_BRANCH_CYCLES": 5_000_000,
            "UOPS_RETIRED:MS": 0.02 * slots, "UOPS_RETIRED:MS:c=1:e=1": 2_000_000,
            "UOPS_ISSUED:ANY": 0.36 * slots, "DECODE:LCP": 1_000_000,
            "DSB2MITE_SWITCHES:PENALTY_CYCLES": 7_000_000,
            "RESOURCE_STALLS:SCOREBOARD": 30_000_000,
            "CPU_CLK_UNHALTED:C02": 6_000_000, "ARITH:DIV_ACTIVE": 50_000_000,
            "IDQ:MITE_CYCLES_ANY": 200_000_000, "IDQ:MITE_CYCLES_OK": 180_000_000,
            "IDQ:DSB_CYCLES_ANY": 500_000_000, "IDQ:DSB_CYCLES_OK": 470_000_000}
    switches = 100 * 3 * 2_000_000 / (0.3 / 0.36) / CYCLES
    level_3 = {"FETCH_ICACHE_PCT": 4, "FETCH_ITLB_PCT": 1, "FETCH_RESTEER_PCT": 2.5,
               "FETCH_MICROCODE_PCT": switches, "FETCH_LCP_PCT": 0.1,
               "FETCH_SWITCH_PCT": 0.7}
    return counts | more, expected | level_3 | {
        "FETCH_UNTOLD_PCT": 10 - sum(level_3.values()),
        "FETCH_DECODER_PCT": 1, "FETCH_DECODED_PCT": 1.5, "CORE_DIVIDER_PCT": 5,
        "CORE_SERIAL_PCT": 3.6, "MICROCODE_PCT": 2,
        "FEW_OPS_PCT": 3}


def icelake():
    """Intel: levels 1 and 2 and parts of level 3, with two threads on the core."""
    slots = 5 * CYCLES
    counts = {"CPU_CLK_UNHALTED:THREAD_P": CYCLES, "INST_RETIRED:ANY_P": 2 * CYCLES,
              "TOPDOWN:SLOTS_P": slots, "IDQ_UOPS_NOT_DELIVERED:CORE": 0.2 * slots,
              "TOPDOWN:BACKEND_BOUND_SLOTS": 0.4 * slots,
              "UOPS_RETIRED:SLOTS": 0.3 * slots,
              "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE": 0.1 * CYCLES,
              "ICACHE_DATA:STALLS": 40_000_000, "ICACHE_TAG:STALLS": 10_000_000,
              "INT_MISC:CLEAR_RESTEER_CYCLES": 20_000_000, "BACLEARS:ANY": 1_000_000,
              "IDQ:MS_SWITCHES": 2_000_000, "ILD_STALL:LCP": 1_000_000,
              "DSB2MITE_SWITCHES:PENALTY_CYCLES": 7_000_000,
              "RESOURCE_STALLS:SCOREBOARD": 30_000_000,
              "ARITH:DIVIDER_ACTIVE": 50_000_000,
              "CPU_CLK_UNHALTED:DISTRIBUTED": CYCLES // 2,
              "IDQ:MITE_CYCLES_ANY": 200_000_000, "IDQ:MITE_CYCLES_OK": 180_000_000,
              "IDQ:DSB_CYCLES_ANY": 300_000_000, "IDQ:DSB_CYCLES_OK": 270_000_000}
    return counts, {
        "FRONTEND_PCT": 20, "BACKEND_PCT": 40, "BAD_SPEC_PCT": 10, "RETIRING_PCT": 30,
        "FETCH_LATENCY_PCT": 10, "FETCH_ICACHE_PCT": 4, "FETCH_ITLB_PCT": 1,
        "FETCH_RESTEER_PCT": 100 * (20 + 10 * 1) / 1000, "FETCH_MICROCODE_PCT": 0.6,
        "FETCH_LCP_PCT": 0.1, "FETCH_SWITCH_PCT": 0.7, "FETCH_UNTOLD_PCT": 0.6,
        "FETCH_DECODER_PCT": 100 * (200 - 180) / 500 / 2,
        "FETCH_DECODED_PCT": 100 * (300 - 270) / 500 / 2, "CORE_DIVIDER_PCT": 5,
        "CORE_SERIAL_PCT": 3}


def ampere(slots):
    """Ampere: the front end has what the other three leave of all slots."""
    all_slots = slots * CYCLES
    be, spec, done, tlb, cache = (0.3 * all_slots, 0.55 * all_slots, 0.45 * all_slots,
                                  20_000_000, 180_000_000)
    misp, flushes, stalled, no_slot = 6_000_000, 8_000_000, 120_000_000, 0.16 * all_slots
    backend, retired = 100 * be / all_slots, 100 * done / all_slots
    lost = 100 * (spec - done) / all_slots
    frontend = 100 - (retired + lost + backend)
    latency = 100 * (stalled - (no_slot - frontend / 100 * all_slots) / slots) / CYCLES
    counts = {"CPU_CYCLES": CYCLES, "INST_RETIRED": 2 * CYCLES, "OP_SPEC": spec,
              "OP_RETIRED": done, "STALL_SLOT_BACKEND": be, "STALL_BACKEND_TLB": tlb,
              "STALL_BACKEND_CACHE": cache, "BR_MIS_PRED_RETIRED": misp,
              "GPC_FLUSH": flushes, "STALL_FRONTEND": stalled,
              "STALL_SLOT_FRONTEND": no_slot}
    return counts, {
        "FRONTEND_PCT": frontend, "BACKEND_PCT": backend, "BAD_SPEC_PCT": lost,
        "RETIRING_PCT": retired, "MEMORY_BOUND_PCT": 100 * (tlb + cache) / CYCLES,
        "CORE_BOUND_PCT": backend - 100 * (tlb + cache) / CYCLES,
        "MISPREDICTS_PCT": misp / flushes * lost,
        "MACHINE_CLEARS_PCT": lost - misp / flushes * lost,
        "FETCH_LATENCY_PCT": latency, "FETCH_BANDWIDTH_PCT": frontend - latency}


def power10():
    """IBM: the four kinds of stalls; the rest of the cycles is the inferred part."""
    stalls = {"PM_DISP_STALL_CYC": ("STALL_DISPATCH", 150_000_000),
              "PM_ISSUE_STALL": ("STALL_ISSUE", 50_000_000),
              "PM_EXEC_STALL": ("STALL", 300_000_000),
              "PM_CMPL_STALL": ("STALL_COMPLETION", 100_000_000)}
    counts = {"PM_CYC": CYCLES, "PM_RUN_INST_CMPL": 2 * CYCLES,
              "PM_LD_REF_L1": 400_000_000, "PM_LD_MISS_L1": 8_000_000,
              "PM_DATA_FROM_L2MISS": 2_000_000, "PM_DATA_FROM_L3MISS": 500_000}
    counts |= {event: count for event, (_, count) in stalls.items()}
    expected = {name: count for name, count in stalls.values()}
    return counts, expected | {
        "IPC": 2, "BUSY": CYCLES - sum(expected.values()), "L3_HIT": 1_500_000}


def thunderx2():
    """Arm's common events: cycles that either end stalled, misses of lines."""
    counts = {"CPU_CYCLES": CYCLES, "INST_RETIRED": CYCLES // 2,
              "STALL_FRONTEND": 200_000_000, "STALL_BACKEND": 500_000_000,
              "L1D_CACHE_RD": 300_000_000, "L1D_CACHE_WR": 100_000_000,
              "L1D_CACHE_REFILL_RD": 6_000_000, "L1D_CACHE_REFILL_WR": 2_000_000,
              "L2D_CACHE": 10_000_000, "L2D_CACHE_REFILL": 3_000_000}
    return counts, {"IPC": 0.5, "STALL": 700_000_000, "BUSY": 300_000_000,
                    "L1_HIT_RATE": 98, "L2_HIT_RATE": 70, "L2_MPKI": 6}


def zen1():
    """AMD: operations that load and store are in both; no event counts slots."""
    counts = {"LS_NOT_HALTED_CYC": CYCLES, "EX_RET_INSTR": 2 * CYCLES,
              "EX_RET_BRN": 200_000_000, "EX_RET_BRN_MISP": 2_000_000,
              "LS_DISPATCH:ALL": 900_000_000, "LS_DISPATCH:LD_DISPATCH": 600_000_000,
              "LS_DISPATCH:STORE_DISPATCH": 250_000_000,
              "L2_CACHE_REQ_STAT:DC_HIT_IN_L2": 9_000_000,
              "L2_CACHE_REQ_STAT:LS_RD_BLK_C": 1_000_000,
              "LS_L1_D_TLB_MISS:ALL": 4_000_000, "LS_L1_D_TLB_MISS:L2_MISS": 1_000_000}
    return counts, {"IPC": 2, "BRANCH_MISP_PCT": 1, "LOAD": 650_000_000,
                    "STORE": 300_000_000, "L2_HIT_RATE": 90, "L2_MPKI": 0.5,
                    "DATA_TLB_HIT": 3_000_000}


def apple():
    """Apple: no slots are published; ratios of each kind of cores alone."""
    kind = {"CORE_ACTIVE_CYCLE": 1_000, "INST_ALL": 2_500, "RETIRE_UOP": 3_000,
            "INST_BRANCH": 500, "INST_BRANCH_TAKEN": 300,
            "BRANCH_MISPRED_NONSPEC": 10, "INST_LDST": 750, "INST_INT_ALU": 1_000,
            "INST_SIMD_ALU": 250, "L1D_CACHE_MISS_LD_NONSPEC": 20,
            "L1D_CACHE_MISS_ST_NONSPEC": 5, "L1D_TLB_MISS_NONSPEC": 15,
            "L2_TLB_MISS_DATA": 4, "L2_TLB_MISS_INSTRUCTION": 1,
            "L1I_CACHE_MISS_DEMAND": 3, "MAP_STALL": 400}
    counts, expected = {}, {}
    for letter, factor, instructions in ("P", 1_000_000, 1), ("E", 100_000, 0.5):
        counts |= {f"{letter}_{name}": n * factor for name, n in kind.items()}
        counts[letter + "_INST_ALL"] = n = int(2_500 * factor * instructions)
        each = {"IPC": n / (1_000 * factor), "UOPS_PER_INSTR": 3_000 * factor / n,
                "STALL_PCT": 40, "BRANCH_MISP_PCT": 2, "TAKEN_PCT": 60,
                "BRANCH_PCT": 100 * 500 * factor / n,
                "LDST_PCT": 100 * 750 * factor / n, "INT_PCT": 1e5 * factor / n,
                "SIMD_PCT": 100 * 250 * factor / n, "L1_MPKI": 25_000 * factor / n,
                "L1I_MPKI": 3_000 * factor / n, "TLB_MPKI": 15_000 * factor / n,
                "WALK_MPKI": 5_000 * factor / n}
        expected |= {f"{letter}_{name}": value for name, value in each.items()}
    return counts, expected | {"E_INSTRUCTION_PCT": 100 * 0.05 / 1.05,
                               "IPC": None, "CYCLES": None}


def riscv():
    """What the firmware interface has names for, by the kernel's names."""
    counts = {"cycles": CYCLES, "instructions": CYCLES // 2, "branches": 90_000_000,
              "branch-misses": 900_000, "L1-dcache-loads": 120_000_000,
              "L1-dcache-stores": 80_000_000, "L1-dcache-load-misses": 3_000_000,
              "L1-dcache-store-misses": 1_000_000, "LLC-loads": 2_000_000,
              "LLC-load-misses": 500_000, "L1-icache-loads": 400_000_000,
              "L1-icache-load-misses": 1_000_000,
              "stalled-cycles-frontend": 100_000_000,
              "stalled-cycles-backend": 250_000_000}
    return counts, {"IPC": 0.5, "BRANCH_MISP_PCT": 1, "LOAD": 120_000_000,
                    "STORE": 80_000_000, "L1_HIT_RATE": 98, "L1_MPKI": 8,
                    "L3_HIT_RATE": 75, "INST_HIT_L1$": 399_000_000,
                    "STALL": 350_000_000, "BUSY": 650_000_000, "STALLED_PCT": 25}


def xeon_mix(record, has_indirect=True):
    """Which branches, and how wide floating point instructions are."""
    counts, expected = record
    branches = {"ALL_BRANCHES": 200, "COND": 150, "NEAR_TAKEN": 120, "NEAR_CALL": 20,
                "NEAR_RETURN": 18}
    shares = {"COND": 75, "TAKEN": 60, "CALL": 10, "RETURN": 9}
    if has_indirect:
        branches["INDIRECT"], shares["INDIRECT"] = 5, 2.5
    widths = {"SCALAR": 10, "128B_PACKED": 20, "256B_PACKED": 30, "512B_PACKED": 40}
    counts = counts | {f"BR_INST_RETIRED:{name}": n * 1_000_000
                       for name, n in branches.items()}
    counts |= {f"FP_ARITH_INST_RETIRED:{name}_{precision}": n * part
               for name, n in widths.items()
               for precision, part in (("DOUBLE", 700_000), ("SINGLE", 300_000))}
    return counts, expected | {
        f"BRANCH_{name}_PCT": share for name, share in shares.items()} | {
        "FP_SCALAR_PCT": 10, "FP_128_PCT": 20, "FP_256_PCT": 30, "FP_512_PCT": 40}


def of_gracemont(record):
    """Its list has another name for the same event."""
    counts, expected = record
    counts["E_TOPDOWN_FE_BOUND:ITLB"] = counts.pop("E_TOPDOWN_FE_BOUND:ITLB_MISS")
    return counts, expected


# ---- Intel: units of the core, microcode, loops, light operations -------------------

MILLION = 1_000_000
# Counts of all of them; a record's own go before.
UNITS = {"EXE_ACTIVITY:EXE_BOUND_0_PORTS": 60 * MILLION,
         "EXE_ACTIVITY:1_PORTS_UTIL": 40 * MILLION,
         "EXE_ACTIVITY:2_PORTS_UTIL": 50 * MILLION,
         "EXE_ACTIVITY:2_3_PORTS_UTIL": 50 * MILLION,
         "CYCLE_ACTIVITY:STALLS_TOTAL": 420 * MILLION,
         "CYCLE_ACTIVITY:STALLS_MEM_ANY": 300 * MILLION,
         "EXE_ACTIVITY:BOUND_ON_LOADS": 300 * MILLION,
         "RS:EMPTY_RESOURCE": 35 * MILLION}


def unit_cycles(pmu, count, retiring):
    """Cycles in which no unit, one, or two worked though no data was waited for:
    Intel's Ports_Utilization."""
    is_old = pmu in ("skx", "clx", "icx")
    stalls = count("CYCLE_ACTIVITY:STALLS_TOTAL") - count(
        "CYCLE_ACTIVITY:STALLS_MEM_ANY" if is_old else "EXE_ACTIVITY:BOUND_ON_LOADS")
    none = count("EXE_ACTIVITY:EXE_BOUND_0_PORTS")
    if pmu in ("spr", "emr", "adl"):
        empty = count("RS:EMPTY_RESOURCE") - count("RESOURCE_STALLS:SCOREBOARD")
        none = (none + max(empty, 0)) * stalls / CYCLES
    elif pmu in ("gnr", "mtl"):
        none = max(none - count("RESOURCE_STALLS:SCOREBOARD"), 0)
    if count("ARITH:DIVIDER_ACTIVE" if is_old else "ARITH:DIV_ACTIVE") >= stalls:
        none = 0
    two = count(f"EXE_ACTIVITY:{'2' if is_old else '2_3'}_PORTS_UTIL")
    return none + count("EXE_ACTIVITY:1_PORTS_UTIL") + two * retiring / 100


def microcode(pmu, slots):
    """What the microcode and the buffer of loops gave: counts, and shares."""
    if pmu == "icx":
        return {"IDQ:MS_UOPS:c=1": 33 * MILLION, "UOPS_ISSUED:ANY": 0.36 * slots,
                "IDQ:MS_UOPS": 0.024 * slots, "UOPS_DECODED:DEC0": 100 * MILLION,
                "UOPS_DECODED:DEC0:c=1": 90 * MILLION, "IDQ:MITE_UOPS": 100 * MILLION}, {
                    "FETCH_SEQUENCER_PCT": 100 * 33 / 3.3 / 500,  # two threads share
                    "MICROCODE_PCT": 100 * 0.3 / 0.36 * 0.024,
                    "FEW_OPS_PCT": 30 * (100 - 90) / 100, "HEAVY_OPS_PCT": 5}
    if pmu not in ("spr", "emr", "gnr", "adl", "mtl"):
        return {}, {}
    sequenced = 10 if pmu in ("spr", "adl") else 40
    counts = {"IDQ:MS_CYCLES_ANY": 24 * MILLION,
              "UOPS_RETIRED:MS:c=1": sequenced * MILLION}
    expected = {"FETCH_SEQUENCER_PCT":
                100 * max(24, sequenced / (0.3 / 0.36)) / 2.4 / 1000}
    if pmu in ("adl", "mtl"):
        counts |= {"LSD:CYCLES_ACTIVE": 30 * MILLION, "LSD:CYCLES_OK": 20 * MILLION}
        expected["FETCH_LOOP_PCT"] = 100 * (30 - 20) / 1000 / 2
    return counts, expected


def with_units(pmu, record, **own):
    """A record with the units of Intel's cores, and with counts of one's own."""
    counts, expected = record
    letter = "P_" if pmu in ("adl", "mtl", "lnl", "arl") else ""
    slots = counts.get(letter + "TOPDOWN:SLOTS_P", 0)
    more, shares = microcode(pmu, slots)
    counts = {letter + name: n for name, n in (UNITS | more).items()} | counts | own
    shares = {letter + name: value for name, value in shares.items()}
    retiring = expected[letter + "RETIRING_PCT"]
    if "bdw" not in pmu and "hsw" not in pmu:
        shares[letter + "CORE_PORTS_PCT"] = 100 / CYCLES * unit_cycles(
            pmu, lambda name: counts[letter + name], retiring)
    expected = expected | shares
    expected[letter + "LIGHT_OPS_PCT"] = \
        retiring - expected[letter + "HEAVY_OPS_PCT"]
    return counts, expected | untold(letter, expected)


# ---- Intel: light operations, mispredictions, clears, matrices ----------------------

# Counts of all of them; a record's own go before.
LIGHT = {"UOPS_EXECUTED:X87": 20 * MILLION, "UOPS_EXECUTED:THREAD": 2500 * MILLION,
         "FP_ARITH_INST_RETIRED:SCALAR": 10 * MILLION,
         "FP_ARITH_INST_RETIRED:VECTOR": 90 * MILLION,
         "FP_ARITH_INST_RETIRED2:SCALAR": 4 * MILLION,
         "FP_ARITH_INST_RETIRED2:VECTOR": 6 * MILLION,
         "FP_ARITH_OPS_RETIRED:SCALAR": 10 * MILLION,
         "FP_ARITH_OPS_RETIRED:VECTOR": 90 * MILLION,
         "INST_RETIRED:X87": 20 * MILLION,
         "INT_VEC_RETIRED:ADD_128": 30 * MILLION, "INT_VEC_RETIRED:VNNI_128": 10 * MILLION,
         "INT_VEC_RETIRED:ADD_256": 40 * MILLION, "INT_VEC_RETIRED:MUL_256": 15 * MILLION,
         "INT_VEC_RETIRED:VNNI_256": 5 * MILLION, "INT_VEC_RETIRED:128BIT": 40 * MILLION,
         "INT_VEC_RETIRED:256BIT": 60 * MILLION, "MEM_UOP_RETIRED:ANY": 500 * MILLION,
         "MEM_INST_RETIRED:ANY": 600 * MILLION, "BR_INST_RETIRED:ALL_BRANCHES": 90 * MILLION,
         "INST_RETIRED:MACRO_FUSED": 5 * MILLION, "INST_RETIRED:BR_FUSED": 4 * MILLION,
         "BR_MISP_RETIRED:ALL_BRANCHES": 9 * MILLION, "MACHINE_CLEARS:COUNT": 2 * MILLION,
         "MACHINE_CLEARS:MEMORY_ORDERING": 300_000, "INT_MISC:CLEARS_COUNT": 15 * MILLION,
         "EXE:AMX_BUSY": 30 * MILLION, "BR_MISP_RETIRED:COND_NTAKEN": 3 * MILLION,
         "BR_MISP_RETIRED:COND_TAKEN": 4 * MILLION, "BR_MISP_RETIRED:RET": 200_000,
         "BR_MISP_RETIRED:INDIRECT_CALL": 500_000, "BR_MISP_RETIRED:INDIRECT": 1_200_000}


def floating_point(pmu, count, operations):
    """tma_x87_use, tma_fp_scalar, tma_fp_vector, as shares."""
    name = "FP_ARITH_OPS" if pmu in ("lnl", "arl") else "FP_ARITH_INST"
    scalar, vector = (count(f"{name}_RETIRED:{kind}") for kind in ("SCALAR", "VECTOR"))
    if pmu in ("spr", "emr", "gnr"):
        scalar += count("FP_ARITH_INST_RETIRED2:SCALAR")
        vector += count("FP_ARITH_INST_RETIRED2:VECTOR")
    if pmu == "bdw_ep":
        per_instruction = operations / count("INST_RETIRED:ANY_P")
        x87 = count("INST_RETIRED:X87") * per_instruction / operations
    else:
        x87 = count("RETIRING") * count("UOPS_EXECUTED:X87") / count("UOPS_EXECUTED:THREAD")
    return {"X87": x87, "FP_SCALAR": scalar / operations, "FP_VECTOR": vector / operations,
            "FP": x87 + scalar / operations + vector / operations}


def other_work(pmu, count, operations):
    """tma_int_operations, tma_memory_operations, tma_fused_instructions,
    tma_non_fused_branches or tma_branch_instructions, as shares."""
    share = count("LIGHT_OPS") / operations
    is_old = pmu in ("skx", "clx", "icx")
    found = {"MEMORY": count("LIGHT_OPS") * count("MEM_INST_RETIRED:ANY")
             / count("INST_RETIRED:ANY_P") if is_old else
             share * count("MEM_UOP_RETIRED:ANY")}
    branches = count("BR_INST_RETIRED:ALL_BRANCHES")
    if pmu == "icx":
        return found | {"BRANCH": share * branches}
    fused = count("UOPS_RETIRED:0x4" if is_old else "INST_RETIRED:MACRO_FUSED")
    of_branches = count("INST_RETIRED:BR_FUSED") if pmu in ("lnl", "arl") else fused
    found |= {"FUSED": share * fused, "BRANCH": share * (branches - of_branches)}
    if not is_old:
        found["INT"] = sum(
            count(f"INT_VEC_RETIRED:{kind}") / operations for kind in
            ("ADD_128", "VNNI_128", "ADD_256", "MUL_256", "VNNI_256"))
    return found


def thrown_away(pmu, count):
    """tma_other_mispredicts, tma_other_nukes, and the kinds of branches where Intel
    tells them by counts, as shares."""
    misp, clears = count("MISPREDICTS"), count("MACHINE_CLEARS")
    branches, nukes = count("BR_MISP_RETIRED:ALL_BRANCHES"), count("MACHINE_CLEARS:COUNT")
    found = {"MISPREDICTS_OTHER": max(
        misp * (1 - branches / (count("INT_MISC:CLEARS_COUNT") - nukes)), 0.0001),
             "CLEARS_OTHER": max(
        clears * (1 - count("MACHINE_CLEARS:MEMORY_ORDERING") / nukes), 0.0001)}
    if pmu == "gnr":
        kinds = {"NOT_TAKEN": "COND_NTAKEN", "TAKEN": "COND_TAKEN", "RETURN": "RET",
                 "CALL": "INDIRECT_CALL"}
        found |= {f"MISPREDICTS_{name}": count(f"BR_MISP_RETIRED:{event}") / branches * misp
                  for name, event in kinds.items()}
        jumps = count("BR_MISP_RETIRED:INDIRECT") - count("BR_MISP_RETIRED:INDIRECT_CALL")
        found["MISPREDICTS_JUMP"] = max(jumps / branches * misp, 0)
    kinds = [name for name in found if name.startswith("MISPREDICTS_")]
    return found | {"MISPREDICTS_UNTOLD": misp - sum(found[name] for name in kinds),
                    "CLEARS_UNTOLD": clears - found["CLEARS_OTHER"]}


def with_light(pmu, record, **own):
    """A record with what level 3 divides light operations, mispredictions and clears
    into, and with counts of one's own."""
    counts, expected = record
    letter = "P_" if pmu in ("adl", "mtl", "lnl", "arl") else ""
    counts = {letter + name: n for name, n in LIGHT.items()} | counts | own

    def count(name):
        share = expected.get(f"{letter}{name}_PCT")
        return counts[letter + name] if share is None else share / 100
    slots = counts.get(letter + "TOPDOWN:SLOTS_P", 4 * CYCLES)
    operations = count("RETIRING") * slots
    light = floating_point(pmu, count, operations)
    parts = {"FP": light["FP"]}
    if pmu != "bdw_ep":
        parts |= other_work(pmu, count, operations)
        parts["OTHER"] = max(0, count("LIGHT_OPS") - sum(parts.values()))
    light |= parts | {"UNTOLD": count("LIGHT_OPS") - sum(parts.values())}
    found = {f"LIGHT_{name}": value for name, value in light.items()}
    if pmu != "bdw_ep":
        found |= thrown_away(pmu, count)
    if pmu in ("spr", "emr", "gnr"):
        found["CORE_AMX"] = count("EXE:AMX_BUSY") / CYCLES
    expected = expected | {f"{letter}{name}_PCT": 100 * value
                           for name, value in found.items()}
    return counts, expected | untold(letter, expected)


def untold(letter, expected):
    """What level 3 leaves of each part of level 2."""
    parts = {"CORE": ("DIVIDER", "SERIAL", "AMX", "PORTS"),
             "FETCH": ("DECODER", "DECODED", "LOOP", "SEQUENCER")}
    wholes = {"CORE": ("CORE_BOUND_PCT", "CORE_UNTOLD_PCT"),
              "FETCH": ("FETCH_BANDWIDTH_PCT", "BANDWIDTH_UNTOLD_PCT")}
    found = {}
    for first, (whole, name) in wholes.items():
        if letter + whole in expected:
            found[letter + name] = expected[letter + whole] - sum(
                expected.get(f"{letter}{first}_{part}_PCT", 0)
                for part in parts[first])
    if letter + "MEMORY_BOUND_PCT" in expected and letter:
        found[letter + "MEMORY_UNTOLD_PCT"] = \
            expected[letter + "MEMORY_BOUND_PCT"] - sum(
                expected[f"{letter}STALL_{part}_PCT"]
                for part in ("L1", "L2", "L3", "MEM", "STORE"))
    return found


def dropped(record, letter="", clears=0, is_split=False):
    """Intel: what was dropped for other reasons is taken off the front end and off
    its latency, and is of the wrong path; on Ice Lake-SP (`clears`) five slots for each
    clear are the back end's, and its parts are shares of it."""
    counts, expected = record
    slots = counts[letter + "TOPDOWN:SLOTS_P"]
    counts.pop(letter + "TOPDOWN:BAD_SPEC_SLOTS", None)
    drop = counts[letter + "INT_MISC:UOP_DROPPING"] = 0.012 * slots
    share = {name: expected[f"{letter}{name}_PCT"] / 100
             for name in ("FRONTEND", "BACKEND", "RETIRING", "FETCH_LATENCY")}
    front = share["FRONTEND"] - drop / slots
    late = share["FETCH_LATENCY"] - drop / slots
    back = share["BACKEND"] + 5 * clears / slots
    bad = max(1 - (front + back + share["RETIRING"]), 0)
    if is_split:
        counts |= {"INT_MISC:CLEARS_COUNT": clears, "MACHINE_CLEARS:COUNT": 1 * MILLION,
                   "BR_MISP_RETIRED:ALL_BRANCHES": 4 * MILLION,
                   "EXE_ACTIVITY:BOUND_ON_STORES": 20 * MILLION}
        memory = (300 + 20) / (420 + (40 + share["RETIRING"] * 50) + 20) * back
        misp = 4 / (4 + 1) * bad
    else:
        memory = expected[letter + "MEMORY_BOUND_PCT"] / 100
        misp = expected[letter + "MISPREDICTS_PCT"] / 100
    new = {"FRONTEND": front, "FETCH_LATENCY": late, "BACKEND": back, "BAD_SPEC": bad,
           "FETCH_BANDWIDTH": max(0, front - late), "MEMORY_BOUND": memory,
           "CORE_BOUND": max(0, back - memory), "MISPREDICTS": misp,
           "MACHINE_CLEARS": max(0, bad - misp)}
    untold = {letter + "FETCH_UNTOLD_PCT":
              expected[letter + "FETCH_UNTOLD_PCT"] - 100 * drop / slots}
    return counts, expected | untold | {
        f"{letter}{name}_PCT": 100 * value for name, value in new.items()}


def full_buffers(record, event):
    """Intel, Skylake to Ice Lake-SP: of the stalls between levels 1 and 2 level 2 has
    the part of the loads it served, and memory what is left."""
    counts, expected = record
    l2_hit, fb_hit, l1_miss, full = 6 * MILLION, 3 * MILLION, 8 * MILLION, 4 * MILLION
    counts |= {"CYCLE_ACTIVITY:STALLS_L1D_MISS": 200 * MILLION,
               "CYCLE_ACTIVITY:STALLS_L2_MISS": 120 * MILLION,
               "CYCLE_ACTIVITY:STALLS_L3_MISS": 50 * MILLION,
               "MEM_LOAD_RETIRED:L2_HIT": l2_hit, "MEM_LOAD_RETIRED:FB_HIT": fb_hit,
               "MEM_LOAD_RETIRED:L1_MISS": l1_miss, event: full}
    loads = l2_hit * (1 + fb_hit / l1_miss)
    level_2 = loads / (loads + full) * (200 - 120) / 1000
    return counts, expected | {
        "STALL_L1_PCT": 100 * (300 - 200) / 1000, "STALL_L2_PCT": 100 * level_2,
        "STALL_L3_PCT": 100 * (120 - 50) / 1000,
        "STALL_MEM_PCT": 100 * (50 / 1000 + (200 - 120) / 1000 - level_2)}


RECORDS = {"apple_m1": apple(), "apple_m2": apple(), "riscv": riscv(),
           "adl": dropped(of_gracemont(hybrid_level_3(hybrid("IDQ_BUBBLES:CYCLES_0_UOPS_DELIV:CORE", 6), False)), "P_"),
           "mtl": dropped(hybrid_level_3(hybrid("IDQ_BUBBLES:CYCLES_0_UOPS_DELIV:CORE", 6), False), "P_"),
           "lnl": hybrid_level_3(hybrid("IDQ_BUBBLES:FETCH_LATENCY", 8), True),
           "arl": hybrid_level_3(hybrid("IDQ_BUBBLES:FETCH_LATENCY", 8), True),
           "hsw_ep": haswell_level_3(haswell(), False),
           "bdw_ep": haswell_level_3(haswell(), True),
           "skx": full_buffers(xeon_mix(skylake(), False), "L1D_PEND_MISS:FB_FULL:c=1"),
           "clx": full_buffers(xeon_mix(skylake(), False), "L1D_PEND_MISS:FB_FULL:c=1"),
           "arm_ampereone": ampere(4),
           "arm_thunderx2": thunderx2(), "amd64_fam17h_zen1": zen1(),
           "power10": power10(),
           "gnr": dropped(xeon_mix(p_core_level_3(*p_core(6)))),
           "emr": dropped(xeon_mix(p_core_level_3(*p_core(6)))),
           "spr": dropped(xeon_mix(p_core_level_3(*p_core(6)))),
           "icx": full_buffers(dropped(xeon_mix(icelake()), "", 9 * MILLION, True),
                               "L1D_PEND_MISS:FB_FULL_PERIODS"),
           "srf": e_core(6), "cwf": clearwater(),
           "amd64_fam1ah_zen5": zen("BP_REDIRECTS:RESYNC"),
           "amd64_fam1ah_zen6": zen("BP_FE_REDIR:RESYNC"),
           "arm_n2": arm(5, False), "arm_v2": arm(8, False),
           "arm_n3": arm(5, True), "arm_v3": arm(10, True)}
OF_INTEL = ("hsw_ep", "bdw_ep", "skx", "clx", "icx", "spr", "emr", "gnr", "adl", "mtl",
            "lnl", "arl")
RECORDS |= {pmu: with_units(pmu, RECORDS[pmu]) for pmu in OF_INTEL}
OF_LIGHT = OF_INTEL[1:]  # of Haswell Intel has no part of light operations
RECORDS |= {pmu: with_light(pmu, RECORDS[pmu]) for pmu in OF_LIGHT}
WITHOUT_SLOTS = ("arm_thunderx2", "amd64_fam17h_zen1", "power10", "apple_m1",
                 "apple_m2", "riscv")
# what the machine tells
FACTS = {"adl": 'facts="no-SMT"', "mtl": 'facts="no-SMT"', "gnr": 'facts="no-SMT"', "emr": 'facts="no-SMT"', "spr": 'facts="no-SMT"',
         "icx": 'facts="SMT"', "arm_ampereone": 'facts="WIDTH=4"', "hsw_ep": 'facts="no-SMT"',
         "bdw_ep": 'facts="no-SMT"', "skx": 'facts="no-SMT"', "clx": 'facts="no-SMT"'}
LEVEL_1 = ("FRONTEND", "BACKEND", "BAD_SPEC", "RETIRING", "SMT_LOST")
LEVEL_2 = {"FRONTEND": ("FETCH_LATENCY", "FETCH_BANDWIDTH"),
           "BAD_SPEC": ("MISPREDICTS", "MACHINE_CLEARS"),
           "BACKEND": ("MEMORY_BOUND", "CORE_BOUND"),
           "HEAVY_OPS": ("MICROCODE", "FEW_OPS")}
# Intel's E cores
LEVEL_3 = {"BACKEND": ("ALLOCATION", "RESOURCES"),
           "FETCH_LATENCY": ("FETCH_ICACHE", "FETCH_ITLB", "FETCH_DETECT", "FETCH_TAKEN"),
           "FETCH_BANDWIDTH": ("FETCH_CISC", "FETCH_DECODE", "FETCH_PREDECODE",
                               "FETCH_OTHER"),
           "MACHINE_CLEARS": ("CLEARS_SLOW", "CLEARS_FAST"),
           "RESOURCES": ("MEM_SCHEDULER", "NON_MEM_SCHEDULER", "REGISTER",
                         "REORDER_BUFFER", "SERIALIZATION", "RESOURCES_UNTOLD")}
# Intel's P cores: those of them that the processor has, with what they leave
LEVEL_3_OF_SOME = {
    "LIGHT_OPS": ("LIGHT_FP", "LIGHT_INT", "LIGHT_MEMORY", "LIGHT_FUSED", "LIGHT_BRANCH",
                  "LIGHT_OTHER", "LIGHT_UNTOLD"),
    "LIGHT_FP": ("LIGHT_X87", "LIGHT_FP_SCALAR", "LIGHT_FP_VECTOR"),
    "MISPREDICTS": tuple(f"MISPREDICTS_{kind}" for kind in (
        "NOT_TAKEN", "TAKEN", "CALL", "JUMP", "RETURN", "OTHER", "UNTOLD")),
    "MACHINE_CLEARS": ("CLEARS_OTHER", "CLEARS_UNTOLD"),
    "CORE_BOUND": ("CORE_DIVIDER", "CORE_SERIAL", "CORE_AMX", "CORE_PORTS",
                   "CORE_UNTOLD")}
# Arm has other parts of the front end.
ARM_FRONTEND = ("FETCH_MEMORY", "FETCH_CORE")


def write_record(where, pmu, counts):
    counters = [data(name, round(count), exclusive=round(count))
                for name, count in counts.items()]
    return write(where, f"{pmu}.hpm.xml",
                 task_file(0, [record(1, 0, 0, "calc", 1, 1, counters)],
                           pmu=f'pmu="{pmu}" {FACTS.get(pmu, "")}'))


def evaluate(where, pmu, counts, **variables):
    """Metric -> value, as hpm report has them."""
    path = write_record(where, pmu, counts)
    text = run([HPM, "report", "--format", "csv", path], **variables).stdout.decode()
    return {row["metric"]: float(row["value"])
            for row in csv.DictReader(io.StringIO(text))
            if row["section"] == "calc" and row["value"]}


def test_records(where):
    for pmu, (counts, expected) in RECORDS.items():
        rows = evaluate(where, pmu, counts)
        got = {name: rows.get(name) for name in expected}
        wrong = {name: (value, expected[name]) for name, value in got.items()
                 if (value is None) != (expected[name] is None) or
                 value is not None and abs(value - expected[name]) > 1e-6}
        equal(wrong, {}, f"{pmu}: top-down is what the vendor's formulas give")
        if pmu in ("adl", "mtl", "lnl", "arl", "apple_m1", "apple_m2"):
            ok("INSTRUCTION" in rows and "CYCLES_EXPECTED" not in rows,
               f"{pmu}: no cycles of both kinds are made of instructions of both",
               rows)
        for kind in ("P_", "E_") if "P_SLOTS" in rows else ("",):
            levels(pmu, kind, got)


def test_units_beside_divider(where):
    """Where the divider works longer than nothing begins without waiting for data,
    cycles without any unit at work are its own."""
    for pmu in OF_INTEL[2:]:
        letter = "P_" if pmu in ("adl", "mtl", "lnl", "arl") else ""
        name = letter + ("ARITH:DIVIDER_ACTIVE" if pmu in ("skx", "clx", "icx")
                         else "ARITH:DIV_ACTIVE")
        counts, expected = with_units(pmu, RECORDS[pmu], **{name: 900 * MILLION})
        name = letter + "CORE_PORTS_PCT"
        got = evaluate(where, pmu, counts).get(name, -1)
        ok(abs(got - expected[name]) < 1e-6 and got < RECORDS[pmu][1][name],
           f"{pmu}: cycles of the divider are not counted twice", (got, expected[name]))


def test_much_floating_point(where):
    """Multiply-adds, counted twice, may be more than the whole: other work is 0 then,
    and what is untold below 0; mispredictions and clears are never below 0.01."""
    for pmu in OF_LIGHT:
        letter = "P_" if pmu in ("adl", "mtl", "lnl", "arl") else ""
        name = "FP_ARITH_OPS" if pmu in ("lnl", "arl") else "FP_ARITH_INST"
        own = {f"{letter}{name}_RETIRED:VECTOR": 3000 * MILLION,
               letter + "MACHINE_CLEARS:MEMORY_ORDERING": 20 * MILLION}
        counts, expected = with_light(pmu, RECORDS[pmu], **own)
        names = [letter + "LIGHT_UNTOLD_PCT", letter + "LIGHT_FP_PCT"]
        if pmu != "bdw_ep":
            names += [letter + "LIGHT_OTHER_PCT", letter + "CLEARS_OTHER_PCT"]
        rows = evaluate(where, pmu, counts)
        got = [rows.get(name, -1) for name in names]
        ok(all(abs(value - expected[name]) < 1e-6 for name, value in zip(names, got))
           and got[0] < 0 and got[2:] in ([], [0, 0.01]),
           f"{pmu}: parts that are more than their whole are told", (names, got))


def test_more_than_all_cycles(where):
    """Intel: Haswell's cycles without an operation, and stalled ones, are cut off at
    all cycles, since these events may count more."""
    counts, expected = RECORDS["hsw_ep"]
    more = 1200 * MILLION
    got = evaluate(where, "hsw_ep", counts | {
        "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE": more,
        "CYCLE_ACTIVITY:STALLS_LDM_PENDING": more,
        "CYCLE_ACTIVITY:CYCLES_NO_EXECUTE": more})
    equal(got.get("FETCH_LATENCY_PCT"), 100, "hsw_ep: no more latency than cycles")
    few = 1000 + 700 - 400 - 50 + 20  # of 1000 cycles: CYCLES_NO_EXECUTE first
    ok(abs(got["MEMORY_BOUND_PCT"] -
           expected["BACKEND_PCT"] * (1000 + 20) / few) < 1e-6 and
       abs(got["STALL_L1_PCT"] - (1000 - 120) / 10) < 1e-6,
       "hsw_ep: no more stalls than cycles", got)


def test_width(where):
    """The machine's own width replaces the model's, and a user's replaces both."""
    counts, expected = RECORDS["arm_n2"]
    front_end = counts["STALL_SLOT_FRONTEND"] / CYCLES
    flushed = front_end / 5 - expected["FRONTEND_PCT"] / 100
    own = os.path.join(where, "own.hpm")
    with open(own, "w") as file:
        file.write("const WIDTH = 10\n")
    FACTS["arm_n2"] = 'facts="WIDTH=6"'
    for paths, width in ("", 6), (own, 10):
        got = evaluate(where, "arm_n2", counts, HPM_DEFS=paths).get("FRONTEND_PCT", -1)
        ok(abs(got - 100 * (front_end / width - flushed)) < 1e-6,
           f"arm_n2: {width} slots a cycle", got)
    del FACTS["arm_n2"]


def test_hints(where):
    """A hybrid machine gets hints from the top-down of its P and of its E cores."""
    for pmu in ("adl", "mtl", "lnl", "arl"):
        text = run([HPM, "report", write_record(where, pmu, RECORDS[pmu][0])]).stdout
        ok(b"  1. P_MEMORY_BOUND_PCT 25.000 %" in text and
           b"P_STALL_MEM_PCT 11.000 %" in text,
           f"{pmu}: the first hint is that P cores wait for data, and where", text)
        ok(b"  3. E_RESOURCES_PCT 35.000 %" in text,
           f"{pmu}: a hint is that resources of E cores are used up", text)
    text = run([HPM, "report", write_record(where, "srf", RECORDS["srf"][0])]).stdout
    ok(b". MEM_SCHEDULER_PCT 12.000 % in section" in text,
       "srf: a hint is which resource of an E core was used up", text)


def levels(pmu, kind, got):
    """Each level is as much as what it divides."""
    if pmu in WITHOUT_SLOTS:
        return
    total = sum(got.get(f"{kind}{name}_PCT") or 0 for name in LEVEL_1)
    ok(abs(total - 100) < 1e-6, f"{pmu}: {kind}level 1 is 100 %", total)
    for whole, parts in (*LEVEL_2.items(), *LEVEL_3.items(),
                         ("FRONTEND", ARM_FRONTEND)):
        if whole == "RESOURCES" and "LOOP_ENTRY_PCT" in got:
            parts += ("LOOP_ENTRY",)
        values = [got.get(f"{kind}{part}_PCT") for part in parts]
        if all(value is not None for value in values):
            ok(abs(sum(values) - got[f"{kind}{whole}_PCT"]) < 1e-6,
               f"{pmu}: the parts of {kind}{whole} add up to it", values)
    for whole, parts in LEVEL_3_OF_SOME.items():
        values = [got[f"{kind}{part}_PCT"] for part in parts
                  if f"{kind}{part}_PCT" in got]
        if values and f"{kind}{whole}_PCT" in got:
            ok(abs(sum(values) - got[f"{kind}{whole}_PCT"]) < 1e-6,
               f"{pmu}: the parts of {kind}{whole} add up to it", values)


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


SHIFTS = {"event": 0, "umask": 8, "edge": 18, "any": 21, "inv": 23, "cmask": 24,
          "eq": 36}


def code(pmu, fields):
    """As the kernel of that processor puts the fields together."""
    values = {name: int(value, 0) for name, value in
              (field.split("=") for field in fields.split(","))}
    other = values.pop("offcore_rsp", None) or values.pop("frontend", None)
    if pmu.startswith("amd64"):
        values["event"] = values["event"] & 0xff | values["event"] >> 8 << 32
    config = sum(value << SHIFTS[name] for name, value in values.items())
    return hex(config) + (f"+{other:#x}" if other else "")


def test_codes():
    """Each event of the models has the vendor's code."""
    known = {}
    with open(os.path.join(tap.TOP_SOURCE, "tests/data/codes.tsv")) as file:
        for line in file:
            if not line.startswith("#"):
                pmu, event, vendor, _ = line.split("\t")
                known[pmu, event] = vendor
    n, wrong = 0, []
    for name in sorted(os.listdir(MODELS)):
        pmu = name.removesuffix(".hpm")
        with open(os.path.join(MODELS, name)) as file:
            for event, fields in re.findall(r"^event (\S+) = \w+/(.*)/$", file.read(), re.M):
                got, n = code(pmu, fields), n + 1
                if known.get((pmu, event)) != got:
                    wrong.append((pmu, event, got, known.get((pmu, event))))
    equal(wrong, [], f"the codes of all {n} events are the vendors'")


# Where the core runs two threads, and no plan says so.
OF_TWO_THREADS = {"CPU_CLK_UNHALTED:THREAD_P:t=1", "CPU_CLK_UNHALTED:THREAD_P_ANY",
                  "INT_MISC:RECOVERY_CYCLES_ANY", "CPU_CLK_UNHALTED:DISTRIBUTED",
                  "P_CPU_CLK_UNHALTED:DISTRIBUTED"}


def test_plans():
    """All metrics of a processor are reached by a plan: each event is in a run of it,
    and none is in it that nobody knows."""
    known = {}
    with open(os.path.join(tap.TOP_SOURCE, "tests/data/codes.tsv")) as file:
        for line in file:
            if not line.startswith("#"):
                pmu, event, _, _ = line.split("\t")
                known.setdefault(pmu, set()).add(event)
    ok(len(known) > 30, "there are models")
    for pmu, events in known.items():
        result = run([HPM, "plan", "--on", pmu, "-m", "all", "--lists"])
        planned = set(re.split(r"[,\s]+", result.stdout.decode().strip()))
        equal((result.returncode, sorted(events - planned - OF_TWO_THREADS),
               sorted(planned - events)), (0, [], []),
              f"{pmu}: a plan has each of {len(events)} events, and no other")


# Intel's limits of level 3 (TMA 5.01, thresholds of the vendor's metric files), and of
# which part of level 2 it is: an own limit counts only where that is beyond its own
LIMITS = {
    "FETCH_SEQUENCER_PCT": (5, "FETCH_BANDWIDTH_PCT"),
    "FETCH_ICACHE_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_ITLB_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_RESTEER_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_MICROCODE_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_LCP_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_SWITCH_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_DECODER_PCT": (10, "FETCH_BANDWIDTH_PCT"),
    "FETCH_DECODED_PCT": (15, "FETCH_BANDWIDTH_PCT"),
    "CORE_DIVIDER_PCT": (20, "CORE_BOUND_PCT"),
    "CORE_SERIAL_PCT": (10, "CORE_BOUND_PCT"),
    "CORE_PORTS_PCT": (15, "CORE_BOUND_PCT"),
    "FEW_OPS_PCT": (5, "HEAVY_OPS_PCT"),
    "MICROCODE_PCT": (5, "HEAVY_OPS_PCT"),
    "MISPREDICTS_OTHER_PCT": (5, "MISPREDICTS_PCT"),
    "CLEARS_OTHER_PCT": (5, "MACHINE_CLEARS_PCT"),
}
OF_BRANCHES = {f"MISPREDICTS_{kind}_PCT": (5, "MISPREDICTS_PCT")
               for kind in ("NOT_TAKEN", "TAKEN", "CALL", "JUMP", "RETURN")}
OF_MATRICES = {"CORE_AMX_PCT": (50, "CORE_BOUND_PCT")}


# Of P cores by level of memory, and level 2, which stands below level 1.
P_LIMITS = {
    "STALL_L1_PCT": (10, "MEMORY_BOUND_PCT"), "STALL_L2_PCT": (5, "MEMORY_BOUND_PCT"),
    "STALL_L3_PCT": (5, "MEMORY_BOUND_PCT"), "STALL_MEM_PCT": (10, "MEMORY_BOUND_PCT"),
    "STALL_STORE_PCT": (20, "MEMORY_BOUND_PCT"), "FETCH_LATENCY_PCT": (10, "FRONTEND_PCT"),
    "FETCH_BANDWIDTH_PCT": (20, "FRONTEND_PCT"), "MISPREDICTS_PCT": (10, "BAD_SPEC_PCT"),
    "MACHINE_CLEARS_PCT": (10, "BAD_SPEC_PCT"), "MEMORY_BOUND_PCT": (20, "BACKEND_PCT"),
    "CORE_BOUND_PCT": (10, "BACKEND_PCT"),
    "FETCH_LOOP_PCT": (15, "FETCH_BANDWIDTH_PCT")}



# Intel's limits of E cores (TMA 3.6, Sierra Forest's metric file), levels 1 to 3.
E_LIMITS = {
    "FRONTEND_PCT": (20, None), "BAD_SPEC_PCT": (15, None), "BACKEND_PCT": (10, None),
    "FETCH_LATENCY_PCT": (15, "FRONTEND_PCT"),
    "FETCH_BANDWIDTH_PCT": (10, "FRONTEND_PCT"),
    "MISPREDICTS_PCT": (5, "BAD_SPEC_PCT"), "MACHINE_CLEARS_PCT": (5, "BAD_SPEC_PCT"),
    "ALLOCATION_PCT": (10, "BACKEND_PCT"), "RESOURCES_PCT": (20, "BACKEND_PCT"),
    "FETCH_ICACHE_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_ITLB_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_DETECT_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_TAKEN_PCT": (5, "FETCH_LATENCY_PCT"),
    "FETCH_CISC_PCT": (5, "FETCH_BANDWIDTH_PCT"),
    "FETCH_DECODE_PCT": (5, "FETCH_BANDWIDTH_PCT"),
    "FETCH_PREDECODE_PCT": (5, "FETCH_BANDWIDTH_PCT"),
    "FETCH_OTHER_PCT": (5, "FETCH_BANDWIDTH_PCT"),
    "CLEARS_SLOW_PCT": (5, "MACHINE_CLEARS_PCT"),
    "CLEARS_FAST_PCT": (5, "MACHINE_CLEARS_PCT"),
    "MEM_SCHEDULER_PCT": (10, "RESOURCES_PCT"),
    "NON_MEM_SCHEDULER_PCT": (10, "RESOURCES_PCT"),
    "REGISTER_PCT": (10, "RESOURCES_PCT"), "REORDER_BUFFER_PCT": (10, "RESOURCES_PCT"),
    "SERIALIZATION_PCT": (10, "RESOURCES_PCT")}


def with_prefix(letter, limits):
    return {f"{letter}_{name}": (limit, under and f"{letter}_{under}")
            for name, (limit, under) in limits.items()}


def limits_of(pmu):
    """The vendor's: metric -> limit, and the one above it."""
    if pmu == "srf":
        return E_LIMITS
    if pmu in ("adl", "mtl", "lnl", "arl"):
        return (with_prefix("P", LIMITS | P_LIMITS)
                | with_prefix("E", E_LIMITS))
    lacking = ("FETCH_SEQUENCER_PCT",) if pmu in ("skx", "clx") else ()
    if pmu in ("hsw_ep", "bdw_ep"):
        lacking = ("FEW_OPS_PCT", "CORE_SERIAL_PCT", "FETCH_SEQUENCER_PCT",
                   "MISPREDICTS_OTHER_PCT", "CLEARS_OTHER_PCT")
    more = OF_MATRICES if pmu in ("spr", "emr", "gnr") else {}
    more = more | OF_BRANCHES if pmu == "gnr" else more
    return more | {name: limit for name, limit in LIMITS.items() if name not in lacking}


def test_limits():
    for pmu in ("skx", "clx", "icx", "spr", "emr", "gnr", "adl", "mtl", "lnl", "arl",
                "hsw_ep", "bdw_ep", "srf"):
        wanted = limits_of(pmu)
        text = run([HPM, "explain", "--arch", pmu, *wanted]).stdout.decode()
        found = {}
        for part in re.split(r"^(?=[A-Z])", text, flags=re.M):
            bad = re.search(r"limits +bad above (\d+)", part)
            under = re.search(r"under +(\w+)", part)
            if bad and "\n  try " in part and "\n  why " in part:
                found[part.split(":")[0]] = (int(bad[1]), under and under[1])
        equal(found, wanted, f"{pmu}: top-down has Intel's limits, and hints")


def test_sets():
    """Each event of Nehalem's is in a set."""
    path = os.path.join(tap.TOP_SOURCE, "metrics/models/nhm.hpm")
    with open(path) as file:
        found = reached(file.read())
    listed = run([HPM, "check", "--events", path]).stdout.decode().splitlines()
    events = {line.split()[1] for line in listed if line.startswith("nhm ")}
    ok(len(events) > 40, "Nehalem has events")
    equal(sorted(events - found), [], "nhm.hpm: each event is in a set")


OF_XEON = ("emr", "gnr")  # xeon.hpm has their base counts and other sets
# Those of papers have their records in tests/metric/papers.c and kojak.c.
OF_PAPERS = ("core", "nhm", "opteron", "power3", "power4", "ultra3")


def is_of_another(pmu, path):
    """Does the file include the model of another PMU, which is for this one, too?"""
    with open(path) as file:
        same = re.search(r'^include "(\w+)\.hpm"$', file.read(), re.M)
    if not same:
        return False
    text = run([HPM, "explain", "--arch", pmu, "IPC"]).stdout.decode()
    with open(os.path.join(MODELS, same[1] + ".hpm")) as file:
        named = re.findall(r"\w+", re.sub(r'#.*|"[^"]*"', "", file.read()))
    ok(pmu in named and same[1] in OF_PAPERS and f" yes on {pmu}," in text,
       f"{pmu}: its model is that of {same[1]}", text)
    return True


def test_models():
    for name in sorted(os.listdir(MODELS)):
        pmu, path = name.removesuffix(".hpm"), os.path.join(MODELS, name)
        if is_of_another(pmu, path):
            continue
        kind = [] if pmu in OF_PAPERS else ["--model"]
        result = run([HPM, "check", *kind, path])
        text = result.stdout.decode() + result.stderr.decode()
        ok(result.returncode == 0 and "no fault" in text and "fault  " not in text,
           f"{name}: is without a fault, and its sets fit", text)
        with open(path) as file:
            text = file.read()
        events = re.findall(r"^event (\S+) =", text, re.M)
        if pmu in OF_XEON:
            with open(os.path.join(tap.TOP_SOURCE, "metrics/xeon.hpm")) as file:
                text += file.read()
        if "\nset " in text and kind:
            equal(sorted(set(events) - reached(text)), [],
                  f"{name}: each event is in a set")
        if pmu in ("mpi", "node", "openmp"):
            continue  # no processor: tests/cli/mpitimes.py, node.py, openmptimes.py
        ok(pmu in RECORDS or pmu in OF_PAPERS, f"{name}: has a record")


def test_intel(where):
    """Each node of Intel's files has the same value here.  Of some cores the kinds of
    mispredicted branches take latencies, which no counter has."""
    vendor = os.environ.get("HPM_TEST_VENDOR")
    if not vendor:
        skip("nodes of Intel's own files", "HPM_TEST_VENDOR names no folder of them")
        return
    for pmu in intelmodels.FILES:
        n, different, lacking = intelmodels.compare(where, vendor, pmu)
        if pmu in ("mtl", "lnl", "arl"):
            lacking = [name for name in lacking if not name.endswith("_Mispredicts")]
        equal((different, lacking), ({}, []), f"{pmu}: {n} nodes are as Intel's are")


with folder() as place:
    test_records(place)
    test_hints(place)
    test_units_beside_divider(place)
    test_much_floating_point(place)
    test_more_than_all_cycles(place)
    test_width(place)
    test_intel(place)
test_codes()
test_plans()
test_sets()
test_models()
test_limits()
tap.done()
