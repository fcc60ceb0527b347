# SPDX-License-Identifier: BSD-3-Clause
"""hpm check: the faults of definitions, and of models of processors."""

import os

import tap
from tap import HPM, HPMCOUNT, equal, folder, ok, run


def test_replaced():
    """A file of a shipped one's name stands in its place, and that is said."""
    said = ("generic.hpm: stands in place of the shipped generic.hpm, of which "
            "nothing holds; to add to it, give the file another name")
    with folder() as where:
        path = os.path.join(where, "generic.hpm")
        with open(path, "w") as file:
            file.write("ratio MINE = PAGE_FAULTS / time::wall\n")
        text = run([HPMCOUNT, "true"], HPM_DEFS=path).stderr.decode()
        ok(f"hpmcount: {where}/{said}\n" in text, "a report says so", text)
        result = run([HPM, "check", "generic.hpm"], folder=where)
        lines = result.stdout.decode().splitlines()
        equal((result.returncode, lines),
              (0, [said, "generic.hpm: 1 statement, no fault"]),
              "and hpm check, which looks for the file's own faults")
        with open(path, "w") as file:
            file.write("ratio MINE = PAGE_FAULTS / 0\n")
        result = run([HPM, "check", "generic.hpm"], folder=where)
        equal((result.returncode, result.stdout.decode().splitlines()),
              (1, [said, "generic.hpm:1:26: division by 0, which has no result, "
                         "whatever is counted"]), "and finds them")
        with open(os.path.join(tap.TOP_SOURCE, "metrics", "generic.hpm")) as file:
            shipped = file.read()
        with open(path, "w") as file:
            file.write(shipped)
        result = run([HPM, "check", "generic.hpm"], folder=where)
        ok(result.returncode == 0 and b"stands" not in result.stdout,
           "a copy of the shipped one is no replacement", result)


# Of those the files that each program carries; models are added to.
CARRIED = ("generic.hpm", "papi.hpm")


def test_listings():
    """Those of KOJAK's appendix, whatever machine their events are of."""
    listings = os.path.join(tap.TOP_SOURCE, "tests", "metric", "listings")
    for name, n in (("generic", 15), ("papi", 56), ("power4", 32),
                    ("opteron", 40), ("ultra3", 48)):
        with open(os.path.join(listings, f"{name}.hpm")) as file:
            text = file.read()
        with folder() as where:
            for own in (f"{name}.hpm", "mine.hpm"):
                with open(os.path.join(where, own), "w") as file:
                    file.write(text)
                result = run([HPM, "check", own], folder=where)
                lines = result.stdout.decode().splitlines()
                said = [f"{own}: stands in place of the shipped {own}, of which "
                        "nothing holds; to add to it, give the file another "
                        "name"] if own in CARRIED else []
                equal((result.returncode, lines),
                      (0, said + [f"{own}: {n} statements, no fault"]),
                      f"the listing {name} as {own}")


EMPTY_IDENTITY = (
    '1:17: an identity in "%s" is empty; expected the identity of a processor, '
    'such as "GenuineIntel-6-CF", which hpm doctor prints, with commas between '
    "several")

