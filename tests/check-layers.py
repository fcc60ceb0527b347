#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is the structure what lib/LAYERS says?  Each question is asked once more of a
copy with a fault planted in it, so that the check is known to see one."""

import collections
import glob
import os
import re
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import equal, ok

FOLDERS = ("lib", "study", "fortran", "mpi", "hpmcount", "hpm", "hpmviz")
# found in the build folder or installed: not part of the structure
OUTSIDE = {"config.h", "f_hpm.h", "libhpm.h"}


def sources(root):
    """Every source and header, as a path beneath root."""
    for folder in FOLDERS:
        for file in sorted(glob.glob(os.path.join(root, folder, "**", "*.[ch]"),
                                     recursive=True)):
            yield os.path.relpath(file, root)


def room(file):
    """The folder of a file, as LAYERS names folders."""
    folder = os.path.dirname(file)
    if folder == "lib":
        return "libhpm"
    return folder[len("lib/"):] if folder.startswith("lib/") else folder


def included(root, file):
    """The files of ours that a file includes."""
    with open(os.path.join(root, file), encoding="utf-8") as text:
        for name in re.findall(r'^#include "([^"]+)"', text.read(), re.M):
            if name in OUTSIDE:
                continue
            found = [path for path in ("lib/" + name, name)
                     if os.path.exists(os.path.join(root, path))]
            yield found[0] if found else name


def layers(root):
    allowed = {}
    with open(os.path.join(root, "lib", "LAYERS"), encoding="utf-8") as text:
        for line in text:
            if line.strip() and not line.startswith("#"):
                name, others = line.split(":")
                allowed[name] = others.split()
    return allowed


def forbidden(root):
    """Each include that LAYERS does not allow."""
    allowed = layers(root)
    for file in sources(root):
        here = room(file)
        if here not in allowed:
            yield f"{file}: folder {here} is not in LAYERS"
            continue
        for other in included(root, file):
            there = room(other)
            if there != here and there not in allowed[here]:
                yield f"{file}: {here} may not include {other}"


def upward(root):
    """Each include of study/ in lib/, and each line of LAYERS that allows it."""
    for name, others in layers(root).items():
        if os.path.isdir(os.path.join(root, "lib", name)):
            for other in others:
                if other.startswith("study"):
                    yield f"LAYERS: {name}: {other}"
    for file in sources(root):
        if file.startswith("lib/"):
            for other in included(root, file):
                if other.startswith("study/"):
                    yield f"{file} includes {other}"


def archives(root):
    """Folders whose sources are in more than one archive or program."""
    where = collections.defaultdict(set)
    for file in glob.glob(os.path.join(root, "*", "local.mk")):
        with open(file, encoding="utf-8") as text:
            joined = text.read().replace("\\\n", " ")
        for target, value in re.findall(
                r"^(?:nodist_)?(\w+)_SOURCES *\+?= *(.*)$", joined, re.M):
            for source in re.findall(r"\S+\.[ch]\b", value):
                if source.startswith(("lib/", "study/")):
                    where[os.path.dirname(source)].add(target)
    return {folder: sorted(targets) for folder, targets in where.items()
            if len(targets) > 1}


def round_about(root):
    """Folders that LAYERS lets include each other in a circle."""
    return [sorted(part) for part in components(layers(root)) if len(part) > 1]


def circles(root):
    """Files that include each other, a source and its header being one."""
    graph = collections.defaultdict(set)
    for file in sources(root):
        noun = os.path.splitext(file)[0]
        for other in included(root, file):
            if os.path.splitext(other)[0] != noun:
                graph[noun].add(os.path.splitext(other)[0])
    return [sorted(part) for part in components(graph) if len(part) > 1]


def components(graph):
    """The strongly connected parts of a graph (Tarjan)."""
    order, low, stack, parts = {}, {}, [], []

    def visit(noun):
        order[noun] = low[noun] = len(order)
        stack.append(noun)
        for other in graph.get(noun, ()):
            if other not in order:
                visit(other)
                low[noun] = min(low[noun], low[other])
            elif other in stack:
                low[noun] = min(low[noun], order[other])
        if low[noun] == order[noun]:
            i = stack.index(noun)
            parts.append(stack[i:])
            del stack[i:]

    for noun in sorted(graph):
        if noun not in order:
            visit(noun)
    return parts


def planted(question, file, text):
    """What the question finds in the copy with `text` at the end of a file."""
    path = os.path.join(COPY, file)
    with open(path, encoding="utf-8") as target:
        was = target.read()
    try:
        with open(path, "a", encoding="utf-8") as target:
            target.write(text)
        return question(COPY)
    finally:
        with open(path, "w", encoding="utf-8") as target:
            target.write(was)


def test_rooms():
    equal(list(forbidden(tap.TOP_SOURCE)), [],
          "every include is allowed by lib/LAYERS")
    found = planted(lambda root: list(forbidden(root)),
                    "lib/model/experiment.c", '#include "record/recorder.h"\n')
    equal(found, ["lib/model/experiment.c: model may not include "
                  "lib/record/recorder.h"], "an include against them is found")
    equal(round_about(tap.TOP_SOURCE), [], "no folders stand in a circle")
    found = planted(round_about, "lib/LAYERS",
                    "source/machine: host base source\n")
    equal(found, [["source", "source/machine"]], "a circle of folders is found")


def test_storeys():
    equal(list(upward(tap.TOP_SOURCE)), [], "nothing in lib/ knows study/")
    found = planted(lambda root: list(upward(root)), "lib/report/table.c",
                    '#include "study/report/page.h"\n')
    equal(found, ["lib/report/table.c includes study/report/page.h"],
          "an include upwards is found")


def test_circles():
    equal(circles(tap.TOP_SOURCE), [], "no files include each other in a circle")
    found = planted(circles, "lib/record/site.c", '#include "record/node.h"\n')
    equal(found, [["lib/record/node", "lib/record/site"]],
          "a source that includes a header above its own is found")
    found = planted(circles, "lib/base/error.h",
                    '#include "record/recorder.h"\n')
    ok(any({"lib/base/error", "lib/record/recorder", "lib/record/thread"}
           <= set(circle) for circle in found),
       "a circle through many files is found", found)


def test_archives():
    equal(archives(tap.TOP_SOURCE), {}, "each folder belongs to one archive")
    found = planted(archives, "hpm/local.mk",
                    "hpm_hpm_SOURCES += lib/base/error.c\n")
    ok("lib/base" in found, "a folder in two archives is found", found)


with tempfile.TemporaryDirectory() as COPY:
    for each in FOLDERS:
        shutil.copytree(os.path.join(tap.TOP_SOURCE, each), os.path.join(COPY, each),
                        copy_function=shutil.copyfile)
    test_rooms()
    test_storeys()
    test_circles()
    test_archives()
tap.done()
