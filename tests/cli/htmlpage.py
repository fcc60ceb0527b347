#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page of hpm report: its numbers are those of the report's JSON, those
of papers are worked out here anew, and nothing in a file becomes markup."""

import csv
import io
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from cmssw import core, counts_of, near, nehalem, replayed
from htmlpages import Page, STATES, VERDICTS, fetches, make
from reports import (data, known_files, record, report, sampled, sampled_file,
                     samples, task_file, write)
from tap import equal, folder, ok

NUMBERS = ["value", "exclusive", "mean", "sdev", "share", "error", "runs",
           "part", "base", "threads", "thread_min", "thread_max",
           "thread_average", "thread_deviation", "thread_imbalance", "tasks",
           "task_min", "task_max", "task_average", "task_deviation",
           "task_imbalance", "judged", "bad", "run_dev", "run_min", "run_max",
           "only_exclusive", "worst", "windows", "interval", "uncertainty"]


def whole(path, *arguments):
    return json.loads(report("--format", "json", *arguments, path).stdout)


def of_page(page, what="q", index=0):
    """Rows as the JSON has them, by section and metric."""
    experiment = page.experiments[index]
    places, _ = page.block(f"e{index}w")
    names = [f"{t}.{n}" for t, n in zip(places["task"], places["thread"])]
    subjects = experiment["sections" if what == "q" else "paths"]
    quantities = experiment["quantities" if what == "q" else "path_quantities"]
    rows = {}
    for q, quantity in enumerate(quantities):
        columns, texts = page.block(f"e{index}{what}{q}")
        for i, subject in enumerate(subjects):
            code = columns.get("code", [None] * len(subjects))[i]
            if code is None:
                continue
            row = {name: columns[name][i] if name in columns else None
                   for name in NUMBERS}
            row["state"] = STATES[code & 15]
            row["verdict"] = VERDICTS[code >> 4 & 3]
            row["partial"] = bool(code & 64)
            row["doubtful"] = bool(code & 128)
            reason = columns.get("reason", [None] * len(subjects))[i]
            row["reason"] = None if reason is None else texts[reason]
            for end in ("min", "max"):
                place = columns.get(f"thread_{end}_at",
                                    [None] * len(subjects))[i]
                row[f"thread_{end}_at"] = None if place is None else \
                    names[place]
            rows[subject[0], subject[5], i, quantity["name"],
                 quantity["kind"]] = row
    return rows


def differences(page, path, *arguments):
    """Where the page and the report's JSON do not say the same."""
    kinds = {"calls": "counter", "exclusive": "time", "inclusive": "time",
             "recorded": "metric"}
    shown = {}
    for (label, scope, _, name, kind), row in of_page(page).items():
        shown.setdefault((label, name, kinds.get(kind, kind),
                          ("thread", "process")[scope]), []).append(row)
    wrong, n = [], 0
    for row in whole(path, *arguments)["data"]:
        found = shown.get((row["section"], row["metric"], row["kind"],
                           row["scope"]), [])
        wanted = {name: row[name] for name in NUMBERS}
        wanted.update({name: row[name] for name in (
            "state", "verdict", "thread_min_at", "thread_max_at", "reason")})
        wanted["verdict"] = wanted["verdict"] or None
        wanted["reason"] = wanted["reason"] or None
        words = (row["remarks"] or "").split()
        wanted["partial"] = "partial" in words
        wanted["doubtful"] = "doubtful" in words
        n += 1
        if wanted not in found:
            nearest = found[0] if found else {}
            wrong.append((row["section"], row["metric"], {
                k: (v, nearest.get(k)) for k, v in wanted.items()
                if nearest.get(k) != v}))
    return n, wrong


