/* SPDX-License-Identifier: BSD-3-Clause
 * Where in Fortran a directive leaves no room for a call. */
#ifndef HPMVIZ_INSTRUMENT_FREGIONS_H
#define HPMVIZ_INSTRUMENT_FREGIONS_H

#include "hpmviz/instrument/fblocks.h"

/* Can calls stand around lines whose first statement is `first`, and whose first
 * line, which may be above it, is `line`?  FALSE, with a reason, where they are
 * code of a device (OpenMP's target, OpenACC), in a workshare, or one of the loops
 * that a directive makes one (collapse). */
gboolean hpmviz_fregions_check(const struct hpmviz_fblocks *blocks, guint line,
                               guint first, GError **error);

#endif
