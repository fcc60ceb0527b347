# SPDX-License-Identifier: BSD-3-Clause
"""hpm mean, and hpm integrate, of runs that do not all have the same sections,
threads, tasks and counters, against arithmetic of its own: HPM_TEST_SEED repeats a failure."""

import math
import os
import random
import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import tap
from reports import data, find, report, rows, task_file, values_are, write
from reports import record as plain_record
from tap import HPM, equal, folder, ok, program, run

SEED = tap.seed()
PATHS = ["main", "main/a", "main/b", "main/a/c", "main/b/c", "main/b/c/d",
         "other"]
COUNTERS = ["PM_CYC", "PM_INST_CMPL", "work::cells"]
FIELDS = ["value", "exclusive", "runs", "runs_exclusive", "dev", "min", "max",
          "mean", "sdev", "partial"]


# ---- runs: {(task, tid): {path: {name: (value, exclusive)}}} ------------------

def random_record(chance, counters, only_exclusive):
    """Numbers; None for a value that was not wanted or was lost."""
    found = {"Count": (chance.randint(1, 9), None)}
    seconds = chance.randint(1, 10**9), chance.randint(1, 10**9)
    found["ExcSec"] = (Fraction(seconds[0], 10**9), None)
    if not only_exclusive:
        found["IncSec"] = (Fraction(seconds[1], 10**9), None)
    for name in counters:
        pair = chance.randint(1, 10**12), chance.randint(1, 10**9)
        found[name] = (None if only_exclusive else pair[0], pair[1])
    if chance.random() < 0.5:
        found["work::cells"] = (chance.randint(1, 10**6),) * 2
    return found


def random_sections(chance, is_odd):
    """Some, each with those around it."""
    kept = set()
    for path in chance.sample(PATHS, chance.randint(1, len(PATHS))):
        words = path.split("/")
        kept |= {"/".join(words[:i + 1]) for i in range(len(words))}
    return [p for p in PATHS if p in kept]


def random_run(chance, is_odd):
    """With the same threads and counters in all runs, or odd ones: fewer, cut
    files, and records with only exclusive values."""
    counters = COUNTERS[:2]
    places = [(task, tid) for task in range(2) for tid in range(2)]
    if is_odd:
        counters = chance.sample(counters, chance.randint(1, 2))
        places = chance.sample(places, chance.randint(1, 4))
    run_of = {"complete": {t: not (is_odd and chance.random() < 0.2)
                           for t in range(2)}, "places": {}}
    for place in sorted(places):
        run_of["places"][place] = {
            path: random_record(chance, counters,
                                is_odd and chance.random() < 0.1)
            for path in random_sections(chance, is_odd)}
    return run_of


def text_of_record(number, place, path, numbers, parent):
    task, tid = place
    points = []
    for name, (value, exclusive) in numbers.items():
        if name in ("Count", "ExcSec", "IncSec"):
            continue
        more = {"exclusive": exclusive}
        if name.startswith("work"):
            more["unit"] = "cells"
        elif value is not None:
            more.update(mean=repr(value / numbers["Count"][0]), sdev="0")
        points.append(data(name, value, **more))
    seconds = [float(numbers.get(n, (0,))[0]) for n in ("ExcSec", "IncSec")]
    text = plain_record(number, tid, task, path.split("/")[-1], *seconds,
                        points, parent=parent, line=1,
                        inst=1, calls=numbers["Count"][0])
    if "IncSec" not in numbers:
        text = re.sub(r'<data name="IncSec"[^>]*>', "", text)
    return text


def write_run(where, name, run_of, start):
    """A file for each task, merged."""
    paths = []
    for task in sorted({t for t, _ in run_of["places"]}):
        records, number = [], 0
        for place, sections in run_of["places"].items():
            if place[0] != task:
                continue
            numbers = {}
            for path in sections:
                number += 1
                numbers[path] = number
                above = path.rpartition("/")[0]
                records.append(text_of_record(number, place, path,
                                              sections[path],
                                              numbers.get(above)))
        text = task_file(task, records)
        text = text.replace("11:30:0", f"11:{start:02}:0")
        if not run_of["complete"][task]:
            text = text.replace('complete="yes"', 'complete="no"')
        paths.append(write(where, f"{name}.{task}.xml", text))
    result = run([HPM, "merge", "-o", name, *paths], folder=where)
    return result.returncode == 0 or print("#", result.stderr.decode())


