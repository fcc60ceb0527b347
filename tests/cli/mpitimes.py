# SPDX-License-Identifier: BSD-3-Clause
"""Time in calls of MPI, by libhpm_mpi, under every MPI there is."""

import contextlib
import os
import re
import subprocess
import xml.etree.ElementTree as ET

import mpiopenmp
import tap
from mpiprograms import SOURCES, Programs, Values, made, run, run_only
from tap import HPMCOUNT, TOP_SOURCE, equal, files, folder, link_flags, mpis, ok, skip

CLASSES = ("send", "recv", "wait", "probe", "one_to_all", "all_to_one",
           "all_to_all", "barrier", "one_sided", "sync", "io", "init")
TENTH = 0.1
NEAR = 0.002


# ---- the list of calls -----------------------------------------------------------

# Calls that wait for nobody and move nothing, so that no time is taken of them.
LOCAL = re.compile("|".join((
    "(T|Type|Info|Group|Op|Errhandler|Error|Add_error|Status|Attr|Keyval)_.*",
    "(Comm|File|Win|Session)_(get|set|call)_.*", "Grequest_.*", ".*_c2f",
    ".*_(attr|errhandler|keyval|name|port|mem|datarep(_c)?)",
    "(Cart|Graph)(_|dims?_)(coords|get|map|rank|shift|neighbors|neighbors_count)",
    "Comm_(compare|group|rank|remote_group|remote_size|size|test_inter)",
    "Dims_create|Dist_graph_neighbors(_count)?|Topo_test|DUP_FN|Address",
    "Get_(address|count|elements|library_version|processor_name|version).*",
    "(Pack|Unpack)(_external)?(_size)?(_c)?|Reduce_local(_c)?|Pcontrol",
    "Finalized|Initialized|Is_thread_main|Query_thread|Test_cancelled",
    "Buffer_attach(_c)?|Win_(attach|detach|shared_query(_c)?)|Errhandler_.*")))


def test_list(programs):
    """All calls that wait or move data are in mpi/calls.txt, in both forms."""
    name = f"{programs.mpi.name}: mpi.h"
    read = subprocess.run([programs.mpi.cc, "-E", "-x", "c", "-"],
                          input=b"#include <mpi.h>\nversion MPI_VERSION\n",
                          stdout=subprocess.PIPE).stdout.decode()
    there = set(re.findall(r"\bint\s+MPI_(\w+)\s*\(", read))
    ours = {name[4:] for name in
            tap.wrapped_calls("-v", "names=1").decode().split()}
    ok({"Send", "Recv"} <= there & ours, f"{name} is read", sorted(there))
    equal(sorted(call for call in there if call.endswith("_c") and
                 call not in ours and call[:-2] in ours), [],
          f"{name}: each call has its form for large counts, too")
    if int(re.search(r"^version (\d+)", read, re.M).group(1)) > 4:
        skip(f"{name}: no call is forgotten", "MPI is newer than version 4")
        return
    others = {"Finalize", "Abort", "Cart_create"}
    equal(sorted(call for call in there - ours - others
                 if not LOCAL.fullmatch(call)), [],
          f"{name}: no call is forgotten")


# ---- planted waits ------------------------------------------------------------

def own_clock(result):
    """(task, label, class, seconds) of what the program has printed."""
    for line in result.stdout.decode().splitlines():
        task, label, kind, seconds = line.split()
        yield int(task), label, kind, float(seconds)


def far_off(values, said):
    """What the counters and the program's own clock say of a call, where these are
    not near each other."""
    for task, label, kind, seconds in said:
        found = values.seconds(task, label, f"mpi::{kind}_time")
        if found is None or not seconds - NEAR < found <= seconds:
            yield task, label, kind, seconds, found


def sums_off(values):
    """Records in which computation and MPI are not the time that passed, or that
    is not the wall clock's within a hundredth."""
    for (task, label, tid), data in values.records.items():
        if tid < 0 or label == "(outside sections)":
            continue
        wall = float(data["IncSec"]["value"])
        time = values.seconds(task, label, "mpi::elapsed", tid=tid)
        mpi, rest = (float(data[name]["value"])
                     for name in ("MPI_TIME", "COMPUTATION"))
        parts = sum(values.seconds(task, label, f"mpi::{kind}_time", tid=tid)
                    for kind in CLASSES)
        if abs(time - wall) > wall / 100 or abs(mpi + rest - time) > 1e-6 or \
                abs(parts - mpi) > 1e-6:
            yield task, label, wall, time, mpi, rest, parts


