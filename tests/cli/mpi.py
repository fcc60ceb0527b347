# SPDX-License-Identifier: BSD-3-Clause
"""libhpm_mpi: one file for a whole job, under every MPI there is."""

import os
import re
import shlex
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, files, folder, link_flags, mpis
from tap import ok, records, whole_files

SOURCES = os.path.join(TOP_SOURCE, "tests", "parallel")
N_TASKS = 3
KEPT = b"each task's own is kept"


def compile_with(command, sentence):
    made = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return ok(made.returncode == 0, sentence,
              " ".join(command) + "\n" + made.stdout.decode())


class Tools:
    """libhpm_mpi and programs linked with it, for one MPI."""

    def __init__(self, mpi, where):
        self.mpi = mpi
        self.where = where
        self.is_good = tap.build_libhpm_mpi(mpi, where)
        self.keep = os.path.join(where, "keep.so")
        self.is_good = self.is_good and compile_with(
            shlex.split(os.environ.get("CC", "cc")) +
            ["-shared", "-fPIC", os.path.join(SOURCES, "keep.c"), "-o",
             self.keep], f"{mpi.name}: a library that keeps files")

    def with_keep(self):
        """By name, for a path with a space would be two in LD_PRELOAD."""
        folders = [self.where, os.environ.get("LD_LIBRARY_PATH", "")]
        return {"LD_PRELOAD": os.path.basename(self.keep),
                "LD_LIBRARY_PATH": ":".join(filter(None, folders))}

    def program(self, name, source, *flags, with_us=True):
        """Its path, or None."""
        path = os.path.join(self.where, name)
        is_fortran = source.endswith(".F90")
        command = [self.mpi.fc if is_fortran else self.mpi.cc, "-O2", *flags,
                   "-I" + os.path.join(TOP_SOURCE, "include"),
                   os.path.join(SOURCES, source), "-o", path]
        if is_fortran:
            command += ["-I" + os.path.join(TOP_BUILD, "fortran"),
                        os.path.join(TOP_BUILD, "fortran",
                                     "libhpm_fortran.a")]
        if with_us:
            command += ["-L" + self.where, "-Wl,-rpath," + self.where,
                        "-lhpm_mpi", *link_flags(), "-lm", "-ldl"]
        return path if compile_with(
            command, f"{self.mpi.name}: {name} compiles") else None


def labels(path):
    """(task, label, calls) of the outer sections of a file."""
    return sorted((int(r.task), r.label, int(r.count)) for r in records(path)
                  if r.label != "inner")


def before(tasks):
    return [(task, "before", 10 * (task + 1)) for task in tasks]


def check_valid(paths, sentence):
    if tap.has_xmllint() and paths:
        message = tap.validates(paths)
        ok(message is None, sentence, message)


# ---- one file ---------------------------------------------------------------

def test_one_file(tools, job):
    name = tools.mpi.name
    for way in ("plain", "thread", "terminate", "same"):
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [job, way], where)
            said = re.sub(rb"hpm: hpmInit says task 0, the launcher rank \d; "
                          rb"using 0\n", b"", result.stderr)
            equal((result.returncode, result.stdout, said), (0, b"", b""),
                  f"{name}, {way}: nothing is said")
            found = os.listdir(where)
            if not ok(len(found) == 1 and
                      re.fullmatch(r"job_all_\d+\.hpm\.xml", found[0]),
                      f"{name}, {way}: one file, of all tasks", found):
                continue
            check_valid(files(where), f"{name}, {way}: it is valid")
            equal(labels(files(where)[0]), before(range(N_TASKS)),
                  f"{name}, {way}: all tasks are in it, up to MPI_Finalize")


