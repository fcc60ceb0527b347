# SPDX-License-Identifier: BSD-3-Clause
"""From where a function was called, and what it calls, in the viewer: the samples of
hpm report --by call."""

import collections
import csv
import io
import os

import person  # first: it may begin anew on a desktop
import tap
from tap import HPM, HPMCOUNT, run

CC = os.environ.get("CC", "cc").split()
CPLUSPLUS = "void inner<long>(long)"
SOURCE = """
static volatile long sink;
static void work(long n)
{
    for (long i = 0; i < n; i++)
        sink = sink + i;
}
/* The name of a C++ function, which has what would be markup. */
static void inner(long n) __asm__("_Z5innerIlEvT_");
static void inner(long n) { work(n); }
static void outer(long n) { inner(n); work(n); }
static void other(long n) { work(n); }
int main(void)
{
    for (int i = 0; i < 40; i++) {
        outer(1000000);
        other(2000000);
    }
    return 0;
}
"""


def sampled_file(where):
    source = os.path.join(where, "calling.c")
    # a character that turns the direction of text: it is shown as its bytes
    binary = os.path.join(where, "cal\u202eling")
    path = os.path.join(where, "calls.hpm.xml")
    with open(source, "w", encoding="ascii") as file:
        file.write(SOURCE)
    tap.ok(run([*CC, "-O0", "-g", "-fno-omit-frame-pointer", "-o", binary,
                source]).returncode == 0, "a program with frame pointers")
    result = run([HPMCOUNT, "-n", "--sample", "cpu-clock@499us", "--chains", "fp",
                  "-o", path, binary], folder=where)
    if not os.path.exists(path) or b"not sampled" in result.stderr:
        tap.skip("callers in the viewer", result.stderr.decode()[:100])
        return None
    return path


def calls(path):
    """[(caller, function, samples)], and {function: (in it, with calls)}."""
    text = run([HPM, "report", "--by", "call", "--format", "csv", path])
    rows = list(csv.DictReader(io.StringIO(text.stdout.decode())))
    return ([(row["caller"], row["function"], int(row["samples"]))
             for row in rows if row["caller"]],
            {row["function"]: (int(row["self"]), int(row["samples"]))
             for row in rows if not row["caller"]})


def summed(pairs):
    """Samples per name, which functions of several modules may have."""
    sums = collections.Counter()
    for name, n in pairs:
        sums[name] += n
    return dict(sums)


def sides(window, viewer):
    """What the two tables show: {function: samples} of callers and of callees."""
    tables = [viewer.table(name, within=window)
              for name in ("callers", "called functions")]
    return [summed(zip(table.column(title), map(int, table.column("Samples"))))
            for table, title in zip(tables, ("Called by", "Calls"))]


def expected(found, function):
    return [summed((a, n) for a, b, n in found if b == function),
            summed((b, n) for a, b, n in found if a == function)]


def ask_for_tooltip(viewer, table, row):
    """By the keyboard: that the name of a C++ function is no markup would be a
    warning, with which the viewer ends."""
    table.click(row, "Called by")
    viewer.keys("Ctrl+F1", "Functions")
    # and away, for it may lie over what is clicked next
    viewer.keys("Ctrl+F1", "Functions")


def look(where):
    path = sampled_file(where)
    if path is None:
        return
    found, functions = calls(path)
    tap.ok({("outer", "work"), (CPLUSPLUS, "work")} <=
           {(a, b) for a, b, _ in found}, "the file has calls", found)
    viewer = person.start(path)
    viewer.see(lambda: len(viewer.table("sections").column("Section")) > 0, True,
               "sections are there")
    viewer.keys("Ctrl+u", "hpmviz")
    window = viewer.window("Functions")
    viewer.click(viewer.find("Whole program", within=window))
    table = viewer.table("functions", within=window)
    viewer.see(lambda: "work" in table.column("Function"), True,
               "the function with the samples is there")
    table.click(table.column("Function").index("work"), "Function")
    viewer.see(lambda: sides(window, viewer), expected(found, "work"),
               "from where it was called stands below, as in hpm report")
    words = "work: %d samples in it, %d in it and what it calls"
    viewer.see(lambda: words % functions["work"] in viewer.texts(window), True,
               "with how many there are")
    callers = viewer.table("callers", within=window)
    ask_for_tooltip(viewer, callers, callers.column("Called by").index(CPLUSPLUS))
    callers.click(callers.column("Called by").index("outer"), "Called by")
    viewer.keys("Return", "Functions")
    viewer.see(lambda: sides(window, viewer), expected(found, "outer"),
               "Return on a caller shows who calls that, and what it calls")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])
    viewer.click(viewer.find("Whole program", within=window))
    viewer.see(lambda: "callers" in [at.name for at in person.walk(window)
                                     if person.is_showing(at)], False,
               "of a section callers are not known, and not shown")
    tap.equal(viewer.complaints(), [], "nothing was complained of")


with tap.folder() as where:
    person.journey("calls", look, os.path.realpath(where))
tap.done()
