# SPDX-License-Identifier: BSD-3-Clause
"""Tests of mpitimes.py: a program of MPI and OpenMP, as its authors made it, by hpmcount
--mpi --openmp, with calls of MPI in parallel regions, in tasks and in critical
constructs, and a parallel region in a call of MPI.  No time is of both."""

import os

import tap
from mpiprograms import SOURCES, made, run
from tap import HPMCOUNT, TOP_BUILD, equal, folder, skip

LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
NEAR = 0.002
SIZES = (2, 8) if os.environ.get("HPM_TEST_ALL") else (3,)


def own_clock(result):
    """(task, thread, kind) to seconds, as the program has printed them."""
    said = {}
    for line in result.stdout.decode().splitlines():
        task, thread, kind, seconds = line.split()
        said[int(task), int(thread), kind] = float(seconds)
    return said


def of_threads(values, name):
    """The metric's value of each task and thread, which is in one section."""
    return {(task, tid): float(data[name]["value"])
            for (task, label, tid), data in values.records.items()
            if tid >= 0 and label != "(outside sections)"}


def too_little(values, said):
    """What the program knows to have taken longer than its record says.  Times that are
    in two places are missing in the work, which is the rest."""
    for kind, name in (("mpi", "MPI_TIME"), ("openmp", "OPENMP_TIME"),
                       ("work", "COMPUTATION")):
        for (task, tid), seconds in of_threads(values, name).items():
            least = said.get((task, tid, kind), 0)
            if seconds < least - NEAR:
                yield (task, tid, name), (seconds, least)


def sums_off(values):
    """Threads whose parts are not the wall clock's time, within a hundredth."""
    parts = [of_threads(values, name)
             for name in ("COMPUTATION", "MPI_TIME", "OPENMP_TIME")]
    for thread, wall in of_threads(values, "IncSec").items():
        whole = sum(part[thread] for part in parts)
        time = 1e-9 * of_threads(values, "mpi::elapsed")[thread]
        if abs(whole - wall) > wall / 100 or abs(time - wall) > wall / 100 or \
                min(part[thread] for part in parts) < 0:
            yield thread, (wall, time, [part[thread] for part in parts])


def test_program(programs, n):
    name = f"{programs.mpi.name}, {n} threads"
    program = os.path.join(programs.where, "mixed")
    if not made([programs.mpi.cc, "-O2", "-fopenmp", "-D_GNU_SOURCE",
                 os.path.join(SOURCES, "mixed.c"), "-o", program],
                f"{name}: the program compiles"):
        return
    libraries = programs.where + ":" + LIBRARIES

    def measure():
        with folder() as where:
            result, values = run(
                programs, [HPMCOUNT, "-n", "--mpi", "--openmp", program], where,
                HPM_SET="", LD_LIBRARY_PATH=libraries, OMP_NUM_THREADS=n)
            return result, values, own_clock(result)

    def off(found):
        yield from too_little(found[1], found[2])
        yield from sums_off(found[1])

    # a thread may lose its processor between the program's clock and the library's
    (result, values, said), lasting = tap.always_off(measure, off)
    equal((result.returncode, result.stderr, len(said)), (0, b"", 2 * n * 3),
          f"{name}: the program tells of its waits, and nobody else")
    equal(sorted(of_threads(values, "mpi::elapsed")),
          [(task, tid) for task in range(2) for tid in range(n)],
          f"{name}: each thread has a section")
    equal([off for off in lasting.items() if len(off[0]) == 3], [],
          f"{name}: MPI, OpenMP and work have what the program knows")
    equal([off for off in lasting.items() if len(off[0]) == 2], [],
          f"{name}: together they are the wall clock's time, within 1 %")


def test(programs):
    if not os.path.exists(os.path.join(LIBRARIES, "libhpm_openmp.so")):
        skip(f"{programs.mpi.name}, with OpenMP",
             "no shared library (configured with --disable-shared)")
        return
    for n in SIZES:
        test_program(programs, n)
