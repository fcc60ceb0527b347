/* SPDX-License-Identifier: BSD-3-Clause
 * Sources in which calls are easily put wrong: directives, nests of loops,
 * attributes, ids with names, long lines.  A line of a table each. */
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "viz/instrumenter.h"

struct odd {
    const char *name, *text; /* a source */
    guint first, last;       /* lines of it */
    const char *part;        /* of what comes out, or of the reason */
    const char *sentence;
};

/* Is the part in it?  A reason is one line; a text has more. */
static void
check(const struct odd *odd, gboolean is_refused)
{
    g_autofree char *result =
        instrumenter_add(odd->name, odd->text, odd->first, odd->last);
    gboolean is_good = strstr(result, odd->part) != NULL &&
                       (strchr(result, '\n') == NULL) == is_refused;

    if (!is_good)
        printf("# %s\n", result);
    ok(is_good, odd->sentence);
}

#define F "subroutine f(n)\n" /* line 1 */
#define END "end subroutine\n"
#define NEST                                                                   \
    "do i = 1, n\n"                                                            \
    "  do j = 1, n\n"                                                          \
    "    call g(i, j)\n"                                                       \
    "  end do\n"                                                               \
    "end do\n"

/* ---- calls that stand where they should ------------------------------- */

static const struct odd good[] = {
    {"a.f90",
     F "x = 1\n!$acc parallel loop\n" NEST "!$acc end parallel loop\n" END, 4,
     8, "', 4)\n!$acc parallel loop\ndo i",
     "a start is above OpenACC's directive of a loop"},
    {"a.f90",
     F "x = 1\n!$acc parallel loop\n" NEST "!$acc end parallel loop\n" END, 4,
     8, "!$acc end parallel loop\ncall hpmTstop(",
     "and the stop below its end"},
    {"a.f90", F "x = 1\n!DIR$ IVDEP\n" NEST END, 4, 8,
     "', 4)\n!DIR$ IVDEP\ndo i", "a start is above a compiler's directive"},
    {"a.f90", F "x = 1\n!GCC$ unroll 4\n" NEST END, 4, 8,
     "', 4)\n!GCC$ unroll 4\ndo i", "above that of gfortran"},
    {"a.f90", F "x = 1\n!$omp parallel do\n!dir$ ivdep\n" NEST END, 5, 9,
     "', 4)\n!$omp parallel do\n!dir$ ivdep\ndo i", "above two of them"},
    {"a.f",
     "      subroutine f(n)\ncdir$ ivdep\n      do i = 1, n\n"
     "      end do\n      end\n",
     3, 4, "\ncdir$ ivdep\n      do i", "in fixed form, too"},
    {"a.f90",
     F "!$omp sections\n!$omp section\ncall g(1)\n!$omp section\n"
       "call g(2)\n!$omp end sections\n" END,
     6, 6, "!$omp section\ncall hpmTstart(1, 'f part', 'a.f90', 7)\ncall g(2)",
     "lines of one section get calls inside of it"},
    {"a.f90",
     F "!$omp sections\n!$omp section\ncall g(1)\n!$omp section\n"
       "call g(2)\n!$omp end sections\n" END,
     2, 7, "', 3)\n!$omp sections\n", "all sections get them around"},
    {"a.f90",
     F "x = 1\n!$omp workshare\na = 1\nb = 2\n!$omp end workshare\n" END, 3, 6,
     "', 4)\n!$omp workshare\n", "a workshare is measured as a whole"},
    {"a.f90", F "x = 1\n!$omp target\n" NEST "!$omp end target\n" END, 3, 9,
     "!$omp end target\ncall hpmTstop(", "and so is what a device runs"},
    {"a.f90", F "!$omp target data map(a)\n" NEST "!$omp end target data\n" END,
     3, 7, "map(a)\ncall hpmTstart(",
     "what is only about a device's data is not"},
    {"a.f90",
     F "!$omp parallel\ncall g(1)\n!$omp cancel parallel\ncall g(2)\n"
       "!$omp end parallel\n" END,
     3, 5, "call hpmTstart(1, 'f', 'a.f90', 4)\ncall g(1)",
     "a directive that stands alone begins no region"},
    {"a.f90", F "!$omp do collapse(2)\n" NEST END, 3, 7,
     "', 3)\n!$omp do collapse(2)\ndo i",
     "loops made one are measured together"},
    {"a.f90", F "!$omp do collapse(2)\n" NEST END, 5, 5,
     "do j = 1, n\n    call hpmTstart(", "or what is inside of the innermost"},
    {"a.f90",
     "submodule (m) s\ncontains\nmodule procedure f\nx = 1\ny = 2\n"
     "end procedure\nsubroutine h\nz = 3\nend subroutine\n"
     "end submodule\n",
     5, 5, "module procedure f\nuse hpm\nx = 1\ncall hpmTstart(1, 'f part'",
     "a module procedure is a procedure, and has a name"},
    {"a.f90",
     "submodule (m) s\ncontains\nmodule procedure f\nx = 1\ny = 2\n"
     "end procedure\nsubroutine h\nz = 3\nend subroutine\n"
     "end submodule\n",
     8, 8, "subroutine h\nuse hpm\ncall hpmTstart(1, 'h'",
     "what is behind it is in the submodule still"},
    {"a.f90",
     "module m\ninterface g\nmodule procedure g1, g2\n"
     "module procedure g3\nend interface\ncontains\nsubroutine g1\n"
     "x = 1\nend subroutine\nend module\n",
     8, 8, "call hpmTstart(1, 'g1'", "in an interface it only names one"},
    {"a.f",
     "      subroutine a_name_so_long_that_it_fills_a_line_by_itself\n"
     "      x = 1\n      y = 2\n      end\n",
     3, 3,
     "      call hpmTstart(1, 'a_name_so_long_that_it_fills_a_lin part',"
     "\n     & 'a.f', ",
     "of a long name a label in fixed form has as much as fits"},
    {"a.F",
     "      subroutine a_name_so_long_that_it_fills_a_line_by_itself\n"
     "      x = 1\n      y = 2\n      end\n",
     3, 3, "call f_hpmtstart(1, 'a_name_so_long_that_it_fills_a_lin part')\n",
     "as much as fits into one line for the preprocessor"},
    {"abcdefghijklmnopqrst.f",
     "      subroutine solve_it\n      x = 1\n      y = 2\n      end\n", 3, 3,
     "      call hpmTstart(1, 'solve_it part',\n     & 'abcdefghijklmnopqrst",
     "there is room for a number of line with more digits"},
    {"a.f",
     "      subroutine f(n)\n      if (s .eq. '\xc3\xa4\xc3\xb6\xc3\xbc"
     "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6\xc3\xbc\xc3\xa4\xc3\xb6"
     "                                ') then\n      x = 1\n"
     "      end if\n      end\n",
     2, 4, "call hpmTstart(1, 'f'", "columns of fixed form are characters"},
    {"a.f",
     "      subroutine f(n)\n      if (s .eq. '\xe4\xf6\xfc\xe4\xf6\xfc"
     "\xe4\xf6\xfc                                ') then\n"
     "      x = 1\n      end if\n      end\n",
     2, 4, "call hpmTstart(1, 'f'", "and bytes in a text that is in Latin-1"},
    {"a.f90", F "print *, '\xe4'\nx = 1 ! \xf6\n" END, 3, 3,
     "call hpmTstart(1, 'f part', 'a.f90', 4)\nx = 1 ! \xf6\ncall hpm",
     "such bytes stay as they are"},
    {"a.c",
     "void f(int n)\n{\n  switch (n) {\n  case 1:\n    g();\n    h();\n"
     "    [[fallthrough]];\n  case 2:\n    g();\n  }\n}\n",
     6, 7, "h();\n    hpmTstop(1);\n    [[fallthrough]];\n  case 2",
     "the stop is before a statement that falls through"},
    {"a.c",
     "void f(int n)\n{\n  switch (n) {\n  case 1:\n    g();\n    h();\n"
     "    __attribute__((fallthrough));\n  case 2:\n    g();\n  }\n}\n",
     6, 7, "h();\n    hpmTstop(1);\n    __attribute__",
     "also where that is an attribute of GCC"},
    {"a.c",
     "void f(int n)\n{\n  do\n    if (n)\n    { g(); }\n    else\n"
     "    { h(); }\n  while (n--);\n  g();\n}\n",
     3, 8, "hpmTstart(1, \"f loop\");\n  do",
     "a do whose body ends in braces is a loop"},
    {"a.c",
     "void f(int n)\n{\n  for (;;)\n    if (n) { g(); } else { h(); }\n"
     "  while (n) g();\n}\n",
     5, 5, "  hpmTstart(1, \"f loop\");\n  while",
     "a while behind a for without braces is a loop"},
    {"a.c", "void f(int n)\n{\n  CRITICAL { g(); }\n  while (n) g();\n}\n", 4,
     4, "  hpmTstart(1, \"f loop\");\n  while",
     "and one behind the block of a macro"},
    {"a.cc",
     "void f(int n)\n{\n  if (n) { g(); }\n  [[maybe_unused]] int x = 1;\n"
     "  g();\n}\n",
     4, 4, "hpmTstart(1, \"f part\");\n  [[maybe",
     "an attribute begins a statement"},
    {"a.c",
     "#include <libhpm.h>\n#define SOLVE 3\nvoid f(void)\n{\n"
     "  hpmTstart(SOLVE, \"s\");\n  hpmTstop(SOLVE);\n  g();\n}\n",
     7, 7, "hpmTstart(4, ", "an id that a macro gives is taken"},
    {"a.c",
     "#include <libhpm.h>\nenum { IN = 5, SOLVE, OUT };\nvoid f(void)\n{\n"
     "  hpmTstart(SOLVE, \"s\");\n  hpmTstop(SOLVE);\n  g();\n}\n",
     7, 7, "hpmTstart(7, ", "and so is one of an enum"},
    {"a.c",
     "#include <libhpm.h>\n#define FIRST 8\nenum id : int { IN = FIRST,\n"
     "SOLVE };\nvoid f(void)\n{\n  hpmTstart(SOLVE, \"s\");\n"
     "  hpmTstop(SOLVE);\n  g();\n}\n",
     9, 9, "hpmTstart(10, ", "whose numbers may be macros"},
    {"a.f90",
     F "use hpm\ninteger, parameter :: s = 6, t = s\n"
       "call hpmTstart(t, 's')\ncall hpmTstop(t)\nx = 1\n" END,
     6, 6, "call hpmTstart(7, ", "or that a parameter of Fortran gives"},
    {"a.c",
     "#include <a.h>\n#define ALL \"/tmp/*\"\nvoid f(void)\n{\n  g();\n}\n"
     "#define END \"*/\"\n",
     5, 5, "{\n  hpmTstart(1, \"f\");\n  g();\n  hpmTstop(1);",
     "a string of a macro begins no comment"},
    {"a.c", "#define Q '\"' /* a\n quote */\nvoid f(void)\n{\n  g();\n}\n", 5,
     5, "quote */\n#include <libhpm.h>\nvoid f",
     "nor does a character a string"},
    {"a.c",
     "void f(int n)\n{\n#pragma omp for collapse(2)\n  for (;;) {\n"
     "    for (;;) {\n      g();\n      h();\n    }\n  }\n}\n",
     7, 7, "g();\n      hpmTstart(1, \"f part\");\n      h();",
     "lines inside of loops made one are measured in C, too"},
};

