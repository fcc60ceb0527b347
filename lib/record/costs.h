/* SPDX-License-Identifier: BSD-3-Clause
 * The costs of measuring: constants, found at run time by calling the public
 * calls the way the program does (lib/session/calibrate.c), and subtracted from
 * totals at the end.
 *
 *     |<------------------- outer -------------------->|
 *       ..][ start ... |<- inner ->| ... stop ][..
 *           \________/               \_______/
 *        START: all of a start that an enclosing section sees; STOP likewise
 *                      SELF: the part of both that is inside the section
 *
 * A window between two samples holds: what the program did + SELF + the full
 * cost of every start and stop that lies inside.  The latter is a running sum
 * per thread, the *overhead*: every start and stop adds its constant.  Where a
 * start or stop takes a path of varying length (a section seen for the first
 * time, stops out of order) it reads the counters at the begin and at the end
 * of that path and adds the difference, and a constant for the rest. */
#ifndef HPM_RECORD_COSTS_H
#define HPM_RECORD_COSTS_H

#include <stddef.h>
#include <stdint.h>

#include "source/eventset.h"

enum hpm_cost {
    HPM_COST_SELF,  /* an empty section's own reading */
    HPM_COST_START, /* a start, as an enclosing section sees it: by a call site
                     * that is in its first slot (site.h) */
    HPM_COST_STOP,  /* a stop */
    HPM_COST_SECOND_START, /* a start by a call site that is in its second
                            * slot */
    HPM_COST_BUCKET_START, /* a start by a call site that is in a bucket */
    HPM_COST_AT_START,     /* a start without a call site; the next three costs
                            * are */
    HPM_COST_AT_AGAIN_START, /* its variants (EXCLUDED differs by as much as
                              * this one) */
    HPM_COST_AT_LONG_START,
    HPM_COST_AT_LONG_AGAIN,
    HPM_COST_AGAIN_START, /* a start of a section that is already open */
    HPM_COST_AGAIN_STOP,
    HPM_COST_LONG_START, /* the rest of a start that measured itself */
    HPM_COST_LONG_STOP,
    HPM_COST_LONG_AGAIN,    /* as LONG_START, if no section was opened */
    HPM_COST_EXCLUDED,      /* a pair left out by HPM_ONLY and the like */
    HPM_COST_WORK,          /* the rest of hpmWork */
    HPM_COST_READING,       /* the rest of hpmGetTimeAndCounters */
    HPM_COST_PROCESS_START, /* the rest of hpmStart, for thread sections */
    HPM_COST_PROCESS_STOP,
    /* For calls with counted strings, from Fortran. */
    HPM_COST_COUNTED_SELF, /* how much SELF is larger there */
    HPM_COST_COUNTED_START,
    HPM_COST_COUNTED_STOP, /* without COUNTED_SELF, which the stop adds before
                            * it closes the section */
    HPM_COST_COUNTED_LONG_START,
    HPM_COST_COUNTED_LONG_STOP,
    HPM_N_COSTS,
};

enum { HPM_MAX_CHARGED = 1 + HPM_MAX_ALL_EVENTS };

/* For each cost and slot (time in ticks, then the events).  Computed modulo
 * 2^64 as uint64_t: a constant below 0 has wrapped around. */
struct hpm_costs {
    uint64_t amounts[HPM_N_COSTS][HPM_MAX_CHARGED];
};

/* The charge for starts and stops on the quick way, in one slot. */
static inline uint64_t
hpm_costs_of_edges(const struct hpm_costs *costs, size_t slot,
                   uint64_t n_starts, uint64_t n_stops)
{
    return n_starts * costs->amounts[HPM_COST_START][slot] +
           n_stops * costs->amounts[HPM_COST_STOP][slot];
}

#endif
