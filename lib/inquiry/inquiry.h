/* SPDX-License-Identifier: BSD-3-Clause
 * What this machine can measure of what one wants to know: definitions of
 * metrics, and the sources that serve. */
#ifndef HPM_INQUIRY_INQUIRY_H
#define HPM_INQUIRY_INQUIRY_H

#include "base/error.h"
#include "base/string.h"
#include "metric/library.h"
#include "metric/request.h"
#include "model/experiment.h"
#include "source/eventset.h"

/* One thread at a time. */
struct hpm_inquiry {
    const struct hpm_source *const *sources;
    enum hpm_domain domain;
    bool is_whole_run; /* resource usage is there without being counted */
    bool begins_late;  /* but the counts begin later than the run, and no metric
                        * can do with both; may be set before anything is
                        * wanted */
    struct hpm_machine machine; /* PMU and facts, by which metrics are chosen */
    struct hpm_library library;
    struct hpm_request request;
};

/* Read all definitions, choose those for this machine, ask nothing yet.  The
 * inquiry must stay where it is.  False, and nothing to close, when memory
 * runs out. */
bool hpm_inquiry_open(struct hpm_inquiry *inquiry,
                      const struct hpm_source *const *sources,
                      enum hpm_domain domain, bool is_whole_run,
                      struct hpm_error *err);

/* One that is not open is fine. */
void hpm_inquiry_close(struct hpm_inquiry *inquiry);

bool hpm_inquiry_is_open(const struct hpm_inquiry *inquiry);

/* Want metrics (a list, NULL for none) and a set of the definitions (NULL for
 * none).  `ret_is_set` says whether there is such a set.  False for a metric
 * that is none. */
bool hpm_inquiry_want(struct hpm_inquiry *inquiry, const char *metrics,
                      const char *set, bool *ret_is_set, struct hpm_error *err);

/* Is the built-in set in the list of sets?  Not where the definitions have one
 * of its name, which stands before it. */
bool hpm_inquiry_lists_set(const struct hpm_inquiry *inquiry,
                           const struct hpm_named_set *named);

/* False, naming all sets, when there is none of this name. */
bool hpm_inquiry_check_set(const struct hpm_inquiry *inquiry, const char *name,
                           struct hpm_error *err);

/* Append a line for each wanted metric that cannot be measured here, or only
 * in part, with what it lacks. */
void hpm_inquiry_explain(struct hpm_inquiry *inquiry, struct hpm_string *lines);

#endif
