/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of Fortran that are to be measured: where their calls have to stand. */
#ifndef HPMVIZ_INSTRUMENT_FSELECTION_H
#define HPMVIZ_INSTRUMENT_FSELECTION_H

#include "hpmviz/instrument/fblocks.h"

struct hpmviz_fselection {
    guint first, last;          /* lines: the start before, the stop behind */
    guint first_statement, end; /* the statements, without that at `end` */
    guint unit;                 /* as hpmviz_fblocks_unit has it */
    gboolean is_loop;           /* the first statement is one */
    gboolean has_parallel;      /* begins an OpenMP parallel region */
};

/* Look at the lines; FALSE, with a reason for the user, where no call can stand
 * before or behind, or one would be passed by. */
gboolean hpmviz_fselection_find(const struct hpmviz_fblocks *blocks,
                                guint first, guint last,
                                struct hpmviz_fselection *ret_selection,
                                GError **error);

#endif
