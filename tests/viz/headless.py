# SPDX-License-Identifier: BSD-3-Clause
"""hpmviz without a display: printed, exported and drawn over the same models,
and what it says where it cannot."""

import csv
import io
import os
import re
import struct

import tap
from reports import known_files, write
from tap import HPM, TOP_BUILD, equal, folder, ok, run

HPMVIZ = os.path.join(TOP_BUILD, "hpmviz", "hpmviz")


# the background of what is bad, #f4c7c3, as cairo has it in SVG
BAD = re.compile(rb"fill[=:]\"? ?rgb\(95\.68\d*%, ?78\.03\d*%, ?76\.47\d*%\)")


def viewer(*words, **variables):
    """Run it where no display can be reached."""
    if "--screenshot" in words:  # fontconfig keeps what it has
        variables["ASAN_OPTIONS"] = "detect_leaks=0"
    return run([HPMVIZ, *words], DISPLAY="", WAYLAND_DISPLAY="", **variables)


def line(result):
    """Its only line of complaint, or all of them."""
    lines = result.stderr.decode().splitlines()
    return lines[0] if len(lines) == 1 else lines


def test_print(paths):
    result = viewer("--print", *paths)
    report = run([HPM, "report", *paths], COLUMNS="100")
    ok(result.returncode == 0 and not result.stderr and
       b"sweep: 4 tasks, 8 threads" in result.stdout, "--print tells the run",
       result)
    equal([row for row in result.stdout.splitlines() if b"sweep x" in row][:1],
          [row for row in report.stdout.splitlines() if b"sweep x" in row][:1],
          "a section's line is that of hpm report")


def test_export(where, paths):
    out = os.path.join(where, "out.csv")
    result = viewer("--export-csv", out, *paths)
    with open(out, "rb") as file:
        written = file.read()
    equal((result.returncode, written),
          (0, run([HPM, "report", "--format", "csv", *paths]).stdout),
          "--export-csv writes what hpm report --format csv does")
    equal(viewer("--export-csv", "-", *paths).stdout, written,
          "and to standard output")
    result = viewer("--export-csv", os.path.join(where, "no", "out.csv"),
                    *paths)
    ok(result.returncode == 4 and "/no'" in line(result),
       "a folder that is not there: 4, and named", result)
    result = viewer("--export-csv", out, *paths)
    with open(out, "rb") as file, open(out + ".1", "rb") as other:
        ok(result.returncode == 0 and file.read() == other.read() == written and
           "out.csv.1" in line(result), "a file that is there stays", result)
    result = viewer("--export-csv", "/dev/full", *paths)
    ok(result.returncode == 4, "a full disk: 4", result)


def test_screenshot(where, paths):
    drawn = {}
    for name in ("light.png", "light.svg", "light.pdf"):
        path = os.path.join(where, name)
        result = viewer("--screenshot", path, *paths)
        ok(result.returncode == 0 and not result.stderr,
           f"{name} is drawn", result)
        with open(path, "rb") as file:
            drawn[name] = file.read()
    viewer("--dark", "--screenshot", os.path.join(where, "dark.png"), *paths)
    with open(os.path.join(where, "dark.png"), "rb") as file:
        dark = file.read()
    png = drawn["light.png"]
    width, height = struct.unpack(">II", png[16:24])
    ok(png.startswith(b"\x89PNG") and width > 400 and height > 200,
       "a PNG of some size", (width, height))
    ok(dark[16:24] == png[16:24] and dark != png,
       "--dark changes its colours only")
    ok(drawn["light.pdf"].startswith(b"%PDF-") and b"<svg" in
       drawn["light.svg"][:200], "PDF and SVG by the file's name")
    ok(BAD.search(drawn["light.svg"]), "what is bad has its colour")
    result = viewer("--screenshot", os.path.join(where, "no", "x.png"), *paths)
    ok(result.returncode == 4 and "/no'" in line(result),
       "a picture that cannot be written: 4", result)


def test_refusals(where, paths):
    result = viewer(*paths)
    ok(result.returncode == 3 and "--print" in line(result),
       "no display: 3, and one line that says what to do", result)
    for option in ("--print", "--export-csv=x", "--screenshot=x"):
        result = viewer(option)
        ok(result.returncode == 2 and "performance files" in line(result),
           f"{option} without files: 2", result)
    equal(viewer("--frobnicate").returncode, 2, "an unknown option: 2")
    broken = write(where, "broken.hpm.xml", "<HPMPerformanceFile><Run")
    result = viewer("--print", broken)
    ok(result.returncode == 3 and b"broken.hpm.xml" in result.stderr,
       "nothing usable: 3, and why", result)
    result = viewer("--print", broken, *paths)
    ok(result.returncode == 0 and b"broken.hpm.xml" in result.stderr and
       b"sweep: 4 tasks" in result.stdout,
       "a damaged file among good ones is named, the others are shown", result)


