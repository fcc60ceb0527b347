/* SPDX-License-Identifier: BSD-3-Clause
 * The mistake of counting a launcher instead of the tasks it starts. */
#ifndef HPMCOUNT_GUARD_H
#define HPMCOUNT_GUARD_H

#include <stdbool.h>

#include "base/error.h"

/* True when the command is no launcher of parallel jobs (mpirun, srun ...).
 * Else err names it and shows the right order; `own` are the words before the
 * command, hpmcount's options. */
bool guard_check(char **own, char **command, struct hpm_error *err);

#endif
