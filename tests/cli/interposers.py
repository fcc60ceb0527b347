# SPDX-License-Identifier: BSD-3-Clause
"""Objects preloaded into a measured program that stand in for functions of the
C library: faketime, whose functions crash once its destructors have run, and
jemalloc.  The program ends as it would without us, and what it measured is
there, in real time.  Rows 41, 42 and 44 of tests/FAULTS.md for programs with
libhpm, and of tests/FAULTS-COUNT.md."""

import ctypes.util
import os
import shutil
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, equal, files, folder, ok, program, records, run

WAYS = program("tests/programs/ways")
SANITIZED = bool(os.environ.get("sanitizers"))
TWO_DAYS_AGO = ["faketime", "-f", "-2d"]
THOUSANDFOLD = ["faketime", "-f", "+0 x1000"]
A_DAY = 86400
ENDS = {"return": (0, ["work"]), "exit": (5, ["work"]),
        "exit-in-thread": (7, None), "main-leaves": (0, ["main", "last"])}


def labels_of(path):
    return [record.label for record in records(path)]


def check_ends(preloader, preload=(), **variables):
    """Every way to end gives the program's status, and its file."""
    for name, (status, labels) in ENDS.items():
        with folder() as where:
            result = run([*preload, WAYS, name], folder=where, HPM_FSYNC="no",
                         **variables)
            paths = files(where)
            ok((result.returncode, len(paths)) == (status, 1),
               f"{preloader}, {name}: the program's status, and a file", result)
            if paths and labels:
                equal((labels_of(paths[0]), result.stderr), (labels, b""),
                      f"{preloader}, {name}: all was measured, nothing said")


def check_hpmcount(preloader, command, status, **variables):
    with folder() as where:
        result = run([*command, WAYS, "exit"], folder=where, HPM_FSYNC="no",
                     HPM_OUTPUT_NAME="program.hpm.xml", **variables)
        ok(result.returncode == status and
           b"wall clock time" in result.stderr and
           b"signal" not in result.stderr.splitlines()[1],
           f"{preloader}: the program's status and a report", result)
        equal(sorted(os.listdir(where)), ["program.hpm.xml", "whole.xml"],
              f"{preloader}: the program's file and hpmcount's")


# ---- faketime ---------------------------------------------------------------

def has_faketime():
    if SANITIZED:
        return "a sanitizer's library must be the first loaded"
    if not shutil.which("faketime"):
        return "no faketime (apt-get install faketime)"
    return None


def seconds_of(path):
    """All that is a time in the file: of the run and of its sections."""
    root = ET.parse(path).getroot()
    return [float(root.find("Run").get("seconds"))] + [
        float(data.get("value")) for data in root.iter("data")
        if data.get("name") in ("ExcSec", "IncSec")]


def check_durations():
    """A clock that runs a thousand times as fast is the program's affair."""
    for name, command in (
            ("libhpm", [*THOUSANDFOLD, WAYS, "return"]),
            ("hpmcount", [HPMCOUNT, "-n", "-o", "x.hpm.xml", *THOUSANDFOLD,
                          "true"]),
            ("hpmcount itself", [*THOUSANDFOLD, HPMCOUNT, "-n", "-o",
                                 "x.hpm.xml", "true"])):
        with folder() as where:
            begin = time.monotonic()
            result = run(command, folder=where, HPM_FSYNC="no")
            elapsed = time.monotonic() - begin
            paths = files(where)
            ok(result.returncode == 0 and len(paths) == 1 and
               max(seconds_of(paths[0])) <= elapsed,
               f"{name}: durations are of real time, not of faketime's",
               [result, elapsed, [seconds_of(p) for p in paths]])


def check_late_sections():
    """What runs after our end, which must come before faketime's: not
    measured, but said, and the rest is there."""
    with folder() as where:
        result = run([*TWO_DAYS_AGO, WAYS, "atexit"], folder=where)
        said = result.stderr.decode().splitlines()
        equal((result.returncode, [labels_of(p) for p in files(where)]),
              (0, [["work"]]), "faketime, atexit: the first section is there")
        ok(len(said) == 1 and "libfaketime" in said[0] and
           "not in the performance file" in said[0],
           "faketime, atexit: that the other is not is said in one line", said)


def test_faketime():
    why_not = has_faketime()
    if why_not:
        tap.skip("under faketime", why_not)
        return
    stamps = [int(run([*prefix, "date", "+%s"]).stdout)
              for prefix in (TWO_DAYS_AGO, [])]
    ok(stamps[1] - stamps[0] > A_DAY, "faketime works here", stamps)
    check_ends("faketime", TWO_DAYS_AGO)
    check_ends("faketime, with a journal", TWO_DAYS_AGO, HPM_CHECKPOINT=1)
    check_late_sections()
    check_durations()
    own = ["-o", "whole.xml"]
    check_hpmcount("faketime hpmcount", [*TWO_DAYS_AGO, HPMCOUNT, *own], 5)
    check_hpmcount("hpmcount faketime", [HPMCOUNT, *own, *TWO_DAYS_AGO], 5)