def test_waits(programs, times):
    name = f"{programs.mpi.name}: planted waits"

    def measure():
        with folder() as where:
            result, values = run(programs, [times], where)
            return result, values, list(own_clock(result))

    result, values, said = tap.undisturbed(
        measure, lambda found: not (list(far_off(found[1], found[2])) or
                                    list(sums_off(found[1]))))
    equal((result.returncode, result.stderr, len(said)), (0, b"", 15),
          f"{name}: the program tells of its calls, and nobody else")
    equal(list(far_off(values, said)), [],
          f"{name}: found where they are, of their class, within 2 ms")
    equal(list(sums_off(values)), [],
          f"{name}: computation and MPI are the wall clock's time, within 1 %")
    slept = [("late-sender", 1), ("late-receiver", 1), ("barrier", 1),
             ("allreduce", 1), ("broadcast", 0), ("gather", 1), ("fence", 1)]
    ok(all(values.number(task, label, "COMPUTATION") >= 0.999 * TENTH
           for label, task in slept),
       f"{name}: the task that comes late has its time outside MPI")
    ok(all(values.number(task, "(outside sections)", "mpi::init_time") > 0
           for task in (0, 1)), f"{name}: MPI_Init is outside all sections")
    test_numbers(name, values)


def test_numbers(name, values):
    found = {what: values.number(0, label, f"mpi::{what}") for what, label in (
        ("recv_calls", "late-sender"), ("send_bytes", "late-receiver"),
        ("wait_calls", "late-request"), ("probe_calls", "late-message"),
        ("barrier_calls", "barrier"), ("all_to_all_bytes", "allreduce"),
        ("one_to_all_bytes", "broadcast"), ("all_to_one_bytes", "gather"),
        ("one_sided_bytes", "one-sided"), ("sync_calls", "fence"),
        ("init_calls", "one-sided"))}
    equal(found, {"recv_calls": 1, "send_bytes": 4, "wait_calls": 1,
                  "probe_calls": 1, "barrier_calls": 1, "all_to_all_bytes": 4,
                  "one_to_all_bytes": 256, "all_to_one_bytes": 4,
                  "one_sided_bytes": 4, "sync_calls": 1, "init_calls": 2},
          f"{name}: calls and bytes are exact")
    equal(values.number(0, "late-sender", "mpi::send_calls"), 0,
          f"{name}: what a section does not call is 0")


# ---- waiting told from moving ------------------------------------------------------

def told_apart(values, said):
    """What is seen of planted waits, by name: waiting is most of the time of a task
    that waits, and little of the last one's, which may lose its processor in a
    barrier."""
    waiters = [("late-sender", 0), ("late-receiver", 0), ("barrier", 0),
               ("allreduce", 0)]
    for task, label, kind, seconds in said:
        if kind not in ("send", "recv", "barrier", "all_to_all"):
            continue
        waiting = values.seconds(task, label, f"mpi::{kind}_waiting")
        if (label, task) in waiters and \
                TENTH / 2 < waiting <= seconds < waiting + TENTH / 2:
            yield f"task {task} waits in {label}"
        if (label, task) not in waiters and waiting < TENTH / 2:
            yield f"task {task} does not in {label}"


def late_ones(values):
    """Which task the others are seen to have waited for."""
    for label, kind, task in (("barrier", "barrier_last", 1),
                              ("allreduce", "all_to_all_last", 1),
                              ("late-sender", "send_late", 1),
                              ("late-receiver", "recv_late", 1)):
        if [values.number(each, label, "mpi::" + kind) for each in (0, 1)] == \
                [int(each == task) for each in (0, 1)]:
            yield f"task {task} is late in {label}"
    for label, kind in (("barrier", "barrier"), ("allreduce", "all_to_all")):
        delay = values.seconds(1, label, f"mpi::{kind}_delay")
        waits = [values.seconds(each, label, f"mpi::{kind}_waiting")
                 for each in (0, 1)]
        if delay > TENTH / 2 and abs(delay - (waits[0] - waits[1])) < 1e-6 and \
                values.number(0, label, f"mpi::{kind}_delay") == 0:
            yield f"task 1 delays {label}"


