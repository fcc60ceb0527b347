# SPDX-License-Identifier: BSD-3-Clause
"""libhpm from outside: programs are run, their performance files are read."""

import os
import re
import signal
import stat
import xml.etree.ElementTree as ET

import tap
from tap import equal, files, folder, ok, program, run, unescape

LABELS = program("tests/programs/labels")
CALLS = program("tests/programs/calls")
THREADS = program("tests/programs/threads")
WAYS = program("tests/programs/ways")


class Record:
    """One InstrumentationPt."""

    def __init__(self, element):
        self.attributes = element.attrib
        self.label = element.get("label")
        self.id = element.get("id")
        self.parent = element.get("parent")
        self.scope = element.get("scope")
        self.tid = int(element.get("tid"))
        self.data = {d.get("name"): d.attrib for d in element.findall("data")}

    def number(self, name, attribute="value"):
        return float(self.data[name][attribute])


def records(path):
    root = ET.parse(path).getroot()
    return [Record(e) for e in root.findall("InstrumentationPt")]


def way(name, where, *arguments, **variables):
    result = run([WAYS, name, *arguments], folder=where, **variables)
    return result, files(where)


def labels_of(path):
    return [r.label for r in records(path)]


def valid(paths, sentence):
    if not tap.has_xmllint():
        tap.skip(sentence, "xmllint is missing (apt-get install libxml2-utils)")
        return
    message = tap.validates(paths) if paths else "no file was written"
    ok(message is None, sentence, message)


def test_labels():
    strange = [b"<&>\"'", b"tab\there", b"line\nfeed\rreturn", b"\x01\x1b[31m",
               b"\xff\xfe", b"\xc3\x28", b"\xed\xa0\x80", b"\xef\xbf\xbe",
               b"back\\slash \\x41", "Größe μ 漢字 🐢".encode(), b" blanks ",
               b"%s%n%d", b"]]>", b"&#65;", b"\x7f", b"\xc2\x85", b"a" * 1024]
    with folder() as where:
        run([LABELS] + strange, folder=where)
        paths = files(where)
        got = [unescape(label) for label in labels_of(paths[0])]
        equal(got, strange, "strange labels survive the round trip")
        valid(paths, "a file with strange labels is valid")


def check_sums(rows, sentence):
    """inclusive = exclusive + children, for time and each counter."""
    problems = []
    for record in rows:
        children = [r for r in rows if r.parent == record.id]
        inner = sum(r.number("IncSec") for r in children)
        rest = record.number("IncSec") - record.number("ExcSec") - inner
        if abs(rest) > 1e-9 * (len(children) + 2):
            problems.append(f"{record.label}: time off by {rest}")
        for name, datum in record.data.items():
            if "exclusive" not in datum or datum["kind"] == "metric":
                continue
            inner = sum(int(r.data[name]["value"]) for r in children)
            if int(datum["value"]) != int(datum["exclusive"]) + inner:
                problems.append(f"{record.label}: {name} {datum} {inner}")
    ok(not problems, sentence, "\n".join(problems))


def measure_threads(n):
    with folder() as where:
        result = run([THREADS, str(n)], folder=where)
        paths = files(where)
        equal((result.returncode, result.stderr, len(paths)), (0, b"", 1),
              f"{n} threads: one file and nothing said")
        valid(paths, f"{n} threads: the file is valid")
        return records(paths[0])


def has_time_of_all(rows):
    """The process's, where it was counted; both read the same clock."""
    clocks = {label: [r.number("task-clock") for r in rows
                      if r.label == label and
                      "value" in r.data.get("task-clock", {})]
              for label in ("parallel", "outer")}
    return not clocks["parallel"] or (
        clocks["parallel"][0] >= 0.999 * sum(clocks["outer"]) > 0)


