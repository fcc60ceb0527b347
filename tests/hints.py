# SPDX-License-Identifier: BSD-3-Clause
"""Is the first hint the one a performance engineer would give?

tests/hints.table has the situations.  Those that replay counts are the same on
every machine: they are tests.  With "all" (make check-hints) programs are run,
too, and a table says what became of each: right; wrong, which is another first
hint; missed, which is no hint where there should be one; shared, when even the
fifth time other programs had its processors, which is then the right hint."""

import csv
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile

import tap
from reports import data, record, task_file, write
from tap import HPM, HPMCOUNT, equal, ok, program, run

TABLE = os.path.join(tap.TOP_SOURCE, "tests", "hints.table")
SHARED = {"RUN_QUEUE_WAIT", "PREEMPTION_RATE"}
ATTEMPTS = 5
LEAST = 0.9  # of the situations: 27 of 30


class Situation:
    def __init__(self, line):
        self.name, self.how, first, self.why = line.split(" :: ")
        self.kind, self.what = self.how.split(" ", 1)
        self.first = set(first.split(" or ")) - {"none"}
        self.may_be_none = "none" in first.split(" or ")

    def judge(self, first):
        if first is None:
            return "right" if self.may_be_none else "missed"
        return "right" if first in self.first else "wrong"


def situations():
    with open(TABLE) as file:
        return [Situation(line.rstrip("\n")) for line in file
                if line.strip() and not line.startswith("#")]


# ---- replayed ----------------------------------------------------------------

def replay_file(where, situation):
    """A performance file of a thread that was on a processor all the time."""
    pmu, seconds, *counts = situation.what.split()
    seconds = float(seconds)
    values = dict(count.rsplit("=", 1) for count in counts)
    return write(where, "run.hpm.xml", task_file(
        0, [record(1, 0, 0, "kernel", seconds, seconds,
                   [data(name, value, exclusive=value)
                    for name, value in values.items()] +
                   [data("task-clock", int(seconds * 1e9), unit="ns",
                         exclusive=int(seconds * 1e9))])],
        pmu=f'pmu="{pmu}" facts="L2 L3"'))


def hpm_report(path, form):
    return run([HPM, "report", "--format", form, path]).stdout.decode()


def replay(where, situation):
    path = replay_file(where, situation)
    hints = json.loads(hpm_report(path, "json"))["hints"]
    os.unlink(path)
    return hints


# ---- run ---------------------------------------------------------------------

def go_first():
    """Other people's programs are no part of the situation: a session of its
    own, before them, where that is allowed."""
    tap.default_signals()
    try:
        with open("/proc/self/autogroup", "w") as file:
            file.write("-20")
        os.setpriority(os.PRIO_PROCESS, 0, -20)
    except OSError:
        pass


def measure(where, situation, form="json"):
    words = shlex.split(situation.what)
    place = words.pop(0) if words[0] in ("one", "beside") else None
    options, binding = [], []
    if place is not None:
        binding = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
    others = [subprocess.Popen([*binding, program("tests/programs/situations"),
                                "compute", "100"],
                               preexec_fn=go_first,
                               start_new_session=True)
              for _ in range(3 if place == "beside" else 0)]
    if words[0] == "-s":
        options, words = words[:2], words[2:]
    if words[0] == "situations":
        words[0] = program("tests/programs/situations")
    log = os.path.join(where, "log")
    subprocess.run([*binding, HPMCOUNT, "--log", log, "--format", form,
                    *options, "--", *words], cwd=where,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   stdin=subprocess.DEVNULL, preexec_fn=go_first,
                   start_new_session=True, timeout=600, check=False)
    for other in others:
        other.kill()
        other.wait()
    with open(log) as file:
        text = file.read()
    os.unlink(log)
    return text


def try_out(where, situation):
    """Its first hint, and what that is."""
    for attempt in range(ATTEMPTS):
        hints = (replay(where, situation) if situation.kind == "replay" else
                 json.loads(measure(where, situation))["hints"])
        first = hints[0]["hint"] if hints else None
        judged = situation.judge(first)
        if judged == "right" or first not in SHARED:
            break
        judged = "shared"
    return ([hint["hint"] for hint in hints], judged)


def try_all():
    results = []
    with tempfile.TemporaryDirectory(prefix="hpm-hints-") as where:
        for situation in situations():
            hints, judged = try_out(where, situation)
            results.append(judged)
            print(f"{judged:7} {situation.name:24} "
                  f"{' '.join(hints) or 'none'}", flush=True)
    n = {word: results.count(word)
         for word in ("right", "wrong", "missed", "shared")}
    print(f"{len(results)} situations:",
          ", ".join(f"{count} {word}" for word, count in n.items()))
    is_good = n["wrong"] == 0 and n["right"] >= LEAST * len(results)
    return 0 if is_good else 1


def show(name):
    """The first screen of a situation that is run."""
    with tempfile.TemporaryDirectory(prefix="hpm-hints-") as where:
        for situation in situations():
            if situation.name == name and situation.kind == "run":
                print(f"$ hpmcount {situation.what}")
                print(measure(where, situation, "text"))


