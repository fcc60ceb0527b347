/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel that runs here, as a module of samples: its build id, and where its
 * code begins, which is another place after each start of the machine. */
#ifndef HPM_STUDY_KERNEL_KERNELCODE_H
#define HPM_STUDY_KERNEL_KERNELCODE_H

#include <stdint.h>

enum { HPM_KERNELCODE_BUILD_ID = 20 }; /* bytes */

struct hpm_kernelcode {
    uint64_t begin, end; /* 0: this user may not know (kernel.kptr_restrict) */
    char build_id[2 * HPM_KERNELCODE_BUILD_ID +
                  1]; /* in hexadecimal; "": not known */
};

void hpm_kernelcode_find(struct hpm_kernelcode *ret_kernel);

/* The offset of an address in its code; outside of that, in a loaded module for
 * example, the address itself. */
uint64_t hpm_kernelcode_offset(const struct hpm_kernelcode *kernel,
                               uint64_t address);

#endif
