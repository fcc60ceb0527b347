# SPDX-License-Identifier: BSD-3-Clause
"""Calls of shared libraries by programs that nobody changed, as sections
(hpmcount --library, hpmwrap): the programs count their calls themselves, and end as
they do without."""

import os
import platform
import shlex
import shutil
import stat
import xml.etree.ElementTree as ET
from shutil import which

import tap
from tap import HPMCOUNT, TOP_BUILD, TOP_SOURCE, equal, files, folder, ok
from tap import records, run, skip

SOURCES = os.path.join(TOP_SOURCE, "tests", "libraries")
BUILT = os.path.join(TOP_BUILD, "lib", "libraries")
LIBRARIES = [os.path.join(TOP_BUILD, *path, ".libs")
             for path in (("lib",), ("lib", "libraries"), ("wrapped",))]
LISTS = ("blas", "fftw", "lapack", "libm", "mpi")
WRAP = {"HPM_TEST_WRAP_DATA": os.path.join(TOP_SOURCE, "lib", "libraries"),
        "HPM_TEST_WRAP_INCLUDE": os.path.join(TOP_SOURCE, "include"),
        "HPM_TEST_WRAP_FLAGS": "-L" + LIBRARIES[0],
        "HPM_TEST_WRAP_LIBDIR": os.path.join(BUILT, ".libs")}


def why_not():
    if os.environ.get("sanitizers"):
        return "a sanitizer's library must be the first loaded"
    if not os.path.exists(os.path.join(BUILT, ".libs", "libhpm_libraries.so")):
        return "no shared library (configured with --disable-shared)"
    return None


def compiler(variable, *names):
    """The one of this build, or another there is; [] for none."""
    own = shlex.split(os.environ.get(variable, ""))
    return own or next(([name] for name in names if which(name)), [])


def built(command, name, where, *flags, program=None):
    """The program's path, or None."""
    path = os.path.join(where, program or name.split(".", maxsplit=1)[0])
    made = run([*command, "-O1", os.path.join(SOURCES, name), "-o", path,
                *flags])
    good = ok(made.returncode == 0, f"{name} compiles", made.stdout + made.stderr)
    return path if good else None


def searched(*folders):
    return ":".join([*LIBRARIES, *folders])


class Measured:
    """A run by hpmcount --library in a folder of its own: how it ended, the calls of
    each label and path, work of the outermost calls by label and unit, the libraries,
    what is left open."""

    def __init__(self, wanted, command, demo="", **variables):
        variables = {"HPM_SOURCE": "none", **variables}
        variables["LD_LIBRARY_PATH"] = searched(demo)
        with folder() as where:
            self.done = run([HPMCOUNT, "-n", "--library", wanted, *command],
                            folder=where, **variables)
            self.records = [r for path in files(where) for r in records(path)]
        self.calls, self.paths, self.work = {}, {}, {}
        by_id = {(r.tid, r.id): r for r in self.records}
        for record in self.records:
            self.add(record, by_id)
        self.libraries = {r.label: r.file for r in self.records}
        self.open = [r.label for r in self.records if r.open]
        self.threads = {r.tid for r in self.records}

    def add(self, record, by_id):
        names, at = [], record
        while at is not None:
            names.append(at.label)
            at = by_id.get((record.tid, at.parent))
        path, count = ">".join(reversed(names)), int(record.count)
        self.calls[record.label] = self.calls.get(record.label, 0) + count
        self.paths[path] = self.paths.get(path, 0) + count
        for name, datum in record.data.items():
            if name.startswith("work::") and not record.parent:
                key = record.label, name[len("work::"):]
                self.work[key] = self.work.get(key, 0) + int(datum["value"])

    def said(self):
        return self.done.stderr.decode()


def own_counts(output):
    """LABEL CALLS, and LABEL CALLS FLOP: calls and work."""
    calls, work = {}, {}
    for line in output.decode().splitlines():
        name, number, *flop = line.split()
        calls[name] = calls.get(name, 0) + int(number)
        if flop:
            work[name, "flop"] = int(flop[0])
    return calls, work


def check(sentence, wanted, command, demo="", **variables):
    """The calls are those that the program counted, and it ended as ever."""
    bare = run(command, LD_LIBRARY_PATH=searched(demo))
    measured = Measured(wanted, command, demo, **variables)
    equal((measured.done.returncode, measured.done.stdout),
          (bare.returncode, bare.stdout), f"{sentence}: the program does as it did")
    equal(measured.calls, own_counts(bare.stdout)[0],
          f"{sentence}: each call is counted")
    equal((measured.open, measured.said()), ([], ""),
          f"{sentence}: nothing is left open, and nothing is said")
    return measured


