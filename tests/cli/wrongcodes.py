# SPDX-License-Identifier: BSD-3-Clause
"""An event that libpfm4 encodes wrongly is refused by name, whichever way it is
asked for, with both codes and their source; a metric that needs it says so."""

import os
import re

import tap
from tap import HPM, HPMCOUNT, folder, ok, program, run

WAYS = program("tests/programs/ways")

EVENT = "TOPDOWN:BACKEND_BOUND_SLOTS"
REASON = (f"libpfm4 encodes '{EVENT}' wrongly, as 0x200, where the vendor has "
          "0x2a4 (Intel sapphirerapids_core.json 1.39)")


def ask(*command, **variables):
    """What it says, standard error first."""
    result = run(command, **tap.fake_pmu(**{"LIBPFM_FORCE_PMU": "spr",
                                            **variables}))
    return (result.stderr + result.stdout).decode()


def test_hpmcount():
    for spelling in (EVENT, "spr::" + EVENT, EVENT.lower(), EVENT + ":u",
                     EVENT + ":uk", EVENT + ":c=2", EVENT.replace(":", ".")):
        text = ask(HPMCOUNT, "-e", spelling, "true")
        ok(f"not counted: '{spelling}': {REASON}" in text,
           f"hpmcount -e {spelling} says why it is refused", text)
    text = ask(HPMCOUNT, "-e", EVENT + ",TOPDOWN:SLOTS_P", "true")
    ok("'TOPDOWN:SLOTS_P'" not in text,
       "the event beside it, with the right code, is counted", text)
    for source in ("kernel", "papi", "auto"):
        text = ask(HPMCOUNT, "-e", EVENT, "true", HPM_SOURCE=source)
        ok(REASON in text, f"HPM_SOURCE={source} does not count it", text)
    text = ask(HPMCOUNT, "true", HPM_EVENTS=EVENT)
    ok(REASON in text, "HPM_EVENTS is refused, too", text)


def test_program():
    for source in ("kernel", "papi"):
        with folder() as where:
            result = run([WAYS, "return"], folder=where, HPM_SOURCE=source,
                         HPM_OUTPUT_NAME="x.hpm.xml",
                         **tap.fake_pmu(LIBPFM_FORCE_PMU="spr",
                                        HPM_EVENTS=EVENT))
            with open(os.path.join(where, "x.hpm.xml")) as file:
                text = file.read()
            ok(b"libpfm4 encodes" in result.stderr,
               f"a program with libhpm says it ({source})", result.stderr)
            ok('state="unsupported"' in text and "encodes" in text,
               f"and its file has the reason and no value ({source})", text)


def test_metrics():
    text = ask(HPMCOUNT, "-m", "BACKEND_PCT", "true")
    ok("not measured: 'BACKEND_PCT' needs" in text and REASON in text,
       "a metric that needs it is n/a for this reason", text)
    text = ask(HPM, "explain", "BACKEND_PCT")
    ok("libpfm4 encodes" in text and "0x2a4" in " ".join(text.split()),
       "hpm explain says so", text)
    text = ask(HPM, "metrics")
    ok("BACKEND_PCT" not in text, "hpm metrics does not list it", text)
    text = ask(HPM, "doctor")
    # newer ones have some of the nine right
    told = re.search(r"libpfm4 encodes (\d) events of this processor wrongly, "
                     r"refused here: ([^;]*);", text)
    listed = told.group(2).split(", ") if told else []
    ok(told and len(listed) == int(told.group(1)) and EVENT in listed,
       "hpm doctor lists what is refused", text)
    with folder() as where:
        path = os.path.join(where, "my.hpm")
        with open(path, "w") as file:
            file.write(f"arch any\nmeasure WRONG = {EVENT}\n"
                       f"measure OTHER = {EVENT} | TOPDOWN:SLOTS_P\n")
        text = ask(HPMCOUNT, "-m", "WRONG,OTHER", "true", HPM_DEFS=path)
        ok(f"'WRONG' needs '{EVENT}'" in text and REASON in text,
           "a user's definition gets the reason", text)
        ok("'OTHER'" not in text,
           "and one with another way is measured by that", text)


def test_model():
    path = os.path.join(tap.TOP_SOURCE, "metrics", "xeon.hpm")
    models = run([HPM, "check", "--model", path]).stdout.decode()
    ok("refused    " + REASON in models,
       "hpm check --model names what is refused", models)
    text = run([HPM, "check", "--events", path]).stdout.decode()
    ok(f"spr {EVENT} wrong\n" in text and "skx INST_RETIRED:ANY_P known" in text,
       "hpm check --events marks it", text)
    said = re.search(r"\nspr\n(?:  refused .*\n)+  events     (\d+), libpfm4 "
                     r"knows (\d+) and encodes (\d+) of them wrongly\n",
                     models)
    answers = re.findall(r"^spr \S+ (\w+)$", text, re.M)
    n_wrong = answers.count("wrong")
    ok(said and [int(n) for n in said.groups()] ==
       [len(answers), answers.count("known") + n_wrong, n_wrong],
       "and --model says how many there are, are known, and wrong", models)


def test_user_table():
    with folder() as where:
        path = os.path.join(where, "mine.txt")
        with open(path, "w") as file:
            file.write("# mine\nspr TOPDOWN:SLOTS_P 0x1a4 0x2a4 my own trial\n")
        text = ask(HPMCOUNT, "-e", "TOPDOWN:SLOTS_P", "true",
                   HPM_WRONG_CODES=path)
        ok("as 0x1a4, where the vendor has 0x2a4 (my own trial)" in text,
           "HPM_WRONG_CODES adds to the table", text)
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
    path = os.path.join(tap.TOP_SOURCE, "metrics", "xeon.hpm")
    text = run([HPM, "check", "--events", path]).stdout.decode()
    return f"spr {EVENT} known\n" in text


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
