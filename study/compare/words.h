/* SPDX-License-Identifier: BSD-3-Clause
 * Values and differences in words, for people. */
#ifndef HPM_STUDY_COMPARE_WORDS_H
#define HPM_STUDY_COMPARE_WORDS_H

#include "base/string.h"
#include "study/compare/comparison.h"

/* Append a value with four digits and a readable unit: "1.234 s", "59.24 MB";
 * short counts in full, with commas; "-" for NAN. */
void hpm_words_add_value(struct hpm_string *string, enum hpm_samples_kind kind,
                         double value);

/* Append a part as a change in per cent: "+3.1 %", "-29 %", "0 %"; "-" for
 * NAN. */
void hpm_words_add_change(struct hpm_string *string, double part);

/* Append a part in per cent without a sign: "2.1 %". */
void hpm_words_add_part(struct hpm_string *string, double part);

/* Append a ratio: "1.031", "12.4"; "-" for NAN. */
void hpm_words_add_ratio(struct hpm_string *string, double ratio);

/* The finding as a word for tables and programs: "same" (exactly), "no",
 * "differs", "exactly", "too few runs", "none". */
const char *hpm_words_finding(enum hpm_compare_finding finding);

#endif
