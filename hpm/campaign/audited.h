/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a study that an audit compares with another study's. */
#ifndef HPM_AUDITED_H
#define HPM_AUDITED_H

#include "study/columns/study.h"

struct audited_section {
    const char *key;  /* label, id and place of all sections on its path */
    const char *name; /* "outer/inner"; the key where several have this name */
    uint32_t section;
    uint32_t first_row; /* or HPM_NO_INDEX */
};

struct audited {
    const struct hpm_study *study;
    struct audited_section *sections; /* by section of the study */
    uint32_t *next_rows;              /* by row: the next row of the same
                                       * section */
    struct audited_section **sorted;  /* by the addresses of keys */
};

/* `names` keeps the texts: with the same `names`, equal texts have the same
 * address.  False when there is no memory; close in any case. */
bool audited_open(struct audited *audited, const struct hpm_study *study,
                  struct hpm_study *names);
void audited_close(struct audited *audited);

/* The section with this key, or HPM_NO_INDEX. */
uint32_t audited_find(const struct audited *audited, const char *key);

/* A column of a section, summed over all threads and tasks; false where no row
 * has it. */
bool audited_sum(const struct audited *audited, uint32_t section,
                 uint32_t column, struct hpm_datum *ret_datum);

#endif
