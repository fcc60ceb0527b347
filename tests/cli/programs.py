# SPDX-License-Identifier: BSD-3-Clause
"""The example programs as their users build them: copied out of the tree,
against an installed library, with make, CMake and pkg-config; and what they
compute and record, alone and under MPI."""

import os
import shlex
import shutil
import subprocess
from shutil import which

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, files, folder, ok, records, run

EXAMPLES = os.path.join(TOP_SOURCE, "doc", "examples")
FAILING = os.path.join(TOP_BUILD, "tests", "programs", ".libs", "fakepmu.so")
FC = os.environ.get("FC", "")
CC = os.environ.get("CC", "cc")

# what programs are built with; all that is installed takes ten seconds of a processor
INSTALL = ["install-libLTLIBRARIES", "install-includeHEADERS",
           "install-pkgconfigDATA"]
if FC:
    INSTALL += ["install-fortranDATA", "install-nodist_fmodDATA"]

# folder: program, arguments of a short run, those of a known result, and
# whether it takes a Fortran compiler
PROGRAMS = {
    "swim": ("swim", ["64", "15"], [["32", "50", "wave"], ["33", "40"]], True),
    "sppm-like": ("sppm", ["64", "1"], [["64", "2"], ["64", "3"]], True),
    "sweep": ("sweep", ["40", "8"], [["31", "9", "flat"]], False),
}


