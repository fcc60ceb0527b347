# SPDX-License-Identifier: BSD-3-Clause
"""The viewer without a display, and when its display goes away."""

import os
import subprocess

import person  # first: it may begin anew on a desktop
import reports
import tap


class Display:
    """A server of its own, to be killed."""

    def __init__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-nolisten", "tcp", "-noreset"],
            pass_fds=[write], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as file:
            self.name = ":" + file.readline().strip()

    def kill(self):
        self.server.kill()
        self.server.wait()


def without_one():
    for name, variables in (("no display", {}),
                            ("no such display", {"DISPLAY": ":59999"})):
        env = tap.environment(G_DEBUG="fatal-warnings")
        for variable in ("DISPLAY", "WAYLAND_DISPLAY"):
            env.pop(variable, None)
        env.update(variables)
        ended = subprocess.run([person.HPMVIZ], env=env, timeout=person.LIMIT,
                               stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        tap.equal(ended.returncode, 3, f"{name}: status 3")
        said = ended.stderr.decode().splitlines()
        tap.ok(len(said) == 1 and "display" in said[0] and not ended.stdout,
               f"{name}: a line that says so", ended.stderr.decode())


def kept(text):
    """The files of the user's that have the text in them."""
    found = []
    for folder, _, names in os.walk(os.environ["HOME"]):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                if text in file.read():
                    found.append(os.path.join(folder, name))
    return found


def one_that_dies(where):
    source = reports.write(where, "sweep.f", "      call sweep\n" * 40)
    path = reports.known_files(where)[0]
    display = Display()
    viewer = person.start(path, DISPLAY=display.name)
    text = viewer.text("source")
    viewer.see(lambda: text.line()[0], 30, "a source is open")
    text.insert("C not saved\n")
    viewer.see(lambda: "C not saved" in text.content(), True, "and edited")
    display.kill()
    tap.equal(viewer.end(), 3, "the display dies: it ends with status 3")
    said = [line for line in viewer.words().splitlines() if line]
    if tap.ok(len(said) == 1 and "display" in said[0],
              "and a line that says so", viewer.words()):
        viewer.expected = said
    tap.equal(len(kept(b"C not saved")), 1, "what was not saved is kept")
    with open(source) as file:
        tap.equal(file.read(), "      call sweep\n" * 40,
                  "the file itself is as it was")
    tap.equal([name for name in os.listdir(where) if "core" in name], [],
              "no core")


def offered_again(where):
    """The draft that the viewer before has left."""
    viewer = person.start(os.path.join(where, "k.0.hpm.xml"))
    viewer.see(lambda: any("not saved" in text or "unsaved" in text
                           for text in viewer.texts()), True,
               "the next one tells of the draft")
    viewer.keys("Ctrl+q", "hpmviz")
    tap.equal(viewer.end(), 0, "it ends")


person.journey("no display", without_one)
with tap.folder() as where:
    person.journey("the display dies", one_that_dies, where)
    person.journey("the draft", offered_again, where)
tap.done()
