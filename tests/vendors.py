# SPDX-License-Identifier: BSD-3-Clause
"""Vendors' formulas worked out by themselves, and the same metrics as imported
definitions have them by hpm report of made-up counts: are they the same?

The evaluator here knows vendors' files and Python, and nothing of the importer."""

import gzip
import json
import os
import random
import re
import sys
from fractions import Fraction

import reports
from tap import HPM, run

MHZ = 2500
CPUS = 4
SECONDS = Fraction(8)
TOLERANCE = 1e-9


class Undefined(Exception):
    """A formula that has no value."""


def read(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read().decode()


# ---- what a vendor says -------------------------------------------------------

class Metric:
    """One metric of a vendor: its formula, and what the formula's words mean."""

    def __init__(self, name, formula, meanings=None, scale=1):
        self.name, self.formula = name, formula
        self.meanings = meanings or {}
        self.scale = scale  # shown is the value times this


def scale_of(unit):
    found = re.match(r"[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?(?![0-9.])", unit or "")
    return Fraction(found.group(0)) if found else Fraction(1)


def metrics_of_table(text):
    lines = [line.split("\t") for line in text.splitlines()]
    columns = {name: i for i, name in enumerate(lines[0])}
    if "formula" not in columns:
        return []
    return [Metric(line[0], line[columns["formula"]],
                   scale=scale_of(line[columns["unit"]])) for line in lines[1:]]


def metrics_of_json(root):
    if isinstance(root, list):
        return [Metric(m["MetricName"],
                       m["MetricExpr"].replace("\\", ""),
                       scale=scale_of(m.get("ScaleUnit")))
                for m in root if "MetricExpr" in m]
    if "product_configuration" in root:
        return [Metric(name, m["formula"])
                for name, m in root["metrics"].items()]
    return [Metric(m["MetricName"], m["Formula"],
                   {e["Alias"]: e["Name"]
                    for e in m["Events"] + m["Constants"]})
            for m in root.get("Metrics", [])]


def metrics_of(path):
    text = read(path)
    if text.lstrip()[:1] in "[{":
        found = metrics_of_json(json.loads(text))
    else:
        found = metrics_of_table(text)
    # some lists have a metric twice
    return list({(m.name, m.formula): m for m in found}.values())


def latencies_of(path):
    root = json.loads(read(path))
    return {name: Fraction(str(d["MEAN"])) for name, d in root["Data"].items()}


# ---- working out --------------------------------------------------------------

WORD = re.compile(r"[A-Za-z_#][\w.:#]*(?:@[^@]*@)?(?:=0x[0-9a-fA-F]+|=[0-9]+)?"
                  r"|0x[0-9a-fA-F]+"
                  r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")


class World:
    """Made-up counts, drawn when they are first asked for."""

    def __init__(self, seed, has_smt, latencies=None, slots=0):
        self.chance = random.Random(seed)
        self.counts = {}
        self.has_smt = has_smt
        self.latencies = latencies or {}
        self.slots = slots

    def count(self, name):
        if name not in self.counts:
            self.counts[name] = self.chance.randrange(10 ** 3, 10 ** 9)
        return Fraction(self.counts[name])


def counter_of(name):
    """What the toolkit calls the vendor's event: FOO.BAR:c1 is FOO:BAR:c=1."""
    special = {"PERF_METRICS.RETIRING": "retiring",
               "PERF_METRICS.BAD_SPECULATION": "bad-spec",
               "PERF_METRICS.FRONTEND_BOUND": "fe-bound",
               "PERF_METRICS.BACKEND_BOUND": "be-bound",
               "PERF_METRICS.HEAVY_OPERATIONS": "heavy-ops",
               "PERF_METRICS.BRANCH_MISPREDICTS": "br-mispredict",
               "PERF_METRICS.FETCH_LATENCY": "fetch-lat",
               "PERF_METRICS.MEMORY_BOUND": "mem-bound"}
    if name in special:
        return "cpu::topdown-" + special[name]
    if name.startswith("node::"):
        return name
    if name in ("instructions", "cycles"):
        return "perf::" + name
    changes = []
    inside = re.fullmatch(r"(\w+)@([^@]*)@", name)
    if inside:
        name, *changes = inside.group(2).split(",")
    else:
        name, *changes = name.split(":")
    words = []
    for change in changes:
        found = re.fullmatch(r"(ocr_msr_val=|cmask=|umask=|edge=?|inv=?|eq|[ceiu]|"
                             r"opc=|tid=|filter1=|thresh=)(0x[0-9a-fA-F]+|[0-9]*)", change)
        if change == "perf_metrics":
            continue
        if not found:
            return None  # nothing the toolkit could count
        word = {"ocr_msr_val=": "rsp", "eq": "eq", "u": "umask",
                "umask=": "umask", "opc=": "opc", "tid=": "tid",
                "filter1=": "filter1", "thresh=": "c"}.get(found.group(1), found.group(1)[0])
        value = int(found.group(2) or "1", 0)
        words.append(f":{word}={value if value < 10 else hex(value)}")
    return name.replace(".", ":", 1).lower() + "".join(words)


class Evaluator:
    def __init__(self, world, metrics):
        self.world = world
        self.metrics = {m.name.lower(): m for m in metrics}
        self.values = {}
        self.open = set()

    def value_of_word(self, word, metric, known):
        name = metric.meanings.get(word, word)
        lower = name.lower()
        literal = {"durationtimeinmilliseconds": SECONDS * 1000,
                   "durationtimeinseconds": SECONDS, "duration_time": SECONDS,
                   "system_tsc_freq": Fraction(MHZ) * 10 ** 6,
                   "tsc": Fraction(MHZ) * 10 ** 6 * SECONDS,
                   "hyperthreading_on": int(self.world.has_smt),
                   "#smt_on": int(self.world.has_smt),
                   "#slots": Fraction(self.world.slots),
                   "system.sockets[0].cpus.count * system.socket_count":
                   Fraction(CPUS)}
        if re.fullmatch(r"[0-9.]+(?:[eE][-+]?[0-9]+)?", name):
            return Fraction(name)
        if name.startswith("0x"):
            return int(name, 16)
        if name == "#NA":
            return None
        if lower in literal:
            return literal[lower]
        if name.endswith("PKG_ENERGY_STATUS"):  # in 61 microjoules
            return self.world.count("node::energy-pkg") * 10 ** 6 / 61
        if name.endswith("DRAM_ENERGY_STATUS"):
            return self.world.count("node::energy-ram") * 10 ** 7 / 156
        if ":retire_latency" in name:
            return self.world.latencies.get(name.split(":")[0], Fraction(-1))
        if lower in self.metrics and lower not in known and \
                self.metrics[lower] is not metric:
            return self.value(self.metrics[lower], known)
        counter = counter_of(name)
        if counter is None:
            raise Undefined(name)
        return self.world.count(counter)

    def value(self, metric, known):
        """As the formula gives it, not scaled."""
        if metric.name in self.values:
            return self.values[metric.name]
        if metric.name in self.open:
            raise Undefined("needs itself")
        self.open.add(metric.name)
        try:
            return self.work_out(metric, known)
        finally:
            self.open.discard(metric.name)

    def work_out(self, metric, known):
        words = {}

        def stand_in(found):
            word = found.group(0)
            if word in ("if", "else", "min", "max", "d_ratio"):
                return word
            words[f"w{len(words)}"] = word
            return f"w({len(words) - 1})"

        text = re.sub(r"([<>])\s+=", r"\1=", metric.formula)
        text = WORD.sub(stand_in, text.replace("&&", "&").replace("||", "|"))

        def w(number):
            return self.value_of_word(words[f"w{number}"], metric, known)

        for number in range(len(words)):  # a run counts both ways of a choice
            w(number)
        try:
            value = eval(text, {"w": w, "min": min, "max": max,  # noqa: S307
                                "d_ratio": lambda a, b: a / b})
        except ZeroDivisionError as error:
            raise Undefined("0") from error
        self.values[metric.name] = value
        return value


# ---- the toolkit --------------------------------------------------------------

def kind_of(text):
    """What stands before the names of one kind of a hybrid's cores; of the first,
    where the text has several."""
    found = re.search(r"(?m)^# One kind of its cores: .* begin with (\w+_)\.$", text)
    return found.group(1) if found else ""


def turned(text):
    """{vendor's name: our name} of the metrics in a definition file, and
    {vendor's name: why} of those that are not."""
    good, bad = {}, {}
    flat = re.sub(r"\n#  ", " ", text)
    for name, why in re.findall(r"(?m)^# no metric (.*?): (.*)$", flat):
        bad[name] = why
    for block in re.split(r"\n(?=ratio )", text):
        found = re.match(r"(?:\n*)ratio (\S+) =", block)
        if found:
            own = re.search(r'(?m)^    (?:as "|label "the vendor.s )([^"]*)"',
                            block)
            name = own.group(1) if own else found.group(1)
            name = name.removesuffix(", of the whole node")
            good[name.removeprefix(kind_of(text))] = found.group(1)
    return good, bad


def events_of(text):
    """{name in small letters: name} of the events a definition file has; those of
    the node without what says so."""
    kind = kind_of(text).lower()
    return {name.lower().removeprefix("node::").removeprefix(kind): name
            for name in re.findall(r"(?m)^event (\S+) =", text)}


def shown(where, definitions, pmu, counts, has_smt, slots):
    """{our name: value} by hpm report."""
    facts = ("SMT" if has_smt else "no-SMT") + (f" WIDTH={slots}" if slots else "")
    path = reports.write(where, "counts.hpm.xml", (
        '<HPMPerformanceFile version="1" complete="yes" kind="run">'
        '<Run task="0" program="p" job="j" start="2026-11-20T11:30:00.000Z" '
        f'seconds="8"/><Machine task="0" host="n" system="Linux" cpu="P" cpus="{CPUS}" '
        f'mhz="{MHZ}" pmu="{pmu}" facts="{facts}"/><Counters task="0"/>' +
        reports.record(1, 0, 0, "main", 8.0, 8.0,
                       [reports.data(n, c, exclusive=c)
                        for n, c in counts.items()]) +
        '<End records="1"/></HPMPerformanceFile>'))
    result = run([HPM, "report", "--format", "csv", path], HPM_DEFS=definitions,
                 XDG_CONFIG_HOME=where)
    found = {}
    for row in reports.csv.DictReader(
            reports.io.StringIO(result.stdout.decode())):
        if row["section"] == "main":
            found[row["metric"]] = row["value"]
    return found, result.stderr.decode()


def is_same(text, expected, size):
    if text in (None, ""):
        return False
    return abs(float(text) - float(expected)) <= \
        TOLERANCE * max(abs(float(expected)), size * 1e-3)


class Comparison:
    """All metrics of one file of a vendor, by both."""

    def __init__(self, path):
        self.path = path
        self.metrics = metrics_of(path)
        self.equal, self.refused, self.wrong = set(), {}, {}

    def line(self):
        reasons = {}
        for why in self.refused.values():
            kind = re.sub(r"'[^']*'", "...", why)
            reasons[kind] = reasons.get(kind, 0) + 1
        text = (f"{os.path.basename(self.path)}: {len(self.metrics)} tried, "
                f"{len(self.equal)} equal, {len(self.refused)} refused, "
                f"{len(self.wrong)} wrong")
        for kind, n in sorted(reasons.items(), key=lambda r: -r[1]):
            text += f"\n    {n} {kind}"
        return text


def compare(where, path, definitions, pmu, latencies=None, slots=0, seeds=(1, 2)):
    """Compare all metrics of a vendor's file with those of definitions."""
    text = read(definitions)
    good, bad = turned(text)
    kind = kind_of(text)
    events = events_of(text)
    comparison = Comparison(path)
    lower = {name.lower() for name in events}
    values = {}
    for seed in seeds:
        for has_smt in (False, True):
            world = World(seed, has_smt, latencies, slots)
            evaluator = Evaluator(world, comparison.metrics)
            expected = {}
            for metric in comparison.metrics:
                try:
                    expected[metric.name] = evaluator.value(metric, lower)
                except (Undefined, SyntaxError, TypeError) as error:
                    expected[metric.name] = error
            counts = {events.get(name, name): count
                      for name, count in world.counts.items()}
            got, complaints = shown(where, definitions, pmu, counts, has_smt,
                                    slots)
            values[seed, has_smt] = (expected, got, complaints)
    for metric in comparison.metrics:
        if metric.name not in good:
            comparison.refused[metric.name] = bad.get(metric.name, "not named")
            continue
        for key, (expected, got, complaints) in values.items():
            value = expected[metric.name]
            text = got.get(good[metric.name], got.get(kind + metric.name))
            if isinstance(value, (Undefined, ZeroDivisionError)) and \
                    text in (None, ""):
                continue
            if isinstance(value, Exception) or value is None or \
                    not is_same(text, value * metric.scale, 1.0):
                comparison.wrong[metric.name] = (
                    f"{key}: {text!r} where the vendor's formula gives "
                    f"{value if not isinstance(value, Fraction) else float(value * metric.scale)!r} "
                    f"{complaints[:200]}")
                break
        else:
            comparison.equal.add(metric.name)
    return comparison


if __name__ == "__main__":
    print("for tests/cli/importdefinitions.py", file=sys.stderr)
