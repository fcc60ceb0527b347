/* SPDX-License-Identifier: BSD-3-Clause
 * Surveys as one HTML file that needs nothing beside it: no network, no other
 * file.  Script and style are in it, and its policy lets nothing else run and
 * nothing be fetched.
 *
 *     page.html
 *       style, head           what is seen before the script runs
 *       script "page"         JSON: of each experiment its facts, and of each
 *                             group of threads, which have the next numbers
 *       script "e0q7"         a block (block.h): quantity 7 of all sections of
 *                             experiment 0; "e0p7" the same of call paths
 *       script "e0t12"        a block: the threads of section 12
 *       script "e0w"          a block: task and thread of each place
 *       script "e0f"          packed JSON: tasks, counters, sources, problems
 *       script "e0s"          packed JSON: functions and lines with samples
 *       script                the program, of study/html/ *.js
 */
#ifndef HPM_STUDY_HTML_PAGE_H
#define HPM_STUDY_HTML_PAGE_H

#include "base/string.h"
#include "study/html/experiment.h"

struct hpm_html_options {
    const char *sources; /* JSON of embedded source files, or NULL */
    size_t most_bytes;   /* of the page, as far as leaving out single threads'
                          * values can do that; 0: 20 MB */
    size_t n_groups; /* so many of the experiments, the last ones, are groups
                          * of threads of the first, which the reader may choose */
};

/* Append the page.  Nothing but the string's `failed` can go wrong. */
void hpm_html_add_page(struct hpm_string *string,
                       const struct hpm_html_experiment *experiments, size_t n,
                       const struct hpm_html_options *options);

/* Has any section a section around it, so that paths say more? */
bool hpm_html_has_paths(const struct hpm_study *study);

#endif