# ---- jemalloc ---------------------------------------------------------------

def test_jemalloc():
    name = ctypes.util.find_library("jemalloc")
    if SANITIZED or not name:
        tap.skip("with jemalloc preloaded", "sanitizers have a malloc of their "
                 "own" if SANITIZED else
                 "no libjemalloc (apt-get install libjemalloc2)")
        return
    check_ends("jemalloc", LD_PRELOAD=name)
    with folder() as where:
        run([WAYS, "atexit"], folder=where, LD_PRELOAD=name)
        equal([labels_of(p) for p in files(where)], [["work", "atexit"]],
              "jemalloc, atexit: handlers registered before us are measured")
    check_hpmcount("jemalloc", [HPMCOUNT, "-o", "whole.xml"], 5,
                   LD_PRELOAD=name)


# ---- sanitizers ---------------------------------------------------------------

def test_sanitized_program():
    """A sanitizer's run time stands in for the C library, too, but works until
    the end: what is measured late is there."""
    source = os.path.join(tap.TOP_SOURCE, "tests", "programs", "ways.c")
    with folder() as where:
        built = os.path.join(where, "ways")
        command = [os.environ.get("CC", "cc").split()[-1], "-std=gnu11",
                   "-D_GNU_SOURCE", "-fsanitize=address",
                   "-I" + os.path.join(tap.TOP_SOURCE, "include"), source,
                   "-o", built, *tap.link_flags(), "-lpthread"]
        if SANITIZED or not shutil.which(command[0]) or \
                run(command).returncode != 0:
            tap.skip("a program with the address sanitizer",
                     "the library has one itself, or the compiler none")
            return
        result = run([built, "atexit"], folder=where)
        equal((result.returncode, result.stderr,
               [labels_of(p) for p in files(where)]),
              (0, b"", [["work", "atexit"]]),
              "a program with the address sanitizer: late sections are there")


# ---- other surroundings of a program with libhpm -----------------------------

def test_umask():
    for mask, mode in ((0, 0o666), (0o027, 0o640), (0o777, 0)):
        with folder() as where:
            result = run(["sh", "-c", f'umask {mask:o}; exec "$0" exit', WAYS],
                         folder=where)
            equal((result.returncode,
                   [os.stat(p).st_mode & 0o777 for p in files(where)]),
                  (5, [mode]), f"libhpm: umask {mask:03o} is heeded")


def test_limits():
    """Of memory, time, locked memory, stack and the size of a file: the program
    ends as it would; it has its file, or why not is said."""
    if SANITIZED:
        tap.skip("limits", "sanitizers need more themselves")
        return
    limits = [f"-v {kilobytes}" for kilobytes in range(8000, 60001, 4000)]
    for limit in [*limits, "-t 5", "-l 0", "-s 64", "-f 0"]:
        with folder() as where:
            result = run(["sh", "-c", f'ulimit {limit} || exit 77; exec "$0" '
                          "exit", WAYS], folder=where, HPM_FSYNC="no")
            said = result.stderr.decode()
            if result.returncode in (77, 126, 127):
                tap.skip(f"libhpm: ulimit {limit}", said.strip())
                continue
            labels = [labels_of(p) for p in files(where)]
            ok(result.returncode == 5 and
               (labels == [["work"]] or labels == [] and "hpm: " in said) and
               len(said.splitlines()) <= 2,
               f"libhpm: ulimit {limit}: the program's status, and a file or "
               "why there is none", result)


def test_tracers():
    for tool in (["strace", "-f", "-qq", "-o", "/dev/null"],
                 ["gdb", "-q", "-batch", "-ex", "run", "-ex",
                  "quit $_exitcode", "--args", "sh"],
                 ["valgrind", "-q"]):
        if SANITIZED or not shutil.which(tool[0]):
            tap.skip(f"libhpm under {tool[0]}",
                     f"no {tool[0]}, or sanitizers")
            continue
        with folder() as where:
            result = run([*tool, WAYS, "exit"], folder=where)
            if tool[0] != "valgrind" and result.returncode == 1:
                tap.skip(f"libhpm under {tool[0]}", "ptrace is not allowed")
                continue
            equal((result.returncode, [labels_of(p) for p in files(where)]),
                  (5, [["work"]]), f"libhpm under {tool[0]}: status and file")


test_faketime()
test_jemalloc()
test_sanitized_program()
test_umask()
test_limits()
test_tracers()
tap.done()
