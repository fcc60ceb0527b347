# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount in another language: whole screens, and nothing for programs."""
import json
import os
import re
import subprocess
from shutil import which

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, ok, run

HPMCOUNT = os.path.join(TOP_BUILD, "hpmcount", "hpmcount")
ENGLISH = re.compile(r"\b(the|of|and|is|were|not|with|which|it|to)\b")
GERMAN = re.compile("[äöüß]|nicht|auf|Zeit")
# Names of commands and options that stand in German sentences.
COMMANDS = re.compile(r"'[^']*'|\([^)]*\)")


def install(where):
    """The folder of catalogues, as an installation has it."""
    folder = os.path.join(where, "de", "LC_MESSAGES")
    os.makedirs(folder)
    subprocess.run(["msgfmt", "-o", os.path.join(folder, "hpm-toolkit.mo"),
                    os.path.join(TOP_SOURCE, "po", "de.po")], check=True)
    return where


def hpmcount(*arguments, **environment):
    result = run([HPMCOUNT, *arguments], **environment)
    return result.stderr.decode() + result.stdout.decode()


def english(text):
    return [line for line in COMMANDS.sub("", text).splitlines()
            if ENGLISH.search(line)]


def test_screens(german):
    for options in ([], ["-v"], ["-m", "CPU_TIME,PEAK_MEMORY"], ["-r", "3"],
                    ["-I", "50"], ["--delay", "20"], ["-s", "IO"],
                    ["-e", "page-faults,cycles,nosuch"]):
        text = hpmcount(*options, "sleep", "0.2", **german)
        name = " ".join(["hpmcount", *options, "sleep"])
        equal(english(text), [], name + " says nothing in English")
        ok("Laufzeit" in text, name + " speaks German", text)
    text = hpmcount("sleep", "0.2", **german)
    equal([line for line in text.splitlines() if len(line) > 80], [],
          "no line of the first screen is longer than 80 characters")
    starts = {re.match(r"  (\S.*?)?  +", line).end()
              for line in text.splitlines() if line.startswith("  ")}
    equal(starts, {19}, "its texts stand below one another")
    text = hpmcount("--help", **german)
    equal([line for line in text.splitlines() if len(line) > 80], [],
          "no line of --help is longer than 80 characters")
    equal(english(text), [], "--help says nothing in English")


def test_messages(german):
    for arguments in (["--foo"], ["-e"], ["-p", "999999"], ["-r", "0", "true"],
                      ["-m", "NOSUCH", "true"], ["--sample", "cycles", "true"],
                      ["-e", "x", "-s", "y", "true"], [], ["./missing"],
                      ["-C", "4000"], ["--format", "pdf", "true"],
                      ["-s", "NOSUCH", "true"], ["--append", "true"],
                      ["-o", "/no/folder/x", "true"], ["/tmp"],
                      ["-A", "--per-thread"], ["mpirun", "-n", "2", "true"],
                      ["-t", "999999"], ["-a", "true"], ["--per", "true"]):
        text = hpmcount(*arguments, **german)
        ok(text.startswith("hpmcount: ") and not english(text),
           "a German message about " + " ".join(arguments), text)


def test_notes(german):
    """Sentences that the library puts together, before a report."""
    for options, environment in ((["-m", "ROOF_PCT"], {}),
                                 ([], {"HPM_NONESUCH": "1"}),
                                 ([], {"HPM_FSYNC": "perhaps"}),
                                 (["-e", "page-faults/x=1/"], {}),
                                 (["-e", "no-such:tracepoint"], {})):
        text = hpmcount("-n", *options, "true", **german, **environment)
        ok(text.startswith("hpmcount: ") and not english(text),
           f"a German note on {options} {environment}", text)


def of_yes(german):
    """Rows of a thread whose name is a word of the catalogue."""
    with subprocess.Popen(["yes"], stdout=subprocess.DEVNULL) as answer:
        text = hpmcount("-I", "50", "--timeout", "130", "--per-thread", "-e",
                        "page-faults", "-p", str(answer.pid), **german)
        answer.kill()
    return text, answer.pid


