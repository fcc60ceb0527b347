/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of C or C++ that are to be measured: where their calls have to stand.
 */
#ifndef HPMVIZ_INSTRUMENT_CSELECTION_H
#define HPMVIZ_INSTRUMENT_CSELECTION_H

#include "hpmviz/instrument/ctokens.h"

enum hpmviz_cshape {
    HPMVIZ_SHAPE_STATEMENTS, /* some of a block */
    HPMVIZ_SHAPE_INSIDE,     /* all statements of a block, without its braces */
    HPMVIZ_SHAPE_BLOCK,      /* one block with its braces */
};

struct hpmviz_cselection {
    guint first, last;      /* lines: the start before, the stop behind */
    guint first_token, end; /* the tokens, without the one at `end` */
    guint body;             /* "{" of the function */
    enum hpmviz_cshape shape;
    gboolean is_loop;      /* one statement that is one */
    gboolean has_parallel; /* begins an OpenMP parallel region */
};

/* Look at the lines; FALSE, with a reason for the user, where no call can stand
 * before or behind.  With `may_leave_blocks` lines that are a whole block may
 * be left by return and the like. */
gboolean hpmviz_cselection_find(struct hpmviz_ccode *code,
                                struct hpmviz_ctokens *tokens, guint first,
                                guint last, gboolean may_leave_blocks,
                                struct hpmviz_cselection *ret_selection,
                                GError **error);

/* The name of the function around; "code" where it has none.  For g_free. */
char *hpmviz_cselection_function(const struct hpmviz_ctokens *tokens,
                                 const struct hpmviz_cselection *selection);

#endif
