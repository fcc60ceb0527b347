/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of libhpm put around lines of a source.
 *
 * What comes back are edits of the text (edits.h), so that nothing else in it
 * changes and a viewer can make them one step to be undone.  Text is UTF-8 or
 * any encoding that has ASCII as it is. */
#ifndef HPMVIZ_INSTRUMENT_INSTRUMENT_H
#define HPMVIZ_INSTRUMENT_INSTRUMENT_H

#include "hpmviz/instrument/edits.h"
#include "hpmviz/instrument/wanted.h"

/* Edits that put a start before the lines and a stop behind them, with the next
 * free id, and the #include or use that is wanting.
 *
 * C: hpmTstart and hpmTstop.  C++: HPM_SECTION where the lines are a whole
 * block, which may then be left in any way.  Where an OpenMP parallel region
 * begins in the lines it is a section of the process.
 *
 * NULL, with a reason for the user in one line, where calls cannot stand there
 * or a stop would be passed by. */
GArray *hpmviz_instrument_add(const char *text,
                              const struct hpmviz_wanted *wanted, int *ret_id,
                              GError **error);

/* Edits that put right the numbers of lines that calls of Fortran name where no
 * preprocessor does it: `call hpmTstart(1, 'solve', 'solver.f', 12)`.  Calls
 * that name another file stay as they are.  To be done after all other edits. */
GArray *hpmviz_instrument_renew_lines(const char *text,
                                      enum hpmviz_language language,
                                      const char *name);

#endif
