/* SPDX-License-Identifier: BSD-3-Clause
 * Calls stand where they measure the lines that were selected, or a reason is
 * given: small sources, a line each way. */
#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/renumbering.h"

#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "viz/instrumenter.h"

static void
expect(const char *name, const char *text, guint first, guint last,
       const char *expected, const char *sentence)
{
    char *result = instrumenter_add(name, text, first, last);

    is_text(result, expected, sentence);
    g_free(result);
}

static void
refuse(const char *name, const char *text, guint first, guint last,
       const char *part, const char *sentence)
{
    char *result = instrumenter_add(name, text, first, last);

    if (strstr(result, part) == NULL || strchr(result, '\n') != NULL)
        printf("# it said: %s\n", result);
    ok(strstr(result, part) != NULL && strchr(result, '\n') == NULL, sentence);
    g_free(result);
}

static void
test_c(void)
{
    expect("a.c",
           "#include <stdio.h>\nvoid\nf(int n)\n{\n    int x = 1;\n"
           "    g(x);\n    for (;;)\n        g(n);\n}\n",
           7, 8,
           "#include <stdio.h>\n#include <libhpm.h>\nvoid\nf(int n)\n{\n"
           "    int x = 1;\n    g(x);\n    hpmTstart(1, \"f loop\");\n"
           "    for (;;)\n        g(n);\n    hpmTstop(1);\n}\n",
           "a loop gets a start before and a stop behind, and the header");
    expect("a.c",
           "/* what */\nint f(void)\n{\n\tg();\n\n\th();\n\treturn 0;\n}\n",
           3 + 1, 5,
           "/* what */\n#include <libhpm.h>\nint f(void)\n{\n"
           "\thpmTstart(1, \"f part\");\n\tg();\n\thpmTstop(1);\n\n"
           "\th();\n\treturn 0;\n}\n",
           "tabs stay, blank lines at the end are left out, and without any "
           "#include the header is before the code");
    expect("a.c", "#include <libhpm.h>\r\nvoid f(void)\r\n{\r\n  g();\r\n}\r\n",
           4, 4,
           "#include <libhpm.h>\r\nvoid f(void)\r\n{\r\n"
           "  hpmTstart(1, \"f\");\r\n  g();\r\n  hpmTstop(1);\r\n}\r\n",
           "lines end as those around them, and there is one header");
}

static void
test_c_directives(void)
{
    static const char loop[] = "#include <libhpm.h>\n"             /* 1 */
                               "void f(int n)\n{\n"                /* 2, 3 */
                               "#ifdef A\n    if (n) {\n#else\n"   /* 4, 5, 6 */
                               "    if (!n) {\n#endif\n"           /* 7, 8 */
                               "        g();\n    }\n"             /* 9, 10 */
                               "#pragma omp parallel for\n"        /* 11 */
                               "    for (int i = 0; i < n; i++)\n" /* 12 */
                               "        g();\n"                    /* 13 */
                               "#pragma omp barrier\n"             /* 14 */
                               "    h(\"}\", '{'); /* } */\n"      /* 15 */
                               "}\n";                              /* 16 */
    char *result = instrumenter_add("a.c", loop, 12, 13);

    ok(strstr(result, "    }\n    hpmStart(1, \"f loop\");\n"
                      "#pragma omp parallel for\n") != NULL &&
           strstr(result, "        g();\n    hpmStop(1);\n#pragma omp b") !=
               NULL,
       "a pragma stays with its loop; around a parallel region the process is "
       "measured");
    g_free(result);
    result = instrumenter_add("a.c", loop, 15, 15);
    ok(strstr(result, "barrier\n    hpmTstart(1, \"f part\");\n    h(") != NULL,
       "a barrier is no part of the statement below; braces in strings, "
       "characters and comments are none");
    g_free(result);
    result = instrumenter_add("a.c", loop, 4, 10);
    ok(strstr(result, "{\n    hpmTstart(1, \"f part\");\n#ifdef A\n") != NULL,
       "a statement with two beginnings is one for each way to compile it");
    g_free(result);
    refuse("a.c", loop, 7, 10, "'#endif' in line 8",
           "one of its beginnings is not");
    refuse("a.c", loop, 10, 11, "'}' of line 10", "nor is its end");
    refuse("a.c", loop, 11, 11, "no statement", "a pragma is no statement");
    refuse("a.c", "#define F(x) \\\n    g(x); \\\n    h(x)\n", 2, 2, "macro",
           "a macro has no room for calls");
    refuse("a.c", "void f(void)\n{\n  /*\n  g();\n  */\n}\n", 4, 4, "comment",
           "a comment neither");
    refuse("a.c",
           "void f(int n)\n{\n#if A\n  g();\n#else\n  return;\n"
           "#endif\n}\n",
           3, 7, "'return' in line 6", "a way out of any branch is one");
}

