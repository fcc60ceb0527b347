/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections are measured. */
#include "record/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/globs.h"

bool
hpm_filter_takes(const struct hpm_filter *filter, const char *label,
                 int instance)
{
    return hpm_globs_take(filter->only, filter->except, label, instance);
}

/* ---- single calls ----------------------------------------------------- */

/* Labels may have colons (C++), so only digits after the last colon are a
 * number; they are cut off the glob.  0 if the number is wrong. */
static size_t
cut_number(char *word)
{
    char *colon = strrchr(word, ':');
    size_t n_digits = colon != NULL ? strspn(colon + 1, "0123456789") : 0;
    unsigned long n;

    if (colon == NULL || colon[1 + n_digits] != '\0')
        return HPM_FILTER_CALLS;
    n = n_digits < 8 ? strtoul(colon + 1, NULL, 10) : 0;
    if (n == 0 || n > HPM_FILTER_MOST_CALLS)
        return 0;
    *colon = '\0';
    return n;
}

bool
hpm_filter_next_calls(const char **list, struct hpm_filter_calls *ret_calls)
{
    const char *word = *list;
    size_t length = strcspn(word, ","), n_blanks, size;

    if (*word == '\0')
        return false;
    *list = word + length + (word[length] == ',');
    n_blanks = strspn(word, " ");
    n_blanks = n_blanks < length ? n_blanks : length;
    word += n_blanks;
    length -= n_blanks;
    while (length > 0 && word[length - 1] == ' ')
        length--;
    size = sizeof ret_calls->glob - 1;
    memcpy(ret_calls->glob, word, length < size ? length : size);
    ret_calls->glob[length < size ? length : size] = '\0';
    ret_calls->n = length < size ? cut_number(ret_calls->glob) : 0;
    if (ret_calls->glob[0] == '\0')
        ret_calls->n = 0;
    return true;
}

size_t
hpm_filter_calls(const struct hpm_filter *filter, const char *label,
                 int instance)
{
    const char *list = filter->calls != NULL ? filter->calls : "";
    struct hpm_filter_calls calls;

    while (hpm_filter_next_calls(&list, &calls)) {
        if (calls.n > 0 && hpm_globs_take(calls.glob, NULL, label, instance))
            return calls.n;
    }
    return 0;
}
