#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page of hpm report in a browser, as a person uses it.  Skipped, with
the reason, where Chromium, its driver or Selenium are not there."""

import csv as csvs
import math
import os
import random
import re
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from browsers import browser, missing, see
from cmssw import core, counts_of, nehalem, replayed
from columnfiles import performance_file
from htmlpages import make
from htmlsamples import check_page, check_percentages
from reports import data, known_files, record, task_file, write
from tap import equal, folder, ok

try:
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support import expected_conditions
    from selenium.webdriver.support.ui import Select
except ImportError:  # which missing() says so
    pass


def names(driver):
    """In one step, for rows of a long table are drawn anew when it scrolls."""
    return driver.execute_script(
        "return Array.from(document.querySelectorAll("
        "'table.sections tbody th button'), (e) => e.innerText)")


def heading(driver, words):
    for button in driver.find_elements(By.CSS_SELECTOR,
                                       "table.sections thead button"):
        if button.text.startswith(words):
            return button
    return None


def asked_for(driver):
    """Addresses that the page asked for, its own file left out."""
    import json
    urls = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            urls.append(message["params"]["request"]["url"])
    return [u for u in urls if not u.startswith(("file:", "blob:", "data:",
                                                 "chrome:"))]


def test_table(driver, path, downloads):
    driver.get("file://" + path)
    ok(see(lambda: names(driver) == ["sweep x", "main"]),
       "sections stand by their time", names(driver))
    place = [e.text.split(" ")[0] for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections thead th")].index("imbalance")
    equal(driver.find_elements(By.CSS_SELECTOR, "table.sections tbody tr")[0]
          .find_elements(By.CSS_SELECTOR, "th, td")[place].text, "43.8",
          "with the imbalance of 1 s to 8 s in eight threads")
    heading(driver, "section").click()
    equal(names(driver), ["main", "sweep x"], "a heading sorts")
    equal(driver.find_element(By.CSS_SELECTOR, "[aria-sort]")
          .get_attribute("aria-sort"), "ascending", "and says so")
    search = driver.find_element(By.ID, "search")
    search.send_keys("sweep X")
    equal(names(driver), ["sweep x"], "the search leaves what has the word")
    ok("search=sweep" in driver.current_url and "sort=" in driver.current_url,
       "the address has both", driver.current_url)
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys(Keys.DELETE)
    buttons = driver.find_elements(By.CSS_SELECTOR, "#sections ~ .tools button")
    next(b for b in buttons if b.text == "call tree").click()
    equal(names(driver), ["main", "sweep x"], "the tree has main around sweep x")
    search = driver.find_element(By.ID, "search")
    search.send_keys("sweep x")
    equal(names(driver), ["main", "sweep x"],
          "a search leaves what is around a section that has the word")
    search.send_keys(Keys.CONTROL, "a")
    search.send_keys(Keys.DELETE)
    next(b for b in driver.find_elements(
        By.CSS_SELECTOR, "#sections ~ .tools button") if b.text == "flat").click()
    next(b for b in driver.find_elements(
        By.CSS_SELECTOR, "#sections ~ .tools button") if b.text == "CSV").click()
    csv = os.path.join(downloads, "sections.csv")
    ok(see(lambda: os.path.exists(csv) and os.path.getsize(csv) > 0, 60),
       "a table is written as CSV")
    with open(csv, encoding="utf-8") as file:
        text = file.read()
    ok("sweep x,sweep.f,30,thread" in text and "36000,counted" in text,
       "with exact values and their states", text)


def test_section(driver):
    next(e for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections tbody th button")
        if e.text == "sweep x").send_keys(Keys.ENTER)
    panel = driver.find_element(By.ID, "section")
    ok(panel.is_displayed() and "Section sweep x" in panel.text,
       "a section opens from the keyboard", panel.text[:80])
    ok(re.search(r"8 threads: least 1 s at \d\.\d, quarter 2.75 s, median "
                 "4.5 s, three quarters 6.25 s, most 8 s", panel.text) and
       "bad 8 of 8" in panel.text,
       "with the spread of its threads, and verdicts in words", panel.text)
    bars = driver.execute_script(
        "return Array.from(document.querySelectorAll('#section .bin'), (e) => "
        "[e.textContent, Number(e.getAttribute('height'))]);")
    equal([(i, words) for i, (words, high) in enumerate(bars) if high > 0],
          [(min(39, 40 * k // 7), "1 thread") for k in range(8)],
          "and a bar where each of them is")
    check_percentages(driver, {("section.csv", "imbalance (%)")}, "a section")
    driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    ok(not panel.is_displayed() and
       driver.switch_to.active_element.text == "sweep x",
       "Escape closes it, and the focus is where it was")


def test_address(driver, path):
    """An address that is sent shows who gets it the same."""
    for view in ("", "#view=tree"):
        driver.get("about:blank")
        driver.get("file://" + path + view)
        button(driver, "table.sections tbody th button", "sweep x").click()
        said = driver.find_element(By.ID, "section").text
        address = driver.current_url
        driver.get("about:blank")
        driver.get(address)
        panel = driver.find_element(By.ID, "section")
        equal((panel.is_displayed(), panel.text), (True, said),
              f"the address opens the section again, {view or 'flat'}")


def shares(driver):
    """Lines of the first list of shares: its section, and all that it says."""
    return {e.find_element(By.TAG_NAME, "button").text: e.text
            for e in driver.find_elements(By.CSS_SELECTOR, ".shares li")
            if e.find_elements(By.TAG_NAME, "button")}


def test_first_screen(driver, where):
    """Three threads that wait half of their time, one of them twice as long as
    the others, and the process around them."""
    path = os.path.join(where, "time")
    os.mkdir(path)
    records = [record(number, tid, 0, "waits", seconds, seconds, [
        data("task-clock", int(seconds * 5e8), unit="ns",
             exclusive=int(seconds * 5e8))])
               for number, tid, seconds in ((1, 0, 30), (2, 1, 15), (3, 2, 15))]
    write(path, "x.hpm.xml", task_file(0, [*records, record(
        4, -1, 0, "whole", 30, 30, [data(name, n, exclusive=n, unit=unit)
                                    for name, n, unit in (
            ("ru::utime", 2 * 10**9, "ns"), ("ru::stime", 10**9, "ns"),
            ("ru::minflt", 1000, ""), ("ru::majflt", 0, ""))],
        scope="process")], pmu="", extra=(
            '<Calibration scope="thread" when="init" calls="100"><cost '
            'name="IncSec" self="0.000000012" pair="0.000001440" '
            'pair_median="0.000001500" pair_max="0.000002000"/>'
            '<cost name="task-clock" self="700" pair="1450"/>'
            '</Calibration>')))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    found = shares(driver)
    ok("uneven: task 0 thread 0 took 30 s, all on average 20 s" in
       found["waits"] and "bad: UTILISATION 50.0 %" in found["waits"],
       "a section says that it is uneven, and what is bad", found)
    equal([e.text for e in driver.find_elements(By.CSS_SELECTOR,
                                                "#where ~ h3")],
          ["Of whole processes", "Of threads"],
          "processes and threads have lists of their own")
    lines = drawn(driver)
    equal((lines["TIME"], lines["CPU_TIME"], lines["not"]),
          (("60.000000", "100.0"), ("30.000000", "50.0"),
           ("30.000000", "50.0")),
          "without cycles there is the time, on processors and not")
    trees = [e.get_attribute("textContent") for e in driver.find_elements(
        By.CSS_SELECTOR, "#cycles ~ * table.plain, #cycles ~ table.plain")]
    ok(any("MINOR_FAULTS" in t for t in trees) and
       not any("KERNEL_TIME_PER_FAULT" in t for t in trees),
       "what is taken apart has parts of its own unit", trees)
    heads = [e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections thead button")]
    cells = [e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections tbody tr")]
    ok(heads[2].startswith("UTILISATION") and "bad 3 of 3, worst 50.000" in
       "".join(cells) and any("imbalance" in h for h in heads),
       "bad metrics and the imbalance are columns, with the worst value",
       (heads, cells))


# One processor does 10 GFLOP/s and reads 4 GB/s, all four 30 and 6.
ROOFS = ('pmu="power4" facts="no-VM ROOF:processors=4 ROOF:double_one=1e+10'
         ' ROOF:double_all=3e+10 ROOF:memory_one=4e+09'
         ' ROOF:memory_all=6e+09"')


def test_roofline(driver, where):
    """Of two threads at once: 20 GFLOP/s and 6 GB/s are the roofs."""
    path = os.path.join(where, "roof")
    os.mkdir(path)
    work = {"triad": (30, 2, 22), "dgemm": (60, 480, 4), "fft": (10, 20, 12)}
    write(path, "x.hpm.xml", task_file(0, [record(
        3 * tid + i, tid, 0, name, seconds, seconds, [
            data(counter, int(1e9 * n), exclusive=int(1e9 * n), unit=unit)
            for counter, n, unit in (("work::flop", flop, ""),
                                     ("work::bytes", moved, ""),
                                     ("task-clock", seconds, "ns"))],
        inst=i, line=10 * i) for tid in range(2) for i, (name, (
            seconds, flop, moved)) in enumerate(work.items(), 1)], ROOFS))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    rows = [e.text for e in driver.find_elements(
        By.CSS_SELECTOR, ".roofline ~ .table-box tbody tr")][:3]
    equal(rows, ["dgemm 120.000 16.000 20.000 80.0 calculation 20.000 6.000 2.00",
                 "triad 0.091 0.133 0.545 24.4 memory 20.000 6.000 2.00",
                 "fft 1.667 4.000 10.000 40.0 memory 20.000 6.000 2.00"],
          "the roofline's table has intensity, speed and the lower roof")
    points = {e.find_element(By.TAG_NAME, "title").get_attribute("textContent"):
              [float(e.get_attribute(a)) for a in ("cx", "cy")]
              for e in driver.find_elements(By.CSS_SELECTOR, "circle.point")}
    parts = [(points["fft"][i] - points["triad"][i]) /
             (points["dgemm"][i] - points["triad"][i]) for i in range(2)]
    wanted = [math.log(20 / 12 * 11) / math.log(120 * 11),
              math.log(4 / (2 / 15)) / math.log(16 / (2 / 15))]
    roof = [[float(n) for n in pair.split(",")] for pair in driver.find_element(
        By.CSS_SELECTOR, "polyline.roof").get_attribute("points").split()]
    ok(all(abs(p - w) < 1e-6 for p, w in zip(parts, wanted)) and
       points["dgemm"][1] > roof[2][1] == roof[1][1] and
       roof[0][0] < points["fft"][0] < roof[1][0] < points["dgemm"][0],
       "its points stand on logarithmic scales, below the roofs",
       (points, roof, parts, wanted))
    ok("24.4 % of the roof of memory" in shares(driver)["triad"],
       "and the first screen says how far a section is below them",
       shares(driver))


def test_kinds(driver, where):
    path = os.path.join(where, "kinds")
    os.mkdir(path)
    performance_file(os.path.join(path, "x.hpm.xml"), ["A", "B"],
                     [[1e6 + i % 7 + 1e5 * (i % 8 == 0),
                       2e6 + i % 5 + 1e5 * (i % 8 == 0)] for i in range(32)], 8)
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    said = driver.find_element(By.CSS_SELECTOR, ".kinds").text
    ok("4 (thread 0 of each task) and 28 (threads 1 to 7 of each task)" in said,
       "the page says which kinds of threads there are", said)
    next(e for e in driver.find_elements(By.TAG_NAME, "summary")
         if "pictures" in e.text).click()
    see(lambda: len(driver.find_elements(By.CSS_SELECTOR, ".picture svg")) == 4)
    equal([len(driver.find_elements(By.CSS_SELECTOR, f".picture circle.{name}"))
           for name in ("group1", "group2")], [4, 28],
          "and shows them in colours")
    names_of = [e.get_attribute("textContent") for e in driver.find_elements(
        By.CSS_SELECTOR, ".picture circle title")]
    equal(names_of[:2], ["task 0 thread 0, group 1", "task 0 thread 1, group 2"],
          "with their names")
    group_alone(driver)
    kinds_of_each(driver, path, os.path.join(where, "cloud"))


def threads_and_a(driver):
    """(task.thread of each row, together of A) of the only section, opened."""
    driver.find_element(By.CSS_SELECTOR, "table.sections tbody th button").click()
    see(lambda: driver.find_element(By.ID, "section").is_displayed())
    tables = {t.find_element(By.TAG_NAME, "caption").text: [
        [c.text for c in row.find_elements(By.CSS_SELECTOR, "th, td")]
        for row in t.find_elements(By.CSS_SELECTOR, "tbody tr")]
        for t in driver.find_elements(By.CSS_SELECTOR, "#section table")}
    return ([f"{row[0]}.{row[1]}" for row in tables["Threads"]],
            next(row[1] for row in tables["Values of the section"]
                 if row[0].split()[0] == "A"))


def group_alone(driver):
    """The page shows what one of the groups measured, and all again."""
    def choose(words):
        select = driver.find_element(By.ID, "choose-group")
        Select(select).select_by_visible_text(words)
        see(lambda: expected_conditions.staleness_of(select)(driver) and
            driver.find_elements(By.ID, "choose-group"))

    values = [1e6 + i % 7 + 1e5 * (i % 8 == 0) for i in range(32)]
    options = [e.text for e in Select(driver.find_element(
        By.ID, "choose-group")).options]
    equal(options, ["all", "1: thread 0 of each task (4)",
                    "2: threads 1 to 7 of each task (28)"],
          "each group of threads can be chosen")
    for words, members in ((options[1], [i for i in range(32) if i % 8 == 0]),
                           (options[2], [i for i in range(32) if i % 8]),
                           ("all", list(range(32)))):
        choose(words)
        threads, together = threads_and_a(driver)
        equal((sorted(threads), together),
              (sorted(f"{i // 8}.{i % 8}" for i in members),
               f"{round(sum(values[i] for i in members)):,}"),
              f"{words}: its threads are shown, and what they counted together")
        said = driver.find_elements(By.ID, "group")
        ok((len(said) == 0) if words == "all" else
           words in said[0].text and "are of all threads" in said[0].text and
           "node that others share have no value" in said[0].text,
           f"{words}: and the page says so", [e.text for e in said])
        ok("4 (thread 0 of each task) and 28" in driver.find_element(
            By.CSS_SELECTOR, ".kinds").text and len(driver.find_elements(
                By.TAG_NAME, "summary")) > 0,
           f"{words}: the sentence stays that of all threads")
        driver.refresh()
        equal(Select(driver.find_element(By.ID, "choose-group"))
              .first_selected_option.text, words,
              f"{words}: so it is when the address is opened again")
    driver.get(driver.current_url.split("#")[0] + "#group=7")
    driver.refresh()
    equal(Select(driver.find_element(By.ID, "choose-group"))
          .first_selected_option.text, "all",
          "a group that is not there is all threads")


def kinds_of_each(driver, kinds, cloud):
    """Of several runs each has its own, or none."""
    chance = random.Random(1)
    os.mkdir(cloud)
    performance_file(os.path.join(cloud, "x.hpm.xml"), ["A", "B"],
                     [[1e6 + chance.random(), 2e6 + chance.random()]
                      for _ in range(32)], 8)
    out = os.path.join(cloud, "page.html")
    make(out, "--each", cloud, kinds)
    driver.get("file://" + out)
    said = [e.text for e in driver.find_elements(By.CSS_SELECTOR, ".kinds")]
    ok(len(said) == 2 and said[0] == "No kinds of threads that are beyond doubt."
       and "4 (thread 0 of each task)" in said[1], "of two runs each says its own",
       said)
    equal([e.text for e in driver.find_elements(By.TAG_NAME, "summary")
           if "pictures" in e.text],
          [f"How threads differ in {side}, in pictures" for side in "AB"],
          "and each has its pictures")


def test_calibration(driver):
    """On the page of test_first_screen."""
    box = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=how]")
    ok("costs 1.44 µs, of which 12 ns fall inside it (the least of the "
       "calibration; its median 1.5 µs, its most 2 µs)" in box.text,
       "what measuring costs is said", box.text)
    box.find_element(By.CSS_SELECTOR, "details:last-of-type > summary").click()
    ok(see(lambda: re.search(r"task-clock 1 100 700 ns.* 1.45 µs", box.text)),
       "and stands in a table, in its unit", box.text)


def test_own(driver, where):
    """Of a section that has another one inside."""
    path = os.path.join(where, "own")
    os.mkdir(path)
    events = ("CPU_CLK_UNHALTED:THREAD_P", "UOPS_EXECUTED:0x3f:c=1:i=1")
    write(path, "x.hpm.xml", task_file(0, [
        record(1, 0, 0, "outer", 1, 4, [data(e, n, exclusive=own)
                                        for e, n, own in zip(
            events, (4000, 2500), (1000, 100))], inst=1, line=1),
        record(2, 0, 0, "inner", 3, 3, [data(e, n, exclusive=n)
                                        for e, n in zip(events, (3000, 2400))],
               parent=1, inst=2, line=2)], pmu='pmu="nhm"'))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    found = shares(driver)
    ok("10.0 % of its cycles stalled" in found["outer"] and
       "80.0 % of its cycles stalled" in found["inner"],
       "a section answers for its own cycles, as for its own time", found)
    titles = []
    for label in ("outer", "inner"):
        button(driver, "table.sections tbody th button", label).click()
        titles.append(driver.find_element(By.CSS_SELECTOR,
                                          "#section h3").text)
    equal(titles, ["Where its cycles and time go, with those of the sections "
                   "inside it", "Where its cycles and time go"],
          "opened, it says whose cycles are shown")


def nested(where):
    """Three sections with another one inside, by what is their own of branches
    mispredicted and cycles stalled: 1 %, 20 % and more than there are."""
    events = ("BR_INST_EXEC:ANY", "BR_MISP_EXEC:ANY",
              "CPU_CLK_UNHALTED:THREAD_P", "UOPS_EXECUTED:0x3f:c=1:i=1")
    inner = (800, 98, 3000, 300)
    records = []
    for i, (label, own) in enumerate((("clean", (200, 2, 1000, 50)),
                                      ("dirty", (200, 40, 1000, 50)),
                                      ("wrong", (200, 2, 100, 300)))):
        records += [
            record(2 * i + 1, 0, 0, label, 10, 11, [
                data(e, (a + b) * 10 ** 6, exclusive=a * 10 ** 6)
                for e, a, b in zip(events, own, inner)], inst=2 * i + 1,
                   line=20 * i + 1),
            record(2 * i + 2, 0, 0, "inner", 1, 1, [
                data(e, n * 10 ** 6, exclusive=n * 10 ** 6)
                for e, n in zip(events, inner)], parent=2 * i + 1, inst=9,
                   line=90)]
    return write(where, "x.hpm.xml", task_file(0, records, pmu='pmu="nhm"'))


def test_own_verdicts(driver, where):
    path = os.path.join(where, "nested")
    os.mkdir(path)
    nested(path)
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    found = shares(driver)
    ok("! bad" not in found["clean"] and "with the sections inside it bad: "
       "BRANCH_MISP_PCT 10.0 % (branches mispredicted)" in found["clean"],
       "what is bad in the sections inside is no fault of the one around", found)
    ok("! bad" in found["dirty"] and
       "; bad: BRANCH_MISP_PCT 20.0 % (branches mispredicted)" in found["dirty"],
       "its own value is, where that crosses the limit", found)
    ok("! bad" in found["inner"] and "inside it" not in found["inner"],
       "what has nothing inside is judged as it is", found)
    ok("? parts of its cycles add up to 300 %" in found["wrong"],
       "an own value that cannot be is in doubt", found)
    button(driver, "table.sections tbody th button", "wrong").click()
    rows = {e.text.split(" ")[0]: e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "#section .table-box:last-child tbody tr")}
    ok("? no verdict 300.000" in rows["STALLED_PCT"] and
       rows["BRANCH_MISP_PCT"].count("?") == 0,
       "and marked among all values, where only it is in doubt", rows)


MANY = 400


def button(driver, selector, words):
    return next(b for b in driver.find_elements(By.CSS_SELECTOR, selector)
                if b.text == words)


def test_many(driver, where, downloads):
    """More sections than are drawn, of which every second one has a counter
    with more digits than a double."""
    path = os.path.join(where, "many")
    os.mkdir(path)
    write(path, "x.hpm.xml", task_file(0, [record(
        i + 1, 0, 0, f"s{i}\u202e", i + 1, i + 1, [data(
            "ODD", 2 ** 53 + 1 + 2 * i, exclusive=1), data(
                "SMALL", i, exclusive=i)] if i % 2 == 0 else [],
        inst=i + 1, line=i + 1) for i in range(MANY)]))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    driver.find_element(By.CSS_SELECTOR, ".chooser summary").click()
    see(lambda: driver.find_elements(By.CSS_SELECTOR, ".columns label"))
    button(driver, ".chooser button", "all").click()
    heading(driver, "ODD").click()
    equal(names(driver)[0], f"s{MANY - 2}\\x202E",
          "the largest is first, and what turns letters is spelled")
    box = driver.find_element(By.CSS_SELECTOR, "#sections ~ .table-box .scroll")

    def last():
        return driver.execute_script(
            "const box = arguments[0]; box.scrollTop = box.scrollHeight;"
            "const rows = box.querySelectorAll('tbody tr:not(.space)');"
            "const row = rows[rows.length - 1];"
            "if (row.getAttribute('aria-rowindex') !== arguments[1])"
            "  return null;"
            "const heads = Array.from(document.querySelectorAll("
            "  'table.sections thead th'), (e) => e.textContent.trim());"
            "return ['ODD', 'SMALL'].map((name) => row.cells[heads.findIndex("
            "  (head) => head.split(' ')[0] === name)].textContent)",
            box, str(MANY + 1))

    equal(see(last), ["n/a", "n/a"], "the end is drawn when it is scrolled "
          "to: sections without a value")
    heading(driver, "ODD").click()
    equal((names(driver)[0], see(last)), ("s0\\x202E", ["n/a", "n/a"]),
          "they are last the other way, too")
    driver.refresh()
    ok(heading(driver, "ODD") and names(driver)[0] == "s0\\x202E",
       "columns and order are in the address", driver.current_url)
    csv = os.path.join(downloads, "sections.csv")
    if os.path.exists(csv):
        os.unlink(csv)
    button(driver, "#sections ~ .tools button", "CSV").click()
    ok(see(lambda: os.path.exists(csv) and f",{2 ** 53 + 1 + 2 * 396},counted" in
           open(csv, encoding="utf-8").read()),
       "counts keep all their digits in CSV")


def test_counters(driver, where):
    """Two tasks that do not have a counter in the same way."""
    path = os.path.join(where, "counters")
    os.mkdir(path)
    for task, state in enumerate(("counted", "lost")):
        write(path, f"x.{task}.hpm.xml", task_file(task, [record(
            1, 0, task, "only", 1, 1, [])], counters=(
                f'<Counter name="PM_CYC" source="kernel" state="{state}"/>'
                '<Counter name="PM_INST" source="kernel" state="counted"/>'),
            extra='<Problem text="odd" count="2"/>').replace(
                f"11:30:0{task}", "11:30:00"))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    box = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=how]")
    box.find_element(By.CSS_SELECTOR, "details:last-of-type > summary").click()
    see(lambda: "PM_INST" in box.text)
    rows = [e.text for e in box.find_elements(By.CSS_SELECTOR, "tbody tr")]
    equal(sorted(r for r in rows if r.startswith("PM_")),
          ["PM_CYC kernel counted 1", "PM_CYC kernel lost 1",
           "PM_INST kernel counted 2"],
          "counters that all tasks have alike are one row")
    ok("0 odd 2" in rows and "1 odd 2" in rows,
       "and there are the problems of each", rows)


def colour(driver, selector):
    return driver.execute_script(
        "return getComputedStyle(document.querySelector(arguments[0]))"
        ".backgroundColor", selector)


def test_look(driver):
    seen = []
    for palette in ("redgreen", "orangeblue", "none"):
        driver.find_element(
            By.CSS_SELECTOR,
            f"#choose-palette option[value={palette}]").click()
        seen.append(colour(driver, ".verdict.bad"))
    equal(len(set(seen)), 3, "palettes give verdicts other colours")
    ok("palette=none" in driver.current_url, "the address keeps the palette",
       driver.current_url)
    driver.refresh()
    equal(colour(driver, ".verdict.bad"), seen[-1], "and gives it back")
    driver.find_element(By.CSS_SELECTOR,
                        "#choose-palette option[value=redgreen]").click()
    ok("palette" not in driver.current_url and
       colour(driver, ".verdict.bad") == seen[0],
       "the usual one needs no word there", driver.current_url)
    light = colour(driver, "body")
    driver.find_element(By.CSS_SELECTOR,
                        "#choose-theme option[value=dark]").click()
    ok(light != colour(driver, "body"), "and the theme the page",
       (light, colour(driver, "body")))


def axe_script():
    """The text of axe-core, which AXE names or npm has put here; or None."""
    named = os.environ.get("AXE")
    paths = [named] if named else [
        os.path.join(root, "node_modules", "axe-core", "axe.min.js")
        for root in (".", os.environ.get("top_srcdir", "."))]
    for path in paths:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    return None


def test_access(driver, path):
    """What axe-core says of the page, in each theme, with a section open."""
    script = axe_script()
    if script is None:
        tap.skip("axe finds nothing", "no axe-core (npm install axe-core; AXE="
                 "node_modules/axe-core/axe.min.js)")
        return
    driver.get("file://" + path)
    driver.execute_script(script)
    driver.find_element(By.CSS_SELECTOR, "table.sections tbody th button"
                        ).click()
    for theme in ("light", "dark"):
        driver.find_element(
            By.CSS_SELECTOR, f"#choose-theme option[value={theme}]").click()
        found = driver.execute_async_script(
            "const done = arguments[0]; axe.run().then((r) => done("
            "r.violations.map((v) => [v.id, v.nodes.map((n) => n.html)])));")
        equal(found, [], f"axe finds nothing in the {theme} page")


def drawn(driver):
    """Lines of the first decomposition: name, cycles, % of all."""
    lines = {}
    for row in driver.find_element(By.CSS_SELECTOR, ".decomposition") \
            .find_elements(By.CSS_SELECTOR, "tbody tr"):
        name = row.find_element(By.TAG_NAME, "th").text.split()
        cells = [e.text for e in row.find_elements(By.TAG_NAME, "td")]
        name = "not explained" if name[:2] == ["not", "explained"] else name[0]
        lines[name] = (cells[0], cells[1])
    return lines


def is_drawn(line, value, cycles):
    """Every cycle, and the percentage to its one decimal, either way at 5."""
    return line is not None and line[0] == f"{value:,.0f}" and \
        abs(float(line[1]) - 100 * value / cycles) < 0.0501


def test_print(driver):
    """As wide as A4 between its margins, in pixels of 1/96 inch."""
    sizes = {"width": 718, "height": 1000, "deviceScaleFactor": 1,
             "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sizes)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wide, page, shown = driver.execute_script(
        "return [document.querySelector('table.sections').offsetWidth, "
        "document.getElementById('main').offsetWidth, getComputedStyle("
        "document.getElementById('search').closest('.tools')).display]")
    ok(0 < wide <= page <= 718 and shown == "none",
       "on paper the whole table is there, without buttons",
       (wide, page, shown))
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_phone(driver, arch):
    """A section is open on a screen of 390 pixels."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
    driver.refresh()
    driver.find_element(By.CSS_SELECTOR,
                        "table.sections tbody th button").click()
    found = driver.execute_script(
        "const box = document.querySelector('#section .plain');"
        "return [document.documentElement.scrollWidth,"
        "  box.parentElement.scrollWidth <= box.parentElement.clientWidth,"
        "  Array.from(document.querySelectorAll('.scroll'))"
        "    .every((e) => e.tabIndex === 0)]")
    equal(found, [390, True, True],
          f"{arch}: on a phone nothing is wider than the screen, and what "
          "scrolls can be reached by keys")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def is_sentence(driver, arch, v):
    """What is said of a section: its stalled cycles and their largest cause."""
    above = {"LOAD_STALLS", "MEM_IMPACT", "STORE_FWD_IMPACT"}
    if arch == "core":
        above.remove("MEM_IMPACT")
    cause = max((n for n in v if n.endswith("_IMPACT") and n not in above),
                key=v.get)
    said = re.search(r"([\d.]+) % of its cycles stalled, ([\d.]+) % by (\w+)",
                     shares(driver)["two"])
    ok(said and said.group(3) == cause and all(
        abs(float(said.group(i)) - 100 * v[n] / v["CYCLES"]) < 0.0501
        for i, n in ((1, "STALLED"), (2, cause))),
       f"{arch}: the first screen names the largest cause",
       (shares(driver), cause))
    vain = v.get("CYCLES_NON_RETIRING")
    said = re.search(r"([\d.]+) % CYCLES_NON_RETIRING", shares(driver)["two"])
    ok((vain is None) == (said is None) and (said is None or abs(
        float(said.group(1)) - 100 * vain / v["CYCLES"]) < 0.0501),
       f"{arch}: and the work in vain, where that is known", shares(driver))


