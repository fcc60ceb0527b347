/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of call sites whose label is a literal: the macros of libhpm.h give
 * each such site a word of its own in the object that has the call, in which
 * its number is kept.  What has a number has the same label, file and line for
 * ever; so a section is known by it, in objects that come and go, too.
 *
 * Nothing here points to a site: when its object is unloaded, its word is gone,
 * and when that object, or another one, comes in its place, the word there is 0
 * again.  Then the same label, file and line get the same number. */
#ifndef HPM_RECORD_CALLSITE_H
#define HPM_RECORD_CALLSITE_H

#include <stdbool.h>

enum { HPM_MAX_CALL_SITES = 1 << 20 };

/* A site of the program.  0 is no number. */
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
 * HPM_MAX_CALL_SITES.  Any thread, which may wait for another one. */
unsigned hpm_callsite_register(const struct hpm_callsite *site);

#endif
