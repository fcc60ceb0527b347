# SPDX-License-Identifier: BSD-3-Clause
"""The experiment algebra from the command line: hpm merge, mean, integrate,
diff, cut."""

import gzip
import itertools
import os
import random
import re
import shutil
import signal
import xml.etree.ElementTree as ET

import tap
from tap import HPM, XSD, equal, folder, ok, program, run

REREAD = program("tests/programs/reread")


def content(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


# ---- files made for it ------------------------------------------------------

def data_of(name, value, exclusive, rest=""):
    return (f'    <data name="{name}" value="{value}" '
            f'exclusive="{exclusive}" kind="counter"{rest}/>\n')


def file_of(counts, task=0, threads=2, pmu="power4", job="7", pid=100,
            sections=("main", "solve", "io"), domain="user", start=0,
            factor=1.0):
    """A run in which each section has these counters, by name, in numbers
    that depend on section and thread."""
    ids = itertools.count(1)
    points = []
    for tid in range(threads):
        parent = None
        for i, label in enumerate(sections):
            number = next(ids)
            last = i == len(sections) - 1
            weight = (len(sections) - i) * (tid + 3)
            data = '    <data name="Count" value="4" kind="counter"/>\n'
            data += (f'    <data name="ExcSec" value="{tid + 3}.000000000" '
                     'kind="time" unit="s"/>\n'
                     f'    <data name="IncSec" value="{weight}.000000000" '
                     'kind="time" unit="s"/>\n')
            data += "".join(
                data_of(name, round(count * weight * factor),
                        round(count * (weight if last else tid + 3) * factor))
                for name, count in counts.items())
            above = f' parent="{parent}"' if parent else ""
            points.append(
                f'  <InstrumentationPt lid="a.c{i + 1}" disp="true" '
                f'tid="{tid}" task="{task}" label="{label}" file="a.c" '
                f'linestart="{i + 1}" lineend="{i + 50}" scope="thread" '
                f'inst="{i + 1}" id="{number}"{above}>\n{data}'
                '  </InstrumentationPt>\n')
            parent = number
    counters = "".join(f'    <Counter name="{name}" source="kernel" '
                       f'domain="{domain}" state="counted"/>\n'
                       for name in counts)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<HPMPerformanceFile version="1" complete="yes" kind="run">\n'
        f'  <Run task="{task}" program="sppm" job="{job}" pid="{pid}" '
        f'start="2026-11-20T11:{start:02}:00.000Z" seconds="100.000000000">\n'
        f'  </Run>\n  <Machine task="{task}" host="node{task % 3}" '
        f'cpus="8" pmu="{pmu}"/>\n'
        f'  <Counters task="{task}">\n{counters}  </Counters>\n'
        + "".join(points) +
        f'  <End records="{len(points)}"/>\n</HPMPerformanceFile>\n').encode()


def hpm(arguments, where, **variables):
    return run([HPM] + arguments, folder=where, **variables)


def is_whole(path):
    """Valid, and what is read of it is written again byte for byte."""
    result = run([REREAD, path])
    return result.returncode == 0 and result.stdout == content(path) and \
        (not tap.has_xmllint() or tap.validates([path]) is None)


def values(path, name, field="value"):
    """All values of a datum."""
    return [float(v) for v in re.findall(
        rf'<data name="{re.escape(name)}"[^>]* {field}="([^"]*)"',
        content(path).decode())]


COUNTS = {"PM_CYC": 1000003, "PM_INST_CMPL": 700001, "PM_LD_REF_L1": 90001}


# ---- the same bytes ----------------------------------------------------------

def combinations():
    """Per subcommand: its words before the files, the files."""
    tasks = {f"t{i}.hpm.xml": file_of(COUNTS, task=i) for i in range(7)}
    runs = {f"r{i}.hpm.xml": file_of(COUNTS, pid=i, start=i,
                                     factor=1 + i / 7) for i in range(5)}
    others = {f"s{i}.hpm.xml": file_of({"PM_CYC": 1000003 + i, name: 5 + i},
                                       pid=i, start=i)
              for i, name in enumerate(("PM_BR_ISSUED", "PM_BR_MPRED_CR",
                                        "PM_BR_MPRED_TA"))}
    return {"merge": tasks, "mean": runs, "integrate": others}


