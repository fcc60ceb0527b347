/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment on a page, alone or beside others. */
#ifndef HPM_STUDY_HTML_EXPERIMENT_H
#define HPM_STUDY_HTML_EXPERIMENT_H

#include "base/string.h"
#include "study/survey/survey.h"

/* A run, merged or not, or the result of several runs. */
struct hpm_html_experiment {
    const char *name;
    struct hpm_survey *sections;
    struct hpm_survey *paths;   /* NULL: no section is inside another */
    struct hpm_string kinds;    /* a sentence about kinds of threads, or "" */
    struct hpm_string pictures; /* JSON: an array (study/analysis/picture.h) */
    const char *group; /* what its threads have in common: it is what this group
                        * of the page's only run measured; NULL: all threads */
    size_t n_members;  /* of the group */
};

#endif
