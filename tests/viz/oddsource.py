# SPDX-License-Identifier: BSD-3-Clause
"""Sources that are not as one would like: in Latin-1, with zero bytes, with
lines of a million characters, changed since the run, missing, out of reach."""

import calendar
import os

import person  # first: it may begin anew on a desktop
import reports
import tap

BEFORE = calendar.timegm((2026, 11, 1, 0, 0, 0))  # reports' runs are of the 20th
AFTER = calendar.timegm((2026, 12, 1, 0, 0, 0))

# Name: its bytes, when it was changed, what its text has, what is told of it.
SOURCES = {
    "latin.f": (b"C caf\xe9\n" * 9, BEFORE, "C café", None),
    "zero.f": (b"C a\0b\n" * 9, BEFORE, "C a", "only shown"),
    "long.f": (b"C x\n" * 3 + b"C " + b"y" * 10 ** 6 + b"\n", BEFORE, "C yyy",
               "only shown"),
    "newer.f": (b"C x\n" * 9, AFTER, "C x", "has a date after the run"),
    "old.f": (b"C z\n" * 9, BEFORE, "C z", None),
    "missing.f": (None, None, "", "was not found"),
    "short.f": (b"C only\n", BEFORE, "C only", "line 3"),
}
BARS = ["only shown", "has a date after the run", "was not found"]


def make(where):
    for name, (text, seconds, _, _) in SOURCES.items():
        path = os.path.join(where, name)
        if text is not None:
            with open(path, "wb") as file:
                file.write(text)
            os.utime(path, (seconds, seconds))
    return reports.write(where, "run.hpm.xml", reports.task_file(0, [
        reports.record(i + 1, 0, 0, name, 90 - i, 90 - i, [], file=name, line=3)
        for i, name in enumerate(SOURCES)]))


def odd_sources(where):
    viewer = person.start(make(where))
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), list(SOURCES), "sections")
    for i, (name, (_, _, content, told)) in enumerate(SOURCES.items()):
        table.click(i, "Section")
        viewer.see(table.selected, i, f"{name}: selected")
        if content:
            viewer.see(lambda: content in viewer.text("source").content(), True,
                       f"{name}: shown")
        if told:
            viewer.see(lambda: any(name in t and told in t or
                                   told == "line 3" and told in t
                                   for t in viewer.texts()), True,
                       f"{name}: {told}")
        else:
            tap.equal([t for t in viewer.texts() if name in t and
                       any(bar in t for bar in BARS)], [],
                      f"{name}: nothing to be told")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


# Beneath no folder the user has confirmed: the file's own is one.
def out_of_reach(where):
    here, there = os.path.join(where, "here"), os.path.join(where, "there")
    os.mkdir(here)
    os.mkdir(there)
    secret = reports.write(there, "secret.f", "C secret\n" * 9)
    path = reports.write(here, "run.hpm.xml", reports.task_file(0, [
        reports.record(1, 0, 0, "there", 2, 2, [], file=secret, line=3),
        reports.record(2, 0, 0, "shadow", 1, 1, [], file="/etc/shadow",
                       line=1)]))
    viewer = person.start(path)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["there", "shadow"], "sections")
    viewer.see(lambda: any(secret in t and "look" in t
                           for t in viewer.texts()), True,
               "a source beneath no folder of ours: asked first")
    tap.equal([t for t in viewer.texts() if "C secret" in t], [],
              "and not shown")
    viewer.click(viewer.find("Look beneath it", "push button"))
    viewer.see(lambda: "C secret" in viewer.text("source").content(), True,
               "shown when the user says so")
    table.click(1, "Section")
    viewer.see(lambda: any("/etc/shadow" in t for t in viewer.texts()), True,
               "another is asked for again")
    tap.equal([t for t in viewer.texts() if "root:" in t], [], "and not shown")


