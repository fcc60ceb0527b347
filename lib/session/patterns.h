/* SPDX-License-Identifier: BSD-3-Clause
 * Patterns of calls that show what measuring costs. */
#ifndef HPM_SESSION_PATTERNS_H
#define HPM_SESSION_PATTERNS_H

#include <stddef.h>

/* Each value is also the id of the section that its pattern measures. */
enum hpm_pattern {
    HPM_PATTERN_EMPTY = 1,
    HPM_PATTERN_OVERLAPPED,
    HPM_PATTERN_OVERLAPPED_AT,
    HPM_PATTERN_AGAIN_INNER_AT,
    HPM_PATTERN_LONG_START_AT,
    HPM_PATTERN_LONG_AGAIN_AT,
    HPM_PATTERN_NESTED,
    HPM_PATTERN_AGAIN_INNER,
    HPM_PATTERN_AGAIN,
    HPM_PATTERN_LONG_START,
    HPM_PATTERN_LONG_STOP,
    HPM_PATTERN_LONG_AGAIN,
    HPM_PATTERN_OFF,
    HPM_PATTERN_WORK,
    HPM_PATTERN_READING,
    HPM_PATTERN_PROCESS_START,
    HPM_PATTERN_PROCESS_STOP,
    HPM_PATTERN_PROCESS_EMPTY,
    HPM_PATTERN_PROCESS_NESTED,
    HPM_PATTERN_COUNTED,
    HPM_PATTERN_COUNTED_OVERLAPPED,
    HPM_PATTERN_COUNTED_NESTED,
    HPM_PATTERN_COUNTED_LONG_START,
    HPM_PATTERN_COUNTED_LONG_STOP,
    HPM_PATTERN_MANY_PAIRS,
    HPM_PATTERN_MANY_AGAIN,
    HPM_PATTERN_MANY_PROCESS_PAIRS,
    HPM_N_PATTERNS,
    HPM_PATTERN_OTHER = HPM_N_PATTERNS, /* ids of outer or inner sections */
    HPM_PATTERN_ANOTHER,
    HPM_N_PATTERN_IDS,
};

/* Run the pattern once.  `id` is the id of an inner section, new in each
 * call. */
void hpm_pattern_make(enum hpm_pattern pattern, int id);

/* Fortran's calls, which no header of C declares. */
void f_hpmtstartat_(const int *id, const char *label, const char *file,
                    const int *line, size_t label_length, size_t file_length);
void f_hpmtstopat_(const int *id, const char *file, const int *line,
                   size_t file_length);

#endif
