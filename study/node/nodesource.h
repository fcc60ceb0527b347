/* SPDX-License-Identifier: BSD-3-Clause
 * Source "node": counts of the whole node, whichever programs run there.  Only
 * tools have this source; measured programs do not load it. */
#ifndef HPM_STUDY_NODE_NODESOURCE_H
#define HPM_STUDY_NODE_NODESOURCE_H

#include "source/eventset.h"
#include "source/source.h"

extern const struct hpm_source hpm_source_node;

enum { HPM_MAX_SOURCES = 8 };

/* Copy the list of sources, with this source after the kernel's if that is in
 * it.  `ret_list` has room for HPM_MAX_SOURCES. */
void hpm_nodesource_add(const struct hpm_source *const *sources,
                        const struct hpm_source **ret_list);

/* Append the names of the set's counts of the node, "'a', 'b'"; returns their
 * number. */
size_t hpm_nodesource_name(const struct hpm_eventset *set,
                           struct hpm_string *names);

/* Mark the set's counts of the node as refused, with this reason. */
void hpm_nodesource_refuse(struct hpm_eventset *set, const char *reason);

#endif
