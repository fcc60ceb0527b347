# SPDX-License-Identifier: BSD-3-Clause
"""hpm campaign: a program run once per set of events, with two counters of a
PMU that tests/programs/fakepmu.c plays."""

import csv
import glob
import io
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import threading
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPM, equal, folder, ok, program, run

WAYS = program("tests/programs/ways")
EDGES = program("tests/programs/edges")
EVENTS = "cycles,instructions,branches,cache-misses,branch-misses"
COUNT = "i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done"
N_RUNS = 3  # 5 events on 2 counters


def variables():
    return tap.fake_pmu(FAKE_COUNTERS=2, HPM_FSYNC="no")


def campaign(where, *arguments, **more):
    return run([HPM, "campaign", *arguments], folder=where, **variables(),
               **more)


def said(result):
    return result.stderr.decode()


def counts(path):
    """Of each record label: event -> what the file says of it."""
    root = ET.parse(path).getroot()
    return {record.get("label"): {d.get("name"): d.attrib
                                  for d in record.findall("data")
                                  if d.get("kind") == "counter" and
                                  d.get("name") != "Count"}
            for record in root.findall("InstrumentationPt")}


def run_files(where, name):
    """Set and run of each performance file."""
    return {os.path.basename(os.path.dirname(path)): path for path in
            glob.glob(os.path.join(where, name, "set-*", "*.hpm.xml"))}


def mean(numbers):
    return sum(map(float, numbers)) / len(numbers)


# ---- the whole program --------------------------------------------------------

def test_whole():
    with folder() as where:
        result = campaign(where, "-e", EVENTS, "-o", "all.hpm.xml", "--folder",
                          "runs", "--tolerance", "100", "sh", "-c", COUNT)
        ok(result.returncode == 0 and
           all(b"hpm integrate: " in line for line in
               result.stderr.splitlines()) and
           b"BRANCH_MISP_PCT" in result.stdout,
           "5 events on 2 counters: a report with metrics of all", result)
        whole = counts(os.path.join(where, "all.hpm.xml"))["sh"]
        files = run_files(where, "runs")
        single = [counts(path)["sh"] for path in files.values()]
    equal(sorted(files), [f"set-0{i}-run-1" for i in (1, 2, 3)],
          "three runs, a folder each")
    equal(sorted(whole), sorted(EVENTS.split(",")), "every event has a column")
    ok(all(len(one) == 2 for one in single), "no run counts more than two",
       single)
    for name in EVENTS.split(","):
        values = [one[name]["value"] for one in single if name in one]
        ok(abs(float(whole[name]["value"]) - mean(values)) <= 0.5 and
           (len(values) > 1 or whole[name]["value"] == values[0]),
           f"{name}: as the runs counted it that counted it",
           (whole[name], values))
    ok(all("state" not in value for value in whole.values()),
       "counted all the time, not shared", whole)


def report(where, path, kind):
    return run([HPM, "report", "--format", kind, path], folder=where)


def test_combined():
    """A value whose inputs no run counted together is marked at the value."""
    words = "no run counted all of its inputs"
    with folder() as where:
        campaign(where, "-n", "--sections", "-e", EVENTS, "-o", "s.xml", WAYS,
                 "return")
        rows = list(csv.DictReader(io.StringIO(
            report(where, "s.xml", "csv").stdout.decode())))
        found = {r["metric"]: r["reason"] for r in rows
                 if r["section"] == "work" and "doubtful" in r["remarks"]}
        plain = report(where, "s.xml", "text").stdout.decode()
        objects = json.loads(report(where, "s.xml", "json").stdout)["data"]
        runs = {c.get("name"): c.get("runs") for c in
                ET.parse(os.path.join(where, "s.xml")).iter("Counter")}
        again = run([HPM, "merge", "-o", "m.xml", "s.xml"], folder=where)
        kept = {c.get("name"): c.get("runs") for c in
                ET.parse(os.path.join(where, "m.xml")).iter("Counter")}
    mixed = {"BRANCH_MISP_PCT", "BRANCH_MPKI"}
    ok(all(found.get(name) == words for name in mixed) and
       words not in found.get("IPC", ""),
       "CSV: metrics of counts of two runs are doubtful, others are not", found)
    ok(all(any(name in line and "?" in line for line in plain.splitlines())
           for name in mixed),
       "text: they have the mark", plain)
    ok({o["metric"] for o in objects if o["reason"] == words} >= mixed,
       "JSON: they say why", objects[:3])
    ok(runs["cycles"] == "1 3" and runs["branches"] == "2" and
       runs["branch-misses"] == "3" and again.returncode == 0 and runs == kept,
       "the file says which runs counted what, and a merge keeps it",
       (runs, kept))


