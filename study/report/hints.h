/* SPDX-License-Identifier: BSD-3-Clause
 * Hints as text. */
#ifndef HPM_STUDY_REPORT_HINTS_H
#define HPM_STUDY_REPORT_HINTS_H

#include "base/string.h"
#include "study/metric/ranking.h"

/* What a place is called, "section 'solve' (main.c:12)"; appended.  `is_whole`:
 * the hint is about all of its threads or processes together. */
typedef void hpm_hints_name(struct hpm_string *string, size_t place,
                            bool is_whole, void *context);

/* Append, behind an empty line, the hints under a heading, which says that they
 * are no verdicts; nothing when there are none:
 *
 *   hints, not verdicts: what these numbers suggest, the gravest first
 *     1. SYSTEM_SHARE 23.400 % (bad: above 5)
 *        why   ...
 *        with  PAGE_FAULT_RATE 12345.000 1/s, ...
 *        next  hpmcount -s SOFTWARE
 *        try   ...
 *
 * `name` is NULL where the only place is the whole run.  There, what was
 * measured already is to be measured next by section. */
void hpm_hints_add_text(struct hpm_string *string,
                        const struct hpm_ranking *ranking, hpm_hints_name *name,
                        void *context);

/* The parts of one hint, each appended as one line without its end: */

/* "IPC 0.412 in section 'solve' and 2 more (bad: below 1)"; `name` may be
 * NULL. */
void hpm_hints_add_title(struct hpm_string *string,
                         const struct hpm_ranking *ranking,
                         const struct hpm_hint *hint, hpm_hints_name *name,
                         void *context);

/* "CPI 2.427, BRANCH_MISS_SHARE 3.1 %"; nothing when there is none. */
void hpm_hints_add_evidence(struct hpm_string *string,
                            const struct hpm_ranking *ranking,
                            const struct hpm_hint *hint);

/* What to measure next; nothing when it has been measured by section. */
void hpm_hints_add_step(struct hpm_string *string,
                        const struct hpm_ranking *ranking,
                        const struct hpm_hint *hint, bool has_sections);

/* Append how to measure what a hint names, "hpmcount -s CACHE". */
void hpm_hints_add_next(struct hpm_string *string,
                        const struct hpm_metrics *metrics, const char *next);

#endif
