# SPDX-License-Identifier: BSD-3-Clause
"""hpm merge --summary: every number of the file is worked out here again from the
tasks' files; what other subcommands say of such a file."""

import json
import os
import xml.etree.ElementTree as ET
from fractions import Fraction

import tap
from tap import HPM, equal, folder, ok, run

N_TASKS, N_THREADS = 7, 3


def number(task, thread, of):
    """A number with no pattern, the same at each run."""
    return 1000003 + (7919 * task + 104729 * thread + 31 * of) % 65537


def record(task, thread):
    seconds = number(task, thread, 1) / 10**9
    return f'''  <InstrumentationPt lid="x.c5" disp="true" tid="{thread}" \
task="{task}" label="solve" file="x.c" linestart="5" lineend="{6 + task}" \
scope="thread" inst="1" id="{thread + 1}">
    <data name="Count" value="{task + 1}" kind="counter"/>
    <data name="ExcSec" value="{seconds:.9f}" kind="time" unit="s"/>
    <data name="IncSec" value="{seconds:.9f}" kind="time" unit="s"/>
    <data name="PAPI_TOT_CYC" value="{number(task, thread, 2)}" \
exclusive="{number(task, thread, 3)}" kind="counter"/>
    <data name="RATE" value="{number(task, thread, 4) / 7!r}" kind="metric"/>
  </InstrumentationPt>
'''


def write_tasks(where, job="j"):
    for task in range(N_TASKS):
        with open(os.path.join(where, f"t{task}.hpm.xml"), "w") as file:
            file.write(
                '<?xml version="1.0" encoding="UTF-8"?>\n'
                '<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
                f'  <Run task="{task}" program="a" job="{job}" '
                f'pid="{100 + task}" start="2026-11-20T11:30:00.12{task}Z" '
                f'seconds="1.00000000{task}" tool="t">\n  </Run>\n'
                f'  <Machine task="{task}" host="n{task // 2}" system="Linux" '
                'arch="x86_64" cpus="4"/>\n' +
                "".join(record(task, i) for i in range(N_THREADS)) +
                f'  <End records="{N_THREADS}"/>\n</HPMPerformanceFile>\n')
    return [f"t{task}.hpm.xml" for task in range(N_TASKS)]


def hpm(where, *words):
    return run([HPM, *words], folder=where)


def read(where, name):
    with open(os.path.join(where, name), "rb") as file:
        return file.read()


def exact(text):
    digits, _, exponent = text.partition("p")
    return int(digits, 16) * Fraction(2) ** int(exponent or 0)


def check_spread(spread, values, places, unit):
    """values: whole numbers or fractions, in ns where unit is 10**9."""
    name = spread["name"]
    n = len(values)
    mean = sum(values) / Fraction(n)
    deviation = float(sum((v - mean) ** 2 for v in values) / n) ** 0.5
    equal((spread["of"], exact(spread["sum"]), exact(spread["squares"])),
          (str(n), sum(values), sum(v * v for v in values)),
          f"{name}: number and exact sums are those of all threads")
    for which, find in (("low", min), ("high", max)):
        at = values.index(find(values))
        equal((Fraction(float(spread[which])).limit_denominator(10**9),
               spread[which + "_task"], spread[which + "_thread"],
               spread[which + "_host"]),
              (Fraction(float(values[at] / Fraction(unit)))
               .limit_denominator(10**9), str(places[at][0]),
               str(places[at][1]), f"n{places[at][0] // 2}"),
              f"{name}: the {which}est value, and where it is")
    ok(abs(float(spread["average"]) * unit - float(mean)) < 1e-9 * float(mean)
       and abs(float(spread["deviation"]) * unit - deviation) <
       1e-9 * deviation, f"{name}: mean and deviation", spread)
    level, *bins = spread["bins"].split(" ")
    counted = 0
    for each in bins:
        edge, n_here = each.split(":")
        edge = Fraction(float(edge))
        power = Fraction(2) ** (int(float(edge)).bit_length() - 1)
        counted += int(n_here) == sum(
            edge <= v < edge + power / 2 ** int(level) for v in values)
    equal((counted, sum(int(each.split(":")[1]) for each in bins)),
          (len(bins), n), f"{name}: each part of the histogram")


