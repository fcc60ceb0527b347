/* SPDX-License-Identifier: BSD-3-Clause
 * What definitions of metrics ask about a machine. */
#ifndef HPM_SOURCE_FACTS_H
#define HPM_SOURCE_FACTS_H

#include "base/string.h"

/* Add those facts that are known here, "L2 L3 no-SMT FMA no-VM no-NUMA": caches
 * of level 2 and 3, several hardware threads per core, multiply-add
 * instructions, a virtual machine, several memory nodes. */
void hpm_facts_add(struct hpm_string *string);

#endif
