/* SPDX-License-Identifier: BSD-3-Clause
 * A printf format, used to read text. */
#include "study/words/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "study/words/sentence.h"
#include "study/words/words.h"
#include "tap.h"

static bool
is_argument(const struct hpm_pattern_match *match, size_t i, const char *text)
{
    return i < match->n_arguments &&
           match->arguments[i].length == strlen(text) &&
           strncmp(match->arguments[i].text, text, strlen(text)) == 0;
}

static void
test_arguments(void)
{
    struct hpm_pattern_match match;

    ok(hpm_pattern_match(&match, "cannot open '%.40s': %s (%d of %llu)",
                         "cannot open 'a: b': No such file (3 of 12)") &&
           match.n_arguments == 4,
       "a sentence fits the format that made it");
    ok(is_argument(&match, 0, "a: b") && match.arguments[0].is_quoted,
       "a name in quotes is known as such");
    ok(is_argument(&match, 1, "No such file") && !match.arguments[1].is_quoted,
       "a text that is not in quotes is not");
    ok(is_argument(&match, 2, "3") && is_argument(&match, 3, "12"),
       "numbers are found");
    ok(match.n_letters == 12, "the format's own letters are counted");
    ok(hpm_pattern_match(&match, "%s is 100 %% of %s", "it is 100 % of all") &&
           is_argument(&match, 1, "all"),
       "%% is a per cent sign");
    ok(hpm_pattern_match(&match, "%s%s (median", "s (median") &&
           is_argument(&match, 1, "s"),
       "an argument may be empty");
}

static void
test_misfits(void)
{
    struct hpm_pattern_match match;

    ok(!hpm_pattern_match(&match, "run %d", "run away"), "a word is no number");
    ok(!hpm_pattern_match(&match, "%s%llu of %s", "in the middle of it"),
       "nor is a letter");
    ok(!hpm_pattern_match(&match, "run %d", "run 3 failed"),
       "nothing may follow");
    ok(!hpm_pattern_match(&match, "run %d failed", "run 3"),
       "nothing may be missing");
    ok(!hpm_pattern_match(&match, "%s%s%s%s%s%s%s%s%s%s", "a"),
       "more arguments than there is room for are none");
}

static void
test_directives(void)
{
    char conversion;
    size_t place;

    ok(hpm_pattern_directive("%2$.40s)", &conversion, &place) == 7 &&
           conversion == 's' && place == 2,
       "a directive may name its argument");
    ok(hpm_pattern_directive("%llu", &conversion, &place) == 4 &&
           conversion == 'u' && place == 0,
       "or take the next one");
    ok(hpm_pattern_directive("%", &conversion, &place) == 1 &&
           conversion == '\0',
       "a lone per cent sign at the end is none");
}

/* A text that would take too long if all ways were tried. */
static void
test_hostile(void)
{
    struct hpm_pattern_match match;
    char text[4001];

    for (size_t i = 0; i < sizeof text - 1; i++)
        text[i] = i % 2 != 0 ? ' ' : 'a';
    text[sizeof text - 1] = '\0';
    ok(!hpm_pattern_match(&match, "%s %s %s %s %s %s %s %s!", text),
       "a long text is given up");
}

/* Without a language in the environment. */
static void
test_english(void)
{
    struct hpm_string text = {0};

    unsetenv("LC_ALL");
    hpm_words_begin();
    hpm_sentence_add(&text, "cannot open 'x': out of memory");
    ok(!hpm_words_are_translated() && hpm_words_get(NULL) == NULL &&
           strcmp(hpm_words_get("cycles"), "cycles") == 0 &&
           strcmp(hpm_words_of("one", "several", 2), "several") == 0 &&
           strcmp(hpm_string_text(&text), "cannot open 'x': out of memory") ==
               0 &&
           hpm_words_file() == NULL,
       "all texts are English until another language is asked for");
    hpm_string_free(&text);
}

int
main(void)
{
    test_arguments();
    test_misfits();
    test_directives();
    test_hostile();
    test_english();
    return done();
}
