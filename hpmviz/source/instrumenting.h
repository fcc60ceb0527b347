/* SPDX-License-Identifier: BSD-3-Clause
 * Commands on calls of libhpm in the source that is shown: each is one step to
 * be undone, or a reason is given and nothing changes. */
#ifndef HPMVIZ_SOURCE_INSTRUMENTING_H
#define HPMVIZ_SOURCE_INSTRUMENTING_H

#include "hpmviz/source/document.h"

/* Put a start and a stop around the lines selected, or that of the caret, with
 * an id that neither the text nor the sections of `least_id` and less have; the
 * label of the start is selected then, to be written over. */
gboolean hpmviz_instrumenting_add(HpmvizDocument *document, int least_id,
                                  GError **error);

#endif
