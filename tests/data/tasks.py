# SPDX-License-Identifier: BSD-3-Clause
"""The task files of a large run, one in a hundred broken in one of ten ways.

    python3 tests/data/tasks.py FOLDER [TASKS [SECTIONS [THREADS]]]
    python3 tests/data/tasks.py --plain FOLDER TASKS SECTIONS THREADS [RUN]

writes task-00000.xml ... and prints the names of the broken ones.  The same
arguments give the same bytes.  With --plain none is broken, and a record has
no more than its calls, its times and four counters, inclusive and exclusive;
sections take less and less time, and the last thread of a task the most.
Runs 1, 2, ... have other numbers than run 0.
"""

import os
import random
import sys

import hostile

COUNTERS = ["cycles", "instructions", "cache-references", "cache-misses",
            "branch-instructions", "branch-misses", "task-clock",
            "page-faults", "context-switches", "L1-dcache-load-misses"]


def head(task, counters=COUNTERS, run=0):
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             '<HPMPerformanceFile version="1" complete="yes" kind="run">',
             f'  <Run task="{task}" program="swim" job="{4711 + run}" '
             f'pid="{1000 + task}" start="2026-11-20T11:30:00.'
             f'{task % 1000:03d}Z" seconds="12.345678901" '
             'tool="hpm-toolkit 0.1.0">', '  </Run>',
             f'  <Machine task="{task}" host="node{task // 16}" '
             'system="Linux 6.1.0" arch="x86_64" cpus="16" pmu="skl" '
             'mhz="2400" virtual="no" counters="hardware"/>',
             f'  <Counters task="{task}">']
    lines += [f'    <Counter name="{name}" source="kernel" domain="user" '
              'state="counted" description="counted by the processor"/>'
              for name in counters]
    return lines + ['  </Counters>']


def begin(task, tid, section, number):
    # above it: the first record of this thread
    parent = '' if section == 0 else f' parent="{number - section}"'
    return (f'  <InstrumentationPt lid="swim.f{100 + section}" disp="true" '
            f'tid="{tid}" task="{task}" label="section {section}" '
            f'file="/home/user/swim/src/swim.f" '
            f'linestart="{100 + section}" lineend="{120 + section}" '
            f'scope="thread" inst="{section}" id="{number}"{parent}>')


def record(task, tid, section, number, count):
    lines = [begin(task, tid, section, number),
             f'    <data name="Count" value="{count() % 1000 + 1}" '
             'kind="counter"/>',
             f'    <data name="ExcSec" value="{count() % 10}.'
             f'{count() % 10**9:09d}" kind="time" unit="s"/>',
             f'    <data name="IncSec" value="{count() % 100}.'
             f'{count() % 10**9:09d}" mean="{count() % 10**6 / 997!r}" '
             f'sdev="{count() % 10**4 / 991!r}" overhead="0.000001234" '
             'uncertainty="1.5e-07" kind="time" unit="s"/>']
    lines += [f'    <data name="{name}" value="{count()}" '
              f'exclusive="{count()}" mean="{count() / 997!r}" '
              f'sdev="{count() / 99991!r}" overhead="{count() % 9999}" '
              'kind="counter"/>' for name in COUNTERS]
    return lines + ['  </InstrumentationPt>']


def whole(task, sections, threads):
    random_bits = random.Random(task).getrandbits
    lines = head(task)
    number = 0
    for tid in range(threads):
        for section in range(sections):
            number += 1
            lines += record(task, tid, section, number,
                            lambda: random_bits(40))
    lines += [f'  <End records="{number}"/>', '</HPMPerformanceFile>', '']
    return '\n'.join(lines).encode()


def plain_record(task, tid, section, number, seconds, inclusive, count):
    lines = [begin(task, tid, section, number),
             f'    <data name="Count" value="{section + 1}" kind="counter"/>',
             f'    <data name="ExcSec" value="{seconds:.9f}" kind="time" '
             'unit="s"/>',
             f'    <data name="IncSec" value="{inclusive:.9f}" kind="time" '
             'unit="s"/>']
    for i, name in enumerate(COUNTERS[:4]):
        value = int(seconds * 1e9) >> 2 * i | count() % 1024
        lines.append(f'    <data name="{name}" value="{value}" '
                     f'exclusive="{value}" kind="counter"/>')
    return lines + ['  </InstrumentationPt>']


def plain(task, sections, threads, run=0):
    random_bits = random.Random(10**6 * run + task).getrandbits
    lines = head(task, COUNTERS[:4], run)
    for tid in range(threads):
        times = [(1 + tid / threads + random_bits(20) / 2**24) / (section + 1)
                 for section in range(sections)]
        for section, seconds in enumerate(times):
            lines += plain_record(task, tid, section,
                                  tid * sections + section + 1, seconds,
                                  sum(times) if section == 0 else seconds,
                                  lambda: random_bits(40))
    lines += [f'  <End records="{threads * sections}"/>',
              '</HPMPerformanceFile>', '']
    return '\n'.join(lines).encode()


# Each makes a good file a bad one; what must become of it (see hostile.py).
WAYS = [
    ("refused", lambda data: b""),
    ("cut", lambda data: data[:-100]),
    ("cut", lambda data: data[:-100] + bytes(len(data) // 2)),
    ("refused", lambda data: data.replace(b'version="1"', b'version="2"')),
    ("refused", lambda data: hostile.nested_entities()),
    ("refused", lambda data: data.replace(b"UTF-8", b"ISO-8859-1")),
    ("noted", lambda data: data.replace(b'value="', b'value="x', 40)),
    ("refused", lambda data: data.replace(b"</InstrumentationPt>", b"</Point>",
                                          1)),
    ("noted", lambda data: data.replace(b' id="2"', b' id="1"', 1)),
    ("refused", lambda data: b"\x1f\x8b" + data),
]


def put(folder, task, data):
    name = f"task-{task:05d}.xml"
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
    return name


def write(folder, tasks=10000, sections=4, threads=2):
    """Write all; the names of the broken ones, and what becomes of each."""
    broken = {}
    for task in range(tasks):
        data = whole(task, sections, threads)
        damage = None
        if task % 100 == 57:
            verdict, damage = WAYS[task // 100 % len(WAYS)]
        name = put(folder, task, damage(data) if damage else data)
        if damage:
            broken[name] = verdict
    return broken


def main(arguments):
    is_plain = arguments[:1] == ["--plain"]
    arguments = arguments[is_plain:]
    if not (4 <= len(arguments) <= 5 if is_plain else
            1 <= len(arguments) <= 4):
        sys.exit("usage: tasks.py FOLDER [TASKS [SECTIONS [THREADS]]]\n"
                 "       tasks.py --plain FOLDER TASKS SECTIONS THREADS [RUN]")
    folder, *sizes = arguments[0], *map(int, arguments[1:])
    if not is_plain:
        print("\n".join(write(folder, *sizes)))
        return
    for task in range(sizes[0]):
        put(folder, task, plain(task, *sizes[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
