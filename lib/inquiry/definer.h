/* SPDX-License-Identifier: BSD-3-Clause
 * What the definitions of this machine say of events and processors, for sources
 * to ask (source/defined.h). */
#ifndef HPM_INQUIRY_DEFINER_H
#define HPM_INQUIRY_DEFINER_H

#include "metric/language/spec.h"

/* From now on sources are answered.  The definitions are read when they ask for
 * what is in no other list, and stay. */
void hpm_definer_serve(void) __attribute__((cold));

/* Answer by these, read for a PMU (NULL: not known), until they are taken back
 * with NULL: they need not be read twice. */
void hpm_definer_lend(const struct hpm_spec *spec, const char *pmu)
    __attribute__((cold));

#endif
