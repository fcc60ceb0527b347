# SPDX-License-Identifier: BSD-3-Clause
"""What the files nobody should have to read cost to refuse or salvage, each in
a process of its own: processor time against 100 ms, largest memory against
16 MiB.

    hostile.py REREAD FOLDER-OF-HOSTILE.PY
"""

import os
import resource
import subprocess
import sys
import tempfile

MOST_MS = 100
MOST_KIB = 16 << 10
TRIES = 3


def cost(reread, path):
    """Milliseconds of a processor and KiB of one reading."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([reread, path], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, check=False,
                            env={**os.environ, "REREAD_WITNESS": "1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = (after.ru_utime + after.ru_stime - before.ru_utime -
               before.ru_stime)
    return 1000 * seconds, int(result.stderr.split()[-3])


def main(reread, folder):
    sys.path.insert(0, folder)
    import hostile
    with tempfile.TemporaryDirectory(prefix="hpm-bench-") as where:
        hostile.write(where)
        rows = []
        for name in hostile.INPUTS:
            path = os.path.join(where, name + ".xml")
            tries = [cost(reread, path) for _ in range(TRIES)]
            rows.append((min(ms for ms, _ in tries),
                         max(kib for _, kib in tries), name))
    rows.sort(reverse=True)
    n_met = sum(ms <= MOST_MS and kib <= MOST_KIB for ms, kib, _ in rows)
    print(f"{len(rows)} hostile files, least of {TRIES} times; the dearest:")
    for ms, kib, name in rows[:5]:
        print(f"  {name:<28} {ms:6.1f} ms {kib / 1024:6.1f} MiB")
    most = max(kib for _, kib, _ in rows)
    print(f"most memory {most / 1024:.1f} MiB; goal 100 ms and 16 MiB: "
          f"{'met' if n_met == len(rows) else 'NOT MET'} by {n_met}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
