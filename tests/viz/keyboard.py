# SPDX-License-Identifier: BSD-3-Clause
"""The viewer without a mouse."""

import os

import person  # first: it may begin anew on a desktop
import reports
import tap

SECTIONS = ["sweep x", "main"]


def open_known(where):
    reports.write(where, "sweep.f",
                  "".join(f"      line {n}\n" for n in range(1, 60)))
    viewer = person.start(*reports.known_files(where))
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), SECTIONS, "sections")
    viewer.see(viewer.focused, "sections", "the list has the focus")
    viewer.find("sweep.f", "page tab")
    return viewer, table


def selected_by_focus(viewer):
    """The texts that are selected where the focus is."""
    found = []
    for at in person.walk(viewer.application):
        if person.states(at).contains(person.pyatspi.STATE_FOCUSED) and \
                "Text" in at.get_interfaces():
            text = at.queryText()
            found += [text.getText(*text.getSelection(i))
                      for i in range(text.getNSelections())]
    return [text for text in found if text]


def tab_order(viewer):
    """What Tab comes to from the filter on, until it comes to it again."""
    viewer.keys("Ctrl+f", "hpmviz")
    viewer.see(viewer.focused, "filter", "Ctrl+F: the filter")
    order = ["filter"]
    while len(order) < 40:
        before = order[-1]
        viewer.keys("Ctrl+Tab" if before == "source" else "Tab", "hpmviz")
        order.append(viewer.wait(lambda: moved_focus(viewer, before),
                                 f"the focus to leave '{before}'"))
        viewer.wait(lambda: selected_by_focus(viewer) == [],
                    f"'{order[-1]}' to be focused, and not selected")
        if order[-1] == "filter":
            break
    return order


def moved_focus(viewer, before):
    """What has the focus, if that is another than before.  GTK tells of no focus
    in a combo box; one look may also miss a focus that is just moving."""
    name = viewer.focused()
    if name is None and viewer.focused() is None:
        name = "combo box"
    return name if name != before else None


def by_tab(where):
    viewer, _ = open_known(where)
    order = tab_order(viewer)
    tap.equal(order[-1], "filter", "Tab comes round")
    places = [order.index(name) if name in order else None
              for name in ("filter", "sections", "Hints", "source")]
    tap.ok(None not in places and places[0] < places[1] <
           min(places[2], places[3]),
           "by way of the sections to hints and source", order)


def panes(where):
    viewer, table = open_known(where)
    seen = ["sections"]
    for _ in range(6):
        viewer.keys("F6", "hpmviz")
        seen.append(viewer.wait(lambda: moved_focus(viewer, seen[-1]),
                                "F6 to move the focus"))
    tap.ok({"filter", "sections", "source"} <= set(seen), "F6: pane by pane",
           seen)
    viewer.keys("Ctrl+l", "hpmviz")
    viewer.see(viewer.focused, "sections", "Ctrl+L: the list")


def sections(where):
    viewer, table = open_known(where)
    source = viewer.text("source")
    viewer.see(lambda: source.line()[0], 30, "the first section's line")
    viewer.keys("F8", "hpmviz")
    viewer.see(table.selected, 1, "F8: the next section")
    viewer.see(lambda: source.line()[0], 1, "and its line")
    viewer.keys("Shift+F8", "hpmviz")
    viewer.see(table.selected, 0, "Shift+F8: the one before")
    viewer.keys("Down", "hpmviz")
    viewer.see(table.selected, 1, "an arrow, too")
    viewer.keys("Return", "hpmviz")
    viewer.window("main Metrics")
    tap.ok(True, "Enter: its metrics")
    viewer.escape("main Metrics")
    viewer.keys("Menu", "hpmviz")
    viewer.wait(lambda: viewer.look("Source", "menu item"), "a menu")
    tap.ok(True, "Menu: a menu")
    person.press("Escape")
    viewer.see(lambda: viewer.look("Source", "menu item"), None,
               "Esc: gone")
    viewer.keys("Ctrl+j", "hpmviz")
    viewer.see(viewer.focused, "source", "Ctrl+J: the source")


def filtering(where):
    viewer, table = open_known(where)
    viewer.keys("Ctrl+f", "hpmviz")
    viewer.see(viewer.focused, "filter", "Ctrl+F: the filter")
    person.type_text("swe")
    viewer.see(lambda: table.column("Section"), ["sweep x"], "part of a label")
    viewer.keys("Escape", "hpmviz")
    viewer.see(lambda: table.column("Section"), SECTIONS, "Esc: all again")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "Ctrl+Q: it ends")


for name, way in (("Tab", by_tab), ("panes", panes), ("sections", sections),
                  ("filter", filtering)):
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
