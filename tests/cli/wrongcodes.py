# SPDX-License-Identifier: BSD-3-Clause
"""An event that libpfm4 encodes wrongly is counted by the vendor's code, whichever
way it is asked for; where there is none, or PAPI would make the code, it is
refused by name with both codes and their source, and a metric that needs it says
so."""

import os
import re

import tap
from tap import HPM, HPMCOUNT, folder, ok, program, run

WAYS = program("tests/programs/ways")

EVENT = "TOPDOWN:BACKEND_BOUND_SLOTS"
ABSENT = "TOPDOWN:BR_MISPREDICT_SLOTS"  # of Ice Lake
REASON = (f"libpfm4 encodes '{EVENT}' wrongly, as 0x200, where the vendor has "
          "0x2a4 (Intel sapphirerapids_core.json 1.39)")


def ask(*command, where=None, **variables):
    """What it says, standard error first."""
    result = run(command, folder=where,
                 **tap.fake_pmu(**{"LIBPFM_FORCE_PMU": "spr", **variables}))
    return (result.stderr + result.stdout).decode()


def opened(*command, **variables):
    """The codes of the raw events it opens, and what it says."""
    with folder() as where:
        path = os.path.join(where, "opened")
        text = ask(*command, where=where, FAKE_OPENED=path, **variables)
        with open(path) as file:
            return {int(line.split()[1], 0) for line in file
                    if line.startswith("4 ")}, text


def test_hpmcount():
    for spelling in (EVENT, "spr::" + EVENT, EVENT.lower(), EVENT + ":u",
                     EVENT + ":uk", EVENT.replace(":", ".")):
        codes, text = opened(HPMCOUNT, "-e", spelling, "true")
        ok("not counted" not in text and 0x2a4 in codes and 0x200 not in codes,
           f"hpmcount -e {spelling} counts the vendor's code", (codes, text))
    codes, text = opened(HPMCOUNT, "true", HPM_EVENTS=EVENT)
    ok(0x2a4 in codes and 0x200 not in codes, "HPM_EVENTS does, too",
       (codes, text))
    text = ask(HPMCOUNT, "-e", EVENT + ":c=2", "true")
    ok(f"not counted: '{EVENT}:c=2': {REASON}" in text,
       "with another modifier it is refused", text)
    text = ask(HPMCOUNT, "-e", EVENT, "true", HPM_SOURCE="papi")
    ok(REASON in text, "and to PAPI, which makes the code itself", text)
    text = ask(HPMCOUNT, "-e", ABSENT + ",TOPDOWN:SLOTS_P", "true",
               LIBPFM_FORCE_PMU="icx")
    ok(f"not counted: '{ABSENT}': libpfm4 encodes" in text and
       "the vendor has no such event" in text and
       "'TOPDOWN:SLOTS_P'" not in text,
       "what the vendor has not is refused, and others are counted", text)


def test_program():
    with folder() as where:
        result = run([WAYS, "return"], folder=where, HPM_SOURCE="papi",
                     HPM_OUTPUT_NAME="x.hpm.xml",
                     **tap.fake_pmu(LIBPFM_FORCE_PMU="spr", HPM_EVENTS=EVENT))
        with open(os.path.join(where, "x.hpm.xml")) as file:
            text = file.read()
        ok(b"libpfm4 encodes" in result.stderr,
           "a program with libhpm says what is refused", result.stderr)
        ok('state="unsupported"' in text and "encodes" in text,
           "and its file has the reason and no value")
    codes, text = opened(WAYS, "return", HPM_EVENTS=EVENT)
    ok(0x2a4 in codes and 0x200 not in codes and "libpfm4" not in text,
       "without PAPI it counts the vendor's code", (codes, text))


