/* SPDX-License-Identifier: BSD-3-Clause
 * How much stack the calling thread has left. */
#ifndef HPM_HOST_STACK_H
#define HPM_HOST_STACK_H

#include <stddef.h>

/* Free bytes of the stack the caller is on, the thread's own or that of its
 * signal handlers; 0 on a stack nobody has told the system about.  In threads
 * other than the main one it uses malloc. */
size_t hpm_stack_free(void);

/* The calling thread is about to fork: its child keeps the stack it is on. */
void hpm_stack_note_fork(void);

#endif
