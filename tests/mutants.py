# SPDX-License-Identifier: BSD-3-Clause
"""make mutants: plant single faults in C files and see which the tests notice.

Works on copies of the source tree and builds of its own in a folder given with
--work, of which each worker has one.  Run in the build folder of the user, who
is asked for nothing but a tarball's contents (make distdir)."""

import argparse
import collections
import concurrent.futures
import fcntl
import filecmp
import glob
import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import faults
import reached

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(HERE, "mutants-known.txt")
TABLE = os.path.join(HERE, "mutants-tests.txt")

# A mutated program must not do harm: nothing but the worker's folder can be
# written, with a /tmp in it, signals reach only the test's own processes, all of
# which end with it, and memory, files and processor time have limits.
CONFINED = """
ulimit -c 0; ulimit -v 8000000; ulimit -t "$2"; ulimit -S -f 4000000 || exit 126
if [ "$3" = alone ]; then
    mount --bind "$1" "$1" || exit 126
    case $1 in # it shall be seen in the other /tmp as well
    /tmp/*) mkdir -p "$5/${1#/tmp/}" &&
            mount --bind "$1" "$5/${1#/tmp/}" || exit 126 ;;
    esac
    mount --rbind "$5" /tmp && mount -o remount,bind,ro / || exit 126
fi
cd "$4" || exit 126
shift 5
"$@"
exit $?
"""
UNSHARE = ["unshare", "--mount", "--pid", "--fork", "--mount-proc",
           "--kill-child=KILL"]
# Which lines a test executes is seen in a build with these.
COUNTING = "-O0 -g --coverage -fprofile-update=atomic -Wno-error"
# A mutant hangs when a test takes this many times its own time, and seconds, and
# at least BELIEVED times what it takes right afterwards without the fault.
PATIENCE, PATIENCE_SECONDS = 5, 10
BELIEVED = 3
HANGS = "it hangs"
# What the build makes and runs itself, from sources that faults are planted in: it
# is made without one, or what it has made would keep the fault for all later ones.
AS_THEY_ARE = ["metrics/maketables", "lib/metric/language/shippedtables.c"]
# Programs in tests/ that take longer wait until those of the command line that
# are quicker have been run.
QUICK = 10
# The user's settings that a test may need; all others could lead outside.
KEPT = re.compile(r"(PATH|LANG|LC_.*|CC|CXX|FC|MPICC|OPENMP_CFLAGS|PRIVATE_LIBS"
                  r"|sanitizers|top_srcdir|top_builddir|HPM_MODELS|LD_LIBRARY_PATH)\Z")


class Trouble(Exception):
    """What the user has to know and can change."""


def room_of(path):
    return os.path.dirname(path)


def can_unshare():
    """May this user have namespaces of mounts and processes?"""
    try:
        return subprocess.run(UNSHARE + ["true"], capture_output=True,
                              check=False).returncode == 0
    except FileNotFoundError:
        return False


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line and not line.startswith("#"):
                yield line


def read_table():
    """The command-line tests of each room: {room: [test]}."""
    table = {}
    for line in read_lines(TABLE):
        room, tests = line.split(":")
        table[room] = tests.split()
    return table


def read_known():
    """{(file, line before, line after): reason}"""
    known = {}
    for line in read_lines(KNOWN):
        parts = [part.strip() for part in line.split(" @@ ")]
        if len(parts) != 4 or not parts[3]:
            raise Trouble(f"{KNOWN}: '{line}' is not 'FILE @@ line @@ "
                          f"changed line @@ reason'")
        known[tuple(parts[:3])] = parts[3]
    return known


# --- the folder of one worker

