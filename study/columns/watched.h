/* SPDX-License-Identifier: BSD-3-Clause
 * How the sections of rows came about: by calls in the program, or by something
 * that watches its functions; and where these functions are. */
#ifndef HPM_STUDY_COLUMNS_WATCHED_H
#define HPM_STUDY_COLUMNS_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "study/columns/align.h"
#include "study/columns/study.h"

struct hpm_watched_row {
    int via;                  /* enum hpm_via */
    const char *module;       /* path; NULL: not known */
    struct hpm_number offset; /* in the module */
};

/* What readers read of enum hpm_via, to be translated: "probes of the kernel
 * (uprobe)"; NULL for HPM_VIA_CALL. */
const char *hpm_watched_words(int via);

struct hpm_watched_row hpm_watched_get(const struct hpm_study *study,
                                       uint32_t row);

/* The path is copied.  False when memory runs out. */
bool hpm_watched_set(struct hpm_study *study, uint32_t row,
                     const struct hpm_watched_row *watched);

/* Leave in *watched what the other row says, too: rows of different programs are
 * combined, whose functions lie at different places. */
void hpm_watched_join(struct hpm_watched_row *watched,
                      const struct hpm_watched_row *other);

/* Give a row of the result what all aligned studies say that have it.  False when
 * memory runs out. */
bool hpm_watched_align(const struct hpm_align *align, uint32_t row);

#endif
