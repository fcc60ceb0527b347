/* SPDX-License-Identifier: BSD-3-Clause
 * What a brace of C or C++ opens. */
#ifndef HPMVIZ_INSTRUMENT_CBLOCKS_H
#define HPMVIZ_INSTRUMENT_CBLOCKS_H

#include "hpmviz/instrument/ctokens.h"

enum hpmviz_cblock {
    HPMVIZ_BLOCK_CODE,   /* statements */
    HPMVIZ_BLOCK_TYPE,   /* struct, class, union, enum */
    HPMVIZ_BLOCK_SPACE,  /* namespace, extern "C" */
    HPMVIZ_BLOCK_VALUES, /* of an initializer */
};

enum hpmviz_cblock hpmviz_cblocks_kind(const struct hpmviz_ctokens *tokens,
                                       guint open);

/* Is it the block of a switch? */
gboolean hpmviz_cblocks_is_switch(const struct hpmviz_ctokens *tokens,
                                  guint open);

/* The outermost block of statements around this one, which is the body of a
 * function, or of the innermost lambda. */
guint hpmviz_cblocks_body(const struct hpmviz_ctokens *tokens, guint open);

/* The first token of the declaration or statement that a brace belongs to. */
guint hpmviz_cblocks_head(const struct hpmviz_ctokens *tokens, guint open);

#endif
