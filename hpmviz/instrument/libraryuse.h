/* SPDX-License-Identifier: BSD-3-Clause
 * The lines that make libhpm known to a source: #include and use. */
#ifndef HPMVIZ_INSTRUMENT_LIBRARYUSE_H
#define HPMVIZ_INSTRUMENT_LIBRARYUSE_H

#include "hpmviz/instrument/language.h"

/* Add edits (edits.h) that remove these lines, unless the source uses more of
 * the library than `n_calls` calls. */
void hpmviz_libraryuse_remove(GArray *edits, const char *text,
                              enum hpmviz_language language, guint n_calls);

#endif