def test_is_the_merge(tools, job):
    """With what is removed otherwise kept, the file can be compared with what
    it was made of."""
    name = f"{tools.mpi.name}: the job's file"
    for way in ("plain", "large"):
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [job, way], where,
                                   **tools.with_keep())
            found = [os.path.basename(path) for path in files(where)]
            job_file = [path for path in found if "_all_" in path]
            own = [path for path in found if path not in job_file]
            if not equal((result.returncode, len(job_file), len(own)),
                         (0, 1, N_TASKS),
                         f"{name} and those of the tasks, {way}"):
                continue
            merged = tap.merge(own, where)
            if merged is None:
                tap.skip(name + " is the merge",
                         "no libxml2 (--without-libxml2)")
                continue
            with open(os.path.join(where, job_file[0]), "rb") as file:
                ok(file.read() == merged,
                   f"{name} is the merge of theirs, to the byte, {way}",
                   merged[-1000:])
            if way == "large":
                size = os.path.getsize(os.path.join(where, own[0]))
                ok(size > 2000000, f"{name}: and theirs are large", size)


def test_together(tools, job):
    """Several hpm, started by one launcher, share the files."""
    name = f"{tools.mpi.name}: several hpm"
    with folder() as where:
        tools.mpi.run(5, [job, "plain"], where, **tools.with_keep())
        for path in files(where):
            if "_all_" in path:
                os.remove(path)
        names = sorted(os.path.basename(path) for path in files(where))
        merged = tap.merge(names, where)
        if merged is None or b"\n  merge " not in tap.run(
                [tap.HPM, "help"]).stdout:
            tap.skip(name, "hpm reads no files here (--without-libxml2)")
            return
        for n in (2, 5, 7):
            result = tools.mpi.run(n, [tap.HPM, "merge", "-o", "all.xml",
                                       *names], where)
            path = os.path.join(where, "all.xml")
            ok(result.returncode == 0 and result.stderr == b"" and
               os.path.exists(path), f"{name}: {n} make one file", result)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    equal(file.read(), merged, f"{name}: {n}: it is the same")
                os.remove(path)
        equal(sorted(os.listdir(where)), names,
              f"{name}: nothing else is left")
        # the launcher may give the first one a terminal
        result = tools.mpi.run(3, [tap.HPM, "report", *names], where, NO_COLOR=1)
        equal(result.stdout, tap.run([tap.HPM, "report", *names],
                                     folder=where).stdout,
              f"{name}: one report, the same")
        with open(os.path.join(where, names[4]), "w") as file:
            file.write("<nothing")
        # the launcher may give the first one a terminal
        result = tools.mpi.run(3, [tap.HPM, "report", *names], where, NO_COLOR=1)
        ok(result.returncode == 1 and names[4].encode() in result.stderr,
           f"{name}: a bad file is named, by the one that has read it", result)


def test_parts(tools, job):
    """What one task may not hold goes into several files of some tasks each."""
    name = f"{tools.mpi.name}: a job of which no task may hold all"
    n = 4
    with folder() as where:
        result = tools.mpi.run(n, [job, "middle"], where, HPM_JOB_MEMORY=1)
        found = sorted(os.path.basename(path) for path in files(where))
        equal((result.returncode, [re.sub(r"all_\d+", "all", each)
                                   for each in found]),
              (0, [f"job_all.tasks-{first}-{first + 1}.hpm.xml"
                   for first in range(0, n, 2)]),
              f"{name}: two files, whose names say which tasks they have")
        ok(result.stderr.count(b"it is in 2 files") == 1,
           f"{name}: said once", result.stderr)
        merged = tap.merge(found, where)
        if merged is None:
            tap.skip(name, "no libxml2 (--without-libxml2)")
            return
    with folder() as where:
        with open(os.path.join(where, "merged.hpm.xml"), "wb") as file:
            file.write(merged)
        equal([(task, calls) for task, label, calls in
               labels(os.path.join(where, "merged.hpm.xml"))
               if label == "before"],
              [(task, 10 * (task + 1)) for task in range(n)],
              f"{name}: hpm takes both as one run")


