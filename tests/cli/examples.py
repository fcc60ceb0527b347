# SPDX-License-Identifier: BSD-3-Clause
"""The examples: right results, valid files, sums that are right."""

import os
import xml.etree.ElementTree as ET

import tap
from tap import equal, files, folder, ok, program, run

EXAMPLES = {"matmul": [], "triad": [], "nested": [], "pthreads": ["8"],
            "openmp": []}


def sums_are_right(path):
    """inclusive = exclusive + children, within a nanosecond each."""
    rows = ET.parse(path).getroot().findall("InstrumentationPt")
    for row in rows:
        data = {d.get("name"): d for d in row.findall("data")}
        children = [r for r in rows if r.get("parent") == row.get("id")]

        def inner(name):
            return sum(float(d.get("value")) for r in children
                       for d in r.findall("data") if d.get("name") == name)

        rest = (float(data["IncSec"].get("value")) -
                float(data["ExcSec"].get("value")) - inner("IncSec"))
        if abs(rest) > 1e-9 * (len(children) + 2):
            return f"{row.get('label')}: {rest}"
        for name, datum in data.items():
            if (datum.get("exclusive") and datum.get("kind") == "counter") and (
                    int(datum.get("value")) !=
                    int(datum.get("exclusive")) + inner(name)):
                return f"{row.get('label')}: {name}"
    return None if rows else "no sections"


for name, arguments in EXAMPLES.items():
    path = program("doc/examples/" + name)
    if not os.path.exists(path):
        tap.skip(f"{name} runs", "not built (no OpenMP)")
        continue
    with folder() as where:
        plain = run([path] + arguments, folder=where, HPM_DISABLE=1)
        equal((plain.returncode, os.listdir(where)), (0, []),
              f"{name}: right without measuring")
        result = run([path] + arguments, folder=where)
        equal((result.returncode, result.stderr), (0, b""),
              f"{name}: right while measured, and nothing is said")
        paths = files(where)
        equal(len(paths), 1, f"{name}: one file")
        if tap.has_xmllint():
            message = tap.validates(paths)
            ok(message is None, f"{name}: the file is valid", message)
        else:
            tap.skip(f"{name}: the file is valid", "xmllint is missing")
        message = sums_are_right(paths[0])
        ok(message is None, f"{name}: inclusive is exclusive and children", message)
tap.done()
