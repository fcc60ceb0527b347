# SPDX-License-Identifier: BSD-3-Clause
"""Sections measured from files of samples: every number is known."""

import os
import re
import xml.etree.ElementTree as ET

import tap
from tap import HPMCOUNT, equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
MATMUL = program("doc/examples/matmul")


def replay(steps, text, where, **variables):
    """Run the steps over the samples; the finished process."""
    with open(os.path.join(where, "x.replay"), "w", encoding="utf-8") as file:
        file.write(text)
    return run([EDGES] + steps.split(), folder=where, HPM_SOURCE="replay",
               HPM_REPLAY="x.replay", **variables)


def show_datum(datum, name):
    """name value/exclusive, mean and deviation, state and share: as the file
    has them."""
    words = [name, f"{datum.get('value', 'n/a')}/{datum.get('exclusive', 'n/a')}"]
    for key in ("mean", "sdev", "state", "share"):
        if key in datum:
            words.append(f"{key} {datum[key]}")
    return " ".join(words)


def nanoseconds(text):
    """A time of the file, which has nanoseconds in its nine decimals."""
    return str(int(text.replace(".", "")))


def show_time(data):
    total = data.get("IncSec", {})
    words = ["time", f"{nanoseconds(total['value']) if total else 'n/a'}/"
                     f"{nanoseconds(data['ExcSec']['value'])}"]
    for key in ("mean", "sdev"):
        if key in total:
            words.append(f"{key} {float(total[key]) * 1e9:.9g}")
    return " ".join(words)


def shown(path):
    """One line per record."""
    root = ET.parse(path).getroot()
    labels, lines = {}, []
    for element in root.findall("InstrumentationPt"):
        data = {d.get("name"): d.attrib for d in element.findall("data")
                if d.get("kind") != "metric"}
        label = element.get("label") or "#" + element.get("inst")
        parent = element.get("parent")
        labels[element.get("id")] = label = \
            f"{labels[parent]}>{label}" if parent else label
        words = [element.get("tid"), label, data["Count"]["value"]]
        words += [f"{key} {element.get(key)}"
                  for key in ("outer", "overlap", "open", "skipped")
                  if element.get(key)]
        line = [" ".join(words), show_time(data)]
        line += [show_datum(d, name) for name, d in data.items()
                 if name not in ("Count", "ExcSec", "IncSec")]
        lines.append(", ".join(line))
    return lines


def check(sentence, steps, text, expected, said=(), **variables):
    """What the file says after the steps, and what is said, is exactly this;
    in a second run, too."""
    for again in ("", ", again"):
        with folder() as where:
            result = replay(steps, text, where, **variables)
            paths = files(where)
            equal((result.returncode, result.stderr.decode().splitlines()),
                  (0, list(said)), f"{sentence}: what is said{again}")
            equal(shown(paths[0]), expected, f"{sentence}: all values{again}")
            if not again and tap.has_xmllint():
                message = tap.validates(paths)
                ok(message is None, f"{sentence}: the file is valid", message)


