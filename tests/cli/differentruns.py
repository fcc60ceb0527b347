# SPDX-License-Identifier: BSD-3-Clause
"""A metric whose inputs no run counted together has its mark, however many runs
were put together, and however often: in every report, and in what is made of
the result."""

import csv
import io
import json
import os
import re
import xml.etree.ElementTree as ET

import tap
from tap import HPM, equal, folder, ok, run

WORDS = "no run counted all of its inputs"
MIXED = "BRANCH_MISP_PCT"


def datum(name, value):
    return (f'    <data name="{name}" value="{value}" exclusive="{value}" '
            f'kind="counter"/>\n')


def file_of(counts, number, task=0):
    counters = "".join(f'    <Counter name="{name}" source="kernel" '
                       f'domain="user" state="counted"/>\n' for name in counts)
    data = "".join(datum(name, value) for name, value in counts.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
        f'  <Run task="{task}" program="app" job="7" pid="{number}" '
        f'start="2026-11-20T{number // 60:02}:{number % 60:02}:00.000Z" '
        'seconds="2.000000000">\n  </Run>\n'
        f'  <Machine task="{task}" host="a" cpus="8" pmu="skl"/>\n'
        f'  <Counters task="{task}">\n{counters}  </Counters>\n'
        f'  <InstrumentationPt lid="a.c1" disp="true" tid="0" task="{task}" '
        'label="work" file="a.c" linestart="1" lineend="9" scope="thread" '
        'inst="1" id="1">\n'
        '    <data name="Count" value="4" kind="counter"/>\n'
        '    <data name="ExcSec" value="2.000000000" kind="time" unit="s"/>\n'
        '    <data name="IncSec" value="2.000000000" kind="time" unit="s"/>\n'
        f'{data}  </InstrumentationPt>\n  <End records="1"/>\n'
        '</HPMPerformanceFile>\n')


def write(where, name, text):
    with open(os.path.join(where, name), "w") as file:
        file.write(text)


def hpm(where, *arguments):
    return run([HPM, *arguments], folder=where)


CYCLES = {"cycles": 4000000000, "instructions": 3000000000}
BRANCHES = {"branches": 500000000}
MISSES = {"branch-misses": 2000000}


def write_runs(where, n, task=0, both_at=()):
    """Of n runs the last but one counts branches, the last one misses of them;
    those of `both_at` count both."""
    names = []
    for number in range(1, n + 1):
        counts = dict(CYCLES)
        if number == n - 1 or number in both_at:
            counts.update(BRANCHES)
        if number == n or number in both_at:
            counts.update(MISSES)
        names.append(f"t{task}-{number:03}.xml")
        write(where, names[-1], file_of(counts, number, task))
    return names


def lists(where, name):
    """Per task: the runs of each counter."""
    return {counters.get("task", "0"):
            {c.get("name"): c.get("runs") for c in counters}
            for counters in ET.parse(os.path.join(where, name)).iter("Counters")}


def rows(where, name):
    """Per metric what CSV remarks of it, and why."""
    result = hpm(where, "report", "--format", "csv", name)
    return {(r["section"], r["metric"]): (r["remarks"], r["reason"])
            for r in csv.DictReader(io.StringIO(result.stdout.decode()))}


def is_marked(where, name, metric=MIXED, section="work"):
    remarks, reason = rows(where, name)[section, metric]
    return "doubtful" in remarks and reason == WORDS