def is_written(driver, downloads, arch, v):
    """The decomposition as CSV: exact values."""
    csv = os.path.join(downloads, "cycles.csv")
    driver.find_element(By.CSS_SELECTOR, ".decomposition button").click()
    see(lambda: os.path.exists(csv) and os.path.getsize(csv) > 0)
    with open(csv, encoding="utf-8", newline="") as file:
        text = file.read()
    os.unlink(csv)
    ok(f"\r\nCYCLES,cycles,0,{v['CYCLES']},100,\r\n" in text and
       re.search(rf"\r\nSTALLED,[^\r]*,1,{v['STALLED']},", text),
       f"{arch}: the decomposition is written as CSV", text)


def test_paper(driver, where, downloads):
    for arch, model, table, causes in (
            ("nhm", nehalem, "cmssw-nehalem.table",
             ["LOAD_STALLS", "DIV_IMPACT", "MEM_IMPACT", "L2_HIT_IMPACT",
              "L3_HIT_IMPACT", "DTLB_IMPACT", "LOCAL_DRAM_IMPACT"]),
            ("core", core, "cmssw-core.table",
             ["MEM_IMPACT", "L2_HIT_IMPACT", "DTLB_IMPACT", "LCP_IMPACT",
              "STORE_FWD_IMPACT", "SPAN_IMPACT"])):
        counts = counts_of(table)
        place = os.path.join(where, arch)
        os.mkdir(place)
        replayed(place, counts, 1)
        out = os.path.join(place, "page.html")
        make(out, "--arch", arch, tap.files(place)[0])
        driver.get("file://" + out)
        # both sections together: twice the counts
        v = {k: 2 * n for k, n in model(counts).items()}
        v["not explained"] = v["STALLED"] - v["COUNTED_STALLS"]
        lines = drawn(driver)
        names = ["CYCLES", "STALLED", *causes, "not explained"]
        equal([(n, v[n], lines.get(n)) for n in names
               if (n != "not explained" or v[n] > 0) and
               not is_drawn(lines.get(n), v[n], v["CYCLES"])], [],
              f"{arch}: the bars are the paper's levels, and the remainder")
        is_sentence(driver, arch, v)
        is_written(driver, downloads, arch, v)
        test_print(driver)
        marks = driver.find_element(By.CSS_SELECTOR, ".references").text
        cpi = v["CPI"] / 2
        said = re.search(rf"CPI {cpi:.3f}[^:]*: (\w+) .*?marks at ([\d.]+) "
                         r"and ([\d.]+)", marks)
        ok(said and said.group(1) == ["low", "medium", "high"][
            sum(cpi > float(said.group(i)) for i in (2, 3))],
           f"{arch}: CPI stands between its marks", marks)
        test_phone(driver, arch)


