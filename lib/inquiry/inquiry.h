/* SPDX-License-Identifier: BSD-3-Clause
 * Asks whether this machine can measure what the user wants, with the
 * definitions of metrics and the sources in use. */
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
    bool is_whole_run; /* resource usage is known without being counted */
    bool begins_late;  /* the counts begin later than the run, so no metric can
                        * combine them with resource usage; set it before
                        * anything is wanted */
    struct hpm_machine machine; /* PMU and facts, by which metrics are chosen */
    struct hpm_library library;
    struct hpm_request request;
};

/* Read all definitions and choose those for this machine; sources are not asked
 * yet.  The inquiry must not be moved.  False, and nothing to close, when
 * memory runs out. */
bool hpm_inquiry_open(struct hpm_inquiry *inquiry,
                      const struct hpm_source *const *sources,
                      enum hpm_domain domain, bool is_whole_run,
                      struct hpm_error *err);

/* The inquiry need not be open. */
void hpm_inquiry_close(struct hpm_inquiry *inquiry);

bool hpm_inquiry_is_open(const struct hpm_inquiry *inquiry);

/* Want metrics (a list, or NULL) and a set of the definitions (or NULL).
 * *ret_is_set says whether there is such a set.  False for an unknown
 * metric. */
bool hpm_inquiry_want(struct hpm_inquiry *inquiry, const char *metrics,
                      const char *set, bool *ret_is_set, struct hpm_error *err);

/* Is the built-in set in the list of sets?  Not if the definitions have a set
 * of its name, which replaces it. */
bool hpm_inquiry_lists_set(const struct hpm_inquiry *inquiry,
                           const struct hpm_named_set *named);

/* False, with an error that names all sets, if there is no set of this name. */
bool hpm_inquiry_check_set(const struct hpm_inquiry *inquiry, const char *name,
                           struct hpm_error *err);

/* Append one line for each wanted metric that cannot be measured here, or only
 * in part, with what it lacks. */
void hpm_inquiry_explain(struct hpm_inquiry *inquiry, struct hpm_string *lines);

#endif