def test_many():
    for n in (4, 63, 64, 65, 70, 200):
        with folder() as where:
            files = write_runs(where, n)
            result = hpm(where, "integrate", "-o", "all", *files)
            runs = lists(where, "all")["0"]
            ok(result.returncode == 0 and runs == {
                "cycles": None, "instructions": None, "branches": str(n - 1),
                "branch-misses": str(n)},
               f"{n} runs: the file says which counted what", (result, runs))
            ok(is_marked(where, "all") and not is_marked(where, "all", "IPC"),
               f"{n} runs: what no run counted together is marked, the rest is "
               "not", rows(where, "all"))
            write_runs(where, n, both_at=(n // 2,))
            hpm(where, "integrate", "-o", "some", *files)
            equal(lists(where, "some")["0"]["branches"], f"{n // 2} {n - 1}",
                  f"{n} runs: two counted branches")
            ok(not is_marked(where, "some"),
               f"{n} runs: what one run counted together is not marked",
               rows(where, "some"))


def test_formats():
    with folder() as where:
        hpm(where, "integrate", "-o", "all", *write_runs(where, 70))
        text = hpm(where, "report", "all").stdout.decode()
        objects = json.loads(hpm(where, "report", "--format", "json",
                                 "all").stdout)
    lines = [line for line in text.splitlines() if MIXED in line]
    ok("?" in lines[0] and lines[1].endswith(WORDS), "text: marked, says why",
       text)
    ok(f"     with  {MIXED} 0.400 % ?\n" in text and
       not any(f"{MIXED} 0.4" in line and "in section" in line
               for line in lines),
       "a hint of another metric shows it with its mark, none is made of it",
       text)
    found = [d for d in objects["data"] if d["metric"] == MIXED]
    ok(found and all(d["reason"] == WORDS and d["verdict"] is None
                     for d in found), "JSON: no verdict, says why", found)


def test_again():
    """What is made of results keeps it: nothing there was counted together
    that was not before."""
    with folder() as where:
        first = write_runs(where, 4)
        hpm(where, "integrate", "-o", "all", *first)
        write(where, "more", file_of({**CYCLES, "page-faults": 5}, 300))
        result = hpm(where, "integrate", "-o", "twice", "all", "more")
        ok(result.returncode == 0 and lists(where, "twice")["0"] == {
            "cycles": None, "instructions": None, "page-faults": "1",
            "branches": "2", "branch-misses": "3"} and
           is_marked(where, "twice") and not is_marked(where, "twice", "IPC"),
           "a result put together with another run: marked as before",
           (result, lists(where, "twice"), rows(where, "twice")))
        os.mkdir(os.path.join(where, "later"))
        for number, name in enumerate(first):
            with open(os.path.join(where, name)) as file:
                text = file.read()
            write(where, "later/" + name,
                  text.replace("2026-11-20", "2026-11-21"))
        hpm(where, "integrate", "-o", "all2", *["later/" + n for n in first])
        for command in ("mean", "diff"):
            result = hpm(where, command, "-o", command, "all", "all2")
            ok(result.returncode == 0 and
               lists(where, command) == lists(where, "all") and
               is_marked(where, command),
               f"hpm {command} of two such results: marked",
               (result, lists(where, command), rows(where, command)))
        hpm(where, "integrate", "-o", "all3", first[0], first[2], first[3],
            *["later/" + n for n in first[:1]])
        result = hpm(where, "mean", "-o", "mean2", "all2", "all3")
        ok(result.returncode == 0 and is_marked(where, "mean2") and
           not is_marked(where, "mean2", "IPC"),
           "a mean of results with other runs: marked",
           (result, lists(where, "mean2"), rows(where, "mean2")))


def test_tasks():
    """Each task has its own lists."""
    with folder() as where:
        hpm(where, "integrate", "-o", "a", *write_runs(where, 4, both_at=(1,)))
        hpm(where, "integrate", "-o", "b", *write_runs(where, 4, task=1))
        result = hpm(where, "merge", "-o", "ab", "a", "b")
        ok(result.returncode == 0 and
           lists(where, "ab") == {"0": lists(where, "a")["0"],
                                  "1": lists(where, "b")["1"]},
           "a merge keeps them", (result, lists(where, "ab")))
        ok(is_marked(where, "ab") and not is_marked(where, "ab", "IPC"),
           "what one task has of different runs marks the sum of all",
           rows(where, "ab"))
        found = hpm(where, "report", "--by", "task", "--format", "csv",
                    "ab").stdout.decode()
        marks = {r["task"]: "doubtful" in r["remarks"] for r in
                 csv.DictReader(io.StringIO(found)) if r["metric"] == MIXED and
                 r["section"] == "work"}
        equal(marks, {"0": False, "1": True}, "and that task alone")


def test_different_means():
    """A mean over some runs beside a mean over others is as good as the runs
    are alike."""
    words = "combines means over different runs, which differ"
    for factor, names in ((1.01, set()), (1.4, {"IPC", "CPI", "MIPS"})):
        more = dict(CYCLES, instructions=round(3000000000 * factor))
        del more["cycles"]
        with folder() as where:
            write(where, "r1", file_of(CYCLES, 1))
            write(where, "r2", file_of({**more, **BRANCHES}, 2))
            write(where, "r3", file_of({**CYCLES, **MISSES}, 3))
            result = hpm(where, "integrate", "-o", "all", "r1", "r2", "r3")
            found = {metric: reason for (_, metric), (marks, reason) in
                     rows(where, "all").items() if "doubtful" in marks}
            marked = {name for name in found if found[name] == words}
            far = set(re.findall("[A-Z_]+", re.findall(
                r"their events: ([^;]*);|$", result.stderr.decode())[0]))
            text = hpm(where, "report", "all").stdout.decode()
            data = json.loads(hpm(where, "report", "--format", "json",
                                  "all").stdout)["data"]
            hpm(where, "integrate", "-o", "alike", "r1", "r3")
        ok(far <= marked and (names - {"MIPS"} <= marked if factor > 1.1 else
                              not marked),
           f"instructions differ by {factor}: marked are {sorted(marked)}",
           (far, found))
        if names:
            line = [line for line in text.splitlines()
                    if line.startswith("  IPC ")]
            # the sentence may take several lines
            ok("?" in line[0] and re.search(
                r"\bIPC(, \w+)*: " + re.escape(words[:20]), " ".join(text.split())),
               "text has the mark, and says why", text)
            ok({d["metric"] for d in data if d["reason"] == words} == marked,
               "JSON, too", data[:3])


def test_strange_lists():
    """A list that nobody can read goes with no other."""
    with folder() as where:
        hpm(where, "integrate", "-o", "all", *write_runs(where, 4,
                                                         both_at=(1, 2)))
        with open(os.path.join(where, "all")) as file:
            text = file.read()
        for strange in ("x", "-1 2 3", "0", "1 2 3 4 x", "none",
                        "1 2 99999999999999999999"):
            write(where, "strange", text.replace('runs="1 2 3"',
                                                 f'runs="{strange}"'))
            ok(is_marked(where, "strange"), f"runs={strange!r}: marked",
               rows(where, "strange"))
        for fine in ("2 1", " 1  3 18446744073709551615 ", "1 1 1"):
            write(where, "fine", text.replace('runs="1 2 3"',
                                              f'runs="{fine}"'))
            ok(not is_marked(where, "fine"), f"runs={fine!r}: not marked",
               rows(where, "fine"))


test_many()
test_formats()
test_again()
test_tasks()
test_different_means()
test_strange_lists()
tap.done()
