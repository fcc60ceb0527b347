/* SPDX-License-Identifier: BSD-3-Clause
 * Performance files of all kinds, made up: the same ones each time. */
#ifndef HPM_TESTS_SAMPLE_H
#define HPM_TESTS_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "model/experiment.h"

/* The same numbers for the same seed, in no order. */
void begin_random(uint64_t seed);
uint64_t next_random(void);
int below(int n); /* from 0 */

/* Some of everything an experiment may have. */
struct hpm_experiment *random_experiment(void);

/* What the recorder's writer makes of it; for the caller to free. */
char *written_by_recorder(const struct hpm_experiment *experiment,
                          size_t *ret_size);

#endif
