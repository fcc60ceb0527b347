#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount counts what runs already: processes, threads, processors, control
groups.  HPM_TEST_ATTACHES=1000 attaches so often to a program of 50 threads that
come and go."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from shutil import which

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))

from tap import (HPMCOUNT, done, environment, equal, folder, ok, program, run, skip,
                 undisturbed)

CROWD = program("tests/programs/crowd")
N_ATTACHES = int(os.environ.get("HPM_TEST_ATTACHES", "20"))
FAULTS = ["-e", "page-faults"]

if "page-faults" not in {
        row["metric"] for row in json.loads(
            run([HPMCOUNT, "--format", "json", *FAULTS, "true"]).stderr)["data"]
        if row["state"] == "counted"}:
    skip("what runs already is counted", "the kernel counts no page faults here")
    done()


class Crowd:
    """The program of 50 threads; it sleeps in a read but for `live`."""

    def __init__(self, prefix=()):
        self.process = subprocess.Popen([*prefix, CROWD],
                                        stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE,
                                        env=environment())
        self.live(1, 0)
        self.pid = self.process.pid

    def begin(self, n, pause_us):
        self.process.stdin.write(f"{n} {pause_us}\n".encode())
        self.process.stdin.flush()

    def answer(self):
        return int(self.process.stdout.readline())

    def live(self, n, pause_us):
        self.begin(n, pause_us)
        return self.answer()

    def begin_all(self, n):
        """n threads, which live until `end_all`."""
        self.begin(n, 0xffffffff)
        while len(os.listdir(f"/proc/{self.pid}/task")) < n + 1:
            time.sleep(0.01)

    def end_all(self):
        self.process.stdin.write(b"end\n")
        self.process.stdin.flush()
        return self.answer()

    def end(self):
        self.process.stdin.close()
        return self.process.wait()

    def fields(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            return file.read().rpartition(")")[2].split()

    def state(self):
        return self.fields()[0]

    def faults(self):
        """Page faults since the beginning, as the kernel's other book has them."""
        fields = self.fields()
        return int(fields[7]) + int(fields[9])


def sum_of(n):
    return sum(4 * i for i in range(n))


def counts(document):
    """Of the whole: event -> value."""
    return {row["metric"]: row["value"] for row in document["data"]
            if row["kind"] == "counter" and row["scope"] == "process"
            and row["metric"] != "Count"}


def begin_counting(*options):
    return subprocess.Popen([HPMCOUNT, "--format", "json", *options],
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=environment())


def live_while_counted(crowd, n, options, prefix=()):
    """Let n threads live from the time on at which the counters are open: the
    program that sets the time says when.  What hpmcount says, and the kernel's
    other book."""
    before = crowd.faults()
    counting = subprocess.Popen(
        [*prefix, HPMCOUNT, "--format", "json", *options, "-p",
         str(crowd.pid), "sh", "-c", "echo open; read line"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=environment())
    counting.stdout.readline()
    result = crowd.live(n, 1000)
    while crowd.state() != "S":
        time.sleep(0.001)  # until it waits again, which is a context switch
    after = crowd.faults()
    _, text = counting.communicate(b"end\n")
    return result, text.decode(), after - before


# ---- a process of 50 threads -----------------------------------------------

crowd = Crowd()
tries = []


def count_faults():
    """A page that the kernel itself asks for, as for a futex while memory is short,
    is in /proc only: so a count may be below that now and then, and never above."""
    result, text, used = live_while_counted(crowd, 400, FAULTS)
    tries.append((result, counts(json.loads(text)).get("page-faults"), used))
    return tries[-1]


_, counted, used = undisturbed(count_faults, lambda found: found[1] == found[2])
equal([result for result, _, _ in tries], [sum_of(400)] * len(tries),
      "a program that is attached to has its own result")
equal(counted, used,
      "page faults of 400 threads that came and went are all counted, once")
equal([found for found in tries if found[1] is None or found[1] > found[2]], [],
      "and never more of them than there were")
ok(used >= 1600, "which is at least 4 of each", used)



def count_beside_perf():
    """Both begin and end while the program sleeps.  Their clocks are read one after the
    other at each switch of threads: what is stolen between both is in one of them."""
    names = "page-faults,context-switches,task-clock"
    with folder() as place:
        log = os.path.join(place, "perf.csv")
        _, text, _ = live_while_counted(
            crowd, 300, ["-e", names],
            ["perf", "stat", "-x", ";", "-e", names, "-o", log, "-p",
             str(crowd.pid)])
        with open(log, encoding="ascii") as file:
            lines = [line.split(";") for line in file if ";" in line]
    theirs = {line[2].split(":")[0]: float(line[0]) for line in lines}
    ours = counts(json.loads(text))
    return ours, theirs, ours["task-clock"] / 1e6 / theirs["task-clock"]


if which("perf") and run(["perf", "stat", "-e", "page-faults", "true"]).returncode == 0:
    ours, theirs, ratio = undisturbed(count_beside_perf,
                                      lambda found: 0.98 < found[2] < 1.02)
    for name in ("page-faults", "context-switches"):
        equal(ours[name], int(theirs[name]), f"{name}: as perf stat -p counts them")
    ok(0.98 < ratio < 1.02, "task-clock: as perf stat -p counts it, within 2 %", ratio)
else:
    skip("counts are those of perf stat -p", "there is no perf that counts")

# ---- what the run says of itself ---------------------------------------------

finished = run([HPMCOUNT, "-p", str(crowd.pid), "--timeout", "50"])
equal(finished.returncode, 0, "--timeout ends with exit status 0")
ok(b"hpmcount: crowd (still running)" in finished.stderr,
   "the first screen names the program and says that it runs still",
   finished.stderr.decode())
equal(run([HPMCOUNT, "-n", "-p", str(crowd.pid), "sh", "-c", "exit 3"]).returncode,
      3, "with a program the exit status is that program's")
equal(run([HPMCOUNT, "-n", "-p", str(crowd.pid), "/none"]).returncode, 127,
      "127 where that is not found")

with folder() as place:
    run([HPMCOUNT, "-n", "-o", "a.hpm.xml", "-p", str(crowd.pid), *FAULTS,
         "true"], folder=place)
    root = ET.parse(os.path.join(place, "a.hpm.xml")).getroot()
    ok("crowd" in ET.tostring(root).decode(), "-o writes a performance file")

counting = begin_counting("-p", str(crowd.pid), *FAULTS)
while not any("perf_event" in os.path.realpath(f"/proc/{counting.pid}/fd/{fd}")
              for fd in os.listdir(f"/proc/{counting.pid}/fd")):
    time.sleep(0.01)
counting.send_signal(signal.SIGINT)
_, text = counting.communicate()
equal(counting.returncode, 0, "Ctrl+C ends the counting with exit status 0")
ok("page-faults" in counts(json.loads(text.decode())), "and with a report")

# ---- rows of threads ----------------------------------------------------------

crowd.begin_all(50)
finished = run([HPMCOUNT, "--per-thread", "--format", "json", "-e",
                "page-faults,context-switches", "-p", str(crowd.pid), "sleep", "0.05"])
table = json.loads(finished.stderr)["data"]
threads = {row["thread"] for row in table if row["scope"] == "thread"}
equal(len(threads), 51, "--per-thread has a row for each of 51 threads")
for name in ("page-faults", "context-switches"):
    parts = sum(row["value"] for row in table if row["metric"] == name
                and row["scope"] == "thread")
    equal(parts, counts(json.loads(finished.stderr))[name],
          f"{name}: the sum of the threads' is that of the process")
one = sorted(threads)[5]
finished = run([HPMCOUNT, "--per-thread", "-t", str(one), "-e", "page-faults",
                "--timeout", "20"])
ok(re.search(rf"^ *{one}  crowd +0$", finished.stderr.decode(), re.M),
   "-t counts one thread, with a row in text, too", finished.stderr.decode())
equal(crowd.end_all(), sum_of(50), "and the threads go on")

# ---- intervals ------------------------------------------------------------------

def check_sums(table, final, sentence):
    """The intervals of each event and part add up to the sum, to the last one."""
    sums = {(row["event"], row["number"]): int(row["count"]) for row in table
            if row["kind"] == "sum"}
    for row in table:
        if row["kind"] == "interval":
            sums[row["event"], row["number"]] -= int(row["count"])
    lengths = {}
    for row in table:
        lengths.setdefault(row["kind"], []).append(float(row["interval"]))
    ok(set(sums.values()) == {0} and len(lengths["interval"]) >= len(sums),
       sentence, sums)
    return {row["event"]: int(row["count"]) for row in table
            if row["kind"] == "sum"} if final else None


names = "task-clock,page-faults,context-switches"
finished = run([HPMCOUNT, "--format", "json", "-e", names, "-I", "20", "-p",
                str(crowd.pid), "--per-thread", "--timeout", "130"])
lines = [json.loads(line) for line in finished.stderr.splitlines()]
check_sums(lines[:-1], False, "intervals of threads add up to their sums exactly")


def count_threads():
    """They may all have come and gone before a slow machine begins to count."""
    crowd.begin(1500, 40000)
    finished = run([HPMCOUNT, "--format", "json", "-e", names, "-I", "15", "-p",
                    str(crowd.pid), "--timeout", "100"])
    crowd.answer()
    return [json.loads(line) for line in finished.stderr.splitlines()]


lines = undisturbed(count_threads,
                    lambda found: counts(found[-1])["page-faults"] > 0)
sums = check_sums(lines[:-1], True, "so do those of a process whose threads come and go")
equal(sums, counts(lines[-1]), "and the sums are the totals of the report, the last line")
ok(sums["page-faults"] > 0, "which are not 0", sums)
finished = run([HPMCOUNT, "--format", "csv", "-e", "page-faults", "-I", "10", "sh",
                "-c", "for i in 1 2 3 4 5 6; do ls / > /dev/null; sleep 0.02; done; exit 4"])
head, *lines = csv.reader(
    line for line in finished.stderr.decode().splitlines() if line[0] != "#")
check_sums([dict(zip(head, line)) for line in lines], False,
           "intervals of a program that hpmcount starts add up, as CSV")
equal(finished.returncode, 4, "whose exit status is its own")
with folder() as place:
    run([HPMCOUNT, "-I", "10", "--log", "log", "-e", "page-faults", "-n", "-p",
         str(crowd.pid), "--timeout", "35"], folder=place)
    with open(os.path.join(place, "log"), encoding="utf-8") as file:
        text = file.read()
    ok(text.startswith("     seconds  part") and text.count("page-faults") >= 3 and
       "\n         sum" in text and "hpmcount: crowd" in text,
       "--log has the table, and the report behind it", text)
text = run([HPMCOUNT, "-I", "10", "-e", "task-clock", "sleep", "0.1"]).stderr
rows = [line for line in text.decode().partition("\nhpmcount:")[0].splitlines()
        if " task-clock" in line]
ok(rows and all(" task-clock s" in line for line in rows),
   "a count of time says that it is in seconds", text)
counting = subprocess.Popen([HPMCOUNT, "-I", "10", "-e", "page-faults", "-p",
                             str(crowd.pid)], stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, env=environment())
for _ in range(3):
    counting.stderr.readline()
counting.send_signal(signal.SIGINT)
text = counting.communicate()[1].decode()
ok("\n         sum  all" in text and "hpmcount: crowd" in text,
   "Ctrl+C ends intervals with the sum and the report", text)

# ---- the end of the target ------------------------------------------------------

counting = begin_counting("-p", str(crowd.pid), "-I", "10", *FAULTS)
counting.stderr.readline()  # an interval: from here on it counts
equal(crowd.live(200, 100), sum_of(200), "a program that ends while it is counted")
equal(crowd.end(), 7, "ends with its own exit status")
_, text = counting.communicate(timeout=300)
ok(counts(json.loads(text.splitlines()[-1]))["page-faults"] >= 800 and
   counting.returncode == 0,
   "and hpmcount ends by itself and has what it did", text.decode())

# ---- again and again ------------------------------------------------------------

def attach_often():
    """Page faults counted, those in hpmcount's readings of /proc, and those in the
    test's own readings around hpmcount: what happens while hpmcount waits for a
    processor between two readings is in one of them alone."""
    counted = booked = around = missing = 0
    for _ in range(N_ATTACHES):
        before = crowd.faults()
        finished = run([HPMCOUNT, "--format", "json", *FAULTS, "-p",
                        str(crowd.pid), "--timeout", "60"])
        around += crowd.faults() - before
        document = json.loads(finished.stderr)
        counted += counts(document)["page-faults"]
        booked += sum(row["value"] for row in document["data"]
                      if row["metric"] in ("ru::minflt", "ru::majflt"))
        missing += finished.stderr.count(b"may be missing")
    print(f"# {N_ATTACHES} times: {counted} page faults counted, {booked} in /proc; "
          f"{missing} times threads came too fast")
    return counted, booked, around


def attach_while_threads_live():
    crowd.begin(4 * 50 * N_ATTACHES, 40000)
    found = attach_often()
    answers.append(crowd.answer())
    return found


crowd = Crowd()
fds = sorted(os.listdir(f"/proc/{crowd.pid}/fd"))
answers = []
counted, booked, around = undisturbed(
    attach_while_threads_live,
    lambda found: 0.9 * found[1] <= found[0] <= 1.1 * found[1], 10)
ok(0.9 * booked <= counted <= 1.1 * booked and counted <= around,
   f"{N_ATTACHES} times attached while threads come and go: page faults are those "
   "of /proc, but for what happens between the two readings",
   f"{counted} counted, {booked} in /proc, {around} around")
equal(sorted(os.listdir(f"/proc/{crowd.pid}/fd")), fds,
      "the program has the descriptors it had")
equal(answers, [sum_of(4 * 50 * N_ATTACHES)] * len(answers), "its result is its own")
equal(len(os.listdir(f"/proc/{crowd.pid}/task")), 1, "no thread is left in it")
equal(crowd.end(), 7, "and its exit status")

# ---- processors and control groups ------------------------------------------------

finished = run([HPMCOUNT, "-A", "--per-core", "--format", "json", "-e",
                "page-faults,context-switches", "sh", "-c", "for i in 1 2 3; do ls /; done"])
if b"not permitted" in finished.stderr:
    skip("-A counts the machine", "whole processors may not be counted here")
else:
    document = json.loads(finished.stderr)
    table = document["data"]
    parts = sum(row["value"] for row in table if row["scope"] == "thread"
                and row["metric"] == "page-faults")
    equal(parts, counts(document)["page-faults"],
          "-A --per-core: the sum of the cores is that of the machine")
    ok(parts > 300, "-A counts programs that it does not know", parts)
    finished = run([HPMCOUNT, "-C", "0", "-e", "task-clock", "--timeout", "20"])
    ok(b"unsupported" in finished.stderr,
       "task-clock has no value for a processor, which may be idle",
       finished.stderr.decode())
    ok(b" of 1 processor" in finished.stderr,
       "-C 0 counts one processor, whatever hpmcount itself may use",
       finished.stderr.decode())

GROUP = next((place for place in ("/sys/fs/cgroup/perf_event", "/sys/fs/cgroup/unified",
                                  "/sys/fs/cgroup")
              if os.access(os.path.join(place, "cgroup.procs"), os.W_OK)), None)
name = f"hpmcount-test-{os.getpid()}"
try:
    os.mkdir(os.path.join(GROUP or "/nowhere", name))
    finished = run([HPMCOUNT, "--format", "json", *FAULTS, "--cgroup", name, "sh", "-c",
                    f"echo $$ > {GROUP}/{name}/cgroup.procs && ls / > /dev/null; "
                    f"echo $$ > {GROUP}/cgroup.procs"])
    while open(f"{GROUP}/{name}/cgroup.procs", encoding="ascii").read():
        time.sleep(0.01)
    os.rmdir(os.path.join(GROUP, name))
    ok(finished.returncode == 0 and
       20 < counts(json.loads(finished.stderr))["page-faults"] < 5000,
       "--cgroup counts a group: what runs in it, and not the machine",
       finished.stderr.decode())
except OSError as error:
    skip("--cgroup counts a group", f"no group can be made: {error}")

bound = subprocess.Popen(["sleep", "300"], preexec_fn=lambda: os.sched_setaffinity(0, {0}))
finished = run([HPMCOUNT, "-p", str(bound.pid), *FAULTS, "--timeout", "20"])
bound.kill()
ok(b" of 1 processor" in finished.stderr,
   "a process bound to a processor is said to use one at most", finished.stderr.decode())

# ---- tracepoints --------------------------------------------------------------------

TRACED = "syscalls:sys_enter_write"
WRITES = "i=0; while [ $i -lt 123 ]; do echo $i; i=$((i+1)); done"
finished = run([HPMCOUNT, "--format", "json", "-e", TRACED, "sh", "-c", WRITES])
if counts(json.loads(finished.stderr)).get(TRACED) is None:
    ok("tracefs" in finished.stderr.decode(), "a tracepoint where tracefs cannot be "
       "read: the reason names tracefs", finished.stderr.decode())
    finished = run(["unshare", "-m", "sh", "-c",
                    'mount -t tracefs tracefs /sys/kernel/tracing && exec "$@"', "sh",
                    HPMCOUNT, "--format", "json", "-e", TRACED, "sh", "-c", WRITES])
if finished.stderr.startswith(b"{"):
    equal(counts(json.loads(finished.stderr)).get(TRACED), 123,
          "a tracepoint by name: 123 writes of a shell")
else:
    skip("a tracepoint by name is counted", "tracefs cannot be mounted")

# ---- what is wrong -----------------------------------------------------------------

ended = subprocess.Popen(["true"])
ended.wait()
for options, sentence, words in (
        (["-p", str(ended.pid)], "a process that is not there", "no such process"),
        (["-p", "1,x"], "a word that is no number", "expected numbers"),
        (["-t", str(ended.pid)], "a thread that is not there", "no such thread"),
        (["-C", "98765", "true"], "a processor that is not there", "no processor"),
        (["--cgroup", "none such", "true"], "a control group that is not there",
         "no such control group"),
        (["-p", "1", "-A"], "two kinds of targets", "exclude each other"),
        (["-r", "3", "-p", "1"], "-r with -p", "-r is for programs"),
        (["--per-thread", "true"], "--per-thread without -p", "-p for example"),
        (["-a", "true"], "-a as perf stat has it", "-A counts the whole machine"),
        (["-I", "5", "-r", "2", "true"], "-I with -r", "exclude each other"),
        (["--timeout", "0.5", "-p", "1"], "a part of a millisecond", "of milliseconds"),
        (["--timeout", "5", "true"], "--timeout without -p", "timeout(1)")):
    finished = run([HPMCOUNT, *options])
    lines = finished.stderr.decode().splitlines()
    ok(finished.returncode == 125 and len(lines) == 1 and words in lines[0],
       f"{sentence}: one line that says so", f"{finished.returncode} {lines}")

if os.geteuid() == 0 and which("setpriv"):
    sleeper = subprocess.Popen(["sleep", "300"])
    finished = run(["setpriv", "--reuid", "12345", "--clear-groups", HPMCOUNT,
                    "-p", str(sleeper.pid)])
    sleeper.kill()
    ok(finished.returncode == 125 and b"user 0 runs it" in finished.stderr
       and b"CAP_PERFMON" in finished.stderr,
       "another user's process: one line says whose, and what helps",
       finished.stderr.decode())
else:
    skip("another user's process is refused in one line", "not root, or no setpriv")

done()
