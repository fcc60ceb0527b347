# SPDX-License-Identifier: BSD-3-Clause
"""hpmcount and hpm in another language: whole screens, and nothing for programs."""
import json
import os
import random
import re
import subprocess
from shutil import which

import reports
import tap
from columnfiles import performance_file
from tap import TOP_BUILD, TOP_SOURCE, equal, ok, run

HPMCOUNT = os.path.join(TOP_BUILD, "hpmcount", "hpmcount")
HPM = os.path.join(TOP_BUILD, "hpm", "hpm")
HPMVIZ = os.path.join(TOP_BUILD, "hpmviz", "hpmviz")
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


# ---- hpm -------------------------------------------------------------------

def hpm(*arguments, **environment):
    result = run([HPM, *arguments], **environment)
    return result.stderr.decode() + result.stdout.decode()


def subcommands():
    text = hpm("help", LC_ALL="C")
    return re.findall(r"^  ([a-z-]+) ", text, re.M)


def lines_too_long(text):
    return [line for line in text.splitlines() if len(line) > 80]


def test_hpm_helps(german):
    text = hpm("help", **german)
    equal(english(text) + lines_too_long(text), [],
          "hpm help says nothing in English, in lines of 80 characters")
    seen = ""
    for name in subcommands():
        if name == "help":
            continue
        text = hpm("help", name, **german)
        equal(english(text) + lines_too_long(text), [],
              f"nor does hpm help {name}")
        ok("Aufruf: hpm " + name in text and "Exit-Status: 0" in text,
           f"hpm help {name} speaks German", text)
        seen += " " + " ".join(hpm("help", name, LC_ALL="C").split())
    if "report" not in subcommands():
        tap.skip("po/helps.c has what helps have", "hpm reads no files here")
        return
    with open(os.path.join(TOP_SOURCE, "po", "helps.c"),
              encoding="utf-8") as file:
        texts = re.findall(r'N_\(((?:\s*"(?:[^"\\]|\\.)*")+)\)', file.read())
    texts = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))
             .replace('\\"', '"') for text in texts]
    equal([text for text in texts if " ".join(text.split()) not in seen], [],
          "each text of po/helps.c is in a help")


def test_hpm_messages(german):
    for arguments in ([], ["reprot"], ["help", "nosuch"], ["check"],
                      ["check", "/nowhere.hpm"], ["doctor", "-e"],
                      ["doctor", "--roofs", "--verify"], ["explain"],
                      ["explain", "NOSUCHTHING"], ["plan", "--foo"],
                      ["plan", "-m", "NOSUCH"], ["metrics", "--arch", "nosuch"],
                      ["import-definitions"],
                      ["import-definitions", "/nowhere"]):
        text = hpm(*arguments, **german)
        ok(text.startswith("hpm") and not english(text),
           "hpm: a German message about " + " ".join(arguments), text)


def test_hpm_file_messages(german):
    for arguments in (["report"], ["report", "/nowhere"], ["report", "--by", "x"],
                      ["report", "--each", "y"], ["report", "--sort", "x", "--by",
                                                  "symbol", "y"],
                      ["merge", "x"], ["mean"], ["diff", "-o", "x", "a"],
                      ["compare"], ["compare", "--", "true"],
                      ["compare", "--until", "0", "--", "true", "--", "true"],
                      ["compare", "--fail-if", "TIME", "--", "true", "--", "true"],
                      ["compare", "-r", "1", "--fail-if", "NOTHING > +1 %", "--",
                       "true", "--", "true"],
                      ["campaign"], ["audit", "true"], ["cut", "-o", "x", "y"],
                      ["calls", "/nowhere"], ["cluster", "--table", "x", "y"],
                      ["factors", "--threshold", "7", "y"],
                      ["points", "--raw", "--metrics", "x", "y"],
                      ["recover", "--delete"], ["recover", "/nowhere"]):
        text = hpm(*arguments, **german)
        ok(text.startswith("hpm") and not english(text),
           "hpm: a German message about " + " ".join(arguments), text)


def made_files(where, german):
    """Two runs, their mean and their difference."""
    files = []
    for name in ("a", "b"):
        files.append(os.path.join(where, name + ".hpm.xml"))
        hpmcount("-o", files[-1], "-e", "page-faults,task-clock", "sleep", "0.3",
                 **german)
    mean, diff = (os.path.join(where, name + ".hpm.xml")
                  for name in ("mean", "diff"))
    texts = [hpm("mean", "-o", mean, *files, **german),
             hpm("diff", "-o", diff, *files, **german)]
    for text in texts:
        ok(" Zähler" in text and not english(text),
           "what is in a result is said in German", text)
    return files[0], files[1], mean, diff


