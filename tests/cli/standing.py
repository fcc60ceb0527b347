# SPDX-License-Identifier: BSD-3-Clause
"""hpm probes: root defines probes once, and a user who is not root measures with them
(hpmcount --section).  Skipped where this user may set none."""

import json
import os
import platform
import shutil

import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, program, records, run, skip

TRACING = "/sys/kernel/tracing/uprobe_events"
NOBODY = 65534
PARANOID = "/proc/sys/kernel/perf_event_paranoid"

# What users get by the group of tracefs and by perf_event_paranoid, without a change
# of either for the whole machine.
MAY_READ, MAY_COUNT = "dac_read_search", "perfmon"


def as_nobody(*rights):
    words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    if rights:
        given = ",".join("+" + right for right in rights)
        words += ["--inh-caps", given, "--ambient-caps", given]
    return words


def probes(*paths):
    done = run([HPM, "probes", "list", "--format", "json", *paths])
    return json.loads(done.stdout)["probes"]


def write_list(line):
    file = os.open(TRACING, os.O_WRONLY | os.O_APPEND)
    os.write(file, line.encode())
    os.close(file)


def why_not():
    if os.environ.get("sanitizers"):
        return "functions of a sanitized program are not the program's"
    if os.geteuid() != 0 or not os.access(TRACING, os.W_OK):
        return "not root, or no tracefs"
    if tuple(int(n) for n in platform.release().split("-")[0].split(".")[:2]) < (6, 13):
        return "Linux before 6.13"
    if shutil.which("setpriv") is None:
        return "no setpriv"
    done = run([*as_nobody(MAY_READ, MAY_COUNT), HPMCOUNT, "-e", "page-faults", "true"])
    if done.returncode != 0:
        return "another user may not run hpmcount here: " + done.stderr.decode()
    with folder() as where:
        done = run([HPMCOUNT, "--section", "work", "-o", "x.xml",
                    program("tests/programs/asitis")], folder=where)
    return None if done.returncode == 3 else done.stderr.decode()


class Place:
    """A folder of nobody's with a program that root has there."""

    def __init__(self, where):
        os.chown(where, NOBODY, NOBODY)
        os.chmod(where, 0o755)
        self.where = where
        self.program = os.path.join(where, "asitis")
        shutil.copy(program("tests/programs/asitis"), self.program)
        os.chmod(self.program, 0o755)

    def define(self, *patterns):
        return run([HPM, "probes", "define", *patterns])

    def measure(self, patterns, *words, rights=(MAY_READ, MAY_COUNT), options=()):
        """By nobody: the process, and the sections by label."""
        path = os.path.join(self.where, "x.xml")
        if os.path.exists(path):
            os.remove(path)
        done = run([*as_nobody(*rights), HPMCOUNT, "--section", patterns, "-e",
                    "page-faults,task-clock", "-o", path, *options, self.program,
                    *words], folder=self.where)
        found = {}
        for r in records(path) if os.path.exists(path) else []:
            if r.scope == "thread":
                found[r.label] = r
        return done, found


def calls(found):
    return {label: int(r.count) for label, r in found.items()}


def test_define(place):
    done, found = place.measure("solve", "solve")
    ok(done.returncode == 125 and b"root has defined none" in done.stderr,
       "without probes a user is told what root must do", done)
    done, _ = place.measure("solve", "solve", rights=())
    ok(done.returncode == 125 and b"hpm probes define" in done.stderr,
       "so is one who may not read tracefs", done)
    done = run([*as_nobody(MAY_READ), HPM, "probes", "define", place.program, "solve"])
    ok(done.returncode == 3 and b"as root" in done.stderr,
       "nobody but root defines them", done)
    done = place.define(place.program, "solve", "work", "_start")
    ok(done.returncode == 0 and b"new probe: 2, with one before: 0" in done.stdout and
       b"'_start'" in done.stderr, "root defines probes, and hears what has none", done)
    ok(b"perf_event_paranoid" in done.stdout and b"tracefs" in done.stdout,
       "and what users may do now", done.stdout)
    done = place.define(place.program, "solve", "touch")
    ok(done.returncode == 0 and b"new probe: 1, with one before: 1" in done.stdout,
       "those that are there stay", done)
    listed = probes(place.program)
    equal(sorted((p["function"], p["probe"], p["owner"], p["state"]) for p in listed),
          [(name, "both", "hpm probes", "ready") for name in ("solve", "touch", "work")],
          "hpm probes list has each function once")


