# SPDX-License-Identifier: BSD-3-Clause
"""Samples of programs that nobody changed (hpmcount --sample): through threads, forks,
execs, plug-ins and code that is made while they run, everything has its name, and the
program is as it is without."""

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ET

from tap import (HPM, HPMCOUNT, TOP_BUILD, TOP_SOURCE, done, equal, folder, ok, program, run,
                 sampled_rarely, skip, undisturbed)

UNCHANGED = program("tests/programs/unchanged")
PLUGIN = os.path.join(TOP_BUILD, "tests", "programs", ".libs", "unchangedplugin.so")
WORK_NS = 120e6  # of each function: tests/programs/worked.h
# not with sanitizers
PLUGINS = ["plugin"] if os.path.exists(PLUGIN) else []


def sample(where, words, what="cpu-clock@499us", **variables):
    path = os.path.join(where, "s.hpm.xml")
    result = run([HPMCOUNT, "-n", "--sample", what, "-o", path, UNCHANGED, PLUGIN,
                  *words], folder=where, **variables)
    return path, result


def spots(path, by="symbol"):
    text = run([HPM, "report", "--by", by, "--format", "csv", path]).stdout.decode()
    return [row for row in csv.DictReader(io.StringIO(text)) if not row["section"]]


def sampled(path):
    return ET.parse(path).getroot().find("Profile/Sampled")


def can_sample():
    if sampled_rarely():
        return sampled_rarely()
    with folder() as where:
        path, result = sample(where, ["main"])
        return None if os.path.exists(path) else result.stderr.decode()[:200]


def check_screen():
    with folder() as where:
        path = os.path.join(where, "s.hpm.xml")
        result = run([HPMCOUNT, "--sample", "cpu-clock@499us", "-o", path, UNCHANGED,
                      "", "main"], folder=where)
        taken = sampled(path).get("taken")
        ok(f"samples          {taken} of cpu-clock: hpm report --by symbol FILE\n"
           in result.stderr.decode(), "the first screen says what shows samples",
           result)


def is_right(row):
    """Has a function as many samples as it has worked?  A late interrupt takes some."""
    return abs(int(row["samples"]) * 499e3 / WORK_NS - 1) < 0.3


def check_lives():
    with folder() as where:
        def sample_all():
            for name in os.listdir(where):
                os.unlink(os.path.join(where, name))
            path, result = sample(where, ["main", *PLUGINS, "thread", "fork", "exec"])
            return path, result, [row for row in spots(path)
                                  if row["name"].startswith("in_")]

        path, result, found = undisturbed(
            sample_all, lambda found: all(map(is_right, found[2])), 5)
        ok(all(map(is_right, found)), "each function has as many samples as periods "
           "of its work, within 30 %", found)
        equal((result.returncode, result.stdout), (7, b"done\ndone\n"),
              "the program has its own exit status and output")
        rows = spots(path)
        names = {row["name"]: row for row in rows}
        for name, module in (("in_program", "unchanged"), ("in_thread", "unchanged"),
                             *(("in_plugin", "unchangedplugin.so") for _ in PLUGINS),
                             ("in_fork", "unchanged"), ("in_exec", "unchanged")):
            ok(name in names and names[name]["module"].endswith(module),
               f"there are samples of {name}", sorted(names))
        five = sum(int(row["samples"]) for row in rows if row["name"].startswith("in_"))
        taken = int(sampled(path).get("taken"))
        ok(five >= 0.7 * taken, "nearly all samples are of what it does",
           (five, taken))
        count = int(sampled(path).get("count"))
        # a hundredth: samples come by one of the kernel's clocks, counts by another
        ok(taken <= 1.01 * count / 499000 + 1,
           "there are no more samples than periods", (taken, count))
        equal(sum(int(row["samples"]) for row in rows), taken,
              "all samples are in the table, once")
        unused = [module.get("path") for module in ET.parse(path).getroot().iter("Module")
                  if not any(at.get("module") == module.get("id")
                             for at in ET.parse(path).getroot().iter("at"))]
        equal(unused, [], "files that have no samples are left out")
        text = " ".join(run([HPM, "report", "--by", "symbol", path]).stdout.decode()
                        .split())
        ok("All threads of the program are sampled" in text and
           "a process section:" not in text, "text has one table of them", text[:300])
        lines = spots(path, "line")
        ok(any(row["name"].startswith("unchanged.c:") for row in lines) or
           any(row["name"] == "(in_program)" for row in lines), "and lines", lines[:5])


