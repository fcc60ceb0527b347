/* SPDX-License-Identifier: BSD-3-Clause
 * The OMPT tool: what the runtime tells of its threads becomes their states. */
#ifndef HPM_OPENMP_OMPTOOL_H
#define HPM_OPENMP_OMPTOOL_H

#include "openmp/ompt.h"

/* The runtime calls this at its start: exported. */
struct hpm_ompt_start *ompt_start_tool(unsigned version, const char *runtime)
    __attribute__((visibility("default")));

#endif
