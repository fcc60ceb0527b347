# SPDX-License-Identifier: BSD-3-Clause
"""What follows from the clocks of the tasks of tests/parallel/waves.c: who waits for whom
and how long, and where the time goes; and what libhpm_mpi and libhpm_openmp say of it."""

import glob
import json
import os

import tap
from mpiprograms import Values
from tap import HPM, HPMCOUNT, TOP_BUILD

LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
STEPS = range(4)
NEAR = 0.002
SETTINGS = {"HPM_WAITING": "yes",
            "OMP_WAIT_POLICY": "passive"}

# What the program calls a kind of wait, and who counts it.
EVENTS = {"wait": "mpi::wait_time", "recv": "mpi::recv_waiting",
          "send": "mpi::send_waiting", "all_to_all": "mpi::all_to_all_waiting",
          "barrier": "mpi::barrier_waiting",
          "threads": "openmp::explicit_barrier_time"}
CALLS = ("irecv", "isend", "wait", "recv", "send", "all_to_all", "barrier")


class Wait:
    """A task (or a thread of it) waits so long in a section, and not longer than the
    call takes.  `late` is the call of who comes last, who waits for nobody: so long the
    MPI takes for the call itself."""

    def __init__(self, section, kind, task, thread, waits, call, late):
        self.section, self.kind = section, kind
        self.task, self.thread = task, thread
        self.least, self.most = max(0, waits), call[1] - call[0]
        self.itself = late[1] - late[0]

    def found(self, values):
        return values.seconds(self.task, self.section, EVENTS[self.kind],
                              tid=self.thread)

    def off(self, values):
        """How far the two are apart, without what the call itself takes."""
        return max(0, abs(self.found(values) - self.least) - self.itself)

    def place(self):
        """The same in all steps."""
        return self.section[:-1], self.kind, self.task, self.thread


class Spans:
    """(section, kind) to begin and end by task and thread, as the tasks have written
    them, and what follows from that."""

    def __init__(self, where, n):
        self.n = n
        self.spans, self.between = {}, {}
        for path in sorted(glob.glob(os.path.join(where, "said.*"))):
            with open(path) as file:
                for line in file:
                    self.read(line.split())

    def read(self, words):
        section, kind = words[:2]
        task, thread = int(words[2]), int(words[3])
        span = float(words[4]), float(words[5])
        self.spans.setdefault((section, kind), {})[task, thread] = span
        sums = self.between.setdefault((task, thread), {})
        sums[kind] = sums.get(kind, 0) + span[1] - span[0]

    def of_tasks(self, section, kind):
        return {task: span for (task, thread), span in
                self.spans.get((section, kind), {}).items() if thread == 0}

    def waits(self):
        for step in STEPS:
            yield from self.halo_waits(f"halo{step}")
            for section, kind in (("norm", "all_to_all"), ("solve", "all_to_all"),
                                  ("check", "barrier")):
                yield from self.meeting_waits(f"{section}{step}", kind)
            yield from self.sweep_waits(f"sweep{step}")
            yield from self.send_waits(f"send{step}")
            for section in ("halo", "sweep", "solve"):
                yield from self.thread_waits(f"{section}loop{step}")

    def halo_waits(self, section):
        sends, waits = (self.of_tasks(section, kind) for kind in ("isend", "wait"))
        for task, call in waits.items():
            come = [sends[other] for other in (task - 1, task + 1)
                    if other in sends]
            if come:
                yield Wait(section, "wait", task, 0, max(come)[0] - call[0], call,
                           max(come))

    def meeting_waits(self, section, kind):
        calls = self.of_tasks(section, kind)
        last = max(calls.values())
        for task, call in calls.items() if self.n > 1 else ():
            yield Wait(section, kind, task, 0, last[0] - call[0], call, last)

    def sweep_waits(self, section):
        sends, receives = (self.of_tasks(section, kind) for kind in ("send", "recv"))
        for task in range(1, self.n):
            yield Wait(section, "recv", task, 0,
                       sends[task - 1][0] - receives[task][0], receives[task],
                       sends[task - 1])

    def send_waits(self, section):
        sends, receives = (self.of_tasks(section, kind) for kind in ("send", "recv"))
        for task, call in sends.items():
            other = receives[task + 1]
            yield Wait(section, "send", task, 0, other[0] - call[0], call, other)
            yield Wait(section, "recv", task + 1, 0, call[0] - other[0], other, call)

    def thread_waits(self, section):
        calls = self.spans.get((section, "threads"), {})
        for (task, thread), call in calls.items():
            last = max(each for (other, _), each in calls.items() if other == task)
            yield Wait(section, "threads", task, thread, last[0] - call[0], call, last)

    def late(self):
        """((section, task, event), how often it is late), from the same clocks."""
        for wait in self.waits():
            if wait.kind in ("recv", "send") and wait.section[:-1] != "send":
                yield (wait.section, wait.task - 1, "mpi::send_late"), \
                    int(wait.least > NEAR)
            elif wait.kind == "send":
                yield (wait.section, wait.task + 1, "mpi::recv_late"), \
                    int(wait.least > NEAR)
            elif wait.kind in ("all_to_all", "barrier"):
                calls = self.of_tasks(wait.section, wait.kind)
                last = max(calls, key=lambda task: calls[task][0])
                yield (wait.section, wait.task, f"mpi::{wait.kind}_last"), \
                    int(wait.task == last)

    def parts(self, task):
        """Seconds of the first thread in work, in calls of MPI and in barriers of
        OpenMP, and in all."""
        sums = self.between[task, 0]
        return (sums.get("work", 0), sum(sums.get(kind, 0) for kind in CALLS),
                sums.get("threads", 0), sums["wall"])


