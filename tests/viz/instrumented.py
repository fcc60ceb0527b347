# SPDX-License-Identifier: BSD-3-Clause
"""Sources to which the viewer has added calls compile without a warning, run as
before, and give the sections that were selected."""

import os
import shlex
import subprocess
import tempfile
from shutil import which

import tap
from tap import TOP_BUILD, TOP_SOURCE, equal, files, folder, link_flags, ok, records, run

CC = shlex.split(os.environ.get("CC", "cc"))
FC = shlex.split(os.environ.get("FC", ""))
CXX = shlex.split(os.environ.get("CXX", "")) or ["c++"]
FORTRAN = os.path.join(TOP_BUILD, "fortran", "libhpm_fortran.a")
INCLUDE = "-I" + os.path.join(TOP_SOURCE, "include")
FILTER = tap.program("tests/viz/instrument")


def add(name, text, *selections):
    """The text with calls around lines, which are found by words in them."""
    for first, last in selections:
        lines = text.split("\n")

        start = next(i for i, line in enumerate(lines) if first in line)
        end = next(i for i, line in enumerate(lines)
                   if i >= start and last in line)
        result = run([FILTER, name, str(start + 1), str(end + 1)],
                     stdin=text_file(text))
        if result.stdout.count(b"\n") < len(lines):
            raise AssertionError(result.stdout.decode())
        text = result.stdout.decode()
    return text


def text_file(text):
    """An open file with the text."""
    file = tempfile.TemporaryFile()
    file.write(text.encode())
    file.seek(0)
    return file


def measure(compiler, name, text, expected, *flags, libraries=()):
    """Compile, run, and compare the labels and calls of all sections."""
    with folder() as where:
        with open(os.path.join(where, name), "w") as file:
            file.write(text)
        program = os.path.join(where, "program")
        built = subprocess.run(
            compiler + list(flags) + ["-o", program, name, *libraries] +
            link_flags(), cwd=where, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        if not ok(built.returncode == 0, f"{name} with calls compiles",
                  built.stdout.decode() + text):
            return
        result = run([program], folder=where)
        equal((result.returncode, result.stderr), (0, b""),
              f"{name} runs as before, and nothing is said")
        rows = [r for path in files(where) for r in records(path)]
        equal(sorted((r.scope, r.label, int(r.count)) for r in rows
                     if r.label not in ("(outside sections)",)),
              sorted(expected), f"{name} gives the sections selected")
        lines = text.split("\n")
        equal([r.label for r in rows if r.base != name or
               r.label not in lines[int(r.linestart) - 1]], [],
              f"{name}: each section names the line of its start")


C = """\
#include <stdio.h>

static int
twice(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++) {
        sum += i;
        if (sum > 1000000)
            break;
    }
    return sum * 2;
}

int
main(void)
{
    int total = 0;

    for (int k = 0; k < 5; k++)
        total += twice(k);
    switch (total) {
    case 20:
        total += twice(1);
        break;
    default:
        return 1;
    }
    printf("%d\\n", total); /* } */
    return 0;
}
"""

CPP = """\
#include <stdexcept>

namespace {
struct Sum {
    int total = 0;
    int add(int n)
    {
        if (n == 3)
            return 0;
        total += n;
        return total;
    }
};
} // namespace

int main()
{
    Sum sum;
    for (int i = 0; i < 7; i++) {
        try {
            if (i == 5)
                throw std::runtime_error("five");
            sum.add(i);
        } catch (const std::exception &) {
            continue;
        }
        sum.total++;
    }
    return sum.total == 19 ? 0 : 1;
}
"""


FIXED = """\
C     A loop with a label that two loops share, and one of jumps.
      PROGRAM WORK
      INTEGER I, J, K, N
      REAL A(10)
      N = 0
      DO 300 I = 1, 10
      DO 300 J = 1, 10
        IF (I .EQ. J) GO TO 300
        A(I) = J
  300 CONTINUE
      K = 0
   20 K = K + 1
      N = N + STEP(K)
      IF (K .LT. 5) GO TO 20
      IF (N .NE. 15) STOP 1
      END
      REAL FUNCTION STEP(K)
      STEP = K
      END
"""

FREE = """\
module solver
  implicit none
contains
  subroutine relax(n, a)
    integer, intent(in) :: n
    real, intent(inout) :: a(n)
    integer :: i
    outer: do i = 1, n
      if (a(i) > 2) cycle outer
      a(i) = a(i) + &
             1.0; a(i) = a(i) * 2
    end do outer
    where (a > 0)
      a = 1
    end where
  end subroutine relax
end module solver
program main
  use solver
  implicit none
  real :: a(4) = [1, 2, 3, 4]
  integer :: k
  do k = 1, 3
    call relax(4, a)
  end do
end program main
"""


def c():
    text = add("work.c", C, ("for (int i", "    }"), ("for (int k", "twice(k)"),
               ("twice(1)", "twice(1)"), ("for (int i", "    }"))
    measure(CC, "work.c", text,
            [("thread", "twice loop", 5), ("thread", "twice loop", 1),
             ("thread", "twice loop 2", 5), ("thread", "twice loop 2", 1),
             ("thread", "main loop", 1), ("thread", "main part", 1)],
            "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", INCLUDE)


def cpp():
    text = add("work.cc", CPP, ("if (n == 3)", "        return total;"))
    text = add("work.cc", text, ("if (i == 5)", "sum.add(i)"),
               ("sum.total++", "sum.total++"))
    measure(CXX, "work.cc", text,
            [("thread", "add", 6), ("thread", "main part", 7),
             ("thread", "main part 2", 6)],
            "-std=c++11", "-pedantic", "-Wall", "-Wextra", "-Werror", INCLUDE)


def fortran(name, text, selections, expected, *flags):
    text = add(name, text, *selections)
    measure(FC, name, text, [("thread", *words) for words in expected],
            "-Wall", *flags, "-I" + os.path.join(TOP_SOURCE, "fortran"),
            "-I" + os.path.join(TOP_BUILD, "fortran"),
            libraries=[FORTRAN])


def fixed():
    selections = (("DO 300 I", "300 CONTINUE"), ("N = N + STEP", "N = N + STEP"),
                  ("STEP = K", "STEP = K"))
    for name, flags in (("work.f", []),
                        ("work.F", ["-ffixed-line-length-none"])):
        fortran(name, FIXED, selections,
                [("work loop", 1), ("work part", 5), ("step", 5)], *flags)


def free():
    for name in ("work.f90", "work.F90"):
        fortran(name, FREE, (("outer: do", "end do outer"),
                             ("where (", "end where"), ("do k", "  end do")),
                [("relax loop", 3), ("relax part", 3), ("main", 1)])


c()
if which(CXX[0]) is None:
    tap.skip("C++", "there is no compiler of C++")
else:
    cpp()
if not FC:
    tap.skip("Fortran", "no Fortran compiler (apt-get install gfortran)")
elif not os.path.exists(FORTRAN):
    tap.skip("Fortran", "the Fortran interface of libhpm was not built")
else:
    fixed()
    free()
tap.done()
