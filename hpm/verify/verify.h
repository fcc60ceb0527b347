/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --verify: do the counters of this machine count correctly? */
#ifndef HPM_VERIFY_H
#define HPM_VERIFY_H

#include <stdbool.h>

#include "hpm/frame/subcommand.h"

/* Count the events (a list; NULL: all that definitions use here) in kernels
 * with known counts, print the results, and write down which events count
 * wrongly, for later measurements here. */
enum status verify_run(const char *events, bool is_json);

#endif
