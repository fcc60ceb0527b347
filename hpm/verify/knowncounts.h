/* SPDX-License-Identifier: BSD-3-Clause
 * What events should count, as hpm/verify/known-counts.txt says. */
#ifndef HPM_KNOWNCOUNTS_H
#define HPM_KNOWNCOUNTS_H

#include "hpm/verify/kernels.h"
#include "metric/request.h"

/* The text of that file. */
extern const char knowncounts_text[];

/* Of what a count is the sum; none of them: nobody knows. */
struct knowncount {
    bool has[N_QUANTITIES];
    double divisor;
    double extra; /* part of it that may be more: 0.3 */
};

/* What an event should count, a leaf of the definitions or, with SIZE_MAX, none;
 * nothing where nobody knows.  The metrics must have been asked for.  False where
 * the file is wrong. */
bool knowncounts_find(const struct hpm_request *request, const char *name,
                      size_t leaf, struct knowncount *ret_known,
                      struct hpm_error *err);

/* Call `visit` with each metric of the file. */
void knowncounts_visit(void (*visit)(const char *metric, void *context),
                       void *context);

/* The quantities, "double-64 + double-128". */
void knowncount_add_text(struct hpm_string *string,
                         const struct knowncount *known);

/* How often a round of a kernel should be counted; UNKNOWN where one of the
 * quantities is. */
struct amount knowncount_amount(const struct knowncount *known,
                                const struct kernel *kernel);

#endif
