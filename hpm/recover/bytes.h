/* SPDX-License-Identifier: BSD-3-Clause
 * Reading all bytes of a file, and comparing them with another file. */
#ifndef HPM_BYTES_H
#define HPM_BYTES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Read the regular file open at `fd` from begin to end.  False when fewer or
 * more bytes came than the file's size. */
bool bytes_read(int fd, const char *path, struct hpm_string *ret_bytes,
                struct hpm_error *err);

/* The same by name; a link is not followed. */
bool bytes_read_file(const char *path, struct hpm_string *ret_bytes,
                     struct hpm_error *err);

/* Does the file exist, and does it have exactly these bytes? */
bool bytes_are_in(const char *path, const struct hpm_string *bytes);

/* Are there only zeroes, or no bytes at all? */
bool bytes_are_nothing(const struct hpm_string *bytes);

/* Does the whole performance file contain everything of the cut one?  True only
 * where the cut file is equal byte for byte from its root on, up to the cut;
 * the root itself may differ in what it says about completeness, as for a file
 * that was complete before it was cut. */
bool bytes_hold(const struct hpm_string *whole, const struct hpm_string *cut);

#endif
