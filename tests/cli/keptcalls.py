# SPDX-License-Identifier: BSD-3-Clause
"""Single calls that HPM_CALLS keeps: which, with what values, through which tools,
and as points of the statistics."""

import csv
import io
import os
import re
import xml.etree.ElementTree as ET

import journal
import tap
from columnfiles import found
from tap import HPM, equal, files, folder, ok, program, run, skip

EDGES = program("tests/programs/edges")
KINDRED = program("tests/programs/kindred")
NAMES = ("loads", "stores", "misses", "waiting", "messages", "divisions")
EVENTS = ",".join(f"sde:::Kindred::{n}" for n in NAMES)


def nanoseconds(text):
    return int(text.replace(".", ""))


def calls_of(path, label=None):
    """[(label, of, [(n, begin ns, ns, counts)])] of each draw."""
    draws = []
    for record in ET.parse(path).getroot().findall("InstrumentationPt"):
        for draw in record.findall("calls"):
            calls = [(int(c.get("n")), nanoseconds(c.get("begin")),
                      nanoseconds(c.get("seconds")), c.get("counts"))
                     for c in draw.findall("call")]
            equal(int(draw.get("kept")), len(calls), "as many as it says")
            draws.append((record.get("label"), int(draw.get("of")), calls))
    return [d for d in draws if label is None or d[0] == label]


def problems_of(path):
    return [(p.get("count"), p.get("text"))
            for p in ET.parse(path).getroot().findall("Problem")]


def replay(where, steps, samples, name="x", **variables):
    with open(os.path.join(where, "samples"), "w", encoding="utf-8") as file:
        file.write(samples)
    result = run([EDGES] + steps.split(), folder=where, HPM_SOURCE="replay",
                 HPM_REPLAY="samples", HPM_OUTPUT_NAME=f"{name}.hpm.xml",
                 **variables)
    return os.path.join(where, f"{name}.hpm.xml"), result


# ---- what is kept ------------------------------------------------------------

def kept(steps, samples, sentence, expected, **variables):
    with folder() as where:
        path, _ = replay(where, steps, samples, **variables)
        equal(calls_of(path), expected, sentence)
        if tap.has_xmllint():
            message = tap.validates([path])
            ok(message is None, f"{sentence}: the file is valid", message)


def test_which():
    pair = "0+1=a 0+2=b 0-2 0-1 0+1=a 0-1"
    samples = "events e\n" + "".join(f"0 {10 * i} {i * i}\n" for i in range(9))
    kept(pair, samples, "calls of chosen sections, with number, begin, time, count",
         [("a", 2, [(1, 0, 30, "9"), (2, 40, 10, "9")])], HPM_CALLS="a")
    kept(pair, samples, "patterns, and a number for each",
         [("a", 2, [(2, 40, 10, "9")]), ("b", 1, [(1, 10, 10, "3")])],
         HPM_CALLS="a:1, [bc]*:7")
    kept("0+1=f 0+1=f 0-1 0-1 0+1=f 0-1", samples, "of recursion the outermost",
         [("f", 2, [(1, 0, 30, "9"), (2, 40, 10, "9")])], HPM_CALLS="f")
    kept("0+1=a 0+2=b 0-1 0-2", samples, "of overlap both",
         [("a", 1, [(1, 0, 20, "4")]), ("b", 1, [(1, 10, 20, "8")])],
         HPM_CALLS="*")
    kept("0+1=a 0-1 0+1=a", samples, "none that its own stop has not ended",
         [("a", 1, [(1, 0, 10, "1")])], HPM_CALLS="a")
    kept("0+1=a 0+2=b 0-1", samples, "nor one that another's stop has ended",
         [("a", 1, [(1, 0, 20, "4")])], HPM_CALLS="*", HPM_NESTING="strict")
    kept("0+1=a 0-1 0+1=a 0-1 0+1=a 0-1", samples, "none that is left out",
         [("a", 2, [(1, 20, 10, "5"), (2, 40, 10, "9")])], HPM_CALLS="a",
         HPM_SKIP="1")
    kept("0+1=a 0x+2=b 0-2 0-1", samples,
         "none of which only the exclusive value is wanted",
         [("a", 1, [(1, 0, 30, "9")])], HPM_CALLS="*")
    kept(pair, samples, "none of a section that does not measure",
         [("b", 1, [(1, 10, 10, "3")])], HPM_CALLS="*", HPM_EXCEPT="a")
    kept("0p+5=p 0p-5 0p+5=p 0p-5",
         "events e\n-1 0 0\n-1 5 7\n-1 9 8\n-1 20 9\n", "process sections, too",
         [("p", 2, [(1, 0, 5, "7"), (2, 9, 11, "1")])], HPM_CALLS="p")


