# SPDX-License-Identifier: BSD-3-Clause
"""Ways of opening performance files in the viewer, and what becomes of files
that are damaged, replaced, or full of tricks."""

import os
import subprocess
import sys
from pathlib import Path

import person  # first: it may begin anew on a desktop
import reports
import tap

SECTIONS = ["sweep x", "main"]


def see_known(viewer, sentence):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), SECTIONS, sentence)
    return table


def is_told(viewer, *words):
    """Does some text have all the words?"""
    return any(all(word in text for word in words)
               for text in viewer.texts())


def quit_viewer(viewer):
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


# ---- ways in ----------------------------------------------------------------

def by_dialog(where):
    path = reports.known_files(where)[1]
    viewer = person.start()
    viewer.keys("Ctrl+o", "hpmviz")
    viewer.answer_chooser("Open", path)
    see_known(viewer, "opened by the dialog")
    quit_viewer(viewer)


DRAG_SOURCE = """
import sys, gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk
window = Gtk.Window(title="drag source")
box = Gtk.EventBox()
box.add(Gtk.Label(label="files to drag"))
box.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
box.drag_source_add_uri_targets()
box.connect("drag-data-get", lambda w, c, data, i, t: data.set_uris(sys.argv[1:]))
window.add(box)
window.set_default_size(200, 100)
window.move(0, 0)
window.show_all()
Gtk.main()
"""


def by_drop(where):
    paths = reports.known_files(where)
    viewer = person.start()
    target = viewer.extents(viewer.window("hpmviz"))
    source = subprocess.Popen([sys.executable, "-c", DRAG_SOURCE] +
                              [Path(path).as_uri() for path in paths])
    try:
        label = viewer.find_elsewhere(source.pid, "files to drag")
        for _ in range(10):
            viewer.drag(label, target[0] + target[2] // 4,
                        target[1] + target[3] // 2)
            if person.comes(lambda: viewer.table("sections").n_rows() > 0):
                break
        table = see_known(viewer, "opened by dropping files on the window")
        viewer.see(lambda: table.text(0, "Exclusive s"), "8.000000",
                   "all of them")
    finally:
        source.kill()
        source.wait()


# ---- files that change ------------------------------------------------------

def task_with(seconds, label="sweep x"):
    return reports.task_file(0, [
        reports.record(1, 0, 0, label, seconds, seconds, [
            reports.data("PM_CYC", 1000, exclusive=1000)])])


def reload_changed(where):
    path = reports.write(where, "run.hpm.xml", task_with(2))
    viewer = person.start(path)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Exclusive s"), ["2.000000"], "opened")
    os.rename(reports.write(where, "new", task_with(3)), path)
    viewer.keys("F5", "hpmviz")
    viewer.see(lambda: table.column("Exclusive s"), ["3.000000"],
               "F5 shows what the file has now")
    os.rename(reports.write(where, "new", "rubbish"), path)
    viewer.keys("F5", "hpmviz")
    viewer.see(lambda: is_told(viewer, "run.hpm.xml:1"), True,
               "replaced by rubbish: said, and where")
    tap.equal(table.column("Exclusive s"), ["3.000000"],
              "and what was seen before stays")
    os.rename(reports.write(where, "new", task_with(4)), path)
    viewer.keys("F5", "hpmviz")
    viewer.see(lambda: table.column("Exclusive s"), ["4.000000"],
               "a good one again: shown")
    quit_viewer(viewer)


def damaged_among_good(where):
    paths = reports.known_files(where)
    with open(paths[2], "rb+") as file:
        file.truncate(700)
    cut = os.path.basename(paths[2])
    empty = os.path.basename(reports.write(where, "empty.hpm.xml", ""))
    viewer = person.start(where)
    see_known(viewer, "the good files are shown")
    viewer.see(lambda: is_told(viewer, cut), True,
               "what is wrong with the cut one is said")
    viewer.see(lambda: is_told(viewer, empty), True,
               "and with the empty one")
    quit_viewer(viewer)


# ---- tricks -----------------------------------------------------------------

BIDI = "\u202e"

# As written in the file; as shown.
LABELS = {
    "&lt;b&gt;bold&lt;/b&gt;": "<b>bold</b>",
    "a;touch X;": "a;touch X;",
    "$(touch X)": "$(touch X)",
    "turned " + BIDI + "txet": "turned \\xE2\\x80\\xAEtxet",
}
FILES = ["a;touch X;.c", "$(touch X).c", "&lt;b&gt;.c", "-rf.c"]


def tricky_names(where):
    for name in FILES:
        reports.write(where, name.replace("&lt;", "<").replace("&gt;", ">"),
                      "int i;\n" * 20)
    path = reports.write(where, "run.hpm.xml", reports.task_file(0, [
        reports.record(i + 1, 0, 0, label, 9 - i, 9 - i, [], file=FILES[i],
                       line=3)
        for i, label in enumerate(LABELS)]))
    here = set(os.listdir(where))
    viewer = person.start(path)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), list(LABELS.values()),
               "labels are text, and marks of direction are told")
    source = viewer.text("source")
    for i, label in enumerate(LABELS.values()):
        table.click(i, "Section")
        viewer.see(table.selected, i, f"{label}: selected")
        viewer.see(lambda: source.line()[0], 3, "its source is shown")
        viewer.see(lambda: is_told(viewer, label), True,
                   "as text in the status line, too")
        viewer.keys("Return", "hpmviz")
        viewer.window(label + " Metrics")
        tap.ok(True, "and in the title of its metrics")
        viewer.escape("Metrics")
    tap.equal([w for w in viewer.texts() if BIDI in w or "bold" == w], [],
              "nothing is markup, nothing turns the text")
    quit_viewer(viewer)
    tap.equal(set(os.listdir(where)), here, "and no command was run")


for name, way in (("the dialog", by_dialog), ("drag and drop", by_drop),
                  ("reload", reload_changed), ("damage", damaged_among_good),
                  ("tricks", tricky_names)):
    with tap.folder() as where:
        person.journey(name, way, where)
tap.done()
