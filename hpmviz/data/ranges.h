/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of tasks or threads that a user types: "0-7, 12, 16-64:4". */
#ifndef HPMVIZ_DATA_RANGES_H
#define HPMVIZ_DATA_RANGES_H

#include <glib.h>

/* Each from `first` to `last`, every `step`-th number. */
struct hpmviz_range {
    int first, last, step;
};

/* Read ranges with commas between them; an empty text stands for all numbers.  An
 * array of struct hpmviz_range; NULL, and a sentence for g_free, where the text is
 * none. */
GArray *hpmviz_ranges_read(const char *text, char **ret_problem);

gboolean hpmviz_ranges_has(const GArray *ranges, int number);

#endif
