/* SPDX-License-Identifier: BSD-3-Clause
 * Estimates a count for the whole time from a counter that took turns with
 * others. */
#include "model/estimate.h"

#include <math.h>

/* ---- steps and blocks ------------------------------------------------- */

static void
add_turns(struct hpm_turns *sum, const struct hpm_turns *turns)
{
    sum->count += turns->count;
    sum->enabled += turns->enabled;
    sum->running += turns->running;
}

static bool
is_full_time(const struct hpm_turns *step)
{
    return step->running == step->enabled;
}

/* Does a new on-window begin?  A step continues the window of the step before
 * if both had the hardware, and one of them all the time. */
static bool
begins_window(const struct hpm_turns *before, const struct hpm_turns *step)
{
    return step->running != 0 &&
           (before->running == 0 ||
            (!is_full_time(before) && !is_full_time(step)));
}

static void
fold(struct hpm_blocks *blocks)
{
    for (unsigned i = 0; i < HPM_MOST_BLOCKS / 2; i++) {
        blocks->blocks[i] = blocks->blocks[2 * i];
        add_turns(&blocks->blocks[i], &blocks->blocks[2 * i + 1]);
    }
    blocks->n_blocks = HPM_MOST_BLOCKS / 2;
    blocks->n_per_block *= 2;
    blocks->n_in_last = blocks->n_per_block;
}

/* The block for the next step. */
static struct hpm_turns *
next_block(struct hpm_blocks *blocks)
{
    if (blocks->n_per_block == 0)
        blocks->n_per_block = blocks->n_in_last = 1;
    if (blocks->n_in_last == blocks->n_per_block) {
        if (blocks->n_blocks == HPM_MOST_BLOCKS)
            fold(blocks);
        blocks->blocks[blocks->n_blocks++] = (struct hpm_turns){0};
        blocks->n_in_last = 0;
    }
    blocks->n_in_last++;
    return &blocks->blocks[blocks->n_blocks - 1];
}

void
hpm_blocks_add(struct hpm_blocks *blocks, const struct hpm_turns *step)
{
    if (step->enabled == 0 && step->count == 0)
        return; /* an empty step does not count */
    add_turns(next_block(blocks), step);
    add_turns(&blocks->sum, step);
    blocks->n_windows += begins_window(&blocks->latest, step);
    blocks->latest = *step;
}

void
hpm_blocks_reach(struct hpm_blocks *blocks, const struct hpm_turns *sum)
{
    const struct hpm_turns step = {sum->count - blocks->sum.count,
                                   sum->enabled - blocks->sum.enabled,
                                   sum->running - blocks->sum.running};

    hpm_blocks_add(blocks, &step);
}

bool
hpm_blocks_lengthen(struct hpm_blocks *blocks)
{
    bool is_folded = blocks->n_per_block > 1;

    if (is_folded)
        blocks->n_per_block = blocks->n_in_last = 1;
    return is_folded;
}

/* Each block of `other` becomes one step.  How many steps it had does not
 * matter: the blocks of the result then have equally many of these steps. */
void
hpm_blocks_append(struct hpm_blocks *blocks, const struct hpm_blocks *other)
{
    uint64_t n_windows = blocks->n_windows + other->n_windows;

    for (unsigned i = 0; i < other->n_blocks; i++)
        hpm_blocks_add(blocks, &other->blocks[i]);
    blocks->n_windows = n_windows;
}

/* ---- the estimate ----------------------------------------------------- */

uint64_t
hpm_estimate_scale(const struct hpm_turns *turns)
{
    unsigned __int128 product =
        (unsigned __int128)turns->count * turns->enabled;
    unsigned __int128 scaled = (product + turns->running / 2) / turns->running;

    return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

/* The estimate from all blocks but one; NAN if the others had no turn. */
static double
estimate_without(const struct hpm_turns *sum, const struct hpm_turns *block)
{
    double running = (double)(int64_t)(sum->running - block->running);

    if (!(running > 0.0))
        return NAN;
    return (double)(int64_t)(sum->count - block->count) / running *
           (double)sum->enabled;
}

/* The standard error; NAN if one block has all turns. */
static double
jackknife(const struct hpm_turns *sum, const struct hpm_blocks *blocks)
{
    double n = (double)blocks->n_blocks, mean = 0.0, squares = 0.0;
    double estimates[HPM_MOST_BLOCKS];

    for (unsigned i = 0; i < blocks->n_blocks; i++) {
        estimates[i] = estimate_without(sum, &blocks->blocks[i]);
        mean += estimates[i] / n;
    }
    for (unsigned i = 0; i < blocks->n_blocks; i++)
        squares += (estimates[i] - mean) * (estimates[i] - mean);
    return sqrt((n - 1.0) / n * squares);
}

/* If all turns counted 0, the error is not known: equal turns only show that
 * events are rare, not what happened between the turns. */
static void
find_error(const struct hpm_turns *sum, const struct hpm_blocks *blocks,
           struct hpm_estimate *estimate)
{
    uint64_t fewest = blocks->n_windows < blocks->n_blocks ? blocks->n_windows
                                                           : blocks->n_blocks;
    double error;

    estimate->n_windows = blocks->n_windows;
    if (blocks->n_windows < HPM_FEWEST_WINDOWS) {
        estimate->state = HPM_STATE_BRIEF;
        return;
    }
    error = jackknife(sum, blocks);
    if (isnan(error) || fewest < 2) {
        estimate->state = HPM_STATE_BRIEF;
        return;
    }
    estimate->error = sum->count != 0 ? error : NAN;
    estimate->freedom = (unsigned)fewest - 1;
}

void
hpm_estimate_make(const struct hpm_turns *sum, const struct hpm_blocks *blocks,
                  struct hpm_estimate *ret_estimate)
{
    struct hpm_estimate estimate = {.state = HPM_STATE_COUNTED,
                                    .value = sum->count,
                                    .share = NAN,
                                    .error = NAN};

    if (sum->enabled != 0)
        estimate.share = (double)sum->running / (double)sum->enabled;
    if (is_full_time(sum)) {
        *ret_estimate = estimate;
        return;
    }
    if (sum->running == 0) {
        estimate.state = HPM_STATE_UNSCHEDULED;
        estimate.value = 0;
    } else {
        estimate.state = HPM_STATE_SHARED;
        estimate.value = hpm_estimate_scale(sum);
        if (blocks != NULL)
            find_error(sum, blocks, &estimate);
    }
    *ret_estimate = estimate;
}

/* Quantiles 0.975 of Student's t, from 1 degree of freedom on. */
double
hpm_estimate_reach(unsigned freedom)
{
    static const double quantiles[] = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                       2.4469,  2.3646, 2.3060, 2.2622, 2.2281,
                                       2.2010,  2.1788, 2.1604, 2.1448, 2.1314};
    const unsigned n = sizeof quantiles / sizeof *quantiles;

    if (freedom == 0)
        return NAN;
    return quantiles[(freedom < n ? freedom : n) - 1];
}
