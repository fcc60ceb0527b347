/* SPDX-License-Identifier: BSD-3-Clause
 * Probes that root has defined once, so that other users can measure with them.
 *
 * Each file with such probes has a group of events in the kernel's list.  The
 * group's name says of which file: the kernel keeps its probes in the file as it was
 * when they were defined, and another file that has its path since has none. */
#ifndef HPM_STUDY_PROBE_STANDING_H
#define HPM_STUDY_PROBE_STANDING_H

#include <stdbool.h>

#include "base/error.h"
#include "study/probe/probelist.h"

/* The group's events: entries and returns of functions that have both; entries of
 * functions whose calls alone are counted. */
#define HPM_STANDING_ENTRY "entry"
#define HPM_STANDING_BACK "back"
#define HPM_STANDING_CALLS "calls"

enum { HPM_STANDING_NAME = 64 };

/* The name of the group of a file as it is now; false where it cannot be read. */
bool hpm_standing_group(const char *path, char ret_group[HPM_STANDING_NAME],
                        struct hpm_error *err);

/* Is this the name of such a group? */
bool hpm_standing_is_group(const char *group);

/* Has an event of the group a probe at the offset? */
bool hpm_standing_has(const struct hpm_probelist *list, const char *group,
                      const char *event, uint64_t offset);

/* Has the list such probes for a file that had this path before, other than those of
 * the group? */
bool hpm_standing_is_old(const struct hpm_probelist *list, const char *group,
                         const char *path);

#endif
