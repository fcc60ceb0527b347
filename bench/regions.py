# SPDX-License-Identifier: BSD-3-Clause
"""What libhpm_openmp adds to an empty parallel region, beside a tool that reads the clock
as often and does nothing else; at most 1.15 times that.  Each round runs all three in
turn; of the rounds the median counts."""

import os
import statistics
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
from tap import TOP_BUILD, TOP_SOURCE, environment, folder

BENCH = os.path.join(TOP_SOURCE, "bench")
LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
ROUNDS, GOAL = 9, 1.15


def compiled(compiler, where, name, *options):
    path = os.path.join(where, f"{name}-{compiler}")
    done = subprocess.run([compiler, "-O2", "-D_GNU_SOURCE", *options,
                           os.path.join(BENCH, name + ".c"), "-o", path])
    return path if done.returncode == 0 else None


def once(program, where, n, preloaded):
    env = environment(OMP_NUM_THREADS=n, HPM_SET="OPENMP",
                      LD_LIBRARY_PATH=LIBRARIES)
    if preloaded is not None:
        env["LD_PRELOAD"] = preloaded
    done = subprocess.run([program], cwd=where, env=env, check=True,
                          stdout=subprocess.PIPE)
    return float(done.stdout)


def compare(program, where, n, tools):
    rounds = [[once(program, where, n, tool) for tool in tools]
              for _ in range(ROUNDS)]
    return [statistics.median(each) for each in zip(*rounds)]


def main():
    ours = os.path.join(LIBRARIES, "libhpm_openmp.so")
    with folder() as where:
        clocks = compiled("gcc", where, "ompclocks", "-shared", "-fPIC",
                          "-I" + os.path.join(TOP_SOURCE, "lib"))
        for compiler in ("clang", "gcc"):
            program = compiled(compiler, where, "regions", "-fopenmp")
            for n in (1, 2) if program is not None else ():
                if compiler == "gcc":
                    bare, own = compare(program, where, n, (None, ours))
                    print(f"{compiler}, {n} threads: bare {bare:.0f} ns, "
                          f"libhpm_openmp {own:.0f} ns")
                    continue
                bare, tool, own = compare(program, where, n,
                                          (None, clocks, ours))
                print(f"{compiler}, {n} threads: bare {bare:.0f} ns, clocks "
                      f"{tool:.0f} ns, libhpm_openmp {own:.0f} ns: "
                      f"{own / tool:.2f} (goal {GOAL})", flush=True)


main()
