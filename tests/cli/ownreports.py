# SPDX-License-Identifier: BSD-3-Clause
"""What a run says of itself, hpmcount's report and HPM_REPORT, is what hpm report
and hpmviz say of the file it wrote.

Runs have counts made by chance (HPM_SOURCE=replay) and definitions made by
chance; the seed is printed, and can be given in HPM_TEST_SEED.  HPM_TEST_FILES
says how many of each kind.  Then some real runs."""

import os
import random
import re
import tempfile

import doors
import tap
from author import EVENTS, Author
from doors import ask, picked, read_csv
from reports import write
from tap import HPMCOUNT, ok, program, run

FILES = int(os.environ.get("HPM_TEST_FILES", "20"))
SEED = tap.seed()
EDGES = program("tests/programs/edges")

# Of these a verdict is likely, and a hint.
DEFINITIONS = """
ratio AA = EV_A / EV_B  bad > 50 good < 10  range 0, 100  label "a part"
    why "it is bad"  next BASIC  try "something else"
    timebase SECONDS  explains AA
compute SECONDS = time::wall  label "all that passed"
ratio BB = 100 * EV_C / EV_B  bad < 20 good > 2000  label "without a range"
    why "it is small"  next BASIC  try "more of it"  timebase SECONDS
    explains BB
compose DD = EV_A + EV_D  bad > 5000  label "in parts"
ratio RATE = EV_A / time::wall  bad > 9000  good < 2  label "a rate"
"""


# ---- counts made by chance ---------------------------------------------------

