# SPDX-License-Identifier: BSD-3-Clause
"""Samples: each belongs to the section that was innermost when it was taken, none is
counted twice or lost without a word, files keep them, and hpm report names where
they are.  tests/programs/sampled runs a function of its own in each section, so that
a sample in a wrong section shows, however many there are."""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from shutil import which

from tap import (HPM, TOP_SOURCE, done, equal, files, folder, ok, program, run,
                 sampled_rarely, skip, undisturbed)

SAMPLED = program("tests/programs/sampled")
# in which sections a function runs: of its thread, and of the process
PLACES = {
    "in_outer": ("outer", "parallel"), "in_inner": ("inner", "parallel"),
    "in_recursive": ("recursive", "parallel"), "in_first": ("first", "parallel"),
    "in_both": ("second", "parallel"), "in_second": ("second", "parallel"),
    "in_none": ("(outside sections)", "parallel"),
    "in_serial": ("(outside sections)", "serial"),
    "in_early": ("long", "(outside sections)"),
    "in_late": ("long", "(outside sections)"),
}
OUTSIDE = "(outside sections)"


def sample(where, n_threads, n_rounds, what="cpu-clock@499us", binary=SAMPLED,
           more=("short",), **variables):
    """The performance files, the parent's first; and the run."""
    result = run([binary, str(n_threads), str(n_rounds), *more], folder=where,
                 HPM_SAMPLE=what, HPM_OUTPUT_NAME=os.path.join(where, "s.hpm.xml"),
                 **variables)
    found = files(where)
    return sorted(found, key=lambda path: "s.hpm.xml" not in path), result


def report(*arguments):
    return run([HPM, "report", *arguments])


def spots(path, by="symbol"):
    """A compiler may have made in_child.constprop.0 of in_child."""
    result = report("--by", by, "--format", "csv", path)
    rows = list(csv.DictReader(io.StringIO(result.stdout.decode())))
    for row in rows:
        row["name"] = re.sub(r"^(in_\w+)\..*", r"\1", row["name"])
    return rows


def shape(path):
    """All samples of a file: (scope, label, event, module, offset) -> n."""
    root = ET.parse(path).getroot()
    found = {}
    for point in root.iter():
        if point.tag not in ("InstrumentationPt", "Outside"):
            continue
        for samples in point.findall("samples"):
            for at in samples.findall("at"):
                key = (point.get("task"), point.get("scope"), point.get("label"),
                       point.get("tid"), samples.get("name"), at.get("module"),
                       at.get("offset"))
                found[key] = found.get(key, 0) + int(at.get("n"))
    return found


def can_sample():
    if sampled_rarely():
        return sampled_rarely()
    with folder() as where:
        paths, result = sample(where, 1, 1)
        if b"not sampled" in result.stderr or b"is not sampled" in result.stderr:
            return result.stderr.decode().splitlines()[0]
        return None if paths else "there is no file"


# ---- sections ------------------------------------------------------------------

def sample_anew(where, *arguments, **options):
    """In an empty folder: the files, the run, and the rows of functions."""
    for old in os.listdir(where):
        os.unlink(os.path.join(where, old))
    paths, result = sample(where, *arguments, **options)
    return paths, result, spots(paths[0])


