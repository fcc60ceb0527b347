/* SPDX-License-Identifier: BSD-3-Clause
 * Is PAPI installed, and does it count hardware events here? */
#ifndef HPM_PAPIHEALTH_H
#define HPM_PAPIHEALTH_H

#include <stddef.h>

#include "base/error.h"

enum hpm_papihealth {
    HPM_PAPIHEALTH_GOOD,
    HPM_PAPIHEALTH_NO_HARDWARE, /* works, but counts no cycles */
    HPM_PAPIHEALTH_MISSING,     /* not installed, or not usable */
};

/* Load PAPI, and let it count cycles.  *ret_version is like "7.0.0", or ""
 * where PAPI is missing; `why` is filled unless the result is GOOD. */
enum hpm_papihealth hpm_papihealth_check(char *ret_version, size_t size,
                                         struct hpm_error *why);

#endif