class Worker:
    """A copy of the sources, a build of it, and a scratch home."""

    def __init__(self, folder, is_alone, build_name="b", flags="-O1"):
        self.folder = folder
        self.src = os.path.join(folder, "src")
        self.b = os.path.join(folder, build_name)
        self.flags = flags
        self.is_alone = is_alone
        self.environment = {}
        self.with_fault = set()  # linked with a fault, since taken out or not

    def make(self, *arguments, jobs=1, is_cached=False):
        environment = dict(os.environ)
        if not is_cached:
            environment["CCACHE_DISABLE"] = "1"
        for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"):
            environment.pop(name, None)
        return subprocess.run(
            ["make", "-s", "V=0", f"-j{jobs}", *arguments], cwd=self.b,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", check=False)

    def ask(self, expression):
        """What make says of a variable of the makefile."""
        got = self.make(f"--eval=mutants-ask: ; @echo '{expression}'",
                        "mutants-ask")
        return got.stdout.split() if got.returncode == 0 else []

    def read_environment(self):
        got = self.make("--eval=mutants-env: ; @$(AM_TESTS_ENVIRONMENT) env",
                        "mutants-env")
        self.environment = {
            name: value for name, _, value in
            (line.partition("=") for line in got.stdout.splitlines())
            if KEPT.match(name)}
        self.environment["HOME"] = self.scratch("home")
        self.environment["TMPDIR"] = ("/tmp" if self.is_alone else
                                      self.scratch("tmp"))

    def scratch(self, name):
        """A folder that is empty before each test; each build has its own."""
        return os.path.join(self.folder, f"{name}-{os.path.basename(self.b)}")

    def command(self, test):
        if test.endswith(".py"):
            return [os.path.join(self.src, "tests", "run-python"),
                    os.path.join(self.src, test)]
        if test.endswith(".sh"):
            return ["sh", os.path.join(self.src, test)]
        return ["./" + test]

    def run(self, test, limit):
        """(has it passed, why not, seconds)"""
        for name in ("home", "tmp"):
            path = self.scratch(name)
            shutil.rmtree(path, ignore_errors=True)
            os.makedirs(path)
        command = ["sh", "-c", CONFINED, "sh", self.folder,
                   str(int(4 * limit) + 1), "alone" if self.is_alone else "",
                   self.b, self.scratch("tmp"), *self.command(test)]
        began = time.monotonic()
        with subprocess.Popen(
                (UNSHARE if self.is_alone else []) + command,
                env=self.environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True) as child:
            is_late = False
            try:
                said, _ = child.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                is_late = True
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if is_late:
                said, _ = child.communicate()
        reason = HANGS if is_late else tap_fault(
            said.decode(errors="replace"), child.returncode)
        return reason is None, reason, time.monotonic() - began


def tap_fault(said, status):
    """What a test complains of, None when it has passed."""
    plan, n = None, 0
    for line in said.splitlines():
        if re.match(r"not ok\b", line) and "# TODO" not in line:
            return line
        if line.startswith("Bail out"):
            return line
        n += bool(re.match(r"(not )?ok\b", line))
        found = re.match(r"1\.\.(\d+)", line)
        if found:
            plan = int(found.group(1))
    if status != 0:
        return f"exit status {status}"
    if plan is None:
        return "it has no end"
    return None if plan == n else f"{n} assertions of {plan}"


# --- preparing

def is_different(one, two):
    return not os.path.exists(two) or not filecmp.cmp(one, two, shallow=False)


def renew_sources(dist, src):
    """What the user has changed since the last time, and nothing else, is
    copied.  C files get a new date, since one may be there with a fault of a
    run that was killed, in an object that is newer."""
    wanted = set()
    has_changed = False
    for folder, _, names in os.walk(dist):
        for name in names:
            path = os.path.join(folder, name)
            inside = os.path.relpath(path, dist)
            wanted.add(inside)
            copy = os.path.join(src, inside)
            if is_different(path, copy):
                has_changed = True
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy2(path, copy)
                if path.endswith((".c", ".h")):
                    os.utime(copy)
    for folder, _, names in os.walk(src):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.relpath(path, src) not in wanted:
                has_changed = True
                os.remove(path)
    return has_changed


def distribute(work):
    """The files of a tarball, as they are now in the user's tree."""
    dist = os.path.join(work, "dist")
    got = subprocess.run(["make", "-s", "V=0", "distdir", f"distdir={dist}"],
                         capture_output=True, text=True, check=False)
    if got.returncode != 0:
        raise Trouble(f"make distdir failed:\n{got.stderr}")
    return dist


def configure_arguments(files, flags):
    """As this build was configured, one kind of library, without the viewer
    where no fault is planted in it."""
    got = subprocess.run(["./config.status", "--config"], check=True,
                         capture_output=True, text=True).stdout
    shell = subprocess.run(["sh", "-c", f"printf '%s\\n' {got}"], check=True,
                           capture_output=True, text=True).stdout
    arguments = [part for part in shell.splitlines()
                 if not part.startswith(("--srcdir", "--prefix", "CFLAGS="))]
    arguments += ["--disable-static", "--enable-werror",
                  "--disable-silent-rules", f"CFLAGS={flags}"]
    if not any("viz" in path for path in files):
        arguments.append("--disable-hpmviz")
    return arguments


def run_step(what, command, folder):
    got = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, errors="replace", check=False)
    if got.returncode != 0:
        raise Trouble(f"{what} failed:\n{got.stdout[-3000:]}")


