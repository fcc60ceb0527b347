# SPDX-License-Identifier: BSD-3-Clause
"""Files that are broken, hostile or do not go together: each is refused, or
what can be used of it is used; what is wrong is said with its place; and no
file takes time, memory, other files or a connection."""

import os
import re
import resource
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import tap
from tap import equal, folder, ok, program, run, skip

sys.path.insert(0, os.path.join(tap.TOP_SOURCE, "tests", "data"))
import hostile  # noqa: E402
import tasks  # noqa: E402

REREAD = program("tests/programs/reread")
STATUS = {"good": 0, "noted": 1, "cut": 1, "refused": 3}
IS_SANITIZED = bool(os.environ.get("sanitizers"))
# as many labels of one hash as two to this
FLOOD = 15 if tap.IS_REPEATED else 18

# What grows with the square of a hostile input takes hours; nothing here takes
# a second. The kernel ends who takes more of a processor than this.
MOST_SECONDS = 60
MOST_KIB = 16 << 10


class Reread:
    """A finished reread: status, out, messages, and what it has taken."""

    def __init__(self, arguments, where, **variables):
        before = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, before[1]))
        try:
            result = run([REREAD, *arguments], folder=where, timeout=600,
                         REREAD_WITNESS=1, **variables)
        finally:
            resource.setrlimit(resource.RLIMIT_CPU, before)
        self.status = result.returncode
        self.out = result.stdout
        lines = result.stderr.decode(errors="replace").splitlines()
        last = lines.pop().split() if lines else []
        self.lines = lines
        self.messages = "\n".join(lines)
        self.kib, self.opened, self.connected = (
            map(int, last) if len(last) == 3 else (0, 0, 0))


# ---- one file ---------------------------------------------------------------

def check_hostile(where, name):
    outcome, word, _ = hostile.INPUTS[name]
    # names of catalogs that libxml2 would read
    reread = Reread([name + ".xml"], where, XML_CATALOG_FILES="good.xml",
                    SGML_CATALOG_FILES="good.xml")
    ok(reread.status == STATUS[outcome] and word in reread.messages,
       f"{name}: {outcome}", f"status {reread.status}\n{reread.messages}")
    ok((reread.out == b"") == (outcome == "refused"),
       f"{name}: {'nothing' if outcome == 'refused' else 'some'} of it is used")
    if outcome != "good":
        ok(all(re.match(rf"{name}\.xml:\d+:\d+: ", line)
               for line in reread.lines if "unknown passed over" not in line),
           f"{name}: file, line and column are said", reread.messages)
    equal((reread.opened, reread.connected), (1, 0),
          f"{name}: that file is opened and nothing else")
    if not IS_SANITIZED:
        ok(0 < reread.kib <= MOST_KIB, f"{name}: takes at most 16 MiB",
           f"{reread.kib} KiB")


def test_hostile():
    with folder() as where:
        hostile.write(where)
        for name in hostile.INPUTS:
            check_hostile(where, name)


def test_places():
    """A few places, counted by hand."""
    with folder() as where:
        hostile.write(where)
        for name, place in (("number-nan", "8:27"), ("empty", "1:1"),
                            ("task-negative", "9:61"), ("version-2", "2:58"),
                            ("records-missing", "9:19"), ("gzip-damaged", "1:1"),
                            ("same-id", "9:80"), ("bare-number", "10:32"),
                            ("bare-cut", "9:52"),
                            ("unknown-element", None)):
            messages = Reread([name + ".xml"], where).messages
            place = f"{name}.xml:{place}: " if place else f"{name}.xml: 2 "
            ok(messages.startswith(place), f"{name}: {place}", messages)


def incomplete_tasks(content):
    return {run.get("task") for run in ET.fromstring(content).findall("Run")
            if run.get("complete") == "no"}