def check_places():
    with folder() as where:
        path, _ = sample(where, ["vdso"])
        rows = spots(path)
        ok(any("clock_gettime" in row["name"] and row["module"] == "[vdso]"
               for row in rows) or all(row["module"] != "[vdso]" for row in rows),
           "the vDSO has its names", rows[:5])
    with folder() as where:
        path, _ = sample(where, ["jit"])
        rows = spots(path)
        if os.uname().machine != "x86_64":
            skip("code made while it runs", "the test has code for x86-64 alone")
        else:
            ok(rows[0]["name"] == "made now", "code made while it runs has its name",
               rows[:5])
            gone = [module.get("path") for module in
                    ET.parse(path).getroot().iter("Module")
                    if "perf-" in module.get("path")]
            os.unlink(gone[0])
            text = run([HPM, "report", "--by", "symbol", path]).stdout.decode()
            ok("file is not there" in " ".join(text.split()),
               "and a line says so where its list is gone", text)
    with folder() as where:
        path, result = sample(where, ["read"], HPM_DOMAIN="all")
        if not os.path.exists(path):
            skip("the kernel", result.stderr.decode()[:100])
            return
        rows = spots(path, "module")
        ok(rows and rows[0]["name"] == "[kernel]" and
           int(rows[0]["samples"]) > int(rows[0]["of"]) / 2,
           "what the kernel does is the kernel's", rows)


def check_words():
    with folder() as where:
        cases = [("nosuch@5", "--sample: not sampled: 'nosuch@5'"),
                 ("cpu-clock@1us", "too short"), ("cpu-clock@x", "is no period"),
                 ("page-faults,page-faults", "there already")]
        for what, words in cases:
            path, result = sample(where, ["main"], what)
            said = result.stderr.decode()
            ok(result.returncode == 125 and words in said and result.stdout == b"" and
               not os.path.exists(path), f"--sample {what} is refused, and nothing run",
               said)
        result = run([HPMCOUNT, "--sample", "cpu-clock", UNCHANGED, PLUGIN, "main"])
        ok(result.returncode == 125 and b"-o NAME" in result.stderr,
           "without a file there would be no samples", result.stderr.decode())
        for option in (["--delay", "5"], ["-p", "1"]):
            result = run([HPMCOUNT, "--sample", "cpu-clock", "-o", "x", *option,
                          UNCHANGED, PLUGIN, "main"])
            ok(result.returncode == 125 and b"--sample" in result.stderr,
               f"{option[0]} is not for it", result.stderr.decode())
        path, result = sample(where, ["main"], HPM_SOURCE="none")
        ok(result.returncode == 125 and b"HPM_SOURCE" in result.stderr,
           "nor where the kernel is not to be asked", result.stderr.decode())
    with folder() as where:
        path = os.path.join(where, "s.hpm.xml")
        result = run([HPMCOUNT, "-n", "--sample", "cpu-clock", "-o", path, "/nowhere/x"])
        equal(result.returncode, 127, "a program that is not there is no other fault")


def check_several():
    """Events at once, and runs; a mean has the samples of all."""
    with folder() as where:
        path, _ = sample(where, ["main"], "cpu-clock@499us,page-faults@1,task-clock@2ms")
        events = {row["event"] for row in spots(path)}
        equal(events, {"cpu-clock", "page-faults", "task-clock"}, "events at once")
        run([HPMCOUNT, "-n", "-r", "2", "--sample", "cpu-clock@499us", "-o",
             os.path.join(where, "r.hpm.xml"), UNCHANGED, PLUGIN, "main"])
        parts = [os.path.join(where, f"r.{i}.hpm.xml") for i in (1, 2)]
        mean = os.path.join(where, "mean.xml")
        run([HPM, "mean", "--force", "-o", mean, *parts])
        equal(int(spots(mean)[0]["of"]), sum(int(spots(part)[0]["of"]) for part in parts),
              "runs have a file each, and their mean has all samples")


def check_short():
    """What is shorter than a period has no sample, which is said."""
    with folder() as where:
        path = os.path.join(where, "s.hpm.xml")
        run([HPMCOUNT, "-n", "--sample", "cpu-clock@20ms", "-o", path, "sh", "-c",
             "i=0; while [ $i -lt 300 ]; do /bin/true; i=$((i+1)); done"])
        text = ET.tostring(ET.parse(path).getroot()).decode()
        ok("after a whole period" in text and " of 301 threads" in text,
           "short processes have no samples, and a line says so",
           re.findall("<Problem.*", text))


