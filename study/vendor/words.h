/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' words, and their meaning here. */
#ifndef HPM_STUDY_VENDOR_WORDS_H
#define HPM_STUDY_VENDOR_WORDS_H

#include "base/string.h"

/* libpfm4's names of the PMU for a processor, by the vendor's name in file
 * names; NULL: none is known. */
const char *hpm_words_of_pmu(const char *processor);

/* The kernel's name of the PMU for the cores that Intel's file names have after
 * the processor: cpu_core for "lunarlake_lioncove"; NULL: no cores are
 * named.  Crestmont is the E core of Meteor Lake, and the low-power one of Arrow
 * Lake. */
const char *hpm_words_of_cores(const char *key);

/* The prefix of names of events of such a PMU: "P_"; "": none. */
const char *hpm_words_of_kind(const char *pmu);

/* Append the kernel's name of the PMU for a unit that cores share:
 * "uncore_cbox" for "CBO". */
void hpm_words_add_unit(struct hpm_string *text, const char *unit);

/* The formula here for a vendor's name that is no event: "time::wall" for
 * "duration_time"; NULL: none. */
const char *hpm_words_of_literal(const char *name);

/* The reason why such a name has no meaning here; NULL: no reason is known. */
const char *hpm_words_why_not(const char *name);

#endif
