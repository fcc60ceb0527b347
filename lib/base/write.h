/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all of it, without a signal for the program. */
#ifndef HPM_BASE_WRITE_H
#define HPM_BASE_WRITE_H

#include <stddef.h>

/* Write the bytes to the descriptor, however many calls it takes.  A file size
 * limit or a closed pipe ends the writing, but raises no SIGXFSZ or SIGPIPE.
 * Returns 0 or the errno of the failure; errno is kept. */
int hpm_write_all(int fd, const char *bytes, size_t length);

#endif