def test_numbers():
    with folder() as where:
        known_files(where)
        out = os.path.join(where, "page.html")
        made = make(out, where)
        ok(made.returncode == 0 and os.path.exists(out), "a page is made", made)
        page = Page(out)
        n, wrong = differences(page, where)
        ok(n > 15 and wrong == [], f"its {n} values are those of hpm report",
           wrong[:3])
        paths = of_page(page, "p")
        ok(any(k[3] == "IPC" for k in paths) and
           page.experiments[0]["paths"][1][13] == 0,
           "call paths stand below those around them",
           page.experiments[0]["paths"])
        bad = {}
        for (_, _, _, name, kind), row in of_page(page).items():
            bad[name, kind] = bad.get((name, kind), 0) + (row["bad"] or 0)
        equal({(q["name"], q["kind"]): q["bad_values"]
               for q in page.experiments[0]["quantities"]
               if q["sections"] > 0}, bad,
              "each quantity says how many of its values are bad")
        details, report_of = page.details(), whole(where)
        equal({k: details[k] for k in ("tasks", "counters", "sources")},
              {k: report_of[k] for k in ("tasks", "counters", "sources")},
              "tasks, counters and files are the report's")
        equal(page.experiments[0]["hints"], report_of["hints"],
              "and so are the hints")
        threads_are_right(page, where, 100)


def threads_are_right(page, where, least):
    places, _ = page.block("e0w")
    quantities = page.experiments[0]["quantities"]
    found = {}
    for i, subject in enumerate(page.experiments[0]["sections"]):
        columns, texts = page.block(f"e0t{i}")
        for q, quantity in enumerate(quantities):
            for j, place in enumerate(columns["place"]):
                value = columns.get(f"value {q}", [None] * (j + 1))[j]
                code = columns.get(f"code {q}", [None] * (j + 1))[j] or 0
                reason = columns.get(f"reason {q}", [None] * (j + 1))[j]
                found[subject[0], places["task"][place],
                      places["thread"][place], quantity["name"]] = (
                          value, STATES[code & 15], VERDICTS[code >> 4 & 3],
                          bool(code & 64), bool(code & 128),
                          None if reason is None else texts[reason])
    rows = whole(where, "--by", "thread")["data"]
    wrong = [r for r in rows if found.get(
        (r["section"], r["task"], r["thread"], r["metric"])) !=
             (r["value"], r["state"], r["verdict"] or None,
              "partial" in (r["remarks"] or "").split(),
              "doubtful" in (r["remarks"] or "").split(), r["reason"] or None)]
    ok(len(rows) > least and wrong == [],
       f"{len(rows)} values of single threads are those of --by thread",
       wrong[:2])
    return rows


def test_shares():
    """A quarter of the time is outside of sections."""
    with folder() as where:
        records = [record(1, 0, 0, "one", 2, 2, [], line=1, inst=1),
                   record(2, 0, 0, "two", 1, 1, [], line=2, inst=2),
                   record(3, 0, 0, "(outside sections)", 1, 1, [], line=0,
                          inst=0, file="").replace("InstrumentationPt",
                                                   "Outside")]
        path = write(where, "o.hpm.xml", task_file(0, records))
        out = os.path.join(where, "page.html")
        make(out, path)
        sections = Page(out).experiments[0]["sections"]
        found = sorted((s[0], s[9], s[10]) for s in sections)
        equal(found, sorted(
            (r["section"], r["time_share"], r["section_share"])
            for r in whole(path)["data"] if r["metric"] == "ExcSec"),
              "shares of the run, and of the time in sections, are the report's")
        equal([f[:2] for f in found],
              [("(outside sections)", 0.25), ("one", 0.5), ("two", 0.25)],
              "and what is outside has one")
        ok(abs(found[1][2] - 2 / 3) < 1e-12, "of the time in sections, more",
           found)