# ---- a library and a list of the test's own ----------------------------------------

def wrap(where, *arguments):
    return run([os.path.join(BUILT, "hpmwrap"), *arguments], folder=where, **WRAP)


def make_demo(cc, where):
    """libdemo.so, whose functions call one another by its table, the list's library, and
    a program."""
    built(cc, "demo.c", where, "-shared", "-fPIC", "-fsemantic-interposition",
          program="libdemo.so")
    made = wrap(where, os.path.join(SOURCES, "demo.prototypes"))
    ok(made.returncode == 0 and not made.stderr, "hpmwrap makes a library",
       made.stderr.decode())
    return built(cc, "uses.c", where, "-L" + where, "-ldemo", "-lm", "-lpthread",
                 "-ldl")


WAYS = ("nested", "jumps", "recursion", "signals", "threads", "forks", "searched",
        "exit")


def test_ways(uses, where):
    demo = os.path.join(where, "demo.so")
    plain = check("plain", demo, [uses, "plain"], where)
    equal(plain.work, {("demo_add", "sum"): 65, ("demo_add", "call"): 10,
                       ("demo_text", "byte"): 56},
          "work is what the arguments say")
    equal({getattr(r, "via", None) for r in plain.records}, {"wrapper"},
          "the file says how calls are measured")
    equal(set(plain.libraries.values()), {"libdemo.so"},
          "sections name the library")
    ways = {way: check(way, demo, [uses, way], where) for way in WAYS}
    equal((ways["nested"].paths, ways["nested"].work),
          ({"demo_outer": 1, "demo_outer>demo_add": 5},
           {("demo_outer", "call"): 6, ("demo_outer", "sum"): 20}),
          "work of calls inside another one is part of its work")
    equal(ways["jumps"].paths,
          {"demo_visit": 100, "demo_visit>demo_add": 200, "demo_add": 100},
          "what longjmp has left is closed")
    equal(len(ways["threads"].threads), 4, "each thread has its own sections")


def test_choice(uses, where):
    demo = os.path.join(where, "demo.so")
    for choice, expected in (
            (f"{demo}:demo_a*", {"demo_add": 10}),
            (f"{demo}:demo_a*, {demo}:*long", {"demo_add": 10, "demo_long": 1}),
            (f"{demo}:*_text_", {"demo_text": 1}),
            (f"{demo}:demo_*,{demo}:!demo_?[!u]*",
             {"demo_turn": 1, "demo::turn(float)": 1}),
            (f"{demo}:none", {})):
        measured = Measured(choice, [uses, "plain"], where)
        equal((measured.calls, measured.done.returncode), (expected, 3),
              f"--library {choice.replace(where, '.')} takes what it says")
    ok("no call of" in measured.said() and measured.said().count("\n") == 1,
       "where nothing is measured one line says so", measured.said())
    deep = os.path.join(where, *["d" * 120] * 3)
    os.makedirs(deep)
    shutil.copy(demo, os.path.join(deep, "demo.so"))
    os.symlink(demo, os.path.join(where, "linked.so"))
    for path in (os.path.join(where, "linked.so"), os.path.join(deep, "demo.so")):
        equal(Measured(f"{path}:demo_add", [uses, "plain"], where).calls,
              {"demo_add": 10}, "a list by a symbolic link, or a long path")
    # a path that ends as another one does is another library
    tail = os.path.join(where, where.lstrip("/"))
    os.makedirs(tail)
    made = wrap(where, "-o", os.path.join(tail, "demo.so"),
                os.path.join(SOURCES, "other.prototypes"))
    equal((made.returncode,
           Measured(f"{tail}/demo.so,{demo}:demo_add", [uses, "plain"], where).calls),
          (0, {"demo_add": 10, "demo_fail": 1}),
          "two lists of one file name are two")
    disabled = Measured(demo, [uses, "plain"], where, HPM_DISABLE="1")
    equal((disabled.calls, disabled.done.returncode), ({}, 3),
          "HPM_DISABLE measures nothing")


