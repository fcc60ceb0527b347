/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of a file that a user wants to be watched. */
#ifndef HPM_STUDY_PROBE_CHOSEN_H
#define HPM_STUDY_PROBE_CHOSEN_H

#include "base/error.h"
#include "study/probe/probeable.h"

/* Start from {0}. */
struct hpm_chosen {
    struct hpm_chosen_point {
        char *label;                    /* as people write the name */
        uint64_t start;                 /* of the function in the file */
        uint64_t offset;                /* of its probe; no two are equal */
        enum hpm_instruction_kind kind; /* of the first instruction */
    } * points;
    size_t n;
    size_t n_refused;             /* wanted, too, but cannot be watched */
    const char *refused, *why;    /* one of these; belongs to `functions` */
    enum hpm_probe_extent extent; /* what can be done with that one */
    struct hpm_probeables functions;
};

/* Choose by a list of patterns (elf/wanted.h; names of source files match nothing)
 * the functions that can be watched at entry and return, or with `is_entry_only` at
 * the entry.  A function with several names is there once, with the first.  False
 * where the file cannot be read or memory runs out.  Clear in any case. */
bool hpm_chosen_read(struct hpm_chosen *chosen, const char *path,
                     const char *patterns, bool is_entry_only,
                     struct hpm_error *err);
void hpm_chosen_clear(struct hpm_chosen *chosen);

#endif