def test_partial():
    """A thread that was in a section on two paths, with a counter on one."""
    with folder() as where:
        write(where, "p.hpm.xml", task_file(0, [
            record(1, 0, 0, "one", 1, 3, [], line=1, inst=1),
            record(2, 0, 0, "work", 2, 2, [data("PM_CYC", 20, exclusive=20)],
                   parent=1, line=5, inst=2),
            record(3, 0, 0, "two", 1, 3, [], line=2, inst=3),
            record(4, 0, 0, "work", 2, 2, [data("PM_CYC", None, exclusive=30)],
                   parent=3, line=5, inst=2)]))
        out = os.path.join(where, "page.html")
        make(out, where)
        rows = threads_are_right(Page(out), where, 5)
        ok(any("partial" in (r["remarks"] or "") for r in rows) and
           any("60.0 %" in (r["reason"] or "") for r in rows),
           "some of them partial, with the reason", rows)


def calibration(scope, when, calls, costs):
    names = ["self", "self_median", "self_max", "pair", "pair_median",
             "pair_max"]
    return (f'<Calibration scope="{scope}" when="{when}" calls="{calls}">' +
            "".join(f'<cost name="{name}" ' + " ".join(
                f'{n}="{v}"' for n, v in zip(names, numbers)) + "/>"
                    for name, numbers in costs.items()) + "</Calibration>")


def test_calibrations():
    """Of each number the largest of all tasks, of the calls the fewest."""
    with folder() as where:
        for task, (calls, costs) in enumerate((
                (100, {"IncSec": [1e-6, 2e-6, 3e-6, 4e-6, 5e-6, 9e-6],
                       "PM_CYC": [10, 20, 30, 40, 50, 60]}),
                (30, {"IncSec": [2e-6, 1e-6, 4e-6, 3e-6, 6e-6, 8e-6]}))):
            write(where, f"c.{task}.hpm.xml", task_file(
                task, [record(1, 0, task, "only", 1, 1,
                              [data("PM_CYC", 10)])],
                extra=calibration("thread", "init", calls, {
                    k: [f"{v:.9f}" if v < 1 else v for v in numbers]
                    for k, numbers in costs.items()})))
        out = os.path.join(where, "page.html")
        make(out, where)
        keys = ["scope", "when", "quantity", "tasks", "calls", "inside",
                "inside_median", "inside_most", "around", "around_median",
                "around_most"]
        equal([[row[k] for k in keys]
               for row in Page(out).experiments[0]["calibrations"]],
              [["thread", "init", "IncSec", 2, 30, 2e-6, 2e-6, 4e-6, 4e-6,
                6e-6, 9e-6],
               ["thread", "init", "PM_CYC", 1, 100, 10, 20, 30, 40, 50, 60]],
              "calibrations of all tasks are one table of the largest")


OWN = """ratio AA = MY_X / MY_Y  unit "x"  bad > 3 good < 2  label "all of it"
    info "an info"  source "a source"  rises "with x"  falls "with y"
ratio BB = MY_Y / MY_X  sbad < 5 dbad < 0.5  of run
compose SUM = PARTA + PARTB
compute PARTA = MY_X
compute PARTB = MY_Y
"""


