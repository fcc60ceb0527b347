/* SPDX-License-Identifier: BSD-3-Clause
 * Is PAPI there, and does it count hardware events here? */
#ifndef HPM_PAPIHEALTH_H
#define HPM_PAPIHEALTH_H

#include <stddef.h>

#include "base/error.h"

enum hpm_papihealth {
    HPM_PAPIHEALTH_GOOD,
    HPM_PAPIHEALTH_NO_HARDWARE, /* it runs, but counts no cycles */
    HPM_PAPIHEALTH_MISSING,     /* it is not there, or cannot be used */
};

/* Load PAPI, and let it count cycles.  *ret_version is "7.0.0", "" where it is
 * missing; `why` is filled unless all is good. */
enum hpm_papihealth hpm_papihealth_check(char *ret_version, size_t size,
                                         struct hpm_error *why);

#endif
