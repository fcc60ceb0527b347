# SPDX-License-Identifier: BSD-3-Clause
"""hpm import-definitions: small files of every form of a vendor, of a processor
that is not there, turned into definitions, which hpm report evaluates as the
vendor's formulas are (tests/vendors.py).  With HPM_TEST_VENDOR, a folder of
vendors' own files, all of these, too."""

import gzip
import json
import os
import re
import sys

import tap
import vendors
from tap import HPM, TOP_SOURCE, equal, folder, ok, run, skip

NAME = "hpm import-definitions: "


def write(where, name, content):
    path = os.path.join(where, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    text = content if isinstance(content, str) else json.dumps(content, indent=1)
    with open(path, "w") as file:
        file.write(text)
    return path


def imported(*words):
    """(status, the definitions, what is said), with one blank between words."""
    result = run([HPM, "import-definitions", *words])
    return (result.returncode, result.stdout.decode(), result.stderr.decode())


def has_lines(text, lines, sentence):
    flat = re.sub(r"\s+", " ", text)
    missing = [line for line in lines if line not in flat]
    return ok(not missing, sentence, "\n".join(missing) + "\nin\n" + text)


# ---- Intel --------------------------------------------------------------------

def intel_event(name, code, mask, **more):
    return {"EventCode": code, "UMask": mask, "EventName": name,
            "BriefDescription": "words of theirs", "Counter": "0,1,2,3",
            "MSRIndex": "0x00", "MSRValue": "0x00", "CounterMask": "0",
            "Invert": "0", "AnyThread": "0", "EdgeDetect": "0", **more}


INTEL_EVENTS = {
    "Header": {"Copyright": "(c) nobody", "Version": "1.7"},
    "Events": [
        intel_event("INST_RETIRED.ANY", "0x00", "0x01",
                    Counter="Fixed counter 0"),
        intel_event("CPU_CLK_UNHALTED.THREAD", "0x00", "0x02",
                    Counter="Fixed counter 1"),
        intel_event("CPU_CLK_UNHALTED.THREAD_ANY", "0x00", "0x02",
                    AnyThread="1"),
        intel_event("CPU_CLK_UNHALTED.REF_TSC", "0x00", "0x03"),
        intel_event("TOPDOWN.SLOTS", "0x00", "0x04"),
        intel_event("SLOTS.EMPTY", "0x9C", "0x01"),
        intel_event("WALKS.DONE", "0x08", "0x0e"),
        intel_event("WALKS.ACTIVE", "0x08", "0x10", CounterMask="1"),
        intel_event("STALLS.TOTAL", "0xA3", "0x04", CounterMask="4",
                    Invert="1", EdgeDetect="1"),
        intel_event("OCR.READS", "0xB7, 0xBB", "0x01",
                    MSRIndex="0x1a6,0x1a7", MSRValue="0x10003C0001"),
        intel_event("LATE.LOADS", "0xcd", "0x01", MSRIndex="0x3F6",
                    MSRValue="0x80"),
        intel_event("LATE.FETCH", "0xc6", "0x01", MSRIndex="0x3F7",
                    MSRValue="0x402006"),
        intel_event("SPECIAL.ONE", "0xc7", "0x01", MSRIndex="0x123",
                    MSRValue="0x1"),
        intel_event("BAD.CODE", "0xzz", "0x01"),
        intel_event("BAD.MASK", "0x12", "none"),
        intel_event("WIDE.MASK", "0xc8", "0x02", UMaskExt="0x01")]}

INTEL_UNCORE = {
    "Header": {"Version": "1.7"},
    "Events": [
        {"Unit": "iMC", "EventCode": "0x04", "UMask": "0x03",
         "EventName": "UNC_M_READS", "UMaskExt": "0x00"},
        {"Unit": "CHA", "EventCode": "0x35", "UMask": "0x01",
         "EventName": "UNC_CHA_INSERTS.MISS", "UMaskExt": "0xC817FE"},
        {"Unit": "CBO", "EventCode": "0x36", "UMask": "0x3",
         "EventName": "UNC_C_OCCUPANCY.OPCODE", "Filter": "Filter1[28:20]"},
        {"Unit": "UPI LL", "EventCode": "0x2", "UMask": "0x0F", "ExtSel": "1",
         "EventName": "UNC_UPI_FLITS"},
        {"Unit": "IIO", "EventCode": "0x83", "UMask": "0x04", "PortMask": "0x0FF",
         "FCMask": "0x07", "UMaskExt": "0x00070FF0", "EventName": "UNC_IIO_READ"},
        {"Unit": "CHA", "EventCode": "0x35", "UMask": "0x21", "Filter": "Filter1",
         "FILTER_VALUE": "0x40433", "EventName": "UNC_CHA_INSERTS.DRD"},
        {"Unit": "NCU", "EventCode": "0x00", "UMask": "0x01", "Counter": "FIXED",
         "EventName": "UNC_CLOCK.SOCKET"},
        {"Unit": "iMC", "EventCode": "0x00", "UMask": "0x00", "Counter": "0",
         "CounterType": "FREERUN", "EventName": "UNC_M_FREERUN"},
        {"Unit": "CHA", "EventCode": "0x35", "UMask": "0x21",
         "Filter": "config1=0x1;rm", "EventName": "UNC_CHA_INSERTS.ODD"}]}


def intel_metric(name, formula, events, constants=(), limit="", above=(),
                 parent=None, **more):
    letters = "abcdefgh"
    metric = {
        "MetricName": name, "LegacyName": f"metric_..{name}(%)", "Level": 1,
        "BriefDescription": "words of theirs", "UnitOfMeasure": "percent",
        "Events": [{"Name": e, "Alias": letters[i]}
                   for i, e in enumerate(events)],
        "Constants": [{"Name": n, "Alias": a} for n, a in constants],
        "Formula": formula,
        "Threshold": {"Formula": limit, "ThresholdMetrics": [
            {"Alias": letters[i], "Value": f"metric_..{m}(%)"}
            for i, m in enumerate([name, *above])]}, **more}
    if parent:
        metric["ParentCategory"] = parent
    return metric


SMT = [("HYPERTHREADING_ON", "smt_on")]
CYCLES, DONE = "CPU_CLK_UNHALTED.THREAD", "INST_RETIRED.ANY"
INTEL_METRICS = {"Header": {"Version": "2.0", "TmaVersion": "5.01"}, "Metrics": [
    intel_metric("Frontend_Bound", "100 * ( a / ( ( 4 ) * ( ( b / 2 ) if smt_on "
                 "else ( c ) ) ) )",
                 ["SLOTS.EMPTY", "CPU_CLK_UNHALTED.THREAD_ANY", CYCLES], SMT,
                 "a > 15", LocateWith="NOT.THERE;LATE.FETCH"),
    intel_metric("Fetch_Latency", "100 * ( a / ( b ) )",
                 ["SLOTS.EMPTY:c1:e1", CYCLES], (), "( a > 10 ) & ( b > 15 )",
                 ["Frontend_Bound"], "Frontend_Bound"),
    intel_metric("Choice", "100 * ( ( a / b ) if ( a < ( c - d ) ) else "
                 "( min( a , d ) / c ) )",
                 ["WALKS.ACTIVE", CYCLES, "STALLS.TOTAL", "WALKS.DONE"]),
    intel_metric("Not_Less", "( a / b ) if ( a > = b ) else ( 2 * a )",
                 ["WALKS.ACTIVE", "WALKS.DONE"]),
    intel_metric("Latency", "100 * ( ( min( ( a * b ) , a * 7 ) if ( b >= 0 ) "
                 "else ( a * 7 ) ) / ( c ) )",
                 ["WALKS.DONE", "WALKS.DONE:retire_latency", CYCLES]),
    intel_metric("Latency_Unknown", "a * b if b >= 0 else a * 9",
                 ["WALKS.ACTIVE", "WALKS.ACTIVE:retire_latency"]),
    intel_metric("Latency_Needed", "a * b",
                 ["WALKS.ACTIVE", "WALKS.ACTIVE:retire_latency"]),
    intel_metric("Frequency", "( ( a / b * c ) / 1000000000 )",
                 [CYCLES, "CPU_CLK_UNHALTED.REF_TSC"],
                 [("SYSTEM_TSC_FREQ", "c")]),
    intel_metric("Busy", "100 * a / b", ["CPU_CLK_UNHALTED.REF_TSC", "TSC"]),
    intel_metric("Bandwidth", "64 * a / 1e9 / ( durationtimeinmilliseconds / "
                 "1000 )", ["OCR.READS"],
                 [("DURATIONTIMEINMILLISECONDS", "durationtimeinmilliseconds")]),
    intel_metric("Two_Threads", "1 - a / b if smt_on else 0",
                 [CYCLES, "CPU_CLK_UNHALTED.THREAD_ANY"], SMT),
    intel_metric("Part", "a / ( b + c ) - d / e",
                 ["PERF_METRICS.RETIRING", "PERF_METRICS.RETIRING",
                  "PERF_METRICS.BACKEND_BOUND", "WALKS.DONE",
                  "TOPDOWN.SLOTS:perf_metrics"]),
    intel_metric("Nothing_Known", "#NA if 0 > 2 else a / b", [DONE, CYCLES]),
    intel_metric("No_Value", "#NA if 3 > 2 else a / b", [DONE, CYCLES]),
    intel_metric("Other_Mask", "a / b", ["WALKS.DONE:u0x20:i1", CYCLES]),
    intel_metric("Other_Register", "a / b",
                 ["OCR.READS:ocr_msr_val=0x103b800002", CYCLES]),
    intel_metric("IPC", "a / b", [DONE, CYCLES]),
    intel_metric("Two_Sides", "a / b", [DONE, CYCLES],
                 limit="a > 1.1 | a < 0.9"),
    intel_metric("Elsewhere", "a / b", [DONE, CYCLES], (), "a > 1 & b > 2",
                 ["IPC"]),
    intel_metric("Parts_Of_One", "100 * a / b", [DONE, CYCLES],
                 limit="metric_..Parts_Of_One(%) >0.15"),
    intel_metric("Retiring", "100 * a / b", [DONE, CYCLES], limit="a > 70"),
    intel_metric("Light", "100 * a / b", [DONE, CYCLES], (), "a > 60", (),
                 "Retiring"),
    intel_metric("Kernel_Part", "a / b", ["CPU_CLK_UNHALTED.THREAD:SUP", CYCLES]),
    intel_metric("Memory_Reads", "a / b", ["UNC_M_READS", CYCLES]),
    intel_metric("Node_Child", "a / b", ["UNC_CHA_INSERTS.MISS", "UNC_UPI_FLITS"],
                 parent="Memory_Reads", limit="a > 3", LocateWith="UNC_M_READS"),
    intel_metric("Occupancy", "a / b", ["UNC_C_OCCUPANCY.OPCODE:opc=0x182",
                                        "UNC_C_OCCUPANCY.OPCODE:opc=0x1c8:tid=0x3e:c1"]),
    intel_metric("Filtered", "a / b", ["UNC_CHA_INSERTS.MISS:filter1=0x40432",
                                       "UNC_IIO_READ"]),
    intel_metric("Power", "( a * ( 61 ) + 15.6 * b ) / c",
                 ["FREERUN_PKG_ENERGY_STATUS", "FREERUN_DRAM_ENERGY_STATUS", CYCLES]),
    intel_metric("One_Unit", "a / b", ["UNC_CHA_INSERTS.MISS:one_unit", CYCLES]),
    intel_metric("Free_Running", "a / b", ["UNC_M_FREERUN", CYCLES]),
    intel_metric("Sockets", "a * socket_count", [CYCLES],
                 [("SOCKET_COUNT", "socket_count")]),
    intel_metric("Unknown_Event", "a / b", ["NO.SUCH", CYCLES]),
    intel_metric("Per_Core", "a / b", ["WALKS.DONE:percore", CYCLES]),
    intel_metric("Special", "a / b", ["SPECIAL.ONE", CYCLES]),
    intel_metric("Rest", "a % b", [DONE, CYCLES]),
    intel_metric("Broken", "100 * ( a / b", [DONE, CYCLES]),
    intel_metric("List", "( a / b[0] )", [DONE, CYCLES]),
    intel_metric("Constant", "2 * 3", [])]}

MAP = ("Family-model,Version,Filename,EventType,Core Type,Native Model ID,"
       "Core Role Name\n"
       "GenuineIntel-6-F0,V1,/EXL/events/examplelake_core.json,core,,,\n"
       "GenuineIntel-6-F1,V1,/EXL/events/examplelake_core.json,core,,,\n"
       "GenuineIntel-6-F2,V1,/HYB/events/hybrid_uncore.json,uncore,,,\n"
       "GenuineIntel-6-F2,V1,/HYB/events/hybrid_big_core.json,hybridcore,0x40,"
       "0x000001,Core\n"
       "GenuineIntel-6-F2,V1,/HYB/events/hybrid_small_core.json,hybridcore,"
       "0x20,0x000001,Atom\n")
LATENCIES = {"Platform": {"Model": "240"},
             "Data": {"WALKS.DONE": {"MIN": 0, "MAX": 9, "MEAN": 3.5}}}


def intel_files(where):
    return [write(where, "mapfile.csv", MAP),
            write(where, "examplelake_core.json", INTEL_EVENTS),
            write(where, "examplelake_uncore.json", INTEL_UNCORE),
            write(where, "examplelake_retire_latency.json", LATENCIES),
            write(where, "examplelake_metrics.json", INTEL_METRICS)]


def test_intel_events(text):
    has_lines(text, [
        'processor examplelake = "GenuineIntel-6-F0, GenuineIntel-6-F1"',
        "arch examplelake const",
        "event INST_RETIRED:ANY = cpu/event=0xc0/",
        "event CPU_CLK_UNHALTED:THREAD = cpu/event=0x3c/",
        "event CPU_CLK_UNHALTED:THREAD_ANY = cpu/event=0x3c,any/",
        "event CPU_CLK_UNHALTED:REF_TSC = cpu/event=0x0,umask=0x3/",
        "event WALKS:DONE = cpu/event=0x8,umask=0xe/",
        "event STALLS:TOTAL = cpu/event=0xa3,umask=0x4,cmask=0x4,inv,edge/",
        "event OCR:READS = cpu/event=0xb7,umask=0x1,offcore_rsp=0x10003c0001/",
        "event LATE:LOADS = cpu/event=0xcd,umask=0x1,ldlat=0x80/",
        "event LATE:FETCH = cpu/event=0xc6,umask=0x1,frontend=0x402006/",
        "event WIDE:MASK = cpu/event=0xc8,umask=0x102/",
        "event SLOTS:EMPTY:c=1:e=1 = cpu/event=0x9c,umask=0x1,cmask=0x1,edge/",
        "event WALKS:DONE:umask=0x20:i=1 = cpu/event=0x8,umask=0x20,inv/",
        "event OCR:READS:rsp=0x103b800002 = "
        "cpu/event=0xb7,umask=0x1,offcore_rsp=0x103b800002/",
    ], "events of Intel have their codes, and those of formulas theirs")
    ok("SPECIAL:ONE =" not in text and "UNC_M_FREERUN =" not in text,
       "those that the kernel has no code for are not there", text)
    has_lines(text, [
        "event node::UNC_M_READS = uncore_imc/event=0x4,umask=0x3/",
        "event node::UNC_CHA_INSERTS:MISS = uncore_cha/event=0x35,umask=0xc817fe01/",
        "event node::UNC_UPI_FLITS = uncore_upi/event=0x102,umask=0xf/",
        "event node::UNC_IIO_READ = "
        "uncore_iio/event=0x83,umask=0x4,ch_mask=0xff,fc_mask=0x7/",
        "event node::UNC_CHA_INSERTS:DRD = "
        "uncore_cha/event=0x35,umask=0x21,config1=0x4043300000000/",
        "event node::UNC_CLOCK:SOCKET = uncore_clock/event=0xff/",
        "event node::UNC_C_OCCUPANCY:OPCODE:opc=0x182 = "
        "uncore_cbox/event=0x36,umask=0x3,filter_opc=0x182/",
        "event node::UNC_C_OCCUPANCY:OPCODE:opc=0x1c8:tid=0x3e:c=1 = "
        "uncore_cbox/event=0x36,umask=0x3,thresh=0x1,filter_opc=0x1c8,filter_tid=0x3e/",
        "event node::UNC_CHA_INSERTS:MISS:filter1=0x40432 = "
        "uncore_cha/event=0x35,umask=0xc817fe01,config1=0x4043200000000/",
    ], "events of units that cores share have their codes, and names that say so")


def test_intel_metrics(text):
    has_lines(text, [
        "ratio Frontend_Bound = 100 * SLOTS:EMPTY / (4 * "
        "CPU_CLK_UNHALTED:THREAD_ANY / 2) if SMT",
        "ratio Frontend_Bound = 100 * SLOTS:EMPTY / (4 * "
        "CPU_CLK_UNHALTED:THREAD) if no SMT unit \"%\" bad > 15 source \"the "
        "vendor's limit\" sample LATE:FETCH",
        'unit "%" under Frontend_Bound bad > 10',
        "ratio Choice = 100 * (less(WALKS:ACTIVE, STALLS:TOTAL - WALKS:DONE) * "
        "WALKS:ACTIVE / CPU_CLK_UNHALTED:THREAD + (1 - less(WALKS:ACTIVE, "
        "STALLS:TOTAL - WALKS:DONE)) * min(WALKS:ACTIVE, WALKS:DONE) / "
        "STALLS:TOTAL)",
        'const LATENCY_WALKS_DONE = 3.5 unit "cycles"',
        "min(WALKS:DONE * LATENCY_WALKS_DONE, WALKS:DONE * 7)",
        "ratio Latency_Unknown = WALKS:ACTIVE * 9",
        "(1000000 * cpu::mhz * time::wall)",
        "cpu::topdown-retiring / (cpu::topdown-retiring + "
        "cpu::topdown-be-bound) - WALKS:DONE / TOPDOWN:SLOTS",
        "ratio Nothing_Known = INST_RETIRED:ANY / CPU_CLK_UNHALTED:THREAD",
        "ratio vendor_IPC = INST_RETIRED:ANY / CPU_CLK_UNHALTED:THREAD label "
        "\"the vendor's IPC\"",
        'ratio Parts_Of_One = 100 * INST_RETIRED:ANY / CPU_CLK_UNHALTED:THREAD '
        'unit "%" bad > 15',
        "ratio NODE_Memory_Reads = node::UNC_M_READS / CPU_CLK_UNHALTED:THREAD label "
        "\"the vendor's Memory_Reads, of the whole node\"",
        'unit "%" under NODE_Memory_Reads bad > 3 source "the vendor\'s limit" ratio',
        "1000000 * node::energy-pkg / 61",
    ], "metrics of Intel have formulas, hierarchy, limits and what to sample")
    ok("words of theirs" not in text and "nobody" not in text,
       "nothing of the vendor's words is in it", text)


REFUSED = {
    "Latency_Needed": "it needs the latency of an event "
                      "(LATENCY_WALKS_ACTIVE)",
    "No_Value": "the vendor says that it has no value here",
    "Kernel_Part": "of the kernel or of the program by itself",
    "One_Unit": "it needs 'UNC_CHA_INSERTS.MISS' of one unit of several",
    "Free_Running": "it needs 'UNC_M_FREERUN': its counter is never stopped",
    "Sockets": "it needs how many sockets",
    "Unknown_Event": "it needs 'NO.SUCH', which is no event of the files",
    "Per_Core": "it needs 'WALKS.DONE' with 'percore'",
    "Special": "it needs a register that the kernel has no field for",
    "Rest": "our formulas have no rest of a division (%)",
    "Broken": "its formula ends where an operator or ')' is expected",
    "List": "its formula has '[0] )' where",
    "Constant": "nothing that is counted is in its formula"}
NO_LIMIT = {"Two_Sides": "is more than a number it is compared with",
            "Elsewhere": "asks for 'IPC', too, which is not above it",
            "Retiring": "marks slots that retire, which is no loss",
            "Light": "marks slots that retire, which is no loss"}


def test_intel_refusals(text, said):
    flat = re.sub(r"\n#  ", " ", text)
    for name, why in REFUSED.items():
        ok(re.search(rf"(?m)^# no metric {name}: .*{re.escape(why)}", flat) and
           re.search(rf"no {name}: .*{re.escape(why)}", said),
           f"{name} is named with the reason", flat + said)
    equal(sorted(vendors.turned(text)[1]), sorted(REFUSED),
          "no other metric is refused")
    for name, why in NO_LIMIT.items():
        ok(f"# no limit of {name}: {why}" in flat,
           f"a limit of {name} is not there, with the reason", flat)
    ok("# no event UNC_M_FREERUN: its counter is never stopped" in flat and
       "no event UNC_CHA_INSERTS.ODD: its filter is none of the kernel's" in said and
       "no event SPECIAL.ONE: it needs a register" in said and
       "no event BAD.CODE and others like it: a number of its code is none"
       in said and "BAD:MASK =" not in text,
       "events without a code are named", flat + said)


def compared(where, files, pmu, sentence, metrics=None, **more):
    """All metrics of the last of the files are as the vendor's formulas."""
    path = os.path.join(where, "made.hpm")
    if os.path.exists(path):
        os.unlink(path)
    result = run([HPM, "import-definitions", "-o", path, *files])
    ok(os.path.exists(path), f"{sentence}: there are definitions",
       result.stderr.decode())
    pmu = pmu or re.search(r"(?m)^arch (\S+)", vendors.read(path)).group(1)
    comparison = vendors.compare(where, metrics or files[-1], path, pmu, **more)
    ok(comparison.equal and not comparison.wrong, sentence,
       f"{comparison.line()}\n{comparison.wrong}")
    checked = run([HPM, "check", path])
    ok(checked.returncode == 0 and b"no fault" in checked.stdout,
       f"{sentence}: hpm check finds no fault", checked.stdout.decode())
    return comparison, path


def test_intel(where):
    files = intel_files(where)
    status, text, said = imported(*files)
    equal(status, 1, "some metrics of Intel cannot be turned: 1")
    test_intel_events(text)
    test_intel_metrics(text)
    test_intel_refusals(text, said)
    ok("examplelake_metrics.json: Intel's list of metrics, 0 events, "
       f"{len(INTEL_METRICS['Metrics']) - len(REFUSED)} of "
       f"{len(INTEL_METRICS['Metrics'])} metrics" in said and
       "HPM_DEFS" in said, "a line a file, and where the result goes", said)
    comparison, path = compared(
        where, files, "examplelake", "Intel's metrics are as their formulas",
        latencies=vendors.latencies_of(files[3]), seeds=range(1, 9))
    equal(len(comparison.equal), len(INTEL_METRICS["Metrics"]) - len(REFUSED),
          "each that was turned")
    test_teeth(where, files[-1], path)
    _, words, _ = imported("--words", *files)
    ok(words.count("words of theirs") > 20 and "(c) nobody" in words,
       "with --words the vendor's are there, with whose they are", words)


def test_teeth(where, metrics, path):
    """A definition that is wrong in one number is seen to be."""
    text = vendors.read(path)
    for old, new in (("100 * SLOTS:EMPTY / (4 ", "100 * SLOTS:EMPTY / (5 "),
                     ("less(WALKS:ACTIVE", "less(2 * WALKS:ACTIVE"),
                     ("WALKS:ACTIVE * 9", "WALKS:ACTIVE * 9.000001")):
        damaged = write(where, "damaged.hpm", text.replace(old, new))
        comparison = vendors.compare(
            where, metrics, damaged, "examplelake",
            {"WALKS.DONE": vendors.Fraction("3.5")}, seeds=range(1, 9))
        ok(len(comparison.wrong) >= 1, f"'{new}' for '{old}' is noticed",
           comparison.line())


def test_hybrids(where):
    files = [write(where, "mapfile.csv", MAP),
             write(where, "hybrid_uncore.json", INTEL_UNCORE),
             write(where, "hybrid_big_core.json", INTEL_EVENTS),
             write(where, "hybrid_small_core.json", INTEL_EVENTS)]
    _, text, _ = imported(*files)
    ok(text.count("event node::UNC_M_READS = uncore_imc/") == 1 and
       text.count("\nprocessor hybrid =\n") == 1 and
       re.findall(r"\narch (.*)", text) == ["hybrid", "hybrid"],
       "kinds of cores are of one processor, and what they share is there once",
       text)
    kinds = ["event P_WALKS:DONE = cpu_core/event=0x8,umask=0xe/",
             "event E_WALKS:DONE = cpu_atom/event=0x8,umask=0xe/"]
    has_lines(text, kinds, "each counts under names of its own")
    _, text, _ = imported("--arch", "mine", *files)
    has_lines(text, ["arch mine", *kinds], "also where --arch names the processor")
    lists = [write(where, "lunarlake_lioncove_core.json", INTEL_EVENTS),
             write(where, "lunarlake_skymont_core.json", INTEL_EVENTS)]
    _, text, _ = imported(*lists)
    has_lines(text, ["arch lnl", *kinds],
              "without a map the names of the cores tell them apart")
    test_one_kind_alone(where)
    test_three_kinds(where)
    test_hybrid_metrics(where, files)
    test_kernels_hybrid(where)


def test_one_kind_alone(where):
    """One file may be for E cores of hybrids, and for processors of these alone."""
    alone = ("GenuineIntel-6-F3,V1,/HYB/events/hybrid_small_core.json,core,,,\n"
             "GenuineIntel-6-F3,V1,/HYB/events/hybrid_uncore.json,uncore,,,\n")
    head, _, lines = MAP.partition("\n")
    names = ("hybrid_uncore.json", "hybrid_small_core.json")
    for table in (MAP + alone, f"{head}\n{alone}{lines}"):
        files = [write(where, "mapfile.csv", table),
                 write(where, names[0], INTEL_UNCORE),
                 write(where, names[1], INTEL_EVENTS),
                 write(where, "hybrid_small_metrics.json", {"Metrics": [
                     intel_metric("Walks", "a / b", ["WALKS.DONE", CYCLES])]})]
        _, text, said = imported(*files)
        has_lines(text, ['processor hybrid = "GenuineIntel-6-F2" arch hybrid',
                         "event E_WALKS:DONE = cpu_atom/event=0x8,umask=0xe/",
                         "ratio E_Walks = E_WALKS:DONE /",
                         'processor hybrid_small = "GenuineIntel-6-F3" '
                         "arch hybrid_small",
                         "event WALKS:DONE = cpu/event=0x8,umask=0xe/",
                         "ratio Walks = WALKS:DONE /"],
                  "a file for E cores and for processors of these alone is for both")
        ok(text.count("event node::UNC_M_READS = ") == 2 and
           text.count("\nprocessor ") == 2 and "1 of 1 metrics" in said,
           "with units that they share, and told once", said + text)


def test_three_kinds(where):
    """Crestmont is the E core of one processor, the low-power one of another."""
    def cores(name, code):
        return write(where, name + "_core.json",
                     {"Events": [intel_event("WALKS.DONE", code, "0x0")]})

    files = [cores("arrowlake_lioncove", "0x1"), cores("arrowlake_skymont", "0x2"),
             cores("arrowlake_crestmont", "0x3")]
    status, text, _ = imported(*files)
    equal(status, 0, "three kinds of one processor need no map: 0")
    has_lines(text, ["event P_WALKS:DONE = cpu_core/event=0x1/",
                     "event E_WALKS:DONE = cpu_atom/event=0x2/",
                     "event LP_WALKS:DONE = cpu_lowpower/event=0x3/"],
              "and each has events of its own")
    files = [cores("meteorlake_crestmont", "0x4"), cores("meteorlake_skymont", "0x5")]
    status, text, said = imported(*files)
    ok(status == 1 and "event=0x4" in text and "event=0x5" not in text and
       "meteorlake_skymont_core.json: is for the cores cpu_atom of mtl, as files of "
       "meteorlake_crestmont are, whose events have the same names; give" in said,
       "one kind under two names is refused", said + text)


def test_hybrid_metrics(where, files):
    """Each ratio is of one kind."""
    metrics = write(where, "hybrid_metrics_big_core.json", {"Metrics": [
        intel_metric("Walks", "100 * a / b", ["WALKS.DONE", CYCLES]),
        intel_metric("Odd-One", "a / b", ["WALKS.DONE", CYCLES]),
        intel_metric("IPC", "a / b", ["INST_RETIRED.ANY", CYCLES])]})
    words = [write(where, "mapfile.csv", MAP +
                   "GenuineIntel-6-F2,V1,/HYB/metrics/"
                   "hybrid_metrics_big_core.json,metrics,0x40,0x000001,Core\n"),
             *files[1:], metrics]
    path = os.path.join(where, "both.hpm")
    _, text, _ = imported(*words)
    write(where, "both.hpm", text)
    has_lines(text, ["ratio P_Walks = 100 * P_WALKS:DONE / "
                     "P_CPU_CLK_UNHALTED:THREAD",
                     'ratio P_Odd_One = P_WALKS:DONE / P_CPU_CLK_UNHALTED:THREAD '
                     'as "P_Odd-One"'], "metrics are of one kind, too")
    found = vendors.shown(where, path, "hybrid",
                          {"P_WALKS:DONE": 50, "P_CPU_CLK_UNHALTED:THREAD": 200,
                           "E_WALKS:DONE": 7000, "E_CPU_CLK_UNHALTED:THREAD": 9000},
                          False, 0)[0]
    equal(found.get("P_Walks"), "25", "and count what this kind did alone")


def test_kernels_hybrid(where):
    """The kernel's lists have both kinds in one file."""
    def event(unit, code, name="WALKS.DONE"):
        return {"EventName": name, "EventCode": code, "Unit": unit}

    def metric(name, unit, formula):
        return {"MetricName": name, "MetricExpr": formula, "Unit": unit,
                "BriefDescription": "words"}

    files = [write(where, "arch/x86/mapfile.csv",
                   "Family-model,Version,Filename,EventType\n"
                   "GenuineIntel-6-F4,v1,twokinds,core\n"),
             write(where, "arch/x86/twokinds/all.json", [
                 event("cpu_core", "0x08"), event("cpu_atom", "0x18"),
                 metric("rate", "cpu_core", "cpu_core@WALKS.DONE@ / duration_time"),
                 metric("rate", "cpu_atom", "cpu_atom@WALKS.DONE@ / duration_time"),
                 metric("mixed", "cpu_atom",
                        "cpu_core@WALKS.DONE@ / cpu_atom@WALKS.DONE@")])]
    status, text, said = imported(*files)
    has_lines(text, ["event P_WALKS:DONE = cpu_core/event=0x8/",
                     "event E_WALKS:DONE = cpu_atom/event=0x18/",
                     "ratio P_rate = P_WALKS:DONE / time::wall",
                     "ratio E_rate = E_WALKS:DONE / time::wall"],
              "the kernel's list of both kinds is told apart")
    ok(status == 1 and "no mixed: it needs 'WALKS.DONE' of the other cores, which "
       "are cpu_core" in said, "a ratio of both kinds is refused", said)
    write(where, "arch/x86/twokinds/all.json", [
        event("cpu_core", "0x08"), event("cpu_atom", "0x18"),
        event("iMC", "0x04", "UNC_M_READS"),
        metric("reads", "cpu_core",
               "cpu_core@WALKS.DONE@ / UNC_M_READS"),
        metric("reads", "cpu_atom", "cpu_atom@WALKS.DONE@ / UNC_M_READS"),
        metric("rate", "cpu_core", "UNC_M_READS / duration_time"),
        metric("rate", "cpu_atom", "UNC_M_READS / duration_time"),
        metric("other", "cpu_core", "UNC_M_READS * 2"),
        metric("other", "cpu_atom", "UNC_M_READS * 3"),
        {"MetricName": "all_reads", "MetricExpr": "UNC_M_READS / duration_time"}])
    status, text, said = imported(*files)
    ok(status == 0 and text.count("event node::UNC_M_READS = ") == 1,
       "what the kernel's list has without a Unit of cores is of each kind, once",
       text + said)
    has_lines(text, ["ratio NODE_all_reads = node::UNC_M_READS / time::wall",
                     "ratio NODE_P_reads = P_WALKS:DONE / node::UNC_M_READS",
                     "ratio NODE_E_reads = E_WALKS:DONE / node::UNC_M_READS"],
              "so metrics of each kind may need it, and have names of their own")
    ok(text.count("ratio NODE_rate =") == 1 and
       "ratio NODE_other = node::UNC_M_READS * 2" in text and
       "ratio NODE_vendor_other = node::UNC_M_READS * 3" in text,
       "metrics of the node alone are there once if they are the same", text)


# ---- Arm ----------------------------------------------------------------------

ARM_EVENTS = {"_type": "Events", "cpuid": "0x41dff", "cpu": "Neoverse Z9",
              "events": [{"code": 8, "name": "INST_RETIRED",
                          "description": "words of theirs"},
                         {"code": 17, "name": "CPU_CYCLES"},
                         {"code": 16390, "name": "STALL_SLOT"}]}
TELEMETRY = {
    "product_configuration": {"product_name": "Neoverse Z9", "num_slots": 8,
                              "implementer": "0x41", "part_num": "0xdff"},
    "events": {"INST_RETIRED": {"code": "0x0008", "title": "words"},
               "CPU_CYCLES": {"code": "0x0011", "title": "words"},
               "STALL_SLOT": {"code": "0x4006", "title": "words"}},
    "metrics": {
        "slots_lost": {"title": "words", "units": "percent of slots",
                       "formula": "((STALL_SLOT / (CPU_CYCLES * 8)) * 100)",
                       "events": ["STALL_SLOT", "CPU_CYCLES"]},
        "ipc": {"title": "words", "units": "per cycle",
                "formula": "INST_RETIRED / CPU_CYCLES",
                "sample_events": ["INST_RETIRED"]}},
    "methodologies": {"topdown_methodology": {"decision_tree": {
        "root_nodes": ["slots_lost"],
        "metrics": [{"name": "slots_lost", "next_items": ["ipc"],
                     "sample_events": ["STALL_SLOT"]}]}}}}


def test_arm(where):
    events = write(where, "z9.json", ARM_EVENTS)
    status, text, _ = imported(events)
    equal(status, 0, "a list of Arm's events is turned whole: 0")
    has_lines(text, ['processor neoverse_z9 = "MIDR-41?fdff?"',
                     "event INST_RETIRED = cpu/event=0x8/",
                     "event STALL_SLOT = cpu/event=0x4006/"],
              "its events have codes, its processor what it identifies itself by")
    telemetry = write(where, "telemetry.json", TELEMETRY)
    _, text, _ = imported(telemetry)
    has_lines(text, ["const WIDTH = 8",
                     "ratio slots_lost = STALL_SLOT / (CPU_CYCLES * 8) * 100 "
                     'unit "%" sample STALL_SLOT',
                     "ratio ipc = INST_RETIRED / CPU_CYCLES unit \"per cycle\" "
                     "under slots_lost sample INST_RETIRED"],
              "Arm's telemetry has metrics, their tree and what to sample")
    compared(where, [telemetry], "neoverse_z9",
             "Arm's metrics are as their formulas")


# ---- the kernel, and tables ---------------------------------------------------

COMMON = [{"EventName": "INST_RETIRED", "EventCode": "0x08"},
          {"EventName": "CPU_CYCLES", "EventCode": "0x11"},
          {"EventName": "STALL_SLOT", "EventCode": "0x3f"}]
KERNEL = [
    {"ArchStdEvent": "INST_RETIRED"}, {"ArchStdEvent": "CPU_CYCLES"},
    {"ArchStdEvent": "STALL_SLOT"}, {"ArchStdEvent": "NOT_THERE"},
    {"EventName": "OPS.SPEC", "EventCode": "0x3b"},
    {"EventName": "L3.READS", "EventCode": "0x04", "Unit": "L3PMC",
     "SliceId": "0x3"},
    {"MetricName": "tma_retiring_part", "ScaleUnit": "100%",
     "MetricExpr": "d_ratio(OPS.SPEC, #slots * CPU_CYCLES)",
     "MetricGroup": "TopdownL1;tma_L1_group",
     "MetricThreshold": "tma_retiring_part > 0.2"},
    {"MetricName": "tma_child", "ScaleUnit": "100%",
     "MetricExpr": "tma_retiring_part * max(1 - STALL_SLOT / CPU_CYCLES, 0)",
     "MetricGroup": "tma_L2_group;tma_retiring_part_group",
     "MetricThreshold": "tma_child > 0.05 & tma_retiring_part > 0.2"},
    {"MetricName": "either", "MetricExpr":
     "OPS.SPEC / (CPU_CYCLES / 2 if #smt_on else CPU_CYCLES)"},
    {"MetricName": "changed", "MetricExpr":
     "cpu@OPS.SPEC\\,cmask\\=0x8@ / duration_time"},
    {"EventName": "OTHER.UNIT", "EventCode": "0x04", "Unit": "hisi_sccl,ddrc"},
    {"MetricName": "needs_shared", "MetricExpr": "shared / CPU_CYCLES"},
    {"MetricName": "shared", "MetricExpr": "L3.READS / CPU_CYCLES"},
    {"MetricName": "busy_units", "MetricExpr":
     "L3.READS / l3@L3.READS\\,thresh\\=2@"},
    {"MetricName": "one_unit", "MetricExpr": "cha_0@L3.READS@ / CPU_CYCLES"},
    {"MetricName": "needs_refused", "MetricExpr": "asks / CPU_CYCLES"},
    {"MetricName": "asks", "MetricExpr":
     "OPS.SPEC if strcmp_cpuid_str(0x410fd493) else CPU_CYCLES"},
    {"MetricName": "circle", "MetricExpr": "circle2 + 1"},
    {"MetricName": "circle2", "MetricExpr": "circle + CPU_CYCLES"},
    {"MetricName": "with-dash;odd", "MetricExpr": "INST_RETIRED / CPU_CYCLES"}]
KERNEL_MAP = ("Family-model,Version,Filename,EventType\n"
              "0x00000000410fdff0,v1,arm/example-core,core\n")


def test_kernel(where):
    files = [write(where, "arm64/arm/example-core/pipeline.json", KERNEL),
             write(where, "arm64/mapfile.csv", KERNEL_MAP),
             write(where, "arm64/common-and-microarch.json", COMMON)]
    status, text, said = imported(*files)
    equal(status, 1, "some of the kernel's metrics cannot be turned: 1")
    has_lines(text, [
        'processor example_core = "MIDR-41?fdff?"', "arch example_core",
        "event INST_RETIRED = cpu/event=0x8/", "event OPS:SPEC = cpu/event=0x3b/",
        "event OPS:SPEC:c=8 = cpu/event=0x3b,cmask=0x8/",
        "event node::L3:READS = amd_l3/event=0x4,sliceid=0x3/",
        "event node::L3:READS:c=2 = amd_l3/event=0x4,thresh=0x2,sliceid=0x3/",
        "ratio NODE_shared = node::L3:READS / CPU_CYCLES",
        "ratio NODE_needs_shared = NODE_shared / CPU_CYCLES",
        'OPS:SPEC / (WIDTH * CPU_CYCLES) unit "%" scale 1 / 100 bad > 20',
        "scale 1 / 100 under tma_retiring_part bad > 5",
        "OPS:SPEC / (CPU_CYCLES / 2) if SMT",
        "ratio changed = OPS:SPEC:c=8 / time::wall",
        'as "with-dash;odd"'], "the kernel's list is turned")
    for words in ("no needs_refused: it needs 'asks', which cannot be turned",
                  "no one_unit: it needs 'L3.READS' of one unit of several",
                  "no event OTHER.UNIT: its unit is none that is known here",
                  "no asks: it needs the function strcmp_cpuid_str(",
                  "no circle: it needs 'circle", "no circle2: it needs 'circle",
                  "no event NOT_THERE: its code is in the list of the "
                  "architecture's events"):
        ok(words in said, words, said)
    comparison, _ = compared(where, files, "example_core",
                             "the kernel's metrics are as their formulas",
                             metrics=files[0], slots=6)
    equal(len(comparison.equal), 8, "eight of them")


IDS = {
    "x86": ("GenuineIntel-6-(F3|F4|5[AB]),v1,example,core",
            "GenuineIntel-6-F3, GenuineIntel-6-F4, GenuineIntel-6-5[AB]"),
    "AMD": ("AuthenticAMD-26-([12][0-9A-F]|[0-9A-F]),v1,example,core",
            "AuthenticAMD-26-[12][0-9A-F], AuthenticAMD-26-[0-9A-F]"),
    "POWER": ("0x0082[[:xdigit:]]{4},1,example,core", "PVR-0082????"),
    "RISC-V": ("0x489-0x8000000000000007-0x[[:xdigit:]]+,v1,example,core",
               "RISCV-0x489-0x8000000000000007-0x?*")}


def test_ids(where):
    for name, (line, ids) in IDS.items():
        files = [write(where, "mapfile.csv",
                       "Family-model,Version,Filename,EventType\n" + line + "\n"),
                 write(where, "example/e.json",
                       [{"EventName": "E", "EventCode": "0x1"}])]
        _, text, said = imported(*files)
        has_lines(text, [f'processor example = "{ids}"'],
                  f"the kernel's ids of {name} are ours")


TABLE_EVENTS = ("name\tcode\tumask\tother\tpmu\tmeaning\n"
                "ls_all.ops\t0x29\t0x7\t\tcore\tall\n"
                "cycles_on\t0x76\t\t\tcore\t\n"
                "l3_reads\t0x4\t0xff\tsliceid=0x3,perpkg=0x1\tl3\t\n"
                "from_hypervisor\t0x1\t\t\tsbi-cache\t\n")
TABLE_METRICS = ("name\tformula\tthreshold\tunit\tgroup\tparent\tlevel\n"
                 "ops_rate\td_ratio(ls_all.ops, cycles_on)\t\t100%\tg\t\t\n"
                 "l3_rate\tl3_reads / cycles_on\t\t1e3per\tg\t\t\n"
                 "far\tfrom_hypervisor / cycles_on\t\t\tg\t\t\n")
TABLE_IDS = ("arch\tvendor\tfamily\tmodel\tstepping\tid\tlist\tproduct\n"
             "x86\tAuthenticAMD\t0x1a\t0x1e-0x21,0x30\t0x1,0xa\t\texample9\tEx\n"
             "powerpc\tIBM\t\t\t\tpvr>>16=0x80\texample8\tEx\n"
             "arm64\tArm\t0x41\t0xdff\t\tmidr=0x410fdff0\texample7\t\n"
             "x86\tV\t0x1\t0x1\t?\t\texample5\t\n"
             "riscv\tS\t0x1\t\t\tmvendorid=0x1,marchid=0x2,mimpid=0x*\t"
             "example6\t\n")


def test_tables(where):
    ids = write(where, "cpuid.tsv", TABLE_IDS)
    files = [ids, write(where, "example9.tsv", TABLE_EVENTS),
             write(where, "metrics-example9.tsv", TABLE_METRICS)]
    status, text, said = imported(*files)
    equal(status, 1, "one of three metrics of a table cannot be turned: 1")
    ok("example9.tsv: table of events, 3 of 4 events, " in said,
       "an event of a table that has no code is counted as one", said)
    has_lines(text, ["AuthenticAMD-26-1E-[1A], AuthenticAMD-26-1F-[1A],",
                     "event ls_all:ops = cpu/event=0x29,umask=0x7/",
                     "event node::l3_reads = amd_l3/event=0x4,umask=0xff,sliceid=0x3/",
                     "ratio NODE_l3_rate = node::l3_reads / cycles_on",
                     "ratio ops_rate = ls_all:ops / cycles_on unit \"%\" "
                     "scale 1 / 100"], "a table is turned")
    compared(where, files, "example9", "a table's metrics are as its formulas")
    status, text, said = imported(
        *files[:2], write(where, "metrics-example9.tsv",
                          TABLE_METRICS + "seven\t7\t\t\t\t\t\n"))
    ok(status == 1 and "seven" in said and "without" not in said,
       "a formula of one letter is one, though nothing is counted in it", said)
    for name, expected in (("example8", "PVR-0080????"),
                           ("example7", "MIDR-41?fdff?"),
                           ("example6", "RISCV-0x1-0x2-0x*")):
        _, text, _ = imported(ids, write(where, name + ".tsv", TABLE_EVENTS))
        has_lines(text, [f'processor {name} = "{expected}"'],
                  f"ids of a table: {expected}")


# ---- what is wrong ------------------------------------------------------------

def fails(words, status, said, sentence):
    got, text, lines = imported(*words)
    ok(got == status and said in lines and text == "", sentence,
       f"{got}\n{lines}\n{text}")


def test_division_by_0(where):
    """A formula without a result, whatever is counted, is no definition."""
    formulas = {"Plain": "a / 0", "Folded": "a / ( 2 - max( 1 , 2 ) )",
                "Inner": "1 + min( a / ( 4 * 0 ) , 3 )",
                "Other": "a / 2 if a > 7 else a / ( 1 - 1 )"}
    status, text, said = imported(
        write(where, "zero/skylakex_core.json",
              {"Events": [intel_event("A.ONE", "0x1", "0x1")]}),
        write(where, "zero/skylakex_metrics.json", {"Metrics": [
            intel_metric("Good", "a / 2", ["A.ONE"]),
            *(intel_metric(name, formula, ["A.ONE"])
              for name, formula in formulas.items())]}))
    equal((status, [name for name in formulas
                    if f"no {name}: it divides by 0, which has no result" not in said]),
          (1, []), "a division by 0 is refused by the metric's name")
    checked = run([HPM, "check", write(where, "zero.hpm", text)])
    ok(checked.returncode == 0 and "ratio Good = A:ONE / 2" in text,
       "and hpm check has no objection to the others", checked.stdout.decode())


def test_broken_parts(where):
    """One part that is broken takes nothing else away, and is counted."""
    events = [intel_event("A.ONE", "0x1", "0x1"), 7, {"UMask": "0x1"},
              intel_event("A.TWO", "0x1ffffffffffffffff", "0x2"),
              intel_event("A.ONE", "0x3", "0x1"), intel_event("A.LAST", "0x4", "0")]
    metrics = [{"MetricName": "none"}, intel_metric("Good", "a * 2", ["A.LAST"]),
               intel_metric("Root", "sqrt( a )", ["A.LAST"]),
               intel_metric("Good", "a * 3", ["A.LAST"]),
               intel_metric("time::wall", "a * 4", ["A.LAST"])]
    status, text, said = imported(
        write(where, "parts/skylakex_core.json", {"Events": events}),
        write(where, "parts/skylakex_metrics.json", {"Metrics": metrics}))
    equal(status, 1, "a broken part: 1")
    has_lines(text, ["event A:ONE = cpu/event=0x3,umask=0x1/",
                     "event A:LAST = cpu/event=0x4/", "ratio Good = A:LAST * 2",
                     "# no event A.TWO: a number of its code is none"],
              "what stands behind a broken part is there")
    for words in ("core.json: its event 2 has no EventName",
                  "core.json: its event 3 has no EventName",
                  "core.json: the event 'A.ONE' was there with another code",
                  "metrics.json: its metric 1 has no Formula",
                  "metrics.json: the metric 'Good' was there with another formula",
                  "no Root: it needs the function sqrt(",
                  "list of events, 3 of 4 events, 0 of 0 metrics; 2 broken parts",
                  "0 events, 3 of 4 metrics; 1 broken part left out"):
        ok(words in said, words, said)
    test_broken_lists(where)
    path = write(where, "parts.hpm", text)
    result = run([HPM, "check", path])
    equal(result.returncode, 0, "and hpm check has no objection")
    test_division_by_0(where)
    status, _, said = imported(write(where, "parts/skylakex_core.json", {
        "Events": [intel_event("A.ONE", "0x1", "0x1"), intel_event("B", "0xzz", "0")]}))
    ok(status == 1 and "no event B: " in said and "1 of 2 events" in said,
       "an event that is not turned, beside one that is: 1", said)
    fails([write(where, "parts/skylakex_core.json", {"Events": {"a": 1}})], 3,
          "core.json: its 'Events' is object; expected a list of objects",
          "events that are no list")
    many = write(where, "parts/skylakex_core.json", {"Events": [1] * 500})
    _, _, said = imported(many, write(where, "parts/skylakex.tsv", "name\tcode\nA\t1\n"))
    ok(said.count("has no EventName") == 10 and "500 broken parts" in said,
       "of 500 broken parts ten are named, and all are counted", said[:2000])


def test_broken_lists(where):
    """So it is in Arm's lists of events and in tables."""
    arm = {**ARM_EVENTS, "events": [{"code": 1, "name": "FIRST"}, {"name": "UNCODED"},
                                    7, {"code": 2, "name": "LAST"}]}
    status, text, said = imported(write(where, "parts/z9.json", arm))
    ok(status == 1 and "event FIRST =" in text and "event LAST =" in text and
       "z9.json: its event 2 has no code" in said and
       "z9.json: its event 3 has no name" in said and
       "2 events, 0 of 0 metrics; 2 broken parts left out" in said,
       "a broken event of Arm's list is left out alone", said + text)
    status, text, said = imported(write(
        where, "parts/skylakex.tsv",
        "name\tcode\nA\t1\nB\t" + "1" * 70000 + "\nLAST\t2\n"))
    ok(status == 1 and "event A =" in text and "event LAST =" in text and
       "skylakex.tsv:3: is longer than 65535 letters" in said and
       "2 events, 0 of 0 metrics; 1 broken part left out" in said,
       "and a line of a table that is too long", said + text)
    fails([write(where, "parts/skylakex.tsv",
                 "name\tcode\t" + "x" * 2000 + "\nA\t1\n")], 3,
          "skylakex.tsv:1: is longer than 1023 letters", "the names of columns, too")


def test_two_codes(where):
    """Events with two codes are counted apart from broken parts."""
    events = [intel_event(f"A.N{n}", code, "0x1") for code in ("0x1", "0x2")
              for n in range(25)]
    status, text, said = imported(
        write(where, "parts/skylakex_core.json", {"Events": [7] * 12 + events}))
    ok(status == 1 and said.count("was there with another code") == 10 and
       said.count("has no EventName") == 10 and text.count("event=0x2,") == 25 and
       "core.json: 25 events were there with another code, of which 10 are named; "
       "the later ones are taken" in said and "12 broken parts left out" in said,
       "of 25 events with two codes ten are named, and all are counted", said)
    status, text, said = imported(
        write(where, "parts/skylakex_core.json", {"Events": events[:1] * 2}),
        write(where, "parts/skylakex.tsv", "name\tcode\tumask\nA.N0\t2\t1\n"))
    ok(status == 1 and said.count("another code") == 1 and "event=0x2," in text,
       "one event with two codes: 1, and a line names it", said)


def test_faults(where):
    good = write(where, "skylakex_core.json", INTEL_EVENTS)
    broken = write(where, "skylakex_metrics.json",
                   '{"Header": {},\n "Metrics": [\n  {"MetricName": }]}\n')
    fails([broken], 3, "skylakex_metrics.json:3: is no JSON at '}]}",
          "broken JSON is named with its line")
    fails([write(where, "skylakex_x.json", '{"Events": [\n\n')], 3,
          "skylakex_x.json:3: the file ends before its JSON does",
          "and so is JSON that is cut")
    fails([write(where, "skylakex_y.json", '{"Events": []}\n\nmore')], 3,
          "skylakex_y.json:3: 'more' follows where the JSON ends",
          "and what follows JSON")
    fails([write(where, "other.json", '{"a": 1}')], 3,
          "other.json: is JSON of no known form; expected Intel's 'Events'",
          "JSON of another form: what was expected")
    fails([write(where, "text.txt", "hello\n")], 3,
          "text.txt:1: is of no known form; expected JSON of Intel, Arm or the "
          "kernel, a mapfile.csv, or a table",
          "another form: what was expected")
    fails([write(where, "newlake_core.json", INTEL_EVENTS)], 3,
          "newlake_core.json: which processor it is for is not said; give the "
          "vendor's mapfile.csv with it, or hpm import-definitions --arch NAME",
          "a processor nobody names")
    fails([write(where, "z/skylakex_core.json", {"Events": [{"UMask": "0x1"}]})], 3,
          "skylakex_core.json: its event 1 has no EventName",
          "an event without a name")
    fails([write(where, "m/skylakex_metrics.json", {"Metrics": [{"MetricName": "A"}]})],
          3, "skylakex_metrics.json: its metric 1 has no Formula",
          "a metric without a formula")
    fails([write(where, "skylakex.tsv", "name\tcode\nA\tzz\n")], 3,
          "skylakex.tsv:2: 'zz' where a code is expected",
          "a table with a code that is none")
    fails([write(where, "skylakex.tsv", "name\tx\nA\tzz\n")], 3,
          "skylakex.tsv:1: 'name' where a column 'code'",
          "a table of other columns")
    fails([write(where, "skylakex.tsv", "name\tcode\nA\t" + "1" * 70000)], 3,
          "skylakex.tsv:2: is longer than 65535 letters", "a line too long")
    fails([write(where, "mapfile.csv", "Family-model,V,F\nX," + "1" * 2000)],
          3, "mapfile.csv:2: is longer than 1023 letters", "also of a map")
    fails([write(where, "mapfile.csv", "Family-model,V,F\nGenuineIntel-6-1\n")],
          3, "mapfile.csv:2: 'GenuineIntel-6-1' has no file",
          "a map with a line that is cut")
    fails([os.path.join(where, "gone.json")], 3,
          "gone.json: cannot be opened: No such file", "a file that is gone")
    fails([], 2, "expected files of a vendor", "no file")
    fails(["--processor", "MIDR-41?fdff?", good], 2,
          "--processor goes with --arch NAME", "--processor alone")
    fails(["--nosuch", good], 2, "nosuch", "an unknown option")
    test_broken_parts(where)
    test_two_codes(where)
    got, text, said = imported(good, broken)
    ok(got == 1 and "event INST_RETIRED:ANY" in text and
       "skylakex_metrics.json:3" in said,
       "beside a broken file the good one is turned: 1", said)
    fails(["-o", os.path.join(where, "no", "x.hpm"), good], 4,
          "cannot write into the folder",
          "a folder that is not there: 4")


def test_no_memory(where):
    """Whichever allocation fails: all definitions, or none and the reason.  A lack of
    memory is not what the files lack, so no definition has it as a reason."""
    lacking = os.path.join(tap.TOP_BUILD, "tests", "programs", "lackingmemory")
    if not os.path.exists(lacking):
        skip("each allocation fails", "this build lacks libxml2")
        return
    lacking = tap.program("tests/programs/lackingmemory")
    n_said, n_whole, whole = lacks(lacking, intel_files(where), ever_more())
    ok(n_said > 30 and n_whole == 1 and len(whole.stdout) > 1000,
       f"{n_said} allocations fail", (n_said, n_whole, whole))
    # a part that is broken is noted while the file is read, which is early
    n_said, _, whole = lacks(lacking, [write(
        where, "skylakex.tsv", "name\tcode\nA\tzz\nB\t1\nB\t2\n")], range(1, 120))
    ok(n_said > 20 and whole.returncode == 1, f"{n_said} fail where a part is broken",
       (n_said, whole))


def ever_more():
    k = 1
    while k < 100000:
        yield k
        k += 1 + k // 20


def lacks(lacking, files, numbers):
    """How often lack of memory is said where the k-th allocation fails, for each k
    of the numbers until there are no so many; how often not; the result of enough."""
    command = ["import-definitions", *files]
    whole = run([lacking, "0", *command])
    wrong, n_said, n_whole = [], 0, 0
    for k in numbers:
        result = run([lacking, str(k), "once", *command])
        said = result.stderr.decode("utf-8", "replace")
        is_refused = (result.returncode in (3, 4) and result.stdout == b"" and
                      "out of memory" in said)
        is_made = (result.returncode, result.stdout) == (
            whole.returncode, whole.stdout)
        is_whole = is_made and result.stderr == whole.stderr
        # that a line on standard error could not be made is said in its place
        if not is_refused and not is_whole and not (is_made and
                                                    "out of memory" in said):
            wrong.append((k, result.returncode, len(result.stdout), said[:300]))
        n_said += is_refused
        n_whole += is_whole
        if is_whole:
            break
    equal(wrong[:3], [], "all is there, or nothing, with one word why")
    return n_said, n_whole, whole


def test_options(where):
    good = write(where, "newlake_core.json", INTEL_EVENTS)
    got, text, _ = imported("--arch", "newlake", "--processor",
                            "GenuineIntel-6-FF", good)
    ok(got == 1 and 'processor newlake =\n    "GenuineIntel-6-FF"' in text and
       "\narch newlake\n" in text, "--arch and --processor name it", text)
    known = write(where, "skylakex_core.json", INTEL_EVENTS)
    _, text, _ = imported(known)
    ok("\narch skx\n" in text and "processor" not in text,
       "a processor that libpfm4 knows needs no map", text)
    packed = os.path.join(where, "skylakex_core.json.gz")
    with gzip.open(packed, "wt") as file:
        file.write(json.dumps(INTEL_EVENTS))
    ok(imported(packed)[1].count("event ") == text.count("event "),
       "files packed by gzip are read")
    path = os.path.join(where, "out.hpm")
    _, text, said = imported("-o", path, known)
    ok(text == "" and "wrote" in said and vendors.read(path).startswith(
        "# Made by hpm import-definitions"), "-o writes a file, and says so", said)
    first = vendors.read(path)
    _, _, said = imported("-o", path, packed)
    ok(vendors.read(path) == first and "out.hpm.1" in said,
       "which is not replaced", said)
    os.unlink(path)
    os.unlink(path + ".1")


# ---- vendors' own files -------------------------------------------------------

def intel_groups(intel):
    """(files, words) of each of Intel's lists of metrics."""
    for name in sorted(os.listdir(intel)):
        found = re.fullmatch(r"(\w+?)_metrics(?:_(\w+)_core)?\.json\.gz", name)
        if not found:
            continue
        stem, core = found.groups()
        key = f"{stem}_{core}" if core else stem
        base = stem[:-3] if stem.endswith("hbm") else stem
        files = [os.path.join(intel, n) for n in (
            f"{base}_{core}_core.json.gz" if core else f"{base}_core.json.gz",
            f"{base}_uncore.json.gz", f"{stem}_retire_latency.json.gz", name)]
        files = [path for path in files if os.path.exists(path)]
        if base == stem:
            yield files, [os.path.join(intel, "mapfile.csv"), *files]
        else:
            yield files, ["--arch", key, *files]


def other_groups(vendor):
    other = os.path.join(vendor, "other")
    shared = [os.path.join(other, n) for n in ("cpuid.tsv", "arm64-std.tsv")]
    for name in sorted(os.listdir(other)):
        found = re.fullmatch(r"metrics-(.*)\.tsv", name)
        if not found:
            continue
        key = found.group(1)
        events = [os.path.join(other, key + ".tsv")]
        words = [*shared, *events]
        if not os.path.exists(events[0]):
            arm = "neoverse-n2" if key == "neoverse-n2-v2" else key
            words = ["--arch", arm.replace("-", "_"), shared[1],
                     os.path.join(vendor, "arm", arm + ".json.gz")]
        path = os.path.join(other, name)
        yield [path], [*words, path]


def test_vendors(where, vendor):
    totals = [0, 0, 0, 0]
    groups = [*intel_groups(os.path.join(vendor, "intel")), *other_groups(vendor)]
    for files, words in groups:
        latencies = [vendors.latencies_of(f) for f in files if "latency" in f]
        comparison, _ = compared(
            where, words, None, f"{os.path.basename(files[-1])}: as its formulas",
            metrics=files[-1], latencies=latencies[0] if latencies else None,
            slots=7)
        print("# " + comparison.line().replace("\n", "\n# "))
        for i, n in enumerate((len(comparison.metrics), len(comparison.equal),
                               len(comparison.refused), len(comparison.wrong))):
            totals[i] += n
    print("# in all: {} tried, {} equal, {} refused, {} wrong".format(*totals))
    test_all_lists(where, vendor)


def test_all_lists(where, vendor):
    """Lists of events alone."""
    for kind in ("intel", "arm", "other"):
        for name in sorted(os.listdir(os.path.join(vendor, kind))):
            path = os.path.join(vendor, kind, name)
            if "metrics" in name or not name.endswith((".gz", ".tsv")) or \
                    "differences" in name:
                continue
            status, text, said = imported("--arch", "any_one", path)
            is_list = "processors" in said or "no events" in said or \
                text.count("\nevent ") + text.count("# no event") > 0 or \
                "\nconst LATENCY" in text
            ok(status in (0, 1, 3) and is_list, f"{name} is read", said[:500])


def main():
    if run([HPM, "import-definitions", os.path.join(TOP_SOURCE, "no.json")]
           ).returncode not in (2, 3):
        ok(False, "there is hpm import-definitions")
    with folder() as where:
        probe = imported(write(where, "skylakex_core.json", INTEL_EVENTS))[2]
        if "lacks json-c" in probe:
            ok("install libjson-c-dev" in probe,
               "without json-c files in JSON are refused, with what to do", probe)
            test_tables(where)
            skip("all forms in JSON", "this build lacks json-c")
            return
        test_intel(where)
        test_hybrids(where)
        test_arm(where)
        test_kernel(where)
        test_ids(where)
        test_tables(where)
        test_faults(where)
        test_no_memory(where)
        test_options(where)
        vendor = os.environ.get("HPM_TEST_VENDOR")
        if vendor:
            test_vendors(where, vendor)
        else:
            skip("vendors' own files", "HPM_TEST_VENDOR names no folder of them")


main()
tap.done()
