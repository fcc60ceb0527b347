# SPDX-License-Identifier: BSD-3-Clause
"""A person looks for the odd one of 24 threads: opens the distribution of a section,
finds the thread in the table of extremes and by keys in the plots, sees what has no
value, and chooses another metric.  All numbers are those of hpm report."""

import csv
import io
import os
import signal

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
    focus(viewer, plot)
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
    click_largest(viewer, plot, lambda: "task 7 thread 1" in
                  words(viewer, "selected place", window))
    viewer.see(lambda: "task 7 thread 1" in words(viewer, "selected place", window),
               True, "a click near the right end of the plot the largest one")


def click_largest(viewer, plot, is_chosen):
    """Again where the window was still being laid out."""
    for _ in range(10):
        left, top, width, height = viewer.extents(plot)
        viewer.mouse(left + width - 40, top + height // 3, "b1c")
        if person.comes(is_chosen):
            break


def look_at_lacks(viewer, window, values):
    box = viewer.find("metric", "combo box", window)

    def choose_counter():
        names = [at.name for at in person.walk(box)
                 if at.getRoleName() == "menu item"]
        return box.querySelection().selectChild(names.index("PM_LD"))

    viewer.wait(choose_counter, "the counter to be chosen")
    extremes_of = viewer.table("largest and smallest values", window)
    viewer.see(lambda: [(task, tid, float(value.rstrip(" s").replace(",", "")))
                        for task, tid, value in places_of(extremes_of)],
               extremes(values), "another metric can be chosen")
    main = viewer.window("hpmviz")
    viewer.see(lambda: viewer.table("metrics of the section", main).selected(),
               0, "and is the selected one of the main window, too")
    viewer.see(lambda: "22 of 24 threads have a value. 2 have no value (not drawn "
               "in the histogram and in the order): 2 never ran."
               in words(viewer, "distribution", window), True,
               "places without a value are counted, with why")
    viewer.see(lambda: "Not counted all the time, or partly missing (hollow): 1." in
               words(viewer, "distribution", window), True, "and so are estimates")


def look_at_export(viewer, window):
    """What is written then is what headless.py compares."""
    viewer.find("Export…", "push button", window).queryAction().doAction(0)
    dialog = viewer.window("Export the distribution")
    viewer.find("Cancel", "push button", dialog).queryAction().doAction(0)
    viewer.wait(lambda: "Export the distribution" not in (viewer.active() or ""),
                "the dialog to be left")
    tap.ok(True, "the window asks for a file to write what it shows")


# One processor does 10 GFLOP/s and reads 4 GB/s, all four 30 and 6.
ROOFS = ('pmu="power4" facts="no-VM ROOF:processors=4 ROOF:double_one=1e+10'
         ' ROOF:double_all=3e+10 ROOF:memory_one=4e+09'
         ' ROOF:memory_all=6e+09"')


def make_roofed(where):
    """Of two threads one reaches 2 of 10 GFLOP/s without much memory, the other one
    operation a byte and 1 of 4 GFLOP/s."""
    work = [(10, 20, 1), (20, 20, 20)]
    write(where, "x.hpm.xml", task_file(0, [record(
        1 + tid, tid, 0, "fft", seconds, seconds, [
            data(counter, int(1e9 * n), exclusive=int(1e9 * n), unit=unit)
            for counter, n, unit in (("work::flop", flop, ""),
                                     ("work::bytes", moved, ""),
                                     ("task-clock", seconds, "ns"))], inst=1)
        for tid, (seconds, flop, moved) in enumerate(work)], ROOFS))


def turn_to(viewer, window, page):
    def turn():
        tabs = next(at for at in person.walk(window)
                    if at.getRoleName() == "page tab list")
        return tabs.querySelection().selectChild(page)

    viewer.wait(turn, f"page {page} to be chosen")


def focus(viewer, at):
    """Again where the viewer was too busy to answer."""
    viewer.wait(lambda: at.queryComponent().grabFocus(), "the focus")


def type_into(viewer, entry, text):
    viewer.wait(lambda: entry.queryEditableText().setTextContents(text),
                f"'{text}' to be typed")


def look_at_roofs(viewer):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["fft"], "files are open")
    table.click(0, "Section")
    viewer.menu(viewer.window("hpmviz"), "Section", "Distribution")
    window = viewer.window("Distribution")
    turn_to(viewer, window, 2)
    viewer.see(lambda: words(viewer, "both metrics", window)[:35],
               "2 of 2 threads have both values. Ex",
               "two metrics stand against each other")
    turn_to(viewer, window, 3)
    viewer.see(lambda: words(viewer, "below the roofs", window),
               "2 of 2 places have operations, bytes and roofs. Below the slope of "
               "memory: 1, below the level of calculation: 1. The farthest reaches "
               "20.0 % of its roof (task 0 thread 0 on node node0), the nearest "
               "25.0 % (task 0 thread 1 on node node0).",
               "and places below the roofs")
    plot = viewer.find("roofline", None, window)
    focus(viewer, plot)
    viewer.see(lambda: viewer.focused(), "roofline", "the roofline takes the focus")
    viewer.keys("End", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window)[:15],
               "task 0 thread 1", "and keys")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"] + ".roofs.png")