def test_summary(tools, job):
    """The oracle is hpm merge --summary of the tasks' own files."""
    name = f"{tools.mpi.name}: a job's summary"
    for n in (N_TASKS, 6):
        with folder() as where:
            result = tools.mpi.run(n, [job, "plain"], where,
                                   **tools.with_keep(),
                                   HPM_AGGREGATE="summary")
            found = [os.path.basename(path) for path in files(where)]
            job_file = [path for path in found if "_all_" in path]
            own = [path for path in found if path not in job_file]
            if not equal((result.returncode, b"hpm:" in result.stderr,
                          len(job_file), len(own)), (0, False, 1, n),
                         f"{name} of {n} tasks is one file, in silence"):
                continue
            check_valid([os.path.join(where, job_file[0])], f"{name} is valid")
            merged = tap.merge(own, where, "--summary")
            if merged is None:
                tap.skip(name, "no libxml2 (--without-libxml2)")
                return
            with open(os.path.join(where, job_file[0]), "rb") as file:
                text = file.read()
            equal(text, merged,
                  f"{name} of {n} is that of hpm merge, to the byte")
            ok(f'tasks="0-{n - 1}" count="{n}"'.encode() in text,
               f"{name} says which tasks it is of", text[:2000])
    with folder() as where:
        result = tools.mpi.run(2, [job, "plain"], where, HPM_AGGREGATE="avg")
        ok(result.stderr.count(b"HPM_AGGREGATE 'avg': expected all") == 1 and
           labels(files(where)[0]) == before(range(2)),
           f"{name}: another word is told once, and all tasks are kept", result)


def test_names(tools, job):
    name = tools.mpi.name
    with folder() as where:
        for expected in (["run.hpm.xml"], ["run.hpm.xml", "run.hpm.xml.1"]):
            result = tools.mpi.run(N_TASKS, [job], where,
                                   HPM_OUTPUT_NAME="run.hpm.xml")
            equal(sorted(os.listdir(where)), expected,
                  f"{name}: a name without the task")
        equal(result.stderr.count(b"exists already"), 1,
              f"{name}: of a name that is taken one line is said")
    with folder() as where:
        result = tools.mpi.run(N_TASKS, [job, "leave"], where,
                               HPM_OUTPUT_NAME="run.hpm.xml")
        equal((result.stderr.count(b"exists already; wrote"),
               len(files(where))), (1, N_TASKS),
              f"{name}: who leaves early says the name of its own file")
    with folder() as where:
        for _ in range(2):
            result = tools.mpi.run(1, [job], where,
                                   HPM_OUTPUT_NAME="run.hpm.xml")
        equal((result.stderr.count(b"exists already; wrote"),
               sorted(os.listdir(where))),
              (1, ["run.hpm.xml", "run.hpm.xml.1"]),
              f"{name}: of a task alone, too")
    with folder() as where:
        os.mkdir(os.path.join(where, "out"))
        tools.mpi.run(N_TASKS, [job], where,
                      HPM_OUTPUT_NAME="out/%n-%r.hpm.xml")
        equal(os.listdir(os.path.join(where, "out")), ["job-all.hpm.xml"],
              f"{name}: a name with a folder and the task")


def test_few(tools, job):
    name = tools.mpi.name
    with folder() as where:
        result = tools.mpi.run(1, [job], where)
        equal((result.returncode, [labels(path) for path in files(where)]),
              (0, [before([0])]), f"{name}: a task alone has its own file")
    with folder() as where:
        result = tools.mpi.run(N_TASKS, [job, "some"], where)
        equal((result.returncode, result.stderr,
               [labels(path) for path in files(where)]), (0, b"", [before([1])]),
              f"{name}: where one of several measures, its own is enough")
    with folder() as where:
        result = tools.mpi.run(N_TASKS, [job], where, HPM_DISABLE=1)
        equal((result.returncode, result.stderr, os.listdir(where)),
              (0, b"", []), f"{name}: nothing where measuring is off")
    with folder() as where:
        result = tools.mpi.run(N_TASKS, [job, "child"], where)
        found = sorted(labels(path) for path in files(where))
        equal((result.returncode, found),
              (0, [before(range(N_TASKS)), [(1, "child", 1)]]),
              f"{name}: a child's file is its own")


# ---- what goes wrong ---------------------------------------------------------

def own_files(where):
    return sorted(labels(path) for path in whole_files(where))