def check_sections(n_threads, n_rounds):
    """Short functions have few samples, and on a fast machine it may be none."""
    with folder() as where:
        paths, result, _ = undisturbed(
            lambda: sample_anew(where, n_threads, n_rounds, more=()),
            lambda found: len({row["name"] for row in found[2] if row["section"]} &
                              set(PLACES)) >= 8)
        name = f"{n_threads} threads"
        equal(result.returncode, 3, f"{name}: the program has its own exit status")
        if which("xmllint"):
            checked = run(["xmllint", "--noout", "--schema",
                           os.path.join(TOP_SOURCE, "xsd", "hpm.xsd"), *paths])
            equal(checked.returncode, 0, f"{name}: the files are as the schema says")
        rows = spots(paths[0])
        wrong, met = [], set()
        for row in rows:
            if row["name"] not in PLACES or not row["section"]:
                continue
            thread, process = PLACES[row["name"]]
            expected = process if row["scope"] == "process" else thread
            met.add(row["name"])
            if row["section"] != expected:
                wrong.append((row["name"], row["scope"], row["section"],
                              row["samples"]))
        equal(wrong, [], f"{name}: no sample is in a wrong section")
        ok(len(met) >= 8, f"{name}: which have samples", met)
        sampled = ET.parse(paths[0]).getroot().find("Profile/Sampled")
        taken = int(sampled.get("taken"))
        counts = shape(paths[0])
        for scope in ("thread", "process"):
            equal(sum(n for key, n in counts.items() if key[1] == scope), taken,
                  f"{name}: all samples are in sections, or outside: {scope}")
        equal(sum(int(row["samples"]) for row in rows if not row["section"]), taken,
              f"{name}: and in the report, once")
        late = sum(int(row["samples"]) for row in rows
                   if row["name"] == "in_late" and not row["section"])
        ok(late > 0, f"{name}: also late ones of a long section", late)
        children = [row for path in paths[1:] for row in spots(path)]
        ok({"in_child"} >= {row["name"] for row in children
                            if row["name"].startswith("in_")} and children,
           f"{name}: a forked child has its own samples and no others", children)
        equal([row for row in rows if row["name"] == "in_child"], [],
              f"{name}: which its parent has not")


def check_ring():
    """More than a ring has room for, in a second of processor time: of this another
    virtual machine may take a part, in which there is no sample."""
    with folder() as where:
        def late_and_taken(found):
            sampled = ET.parse(found[0][0]).getroot().find("Profile/Sampled")
            return (sum(int(row["samples"]) for row in found[2]
                        if row["name"] == "in_late" and row["section"] == "long"),
                    int(sampled.get("taken")), int(sampled.get("lost")))

        def is_good(found):
            late, taken, _ = late_and_taken(found)
            return late > 0 and taken > 2800

        found = undisturbed(
            lambda: sample_anew(where, 1, 1, "cpu-clock@100us", more=()), is_good)
        paths, (late, taken, lost) = found[0], late_and_taken(found)
        ok(late > 0 and taken > 2800,
           "a section longer than the ring has samples of its end", (late, taken))
        said = sum(int(s.get("lost", "0")) for s in
                   ET.parse(paths[0]).getroot().iter("samples"))
        equal(said, 2 * lost, "lost ones are counted in the sections, and in all")


# ---- files -----------------------------------------------------------------------

def without_sources(path):
    with open(path, "rb") as file:
        return [line for line in file.read().splitlines()
                if not re.search(rb"<HPMPerf|Source|<Run |</Run|complete", line)]


def check_files():
    with folder() as where:
        for name in ("a", "b"):
            os.mkdir(os.path.join(where, name))
        (first, *_), _ = sample(os.path.join(where, "a"), 2, 30,
                                "cpu-clock@499us,page-faults@1")
        (second, *_), _ = sample(os.path.join(where, "b"), 2, 30,
                                 "cpu-clock@499us,page-faults@1")
        # a hundredth: samples come by one of the kernel's clocks, counts by another
        more = [sampled.attrib for sampled in
                ET.parse(first).getroot().iter("Sampled")
                if int(sampled.get("taken")) > 1 + 1.01 * int(sampled.get("count")) /
                int(sampled.get("period"))]
        equal(more, [], "no more samples than periods of the event: none is of what "
              "came before the run")
        out = os.path.join(where, "copy.xml")
        equal(run([HPM, "merge", "-o", out, first]).returncode, 0, "hpm merge")
        equal(without_sources(out), without_sources(first),
              "a file that is read and written is the same")
        merged = [os.path.join(where, f"m{i}.xml") for i in range(2)]
        run([HPM, "merge", "--force", "-o", merged[0], first, second])
        total = sum(shape(first).values()) + sum(shape(second).values())
        equal(sum(shape(merged[0]).values()), total,
              "two files merged have the samples of both")
        run([HPM, "merge", "-o", merged[1], merged[0]])
        equal(without_sources(merged[1]), without_sources(merged[0]),
              "and are the same once more")
        mean = os.path.join(where, "mean.xml")
        run([HPM, "mean", "-o", mean, first, second])
        equal(sum(shape(mean).values()), total, "so has their mean")
        result = run([HPM, "diff", "-o", os.path.join(where, "diff.xml"), first,
                      second])
        ok(result.returncode == 0 and b"samples are not subtracted" in result.stderr,
           "a difference says that it has none", result.stderr.decode())
        if which("xmllint"):
            checked = run(["xmllint", "--noout", "--schema",
                           os.path.join(TOP_SOURCE, "xsd", "hpm.xsd"), *merged, mean])
            equal(checked.returncode, 0, "results are as the schema says")
        check_mixed(where, first)
        check_edited(first)
        check_cuts(where, first)
        check_reports(first)


