/* SPDX-License-Identifier: BSD-3-Clause
 * How much memory threads must read so that it comes from one level of the
 * caches, or from memory. */
#ifndef HPM_ROOFS_LEVELS_H
#define HPM_ROOFS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

enum { LEVEL_MEMORY = 4 }; /* 1 to 3: caches */

/* Bytes for each of `n_threads`; 0 if this level cannot be read alone, with the
 * reason in *ret_why. */
size_t levels_size(int level, size_t n_threads, const char **ret_why);

#endif
