/* SPDX-License-Identifier: BSD-3-Clause
 * Places that a user chooses to see alone, for hpmviz_session_choose_places. */
#ifndef HPMVIZ_DATA_CHOICE_H
#define HPMVIZ_DATA_CHOICE_H

#include "hpmviz/data/loaded.h"
#include "hpmviz/data/sheet.h"

/* Which places are chosen of all that was read, and what they have in common. */
struct hpmviz_choice {
    bool *are_kept; /* by place of the study of hpmviz_loaded_whole */
    char *name;
};

void hpmviz_choice_free(struct hpmviz_choice *choice);

/* Those with such numbers of tasks and of threads (data/ranges.h); records of whole
 * processes where the threads are not said.  NULL, and a sentence for g_free, where
 * a text is no ranges, or no place has these numbers. */
struct hpmviz_choice *
hpmviz_choice_of_ranges(const struct hpmviz_loaded *loaded, const char *tasks,
                        const char *threads, char **ret_problem);

/* The places of some rows of a sheet: those with are_taken[row]; of a process all
 * places of the process's task. */
struct hpmviz_choice *hpmviz_choice_of_rows(const struct hpmviz_loaded *loaded,
                                            const struct hpmviz_sheet *sheet,
                                            const gboolean *are_taken,
                                            const char *name);

#endif