def test_metrics():
    codes, text = opened(HPMCOUNT, "-m", "BACKEND_PCT", "true")
    ok("not measured" not in text and 0x2a4 in codes,
       "a metric that needs it is measured", text)
    text = ask(HPM, "doctor")
    # newer ones have some of the nine right
    told = re.search(r"libpfm4 encodes (\d) events of this processor wrongly, "
                     r"mended here or refused: ([^;]*);", text)
    listed = told.group(2).split(", ") if told else []
    ok(told and len(listed) == int(told.group(1)) and EVENT in listed,
       "hpm doctor lists what is wrong", text)
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write(f"arch any\nmeasure WRONG = {ABSENT}\n"
                       f"measure OTHER = {ABSENT} | TOPDOWN:SLOTS_P\n")
        text = ask(HPMCOUNT, "-m", "WRONG,OTHER", "true", HPM_DEFS=path,
                   LIBPFM_FORCE_PMU="icx")
        ok(f"'WRONG' needs '{ABSENT}'" in text and "libpfm4 encodes" in text,
           "a user's definition of what is refused gets the reason", text)
        ok("'OTHER'" not in text,
           "and one with another way is measured by that", text)


def test_model():
    path = os.path.join(tap.TOP_SOURCE, "metrics", "xeon.hpm")
    models = run([HPM, "check", "--model", path]).stdout.decode()
    ok("refused" not in models, "shipped models name nothing that is refused",
       models)
    text = run([HPM, "check", "--events", path]).stdout.decode()
    ok(f"spr {EVENT} known\n" in text and "wrong" not in text,
       "hpm check --events knows what is counted by the vendor's code", text)
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write(f"arch icx\nmeasure WRONG = {ABSENT}\n")
        text = run([HPM, "check", "--model", path]).stdout.decode()
        ok("refused    libpfm4 encodes" in text and
           "encodes 1 of them wrongly" in text,
           "hpm check --model names what is refused", text)
        text = run([HPM, "check", "--events", path]).stdout.decode()
        ok(f"icx {ABSENT} wrong\n" in text, "and --events marks it", text)


def test_user_table():
    with folder() as where:
        path = os.path.join(where, "mine.txt")
        with open(path, "w") as file:
            file.write("# mine\nspr TOPDOWN:SLOTS_P 0x1a4 0x3a4 my own trial\n"
                       "spr INST_RETIRED:ANY_P 0xc0 - nobody's\n")
        codes, text = opened(HPMCOUNT, "-e",
                             "TOPDOWN:SLOTS_P,INST_RETIRED:ANY_P", "true",
                             HPM_WRONG_CODES=path)
        ok(0x3a4 in codes and 0x1a4 not in codes and "my own trial" not in text,
           "HPM_WRONG_CODES gives right codes", (codes, text))
        ok("the vendor has no such event (nobody's)" in text,
           "and has events refused", text)
        with open(path, "w") as file:
            file.write("skx INST_RETIRED:ANY_P 0xc0 0x1c0 my own trial\n")
        text = ask(HPMCOUNT, "-e", "PAPI_TOT_INS", "true",
                   HPM_WRONG_CODES=path, LIBPFM_FORCE_PMU="skx")
        if "PAPI" in text and "my own trial" not in text:
            tap.skip("a preset made of it", "PAPI has no presets here")
        else:
            ok("PAPI derives it from 'INST_RETIRED:ANY_P'" in text and
               "my own trial" in text,
               "a preset of PAPI's that is made of it is refused, too", text)
        with open(path, "w") as file:
            file.write("spr TOPDOWN:SLOTS_P 0x1a4\n")
        for command in ((HPMCOUNT, "true"), (HPM, "doctor")):
            text = ask(*command, HPM_WRONG_CODES=path)
            ok(f"{path}:1: expected PMU EVENT WRONG RIGHT SOURCE" in text,
               "a line that is none is named", text)
        text = ask(HPMCOUNT, "true", HPM_WRONG_CODES=where)
        ok(f"{where}: cannot be read: not a file" in text,
           "and so is what is no file", text)


def is_right_by_now():
    text = ask(HPM, "doctor")
    return "libpfm4 encodes" not in text or EVENT not in text


if tap.no_preload():
    tap.skip("wrong codes", tap.no_preload())
elif is_right_by_now():
    tap.skip("wrong codes", f"this libpfm4 has the right code of {EVENT}")
elif tap.has_libpfm() and os.uname().machine == "x86_64":
    test_hpmcount()
    test_program()
    test_metrics()
    test_model()
    test_user_table()
else:
    tap.skip("wrong codes", "libpfm4 has no tables of Intel's PMUs here")
tap.done()