def check_growth_json(paths, rows):
    """JSON has what CSV has, and the members of its schema."""
    text = run([HPM, "diff", "--by", "symbol", "--format", "json", *paths]).stdout
    document = json.loads(text)
    equal({row["name"]: (row["samples_before"], row["samples_after"], row["low"])
           for row in document["data"]},
          {name: (int(row["samples_before"]), int(row["samples_after"]),
                  float(row["low"])) for name, row in rows.items()},
          "JSON has what CSV has")
    schema = os.path.join(TOP_SOURCE, "xsd", "growth.schema.json")
    with open(schema, encoding="utf-8") as file:
        rules = json.load(file)
    for part in "sampled", "data":
        equal({frozenset(member) for member in document[part]},
              {frozenset(rules["properties"][part]["items"]["properties"])},
              f"JSON has the members of its schema: {part}")
    equal([(s["period_before"], s["period_after"]) for s in document["sampled"]],
          [(997000, 499000)], "and both periods")


def sample_growth(where):
    """Both files, and the rows of what grew."""
    paths = []
    for name, words, what in (("a", ["main", "thread"], "cpu-clock@997us"),
                              ("b", ["main", "main", "main", "thread", *PLUGINS],
                               "cpu-clock@499us")):
        os.makedirs(os.path.join(where, name), exist_ok=True)
        for old in os.listdir(os.path.join(where, name)):
            os.unlink(os.path.join(where, name, old))
        paths.append(sample(os.path.join(where, name), words, what)[0])
    result = run([HPM, "diff", "--by", "symbol", "--format", "csv", *paths])
    return paths, {row["name"]: row for row in
                   csv.DictReader(io.StringIO(result.stdout.decode()))}


def is_unchanged(row):
    """An amount of half a thing, or of twice as much, is none that did not change."""
    return float(row["low"]) < 0.3 * float(row["before"]) and \
        abs(float(row["change"])) < 0.4 * float(row["before"])


def check_growth():
    """What does twice the work has twice the samples, at another period, too."""
    with folder() as where:
        paths, rows = undisturbed(
            lambda: sample_growth(where),
            lambda found: is_unchanged(found[1]["in_thread"]), 5)
        grew = {name for name, row in rows.items() if float(row["low"]) > 0}
        ok({"in_program", *("in_plugin" for _ in PLUGINS)} <= grew, "what grew is named", rows)
        thread = rows["in_thread"]
        ok(is_unchanged(thread), "what did not has about what it had, at half the period", thread)
        for row in rows.values():
            ok(abs(float(row["after"]) - 499000 * int(row["samples_after"])) < 1 and
               abs(float(row["before"]) - 997000 * int(row["samples_before"])) < 1,
               f"amounts of {row['name']} are samples times the period", row)
        text = run([HPM, "diff", "--by", "symbol", *paths]).stdout.decode()
        ok("in_program" in text and " more " in text and "before ms" in text, "as text",
           text)
        check_growth_json(paths, rows)
        turned = run([HPM, "diff", "--by", "module", "--format", "csv", *paths[::-1]])
        changes = {row["name"]: float(row["change"]) for row in
                   csv.DictReader(io.StringIO(turned.stdout.decode()))}
        ok(min(changes.values()) < 0, "turned round it became less", changes)
        same = run([HPM, "diff", "--by", "symbol", "--format", "csv", paths[0], paths[0]])
        ok(all(float(row["change"]) == 0 and float(row["low"]) < 0 < float(row["high"])
               for row in csv.DictReader(io.StringIO(same.stdout.decode()))),
           "of itself nothing has changed")
        os.mkdir(os.path.join(where, "c"))
        other = sample(os.path.join(where, "c"), ["main"], "page-faults@1")[0]
        for arguments, status, words in (
                (["--by", "symbol", paths[1], other], 3, "no event of which both"),
                (["--by", "symbol", "-o", "x", *paths], 2, "-o is for"),
                (["--format", "csv", "-o", "x", *paths], 2, "--format goes with"),
                (["--by", "task", *paths], 2, "--by")):
            result = run([HPM, "diff", *arguments], folder=where)
            ok(result.returncode == status and words in result.stderr.decode(),
               f"hpm diff {arguments[1]} ...: {words}", result.stderr.decode())


def sample_sides(where):
    """Six runs of each, in folders of their own."""
    for side, words in (("a", ["main", "thread"]), ("b", [*["main"] * 4, "thread"])):
        for i in range(6):
            place = os.path.join(where, side, str(i))
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place)
            sample(place, words)