def check_mixed(where, first):
    """Runs of another period, and one that was not sampled."""
    for name in ("c", "d"):
        os.mkdir(os.path.join(where, name))
    (other, *_), _ = sample(os.path.join(where, "c"), 2, 30, "cpu-clock@997us")
    run([SAMPLED, "2", "30", "short"], folder=os.path.join(where, "d"),
        HPM_OUTPUT_NAME=os.path.join(where, "d", "s.hpm.xml"))
    without = os.path.join(where, "d", "s.hpm.xml")
    mean = os.path.join(where, "mixed.xml")
    result = run([HPM, "mean", "--force", "-o", mean, first, other, without])
    heads = {(row["event"], row["period"]): int(row["of"]) for row in spots(mean)
             if not row["section"]}
    equal(heads, {("cpu-clock", "499000"): sum(
        n for key, n in shape(first).items() if key[1] == "thread" and
        key[4] == "cpu-clock"), ("cpu-clock", "997000"): of_thread(other),
        ("page-faults", "1"): sum(n for key, n in shape(first).items()
                                  if key[1] == "thread" and key[4] == "page-faults")},
        "samples of two periods have a table each, also from a file")
    text = run([HPM, "report", mean]).stdout.decode() + result.stderr.decode()
    ok("samples are of 2 of 3 results" in " ".join(text.split()),
       "and a line says that a run was not sampled", text[-600:])
    again = os.path.join(where, "again.xml")
    run([HPM, "merge", "-o", again, mean])
    equal(without_sources(again), without_sources(mean),
          "a file of both is read and written as it is")
    if which("xmllint"):
        checked = run(["xmllint", "--noout", "--schema",
                       os.path.join(TOP_SOURCE, "xsd", "hpm.xsd"), mean])
        equal(checked.returncode, 0, "and is as the schema says")


def of_thread(path, label=None):
    return sum(n for key, n in shape(path).items()
               if key[1] == "thread" and label in (None, key[2]))


def check_cuts(where, path):
    removed = os.path.join(where, "removed.xml")
    run([HPM, "cut", "--remove", "inner", "-o", removed, path])
    equal(of_thread(removed), of_thread(path),
          "a section that is cut out leaves its samples to the one around it")
    equal(of_thread(removed, "outer"), of_thread(path, "outer") +
          of_thread(path, "inner"), "and to no other")
    root = os.path.join(where, "root.xml")
    run([HPM, "cut", "--root", "outer", "-o", root, path])
    equal(of_thread(root), of_thread(path, "outer") + of_thread(path, "inner"),
          "a part has its own samples")


