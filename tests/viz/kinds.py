# SPDX-License-Identifier: BSD-3-Clause
"""A person sees in the window the sentence about kinds of threads that hpm report
has, and none where there are no kinds."""

import os
import random

import person  # first: it may begin anew on a desktop
import tap
from columnfiles import performance_file
from tap import HPM, run

NAMES = [f"C{j}" for j in range(6)]


def files(where, by):
    chance = random.Random(1)
    os.mkdir(where)
    return performance_file(
        os.path.join(where, "x.hpm.xml"), NAMES,
        [[1e6 + 1e4 * chance.gauss(0, 1) + (by if i % 8 == 0 else 0)
          for _ in NAMES] for i in range(32)], 8)


def reported(where):
    words = " ".join(run([HPM, "report", where]).stdout.decode().split())
    at = words.find("Two kinds of")
    return None if at < 0 else words[at:]


def shown(viewer):
    label = viewer.look("kinds of threads")
    return None if label is None else label.queryText().getText(0, -1)


def is_drawn(at):
    return at.getRoleName() == "drawing area"


def look(viewer, sentence, words):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["solve"], "files are open")
    viewer.see(lambda: shown(viewer), sentence, words)
    viewer.click(viewer.find("Pictures", "push button"))
    window = viewer.window("How threads differ")
    viewer.see(lambda: [any(at.name.startswith(title) and is_drawn(at)
                            for at in person.walk(window))
                        for title in ("What tells the groups apart",
                                      "Threads along the two directions",
                                      "What the two directions are made of",
                                      "section 'solve'")],
               [sentence is not None, True, True, True],
               "pictures are there on demand, of groups where there are some")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])
    viewer.escape("How threads differ")


def lose(viewer, where):
    """Files with fewer threads take the place of those that are seen."""
    viewer.click(viewer.find("Pictures", "push button"))
    window = viewer.window("How threads differ")
    for name in os.listdir(where):
        os.unlink(os.path.join(where, name))
    performance_file(os.path.join(where, "x.hpm.xml"), NAMES,
                     [[1e6] * len(NAMES)] * 8)
    viewer.find("Reload", "push button").queryAction().doAction(0)
    viewer.see(lambda: [at.name[:11] for at in person.walk(window)
                        if at.name.startswith("No pictures") or is_drawn(at)],
               ["No pictures"], "pictures that are gone are not just missing")


with tap.folder() as where:
    kinds, cloud = (os.path.join(where, name) for name in ("kinds", "cloud"))
    files(kinds, 1e5)
    files(cloud, 0)
    sentence = reported(kinds)
    tap.ok(sentence is not None and "4 (thread 0 of each task)" in sentence and
           reported(cloud) is None, "of two runs one has kinds of threads",
           sentence)
    person.journey("kinds", lambda: look(person.start(kinds), sentence,
                   "the window has the sentence of hpm report"))
    person.journey("gone", lambda: lose(person.start(kinds), kinds))
    person.journey("no kinds", lambda: look(person.start(cloud), None,
                   "of the other run the window says nothing"))
tap.done()
