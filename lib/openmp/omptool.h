/* SPDX-License-Identifier: BSD-3-Clause
 * The OMPT tool: what the runtime tells of its threads becomes their states. */
#ifndef HPM_OPENMP_OMPTOOL_H
#define HPM_OPENMP_OMPTOOL_H

#include <stdbool.h>

#include "openmp/ompstate.h"
#include "openmp/ompt.h"

/* Has a runtime begun to tell? */
bool hpm_omptool_is_started(void);

/* Does the runtime that has begun not tell of this state? */
bool hpm_omptool_lacks(enum hpm_ompstate state);

/* The runtime calls this at its start: exported. */
struct hpm_ompt_start *ompt_start_tool(unsigned version, const char *runtime)
    __attribute__((visibility("default")));

#endif