def test_numbers(where, names):
    made = hpm(where, "merge", "--summary", "-o", "all.xml", *names)
    equal((made.returncode, made.stderr), (0, b""), "a summary is made")
    ok(b": 7 files, 7 tasks, 21 threads, 1 section," in made.stdout,
       "it says of how many threads", made.stdout)
    if tap.has_xmllint():
        message = tap.validates([os.path.join(where, "all.xml")])
        ok(message is None, "it is valid", message)
    root = ET.parse(os.path.join(where, "all.xml")).getroot()
    equal((root.get("kind"), root.find("Run").get("tasks"),
           root.find("Run").get("count")),
          ("summary", f"0-{N_TASKS - 1}", str(N_TASKS)),
          "it says what it is, and of which tasks")
    points = root.findall("InstrumentationPt")
    equal([(p.get("tid"), p.get("threads"), p.get("tasks"), p.get("lineend"))
           for p in points],
          [("-2", str(N_TASKS * N_THREADS), str(N_TASKS), str(5 + N_TASKS))],
          "one record is of all threads")
    places = [(task, i) for task in range(N_TASKS) for i in range(N_THREADS)]
    values = {"Count": [task + 1 for task, _ in places],
              "ExcSec": [number(*place, 1) for place in places],
              "IncSec": [number(*place, 1) for place in places],
              "PAPI_TOT_CYC": [number(*place, 2) for place in places],
              "RATE": [Fraction(number(*place, 4) / 7) for place in places]}
    data = {d.get("name"): d for d in points[0].findall("data")}
    for spread in points[0].findall("spread"):
        name = spread.get("name")
        unit = 10**9 if name.endswith("Sec") else 1
        check_spread(spread.attrib, values[name], places, unit)
        if name != "RATE":
            equal(Fraction(data[name].get("value")) * unit, sum(values[name]),
                  f"{name}: the value is the total")
    equal(sorted(values), sorted(s.get("name")
                                 for s in points[0].findall("spread")),
          "each time, counter and metric has a spread")
    equal((data["RATE"].get("value"), data["RATE"].get("state")),
          (None, "undefined"), "a metric has no total")
    equal(data["PAPI_TOT_CYC"].get("exclusive"),
          str(sum(number(*place, 3) for place in places)),
          "the exclusive total")


def without_sources(text):
    return [line for line in text.split(b"\n") if b"Source" not in line]


def test_groups(where, names):
    """However the tasks are grouped."""
    hpm(where, "merge", "--summary", "-o", "a.xml", *names[:3])
    hpm(where, "merge", "--summary", "-o", "b.xml", *names[3:4])
    hpm(where, "merge", "--summary", "-o", "c.xml", *names[4:])
    made = hpm(where, "merge", "--summary", "-o", "abc.xml", "c.xml", "a.xml",
               "b.xml")
    ok(made.returncode == 0 and without_sources(read(where, "abc.xml")) ==
       without_sources(read(where, "all.xml")),
       "the summary of summaries is that of all tasks", made)
    ok(b"tasks 0-2 are missing: 3 of 4" in
       hpm(where, "merge", "--summary", "-o", "b2.xml", names[3]).stdout,
       "tasks that are missing are named")
    hpm(where, "merge", "--summary", "-o", "d.xml", *names[2:4])
    made = hpm(where, "merge", "-o", "ad.xml", "a.xml", "d.xml")
    ok(made.returncode == 1 and b"another summary has, too" in made.stderr,
       "a task in two summaries is refused", made)
    made = hpm(where, "merge", "-o", "mixed.xml", "a.xml", names[5])
    ok(made.returncode == 1 and b"of another kind" in made.stderr,
       "a summary and a task are no run", made)