def test_threads():
    for n in (1, 2, 4, 8):
        rows = tap.undisturbed(lambda: measure_threads(n), has_time_of_all)
        check_sums(rows, f"{n} threads: inclusive is exclusive and children")
        threads = [r for r in rows if r.scope == "thread"]
        equal(len(threads), 4 * n, f"{n} threads: a record per path and thread")
        equal(len({r.tid for r in threads}), n, f"{n} threads: own numbers")
        ok(all(r.data["Count"]["value"] == ("1" if r.label == "outer" else "20")
               for r in threads), f"{n} threads: calls are counted")
        process = {r.label: r for r in rows if r.scope == "process"}
        equal(sorted(process), ["all", "parallel"],
              f"{n} threads: process sections are apart")
        ok(all(r.attributes["within"] == process["parallel"].id
               for r in threads), f"{n} threads: each says what it is within")
        faults = "page-faults"
        if "value" not in process["parallel"].data.get(faults, {}):
            tap.skip(f"{n} threads: the process counts all of them",
                     "page faults cannot be counted here")
            continue
        touched = sum(r.number(faults) for r in threads
                      if r.label == "outer")
        ok(all(r.number(faults) >= 8 * 20 for r in threads
               if r.label == "touch"),
           f"{n} threads: 8 faults in each call of 'touch'")
        ok(process["parallel"].number(faults) >= touched > 0,
           f"{n} threads: the process counts the faults of all threads",
           f"{process['parallel'].number(faults)} < {touched}")
        ok(has_time_of_all(rows),
           f"{n} threads: the process counts the time of all threads",
           [(r.label, r.data.get("task-clock")) for r in rows])


def test_ends():
    expected = {"return": (0, ["work"]), "exit": (5, ["work"]),
                "exit-in-thread": (7, None), "main-leaves": (0, ["main", "last"]),
                "atexit": (0, ["work", "atexit"]),
                "two-exits": (7, ["main"])}
    if "thread" in os.environ.get("sanitizers", ""):
        del expected["main-leaves"]
        tap.skip("main-leaves", "the thread sanitizer itself hangs when main "
                 "leaves by pthread_exit")
    if "address" in os.environ.get("sanitizers", ""):
        del expected["two-exits"]
        tap.skip("two-exits", "with the handlers of the address sanitizer there are "
                 "more than 32, whose memory glibc before 2.41 frees twice where two "
                 "threads are in exit")
    for name, (status, labels) in expected.items():
        with folder() as where:
            result, paths = way(name, where)
            equal((result.returncode, len(paths)), (status, 1),
                  f"{name}: the program's status, and a file")
            valid(paths, f"{name}: the file is valid")
            if labels:
                equal(labels_of(paths[0]), labels, f"{name}: all was measured")
    for name, status in (("_exit", 6), ("signal", -signal.SIGTERM)):
        with folder() as where:
            result, paths = way(name, where)
            equal((result.returncode, os.listdir(where)), (status, []),
                  f"{name}: the program's status, and nothing left behind")


def test_forks():
    with folder() as where:
        result, paths = way("fork", where)
        equal((result.returncode, len(paths)), (0, 2),
              "a forked child that measures has a file of its own")
        valid(paths, "both are valid")
        found = sorted(sorted(labels_of(p)) for p in paths)
        equal(found, [["after", "before", "parent", "parent and child"],
                      ["child"]], "neither has sections of the other")
    with folder() as where:
        result, paths = way("fork-silent", where)
        equal((result.returncode, len(paths)), (0, 1),
              "a forked child that does not measure writes nothing")
        parent = next(r for r in records(paths[0]) if r.label == "parent")
        ok(parent.data["task-clock"].get("state", "counted") == "counted",
           "and leaves its parent's counters alone", parent.data)
    for name, child_name in (("same", r"same_(\d+)"),
                             ("m.xml", r"m_(\d+)\.xml"),
                             ("m.hpm.xml", r"m_(\d+)\.hpm\.xml"),
                             ("%n.%r.hpm.xml", r"ways.0000_(\d+)\.hpm\.xml"),
                             ("m.%p", r"m\.(\d+)")):
        check_family_names(name, child_name)


    with folder() as where:
        result, paths = way("unseen-children", where)
        equal((result.returncode, [labels_of(p) for p in paths]),
              (0, [["parent", "after"]]),
              "children made by clone write nothing of their parent's")


def pid_of(path):
    return ET.parse(path).getroot().find("Run").get("pid")


