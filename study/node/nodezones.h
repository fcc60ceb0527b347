/* SPDX-License-Identifier: BSD-3-Clause
 * Energy from /sys/class/powercap: zones, each of which is a package or a part
 * of one. */
#ifndef HPM_STUDY_NODE_NODEZONES_H
#define HPM_STUDY_NODE_NODEZONES_H

#include "study/node/nodeplan.h"

/* Add all zones whose name is this word ("core", "dram"), or begins with it if
 * the word ends with "-" ("package-").  False if there is none (*ret_is_there
 * is false), or if one may not be read; err has the reason. */
bool hpm_nodezones_add(struct hpm_nodeplan *plan, const char *word,
                       bool *ret_is_there, struct hpm_error *err);

/* The zone's energy now; false when it cannot be read. */
bool hpm_nodezones_read(const struct hpm_nodezone *zone, uint64_t *ret_energy);

/* The energy used between the readings `before` and `now`.  The zone begins at
 * 0 again when its range is full, at most once in between.  False if the energy
 * went back and the range does not explain it. */
bool hpm_nodezones_used(const struct hpm_nodezone *zone, uint64_t before,
                        uint64_t now, uint64_t *ret_used);

/* How long a zone with this range may go unread: half the time that it needs to
 * fill at a kilowatt, which is more than any package uses. */
uint64_t hpm_nodezones_patience_ns(const struct hpm_nodezone *zone);

#endif
