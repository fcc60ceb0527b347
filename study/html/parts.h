/* SPDX-License-Identifier: BSD-3-Clause
 * Files of study/html/ that every page contains; they are built into the
 * program (study/html/embed). */
#ifndef HPM_STUDY_HTML_PARTS_H
#define HPM_STUDY_HTML_PARTS_H

extern const char hpm_html_style[];  /* page.css */
extern const char hpm_html_body[];   /* page.html, up to the place of the
                                      * data */
extern const char hpm_html_script[]; /* the *.js in the order of their names in
                                      * study/local.mk */

#endif
