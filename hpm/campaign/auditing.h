/* SPDX-License-Identifier: BSD-3-Clause
 * Events counted alone and shared, compared by section: how far they disagree,
 * as in Figures 3 and 4 of MPX (May 2001). */
#ifndef HPM_AUDITING_H
#define HPM_AUDITING_H

#include "base/string.h"
#include "study/columns/study.h"

/* One event in one section. */
struct audit_line {
    const char *section; /* its call path; "" without a name */
    const char *event;
    struct hpm_datum alone, shared; /* summed over all threads and tasks */
    bool is_alone_there, is_shared_there; /* such a section was entered */
    double interval; /* half of the 95 % interval; NAN: no estimate */
    double ratio;    /* shared / alone; NAN: not known */
    double reach;    /* of the ratio, at 95 %; NAN: not known */
};

struct auditing {
    struct hpm_study *alone, *shared;
    struct audit_line *lines;
    size_t n_lines, capacity;
};

/* Compare all events in all sections; false when there is no memory. */
bool auditing_fill(struct auditing *auditing);
void auditing_clear(struct auditing *auditing);

/* The number of estimates that lie within their interval, and of all
 * estimates. */
void auditing_count(const struct auditing *auditing, size_t *ret_n_inside,
                    size_t *ret_n);

/* Append a table for people; a drawing of ratios and intervals as SVG. */
void auditing_add_text(struct hpm_string *string,
                       const struct auditing *auditing);
void auditing_add_svg(struct hpm_string *string,
                      const struct auditing *auditing);

#endif
