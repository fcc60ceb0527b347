# SPDX-License-Identifier: BSD-3-Clause
"""hpm recover: of what killed programs leave behind, whole performance
files."""

import os
import re
import struct
import subprocess
import time

import journal
import tap
from tap import HPM, XSD, equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
KILLED = program("tests/programs/killed")
REREAD = program("tests/programs/reread")
OFTEN = {"HPM_CHECKPOINT": 0, "HPM_FSYNC": 0}

SQUARES = "events a task-clock/ns\n" + "".join(
    f"0 {t * t} {t} {7 * t}\n" for t in range(14))
STEPS = "0+1=outer 0+2=inner 0-2 0+2=inner 0-2 0+3 0-3 0-1"
# the end of what is open reads what the last stop has read
OPEN = """events a
0 1 1
0 5 2
0 11 7
0 20 8
0 31 9
0 41 11
0 41 11
"""
# and so does this one: eight edges and the end
OPEN_8 = "events a\n" + "".join(
    f"0 {t * t} {t}\n" for t in (0, 1, 2, 3, 4, 5, 6, 7, 7))
THREADS = """events a
0 0 0
0 500 50
1 100 1000
1 300 4000
2 1 2
2 3 4
-1 50 10
-1 150 1010
-1 250 3010
-1 600 5010
"""
GONE = "events a b\n" + "".join(
    f"0 {t * t} {t} {'-' if t > 0 else 3}\n" for t in range(14))
CASES = {
    "nested": (STEPS, SQUARES),
    "recursive": ("0+1=f 0+1=f 0-1 0-1 0+1=f 0-1", SQUARES),
    "overlapping": ("0+1=A 0+2=B 0-1 0-2", SQUARES),
    "with work": ("0+1=A 0*1 0+2=B 0*2 0-2 0-1", SQUARES),
    "only exclusive": ("0+1=A 0x+2=B 0-2 0-1", SQUARES),
    "a counter that is lost": (STEPS, GONE),
    "left open": ("0+1=A 0+2=B 0-2 0+2=B 0+3=C 0-3", OPEN),
    "threads and the process": (
        "0+1=main 0p+9=all 1+1=one 2+1=two 0p+8=part 1p-8 2-1 1-1 0-1 0p-9",
        THREADS),
    "left out and open": ("0+1=A 0+2=off 0+3=off 0-2 0+2=off 0+4=C 0+1=A 0-4",
                          OPEN_8, {"HPM_EXCEPT": "off"}),
    "first calls left out and open": (
        "0+1=f 0+1=f 0+2=g 0-2 0+2=g 0+3=h 0+3=h 0-3", OPEN_8,
        {"HPM_SKIP": 1}),
    "open on another path": ("0+1=A 0+2=C 0+3=B 0-1 0+1=A 0+3=B 0+4=D 0-4",
                             OPEN_8),
}


def content(path):
    with open(path, "rb") as file:
        return file.read()


def names(where):
    """All files there, hidden ones too."""
    return sorted(os.listdir(where))


def records(path):
    """The file from its records on."""
    return content(path).split(b"  <InstrumentationPt", 1)[1]


def machine(path):
    """What it says of the machine, but for the clock's rate, which is measured
    over the run."""
    element = re.search(rb"<Machine [^>]*>", content(path))[0]
    return re.sub(rb' mhz="[^"]*"', b"", element)


def counters(path):
    """What it says of the counters."""
    return re.search(rb"<Counters.*?</Counters>", content(path), re.S)[0]


def is_whole(path):
    """Valid, and what is read of it is written again byte for byte."""
    result = run([REREAD, path])
    if tap.which("xmllint"):
        valid = run(["xmllint", "--noout", "--schema", XSD, path])
        if valid.returncode != 0:
            return False
    return result.returncode == 0 and result.stdout == content(path)


def leave(where, steps=STEPS, samples=SQUARES, others=None):
    """Run to the end, and again leaving by _exit: the file, the journal."""
    with open(os.path.join(where, "x.replay"), "w", encoding="utf-8") as file:
        file.write(samples)
    variables = {"HPM_SOURCE": "replay", "HPM_REPLAY": "x.replay", **OFTEN,
                 **(others or {})}
    run([EDGES] + steps.split(), folder=where, **variables)
    path = files(where)[0]
    run([EDGES] + steps.split() + ["leave"], folder=where, **variables)
    return path, journal.paths(where)[0]


