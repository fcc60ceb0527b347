# SPDX-License-Identifier: BSD-3-Clause
"""Functions of programs compiled with -finstrument-functions or -fxray-instrument, as
sections (libhpm_functions, hpmcount --functions): the programs count their calls
themselves, and end as they do without."""

import os
import shlex
import shutil
import platform
import stat
import xml.etree.ElementTree as ET
from shutil import which

import tap
from tap import HPM, HPMCOUNT, TOP_BUILD, TOP_SOURCE, equal, files, folder, ok
from tap import records, run, skip

SOURCES = os.path.join(TOP_SOURCE, "tests", "functions")
LIBRARIES = ":".join(os.path.join(TOP_BUILD, "lib", *path, ".libs")
                     for path in ((), ("functions",)))
LIBRARY = os.path.join(TOP_BUILD, "lib", "functions", ".libs",
                       "libhpm_functions.so")
HOOKS = "-finstrument-functions"
XRAY = ("-fxray-instrument", "-fxray-instruction-threshold=1", "-fno-inline")
# XRay has an attribute of its own for functions that are not to be seen.
SEEN = "*,!called,!print_counted,!handle,!signals,!threads,!plugin"


def why_not():
    if os.environ.get("sanitizers"):
        return "a sanitizer's library must be the first loaded"
    if not os.path.exists(LIBRARY):
        return "no shared library (configured with --disable-shared)"
    return None


def compilers(variable, *names):
    """The one of this build, and the others there are."""
    own = shlex.split(os.environ.get(variable, ""))
    found = [own] if own else []
    bare = [each for command in found for each in command
            if each not in ("ccache",)]
    return found + [[name] for name in names if which(name) and name not in bare]


def built(compiler, source, where, *flags, name="program", hooks=(HOOKS,)):
    """The program's path, or None."""
    path = os.path.join(where, name)
    made = run([*compiler, "-O2", *hooks, "-I", SOURCES,
                os.path.join(SOURCES, source), "-o", path, *flags,
                "-lpthread", "-ldl"])
    good = ok(made.returncode == 0,
              f"{os.path.basename(compiler[-1])}: {source} compiles",
              made.stdout + made.stderr)
    return path if good else None


def preloaded(**variables):
    return {"LD_PRELOAD": "libhpm_functions.so", "LD_LIBRARY_PATH": LIBRARIES,
            "HPM_SOURCE": "none", **variables}


class Run:
    """A run of a program in a folder of its own: how it ended, and the calls of each
    label and path."""

    def __init__(self, command, functions="*", **variables):
        with folder() as where:
            if functions is not None:
                variables["HPM_FUNCTIONS"] = functions
            self.done = run(command, folder=where, **preloaded(**variables))
            self.files = [records(path) for path in files(where)]
        self.calls, self.paths, self.open, self.threads = {}, {}, [], set()
        self.vias = {}
        for one in self.files:
            self.add(one)

    def add(self, found):
        by_id = {r.id: r for r in found}
        for record in found:
            names, at = [], record
            while at is not None:
                names.append(at.label)
                at = by_id.get(at.parent)
            path = ">".join(reversed(names))
            count = int(record.count)
            self.calls[record.label] = self.calls.get(record.label, 0) + count
            self.paths[path] = self.paths.get(path, 0) + count
            self.threads.add(record.tid)
            self.vias[record.label] = getattr(record, "via", None)
            if record.open:
                self.open.append(path)

    def said(self):
        return self.done.stderr.decode()


def own_counts(output):
    """NAME COUNT of the program."""
    counts = {}
    for line in output.decode().splitlines():
        name, number = line.rsplit(" ", 1)
        counts[name] = counts.get(name, 0) + int(number)
    return counts


def check(sentence, command, extra=("main",), **variables):
    """The calls are those that the program counted, and it ended as ever."""
    bare = run(command)
    measured = Run(command, **variables)
    equal((measured.done.returncode, measured.done.stdout),
          (bare.returncode, bare.stdout), f"{sentence}: the program does as it did")
    calls = {k: v for k, v in measured.calls.items() if k not in extra}
    equal(calls, own_counts(bare.stdout), f"{sentence}: each call is counted")
    equal((measured.open, measured.said()), ([], ""),
          f"{sentence}: nothing is left open, and nothing is said")
    return measured


