/* SPDX-License-Identifier: BSD-3-Clause
 * Energy as /sys/class/powercap has it: zones, of which each is a package or a part
 * of one. */
#ifndef HPM_STUDY_NODE_NODEZONES_H
#define HPM_STUDY_NODE_NODEZONES_H

#include "study/node/nodeplan.h"

/* Add all zones whose name is this word ("core", "dram"), or begins with it where
 * the word ends with "-" ("package-").  False where there is none, *ret_is_there
 * false, or where it may not be read; err says why. */
bool hpm_nodezones_add(struct hpm_nodeplan *plan, const char *word,
                       bool *ret_is_there, struct hpm_error *err);

/* Its energy now; false when it cannot be read. */
bool hpm_nodezones_read(const struct hpm_nodezone *zone, uint64_t *ret_energy);

/* What a zone has used since it was `before`, when it is `now`: it begins at 0 again
 * when its range is full, and has done so once at most.  False where that cannot be
 * told. */
bool hpm_nodezones_used(const struct hpm_nodezone *zone, uint64_t before,
                        uint64_t now, uint64_t *ret_used);

/* How long a zone of so large a range may go unread: it would take twice as long to
 * fill at a kilowatt, which is more than any package has. */
uint64_t hpm_nodezones_patience_ns(const struct hpm_nodezone *zone);

#endif
