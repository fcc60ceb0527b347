# SPDX-License-Identifier: BSD-3-Clause
"""A person lets the list of sections show the worst value of metrics: the same
as the window of the section's metrics and hpm report have it, by its verdict,
in order, in the clipboard, and again the next time."""

import os

import person  # first: it may begin anew on a desktop
import gi
import reports
import tap
from reports import data, record, task_file, write

gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, Gtk  # noqa: E402

CONF = os.path.join(os.environ.get("XDG_CONFIG_HOME") or
                    os.path.expanduser("~/.config"), "hpm-toolkit",
                    "hpmviz.conf")

DEFINITIONS = """
ratio AA = MY_X / MY_Y  bad > 50 good < 10  range 0, 100
    label "more is bad"
ratio BB = MY_Z / MY_Y  bad < 20  label "less is bad"
ratio FREE = MY_V / MY_Y  label "no limits"
ratio RARE = MY_Z / MY_W  bad < 20  label "of too few"
"""

# Of 8 threads in two tasks, "hot" is bad in six, and together it is not;
# thread 1.1 is worst.  "cold" is bad the other way, in thread 0.2.
X = {"hot": [5500, 5500, 5500, 5500, 5600, 9000, 0, 0],
     "cold": [500, 500, 500, 900, 500, 500, 500, 500]}
Z = {"hot": [3000] * 8,
     "cold": [3000, 3000, 700, 3000, 3000, 3000, 1900, 3000]}
SECONDS = {"hot": 3, "cold": 2, "bare": 1}


def counts(label, i):
    if label == "bare":
        return [data("MY_V", 100 + i, exclusive=100 + i),
                data("MY_W", 3, exclusive=3)]
    return [data(name, value, exclusive=value) for name, value in
            (("MY_X", X[label][i]), ("MY_Y", 100), ("MY_Z", Z[label][i]),
             ("MY_V", 100 + i), ("MY_W", 3))]


def make_files(where):
    return [write(where, f"worst.{task}.hpm.xml", task_file(
        task, [record(10 * tid + n, tid, task, label, SECONDS[label],
                      SECONDS[label], counts(label, 4 * task + tid),
                      line=10 * n, inst=n)
               for tid in range(4) for n, label in enumerate(SECONDS, 1)]))
            for task in range(2)]


def is_in_sight(table, title):
    """Before anybody turns the wheel."""
    left, _, width, _ = person._place_of(table.find())
    x, _, length, _ = person._place_of(table.header(title))
    return left <= x and x + length <= left + width


def choose_columns(viewer, *names):
    dialog = viewer.window("Columns")
    for name in names:
        viewer.click(viewer.find(name, "check box", dialog))
    viewer.escape("Columns")


def reported(paths, variables):
    table = reports.rows(*paths, **variables)
    return {(row["section"], row["metric"]): row for row in table}


def choose_worst(viewer, table):
    tap.ok("AA" not in table.titles(), "metrics are no columns at first")
    viewer.menu(viewer.window("hpmviz"), "View", "Values", "Worst of metrics")
    tap.ok(viewer.window("Columns") is not None,
           "without a metric in the list it is asked which")
    choose_columns(viewer, "AA", "BB", "FREE", "RARE")
    viewer.see(lambda: is_in_sight(table, "RARE"), True,
               "the last one is brought into sight")
    viewer.see(lambda: (table.column("AA"), table.column("BB")),
               (["✗ 90.000", "✓ 9.000", "–"], ["30.000", "✗ 7.000", "–"]),
               "the value farthest beyond its limit, whichever side that is")
    viewer.see(lambda: table.column("FREE"), ["no limits", "no limits", "–"],
               "what has no limits has no worst value, and says so")
    viewer.see(lambda: table.column("RARE"), ["no verdict", "no verdict", "–"],
               "nor has what was not judged")
    viewer.see(lambda: table.column("Exclusive s"),
               ["3.000000", "2.000000", "1.000000"], "times are the largest")


