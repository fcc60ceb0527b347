/* SPDX-License-Identifier: BSD-3-Clause
 * Sections that last until the program ends: that nobody stops them is no problem. */
#ifndef HPM_RECORD_LASTING_H
#define HPM_RECORD_LASTING_H

#include <stdbool.h>

/* Sections with an instance from `first` to `last` last.  Call this once, before there
 * are threads. */
void hpm_lasting_let(int first, int last) __attribute__((cold));

bool hpm_lasting_is(int instance);

/* Are there any? */
bool hpm_lasting_are_there(void);

#endif
