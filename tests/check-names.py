#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Is each tag, enumerator, macro and function that a header gives a name given
that name once in the tree?  One word for two things misleads a reader, and hides
one from the tools that look for its definition.  Asked once more of a copy with
a second definition of each kind."""

import collections
import glob
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import equal, ok

FOLDERS = ("include", "lib", "study", "mpi", "hpmcount", "hpm", "hpmviz")


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def names(text):
    """What a header defines: pairs of kind and name."""
    text = without_comments(text)
    for kind, tag in re.findall(r"\b(struct|enum|union)\s+(\w+)\s*\{", text):
        yield kind, tag
    for body in re.findall(r"\benum\s*\w*\s*\{(.*?)\}", text, re.S):
        for name in re.findall(r"(?:^|,)\s*(\w+)\s*(?==|,|$)", body.strip()):
            yield "enumerator", name
    for name in re.findall(r"^#define\s+(\w+)", text, re.M):
        yield "macro", name
    for name in re.findall(r"^(?! )[\w *]*?\b(hpm\w*)\(", text, re.M):
        yield "function", name


def named(file, text):
    """What a file defines for others: a source, the tags that its header only
    declares, which begin with ours."""
    for kind, name in names(text):
        if file.endswith(".h") or (kind in ("struct", "enum", "union") and
                                   name.startswith(("hpm_", "hpmviz_"))):
            yield kind, name


def twice(root):
    """Each name that files of two nouns define, and where."""
    where = collections.defaultdict(set)
    for folder in FOLDERS:
        for file in glob.glob(os.path.join(root, folder, "**", "*.[ch]"),
                              recursive=True):
            if f"{os.sep}plain{os.sep}" in file:
                continue  # stands in for study/xml, with the same header
            with open(file, encoding="utf-8") as text:
                for kind, name in named(file, text.read()):
                    # an enumerator may be named as well by a macro of its own
                    where["tag" if kind in ("struct", "enum", "union")
                          else kind, name].add(os.path.relpath(file, root))
    return [f"{kind} {name}: {', '.join(sorted(files))}"
            for (kind, name), files in sorted(where.items()) if len(files) > 1]


def planted(text):
    """What is found in a header and another that repeats it."""
    with tempfile.TemporaryDirectory() as copy:
        for name in ("one.h", "other.h"):
            os.makedirs(os.path.join(copy, "lib"), exist_ok=True)
            with open(os.path.join(copy, "lib", name), "w") as file:
                file.write(text)
        return twice(copy)


equal(twice(tap.TOP_SOURCE), [], "each name is defined in one file")
for planted_text, expected in (
        ("struct hpm_thing {\n    int a;\n};\n", "tag hpm_thing"),
        ("enum { HPM_FIRST, HPM_SECOND = 2 };\n", "enumerator HPM_SECOND"),
        ("#define HPM_THING 1\n", "macro HPM_THING"),
        ("bool hpm_thing_find(int a);\n", "function hpm_thing_find")):
    found = planted(planted_text)
    ok(any(line.startswith(expected + ":") for line in found),
       f"a second {expected.split()[0]} is found", found)
tap.done()
