#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page of hpm report as checkers see it: its script by ESLint (make
lint), its markup by tidy.  Skipped, with the reason, where they are not there."""

import os
import re
import subprocess
import sys

SOURCE = os.path.abspath(os.environ.get("top_srcdir", "."))
sys.path.insert(0, os.path.join(SOURCE, "tests"))
import tap
from htmlpages import make
from reports import known_files
from tap import equal, folder, ok, skip

HTML = os.path.join(SOURCE, "study", "html")


def scripts():
    """In the order in which the page has them."""
    with open(os.path.join(SOURCE, "study", "local.mk"),
              encoding="utf-8") as file:
        return [os.path.join(SOURCE, name) for name in re.findall(
            r"^\t(study/html/\w+\.js)", file.read(), re.M)]


def lint(paths):
    return subprocess.run([os.path.join(HTML, "lint"), *paths],
                          capture_output=True, text=True, check=False)


def test_script():
    result = lint(scripts())
    if result.returncode == 77:
        skip("ESLint finds nothing", result.stderr.strip())
        return
    equal((result.returncode, result.stdout), (0, ""), "ESLint finds nothing")
    with folder() as where:
        path = os.path.join(where, "fault.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write("var one = two == 3;\n")
        result = lint([*scripts(), path])
        ok(result.returncode == 1 and "no-undef" in result.stdout and
           "eqeqeq" in result.stdout, "and a fault that is put in, it does",
           result.stdout)


def test_markup():
    tidy = tap.which("tidy")
    if tidy is None:
        skip("tidy finds nothing", "there is no tidy (apt-get install tidy)")
        return
    with folder() as where:
        known_files(where)
        out = os.path.join(where, "page.html")
        make(out, where)
        result = subprocess.run([tidy, "-q", "-e", "--gnu-emacs", "yes", out],
                                capture_output=True, text=True, check=False)
        equal((result.returncode, result.stderr), (0, ""),
              "tidy finds nothing in the page")


test_script()
test_markup()
tap.done()
