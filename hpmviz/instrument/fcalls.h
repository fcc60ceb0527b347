/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm in Fortran. */
#ifndef HPMVIZ_INSTRUMENT_FCALLS_H
#define HPMVIZ_INSTRUMENT_FCALLS_H

#include "hpmviz/instrument/call.h"

/* Add the calls of the text. */
void hpmviz_fcalls_add(GArray *calls, const char *text, gboolean is_fixed);

#endif
