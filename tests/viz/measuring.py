# SPDX-License-Identifier: BSD-3-Clause
"""A person puts calls around three lines of a program, builds and measures it
with a command of his own, and sees what changed; goes to the line of an error;
stops a command; and is told why nothing came."""

import glob
import os

import person  # first: it may begin anew on a desktop
import tap
from smallprogram import begin, give_command, says, select


def focus(viewer, name):
    """Give a text the focus without a click, which would choose a place."""
    def has_focus():
        at = viewer.look(name, "text")
        at.queryComponent().grabFocus()
        return at.getState().contains(person.pyatspi.STATE_FOCUSED)

    viewer.wait(has_focus, f"the focus in '{name}'")


def output(viewer):
    return viewer.text("output of the command").content()


def measured(where):
    viewer, text = begin(where)
    viewer.click(viewer.find("source", "text"))
    select(text, 8, 10)
    viewer.keys("Ctrl+i", "hpmviz")
    viewer.see(lambda: 'hpmTstart(2, "sum loop");' in text.content(), True,
               "three lines get calls")
    viewer.keys("Ctrl+b", "hpmviz")
    viewer.see(lambda: viewer.text("folder of the command").content(), where,
               "the folder is that of the Makefile")
    give_command(viewer, "make -s && ./work")
    viewer.see(says(viewer, "changes are not saved"), True,
               "what is not saved is asked about")
    viewer.click(viewer.find("Save and run"))
    viewer.see(says(viewer, "1 performance file is opened as the next run"),
               True, "the program is built, run, and its file opened")
    viewer.see(lambda: f"{where}$ make -s && ./work" in output(viewer), True,
               "the command stands above what it wrote")
    table = viewer.table("sections")
    viewer.see(lambda: "sum loop" in table.column("Section"), True,
               "the new section is in the list")
    viewer.see(lambda: any("B − A" in title for title in table.titles()), True,
               "which compares the run with the last")
    files = glob.glob(os.path.join(os.environ["XDG_DATA_HOME"], "hpm-toolkit",
                                   "runs", "*", "*.hpm.xml"))
    tap.equal([{(r.label, r.count) for r in tap.records(file)} for file in files],
              [{("main part", "1"), ("sum loop", "100")}],
              "the file is in a folder of its own, with both sections")
    viewer.click(viewer.find("source", "text"))
    viewer.keys("Ctrl+b", "hpmviz")
    viewer.see(lambda: len(glob.glob(os.path.join(
        os.environ["XDG_DATA_HOME"], "hpm-toolkit", "runs", "*",
        "*.hpm.xml"))), 2, "the second time nothing is asked")
    viewer.see(lambda: any("C − B" in title for title in table.titles()), True,
               "and the run before is the one to compare with")


def failed(where):
    viewer, text = begin(where)
    viewer.keys("Ctrl+b", "hpmviz")
    give_command(viewer, "make -s CC=x; echo 'work.c:9:5: error: no such sum'; "
                         "exit 3")
    viewer.see(says(viewer, "ended with status 3; no performance file came"),
               True, "a command that fails is told")
    place = viewer.text("output of the command")
    at = place.content().rindex("work.c:9:5: error: no such")
    focus(viewer, "output of the command")
    place.ask(lambda t: t.setCaretOffset(at))
    viewer.wait(lambda: place.caret() == at, "the caret in the output")
    person.press("Return")
    viewer.see(lambda: text.line()[0], 9, "Return on an error goes to its line")
    focus(viewer, "command that builds and runs")
    give_command(viewer, "true")
    viewer.see(says(viewer, "but no performance file came: the program calls "
                            "nothing of libhpm"), True,
               "where nothing came, it says why that may be")
    focus(viewer, "command that builds and runs")
    give_command(viewer, "trap '' TERM; echo begun; sleep 1000 & sleep 1000; "
                         "wait")
    viewer.see(lambda: "begun" in output(viewer).splitlines(), True,
               "a command runs on")
    viewer.keys("Ctrl+Shift+b", "hpmviz")
    viewer.see(says(viewer, "the command was stopped"), True,
               "and is stopped with all its processes")


for name, way in (("measured", measured), ("failed", failed)):
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