def test_same_bytes():
    shuffled = random.Random(7)
    for name, inputs in combinations().items():
        with folder() as where:
            for path, data in inputs.items():
                write(os.path.join(where, path), data)
            paths = list(inputs)
            result = hpm([name, "-o", "first", *paths], where)
            first = content(os.path.join(where, "first"))
            expected = 1 if name == "integrate" else 0  # its metrics
            ok(result.returncode == 0 and
               result.stderr.count(b"\n") == expected and
               result.stderr.count(b"combine runs") == expected and
               is_whole(os.path.join(where, "first")),
               f"{name}: a file that can be read again", result)
            different = []
            for i in range(4):
                shuffled.shuffle(paths)
                if hpm([name, "-o", "-", *paths], where).stdout != first:
                    different.append(paths[:])
            equal(different, [], f"{name}: in any order of the files")
            for what, arguments, variables in (
                    ("one thread", ["--threads", "1", *paths], {}),
                    ("eight threads", ["--threads", "8", *paths], {}),
                    ("another locale", paths, {"LC_ALL": "de_DE.UTF-8",
                                               "LANG": "de_DE.UTF-8"}),
                    ("the folder", ["."], {}),
                    ("a pattern", ["[rst]*.hpm.xml"], {}),
                    ("files named twice", [*paths, "./" + paths[0]], {})):
                result = hpm([name, "-o", "-", *arguments], where, **variables)
                ok(result.returncode == 0 and result.stdout == first,
                   f"{name}: the same bytes with {what}", result.stderr)


MIXED = """compute LEAD = EV_A - EV_B
ratio SHARE_OF_C = EV_A / EV_C
ratio RATE = EV_B / EV_C
ratio ALONE = EV_B / Count
"""


def without_main(data):
    """The same where the outermost section has none of the counts EV_."""
    first, *records = data.decode().split("  <InstrumentationPt ")
    return "  <InstrumentationPt ".join([first] + [
        re.sub(r' *<data name="EV_[^>]*>\n', "", text)
        if 'label="main"' in text else text for text in records]).encode()


def test_mixtures():
    """Metrics of counts of different runs: the integration tells of them where
    no run has all counts, and where runs that differ changed the value."""
    cycles = {"PM_CYC": 1000}
    for what, more, second, n_uncompared, far, kept in (
            ("runs that differ", {}, 500, 2, True, bytes),
            ("runs that differ within", {}, 500, 2, True, without_main),
            ("runs that differ, by their cycles alike", cycles, 500, 0, True,
             bytes),
            ("runs that are alike", cycles, 1000, 0, False, bytes)):
        with folder() as where:
            write(os.path.join(where, "my.hpm"), MIXED.encode())
            write(os.path.join(where, "r0.hpm.xml"),
                  kept(file_of({"EV_A": 1000, "EV_B": 900, **more})))
            write(os.path.join(where, "r1.hpm.xml"),
                  kept(file_of({"EV_A": second, "EV_C": 100, **more}, pid=101,
                               start=1)))
            result = hpm(["integrate", "-o", "o.xml", "r0.hpm.xml",
                          "r1.hpm.xml"], where, HPM_DEFS="my.hpm")
            root = ET.parse(os.path.join(where, "o.xml")).getroot()
            leads = values(os.path.join(where, "o.xml"), "LEAD")
        lines = [line.partition("integrate: ")[2] for line in
                 result.stderr.decode().splitlines()]
        problems = [problem.get("text") for problem in root.iter("Problem")]
        equal(sorted(lines), sorted(problems),
              f"{what}: what is said stands in the file")
        equal([line.split()[3:7] for line in lines if "nothing shows" in line],
              [[str(n_uncompared), "of", "the", "2"]] if n_uncompared else [],
              f"{what}: runs that nothing compares are counted")
        equal([line.rpartition(": ")[2] for line in lines
               if "so their values combine runs" in line], ["RATE"],
              f"{what}: metrics no run has all counts of")
        named = [line for line in lines if "that differ" in line]
        ok(len(named) == (1 if far else 0) and
           all(": LEAD, SHARE_OF_C; LEAD of '" in line for line in named) and
           (min(leads) < 0) == far,
           f"{what}: metrics that are not what one run gave", (lines, leads))


