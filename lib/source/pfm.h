/* SPDX-License-Identifier: BSD-3-Clause
 * libpfm4's names for events: the vendors' own, with unit masks and
 * modifiers.  In a build without libpfm4 nothing is known. */
#ifndef HPM_SOURCE_PFM_H
#define HPM_SOURCE_PFM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/string.h"
#include "source/source.h"
#include "source/wrongcodes.h"

/* Is libpfm4 there?  Loads it at the first call; any thread. */
bool hpm_pfm_is_ready(void) __attribute__((cold));

/* Its version, "4.13.0", or "4" where no more is known; false without it. */
bool hpm_pfm_version(char *ret_version, size_t size) __attribute__((cold));

/* What libpfm4 makes of a name. */
struct hpm_pfm_event {
    struct hpm_encoding encoding;
    enum hpm_domain domain;
    bool is_domain_fixed; /* by a modifier in the name */
    char description[192];
};

/* Translate "INST_RETIRED:ANY", "skx::INST_RETIRED:ANY:u=1:k=0" ...; `domain`
 * stands where the name has no modifier.  FAILED for an event with a unit mask
 * or modifier that is unknown or means nothing when counting.  One that libpfm4 is
 * known to encode wrongly (source/wrongcodes.h) has the vendor's code, or FAILED
 * where that has none. */
enum hpm_finding hpm_pfm_find(const char *name, enum hpm_domain domain,
                              struct hpm_pfm_event *ret_event,
                              struct hpm_error *err) __attribute__((cold));

/* Its name of the core PMU ("skx", "arm_n1"); false where it knows none. */
bool hpm_pfm_core(char *ret_name, size_t size) __attribute__((cold));

/* libpfm4's name of a PMU with the same events as that of a processor which
 * libpfm4 4.13 does not know, for LIBPFM_FORCE_PMU; `model` as in cpuinfo.h.
 * NULL where none is known.  doc/cpu-models.md lists them. */
const char *hpm_pfm_relative(const char *model) __attribute__((cold));

/* Does libpfm4 know an event of a PMU, whatever this processor is?  UNKNOWN where
 * it does not know the PMU, FAILED for no event of it; both, too, where libpfm4
 * was started without LIBPFM_ENCODE_INACTIVE=1 in the environment. */
enum hpm_finding hpm_pfm_find_anywhere(const char *pmu, const char *event)
    __attribute__((cold));

/* Is this an event that libpfm4 encodes wrongly, and what is wrong?  `pmu` NULL:
 * one of this processor.  False, too, for what libpfm4 does not know.  It is
 * counted by the vendor's code all the same, but where that is refused. */
bool hpm_pfm_is_wrong(const char *pmu, const char *event,
                      struct hpm_error *ret_reason) __attribute__((cold));

/* Is it refused, for the vendor has no code of it, or modifiers have changed the
 * wrong one? */
bool hpm_pfm_is_refused(const char *pmu, const char *event,
                        struct hpm_error *ret_reason) __attribute__((cold));

/* The code libpfm4 makes of an event of a PMU, right or wrong; with
 * LIBPFM_ENCODE_INACTIVE=1 of any PMU it knows.  False for what it does not
 * know. */
bool hpm_pfm_encode(const char *pmu, const char *event,
                    struct hpm_code *ret_code) __attribute__((cold));

/* Append the events of this processor that libpfm4 encodes wrongly, with commas
 * between them; how many. */
size_t hpm_pfm_list_wrong(struct hpm_string *names) __attribute__((cold));

/* The name of every core PMU it has tables of, wherever that is. */
void hpm_pfm_list_pmus(void (*visit)(const char *name, void *context),
                       void *context) __attribute__((cold));

/* Every event of the processor's own PMU, without unit masks. */
void hpm_pfm_list(void (*visit)(const char *name, void *context), void *context)
    __attribute__((cold));

#endif
