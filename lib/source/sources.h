/* SPDX-License-Identifier: BSD-3-Clause
 * The sources there are, in the order they are asked. */
#ifndef HPM_SOURCE_SOURCES_H
#define HPM_SOURCE_SOURCES_H

#include "source/source.h"

/* The sources that serve when HPM_SOURCE is `choice`: NULL or "auto" for all
 * that count, or one's name, or "none".  Returns a NULL-ended list, NULL for a
 * word that is no source.  "replay" loads the file of samples, so choose once,
 * before other threads. */
const struct hpm_source *const *hpm_sources_choose(const char *choice,
                                                   struct hpm_error *err);

#endif
