/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections are measured, and of which sections single calls are kept. */
#include "record/filter.h"

#include "tap.h"

static void
check_word(const char *list, const char *glob, size_t n, const char *rest)
{
    struct hpm_filter_calls calls = {.n = 99};
    char sentence[700];

    snprintf(sentence, sizeof sentence, "'%.300s' begins with '%.300s', %zu",
             list, glob, n);
    ok(hpm_filter_next_calls(&list, &calls) && strcmp(calls.glob, glob) == 0 &&
           calls.n == n && strcmp(list, rest) == 0,
       sentence);
    printf("# '%s', %zu, rest '%s'\n", calls.glob, calls.n, list);
}

static void
test_words(void)
{
    struct hpm_filter_calls calls;
    const char *list = "";

    ok(!hpm_filter_next_calls(&list, &calls), "an empty list has no word");
    check_word("solve", "solve", HPM_FILTER_CALLS, "");
    check_word("solve,io", "solve", HPM_FILTER_CALLS, "io");
    check_word("solve:7,io", "solve", 7, "io");
    check_word("  solve:7  , io", "solve", 7, " io");
    check_word(" a b ", "a b", HPM_FILTER_CALLS, "");
    check_word("std::sort", "std::sort", HPM_FILTER_CALLS, "");
    check_word("std::sort:12", "std::sort", 12, "");
    check_word("a:1", "a", 1, "");
    check_word("a:1000000", "a", HPM_FILTER_MOST_CALLS, "");
    check_word("a:9999999", "a:9999999", 0, "");
    check_word("a:1000001", "a:1000001", 0, "");
    check_word("a:10000000", "a:10000000", 0, "");
    check_word("a:0", "a:0", 0, "");
    check_word("a:", "a:", 0, "");
    check_word("a:7x", "a:7x", HPM_FILTER_CALLS, "");
    check_word(":7", "", 0, "");
    check_word(",a", "", 0, "a");
    check_word("   ,a", "", 0, "a");
}

/* The longest glob has 254 characters; a longer one is wrong, and cut. */
static void
test_long_words(void)
{
    char word[300], cut[300];

    memset(word, 'x', sizeof word);
    memset(cut, 'x', sizeof cut);
    cut[254] = '\0';
    check_word(cut, cut, HPM_FILTER_CALLS, "");
    cut[254] = 'x';
    cut[255] = '\0';
    check_word(cut, cut, 0, "");
    word[270] = '\0';
    check_word(word, cut, 0, "");
}

static void
test_sections(void)
{
    struct hpm_filter filter = {.only = NULL};

    is_count(hpm_filter_calls(&filter, "solve", 1), 0,
             "without a list no single call is kept");
    filter.calls = "none:0,so*:5,solve:7,#3";
    is_count(hpm_filter_calls(&filter, "solve", 1), 5,
             "by the first glob that fits");
    is_count(hpm_filter_calls(&filter, "none", 1), 0, "a wrong word fits none");
    is_count(hpm_filter_calls(&filter, "", 3), HPM_FILTER_CALLS,
             "one without a label has its number");
    is_count(hpm_filter_calls(&filter, "io", 3), 0, "others are not kept");
    ok(hpm_filter_takes(&filter, "solve", 1), "without globs all measure");
    filter.only = "so*";
    filter.except = "solve2,#7";
    ok(hpm_filter_takes(&filter, "solve", 1) &&
           !hpm_filter_takes(&filter, "io", 1) &&
           !hpm_filter_takes(&filter, "solve2", 1),
       "with them those wanted and not excepted");
    filter.only = NULL;
    ok(!hpm_filter_takes(&filter, "", 7) && hpm_filter_takes(&filter, "", 8),
       "also by their numbers");
}

int
main(void)
{
    test_words();
    test_long_words();
    test_sections();
    return done();
}