def test_waiting(programs, times, name):
    """Each is seen at least once: on a loaded machine a task that comes last may
    lose its processor in a call."""
    wanted = {"task 0 waits in late-sender", "task 0 waits in barrier",
              "task 0 waits in allreduce", "task 1 does not in late-receiver",
              "task 1 does not in barrier", "task 1 does not in allreduce",
              "task 0 waits in late-receiver", "task 1 is late in barrier",
              "task 1 is late in allreduce", "task 1 is late in late-sender",
              "task 1 is late in late-receiver", "task 1 delays barrier",
              "task 1 delays allreduce"}
    seen = set()
    for _ in range(20):
        with folder() as where:
            result, values = run(programs, [times], where, HPM_WAITING="yes",
                                 HPM_SET="MPI_WAITING")
        seen.update(told_apart(values, own_clock(result)))
        seen.update(late_ones(values))
        if wanted <= seen:
            break
    equal((result.returncode, result.stderr, sorted(wanted - seen)),
          (0, b"", []), f"{name}: waiting is told from moving")
    wrong = [(label, name) for (task, label, tid), data in
             values.records.items() for name in ("SEND", "RECV", "ALL_TO_ALL")
             if tid >= 0 and float(data[f"MPI_{name}_MOVING"].get(
                 "exclusive", 0)) < 0]
    equal(wrong, [], f"{name}: and no part is below 0")


def test_waiting_refused(programs, times, name):
    with folder() as where:
        result, values = run(programs, [times], where, HPM_SET="",
                             HPM_EVENTS="mpi::barrier_waiting")
    ok(values.number(0, "barrier", "mpi::barrier_waiting") is None and
       b"HPM_WAITING=yes" in result.stderr,
       f"{name}: n/a without HPM_WAITING, and why is said", result)

    def differ():
        with folder() as where:
            return run_only(
                programs, [times, ":", "-n", "1", "env", "-u", "HPM_WAITING",
                           times], where, HPM_SET="MPI_WAITING",
                HPM_WAITING="yes", HPM_TIMEOUT=2)

    said = b"not all tasks of the job"  # which the launcher may lose at the end
    result = tap.undisturbed(differ, lambda result: said in result.stderr)
    ok(result.returncode != 0 and said in result.stderr,
       f"{name}: where one task does not have it, the job ends, and it is said",
       result)


# ---- calls in calls, threads ---------------------------------------------------

def test_nested(programs, times):
    name = f"{programs.mpi.name}: a call in a call"
    with folder() as where:
        result, values = run(programs, [times, "nested"], where)
    time = values.seconds(0, "within", "mpi::elapsed")
    within = values.seconds(0, "within", "mpi::init_time")
    outer = values.seconds(0, "outer", "mpi::init_time")
    rest = values.seconds(0, "outer", "mpi::init_time", "exclusive")
    ok(result.returncode == 0 and time >= 0.999 * TENTH and
       abs(within - time) < 0.001 * time,
       f"{name}: a section in it is in MPI all the time", (result, within, time))
    ok(outer is not None and outer >= within and
       abs(outer - within - rest) < 1e-6,
       f"{name}: that time is not the outer section's own", (outer, rest))
    equal((values.number(0, "within", "mpi::barrier_calls"),
           values.number(0, "outer", "mpi::init_calls")), (0, 1),
          f"{name}: the inner call belongs to the outer one")


def test_threads(programs, times):
    name = f"{programs.mpi.name}: eight threads in MPI at once"
    with folder() as where:
        result, values = run(programs, [times, "threads"], where)
    threads = [tid for task, label, tid in values.records
               if label == "threads" and task == 0]
    if result.returncode == 0 and not threads:
        skip(name, "this MPI has no MPI_THREAD_MULTIPLE")
        return
    equal([(values.number(0, "threads", "mpi::send_calls", tid=tid),
            values.number(0, "threads", "mpi::send_bytes", tid=tid),
            values.number(0, "threads", "mpi::recv_calls", tid=tid))
           for tid in threads], [(50, 200, 0)] * 8, f"{name}: each has its own")
    equal((values.number(0, "all threads", "mpi::send_calls", tid=-1),
           values.number(1, "all threads", "mpi::recv_calls", tid=-1)),
          (400, 400), f"{name}: the process has those of all")
    sums = sum(values.seconds(0, "threads", "mpi::send_time", tid=tid)
               for tid in threads)
    whole = values.seconds(0, "all threads", "mpi::send_time", tid=-1)
    ok(abs(sums - whole) < 1e-6, f"{name}: and their time", (sums, whole))
    ok(values.number(0, "all threads", "mpi::elapsed", tid=-1) is None and
       values.number(0, "all threads", "COMPUTATION", tid=-1) is None,
       f"{name}: a process has no one time that passed, so it is n/a")


