/* SPDX-License-Identifier: BSD-3-Clause
 * Readings during the run, for counters that take turns: the changes during the
 * run show how wrong an estimate can be. */
#ifndef HPMCOUNT_STEPS_H
#define HPMCOUNT_STEPS_H

#include <stdint.h>

#include "model/estimate.h"
#include "source/meter.h"

struct steps {
    const struct hpm_meter *meter;
    struct hpm_blocks
        *blocks; /* by event; NULL: no event takes turns, or there is no
                  * memory */
    uint64_t before[HPM_MAX_SLOTS];
    uint64_t pause_ns; /* between readings; UINT64_MAX: no readings */
    uint64_t next_ns;  /* time of the next reading: hpm_clock_instant */
};

/* Counting begins: `before` is the first reading. */
void steps_begin(struct steps *steps, const struct hpm_meter *meter,
                 const uint64_t *before);

/* Make a reading if it is time. */
void steps_look(struct steps *steps);

/* The last reading: `all` is the difference over the whole run. */
void steps_end(struct steps *steps, const uint64_t *all);

/* The blocks of an event, or NULL. */
const struct hpm_blocks *steps_blocks(const struct steps *steps, size_t event);

void steps_clear(struct steps *steps);

#endif