def configure(worker, files):
    """Anew when it was for other files; says if so."""
    arguments = configure_arguments(files, worker.flags)
    noted = worker.b + ".arguments"
    if os.path.exists(noted):
        with open(noted, encoding="utf-8") as file:
            if file.read() == repr(arguments):
                return False
    shutil.rmtree(worker.b, ignore_errors=True)
    os.makedirs(worker.b)
    run_step("configure", ["../src/configure", *arguments], worker.b)
    with open(noted, "w", encoding="utf-8") as file:
        file.write(repr(arguments))
    return True


def build(worker, jobs):
    """The unmutated programs and tests."""
    for targets in (["all"], ["check", "TESTS="]):
        got = worker.make(*targets, jobs=jobs, is_cached=True)
        if got.returncode != 0:
            raise Trouble(f"make {' '.join(targets)} failed:\n"
                          f"{got.stdout[-3000:]}")


def clone(first, folder):
    """A second worker from the first: all names of the first's folder, which
    are as long, become its own.  The build that counts is the first's alone."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(first, folder, symlinks=True,
                    ignore=lambda place, _: ["c"] if place == first else [])
    old, new = first.encode() + b"/", folder.encode() + b"/"
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            if os.path.islink(path):
                continue
            with open(path, "rb") as file:
                content = file.read()
            if old in content:
                status = os.stat(path)
                with open(path, "wb") as file:
                    file.write(content.replace(old, new))
                os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def hold(work):
    """The folder is one run's at a time; given back at the end of the
    process."""
    os.makedirs(work, exist_ok=True)
    held = os.open(os.path.join(work, "lock"), os.O_CREAT | os.O_RDWR
                   | os.O_CLOEXEC)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"# waiting for another run in {work}", flush=True)
        fcntl.flock(held, fcntl.LOCK_EX)


def prepare(work, files, n_workers):
    """The workers' folders, up to date."""
    is_alone = can_unshare()
    if not is_alone:
        print("# no namespaces here: mutants run with limits, in a scratch "
              "home, but what they do to files elsewhere is theirs")
    workers = [Worker(os.path.join(work, f"w{i}"), is_alone)
               for i in range(n_workers)]
    dist = distribute(work)
    has_changed = False
    for worker in workers:
        # much sooner than another build, in which a cache finds other names
        if worker is not workers[0] and (has_changed or
                                         not os.path.isdir(worker.folder)):
            clone(workers[0].folder, worker.folder)
        is_new = renew_sources(dist, worker.src) | configure(worker, files)
        if is_new:
            build(worker, n_workers)
        has_changed |= is_new
    shutil.rmtree(dist)
    counting = Worker(workers[0].folder, is_alone, "c", COUNTING)
    if configure(counting, files) | has_changed:
        build(counting, n_workers)
    for worker in [counting, *workers]:
        worker.read_environment()
    return workers, counting, has_changed


