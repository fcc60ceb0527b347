# SPDX-License-Identifier: BSD-3-Clause
"""What the tables of the CMSSW report on cycle accounting come to, worked out
from counts, and runs that replay such counts."""

import os

import tap


def nehalem(c):
    """Chapter 6.2, with its latencies, from counts by their names there."""
    cycles, instructions = c["CPU_CLK_UNHALTED:THREAD_P"], c["INST_RETIRED:ANY_P"]
    dram = c["MEM_UNCORE_RETIRED:LOCAL_DRAM"]
    remote = c["MEM_UNCORE_RETIRED:REMOTE_DRAM"]
    cache = c["MEM_UNCORE_RETIRED:REMOTE_CACHE_LOCAL_HOME_HIT"]
    hitm = c["MEM_UNCORE_RETIRED:OTHER_CORE_L2_HITM"]
    v = {
        "L2_HIT_IMPACT": 6 * c["MEM_LOAD_RETIRED:L2_HIT"],
        "L3_HIT_IMPACT": 35 * c["MEM_LOAD_RETIRED:L3_UNSHARED_HIT"],
        "L2_OTHER_HIT_IMPACT":
            60 * (c["MEM_LOAD_RETIRED:OTHER_CORE_L2_HIT_HITM"] - hitm),
        "L2_OTHER_HITM_IMPACT": 75 * hitm,
        "LOCAL_DRAM_IMPACT": 225 * dram,
        "REMOTE_DRAM_IMPACT": 360 * remote,
        "REMOTE_CACHE_IMPACT": 180 * cache,
        "L3_MISS_OTHER_IMPACT":
            200 * (c["MEM_LOAD_RETIRED:L3_MISS"] - dram - remote - cache),
        "DTLB_IMPACT": 35 * c["DTLB_LOAD_MISSES:WALK_COMPLETED"],
        "DIV_IMPACT": c["ARITH:CYCLES_DIV_BUSY"],
        "CYCLES": cycles, "STALLED": c["UOPS_EXECUTED:0x3f:c=1:i=1"],
    }
    v["MEM_IMPACT"] = sum(v[k] for k in (
        "LOCAL_DRAM_IMPACT", "REMOTE_DRAM_IMPACT", "REMOTE_CACHE_IMPACT",
        "L3_MISS_OTHER_IMPACT"))
    v["LOAD_STALLS"] = sum(v[k] for k in (
        "MEM_IMPACT", "L2_HIT_IMPACT", "DTLB_IMPACT", "L3_HIT_IMPACT",
        "L2_OTHER_HITM_IMPACT", "L2_OTHER_HIT_IMPACT"))
    v["COUNTED_STALLS"] = v["LOAD_STALLS"] + v["DIV_IMPACT"]
    v["STALLED_PCT"] = 100 * v["STALLED"] / cycles
    for name in ("MEM", "L2_HIT", "L3_HIT", "DTLB", "DIV", "L2_OTHER_HIT",
                 "L2_OTHER_HITM"):
        v[name + "_STALLS_PCT"] = 100 * v[name + "_IMPACT"] / v["COUNTED_STALLS"]
    v["CPI"] = cycles / instructions
    v["BRANCH_MISP_PCT"] = 100 * c["BR_MISP_EXEC:ANY"] / c["BR_INST_EXEC:ANY"]
    v["I_FACTOR"] = v["CPI"] / 0.25
    return v


def core(c):
    """Chapters 4 and 6.1."""
    cycles, instructions = c["UNHALTED_CORE_CYCLES"], c["INSTRUCTIONS_RETIRED"]
    rate = c["RS_UOPS_DISPATCHED"] / c["RS_UOPS_DISPATCHED:c=1"]
    retired = c["UOPS_RETIRED:ANY"] + c["UOPS_RETIRED:FUSED"]
    v = {
        "CYCLES": cycles, "STALLED": c["RS_UOPS_DISPATCHED:c=1:i=1"],
        "CYCLES_RETIRING": retired / rate,
        "CYCLES_NON_RETIRING": (c["RS_UOPS_DISPATCHED"] - retired) / rate,
        "MEM_IMPACT": 200 * c["MEM_LOAD_RETIRED:L2_LINE_MISS"],
        "L2_HIT_IMPACT": 14.5 * (c["MEM_LOAD_RETIRED:L1D_LINE_MISS"] -
                                 c["MEM_LOAD_RETIRED:L2_LINE_MISS"]),
        "DTLB_IMPACT": 10 * c["MEM_LOAD_RETIRED:DTLB_MISS"],
        "LCP_IMPACT": 6 * c["ILD_STALL"],
        "BLOCKED_STA_IMPACT": 5 * c["LOAD_BLOCK:STA"],
        "OVERLAP_IMPACT": 6 * c["LOAD_BLOCK:OVERLAP_STORE"],
        "SPAN_IMPACT": 20 * c["LOAD_BLOCK:UNTIL_RETIRE"],
        "CPI": cycles / instructions,
    }
    v["STORE_FWD_IMPACT"] = (v["BLOCKED_STA_IMPACT"] + v["OVERLAP_IMPACT"] +
                             v["SPAN_IMPACT"])
    v["COUNTED_STALLS"] = sum(v[k] for k in (
        "MEM_IMPACT", "L2_HIT_IMPACT", "DTLB_IMPACT", "LCP_IMPACT",
        "STORE_FWD_IMPACT"))
    v["STALLED_PCT"] = 100 * v["STALLED"] / cycles
    for name in ("MEM", "L2_HIT", "DTLB", "LCP", "STORE_FWD"):
        v[name + "_STALLS_PCT"] = 100 * v[name + "_IMPACT"] / v["COUNTED_STALLS"]
    v["I_FACTOR"] = v["CPI"] / 0.25
    return v


def counts_of(table):
    """The counts of a table worked out by hand (tests/metric/)."""
    path = os.path.join(tap.TOP_SOURCE, "tests", "metric", table)
    with open(path, encoding="utf-8") as file:
        return {w[1]: int(w[2]) for w in map(str.split, file)
                if w[:1] == ["count"]}


def near(a, b):
    return a is not None and abs(a - b) <= 1e-12 * max(abs(a), abs(b), 1)


def replayed(where, counts, n):
    """Run two sections by replay, the second with n times the counts."""
    events = list(counts)
    zero = [0] * len(events)
    first = [counts[e] for e in events]
    second = [counts[e] * (n + 1) for e in events]
    lines = [("events", events), (0, 1000, zero), (0, 2000000000, first),
             (0, 2000001000, first), (0, 4000000000, second)]
    text = " ".join(["events", *events]) + "\n" + "".join(
        f"{tid} {time} {' '.join(map(str, row))}\n"
        for tid, time, row in lines[1:])
    with open(os.path.join(where, "x.replay"), "w", encoding="utf-8") as file:
        file.write(text)
    return tap.run([tap.program("tests/programs/edges"), "0+1=one", "0-1",
                    "0+2=two", "0-2"], folder=where, HPM_SOURCE="replay",
                   HPM_REPLAY="x.replay")
