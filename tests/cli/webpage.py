#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount --html: the page of a run, of several and of a job; what happens
where there can be none."""

import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from htmlpages import Page, fetches
from tap import HPM, HPMCOUNT, equal, folder, ok, run

WITH_HPM = os.path.dirname(HPM) + os.pathsep + os.environ["PATH"]
FIXED = {"HPM_EVENTS": "task-clock", "HPM_FSYNC": 0}


def count(where, *arguments, **variables):
    """Run hpmcount in the folder `where`, its temporary files in one below."""
    temporary = os.path.join(where, "tmp")
    os.makedirs(temporary, exist_ok=True)
    return run([HPMCOUNT, *arguments], where,
               **{"PATH": WITH_HPM, "TMPDIR": temporary, **FIXED, **variables})


def left(where):
    return os.listdir(os.path.join(where, "tmp"))


def test_one():
    with folder() as where:
        result = count(where, "--html", "%n.html", "-o", "run.hpm.xml", "sh",
                       "-c", "echo said; exit 3")
        equal((result.returncode, result.stdout), (3, b"said\n"),
              "the program's output and exit status are its own")
        ok(b"wall clock time" in result.stderr, "the report stands",
           result.stderr)
        page = Page(os.path.join(where, "sh.html"))
        equal(([e["name"] for e in page.experiments], fetches(page)),
              (["sh"], []), "and a page of this run, which fetches nothing")
        equal(left(where), [], "nothing is left behind")
        first = os.stat(os.path.join(where, "sh.html")).st_mtime_ns
        result = count(where, "-n", "--html", "sh.html", "true")
        ok(b"sh.html exists already; wrote " in result.stderr and
           os.stat(os.path.join(where, "sh.html")).st_mtime_ns == first and
           os.path.exists(os.path.join(where, "sh.html.1")),
           "no page is replaced", result.stderr)


def test_same_as_report():
    with folder() as where:
        count(where, "-n", "--html", "page.html", "-o", "true.hpm.xml", "true")
        run([HPM, "report", "--format", "html", "--each", "-o", "by-hand.html",
             "true.hpm.xml"], where)
        pages = [Page(os.path.join(where, name))
                 for name in ("page.html", "by-hand.html")]
        ok(pages[0].experiments == pages[1].experiments, "the page is the one that hpm report makes of the file of -o")


def test_several():
    with folder() as where:
        # the second run fails
        script = "echo . >>runs; [ $(wc -l <runs) -ne 2 ]"
        result = count(where, "-r", "4", "-n", "--html", "page.html", "sh",
                       "-c", script)
        equal(result.returncode, 1, "a failed run is the exit status")
        page = Page(os.path.join(where, "page.html"))
        equal([e["name"] for e in page.experiments],
              ["sh.1.hpm.xml", "sh.3.hpm.xml", "sh.4.hpm.xml"],
              "of -r each run that ended well is an experiment")
        ok(b"--html: 1 failed run is not in the page" in result.stderr,
           "and how many are not is said", result.stderr)
        equal(left(where), [], "nothing is left behind")
        result = count(where, "-r", "2", "-n", "--html", "none.html", "false")
        ok(result.returncode == 1 and
           not os.path.exists(os.path.join(where, "none.html")) and
           b"there is no page, for no run ended well" in result.stderr,
           "where all fail there is none", result.stderr)
        equal(left(where), [], "and nothing is left behind")


def test_without_hpm():
    with folder() as where:
        os.mkdir(os.path.join(where, "empty"))
        result = count(where, "-n", "-r", "2", "--html", "page.html",
                       "/bin/sh", "-c", "exit 0",
                       PATH=os.path.join(where, "empty"))
        lines = result.stderr.decode().splitlines()
        ok(result.returncode == 0 and len(lines) == 2 and
           "hpm, which makes the page, is neither" in lines[0],
           "without hpm the program's exit status holds, and it is said why "
           "there is no page", lines)
        command = lines[1].split("'")[1]
        words = shlex.split(command)
        equal(words[0], "hpm", "and what to type")
        again = run(["sh", "-c", command], where, PATH=WITH_HPM)
        equal((again.returncode,
               len(Page(os.path.join(where, "page.html")).experiments)),
              (0, 2), "which makes the page of the files that were kept")
    with folder() as where:
        os.mkdir(os.path.join(where, "bad"))
        path = os.path.join(where, "bad", "hpm")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nkill -9 $$\n")
        os.chmod(path, 0o700)
        result = count(where, "-n", "--html", "page.html", "true",
                       PATH=os.path.dirname(path) + os.pathsep +
                       os.environ["PATH"])
        ok(result.returncode == 0 and
           b"hpm report failed: it was ended by a signal" in result.stderr and
           len(left(where)) == 1 and
           not os.path.exists(os.path.join(where, "page.html")),
           "no half page where hpm is killed", result.stderr)


def test_refused():
    with folder() as where:
        for words, variables, said in (
                (["--html", "absent/page.html"], {}, b"cannot write into"),
                (["--html", "%i.html"], {}, b"--html '%i.html'"),
                (["--html", "page.html", "--audit", "-e", "task-clock"], {},
                 b"no such thing as --html"),
                (["--html", "page.html"],
                 {"TMPDIR": os.path.join(where, "absent")},
                 b"TMPDIR names another place")):
            result = count(where, *words, "touch", "ran", **variables)
            ok(result.returncode == 125 and said in result.stderr and
               not os.path.exists(os.path.join(where, "ran")),
               f"{' '.join(words)} is refused before the program starts",
               (result.returncode, result.stderr))


def test_job():
    with folder() as where:
        tasks = {"HPM_JOB": "job", "PMI_SIZE": 2, "HPM_TIMEOUT": 0}
        first = count(where, "-a", "-n", "--html", "page.html", "true",
                      PMI_RANK=1, **tasks)
        page = os.path.join(where, "page.html")
        ok(first.returncode == 0 and not os.path.exists(page),
           "a job's page waits for its last task", first.stderr)
        count(where, "-a", "-n", "--html", "page.html", "true", PMI_RANK=0,
              **tasks)
        made = Page(page)
        equal(([e["name"] for e in made.experiments],
               sorted(set(made.block("e0w")[0]["task"]))),
              (["true"], [0, 1]), "it is one, of both")
        equal((left(where), [n for n in os.listdir(where) if "job" in n]),
              ([], []), "and nothing is left behind")


test_one()
test_same_as_report()
test_several()
test_without_hpm()
test_refused()
test_job()
tap.done()
