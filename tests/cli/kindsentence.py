# SPDX-License-Identifier: BSD-3-Clause
"""hpm report says in one sentence that there are kinds of threads where that is
beyond doubt, and nothing where it is not (HPM_TEST_ROUNDS=200: more clouds)."""

import math
import os
import random
import sys

import tap
from columnfiles import found, performance_file
from htmlpages import Page
from tap import HPM, equal, folder, ok, run


def sentence(where, names, rows, threads=8):
    performance_file(os.path.join(where, "x.hpm.xml"), names, rows, threads)
    return said_of(where)


def said_of(where):
    text = " ".join(run([HPM, "report", where]).stdout.decode().split())
    at = text.find(" kinds of ")
    return None if at < 0 else text[at - 5:text.find(" hpm cluster says", at)]


def page_of(where):
    with folder() as other:
        out = os.path.join(other, "page.html")
        run([HPM, "report", "--format", "html", "-o", out, where])
        return Page(out).experiments[0]


NAMES = [f"C{j}" for j in range(6)]


def one_factor(chance):
    factor = chance.gauss(0, 1)
    return [1e6 + 1e4 * (factor + 0.2 * chance.gauss(0, 1)) for _ in NAMES]


# Threads that differ by chance: what counters do.
CLOUDS = {
    "independent": lambda chance: [chance.gauss(1e6, 1e4) for _ in NAMES],
    "one cause": one_factor,
    "even": lambda chance: [chance.uniform(1e6, 2e6) for _ in NAMES],
    "long tails": lambda chance: [math.exp(chance.gauss(10, 1))
                                  for _ in NAMES],
    "rare events": lambda chance: [float(sum(chance.random() < 0.02
                                             for _ in range(100)))
                                   for _ in NAMES]}


def test_none():
    rounds = int(os.environ.get("HPM_TEST_ROUNDS", 5 if tap.IS_REPEATED else 10))
    n_said = 0
    for i in range(rounds):
        kind = list(CLOUDS)[i % len(CLOUDS)]
        chance = random.Random(i)
        with folder() as where:
            said = sentence(where, NAMES, [CLOUDS[kind](chance)
                                           for _ in range(64)])
        if said is not None:
            print(f"# {kind}, {i}: {said}")
            n_said += 1
    ok(n_said <= rounds // 40, f"of {rounds} clouds without kinds hardly any is "
       "said to have some", n_said)


def kinds(chance, is_other, by=6):
    return [[1e6 + 1e4 * chance.gauss(0, 1) +
             (by * 1e4 * (j + 1) / 3 if is_other(i) else 0)
             for j in range(6)] for i in range(64)]


def test_said():
    for words, is_other in (
            (("8 (thread 0 of each task) and 56 (threads 1 to 7 of each task)"),
             lambda i: i % 8 == 0),
            (("16 (tasks 0 to 1) and 48 (tasks 2 to 7)"), lambda i: i < 16)):
        with folder() as where:
            said = sentence(where, NAMES, kinds(random.Random(1), is_other))
        ok(said is not None and words in said and
           "they differ most in C5 (F " in said and " and C4 (F " in said,
           f"it is said: {words}", said)


def steps(chance, level, n=64):
    """Threads on levels: each counts 1 % by chance around level(i), in all counters
    but one, which is chance alone."""
    return [[1e6 + 1e4 * chance.gauss(0, 1) +
             (2e5 * level(i) * (j + 1) if j < 5 else 0)
             for j in range(6)] for i in range(n)]


def on_border(task, *sides):
    """In how many directions it is at an end of a grid of these sides."""
    n = 0
    for side in reversed(sides):
        n += task % side in (0, side - 1)
        task //= side
    return n


