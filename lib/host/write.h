/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all bytes, without a signal to the program. */
#ifndef HPM_HOST_WRITE_H
#define HPM_HOST_WRITE_H

#include <stddef.h>
#include <stdint.h>

/* Write the bytes to the descriptor, however many calls it takes.  A file size
 * limit or a closed pipe ends the writing, but raises no SIGXFSZ or SIGPIPE.
 * Returns 0 or the errno of the failure; errno is kept. */
int hpm_write_all(int fd, const char *bytes, size_t length);

/* Like hpm_write_all; *ret_written is the number of bytes written, also after a
 * failure. */
int hpm_write_counted(int fd, const char *bytes, size_t length,
                      size_t *ret_written);

/* Like hpm_write_all, at `offset` of the file. */
int hpm_write_all_at(int fd, const char *bytes, size_t length, uint64_t offset);

/* Have the file system reserve room for this part of a file, so that a full
 * disk cannot stop a later write there; a file system that cannot reserve does
 * nothing.  Signals, errno and result as in hpm_write_all. */
int hpm_write_reserve(int fd, uint64_t offset, uint64_t length);

#endif
