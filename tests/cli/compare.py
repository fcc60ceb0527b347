# SPDX-License-Identifier: BSD-3-Clause
"""hpm compare: what it says of runs whose values are known, beside a statistician
of its own (all ways counted out, Holm by his paper, another bootstrap); and how
it runs commands.  No verdict here is of a time that was measured."""

import itertools
import json
import math
import os
import random
import re
import shutil
import signal
import stat
import subprocess
import time

import tap
from reports import data, record, task_file, write
from tap import HPM, equal, folder, ok, program, run

SEED = 1906


def compare(*arguments, **more):
    return run([HPM, "compare", *arguments], **more)


def said(result):
    return result.stderr.decode()


def printed(result):
    return result.stdout.decode()


def write_runs(where, side, runs, program_name="sweep", line=30, file="a.c",
               start=0):
    """A performance file for each run: a section main with a section solve in
    it, whose counters are the run's, by name; the time is "TIME"."""
    paths = []
    for number, values in enumerate(runs):
        values = dict(values)
        seconds = values.pop("TIME", 2.0)
        counters = [data(name, value, exclusive=value)
                    for name, value in values.items()]
        text = task_file(0, [
            record(1, 0, 0, "main", 0.5, seconds + 0.5, [], line=1, file=file),
            record(2, 0, 0, "solve", seconds, seconds, counters, parent=1,
                   line=line, inst=2, calls=10, file=file)],
            program_name=program_name)
        text = re.sub(' start="[^"]*"',
                      f' start="2026-11-20T11:{start:02}:{number:02}.000Z"',
                      text)
        paths.append(write(where, f"{side}{number:03}.hpm.xml", text))
    return paths


def report(where, a, b, *options):
    """The JSON of two sides of files."""
    result = compare("--format", "json", *options, *a, "--", *b, folder=where)
    try:
        return json.loads(result.stdout), result
    except ValueError:
        tap.ok(False, "JSON", said(result))
        return {"comparisons": [], "runs": []}, result


def find(document, metric, section="main/solve"):
    return next((c for c in document["comparisons"] if
                 c["metric"] == metric and c["section"] == section), {})


# ---- another statistician -----------------------------------------------------

def ranks(values):
    """Middle ranks."""
    order = sorted(values)
    return [(order.index(v) + 1 + len(order) - order[::-1].index(v)) / 2
            for v in values]


def p_of_groups(a, b):
    """All ways to pick b out of both."""
    both = ranks(a + b)
    middle = len(b) * (len(both) + 1) / 2
    measured = abs(sum(both[len(a):]) - middle)
    ways = [abs(sum(way) - middle) for way in
            itertools.combinations(both, len(b))]
    return sum(w >= measured - 1e-9 for w in ways) / len(ways)


def holm(ps):
    """The step-down procedure, as its paper has it."""
    order = sorted(range(len(ps)), key=lambda i: ps[i])
    adjusted, largest = [0.0] * len(ps), 0.0
    for step, i in enumerate(order):
        largest = max(largest, min(1.0, ps[i] * (len(ps) - step)))
        adjusted[i] = largest
    return adjusted


