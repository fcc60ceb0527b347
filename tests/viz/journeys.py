# SPDX-License-Identifier: BSD-3-Clause
"""The four journeys of somebody who looks for what makes a program slow, while a
screen reader (screenreader.py) listens to the accessibility bus and reads all that is
there: compare two runs of swim; the linked trees to the worst path; a distribution to
the odd task; instrument three lines, build, measure, compare.  Any warning of GTK ends
the viewer, and each ends it by Ctrl+Q, in turn with its windows closed and open.

    HPM_TEST_RUNS=100 tests/viz/journeys.py [JOURNEY...]   each a hundred times"""

import csv
import io
import os
import shutil
import subprocess
import sys

import person  # first: it may begin anew on a desktop
import smallprogram
import swim
import tap

READER = os.path.join(tap.TOP_SOURCE, "tests", "viz", "screenreader.py")
RUNS = int(os.environ.get("HPM_TEST_RUNS", "1"))

# The second run of swim: its longest loop takes half, its second longest a fifth more.
CHANGED = {"Loop 200": 0.5, "Loop 300": 1.2}


class Reader:
    """The screen reader, until it is closed."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, READER], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, preexec_fn=tap.default_signals)
        tap.equal(self.process.stdout.readline(), b"listening\n",
                  "a screen reader listens")

    def close(self):
        """How many events it heard and objects it read, in its words."""
        words = self.process.communicate()[0].decode().split()
        return dict(zip(words[::2], map(int, words[1::2])))


def reported(*words):
    """The lines of hpm report."""
    table = tap.run([tap.HPM, "report", "--format", "csv", *words]).stdout
    return list(csv.DictReader(io.StringIO(table.decode())))


def quit_viewer(viewer, *titles):
    """By Ctrl+Q in the main window, first closing windows with these in their
    titles."""
    for title in titles:
        viewer.escape(title)
    viewer.window("hpmviz")
    person.press("Ctrl+q")
    tap.equal(viewer.end(), 0, "it ends by itself")


class Swim:
    """Two runs of swim, a folder each, and what hpm says of them."""

    def __init__(self, where):
        program = swim.build(where)
        self.runs = []
        for name, factors in (("before", {}), ("after", CHANGED)):
            here = os.path.join(where, name)
            os.mkdir(here)
            shutil.copy(os.path.join(where, "swim.F"), here)
            swim.measure(program, here, job=name, factors=factors)
            self.runs.append(here)
        difference = os.path.join(where, "difference.hpm.xml")
        tap.run([tap.HPM, "diff", "-o", difference, *self.runs])
        self.changes = {row["section"]: round(float(row["value"]), 6)
                        for row in reported(difference)
                        if row["metric"] == "ExcSec" and
                        row["scope"] == "thread"}
        self.rows = reported("--by", "thread", self.runs[0])

    def of(self, section, metric):
        """{(task, thread): value} of the first run."""
        return {(int(row["task"]), int(row["thread"])): float(row["value"])
                for row in self.rows if row["section"] == section and
                row["metric"] == metric}


# ---- compare two runs -------------------------------------------------------

def signed(cell):
    return float(cell.lstrip("✗✓ "))


def compare(run, is_tidy):
    viewer = person.start(run.runs[0])
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "Loop 200", "a run is open")
    viewer.keys("Ctrl+Shift+d", "hpmviz")
    viewer.answer_chooser("Add the folder of a run", run.runs[1])
    viewer.see(lambda: table.titles()[1], "B − A", "it is compared with another")
    viewer.see(lambda: {label: signed(cell) for label, cell in
                        zip(table.column("Section"), table.column("B − A"))},
               run.changes, "the differences are those of hpm diff")
    viewer.see(lambda: table.column("Section")[0], "Loop 300",
               "what grew most comes first")
    row = table.column("Section").index("Loop 200")
    table.click(row, "Section", 3)
    window = viewer.window("Loop 200 Metrics, B − A")
    cells = viewer.table("metrics table", window)
    viewer.see(lambda: cells.n_rows(), 8, "each thread has its difference")
    viewer.see(lambda: signed(cells.text(0, "ExcSec")),
               -sum(swim.LENGTHS["Loop 200"] / 2e9 for _ in range(swim.STEPS)),
               "which is that of hpm diff, too")
    quit_viewer(viewer, *["Loop 200 Metrics"][:is_tidy])


# ---- three trees to the worst path ------------------------------------------

def worst_path(run, is_tidy):
    viewer = person.start(run.runs[0])
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "Loop 200", "a run is open")
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    window = viewer.window("Trees")
    paths = viewer.table("call tree", window)
    viewer.see(lambda: paths.n_rows() > 1 and "…" not in paths.column("Value"),
               True, "call paths have their values")
    paths.click(0, "Call path")
    viewer.keys("F8", "Trees")
    viewer.see(lambda: paths.text(paths.selected(), "Call path"), "Loop 200",
               "F8 goes to the path with most time")
    viewer.keys("F6", "Trees")
    viewer.see(viewer.focused, "system tree", "F6 to where it was spent")
    viewer.keys("Home", "Trees")
    viewer.keys("F8", "Trees")
    system = viewer.table("system tree", window)
    seconds = run.of("Loop 200", "ExcSec")
    worst = max(seconds, key=seconds.get)
    viewer.see(lambda: system.text(system.selected(), "System"),
               f"thread {worst[1]}", "F8 goes to the thread with most of it")
    viewer.see(lambda: system.text(system.selected(), "Value"),
               f"{seconds[worst]:.6f}", "with the time of hpm report")
    quit_viewer(viewer, *["Trees"][:is_tidy])


# ---- a distribution to the odd task -----------------------------------------

def odd_task(run, is_tidy):
    viewer = person.start(run.runs[0])
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "Loop 200", "a run is open")
    table.click(0, "Section")
    viewer.keys("Ctrl+h", "hpmviz")
    window = viewer.window("Distribution")
    extremes = viewer.table("largest and smallest values", window)
    seconds = run.of("Loop 200", "ExcSec")
    odd = max(seconds, key=seconds.get)

    def first():
        return tuple(extremes.text(0, title)
                     for title in ("Task", "Thread", "Value"))

    viewer.see(first, (str(odd[0]), str(odd[1]), f"{seconds[odd]:.6f}"),
               "the odd thread stands first, with the time of hpm report")
    extremes.click(0, "Value")
    viewer.see(lambda: any(text.startswith(f"task {odd[0]} thread {odd[1]} on")
                           for text in viewer.texts(window)), True,
               "a click selects it")
    if is_tidy:
        viewer.escape("Distribution")
        viewer.keys("Ctrl+m", "hpmviz")
        rows = viewer.table("tasks and threads",
                            viewer.window("Loop 200 Metrics"))
        viewer.see(rows.selected, list(seconds).index(odd),
                   "the window of metrics has it selected")
    quit_viewer(viewer, *["Loop 200 Metrics"][:is_tidy])


# ---- instrument, build, measure, compare ------------------------------------

def measured_change(_, is_tidy):
    with tap.folder() as where:
        change(os.path.realpath(where), is_tidy)


def change(where, is_tidy):
    viewer, text = smallprogram.begin(where)
    viewer.click(viewer.find("source", "text"))
    smallprogram.select(text, 8, 10)
    viewer.keys("Ctrl+i", "hpmviz")
    viewer.see(lambda: 'hpmTstart(2, "sum loop");' in text.content(), True,
               "three lines get calls")
    viewer.keys("Ctrl+b", "hpmviz")
    smallprogram.give_command(viewer, "make -s && ./work")
    viewer.click(viewer.find("Save and run"))
    table = viewer.table("sections")
    viewer.see(lambda: any("B − A" in title for title in table.titles()), True,
               "built, run, and compared with the run before")
    viewer.see(lambda: dict(zip(table.column("Section"),
                                table.column("Only in"))).get("sum loop"), "B",
               "the new section is the new run's alone")
    if is_tidy:
        viewer.keys("Ctrl+Shift+r", "hpmviz")
        viewer.see(lambda: viewer.table("runs side by side").titles(),
                   ["Section", "A", "B"], "both runs side by side")
        viewer.escape("Runs side by side")
    quit_viewer(viewer)


JOURNEYS = {"compare": compare, "worst-path": worst_path, "odd-task": odd_task,
            "measured-change": measured_change}


def main():
    names = sys.argv[1:] or list(JOURNEYS)
    reason = swim.no_swim()
    with tap.folder() as where:
        if reason:
            tap.skip("journeys with swim", reason)
            names = [name for name in names if name == "measured-change"]
        run = None if reason else Swim(os.path.realpath(where))
        reader = Reader()
        for i in range(RUNS):
            for name in names:
                person.journey(f"{name} {i + 1}", JOURNEYS[name], run,
                               i % 2 == 0)
        heard = reader.close()
        tap.ok(min(heard.values()) > RUNS,
               "the screen reader heard and read the viewer all the time", heard)
        print(f"# {heard}")
    tap.done()


main()
