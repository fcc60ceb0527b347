# SPDX-License-Identifier: BSD-3-Clause
"""A person looks into the metrics of a section: from a hint to its value, what
is said of it, other limits, columns, the summary, and files that change."""

import os
import shutil

import person  # first: it may begin anew on a desktop
import gi
import tap
from reports import data, record, task_file, write

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402

# Seconds, cycles and instructions of the threads 0.0 to 1.1: an IPC of 0.5, 1.5,
# 2.5 and 0.8, whose limits are 1 and 2.
VALUES = [(1, 1000, 500), (2, 1000, 1500), (3, 1000, 2500), (4, 1000, 800)]

# Counted, time-shared, never on the hardware, not there.
FP_OPS = [data("FP_OPS", 100),
          data("FP_OPS", 200, state="shared", share=0.5, error=7),
          data("FP_OPS", None, state="unscheduled", reason="too few counters"),
          data("FP_OPS", None, state="unsupported", reason="no such event")]


def calc(label, i):
    seconds, cycles, instructions = VALUES[i]
    return record(
        i + 1, i % 2, i // 2, label, seconds, seconds,
        [data("PM_CYC", cycles, exclusive=cycles),
         data("PM_INST_CMPL", instructions, exclusive=instructions), FP_OPS[i],
         data("Own", i + 1, kind="metric", dbad=-2.5)])


def files(where, label):
    return [write(where, f"p.{task}.hpm.xml", task_file(
        task, [calc(label, 2 * task), calc(label, 2 * task + 1)],
        program_name="p")) for task in range(2)]


def text_of(at):
    return at.queryText().getText(0, -1)


def clipboard():
    return Gtk.Clipboard.get_default(
        person.Gdk.Display.get_default()).wait_for_text()


def number_of(viewer, title):
    return sum(name == title for name in viewer.windows())


# ---- ways -------------------------------------------------------------------

def from_hint_to_value(viewer):
    worst = viewer.find("worst hint")
    viewer.see(lambda: worst.description,
               "IPC 0.800 in task 1, thread 1 and 1 more (bad: below 1)",
               "the main window says the worst hint of the section")
    viewer.click(worst)
    window = viewer.window("calc Metrics")
    line = viewer.find("selected place", within=window)
    viewer.see(lambda: text_of(line), "Selected place: all tasks and threads",
               "the user has selected no place yet")
    table = viewer.table("metrics table", window)
    viewer.see(table.selected, 3, "a click on it leads to the row of its value")
    told = viewer.find("about the value", within=window)
    viewer.see(lambda: text_of(told).splitlines()[:2],
               ["task 1, thread 1", "IPC 0.800, bad (bad below 1, good above "
                "2)"], "which is told about")
    viewer.see(lambda: "\nhint: " in text_of(told), True, "with the hint")
    viewer.see(lambda: table.cell(3, "IPC").description,
               text_of(told), "a screen reader hears the same of the cell")
    return window, table


def look_at_states(viewer, window, table):
    viewer.menu(window, "Metric Options", "FP_OPS")
    viewer.see(lambda: table.column("FP_OPS"),
               ["100", "200 s", "never ran", "n/a"],
               "a column is shown that was hidden, values with their states")
    for row, words in enumerate(["FP_OPS 100", "50 %, give or take 7",
                                 "too few counters", "no such event"]):
        viewer.see(lambda: words in table.cell(row, "FP_OPS").description,
                   True, f"of which is told: {words}")


def change_precision(viewer, window, table):
    viewer.see(lambda: table.column("Own"),
               ["✗ 1.000 r", "✗ 2.000 r", "3.000 r", "4.000 r"],
               "bad in double precision")
    viewer.menu(window, "Precision", "Single")
    viewer.see(lambda: table.column("Own"),
               ["1.000 r", "2.000 r", "3.000 r", "4.000 r"],
               "no limit in single precision")
    viewer.menu(window, "Precision", "Double")
    viewer.see(lambda: table.text(0, "Own"), "✗ 1.000 r", "and back")


