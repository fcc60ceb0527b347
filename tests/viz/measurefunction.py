# SPDX-License-Identifier: BSD-3-Clause
"""A person has one function of a program measured, of a program with hooks and of
one as it is; and is told why another function cannot be measured."""

import glob
import os

import person  # first: it may begin anew on a desktop
import smallprogram
import tap
from smallprogram import begin, give_command, says, select
from tap import TOP_BUILD

KEYS = "Ctrl+Shift+m"
ENTRY = "command that builds and runs"

# A function with code of its own, and one that the compiler inlines.
smallprogram.SOURCE = smallprogram.SOURCE.replace(
    "static double\nsum", "__attribute__((noinline)) static double\nsum")
smallprogram.SOURCE = smallprogram.SOURCE.replace("int\nmain", """\
static inline __attribute__((always_inline)) int
twice(int n)
{
    return 2 * n;
}

int
main""").replace("sum(k)", "sum(twice(k))")
BODY_OF_SUM, BODY_OF_TWICE, DECLARATIONS = 9, 17, 2


def files():
    return glob.glob(os.path.join(os.environ["XDG_DATA_HOME"], "hpm-toolkit",
                                  "runs", "*", "*.hpm.xml"))


def start(where, **variables):
    path = os.pathsep.join([os.path.join(TOP_BUILD, "hpmcount"),
                            os.path.join(TOP_BUILD, "hpm"),
                            os.environ["PATH"]])
    libraries = os.pathsep.join([os.path.join(TOP_BUILD, "lib", ".libs"),
                                 os.path.join(TOP_BUILD, "lib", "functions",
                                              ".libs"),
                                 os.environ.get("LD_LIBRARY_PATH", "")])
    return begin(where, PATH=path, LD_LIBRARY_PATH=libraries, **variables)


def add_flags(where, flags):
    """The next make builds the program with these."""
    path = os.path.join(where, "Makefile")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text.replace("-std=c99", f"-std=c99 {flags}"))
    os.utime(os.path.join(where, "work"), (1, 1))


def put_caret(viewer, text, line):
    select(text, line, line)
    viewer.click(viewer.find("source", "text"))
    select(text, line, line)


def output(viewer):
    return viewer.text("output of the command").content()


def with_hooks(where):
    viewer, text = start(where)
    add_flags(where, "-finstrument-functions -DHPM_OFF")
    put_caret(viewer, text, BODY_OF_SUM)
    viewer.keys(KEYS, "hpmviz")
    viewer.see(says(viewer, "measures the function sum (work.c, line 3)"), True,
               "the function of the caret is named")
    give_command(viewer, "make -s && ./work")
    viewer.see(says(viewer, "1 performance file is opened as the next run"),
               True, "the program is built, measured, and its file opened")
    viewer.see(lambda: f"{where}$ make -s && hpmcount --functions "
                       "sum,short:keep -o "
               in output(viewer).replace("'", ""), True,
               "the whole command stands above what it wrote")
    tap.equal([{(r.label, r.count) for r in tap.records(file)
                if r.label == "sum"} for file in files()], [{("sum", "100")}],
              "its calls are counted")
    table = viewer.table("sections")
    viewer.see(lambda: "sum" in table.column("Section"), True,
               "the function is in the list")
    viewer.see(lambda: any("B − A" in title for title in table.titles()), True,
               "which compares the run with the last")
    put_caret(viewer, text, DECLARATIONS)
    viewer.keys(KEYS, "hpmviz")
    viewer.see(says(viewer, "is in no function: put the caret into the function"),
               True, "between functions nothing is measured, and it says so")


def as_it_is(where):
    before = files()
    viewer, text = start(where, HPM_SOURCE="auto", HPM_EVENTS="task-clock")
    add_flags(where, "-g -DHPM_OFF")
    put_caret(viewer, text, BODY_OF_TWICE)
    viewer.keys(KEYS, "hpmviz")
    give_command(viewer, "make -s && ./work")
    viewer.see(says(viewer, "'twice' has no code of its own in 'work': the "
                            "compiler has put it into the functions that call "
                            "it (inlined)"), True,
               "a function that was inlined is said to be so")
    put_caret(viewer, text, BODY_OF_SUM)
    viewer.keys(KEYS, "hpmviz")
    if os.geteuid() != 0:
        viewer.see(says(viewer, "only root may measure 'sum'"), True,
                   "without the right to set probes it says who has it")
    elif tap.run([os.path.join(TOP_BUILD, "hpmcount", "hpmcount"), "--section",
                  "sum", "-o", "probe.hpm.xml", "./work"],
                 folder=where).returncode == 0:
        viewer.see(says(viewer, "1 performance file is opened as the next run"),
                   True, "a program as it is is measured by probes")
        tap.equal([{(r.label, r.count) for r in tap.records(file)
                    if r.label == "sum"}
                   for file in files() if file not in before],
                  [{("sum", "100")}], "its calls are counted")
    else:
        viewer.see(says(viewer, "no performance file came"), True,
                   "where the kernel sets no probes nothing comes")
        tap.ok("--section sum -o" in output(viewer).replace("'", ""),
               "and what hpmcount says is in the output")
    viewer.look(ENTRY, "text").queryComponent().grabFocus()
    give_command(viewer, "for i in 1; do ./work; done")
    viewer.see(says(viewer, "the command must end with the program"), True,
               "a command without a program at its end is refused")
    viewer.look(ENTRY, "text").queryComponent().grabFocus()
    give_command(viewer, "sleep 1000")
    viewer.see(says(viewer, "'sleep' has no"), True,
               "and so is a program without the function")


def why_no_hooks():
    if os.environ.get("sanitizers"):
        return "a sanitizer's library must be the first loaded"
    if not os.path.exists(os.path.join(TOP_BUILD, "lib", "functions", ".libs",
                                       "libhpm_functions.so")):
        return "no shared library (configured with --disable-shared)"
    return None


for name, way, reason in (("hooks", with_hooks, why_no_hooks()),
                          ("probes", as_it_is, None)):
    if reason:
        tap.skip(name, reason)
        continue
    with tap.folder() as where:
        person.journey(name, way, os.path.realpath(where))
tap.done()