# ---- what the mean must be ----------------------------------------------------

def statistics(values):
    """Mean, runs, deviation, smallest, largest."""
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    squares = sum((v - mean) ** 2 for v in values)
    return {"value": mean, "runs": n,
            "dev": math.sqrt(squares / (n - 1)) if n > 1 else None,
            "min": min(values), "max": max(values)}


def has_counted(sections, name):
    """Was this counted at a place?  Times always are, and work that was not
    said was not done."""
    return name in ("Count", "ExcSec", "IncSec", "work::cells") or any(
        name in numbers for numbers in sections.values())


def expected_datum(runs, place, path, name):
    """None where no run has it."""
    inclusive, exclusive, calls, per_call, is_partial = [], [], [], [], False
    found = [r["places"][place][path][name] for r in runs
             if name in r["places"].get(place, {}).get(path, {})]
    if not found:
        return None
    has_value = any(value is not None for value, _ in found)
    has_exclusive = any(part is not None for _, part in found)
    for one in runs:
        sections = one["places"].get(place)
        if sections is None:
            continue                      # it had no such thread
        numbers = sections.get(path)
        if numbers is None or (name == "work::cells" and name not in numbers):
            if not one["complete"][place[0]] or \
                    not has_counted(sections, name):
                is_partial = True         # nobody knows
                continue
            value, part = 0, 0
        elif name not in numbers:
            is_partial = True             # the record's others are of it, too
            continue
        else:
            value, part = numbers[name]
            if value is not None:
                calls.append(numbers["Count"][0])
                per_call.append((value, numbers["Count"][0]))
        if value is not None and has_value:
            inclusive.append(Fraction(value))
        is_partial |= has_value and value is None
        if part is not None and has_exclusive:
            exclusive.append(Fraction(part))
    datum = dict.fromkeys(FIELDS)
    if inclusive:
        datum.update(statistics(inclusive))
    if exclusive:
        datum["exclusive"] = sum(exclusive, Fraction(0)) / len(exclusive)
        if len(exclusive) != (len(inclusive) or 1):
            datum["runs_exclusive"] = len(exclusive)
    if name.startswith("PM_") and per_call and \
            all(value is not None for value, _ in found):
        mean = sum(Fraction(v) for v, _ in per_call) / sum(calls)
        datum["mean"] = mean
        if sum(calls) > 1:
            squares = sum(c * (Fraction(v, c) - mean) ** 2
                          for v, c in per_call)
            datum["sdev"] = math.sqrt(squares / (sum(calls) - 1))
    datum["partial"] = is_partial
    return datum


def expected_mean(runs):
    places = {p for r in runs for p in r["places"]}
    return {(place, path, name): datum
            for place in places for path in PATHS
            for name in ["Count", "ExcSec", "IncSec", *COUNTERS]
            if (datum := expected_datum(runs, place, path, name))}


# ---- what it is ---------------------------------------------------------------

def read(path):
    """{(place, path, name): attributes} of the records of a file."""
    labels, found = {}, {}
    for point in ET.parse(path).getroot().iter("InstrumentationPt"):
        above = labels.get(point.get("parent"))
        label = point.get("label")
        labels[point.get("id")] = f"{above}/{label}" if above else label
        place = int(point.get("task")), int(point.get("tid"))
        for datum in point.iter("data"):
            if datum.get("kind") != "metric":
                found[place, labels[point.get("id")], datum.get("name")] = datum
    return found


def is_near(got, expected):
    return got not in (None, "") and math.isclose(
        float(got), float(expected), rel_tol=1e-11, abs_tol=1e-11)


def differences(found, expected, fields=FIELDS):
    """Sentences on what is not as expected."""
    wrong = [f"{key}: only in {'the file' if key in found else 'the oracle'}"
             for key in found.keys() ^ expected.keys()]
    for key in found.keys() & expected.keys():
        for field in fields:
            got, wanted = found[key].get(field), expected[key][field]
            if field == "partial":
                wanted = "yes" if wanted and expected[key]["value"] is not None\
                    or wanted and expected[key]["exclusive"] is not None \
                    else None
                good = got == wanted
            else:
                good = (got is None) == (wanted is None) and (
                    wanted is None or is_near(got, wanted))
            if not good:
                wrong.append(f"{key} {field}: got {got}, expected "
                             f"{wanted if wanted is None else str(wanted)}")
    return wrong


