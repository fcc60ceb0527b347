# SPDX-License-Identifier: BSD-3-Clause
"""Metrics of definitions and files made by chance are what an evaluator written
apart (tests/evaluator.py, from hpm-metrics(5) alone, in fractions) says: value,
state, mark and verdict of each thread, and how many are bad.

HPM_TEST_CASES says how many definitions and files to try, HPM_TEST_SEED where
to begin: a case that differed is tried again by its own seed, which is printed,
with HPM_TEST_CASES=1 (and HPM_TEST_VERBOSE=1)."""

import csv
import io
import os
import random
import tempfile
from fractions import Fraction

import evaluator
import tap
from author import EVENTS, FACTS, PMUS, Author, understood
from evaluator import Evaluator, Machine, Value
from reports import data, datum, record, task_file, write
from tap import HPM, ok, run

CASES = int(os.environ.get("HPM_TEST_CASES", "60"))
SEED = tap.seed()
IS_VERBOSE = "HPM_TEST_VERBOSE" in os.environ
LACKING = ("lost", "unscheduled", "unsupported")


# ---- files by chance -------------------------------------------------------

def chance_count(chance):
    kind = chance.random()
    value = chance.choice([0, chance.randrange(100), 100,
                           chance.randrange(100, 10 ** 4),
                           chance.randrange(100, 10 ** 4),
                           chance.randrange(100, 2 ** 40)])
    if kind < 0.08:
        return {"state": chance.choice(LACKING)}
    if kind < 0.14:
        return {"state": "inferred", "value": value}
    if kind < 0.22:
        return {"state": "shared", "value": value,
                "share": chance.choice([0.05, 0.89, 0.9, 0.99]),
                "error": value * chance.choice([0.01, 0.11, 0.5])}
    return {"state": "counted", "value": value}


def as_value(count):
    if "value" not in count:
        return Value(None, count["state"])
    value = Fraction(count["value"])
    doubt = (count.get("share", 1) < 0.9 or
             Fraction(count.get("error", 0)) > abs(value) / 10)
    off = evaluator.events_off(value)
    return Value(value, count["state"], off, doubt, rounding=Fraction(0),
                 one=Fraction(1))


class Domains:
    """Of one run: what each event is counted in, as programs name it."""

    def __init__(self, chance, names):
        self.base = chance.choice([None, "user", "kernel", "all"])
        self.suffixes, self.plain = {}, {}
        for name in names if self.base else []:
            kind = chance.random()
            if kind < 0.15 and name in EVENTS:
                self.suffixes[name] = chance.choice(["u", "k", "uk"])
            elif kind < 0.25:
                self.plain[name] = "all"

    def name(self, event):
        suffix = self.suffixes.get(event)
        return event if suffix is None else f"{event}:{suffix}"

    def of(self, event):
        """As the file says."""
        named = {"u": "user", "k": "kernel", "uk": "all"}
        if event in self.suffixes:
            return named[self.suffixes[event]]
        return self.plain.get(event, self.base)

    def serves(self, event):
        """A metric whose definition names no domain."""
        return (event not in self.suffixes or
                self.of(event) in (self.base, "all"))

    def counters(self, events):
        """For the head of a file; one tells the domain of the run."""
        return "".join(f'<Counter name="{self.name(event)}" '
                       f'domain="{self.of(event)}"/>'
                       for event in [*events, "OTHER"]) if self.base else ""

    def counted(self, event, value):
        """What metrics take of the value."""
        if not self.serves(event):
            return Value(None, "unsupported")
        # what cannot be asked for one domain is no part of any
        is_any = event in self.plain and self.base != "all"
        value.domain = None if is_any else self.of(event)
        return value


