# SPDX-License-Identifier: BSD-3-Clause
"""A reader of journals, written from their description alone: the slots from
lib/file/journal.h, what they say from lib/record/snapshot.h."""

import os
import struct
from types import SimpleNamespace

PAGE = 4096
MAGIC = 0x6C6E726A2D6D7068
ORDER = 0x0102030405060708
VERSION = 14
SEED = 0xCBF29CE484222325
FACTOR = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1
RUN, THREAD, PROCESS = 1, 2, 3
N_HEAD = 11


class Malformed(Exception):
    """A copy with the right checksum that does not say what it should."""


def checksum(words):
    value = SEED
    for word in words:
        value = (value ^ word) * FACTOR & MASK
        value ^= value >> 32
    return value


def copy_at(data, offset):
    """The copy in the slot there: table, sequence, bytes; None if there is no
    whole one."""
    end = offset + N_HEAD * 8
    if end > len(data):
        return None
    for order in "<>":
        head = struct.unpack(f"{order}{N_HEAD}Q", data[offset:end])
        if head[:3] == (MAGIC, ORDER, VERSION):
            break
    else:
        return None
    (table, sequence, length, tables, journal_end, n_copies, other,
     check) = head[3:]
    body = data[end:end + length]
    if length % 8 != 0 or len(body) < length:
        return None
    words = struct.unpack(f"{order}{length // 8}Q", body)
    if checksum(head[:N_HEAD - 1] + words) != check:
        return None
    return SimpleNamespace(offset=offset, table=table, sequence=sequence,
                           tables=tables, end=journal_end,
                           copies=n_copies, other=other, bytes=body,
                           order=order)


def copies(data):
    """All whole copies, in the order of the file."""
    found = (copy_at(data, offset) for offset in range(0, len(data), PAGE))
    return [copy for copy in found if copy is not None]


def damaged(data, offset, copy=None, value=1 << 40):
    """The journal with one word of a copy, by default of the last table's newest,
    changed and the checksum right."""
    copy = copy or max((c for c in copies(data) if c.table > 1),
                       key=lambda c: (c.table, c.sequence))
    at = copy.offset + N_HEAD * 8 + offset
    changed = bytearray(data)
    changed[at:at + 8] = struct.pack("<Q", value)
    words = struct.unpack_from(
        f"<{N_HEAD - 1}Q", changed, copy.offset) + struct.unpack_from(
            f"<{len(copy.bytes) // 8}Q", changed,
            copy.offset + N_HEAD * 8)
    struct.pack_into("<Q", changed, copy.offset + 8 * (N_HEAD - 1),
                     checksum(words))
    return bytes(changed)


class Words:
    """What a copy says, from its first word to its last."""

    def __init__(self, copy):
        self.bytes, self.order, self.at = copy.bytes, copy.order, 0

    def take(self, form, n_bytes):
        if self.at + n_bytes > len(self.bytes):
            raise Malformed(f"it ends at byte {len(self.bytes)}")
        part = self.bytes[self.at:self.at + n_bytes]
        self.at += n_bytes
        return struct.unpack(self.order + form, part)

    def word(self):
        return self.take("Q", 8)[0]

    def int(self):
        return self.take("q", 8)[0]

    def real(self):
        return self.take("d", 8)[0]

    def words(self, n):
        return list(self.take(f"{n}Q", 8 * n))

    def reals(self, n):
        return list(self.take(f"{n}d", 8 * n))

    def text(self):
        length = self.word()
        if length == MASK:
            return None
        padded = (length + 7) // 8 * 8
        part = self.take(f"{padded}s", padded)[0]
        if any(part[length:]):
            raise Malformed("a text is not filled up with zeroes")
        return part[:length].decode("utf-8", "surrogateescape")

    def list(self, read):
        return [read() for _ in range(self.word())]

    def end(self):
        if self.at != len(self.bytes):
            raise Malformed(f"{len(self.bytes) - self.at} bytes too many")


def read_counter(words):
    texts = {key: words.text() for key in ("name", "source", "description",
                                           "unit", "domain", "state",
                                           "reason")}
    flags = words.word()
    return SimpleNamespace(**texts, is_hidden=bool(flags & 1),
                           is_charged=bool(flags & 2),
                           is_in_threads=bool(flags & 4))


def read_calibration(words):
    calibration = SimpleNamespace(scope=words.text(), when=words.text(),
                                  n_calls=words.int())
    calibration.slots = words.list(lambda: SimpleNamespace(
        self=words.words(3), pair=words.words(3), costs=words.words(3)))
    calibration.timed = [words.words(3) for _ in range(3)]
    calibration.again = words.word()
    return calibration


