/* SPDX-License-Identifier: BSD-3-Clause
 * Which subjects of a survey a report shows, and in which order. */
#ifndef HPM_STUDY_REPORT_LINEUP_H
#define HPM_STUDY_REPORT_LINEUP_H

#include "study/report/filter.h"
#include "study/report/line.h"

/* Sort by this field: largest number first, texts in alphabetical order, unless
 * reversed. */
struct hpm_sort {
    struct hpm_line_field field;
    bool is_reversed;
};

/* Read a key, with "-" before it for the reverse order.  NULL is exclusive
 * time, with call paths inclusive time.  False when the key is wrong. */
bool hpm_sort_read(const struct hpm_survey *survey, const char *key,
                   struct hpm_sort *ret_sort, struct hpm_error *err);

/* Compare two lines by the key, as qsort needs it; lines without a value come
 * last. 0 where the key does not tell them apart. */
int hpm_sort_compare(const struct hpm_sort *sort, const struct hpm_line *a,
                     const struct hpm_line *b);

struct hpm_lineup {
    size_t *subjects;
    size_t n;
};

/* Subjects of one scope.  Call paths stand below the path around them; a path
 * is also shown where only something inside it is wanted.  Lines with equal
 * keys are sorted by exclusive time, label, file, line and id.  False when
 * there is no memory. */
bool hpm_lineup_init(struct hpm_lineup *lineup, const struct hpm_survey *survey,
                     int scope, const struct hpm_sort *sort,
                     const struct hpm_line_filter *filter,
                     struct hpm_error *err);
void hpm_lineup_clear(struct hpm_lineup *lineup);

#endif
