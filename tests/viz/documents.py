# SPDX-License-Identifier: BSD-3-Clause
"""What the viewer says of itself agrees: its help, manual page, completions,
menus, keys, and what desktops and translators read."""

import glob
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from shutil import which

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, ok, run

HPMVIZ = os.path.join(TOP_BUILD, "hpmviz", "hpmviz")


def path(*parts):
    return os.path.join(TOP_SOURCE, *parts)


def read(*parts):
    with open(path(*parts), encoding="utf-8") as file:
        return file.read()


def sources():
    return sorted(glob.glob(path("hpmviz", "**", "*.c"), recursive=True))


def templates():
    return sorted(glob.glob(path("hpmviz", "**", "*.ui"), recursive=True))


# ---- options ---------------------------------------------------------------

def test_options():
    text = run([HPMVIZ, "--help"], LC_ALL="C").stdout.decode()
    text = text[text.index("Application Options"):]
    options = set(re.findall(r"--[a-z-]+", text))
    ok({"--print", "--version"} <= options, "--help lists the options", text)
    options.add("--help")
    page = read("doc", "man", "hpmviz.1").replace("\\-", "-")
    page = page[page.index("\n.SH OPTIONS"):page.index("\n.SH THE WINDOW")]
    equal(set(re.findall(r"--[a-z-]+", page)), options,
          "the manual page has the same")
    bash = read("completions", "hpmviz.bash")
    listed = re.search(r"local options='(.*?)'", bash, re.S).group(1).split()
    equal({o for o in listed if o.startswith("--")}, options,
          "so has the completion for bash")
    zsh = read("completions", "_hpmviz")
    equal(set(re.findall(r"--[a-z-]+(?=[\[=}])", zsh)), options,
          "and that for zsh")
    fish = read("completions", "hpmviz.fish")
    equal({"--" + name for name in re.findall(r" -l (\S+)", fish)}, options,
          "and that for fish")
    equal(run(["bash", "-n", path("completions", "hpmviz.bash")]).stderr, b"",
          "bash can read its own")


def test_usage():
    result = run([HPMVIZ, "--no-such-option"])
    ok(result.returncode == 2 and b"--no-such-option" in result.stderr,
       "an option there is not is named, with status 2", result)
    result = run([HPMVIZ, "--print"])
    ok(result.returncode == 2 and len(result.stderr.splitlines()) == 1,
       "--print without files is, in a line, with status 2", result)
    result = run([HPMVIZ, "--print", "/nowhere"])
    ok(result.returncode == 3 and b"/nowhere" in result.stderr,
       "nothing usable is status 3", result)
    result = run([HPMVIZ], DISPLAY="", WAYLAND_DISPLAY="")
    ok(result.returncode == 3 and len(result.stderr.splitlines()) == 1,
       "no display is status 3, and a line", result)


