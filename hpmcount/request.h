/* SPDX-License-Identifier: BSD-3-Clause
 * What the user asks for, as events to count. */
#ifndef HPMCOUNT_REQUEST_H
#define HPMCOUNT_REQUEST_H

#include "hpmcount/options.h"
#include "inquiry/inquiry.h"

struct choice {
    bool is_default;  /* the user chose nothing */
    bool has_metrics; /* metrics were chosen: by name, or by a set of which no
                       * event can be counted */
};

/* Choose the events of -e, -s and -m, else of the environment, else the default
 * events; `lines` gets a line for each metric that cannot be measured here.
 * False when a name is unknown or memory runs out. */
bool request_choose_events(struct hpm_inquiry *inquiry,
                           const struct options *options,
                           struct hpm_eventset *set, struct choice *ret_choice,
                           struct hpm_string *lines, struct hpm_error *err);

#endif