# ---- bytes ----------------------------------------------------------------------

def test_bytes(programs, times):
    name = f"{programs.mpi.name}: bytes"
    with folder() as where:
        result, values = run(programs, [times, "bytes"], where, n_tasks=3)
    equal((result.returncode, result.stderr), (0, b""), f"{name}: a program")
    equal([[values.number(task, "exchange", "mpi::" + what) for what in (
        "send_calls", "send_bytes", "recv_calls")] for task in range(3)],
        [[2, 32, 0]] * 3, f"{name}: MPI_Sendrecv sends")
    equal(values.number(0, "huge", "mpi::one_to_all_bytes"), 2**32,
          f"{name}: a type of 4 GiB has its size")
    equal([values.number(0, "nobody", "mpi::send_" + what)
           for what in ("calls", "bytes")], [2, 0],
          f"{name}: what is sent to nobody (MPI_PROC_NULL) moves nothing")
    equal([[values.number(task, "groups", f"mpi::{kind}_bytes")
            for kind in ("all_to_all", "one_to_all", "all_to_one")]
           for task in range(3)], [[16, 0, 32], [16, 32, 0], [16, 32, 0]],
          f"{name}: between two groups of tasks each has its own")


def test_persistent_collective(programs, times):
    name = f"{programs.mpi.name}: a persistent collective"
    with folder() as where:
        result, values = run(programs, [times, "collective"], where)
    if (0, "collective", 0) not in values.records:
        skip(name, "this MPI is older than version 4")
        return
    equal((result.returncode, *(
        values.number(0, "collective", f"mpi::{kind}_bytes")
        for kind in ("one_to_all", "all_to_one", "send"))), (0, None, 0, None),
        f"{name}: its class has no bytes, nor has MPI_Start's")


# ---- what goes wrong ------------------------------------------------------------

def test_unknown_bytes(programs, times):
    name = f"{programs.mpi.name}: a persistent request"
    with folder() as where:
        result, values = run(programs, [times, "persistent"], where)
    equal((result.returncode, values.number(0, "persistent", "mpi::send_bytes"),
           values.number(0, "persistent", "mpi::send_calls"),
           values.number(0, "persistent", "mpi::wait_calls")), (0, None, 2, 1),
          f"{name}: its bytes are n/a, its calls counted")
    ok("persistent" in (values.reasons["mpi::send_bytes"] or ""),
       f"{name}: the file says why", values.reasons)


def has_times(values):
    """Of the task that received late or of the one that waited for it: when a task
    ends early, MPICH may kill the other one before that writes its file."""
    return any((values.seconds(task, label, "mpi::recv_time") or 0) > 0
               for task, label in ((0, "late-sender"), (1, "late-receiver")))


def test_early_ends(programs, times):
    name = programs.mpi.name
    for way in ("abort", "unended"):
        with folder() as where:
            _, values = run(programs, [times, way], where)
        ok(has_times(values),
           f"{name}, {way}: the times of MPI are in a task's file",
           values.records.keys())
    if not tap.run([tap.HPM, "help"]).stdout.count(b"recover"):
        skip(f"{name}, killed", "hpm reads no files here")
        return
    with folder() as where:
        run_only(programs, [times, "killed"], where, HPM_CHECKPOINT=0,
                 HPM_FSYNC=0)
        done = tap.run([tap.HPM, "recover", "."], folder=where)
        values = Values(path for path in files(where) if path.endswith(".xml"))
        ok(has_times(values),
           f"{name}, killed: hpm recover has them from the journal", done)