def test_merge_in_steps():
    with folder() as where:
        for path, data in combinations()["merge"].items():
            write(os.path.join(where, path), data)
        hpm(["merge", "-o", "all", "."], where)
        hpm(["merge", "-o", "a", "t0.hpm.xml", "t3.hpm.xml"], where)
        hpm(["merge", "-o", "b", "t1.hpm.xml", "t6.hpm.xml", "t2.hpm.xml"],
            where)
        hpm(["merge", "-o", "c", "b", "t5.hpm.xml", "a", "t4.hpm.xml"], where)
        ok(content(os.path.join(where, "c")) ==
           content(os.path.join(where, "all")),
           "merged in steps, through files: the same bytes")
        hpm(["merge", "-o", "one", "t0.hpm.xml"], where)
        ok(content(os.path.join(where, "one")) ==
           content(os.path.join(where, "t0.hpm.xml")),
           "merged alone, a file is itself")


def test_properties():
    with folder() as where:
        path = os.path.join(where, "a.hpm.xml")
        write(path, file_of(COUNTS))
        alone = hpm(["mean", "-o", "full", "a.hpm.xml"], where)
        ok(alone.returncode == 0 and b"one run only" in alone.stderr,
           "the mean of one run is made, and it is said that it is one", alone)
        hpm(["mean", "-o", "one", "full"], where)
        ok(content(os.path.join(where, "one")) ==
           content(os.path.join(where, "full")), "the mean of one is itself")
        hpm(["diff", "-o", "zero", "full", "full"], where)
        text = content(os.path.join(where, "zero")).decode()
        numbers = re.findall(r'<data name="(\w+)" value="([^"]*)"', text)
        ok(len(numbers) > 30 and all(float(v) == 0 for _, v in numbers),
           "the difference with itself is zero, metrics too", numbers)
        write(os.path.join(where, "other.hpm.xml"),
              file_of(COUNTS, pid=1, start=1))
        hpm(["mean", "-o", "other", "other.hpm.xml"], where)
        hpm(["mean", "-o", "two", "a.hpm.xml", "other"], where)
        again = hpm(["mean", "-o", "three", "two"], where)
        ok(again.returncode == 0 and b"one run only" not in again.stderr,
           "but not of one mean of several", again)
        write(os.path.join(where, "b.hpm.xml"), file_of(COUNTS, factor=2))
        hpm(["diff", "-o", "b-a", "a.hpm.xml", "b.hpm.xml"], where)
        equal(values(os.path.join(where, "b-a"), "PM_CYC"),
              values(path, "PM_CYC"), "b - a is what b has more")


# ---- runs --------------------------------------------------------------------

def test_repeated_runs():
    """A copy of a run is no run more, nor is a part of it."""
    first = file_of(COUNTS, pid=1, start=1)
    second = file_of(COUNTS, pid=2, start=2, factor=3)
    end = b"</InstrumentationPt>\n"
    part = end.join(first.split(end)[:3]) + end
    with folder() as where:
        for name, data in (("a", part), ("b", first), ("c", first),
                           ("d", second)):
            write(os.path.join(where, name + ".hpm.xml"), data)
        hpm(["mean", "-o", "two", "b.hpm.xml", "d.hpm.xml"], where)
        for command in "mean", "integrate":
            result = hpm([command, "-o", command, "."], where)
            got = [len(set(values(os.path.join(where, command), "PM_CYC", key)))
                   and max(values(os.path.join(where, command), "PM_CYC", key))
                   for key in ("runs", "value")]
            equal(got, [2, max(values(os.path.join(where, "two"), "PM_CYC"))],
                  f"{command}: copies and parts of a run are one run")
            ok(result.stderr.count(b"of the same run as 'b.hpm.xml'") == 2,
               f"{command}: each is named, beside the best one", result)
        hpm(["mean", "--force", "-o", "forced", "."], where)
        equal(max(values(os.path.join(where, "forced"), "PM_CYC", "runs")), 4,
              "--force takes each as a run")


