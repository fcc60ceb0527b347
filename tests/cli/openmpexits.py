# SPDX-License-Identifier: BSD-3-Clause
"""A program that exits while its other threads are in parallel regions: the performance
file is whole before the runtime's destructor, after which such threads crash; elsewhere
libhpm ends as late as always."""

import os
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, TOP_BUILD, TOP_SOURCE, done, equal, files, folder, ok, skip

SOURCE = os.path.join(TOP_SOURCE, "tests", "parallel", "exits.c")
LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
WORKED = b"worked 84\n"  # 2 threads of 2 roots in 20 regions, and twice the first one


def made(compiler, path, *flags):
    try:
        return subprocess.run(
            [compiler, "-O1", "-fopenmp", "-pthread", SOURCE, *flags, "-o", path],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT).returncode == 0
    except FileNotFoundError:
        return False


def is_linked_with(runtime, program):
    return runtime in subprocess.run(["ldd", program], stdout=subprocess.PIPE).stdout


def measure(program, mode, option):
    """What the program returns and prints, and the threads in its performance files."""
    with folder() as where:
        result = tap.run([HPMCOUNT, "-n", option, program, mode], folder=where,
                         LD_LIBRARY_PATH=LIBRARIES)
        roots = [ET.parse(path).getroot() for path in files(where)]
        threads = {record.get("tid") for root in roots
                   for record in root.iter("InstrumentationPt")}
        return ((result.returncode, result.stdout, result.stderr,
                 [root.get("complete") for root in roots]), len(threads))


def test_program(program, runtime, before):
    """`before`: what its destructor says of the file where threads are in regions."""
    for mode, option, said, n_threads in (
            ("", "--openmp", before, 6), ("alone", "--openmp", b"none\n", 2),
            ("inside", "--openmp", before, 3),
            ("on", "--openmp=regions", WORKED + before, 6),
            ("fork", "--openmp=regions", b"child 3\n" + before, 6)):
        result, n = measure(program, mode, option)
        name = f"{runtime}, {mode or 'two threads in regions'}, {option}"
        equal(result, (7, said, b"", ["yes"]),
              f"{name}: the program ends as it does, and has one whole file")
        ok(n == n_threads, f"{name}: with all threads", n)


def test_late_section(where):
    program = os.path.join(where, "late")
    made("clang", program, "-DSECTIONS", "-I", os.path.join(TOP_SOURCE, "include"),
         "-L", LIBRARIES, "-lhpm", "-Wl,-rpath," + LIBRARIES)
    (status, said, error, complete), _ = measure(program, "on", "--openmp=regions")
    equal((status, said, complete), (7, WORKED + b"whole\n", ["yes"]),
          "a program with sections of its own ends before its destructors, too")
    ok(error.count(b"\n") == 1 and b"a section that begins while the program exits is "
       b"not in the performance file" in error and
       b"because the OpenMP runtime, which other threads use, may end" in error,
       "and one line says why a later section is not in the file", error)


def main():
    if os.environ.get("sanitizers") or not os.path.exists(
            os.path.join(LIBRARIES, "libhpm_openmp.so")):
        skip("exits beside parallel regions", "no shared library, or sanitizers")
        return
    with folder() as where:
        for compiler, runtime, before in (("clang", b"libomp", b"whole\n"),
                                          ("gcc", b"libgomp", b"none\n")):
            program = os.path.join(where, compiler)
            name = runtime.decode()
            if not made(compiler, program) or not is_linked_with(runtime, program):
                skip(name, f"{compiler} makes no program with this runtime")
                continue
            test_program(program, name, before)
            if name == "libomp":
                test_late_section(where)


main()
done()
