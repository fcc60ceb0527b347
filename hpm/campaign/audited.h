/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a study that an audit compares with those of another one. */
#ifndef HPM_AUDITED_H
#define HPM_AUDITED_H

#include "study/columns/study.h"

struct audited_section {
    const char *key;  /* label, id and place of each section on its path */
    const char *name; /* "outer/inner"; the key where others are named so */
    uint32_t section;
    uint32_t first_row; /* HPM_NO_INDEX: none */
};

struct audited {
    const struct hpm_study *study;
    struct audited_section *sections; /* as in the study */
    uint32_t *next_rows;              /* of the same section, by row */
    struct audited_section **sorted;  /* by the addresses of keys */
};

/* `names` keeps the texts: where it is the same study, equal texts have one
 * address.  False when there is no memory; close it in any case. */
bool audited_open(struct audited *audited, const struct hpm_study *study,
                  struct hpm_study *names);
void audited_close(struct audited *audited);

/* The section with this key; HPM_NO_INDEX for none. */
uint32_t audited_find(const struct audited *audited, const char *key);

/* A column of a section, of all threads and tasks together; false where nobody
 * has it. */
bool audited_sum(const struct audited *audited, uint32_t section,
                 uint32_t column, struct hpm_datum *ret_datum);

#endif