def test_words():
    with folder() as where:
        path, result = replay(
            where, "0+1=a:: 0-1", "events e\n0 0 0\n0 5 7\n",
            HPM_CALLS=f"b:0,c:1000001, d:,,{'x' * 300},a::")
        equal(calls_of(path), [], "wrong words choose nothing")
        lines = result.stderr.decode().splitlines()
        equal([re.findall("'(.*)' is left out; expected", line)
               for line in lines if "HPM_CALLS" in line],
              [["b:0"], ["c:1000001"], ["d:"], [""], ["x" * 40], ["a::"]],
              "and each is named")
        path, result = replay(where, "0+1=n::f 0-1",
                              "events e\n0 0 0\n0 5 7\n", "y",
                              HPM_CALLS="n::f,n::g:3")
        equal((calls_of(path), result.stderr), ([("n::f", 1, [(1, 0, 5, "7")])],
                                                b""),
              "a label may have colons")
        path, result = replay(where, "0+1=a:x 0-1", "events e\n0 0 0\n0 5 7\n",
                              "z", HPM_CALLS="a:x,a:-1,a:5:6,a::x:-7, :y,m::*:9")
        lines = [line for line in result.stderr.decode().splitlines()
                 if "HPM_CALLS" in line]
        equal([re.findall("'(.*)' is taken for a label; expected a label or "
                          "pattern, or LABEL:N with N from 1 to 1000000$", line)
               for line in lines],
              [["a:x"], ["a:-1"], ["a:5"], ["a::x:-7"], [":y"]],
              "what may be meant to be a number is said to be taken for a label")
        equal(calls_of(path), [("a:x", 1, [(1, 0, 5, "7")])], "and is taken for it")


def test_draw():
    steps = "0+1=a 0-1 " * 300
    samples = "events e\n" + "".join(f"0 {i} {i * i}\n" for i in range(600))
    with folder() as where:
        path, _ = replay(where, steps, samples, HPM_CALLS="a:20")
        (_, of, calls), = calls_of(path)
        equal((of, len(calls)), (300, 20), "20 of 300")
        equal([c[3] for c in calls], [str(4 * c[0] - 3) for c in calls],
              "each with the count of its number")
        ok(calls == sorted(calls) and len({c[0] for c in calls}) == 20,
           "in their order, each once", calls)
        again, _ = replay(where, steps, samples, "again", HPM_CALLS="a:20")
        equal(calls_of(again), calls_of(path), "the next run keeps the same")


def test_threads():
    """Two threads that fold into one have all their calls in one draw."""
    steps = "0+1=a 0-1 1+1=a 1-1 1+1=a 1-1 2+1=a 2-1 2+1=a 2-1"
    samples = "events e\n" + "".join(
        f"{t} {10 * i} {i * (t + 1)}\n" for t in range(3) for i in range(4))
    with folder() as where:
        path, _ = replay(where, steps, samples, HPM_CALLS="a",
                         HPM_MAX_THREADS="1")
        draws = calls_of(path)
        equal([(of, [c[3] for c in calls]) for _, of, calls in draws],
              [(1, ["1"]), (4, ["2", "3", "2", "3"])],
              "threads beyond the limit are drawn from together")


# ---- the tools ---------------------------------------------------------------

STEPS = "0+1=a 0+2=b 0-2 0-1 0+2=b 0-2"
SAMPLES = "events e\n" + "".join(f"0 {10 * i} {i * i}\n" for i in range(6))


