/* SPDX-License-Identifier: BSD-3-Clause
 * Detecting that a launcher is counted instead of the tasks it starts. */
#ifndef HPMCOUNT_GUARD_H
#define HPMCOUNT_GUARD_H

#include <stdbool.h>

#include "base/error.h"

/* True when the command is not a launcher of parallel jobs (mpirun, srun ...).
 * Else err names the launcher and shows the right order; `own` are hpmcount's
 * words before the command. */
bool guard_check(char **own, char **command, struct hpm_error *err);

#endif
