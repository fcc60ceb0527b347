#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Are the files that doc/HACKING.md names for adding a source, a metric, a
subcommand or a column of the viewer there, no more than they may be, and true of
those the tree has?"""

import functools
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import TOP_SOURCE, equal, ok

# How many files of the product each may touch.
MOST = {"a source": 6, "a metric": 1, "a subcommand of hpm": 5,
        "a column of the list of sections": 3}


@functools.lru_cache(maxsize=None)
def read(path):
    with open(os.path.join(TOP_SOURCE, path), encoding="utf-8") as file:
        return file.read()


def matching(*patterns):
    """Files of the tree, as names below its top."""
    return [os.path.relpath(path, TOP_SOURCE) for pattern in patterns
            for path in glob.glob(os.path.join(TOP_SOURCE, pattern),
                                  recursive=True)]


def naming(words, pattern, *files):
    """Those of the files in which the pattern is, which has one of the words: a file
    without them is found much sooner by itself."""
    return {file for file in matching(*files)
            if any(word in read(file) for word in words) and
            re.search(pattern, read(file))}


def entries():
    """{what: (number of files it says, files it names)}"""
    text = read("doc/HACKING.md")
    text = text[text.index("\n## To add\n"):]
    text = text[:text.index("\n## ", 4)]
    return {what: (int(number), re.findall(r"`([\w./*-]+/[\w./*-]+)`", rest))
            for what, number, rest in re.findall(
                r"^\* \*\*([^*]+)\*\* \((\d+) files?\):(.*?)(?=\n\* |\n\n|\Z)",
                text, re.M | re.S)}


def faults_of_entries(found):
    faults = [f"{what} is not there" for what in MOST if what not in found]
    for what, (number, files) in found.items():
        if number != len(set(files)):
            faults.append(f"{what}: says {number}, names {sorted(set(files))}")
        if number > MOST.get(what, number):
            faults.append(f"{what}: at most {MOST[what]}")
        faults += [f"{what}: {file} is not there" for file in files
                   if not matching(file.replace("NAME", "*"))]
    return faults


def test_entries(found):
    equal(faults_of_entries(found), [],
          "doc/HACKING.md names files that are there, and as many as it says")
    number, files = found["a source"]
    for what, bad in (("a file that is gone", (number, [*files[1:], "lib/no.c"])),
                      ("a file too many", (number, [*files, "lib/hpm.c"])),
                      ("more than there may be",
                       (7, [*files, "lib/hpm.c", "lib/life.c"]))):
        ok(faults_of_entries({**found, "a source": bad}), f"{what} is noticed")


# hpm campaign makes its result by these, and hpm audit its runs by a campaign.
CALLERS = {name: {"hpm/campaign.c"} for name in ("merge", "integrate", "report")}
CALLERS["campaign"] = {"hpm/audit.c"}
CALLERS["import-definitions"] = {"tests/local.mk"}


def test_subcommands(files):
    names = re.findall(r"\bDO\((\w+)\)", read("hpm/frame/subcommand.h"))
    ok(len(names) > 10, "there are subcommands", names)
    for symbol in names:
        name = symbol.replace("_", "-")
        pattern = (rf"\bsubcommand_{symbol}\b|\bDO\({symbol}\)|hpm/{name}\.c\b|"
                   rf"\bhpm-{name}\.1\b")
        own = {f"hpm/{name}.c", f"doc/man/hpm-{name}.1"}
        there = own & set(matching("hpm/*.c", "doc/man/*"))
        there |= naming({symbol, name}, pattern, "hpm/**/*.[ch]", "*/local.mk",
                        "Makefile.am", "completions/*", "po/*")
        escaped = name.replace("-", r"\\-")
        there |= naming({"hpm"}, rf"(?m)^\.TP\n\.BR hpm\\-{escaped} \(1\)$",
                        "doc/man/hpm.1")
        callers = CALLERS.get(name, set())
        if callers:
            ok(callers <= there, f"hpm {name} is called where this test says",
               there)
        equal(there - callers, {file.replace("NAME", name) for file in files},
              f"hpm {name} is named in these files and in no other")


def test_sources(files):
    names = re.findall(r"\bDO\((\w+)\)", read("lib/source/source.h"))
    ok(len(names) > 3, "there are sources", names)
    everywhere = {}
    for name in names:
        there = set(matching(f"lib/source/{name}.c"))
        there |= naming({name}, rf"\bDO\({name}\)", "lib/source/*.h")
        everywhere[name] = there | naming(
            {name}, rf"\bhpm_source_{name}\b|lib/source/{name}\.c\b|source/{name}\.h\b",
            "lib/**/*.[ch]", "study/**/*.[ch]", "hpm/**/*.[ch]", "hpmcount/*.[ch]",
            "mpi/*.[ch]", "*/local.mk")
        everywhere[name] |= naming({name}, rf"(?m)^\.B {name}\n",
                                   "doc/man/hpm-environment.7")
        expected = {file.replace("NAME", name) for file in files}
        equal(expected - everywhere[name], set(),
              f"the source {name} is in each of these files")
    more = {name: there - {file.replace("NAME", name) for file in files}
            for name, there in everywhere.items()}
    ok(min(map(len, more.values())) <= MOST["a source"] - len(files),
       f"and one in no more than {MOST['a source']}", more)


# Metrics and events that the code itself asks for: what anchors runs of an
# integration, the default times of a hint, a busy loop that checks counters, the line
# of each kind of cores on the first screen, the axes and roofs of the viewer's
# roofline (study/html/roofline.js asks for the same); a set that has a metric's name.
KNOWN = {"CPU_TIME", "USER_TIME", "CYCLES", "INSTRUCTION", "FMA", "FR_X86_INS",
         "BRANCH_PRED", "RETIRED_UOPS", "P_CYCLES", "P_INSTRUCTION", "E_CYCLES",
         "E_INSTRUCTION", "ARITHMETIC_INTENSITY", "ATTAINABLE", "ROOF_PCT",
         "FLOP_ROOF", "MEM_ROOF", "MPI_TIME", "MPI_WAITING"}


def test_metrics():
    names = set()
    for file in matching("metrics/**/*.hpm"):
        names |= set(re.findall(
            r"^(?:ratio|compose|compute|measure) +([A-Z][\w$/]*)", read(file),
            re.M))
    ok(len(names) > 100, "there are metrics", len(names))
    words = set()
    for file in matching("lib/**/*.c", "study/**/*.c", "hpm/**/*.c", "hpmcount/*.c",
                         "hpmviz/**/*.c"):
        if not os.path.basename(file).startswith("shipped"):
            words |= set(re.findall(r'"([A-Z][\w$/]*)"', read(file)))
    equal(names & words - KNOWN, set(), "no metric but these is known to the code")


def test_columns(files):
    table = re.search(r"enum hpmviz_section_column \{(.*?)HPMVIZ_SECTION_N_COL",
                      read("hpmviz/sections/sectiontable.h"), re.S).group(1)
    names = re.findall(r"HPMVIZ_SECTION_\w+", table)
    there = {name: naming({name}, rf"\b{name}\b", "hpmviz/**/*.[ch]") for name in names}
    table = {"hpmviz/sections/sectiontable.h", "hpmviz/sections/sectiontable.c"}
    ok(table < set(files) and
       not [name for name in names if table - there[name]],
       "each column of sections is in the table", there)
    ok(len([name for name in names if there[name] == set(files)]) > 2,
       "and several are in these files and in no other", there)


found = entries()
test_entries(found)
test_subcommands(found["a subcommand of hpm"][1])
test_sources(found["a source"][1])
test_metrics()
test_columns(found["a column of the list of sections"][1])
tap.done()
