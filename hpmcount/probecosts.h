/* SPDX-License-Identifier: BSD-3-Clause
 * What a hit of a probe costs: measured on functions of hpmcount's own. */
#ifndef HPMCOUNT_PROBECOSTS_H
#define HPMCOUNT_PROBECOSTS_H

#include <stdbool.h>

#include "base/error.h"
#include "hpmcount/proberings.h"
#include "hpmcount/tracefs.h"
#include "record/calibration.h"
#include "study/probe/costplaces.h"
#include "study/probe/instruction.h"

/* Own functions to be probed. */
enum { PROBECOSTS_PLACES = HPM_N_COST_PLACES };

struct probecosts {
    struct hpm_calibration calibration; /* where the kernel imitates the first
                                         * instruction */
    /* what a call costs more, by that instruction */
    uint64_t more[HPM_N_INSTRUCTION_KINDS][HPM_MAX_CHARGED];
};

/* Their places in hpmcount's file; `path` has room for PATH_MAX bytes. */
bool probecosts_places(char *path, struct tracefs_place *ret_places,
                       struct hpm_error *err);

/* Let a child call them, and find the costs in nanoseconds and counts. */
bool probecosts_find(const struct hpm_eventset *set,
                     const struct tracefs *tracefs,
                     enum proberings_extent extent,
                     struct probecosts *ret_costs, struct hpm_error *err);

#endif
