/* SPDX-License-Identifier: BSD-3-Clause
 * File descriptors that the library keeps open in the measured program, out of
 * the program's way. */
#ifndef HPM_HOST_DESCRIPTOR_H
#define HPM_HOST_DESCRIPTOR_H

#include <stdbool.h>

/* Move `fd` to the upper part of the program's descriptors.  The program's own
 * files then get the numbers they would have without us, also after the program
 * has closed all descriptors it does not know.  Closed on exec.  If there is no
 * room above, `fd` stays where it is, but never below 3.  Returns the new
 * number, or -1 with errno; `fd` itself is used up.  An `fd` of -1 gives -1. */
int hpm_descriptor_move_up(int fd);

/* Like hpm_descriptor_move_up.  As long as the number is held, no other
 * descriptor of the library gets it, even if the program has closed it behind
 * our back. */
int hpm_descriptor_hold(int fd);

/* The number is not in use any more.  The caller closes the descriptor. */
void hpm_descriptor_release(int fd);

/* Is there an upper part?  If few descriptors are allowed, there is none: then
 * files that the program opens after it has closed our descriptors may get
 * their numbers. */
bool hpm_descriptor_has_upper(void);

/* Is `fd` one of the last numbers, which are left to the program? */
bool hpm_descriptor_is_reserved(int fd);

/* Can `n` descriptors be opened, with some left for the program? */
bool hpm_descriptor_has_room(int n);

#endif
