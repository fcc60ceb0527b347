# SPDX-License-Identifier: BSD-3-Clause
"""hpm functions: which functions of a program the kernel can watch as it is.  Where
this user may set probes, the kernel itself is asked, too."""

import csv
import io
import json
import mmap
import os
import platform
import shlex
import struct
import subprocess
from shutil import which

import tap
from tap import HPM, equal, folder, ok, run, skip

TRACING = "/sys/kernel/tracing"
IS_X86 = platform.machine() == "x86_64"

PROGRAM = r"""
#include <stdio.h>
static inline __attribute__((always_inline)) int tiny(int n) { return n * 3; }
static __attribute__((noinline)) int solve_rows(int n) { return tiny(n) + 1; }
__attribute__((noinline)) int solve_all(int n) { return solve_rows(n) * 2; }
__attribute__((noinline)) int other(int n) { return tiny(n) + n; }
int same(int n) __attribute__((alias("other")));
int main(int argc, char **argv)
{ (void)argv; printf("%d\n", solve_all(argc) + other(argc)); return 0; }
"""

# First instructions, and whether Linux sets a probe at them.
FIRST = {"of_push": ("55", True), "of_lea": ("488d0500000000", True),
         "of_nop": ("0f1f440000", True), "of_add_fs": ("64488b042528000000", True),
         "of_halt": ("f4", False), "of_lock": ("f0ff00", False),
         "of_int": ("cd80", False), "of_vmovdqu": ("c5fe6f06", False),
         "of_vzeroupper": ("c5f877", True), "of_ret": ("c3", True),
         "of_evex": ("62f17f286f06", False), "of_rex_push": ("4155", True)}

ASSEMBLER = "\n".join(
    [".text"] + [f".globl {name}\n.type {name}, %function\n.balign 16\n{name}:\n"
                 + "".join(f".byte 0x{code[i:i + 2]}\n"
                           for i in range(0, len(code), 2))
                 + f"ret\n.size {name}, .-{name}"
                 for name, (code, _) in FIRST.items()] +
    [".section .note.GNU-stack,\"\",%progbits", ""])

PARTS = r"""
.text
.globl whole
.type whole, %function
whole: ret
.size whole, .-whole
.type whole.cold, %function
whole.cold: ret
.size whole.cold, .-whole.cold
.globl vfork
.type vfork, %function
vfork: ret
.size vfork, .-vfork
.globl chosen
.type chosen, %gnu_indirect_function
chosen: ret
.size chosen, .-chosen
.section .note.GNU-stack,"",%progbits
"""

EXCEPTIONS = r"""
#include <vector>
#include <stdexcept>
namespace grid {
struct Mesh { int solve(int n) const; template <class T> T sum(T a); };
__attribute__((noinline)) int Mesh::solve(int n) const
{ if (n > 3) throw std::runtime_error("far"); return n; }
template <class T> __attribute__((noinline)) T Mesh::sum(T a) { return a + a; }
}
int main(int argc, char **)
{ grid::Mesh mesh; try { return mesh.solve(argc) + (int)mesh.sum(2.5); }
  catch (std::exception &) { return 1; } }
"""


def compiler(variable, *names):
    for command in [shlex.split(os.environ.get(variable, "")), *([n] for n in names)]:
        if command and which(command[0]):
            return command
    return None


def build(where, name, text, *flags, suffix=".c", command=None):
    source, path = os.path.join(where, name + suffix), os.path.join(where, name)
    with open(source, "w", encoding="ascii") as file:
        file.write(text)
    subprocess.run([*(command or CC), source, "-o", path, *flags], check=True)
    return path


def listed(*arguments):
    """The status, and the rows by name, of CSV."""
    done = run([HPM, "functions", "--format", "csv", *arguments])
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
    return done, {row["function"]: row for row in rows}


def symbols(path):
    """Address and size of each function, by name, of the table of symbols of a
    64-bit file."""
    with open(path, "rb") as file:
        data = file.read()
    offset, = struct.unpack_from("<Q", data, 40)
    size, n = struct.unpack_from("<HH", data, 58)
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, offset + i * size)
             for i in range(n)]
    found = {}
    for head in heads:
        if head[1] != 2:
            continue
        names = heads[head[6]][4]
        for at in range(head[4], head[4] + head[5], 24):
            name, info, _, index, value, length = struct.unpack_from("<IBBHQQ",
                                                                     data, at)
            if info & 15 == 2 and index:
                begin = names + name
                found[data[begin:data.index(b"\0", begin)].decode()] = value, length
    return found


