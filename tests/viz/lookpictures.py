# SPDX-License-Identifier: BSD-3-Clause
"""Each view of the viewer in one look: the main window, the linked trees, a
distribution, a comparison of two runs, and lines that were instrumented, built and
measured.  'make look-pictures' draws all four looks anew into doc/pictures/.

    lookpictures.py FOLDER LOOK [VIEW...]     LOOK: light, dark, small, scale2"""

import os
import shutil
import subprocess
import sys
import time

import person  # first: it may begin anew on a desktop
import smallprogram
import swim
import tap
from pictures import cut_out, make_grid

LOOKS = {"light": {}, "dark": {"GTK_THEME": "Adwaita:dark"}, "small": {},
         "scale2": {"scale": 2}}


def run_of_swim(where, name, factors={}):
    here = os.path.join(where, name)
    os.mkdir(here)
    shutil.copy(os.path.join(where, "swim.F"), here)
    swim.measure(os.path.join(where, "swim"), here, name, factors)
    return here


def start_swim(where, look, *words):
    viewer = person.start(*words, where, **LOOKS[look])
    viewer.see(lambda: viewer.table("sections").text(0, "Section"), "Loop 200",
               "the list")
    return viewer


def main_window(where, look):
    viewer = start_swim(os.path.join(where, "before"), look)
    return viewer, viewer.window("hpmviz")


def trees(where, look):
    viewer = start_swim(os.path.join(where, "before"), look)
    viewer.keys("Ctrl+Shift+t", "hpmviz")
    window = viewer.window("Trees")
    paths = viewer.table("call tree", within=window)
    viewer.see(lambda: paths.n_rows() > 1, True, "call paths")
    paths.click(0, "Call path")
    for keys in ("F8", "F6", "Home", "Ctrl+Shift+Right", "F8"):
        viewer.keys(keys, "Trees")
    system = viewer.table("system tree", within=window)
    viewer.see(lambda: system.n_rows() > 4 and "…" not in system.column("Value"),
               True, "the system")
    return viewer, window


def distribution(where, look):
    grid = os.path.join(where, "grid")
    viewer = person.start(grid, **LOOKS[look])
    table = viewer.table("sections")
    viewer.see(lambda: table.column("Section"), ["solve"], "the list")
    viewer.keys("Ctrl+h", "hpmviz")
    window = viewer.window("Distribution")
    plot = viewer.find("values in their order", None, window)
    viewer.wait(lambda: plot.queryComponent().grabFocus(), "the focus")
    viewer.keys("End", "Distribution")
    viewer.see(lambda: any(text.startswith("task 43 thread 2")
                           for text in viewer.texts(window)), True,
               "the odd thread")
    return viewer, window


def comparison(where, look):
    viewer = person.start("--compare", os.path.join(where, "before"),
                          os.path.join(where, "after"), **LOOKS[look])
    table = viewer.table("sections")
    viewer.see(lambda: table.text(0, "Section"), "Loop 300", "what grew most")
    return viewer, viewer.window("hpmviz")


def measured(where, look):
    here = os.path.join(where, "work")
    os.mkdir(here)
    viewer, text = smallprogram.begin(here, **LOOKS[look])
    viewer.click(viewer.find("source", "text"))
    smallprogram.select(text, 8, 10)
    viewer.keys("Ctrl+i", "hpmviz")
    viewer.see(lambda: "hpmTstop(2);" in text.content(), True, "calls")
    viewer.keys("Ctrl+s", "hpmviz")
    viewer.keys("Ctrl+b", "hpmviz")
    smallprogram.give_command(viewer, "make -s && ./work")
    viewer.see(smallprogram.says(viewer, "is opened as the next run"), True,
               "the next run")
    viewer.see(lambda: any("B − A" in title for title in
                           viewer.table("sections").titles()), True, "compared")
    return viewer, viewer.window("hpmviz")


VIEWS = {"main": main_window, "trees": trees, "distribution": distribution,
         "comparison": comparison, "measure": measured}


def take(path):
    person.registry.generateMouseEvent(0, 0, "abs")  # no tooltip
    time.sleep(2)  # until all has drawn itself, which nobody is told
    person.picture(path)
    cut_out(path)
    if shutil.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--nofs", "--output", path, "64",
                        path], check=True)


def main():
    out, look, *names = sys.argv[1:]
    with tap.folder() as where:
        swim.build(where)
        run_of_swim(where, "before")
        run_of_swim(where, "after", {"Loop 200": 0.5, "Loop 300": 1.2})
        grid = os.path.join(where, "grid")
        os.mkdir(grid)
        make_grid(grid)
        for name in names or VIEWS:
            viewer, _ = VIEWS[name](where, look)
            take(os.path.join(out, f"{name}-{look}.png"))
            viewer.kill()


main()
