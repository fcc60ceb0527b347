/* SPDX-License-Identifier: BSD-3-Clause
 * What one section has of metrics, the worst first, without widgets: a line for
 * each; of two runs that are compared what became of each, the worst change
 * first.
 */
#ifndef HPMVIZ_DATA_METRICLIST_H
#define HPMVIZ_DATA_METRICLIST_H

#include "hpmviz/data/change.h"

enum hpmviz_metriclist_column {
    HPMVIZ_METRICLIST_NAME,
    HPMVIZ_METRICLIST_WHOLE, /* of all threads together; or A */
    HPMVIZ_METRICLIST_WORST, /* of the thread that is worst; or B */
    HPMVIZ_METRICLIST_BAD,   /* how many values are; or B - A */
    HPMVIZ_METRICLIST_RATIO, /* B / A; of one run nothing */
    HPMVIZ_METRICLIST_UNIT,
    HPMVIZ_METRICLIST_N_COLUMNS
};

struct hpmviz_metriclist_line {
    size_t quantity;
    double whole, worst;       /* NAN for none; as shown */
    guint n_bad, n_judged;     /* values of threads, or processes; of a change 1
                                * where it is known what is better */
    enum hpm_verdict verdict;  /* of the worst; or of the change */
    enum hpm_verdict tendency; /* the same; or the tendency of the change */
    double excess;             /* orders those of one verdict */
    struct hpmviz_change change;
};

struct hpmviz_metriclist {
    HpmvizSession *session;
    size_t subject;
    gboolean is_change;
    struct hpmviz_metriclist_line *lines;
    guint n;
};

/* Of a subject of the session's survey as it is now; HPM_NO_SUBJECT: no lines. */
struct hpmviz_metriclist *hpmviz_metriclist_new(HpmvizSession *session,
                                                size_t subject);
void hpmviz_metriclist_free(struct hpmviz_metriclist *list);

/* A heading, "" where there is nothing in the column; for g_free. */
char *hpmviz_metriclist_title(const struct hpmviz_metriclist *list,
                              enum hpmviz_metriclist_column column);

void hpmviz_metriclist_add_text(const struct hpmviz_metriclist *list,
                                guint line,
                                enum hpmviz_metriclist_column column,
                                struct hpm_string *text);
enum hpm_verdict
hpmviz_metriclist_verdict(const struct hpmviz_metriclist *list, guint line,
                          enum hpmviz_metriclist_column column);

/* What the metric is, its values, how they came about or why there are none;
 * some lines. */
void hpmviz_metriclist_add_details(const struct hpmviz_metriclist *list,
                                   guint line, struct hpm_string *text);

/* The worst, its reason, and what usually helps, some lines; or that nothing is
 * bad, or was judged. */
void hpmviz_metriclist_add_worst(const struct hpmviz_metriclist *list,
                                 struct hpm_string *text);

#endif
