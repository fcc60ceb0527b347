/* SPDX-License-Identifier: BSD-3-Clause
 * --section: the functions of an unmodified program that are measured. */
#ifndef HPMCOUNT_PROBEPLAN_H
#define HPMCOUNT_PROBEPLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "study/probe/instruction.h"

/* Start from {0}, with is_entry_only. */
struct probeplan {
    bool is_entry_only; /* count calls: no return probes */
    char **paths;       /* of the files */
    size_t n_paths, paths_capacity;
    struct probeplan_point {
        const char *path; /* of the function's file; a borrowed text */
        char *label;      /* NULL: its probe is hit, but nobody asks for it */
        int instance;     /* of the section: the same in all runs */
        uint64_t start;   /* of the function in the file */
        uint64_t offset;  /* of its probe */
        enum hpm_instruction_kind kind; /* the first instruction */
    } * points;                         /* by offset */
    size_t n, capacity;
};

/* Find the functions in the program that `word` runs, and in libraries; say which of
 * them cannot be measured.  False with the reason where none of a file can. */
bool probeplan_make(struct probeplan *plan, const char *patterns,
                    const char *word, struct hpm_error *err);
void probeplan_clear(struct probeplan *plan);

/* Sort the points for probeplan_find. */
void probeplan_sort(struct probeplan *plan);

/* The point at this offset of the file, NULL for none. */
const struct probeplan_point *probeplan_find(const struct probeplan *plan,
                                             const char *path, uint64_t offset);

#endif
