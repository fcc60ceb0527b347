/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded objects (the program, libraries, plug-ins) and what each was linked
 * with. */
#ifndef HPM_HOST_NEEDED_H
#define HPM_HOST_NEEDED_H

#include <link.h>
#include <stdbool.h>

/* Was the object with this dynamic section, loaded at `base`, linked with a
 * library of this name (without a folder)? */
bool hpm_needed_has(const ElfW(Dyn) * dynamic, ElfW(Addr) base,
                    const char *name);

/* Does the object say that it must not be unloaded (-z nodelete)? */
bool hpm_needed_is_kept(const ElfW(Dyn) * dynamic);

#endif
