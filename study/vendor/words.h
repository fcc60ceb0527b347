/* SPDX-License-Identifier: BSD-3-Clause
 * Vendors' words, and what they are here. */
#ifndef HPM_STUDY_VENDOR_WORDS_H
#define HPM_STUDY_VENDOR_WORDS_H

#include "base/string.h"

/* libpfm4's names of the PMU of a processor that vendors call so in the names of
 * their files; NULL: none is known. */
const char *hpm_words_of_pmu(const char *processor);

/* What the kernel calls the PMU of cores that Intel's files have in their names,
 * behind the processor: cpu_core of "lunarlake_lioncove"; NULL: none is there. */
const char *hpm_words_of_cores(const char *key);

/* What stands before the names of what such a PMU counts: "P_"; "": nothing. */
const char *hpm_words_of_kind(const char *pmu);

/* Append what the kernel calls the PMU of a unit that cores share: "uncore_cbox" for
 * "CBO". */
void hpm_words_add_unit(struct hpm_string *text, const char *unit);

/* What stands here for a vendor's name of what is no event: "time::wall" for
 * "duration_time", as a formula; NULL: nothing. */
const char *hpm_words_of_literal(const char *name);

/* Why a vendor's name of what is no event stands for nothing here; NULL: it is
 * not known to. */
const char *hpm_words_why_not(const char *name);

#endif
