# SPDX-License-Identifier: BSD-3-Clause
"""hpm recover --clean never takes anything away that is not elsewhere: not of
files that are good, cut, damaged, newer, foreign or being written, and not when
any system call fails.

What there was before is compared with what there is afterwards by this file
alone: a file that is gone must have been moved, byte for byte, or each of its
tags must stand in a file that is complete."""

import errno
import gzip
import os
import re
import shutil

import journal
import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program, run

EDGES = program("tests/programs/edges")
INJECT = program("tests/programs/inject")
UNTRACED = "system calls cannot be traced, or are a sanitizer's, too"
SAMPLES = "events a task-clock/ns\n" + "".join(
    f"0 {t * t} {t} {7 * t}\n" for t in range(14))
STEPS = "0+1=outer 0+2=inner 0-2 0+2=inner 0-2 0+3 0-3 0-1".split()
ASIDE = "hpm-leftovers"
ALL = "HPM_TEST_ALL" in os.environ
END = b"</HPMPerformanceFile>\n"
HEAD = b"<HPMPerformanceFile version="
# made from a good file of three records
DAMAGED = {
    "byte": lambda d: d.replace(HEAD, b"<HPMPerformanceFile vers\x01on="),
    "doctype": lambda d: d.replace(
        b"?>\n<HPM", b"?>\n<!DOCTYPE HPMPerformanceFile>\n<HPM"),
    "twice": lambda d: d.replace(HEAD, b'<HPMPerformanceFile kind="run" version='),
    "entity": lambda d: d.replace(b'complete="yes"', b'complete="&yes;"'),
    "task": lambda d: d.replace(b'<Run task="0"', b'<Run task="99999999999999"'),
    "newer": lambda d: d.replace(b'version="1"', b'version="2"'),
    "inside": lambda d: d.replace(b'label="inner"', b'label="in<ner"'),
    "cut": lambda d: d[:d.rindex(b"<InstrumentationPt") + 60],
    "cutvalue": lambda d: d[:d.rindex(b"<data ")],
    "cutneat": lambda d: d[:d.rindex(b"</InstrumentationPt>") + 20],
    "onlyhead": lambda d: d[:60],
    "onlyrun": lambda d: d[:d.index(b"<InstrumentationPt")],
    "empty": lambda d: b"",
}


# ---- the checker ----------------------------------------------------------

def content(path):
    with open(path, "rb") as file:
        return file.read()


def tree(where):
    """Path below the folder -> bytes, of all files."""
    return {os.path.relpath(os.path.join(root, name), where):
            content(os.path.join(root, name))
            for root, _, names in os.walk(where) for name in names}


def tags(data):
    """All that a performance file says: every tag with values, those of data
    together with their record's; of a tag that is cut, what there is of it.  A
    root says nothing that is lost with it, unless it has a reason."""
    found, record = set(), b""
    for tag in re.findall(rb"<([A-Za-z][^>]*)", data):
        name, _, values = tag.rstrip(b"/").partition(b" ")
        if name == b"InstrumentationPt":
            record = re.sub(rb' (id|parent|within)="\d*"', b"", values)
            values = record
        if name == b"HPMPerformanceFile" and b"reason" not in values:
            continue
        if values.strip():
            found.add((name, record if name == b"data" else b"", values))
    return found


def is_complete(data):
    return data.startswith(b"<?xml") and data.endswith(END)


def calls(path):
    """What a journal has: thread, label and calls of each section."""
    read = journal.Journal(path)
    tables = read.threads + ([read.process] if read.process else [])
    return {(t.tid, s.label or f"#{s.instance}", s.calls)
            for t in tables for s in t.sections}


def calls_of(data):
    """The same of a performance file."""
    found = set()
    for point in re.findall(rb"<InstrumentationPt.*?</Instr", data, re.S):
        text = point.decode()
        found.add((int(re.search(r' tid="(-?\d+)"', text)[1]),
                   re.search(r' label="([^"]*)"', text)[1],
                   int(re.search(r'name="Count" value="(\d+)"', text)[1])))
    return found


def lost(before, after, journals):
    """Names of files whose data is nowhere any more."""
    everything = set(after.values())
    complete = [data for data in everything if is_complete(data)]
    found = []
    for name, data in before.items():
        if data in everything:
            continue
        if name in journals:
            is_kept = any(journals[name] <= calls_of(c) for c in complete)
        else:
            said = tags(data)
            is_kept = said and any(said <= tags(c) for c in complete)
        if not is_kept and any(data):
            found.append(name)
    return found


# ---- the folder -----------------------------------------------------------

def put(where, name, data):
    with open(os.path.join(where, name), "wb") as file:
        file.write(data)


