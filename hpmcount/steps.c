/* SPDX-License-Identifier: BSD-3-Clause
 * Readings during the run, for counters that take turns. */
#include "hpmcount/steps.h"

#include <string.h>

#include "host/memory.h"
#include "source/clock.h"

/* A turn takes 4 ms.  Steps begin with this pause and become twice as long
 * whenever there are too many: a run is read some 8 times for each doubling of
 * its length. */
static const uint64_t first_pause_ns = 5000000;

void
steps_begin(struct steps *steps, const struct hpm_meter *meter,
            const uint64_t *before)
{
    hpm_memory_free(steps->blocks);
    *steps = (struct steps){
        .meter = meter, .pause_ns = UINT64_MAX, .next_ns = UINT64_MAX};
    if (!meter->takes_turns)
        return;
    steps->blocks = hpm_memory_new(meter->n_events, sizeof *steps->blocks);
    if (steps->blocks == NULL || hpm_meter_is_replayed(meter))
        return;
    memcpy(steps->before, before, meter->n_slots * sizeof *before);
    steps->pause_ns = first_pause_ns;
    steps->next_ns = hpm_clock_instant().ns + first_pause_ns;
}

static void
reach(struct steps *steps, const uint64_t *used)
{
    const struct hpm_meter *meter = steps->meter;

    for (size_t i = 0; steps->blocks != NULL && i < meter->n_events; i++) {
        size_t clock = meter->events[i].clock_slot;

        if (clock != 0)
            hpm_blocks_reach(
                &steps->blocks[i],
                &(struct hpm_turns){used[1 + i], used[clock], used[clock + 1]});
    }
}

/* Make steps as long as blocks again, where blocks were folded. */
static bool
lengthen(struct steps *steps)
{
    bool is_longer = false;

    for (size_t i = 0; i < steps->meter->n_events; i++)
        is_longer |= hpm_blocks_lengthen(&steps->blocks[i]);
    return is_longer;
}

void
steps_look(struct steps *steps)
{
    uint64_t now = hpm_clock_instant().ns;
    uint64_t used[HPM_MAX_SLOTS] = {0};

    if (now < steps->next_ns)
        return;
    hpm_meter_read(steps->meter, used);
    for (size_t i = 0; i < steps->meter->n_slots; i++)
        used[i] -= steps->before[i];
    reach(steps, used);
    if (lengthen(steps))
        steps->pause_ns *= 2;
    steps->next_ns = hpm_clock_instant().ns + steps->pause_ns;
}

void
steps_end(struct steps *steps, const uint64_t *all)
{
    reach(steps, all);
}

const struct hpm_blocks *
steps_blocks(const struct steps *steps, size_t event)
{
    return steps->blocks != NULL ? &steps->blocks[event] : NULL;
}

void
steps_clear(struct steps *steps)
{
    hpm_memory_free(steps->blocks);
    steps->blocks = NULL;
}
