/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm put around lines of Fortran. */
#ifndef HPMVIZ_INSTRUMENT_FINSTRUMENT_H
#define HPMVIZ_INSTRUMENT_FINSTRUMENT_H

#include "hpmviz/instrument/call.h"
#include "hpmviz/instrument/wanted.h"

/* As hpmviz_instrument_add, with the calls the text has and the id to take. */
gboolean hpmviz_finstrument_add(GArray *edits, const char *text,
                                const struct hpmviz_wanted *wanted,
                                const GArray *calls, int id, GError **error);

#endif
