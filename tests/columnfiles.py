# SPDX-License-Identifier: BSD-3-Clause
"""Tables of numbers as performance files, for the tests of hpm cluster,
components, factors and outliers: a row is a thread, a column a counter."""

import csv
import json
import os

from reports import data, record, task_file
from tap import HPM, run, which

R_DATA = {"iris": "iris[, 1:4]", "mtcars": "mtcars", "USArrests": "USArrests",
          "swiss": "swiss", "attitude": "attitude"}


def counter(name, value):
    if value is None:
        return data(name, None, state="lost", reason="taken away")
    return data(name, repr(value), exclusive=repr(value))


def performance_file(path, names, rows, threads=None, label="solve", absent=()):
    """Threads of one task, or `threads` of them in each of several tasks.  The rows
    that are `absent` are of another section."""
    threads = threads or len(rows)
    records = [record(i + 1, i % threads, i // threads,
                      "elsewhere" if i in absent else label, 1.0, 1.0,
                      [counter(n, v) for n, v in zip(names, row)])
               for i, row in enumerate(rows)]
    with open(path, "w") as file:
        if threads == len(rows):
            file.write(task_file(0, records))
            return [path]
    os.unlink(path)
    paths = []
    for task in range((len(rows) + threads - 1) // threads):
        paths.append(f"{path}.{task}.hpm.xml")
        with open(paths[-1], "w") as file:
            file.write(task_file(task, records[task * threads:
                                               (task + 1) * threads]))
    return paths


def found(command, *arguments, status=0):
    """What a subcommand says as JSON; None when it ended otherwise."""
    result = run([HPM, command, "--format", "json", *arguments])
    if result.returncode != status:
        print(f"# {command}: {result.returncode} {result.stderr.decode()}")
        return None
    return json.loads(result.stdout) if result.stdout else {}


def r_is_there():
    return which("Rscript") is not None


def ask_r(where, code, **tables):
    """What R's code leaves in `result`, a list of vectors of numbers, by name.  Each
    table (names, rows) is a data frame of its name there."""
    lines = []
    for name, (names, rows) in tables.items():
        path = os.path.join(where, f"{name}.csv")
        with open(path, "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(names)
            out.writerows([["NA" if v is None else repr(v) for v in row]
                           for row in rows])
        lines.append(f"{name} <- read.csv('{path}', check.names = FALSE)")
    lines.append(code)
    lines.append("for (n in names(result)) cat(n, sprintf('%.17g', "
                 "as.numeric(result[[n]])), '\\n')")
    script = os.path.join(where, "ask.R")
    with open(script, "w") as file:
        file.write("\n".join(lines))
    answer = run(["Rscript", "--vanilla", script], timeout=300)
    if answer.returncode != 0:
        raise RuntimeError(answer.stderr.decode())
    values = {}
    for line in answer.stdout.decode().splitlines():
        words = line.split()
        values[words[0]] = [float("nan" if w == "NA" else w)
                            for w in words[1:]]
    return values


def r_table(where, name):
    """One of R's own data sets: names and rows."""
    code = (f"x <- {R_DATA[name]}\n"
            f"write.csv(x, '{where}/r.csv', row.names = FALSE)\n"
            "result <- list()")
    ask_r(where, code)
    with open(os.path.join(where, "r.csv")) as file:
        table = list(csv.reader(file))
    return table[0], [[float(v) for v in row] for row in table[1:]]
