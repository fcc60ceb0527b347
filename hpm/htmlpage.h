/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of hpm report. */
#ifndef HPM_HTMLPAGE_H
#define HPM_HTMLPAGE_H

#include "hpm/frame/subcommand.h"
#include "study/columns/study.h"
#include "study/survey/survey.h"

struct htmlpage {
    const char *command; /* the subcommand, for messages */
    const char *arch;    /* or NULL */
    enum hpm_precision precision;
    bool has_sources; /* include the sections' source lines */
};

/* Append a page of these studies, side by side under these names (NULL: the
 * name of the program); report problems of definitions.  False when there is no
 * memory. */
bool htmlpage_add(struct hpm_string *text, const struct htmlpage *page,
                  struct hpm_study *const *studies, const char *const *names,
                  size_t n, struct hpm_error *err);

#endif