# --- which objects and programs a file is in

class Links:
    """Read from the unmutated build: the compiler's dependencies and the
    linker's symbols."""

    def __init__(self, worker):
        self.b = worker.b
        self.includers = collections.defaultdict(set)
        for path in glob.glob(os.path.join(self.b, "**", ".deps", "*.P*o"),
                              recursive=True):
            self.read_dependencies(path)
        self.symbols = {}

    def read_dependencies(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read().replace("\\\n", " ")
        for rule in text.split("\n"):
            target, _, needed = rule.partition(":")
            for name in needed.split():
                if name.startswith("../src/"):
                    self.includers[name[len("../src/"):]].add(target.strip())

    def objects(self, path):
        """What make must compile anew: .o of programs, .lo of libraries."""
        return sorted(self.includers.get(path, ()))

    def code(self, name):
        """The file with the code of an object; that of what only programs link
        stands beside the .lo."""
        if not name.endswith(".lo"):
            return name
        folder, base = os.path.split(name)
        hidden = os.path.join(folder, ".libs", base[:-3] + ".o")
        return (hidden if os.path.exists(os.path.join(self.b, hidden))
                else name[:-3] + ".o")

    def read_symbols(self, name):
        """The names a program or object defines: {name: is it for others}."""
        if name not in self.symbols:
            hidden = os.path.join(self.b, os.path.dirname(name), ".libs",
                                  os.path.basename(name))
            path = os.path.join(self.b, name)
            got = subprocess.run(
                ["nm", "--defined-only", hidden if os.path.exists(hidden)
                 else path], capture_output=True, text=True, check=False)
            parts = [line.split() for line in got.stdout.splitlines()]
            self.symbols[name] = {part[2]: part[1].isupper()
                                  for part in parts if len(part) == 3}
        return self.symbols[name]

    def is_in(self, program, path):
        """Is an object of this file linked into the program?"""
        for name in self.objects(path):
            symbols = self.read_symbols(self.code(name))
            names = {symbol for symbol in symbols if symbols[symbol]}
            if (names - {"main"}) & set(self.read_symbols(program)):
                return True
            if "main" in names and (os.path.dirname(name)
                                    == os.path.dirname(program)):
                return True
        return False


# --- which tests

def in_fews(tests):
    """So many as make links at once: the first one alone, for it often tells, and
    to link the next ones takes longer than to run them."""
    return [few for few in [tests[:1]] + [tests[i:i + 3] for i in
                                          range(1, len(tests), 3)] if few]


class Choice:
    """The tests of a file, those first that are most likely to tell."""

    def __init__(self, worker, links):
        tests = worker.ask("$(TESTS)")
        self.all = set(tests)
        self.programs = [test for test in tests
                         if not test.endswith((".py", ".sh"))]
        built = worker.ask("$(bin_PROGRAMS) $(pkglibexec_PROGRAMS) "
                           "$(check_PROGRAMS)")
        self.tools = [name for name in built if name not in self.all]
        self.libraries = worker.ask("$(lib_LTLIBRARIES)")
        self.table = read_table()
        self.links = links
        self.counting = None
        self.reached = None
        self.lock = threading.Lock()
        self.longest = 0
        self.has_only_units = False
        self.sound = ""
        self.proven = []  # tests that pass without a fault
        self.unfit = {}  # why the others do not
        self.slowest = {}  # seconds they took on a machine with other work

    def tests_of_users(self, path):
        """By the table, but first the one of the file's own name."""
        name = os.path.splitext(os.path.basename(path))[0]
        own = f"tests/cli/{name}.py"
        tests = ["tests/" + test for test in self.table.get(
            room_of(path), self.table["other"])]
        for test in tests:
            if not os.path.exists(os.path.join(os.path.dirname(HERE), test)) \
                    and test not in self.all:
                raise Trouble(f"{TABLE}: there is no test '{test}'")
        return [test for test in dict.fromkeys([own] + tests)
                if test in self.all]

    def programs_of(self, path):
        return [test for test in self.programs
                if self.links.is_in(test, path)]

    @staticmethod
    def is_its_own(test, path):
        """0 for the program in tests/ named as the file, 1 for others."""
        name = os.path.splitext(os.path.basename(path))[0]
        return int(test.endswith(".py") or os.path.basename(test) != name)

    def near(self, tests, path, line, said):
        """Of these tests those of which is said that they execute the line, or
        something in the file; the near and quick ones first."""
        return sorted((test for test in tests if self.is_fit(test)
                       and self.reached.says(test, path, line) == said),
                      key=lambda test: (self.is_its_own(test, path),
                                        self.reached.seconds(test)))

    def stages(self, path, line):
        """The tests to run, in lists, and what is known of them: do they
        execute the line?  Where none does, or the coverage is that of an older
        file, they are those that execute something in the file: what ends by a
        signal or _exit is not seen by the compiler's coverage.  Tests that take
        long come last, for what nothing else has noticed."""
        inside = self.programs_of(path)
        quick = [test for test in inside if self.reached.seconds(test) < QUICK]
        first = self.near(quick, path, line, "yes")
        if first:
            yield first, True
        if self.has_only_units:
            rest = self.near(quick, path, line, "file")
            if not first and rest:
                yield rest, False
            return
        users = [test for test in dict.fromkeys(
            self.tests_of_users(path) + inside) if test not in quick]
        self.weigh(users)
        second = self.near(users, path, line, "yes")
        if second:
            yield second, True
        if not first and not second:
            rest = self.near(quick + users, path, line, "file")
            yield self.that_fit_in(rest or [test for test in quick + users
                                            if self.is_fit(test)],
                                   2 * self.longest), False
        slow = [test for test in users if self.is_slow(test)]
        if slow:
            yield slow, False

    def that_fit_in(self, tests, seconds):
        chosen = []
        for test in tests:
            seconds -= self.reached.seconds(test)
            if seconds >= 0 or not chosen:
                chosen.append(test)
        return chosen

    def groups(self, path, tests):
        """[(what to make, its tests)]: a few at a time; the command line's need
        the programs and libraries."""
        tools = self.libraries + [name for name in self.tools
                                  if self.links.is_in(name, path)]
        groups = []
        for few in in_fews(tests):
            programs = [test for test in few if test in self.programs]
            groups.append((programs + (tools if programs != few else []), few))
        return groups

    def begin(self, counting, options, work, is_new):
        """Weighs the programs that link the files; those of the command line
        are weighed when they are needed."""
        self.longest = options.longest
        self.has_only_units = options.unit
        self.counting = counting
        self.reached = reached.Reached(os.path.join(work, "reached.json"),
                                       counting.src)
        self.reached.note_files(options.files)
        self.sound = os.path.join(work, "sound.json")
        if not is_new and os.path.exists(self.sound):
            with open(self.sound, encoding="utf-8") as file:
                self.proven, self.unfit = json.load(file)
        self.weigh(dict.fromkeys(test for name in options.files
                                 for test in self.programs_of(name)))

    def weigh(self, tests):
        """Which lines each of them executes, and how long it takes."""
        with self.lock:
            for test in tests:
                if not self.reached.knows(test, self.longest):
                    self.weigh_one(test)

    def weigh_one(self, test):
        build = self.counting.b
        reached.clear(build)
        is_good, reason, seconds = self.counting.run(test, self.longest)
        self.reached.note(test, seconds < self.longest, seconds,
                          reached.lines_executed(build, self.counting.src))
        if self.is_slow(test):
            print(f"# {test} comes last: it takes over {self.longest} s",
                  flush=True)
        elif not is_good:
            print(f"# {test} does not pass with coverage: {reason}", flush=True)

    def is_slow(self, test):
        return not self.reached.is_fit(test) and test not in self.unfit

    def is_fit(self, test):
        return self.reached.is_fit(test) and test not in self.unfit

    def limit(self, test):
        seconds = max(self.reached.seconds(test), self.slowest.get(test, 0))
        return PATIENCE * seconds + PATIENCE_SECONDS

    def is_late(self, test, seconds):
        """Was the limit fair, where the test takes so long without a fault?  If
        not, it grows."""
        is_fair = BELIEVED * seconds <= self.limit(test)
        self.slowest[test] = max(seconds, self.slowest.get(test, 0))
        return is_fair

    def note_sound(self, test, reason):
        """What the test says without any fault: None when it passes."""
        if reason is None:
            self.proven += [test] if test not in self.proven else []
        else:
            self.unfit[test] = reason
            print(f"# {test} is left out, without any fault: {reason}",
                  flush=True)
        with open(self.sound, "w", encoding="utf-8") as file:
            json.dump([self.proven, self.unfit], file)


def on_all(workers, action, stop=None):
    """Each worker does it, at the same time; an interrupt tells them to
    stop."""
    with concurrent.futures.ThreadPoolExecutor(len(workers)) as pool:
        futures = [pool.submit(action, worker) for worker in workers]
        try:
            for future in futures:
                future.result()
        except KeyboardInterrupt:
            if stop is None:
                raise
            print("# interrupted: ends with the mutants at hand", flush=True)
            stop()


# --- one mutant

class Mutant:
    """One fault in one worker's copy, and out of it again."""

    def __init__(self, worker, choice, fault, text):
        self.worker = worker
        self.choice = choice
        self.fault = fault
        self.text = text
        self.is_planted = False
        self.path = os.path.join(worker.src, fault.path)
        self.objects = choice.links.objects(fault.path)
        self.names = [name for whole in self.objects for name in
                      {whole, choice.links.code(whole)}]

    def at(self, name):
        return os.path.join(self.worker.b, name)

    def keep(self):
        self.status = os.stat(self.path)
        self.kept = {}
        for name in self.names:
            with open(self.at(name), "rb") as file:
                self.kept[name] = file.read()

    def plant(self):
        self.is_planted = True
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(faults.planted(self.text, self.fault))

    def put_back(self):
        """Newer objects as they were, which spares a compilation, and then the
        source with its old date."""
        self.is_planted = False
        for name, content in self.kept.items():
            with open(self.at(name), "wb") as file:
                file.write(content)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)
        os.utime(self.path, ns=(self.status.st_atime_ns,
                                self.status.st_mtime_ns))

    def changes_nothing(self):
        for name, content in self.kept.items():
            if name.endswith(".o"):
                with open(self.at(name), "rb") as file:
                    if file.read() != content:
                        return False
        return True

    def make(self, targets):
        kept = [word for name in AS_THEY_ARE for word in ("-o", name)]
        return self.worker.make(*kept, *targets).returncode == 0

    def make_group(self, targets):
        """With what is left with an earlier fault in it, where tests are to use
        it; that may get the fault that is planted now."""
        left = [name for name in self.choice.libraries + self.choice.tools
                if name in self.worker.with_fault
                and set(targets) & set(self.choice.libraries)]
        is_made = self.make(dict.fromkeys(targets + left))
        self.worker.with_fault -= {name for name in left
                                   if not self.may_be_in(name)}
        self.worker.with_fault |= set(targets)
        return is_made

    def may_be_in(self, name):
        return self.is_planted and (
            name in self.choice.libraries
            or self.choice.links.is_in(name, self.fault.path))

    def is_sound(self, targets, test, has_hung):
        """Does the test pass without the fault, and at least so much sooner
        that the fault is the reason?  The source is put back for that."""
        if test in self.choice.proven and not has_hung:
            return True
        self.put_back()
        self.make_group(targets)
        _, reason, seconds = self.worker.run(test,
                                             4 * self.choice.limit(test))
        self.choice.note_sound(test, reason)
        return (test not in self.choice.unfit
                and (not has_hung or self.choice.is_late(test, seconds)))

    def judge(self):
        """("no mutant" | "same" | "no test" | "killed" | "alive", by what)"""
        if not self.make(self.objects):
            return "no mutant", "it does not compile"
        if self.changes_nothing():
            return "same", "the compiler makes the same of it"
        n = 0
        line = ", none of which is known to execute the line"
        for tests, has_line in self.choice.stages(self.fault.path,
                                                  self.fault.line):
            n += len(tests)
            line = "" if has_line else line
            for targets, few in self.choice.groups(self.fault.path, tests):
                verdict = self.run_group(targets, few)
                if verdict is not None:
                    return verdict
        return ("alive" if n else "no test"), f"{n} tests{line}"

    def run_group(self, targets, tests):
        """What judge() says, None when none of the tests has noticed."""
        if not self.make_group(targets):
            return "no mutant", "it does not link"
        for test in tests:
            is_good, reason, _ = self.worker.run(test, self.choice.limit(test))
            if not is_good and not self.is_sound(targets, test,
                                                 reason == HANGS):
                return "again", test
            if not is_good:
                return "killed", f"{test}: {reason}"
        return None

    def try_it(self):
        self.keep()
        verdict = "again"
        while verdict == "again":
            try:
                self.plant()
                verdict, reason = self.judge()
            finally:
                self.put_back()
        return verdict, reason


