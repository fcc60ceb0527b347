# SPDX-License-Identifier: BSD-3-Clause
"""Counters that take turns: what files and reports say of them, beside a slow
model that knows every sample."""

import csv
import io
import math
import os
import random
import xml.etree.ElementTree as ET

import tap
from tap import HPM, equal, files, folder, ok, program, run

EDGES = program("tests/programs/edges")
SLICE, STEP = 4000000, 250000


class Step:
    """What was used: count, enabled, running."""

    def __init__(self, begin, end, inside=None):
        inside = inside or [0, 0, 0]
        self.count, self.enabled, self.running = (
            e - b - i for b, e, i in zip(begin, end, inside))


class Calls:
    """Those of a section of a thread, of which short ones are a step together;
    a stop that is due to end slices ends it, too."""

    def __init__(self):
        self.steps, self.open, self.slice = [], None, 0

    def add(self, begin, end):
        if self.open is None:
            self.open = Step(begin, end)
        else:
            call = Step(begin, end)
            self.open.count += call.count
            self.open.enabled += call.enabled
            self.open.running += call.running
        is_due = end[1] - self.slice >= SLICE
        if is_due:
            self.slice = end[1]
        if is_due or self.open.enabled >= STEP:
            self.end()

    def end(self):
        if self.open is not None:
            self.steps.append(self.open)
        self.open = None
        return self.steps


def windows_of(steps):
    n, last = 0, None
    for step in steps:
        if step.running and not (
                last and last.running and
                (last.running == last.enabled or step.running == step.enabled)):
            n += 1
        last = step
    return n


def error_of(steps):
    """Delete-a-block jackknife over blocks of 2^k steps, at most 16."""
    length = 1
    while length * 16 < len(steps):
        length *= 2
    blocks = [steps[i:i + length] for i in range(0, len(steps), length)]
    count, enabled, running = (
        sum(getattr(s, name) for s in steps)
        for name in ("count", "enabled", "running"))
    without = []
    for block in blocks:
        rest = running - sum(s.running for s in block)
        if rest <= 0:
            return None, 0
        without.append((count - sum(s.count for s in block)) / rest * enabled)
    mean = sum(without) / len(without)
    error = math.sqrt((len(blocks) - 1) / len(blocks) *
                      sum((w - mean) ** 2 for w in without))
    return error, min(len(blocks), windows_of(steps)) - 1


