# SPDX-License-Identifier: BSD-3-Clause
"""What a measured call of a library costs beside a pair of section calls: chosen, with
work, not chosen; with time alone and with two counters."""

import os
import subprocess
import tempfile

SOURCE = os.path.abspath(os.environ.get("top_srcdir", "."))
BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
LIB = os.path.join(BUILD, "lib", ".libs")
LIBRARIES = os.path.join(BUILD, "lib", "libraries")
WAYS = (("time alone", {"HPM_SOURCE": "none"}),
        ("two counters", {"HPM_SOURCE": "kernel",
                          "HPM_EVENTS": "task-clock,page-faults"}))
WHAT = (("chosen", 1.15), ("with work", None), ("not chosen", 0.2))
LIST = """group bench
void bench_chosen(void)
void bench_passed(void)
void bench_work(void) : flop 1
"""


def make(where):
    source = os.path.join(SOURCE, "bench", "libraries.c")
    with open(os.path.join(where, "wrapped.prototypes"), "w", encoding="utf-8") as to:
        to.write(LIST)
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-DLIBRARY", "-I",
                    os.path.join(SOURCE, "include"), source, "-o", "libbench.so"],
                   cwd=where, check=True)
    subprocess.run(["cc", "-O2", "-I", os.path.join(SOURCE, "include"), source, "-o",
                    "libraries", "-L.", "-lbench", "-L" + LIB, "-lhpm", "-Wl,-z,now"],
                   cwd=where, check=True)
    subprocess.run([os.path.join(LIBRARIES, "hpmwrap"), "wrapped.prototypes"], cwd=where,
                   check=True, env={
                       **os.environ,
                       "HPM_TEST_WRAP_DATA": os.path.join(SOURCE, "lib", "libraries"),
                       "HPM_TEST_WRAP_INCLUDE": os.path.join(SOURCE, "include"),
                       "HPM_TEST_WRAP_FLAGS": "-L" + LIB,
                       "HPM_TEST_WRAP_LIBDIR": os.path.join(LIBRARIES, ".libs")})


def main():
    with tempfile.TemporaryDirectory() as where:
        make(where)
        for name, variables in WAYS:
            env = {k: v for k, v in os.environ.items() if not k.startswith("HPM_")}
            env.update(variables, LD_PRELOAD=os.path.join(where, "wrapped.so"),
                       HPM_LIBRARY="bench:bench_chosen,bench:bench_work",
                       LD_LIBRARY_PATH=":".join(
                           [where, LIB, os.path.join(LIBRARIES, ".libs")]))
            done = subprocess.run([os.path.join(where, "libraries")], cwd=where,
                                  env=env, check=True, stdout=subprocess.PIPE)
            pair, *in_pairs = map(float, done.stdout.split())
            print(f"{name}: a pair of section calls {pair:.1f} ns")
            for (what, goal), value in zip(WHAT, in_pairs):
                verdict = "" if goal is None else \
                    f"  at most {goal}: {'good' if value <= goal else 'missed'}"
                print(f"    {what:12} {value:6.3f} pairs{verdict}")


main()