def rows_of(result):
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


def distribution_of(paths, metric, *words):
    """{(task, thread): (value, state)} as the viewer has it."""
    return {(row["task"], row["thread"]): (row["value"], row["state"])
            for row in rows_of(viewer("--view=distribution", f"--metric={metric}",
                                      "--export-csv=-", *words, *paths))}


def test_distribution(paths):
    reported = {}
    for row in rows_of(run([HPM, "report", "--by", "thread", "--format", "csv",
                            *paths])):
        if row["section"] == "sweep x":
            reported.setdefault(row["metric"], {})[row["task"], row["thread"]] = \
                row["value"], row["state"]
    ok(len(reported) > 5 and all(len(at) == 8 for at in reported.values()),
       "hpm report has values of each thread", reported)
    equal({name: distribution_of(paths, name) for name in reported}, reported,
          "each metric's distribution over threads has the values of hpm report")
    equal(distribution_of(paths, "ExcSec", "--section=main")["0", "0"][0], "0.5",
          "a section can be named")
    text = viewer("--view=distribution", "--compare", "--print", paths[0],
                  paths[1]).stdout.decode()
    ok(text.startswith("section 'sweep x' (sweep.f:30) (B − A): ExcSec\n"),
       "of two runs it says that it is of the difference", text)
    text = viewer("--view=distribution", "--print", *paths).stdout.decode()
    ok("8 of 8 threads have a value. Smallest 1.000000 s (task 0 thread 0 on node "
       "node0), median 4.500000 s, mean 4.500000 s, largest 8.000000 s" in text,
       "--print has its numbers in words", text)


def test_two_metrics(where, paths):
    words = ("--view=scatter", "--metric=ExcSec", "--metric=IPC")
    rows = rows_of(viewer(*words, "--export-csv=-", *paths))
    equal([(name, {(row["task"], row["thread"]): (row["value"], row["state"])
                   for row in rows if row["metric"] == name})
           for name in ("ExcSec", "IPC")],
          [(name, distribution_of(paths, name)) for name in ("ExcSec", "IPC")],
          "of two metrics the CSV has the values of both")
    ok("8 of 8 threads have both values." in
       viewer(*words, "--print", *paths).stdout.decode(), "in words, too")
    sizes = []
    for name, options in (("two.svg", words),
                          ("all.svg", ("--view=distribution", *words[1:])),
                          ("one.svg", ("--view=distribution", *words[1:2]))):
        path = os.path.join(where, name)
        result = viewer(*options, "--screenshot", path, *paths)
        ok(result.returncode == 0 and not result.stderr, f"{name} is drawn",
           result)
        with open(path, "rb") as file:
            sizes.append(int(re.search(rb'height="(\d+)', file.read())[1]))
    ok(sizes[0] < sizes[2] < sizes[1],
       "alone, below the plots of the first metric, or not at all", sizes)


def test_runs_drawn(where, paths):
    for name, begin in (("runs.png", b"\x89PNG"), ("runs.svg", b"<?xml")):
        path = os.path.join(where, name)
        result = viewer("--compare", "--screenshot", path, *paths[:3])
        with open(path, "rb") as file:
            ok(result.returncode == 0 and not result.stderr and
               file.read().startswith(begin), f"three runs: {name} is drawn",
               result)


def test_distribution_drawn(where, paths):
    for name, begin in (("d.png", b"\x89PNG"), ("d.svg", b"<?xml"),
                        ("d.pdf", b"%PDF-")):
        result = viewer("--view=distribution", "--topology=2x2", "--screenshot",
                        os.path.join(where, name), *paths)
        with open(os.path.join(where, name), "rb") as file:
            ok(result.returncode == 0 and not result.stderr and
               file.read().startswith(begin), f"{name} is drawn", result)
    for words, said, status in (
            (["--metric=ExcSec", "--metric=none"], "no metric 'none'", 3),
            (3 * ["--metric=IPC"], "--metric 3 times; expected it at most twice",
             2),
            (["--view=scatter", "--metric=IPC"], "with 1 metrics; expected two",
             2),
            (["--section=none"], "no section 'none'", 3),
            (["--metric=none"], "no metric 'none'", 3),
            (["--topology=2by2"], "topology '2by2': expected", 2),
            (["--view=nothing"], "--view 'nothing'; expected", 2)):
        result = viewer("--view=distribution", "--print", *words, *paths)
        ok(result.returncode == status and said in line(result),
           f"{words[0]} is refused with one line", result)


def main():
    with folder() as where:
        paths = known_files(where)
        test_print(paths)
        test_export(where, paths)
        test_screenshot(where, paths)
        test_distribution(paths)
        test_two_metrics(where, paths)
        test_runs_drawn(where, paths)
        test_distribution_drawn(where, paths)
        test_refusals(where, paths)
    tap.done()


main()
