/* SPDX-License-Identifier: BSD-3-Clause
 * One call of hpmcount: choose, run, report. */
#ifndef HPMCOUNT_SESSION_H
#define HPMCOUNT_SESSION_H

#include "base/error.h"
#include "hpmcount/options.h"
#include "source/source.h"

/* hpmcount's exit status for a failure before the program starts. */
enum { OWN_FAILURE = 125 };

struct sources {
    const struct hpm_source *const *list;
    enum hpm_domain domain;
};

/* Choose the sources of counts and the domain by HPM_SOURCE and HPM_DOMAIN. */
bool session_choose_sources(struct sources *ret_sources, struct hpm_error *err);

/* Print what can be counted and measured here.  Returns hpmcount's exit
 * status. */
int session_list(const struct sources *sources);

/* Run the program as often as wanted, and report.  Returns hpmcount's own exit
 * status when the program was not started; else 0, and *ret_status is the wait
 * status to end with: that of the first failed run, else of the last run. */
int session_run(const struct options *options, const struct sources *sources,
                int *ret_status);

#endif
