/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm in C and C++. */
#ifndef HPMVIZ_INSTRUMENT_CCALLS_H
#define HPMVIZ_INSTRUMENT_CCALLS_H

#include "hpmviz/instrument/call.h"

/* Add the calls of the text, of all branches of its conditionals. */
void hpmviz_ccalls_add(GArray *calls, const char *text);

#endif
