/* SPDX-License-Identifier: BSD-3-Clause
 * Where statements of Fortran jump to. */
#ifndef HPMVIZ_INSTRUMENT_FJUMPS_H
#define HPMVIZ_INSTRUMENT_FJUMPS_H

#include "hpmviz/instrument/fblocks.h"

/* Do the statements from `first` up to but without `end` begin and end where
 * they begin and end in the text: does nothing jump into them or out of them?
 * FALSE, with a reason for the user, if not.  "stop" ends the program and is no
 * jump. */
gboolean hpmviz_fjumps_check(const struct hpmviz_fblocks *blocks, guint first,
                             guint end, GError **error);

#endif