SENSE = (
    ("compute A = CYCLES / 0", "1:20: division by 0, which has no result, "
                               "whatever is counted"),
    ("compute A = CYCLES / (3 - 3)", "1:20: division by 0, which has no "
                                     "result, whatever is counted"),
    ("const NONE = 0 compute A = CYCLES / NONE",
     "1:35: division by 0, which has no result, whatever is counted"),
    ("ratio R = R + 1", "1:11: the formula of 'R' needs its own value"),
    ("ratio P = Q + 1 ratio Q = O + 1 ratio O = P + 1",
     "1:33: 'P' needs itself: P -> Q -> O -> P"),
    ('processor nhm = ""', EMPTY_IDENTITY % ""),
    ('processor nhm = "GenuineIntel-6-1A, "',
     EMPTY_IDENTITY % "GenuineIntel-6-1A, "),
    ("set S = CYCLES NOSUCH",
     "1:16: 'NOSUCH' in the set 'S' is no metric and no event known here; an "
     "event of another processor belongs behind 'arch' and the name of its PMU"),
    ('compute A = CYCLES as "page-faults"',
     "1:1: 'A' cannot be shown as 'page-faults', which is the name of something "
     "else; expected a name of its own after as"),
    ('compute A = CYCLES as "ru::nsignals"',
     "1:1: 'A' cannot be shown as 'ru::nsignals', which is the name of an event; "
     "expected a name of its own after as"),
    ("set S = S", "1:9: the set 'S' names itself; expected events and metrics"),
    ("set S = IPC T set T = CPI",
     "1:13: 'T' is a set; expected an event or a metric"),
    ("ratio R = CYCLES / INSTRUCTION bad > 5 good > 3",
     "1:40: a value of 'R' above 3 would be good and bad (above 5); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION bad < 1 good < 2",
     "1:40: a value of 'R' below 2 would be good and bad (below 1); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION bad > 2 good < 3",
     "1:40: a value of 'R' below 3 would be good and bad (above 2); expected "
     "the limits on opposite sides"),
    ("ratio R = CYCLES / INSTRUCTION range 0, 10 bad > 20",
     "1:44: the limit 20 of 'R' is outside its range"),
    # of a shipped metric: where the user's file says it
    ("\ntune IPC bad > 3",
     "2:10: a value of 'IPC' above 2 would be good and bad (above 3); expected "
     "the limits on opposite sides"),
    ("\ntune IPC good < 3",
     "2:10: a value of 'IPC' below 3 would be good and bad (below 1); expected "
     "the limits on opposite sides"),
    ("\ntune IPC range 0, 1.5",
     "2:1: the limit 2 of 'IPC' is outside its range"),
    ("\ntune SYSTEM_SHARE\n  bad > 200",
     "3:3: the limit 200 of 'SYSTEM_SHARE' is outside its range"),
    # what every machine has, or none
    ("ratio R = sw::page-faultz / time::wall",
     "1:11: 'sw::page-faultz' is no event of the kernel or of getrusage; did "
     "you mean 'sw::page-faults'?"),
    ("measure M = ru::nothing_like",
     "1:13: 'ru::nothing_like' is no event of the kernel or of getrusage; "
     "hpm-events(7) has them"),
)

# Slips in names of PMUs: one that libpfm4 has may be meant where it is missing.
PMU_SLIPS = (
    ("arch skxx measure CYCLES = X",
     "1:6: 'skxx' is no PMU of libpfm4 or of other definitions; did you mean "
     "'skx'?"),
    ("arch skx zen4 measure CYCLES = X",
     "1:10: 'zen4' is no PMU of libpfm4 or of other definitions; did you mean "
     "'amd64_fam19h_zen4'?"),
)

SENSIBLE = (
    "ratio R = CYCLES / INSTRUCTION bad > 5 good < 3",
    "ratio R = CYCLES / INSTRUCTION bad > 5 good < 5",
    "ratio R = CYCLES / INSTRUCTION bad > 10 range 0, 10",
    "measure NEW_EVENT = NEW_EVENT",
    "measure M = ru::nsignals | proc::wchar | sw::alignment-faults | "
    "sw::CPU-CLOCK:u | time::wall | ru::ixrss | proc::run_delay",
    "compute A = CYCLES / (4 - 3)",
    "arch skx power4 measure CYCLES = X",
    "arch opteron set S = FR_BR CYCLES",
    "measure M = FR_NEW set S = FR_NEW M sw::page-faults PAPI_TOT_CYC",
    "processor nhm = \"GenuineIntel-6-1A, GenuineIntel-6-1E\"",
    'compute A = CYCLES as "Page-Faults of mine"',
)