def test_sections():
    check("nested", "0+1=outer 0+2=inner 0-2 0+2=inner 0-2 0+2=inner 0-2 0-1",
          """events a task-clock/ns
             0    0   0    0   # outer
             0  100  10    1   # inner
             0  110  12    2
             0  200  20    3   # inner
             0  220  24    5
             0  300  30   10   # inner
             0  330  36   13
             0 1000 100 1000   # outer
          """,
          ["0 outer 1, time 1000/940 mean 1000, a 100/88 mean 100, "
           "task-clock 1000/994 mean 1000",
           "0 outer>inner 3, time 60/60 mean 20 sdev 10, "
           "a 12/12 mean 4 sdev 2, task-clock 6/6 mean 2 sdev 1"])
    check("recursive", "0+1=f 0+1=f 0-1 0-1 0+1=f 0-1",
          """events a
             0 10 1
             0 20 2    # takes a line, though only counted
             0 30 4
             0 40 8
             0 50 16
             0 60 32
          """,
          ["0 f 3 outer 2, time 40/40 mean 20 sdev 14.1421356, "
           "a 23/23 mean 11.5 sdev 6.363961030678928"])
    check("overlapping", "0+1=A 0+2=B 0-1 0-2",
          "events a\n0 100 1\n0 300 3\n0 600 9\n0 1000 27\n",
          ["0 A 1 overlap yes, time 500/200 mean 500, a 8/2 mean 8",
           "0 A>B 1 overlap yes, time 700/700 mean 700, a 24/24 mean 24"])
    check("of no length", "0+1=A 0+2=B 0-2 0-1",
          "events a b\n0 7 1 5\n0 7 1 5\n0 7 1 5\n0 7 1 5\n",
          ["0 A 1, time 0/0 mean 0, a 0/0 mean 0, b 0/0 mean 0",
           "0 A>B 1, time 0/0 mean 0, a 0/0 mean 0, b 0/0 mean 0"])
    with folder() as where:
        result = replay("0+1=A 0+2=B 0-2 0-1",
                        "events a\n0 7 1\n0 7 1\n0 7 1\n0 7 1\n", where,
                        HPM_REPORT="stderr")
        text = result.stderr.decode()
        ok("A" in text and not re.search(r"\b-?(nan|inf)\b", text.lower()),
           "of no length: the report has no number that is none", text)
    check("only exclusive", "0+1=A 0x+2=B 0+3=C 0-3 0-2 0-1",
          "events a\n0 0 0\n0 1 1\n0 3 3\n0 6 6\n0 10 10\n0 15 15\n",
          ["0 A 1, time 15/6 mean 15, a 15/6 mean 15",
           "0 A>B 1, time n/a/6, a n/a/6",
           "0 A>B>C 1, time 3/3 mean 3, a 3/3 mean 3"])
    for first, second in (("1", "2x"), ("1x", "2")):
        check("folded, where one thread wants only exclusive values",
              f"0+9=main 0-9 {first}+1=A 1-1 {second}+1=A 2-1",
              "events a\n0 0 0\n0 1 1\n1 0 0\n1 10 5\n2 0 0\n2 20 7\n",
              ["0 main 1, time 1/1 mean 1, a 1/1 mean 1",
               "-2 A 2, time 30/30 mean 15 sdev 7.07106781, "
               "a 12/12 mean 6 sdev 1.4142135623730951"], HPM_MAX_THREADS=1)
    check("folded, where all want only exclusive values",
          "0+9=main 0-9 1x+1=A 1-1 2x+1=A 2-1",
          "events a\n0 0 0\n0 1 1\n1 0 0\n1 10 5\n2 0 0\n2 20 7\n",
          ["0 main 1, time 1/1 mean 1, a 1/1 mean 1",
           "-2 A 2, time n/a/30, a n/a/12"], HPM_MAX_THREADS=1)
    check("in two threads and the process",
          "0+1=main 0p+9=all 1+1=one 0p+8=part 1p-8 1-1 0-1 0p-9",
          """events a
             # the lines of one after those of the other
             0 0 0
             0 500 50
             1 100 1000
             1 300 4000
             -1 50 10
             -1 150 1010
             -1 250 3010
             -1 600 5010
          """,
          ["-1 all 1, time 550/450 mean 550, a 5000/3000 mean 5000",
           "-1 all>part 1, time 100/100 mean 100, a 2000/2000 mean 2000",
           "0 main 1, time 500/500 mean 500, a 50/50 mean 50",
           "1 one 1, time 200/200 mean 200, a 3000/3000 mean 3000"])
    text = "events a\n" + "".join(f"0 {t * t} {t}\n" for t in range(10))
    check("left out by name", "0+1=A 0+2=B 0-2 0+3=C 0-3 0-1", text,
          ["0 A 1, time 25/18 mean 25, a 5/4 mean 5",
           "0 A>C 1, time 7/7 mean 7, a 1/1 mean 1"], HPM_EXCEPT="B")
    check("left out at first", "0+1=A 0-1 0+1=A 0-1 0+1=A 0-1", text,
          ["0 A 2 skipped 1, time 14/14 mean 7 sdev 2.82842712, "
           "a 2/2 mean 1 sdev 0"],
          HPM_SKIP=1)
    check("with work, which takes no line", "0+1=A 0*1 0+2=B 0*2 0-2 0-1", text,
          ["0 A 1, time 9/6 mean 9, a 3/2 mean 3, work::cells 14/7 mean 14",
           "0 A>B 1, time 3/3 mean 3, a 1/1 mean 1, work::cells 7/7 mean 7"])
    check("stopped without a start", "0+1=A 0-2 0-1", text,
          ["0 A 1, time 4/4 mean 4, a 2/2 mean 2"],
          ["hpm: edges:3: section 2 in thread 0: stopped but not open here; the stop is "
           "ignored"])
    check("of largest numbers", "0+1=A 0-1",
          "events a\n0 0 0\n0 1000000000000 18446744073709551615\n",
          ["0 A 1, time 1000000000000/1000000000000 mean 1e+12, "
           "a 18446744073709551615/18446744073709551615 "
           "mean 1.8446744073709552e+19"])


