# SPDX-License-Identifier: BSD-3-Clause
"""Performance files with numbers that are known, and what hpm report says of
them."""

import csv
import io
import math
import os

from tap import HPM, run

VIEWS = ["section", "tree", "task", "thread", "metric", "file"]
VIEWS_OF_SAMPLES = ["symbol", "line", "module", "call", "stack"]  # cli/sampling.py, callers.py


def data(name, value, **more):
    kind = more.pop("kind", "counter")
    words = "".join(f' {k}="{v}"' for k, v in more.items())
    shown = "" if value is None else f' value="{value}"'
    return f'<data name="{name}"{shown} kind="{kind}"{words}/>'


def datum(name, count):
    """Of a dictionary of value, state, share and error."""
    words = dict(count)
    value = words.pop("value", None)
    if value is not None:
        words["exclusive"] = value
    if "error" in words:
        words["error"] = repr(words["error"])
    if name.startswith("ru::"):
        words["unit"] = "ns"
    return data(name, value, **words)


def record(number, tid, task, label, excl, incl, counters, parent=None,
           line=10, scope="thread", more="", file="sweep.f", inst=1, calls=1,
           off=None):
    around = f' parent="{parent}"' if parent else ""
    return (f'<InstrumentationPt lid="x" tid="{tid}" task="{task}" '
            f'label="{label}" file="{file}" linestart="{line}" '
            f'lineend="{line + 5}" scope="{scope}" inst="{inst}" '
            f'id="{number}"{around}{more}>' + data("Count", calls) +
            data("ExcSec", f"{excl:.9f}", kind="time", unit="s") +
            data("IncSec", f"{incl:.9f}", kind="time", unit="s",
                 **({} if off is None else {"uncertainty": off})) +
            "".join(counters) + "</InstrumentationPt>")


def task_file(task, records, pmu='pmu="power4"', counters="", extra="",
              job="j1", program_name="sweep"):
    return (f'<HPMPerformanceFile version="1" complete="yes" kind="run">'
            f'<Run task="{task}" program="{program_name}" job="{job}" '
            f'start="2026-11-20T11:30:0{task}.000Z" seconds="12.5"/>'
            f'<Machine task="{task}" host="node{task}" system="Linux 6.1" '
            f'cpu="A Processor" cpus="4" mhz="1000" {pmu}/>'
            f'<Counters task="{task}">{counters}</Counters>{extra}'
            + "".join(records) + f'<End records="{len(records)}"/>'
            "</HPMPerformanceFile>")


def sampled(name="cpu-clock", period=499000, domain="user", more=' unit="ns"'):
    return f'<Sampled name="{name}" domain="{domain}" period="{period}"{more}/>'


def samples(places, name="cpu-clock", period=499000, domain="user"):
    """Of one section: places are (module, n, callers)."""
    return (f'<samples name="{name}" domain="{domain}" period="{period}" '
            f'taken="{sum(n for _, n, _ in places)}">' +
            "".join(f'<at module="{module}" offset="{10 * i + 5}" n="{n}"' +
                    (f' callers="{callers}"' if callers else "") + "/>"
                    for i, (module, n, callers) in enumerate(places)) + "</samples>")


def sampled_file(where, name, events, paths, sections):
    """Of a thread: sections are a list of what samples() gives, paths of modules."""
    profile = ('<Profile task="0">' + "".join(events) + "".join(
        f'<Module id="{i}" path="{path}"/>' for i, path in enumerate(paths, 1)) +
        "</Profile>")
    records = [record(i, 0, 0, f"part{i}", 1.0, 1.0, [each], line=20 * i, inst=i)
               for i, each in enumerate(sections, 1)]
    return write(where, name, task_file(0, records, extra=profile))


def write(where, name, text):
    path = os.path.join(where, name)
    with open(path, "w") as file:
        file.write(text)
    return path


# sweep in 4 tasks of 2 threads: 1 s to 8 s, cycles a thousand times that
SECONDS = [1, 2, 3, 4, 5, 6, 7, 8]


def known_files(where):
    paths = []
    for task in range(4):
        records = []
        for tid in range(2):
            t = SECONDS[2 * task + tid]
            number = 10 * tid + 1
            records += [
                record(number, tid, task, "main", 0.5, t + 0.5,
                       [data("PM_CYC", 1000 * t + 10, exclusive=10),
                        data("PM_INST_CMPL", 500 * t + 5, exclusive=5)],
                       line=1, inst=1),
                record(number + 1, tid, task, "sweep x", t, t,
                       [data("PM_CYC", 1000 * t, exclusive=1000 * t),
                        data("PM_INST_CMPL", 500 * t, exclusive=500 * t)],
                       parent=number, line=30, inst=2, calls=10)]
        paths.append(write(where, f"k.{task}.hpm.xml",
                           task_file(task, records)))
    return paths


def report(*arguments, **variables):
    return run([HPM, "report", *arguments], **variables)


def rows(*arguments, **variables):
    """The CSV report as a list of dictionaries."""
    result = report("--format", "csv", *arguments, **variables)
    return list(csv.DictReader(io.StringIO(result.stdout.decode())))


def find(table, section, metric, kind=None, **more):
    found = [r for r in table if r["section"] == section and
             r["metric"] == metric and (kind is None or r["kind"] == kind) and
             all(r[k] == v for k, v in more.items())]
    return found[0] if len(found) == 1 else None


def is_near(text, expected):
    return text != "" and math.isclose(float(text), expected, rel_tol=1e-12)


def values_are(row, **expected):
    return row is not None and all(
        is_near(row[k], v) if not isinstance(v, str) else row[k] == v
        for k, v in expected.items())