def test_same_as_an_end():
    for name, case in CASES.items():
        with folder() as where:
            path, kept = leave(where, *case)
            result = run([HPM, "recover", where])
            made = kept[:-len(".journal")]
            ok(result.returncode == 0 and not result.stderr and
               os.path.exists(made), f"{name}: a file is made", result)
            equal(records(made), records(path),
                  f"{name}: its records are those of a run that ended")
            equal(machine(made), machine(path), f"{name}: the machine, too")
            equal(counters(made), counters(path),
                  f"{name}: and the counters, with their states")
            ok(b'complete="no" reason="' in content(made) and is_whole(made),
               f"{name}: it is whole, and says that the run is not",
               content(made)[:400])


def test_again():
    with folder() as where:
        _, kept = leave(where)
        run([HPM, "recover", where])
        before = names(where)
        result = run([HPM, "recover"], folder=where)
        ok(result.returncode == 0 and b"recovered before" in result.stdout,
           "a second time, what was recovered is known", result)
        equal(names(where), before, "and nothing new is made")
        result = run([HPM, "recover", "--clean", where])
        before[before.index(os.path.basename(kept))] = "hpm-leftovers"
        equal((result.returncode, names(where)), (0, sorted(before)),
              "--clean moves the journal aside, and only it")
        result = run([HPM, "recover", where])
        equal((result.returncode, result.stdout, result.stderr),
              (0, b"nothing to recover\n", b""), "then there is nothing to do")


def test_name_taken():
    with folder() as where:
        _, kept = leave(where)
        made = kept[:-len(".journal")]
        with open(made, "w", encoding="utf-8") as file:
            file.write("mine")
        result = run([HPM, "recover", "--clean", kept])
        ok(result.returncode == 0 and content(made) == b"mine" and is_whole(made + ".1"),
           "a file that is there is not replaced", names(where))


def killed(where, n_threads):
    """A program with threads that is killed; its journal."""
    progress = os.path.join(where, "progress")
    with open(progress, "wb") as file:
        file.write(bytes(4096))
    process = subprocess.Popen([KILLED, progress, str(n_threads)], cwd=where,
                               env=tap.environment(**OFTEN))
    while min(struct.unpack(f"{n_threads}Q",
                            content(progress)[:8 * n_threads])) < 200:
        if process.poll() is not None:
            break
    return process


def test_no_file_in_place():
    """What is no file under the name is left alone, and the next name taken."""
    with folder() as where:
        path, kept = leave(where)
        for make in os.mkdir, os.mkfifo, lambda name: os.symlink("x", name):
            name = kept[:-len(".journal")]
            if os.path.isfile(name):
                os.unlink(name)
            make(name)
            result = run([HPM, "recover", kept])
            ok(result.returncode == 0 and is_whole(name + ".1") and
               not os.path.isfile(name), "recovered under the next name",
               result)
            again = run([HPM, "recover", kept])
            ok(b"was recovered before" in again.stdout, "and known again",
               again)
            os.unlink(name + ".1")
            (os.rmdir if os.path.isdir(name) else os.unlink)(name)


def test_left_alone():
    """A temporary file whose process is there is not passed over in silence."""
    with folder() as where:
        name = f".hpm-{os.getpid()}-0.tmp"
        with open(os.path.join(where, name), "wb") as file:
            file.write(b"<HPMPerformanceFile")
        result = run([HPM, "recover", "--clean", where])
        ok(result.returncode == 0 and
           f"process {os.getpid()}".encode() in result.stdout and
           b"left alone" in result.stdout and names(where) == [name],
           "it is said that it is left alone, and whose it may be", result)


def running(where):
    """What is said of the journal of a program that runs, and is killed then."""
    process = killed(where, 2)
    kept = journal.paths(where)[0]
    alive = run([HPM, "recover", "--clean", where])
    is_kept = os.path.exists(kept)
    path = next(p for p in files(where) if p.endswith(".hpm.xml"))
    text = content(path)
    process.kill()
    process.wait()
    return process.pid, alive, is_kept, text, run([HPM, "recover", "--clean", where])