def may_end_well(tools, job, way):
    """Does mpirun end with 0 when nothing measures, too?  MPICH does now and
    then, when it hears of the end of a task before it hears why."""
    with folder() as where:
        return any(tools.mpi.run(N_TASKS, [job, way], where,
                                 HPM_DISABLE=1).returncode == 0
                   for _ in range(20))


def test_early_ends(tools, job):
    for way, waiting in (("leave", "no"), ("abort", "no"), ("leave", "yes"),
                         ("abort", "yes")):
        name = f"{tools.mpi.name}, HPM_WAITING={waiting}"
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [job, way], where,
                                   HPM_WAITING=waiting)
            ok(result.returncode != 0 or may_end_well(tools, job, way),
               f"{name}, {way}: the job fails as ever", result)
            equal(own_files(where), [before([task]) for task in range(N_TASKS)],
                  f"{name}, {way}: each task's own file is there")
            check_valid(files(where), f"{name}, {way}: they are valid")


def test_killed(tools, job):
    """No variable asks for it: each task of a job has a journal."""
    name = f"{tools.mpi.name}: a job of which a signal has killed a task"
    if b"recover" not in tap.run([tap.HPM, "help"]).stdout:
        tap.skip(name, "hpm reads no files here")
        return
    with folder() as where, folder() as disk:
        tools.mpi.run(N_TASKS, [job, "die"], where, HPM_JOURNAL_FOLDER=disk,
                      HPM_WAITING="yes")
        equal((os.listdir(where), len(os.listdir(disk))), ([], N_TASKS),
              f"{name}: journals are where they should be")
        tap.run([tap.HPM, "recover", disk])
        recovered = [path for path in files(disk) if path.endswith(".xml")]
        equal(sorted({task for path in recovered
                      for task, _, _ in labels(path)}), list(range(N_TASKS)),
              f"{name}: what each task has measured is recovered")
    with folder() as where:
        tools.mpi.run(N_TASKS, [job, "die"], where, HPM_CHECKPOINT="no")
        equal(os.listdir(where), [], f"{name}: without journals nothing is")


def counted(path, section):
    """The values of a section, summed over tasks and threads."""
    sums = {}
    for point in ET.parse(path).getroot().findall("InstrumentationPt"):
        for data in point.findall("data"):
            if point.get("label") == section and data.get("value"):
                sums[data.get("name")] = (sums.get(data.get("name"), 0) +
                                          float(data.get("value")))
    return sums


def test_spawn(tools):
    """Each MPI_COMM_WORLD has its file."""
    name = f"{tools.mpi.name}: tasks that a job starts"
    bare = tools.program("bare", "spawn.c", "-DHPM_OFF", with_us=False)
    spawn = tools.program("spawn", "spawn.c")
    # tasks of two jobs share no memory
    ways = {"OMPI_MCA_btl": "self,vader,tcp"}
    with folder() as where:
        result = tools.mpi.run(2, [bare], where, **ways) if bare else None
    if not spawn or not result or result.returncode != 0:
        tap.skip(name, "this MPI starts none here")
        return
    with folder() as where:
        result = tools.mpi.run(2, [spawn], where, HPM_SET="MPI_WAITING",
                               HPM_WAITING="yes", **ways)
        equal((result.returncode, sorted(result.stdout.decode().split("\n"))),
              (0, [""] + [f"{rank} of 4: 4" for rank in range(4)]),
              f"{name} go on as ever, when their waits are told")
        equal([labels(path) for path in files(where)],
              [[(task, label, 1) for task in range(2)
                for label in ("between", "merged")]] * 2,
              f"{name} have a file of their own")
        check_valid(files(where), f"{name}: both are valid")
        said = [line for line in result.stderr.split(b"\n")
                if line.startswith(b"hpm:")]
        ok(len(said) == 4 and len(set(said)) == 1 and
           b"between two groups" in said[0],
           f"{name}: one line a task says what is not known", result)


