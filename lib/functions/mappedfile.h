/* SPDX-License-Identifier: BSD-3-Clause
 * Which file is mapped where. */
#ifndef HPM_FUNCTIONS_MAPPEDFILE_H
#define HPM_FUNCTIONS_MAPPEDFILE_H

#include <stdint.h>

/* The whole path of the file that is mapped at this address, to be freed with
 * hpm_memory_free; NULL where there is none or memory runs out. */
char *hpm_mappedfile_find(uintptr_t address);

#endif
