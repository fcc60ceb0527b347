/* SPDX-License-Identifier: BSD-3-Clause
 * Readings while the program runs, of counters that take turns: how the run
 * went on shows how far an estimate can be off. */
#ifndef HPMCOUNT_STEPS_H
#define HPMCOUNT_STEPS_H

#include <stdint.h>

#include "model/estimate.h"
#include "source/meter.h"

struct steps {
    const struct hpm_meter *meter;
    struct hpm_blocks
        *blocks; /* of each event; NULL: none takes turns, or there
                                  is no memory */
    uint64_t before[HPM_MAX_SLOTS];
    uint64_t pause_ns; /* from one to the next; UINT64_MAX: never */
    uint64_t next_ns;  /* when the next one is due: of hpm_clock_instant */
};

/* The counting begins: `before` is its first reading. */
void steps_begin(struct steps *steps, const struct hpm_meter *meter,
                 const uint64_t *before);

/* Read, if it is time for that. */
void steps_look(struct steps *steps);

/* The last one: the difference of all. */
void steps_end(struct steps *steps, const uint64_t *all);

/* Those of an event, NULL for none. */
const struct hpm_blocks *steps_blocks(const struct steps *steps, size_t event);

void steps_clear(struct steps *steps);

#endif