def test_missing(cc, where):
    """The wrapper has a function that the library has not."""
    whole = os.path.join(where, "whole")
    os.mkdir(whole)
    built(cc, "demo.c", whole, "-shared", "-fPIC", "-DWITH_MISSING",
          program="libdemo.so")
    program = built(cc, "uses.c", where, "-L" + whole, "-ldemo", "-DWITH_MISSING",
                    "-lm", "-lpthread", "-ldl", "-Wl,-z,lazy", program="misses")
    if program is None:
        return
    demo = os.path.join(where, "demo.so")
    check("a function that is missing and not called", demo, [program, "plain"],
          where)
    bare = run([program, "missing"], LD_LIBRARY_PATH=searched(where))
    measured = Measured(demo, [program, "missing"], where)
    equal((measured.done.returncode, measured.said().splitlines()[0]),
          (bare.returncode, bare.stderr.decode().rstrip("\n")),
          "a function that is missing ends the program as ever")


def test_plugins(cc, where):
    """Two plug-ins, each of which brings its own library for itself alone."""
    loads = built(cc, "loads.c", where, "-ldl")
    paths = []
    for name in ("one", "other"):
        own = os.path.join(where, name)
        os.mkdir(own)
        built(cc, "demo.c", own, "-shared", "-fPIC", f"-Wl,-soname,lib{name}.so",
              program=f"lib{name}.so")
        paths.append(built(cc, "plugin.c", own, "-shared", "-fPIC", "-L" + own,
                           "-l" + name, "-Wl,-rpath," + own, program="plugin.so"))
    if loads is None or None in paths:
        return
    measured = check("plug-ins", os.path.join(where, "demo.so"), [loads, *paths])
    equal({(r.label, r.file, int(r.count)) for r in measured.records},
          {("demo_add", "libone.so", 3), ("demo_add", "libother.so", 3)},
          "each plug-in calls the library it brings")


def test_exceptions(where):
    cxx = compiler("CXX", "g++", "clang++")
    program = built(cxx, "throws.cc", where, "-L" + where, "-ldemo", "-lm") \
        if cxx else None
    if program is None:
        skip("exceptions", "no C++ compiler")
        return
    demo = os.path.join(where, "demo.so")
    measured = check("exceptions", f"{demo},libm:exp", [program], where)
    equal(measured.paths, {"demo_visit": 20, "demo_visit>demo_add": 80,
                           "demo_add": 20, "exp": 1},
          "an exception ends the call that it leaves")
    equal(measured.libraries["exp"], "libm.so.6", "the library of exp is libm")


def test_wrap(where):
    """What hpmwrap says of lists that are wrong."""
    for text, words in (
            ("int f(int a)\n", ("bad.prototypes:1:", "'group NAME' first")),
            ("group g\nint f(int)\n", ("bad.prototypes:2:", "a type and a name")),
            ("group g\nint f(int a, ...)\n", ("bad.prototypes:2:", "'...'")),
            ("group g\nint f(int a) : 2 * a\n", ("bad.prototypes:2:", "'2 * a'")),
            ("group g\nint f(int a)\nint f(int b)\n", (":3:", "'f' is there twice")),
            ("group g\n", ("no function",)),
            ("group g\n# one\nint f(strange a)\n", ("bad.prototypes:3:", "strange"))):
        with open(os.path.join(where, "bad.prototypes"), "w", encoding="utf-8") as to:
            to.write(text)
        made = wrap(where, "bad.prototypes")
        ok(made.returncode == 1 and
           all(word in made.stderr.decode() for word in words) and
           not os.path.exists(os.path.join(where, "bad.so")),
           f"hpmwrap says what is wrong: {words[-1]}", made.stderr.decode())
    equal([wrap(where, *words).returncode
           for words in ((), ("-z",), ("none",), ("-o", "x", "bad.prototypes"))],
          [2, 2, 1, 2], "and how it is used")


# ---- libraries that are there -------------------------------------------------------