def test_hpm_screens(german):
    with tap.folder() as where:
        a, b, mean, diff = made_files(where, german)
        for options in ([a], [mean], [diff], ["--by", "metric", a],
                        ["--by", "task", a], ["--by", "thread", mean],
                        ["--by", "tree", a], ["--by", "file", a],
                        ["--filter", "no*", a]):
            text = hpm("report", *options, **german)
            equal(english(text) + re.findall(" section '.*", text), [],
                  "hpm report says nothing in English: " +
                  " ".join(map(os.path.basename, options)))
        if os.path.exists(HPMVIZ):
            result = run([HPMVIZ, "--print", a], **german)
            ok(b"keine Urteile" in result.stdout and
               not english(result.stdout.decode()),
               "hpmviz --print, with its hints, says the same", result)
        else:
            tap.skip("so does hpmviz --print", "there is no hpmviz")
        for form in ("csv", "json", "html"):
            equal(hpm("report", "--format", form, a, **german),
                  hpm("report", "--format", form, a, LC_ALL="C"),
                  f"{form} is the same as in English")
        for name in ("outliers", "cluster", "components", "factors", "points",
                     "calls"):
            equal(english("\n".join(
                line for line in hpm(name, a, **german).splitlines()
                if line.startswith("hpm"))), [],
                f"hpm {name} has a German message about too little")
        text = hpm("compare", a, "--", b, **german)
        equal(english(text), [], "hpm compare of files is in German")
        cut = os.path.join(where, "cut.hpm.xml")
        with open(a, encoding="utf-8") as whole, \
                open(cut, "w", encoding="utf-8") as part:
            part.write(whole.read().partition("<End")[0])
        text = hpm("report", cut, **german).splitlines()[0]
        ok("behaltene" in text and not english(text),
           "a file that was cut off is told so", text)
        text = hpm("recover", cut, **german)
        ok("ganzer Datensatz, aus" in text and not english(text),
           "and what hpm recover has made of it", text)
        for name in os.listdir(where):
            if name.startswith("cut."):
                os.unlink(os.path.join(where, name))
        text = hpm("recover", where, **german)
        ok("nichts wiederherzustellen" in text, "so is hpm recover", text)
    text = hpm("compare", "-r", "6", "--seed", "1", "--fail-if",
               "TIME > +900 %", "--", "true", "--", "sleep", "0.02", **german)
    ok("95-%-Intervall" in text and not english(text),
       "hpm compare is in German", text)
    text = hpm("compare", "-r", "2", "--sweep", "N=1,2", "--", "true", **german)
    equal(english(text), [], "so is its table of a parameter")


def test_hpm_samples(german):
    """Reports of samples and their callers, and why there is none."""
    chains = [reports.sampled(more=' unit="ns" chains="fp"'),
              reports.sampled(period=997000)]
    parts = [reports.samples([(1, 40, "2:7 1:9"), (2, 20, "")]),
             reports.samples([(1, 3, "")]) +
             reports.samples([(2, 4, "1:3")], period=997000)]
    without = [reports.samples([(1, 40, "")])]
    paths = ["/nowhere/a", "/nowhere/b"]
    with tap.folder() as where:
        def made(name, events, sections):
            return reports.sampled_file(where, name, events, paths, sections)
        path = made("calls.xml", chains, parts)
        for by, words in (("call", ("gerufen von", "mit Aufrufen", "Aufrufer sind")),
                          ("symbol", ("Abschnitt eines Threads", "Funktion")),
                          ("module", ("Modul", "Intervall %"))):
            text = hpm("report", "--by", by, path, **german)
            ok(not english(text) and all(word in text for word in words),
               f"hpm report --by {by} is in German", text)
            ok(by == "module" or "(ohne Namen)" in text, "so is what has no name",
               text)
            for form in ("csv", "json"):
                equal(hpm("report", "--by", by, "--format", form, path, **german),
                      hpm("report", "--by", by, "--format", form, path, LC_ALL="C"),
                      f"{form} is the same as in English")
        equal(hpm("report", "--by", "stack", path, **german),
              hpm("report", "--by", "stack", path, LC_ALL="C"), "so are stacks")
        text = hpm("diff", "--by", "symbol", path, path, **german)
        ok(not english(text) and "das ist" in text, "hpm diff of samples is, too", text)
        for name, events, sections, words in (
                ("none.xml", [], [""], "diese Dateien haben keine"),
                ("no.xml", chains[:1], [""], "aber keine Stichprobe kam"),
                ("nofp.xml", chains[:1], without, "keine Frame-Pointer"),
                ("plain.xml", chains[1:], [reports.samples([(1, 2, "")],
                                                           period=997000)],
                 "haben keine Aufrufer")):
            text = hpm("report", "--by", "call", made(name, events, sections), **german)
            ok(text.startswith("hpm report: ") and words in text and
               not english(text), f"a German message: {words}", text)


