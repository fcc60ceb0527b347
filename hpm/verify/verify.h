/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --verify: do the counters of this machine count right? */
#ifndef HPM_VERIFY_H
#define HPM_VERIFY_H

#include <stdbool.h>

#include "hpm/frame/subcommand.h"

/* Count the events (a list; NULL: all that definitions use here) of kernels
 * whose counts are known, print what was found, and keep which events count
 * wrongly for those who measure here later. */
enum status verify_run(const char *events, bool is_json);

#endif