def test_program(where):
    path = build(where, "plain", PROGRAM, "-O2", "-g", "-fcf-protection=none"
                 if IS_X86 else "-O2")
    done, rows = listed(path)
    equal(done.returncode, 0, "a program's functions are listed")
    ok(b"1 more function has no code of its own" in done.stderr,
       "how many are inlined is said", done.stderr)
    got = {name: (int(row["address"], 16), int(row["size"]))
           for name, row in rows.items()}
    expected = {name.partition("@")[0]: place
                for name, place in symbols(path).items()}
    equal(got, expected, "with the addresses and sizes that the linker gave them")
    row = rows["solve_rows"]
    equal((row["probe"], row["file"], row["line"], row["why"]),
          ("both", os.path.join(where, "plain.c"), "4", ""),
          "a static function: both probes, with file and line")
    equal(rows["same"]["address"], rows["other"]["address"],
          "a second name of a function is listed, too")
    equal((rows["_start"]["probe"], rows["_start"]["why"][:8]), ("entry", "the prog"),
          "no return probe where the program starts")
    with open(path, "rb") as file:
        data = file.read()
    offset = int(row["offset"], 16)
    ok(data[offset:offset + int(row["size"])].endswith(b"\xc3") or not IS_X86,
       "the place in the file has the function's code", row)
    return path


def test_patterns(path, where):
    def names(*patterns):
        done, rows = listed(path, *patterns)
        return done.returncode, sorted(rows)
    equal(names("solve_*"), (0, ["solve_all", "solve_rows"]), "a pattern")
    equal(names("solve_*,other", "!*_all"), (0, ["other", "solve_rows"]),
          "several, in a word and in two, and one left out")
    equal(names("file:plain.c", "!main"),
          (0, ["other", "same", "solve_all", "solve_rows", "tiny"]),
          "those of a source file")
    done, rows = listed(path, "tiny")
    equal((done.returncode, rows["tiny"]["probe"], rows["tiny"]["address"],
           rows["tiny"]["line"]), (0, "no", "", "3"),
          "one that was inlined is listed where it is asked for")
    ok("inlined" in rows["tiny"]["why"], "with the reason", rows)
    done, rows = listed(path, "solve_all", "nosuch")
    ok(done.returncode == 1 and b"is called 'nosuch'" in done.stderr and rows,
       "a pattern without a function: said, the others listed", done)
    done, rows = listed(path, "nosuch")
    ok(done.returncode == 3 and not rows, "none at all: another status", done)
    done = run([HPM, "functions", path, "solve_*", "tiny"])
    ok(b"0x" in done.stdout and b" both " in done.stdout and
       b"no (1)" in done.stdout and b"plain.c:4" in done.stdout and
       b"\n(1) the compiler" in done.stdout and
       b"2 can be measured, of 0 more only calls can be counted, 1 cannot" in
       done.stdout, "the text has places, reasons and numbers", done.stdout)
    done = run([HPM, "functions", "--format=json", path, "main"])
    table = json.loads(done.stdout)
    equal(([row["function"] for row in table["functions"]], table["file"]),
          (["main"], path), "JSON, too")
    done = run([HPM, "functions", "plain", "main"], PATH=where)
    ok(done.returncode == 0 and b"main" in done.stdout,
       "a program is found as the shell finds it", done)


