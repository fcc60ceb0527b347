/* SPDX-License-Identifier: BSD-3-Clause
 * The function around a line is found in sources of each language, and the program
 * in the user's command. */
#include "hpmviz/instrument/functionat.h"

#include <string.h>

#include "hpmviz/measure/shellcommand.h"
#include "tap.h"

/* ---- functions ------------------------------------------------------- */

static const char c_text[] = "#include <math.h>\n"                     /* 1 */
                             "struct s { int a; };\n"                  /* 2 */
                             "static int table[] = {1, 2};\n"          /* 3 */
                             "\n"                                      /* 4 */
                             "__attribute__((noinline))\n"             /* 5 */
                             "static double\n"                         /* 6 */
                             "sum(int n, double (*f)(double))\n"       /* 7 */
                             "{\n"                                     /* 8 */
                             "    for (int i = 0; i < n; i++) {\n"     /* 9 */
                             "        f(i); /* } */\n"                 /* 10 */
                             "    }\n"                                 /* 11 */
                             "}\n"                                     /* 12 */
                             "int main(void) { return sum(3, sin); }"; /* 13 */

static const char cpp_text[] =
    "namespace n {\n"                          /* 1 */
    "class grid : base {\n"                    /* 2 */
    "    grid(int n) : base(n), size(n) {\n"   /* 3 */
    "    }\n"                                  /* 4 */
    "    ~grid() { }\n"                        /* 5 */
    "    int at(int i) const noexcept(true)\n" /* 6 */
    "    { return i; }\n"                      /* 7 */
    "    bool operator<(const grid &b) {\n"    /* 8 */
    "        return true;\n"                   /* 9 */
    "    }\n"                                  /* 10 */
    "};\n"                                     /* 11 */
    "template <class T> T\n"                   /* 12 */
    "solver<T>::solve(T a)\n"                  /* 13 */
    "{\n"                                      /* 14 */
    "    auto f = [](int x) {\n"               /* 15 */
    "        return x;\n"                      /* 16 */
    "    };\n"                                 /* 17 */
    "    return f(a);\n"                       /* 18 */
    "}\n"                                      /* 19 */
    "}\n";                                     /* 20 */

static const char fortran_text[] = "module grid\n"                /* 1 */
                                   "  real :: size\n"             /* 2 */
                                   "contains\n"                   /* 3 */
                                   "  subroutine Solve(a)\n"      /* 4 */
                                   "    real :: a\n"              /* 5 */
                                   "    a = inner(a)\n"           /* 6 */
                                   "  contains\n"                 /* 7 */
                                   "    real function inner(b)\n" /* 8 */
                                   "      real :: b\n"            /* 9 */
                                   "      inner = b\n"            /* 10 */
                                   "    end function\n"           /* 11 */
                                   "  end subroutine Solve\n"     /* 12 */
                                   "\n"                           /* 13 */
                                   "end module\n"                 /* 14 */
                                   "program work\n"               /* 15 */
                                   "  use grid\n"                 /* 16 */
                                   "  call Solve(size)\n"         /* 17 */
                                   "end program\n";               /* 18 */

/* The name and the lines, "sum 5-12"; or why there is none. */
static void
expect(const char *text, enum hpmviz_language language, guint line,
       const char *expected)
{
    struct hpmviz_function function;
    g_autoptr(GError) error = NULL;
    g_autofree char *found = NULL, *sentence = NULL;

    if (hpmviz_function_at(text, language, line, &function, &error))
        found =
            g_strdup_printf("%s%s %u-%u", function.is_program ? "(main) " : "",
                            function.name, function.first, function.last);
    else
        found = g_strdup(strstr(error->message, "is in no function") != NULL
                             ? "none"
                             : "nameless");
    sentence = g_strdup_printf("line %u: %s", line, expected);
    is_text(found, expected, sentence);
    hpmviz_function_clear(&function);
}

static void
test_functions(void)
{
    expect(c_text, HPMVIZ_LANGUAGE_C, 10, "sum 5-12");
    expect(c_text, HPMVIZ_LANGUAGE_C, 5, "sum 5-12");
    expect(c_text, HPMVIZ_LANGUAGE_C, 12, "sum 5-12");
    expect(c_text, HPMVIZ_LANGUAGE_C, 13, "main 13-13");
    expect(c_text, HPMVIZ_LANGUAGE_C, 2, "none");
    expect(c_text, HPMVIZ_LANGUAGE_C, 3, "none");
    expect(c_text, HPMVIZ_LANGUAGE_C, 4, "none");
    expect(c_text, HPMVIZ_LANGUAGE_C, 99, "none");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 3, "grid 3-4");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 5, "~grid 5-5");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 7, "at 6-7");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 9, "nameless");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 16, "solve 12-19");
    expect(cpp_text, HPMVIZ_LANGUAGE_CPP, 20, "none");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 2, "none");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 5, "solve 4-12");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 10, "inner 8-11");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 12, "solve 4-12");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 13, "none");
    expect(fortran_text, HPMVIZ_LANGUAGE_FREE, 17, "(main) work 15-18");
    expect("", HPMVIZ_LANGUAGE_C, 1, "none");
    expect("", HPMVIZ_LANGUAGE_FREE, 1, "none");
    expect("x", HPMVIZ_LANGUAGE_UNKNOWN, 1, "nameless");
}

/* ---- commands -------------------------------------------------------- */

/* "PREPARATION|PROGRAM|what stands behind the place for hpmcount". */
static void
expect_program(const char *command, const char *expected)
{
    struct hpmviz_shellcommand read;
    g_autofree char *found = NULL;

    if (hpmviz_shellcommand_read(command, &read, NULL))
        found = g_strdup_printf("%s|%s|%s%s", read.preparation, read.program,
                                read.has_hpmcount ? "hpmcount " : "",
                                command + read.at);
    is_text(found, expected, command);
    hpmviz_shellcommand_clear(&read);
}

static void
test_commands(void)
{
    expect_program("./work", "|./work|./work");
    expect_program("make -s && ./work 100", "make -s|./work|./work 100");
    expect_program("cd a; make  ;A=1 B='x y' ./work 'a && b' > out 2>&1 ;",
                   "cd a; make|./work|./work 'a && b' > out 2>&1 ;");
    expect_program("make\n./'my work' | tee log",
                   "make|./my work|./'my work' | tee log");
    expect_program("./a\\ b &", "|./a b|./a\\ b &");
    expect_program("\"a;b\" x || c \"d|e\"", "\"a;b\" x|c|c \"d|e\"");
    expect_program("mpirun -n 2 hpmcount -e cycles ./work 3",
                   "|./work|hpmcount -e cycles ./work 3");
    expect_program("/usr/bin/hpmcount work", "|work|hpmcount work");
    expect_program("< in ./work", "|./work|./work");
    expect_program("make && (./work)", NULL);
    expect_program("for i in 1 2; do ./work; done", NULL);
    expect_program("A=1", NULL);
    expect_program("hpmcount -v", NULL);
    expect_program("", NULL);
    expect_program(" ; ", NULL);
}

int
main(void)
{
    test_functions();
    test_commands();
    return done();
}