def told(steps):
    """State, value, error, windows, freedom that the file is to have."""
    steps = [s for s in steps if s.enabled or s.count]
    count, enabled, running = (
        sum(getattr(s, name) for s in steps)
        for name in ("count", "enabled", "running"))
    if running == enabled:
        return "counted", count, None, None, None
    if running == 0:
        return "unscheduled", None, None, None, None
    n = windows_of(steps)
    error, freedom = error_of(steps)
    if n < 4 or error is None:
        return "brief", None, None, n, None
    value = (count * enabled + running // 2) // running
    return "shared", value, error, n, freedom


class Counter:
    """Has the hardware every other time, and counts at a rate that changes."""

    def __init__(self, random_numbers, on, off):
        self.random, self.on, self.off = random_numbers, on, off
        self.time = self.count = self.running = 0
        self.offset = random_numbers.randrange(on + off)

    def sample(self):
        return [self.count, self.time, self.running]

    def run(self, length):
        rate = self.random.choice((1, 3))
        for _ in range(length // 1000):
            self.time += 1000
            if (self.time + self.offset) % (self.on + self.off) < self.on:
                self.running += 1000
                self.count += rate * 1000


def line(thread, sample):
    count, enabled, running = sample
    return f"{thread} {enabled} {count}:{enabled}:{running}"


def read_data(path, name="a"):
    """By label: the attributes of the counter."""
    return {e.get("label"): next((d.attrib for d in e.findall("data")
                                  if d.get("name") == name), None)
            for e in ET.parse(path).getroot()
            if e.tag in ("InstrumentationPt", "Outside")}


def is_told(got, steps):
    state, value, error, windows, freedom = told(steps)
    if got.get("state", "counted") != state:
        return False
    if value is None:
        return "value" not in got and "error" not in got
    if int(got["value"]) != value:
        return False
    if state == "counted":
        return "error" not in got and "share" not in got
    return (math.isclose(float(got["error"]), error, rel_tol=1e-6,
                         abs_tol=1e-6 * value) and
            int(got["windows"]) == windows and int(got["freedom"]) == freedom)


def measure(where, steps, lines, name="x"):
    path = os.path.join(where, name + ".replay")
    with open(path, "w", encoding="utf-8") as file:
        file.write("events a\n" + "\n".join(lines) + "\n")
    result = run([EDGES] + steps, folder=where, HPM_SOURCE="replay",
                 HPM_REPLAY=path)
    equal(result.returncode, 0, "the program's status")
    return [p for p in files(where) if p.endswith(".hpm.xml")][-1]


def test_random_calls():
    """A section called again and again, of any length."""
    numbers = random.Random(5)
    n_right, states = 0, set()
    for round_number in range(40):
        on, off = numbers.choice(((4000000, 4000000), (3000000, 1000000),
                                  (10000, 20000), (50000, 1)))
        counter = Counter(numbers, on, off)
        calls, lines, steps = Calls(), [], []
        length = numbers.choice((2000, 20000, 300000))
        for _ in range(numbers.choice((1, 3, 20, 90, 400))):
            begin = counter.sample()
            counter.run(numbers.randrange(1000, length))
            end = counter.sample()
            calls.add(begin, end)
            lines += [line(0, begin), line(0, end)]
            steps += ["0+1=f", "0-1"]
            counter.run(numbers.randrange(1000, length))
        with folder() as where:
            got = read_data(measure(where, steps, lines))["f"]
        calls = calls.end()
        n_right += is_told(got, calls)
        states.add(got.get("state", "counted"))
        if not is_told(got, calls):
            print("#", round_number, got, told(calls))
    equal(n_right, 40, "calls of a section: value, error, windows and freedom "
                       "are those of the slow model")
    ok({"shared", "brief"} <= states, "some are too brief, some are not",
       states)


def test_nested(scope):
    """One long call around many: its steps are slices of 4 ms (calls inside a
    process section are a step each, they measure themselves anyway); what is
    exclusive has an error of its own."""
    numbers = random.Random(7)
    counter = Counter(numbers, 4000000, 4000000)
    thread = -1 if scope == "process" else 0
    start, stop = ("0p+", "0p-") if scope == "process" else ("0+", "0-")
    lines, steps = [line(thread, counter.sample())], [start + "1=outer"]
    begin = counter.sample()
    slices, insides, inner = [], [], Calls()
    last, last_slice, covered, before = begin, 0, [0, 0, 0], [0, 0, 0]
    for _ in range(300):
        counter.run(numbers.randrange(1000, 400000))
        a = counter.sample()
        counter.run(numbers.randrange(1000, 400000))
        b = counter.sample()
        lines += [line(thread, a), line(thread, b)]
        steps += [start + "2=inner", stop + "2"]
        inner.add(a, b)
        if scope == "process":
            inner.end()
        covered = [c + y - x for c, x, y in zip(covered, a, b)]
        if b[1] - last_slice >= SLICE:
            slices.append(Step(last, b))
            insides.append(Step(last, b, [c - d for c, d in
                                          zip(covered, before)]))
            last, last_slice, before = b, b[1], covered
    end = counter.sample()
    lines.append(line(thread, end))
    steps.append(stop + "1")
    slices.append(Step(last, end))
    insides.append(Step(last, end, [c - d for c, d in zip(covered, before)]))
    with folder() as where:
        got = read_data(measure(where, steps, lines))
        ok(tap.validates(files(where)) is None if tap.has_xmllint() else True,
           f"{scope}: the file is valid")
    inner = inner.end()
    ok(is_told(got["inner"], inner), f"{scope}: the calls inside",
       (got["inner"], told(inner)))
    outer = dict(got["outer"])
    state, value, error, windows, freedom = told(slices)
    _, own, own_error, _, own_freedom = told(insides)
    equal((outer["state"], int(outer["value"]), int(outer["windows"]),
           int(outer["freedom"])),
          (state, value, windows, min(freedom, own_freedom)),
          f"{scope}: a long call is told by its slices")
    ok(math.isclose(float(outer["error"]), error, rel_tol=1e-6),
       f"{scope}: with their error", (outer, error))
    ok(int(outer["exclusive"]) == own and
       math.isclose(float(outer["error_exclusive"]), own_error, rel_tol=1e-6),
       f"{scope}: and the exclusive value's", (outer, own, own_error))


def test_report():
    """What is known of estimates is in CSV and text, and in metrics."""
    numbers = random.Random(11)
    counter = Counter(numbers, 4000000, 4000000)
    lines, steps = [], []
    for i in range(81):
        label = "long" if i < 80 else "brief"
        for step in (f"0+{1 + i // 80}={label}", f"0-{1 + i // 80}"):
            count, time, running = counter.sample()
            lines.append(f"0 {time} {2 * count}:{time}:{running} "
                         f"{count}:{time}:{running}")
            steps.append(step)
            counter.run(600000)
    with folder() as where:
        path = os.path.join(where, "x.replay")
        with open(path, "w", encoding="utf-8") as file:
            file.write("events cycles instructions\n" + "\n".join(lines) + "\n")
        run([EDGES] + steps, folder=where, HPM_SOURCE="replay",
            HPM_REPLAY=path)
        path = [p for p in files(where) if p.endswith(".hpm.xml")][0]
        told = read_data(path, "cycles")["long"]
        table = {(r["section"], r["metric"]): r for r in csv.DictReader(
            io.StringIO(run([HPM, "report", "--format", "csv",
                             path]).stdout.decode()))}
        text = run([HPM, "report", path]).stdout.decode()
    row = table["long", "cycles"]
    ok(row["state"] == "shared" and row["windows"] == told["windows"] and
       float(row["interval"]) > 2 * float(told["error"]) > 0,
       "CSV: on-windows and interval of an estimate", (row, told))
    ipc = table["long", "IPC"]
    ok(abs(float(ipc["value"]) - 0.5) < 1e-6 and
       float(ipc["interval"]) > 0 and ipc["verdict"] == "",
       "a metric has the error of what it is made of, and no verdict", ipc)
    row = table["brief", "cycles"]
    ok(row["value"] == "" and row["interval"] == "" and
       row["state"] in ("brief", "unscheduled"),
       "too short to tell: no number", row)
    ok(" +-" in text, "text: how far an estimate can be off", text)


test_random_calls()
test_report()
test_nested("thread")
test_nested("process")
tap.done()
