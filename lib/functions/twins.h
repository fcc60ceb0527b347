/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of one object that have the same name: static ones of several source
 * files. */
#ifndef HPM_FUNCTIONS_TWINS_H
#define HPM_FUNCTIONS_TWINS_H

#include <stdint.h>

#include "elf/elfsymbols.h"

/* For each symbol, how many with its name come before it; the caller frees it.  NULL
 * where memory runs out. */
uint32_t *hpm_twins_count(const struct hpm_elfsymbols *symbols);

#endif
