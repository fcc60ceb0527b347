# SPDX-License-Identifier: BSD-3-Clause
"""Values of several records together, and of what is left of them: each is
what the records say, whichever program or file it is read from."""

import os
import xml.etree.ElementTree as ET

import tap
from reports import data, find, record, rows, task_file, values_are, write
from tap import HPM, equal, folder, ok, run


def hpm(where, *arguments, **variables):
    result = run([HPM, *arguments], folder=where, **variables)
    if result.returncode != 0:
        ok(False, f"hpm {arguments[0]} has a result", result)
    return os.path.join(where, arguments[arguments.index("-o") + 1])


def file_data(path, label, name):
    """The data of the first record of the label."""
    for element in ET.parse(path).getroot():
        if element.get("label") == label:
            for datum in element.findall("data"):
                if datum.get("name") == name:
                    return datum.attrib
    return {}


# ---- the whole of a difference -----------------------------------------------

def cycles(value):
    return [data("PM_CYC", value, exclusive=value)]


def test_total_of_a_difference():
    """total() is of the side the value is of, not of the difference."""
    with folder() as where:
        for name, work, rest in (("a", 300, 700), ("b", 900, 600)):
            write(where, name, task_file(0, [
                record(1, 0, 0, "work", 1, 1, cycles(work)),
                record(2, 0, 0, "rest", 1, 1, cycles(rest), line=20, inst=2)]))
        mine = write(where, "my.hpm",
                     "ratio PART = 100 * PM_CYC / total(PM_CYC)")
        path = hpm(where, "diff", "-o", "d", "a", "b", HPM_DEFS=mine)
        datum = file_data(path, "work", "PART")
        equal((datum.get("base"), datum.get("value")), ("30", "30"),
              "total() in the file of a difference is that of its sides")
        row = find(rows(path, HPM_DEFS=mine), "work", "PART")
        ok(values_are(row, base=30, value=30), "and in its report", row)


def test():
    test_total_of_a_difference()
    tap.done()


test()
