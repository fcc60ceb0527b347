/* SPDX-License-Identifier: BSD-3-Clause
 * What was found wrong on the way and did not stop the work: a line each, and
 * no more of them than people read. */
#ifndef HPM_STUDY_FILE_NOTES_H
#define HPM_STUDY_FILE_NOTES_H

#include <stddef.h>

#include "base/string.h"

enum { HPM_NOTES_KEPT = 20 };

/* Start from {0}. */
struct hpm_notes {
    struct hpm_string lines; /* the first HPM_NOTES_KEPT, each ends in \n */
    size_t n;                /* all of them */
};

/* Add a sentence, without newline (printf); control characters in it are
 * shown as by hpm_string_add_safe. */
void hpm_notes_add(struct hpm_notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void hpm_notes_free(struct hpm_notes *notes);

#endif