def test_lacks(path, where):
    if which("strip"):
        bare = os.path.join(where, "bare")
        subprocess.run(["strip", "-o", bare, path], check=True)
        done, rows = listed(bare)
        ok(b"stripped" in done.stderr and "solve_all" not in rows,
           "a stripped program: said", done)
    done = run([HPM, "functions", os.path.join(where, "plain.c")])
    ok(done.returncode == 3 and b"(ELF)" in done.stderr, "no program", done)
    done = run([HPM, "functions", os.path.join(where, "nosuch")])
    ok(done.returncode == 3 and b"No such file" in done.stderr, "no file", done)
    object_file = os.path.join(where, "part.o")
    subprocess.run([*CC, "-c", os.path.join(where, "plain.c"), "-o", object_file],
                   check=True)
    done = run([HPM, "functions", object_file])
    ok(done.returncode == 3 and b"(ELF)" in done.stderr or
       b"link it first" in done.stderr, "an object file", done)
    equal(run([HPM, "functions"]).returncode, 2, "nothing named: wrong usage")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    for cut in (100, 2000, len(data) // 2, len(data) - 100):
        damaged = os.path.join(where, "cut")
        with open(damaged, "wb") as file:
            file.write(data[:cut])
        done = run([HPM, "functions", damaged])
        ok(done.returncode in (0, 3), f"cut off after {cut} bytes: no crash", done)


def test_instructions(where):
    if not IS_X86:
        skip("first instructions", "not x86-64")
        return
    path = build(where, "first.so", ASSEMBLER, "-shared", "-nostdlib", suffix=".s")
    _, rows = listed(path)
    equal({name: row["probe"] == "both" for name, row in rows.items()
           if name in FIRST}, {name: good for name, (_, good) in FIRST.items()},
          "first instructions at which the kernel sets no probe")
    ask_kernel(path, rows)
    path = build(where, "landing", PROGRAM, "-O2", "-fcf-protection=full")
    _, rows = listed(path, "solve_all")
    with open(path, "rb") as file:
        data = file.read()
    offset = int(rows["solve_all"]["offset"], 16)
    equal(data[offset - 4:offset], b"\xf3\x0f\x1e\xfa",
          "a probe belongs behind the landing instruction")
    path = build(where, "parts.so", PARTS, "-shared", "-nostdlib", suffix=".s")
    _, rows = listed(path)
    equal({name: row["probe"] for name, row in rows.items()},
          {"whole": "both", "whole.cold": "no", "vfork": "entry", "chosen": "no"},
          "parts of functions, odd returns, and functions chosen at the start")


def write(file, text):
    descriptor = os.open(os.path.join(TRACING, file), os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def is_taken(group, path, offset):
    """Does the kernel set the probe, in this process?"""
    write("uprobe_events", f"p:{group}/entry {path}:{offset}\n")
    try:
        write(f"events/{group}/entry/enable", "1")
        write(f"events/{group}/entry/enable", "0")
        return True
    except OSError:
        return False
    finally:
        write("uprobe_events", f"-:{group}/entry\n")


def ask_kernel(path, rows):
    title = "the kernel agrees on each of them"
    if os.geteuid() != 0 or not os.access(TRACING + "/uprobe_events", os.W_OK):
        skip(title, "not root, or no tracefs")
        return
    chosen = sorted(FIRST)[:4] if tap.IS_REPEATED else sorted(FIRST)
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE,
                           prot=mmap.PROT_READ | mmap.PROT_EXEC)
        got = {name: is_taken(f"hpmtest{os.getpid()}", path, rows[name]["offset"])
               for name in chosen}
        mapped.close()
    equal(got, {name: FIRST[name][1] for name in chosen}, title)


def test_stacks(where):
    text = ("#include <ucontext.h>\nstatic ucontext_t a;\nvoid body(void) {}\n"
            "int main(void) { getcontext(&a); makecontext(&a, body, 0); return 0; }\n")
    path = build(where, "stacks", text)
    _, rows = listed(path, "body", "main")
    equal({name: row["probe"] for name, row in rows.items()},
          {"body": "entry", "main": "entry"},
          "no return probes in a program that makes stacks")


def test_exceptions(where):
    command = compiler("CXX", "g++", "clang++")
    if command is None:
        skip("functions of C++", "no compiler")
        return
    path = build(where, "thrower", EXCEPTIONS, "-O2", "-g", suffix=".cc",
                 command=command)
    done, rows = listed(path, "grid::Mesh::*")
    equal(sorted({name.partition(" [clone")[0] for name in rows}), ["double grid::Mesh::sum<double>(double)",
                         "grid::Mesh::solve(int) const"],
          "C++ functions by their plain names")
    row = rows["grid::Mesh::solve(int) const"]
    ok(row["probe"] == "entry" and "exception" in row["why"],
       "no return probe where exceptions may leave a function", row)
    _, rows = listed(path, "grid::Mesh::solve(int) const")
    equal(len(rows), 1, "by the whole name")
    _, rows = listed(path, "_ZNK4grid4Mesh5solveEi")
    equal(len(rows), 1, "and by that for the linker")


CC = compiler("CC", "gcc", "clang", "cc")
if CC is None:
    skip("hpm functions", "no compiler")
else:
    with folder() as here:
        here = os.path.realpath(here)
        plain = test_program(here)
        test_patterns(plain, here)
        test_lacks(plain, here)
        test_instructions(here)
        test_stacks(here)
        test_exceptions(here)
tap.done()