# ---- C -----------------------------------------------------------------------

WAYS = ("plain", "recursion", "tail", "exit", "grows", "signals-inside",
        "coroutines", "exec")


def test_c(compiler, where):
    name = os.path.basename(compiler[-1])
    program = built(compiler, "ways.c", where)
    if program is None:
        return
    for way in WAYS:
        check(f"{name}, {way}", [program, way])
    equal(Run([program, "plain"]).paths,
          {"main": 1, "main>outer": 10, "main>outer>inlined": 20,
           "main>outer>leaf": 10, "main>outer>inlined>leaf": 10},
          f"{name}: a function that was inlined is in the one around it")
    equal(set(Run([program, "plain"]).vias.values()), {"hook"},
          f"{name}: the file says that hooks measured them")
    equal(Run([program, "coroutines"]).paths,
          {"main": 1, "main>coroutines": 1, "main>coroutines>routine": 2,
           "main>coroutines>routine>step": 4,
           "main>coroutines>routine>step>leaf": 13, "main>coroutines>leaf": 1},
          f"{name}, coroutines: each function ends at its own hook")
    test_leaving(name, program)
    test_tasks(name, program)
    test_exact(name, program, where)
    test_plugins(name, compiler, program, where)
    test_linker(name, compiler, where)
    if platform.machine() == "x86_64":
        test_steps(compiler, where)
    if not tap.IS_REPEATED:
        test_twins(compiler, where)


def test_leaving(name, program, functions="*"):
    """longjmp calls no hook: what follows belongs to the one that caught it."""
    paths = check(f"{name}, longjmp", [program, "jumps"], functions=functions).paths
    equal(paths, {"main": 1, "main>catcher": 1, "main>catcher>middle": 5,
                  "main>catcher>middle>jump": 20, "main>catcher>leaf": 5},
          f"{name}, longjmp: what was left is closed")
    equal(check(f"{name}, a jump into an outer call", [program, "again"],
                functions=functions).paths,
          {"main": 1, "main>again": 15, "main>handled": 5, "main>handled>leaf": 5},
          f"{name}: an outer call ends, and with it what was left in it")
    if functions == "*":
        equal(Run([program, "jumps"], "middle,jump").paths,
              {"middle": 5, "middle>jump": 20},
              f"{name}, longjmp: a function that is not measured shows it, too")
    for way in ("signals", "signals-apart"):
        paths = check(f"{name}, {way}", [program, way], functions=functions).paths
        equal(paths, {"main": 1, "main>raiser": 6, "main>raiser>handled": 6,
                      "main>raiser>handled>leaf": 6, "main>raiser>leaf": 6},
              f"{name}, {way}: handlers are inside, and end by siglongjmp")


def test_tasks(name, program, functions="*"):
    measured = check(f"{name}, threads", [program, "threads"], functions=functions)
    equal(len(measured.threads), 1001, f"{name}, threads: each has its own")
    paths = check(f"{name}, pthread_exit", [program, "quits"],
                  functions=functions).paths
    equal(paths, {"main": 1, "quits": 20, "quits>leaf": 20},
          f"{name}, pthread_exit: it ends the function")
    measured = Run([program, "fork"], functions)
    equal(sorted(sorted((r.label, r.count) for r in one)
                 for one in measured.files),
          [[("forker", "1"), ("leaf", "1"), ("main", "1")], [("leaf", "1")]],
          f"{name}, fork: the child has the functions that it begins")
    equal((measured.done.returncode, measured.said()), (3, ""),
          f"{name}, fork: and stops none that it has not begun")


def test_exact(name, program, where):
    """The time of a function that was left ends at the next hook."""
    time, lines = 0, ["events a"]
    for i in range(5):
        for step, count in ((1000, 1), (10 + i, 3), (1, 4), (100 * i, 7)):
            time += step
            lines.append(f"0 {time} {1000 * i + count}")
    path = os.path.join(where, "x.replay")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    measured = Run([program, "jumps"], "middle,leaf", HPM_SOURCE="replay",
                   HPM_REPLAY=path)
    values = {r.label: (r.data["IncSec"]["value"], r.data["a"]["value"])
              for one in measured.files for r in one}
    equal(values, {"middle": ("0.000000060", "10"),
                   "leaf": ("0.000001000", "15")},
          f"{name}: times and counts are those between the hooks")