def lines_of(tid, times):
    """One event that counts the time, in lines of a thread or the process."""
    return "\n".join(["events a"] + [f"{tid} {t} {t}" for t in times]) + "\n"


def test_left_out():
    """A stop belongs to the innermost section with its id, left out or not."""
    for tid, scope in ((0, ""), (-1, "p")):
        name = "in the process, " if scope else ""
        recursion = f"0{scope}+1=rec " * 3 + f"0{scope}-1 " * 3
        times, now = [], 0
        for step in (recursion * 3).split():
            now += 1000 if "-" in step else 0
            times.append(now)
            now += 1 if "+" in step else 0
        check(name + "an id that is left out and measured",
              f"0{scope}+1=off 0{scope}+1=on 0{scope}-1 0{scope}-1",
              lines_of(tid, [0, 1, 11, 111]),
              [f"{tid} on 1, time 10/10 mean 10, a 10/10 mean 10"],
              HPM_EXCEPT="off")
        check(name + "a recursion", recursion * 3, lines_of(tid, times),
              [f"{tid} rec 9 outer 3, time 9009/9009 mean 3003 sdev 0, "
               "a 9009/9009 mean 3003 sdev 0"])
        check(name + "a recursion without its first call", recursion * 3,
              lines_of(tid, times),
              [f"{tid} rec 8 outer 3 skipped 1, time 8008/8008 "
               "mean 2669.33333 sdev 577.927619, a 8008/8008 "
               "mean 2669.3333333333335 sdev 577.9276194588153"], HPM_SKIP=1)
        check(name + "a recursion that is left out, 1,000 deep",
              f"0{scope}+2=all " + f"0{scope}+1=rec " * 1000 +
              f"0{scope}-1 " * 1000 + f"0{scope}-2", lines_of(tid, range(2002)),
              [f"{tid} all 1, time 2001/2001 mean 2001, a 2001/2001 mean 2001"],
              HPM_EXCEPT="rec")


def test_open_elsewhere():
    """A section that is open is not opened again on another path."""
    check("open on another path",
          "0+1=A 0+2=C 0+3=B 0-1 0-2 0+1=A 0+3=B 0-3 0-1 0-3",
          lines_of(0, [0, 1, 3, 7, 15, 31, 63, 127, 255, 511]),
          ["0 A 2 overlap yes, time 231/225 mean 115.5 sdev 153.442172, "
           "a 231/225 mean 115.5 sdev 153.4421715174808",
           "0 A>C 1 overlap yes, time 14/2 mean 14, a 14/2 mean 14",
           "0 A>C>B 2 outer 1 overlap yes, time 508/284 mean 508, "
           "a 508/284 mean 508"])


