#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does libhpm carry only what a measured program needs?  Each object is reached
from a public call, no text of definitions is in it, its size is held, and neither
it nor hpmcount loads libm, which takes 50 us of each launch.  An object that
nothing needs is planted, so that the check is known to see one."""

import glob
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests"))
import tap
from tap import equal, ok, skip

# What `size` calls text (code, constants, relocations), in bytes, of gcc -O2 for
# x86_64 with everything configure can find.  gcc 12 makes 621,237, and gcc 14 may
# make 6,000 more.  More than this wants a reason in the commit: every measured program
# carries it.  145,000 are definitions (metrics/local.mk); those of a processor that
# few programs run on are a model, which costs nothing here.
MOST_TEXT = 621_500

LIBRARY = os.path.join(tap.TOP_BUILD, "lib", ".libs", "libhpm.so")
CC = os.environ.get("CC", "cc").split()


def output(*command, text=""):
    return subprocess.run(command, input=text, capture_output=True, text=True,
                          check=True).stdout


def makefile():
    with open(os.path.join(tap.TOP_BUILD, "Makefile"), encoding="utf-8") as file:
        return file.read()


def members(file):
    """Of each object in a file or archive: its name, and the symbols that it
    defines and wants."""
    found = [[file, set(), set()]]
    for line in output("nm", "-g", "-P", file).splitlines():
        name, kind = (line.split() + [""])[:2]
        member = re.match(r".*\[(.*)\]:$", line)
        if member:
            found.append([member.group(1), set(), set()])
        else:
            found[-1][2 if kind in "Uvw" else 1].add(name)
    return [each for each in found if each[1] or each[2]]


def objects():
    """All that libhpm is linked from."""
    lib = os.path.join(tap.TOP_BUILD, "lib")
    files = [os.path.join(lib, ".libs", name)
             for name in ("libcore.a", "libmeasure.a")]
    for folder in (lib, os.path.join(lib, "session"),
                   os.path.join(tap.TOP_BUILD, "fortran")):
        files += glob.glob(os.path.join(folder, ".libs", "*libhpm_la-*.o"))
    return [each for file in files for each in members(file)]


def public():
    with open(os.path.join(tap.TOP_SOURCE, "lib", "libhpm.sym"),
              encoding="utf-8") as names:
        return set(names.read().split())


def unneeded(candidates):
    """The objects that no public call reaches."""
    wanted, rest = public(), candidates
    while True:
        reached = [each for each in rest if each[1] & wanted]
        if not reached:
            return sorted(os.path.basename(each[0]) for each in rest)
        rest = [each for each in rest if not each[1] & wanted]
        wanted = wanted.union(*(each[2] for each in reached))


def compiled(folder, name, text):
    file = os.path.join(folder, name + ".o")
    output(*CC, "-x", "c", "-c", "-o", file, "-", text=text)
    return members(file)


def test_objects():
    there = objects()
    equal(unneeded(there), [], "each object of libhpm is needed by a public call")
    with tempfile.TemporaryDirectory() as folder:
        # they need each other, and what is needed
        there += compiled(folder, "ping", "void pong(void), hpm_error_set(void);"
                          "void ping(void) { pong(); hpm_error_set(); }")
        there += compiled(folder, "pong", "void ping(void);"
                          "void pong(void) { ping(); }")
    equal(unneeded(there), ["ping.o", "pong.o"], "objects that only need each "
          "other are found")


def test_definitions():
    name = "libhpm carries no text of definitions"
    with open(os.path.join(tap.TOP_SOURCE, "metrics", "generic.hpm"),
              "rb") as text:
        line = max(re.findall(rb"^# .*", text.read(), re.M), key=len)
    if not re.search("^nodist_lib_libcore_la_SOURCES = .*/shippedtables.c",
                     makefile(), re.M):
        skip(name, "configure found no compiler to make tables of them")
        return
    with open(LIBRARY, "rb") as library:
        ok(line[2:] not in library.read(), name, line)


def test_needed():
    for file in (LIBRARY, os.path.join(tap.TOP_BUILD, "hpmcount", "hpmcount")):
        name = f"{os.path.basename(file)} loads no libm"
        if incomparable():
            skip(name, incomparable())
        else:
            needed = output("readelf", "-d", file)
            ok("[libc.so" in needed and "[libm.so" not in needed, name, needed)


def incomparable():
    """Why the size of this build says nothing, or None."""
    macros = output(*CC, "-dM", "-E", "-x", "c", "-")
    flags = " ".join(re.findall(r"^(?:CPPFLAGS|CFLAGS|LDFLAGS) = (.*)",
                                makefile(), re.M)).split()
    others = [flag for flag in flags if not re.match("-(g|O2$|[DILW])", flag)]
    if " __x86_64__ " not in macros or " __LP64__ " not in macros:
        return "the processor is not x86_64"
    if " __clang__ " in macros or " __GNUC__ " not in macros:
        return "the compiler is not gcc"
    if os.environ.get("sanitizers"):
        return "sanitizers are in it"
    if "-O2" not in flags or others:
        return f"flags are not -g -O2: {' '.join(flags)}"
    return None


def test_size():
    name = f"libhpm's text has at most {MOST_TEXT:,} bytes"
    reason = incomparable()
    if reason:
        skip(name, reason)
        return
    text = int(output("size", "-B", LIBRARY).splitlines()[1].split()[0])
    print(f"# it has {text:,}")
    ok(text <= MOST_TEXT, name, f"it has {text:,}")


if not os.path.exists(LIBRARY):
    print("1..0 # SKIP no shared library (configured with --disable-shared)")
    sys.exit()
test_objects()
test_definitions()
test_needed()
test_size()
tap.done()
