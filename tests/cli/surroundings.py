# SPDX-License-Identifier: BSD-3-Clause
"""Surroundings in which something of ours is missing: another root, no /proc, a
filter of system calls, descriptors closed or scarce (tests/programs/
surroundings.c).  The program's result is unchanged, and one line says what was
lost.  Rows of tests/FAULTS.md."""

import errno
import os
import re
import shutil
import xml.etree.ElementTree as ET

import tap
from tap import equal, files, folder, ok, program, run

SURROUNDINGS = program("tests/programs/surroundings")
EDGES = program("tests/programs/edges")
CANNOT = 77


class Run:
    """One way; `before` is a shell command that makes the surroundings."""

    def __init__(self, name, *arguments, before=None, status=0, n_files=1,
                 **variables):
        command = [SURROUNDINGS, name, *arguments]
        if before:
            command = ["unshare", "-Urm" if os.geteuid() else "-m", "sh", "-c",
                       f"{before} || exit {CANNOT}; exec \"$@\"", "sh",
                       *command]
        title = " ".join([name, *(a for a in arguments if "/" not in a)])
        with folder() as where:
            variables.setdefault("HPM_EVENTS", "page-faults,ru::minflt")
            # looking for leaks needs /proc
            variables.setdefault("ASAN_OPTIONS", "detect_leaks=0")
            result = run(command, folder=where, HPM_FSYNC="no", **variables)
            self.status = result.returncode
            self.could = not (before and self.status in (1, CANNOT) or
                              self.status == CANNOT)
            if not self.could:
                tap.skip(title, "such surroundings cannot be made here")
                return
            self.said = result.stderr.decode().splitlines()
            paths = files(where)
            equal((self.status, len(paths)), (status, n_files),
                  f"{title}: the program's result, and {n_files} files")
            if paths and tap.has_xmllint():
                message = tap.validates(paths)
                ok(message is None, f"{title}: the file is valid", message)
            self.root = ET.parse(paths[0]).getroot() if paths else None

    def labels(self):
        return sorted(r.get("label") for r in
                      self.root.findall("InstrumentationPt"))

    def data(self, label, name):
        return [d.attrib for r in self.root.findall("InstrumentationPt")
                if r.get("label") == label
                for d in r.findall("data") if d.get("name") == name]

    def has_time(self):
        return all(float(d["value"]) > 0 for r in
                   self.root.findall("InstrumentationPt")
                   for d in (x.attrib for x in r.findall("data"))
                   if d["name"] == "IncSec")


def faults_counted():
    """Can page faults be counted here?"""
    got = Run("everywhere")
    equal((got.said, got.labels()), ([], ["main", "process", "thread"]),
          "everywhere: nothing is said")
    return all("value" in d for d in got.data("main", "page-faults"))


NO_LIST = "/proc cannot be read to list the threads"


# ---- roots ----------------------------------------------------------------

def test_roots():
    with folder() as empty:
        got = Run("chroot", empty)
        if got.could:
            ok(len(got.said) == 2 and NO_LIST in got.said[0] and
               "section 99" in got.said[1] and got.labels() == ["before", "process", "thread"] and
               not os.listdir(empty),
               "a new root: all is measured, the file goes where it was to go",
               (got.said, got.labels()))
            ok(all("value" in d for d in got.data("thread", "ru::minflt")),
               "and counted")
        got = Run("chroot-first", empty, n_files=0)
        if got.could:
            ok(len(got.said) == 1 and NO_LIST in got.said[0] and [f[-8:] for f in os.listdir(empty)] ==
               [".hpm.xml"], "a new root from the start: the file is there",
               (got.said, os.listdir(empty)))


NO_PROC = "mount -t tmpfs none /proc"


def test_no_proc():
    if shutil.which("unshare") is None:
        tap.skip("no /proc", "unshare is missing")
        return
    events = {"HPM_EVENTS": "page-faults,ru::minflt,proc::syscr"}
    for before in (NO_PROC, NO_PROC + " && mount -t tmpfs none /sys"):
        got = Run("everywhere", before=before, **events)
        if not got.could:
            return
        equal(got.said, ["hpm: not counted: 'proc::syscr': /proc/self/io cannot "
                         "be read here"], "no /proc: one line says what is lost")
        ok(got.has_time() and all("value" in d for d in
                                  got.data("thread", "ru::minflt")),
           "and the rest is there")
    got = Run("crowded", before=NO_PROC)
    ok(len(got.said) == 1 and NO_LIST in got.said[0], "no /proc: a process section says that it may miss threads",
       got.said)


# ---- memory ---------------------------------------------------------------

def starve(room, variables):
    """With so many KiB for further sections: what comes of the program, and
    its files."""
    with folder() as where:
        result = run([EDGES, "0+1=a", "0-1", f"room={room}", "0p+2=p", "0p-2",
                      "0+3=b", "0-3", "0p+4=q", "0p-4"], folder=where,
                     HPM_OUTPUT_NAME="x.xml", **variables)
        return result, [n for n in os.listdir(where) if n.startswith("x.xml")]


