# SPDX-License-Identifier: BSD-3-Clause
"""A person puts calls around three lines of a program, builds and measures it
with a command of his own, and sees what changed; goes to the line of an error;
stops a command; and is told why nothing came."""

import glob
import os
import shlex
import subprocess

import person  # first: it may begin anew on a desktop
import tap
from tap import TOP_SOURCE

CC = shlex.split(os.environ.get("CC", "cc"))

SOURCE = """\
#include <libhpm.h>

static double
sum(int n)
{
    double total = 0;

    for (int i = 0; i < n; i++) {
        total += i;
    }
    return total;
}

int
main(void)
{
    double total = 0;

    hpmTstart(1, "main part");
    for (int k = 0; k < 100; k++)
        total += sum(k);
    hpmTstop(1);
    return total < 0;
}
"""


def recipe():
    """The shell command that builds the program."""
    return shlex.join([*CC, "-std=c99", "-I", os.path.join(TOP_SOURCE, "include"),
                       "-o", "work", "work.c", *tap.link_flags()])


def make(where):
    """A source, a Makefile, and the performance file of the first run."""
    with open(os.path.join(where, "work.c"), "w") as file:
        file.write(SOURCE)
    with open(os.path.join(where, "Makefile"), "w") as file:
        file.write("work: work.c\n\t" + recipe().replace("$", "$$") + "\n")
    subprocess.run(["make", "-s"], cwd=where, check=True)
    result = tap.run(["./work"], folder=where, HPM_SOURCE="none",
                     HPM_OUTPUT_NAME="first.hpm.xml")
    tap.equal((result.returncode, result.stderr), (0, b""),
              "the program runs and is measured")
    return os.path.join(where, "first.hpm.xml")


def says(viewer, words):
    return lambda: any(words in text for text in viewer.texts())


def select(text, first, last):
    """Select lines of the source, from 1."""
    lines = text.content().splitlines(keepends=True)
    start = sum(len(line) for line in lines[:first - 1])
    end = sum(len(line) for line in lines[:last])
    text.ask(lambda t: t.addSelection(start, end) or
             t.setSelection(0, start, end) or True)


def begin(where):
    viewer = person.start(make(where), HPM_SOURCE="none")
    text = viewer.text("source")
    table = viewer.table("sections")
    viewer.see(lambda: "main part" in table.column("Section"), True,
               "the section is in the list")
    table.click(table.column("Section").index("main part"), "Section")
    viewer.see(lambda: text.line()[0], 19, "the section is shown")
    return viewer, text


def give_command(viewer, command):
    """Fill the entry of the command, which has the focus, and run it."""
    entry = "command that builds and runs"
    viewer.wait(lambda: viewer.look(entry, "text").getState().contains(
        person.pyatspi.STATE_FOCUSED), "the command's entry")
    viewer.keys("Ctrl+a", "hpmviz")
    person.type_text(command)
    viewer.see(lambda: viewer.text(entry).content(), command,
               "a command is typed")
    person.press("Return")


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
