/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI's names for events. */
#ifndef HPM_SOURCE_PAPINAMES_H
#define HPM_SOURCE_PAPINAMES_H

#include "source/source.h"

/* Look a name up.  FOUND fills encoding (type: PAPI's component), domain,
 * belongs_to_process, description and unit of *event, in which the domain asked
 * for stands; the name is the caller's.  With PAPI's lock held. */
enum hpm_finding hpm_papinames_find(const char *name, struct hpm_event *event,
                                    struct hpm_error *err)
    __attribute__((cold));

/* The native event a preset is just another name for.  False for a preset that
 * is derived from several, and for what is no preset; err says which it needs.
 * With PAPI's lock held. */
bool hpm_papinames_resolve(const char *name, char *ret_native, size_t size,
                           struct hpm_error *err) __attribute__((cold));

/* The presets this processor has, and every event of the components that know
 * no threads; the vendor's hardware events are listed by libpfm4.  Takes PAPI's
 * lock, but not while it visits. */
void hpm_papinames_list(void (*visit)(const char *name, void *context),
                        void *context) __attribute__((cold));

#endif
