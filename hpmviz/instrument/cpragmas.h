/* SPDX-License-Identifier: BSD-3-Clause
 * Pragmas around lines of C and C++ that are to be measured. */
#ifndef HPMVIZ_INSTRUMENT_CPRAGMAS_H
#define HPMVIZ_INSTRUMENT_CPRAGMAS_H

#include "hpmviz/instrument/ctokens.h"

/* Make the lines begin above the pragmas that belong to the first statement,
 * which begins at a token; `last` is the last line.  FALSE, with a reason, where
 * the lines would part a pragma from its statement, or stand where a pragma
 * leaves no room for a call: in the code of a device, between loops that are
 * made one, around one of several sections. */
gboolean hpmviz_cpragmas_include(const struct hpmviz_ctokens *tokens,
                                 guint first_token, guint last, guint *first,
                                 GError **error);

/* Does an OpenMP parallel region begin in these lines? */
gboolean hpmviz_cpragmas_have_parallel(const struct hpmviz_ccode *code,
                                       guint first, guint last);

#endif
