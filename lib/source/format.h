/* SPDX-License-Identifier: BSD-3-Clause
 * The terms of a PMU's event, "event=0xa4,umask=0x2,inv", and the bits in which
 * the PMU expects them. */
#ifndef HPM_SOURCE_FORMAT_H
#define HPM_SOURCE_FORMAT_H

#include <stdbool.h>

#include "base/error.h"
#include "source/event.h"

/* Put the terms into *encoding; this cuts `terms` apart.  A term is a field of
 * the PMU's folder `format`, or config, config1 ...; without a value it is 1.
 * `pmu` NULL: a core PMU that the kernel does not list, with the usual fields
 * of this architecture.  False for an unknown term or a value that does not
 * fit; err names the known fields. */
bool hpm_format_add_terms(const char *pmu, char *terms,
                          struct hpm_encoding *encoding, struct hpm_error *err)
    __attribute__((cold));

#endif
