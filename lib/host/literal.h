/* SPDX-License-Identifier: BSD-3-Clause
 * Text that cannot change as long as the process lives: what the program and
 * the libraries it was linked with keep in memory nobody may write, string
 * literals above all.  Such text is known by its address.
 *
 * Not so in plug-ins: another one may be loaded in the place of one that was
 * closed, and have other text at the same addresses. */
#ifndef HPM_HOST_LITERAL_H
#define HPM_HOST_LITERAL_H

#include <stdbool.h>

/* Look at the objects that are there to stay.  Once, before the first
 * question. */
void hpm_literal_init(void);

/* Can the text at this address not change?  NULL cannot.  Any thread. */
bool hpm_literal_is(const void *text);

#endif