def test_failed_runs():
    with folder() as where:
        for i, how in enumerate(("0", "3", "signal 9", "0")):
            data = file_of(COUNTS, pid=i, start=i, factor=1 + i)
            write(os.path.join(where, f"r{i}.hpm.xml"), data.replace(
                b' seconds="', f' exit="{how}" seconds="'.encode()))
        for command in "mean", "integrate":
            result = hpm([command, "-o", command, "."], where)
            path = os.path.join(where, command)
            ok(result.returncode == 1 and b"exit status 3" in result.stderr and
               b"signal 9" in result.stderr and
               content(path).count(b"<LeftOut ") == 2 and
               max(values(path, "PM_CYC", "runs")) == 2,
               f"{command}: runs that failed are named and left out", result)
        result = hpm(["mean", "--force", "-o", "all", "."], where)
        ok(result.returncode == 0 and
           max(values(os.path.join(where, "all"), "PM_CYC", "runs")) == 4,
           "--force takes them", result)
        result = hpm(["mean", "-o", "none", "r1.hpm.xml"], where)
        equal((result.returncode, os.path.exists(os.path.join(where, "none"))),
              (3, False), "without a good one there is no mean")


# ---- metrics -----------------------------------------------------------------

PARTIAL = {"power4": "DATA_TLB_ACCESS INST_TLB_ACCESS MEMORY TLB_ACCESS",
           "opteron": "",
           "ultra3": "DATA_TLB_ACCESS INST_TLB_ACCESS TLB_ACCESS"}


def sets_of(pmu):
    """The paper's counter sets, as the shipped definitions have them."""
    path = os.path.join(tap.MODELS, pmu + ".hpm")
    text = content(path).decode()
    text = re.sub(r"#.*", "", text)
    return {name: words.split() for name, words in
            re.findall(r"^set (\w+) = ((?:[^\n]|\n[ \t])*)", text, re.M)}


def measured_of(pmu):
    """The metrics that are a counter of another name."""
    path = os.path.join(tap.MODELS, pmu + ".hpm")
    return set(re.findall(r"^measure (\S+) =", content(path).decode(), re.M))


def counters_of(definition):
    words = []
    for word in definition:
        if not re.fullmatch(r"[A-Za-z]\w*(?:[:.]\w+)*", word):
            break
        words.append(word)
    return words


def metrics_in(path):
    """Names of metrics that have a value: complete ones, partial ones."""
    found = re.findall(r'<data name="([^"]*)"([^>]*) kind="metric"([^>]*)/>',
                       content(path).decode())
    partial = {n for n, _, rest in found if 'partial="yes"' in rest}
    return {n for n, v, _ in found if "value=" in v} - partial, partial


def test_kojak():
    for pmu, combined in PARTIAL.items():
        sets = {name: counters_of(words)
                for name, words in sets_of(pmu).items()}
        with folder() as where:
            before = set()
            for i, (name, counters) in enumerate(sets.items()):
                write(os.path.join(where, name + ".hpm.xml"),
                      file_of({c: 1000 + 7 * len(c) for c in counters},
                              pmu=pmu, pid=i, start=i % 60))
                hpm(["mean", "-o", "one", name + ".hpm.xml"], where)
                before |= metrics_in(os.path.join(where, "one"))[1]
                os.remove(os.path.join(where, "one"))
            result = hpm(["integrate", "-o", "all", "."], where)
            complete, partial = metrics_in(os.path.join(where, "all"))
            ok(result.returncode == 0 and is_whole(os.path.join(where, "all")),
               f"{pmu}: {len(sets)} counter sets of the paper integrated",
               result)
            equal(" ".join(sorted(partial)), combined,
                  f"{pmu}: exactly these compositions stay incomplete")
            ok(pmu == "ultra3" or before - partial,
               f"{pmu}: others were incomplete in single sets and are not any "
               "more", before)
            counted = {name.lower() for name in
                       set(sum(sets.values(), [])) | measured_of(pmu)}
            missing = [name for name in before - partial - complete
                       if name.lower() not in counted]
            ok(len(complete) > 20 and not missing,
               f"{pmu}: each of these is complete, or counted itself", missing)


