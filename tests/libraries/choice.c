/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions of libraries are measured. */
#include "libraries/choice.c"

#include "tap.h"

static const struct {
    const char *choice;
    bool is_taken; /* dgemm_ with the label dgemm, of "blas" in /lib/blas.so */
    const char *sentence;
} cases[] = {
    {NULL, true, "no choice takes all"},
    {"", false, "an empty choice takes none"},
    {"blas", true, "a list takes all its functions"},
    {"bla", false, "a part of a list's name names none"},
    {"fftw", false, "another list takes none of this one"},
    {"fftw,blas", true, "the second of two lists"},
    {"blas,fftw", true, "the first of two lists"},
    {" blas ", true, "blanks around a list"},
    {"blas : dgemm ", true, "blanks around a glob"},
    {"blas:dgemm", true, "a glob of the label"},
    {"blas:dgemm_", true, "a glob of the name"},
    {"blas:dge*", true, "a glob with '*'"},
    {"blas:sgemm", false, "a glob of another function"},
    {"fftw:dgemm", false, "the same function of another list"},
    {"blas:sgemm,blas:dgemm", true, "the second of two globs"},
    {"blas:dgemm,blas:sgemm", true, "the first of two globs"},
    {"blas:!dgemm", false, "'!' leaves the function out"},
    {"blas:!dgemm_", false, "'!' with its name, too"},
    {"blas:!sgemm", true, "'!' of another one alone has all the rest"},
    {"blas:!sgemm,blas:d*", true, "'!' of another one beside a glob"},
    {"blas:!dsyrk,blas:s*", false, "a glob beside '!' has only its own"},
    {"blas:d*,blas:!dgemm", false, "'!' counts behind a glob"},
    {"blas,blas:!dgemm", false, "'!' counts behind the list"},
    {"fftw:!dgemm", false, "'!' of another list takes none of this one"},
    {"fftw:!dgemm,blas", true, "'!' of another list leaves nothing out"},
    {"/lib/blas.so", true, "a library by its path"},
    {"/usr/blas.so", false, "whole paths of other folders are others"},
    {"./blas.so", true, "else their last parts are compared"},
    {"./las.so", false, "which are whole, too"},
    {"./blas.so:sgemm", false, "a library with a glob"},
};

int
main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ok(hpm_choice_takes(cases[i].choice, "blas", "/lib/blas.so", "dgemm_",
                            "dgemm") == cases[i].is_taken,
           cases[i].sentence);
    ok(hpm_choice_takes("/usr/mine.so", "mine", "mine.so", "f", "f"),
       "a path that is not whole: the last parts are compared");
    return done();
}