def test_other_tool(programs, times):
    name = f"{programs.mpi.name}: another tool"
    tool = programs.tool()
    if tool is None:
        return
    with folder() as where:
        result, values = run(
            programs, [times], where, LD_PRELOAD="tool.so",
            LD_LIBRARY_PATH=":".join(filter(None, (
                programs.where, os.environ.get("LD_LIBRARY_PATH", "")))),
            HPM_SET="", HPM_EVENTS="mpi::send_time,mpi::recv_time,ru::utime")
        lines = result.stderr.decode().splitlines()
    equal((result.returncode,
           values.number(0, "late-sender", "mpi::send_time")), (0, None),
          f"{name} before libhpm_mpi: the times of what it takes are n/a")
    ok((values.number(0, "late-sender", "mpi::recv_time") or 0) > 0,
       f"{name} before libhpm_mpi: those of other calls are not")
    ok(sum("tool.so" in line for line in lines) == 2,
       f"{name} before libhpm_mpi: one line a task says which", lines)


ADDRESS_TAKEN = """#include <libhpm.h>
#include <mpi.h>
static int (*volatile send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int main(int argc, char **argv)
{
    char byte = 0;
    MPI_Init(&argc, &argv);
    send = MPI_Send;
    hpmInit(-1, "fixed");
    hpmStart(1, "fixed");
    send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    hpmStop(1);
    return MPI_Finalize();
}
"""


def test_fixed_address(programs):
    """A program that is not position-independent has a jump of its own under the
    name of a function whose address the program takes."""
    name = f"{programs.mpi.name}: a program that takes MPI_Send's address"
    path = os.path.join(programs.where, "fixed")
    with open(path + ".c", "w") as file:
        file.write(ADDRESS_TAKEN)
    if not made([programs.mpi.cc, "-O2", "-fno-pie", "-no-pie",
                 "-I" + os.path.join(TOP_SOURCE, "include"), path + ".c", "-o",
                 path, *programs.linked], f"{name}: compiles"):
        return
    with folder() as where:
        result, values = run(programs, [path], where, HPM_SET="",
                             HPM_EVENTS="mpi::send_calls")
    equal((result.returncode, result.stderr,
           values.number(0, "fixed", "mpi::send_calls", tid=-1)), (0, b"", 1),
          f"{name}: is no other tool")


def test_linked_and_preloaded(programs):
    """A program that calls hpmInit after MPI_Init, linked with libhpm alone."""
    name = f"{programs.mpi.name}, preloaded before a program with sections"
    path = os.path.join(programs.where, "linked")
    with open(path + ".c", "w") as file:
        file.write(ADDRESS_TAKEN)
    if not made([programs.mpi.cc, "-O2",
                 "-I" + os.path.join(TOP_SOURCE, "include"), path + ".c", "-o",
                 path, *link_flags()], f"{name}: compiles"):
        return
    with folder() as where:
        result, values = run(programs, [
            "env", "LD_PRELOAD=" + os.path.join(programs.where, "libhpm_mpi.so"),
            path], where, HPM_SET="", HPM_EVENTS="mpi::send_calls")
        programs_said = {each.get("program") for file in files(where)
                         for each in ET.parse(file).getroot().iter("Run")}
    equal((result.returncode, result.stderr, programs_said,
           [key for key in values.records if key[1] != "(outside sections)"],
           values.number(1, "fixed", "mpi::send_calls", tid=-1)),
          (0, b"", {"fixed"}, [(0, "fixed", -1), (1, "fixed", -1)], 1),
          f"{name}: its own hpmInit and sections hold")


def test_asked(programs, times):
    """Nobody asked for the times; or for one of them, by its name."""
    name = programs.mpi.name
    with folder() as where:
        result, values = run(programs, [times], where, HPM_SET="",
                             HPM_EVENTS="ru::utime")
        equal((result.returncode, result.stderr,
               [n for n in values.reasons if n.startswith("mpi::")]),
              (0, b"", []), f"{name}: no times where nobody asks")
    with folder() as where:
        result, values = run(programs, [times], where, HPM_SET="",
                             HPM_EVENTS="mpi::probe_calls,mpi::sned_time")
        equal(values.number(0, "late-message", "mpi::probe_calls"), 1,
              f"{name}: one event alone")
        ok(b"did you mean 'mpi::send_time'" in result.stderr,
           f"{name}: a wrong name says the right one", result.stderr)


# ---- programs that are not linked with us -----------------------------------------

