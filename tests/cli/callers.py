# SPDX-License-Identifier: BSD-3-Clause
"""Call chains (hpmcount --sample LIST --chains fp): the callers of samples, in the file,
merged and cut without loss, as a table and as folded stacks; chains that are too long
are cut, and a program without frame pointers says so."""

import csv
import io
import json
import os
import re
import shutil
import xml.etree.ElementTree as ET

from tap import (HPM, HPMCOUNT, TOP_SOURCE, done, equal, folder, in_namespace, ok, run, skip)

CC = os.environ.get("CC", "cc").split()
FRAMES = ["-O0", "-fno-omit-frame-pointer"]
SOURCE = """
#include <stdlib.h>
static volatile long sink;
static void work(long n)
{
    for (long i = 0; i < n; i++)
        sink = sink + i;
}
static void inner(long n) { work(n); }
static void outer(long n) { inner(n); }
static void other(long n) { work(n); }
static void deep(int depth, long n)
{
    if (depth == 0)
        work(n);
    else
        deep(depth - 1, n);
}
int main(int argc, char **argv)
{
    int depth = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < 40; i++) {
        if (depth > 0) {
            deep(depth, 4000000);
        } else {
            outer(2000000);
            other(2000000);
        }
    }
    return 0;
}
"""


def build(where, name, options):
    source = os.path.join(where, name + ".c")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    binary = os.path.join(where, name)
    result = run([*CC, *options, "-o", binary, source])
    return binary if result.returncode == 0 else None


def sample(where, name, command, chains=("--chains", "fp")):
    path = os.path.join(where, name)
    result = run([HPMCOUNT, "-n", "--sample", "cpu-clock@499us", *chains, "-o", path,
                  *command], folder=where)
    return path, result


def places(path):
    """Of a file: (event, offset, callers) -> n, callers as paths and offsets."""
    root, found = ET.parse(path).getroot(), {}
    modules = {(profile.get("task"), module.get("id")): module.get("path")
               for profile in root.findall("Profile")
               for module in profile.findall("Module")}
    for point in root.iter("InstrumentationPt"):
        for samples in point.findall("samples"):
            for at in samples.findall("at"):
                callers = tuple(
                    (modules.get((point.get("task"), word.split(":")[0])),
                     word.split(":")[-1]) for word in at.get("callers", "").split())
                key = (samples.get("name"), at.get("offset"), callers)
                found[key] = found.get(key, 0) + int(at.get("n"))
    return found


def stacks(path):
    result = run([HPM, "report", "--by", "stack", path])
    found = {}
    for line in result.stdout.decode().splitlines():
        stack, n = line.rsplit(" ", 1)
        found[tuple(stack.split(";"))] = int(n)
    return found, result


def calls(path):
    text = run([HPM, "report", "--by", "call", "--format", "csv", path]).stdout.decode()
    return list(csv.DictReader(io.StringIO(text)))


def pairs_of(rows):
    """(function, caller) -> samples; of functions of one name in several modules,
    such as those without one, all."""
    pairs = {}
    for row in rows:
        key = row["function"], row["caller"] or ""
        pairs[key] = pairs.get(key, 0) + int(row["samples"])
    return pairs


def check_stacks(where, path):
    found, _ = stacks(path)
    total = sum(found.values())
    taken = int(ET.parse(path).getroot().find("Profile/Sampled").get("taken"))
    equal(total, taken, "each sample is in one stack")
    # but for the first instructions of a function, before it has its frame
    full = sum(n for stack, n in found.items()
               if stack[-4:] == ("main", "outer", "inner", "work") or
               stack[-3:] == ("main", "other", "work"))
    ok(full >= 0.9 * total > 0, "stacks have all callers", found)
    rows = calls(path)
    pairs = pairs_of(rows)
    selfs = [int(row["self"]) for row in rows if row["self"]]
    ok(pairs[("work", "inner")] + pairs[("work", "other")] >= 0.9 * total,
       "a function has its callers", pairs)
    ok(pairs[("inner", "outer")] >= pairs[("work", "inner")] * 0.9 and
       all(n <= total for n in pairs.values()), "a call counts once a sample", pairs)
    equal(sum(selfs), total, "each sample is in one function")
    equal(pairs[("main", "")], sum(n for stack, n in found.items() if "main" in stack),
          "a function has what it calls")
    text = run([HPM, "report", "--by", "call", "--format", "json", path]).stdout
    equal(pairs_of(json.loads(text)["data"]), pairs, "JSON says the same")
    text = run([HPM, "report", "--by", "call", path]).stdout.decode()
    ok(f"of {total:,} samples" in text.replace("\n  ", " ") and
       re.search(r"^work +inner +\d+", text, re.M), "the text says both", text)


