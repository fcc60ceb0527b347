#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Do the manual pages and the tree agree: subcommands, options, variables,
messages, elements of the file, references, sizes?  Each question is asked once
more of pages with a fault planted in them.  (Options of hpmcount:
tests/cli/options.py; of hpmviz: tests/viz/documents.py.)"""

import glob
import os
import re
import shutil
import sys
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import HPM, TOP_SOURCE, equal, ok, run

MAN = os.path.join(TOP_SOURCE, "doc", "man")
MOST_LINES = {"hpm.7": 400, "hpm.1": 300,
              "hpmcount.1": 1170,  # programs it starts, and what runs already
              "hpm-file.5": 725,  # all elements, those of samples and single calls too
              "hpm-metrics.5": 740}  # a language, which a test works out from it
MOST_LINES_OF_OTHERS = 650

# Words of the authors for which the field has one, and passives without an actor.
PRIVATE_WORDS = re.compile(
    r"\b(doors?|forests?|beds?|ledgers?|fences?|kinship|atoms?|charges?|charged|"
    r"put aside|puts aside|revived?|revives|habits?|lastwords?|glances?|voices?|"
    r"wish(es)?|(is|are|was) (said|told))\b")


def read(*path):
    with open(os.path.join(TOP_SOURCE, *path), encoding="utf-8") as file:
        return file.read()


def c_files(*folders):
    for folder in folders:
        yield from glob.glob(os.path.join(TOP_SOURCE, folder, "**", "*.c"),
                             recursive=True)


def all_pages():
    """{file name: text}, without those that stand for another"""
    pages = {}
    for path in glob.glob(os.path.join(MAN, "*.[1-9]")):
        text = read("doc", "man", os.path.basename(path))
        if not text.startswith(".so "):
            pages[os.path.basename(path)] = text
    return pages


def section(text, name):
    """What stands below this heading."""
    found = re.search(rf'^\.SH "?{name}"?\n(.*?)(?=^\.SH|\Z)', text,
                      re.M | re.S) or re.search(
        rf'^\.SS "?{name}"?\n(.*?)(?=^\.S[HS]|\Z)', text, re.M | re.S)
    return found.group(1) if found else ""


def plain(text):
    """Without escapes of troff for signs and fonts."""
    for escape, sign in ((r"\-", "-"), (r"\(aq", "'"), (r"\(dq", '"'),
                         (r"\~", " "), (r"\e", "\\"), (r"\ ", " ")):
        text = text.replace(escape, sign)
    return re.sub(r"\\f[A-Z]|\\&", "", text)


# ---- subcommands and their options ----------------------------------------

def subcommands():
    """{name: its source}"""
    found = {}
    for path in c_files("hpm"):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for name in re.findall(r'^    \.name = "(.*)",$', text, re.M):
            found[name] = text
    return found


def helps():
    """{name: what `hpm help NAME` prints}, of those in this build"""
    text = run([HPM, "help"]).stdout.decode()
    listed = text[text.index("Subcommands:"):]
    return {name: run([HPM, "help", name]).stdout.decode()
            for name in re.findall(r"^  ([a-z]+) ", listed, re.M)}


def options_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def faults_of_subcommands(pages, names, help_texts):
    faults = []
    for name in names:
        page = pages.get(f"hpm-{name}.1")
        if page is None:
            faults.append(f"hpm-{name}.1 is missing")
            continue
        if f".BR hpm\\-{name} (1)\n" not in section(pages["hpm.1"],
                                                   "SUBCOMMANDS"):
            faults.append(f"hpm(1) does not list {name}")
        if name not in help_texts or name == "help":
            continue
        here = options_in(plain(section(page, "OPTIONS")))
        there = options_in(re.sub(r"with --overhead|with --clean", "",
                                  help_texts[name]))
        faults += [f"hpm-{name}(1) lacks {o}" for o in there - here]
        faults += [f"hpm-{name}(1) has {o}" for o in here - there]
        faults += [f"SYNOPSIS of hpm-{name}(1) lacks {o}" for o in
                   here - {"--output", "--events", "--dry-run"} -
                   options_in(plain(section(page, "SYNOPSIS")))]
    faults += [f"{page} describes no subcommand" for page in pages
               if re.fullmatch(r"hpm-[a-z]+\.1", page) and
               page[4:-2] not in names]
    return faults


def test_subcommands(pages):
    sources, help_texts = subcommands(), helps()
    names = {*sources, "help"}
    equal(set(help_texts) - names, set(), "hpm help lists only subcommands")
    lost = []
    for name, text in help_texts.items():
        table = re.findall(r'\{"([a-z-]+)", [a-z]+_argument',
                           sources.get(name, ""))
        lost += [f"{name} --{o}" for o in table if f"--{o}" not in text]
    equal(lost, [], "the help of a subcommand has each option")
    equal(faults_of_subcommands(pages, names, help_texts), [],
          "each subcommand has a page, with its options and no other")
    page = pages["hpm-doctor.1"]
    for what, bad in (
            ("an option the page lacks", page.replace("\\-\\-json", "json")),
            ("an option of the page that there is not",
             page.replace(".SH OPTIONS\n", ".SH OPTIONS\n.B \\-\\-jsom\n"))):
        ok(faults_of_subcommands({**pages, "hpm-doctor.1": bad}, names,
                                 help_texts), f"{what} is noticed")
    ok(faults_of_subcommands(pages, {*names, "newer"}, help_texts),
       "a subcommand without a page is noticed")


# ---- variables -------------------------------------------------------------

def variables_of_tree():
    """Those the programs read, and those of IBM they know."""
    text = read("lib", "base", "env.c")
    found = set(re.findall(r'\{"(HPM_[A-Z0-9_]+)"', text))
    for path in c_files("lib", "study", "hpm", "hpmcount", "hpmviz", "mpi"):
        with open(path, encoding="utf-8") as file:
            found |= set(re.findall(r'getenv\("(\w+)"\)', file.read()))
    launcher = read("lib", "base", "launcher.c")
    found |= set(re.findall(r'"([A-Z]+_[A-Z_]+)"', launcher))
    container = read("lib", "source", "confinement.c")
    return found | set(re.findall(r'"(\w+)"\},', container))


def entries(page):
    """The words of its tags."""
    found = []
    for tag in re.findall(r"^\.T[PQ]\n(\..*)", page, re.M):
        found += re.findall(r"\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b[A-Z]{4,}\b|"
                            r"\bcontainer\b", plain(tag))
    return found


def faults_of_variables(page, tree):
    there = entries(page)
    # GTK reads these itself
    foreign = {"DISPLAY", "WAYLAND_DISPLAY", "XDG_DATA_HOME"}
    return ([f"{name} is missing" for name in tree - set(there)] +
            [f"{name} is read nowhere" for name in
             set(there) - tree - foreign] +
            [f"{name} has two entries" for name in set(there)
             if there.count(name) > 1])


def test_variables(pages):
    page, tree = pages["hpm-environment.7"], variables_of_tree()
    ok(len([n for n in tree if n.startswith("HPM_")]) > 40,
       "the tree has variables", tree)
    equal(faults_of_variables(page, tree), [],
          "hpm-environment(7) has every variable, once, and no other")
    ok(faults_of_variables(page.replace(".B HPM_SKIP\n", ".B HPM_SKIPP\n"),
                           tree), "a misspelled variable is noticed")
    ok(faults_of_variables(page, {*tree, "HPM_NEW"}),
       "a variable without an entry is noticed")


# ---- messages --------------------------------------------------------------

def literals():
    """All strings of the sources, those that stand together as one."""
    found = []
    for path in c_files("lib", "study", "hpm", "hpmcount", "hpmviz", "mpi"):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)
        for group in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*(?:PRI\w+\s*)?)+',
                                text):
            parts = re.findall(r'"((?:[^"\\\n]|\\.)*)"', group)
            found.append("".join(parts).replace('\\"', '"').replace("%%", "%"))
    return found


def messages(page):
    """The tags of those sections that have messages, each as the list of its
    pieces: what is in italics stands for anything."""
    for name in re.findall(r'^\.SH "?(.*(?:MESSAGES|PROBLEMS).*?)"?$', page,
                           re.M):
        for macro, rest in re.findall(r"^\.T[PQ]\n\.(\w+) (.*)",
                                      section(page, name), re.M):
            words = [a or b for a, b in
                     re.findall(r'"([^"]*)"|([^\s"]+)', rest)]
            if macro == "B":
                words, macro = [" ".join(words)], "BI"
            yield [plain(word) for i, word in enumerate(words)
                   if macro[i % 2] == "B"]


def faults_of_messages(page, strings):
    """A message may be put together from several strings: each piece of some
    words is in one of them."""
    everything = "\0".join(strings)
    return [piece for pieces in messages(page) for piece in pieces
            if re.search(r"\w\w\w", piece) and
            piece.strip(" '\";:") not in everything]


def test_messages(pages):
    page, strings = pages["hpm-messages.7"], literals()
    ok(len(list(messages(page))) > 50, "hpm-messages(7) has messages",
       list(messages(page)))
    equal(faults_of_messages(page, strings), [], "which the sources have, too")
    ok(faults_of_messages(page.replace("the stop is ignored", "it is ignored"),
                          strings), "a changed message is noticed")
    table = re.search(r" sentences\[\] = \{(.*?)\n\};",
                      read("lib", "record", "problems.c"), re.S).group(1)
    texts = ["".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', entry)).replace(
        '\\"', '"') for entry in re.split(r"\[HPM_PROBLEM_\w+\] =", table)[1:]]
    there = plain(page)
    equal([text for text in texts if text not in there], [],
          "and each problem of a section is in it")
    ok(len(texts) > 12, "of which there are some", texts)


# ---- the file --------------------------------------------------------------

def faults_of_file(page, words):
    text = plain(page)
    return [word for word in words
            if not re.search(rf"(?<![\w]){re.escape(word)}(?!\w)", text)]


def test_file(pages):
    kinds = {"element": [], "attribute": [], "enumeration": []}
    for node in ET.parse(os.path.join(TOP_SOURCE, "xsd", "hpm.xsd")).iter():
        kind = node.tag.rpartition("}")[2]
        word = node.get("name") or node.get("value")
        if kind in kinds and word:
            kinds[kind].append(word)
    page = section(pages["hpm-file.5"], "ELEMENTS") + section(
        pages["hpm-file.5"], "VALUES AND STATES")
    for kind, words in kinds.items():
        equal(faults_of_file(page, sorted(set(words))), [],
              f"hpm-file(5) has each {kind} of the schema")
    ok(faults_of_file(page, ["newer"]), "one that is missing is noticed")


# ---- references ------------------------------------------------------------

def references(text):
    """Pages a text names, with the section that is named behind them."""
    text = text.replace("\\-", "-")
    for name, number, heading in re.findall(
            r"^\.[BR]{2} (?:\( )?([\w.-]+) \((\d)\)+[,.);:]*\n?"
            r"((?<=,\n)[A-Z][A-Z ]+(?=[,.);:]))?", text, re.M):
        yield f"{name}.{number}", heading


def faults_of_references(pages, everything):
    faults = []
    for page, text in pages.items():
        for name, heading in references(text):
            is_ours = re.match(r"(f_)?(lib)?hpm", name)
            if is_ours and name not in everything:
                faults.append(f"{page}: {name} is no page")
            elif is_ours and heading and not section(pages[name], heading):
                faults.append(f"{page}: {name} has no section {heading}")
        below = list(references(section(text, "SEE ALSO")))
        names = [name for name, _ in below]
        if not names:
            faults.append(f"{page}: SEE ALSO names no page")
        if page in names or len(set(names)) < len(names):
            faults.append(f"{page}: SEE ALSO names itself or one page twice")
        if [n[-1] for n in names] != sorted(n[-1] for n in names):
            faults.append(f"{page}: SEE ALSO is not in the order of sections")
    return faults


def test_references(pages):
    everything = {os.path.basename(p) for p in
                  glob.glob(os.path.join(MAN, "*.[1-9]"))}
    equal(faults_of_references(pages, everything), [],
          "pages refer to pages and sections that exist")
    page = pages["hpm-merge.1"]
    for what, bad in (("a page", page.replace("hpm\\-mean", "hpm\\-maen")),
                      ("an order", page.replace(
                          '"SEE ALSO"\n', '"SEE ALSO"\n.BR proc (5),\n'))):
        ok(faults_of_references({**pages, "hpm-merge.1": bad}, everything),
           f"{what} that is wrong is noticed")
    page = pages["hpmTstart.3"].replace("SIGNAL HANDLERS.", "HANDLERS.")
    ok(faults_of_references({**pages, "hpmTstart.3": page}, everything),
       "so is a section that is missing")
    wrong = []
    for path in [*c_files("lib", "study", "hpm", "hpmcount", "hpmviz", "mpi"),
                 *glob.glob(os.path.join(TOP_SOURCE, "doc", "**", "*.md"),
                            recursive=True),
                 *glob.glob(os.path.join(TOP_SOURCE, "include", "*.h*"))]:
        with open(path, encoding="utf-8") as file:
            wrong += [f"{os.path.relpath(path, TOP_SOURCE)}: {name}({number})"
                      for name, number in re.findall(
                          r"\b(hpm(?:-\w+|count|viz)?)\((\d)\)", file.read())
                      if f"{name}.{number}" not in everything]
    equal(wrong, [], "so do sources and documents")


# ---- form ------------------------------------------------------------------

def faults_of_form(pages, local_mk):
    faults = []
    for page, text in pages.items():
        name, number = page.rsplit(".", 1)
        title = re.search(r"^\.TH (\S+) (\d) ", text, re.M)
        if title is None or (title.group(1).replace("\\-", "-"),
                             title.group(2)) != (name, number):
            faults.append(f"{page}: .TH has another name")
        if name not in plain(section(text, "NAME").split("\n")[0]):
            faults.append(f"{page}: NAME has another name")
        if f"doc/man/{page} " not in local_mk.replace("\n", " "):
            faults.append(f"{page}: is not installed")
        lines = text.count("\n")
        if lines > MOST_LINES.get(page, MOST_LINES_OF_OTHERS):
            faults.append(f"{page}: has {lines} lines")
        found = PRIVATE_WORDS.search(text)
        if found:
            faults.append(f"{page}: has the word '{found.group()}'")
    return faults


def test_form(pages):
    local_mk = read("doc", "local.mk") + read("hpm", "local.mk")
    equal(faults_of_form(pages, local_mk), [],
          "pages are installed, of the size they may have, and in plain words")
    for what, bad in (("a title", pages["hpm.7"].replace(".TH hpm 7",
                                                        ".TH hpm 1")),
                      ("a length", pages["hpm.7"] + ".PP\n" * 400),
                      ("a word", pages["hpm.7"].replace("call tree", "forest"))):
        ok(faults_of_form({"hpm.7": bad}, local_mk),
           f"{what} that is wrong is noticed")
    ok(faults_of_form({"new.7": pages["hpm.7"]}, local_mk),
       "a page that is not installed is noticed")


def warnings(path):
    result = run(["groff", "-t", "-man", "-Tutf8", "-ww", "-z", path],
                 folder=MAN)
    return result.stderr.decode()


def test_messages_form():
    texts = {"messages": "\n".join(literals())}
    for name, pattern in (("windows", "hpmviz/**/*.ui"),
                          ("metrics", "metrics/*.hpm"),
                          ("documents", "doc/**/*.md")):
        texts[name] = "\n".join(
            read(os.path.relpath(path, TOP_SOURCE)) for path in
            glob.glob(os.path.join(TOP_SOURCE, pattern), recursive=True))
    for name, text in texts.items():
        ok(len(text) > 10000, f"there are {name}")
        text = re.sub(r"`[^`\n]*`", "", text)
        equal([found.group() for found in PRIVATE_WORDS.finditer(text)], [],
              f"{name} are in plain words, too")


def test_troff(pages):
    if not shutil.which("groff"):
        tap.skip("groff formats the pages", "groff is missing")
        return
    said = {page: text for page in pages
            for text in [warnings(os.path.join(MAN, page))] if text}
    equal(said, {}, "groff has nothing to complain of")
    with tap.folder() as folder:
        path = os.path.join(folder, "bad.7")
        with open(path, "w", encoding="utf-8") as file:
            file.write(pages["hpm.7"] + ".nosuchmacro\n")
        ok(warnings(path), "and notices a macro that is none")


pages = all_pages()
test_subcommands(pages)
test_variables(pages)
test_messages(pages)
test_file(pages)
test_references(pages)
test_form(pages)
test_messages_form()
test_troff(pages)
tap.done()
