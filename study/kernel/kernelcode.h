/* SPDX-License-Identifier: BSD-3-Clause
 * The running kernel, as a module of samples: its build id, and the begin of
 * its code, which differs after each start of the machine. */
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

/* The offset of an address in the kernel's code; an address outside, for
 * example in a loaded module, is returned as it is. */
uint64_t hpm_kernelcode_offset(const struct hpm_kernelcode *kernel,
                               uint64_t address);

#endif
