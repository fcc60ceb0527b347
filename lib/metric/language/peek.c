/* SPDX-License-Identifier: BSD-3-Clause
 * Which PMUs a definition file is for, before it is read.  Reading takes fifty
 * times as long, and a machine needs at most one of the files for PMUs. */
#include "metric/language/peek.h"

#include <string.h>

#include "metric/language/token.h"

/* The first place of a word from `at` on, also inside other words; NULL if
 * there is none. strstr is several times as fast as memmem, but stops at a zero
 * byte: go on behind it. */
static const char *
find(const char *at, const char *end, const char *word)
{
    for (; at < end; at += strlen(at) + 1) {
        const char *found = strstr(at, word);

        if (found != NULL)
            return found;
    }
    return NULL;
}

/* Does "arch" have `pmu` or "any" after it?  If "arch" is not the statement but
 * part of a text or comment, a true does no harm. */
static bool
names(const char *after, const char *end, const char *pmu)
{
    struct hpm_tokens tokens = hpm_tokens_begin(after, (size_t)(end - after));
    struct hpm_token token = hpm_tokens_next(&tokens);

    for (; token.kind == HPM_TOKEN_NAME; token = hpm_tokens_next(&tokens)) {
        if (hpm_token_is(&token, "any") ||
            (pmu != NULL && hpm_token_is(&token, pmu)))
            return true;
    }
    return token.kind == HPM_TOKEN_BAD;
}

/* Another file is included, which may be for any PMU. */
static bool
includes(const char *after, const char *end)
{
    struct hpm_tokens tokens = hpm_tokens_begin(after, (size_t)(end - after));

    return hpm_tokens_next(&tokens).kind == HPM_TOKEN_STRING;
}

bool
hpm_peek_is_for_others(const char *text, size_t length, const char *pmu)
{
    struct hpm_tokens tokens = hpm_tokens_begin(text, length);
    struct hpm_token first = hpm_tokens_next(&tokens);
    const char *end = text + length;

    if (!hpm_token_is(&first, "arch")) /* definitions before "arch" are for any
                                        * PMU */
        return false;
    for (const char *at = text; (at = find(at, end, "arch")) != NULL;) {
        at += strlen("arch");
        if (names(at, end, pmu))
            return false;
    }
    for (const char *at = text; (at = find(at, end, "include")) != NULL;) {
        at += strlen("include");
        if (includes(at, end))
            return false;
    }
    return true;
}
