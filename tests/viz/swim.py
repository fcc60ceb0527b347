# SPDX-License-Identifier: BSD-3-Clause
"""Performance files of the example swim, 4 tasks of 2 threads, with counts that
are the same everywhere: its sections are really run, their times and counters
are replayed (hpm-replay(5))."""

import os
import shlex
import shutil
import subprocess

from tap import TOP_BUILD, TOP_SOURCE, environment, files, link_flags

FC = shlex.split(os.environ.get("FC", ""))
TASKS, THREADS, STEPS = 4, 2, 4

EVENTS = ["cycles", "instructions", "branches", "branch-misses"]

# What a section does in each nanosecond, and how many of these a call takes:
# Loop 200 takes most and guesses branches badly, Loop 300 waits.
RATES = {
    "Steps": (3.0, 3.0, 0.3, 0.003),
    "Loop 100": (3.0, 4.5, 0.6, 0.003),
    "Loop 200": (3.0, 2.7, 0.5, 0.050),
    "Edges": (3.0, 4.5, 0.6, 0.003),
    "Loop 300": (3.0, 1.2, 0.2, 0.002),
}
SECOND = 10 ** 9  # minutes in all: tasks are one run only if they overlap
LENGTHS = {"Loop 100": 30 * SECOND, "Loop 200": 50 * SECOND,
           "Edges": 4 * SECOND, "Loop 300": 40 * SECOND}
PAUSE = 5 * SECOND  # in Steps alone, before each loop

# Multiplies the times of the threads of all tasks: the last is the slowest.
SLOWNESS = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8]

# A metric whose limits are others in single precision.
DEFINITIONS = """arch any
ratio BRANCH_SHARE = 100 * BRANCH / INSTRUCTION
    label "branches among instructions"  unit "%"
    sbad > 30  dbad > 10
"""


class Clock:
    """Samples of one thread."""

    def __init__(self, thread, slowness):
        self.thread, self.slowness = thread, slowness
        self.time, self.counts, self.lines = 0, [0] * len(EVENTS), []

    def run(self, section, length):
        """Let time pass in a section."""
        length = round(length * self.slowness)
        self.time += length
        for i, rate in enumerate(RATES[section]):
            self.counts[i] += round(length * rate)

    def edge(self):
        """A start or a stop."""
        self.lines.append(" ".join(map(str, [self.thread, self.time,
                                             *self.counts])))


def thread_samples(task, tid, factors):
    clock = Clock(tid, SLOWNESS[task * THREADS + tid])
    clock.edge()
    for _ in range(STEPS):
        for section, length in LENGTHS.items():
            if section == "Edges" and tid != 0:
                continue
            clock.run("Steps", PAUSE)
            clock.edge()
            clock.run(section, length * factors.get(section, 1))
            clock.edge()
    clock.run("Steps", PAUSE)
    clock.edge()
    return clock.lines


def process_samples(task):
    clock = Clock(-1, SLOWNESS[task * THREADS + 1])
    for length in (20 * SECOND, 800 * SECOND, 10 * SECOND):
        clock.edge()
        clock.run("Steps", length)
        clock.edge()
    return clock.lines


def samples(task, factors):
    lines = ["events " + " ".join(EVENTS)]
    for tid in range(THREADS):
        lines += thread_samples(task, tid, factors)
    return "\n".join(lines + process_samples(task)) + "\n"


def no_swim():
    """Why swim cannot be built; None when it can."""
    return None if FC else "no Fortran compiler (apt-get install gfortran)"


def build(where):
    """Copy swim's source to a folder and compile it there, where its files will
    say it is; the program."""
    path = os.path.join(where, "swim")
    shutil.copy(os.path.join(TOP_SOURCE, "doc", "examples", "swim", "swim.F"),
                where)
    os.chmod(os.path.join(where, "swim.F"), 0o644)
    command = FC + ["-g", "-O1", "-fopenmp", "-cpp",
                    "-ffixed-line-length-none",
                    "-I" + os.path.join(TOP_SOURCE, "fortran"),
                    "-I" + os.path.join(TOP_BUILD, "fortran"), "-o", path,
                    "swim.F",
                    os.path.join(TOP_BUILD, "fortran", "libhpm_fortran.a"),
                    *link_flags()]
    made = subprocess.run(command, cwd=where, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if made.returncode != 0:
        raise AssertionError(" ".join(command) + "\n" + made.stdout.decode())
    return path


def measure(path, where, job="swim", factors={}):
    """Run its four tasks at one time, without MPI; their performance files.
    `factors` are of the times of some sections."""
    tasks = []
    for task in range(TASKS):
        replay = os.path.join(where, f"task{task}.replay")
        with open(replay, "w") as file:
            file.write(samples(task, factors))
        tasks.append(subprocess.Popen(
            [path, "16", str(STEPS)], cwd=where, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env=environment(PMI_RANK=task, PMI_SIZE=TASKS, HPM_JOB=job,
                            OMP_NUM_THREADS=THREADS, HPM_SOURCE="replay",
                            HPM_REPLAY=replay)))
    for task in tasks:
        said = task.communicate()[1].decode()
        if task.returncode != 0 or said:
            raise AssertionError(f"swim: {task.returncode}\n{said}")
    return files(where)


def define(where):
    """A file of definitions for HPM_DEFS."""
    path = os.path.join(where, "swim.hpm")
    with open(path, "w") as file:
        file.write(DEFINITIONS)
    return path


def line_of(where, text):
    """The number of the first line of swim.F with a text in it."""
    with open(os.path.join(where, "swim.F")) as file:
        return next(n for n, line in enumerate(file, 1) if text in line)
