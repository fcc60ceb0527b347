/* SPDX-License-Identifier: BSD-3-Clause
 * The descriptors 0, 1 and 2, which are the program's even while it has them
 * closed. */
#ifndef HPM_HOST_STANDARD_H
#define HPM_HOST_STANDARD_H

#include <stdbool.h>

/* Fill 0, 1 and 2 where they are closed, so that what is opened now is none of
 * them, and free them again. */
struct hpm_standard_hold {
    bool is_held[3];
};
void hpm_standard_hold(struct hpm_standard_hold *hold);
void hpm_standard_release(const struct hpm_standard_hold *hold);

#endif