# --- a whole run

class Run:
    """The faults in the order drawn, and what became of each."""

    def __init__(self, options, workers, choice):
        self.options = options
        self.workers = workers
        self.choice = choice
        self.known = read_known()
        self.lock = threading.Lock()
        self.texts = {}
        self.n_taken = 0
        self.results = []
        self.counts = collections.Counter()
        self.end = time.monotonic() + options.seconds
        self.waiting = self.drawn()

    def stop(self):
        self.end = 0

    def text(self, path):
        if path not in self.texts:
            with open(os.path.join(self.workers[0].src, path),
                      encoding="utf-8") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def drawn(self):
        """All faults of the files in random order: first a kind is drawn, and
        then one of that kind, so that no kind is rare; the rooms take turns."""
        kinds = collections.defaultdict(list)
        for path in self.options.files:
            for fault in faults.all_in(path, self.text(path)):
                if self.options.is_wanted(fault):
                    kinds[fault.kind].append(fault)
        if not kinds:
            raise Trouble("there is no fault to plant in what was named")
        chance = random.Random(self.options.seed)
        for kind in sorted(kinds):
            chance.shuffle(kinds[kind])
        rooms = collections.defaultdict(list)
        while kinds:
            kind = chance.choice(sorted(kinds))
            fault = kinds[kind].pop()
            rooms[room_of(fault.path)].append(fault)
            if not kinds[kind]:
                del kinds[kind]
        # the rooms in turn, that each has as many
        return [fault for turn in itertools.zip_longest(*rooms.values())
                for fault in turn if fault is not None]

    def is_known(self, fault):
        text = self.text(fault.path)
        before, after = faults.lines_of(text, fault)
        above = text.split("\n")[fault.line - 2].strip()
        return bool({(fault.path, before, after),
                     (fault.path, f"{above} // {before}", after)}
                    & set(self.known))

    def take(self):
        """The next fault to plant, None when there are enough."""
        with self.lock:
            while (self.waiting and self.n_taken < self.options.number
                   and time.monotonic() < self.end):
                fault = self.waiting.pop(0)
                if self.is_known(fault):
                    self.counts["known"] += 1
                    continue
                self.n_taken += 1
                return fault
        return None

    def note(self, fault, verdict, reason, seconds):
        with self.lock:
            self.counts[verdict] += 1
            if verdict not in ("killed", "alive"):
                self.n_taken -= verdict != "no test"
                return
            self.results.append((fault, verdict, reason))
            print(f"{verdict:6} {fault.path}:{fault.line} {fault.kind}, "
                  f"{seconds:.1f} s, {reason[:90]}", flush=True)
            if verdict == "alive":
                before, after = faults.lines_of(self.text(fault.path), fault)
                print(f"  - {before}\n  + {after}", flush=True)

    def work_through(self, worker):
        while True:
            fault = self.take()
            if fault is None:
                return
            began = time.monotonic()
            verdict, reason = Mutant(worker, self.choice, fault,
                                     self.text(fault.path)).try_it()
            self.note(fault, verdict, reason, time.monotonic() - began)

    def show_survivors(self):
        for fault, verdict, reason in self.results:
            if verdict == "alive":
                before, after = faults.lines_of(self.text(fault.path), fault)
                print(f"\n{fault.path}:{fault.line}: {fault.kind}, not noticed "
                      f"by {reason}\n  - {before}\n  + {after}")

    def score(self):
        """The table by room; the score in all, in percent."""
        rooms = collections.defaultdict(collections.Counter)
        for fault, verdict, _ in self.results:
            rooms[room_of(fault.path)][verdict] += 1
            rooms["in all"][verdict] += 1
        if not self.results:
            raise Trouble("no fault could be planted")
        print(f"\n{'room':20} mutants  noticed  score")
        percent = 0.0
        for room in sorted(rooms, key=lambda name: (name == "in all", name)):
            n = sum(rooms[room].values())
            percent = 100.0 * rooms[room]["killed"] / n
            print(f"{room:20} {n:7}  {rooms[room]['killed']:7}  {percent:3.0f} %")
        print(f"seed {self.options.seed}; not counted: "
              f"{self.counts['no mutant']} that do not compile, "
              f"{self.counts['same']} of which the compiler makes the same, "
              f"{self.counts['known']} known to change nothing, "
              f"{self.counts['no test']} of files without a test that is not "
              f"left out")
        return percent


