# SPDX-License-Identifier: BSD-3-Clause
"""Random programs through the calls of every language: tests/record/programs
makes and judges them, with what the compilers of C++ and Fortran make of their
calls here.  HPM_TEST_SEQUENCES=100000 makes more, with many in each process."""

import os
import shlex
import subprocess
from shutil import which

import tap
from tap import TOP_BUILD, TOP_SOURCE, folder, ok, program

PROGRAMS = program("tests/record/programs")
SEQUENCES = os.environ.get("HPM_TEST_SEQUENCES",
                           "100" if tap.IS_REPEATED else "400")
# to begin and to end takes a process longer than its sequences do
ROUNDS = "100" if int(SEQUENCES) > 10000 else "4"
DOORS = ("sites", "C-functions", "counted", "mixed")


def sources():
    """Those that count here; replayed samples have no forks."""
    if "thread" in os.environ.get("sanitizers", ""):
        tap.skip("counts of a program's own, and forks",
                 "this sanitizer allows a forked child no threads")
        return ["replay"]
    listed = subprocess.run([PROGRAMS, "source=sde", "words=program :"],
                            stdout=subprocess.PIPE)
    has_sde = b"SKIP" not in listed.stdout
    if not has_sde:
        tap.skip("counts of a program's own, and forks",
                 "there are no software-defined events of PAPI (libsde)")
    return ["replay", "sde"] if has_sde else ["replay"]


def check(title, *arguments):
    for source in SOURCES:
        # libpapi and libsde never give back what they have
        result = tap.run([PROGRAMS, "source=" + source,
                          "rounds=" + ROUNDS] + list(arguments),
                         timeout=36000, ASAN_OPTIONS="detect_leaks=0",
                         HPM_TEST_SEQUENCES=SEQUENCES)
        output = result.stdout.decode() + result.stderr.decode()
        for line in output.splitlines():
            if line.startswith("# ") and result.returncode == 0:
                print(line)
        ok(result.returncode == 0,
           f"{title}, {source}: all values are those of the model", output)


def build(where, name, command):
    """A module of that name; None when it cannot be made."""
    module = os.path.join(where, name)
    result = subprocess.run(command + ["-o", module], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    ok(result.returncode == 0, f"{name} compiles",
       " ".join(command) + "\n" + result.stdout.decode())
    return module if result.returncode == 0 else None


def check_cplusplus(where):
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    if which(compiler[0]) is None:
        tap.skip("C++", "there is no compiler of C++")
        return
    module = build(where, "C++", compiler + [
        "-std=c++11", "-O2", "-shared", "-fPIC",
        "-I" + os.path.join(TOP_SOURCE, "include"),
        "-I" + os.path.join(TOP_SOURCE, "tests"),
        os.path.join(TOP_SOURCE, "tests", "cplusplus", "door.cc")])
    if module is not None:
        check("C++", "module=" + module)


def check_fortran(where):
    compiler = shlex.split(os.environ.get("FC", ""))
    archive = os.path.join(TOP_BUILD, "fortran", "libhpm_fortran.a")
    if not compiler or not os.path.exists(archive):
        tap.skip("Fortran", "there is no compiler of Fortran")
        return
    module = build(where, "Fortran", compiler + [
        "-O2", "-shared", "-fPIC", "-J" + where,
        os.path.join(TOP_SOURCE, "fortran", "hpm.f90"),
        os.path.join(TOP_SOURCE, "tests", "fortran", "door.F90")])
    if module is not None:
        check("Fortran", "module=" + module)


SOURCES = sources()
for door in DOORS:
    check(door, "door=" + door)
with folder() as there:
    check_cplusplus(there)
    check_fortran(there)
tap.done()
