/* SPDX-License-Identifier: BSD-3-Clause
 * The drainer: a thread of our own that takes samples out of the rings of threads
 * that stay long in one section, before these are full.
 *
 * It leaves it to each thread to say in which of its sections that was
 * (record/sampler.h).  It is none of the program's threads: process sections do
 * not count it, and no signal comes to it. */
#ifndef HPM_RECORD_DRAINER_H
#define HPM_RECORD_DRAINER_H

#include <stdbool.h>

#include "base/error.h"
#include "record/threads.h"

/* Start it, unless it runs in this process already. */
bool hpm_drainer_start(struct hpm_threads *threads,
                       const struct hpm_sampling *sampling,
                       struct hpm_error *err);

/* It takes nothing any more from those threads, from now on. */
void hpm_drainer_end(const struct hpm_threads *threads);

#endif