def check_family_names(name, child_name):
    """Parent, child and grandchild, of which each ends before the one that has
    made it: the parent has the name that was asked for, reports and journals
    likewise."""
    for variables in ({"HPM_OUTPUT_NAME": name},
                      {"HPM_OUTPUT_NAME": name, "HPM_CHECKPOINT": 0,
                       "HPM_REPORT": "report.txt"}):
        with folder() as where:
            result = run([WAYS, "family"], folder=where, HPM_FSYNC="no",
                         **variables)
            found = {}
            for one in os.listdir(where):
                if one.startswith("report") or one.endswith(".journal"):
                    continue
                path = os.path.join(where, one)
                found[labels_of(path)[0]] = (one, pid_of(path))
            title = f"a family with the name {name}"
            equal((result.returncode, result.stderr, sorted(found)),
                  (0, b"", ["child", "grandchild", "parent"]),
                  f"{title}: three files, nothing said")
            expected = {who: re.fullmatch(child_name, one)
                        for who, (one, pid) in found.items()}
            plain = name.replace("%n", "ways").replace("%r", "0000")
            ok(all(match and match.group(1) == found[who][1]
                   for who, match in expected.items() if who != "parent") and
               found["parent"][0] == plain.replace("%p", found["parent"][1]),
               f"{title}: the parent has it, the others their process ids",
               found)
            reports = sorted(n for n in os.listdir(where)
                             if n.startswith("report"))
            if "HPM_REPORT" in variables:
                equal(reports, sorted(["report.txt"] + [
                    f"report_{pid}.txt" for who, (_, pid) in found.items()
                    if who != "parent"]), f"{title}: so have the reports")
            equal([n for n in os.listdir(where) if n.endswith(".journal")], [],
                  f"{title}: no journal is left")


def check_orders(n, **variables):
    with folder() as where:
        result, paths = way("orders", where, str(n), HPM_FSYNC="no", **variables)
        equal(result.returncode, 0, f"no order of {n} calls crashes {variables}")
        valid(paths[:400], "and what they write is valid")


def test_orders():
    """Each order is a process, of which the calibration of counters takes the most:
    of four calls there are 1,296.  Under the thread sanitizer a process takes a tenth
    of a second, and these have one thread."""
    if "thread" in os.environ.get("sanitizers", ""):
        check_orders(2)
    elif os.environ.get("HPM_TEST_ALL"):
        check_orders(4)
    elif tap.IS_REPEATED:
        check_orders(2)
        check_orders(3, HPM_SOURCE="none")
    else:
        check_orders(3)
        check_orders(4, HPM_SOURCE="none")


def test_misuse():
    with folder() as where:
        result, paths = way("handler", where)
        equal(result.returncode, 0, "calls from a signal handler do no harm")
        valid(paths, "and the file is valid")
        rows = {r.label: r for r in records(paths[0])}
        ok(rows["a"].data["Count"]["value"] == rows["b"].data["Count"]["value"],
           "and no call is lost from the program itself")
    if "address" in os.environ.get("sanitizers", ""):
        tap.skip("new sections in a handler that interrupted malloc",
                 "here libhpm uses the sanitizer's malloc")
    else:
        with folder() as where:
            result, paths = way("handler-in-malloc", where)
            equal((result.returncode, len(paths)), (0, 1),
                  "new sections in a handler that interrupted malloc")
    if os.environ.get("sanitizers", ""):
        tap.skip("first sections, and the end, need no malloc",
                 "here malloc is the sanitizer's")
    else:
        with folder() as where:
            result = run([program("tests/programs/mallocless")], folder=where,
                         HPM_EVENTS="task-clock,page-faults")
            equal((result.returncode, result.stderr, len(files(where))),
                  (0, b"", 1), "first sections, and the end, need no malloc")
    with folder() as where:
        result, paths = way("closed-descriptors", where)
        with open(os.path.join(where, "output"), "rb") as output:
            equal((result.returncode, output.read()), (0, b"text of the program\n"),
                  "with 0 to 2 closed nothing goes into the program's files")
        valid(paths, "and the performance file is valid")
    with folder() as where:
        result, paths = way("closefrom", where)
        equal(result.returncode, 0,
              "descriptors the program closed and reused stay its own", )
        valid(paths, "and the performance file is valid")
        ok(os.path.getsize(os.path.join(where, "own")) == 4,
           "and its file has only its own text")
    with folder() as where:
        result, paths = way("longjmp", where)
        equal(result.returncode, 0, "longjmp over a stop")
        valid(paths, "longjmp over a stop: the file is valid")
    with folder() as where:
        result, paths = way("open-elsewhere", where)
        row = records(paths[0])[0]
        ok(result.returncode == 0 and row.data["Count"]["value"] == "2" and
           row.attributes["outer"] == "1" and
           b"another thread has this process section open" in result.stderr,
           "a process section is not started again by another thread",
           (result, row.data))
    for name in ("chdir", "errno", "churn"):
        with folder() as where:
            result, paths = way(name, where)
            equal((result.returncode, len(paths)), (0, 1), f"{name} is untouched")
    with folder() as where:
        result, paths = way("closed-descriptors", where)
        problems = ET.parse(paths[0]).getroot().findall("Problem")
        equal([p.get("count") for p in problems], ["1", "1"],
              "what went wrong is in the file")