def test_states():
    check("shared, never scheduled, gone", "0+1=A 0+2=B 0-2 0-1",
          """events a b c d
             0  0 0:0:0    0:0:0  0 0
             0 10 10:10:10 0:10:0 1 1
             0 30 20:30:15 0:30:0 - 2
             0 40 30:40:25 5:40:5 - 3
          """,
          ["0 A 1, time 40/20 mean 40, a n/a/n/a state brief "
           "share 0.625, b n/a/n/a state brief share 0.125, "
           "c n/a/n/a state lost, d 3/2 mean 3",
           "0 A>B 1, time 20/20 mean 20, a n/a/n/a state brief "
           "share 0.25, b n/a/n/a state unscheduled, c n/a/n/a state lost, "
           "d 1/1 mean 1"],
          ["hpm: no value in some sections: 'c': gone from line 4 of the file on"])
    check("one of two threads without a value", "0+1=A 0-1 1+1=A 1-1",
          "events a\n0 0 1\n0 5 -\n1 0 2\n1 5 7\n",
          ["0 A 1, time 5/5 mean 5, a n/a/n/a state lost",
           "1 A 1, time 5/5 mean 5, a 5/5 mean 5"],
          ["hpm: no value in some sections: 'a': gone from line 3 of the file on"])
    check("events in another order, one unknown", "0+1=A 0-1",
          "events a cycles b\n0 0 0 0 0\n0 9 1 2 3\n",
          ["0 A 1, time 9/9 mean 9, b 3/3 mean 3, CPU-CYCLES 2/2 mean 2, "
           "c n/a/n/a state unsupported"],
          ["hpm: not counted: 'c': x.replay has no such event; it has a, "
           "cycles, b"], HPM_EVENTS="b,CPU-CYCLES,c")
    check("time alone", "0+1=A 0-1", "events\n0 0\n0 9\n",
          ["0 A 1, time 9/9 mean 9"])


def test_ends():
    check("a file that ends early", "0+1=A 0-1 0+2=B 0-2",
          "events a\n0 0 0\n0 5 1\n0 8 2\n",
          ["0 A 1, time 5/5 mean 5, a 1/1 mean 1",
           "0 B 1, time 0/0 mean 0, a 0/0 mean 0"],
          ["hpm: x.replay: no more samples for thread 0 after line 4; the last "
           "one is used again"])
    check("a thread and the process without samples",
          "0+1=A 0-1 1+1=A 1-1 0p+2=B 0p-2", "events a\n0 0 0\n0 5 1\n",
          ["-1 B 1, time 0/0 mean 0, a n/a/n/a state unsupported",
           "0 A 1, time 5/5 mean 5, a 1/1 mean 1",
           "1 A 1, time 0/0 mean 0, a n/a/n/a state unsupported"],
          ["hpm: x.replay: no samples for the process; its times are 0, its "
           "counts not there",
           "hpm: x.replay: no samples for thread 1; its times are 0, its "
           "counts not there"])
    check("left open", "0+1=A 0+2=B 0p+3=C",
          "events a\n0 0 0\n0 5 1\n0 9 3\n-1 2 2\n-1 7 7\n",
          ["-1 C 1 open yes, time 5/5 mean 5, a 5/5 mean 5",
           "0 A 1 open yes, time 9/5 mean 9, a 3/1 mean 3",
           "0 A>B 1 open yes, time 4/4 mean 4, a 2/2 mean 2"],
          ["hpm: edges:3: section 3 \"C\": started but never stopped; "
           "measured up to the end",
           "hpm: edges:2: section 2 \"B\" in thread 0: started but never stopped; "
           "measured up to the end",
           "hpm: edges:1: section 1 \"A\" in thread 0: started but never stopped; "
           "measured up to the end"])
    with folder() as where:
        result = replay("0+1=A 0? 0-1 0?",
                        "events a b\n0 5 1 2\n0 2000000000 3 4\n0 2000000000 "
                        "5 6\n0 3000000001 7 -\n", where)
        equal(result.stdout, b"2.000000000 3 4\n3.000000001 7\n",
              "a reading gives the numbers of its line")
        root = ET.parse(files(where)[0]).getroot()
        equal(root.find("Run").get("seconds"), "3.000000001",
              "the run is as long as the latest time taken")
        equal([c.get("source") for c in root.iter("Counter")],
              ["replay", "replay"], "the source is named")
    with folder() as where:
        replay("0+1=A 0-1 fork 0+2=B 0-2", "events a\n0 1 1\n0 9 2\n", where)
        equal(sorted(shown(p) for p in files(where)),
              [["0 A 1, time 8/8 mean 8, a 1/1 mean 1"],
               ["0 B 1, time 8/8 mean 8, a 1/1 mean 1"]],
              "a forked child begins the file anew")