def mean(where, out, *names):
    result = run([HPM, "mean", "-o", out, *names], folder=where)
    if result.returncode != 0 or (tap.has_xmllint() and tap.validates(
            [os.path.join(where, out)])):
        print("#", result.stderr.decode())
        return None
    return read(os.path.join(where, out))


def test_values(chance, is_odd):
    wrong, n = [], 0
    for _ in range(8):
        runs = [random_run(chance, is_odd) for _ in range(chance.randint(2, 6))]
        with folder() as where:
            for i, one in enumerate(runs):
                write_run(where, f"r{i}", one, i)
            found = mean(where, "mean", *(f"r{i}" for i in range(len(runs))))
            expected = expected_mean(runs)
            n += len(expected)
            wrong += differences(found, expected)
    ok(not wrong and n > 500,
       f"{n} values of means of random runs "
       f"({'of odd threads and counters' if is_odd else 'alike'})",
       "\n".join(wrong))


def test_mean_of_means(chance):
    """Runs of the same threads, in random groups."""
    wrong = []
    for _ in range(4):
        runs = [random_run(chance, False) for _ in range(6)]
        groups = [0, 1, 2] + [chance.randrange(3) for _ in range(3)]
        with folder() as where:
            for i, one in enumerate(runs):
                write_run(where, f"r{i}", one, i)
            for group in range(3):
                mean(where, f"g{group}",
                     *(f"r{i}" for i in range(6) if groups[i] == group))
            found = mean(where, "all", "g0", "g1", "g2")
            wrong += differences(found, expected_mean(runs))
    ok(not wrong, "a mean of means is the mean of all runs", "\n".join(wrong))


def is_same(a, b):
    return a == b or None not in (a, b) and \
        math.isclose(float(a), float(b), rel_tol=1e-9)


def test_mean_of_partial_means(chance):
    """A mean does not keep how many of its runs were whole: what a mean of it
    has of other runs than the mean of all at once is partial."""
    wrong, n, n_others = [], 0, 0
    for _ in range(4):
        with folder() as where:
            for i in range(4):
                write_run(where, f"r{i}", random_run(chance, True), i)
            flat = mean(where, "flat", "r0", "r1", "r2", "r3")
            mean(where, "g0", "r0", "r1")
            mean(where, "g1", "r2", "r3")
            steps = mean(where, "steps", "g0", "g1")
        wrong += [str(key) for key in set(flat) ^ set(steps)]
        for key in set(flat) & set(steps):
            a, b = flat[key].attrib, steps[key].attrib
            is_other = not all(is_same(a.get(name), b.get(name)) for name in
                               ("value", "exclusive", "runs"))
            n += 1
            n_others += is_other
            if is_other and b.get("partial") != "yes":
                wrong.append(f"{key}: {a} {b}")
    ok(not wrong and n > 100, f"{n} values of means of odd runs' means: the "
       f"same, or partial ({n_others})", "\n".join(wrong))


def test_report(chance):
    """Sums over threads and paths, shares of the run, least run."""
    runs = [random_run(chance, False) for _ in range(4)]
    wrong = []
    with folder() as where:
        for i, one in enumerate(runs):
            write_run(where, f"r{i}", one, i)
        mean(where, "mean", "r0", "r1", "r2", "r3")
        table = rows(os.path.join(where, "mean"))
    whole = sum(numbers["ExcSec"][0] for one in runs
                for sections in one["places"].values()
                for numbers in sections.values()) / 4
    for label in {p.split("/")[-1] for p in PATHS}:
        parts = [(numbers, one) for one in runs
                 for sections in one["places"].values()
                 for path, numbers in sections.items()
                 if path.split("/")[-1] == label]
        for name in ("Count", "PM_CYC"):
            row = find(table, label, name)
            total = sum(numbers[name][0] for numbers, _ in parts)
            if parts and not (values_are(row, value=total / 4, runs="4") and
                              "partial" not in row["remarks"]):
                wrong.append(f"{label} {name}: {row}, not {total / 4}")
        row = find(table, label, "ExcSec")
        share = sum(numbers["ExcSec"][0] for numbers, _ in parts) / 4 / whole
        if parts and not is_near(row["section_share"], share):
            wrong.append(f"{label}: share of {row['section_share']}, not "
                         f"{float(share)}")
    ok(not wrong, "sums, shares and numbers of runs of a report on it",
       "\n".join(wrong))


