#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How often the uncertainty of a section's time holds.

    coverage.py PROGRAM [RUNS [PAIRS]]

PROGRAM (bench/coverage) measures sections that have many calls inside them and
whose time is known.  Of each kind of calls it is run RUNS times (40): a value is
covered where it differs from that time by no more than its uncertainty."""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET


def run_once(program, kind, pairs, folder):
    """(ns off, uncertainty in ns) of each parent that kept its processor."""
    path = os.path.join(folder, "out.hpm.xml")
    if os.path.exists(path):
        os.unlink(path)
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("HPM_")}
    environment.update(HPM_OUTPUT_NAME=path, HPM_REPORT="none",
                       **({"HPM_SOURCE": "none"}
                          if "HPM_EVENTS" not in os.environ else
                          {"HPM_EVENTS": os.environ["HPM_EVENTS"]}))
    said = subprocess.run([program, kind, pairs], env=environment, check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    known = {}
    for line in said.splitlines():
        label, truth, interrupted = line.split()
        if int(interrupted) == 0:
            known[label] = float(truth)
    found = []
    for record in ET.parse(path).getroot().iter("InstrumentationPt"):
        label = record.get("label")
        data = next((d for d in record.findall("data")
                     if d.get("name") == "IncSec"), None)
        if label in known and data is not None:
            found.append((1e9 * float(data.get("value")) - known[label],
                          1e9 * float(data.get("uncertainty", "0"))))
    return found


def middle(numbers):
    return sorted(numbers)[len(numbers) // 2] if numbers else float("nan")


def main():
    program = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    pairs = sys.argv[3] if len(sys.argv) > 3 else "250"
    kinds = subprocess.run([program], stdout=subprocess.PIPE, text=True,
                           check=True).stdout.split()
    print(f"{runs} runs, {pairs} pairs a section; in ns a pair:")
    print(f"{'kind':<10} {'sections':>8} {'covered':>8} {'worst run':>9} "
          f"{'off, middle':>11} {'off, 5..95 %':>15} {'uncertainty':>11}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            all_found, shares = [], []
            n = float(pairs) / (10 if kind == "processes" else 1)
            for _ in range(runs):
                found = run_once(program, kind, pairs, folder)
                all_found += found
                if found:
                    shares.append(sum(abs(off) <= u for off, u in found) /
                                  len(found))
            offs = sorted(off / n for off, _ in all_found)
            count = len(offs)
            covered = sum(abs(off) <= u for off, u in all_found)
            print(f"{kind:<10} {count:>8} {100 * covered / count:>6.1f} % "
                  f"{100 * min(shares):>7.0f} % {middle(offs):>11.2f} "
                  f"{offs[count // 20]:>7.2f} {offs[count * 19 // 20]:>7.2f} "
                  f"{middle([u / n for _, u in all_found]):>11.2f}", flush=True)


main()
