# SPDX-License-Identifier: BSD-3-Clause
"""Samples in the viewer: functions of a section and of all of the program, their
lines, and how many samples each line of the source has."""

import csv
import io
import os
import re

import person  # first: it may begin anew on a desktop
import tap
from tap import HPM, program, run

SAMPLED = program("tests/programs/sampled")
LONG = "in_recursive" + "_of_something" * 20
SOURCES = os.path.realpath(os.path.join(tap.TOP_SOURCE, "tests", "programs"))


def sampled_file(where):
    path = os.path.join(where, "samples.hpm.xml")
    result = run([SAMPLED, "2", "200"], folder=where, HPM_OUTPUT_NAME=path,
                 HPM_SAMPLE="cpu-clock@499us,page-faults@1")
    if not os.path.exists(path) or b"not sampled" in result.stderr:
        tap.skip("samples in the viewer", result.stderr.decode()[:100])
        return None
    with open(path) as file:
        text = file.read()
    # a build below the sources knows its own way to them
    text = re.sub('file="[^"]*sampled[.]c"',
                  f'file="{os.path.join(SOURCES, "sampled.c")}"', text)
    with open(path, "w") as file:
        file.write(with_long_name(where, text))
    return path


def with_long_name(where, text):
    """A function of the program has a name as C++ makes them, longer than a
    window is wide."""
    module = re.search('path="([^"]*/sampled)"', text)[1]
    copy = os.path.join(where, "sampled")
    name = re.search(r"\bin_recursive\S*", run(["nm", module]).stdout.decode())[0]
    run(["objcopy", "--redefine-sym", f"{name}={LONG}", module, copy])
    return text.replace(f'path="{module}"', f'path="{copy}"')


def reported(path, event, section, by="symbol"):
    text = run([HPM, "report", "--by", by, "--format", "csv", path]).stdout.decode()
    return {(row["name"], row["module"]): row for row in
            csv.DictReader(io.StringIO(text)) if row["event"] == event and
            row["section"] == section and row["scope"] != "process"}


def hottest(path):
    """The lines of sampled.c with most samples, of which there may be two, and how
    many."""
    rows = [row for (name, _), row in reported(path, "cpu-clock", "", "line").items()
            if name.startswith("sampled.c:")]
    most = max(int(row["samples"]) for row in rows)
    rows = [row for row in rows if int(row["samples"]) == most]
    return [int(row["name"].split(":")[1]) for row in rows], rows[0]


def look_at_lines(viewer, path):
    lines, row = hottest(path)
    viewer.keys("Ctrl+g", "hpmviz")
    viewer.window("Go to line")
    person.type_text(str(lines[0]))
    viewer.keys("Return", "Go to line")
    words = (f"cpu-clock: {row['samples']} samples, "
             f"{100 * float(row['share']):.1f} % ({100 * float(row['low']):.1f} to "
             f"{100 * float(row['high']):.1f}) of all")
    viewer.see(lambda: any(words in text for text in viewer.texts()), True,
               "below the source stands how many samples the caret's line has")


def by_samples(path):
    """Lines of sampled.c, those with most samples first."""
    counts = {}
    for (name, _), row in reported(path, "cpu-clock", "", "line").items():
        if name.startswith("sampled.c:"):
            line = int(name.split(":")[1])
            counts[line] = counts.get(line, 0) + int(row["samples"])
    return sorted(counts, key=lambda line: (-counts[line], line))


def step_by_lines(viewer, path):
    """Keys go to the line with the next fewer samples, and back."""
    def is_at(line):
        return any(text.startswith(f"Line {line}:") for text in viewer.texts())

    viewer.keys("Ctrl+g", "hpmviz")
    viewer.window("Go to line")
    person.type_text("1")
    viewer.keys("Return", "Go to line")
    order = by_samples(path)[:3]
    for line in order:
        viewer.keys("Ctrl+F8", "hpmviz")
        viewer.see(lambda: is_at(line), True,
                   "Ctrl+F8 goes to the line with next fewer samples")
    for line in reversed(order[:-1]):
        viewer.keys("Ctrl+Shift+F8", "hpmviz")
        viewer.see(lambda: is_at(line), True, "Ctrl+Shift+F8 goes back")


def look_at_functions(viewer, path):
    viewer.table("sections").click(0, "Section")
    viewer.keys("Ctrl+u", "hpmviz")
    window = viewer.window("Functions")
    section = viewer.table("sections").text(0, "Section")
    table = viewer.table("functions", within=window)
    wanted = sorted(((int(row["samples"]), name) for (name, _), row in
                     reported(path, "cpu-clock", section).items()), reverse=True)
    viewer.see(lambda: sorted(zip(map(int, table.column("Samples")),
                                  table.column("Function")), reverse=True), wanted,
               "the section's functions have the samples of hpm report")
    viewer.click(viewer.find("Whole program", within=window))
    wanted = sorted(((int(row["samples"]), name) for (name, _), row in
                     reported(path, "cpu-clock", "").items()), reverse=True)
    viewer.see(lambda: sorted(zip(map(int, table.column("Samples")),
                                  table.column("Function")), reverse=True), wanted,
               "and so has the whole program")
    shares = [row for row in reported(path, "cpu-clock", "").values()]
    viewer.see(lambda: sorted(table.column("Share %")),
               sorted(f"{100 * float(row['share']):.1f}" for row in shares),
               "with the shares of the report")
    tap.ok(LONG in table.column("Function"), "a function has a long name")
    left, _, width, _ = viewer.extents(window)
    x, _, length, _ = viewer.extents(table.header("Module"))
    tap.ok(left <= x and x + length <= left + width,
           "beside which all columns stay in sight", (left, width, x, length))
    table.click(0, "Function")
    viewer.keys("Return", "Functions")
    lines, _ = hottest(path)
    starts = tuple(f"Line {line}:" for line in lines)
    viewer.see(lambda: any(text.startswith(starts) for text in viewer.texts()), True,
               "Return goes to the hottest line of the function")
    viewer.keys("Escape", "Functions")
    viewer.see(lambda: "Functions" in viewer.windows(), False,
               "Escape closes the window")
    if os.environ.get("HPM_TEST_PICTURE"):
        person.picture(os.environ["HPM_TEST_PICTURE"])


def samples(where):
    path = sampled_file(where)
    if path is None:
        return
    viewer = person.start("--search", SOURCES, path)
    viewer.see(lambda: len(viewer.table("sections").column("Section")) > 3, True,
               "sections are there")
    viewer.table("sections").click(0, "Section")
    look_at_lines(viewer, path)
    step_by_lines(viewer, path)
    look_at_functions(viewer, path)
    tap.equal(viewer.complaints(), [], "nothing was complained of")


with tap.folder() as where:
    person.journey("samples", samples, os.path.realpath(where))
tap.done()