def test_named():
    """Names of groups that are no single range."""
    for words, level, n, threads in (
            (["4 (corners of 8 x 8 tasks)",
              "24 (edges without corners of 8 x 8 tasks)",
              "36 (interior of 8 x 8 tasks)"],
             lambda i: on_border(i, 8, 8), 64, 1),
            (["16 (border of 4 x 6 tasks)",
              "8 (interior of 4 x 6 tasks)"],
             lambda i: on_border(i, 4, 6) > 0, 24, 1),
            (["56 (border of 4 x 4 x 4 tasks)",
              "8 (interior of 4 x 4 x 4 tasks)"],
             lambda i: on_border(i, 4, 4, 4) > 0, 64, 1),
            (["24 (threads 0, 3, 5 of each task)",
              "40 (threads 1-2, 4, 6-7 of each task)"],
             lambda i: i % 8 in (0, 3, 5), 64, 8)):
        with folder() as where:
            said = sentence(where, NAMES, steps(random.Random(3), level, n),
                            threads)
        ok(said is not None and all(w in said for w in words),
           f"it is said: {words[0]}", said)


def name_of(is_one, threads, n=64, absent=(), lacking=()):
    """What is said of the first group of two: of the rows that is_one takes."""
    chance = random.Random(3)
    rows = [[None if i in lacking else
             round(1e6 + 1e4 * chance.gauss(0, 1) + 4e5 * is_one(i))
             for _ in range(2)] for i in range(n)]
    with folder() as where:
        performance_file(os.path.join(where, "x.hpm.xml"), ["A", "B"], rows,
                         threads, absent=absent)
        ours = found("cluster", "--raw", "--section", "solve", "--groups", "2",
                     where)
    least = next(i for i in range(n) if i not in absent and i not in lacking)
    return ours["groups"][0 if is_one(least) else 1]["members"]


def test_true():
    """A name is true of all that it names: of what is not there, too."""
    corners = (0, 7, 56, 63)
    for words, is_one, threads, how in (
            ("thread 2 of each task", lambda i: i % 8 == 2, 8, {}),
            ("thread 2 of each task", lambda i: i % 8 == 2, 8,
             {"absent": range(56, 64)}),
            ("thread 2 of 7 of 8 tasks", lambda i: i % 8 == 2, 8,
             {"absent": [18]}),
            ("thread 2 of 7 of 8 tasks", lambda i: i % 8 == 2, 8,
             {"lacking": [18]}),
            ("threads 1 to 7 of each task, 2 of them missing",
             lambda i: i % 8 > 0, 8, {"absent": [23], "lacking": [30]}),
            ("threads 4 to 7 of 6 of 8 tasks, 1 of them missing",
             lambda i: i % 8 > 3, 8,
             {"absent": [4, 5, 6, 7, 12, 13, 14, 15, 22]}),
            ("every 2nd thread from 0 to 6 of each task, 1 of them missing",
             lambda i: i % 2 == 0, 8, {"absent": [10]}),
            ("threads 0, 3, 5 of 7 of 8 tasks", lambda i: i % 8 in (0, 3, 5), 8,
             {"absent": [32, 35, 37]}),
            ("threads 0, 3, 5 of each task, 1 of them missing",
             lambda i: i % 8 in (0, 3, 5), 8, {"lacking": [32]}),
            ("tasks 0 to 2", lambda i: i < 24, 8, {}),
            ("tasks 0 to 2, 1 of them missing", lambda i: i < 24, 8,
             {"absent": range(8, 16)}),
            ("tasks 2 to 9, 2 of them missing", lambda i: 2 <= i < 10, 1,
             {"absent": [4], "lacking": [6]}),
            ("every 8th task from 0 to 56", lambda i: i % 8 == 0, 1, {}),
            ("every 8th task from 0 to 56, 1 of them missing",
             lambda i: i % 8 == 0, 1, {"absent": [16]}),
            ("host node5", lambda i: 40 <= i < 48, 8, {}),
            ("host node5", lambda i: 40 <= i < 48, 8, {"lacking": [3]}),
            ("host node5, 1 of its threads missing",
             lambda i: 40 <= i < 48, 8, {"lacking": [43]}),
            ("task 0 thread 0, task 24 thread 0, task 56 thread 0",
             lambda i: i % 8 == 0, 1, {"absent": [8, 16, 32, 40, 48]}),
            ("corners of 8 x 8 tasks", lambda i: i in corners, 1, {}),
            ("task 0 thread 0, task 7 thread 0, task 56 thread 0, task 63 thread "
             "0", lambda i: i in corners, 1, {"absent": [9]}),
            ("task 0 thread 0, task 7 thread 0, task 56 thread 0, task 63 thread "
             "0", lambda i: i in corners, 1, {"n": 65, "absent": [64]})):
        equal(name_of(is_one, threads, **how), words, f"of {how}: {words}")


