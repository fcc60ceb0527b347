# SPDX-License-Identifier: BSD-3-Clause
"""Sources on a disk that is slow (tests/programs/slowdisk.c): the thread that draws
the window asks for none of them, so it never waits for the disk."""

import os

import person  # first: it may begin anew on a desktop
import reports
import tap

SOURCES = ["one.f", "two.f"]
MS = 100  # a call


def make(where):
    slow = os.path.join(where, "slow")
    os.mkdir(slow)
    for name in SOURCES:
        reports.write(slow, name, "".join(f"C {name} {n}\n" for n in range(1, 60)))
    return slow, reports.write(where, "run.hpm.xml", reports.task_file(0, [
        reports.record(i + 1, 0, 0, name, 9 - i, 9 - i, [], file=f"slow/{name}",
                       line=3 + i) for i, name in enumerate(SOURCES)]))


def read(path):
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def start(path, slow, log):
    preloaded = [person.SLOWDISK]
    if os.environ.get("LD_PRELOAD"):
        preloaded.append(os.environ["LD_PRELOAD"])
    return person.start(path, LD_PRELOAD=":".join(preloaded), HPM_TEST_SLOW=slow,
                        HPM_TEST_SLOW_MS=MS, HPM_TEST_SLOW_LOG=log)


def edit(viewer, text):
    viewer.click(viewer.find("source", "text"))
    viewer.keys("Ctrl+Home", "hpmviz")
    person.type_text(text)
    viewer.see(lambda: viewer.text("source").content().startswith(text), True,
               "a source is edited")


def journey(where):
    slow, path = make(where)
    log = os.path.join(where, "log")
    viewer = start(path, slow, log)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), SOURCES, "sections")
    for i, name in enumerate(SOURCES):
        table.click(i, "Section")
        viewer.see(lambda: viewer.text("source").line(), (3 + i, f"C {name} {3 + i}"),
                   f"{name} is shown, in the section's line")
    tap.equal(read(log), "", "to find and open sources the window waits for no disk")
    edit(viewer, "new")
    viewer.keys("Ctrl+s", "hpmviz")
    changed = os.path.join(slow, SOURCES[1])
    viewer.see(lambda: read(changed).startswith("newC two.f 1\n"), True, "it is saved")
    viewer.see(lambda: viewer.look(SOURCES[1], "page tab") is not None, True,
               "and marked as saved")
    tap.equal(read(log), "", "nor to save them")
    with open(changed, "w") as file:
        file.write("C by another program\n")
    viewer.keys("Ctrl+l", "hpmviz")
    viewer.click(viewer.find("source", "text"))
    viewer.click(viewer.find("Reload the file", "push button"))
    viewer.see(lambda: viewer.text("source").content(), "C by another program\n",
               "a file that another program wrote is read again")
    tap.equal(read(log), "", "nor to look whether others wrote them, and read them again")
    viewer.click(viewer.find("source", "text"))
    viewer.keys("Ctrl+Home", "hpmviz")
    person.type_text("last")
    viewer.see(lambda: viewer.text("source").content().startswith("last"), True,
               "it is edited again")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "Ctrl+Q while it is being saved: it ends unasked")
    tap.equal(read(changed), "lastC by another program\n", "once it is saved")
    tap.equal(read(log), "", "and has waited for no disk")


if os.path.exists(person.SLOWDISK):
    with tap.folder() as where:
        person.journey("a slow disk", journey, os.path.realpath(where))
else:  # as with sanitizers
    tap.skip("a slow disk", "slowdisk.so is not built without shared libraries")
tap.done()
