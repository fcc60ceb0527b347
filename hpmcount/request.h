/* SPDX-License-Identifier: BSD-3-Clause
 * What the user wants to know, as events to count. */
#ifndef HPMCOUNT_REQUEST_H
#define HPMCOUNT_REQUEST_H

#include "hpmcount/options.h"
#include "inquiry/inquiry.h"

struct choice {
    bool is_default;  /* nothing was asked for */
    bool has_metrics; /* some were, by name, or by a set of which nothing can be
                       * counted */
};

/* Choose the events of -e, -s and -m, else of the environment, else the default
 * ones; metrics that cannot be measured here are told in `lines`, a line each.
 * False when a name is none or memory runs out. */
bool request_choose_events(struct hpm_inquiry *inquiry,
                           const struct options *options,
                           struct hpm_eventset *set, struct choice *ret_choice,
                           struct hpm_string *lines, struct hpm_error *err);

#endif
