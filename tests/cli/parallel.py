# SPDX-License-Identifier: BSD-3-Clause
"""OpenMP teams that change, and MPI jobs whose tasks end badly."""

import os
import shlex
import subprocess

import tap
from tap import (TOP_SOURCE, equal, files, folder, link_flags, mpis, ok,
                 records, run, whole_files)

SOURCES = os.path.join(TOP_SOURCE, "tests", "parallel")
CC = shlex.split(os.environ.get("CC", "cc"))
OPENMP = shlex.split(os.environ.get("OPENMP_CFLAGS", ""))


def build(compiler, name, where, *flags):
    program = os.path.join(where, name)
    result = subprocess.run(
        compiler + ["-O2", *flags, "-I" + os.path.join(TOP_SOURCE, "include"),
                    os.path.join(SOURCES, name + ".c"), "-o", program] +
        link_flags(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    ok(result.returncode == 0, f"{name} compiles ({compiler[0]})",
       result.stdout.decode())
    return program if result.returncode == 0 else None


def check_valid(paths, sentence):
    if tap.has_xmllint() and paths:
        message = tap.validates(paths)
        ok(message is None, sentence, message)


# ---- OpenMP ----------------------------------------------------------------

def test_teams():
    with folder() as tools:
        program = build(CC, "teams", tools, *OPENMP)
        for n in (1, 2, 64) if program else ():
            with folder() as where:
                result = run([program], folder=where, OMP_NUM_THREADS=n)
                if not equal((result.returncode, result.stderr,
                              len(files(where))), (0, b"", 1),
                             f"teams of up to {n} threads: nothing goes wrong"):
                    continue
                rows = records(files(where)[0])
                check_valid(files(where), f"teams, {n}: the file is valid")
            threads = [r for r in rows if r.scope == "thread"]
            said = [line.split() for line in result.stdout.decode().splitlines()]
            equal({label: sum(int(r.count) for r in threads if r.label == label)
                   for label, _ in said},
                  {label: int(count) for label, count in said},
                  f"teams, {n}: the records of all threads have every call")
            numbers = [(r.tid, r.label, r.parent) for r in threads]
            equal(len(numbers), len(set(numbers)),
                  f"teams, {n}: one record for a thread and section")


# ---- MPI -------------------------------------------------------------------

def test_mpi(mpi):
    with folder() as tools:
        program = build([mpi.cc], "leave", tools)
        if program is None:
            return
        with folder() as where:
            result = mpi.run(3, [program, "after"], where)
            labels = [sorted(r.label for r in records(path))
                      for path in files(where)]
            equal((result.returncode, labels),
                  (0, [["after", "before"]] * 3),
                  f"{mpi.name}: sections after MPI_Finalize are measured")
            check_valid(files(where), f"{mpi.name}: valid files")
        with folder() as where:
            result = mpi.run(3, [program, "abort"], where)
            tasks = {r.task for path in whole_files(where) for r in records(path)}
            ok(result.returncode != 0 and "0" in tasks,
               f"{mpi.name}: MPI_Abort leaves the file that was written",
               f"{result} {tasks}")
            check_valid(whole_files(where), f"{mpi.name}: and no torn one")
        with folder() as where:
            result = mpi.run(3, [program, "early"], where)
            tasks = {r.task for path in whole_files(where) for r in records(path)}
            ok(result.returncode != 0 and "1" in tasks,
               f"{mpi.name}: a task that leaves early has its file",
               f"{result} {tasks}")
            check_valid(whole_files(where), f"{mpi.name}: and none is torn")


if OPENMP:
    test_teams()
else:
    tap.skip("OpenMP teams", "no OpenMP, or configured with --disable-openmp")
if os.environ.get("sanitizers"):
    tap.skip("MPI", "MPI libraries leak by themselves")
elif not mpis():
    tap.skip("MPI", tap.NO_MPI)
else:
    for each in mpis():
        test_mpi(each)
tap.done()
