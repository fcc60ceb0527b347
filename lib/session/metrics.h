/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of metrics in a measured program. */
#ifndef HPM_SESSION_METRICS_H
#define HPM_SESSION_METRICS_H

#include "metric/library.h"

/* Read the definitions and choose those for this machine, unless they were
 * read already; the first faults in them are said.  False when memory runs
 * out. */
bool hpm_session_open_library(struct hpm_library *library,
                              struct hpm_error *err);

#endif
