# SPDX-License-Identifier: BSD-3-Clause
"""A person opens a run, adds another one, sees what changed, for the time and for
a metric, finds the section that one run alone has, and looks at each run again.
Every number is one of hpm diff's."""

import csv
import io
import os
import re

import person  # first: it may begin anew on a desktop
import tap
from reports import data, record, task_file, write

SOURCE = "\n".join(f"      x({i}) = y({i})" for i in range(1, 99)) + "\n"
# label, line, seconds in each run; None: not there
SECTIONS = [("hot", 10, 4.0, 2.0), ("slow", 30, 1.0, 3.0),
            ("gone", 50, 2.0, None), ("new", 70, None, 1.5)]


def of_runs(text):
    """The same file as a mean of 8 runs, whose times are within 0.1 s."""
    return re.sub(r'name="ExcSec" value="([^"]+)"', lambda time: (
        f'{time.group(0)} runs="8" dev="0.05" '
        f'min="{float(time.group(1)) - 0.1:.9f}" '
        f'max="{float(time.group(1)) + 0.1:.9f}"'), text)


def make_run(where, name, at):
    here = os.path.join(where, name)
    os.mkdir(here)
    with open(os.path.join(here, "sweep.f"), "w") as file:
        file.write(SOURCE)
    os.utime(os.path.join(here, "sweep.f"), (0, 0))  # older than the run
    records = []
    for number, section in enumerate(SECTIONS, 1):
        label, line, seconds = section[0], section[1], section[2 + at]
        if seconds is not None:
            cycles = int(1e9 * seconds)
            records.append(record(
                number, 0, 0, label, seconds, seconds,
                [data("PM_CYC", cycles, exclusive=cycles),
                 data("PM_INST_CMPL", 2 * 10**9, exclusive=2 * 10**9)],
                line=line, inst=number))
    return write(here, f"{name}.hpm.xml", of_runs(task_file(0, records)))


def differences(where, a, b):
    """Exclusive seconds of each section, by hpm diff."""
    out = os.path.join(where, "difference.hpm.xml")
    tap.run([tap.HPM, "diff", "-o", out, a, b])
    table = tap.run([tap.HPM, "report", "--format", "csv", out]).stdout
    return {row["section"]: float(row["value"])
            for row in csv.DictReader(io.StringIO(table.decode()))
            if row["metric"] == "ExcSec"}


def add_run(viewer, path):
    viewer.keys("Ctrl+d", "hpmviz")
    viewer.answer_chooser("Add a run", path)


def look_at_time(viewer, table, expected):
    viewer.see(lambda: table.titles()[:6],
               ["Section", "B − A", "B / A", "A", "B", "Only in"],
               "both runs stand side by side, and the heading says which is "
               "taken off which")
    viewer.see(lambda: table.column("Section"), ["slow", "new", "gone", "hot"],
               "what grew most comes first")
    viewer.see(lambda: [float(cell.lstrip("✗✓ "))
                        for cell in table.column("B − A")],
               [expected[label] for label in ("slow", "new", "gone", "hot")],
               "the differences are those of hpm diff")
    viewer.see(lambda: table.column("Only in"), ["", "B", "A", ""],
               "sections of one run alone are marked")
    viewer.see(lambda: (table.text(1, "A"), table.text(2, "B"),
                        table.text(1, "B / A")), ("n/a", "n/a", "n/a"),
               "what a run has not is no 0")
    viewer.see(lambda: (table.text(0, "B / A"), table.text(3, "B / A")),
               ("✗ 3.000", "✓ 0.500"),
               "worse and better have their glyphs, of enough runs")


def look_at_metric(viewer, table):
    table.click(0, "Section")
    metrics = viewer.table("metrics of the section")
    viewer.see(lambda: "slow" in viewer.find("worst metric", "label")
               .queryText().getText(0, -1), True,
               "below the list is said what became worst in the section")
    viewer.see(lambda: "IPC" in metrics.column("Metric"), True,
               "and stand all its metrics")
    row = metrics.column("Metric").index("IPC")
    viewer.see(lambda: metrics.text(row, "B − A"), "-1.333",
               "with what became of each, and no glyph where the spread of "
               "runs is not known")
    metrics.click(row, "Metric")
    viewer.see(lambda: table.text(table.column("Section").index("hot"), "B − A"),
               "+0.500", "a metric that is clicked is compared in the list")


