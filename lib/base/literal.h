/* SPDX-License-Identifier: BSD-3-Clause
 * Text that cannot change: what a program's objects keep in memory nobody may
 * write, string literals above all.  Such text is known by its address. */
#ifndef HPM_BASE_LITERAL_H
#define HPM_BASE_LITERAL_H

#include <stdbool.h>

/* Look at the objects loaded now.  Once, before the first question; what is
 * loaded later counts as text that may change. */
void hpm_literal_init(void);

/* Can the text at this address not change?  NULL cannot.  Any thread. */
bool hpm_literal_is(const void *text);

#endif
