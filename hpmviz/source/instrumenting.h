/* SPDX-License-Identifier: BSD-3-Clause
 * Commands on calls of libhpm in the source that is shown: each is one step to
 * be undone, or a reason is given and nothing changes. */
#ifndef HPMVIZ_SOURCE_INSTRUMENTING_H
#define HPMVIZ_SOURCE_INSTRUMENTING_H

#include "hpmviz/instrument/functionat.h"
#include "hpmviz/source/document.h"

/* Put a start and a stop around the lines selected, or that of the caret, with
 * an id that neither the text nor the sections of `least_id` and less have; the
 * label of the start is selected then, to be written over. */
gboolean hpmviz_instrumenting_add(HpmvizDocument *document, int least_id,
                                  GError **error);

/* Take away the calls of the section whose call is in the lines selected, or
 * that is around them; or of all sections of the source. */
gboolean hpmviz_instrumenting_remove(HpmvizDocument *document, GError **error);
gboolean hpmviz_instrumenting_remove_all(HpmvizDocument *document,
                                         GError **error);

/* Give the sections of the source ids from 1, in their order. */
gboolean hpmviz_instrumenting_renumber(HpmvizDocument *document,
                                       GError **error);

/* The function that the caret is in, see hpmviz_function_at. */
gboolean hpmviz_instrumenting_function(HpmvizDocument *document,
                                       struct hpmviz_function *ret_function,
                                       GError **error);

#endif