def sort(viewer, window, table):
    place = viewer.table("tasks and threads", window)
    table.click_header("FP_OPS")
    viewer.see(lambda: table.column("FP_OPS"),
               ["200 s", "100", "never ran", "n/a"],
               "falling, what has no value comes last")
    table.click_header("FP_OPS")
    viewer.see(lambda: table.column("FP_OPS"),
               ["100", "200 s", "never ran", "n/a"],
               "rising, too, in the order it had")
    place.click_header("Task")
    viewer.see(lambda: list(zip(place.column("Task"), place.column("Thread"))),
               [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")], "by task")


def copy(viewer, table):
    table.click(2, "IPC")
    viewer.see(table.selected, 2, "a row is selected")
    viewer.keys("Ctrl+c", "calc Metrics")
    viewer.see(lambda: [line.split("\t")[:7]
                        for line in (clipboard() or "").splitlines()],
               [["task", "thread", "Count", "ExcSec", "IncSec", "IPC", "CPI"],
                ["1", "0", "1", "3", "3", "2.5", "0.4"]],
               "a row is copied with a line of names")
    viewer.keys("Ctrl+Shift+c", "calc Metrics")
    viewer.see(lambda: len((clipboard() or "").splitlines()), 5,
               "and the table as CSV")


def sum_up(viewer, window, table):
    viewer.click(viewer.find("Summary", "page tab", window))
    summary = viewer.table("summary", window)
    row = summary.column("Metric").index("IPC")
    for title, expected in [("Minimum", "0.500"), ("Median", "1.150"),
                            ("Mean", "1.325"), ("Maximum", "2.500"),
                            ("Bad", "✗ 2"), ("Good", "✓ 1"),
                            ("Min at", "0.0"), ("Max at", "1.0"),
                            ("Values", "4 of 4 in 2 tasks")]:
        viewer.see(lambda: summary.text(row, title), expected,
                   f"the summary of a metric: {title}")
    summary.click(row, "Max at")
    viewer.see(table.selected, 2, "a click on its largest leads to the row")


def bring_forward(viewer, at):
    """The window of an object, as an assistive program does."""
    viewer.wait(lambda: at.queryComponent().grabFocus() or True, "the focus")


def follow_place(viewer, window, table):
    """The window says which place is selected, and follows what other windows
    select."""
    line = viewer.find("selected place", within=window)
    place = viewer.table("tasks and threads", window)
    places = list(zip(place.column("Task"), place.column("Thread")))
    table.click(places.index(("0", "1")), "IPC")
    viewer.see(lambda: text_of(line), "Selected place: task 0, thread 1",
               "a row that the user goes to is the selected place")
    bring_forward(viewer, viewer.find("sections"))
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    trees = viewer.window("Trees")
    system = viewer.table("system tree", trees)
    viewer.see(lambda: system.n_rows() > 0, True, "the system is a tree")
    system.click(0, "System")
    viewer.keys("Ctrl+Shift+Right", "Trees")
    viewer.see(lambda: system.column("System")[-1], "thread 1",
               "it has the threads")
    system.click(system.n_rows() - 1, "System")
    viewer.see(lambda: text_of(line), "Selected place: task 1, thread 1",
               "a thread that is selected there is named here")
    viewer.see(table.selected, places.index(("1", "1")),
               "and its row is the selected one")
    told = viewer.find("about the value", within=window)
    viewer.see(lambda: text_of(told).splitlines()[:2],
               ["task 1, thread 1", "IPC 0.800, bad (bad below 1, good above "
                "2)"], "of which the value in the same column is explained")
    system.click(system.column("System").index("task 0"), "System")
    viewer.see(lambda: text_of(line),
               "Selected place: task 0, all of its threads", "or a whole task")
    viewer.escape("Trees")
    bring_forward(viewer, viewer.find("metrics table", within=window))


def look_at_facts(viewer, window):
    viewer.click(viewer.find("Info", "page tab", window))
    facts = viewer.find("about the section", within=window).queryTable()
    viewer.see(lambda: [facts.getAccessibleAt(i, 1).name for i in range(1, 5)],
               ["calc", "calc", "sweep.f", "10 to 15"],
               "what is known of the section")
    viewer.click(viewer.find("Table", "page tab", window))


def change_files(viewer, window, table, where):
    files(where, "other")
    viewer.keys("F5", "calc Metrics")
    viewer.see(lambda: text_of(viewer.look("message", within=window)),
               "The files that are open now do not have this section.",
               "a section that is gone is said to be so")
    files(where, "calc")
    viewer.keys("F5", "calc Metrics")
    viewer.see(lambda: table.text(0, "IPC"), "✗ 0.500",
               "and is there again when it is")
    viewer.see(lambda: viewer.look("message", within=window) is None, True,
               "and no longer said to be gone")


def all_ways(where):
    viewer = person.start(*files(where, "calc"))
    sections = viewer.table("sections")
    viewer.see(sections.n_rows, 1, "the section is there")
    window, table = from_hint_to_value(viewer)
    look_at_states(viewer, window, table)
    change_precision(viewer, window, table)
    sort(viewer, window, table)
    copy(viewer, table)
    sum_up(viewer, window, table)
    follow_place(viewer, window, table)
    look_at_facts(viewer, window)
    change_files(viewer, window, table, where)
    viewer.keys("Ctrl+w", "calc Metrics")
    viewer.see(lambda: number_of(viewer, "calc Metrics"), 0,
               "Ctrl+W closes the window")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


def one_window(where):
    viewer = person.start(*files(where, "calc"))
    viewer.see(viewer.table("sections").n_rows, 1, "the section is there")
    viewer.keys("Ctrl+m", "hpmviz")
    viewer.window("calc Metrics")
    viewer.escape("calc Metrics")
    viewer.see(lambda: number_of(viewer, "calc Metrics"), 0, "Esc closes it")
    viewer.keys("Ctrl+m", "hpmviz")
    viewer.window("calc Metrics")
    viewer.keys("Ctrl+q", "calc Metrics")
    tap.equal(viewer.end(), 0, "it ends with the window open")


with tap.folder() as where:
    person.journey("metrics", all_ways, where)
    shutil.rmtree(where)
    os.mkdir(where)
    person.journey("one window", one_window, where)
tap.done()
