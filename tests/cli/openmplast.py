# SPDX-License-Identifier: BSD-3-Clause
"""Which thread comes last to the end of parallel regions, how often, and how long the
others wait for it, by libhpm_openmp: against the program's own clock; and the hint."""

import json
import os
import subprocess
import xml.etree.ElementTree as ET

import tap
from reports import data, record, report, task_file, write
from tap import HPMCOUNT, TOP_BUILD, TOP_SOURCE, done, equal, folder, ok, skip

SOURCE = os.path.join(TOP_SOURCE, "tests", "parallel", "lastcomer.c")
LIBRARIES = os.path.join(TOP_BUILD, "lib", ".libs")
REGIONS = 12
NEAR = 0.002
SECOND = 1000000000


def values_in(where):
    """By thread: ends of regions, those as the last one, seconds others waited; of the
    sections of regions alone, too."""
    whole, regions = {}, {}
    for path in tap.files(where):
        for element in ET.parse(path).getroot().iter("InstrumentationPt"):
            found = {d.get("name"): float(d.get("value"))
                     for d in element.findall("data") if d.get("value")}
            kept = whole if element.get("label") == "whole run" else regions
            kept[int(element.get("tid"))] = tuple(
                found[f"openmp::region_barrier_{name}"] * scale
                for name, scale in (("arrivals", 1), ("last", 1),
                                    ("delay", 1e-9)))
    return whole, regions


def far_off(said, found):
    """Threads of which the program's own clock says another thing: one may lose its
    processor between both."""
    for tid in sorted(said | found):
        here, there = said.get(tid), found.get(tid)
        if here is None or there is None or \
                tuple(there[:2]) != (REGIONS, here[0]) or \
                abs(there[2] - here[1]) > NEAR:
            yield tid, (here, there)


def measured(program, n):
    with folder() as where:
        result = tap.run([HPMCOUNT, "-n", "--openmp=regions", program],
                         folder=where, LD_LIBRARY_PATH=LIBRARIES,
                         OMP_NUM_THREADS=n)
        said = {int(tid): (int(last), float(seconds)) for tid, last, seconds in
                map(str.split, result.stdout.decode().splitlines())}
        return result, said, values_in(where)


def test_program(program, runtime, n):
    name = f"{runtime}, {n} threads"
    (result, said, (whole, regions)), lasting = tap.always_off(
        lambda: measured(program, n),
        lambda found: far_off(found[1], found[2][0]))
    ok(result.returncode == 0 and not result.stderr and len(said) == n and
       not lasting,
       f"{name}: who comes last, how often, and what others wait, within 2 ms",
       (result, said, whole, lasting))
    equal({tid: values[1] for tid, values in regions.items()},
          {tid: values[1] for tid, values in whole.items()},
          f"{name}: that is in the section of the region")


def test_one_thread(program, runtime):
    _, _, (whole, _) = measured(program, 1)
    equal(whole, {0: (0, 0, 0)}, f"{runtime}: one thread alone keeps nobody waiting")


def test_programs():
    with folder() as where:
        for compiler, runtime in (("clang", "libomp"), ("gcc", "libgomp")):
            program = os.path.join(where, compiler)
            try:
                made = subprocess.run(
                    [compiler, "-O1", "-g", "-fopenmp", SOURCE, "-o", program],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            except FileNotFoundError:
                made = None
            if made is None or made.returncode != 0 or runtime.encode() not in \
                    subprocess.run(["ldd", program],
                                   stdout=subprocess.PIPE).stdout:
                skip(runtime, f"{compiler} makes no program with this runtime")
                continue
            for n in (3,) if tap.IS_REPEATED else (2, 4):
                test_program(program, runtime, n)
            test_one_thread(program, runtime)


def test_hint():
    def counters(thread, late):
        is_late = thread == late
        return [data(f"openmp::{name}", value, exclusive=value) for name, value in (
            ("thread_time", 10 * SECOND), ("region_barrier_arrivals", 100),
            ("region_barrier_last", 96 if is_late else 0),
            ("region_barrier_delay", 124 * SECOND // 10 if is_late else 0))]

    def hints(late):
        with folder() as where:
            path = write(where, "x.0.hpm.xml", task_file(0, [
                record(1, thread, 0, "region at solve.c:120", 10, 10,
                       counters(thread, late), calls=100)
                for thread in range(4)]))
            text = " ".join(report(path).stdout.decode().split())
            made = report("--format", "json", path)
            return text, [hint for hint in json.loads(made.stdout)["hints"]
                          if hint["hint"].startswith("OPENMP_")]

    text, found = hints(3)
    says = ("thread 3 of task 0 comes last to 96 of 100 ends of parallel regions: "
            "31.000 % of the time of all threads goes by waiting for it")
    ok("OPENMP_REGION_DELAY_SHARE 31.000 % in the gravest of 4 threads (1 bad) of "
       "section 'region at solve.c:120'" in text and says in text,
       "a hint names the thread, the region, how often and what it costs", text)
    equal([(hint["hint"], hint["why"]) for hint in found],
          [("OPENMP_REGION_DELAY_SHARE", says)], "in JSON, too")
    equal(hints(None)[1], [], "and there is none where nobody waits")


test_hint()
if os.path.exists(os.path.join(LIBRARIES, "libhpm_openmp.so")) and \
        not os.environ.get("sanitizers"):
    test_programs()
else:
    skip("threads that come last", "no shared library, or sanitizers")
done()
