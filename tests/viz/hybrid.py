# SPDX-License-Identifier: BSD-3-Clause
"""A person looks at a run on a processor with cores of two kinds: what each kind
counted, and ratios of one kind only."""

import person  # first: it may begin anew on a desktop
import tap
from reports import data, record, task_file, write

# Of two threads: cycles and instructions on P cores, and on E cores.  The second
# was never on an E core.
COUNTS = [((1000, 2500), (4000, 3000)), ((2000, 3000), (0, 0))]


def counters(of_thread):
    return [data(f"cpu_{kind}/{what}/", count, exclusive=count)
            for kind, counts in zip(("core", "atom"), of_thread)
            for what, count in zip(("cycles", "instructions"), counts)]


def look(where):
    records = [record(i + 1, i, 0, "calc", 1, 1, counters(COUNTS[i]))
               for i in range(2)]
    path = write(where, "p.0.hpm.xml", task_file(0, records, pmu='pmu="adl"',
                                                 program_name="p"))
    viewer = person.start(path)
    sections = viewer.table("sections")
    viewer.see(sections.n_rows, 1, "the section is there")
    viewer.keys("Ctrl+m", "hpmviz")
    window = viewer.window("calc Metrics")
    table = viewer.table("metrics table", window)
    viewer.see(lambda: table.column("P_IPC"), ["2.500", "1.500"],
               "instructions per cycle of P cores")
    viewer.see(lambda: table.column("E_IPC"), ["0.750", "undefined"],
               "those of E cores, and no number where none ran there")
    viewer.see(lambda: table.column("E_INSTRUCTION_PCT"), ["54.545", "0.000 ?"],
               "the part of the instructions that E cores completed; that of none "
               "may be off by more than 0")
    viewer.keys("Ctrl+q", "calc Metrics")
    tap.equal(viewer.end(), 0, "it ends")


with tap.folder() as folder:
    person.journey("hybrid", look, folder)
tap.done()