def test_plugins(name, compiler, program, where):
    paths = []
    for number, word in enumerate(("first", "other", "third")):
        paths.append(built(compiler, "plugin.c", where, "-shared", "-fPIC",
                           f"-DNAME={word}", name=f"plugin{number}.so"))
    measured = Run([program, "plugins", *paths])
    equal({k: v for k, v in measured.calls.items() if k != "main"},
          {"first": 2, "other": 2, "third": 2},
          f"{name}: plug-ins that follow each other in one place are told apart")
    equal(measured.done.returncode, 3, f"{name}: and are unloaded")
    with folder() as own:
        shutil.copy(paths[0], os.path.join(own, "here.so"))
        run([program, "moves", "./here.so"], folder=own,
            **preloaded(HPM_FUNCTIONS="first", HPM_OUTPUT_NAME=own + "/x.hpm.xml"))
        equal([r.label for path in files(own) for r in records(path)], ["first"],
              f"{name}: a plug-in of a relative path, after chdir")
    measured = Run([program, "plugins", paths[0], paths[0], paths[0]])
    equal([(r.label, r.count) for one in measured.files for r in one
           if r.label == "first"], [("first", "6")],
          f"{name}: a plug-in that is loaded again has the same sections")


def test_linker(name, compiler, where):
    """A hook waits for nothing that the dynamic linker holds, and leaves its
    message."""
    program = built(compiler, "loads.c", where, name="loads")
    plugin = built(compiler, "plugin.c", where, "-shared", "-fPIC", "-DNAME=run_it",
                   name="plugin.so")
    waits = built(compiler, "waits.c", where, "-shared", "-fPIC", name="waits.so")
    for way, other, sentence in (
            ("message", "/none/such.so", "dlerror has its message in a new function"),
            ("walks", plugin, "functions that begin in dl_iterate_phdr"),
            ("waits", waits, "a plug-in whose constructor waits for a thread")):
        bare = run([program, way, other])
        measured = Run([program, way, other])
        equal((measured.done.returncode, measured.done.stdout),
              (bare.returncode, bare.stdout), f"{name}: {sentence}")


def test_steps(compiler, where):
    """A handler that calls a function at each instruction of another one's hooks: what
    libhpm does not measure it counts."""
    program = built(compiler, "steps.c", where, "-lm", name="steps")
    if program is None:
        return
    name = os.path.basename(compiler[-1])
    with folder() as own:
        done = run([program], folder=own,
                   **preloaded(HPM_FUNCTIONS="outer,inner,short:keep"))
        calls, dropped = found_calls(own)
    expected = own_counts(done.stdout)
    equal((done.returncode, calls["outer"]), (3, expected["outer"]),
          f"{name}: each call that handlers interrupt is counted")
    ok(expected["inner"] > 100 and dropped > 0 and
       2 * calls["inner"] + dropped == 2 * expected["inner"],
       f"{name}: a handler's calls are counted, or libhpm says how many are not",
       f"{calls} {dropped} {expected}")


def found_calls(own):
    """Calls by label, and how many of libhpm's own calls were in other ones."""
    path = files(own)[0]
    calls = {}
    for record in records(path):
        calls[record.label] = calls.get(record.label, 0) + int(record.count)
    dropped = [int(e.get("count")) for e in ET.parse(path).iter("Problem")
               if "inside another call" in e.get("text")]
    return calls, sum(dropped)


def test_twins(compiler, where):
    """Static functions of one name have the same numbers in each run, whichever is
    called first."""
    for part in "ab":
        with open(os.path.join(where, part + ".c"), "w", encoding="ascii") as to:
            to.write("static __attribute__((noinline)) void twin(void) "
                     f"{{ __asm__ volatile(\"\"); }}\nvoid {part}(void);\n"
                     f"void {part}(void) {{ twin(); }}\n")
    with open(os.path.join(where, "main.c"), "w", encoding="ascii") as to:
        to.write("void a(void); void b(void);\nint main(int n, char **v) { (void)v; "
                 "if (n > 1) { b(); a(); } else { a(); b(); b(); } return 0; }\n")
    program = os.path.join(where, "twins")
    made = run([*compiler, "-O1", "-g", HOOKS, "a.c", "b.c", "main.c", "-o", program],
               folder=where)
    if not ok(made.returncode == 0, "a program with two functions of one name",
              made.stderr):
        return
    found = []
    for words in ([program], [program, "other"]):
        with folder() as own:
            run(words, folder=own, **preloaded(HPM_FUNCTIONS="twin"))
            found.append({os.path.basename(r.file): r.inst
                          for path in files(own) for r in records(path)})
    ok(len(found[0]) == 2 and len(set(found[0].values())) == 2 and
       found[0] == found[1], "functions of one name have the same numbers in each run",
       found)


