/* SPDX-License-Identifier: BSD-3-Clause
 * A named pipe as the place of a report or a file. */
#ifndef HPMCOUNT_FIFO_H
#define HPMCOUNT_FIFO_H

#include <stdbool.h>

#include "base/error.h"

/* Is it one itself, not a link to one? */
bool fifo_is(const char *path);

/* Open it for writing, as a shell does: once somebody reads it, but no later than
 * HPM_TIMEOUT says.  A descriptor beyond the program's first three; -1, and
 * why. */
int fifo_open(const char *path, struct hpm_error *err);

#endif
