/* SPDX-License-Identifier: BSD-3-Clause
 * What the user wants to know: metrics, sets and events, as events to count. */
#ifndef HPMCOUNT_WISH_H
#define HPMCOUNT_WISH_H

#include "base/error.h"
#include "base/string.h"
#include "hpmcount/options.h"
#include "metric/library.h"
#include "metric/request.h"
#include "source/eventset.h"

struct wish {
    const struct hpm_source *const *sources;
    enum hpm_domain domain;
    struct hpm_library library;
    struct hpm_request request;
    bool has_metrics; /* some were asked for by name */
};

/* Read the definitions for this machine; what is wrong with them is added to
 * `lines`, a line each.  False when memory runs out. */
bool wish_open(struct wish *wish, const struct hpm_source *const *sources,
               enum hpm_domain domain, struct hpm_string *lines,
               struct hpm_error *err);

void wish_close(struct wish *wish);

/* Choose the events of -e, -s and -m, else of the environment, else the default
 * ones; metrics that cannot be measured here are told in `lines`.  False when a
 * name is none or memory runs out. */
bool wish_choose_events(struct wish *wish, const struct options *options,
                        struct hpm_eventset *set, struct hpm_string *lines,
                        struct hpm_error *err);

#endif
