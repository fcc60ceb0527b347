/* SPDX-License-Identifier: BSD-3-Clause
 * Which PMUs a definition file is for, before it is read. */
#ifndef HPM_METRIC_LANGUAGE_PEEK_H
#define HPM_METRIC_LANGUAGE_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/* Is the whole file for PMUs other than `pmu` (NULL: not known)?  False if that
 * cannot be told without reading the file. text[length] must be a zero byte. */
bool hpm_peek_is_for_others(const char *text, size_t length, const char *pmu);

#endif