def test_calls():
    with folder() as where:
        result = run([CALLS], folder=where, HPM_EVENTS="page-faults,nosuch")
        equal((result.returncode, result.stdout), (0, b""),
              "readings, versions and error counts are right")
        paths = files(where)
        valid(paths, "a file with work is valid")
        rows = {r.label: r for r in records(paths[0])}
        got = {label: (row.data["work::cells"].get("value"),
                       row.data["work::cells"].get("exclusive"))
               for label, row in rows.items() if "work::cells" in row.data}
        equal(got, {"outer": ("1111", "11"), "inner": ("100", "100"),
                    "beside": ("1000", "1000")},
              "work belongs to its section and those above")
        equal(rows["apart"].data["work::work"].get("value"), "3",
              "work without a unit, in the process")
        equal([rows[n].parent for n in ("beside", "apart")],
              [rows["outer"].id, None], "parents are as chosen")
        ok("IncSec" not in rows["alone"].data and "ExcSec" in rows["alone"].data and
           "value" not in rows["alone"].data["page-faults"],
           "HPM_ONLY_EXCLUSIVE leaves the exclusive values",
           rows["alone"].data)
        said = result.stderr.decode()
        ok(all(word in said for word in ("section 99: work", "section 98 in thread 0: stopped",
                                         "the parent it names is not open")),
           "each problem is said", said)


def test_environment():
    with folder() as where:
        result, paths = way("return", where, HPM_DISABLE=1)
        equal((result.returncode, os.listdir(where)), (0, []), "HPM_DISABLE=1: off")
    with folder() as where:
        result, paths = way("return", where, HPM_EVENT="x", HPM_NUM_INST_PTS=5,
                            HPM_FSYNC="perhaps")
        said = sorted(result.stderr.decode().splitlines())
        equal(said, ["hpm: HPM_EVENT is unknown; did you mean HPM_EVENTS?",
                     "hpm: HPM_FSYNC='perhaps' is neither yes nor no; ignored",
                     "hpm: HPM_NUM_INST_PTS has no effect: sections need no "
                     "limit here"], "variables that mean nothing are named")
    with folder() as where:
        result, paths = way("return", where,
                            HPM_EVENTS="page-faults,nosuch,ru::minflt,proc::syscr")
        row = records(paths[0])[0]
        ok(b"'nosuch'" in result.stderr, "an unknown event is named")
        ok("value" not in row.data["nosuch"] and
           row.data["nosuch"]["state"] == "unsupported" and
           row.data["nosuch"]["reason"], "and has no value but a reason")
        ok("value" in row.data["ru::minflt"] and "value" in row.data["proc::syscr"],
           "the others are counted")
        valid(paths, "the file is valid")
    with folder() as where:
        result, paths = way("return", where, HPM_SOURCE="none")
        row = records(paths[0])[0]
        equal(sorted(row.data), ["Count", "ExcSec", "IncSec"],
              "HPM_SOURCE=none leaves the time")
        equal(result.stderr, b"", "and has nothing to complain about")
    with folder() as where:
        result, paths = way("return", where, HPM_REPORT="stderr")
        ok(b"work" in result.stderr and b"excl %" in result.stderr,
           "HPM_REPORT=stderr shows a report")
    with folder() as where:
        run([WAYS, "return"], folder=where, HPM_REPORT="%n.txt")
        with open(os.path.join(where, "ways.txt")) as report:
            ok("work" in report.read(), "HPM_REPORT=FILE writes it there")
    with folder() as where:
        run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="%n-%r-%j-%%",
            HPM_JOB="a/b", SLURM_PROCID=12)
        equal(os.listdir(where), ["ways-0012-a_b-%"], "names are made from patterns")
    with folder() as where:
        result = run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="%x")
        ok(b"'%x' is unknown" in result.stderr and len(files(where)) == 1,
           "a wrong pattern is told, the default name is used", result.stderr)