def test_measure(place):
    plain = run([place.program, "solve", "solve"])
    done, found = place.measure("solve,work,touch", "solve", "solve")
    equal((done.returncode, done.stdout), (plain.returncode, plain.stdout),
          "a user measures with them, and the program goes its way")
    equal(calls(found), {"solve": 2, "work": 4, "touch": 2}, "each call is counted")
    faults = int(found["touch"].data["page-faults"]["value"])
    ok(32 <= faults <= 40, "with its counters", faults)
    done, found = place.measure("touch,last", "solve", "tail")
    ok(calls(found) == {"touch": 1} and b"no probe: 1, such as 'last'" in done.stderr,
       "functions without a probe are said, and nothing else is measured",
       (done.stderr, found))
    done, found = place.measure("work", "threads")
    equal(calls(found) and sum(
        int(r.count) for r in records(os.path.join(place.where, "x.xml"))
        if r.label == "work"), 400, "in all threads")


def test_rights(place):
    with open(PARANOID, encoding="ascii") as file:
        paranoid = int(file.read())
    done, found = place.measure("solve,work", "solve", rights=(MAY_READ,))
    if paranoid < 2:
        skip("a user who gets no counters", f"perf_event_paranoid is {paranoid}")
    elif paranoid > 2:
        ok(done.returncode == 125, "a user who may not count is refused", done)
    else:
        ok(done.returncode == 3 and b"calls and time, and no counters" in done.stderr,
           "a user who may not hear of switches has no counters, which is said", done)
        equal(calls(found), {"solve": 1, "work": 2}, "but all calls")
        ok(all("value" in r.data["IncSec"] for r in found.values()) and
           all("value" not in r.data.get("task-clock", {}) for r in found.values()),
           "and their time", [r.data for r in found.values()])
    done = place.define("--entry-only", place.program, "_start", "deep")
    ok(done.returncode == 0 and b"new probe: 2" in done.stdout,
       "entries are defined for calls alone", done)
    done, found = place.measure("_start,deep", "deep", options=["--entry-only"])
    equal((done.returncode, calls(found)), (3, {"_start": 1, "deep": 200}),
          "which a user counts")
    equal({p["probe"] for p in probes(place.program) if p["function"] == "deep"},
          {"entry"}, "and the list says so")


def test_changed(place):
    os.rename(place.program, place.program + ".old")
    shutil.copy(place.program + ".old", place.program)
    equal({p["state"] for p in probes(place.program)}, {"the file has changed"},
          "a program that was installed anew has changed")
    done, _ = place.measure("solve", "solve")
    ok(done.returncode == 125 and b"has changed since" in done.stderr,
       "and is not measured by the old probes", done)
    done = place.define(place.program, "solve")
    ok(b"was another file" in done.stderr and b"new probe: 1," in done.stdout,
       "its probes are defined once more", done)
    done, found = place.measure("solve", "solve")
    equal(calls(found), {"solve": 1}, "and measure")


def test_remove(place):
    other = f"others_{os.getpid()}"
    write_list(f"p:{other}/mine {place.program}:0x40\n")
    try:
        done = run([HPM, "probes", "remove", place.program, "nosuch"])
        ok(done.returncode == 3 and b"nosuch" in done.stderr,
           "a function that is not there: said", done)
        done = run([HPM, "probes", "remove", place.program])
        left = probes(place.program)
        ok(done.returncode == 0 and [p["owner"] for p in left] == [other],
           "all are removed, of the old file, too, but not those of others", left)
        done = run([HPM, "probes", "remove", place.program])
        equal((done.returncode, done.stdout),
              (0, b"functions whose probes were removed: 0\n"),
              "that there are none is no error")
    finally:
        write_list(f"-:{other}/mine\n")


def test_one(place):
    place.define(place.program, "solve", "work")
    done = run([HPM, "probes", "remove", place.program, "work"])
    equal((done.stdout, [p["function"] for p in probes(place.program)]),
          (b"functions whose probes were removed: 1\n", ["solve"]),
          "one function's are removed")
    done, found = place.measure("*", "solve")
    equal(calls(found), {"solve": 1}, "the other one is measured")


def test_usage():
    for words in (["define"], ["define", "x"], ["remove"], ["remove", "--all", "x"],
                  ["other"], []):
        done = run([HPM, "probes", *words])
        ok(done.returncode == 2 and b"expected" in done.stderr,
           f"wrong usage: {words}", done)
    done = run([HPM, "probes", "define", "/nowhere/at/all", "x"])
    ok(done.returncode == 3 and b"/nowhere/at/all" in done.stderr,
       "a file that is not there is named", done)


test_usage()
REASON = why_not()
if REASON:
    skip("probes for other users", REASON)
else:
    with folder() as made:
        the_place = Place(made)
        try:
            test_define(the_place)
            test_measure(the_place)
            test_rights(the_place)
            test_changed(the_place)
            test_remove(the_place)
            test_one(the_place)
        finally:
            run([HPM, "probes", "remove", the_place.program])
tap.done()