def test_facts():
    """What a page says of metrics is what their definition says."""
    with folder() as where:
        path = write(where, "f.hpm.xml", task_file(0, [
            record(1 + tid, tid, 0, "work", 1, 1, [
                data("MY_X", 40000 * (tid + 1), exclusive=40000 * (tid + 1)),
                data("MY_Y", 10000, exclusive=10000)]) for tid in range(2)]))
        own = write(where, "own.hpm", OWN)
        out = os.path.join(where, "page.html")
        pages = []
        for words in ([], ["--precision", "single"]):
            made = make(out, *words, path, HPM_DEFS=own)
            pages.append(Page(out))
            os.unlink(out)
        ok(made.returncode == 0, "a page with metrics of one's own", made.stderr)
        found = [{q["name"]: q for q in page.experiments[0]["quantities"]}
                 for page in pages]
        keys = ("kind", "unit", "about", "ratio", "is_part", "of_run", "bad", "good",
                "info", "source", "rises", "falls", "formula", "sections",
                "bad_values")
        equal([found[0]["AA"].get(k) for k in keys],
              ["metric", "x", "all of it", True, False, False, [1, 3], [-1, 2],
               "an info", "a source", "with x", "with y", "MY_X / MY_Y", 1, 2],
              "a metric has all that its definition says")
        equal([found[0]["BB"].get(k) for k in keys],
              ["metric", "", None, True, False, True, [-1, 0.5], None, None, None,
               None, None, "MY_Y / MY_X", 1, 1], "and nothing else")
        equal([(f["BB"]["bad"], p.facts["precision"]) for f, p in zip(found, pages)],
              [([-1, 0.5], "double"), ([-1, 5], "single")],
              "limits are those of the precision")
        names = [q["name"] for q in pages[0].experiments[0]["quantities"]]
        equal({n: (names[found[0][n]["parent"]] if "parent" in found[0][n] else None,
                   found[0][n]["is_part"]) for n in ("SUM", "PARTA", "PARTB")},
              {"SUM": (None, False), "PARTA": ("SUM", True), "PARTB": ("SUM", True)},
              "what a sum consists of is below it")
        overall = pages[0].experiments[0]["overall"]
        equal([(w["scope"], {names[v[0]]: v[1:] for v in w["values"]
                             if names[v[0]] in ("AA", "BB", "SUM")}) for w in overall],
              [("thread", {"AA": [6, "counted", False, "", False],
                           "BB": [1 / 6, "counted", False, "", False],
                           "SUM": [140000, "counted", False, "", False]})],
              "all of it has the values of all records together")
        experiment = pages[0].experiments[0]
        equal((experiment["totals"], experiment["name"], experiment["kind"],
               experiment["suggestion"]),
              ([{"threads": 2, "tasks": 1, "seconds": 2, "in_sections": 2,
                 "has_outside": False},
                {"threads": 0, "tasks": 0, "seconds": 0, "in_sections": 0,
                 "has_outside": False}], "sweep", "run", ""),
              "and says how much there is")


def test_suggestion():
    """Counts of another processor than the file's."""
    counts = counts_of("cmssw-nehalem.table")
    with folder() as where:
        replayed(where, counts, 3)
        out = os.path.join(where, "page.html")
        made = make(out, tap.files(where)[0])
        ok(made.returncode == 0 and made.stderr.count(b"\n") == 1 and
           re.match(rf"hpm report: of these {len(counts)} counters the "
                    r"metrics of an unknown processor use \d, those of nhm \d+: if they "
                    r"were counted there, 'hpm report --arch nhm' has them\n",
                    made.stderr.decode()),
           "which --arch has metrics of foreign counters is said", made.stderr)
        ok("'hpm report --arch nhm'" in Page(out).experiments[0]["suggestion"],
           "and stands on the page")
        out = os.path.join(where, "other.html")
        made = make(out, "--arch", "nhm", tap.files(where)[0])
        equal((made.stderr, Page(out).experiments[0]["suggestion"]), (b"", ""),
              "with that --arch there is nothing to say")
    with folder() as where:
        path = write(where, "o.hpm.xml", task_file(0, [record(
            1, 0, 0, "one", 1, 1, [data(name, 5) for name in (
                "MY_A", "MY_B", "PM_CYC")])]))
        made = make(os.path.join(where, "page.html"), path)
        equal(made.stderr, b"", "nor of counters that no processor has metrics of")


