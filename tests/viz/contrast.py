# SPDX-License-Identifier: BSD-3-Clause
"""Text over colours can be read, on light and dark themes: shares and line
numbers beside a source, and bars that say what is the matter.  Wanted is the
contrast WCAG 2.1 asks of text, measured in what the screen shows."""

import calendar
import collections
import os

import person  # first: it may begin anew on a desktop
import reports
import tap
from gi.repository import Gdk

BEFORE = calendar.timegm((2026, 11, 1, 0, 0, 0))  # reports' runs are of the 20th

LEAST = 4.5
SHARE = 0.12  # of an area: a colour that has so much is behind the text

LOOKS = {
    "light": {"GTK_THEME": "Adwaita"},
    "dark": {"GTK_THEME": "Adwaita:dark"},
    "high contrast": {"GTK_THEME": "HighContrast"},
    "inverse": {"GTK_THEME": "HighContrastInverse"},
}


# ---- colours ----------------------------------------------------------------

def linear(channel):
    part = channel / 255
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour):
    return sum(weight * linear(channel) for weight, channel in
               zip((0.2126, 0.7152, 0.0722), colour))


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def colours(x, y, width, height):
    """How often each is in that part of the screen."""
    picture = Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), x, y,
                                         width, height)
    n, stride = picture.get_n_channels(), picture.get_rowstride()
    pixels = picture.get_pixels()
    return collections.Counter(
        tuple(pixels[row * stride + column * n:row * stride + column * n + 3])
        for row in range(height) for column in range(width))


def text_contrast(area):
    """Of the text in an area with what is behind it.  Where letters are smoothed
    the pixel that differs most has the text's colour; behind it are one or two
    colours."""
    found = colours(*area)
    total = sum(found.values())
    behind = [c for c, n in found.most_common() if n >= SHARE * total]
    text = max(found, key=lambda c: contrast(c, behind[0]))
    return min(contrast(text, c) for c in behind if c != text)


# ---- places -----------------------------------------------------------------

class Source:
    """Where its parts are on the screen."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.at = viewer.find("source", "text")

    def character(self, line):
        """The extents of the first one of a line, from 0."""
        text = self.at.queryText()
        content = text.getText(0, -1).split("\n")
        offset = sum(len(before) + 1 for before in content[:line])
        return text.getCharacterExtents(offset, person.pyatspi.DESKTOP_COORDS)

    def share(self, line):
        """The area of the number that says a section's share."""
        x, y, width, height = self.character(line)
        left = self.viewer.extents(self.at)[0]
        return left, y + 1, 6 * width, height - 2

    def number(self, line):
        """The area of the line's number, where there are no brackets."""
        x, y, width, height = self.character(line)
        return x - 4 - 3 * width, y + 1, 3 * width, height - 2


def bar_with(viewer, told):
    """The label of the bar that says this; None for none."""
    return next((at for at in person.walk(viewer.window("hpmviz"))
                 if at.getRoleName() == "label" and person.is_showing(at) and
                 told in at.queryText().getText(0, -1)), None)


# ---- what is looked at ------------------------------------------------------

# Each brings a bar of another kind: what its sentence has.
SECTIONS = [
    ("hot.f", "", None),
    ("newer.f", "information", "has a date after the run"),
    ("missing.f", "warning", "was not found"),
    ("fifo.f", "error", "not a regular file"),
    ("../there/away.f", "question", "look at"),
]


def make(where):
    here, there = os.path.join(where, "here"), os.path.join(where, "there")
    for folder in (here, there):
        os.mkdir(folder)
    os.utime(reports.write(here, "hot.f", "      text\n" * 30), (BEFORE, BEFORE))
    reports.write(here, "newer.f", "      text\n" * 30)
    reports.write(there, "away.f", "      text\n" * 30)
    os.mkfifo(os.path.join(here, "fifo.f"))
    records = [reports.record(i + 1, 0, 0, name, 50 - i, 50 - i, [], file=name,
                              line=11, inst=i + 1)
               for i, (name, _, _) in enumerate(SECTIONS)]
    records += [reports.record(9, 0, 0, "warm", 21, 21, [], file="hot.f",
                               line=21, inst=9)]
    return reports.write(here, "run.hpm.xml", reports.task_file(0, records))


def can_be_read(what, area):
    value = text_contrast(area)
    print(f"# {what}: contrast {value:.2f}")
    tap.ok(value >= LEAST, f"{what} can be read")


def look_at_gutter(viewer, look):
    source = Source(viewer)
    viewer.wait(lambda: source.share(10)[2] > 0, "the source")
    for line, what in ((10, "the largest share"), (20, "a smaller share")):
        viewer.wait(lambda: len(colours(*source.share(line))) > 2,
                    "the share to be drawn")
        can_be_read(f"{look}: {what}", source.share(line))
    can_be_read(f"{look}: the number of a line", source.number(2))


def look_at_bars(viewer, table, look):
    for row, (name, kind, told) in enumerate(SECTIONS):
        if told is None:
            continue
        table.click(row, "Section")
        bar = viewer.wait(lambda: bar_with(viewer, told), f"a bar of {name}")
        can_be_read(f"{look}: a bar with {kind}", viewer.extents(bar))


def readable(where, look, variables):
    viewer = person.start(make(where), **variables)
    table = viewer.table("sections")
    viewer.see(lambda: len(table.column("Section")), len(SECTIONS) + 1,
               f"{look}: sections")
    table.click(0, "Section")
    look_at_gutter(viewer, look)
    look_at_bars(viewer, table, look)


for look, variables in LOOKS.items():
    with tap.folder() as where:
        person.journey(look, readable, os.path.realpath(where), look, variables)
tap.done()
