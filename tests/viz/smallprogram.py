# SPDX-License-Identifier: BSD-3-Clause
"""A small C program in a folder with a Makefile and its performance file, and what a
person does with it in the viewer: opens it, selects lines, gives the command that
builds and runs it."""

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


def begin(where, **variables):
    viewer = person.start(make(where), **{"HPM_SOURCE": "none", **variables})
    text = viewer.text("source")
    table = viewer.table("sections")
    viewer.see(lambda: "main part" in table.column("Section"), True,
               "the section is in the list")
    table.click(table.column("Section").index("main part"), "Section")
    lines = SOURCE.splitlines()
    viewer.see(lambda: text.line()[0],
               [n for n, line in enumerate(lines, 1) if "hpmTstart(" in line][0],
               "the section is shown")
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