def test_multiple(tools):
    name = f"{tools.mpi.name}: eight threads of each task in MPI at once"
    multiple = tools.program("multiple", "multiple.c", "-pthread")
    if not multiple:
        return
    with folder() as where:
        result = tools.mpi.run(2, [multiple], where, HPM_SET="MPI_WAITING",
                               HPM_WAITING="yes")
        if result.returncode == 77:
            tap.skip(name, "this MPI allows no such threads")
            return
        equal((result.returncode, len(files(where))), (0, 1),
              f"{name}: nothing is mixed up when their waits are told")
        sums = counted(files(where)[0], "exchange")
        calls = 2 * 8 * 20
        equal([sums.get("mpi::" + each) for each in
               ("send_calls", "recv_calls", "barrier_calls",
                "all_to_all_calls", "barrier_last", "all_to_all_last")],
              [calls] * 4 + [calls / 2] * 2,
              f"{name}: each call is counted, and in each one task comes last")


def test_failures(tools, job):
    name = tools.mpi.name
    for fail, tasks in ((1, "no communicator"), (2, "no messages")):
        path = tools.program(f"fail{fail}", "job.c", f"-DFAIL={fail}")
        if path is None:
            continue
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [path, "thread"], where,
                                   HPM_TIMEOUT=1)
            ok(result.returncode == 0 and own_files(where) ==
               [before([task]) for task in range(N_TASKS)],
               f"{name}, {tasks}: own files, the program ends as ever",
               (result, own_files(where)))
            equal(result.stderr.count(b"own"), 1,
                  f"{name}, {tasks}: one line is said")
    with folder() as where:
        gone = os.path.join(where, "gone")
        os.mkdir(gone)
        # without journals, which would be in that folder
        result = tools.mpi.run(N_TASKS, [job, "gone"], where, JOB_FOLDER=gone,
                               HPM_CHECKPOINT="no",
                               HPM_OUTPUT_NAME=gone + "/%r.hpm.xml")
        equal((result.returncode, own_files(where)),
              (0, [before([task]) for task in range(N_TASKS)]),
              f"{name}, no folder: own files in another")
        ok(result.stderr.count(KEPT) == 1, f"{name}, no folder: said once",
           result.stderr)


def test_late(tools, job):
    name = f"{tools.mpi.name}: a task that comes late"
    with folder() as where:
        result = tools.mpi.run(
            N_TASKS, ["sh", "-c", '[ "$PMI_RANK$OMPI_COMM_WORLD_RANK" != 0 ] ||'
                      'exec 2>said; exec "$0" late', job], where, HPM_TIMEOUT=2)
        with open(os.path.join(where, "said"), "rb") as file:
            said = file.read()
        equal((result.returncode, own_files(where)),
              (0, [before([task]) for task in range(N_TASKS)]),
              f"{name}: own files, the program ends as ever")
        # Task 1 may have come so late that task 0 does not know it, either.
        ok(re.search(rb"\btasks? (1, )?2 did not come", said) and
           said.count(b"own file is kept") == said.count(b"\n"), f"{name} is named", said)


def test_one_fails(tools):
    """A task that gets only half of what it has recorded: all others are in files of
    the job, none of which says that it has more, and nobody crashes."""
    name = f"{tools.mpi.name}: one task fails"
    path = tools.program("fail3", "job.c", "-DFAIL=3")
    if path is None:
        return
    for way, fails, expected in (
            ("plain", 3, {"tasks-0-2": [0, 1, 2], "own": [3]}),
            ("plain", 2, {"tasks-0-1": [0, 1], "own": [2, 3]}),
            ("plain", 0, {"tasks-2-3": [2, 3], "own": [0, 1]}),
            ("without", 0, {"own": [0, 1, 3]})):
        with folder() as where:
            result = tools.mpi.run(4, [path, way], where,
                                   JOB_FAILS=str(fails))
            found = {}
            for each in files(where):
                part = re.search(r"_all_\d+\.?(.*)\.hpm\.xml$", each)
                found.setdefault(part.group(1) if part else "own", []).extend(
                    task for task, _, _ in labels(each))
            found = {part: sorted(tasks) for part, tasks in found.items()}
            equal((result.returncode, found), (0, expected),
                  f"{name}, {way}, task {fails}: nothing is lost")
            said = b"; what task %d has recorded" % fails
            ok(result.stderr.count(said) == 1 and
               b"HPM_JOB_MEMORY" not in result.stderr and
               KEPT not in result.stderr,
               f"{name}, {way}, task {fails}: what is said is true",
               result.stderr)


