/* SPDX-License-Identifier: BSD-3-Clause
 * The sources, in the order in which they are asked. */
#ifndef HPM_SOURCE_SOURCES_H
#define HPM_SOURCE_SOURCES_H

#include "source/source.h"

/* The sources to use if HPM_SOURCE is `choice`: NULL or "auto" for all that
 * count, a source's name, or "none".  Returns a list that ends in NULL; NULL
 * for an unknown word.  "replay" loads the file of samples, so call this once,
 * before there are other threads. */
const struct hpm_source *const *hpm_sources_choose(const char *choice,
                                                   struct hpm_error *err);

/* From now on `source`, which a library brings, serves beside the kernel's events,
 * PAPI's and resource usage, and sources brought before: two at most.  Call this
 * before any event is looked up. */
void hpm_sources_bring(const struct hpm_source *source) __attribute__((cold));

#endif
