# SPDX-License-Identifier: BSD-3-Clause
"""What libhpm_mpi adds to a call of MPI, under every MPI there is; at most 60 ns
where the times are asked for."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import TOP_SOURCE, folder, link_flags, mpis


def build(mpi, where):
    path = os.path.join(where, "mpicalls")
    tap.build_libhpm_mpi(mpi, where)
    subprocess.run(
        [mpi.cc, "-O2", "-I" + os.path.join(TOP_SOURCE, "include"),
         os.path.join(TOP_SOURCE, "bench", "mpicalls.c"), "-o", path,
         "-L" + where, "-Wl,-rpath," + where, "-lhpm_mpi", *link_flags(), "-lm"],
        check=True)
    return path


reason = tap.no_libhpm_mpi()
if reason:
    sys.exit(reason)
for each in mpis():
    with folder() as place:
        program = build(each, place)
        for events, title in (("ru::utime", "nobody asks for times"),
                              ("", "HPM_SET=MPI")):
            asked = {"HPM_EVENTS": events} if events else {"HPM_SET": "MPI"}
            print(f"{each.name}, {title}:", flush=True)
            print(each.run(2, [program], place, **asked).stdout.decode(), end="")