def test_sense():
    """What can be read and can never be right."""
    with folder() as where:
        path = os.path.join(where, "f.hpm")
        for text, fault in SENSE + (PMU_SLIPS if tap.has_libpfm() else ()):
            with open(path, "w") as file:
                file.write(text + "\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            equal((result.returncode, result.stdout.decode().splitlines()),
                  (1, [f"f.hpm:{fault}"]), text)
        for text in SENSIBLE:
            with open(path, "w") as file:
                file.write(text + "\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            ok(result.returncode == 0 and b"no fault" in result.stdout,
               f"no fault: {text}", result)
        unknown, place = ["gnr_new"], "libpfm4 or of other definitions"
        if not tap.has_libpfm():
            unknown += ["skxx", "skylake"]
            place = ("other definitions; libpfm4, which may know it, is missing "
                     "here")
        for pmu in unknown:
            with open(path, "w") as file:
                file.write(f"arch {pmu} measure CYCLES = X\n")
            result = run([HPM, "check", "f.hpm"], folder=where)
            equal((result.returncode, result.stdout.decode().splitlines()),
                  (0, [f"f.hpm: note: '{pmu}' (line 1) is no PMU of {place}",
                       "f.hpm: 1 statement, no fault"]),
                  f"{pmu}, a processor that nobody knows here, is noted")


def test_check():
    shipped = os.path.join(tap.TOP_SOURCE, "metrics")
    paths = sorted(os.path.join(shipped, name) for name in os.listdir(shipped)
                   if name.endswith(".hpm"))
    result = run([HPM, "check"] + paths)
    ok(result.returncode == 0 and len(paths) >= 9 and
       all(line.endswith((" statements, no fault", " statement, no fault"))
           for line in result.stdout.decode().splitlines()),
       "hpm check finds no fault in the shipped files", result)
    with folder() as where:
        path = os.path.join(where, "bad.hpm")
        with open(path, "w") as file:
            file.write("ratio MINE = INSTRUCTON / CYCLES\n"
                       "compose X = UNIT USE + Y\n"
                       "tune IPCC bad < 2\n"
                       "arch skx\ncompute A = B + 1 compute B = A + 1\n"
                       "arch any\ntune IPC why \"it is slow\" next CACHES "
                       "try \"less\"\n"
                       "tune MEM_IMPACT_PCT bad > 2 why \"it is slow\" "
                       "next NO_SUCH_THING try \"less\"\n")
        result = run([HPM, "check", "bad.hpm"], folder=where)
        equal((result.returncode, result.stdout.decode().splitlines()),
              (1, ["bad.hpm:2:13: 'USE' follows 'UNIT'; expected '+' between "
                   "them; did you mean 'UNIT_USE'?",
                   "bad.hpm:3:1: there is no metric 'IPCC' to tune; did you "
                   "mean 'IPC'?",
                   "bad.hpm:1:14: 'INSTRUCTON' is neither defined nor an event "
                   "known here; did you mean 'INSTRUCTION'?",
                   "bad.hpm:7:1: 'CACHES', to measure next, is no set, metric "
                   "or event known here; did you mean 'CACHE'?",
                   "bad.hpm:8:1: 'NO_SUCH_THING', to measure next, is no set, "
                   "metric or event known here",
                   "bad.hpm:5:19: 'A' needs itself: A -> B -> A"]),
              "each fault is named, those for one PMU, too")
        result = run([HPM, "check", "none.hpm"], folder=where)
        equal((result.returncode, result.stderr),
              (3, b"hpm check: none.hpm: cannot be read: No such file or "
               b"directory\n"), "so is a file that is not there: 3")
        with open(os.path.join(where, "one.hpm"), "w",
                  encoding="utf-8") as file:
            file.write("const ONE = 1\n")
        result = run([HPM, "check", "none.hpm", "one.hpm"], folder=where)
        ok(result.returncode == 1 and b"none.hpm" in result.stderr and
           result.stdout == b"one.hpm: 1 statement, no fault\n",
           "beside one that is good: 1", result)
    equal(run([HPM, "check"]).returncode, 2, "no file: 2")