def test_overlap(driver, where):
    """Causes that add up to more than the stalled cycles."""
    counts = counts_of("cmssw-nehalem.table")
    counts["ARITH:CYCLES_DIV_BUSY"] = 2 * counts["UOPS_EXECUTED:0x3f:c=1:i=1"]
    path = os.path.join(where, "overlap")
    os.mkdir(path)
    replayed(path, counts, 1)
    out = os.path.join(path, "page.html")
    make(out, "--arch", "nhm", tap.files(path)[0])
    driver.get("file://" + out)
    box = driver.find_element(By.CSS_SELECTOR, ".decomposition")
    pieces = box.find_elements(By.CSS_SELECTOR, ".piece")
    stalled = next(e.rect for e in pieces if e.text == "STALLED")
    ends = [e.rect["x"] + e.rect["width"] for e in pieces
            if e.rect["y"] > stalled["y"] + 1]
    ok("they overlap, for each is an upper bound" in box.text and
       max(ends) <= stalled["x"] + stalled["width"] + 1,
       "causes that overlap are said to, and drawn within their whole",
       (ends, stalled))


# Of a processor: events, lines of the cycles taken apart, and what is said.
G = 10 ** 9
MODELS = {
    "skx": ({"CPU_CLK_UNHALTED:THREAD_P": 10 * G,
             "CYCLE_ACTIVITY:STALLS_TOTAL": 4 * G,
             "CYCLE_ACTIVITY:STALLS_MEM_ANY": 3 * G,
             "CYCLE_ACTIVITY:STALLS_L1D_MISS": 2 * G + 5,
             "CYCLE_ACTIVITY:STALLS_L2_MISS": G,
             "CYCLE_ACTIVITY:STALLS_L3_MISS": G,
             "MEM_LOAD_RETIRED:L2_HIT": G, "MEM_LOAD_RETIRED:FB_HIT": 0,
             "MEM_LOAD_RETIRED:L1_MISS": G, "L1D_PEND_MISS:FB_FULL:c=1": 0},
            {"CYCLES": 10 * G, "STALL": 4 * G, "STALL_L1": G - 5,
             "STALL_L2": G + 5, "STALL_L3": 0, "STALL_MEM": G, "STALL_OTHER": G,
             "BUSY": 6 * G},
            "40.0 % of its cycles stalled, 10.0 % by STALL_L2 (while a load "
            "waited for level 2)"),
    "arm_n1": ({"CPU_CYCLES": 10 * G, "STALL_BACKEND": 4 * G,
                "STALL_FRONTEND": G},
               {"CYCLES": 10 * G, "STALL": 5 * G, "STALL_FETCH": G,
                "STALL_EXECUTION": 4 * G, "BUSY": 5 * G},
               "40.0 % of its cycles stalled, 10.0 % STALL_FETCH (cycles in "
               "which no operation came)"),
    "amd64_fam19h_zen4": (
        {"CYCLES_NOT_IN_HALT": 10 * G,
         "CYCLES_NO_RETIRE:NOT_COMPLETE_LOAD_AND_ALU": 4 * G,
         "CYCLES_NO_RETIRE:NOT_COMPLETE_MISSING_LOAD": 3 * G},
        {"CYCLES": 10 * G, "STALL": 4 * G, "STALL_MEM": 3 * G, "STALL_UNITS": G,
         "not explained": 6 * G},
        "40.0 % of its cycles stalled, 30.0 % by STALL_MEM (a load)"),
    "power4": ({"PM_CYC": 10 * G, "PM_FPU_FULL_CYC": 2 * G,
                "PM_FPU_STALL3": G},
               {"CYCLES": 10 * G, "PM_FPU_FULL_CYC": 2 * G, "PM_FPU_STALL3": G,
                "not explained": 7 * G}, ""),
}