def read_options():
    parser = argparse.ArgumentParser(
        prog="make mutants", description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="+", help="C files, from the top folder;"
                        " FILE:LINE plants the faults of that line")
    parser.add_argument("--number", type=int, default=40)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="begin no mutant after so many")
    parser.add_argument("--kind", default="", help="only faults of this kind")
    parser.add_argument("--longest", type=float, default=20, metavar="SECONDS",
                        help="tests that take longer come last")
    parser.add_argument("--unit", action="store_true",
                        help="only the quick programs that link the file: what "
                        "the command line's tests notice is missed")
    parser.add_argument("--want", type=float, default=0,
                        help="fail below this score, in percent")
    parser.add_argument("--work", default="mutants", help="folder for the work")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10 ** 6)
    options.workers = max(1, min(options.workers, 9, options.number))
    return options


def find_files(options):
    """The files named, with patterns, as paths from the top folder."""
    top = os.path.dirname(HERE)
    lines = collections.defaultdict(set)
    for name in " ".join(options.files).split():
        name, _, line = name.partition(":")
        found = sorted(glob.glob(os.path.join(top, name)))
        if not found:
            raise Trouble(f"'{name}' is no file of the source tree; expected "
                          f"one such as lib/record/calltree.c")
        for path in found:
            lines[os.path.relpath(path, top)].add(int(line or 0))
    options.files = list(lines)
    options.is_wanted = lambda fault: (
        lines[fault.path] & {0, fault.line}
        and options.kind in ("", fault.kind))


def main():
    options = read_options()
    try:
        find_files(options)
        work = os.path.abspath(options.work)
        hold(work)
        print(f"# seed {options.seed}", flush=True)
        workers, counting, is_new = prepare(work, options.files,
                                            options.workers)
        choice = Choice(workers[0], Links(workers[0]))
        choice.begin(counting, options, work, is_new)
        run = Run(options, workers, choice)
        on_all(workers, run.work_through, run.stop)
        run.show_survivors()
        percent = run.score()
    except Trouble as trouble:
        print(f"make mutants: {trouble}", file=sys.stderr)
        return 2
    return 1 if percent < options.want else 0


if __name__ == "__main__":
    sys.exit(main())
