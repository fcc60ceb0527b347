# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the MPX paper (J. May, IPDPS 2001: 3, of one thread, and 4, of
four), with slices of libhpm instead of MPX and counters that know the truth.

    mpx.py PROGRAM PICTURE [RUNS [FROM TO]]

PROGRAM is bench/mpx.  Each of RUNS runs (3) has each loop with 2^FROM to 2^TO
iterations (17 to 24), one event counted at a time.  Prints how estimates and
counts differ, and writes PICTURE (SVG)."""

import os
import statistics
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

EVENTS = ("time", "misses", "flops", "loads")
LOOPS = ("tiled", "untiled", "indirect", "phases")
STEADY = LOOPS[:3]
COLOURS = {"time": "#5e5e5e", "misses": "#c4261d", "flops": "#1a6fb5",
           "loads": "#2e7d32"}
# Student's t, 97.5 %, by degrees of freedom from 1 on
REACH = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060,
         2.2622, 2.2281, 2.2010, 2.1788, 2.1604, 2.1448, 2.1314)


class Point:
    """An estimate beside the count."""

    def __init__(self, datum, exact):
        self.state = datum.get("state", "counted")
        self.ratio = self.error = None
        if "value" in datum and exact:
            self.ratio = int(datum["value"]) / exact
        if self.ratio is not None and "error" in datum:
            freedom = int(datum.get("freedom", 15))
            reach = REACH[min(freedom, len(REACH)) - 1]
            self.error = reach * float(datum["error"]) / exact

    def covers(self):
        return abs(self.ratio - 1) <= self.error


def run(program, threads, powers, shares):
    """Points by loop, power and event; and the processor time of all loops."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith("HPM_")}
        environment.update(
            HPM_EVENTS=",".join("sde:::mpx::" + event for event in EVENTS),
            HPM_OUTPUT_NAME=os.path.join(folder, "x.xml"), HPM_FSYNC="no",
            HPM_SHARE="yes" if shares else "no", HPM_SHARE_EVENTS="1")
        result = subprocess.run(
            [program, str(threads), str(powers[0]), str(powers[-1])],
            env=environment, capture_output=True, text=True, check=True)
        root = ET.parse(os.path.join(folder, "x.xml")).getroot()
    exact = {}
    for line in result.stdout.splitlines():
        loop, power, event, count = line.split()
        exact[loop, int(power), event] = int(count)
    points = {}
    for record in root.findall("InstrumentationPt"):
        words = record.get("label").split()
        if record.get("scope") != "process" or words[0] not in LOOPS:
            continue
        for datum in record.findall("data"):
            event = datum.get("name").replace("sde:::mpx::", "")
            if event in EVENTS:
                key = words[0], int(words[1]), event
                points[key] = Point(datum.attrib, exact[key])
    return points, sum(count for (_, _, event), count in exact.items()
                       if event == "time")


# ---- what it says -----------------------------------------------------------

def part(good, all_of_them):
    if not all_of_them:
        return "-"
    return f"{len(good)} of {len(all_of_them)}"


def say(threads, powers, runs):
    """A line for each power: of the steady loops, and of that with phases."""
    print(f"{threads} thread{'s' if threads > 1 else ''}\n"
          f"{'':6}{'steady loops':^50}   {'two phases':^32}\n"
          f"{'2^':6}{'no value':>10}{'in 5 %':>12}{'median':>8}{'worst':>8}"
          f"{'interval':>12}   {'no value':>10}{'worst':>8}{'interval':>14}")
    for power in powers:
        cells = []
        for loops in (STEADY, ("phases",)):
            found = [points[loop, power, event] for points in runs
                     for loop in loops for event in EVENTS]
            known = [point for point in found if point.ratio is not None]
            off = [abs(point.ratio - 1) for point in known]
            # time has an error by the clock alone, of 0.01 to 0.05 %
            bars = [point for (_, at, event), point in
                    (item for points in runs for item in points.items()
                     if item[0][0] in loops)
                    if at == power and event != "time" and
                    point.error is not None]
            cells.append((len(found) - len(known), known, off, bars))
        (lacking, known, off, bars), (lacking_2, _, off_2, bars_2) = cells
        print(f"{power:<6}{lacking:>10}"
              f"{part([x for x in off if x <= 0.05], known):>12}"
              f"{statistics.median(off) if off else 0:>8.1%}"
              f"{max(off, default=0):>8.1%}"
              f"{part([x for x in bars if x.covers()], bars):>12}   "
              f"{lacking_2:>10}{max(off_2, default=0):>8.1%}"
              f"{part([x for x in bars_2 if x.covers()], bars_2):>14}")


