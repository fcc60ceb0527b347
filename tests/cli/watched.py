# SPDX-License-Identifier: BSD-3-Clause
"""What made a function a section, and where the function is: kept by all that
combines files, as far as the records agree, and shown."""

import os
import re
import xml.etree.ElementTree as ET

import tap
from reports import record, task_file, write
from tap import HPM, equal, folder, ok, run


def task(number, module="/bin/solver", offset=4096, via="uprobe"):
    def one(i, label, more, parent=None):
        return record(i, 0, number, label, 1.0, 1.0, [], parent=parent, inst=7,
                      line=0, file="", more=more)
    place = f' via="{via}" module="{module}" offset="{offset}"' if via else ""
    return task_file(number, [
        one(1, "by hand", ""), one(2, "solve", place, parent=1),
        one(3, "solve", f' via="uprobe" module="/lib/libm.so" offset="{number}"')])


def watched(path):
    """{(label, is it inside another one): (via, module, offset)}"""
    return {(e.get("label"), e.get("parent") is not None):
            tuple(e.get(name) for name in ("via", "module", "offset"))
            for e in ET.parse(path).getroot().findall("InstrumentationPt")}


def made(where, *words):
    done = run([HPM, *words, "-o", "r.xml"], folder=where)
    ok(done.returncode == 0, " ".join(words), done)
    found = watched(os.path.join(where, "r.xml"))
    ok(not tap.has_xmllint() or tap.validates([os.path.join(where, "r.xml")]) is None,
       "a valid file")
    os.unlink(os.path.join(where, "r.xml"))
    return found


HAND, INNER, OUTER = ("by hand", False), ("solve", True), ("solve", False)
PLACE = ("uprobe", "/bin/solver", "4096")


def test_combined(where):
    write(where, "0.xml", task(0))
    write(where, "1.xml", task(1))
    write(where, "again.xml", task(0))
    write(where, "moved.xml", task(0, offset=8192))
    write(where, "other.xml", task(0, module="/bin/other"))
    write(where, "hooks.xml", task(0, via="hook"))
    write(where, "calls.xml", task(0, via=None))
    found = made(where, "merge", "0.xml", "1.xml")
    equal((found[HAND], found[INNER]), ((None, None, None), PLACE),
          "merge keeps what each record says")
    found = made(where, "merge", "--summary", "0.xml", "1.xml")
    equal((found[INNER], found[OUTER]),
          (PLACE, ("uprobe", "/lib/libm.so", None)),
          "a summary says what all its tasks agree in")
    for other, inner in (("again", PLACE), ("moved", PLACE[:2] + (None,)),
                         ("other", ("uprobe", None, None)),
                         ("hooks", (None, None, None)),
                         ("calls", (None, None, None))):
        for word in "mean", "diff":
            equal(made(where, word, "0.xml", f"{other}.xml")[INNER], inner,
                  f"{word} with {other}.xml")


def test_cut(where):
    write(where, "0.xml", task(0))
    found = made(where, "cut", "--remove", "by hand", "0.xml")
    equal(found, {OUTER: ("uprobe", "/lib/libm.so", "0")},
          "cut keeps it of what is left")
    found = made(where, "cut", "--root", "by hand", "0.xml")
    equal(found.get(INNER), PLACE, "and of what is inside")
    found = made(where, "cut", "--root", "solve", "0.xml")
    equal(found.get(OUTER), ("uprobe", None, None),
          "and of sections that become one what these agree in")


def test_shown(where):
    write(where, "0.xml", task(0))
    text = " ".join(run([HPM, "report", "0.xml"], folder=where).stdout.decode().split())
    ok("2 of 3 records are functions, measured by probes of the kernel (uprobe)" in text,
       "the report says it", text)
    for via, words in (("hook", "hooks of the compiler (-finstrument-functions)"),
                       ("xray", "hooks of the compiler (XRay)"),
                       ("wrapper", "a function before that of the library (wrapper)")):
        write(where, "other.xml", task(0, via=via))
        text = " ".join(run([HPM, "report", "other.xml"],
                            folder=where).stdout.decode().split())
        ok(f"1 of 3 records are functions, measured by {words}" in text,
           f"the report says {via}", text)
    page = run([HPM, "report", "--format", "html", "0.xml"],
               folder=where).stdout.decode()
    ok(re.search(r'"probes of the kernel \(uprobe\)","/bin/solver \+ 0x1000"\]', page),
       "and the page, with the place")


with folder() as folder_name:
    test_combined(folder_name)
    test_cut(folder_name)
    test_shown(folder_name)
tap.done()