def test_repeats():
    """What each run saw of the folder tells the order."""
    look = "ls -d runs/set-* | tr '\\n' ' ' >> order; echo >> order; " + COUNT
    for more, last_new in (([], "set-01-run-2"),
                           (["--interleave"], "set-02-run-1")):
        with folder() as where:
            result = campaign(where, "-n", "-r", "2", "-e", EVENTS, "--folder",
                              "runs", "-o", "o.xml", *more, "sh", "-c", look)
            with open(os.path.join(where, "order")) as file:
                seen = [set(line.split()) for line in file]
            whole = counts(os.path.join(where, "o.xml"))["sh"]
            files = run_files(where, "runs")
            single = [counts(path)["sh"] for path in files.values()]
        ok(result.returncode == 0 and len(seen) == 2 * N_RUNS,
           f"-r 2 {more}: six runs", (result, seen))
        equal({os.path.basename(name) for name in seen[1] - seen[0]},
              {last_new}, f"-r 2 {more}: the order of the first two")
        values = [one["branches"]["value"] for one in single
                  if "branches" in one]
        ok(len(values) == 2 and whole["branches"]["runs"] == "2" and
           abs(float(whole["branches"]["value"]) - mean(values)) <= 0.5,
           f"-r 2 {more}: the mean of two runs", (whole["branches"], values))


# ---- sections -----------------------------------------------------------------

def test_sections():
    with folder() as where:
        result = campaign(where, "--sections", "-e", EVENTS, "-o", "s.hpm.xml",
                          "--folder", "50% runs", WAYS, "return")
        found = counts(os.path.join(where, "s.hpm.xml"))
        files = run_files(where, "50% runs")
        single = [counts(path)["work"] for path in files.values()]
    ok(result.returncode == 0 and b"work" in result.stdout,
       "a program with sections: they are in the report", result)
    equal((len(files), sorted(found["work"])),
          (N_RUNS, sorted(EVENTS.split(","))),
          "each section has the events of all sets")
    ok(all(abs(float(found["work"][name]["value"]) -
               mean([one[name]["value"] for one in single if name in one]))
           <= 0.5 for name in EVENTS.split(",")),
       "and their values", (found, single))
    with folder() as where:
        result = campaign(where, "--sections", "-e", EVENTS, "true")
        ok(result.returncode == 3 and "libhpm" in said(result) and
           "--sections" in said(result),
           "--sections of a program without libhpm: said, and what to do",
           result)


def test_script():
    """Programs one after the other are each task 0; a campaign knows by the
    folder that they are of one run."""
    with folder() as where:
        result = campaign(where, "--sections", "-n", "-e", EVENTS, "-o",
                          "s.hpm.xml", "sh", "-c", '"$0" return; "$0" return',
                          WAYS)
        root = (ET.parse(os.path.join(where, "s.hpm.xml")).getroot()
                if result.returncode == 0 else [])
        found = [(r.get("task"), d.get("value")) for r in root
                 if r.get("label") == "work" for d in r
                 if d.get("name") == "Count"]
        equal(found, [("0", "1"), ("1", "1")],
              "a script of two programs with sections: both are in it")


LAUNCH = """#!/bin/sh
# three tasks, of which one is lost in these runs
echo x >> log
rm -f ready.*
for rank in 0 1 2; do
    (touch ready.$rank
    while test ! -e ready.0 -o ! -e ready.1 -o ! -e ready.2; do :; done
    test $rank = 1 && grep -qx "$(wc -l < log)" lost && exit
    PMI_RANK=$rank exec "$@") &
done
wait
"""


