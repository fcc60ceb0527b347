/* SPDX-License-Identifier: BSD-3-Clause
 * How much stack the calling thread has left. */
#ifndef HPM_HOST_STACK_H
#define HPM_HOST_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Free bytes of the caller's stack (the thread's own or the one of its signal
 * handlers); 0 on a stack that the system does not know.  Uses malloc in
 * threads other than the main one. */
size_t hpm_stack_free(void);

/* The addresses of the calling thread's own stack, as far as it may grow; false
 * where the system does not know them.  Not of a stack for signal handlers.  Uses
 * malloc in threads other than the main one. */
bool hpm_stack_find(uintptr_t *ret_lowest, size_t *ret_size);

/* Call this before a fork: the child stays on the calling thread's stack. */
void hpm_stack_note_fork(void);

#endif
