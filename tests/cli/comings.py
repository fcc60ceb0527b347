# SPDX-License-Identifier: BSD-3-Clause
"""A process section has nothing of what it takes the library that threads come
and go inside it.  Page faults tell it everywhere: a thread that measures takes
memory and more stack.  The PMU lab tells it of instructions.  Two counters tell
of page faults, the kernel's and that of getrusage, from which the library takes
its part off in another way (lib/host/ownusage.h)."""

import os

from tap import (done, folder, ok, program, records, run, skip,
                 undisturbed)

PROGRAM = program("tests/programs/comings")
EDGES = program("tests/programs/edges")
BESIDE = program("tests/programs/beside")
EVENT = "page-faults"
USAGE = "ru::minflt", "ru::majflt"
REPEATS = 4  # tests/pmu-lab/lives.c
# what the kernel takes back while a test runs beside others
A_FEW = 2


def usage_of(record):
    """Page faults as getrusage says."""
    data = [record.data.get(name, {}) for name in USAGE]
    if any("value" not in datum for datum in data):
        return None
    return sum(int(datum["value"]) for datum in data)


def faults_of(n_threads, call, **variables):
    """Of each process section of the program, by each counter; None where one is
    not there."""
    with folder() as where:
        path = os.path.join(where, "out.hpm.xml")
        result = run([PROGRAM, str(n_threads), call], HPM_EVENTS=EVENT,
                     HPM_OUTPUT_NAME=path, **variables)
        sections = [record for record in records(path)
                    if record.scope == "process"]
    if result.returncode != 0:
        print("#", result.returncode, result.stderr.decode())
    counted = None
    if all("value" in record.data.get(EVENT, {}) for record in sections):
        counted = {record.label: int(record.data[EVENT]["value"])
                   for record in sections}
    used = {record.label: usage_of(record) for record in sections}
    return counted, None if None in used.values() else used


def test_faults(n_threads, title, call="site", **variables):
    for who, found in zip(("the kernel's counter", "getrusage"),
                          faults_of(n_threads, call, **variables)):
        for how in "together", "staggered":
            sentence = (f"{title} that end {how}: a process section around them "
                        "has the page faults it has when they do not measure "
                        f"({who})")
            if os.environ.get("sanitizers"):
                skip(sentence, "a sanitizer's memory is not ours")
            elif found is None:
                skip(sentence, "page faults are not counted here")
            else:
                more = found[f"measured {how}"] - found[f"plain {how}"]
                ok(abs(more) <= A_FEW, sentence, f"{more:+} of {found}")


def test_usage(title, steps, labels, **variables):
    """Sections in which the program touches next to nothing: the stacks of threads,
    the first page of code."""
    sentence = f"{title}: getrusage has no page faults of the library"
    if os.environ.get("sanitizers"):
        skip(sentence, "a sanitizer's memory is not ours")
        return
    with folder() as where:
        path = os.path.join(where, "out.hpm.xml")
        result = run([EDGES, *steps], HPM_OUTPUT_NAME=path, HPM_FSYNC="no",
                     **variables)
        found = {record.label: (usage_of(record), record.data.get(EVENT, {}))
                 for record in records(path) if record.label in labels}
    ok(set(found) == set(labels) and
       all(used is not None and used <= int(counted.get("value", 4)) + A_FEW
           for used, counted in found.values()), sentence, (found, result))


def time_beside():
    """The thread's own time, what is taken off, and that of the process."""
    with folder() as where:
        path = os.path.join(where, "out.hpm.xml")
        # page faults, which the thread does not have, look as if it were not there
        result = run([BESIDE], HPM_EVENTS=f"task-clock,{EVENT}",
                     HPM_OUTPUT_NAME=path)
        whole = next(record for record in records(path)
                     if record.label == "all").data
    return (int(result.stdout),
            int(whole.get("task-clock", {}).get("overhead", 0)),
            {"the kernel's counter": whole.get("task-clock", {}).get("value"),
             "getrusage": int(whole["ru::utime"]["value"]) +
                          int(whole["ru::stime"]["value"])})


def test_beside():
    """What a thread of the program does while the library looks at threads of its
    own is the program's."""
    sentence = "the time of a thread beside is all in the process section"
    if os.environ.get("sanitizers"):
        skip(sentence, "a sanitizer's memory is not ours")
        return

    def is_good(found):
        used, overhead, counts = found
        return all(0.95 * used <= int(n) <= used + overhead / 2
                   for n in counts.values() if n is not None)

    # three clocks, of which one at a time has what is stolen between two readings
    used, overhead, counts = undisturbed(time_beside, is_good)
    for who, found in counts.items():
        if found is None:
            skip(f"{sentence} ({who})", "task-clock is not counted here")
        else:
            ok(int(found) >= 0.95 * used, f"{sentence} ({who})", (found, used))
            # other threads of the program have some, the library's had 0.8 to 1.4
            # times what is taken off of both
            ok(int(found) <= used + overhead / 2,
               f"and nothing of the library's threads ({who})",
               (found, used, overhead))


def times_of(n_threads, **variables):
    """Processor time of each process section: task-clock, getrusage."""
    with folder() as where:
        path = os.path.join(where, "out.hpm.xml")
        run([PROGRAM, str(n_threads), "site"], HPM_EVENTS="task-clock",
            HPM_OUTPUT_NAME=path, **variables)
        data = [record.data for record in records(path)
                if record.scope == "process"]
    return [(int(datum["task-clock"]["value"]),
             int(datum["ru::utime"]["value"]) +
             int(datum["ru::stime"]["value"]))
            for datum in data if "value" in datum.get("task-clock", {})]


def test_time():
    """By processor time alone, which differs from thread to thread, the library
    finds out as well what threads cost."""
    sentence = "no processor time of the library's threads is left in a section"
    def is_good(found):
        return all(counted <= 1.2 * used for counted, used in found)
    found = undisturbed(lambda: times_of(4), is_good)
    if os.environ.get("sanitizers"):
        skip(sentence, "a sanitizer's memory is not ours")
    elif not found:
        skip(sentence, "task-clock is not counted here")
    else:
        ok(is_good(found), sentence, found)


for threads in 1, 4, 8:
    test_faults(threads, f"{threads} threads")
for call in "plain", "fortran":
    test_faults(4, f"4 threads with {call} calls", call)
test_faults(4, "4 threads, all in one record", HPM_MAX_THREADS=1)
MANY = [step for i in range(2000) for step in (f"0+{i + 10}=section {i}",
                                               f"0-{i + 10}")]
test_usage("tables that grow in a process section",
           ["0p+1=warm up", "0p-1", "0p+2=all", *MANY, "0p-2"], ["all"],
           HPM_EVENTS="page-faults")
test_usage("tables and a journal that grow in a section of a thread",
           ["0+2=all", *MANY, "0-2"], ["all"],
           HPM_EVENTS="ru::minflt,ru::majflt,page-faults",
           HPM_CHECKPOINT="1")
test_usage("the first process section in one of a thread, and threads that come",
           ["0+2=all", "0p+3=process", "1+4=other", "1-4", "2+4=other", "2-4",
            "0p-3", "0p+3=process", "0p-3", "0-2"], ["all"],
           HPM_EVENTS="ru::minflt,ru::majflt,page-faults")
test_beside()
test_time()
done()
