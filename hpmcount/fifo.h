/* SPDX-License-Identifier: BSD-3-Clause
 * A named pipe as the target of a report or a file. */
#ifndef HPMCOUNT_FIFO_H
#define HPMCOUNT_FIFO_H

#include <stdbool.h>

#include "base/error.h"

/* Is the path a named pipe itself, and not a link to one? */
bool fifo_is(const char *path);

/* Open the pipe for writing, as a shell does: when a program reads it, but wait
 * at most the time of HPM_TIMEOUT.  Returns a descriptor above 2; or -1, with
 * the reason. */
int fifo_open(const char *path, struct hpm_error *err);

#endif
