/* SPDX-License-Identifier: BSD-3-Clause
 * Is the process that was writing a file still running? */
#ifndef HPM_HOLDER_H
#define HPM_HOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/* Is a process of this number running on this machine that began before the
 * file (`status`) was last written?  Process numbers are reused, so a process
 * that began later is a different one. */
bool holder_is_there(long pid, const struct stat *status);

#endif
