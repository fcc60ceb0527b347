#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does each test run in one of the ways of runtests at least, and whole?  Asked once
more of lists with a fault, so that the check is known to see one."""

import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import equal, ok

# What a test says that does not ask the same of each build.
DIFFERS = re.compile(r"IS_REPEATED|is_repeated\(|sanitiz|LD_PRELOAD", re.I)
# This is no difference: libraries of others keep memory.
LEAKS = re.compile(r"^.*sanitizers.*# .* keeps what .*$", re.M)
UNIT_TESTS = ("inside_tests", "study_tests", "viz_tests")


def variables(text):
    """The words of each variable of a makefile, whatever its conditions."""
    found = {}
    for name, words in re.findall(r"^(\w+) \+?= *(.*)$",
                                  re.sub(r"\\\n", " ", text), re.M):
        found.setdefault(name, []).extend(words.split())
    return found


def expanded(lists, name):
    for word in lists.get(name, []):
        inner = re.fullmatch(r"\$\((\w+)\)", word)
        if inner:
            yield from expanded(lists, inner.group(1))
        else:
            yield word


def source(test):
    """The text of a test, whose name has its suffix or lacks .c; none of one that is
    made of others' files."""
    path = os.path.join(tap.TOP_SOURCE, test)
    for file in (path, path + ".c"):
        if os.path.exists(file):
            with open(file, encoding="utf-8") as text:
                return text.read()
    return ""


def unlike(lists):
    """What is left out of dist and does not ask the same in each build."""
    return sorted(test for test in expanded(lists, "once_scripts")
                  if DIFFERS.search(LEAKS.sub("", source(test))))


def unknown(lists):
    """What is left out of dist and runs nowhere else."""
    return sorted(set(expanded(lists, "once_scripts")) -
                  (set(expanded(lists, "TESTS")) - set(expanded(lists, "tree_tests"))))


def unheard(lists):
    """What is left out of dist without being said to run elsewhere."""
    once = set(expanded(lists, "once_scripts"))
    units = {test for name in UNIT_TESTS for test in expanded(lists, name)}
    return sorted(set(expanded(lists, "TESTS")) - once - units -
                  set(expanded(lists, "dist_tests")))


def short(lists):
    """Unit tests that make fewer inputs than they could in all ways they run in."""
    return sorted(test for name in UNIT_TESTS for test in expanded(lists, name)
                  if "is_repeated()" in source(test)
                  and test not in expanded(lists, "dist_tests"))


def without(lists, name, word):
    return {**lists, name: [each for each in lists[name] if each != word]}


with open(os.path.join(tap.TOP_SOURCE, "tests", "local.mk"),
          encoding="utf-8") as makefile:
    LISTS = variables(makefile.read())

equal(unlike(LISTS), [], "tests that only the build with sanitizers runs ask the "
      "same there as elsewhere (once_scripts in tests/local.mk)")
FEWER = ["tests/cli/faulty.py", "tests/viz/measurefunction.py"]
equal(unlike({**LISTS, "once_scripts": FEWER}), FEWER,
      "those that ask less there are seen")
equal(unknown(LISTS), [], "each of them is a test that it runs")
equal(unknown({**LISTS, "once_scripts": ["tests/check-format.sh"]}),
      ["tests/check-format.sh"], "one that it does not run is seen")
equal(unheard(LISTS), [], "all others run in the build from the tarball, and unit "
      "tests in clang")
equal(unheard(without(LISTS, "dist_tests", "$(other_scripts)"))[:1],
      ["tests/check-objects.py"], "a list that it lacks is seen")
equal(short(LISTS), [], "unit tests make all their inputs in one way (dist_tests)")
equal(short(without(LISTS, "repeated_tests", "tests/study/file/fuzz")),
      ["tests/study/file/fuzz"], "one that makes fewer everywhere is seen")
with open(os.path.join(tap.TOP_SOURCE, "runtests"), encoding="utf-8") as script:
    RUNTESTS = script.read()
ok(all("$(%s" % name in RUNTESTS for name in
       ("dist_tests", "once_scripts", "dist_programs") + UNIT_TESTS[:1]),
   "runtests takes these lists")
tap.done()