# Two files of one name were measured; one is here.
def same_name(where):
    reports.write(where, "util.c", "int here;\n" * 30)
    run = reports.write(where, "run.hpm.xml", reports.task_file(0, [
        reports.record(1, 0, 0, "one", 9, 9, [], file="/build/a/util.c",
                       line=3),
        reports.record(2, 0, 0, "two", 8, 8, [], file="/build/b/util.c",
                       line=5, inst=2)]))
    viewer = person.start(run)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["one", "two"], "sections")
    for row, name in enumerate("ab"):
        table.click(row, "Section")
        viewer.see(lambda: any(f"was of /build/{name}/util.c" in t
                               for t in viewer.texts()), True,
                   f"{name}: said that it may be another file")
    viewer.see(lambda: [viewer.look(f"{name}/util.c", "page tab") is not None
                        for name in "ab"], [True, True],
               "their pages are told apart")
    viewer.click(viewer.find("It is this one", "push button"))
    viewer.see(lambda: any("/build/b/util.c" in t for t in viewer.texts()),
               False, "and not when the user says that it is this one")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


# What is said of one section is not said of the next; what is said of one thing
# does not take the place of what is said of another.
def several_words(where):
    path = os.path.join(where, "two.f")
    with open(path, "w") as file:
        file.write("C x\n" * 9)
    os.utime(path, (AFTER, AFTER))
    run = reports.write(where, "run.hpm.xml", reports.task_file(0, [
        reports.record(1, 0, 0, "right", 9, 9, [], file="two.f", line=3),
        reports.record(2, 0, 0, "beyond", 8, 8, [], file="two.f", line=300,
                       inst=2)]))
    viewer = person.start(run)
    table = viewer.table("sections")

    def says(words):
        return any(words in text for text in viewer.texts())

    viewer.see(lambda: says("has a date after the run"), True,
               "a file that is newer: said")
    table.click(1, "Section")
    viewer.see(lambda: says("was in line 300"), True,
               "a section beyond its end: said")
    viewer.see(lambda: says("has a date after the run"), True,
               "and what is said of the file stays")
    table.click(0, "Section", times="d")
    viewer.see(lambda: says("was in line 300"), False,
               "nothing of it is said of the next section")
    person.type_text("typed")
    viewer.see(lambda: "typed" in viewer.text("source").content(), True,
               "something is typed")
    with open(path, "a") as file:
        file.write("C theirs\n")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.see(lambda: says("changed by another program") and
               says("has a date after the run"), True,
               "what is in the way of saving is said beside it")
    viewer.click(viewer.find("Overwrite it", "push button"))
    viewer.see(lambda: says("changed by another program"), False,
               "and goes when the file is saved")
    viewer.see(lambda: b"typed" in content(path), True, "it is")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


def content(path):
    with open(path, "rb") as file:
        return file.read()


# While it is edited the file becomes a link to one that nobody confirmed.
def led_out(where):
    here, there = os.path.join(where, "here"), os.path.join(where, "there")
    os.mkdir(here)
    os.mkdir(there)
    source = reports.write(here, "a.f", "C ours\n" * 9)
    victim = reports.write(there, "victim.f", "C theirs\n" * 9)
    path = reports.write(here, "run.hpm.xml", reports.task_file(0, [
        reports.record(1, 0, 0, "work", 2, 2, [], file="a.f", line=3)]))
    viewer = person.start(path)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["work"], "a section")
    table.click(0, "Section", times="d")
    viewer.see(viewer.focused, "source", "its source has the focus")
    person.type_text("typed")
    viewer.see(lambda: "typed" in viewer.text("source").content(), True,
               "something is typed")
    os.rename(source, source + ".aside")
    os.symlink(victim, source)
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.see(lambda: any("not saved" in t and "leads out of the folder" in t
                           for t in viewer.texts()), True,
               "a source that leads elsewhere now is not saved, and why")
    tap.equal(viewer.look("Overwrite it", "push button"), None,
              "nor is it offered to overwrite it")
    tap.ok(viewer.look("Save as…", "push button") is not None,
           "another name is offered")
    tap.equal(content(victim), b"C theirs\n" * 9, "the other file is as it was")
    tap.equal(os.listdir(there), ["victim.f"], "and alone")
    viewer.keys("Ctrl+q", "hpmviz")
    viewer.click(viewer.find("Close without saving", "push button"))
    tap.equal(viewer.end(), 0, "it ends")


for name, way in (("odd sources", odd_sources), ("out of reach", out_of_reach),
                  ("led out", led_out), ("several words", several_words),
                  ("same name", same_name)):
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