CPUS = ("a64fx", "cortex-a57", "neoverse", "power9", "xeon", "zen")


def check_summary(lines, pmu, answers):
    """The line "events" of check --model beside what --events answers."""
    line = next(line for line in lines[lines.index(pmu):]
                if line.startswith("  events "))
    n_wrong = answers.count("wrong")
    said = "not checked: libpfm4 of this machine lacks the PMU"
    if not tap.has_libpfm():
        said = "not checked: libpfm4 is missing here"
    elif "untold" not in answers:
        said = f"libpfm4 knows {answers.count('known') + n_wrong}"
    if n_wrong:
        said += f" and encodes {n_wrong} of them wrongly"
    equal(line, f"  events     {len(answers)}, {said}",
          f"{pmu}: how many events there are, and are known")


def test_own_codes():
    """An event whose code a definition has is not one that libpfm4 knows."""
    with folder() as where:
        with open(os.path.join(where, "own.hpm"), "w") as file:
            file.write("arch skl\nevent MY:EVENT = cpu/event=0x3c/\n"
                       "measure CYCLES = MY:EVENT\n")
        result = run([HPM, "check", "--model", "own.hpm"], folder=where)
        ok("  events     1, 1 by codes of definitions\n" in result.stdout.decode(),
           "codes of definitions are told apart from what libpfm4 knows", result)


def test_models():
    """hpm check --model, of the shipped processors and of a bad one."""
    shipped = os.path.join(tap.TOP_SOURCE, "metrics")
    for name in CPUS:
        path = os.path.join(shipped, name + ".hpm")
        result = run([HPM, "check", "--model", path])
        lines = result.stdout.decode().splitlines()
        ok(result.returncode == 0 and not result.stderr and
           not [line for line in lines if line.startswith("  fault")] and
           [line for line in lines if line.startswith("  sets ")],
           f"{name}: events exist, sets fit, limits have a source", lines)
    model = ('arch skl\n'
             'const COUNTERS = 2\n'
             'set FIXED = CPU_CLK_UNHALTED:THREAD_P\n'
             'set PAIRED = L2_LINES_IN:ALL\n'
             'measure CYCLES = CPU_CLK_UNHALTED:THREAD_P\n'
             'measure INSTRUCTION = INST_RETIRED:ANY_P\n'
             'measure STALL = CYCLE_ACTIVITY:STALLS_NOTHING\n'
             'measure MEMORY = MEM_INST_RETIRED:ANY\n'
             'measure LOAD = MEM_INST_RETIRED:ALL_LOADS\n'
             'compose MEMORY = LOAD + STORE + SYNCH\n'
             'ratio MINE = LOAD / CYCLES bad > 2\n'
             'set GOOD = CYCLES INSTRUCTION LOAD\n'
             'set TIGHT = CYCLES INSTRUCTION L2_LINES_IN:ALL\n')
    faults = ["  fault      the limits of 'MINE' have no source",
              "  fault      the set 'TIGHT' takes 3 counters of 2"]
    if tap.has_libpfm() and os.uname().machine == "x86_64":
        faults.insert(0, "  fault      there is no event "
                         "'CYCLE_ACTIVITY:STALLS_NOTHING'")
    with folder() as where:
        with open(os.path.join(where, "bad.hpm"), "w") as file:
            file.write(model)
        result = run([HPM, "check", "--model", "bad.hpm"], folder=where)
        lines = result.stdout.decode().splitlines()
        titles = [line for line in lines
                  if line[0] != " " and not line.startswith("bad.hpm: note: ")]
        equal((result.returncode, titles,
               [line for line in lines if line.startswith("  fault")]),
              (1, ["bad.hpm: 12 statements, no fault", "skl"], faults),
              "faults of a model are told")
        ok({"  missing    BRANCH_MPKI needs BRANCH_MISP",
            "  missing    'STORE' of 'MEMORY'",
            "  missing    'SYNCH' of 'MEMORY'",
            "  missing    the constant 'WIDTH'"} <= set(lines) and
           not [line for line in lines if line.startswith("  missing    IPC ")],
           "and what it leaves out", lines)
        result = run([HPM, "check", "--events", "bad.hpm"], folder=where)
        rows = [line.split() for line in result.stdout.decode().splitlines()]
        equal(sorted(row[1] for row in rows if row[0] == "skl"),
              ["CPU_CLK_UNHALTED:THREAD_P", "CYCLE_ACTIVITY:STALLS_NOTHING",
               "INST_RETIRED:ANY_P", "L2_LINES_IN:ALL",
               "MEM_INST_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:ANY"],
              "--events lists the native events")
        check_summary(lines, "skl", [row[2] for row in rows
                                     if row[0] == "skl"])
    test_own_codes()
    result = run([HPM, "check", "--events", "none.hpm"])
    ok(result.returncode == 3 and result.stdout == b"" and
       b"none.hpm: cannot be read" in result.stderr,
       "a file that is not there is said to be none", result)
    with folder() as where:
        open(os.path.join(where, "empty.hpm"), "w").close()
        for option in ("--events", "--model"):
            result = run([HPM, "check", option, "empty.hpm"], folder=where)
            ok(result.returncode == 1 and
               b"empty.hpm: cannot be read, or has no" in result.stderr,
               f"{option} of a file without definitions says so", result)
    equal(run([HPM, "check", "--modle", path]).returncode, 2,
          "an option that is none: 2")



