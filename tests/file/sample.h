/* SPDX-License-Identifier: BSD-3-Clause
 * Generated performance files of all kinds: the same ones each time. */
#ifndef HPM_TESTS_SAMPLE_H
#define HPM_TESTS_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "model/experiment.h"

/* Random numbers, the same for the same seed. */
void begin_random(uint64_t seed);
uint64_t next_random(void);
int below(int n); /* from 0 to n - 1 */

/* An experiment with some of everything it may have. */
struct hpm_experiment *random_experiment(void);

/* The experiment as the recorder's writer writes it; to be freed by the
 * caller. */
char *written_by_recorder(const struct hpm_experiment *experiment,
                          size_t *ret_size);

#endif
