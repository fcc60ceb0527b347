/* SPDX-License-Identifier: BSD-3-Clause
 * What changed in one section from run A to run B: a row of a comparison, without
 * widgets.  Values are those that `hpm diff` has of the whole section.
 */
#ifndef HPMVIZ_DATA_CHANGE_H
#define HPMVIZ_DATA_CHANGE_H

#include "hpmviz/data/details.h"
#include "hpmviz/data/session.h"

enum hpmviz_direction {
    HPMVIZ_DIRECTION_NONE, /* nobody knows whether more is better */
    HPMVIZ_LESS_IS_BETTER, /* times, and metrics that are bad above a limit */
    HPMVIZ_MORE_IS_BETTER
};

/* In the unit it is shown in; NAN for what is not there, which is never 0. */
struct hpmviz_change {
    double a, b;
    double difference; /* b - a; of a section of one run alone what it has more,
                        * or less, as `hpm diff` says it */
    double ratio;      /* b / a; NAN where a is 0 */
    double least, most; /* of any run of b less any run of a, where both are
                         * means of runs */
    double uncertain;   /* how far the difference may be off */
    enum hpm_side only; /* the section is in this run alone */
    enum hpm_verdict tendency; /* good: for the better; bad: for the worse;
                                * none: it is the same, or the direction is not
                                * known */
    enum hpm_verdict verdict;  /* the tendency where it is found: no run of one
                                * side reaches those of the other, and there are
                                * too many runs for that to be chance */
    const struct hpm_figure *figure; /* of the difference; NULL for none */
    /* of the difference, and of a and b: the same, or those in the run's own
     * survey, which may go before this does */
    struct hpmviz_marks marks, marks_a, marks_b;
};

/* Is what is shown a comparison at all? */
gboolean hpmviz_change_is_shown(const HpmvizSession *session);

/* Of a subject of the session's survey, which is a comparison. */
void hpmviz_change_find(const HpmvizSession *session, size_t subject,
                        size_t quantity, struct hpmviz_change *ret_change);

/* Why there is a tendency and no verdict; NULL where there is no tendency, or a
 * verdict. */
const char *hpmviz_change_doubt(const struct hpmviz_change *change);

/* The same as hpmviz_change_find; where there is no difference, as only one run
 * counted it, with the value of that run, which its own survey has.  Takes a
 * look at all subjects of that: for what is drawn, not for what is sorted. */
void hpmviz_change_find_all(const HpmvizSession *session, size_t subject,
                            size_t quantity, struct hpmviz_change *ret_change);

/* Whether more of a quantity is better, by its limits. */
enum hpmviz_direction hpmviz_change_direction(const HpmvizSession *session,
                                              size_t quantity);

/* Is there a difference, and does anybody know which sign is better? */
gboolean hpmviz_change_is_known(const HpmvizSession *session, size_t quantity,
                                const struct hpmviz_change *change);

/* The letters of both runs, "A" and "B" in files that are differences. */
void hpmviz_change_letters(const HpmvizSession *session, const char **ret_a,
                           const char **ret_b);

#endif