# ---- the picture ------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP = 220, 170, 60, 70
LEAST, MOST = 0.7, 1.3


def text(x, y, words, **attributes):
    marks = "".join(f' {key.replace("_", "-")}="{value}"'
                    for key, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{marks}>{words}</text>'


def place_y(ratio):
    part = (min(max(ratio, LEAST), MOST) - LEAST) / (MOST - LEAST)
    return (HEIGHT - 30) * (1 - part)


def draw_panel(x, y, title, powers, runs, loop):
    width = WIDTH - 30
    step = width / len(powers)
    parts = [f'<g transform="translate({x},{y})">',
             f'<rect width="{width}" height="{HEIGHT - 30}" fill="none" '
             'stroke="#999"/>',
             f'<rect y="{place_y(1.05):.1f}" width="{width}" fill="#eee" '
             f'height="{place_y(0.95) - place_y(1.05):.1f}"/>',
             text(width / 2, -6, title, text_anchor="middle")]
    for ratio in (0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3):
        parts.append(f'<line x1="0" x2="{width}" y1="{place_y(ratio):.1f}" '
                     f'y2="{place_y(ratio):.1f}" stroke="#ddd"/>')
        if x == LEFT:
            parts.append(text(-5, place_y(ratio) + 4, f"{ratio:.1f}",
                              text_anchor="end"))
    for i, power in enumerate(powers):
        parts.append(text((i + 0.5) * step, HEIGHT - 16, power,
                          text_anchor="middle"))
        for j, event in enumerate(EVENTS):
            for points in runs:
                point = points[loop, power, event]
                at = (i + 0.2 + 0.2 * j) * step
                if point.ratio is not None:
                    parts += draw_point(at, point, COLOURS[event])
    return parts + ["</g>"]


def draw_point(x, point, colour):
    parts = [f'<circle cx="{x:.1f}" cy="{place_y(point.ratio):.1f}" r="1.8" '
             f'fill="{colour}"/>']
    if point.error is not None:
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" stroke="{colour}" '
                     f'stroke-opacity="0.5" '
                     f'y1="{place_y(point.ratio - point.error):.1f}" '
                     f'y2="{place_y(point.ratio + point.error):.1f}"/>')
    return parts


def draw(path, powers, by_threads):
    width = LEFT + len(LOOPS) * WIDTH + 10
    height = TOP + len(by_threads) * (HEIGHT + 30) + 10
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" '
             'font-size="11">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             text(LEFT, 18, "Estimate over count, by 2^n iterations; grey: "
                            "within 5 %; bars: 95 %", font_size=13)]
    for j, event in enumerate(EVENTS):
        parts.append(text(LEFT + 90 * j, 38, "● " + event,
                          fill=COLOURS[event]))
    for row, (threads, runs) in enumerate(by_threads.items()):
        for column, loop in enumerate(LOOPS):
            title = f"{loop}, {threads} thread{'s' if threads > 1 else ''}"
            parts += draw_panel(LEFT + column * WIDTH,
                                TOP + row * (HEIGHT + 30), title, powers, runs,
                                loop)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts + ["</svg>"]) + "\n")


def main(program, picture, runs="3", least="17", most="24"):
    powers = range(int(least), int(most) + 1)
    by_threads = {}
    for threads in (1, 4):
        shared, counted = [], []
        for _ in range(int(runs)):
            counted.append(run(program, threads, powers, False)[1])
            points, time = run(program, threads, powers, True)
            by_threads.setdefault(threads, []).append(points)
            shared.append(time)
        say(threads, powers, by_threads[threads])
        print("processor time of the loops with slices over that without: "
              f"{statistics.median(shared) / statistics.median(counted):.3f}"
              "\n")
    draw(picture, powers, by_threads)


main(*sys.argv[1:])