def test_measured_preferred():
    with folder() as where:
        write(os.path.join(where, "a"),
              file_of({"PM_LD_REF_L1": 1000, "PM_LD_MISS_L1": 10}))
        hpm(["mean", "-o", "without", "a"], where)
        write(os.path.join(where, "b"), file_of({"DATA_LOAD_FROM_L1$": 77},
                                                pid=2, start=1))
        hpm(["integrate", "-o", "with", "a", "b"], where)
        counted = values(os.path.join(where, "b"), "DATA_LOAD_FROM_L1$")
        text = content(os.path.join(where, "with")).decode()
        equal(values(os.path.join(where, "with"), "DATA_LOAD_FROM_L1$")[:1],
              counted[:1], "a counter of a metric's name is the metric")
        ok('name="DATA_LOAD_FROM_L1$"' in
           content(os.path.join(where, "without")).decode() and
           text.count('name="DATA_LOAD_FROM_L1$" value') == len(counted),
           "measured, and not computed as well", text[:2000])


def test_names():
    with folder() as where:
        write(os.path.join(where, "a"), file_of({"task-clock": 1000}))
        write(os.path.join(where, "b"),
              file_of({"perf::TASK-CLOCK": 2000}, pid=2, start=1))
        hpm(["integrate", "-o", "ab", "a", "b"], where)
        hpm(["integrate", "-o", "ba", "b", "a"], where)
        text = content(os.path.join(where, "ab")).decode()
        ok(text.count("<Counter ") == 1 and ' runs="2"' in text and
           "task-clock" not in text,
           "two spellings of one event are one counter", text)
        ok(content(os.path.join(where, "ba")) ==
           content(os.path.join(where, "ab")), "in either order")
        write(os.path.join(where, "c"),
              file_of({"perf::TASK-CLOCK": 2000}, pid=2, start=1,
                      domain="kernel"))
        hpm(["integrate", "-o", "ac", "a", "c"], where)
        equal(content(os.path.join(where, "ac")).count(b"<Counter "), 2,
              "counted in another domain it is another counter")


def test_disagreement():
    with folder() as where:
        for i, factor in enumerate((1, 1.01, 1.4)):
            write(os.path.join(where, f"r{i}"),
                  file_of({"PM_CYC": 1000003, f"PM_X{i}": 5}, pid=i, start=i,
                          factor=factor))
        result = hpm(["integrate", "-o", "all", "r0", "r1", "r2"], where)
        ok(result.returncode == 0 and
           re.search(rb"^hpm integrate: r2: its PM_CYC are 38\.6 % above",
                     result.stderr) and result.stderr.count(b"\n") == 1,
           "a run that disagrees is named, with the figure", result)
        result = hpm(["integrate", "--tolerance", "50%", "-o", "all2", "r0",
                      "r1", "r2"], where)
        equal(result.stderr, b"", "within the tolerance none is")
        result = hpm(["integrate", "--tolerance", "0.5", "-o", "all3", "r0",
                      "r1", "r2"], where)
        equal(result.stderr.count(b"\n"), 2, "and with a small one two are")


# ---- files -------------------------------------------------------------------

def test_packed():
    with folder() as where:
        data = file_of(COUNTS)
        write(os.path.join(where, "t0.hpm.xml.gz"), gzip.compress(data))
        write(os.path.join(where, "t1.hpm.xml"), file_of(COUNTS, task=1))
        result = hpm(["merge", "-o", "all.gz", "."], where)
        hpm(["merge", "-o", "all", "."], where)
        ok(result.returncode == 0 and gzip.decompress(
            content(os.path.join(where, "all.gz"))) ==
           content(os.path.join(where, "all")),
           "a name in .gz is packed, and packed files are read", result)
        with open(os.path.join(where, "t0.hpm.xml.gz"), "rb") as packed:
            result = run([HPM, "merge", "-o", "-", "-"], stdin=packed)
        ok(result.stdout == data, "from standard input, too")


