# SPDX-License-Identifier: BSD-3-Clause
"""Every event of the shipped definitions of which tests/data/codes.tsv has the
vendor's code, counted under a forced PMU: is the code that is opened the
vendor's?  tests/programs/fakepmu.c writes down what is."""

import os

import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, run

# PMUs that libpfm4 does not know: their events are those of definitions, which
# hold where the processor is theirs; a file of the test's says that it is.
# So are those of libpfm4's of which metrics/models has the events.
INTEL = ("cpu_core", "cpu_atom")
HYBRID = {"adl": INTEL, "mtl": INTEL, "lnl": INTEL, "arl": INTEL,
          "apple_m1": ("apple_firestorm_pmu", "apple_icestorm_pmu"),
          "apple_m2": ("apple_avalanche_pmu", "apple_blizzard_pmu")}
DEFINED = ("emr", "gnr", "srf", "cwf", "amd64_fam1ah_zen5",
           "amd64_fam1ah_zen6", "amd64_fam17h_zen1", "hsw_ep", "bdw_ep", *HYBRID)
# Those of which libpfm4 has the one part, definitions the other.
MIXED = ("skx", "clx", "icx", "spr")
CORES, E_CORES = 4, 10  # types of the PMUs that are listed
# opened beside events of one kind of cores, for the other one
CYCLES = {"cpu_core": (0x3c, 0)}
APPLE_CYCLES = (0x2, 0)
HARDWARE, CACHE = 0, 3  # types of the kernel's own names
AT_ONCE = 16
# what the kernel lists in the folder format
FIELDS = {"event": "config:0-7,32-35", "umask": "config:8-15", "edge": "config:18",
          "any": "config:21", "inv": "config:23", "cmask": "config:24-31",
          "eq": "config:36", "frontend": "config1:0-23", "offcore_rsp": "config1:0-63"}


def table():
    """PMU -> [(event, config, config1)], and those without a code."""
    known, unknown = {}, []
    with open(os.path.join(tap.TOP_SOURCE, "tests/data/codes.tsv")) as file:
        for line in file:
            if line.startswith("#"):
                continue
            pmu, event, code, _ = line.rstrip("\n").split("\t")
            if code == "-":
                unknown.append((pmu, event))
                continue
            config, _, config1 = code.partition("+")
            known.setdefault(pmu, []).append(
                (event, int(config, 16), int(config1 or "0", 16)))
    return known, unknown


def listed(where, pmu="cpu", kind=CORES):
    """A command for a machine that lists a core PMU."""
    fields = {"format/" + name: bits for name, bits in FIELDS.items()}
    for name, text in ({"type": str(kind), "cpus": "0-3"} | fields).items():
        path = os.path.join(where, "devices", pmu, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text + "\n")
    return tap.in_namespace(
        f"mount --bind '{where}/devices' /sys/bus/event_source/devices")


def machine_of(where, pmu):
    """The folder of the PMUs, and the command, of a machine with that processor."""
    if pmu in HYBRID:
        p_cores, e_cores = HYBRID[pmu]
        listed(os.path.join(where, p_cores), p_cores)
        return listed(os.path.join(where, p_cores), e_cores, E_CORES)
    return listed(os.path.join(where, "one"))


def opened(where, pmu, events, identity):
    """What is opened beside nothing, in the order of the events."""
    path = os.path.join(where, "opened")
    variables, mount = {"LIBPFM_FORCE_PMU": pmu}, []
    if pmu in MIXED:
        mount = machine_of(where, pmu)
    if pmu in DEFINED:
        mount = machine_of(where, pmu)
        with open(os.path.join(where, "own.hpm"), "w") as file:
            file.write(f'processor {pmu} = "{identity}"\n')
        variables = {"HPM_DEFS": os.path.join(where, "own.hpm")}
        if pmu in HYBRID:
            variables["FAKE_KINDS"] = f"{CORES}:{E_CORES}:1:1"
    result = run([*mount, HPMCOUNT, "--share", "-o", os.path.join(where, "x.xml"), "-e",
                  ",".join(events), "true"], folder=where, HPM_FSYNC="no",
                 HPM_SOURCE="kernel",
                 **tap.fake_pmu(FAKE_OPENED=path, **variables))
    os.remove(os.path.join(where, "x.xml"))
    with open(path) as file:
        lines = [[int(word, 0) for word in line.split()] for line in file]
    os.remove(path)
    return {(line[0] == E_CORES, line[1], line[2]) for line in lines
            if line[0] in (CORES, E_CORES)}, result


