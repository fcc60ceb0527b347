# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount -a: one report and one file of all tasks of a job.  The launcher is
this script."""

import os
import signal
import stat
import subprocess
import time
import xml.etree.ElementTree as ET

import tap
from tap import HPM, HPMCOUNT, equal, files, folder, ok, run

# Stands for hpm on the way of hpmcount: the report is told by one line.
FAKE_HPM = f"""#!/bin/sh
if [ "$1" = report ]; then
    [ -f "$4" ] || exit 3
    echo "report $3 $(grep -c '<Run ' "$4")"
    exit $REPORT_STATUS
fi
exec '{HPM}' "$@"
"""


def fake_hpm(where):
    """A folder for PATH in which there is an hpm."""
    path = os.path.join(where, "bin", "hpm")
    os.mkdir(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(FAKE_HPM)
    os.chmod(path, stat.S_IRWXU)
    return os.path.dirname(path) + os.pathsep + os.environ["PATH"]


def start(where, task, n, arguments, **variables):
    """A task of a job of n."""
    environment = {"PATH": fake_hpm(where)
                   if not os.path.exists(os.path.join(where, "bin"))
                   else os.path.join(where, "bin") + os.pathsep +
                   os.environ["PATH"], "REPORT_STATUS": 0, "HPM_JOB": "job",
                   "PMI_RANK": task, "PMI_SIZE": n, "HPM_FSYNC": 0,
                   "HPM_EVENTS": "task-clock", **variables}
    return subprocess.Popen([HPMCOUNT, "-a", *arguments], cwd=where,
                            env=tap.environment(**environment),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, start_new_session=True)


def end(processes):
    """Statuses, outputs and messages."""
    said = [process.communicate(timeout=600) for process in processes]
    return ([process.returncode for process in processes],
            b"".join(out for out, _ in said), b"".join(err for _, err in said))


def job(where, n, arguments, order=None, **variables):
    return end([start(where, task, n, arguments, **variables)
                for task in order or range(n)])


def leftovers(where):
    return [name for name in os.listdir(where) if name.startswith(".hpm")]


def tasks_of(path):
    return [int(e.get("task")) for e in ET.parse(path).getroot().iter("Run")]


def test_together():
    for n, order in ((1, None), (4, None), (4, [3, 2, 1, 0]), (9, None)):
        with folder() as where:
            statuses, out, err = job(where, n, ["-o", "all.hpm.xml", "sh", "-c",
                                                "echo $PMI_RANK; exit 7"],
                                     order)
            equal((statuses, sorted(out.split())),
                  ([7] * n, sorted(b"%d" % i for i in range(n))),
                  f"{n} tasks: each ends as its program, prints what it does")
            equal(err, b"report text %d\n" % n, f"{n} tasks: one report of all")
            path = os.path.join(where, "all.hpm.xml")
            equal((files(where), tasks_of(path)), ([path], list(range(n))),
                  f"{n} tasks: one file of all")
            equal(leftovers(where), [], f"{n} tasks: and nothing else")


def test_ways():
    with folder() as where:
        _, _, err = job(where, 2, ["--format", "csv", "true"])
        equal((err, files(where)), (b"report csv 2\n", []),
              "without -o there is the report only, in the format wanted")
        _, _, err = job(where, 2, ["--log", "l.txt", "true"])
        with open(os.path.join(where, "l.txt"), "rb") as file:
            equal((err, file.read()), (b"", b"report text 2\n"),
                  "--log: one file for the report")
        _, _, err = job(where, 2, ["-n", "-o", "%n_%r.hpm.xml", "true"])
        equal((err, [os.path.basename(p) for p in files(where)]),
              (b"", ["true_all.hpm.xml"]),
              "-n: no report; %r is all tasks")
        job(where, 2, ["-n", "-o", "%n_%r.hpm.xml", "true"])
        equal([os.path.basename(p) for p in files(where)],
              ["true_all.hpm.xml", "true_all.hpm.xml.1"],
              "no file is replaced")
        equal(leftovers(where), [], "nothing is left")


def wait_for(condition):
    for _ in range(30000):
        if condition():
            return
        time.sleep(0.01)


def test_missing():
    with folder() as where:
        arguments = ["-o", "all.hpm.xml", "true"]
        equal(end([start(where, 1, 3, arguments)]), ([0], b"", b""),
              "a task that is not the last says nothing")
        statuses, _, err = end([start(where, 0, 3, arguments, HPM_TIMEOUT=0)])
        ok(statuses == [0] and err.count(b"\n") == 2 and
           b"no result of task 2 of 3" in err,
           "after HPM_TIMEOUT task 0 says which tasks are missing",
           err.decode())
        kept = os.path.join(where, leftovers(where)[0])
        ok(b"report text" in err and kept.encode() in err,
           "and the others are reported; their files are kept and named",
           err.decode())
        statuses, _, err = end([start(where, 2, 3, arguments)])
        ok(statuses == [0] and b"too late" in err and
           b"hpm merge -o " in err, "who comes later says what to type",
           err.decode())
        result = run([HPM, "merge", "--force", "-o",
                      os.path.join(where, "later.hpm.xml"), kept])
        equal((result.returncode,
               tasks_of(os.path.join(where, "later.hpm.xml"))), (0, [0, 1, 2]),
              "which works")


def test_killed():
    with folder() as where:
        victim = start(where, 1, 2, ["-o", "all.hpm.xml", "sleep", "1000"])
        wait_for(lambda: os.path.isdir(os.path.join(where, ".hpm-job-job")))
        os.killpg(victim.pid, signal.SIGKILL)
        victim.communicate()
        _, _, err = end([start(where, 0, 2, ["-o", "all.hpm.xml", "true"],
                               HPM_TIMEOUT=0)])
        ok(b"no result of task 1 of 2" in err and
           tasks_of(os.path.join(where, "all.hpm.xml")) == [0],
           "of a task that was killed nothing is there, and it is said",
           err.decode())
        statuses, _, err = job(where, 2, ["-o", "all.hpm.xml", "true"])
        first, _, rest = err.partition(b"\n")
        equal((rest, tasks_of(os.path.join(where, "all.hpm.xml.1"))),
              (b"report text 2\n", [0, 1]),
              "a later job of that name is not disturbed by what it left")
        ok(first.endswith(b"job-earlier/000000.hpm.xml'"),
           "which is kept", err)


def test_without_hpm():
    with folder() as where:
        os.mkdir(os.path.join(where, "bin"))  # empty: no hpm
        _, _, err = job(where, 2, ["-o", "all.hpm.xml", "/bin/true"],
                        PATH=os.path.join(where, "bin"))
        ok(err.count(b"\n") == 1 and b"hpm is not found; 'hpm merge -o " in err,
           "without hpm: one line, and what to type", err.decode())
    with folder() as where:
        _, _, err = job(where, 2, ["-o", "all.hpm.xml", "true"],
                        REPORT_STATUS=2)
        ok(b"hpm report failed" in err and
           tasks_of(os.path.join(where, "all.hpm.xml")) == [0, 1],
           "without the report there is the file", err.decode())


def test_refusals():
    for arguments, variables, word in (
            (["-a", "true"], {}, b"mpirun -n 4 hpmcount -a"),
            (["-a", "true"], {"PMI_RANK": 0}, b"mpirun -n 4 hpmcount -a"),
            (["-a", "-r", "2", "true"], {"PMI_RANK": 0, "PMI_SIZE": 1},
             b"-a and -r exclude each other"),
            (["-a", "-o", "/proc/x", "true"], {"PMI_RANK": 0, "PMI_SIZE": 1},
             b"cannot")):
        result = run([HPMCOUNT] + arguments, **variables)
        ok(result.returncode == 125 and word in result.stderr and
           len(result.stderr.splitlines()) == 1,
           f"{' '.join(arguments)}: refused before the program starts", result)


def test_earlier():
    with folder() as where:
        hidden = os.path.join(where, ".hpm-job-job")
        for name, text in (("", "mine"), ("-earlier", "older")):
            os.mkdir(hidden + name)
            with open(os.path.join(hidden + name, "000001.hpm.xml"), "w",
                      encoding="utf-8") as file:
                file.write(text)
        _, _, err = job(where, 2, ["-o", "all.hpm.xml", "true"])
        texts = {}
        for name in os.listdir(hidden + "-earlier"):
            with open(os.path.join(hidden + "-earlier", name),
                      encoding="utf-8") as file:
                texts[name] = file.read()
        equal(texts, {"000001.hpm.xml": "older", "000001.hpm.xml.1": "mine"},
              "what a task of an earlier job has measured is not removed")
        ok(b"job-earlier/000001.hpm.xml.1'" in err and
           tasks_of(os.path.join(where, "all.hpm.xml")) == [0, 1],
           "and said; the new job is as without it", err)


test_together()
test_ways()
test_missing()
test_killed()
test_without_hpm()
test_refusals()
test_earlier()
tap.done()