def test_bad_files():
    with folder() as where:
        good = file_of(COUNTS)
        for i in range(6):
            write(os.path.join(where, f"t{i}.hpm.xml"), file_of(COUNTS, task=i))
        write(os.path.join(where, "t1.hpm.xml"), good[:len(good) // 2])
        write(os.path.join(where, "t2.hpm.xml"), b"")
        write(os.path.join(where, "t3.hpm.xml"), b"<a/>")
        os.remove(os.path.join(where, "t4.hpm.xml"))
        os.symlink("nowhere", os.path.join(where, "t4.hpm.xml"))
        result = hpm(["merge", "-o", "all", "--threads", "4", "."], where)
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 1 and len(lines) == 5 and
           re.match(r"hpm merge: t1\.hpm\.xml:\d+:\d+: ", lines[0]) and
           lines[1].startswith("hpm merge: t1.hpm.xml is of task 0") and
           re.match(r"hpm merge: t2\.hpm\.xml:1:1: is empty", lines[2]) and
           re.match(r"hpm merge: t3\.hpm\.xml:1:\d+: ", lines[3]) and
           lines[4].startswith("hpm merge: t4.hpm.xml: cannot be opened"),
           "each bad file is named, once, with its place", result)
        equal(re.findall(rb'<Run task="(\d)"',
                         content(os.path.join(where, "all"))), [b"0", b"5"],
              "and the good ones are merged")
        ok(b"2 files, 2 tasks, 4 threads, 3 sections, 3 counters; 4 files were "
           b"bad" in result.stdout, "the summary says so", result.stdout)
        for name in ("merge", "mean", "integrate"):
            result = hpm([name, "-o", "none", "t2.hpm.xml", "nosuch"], where)
            ok(result.returncode == 3 and result.stderr.count(b"\n") == 2 and
               not os.path.exists(os.path.join(where, "none")),
               f"{name}: nothing usable is 3, and no file", result)


def test_other_runs():
    with folder() as where:
        one = file_of(COUNTS)
        for name, data in (
                ("a", one), ("b", one.replace(b'"sppm"', b'"swim"')),
                ("c", file_of(COUNTS, job="8")), ("d", file_of(COUNTS, pid=9)),
                ("e", file_of(COUNTS, task=1))):
            write(os.path.join(where, name), data)
        for name, sentence in (
                ("b", "b is of the program 'swim', the others are of 'sppm'"),
                ("c", "c is of the job '8', the others are of '7'"),
                ("d", "d is of task 0, which is in 'a' already")):
            result = hpm(["merge", "-o", "-", "a", name], where)
            ok(result.returncode == 1 and sentence in result.stderr.decode(),
               f"merge says: {sentence}", result.stderr)
        write(os.path.join(where, "0"),
              one.replace(b'complete="yes"', b'complete="no" reason="killed"'))
        result = hpm(["merge", "-o", "-", "0", "a"], where)
        ok(b"a is of task 0, which is in '0' already, of the same process but "
           b"not complete; leave that file out" in result.stderr,
           "of a file that is not whole it is said that it stands in the way "
           "of the whole one", result.stderr)
        shutil.copy(os.path.join(where, "0"), os.path.join(where, "z"))
        result = hpm(["merge", "-o", "-", "a", "z"], where)
        ok(b"of the same process; was it given twice?" in result.stderr,
           "and not the other way round", result.stderr)
        hpm(["merge", "-o", "all", "a", "e"], where)
        result = hpm(["merge", "-o", "-", "all", "e"], where)
        ok(result.returncode == 1 and
           b"e is of task 1, which is in 'all' already" in result.stderr,
           "a task that is in a merged file, too, is named with that file",
           result.stderr)
        write(os.path.join(where, "f"), content(os.path.join(where, "all")))
        result = hpm(["merge", "-o", "-", "a", "f"], where)
        ok(b"f is of task 0, which is in 'a' already" in result.stderr,
           "and a merged file by its own name, not by those it was made of",
           result.stderr)


def test_output():
    with folder() as where:
        write(os.path.join(where, "a"), file_of(COUNTS))
        os.mkdir(os.path.join(where, "b"))
        shutil.copy(os.path.join(where, "a"), os.path.join(where, "b/c"))
        os.symlink("../a", os.path.join(where, "b/link"))
        for out in ("a", "./a", "b/link"):
            before = content(os.path.join(where, "a"))
            result = hpm(["merge", "-o", out, "a"], where)
            ok(result.returncode == 2 and b"one of the files to read" in
               result.stderr and content(os.path.join(where, "a")) == before,
               f"-o {out}: an input is not written over", result)
        result = hpm(["merge", "-o", "b/c", "a"], where)
        ok(result.returncode == 0 and b"'b/c.1'" in result.stdout and
           b"'b/c' exists" in result.stderr and
           os.path.exists(os.path.join(where, "b/c.1")),
           "nor any other file: it gets a number, which is said", result)
        for out, status in (("nowhere/x", 4), ("b", 4), ("/dev/full", 4)):
            result = hpm(["merge", "-o", out, "a"], where)
            ok(result.returncode == status and
               result.stderr.count(b"\n") == 1 and not result.stdout,
               f"-o {out}: {status}, and it is said", result)
        with open("/dev/full", "wb") as full:
            result = tap.run_to(full, [HPM, "merge", "-o", "-",
                                       os.path.join(where, "a")])
        ok(result.returncode == 4 and b"No space left" in result.stderr,
           "standard output that is full: 4", result)
        equal([n for n in os.listdir(where) if n.startswith(".hpm")], [],
              "no temporary file is left")


def test_usage():
    with folder() as where:
        write(os.path.join(where, "a"), file_of(COUNTS))
        for arguments, word in (
                ("merge a", "-o OUT"), ("merge -o x", "expected performance"),
                ("merge -o x --tolerance 3 a", "--tolerance"),
                ("mean -o x --nosuch a", "--nosuch"),
                ("mean -o x nosuch*", "'nosuch*'"),
                ("merge -o x b/", "b/"),
                ("integrate -o x --tolerance 0 a", "'0'"),
                ("integrate -o x --tolerance five a", "'five'"),
                ("merge -o x --max-memory much a", "'much'"),
                ("merge -o x --threads 0 a", "'0'"),
                ("diff -o x a", "two files"), ("diff -o x a a a", "two files"),
                ("diff -o x - -", "standard input"),
                ("cut -o x a", "--root LABEL"),
                ("cut -o x --root a --remove b a", "--root LABEL")):
            if word == "b/":
                os.makedirs(os.path.join(where, "b"), exist_ok=True)
            result = hpm(arguments.split(), where)
            ok(result.returncode == 2 and word in result.stderr.decode() and
               result.stderr.count(b"\n") == 1 and
               not os.path.exists(os.path.join(where, "x")),
               f"hpm {arguments}: 2 and one line", result)


def test_memory():
    with folder() as where:
        write(os.path.join(where, "a"), file_of(COUNTS, threads=200))
        result = hpm(["merge", "-o", "x", "--max-memory", "100k", "a"], where)
        ok(result.returncode == 3 and b"memory" in result.stderr,
           "a file that takes more than --max-memory is refused", result)
        for size, text in (("1", "1 byte"), ("2000", "2000 bytes"),
                           ("4k", "4 KiB"), ("100k", "100 KiB")):
            result = hpm(["merge", "-o", "x", "--max-memory", size, "a"], where)
            ok(f"than the {text} of memory allowed".encode() in result.stderr,
               f"--max-memory {size}: {text} are not enough", result.stderr)
        result = hpm(["merge", "-o", "x", "--max-memory", "100M", "a"], where)
        equal(result.returncode, 0, "with enough it is read")


# ---- parts and sides ---------------------------------------------------------

def test_cut():
    with folder() as where:
        path = os.path.join(where, "a")
        write(path, file_of(COUNTS))
        result = hpm(["cut", "-o", "root", "--root", "solve", "a"], where)
        text = content(os.path.join(where, "root")).decode()
        ok(result.returncode == 0 and is_whole(os.path.join(where, "root")) and
           sorted(set(re.findall(r' label="(\w+)"', text))) == ["io", "solve"],
           "--root: the section and what is inside", result)
        result = hpm(["cut", "-o", "rest", "--remove", "solve", "a"], where)
        rest = os.path.join(where, "rest")
        ok(result.returncode == 0 and is_whole(rest) and
           re.findall(r' label="(\w+)"', content(rest).decode()) ==
           ["main", "main"], "--remove: the others", result)
        equal(values(rest, "PM_CYC", "exclusive"), values(rest, "PM_CYC"),
              "what was inside belongs to the section around")
        result = hpm(["cut", "-o", "no", "--root", "nosuch", "a"], where)
        ok(result.returncode == 3 and b"'nosuch'" in result.stderr,
           "a label that is not there: 3, and it is named", result)


def test_sides():
    with folder() as where:
        write(os.path.join(where, "a"), file_of(COUNTS))
        write(os.path.join(where, "b"), file_of(COUNTS,
                                                sections=("main", "new")))
        result = hpm(["diff", "-o", "d", "a", "b"], where)
        text = content(os.path.join(where, "d")).decode()
        sides = sorted(set(re.findall(r' label="(\w+)".* side="(\w)"', text)))
        equal((result.returncode, sides),
              (0, [("io", "a"), ("new", "b"), ("solve", "a")]),
              "sections of one side are kept and say which")
        for i in range(2):
            os.mkdir(os.path.join(where, f"run{i}"))
            for task in range(3):
                write(os.path.join(where, f"run{i}/{task}.hpm.xml"),
                      file_of(COUNTS, task=task, factor=1 + i))
        result = hpm(["diff", "-o", "folders", "run0", "run1"], where)
        ok(result.returncode == 0 and b"6 files, 3 tasks" in result.stdout,
           "a side that is a folder is merged", result)


def test_interrupted():
    """A signal while the first bytes are written."""
    if not shutil.which("strace") or os.environ.get("sanitizers"):
        tap.skip("an interrupted hpm leaves nothing", "needs strace, and no "
                 "sanitizer")
        return
    with folder() as where:
        write(os.path.join(where, "a"), file_of(COUNTS))
        for name, words in (("INT", ["merge"]), ("TERM", ["mean"]),
                            ("HUP", ["cut", "--root", "solve"]),
                            ("INT", ["report"])):
            result = run(["strace", "-f", "-qq", "-o", "/dev/null", "-e",
                          "trace=write", "-e",
                          f"inject=write:signal={name}:when=1", HPM, *words,
                          "-o", "out", "a"], folder=where)
            equal((result.returncode, os.listdir(where)),
                  (-getattr(signal, f"SIG{name}"), ["a"]),
                  f"{words[0]}: SIG{name} ends it, and nothing is left")
        result = run(["sh", "-c", "trap '' INT; exec strace -f -qq -o "
                      "/dev/null -e trace=write -e "
                      'inject=write:signal=INT:when=1 "$0" merge -o out a',
                      HPM], folder=where)
        equal((result.returncode, sorted(os.listdir(where))),
              (0, ["a", "out"]), "a signal that is ignored stays ignored")


def test_report_of_ends():
    """How a program ended is in the text of its report; packed, too."""
    with folder() as where:
        for i, end in enumerate(("0", "3", "signal 9")):
            text = file_of(COUNTS, task=i)
            write(os.path.join(where, f"{i}.hpm.xml"), text.encode()
                  if isinstance(text, str) else text)
            path = os.path.join(where, f"{i}.hpm.xml")
            changed = re.sub(rb"<Run ", b'<Run exit="%s" ' % end.encode(),
                             content(path), count=1)
            write(path, changed)
        result = hpm(["report", "."], where)
        text = b" ".join(result.stdout.split())
        ok(b"ended with exit status 3; in task 1" in text and
           b"ended by signal 9; in task 2" in text and
           b"status 0" not in text, "report: how the programs ended", result)
        packed = hpm(["report", "-o", "out.gz", "."], where)
        with gzip.open(os.path.join(where, "out.gz")) as file:
            equal((packed.returncode, file.read()), (0, result.stdout),
                  "report -o out.gz: it is packed")


test_same_bytes()
test_mixtures()
test_merge_in_steps()
test_properties()
test_repeated_runs()
test_failed_runs()
test_kojak()
test_measured_preferred()
test_names()
test_disagreement()
test_packed()
test_bad_files()
test_other_runs()
test_output()
test_usage()
test_memory()
test_cut()
test_sides()
test_interrupted()
test_report_of_ends()
tap.done()