def test_merged():
    """What has no name is one kind: a group that has one stays apart from it."""
    chance = random.Random(4)
    parts = [chance.choice((1, 1.4)) for _ in range(64)]
    with folder() as where:
        said = sentence(where, NAMES, steps(
            chance, lambda i: 4 if i % 8 == 0 else parts[i]))
    ok(said is not None and "8 (thread 0 of each task) and 56 (threads 1 to 7 of "
       "each task)" in said, "two parts of a kind by chance are one kind", said)
    with folder() as where:
        equal(sentence(where, NAMES, steps(chance, lambda i: parts[i])), None,
              "nothing is said of parts of which none has a name")
    for tasks in ((5,), (1, 4, 6), (4, 5, 6)):
        with folder() as where:
            said = sentence(where, NAMES, steps(
                chance, lambda i: i // 8 in tasks or parts[i] / 3))
        equal(said, None, f"nor of tasks {tasks} of 8, for something may have "
              "happened to these")


def test_not_said():
    chance = random.Random(2)
    with folder() as where:
        equal(sentence(where, NAMES, kinds(chance, lambda i: i in (3, 17, 40))),
              None, "three threads that have nothing in common are no kind")
    with folder() as where:
        equal(sentence(where, NAMES, kinds(chance, lambda i: i % 8 == 0, 0.5)),
              None, "what is nearly chance is not said")
    with folder() as where:
        equal(sentence(where, NAMES, kinds(chance, lambda i: i < 4)[:8]), None,
              "nor is anything of 8 threads")
    with folder() as where:
        equal(sentence(where, ["C0"], [[float(10 + 90 * (i % 8 == 0))]
                                       for i in range(64)]), None,
              "nor of one column, which no other confirms")


def test_page():
    chance = random.Random(1)
    with folder() as where:
        said = sentence(where, NAMES, kinds(chance, lambda i: i % 8 == 0))
        page = page_of(where)
        equal(page["kinds"], f"{said[2:]} hpm cluster says more.",
              "the page has the sentence of the report")
        bars, points, weights, tree = (
            [shape for shape in picture["shapes"] if shape[0] == kind]
            for picture, kind in zip(page["pictures"],
                                     ("box", "dot", "box", "line")))
        equal([shape[-1] for shape in bars[:2]], ["1157.3", "1142.3"],
              "and bars of F")
        equal([(shape[-1], shape[1]) for shape in points[:2]],
              [("task 0 thread 0, group 1", 2),
               ("task 0 thread 1, group 2", 3)], "threads in their groups")
        equal([len(points), len(weights), len([s for s in tree if len(s) == 10])],
              [64, 12, 63], "all of them, weights, and the tree")
    with folder() as where:
        sentence(where, NAMES, kinds(chance, lambda i: False))
        page = page_of(where)
        equal([page["kinds"], len(page["pictures"])], ["", 3],
              "and none where that has none, but for pictures of all threads")


def test_too_many():
    with folder() as where:
        equal(sentence(where, NAMES, [[1.0] * 6] * 600), None,
              "of 600 threads that are all alike nothing is said")
    with folder() as where:
        sentence(where, NAMES, [[1.0] * 6] * 601, 601)
        equal(page_of(where)["kinds"],
              "Kinds of threads were not looked for in section 'solve' "
              "(sweep.f:10): 601 threads are more than 600; hpm cluster makes groups of threads.",
              "of more it is said that nobody has looked")
        equal(page_of(where)["pictures"], [], "and there is no picture")
    with folder() as where:
        sentence(where, [f"C{j}" for j in range(401)],
                 [[float(i * i + j * (i % 5)) for j in range(401)]
                  for i in range(12)], 12)
        page = page_of(where)
        ok(" not looked for in section 'solve' (sweep.f:10): 401 metrics and "
           "counters are more than 400; " in page["kinds"] and
           page["pictures"] == [], "nor of more than 400 columns", page["kinds"])


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    if len(sys.argv) < 2 or test.__name__[5:] in sys.argv[1:]:
        test()
tap.done()
