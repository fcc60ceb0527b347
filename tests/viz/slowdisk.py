# SPDX-License-Identifier: BSD-3-Clause
"""Sources on a disk that is slow (tests/programs/slowdisk.c): the thread that draws
the window asks for none of them, so it never waits for the disk."""

import os

import person  # first: it may begin anew on a desktop
import reports
import tap

SLOWDISK = os.path.join(tap.TOP_BUILD, "tests", "programs", ".libs", "slowdisk.so")
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
    preloaded = [SLOWDISK]
    if os.environ.get("LD_PRELOAD"):
        preloaded.append(os.environ["LD_PRELOAD"])
    return person.start(path, LD_PRELOAD=":".join(preloaded), HPM_TEST_SLOW=slow,
                        HPM_TEST_SLOW_MS=MS, HPM_TEST_SLOW_LOG=log)


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
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


with tap.folder() as where:
    person.journey("a slow disk", journey, os.path.realpath(where))
tap.done()
