/* SPDX-License-Identifier: BSD-3-Clause
 * What the numbers of a section, or of the whole run, suggest: hints, not
 * verdicts, the same that hpm report gives. */
#ifndef HPMVIZ_DATA_HINTS_H
#define HPMVIZ_DATA_HINTS_H

#include <glib.h>

#include "study/survey/survey.h"

/* Texts are one line each; "" where there is nothing to say. */
struct hpmviz_hint {
    size_t subject;  /* where it is worst */
    size_t quantity; /* the metric */
    double own;      /* its value there, without the sections inside */
    double weight;   /* seconds that it explains */
    char *title;     /* "IPC 0.412 in section 'calc' (a.c:12) (bad: below 1)" */
    char *why;
    char *evidence; /* other metrics there */
    char *next;     /* what to measure next */
    char *attempt;  /* what usually helps */
};

/* What threads crossed, per machine and precision; for hpm_survey_visit_some to
 * fill.  May be freed after the survey. */
struct hpmviz_rankings {
    struct hpm_ranking (*all)[2];
    size_t n;
};

struct hpmviz_rankings *hpmviz_rankings_new(const struct hpm_survey *survey);
void hpmviz_rankings_free(struct hpmviz_rankings *rankings);

/* Hints of the whole run by the limits of the survey's precision, the worst
 * first, at most HPM_MAX_HINTS: struct hpmviz_hint *, freed with the array.
 * None of a run too short to bother. */
GPtrArray *hpmviz_hints_of_run(const struct hpm_survey *survey);

/* The same of one section by its threads. */
GPtrArray *hpmviz_hints_of_section(const struct hpm_survey *survey,
                                   size_t subject,
                                   const struct hpmviz_rankings *rankings);

/* Why there are no hints, for g_free. */
char *hpmviz_hints_explain_none(const struct hpm_survey *survey);

/* All of a hint but its title, a line for each part. */
void hpmviz_hint_add_text(const struct hpmviz_hint *hint,
                          struct hpm_string *string);

#endif
