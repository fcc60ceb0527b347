# SPDX-License-Identifier: BSD-3-Clause
"""Which lines each test executes, from a build made with --coverage beside the
one that faults are planted in (see mutants.py)."""

import hashlib
import json
import os
import subprocess

PRODUCT = ("lib/", "study/", "hpm/", "hpmcount/", "hpmviz/", "fortran/", "mpi/")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def counted(build):
    for folder, _, names in os.walk(build):
        for name in names:
            if name.endswith(".gcda"):
                yield os.path.join(folder, name)


def clear(build):
    for path in list(counted(build)):
        os.remove(path)


def lines_executed(build, source):
    """{file of the source tree: [line]} since the last clear()."""
    found = {}
    names = [os.path.relpath(path, build) for path in counted(build)]
    got = subprocess.run(["gcov", "--json-format", "--stdout", *names],
                         cwd=build, capture_output=True, text=True, check=False)
    for text in got.stdout.splitlines():
        for file in json.loads(text)["files"]:
            path = os.path.relpath(os.path.join(build, file["file"]), source)
            if path.startswith(PRODUCT):
                found.setdefault(path, set()).update(
                    part["line_number"] for part in file["lines"]
                    if part["count"])
    return {path: sorted(lines) for path, lines in found.items() if lines}


class Reached:
    """Kept in a file from run to run.  A test whose source has changed is run
    again; of a C file that has changed only is known which tests execute
    something in it."""

    def __init__(self, path, source):
        self.path = path
        self.source = source
        self.files = {}  # {file: its digest, without a fault}
        self.tests = {}  # {test: [digest, has it an end, seconds, lines]}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.tests = json.load(file)

    def note_files(self, names):
        """As they are now, before a fault is planted."""
        self.files = {name: self.digest_of(name) for name in names}

    def digest_of(self, name):
        """Of a file, or of the source that has a program's name; "" for a
        program of other sources."""
        path = os.path.join(self.source, name)
        for candidate in (path, path + ".c"):
            if os.path.exists(candidate):
                return digest(candidate)
        return ""

    def knows(self, test, longest):
        """Would another run, of so many seconds, say no more?"""
        if test not in self.tests:
            return False
        digested, has_end, seconds, _ = self.tests[test]
        return (digested == self.digest_of(test)
                and (has_end or seconds >= longest))

    def note(self, test, has_end, seconds, lines):
        """What a run of the test has executed, and how long it took, or was
        waited for."""
        dated = {path: [self.digest_of(path), found]
                 for path, found in lines.items()}
        self.tests[test] = [self.digest_of(test), has_end, seconds, dated]
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(self.tests, file)
        os.replace(self.path + ".new", self.path)

    def is_fit(self, test):
        return test in self.tests and self.tests[test][1]

    def seconds(self, test):
        return self.tests[test][2]

    def says(self, test, path, line):
        """Does the test execute the line: "yes", "no", or "file" where only
        something else in the file is known to be executed."""
        if test not in self.tests:
            return "file"
        digested, lines = self.tests[test][3].get(path, ["", []])
        if not lines:
            return "no"
        return ("yes" if digested == self.files[path] and line in lines
                else "file")