def check_compare():
    """Runs of a program that does four times the work in a function, and runs that do not:
    that function differs by the test."""
    with folder() as where:
        arguments = ["compare", "--force", "--functions", "--format", "json",
                     "--only", "SAMPLED*"]
        sides = [os.path.join(where, side, "*", "*.xml") for side in "ab"]

        def sample_and_compare():
            sample_sides(where)
            result = run([HPM, *arguments, sides[0], "--", sides[1]])
            return {row["section"]: row
                    for row in json.loads(result.stdout)["comparisons"]}

        found = undisturbed(sample_and_compare, lambda found:
                            0.7 < found["in_thread in unchanged"]["ratio"] < 1.3, 5)
        equal({row["metric"] for row in found.values()}, {"SAMPLED cpu-clock"},
              "hpm compare --functions has functions")
        grown = found["in_program in unchanged"]
        ok(grown["differs"] and grown["low"] > 1.2 and grown["unit"] == "s",
           "what grew differs, with an interval", grown)
        # its test finds a difference in 3 of 100 that have none
        ok(0.7 < found["in_thread in unchanged"]["ratio"] < 1.3, "what did not has as much",
           found["in_thread in unchanged"])
        mean = os.path.join(where, "mean.hpm.xml")
        run([HPM, "mean", "--force", "-o", mean,
             *(os.path.join(where, "a", str(i)) for i in range(6))])
        result = run([HPM, *arguments, mean, "--", sides[0]])
        found = {row["section"]: row for row in json.loads(result.stdout)["comparisons"]}
        ok(0.6 < found["in_program in unchanged"]["ratio"] < 1.7,
           "a mean has as much as one of its runs", found["in_program in unchanged"])
        check_other_samples(where, arguments, sides)
        result = run([HPM, *arguments[:3], "--only", "TIME", sides[0], "--", sides[1]])
        ok(b"SAMPLED" not in result.stdout, "other metrics leave them out", result.stdout)
        result = run([HPM, *arguments[:3], "--", "true", "--", "true"])
        ok(result.returncode == 2 and b"--functions is of performance files" in
           result.stderr, "commands have none", result.stderr)


def change(where, side, what, into):
    """Copies of a side's files in which one thing is another."""
    made = os.path.join(where, side + "-changed")
    for i in range(6):
        os.makedirs(os.path.join(made, str(i)), exist_ok=True)
        with open(os.path.join(where, side, str(i), "s.hpm.xml")) as file:
            text = file.read()
        with open(os.path.join(made, str(i), "s.hpm.xml"), "w") as file:
            file.write(re.sub(what, into, text))
    return os.path.join(made, "*", "*.xml")


def check_other_samples(where, arguments, sides):
    """What cannot be compared is not, or by another name."""
    changed = change(where, "b", '(<Sampled [^>]*)domain="user"', '\\1domain="all"')
    result = run([HPM, *arguments, sides[0], "--", changed])
    ok(result.returncode == 3 and b"no side has a value that A has, too" in result.stderr,
       "samples with those of the kernel are of another event", result)
    changed = change(where, "b", '(<samples [^>]*?)(>)', '\\1 lost="1000"\\2')
    result = run([HPM, *arguments, sides[0], "--", changed])
    ok(result.returncode == 3 and
       b"6 runs have lost more than 1 % of the samples" in result.stderr,
       "runs that lost samples are left out, and said", result)


def check_full():
    """hpmcount is stopped until its program has ended: rings are full."""
    with folder() as where:
        path = os.path.join(where, "s.hpm.xml")
        events = "cpu-clock@100us,task-clock@100us"
        with subprocess.Popen([HPMCOUNT, "-n", "--sample", events, "-o", path, UNCHANGED,
                               PLUGIN, *["main"] * 30], stdout=subprocess.PIPE) as count:
            child = wait_until(lambda: child_of(count.pid))
            wait_until(lambda: state_of(child)[1] == "unchanged")
            os.kill(count.pid, signal.SIGSTOP)
            wait_until(lambda: state_of(child)[2] == "Z")
            os.kill(count.pid, signal.SIGCONT)
            equal((count.stdout.read(), count.wait()), (b"done\n", 7),
                  "a program whose rings are full ends as without them")
        root = ET.parse(path).getroot()
        lost = sum(int(each.get("lost")) for each in root.iter("Sampled"))
        said = sum(int(each.get("lost", "0")) for each in root.iter("samples"))
        ok(lost > 0 and lost == said, "what is lost is counted", (lost, said))
        ok("records of samples are lost" in ET.tostring(root).decode() and
           "lost" in run([HPM, "report", "--by", "symbol", path]).stdout.decode(),
           "and said")


def wait_until(find):
    while not (found := find()):
        time.sleep(0.01)
    return found


def child_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        words = file.read().split()
    return int(words[0]) if words else None


def state_of(pid):
    """Its number, name and state."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        found = re.match(r"(\d+) \((.*)\) (.)", file.read())
    return found.groups()


problem = can_sample()
if problem is not None:
    skip("samples", problem)
else:
    check_screen()
    check_lives()
    check_places()
    check_words()
    check_several()
    check_growth()
    check_compare()
    check_short()
    check_full()
done()
