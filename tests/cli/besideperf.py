# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount --sample beside perf record: the same program, the same period, the same
functions in the first ten, and shares that differ by no more than chance.  Only in
`make check-all`, and where there is a perf that may sample."""

import csv
import io
import os
import re
import sys
from shutil import which

from tap import (HPM, HPMCOUNT, TOP_BUILD, done, folder, ok, program, run,
                 skip)

PERIOD = 997000
PYTHON = """
import json, re
data = [{"a": i, "b": str(i) * 3, "c": [i, i * 2.5]} for i in range(200000)]
text = json.dumps(data)
n = sum(len(re.findall("[0-9]+", each["b"])) for each in json.loads(text))
print(n, sorted(str(i) for i in range(400000))[5])
"""
CPP = """
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>
int main()
{
    std::map<std::string, std::vector<int>> m;
    std::regex r("a+b");
    for (int i = 0; i < 10; i++)
        m[std::to_string(i)].push_back(i);
    std::cout << m.size() << std::regex_match("aab", r);
}
"""


def short(name):
    """perf writes functions of C++ without what they take."""
    if name == "(no name)":
        return name
    return re.sub(r"[(<].*|\.(constprop|isra|part|cold).*", "", name).strip()


def by_hpmcount(where, command):
    path = os.path.join(where, "s.hpm.xml")
    run([HPMCOUNT, "-n", "--sample", f"cpu-clock@{PERIOD}", "-o", path, *command],
        folder=where)
    text = run([HPM, "report", "--by", "symbol", "--format", "csv", path])
    counts = {}
    for row in csv.DictReader(io.StringIO(text.stdout.decode())):
        if not row["section"]:
            name = short(row["name"])
            counts[name] = counts.get(name, 0) + int(row["samples"])
    return counts


def by_perf(where, command):
    path = os.path.join(where, "perf.data")
    run(["perf", "record", "-q", "-e", "cpu-clock:u", "-c", str(PERIOD), "-o", path,
         *command], folder=where)
    text = run(["perf", "report", "-i", path, "--stdio", "--no-children", "-n",
                "-q", "--sort", "sym", "-t", "\t"], folder=where)
    counts = {}
    for line in text.stdout.decode().splitlines():
        parts = line.split("\t")
        if len(parts) < 3 or not parts[1].strip().isdigit():
            continue
        name = re.sub(r"^\[.\] ", "", parts[2].strip())
        name = "(no name)" if name.startswith("0x") else short(name)
        counts[name] = counts.get(name, 0) + int(parts[1])
    return counts


def compare(what, command):
    with folder() as where:
        for name, text in (("big.cc", CPP), ("big.py", PYTHON)):
            with open(os.path.join(where, name), "w", encoding="utf-8") as file:
                file.write(text)
        ours, theirs = by_hpmcount(where, command), by_perf(where, command)
    n, m = sum(ours.values()), sum(theirs.values())
    if m == 0:
        skip(f"{what} beside perf", "perf takes no samples here")
        return
    print(f"# {what}: {n} samples by hpmcount, {m} by perf")
    first = sorted(ours, key=lambda name: -ours[name])[:10]
    worst = 0.0
    for name in first:
        a, b = ours[name] / n, theirs.get(name, 0) / m
        both = (ours[name] + theirs.get(name, 0)) / (n + m)
        off = abs(a - b) / (both * (1 - both) * (1 / n + 1 / m)) ** 0.5
        worst = max(worst, off)
        print(f"# {name:40} {100 * a:6.2f} % {100 * b:6.2f} % {off:5.1f} sigma")
    ok(worst < 4, f"{what}: the first ten have their shares of perf, too", worst)


if os.environ.get("HPM_TEST_ALL", "") in ("", "0"):
    skip("beside perf", "only in make check-all")
elif which("perf") is None or which("g++") is None:
    skip("beside perf", "there is no perf, or no g++")
else:
    compare("g++", ["g++", "-O2", "-c", "big.cc", "-o", "big.o"])
    compare("python3", [sys.executable, "big.py"])
    compare("a program with a plug-in",
            [program("tests/programs/unchanged"),
             os.path.join(TOP_BUILD, "tests", "programs", ".libs",
                          "unchangedplugin.so"), *(["plugin", "thread", "main"] * 4)])
done()
