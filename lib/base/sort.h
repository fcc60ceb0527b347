/* SPDX-License-Identifier: BSD-3-Clause
 * Sorting without memory: qsort may call malloc, and a signal handler that ends
 * the program may have interrupted malloc. */
#ifndef HPM_BASE_SORT_H
#define HPM_BASE_SORT_H

#include <stddef.h>

/* As qsort; items that are equal come in any order. */
void hpm_sort(void *items, size_t n, size_t bytes,
              int (*compare)(const void *first, const void *second));

#endif
