/* SPDX-License-Identifier: BSD-3-Clause
 * What can be counted of the whole node, by name: "node::energy-pkg", and what a PMU
 * of whole packages has, "uncore_imc/cas_count_read/" or
 * "node::uncore_imc/cas_count_read/", also by a name for which a definition has the
 * code: "node::UNC_M_CAS_COUNT:RD". */
#ifndef HPM_STUDY_NODE_NODEQUANTITY_H
#define HPM_STUDY_NODE_NODEQUANTITY_H

#include "source/source.h"
#include "study/node/nodeplan.h"

/* What the names of all counts of the node begin with: it goes wherever the count
 * goes, and says whose it is. */
#define HPM_NODE_PREFIX "node::"

/* Make the plan of a count, which the caller clears; for FOUND only.  FAILED: this
 * machine cannot count it; err says why, and what to do. */
enum hpm_finding hpm_nodequantity_find(const char *name,
                                       struct hpm_nodeplan *ret_plan,
                                       struct hpm_error *err);

/* What it is, of one that was found; a constant. */
const char *hpm_nodequantity_describe(const char *name);

/* Call `visit` with the name of each quantity, also of those that this machine has
 * not. */
void hpm_nodequantity_list(void (*visit)(const char *name, void *context),
                           void *context);

#endif