def look_at_threads(viewer, table):
    table.click(table.column("Section").index("slow"), "Section", 3)
    window = viewer.window("slow Metrics, B − A")
    cells = viewer.table("metrics table", window)
    viewer.see(lambda: cells.text(0, "IPC"), "-1.333",
               "a right click opens the section's window, with the difference")
    cells.click(0, "IPC")
    viewer.see(lambda: any("changed from 2.000 to 0.667, ratio 0.333" in text
                           for text in viewer.texts(window)), True,
               "and both values below the table")
    viewer.escape("slow Metrics, B − A")


def choose(viewer, name, index):
    """Of a drop-down list, as a screen reader does: its menu is a window that
    nobody can wait for to be active."""
    viewer.wait(lambda: viewer.look(name, "combo box").querySelection()
                .selectChild(index), f"to choose from '{name}'")
    viewer.actions += 1


def look_at_run(viewer, table):
    choose(viewer, "shown run", 2)
    viewer.see(lambda: table.titles()[1], "Exclusive s", "a run by itself again")
    viewer.see(lambda: table.column("Section"), ["slow", "hot", "new"],
               "with its own sections")
    viewer.see(lambda: table.selected(), 0, "the selected one stays so")


def compare(viewer, b, expected):
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "hot", "a run is open")
    add_run(viewer, b)
    look_at_time(viewer, table, expected)
    look_at_metric(viewer, table)
    look_at_threads(viewer, table)
    look_at_run(viewer, table)


def look_side_by_side(viewer):
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "slow", "two runs are open")
    viewer.keys("Ctrl+Shift+r", "hpmviz")
    window = viewer.window("Runs side by side")
    runs = viewer.table("runs side by side", window)
    viewer.see(runs.titles, ["Section", "A", "B"], "each run is a column")
    viewer.see(lambda: dict(zip(runs.column("Section"), runs.column("B"))),
               {"hot": "2.000000", "slow": "3.000000", "gone": "n/a",
                "new": "1.500000"}, "with its values, and no 0 for none")
    choose(viewer, "values or speed-up", 1)
    viewer.see(lambda: dict(zip(runs.column("Section"), runs.column("B"))),
               {"hot": "2.000", "slow": "0.333", "gone": "n/a", "new": "n/a"},
               "or its speed-up")
    runs.click(runs.column("Section").index("hot"), "Section")
    viewer.see(lambda: "hot: A 1.000, B 2.000; dashed: without losses" in
               viewer.texts(window), True, "what the line shows is in words")
    viewer.see(lambda: table.selected(), table.column("Section").index("hot"),
               "a section that is clicked there is selected in the list")


def shown(viewer):
    return viewer.look("shown run", "combo box").querySelection() \
        .getSelectedChild(0).name


def refuse(viewer, other):
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "hot", "a run is open")
    add_run(viewer, other)
    viewer.see(lambda: any("the runs cannot be compared" in text
                           for text in viewer.texts(viewer.window("hpmviz"))),
               True, "runs that different PMUs counted are not compared")
    choose(viewer, "shown run", 0)
    viewer.see(lambda: shown(viewer), "A  one",
               "the bar says what is shown still")
    viewer.keys("Ctrl+r", "hpmviz")
    entry = viewer.find("name of B", "text")
    viewer.see(lambda: entry.queryText().getText(0, -1), "other",
               "a run has the name of its file")


with tap.folder() as where:
    one, two = make_run(where, "one", 0), make_run(where, "two", 1)
    differs = differences(where, one, two)
    for i in range(int(os.environ.get("HPM_TEST_JOURNEYS", "1"))):
        person.journey("compare two runs", lambda: compare(
            person.start(one), two, differs))
    other = write(where, "other.hpm.xml", task_file(0, [
        record(1, 0, 0, "hot", 1.0, 1.0, [data("PM_CYC", 5)])],
        pmu='pmu="power5"'))
    person.journey("runs that cannot be compared", lambda: refuse(
        person.start(one), other))
    person.journey("runs side by side", lambda: look_side_by_side(
        person.start("--compare", one, two)))
tap.done()