def test_models(driver, where):
    """Models that have names of their own for stalled cycles, among the parts of
    all cycles: those are not there twice."""
    for pmu, (counts, lines, words) in MODELS.items():
        path = os.path.join(where, pmu)
        os.mkdir(path)
        write(path, "x.hpm.xml", task_file(0, [record(1, 0, 0, "one", 1, 1, [
            data(e, n, exclusive=n) for e, n in counts.items()])],
                                           pmu=f'pmu="{pmu}"'))
        out = os.path.join(path, "page.html")
        make(out, path)
        driver.get("file://" + out)
        equal({k: v[0] for k, v in drawn(driver).items()},
              {k: f"{n:,}" for k, n in lines.items()},
              f"{pmu}: cycles are taken apart once, to the last one")
        equal(re.sub(r"; bad: .*", "", shares(driver)["one"]
                     .replace("! bad\n", "").split("\n", 2)[-1]),
              words or "100.0 %", f"{pmu}: and that is what is said")


def test_contradictory(driver, where):
    """More stalled cycles than cycles: no cause, no verdict, but a warning."""
    path = os.path.join(where, "contradictory")
    os.mkdir(path)
    write(path, "x.hpm.xml", task_file(0, [record(1, 0, 0, "odd", 1, 1, [
        data(e, n, exclusive=n) for e, n in (
            ("CPU_CLK_UNHALTED:THREAD_P", 10 ** 9),
            ("UOPS_EXECUTED:0x3f:c=1:i=1", 3 * 10 ** 9))])], pmu='pmu="nhm"'))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    said = shares(driver)["odd"]
    ok("? parts of its cycles add up to 300 %: the counts contradict each "
       "other" in said and "stalled" not in said,
       "parts that exceed their whole are no finding", said)
    ok(re.search(r"add up to 300 %: the counts contradict each other.*"
                 r"\? no verdict", driver.find_element(
                     By.CSS_SELECTOR, ".decomposition").text),
       "and marked where cycles are taken apart")
    marks = driver.find_element(By.CSS_SELECTOR, ".references").text
    ok("300.000 %: ? no verdict, outside the range of its definition" in marks,
       "a value that cannot be is neither low nor high", marks)