static void
test_c_jumps(void)
{
    static const char text[] = "void f(int n)\n{\n"      /* 1, 2 */
                               "again:\n"                /* 3 */
                               "    g();\n"              /* 4 */
                               "    if (n--)\n"          /* 5 */
                               "        goto again;\n"   /* 6 */
                               "    switch (n) {\n"      /* 7 */
                               "    case 1:\n"           /* 8 */
                               "        h();\n"          /* 9 */
                               "        break;\n"        /* 10 */
                               "    default:\n"          /* 11 */
                               "        k(n ? 1 : 2);\n" /* 12 */
                               "    }\n"                 /* 13 */
                               "    do {\n"              /* 14 */
                               "        continue;\n"     /* 15 */
                               "    } while (n--);\n"    /* 16 */
                               "    EACH(n) {\n"         /* 17 */
                               "        break;\n"        /* 18 */
                               "    }\n"                 /* 19 */
                               "}\n";                    /* 20 */
    char *result;

    refuse("a.c", text, 3, 4, "'goto' in line 6", "not what a goto enters");
    refuse("a.c", text, 5, 6, "'goto' in line 6", "or leaves");
    refuse("a.c", text, 8, 9, "switch", "not what a switch enters");
    refuse("a.c", text, 9, 10, "'break'", "or what leaves it");
    refuse("a.c", text, 14, 15, "'{' of line 14", "not half a do");
    result = instrumenter_add("a.c", text, 3, 19);
    ok(strstr(result, "    hpmTstop(1);\n}\n") != NULL,
       "all together have none of that");
    g_free(result);
    result = instrumenter_add("a.c", text, 9, 9);
    ok(strstr(result, "case 1:\n        hpmTstart(1, \"f part\");\n") != NULL,
       "a statement behind a case can be measured");
    g_free(result);
}

/* ---- C++ -------------------------------------------------------------- */

static void
test_cpp(void)
{
    static const char text[] =
        "#include <vector>\n"                            /* 1 */
        "int A::f(int n) const\n{\n"                     /* 2, 3 */
        "    for (int i = 0; i < n; i++) {\n"            /* 4 */
        "        if (i == 3)\n"                          /* 5 */
        "            return R\"x(\"})x\"[0];\n"          /* 6 */
        "        g(1'000, [&] { return i; });\n"         /* 7 */
        "    }\n"                                        /* 8 */
        "    return 0;\n"                                /* 9 */
        "}\n"                                            /* 10 */
        "constexpr int k(int n)\n{\n    return n;\n}\n"; /* 11 to 14 */
    char *result = instrumenter_add("a.cc", text, 5, 7);

    ok(strstr(result, "#include <vector>\n#include <libhpm.hpp>\n") != NULL &&
           strstr(result, "{\n        HPM_SECTION(1, \"f part\");\n"
                          "        if (i == 3)") != NULL &&
           strstr(result, "hpmTstop") == NULL,
       "a whole block gets a section that ends with it, by return, too");
    g_free(result);
    result = instrumenter_add("a.cc", text, 4, 9);
    ok(strstr(result, "    HPM_SECTION(1, \"f\");\n    for") != NULL,
       "so does the body of a function");
    g_free(result);
    result = instrumenter_add("a.cc", text, 7, 7);
    ok(strstr(result, "        hpmTstart(1, \"f part\");\n        g(1'000") !=
           NULL,
       "other lines get a start and a stop; a lambda's return leaves nothing");
    g_free(result);
    refuse("a.cc", text, 4, 8, "'return' in line 6",
           "then no return may leave them");
    refuse("a.cc", text, 13, 13, "constexpr", "a constant is not measured");
    result = instrumenter_add(
        "a.cc", "void f() {\n  {\n    g();\n  }\n  h();\n}\n", 2, 4);
    is_text(result,
            "#include <libhpm.hpp>\nvoid f() {\n  {\n"
            "    HPM_SECTION(1, \"f part\");\n    g();\n  }\n  h();\n}\n",
            "a block with its braces gets the section inside");
    g_free(result);
}

