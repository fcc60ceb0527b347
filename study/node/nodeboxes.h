/* SPDX-License-Identifier: BSD-3-Clause
 * The boxes of a PMU that counts whole packages: "uncore_imc" is uncore_imc_0,
 * uncore_imc_1 ..., each on the processors of its mask. */
#ifndef HPM_STUDY_NODE_NODEBOXES_H
#define HPM_STUDY_NODE_NODEBOXES_H

#include "study/node/nodeplan.h"

/* Does a PMU count whole packages, as its mask says? */
bool hpm_nodeboxes_is_box(const char *pmu);

/* Is there such a PMU of that name, or with that name, "_" and a number?  If
 * `event` is not NULL, the PMU must list this event. */
bool hpm_nodeboxes_are_there(const char *family, const char *event);

/* Add a counter for each box of the family that has the event, and for each
 * processor of the box's mask.  `what` is an event that the boxes list, or its
 * terms.  If the listed event is in joules or bytes, the plan's unit is
 * microjoules or bytes, and each counter has the factor that its own box
 * lists.  False, with the reason in err, if no box takes the event or boxes
 * list different units. */
bool hpm_nodeboxes_add(struct hpm_nodeplan *plan, const char *family,
                       const char *what, struct hpm_error *err);

#endif
