# SPDX-License-Identifier: BSD-3-Clause
"""The paper's cases, measured through libhpm: a gas dynamics program's threads are
of two kinds, a wave over a grid makes three kinds of tasks, and threads that differ
by chance are of none."""

import os
import sys

import tap
from columnfiles import found
from tap import HPM, equal, folder, ok, program, run, skip

KINDRED = program("tests/programs/kindred")
EVENTS = ",".join(f"sde:::Kindred::{n}" for n in
                  ("loads", "stores", "misses", "waiting", "messages",
                   "divisions"))


def job(where, way, n_tasks):
    for task in range(n_tasks):
        result = run([KINDRED, way, str(task)], folder=where,
                     HPM_EVENTS=EVENTS, HPM_JOB="kindred")
        if result.returncode != 0:
            ok(False, f"task {task} of {way} runs", result.stderr)
    return where


def cluster(where, *arguments):
    """--force: the tasks of the test ran one after the other."""
    return found("cluster", "--force", "--metrics", "sde:::Kindred::*",
                 *arguments, where)


def short(name):
    return name.rsplit(":", 1)[1]


def test_master():
    with folder() as where:
        ours = cluster(job(where, "master", 8))
        equal([(g["points"], g["members"]) for g in ours["groups"]],
              [(8, "thread 0 of each task"),
               (56, "threads 1 to 7 of each task")],
              "8 threads that prepare are told from 56 that do not")
        equal([short(m["metric"]) for m in ours["metrics"]],
              ["waiting", "stores", "misses", "loads", "divisions"],
              "waiting tells it most, then stores, misses and loads; divisions "
              "do not, as in the paper's Table 2")
        ok(ours["metrics"][-1]["ratio"] < 0.2 < 5 < ours["metrics"][3]["ratio"],
           "by far", ours["metrics"])
        ok("messages" in " ".join(ours["notes"]), "what nobody sent is left out")
        said = " ".join(run([HPM, "report", "--force", where])
                        .stdout.decode().split())
        ok("Two kinds of threads in section 'hydro'" in said and
           "8 (thread 0 of each task) and 56 (threads 1 to 7 of each task); "
           "they differ most in sde:::Kindred::waiting" in said,
           "and hpm report says it in one sentence", said)


def test_wave():
    with folder() as where:
        ours = cluster(job(where, "wave", 64), "--section", "sweep")
        sides = [(t % 8 in (0, 7)) + (t // 8 in (0, 7)) for t in range(64)]
        group_of = {m["task"]: m["group"] for m in ours["members"]}
        equal(len({(sides[t], g) for t, g in group_of.items()}), 3,
              "corners, edges and the interior of the grid are a group each")
        equal(sorted(g["points"] for g in ours["groups"]), [4, 24, 36],
              "of 4, 24 and 36 tasks")


def test_same():
    with folder() as where:
        equal(cluster(job(where, "same", 8))["groups_found"], 0,
              "threads that differ by chance are of no kinds")
        ok(b"kinds of" not in run([HPM, "report", "--force", where]).stdout,
           "and hpm report says nothing")


if not os.path.exists(KINDRED):
    skip("kinds of threads are found", "PAPI's software-defined events are not "
         "there")
    tap.done()
for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
