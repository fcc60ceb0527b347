/* SPDX-License-Identifier: BSD-3-Clause
 * Text with a length and no NUL at its end. */
#include "base/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "tap.h"

/* In memory of exactly that size, so that a sanitizer sees a read beyond its
 * end. */
static bool
becomes(const char *bytes, size_t length, const char *expected)
{
    char *exact = malloc(length > 0 ? length : 1);
    struct hpm_text text;
    bool is_same;

    memcpy(exact, bytes, length);
    hpm_text_init(&text, (struct hpm_counted){exact, length});
    is_same = strcmp(text.text, expected) == 0;
    hpm_text_clear(&text);
    free(exact);
    return is_same;
}

static void
test_ends(void)
{
    ok(becomes("solve", 5, "solve"), "bytes get a NUL");
    ok(becomes("solve   ", 8, "solve"), "blanks at the end go");
    ok(becomes("  a b", 5, "  a b"), "other blanks stay");
    ok(becomes("     ", 5, "") && becomes("", 0, ""),
       "nothing is left of blanks");
    ok(becomes("in C\0 rest", 10, "in C"), "a NUL ends the text");
}

static void
test_lengths(void)
{
    static const size_t lengths[] = {HPM_TEXT_ROOM - 1, HPM_TEXT_ROOM,
                                     HPM_TEXT_ROOM + 1, 100000};
    const struct hpm_counted none = {NULL, 7}, negative = {"x", (size_t)-1};
    struct hpm_text text;
    bool are_whole = true;

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char *bytes = malloc(lengths[i] + 1);

        memset(bytes, 'x', lengths[i]);
        bytes[lengths[i]] = '\0';
        are_whole = becomes(bytes, lengths[i], bytes) && are_whole;
        free(bytes);
    }
    ok(are_whole, "texts around the room there is, and long ones, stay whole");
    hpm_text_init(&text, none);
    ok(strcmp(text.text, "") == 0, "NULL is no text");
    hpm_text_init(&text, negative);
    ok(strcmp(text.text, "") == 0, "a negative length is no text");
}

static void
test_no_memory(void)
{
    static char bytes[2 * HPM_TEXT_ROOM];
    struct hpm_text text;

    memset(bytes, 'x', sizeof bytes);
    hpm_memory_fail_at(1, true);
    hpm_text_init(&text, (struct hpm_counted){bytes, sizeof bytes});
    hpm_memory_fail_at(0, false);
    ok(strlen(text.text) == HPM_TEXT_ROOM - 1,
       "without memory a long text is cut");
    hpm_text_clear(&text);
}

int
main(void)
{
    test_ends();
    test_lengths();
    test_no_memory();
    return done();
}