def test_lost_tasks():
    """The launcher ends well though a task has written nothing."""
    for lost, status, n_runs, words in (
            ("1", 0, 4, ["run 1 of set 1 has the files of 2 processes, another "
                         "run of 3; the run is made once more"]),
            ("2\n4", 1, 4, ["run 1 of set 2", "made once more",
                            "the second time, too"])):
        with folder() as where:
            with open(os.path.join(where, "launch"), "w") as file:
                file.write(LAUNCH)
            with open(os.path.join(where, "lost"), "w") as file:
                file.write(lost + "\n")
            os.chmod(os.path.join(where, "launch"), 0o755)
            command = ["-n", "--sections", "-e", EVENTS, "./launch", EDGES,
                       "0+1=work", "0z400", "0-1"]
            result = campaign(where, *command)
            with open(os.path.join(where, "log")) as file:
                n = len(file.readlines())
            records = [r for r in ET.parse(os.path.join(
                where, "launch.hpm.xml")).getroot().findall("InstrumentationPt")]
            lacking = [r.get("task") for r in records if {
                d.get("name") for d in r.findall("data") if d.get("value")}
                .isdisjoint(["branches", "cache-misses"])]
            os.unlink(os.path.join(where, "launch.hpm.xml"))
            again = campaign(where, *command)
            with open(os.path.join(where, "log")) as file:
                n_again = len(file.readlines())
        ok(result.returncode == status and n == n_runs and
           all(word in said(result) for word in words) and
           lacking == (["1"] if status else []),
           f"a task is lost in run {lost!r}: said, the run is made once more",
           (result, n, lacking))
        equal((again.returncode, n_again), (status, n),
              f"lost in run {lost!r}: the same command makes none again")


# ---- what stops a campaign ----------------------------------------------------

def test_failure():
    """The second run fails, once."""
    command = ["sh", "-c", "echo x >> log; test $(wc -l < log) -ne 2 || exit 7"]
    with folder() as where:
        first = campaign(where, "-n", "-e", EVENTS, *command)
        kept = run_files(where, "sh.campaign")
        before = {path: os.stat(path).st_mtime_ns for path in kept.values()
                  if "set-01" in path}
        second = campaign(where, "-n", "-e", EVENTS, *command)
        after = {path: os.stat(path).st_mtime_ns for path in before}
        with open(os.path.join(where, "log")) as file:
            n_runs = len(file.readlines())
        third = campaign(where, "-n", "-e", EVENTS, *command)
        files = run_files(where, "sh.campaign")
        whole = counts(os.path.join(where, "sh.hpm.xml"))["sh"]
    ok(first.returncode == 7 and "exit status 7" in said(first) and
       "1 of 3 runs" in said(first) and "same command" in said(first),
       "a failing program ends the campaign with its status", first)
    ok(second.returncode == 0 and "1 of 3 runs were made before" in
       said(second), "the same command goes on", second)
    equal((before, n_runs, sorted(files)),
          (after, 4, ["set-01-run-1", "set-02-run-1", "set-02-run-1-try-2",
                      "set-03-run-1"]),
          "good runs are not made again, the failed one is, beside what it left")
    equal(sorted(whole), sorted(EVENTS.split(",")), "and all is there")
    ok(third.returncode == 2 and "'sh.hpm.xml'" in said(third) and
       "-o" in said(third), "no file is replaced, and nothing is run", third)


def test_interruption():
    command = [HPM, "campaign", "-n", "-e", EVENTS, "sh", "-c",
               "echo x >> log; test $(wc -l < log) -ne 2 || sleep 60"]
    for number, where_to in ((signal.SIGINT, "group"),
                             (signal.SIGTERM, "hpm")):
        with folder() as where:
            process = subprocess.Popen(
                command, cwd=where, stderr=subprocess.PIPE,
                stdout=subprocess.PIPE, start_new_session=True,
                preexec_fn=tap.default_signals,
                env=tap.environment(**variables()))
            log = os.path.join(where, "log")
            deadline = time.monotonic() + 300
            while time.monotonic() < deadline and not (
                    os.path.exists(log) and os.path.getsize(log) >= 4):
                time.sleep(0.02)
            time.sleep(0.2)
            if where_to == "group":
                os.killpg(process.pid, number)
            else:
                process.send_signal(number)
            _, text = process.communicate(timeout=300)
            again = run(command, folder=where, **variables())
            with open(log) as file:
                n_runs = len(file.readlines())
        ok(process.returncode == 128 + number and b"1 of 3 runs" in text,
           f"{number.name} to the {where_to}: what is made is said",
           (process.returncode, text))
        equal((again.returncode, n_runs), (0, 4),
              f"{number.name}: the same command makes the two that are missing")


