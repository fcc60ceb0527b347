/* SPDX-License-Identifier: BSD-3-Clause
 * What programs that stopped without their end leave behind in a folder. */
#ifndef HPM_LEFTOVERS_H
#define HPM_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* In the order in which they are looked at: a journal has all that a temporary
 * file of the same program has. */
enum leftover_kind {
    LEFTOVER_JOURNAL,   /* NAME.journal, NAME.journal.1 ... */
    LEFTOVER_TEMPORARY, /* .hpm-PID-N.tmp */
    LEFTOVER_FILE,      /* a performance file, which may be cut */
};

struct leftover {
    enum leftover_kind kind;
    char *path;
    long pid;      /* of a temporary file, from its name */
    bool is_named; /* by the user, not found in a folder */
};

/* Start from {0}. */
struct leftovers {
    struct leftover *all;
    size_t n, capacity;
};

/* Add what a word stands for: a file, or what there is in a folder.  False when
 * there is no such thing. */
bool leftovers_find(struct leftovers *leftovers, const char *word,
                    struct hpm_error *err);

/* By kind, then by name; what is there twice, once. */
void leftovers_sort(struct leftovers *leftovers);

void leftovers_clear(struct leftovers *leftovers);

/* Bytes of the name of the performance file in the path of a journal. */
size_t leftover_name_length(const struct leftover *journal);

#endif
