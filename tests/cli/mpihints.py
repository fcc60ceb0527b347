# SPDX-License-Identifier: BSD-3-Clause
"""Hints of tasks that wait for one another: who is late, in which section, and how
much of the job waits for it, from files with known numbers."""

import json

from reports import data, record, report, task_file, write
from tap import done, equal, folder, ok

SECOND = 1000000000
TASKS = 4
STEPS = 100
CLASSES = ("send", "recv", "wait", "probe", "one_to_all", "all_to_one",
           "all_to_all", "barrier", "one_sided", "sync", "io", "init")
LATE = 3  # this task comes last


def counts(times):
    """Nanoseconds and numbers by event; what is not named is 0."""
    return [data(f"mpi::{name}", value, exclusive=value)
            for name, value in times.items()]


def solve(task, **more):
    """A section of 10 s: in 96 of 100 barriers the others wait for task 3."""
    times = {"elapsed": 10 * SECOND, "barrier_calls": STEPS, "barrier_last": 96
             if task == LATE else int(task == 1) * 4, "barrier_delay":
             int(12.4 * SECOND) if task == LATE else 0,
             "all_to_all_calls": 0, "all_to_all_last": 0, "all_to_all_delay": 0}
    times.update(more)
    return counts(times)


def job(where, counters):
    """A file for each task, whose counters the function says."""
    return [write(where, f"job.{task}.hpm.xml", task_file(task, [record(
        1, 0, task, "solve", 10, 10, counters(task), calls=1)]))
        for task in range(TASKS)]


def hints(paths, **variables):
    made = report("--format", "json", *paths, **variables)
    return [hint for hint in json.loads(made.stdout).get("hints", [])
            if hint["hint"].startswith("MPI_")]


def test_last_at_barriers():
    with folder() as where:
        paths = job(where, solve)
        text = " ".join(report(*paths).stdout.decode().split())
        found = hints(paths)
    says = ("task 3 comes last to 96 of 100 barriers: 31.000 % of the job's time "
            "goes by waiting for it")
    ok("MPI_BARRIER_DELAY_SHARE 31.000 % in the gravest of 4 threads (1 bad) of "
       "section 'solve'" in text and says in text,
       "the task that comes last is named, with how often and what it costs", text)
    equal([(hint["hint"], hint["why"], hint["places"]) for hint in found],
          [("MPI_BARRIER_DELAY_SHARE", says, 1)],
          "in JSON, too, and nothing else is suggested")


def test_last_at_collectives():
    with folder() as where:
        found = hints(job(where, lambda task: solve(
            task, barrier_delay=0, all_to_all_calls=STEPS,
            all_to_all_last=STEPS if task == 2 else 0,
            all_to_all_delay=4 * SECOND if task == 2 else 0)))
    equal([hint["why"] for hint in found],
          ["task 2 comes last to 100 of 100 collectives from all tasks to all: "
           "10.000 % of the job's time goes by waiting for it"],
          "the same of collectives from all tasks to all")


def test_late_messages():
    with folder() as where:
        found = hints(job(where, lambda task: solve(
            task, barrier_delay=0, recv_calls=STEPS,
            recv_waiting=6 * SECOND if task == 0 else 0)))
        sent = hints(job(where, lambda task: solve(
            task, barrier_delay=0, send_calls=STEPS,
            send_waiting=5 * SECOND if task == 1 else 0)))
    equal([hint["why"] for hint in found],
          ["task 0 waits in MPI_Recv for 60.000 % of its time: the messages come "
           "late"], "a task that waits for messages")
    equal([hint["why"] for hint in sent],
          ["task 1 waits in MPI_Send for 50.000 % of its time: the receivers come "
           "late"], "a task that waits for receivers")


def test_nothing_invented():
    """Without HPM_WAITING the events have no values."""
    with folder() as where:
        found = hints(job(where, lambda task: counts({
            "elapsed": 10 * SECOND, "barrier_calls": STEPS, **{
                f"{kind}_time": 0 if kind != "barrier" else
                (1 if task == LATE else 9) * SECOND for kind in CLASSES}})))
        little = hints(job(where, lambda task: solve(
            task, barrier_delay=1 * SECOND if task == LATE else 0)))
    equal([hint["why"] for hint in found],
          ["task 0 is in calls of MPI for 90.000 % of its time, and it is not known "
           "whether they move data or wait for other tasks"],
          "nobody is called late where waiting was not measured")
    equal(little, [], "nor where little is waited for it")


test_last_at_barriers()
test_last_at_collectives()
test_late_messages()
test_nothing_invented()
done()