def own(good, name):
    """The file with data that no other one has."""
    changed = good.replace(b' label="outer"', b' label="%s"' % name.encode())
    assert changed != good
    return changed


def fill(where):
    """A folder with every kind of leftover; the journals' calls."""
    put(where, "x.replay", SAMPLES.encode())
    variables = {"HPM_SOURCE": "replay", "HPM_REPLAY": "x.replay",
                 "HPM_CHECKPOINT": 0, "HPM_FSYNC": 0}
    run([EDGES] + STEPS, folder=where, HPM_OUTPUT_NAME="good.hpm.xml",
        **variables)
    for n, name in enumerate(("lone", "done"), 1):
        run([EDGES] + STEPS + ["0+4", "0-4"] * n + ["leave"], folder=where,
            HPM_OUTPUT_NAME=name + ".hpm.xml", **variables)
    run([HPM, "recover", "done.hpm.xml.journal"], folder=where)
    good = content(os.path.join(where, "good.hpm.xml"))
    for name, damage in DAMAGED.items():
        put(where, name + ".hpm.xml", damage(own(good, name)))
    put(where, "packed.hpm.xml.gz",
        gzip.compress(DAMAGED["cut"](own(good, "packed")), 9, mtime=0))
    counted = run([HPMCOUNT, "-e", "task-clock,page-faults", "-o",
                   "counted.hpm.xml", "true"], folder=where)
    assert counted.returncode == 0, counted
    data = content(os.path.join(where, "counted.hpm.xml"))
    values = [m.end() for m in re.finditer(rb"<data [^>]*>\n", data)]
    put(where, "cutcount.hpm.xml", data[:values[1]])
    put(where, "diary.hpm.xml", b"dear diary\n")
    put(where, "diary.journal", b"dear diary\n" * 1000)
    put(where, "zero.hpm.xml.journal", bytes(8192))
    whole = content(os.path.join(where, "lone.hpm.xml.journal"))
    slots = [c.offset for c in journal.copies(whole)]
    put(where, "worn.hpm.xml.journal", whole[:slots[-1] + 200] + b"\xff" * 8 +
        whole[slots[-1] + 208:])
    host = good.replace(b'<Machine task="0" host="',
                        b'<Machine task="0" host="other-')
    assert host != good
    for i, data in enumerate((own(good, "t0").replace(b' pid="', b' pid="1'),
                              DAMAGED["cutneat"](own(good, "t1")),
                              b"a report\n", b"", own(host, "t4"))):
        put(where, f".hpm-999999999-{i}.tmp", data)
    put(where, "written.hpm.xml", DAMAGED["cut"](own(good, "written")))
    os.remove(os.path.join(where, "x.replay"))
    return {name: calls(os.path.join(where, name))
            for name in ("lone.hpm.xml.journal", "done.hpm.xml.journal")}


class Stage:
    """The folder anew for each trial."""

    def __init__(self, room):
        self.template = os.path.join(room, "template")
        self.where = os.path.join(room, "stage")
        self.list = os.path.join(room, "calls")
        os.mkdir(self.template)
        self.journals = fill(self.template)
        self.before = tree(self.template)

    def keep_only(self, names):
        for name in set(self.before) - names:
            os.remove(os.path.join(self.template, name))
        self.before = tree(self.template)

    def play(self, *words, options=("--clean",)):
        """The result of the command, and what there is then."""
        shutil.rmtree(self.where, ignore_errors=True)
        shutil.copytree(self.template, self.where)
        with open(os.path.join(self.where, "written.hpm.xml"), "ab"):
            result = run(list(words) + [HPM, "recover", *options, "."],
                         folder=self.where)
        return result, tree(self.where)


# ---- without faults -------------------------------------------------------

MAY_GO = {"cutneat.hpm.xml", "empty.hpm.xml", "lone.hpm.xml.journal",
          "done.hpm.xml.journal", "zero.hpm.xml.journal",
          ".hpm-999999999-0.tmp", ".hpm-999999999-1.tmp"}


def test_kept(stage):
    result, after = stage.play()
    equal(lost(stage.before, after, stage.journals), [],
          "--clean: nothing is lost")
    gone = {n for n in stage.before if after.get(n) != stage.before[n]}
    equal(gone, MAY_GO, "what goes is empty, or whole in another file")
    equal({n: after.get(os.path.join(ASIDE, n)) for n in MAY_GO},
          {n: stage.before[n] for n in MAY_GO},
          "and is in hpm-leftovers, byte for byte")
    said = result.stdout.decode()
    for name in sorted(MAY_GO):
        line = re.search(rf"^'{re.escape(name)}': moved to "
                         rf"'{ASIDE}/{re.escape(name)}'; (.*)$", said, re.M)
        holder = line and re.fullmatch(r"all of it is in '(.*)'", line[1])
        ok(line and (line[1] == "nothing is in it" or
                     is_complete(after[holder[1]])),
           f"{name}: said where it is, and which whole file has its data", said)
    ok("to undo a move, move the file back" in said,
       "and how that is undone", said)
    ok("'written.hpm.xml': a program is writing to it" in said,
       "a file that is being written is left alone", said)


