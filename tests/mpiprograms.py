# SPDX-License-Identifier: BSD-3-Clause
"""Programs of MPI that the tests measure with libhpm_mpi, and what it counts."""

import os
import subprocess
import xml.etree.ElementTree as ET

import tap
from tap import TOP_BUILD, TOP_SOURCE, link_flags, ok, whole_files

SOURCES = os.path.join(TOP_SOURCE, "tests", "parallel")


def made(command, sentence):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return ok(done.returncode == 0, sentence,
              " ".join(command) + "\n" + done.stdout.decode())


class Programs:
    """The test's programs for one MPI, in a folder; None where one could not be
    made."""

    def __init__(self, mpi, where):
        self.mpi, self.where = mpi, where
        self.is_good = tap.build_libhpm_mpi(mpi, where)
        self.linked = ["-L" + where, "-Wl,-rpath," + where, "-lhpm_mpi",
                       *link_flags(), "-lm", "-ldl", "-lpthread"]

    def c(self, name="times", *flags):
        path = os.path.join(self.where, name)
        return path if self.is_good and made(
            [self.mpi.cc, "-O2", "-D_GNU_SOURCE", *flags,
             "-I" + os.path.join(TOP_SOURCE, "include"),
             os.path.join(SOURCES, name + ".c"), "-o", path, *self.linked],
            f"{self.mpi.name}: {name} compiles") else None

    def fortran(self, way, name="times", *flags):
        path = os.path.join(self.where, f"{name}-fortran{way}")
        module = os.path.join(TOP_BUILD, "fortran")
        return path if self.is_good and made(
            [self.mpi.fc, "-O2", f"-DWAY={way}", *flags, "-I" + module,
             "-J" + self.where, os.path.join(SOURCES, name + ".F90"), "-o", path,
             os.path.join(module, "libhpm_fortran.a"), *self.linked],
            f"{self.mpi.name}: {name} in Fortran, way {way}, compiles") else None

    def tool(self):
        path = os.path.join(self.where, "tool.so")
        return path if made(
            [self.mpi.cc, "-shared", "-fPIC", os.path.join(SOURCES, "tool.c"),
             "-o", path], f"{self.mpi.name}: another tool compiles") else None


class Values:
    """The counts of a run by task, label and thread (-1: the process)."""

    def __init__(self, paths):
        self.records = {}
        self.reasons = {}
        for path in paths:
            root = ET.parse(path).getroot()
            for counter in root.iter("Counter"):
                self.reasons[counter.get("name")] = counter.get("reason")
            for record in root:
                if record.tag in ("InstrumentationPt", "Outside"):
                    key = (int(record.get("task")), record.get("label"),
                           int(record.get("tid")))
                    self.records[key] = {d.get("name"): d.attrib
                                         for d in record.findall("data")}

    def number(self, task, label, name, kind="value", tid=0):
        """None where there is no value."""
        datum = self.records.get((task, label, tid), {}).get(name, {})
        text = datum.get(kind) or (datum.get("exclusive")
                                   if label == "(outside sections)" else None)
        return None if text is None else float(text)

    def seconds(self, task, label, name, kind="value", tid=0):
        number = self.number(task, label, name, kind, tid)
        return None if number is None else 1e-9 * number


def run_only(programs, command, where, n_tasks=2, **variables):
    variables.setdefault("HPM_SET", "MPI")
    return programs.mpi.run(n_tasks, command, where, **variables)


def run(programs, command, where, n_tasks=2, **variables):
    result = run_only(programs, command, where, n_tasks, **variables)
    return result, Values(whole_files(where))