def test_bad_files():
    bad = [("", "x.replay: expected a line 'events' with the names of the "
                "events; make that the first line"),
           ("events a\n0 0 0\n0 5\n",
            "x.replay:3: end of line: expected 1 values after the time, one "
            "for each event, found 0; write '-' for one that is not there"),
           ("events a\n0 0 0\n0 5 x1\n",
            "x.replay:3: 'x1': expected a count, count:enabled:running or "
            "'-'; write integers below 2^64"),
           ("events a\n0 9 0\n0 5 1\n",
            "x.replay:3: '5': expected a time of at least 9 as in the line "
            "before of this thread; time does not run back")]
    for text, message in bad:
        with folder() as where:
            result = replay("0+1=A 0-1", text, where)
            equal((result.returncode, result.stderr.decode()),
                  (0, f"hpm: {message}\n"), f"said: {message}")
            lines = shown(files(where)[0])
            ok(len(lines) == 1 and re.match(r"0 A 1, time \d+/\d+ mean \S+$",
                                            lines[0]),
               "the program runs on, with time and calls", lines)
        with folder() as where:
            result = replay("0+1=A 0-1", text, where, HPM_EVENTS="a,b")
            equal(result.stderr.decode(),
                  f"hpm: not counted: 'a', 'b': {message}\n",
                  "with HPM_EVENTS it is the reason")
            ok("a n/a/n/a state unsupported, b n/a/n/a state unsupported" in
               shown(files(where)[0])[0], "and there are no values")
    for path, why in (("/nonexistent/x", "cannot be read (No such file or "
                                         "directory)"),
                      ("/dev/zero", "not a regular file"),
                      ("fifo", "not a regular file"),
                      (".", "not a regular file"),
                      ("huge", "larger than 64 MiB")):
        with folder() as where:
            os.mkfifo(os.path.join(where, "fifo"))
            with open(os.path.join(where, "huge"), "wb") as huge:
                huge.truncate(1 << 30)
            result = run([EDGES, "0+1=A", "0-1"], folder=where,
                         HPM_SOURCE="replay", HPM_REPLAY=path)
            what = "shorter file" if path == "huge" else "file of samples"
            equal((result.returncode, result.stderr.decode()),
                  (0, f"hpm: {path}: {why}; set HPM_REPLAY to a {what}\n"),
                  f"{path}: {why}")


def test_variables():
    with folder() as where:
        result = run([EDGES, "0+1=A", "0-1"], folder=where, HPM_SOURCE="replay")
        equal(result.stderr, b"hpm: HPM_SOURCE=replay needs a file of samples; "
                             b"set HPM_REPLAY to its name\n",
              "HPM_SOURCE=replay alone is a mistake")
    with folder() as where:
        result = run([EDGES, "0+1=A", "0-1"], folder=where, HPM_REPLAY="x",
                     HPM_EVENTS="ru::minflt")
        equal((result.returncode, result.stderr),
              (0, b"hpm: HPM_REPLAY has no effect without HPM_SOURCE=replay\n"),
              "HPM_REPLAY alone is one, too")
        ok("ru::minflt" in shown(files(where)[0])[0], "and things are counted")
    with folder() as where:
        with open(os.path.join(where, "x"), "w") as file:
            file.write("events a task-clock\n-1 1 2 3\n-1 2500000000 7 9\n")
        result = run([tap.HPMCOUNT, "-v", "-o", "out.hpm.xml", "true"], folder=where,
                     HPM_SOURCE="replay", HPM_REPLAY="x")
        text = result.stderr.decode()
        equal((result.returncode, re.findall(r"wall clock time *(\S+)", text),
               re.findall(r"^  a  *(\S+)", text, re.M)),
              (0, ["2.500000"], ["7"]), "hpmcount takes the last of the process")
        result = run([tap.HPMCOUNT, "-l"], folder=where, HPM_SOURCE="replay",
                     HPM_REPLAY="x")
        ok(re.search(r"^task-clock +ns +processor time used$",
                     result.stdout.decode(), re.M), "and lists its events",
           result.stdout)


