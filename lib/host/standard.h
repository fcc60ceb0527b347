/* SPDX-License-Identifier: BSD-3-Clause
 * The descriptors 0, 1 and 2, which belong to the program even while they are
 * closed. */
#ifndef HPM_HOST_STANDARD_H
#define HPM_HOST_STANDARD_H

#include <stdbool.h>

/* hold fills 0, 1 and 2 where they are closed, so that files opened meanwhile
 * get other numbers; release closes them again. */
struct hpm_standard_hold {
    bool is_held[3];
};
void hpm_standard_hold(struct hpm_standard_hold *hold);
void hpm_standard_release(const struct hpm_standard_hold *hold);

#endif
