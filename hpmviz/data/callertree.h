/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a scope, each with the sections that it was called from below
 * it. */
#ifndef HPMVIZ_DATA_CALLERTREE_H
#define HPMVIZ_DATA_CALLERTREE_H

#include "hpmviz/data/pathtree.h"

/* Topmost are sections, in the order of the survey; below a node its callers, each
 * once. */
struct hpmviz_pathtree *hpmviz_callertree_new(const struct hpm_survey *paths,
                                              int scope);

#endif