def test_doubtful(driver, where):
    """Counters that shared the hardware, one of which a section has a part of;
    threads without records of their own."""
    path = os.path.join(where, "doubtful")
    os.mkdir(path)
    cycles, stalled = "CPU_CLK_UNHALTED:THREAD_P", "UOPS_EXECUTED:0x3f:c=1:i=1"
    half = {"state": "shared", "share": "0.5", "error": 10 ** 7}
    write(path, "x.hpm.xml", task_file(0, [
        record(1, 0, 0, "shared", 4, 4, [
            data(cycles, 10 * G, exclusive=10 * G, **half),
            data(stalled, 6 * G, exclusive=6 * G, **half)]),
        record(2, 0, 0, "part", 2, 2, [
            data(cycles, 5 * G, exclusive=5 * G, partial="yes"),
            data(stalled, 3 * G, exclusive=3 * G)], inst=2, line=30),
        record(3, 0, 0, "folded", 1, 1, [], inst=3, line=60),
        record(4, 1, 0, "folded", 2, 2, [], inst=3, line=60),
        record(5, -2, 0, "folded", 30, 30, [], inst=3, line=60,
               more=' threads="70"')], pmu='pmu="nhm"'))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    said = shares(driver)
    ok("60.0 % of its cycles stalled (? an input was counted less than 90 % of "
       "the time)" in said["shared"], "what is said in doubt says why", said)
    ok("bad" not in said["shared"] + said["folded"],
       "and is not bad, nor is what has no limits", said)
    cycles = driver.find_element(By.CSS_SELECTOR, "#cycles ~ .about").text
    ok("CYCLES has no value for all together: needs 'CPU_CLK_UNHALTED:THREAD_P'"
       in cycles, "where cycles cannot be taken apart the reason is there",
       cycles)
    panel = opened(driver, "folded")["text"]
    ok("2 threads: least 1 s at 0.0" in panel and "most 2 s at 0.1 (task.thread)"
       "; others have no record of their own" in panel and "others together" in
       panel, "a sum of threads is none of them", panel)