def test_diff(chance):
    runs = [random_run(chance, False) for _ in range(6)]
    with folder() as where:
        for i, one in enumerate(runs):
            write_run(where, f"r{i}", one, i)
        mean(where, "a", "r0", "r1", "r2")
        mean(where, "b", "r3", "r4", "r5")
        run([HPM, "diff", "-o", "d", "a", "b"], folder=where)
        found = read(os.path.join(where, "d"))
    a, b = expected_mean(runs[:3]), expected_mean(runs[3:])
    nothing = {"value": 0, "exclusive": 0, "min": 0, "max": 0}
    wrong = []
    for key in a.keys() | b.keys():
        before, after = a.get(key, nothing), b.get(key, nothing)
        for field, wanted in (("value", after["value"] - before["value"]),
                              ("min", after["min"] - before["max"]),
                              ("max", after["max"] - before["min"])):
            if key not in found or not is_near(found[key].get(field), wanted):
                wrong.append(f"{key} {field}: not {float(wanted)}")
    ok(not wrong and found.keys() == a.keys() | b.keys(),
       "a difference of means of all runs", "\n".join(wrong))


# ---- single cases --------------------------------------------------------------

def point(number, label, cycles, parent=None, tid=0, more=()):
    return plain_record(number, tid, 0, label, 1, 2,
                        [data("PM_CYC", cycles, exclusive=cycles), *more],
                        parent=parent, line=number % 100, inst=number % 100)


def write_two(where, first, second, **more):
    write(where, "a", task_file(0, first))
    text = task_file(0, second)
    for old, new in more.get("replace", ()):
        text = text.replace(old, new)
    write(where, "b", text)


def test_cut_file():
    """Of a file that is cut nobody knows what came behind."""
    with folder() as where:
        write_two(where, [point(1, "main", 100), point(2, "late", 60, 1)],
                  [point(1, "main", 300)],
                  replace=[('complete="yes"', 'complete="no"')])
        found = mean(where, "mean", "a", "b")
        late = found[(0, 0), "main/late", "PM_CYC"]
        equal([late.get(k) for k in ("value", "runs", "partial")],
              ["60", "1", "yes"],
              "a run whose file is cut is no run that did not enter it")
        row = find(rows(os.path.join(where, "mean")), "late", "PM_CYC")
        ok(values_are(row, value=60, remarks="partial no-run-spread") or
           values_are(row, value=60, remarks="partial"),
           "which the report says", row)
        ok("not known" in row["reason"], "and why", row["reason"])
        run([HPM, "diff", "-o", "d", "a", "b"], folder=where)
        late = read(os.path.join(where, "d"))[(0, 0), "main/late", "PM_CYC"]
        ok(late.get("value") is None and "not complete" in late.get("reason"),
           "nor is there a difference", late.attrib)


def test_not_counted():
    """A counter that the other run did not count is not 0 there."""
    with folder() as where:
        other = data("PM_INST_CMPL", 50, exclusive=50)
        write_two(where, [point(1, "main", 100, more=[other]),
                          point(2, "extra", 60, 1, more=[other])],
                  [point(1, "main", 300)])
        found = mean(where, "mean", "a", "b")
        extra = {n: [found[(0, 0), "main/extra", n].get(k)
                     for k in ("value", "runs", "partial")]
                 for n in ("PM_CYC", "PM_INST_CMPL")}
        equal(extra, {"PM_CYC": ["30", "2", None],
                      "PM_INST_CMPL": ["50", "1", "yes"]},
              "a counter that the other run lacks is of one run, and says so")
        row = find(rows(os.path.join(where, "mean")), "extra", "IPC")
        ok(row is None or row["value"] == "",
           "and no ratio is made of values of different runs", row)
        run([HPM, "diff", "-o", "d", "a", "b"], folder=where)
        extra = read(os.path.join(where, "d"))[(0, 0), "main/extra",
                                               "PM_INST_CMPL"]
        ok(extra.get("value") is None and
           extra.get("reason") == "counted in a only",
           "nor is its difference that from 0", extra.attrib)