class Files:
    """Of one run: sections of threads of tasks, each with counts."""

    def __init__(self, chance, names):
        self.rows = {}  # by section and task.thread
        self.whole = None  # values of the whole program
        counted = [n for n in names if chance.random() < 0.8] or names[:1]
        self.counted = counted
        self.domains = Domains(chance, counted)
        self.labels = [f"s{i}" for i in range(chance.randint(1, 3))]
        self.n_tasks = chance.choice([1, 1, 1, 2])
        self.records = [self.make(chance, task, chance.choice([1, 1, 2, 3]),
                                  counted) for task in range(self.n_tasks)]

    def make(self, chance, task, n_threads, counted):
        records = []
        for label in self.labels:
            for tid in range(n_threads):
                counts = {name: chance_count(chance) for name in counted
                          if chance.random() < 0.97}
                seconds = chance.choice([1, 2, 0.5, 0.001, 12.5])
                is_short = chance.random() < 0.03
                self.rows[label, f"{task}.{tid}"] = (counts, seconds, is_short)
                records.append(record(
                    len(records) + 1, tid, task, label, seconds, seconds,
                    [datum(self.domains.name(name),
                           count) for name, count in counts.items()],
                    line=10 * int(label[1:]) + 10,
                    more=' short="yes"' if is_short else ""))
        return records

    def of(self, label):
        return {place: row for (section, place), row in self.rows.items()
                if section == label}

    def write(self, where, machine):
        return [write(where, f"{task}.hpm.xml",
                      task_file(task, records, pmu=machine, counters=self.domains.counters(self.counted)))
                for task, records in enumerate(self.records)]

    def counts(self, row):
        counts, seconds, is_short = row
        values = {name: self.domains.counted(name, as_value(count))
                  for name, count in counts.items()}
        values["time::wall"] = Value(Fraction(seconds))
        for value in values.values():
            value.doubt = value.doubt or is_short
        return values


# ---- comparing -------------------------------------------------------------

def is_near(text, value, scale):
    got, expected = Fraction(float(text)), value.value / scale
    slack = 4 * (value.rounding / abs(scale)) + abs(expected) / 2 ** 51
    return abs(got - expected) <= slack


def total(made, judge, name):
    """A value of all sections, threads and tasks: of sums of counts."""
    if made.whole is None:
        # whether calls are too short is asked of each section by itself
        counts = together([made.counts((*row[:2], False))
                           for row in made.rows.values()])
        counts["time::wall"] = Value(Fraction(25, 2))  # as reports.py writes
        made.whole = judge.copy().evaluated(counts)
    return made.whole.value_of(name)


def together(rows):
    """The counts of several rows.  What one of them lacks has no sum."""
    counts = {}
    for name in {name for row in rows for name in row}:
        values = [row[name] for row in rows if name in row]
        state = evaluator.worst(value.state for value in values)
        if not all(value.has_value() for value in values):
            counts[name] = Value(None, state)
        elif len(values) < len(rows):
            counts[name] = Value(None, "unsupported")
        elif name == "time::wall":
            counts[name] = Value(max(value.value for value in values),
                                 doubt=any(value.doubt for value in values))
        else:
            number = sum(value.value for value in values)
            counts[name] = Value(number, state, evaluator.events_off(number),
                                 any(value.doubt for value in values),
                                 one=Fraction(1), domain=values[0].domain)
    return counts


def of_value(name, row, judge):
    """What of a line's value the evaluator says otherwise."""
    value = judge.values[name]
    scale = judge.attribute(name, "scale", Fraction(1))
    said = []
    if (row["value"] != "") != value.has_value():
        return [("value", row["value"], value.value)]
    if value.has_value() and not is_near(row["value"], value, scale):
        said.append(("value", row["value"], float(value.value / scale)))
    if row["state"] != value.state:
        said.append(("state", row["state"], value.state))
    if value.has_value() and (("partial" in row["remarks"].split()) !=
                              value.is_partial):
        said.append(("partial", row["remarks"], value.is_partial))
    return said


def of_verdict(row, verdict, is_doubtful, n_judged, n_bad):
    said = []
    if ("doubtful" in row["remarks"].split()) != is_doubtful:
        said.append(("doubt", row["remarks"], row["reason"], is_doubtful))
    if row["verdict"] != verdict:
        said.append(("verdict", row["verdict"], verdict))
    if (row["judged"], row["bad"]) != (str(n_judged), str(n_bad)):
        said.append(("judged, bad", row["judged"], row["bad"], n_judged,
                     n_bad))
    return said


def judge_row(name, judge):
    """(verdict, is doubtful, is sure) of what was evaluated last."""
    is_doubtful, is_sure = judge.is_doubtful(name)
    verdict, is_verdict_sure = judge.verdict(name)
    return verdict, is_doubtful, is_sure and is_verdict_sure


def judge_several(name, judges, judge):
    """Of several rows: they are judged by themselves, what is of the run
    together."""
    if judge.attribute(name, "of run"):
        verdict, is_doubtful, is_sure = judge_row(name, judge)
        return (verdict, is_doubtful, int(verdict != ""),
                int(verdict == "bad"), is_sure)
    said = [judge_row(name, one) for one in judges]
    verdicts = [verdict for verdict, _, _ in said if verdict]
    others = [one.verdict(name, "s")[0] for one in judges]
    verdict = ("bad" if "bad" in verdicts else
               "good" if verdicts and set(verdicts) == {"good"} else
               "neutral" if verdicts else "")
    is_doubtful = judge.values[name].doubt or (
        not any(verdicts + others) and any(doubt for _, doubt, _ in said))
    is_sure = all(is_sure for _, _, is_sure in said)
    return verdict, is_doubtful, len(verdicts), verdicts.count("bad"), is_sure