def read_stories(viewer, table):
    def story(row, title):
        return table.cell(row, title).description

    viewer.see(lambda: story(0, "AA"),
               "AA 90.000, bad (bad above 50, good below 10)\n"
               "task 1, thread 1; bad are 6 of 8 values with a verdict",
               "a cell tells whose value it is, and how many are bad")
    viewer.see(lambda: story(0, "FREE"), "FREE no worst value: no limits are "
               "given in double precision", "why there is none")
    viewer.see(lambda: story(0, "RARE"), "RARE no worst value: its divisor is "
               "too small or too uncertain", "or which doubt there is")


def compare(viewer, table, paths, variables):
    """The list, the report and the window of metrics say one thing."""
    report = reported(paths, variables)
    for row, label in enumerate(("hot", "cold")):
        for metric in ("AA", "BB"):
            line = report[label, metric]
            shown = table.text(row, metric).split()
            tap.equal((float(shown[-1]), shown[0] == "✗"),
                      (float(line["worst"]), int(line["bad"]) > 0),
                      f"{metric} of {label} as hpm report has it")
    tap.equal(report["hot", "AA"]["worst_at"], "1.1", "and whose it is")
    table.click(0, "Section", button=3)
    window = viewer.window("hot Metrics")
    cells = viewer.table("metrics table", window)
    viewer.see(lambda: (cells.text(5, "AA"), sum(
        text.startswith("✗") for text in cells.column("AA"))), ("✗ 90.000", 6),
               "the window of metrics has that value, and as many bad ones")
    colour = cells.colour(5, "AA")
    viewer.click(viewer.find("Summary", "page tab", window))
    spread = viewer.table("summary", window)
    row = spread.ask(lambda t: next(
        i for i in range(t.nRows) if t.getAccessibleAt(i, 0).name == "AA"))
    spread.click(row, "Bad")
    viewer.see(lambda: any("task 1, thread 1" in text for text in
                           viewer.texts(window)), True,
               "a click on the number that is bad leads to the worst")
    viewer.escape("hot Metrics")
    viewer.see(lambda: table.colour(0, "AA"), colour, "and that colour")


def sort_and_copy(viewer, table):
    table.click_header("BB")
    viewer.see(lambda: table.column("Section"), ["hot", "cold", "bare"],
               "sorted by a metric; what has no value comes last")
    table.click_header("BB")
    viewer.see(lambda: table.column("Section"), ["cold", "hot", "bare"],
               "either way")
    table.click(0, "Section")
    viewer.keys("Ctrl+c", "hpmviz")
    viewer.see(lambda: copied()[-5:-1], ["9", "7", "", ""],
               "copied without signs, and none is nothing")


def copied():
    board = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
    text = board.wait_for_text() or ""
    return text.splitlines()[-1].split("\t") if text else []


def filter_wrongly(viewer, table):
    viewer.keys("Ctrl+l", "hpmviz")
    viewer.keys("Ctrl+f", "hpmviz")
    person.type_text("AAA > 5")
    viewer.see(lambda: [text for text in viewer.texts() if "AAA" in text and
                        "did you mean" in text] != [], True,
               "what is wrong with a filter is to be read below it")
    viewer.keys("Ctrl+a", "hpmviz")
    person.type_text("AA = bad")
    viewer.see(lambda: table.column("Section"), ["hot"],
               "a filter takes sections by their worst value")
    viewer.see(lambda: [text for text in viewer.texts()
                        if "did you mean" in text], [], "and nothing is wrong")
    viewer.keys("Escape", "hpmviz")
    viewer.see(lambda: len(table.column("Section")), 3, "all again")