EDGES = program("tests/programs/edges")


def test_left_out():
    """A run that left sections out, as its user wanted, did not count 0 in
    them."""
    steps = ["0+1=main", "0+2=inner", "0+3=deep", "0-3", "0-2", "0-1"]
    with folder() as where:
        for i, variables in enumerate(({}, {}, {"HPM_ONLY": "main, x*"},
                                       {"HPM_EXCEPT": "inner,#9,deep"},
                                       {"HPM_SKIP": "1"}, {})):
            used = steps if i < 5 else [s for s in steps if s[2] != "3"]
            run([EDGES, *used], folder=where, HPM_OUTPUT_NAME=f"r{i}",
                HPM_SOURCE="none", HPM_FSYNC="no", **variables)
        runs = [ET.parse(os.path.join(where, f"r{i}")).find("Run")
                for i in range(6)]
        equal([[one.get(k) for k in ("only", "except", "skip")]
               for one in runs[1:5]],
              [[None, None, None], ["main, x*", None, None],
               [None, "inner,#9,deep", None], [None, None, "1"]],
              "files say what was not to be measured")
        ok(not tap.has_xmllint() or tap.validates(
            [os.path.join(where, f"r{i}") for i in range(6)]) is None,
           "and are valid")
        for files, of_main, of_inner, of_deep in (
                ("r0 r1 r2", "3", "2", "2"), ("r0 r1 r3", "3", "2", "2"),
                ("r0 r1 r4", "2", "2", "2"), ("r0 r1 r5", "3", "3", "3"),
                ("r0 r1 r2 r3 r4 r5", "5", "3", "3")):
            found = mean(where, "m", *files.split())
            os.remove(os.path.join(where, "m"))
            equal([[found[(0, 0), path, "Count"].get(k)
                    for k in ("runs", "partial")] for path in
                   ("main", "main/inner", "main/inner/deep")],
                  [[n, None if n == of_main else "yes"]
                   for n in (of_main, of_inner, of_deep)],
                  f"{files}: runs that were to measure a section")
        found = mean(where, "m", "r0", "r2")
        text = open(os.path.join(where, "m")).read()
        ok('except="*"' in text and "left out different sections" in text,
           "a mean of both says that they differ", text[:900])
        os.rename(os.path.join(where, "m"), os.path.join(where, "step"))
        write(where, "more", open(os.path.join(where, "r1")).read().replace(
            'label="deep"', 'label="other"'))
        found = mean(where, "m", "step", "more")
        equal([found[(0, 0), "main/inner/other", "Count"].get(k)
               for k in ("value", "runs", "partial")], ["1", "1", "yes"],
              "what it has no record of is not 0 there")
        os.remove(os.path.join(where, "m"))
        found = mean(where, "m", "r2", "r2", "--force")
        ok('only="main, x*"' in open(os.path.join(where, "m")).read(),
           "runs that left out the same: the mean says so")
        result = run([HPM, "diff", "-o", "d", "r0", "r3"], folder=where)
        inner = read(os.path.join(where, "d"))[(0, 0), "main/inner", "Count"]
        ok(result.returncode == 0 and inner.get("value") is None and
           "left the section out" in inner.get("reason"),
           "nor is there a difference from 0", (result, inner.attrib))


def test_no_times():
    """A run that has counts but no times says nothing of how long the sections
    took that it did not enter."""
    with folder() as where:
        for i, has_times in enumerate((True, True, False)):
            records = [point(1, "main", 60)]
            if has_times:
                records.append(point(2, "late", 60, 1))
            text = task_file(0, records).replace("11:30", f"11:3{i}")
            if not has_times:
                text = re.sub(r'<data name="(Exc|Inc)Sec"[^>]*>', "", text)
            write(where, f"r{i}", text)
        found = mean(where, "mean", "r0", "r1", "r2")
        late = [found[(0, 0), "main/late", name]
                for name in ("ExcSec", "IncSec", "PM_CYC")]
        equal([(float(one.get("value")), one.get("runs")) for one in late],
              [(1, "2"), (2, "2"), (40, "3")],
              "times of the two runs that have them, counts of all three")


