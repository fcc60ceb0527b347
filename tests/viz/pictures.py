# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the documents: swim in the viewer, light, dark and at scale 2; how the
time of 64 tasks in a grid is distributed, on a screen of 800 x 600.
'make pictures' draws them anew into doc/.

    pictures.py FOLDER NAME..."""

import math
import os
import random
import sys
import time

import person  # first: it may begin anew on a desktop
import swim
import tap
from gi.repository import GdkPixbuf
from reports import data, record, task_file, write

LOOKS = {
    "hpmviz.png": {},
    "hpmviz-dark.png": {"GTK_THEME": "Adwaita:dark"},
    "hpmviz-scale2.png": {"GDK_SCALE": "2"},
    "hpmviz-trees.png": {},
    "hpmviz-trees-dark.png": {"GTK_THEME": "Adwaita:dark"},
}


# The gutter of the source is seen beside a window so wide.
CONF = os.path.join(os.environ.get("XDG_CONFIG_HOME") or
                    os.path.expanduser("~/.config"), "hpm-toolkit",
                    "hpmviz.conf")
METRICS_WIDTH = {"hpmviz-dark.png": 680}


def set_width(name):
    if name in METRICS_WIDTH:
        os.makedirs(os.path.dirname(CONF), exist_ok=True)
        with open(CONF, "w") as file:
            file.write(f"[metrics]\nwidth={METRICS_WIDTH[name]}\nheight=600\n")


def cut_out(path):
    """Leave away the empty screen, which is black, around the windows."""
    picture = GdkPixbuf.Pixbuf.new_from_file(path)
    pixels, stride = picture.get_pixels(), picture.get_rowstride()
    n, size = picture.get_n_channels(), picture.get_width()
    rows = [pixels[y * stride:y * stride + n * size]
            for y in range(picture.get_height())]
    used = [y for y, row in enumerate(rows) if any(row)]
    left = min(len(rows[y]) - len(rows[y].lstrip(b"\0")) for y in used) // n
    right = max(len(rows[y].rstrip(b"\0")) for y in used) // n + 1
    picture.new_subpixbuf(left, used[0], min(right, size) - left,
                          used[-1] - used[0] + 1).savev(path, "png", [], [])


def open_trees(viewer, path):
    """The system of the section with most time, all of it open; on a small screen
    the window takes all of that."""
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    window = viewer.window("Trees")
    paths = viewer.table("call tree", within=window)
    viewer.see(lambda: paths.n_rows() > 1, True, "call paths")
    paths.click(0, "Call path")
    viewer.keys("F8", "Trees")
    viewer.keys("F6", "Trees")
    viewer.keys("Home", "Trees")
    viewer.keys("Ctrl+Shift+Right", "Trees")
    system = viewer.table("system tree", within=window)
    viewer.see(lambda: system.n_rows() > 4, True, "the system")
    viewer.see(lambda: "…" in system.column("Value"), False, "its values")
    time.sleep(1)  # until all is drawn, which nobody is told
    cut_window(path, viewer.extents(window))


def cut_window(path, extents):
    person.picture(path)
    picture = GdkPixbuf.Pixbuf.new_from_file(path)
    picture.new_subpixbuf(*extents).savev(path, "png", [], [])


def take(files, path, variables):
    viewer = person.start(*files, scale=int(variables.get("GDK_SCALE", 1)),
                          **{k: v for k, v in variables.items()
                             if k != "GDK_SCALE"})
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "Loop 200", "the list")
    if "trees" in os.path.basename(path):
        open_trees(viewer, path)
        viewer.kill()
        return
    table.click(0, "Section", 3)
    window = viewer.window("Loop 200 Metrics")
    metrics = viewer.table("metrics table", window)
    viewer.see(lambda: metrics.text(0, "IPC") != "", True, "the metrics")
    time.sleep(2)  # until the minimap has drawn itself, which nobody is told
    person.picture(path)
    cut_out(path)
    viewer.kill()


# Page of the window, theme.
DISTRIBUTIONS = {"distribution.png": (0, {}),
                 "distribution-dark.png": (1, {"GTK_THEME": "Adwaita:dark"})}


def make_grid(where):
    """64 tasks of 4 threads in a grid of 8 x 8: slow around one task, and one thread
    much slower."""
    chance = random.Random(1)
    for task in range(64):
        y, x = divmod(task, 8)
        near = 0.5 * math.exp(-((x - 3) ** 2 + (y - 5) ** 2) / 6)
        records = []
        for tid in range(4):
            seconds = 1 + near + 0.02 * chance.random() + \
                (0.9 if (task, tid) == (43, 2) else 0)
            cycles = int(1e9 * seconds)
            records.append(record(1 + tid, tid, task, "solve", seconds, seconds,
                                  [data("PM_CYC", cycles, exclusive=cycles)], inst=1))
        text = task_file(task, records).replace(f"T11:30:0{task}.000Z",
                                                "T11:30:00.000Z")
        write(where, f"t{task:02}.hpm.xml", text.replace(
            '<Run ', f'<Run dims="8 8" periods="0 0" coords="{y} {x}" ', 1))


def take_distribution(where, path, page, variables):
    viewer = person.start(where, **variables)
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["solve"], "the list")
    table.click(0, "Section")
    viewer.keys("Ctrl+h", "hpmviz")
    window = viewer.window("Distribution")
    viewer.see(lambda: any("256 of 256 threads" in text
                           for text in viewer.texts(window)), True, "the values")
    tabs = next(at for at in person.walk(window)
                if at.getRoleName() == "page tab list")
    tabs.querySelection().selectChild(page)
    plot = viewer.find(("values in their order", "tasks and threads")[page], None,
                       window)
    plot.queryComponent().grabFocus()
    viewer.keys("End", "Distribution")
    viewer.see(lambda: any(text.startswith("task 43 thread 2")
                           for text in viewer.texts(window)), True, "the odd thread")
    time.sleep(1)  # until all is drawn
    person.picture(path)
    viewer.kill()


def main():
    out, names = sys.argv[1], sys.argv[2:]
    with tap.folder() as where:
        distributions = [name for name in names if name in DISTRIBUTIONS]
        if distributions:
            make_grid(where)
        for name in distributions:
            take_distribution(where, os.path.join(out, name), *DISTRIBUTIONS[name])
    with tap.folder() as where:
        others = [name for name in names if name in LOOKS]
        files = swim.measure(swim.build(where), where) if others else []
        for name in others:
            set_width(name)
            take(files, os.path.join(out, name), LOOKS[name])


if __name__ == "__main__":
    main()
