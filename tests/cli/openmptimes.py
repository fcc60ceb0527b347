# SPDX-License-Identifier: BSD-3-Clause
"""The time in which threads of OpenMP wait, by libhpm_openmp, in a program that knows
nothing of libhpm: compiled by clang, whose runtime tells tools, and by gcc; in C and in
Fortran."""

import os
import re
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, TOP_BUILD, TOP_SOURCE, equal, files, folder, ok, skip

SOURCES = os.path.join(TOP_SOURCE, "tests", "parallel")
LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
STATES = ("work", "task", "fork", "region_barrier", "loop_barrier",
          "single_barrier", "explicit_barrier", "taskwait", "critical", "lock",
          "ordered", "atomic", "serial_idle")
NEAR = 0.002
SIZES = (range(1, 9) if os.environ.get("HPM_TEST_ALL") else
         (4,) if tap.IS_REPEATED else (1, 2, 4, 8))
REGIONS = 9  # of waits.c, besides the one of tasks where there are several threads


def made(compiler, where, source="waits.c"):
    """The test's program by that compiler; None where it makes none."""
    path = os.path.join(where, "waits-" + compiler)
    try:
        done = subprocess.run(
            [compiler, "-O2", "-g", "-fopenmp", "-pthread",
             os.path.join(SOURCES, source), "-o", path], cwd=where,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except FileNotFoundError:
        return None
    return path if done.returncode == 0 else None


def is_linked_with(runtime, program):
    return program is not None and runtime.encode() in subprocess.run(
        ["ldd", program], stdout=subprocess.PIPE).stdout


class Values:
    """The times of a run by thread; a thread's number is OpenMP's."""

    def __init__(self, paths):
        self.threads, self.walls, self.metrics = {}, {}, {}
        self.reasons, self.texts = {}, {}
        for path in paths:
            with open(path, encoding="utf-8") as file:
                self.texts[path] = file.read()
            root = ET.fromstring(self.texts[path])
            for record in root.iter("InstrumentationPt"):
                tid = int(record.get("tid"))
                data = {d.get("name"): d for d in record.findall("data")}
                self.walls[tid] = float(data["IncSec"].get("value"))
                self.threads[tid] = {
                    name[8:]: float(d.get("value")) for name, d in data.items()
                    if name.startswith("openmp::") and d.get("value")}
                self.metrics[tid] = {
                    name: float(d.get("value")) for name, d in data.items()
                    if d.get("value") and name.isupper()}
                self.reasons.update((name, d.get("reason"))
                                    for name, d in data.items()
                                    if d.get("reason"))

    def seconds(self, tid, state):
        return 1e-9 * self.threads.get(tid, {}).get(state + "_time", -1e9)


def measure(program, where, *arguments, n=2, option="--openmp", **variables):
    return tap.run([HPMCOUNT, "-n", option, program, *arguments],
                   folder=where, LD_LIBRARY_PATH=LIBRARIES, OMP_NUM_THREADS=n,
                   **variables)


def run(program, *arguments, **options):
    with folder() as where:
        result = measure(program, where, *arguments, **options)
        return result, Values(files(where))


# ---- planted waits ------------------------------------------------------------

def own_clock(result):
    """(thread, state, seconds) of what the program has printed."""
    for line in result.stdout.decode().splitlines():
        words = line.split()
        if len(words) == 3:
            yield int(words[0]), words[1], float(words[2])


def far_off(values, said):
    """What the library and the program's own clock say of a state, where these are not
    near each other: the thread may lose its processor between both."""
    for tid, state, seconds in said:
        found = values.seconds(tid, state)
        if abs(found - seconds) > NEAR:
            yield (tid, state), (seconds, found)


def sums_off(values):
    """Threads whose states together are not their time, or that is not the wall
    clock's, within a hundredth.  The first one is in no state in serial parts."""
    for tid, wall in values.walls.items():
        elapsed = values.threads[tid]["thread_time"] * 1e-9
        states = sum(values.seconds(tid, state) for state in STATES)
        metrics = values.metrics[tid]
        tree = metrics["COMPUTATION"] + metrics["OPENMP_TIME"]
        if abs(elapsed - wall) > wall / 100 or \
                abs(tree - elapsed) > 1e-6 or states > elapsed + 1e-6 or \
                (tid > 0 and abs(states - elapsed) > wall / 100):
            yield tid, (wall, elapsed, states, tree)


def test_waits(program, name, n):
    def off(found):
        yield from far_off(found[1], own_clock(found[0]))
        yield from sums_off(found[1])

    (result, values), lasting = tap.always_off(lambda: run(program, n=n), off)
    said = list(own_clock(result))
    equal((result.returncode, result.stderr, len(said)), (0, b"", 10 * n),
          f"{name}: the program tells of its waits, and nobody else")
    equal(sorted(values.threads), list(range(n)),
          f"{name}: threads have OpenMP's numbers")
    equal([off for off in lasting.items() if isinstance(off[0], tuple)], [],
          f"{name}: found where they are, in their state, within 2 ms")
    equal([off for off in lasting.items() if not isinstance(off[0], tuple)], [],
          f"{name}: the states of a thread are the wall clock's time, within 1 %")
    # the first region is the one that asks how many threads there are
    equal([values.threads[tid]["work_calls"] for tid in range(n)],
          [1 + REGIONS + (n > 1)] * n, f"{name}: regions are counted")
    return values


def test_all_waits(program, name):
    for n in SIZES:
        test_waits(program, f"{name}, planted waits, {n} threads", n)


# ---- regions as sections ----------------------------------------------------------

def directives(source):
    """The lines with the directive parallel."""
    with open(os.path.join(SOURCES, source)) as file:
        return [number for number, line in enumerate(file, 1)
                if re.match(r"\s*(#pragma omp|!\$omp) parallel", line)]


def sections(where):
    """(label, line) to thread to (calls, seconds)."""
    found = {}
    for path in files(where):
        for record in ET.parse(path).getroot().iter("InstrumentationPt"):
            data = {d.get("name"): d.get("value") for d in record.findall("data")}
            place = record.get("label"), int(record.get("linestart"))
            found.setdefault(place, {})[int(record.get("tid"))] = (
                int(data["Count"]), float(data["IncSec"]))
    return found


def test_regions(program, name, source):
    name = f"{name}, regions"

    def measure_regions():
        with folder() as where:
            result = measure(program, where, option="--openmp=regions")
            return result, sections(where)

    def late_ones(found):
        return found[1].get((f"region at {source}:{late}", late), {}).values()

    lines = directives(source)
    late = min(lines) if source.endswith("F90") else sorted(lines)[1]
    # a thread that loses its processor as the region begins is there for less
    result, found = tap.undisturbed(
        measure_regions,
        lambda found: all(seconds >= 0.05 for _, seconds in late_ones(found)))
    whole = found.pop(("whole run", 0))
    equal((result.returncode, result.stderr, sorted(whole)), (0, b"", [0, 1]),
          f"{name}: no word, and the whole run")
    equal([place for place in found if place[1] not in lines or place[0] !=
           f"region at {source}:{place[1]}"], [],
          f"{name}: each has the line of its directive")
    equal((len(found), sum(calls for threads in found.values()
                           for calls, _ in threads.values())),
          (REGIONS, 2 * (REGIONS + 2)), f"{name}: all, in both threads")
    ok(all(seconds >= 0.05 for _, seconds in
           found[f"region at {source}:{late}", late].values()),
       f"{name}: where each thread was late once it has that time", found)


def test_no_lines(program, where):
    """A program without debugging data; one of its threads leaves it in a region."""
    stripped = os.path.join(where, "stripped")
    subprocess.run(["strip", program, "-o", stripped], check=True)
    with folder() as results:
        result = measure(stripped, results, "exit", option="--openmp=regions")
        found = sections(results)
    ok(result.returncode == 7 and result.stderr == b"" and len(found) == 3 and
       all(re.fullmatch(r"region at stripped\+0x[0-9a-f]+|whole run", label)
           for label, _ in found),
       "regions without lines have their address, and no word is said",
       (result, found))


# ---- what else happens ----------------------------------------------------------

def test_lives(program, runtime):
    name = f"{runtime}, teams in teams"
    result, values = run(program, "nested", OMP_MAX_ACTIVE_LEVELS=2)
    equal((result.returncode, result.stderr), (0, b""), f"{name}: no word")
    ok(all('when="end"' in text for text in values.texts.values()),
       f"{name}: the costs of calls are measured at the end, too, where the calls of "
       "other threads are closed", values.texts)
    calls = sum(thread["work_calls"] for thread in values.threads.values())
    equal(calls, 2 + 2 + 4, f"{name}: each thread of each team counts")
    name = f"{runtime}, a thread that leaves the program within a region"
    result, values = tap.undisturbed(
        lambda: run(program, "exit"),
        lambda found: found[1].seconds(0, "explicit_barrier") >= 0.05 - NEAR)
    equal((result.returncode, result.stderr, len(values.threads)), (7, b"", 2),
          f"{name}: the exit status stays, and both threads are in the file")
    ok(values.seconds(0, "explicit_barrier") >= 0.05 - NEAR,
       f"{name}: what the other one waits counts", values.threads)
    name = f"{runtime}, a fork within a region"
    result, values = run(program, "fork")
    equal((result.returncode, result.stderr,
           result.stdout.decode().splitlines()[0], len(values.threads)),
          (0, b"", "child 3", 2), f"{name}: only the parent has a file")
    name = f"{runtime}, a lock that a thread tries to take, in vain"
    result, values = run(program, "try")
    equal((result.returncode, result.stderr, result.stdout.splitlines()[0]),
          (0, b"", b"taken 0"), f"{name}: the program does what it does")
    equal(values.seconds(1, "lock"), 0,
          f"{name}: no time is waiting")
    name = f"{runtime}, regions of threads of the program's own"
    result, values = run(program, "threads")
    equal((result.returncode, result.stderr, result.stdout.splitlines()[0]),
          (0, b"", b"regions 80"), f"{name}: the program does what it does")
    ok(sum(thread["work_calls"] for thread in values.threads.values()) >= 80,
       f"{name}: they count", values.threads)


def test_refusals(program):
    name = "OMP_TOOL=disabled"
    result, values = run(program, "fork", OMP_TOOL="disabled")
    ok(result.returncode == 0 and result.stderr.count(b"\n") == 1 and
       b"OMP_TOOL=disabled" in result.stderr, f"{name}: is said once", result)
    equal([key for key in values.threads[0] if key != "thread_time"], [],
          f"{name}: nothing is 0 that nobody knows")
    ok("OMP_TOOL=disabled" in values.reasons["openmp::work_time"],
       f"{name}: the file has the reason", values.reasons)
    result, values = run(program, "fork", OMP_TOOL_LIBRARIES="libother.so")
    ok(result.returncode == 0 and result.stderr.count(b"\n") == 1 and
       b"libother.so" in result.stderr and values.seconds(0, "work") > 0,
       "another tool that is named: a line says that it is not taken", result)
    with folder() as where:
        result = tap.run([program, "fork"], folder=where, HPM_SET="OPENMP",
                         OMP_TOOL_LIBRARIES=os.path.join(
                             LIBRARIES, "libhpm_openmp.so"),
                         OMP_NUM_THREADS=2, LD_LIBRARY_PATH=LIBRARIES)
        values = Values(files(where))
    equal((result.returncode, result.stderr, sorted(values.threads)),
          (0, b"", [0, 1]), "OMP_TOOL_LIBRARIES loads the library, too")
    for events, lines in (("task-clock", 1), ("task-clock,openmp::work_calls", 0)):
        result, values = run(program, "fork", HPM_EVENTS=events)
        ok(result.returncode == 0 and lines ==
           result.stderr.count(b"HPM_EVENTS names no event openmp::") and
           b"unknown" not in result.stderr and
           0 in values.threads and
           ("work_calls" in values.threads[0]) == (lines == 0),
           f"HPM_EVENTS={events} is what is counted, and a line says what is not",
           (result, values.threads, values.texts))
    with folder() as where:
        result = measure("sh", where, "-c", "exit 3")
        equal((result.returncode, result.stderr, files(where)), (3, b"", []),
              "a program without OpenMP makes no file")


def test_sets(program):
    """Sets that the program counts and hpmcount cannot."""
    for source in ("mpi", "openmp"):
        path = os.path.join(TOP_SOURCE, "metrics", "models", source + ".hpm")
        with open(path) as file:
            names = re.findall(r"^set (\w+) =", file.read(), re.MULTILINE)
        ok(source.upper() in names, f"sets of {source} are found", names)
        for name in names:
            result = tap.run([HPMCOUNT, "-n", "true"], HPM_SET=name)
            ok(result.returncode == 125 and result.stderr.count(b"\n") == 1 and
               f"HPM_SET={name} hpmcount --{'openmp' if name == 'OPENMP' else 'mpi'}" in
               result.stderr.decode(),
               f"the set {name} without the option that counts it: is refused, with what "
               "to do", result)
    with folder() as where:
        result = measure(program, where, "fork", HPM_SET="OPENMP")
        values = Values(files(where))
    equal((result.returncode, result.stderr,
           {tid: thread["work_calls"] for tid, thread in values.threads.items()}),
          (0, b"", {0: 2, 1: 2}), "with that option the program counts HPM_SET=OPENMP")


# Calls of libgomp in which a thread neither waits nor begins a region or a task; and
# those of which the library says nothing: doacross, teams, target.
OTHERS = re.compile("GOMP_(" + "|".join((
    "PLUGIN_.*", "target.*", "teams.*", "offload_.*", ".*doacross.*", "alloc", "free",
    ".*_next", "(loop|sections2?|scope)(_.*)?_start", ".*_nowait", "parallel_end",
    "(critical|critical_name|atomic|ordered)_end", "cancel(lation_point)?",
    "taskgroup_start", "taskyield", ".*reduction_(un)?(register|remap)", "error",
    "warning")) + ")")


def test_list(program):
    """No call of this libgomp is forgotten."""
    ours = symbols(os.path.join(LIBRARIES, "libhpm_openmp.so"))
    linked = subprocess.run(["ldd", program], stdout=subprocess.PIPE).stdout
    path = re.search(rb"libgomp\S* => (\S+)", linked).group(1).decode()
    theirs = {name for name in symbols(path) if name.startswith("GOMP_")}
    ok({"GOMP_parallel", "GOMP_barrier"} <= theirs & ours,
       "libgomp: its calls are read", sorted(theirs))
    equal(sorted(name for name in theirs - ours if not OTHERS.fullmatch(name)),
          [], "libgomp: no call is forgotten")


def symbols(path):
    listed = subprocess.run(["nm", "-D", "--defined-only", path],
                            stdout=subprocess.PIPE).stdout.decode()
    return {line.split()[-1].split("@")[0] for line in listed.splitlines()
            if line.split()[-2] == "T"}


def test_libgomp(program):
    """It tells no tool, so its calls are taken, which a program of LLVM does not make."""
    name = "libgomp"
    result, values = run(program, "fork", OMP_TOOL="disabled")
    ok(result.returncode == 0 and result.stderr == b"" and
       values.threads[0]["work_calls"] == 2,
       f"{name}: OMP_TOOL says nothing of it", result)
    with folder() as where:
        result = tap.run([program, "fork"], folder=where, HPM_SET="OPENMP",
                         OMP_TOOL_LIBRARIES=os.path.join(
                             LIBRARIES, "libhpm_openmp.so"),
                         OMP_NUM_THREADS=2, LD_LIBRARY_PATH=LIBRARIES)
        equal((result.returncode, result.stderr, files(where)), (0, b"", []),
              f"{name}: it does not know OMP_TOOL_LIBRARIES")


def with_llvm(result):
    """The same as own_clock; LLVM's runtime has one barrier for what gcc compiles."""
    sums = {}
    for tid, state, seconds in own_clock(result):
        key = tid, state.replace("explicit", "loop")
        sums[key] = sums.get(key, 0) + seconds
    return [(*key, seconds) for key, seconds in sums.items()]


def test_llvm_for_gcc(program):
    name = "a program of gcc with --openmp=libomp"
    with folder() as temporary:
        (result, values), lasting = tap.always_off(
            lambda: run(program, n=3, option="--openmp=libomp", TMPDIR=temporary),
            lambda found: far_off(found[1], with_llvm(found[0])))
        equal(os.listdir(temporary), [], f"{name}: its folder is removed")
    if b"apt-get install libomp5" in result.stderr:
        equal((result.returncode, result.stdout), (125, b""),
              f"{name}: does not begin where there is no libomp")
        return
    equal((result.returncode, result.stderr.count(b"\n"),
           b"in place of gcc's" in result.stderr), (0, 1, True),
          f"{name}: one line says what is changed")
    equal(lasting, {},
          f"{name}: waits are found where they are, within 2 ms")
    equal(values.threads[1]["work_calls"], 2 + REGIONS, f"{name}: and regions")
    result = tap.run([HPMCOUNT, "--openmp=libomp", program], TMPDIR="/nowhere",
                     LD_LIBRARY_PATH=LIBRARIES)
    ok(result.returncode == 125 and result.stderr.count(b"\n") == 1 and
       b"/nowhere" in result.stderr,
       f"{name}: without a folder for the link it does not begin", result)


def test_module(where):
    """A program without OpenMP loads a module with it, for itself alone."""
    loader, module = os.path.join(where, "loader"), os.path.join(where, "tasks.so")
    compiled = [subprocess.run(
        ["gcc", "-O1", *flags, "-o", path, os.path.join(SOURCES, source), "-ldl"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT).returncode
        for flags, path, source in (
            ([], loader, "loader.c"),
            (["-shared", "-fPIC", "-fopenmp", "-Wl,-rpath,$ORIGIN"],
             module, "tasks.c"))]
    if compiled != [0, 0]:
        skip("a module with tasks", "gcc does not know all clauses of tasks")
        return
    result, values = tap.undisturbed(
        lambda: run(loader, module),
        lambda found: 0.2 - NEAR <= waits_for_tasks(found[1]) <= 0.27)
    equal((result.returncode, result.stderr, result.stdout),
          (0, b"", b"2 threads, sum 15\n"), "a module with tasks does what it does")
    ok(0.2 - NEAR <= waits_for_tasks(values) <= 0.27,
       "a taskloop, and a task that is executed at once, wait within their calls",
       values.threads)
    equal(sum(thread["task_calls"] for thread in values.threads.values()),
          2 + 2 + 10, "tasks of all kinds count")
    other = with_other_runtime(module, where)
    result, values = run(loader, module, other)
    equal((result.returncode, result.stderr, result.stdout),
          (0, b"", b"2 threads, sum 15\n" * 2),
          "each module has the runtime that it brings")


def with_other_runtime(module, where):
    """The same module with a copy of libgomp under another name, as Python's wheels
    bring one each."""
    linked = subprocess.run(["ldd", module], stdout=subprocess.PIPE).stdout
    path = re.search(rb"libgomp\S* => (\S+)", linked).group(1).decode()
    copies = []
    for source, name in ((path, "libgxmp.so.1"), (module, "other.so")):
        with open(source, "rb") as file:
            data = file.read().replace(b"libgomp.so.1", b"libgxmp.so.1")
        copies.append(os.path.join(where, name))
        with open(copies[-1], "wb") as file:
            file.write(data)
    return copies[-1]


def test_early(compiler, runtime, where):
    """A library of the program's begins before this one, with a region."""
    library = os.path.join(where, f"libearly-{compiler}.so")
    program = os.path.join(where, "early-" + compiler)
    source = os.path.join(SOURCES, "early.c")
    for flags in (["-shared", "-fPIC", "-fopenmp", source, "-o", library],
                  ["-DPROGRAM", source, library, "-o", program]):
        subprocess.run([compiler, "-O1", *flags], check=True)
    result, values = run(program)
    equal((result.returncode, result.stderr,
           [values.threads[tid].get("work_calls") for tid in values.threads]),
          (2, b"", [3, 3]),
          f"{runtime}: regions before the library begins and at the end count")


def waits_for_tasks(values):
    return sum(values.seconds(tid, "taskwait") for tid in values.threads)


def programs(where):
    """The test's program by each compiler, with its runtime."""
    for compiler, runtime in (("clang", "libomp"), ("gcc", "libgomp")):
        program = made(compiler, where)
        if is_linked_with(runtime, program):
            yield runtime, program
        else:
            skip(runtime, f"{compiler} makes no program with this runtime of "
                          "OpenMP (apt-get install clang libomp-dev, gcc)")


def fortran_programs(where):
    """The same in Fortran; a compiler that is missing says nothing of ours."""
    for compiler, runtime in (("gfortran", "libgomp"), ("flang-new", "libomp"),
                              ("flang", "libomp")):
        program = made(compiler, where, "waits.F90")
        if is_linked_with(runtime, program):
            yield f"{compiler}, {runtime}", program
        else:
            skip(compiler, "it makes no program of Fortran with OpenMP's "
                           f"runtime {runtime}")


def main():
    name = "the time of OpenMP's threads"
    if os.environ.get("sanitizers"):
        skip(name, "a sanitizer's library cannot be loaded into another program")
        return
    if not os.path.exists(os.path.join(LIBRARIES, "libhpm_openmp.so")):
        skip(name, "no shared library (configured with --disable-shared)")
        return
    with folder() as where:
        for runtime, program in programs(where):
            test_all_waits(program, runtime)
            test_lives(program, runtime)
            test_regions(program, runtime, "waits.c")
            if runtime == "libomp":
                test_refusals(program)
                test_sets(program)
                test_early("clang", runtime, where)
            else:
                test_early("gcc", runtime, where)
                test_libgomp(program)
                test_list(program)
                test_llvm_for_gcc(program)
                test_no_lines(program, where)
                test_module(where)
        for compiler, program in fortran_programs(where):
            test_all_waits(program, compiler)
            test_regions(program, compiler, "waits.F90")


main()
tap.done()
