# SPDX-License-Identifier: BSD-3-Clause
"""What hpm report says of samples that files have which nobody measured: names that
are hard to show, two samplings of one event, and functions that call themselves."""

import csv
import io
import os
import re
import shutil
import subprocess

from reports import report, rows, sampled, sampled_file, samples
from tap import HPM, done, equal, folder, has_xmllint, ok, skip, validates

NOWHERE = ["/nowhere/a", "/nowhere/b"]


def check_modules(where):
    """A module may be called as places without a name are."""
    paths = ["/nowhere/(kernel)", "/nowhere/(no name)", "/nowhere/plain"]
    path = sampled_file(where, "modules.xml", [sampled()], paths,
                        [samples([(1, 4, ""), (2, 3, ""), (3, 2, "")])])
    found = [(row["name"], row["samples"]) for row in rows("--by", "module", path)
             if not row["section"]]
    equal(found, [("(kernel)", "4"), ("(no name)", "3"), ("plain", "2")],
          "modules have their names, whatever these are")
    result = report("--by", "module", path)
    ok(result.returncode == 0 and b"Without a name" not in result.stdout,
       "and none is without one", result)
    result = report("--by", "symbol", path)
    equal(result.stdout.count(b"Without a name in"), 3,
          "functions of files that are gone have none, each with its reason")


def check_samplings(where):
    """Two of one event are two in folded stacks."""
    events = [sampled(), sampled(period=997000), sampled(domain="kernel"),
              sampled("page-faults", 1, more="")]
    path = sampled_file(where, "two.xml", events, NOWHERE,
                        [samples([(1, 3, "2:7")]) +
                         samples([(1, 5, "2:7")], period=997000) +
                         samples([(1, 2, "2:7")], domain="kernel") +
                         samples([(1, 1, "")], "page-faults", 1)])
    if has_xmllint():
        equal(validates([path]), None, "the file is as the schema says")
    result = report("--by", "stack", path)
    equal(sorted(result.stdout.decode().splitlines()),
          ["cpu-clock@499000ns kernel;(no name);(no name) 2",
           "cpu-clock@499000ns user;(no name);(no name) 3",
           "cpu-clock@997000ns user;(no name);(no name) 5",
           "page-faults;(no name) 1"],
          "stacks say which sampling of an event they are of")


def check_characters(where):
    odd = "odd;&#x202e;&#10;&#x9b;name"
    path = sampled_file(where, "odd.xml", [sampled(odd), sampled()], NOWHERE,
                        [samples([(1, 3, "2:9")], odd) + samples([(2, 1, "")])])
    result = report("--by", "stack", path)
    odd = [line for line in result.stdout.decode().splitlines() if "odd" in line]
    ok(len(odd) == 1 and odd[0].isascii() and odd[0].isprintable() and
       odd[0].startswith("odd:\\xE2") and odd[0].endswith("name;(no name);(no name) 3"),
       "no name drives the terminal or ends a function", result)


def check_calls(where):
    """A sample counts once, in a deep recursion too."""
    deep = " ".join(["2:7 1:9"] * 500)
    events = [sampled(more=' unit="ns" chains="fp"')]
    path = sampled_file(where, "calls.xml", events, NOWHERE,
                        [samples([(1, 40, "2:8 1:9 2:8"), (1, 2, deep),
                                  (2, 1, "2:7 2:7")])])
    text = report("--by", "call", "--format", "csv", path).stdout.decode()
    found = {(row["module"], row["caller_module"]): (row["self"], row["samples"])
             for row in csv.DictReader(io.StringIO(text))}
    equal(found, {("a", ""): ("42", "42"), ("b", ""): ("1", "43"),
                  ("a", "b"): ("", "42"), ("b", "a"): ("", "42"),
                  ("b", "b"): ("", "1")},
          "functions that call each other count once a sample")


def linkage_of(program):
    """The offsets of its sections .plt, of code through which other modules are
    called."""
    if shutil.which("readelf") is None:
        return []
    text = subprocess.run(["readelf", "-SW", program], capture_output=True,
                          text=True).stdout
    return [int(offset, 16) for offset in re.findall(
        r" [.]plt(?:[.]sec|[.]got)? +PROGBITS +[0-9a-f]+ ([0-9a-f]+)", text)]


def check_linkage(where):
    """Such code has no symbols, and is not that of the symbol before it, _init."""
    program = os.path.realpath(HPM)
    offsets = linkage_of(program)
    if not offsets:
        skip("calls of other modules", "no section .plt is found in hpm")
        return
    places = "".join(f'<at module="1" offset="{offset}" n="2"/>' for offset in offsets)
    each = ('<samples name="cpu-clock" domain="user" period="499000" '
            f'taken="{2 * len(offsets)}">{places}</samples>')
    path = sampled_file(where, "plt.xml", [sampled()], [program], [each])
    if b"without elfutils" in report("--by", "symbol", path).stdout:
        skip("calls of other modules", "this hpm reads no symbols")
        return
    found = [(row["name"], row["samples"]) for row in rows("--by", "symbol", path)
             if not row["section"]]
    equal(found, [("(plt)", str(2 * len(offsets)))],
          "code through which other modules are called is named as that")


with folder() as everything:
    check_modules(everything)
    check_samplings(everything)
    check_characters(everything)
    check_calls(everything)
    check_linkage(everything)
done()