def test_field(where, identity):
    """A field that the kernel does not list is named, and what needs it is n/a."""
    event = "P_LSD:UOPS:c=8:i=1:eq=1"
    codes, _ = opened(where, "lnl", [event], identity)
    ok((False, 0x10088001a8, 0) in codes, "lnl: the field eq is the kernel's", codes)
    listed_fields = dict(FIELDS)
    del FIELDS["eq"]
    with folder() as bare:
        codes, result = opened(bare, "lnl", [event], identity)
    FIELDS.update(listed_fields)
    ok((False, 0x10088001a8, 0) not in codes and b"unsupported" in result.stderr and
       b"'eq' is neither an event nor a field of the PMU 'cpu_core'" in result.stderr,
       "lnl: where the kernel lists no field eq the event is n/a, and why",
       result.stderr)


def of_kind(pmu, row):
    """Is it of E cores, and the two words of its code."""
    return (pmu in HYBRID and row[0].startswith("E_"), *row[1:])


def compare(where, pmu, rows, identity):
    """How many have another code, or none."""
    wrong = []
    for first in range(0, len(rows), AT_ONCE):
        some = rows[first:first + AT_ONCE]
        codes, result = opened(where, pmu, [row[0] for row in some], identity)
        expected = {of_kind(pmu, row) for row in some}
        if pmu in HYBRID:
            cycles = CYCLES.get(HYBRID[pmu][0], APPLE_CYCLES)
            codes -= {(kind, *cycles) for kind in (False, True)} - expected
        if codes != expected:
            wrong += [(pmu, row) for row in some if of_kind(pmu, row) not in codes]
            wrong += [(pmu, "opened", code[0], hex(code[1]), hex(code[2]))
                      for code in codes - expected]
            print("#", result.stderr.decode().replace("\n", "\n# "))
    return wrong


def sbi_index(kind, config):
    """RISC-V: the number that the firmware (SBI) has for an event of the kernel's."""
    if kind == HARDWARE:
        return config + 1
    cache, operation, result = (config >> shift & 0xff for shift in (0, 8, 16))
    return 0x10000 | cache << 3 | operation << 1 | result


def compare_riscv(where, rows):
    """The kernel's names, which mean the same on each architecture."""
    wrong, path = [], os.path.join(where, "opened")
    for event, index, _ in rows:
        run([HPMCOUNT, "-o", os.path.join(where, "x.xml"), "-e", event, "true"],
            HPM_FSYNC="no", HPM_SOURCE="kernel", **tap.fake_pmu(FAKE_OPENED=path))
        with open(path) as file:
            lines = [[int(word, 0) for word in line.split()[:2]] for line in file]
        os.remove(path)
        opened_as = {sbi_index(*line) for line in lines
                     if line[0] in (HARDWARE, CACHE)}
        if index not in opened_as:
            wrong.append((event, hex(index), opened_as))
    return wrong


def own_identity():
    text = run([HPM, "doctor"]).stdout.decode()
    words = [line for line in text.splitlines() if "by its identity, " in line]
    return words[0].split("identity, ")[-1].split(";")[0].strip() if words else None


def main():
    reason = tap.no_preload()
    if reason or not tap.has_libpfm() or os.uname().machine != "x86_64":
        tap.skip("codes under a forced PMU", reason or "libpfm4 has no tables "
                 "of Intel's and AMD's PMUs here")
        return
    known, unknown = table()
    identity = own_identity()
    n = 0
    with folder() as where:
        for pmu, rows in known.items():
            if pmu.startswith(("arm_", "power")):
                continue  # tests/cli/foreign-events.py compares them
            if pmu == "riscv":
                equal(compare_riscv(where, rows), [],
                      f"{pmu}: all of {len(rows)} names are the firmware's events")
                n += len(rows)
                continue
            if pmu in (*DEFINED, *MIXED) and (not identity or not listed(where)):
                tap.skip(f"{pmu}: the codes of its definitions",
                         "nothing can be mounted here")
                continue
            equal(compare(where, pmu, rows, identity), [],
                  f"{pmu}: all of {len(rows)} events have the vendor's code")
            n += len(rows)
        if identity and listed(where):
            test_field(where, identity)
    unknown = [row for row in unknown if not row[0].startswith("arm_")]
    print(f"# {n} events compared; no vendor's source for {len(unknown)}:",
          ", ".join(f"{pmu} {event}" for pmu, event in unknown))
    ok(n > 400, "there are events to compare")


main()
tap.done()
