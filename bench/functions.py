# SPDX-License-Identifier: BSD-3-Clause
"""What hooks of libhpm_functions cost, of each kind there is: nothing asked for
(HPM_FUNCTIONS not set), not chosen, chosen; with time alone and with two counters."""

import os
import subprocess
import sys
import tempfile
from shutil import which

SOURCE = os.path.abspath(os.environ.get("top_srcdir", "."))
BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
LIB = os.path.join(BUILD, "lib", ".libs")
LIBRARIES = [LIB, os.path.join(BUILD, "lib", "functions", ".libs")]
WAYS = (("time alone", {"HPM_SOURCE": "none"}),
        ("two counters", {"HPM_SOURCE": "kernel",
                          "HPM_EVENTS": "task-clock,page-faults"}))
HOOKS = (("gcc", ["-finstrument-functions"]), ("clang", ["-finstrument-functions"]),
         ("clang", ["-fxray-instrument", "-fxray-instruction-threshold=1"]))
MOST = {"unset": 0.2, "not chosen": 0.2, "chosen": 1.25}


def measure(program, where, functions, variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith("HPM_")}
    env.update(variables, LD_PRELOAD="libhpm_functions.so",
               LD_LIBRARY_PATH=":".join(LIBRARIES))
    if functions:
        env["HPM_FUNCTIONS"] = functions
    done = subprocess.run([program], cwd=where, env=env, check=True,
                          stdout=subprocess.PIPE)
    return [float(word) for word in done.stdout.split()]


def show(what, in_nanoseconds, in_pairs):
    goal = MOST.get(what)
    verdict = "" if goal is None else \
        f"  at most {goal}: {'good' if in_pairs <= goal else 'missed'}"
    print(f"    {what:12} {in_nanoseconds:8.1f} ns  {in_pairs:6.3f} pairs{verdict}")


def compile_program(compiler, hooks, program):
    done = subprocess.run(
        [compiler, "-O2", *hooks, "-I" + os.path.join(SOURCE, "include"),
         os.path.join(SOURCE, "bench", "functions.c"), "-o", program,
         "-L" + LIB, "-Wl,-rpath," + LIB, "-lhpm", "-Wl,-z,now"], check=False)
    return done.returncode == 0


def main():
    for compiler, hooks in HOOKS:
        if not which(compiler):
            continue
        with tempfile.TemporaryDirectory() as where:
            program = os.path.join(where, "functions")
            if not compile_program(compiler, hooks, program):
                continue
            for name, variables in WAYS:
                pair, on, off, on_pairs, off_pairs = measure(
                    program, where, "chosen,short:keep", variables)
                _, _, unset, _, unset_pairs = measure(program, where, None,
                                                      variables)
                print(f"{compiler} {hooks[0]}, {name}: a pair of section calls "
                      f"{pair:.1f} ns")
                show("unset", unset, unset_pairs)
                show("not chosen", off, off_pairs)
                show("chosen", on, on_pairs)


if __name__ == "__main__":
    sys.exit(main())