def test_blas(cc, where):
    program = os.path.join(where, "multiplies")
    made = run([*cc, "-O1", os.path.join(SOURCES, "multiplies.c"), "-o", program,
                "-llapack", "-lblas"])
    if made.returncode != 0:
        skip("BLAS and LAPACK", "no libblas-dev, liblapack-dev")
        return
    outer = "cblas_*", "dgemm", "dtrsm", "dgesv", "zdotc"
    wanted = ",".join([f"blas:{name}" for name in outer] + ["lapack"])
    bare = run([program, "12"])
    measured = Measured(wanted, [program, "12"])
    calls, work = own_counts(bare.stdout)
    equal((measured.done.returncode, measured.done.stdout, measured.said()),
          (3, bare.stdout, ""), "BLAS and LAPACK: the program does as it did")
    top = {path: n for path, n in measured.paths.items() if ">" not in path}
    equal(top, calls, "BLAS and LAPACK: each call of the program is counted")
    equal({key: n for key, n in measured.work.items() if key in work}, work,
          "BLAS and LAPACK: operations are those of the algorithms")
    ok("libblas" in measured.libraries["dgemm"] and
       "liblapack" in measured.libraries["dgesv"], "the libraries are named",
       measured.libraries)
    with folder() as own:
        variables = {"HPM_SOURCE": "none", "LD_LIBRARY_PATH": searched()}
        run([HPMCOUNT, "-n", "--library", "blas", "-o", "run.hpm.xml", program, "200"],
            folder=own, **variables)
        shown = run([tap.HPM, "report", *files(own), "--by",
                     "metric"], folder=own)
        ok("dgemm" in shown.stdout.decode(), "hpm report has operations per second",
           shown.stdout.decode() + shown.stderr.decode())


def test_fortran(where):
    fortran = compiler("FC", "gfortran")
    if not fortran:
        skip("BLAS from Fortran", "no Fortran compiler")
        return
    path = os.path.join(where, "fortran")
    made = run([*fortran, os.path.join(SOURCES, "multiplies.f90"), "-o", path,
                "-lblas"])
    if made.returncode != 0:
        skip("BLAS from Fortran", "no libblas-dev")
        return
    bare = run([path])
    measured = Measured("blas:dgemm,blas:ddot,blas:zdotc", [path])
    equal((measured.done.returncode, measured.done.stdout, measured.calls,
           measured.work),
          (bare.returncode, bare.stdout, *own_counts(bare.stdout)),
          "BLAS from Fortran: calls and operations")


def test_integers(cc, where):
    """Libraries with integers of 64 bits get all of them, and work is counted by as much
    of an integer as counts."""
    for name, integer in (("libblas.so", "int"), ("libopenblas64_-r0.so", "long"),
                          ("libmkl_intel_lp64.so", "int"), ("libx86_64.so", "int")):
        own = os.path.join(where, name)
        os.mkdir(own)
        integer = f"-DINTEGER={integer}"
        library = built(cc, "integers.c", own, "-shared", "-fPIC", "-DLIBRARY", integer,
                        program=name)
        program = built(cc, "integers.c", own, integer, library, "-Wl,-rpath," + own)
        if program is None:
            return
        bare = run([program])
        measured = Measured("blas", [program])
        equal((measured.done.returncode, measured.done.stdout, measured.said(),
               measured.calls, measured.work),
              (bare.returncode, bare.stdout, bare.stderr.decode(),
               *own_counts(bare.stdout)), f"{name}: {integer}")


def test_steps(cc, where):
    """A handler that calls libm at each instruction of another call's wrapper: what libhpm
    does not measure it counts."""
    program = os.path.join(where, "steps")
    made = run([*cc, "-O1", "-DLIBM", "-fno-builtin",
                os.path.join(TOP_SOURCE, "tests", "functions", "steps.c"), "-o", program,
                "-lm"])
    if not ok(made.returncode == 0, "a program of steps compiles", made.stderr):
        return
    with folder() as own:
        done = run([HPMCOUNT, "-n", "--library", "libm:exp,libm:cbrt", program], folder=own,
                   HPM_SOURCE="none", LD_LIBRARY_PATH=searched())
        path = files(own)[0]
        calls = {}
        for record in records(path):
            calls[record.label] = calls.get(record.label, 0) + int(record.count)
        dropped = sum(int(e.get("count")) for e in ET.parse(path).iter("Problem")
                      if "inside another call" in e.get("text"))
    expected = own_counts(done.stdout)[0]
    equal((done.returncode, calls["exp"]), (3, expected["exp"]),
          "each call that handlers interrupt is counted")
    ok(expected["cbrt"] > 100 and dropped > 0 and
       2 * calls["cbrt"] + dropped == 2 * expected["cbrt"],
       "a handler's calls are counted, or libhpm says how many are not",
       f"{calls} {dropped} {expected}")


def test_fftw(cc, where):
    """FFTW itself says what a plan does; here a stand-in for it."""
    own = os.path.join(where, "fftw")
    os.mkdir(own)
    built(cc, "transforms.c", own, "-shared", "-fPIC", "-DLIBRARY",
          program="libfftw3.so")
    program = built(cc, "transforms.c", own, "-L" + own, "-lfftw3")
    if program is not None:
        measured = check("FFTW", "fftw", [program], own)
        equal(measured.work, {("fftw_execute", "flop"): 3780},
              "FFTW: operations are those that the library tells, where it does")