def test_others(tools, job):
    """A job of two programs, of which one does not know us: nobody waits for
    ever."""
    name = f"{tools.mpi.name}: a job with another program"
    with folder() as where:
        result = tools.mpi.run(2, ["true", ":", "-n", "1", "true"], where)
    if result.returncode < 0:  # that of Open MPI 5.0.7 does
        tap.skip(name, "this mpirun crashes with two programs, whichever")
        return
    other = tools.program("other", "job.c", "-DWITHOUT_US", with_us=False)
    if other is None:
        return
    for first, second in ((job, other), (other, job)):
        n, m = (2, 1) if first == job else (1, 2)
        with folder() as where:
            result = tools.mpi.run(n, [first, "plain", ":", "-n", str(m),
                                       second, "plain"], where, HPM_TIMEOUT=1)
            tasks = (0, 1) if first == job else (1, 2)
            equal((result.returncode, own_files(where)),
                  (0, [before([task]) for task in tasks]), f"{name}: own files")
            ok(b"with libhpm_mpi" in result.stderr,
               f"{name}: it is said why", result.stderr)


def test_floating_point(tools):
    name = f"{tools.mpi.name}: the floating-point environment"
    path = tools.program("floating", "job.c", "-DFLOATING")
    if path is None:
        return
    with folder() as where:
        result = tools.mpi.run(N_TASKS, [path, "plain"], where)
        equal((result.returncode, result.stderr, len(own_files(where))),
              (0, b"", 1), f"{name} is the program's after the job's file")


# ---- grids of tasks -----------------------------------------------------------

def said_of_runs(path, first, *others):
    """A line for each Run that has the first attribute: "task: first, others"."""
    return sorted(", ".join([f"{r.get('task')}: {r.get(first)}",
                             *(r.get(name) for name in others)])
                  for r in ET.parse(path).getroot().findall("Run")
                  if r.get(first))


def places(path):
    """Where the tasks of a file stand, as grid.c says it."""
    return said_of_runs(path, "dims", "periods", "coords")


def test_grid(tools):
    name = f"{tools.mpi.name}: a grid of tasks"
    grid = tools.program("grid", "grid.c")
    if grid is None:
        return
    n = 6
    with folder() as where:
        result = tools.mpi.run(n, [grid], where)
        if not ok(result.returncode == 0 and len(files(where)) == 1,
                  f"{name}: one file", result):
            return
        path, = files(where)
        said = result.stdout.decode().splitlines()
        ok(len(said) == n and said[0].count("3 2, 0 1") == 1,
           f"{name}: there is a plane", said)
        equal(places(path), sorted(said),
              f"{name}: the file says where each task stands in the largest one")
        check_valid([path], f"{name}: it is valid")
    with folder() as where:
        tools.mpi.run(n, [grid, "ring"], where)
        equal(places(files(where)[0]), [f"{i}: {n}, 1, {i}" for i in range(n)],
              f"{name}: a ring is one of one dimension")
    with folder() as where:
        result = tools.mpi.run(1, [grid, "killed"], where, HPM_CHECKPOINT=0,
                               HPM_FSYNC=0)
        if not tap.run([tap.HPM, "help"]).stdout.count(b"recover"):
            tap.skip(f"{name}: journals", "hpm reads no files here")
            return
        recovered = tap.run([tap.HPM, "recover", "."], folder=where)
        equal([places(path) for path in files(where)
               if path.endswith(".xml")], [["0: 1 1 1, 0 0 0, 0 0 0"]],
              f"{name}: what is recovered from a journal has that of the most "
              "dimensions")
        ok(result.returncode != 0 and recovered.returncode == 0,
           f"{name}: of a task that was killed", (result, recovered))


def neighbours(path):
    """Which neighbours the tasks of a file have, as graph.c says it."""
    return sorted(line.replace(", ,", ",,").rstrip(" ") for line in
                  said_of_runs(path, "degrees", "sources", "destinations"))