def ipc_of(events, where):
    """The counters and the IPC that hpmcount shows, and the IPC when hpm report
    works it out again, of 2,000 instructions and 1,000 or 4,000 cycles."""
    with open(os.path.join(where, "x"), "w", encoding="utf-8") as file:
        file.write("events instructions:u cycles:k cycles:u\n"
                   "-1 1 0 0 0\n-1 9 2000 1000 4000\n")
    result = run([tap.HPMCOUNT, "-o", "out.hpm.xml", "-e", events, "true"],
                 folder=where, HPM_SOURCE="replay", HPM_REPLAY="x")
    text = result.stderr.decode()
    path = os.path.join(where, "out.hpm.xml")
    with open(path, encoding="utf-8") as file:
        kept = [line for line in file if 'kind="metric"' not in line]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(kept)
    again = text
    if os.path.exists(tap.HPM):
        result = run([tap.HPM, "report", "out.hpm.xml"], folder=where)
        # 2: this hpm reads no files, for it was built without libxml2
        if result.returncode != 2:
            again = result.stdout.decode()
    os.unlink(path)
    reason = "'cycles:k' counts the kernel only"
    return (re.findall(r"^  (\S+:[uk]) .*\((\w+)\)$", text, re.M),
            re.findall(r"^  IPC  +(\S+)", text, re.M),
            re.findall(r"^  IPC  +(\S+)", again, re.M),
            all(reason in " ".join(said.split()) for said in (text, again)))


def test_domains():
    with folder() as where:
        equal(ipc_of("instructions:u,cycles:k", where),
              ([("instructions:u", "user"), ("cycles:k", "kernel")],
               ["-"], ["-"], True),
              "instructions of the user and cycles of the kernel give no IPC")
        equal(ipc_of("instructions:u,cycles:k,cycles:u", where),
              ([("instructions:u", "user"), ("cycles:k", "kernel"),
                ("cycles:u", "user")], ["0.500"], ["0.500"], False),
              "which takes the cycles of the user where both are counted")


def from_manual(first, last):
    """The lines between two of the manual page, without troff."""
    with open(os.path.join(tap.TOP_SOURCE, "doc/man/hpm-replay.5"),
              encoding="utf-8") as page:
        text = page.read()
    text = text[text.index(first) + len(first):]
    return text[:text.index(last)].replace("\\-", "-")


def test_manual():
    example = os.path.join(tap.TOP_SOURCE, "doc/examples/matmul.replay")
    with open(example) as file:
        text = file.read()
    equal(from_manual("among the examples:\n.PP\n.RS 4\n.EX\n", ".EE"), text,
          "the file in hpm-replay(5) is the one among the examples")
    report = from_manual("./matmul\\fP\n", ".EE")
    with folder() as where:
        result = run([MATMUL, "20"], folder=where, HPM_SOURCE="replay",
                     HPM_REPLAY=example, HPM_REPORT="stderr")
        equal((result.returncode,
               result.stderr.decode()[:len(report)]), (0, report),
              "and makes the report in hpm-replay(5)")
    message = from_manual("what the library expected:\n.PP\n.RS 4\n.EX\n",
                          ".EE")
    with folder() as where:
        with open(os.path.join(where, "matmul.replay"), "w") as file:
            file.write(text.replace("20000 ", "2OOOO ", 1).replace(
                "# thread, time in ns, counts since the program's begin\n", ""))
        result = run([MATMUL, "20"], folder=where, HPM_SOURCE="replay",
                     HPM_REPLAY="matmul.replay")
        equal(result.stderr.decode(), message.replace("\\(aq", "'"),
              "and a mistake the message there")


DOORS = ("C-at", "C", "C-x-at", "C-x", "f_hpm-at", "f_hpm-x-at", "f_hpm",
         "f_hpm-x", "f_hpm-short", "f_hpm-short-wide")


