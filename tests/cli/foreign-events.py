# SPDX-License-Identifier: BSD-3-Clause
"""The native events of definitions for Arm and POWER, looked up in libpfm4's
tables of those architectures.

libpfm4 of one machine has the tables of its own architecture only. Debian's
libpfm4-dev of another one, unpacked somewhere, has them in libpfm.a, and the
names of a table are its relocations: no such machine is needed to read them.
The PMU lab unpacks both ($PMULAB_CACHE, see tests/pmu-lab); PFM_ARCHIVES adds
others, with colons between them."""

import glob
import os
import struct

import tap
from tap import HPM, ok, run

CACHE = (os.environ.get("PMULAB_CACHE") or
         os.path.join(os.environ.get("XDG_CACHE_HOME") or "/tmp", "pmu-lab"))
FILES = ("neoverse", "cortex-a57", "a64fx", "power9")

# PMU -> the table's name, and what belongs to one entry
TABLES = {"arm_n1": "arm_n1_pe", "arm_v1": "arm_v1_pe",
          "arm_ac57": "arm_cortex_a57_pe", "arm_a64fx": "arm_a64fx_pe",
          "power9": "power9_pe"}


class Object:
    """A 64-bit little-endian ELF object."""

    def __init__(self, data):
        self.data = data
        offset, = struct.unpack_from("<Q", data, 40)
        count, = struct.unpack_from("<H", data, 60)
        self.sections = [struct.unpack_from("<IIQQQQIIQQ", data, offset + 64 * i)
                         for i in range(count)]
        self.symbols = self.read_symbols()

    def text(self, position):
        return self.data[position:self.data.index(b"\0", position)].decode()

    def read_symbols(self):
        """(name, section, value, size) of each."""
        table = next((s for s in self.sections if s[1] == 2), None)
        if table is None:
            return []
        names = self.sections[table[6]][4]
        rows = [struct.unpack_from("<IBBHQQ", self.data, at)
                for at in range(table[4], table[4] + table[5], 24)]
        return [(self.text(names + row[0]), row[3], row[4], row[5])
                for row in rows]

    def relocations(self, section):
        """Offset in the section -> position in the file of what it names."""
        found = {}
        for table in self.sections:
            if table[1] != 4 or table[7] != section:
                continue
            for at in range(table[4], table[4] + table[5], 24):
                offset, info, addend = struct.unpack_from("<QQq", self.data, at)
                symbol = self.symbols[info >> 32]
                if 0 < symbol[1] < len(self.sections):
                    found[offset] = (self.sections[symbol[1]][4] + symbol[2] +
                                     addend)
        return found

    def table(self, name):
        """The texts a table of events points to: names and descriptions; and
        for each name its code, which is before it in POWER's tables, and in
        Arm's after it, with 32 bits."""
        symbol = next((s for s in self.symbols if s[0] == name and s[3]), None)
        if symbol is None:
            return None
        start = self.sections[symbol[1]][4]
        is_arm = name.startswith("arm_")
        form, at = ("<I", 24) if is_arm else ("<Q", -8)
        return {self.text(position):
                struct.unpack_from(form, self.data, start + offset + at)[0]
                for offset, position in
                sorted(self.relocations(symbol[1]).items(), reverse=True)
                if symbol[2] <= offset < symbol[2] + symbol[3] and
                not (is_arm and (offset - symbol[2]) % 32)}  # an alias's name


def objects(path):
    """Those in an archive."""
    with open(path, "rb") as file:
        data = file.read()
    at = 8
    while at + 60 <= len(data):
        size = int(data[at + 48:at + 58])
        body = data[at + 60:at + 60 + size]
        if body[:6] == b"\x7fELF\2\1":
            yield Object(body)
        at += 60 + size + size % 2


def read_tables():
    """Of all archives there are."""
    paths = (os.environ.get("PFM_ARCHIVES") or "").split(":")
    paths += glob.glob(os.path.join(CACHE, "*", "usr", "lib", "*", "libpfm.a"))
    tables = {}
    for path in filter(os.path.exists, paths):
        for item in objects(path):
            for pmu, name in TABLES.items():
                table = item.table(name)
                if table:
                    tables[pmu] = table
    return tables