/* ---- reasons ---------------------------------------------------------- */

static const struct odd bad[] = {
    {"a.f90", F "x = 1\n!dir$ ivdep\n" NEST END, 2, 3,
     "'!dir$ ivdep' in line 3 belongs to the statement below",
     "no stop between a directive and its loop"},
    {"a.f90", F "x = 1\n!$omp do\n" NEST END, 2, 3,
     "'!$omp do' in line 3 belongs", "nor behind that of OpenMP"},
    {"a.f90",
     F "!$omp sections\n!$omp section\ncall g(1)\n!$omp section\n"
       "call g(2)\n!$omp end sections\n" END,
     4, 6, "'!$omp section' in line 5 begins a part",
     "not two sections of all"},
    {"a.f90",
     F "!$omp sections\n!$omp section\ncall g(1)\n!$omp section\n"
       "call g(2)\n!$omp end sections\n" END,
     5, 6, "'!$omp section' in line 5", "nor one with its directive"},
    {"a.f90",
     F "!$omp parallel workshare\na = 1\nb = 2\n"
       "!$omp end parallel workshare\n" END,
     3, 3, "inside of '!$omp parallel workshare'", "nothing in a workshare"},
    {"a.f90", F "!$omp target\n" NEST "!$omp end target\n" END, 3, 7,
     "line 3 is run by a device ('!$omp target' in line 2)",
     "nothing that a device runs"},
    {"a.f90", F "!$omp target teams distribute parallel do\n" NEST END, 5, 5,
     "line 5 is run by a device", "in a loop"},
    {"a.f90", F "!$acc kernels\n" NEST "!$acc end kernels\n" END, 4, 6,
     "line 4 is run by a device ('!$acc kernels'", "by OpenACC"},
    {"a.f90", F "!$acc routine seq\nx = 1\n" END, 3, 3,
     "line 3 is run by a device", "or by a whole procedure"},
    {"a.f90", F "!$omp declare target\nx = 1\n" END, 3, 3,
     "line 3 is run by a device", "of OpenMP, too"},
    {"a.f90", F "!$omp do collapse(2)\n" NEST END, 4, 6,
     "'!$omp do collapse(2)' in line 2 makes several loops one",
     "no loop of several that are made one"},
    {"a_name_of_a_file_that_is_longer_than_a_line_of_fixed_form_has_columns.f",
     "      subroutine f\n      x = 1\n      end\n", 2, 2,
     "does not fit into a line of 72", "no name that is longer than a line"},
    {"a.c",
     "void f(int n)\n{\n  switch (n) {\n  case 1:\n"
     "    h(); [[fallthrough]];\n  case 2:\n    g();\n  }\n}\n",
     5, 5, "'fallthrough' in line 5", "nothing that falls through in its line"},
    {"a.c",
     "void f(int n)\n{\n  switch (n) {\n  case 1:\n    h();\n"
     "    [[fallthrough]];\n  case 2:\n    g();\n  }\n}\n",
     6, 6, "there is no statement", "falling through is no statement"},
    {"a.c",
     "void f(int n)\n{\n  do\n    if (n) { g(); } else { h(); }\n"
     "  while (n--);\n}\n",
     5, 5, "line 5 goes on with the statement",
     "the end of a do whose body ends in braces is no loop"},
    {"a.c",
     "void f(int n)\n{\n  do\n    if (n) g();\n    else h();\n"
     "  while (n--);\n}\n",
     6, 6, "line 6 goes on with the statement", "with or without them"},
    {"a.cc", "void f(int n)\n{\n  if (n) [[likely]] { return; }\n  g();\n}\n",
     3, 3, "'return' in line 3", "a way out behind an attribute is seen"},
    {"a.c",
     "void f(int n)\n{\n#pragma omp for collapse(2)\n  for (;;) {\n"
     "    for (;;)\n      g();\n  }\n}\n",
     5, 6, "makes several loops one", "no loop of several in C"},
    {"a.c",
     "void f(int n)\n{\n#pragma omp target\n  {\n    g();\n    h();\n  }\n"
     "}\n",
     6, 6, "line 6 is run by a device", "nothing that a device runs in C"},
};

/* ---- ids with names --------------------------------------------------- */

static void
test_named_ids(void)
{
    static const char text[] =
        "#include <libhpm.h>\n#define SOLVE 1\nvoid f(void)\n{\n"
        "  hpmTstart(SOLVE, \"s\");\n  g();\n  hpmTstop(SOLVE);\n"
        "  hpmTstart(7, \"t\");\n  h();\n  hpmTstop(7);\n}\n";
    char *result = instrumenter_take_away("a.c", text, 6, 6);

    ok(strstr(result, "SOLVE, ") == NULL && strstr(result, "(SOLVE)") == NULL &&
           strstr(result, "hpmTstop(7)") != NULL,
       "calls with a name for their id are taken away together");
    g_free(result);
    result = instrumenter_renumber("a.c", text);
    ok(strstr(result, "hpmTstart(2, \"t\")") != NULL &&
           strstr(result, "hpmTstop(2)") != NULL &&
           strstr(result, "hpmTstop(SOLVE)") != NULL,
       "new numbers leave out that of a name, which stays");
    g_free(result);
}

int
main(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        check(&good[i], FALSE);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        check(&bad[i], TRUE);
    test_named_ids();
    return done();
}
