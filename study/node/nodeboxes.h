/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of a PMU that counts whole packages: "uncore_imc" is uncore_imc_0,
 * uncore_imc_1 ..., each on the processors of its mask. */
#ifndef HPM_STUDY_NODE_NODEBOXES_H
#define HPM_STUDY_NODE_NODEBOXES_H

#include "study/node/nodeplan.h"

/* Does a PMU count whole packages, as its mask says? */
bool hpm_nodeboxes_is_box(const char *pmu);

/* Is there such a PMU of that name, or with that name, "_" and a number?  Where
 * `event` is not NULL, one that lists this event. */
bool hpm_nodeboxes_are_there(const char *family, const char *event);

/* Add a counter for each box of the family that has the event, and each processor of
 * the box's mask.  `what` is an event that the boxes list, or its terms.  Where it
 * is a listed one in joules or in bytes, the unit of the plan is microjoules or bytes,
 * and each counter has the factor that its own box lists.  False where no box takes it
 * or boxes list different units; err says why. */
bool hpm_nodeboxes_add(struct hpm_nodeplan *plan, const char *family,
                       const char *what, struct hpm_error *err);

#endif
