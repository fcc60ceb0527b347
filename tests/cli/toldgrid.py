# SPDX-License-Identifier: BSD-3-Clause
"""Tasks that say where they stand in a grid (dims, periods and coords of a Run, which
libhpm_mpi writes): kinds are called by it, and what is no such place is left out."""

import itertools
import os
import random
import re
import xml.etree.ElementTree as ET

import tap
from columnfiles import performance_file
from tap import HPM, equal, folder, ok, run

NAMES = [f"C{j}" for j in range(6)]


def write_tasks(where, places, level, words=None, chance=None):
    """A file for each task, which stands at places[task] of a grid: (dims, periods,
    coords); `words` are its attributes where they are not that."""
    chance = chance or random.Random(5)
    rows = [[1e6 + 1e4 * chance.gauss(0, 1) + (2e5 * level(*place) * (j + 1)
                                               if j < 5 else 0)
             for j in range(6)] for place in places]
    paths = performance_file(os.path.join(where, "x.hpm.xml"), NAMES, rows, 1)
    for task, path in enumerate(paths):
        said = words(task) if words else \
            'dims="%s" periods="%s" coords="%s"' % tuple(
                " ".join(str(int(i)) for i in numbers)
                for numbers in places[task])
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            text = text.replace("<Run ", f"<Run {said} ", 1)
            file.write(re.sub(r"11:30:0\d+\.", "11:30:00.", text))
    return paths


def grid(dims, periods=None, order=1):
    """Each place once, in an order of the tasks that is not that of the places."""
    periods = periods or [0] * len(dims)
    places = list(itertools.product(*(range(n) for n in dims)))
    random.Random(order).shuffle(places)
    return [(dims, periods, coords) for coords in places]


def ends(dims, periods, coords):
    return sum(n > 2 and not periodic and at in (0, n - 1)
               for n, periodic, at in zip(dims, periods, coords))


def sentence(where, *options):
    result = run([HPM, "report", *options, where])
    text = " ".join(result.stdout.decode().split())
    at = text.find(" kinds of ")
    return None if at < 0 else text[at - 5:text.find(" hpm cluster says", at)]


def test_graph():
    """Neighbours in a graph, which the head of a report sums up."""
    edges = [("1 1", "3", "1"), ("1 1", "0", "2"), ("1 3", "1", "0 3 1"),
             ("1 1", "2", "0")]

    def head(*words, number=4):
        with folder() as where:
            write_tasks(where, grid((number,)), ends, words=lambda task:
                        'degrees="%s" sources="%s" destinations="%s"' %
                        words[task])
            result = run([HPM, "report", where])
            return " ".join(result.stdout.decode().split()), \
                result.stderr.decode()

    text, words = head(*edges)
    ok("graph of tasks: tasks to receive from: 1 in each task; tasks to send to: "
       "1 to 3, mean 1.5, most in task 2" in text and "in it:" not in text and
       not words,
       "a report says how many neighbours the tasks of a graph have", text)
    text, words = head(("1", "3", "1"), ("1 1", "", "2"), ("2 1", "1 x", "0"),
                       ("0 0", "", ""))
    ok("in it: 1 of 4 tasks" in text and
       all(reason in words for reason in (
           "degrees '1' are not two numbers", "sources '' are not 1 numbers",
           "sources '1 x' are not 2 numbers")) and
       words.count("its place in a graph of tasks is left out") == 3,
       "what is no such place is left out, and said", (text, words))


def test_parts():
    tail = "of the Cartesian grid of %s tasks"
    for dims, periods, levels, words in (
            ((8, 8), None, ends,
             ["4 (corners", "24 (edges without corners", "36 (interior"]),
            ((4, 4, 4), None, ends,
             ["8 (corners", "24 (edges without corners", "24 (faces without "
              "edges", "8 (interior"]),
            ((6, 4), None, lambda *place: ends(*place) > 0,
             ["16 (border", "8 (interior"]),
            ((16, 4), (0, 1), ends, ["8 (ends", "56 (interior"]),
            ((2, 5, 5), None, ends,
             ["8 (corners", "24 (edges without corners", "18 (interior"]),
            ((24, 1), None, ends, ["2 (ends", "22 (interior"]),
            ((3, 3, 3, 3), None, lambda *place: ends(*place) > 0,
             ["80 (border"]),
            ((8, 8), (1, 1), lambda dims, periods, at: at[1] == 3,
             ["8 (coordinate 3 in dimension 2"])):
        with folder() as where:
            write_tasks(where, grid(dims, periods), levels)
            text = run([HPM, "cluster", "--metrics", ",".join(NAMES[:5]),
                        "--groups", str(max(2, len(words))), where])
            said = " ".join(text.stdout.decode().split())
        title = " x ".join(map(str, dims))
        expected = [w.split("(")[1] + " " + tail % title for w in words]
        ok(all(w in said for w in expected), f"parts of {title}, {periods}: "
           f"{expected[0]}", said[:1500])


def test_sentence():
    with folder() as where:
        paths = write_tasks(where, grid((8, 8)), ends)
        said = sentence(where)
        words = ["4 (corners", "24 (edges without corners", "36 (interior"]
        ok(said is not None and all(
            f"{w} of the Cartesian grid of 8 x 8 tasks)" in said for w in words),
           "the sentence calls kinds by the grid, in which tasks stand in any order",
           said)
        merged = os.path.join(where, "merged.hpm.xml")
        run([HPM, "merge", "-o", merged, *paths])
        equal(sentence(merged), said, "so it does of the merged file")
        if tap.has_xmllint():
            message = tap.validates([merged])
            ok(message is None, "which is valid", message)
        equal([r.get("coords") for r in ET.parse(merged).getroot().findall("Run")],
              [" ".join(map(str, p[2])) for p in grid((8, 8))],
              "and says where each task stands")
    with folder() as where:
        places = sorted(grid((8, 8)))
        write_tasks(where, [((16, 4), p, c) for (_, p, c), c in zip(
            places, itertools.product(range(16), range(4)))],
            lambda dims, periods, at: ends(
                (8, 8), (0, 0), divmod(at[0] * 4 + at[1], 8)))
        equal(sentence(where), None,
              "a grid that could be, but that the tasks do not say, is no name")


