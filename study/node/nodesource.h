/* SPDX-License-Identifier: BSD-3-Clause
 * Source "node": counts of the whole node, of whatever runs there, which tools
 * have and measured programs do not carry. */
#ifndef HPM_STUDY_NODE_NODESOURCE_H
#define HPM_STUDY_NODE_NODESOURCE_H

#include "source/eventset.h"
#include "source/source.h"

extern const struct hpm_source hpm_source_node;

enum { HPM_MAX_SOURCES = 8 };

/* The same sources and, where the kernel is one of them, this one behind it.
 * `ret_list` has room for HPM_MAX_SOURCES. */
void hpm_nodesource_add(const struct hpm_source *const *sources,
                        const struct hpm_source **ret_list);

/* Append the names of the set's counts of the node, "'a', 'b'"; their number. */
size_t hpm_nodesource_name(const struct hpm_eventset *set,
                           struct hpm_string *names);

/* Give up the set's counts of the node, for that reason. */
void hpm_nodesource_refuse(struct hpm_eventset *set, const char *reason);

#endif
