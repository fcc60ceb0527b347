/* SPDX-License-Identifier: BSD-3-Clause
 * Two runs as one study: what changed from one to the other, by the same
 * arithmetic as `hpm diff` (study/columns/diff.h).
 */
#ifndef HPMVIZ_DATA_COMPARING_H
#define HPMVIZ_DATA_COMPARING_H

#include "hpmviz/data/loader.h"

/* Work out b - a in a thread, which keeps both as long; ends with
 * hpmviz_loader_finish.  Sections that only one of them has are there, and
 * marked (HPM_ROW_SIDE_A, HPM_ROW_SIDE_B). */
void hpmviz_comparing_start(struct hpmviz_loaded *a, struct hpmviz_loaded *b,
                            enum hpm_precision precision,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback, gpointer data);

#endif
