/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions a list of globs asks for. */
#include "elf/wanted.h"

#include "tap.h"

struct question {
    const char *list;
    const char *name;
    const char *file; /* NULL: not known */
    bool is_taken;
    const char *sentence;
};

static const struct question questions[] = {
    {"solve", "solve", NULL, true, "a name asks for the function"},
    {"solve", "solver", NULL, false, "a name is not the begin of a name"},
    {"solve_*", "solve_x", NULL, true, "a glob asks for all it matches"},
    {"a,b", "a", NULL, true, "the first of two globs asks"},
    {"a,b", "b", NULL, true, "the second of two globs asks"},
    {"a,b", "a,b", NULL, false, "a comma ends a glob"},
    {"!a", "a", NULL, false, "'!' leaves a function out"},
    {"!a", "b", NULL, true, "a list of '!' alone asks for all others"},
    {"!a,b", "c", NULL, false, "a glob beside '!' asks for what it matches"},
    {"b*,!ba", "ba", NULL, false, "'!' counts behind a glob that matches"},
    {"!ba,b*", "ba", NULL, false, "'!' counts before a glob that matches"},
    {"b*,!ba", "bb", NULL, true, "'!' leaves out only what it matches"},
    {" a , b ", "a", NULL, true, "blanks around a glob are passed over"},
    {" a , b ", "b", NULL, true, "blanks around the last glob, too"},
    {" ! a ", "a", NULL, false, "blanks around '!' are passed over"},
    {"a b", "a b", NULL, true, "a blank inside belongs to the glob"},
    {"", "a", NULL, false, "an empty list asks for nothing"},
    {",", "a", NULL, false, "a comma alone asks for nothing"},
    {"!", "a", NULL, false, "'!' alone asks for nothing"},
    {"a,,b", "b", NULL, true, "an empty item is passed over"},
    {"short:keep", "a", NULL, true, "'short:keep' alone asks for all"},
    {"short:keep,b", "a", NULL, false,
     "'short:keep' beside a glob asks "
     "for no more than the glob"},
    {"short:keep,b", "b", NULL, true, "a glob behind 'short:keep' asks"},
    {"f(int, int)", "f(int, int)", NULL, true,
     "a comma within brackets belongs to the glob"},
    {"f(int, int),g", "g", NULL, true, "a comma behind brackets ends it"},
    {"f(int),g", "f(int)", NULL, true, "brackets without a comma"},
    {"f<int, 2>", "f<int, 2>", NULL, true,
     "a comma within angle brackets belongs to the glob"},
    {"f<g(int, int), 2>", "f<g(int, int), 2>", NULL, true,
     "brackets stand within brackets"},
    {"operator<,b", "b", NULL, true, "operator< opens no bracket"},
    {"operator(,b", "b", NULL, true, "operator( opens no bracket"},
    {"xoperato<a,b>", "xoperato<a,b>", NULL, true,
     "only the word operator is that of C++"},
    {"a>,b", "b", NULL, true, "a bracket that nothing opened closes nothing"},
    {"a(b,c", "c", NULL, true, "a bracket that never closes: each comma ends"},
    {"a(b,c", "a(b", NULL, true, "and the begin is an item of its own"},
    {"file:io.c", "f", "io.c", true, "'file:' asks for a source file"},
    {"file:io.c", "io.c", NULL, false, "'file:' asks for no function's name"},
    {"file:io.c", "f", NULL, false,
     "a file that is not known is not asked for"},
    {"file:io.c", "f", "/src/io.c", true, "a file without its folders"},
    {"file:src/io*", "f", "/home/me/src/io.c", true, "the last folders"},
    {"file:rc/io.c", "f", "/src/io.c", false, "a folder's name is a whole one"},
    {"file:s*.c", "f", "/src/io.c", false, "'*' matches no '/' in a path"},
    {"file:/src/*.c", "f", "/src/io.c", true, "a path from the root"},
    {"file: io.c", "f", "io.c", true, "blanks behind 'file:'"},
    {"!file:io.c", "f", "io.c", false, "'!file:' leaves a source file out"},
    {"!file:io.c", "f", "main.c", true, "'!file:' leaves out no other file"},
    {"!file:io.c", "f", NULL, true, "nor a function of which none is known"},
    {"file:io.c,g", "g", "main.c", true, "a name beside a file asks"},
};

static bool
is_taken(const char *list, const char *const *names, const char *file)
{
    struct hpm_wanted *wanted = hpm_wanted_new(list);
    bool taken = hpm_wanted_takes(wanted, names, file);

    hpm_wanted_free(wanted);
    return taken;
}

static void
test_names(void)
{
    static const char *const names[] = {"_ZN1a1bEv", "a::b()", NULL};

    ok(is_taken("_ZN1a*", names, NULL), "the linkage name asks");
    ok(is_taken("a::b*", names, NULL), "the name of the source asks, too");
    ok(!is_taken("_ZN*,!a::*", names, NULL), "any of the names leaves it out");
}

static void
test_short(void)
{
    struct hpm_wanted *all = hpm_wanted_new("a, short:keep ,b");
    struct hpm_wanted *none = hpm_wanted_new("short:keeps");

    ok(hpm_wanted_has_short(all), "'short:keep' among globs is read");
    ok(!hpm_wanted_has_short(none), "another word is not 'short:keep'");
    hpm_wanted_free(all);
    hpm_wanted_free(none);
    hpm_wanted_free(NULL);
}

int
main(void)
{
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++) {
        const struct question *question = &questions[i];
        const char *names[] = {question->name, NULL};

        ok(is_taken(question->list, names, question->file) ==
               question->is_taken,
           question->sentence);
    }
    test_names();
    test_short();
    return done();
}
