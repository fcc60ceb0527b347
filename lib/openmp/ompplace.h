/* SPDX-License-Identifier: BSD-3-Clause
 * The places at which the program begins parallel regions, as sections: what each thread
 * does in a region until it comes to the barrier at the region's end. */
#ifndef HPM_OPENMP_OMPPLACE_H
#define HPM_OPENMP_OMPPLACE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "libhpm.h"

struct hpm_ompplace {
    const void *code; /* an instruction whose line is the place's */
    int id;           /* the section's, the same in all tasks and runs */
    struct hpm_call_site site;
    struct hpm_ompplace *next;
};

/* Are regions sections?  HPM_OPENMP_REGIONS says so. */
extern atomic_bool hpm_ompplace_is_on __attribute__((visibility("hidden")));

/* Read the variable, before the first region. */
void hpm_ompplace_begin(void);

/* A forked child has no sections of its parent's, and begins none. */
void hpm_ompplace_end(void);

/* The place with this instruction, which lives for ever; NULL for NULL, and where memory
 * runs out.  Any thread; the first look at a place reads the file with the code. */
struct hpm_ompplace *hpm_ompplace_find(const void *code);

/* Begin the section in the calling thread; end it. */
void hpm_ompplace_enter(struct hpm_ompplace *place);
void hpm_ompplace_leave(const struct hpm_ompplace *place);

#endif
