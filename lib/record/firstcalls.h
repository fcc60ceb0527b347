/* SPDX-License-Identifier: BSD-3-Clause
 * Sections of which only the first calls are recorded, since whoever starts them has
 * found that they take less time than measuring them does. */
#ifndef HPM_RECORD_FIRSTCALLS_H
#define HPM_RECORD_FIRSTCALLS_H

#include <stdbool.h>

/* From now on no section with this instance is started.  Any thread, which may call
 * this once for each instance. */
void hpm_firstcalls_note(int instance);

bool hpm_firstcalls_has(int instance);

#endif