def test_names(german):
    """What -e and -m know, and what programs are called, is no word."""
    text = hpmcount("-r", "3", "-e", "cycles,instructions", "true", **german)
    equal(re.findall(r"^  (cycles|instructions|Zyklen|Instruktionen) ", text,
                     re.M), ["cycles", "instructions"],
          "rows of several runs have the names of counters")
    ok("Laufzeit " in text, "and words for what the program used", text)
    text = hpmcount("-I", "50", "-e", "page-faults", "sleep", "0.1", **german)
    ok(" alle " in text, "intervals of all are a word", text)
    text, pid = of_yes(german)
    if f" {pid} " not in text:
        tap.skip("those of a thread have its name", "nothing is counted here")
    else:
        ok(f" {pid} yes " in text and " ja " not in text,
           "those of a thread have its name", text)
    with tap.folder() as where:
        file = os.path.join(where, "x.hpm")
        with open(file, "w", encoding="utf-8") as definitions:
            definitions.write("set MINE = cycles\n")
        text = hpmcount("-l", **german, HPM_DEFS=file)
    ok(re.search(r"^MINE +(ja|nein) +cycles$", text, re.M),
       "members of a set have their names", text)


def test_system(german):
    """What the C library says has all its letters."""
    with open("/dev/full", "wb") as full:
        text = tap.run_to(full, [HPMCOUNT, "--version"], **german).stderr
    if b"No space" in text:
        tap.skip("umlauts of the C library", "it speaks no German here")
    else:
        ok("verfügbar" in text.decode() and b"?" not in text,
           "the C library's texts have their umlauts", text)


def test_programs(german):
    """What programs read is the same in all languages."""
    command = ["-e", "page-faults,nosuch", "sleep", "0.2"]
    texts, hints = [], []
    for environment in ({"LC_ALL": "C"}, german):
        report = json.loads(hpmcount("--format", "json", *command,
                                     **environment))
        texts.append(report.get("messages"))
        hints.append({hint["hint"]: (hint["why"], hint["try"])
                      for hint in report["hints"]})
    equal(texts[1], texts[0], "JSON has English texts")
    # which problems and hints there are is the run's own: a busy machine has more
    equal(GERMAN.findall(str(report.get("problems"))), [], "and so are problems")
    both = hints[0].keys() & hints[1].keys()
    ok(all(hints[0][name] == hints[1][name] for name in both) and
       GERMAN.findall(str(hints)) == [], "so have its hints", hints)
    csv = hpmcount("--format", "csv", "-v", *command, **german)
    equal(GERMAN.findall(csv), [], "so has CSV")
    with tap.folder() as where:
        file = os.path.join(where, "x.hpm.xml")
        hpmcount("-o", file, *command, **german)
        with open(file, encoding="utf-8") as text:
            equal(GERMAN.findall(text.read()), [], "so has a file")


def test_languages(german):
    """As gettext reads the variables."""
    for change, is_german in (({}, True), ({"LANGUAGE": "en"}, False),
                              ({"LANGUAGE": "en_GB:de"}, False),
                              ({"LANGUAGE": "de_AT:en"}, True),
                              ({"LANGUAGE": ""}, False),
                              ({"LC_ALL": "C"}, False),
                              ({"LC_ALL": "POSIX"}, False),
                              ({"LC_ALL": "", "LANG": "C.UTF-8"}, True),
                              ({"TEXTDOMAINDIR": "/nonexistent"}, False)):
        text = hpmcount("true", **{**german, **change})
        equal("Laufzeit" in text, is_german, f"{change}: German is {is_german}")


def main():
    if which("msgfmt") is None:
        tap.skip("hpmcount speaks German", "gettext is missing")
        return
    with tap.folder() as where:
        german = {"TEXTDOMAINDIR": install(where), "LC_ALL": "C.UTF-8",
                  "LANGUAGE": "de"}
        if "Laufzeit" not in hpmcount("true", **german):
            tap.skip("hpmcount speaks German", "there is no locale C.UTF-8")
            return
        test_screens(german)
        test_messages(german)
        test_notes(german)
        test_names(german)
        test_system(german)
        test_programs(german)
        test_languages(german)


main()
tap.done()