def switch(viewer, table):
    def seen():
        return dict(zip(table.column("Section"), table.column("AA")))

    for name, hot, cold in (("Maximum over threads", "90.000", "9.000"),
                            ("Minimum", "0.000", "5.000"),
                            ("Sum", "no sum", "no sum")):
        viewer.menu(viewer.window("hpmviz"), "View", "Values", name)
        viewer.see(seen, {"hot": hot, "cold": cold, "bare": "–"},
                   f"{name}: of threads, without a verdict")
    viewer.menu(viewer.window("hpmviz"), "View", "Values", "Worst of metrics")
    viewer.see(lambda: table.column("AA"), ["✓ 9.000", "✗ 90.000", "–"],
               "with it again the worst")
    viewer.menu(viewer.window("hpmviz"), "View", "Precision", "Single")
    viewer.menu(viewer.window("hpmviz"), "View", "Precision", "Double")
    viewer.menu(viewer.window("hpmviz"), "View", "Call paths")
    viewer.see(lambda: table.column("AA"), ["✓ 9.000", "✗ 90.000", "–"],
               "and of call paths")
    viewer.see(lambda: table.cell(1, "AA").description.splitlines()[1],
               "task 1, thread 1; bad are 6 of 8 values with a verdict",
               "with whose it is")
    viewer.menu(viewer.window("hpmviz"), "View", "Call paths")


def look(viewer, paths, variables):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["hot", "cold", "bare"],
               "sections are there")
    choose_worst(viewer, table)
    if os.environ.get("PICTURE"):
        person.picture(os.environ["PICTURE"])
    read_stories(viewer, table)
    compare(viewer, table, paths, variables)
    sort_and_copy(viewer, table)
    filter_wrongly(viewer, table)
    switch(viewer, table)
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


def look_again(viewer):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("AA"), ["✓ 9.000", "✗ 90.000", "–"],
               "columns, values and order are remembered")
    viewer.keys("F5", "hpmviz")
    viewer.see(lambda: table.column("BB"), ["✗ 7.000", "30.000", "–"],
               "and stay when the files are read again")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


ORDER = ("section;metric:FREE;metric:AA;metric:BB;metric:RARE;exclusive;share;"
         "inclusive;calls;imbalance;bad;place;file;")


def remember_order():
    """As if columns had been dragged there.  GTK warns of the dragged heading's
    size, which would end the viewer here."""
    with open(CONF, encoding="utf-8") as file:
        text = file.read()
    with open(CONF, "w", encoding="utf-8") as file:
        file.write(text.replace("[sections columns]\n",
                                f"[sections columns]\norder={ORDER}\n"))


def come_back(viewer):
    def titles():
        return table.titles()[:6]

    expected = ["Section", "FREE", "AA", "BB", "RARE", "Exclusive s"]
    table = viewer.table("sections")
    viewer.see(titles, expected, "the order of columns is that of the last time")
    viewer.keys("F5", "hpmviz")
    viewer.see(titles, expected, "and stays when the files are read again")
    viewer.menu(viewer.window("hpmviz"), "View", "Columns…")
    dialog = viewer.window("Columns")
    viewer.click(viewer.find("Reset", "push button", dialog))
    viewer.see(table.titles, [
        "Section", "Exclusive s", "Share %", "Inclusive s", "Calls",
        "Imbalance %", "Bad", "Place"], "Reset brings the first columns back")
    viewer.escape("Columns")


def look_at_one(viewer):
    viewer.see(lambda: any(text.startswith("1 file, 1 task, 4 threads;")
                           for text in viewer.texts()), True,
               "one file and task are counted as one")
    table = viewer.table("sections")
    viewer.see(lambda: dict(zip(table.column("Section"),
                                table.column("AA"))).get("hot"), "✗ 55.000",
               "the worst is that of what is open")


with tap.folder() as where:
    write(where, "own.hpm", DEFINITIONS)
    paths = make_files(where)
    variables = {"HPM_DEFS": os.path.join(where, "own.hpm")}
    person.journey("worst", lambda: look(
        person.start(*paths, **variables), paths, variables))
    person.journey("worst again", lambda: look_again(
        person.start(*paths, **variables)))
    person.journey("worst of one", lambda: look_at_one(
        person.start(paths[0], **variables)))
    remember_order()
    person.journey("columns", lambda: come_back(
        person.start(*paths, **variables)))
tap.done()