def test_graph(tools):
    name = f"{tools.mpi.name}: a graph of tasks"
    graph = tools.program("graph", "graph.c")
    if graph is None:
        return
    for kind in ("graph", "adjacent", "dist"):
        with folder() as where:
            result = tools.mpi.run(4, [graph, kind], where)
            if not ok(result.returncode == 0 and len(files(where)) == 1,
                      f"{name}, {kind}: one file", result):
                continue
            path, = files(where)
            equal(neighbours(path), sorted(result.stdout.decode().splitlines()),
                  f"{name}, {kind}: the file has each task's neighbours")
            check_valid([path], f"{name}, {kind}: it is valid")
    with folder() as where:
        result = tools.mpi.run(1, [graph, "adjacent", "killed"], where,
                               HPM_CHECKPOINT=0, HPM_FSYNC=0)
        if not tap.run([tap.HPM, "help"]).stdout.count(b"recover"):
            tap.skip(f"{name}: journals", "hpm reads no files here")
            return
        recovered = tap.run([tap.HPM, "recover", "."], folder=where)
        said = next((line for line in result.stdout.decode().splitlines()
                     if line.startswith("0: ")), None)
        equal((recovered.returncode,
               [neighbours(path) for path in files(where) if path.endswith(".xml")]),
              (0, [[said]]), f"{name}: so has what is recovered of a task that was "
              "killed")


# ---- other languages ----------------------------------------------------------

def test_fortran(tools):
    name = f"{tools.mpi.name}, Fortran"
    if not tools.mpi.fc or not os.environ.get("FC"):
        tap.skip(name, "no mpifort, or configured with --disable-fortran")
        return
    for way, title in ((1, "use mpi_f08"), (2, "use mpi"), (3, "mpif.h")):
        path = tools.program(f"fortran{way}", "job.F90", f"-DWAY={way}")
        if path is None:
            continue
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [path], where)
            equal((result.returncode, result.stderr, own_files(where)),
                  (0, b"", [[(task, "before", 1) for task in range(N_TASKS)]]),
                  f"{name}, {title}: one file")
            equal([places(path) for path in files(where)],
                  [[f"{i}: {N_TASKS} 1, 1 0, {i} 0" for i in range(N_TASKS)]],
                  f"{name}, {title}: with the grid of the tasks")
            equal([neighbours(path) for path in files(where)],
                  [[f"{i}: 1 1, {(i - 1) % N_TASKS}, {(i + 1) % N_TASKS}"
                    for i in range(N_TASKS)]],
                  f"{name}, {title}: and with their neighbours")
        with folder() as where:
            result = tools.mpi.run(N_TASKS, [path, "abort"], where)
            ok(result.returncode != 0 and
               [(1, "before", 1)] in own_files(where),
               f"{name}, {title}: a task that calls MPI_Abort has its file",
               result)


def test_mpi(mpi):
    with folder() as where:
        tools = Tools(mpi, where)
        job = tools.program("job", "job.c") if tools.is_good else None
        if job is None:
            return
        needed = subprocess.run(["ldd", job], stdout=subprocess.PIPE)
        ok(b"libhpm_mpi" in needed.stdout and b"libxml" not in needed.stdout,
           f"{mpi.name}: no XML library comes along", needed.stdout.decode())
        test_one_file(tools, job)
        test_is_the_merge(tools, job)
        test_together(tools, job)
        test_parts(tools, job)
        test_summary(tools, job)
        test_names(tools, job)
        test_few(tools, job)
        test_early_ends(tools, job)
        test_killed(tools, job)
        test_spawn(tools)
        test_multiple(tools)
        test_failures(tools, job)
        test_late(tools, job)
        test_one_fails(tools)
        test_others(tools, job)
        test_floating_point(tools)
        test_grid(tools)
        test_graph(tools)
        test_fortran(tools)


reason = tap.no_libhpm_mpi()
if reason:
    tap.skip("libhpm_mpi", reason)
else:
    for each in mpis():
        test_mpi(each)
tap.done()