def test_preloaded(programs):
    """The program is as its authors made it: no section, no library of ours."""
    name = f"{programs.mpi.name}, preloaded"
    bare = os.path.join(programs.where, "bare")
    if not made([programs.mpi.cc, "-O2", "-D_GNU_SOURCE", "-DHPM_OFF",
                 "-I" + os.path.join(TOP_SOURCE, "include"),
                 os.path.join(SOURCES, "times.c"), "-o", bare, "-lpthread"],
                f"{name}: a program without sections compiles"):
        return
    library = os.path.join(programs.where, "libhpm_mpi.so")
    label = "MPI_Init to MPI_Finalize"

    def measure():
        with folder() as where:
            result, values = run(
                programs, ["env", "LD_PRELOAD=" + library, bare], where)
            return result, values, len(files(where))

    def short(found):
        """Classes with less time than the program's own clock says."""
        result, values, _ = found
        for kind in ("recv", "barrier", "sync"):
            least = sum(seconds for task, _, which, seconds in own_clock(result)
                        if task == 0 and which == kind)
            time = values.seconds(0, label, f"mpi::{kind}_time")
            if time is None or time < least - NEAR:
                yield kind, time, least

    result, values, n_files = found = tap.undisturbed(
        measure, lambda found: not (list(short(found)) or
                                    list(sums_off(found[1]))))
    equal((result.returncode, result.stderr, n_files), (0, b"", 1),
          f"{name}: one file of the job")
    equal(list(short(found)), [], f"{name}: it has the time of MPI")
    ok((values.seconds(0, label, "mpi::init_time") or 0) > 0,
       f"{name}: with MPI_Init")
    equal(list(sums_off(values)), [], f"{name}: the sums are the time")
    with folder() as where:
        result, values = run(programs, [HPMCOUNT, "-n", "--mpi", bare], where,
                             HPM_SET="", LD_LIBRARY_PATH=programs.where)
        ok(result.returncode == 0 and len(files(where)) == 1 and
           (values.number(0, label, "mpi::barrier_calls") or 0) > 1,
           f"{name}: hpmcount --mpi does it", (result, os.listdir(where)))
    test_settings_of_program(programs, bare, f"{name}, hpmcount --mpi")
    with folder() as where:
        result = programs.mpi.run(
            1, ["env", "LD_PRELOAD=" + library, "sh", "-c", "sh -c true; true"],
            where, HPM_SET="MPI")
        equal((result.returncode, result.stderr, os.listdir(where)),
              (0, b"", []), f"{name}: programs without MPI make no file")


def test_settings_of_program(programs, bare, name):
    """What HPM_SET and HPM_METRICS name may be known by the program's libraries alone."""
    label = "MPI_Init to MPI_Finalize"
    for variables, event in (
            ({"HPM_SET": "MPI_WAITING"}, "barrier_waiting"),
            ({"HPM_SET": ""}, "barrier_waiting"),
            ({"HPM_SET": "", "HPM_METRICS": "MPI_BYTES_SENT"}, "send_bytes")):
        with folder() as where:
            result, values = run(
                programs, [HPMCOUNT, "-n", "--mpi", bare], where, HPM_WAITING="yes",
                LD_LIBRARY_PATH=programs.where, **variables)
        ok((result.returncode, result.stderr) == (0, b"") and
           (values.number(0, label, "mpi::" + event) or 0) > 0,
           f"{name}: {variables}, HPM_WAITING: mpi::{event} is counted",
           (result, values.reasons))
    with folder() as where:
        result, _ = run(programs, [HPMCOUNT, "-n", "--mpi", bare], where,
                        HPM_SET="NOSUCH", LD_LIBRARY_PATH=programs.where)
    ok(result.returncode == 0 and result.stderr.count(b"'NOSUCH'") == 2 and
       b"hpmcount:" not in result.stderr,
       f"{name}: a set that nobody knows is said by each task, and it runs", result)


def test_other_kind(all_programs):
    """A library for one MPI, and a program of the other one."""
    for programs, other in (all_programs, all_programs[::-1]):
        bare = os.path.join(other.where, "bare")
        library = os.path.join(programs.where, "libhpm_mpi.so")
        result = tap.run([bare], folder=other.where, LD_PRELOAD=library)
        name = f"{programs.mpi.name}'s library before {other.mpi.name}'s program"
        equal((result.returncode, result.stdout), (125, b""),
              f"{name}: it does not begin")
        ok(result.stderr.count(b"\n") == 1 and
           f"for {programs.mpi.name}, and the program uses {other.mpi.name}"
           .encode() in result.stderr, f"{name}: one line says why", result)


