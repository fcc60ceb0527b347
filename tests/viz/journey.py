# SPDX-License-Identifier: BSD-3-Clause
"""A person looks at swim in the viewer: from the files to a changed source."""

import csv
import os
import re

import person  # first: it may begin anew on a desktop
import swim
import tap
from tap import TOP_SOURCE

CONF = os.path.join(os.environ.get("XDG_CONFIG_HOME") or
                    os.path.expanduser("~/.config"), "hpm-toolkit",
                    "hpmviz.conf")
LABELS = ["Loop 200", "Loop 300", "Loop 100", "Steps", "Edges"]
PLACES = [(task, tid) for task in range(4) for tid in range(2)]
EXCLUSIVE = ["360.000000", "288.000000", "216.000000", "136.000000",
             "25.600000"]


def palette(name, verdict, is_dark):
    """A colour of the viewer's own table."""
    with open(os.path.join(TOP_SOURCE, "hpmviz", "data", "palette.c")) as file:
        scheme = file.read().split(f'{{"{name}"')[1]
    colours = re.findall(r'"(#[0-9a-f]{6})"', scheme)[:8]
    return colours[(0 if verdict == "bad" else 4) + (2 if is_dark else 0)]


def slowest_first():
    order = sorted(range(8), key=lambda i: -swim.SLOWNESS[i])
    return [PLACES[i] for i in order]


class Run:
    """swim's files in a folder, and the source as it was."""

    def __init__(self, where):
        self.where = where
        self.source = os.path.join(where, "swim.F")
        self.files = swim.measure(swim.build(where), where)
        self.variables = {"HPM_DEFS": swim.define(where)}
        self.original = self.bytes()

    def bytes(self):
        with open(self.source, "rb") as file:
            return file.read()

    def open(self, **variables):
        return person.start(*self.files, **self.variables, **variables)


# ---- the whole way ----------------------------------------------------------

def look_at_sections(viewer, run):
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), LABELS,
               "sections, the longest exclusive time first")
    viewer.see(lambda: table.column("Exclusive s"), EXCLUSIVE,
               "their times: the largest of any thread")
    table.click(1, "Section")
    viewer.see(table.selected, 1, "a click selects a section")
    source = viewer.text("source")
    viewer.see(source.line, (swim.line_of(run.where, "f_hpmtstart(300"),
                             "      call f_hpmtstart(300, 'Loop 300')"),
               "the source is at its first line")
    viewer.see(source.is_in_sight, True, "and shows it")
    return table


def places(viewer, window):
    table = viewer.table("tasks and threads", window)
    return list(zip(map(int, table.column("Task")),
                    map(int, table.column("Thread"))))


def look_at_metrics(viewer, is_dark=False):
    window = viewer.window("Loop 300 Metrics")
    table = viewer.table("metrics table", window)
    viewer.see(lambda: places(viewer, window), PLACES,
               "a row per task and thread")
    viewer.see(lambda: table.text(0, "IPC"), "✗ 0.400", "a bad value")
    viewer.see(lambda: table.colour(0, "IPC"),
               palette("red-green", "bad", is_dark), "its colour")
    viewer.see(lambda: table.text(0, "BRANCH_MISP_PCT"), "✓ 1.000",
               "a good value")
    viewer.see(lambda: table.colour(0, "BRANCH_MISP_PCT"),
               palette("red-green", "good", is_dark), "its colour")
    return window, table


def switch_precision(viewer, window, table, sections):
    """A metric of DEFINITIONS has other limits in single precision."""
    viewer.see(lambda: (table.text(0, "BRANCH_SHARE"), sections.text(1, "Bad")),
               ("✗ 16.667", "24"), "bad in double precision")
    viewer.menu(window, "Precision", "Single")
    viewer.see(lambda: (table.text(0, "BRANCH_SHARE"), sections.text(1, "Bad")),
               ("16.667", "16"), "in single precision it is not")
    viewer.menu(window, "Precision", "Double")
    viewer.see(lambda: (table.text(0, "BRANCH_SHARE"), sections.text(1, "Bad")),
               ("✗ 16.667", "24"), "and again")


def sort_metrics(viewer, window, table):
    table.click_header("ExcSec")
    viewer.see(lambda: places(viewer, window), slowest_first(),
               "a click on a title sorts by that column")
    viewer.see(lambda: table.text(0, "ExcSec"), "288.000000",
               "and moves values along with tasks and threads")


def exported(path, metric):
    """Values of an exported file by task and thread."""
    with open(path, newline="") as file:
        return {(int(row["task"]), int(row["thread"])): float(row["value"])
                for row in csv.DictReader(file) if row["metric"] == metric}


def export(viewer, where):
    path = os.path.join(where, "metrics.csv")
    viewer.keys("Ctrl+e", "Loop 300 Metrics")
    viewer.answer_chooser("Export", path)
    viewer.see(lambda: exported(path, "ExcSec"),
               {place: 160 * slowness for place, slowness in
                zip(PLACES, swim.SLOWNESS)}, "exported: the exact times")
    tap.equal({place: round(value, 12) for place, value in
               exported(path, "IPC").items()}, {place: 0.4 for place in PLACES},
              "exported: metrics")