def test_cut_tasks():
    """Of a cut file of several tasks, which lack something?"""
    points = [hostile.record(b' task="%d"' % task, number=number)
              for number, task in enumerate((2, 0, 1, 0), 1)]
    content = hostile.HEAD + b"<HPMPerformanceFile>\n" + b"".join(points)
    with folder() as where:
        with open(os.path.join(where, "cut.xml"), "wb") as file:
            file.write(content[:-30])
        first = Reread(["cut.xml"], where)
        equal(incomplete_tasks(first.out), {"0", "1"},
              "that of the last record and that of the record it is cut in")
        with open(os.path.join(where, "again.xml"), "wb") as file:
            file.write(first.out)
        again = Reread(["again.xml"], where)
        equal((again.status, again.out), (0, first.out),
              "and it stays so when it is written and read again")


def traced(where, names):
    """The files and sockets asked for once the program runs."""
    trace = os.path.join(where, "trace")
    subprocess.run(["strace", "-f", "-o", trace, "-e",
                    "trace=open,openat,openat2,socket,connect,execve", REREAD,
                    "merge", *names], cwd=where, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env=tap.environment())
    with open(trace) as file:
        lines = [line for line in file if "(" in line and "resumed" not in line]
    start = [i for i, line in enumerate(lines) if ".so" in line]
    return lines[max(start, default=0) + 1:]


def test_traced():
    """The same, seen by the kernel, of all files at once."""
    if shutil.which("strace") is None or IS_SANITIZED:
        skip("the kernel sees no other file opened",
             "strace is missing or the build is sanitized")
        return
    with folder() as where:
        hostile.write(where)
        names = [name + ".xml" for name in hostile.INPUTS]
        # glibc's malloc looks into overcommit_memory when threads end
        lines = [line for line in traced(where, names)
                 if "/proc/sys/vm/overcommit_memory" not in line]
        others = [line for line in lines
                  if not any(f'"{name}"' in line for name in names)]
        equal(len(lines) - len(others), len(names),
              "the kernel sees each file opened once")
        ok(not others, "and no other file, and no connection", "".join(others))


def test_names():
    """Names of files are taken as they are."""
    with folder() as where:
        for name in ("-", "a%62.xml", "file:x.xml", "http:x.xml"):
            with open(os.path.join(where, name), "wb") as file:
                file.write(hostile.PLAIN)
            equal(Reread([name], where).status, 0,
                  f"'{name}' is the file of that name")
        os.mkfifo(os.path.join(where, "pipe"))
        os.symlink("/dev/zero", os.path.join(where, "zero"))
        with open(os.path.join(where, "sparse"), "wb") as file:
            file.truncate(1 << 40)
        for name, word in (("pipe", "a pipe"), ("zero", "device"),
                           (".", "folder"), ("missing", "cannot be opened"),
                           ("file:///etc/passwd", "cannot be opened"),
                           ("sparse", "1:1: is not UTF-8 XML")):
            reread = Reread([name], where)
            ok(reread.status == 3 and word in reread.messages,
               f"'{name}' is refused", reread.messages)


def test_terminal():
    """No terminal obeys what a file or its name says."""
    with folder() as where:
        name = "a\x1b[31m\nb.xml"
        with open(os.path.join(where, name), "wb") as file:
            file.write(hostile.whole(*[hostile.record(
                label=rb"\x1B[2J\xC2\x9B1m", number=i) for i in (1, 1)]))
        reread = Reread([name], where)
        ok(len(reread.lines) == 2 and "2J" in reread.messages and
           "\x1b" not in reread.messages and "\x9b" not in reread.messages,
           "control characters are not said", repr(reread.messages))
        deep = os.path.join(*["d" * 200] * 5)
        os.makedirs(os.path.join(where, deep))
        path = os.path.join(deep, "x.xml")
        with open(os.path.join(where, path), "wb") as file:
            file.write(hostile.PLAIN[:-40])
        reread = Reread([path], where)
        ok("x.xml:" in reread.messages and "2 whole records kept" in
           reread.messages, "a long path leaves room for what is wrong",
           reread.messages)


