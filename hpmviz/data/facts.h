/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of a section beside its values: what it is, where and by what
 * it was counted, what its metrics are.  A tree of names with values. */
#ifndef HPMVIZ_DATA_FACTS_H
#define HPMVIZ_DATA_FACTS_H

#include "hpmviz/data/sheet.h"

struct hpmviz_fact {
    char *name, *value;
    guint parent; /* before it; HPMVIZ_NONE for none */
};

/* struct hpmviz_fact *, freed with the array. */
GPtrArray *hpmviz_facts_new(const struct hpmviz_sheet *sheet);

#endif