def test_other_campaign():
    with folder() as where:
        campaign(where, "-n", "-e", EVENTS, "--folder", "f", "sh", "-c", COUNT)
        for arguments in (["-e", "cycles", "--folder", "f", "sh", "-c", COUNT],
                          ["-e", EVENTS, "--folder", "f", "true"],
                          ["-e", EVENTS, "-r", "2", "--folder", "f", "sh",
                           "-c", COUNT]):
            result = campaign(where, "-n", "-o", "other.xml", *arguments)
            ok(result.returncode == 2 and "'f'" in said(result) and
               "--folder" in said(result) and said(result).count("\n") == 1,
               f"{arguments}: the folder is of another campaign", result)
        for variable, text in (
                ("HPM_DOMAIN", 'there "variable HPM_DOMAIN is not set", here '
                 '"variable HPM_DOMAIN = kernel"'),
                ("HPM_SKIP", '"variable HPM_SKIP = kernel"')):
            result = campaign(where, "-n", "-o", "other.xml", "-e", EVENTS,
                              "--folder", "f", "sh", "-c", COUNT,
                              **{variable: "kernel"})
            ok(result.returncode == 2 and text in said(result) and
               said(result).count("hpm campaign: ") == 1,
               f"{variable} is another one: said", result)
        result = campaign(where, "-n", "-o", "same.xml", "-e", EVENTS,
                          "--folder", "f", "sh", "-c", COUNT, HPM_JOB="later",
                          HPM_REPORT="none")
        ok(result.returncode == 0, "variables that change no result may differ",
           result)
        about = os.path.join(where, "f", "campaign")
        with open(about) as file:
            lines = file.read().splitlines()
        for i, line in enumerate(lines):
            if not line.startswith(("host ", "processor", "system ")):
                continue
            with open(about, "w") as file:
                file.write("\n".join(lines[:i] + [line + "-2"] +
                                     lines[i + 1:]) + "\n")
            result = campaign(where, "-n", "-o", "other.xml", "-e", EVENTS,
                              "--folder", "f", "sh", "-c", COUNT)
            ok(result.returncode == 2 and said(result).count("\n") == 1 and
               f'there "{line[:95]}' in said(result) and
               f'here "{line[:95]}' in said(result),
               f"another {line.split()[0]}: said, with both", result)
        os.mkdir(os.path.join(where, "mine"))
        with open(os.path.join(where, "mine", "precious"), "w") as file:
            file.write("x")
        result = campaign(where, "-o", "o.xml", "--folder", "mine", "true")
        ok(result.returncode == 2 and "other files" in said(result) and
           os.listdir(os.path.join(where, "mine")) == ["precious"],
           "a folder of other files is left alone", result)


def test_full_disk():
    """The folder can be used again when there is room."""
    with folder() as where:
        os.mkdir(os.path.join(where, "runs"))
        os.symlink("/dev/full", os.path.join(where, "runs",
                                             "campaign.unfinished"))
        command = ["-n", "-e", "cycles", "--folder", "runs", "true"]
        full = campaign(where, *command)
        again = campaign(where, *command)
        ok(full.returncode == 4 and "No space" in said(full),
           "a full disk: it is said", full)
        equal(again.returncode, 0, "the same command goes on when there is room")


def test_runs_apart():
    """One run does ten times as much as the others."""
    work = ("echo x >> log; n=3000; test $(wc -l < log) -ne 2 || n=30000; "
            "i=0; while [ $i -lt $n ]; do i=$((i+1)); done")
    with folder() as where:
        result = campaign(where, "-r", "3", "-e", "cycles,instructions,branches",
                          "sh", "-c", work)
        text = result.stdout.decode()
    ok(result.returncode == 0 and "%" in said(result) and
       ("cycles" in said(result) or "instructions" in said(result)),
       "a run that did more is named, with the figure", result)
    ok("%" in text and "median" in text.replace("\n  ", " "),
       "in the report as well", text)


