# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the documents: swim in the viewer, light, dark and at scale 2.
'make pictures' draws them anew into doc/.

    pictures.py FOLDER NAME..."""

import os
import sys
import time

import person  # first: it may begin anew on a desktop
import swim
import tap
from gi.repository import GdkPixbuf

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


def main():
    out, names = sys.argv[1], sys.argv[2:]
    with tap.folder() as where:
        files = swim.measure(swim.build(where), where)
        for name in names:
            set_width(name)
            take(files, os.path.join(out, name), LOOKS[name])


main()