/* ---- Fortran ---------------------------------------------------------- */

/* Do all of these stand in the text, in this order?  Ended by NULL. */
static void
contains(const char *name, const char *text, guint first, guint last,
         const char *const *parts, const char *sentence)
{
    char *result = instrumenter_add(name, text, first, last);
    const char *at = result;

    for (; *parts != NULL && at != NULL; parts++)
        at = strstr(at, *parts);
    if (at == NULL)
        printf("# got %s\n", result);
    ok(at != NULL, sentence);
    g_free(result);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char fixed_form[] =
    "C     a subroutine's comment: do 10\n"     /* 1 */
    "      SUBROUTINE CALC1(N, P)\n"            /* 2 */
    "      USE PARAMS\n"                        /* 3 */
    "      INTEGER N\n"                         /* 4 */
    "      REAL P(N), DO10I\n"                  /* 5 */
    "      DO10I = 1.5\n"                       /* 6 */
    "C$OMP PARALLEL DO\n"                       /* 7 */
    "      DO 300 I=1,N\n"                      /* 8 */
    "      DO 300 J=1,N\n"                      /* 9 */
    "        IF (P(I) .GT. 0) GO TO 300\n"      /* 10 */
    "        P(I) = F('it''s a ! string; &',\n" /* 11 */
    "     1          J)\n"                      /* 12 */
    "  300 CONTINUE\n"                          /* 13 */
    "C$OMP END PARALLEL DO\n"                   /* 14 */
    "      IF (N .LT. 0) RETURN\n"              /* 15 */
    "   20 READ (5, *, END=30) P(1)\n"          /* 16 */
    "      GO TO 20\n"                          /* 17 */
    "   30 CONTINUE\n"                          /* 18 */
    "      END\n";                              /* 19 */

static void
test_fixed_form(void)
{
    static const char name[] = "calc.f";

    contains(name, fixed_form, 8, 13,
             PARTS("      USE PARAMS\n      use hpm\n      INTEGER N\n",
                   "1.5\n      call hpmStart(1, 'calc1 loop', 'calc.f', 8)\n"
                   "C$OMP PARALLEL DO\n",
                   "C$OMP END PARALLEL DO\n"
                   "      call hpmStop(1, 'calc.f', 17)\n"),
             "a loop with a label gets its calls outside of its directives, "
             "by the module, with its lines");
    contains("calc.F", fixed_form, 11, 12,
             PARTS("#include \"f_hpm.h\"\n      SUBROUTINE", "GO TO 300\n",
                   "        call f_hpmtstart(1, 'calc1 part')\n        P(I)",
                   "J)\n        call f_hpmtstop(1)\n  300"),
             "what is preprocessed by the header; statements inside a loop");
    refuse(name, fixed_form, 8, 12, "line 13", "not a loop without its label");
    refuse(name, fixed_form, 9, 13, "line 8", "nor a loop that shares it");
    refuse(name, fixed_form, 12, 13, "lines 11 to 12",
           "not a part of a statement");
    refuse(name, fixed_form, 15, 15, "'return' in line 15", "not a return");
    refuse(name, fixed_form, 16, 17, "'goto' in line 16",
           "not what the end of a file leaves");
    refuse(name, fixed_form, 18, 18, "line 16 jumps to line 18",
           "not what is jumped to");
    refuse(name, fixed_form, 4, 6, "line 4", "not a declaration");
    refuse(name, fixed_form, 1, 1, "no statement", "not a comment");
    contains(name, fixed_form, 16, 18, PARTS("   30 CONTINUE\n      call"),
             "all of a loop of jumps is measured");
    contains("a.f", "\tPROGRAM A\n\tX = 1\n\tEND\n", 2, 2,
             PARTS("\tuse hpm\n\tcall hpmTstart(1, 'a', 'a.f', 3)\n\tX = 1"),
             "tabs stay");
    contains("a.f",
             "      X = 1\n"
             "                                             Y = 2\n      END\n",
             2, 2,
             PARTS("      use hpm\n      X = 1\n",
                   "\n      call hpmTstart(1, 'main part', 'a.f', 3)\n"),
             "no line is longer than 72 columns");
}

static void
test_long_lines(void)
{
    contains("a_very_long_name_of_a_source_that_is_in_fixed_form.f",
             "      X = 1\n      Y = 2\n      END\n", 2, 2,
             PARTS("      call hpmTstart(1, 'main part',\n     & 'a_very"),
             "a call that is too long goes on in the next line");
}

static const char free_form[] =
    "module m\n"                                 /* 1 */
    "  implicit none\n"                          /* 2 */
    "contains\n"                                 /* 3 */
    "  subroutine relax(n, a)\n"                 /* 4 */
    "    integer, intent(in) :: n\n"             /* 5 */
    "    real, intent(inout) :: a(n)\n"          /* 6 */
    "    integer :: i\n"                         /* 7 */
    "    outer: do i = 1, n  ! do; not & this\n" /* 8 */
    "      if (a(i) > 0) cycle\n"                /* 9 */
    "      if (a(i) < 0) exit outer\n"           /* 10 */
    "      a(i) = a(i) + &\n"                    /* 11 */
    "             1.0; a(i) = 2\n"               /* 12 */
    "    end do outer\n"                         /* 13 */
    "    where (a > 0)\n"                        /* 14 */
    "      a = 1\n"                              /* 15 */
    "    end where\n"                            /* 16 */
    "    where (a > 0) a = 2\n"                  /* 17 */
    "    if (n > 2) then\n"                      /* 18 */
    "      a = 3\n"                              /* 19 */
    "    else\n"                                 /* 20 */
    "      a = 4\n"                              /* 21 */
    "    end if\n"                               /* 22 */
    "  end subroutine\n"                         /* 23 */
    "  pure real function g(x)\n"                /* 24 */
    "    real, intent(in) :: x\n"                /* 25 */
    "    g = x\n"                                /* 26 */
    "  end function g\n"                         /* 27 */
    "end module\n";                              /* 28 */

static void
test_free_form(void)
{
    static const char name[] = "relax.f90";

    contains(name, free_form, 8, 13,
             PARTS("subroutine relax(n, a)\n    use hpm\n    integer, intent",
                   "    call hpmTstart(1, 'relax loop', 'relax.f90', 9)\n"
                   "    outer: do",
                   "    end do outer\n"
                   "    call hpmTstop(1, 'relax.f90', 16)\n"),
             "a loop with a name, and ways out inside");
    contains("relax.F90", free_form, 14, 22,
             PARTS("    call hpmTstart(1, 'relax part', 'relax.F90', __LINE__)",
                   "    end if\n    call hpmTstop(1, 'relax.F90', __LINE__)\n"
                   "  end subroutine"),
             "the preprocessor knows its line");
    contains(name, free_form, 8, 22, PARTS("'relax', 'relax.f90'"),
             "all of a procedure has its name");
    refuse(name, free_form, 9, 9, "'cycle' in line 9", "not a way on");
    refuse(name, free_form, 10, 10, "'exit' in line 10", "not a way out");
    refuse(name, free_form, 12, 12, "lines 11 to 12", "not half a statement");
    refuse(name, free_form, 15, 15, "line 14", "not inside of a where");
    refuse(name, free_form, 18, 19, "line 22", "not half an if");
    refuse(name, free_form, 20, 21, "line 18", "nor the other half");
    refuse(name, free_form, 26, 26, "pure", "not in a pure function");
    refuse(name, free_form, 23, 23, "line 23", "not the end of a procedure");
    contains(name,
             "program p\n  use hpm, only: hpmTstop, &\n    hpmTstart\n"
             "  print *, 1\n  call s\ncontains\n  subroutine s\n"
             "    print *, 2\n  end subroutine\nend program\n",
             8, 8, PARTS("subroutine s\n    call hpmTstart(1, 's', "),
             "a procedure has what the program around uses");
}

/* ---- taking away and numbering ----------------------------------------- */

/* Adding and taking away are inverse, and a second section stays. */
static void
expect_inverse(const char *name, const char *text, guint first, guint last)
{
    char *once = instrumenter_add(name, text, first, last);
    char *back = instrumenter_take_away(name, once, 0, 0);
    char *sentence = g_strdup_printf("%s: what was added goes again", name);

    is_text(back, text, sentence);
    g_free(sentence);
    g_free(back);
    g_free(once);
}

static void
test_inverse(void)
{
    expect_inverse("a.c", "void f(void)\n{\n    g();\n}\n", 3, 3);
    expect_inverse("a.c", "#include <a.h>\r\nvoid f(void)\r\n{\r\n\tg();\r\n}",
                   4, 4);
    expect_inverse("a.cc", "void f()\n{\n    { g(); }\n    h();\n}\n", 3, 3);
    expect_inverse("a.cc", "void f()\n{\n    return g();\n}\n", 3, 3);
    expect_inverse("calc.f", fixed_form, 8, 13);
    expect_inverse("calc.F", fixed_form, 11, 12);
    expect_inverse("relax.f90", free_form, 8, 13);
    expect_inverse("relax.F90", free_form, 14, 22);
    expect_inverse("a_very_long_name_of_a_source_that_is_in_fixed_form.f",
                   "      X = 1\n      Y = 2\n      END\n", 2, 2);
}

static void
test_one_of_two(void)
{
    static const char text[] = "#include <libhpm.h>\n"        /* 1 */
                               "void f(int n)\n{\n"           /* 2, 3 */
                               "    hpmTstart(7, \"all\");\n" /* 4 */
                               "    hpmTstart(4, \"in\");\n"  /* 5 */
                               "    g();\n"                   /* 6 */
                               "    hpmTstop(4);\n"           /* 7 */
                               "    h();\n"                   /* 8 */
                               "    hpmWork(7, n, \"x\");\n"  /* 9 */
                               "    if (n)\n"                 /* 10 */
                               "        hpmTstop(9);\n"       /* 11 */
                               "    hpmTstop(7);\n"           /* 12 */
                               "}\n";                         /* 13 */
    char *result = instrumenter_take_away("a.c", text, 6, 6);
    GError *error = NULL;
    GArray *edits;

    ok(strstr(result, "hpmTstart(7, \"all\");\n    g();\n    h();\n") != NULL,
       "of the section around the lines, the innermost");
    g_free(result);
    result = instrumenter_take_away("a.c", text, 12, 12);
    ok(strstr(result, "(7") == NULL && strstr(result, "\"in\"") != NULL &&
           strstr(result, "#include <libhpm.h>\n") != NULL,
       "of the section whose call is selected, its work, too");
    g_free(result);
    result = instrumenter_take_away("a.c", text, 0, 0);
    ok(strstr(result, "line 11 is not a statement by itself") != NULL,
       "not a call that an if decides about");
    g_free(result);
    result =
        instrumenter_take_away("a.c", "void f(void)\n{\n    g();\n}\n", 3, 3);
    ok(strstr(result, "no start or stop") != NULL, "not where none is");
    g_free(result);
    edits = hpmviz_renumbering_edits(text, HPMVIZ_LANGUAGE_C, 1, &error);
    result = hpmviz_edits_apply(edits, text);
    ok(strstr(result, "hpmTstart(1, \"all\");\n    hpmTstart(2, \"in\");\n"
                      "    g();\n    hpmTstop(2);\n    h();\n"
                      "    hpmWork(1, n") != NULL &&
           strstr(result, "hpmTstop(9);\n    hpmTstop(1);\n") != NULL,
       "sections are numbered in their order, with stops and work");
    g_free(result);
    g_array_unref(edits);
}

static void
test_numbers(void)
{
    static const char text[] = "      IF (N .EQ. 1) THEN\n"
                               "        CALL F_HPMTSTART (5, 'A')\n"
                               "      ELSE\n"
                               "        CALL F_HPMTSTART(5, 'B')\n"
                               "      END IF\n"
                               "      CALL F_HPMTSTOP(5)\n"
                               "      CALL F_HPMTSTART(3, 'C')\n"
                               "      CALL F_HPMTSTOP(3)\n"
                               "      END\n";
    GArray *edits =
        hpmviz_renumbering_edits(text, HPMVIZ_LANGUAGE_FIXED, 10, NULL);
    char *result = hpmviz_edits_apply(edits, text);

    ok(strstr(result, "F_HPMTSTART (10, 'A')") != NULL &&
           strstr(result, "F_HPMTSTART(10, 'B')") != NULL &&
           strstr(result, "F_HPMTSTOP(10)") != NULL &&
           strstr(result, "F_HPMTSTART(11, 'C')") != NULL &&
           strstr(result, "F_HPMTSTOP(11)") != NULL,
       "two starts with one stop stay one section");
    g_free(result);
    g_array_unref(edits);
}

static void
test_c_refused(void)
{
    static const char text[] = "void f(int n)\n"      /* 1 */
                               "{\n"                  /* 2 */
                               "    if (n)\n"         /* 3 */
                               "        g();\n"       /* 4 */
                               "    else\n"           /* 5 */
                               "        h();\n"       /* 6 */
                               "    for (;;) {\n"     /* 7 */
                               "        if (n)\n"     /* 8 */
                               "            break;\n" /* 9 */
                               "        k(a,\n"       /* 10 */
                               "          b);\n"      /* 11 */
                               "    }\n"              /* 12 */
                               "    return;\n"        /* 13 */
                               "}\n";                 /* 14 */

    refuse("a.c", text, 1, 1, "line 1 is not inside a function",
           "not what is no statement");
    refuse("a.c", text, 4, 4, "'if' of line 3", "not what an if decides about");
    refuse("a.c", text, 5, 6, "'else' in line 5", "not an else");
    refuse("a.c", text, 3, 4, "line 5", "not an if without its else");
    refuse("a.c", text, 7, 11, "'{' of line 7", "not a part of a block");
    refuse("a.c", text, 8, 9, "'break' in line 9", "not a way out of a loop");
    refuse("a.c", text, 10, 10, "'(' of line 10", "not a part of a call");
    refuse("a.c", text, 11, 11, "')' of line 11", "nor the rest of one");
    refuse("a.c", text, 13, 13, "'return' in line 13", "not a return");
    refuse("a.c", text, 15, 20, "no statement", "not what is no line");
    refuse("notes.txt", text, 3, 6, "notes.txt", "not a text of no language");
}

static void
test_owned(void)
{
    static const char text[] = "void f(int n)\n{\n" /* 1, 2 */
                               "    EACH(p, n)\n"   /* 3 */
                               "        g(p);\n"    /* 4 */
                               "    do {\n"         /* 5 */
                               "        g(n);\n"    /* 6 */
                               "    }\n"            /* 7 */
                               "    while (n--);\n" /* 8 */
                               "    do\n"           /* 9 */
                               "        g(n);\n"    /* 10 */
                               "    while (n--);\n" /* 11 */
                               "    while (n--);\n" /* 12 */
                               "#pragma\n"          /* 13 */
                               "    g(n);\n}\n";    /* 14 */
    char *result;

    refuse("a.c", text, 4, 4, "'EACH' of line 3",
           "not what a macro without braces may repeat");
    refuse("a.c", text, 8, 8, "line 8 goes on", "not the end of a do");
    refuse("a.c", text, 11, 11, "line 11 goes on", "nor of one without braces");
    result = instrumenter_add("a.c", text, 12, 12);
    ok(strstr(result, "hpmTstart(1, \"f loop\");\n    while") != NULL,
       "a while behind a do is a loop");
    g_free(result);
    result = instrumenter_add("a.c", text, 14, 14);
    ok(strstr(result, "hpmTstart(1, \"f part\");\n") != NULL,
       "an empty pragma is of no statement");
    g_free(result);
}

static void
test_unsigned_id(void)
{
    char *result = instrumenter_add(
        "a.c",
        "#include <libhpm.h>\nvoid f(void)\n{\n"
        "  hpmTstart(0x1u, \"f\");\n  hpmTstop(1UL);\n  g();\n}\n",
        6, 6);

    ok(strstr(result, "hpmTstart(2, \"f part\")") != NULL,
       "an id that is written as an unsigned number is taken");
    g_free(result);
}

static void
test_computed_goto(void)
{
    refuse("a.c",
           "void f(void)\n{\n  void *p = &&a;\n  goto *p;\na:\n  g();\n}\n", 5,
           6, "'goto' in line 4", "not what a computed goto may enter");
}

static void
test_pragmas(void)
{
    static const char text[] = "#include <libhpm.h>\nvoid f(int n)\n{\n"
                               "    g(n);\n"                /* 4 */
                               "#ifdef _OPENMP\n"           /* 5 */
                               "#pragma omp parallel for\n" /* 6 */
                               "#endif\n"                   /* 7 */
                               "    for (;;)\n"             /* 8 */
                               "        g(n);\n"            /* 9 */
                               "#pragma omp sections\n"     /* 10 */
                               "    {\n"                    /* 11 */
                               "#pragma omp section\n"      /* 12 */
                               "        g(1);\n"            /* 13 */
                               "#pragma omp section\n"      /* 14 */
                               "        g(2);\n"            /* 15 */
                               "    }\n}\n";                /* 16, 17 */
    char *result = instrumenter_add("a.c", text, 8, 9);

    ok(strstr(result, "g(n);\n    hpmStart(1, \"f loop\");\n#ifdef _O") != NULL,
       "a pragma in a conditional stays with its loop");
    g_free(result);
    refuse("a.c", text, 4, 7, "belongs to the statement below",
           "and is not the last of the lines");
    refuse("a.c", text, 12, 13, "'#pragma omp section'", "not a section");
    refuse("a.c", text, 13, 15, "'#pragma omp section'", "nor two of them");
    result = instrumenter_add("a.c", text, 11, 16);
    ok(strstr(result, "hpmTstart(1, \"f part\");\n#pragma omp sections") !=
           NULL,
       "but all sections");
    g_free(result);
}

static void
test_places_of_lines(void)
{
    expect("a.cc",
           "#include <libhpm.hpp>\nvoid f()\n{ /* what this\n"
           "     does */\n    g();\n}\nvoid h()\n{\n    {/* a\n"
           "     */\n        g();\n    }\n    g();\n}\n",
           9, 12,
           "#include <libhpm.hpp>\nvoid f()\n{ /* what this\n"
           "     does */\n    g();\n}\nvoid h()\n{\n"
           "    { HPM_SECTION(1, \"h part\");/* a\n     */\n        g();\n"
           "    }\n    g();\n}\n",
           "a section is not put into a comment behind a brace");
    expect("a.c",
           "#include <a.h> /* not libhpm.h */\nint t[] =\n"
           "#include \"t.inc\"\n;\nvoid f(void)\n{\n  g();\n}\n",
           7, 7,
           "#include <a.h> /* not libhpm.h */\n#include <libhpm.h>\n"
           "int t[] =\n#include \"t.inc\"\n;\nvoid f(void)\n{\n"
           "  hpmTstart(1, \"f\");\n  g();\n  hpmTstop(1);\n}\n",
           "the header is not put into an initializer, and a comment has none");
    expect("a.c", "/* a\n*/ void f(void)\n{\n  g();\n}\n", 4, 4,
           "#include <libhpm.h>\n/* a\n*/ void f(void)\n{\n"
           "  hpmTstart(1, \"f\");\n  g();\n  hpmTstop(1);\n}\n",
           "nor is the header put into a comment");
    expect("a.c",
           "#include <libhpm.h>\n#if 0\ndon't\n#endif\nvoid f(int n)\n{\n"
           "  hpmTstart(1, \"f\");\n  h('a');\n  hpmTstop(1);\n  g();\n}\n",
           10, 10,
           "#include <libhpm.h>\n#if 0\ndon't\n#endif\nvoid f(int n)\n{\n"
           "  hpmTstart(1, \"f\");\n  h('a');\n  hpmTstop(1);\n"
           "  hpmTstart(2, \"f part\");\n  g();\n  hpmTstop(2);\n}\n",
           "an apostrophe in a branch that is off hides no id");
}

static void
test_fortran_conditionals(void)
{
    static const char text[] = "subroutine f(n)\n"   /* 1 */
                               "integer :: n\n"      /* 2 */
                               "#ifdef A\n"          /* 3 */
                               "call g(n)\n"         /* 4 */
                               "call h(n)\n"         /* 5 */
                               "#else\n"             /* 6 */
                               "call k(n)\n"         /* 7 */
                               "#endif\n"            /* 8 */
                               "end subroutine f\n"; /* 9 */
    char *result;

    refuse("a.F90", text, 5, 7, "'#else' in line 6",
           "not from one branch into another");
    refuse("a.F90", text, 3, 5, "'#ifdef a' in line 3", "nor half of both");
    result = instrumenter_add("a.F90", text, 3, 8);
    ok(strstr(result, "call hpmTstart(1") != NULL, "but all of both");
    g_free(result);
    result = instrumenter_add("a.F90", text, 4, 5);
    ok(strstr(result, "call hpmTstart(1") != NULL, "or some of one");
    g_free(result);
}

static void
test_fortran_uses(void)
{
    expect(
        "a.F90",
        "subroutine f\nuse a\n#ifdef B\nuse b\nuse hpm\n#endif\n"
        "real :: domain(2)\ndomain = [0.0, 1.0]\nend subroutine f\n",
        8, 8,
        "subroutine f\nuse a\nuse hpm\n#ifdef B\nuse b\nuse hpm\n#endif\n"
        "real :: domain(2)\ncall hpmTstart(1, 'f', 'a.F90', __LINE__)\n"
        "domain = [0.0, 1.0]\ncall hpmTstop(1, 'a.F90', __LINE__)\n"
        "end subroutine f\n",
        "a module that only a branch uses is used again, outside of that; an "
        "array in brackets is a value");
}

static void
test_fortran_continued(void)
{
    char *result =
        instrumenter_add("a.f90",
                         "program f\n!$omp parallel &\n!$omp do &\n"
                         "!$omp & private(x)\ndo i = 1, 2\nend do\n"
                         "!$omp end parallel do &\n!$omp\nend program\n",
                         5, 6);

    ok(strstr(result, "call hpmStart(1, 'f', 'a.f90', 3)\n!$omp para") !=
               NULL &&
           strstr(result, "!$omp\ncall hpmStop(1") != NULL,
       "a directive of several lines stays with its loop");
    g_free(result);
    result = instrumenter_add("a.f",
                              "      program f\nc$omp parallel\nc$omp+do\n"
                              "      do i = 1, 2\n      end do\n      end\n",
                              4, 5);
    ok(strstr(result, "\nc$omp parallel\nc$omp+do\n      do") != NULL &&
           strstr(result, "call hpmStart(1") != NULL,
       "and so in fixed form, with any sign");
    g_free(result);
}

/* `NAME FIRST LAST` adds calls to a text that is read from the standard input:
 * tests/viz/instrumented.py compiles what comes out. */
static int
work_as_filter(char **arguments)
{
    GString *text = g_string_new(NULL);
    char *result;
    int byte;

    while ((byte = getchar()) != EOF)
        g_string_append_c(text, (char)byte);
    result =
        instrumenter_add(arguments[1], text->str, (guint)atoi(arguments[2]),
                         (guint)atoi(arguments[3]));
    fputs(result, stdout);
    g_free(result);
    g_string_free(text, TRUE);
    return 0;
}

int
main(int argc, char **argv)
{
    if (argc == 4)
        return work_as_filter(argv);
    test_c();
    test_c_refused();
    test_c_directives();
    test_c_jumps();
    test_owned();
    test_unsigned_id();
    test_computed_goto();
    test_pragmas();
    test_places_of_lines();
    test_fortran_conditionals();
    test_fortran_uses();
    test_fortran_continued();
    test_cpp();
    test_fixed_form();
    test_long_lines();
    test_free_form();
    test_inverse();
    test_one_of_two();
    test_numbers();
    return done();
}
