/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI's names for events. */
#ifndef HPM_SOURCE_PAPINAMES_H
#define HPM_SOURCE_PAPINAMES_H

#include "source/source.h"

/* Look a name up.  FOUND fills encoding (type: PAPI's component), domain,
 * belongs_to_process, description and unit of *event; its domain must be the
 * one asked for, and its name stays the caller's.  Call it with PAPI's lock
 * held. */
enum hpm_finding hpm_papinames_find(const char *name, struct hpm_event *event,
                                    struct hpm_error *err)
    __attribute__((cold));

/* The native event that a preset is another name for.  False for a preset that
 * is derived from several events, and for a name that is no preset; err says
 * which events the preset needs.  Call it with PAPI's lock held. */
bool hpm_papinames_resolve(const char *name, char *ret_native, size_t size,
                           struct hpm_error *err) __attribute__((cold));

/* List the presets that this processor has, and all events of the components
 * that know no threads; libpfm4 lists the vendor's hardware events.  Takes
 * PAPI's lock, but releases it before it calls `visit`. */
void hpm_papinames_list(void (*visit)(const char *name, void *context),
                        void *context) __attribute__((cold));

#endif
