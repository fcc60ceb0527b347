/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --roofs: how fast this machine can calculate and read memory. */
#ifndef HPM_ROOFS_H
#define HPM_ROOFS_H

#include <stdbool.h>

#include "hpm/frame/subcommand.h"

/* Measure the roofs, print them, and write them down for later measurements
 * here. */
enum status roofs_run(bool is_json);

#endif
