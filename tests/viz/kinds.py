# SPDX-License-Identifier: BSD-3-Clause
"""A person sees in the window the sentence about kinds of threads that hpm report
has, and none where there are no kinds."""

import os
import random

import person  # first: it may begin anew on a desktop
import tap
from columnfiles import performance_file
from htmlpages import Page, make
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


def threads_of(viewer, window):
    place = viewer.table("tasks and threads", window)
    return list(zip(place.column("Task"), place.column("Thread")))


def choose(viewer, kinds, words):
    """Only a group of threads, by its name and by a dot of the picture, and all
    again."""
    main = viewer.window("hpmviz")
    masters = [(str(task), "0") for task in range(4)]
    everyone = [(str(task), str(thread)) for task in range(4)
                for thread in range(8)]
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["solve"], "files are open")
    table.click(0, "Section")
    viewer.keys("Ctrl+m", "hpmviz")
    metrics = viewer.window("solve Metrics")
    viewer.see(lambda: threads_of(viewer, metrics), everyone,
               "the metrics are of all threads")
    viewer.find("Pictures", "push button").queryAction().doAction(0)
    window = viewer.window("How threads differ")
    viewer.find(words, "radio button", window).queryAction().doAction(0)
    viewer.see(lambda: threads_of(viewer, metrics), masters,
               "a group that is chosen is all that the metrics show")
    said = "Only 4 of 32 threads are shown, group 1: thread 0 of each task"
    viewer.see(lambda: [said in viewer.texts(at) for at in (main, metrics)],
               [True, True], "each window says so")
    viewer.see(lambda: person.states(viewer.find(words, "radio button", window))
               .contains(person.pyatspi.STATE_CHECKED), True,
               "and the group stays chosen beside the pictures, which are of all")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"] + ".groups.png")
    viewer.find("Show all", "push button", main).queryAction().doAction(0)
    viewer.see(lambda: threads_of(viewer, metrics), everyone,
               "a button there shows all again")
    viewer.see(lambda: said in viewer.texts(main), False, "and the bar is gone")
    press_dot(viewer, window, kinds)
    viewer.see(lambda: threads_of(viewer, metrics), masters,
               "a click on a thread in the picture shows its group")
    viewer.find("Reload", "push button").queryAction().doAction(0)
    viewer.see(lambda: threads_of(viewer, metrics), everyone,
               "files that are read again are shown whole")


def press_dot(viewer, window, kinds):
    """That of task 0 thread 0, where the page has it, too."""
    with tap.folder() as other:
        page = os.path.join(other, "page.html")
        make(page, kinds)
        shapes = Page(page).experiments[0]["pictures"][1]["shapes"]
    x, y = next(shape[2:4] for shape in shapes
                if shape[-1] == "task 0 thread 0, group 1")
    area = next(at for at in person.walk(window) if is_drawn(at) and
                at.name.startswith("Threads along"))
    left, top, _, _ = viewer.extents(area)
    viewer.mouse(int(left + x), int(top + y), "b1c")


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
    person.journey("groups", lambda: choose(
        person.start(kinds), kinds,
        "only group 1, 4 threads: thread 0 of each task"))
    person.journey("gone", lambda: lose(person.start(kinds), kinds))
    person.journey("no kinds", lambda: look(person.start(cloud), None,
                   "of the other run the window says nothing"))
tap.done()
