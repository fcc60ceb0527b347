/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all of it, without a signal for the program. */
#ifndef HPM_HOST_WRITE_H
#define HPM_HOST_WRITE_H

#include <stddef.h>
#include <stdint.h>

/* Write the bytes to the descriptor, however many calls it takes.  A file size
 * limit or a closed pipe ends the writing, but raises no SIGXFSZ or SIGPIPE.
 * Returns 0 or the errno of the failure; errno is kept. */
int hpm_write_all(int fd, const char *bytes, size_t length);

/* The same, and how many bytes were written, all of them or not. */
int hpm_write_counted(int fd, const char *bytes, size_t length,
                      size_t *ret_written);

/* The same at `offset` of a file. */
int hpm_write_all_at(int fd, const char *bytes, size_t length, uint64_t offset);

/* Have the file system keep room for that part of a file, so that a full disk
 * cannot stop a later write there; where it cannot keep room nothing is
 * reserved.  Signals, errno and what is returned are as above. */
int hpm_write_reserve(int fd, uint64_t offset, uint64_t length);

#endif
