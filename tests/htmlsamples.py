# SPDX-License-Identifier: BSD-3-Clause
"""Samples on the page, in a browser: the functions of all and of each section are
those of hpm report --by symbol, and each shows its lines."""

import csv
import glob
import io
import os
import re
import xml.etree.ElementTree as ET
from decimal import ROUND_HALF_UP, Decimal

from htmlpages import make
from tap import HPM, equal, ok, program, run, skip

SAMPLED = program("tests/programs/sampled")
LEAST = 30  # samples, for a share


def fixed(value):
    """With one digit behind the point, as a page's script writes it: of two that are
    as near the larger one, which is not Python's choice."""
    return str(Decimal(value).quantize(Decimal("0.1"), ROUND_HALF_UP))


def sampled_file(where):
    path = os.path.join(where, "samples.hpm.xml")
    result = run([SAMPLED, "2", "60"], folder=where, HPM_OUTPUT_NAME=path,
                 HPM_SAMPLE="cpu-clock@499us")
    if not os.path.exists(path) or b"not sampled" in result.stderr:
        skip("samples on the page", result.stderr.decode()[:100])
        return None
    return path


def rows_of_report(path, by="symbol"):
    """By section ("": all): name and module -> samples."""
    text = run([HPM, "report", "--by", by, "--format", "csv", path]).stdout.decode()
    found = {}
    for row in csv.DictReader(io.StringIO(text)):
        key = (row["scope"], row["section"])
        found.setdefault(key, {})[row["name"], row["module"]] = row
    return found


def rows_shown(driver, selector):
    """The rows of a table, in their order, as texts of its cells."""
    return driver.execute_script(
        "const table = document.querySelector(arguments[0]);"
        "return table ? Array.from(table.querySelectorAll('tbody tr'), (row) =>"
        " Array.from(row.children, (cell) => cell.innerText)) : null", selector)


def compare(driver, selector, expected, what):
    """A table and the rows of the report: as many samples, shares as theirs."""
    shown = rows_shown(driver, selector) or []
    rows = {(row[0], row[4]): row for row in shown}
    equal({key: int(row[1].replace(",", "")) for key, row in rows.items()},
          {key: int(row["samples"]) for key, row in expected.items()},
          f"{what}: functions and samples are those of the report")
    wrong = []
    for key, row in expected.items():
        if int(row["of"]) < LEAST:
            words = ("n/a", "n/a")
        else:
            share, low, high = (100 * float(row[name])
                                for name in ("share", "low", "high"))
            words = (fixed(share), f"{fixed(low)} to {fixed(high)}")
        if key in rows and tuple(rows[key][2:4]) != words:
            wrong.append((rows[key], words))
    equal(wrong, [], f"{what}: with their shares and intervals, or n/a")
    counts = [int(row[1].replace(",", "")) for row in shown]
    equal(counts, sorted(counts, reverse=True), f"{what}: the most first")


# What every button named CSV writes, with the headings and rows of its table
WRITTEN = """
const said = [], blobs = [], done = arguments[0];
const { createObjectURL } = URL, { click } = HTMLAnchorElement.prototype;
URL.createObjectURL = (blob) => blobs.push(blob);
HTMLAnchorElement.prototype.click = function () {
  said.push([this.download]);
};
const texts = (cells) => Array.from(cells, (e) => e.textContent.trim());
for (const button of document.querySelectorAll('.tools button')) {
  let next = button.closest('.tools').nextElementSibling;
  while (next && !next.matches('.table-box')) {
    next = next.nextElementSibling;
  }
  if (button.textContent !== 'CSV' || !next) {
    continue;
  }
  button.click();
  said[said.length - 1].push(texts(next.querySelectorAll('thead th button')),
    Array.from(next.querySelectorAll('tbody tr'), (row) => texts(row.children)));
}
URL.createObjectURL = createObjectURL;
HTMLAnchorElement.prototype.click = click;
Promise.all(blobs.map((blob) => blob.text())).then((texts) => done(
  said.map(([name, heads, rows], i) => [name, texts[i], heads, rows])));
"""


