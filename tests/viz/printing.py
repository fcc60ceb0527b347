# SPDX-License-Identifier: BSD-3-Clause
"""A person prints what the windows show into files, by the printer of GTK that
every machine has."""

import os
import re

import person  # first: it may begin anew on a desktop
import reports
import tap

# GTK's own dialog has pages, and GTK warns when they go while something reads the
# screen.
OF_GTK = re.compile(r"gtk_notebook_get_tab_label|^$")


def prepare(where):
    """Of GTK's ways to print the one into files, in this folder: others ask for a bus
    of the system, which a desktop of a test does not have, and may find printers."""
    config = os.environ["XDG_CONFIG_HOME"]
    os.makedirs(os.path.join(config, "gtk-3.0"), exist_ok=True)
    with open(os.path.join(config, "gtk-3.0", "settings.ini"), "w") as file:
        file.write("[Settings]\ngtk-print-backends=file\n")
    with open(os.path.join(config, "user-dirs.dirs"), "w") as file:
        file.write(f'XDG_DOCUMENTS_DIR="{where}"\n')


def table_in(dialog):
    return next(at for at in person.walk(dialog) if at.getRoleName() == "table")


def print_it(viewer, name, where):
    """Ctrl+P, and Print: the file that is there then."""
    viewer.keys("Ctrl+p", name)
    dialog = viewer.window("Print")
    table = viewer.wait(lambda: table_in(dialog), "a list of printers")
    viewer.wait(lambda: table.queryTable().nRows > 0, "a printer")
    viewer.click(table.queryTable().getAccessibleAt(0, 1))
    button = viewer.find("Print", "push button", dialog)
    viewer.wait(lambda: person.states(button).contains(
        person.pyatspi.STATE_SENSITIVE), "the printer to be chosen")
    button.queryAction().doAction(0)
    path = os.path.join(where, "output.pdf")
    viewer.wait(lambda: os.path.exists(path) and
                b"%%EOF" in open(path, "rb").read()[-32:], path)
    with open(path, "rb") as file:
        content = file.read()
    os.unlink(path)
    return content


def see_printed(viewer, name, where, sentence):
    pdf = print_it(viewer, name, where)
    tap.ok(pdf.startswith(b"%PDF") and len(pdf) > 5000, sentence, len(pdf))


def journey(paths, where):
    viewer = person.start(*paths, G_DEBUG="")
    table = viewer.table("sections")
    viewer.wait(lambda: table.n_rows() > 0, "sections")
    see_printed(viewer, "hpmviz", where, "the sections are printed")
    for item, name in (("Distribution", "Distribution"),
                       ("Linked trees", "Trees")):
        viewer.menu(viewer.window("hpmviz"), "Section" if name != "Trees"
                    else "View", item)
        window = viewer.window(name)
        button = viewer.find("Print…", "push button", window)
        viewer.wait(lambda: person.states(button).contains(
            person.pyatspi.STATE_SENSITIVE), "something to print")
        if name == "Distribution":
            viewer.wait(lambda: "8 of 8 threads have a value" in
                        " ".join(viewer.texts(window)), "values")
        see_printed(viewer, name, where, f"{name} is printed")
        viewer.escape(name)
    viewer.keys("Ctrl+m", "hpmviz")
    window = viewer.window(" Metrics")
    viewer.wait(lambda: viewer.table("metrics table", window).n_rows() > 0,
                "values")
    see_printed(viewer, " Metrics", where, "metrics of a section are printed")
    viewer.escape(" Metrics")
    viewer.expected += [line for line in viewer.words().splitlines()
                        if OF_GTK.search(line)]


with tap.folder() as where:
    paths = reports.known_files(where)
    prepare(where)
    person.journey("printing", lambda: journey(paths, where))
tap.done()
