/* SPDX-License-Identifier: BSD-3-Clause
 * By which interface a source of Fortran calls libhpm: the module hpm, or the
 * header f_hpm.h with its external procedures. */
#ifndef HPMVIZ_INSTRUMENT_FDOORS_H
#define HPMVIZ_INSTRUMENT_FDOORS_H

#include "hpmviz/instrument/fblocks.h"

enum hpmviz_fdoor {
    HPMVIZ_DOOR_MODULE,
    HPMVIZ_DOOR_HEADER,
};

/* The one the source has already.  If it has none: the header in fixed form
 * that is preprocessed, for it asks nothing of the units; else the module. */
enum hpmviz_fdoor hpmviz_fdoors_of(const struct hpmviz_fblocks *blocks,
                                   gboolean is_preprocessed);

/* Add `use hpm` to the unit, which needs both names, unless it or a unit around
 * has them. */
void hpmviz_fdoors_add_module(GArray *edits,
                              const struct hpmviz_fblocks *blocks, guint unit,
                              const char *start, const char *stop);

/* Add the header, unless the source has it. */
void hpmviz_fdoors_add_header(GArray *edits,
                              const struct hpmviz_fblocks *blocks);

#endif
