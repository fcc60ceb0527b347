# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the HTML page in the documents: a reconstruction of particle
tracks with made-up counts of a Nehalem, its first screen, and one section on a
dark theme.  'make page-pictures' draws them anew into doc/.

    pagepictures.py FOLDER"""

import os
import random
import subprocess
import sys

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

import tap
from htmlpages import make
from reports import data, record, task_file, write

HZ = 2.6e9
TASKS, THREADS = 4, 4
# section, seconds, the part of its cycles that stall, what most of them wait
# for, how much longer the last thread takes
SECTIONS = [("CkfTrackCandidateMaker", 41, 0.58, "memory", 0),
            ("seedGenerator", 29, 0.21, "branches", 0),
            ("fitTracks", 24, 0.64, "division", 0),
            ("matchHits", 17, 0.71, "level 3", 0.7),
            ("muonId", 13, 0.47, "another socket", 0),
            ("jets", 9, 0.18, "nothing", 0),
            ("tauHighEfficiency", 6, 0.52, "page tables", 0),
            ("softElectrons", 4, 0.33, "level 3", 0),
            ("writeEvents", 2, 0.15, "nothing", 0)]
# the event of a cause, and the cycles that the model has for one
CAUSES = {"level 2": ("MEM_LOAD_RETIRED:L2_HIT", 6),
          "level 3": ("MEM_LOAD_RETIRED:L3_UNSHARED_HIT", 35),
          "memory": ("MEM_UNCORE_RETIRED:LOCAL_DRAM", 225),
          "another socket": ("MEM_UNCORE_RETIRED:REMOTE_DRAM", 360),
          "page tables": ("DTLB_LOAD_MISSES:WALK_COMPLETED", 35),
          "division": ("ARITH:CYCLES_DIV_BUSY", 1)}


def counts(seconds, part, cause):
    """A twentieth of the stalled cycles for each cause, six for the main one."""
    cycles = int(HZ * seconds)
    instructions = int(1.7 * cycles * (1 - part))
    found = {"CPU_CLK_UNHALTED:THREAD_P": cycles,
             "INST_RETIRED:ANY_P": instructions,
             "UOPS_EXECUTED:0x3f:c=1:i=1": int(part * cycles)}
    for name, (event, latency) in CAUSES.items():
        found[event] = int(part * cycles * (0.6 if name == cause else 0.05) /
                           latency)
    found.update({
        "MEM_LOAD_RETIRED:L3_MISS":
            found[CAUSES["memory"][0]] + found[CAUSES["another socket"][0]],
        "MEM_UNCORE_RETIRED:REMOTE_CACHE_LOCAL_HOME_HIT": 0,
        "MEM_UNCORE_RETIRED:OTHER_CORE_L2_HITM": 0,
        "MEM_LOAD_RETIRED:OTHER_CORE_L2_HIT_HITM": 0,
        "BR_INST_EXEC:ANY": instructions // 5,
        "BR_MISP_EXEC:ANY":
            instructions // (90 if cause == "branches" else 900)})
    return found


def measure(where):
    chance = random.Random(2010)
    for task in range(TASKS):
        records = []
        for tid in range(THREADS):
            is_last = (task, tid) == (TASKS - 1, THREADS - 1)
            for i, (name, seconds, part, cause, more) in enumerate(SECTIONS):
                took = seconds * chance.gauss(1, 0.02) * (
                    1 + more if is_last else 1)
                found = counts(took, part * chance.gauss(1, 0.02), cause)
                records.append(record(
                    len(records) + 1, tid, task, name, took, took,
                    [data(event, n, exclusive=n)
                     for event, n in found.items()], inst=i + 1,
                    line=20 * i + 10, file="reco.cc", calls=1000 * (i + 1)))
        write(where, f"run.{task}.hpm.xml", task_file(
            task, records, pmu='pmu="nhm"', program_name="cmsRun").replace(
                f"11:30:0{task}", "11:30:00").replace(
                    'mhz="1000"', f'mhz="{HZ / 1e6:.0f}"').replace(
                        'seconds="12.5"', 'seconds="158.2"'))


def browser():
    options = Options()
    options.binary_location = tap.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(word)
    driver = webdriver.Chrome(options=options,
                              service=Service(tap.which("chromedriver")))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 1280, "height": 800, "deviceScaleFactor": 1,
        "mobile": False})
    return driver


def keep(driver, path):
    """With fewer colours, where there is a program for that."""
    driver.save_screenshot(path)
    if tap.which("pngquant"):
        subprocess.run(["pngquant", "--force", "--nofs", "--output", path,
                        "96", path], check=True)


def main():
    out = os.path.abspath(sys.argv[1])
    with tap.folder() as where:
        measure(where)
        page = os.path.join(where, "page.html")
        made = make(page, where)
        assert made.returncode == 0, made.stderr
        driver = browser()
        try:
            driver.get(f"file://{page}#theme=light")
            keep(driver, os.path.join(out, "page.png"))
            driver.get("about:blank")
            driver.get(f"file://{page}#theme=dark")
            driver.find_element(
                "css selector", "table.sections tbody th button").click()
            keep(driver, os.path.join(out, "page-dark.png"))
        finally:
            driver.quit()


main()
