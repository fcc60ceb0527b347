# SPDX-License-Identifier: BSD-3-Clause
"""C++: a program with scoped sections, by every compiler there is."""

import os
import shlex
import subprocess
from shutil import which

import tap
from tap import TOP_SOURCE, equal, files, folder, ok, run
from tap import link_flags, records

SOURCE = os.path.join(TOP_SOURCE, "tests", "cplusplus", "scopes.cc")
FLAGS = ["-std=c++11", "-O2", "-pedantic", "-Wall", "-Wextra", "-Wshadow",
         "-Werror", "-pthread", "-I" + os.path.join(TOP_SOURCE, "include")]


def build(compiler, where, *flags):
    program = os.path.join(where, "scopes")
    result = subprocess.run(compiler + FLAGS + ["-o", program, SOURCE] +
                            list(flags), stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    return program, result


def check_sections(rows, name):
    got = {(r.scope, r.label): r.count for r in rows}
    equal(got, {("process", "process"): "1", ("process", "#9"): "1",
                ("thread", "made of strings"): "1", ("thread", "fall"): "6",
                ("thread", "level"): "5", ("thread", "after"): "1",
                ("thread", "ways"): "4", ("thread", "loop"): "8",
                ("thread", "other thread"): "1", ("thread", "stopped"): "1"},
          f"{name}: every section, every call")
    equal([r.label for r in rows if r.open], [],
          f"{name}: an exception leaves none open")
    level = next(r for r in rows if r.label == "fall")
    parent = next(r for r in rows if r.label == "made of strings")
    equal(level.parent, parent.id, f"{name}: sections nest as scopes do")
    stopped = next(r for r in rows if r.label == "stopped")
    with open(SOURCE) as text:
        lines = text.read().splitlines()
    equal([("stopped(10" in lines[int(stopped.linestart) - 1]),
           ("stop(__LINE__" in lines[int(stopped.lineend) - 1])],
          [True, True], f"{name}: lines of start and stop")


def test(compiler):
    name = compiler[0]
    with folder() as where:
        program, built = build(compiler, where, *link_flags())
        if not ok(built.returncode == 0, f"{name}: C++11 without a warning",
                  built.stdout.decode()):
            return
        result = run([program], folder=where)
        if not equal((result.returncode, result.stderr, len(files(where))),
                     (0, b"", 1), f"{name}: runs, one file, nothing said"):
            return
        check_sections(records(files(where)[0]), name)
    with folder() as where:
        program, built = build(compiler, where, "-DHPM_OFF")
        ok(built.returncode == 0, f"{name}: -DHPM_OFF needs no library",
           built.stdout.decode())
        equal(run([program], folder=where).returncode if built.returncode == 0
              else None, 0, f"{name}: and runs without")


def compilers():
    own = shlex.split(os.environ.get("CXX", ""))
    found = [own] if own else []
    # the sanitizers of one compiler cannot be linked by the other
    names = (["clang++" if "clang" in os.environ.get("CC", "") else "g++"]
             if os.environ.get("sanitizers") else ["g++", "clang++"])
    return found + [[n] for n in names if which(n) and [n] not in found]


for each in compilers():
    test(each)
if not compilers():
    tap.skip("C++", "no C++ compiler (apt-get install g++)")
tap.done()
