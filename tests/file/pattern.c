/* SPDX-License-Identifier: BSD-3-Clause
 * Names of output files, made from a pattern. */
#include "file/pattern.h"

#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "tap.h"

static char program[] = "swim", job[] = "4711.0";
static const struct hpm_run run = {
    .program = program, .job = job, .task = 7, .pid = 31415};

static void
check_of_run(const struct hpm_run *of, const char *pattern,
             const char *expected, const char *sentence)
{
    char *name = hpm_pattern_expand(pattern, of, NULL);

    is_text(name, expected, sentence);
    hpm_memory_free(name);
}

static void
check(const char *pattern, const char *expected, const char *sentence)
{
    check_of_run(&run, pattern, expected, sentence);
}

static void
test_letters(void)
{
    check("%n", "swim", "%n is the program");
    check("%r", "0007", "%r is the task in four digits");
    check("%p", "31415", "%p is the process id");
    check("%i", "1", "%i is the first run, unless hpmcount has replaced it");
    check("%j", "4711.0", "%j is the job");
    check("%%", "%", "%% is a percent sign");
    check(HPM_DEFAULT_PATTERN, "swim_0007_31415.hpm.xml",
          "the default is program, task and process");
}

static void
test_host(void)
{
    char host[256] = "";

    gethostname(host, sizeof host - 1);
    for (char *c = host; *c != '\0'; c++)
        *c = *c == '/' ? '_' : *c;
    check("%h", host, "%h is the host");
}

static void
test_around(void)
{
    check("", "", "nothing is nothing");
    check("plain.xml", "plain.xml", "without letters it is the name");
    check("a%nb%rc", "aswimb0007c", "what is around the letters stays");
    check("%n%n", "swimswim", "a letter may come twice");
    check("%%n", "%n", "a percent sign does not begin a letter");
    check("%%%n%%", "%swim%", "nor ends one");
}

static void
test_slashes(void)
{
    char path[] = "/usr/bin/swim", array_job[] = "a/b";
    struct hpm_run other = {.program = path, .job = array_job};

    check_of_run(&other, "%n", "_usr_bin_swim",
                 "a slash in the program becomes an underscore");
    check_of_run(&other, "%j", "a_b", "so does one in the job");
    check_of_run(&other, "out/%n/%j", "out/_usr_bin_swim/a_b",
                 "one in the pattern stays");
}

static void
test_long_words(void)
{
    char longest[201], longer[301], wide[301], cut[200];
    const struct hpm_run fits = {.program = longest};
    const struct hpm_run cuts = {.program = longer, .job = wide};

    memset(longest, 'x', sizeof longest);
    memset(longer, 'x', sizeof longer);
    longest[200] = longer[300] = wide[300] = '\0';
    check_of_run(&fits, "%n", longest, "200 bytes of a program are kept");
    check_of_run(&cuts, "%n", longest, "of a longer name the first 200");
    for (size_t i = 0; i < 300; i += 3)
        memcpy(wide + i, "\xe2\x82\xac", 3);
    memcpy(cut, wide, 198);
    cut[198] = '\0';
    check_of_run(&cuts, "%j", cut, "and no part of a character");
}

static void
test_odd_runs(void)
{
    char percents[] = "%p%n%";
    struct hpm_run other = {.program = percents, .task = 123456, .pid = 1};
    const struct hpm_run nobody = {0};

    check_of_run(&other, "%n", "%p%n%", "a program's name is no pattern");
    check_of_run(&other, "%r", "123456", "more than four digits stay");
    check_of_run(&nobody, "<%n%j>", "<>", "unknown program and job are empty");
}

static void
check_child(const char *pattern, const char *expected)
{
    char *name = hpm_pattern_for_child(pattern);

    is_text(name, expected, pattern);
    hpm_memory_free(name);
}

static void
test_children(void)
{
    check_child("m.xml", "m_%p.xml");
    check_child("m", "m_%p");
    check_child("m.hpm.xml", "m_%p.hpm.xml");
    check_child("a.b/m.2.gz", "a.b/m.2_%p.gz");
    check_child("a.b/m", "a.b/m_%p");
    check_child(".hidden", ".hidden_%p");
    check_child(".hpm.xml", ".hpm_%p.xml");
    check_child("100%%p.xml", "100%%p_%p.xml");
    check_child("%n_%r.xml", "%n_%r_%p.xml");
    check_child("%p/m.xml", "%p/m.xml");
    check_child(HPM_DEFAULT_PATTERN, HPM_DEFAULT_PATTERN);
    check_child("", "_%p");
}

static void
check_unknown(const char *pattern, const char *expected, const char *sentence)
{
    struct hpm_error err = {""};

    ok(hpm_pattern_expand(pattern, &run, &err) == NULL, sentence);
    is_text(err.text, expected, "the message says what and what instead");
}

static void
test_unknown(void)
{
    check_unknown("a%xb",
                  "output name 'a%xb': '%x' is unknown; "
                  "expected %n %r %p %i %h %j or %%",
                  "an unknown letter is an error");
    check_unknown("%n%",
                  "output name '%n%': '%' is unknown; "
                  "expected %n %r %p %i %h %j or %%",
                  "a percent sign at the end is, too");
    check_unknown("%N",
                  "output name '%N': '%N' is unknown; "
                  "expected %n %r %p %i %h %j or %%",
                  "capitals are other letters");
    check_unknown("%n%04r",
                  "output name '%n%04r': '%0' is unknown; "
                  "expected %n %r %p %i %h %j or %%",
                  "widths are not known");
    ok(hpm_pattern_expand("%x", &run, NULL) == NULL,
       "nobody need ask for the message");
}

static void
test_no_memory(void)
{
    char long_program[200];
    struct hpm_run other = {.program = long_program};
    bool is_right = true;
    char *name = NULL;

    memset(long_program, 'x', sizeof long_program - 1);
    long_program[sizeof long_program - 1] = '\0';
    for (unsigned long k = 1; name == NULL && k < 100; k++) {
        struct hpm_error err = {""};

        hpm_memory_fail_at(k, true);
        name = hpm_pattern_expand("%n%r", &other, &err);
        hpm_memory_fail_at(0, false);
        is_right = is_right &&
                   (name != NULL || strcmp(err.text, "out of memory") == 0);
    }
    ok(is_right && name != NULL && strlen(name) == 199 + 4,
       "without memory there is no name, and it is said");
    hpm_memory_free(name);
}

int
main(void)
{
    test_letters();
    test_host();
    test_around();
    test_slashes();
    test_long_words();
    test_odd_runs();
    test_children();
    test_unknown();
    test_no_memory();
    return done();
}
