# SPDX-License-Identifier: BSD-3-Clause
"""Real runs of programs whose threads and tasks are all of one kind: of how many
does hpm report say that there are kinds?  Each is a job of several tasks at a time,
measured by libhpm (tests/programs) or hpmcount (commands of the system), with the
kernel's own events.  `KINDLESS_RUNS=200`; prints a line for each program, and each
sentence that was said."""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
HPM = os.path.join(BUILD, "hpm", "hpm")
HPMCOUNT = os.path.join(BUILD, "hpmcount", "hpmcount")
RUNS = int(os.environ.get("KINDLESS_RUNS", "200"))
EVENTS = "task-clock,page-faults,context-switches,cpu-migrations,minor-faults"


def own(name, *arguments):
    return [os.path.join(BUILD, "tests", "programs", name), *arguments]


# (name, command, tasks, is measured by libhpm)
PROGRAMS = [
    ("threads 16, 2 tasks", own("threads", "16", "200"), 2, True),
    ("threads 8, 4 tasks", own("threads", "8", "100"), 4, True),
    ("threads 4, 6 tasks", own("threads", "4", "300"), 6, True),
    ("kindred same, 4 tasks", own("kindred", "same"), 4, True),
    ("gzip", ["gzip", "-c", "{input}"], 16, False),
    ("bzip2", ["bzip2", "-c", "{input}"], 16, False),
    ("xz -T2", ["xz", "-1", "-T2", "-c", "{input}"], 16, False),
    ("zstd -T2", ["zstd", "-q", "-T2", "-c", "{input}"], 16, False),
    ("sort --parallel=2", ["sort", "--parallel=2", "-S1M", "{input}"], 16,
     False),
    ("sha256sum", ["sha256sum", "{input}"], 24, False),
    ("awk", ["awk", "{n += NF} END {print n}", "{input}"], 20, False),
    ("grep", ["grep", "-c", "-E", "(a|b)+7.*3", "{input}"], 16, False),
    ("python3", [sys.executable, "-c",
                 "print(sum(i * i for i in range(200000)))"], 16, False)]


def measure(where, program, run, source):
    name, command, n_tasks, is_own = program
    children = []
    for task in range(n_tasks):
        environment = {**os.environ, "HPM_JOB": f"kindless{run}",
                       "PMI_RANK": str(task), "PMI_SIZE": str(n_tasks),
                       "HPM_EVENTS": EVENTS,
                       "HPM_OUTPUT_NAME": os.path.join(where, f"t{task}.hpm.xml")}
        words = [word.replace("{input}", source) for word in command]
        if name.startswith("kindred"):
            words.append(str(task))
            environment["HPM_EVENTS"] = ",".join(
                f"sde:::Kindred::{event}" for event in
                ("loads", "stores", "misses", "waiting", "divisions"))
        if not is_own:
            words = [HPMCOUNT, "-e", EVENTS, "-o",
                     os.path.join(where, f"t{task}.hpm.xml"), "--", *words]
        children.append(subprocess.Popen(
            words, env=environment, cwd=where, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
    for child in children:
        _, said = child.communicate()
        if child.returncode != 0:
            sys.exit(f"{name}: {child.returncode} {said.decode()}")


def said_of(where):
    """The sentence, or None; and the points and columns there were."""
    text = subprocess.run([HPM, "report", "--force", where],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    words = " ".join(text.stdout.decode().split())
    at = words.find(" kinds of ")
    cluster = subprocess.run([HPM, "cluster", "--force", "--format", "json",
                              where], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
    if cluster.returncode != 0:
        sys.exit(f"no points: {cluster.stderr.decode()}")
    facts = json.loads(cluster.stdout)
    return (None if at < 0 else words[at - 5:], facts.get("points", 0),
            facts.get("columns", 0))


def input_of(where, chance):
    path = os.path.join(where, "input.txt")
    with open(path, "w") as file:
        for _ in range(20000):
            file.write(f"{chance.random()} {chance.getrandbits(60):x}\n")
    return path


def main():
    chance = random.Random(22)
    n_said, table = 0, {}
    with tempfile.TemporaryDirectory() as folder:
        source = input_of(folder, chance)
        for run in range(RUNS):
            program = PROGRAMS[run % len(PROGRAMS)]
            where = os.path.join(folder, "run")
            os.mkdir(where)
            measure(where, program, run, source)
            said, points, columns = said_of(where)
            shutil.rmtree(where)
            row = table.setdefault(program[0], [0, 0, [], []])
            row[0] += 1
            row[1] += said is not None
            row[2].append(points)
            row[3].append(columns)
            n_said += said is not None
            if said is not None:
                print(f"said of {program[0]}: {said}", flush=True)
    for name, (n, n_here, points, columns) in table.items():
        print(f"{name}: said of {n_here} of {n} runs; {min(points)} to "
              f"{max(points)} points, {min(columns)} to {max(columns)} "
              "columns")
    print(f"in all: said of {n_said} of {RUNS} runs")


main()
