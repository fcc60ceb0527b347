/* SPDX-License-Identifier: BSD-3-Clause
 * Surveys as one HTML file that needs no other file and no network.  Script and
 * style are inside; the page's content security policy allows no other script
 * and no fetching.
 *
 *     page.html
 *       style, head           visible before the script runs
 *       script "page"         JSON: the facts of each experiment, and of each
 *                             group of threads, which have the next numbers
 *       script "e0q7"         a block (block.h): quantity 7 of all sections of
 *                             experiment 0; "e0p7" the same of call paths
 *       script "e0t12"        a block: the threads of section 12
 *       script "e0w"          a block: task and thread of each place
 *       script "e0f"          packed JSON: tasks, counters, sources, problems
 *       script "e0s"          packed JSON: functions and lines with samples
 *       script                the program, made of study/html/ *.js
 */
#ifndef HPM_STUDY_HTML_PAGE_H
#define HPM_STUDY_HTML_PAGE_H

#include "base/string.h"
#include "study/html/experiment.h"

struct hpm_html_options {
    const char *sources; /* JSON of embedded source files, or NULL */
    size_t most_bytes;   /* of the page, as far as it can be reached by leaving
                          * out values of single threads; 0: 20 MB */
    size_t n_groups; /* so many of the experiments, the last ones, are groups of
                      * threads of the first one, which the reader may choose;
                      * left out where the page has no room for them in the same
                      * detail as the run, and the page says so */
};

/* Append the page.  The only error is the string's `failed`. */
void hpm_html_add_page(struct hpm_string *string,
                       const struct hpm_html_experiment *experiments, size_t n,
                       const struct hpm_html_options *options);

/* Is any section inside another one, so that paths tell more? */
bool hpm_html_has_paths(const struct hpm_study *study);

#endif