def test_left_out(where, names):
    """File after file, each as hpm merge takes it; a summary names what it lacks, and
    so do its readers and the summary of summaries."""
    with open(os.path.join(where, names[3])) as file:
        text = file.read()
    with open(os.path.join(where, "u.xml"), "w") as file:
        file.write(text.replace('program="a"', 'program="b"'))
    with open(os.path.join(where, "v.xml"), "w") as file:
        file.write(text[:len(text) // 4])
    bad = ["u.xml", "v.xml", "w.xml"]  # the last one is missing
    plain = hpm(where, "merge", "-o", "p.out.xml", *names, *bad)
    made = hpm(where, "merge", "--summary", "-o", "q.out.xml", *names, *bad)
    equal((made.returncode, made.stderr), (1, plain.stderr),
          "files of another run and damaged ones are refused as in a merge")
    hpm(where, "merge", "--summary", "-o", "r.out.xml", "q.out.xml")
    hpm(where, "merge", "--summary", "-o", "s.out.xml", "p.out.xml")
    expected = [("u.xml", "program 'b'"), ("v.xml", "cut off"), ("w.xml", "No such")]
    for name in ("q.out.xml", "r.out.xml", "s.out.xml"):
        left = [(e.get("file"), e.get("reason")) for e in
                ET.parse(os.path.join(where, name)).getroot().iter("LeftOut")]
        ok([file for file, _ in left] == bad and all(
            words in reason for (_, reason), (_, words) in zip(left, expected)),
           f"{name}: they are named in the file, with the reason", left)
    ok(b"3 files were left out" in hpm(where, "report", "q.out.xml").stdout,
       "and a report says so")
    equal(read(where, "q.out.xml"), read(where, "s.out.xml"),
          "file after file is the same as merged before")


def test_forked(where):
    """A forked process among the files: all are read once more, and nothing is said
    twice."""
    for task in range(3):
        with open(os.path.join(where, f"f{task}.xml"), "w") as file:
            file.write(
                '<?xml version="1.0" encoding="UTF-8"?>\n'
                '<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
                f'  <Run task="0" program="{"xaa"[task]}" job="f" pid="{100 + task}" '
                f'start="2026-11-20T11:30:00.12{task}Z" seconds="1" tool="t"'
                f'{" forked_from=" + chr(34) + "101" + chr(34) if task == 2 else ""}>'
                '\n  </Run>\n  <Machine task="0" host="n" system="Linux" '
                'arch="x86_64" cpus="4"/>\n' +
                row(0, [("PAPI_TOT_CYC", 'value="1000"')], "process") +
                '  <End records="1"/>\n</HPMPerformanceFile>\n')
    files = ["f1.xml", "f2.xml", "g.xml"]
    os.rename(os.path.join(where, "f0.xml"), os.path.join(where, "f12.xml"))
    files.insert(1, "f12.xml")  # of another program, and read before the child
    made = hpm(where, "merge", "--summary", "-o", "fork.out.xml", *files)
    root = ET.parse(os.path.join(where, "fork.out.xml")).getroot()
    cycles = [d for d in root.find("InstrumentationPt").findall("data")
              if d.get("name") == "PAPI_TOT_CYC"][0]
    equal((made.returncode, made.stderr.count(b"f12.xml"),
           made.stderr.count(b"g.xml"), cycles.get("value"), cycles.get("partial"),
           sorted(e.get("file") for e in root.iter("LeftOut"))),
          (1, 1, 1, "2000", "yes", ["f12.xml", "g.xml"]),
          "a forked process: as when merged before, and each fault is said once")


def cells(line):
    return line.split()


def test_report(where, names):
    made = run([HPM, "report", "all.xml"], folder=where, COLUMNS="250")
    lines = made.stdout.decode().split("\n")
    ok(lines[0].startswith("a: 7 tasks, 21 threads, 1 section; a summary: "),
       "the report says what it is of", made)
    full = run([HPM, "report", *names], folder=where, COLUMNS="250")
    section = [cells(line) for line in lines if line.startswith("solve ")]
    other = [cells(line) for line in full.stdout.decode().split("\n")
             if line.startswith("solve ")]
    # the slowest thread stands behind the number of threads
    equal([c for c in section[0] if c not in ("6.2", "n3")][:9],
          other[0][:9], "its times and their spread are those of all files")
    named = json.loads(hpm(where, "report", "--format", "json",
                           "all.xml").stdout)
    ok(named["kind"] == "summary", "JSON says the kind, too")
    made = hpm(where, "report", "--by", "thread", "all.xml")
    ok(made.returncode == 2 and b"no values of single tasks" in made.stderr,
       "it shows no threads", made)


def test_diff(where, names):
    made = hpm(where, "diff", "-o", "d.out.xml", "a.xml", "all.xml")
    equal(made.returncode, 0, "two summaries have a difference")
    text = hpm(where, "report", "d.out.xml").stdout.decode()
    ok("a and b are summaries" in text, "whose report says so", text)
    made = hpm(where, "diff", "-o", "e.out.xml", "a.xml", names[0])
    ok(made.returncode == 3 and b"a is a summary" in made.stderr,
       "a summary and a task have none", made)


def row(task, data, scope="thread", more=""):
    tid = "-1" if scope == "process" else "0"
    return (f'  <InstrumentationPt lid="x.c5" disp="true" tid="{tid}" '
            f'task="{task}" label="solve" file="x.c" linestart="5" '
            f'lineend="6" scope="{scope}" inst="1" id="1"{more}>\n'
            '    <data name="Count" value="5" kind="counter"/>\n'
            '    <data name="ExcSec" value="0.5" kind="time" unit="s"/>\n'
            '    <data name="IncSec" value="0.5" kind="time" unit="s"/>\n' +
            "".join(f'    <data name="{name}" {rest} kind="counter"/>\n'
                    for name, rest in data) + "  </InstrumentationPt>\n")


def summary_of(where, rows, runs=("", "")):
    """The record of a summary of two tasks."""
    for task in range(2):
        with open(os.path.join(where, f"u{task}.xml"), "w") as file:
            file.write(
                '<?xml version="1.0" encoding="UTF-8"?>\n'
                '<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
                f'  <Run task="{task}" program="a" job="u" '
                f'pid="{100 + task}" start="2026-11-20T11:30:00.12{task}Z" '
                f'seconds="1" tool="t"{runs[task]}>\n  </Run>\n'
                f'  <Machine task="{task}" host="n" system="Linux" '
                f'arch="x86_64" cpus="4"/>\n{rows[task]}'
                '  <End records="1"/>\n</HPMPerformanceFile>\n')
    if os.path.exists(os.path.join(where, "u.out.xml")):
        os.unlink(os.path.join(where, "u.out.xml"))
    made = hpm(where, "merge", "--summary", "-o", "u.out.xml", "u0.xml",
               "u1.xml")
    ok(made.returncode == 0, "two tasks have a summary", made)
    point = ET.parse(os.path.join(where, "u.out.xml")).getroot().find(
        "InstrumentationPt")
    return point


def test_doubts(where):
    """What a value of a task cannot be used for, that of a summary cannot."""
    shared = ('value="1000" exclusive="1000" state="shared" share="0.25" '
              'error="400" error_exclusive="400" windows="7" freedom="6"')
    counts = [("PAPI_TOT_CYC", shared), ("PAPI_TOT_INS", 'value="3000"')]
    point = summary_of(where, [
        row(task, counts, more=' measured="first calls"')
        for task in range(2)])
    cycles = point.findall("data")[3]
    equal((cycles.get("share"), cycles.get("windows"), cycles.get("error")),
          ("0.25", "14", None),
          "it says for which part of the time a counter was on")
    equal(point.get("measured"), "first calls",
          "and that only first calls were measured")
    text = hpm(where, "report", "u.out.xml").stdout.decode()
    ok(any(line.split()[:3] == ["IPC", "3.000", "?"]
           for line in text.split("\n")),
       "a metric of such a counter has no verdict", text)


def test_metrics(where):
    """Threads of which only the total is known are not said to be alike."""
    summary_of(where, [row(task, [
        ("PAPI_TOT_CYC", 'value="1000"'),
        ("PAPI_TOT_INS", f'value="{100 + 2800 * task}"')])
        for task in range(2)])
    text = hpm(where, "report", "u.out.xml").stdout.decode()
    line = [l.split() for l in text.split("\n") if l.startswith("  IPC ")]
    equal(line[0][1:4], ["1.500", "-", "-"],
          "no verdict, smallest and largest value of a metric that tasks "
          "did not record")


def test_parts(where):
    point = summary_of(where, [
        row(0, [("PAPI_TOT_CYC", 'value="1000" exclusive="100"')]),
        row(1, [("PAPI_TOT_CYC", 'exclusive="70"')])])
    cycles = [d for d in point.findall("data")
              if d.get("name") == "PAPI_TOT_CYC"][0]
    equal([cycles.get(name) for name in ("value", "exclusive", "partial",
                                         "only_exclusive")],
          ["1070", "170", "yes", "70"],
          "exclusive values stand for inclusive ones, as in a merge")
    rows = [row(task, [("PAPI_TOT_CYC", 'value="1000"')], "process")
            for task in range(2)]
    for runs, partial in ((("", ""), None),
                          (("", ' forked_from="100"'), "yes")):
        point = summary_of(where, rows, runs)
        cycles = [d for d in point.findall("data")
                  if d.get("name") == "PAPI_TOT_CYC"][0]
        equal((cycles.get("value"), cycles.get("partial")), ("2000", partial),
              "a sum over a process and the one that forked it is marked")
    ok(b"may have what a forked process did twice" in
       read(where, "u.out.xml"), "and it is said why")


def test_damaged(where):
    """Nothing wrong is believed in a file that somebody has changed."""
    text = read(where, "all.xml").decode()
    for old, new, sentence in (
            ('sum="0x', 'sum="0y', "a sum that is none"),
            (' of="21" low="1"', ' of="22" low="1"',
             "a number that is not that of the histogram"),
            ('tasks="0-6"', 'tasks="0-"', "numbers of tasks that are none")):
        assert old in text, old
        with open(os.path.join(where, "bad.xml"), "w") as file:
            file.write(text.replace(old, new))
        made = hpm(where, "merge", "--summary", "-o", "x.xml", "bad.xml")
        ok(made.returncode == 3 and made.stderr.startswith(b"hpm merge: ") and
           not os.path.exists(os.path.join(where, "x.xml")),
           f"{sentence} is refused", made)


if b"\n  merge " not in run([HPM, "help"]).stdout:
    tap.skip("summaries", "hpm reads no files here (--without-libxml2)")
else:
    with folder() as here:
        files = write_tasks(here)
        test_numbers(here, files)
        test_groups(here, files)
        test_left_out(here, files)
        test_forked(here)
        test_report(here, files)
        test_diff(here, files)
        test_damaged(here)
        test_doubts(here)
        test_metrics(here)
        test_parts(here)
tap.done()
