# SPDX-License-Identifier: BSD-3-Clause
"""A process section has nothing of what it takes the library that threads come
and go inside it.  Page faults tell it everywhere: a thread that measures takes
memory and more stack.  The PMU lab tells it of instructions."""

import os

from tap import done, folder, ok, program, records, run, skip

PROGRAM = program("tests/programs/comings")
EVENT = "page-faults"
REPEATS = 4  # tests/pmu-lab/lives.c
# what the kernel takes back while a test runs beside others
A_FEW = 2


def faults_of(n_threads, call, **variables):
    """Of each process section of the program; None where they are not
    counted."""
    with folder() as where:
        path = os.path.join(where, "out.hpm.xml")
        result = run([PROGRAM, str(n_threads), call], HPM_EVENTS=EVENT,
                     HPM_OUTPUT_NAME=path, **variables)
        found = {record.label: record.data.get(EVENT, {})
                 for record in records(path) if record.scope == "process"}
    if result.returncode != 0:
        print("#", result.returncode, result.stderr.decode())
    if any("value" not in data for data in found.values()):
        return None
    return {label: int(data["value"]) for label, data in found.items()}


def test_faults(n_threads, title, call="site", **variables):
    found = faults_of(n_threads, call, **variables)
    for how in "together", "staggered":
        sentence = (f"{title} that end {how}: a process section around them "
                    "has the page faults it has when they do not measure")
        if os.environ.get("sanitizers"):
            skip(sentence, "a sanitizer's memory is not ours")
        elif found is None:
            skip(sentence, "page faults are not counted here")
        else:
            more = found[f"measured {how}"] - found[f"plain {how}"]
            ok(abs(more) <= A_FEW, sentence, f"{more:+} of {found}")


for threads in 1, 4, 8:
    test_faults(threads, f"{threads} threads")
for call in "plain", "fortran":
    test_faults(4, f"4 threads with {call} calls", call)
test_faults(4, "4 threads, all in one record", HPM_MAX_THREADS=1)
done()