def test_doors():
    """The same values by whatever entry a section comes, first calls and later
    ones: each edge has the sample of its own instant."""
    samples = """events a
         0    0    0
         0   10    1   # inner, for the first time
         0   20    3
         0   40    7   # again, and known
         0   50   15
         0   80   31
         0   90   63
         0  100  127   # outer
         0  200 1000   # outer, known
         0  300 3000
         0  400 7000
         0  500 9000
      """
    steps = ("0+1=outer 0+2=inner 0-2 0+2=inner 0-2 0+2=inner 0-2 0-1 "
             "0+1=outer 0+2=inner 0-2 0-1")
    for door in DOORS:
        check(f"through {door}", f"door={door} {steps}", samples,
              ["0 outer 2, time 400/270 mean 200 sdev 141.421356, "
               "a 8127/4085 mean 4063.5 sdev 5567.051688281688",
               "0 outer>inner 4, time 130/130 mean 32.5 sdev 45, "
               "a 4042/4042 mean 1010.5 sdev 1993.0421470706533"])
        check(f"a process section through {door}",
              f"door={door} 0+1=outer 0p+2=inner 0p-2 0p+2=inner 0p-2 0-1",
              "events a\n0 0 0\n-1 10 1\n-1 20 3\n-1 40 7\n-1 50 15\n"
              "0 60 100\n",
              ["-1 inner 2, time 20/20 mean 10 sdev 0, "
               "a 10/10 mean 5 sdev 4.242640687119285",
               "0 outer 1, time 60/60 mean 60, a 100/100 mean 100"])


WHOLE = """events cycles/cycles instructions%s
-1 0 0 0%s
-1 10000000000 30000000000 20000000000%s
"""


def of_run(where, *columns):
    """What hpmcount's file says of a run of samples, by name: resources, counters and
    metrics; and the machine's numbers."""
    names = "".join(" " + name for name, _ in columns)
    values = "".join(f" {value}" for _, value in columns)
    with open(os.path.join(where, "w.replay"), "w", encoding="utf-8") as file:
        file.write(WHOLE % (names, " 0" * len(columns), values))
    out = os.path.join(where, "w.hpm.xml")
    result = run([HPMCOUNT, "-o", out, "sh", "-c", "i=0; while [ $i -lt 9999 ]; "
                  "do i=$((i + 1)); done"], HPM_SOURCE="replay",
                 HPM_REPLAY=os.path.join(where, "w.replay"))
    root = ET.parse(out).getroot()
    os.unlink(out)
    shown = {d.get("name"): d.get("value") for d in root.iter("data")}
    machine = root.find("Machine")
    return (shown, [r.get("name") for r in root.iter("Resource")],
            [word for word in ("cpus", "allowed", "mhz") if word in
             machine.attrib], result.stderr.decode())


def test_real_numbers():
    """What is real of a replayed run is in no metric beside what is replayed."""
    with folder() as where:
        shown, resources, numbers, said = of_run(where)
        ok(shown.get("IPC", "").startswith("0.666") and resources == numbers == []
           and not [name for name in shown if name in
                    ("CPU_TIME", "UTILISATION", "PAGE_FAULT_RATE",
                     "PREEMPTION_RATE", "CPU_EFFICIENCY")],
           "getrusage and the processors are not those of what is replayed",
           (shown, resources, numbers))
        ok("processor time   not among the samples" in said and
           "stands out       IPC" in said, "as the first screen says", said)
        shown, _, _, said = of_run(where, ("task-clock", 9 * 10 ** 9),
                                   ("ru::minflt", 5))
        equal((shown.get("UTILISATION"), shown.get("PAGE_FAULT_RATE")),
              ("90", None), "a replayed clock is processor time")
        ok("processor time   9.000 s" in said, "on the first screen, too", said)


test_sections()
test_real_numbers()
test_doors()
test_left_out()
test_open_elsewhere()
test_states()
test_ends()
test_bad_files()
test_variables()
test_domains()
test_manual()
tap.done()
