/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' events that cannot be 0 in a busy program. */
#include "source/busy.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const events[] = {
    /* Intel */
    "CPU_CLK_UNHALTED:THREAD",
    "CPU_CLK_UNHALTED:THREAD_P",
    "UNHALTED_CORE_CYCLES",
    "INST_RETIRED:ANY",
    "INST_RETIRED:ANY_P",
    "INSTRUCTION_RETIRED",
    "BR_INST_RETIRED:ALL_BRANCHES",
    "MEM_INST_RETIRED:ALL_LOADS",
    "MEM_INST_RETIRED:ALL_STORES",
    "UOPS_RETIRED:RETIRE_SLOTS",
    "UOPS_RETIRED:SLOTS",
    "TOPDOWN:SLOTS_P",
    /* AMD */
    "CYCLES_NOT_IN_HALT",
    "RETIRED_INSTRUCTIONS",
    "RETIRED_BRANCH_INSTRUCTIONS",
    "RETIRED_OPS",
    "RETIRED_UOPS",
    "LS_DISPATCH:LD_DISPATCH:LD_ST_DISPATCH",
    "LS_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",
    "LS_DISPATCH:LD_DISPATCH:STORE_DISPATCH:LD_ST_DISPATCH",
    /* Arm */
    "CPU_CYCLES",
    "INST_RETIRED",
    "INST_SPEC",
    "INST_SPEC_EXEC",
    "OP_RETIRED",
    "OP_SPEC",
    "BR_RETIRED",
    "BR_PRED",
    "BRANCH_PRED",
    "BR_IMMED_SPEC",
    "INST_SPEC_EXEC_SOFT_PC",
    "BRANCH_SPEC_EXEC_IMM_BRANCH",
    "LD_SPEC",
    "ST_SPEC",
    "DP_SPEC",
    "MEM_ACCESS_RD",
    "MEM_ACCESS_WR",
    "L1D_CACHE",
    "L1D_CACHE_RD",
    "L1D_CACHE_WR",
    "INST_SPEC_EXEC_LOAD",
    "INST_SPEC_EXEC_STORE",
    "INST_SPEC_EXEC_INTEGER_INST",
    "DATA_MEM_READ_ACCESS",
    "DATA_MEM_WRITE_ACCESS",
    "L1D_CACHE_ACCESS",
    "L1D_READ_ACCESS",
    "L1D_WRITE_ACCESS",
    /* POWER */
    "PM_RUN_CYC",
    "PM_CYC",
    "PM_RUN_INST_CMPL",
    "PM_INST_CMPL",
    "PM_BR_CMPL",
    "PM_LD_REF_L1",
    "PM_ST_FIN",
    "PM_1PLUS_PPC_CMPL",
};

bool
hpm_busy_must_count(const char *event)
{
    const char *owner = strstr(event, "::");

    if (owner != NULL)
        event = owner + 2;
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
        if (strcasecmp(event, events[i]) == 0)
            return true;
    }
    return false;
}