def test_samples():
    """More functions than a page shows: those with most samples are there."""
    paths = [f"/none/lib{i:02}.so" for i in range(55)]
    with folder() as where:
        path = sampled_file(where, "s.hpm.xml", [sampled()], paths, [
            samples([(i + 1, 10 + i, None) for i in range(55)]),
            samples([(1, 29, None)]), samples([(1, 20, None), (2, 10, None)])])
        out = os.path.join(where, "page.html")
        make(out, path)
        page = Page(out)
        parts = json.loads(page.packed("e0s"))["parts"]
        labels = [s[0] for s in page.experiments[0]["sections"]]
        by_label = {labels[p["row"]] if p["row"] is not None else "": p for p in parts}
        equal({k: (p["taken"], p["more"], len(p["functions"])) for k, p in
               by_label.items()},
              {"": (sum(range(10, 65)) + 59, 5, 50),
               "part1": (sum(range(10, 65)), 5, 50), "part2": (29, 0, 1),
               "part3": (30, 0, 2)},
              "each part has the functions with most samples, and how many more")
        shown = [(f["module"], f["n"]) for f in by_label["part1"]["functions"]]
        equal(shown, [(f"lib{i:02}.so", 10 + i) for i in range(54, 4, -1)],
              "the most first")
        report_of = {}
        for row in csv.DictReader(io.StringIO(report(
                "--by", "symbol", "--format", "csv", path).stdout.decode())):
            report_of[row["section"], row["module"]] = row
        wrong = [(k, f) for k, p in by_label.items() for f in p["functions"]
                 for row in [report_of[k, f["module"]]]
                 if (int(row["samples"]), row["low"] or None, row["high"] or None) !=
                 (f["n"], f["low"] if f["low"] is None else row["low"],
                  f["high"] if f["high"] is None else row["high"]) or
                 f["low"] is not None and (
                     abs(float(row["low"]) - f["low"]) > 1e-6 or
                     abs(float(row["high"]) - f["high"]) > 1e-6)]
        equal(wrong[:3], [], "with the intervals that hpm report has")
        ok(by_label["part2"]["functions"][0]["low"] is None and
           by_label["part3"]["functions"][0]["low"] is not None,
           "which are there from 30 samples on")
        equal([(p["event"], p["sampled"], p["head"] is None) for p in parts],
              [(parts[0]["event"], parts[0]["sampled"], p["row"] is not None)
               for p in parts], "a head is that of all of the program")


# ---- the CMSSW report's tables ---------------------------------------------

def test_paper():
    for arch, model, table in (("nhm", nehalem, "cmssw-nehalem.table"),
                               ("core", core, "cmssw-core.table")):
        counts = counts_of(table)
        with folder() as where:
            made = replayed(where, counts, 3)
            files = tap.files(where)
            if not ok(made.returncode == 0 and len(files) == 1,
                      f"{arch}: counts are replayed", made):
                continue
            out = os.path.join(where, "page.html")
            make(out, "--arch", arch, files[0])
            page = Page(out)
            rows = {(k[0], k[3]): v for k, v in of_page(page).items()
                    if k[4] == "metric"}
            wrong = []
            for label, times in (("one", 1), ("two", 3)):
                expected = model({e: times * n for e, n in counts.items()})
                wrong += [(label, name, value, rows.get((label, name)))
                          for name, value in expected.items()
                          if not near(rows.get((label, name), {}).get("value"),
                                      value)]
            equal(wrong, [], f"{arch}: the paper's table is what it comes to")
            n, wrong = differences(page, files[0], "--arch", arch)
            ok(n > 40 and wrong == [],
               f"{arch}: all {n} values are those of hpm report", wrong[:3])
            names = [q["name"] for q in page.experiments[0]["quantities"]]
            overall = {names[v[0]]: v[1]
                       for v in page.experiments[0]["overall"][0]["values"]}
            expected = model({e: 4 * n for e, n in counts.items()})
            equal([(k, v, overall.get(k)) for k, v in expected.items()
                   if not near(overall.get(k), v)], [],
                  f"{arch}: and those of all of it")


# ---- what a file may hold --------------------------------------------------

HOSTILE = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>",
           "a\"b'c&amp;d", "line\u2028end\u2029", "\u202eright to left",
           "<!-- comment", "]]>", "javascript:alert(1)", "=1+1", "\\u003c"]


def escape(text):
    return (text.replace("&", "&amp;").replace("<", "&lt;")
            .replace('"', "&quot;").replace("\\", "\\\\"))


