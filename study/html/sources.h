/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of source files, embedded in pages. */
#ifndef HPM_STUDY_HTML_SOURCES_H
#define HPM_STUDY_HTML_SOURCES_H

#include "base/string.h"
#include "study/columns/study.h"

struct hpm_html_found {
    size_t n, n_missing; /* files */
    const char *missing; /* the first of these: a path of a study */
};

/* The lines in and around the sections of these studies, as JSON: {"swim.f":
 * {"from": 770, "lines": [...]}, ...}.  A file is looked for at its recorded
 * path, and beside the performance file; a relative path also from the folder
 * of that file, and from the folders above it.  A file that is missing, or is
 * not a text of at most 4 MB, is left out. */
struct hpm_html_found hpm_html_add_sources(struct hpm_string *json,
                                           struct hpm_study *const *studies,
                                           size_t n);

#endif
