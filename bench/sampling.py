# SPDX-License-Identifier: BSD-3-Clause
"""What sampling takes of a program's time: runs with and without HPM_SAMPLE in turn, the
processor time of each beside that of its neighbour, so that what else runs on the
machine is in both.  python3 bench/sampling.py PROGRAM-WITH-ARGUMENTS [PAIRS [PERIOD]]"""

import os
import statistics
import subprocess
import sys
import tempfile


def seconds(command, where, sampled):
    """Processor time of one run."""
    path = os.path.join(where, "s.hpm.xml")
    variables = dict(os.environ, HPM_OUTPUT_NAME=path)
    if sampled:
        variables["HPM_SAMPLE"] = sampled
    with subprocess.Popen(command, env=variables, cwd=where,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    for name in os.listdir(where):
        os.remove(os.path.join(where, name))
    return usage.ru_utime + usage.ru_stime


def main():
    command = sys.argv[1].split()
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    period = sys.argv[3] if len(sys.argv) > 3 else "997us"
    ratios, nulls = [], []
    with tempfile.TemporaryDirectory() as where:
        for i in range(n_pairs):
            # both orders, and two without: the noise of the ratio itself
            first, second = (None, "cpu-clock@" + period)[::1 if i % 2 else -1]
            times = {first: seconds(command, where, first),
                     second: seconds(command, where, second)}
            ratios.append(times["cpu-clock@" + period] / times[None])
            nulls.append(seconds(command, where, None) / times[None])
    for name, values in (("with samples / without", ratios),
                         ("without / without", nulls)):
        values.sort()
        low, high = values[len(values) // 4], values[3 * len(values) // 4]
        print(f"{name}: {100 * (statistics.median(values) - 1):+.2f} % "
              f"(quarters {100 * (low - 1):+.2f} to {100 * (high - 1):+.2f} %), "
              f"{len(values)} pairs")


main()
