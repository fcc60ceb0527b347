/* SPDX-License-Identifier: BSD-3-Clause
 * OpenMP directives around lines of Fortran. */
#ifndef HPMVIZ_INSTRUMENT_FDIRECTIVES_H
#define HPMVIZ_INSTRUMENT_FDIRECTIVES_H

#include "hpmviz/instrument/fcode.h"

/* Make the lines (*first, *last) begin above the directive of a loop that is
 * right before the statements, and end below its end.  `code_first` and
 * `code_last` are the lines of the statements.  FALSE, with a reason, where a
 * region would be begun or ended alone in the lines. */
gboolean hpmviz_fdirectives_include(const struct hpmviz_fcode *code,
                                    guint code_first, guint code_last,
                                    guint *first, guint *last,
                                    gboolean *ret_has_parallel, GError **error);

#endif