def test_no_file():
    """A run whose file cannot be written is not made, and the others wait."""
    command = ["sh", "-c", "echo x >> log; test $(wc -l < log) -ne 2 || { "
               "mv runs/set-02-run-1 lost && mkdir runs/set-02-run-1; }"]
    with folder() as where:
        first = campaign(where, "-n", "-e", EVENTS, "--folder", "runs",
                         *command)
        second = campaign(where, "-n", "-e", EVENTS, "--folder", "runs",
                          *command)
        with open(os.path.join(where, "log")) as file:
            n_runs = len(file.readlines())
    ok(first.returncode == 4 and "1 of 3 runs" in said(first) and
       "no performance file" in said(first),
       "a run that wrote no file ends the campaign", first)
    equal((second.returncode, n_runs), (0, 4), "it is made again")


def test_left_alone():
    """hpm is killed, its program is not: what that writes later stands beside
    what the same command writes, and is no part of the result."""
    command = [HPM, "campaign", "-n", "-e", "cycles", "--folder", "runs", "-o",
               "o.xml", "sh", "-c", "echo x >> log; test $(wc -l < log) -ne 1 "
               "|| { : > waits; while test ! -e go; do sleep 0.05; done; }"]
    with folder() as where:
        process = subprocess.Popen(
            command, cwd=where, stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, env=tap.environment(**variables()))
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and not os.path.exists(
                os.path.join(where, "waits")):
            time.sleep(0.02)
        process.kill()
        process.wait()
        orphan = os.path.join(where, "runs", "set-01-run-1")
        mine = os.path.join(orphan, "precious")
        open(mine, "w").close()
        again = run(command, folder=where, **variables())
        open(os.path.join(where, "go"), "w").close()
        while time.monotonic() < deadline and not glob.glob(
                os.path.join(orphan, "*.hpm.xml")):
            time.sleep(0.02)
        files = run_files(where, "runs")
        os.rename(os.path.join(where, "o.xml"), os.path.join(where, "old"))
        third = run(command, folder=where, **variables())
        whole = counts(os.path.join(where, "o.xml"))["sh"]
        single = counts(files["set-01-run-1-try-2"])["sh"]
        is_there = os.path.exists(mine)
    ok(again.returncode == 0 and is_there,
       "after hpm was killed the same command ends well, and removes nothing",
       (again, is_there))
    equal((sorted(files), third.returncode, whole["cycles"]["value"]),
          (["set-01-run-1", "set-01-run-1-try-2"], 0,
           single["cycles"]["value"]),
          "what the killed campaign's program wrote later is not taken")


def test_input():
    """Each run reads all of a file, also of one that is read already in part."""
    with folder() as where:
        path = os.path.join(where, "input")
        with open(path, "w") as file:
            file.write("first\nrest\n")
        for name, start in (("o1", 0), ("o2", 6)):
            with open(path) as file:
                os.lseek(file.fileno(), start, os.SEEK_SET)
                result = campaign(where, "-n", "-e", EVENTS, "-o", name,
                                  "--folder", name + ".f", "cat", stdin=file)
            equal((result.returncode, result.stdout.count(b"rest"),
                   result.stdout.count(b"first")),
                  (0, N_RUNS, 0 if start else N_RUNS),
                  f"standard input, a file from byte {start} on: every run reads it")


def test_hidden():
    with folder() as where:
        os.symlink(shutil.which("true"), os.path.join(where, ".hidden"))
        result = campaign(where, "-n", "-e", "cycles", "./.hidden")
        ok(result.returncode == 0 and
           os.path.exists(os.path.join(where, ".hidden.hpm.xml")),
           "a program whose name begins with a dot", result)


def test_output():
    """What is wrong with OUT and options is said before anything is run."""
    with folder() as where:
        os.symlink("nowhere", os.path.join(where, "link"))
        for arguments, word in ((["-o", "-"], "'-'"), (["-o", ""], "''"),
                                (["-o", "link"], "'link'"),
                                (["-o", "no/folder"], "no"),
                                (["--tolerance", "x"], "'x'")):
            result = campaign(where, "-e", "cycles", *arguments, "sh", "-c",
                              "echo x >> log")
            ok(result.returncode == 2 and word in said(result) and
               said(result).count("\n") == 1 and not result.stdout and
               os.listdir(where) == ["link"],
               f"{arguments}: said before any run", (result,
                                                     os.listdir(where)))