def test_only_exclusive():
    """Means of runs of which some have only the exclusive value."""
    def one(where, name, cycles, is_whole):
        text = task_file(0, [point(1, "main", cycles)])
        if not is_whole:
            text = text.replace(f' value="{cycles}"', "")
            text = re.sub(r'<data name="IncSec"[^>]*>', "", text)
        write(where, name, text.replace("11:30", f"11:3{name[-1]}"))
    with folder() as where:
        for i, (cycles, is_whole) in enumerate(((2000, False), (2000, False),
                                                (8000, True))):
            one(where, f"r{i}", cycles, is_whole)
        flat = mean(where, "flat", "r0", "r1", "r2")
        for first, last in (("r0 r1", "r2"), ("r0 r2", "r1"), ("r2 r1", "r0")):
            mean(where, "two", *first.split())
            steps = mean(where, "steps", "two", last)
            equal(steps[(0, 0), "main", "PM_CYC"].attrib,
                  flat[(0, 0), "main", "PM_CYC"].attrib,
                  f"exclusive values alone have weight, too: {first}, {last}")
            for name in ("two", "steps"):
                os.remove(os.path.join(where, name))
        ok('exclusive="4000"' in open(os.path.join(where, "flat")).read(),
           "the mean of 2000, 2000 and 8000 is 4000")


def test_outer_calls():
    """Outermost calls are a mean over all runs, too."""
    def one(where, name, outer):
        records = [point(1, "main", 100)]
        if outer:
            records.append(plain_record(
                2, 0, 0, "again", 1, 2, [data("PM_CYC", 60, exclusive=60)],
                parent=1, line=2, inst=2, calls=9, more=f' outer="{outer}"'))
        write(where, name, task_file(0, records).replace(
            "11:30", f"11:3{name[-1]}"))
    with folder() as where:
        for i, outer in enumerate((2, None, 7)):
            one(where, f"r{i}", outer)
        for first, last in (("r0 r1", "r2"), ("r0 r2", "r1"), ("r2 r1", "r0")):
            mean(where, "two", *first.split())
            mean(where, "steps", "two", last)
            with open(os.path.join(where, "steps")) as file:
                ok(re.search(r'label="again"[^>]* outer="3"', file.read()),
                   f"outermost calls of 2, none and 7 are 3: {first}, {last}")
            for name in ("two", "steps"):
                os.remove(os.path.join(where, name))


# ---- runs that counted different things ---------------------------------------

def integrate(where, runs):
    """Runs, each the records of a file, by hpm integrate: read()."""
    for i, records in enumerate(runs):
        write(where, f"r{i}", records.replace("11:30", f"11:3{i}"))
    run([HPM, "integrate", "-o", "all", *(f"r{i}" for i in range(len(runs)))],
        folder=where)
    found = read(os.path.join(where, "all"))
    for i in range(len(runs)):
        os.remove(os.path.join(where, f"r{i}"))
    os.rename(os.path.join(where, "all"), os.path.join(where, "last"))
    return found


def total(found, label, name):
    return sum(float(datum.get("value") or "nan")
               for (_, path, column), datum in found.items()
               if (path, column) == (label, name))


def test_integrated_roles():
    """Two threads, one reads and one writes; which of them is the first one is
    up to the run.  Two runs count cycles, two instructions."""
    def roles(i, swapped):
        name = ("PM_CYC", "PM_INST_CMPL")[i]
        return task_file(0, [
            plain_record(k, k % 2 ^ swapped, 0, label, 1, 2,
                         [data(name, 100 * k, exclusive=100 * k)],
                         line=k, inst=k)
            for k, label in ((1, "reader"), (2, "writer"))])
    with folder() as where:
        for orders in ((0, 1), (0, 0, 1, 1), (0, 1, 1)):
            runs = [roles(i, s) for i in range(2) for s in orders]
            found = integrate(where, runs)
            got = [total(found, label, name) for label in ("reader", "writer")
                   for name in ("Count", "PM_CYC", "PM_INST_CMPL", "ExcSec")]
            ok(all(map(is_near, got, [1, 100, 100, 1, 1, 200, 200, 1])),
               f"threads that take turns in two roles {orders}: "
               "counts are those of a run", got)
        found = integrate(where, [roles(0, 0), roles(1, 1)])
        got = [total(found, label, name) for label in ("reader", "writer")
               for name in ("Count", "PM_CYC", "PM_INST_CMPL")]
        ok(all(map(is_near, got, [1, 100, 100, 1, 200, 200])),
           "one run for each counter, in different roles", got)