def test_running():
    # what the kernel is writing when the program is killed may be torn: then the
    # journal stays, rightly, and another one is taken
    for i in range(5):
        with folder() as where:
            pid, alive, is_kept, text, dead = running(where)
            if b"or were being written" in dead.stdout and i < 4:
                continue
            ok(is_kept and f"process {pid}, still runs".encode() in alive.stdout,
               "the journal of a program that runs is not removed", alive)
            ok(b'reason="its process was still there' in text,
               "and what is recovered of it does not say that it stopped", text[:400])
            ok(dead.returncode == 0 and not journal.paths(where),
               "once it is dead it is", dead)
            paths = [p for p in files(where) if ".hpm.xml" in p]
            ok(paths and all(is_whole(p) for p in paths),
               "what was made of it is whole", names(where))
            return


def test_threads():
    with folder() as where:
        process = killed(where, 5)
        process.kill()
        process.wait()
        read = journal.Journal(journal.paths(where)[0])
        result = run([HPM, "recover", where])
        text = content(read.path[:-len(".journal")]).decode()
        counts = {}
        for point in re.findall(r"<InstrumentationPt.*?</Instr", text, re.S):
            tid = int(re.search(r' tid="(-?\d+)"', point)[1])
            calls = int(re.search(r'name="Count" value="(\d+)"', point)[1])
            counts[tid] = counts.get(tid, 0) + calls
        expected = {t.tid: sum(s.calls for s in t.sections)
                    for t in read.threads + [read.process]}
        ok(result.returncode == 0, "killed with five threads: recovered",
           result)
        equal(counts, expected, "every call of every thread is there")
        measured = re.findall(r"<Calibration [^>]*>", text)
        ok(measured and all(' when="init"' in one for one in measured),
           "what its own readings cost was measured when it began", measured)


