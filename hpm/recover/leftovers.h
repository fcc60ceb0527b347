/* SPDX-License-Identifier: BSD-3-Clause
 * Files in a folder left behind by programs that stopped before their end. */
#ifndef HPM_LEFTOVERS_H
#define HPM_LEFTOVERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* In the order in which they are processed: a journal has all the data that a
 * temporary file of the same program has. */
enum leftover_kind {
    LEFTOVER_JOURNAL,   /* NAME.journal, NAME.journal.1 ... */
    LEFTOVER_TEMPORARY, /* .hpm-PID-N.tmp */
    LEFTOVER_FILE,      /* a performance file, which may be cut */
};

struct leftover {
    enum leftover_kind kind;
    char *path;
    long pid;      /* of a temporary file, from its name */
    bool is_named; /* named by the user, not found in a folder */
};

/* Start from {0}. */
struct leftovers {
    struct leftover *all;
    size_t n, capacity;
};

/* Add the leftovers of a word: a file, or those in a folder.  False when there
 * is no such file or folder. */
bool leftovers_find(struct leftovers *leftovers, const char *word,
                    struct hpm_error *err);

/* Sort by kind, then by name, and drop duplicates. */
void leftovers_sort(struct leftovers *leftovers);

void leftovers_clear(struct leftovers *leftovers);

/* The length of the performance file's name within the path of a journal. */
size_t leftover_name_length(const struct leftover *journal);

#endif
