# SPDX-License-Identifier: BSD-3-Clause
"""What the library reads to measure is not what the program reads: proc::syscr
and proc::rchar have the reads of the program alone, to the last byte."""

import os
import random
import xml.etree.ElementTree as ET

import tap
from tap import HPM, equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
LABEL = "(outside sections)"
SIZE = 10  # bytes of a read of the program
SEED = int(os.environ.get("HPM_TEST_SEED", random.randrange(1 << 30)))
IO = "proc::syscr,proc::rchar,proc::syscw,proc::wchar"


def measure(where, steps, events=IO, **variables):
    """Of each section and what is outside, by thread and label, the calls and
    the bytes read: inclusive, exclusive."""
    result = run([EDGES, *steps], folder=where, HPM_FSYNC="no",
                 HPM_EVENTS=events, **variables)
    if result.returncode != 0 or len(files(where)) != 1:
        ok(False, "the program runs and leaves a file", result)
        return {}
    found = {}
    for element in ET.parse(files(where)[0]).getroot():
        data = {d.get("name"): d.attrib for d in element.findall("data")}
        if "proc::syscr" in data:
            found[int(element.get("tid")), element.get("label")] = tuple(
                int(data[name][field]) for name in ("proc::syscr", "proc::rchar")
                for field in ("value", "exclusive"))
    return found


def reads(inclusive, exclusive):
    return inclusive, exclusive, SIZE * inclusive, SIZE * exclusive


def test_sections():
    often = [step for _ in range(300) for step in ("0+2=inner", "0-2")]
    with folder() as where:
        found = measure(where, ["0+1=outer", *often, "0-1"])
    equal(found, {(0, "outer"): reads(0, 0), (0, "inner"): reads(0, 0),
                  (0, LABEL): reads(0, 0)},
          "of a program that reads nothing nothing is counted")
    with folder() as where:
        found = measure(where, ["0+1=outer", "0r7", *often, "0+2=inner", "0r100",
                                "0-2", "0-1", "0r3"])
    equal(found, {(0, "outer"): reads(107, 7), (0, "inner"): reads(100, 100),
                  (0, LABEL): reads(3, 3)}, "else what it reads")
    with folder() as where:
        found = measure(where, ["0+1=outer", "0r7", *often, "0-1"],
                        events=f"{IO},page-faults,task-clock,proc::run_time")
    equal([found.get((0, label)) for label in ("outer", "inner")],
          [reads(7, 7), reads(0, 0)], "nor are counters that are read beside")


def test_process():
    steps = ["0r20", "0p+9=all", "1r50", "1+1=work", "1r1000", "1-1", "2+1=work",
             "2r200", "2-1", "2r5", "0p-9", "0p+8=later", "0r4", "0p-8"]
    with folder() as where:
        found = measure(where, steps)
    expected = {(1, "work"): reads(1000, 1000), (2, "work"): reads(200, 200),
                (2, LABEL): reads(5, 5), (-1, "all"): reads(1255, 1255),
                (-1, "later"): reads(4, 4), (1, LABEL): reads(0, 0)}
    equal({key: found.get(key) for key in expected}, expected,
          "process sections have the reads of all threads, those before their "
          "first call too")


def random_steps(numbers):
    steps, expected, opened = [], {}, {0: [], 1: [], 2: []}
    for tid in opened:
        steps += [f"{tid}+9=first", f"{tid}-9"]
    for _ in range(60):
        tid, kind = numbers.randrange(3), numbers.choice("+-rr")
        now = opened[tid]
        idle = [i for i in range(5) if i not in now]
        if kind == "+" and idle:
            now.append(numbers.choice(idle))
            steps.append(f"{tid}+{now[-1]}={now[-1]}")
        elif kind == "-" and now:
            steps.append(f"{tid}-{now.pop(numbers.randrange(len(now)))}")
        elif kind == "r":
            n = numbers.randrange(1, 30)
            key = tid, str(now[-1]) if now else LABEL
            steps.append(f"{tid}r{n}")
            expected[key] = expected.get(key, 0) + n
    return steps, expected


def check_random(number):
    steps, expected = random_steps(random.Random(SEED + number))
    found = {}
    with folder() as where:
        result = run([EDGES, *steps], folder=where, HPM_FSYNC="no",
                     HPM_EVENTS=IO)
        for element in ET.parse(files(where)[0]).getroot():
            for data in element.findall("data"):
                if data.get("name") == "proc::rchar":
                    key = int(element.get("tid")), element.get("label")
                    found[key] = (found.get(key, 0) +
                                  int(data.get("exclusive")))
    wrong = {key: n for key, n in found.items()
             if n != SIZE * expected.get(key, 0)}
    return wrong and (" ".join(steps), wrong, result)


def test_random():
    wrong = [w for w in map(check_random, range(10)) if w]
    ok(not wrong, f"10 random programs (seed {SEED}): every read is where it "
       "was made", "\n".join(map(str, wrong)))


def test_hints():
    often = [step for _ in range(2000) for step in ("0+2=inner", "0-2")]
    with folder() as where:
        run([EDGES, "0+1=outer", *often, "0z150", "0-1"], folder=where,
            HPM_FSYNC="no", HPM_METRICS="IO_CALL_RATE,BYTES_PER_CALL")
        text = run([HPM, "report", *files(where)]).stdout.decode()
    ok("IO_CALL_RATE" in text and "larger b" not in text,
       "no hint advises larger reads to a program that reads nothing", text)


if os.access("/proc/self/io", os.R_OK):
    print(f"# HPM_TEST_SEED={SEED}")
    test_sections()
    test_process()
    test_random()
    test_hints()
else:
    tap.skip("reads of the library are not the program's",
             "/proc/self/io cannot be read here")
tap.done()
