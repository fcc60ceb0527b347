/* SPDX-License-Identifier: BSD-3-Clause
 * What a file of definitions covers on the processors it is for, and what is
 * missing. */
#ifndef HPM_STUDY_TOOL_COVERAGE_H
#define HPM_STUDY_TOOL_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/string.h"

/* What is known of a native event of a PMU. */
enum hpm_acquaintance {
    HPM_ACQUAINTANCE_MISSING, /* libpfm4 is not there to ask */
    HPM_ACQUAINTANCE_NONE,    /* libpfm4 does not know the PMU's events */
    HPM_ACQUAINTANCE_NOT,     /* the PMU has no such event */
    HPM_ACQUAINTANCE_WRONG,   /* the event exists, but libpfm4 would encode it
                               * wrongly */
    HPM_ACQUAINTANCE_KNOWN,
    HPM_ACQUAINTANCE_DEFINED, /* definitions have the code: libpfm4 is not
                               * asked */
    HPM_N_ACQUAINTANCES
};

/* Does the PMU have this event?  For WRONG, *ret_why is the reason. */
typedef enum hpm_acquaintance hpm_coverage_ask(const char *pmu,
                                               const char *event, void *context,
                                               struct hpm_error *ret_why);

/* Read a file over the shipped definitions.  For each PMU it is for, append a
 * paragraph: its native events, and which of them do not exist, or are encoded
 * wrongly and so refused; the generic metrics that they allow, and what the
 * others lack; parts of hierarchies that cannot be measured; constants without
 * value; sets that need more counters than there are; limits without a source.
 * Events that do not exist, sets that do not fit and limits without source are
 * faults; all else may be missing on a PMU.  False when memory runs out, or the
 * file has no statements. */
bool hpm_coverage_add(const char *path, hpm_coverage_ask *ask, void *context,
                      struct hpm_string *lines, size_t *ret_n_faults,
                      struct hpm_error *err);

/* Append a line "PMU EVENT KNOWN" for each native event of each PMU that the
 * file is for; KNOWN is "known", "wrong", "unknown" or "untold". */
bool hpm_coverage_add_events(const char *path, hpm_coverage_ask *ask,
                             void *context, struct hpm_string *lines,
                             struct hpm_error *err);

#endif
