/* SPDX-License-Identifier: BSD-3-Clause
 * Answers from the definitions of this machine about events and processors, for
 * sources to ask (source/defined.h). */
#ifndef HPM_INQUIRY_DEFINER_H
#define HPM_INQUIRY_DEFINER_H

#include "metric/language/spec.h"

/* From now on sources get answers.  The definitions are read when a source
 * first asks for an event that no other list has, and are kept. */
void hpm_definer_serve(void) __attribute__((cold));

/* Answer from this spec, read for a PMU (NULL: not known), until the caller
 * takes it back with NULL: so the definitions need not be read twice. */
void hpm_definer_lend(const struct hpm_spec *spec, const char *pmu)
    __attribute__((cold));

#endif
