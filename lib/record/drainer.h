/* SPDX-License-Identifier: BSD-3-Clause
 * The drainer: a thread of the library that takes samples out of the rings of
 * threads that stay long in one section, before the rings are full.
 *
 * Each thread itself later says in which of its sections these samples were
 * (record/sampler.h).  The drainer is no thread of the program: process
 * sections do not count it, and it gets no signals. */
#ifndef HPM_RECORD_DRAINER_H
#define HPM_RECORD_DRAINER_H

#include <stdbool.h>

#include "base/error.h"
#include "record/threads.h"

/* Start the drainer, unless it already runs in this process. */
bool hpm_drainer_start(struct hpm_threads *threads,
                       const struct hpm_sampling *sampling,
                       struct hpm_error *err);

/* A thread begins, or ends: the drainer looks after it soon.  Any thread. */
void hpm_drainer_wake(void);

/* From now on the drainer takes no samples from these threads. */
void hpm_drainer_end(const struct hpm_threads *threads);

#endif
