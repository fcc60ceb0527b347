/* SPDX-License-Identifier: BSD-3-Clause
 * What functions are called, with a demangler that knows these names alone. */
#include "functions/label.c"

#include "tap.h"

static const struct {
    const char *linkage;
    const char *shown; /* demangled */
    const char *plain;
    const char *sentence;
} names[] = {
    {"_Z1", "f(int)", "f", "arguments are no part of the plain name"},
    {"_Z2", "a::b::f(int, g<x>) const", "a::b::f", "nor is what follows them"},
    {"_Z3", "void f<int>(int)", "f<int>", "nor is the type of the result"},
    {"_Z4", "std::vector<a, b> c::f(int)", "c::f",
     "blanks within brackets end nothing"},
    {"_Z5", "a::operator()(int)", "a::operator()", "the operator ()"},
    {"_Z6", "std::ostream& operator<< <x>(std::ostream&)", "operator<< <x>",
     "an operator's name has blanks"},
    {"_Z7", "a::operator unsigned long() const", "a::operator unsigned long",
     "also that of a conversion"},
    {"_Z8", "(anonymous namespace)::f(int)", "(anonymous namespace)::f",
     "a namespace without a name"},
    {"_Z9", "f(int) [clone .part.0]", "f", "a part of a function"},
    {"_Z10", "void f<void (*)(int)>(void (*)(int))", "f<void (*)(int)>",
     "brackets within brackets"},
    {"_Z11", "a::f()::{lambda(int)#1}::operator()(int) const",
     "a::f()::{lambda(int)#1}::operator()", "a lambda expression"},
    {"_Z12", "guard variable", "variable", "a name without arguments"},
};

/* Takes the place of the C++ run time's; see -export-dynamic in local.mk. */
char *__cxa_demangle(const char *linkage, char *buffer, size_t *length,
                     int *status);

char *
__cxa_demangle(const char *linkage, char *buffer, size_t *length, int *status)
{
    (void)buffer, (void)length, (void)status;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].linkage, linkage) == 0)
            return strdup(names[i].shown);
    }
    return NULL;
}

static void
is_label(const char *linkage, const char *shown, const char *plain,
         const char *sentence)
{
    struct hpm_label label;
    size_t n = 0;

    hpm_label_make(&label, linkage);
    is_text(label.shown, shown, sentence);
    is_text(label.plain, plain, sentence);
    ok(label.forms[n++] == linkage, "its linkage name comes first");
    if (shown != NULL)
        is_text(label.forms[n++], shown, "then the name that is shown");
    if (plain != NULL)
        is_text(label.forms[n++], plain, "then the plain one");
    ok(label.forms[n] == NULL, "there are no others");
    hpm_label_clear(&label);
}

int
main(void)
{
    hpm_label_init();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        is_label(names[i].linkage, names[i].shown, names[i].plain,
                 names[i].sentence);
    is_label("_Zunknown", NULL, NULL, "a name that cannot be demangled");
    is_label("f", NULL, NULL, "a function of C has one name");
    is_label("f_", NULL, "f", "a procedure of Fortran has two");
    is_label("_", NULL, NULL, "but no empty one");
    is_label("__solver_MOD_step", "solver::step", NULL,
             "a procedure of a module");
    is_label("___MOD_x", NULL, NULL, "a module has a name");
    is_label("_solver_MOD_step", NULL, NULL, "and begins with two '_'");
    is_label("__solver_step", NULL, NULL, "a name of C with two '_'");
    return done();
}