def test_absent():
    """Where the section is not in all tasks its members are no part of the grid."""
    with folder() as where:
        paths = write_tasks(where, sorted(grid((8, 8))), ends)
        with open(paths[9], encoding="utf-8") as file:
            text = file.read()
        with open(paths[9], "w", encoding="utf-8") as file:
            file.write(text.replace('label="solve"', 'label="elsewhere"'))
        result = run([HPM, "cluster", "--raw", "--section", "solve", "--groups",
                      "3", where])
        ok(result.returncode == 0 and b"of 8 x 8 tasks" not in result.stdout and
           b"Cartesian" not in result.stdout,
           "no part of a grid is said where a task has not the section", result)


def test_mean():
    """The mean of two runs has a place where both say the same."""
    for other, expected in ((1, True), (2, False)):
        with folder() as where:
            made = []
            for i, order in enumerate((1, other)):
                part = os.path.join(where, str(i))
                os.mkdir(part)
                paths = write_tasks(part, grid((3, 3), order=order), ends)
                made.append(os.path.join(where, f"{i}.hpm.xml"))
                run([HPM, "merge", "-o", made[-1], *paths])
            out = os.path.join(where, "mean.hpm.xml")
            result = run([HPM, "mean", "-o", out, *made])
            runs = ET.parse(out).getroot().findall("Run") \
                if result.returncode == 0 else []
            ok(len(runs) == 9 and
               all(r.get("dims") == "3 3" for r in runs) == expected and
               all((r.get("dims") is None) == (r.get("coords") is None) and
                   (r.get("dims") is None) == (r.get("periods") is None)
                   for r in runs),
               f"a mean has places: {expected}", (result, [r.attrib for r in runs]))


def test_hostile():
    """What is no place is said by file and line and left out; what does not fit the
    tasks is no name; nothing of it ends the program."""
    many = " ".join(["1"] * 20)
    large = "99999999999999999999"
    for title, words, is_said in (
            ("20 dimensions", lambda t: f'dims="{many}" periods="{many}" '
             f'coords="{" ".join(["0"] * 20)}"', "are not 1 to 16 numbers"),
            ("outside", lambda t: f'dims="3 4" periods="0 0" coords="3 {t % 4}"',
             "are outside of dims '3 4'"),
            ("no tasks", lambda t: 'dims="0 12" periods="0 0" coords="0 0"',
             "dims '0 12' are not"),
            ("negative", lambda t: 'dims="3 4" periods="0 0" coords="-1 0"',
             "coords '-1 0' are not"),
            ("too few periods", lambda t: 'dims="3 4" periods="0" coords="0 0"',
             "periods '0' are not 0 or 1 for each of 2"),
            ("periods", lambda t: 'dims="3 4" periods="0 2" coords="0 0"',
             "periods '0 2' are not"),
            ("no coords", lambda t: 'dims="3 4" periods="0 0"',
             "coords '' are not"),
            ("words", lambda t: 'dims="three four" periods="0 0" coords="0 0"',
             "dims 'three four' are not"),
            ("numbers that no int has",
             lambda t: f'dims="{large} 4" periods="0 0" coords="0 0"',
             f"dims '{large} 4' are not"),
            ("empty", lambda t: 'dims="" periods="" coords=""', "dims '' are not"),
            ("not as many places as tasks",
             lambda t: f'dims="4 4" periods="0 0" coords="{t // 4} {t % 4}"', None),
            ("far too many places", lambda t:
             'dims="2147483647 2147483647 2147483647" periods="0 0 0" '
             f'coords="{t} 0 0"', None),
            ("all at one place",
             lambda t: 'dims="3 4" periods="0 0" coords="1 1"', None),
            ("several grids", lambda t: f'dims="{(3, 4)[t % 2]} {(4, 3)[t % 2]}" '
             f'periods="0 0" coords="{t // 4} {t % 3}"', None),
            ("not all of them", lambda t: "" if t == 5 else
             f'dims="3 4" periods="0 0" coords="{t // 4} {t % 4}"', None)):
        with folder() as where:
            write_tasks(where, grid((3, 4)), lambda dims, periods, at:
                        ends(dims, periods, at) > 0, words)
            result = run([HPM, "cluster", "--raw", "--groups", "2", where])
            out = os.path.join(where, "all.hpm.xml")
            merged = run([HPM, "merge", "-o", out, where])
            ok(result.returncode in (0, 1) and
               b"Cartesian" not in result.stdout and os.path.exists(out),
               f"{title}: no name", result)
            if is_said:
                said = re.sub(r"\s+", " ", merged.stderr.decode())
                ok(re.search(r"x\.hpm\.xml\.\d+\.hpm\.xml:\d+:\d+: Run of task "
                             r"\d+: ", said) and is_said in said and
                   "its place in a grid of tasks is left out" in said,
                   f"{title}: it is said where and why", said[:600])
                ok(all(r.get("dims") is None for r in
                       ET.parse(out).getroot().findall("Run")),
                   f"{title}: and left out")
            if tap.has_xmllint():
                message = tap.validates([out])
                ok(message is None, f"{title}: what is written is valid", message)


for test in [v for k, v in list(globals().items()) if k.startswith("test_")]:
    test()
tap.done()
