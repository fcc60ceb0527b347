/* SPDX-License-Identifier: BSD-3-Clause
 * One invocation of hpmcount: choose, run, report. */
#ifndef HPMCOUNT_SESSION_H
#define HPMCOUNT_SESSION_H

#include "base/error.h"
#include "hpmcount/options.h"
#include "source/source.h"

/* hpmcount's own failure, before the program starts. */
enum { OWN_FAILURE = 125 };

struct sources {
    const struct hpm_source *const *list;
    enum hpm_domain domain;
};

/* Who counts, and whose instructions, as HPM_SOURCE and HPM_DOMAIN say. */
bool session_choose_sources(struct sources *ret_sources, struct hpm_error *err);

/* Print what can be counted and measured here.  hpmcount's exit status. */
int session_list(const struct sources *sources);

/* Run the program, as often as wanted, and report.  Returns hpmcount's own
 * exit status when the program was not started; else 0, and *ret_status is
 * the wait status to end with: that of the first run that failed, or of the
 * last. */
int session_run(const struct options *options, const struct sources *sources,
                int *ret_status);

#endif
