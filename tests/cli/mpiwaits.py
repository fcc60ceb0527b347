# SPDX-License-Identifier: BSD-3-Clause
"""Waits that can be worked out: a wavefront, whose critical path is known, a solver
with one late task, and sends to a late receiver.  The tasks print when each call began
and ended, by one clock; from that follows which task waits how long, and for whom."""

import contextlib
import os

import tap
from mpiprograms import Programs, run
from tap import equal, folder, mpis, skip

SIZES = (1, 2, 3, 4, 8) if os.environ.get("HPM_TEST_ALL") else (3,)
STEPS = 4
NEAR = 0.002  # a call
RUNS = 20


def said(result):
    """(way, step) to begin and end of the call by task."""
    calls = {}
    for line in result.stdout.decode().splitlines():
        way, task, step, begin, end = line.split()
        calls.setdefault((way, int(step)), {})[int(task)] = (float(begin),
                                                             float(end))
    return calls


class Waits:
    """What follows from the clocks: the least and the most that is waited, and how
    often a task is late, by section, task and event."""

    def __init__(self, calls, n):
        self.least, self.most, self.late = {}, {}, {}
        for step in range(STEPS):
            self.add_sweep(calls["sweep-recv", step], calls["sweep-send", step], n)
            self.add_solve(calls["solve", step], n)
            self.add_send(calls.get(("send", step), {}), n)

    def add(self, label, task, event, waits, call):
        """A call waits so long, if it does, and not longer than it takes."""
        key = (label, task, event)
        self.least[key] = self.least.get(key, 0) + max(0, waits)
        self.most[key] = self.most.get(key, 0) + call[1] - call[0]

    def add_late(self, label, task, event, waits):
        key = (label, task, event)
        self.late[key] = self.late.get(key, 0) + (waits > NEAR)

    def add_sweep(self, receives, sends, n):
        for task in range(1, n):
            waits = sends[task - 1][0] - receives[task][0]
            self.add("sweep", task, "recv_waiting", waits, receives[task])
            self.add_late("sweep", task - 1, "send_late", waits)

    def add_solve(self, sums, n):
        if n < 2:
            return
        order = sorted(range(n), key=lambda task: sums[task][0])
        end = sums[order[-1]][0]
        for task in range(n):
            self.add("solve", task, "all_to_all_waiting", end - sums[task][0],
                     sums[task])
            self.add_late("solve", task, "all_to_all_last",
                          NEAR + 1 if task == order[-1] else 0)

    def add_send(self, calls, n):
        for task in range(0, n - 1, 2):
            waits = calls[task + 1][0] - calls[task][0]
            self.add("send", task, "send_waiting", waits, calls[task])
            self.add("send", task + 1, "recv_waiting", -waits, calls[task + 1])
            self.add_late("send", task + 1, "recv_late", waits)


def compare(values, waits):
    """What is wrong, whatever the machine does; and what is right within 2 ms a call,
    as it is where no task loses its processor in a call."""
    wrong, right = [], set()
    for key, least in waits.least.items():
        label, task, event = key
        told = values.seconds(task, label, "mpi::" + event)
        if told is None or told > waits.most[key] + 1e-6:
            wrong.append((key, told, least, waits.most[key]))
        elif abs(told - least) <= NEAR * STEPS:
            right.add(key)
    for key, number in waits.late.items():
        label, task, event = key
        if values.number(task, label, "mpi::" + event) == number:
            right.add(key)
    return wrong, right


def off_the_clock(values):
    """Records whose parts are not the wall clock's time within a hundredth."""
    for (task, label, tid), data in values.records.items():
        if tid < 0 or label == "(outside sections)":
            continue
        wall = float(data["IncSec"]["value"])
        rest, mpi = (float(data[name]["value"])
                     for name in ("COMPUTATION", "MPI_TIME"))
        if abs(rest + mpi - wall) > wall / 100 + 1e-5:
            yield task, label, rest, mpi, wall


def test_size(programs, waves, n):
    """Each wait is right in one run at least: on a loaded machine a task may lose its
    processor in any call."""
    name = f"{programs.mpi.name}, {n} tasks"
    seen, off = set(), None
    for _ in range(RUNS):
        with folder() as where:
            result, values = run(programs, [waves], where, n, HPM_WAITING="yes",
                                 HPM_SET="MPI_WAITING")
        waits = Waits(said(result), n)
        wrong, right = compare(values, waits)
        seen |= right
        off = off and list(off_the_clock(values)) if off is not None else \
            list(off_the_clock(values))
        wanted = set(waits.least) | set(waits.late)
        if wrong or (wanted <= seen and not off):
            break
    equal((result.returncode, result.stderr, wrong), (0, b"", []),
          f"{name}: no task waits longer than its calls take")
    equal(sorted(wanted - seen), [],
          f"{name}: each waits as long, and for whom, as can be worked out")
    equal(off, [], f"{name}: computation and MPI are the wall clock's time")


def test_all():
    for mpi in mpis():
        with contextlib.ExitStack() as stack:
            programs = Programs(mpi, stack.enter_context(folder()))
            waves = programs.c("waves")
            for n in SIZES if waves else ():
                test_size(programs, waves, n)


reason = tap.no_libhpm_mpi()
if reason:
    skip("waits in MPI", reason)
else:
    test_all()
tap.done()