def test_names(driver, where, downloads):
    """Of labels and counters that have signs of addresses, files and sheets."""
    path = os.path.join(where, "names")
    os.mkdir(path)
    write(path, "x.hpm.xml", task_file(0, [record(
        i + 1, 0, 0, label, i + 1, i + 1, [
            data("a|b\\\\|c", i + 7), data("task-clock", 10 ** 9, unit="ns")],
        inst=i + 1, line=i + 1) for i, label in enumerate(
            ("read\\\\write", "=1+1", "-5", "+sum(a)", "@b"))]))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    driver.find_element(By.ID, "search").send_keys("read\\Write")
    equal(names(driver), ["read\\write"],
          "a backslash is searched for as it is shown")
    driver.find_element(By.ID, "search").send_keys(Keys.CONTROL, "a")
    driver.find_element(By.ID, "search").send_keys(Keys.DELETE)
    driver.find_element(By.CSS_SELECTOR, ".chooser summary").click()
    see(lambda: driver.find_elements(By.CSS_SELECTOR, ".columns label"))
    button(driver, ".chooser button", "none").click()
    for box in driver.find_elements(By.CSS_SELECTOR, ".columns label"):
        if box.text.strip() in ("a|b\\|c", "task-clock"):
            box.find_element(By.TAG_NAME, "input").click()
    driver.refresh()
    heads = [e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections thead button")]
    equal([h.split(" ")[0] for h in heads], ["section", "a|b\\|c",
                                            "task-clock"],
          "columns of any name are kept in the address")
    rows = csv_rows(driver, downloads)
    ok({"'=1+1", "-5", "'+sum(a)", "'@b"} < set(rows),
       "what a sheet would work out has an apostrophe in CSV", list(rows))
    equal(rows["-5"]["task-clock (ns)"], str(10 ** 9),
          "headings there say the unit of the exact values")


def test_marks(driver, where):
    """Values between their marks: 0 % at the left end; the right end is 1.6 times
    the higher mark, or what is more than the value."""
    path = os.path.join(where, "marks")
    os.mkdir(path)
    write(path, "x.hpm.xml", task_file(0, [record(1, 0, 0, "only", 1, 1, [
        data(e, n * 10 ** 6, exclusive=n * 10 ** 6) for e, n in (
            ("CPU_CLK_UNHALTED:THREAD_P", 1000), ("INST_RETIRED:ANY_P", 4000),
            ("UOPS_EXECUTED:0x3f:c=1:i=1", 250), ("BR_INST_EXEC:ANY", 300),
            ("BR_MISP_EXEC:ANY", 0))])], pmu='pmu="nhm"'))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    found = driver.execute_script(
        "return Object.fromEntries(Array.from(document.querySelectorAll("
        "'.reference-line'), (line) => [line.querySelector('strong').textContent, "
        "Array.from(line.querySelectorAll('.needle, .zone'), (e) => "
        "Number.parseFloat(e.style.left))]))")
    for name, value, low, high in (("STALLED_PCT", 25, 10, 20), ("IPC", 4, 1, 2),
                                   ("BRANCH_MISP_PCT", 0, 2, 5)):
        end = max(1.6 * high, 1.05 * value)
        expected = [0, 100 * low / end, 100 * high / end, 100 * value / end]
        ok(len(found.get(name, [])) == 4 and all(
            abs(a - b) < 0.001 for a, b in zip(found[name], expected)),
           f"{name} stands where it is between its marks", (found, expected))


def test_changed_cycles(driver, where):
    """Of two runs: how the cycles of what changed went in each."""
    paths = []
    for name, seconds, stalled in (("before", 2, 3), ("after", 1, 1)):
        paths.append(os.path.join(where, name))
        os.mkdir(paths[-1])
        write(paths[-1], "x.hpm.xml", task_file(0, [record(
            1, 0, 0, "only", seconds, seconds, [
                data(e, n * G, exclusive=n * G) for e, n in (
                    ("CPU_CLK_UNHALTED:THREAD_P", 5),
                    ("UOPS_EXECUTED:0x3f:c=1:i=1", stalled))])],
            pmu='pmu="nhm"'))
    out = os.path.join(where, "changed.html")
    make(out, "--each", *paths)
    driver.get("file://" + out)
    said = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=changed]").text
    ok("A: 60.0 % of its cycles stalled; B: 20.0 % of its cycles stalled" in said,
       "what changed says how its cycles went in each run", said)