def test_hostile():
    with folder() as where:
        records = [record(i + 1, 0, 0, escape(label), 1, 1,
                          [data("</script><b>", 7, unit="&lt;i>")
                           .replace('name="</script><b>"',
                                    'name="&lt;/script>&lt;b>"')],
                          line=i + 1, inst=i + 1, file=escape(label) + ".c")
                   for i, label in enumerate(HOSTILE)]
        path = write(where, "h.hpm.xml", task_file(
            0, records, program_name=escape(HOSTILE[0])))
        out = os.path.join(where, "page.html")
        made = make(out, path)
        ok(made.returncode == 0, "a page of hostile labels is made", made)
        page = Page(out)
        labels = {s[0].replace("\\\\", "\\")
                  for s in page.experiments[0]["sections"]}
        equal(sorted(set(HOSTILE) - labels), [], "each label is there as text")
        allowed = {"html", "head", "meta", "title", "style", "body", "a",
                   "main", "div", "noscript", "p", "pre", "script"}
        equal(sorted(set(page.reader.elements) - allowed), [],
              "none has become an element")
        equal((fetches(page), len(page.reader.scripts)), ([], 1),
              "nothing is fetched, and one script runs")
        policy = page.reader.policy or ""
        ok("default-src 'none'" in policy and len(page.digests()) == 2 and
           all(d in policy for d in page.digests()),
           "the policy lets only this script and style do anything",
           (policy, page.digests()))
        ok("http:" not in re.sub(r"http://www\.w3\.org/2000/svg", "",
                                 page.reader.scripts[0]) and
           "https:" not in page.text and "innerHTML" not in page.text and
           "\u2028" not in page.reader.blocks["page"],
           "no address of anybody, and no markup made of strings")


# ---- several, options, size ------------------------------------------------

def test_several():
    with folder() as where:
        a, b = os.path.join(where, "a"), os.path.join(where, "b")
        for path, seconds in ((a, 2), (b, 3)):
            os.mkdir(path)
            write(path, "x.hpm.xml", task_file(0, [record(
                1, 0, 0, "only", seconds, seconds,
                [data("PM_CYC", seconds * 10 ** 9, exclusive=1)])]))
        out = os.path.join(where, "each.html")
        made = make(out, "--each", a, b)
        page = Page(out)
        equal((made.returncode, [e["name"] for e in page.experiments]),
              (0, [a, b]), "--each has each beside the others")
        for i, path in enumerate((a, b)):
            rows = of_page(page, "q", i)
            equal([v["value"] for k, v in rows.items() if k[3] == "ExcSec"],
                  [2.0 + i], f"{'AB'[i]} has its own values")
        source = os.path.join(a, "sweep.f")
        with open(source, "w", encoding="utf-8") as file:
            file.write("".join(f"line {n} \\ </script>\n"
                               for n in range(1, 100)))
        out = os.path.join(where, "source.html")
        made = make(out, "--source", a)
        sources = Page(out).facts["sources"]
        ok(made.returncode == 0 and b"1 source file" in made.stderr and
           sources["sweep.f"]["from"] == 6 and
           sources["sweep.f"]["lines"][4] == "line 10 \\\\ </script>",
           "--source carries the lines, and says how many bytes", (made, sources))
        out = os.path.join(where, "none.html")
        make(out, a)
        equal(Page(out).facts["sources"], {}, "without it no line is there")
        for words, said in ((["--by", "task"], b"--by does not go with"),
                            (["--sort", "excl"], b"--sort does not go with")):
            made = make(os.path.join(where, "no.html"), *words, a)
            ok(made.returncode == 2 and said in made.stderr,
               f"{words[0]} is refused", made)
        made = report("--source", a)
        ok(made.returncode == 2 and b"--source needs --format html" in
           made.stderr, "--source needs a page", made)