def check_reports(path):
    rows = spots(path)
    document = json.loads(report("--by", "symbol", "--format", "json", path).stdout)
    equal([(row["module"] or "", row["section"] or "", row["samples"])
           for row in document["data"]],
          [(row["module"], row["section"], int(row["samples"])) for row in rows],
          "JSON has what CSV has")
    schema = os.path.join(TOP_SOURCE, "xsd", "hotspots.schema.json")
    with open(schema, encoding="utf-8") as file:
        rules = json.load(file)
    for part, members in (("data", document["data"]),
                          ("sampled", document["sampled"])):
        equal({frozenset(member) for member in members},
              {frozenset(rules["properties"][part]["items"]["properties"])},
              f"JSON has the members of its schema: {part}")
    ok("sampled: cpu-clock" in report(path).stdout.decode(),
       "the report of sections says that there are samples")
    text = report("--by", "symbol", path).stdout.decode()
    ok(all(row["name"] in text for row in rows[:5]) and "one each 499 us" in text,
       "and so has the text", text)
    labels = {row["section"]: int(row["of"]) for row in rows
              if row["scope"] == "thread" and row["event"] == "cpu-clock"}
    found = dict(re.findall(r"^(\S+|\(outside sections\)) (?:\(sampled.c:\d+\))? +([\d,]+)",
                            text.split("section of a thread")[1].split("\n\n")[0], re.M))
    equal({label: int(n.replace(",", "")) for label, n in found.items()}, labels,
          "the text has a table of sections, with the samples of each")
    parts = [row for row in rows if int(row["of"]) < 30]
    ok(parts and all(row["share"] == row["low"] == "" for row in parts),
       "under 30 samples there is no share", parts[:3])
    found = next(row for row in rows if int(row["of"]) >= 30)
    n, n_all, z = int(found["samples"]), int(found["of"]), 1.959963984540054
    part, weight = n / n_all, 1 + z * z / n_all
    middle = (part + z * z / (2 * n_all)) / weight
    reach = z / weight * (part * (1 - part) / n_all + z * z / 4 / n_all**2) ** 0.5
    ok(abs(float(found["low"]) - (middle - reach)) < 1e-12 and
       abs(float(found["high"]) - (middle + reach)) < 1e-12,
       "shares have Wilson's interval", found)
    lines = spots(path, "line")
    source = os.path.join(TOP_SOURCE, "tests", "programs", "sampled.c")
    with open(source, encoding="utf-8") as file:
        text = file.read().splitlines()
    numbers = {int(row["name"].split(":")[1]) for row in lines
               if row["name"].startswith("sampled.c:")}
    ok(not numbers or any("WORK(in_" in text[n - 1] for n in numbers),
       "lines are those of the functions", sorted(numbers))
    modules = {row["name"] for row in spots(path, "module")}
    ok("sampled" in str(modules), "and modules have names", modules)


def check_names():
    """A program without names, and another one in its place."""
    if which("strip") is None:
        skip("programs without names", "there is no strip")
        return
    with folder() as where:
        real = os.path.join(os.path.dirname(SAMPLED), ".libs", "sampled")
        copy = os.path.join(where, "stripped")
        shutil.copy(real if os.path.exists(real) else SAMPLED, copy)
        library = os.path.join(os.path.dirname(os.path.dirname(
            os.path.dirname(SAMPLED))), "lib", ".libs")
        subprocess.run(["strip", "-s", copy], check=True)
        paths, result = sample(where, 1, 50, binary=copy, LD_LIBRARY_PATH=library)
        if not paths:
            skip("programs without names", result.stderr.decode()[:100])
            return
        text = report("--by", "symbol", paths[0]).stdout.decode()
        ok("Without a name in" in text and
           "no function at some places" in " ".join(text.split()) or
           "no names of functions" in " ".join(text.split()),
           "a stripped program's samples have no name, and a line says why", text)
        said = re.search(r"Without a name in \S*stripped: ([\d,]+) samples",
                         " ".join(text.split()))
        row = re.search(r"\(no name\) +([\d,]+) .*stripped\n", text)
        equal(said and said[1], row and row[1],
              "which counts each of them once, whatever sections it was in")
        shutil.copy(HPM if not os.path.exists(
            os.path.join(os.path.dirname(HPM), ".libs", "hpm")) else
            os.path.join(os.path.dirname(HPM), ".libs", "hpm"), copy)
        text = " ".join(report("--by", "symbol", paths[0]).stdout.decode().split())
        ok("another build id" in text, "a file that was changed gives no names", text)
        os.unlink(copy)
        text = " ".join(report("--by", "symbol", paths[0]).stdout.decode().split())
        ok("its file is not there" in text, "nor does one that is gone", text)


# ---- odd lives --------------------------------------------------------------------

def check_lives():
    with folder() as where:
        _, result = sample(where, "clone", 0)
        equal(result.returncode, 3,
              "children by clone(2) alone keep away from the rings of their parent")
    with folder() as where:
        paths, _ = sample(where, "leave", 0)
        equal({row["name"] for row in spots(paths[0]) if row["section"] == "outer"
               and row["name"].startswith("in_")}, {"in_outer"},
              "places have names where the main thread has ended")
    with folder() as where:
        paths, _ = sample(where, 2, 20, HPM_SKIP=1000000)
        sampled = ET.parse(paths[0]).getroot().find("Profile/Sampled")
        equal(of_thread(paths[0], OUTSIDE), int(sampled.get("taken")),
              "without any section all samples are outside")
    with folder() as where:
        paths, _ = sample(where, 40, 20)
        rows = [row for row in spots(paths[0]) if int(row["of"]) >= 30]
        short = [row for row in rows if row["section"] in ("outer", "recursive")]
        ok(short and all(row["low"] != "" for row in short),
           "also by few samples of each of many threads there is an interval",
           short[:2])


