/* SPDX-License-Identifier: BSD-3-Clause
 * libpfm4's names for events: the vendors' own names, with unit masks and
 * modifiers.  A build without libpfm4 knows none of them. */
#ifndef HPM_SOURCE_PFM_H
#define HPM_SOURCE_PFM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "source/source.h"
#include "source/wrongcodes.h"

/* Is libpfm4 there?  The first call loads it; any thread. */
bool hpm_pfm_is_ready(void) __attribute__((cold));

/* Its version, "4.13.0", or "4" if no more is known; false without libpfm4. */
bool hpm_pfm_version(char *ret_version, size_t size) __attribute__((cold));

/* An event as libpfm4 encodes it. */
struct hpm_pfm_event {
    struct hpm_encoding encoding;
    enum hpm_domain domain;
    bool is_domain_fixed; /* a modifier in the name chose it */
    char description[192];
};

/* Translate "INST_RETIRED:ANY", "skx::INST_RETIRED:ANY:u=1:k=0" ...; `domain`
 * is used if the name has no modifier.  FAILED for an event with a unit mask or
 * modifier that is unknown or has no meaning for counting.  An event that
 * libpfm4 is known to encode wrongly (source/wrongcodes.h) gets the vendor's
 * code, or FAILED if the vendor has none. */
enum hpm_finding hpm_pfm_find(const char *name, enum hpm_domain domain,
                              struct hpm_pfm_event *ret_event,
                              struct hpm_error *err) __attribute__((cold));

/* libpfm4's name of the core PMU ("skx", "arm_n1"); false if it has none. */
bool hpm_pfm_core(char *ret_name, size_t size) __attribute__((cold));

/* For a processor that libpfm4 4.13 does not know: libpfm4's name of a PMU with
 * the same events, for LIBPFM_FORCE_PMU; `model` as in cpuinfo.h.  NULL if none
 * is known. doc/cpu-models.md lists them. */
const char *hpm_pfm_relative(const char *model) __attribute__((cold));

/* Does libpfm4 know an event of a PMU, whichever processor is here?  UNKNOWN if
 * it does not know the PMU, FAILED if the PMU has no such event.  Also one of
 * these if libpfm4 was started without LIBPFM_ENCODE_INACTIVE=1 in the
 * environment. */
enum hpm_finding hpm_pfm_find_anywhere(const char *pmu, const char *event)
    __attribute__((cold));

/* Does libpfm4 encode this event wrongly, and what is wrong?  `pmu` NULL: an
 * event of this processor.  False, too, for an event that libpfm4 does not
 * know.  Unless hpm_pfm_is_refused, the event is counted by the vendor's
 * code. */
bool hpm_pfm_is_wrong(const char *pmu, const char *event,
                      struct hpm_error *ret_reason) __attribute__((cold));

/* Is the event refused because the vendor has no code for it, or because
 * modifiers have changed the wrong code? */
bool hpm_pfm_is_refused(const char *pmu, const char *event,
                        struct hpm_error *ret_reason) __attribute__((cold));

/* libpfm4's code of a PMU's event, right or wrong; with
 * LIBPFM_ENCODE_INACTIVE=1 for any PMU it knows.  False if libpfm4 does not
 * know the event. */
bool hpm_pfm_encode(const char *pmu, const char *event,
                    struct hpm_code *ret_code) __attribute__((cold));

/* Append the events of this processor that libpfm4 encodes wrongly, with commas
 * between them; returns their number. */
size_t hpm_pfm_list_wrong(struct hpm_string *names) __attribute__((cold));

/* List the name of every core PMU that libpfm4 knows, whatever the processor
 * here. */
void hpm_pfm_list_pmus(void (*visit)(const char *name, void *context),
                       void *context) __attribute__((cold));

/* List every event of this processor's own PMU, without unit masks. */
void hpm_pfm_list(void (*visit)(const char *name, void *context), void *context)
    __attribute__((cold));

#endif