def test_sources():
    """A program that runs below the folder in which it was compiled."""
    with folder() as where:
        below = os.path.join(where, "build", "run")
        os.makedirs(below)
        os.mkdir(os.path.join(where, "code"))
        write(below, "x.hpm.xml", task_file(0, [
            record(i + 1, 0, 0, name, 1, 1, [], inst=i + 1, line=3,
                   file=f"../code/{name}.c")
            for i, name in enumerate(("far", "none", "nor"))]))
        write(os.path.join(where, "code"), "far.c", "a\nb\nc\nd\ne\nf\ng\nh\n")
        out = os.path.join(where, "page.html")
        made = make(out, "--source", below)
        sources = Page(out).facts["sources"]
        equal({k: v["lines"] for k, v in sources.items()},
              {"../code/far.c": list("abcdefgh")},
              "a relative path is looked for from the folders above, too")
        ok(b"lines of 1 source file, " in made.stderr and
           b"2 source files not found, such as '../code/none.c': run hpm" in
           made.stderr, "and what is not found is named", made)
    with folder() as where:
        below = os.path.join(where, "run")
        os.mkdir(below)
        write(below, "x.hpm.xml", task_file(0, [
            record(i + 1, 0, 0, name, 1, 1, [], inst=i + 1, line=5, file=name)
            for i, name in enumerate(("main.c", "src/short.c"))]))
        os.mkdir(os.path.join(where, "src"))
        write(where, "main.c", "another\n" * 9)
        write(os.path.join(where, "src"), "short.c", "another\n" * 4)
        out = os.path.join(where, "page.html")
        made = make(out, "--source", below)
        ok(Page(out).facts["sources"] == {} and b"2 source files not" in made.stderr,
           "a file above that only has the name, or fewer lines, is not taken", made)
    with folder() as where:
        write(where, "x.hpm.xml", task_file(0, [
            record(i + 1, 0, 0, f"s{line}", 1, 1, [], inst=i + 1, line=line,
                   file="a") for i, line in enumerate((20, 8, 12))]))
        write(where, "a", "".join(f"{n}\n" for n in range(1, 61)))
        out = os.path.join(where, "page.html")
        make(out, "--source", where)
        lines = Page(out).facts["sources"]["a"]
        equal((lines["from"], lines["lines"]),
              (4, [str(n) for n in range(4, 30)]),
              "of a file there is what its sections cover, with a margin")


def test_no_memory():
    """Whichever allocation fails, alone or with all after it: the whole page, or
    one line that says why there is none.  What a process leaves that ends so is no
    matter."""
    leaves = {"ASAN_OPTIONS": "detect_leaks=0"}
    lacking = tap.program("tests/programs/lackingmemory")
    with folder() as where:
        known_files(where)
        command = ["report", "--format", "html", "--source",
                   os.path.join(where, "k.0.hpm.xml")]
        whole = tap.run([lacking, "0", *command], **leaves)
        ok(whole.returncode == 0 and whole.stdout.startswith(b"<!DOCTYPE html>"),
           "a page is made", whole.stderr)
        wrong, n_whole, n_said, k = [], 0, 0, 1
        while n_whole == 0 and k < 200000:
            for once in (["once"], []):
                result = tap.run([lacking, str(k), *once, *command], **leaves)
                is_whole = (result.returncode, result.stdout) == (0, whole.stdout)
                is_said = result.returncode in (3, 4) and result.stdout == b"" and \
                    re.fullmatch(
                        rb"hpm( report)?: [^\n]*(out of memory|more than the \d+ MiB of"
                        rb" memory allowed are needed)[^\n]*\n", result.stderr)
                n_whole += is_whole and not once
                n_said += bool(is_said)
                if not is_whole and not is_said:
                    wrong.append((k, once, result.returncode, result.stderr[:300],
                                  len(result.stdout)))
            k += 1 + k // 6
        ok(n_said > 50 and n_whole == 1,
           f"its allocations fail, {n_said} of them tried", (n_said, k))
        equal(wrong[:3], [], "the page is whole, or one line says why there is none")