# ---- C++ and Fortran ---------------------------------------------------------

def test_cplusplus(compiler, where):
    name = os.path.basename(compiler[-1])
    program = built(compiler, "throws.cc", where)
    if program is None:
        return
    paths = check(f"{name}, exceptions", [program]).paths
    run_of = "main>lab::Catcher::run() const"
    equal(paths, {"main": 1, run_of: 1, f"{run_of}>lab::thrower(int)": 16,
                  f"{run_of}>lab::leaf()": 4, "main>lab::leaf()": 1,
                  "main>int lab::twice<int>(int)": 3,
                  "main>double lab::twice<double>(double)": 5},
          f"{name}, exceptions: what they left is closed")
    for globs, expected in (
            ("lab::twice*", ["double lab::twice<double>(double)",
                             "int lab::twice<int>(int)"]),
            ("lab::twice<int>", ["int lab::twice<int>(int)"]),
            ("int lab::twice<int>(int), nothing", ["int lab::twice<int>(int)"]),
            ("lab::Catcher::run", ["lab::Catcher::run() const"]),
            ("_ZN*3lab*,!*twice*,!lab::leaf", ["lab::Catcher::run() const",
                                              "lab::thrower(int)"])):
        equal(sorted(Run([program], globs).calls), expected,
              f"{name}: {globs}")
    program = built(compiler, "jumps.cc", where, "-Wl,--no-as-needed", "-lstdc++")
    if program is not None:
        check(f"{name}, a jump out of a hook", [program])
    program = built(compiler, "allocates.cc", where)
    if program is not None:
        measured = Run([program])
        equal((measured.done.returncode, measured.calls.get("Solver::step()")),
              (3, 6), f"{name}: a program whose malloc has hooks")


def test_fortran(compiler, where):
    name = os.path.basename(compiler[-1])
    program = built(compiler, "procedures.f90", where, "-J", where)
    if program is None:
        return
    check(name, [program], extra=("main", "MAIN__"))
    for globs, expected in (("solve", ["solve_"]),
                            ("grid::*", ["grid::smooth"])):
        equal(sorted(Run([program], globs).calls), expected,
              f"{name}: {globs}")


# ---- XRay --------------------------------------------------------------------

