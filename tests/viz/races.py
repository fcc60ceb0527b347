# SPDX-License-Identifier: BSD-3-Clause
"""Nothing is ever saved outside the confirmed folder, while another process makes
links of the file and of the folders on its way, moves them, and puts them back,
as fast as it can: twenty races.  tests/viz/swapping tries every moment of a few of
them; here it is by chance, and more kinds of links are tried."""

import os
import random
import shutil
import subprocess
import threading

import tap

SAVER = tap.program("tests/viz/swapping")
chance = random.Random(tap.seed())
TIMES = "60" if tap.IS_REPEATED else "150"


def put(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def make(where):
    shutil.rmtree(where, ignore_errors=True)
    for path in ("outside/a.c", "outside/sub/a.c", "outside/sub/deep/a.c"):
        put(os.path.join(where, path), "victim\n")
    put(os.path.join(where, "root/sub/deep/a.c"), "old\n")
    put(os.path.join(where, "root/other/b.c"), "old\n")


def outside(where):
    """All that is outside, with its content."""
    found = {}
    for folder, _, files in os.walk(os.path.join(where, "outside")):
        for name in files:
            path = os.path.join(folder, name)
            with open(path) as file:
                found[os.path.relpath(path, where)] = file.read()
    return found


def link(where, path, target):
    """A link in the place of what is at `path`, then that again."""
    whole, aside = os.path.join(where, path), os.path.join(where, "aside")
    os.rename(whole, aside)
    os.symlink(target.format(where=where), whole)
    os.unlink(whole)
    os.rename(aside, whole)


def chain(where, path, target):
    """A link to a link that leads out."""
    second = os.path.join(where, "root/other/l.c")
    if not os.path.lexists(second):
        os.symlink(os.path.join(where, "outside/a.c"), second)
    link(where, path, target)


def missing(where, path, target):
    """Nothing at all, then a link, then the file again."""
    whole, aside = os.path.join(where, path), os.path.join(where, "aside")
    os.rename(whole, aside)
    os.symlink(target.format(where=where), whole)
    other = whole + ".link"
    os.rename(whole, other)
    os.rename(other, whole)
    os.unlink(whole)
    os.rename(aside, whole)


FILE, DEEP, SUB = "root/sub/deep/a.c", "root/sub/deep", "root/sub"

RACES = [
    ("the file becomes a link", link, FILE, "{where}/outside/a.c"),
    ("the file becomes a relative link", link, FILE, "../../../outside/a.c"),
    ("the file becomes a link to nothing", link, FILE, "{where}/outside/new.c"),
    ("the file becomes a link to a link", chain, FILE, "../../other/l.c"),
    ("the file becomes a link by /proc", link, FILE,
     "/proc/self/root{where}/outside/a.c"),
    ("the file goes and links come", missing, FILE, "{where}/outside/a.c"),
    ("its folder becomes a link", link, DEEP, "{where}/outside/sub/deep"),
    ("its folder becomes a relative link", link, DEEP,
     "../../outside/sub/deep"),
    ("a folder above becomes a link", link, SUB, "{where}/outside/sub"),
    ("the confirmed folder becomes a link", link, "root", "{where}/outside"),
]


def disturb(change, where, path, target, is_over, faults):
    try:
        while not is_over.is_set():
            change(where, path, target)
            is_over.wait(chance.uniform(0, 0.004))  # saves come through, too
    except OSError as error:  # what the saver wrote is in the way
        faults.append(str(error))


def put_back(where, path):
    """What a change that was cut short has left aside."""
    whole, aside = os.path.join(where, path), os.path.join(where, "aside")
    if os.path.lexists(aside):
        if os.path.islink(whole):
            os.unlink(whole)
        elif os.path.lexists(whole):
            (shutil.rmtree if os.path.isdir(whole) else os.unlink)(whole)
        os.rename(aside, whole)


def race(where, way, name, change, path, target):
    make(where)
    before = outside(where)
    is_over, faults = threading.Event(), []
    other = threading.Thread(target=disturb, args=(change, where, path, target,
                                                   is_over, faults))
    command = [SAVER, os.path.join(where, "root"), os.path.join(where, FILE),
               way]
    saver = subprocess.Popen(command + [TIMES], stdout=subprocess.PIPE,
                             env=tap.environment())
    other.start()
    while saver.poll() is None:
        other.join(0.01)
        if not other.is_alive():
            faults.clear()
            put_back(where, path)
            other = threading.Thread(target=disturb, args=(
                change, where, path, target, is_over, faults))
            other.start()
    is_over.set()
    other.join()
    print(f"# {name}, {way}: {saver.communicate()[0].decode().strip()} of "
          f"{TIMES} saved")
    put_back(where, path)
    tap.equal((saver.returncode, outside(where), tap.run(command + ["1"]).stdout),
              (0, before, b"1\n"),
              f"{name} ({way}): nothing outside is written, and afterwards it "
              "can be saved")


with tap.folder() as where:
    for way in ("replace", "into"):
        for words in RACES:
            race(os.path.join(os.path.realpath(where), "race"), way, *words)
tap.done()
