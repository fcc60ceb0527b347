/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of source files, for pages that carry them. */
#ifndef HPM_STUDY_HTML_SOURCES_H
#define HPM_STUDY_HTML_SOURCES_H

#include "base/string.h"
#include "study/columns/study.h"

/* The lines in and around the sections of these studies, as JSON: {"swim.f":
 * {"from": 770, "lines": [...]}, ...}.  A file is looked for at its recorded
 * path, and beside the performance file; one that is not there, or is no text
 * of at most 4 MB, is left out.  Returns how many files there are. */
size_t hpm_html_add_sources(struct hpm_string *json,
                            struct hpm_study *const *studies, size_t n);

#endif