def has_xray(where):
    """Is there a clang with the run time of XRay?"""
    source = os.path.join(where, "empty.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("int main(void) { return 0; }\n")
    return which("clang") and run(["clang", XRAY[0], source, "-o", source + ".out"]
                                  ).returncode == 0


def test_xray(where):
    if not has_xray(where):
        skip("hooks of XRay", "no clang with XRay's run time (libclang-rt-14-dev)")
        return
    program = built(["clang"], "ways.c", where, hooks=XRAY)
    if program is None:
        return
    for way in ("plain", "recursion", "tail", "exit", "grows", "coroutines", "exec",
                "signals-inside"):
        check(f"XRay, {way}", [program, way], functions=SEEN)
    equal(Run([program, "tail"], "main,tail,last").paths,
          {"main": 1, "main>tail": 10, "main>last": 10},
          "XRay: a function that ends by a jump to another one is not around it")
    test_leaving("XRay", program, SEEN)
    test_tasks("XRay", program, SEEN)
    test_short(program, "XRay: ")
    test_xray_choice(program, where)
    test_xray_throws(where)
    test_xray_beside_hooks(where)


def test_xray_choice(program, where):
    for globs, expected in ((None, []), ("out*,leaf", ["leaf", "outer"]),
                            ("deep", [])):
        measured = Run([program, "plain"], globs)
        equal((sorted(measured.calls), measured.said()), (expected, ""),
              f"XRay, HPM_FUNCTIONS={globs}")
    measured = Run([program, "plain"], "solve")
    ok(measured.calls == {} and "matches none of the" in measured.said(),
       "XRay: what matches nothing is named", measured.said())
    measured = Run([program, "recursion"], "deep")
    equal(measured.paths, {"deep": 201}, "XRay: one function, 201 deep")
    with folder() as own:
        result = hpmcount(own, "--functions", "out*", program, "plain")
        labels = [r.label for path in files(own) for r in records(path)]
        equal((result.returncode, labels, result.stderr), (3, ["outer"], b""),
              "hpmcount --functions measures by XRay and says nothing else")
    bare = os.path.join(where, "stripped")
    shutil.copy(program, bare)
    if which("strip") and run(["strip", bare]).returncode == 0:
        measured = Run([bare, "plain"])
        ok(measured.calls == {} and measured.done.returncode == 3 and
           "strip takes them away" in measured.said(),
           "XRay: a stripped program cannot be measured, and the reason is said",
           measured.said())


def test_xray_throws(where):
    if not which("clang++"):
        return
    program = built(["clang++"], "throws.cc", where, "-fno-optimize-sibling-calls",
                    name="throws", hooks=XRAY)
    if program is None:
        return
    run_of = "main>lab::Catcher::run() const"
    paths = Run([program], "main,lab::*").paths
    equal(paths, {"main": 1, run_of: 1, f"{run_of}>lab::thrower(int)": 16,
                  f"{run_of}>lab::leaf()": 4, "main>lab::leaf()": 1,
                  "main>int lab::twice<int>(int)": 3,
                  "main>double lab::twice<double>(double)": 5},
          "XRay, exceptions: what they left is closed")


def test_xray_beside_hooks(where):
    """A program of XRay with a library of gcc's hooks, whose functions call each
    other: the places on the stack are comparable."""
    library = built(["gcc"] if which("gcc") else ["clang"], "mixed.c", where,
                    "-shared", "-fPIC", "-DIS_LIBRARY", name="libmixed.so")
    program = built(["clang"], "mixed.c", where, library,
                    f"-Wl,-rpath,{where}", name="mixed", hooks=XRAY)
    measured = Run([program], "main,ours*,theirs*")
    equal((measured.paths, measured.open, measured.said()),
          ({"main": 1, "main>ours": 5, "main>ours>theirs": 5,
            "main>ours>theirs>ours_inner": 10,
            "main>ours>theirs>ours_inner>theirs_inner": 10,
            "main>theirs_inner": 5}, [], ""),
          "XRay beside hooks of gcc: who called whom")
    equal(measured.vias, {"main": "xray", "ours": "xray", "ours_inner": "xray",
                          "theirs": "hook", "theirs_inner": "hook"},
          "XRay beside hooks of gcc: which of them measured")


# ---- choosing ----------------------------------------------------------------

def test_choice(program):
    for globs, expected in ((None, []), ("", []),
                            ("leaf", ["leaf"]), ("!leaf", ["inlined", "main",
                                                           "outer"]),
                            (" out* , !leaf", ["outer"]),
                            ("*,!main,!in*", ["leaf", "outer"])):
        measured = Run([program, "plain"], globs)
        equal((sorted(measured.calls), measured.said()), (expected, ""),
              f"HPM_FUNCTIONS={globs}")
    measured = Run([program, "plain"], "solve")
    equal((measured.files, measured.done.returncode, measured.said()),
          ([], 3, "hpm: HPM_FUNCTIONS=solve matches none of the 4 functions "
           "that have hooks: main, outer, inlined ...\n"),
          "what matches nothing is named, with functions there are")
    equal((Run([program, "plain"], HPM_DISABLE=1).files), [],
          "HPM_DISABLE turns functions off")


def line_of(source, word):
    """The line of the bracket that begins the body of this function."""
    with open(os.path.join(SOURCES, source), encoding="utf-8") as text:
        lines = [line.rstrip() for line in text]
    return next(i + 2 for i, line in enumerate(lines)
                if line.startswith(word) and lines[i + 1] == "{")


def test_lines(compiler, where):
    """Files and lines of all forms of tables, and files to choose by."""
    name = os.path.basename(compiler[-1])
    expected = {word: line_of("ways.c", word + "(")
                for word in ("leaf", "inlined", "outer", "main")}
    for version in (4, 5) if tap.IS_REPEATED else (2, 3, 4, 5):
        program = built(compiler, "ways.c", where, f"-gdwarf-{version}",
                        name=f"dwarf{version}")
        if program is None:
            continue
        measured = Run([program, "plain"], "file:functions/ways.c")
        found = {r.label: (r.file, int(r.linestart))
                 for one in measured.files for r in one}
        lines = {label: place[1] for label, place in found.items()}
        ok(lines == expected or name == "clang" and
           {k: abs(v - expected[k]) <= 1 for k, v in lines.items()} ==
           dict.fromkeys(expected, True),
           f"{name}, DWARF {version}: lines are those of the bodies",
           f"{lines} {expected}")
        equal({place[0] for place in found.values()},
              {os.path.join(SOURCES, "ways.c")},
              f"{name}, DWARF {version}: and the file")
        equal([sorted(Run([program, "plain"], globs).calls)
               for globs in ("file:ways.*,!leaf", "!file:ways.c",
                             "file:src/ways.c", "file:other*.c, leaf")],
              [["inlined", "main", "outer"], [], [], ["leaf"]],
              f"{name}, DWARF {version}: chosen by file")


def test_left_out(compiler, where):
    """The rows of code that the linker has left out begin at address 0, and reach the
    other functions."""
    source = os.path.join(where, "leftout.c")
    with open(source, "w", encoding="ascii") as file:
        file.write("void left_out(volatile int *p);\nvoid left_out(volatile int *p)\n{\n")
        file.writelines(f"p[{i % 7}] += {i};\n" for i in range(4000))
        file.write("}\n" + "".join(f"int f{i}(int x);\nint f{i}(int x) {{ return x + {i}; }}\n"
                                   for i in range(100)))
        file.write("int main(void) { int s = 0;\n" +
                   "".join(f"s += f{i}(s);\n" for i in range(100)) + "return s; }\n")
    program = os.path.join(where, "leftout")
    made = run([*compiler, "-O1", "-g", HOOKS, "-fno-inline", "-ffunction-sections",
                "-Wl,--gc-sections", source, "-o", program])
    if not ok(made.returncode == 0, "a program with code that is left out", made.stderr):
        return
    with folder() as own:
        run([program], folder=own, **preloaded(HPM_FUNCTIONS="f*"))
        lines = {r.label: int(r.linestart) for path in files(own) for r in records(path)
                 if r.label.startswith("f")}
    equal(lines, {f"f{i}": 4004 + 2 * i + 2 for i in range(100)},
          "each function has its own line beside code that was left out")


def test_short(program, name=""):
    """Calls are counted, not timed, until the trial; then the function's own time is
    compared with that of its hooks, which is longer."""
    measured = Run([program, "many"], "leaf,main")
    equal((measured.calls, measured.done.returncode),
          ({"leaf": 10000, "main": 1}, 3),
          f"{name}a function that is too short is left out")
    said = measured.said()
    ok(said.startswith("hpm: 1 function took less time than to measure it, so only "
                       "the first 10000 calls") and
       "callers: leaf;" in said and said.count("\n") == 1,
       f"{name}and one line says so", said)
    equal({(r.label, getattr(r, "measured", None)) for one in measured.files
           for r in one}, {("leaf", "first calls"), ("main", None)},
          f"{name}the file says so of its records")
    measured = Run([program, "many"], "leaf,main,short:keep")
    equal((measured.calls, measured.said()), ({"leaf": 30000, "main": 1}, ""),
          f"{name}short:keep keeps it")


def test_short_shown(program):
    """The mark is in what was recovered from a journal, too, and reports show it."""
    with folder() as own:
        done = run([program, "many", "abort"], folder=own,
                   **preloaded(HPM_FUNCTIONS="leaf,last,main", HPM_CHECKPOINT=3600))
        ok(done.returncode < 0, "a program is killed", done.stderr)
        run([HPM, "recover", "."], folder=own)
        paths = [path for path in files(own) if path.endswith(".xml")]
        found = {(r.label, getattr(r, "measured", None), getattr(r, "via", None))
                 for path in paths for r in records(path)}
        equal(found, {("leaf", "first calls", "hook"), ("last", None, "hook"),
                      ("main", None, "hook")},
              "what was recovered has the mark, too, and how it was measured")
        if not paths:
            return
        text = run([HPM, "report", paths[0]], folder=own).stdout.decode()
        words = " ".join(text.split())
        ok("1 of 4 records have only the first calls" in words and
           "3 of 4 records are functions, measured by hooks of the compiler "
           "(-finstrument-functions)" in words, "hpm report says so", text)
        table = run([HPM, "report", "--format", "csv", paths[0]],
                    folder=own).stdout.decode()
        equal({line.split(",")[0]: "first-calls" in line
               for line in table.splitlines() if ",Count," in line},
              {"leaf": True, "last": False, "main": False}, "and its CSV")


def test_nothing(program):
    for globs in (" ", ",", "!", "file:"):
        measured = Run([program, "plain"], globs)
        ok(measured.calls == {} and "matches none of the" in measured.said(),
           f"a list without a glob ('{globs}') asks for nothing", measured.said())


def test_stripped(program, where):
    bare = os.path.join(where, "stripped")
    shutil.copy(program, bare)
    if not which("strip") or run(["strip", bare]).returncode != 0:
        skip("a stripped program", "no strip")
        return
    calls = Run([bare, "plain"]).calls
    ok(len(calls) == 4 and all(name.startswith("0x") for name in calls),
       "functions of a stripped program have their addresses", calls)


def test_separate(compiler, where):
    """Symbols and lines in a file of their own, found beside the program."""
    program = built(compiler, "ways.c", where, "-g", "-Wl,--build-id",
                    name="separate")
    if not which("objcopy") or program is None:
        skip("separate debug files", "no objcopy")
        return
    expected = [(r.label, r.base, r.linestart) for one in
                Run([program, "plain"]).files for r in one]
    packed = program + ".packed"
    run(["objcopy", "--compress-debug-sections=zlib", program, packed])
    equal([(r.label, r.base, r.linestart) for one in
           Run([packed, "plain"], "file:ways.c").files for r in one], expected,
          "lines come from compressed sections, too")
    debug = program + ".debug"
    for command in (["objcopy", "--only-keep-debug", program, debug],
                    ["objcopy", "--strip-all", f"--add-gnu-debuglink={debug}",
                     program]):
        run(command)
    equal([(r.label, r.base, r.linestart) for one in
           Run([program, "plain"], "file:ways.c").files for r in one], expected,
          "names and lines come from a separate debug file")
    os.mkdir(os.path.join(where, ".debug"))
    os.rename(debug, os.path.join(where, ".debug", "separate.debug"))
    equal(sorted(Run([program, "plain"], "leaf").calls), ["leaf"],
          "in the folder .debug, too")
    other = built(compiler, "ways.c", where, "-g", "-Wl,--build-id", "-O1",
                  name="other")
    run(["objcopy", "--only-keep-debug", other,
         os.path.join(where, ".debug", "separate.debug")])
    ok(all(name.startswith("0x") for name in Run([program, "plain"]).calls),
       "the one of another build is not believed")


# ---- hpmcount ----------------------------------------------------------------

def hpmcount(where, *arguments, **variables):
    return run([HPMCOUNT, "-n", *arguments], folder=where,
               LD_LIBRARY_PATH=LIBRARIES, HPM_SOURCE="none", **variables)


def refused(where, program, word, sentence):
    result = hpmcount(where, "--functions", "*", program, "plain")
    equal(result.returncode, 125, f"{sentence} is refused")
    ok(word in result.stderr.decode() and not result.stdout,
       f"{sentence}: with the reason", result.stderr.decode())


def named(where, *arguments, **variables):
    """The files that hpmcount names, as a shell reads its line."""
    text = run([HPMCOUNT, "--functions", "out*", *arguments], folder=where,
               LD_LIBRARY_PATH=LIBRARIES, HPM_SOURCE="none",
               **variables).stderr.decode()
    said = [line.split("hpm report", 1)[1] for line in text.splitlines()
            if line.lstrip().startswith("file written")]
    return shlex.split(said[0]) if len(said) == 1 else said


def test_named_files(program):
    """In a folder of a name that a shell would take apart."""
    with folder() as outer:
        own = os.path.join(outer, "it's a")
        temporary = os.path.join(outer, "tmp")
        os.mkdir(own)
        os.mkdir(temporary)
        equal(named(own, program, "plain", TMPDIR=temporary),
              [os.path.basename(path) for path in files(own)],
              "hpmcount names the file that the program has written")
        path = os.path.join(own, "own's.hpm.xml")
        equal(named("/", program, "plain", HPM_OUTPUT_NAME=path), [path],
              "and one elsewhere by its whole path")
        equal(named(own, "true"), [], "none where nothing was written")
        equal(os.listdir(temporary), [], "its list is gone")


def test_one_file(program):
    """A task has one file, whichever way its name is given."""
    def written(*words, **variables):
        with folder() as own:
            result = hpmcount(own, "--functions", "out*", *words, **variables)
            ok(result.returncode in (0, 3) and not result.stderr, "it runs",
               result.stderr.decode())
            return {os.path.basename(path): [r.label for r in records(path)]
                    for path in files(own)}

    plain = (program, "plain")
    found = written(*plain, HPM_OUTPUT_NAME="x.hpm.xml")
    equal(found, {"x.hpm.xml": ["outer"]},
          "HPM_OUTPUT_NAME names the file of the functions, and there is no other")
    equal(written("-o", "100%%.hpm.xml", *plain), {"100%.hpm.xml": ["outer"]},
          "so does -o")
    equal(written("-o", "x%i.hpm.xml", "-r", "2", "--warmup", "1", *plain),
          {"x1.hpm.xml": ["outer"], "x2.hpm.xml": ["outer"]}, "each run has its own")
    found = written("-o", "own.hpm.xml", *plain, HPM_OUTPUT_NAME="x.hpm.xml")
    equal((found["x.hpm.xml"], len(found)), (["outer"], 2),
          "with both -o is hpmcount's own")
    with folder() as own:
        hpmcount(own, "--functions", "*", "-o", "x.hpm.xml", "true")
        equal([os.path.basename(path) for path in files(own)], ["x.hpm.xml"],
              "where the program writes none, hpmcount does")


def test_hpmcount(compiler, program, where):
    with folder() as own:
        result = hpmcount(own, "--functions", "out*,!leaf", program, "plain")
        labels = [r.label for path in files(own) for r in records(path)]
        equal((result.returncode, labels, result.stderr), (3, ["outer"], b""),
              "hpmcount --functions measures and says nothing else")
        result = hpmcount(own, "--functions", "*", "true")
        ok(result.returncode == 0 and
           "'true' is not compiled with -finstrument-functions"
           in result.stderr.decode(), "a program without hooks is named",
           result.stderr.decode())
        result = hpmcount(own, "--functions", "*", "-p", "1")
        ok(result.returncode == 125 and "--functions" in result.stderr.decode(),
           "what runs already cannot have it", result.stderr.decode())
    still = built(compiler, "ways.c", where, "-static", name="static")
    if still is not None:
        refused(where, still, "is a static program", "a static program")
    gaining = os.path.join(where, "gaining")
    shutil.copy(program, gaining)
    os.chmod(gaining, 0o755)
    if os.geteuid() != 0:
        skip("a set-user-ID program", "only root makes one of another user")
        return
    os.chown(gaining, 1, 1)
    os.chmod(gaining, 0o755 | stat.S_ISUID)
    refused(where, gaining, "is set-user-ID", "a set-user-ID program")


REASON = why_not()
if REASON:
    skip("functions", REASON)
    tap.done()
with folder() as main_folder:
    for c in compilers("CC", "gcc", "clang"):
        with folder() as c_folder:
            test_c(c, c_folder)
            test_lines(c, c_folder)
    for cxx in compilers("CXX", "g++", "clang++"):
        with folder() as cxx_folder:
            test_cplusplus(cxx, cxx_folder)
    for fortran in compilers("FC", "gfortran"):
        with folder() as fortran_folder:
            test_fortran(fortran, fortran_folder)
    with folder() as xray_folder:
        test_xray(xray_folder)
    one = compilers("CC", "gcc", "clang")[0]
    ways = built(one, "ways.c", main_folder)
    if ways is not None:
        test_choice(ways)
        test_nothing(ways)
        test_short(ways)
        test_short_shown(ways)
        test_left_out(one, main_folder)
        test_stripped(ways, main_folder)
        test_separate(one, main_folder)
        test_named_files(ways)
        test_one_file(ways)
        test_hpmcount(one, ways, main_folder)
tap.done()