class Prefix:
    """A prefix with the library as 'make install' leaves it, and copies of the
    examples to build with it."""

    def __init__(self, where):
        self.folder = os.path.join(where, "prefix")
        self.examples = os.path.join(where, "examples")
        self.error = self.install(where)
        self.variables = {"LD_LIBRARY_PATH": os.path.join(self.folder, "lib"),
                          "OMP_WAIT_POLICY": "passive"}
        self.environment = tap.environment(
            PKG_CONFIG_PATH=os.path.join(self.folder, "lib", "pkgconfig"),
            **self.variables)
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"):
            self.environment.pop(name, None)
        shutil.copytree(EXAMPLES, self.examples)
        subprocess.run(["chmod", "-R", "u+w", self.examples])

    def install(self, where):
        """Into a root, of which the prefix is then moved here."""
        root = os.path.join(where, "root")
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        done = subprocess.run(["make", "-s", "DESTDIR=" + root, *INSTALL],
                              cwd=TOP_BUILD, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        found = [folder for folder, _, names in os.walk(root)
                 if "libhpm.pc" in names]
        if done.returncode != 0 or not found:
            return done.stdout.decode()
        libraries = os.path.dirname(found[0])
        shutil.move(os.path.dirname(libraries), self.folder)
        if os.path.basename(libraries) != "lib":
            os.symlink(os.path.basename(libraries),
                       os.path.join(self.folder, "lib"))
        folder_of_pc = os.path.join(self.folder, "lib", "pkgconfig")
        for name in os.listdir(folder_of_pc):
            self.move(os.path.join(folder_of_pc, name))
        return None

    def move(self, path):
        """Tell a file of pkg-config where the prefix is now."""
        with open(path) as file:
            lines = file.read().splitlines()
        with open(path, "w") as file:
            file.writelines(
                (f"prefix={self.folder}" if line.startswith("prefix=") else line)
                + "\n" for line in lines)

    def add_libhpm_mpi(self, mpi):
        """The library for that MPI: as installed, or, for another MPI than
        configured, made by hand in a folder of its own."""
        where = os.path.join(self.folder, mpi.name.replace(" ", ""))
        libraries = os.path.join(self.folder, "lib")
        configured = which(os.environ.get("MPICC") or "none")
        if configured and os.path.samefile(configured, mpi.cc):
            where = libraries
            ok(os.path.exists(os.path.join(where, "libhpm_mpi.so")),
               f"{mpi.name}: libhpm_mpi is installed")
        else:
            os.mkdir(where)
            tap.build_libhpm_mpi(mpi, where)
            with open(os.path.join(TOP_SOURCE, "mpi",
                                   "libhpm_mpi.pc.in")) as file:
                text = file.read().replace("@libdir@", where)
            with open(os.path.join(where, "libhpm_mpi.pc"), "w") as file:
                file.write(text.replace("@PACKAGE_VERSION@", "1"))
        self.keep = os.path.join(self.folder, "keep.so")
        self.build(f"{mpi.name}: a library that keeps files", [
            *shlex.split(CC), "-shared", "-fPIC", os.path.join(
                TOP_SOURCE, "tests", "parallel", "keep.c"), "-o", self.keep],
            self.folder)
        self.variables["LD_LIBRARY_PATH"] = f"{where}:{libraries}"
        self.environment.update(
            LD_LIBRARY_PATH=f"{where}:{libraries}",
            PKG_CONFIG_PATH=f"{where}:" + os.path.join(libraries, "pkgconfig"))

    def build(self, sentence, command, where):
        """True when it works."""
        done = subprocess.run(command, cwd=where, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=1200)
        return ok(done.returncode == 0, sentence, done.stdout.decode()[-3000:])

    def run(self, command, where, **variables):
        return run(command, folder=where, **self.variables, **variables)


# ---- building --------------------------------------------------------------

def make_arguments(**more):
    variables = {"CC": CC, "FC": FC, "PKG_CONFIG": "pkg-config", **more}
    return ["make", "-s"] + [f"{k}={v}" for k, v in variables.items() if v]


def build_by_cmake(prefix, name, sentence, *options):
    """The folder with what it makes; None when it does not work."""
    if not which("cmake"):
        tap.skip(sentence, "cmake is missing")
        return None
    source = os.path.join(prefix.examples, name)
    where = os.path.join(source, "by-cmake")
    shutil.rmtree(where, ignore_errors=True)
    command = ["cmake", "-S", source, "-B", where, *options,
               "-DCMAKE_C_COMPILER=" + shlex.split(CC)[0]]
    if FC:
        command.append("-DCMAKE_Fortran_COMPILER=" + shlex.split(FC)[0])
    made = (prefix.build(f"{sentence} configures", command, source) and
            prefix.build(f"{sentence} builds", ["cmake", "--build", where],
                         source))
    return where if made else None


def test_cmake(prefix, name, program, arguments, expected):
    sentence = f"{name}: CMake"
    where = build_by_cmake(prefix, name, sentence,
                           "-DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON")
    if where is None:
        return
    with folder() as empty:
        result = prefix.run([os.path.join(where, program)] + arguments, empty)
        equal((result.returncode, result.stdout), (0, expected),
              f"{sentence}: the same result")


def test_by_hand(prefix, expected):
    where = os.path.join(prefix.examples, "sweep")
    if not prefix.build("sweep: a line with pkg-config builds it", [
            "sh", "-c", f"{CC} -O2 sweep.c -o by-hand "
            "$(pkg-config --cflags --libs libhpm) -lm"], where):
        return
    with folder() as empty:
        result = prefix.run([os.path.join(where, "by-hand")] +
                            PROGRAMS["sweep"][1], empty)
        equal(result.stdout, expected, "sweep: and has the same result")


# ---- results ---------------------------------------------------------------

def test_results(prefix, name, path, arguments, known):
    """What the program says is the same whatever we do; returns it."""
    with folder() as where:
        plain = prefix.run([path] + arguments, where, HPM_DISABLE=1,
                           OMP_NUM_THREADS=1)
        ok(plain.returncode == 0 and plain.stdout and not os.listdir(where),
           f"{name}: right without measuring", plain)
        result = prefix.run([path] + arguments, where, OMP_NUM_THREADS=4)
        equal((result.returncode, result.stdout, result.stderr),
              (0, plain.stdout, b""),
              f"{name}: with it, and 4 threads, the same to the last bit")
        if tap.has_xmllint():
            message = tap.validates(files(where))
            ok(message is None, f"{name}: a valid file", message)
    with folder() as where:
        result = prefix.run([path] + arguments, where, LD_PRELOAD=FAILING,
                            FAKE_FAIL_AT=1, FAKE_FAIL_FOREVER=1,
                            OMP_NUM_THREADS=2)
        states = {d.get("state") for r in records(files(where)[0])
                  for n, d in r.data.items() if n == "task-clock"}
        equal((result.returncode, result.stdout, states),
              (0, plain.stdout, {"unsupported"}),
              f"{name}: and with counters that fail")
    for other in known:
        with folder() as where:
            result = prefix.run([path] + other, where, OMP_NUM_THREADS=2)
            equal((result.returncode, result.stderr), (0, b""),
                  f"{name} {' '.join(other)}: the known result")
    return plain.stdout


# ---- records ---------------------------------------------------------------

def raw(record, name):
    return (int(record.data[name]["value"]) +
            int(record.data[name].get("overhead", 0)))


def value(record, name):
    return int(record.data[name]["value"])


def outside(rows, process, tops):
    """What part of the process section's processor time is in no thread's: what
    the library did as threads came and went has been taken off it."""
    whole = next(r for r in rows if r.scope == "process" and r.label == process)
    if "value" not in whole.data.get("task-clock", {}):
        return 0
    return 1 - sum(value(r, "task-clock") for r in rows if r.scope == "thread" and
                   r.label in tops) / value(whole, "task-clock")


def check_process(rows, process, tops, title, is_bracketed_whole):
    """The process has what its threads have; and hardly more where all of the
    parallel region is in their sections."""
    whole = next(r for r in rows if r.scope == "process" and r.label == process)
    inside = [r for r in rows if r.scope == "thread" and r.label in tops]
    ok(all(r.within == whole.id for r in inside),
       f"{title}: thread sections are within the process section")
    if "value" not in whole.data.get("task-clock", {}):
        tap.skip(f"{title}: sums", "task-clock cannot be counted here")
        return
    sums = {name: sum(raw(r, name) for r in inside)
            for name in ("task-clock", "page-faults")}
    ok(raw(whole, "task-clock") >= sums["task-clock"] > 0 and
       raw(whole, "page-faults") >= sums["page-faults"],
       f"{title}: the process counts at least what its threads count",
       f"{whole.data} {sums}")
    if not is_bracketed_whole:
        return
    rest = outside(rows, process, tops)
    ok(rest < 0.01, f"{title}: and hardly more: the threads do it all",
       f"{100 * rest} % is in no thread")


def measured(prefix, command, process, tops, most):
    """Records of a run in which the process had the time of its threads, and
    less than a part more: making threads takes longer on a busy machine."""
    def measure():
        with folder() as where:
            prefix.run(command, where, OMP_NUM_THREADS=4)
            return records(files(where)[0])
    return tap.undisturbed(
        measure, lambda rows: 0 <= outside(rows, process, tops) < most, 10)


def test_swim(prefix, path):
    rows = measured(prefix, [path, "256", "80"], "Steps of all threads",
                    ["Steps"], 0.01)
    threads = [(r.tid, r.label, r.count) for r in rows if r.scope == "thread"]
    equal(sorted(t for t in threads if t[1] != "Edges"),
          sorted((tid, label, count) for tid in range(4) for label, count in (
              ("Steps", "1"), ("Loop 100", "80"), ("Loop 200", "80"),
              ("Loop 300", "80"))), "swim: a record per thread and loop")
    equal([t for t in threads if t[1] == "Edges"], [(0, "Edges", "80")],
          "swim: one thread closes the edges")
    equal({r.label for r in rows if r.scope == "process"},
          {"Initialize", "Steps of all threads", "Check"},
          "swim: process sections beside them")
    equal({(r.base, r.inst) for r in rows if r.label == "Loop 300"},
          {("swim.F", "300")}, "swim: file and id")
    check_process(rows, "Steps of all threads", ["Steps"], "swim", True)


def test_sppm(prefix, path):
    tops = ["X sweep", "Y sweep", "Z sweep", "Ghosts"]
    rows = measured(prefix, [path, "64"], "Double step", tops, 1)
    planes = [(r.tid, r.base) for r in rows if r.label == "Plane"]
    equal(sorted(planes), sorted((tid, "pencil.c") for tid in range(4)
                                 for _ in range(3)),
          "sppm: sections of C inside those of Fortran, per sweep and thread")
    equal({r.base for r in rows if r.label in ("X sweep", "Double step")},
          {"sppm.F90"}, "sppm: the module's sections have their file")
    check_process(rows, "Double step", tops, "sppm", False)


def test_sweep(prefix, path):
    with folder() as where:
        prefix.run([path, "40", "8"], where)
        rows = records(files(where)[0])
    work = [(r.data["work::cells"]["value"], r.count) for r in rows
            if r.label == "Compute"]
    equal(work, [(str(40 * 40 * 16 * 8), "32")] * 4,
          "sweep: calls and work of each quadrant")


# ---- MPI -------------------------------------------------------------------

SECTIONS = {"swim": "Loop 300", "sppm-like": "X sweep", "sweep": "Source"}


def build_mpi(prefix, mpi, name, program, title, *variables):
    """The program for that MPI; None when it cannot be made."""
    source = os.path.join(prefix.examples, name)
    for made in (program + "-mpi", "pencil.o"):
        if os.path.exists(os.path.join(source, made)):
            os.remove(os.path.join(source, made))
    made = prefix.build(f"{title}: make mpi {' '.join(variables)}".strip(),
                        make_arguments(MPICC=mpi.cc, MPIFC=mpi.fc or "") +
                        [*variables, "mpi"], source)
    return os.path.join(source, program + "-mpi") if made else None


def check_threads(name, rows, title):
    """Of each section there is a record for each thread of each task."""
    equal(sorted((int(r.task), r.tid) for r in rows
                 if r.label == SECTIONS[name]),
          [(task, tid) for task in range(4)
           for tid in range(1 if name == "sweep" else 2)], title)


def test_own_files(prefix, mpi, name, program, arguments, expected):
    title = f"{name}, {mpi.name}"
    path = build_mpi(prefix, mpi, name, program, title)
    if path is None:
        return
    cases = [{}]
    if mpi.name == tap.mpis()[0].name:  # of whose counters no MPI knows
        cases.append({"LD_PRELOAD": FAILING, "FAKE_FAIL_AT": 1,
                      "FAKE_FAIL_FOREVER": 1})
    for failing in cases:
        with folder() as where:
            result = mpi.run(4, [path] + arguments, where, OMP_NUM_THREADS=2,
                             **prefix.variables, **failing)
            equal((result.returncode, result.stdout), (0, expected),
                  f"{title}: 4 tasks compute the same to the last bit" +
                  (", with counters that fail" if failing else ""))
            rows = [records(path) for path in files(where)]
            equal(sorted({r.task for each in rows for r in each}),
                  ["0", "1", "2", "3"], f"{title}: a file of each task")
            check_threads(name, sum(rows, []),
                          f"{title}: a record of each thread in each")
            merged = tap.merge(os.listdir(where), where)
            if failing or merged is None:
                continue
            with open(os.path.join(where, "merged.hpm.xml"), "wb") as file:
                file.write(merged)
            check_threads(name, records(file.name),
                          f"{title}: they merge to a record of each thread")


def test_one_file(prefix, mpi, name, program, arguments, expected):
    """The same through libhpm_mpi; with what it removes kept to compare."""
    title = f"{name}, {mpi.name}, libhpm_mpi"
    path = build_mpi(prefix, mpi, name, program, title, "HPM=libhpm_mpi")
    if path is None:
        return
    with folder() as where:
        result = mpi.run(4, [path] + arguments, where, OMP_NUM_THREADS=2,
                         **prefix.variables)
        equal((result.returncode, result.stdout, result.stderr,
               len(os.listdir(where))), (0, expected, b"", 1),
              f"{title}: 4 tasks compute the same and leave one file")
        for each in files(where):
            check_threads(name, records(each),
                          f"{title}: a record of each thread in it")
        if tap.has_xmllint():
            message = tap.validates(files(where))
            ok(message is None, f"{title}: it is valid", message)
    with folder() as where:
        ended = mpi.run(4, [path] + arguments, where, OMP_NUM_THREADS=2,
                        LD_PRELOAD=prefix.keep, **prefix.variables)
        if ended.returncode != 0:
            print("#", ended)
        own = [each for each in os.listdir(where) if "_all_" not in each]
        job = [each for each in os.listdir(where) if "_all_" in each]
        merged = tap.merge(own, where)
        if merged is None:
            tap.skip(f"{title}: it is the merge", "no libxml2")
        elif equal((len(own), len(job)), (4, 1), f"{title}: what was kept"):
            with open(os.path.join(where, job[0]), "rb") as file:
                ok(file.read() == merged,
                   f"{title}: it is the merge of the tasks' files", merged[:999])


def test_mpi_by_cmake(prefix, mpi, name, program, arguments, expected):
    title = f"{name}, {mpi.name}, libhpm_mpi: CMake"
    built = build_by_cmake(prefix, name, title, "-DONE_FILE=ON",
                           "-DMPI_C_COMPILER=" + mpi.cc,
                           "-DMPI_Fortran_COMPILER=" + (mpi.fc or ""))
    if built is None:
        return
    with folder() as where:
        result = mpi.run(4, [os.path.join(built, program + "-mpi")] +
                         arguments, where, OMP_NUM_THREADS=2,
                         **prefix.variables)
        equal((result.returncode, result.stdout, len(os.listdir(where))),
              (0, expected, 1), f"{title}: the same result, and one file")


def test_mpi(prefix, mpi, expected):
    mpi.is_yielding = True
    prefix.add_libhpm_mpi(mpi)
    for name in expected:
        program, arguments, _, is_fortran = PROGRAMS[name]
        if is_fortran and not mpi.fc:
            tap.skip(f"{name}, {mpi.name}", "no mpifort")
            continue
        for test in (test_own_files, test_one_file):
            test(prefix, mpi, name, program, arguments, expected[name])
    # one for all: it takes long
    name = "sppm-like" if "sppm-like" in expected and mpi.fc else "sweep"
    test_mpi_by_cmake(prefix, mpi, name, *PROGRAMS[name][:2], expected[name])


def main():
    if os.environ.get("sanitizers") or not os.path.exists(
            os.path.join(TOP_BUILD, "lib", ".libs", "libhpm.so")):
        tap.skip("examples outside the tree",
                 "this build has no shared library for others")
        return
    if not which("pkg-config"):
        tap.skip("examples outside the tree", "pkg-config is missing")
        return
    with folder() as where:
        prefix = Prefix(where)
        if not ok(prefix.error is None, "the library is installed",
                  prefix.error):
            return
        expected = {}
        for name, (program, arguments, known, is_fortran) in PROGRAMS.items():
            if is_fortran and not FC:
                tap.skip(name, "no Fortran compiler")
                continue
            source = os.path.join(prefix.examples, name)
            if prefix.build(f"{name}: make", make_arguments(), source):
                path = os.path.join(source, program)
                expected[name] = test_results(prefix, name, path, arguments,
                                              known)
                {"swim": test_swim, "sppm-like": test_sppm,
                 "sweep": test_sweep}[name](prefix, path)
                test_cmake(prefix, name, program, arguments, expected[name])
        test_by_hand(prefix, expected["sweep"])
        for mpi in tap.mpis():
            test_mpi(prefix, mpi, expected)
        if not tap.mpis():
            tap.skip("under MPI", tap.NO_MPI)


main()
tap.done()