def test_tools():
    with folder() as where:
        path, _ = replay(where, STEPS, SAMPLES, HPM_CALLS="*")
        other, _ = replay(where, STEPS, SAMPLES, "y", HPM_CALLS="*")
        all_calls = calls_of(path)
        equal(len(all_calls), 3, "a draw for each call path")
        ok("single calls: 3 were kept ('hpm calls' shows" in
           " ".join(run([HPM, "report", path]).stdout.decode().split()),
           "hpm report says that there are some")
        out = os.path.join(where, "merged")
        run([HPM, "merge", "-o", out, path])
        with open(path, "rb") as one, open(out, "rb") as two:
            equal(two.read(), one.read(), "hpm merge carries them")
        out = os.path.join(where, "rest")
        run([HPM, "cut", "--remove", "a", "-o", out, path])
        equal(calls_of(out), [d for d in all_calls[2:]],
              "hpm cut takes those of what it removes")
        out = os.path.join(where, "root")
        run([HPM, "cut", "--root", "b", "-o", out, path])
        equal(sorted(calls_of(out)), sorted(all_calls[1:]),
              "of a section of two call paths both draws stay")
        for tool in ("mean", "integrate"):
            out = os.path.join(where, tool)
            run([HPM, tool, "-o", out, path, other])
            problems = [p.get("text") for p in
                        ET.parse(out).getroot().findall("Problem")]
            equal((calls_of(out), len([p for p in problems if "single calls "
                                       "(HPM_CALLS) are in 2 of 2" in p])),
                  ([], 1), f"hpm {tool} says that it has none")
        result = run([HPM, "diff", "-o", os.path.join(where, "d"), path, other])
        ok(b"single calls (HPM_CALLS) are not subtracted" in result.stderr,
           "hpm diff, too", result.stderr)


def test_journal():
    """A program that is killed has kept the same calls as one that ended."""
    steps = "0+2=b 0-2 " + "0+1=a 0-1 " * 30 + "0+3=c 0-3 1+1=a 1-1 1+1=a 1-1"
    samples = "events e f\n" + "".join(
        f"{t} {10 * i + t} {i * i * (t + 1)} {i}\n"
        for t, n in ((0, 64), (1, 4)) for i in range(n))
    with folder() as where:
        ended, _ = replay(where, steps, samples, HPM_CALLS="a:20,d")
        killed, _ = replay(where, steps + " leave", samples, "killed",
                           HPM_CALLS="a:20,d", HPM_CHECKPOINT="0")
        run([HPM, "recover", "killed.hpm.xml.journal"], folder=where)
        equal([(label, of, len(calls)) for label, of, calls in calls_of(ended)],
              [("a", 30, 20), ("a", 2, 2)], "a run that ended has kept some calls")
        equal(calls_of(killed) if os.path.exists(killed) else None,
              calls_of(ended), "a recovered one has the same")
        if tap.has_xmllint():
            message = tap.validates([killed])
            ok(message is None, "in a file that is valid", message)


def test_new_section():
    """More calls than a copy because of a new section has: they are left out, and
    that is said; fewer are in it."""
    for n, is_there in ((30000, False), (50, True)):
        with folder() as where:
            steps = "0+1=a 0-1 " * n + "0+2=b 0-2 leave"
            run([EDGES] + steps.split(), folder=where, HPM_SOURCE="none",
                HPM_CHECKPOINT="3600", HPM_CALLS="a:100000",
                HPM_OUTPUT_NAME="x")
            result = run([HPM, "recover", "x.journal"], folder=where)
            path = os.path.join(where, "x")
            equal([(of, len(calls)) for _, of, calls in calls_of(path)],
                  [(n, n)] if is_there else [], f"{n} calls: are they there?")
            sections = ET.parse(path).getroot().findall("InstrumentationPt")
            ok({"a", "b"} <= {s.get("label") for s in sections},
               "both sections are", result.stderr)
            said = [p for p in problems_of(path) if "single calls" in p[1]]
            equal([(count, "newest copy has none" in text)
                   for count, text in said], [] if is_there else [("1", True)],
                  "what is left out is said")


def test_damaged_journal():
    """Words that cannot be are no calls of another section, and no crash."""
    with folder() as where:
        run([EDGES] + "0+1=a 0-1 0+1=a 0-1 leave".split(), folder=where,
            HPM_SOURCE="none", HPM_CHECKPOINT="0", HPM_CALLS="a",
            HPM_OUTPUT_NAME="x")
        path = os.path.join(where, "x.journal")
        with open(path, "rb") as file:
            data = file.read()
        table = journal.Journal(path).threads[0]
        equal([(made, len(rows), [row[0] for row in rows])
               for made, rows in table.kept], [(2, 2, [1, 2])],
              "the journal has two calls of the first section")
        words = 1 + 2 + 2 * (2 + table.n_row)  # sections, calls, kept, rows
        newest = max((c for c in journal.copies(data) if c.table > 1),
                     key=lambda c: (c.table, c.sequence))
        states = set()
        for word in range(words):
            for value in (0, 1, 3, 1 << 40, (1 << 64) - 1):
                with open(path, "wb") as file:
                    file.write(journal.damaged(
                        data, len(newest.bytes) - 8 * (words - word), newest,
                        value))
                states.add(run([HPM, "recover", "x.journal"],
                               folder=where).returncode)
                if os.path.exists(os.path.join(where, "x")):
                    os.unlink(os.path.join(where, "x"))
        ok(states <= {0, 1, 3}, "no word of them is too much for hpm recover",
           states)


