/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of call sites whose label is a literal: the macros of libhpm.h give
 * each such site a word of its own, in the object that has the call, which
 * keeps the site's number.  A number means the same label, file and line for
 * ever; so it identifies a section even if objects are loaded and unloaded.
 *
 * Nothing here points to a site: when its object is unloaded, its word is
 * gone.  When that object, or another one, is loaded at the same address, the
 * word there is 0 again, and the same label, file and line get the same
 * number. */
#ifndef HPM_RECORD_CALLSITE_H
#define HPM_RECORD_CALLSITE_H

#include <stdbool.h>

enum { HPM_MAX_CALL_SITES = 1 << 20 };

/* A call site of the program.  `number` is 0 until it is registered. */
struct hpm_callsite {
    const char *label, *file; /* may be NULL */
    int line;
    unsigned *number; /* in the site; any thread reads and writes it */
};

static inline unsigned
hpm_callsite_number(const unsigned *number)
{
    return __atomic_load_n(number, __ATOMIC_RELAXED);
}

/* Give the site its number; 0 when there is no memory for one, or there are
 * HPM_MAX_CALL_SITES.  Any thread may call it, and may wait for another one. */
unsigned hpm_callsite_register(const struct hpm_callsite *site);

#endif
