# SPDX-License-Identifier: BSD-3-Clause
"""hpm audit, and hpmcount --audit: shared counts beside those counted alone, on
a PMU of two counters that tests/programs/fakepmu.c plays."""

import os
import re
import xml.etree.ElementTree as ET

import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program, run

EDGES = program("tests/programs/edges")
LABELS = program("tests/programs/labels")
WAYS = program("tests/programs/ways")
EVENTS = "cycles,instructions,branches,cache-misses,branch-misses"
COUNT = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done"


def check(title, where, result, name, sections):
    lines = result.stdout.decode().splitlines()
    rows = [line for line in lines
            if any(f" {event} " in line for event in EVENTS.split(","))]
    equal(result.returncode, 0, f"{title}: the exit status")
    ok(len(rows) == 5 * sections and all(
        row.rstrip().endswith(("inside", "outside", "too short to tell",
                               "never on the hardware", "error not known",
                               "not in the shared run",
                               "only in the shared run",
                               "counted all the time")) for row in rows),
       f"{title}: each event in each section, and what was found", result)
    ok(any(line.startswith(f"{name}") for line in rows),
       f"{title}: the section has its name", rows)
    drawing = ET.parse(os.path.join(where, "x.audit", "audit.svg")
                       if title != "hpmcount --audit" else
                       os.path.join(where, "sh.audit", "audit.svg")).getroot()
    ok(drawing.tag.endswith("svg") and any(
        e.text and e.text.startswith(name) for e in drawing.iter()
        if e.tag.endswith("text")), f"{title}: a drawing has the rows", lines)


def test_whole():
    variables = tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no")
    with folder() as where:
        result = run([HPM, "audit", "-e", EVENTS, "--folder", "x.audit", "sh",
                      "-c", COUNT], folder=where, **variables)
        check("a whole program", where, result, "sh", 1)
        again = run([HPM, "audit", "-e", EVENTS, "--folder", "x.audit", "sh",
                     "-c", COUNT], folder=where, **variables)
        ok(again.returncode == 2 and b"--folder" in again.stderr,
           "the folder is there already: said, and what to do", again)
    with folder() as where:
        result = run([HPMCOUNT, "--audit", "-e", EVENTS, "sh", "-c", COUNT],
                     folder=where, **variables)
        check("hpmcount --audit", where, result, "sh", 1)
        result = run([HPMCOUNT, "--audit", "true"], folder=where, **variables)
        ok(result.returncode == 125 and b"-e" in result.stderr,
           "hpmcount --audit without events: what is expected", result)
        for option in ("-mIPC", "-r3", "-ox.xml", "--format=csv", "--log=l"):
            result = run([HPMCOUNT, "--audit", "-e", "cycles", option, "true"],
                         folder=where, **variables)
            ok(result.returncode == 125 and b"--audit" in result.stderr and
               not os.path.exists(os.path.join(where, "true.audit")),
               f"hpmcount --audit {option}: refused, not forgotten", result)


def test_sections():
    variables = tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no")
    with folder() as where:
        result = run([HPM, "audit", "--sections", "-e", EVENTS, "--folder",
                      "x.audit", WAYS, "return"], folder=where, **variables)
        equal(result.returncode, 0, "sections: the exit status")
        ok(b"work" in result.stdout, "sections: they are compared", result)


def audit_edges(where, script, *options, **more):
    """The rows of an audit of a script that runs tests/programs/edges as $0:
    [section, event, alone, shared, ..., what was found]."""
    result = run([HPM, "audit", "--sections", *options, "--folder", "x.audit",
                  "sh", "-c", script, EDGES], folder=where,
                 **tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no", **more))
    return [[word.strip() for word in re.split(r"  +", line)]
            for line in result.stdout.decode().splitlines()]


def test_same_names():
    """Two sections with one label are two; each is compared with itself."""
    with folder() as where:
        rows = [row for row in audit_edges(
            where, '"$0" 1+1=a 1~100 1-1 1+2=a 1~900 1-2', "-e", "page-faults:u")
                if row[0].startswith("a ")]
        equal([row[1:5] for row in rows],
              [["page-faults:u", n, n, "1.0000"] for n in ("100", "900")],
              "sections with one label: each beside itself")
        ok(len({row[0] for row in rows}) == 2, "and told apart", rows)


def test_other_sections():
    with folder() as where:
        rows = audit_edges(where, 'if [ -e ran ]; then "$0" 1+1=new 1~7 1-1; '
                           'else : >ran; "$0" 1+1=old 1~5 1-1; fi',
                           "-e", "page-faults:u")
        equal([[r[0], r[2], r[3], r[-1]] for r in rows if r[0] in ("new", "old")],
              [["old", "5", "-", "not in the shared run"],
               ["new", "-", "7", "only in the shared run"]],
              "a section of one of the runs is not left out")


def test_nothing_alone():
    """An estimate without 0 in its interval is outside, ratio or not; two runs
    of two counters count alone."""
    steps = "1+1=a 1~50 1-1 " * 60
    with folder() as where:
        rows = [row for row in audit_edges(
            where, "[ -e two ] || export FAKE_ZERO=1; test -e one && : >two; "
            f': >one; "$0" {steps}',
            "-e", "branches,branch-misses,cache-misses", FAKE_RUNNING=40)
                if row[:2] == ["a", "cache-misses"]]
        ok(rows and rows[0][2] == "0" and rows[0][3] not in ("0", "-") and
           rows[0][-1] == "outside",
           "nothing was counted alone, and much when shared: outside", rows)


def test_labels():
    """A label is of bytes; a drawing is XML, which cannot hold each of them."""
    variables = tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no")
    labels = [b"\x01", b"\xff", b"]]>", b"<&>", b"a\\b"]
    with folder() as where:
        run([HPM, "audit", "--sections", "-e", "cycles", "--folder", "x.audit",
             LABELS, *labels], folder=where, **variables)
        drawing = ET.parse(os.path.join(where, "x.audit", "audit.svg"))
        texts = [e.text for e in drawing.iter() if e.tag.endswith("text")]
        ok(all(any(text.startswith(f"{label}: cycles") for text in texts)
               for label in ("\\x01", "\\xFF", "]]>", "<&>", "a\\\\b")),
           "a drawing of labels of any bytes", texts)


def test_far_off():
    """The second run, in which they take turns, does much more than the first:
    such a ratio is not drawn at the edge as if it were there."""
    more = (f"if [ -e second ]; then for k in 1 2 3 4 5 6 7 8 9; do {COUNT}; "
            "done; fi; : >second")
    variables = tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no")
    with folder() as where:
        result = run([HPM, "audit", "-e", "cycles", "--folder", "x.audit", "sh",
                      "-c", more], folder=where, **variables)
        row = next(line.split() for line in result.stdout.decode().splitlines()
                   if " cycles " in line)
        drawing = list(ET.parse(os.path.join(where, "x.audit",
                                             "audit.svg")).getroot())
        ok(any(float(word) > 2.2 for word in row if word[:1].isdigit() and
               "." in word) and
           not any(e.tag.endswith("circle") for e in drawing) and
           any(e.text and "(ratio " in e.text for e in drawing),
           "a ratio beyond the drawing has an arrow, and its number",
           [row, [(e.tag, e.attrib, e.text) for e in drawing]])


REASON = tap.no_preload()
if REASON:
    tap.skip("audits", REASON)
else:
    test_whole()
    test_sections()
    test_same_names()
    test_other_sections()
    test_nothing_alone()
    test_labels()
    test_far_off()
tap.done()