def test_built_again():
    """Runs of two builds of a program are not put together."""
    for name, path in (("./app", {}), ("app", {"PATH": ".:/usr/bin:/bin"})):
        with folder() as where:
            app = os.path.join(where, "app")
            text = "#!/bin/sh\necho x >> log; test $(wc -l < log) -ne 2"
            for more in ("", " || exit 0"):
                with open(app, "w") as file:
                    file.write(text + more + "\n")
                os.chmod(app, 0o755)
                result = run([HPM, "campaign", "-n", "-e", EVENTS, name],
                             folder=where, **variables(), **path)
                if not more:
                    again = result
        ok(again.returncode == 1 and result.returncode == 2 and
           "changed since" in said(result) and "'app.campaign'" in said(result),
           f"{name} was changed after a run that failed: said, none is made",
           (again, result))


def test_taken_output():
    """OUT comes to be while the program runs: it is not what is reported."""
    with folder() as where:
        command = ["-e", "cycles", "-o", "o.xml", "sh", "-c",
                   "test -e old || echo mine > o.xml"]
        first = campaign(where, *command)
        with open(os.path.join(where, "o.xml")) as file:
            kept = file.read()
        os.rename(os.path.join(where, "o.xml"), os.path.join(where, "old"))
        second = campaign(where, *command)
    ok(first.returncode == 4 and "'o.xml'" in said(first) and not first.stdout
       and kept == "mine\n",
       "OUT that another program made meanwhile is left alone", first)
    ok(second.returncode == 0 and b"cycles" in second.stdout and
       "1 of 1 runs were made before" in said(second),
       "the same command makes OUT later, without a run", second)


def shown_of(command, where):
    """What a command shows on a terminal, read while the command runs: a terminal
    holds little, and a command that shows more would wait for ever."""
    terminal, stderr = pty.openpty()
    shown = b""
    with subprocess.Popen(command, cwd=where, env=tap.environment(),
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=stderr) as process:
        os.close(stderr)
        end = threading.Timer(600, process.kill)
        end.start()
        try:
            while True:
                shown += os.read(terminal, 4096)
        except OSError:  # nobody has the terminal any longer
            os.close(terminal)
        process.wait()
        end.cancel()
    return shown


def test_progress():
    """Each of three runs takes half a second at least, those that are left, too."""
    with folder() as where:
        shown = shown_of([HPM, "campaign", "-n", "-e", "task-clock", "-r", "3",
                          "sleep", "0.5"], where)
    left = dict(re.findall(r"(\d) of 3 runs are made; about ([\d.]+) s are left",
                           shown.decode()))
    ok(list(left) == ["1", "2"] and float(left["1"]) >= 1.0 and
       float(left["2"]) >= 0.5,
       "a terminal shows how much is made, and how long the rest may take",
       shown)


def test_usage():
    with folder() as where:
        os.symlink(shutil.which("true"), os.path.join(where, "mpirun"))
        for arguments, status, words in (
                ([], 2, ["program"]), (["-r", "0", "true"], 2, ["1 to 1000"]),
                (["-m", "NO_SUCH", "true"], 2, ["'NO_SUCH'"]),
                (["--nosuch", "true"], 2, ["'--nosuch'"]),
                (["-e", "no-such-event", "true"], 3, ["no-such-event"]),
                (["-n", "--folder", "some", "-o", "some.xml", "-e",
                  "no-such-event,cycles", "true"], 1, ["no-such-event"]),
                (["-e", "cycles", "./mpirun", "-n", "2", "true"], 125,
                 ["mpirun", "--sections"]),
                (["-e", EVENTS, "./no-such-program"], 127,
                 ["no-such-program"])):
            result = campaign(where, *arguments)
            ok(result.returncode == status and
               all(word in said(result) for word in words) and
               bool(result.stdout) == (status == 1),
               f"hpm campaign {' '.join(arguments)}: "
               f"{status}", result)


test_progress()
REASON = tap.no_preload()
if REASON:
    tap.skip("campaigns", REASON)
else:
    test_whole()
    test_combined()
    test_repeats()
    test_sections()
    test_script()
    test_lost_tasks()
    test_failure()
    test_interruption()
    test_other_campaign()
    test_full_disk()
    test_runs_apart()
    test_no_file()
    test_left_alone()
    test_input()
    test_hidden()
    test_output()
    test_built_again()
    test_taken_output()
    test_usage()
tap.done()