NUMPY = """
import numpy
a = numpy.ones((30, 20)); b = numpy.ones((20, 10))
for i in range(7):
    c = a @ b
print(int(c.sum()))
"""


def test_numpy():
    python = "/usr/bin/python3"
    if not os.path.exists(python) or \
            run([python, "-c", "import numpy"]).returncode != 0:
        skip("NumPy", "no python3-numpy of the system")
        return
    measured = Measured("blas:cblas_dgemm", [python, "-c", NUMPY])
    equal((measured.done.returncode, measured.done.stdout), (0, b"6000\n"),
          "NumPy does as it did")
    if not measured.calls:
        skip("calls of NumPy", "this NumPy has a BLAS of its own")
        return
    equal((measured.calls, measured.work),
          ({"cblas_dgemm": 7}, {("cblas_dgemm", "flop"): 7 * 2 * 30 * 20 * 10}),
          "NumPy, whose BLAS comes with a plug-in: calls and operations")


def test_mpi(where):
    """One list for every MPI, in one task, from C and from Fortran."""
    for mpi in ("mpich", "openmpi"):
        for wrapper, name in (("mpicc", "messages.c"), ("mpif90", "messages.f90")):
            command = f"{wrapper}.{mpi}"
            path = os.path.join(where, f"{command}.program")
            made = which(command) and run([command, os.path.join(SOURCES, name),
                                           "-o", path])
            if not made or made.returncode != 0:
                skip(f"MPI: {command}", "there is none")
                continue
            measured = Measured("mpi", [path])
            equal((measured.done.returncode, measured.calls),
                  (3, own_counts(measured.done.stdout)[0]),
                  f"MPI: {command}: each call is counted")


# ---- hpmcount ----------------------------------------------------------------

def refused(sentence, words, *arguments):
    with folder() as own:
        result = run([HPMCOUNT, "-n", *arguments], folder=own, HPM_SOURCE="none",
                     LD_LIBRARY_PATH=searched())
    said = result.stderr.decode()
    ok(result.returncode == 125 and not result.stdout and
       all(word in said for word in words), f"{sentence} is refused, with the reason",
       said)


def test_hpmcount(cc, where):
    refused("an unknown list", ("'glas'", ", ".join(LISTS), "hpmwrap"),
            "--library", "glas", "true")
    refused("no list", ("names no library", "blas"), "--library", " ,", "true")
    refused("a library that is not there", ("./none.so", "No such file"),
            "--library", "./none.so", "true")
    refused("MPI twice", ("--mpi", "one of them"), "--library", "mpi", "--mpi", "true")
    refused("what runs already", ("--library",), "--library", "libm", "-p", "1")
    for name in LISTS:
        ok(os.path.exists(os.path.join(TOP_BUILD, "wrapped", ".libs",
                                       f"libhpm_library_{name}.so")),
           f"the list {name} is built")
    still = built(cc, "loads.c", where, "-static", "-w", program="static")
    if still is not None:
        refused("a static program", ("is a static program",), "--library", "libm",
                still)
    if os.geteuid() != 0 or still is None:
        skip("a set-user-ID program", "only root makes one of another user")
        return
    gaining = os.path.join(where, "gaining")
    shutil.copy(os.path.join(where, "loads"), gaining)
    os.chown(gaining, 1, 1)
    os.chmod(gaining, 0o755 | stat.S_ISUID)
    refused("a set-user-ID program", ("is set-user-ID",), "--library", "libm", gaining)


REASON = why_not()
CC = compiler("CC", "gcc", "clang")
if REASON or not CC:
    skip("calls of libraries", REASON or "no C compiler")
    tap.done()
with folder() as main_folder:
    USES = make_demo(CC, main_folder)
    if USES is not None:
        test_ways(USES, main_folder)
        test_choice(USES, main_folder)
        test_missing(CC, main_folder)
        test_plugins(CC, main_folder)
        test_exceptions(main_folder)
    test_wrap(main_folder)
    test_blas(CC, main_folder)
    test_fortran(main_folder)
    test_integers(CC, main_folder)
    if platform.machine() == "x86_64":
        test_steps(CC, main_folder)
    test_fftw(CC, main_folder)
    test_numpy()
    if tap.IS_REPEATED:
        skip("MPI", "another build tries it")
    else:
        test_mpi(main_folder)
    test_hpmcount(CC, main_folder)
tap.done()
