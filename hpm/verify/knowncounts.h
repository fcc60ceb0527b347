/* SPDX-License-Identifier: BSD-3-Clause
 * Expected counts of events, from hpm/verify/known-counts.txt. */
#ifndef HPM_KNOWNCOUNTS_H
#define HPM_KNOWNCOUNTS_H

#include "hpm/verify/kernels.h"
#include "metric/request.h"

/* The text of that file. */
extern const char knowncounts_text[];

/* The quantities whose sum a count is; none: not known. */
struct knowncount {
    bool has[N_QUANTITIES];
    double divisor;
    double extra; /* the count may be larger by this part: 0.3 */
};

/* The expected count of an event, which is a leaf of the definitions or, with
 * SIZE_MAX, none; no quantities if it is not known.  The metrics must have been
 * asked for.  False if the file is wrong. */
bool knowncounts_find(const struct hpm_request *request, const char *name,
                      size_t leaf, struct knowncount *ret_known,
                      struct hpm_error *err);

/* Call `visit` with each metric of the file. */
void knowncounts_visit(void (*visit)(const char *metric, void *context),
                       void *context);

/* Append the quantities, "double-64 + double-128". */
void knowncount_add_text(struct hpm_string *string,
                         const struct knowncount *known);

/* The expected count of a round of a kernel; UNKNOWN if one of the quantities
 * is. */
struct amount knowncount_amount(const struct knowncount *known,
                                const struct kernel *kernel);

#endif