def test_slowest():
    """Each run has one thread that works for long, and one that does not."""
    def one(i, seconds):
        return task_file(0, [
            plain_record(tid + 1, tid, 0, "work", s, s,
                         [data("PM_CYC", round(s * 10**6)),
                          data("PM_INST_CMPL", round(s * 10**6))])
            for tid, s in enumerate(seconds)]).replace("11:30", f"11:3{i}")
    cases = (("in turn", (1.9, 0.1), (0.1, 1.9), True),
             ("the same one", (1.9, 0.1), (1.7, 0.2), False),
             ("nearly alike", (1.0, 1.01), (1.01, 1.0), False))
    with folder() as where:
        for name, *runs, is_doubted in cases:
            for i, seconds in enumerate(runs):
                write(where, f"r{i}", one(i, seconds))
            run([HPM, "mean", "-o", "all", "r0", "r1"], folder=where)
            row = find(rows(os.path.join(where, "all")), "work", "MIPS")
            ok(row["value"] and is_doubted == ("the slowest" in row["reason"]),
               f"a thread works for long, {name}: a rate of both threads is "
               f"{'doubtful' if is_doubted else 'not doubtful'}", row)
            text = " ".join(report(
                os.path.join(where, "all")).stdout.decode().split())
            ok("slowest in the mean of runs" in text,
               f"{name}: the report says whose time it shows", text)
            os.remove(os.path.join(where, "all"))


def test_integrated_doubts():
    """No zero is made up, nor does one stand beside better values."""
    shared = {"state": "shared", "share": "0.5"}
    main = [point(1, "main", 100)]
    extra = [*main, point(2, "extra", 60, 1)]

    def extra_of(where, *runs):
        found = integrate(where, runs)
        datum = found[(0, 0), "main/extra", "PM_CYC"]
        return [datum.get(k) for k in ("value", "runs", "state", "partial")]

    def of_share(records):
        return [r.replace('name="PM_CYC"', 'name="PM_CYC" ' + " ".join(
            f'{k}="{v}"' for k, v in shared.items())) for r in records]
    with folder() as where:
        whole, without = task_file(0, extra), task_file(0, main)
        equal(extra_of(where, whole, without), ["30", "2", None, None],
              "a run that did not enter it counted 0")
        equal(extra_of(where, whole, task_file(0, of_share(main))),
              ["60", None, None, None], "not where it counted worse")
        equal(extra_of(where, task_file(0, of_share(extra)), without),
              ["30", "2", "shared", None], "but where it counted better")
        equal(extra_of(where, whole, without.replace('complete="yes"',
                                                     'complete="no"')),
              ["60", None, None, "yes"], "nobody knows where the file is cut")
        program_run = task_file(0, [plain_record(
            1, -1, 0, "sweep", 1, 2, [data("PM_CYC", 500, exclusive=500)],
            line=0, scope="process", file="", inst=0).replace(
                'lineend="5"', 'lineend="0"')])
        part = task_file(0, [plain_record(
            1, -1, 0, "part", 1, 2, [data("PM_CYC", 80, exclusive=80)],
            scope="process")])
        found = integrate(where, [program_run, part])
        equal([found[(0, -1), label, "PM_CYC"].get("value")
               for label in ("sweep", "part")], ["500", "80"],
              "a whole run says nothing of sections, nor they of that")


def test():
    print(f"# HPM_TEST_SEED={SEED}")
    chance = random.Random(SEED)
    test_values(chance, False)
    test_values(chance, True)
    test_mean_of_means(chance)
    test_mean_of_partial_means(chance)
    test_report(chance)
    test_diff(chance)
    test_cut_file()
    test_not_counted()
    test_left_out()
    test_no_times()
    test_only_exclusive()
    test_outer_calls()
    test_integrated_roles()
    test_slowest()
    test_integrated_doubts()
    tap.done()


test()
