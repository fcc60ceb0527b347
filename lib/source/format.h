/* SPDX-License-Identifier: BSD-3-Clause
 * The terms of an event of a PMU, "event=0xa4,umask=0x2,inv", and the bits where
 * the PMU wants them. */
#ifndef HPM_SOURCE_FORMAT_H
#define HPM_SOURCE_FORMAT_H

#include <stdbool.h>

#include "base/error.h"
#include "source/event.h"

/* Put the terms, which are cut in doing so, into *encoding: fields of the folder
 * `format` of the PMU, config, config1 ...; a term without a value is 1.  `pmu`
 * NULL: a core PMU that the kernel does not list, with the fields that those of
 * this architecture have.  False for a term that is none or does not fit; err
 * names what there is. */
bool hpm_format_add_terms(const char *pmu, char *terms,
                          struct hpm_encoding *encoding, struct hpm_error *err)
    __attribute__((cold));

#endif