GUARDED = """const LIM = 2 if VM  source "guest"  unit "s"
const LIM = 1 if no VM  source "bare"
const TWICE = LIM * 2
ratio NAPSHARE = PAGE_FAULTS / LIM  bad > TWICE
    why "x"  next PAGE_FAULTS  try "y"
"""


def explained(path, name, model):
    return run([HPM, "explain", "--arch", model, name],
               HPM_DEFS=path).stdout.decode()


def test_guarded_constants():
    """A constant that only a guard gives its value is one everywhere."""
    with folder() as where:
        path = os.path.join(where, "mine.hpm")
        with open(path, "w") as file:
            file.write(GUARDED)
        result = run([HPM, "check", "mine.hpm"], folder=where)
        equal((result.returncode, result.stdout.decode()),
              (0, "mine.hpm: 4 statements, no fault\n"),
              "constants of two guards, and a limit made of them, are right")
        text = explained(path, "LIM", "skx")
        ok("value      1 s" in text and "source     bare" in text,
           "the source is that of the definition which holds", text)
        with open(path, "w") as file:
            file.write("const C = 0 if VM\nratio M = PAGE_FAULTS / 1 bad > C\n")
        result = run([HPM, "check", "mine.hpm"], folder=where)
        ok(result.returncode == 1 and
           b"a limit of 'M' must be above 0" in result.stdout,
           "a fault that only a guard brings is found", result)
        with open(path, "w") as file:
            file.write("const C2 = 3 if VM\nratio W17 = PAGE_FAULTS / C2\n"
                       "ratio W11 = PAGE_FAULTS / 2 if VM\n")
        for name, guarded in (("W17", "C2"), ("W11", "W11")):
            text = " ".join(explained(path, name, "skx").split())
            ok(f"it needs 'if VM' to hold, the guard of '{guarded}'" in text,
               f"{name}: the guard is the reason", text)
        text = explained(path, "C2", "skx")
        ok("a constant" in text and
           "none here: 'C2' is defined only 'if VM'" in text,
           "a constant without a value here is one", text)


test_replaced()
test_guarded_constants()
test_listings()
test_sense()
test_check()
test_models()
tap.done()
