# SPDX-License-Identifier: BSD-3-Clause
"""What hpm report takes for 1,024 and 10,000 tasks of 10 sections, by task and
by thread, beside the plain report of 1,024.

    reports.py HPM FOLDER-OF-TASKS.PY
"""

import os
import resource
import subprocess
import sys
import tempfile

SIZES = [1024, 10000]
SECTIONS = 10
TRIES = 3
# times the plain report of 1,024 tasks
MOST = {1024: 3, 10000: 20}


def seconds(hpm, options, paths):
    """Processor time of one report."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([hpm, "report", *options, *paths], check=True,
                   stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime -
            before.ru_stime)


def main(hpm, folder):
    sys.path.insert(0, folder)
    import tasks
    with tempfile.TemporaryDirectory(prefix="hpm-bench-") as where:
        paths = [os.path.join(where, tasks.put(where, i, tasks.plain(
            i, SECTIONS, 1))) for i in range(SIZES[-1])]
        plain = None
        for size in SIZES:
            for options in ([], ["--by", "task"], ["--by", "thread"]):
                least = min(seconds(hpm, options, paths[:size])
                            for _ in range(TRIES))
                plain = plain or least
                is_met = least <= MOST[size] * plain
                print(f"{size:6d} tasks {' '.join(options) or 'plain':<12} "
                      f"{least:7.3f} s {least / plain:6.1f} x the plain "
                      f"report of {SIZES[0]}; goal {MOST[size]} x: "
                      f"{'met' if is_met else 'NOT MET'}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