def test_no_library():
    with folder() as where:
        result = tap.run([HPMCOUNT, "--mpi", "true"], folder=where,
                         LD_LIBRARY_PATH=where)
    if result.returncode == 0:
        skip("hpmcount --mpi without libhpm_mpi", "one is installed")
        return
    ok(result.returncode == 125 and result.stderr.count(b"\n") == 1 and
       b"no libhpm_mpi.so" in result.stderr,
       "hpmcount --mpi without libhpm_mpi: one line says what is missing", result)


# ---- Fortran --------------------------------------------------------------------

def test_fortran(programs):
    name = f"{programs.mpi.name}, Fortran"
    if not programs.mpi.fc or not os.environ.get("FC"):
        skip(name, "no mpifort, or configured with --disable-fortran")
        return
    for way, title in ((1, "use mpi_f08"), (2, "use mpi"), (3, "mpif.h")):
        path = programs.fortran(way)
        if path is None:
            continue
        with folder() as where:
            result, values = run(programs, [path], where)
        calls = {kind: values.number(1, "calls", f"mpi::{kind}_calls")
                 for kind in CLASSES}
        equal(calls, {kind: int(kind in (
            "send", "recv", "wait", "one_to_all", "all_to_one", "barrier")) +
            2 * (kind == "all_to_all") for kind in CLASSES},
            f"{name}, {title}: each call once, in its class")
        equal([values.number(1, "calls", f"mpi::{kind}_bytes") for kind in (
            "send", "one_to_all", "all_to_one", "all_to_all")],
            [32, 32, 32, 96], f"{name}, {title}: and its bytes")
        equal((result.returncode, result.stderr), (0, b""),
              f"{name}, {title}: nothing is said")


def test_module(programs):
    """A module in Fortran that a program loads after libhpm_mpi."""
    name = f"{programs.mpi.name}, a module in Fortran"
    if not programs.mpi.fc or not os.environ.get("FC"):
        skip(name, "no mpifort, or configured with --disable-fortran")
        return
    loader = os.path.join(programs.where, "loader")
    if not made([programs.mpi.cc, os.path.join(SOURCES, "loader.c"), "-o",
                 loader, "-ldl"], f"{name}: a program that loads one compiles"):
        return
    for way, title in ((1, "use mpi_f08"), (3, "mpif.h")):
        module = os.path.join(programs.where, f"module{way}.so")
        if not made([programs.mpi.fc, "-shared", "-fPIC", f"-DWAY={way}",
                     os.path.join(SOURCES, "module.F90"), "-o", module],
                    f"{name}, {title}: compiles"):
            continue
        with folder() as where:
            result, values = run(
                programs, ["env", "LD_PRELOAD=" + os.path.join(
                    programs.where, "libhpm_mpi.so"), loader, module], where)
        equal((result.returncode, result.stderr, values.number(
            1, "MPI_Init to MPI_Finalize", "mpi::barrier_calls")),
            (0, b"", 1), f"{name}, {title}: it runs and has its calls")


def test_mpi(programs):
    times = programs.c()
    if times is None:
        return
    test_list(programs)
    test_waits(programs, times)
    test_waiting(programs, times, f"{programs.mpi.name}, HPM_WAITING")
    test_waiting_refused(programs, times, f"{programs.mpi.name}, HPM_WAITING")
    test_nested(programs, times)
    test_threads(programs, times)
    test_bytes(programs, times)
    test_persistent_collective(programs, times)
    test_unknown_bytes(programs, times)
    test_early_ends(programs, times)
    test_other_tool(programs, times)
    test_fixed_address(programs)
    test_linked_and_preloaded(programs)
    test_asked(programs, times)
    test_preloaded(programs)
    mpiopenmp.test(programs)
    test_fortran(programs)
    test_module(programs)


def test_all():
    test_no_library()
    with contextlib.ExitStack() as stack:
        each = [Programs(mpi, stack.enter_context(folder())) for mpi in mpis()]
        for programs in each:
            test_mpi(programs)
        if len(each) == 2 and all(programs.is_good for programs in each):
            test_other_kind(each)


reason = tap.no_libhpm_mpi()
if reason:
    skip("times of MPI", reason)
else:
    test_all()
tap.done()