def read_run(words):
    run = SimpleNamespace(kind=RUN, version=words.text(), file=words.text(),
                          program=words.text(), job=words.text(),
                          task=words.int(), pid=words.int(),
                          forked_from=words.int(),
                          start=words.text(), begin=words.words(2),
                          is_tick=words.word())
    for key in ("host", "system", "architecture", "cpu", "pmu", "facts",
                "mhz_source", "no_counters_reason"):
        setattr(run, key, words.text())
    run.mhz = words.real()
    (run.n_cpus, run.n_allowed, run.is_virtual,
     run.has_hardware) = words.words(4)
    run.counters = words.list(lambda: read_counter(words))
    run.instant = words.words(2)
    run.place = [words.text() for _ in range(6)]
    run.resources = words.list(lambda: (words.text(), *words.words(2)))
    run.calibrations = words.list(lambda: read_calibration(words))
    run.problems = words.list(lambda: (words.text(), words.word()))
    run.sampled = words.list(lambda: (words.text(), words.text(), words.int(),
                                      words.word()))
    if run.sampled:
        run.n_without = words.word()
        run.modules = words.list(lambda: (words.text(), words.text()))
        run.parts = words.list(lambda: words.words(4))
        if any(part[3] >= len(run.modules) for part in run.parts):
            raise Malformed("a part of a module that there is not")
    return run


def read_section(words, table):
    numbers = [words.word(), words.word(), words.int(), words.int(),
               words.int(), words.word(), words.word(), words.word(),
               words.word()]
    section = SimpleNamespace(**dict(zip(
        ("parent", "within", "instance", "first_line", "last_line", "flags",
         "calls", "outer", "skipped"), numbers)))
    section.is_open = bool(section.flags & 1)
    section.label, section.file = words.text(), words.text()
    section.works = words.list(lambda: (words.text(), words.word()))
    section.inclusive = words.words(table.n_row)
    section.exclusive = words.words(table.n_row)
    pairs = words.words(2 * table.n_counts)
    section.squares = [low + (high << 64)
                       for low, high in zip(pairs[::2], pairs[1::2])]
    return section


def read_kept(words, n_row):
    """Calls that there were, and words of each that was kept."""
    n_made = words.word()
    return n_made, (words.list(lambda: words.words(2 + n_row))
                    if n_made > 0 else [])


def read_table(kind, words):
    table = SimpleNamespace(kind=kind, tid=words.int(), omp=words.int(),
                            n_threads=words.word(), instant=words.words(2),
                            n_slots=words.word(), n_counts=words.word(),
                            n_charged=words.word())
    table.n_row = table.n_slots + table.n_charged + 2
    table.events = words.list(lambda: (words.word(), words.text(),
                                       words.text()))
    sections = words.list(lambda: read_section(words, table))
    table.sections = [s for s in sections if not s.flags & 16]
    table.outside = [s for s in sections if s.flags & 16]
    if sections != table.sections + table.outside or len(table.outside) > 1:
        raise Malformed("what is outside sections is not the last one")
    for number, section in enumerate(table.sections):
        if section.parent > number:
            raise Malformed("a section comes before the one around it")
    table.sampled = words.list(lambda: words.words(3))
    table.samples = []
    if table.sampled:
        table.n_dropped = words.word()
        table.samples = words.list(lambda: words.words(6))
        if any(sample[0] > len(table.sections) or sample[5] == 0
               for sample in table.samples):
            raise Malformed("a sample of no section")
    table.kept = words.list(lambda: read_kept(words, table.n_row))
    if len(table.kept) > len(table.sections):
        raise Malformed("single calls of no section")
    return table


def read_copy(copy):
    words = Words(copy)
    kind = words.word()
    if kind not in (RUN, THREAD, PROCESS):
        raise Malformed(f"kind {kind}")
    what = read_run(words) if kind == RUN else read_table(kind, words)
    words.end()
    what.table, what.sequence = copy.table, copy.sequence
    return what


class Journal:
    """The latest copy of each table; every whole copy, old ones too, must say
    what it should."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        self.path, self.data = path, data
        self.copies = copies(data)
        latest = {}
        for copy in self.copies:
            what = read_copy(copy)
            if copy.table not in latest or \
                    latest[copy.table].sequence < copy.sequence:
                latest[copy.table] = what
        tables = list(latest.values())
        runs = [table for table in tables if table.kind == RUN]
        self.run = runs[0] if len(runs) == 1 else None
        self.threads = sorted((t for t in tables if t.kind == THREAD),
                              key=lambda t: t.tid)
        processes = [t for t in tables if t.kind == PROCESS]
        self.process = processes[0] if processes else None

    def ns_per_tick(self):
        """From the start to the latest instant."""
        if not self.run.is_tick:
            return 1.0
        tables = self.threads + [self.run] + \
            ([self.process] if self.process else [])
        ticks, ns = max(t.instant for t in tables)
        return (ns - self.run.begin[1]) / (ticks - self.run.begin[0])


def paths(folder):
    """The journals in a folder, sorted."""
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if ".journal" in name)