def threads_of(viewer, window):
    said = words(viewer, "distribution", window)
    return said.split(" threads have")[0]


def draw_along(viewer, corners):
    """With the button down from the first of some places to the last, while the
    program does nothing, as where the machine is busy: all motions reach it at
    once."""
    (x, y), rest = corners[0], corners[1:]
    os.kill(viewer.process.pid, signal.SIGSTOP)
    viewer.mouse(x, y, "abs")
    viewer.mouse(x, y, "b1p")
    for to_x, to_y in rest:
        for i in range(1, 11):
            viewer.mouse(x + (to_x - x) * i // 10, y + (to_y - y) * i // 10,
                         "abs")
        x, y = to_x, to_y
    viewer.mouse(x, y, "b1r")
    os.kill(viewer.process.pid, signal.SIGCONT)


def draw_frame(viewer, plot):
    """Around the two largest values, near the right end."""
    left, top, width, height = viewer.extents(plot)
    draw_along(viewer, [(left + width - width // 10, top + 5),
                        (left + width - 5, top + height - 5)])


def draw_around(viewer, plot):
    """Around the largest values in a shape whose frame has all values in it."""
    left, top, width, height = viewer.extents(plot)
    right, bottom = left + width - 3, top + height - 3
    near = right - width // 6
    draw_along(viewer, [(left + 3, top + 2), (right, top + 2), (right, bottom),
                        (near, bottom), (near, top + 6), (left + 3, top + 6)])


def is_odd_among_few(viewer, window):
    """Is the odd thread shown, and hardly another one?"""
    table = viewer.table("largest and smallest values", window)
    return (places_of(table)[0][:2], table.n_rows() < 10) == (("7", "1"), True)


def show_all(viewer, window):
    viewer.find("Show all", "push button", window).queryAction().doAction(0)
    viewer.see(lambda: threads_of(viewer, window), "24 of 24", "all again")


def take_frame(viewer, window, draw, name):
    """Again where the window was still being laid out: what was drawn goes with the
    size of its plot, or is around other values than it would be in the plot's last
    size."""
    def button():
        return viewer.look("Only those inside", "push button", window)

    def is_taken():
        return "chosen in a plot of ExcSec" in " ".join(viewer.texts(window))

    for _ in range(5):
        if is_taken():
            show_all(viewer, window)
        draw(viewer, viewer.find(name, None, window))
        if not person.comes(lambda: button() is not None):
            continue
        button().queryAction().doAction(0)
        if person.comes(is_taken) and \
                person.comes(lambda: is_odd_among_few(viewer, window)):
            break


def restrict(viewer):
    """By numbers and by a frame in a plot; each ends by the bar's button."""
    window = open_it(viewer)
    viewer.see(lambda: threads_of(viewer, window), "24 of 24", "all are shown")
    viewer.find("Some…", "push button", window).queryAction().doAction(0)
    dialog = viewer.window("Only some tasks and threads")
    entry = viewer.find("tasks", "text", dialog)
    type_into(viewer, entry, "0-5:x")
    viewer.find("Show", "push button", dialog).queryAction().doAction(0)
    viewer.see(lambda: any(text.startswith("'0-5:x': expected numbers")
                           for text in viewer.texts(dialog)), True,
               "what is no range is said to be none")
    type_into(viewer, entry, "0-5")
    viewer.find("Show", "push button", dialog).queryAction().doAction(0)
    viewer.see(lambda: threads_of(viewer, window), "12 of 12",
               "only some tasks are shown")
    main = viewer.window("hpmviz")
    bar = "Only 6 of 12 tasks are shown: tasks 0-5"
    viewer.see(lambda: [bar in viewer.texts(at) for at in (main, window)],
               [True, True], "each window says so")
    show_all(viewer, window)
    viewer.see(lambda: viewer.look("Only those inside", "push button", window),
               None, "without a frame nothing is offered to be taken of it")
    take_frame(viewer, window, draw_frame, "values in their order")
    viewer.see(lambda: any(text.endswith("of 24 threads are shown: chosen in a "
                                         "plot of ExcSec")
                           for text in viewer.texts(main)), True,
               "what stands in a frame is all that is shown")
    viewer.see(lambda: is_odd_among_few(viewer, window), True,
               "with the odd thread among few")
    show_all(viewer, window)
    turn_to(viewer, window, 2)
    take_frame(viewer, window, draw_around, "two metrics")
    viewer.see(lambda: is_odd_among_few(viewer, window), True,
               "what the pointer went around is shown, not all in its frame")


def look_at_plane(viewer, window):
    """Tasks by threads, then in a grid that is typed."""
    turn_to(viewer, window, 1)
    viewer.see(lambda: words(viewer, "arrangement", window), "tasks by threads",
               "a plane has tasks by threads")
    plot = viewer.find("tasks and threads", None, window)
    focus(viewer, plot)
    viewer.see(lambda: viewer.focused(), "tasks and threads",
               "the plane takes the focus")
    viewer.keys("End", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window)[:15],
               "task 7 thread 1", "the largest value is selected there, too")
    viewer.keys("Up", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window)[:15],
               "task 6 thread 1", "the arrow goes to the task above")
    grid = viewer.find("grid of tasks", "text", window)
    type_into(viewer, grid, "3x4")
    grid.queryAction().doAction(0)
    viewer.see(lambda: words(viewer, "arrangement", window),
               "3x4, tasks by their numbers", "tasks can be put into a grid")
    focus(viewer, plot)
    viewer.keys("Left", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window)[:15],
               "task 6 thread 0", "where threads of a task are side by side")
    viewer.keys("Left", "Distribution")
    viewer.see(lambda: words(viewer, "selected place", window)[:15],
               "task 5 thread 1", "and the task before is to the left")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"] + ".plane.png")


def journey(viewer, values):
    window = open_it(viewer)
    look_at_time(viewer, window, values["ExcSec"])
    choose(viewer, window)
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])
    look_at_plane(viewer, window)
    look_at_lacks(viewer, window, values["PM_LD"])
    look_at_export(viewer, window)
    viewer.escape("Distribution")


with tap.folder() as where:
    make(where)
    values = reported(where)
    person.journey("distribution", lambda: journey(person.start(where), values))
    person.journey("some places", lambda: restrict(person.start(where)))
with tap.folder() as where:
    make_roofed(where)
    person.journey("roofs", lambda: look_at_roofs(person.start(where)))
tap.done()