def events():
    """PMU -> the events its definitions name, as hpm check lists them."""
    found = {}
    for name in FILES:
        result = run([HPM, "check", "--events",
                      os.path.join(tap.TOP_SOURCE, "metrics", name + ".hpm")])
        for line in result.stdout.decode().splitlines():
            pmu, event, _ = line.split()
            found.setdefault(pmu, []).append(event)
    return found


def sets(name):
    """The sets of a file, without metrics: set -> the native events."""
    with open(os.path.join(tap.TOP_SOURCE, "metrics", name)) as file:
        words = " ".join(line.partition("#")[0] for line in file).split()
    found, here = {}, None
    for i, word in enumerate(words):
        if word == "set":
            here = found.setdefault(words[i + 1], [])
        elif word in ("arch", "measure", "compute", "compose", "const", "ratio",
                      "remove", "label"):
            here = None
        elif here is not None and word.isupper() and words[i - 1] != "set":
            here.append(word)
    return found


def measured(name):
    """Metric -> the one event that measures it."""
    with open(os.path.join(tap.TOP_SOURCE, "metrics", name)) as file:
        lines = [line.split() for line in file]
    return {line[1]: line[3] for line in lines
            if len(line) == 4 and line[0] == "measure"}


def test_names(tables):
    n_known = 0
    named = events()
    ok(set(named) == set(TABLES), "each PMU of Arm and POWER is asked for",
       sorted(named))
    for pmu, names in named.items():
        if pmu not in tables:
            tap.skip(f"libpfm4 knows all events for {pmu}",
                     "no libpfm.a of its architecture in the PMU lab's cache")
            continue
        unknown = [n for n in names if n.split("::")[-1] not in tables[pmu]]
        n_known += len(names) - len(unknown)
        print(f"# {len(names)} events for {pmu}")
        ok(not unknown, f"libpfm4 knows all events for {pmu}", unknown)
    print(f"# {n_known} of {sum(map(len, named.values()))} events known to "
          "libpfm4 of their architectures")


def vendors():
    """PMU -> event -> the vendor's code, of those PMUs, and events without."""
    codes, without = {}, []
    with open(os.path.join(tap.TOP_SOURCE, "tests/data/codes.tsv")) as file:
        for line in file:
            words = line.rstrip("\n").split("\t")
            if words[0] in TABLES and words[2] == "-":
                without.append(" ".join(words[:2]))
            elif words[0] in TABLES:
                codes.setdefault(words[0], {})[words[1]] = int(words[2], 16)
    return codes, without


def test_codes(tables):
    """The code of each event, as libpfm4's tables have it, is the vendor's."""
    codes, without = vendors()
    named, n = events(), 0
    for pmu, names in named.items():
        absent = [name for name in names if name not in codes[pmu] and
                  f"{pmu} {name}" not in without]
        ok(not absent, f"the table of codes has every event of {pmu}", absent)
        if pmu not in tables:
            tap.skip(f"the codes of {pmu} are the vendor's",
                     "no libpfm.a of its architecture in the PMU lab's cache")
            continue
        others = [(name, hex(tables[pmu][name]), hex(code))
                  for name, code in codes[pmu].items()
                  if tables[pmu].get(name) != code]
        n += len(codes[pmu])
        ok(not others, f"the codes of {pmu} are the vendor's", others)
    print(f"# {n} codes compared; no vendor's source for {len(without)}:",
          ", ".join(without))


def test_counters(tables):
    """The fifth digit of a POWER9 event's code is the one counter it has; 0 is
    any of the four."""
    sentence = "no two events of a set of POWER9 need the same counter"
    if "power9" not in tables:
        tap.skip(sentence, "no libpfm.a of POWER in the PMU lab's cache")
        return
    codes, names = tables["power9"], measured("power9.hpm")
    fixed = set(sets("power9.hpm")["FIXED"])
    twice, n = [], 0
    for name, wanted in sets("power9.hpm").items():
        counters = [codes[event] >> 16 & 15 for event in
                    {names.get(word, word) for word in wanted} - fixed
                    if event in codes]
        n += len(counters)
        counters = [c for c in counters if c]
        if name != "FIXED" and len(set(counters)) < len(counters):
            twice.append((name, counters))
    ok(n > 40 and not twice, sentence, (n, twice))


def main():
    tables = read_tables()
    test_names(tables)
    test_codes(tables)
    test_counters(tables)
    tap.done()


main()
