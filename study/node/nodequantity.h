/* SPDX-License-Identifier: BSD-3-Clause
 * Quantities of the whole node that can be counted, by name:
 * "node::energy-pkg"; an event of a PMU for whole packages,
 * "uncore_imc/cas_count_read/" or "node::uncore_imc/cas_count_read/"; or a name
 * whose code a definition gives: "node::UNC_M_CAS_COUNT:RD". */
#ifndef HPM_STUDY_NODE_NODEQUANTITY_H
#define HPM_STUDY_NODE_NODEQUANTITY_H

#include "source/source.h"
#include "study/node/nodeplan.h"

/* All names of counts of the node begin with this; the name is written with the
 * count and tells that it is the node's. */
#define HPM_NODE_PREFIX "node::"

/* Make the plan of a count; for FOUND only, and then the caller clears it.
 * FAILED: this machine cannot count it; err has the reason and what to do. */
enum hpm_finding hpm_nodequantity_find(const char *name,
                                       struct hpm_nodeplan *ret_plan,
                                       struct hpm_error *err);

/* Describe a name that was found; a constant string. */
const char *hpm_nodequantity_describe(const char *name);

/* Call `visit` with the name of each quantity, also of those that this machine
 * lacks. */
void hpm_nodequantity_list(void (*visit)(const char *name, void *context),
                           void *context);

#endif