def counted(where, **variables):
    """Without what process sections count besides; and what was said."""
    result = run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="x.hpm.xml",
                 **variables)
    names = [name for name, d in records(files(where)[0])[0].data.items()
             if name not in ("Count", "ExcSec", "IncSec") and
             d.get("kind") != "metric"]
    os.unlink(files(where)[0])
    return names, result.stderr.decode()


def test_event_file():
    with folder() as where:
        path = os.path.join(where, "libHPM_events")
        default, said = counted(where)

        def check(text, events, words, **variables):
            with open(path, "wb") as file:
                file.write(text)
            got, said = counted(where, **variables)
            ok(got == (events or default) and
               (said == "hpm: " + words + "\n" if words else said == ""),
               f"libHPM_events {text[:30]!r}: {words or 'not read'}", (got, said))

        used = ("the file libHPM_events here chooses the events; HPM_EVENTS "
                "takes precedence")
        bad = ("is out of place; expected a number and an event on each line, "
               "or only the name of a set; the file is left out")
        check(b"0 ru::minflt\n1 page-faults\n", ["ru::minflt", "page-faults"],
              used)
        check(b"# mine\r\n\r\n  2\tru::utime # user\r\n", ["ru::utime"], used)
        check(b"io", ["proc::rchar", "proc::wchar", "proc::syscr",
                      "proc::syscw"], used)
        check(b"0 ru::minflt\nnosuch ru::utime\n", None,
              "libHPM_events:2: 'nosuch' " + bad)
        check(b"io\n0 ru::utime\n", None, "libHPM_events:2: 'ru::utime' " + bad)
        check(b"\n\n60 61 62\n", None, "libHPM_events:3: '60' " + bad)
        check(b"# nothing\n", None,
              "libHPM_events: names no event; the file is left out")
        check(b"x" * 70000, None,
              "libHPM_events: larger than 64 KiB; the file is left out")
        check(b"io", ["ru::utime"], "", HPM_EVENTS="ru::utime")
        check(b"io", ["ru::utime", "ru::stime", "ru::minflt", "ru::majflt",
                      "ru::nvcsw", "ru::nivcsw"], "", HPM_SET="usage")
        os.unlink(path)
        os.mkfifo(path)
        got, said = counted(where)
        ok(got == default and "not a regular file" in said,
           "a pipe of that name is not waited for", said)


def test_output_trouble():
    with folder() as where:
        result = run([WAYS, "return"], folder=where,
                     HPM_OUTPUT_NAME="nosuch/file.hpm.xml")
        ok(b"nosuch" in result.stderr and len(files(where)) == 1,
           "a folder that is not there: told, and written to the first folder",
           result.stderr)
    with folder() as where:
        victim = os.path.join(where, "victim")
        with open(victim, "w") as file:
            file.write("untouched")
        os.symlink("victim", os.path.join(where, "link"))
        result = run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="link")
        with open(victim) as file:
            ok(file.read() == "untouched" and len(files(where)) == 1 and
               b"not a regular file" in result.stderr,
               "a link is not followed, its target untouched", result.stderr)
    with folder() as where:
        command = ["sh", "-c", "ulimit -f 1; exec " + WAYS + " return"]
        result = run(command, folder=where)
        ok(result.returncode == 0 and b"File too large" in result.stderr and
           os.listdir(where) == [],
           "a file size limit: the program's status, a word, no torn file",
           (result.returncode, result.stderr, os.listdir(where)))
    with folder() as where:
        for _ in range(3):
            run([WAYS, "return"], folder=where, HPM_OUTPUT_NAME="x.hpm.xml")
        equal(sorted(os.listdir(where)), ["x.hpm.xml", "x.hpm.xml.1", "x.hpm.xml.2"],
              "an existing file is never replaced")
    with folder() as where:
        run(["sh", "-c", "umask 077; exec " + WAYS + " return"], folder=where)
        mode = stat.S_IMODE(os.stat(files(where)[0]).st_mode)
        equal(mode, 0o600, "the umask holds")


test_labels()
test_threads()
test_ends()
test_forks()
test_orders()
test_misuse()
test_calls()
test_environment()
test_event_file()
test_output_trouble()
tap.done()