def test_no_memory():
    """Memory may end at any moment after init: each message is a whole line,
    and of the program's own sections."""
    for variables in ({}, {"HPM_CHECKPOINT": 0, "HPM_FSYNC": 0}):
        wrong, n_short = [], 0
        for room in range(0, 1200, 48):
            result, left = starve(room, variables)
            if result.returncode == 77:
                tap.skip("memory ends", "a sanitizer needs memory")
                return
            lines = result.stderr.decode().split("\n")
            n_short += len(lines) > 1
            if (result.returncode or lines.pop() or
                    b"calibrate" in result.stderr or
                    not all(re.match("hpm: (edges:|.*out of memory)", l)
                            for l in lines)
                    or (b"is lost" in result.stderr) == bool(left)):
                wrong.append((room, result, left))
        ok(n_short > 1 and not wrong,
           "memory ends, with room for ever more: the program ends well, and "
           "whole lines say what is lost", (n_short, wrong[:2]))


# ---- filters --------------------------------------------------------------

def test_filters():
    words = {"EPERM": "not permitted", "EACCES": "not permitted",
             "ENOSYS": "seccomp profile"}
    for name, word in words.items():
        got = Run("seccomp", str(getattr(errno, name)))
        if not got.could:
            continue
        ok(len(got.said) == 1 and "'page-faults'" in got.said[0] and
           word in got.said[0], f"{name} by a filter: one line says what to do",
           got.said)
        data = got.data("main", "page-faults") + got.data("process",
                                                          "page-faults")
        ok(got.has_time() and data and
           all("value" not in d and d["state"] == "unsupported" and d["reason"]
               for d in data) and
           all("value" in d for d in got.data("main", "ru::minflt")),
           f"{name} by a filter: the rest is there", data)
    got = Run("seccomp-kill", HPM_SOURCE="none", HPM_EVENTS="")
    if got.could:
        equal((got.labels(), got.has_time()),
              (["main", "process", "thread"], True),
              "HPM_SOURCE=none asks the kernel for no counter at all")


# ---- descriptors ----------------------------------------------------------

def test_descriptors(counts_faults):
    Run("numbers")
    if not counts_faults:
        tap.skip("closed descriptors", "page faults cannot be counted here")
        return
    for limit in ("1024", "64"):
        got = Run("pipes", limit, HPM_EVENTS="page-faults")
        ok(len(got.said) == 1 and "'page-faults'" in got.said[0] and
           "no value in some sections" in got.said[0],
           f"{limit} descriptors, ours closed: one line says so", got.said)
        ok(all(d["state"] == "lost" and "value" not in d for label in
               ("after", "around", "process")
               for d in got.data(label, "page-faults")) and
           got.has_time(),
           f"{limit} descriptors, ours closed: no value, and no wrong one")
        ok(int(got.data("thread", "page-faults")[0]["value"]) >= 8,
           f"{limit} descriptors, ours closed: a new thread counts")
    got = Run("closed", HPM_EVENTS="page-faults")
    values = [d.get("value") for d in got.data("thread", "page-faults")]
    ok(len(values) == 3 and all(8 <= int(v) < 16 for v in values),
       "threads that come later count their own", values)
    equal([d["state"] for d in got.data("after", "page-faults")], ["lost"],
          "and the old one does not count theirs")
    got = Run("few-descriptors", HPM_EVENTS="page-faults")
    ok(len(got.said) == 1 and "ulimit -n" in got.said[0],
       "too few descriptors for all threads: one line says so", got.said)
    states = [d.get("state", "counted") for d in
              got.data("thread", "page-faults")]
    ok(len(states) == 20 and set(states) == {"counted", "unsupported"} and
       got.has_time(), "those that have one are counted", states)


# ---- children ---------------------------------------------------------------

def problems(got):
    return [e.get("text", "") + (e.text or "") for e in got.root.iter()
            if "children" in e.get("text", "") + (e.text or "")]


def test_children():
    """A child that gains privileges loses the counters it has inherited."""
    burn = " if=/dev/zero of=/dev/null bs=1M count=6000 status=none"
    sentence = "a privileged child: it is said how much was not counted"
    if os.geteuid() != 0:
        tap.skip(sentence, "only root can prepare one")
        return
    with folder() as where:
        if os.statvfs(where).f_flag & os.ST_NOSUID:
            tap.skip(sentence, "no program gains privileges in this folder")
            return
        os.chmod(where, 0o755)
        for mode, name in ((0o755, "plain"), (0o4755, "setuid")):
            path = os.path.join(where, name)
            shutil.copy(shutil.which("dd"), path)
            os.chown(path, 65534 if name == "setuid" else 0, 0)
            os.chmod(path, mode)
            # the clocks of a plain one may differ by chance
            got = tap.undisturbed(
                lambda: Run("child", path + burn, HPM_EVENTS="task-clock"),
                lambda got: name == "setuid" or not got.could or
                not problems(got), 5)
            if not got.could:
                return
            if any("value" not in d for d in got.data("process",
                                                      "task-clock")):
                tap.skip(sentence, "processor time cannot be counted here")
                return
            equal(len(problems(got)), int(name == "setuid"),
                  sentence if name == "setuid" else
                  "an ordinary child: nothing is said")


COUNTS_FAULTS = faults_counted()
test_children()
test_roots()
test_no_proc()
test_no_memory()
test_filters()
test_descriptors(COUNTS_FAULTS)
tap.done()
