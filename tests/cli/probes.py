# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount --section: functions of a program that knows nothing of it, measured by
probes of the kernel.  Skipped where this user may set none."""

import json
import os
import platform
import re
import shlex
import shutil
import signal
import stat
import subprocess
import time

import tap
from tap import HPM, HPMCOUNT, TOP_SOURCE, equal, folder, ok, program, records, run, skip

TRACING = "/sys/kernel/tracing/uprobe_events"
PROGRAM = program("tests/programs/asitis")
ALL = "solve,work,touch,deep,jump,empty,many,first,last,body"


def probes():
    with open(TRACING, encoding="ascii") as file:
        return file.read()


def why_not():
    if os.environ.get("sanitizers"):
        return "functions of a sanitized program are not the program's"
    if os.geteuid() != 0 or not os.access(TRACING, os.W_OK):
        return "not root, or no tracefs"
    if tuple(int(n) for n in platform.release().split("-")[0].split(".")[:2]) < (6, 13):
        return "Linux before 6.13"
    with folder() as where:
        done = run([HPMCOUNT, "--section", "work", "-o", "x.xml", PROGRAM],
                   folder=where)
    # a container may show tracefs and forbid counting
    return None if done.returncode == 3 else done.stderr.decode()


class Run:
    """A run, its sections by label, and the sums of their numbers."""

    def __init__(self, *words, patterns=ALL, events="page-faults,task-clock",
                 options=()):
        with folder() as where:
            path = os.path.join(where, "x.xml")
            self.done = run([HPMCOUNT, "--section", patterns, "-e", events, "-o",
                             path, *options, PROGRAM, *words])
            self.report = run([HPM, "report", path]).stdout.decode()
            with open(path, encoding="utf-8") as file:
                self.text = file.read()
            self.records = [r for r in records(path) if r.scope == "thread"]

    def calls(self):
        found = {}
        for r in self.records:
            found[r.label] = found.get(r.label, 0) + int(r.count)
        return found

    def sum(self, label, counter):
        return sum(int(r.data[counter]["value"]) for r in self.records if r.label == label)


def test_counts():
    plain = run([PROGRAM, "solve", "solve", "many", "tail"])
    found = Run("solve", "solve", "many", "tail")
    equal((found.done.returncode, found.done.stdout), (3, plain.stdout),
          "the program's results and its exit status are its own")
    equal(found.calls(), {"solve": 2, "work": 5, "touch": 2, "many": 1,
                          "empty": 1000, "first": 1, "last": 1},
          "each call is counted, those that end by a tail call, too")
    parents = {(r.label, next((p.label for p in found.records if p.id == r.parent),
                              "")) for r in found.records}
    ok({("work", "solve"), ("touch", "solve"), ("empty", "many"), ("last", "first"),
        ("solve", ""), ("work", "")} <= parents, "each has its call path", parents)
    ok("x.xml" not in found.report and "touch" in found.report,
       "hpm report shows them", found.report)
    listed = json.loads(run([HPM, "functions", "--format", "json", PROGRAM, "work"])
                        .stdout)["functions"][0]
    places = set(re.findall(r'label="work".*via="(.*)" module="(.*)" offset="(.*)"',
                            found.text))
    ok(len(places) == 1 and next(iter(places))[:2] == ("uprobe", PROGRAM) and
       0 <= int(listed["offset"], 16) - int(next(iter(places))[2]) <= 4,
       "and what measured it, and where it is", (places, listed))
    ok(all("SYSTEM_SHARE" not in r.data for r in found.records),
       "what only the whole run is known to have used is no section's",
       [r.data for r in found.records])
    ok('complete="yes"' in found.text and "<Calibration" in found.text,
       "the file is complete, with what was subtracted", found.text[:2000])


def test_threads():
    found = Run("threads")
    equal(found.calls(), {"body": 4, "solve": 200, "work": 400, "touch": 200},
          "calls of all threads are counted")
    equal(len({r.tid for r in found.records}), 4, "each thread has its own")
    faults = [found.sum(label, "page-faults") for label in ("touch", "body")]
    ok(all(200 * 16 <= n <= 200 * 16 + 40 for n in faults),
       "page faults of threads that change their processors are right",
       f"{faults} of {200 * 16}")
    ok('clamped="' not in found.text or all(
        int(r.data["page-faults"]["value"]) >= 0 for r in found.records),
       "no count is below 0", found.text)


def test_returns():
    found = Run("deep", "deep")
    equal(found.calls(), {"deep": 400, "work": 2}, "calls 200 deep are counted")
    ok("272 calls of functions had no return" in found.text,
       "and those without a return are said", found.done.stderr)
    paths = [r for r in found.records if r.label == "work"]
    ok(all(r.parent in (None, "", "0") for r in paths),
       "what follows is not inside of them", [vars(r) for r in paths])
    found = Run("jump", "jump", "solve")
    equal(found.calls(), {"jump": 10, "solve": 1, "work": 2, "touch": 1},
          "calls that a jump leaves are counted")
    ok(all(r.label != "solve" or r.parent in (None, "", "0")
           for r in found.records), "and are over with the next call",
       [vars(r) for r in found.records])


def test_entries(where):
    found = Run("deep", "solve", "threads", options=["--entry-only"],
                patterns=ALL + ",_start")
    equal(found.calls(), {"_start": 1, "deep": 200, "solve": 201, "work": 403,
                          "touch": 201, "body": 4},
          "--entry-only counts calls, also 200 deep, and where the program starts")
    ok(all(r.parent == "" and "value" not in r.data["IncSec"] and
           "entry-only" in r.data["IncSec"]["reason"] and
           "page-faults" not in r.data for r in found.records),
       "and says nothing else", [vars(r) for r in found.records])
    ok("solve 201 - -" in " ".join(found.report.split()), "nor does the report",
       found.report)
    path = os.path.join(where, "throws")
    command = shlex.split(os.environ.get("CXX", "")) or ["g++"]
    if shutil.which(command[0]) is None:
        skip("functions that exceptions leave", "no compiler of C++")
        return
    subprocess.run([*command, "-O2", "-o", path,
                    os.path.join(TOP_SOURCE, "tests", "functions", "throws.cc")],
                   check=True)
    plain = run([path])
    done = run([HPMCOUNT, "--section", "lab::*", "-o", "t.xml", path], folder=where)
    ok(done.returncode == 125 and b"--entry-only counts its calls" in done.stderr,
       "functions that exceptions leave are refused, and the way out is named", done)
    done = run([HPMCOUNT, "--section", "lab::*", "--entry-only", "-o", "t.xml", path],
               folder=where)
    calls = {r.label.partition(" [clone")[0]: int(r.count)
             for r in records(os.path.join(where, "t.xml")) if r.scope == "thread"}
    equal((done.returncode, done.stdout), (plain.returncode, plain.stdout),
          "a program with exceptions ends as it does without")
    equal(calls, {line.rpartition(" ")[0]: int(line.rpartition(" ")[2])
                  for line in plain.stdout.decode().splitlines()},
          "and its calls are counted")


def test_loop():
    found = Run("loop", "loop", "solve", patterns="turn,solve")
    equal(found.calls(), {"turn": 2, "solve": 1},
          "a loop to a function's first instruction is one call")
    ok("198 times a measured function jumped" in found.text,
       "and the times round are said", found.done.stderr)
    ok("had no return" not in found.text and
       all(r.parent in (None, "", "0") for r in found.records),
       "which returns once", [vars(r) for r in found.records])


LIBRARY = """
__attribute__((noinline)) int inner(int n)
{ volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
int outer(int n) { return inner(n) + inner(n + 1) + inner(n + 2); }
"""
PLUGIN = """
int later(int n) { volatile int sum = 0; for (int i = 0; i < n; i++) sum += i; return sum; }
"""
USER = """
#include <dlfcn.h>
#include <stdio.h>
int outer(int n);
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += outer(100);
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    int (*later)(int) = plugin ? (int (*)(int))dlsym(plugin, "later") : NULL;
    for (int i = 0; i < 7 && later; i++)
        sum += later(100);
    printf("%d\\n", sum);
    return 4;
}
"""


def compile_all(where, compiler):
    for name, text, words in (
            ("libown.so.1", LIBRARY, ["-shared", "-fPIC", "-Wl,-soname,libown.so.1"]),
            ("plugin.so", PLUGIN, ["-shared", "-fPIC"]),
            ("user", USER, ["libown.so.1", "-Wl,-rpath,$ORIGIN", "-ldl"])):
        source = os.path.join(where, name + ".c")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        subprocess.run([*compiler, "-O2", "-o", name, source, *words], cwd=where,
                       check=True)


def in_libraries(where, patterns, *before):
    """The run of user with its plug-in, and (module, label) -> (calls, parent)."""
    path = os.path.join(where, "x.xml")
    if os.path.exists(path):
        os.remove(path)
    done = run([*before, HPMCOUNT, "--section", patterns, "-e", "task-clock", "-o",
                path, "./user", "./plugin.so"], folder=where)
    text = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
    modules = {label: os.path.basename(module) for label, module in
               re.findall(r'label="([a-z]*)".*via="uprobe" module="(.*?)"', text)}
    rows = [r for r in records(path) if r.scope == "thread"] if text else []
    names = {r.id: r.label for r in rows}
    return done, {(modules.get(r.label), r.label):
                  (int(r.count), names.get(r.parent, "")) for r in rows}


def test_libraries():
    compiler = shlex.split(os.environ.get("CC", "")) or ["cc"]
    if shutil.which(compiler[0]) is None:
        skip("functions of libraries", "no compiler")
        return
    with folder() as where:
        compile_all(where, compiler)
        plain = run(["./user", "./plugin.so"], folder=where)
        found = in_libraries(where, "main,libown.so:inner,libown.so.1:o*,"
                             "./plugin.so:later")
        equal((found[0].returncode, found[0].stdout), (plain.returncode, plain.stdout),
              "a program with probes in its libraries goes its way")
        equal(found[1], {("user", "main"): (1, ""),
                         ("libown.so.1", "outer"): (5, "main"),
                         ("libown.so.1", "inner"): (15, "outer"),
                         ("plugin.so", "later"): (7, "main")},
              "functions of a library and of one loaded later are counted, below "
              "their callers")
        with subprocess.Popen(["sh", "-c", "while :; do ./user ./plugin.so; done"],
                              cwd=where, stdout=subprocess.DEVNULL,
                              env=tap.environment()) as other:
            found = in_libraries(where, "libown.so:inner,libown.so:o*,!libown.so:outer")
            other.kill()
        equal(found[1], {("libown.so.1", "inner"): (15, "")},
              "those of other programs that load the library are not")
        for patterns, words in (("libnone.so:f", ("libnone.so", "give the path")),
                                ("./none.so:f", ("./none.so", "No such file")),
                                ("libown.so:nosuch", ("libown.so.1", "nosuch"))):
            done, _ = in_libraries(where, patterns)
            ok(done.returncode == 125 and all(w in done.stderr.decode() for w in words),
               f"refused by name: {patterns}", done)
        test_defined(where)


def test_defined(where):
    """Root defines probes in both files, nobody measures with both."""
    if shutil.which("setpriv") is None:
        skip("probes that root has defined in a library", "no setpriv")
        return
    os.chmod(where, 0o755)
    os.chown(where, 65534, 65534)
    given = "+dac_read_search,+perfmon"
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
              "--inh-caps", given, "--ambient-caps", given]
    files = os.path.join(where, "user"), os.path.join(where, "libown.so.1")
    if run([*nobody, HPMCOUNT, "true"], folder=where).returncode != 0:
        skip("probes that root has defined in a library", "nobody may not run hpmcount")
        return
    try:
        for path, names in zip(files, (["main"], ["inner", "outer"])):
            run([HPM, "probes", "define", path, *names])
        found = in_libraries(where, "main,libown.so:inner", *nobody)
        equal((found[0].returncode, found[1]),
              (4, {("user", "main"): (1, ""), ("libown.so.1", "inner"): (15, "main")}),
              "defined probes of two files measure together")
    finally:
        for path in files:
            run([HPM, "probes", "remove", path])


def test_memory():
    with folder() as where:
        command = [HPMCOUNT, "--section", "empty", "-e", "page-faults,task-clock",
                   "-o", "x.xml", PROGRAM, *["many"] * 600]
        with subprocess.Popen(command, cwd=where, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL,
                              env=tap.environment()) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    equal(process.returncode, 3, "600,000 calls without a pause")
    ok(usage.ru_maxrss < 24 * 1024, "need no more memory than a few",
       f"{usage.ru_maxrss} kB")


def test_ends():
    found = Run("child", "solve")
    equal(found.calls(), {"solve": 2, "work": 4, "touch": 2},
          "a forked process is measured")
    found = Run("solve", "killed")
    equal((found.done.returncode, found.calls().get("solve")),
          (-signal.SIGTERM, 1), "a program that a signal ends")
    for word, status in ("exit", 3), ("exec", 0):
        found = Run(word, patterns="leave")
        faults = found.sum("leave", "page-faults")
        ok(found.done.returncode == status and 1600 <= faults <= 1640,
           f"all that a function counted until {word} is its own", faults)
    equal(probes().count(f"{os.path.basename(PROGRAM)}:"), 0,
          "no probe stays behind")


def wait_for(condition):
    for _ in range(3000):
        if condition():
            return True
        time.sleep(0.1)
    return False


def runs(pid, path):
    """Children of the process that run that file."""
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = [int(word) for word in file.read().split()]
    return [child for child in children
            if os.path.exists(f"/proc/{child}/exe")
            and os.readlink(f"/proc/{child}/exe") == path]


def test_leftovers():
    with folder() as where:
        own = os.path.join(where, "waits")
        shutil.copy(PROGRAM, own)
        with subprocess.Popen([HPMCOUNT, "--section", "work", "-o", "x.xml", own,
                               "wait"], cwd=where, stderr=subprocess.DEVNULL,
                              env=tap.environment()) as process:
            ok(wait_for(lambda: runs(process.pid, own)),
               "a program runs with probes")
            left = runs(process.pid, own)
            process.kill()
            process.wait()
        ok(own + ":" in probes(), "a killed hpmcount leaves its probes")
        for pid in left:
            os.kill(pid, signal.SIGTERM)
        Run("solve")
        ok(own + ":" not in probes(), "the next one removes them", probes())


def test_same_number():
    with folder() as where:
        own = os.path.join(where, "other")
        shutil.copy(PROGRAM, own)

        def leave():
            file = os.open(TRACING, os.O_WRONLY | os.O_APPEND)
            os.write(file, f"p:hpmcount_{os.getpid()}/entry {own}:0x40\n".encode())
            os.close(file)

        # exec keeps the number of the process that leaves the probe
        done = tap.limited([HPMCOUNT, "--section", "work", "-o", "x.xml", PROGRAM,
                            "solve"], leave, cwd=where)
        left = own + ":" in probes()
    ok(done.returncode == 3 and not left,
       "a probe that one with the same process number has left is removed", done)


def write_list(line):
    file = os.open(TRACING, os.O_WRONLY | os.O_APPEND)
    os.write(file, line.encode())
    os.close(file)


def ended():
    """The number of a process that is no more."""
    with subprocess.Popen(["true"]) as process:
        return process.pid


def test_busy():
    """Of two groups that are left the first one is in use."""
    busy, other = f"hpmcount_{ended()}", f"hpmcount_{ended()}"
    for group in busy, other:
        write_list(f"p:{group}/entry {PROGRAM}:0x40\n")
    switch = os.path.join(os.path.dirname(TRACING), "events", busy, "entry", "enable")
    with open(switch, "w", encoding="ascii") as file:
        file.write("1")
    Run("solve")
    left = probes()
    with open(switch, "w", encoding="ascii") as file:
        file.write("0")
    write_list(f"-:{busy}/entry\n")
    ok(f"{busy}/" in left and f"{other}/" not in left,
       "probes that something uses do not keep others from being removed", left)


def refused(sentence, words, *command, **options):
    with folder() as where:
        done = run([HPMCOUNT, *command], folder=where, **options)
    ok(done.returncode == 125 and all(w in done.stderr.decode() for w in words),
       sentence, done)


def test_refusals():
    section = ["--section", "work", "-o", "x.xml"]
    refused("without -o: said", ["-o NAME"], "--section", "work", PROGRAM)
    refused("no such function", ["is called 'nosuch'", "hpm functions"],
            "--section", "nosuch", "-o", "x.xml", PROGRAM)
    for patterns in "file:asitis.c", "work,!file:asitis.c":
        refused(f"a file of the source: {patterns}", ["file:asitis.c", "hpm functions"],
                "--section", patterns, "-o", "x.xml", PROGRAM)
    refused("a function that cannot be measured", ["_start", "never returns"],
            "--section", "_start", "-o", "x.xml", PROGRAM)
    refused("--entry-only alone", ["goes with --section"], "--entry-only", PROGRAM)
    with folder() as where:
        other = os.path.join(where, "a copy")
        shutil.copy(PROGRAM, other)
        refused("a path with a blank", ["blank"], *section, other)
        os.chmod(where, 0o755)
        gained = os.path.join(where, "gained")
        shutil.copy(PROGRAM, gained)
        os.chown(gained, 65534, 65534)
        os.chmod(gained, 0o755 | stat.S_ISUID)
        refused("a program that gains privileges", ["set-user-ID"], *section,
                gained)


REASON = why_not()
if REASON:
    skip("functions of unmodified programs", REASON)
else:
    test_counts()
    test_threads()
    test_returns()
    with folder() as where_throws:
        test_entries(where_throws)
    test_loop()
    test_libraries()
    test_memory()
    test_ends()
    test_leftovers()
    test_same_number()
    test_busy()
    test_refusals()
tap.done()
