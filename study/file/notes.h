/* SPDX-License-Identifier: BSD-3-Clause
 * Problems found while reading that did not stop it: one line each, and only as
 * many as people read. */
#ifndef HPM_STUDY_FILE_NOTES_H
#define HPM_STUDY_FILE_NOTES_H

#include <stddef.h>

#include "base/string.h"

enum { HPM_NOTES_KEPT = 20 };

/* Start from {0}. */
struct hpm_notes {
    struct hpm_string lines; /* the first HPM_NOTES_KEPT, each ends in \n */
    size_t n;                /* number of all notes */
};

/* Add a sentence, without newline (printf); control characters are shown as
 * hpm_string_add_safe shows them. */
void hpm_notes_add(struct hpm_notes *notes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void hpm_notes_free(struct hpm_notes *notes);

#endif