def test_undone(stage):
    _, after = stage.play()
    for name in MAY_GO:
        os.rename(os.path.join(stage.where, ASIDE, name),
                  os.path.join(stage.where, name))
    again = run([HPM, "recover", "--clean", "."], folder=stage.where)
    back = {n for n in MAY_GO
            if not os.path.exists(os.path.join(stage.where, n))}
    ok(back == MAY_GO and not again.returncode & ~1,
       "moved back and cleaned again, all goes as the first time", again)
    equal({n for n in tree(stage.where) if ".hpm.xml" in n and
           not n.startswith(ASIDE)} - set(after), {"written.hpm.xml.1"},
          "and only what was being written is new")


def test_name_taken_aside(stage):
    stage.play()
    shutil.copy(os.path.join(stage.template, "empty.hpm.xml"), stage.where)
    run([HPM, "recover", "--clean", "empty.hpm.xml"], folder=stage.where)
    ok(os.path.exists(os.path.join(stage.where, ASIDE, "empty.hpm.xml.1")) and
       os.path.exists(os.path.join(stage.where, ASIDE, "empty.hpm.xml")),
       "nothing in hpm-leftovers is replaced", tree(stage.where).keys())


def test_dry(stage):
    for options in (("-n",), ("--clean", "--dry-run"),
                    ("--clean", "--delete", "-n")):
        result, after = stage.play(options=options)
        said = result.stdout.decode()
        ok(after == stage.before and
           "'lone.hpm.xml': would be made: 4 records" in said,
           f"{' '.join(options)}: nothing is done, what would be is said",
           said)
    ok("'lone.hpm.xml.journal': would be deleted; all of it is in "
       "'lone.hpm.xml'" in said, "down to what would be deleted", said)


def test_deleted(stage):
    result, after = stage.play(options=("--clean", "--delete"))
    equal(lost(stage.before, after, stage.journals), [],
          "--clean --delete: nothing is lost")
    gone = {n for n in stage.before if after.get(n) != stage.before[n]}
    equal(gone, MAY_GO, "what goes is the same")
    ok(not any(n.startswith(ASIDE) for n in after) and
       not os.path.exists(os.path.join(stage.where, ASIDE)),
       "and is gone", after.keys())
    said = result.stdout.decode()
    ok(all(f"'{n}': deleted; " in said for n in MAY_GO),
       "each is named, with the file that has its data", said)
    result, _ = stage.play(options=("--delete",))
    ok(result.returncode == 2 and b"--clean" in result.stderr,
       "--delete alone is no wish", result)


def test_link(stage):
    stage.play(options=("-n",))
    where = os.path.join(stage.where, "sub")
    os.mkdir(where)
    os.symlink("../lone.hpm.xml.journal", os.path.join(where, "l.hpm.xml.journal"))
    result = run([HPM, "recover", "--clean", where])
    ok(result.returncode == 3 and b"is a link" in result.stderr and
       os.listdir(where) == ["l.hpm.xml.journal"],
       "a link is named and stays", result)


def test_no_leases(stage):
    """A file system that does not tell who writes to a file."""
    result, _ = stage.play(INJECT, ".", stage.list, "0")
    if result.returncode == 77:
        tap.skip("without leases", UNTRACED)
        return
    first = content(stage.list).decode().split().index("fcntl") + 1
    words = (INJECT, ".", stage.list, str(first), f"{errno.EINVAL}+")
    result, after = stage.play(*words)
    ok(not any(n.startswith(ASIDE) for n in after) and
       b"whether a program writes to it is not known here" in result.stderr,
       "where nobody tells who writes, what was just changed stays", result)
    for name in stage.before:
        os.utime(os.path.join(stage.template, name), (1, 10**9))
    result, after = stage.play(*words, options=("--clean", "--delete"))
    ok(all(after.get(os.path.join(ASIDE, n)) == stage.before[n]
           for n in MAY_GO - {"zero.hpm.xml.journal"}) and
       b"is not deleted" in result.stderr,
       "what is old is moved, and never deleted", result)


def test_damaged_journals(stage):
    """A journal goes only if every page of it was understood."""
    whole = stage.before["lone.hpm.xml.journal"]
    shutil.rmtree(stage.where, ignore_errors=True)
    os.mkdir(stage.where)
    path = os.path.join(stage.where, "j.hpm.xml.journal")
    n_gone = 0
    offsets = [c.offset + o for c in journal.copies(whole)
               for o in list(range(0, 64, 8)) + [100]]
    for offset in offsets:
        put(stage.where, "j.hpm.xml.journal",
            whole[:offset] + bytes([whole[offset] ^ 0x11]) + whole[offset + 1:])
        run([HPM, "recover", "--clean", path])
        n_gone += not os.path.exists(path)
    equal(n_gone, 0, f"a journal with one wrong byte stays ({len(offsets)} "
                     "places)")


