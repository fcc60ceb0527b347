# SPDX-License-Identifier: BSD-3-Clause
"""A person looks for sources, edits and saves them, and is not alone."""

import os

import person  # first: it may begin anew on a desktop
import reports
import tap

LINES = [f"      call step{number}\n" for number in range(1, 41)]


def make(where, source="."):
    """A performance file, whose sections are in lines 1 and 30 of sweep.f, and
    that source in a folder."""
    os.makedirs(os.path.join(where, source), exist_ok=True)
    path = reports.write(os.path.join(where, source), "sweep.f",
                         "".join(LINES))
    return path, reports.known_files(where)[0]


def read(path):
    with open(path) as file:
        return file.read()


def says(viewer, words):
    return lambda: any(words in text for text in viewer.texts())


def open_source(files):
    viewer = person.start(files)
    text = viewer.text("source")
    viewer.see(lambda: text.line(), (30, LINES[29].rstrip("\n")),
               "the costliest section's first line is shown")
    return viewer, text


def not_found(where):
    source, files = make(where, "moved/src")
    viewer = person.start(files)
    viewer.see(says(viewer, "sweep.f was not found"), True,
               "a source that is not there is missed")
    viewer.click(viewer.find("Locate…"))
    viewer.answer_chooser("Locate the source", source)
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 30, "the user shows it")
    viewer.see(says(viewer, source), True, "and its path is told")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "the viewer ends")
    viewer, _ = open_source(files)
    tap.ok(not says(viewer, "was not found")(),
           "the next viewer knows where it is")


def searched(where):
    _, files = make(where, "elsewhere")
    viewer = person.start("--search", os.path.join(where, "elsewhere"), files)
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 30,
               "a folder of the command line is searched")


def edited(where):
    source, files = make(where)
    viewer, text = open_source(files)
    viewer.keys("F8", "hpmviz")
    viewer.see(lambda: text.line()[0], 1, "F8 goes to the next section")
    text.insert("C above\n")
    viewer.see(says(viewer, "edited since the run"), True,
               "the edit is told")
    viewer.keys("Shift+F8", "hpmviz")
    viewer.see(lambda: text.line(), (31, LINES[29].rstrip("\n")),
               "lines follow what is inserted above them")
    viewer.see(lambda: viewer.look("● sweep.f", "page tab") is not None, True,
               "the tab has a dot")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.see(lambda: read(source), "C above\n" + "".join(LINES),
               "the text is saved")
    viewer.see(lambda: viewer.look("sweep.f", "page tab") is not None, True,
               "then it has none")
    viewer.keys("Alt+Left", "hpmviz")
    viewer.see(lambda: text.line()[0] != 31, True, "Alt+Left goes back")
    viewer.keys("Alt+Right", "hpmviz")
    viewer.see(lambda: text.line()[0], 31, "Alt+Right forward again")
    viewer.keys("Ctrl+F4", "hpmviz")
    viewer.see(lambda: viewer.look("source", "text"), None,
               "Ctrl+F4 closes the page")


def in_conflict(where):
    source, files = make(where)
    viewer, text = open_source(files)
    text.insert("C mine\n")
    viewer.see(lambda: "C mine" in text.content(), True, "a text is edited")
    reports.write(where, "sweep.f", "C theirs\n")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.see(says(viewer, "changed by another program"), True,
               "saving over another's text is asked about")
    tap.equal(read(source), "C theirs\n", "which is still there")
    viewer.click(viewer.find("Overwrite it"))
    viewer.see(lambda: "C mine" in read(source), True, "the user decides")
    viewer.find("sweep.f", "page tab")  # without a dot: the saving has ended
    text.insert("C again\n")
    reports.write(where, "sweep.f", "C theirs\n" * 3)
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.click(viewer.find("Reload the file"))
    viewer.see(lambda: text.content(), "C theirs\n" * 3,
               "this or the other way")


def opened_elsewhere(where):
    source, files = make(where)
    editor, seen = os.path.join(where, "editor"), os.path.join(where, "seen")
    with open(editor, "w") as file:
        file.write(f'#!/bin/sh\nprintf "%s\\n" "$@" >{seen}.new\n'
                   f'mv {seen}.new {seen}\n')
    os.chmod(editor, 0o755)
    viewer = person.start(files, EDITOR=editor)
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 30, "a source is shown")
    viewer.keys("Ctrl+Shift+e", "hpmviz")
    viewer.click(viewer.find("Run it"))
    viewer.see(lambda: os.path.exists(seen) and read(seen),
               f"+30\n--\n{os.path.normpath(source)}\n",
               "the editor gets file and line, after its command was seen")


def odd(where):
    _, files = make(where)
    with open(os.path.join(where, "sweep.f"), "wb") as file:
        file.write(b"      call step\n" * 5)
    viewer = person.start(files)
    viewer.see(says(viewer, "in line 30, but the file has only 5"), True,
               "a file that is too short is another version")
    viewer.kill()
    with open(os.path.join(where, "sweep.f"), "wb") as file:
        file.write(b"C " + b"x" * 1000000 + b"\n" + b"C \0 \xff\n" * 40)
    viewer = person.start(files)
    viewer.see(says(viewer, "only shown, not to be edited"), True,
               "what cannot be shown whole is not to be edited")
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 30, "but shown")


def without(where):
    path = os.path.join(where, "run.hpm.xml")
    tap.run([tap.HPMCOUNT, "-n", "-o", path, "true"])
    viewer = person.start(path)
    viewer.see(says(viewer, "hpmcount --functions"), True,
               "of a whole run it says what shows the source")


for name, way in (("not found", not_found), ("searched", searched),
                  ("edited", edited), ("in conflict", in_conflict),
                  ("opened elsewhere", opened_elsewhere), ("odd", odd),
                  ("without a source", without)):
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
