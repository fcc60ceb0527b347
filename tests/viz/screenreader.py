# SPDX-License-Identifier: BSD-3-Clause
"""An assistive client as a screen reader is one: it listens to all events of the
accessibility bus, asks back about what each is of, and walks the widgets of all
applications named hpmviz all the time.  It ends when its standard input does, and
then prints how many events it heard and how many objects it has read.

What it reads vanishes at any moment; that is no fault of anybody."""

import sys
import time

import pyatspi
from gi.repository import GLib

APPLICATION = "hpmviz"
N_ROWS, N_COLUMNS = 30, 12  # of a table: what a person may be read
SLICE, PAUSE_MS = 0.05, 5  # seconds of walking, milliseconds between

n_events = n_objects = 0


def read(at):
    """What would be spoken of an object."""
    global n_objects
    at.name, at.description, at.getRoleName(), at.getState().getStates()
    interfaces = at.get_interfaces()
    if "Text" in interfaces:
        text = at.queryText()
        text.getText(0, min(text.characterCount, 2000))
        text.caretOffset
    if "Component" in interfaces:
        at.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    n_objects += 1


def cells(at):
    table = at.queryTable()
    for row in range(min(table.nRows, N_ROWS)):
        for column in range(min(table.nColumns, N_COLUMNS)):
            yield table.getAccessibleAt(row, column)


def children(at):
    return (at.getChildAtIndex(i) for i in range(at.childCount))


def walk(at):
    """All below an object; None for one that vanished while it was asked."""
    try:
        read(at)
        is_table = "Table" in at.get_interfaces()
    except Exception:
        return
    yield at
    inside = cells(at) if is_table else children(at)
    while True:
        try:
            child = next(inside)
        except Exception:  # StopIteration, too
            return
        if child is not None:
            yield from walk(child)
        else:
            yield None


def applications():
    desktop = pyatspi.Registry.getDesktop(0)
    for at in children(desktop):
        if at is not None and at.name == APPLICATION:
            yield from walk(at)


def rounds():
    while True:
        try:
            yield from applications()
        except Exception:
            pass
        yield None


def step(walking):
    end = time.monotonic() + SLICE
    while time.monotonic() < end:
        next(walking)
    return True


def hear(event):
    """Ask about what an event is of, and up to its window."""
    global n_events
    n_events += 1
    try:
        at = event.source
        read(at)
        if "focused" in event.type:
            while at is not None and at.getRoleName() != "application":
                at = at.parent
    except Exception:
        pass


def main():
    loop = GLib.MainLoop()
    walking = rounds()
    pyatspi.Registry.registerEventListener(hear, "object", "window", "focus")
    GLib.timeout_add(PAUSE_MS, step, walking)
    GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IO_IN | GLib.IO_HUP,
                      lambda *_: loop.quit())
    print("listening", flush=True)
    loop.run()
    print(f"events {n_events} objects {n_objects}", flush=True)


main()
