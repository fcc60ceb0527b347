# SPDX-License-Identifier: BSD-3-Clause
"""The linked trees in the viewer: what a metric has on call paths, and a call path
in the system; all numbers are those of hpm report."""

import csv
import os

import person  # first: it may begin anew on a desktop
import reports
import tap

# cycles per second of each section's own time
RATES = {"main": 1000, "solve": 2000, "inner": 3000}


def records(task, tid, slower=1):
    """main calls solve and inner, solve calls inner."""
    t, first = slower * (1 + 2 * task + tid), 10 * tid + 1
    own = {"main": 1.0 * t, "solve": 2.0 * t, "inner": 4.0 * t}
    rows = (("main", None, ("solve", "inner", "inner")), ("solve", 0, ("inner",)),
            ("inner", 1, ()), ("inner", 0, ()))

    def cycles(label):
        return int(RATES[label] * own[label])

    for at, (label, around, inside) in enumerate(rows):
        yield reports.record(
            first + at, tid, task, label, own[label],
            own[label] + sum(own[i] for i in inside),
            [reports.data(name, factor * (cycles(label) +
                                          sum(map(cycles, inside))),
                          exclusive=factor * cycles(label))
             for name, factor in (("PM_CYC", 2), ("PM_INST_CMPL", 1))],
            parent=None if around is None else first + around, line=10 * at + 1,
            inst=at + 1)
    yield reports.record(first + 9, tid, task, "(outside sections)", 0.5, 0.5,
                         [reports.data("PM_CYC", 10, exclusive=10),
                          reports.data("PM_INST_CMPL", 4, exclusive=4)],
                         line=0, inst=0, calls=0).replace(
                             "InstrumentationPt", "Outside")


def files(where, slower=1):
    """Four tasks of two threads on two nodes."""
    return [reports.write(
        where, f"t.{task}.hpm.xml",
        reports.task_file(task, [r for tid in range(2)
                                 for r in records(task, tid, slower)]).replace(
            f'host="node{task}"', f'host="node{task // 2}"'))
        for task in range(4)]


def paths_of(where):
    return [os.path.join(where, f"t.{task}.hpm.xml") for task in range(4)]


def number(text):
    return float(text.strip("~ ").replace(",", ""))


class Trees:
    """The window with the trees."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.window = viewer.window("Trees")
        self.tables = {title: viewer.table(name, within=self.window)
                       for title, name in (("Metric", "metric tree"),
                                           ("Call path", "call tree"),
                                           ("System", "system tree"))}

    def rows(self, title):
        """[(name, value)] that are in sight."""
        table = self.tables[title]
        return list(zip(table.column(title), table.column("Value")))

    def values(self, title):
        """{name: number}; of equal names the last."""
        return {name: number(value) for name, value in self.rows(title)
                if value not in ("–", "…", "n/a")}

    def click(self, title, name):
        table = self.tables[title]
        table.click(table.column(title).index(name), title)

    def keys(self, keys):
        self.viewer.keys(keys, "Trees")


def total(paths, section, metric, key, **more):
    """Of all threads, by the lines of hpm report --by thread."""
    return sum(float(row[key]) for row in reports.rows("--by", "thread", *paths)
               if row["section"] == section and row["metric"] == metric and
               all(row[k] == v for k, v in more.items()))


def look_at_paths(trees, paths):
    trees.viewer.see(lambda: "main" in trees.values("Call path"), True,
                     "call paths are there")
    trees.click("Metric", "CYCLES")
    trees.viewer.see(
        lambda: trees.values("Call path").get("(outside sections)"),
        total(paths, "(outside sections)", "PM_CYC", "value"),
        "what no section covers is a row, with the cycles of hpm report")
    trees.click("Call path", "main")
    trees.keys("Left")
    trees.viewer.see(lambda: trees.values("Call path").get("main"),
                     total(paths, "main", "PM_CYC", "value"),
                     "a closed path has what is inside, too, as in hpm report")
    trees.keys("Right")
    trees.viewer.see(lambda: trees.values("Call path").get("main"),
                     total(paths, "main", "PM_CYC", "exclusive"),
                     "an open one has its own")


def look_at_system(trees, paths):
    trees.keys("F6")
    trees.viewer.see(trees.viewer.focused, "system tree",
                     "F6 goes to the next tree")
    trees.keys("Home")
    trees.keys("Ctrl+Shift+Right")
    trees.viewer.see(lambda: len(trees.rows("System")), 1 + 2 + 4 + 8,
                     "all of the system opens by one key")
    own = [total(paths, "main", "PM_CYC", "exclusive", task=str(task),
                 thread=str(tid)) for task in range(4) for tid in range(2)]
    trees.viewer.see(
        lambda: [number(value) for name, value in trees.rows("System")
                 if name.startswith("thread")], own,
        "each thread has the cycles of the path that is selected")
    trees.viewer.see(
        lambda: {value for name, value in trees.rows("System")
                 if not name.startswith("thread")}, {"–"},
        "what is open has nothing beside them")


def look_at_place(trees):
    table = trees.tables["System"]
    rows = [i for i, (name, _) in enumerate(trees.rows("System"))
            if name.startswith("thread")]
    table.click(rows[3], "System")
    trees.viewer.see(table.selected, rows[3], "a thread is selected")
    trees.click("Metric", "Time")
    trees.viewer.see(table.selected, rows[3],
                     "it stays selected while the metric changes")


def go_to_most(trees, paths):
    """One key opens the way to where most is; then shares, and a search."""
    trees.click("Call path", "main")
    trees.keys("Shift+Left")
    trees.keys("F8")
    table = trees.tables["Call path"]
    trees.viewer.see(lambda: table.text(table.selected(), "Call path"), "inner",
                     "F8 opens the way to the section with most time")
    most = total(paths, "inner", "IncSec", "value", linestart="21")
    trees.viewer.see(lambda: f"main/solve/inner: {most:.6f} s (with all inside)"
                     in "\n".join(trees.viewer.texts(trees.window)), True,
                     "words say what is selected, and its value")
    trees.keys("Ctrl+f")
    person.type_text("outs")
    trees.viewer.see(lambda: table.text(table.selected(), "Call path"),
                     "(outside sections)", "a search selects what it finds")


def look_at_shares(trees):
    modes = trees.viewer.find("what values are shown as",
                              within=trees.window)
    trees.viewer.wait(lambda: modes.querySelection().selectChild(2),
                      "to choose per cent of the selection")
    trees.viewer.see(
        lambda: dict(trees.rows("Call path")).get("(outside sections)"),
        "1.0 %", "per cent of the selection")


def look_at_callers(trees, paths):
    trees.viewer.click(trees.viewer.find("Callers", within=trees.window))
    trees.viewer.wait(lambda: trees.viewer.find(
        "what values are shown as", within=trees.window)
        .querySelection().selectChild(0), "to choose values")
    own = total(paths, "solve", "ExcSec", "value")
    trees.viewer.see(lambda: trees.values("Call path").get("solve"), own,
                     "callers: a section has its own time")
    trees.click("Call path", "solve")
    trees.keys("Shift+Right")
    trees.viewer.see(
        lambda: [row for row in trees.rows("Call path")
                 if row[0] in ("main", "solve")][1:],
        [("solve", "–"), ("main", f"{own:.6f}")],
        "below it the section that called it, with all of that")
    trees.viewer.click(trees.viewer.find("Callers", within=trees.window))
    trees.viewer.see(
        lambda: [name for name, _ in trees.rows("Call path")].count("main"), 1,
        "call paths are there again")


def follow_main_window(trees):
    """Section and metric are the session's."""
    trees.click("Call path", "solve")
    sections = trees.viewer.table("sections")
    trees.viewer.see(lambda: sections.text(sections.selected(), "Section"),
                     "solve", "the list selects the section of the path")


