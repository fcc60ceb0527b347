# SPDX-License-Identifier: BSD-3-Clause
"""A person looks for the odd one of 24 threads: opens the distribution of a section,
finds the thread in the table of extremes and by keys in the plots, sees what has no
value, and chooses another metric.  All numbers are those of hpm report."""

import csv
import io
import os

import person  # first: it may begin anew on a desktop
import tap
from reports import data, record, task_file, write

TASKS, THREADS = 12, 2
ODD = (7, 1)
SEEN = "number %d of %d in the order"


def seconds(task, tid):
    return 9.0 if (task, tid) == ODD else 1.0 + 0.01 * task + 0.001 * tid


def loads(task, tid):
    """Task 0 was never on the hardware; thread 1 of task 2 is an estimate."""
    if task == 0:
        return data("PM_LD", None, state="unscheduled", reason="too few counters")
    more = {"state": "shared", "share": 0.5, "error": 3} if (task, tid) == (2, 1) \
        else {}
    return data("PM_LD", 1000 * task + tid, exclusive=1000 * task + tid, **more)


def make(where):
    for task in range(TASKS):
        write(where, f"r{task:02}.hpm.xml", task_file(task, [
            record(1 + tid, tid, task, "solve", seconds(task, tid),
                   seconds(task, tid), [loads(task, tid)], inst=1)
            for tid in range(THREADS)]).replace(f"T11:30:0{task}.000Z",
                                                "T11:30:00.000Z"))


def reported(where):
    """By metric: {(task, thread): text of the value, "" for none}."""
    text = tap.run([tap.HPM, "report", "--by", "thread", "--format", "csv",
                    where]).stdout.decode()
    values = {}
    for row in csv.DictReader(io.StringIO(text)):
        values.setdefault(row["metric"], {})[
            int(row["task"]), int(row["thread"])] = row["value"]
    return values


def words(viewer, name, window):
    return viewer.find(name, "label", window).queryText().getText(0, -1)


def places_of(table):
    return list(zip(table.column("Task"), table.column("Thread"),
                    table.column("Value")))


def extremes(values):
    """The largest five and the smallest five, as the table has them."""
    order = sorted((float(value), place) for place, value in values.items() if value)
    return [(str(task), str(tid), value) for value, (task, tid)
            in reversed(order[:5] + order[-5:])]


def open_it(viewer):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["solve"], "files are open")
    table.click(0, "Section")
    viewer.keys("Ctrl+h", "hpmviz")
    return viewer.window("Distribution")


def look_at_time(viewer, window, values):
    table = viewer.table("largest and smallest values", window)
    viewer.see(lambda: [(task, tid, float(value))
                        for task, tid, value in places_of(table)],
               extremes(values), "the extremes are those of hpm report")
    viewer.see(lambda: places_of(table)[0][:2], ("7", "1"),
               "the odd thread stands first")
    viewer.see(lambda: table.column("Node")[0], "node7", "with its node")
    viewer.see(lambda: "24 of 24 threads have a value." in
               words(viewer, "distribution", window), True,
               "the number of values is said")
    viewer.see(lambda: "largest 9.000000 s (task 7 thread 1 on node node7)" in
               viewer.find("values in their order", None, window).description, True,
               "a plot says its numbers to whoever does not see it")


def choose(viewer, window):
    table = viewer.table("largest and smallest values", window)
    table.click(0, "Value")
    viewer.see(lambda: words(viewer, "selected place", window),
               "task 7 thread 1 on node node7: 9.000000 s, " + SEEN % (24, 24),
               "a click on a line selects its place")
    plot = viewer.find("values in their order", None, window)
    plot.queryComponent().grabFocus()
    viewer.see(lambda: viewer.focused(), "values in their order",
               "a plot takes the focus")
    viewer.keys("Home", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window),
               "task 0 thread 0 on node node0: 1.000000 s, " + SEEN % (1, 24),
               "Home selects the place with the smallest value")
    viewer.keys("Right", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window),
               "task 0 thread 1 on node node0: 1.001000 s, " + SEEN % (2, 24),
               "and the arrow the next one")
    left, top, width, height = viewer.extents(plot)
    viewer.mouse(left + width - 40, top + height // 3, "b1c")
    viewer.see(lambda: "task 7 thread 1" in words(viewer, "selected place", window),
               True, "a click near the right end of the plot the largest one")


def look_at_lacks(viewer, window, values):
    box = viewer.find("metric", "combo box", window)
    names = [at.name for at in person.walk(box) if at.getRoleName() == "menu item"]
    box.querySelection().selectChild(names.index("PM_LD"))
    extremes_of = viewer.table("largest and smallest values", window)
    viewer.see(lambda: [(task, tid, float(value.rstrip(" s").replace(",", "")))
                        for task, tid, value in places_of(extremes_of)],
               extremes(values), "another metric can be chosen")
    main = viewer.window("hpmviz")
    viewer.see(lambda: viewer.table("metrics of the section", main).selected(),
               0, "and is the selected one of the main window, too")
    said = words(viewer, "distribution", window)
    tap.ok("22 of 24 threads have a value. 2 have no value and are not drawn: "
           "2 never ran." in said, "places without a value are counted, with why",
           said)
    tap.ok("1 values were not counted all the time" in said,
           "and so are estimates", said)


def journey(viewer, values):
    window = open_it(viewer)
    look_at_time(viewer, window, values["ExcSec"])
    choose(viewer, window)
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])
    look_at_lacks(viewer, window, values["PM_LD"])
    viewer.escape("Distribution")


with tap.folder() as where:
    make(where)
    values = reported(where)
    person.journey("distribution", lambda: journey(person.start(where), values))
tap.done()
