# SPDX-License-Identifier: BSD-3-Clause
"""A person comes back to the viewer: what was chosen and open is so again; what
helps, opens."""

import os

import person  # first: it may begin anew on a desktop
import swim
import tap

CONF = os.path.join(os.environ.get("XDG_CONFIG_HOME") or
                    os.path.expanduser("~/.config"), "hpm-toolkit",
                    "hpmviz.conf")


def conf():
    with open(CONF, encoding="utf-8") as file:
        return file.read()


def is_sensitive(at):
    return person.states(at).contains(person.pyatspi.STATE_SENSITIVE)


def quit(viewer):
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")
    tap.equal(viewer.complaints(), [], "without a complaint")


def choose(viewer):
    """What is remembered then."""
    table = viewer.table("sections")
    viewer.see(lambda: len(table.column("Section")), 5, "sections are there")
    table.click(1, "Section")
    viewer.see(table.selected, 1, "a section is selected")
    viewer.menu(viewer.window("hpmviz"), "View", "Columns…")
    dialog = viewer.window("Columns")
    viewer.click(viewer.find("Calls", "check box", dialog))
    viewer.see(lambda: "Calls" in table.titles(), False,
               "a column that is not wanted goes")
    viewer.escape("Columns")
    viewer.menu(viewer.window("hpmviz"), "View", "Palette", "Orange and blue")
    viewer.menu(viewer.window("hpmviz"), "View", "Theme", "Dark")
    viewer.keys("Ctrl+plus", "hpmviz")


def move_between_panes(viewer):
    """Once the source is there: F6 leaves out what shows nothing yet."""
    viewer.find("swim.F", "page tab")
    viewer.keys("Ctrl+l", "hpmviz")
    viewer.wait(lambda: viewer.focused() not in (None, "filter", "source"),
                "the list to have the focus")
    for name in ("source", "filter", "sections"):
        viewer.keys("F6", "hpmviz")
        # a list has the focus in one of its cells
        if name == "sections":
            viewer.wait(lambda: viewer.focused() not in ("source", "filter"),
                        "the list to have the focus")
            tap.ok(True, "F6 goes to the list")
        else:
            viewer.see(viewer.focused, name, "F6 goes to the " + name)
    viewer.keys("Shift+F6", "hpmviz")
    viewer.see(viewer.focused, "filter", "Shift+F6 goes back")


def come_back(viewer):
    table = viewer.table("sections")
    viewer.see(lambda: len(table.column("Section")), 5,
               "without files, those of the last time are open")
    viewer.see(table.selected, 1, "the same section is selected")
    viewer.see(lambda: "Calls" in table.titles(), False,
               "and the column is not there")
    viewer.see(lambda: viewer.look("swim.F", "page tab") is not None, True,
               "its source is shown")


def remember(run_files):
    viewer = person.start(*run_files)
    move_between_panes(viewer)
    choose(viewer)
    quit(viewer)
    for line in ("hidden=calls;", "palette=orange-blue", "theme=dark",
                 "table-zoom=110", "label=Loop 300"):
        tap.ok(line in conf().splitlines(), "remembered: " + line, conf())


def forget():
    viewer = person.start()
    come_back(viewer)
    viewer.keys("Ctrl+comma", "hpmviz")
    dialog = viewer.window("Preferences")
    viewer.click(viewer.find(
        "Open the files of the last time when none are named", "check box",
        dialog))
    viewer.escape("Preferences")
    quit(viewer)
    tap.ok("restore=false" in conf().splitlines(), "a preference is kept",
           conf())


def be_without_files():
    viewer = person.start()
    viewer.wait(lambda: any("o performance file is open" in text
                            for text in viewer.texts()), "nothing is open")
    tap.ok(True, "nothing is open then")
    for name in ("Reload", "Metrics", "Save source"):
        viewer.see(lambda: is_sensitive(viewer.find(name, "push button")),
                   False, f"'{name}' is insensitive")
    quit(viewer)


def be_damaged():
    with open(CONF, "w", encoding="utf-8") as file:
        file.write("[view]\ntheme=dark\nnonsense\n")
    viewer = person.start()
    viewer.wait(lambda: any(f"{CONF}:3:" in text for text in viewer.texts()),
                "a word about the damaged file")
    tap.ok(True, "a damaged file of preferences is named, and its line")
    tap.ok(os.path.exists(CONF + ".damaged"), "and kept")
    quit(viewer)


def be_helped(run_files):
    viewer = person.start(*run_files)
    table = viewer.table("sections")
    viewer.see(lambda: len(table.column("Section")), 5, "sections are there")
    viewer.keys("F1", "hpmviz")
    manual = viewer.text("manual", viewer.window("Manual of hpmviz"))
    viewer.see(lambda: "hpmviz" in manual.content(), True,
               "F1 shows the manual, or where it is")
    viewer.escape("Manual of hpmviz")
    viewer.menu(viewer.window("hpmviz"), "Help", "Metric glossary")
    glossary = viewer.window("Metric glossary")
    viewer.wait(lambda: "glossary" in (viewer.active() or ""),
                "the glossary to be active")
    person.type_text("ipc")
    viewer.click(viewer.find("IPC", "label", glossary))
    meaning = viewer.text("meaning", glossary)
    viewer.see(lambda: "IPC = " in meaning.content(), True,
               "the glossary has the formula of a metric")
    viewer.escape("Metric glossary")
    viewer.menu(viewer.window("hpmviz"), "Help", "Keyboard shortcuts")
    viewer.wait(lambda: "Keyboard shortcuts" in (viewer.active() or ""),
                "the window of shortcuts")
    tap.ok(True, "the window of shortcuts opens")
    viewer.escape("Keyboard shortcuts")
    viewer.menu(viewer.window("hpmviz"), "Help", "About hpmviz")
    viewer.window("About hpmviz")
    viewer.escape("About hpmviz")
    quit(viewer)


def all_of_it():
    with tap.folder() as where:
        files = swim.measure(swim.build(where), where)
        remember(files)
        forget()
        be_without_files()
        be_helped(files)
        be_damaged()


reason = swim.no_swim()
if reason:
    tap.skip("habits", reason)
else:
    person.journey("habits", all_of_it)
tap.done()