def of_thread(made, judge, row):
    name, section = row["metric"], row["section"]
    place = f"{row['task']}.{row['thread']}"
    judge.evaluate(made.counts(made.rows[section, place]),
                   lambda name: total(made, judge, name))
    if not judge.values[name].is_sure:
        return []
    said = of_value(name, row, judge)
    if said or not judge.values[name].has_value():
        return said
    if judge.attribute(name, "of run") and len(made.of(section)) > 1:
        return [("verdict of run", row["verdict"])] if row["verdict"] else []
    verdict, is_doubtful, is_sure = judge_row(name, judge)
    return of_verdict(row, verdict, is_doubtful, int(verdict != ""),
                      int(verdict == "bad")) if is_sure else []


def of_section(made, judge, row):
    name = row["metric"]
    rows = list(made.of(row["section"]).values())
    judges = [judge.copy() for _ in rows]
    for one, counts in zip(judges, rows):
        one.evaluate(made.counts(counts),
                     lambda name: total(made, judge, name))
    judge.evaluate(together([made.counts(counts) for counts in rows]),
                   lambda name: total(made, judge, name))
    if not all(one.values[name].is_sure for one in [judge] + judges):
        return []
    said = of_value(name, row, judge)
    if said or not judge.values[name].has_value():
        return said
    if len(rows) == 1:
        verdict, is_doubtful, is_sure = judge_row(name, judge)
        counted = int(verdict != ""), int(verdict == "bad")
    else:
        verdict, is_doubtful, *counted, is_sure = judge_several(name, judges,
                                                                judge)
    return (of_verdict(row, verdict, is_doubtful, *counted) if is_sure else [])


def ask(*arguments, **variables):
    result = run([HPM, "report", "--format", "csv", *arguments], **variables)
    return (list(csv.DictReader(io.StringIO(result.stdout.decode()))),
            result.stderr.decode())


def try_case(where, seed, faults):
    chance = random.Random(seed)
    author = Author(chance)
    texts = author.write(chance.randint(1, 2))
    paths = [write(where, f"{i}.hpm", text) for i, text in enumerate(texts)]
    pmu = chance.choice(PMUS)
    facts = [chance.choice(["", "", "no-"]) + fact for fact in FACTS
             if chance.random() < 0.6]
    machine = Machine(pmu, facts)
    judge = Evaluator(understood(author.statements), machine)
    made = Files(chance, EVENTS + author.metrics[:2])
    words = f'pmu="{pmu}" facts="{" ".join(facts)}"'
    n = 0
    for view, compare in (("thread", of_thread), ("section", of_section)):
        table, complaints = ask("--by", view, *made.write(where, words),
                                HPM_DEFS=":".join(paths))
        if complaints or judge.has_circle():
            return 0
        for row in table:
            if (row["kind"] != "metric" or row["metric"] not in judge.rules or
                    row["section"] not in made.labels):
                continue
            n += 1
            said = compare(made, judge, row)
            if said:
                faults.append((seed, view, row["section"], row["task"],
                               row["thread"], row["metric"], said,
                               row["reason"]))
            if IS_VERBOSE:
                print("#", view, *(row[word] for word in (
                    "section", "task", "thread", "metric", "value", "state",
                    "reason")))
    if IS_VERBOSE:
        print("".join(f"--- {words}\n{text}" for text in texts))
        print("\n".join(map(str, made.rows.items())))
    return n


def test_cases():
    print(f"# seed {SEED}")
    faults, n, n_used = [], 0, 0
    with tempfile.TemporaryDirectory(prefix="hpm-evaluated-") as where:
        for i in range(CASES):
            n_values = try_case(where, SEED + i, faults)
            n += n_values
            n_used += n_values > 0
            if len(faults) > 40:
                break
    # some definitions have faults, some files nothing that is defined
    ok(not faults and 3 * n_used > CASES,
       f"{n} values of {CASES} definitions and files, {n_used} with any",
       f"HPM_TEST_SEED={SEED}\n" + "\n".join(map(str, faults)))


if __name__ == "__main__":
    test_cases()
    tap.done()
