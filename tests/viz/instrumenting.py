# SPDX-License-Identifier: BSD-3-Clause
"""A person puts calls around lines of the source, and takes that back."""

import os

import person  # first: it may begin anew on a desktop
import reports
import tap

SOURCE = """\
#include <stdio.h>

int
main(void)
{
    int sum = 0;

    for (int i = 0; i < 3; i++)
        sum += i;
    printf("%d\\n", sum);
    return 0;
}
"""


def make(where):
    """A performance file whose sections are in work.c."""
    files = []
    for path in reports.known_files(where):
        with open(path) as file:
            text = file.read()
        files.append(reports.write(where, os.path.basename(path),
                                   text.replace("sweep.f", "work.c")
                                   .replace('linestart="30"', 'linestart="8"')))
    return reports.write(where, "work.c", SOURCE), files[0]


def says(viewer, words):
    return lambda: any(words in text for text in viewer.texts())


def select(text, first, last):
    """Select lines of the source, from 1."""
    lines = SOURCE.splitlines(keepends=True)
    start = sum(len(line) for line in lines[:first - 1])
    end = sum(len(line) for line in lines[:last])
    text.ask(lambda t: t.addSelection(start, end) or
             t.setSelection(0, start, end) or True)


def instrumented(where):
    source, file = make(where)
    viewer = person.start(file)
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 8, "a section's loop is shown")
    viewer.click(viewer.find("source", "text"))
    select(text, 8, 9)
    viewer.keys("Ctrl+i", "hpmviz")
    viewer.see(lambda: '    hpmTstart(3, "main loop");\n    for (' in
               text.content() and "sum += i;\n    hpmTstop(3);\n" in
               text.content() and "#include <libhpm.h>\n" in text.content(),
               True, "Ctrl+I puts calls around it, with an id that is free")
    viewer.see(lambda: text.ask(lambda t: t.getText(*t.getSelection(0))),
               "main loop", "the label is selected, to be written over")
    person.type_text("sums")
    viewer.see(lambda: 'hpmTstart(3, "sums");' in text.content(), True,
               "a label is typed")
    for _ in range(9):
        if text.content() == SOURCE:
            break
        viewer.keys("Ctrl+z", "hpmviz")
    viewer.see(lambda: text.content(), SOURCE, "undoing takes all back")
    select(text, 8, 9)
    viewer.keys("Ctrl+i", "hpmviz")
    viewer.see(lambda: "hpmTstop(3)" in text.content(), True,
               "the calls are there again")
    viewer.keys("Ctrl+Shift+i", "hpmviz")
    viewer.see(lambda: text.content(), SOURCE,
               "Ctrl+Shift+I takes the section's calls away")
    select(text, 9, 9)
    viewer.menu(viewer.window("hpmviz"), "Measure", "Instrument lines")
    viewer.see(says(viewer, "belongs to the 'for' of line 8"), True,
               "lines that cannot be measured alone are refused, with a reason")
    tap.equal(text.content(), SOURCE, "and stay as they are")


for name, way in (("instrumented", instrumented),):
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