def kept_table(path):
    """{(tree, what its lines are of)}, once the file is whole; and the threads'
    values."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return ({(row["tree"], row["of"]) for row in rows},
            [float(row["value"]) for row in rows if row["system"] == "thread"])


def export(trees, where):
    """The table has what is shown: of a path that is closed, what is inside."""
    path = os.path.join(where, "kept.csv")
    trees.click("Metric", "CYCLES")
    trees.click("Call path", "main")
    trees.keys("Left")
    trees.keys("Ctrl+e")
    trees.viewer.answer_chooser("Export trees as CSV", path)
    own = [total(paths_of(where), "main", "PM_CYC", "value", task=str(task),
                 thread=str(tid)) for task in range(4) for tid in range(2)]
    trees.viewer.see(
        lambda: kept_table(path),
        ({("metrics", "all"), ("metrics", "own"), ("paths", "all"),
          ("paths", "own"), ("system", "all")}, own),
        "Ctrl+E writes all three trees, with the values of hpm report")


def look(where):
    paths = files(where)
    viewer = person.start(*paths)
    viewer.see(lambda: len(viewer.table("sections").column("Section")) > 0, True,
               "sections are there")
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    trees = Trees(viewer)
    look_at_paths(trees, paths)
    look_at_system(trees, paths)
    look_at_place(trees)
    go_to_most(trees, paths)
    look_at_shares(trees)
    look_at_callers(trees, paths)
    follow_main_window(trees)
    export(trees, where)
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])


def compare(where):
    """Two runs: what changed, and per cent of the reference."""
    runs = [os.path.join(where, name) for name in "ab"]
    for slower, run in enumerate(runs, 1):
        os.mkdir(run)
        files(run, slower)
    viewer = person.start("--compare", *runs)
    viewer.see(lambda: len(viewer.table("sections").column("Section")) > 0, True,
               "what changed is there")
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    trees = Trees(viewer)
    viewer.see(lambda: "main" in trees.values("Call path"), True,
               "call paths are there")
    trees.click("Metric", "Time")
    trees.click("Call path", "main")
    trees.keys("Left")
    viewer.see(lambda: dict(trees.rows("Call path"))["main"],
               f"+{36 * (1 + 2 + 4 + 4):,.6f}",
               "a closed path has what changed in all threads, with its sign")
    viewer.wait(lambda: viewer.find(
        "what values are shown as", within=trees.window)
        .querySelection().selectChild(3), "to choose per cent of the reference")
    viewer.see(lambda: dict(trees.rows("Call path"))["main"], "+100.0 %",
               "per cent of the reference")


with tap.folder() as where:
    person.journey("linked trees", look, os.path.realpath(where))
    person.journey("linked trees of two runs", compare, os.path.realpath(where))
tap.done()
