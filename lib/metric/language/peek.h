/* SPDX-License-Identifier: BSD-3-Clause
 * What a definition file is about, before it is read. */
#ifndef HPM_METRIC_LANGUAGE_PEEK_H
#define HPM_METRIC_LANGUAGE_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/* Is all a definition file says for PMUs other than `pmu` (NULL: not known)?
 * False wherever a glance cannot tell.  text[length] is a zero byte. */
bool hpm_peek_is_for_others(const char *text, size_t length, const char *pmu);

#endif