# ---- with faults ----------------------------------------------------------

FAULTS = {
    "open": ("EIO", "EINTR", "ENOMEM"),
    "read": ("EIO", "EINTR", "0"),
    "pread": ("EIO", "EINTR", "0"),
    "getdents": ("EIO",),
    "write": ("EIO", "EINTR", "ENOSPC"),
    "fsync": ("EIO", "EINTR", "ENOSPC"),
    "close": ("EIO", "EINTR"),
    "mmap": ("ENOMEM",),
    "brk": ("ENOMEM",),
    "mkdir": ("EIO", "ENOSPC"),
    "rename": ("EIO", "ENOSPC", "EINVAL", "EINTR"),
    "link": ("EIO",),
    "fcntl": ("EIO", "EINVAL"),
}
LASTING = {"read": ("EIO", "0"), "pread": ("EIO", "0"), "open": ("EIO",),
           "fsync": ("EIO",), "write": ("ENOSPC",), "rename": ("EINVAL",),
           "fcntl": ("EINVAL",), "stat": ("EIO",), "fstat": ("EIO",),
           "mmap": ("ENOMEM",)}


def made(after):
    """The complete files, by their bytes."""
    return {data for data in after.values() if is_complete(data)}


def trials_of(calls_made):
    """(which call, its name, fault, whether it lasts); in a short test each
    call fails once, by one fault after the other, those that change files by
    all."""
    trials, seen = [], {}
    for i, name in enumerate(calls_made, 1):
        if name == "futex":  # of which the C library expects none
            continue
        faults = FAULTS.get(name, ("EIO",))
        n = seen[name] = seen.get(name, -1) + 1
        if not ALL and name in ("open", "read", "pread", "close", "brk",
                                "mmap", "stat", "fstat", "write", "fcntl"):
            faults = (faults[n % len(faults)],)
        trials += [(i, name, e, "") for e in faults]
        if n % (40 if ALL else 400) == 0:
            trials += [(i, name, e, "+") for e in LASTING.get(name, ())]
    return trials


def try_faults(stage, options, names):
    """What was lost, what was silent; how many faults were tried."""
    problems, n = [], 0
    plain, at_best = stage.play(INJECT, ".", stage.list, "0", options=options)
    if plain.returncode == 77:
        return None, 0
    calls_made = content(stage.list).decode().split()
    for i, name, error, lasting in trials_of(calls_made):
        if names and name not in names:
            continue
        number = 0 if error == "0" else getattr(errno, error)
        result, after = stage.play(INJECT, ".", stage.list, str(i),
                                   f"{number}{lasting}", options=options)
        n += 1
        where = f"{' '.join(options)}, call {i} ({name}): {error}{lasting}"
        gone = lost(stage.before, after, stage.journals)
        if gone:
            problems.append(f"{where}: lost {gone}")
        if result.returncode not in (0, 1, 2, 3, 4):
            problems.append(f"{where}: ended with {result.returncode}")
        if not made(at_best) <= made(after) and \
                result.stderr == plain.stderr:
            problems.append(f"{where}: a file is missing, without a word")
    return problems, n


# of each kind one, for the short test
FEW = {"good.hpm.xml", "newer.hpm.xml", "byte.hpm.xml", "cut.hpm.xml",
       "cutneat.hpm.xml", "lone.hpm.xml.journal", "done.hpm.xml",
       "done.hpm.xml.journal", ".hpm-999999999-0.tmp", "written.hpm.xml"}


def test_faults(stage):
    if not ALL:
        stage.keep_only(FEW)
    for options, names in ((("--clean", "--delete"), None),
                           (("--clean",), None if ALL else
                            ("rename", "link", "mkdir", "unlink", "fsync"))):
        problems, n = try_faults(stage, options, names)
        if problems is None:
            tap.skip("every call fails once", UNTRACED)
            return
        ok(not problems, f"{' '.join(options)}: {n} faults of system calls, "
                         "and nothing is lost or missing without a word",
           "\n".join(problems))


with folder() as place:
    the_stage = Stage(place)
    test_kept(the_stage)
    test_undone(the_stage)
    test_name_taken_aside(the_stage)
    test_dry(the_stage)
    test_deleted(the_stage)
    test_link(the_stage)
    test_damaged_journals(the_stage)
    test_no_leases(the_stage)
    test_faults(the_stage)
tap.done()
