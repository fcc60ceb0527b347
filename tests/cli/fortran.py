# SPDX-License-Identifier: BSD-3-Clause
"""Fortran: old and new sources are compiled as users compile them, run, and
their records read."""

import os
import re
import shlex
import subprocess

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, files, folder, ok, run
from tap import link_flags, records

SOURCES = os.path.join(TOP_SOURCE, "tests", "fortran")
HEADERS = os.path.join(TOP_SOURCE, "fortran")
FC = shlex.split(os.environ.get("FC", ""))
NOT_OPEN = b"hpm: section 99 in thread 0: stopped but not open here; the stop is ignored\n"
LONG_LINES = ["-cpp", "-ffree-line-length-none", "-ffixed-line-length-none"]


def libraries():
    return ([os.path.join(TOP_BUILD, "fortran", "libhpm_fortran.a")] +
            link_flags())


def compile_source(name, where, *flags, compiler=None):
    """The program made of a source of tests/fortran; None, and a failed
    assertion, when the compiler refuses it."""
    program = os.path.join(where, name.replace(".", "_"))
    command = (compiler or FC) + list(flags) + [
        "-I" + HEADERS, "-I" + os.path.join(TOP_BUILD, "fortran"), "-J" + where,
        "-o", program, name]
    result = subprocess.run(command + libraries(), cwd=SOURCES,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        ok(False, f"{name} compiles ({' '.join(flags)})",
           " ".join(command) + "\n" + result.stdout.decode())
        return None
    return program


def place(record):
    return (record.base, int(record.linestart), int(record.lineend))


def measure(name, *flags, arguments=(), status=0, said=b"", compiler=None,
            **variables):
    """Compile and run; the records by scope and label."""
    with folder() as where:
        program = compile_source(name, where, *flags, compiler=compiler)
        if program is None:
            return []
        result = run([program] + list(arguments), folder=where, **variables)
        paths = files(where)
        title = f"{name} {' '.join(flags)} {' '.join(arguments)}".strip()
        if not ok(result.returncode == status and result.stderr == said and
                  len(paths) == 1, f"{title}: runs, one file, nothing else said",
                  f"{result} {paths}"):
            return []
        if tap.has_xmllint():
            message = tap.validates(paths)
            ok(message is None, f"{title}: the file is valid", message)
        return records(paths[0])


def lines_of(source, pattern):
    """The numbers of a source's lines with that pattern."""
    with open(os.path.join(SOURCES, source)) as text:
        return [n for n, line in enumerate(text, 1) if re.search(pattern, line)]


def summary(rows):
    return sorted((r.scope, r.label, r.count) for r in rows)


# ---- the must-show list: old sources, unchanged --------------------------

def test_profile_module():
    name = "mo_profile.F90"
    rows = measure(name, *LONG_LINES)
    labels = [("physics", "12"), ('radiation, and "more"', "3"), ("stepon", "1")]
    equal(summary(rows), sorted((scope, label, count) for label, count in labels
                                for scope in ("process", "thread")),
          "a profile module: each label and call, padded and trimmed alike")
    start, tstart, tstop, stop = (lines_of(name, pattern)[0] for pattern in (
        r"CALL f_hpmstart\(", r"CALL F_HPMTSTART", r"CALL f_hpmtstop",
        r"CALL f_hpmstop"))
    equal({(r.scope, place(r)) for r in rows},
          {("process", (name, start, stop)), ("thread", (name, tstart, tstop))},
          "a profile module: file and line of the wrapper's calls")
    physics = next((r.id for r in rows
                    if r.scope == "thread" and r.label == "physics"), None)
    equal([r.parent for r in rows if r.scope == "thread" and "rad" in r.label],
          [physics], "a profile module: sections nest")


def test_fixed_form():
    name = "column72.F"
    rows = measure(name, "-cpp", "-DHPM_SHORT")
    label = "THIS CALL ENDS IN COLUMN 72, AND IS NO LONGER"
    equal(summary(rows), [("process", label, "1"), ("thread", "A", "5"),
                          ("thread", "CONTINUED", "5")],
          "72 columns: labels and calls")
    edges = [lines_of(name, pattern)[0] for pattern in (
        "START.1,", r"STOP.1\)", "START.2,", r"STOP.2\)", r"STOP.3\)")]
    equal({r.label: place(r) for r in rows},
          {label: ("", edges[0], edges[1]), "A": ("", edges[2], edges[3]),
           "CONTINUED": ("", 0, edges[4])},
          "72 columns: lines, but where the arguments are continued")


def test_threads():
    name = "threads.F"
    for flags in (LONG_LINES, ["-cpp", "-DHPM_SHORT"]):
        rows = measure(name, "-fopenmp", *flags, OMP_NUM_THREADS=4)
        threads = [r for r in rows if r.scope == "thread"]
        equal(sorted((r.tid, r.label, r.count) for r in threads),
              sorted((tid, label, count) for tid in range(4)
                     for label, count in (("region", "1"), ("loop 100", "2"))),
              "T-pairs: a record per thread and section")
        equal([(r.label, r.tid) for r in rows if r.scope == "process"],
              [("parallel", -1)], "T-pairs: the process pair around them")
        equal({int(r.linestart) for r in rows},
              {n for n in lines_of(name, r"call f_hpmt?start\(")},
              "T-pairs: the lines of the starts")
        equal({r.file for r in rows}, {"" if "-DHPM_SHORT" in flags else name},
              "T-pairs: the file, where lines may get longer")


# ---- the doors ------------------------------------------------------------

def test_plain():
    expected = [("process", "process", "1"), ("process", "top", "1"),
                ("thread", "below", "3"), ("thread", "thread", "3")]
    for flags in ([], ["-fno-underscoring"]):
        rows = measure("plain.f", *flags, said=NOT_OPEN)
        equal(summary(rows), expected, f"external procedures {flags}")
        work = [r.data["work::cells"].get("value") for r in rows
                if "work::cells" in r.data]
        equal(work, ["30"], "external procedures: work")


def test_wide_integers():
    expected = [("process", "process"), ("process", "top"),
                ("thread", "below"), ("thread", "thread")]
    for flags in (LONG_LINES, ["-cpp", "-DHPM_SHORT"]):
        rows = measure("wide.F90", "-fdefault-integer-8", *flags)
        equal(sorted((r.scope, r.label) for r in rows), expected,
              f"f_hpm_i8.h: sections {flags[1:]}")
        equal([r.data["work::cells"].get("value") for r in rows
               if r.label == "thread"], ["3000000000"], "f_hpm_i8.h: work")
        equal({r.label: int(r.inst) for r in rows},
              {"process": 41, "thread": 42, "below": 43, "top": 44},
              "f_hpm_i8.h: ids")
        equal(sorted(int(r.linestart) for r in rows),
              lines_of("wide.F90", "call f_hpmt?startx?"), "f_hpm_i8.h: lines")


def check_module(rows, title):
    long = "long " * 300 + "!"
    labels = {r.label for r in rows if r.scope == "thread"}
    expected = {"padded", "#4", "one", "other", "o", "ot", "ends in C", "#8",
                "top"}
    kept = [label for label in labels - expected if len(label) > 1000]
    equal(labels - set(kept), expected, f"{title}: labels")
    if not ok(len(kept) == 1 and kept[0][:1000] == long[:1000],
              f"{title}: a long label keeps its first 1,000 bytes", kept):
        return
    by_label = {r.label: r for r in rows}
    equal([(r.count, r.base) for r in rows if r.label == "padded"],
          [("2", "module.F90")], f"{title}: file, line, calls")
    equal(by_label[kept[0]].data["work::cells"].get("value"), "10",
          f"{title}: work")
    ok(not by_label["top"].parent, f"{title}: a parent of choice")


def test_module():
    check_module(measure("module.F90", *LONG_LINES), "module")
    check_module(measure("module.F90", "-DID_KIND=8", *LONG_LINES),
                 "module, 8 bytes")
    check_module(measure("module.F90", "-DID_KIND=8", "-fdefault-integer-8",
                         *LONG_LINES), "module, default integers of 8 bytes")


def test_spellings():
    rows = measure("spellings.F90", *LONG_LINES)
    equal(len(rows), 18, "every spelling is a section")
    equal(sorted(int(r.linestart) for r in rows),
          lines_of("spellings.F90", "(?i)call .*start"), "every spelling knows its line")
    equal({r.base for r in rows}, {"spellings.F90"}, "and its file")


def test_ends():
    for way, status in (("stop", 3), ("error", 4), ("end", 0)):
        with folder() as where:
            program = compile_source("ends.F90", where, *LONG_LINES)
            result = run([program, way], folder=where)
            rows = records(files(where)[0]) if files(where) else []
            equal((result.returncode, sorted((r.label, r.open) for r in rows)),
                  (status, [("inner", "yes"), ("outer", "yes")]),
                  f"ends by {way}: the status, and a file with what was open")


# ---- the header and the module as texts -----------------------------------

def test_texts():
    for name in ("f_hpm.h", "f_hpm_i8.h"):
        with open(os.path.join(HEADERS, name)) as header:
            odd = [line for line in header
                   if line.strip() and line[0] not in "#!"]
        equal(odd, [], f"{name} is preprocessor lines and comments")
    with open(os.path.join(TOP_SOURCE, "include", "libhpm.h")) as header:
        text = header.read()
    defined = {name: int(value.strip("()")) for name, value in re.findall(
        r"#define (LIBHPM_VERSION|HPM_[A-Z_]+PARENT|HPM_ONLY_\w+) (\S+)", text)}
    equal(len(defined), 4, "libhpm.h has four constants")
    with folder() as where:
        program = compile_source("constants.F90", where, *LONG_LINES)
        out = run([program], folder=where).stdout.decode()
        got = [tuple(line.split("=")) for line in out.split()]
        equal(got, [(name, str(defined[name])) for name in
                    ("LIBHPM_VERSION", "HPM_NO_PARENT", "HPM_AUTO_PARENT",
                     "HPM_ONLY_EXCLUSIVE") + ("HPM_NO_PARENT",
                     "HPM_AUTO_PARENT", "HPM_ONLY_EXCLUSIVE")],
              "module and header have libhpm.h's constants")
    calls = set(re.findall(r"^(?:void|int) ?\(?(hpm[A-Z]\w*)\)?\(", text, re.M))
    calls = {c for c in calls if not c.endswith(("At", "Site"))}
    with open(os.path.join(HEADERS, "hpm.f90")) as module:
        source = module.read()
    missing = {c for c in calls if not re.search(
        rf"(interface|subroutine|function) {c}\b", source)}
    equal((len(calls), missing), (12, set()), "the module has every call of C")


def test_short_lines():
    """With -DHPM_SHORT no line gets longer, whatever its number."""
    with folder() as where:
        source = os.path.join(where, "short.F")
        calls = ["f_hpmstart(1,'a')", "f_hpmstop(1)", "f_hpmtstart(1,'a')",
                 "f_hpmtstop(1)", "f_hpmstartx(1,2,'a')",
                 "f_hpmtstartx(1,2,'a')", "f_hpmwork(1,n,'a')"]
        for header, n in (("f_hpm.h", 99999), ("f_hpm_i8.h", 99999)):
            with open(source, "w") as text:
                text.write(f'#include "{header}"\n')
                for call in calls:
                    text.write(f'#line {n}\n      call {call}\n')
            out = subprocess.run(FC + ["-cpp", "-E", "-DHPM_SHORT",
                                       "-I" + HEADERS, source],
                                 stdout=subprocess.PIPE).stdout.decode()
            lines = [line for line in out.splitlines()
                     if re.match(r"\s+call", line)]
            longer = [(a, b) for a, b in zip(calls, lines)
                      if len(b) > len("      call " + a)]
            equal((len(lines), longer), (len(calls), []),
                  f"{header}: -DHPM_SHORT makes no line longer")


def working_flang():
    """The first flang that makes programs, and why the others do not: one
    without its own run-time library compiles, but cannot link."""
    from shutil import which
    names = ["flang", "flang-new"] + [f"flang-new-{n}" for n in range(25, 15, -1)]
    reasons = []
    for name in filter(which, names):
        with folder() as where:
            source = os.path.join(where, "empty.f90")
            with open(source, "w") as text:
                text.write("end program\n")
            made = subprocess.run([name, "-o", source + ".out", source],
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
        if made.returncode == 0:
            return name, None
        said = made.stdout.decode().split("\n")[0]
        reasons.append(f"{name} cannot make a program: {said}")
    return None, "; ".join(reasons) or "not installed (apt-get install flang-19)"


def test_flang():
    flang, reason = working_flang()
    if flang is None or os.environ.get("sanitizers"):
        tap.skip("flang", reason or "it cannot link the sanitizers")
        return
    with folder() as where:
        module = os.path.join(HEADERS, "hpm.f90")
        made = subprocess.run([flang, "-c", module], cwd=where,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if not ok(made.returncode == 0, "flang compiles the module",
                  made.stdout.decode()):
            return
        compiler = [flang, "-I" + where]
        global libraries
        plain = libraries
        libraries = lambda: [os.path.join(where, "hpm.o")] + plain()
        try:
            equal(summary(measure("plain.f", said=NOT_OPEN,
                                  compiler=compiler)),
                  [("process", "process", "1"), ("process", "top", "1"),
                   ("thread", "below", "3"), ("thread", "thread", "3")],
                  "flang: external procedures")
            rows = measure("mo_profile.F90", "-cpp", compiler=compiler)
            equal({(r.scope, r.base) for r in rows},
                  {("process", "mo_profile.F90"), ("thread", "mo_profile.F90")},
                  "flang: the profile module")
            check_module(measure("module.F90", "-cpp", compiler=compiler),
                         "flang, module")
        finally:
            libraries = plain


if FC:
    test_profile_module()
    test_fixed_form()
    test_threads()
    test_plain()
    test_wide_integers()
    test_module()
    test_spellings()
    test_ends()
    test_texts()
    test_short_lines()
    test_flang()
else:
    tap.skip("Fortran", "no Fortran compiler (apt-get install gfortran), or "
             "configured with --disable-fortran")
tap.done()