def test_ties(driver, where):
    """What is equal stays as it is in the file, whichever way is sorted."""
    path = os.path.join(where, "ties")
    os.mkdir(path)
    write(path, "x.hpm.xml", task_file(0, [
        record(i + 1, 0, 0, "twin", 1, 1, [], inst=i + 1, line=10 * i + 10)
        for i in range(5)]))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    orders = [[e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections tbody th")]]
    for title in ("section", "section", "own time", "own time"):
        next(b for b in driver.find_elements(
            By.CSS_SELECTOR, "table.sections thead button")
             if b.text.startswith(title)).click()
        orders.append([e.text for e in driver.find_elements(
            By.CSS_SELECTOR, "table.sections tbody th")])
    ok(len(set(orders[0])) == 5 and all(o == orders[0] for o in orders),
       "equal labels and values keep the order of the file", orders)


def test_reason(driver, where):
    """A thread lacks a counter."""
    path = os.path.join(where, "reason")
    os.mkdir(path)
    lost = '<data name="PM_CYC" kind="counter" state="lost" reason="gone"/>'
    write(path, "x.hpm.xml", task_file(0, [record(
        tid + 1, tid, 0, "only", 1, 1, [data("PM_CYC", 7) if tid == 0 else lost])
                                           for tid in range(2)]))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    button(driver, "table.sections tbody th button", "only").click()
    titles = [e.get_attribute("title") for e in driver.find_elements(
        By.CSS_SELECTOR, "#section .na")]
    ok("gone" in titles, "a thread's value that is n/a says why", titles)
    ok("2 threads in 1 task" in driver.find_element(By.ID, "section").text,
       "how many threads there are is said in plain words")


def opened(driver, label):
    """A section that is opened: all that it says, and its own time."""
    button(driver, "table.sections tbody th button", label).click()
    found = driver.execute_script(
        "const tables = document.querySelectorAll('#section .table-box table');"
        "const table = tables[tables.length - 1];"
        "const texts = (cells) => Array.from(cells, (e) => e.textContent.trim());"
        "return {text: document.getElementById('section').textContent, "
        "heads: texts(table.querySelectorAll('thead th')), row: texts("
        "  Array.from(table.tBodies[0].rows).find((row) => "
        "    row.cells[0].textContent.startsWith('own time')).cells)};")
    return {**found, "": found["row"][:4]}


def test_each(driver, where):
    paths = []
    for name, seconds, less in (("a", 2, 1.5), ("b", 3, 0.1), ("c", 5, 0.1)):
        path = os.path.join(where, name)
        os.mkdir(path)
        write(path, "x.hpm.xml", task_file(0, [
            record(1, 0, 0, "only", seconds, seconds, [data("PM_CYC", 10)]),
            record(2, 0, 0, "less", less, less, [], inst=2, line=50)]))
        paths.append(path)
    out = os.path.join(where, "each.html")
    make(out, "--each", *paths[:2])
    driver.get("file://" + out)
    row = driver.find_element(By.CSS_SELECTOR, "table.sections tbody tr").text
    ok("2.000000 3.000000 1.000000 1.500" in row,
       "two stand as A, B, difference and ratio", row)
    legend = driver.find_element(By.CSS_SELECTOR, "#sections ~ p.about").text
    ok(legend.startswith("Differences are of single values"),
       "what differences are worth is said below them", legend)
    button(driver, "table.sections tbody th button", "less").click()
    panel = driver.find_element(By.ID, "section").text.replace("\n", " ")
    ok(re.search(r"A: \S+ 42.9 % of the time of the run, 1 thread in 1 task.*"
                 r"B: \S+ 3.2 % of the time of the run", panel),
       "a section of several runs says how much of each it was", panel)
    equal(driver.execute_script(
        "const ids = Array.from(document.querySelectorAll('[id]'), (e) => e.id);"
        "return ids.filter((id, i) => ids.indexOf(id) !== i);"), [],
          "no two elements have one id")
    changed = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=changed]")
    ok("What changed from A to B" in changed.text and re.search(
        r"less\s+−1.4 s\s+× 0.067\s+only\s+\+1 s\s+× 1.500", changed.text),
       "what changed most stands first, up or down", changed.text)
    diff = os.path.join(where, "diff.xml")
    tap.run([tap.HPM, "diff", "-o", diff, *paths[:2]])
    out = os.path.join(where, "diff.html")
    make(out, diff)
    driver.get("file://" + out)
    changed = driver.find_element(By.CSS_SELECTOR, "[aria-labelledby=changed]")
    ok(re.search(r"only\s+\+1 s\s+× 1.500", changed.text) and
       not driver.find_elements(By.ID, "where"),
       "and in the page of a difference", changed.text)
    panel = opened(driver, "only")
    ok(panel[""] == ["own time s", "2.000000", "3.000000", "1.000000"] and
       panel["heads"][:4] == ["quantity", "A", "B", "B − A"] and
       " % of the time" not in panel["text"],
       "a section of a difference says what it is one of, and no share", panel)
    mean = os.path.join(where, "mean.xml")
    tap.run([tap.HPM, "mean", "-o", mean, *paths[:2]])
    out = os.path.join(where, "mean.html")
    make(out, mean)
    driver.get("file://" + out)
    panel = opened(driver, "only")
    place = panel["heads"].index("dev of runs")
    equal(panel["row"][place:place + 3], ["0.707107", "2.000000", "3.000000"],
          "of a mean a section says how far its runs are apart")
    out = os.path.join(where, "three.html")
    make(out, "--each", *paths)
    driver.get("file://" + out)
    row = driver.find_element(By.CSS_SELECTOR, "table.sections tbody tr").text
    ok("2.000000 3.000000 5.000000" in row and "2.500" in row,
       "three as columns with their trend", row)


def lacking_runs(where):
    """Two runs: the second has a part of a count, lacks a section, and has one of
    its own."""
    paths = []
    for name, more, labels in (("full", "", ("only", "less")),
                               ("part", ' partial="yes"', ("only", "own"))):
        path = os.path.join(where, name)
        os.mkdir(path)
        write(path, "x.hpm.xml", task_file(0, [
            record(i + 1, 0, 0, label, 2 + i, 2 + i,
                   [data("PM_CYC", 1000 * (i + 1), exclusive=1000 * (i + 1))
                    .replace("/>", more + "/>")],
                   inst=i + 1, line=10 * (i + 1) + 40 * (label == "own"))
            for i, label in enumerate(labels)]))
        paths.append(path)
    return paths


def csv_rows(driver, downloads):
    csv = os.path.join(downloads, "sections.csv")
    if os.path.exists(csv):
        os.unlink(csv)
    button(driver, "#sections ~ .tools button", "CSV").click()
    see(lambda: os.path.exists(csv) and os.path.getsize(csv) > 0)
    with open(csv, encoding="utf-8", newline="") as file:
        return {row["section"]: row for row in csvs.DictReader(file)}


def shown_rows(driver):
    """Texts of the lines of the table of sections, by their first words."""
    return {e.text.split("\n")[0].split(" ")[0]: e.text for e in
            driver.find_elements(By.CSS_SELECTOR, "table.sections tbody tr")}


def exact_differences(driver, where, downloads):
    """Counts of more digits than a double has, one apart."""
    paths, most = [], 2 ** 60
    for i in range(2):
        paths.append(os.path.join(where, f"digits{i}"))
        os.mkdir(paths[-1])
        write(paths[-1], "x.hpm.xml", task_file(0, [record(
            1, 0, 0, "only", 1, 1, [data("PM_CYC", most + i)])]))
    diff = os.path.join(where, "digits.xml")
    tap.run([tap.HPM, "diff", "-o", diff, *paths])
    for name, arguments in (("each", ["--each", *paths]), ("diff", [diff])):
        out = os.path.join(where, f"digits-{name}.html")
        make(out, *arguments)
        driver.get("about:blank")
        driver.get("file://" + out + "#columns=" +
                   urllib.parse.quote("counter PM_CYC "))
        row = csv_rows(driver, downloads)["only"]
        shown = shown_rows(driver)["only"]
        equal([row[f"PM_CYC {k}"] for k in ("A", "B", "B − A")],
              [str(most), str(most + 1), "1"],
              f"{name}: counts and their difference have all digits in CSV")
        ok(f"{most:,} {most + 1:,} 1 " in shown, f"{name}: and on the page",
           shown)


def test_lacking(driver, where, downloads):
    """What is partial or of one run only keeps its mark beside other runs."""
    paths = lacking_runs(where)
    diff = os.path.join(where, "part.xml")
    tap.run([tap.HPM, "diff", "-o", diff, *paths])
    columns = "#columns=" + urllib.parse.quote("counter PM_CYC ")
    for name, arguments in (("each", ["--each", *paths]), ("diff", [diff])):
        out = os.path.join(where, f"part-{name}.html")
        make(out, *arguments)
        driver.get("about:blank")
        driver.get("file://" + out + columns)
        rows = shown_rows(driver)
        ok(rows["only"].count("~") >= 3, f"{name}: what is made of a part is marked",
           rows)
        ok("n/a" in rows["own"] and "n/a" in rows["less"],
           f"{name}: a section of one run has no value in the other", rows)
        table = csv_rows(driver, downloads)
        equal((table["only"]["PM_CYC B state"], table["own"]["PM_CYC A"],
               table["less"]["PM_CYC B"]), ("counted partial", "", ""),
              f"{name}: so it is in CSV")
    exact_differences(driver, where, downloads)
    out = os.path.join(where, "part-trend.html")
    make(out, "--each", paths[0], paths[0], paths[1])
    driver.get("file://" + out + columns)
    rows = shown_rows(driver)
    ok("n/a" in rows["less"].rsplit("\n", 1)[-1][-4:] and "×" not in rows["less"],
       "a trend that ends without a value is none", rows)


def test_scopes(driver, where):
    """A section of a process is no section of a thread, of whatever name."""
    paths = []
    for name, tid, scope in (("p", -1, "process"), ("t", 0, "thread")):
        path = os.path.join(where, name)
        os.mkdir(path)
        write(path, "x.hpm.xml", task_file(0, [record(
            1, tid, 0, "same", 2, 2, [], scope=scope)]))
        paths.append(path)
    out = os.path.join(where, "scopes.html")
    make(out, "--each", *paths)
    driver.get("file://" + out)
    rows = [e.text for e in driver.find_elements(
        By.CSS_SELECTOR, "table.sections tbody tr")]
    ok(len(rows) == 2 and all("n/a" in r for r in rows),
       "what only one run has stands alone", rows)
    path = os.path.join(where, "processes")
    os.mkdir(path)
    for task, seconds in enumerate((1, 3)):
        write(path, f"x.{task}.hpm.xml", task_file(task, [record(
            1, -1, task, "whole", seconds, seconds, [], scope="process")])
              .replace(f"11:30:0{task}", "11:30:00"))
    out = os.path.join(path, "page.html")
    make(out, path)
    driver.get("file://" + out)
    ok("uneven: task 1 took 3 s, all on average 2 s" in shares(driver)["whole"],
       "a process is a task, of no thread", shares(driver))


def test_all():
    with folder() as where:
        known_files(where)
        out = os.path.join(where, "page.html")
        make(out, where)
        downloads = os.path.join(where, "downloads")
        os.mkdir(downloads)
        driver = browser(downloads)
        try:
            test_table(driver, out, downloads)
            test_section(driver)
            test_address(driver, out)
            test_look(driver)
            test_access(driver, out)
            test_first_screen(driver, where)
            test_calibration(driver)
            test_many(driver, where, downloads)
            test_counters(driver, where)
            test_own(driver, where)
            test_own_verdicts(driver, where)
            test_roofline(driver, where)
            test_kinds(driver, where)
            test_paper(driver, where, downloads)
            test_overlap(driver, where)
            test_models(driver, where)
            test_contradictory(driver, where)
            test_doubtful(driver, where)
            test_names(driver, where, downloads)
            test_marks(driver, where)
            test_changed_cycles(driver, where)
            test_ties(driver, where)
            test_reason(driver, where)
            test_each(driver, where)
            test_lacking(driver, where, downloads)
            test_scopes(driver, where)
            check_page(driver, where, axe_script())
            equal(asked_for(driver), [], "no page has asked anybody for "
                                         "anything")
            equal([e["message"] for e in driver.get_log("browser")], [],
                  "and the browser has no complaint")
        finally:
            driver.quit()


REASON = missing()
if REASON:
    tap.skip("a page in a browser", REASON)
else:
    test_all()
tap.done()