# Other people's programs go after these where that is allowed; a launcher may put each
# task into a session of its own, which the kernel's groups of sessions go by.
FIRST = ["sh", "-c", "{ echo -20 > /proc/self/autogroup; } 2>/dev/null; "
         "exec nice -n -20 \"$@\" 2>/dev/null", "sh"]


def run(programs, path, n, n_threads, where, first=()):
    """Tasks of MPICH that wait give their processor to the one that they wait for: the
    kernel lets two that share one take turns of some milliseconds."""
    variables = dict(SETTINGS)
    if programs.mpi.name == "MPICH" and os.path.exists(tap.YIELDING):
        variables["LD_PRELOAD"] = tap.YIELDING
    return programs.mpi.run(
        n, [*first, HPMCOUNT, "-n", "--mpi", "--openmp", path], where,
        OMP_NUM_THREADS=n_threads,
        LD_LIBRARY_PATH=programs.where + ":" + LIBRARIES, **variables)


class Run:
    """One run of a program: what it said, and what was counted."""

    def __init__(self, programs, path, n, n_threads, first=()):
        self.n, self.n_threads = n, n_threads
        with tap.folder() as where:
            self.result = run(programs, path, n, n_threads, where, first)
            self.spans = Spans(where, n)
            files = tap.whole_files(where)
            self.n_files = len(files)
            self.values = Values(files)
            self.hints = self.read_hints(where, files)

    def read_hints(self, where, files):
        """Of the solver alone: a report has the three gravest of all sections."""
        if not self.n_files:
            return []
        path = os.path.join(where, "solver.out")
        tap.run([HPM, "cut", "--root", "solver", "-o", path, *files], folder=where)
        done = tap.run([HPM, "report", "--format", "json", path], folder=where)
        return json.loads(done.stdout)["hints"] if done.stdout else []

    def is_whole(self):
        """Every thread of every task has told all of its spans and has its records."""
        return len(self.spans.between) == self.n * self.n_threads and \
            all((task, "whole", 0) in self.values.records for task in range(self.n))

    def off_the_clock(self):
        """Threads' sections whose parts are not their time by the wall clock, within a
        hundredth; 10 us are for sections of hardly any time."""
        for (task, label, tid), data in self.values.records.items():
            if tid < 0 or label == "(outside sections)":
                continue
            wall = float(data["IncSec"]["value"])
            parts = [float(data[name]["value"])
                     for name in ("COMPUTATION", "MPI_TIME", "OPENMP_TIME")]
            if abs(sum(parts) - wall) > wall / 100 + 1e-5 or min(parts) < 0:
                yield task, label, tid, wall, parts

    def parts(self, task):
        data = self.values.records[task, "whole", 0]
        return [float(data[name]["value"])
                for name in ("COMPUTATION", "MPI_TIME", "OPENMP_TIME", "IncSec")]

    def off_the_parts(self):
        """Tasks whose work, time in MPI and time in OpenMP are not what their own
        clock says of each, within a hundredth of the whole."""
        for task in range(self.n):
            said, found = self.spans.parts(task), self.parts(task)
            if any(abs(one - other) > said[-1] / 100
                   for one, other in zip(said, found)):
                yield task, said, found

    def between(self, wait):
        """The time of a thread in a section that is neither a call nor the program's
        work: it has lost its processor between the program's clock and ours."""
        data = self.values.records[wait.task, wait.section, wait.thread]
        said = self.spans.spans.get((wait.section, "work"), {}).get(
            (wait.task, wait.thread), (0, 0))
        return float(data["COMPUTATION"]["exclusive"]) - (said[1] - said[0])

    def impossible(self):
        """What is wrong whatever other programs do: waits that are longer than the call
        or shorter than what follows from the clocks; less work than the program has
        done, more time in calls of MPI than it was in them.  A large message may come
        before the note that its sender waits; then that wait is not told."""
        for wait in self.spans.waits():
            found, error = wait.found(self.values), 2e-5 + 2e-4 * wait.most
            is_untold = wait.kind == "send" and found == 0
            if found is None or found > wait.most + error or (
                    found + self.between(wait) < wait.least - error and
                    not is_untold):
                yield wait.section, wait.place(), found, wait.least, wait.most
        for task in range(self.n):
            said, found = self.spans.parts(task), self.parts(task)
            error = 2e-5 + 2e-4 * said[-1]
            if found[0] < said[0] - error or found[1] > said[1] + error:
                yield task, said, found

    def late_ones(self):
        """(place, number, number found)."""
        for (section, task, event), number in self.spans.late():
            yield (section[:-1], event, task), number, \
                self.values.number(task, section, event)

    def delays(self):
        """(seconds that the others wait for the last task, seconds found)."""
        for step in STEPS if self.n > 1 else ():
            for section, kind in (("norm", "all_to_all"), ("solve", "all_to_all"),
                                  ("check", "barrier")):
                calls = self.spans.of_tasks(f"{section}{step}", kind)
                last = max(calls, key=lambda task: calls[task][0])
                yield sum(calls[last][0] - call[0] for call in calls.values()), \
                    self.values.seconds(last, f"{section}{step}",
                                        f"mpi::{kind}_delay")

    def names_late_task(self):
        """Does a hint say which task the others wait for in the solver?"""
        return any(hint["hint"] == "MPI_ALL_TO_ALL_DELAY_SHARE" and
                   f"task {self.n - 1} comes last to " in hint["why"]
                   for hint in self.hints)
