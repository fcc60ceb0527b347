/* SPDX-License-Identifier: BSD-3-Clause
 * Text that cannot change as long as the process lives: text in read-only
 * memory of the program and of the libraries it was linked with, string
 * literals above all.  The address identifies such text.
 *
 * Text in plug-ins does not count: after one is closed, another may be loaded
 * at the same addresses with other text. */
#ifndef HPM_HOST_LITERAL_H
#define HPM_HOST_LITERAL_H

#include <stdbool.h>

/* Find the objects that stay until the end.  Call this once, before
 * hpm_literal_is. */
void hpm_literal_init(void);

/* Is the text at this address sure never to change?  True for NULL.  Any
 * thread. */
bool hpm_literal_is(const void *text);

#endif