def test_replayed():
    n = 0
    with tempfile.TemporaryDirectory(prefix="hpm-hints-") as where:
        for situation in situations():
            if situation.kind != "replay":
                continue
            n += 1
            hints, judged = try_out(where, situation)
            ok(judged == "right", f"{situation.name}: {situation.why}",
               f"got {hints}\nexpected {situation.first or 'none'}")
    ok(n >= 10, "at least ten situations are replayed", n)


# ---- the forms of a hint -------------------------------------------------------

def in_text(text):
    """Names and ranks of the hints."""
    return [(int(rank), name) for rank, name in re.findall(
        r"^  (\d)\. (\S.*?) [-\d.,]+", text.split("\nhints, not")[-1], re.M)]


def in_table(table):
    return sorted((int(row["hint"]), row["metric"])
                  for row in csv.DictReader(io.StringIO(table)) if row["hint"])


def without_remarks(table):
    return "".join(line for line in table.splitlines(True)
                   if not line.startswith("#"))


def same(text, table, document, sentence):
    found = [(hint["rank"], hint["hint"]) for hint in document["hints"]]
    explained = [hint["explained"] for hint in document["hints"]]
    return ok(found and found == in_text(text) == in_table(table) and
              explained == sorted(explained, reverse=True), sentence,
              (found, explained, in_text(text), in_table(table)))


def test_forms_of_report():
    with tempfile.TemporaryDirectory(prefix="hpm-hints-") as where:
        for situation in situations():
            if situation.name not in ("triad", "HPM Figure 3"):
                continue
            path = replay_file(where, situation)
            same(*(hpm_report(path, form) for form in ("text", "csv")),
                 json.loads(hpm_report(path, "json")),
                 f"{situation.name}: text, CSV and JSON give the same hints")
            for options in (["--by", "thread"], ["--filter", "calls > 0"]):
                result = run([HPM, "report", "--format", "json", *options, path])
                document = json.loads(result.stdout)
                ok(document["hints"] == [] and
                   all(row["hint"] is None for row in document["data"]),
                   f"none with {options[0]}, as in text", document["hints"])


def test_forms_of_count():
    """Sleep waits, whoever else is there; all forms are of different runs."""
    for options in ([], ["-r", "3"]):
        said = {}
        for form in ("text", "csv", "json"):
            result = run([HPMCOUNT, *options, "-m", "UTILISATION", "--format",
                          form, "sleep", "0.2"])
            said[form] = result.stderr.decode()
        document = json.loads(said["json"])
        several = " of several runs" if options else ""
        same(said["text"], without_remarks(said["csv"]), document,
             f"sleep{several}: text, CSV and JSON give the same hints")
        hint = document["hints"][0]
        ok((hint["hint"], hint["side"], hint["limit"], hint["unit"]) ==
           ("UTILISATION", "below", 80, "%") and hint["value"] < 80 and
           hint["explained"] > 0.1 and hint["why"] and hint["try"],
           f"JSON{several} has it in numbers", hint)
        if options:
            ok(re.match(r"run [123]$", hint["where"]) and hint["places"] == 3 and
               " (bad in all 3 runs: below 80)" in said["text"],
               "with the run it is worst in", (hint, said["text"]))
        else:
            ok(hint["where"] is None, "which is the whole run", hint)


FAULTS = """measure FAULTS = ru::minflt  bad > 10000  timebase ALL
    why "it takes much memory"  next SOFTWARE  try "less"
compute ALL = time::wall
"""


def test_minority():
    """What one run of three has is no hint of all."""
    with tempfile.TemporaryDirectory(prefix="hpm-hints-") as where:
        mine = write(where, "my.hpm", FAULTS)
        for which, expected in ((1, []), (2, ["FAULTS"])):
            script = (f"n=$(($(cat n 2>/dev/null || echo 0) + 1)); echo $n > n; "
                      f"sleep 0.12; [ $n -gt {which} ] || "
                      "dd if=/dev/zero of=/dev/null bs=64M count=1")
            result = run([HPMCOUNT, "-r", "3", "-m", "FAULTS", "--format",
                          "json", "--log", "log", "sh", "-c", script],
                         folder=where, HPM_DEFS=mine)
            with open(os.path.join(where, "log")) as file:
                document = json.load(file)
            os.unlink(os.path.join(where, "n"))
            os.unlink(os.path.join(where, "log"))
            equal([(hint["hint"], hint["places"])
                   for hint in document["hints"]],
                  [(name, which) for name in expected],
                  f"{which} of three runs took much memory")


signal.signal(signal.SIGPIPE, signal.SIG_DFL)
if sys.argv[1:] == ["all"]:
    sys.exit(try_all())
if len(sys.argv) == 3 and sys.argv[1] == "show":
    show(sys.argv[2])
    sys.exit(0)
test_replayed()
test_forms_of_report()
test_forms_of_count()
test_minority()
tap.done()
