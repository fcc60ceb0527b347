# SPDX-License-Identifier: BSD-3-Clause
"""Real runs of programs whose threads or tasks are of several kinds (bench/kinds.c),
counted by the kernel's own events: of how many does hpm report say which kinds, and is
that true?  KINDED_RUNS=10 of each; prints a line for each program, and each sentence
that was not true."""

import os
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
HPM = os.path.join(BUILD, "hpm", "hpm")
KINDS = os.path.join(BUILD, "bench", "kinds")
RUNS = int(os.environ.get("KINDED_RUNS", "10"))
EVENTS = "task-clock,page-faults,context-switches,cpu-migrations,minor-faults"

# way, tasks, kinds, and what two of them are together.  A sentence is true if it
# names only these, or others: of two kinds that no event tells apart it makes one.
PROGRAMS = [
    ("workers", 4, {"4 (thread 0 of each task)",
                    "28 (threads 1 to 7 of each task)"}, set()),
    ("pipeline", 3, {"6 (threads 0 to 1 of each task)",
                     "24 (threads 2 to 9 of each task)",
                     "6 (threads 10 to 11 of each task)"},
     {"30 (threads 2 to 11 of each task)", "30 (threads 0 to 9 of each task)"}),
    ("grid", 36, {"4 (corners of 6 x 6 tasks)",
                  "16 (edges without corners of 6 x 6 tasks)",
                  "16 (interior of 6 x 6 tasks)"},
     {"20 (border of 6 x 6 tasks)"}),
    ("slow", 4, {"4 (thread 5 of each task)",
                 "28 (threads 0-4, 6-7 of each task)"}, set()),
    ("halves", 8, {"16 (tasks 0 to 3)", "16 (tasks 4 to 7)"}, set()),
    ("alone", 1, {"1 (thread 5)"}, set())]


def measure(where, way, n_tasks):
    children = [subprocess.Popen(
        [KINDS, way, str(task)], cwd=where, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "HPM_JOB": way, "PMI_RANK": str(task),
             "PMI_SIZE": str(n_tasks), "HPM_EVENTS": EVENTS,
             "HPM_OUTPUT_NAME": os.path.join(where, f"t{task}.hpm.xml")})
                for task in range(n_tasks)]
    for child in children:
        _, said = child.communicate()
        if child.returncode != 0:
            sys.exit(f"{way}: {child.returncode} {said.decode()}")


def said_of(where):
    """The kinds of the sentence: None without one."""
    text = subprocess.run([HPM, "report", "--force", where],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    words = " ".join(text.stdout.decode().split())
    at = words.find(" kinds of ")
    if at < 0:
        return None
    kinds = words[words.index("): ", at) + 3:words.index("; they differ", at)]
    return [part if part.endswith(")") or " (" not in part else part + ")"
            for part in kinds.replace(" and ", ", ").replace("), ", ")|")
            .replace("others, ", "others|").split("|")]


def is_true(kinds, known):
    return all(kind in known or kind.endswith(" others") for kind in kinds)


def main():
    sums = [0, 0]
    for way, n_tasks, design, together in PROGRAMS:
        known = design | together
        n_said = n_true = n_whole = 0
        for _ in range(RUNS):
            with tempfile.TemporaryDirectory() as folder:
                where = os.path.join(folder, "run")
                os.mkdir(where)
                measure(where, way, n_tasks)
                kinds = said_of(where)
                shutil.rmtree(where)
            n_said += kinds is not None
            if kinds is None:
                continue
            n_true += is_true(kinds, known)
            n_whole += set(kinds) == design
            if not is_true(kinds, known):
                print(f"{way}: {kinds}", flush=True)
        print(f"{way}: said of {n_said} of {RUNS} runs, true of {n_true}, with "
              f"all kinds in {n_whole}", flush=True)
        sums[0] += n_said
        sums[1] += n_true
    print(f"in all: said of {sums[0]} of {RUNS * len(PROGRAMS)} runs, true of "
          f"{sums[1]}")


main()
