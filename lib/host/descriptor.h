/* SPDX-License-Identifier: BSD-3-Clause
 * File descriptors we keep open in the measured program: out of its way. */
#ifndef HPM_HOST_DESCRIPTOR_H
#define HPM_HOST_DESCRIPTOR_H

#include <stdbool.h>

/* Move `fd` to the upper part of the program's descriptors, so that the
 * program's own get the numbers they would have without us, and, when the
 * program closes all it does not know, files it opens afterwards do not get
 * ours.  Closed on exec.  Where there is no room above it stays where it is,
 * but never below 3.  Returns its number, or -1 with errno; `fd` is used up.
 * -1 is handed on. */
int hpm_descriptor_move_up(int fd);

/* The same, and while it is held none of our other descriptors gets its
 * number: not even when the program has closed it behind our back. */
int hpm_descriptor_hold(int fd);

/* It is not in use any more; closing it is the caller's affair. */
void hpm_descriptor_release(int fd);

/* Is there such an upper part?  Where few descriptors are allowed, what the
 * program opens after it has closed ours may get their numbers. */
bool hpm_descriptor_has_upper(void);

/* Is it one of the last, which are left to the program? */
bool hpm_descriptor_is_reserved(int fd);

/* May so many be opened, with some left for the program? */
bool hpm_descriptor_has_room(int n);

#endif