def edit(viewer, run, sections):
    line = b"      call f_hpmtstart(300, 'Loop 300')"
    source = viewer.text("source")
    sections.click(1, "Section", times="d")
    viewer.see(viewer.focused, "source", "a double click goes into the source")
    viewer.keys("End", "hpmviz")
    person.type_text("!hot")
    viewer.see(lambda: source.line()[1], line.decode() + "!hot", "typed")
    viewer.keys("Ctrl+z", "hpmviz")
    viewer.see(lambda: source.content().encode(), run.original, "undone")
    viewer.keys("End", "hpmviz")
    person.type_text("!here")
    viewer.see(lambda: source.line()[1], line.decode() + "!here",
               "typed again")
    tap.equal(run.bytes(), run.original, "the file is as it was")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.see(run.bytes, run.original.replace(line, line + b"!here"),
               "saved: these bytes are in the file")


def quit_unsaved(viewer, run):
    saved = run.bytes()
    viewer.keys("Return", "hpmviz")
    viewer.see(lambda: viewer.look("● swim.F", "page tab") is not None, True,
               "what is not saved is marked")
    viewer.keys("Ctrl+q", "hpmviz")
    viewer.see(lambda: run.source in viewer.texts(), True,
               "asked before it ends, by the name of the file")
    viewer.click(viewer.find("Cancel", "push button"))
    viewer.see(lambda: "hpmviz" in (viewer.active() or ""), True,
               "asked before it ends, and told not to")
    viewer.keys("Ctrl+q", "hpmviz")
    viewer.click(viewer.find("Close without saving", "push button"))
    tap.equal(viewer.end(), 0, "it ends")
    tap.equal(run.bytes(), saved, "and has not saved")


def whole_way(run):
    viewer = run.open()
    sections = look_at_sections(viewer, run)
    sections.click(1, "Section", button=3)
    window, table = look_at_metrics(viewer)
    switch_precision(viewer, window, table, sections)
    sort_metrics(viewer, window, table)
    export(viewer, run.where)
    viewer.escape("Loop 300 Metrics")
    viewer.see(lambda: any("Loop 300 Metrics" in w for w in viewer.windows()),
               False, "Esc closes the metrics window")
    edit(viewer, run, sections)
    quit_unsaved(viewer, run)


# ---- the shortest way -------------------------------------------------------

def to_the_hint(run):
    """From the start, which is one action, to what to do about the worst
    metric."""
    viewer = run.open()
    hints = viewer.find("Hints", "toggle button", viewer.window("hpmviz"))
    viewer.see(lambda: viewer.find("worst hint").description.split()[:2],
               ["BRANCH_MPKI", "18.519"],
               "the worst metric of the longest section is told at once")
    viewer.click(hints)
    viewer.see(lambda: first_hint(viewer),
               ["BRANCH_MPKI", "try: sort or group the data"],
               "and what to do about it")
    tap.ok(1 + viewer.actions <= 4, "after four actions at most",
           viewer.actions)


def is_within(viewer, at, around):
    x, y, width, height = viewer.extents(at)
    left, top, wide, high = viewer.extents(around)
    return left <= x and x + width <= left + wide and \
        top <= y and y + height <= top + high


def is_read_whole(viewer, label):
    """Is its last character in sight?"""
    around = label
    while around.getRoleName() != "scroll pane":
        around = around.parent
    text = label.queryText()
    x, y, width, height = text.getCharacterExtents(
        text.characterCount - 1, person.pyatspi.DESKTOP_COORDS)
    left, top, wide, high = viewer.extents(around)
    return top <= y and y + height <= top + high


def explained(run, size):
    """The window of metrics opens with the value it explains in sight, and all
    that is said of it."""
    os.makedirs(os.path.dirname(CONF), exist_ok=True)
    with open(CONF, "w") as file:
        file.write("[metrics]\n" + "".join(f"{name}={value}\n" for name, value in
                                           size.items()))
    viewer = run.open()
    sections = look_at_sections(viewer, run)
    sections.click(0, "Section", button=3)
    window = viewer.window("Loop 200 Metrics")
    table = viewer.table("metrics table", window)
    story = viewer.find("about the value", within=window)
    viewer.see(lambda: "\ntry: " in story.queryText().getText(0, -1), True,
               "what may help is said")
    viewer.see(lambda: is_within(viewer, table.cell(0, "BRANCH_MPKI"),
                                 table.find()), True,
               "of a value that is in sight")
    viewer.see(lambda: is_read_whole(viewer, story), True,
               "and can be read to its end")
    viewer.escape("Loop 200 Metrics")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")
    os.remove(CONF)


def first_hint(viewer):
    """The metric, and the beginning of the advice."""
    texts = viewer.texts(viewer.find("list of hints"))
    hint = next(text for text in texts if " (bad: " in text)
    advice = next(text for text in texts if "try: " in text)
    return [hint.split()[0], advice[advice.index("try: "):][:27]]


# ---- in other looks ---------------------------------------------------------

def short_way(run, is_dark, variables):
    viewer = run.open(**variables)
    sections = look_at_sections(viewer, run)
    sections.click(1, "Section", button=3)
    look_at_metrics(viewer, is_dark)
    viewer.escape("Loop 300 Metrics")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


LOOKS = {
    "dark": (True, {"GTK_THEME": "Adwaita:dark"}),
    "twice as large": (False, {"scale": 2}),
    "high contrast": (False, {"GTK_THEME": "HighContrast"}),
}

reason = swim.no_swim()
if reason:
    tap.skip("journeys", reason)
else:
    with tap.folder() as where:
        run = Run(where)
        person.journey("the shortest way", to_the_hint, run)
        person.journey("explained", explained, run, {})
        person.journey("explained in little room", explained, run,
                       {"width": 640, "height": 560})
        person.journey("the whole way", whole_way, run)
        with open(run.source, "wb") as file:
            file.write(run.original)
        for look, (is_dark, variables) in LOOKS.items():
            person.journey(look, short_way, run, is_dark, variables)
tap.done()