def median(values):
    order, n = sorted(values), len(values)
    return (order[(n - 1) // 2] + order[n // 2]) / 2


def near(a, b, tolerance=1e-9):
    return a is not None and abs(a - b) <= tolerance * max(abs(b), 1e-300)


# ---- the statistics -------------------------------------------------------------

def noisy(n_metrics, n_runs, ratio, generator):
    """Runs of metrics that are independent of each other."""
    return [{f"N{i:03}": round(1e6 * ratio(i) * math.exp(generator.gauss(0, 0.05)))
             for i in range(n_metrics)} for _ in range(n_runs)]


def test_exact_p():
    """150 metrics of 6 and 5 runs; some with ties."""
    generator = random.Random(SEED)
    a = noisy(150, 6, lambda i: 1, generator)
    b = noisy(150, 5, lambda i: 1 + (i % 4) * 0.05, generator)
    for runs in (a, b):
        for values in runs:
            for i in range(0, 150, 3):
                values[f"N{i:03}"] = round(values[f"N{i:03}"], -5)
    with folder() as where:
        found, result = report(where, write_runs(where, "a", a),
                               write_runs(where, "b", b, start=30),
                               "--only", "N*")
    tests = [c for c in found["comparisons"] if c["p"] is not None]
    wrong = []
    for c in tests:
        values = ([r[c["metric"]] for r in a], [r[c["metric"]] for r in b])
        if not near(c["p"], p_of_groups(*values)):
            wrong.append((c["metric"], c["p"], p_of_groups(*values)))
    ok(len(tests) > 140 and not wrong,
       f"p of {len(tests)} metrics is that of all ways counted out",
       wrong[:5] or said(result))
    expected = holm([c["p"] for c in tests])
    ok(all(near(c["adjusted"], e) for c, e in zip(tests, expected)),
       "and all tests together as Holm adjusts them", expected[:5])
    ok(found["tests"] == len(tests) and
       all(c["differs"] in (True, None) if c["adjusted"] <= 0.035 else
           c["differs"] is not True for c in tests),
       "what differs is below 3.5 % after that")
    ok(all(near(c["ratio"], median([r[c["metric"]] for r in b]) /
                median([r[c["metric"]] for r in a])) for c in tests),
       "the ratio is that of the medians")


def test_intervals():
    """The true ratio of 300 metrics is in their intervals; another bootstrap
    finds nearly the same."""
    generator = random.Random(SEED + 1)
    a = noisy(300, 12, lambda i: 1, generator)
    b = noisy(300, 12, lambda i: 1.1, generator)
    with folder() as where:
        found, _ = report(where, write_runs(where, "a", a),
                          write_runs(where, "b", b, start=30),
                          "--only", "N*", "--seed", "5")
    tests = [c for c in found["comparisons"] if c["low"] is not None]
    inside = sum(c["low"] <= 1.1 <= c["high"] for c in tests)
    ok(len(tests) == 300 and 0.92 <= inside / 300 <= 0.99,
       f"the 95 % interval has the true ratio in {inside} of 300")
    apart = []
    for c in tests[:10]:
        x, y = ([r[c["metric"]] for r in side] for side in (a, b))
        drawn = sorted(median(generator.choices(y, k=12)) /
                       median(generator.choices(x, k=12)) for _ in range(4000))
        apart += [abs(c["low"] - drawn[100]), abs(c["high"] - drawn[3899])]
    ok(max(apart) < 0.01, "ends of intervals are those of another bootstrap",
       apart)


def test_seen():
    """Of metrics moved by what would have been seen most are found, of those
    moved by a third of it few are."""
    generator = random.Random(SEED + 2)
    a = noisy(200, 12, lambda i: 1, generator)
    b = noisy(200, 12, lambda i: 1, generator)

    def share_found(where, times):
        moved = [{k: round(v * (1 + times * seen)) for k, v in values.items()}
                 for values in b]
        found, _ = report(where, paths, write_runs(where, "m", moved,
                                                   start=40), "--only", "N*")
        return sum(c["differs"] is True for c in found["comparisons"]) / 200

    with folder() as where:
        paths = write_runs(where, "a", a)
        first, _ = report(where, paths, write_runs(where, "b", b, start=30),
                          "--only", "N*")
        seen = median([c["would_see"] for c in first["comparisons"]])
        some = (share_found(where, 1), share_found(where, 1 / 3))
        ok(sum(c["differs"] is True for c in first["comparisons"]) == 0,
           "of 200 equal ones none differs")
    ok(some[0] >= 0.85 and some[1] <= 0.25,
       f"{seen:.3f} would be seen: moved so far {some[0]:.2f} are found, by a "
       f"third of it {some[1]:.2f}")


def test_counts():
    """Counts that repeat need no test: one more is a difference at once."""
    a = [{"PM_INST": 3000000, "PM_CYC": 10 + i, "PM_BR": 7} for i in range(3)]
    b = [{"PM_INST": 3000001, "PM_CYC": 12 + i, "PM_BR": 7} for i in range(3)]
    with folder() as where:
        a_files, b_files = (write_runs(where, "a", a),
                            write_runs(where, "b", b, start=30))
        found, result = report(where, a_files, b_files)
        text = printed(compare(*a_files, "--", *b_files, folder=where))
        two, _ = report(where, a_files[:2], b_files[:2])
    one = find(found, "PM_INST")
    equal((one.get("finding"), one.get("differs"), one.get("p")),
          ("exactly", True, None), "one instruction more in 3,000,000: found")
    equal(find(found, "PM_BR").get("finding"), "same", "the same count is equal")
    equal(find(found, "PM_CYC").get("finding"), "too few runs",
          "three runs that vary show nothing")
    equal(find(two, "PM_INST").get("finding"), "too few runs",
          "nor do two that agree")
    ok("main/solve" in text and "exactly" in text, "the text has it", text)


def test_sections():
    """Sections are one by their path; the line is only the tie-break."""
    counts = [{"PM_INST": 100}] * 3
    with folder() as where:
        a = write_runs(where, "a", counts)
        b = write_runs(where, "b", [{"PM_INST": 110}] * 3, line=77, start=30)
        other = write_runs(where, "c", [{"PM_INST": 120}] * 3, start=40,
                           program_name="other", file="b.c")
        moved, _ = report(where, a, b)
        refused = compare(*a, "--", *other, folder=where)
        wanted, _ = report(where, a, other, "--any-program")
        only, _ = report(where, a, b, "--section", "main")
        twice = compare(*a, "--", "nothing.hpm.xml", folder=where)
        words = compare("-r", "3", *a, "--", *b, folder=where)
    ok(near(find(moved, "PM_INST").get("ratio"), 1.1),
       "a section that moved to another line is found", moved["comparisons"])
    ok(refused.returncode == 3 and "--any-program" in said(refused),
       "programs of different names are not compared unasked", said(refused))
    ok(near(find(wanted, "PM_INST").get("ratio"), 1.2),
       "on request they are, by labels", wanted["comparisons"])
    equal({c["section"] for c in only["comparisons"]}, {"", "main"},
          "--section takes the sections of a label")
    ok(twice.returncode == 3 and "nothing.hpm.xml" in said(twice),
       "a side without a file: 3", said(twice))
    ok(words.returncode == 2 and "'--'" in said(words),
       "-r is for commands", said(words))


def test_limits():
    a = [{"PM_INST": 1000, "PM_CYC": 5000 + i} for i in range(10)]
    b = [{"PM_INST": 1030, "PM_CYC": 5001 + i} for i in range(10)]
    with folder() as where:
        a, b = write_runs(where, "a", a), write_runs(where, "b", b, start=30)

        def fails(*limits):
            return compare("--fail-if", *limits, *a, "--", *b, folder=where)

        for limits, status in (
                (["*@solve: PM_INST > +1 %"], 1),
                (["*@solve: PM_INST > +3 %"], 0),
                (["*@solve: pm-inst > +2.9%"], 1),
                (["B@main/solve: PM_INST > +1 %"], 1),
                (["A@solve: PM_INST > +1 %"], 3),
                (["solve: PM_CYC > +1 %", "solve: PM_INST > +1 %"], 1),
                (["solve: PM_CYC > +1 %", "solve: PM_INST > +5 %"], 0),
                (["solve: PM_INST < -1 %"], 0),
                (["solve: NOTHING > +1 %"], 3), (["TIME > 1"], 2),
                (["TIME 1 %"], 2), (["> 1 %"], 2),
                (["TIME < -100 %"], 2), (["TIME > -200 %"], 2)):
            result = fails(*limits)
            equal(result.returncode, status, f"--fail-if {limits}: {status}")
            if status == 1:
                ok("CROSSED by B in main/solve (+3.0 %)" in printed(result),
                   f"and {limits} is named", printed(result))
            if status in (2, 3):
                ok(said(result).count("\n") == 1 and "--fail-if" in said(result),
                   "one line says why", said(result))
        document = json.loads(compare("--format", "json", "--fail-if",
                                      "solve: PM_INST > +1 %", *a, "--", *b,
                                      folder=where).stdout)
        marked = printed(compare("--format", "markdown", *a, "--", *b,
                                 folder=where))
    ok(document["crossed"] == 1 and "CROSSED" in document["limits"][0],
       "JSON has the limits", document)
    ok({r["metric"]: len(r["values"]) for r in document["runs"]
        if r["side"] == "B"}.get("PM_INST") == 10, "and the values of all runs")
    ok("| B | main/solve | PM\\_INST | 1,000 | 1,030 | **+3.0 %** |" in marked,
       "Markdown: a table", marked)


def test_refused_limits():
    """A limit that cannot be judged: which side lacks it, and what all have."""
    def runs(**counts):
        return [dict(counts, TIME=2.0)] * 3

    with folder() as where:
        a = write_runs(where, "a", runs(PM_INST=100, PM_BR=5))
        b = write_runs(where, "b", runs(PM_INST=100, PM_CYC=7), start=30)
        c = write_runs(where, "c", runs(PM_INST=100, PM_BR=5), start=40)

        def why(limit, *sides):
            words = [word for side in sides for word in ["--", *side]]
            result = compare("--fail-if", limit, *words[1:], folder=where)
            equal((result.returncode, said(result).count("\n")), (3, 1),
                  f"'{limit}' is refused in one line")
            return said(result).rstrip()

        lacking = why("solve: PM_BR > +1 %", a, b)
        other = why("solve: PM_CYC > +1 %", a, b)
        third = why("solve: PM_BR > +1 %", a, c, b)
        whole = why("PM_INST > +1 %", a, b)
        section = why("nosuch: PM_INST > +1 %", a, b)
        side = why("A@solve: PM_INST > +1 %", a, b)
        one = compare("--fail-if", "B@solve: PM_BR > +1 %", *a, "--", *c, "--",
                      *b, folder=where)
    common = re.search("; all sides have: (.*)", lacking)
    ok(": there is no 'PM_BR' of B; all sides have: " in lacking and
       "PM_INST" in common[1] and "PM_BR" not in common[1] and
       "PM_CYC" not in common[1], "B lacks it", lacking)
    ok("there is no 'PM_CYC' of A;" in other, "A lacks it", other)
    ok("there is no 'PM_BR' of C;" in third,
       "one side of three lacks it: no verdict of the others hides that", third)
    ok("only sections have 'PM_INST'" in whole, "only sections have it", whole)
    ok("no section is 'nosuch'" in section, "no such section", section)
    ok("no side beside A is 'A'" in side, "A is beside itself", side)
    equal(one.returncode, 0, "a limit of B is not about C, which lacks it")


# ---- commands ----------------------------------------------------------------------

def write_script(where, name, text):
    path = write(where, name, "#!/bin/sh\n" + text)
    os.chmod(path, 0o755)
    return path


def test_order():
    """Every command as often; five of each are mixed; a seed fixes the order."""
    def order(where, seed, n=10):
        for old in ("log",):
            if os.path.exists(os.path.join(where, old)):
                os.unlink(os.path.join(where, old))
        result = compare("-r", str(n), "--seed", str(seed), "--", "sh", "-c",
                         "echo A >> log", "--", "sh", "-c", "echo B >> log",
                         folder=where)
        with open(os.path.join(where, "log")) as log:
            return "".join(log.read().split()), result

    with folder() as where:
        first, result = order(where, 7)
        again, _ = order(where, 7)
        other, _ = order(where, 8)
        odd, _ = order(where, 7, 7)
        left = set(os.listdir(where))
    ok(result.returncode == 0 and result.stderr == b"" and
       "(--seed 7)" in printed(result), "the seed is printed", result)
    ok(all(first[i:i + 10].count("A") == 5 for i in (0, 10)) and
       len(first) == 20 and "ABABABABAB" not in first,
       "five of each are mixed", first)
    ok(first == again and first != other, "a seed fixes the order",
       (first, again, other))
    ok(odd.count("A") == odd.count("B") == 7, "-r 7: seven of each", odd)
    equal(left, {"log"}, "nothing is left behind")


def test_commands():
    with folder() as where:
        loud = compare("-r", "1", "--", "echo", "hello", "--", "echo", "you",
                       folder=where)
        shown = compare("-r", "1", "--show-output", "--", "echo", "hello",
                        "--", "echo", "you", folder=where)
        ok("hello\n" not in printed(loud) and "hello\n" in printed(shown),
           "output is hidden unless asked for", printed(loud))
        if tap.no_preload() is None:
            none = compare("-r", "3", "-e", "cycles,page-faults", "--", "true",
                           "--", "true", folder=where,
                           **tap.fake_pmu(FAKE_ZERO=1))
            ok("Not counted: cycles; hpm doctor" in printed(none),
               "what cannot be counted is named", printed(none))
        else:
            tap.skip("what cannot be counted is named", tap.no_preload())
        failed = compare("-r", "3", "--", "true", "--", "sh", "-c",
                         "echo too bad >&2; exit 7", folder=where)
        ok(failed.returncode == 3 and "exit status 7" in said(failed) and
           "too bad" in said(failed) and "B (" in said(failed),
           "a command that fails ends it, with its status and last words",
           said(failed))
        killed = compare("-r", "3", "--", "true", "--", "sh", "-c",
                         "kill -9 $$", folder=where)
        ok(killed.returncode == 3 and "signal 9" in said(killed),
           "one that is killed, too", said(killed))
        missing = compare("--", "true", "--", "./nothing-here", folder=where)
        ok(missing.returncode == 3 and "nothing-here" in said(missing),
           "one that is not there, too", said(missing))
        ignored = compare("-r", "4", "-i", "--", "true", "--", "sh", "-c",
                          "exit 7", folder=where)
        ok(ignored.returncode == 0 and
           "B ended with another status than 0 in 4 of 4 runs, last with 7" in
           printed(ignored), "-i goes on, and says so", printed(ignored))
        kept = compare("-r", "2", "--folder", "kept", "--", "true", "--",
                       "true", folder=where)
        names = sorted(os.listdir(os.path.join(where, "kept")))
        equal((kept.returncode, len(names), [n[0] for n in names]),
              (0, 4, ["A", "A", "B", "B"]), "--folder keeps the files")
        equal(compare("--folder", "kept", "--", "true", "--", "true",
                      folder=where).returncode, 3, "a new folder only")
        stored = compare("--", "kept/A", folder=where)
        ok(stored.returncode == 2, "one command is too few", said(stored))
        with open(os.path.join(where, "in"), "w") as file:
            file.write("all\nof\nit\n")
        with open(os.path.join(where, "in")) as file:
            compare("-r", "2", "--", "sh", "-c", "cat >> seen", "--", "sh",
                    "-c", "cat >> seen", folder=where, stdin=file)
        with open(os.path.join(where, "seen")) as file:
            equal(file.read(), "all\nof\nit\n" * 4,
                  "each run reads all of standard input, where it is a file")
        compare("-r", "2", "--warmup", "3", "--prepare", "echo p >> prepared",
                "--", "sh", "-c", "echo A >> ran", "--", "true", folder=where)
        counts = [len(open(os.path.join(where, name)).read().split())
                  for name in ("ran", "prepared")]
        equal(counts, [5, 10], "--warmup and --prepare: 3 + 2 runs, each "
                               "prepared")
        bad = compare("--prepare", "exit 3", "--", "true", "--", "true",
                      folder=where)
        ok(bad.returncode == 3 and "status 3" in said(bad),
           "what prepares must end well", said(bad))


def test_own_sections():
    """Programs that measure themselves: an example whose work grows by its
    argument."""
    matmul = program("doc/examples/matmul")
    with folder() as where:
        result = compare("-r", "6", "--sections", "-e", "page-faults",
                         "--fail-if", "*@fill: page-faults > +100 %",
                         "matmul/naive: PAGE_FAULTS < -10 %", "--", matmul,
                         "100", "--", matmul, "200", folder=where)
        none = compare("-r", "2", "--sections", "--", "true", "--", "true",
                       folder=where)
        left = os.listdir(where)
    ok(result.returncode == 1 and "CROSSED by B in matmul/fill" in
       printed(result) and "held by B in matmul/naive" in printed(result),
       "--sections: limits of sections", (result, said(result)))
    ok(none.returncode == 3 and "linked with libhpm" in said(none),
       "a program without any is named", said(none))
    equal(left, [], "performance files stay with those of hpm compare")


def test_three():
    with folder() as where:
        result = compare("-r", "2", "--format", "json", "--", "true", "--",
                         "true", "--", "true", folder=where)
        document = json.loads(result.stdout)
    ok({c["side"] for c in document["comparisons"]} == {"B", "C"} and
       [s["runs"] for s in document["sides"]] == [2, 2, 2],
       "three commands: each beside the first", document)


def test_interruption():
    """Ctrl+C ends with what was measured so far."""
    with folder() as where:
        process = subprocess.Popen(
            [HPM, "compare", "-r", "1000", "--", "sh", "-c",
             "echo >> log; sleep 0.01", "--", "true"], cwd=where,
            env=tap.environment(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True, preexec_fn=tap.default_signals)
        log = os.path.join(where, "log")
        while not os.path.exists(log) or os.path.getsize(log) < 6:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=600)
        left = os.listdir(where)
    ok(process.returncode == 128 + signal.SIGINT and
       b"interrupted" in err and b"TIME" in out,
       "an interruption ends with a report, and says so", (out, err))
    equal(left, ["log"], "and leaves no folder in the way")


def test_interrupted_runs():
    """The third run of B interrupts all: that run is none, and no failure."""
    with folder() as where:
        result = tap.limited(
            [HPM, "compare", "-r", "100", "-i", "--seed", "3", "--", "sh", "-c",
             "echo >> a", "--", "sh", "-c",
             "echo >> b; [ $(wc -l < b) -lt 3 ] || kill -INT 0"],
            os.setsid, cwd=where)
        with open(os.path.join(where, "a"), encoding="ascii") as file:
            n = len(file.readlines())
    ok(result.returncode == 128 + signal.SIGINT and
       f"of 100 runs of each command these were made: A {n}, B 2\n" in
       said(result), "an interruption says how many runs each command has",
       (n, said(result)))
    ok("another status" not in printed(result) and "TIME" in printed(result),
       "and calls no run failed that it ended", printed(result))


def test_until():
    """Two counts that repeat are clear at the first look; the exit of a command
    that never changes cannot be asked for more."""
    with folder() as where:
        result = compare("--until", "5", "--only", "page-faults", "-r", "40",
                         "--format", "json", "--", "sh", "-c", "echo >> log",
                         "--", "sh", "-c", ":", folder=where)
        document = json.loads(result.stdout)
        n = document["sides"][0]["runs"]
    ok(n in (10, 15, 20, 30, 40) and document["looks"] == 5,
       "--until looks after 10, 15, 20, 30, 40 runs", document["sides"])
    for word in ("0", "x", "-3", "101"):
        equal(compare("--until", word, "--", "true", "--", "true").returncode,
              2, f"--until {word} is refused")


def test_baseline():
    with folder() as where:
        made = compare("-r", "3", "--baseline", "b.txt", "--renew", "--",
                       "true", folder=where)
        ok(made.returncode == 0 and b"3 runs" in made.stderr,
           "a baseline is made by one command", said(made))
        text = open(os.path.join(where, "b.txt")).read()
        ok(text.startswith("hpm-baseline 1\ncommand\ttrue\n") and
           "\ntime\tTIME\t\t" in text, "in lines of text", text)
        # a sanitizer makes the child of hpmcount larger than the program is
        equal("\nsize\tPEAK_MEMORY\t\t" in text,
              not os.environ.get("sanitizers"),
              "with the peak of memory, where that is the program's")
        beside = compare("-r", "3", "--baseline", "b.txt", "--format", "json",
                         "--", "true", folder=where)
        document = json.loads(beside.stdout)
        ok(beside.returncode == 0 and "baseline" in
           document["sides"][0]["name"] and document["seed"] is None,
           "and is A for the next", document["sides"])
        a = write_runs(where, "a", [{"PM_INST": 100}] * 3)
        b = write_runs(where, "b", [{"PM_INST": 103}] * 3, start=30)
        compare("--baseline", "f.txt", "--renew", *a, folder=where)
        gate = ["--baseline", "f.txt", "--fail-if", "solve: PM_INST > +1 %"]
        equal([compare(*gate, *files, folder=where).returncode
               for files in (a, b)], [0, 1], "of files, too: 0 and 1")
        compare("--baseline", "f.txt", "--renew", *b, folder=where)
        equal([compare(*gate, *files, folder=where).returncode
               for files in (a, b)], [0, 0], "renewed it is of the new runs")
        for bad, line in (("x\n", 1), ("hpm-baseline 1\nfoo\tbar\n", 2),
                          ("hpm-baseline 1\ntime\tTIME\t\t1 x\n", 2)):
            write(where, "bad.txt", bad)
            result = compare("--baseline", "bad.txt", "--", "true",
                             folder=where)
            ok(result.returncode == 3 and f"bad.txt:{line}:" in said(result),
               f"line {line} of a bad baseline is named", said(result))
        whole = text.encode()
        for cut in (whole[:-4], whole[:-7], whole[:100]):
            with open(os.path.join(where, "cut.txt"), "wb") as file:
                file.write(cut)
            result = compare("--baseline", "cut.txt", "--", "true",
                             folder=where)
            ok(result.returncode == 3 and "cut off" in said(result),
               f"a baseline of {len(cut)} of {len(whole)} bytes is refused",
               said(result))
        os.mkfifo(os.path.join(where, "fifo"))
        os.symlink("real.txt", os.path.join(where, "link.txt"))
        for name in ("real.txt", "link.txt.new"):
            with open(os.path.join(where, name), "w", encoding="ascii") as file:
                file.write("mine\n")
        device = compare("--baseline", "fifo", "--renew", "--", "touch", "ran",
                         folder=where)
        ok(device.returncode == 4 and "not a regular file" in said(device) and
           stat.S_ISFIFO(os.stat(os.path.join(where, "fifo")).st_mode) and
           not os.path.exists(os.path.join(where, "ran")),
           "what is no regular file is not replaced, and nothing is run",
           said(device))
        compare("-r", "1", "--baseline", "link.txt", "--renew", "--", "true",
                folder=where)
        with open(os.path.join(where, "real.txt"), encoding="utf-8") as file:
            real = file.read()
        with open(os.path.join(where, "link.txt.new"),
                  encoding="ascii") as file:
            ok(real.startswith("hpm-baseline") and file.read() == "mine\n" and
               os.path.islink(os.path.join(where, "link.txt")),
               "a link stays one, and a file of a like name is left alone")
        absent = compare("--baseline", "no.txt", "--", "true", folder=where)
        ok(absent.returncode == 3 and "--renew" in said(absent),
           "one that is not there: how to make it", said(absent))


def test_renewal():
    """--renew with --fail-if judges by the baseline first."""
    limit = ["--baseline", "f.txt", "--renew", "--fail-if"]
    close, wide = "solve: PM_INST > +1 %", "solve: PM_INST > +5 %"
    with folder() as where:
        path = os.path.join(where, "f.txt")

        def stored():
            with open(path, encoding="utf-8") as file:
                return file.read()

        a = write_runs(where, "a", [{"PM_INST": 100}] * 3)
        b = write_runs(where, "b", [{"PM_INST": 103}] * 3, start=30)
        first = compare(*limit, close, *a, folder=where)
        ok(first.returncode == 0 and "no limit was judged" in said(first) and
           "3 runs" in said(first), "no baseline yet: it is made, and said",
           (first, said(first)))
        before = stored()
        crossed = compare(*limit, close, *b, folder=where)
        ok(crossed.returncode == 1 and stored() == before and
           "CROSSED by B in main/solve (+3.0 %)" in printed(crossed) and
           "'f.txt' is left as it was" in said(crossed),
           "a limit that is crossed: 1, a report, and the old baseline",
           (crossed, said(crossed)))
        nothing = compare(*limit, "solve: NOTHING > +1 %", *b, folder=where)
        equal((nothing.returncode, stored() == before), (3, True),
              "one that cannot be judged: 3, and the old baseline")
        held = compare(*limit, wide, *b, folder=where)
        ok(held.returncode == 0 and "held by B in main/solve" in printed(held)
           and "\tmain/solve\t103 103 103\n" in stored(),
           "one that is held: 0, and the new baseline", (held, said(held)))
        write(where, "bad.hpm.xml", "no file of ours")
        some = compare("--baseline", "f.txt", "--renew", *a, "bad.hpm.xml",
                       folder=where)
        ok(some.returncode == 1 and "bad.hpm.xml" in said(some) and
           "\t100 100 100\n" in stored(),
           "files that are bad show in the exit status", (some, said(some)))
        write(where, "f.txt", "cut off\n")
        cut = compare(*limit, close, *b, folder=where)
        equal((cut.returncode, stored()), (3, "cut off\n"),
              "limits need a whole baseline")
        equal(compare("--baseline", "f.txt", "--renew", *b,
                      folder=where).returncode, 0, "without limits it need "
              "not be one")
        command = ["-r", "3", "--baseline", "c.txt", "--renew", "--fail-if",
                   "TIME > +900000 %", "--", "true"]
        results = [compare(*command, folder=where) for _ in range(2)]
        ok([r.returncode for r in results] == [0, 0] and
           "limit 'TIME > +900000 %'" in printed(results[1]) and
           "3 runs" in said(results[1]), "commands: the same",
           (results, said(results[1])))


def check_sweep(document):
    sweep = document["sweep"]
    points = sweep["points"]
    times = [point["time"] for point in points]
    equal((sweep["parameter"], sweep["command"],
           [(p["side"], p["value"]) for p in points]),
          ("n", "true {n}", [("A", "2"), ("B", "4"), ("C", "x")]),
          "JSON has the parameter and its values")
    ok(all(near(p["speed_up"], times[0] / t, 1e-6)
           for p, t in zip(points, times)) and
       near(points[1]["efficiency"], points[1]["speed_up"] / 2, 1e-6) and
       points[2]["efficiency"] is None and points[0]["efficiency"] == 1,
       "time, speed-up and efficiency", points)
    with open(os.path.join(tap.TOP_SOURCE, "xsd", "compare.schema.json"),
              encoding="utf-8") as file:
        schema = json.load(file)
    ok(set(document) == set(schema["required"]) == set(schema["properties"]) and
       set(sweep) == set(schema["properties"]["sweep"]["required"]) and
       set(points[0]) == set(schema["properties"]["sweep"]["properties"]
                             ["points"]["items"]["required"]),
       "JSON has the members of its schema", sorted(document))


def test_sweep():
    with folder() as where:
        result = compare("-r", "2", "--sweep", "n=1,2,4", "--svg", "p.svg",
                         "--", "sh", "-c", "echo {n} $n >> log", folder=where)
        seen = sorted(set(open(os.path.join(where, "log")).read().split("\n")))
        picture = open(os.path.join(where, "p.svg")).read()
        memory = compare("-r", "3", "--only", "PAGE_FAULTS", "--sweep", "n=1,2",
                         "--", "true", folder=where)
        ok("page-faults" in printed(memory) and
           "speed-up" not in printed(memory) and
           "PEAK_MEMORY" in printed(result) and "speed-up" in printed(result),
           "a sweep shows what else was measured, and no time where none was",
           printed(memory))
        two = compare("--sweep", "n=1,2", "--", "true", "--", "true",
                      folder=where)
        programs = compare("-r", "2", "--format", "json", "--sweep", "n=2,4,x",
                           "--", "true", "{n}", folder=where)
        marked = printed(compare("-r", "2", "--format", "markdown", "--seed",
                                 "7", "--sweep", "a_b=1,2", "--", "true",
                                 folder=where))
    check_sweep(json.loads(programs.stdout))
    ok("| a\\_b | time | speed-up | 95 % interval | efficiency |\n" in marked and
       re.search(r"^\| 1 \| [\d.]+ .?s \| 1\.0+ \|  \| 100 % \|$", marked,
                 re.M), "Markdown has its table", marked)
    ok("(--seed 7)" in marked and "\nNoise: " in marked and
       "(--seed " in printed(result) and "\nNoise: " in printed(result),
       "Markdown and text have the noise and the seed", marked)
    equal((result.returncode, seen), (0, ["", "1 1", "2 2", "4 4"]),
          "each value stands in the words and in the environment")
    ok("speed-up" in printed(result) and "efficiency" in printed(result) and
       printed(result).count("#") > 1, "table and plot", printed(result))
    ok(picture.startswith("<svg") and picture.count("<polyline") >= 3 and
       picture.endswith("</svg>\n"), "and the plot as SVG", picture[:200])
    for word in ("n", "=1,2", "n=1", "n=1,,2"):
        equal(compare("--sweep", word, "--", "true").returncode, 2,
              f"--sweep {word} is refused")
    equal(two.returncode, 2, "a sweep is of one command")


# ---- a gate for CI ------------------------------------------------------------------

PROGRAM = """#include <stdlib.h>
int main(void) {
    volatile char *p = malloc(8 << 20);
    for (int i = 0; i < PAGES; i++) p[4096 * i] = 1;
    return 0;
}
"""


def test_gate():
    """doc/examples/gate/gate on a repository of two commits, of which the second
    touches 1,000 pages more; and one that changes a comment."""
    gate = os.path.join(tap.TOP_SOURCE, "doc", "examples", "gate", "gate")
    if not (shutil.which("git") and shutil.which("make") and
            shutil.which("cc")):
        return tap.skip("a gate for CI", "git, make or cc is missing")
    with folder() as where:
        def git(*words):
            return run(["git", "-c", "user.name=a", "-c", "user.email=a@b",
                        *words], folder=where, HOME=where)

        def commit(pages, comment):
            write(where, "p.c", f"/* {comment} */\n#define PAGES {pages}\n" +
                  PROGRAM)
            git("add", "p.c", "Makefile")
            git("commit", "-q", "-m", comment)

        def pass_gate(base, head, *more):
            return run([gate, base, head, "./p", "PAGE_FAULTS > +10 %", *more],
                       folder=where, HPM=HPM, OPTIONS="-r 6", HOME=where)

        git("init", "-q")
        write(where, "Makefile", "p: p.c\n\tcc -O1 -o p p.c\n")
        for pages, comment in ((1000, "first"), (1000, "the same"),
                               (2000, "worse")):
            commit(pages, comment)
        same = pass_gate("HEAD~2", "HEAD~1")
        worse = pass_gate("HEAD~1", "HEAD")
        better = pass_gate("HEAD", "HEAD~1")
        blind = pass_gate("HEAD", "HEAD~1", "NOTHING > +1 %")
        trees = git("worktree", "list").stdout.decode().count("\n")
    ok(same.returncode == 0 and "CROSSED" not in printed(same),
       "a gate lets a commit pass that changes nothing", (same, said(same)))
    ok(worse.returncode == 1 and "CROSSED by B" in printed(worse) and
       "| page-faults |" in printed(worse),
       "stops one that touches more memory", (worse, said(worse)))
    equal((better.returncode, blind.returncode, trees), (0, 3, 1),
          "lets one pass that touches less; a limit on nothing stops it; no "
          "work tree is left")


test_exact_p()
if tap.IS_REPEATED:
    tap.skip("shares of intervals and of what is found, of hundreds of metrics",
             "the numbers are those of the build that runs with all inputs")
else:
    test_intervals()
    test_seen()
test_counts()
test_sections()
test_limits()
test_refused_limits()
test_order()
test_commands()
test_own_sections()
test_three()
test_interruption()
test_interrupted_runs()
test_until()
test_baseline()
test_renewal()
test_sweep()
test_gate()
tap.done()