def test_hpm_machine(german):
    text = hpm("metrics", **german)
    equal(english(text), [], "hpm metrics is in German")
    text = hpm("doctor", **german)
    equal(re.findall(r"\b(usable|cause|remedy|fault|note)\b", text), [],
          "hpm doctor is in German")
    equal(hpm("metrics", "--json", **german), hpm("metrics", "--json", LC_ALL="C"),
          "JSON of hpm metrics is the same as in English")
    text = hpm("plan", "-e", "page-faults,task-clock", **german)
    ok(english(text) == [], "hpm plan is in German", text)
    text = hpm("explain", "UTILISATION", "time::wall", **german)
    ok("Wo sie schlecht ist" in text and "Wie Werte in Berichten" in text,
       "hpm explain is in German", text)
    for arch in ([], ["--arch", "skx"], ["--arch", "nhm"], ["--arch", "power9"],
                 ["--arch", "gnr"], ["--arch", "lnl"]):
        names = [row["metric"] for row in json.loads(hpm("metrics", "--json", *arch))[
            "metrics"]]
        text = hpm("explain", *arch, *names, **german).replace("'! 3 of 8'", "")
        equal(english(text), [], " ".join(["explain", *arch]) +
              f": {len(names)} metrics with all that definitions say")
    with tap.folder() as where:
        file = os.path.join(where, "x.hpm")
        with open(file, "w", encoding="utf-8") as definitions:
            definitions.write("measure MINE = sw::task-clock\n")
        text = hpm("check", file, **german)
        ok("kein Fehler" in text and not english(text), "hpm check is", text)
        with open(file, "a", encoding="utf-8") as definitions:
            definitions.write("compute MINE2 = NOSUCHTHING / 2\n")
        text = hpm("check", file, **german)
        equal(english(text), [], "and of what is wrong")


def test_hpm_kinds(german):
    """The sentence about kinds is put together of many parts."""
    names = [f"C{j}" for j in range(6)]
    for count, others, words, *absent in (
            (lambda i: i % 8 == 2, None, "7 (Thread 2 in 7 von 8 Tasks)", 18),
            (lambda i: i % 8 > 0, None,
             "54 (Threads 1 bis 7 jeder Task, davon fehlend: 2)", 23, 31),
            (lambda i: i % 8 == 0, None,
             "Zwei Arten von Threads in Abschnitt 'solve' (sweep.f:10): "
             "8 (Thread 0 jeder Task) und 56 (Threads 1 bis 7 jeder Task); sie "
             "unterscheiden sich am meisten in C"),
            (lambda i: i < 16, None, "16 (Tasks 0 bis 1) und 48 (Tasks 2 bis 7)"),
            (lambda i: i < 16, lambda i: i >= 56, "16 (Tasks 0 bis 1), 40 "
             "(Tasks 2 bis 6) und 8 (Rechner node7); sie unterscheiden sich")):
        chance = random.Random(1)
        rows = [[1e6 + 1e4 * chance.gauss(0, 1) +
                 (6e4 * (j + 1) / 3 if count(i) else 0) -
                 (6e4 * (j + 1) / 3 if others and others(i) else 0)
                 for j in range(6)] for i in range(64)]
        with tap.folder() as where:
            performance_file(os.path.join(where, "x.hpm.xml"), names, rows, 8,
                             absent=absent)
            text = " ".join(hpm("report", where, **german).split())
        ok(words in text and " kinds of " not in text,
           "kinds are said in German", text[-400:])


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
        test_hpm_helps(german)
        test_hpm_messages(german)
        test_hpm_machine(german)
        if "report" in subcommands():
            test_hpm_file_messages(german)
            test_hpm_screens(german)
            test_hpm_samples(german)
            test_hpm_kinds(german)


main()
tap.done()
