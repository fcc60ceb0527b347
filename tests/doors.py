# SPDX-License-Identifier: BSD-3-Clause
"""What each door says of metrics: hpmcount's report, hpm report in all forms,
hpmviz; and where two of them differ.

`wanted` holds the names of the metrics that are asked about.  What differs is
added to `faults`."""

import csv
import io
import json
import math
import os
import re

import tap
from tap import HPM, run

VIEWER = os.path.join(tap.TOP_BUILD, "hpmviz", "hpmviz")
FIELDS = ("section", "task", "thread", "metric", "value", "state", "verdict",
          "remarks", "reason", "judged", "bad")


def ask(*arguments, **variables):
    result = run([HPM, "report", *arguments], **variables)
    return result.stdout.decode()


def read_csv(text):
    return list(csv.DictReader(io.StringIO(text)))


def known(row):
    """A row of a table without its empty cells."""
    return {word: value for word, value in row.items() if value != ""}


def picked(rows, wanted):
    """Metrics of a table, as texts and a number."""
    def text(value):
        return "" if value is None else str(value)

    table = [tuple(text(row[name]) for name in FIELDS) for row in rows
             if row["metric"] in wanted and row["kind"] == "metric"]
    return [row[:4] + (float(row[4]) if row[4] else None,) + row[5:]
            for row in table]


def is_shown(text, value):
    """Does a text, of three decimals or all digits that a double has, show the
    value?"""
    return math.isclose(float(text.strip("~").replace(",", "")), float(value),
                        abs_tol=0.00051, rel_tol=1e-15)


# ---- hpm report and hpmviz ---------------------------------------------------

LINE = re.compile(r"^ +(~?\w+) +(~?-?[\d.,]+(?:e\+\d+)?|-)(?:  +(\??[!+]?)"
                  r"(?: (\d+) of (\d+))?)?(?: |$)")

# Of a section; alone in a difference, where there is one value.
TITLE = re.compile(r"^(\w+)(?:, (?:[\d.]+ % of the time|\d+ (?:task|thread))|$)")


def read_text(text, wanted):
    """(section, metric) -> (value, mark, bad, of); section -> bad."""
    metrics, bad, section = {}, {}, None
    column = None
    for line in text.splitlines():
        title = TITLE.match(line)
        section = title.group(1) if title else section
        found = LINE.match(line)
        if section and found and found.group(1).strip("~") in wanted:
            metrics[section, found.group(1).strip("~")] = found.groups()[1:]
        if re.match(r"^(thread|process) section .* bad", line):
            column = line.index(" bad") + 4
        elif not line:
            column = None
        elif column:
            bad[line.split()[0]] = int(line[:column].split()[-1])
    return metrics, bad


def check_text(text, table, name, faults, wanted):
    metrics, bad = read_text(text, wanted)
    n_bad = {}
    for row in table:
        n_bad[row["section"]] = (n_bad.get(row["section"], 0) +
                                 int(row["bad"] or 0))
    for row in picked(table, wanted):
        section, _, _, metric, value, _, verdict, remarks, _, judged, n = row
        if (section, metric) not in metrics:
            if value is not None:
                faults.append((name, "not in the text", row))
            continue
        shown, mark, few, most = metrics[section, metric]
        # the value of several may be in doubt, and a verdict on some of them
        expected = (("?" if "doubtful" in remarks else "") +
                    {"bad": "!", "good": "+"}.get(verdict, ""))
        counts = (few, most) if few else None
        differs = (n, judged) if verdict == "bad" and int(judged) > 1 else None
        if ((mark or "") != expected or counts != differs or
                (shown == "-") != (value is None) or
                value is not None and not is_shown(shown, value)):
            faults.append((name, "text differs", row,
                           metrics[section, metric]))
    if "the difference of two experiments" in text:  # a change is not judged
        n_bad = {section: n for section, n in n_bad.items() if n != 0}
    if bad != n_bad:
        faults.append((name, "number of bad", bad, n_bad))


def check_viewer(where, paths, text, table, name, faults, wanted, **variables):
    """`text` and `table` are those of hpm report."""
    path = os.path.join(where, "viewer.csv")
    result = run([VIEWER, "--print", "--export-csv", path, *paths],
                 **variables)
    with open(path) as file:
        if picked(read_csv(file.read()), wanted) != table:
            faults.append((name, "hpmviz --export-csv"))
    os.unlink(path)
    said = read_text(result.stdout.decode(), wanted)
    if said != read_text(text, wanted):
        faults.append((name, "hpmviz --print", said, read_text(text, wanted)))


def check_json(paths, table, name, faults, wanted, **variables):
    document = json.loads(ask("--format", "json", *paths, **variables))
    if picked(document["data"], wanted) != table:
        faults.append((name, "JSON differs"))


def hints(text):
    """The metrics of the hints, the gravest first, and the values shown."""
    return re.findall(r"^  \d\. (\w+) (\S+)", text, re.M)


# ---- hpmcount ----------------------------------------------------------------

TREE = re.compile(r"^ +(~?)(\w+) +(-?[\d.,]+(?:e\+\d+)?|-) ?(\S*) +([?!+])? *(.*)$")


def of_run(text):
    """Metrics of hpmcount's text: name -> (value, mark, is partial, why none)."""
    found = {}
    part = (text + "\n").split("\nmetrics\n")[-1].split("\n\n")[0]
    for line in part.splitlines():
        words = TREE.match(line)
        if words:
            reason = re.search(r"\(no verdict: (.*?)\)", line)
            found[words.group(2)] = (words.group(3), words.group(5),
                                     words.group(1) == "~",
                                     reason.group(1) if reason else "")
    return found


def check_run(text, table, name, faults):
    """hpmcount's text, and the table of its file."""
    text = of_run(text)
    for row in table:
        if row["metric"] not in text or row["kind"] != "metric":
            continue
        value, mark, is_partial, reason = text[row["metric"]]
        expected = ("?" if "doubtful" in row["remarks"].split() else
                    {"bad": "!", "good": "+"}.get(row["verdict"]))
        if (mark != expected or (value == "-") != (row["value"] == "") or
                is_partial != ("partial" in row["remarks"].split()) or
                value != "-" and (not is_shown(value, row["value"]) or
                                  reason != row["reason"])):
            faults.append((name, "hpmcount's text", known(row),
                           text[row["metric"]]))


def check_table(own, table, name, faults):
    """hpmcount's own table, and that of its file."""
    for row in own:
        other = [r for r in table
                 if r["metric"] == row["metric"].strip("~") and
                 r["kind"] == row["kind"]]
        if row["kind"] != "metric" or not other:
            continue
        for field in ("value", "exclusive", "state", "verdict", "reason",
                      "remarks", "hint", "explained"):
            if row[field] != other[0][field]:
                faults.append((name, "hpmcount's table", field, known(row),
                               known(other[0])))