def messages(folder):
    """The literals of C files beneath a folder, those that stand together as
    one."""
    for file in glob.glob(path(folder, "**", "*.c"), recursive=True):
        text = re.sub(r"/\*.*?\*/", "", open(file, encoding="utf-8").read(),
                      flags=re.S)
        for literals in re.findall(r'(?:"(?:[^"\\\n]|\\.)*"\s*)+', text):
            yield (os.path.relpath(file, TOP_SOURCE),
                   "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', literals)))


# What reads, merges and judges says is shown by hpm and in the window.
def test_messages():
    wrong = [f"{file}: {text}" for folder in
             ("lib/base", "lib/file", "lib/metric", "lib/model",
              "lib/report", "study")
             for file, text in messages(folder)
             if re.search(r"(^|[ '])--[a-z]", text) and " " in text and
             not re.search(r"\bhpm(count)?\b[^;]* --[a-z]|'%s --help'|^in --",
                           text)]
    equal(wrong, [], "a message that names an option names its program")


# ---- actions and keys ------------------------------------------------------

def actions():
    """All that are added in the sources, with their group."""
    found = set()
    for file in sources():
        text = open(file, encoding="utf-8").read()
        group = "app" if file.endswith("main.c") else "win"
        for table in re.findall(r"struct hpmviz_command \w+\[\] = \{(.*?)\n\};",
                                text, re.S):
            found |= {"win." + n for n in re.findall(r'\{"([a-z-]+)"', table)}
        for table in re.findall(r"GActionEntry \w+(?:\[\])? = \{(.*?)\};", text,
                                re.S):
            found |= {f"{group}.{n}" for n in re.findall(r'"([a-z-]+)", \w', table)}
    return found


def keys():
    """{action: [accelerator]}"""
    table = re.search(r"struct shortcut shortcuts\[\] = \{(.*?)\n\};",
                      read("hpmviz", "shell", "commands.c"), re.S).group(1)
    return {action: re.findall(r'"([^"]+)"', rest) for action, rest in
            re.findall(r'\{"([a-z.-]+)",\s*\{(.*?)\}\}', table, re.S)}


def spoken(accelerator):
    """As the manual page writes it."""
    text = accelerator.replace("<Control>", "Ctrl+").replace(
        "<Shift>", "Shift+").replace("<Alt>", "Alt+")
    head, _, key = text.rpartition("+")
    return (head + "+" if head else "") + (key.upper() if len(key) == 1 else key)


def test_keys():
    menus = ET.fromstring(read("hpmviz", "shell", "menus.ui"))
    used = {a.text for a in menus.iter("attribute") if a.get("name") == "action"}
    all_actions = actions()
    equal(used - all_actions, set(), "menus have only actions there are")
    equal(set(keys()) - all_actions, set(), "and so have keys")
    flat = [k for ks in keys().values() for k in ks]
    equal(sorted(flat), sorted(set(flat)), "no key does two things")
    window = ET.fromstring(read("hpmviz", "shell", "shortcuts.ui"))
    shown = {word for p in window.iter("property")
             if p.get("name") == "accelerator" for word in p.text.split()}
    # other names of the same key
    aliases = {k for k in flat if "KP_" in k or k.endswith("equal")}
    equal(set(flat) - aliases - shown, set(),
          "the window of shortcuts shows all keys")
    page = read("doc", "man", "hpmviz.1")
    page = page[page.index("\n.SH KEYS"):page.index("\n.SH ENVIRONMENT")]
    written = set(re.findall(r"(?:Ctrl\+|Shift\+|Alt\+)*(?:F\d+|\w+)", page))
    aliases |= {"<Control>y", "<Control>F1"}
    missing = {spoken(k) for k in set(flat) - aliases} - written
    equal(missing, set(), "the manual page names them")


def test_mnemonics():
    """Of a menu, no two items have the same letter."""
    def check(menu, path_):
        items = []
        for at in menu:
            for label in at.iter("attribute") if at.tag == "item" else at:
                if label.tag == "attribute" and label.get("name") == "label":
                    items.append(label.text)
                    break
            if at.tag == "section":
                inner, more = check(at, path_)
                items += inner
                bad.extend(more)
            elif at.tag in ("submenu", "menu"):
                inner, more = check(at, path_)
                bad.extend(more)
                bad.extend(doubles(inner))
        return items, []

    def doubles(labels):
        letters = [label[label.index("_") + 1].lower() if "_" in label else label
                   for label in labels]
        return [l for l in labels if "_" not in l or
                letters.count(l[l.index("_") + 1].lower()) > 1]

    bad = []
    root = ET.fromstring(read("hpmviz", "shell", "menus.ui"))
    top, _ = check(root.find("menu"), "")
    bad.extend(doubles(top))
    equal(bad, [], "each item of a menu has a letter of its own")


def test_templates():
    listed = re.findall(r"<file alias=.*?>(.*?)</file>",
                        read("hpmviz", "hpmviz.gresource.xml"))
    there = [os.path.relpath(f, path("hpmviz")) for f in templates()]
    equal(sorted(listed), sorted(there), "every template is compiled in")
    makefile = read("hpmviz", "local.mk")
    equal([f for f in there if "hpmviz/" + f not in makefile], [],
          "and distributed")


# ---- desktops and translators ----------------------------------------------

def check_with(program, sentence, *arguments):
    if which(program) is None:
        tap.skip(sentence, program + " is missing")
        return
    result = subprocess.run([program, *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    ok(result.returncode == 0, sentence, result.stdout.decode())


def check_metainfo(file):
    sentence = "the metainfo is, too"
    if which("appstreamcli") is None:
        tap.skip(sentence, "appstreamcli is missing")
        return
    text = run(["appstreamcli", "validate", "--no-net", file]).stdout.decode()
    # Since 1.0 it warns that there is no home page, and there is none; older
    # ones do not know that warning by name (--override).
    faults = [line for line in text.splitlines()
              if line.startswith(("E:", "W:"))
              and not line.endswith(": url-homepage-missing")]
    ok("Validation" in text and not faults, sentence, text)


def test_desktop():
    name = "org.hpmtoolkit.hpmviz"
    check_with("desktop-file-validate", "the desktop file is one",
               path("data", name + ".desktop"))
    check_metainfo(path("data", name + ".metainfo.xml"))
    mime = ET.fromstring(read("data", "hpm-toolkit.xml"))
    kind = mime.find("{*}mime-type").get("type")
    desktop = read("data", name + ".desktop")
    ok(f"MimeType={kind};" in desktop and f'"{kind}"' in read(
        "hpmviz", "shell", "filecommands.c") and f">{kind}<" in read(
        "data", name + ".metainfo.xml"),
       "all speak of one type of files")
    ok(f"Icon={name}\n" in desktop and os.path.exists(
        path("data", name + ".svg")), "there is the icon")
    for icon in (name + ".svg", name + "-symbolic.svg"):
        root = ET.fromstring(read("data", icon))
        equal(root.tag, "{http://www.w3.org/2000/svg}svg", icon + " is a picture")


KEYWORDS = re.findall(r"--keyword=\S+", read("po", "local.mk"))
# A text, or the next argument of a message; not the declarations.
MARKED = re.compile(
    r'\b(N?_\(\s*"|(' + "|".join(
        word for word in re.findall(r"--keyword=(\w+)", " ".join(KEYWORDS))
        if not word.endswith("_")) + r')\((?!const|struct|enum|%))')


def texts_of_programs():
    """Sources whose texts are translated: of hpmcount and hpm, with what they
    print; and what libhpm_mpi and libhpm_openmp say of counters in files."""
    found = []
    for room in ("hpm", "hpmcount", "lib", "study"):
        for folder, _, names in os.walk(path(*room.split("/"))):
            found += [os.path.join(folder, name) for name in names
                      if name.endswith(".c")]
    return found + [path("mpi", "timesource.c"), path("lib", "openmp", "ompstate.h")]


def definitions(where):
    """The texts of definitions of metrics, for xgettext."""
    file = os.path.join(where, "definitions.c")
    with open(file, "w", encoding="utf-8") as out:
        subprocess.run(["awk", "-f", path("po", "definitions.awk"),
                        *sorted(glob.glob(path("metrics", "*.hpm"))),
                        *sorted(glob.glob(path("metrics", "models", "*.hpm")))],
                       stdout=out, check=True, env={**os.environ, "LC_ALL": "C"})
    return file


def listed_files():
    """As update-pot has them: a subcommand of hpm is among them by its name."""
    named = [line for line in read("po", "POTFILES.in").splitlines()
             if line and not line.startswith("#")]
    return named + [os.path.relpath(file, TOP_SOURCE)
                    for file in glob.glob(path("hpm", "*.c"))]


def test_translations():
    listed = listed_files()
    wanted = ["po/composed.c", "po/helps.c"]
    for files, marked in ((sources(), r"\b(N?_|ngettext)\("),
                          (texts_of_programs(), MARKED)):
        wanted += [os.path.relpath(file, TOP_SOURCE) for file in files
                   if re.search(marked, open(file, encoding="utf-8").read())]
    for file in templates():
        if 'translatable="yes"' in open(file, encoding="utf-8").read():
            wanted.append(os.path.relpath(file, TOP_SOURCE))
    wanted += [f for f in listed if f.startswith("data/") or
               re.fullmatch(r"hpm/[a-z-]+\.c", f)]
    equal((sorted(set(listed) - set(wanted)), sorted(set(wanted) - set(listed))),
          ([], []), "po/POTFILES.in lists every file with texts, and no other")
    equal(len(listed), len(set(listed)), "each once")
    unmarked = []
    for file in templates():
        root = ET.parse(file).getroot()
        for at in root.iter():
            if at.get("name") in ("label", "title", "tooltip-text",
                                  "accessible-name", "placeholder-text") and \
                    re.search("[a-z]{3}", at.text or "") and \
                    at.text != "hpmviz" and at.get("translatable") != "yes":
                unmarked.append(os.path.basename(file) + ": " + at.text)
    equal(unmarked, [], "texts of templates are marked for translation")
    if which("xgettext") is None:
        tap.skip("xgettext finds texts", "xgettext is missing")
        return
    result = subprocess.run(
        ["xgettext", "--from-code=UTF-8", *KEYWORDS, "-o", "-", *listed], cwd=TOP_SOURCE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE)
    # Warnings about our files name the file; xgettext also warns of its own
    # installation (rules for .ui files that GTK's package does not bring).
    ours = [line for line in result.stderr.decode().splitlines()
            if line.startswith(tuple(listed))]
    ok(result.returncode == 0 and b"Preferences" in result.stdout and
       not ours, "xgettext finds them, and has nothing to warn of in them",
       result.stderr.decode())


def lines_of(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True,
                          stderr=subprocess.DEVNULL,
                          **options).stdout.decode().splitlines()


def test_languages():
    """Each has all the texts there are, and no other."""
    tools = ("xgettext", "msgfmt", "msgmerge", "msgattrib")
    languages = re.search(r"^LINGUAS =(.*)", read("po", "local.mk"),
                          re.M).group(1).split()
    equal(sorted(f[:-3] for f in os.listdir(path("po")) if f.endswith(".po")),
          sorted(languages), "LINGUAS names the translations")
    ok("de" in languages, "German is one")
    if None in map(which, tools):
        tap.skip("translations have all texts", "gettext is missing")
        return
    listed = listed_files()
    with tap.folder() as where:
        texts = os.path.join(where, "texts.pot")
        lines_of(["xgettext", "--from-code=UTF-8", *KEYWORDS, "-o", texts,
                  *listed, definitions(where)], cwd=TOP_SOURCE)
        for language in languages:
            file = path("po", language + ".po")
            lines_of(["msgfmt", "--check", "-o", "/dev/null", file])
            both = os.path.join(where, language)
            lines_of(["msgmerge", "-o", both, file, texts])
            for word in ("--untranslated", "--only-fuzzy", "--only-obsolete"):
                found = [line for line in lines_of(["msgattrib", word, both])
                         if re.match(r'(#~ )?msgid "', line)]
                equal(found[1:] if found[:1] == ['msgid ""'] else found, [],
                      f"{language}: no text is {word.split('-')[-1]}")


test_options()
test_usage()
test_messages()
test_keys()
test_mnemonics()
test_templates()
test_desktop()
test_translations()
test_languages()
tap.done()