def check_files(where, path):
    """Two runs merged in both orders, cut, and both again."""
    other, _ = sample(where, "o.hpm.xml", [os.path.join(where, "fp"), "3"])
    merged = []
    for name, pair in (("ab.xml", (path, other)), ("ba.xml", (other, path))):
        out = os.path.join(where, name)
        run([HPM, "merge", "--force", "-o", out, *pair])
        merged.append(out)
    expected = places(path)
    for key, n in places(other).items():
        expected[key] = expected.get(key, 0) + n
    equal(places(merged[0]), expected, "merge keeps all callers")
    equal(stacks(merged[0])[0], stacks(merged[1])[0], "in any order")
    out = os.path.join(where, "mean.xml")
    shutil.copy(path, os.path.join(where, "copy.hpm.xml"))
    run([HPM, "mean", "--force", "-o", out, path, os.path.join(where, "copy.hpm.xml")])
    equal(places(out), {key: 2 * n for key, n in places(path).items()},
          "a mean has the samples of all its runs, with callers")
    text = run([HPM, "diff", "--by", "symbol", "--format", "csv", path, path]).stdout
    ok(all(float(row["change"]) == 0 for row in
           csv.DictReader(io.StringIO(text.decode())) if row["name"]),
       "a difference from itself is none", text)
    if shutil.which("xmllint"):
        schema = os.path.join(TOP_SOURCE, "xsd", "hpm.xsd")
        result = run(["xmllint", "--noout", "--schema", schema, path, *merged])
        equal(result.returncode, 0, "files with callers are valid")


def check_bad(where, path):
    bad = os.path.join(where, "bad.xml")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(bad, "w", encoding="utf-8") as file:
        file.write(re.sub(r'callers="[^"]*"', 'callers="1:5 x:7"', text))
    found, result = stacks(bad)
    ok(re.search(rb"bad\.xml:\d+:\d+: samples of 'cpu-clock': 'x:7' is no caller; expected",
                 run([HPM, "report", "--by", "symbol", bad]).stderr),
       "what is no caller is named with file, line and word", result.stderr)
    ok(not found and b"no sample has a caller" in result.stderr,
       "and left out", result)
    with open(bad, "w", encoding="utf-8") as file:
        file.write(re.sub(r'callers="[^"]*"', 'callers="%s"' % " ".join(
            f":{i}" for i in range(1, 5000)), text))
    found, _ = stacks(bad)
    ok(all(stack[0] == "(more callers)" and len(stack) == 1026
           for stack in found if len(stack) > 1) and found,
       "a file cannot say more callers than a kernel does",
       [len(stack) for stack in found])


def check_deep(where, binary):
    path, _ = sample(where, "deep.hpm.xml", [binary, "1500"])
    found, _ = stacks(path)
    total = sum(found.values())
    cut = sum(n for stack, n in found.items() if stack[0] == "(more callers)" and
              stack[1:].count("deep") > 50)
    ok(cut >= 0.9 * total > 0, "a chain that is too long is cut, and says so",
       [(len(stack), n) for stack, n in found.items()])
    rows = [row for row in calls(path) if row["function"] == "deep" and not row["caller"]]
    ok(len(rows) == 1 and int(rows[0]["samples"]) <= total,
       "a recursive function counts once a sample", rows)


def check_without(where):
    binary = build(where, "nofp", ["-O2", "-fomit-frame-pointer"])
    path, result = sample(where, "nofp.hpm.xml", [binary])
    found = places(path)
    total = sum(found.values())
    without = sum(n for key, n in found.items() if not key[2])
    told = b"samples have no caller: most of the program has no frame pointers"
    with open(path, "rb") as file:
        equal(told in file.read(), 2 * without >= total > 0,
              "few callers are told in the file")
    plain, _ = sample(where, "plain.hpm.xml", [binary], chains=())
    _, result = stacks(plain)
    ok(result.returncode == 3 and b"these samples have no callers; run" in result.stderr,
       "without --chains the report says what to do", result)


def check_max_stack(where):
    """A setting of the kernel that leaves no room for a caller."""
    level = os.path.join(where, "level")
    for most in (0, 1):
        with open(level, "w", encoding="ascii") as file:
            file.write(f"{most}\n")
        command = in_namespace(f"mount --bind '{level}' "
                               "/proc/sys/kernel/perf_event_max_stack")
        if not command:
            skip("kernel.perf_event_max_stack", "no file can be mounted there")
            return
        result = run([*command, HPMCOUNT, "--sample", "cpu-clock", "--chains", "fp",
                      "-o", "m.hpm.xml", "true"], folder=where)
        ok(result.returncode == 125 and
           b"--chains: kernel.perf_event_max_stack is %d; expected 2 or more" % most
           in result.stderr, f"room for {most} callers is refused", result)


def check_usage():
    result = run([HPMCOUNT, "--chains", "fp", "true"])
    ok(result.returncode == 125 and b"--chains goes with --sample" in result.stderr,
       "--chains alone is refused", result)
    result = run([HPMCOUNT, "--sample", "cpu-clock", "--chains", "lbr", "-o", "x", "true"])
    ok(result.returncode == 125 and b"lbr" in result.stderr and b"fp" in result.stderr,
       "a way that there is not is refused", result)
    result = run([HPM, "report", "--by", "stack", "--format", "csv", "x.hpm.xml"])
    ok(result.returncode == 2 and b"--by stack is text alone" in result.stderr,
       "folded stacks are text", result)


check_usage()
with folder() as where_all:
    check_max_stack(where_all)
    program = build(where_all, "fp", FRAMES)
    file_all, run_all = sample(where_all, "s.hpm.xml", [program or "true"])
    if program is None or not os.path.exists(file_all):
        skip("callers", run_all.stderr.decode()[:200] if program else "no compiler")
    elif not any(key[2] for key in places(file_all)):
        skip("callers", "this kernel gives none")
    elif not any("work" in stack for stack in stacks(file_all)[0]):
        skip("callers", "functions have no names here (configure --with-elfutils)")
    else:
        check_stacks(where_all, file_all)
        check_files(where_all, file_all)
        check_bad(where_all, file_all)
        check_deep(where_all, program)
        check_without(where_all)
done()
