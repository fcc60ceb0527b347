/* SPDX-License-Identifier: BSD-3-Clause
 * Does the process still exist that was writing a file? */
#ifndef HPM_HOLDER_H
#define HPM_HOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/* Is a process of this number running on this machine that began before the
 * file (`status`) was written last?  A number is given again, so one that began
 * later is another. */
bool holder_is_there(long pid, const struct stat *status);

#endif