# ---- several files ----------------------------------------------------------

def test_pairs():
    with folder() as where:
        for name, (word, contents) in hostile.PAIRS.items():
            paths = [f"{name}-{i}.xml" for i in range(len(contents))]
            for path, content in zip(paths, contents):
                with open(os.path.join(where, path), "wb") as file:
                    file.write(content)
            reread = Reread(["merge", *paths], where)
            if word:
                ok(reread.status != 0 and word in reread.messages,
                   f"{name}: said, and not added up", reread.messages)
            else:
                equal((reread.status, reread.messages), (0, ""),
                      f"{name}: go together")
        root = ET.fromstring(reread.out)
        cells = {(point.get("task"), data.get("name"))
                 for point in root.findall("InstrumentationPt")
                 for data in point.findall("data")
                 if data.get("name").startswith("cycles")}
        equal(cells, {("0", "cycles-0"), ("1", "cycles-1")},
              "other-events: what a task did not count is not there")


def test_tasks():
    """A large run in little: all ways to be broken, few descriptors."""
    n = 1000
    with folder() as where:
        broken = tasks.write(where, n, 2, 1)
        names = sorted(os.listdir(where))
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, before[1]))
        try:
            reread = Reread(["merge", *names], where)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, before)
        equal(reread.status, 1, "with broken files among them the status is 1")
        for name, outcome in broken.items():
            ok(re.search(rf"^{name}:\d+:\d+: ", reread.messages, re.MULTILINE),
               f"{name}: {outcome}, file, line and column are said",
               reread.messages)
        said = {line.split(":")[0] for line in reread.lines}
        equal(said, set(broken), "no other file is said to be broken")
        root = ET.fromstring(reread.out)
        merged = {int(run.get("task")) for run in root.findall("Run")}
        refused = {int(name[5:10]) for name, outcome in broken.items()
                   if outcome == "refused"}
        equal(set(range(n)) - merged, refused,
              "all are merged but those of which nothing can be used")
        incomplete = {int(run.get("task")) for run in root.findall("Run")
                      if run.get("complete") == "no"}
        equal(incomplete, {int(name[5:10]) for name, outcome in broken.items()
                           if outcome == "cut"},
              "those that are cut are marked incomplete")


def test_flood():
    """Labels made to fall into one bucket of a table: 10^5 of them would take
    minutes, not a second."""
    with folder() as where:
        with open(os.path.join(where, "flood.xml"), "wb") as file:
            file.write(hostile.flood(FLOOD))
        reread = Reread(["flood.xml"], where)
        equal((reread.status, reread.messages,
               reread.out.count(b"<InstrumentationPt ")), (0, "", 1 << FLOOD),
              "labels of one hash are read like any others")


def test_deep():
    """Call paths of 300,000 records, the inner first: to climb each of them
    from below would take the whole minute."""
    n = 30000 if tap.IS_REPEATED else 300000
    with folder() as where:
        for name, content in (("deep", hostile.deep(n)),
                              ("ring", hostile.deep(n, b' parent="1"'))):
            path = name + ".xml"
            with open(os.path.join(where, path), "wb") as file:
                file.write(content)
            for how in ("merge", "mean", "remove"):
                arguments = [path] * 2 if how == "mean" else [path]
                if how == "remove":
                    arguments = ["b", path]
                reread = Reread([how, *arguments], where)
                ok(reread.status in (0, 1, 3) and
                   (how == "remove" or reread.out.count(
                       b"<InstrumentationPt ") == n),
                   f"{name}: {how} is not more than it must be",
                   f"{reread.status} {reread.messages}")


test_hostile()
test_places()
test_cut_tasks()
test_traced()
test_names()
test_terminal()
test_pairs()
test_tasks()
test_flood()
test_deep()
tap.done()