class Column:
    """What one event says in the lines of a thread: it grows."""

    def __init__(self, chance):
        self.chance = chance
        self.kind = chance.choice(["count", "count", "count", "turns", "lost"])
        self.most = chance.choice([1, 10, 100, 10 ** 4, 10 ** 4, 10 ** 9])
        self.count = self.enabled = self.running = 0

    def step(self):
        self.count += self.chance.choice([0, self.chance.randint(0, self.most)])
        if self.kind == "lost" and self.chance.random() < 0.2:
            self.kind = "gone"
        if self.kind == "gone":
            return "-"
        if self.kind != "turns":
            return str(self.count)
        enabled = self.chance.randint(0, 1000)
        self.enabled += enabled
        self.running += self.chance.choice(
            [0, enabled, enabled * 9 // 10, self.chance.randint(0, enabled)])
        return f"{self.count}:{self.enabled}:{self.running}"


class Samples:
    """The lines of a replay file."""

    def __init__(self, chance):
        self.chance = chance
        self.names = [name for name in EVENTS if chance.random() < 0.8]
        self.names = self.names or EVENTS[:1]
        self.columns, self.times, self.lines = {}, {}, []

    def add(self, tid):
        columns = self.columns.setdefault(
            tid, [Column(self.chance) for _ in self.names])
        self.times[tid] = self.times.get(tid, 0) + self.chance.choice(
            [0, self.chance.randint(0, 10 ** 4), 10 ** 6,
             self.chance.randint(0, 10 ** 10)])
        self.lines.append(" ".join(
            [str(tid), str(self.times[tid])] +
            [column.step() for column in columns]))

    def write(self, where):
        return write(where, "x.replay", "\n".join(
            [f"events {' '.join(self.names)}"] + self.lines) + "\n")


def write_definitions(where, chance):
    """(paths as in HPM_DEFS, names of metrics)"""
    author = Author(chance)
    texts = author.write(chance.randint(1, 2))
    paths = [write(where, f"{i}.hpm", text) for i, text in enumerate(texts)]
    paths.append(write(where, "own.hpm", DEFINITIONS))
    return ":".join(paths), set(author.metrics) | {"AA", "BB", "DD", "RATE"}


# ---- hpmcount ----------------------------------------------------------------

def count(where, report, **variables):
    """A report of hpmcount, and its file."""
    path, log = os.path.join(where, "run"), os.path.join(where, "log")
    for old in (path, log):
        if os.path.exists(old):
            os.unlink(old)
    result = run([HPMCOUNT, "-v", "-o", path, "--log", log, *report], **variables)
    with open(log, encoding="utf-8") as file:
        return file.read(), path, result.stderr.decode()


def check_file(where, path, said, table, name, faults, wanted, **variables):
    """All forms of hpm report, and the window, beside the table of a file."""
    own = picked(table, wanted)
    text = ask(path, COLUMNS="100", **variables)
    doors.check_text(text, table, name, faults, wanted)
    doors.check_json([path], own, name, faults, wanted, **variables)
    for view in ("task", "thread"):
        lines = picked(read_csv(ask("--by", view, "--format", "csv", path,
                                    **variables)), wanted)
        if sorted(row[3:] for row in lines) != sorted(row[3:] for row in own):
            faults.append((name, "by " + view, own, lines))
    if doors.hints(said) != doors.hints(text):
        faults.append((name, "hints", doors.hints(said), doors.hints(text)))
    if os.path.exists(doors.VIEWER):
        doors.check_viewer(where, [path], text, own, name, faults, wanted,
                           **variables)


def check_counted(where, number, chance, faults):
    samples = Samples(chance)
    for _ in range(chance.randint(1, 5)):
        samples.add(-1)
    paths, wanted = write_definitions(where, chance)
    events = samples.names + ["EV_I"] * (chance.random() < 0.2)
    name = f"run {number}"
    variables = {"HPM_SOURCE": "replay", "HPM_REPLAY": samples.write(where),
                 "HPM_DEFS": paths}
    options = ["-e", ",".join(events), "true"]
    said, path, stderr = count(where, options, **variables)
    table = read_csv(ask("--format", "csv", path, **variables))
    doors.check_run(said, table, name, faults)
    check_file(where, path, said, table, name, faults, wanted, **variables)
    said, path, _ = count(where, ["--format", "csv"] + options, **variables)
    own = read_csv(said)
    table = read_csv(ask("--format", "csv", path, **variables))
    doors.check_table(own, table, name, faults)
    return [row for row in table if row["metric"] in wanted], stderr


def test_counted():
    chance = random.Random(SEED)
    faults, rows = [], []
    with tempfile.TemporaryDirectory(prefix="hpm-ownreports-") as where:
        for number in range(FILES):
            rows += check_counted(where, number, chance, faults)[0]
            if len(faults) > 20:
                break
    ok(not faults, f"{FILES} runs of hpmcount with counts made by chance, "
       f"{len(rows)} values, all doors",
       f"HPM_TEST_SEED={SEED}\n" + "\n".join(map(str, faults)))
    said = {row["verdict"] for row in rows}
    ok(said == {"", "bad", "neutral", "good"} or FILES < 20,
       "with every verdict", said)
    if not os.path.exists(doors.VIEWER):
        tap.skip("hpmviz", "not built")


# ---- HPM_REPORT --------------------------------------------------------------

class Walk:
    """Steps of threads through sections, each of which is on one path only, and
    the sample that each start and stop takes."""

    def __init__(self, chance, samples):
        self.chance, self.samples, self.steps = chance, samples, []
        self.parents = {1: None}
        for section in range(2, chance.randint(2, 6)):
            self.parents[section] = chance.choice([None, *self.parents])

    def edge(self, tid, word):
        self.steps.append(f"{tid}{word}")
        self.samples.add(-1 if word.startswith("p") else tid)

    def go(self, tid):
        stack = []
        for _ in range(self.chance.randint(1, 12)):
            top = stack[-1] if stack else None
            below = [section for section, parent in self.parents.items()
                     if parent == top]
            if below and self.chance.random() < 0.6:
                stack.append(self.chance.choice(below))
                self.edge(tid, f"+{stack[-1]}=s{stack[-1]}")
            elif stack:
                self.edge(tid, f"-{stack.pop()}")
        for section in reversed(stack):
            self.edge(tid, f"-{section}")


def make_walk(chance, samples):
    walk = Walk(chance, samples)
    has_process = chance.random() < 0.5
    if has_process:
        walk.edge(0, "p+9=all")
    for tid in range(chance.randint(1, 3)):
        walk.go(tid)
    if has_process:
        walk.edge(0, "p-9")
    return walk.steps


def table_of_report(text, names):
    """(section, thread) -> the cells of a line."""
    lines = {}
    cells = r"\s+(\S+ \+-\S+(?: %)?|too short|\S+)"
    line = re.compile(r"^ *(\S+)( \?)?\s+(all|\d+)" + cells * (4 + len(names)))
    for words in map(line.match, text.splitlines()):
        if words:
            section, mark, thread, *values = words.groups()
            lines[section, "-1" if thread == "all" else thread] = (mark, values)
    return lines


def shown(row, decimals=None):
    """A value of the table as HPM_REPORT shows it."""
    if row["state"] == "brief":
        return "too short"
    if row["value"] == "":
        return "-"
    if decimals is not None:
        return f"{float(row['value']):,.{decimals}f}"
    return f"{int(row['value']):,}"


def check_reported(where, number, chance, faults):
    samples = Samples(chance)
    steps = make_walk(chance, samples)
    path, report = os.path.join(where, "out"), os.path.join(where, "report")
    for old in (path, report):
        if os.path.exists(old):
            os.unlink(old)
    result = run([EDGES, *steps], HPM_SOURCE="replay", HPM_OUTPUT_NAME=path,
                 HPM_REPLAY=samples.write(where), HPM_REPORT=report,
                 HPM_EVENTS=",".join(samples.names))
    with open(report, encoding="utf-8") as file:
        text = file.read()
    lines = table_of_report(text, samples.names)
    table = [row for row in read_csv(ask("--by", "thread", "--format", "csv",
                                         path))
             if row["section"] != "(outside sections)"]
    kinds = ["Count", "IncSec", "ExcSec", "share"] + samples.names
    for row in table:
        if row["kind"] == "metric":
            continue
        cells = lines.get((row["section"], row["thread"]), (None, []))[1]
        said = dict(zip(kinds, cells)).get(row["metric"], "missing")
        expected = shown(row, 6 if row["kind"] == "time" else None)
        if said.split(" +-")[0] != expected:
            faults.append((number, steps, doors.known(row), said, expected,
                           result.stderr))
    if {(row["section"], row["thread"]) for row in table} != set(lines):
        faults.append((number, steps, "sections", text))
    return len(table)


def test_reported():
    chance = random.Random(SEED + 1)
    faults, n = [], 0
    with tempfile.TemporaryDirectory(prefix="hpm-ownreports-") as where:
        for number in range(FILES):
            n += check_reported(where, number, chance, faults)
            if len(faults) > 20:
                break
    ok(not faults, f"{FILES} programs with HPM_REPORT and counts made by "
       f"chance, {n} values",
       f"HPM_TEST_SEED={SEED}\n" + "\n".join(map(str, faults)))


# ---- real runs -----------------------------------------------------------------

RUNS = [["true"], ["sh", "-c", "exit 3"], ["sleep", "0.03"],
        ["sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"],
        ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=30000"],
        ["python3", "-c", "sum(range(300000))"],
        ["sh", "-c", "for i in 1 2 3 4 5 6 7 8; do true & done; wait"],
        ["python3", "-c", "x = [0] * 3000000"]]


def test_runs():
    faults, n = [], 0
    with tempfile.TemporaryDirectory(prefix="hpm-ownreports-") as where:
        for command in RUNS:
            said, path, _ = count(where, command)
            table = read_csv(ask("--format", "csv", path))
            doors.check_run(said, table, command, faults)
            n += len(table)
            said, path, _ = count(where, ["--format", "csv", *command])
            doors.check_table(read_csv(said),
                              read_csv(ask("--format", "csv", path)),
                              command, faults)
    ok(not faults and n > 20, f"{2 * len(RUNS)} real runs: their report and "
       "that of their files", "\n".join(map(str, faults)))


def test_short():
    """HPM_REPORT has no verdicts, but marks what is too short for one."""
    faults = []
    with tempfile.TemporaryDirectory(prefix="hpm-ownreports-") as where:
        for steps in (["0+1=a", "0-1"], ["0+1=a", "0+2=b", "0-2", "0-1"],
                      ["0+1=a", "1+1=a", "0-1", "1-1"],
                      ["0p+5=all", "0+1=a", "0-1", "0p-5"]):
            path = os.path.join(where, "x")
            result = run([EDGES, *steps], HPM_REPORT="stderr",
                         HPM_OUTPUT_NAME=path)
            said = result.stderr.decode()
            table = read_csv(ask("--format", "csv", "--by", "thread", path))
            os.unlink(path)
            short = {row["section"] for row in table
                     if "short" in row["remarks"]}
            marked = set(re.findall(r"^ *(\w+) \?", said, re.M))
            if short != marked:
                faults.append((steps, short, marked, said))
    ok(not faults, "what HPM_REPORT marks as too short the file does",
       "\n".join(map(str, faults)))


print(f"# seed {SEED}")
test_counted()
test_reported()
test_runs()
test_short()
tap.done()