def test_damaged():
    with folder() as where:
        _, kept = leave(where)
        data = content(kept)
        n_crashed, n_said = 0, 0
        length = len(max(journal.copies(data),
                         key=lambda c: (c.table, c.sequence)).bytes)
        offsets = range(0, min(length, 1200), 8)
        for offset in offsets:
            with open(kept, "wb") as file:
                file.write(journal.damaged(data, offset))
            result = run([HPM, "recover", kept])
            n_crashed += result.returncode not in (0, 1, 3)
            n_said += result.returncode == 0 or \
                kept.encode() in result.stderr
        equal((n_crashed, n_said), (0, len(offsets)),
              "a copy that says nonsense under a right checksum is left out, "
              "and it is said")
        newest = max((c for c in journal.copies(data) if c.table == 1),
                     key=lambda c: c.sequence)
        last = len(newest.bytes) - 8
        equal(newest.bytes[last:], bytes(8), "the run's last word: no problems")
        with open(kept, "wb") as file:
            file.write(journal.damaged(data, last, newest))
        result = run([HPM, "recover", kept])
        ok(result.returncode == 3 and
           b"no whole copy of the run is in it" in result.stderr,
           "a copy with a count beyond its end is not whole, even where nothing "
           "follows", result)
        for cut in (0, 7, 4096, len(data) // 2):
            with open(kept, "wb") as file:
                file.write(data[:cut])
            result = run([HPM, "recover", "--clean", kept])
            ok(result.returncode in (0, 1, 3) and
               (result.returncode == 0 or kept.encode() in result.stderr),
               f"a journal cut after {cut} bytes is recovered or named",
               result)


def recovered(where, data):
    """hpm recover of these bytes: the result, the problems its file says, and
    whether the journal stays."""
    path = os.path.join(where, "k.xml")
    with open(path + ".journal", "wb") as file:
        file.write(data)
    result = run([HPM, "recover", "--clean", "--delete", where])
    problems = re.findall(rb'<Problem count="(\d+)" text="([^"]*)',
                          content(path))
    stays = os.path.exists(path + ".journal")
    for left in os.listdir(where):
        os.unlink(os.path.join(where, left))
    return result, problems, stays


def test_missing():
    """What a damaged journal lacks is said, not seen as a smaller program."""
    with folder() as where, folder() as source:
        data = content(leave(source)[1])
        slots = {}
        for copy in journal.copies(data):
            slots.setdefault(copy.table, []).append(copy)
        last = max(slots)
        first = min(c.offset for c in slots[last])
        equal({c.tables for c in slots[last]}, {last},
              "a copy knows how many tables there are")
        cut = recovered(where, data[:first])
        ok(cut[0].returncode == 1 and b"cut off" in cut[0].stderr and
           any(b"lost" in text for _, text in cut[1]) and cut[2],
           "a journal cut before a table: the loss is said, in the file, too; "
           "it stays", cut)
        gone = bytearray(data)
        gone[first:] = bytes(len(data) - first)
        gone = recovered(where, gone)
        ok(gone[0].returncode == 1 and b"1 of its tables" in gone[0].stderr and
           (b"1", cut[1][-1][1]) in gone[1] and gone[2],
           "so it is where a table is all zeroes", gone)
        latest = max(slots[last], key=lambda c: c.sequence)
        flipped = bytearray(data)
        flipped[latest.offset + journal.N_HEAD * 8 + 40] ^= 1
        flipped = recovered(where, flipped)
        ok(b"damaged" in flipped[0].stdout and len(flipped[1]) >= 1 and
           flipped[2], "one bit in a copy is said", flipped)
        for table in slots:
            latest = max(slots[table], key=lambda c: c.sequence)
            end = latest.offset + journal.N_HEAD * 8 + len(latest.bytes)
            emptied = bytearray(data)
            emptied[latest.offset:end] = bytes(end - latest.offset)
            emptied = recovered(where, emptied)
            ok(b"damaged" in emptied[0].stdout and len(emptied[1]) >= 1 and
               emptied[2],
               f"so it is where nothing is left of the newest of "
               f"{len(slots[table])} copies of table {table}", emptied)
        whole = recovered(where, data)
        ok(whole[0].returncode == 0 and not whole[1] and not whole[2],
           "nothing is said of a whole one, which may go", whole)


def test_names():
    """No terminal obeys the name of a file."""
    with folder() as where, folder() as source:
        data = content(leave(source)[1])
        name = os.path.join(where, "a\nb\x1b[31m.xml")
        for words in ([], ["--clean"]):
            with open(name + ".journal", "wb") as file:
                file.write(data)
            result = run([HPM, "recover", *words, where])
            ok(result.returncode == 0 and
               rb"a\x0Ab\x1B[31m.xml'" in result.stdout and
               b"\x1b" not in result.stdout + result.stderr and
               all(line.startswith((b"'", b"to undo"))
                   for line in result.stdout.splitlines()),
               f"recover {' '.join(words)}: control characters of a name are "
               "shown, not sent", result)
        result = run([HPM, "merge", "-o", name, name])
        result = run([HPM, "merge", "-o", name + "\x1b", name])
        ok(result.returncode == 0 and b"\x1b" not in result.stdout and
           rb"\x1B" in result.stdout, "so they are by merge", result)


def test_cut_file():
    with folder() as where:
        path, kept = leave(where)
        os.remove(kept)
        whole = content(path)
        cut = whole.rindex(b"<InstrumentationPt") + len("<InstrumentationPt")
        with open(path, "wb") as file:
            file.write(whole[:cut])
        result = run([HPM, "recover", where])
        ok(result.returncode == 0 and is_whole(path + ".1") and
           b'complete="no"' in content(path + ".1"),
           "of a cut file a whole one is made", result)
        equal(content(path), whole[:cut], "the cut one stays as it is")
        result = run([HPM, "recover", "--clean", where])
        ok(not os.path.exists(path) and is_whole(path + ".1") and
           not os.path.exists(path + ".2"), "--clean moves it aside",
           result)
        with open(path, "wb") as file:
            file.write(whole[:cut + 40])
        result = run([HPM, "recover", "--clean", where])
        ok(os.path.exists(path) and b"stays: not all that is in it is in" in
           result.stdout,
           "but not where the begin of a record is in it that was not whole",
           result)
        os.remove(path + ".1")
        at = whole.rindex(b"<data")
        with open(path, "wb") as file:
            file.write(whole[:at] + b"<<" + whole[at + 2:])
        run([HPM, "recover", where])
        ok(b"the file is cut or damaged from line" in content(path + ".1"),
           "of a damaged one it is not said that it was cut",
           content(path + ".1")[:300])


def test_cannot_be_written():
    with folder() as where:
        path, _ = leave(where)
        whole = content(path)
        name = "n" * 240 + ".hpm.xml"
        with open(os.path.join(where, name), "wb") as file:
            file.write(whole[:whole.rindex(b"<InstrumentationPt")])
        result = run([HPM, "recover", "--clean", name], folder=where)
        ok(result.returncode == 4 and
           result.stderr.count(b"is too long") == 1 and
           name in names(where) and not result.stdout,
           "a recovered file that cannot be written is said, and nothing is "
           "moved: 4", result)


def test_nothing_whole():
    with folder() as where:
        path, kept = leave(where)
        os.remove(kept)
        whole = content(path)
        for length in (60, whole.index(b"<InstrumentationPt") + 60):
            with open(path, "wb") as file:
                file.write(whole[:length])
            for word in (path, where):
                result = run([HPM, "recover", word])
                ok(result.returncode == 3 and not result.stdout and
                   b"was it cut off? (nothing of it is recovered; it stays)" in
                   result.stderr,
                   f"cut after {length} bytes, nothing is recovered: 3", result)
        with open(path, "wb") as file:
            file.write(whole[:-10])
        result = run([HPM, "recover", "nosuch", path], folder=where)
        ok(result.returncode == 1 and b"'nosuch'" in result.stderr and
           is_whole(path + ".1"),
           "what is not there is named, the other file is recovered: 1", result)


def test_amounts():
    with folder() as where:
        leave(where, "0+1=A 0-1")
        result = run([HPM, "recover", where])
        ok(b"': 1 record of 1 thread, up to " in result.stdout,
           "one record and one thread are no records of threads", result)


def text_of(text):
    """As a journal has it."""
    data = text.encode()
    return struct.pack("<Q", len(data)) + data + bytes(-len(data) % 8)


def with_sources(data, sources):
    """The journal of a replay, whose counters come from others instead."""
    for copy in journal.copies(data):
        for name, source in sources.items():
            before = text_of(name) + text_of("replay")
            at = copy.bytes.find(before) + len(before) - 16
            if before not in copy.bytes:
                continue
            for word, value in enumerate(struct.unpack("<2Q", text_of(source))):
                data = journal.damaged(data, at + 8 * word, copy, value)
    return data


def state_of_clock(where, data):
    path = os.path.join(where, "k.xml")
    with open(path + ".journal", "wb") as file:
        file.write(data)
    run([HPM, "recover", where])
    datum = re.search(rb'<data name="task-clock"[^>]*>', content(path))[0]
    state = re.search(rb'state="([^"]*)"', datum)
    os.unlink(path)
    return state and state[1]


def test_short_clock():
    """A task-clock that has half of user and system time is lost there, too."""
    samples = "events task-clock/ns ru::utime/ns ru::stime/ns\n" + "".join(
        f"0 {t * 10 ** 8} {t * 5 * 10 ** 7} {t * 6 * 10 ** 7} {t * 4 * 10 ** 7}\n"
        for t in range(4))
    sources = {"task-clock": "kernel", "ru::utime": "usage",
               "ru::stime": "usage"}
    with folder() as where, folder() as source:
        data = content(leave(source, "0+1=A 0-1", samples)[1])
        equal(state_of_clock(where, data), None,
              "a replayed clock is what it is said to be")
        equal(state_of_clock(where, with_sources(data, sources)), b"lost",
              "a task-clock that misses half of the processor time is lost")
        del sources["ru::stime"]
        equal(state_of_clock(where, with_sources(data, sources)), None,
              "where the journal has no such time, nobody knows")


def test_temporary():
    with folder() as where:
        path, kept = leave(where)
        whole = content(path)
        os.remove(path)
        recovered = kept[:-len(".journal")]
        pid = re.search(rb' pid="(\d+)"', whole)[1].decode()
        for name, data in ((".hpm-999999999-0.tmp", whole),
                           (".hpm-999999999-1.tmp", whole[:60]),
                           (".hpm-999999999-2.tmp", b"a report\n"),
                           (f".hpm-{os.getpid()}-0.tmp", whole)):
            with open(os.path.join(where, name), "wb") as file:
                file.write(data)
        result = run([HPM, "recover", "--clean", where])
        equal(result.returncode, 1, "what is no performance file is named")
        ok(content(path) == whole and f"_{pid}.hpm.xml" in path,
           "a whole temporary file gets the name of its run", result)
        equal([n for n in names(where) if n.startswith(".hpm-")],
              sorted([".hpm-999999999-1.tmp", ".hpm-999999999-2.tmp",
                      f".hpm-{os.getpid()}-0.tmp"]),
              "what holds other data, or is being written, is not removed")
        ok(os.path.exists(recovered), "and the journal is recovered, too")


def test_other_machine():
    """Whether its process still writes, only the machine of the file knows: what was
    written today stays untouched, what is older is recovered and stays."""
    with folder() as where:
        path, kept = leave(where)
        whole = re.sub(rb' host="[^"]*"', b' host="elsewhere"', content(path))
        os.remove(path)
        os.remove(kept)
        temporary = os.path.join(where, ".hpm-999999999-0.tmp")
        with open(temporary, "wb") as file:
            file.write(whole)
        result = run([HPM, "recover", "--clean", where])
        ok(files(where) == [] and os.path.exists(temporary) and
           b"whether process 999999999 of elsewhere still writes it is not known "
           b"here; it was written today" in result.stdout + result.stderr,
           "a temporary file of another machine is left to it for a day", result)
        os.utime(temporary, (time.time() - 2 * 86400,) * 2)
        result = run([HPM, "recover", "--clean", where])
        ok([content(made) for made in files(where)] == [whole] and
           os.path.exists(temporary) and b"written today" not in
           result.stdout + result.stderr,
           "then it is recovered, and stays", result)


def test_journal_has_all():
    with folder() as where:
        _, kept = leave(where)
        run([HPM, "recover", where])
        made = kept[:-len(".journal")]
        temporary = os.path.join(where, ".hpm-999999999-0.tmp")
        os.rename(made, temporary)
        result = run([HPM, "recover", "--clean", where])
        ok(not os.path.exists(temporary) and files(where).count(made) == 1 and
           b".tmp': the journal of its run gave '" in result.stdout,
           "a temporary file of a run whose journal is there adds nothing",
           result)
        os.remove(made)
        os.rename(os.path.join(where, "hpm-leftovers",
                               os.path.basename(kept)), kept)
        with open(temporary, "wb") as file:
            file.write(content(os.path.join(
                where, "hpm-leftovers", ".hpm-999999999-0.tmp")).replace(
                    b' value="', b' value="9'))
        run([HPM, "recover", "--clean", where])
        ok(os.path.exists(temporary),
           "unless it says something else than the journal")


def test_refusals():
    with folder() as where:
        for argument, status in (("nosuch", 3), ("--nosuch", 2)):
            result = run([HPM, "recover", argument], folder=where)
            ok(result.returncode == status and b"nosuch" in result.stderr and
               len(result.stderr.splitlines()) == 1,
               f"recover {argument}: {status} and one line", result)
        with open(os.path.join(where, "a.journal"), "wb") as file:
            file.write(b"dear diary" * 1000)
        result = run([HPM, "recover", "--clean", where])
        ok(result.returncode == 3 and b"a.journal: is no journal" in
           result.stderr and names(where) == ["a.journal"],
           "what is no journal is named and left alone", result)


test_same_as_an_end()
test_again()
test_name_taken()
test_no_file_in_place()
test_left_alone()
test_running()
test_threads()
test_damaged()
test_missing()
test_names()
test_cut_file()
test_cannot_be_written()
test_nothing_whole()
test_amounts()
test_short_clock()
test_temporary()
test_other_machine()
test_journal_has_all()
test_refusals()
tap.done()