def numbers(cell):
    return [float(word) for word in
            re.findall(r"-?\d+(?:\.\d+)?", cell.replace(",", "").replace("−", "-"))]


def check_percentages(driver, expected, what):
    """Columns in % of a CSV file are what stands on the page, with more digits."""
    met, wrong = set(), []
    for name, content, heads, cells in driver.execute_async_script(WRITTEN):
        shown = {head.rstrip(" ▲▼"): i for i, head in enumerate(heads)}
        for line, row in zip(csv.DictReader(io.StringIO(content)), cells):
            for key, value in line.items():
                place, at = {"low (%)": ("interval %", -2), "high (%)": (
                    "interval %", -1)}.get(key, (key.replace("(%)", "%"), -1))
                if not key.endswith("(%)") or place not in shown:
                    continue
                said = numbers(row[shown[place]])
                if value != "" or said:
                    met.add((name, key))
                if (value != "") != bool(said) or (
                        said and abs(said[at] - float(value)) > 0.0501):
                    wrong.append((name, key, value, row))
    equal(wrong, [], f"{what}: columns of CSV in % are as on the page")
    equal(sorted(expected - met), [], f"{what}: and there are such columns")


def press(driver, selector, words):
    buttons = driver.find_elements("css selector", selector)
    button = next((b for b in buttons if b.text.startswith(words)), None)
    if button is not None:
        driver.execute_script("arguments[0].click()", button)
    return button is not None


def check_lines(driver, path):
    ok(press(driver, "section[aria-labelledby=samples] table.samples button",
             "in_outer"), "a function is a button")
    shown = rows_shown(driver, ".lines table") or []
    source = {name: row for (name, _), row in
              rows_of_report(path, "line")["", ""].items()}
    ok(shown and all(row[0] in source for row in shown),
       "which shows lines that the report has, too", shown)
    total = sum(int(row[1].replace(",", "")) for row in shown)
    function = next(int(row["samples"]) for (name, _), row in
                    rows_of_report(path)["", ""].items()
                    if name.startswith("in_outer"))
    equal(total, function, "all samples of the function are in its lines")


LONG = """
const table = document.querySelector('section[aria-labelledby=samples] .samples');
const cell = table.querySelector('tbody tr > :first-child');
const [first] = cell.children;
const had = first.textContent;
first.textContent = 'std::vector<int> '.repeat(50);
const box = table.closest('.scroll');
const is = [box.scrollWidth - box.clientWidth, first.title];
first.textContent = had;
return [...is, had];
"""


def check_long_name(driver):
    """A function of C++ may have a name that is wider than the page."""
    beyond, title, name = driver.execute_script(LONG)
    ok(beyond <= 1, "a long name leaves the numbers beside it in sight", beyond)
    ok(title.endswith(name), "its tooltip has all of a name", (title, name))


def brief(name):
    return name if len(name) <= 60 else name[:59] + "…"


def check_first_screen(driver, reported):
    """Below a section's bar stand its two functions with most samples."""
    shown = driver.execute_script(
        "return Array.from(document.querySelectorAll('.shares li'), (item) => "
        "item.textContent)")
    wrong, met = [], 0
    for (scope, section), rows in reported.items():
        found = sorted(rows.items(), key=lambda item: -int(item[1]["samples"]))
        words = [f"{fixed(100 * float(row['share']))} % in " + (
            f"{module}, without a name" if name == "(no name)" else
            brief(name) + (f" ({module})" if module else ""))
                 for (name, module), row in found if int(row["of"]) >= LEAST and
                 int(row["samples"]) >= 0.1 * int(row["of"])][:2]
        sentence = "samples of cpu-clock: " + ", ".join(words)
        met += len(words) > 0
        if scope and words and not any(
                item.startswith(section) and item.endswith(sentence)
                for item in shown):
            wrong.append((scope, section, sentence))
    ok(met > 1 and wrong == [], "the first screen says where most samples of a "
       "section are", (wrong, shown))


