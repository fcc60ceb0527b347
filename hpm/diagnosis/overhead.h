/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --overhead: what measuring costs on this machine, and how much of
 * this cost is left in the results. */
#ifndef HPM_OVERHEAD_H
#define HPM_OVERHEAD_H

#include <stdbool.h>

#include "hpm/frame/subcommand.h"

/* Measure and print Tables 2 and 3 of the HPM Toolkit paper (section 3.2) for
 * this machine.  Events are `events`, or those of HPM_EVENTS and HPM_SET, or
 * the paper's where there are hardware counters, else libhpm's default. */
enum status overhead_run(const char *events, bool is_json);

#endif