def test_size():
    """Times and counts as a machine gives them, each with digits of its own."""
    chance = random.Random(20)
    n_tasks, n_sections = 40, 250
    with folder() as where:
        for task in range(n_tasks):
            records = []
            for i in range(n_sections):
                seconds = chance.gauss(1, 0.05)
                cycles = int(seconds * chance.gauss(2.5e9, 1e7))
                records.append(record(
                    i + 1, 0, task, f"section {i}", seconds, seconds,
                    [data("PM_CYC", cycles, exclusive=cycles),
                     data("PM_INST_CMPL", cycles // 2, exclusive=cycles // 2)],
                    line=i + 1, inst=i + 1))
            write(where, f"s.{task}.hpm.xml", task_file(task, records).replace(
                f"11:30:0{task}", "11:30:00"))
        out = os.path.join(where, "page.html")
        made = make(out, "--force", where)
        ok(made.returncode == 0, "10,000 records make a page", made.stderr)
        page = Page(out)
        threads = sum(len(text) for name, text in page.reader.blocks.items()
                      if re.match(r"e0t\d+$", name))
        per_record = threads / (n_tasks * n_sections)
        ok(page.facts["threads"] == "all" and per_record < 90,
           f"with all metrics {per_record:.1f} bytes each")


def threads_of_two_kinds(where, node_of, threads):
    """32 threads: of two in a task these, else both halves, are of two kinds.  Each
    counts its process and its node, too."""
    for task in range(32 // threads):
        records = []
        for tid in range(threads):
            n = task * threads + tid
            more = 10 ** 5 * (tid if threads > 1 else n // 16)
            own = {"PM_CYC": 10 ** 6 + n % 7 + more,
                   "PM_INST_CMPL": 2 * 10 ** 6 + n % 5 + more}
            of_all = {"sde:::mine": 4000, "ru::maxrss": 5000,
                      "node::energy-pkg": 6000}
            records.append(record(n + 1, tid, task, "solve", 1, 1, [
                data(name, value, exclusive=value)
                for name, value in {**own, **of_all}.items()]))
        write(where, f"{task}.hpm.xml", task_file(task, records).replace(
            f'host="node{task}"', f'host="node{node_of(task)}"').replace(
                f"11:30:0{task}.", "11:30:00."))


def sums_of(where, names):
    """What the whole and each group have of the counters: (value, reason)."""
    out = os.path.join(where, "page.html")
    make(out, where)
    page = Page(out)
    page.experiments += page.facts["groups"]
    found = []
    for index in range(len(page.experiments)):
        of = {key[3]: row for key, row in of_page(page, index=index).items()}
        found.append([(of[name]["value"], (of[name]["reason"] or "")[:18])
                      if name in of else None for name in names])
    return found


def test_groups_share():
    """Who is not shown shares processes and nodes with a group all the same."""
    process, node = ["sde:::mine", "ru::maxrss"], ["node::energy-pkg"]
    refused = [(None, "belongs to the pro")] * 2
    with folder() as where:
        threads_of_two_kinds(where, lambda task: task, 2)
        equal(sums_of(where, process), [refused] * 3,
              "a process of two threads counted neither of them alone")
    with folder() as where:
        threads_of_two_kinds(where, lambda task: task % 16, 1)
        equal(sums_of(where, process + node),
              [[(n * 4000, ""), (n * 5000, ""), (None, "belongs to the nod")]
               for n in (32, 16, 16)],
              "a node of two tasks counted neither of them alone")
    with folder() as where:
        threads_of_two_kinds(where, lambda task: task, 1)
        equal(sums_of(where, node), [[(n * 6000, "")] for n in (32, 16, 16)],
              "a node of one task counted that task")
    with folder() as where:
        threads_of_two_kinds(where, lambda task: task % 16, 1)
        equal([found[0] is None or found[0][0] for found in
               sums_of(where, ["NODE_ENERGY_PKG"])], [None] * 3,
              "nor is there a metric of it")


test_groups_share()
test_numbers()
test_calibrations()
test_shares()
test_partial()
test_facts()
test_suggestion()
test_samples()
test_paper()
test_hostile()
test_several()
test_sources()
test_no_memory()
test_size()
tap.done()