def check_two_ways(driver, where, path):
    """As if the forked child had sampled the same event with another period."""
    out = os.path.join(where, "ways.html")
    child = glob.glob(path.replace(".hpm.xml", "_*.hpm.xml"))
    for other in child:
        with open(other, encoding="utf-8") as file:
            text = file.read()
        with open(other, "w", encoding="utf-8") as file:
            file.write(text.replace('period="499000"', 'period="809000"'))
    taken = [int(ET.parse(each).getroot().find("Profile/Sampled").get("taken"))
             for each in (path, *child)]
    make(out, path, *child)
    driver.get("file://" + out)
    lists = driver.execute_script(
        "return Array.from(document.querySelectorAll("
        "'section[aria-labelledby=samples] details'), (list) => Array.from("
        "list.querySelectorAll('li'), (line) => line.textContent))")
    sums = [sum(int(re.search(r": ([\d,]+) samples", line)[1].replace(",", ""))
                for line in lines) for lines in lists]
    heads = driver.execute_script(
        "return Array.from(document.querySelectorAll("
        "'section[aria-labelledby=samples] h3'), (head) => head.textContent)")
    equal(sorted(re.sub(", outside the kernel", "", head) for head in heads),
          ["Samples of cpu-clock, one each 499 us",
           "Samples of cpu-clock, one each 809 us"],
          "two ways to sample an event have headings that differ")
    ok(len(child) == 1 and len(sums) == 2 and
       all(0 < n <= 2 * most for n, most in zip(sums, taken)),
       "sections are listed where their samples are of this way, as those of "
       "threads and of processes", (sums, taken, lists))


def check_labels(driver, what):
    """A section open, a table that can be scrolled is known by its label, which
    no other one has."""
    equal(press(driver, "table.sections tbody th button", ""), True,
          f"{what}: a section opens")
    for table in ("[aria-labelledby=samples]", "#section"):
        press(driver, f"section{table} table.samples button", "in_outer")
    labels = driver.execute_script(
        "return Array.from(document.querySelectorAll('[role=region]'), (e) => "
        "e.getAttribute('aria-label'))")
    ok(len(labels) > 3 and len(set(labels)) == len(labels),
       f"{what}: no two tables have one label", labels)


def check_access(driver, axe):
    if axe is None:
        skip("axe finds nothing in tables of samples", "no axe-core")
        return
    driver.execute_script(axe)
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run().then((r) => done("
        "r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])));")
    equal(found, [], "axe finds nothing in tables of samples")


def check_page(driver, where, axe):
    """`axe`: the text of axe-core, or None."""
    path = sampled_file(where)
    if path is None:
        return
    out = os.path.join(where, "samples.html")
    make(out, path)
    driver.get("file://" + out)
    reported = rows_of_report(path)
    head = driver.find_element("css selector",
                               "section[aria-labelledby=samples]").text
    ok("one each 499 us" in head and "were to be expected" in head and
       "\\x" not in head,
       "samples have their period, and how many were to be expected", head[:300])
    compare(driver, "section[aria-labelledby=samples] table.samples",
            reported["", ""], "all of the program")
    check_long_name(driver)
    check_lines(driver, path)
    check_first_screen(driver, reported)
    for scope, section in sorted(key for key in reported if key[1]):
        if scope == "process" or section.startswith("("):
            continue
        press(driver, "table.sections tbody th button", section)
        compare(driver, "#section table.samples", reported[scope, section], section)
    check_percentages(driver, {("samples.csv", f"{key} (%)") for key in
                               ("share", "low", "high")} |
                      {("section.csv", "imbalance (%)")}, "samples")
    check_access(driver, axe)
    check_two_ways(driver, where, path)
    check_labels(driver, "an event sampled in two ways")
    both = os.path.join(where, "both.html")
    make(both, "--each", path, path)
    driver.get("file://" + both)
    check_labels(driver, "two runs")
    check_access(driver, axe)
    plain = os.path.join(where, "plain.hpm.xml")
    run([SAMPLED, "1", "1"], folder=where, HPM_OUTPUT_NAME=plain)
    out = os.path.join(where, "plain.html")
    make(out, plain)
    driver.get("file://" + out)
    equal(driver.find_elements("css selector", "#samples"), [],
          "a run without samples has no such part")
