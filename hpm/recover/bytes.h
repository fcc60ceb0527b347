/* SPDX-License-Identifier: BSD-3-Clause
 * All the bytes of a file, and whether another file has them, too. */
#ifndef HPM_BYTES_H
#define HPM_BYTES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"

/* Read the regular file open at `fd` from its begin to its end.  False when
 * not every byte that the file says to have came. */
bool bytes_read(int fd, const char *path, struct hpm_string *ret_bytes,
                struct hpm_error *err);

/* The same by its name; a link is not followed. */
bool bytes_read_file(const char *path, struct hpm_string *ret_bytes,
                     struct hpm_error *err);

/* Is the file there, readable, and byte for byte this? */
bool bytes_are_in(const char *path, const struct hpm_string *bytes);

/* Nothing but zeroes, or nothing at all. */
bool bytes_are_nothing(const struct hpm_string *bytes);

/* Of two performance files: does the whole one have everything that the cut one
 * has?  True only where the cut one says the same byte for byte from its root
 * on, up to where it is cut; the root itself may differ in what it says of
 * completeness, as one that was complete before it was cut does. */
bool bytes_hold(const struct hpm_string *whole, const struct hpm_string *cut);

#endif
