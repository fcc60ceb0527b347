/* SPDX-License-Identifier: BSD-3-Clause
 * Which statements of Fortran belong together: blocks, loops, procedures. */
#ifndef HPMVIZ_INSTRUMENT_FBLOCKS_H
#define HPMVIZ_INSTRUMENT_FBLOCKS_H

#include "hpmviz/instrument/fcode.h"
#include "hpmviz/instrument/fkinds.h"

enum { HPMVIZ_NO_STATEMENT = G_MAXUINT };

struct hpmviz_fnode {
    enum hpmviz_fkind kind;
    guint
        around; /* the statement that opened the block, loop or unit around it;
                     of a middle and an end: that it belongs to */
    guint end;  /* of one that opens: its end */
};

struct hpmviz_fblocks {
    const struct hpmviz_fcode *code; /* borrowed */
    GArray *nodes;                   /* struct hpmviz_fnode, a statement each */
};

void hpmviz_fblocks_init(struct hpmviz_fblocks *blocks,
                         const struct hpmviz_fcode *code);
void hpmviz_fblocks_clear(struct hpmviz_fblocks *blocks);

const struct hpmviz_fnode *
hpmviz_fblocks_nth(const struct hpmviz_fblocks *blocks, guint i);
const char *hpmviz_fblocks_words(const struct hpmviz_fblocks *blocks, guint i);

/* The unit a statement is in; HPMVIZ_NO_STATEMENT in a main program that has no
 * statement of its own. */
guint hpmviz_fblocks_unit(const struct hpmviz_fblocks *blocks, guint i);

/* The name of a unit; for g_free. */
char *hpmviz_fblocks_name(const struct hpmviz_fblocks *blocks, guint unit);

#endif