def check_edited(path):
    """Files that somebody has changed."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    cases = [(r'<Module id="1"', "<Module", "module 0 is not the next one"),
             (r'n="\d+"/>', 'n="18446744073709551615"/>', "'18446744073709551615'"),
             (r'(<at module=")\d+', r"\g<1>99", "some are of a module that"),
             (r'(<Module id=")2"', r'\g<1>1"', "module 1 is there already"),
             (r'(<Module id=")2"', r'\g<1>3"', "module 3 is not the next one"),
             (r"(?s)  <Profile.*</Profile>\n", "", "left out"),
             (r"(<Sampled [^>]*>)", r"\1\1", "a second Sampled")]
    for pattern, new, words in cases:
        with folder() as where:
            edited = os.path.join(where, "e.xml")
            with open(edited, "w", encoding="utf-8") as file:
                file.write(re.sub(pattern, new, text, count=1))
            result = report("--by", "symbol", edited)
            said = result.stderr.decode()
            ok(result.returncode in (0, 1, 3) and (words is None or words in said),
               f"a file with {pattern} changed is read, and a line says it", said)


def check_kernel():
    """Samples of the kernel are its own, by function where this user may know."""
    with folder() as where:
        paths, result = sample(where, 2, 60, "cpu-clock@499us", HPM_DOMAIN="all")
        if not paths or b"not sampled" in result.stderr:
            skip("the kernel", result.stderr.decode()[:100])
            return
        rows = [row for row in spots(paths[0]) if not row["section"]]
        kernel = [row for row in rows if row["module"] == "[kernel]"]
        ok(kernel and all(row["name"] != "(unknown)" for row in rows),
           "what the kernel does is the kernel's", rows)
        with open(paths[0], encoding="utf-8") as file:
            text = file.read()
        edited = os.path.join(where, "e.xml")
        with open(edited, "w", encoding="utf-8") as file:
            file.write(re.sub(r'(path="\[kernel\]" build_id=")[^"]*', r"\g<1>ab", text))
        rows = [row for row in spots(edited) if not row["section"] and
                row["module"] == "[kernel]"]
        equal([(row["name"], row["samples"]) for row in rows],
              [("(kernel)", str(sum(int(row["samples"]) for row in kernel)))],
              "and without names where another kernel runs here")
        ok("Without a name in [kernel]" in report("--by", "symbol", edited)
           .stdout.decode(), "which a line says")


# ---- words ------------------------------------------------------------------------

def check_words():
    cases = [("nosuch@5", "'nosuch@5': "), ("cpu-clock@1us", "too short"),
             ("cpu-clock@x", "is no period"), ("@5", "without a name"),
             ("cpu-clock,cpu-clock", "there already"),
             ("page-faults@3us", "is no period"),
             ("page-faults,task-clock,cpu-clock,context-switches,cpu-migrations",
              "at most 4")]
    for what, words in cases:
        with folder() as where:
            paths, result = sample(where, 1, 1, what)
            said = result.stderr.decode()
            ok(words in said and result.returncode == 3 and paths,
               f"HPM_SAMPLE={what}: a line, and the sections are measured", said)
    with folder() as where:
        paths, result = sample(where, 1, 1, HPM_SOURCE="none")
        ok("nothing is sampled" in result.stderr.decode(),
           "where the kernel is not to be asked, a line says so",
           result.stderr.decode())
        result = report("--by", "symbol", paths[0])
        ok(result.returncode == 3 and b"HPM_SAMPLE" in result.stderr,
           "a report of a file without samples says how to take some",
           result.stderr.decode())
        result = report("--by", "line", "--sort", "calls", paths[0])
        equal(result.returncode, 2, "places are not sorted by something else")


problem = can_sample()
if problem is not None:
    skip("samples", problem)
else:
    check_sections(1, 100)
    check_sections(4, 60)
    check_ring()
    check_files()
    check_names()
    check_lives()
    check_kernel()
    check_words()
done()
