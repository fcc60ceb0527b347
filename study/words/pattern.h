/* SPDX-License-Identifier: BSD-3-Clause
 * Matching a printf format: which arguments made this sentence. */
#ifndef HPM_STUDY_WORDS_PATTERN_H
#define HPM_STUDY_WORDS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum { HPM_PATTERN_MOST = 9 };

struct hpm_argument {
    const char *text;
    size_t length;
    bool is_quoted; /* '%s': a name, which is not translated */
};

struct hpm_pattern_match {
    struct hpm_argument arguments[HPM_PATTERN_MOST];
    size_t n_arguments;
    size_t n_letters; /* characters of the format itself */
    size_t n_tries;
};

/* The arguments point into the text.  Gives up, without a match, when many
 * thousand positions of arguments would have to be tried. */
bool hpm_pattern_match(struct hpm_pattern_match *ret_match, const char *format,
                       const char *text);

/* The length of the directive ("%.40s", "%2$llu") at `format`, which begins
 * with %.  Also gives its conversion, and the number of the argument it names,
 * or 0 for the next one. */
size_t hpm_pattern_directive(const char *format, char *ret_conversion,
                             size_t *ret_place);

#endif