def test_hostile():
    with folder() as where:
        path, _ = replay(where, STEPS, SAMPLES, HPM_CALLS="a")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new, said in (
                ('counts="9"', 'counts="9 9"', "a call needs n, begin"),
                ('counts="9"', 'counts="09"', "a call needs n, begin"),
                ('counts="9"', 'counts="9**"', "a call needs n, begin"),
                ('counts="9"', 'counts="9 "', "a call needs n, begin"),
                ('counts="9"', 'counts="99999999999999999999"', "a call needs"),
                (' begin="0.000000000" seconds', ' seconds', "a call needs n"),
                ('kept="1"', 'kept="3"', "more or fewer calls"),
                ('<calls of="1"', '<calls of="0"', "of' of calls: '0' is not"),
                ('<calls of="1"', '<calls', "calls without 'of'")):
            bad = os.path.join(where, "bad.xml")
            ok(old in text, f"there is {old}", text)
            with open(bad, "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
            result = run([HPM, "report", bad])
            ok(re.search(rf"bad\.xml:\d+:\d+: .*{re.escape(said)}",
                         result.stderr.decode()),
               f"{new} is named with file, line and column", result.stderr)
        calls = re.search("<calls.*</calls>", text, re.S).group()
        with open(bad, "w", encoding="utf-8") as file:
            file.write(text.replace(calls, """<calls of="1" kept="1">
<call n="1" begin="0" seconds="1"/><counted name="e"/></calls>"""))
        result = run([HPM, "points", "--calls", bad])
        ok(result.returncode == 3 and re.search(
            rb"bad\.xml:\d+:\d+: counted behind a call; left out",
            result.stderr), "as is a counter that comes too late", result)


# ---- points ------------------------------------------------------------------

def rows(*arguments):
    result = run([HPM, "points", "--calls", *arguments])
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


def test_turns():
    """A counter that takes turns: on all the time, for a part, not at all."""
    samples = "events a b\n" + "".join(
        f"0 {10 * i} {a}:{10 * i}:{running} {i}\n" for i, (a, running) in
        enumerate([(0, 0), (70, 10), (70, 10), (100, 15), (100, 15), (100, 15)]))
    with folder() as where:
        path, _ = replay(where, "0+1=a 0-1 " * 3, samples, HPM_CALLS="a")
        (_, _, calls), = calls_of(path)
        equal([c[3] for c in calls], ["70 1", "60* 1", "- 1"],
              "exact, an estimate with a mark, and nothing")
        if tap.has_xmllint():
            message = tap.validates([path])
            ok(message is None, "the file is valid", message)
        result = run([HPM, "points", "--calls", "--raw", path])
        table = list(csv.DictReader(io.StringIO(result.stdout.decode())))
        equal([r["a"] for r in table], ["70", "60", ""],
              "a missing value is missing, never 0")
        said = result.stderr.decode()
        ok("a is missing in 1 of 3 points: n/a" in said and
           "a is an estimate in 1 of 3 calls" in said, "and both are said", said)


def test_forks():
    """A child keeps its own calls, its parent its own."""
    with folder() as where:
        run([EDGES] + "0+1=a 0-1 0+1=a 0-1 fork 0+1=a 0-1".split(),
            folder=where, HPM_SOURCE="none", HPM_CALLS="a")
        equal(sorted([(of, [c[0] for c in calls]) for path in files(where)
                      for _, of, calls in calls_of(path)]),
              [(1, [1]), (2, [1, 2])], "in files of their own")


def test_refusals():
    with folder() as where:
        path, _ = replay(where, STEPS, SAMPLES)
        result = run([HPM, "points", "--calls", path])
        ok(result.returncode == 3 and b"no single calls; run the program with "
           b"HPM_CALLS" in result.stderr, "without calls there are no such points",
           result.stderr)
        result = run([HPM, "cluster", "--calls", "--exclusive", path])
        ok(result.returncode == 2 and b"--calls does not go with --exclusive"
           in result.stderr, "calls have no exclusive values", result.stderr)


def phases(where, calls):
    result = run([KINDRED, "phases", "0"], folder=where, HPM_EVENTS=EVENTS,
                 HPM_CALLS=calls)
    path, = files(where)
    return path, [line for line in result.stdout.decode().splitlines()]


def test_phases():
    with folder() as where:
        path, said = phases(where, "step:5000")
        (_, of, calls), = calls_of(path)
        equal((of, len(calls)), (900, 900), "all 900 calls are kept")
        equal([c[3] for c in calls], said,
              "with exactly what each call counted")
        table = rows("--raw", path)
        equal([" ".join(r[f"sde:::Kindred::{n}"] for n in NAMES)
               for r in table], said, "hpm points --calls has a line for each")
        equal([r["call"] for r in table], [str(i) for i in range(1, 901)],
              "with its number")
        ours = found("cluster", "--calls", "--raw", path)
        equal([(g["points"], g["members"]) for g in ours["groups"]],
              [(300, "calls 1 to 300"), (300, "calls 301 to 600"),
               (300, "calls 601 to 900")], "hpm cluster --calls finds the phases")
    with folder() as where:
        path, said = phases(where, "step:90")
        (_, of, calls), = calls_of(path)
        equal((of, len(calls)), (900, 90), "a draw of 90")
        equal([c[3] for c in calls], [said[c[0] - 1] for c in calls],
              "has exactly what these calls counted")
        ours = found("cluster", "--calls", "--raw", "--groups", "3", path)
        equal(len({(m["group"], (m["call"] - 1) // 300)
                   for m in ours["members"]}), 3,
              "and three groups of it are the phases")


def bins_of(path, *arguments):
    result = run([HPM, "calls", "--format", "csv", "--table", "histogram",
                  *arguments, path])
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


SVG = "{http://www.w3.org/2000/svg}"


def picture_of(path, *arguments):
    result = run([HPM, "calls", "--format", "svg", *arguments, path])
    return result, (ET.fromstring(result.stdout) if result.returncode == 0
                    else None)


def check_pictures(path, bins, row, times):
    _, svg = picture_of(path)
    boxes = [box for box in svg.iter(SVG + "rect") if box.find(SVG + "title")
             is not None]
    shares = [float(b["share"]) for b in bins
              if float(b["share"]) > 0 or (b["from"] and b["to"])]
    equal([box.find(SVG + "title").text for box in boxes],
          [f"{100 * share:.1f} %" for share in shares],
          "the picture has a bar for each bin")
    ok(all(abs(float(box.get("width")) - 480 * share / max(shares)) < 0.2
           for box, share in zip(boxes, shares)), "as long as its share")
    _, svg = picture_of(path, "--picture", "drift")
    dots = list(svg.iter(SVG + "circle"))
    equal([dot.find(SVG + "title").text for dot in dots[:2]],
          [f"task 0 thread 0 call {i + 1}: {times[i]}.00 ns" for i in range(2)],
          "that of drift has a dot for each call, with its name and value")
    high, low = (float(dot.get("cy")) for dot in (
        dots[times.index(max(times))], dots[times.index(min(times))]))
    ok(len(dots) == 300 and high < low and
       sorted(dots, key=lambda dot: float(dot.get("cx"))) == dots,
       "from left to right, the longest highest")
    words = [text.text for text in svg.iter(SVG + "text")]
    equal([w[:9] for w in words if w.startswith("median")],
          ["median 50", "median 15"], "and both medians")
    result, _ = picture_of(path, "--raw")
    ok(result.returncode == 3 and b"at least 20 calls whose quantiles of 1 % and 99 % differ" in
       result.stderr,
       "of one value there is no picture, and it is said", result.stderr)
    result = run([HPM, "calls", "--picture", "drift", path])
    ok(result.returncode == 2 and b"--picture needs --format svg" in
       result.stderr, "text has none", result.stderr)


def test_calls():
    """Times 1 to 100 ns twice as long in the last third, replayed."""
    times, now = [1 + (7 * i) % 100 + 100 * (i >= 200) for i in range(300)], 0
    samples = ["events e"]
    for i, time in enumerate(times):
        samples += [f"0 {now} {3 * i}", f"0 {now + time} {3 * i + 3}"]
        now += time + 1
    with folder() as where:
        path, _ = replay(where, "0+1=a 0-1 " * 300, "\n".join(samples) + "\n",
                         HPM_CALLS="a")
        ours = found("calls", path)
        row, = ours["quantiles"]
        order = sorted(times)
        equal((ours["calls"], ours["kept"], row["column"], row["unit"]),
              (300, 300, "IncSec", "s"), "all calls, by their time")
        equal([round(row[name] * 1e9) for name in
               ("min", "p5", "p25", "median", "p75", "p95", "p99", "max")],
              [order[0]] + [order[round(300 * part) - 1] for part in
                            (.05, .25, .5, .75, .95, .99)] + [order[-1]],
              "quantiles are those of the calls")
        ok(abs(row["mean"] - sum(times) / 300e9) < 1e-15, "the mean, too", row)
        ok(2 < row["drift_low"] < row["drift"] < row["drift_high"] < 5 and
           abs(row["drift"] - 150.5 / 50.5) < 1e-9,
           "the last third of the calls takes longer than the first", row)
        ok("IncSec grows during the run" in " ".join(ours["notes"]), "and it is said")
        bins = bins_of(path)
        ok(abs(sum(float(b["share"]) for b in bins) - 1) < 1e-9 and
           [b["to"] for b in bins[:-1]] == [b["from"] for b in bins[1:]],
           "the bins have all calls, one beside the other", bins)
        for b in bins[1:-2]:
            n = sum(float(b["from"]) <= t * 1e-9 < float(b["to"]) for t in times)
            ok(abs(n / 300 - float(b["share"])) < 0.011,
               f"from {b['from']} there are {n}", b)
        constant = found("calls", "--raw", path)
        equal((constant["quantiles"][0]["drift"], constant["histogram"]),
              (1, []), "what is the same in all calls has no histogram")
        text = run([HPM, "calls", path]).stdout.decode()
        ok("300 of 300 calls were kept" in text and "####" in text, "text has bars",
           text)
        check_pictures(path, bins, row, times)


def test_weights():
    """Of a thread with more calls each kept one stands for more."""
    steps = "0+1=a 0-1 " * 10 + "1+1=a 1-1 " * 30
    samples = "events e\n" + "".join(
        f"{t} {i * 100} {i * (1 + 9 * t)}\n" for t in range(2)
        for i in range(20 + 40 * t))
    with folder() as where:
        path, _ = replay(where, steps, samples, HPM_CALLS="a:10")
        row = found("calls", "--raw", path)["quantiles"][0]
        equal((row["calls"], row["mean"], row["p25"], row["median"]),
              (20, (10 * 1 + 30 * 10) / 40, 1, 10),
              "10 calls of 1 and 10 that stand for 30 of 10 have a mean of 7.75")


def test_many():
    samples = ["events e"] + [f"0 {i} {i}" for i in range(2 * 2100)]
    with folder() as where:
        path, _ = replay(where, "0+1=a 0-1 " * 2100, "\n".join(samples) + "\n",
                         HPM_CALLS="a:3000")
        text = " ".join(run([HPM, "calls", path]).stdout.decode().split())
        ok("No phases were looked for: 2100 calls are more than 2000" in text,
           "of very many calls no phases are looked for, and it is said", text)


def test_sentence():
    with folder() as where:
        result = run([KINDRED, "phases", "0"], folder=where,
                     HPM_EVENTS="sde:::Kindred::loads,sde:::Kindred::waiting",
                     HPM_CALLS="step")
        text = " ".join(run([HPM, "calls", where]).stdout.decode().split())
        kinds = re.findall(r"\(calls (\d+) to (\d+)\)", text)
        ok(result.returncode == 0 and "Three kinds of calls in section 'step'" in
           text and [(int(a) - 1) // 300 for k in kinds for a in k] ==
           [0, 0, 1, 1, 2, 2] and "300 (calls 1 to 300)" in text,
           "phases beyond doubt are told in one sentence", text)


test_which()
test_words()
test_draw()
test_threads()
test_tools()
test_journal()
test_new_section()
test_damaged_journal()
test_hostile()
test_turns()
test_forks()
test_refusals()
test_calls()
test_weights()
test_many()
if os.path.exists(KINDRED):
    test_phases()
    test_sentence()
else:
    skip("phases are found", "PAPI's software-defined events are not here")
tap.done()
