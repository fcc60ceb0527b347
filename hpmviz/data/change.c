/* SPDX-License-Identifier: BSD-3-Clause
 * What changed in one section from run A to run B. */
#include "hpmviz/data/change.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/identity.h"
#include "study/compare/comparison.h"
#include "study/inference/permutation.h"
#include "study/report/line.h"
#include "study/words/words.h"

gboolean
hpmviz_change_is_shown(const HpmvizSession *session)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    return survey != NULL && hpm_survey_is_difference(survey);
}

void
hpmviz_change_letters(const HpmvizSession *session, const char **ret_a,
                      const char **ret_b)
{
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(session);
    const HpmvizRuns *runs = hpmviz_session_runs(session);
    HpmvizRun *a = hpmviz_runs_find(runs, selection->reference);
    HpmvizRun *b = hpmviz_runs_find(runs, selection->run);
    gboolean has_both = selection->is_compared && a != NULL && b != NULL;

    *ret_a = has_both ? hpmviz_run_letter(a) : "A";
    *ret_b = has_both ? hpmviz_run_letter(b) : "B";
}

/* ---- better or worse ------------------------------------------------- */

/* The side that is bad tells; where none is, the one that is good. */
static enum hpmviz_direction
direction_of_limits(const struct hpm_limits *limits)
{
    if (limits->bad.is_given)
        return limits->bad.is_above ? HPMVIZ_LESS_IS_BETTER
                                    : HPMVIZ_MORE_IS_BETTER;
    return limits->good.is_above ? HPMVIZ_MORE_IS_BETTER
                                 : HPMVIZ_LESS_IS_BETTER;
}

/* Limits of what files recorded are found in the rows of a section that has
 * it. */
static size_t
find_subject(const struct hpm_survey *survey, size_t quantity)
{
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (hpm_subject_entry(&survey->subjects[i], quantity) != NULL)
            return i;
    }
    return HPM_NO_SUBJECT;
}

enum hpmviz_direction
hpmviz_change_direction(const HpmvizSession *session, size_t quantity)
{
    struct hpm_survey *survey = hpmviz_session_survey(session);
    enum hpm_quantity_kind kind = survey->quantities[quantity].kind;
    struct hpmviz_sheet sheet = {.survey = survey,
                                 .subject = find_subject(survey, quantity),
                                 .quantities = &quantity,
                                 .n_columns = 1};
    struct hpm_limits limits;

    if (kind == HPM_QUANTITY_EXCLUSIVE || kind == HPM_QUANTITY_INCLUSIVE)
        return HPMVIZ_LESS_IS_BETTER;
    if ((kind != HPM_QUANTITY_METRIC && kind != HPM_QUANTITY_RECORDED) ||
        sheet.subject == HPM_NO_SUBJECT ||
        !hpmviz_details_find_limits(
            &sheet, 0, hpmviz_session_view(session)->precision, &limits))
        return HPMVIZ_DIRECTION_NONE;
    return direction_of_limits(&limits);
}

gboolean
hpmviz_change_is_known(const HpmvizSession *session, size_t quantity,
                       const struct hpmviz_change *change)
{
    return change->only == HPM_SIDE_BOTH && !isnan(change->difference) &&
           hpmviz_change_direction(session, quantity) != HPMVIZ_DIRECTION_NONE;
}

/* What the arithmetic of ratios rounds off is no change. */
static enum hpm_verdict
tend(const struct hpmviz_change *change, enum hpmviz_direction direction)
{
    gboolean is_more = change->difference > 0;

    if (direction == HPMVIZ_DIRECTION_NONE || isnan(change->difference) ||
        change->only != HPM_SIDE_BOTH ||
        fabs(change->difference) <= 1e-9 * fabs(change->a))
        return HPM_VERDICT_NONE;
    return is_more == (direction == HPMVIZ_MORE_IS_BETTER) ? HPM_VERDICT_GOOD
                                                           : HPM_VERDICT_BAD;
}

/* ---- values ---------------------------------------------------------- */

static double
shown(const struct hpm_quantity *quantity, struct hpm_number number)
{
    return hpm_quantity_to_shown(quantity, hpm_number_to_real(number));
}

/* ---- is it found? ---------------------------------------------------- */

/* hpm_permutation_clearest knows no more. */
enum { MOST_RUNS = 50 };

/* Of the side with fewer. */
static size_t
runs_of(const struct hpm_figure *figure)
{
    double n = hpm_number_to_real(figure->runs);

    return n >= 0 ? (size_t)fmin(n, MOST_RUNS) : 0;
}

/* A difference within what is not known of it is none. */
static gboolean
is_certain(const struct hpmviz_change *change)
{
    return !(fabs(change->difference) <= change->uncertain);
}

/* Do all runs of b lie on one side of all runs of a? */
static gboolean
is_apart(const struct hpmviz_change *change)
{
    return change->least > 0 || change->most < 0;
}

/* By the test of `hpm compare` ranks that are apart have the smallest p there
 * is; as many tests as there are spreads are made (Bonferroni). */
static gboolean
is_found(const struct hpmviz_change *change, size_t n_tests)
{
    size_t n = runs_of(change->figure);

    return is_apart(change) && n >= 2 &&
           (double)n_tests * hpm_permutation_clearest(n, 0) <=
               HPM_COMPARISON_LEVEL;
}

static enum hpm_verdict
judge(const struct hpmviz_change *change, struct hpm_survey *survey)
{
    return change->tendency != HPM_VERDICT_NONE &&
                   !change->figure->is_partial &&
                   change->figure->doubt == HPM_DOUBT_NONE &&
                   is_certain(change) &&
                   is_found(change, hpm_survey_count_spreads(survey))
               ? change->tendency
               : HPM_VERDICT_NONE;
}

const char *
hpmviz_change_doubt(const struct hpmviz_change *change)
{
    const struct hpm_figure *figure = change->figure;

    if (change->tendency == HPM_VERDICT_NONE ||
        change->verdict != HPM_VERDICT_NONE)
        return NULL;
    if (figure->is_partial)
        return _("not judged: some parts are missing");
    if (figure->doubt != HPM_DOUBT_NONE)
        return hpm_doubt_text(figure->doubt);
    if (isnan(change->least))
        return _("not judged: how far runs differ is not known (hpm compare of "
                 "several runs of each judges it)");
    if (!is_certain(change))
        return _("not judged: it is within what the values may be off");
    return is_apart(change)
               ? _("not judged: with so few runs it may be chance")
               : _("not judged: runs of one side reach those of the other");
}

/* ---- a change -------------------------------------------------------- */

void
hpmviz_change_find(const HpmvizSession *session, size_t subject,
                   size_t quantity, struct hpmviz_change *ret_change)
{
    struct hpm_survey *survey = hpmviz_session_survey(session);
    const struct hpm_quantity *here = &survey->quantities[quantity];
    const struct hpm_entry *entry =
        hpm_subject_entry(&survey->subjects[subject], quantity);
    struct hpmviz_change *change = ret_change;

    *change = (struct hpmviz_change){
        .a = NAN,
        .b = NAN,
        .difference = NAN,
        .ratio = NAN,
        .least = NAN,
        .most = NAN,
        .uncertain = NAN,
        .only = hpmviz_side_of(survey->subjects[subject].flags)};
    change->marks = change->marks_a = change->marks_b = hpmviz_marks_of(NULL);
    if (entry == NULL)
        return;
    change->figure = &entry->figure;
    change->marks = change->marks_a = change->marks_b =
        hpmviz_marks_of(change->figure);
    change->difference = shown(here, entry->figure.value);
    change->least = shown(here, entry->figure.run_min);
    change->most = shown(here, entry->figure.run_max);
    change->uncertain = fmax(shown(here, entry->figure.reach),
                             shown(here, entry->figure.uncertainty));
    if (change->only != HPM_SIDE_B)
        change->a = shown(here, entry->figure.base);
    if (change->only != HPM_SIDE_A)
        change->b = shown(
            here, hpm_number_sum(entry->figure.base, entry->figure.value));
    if (change->only == HPM_SIDE_BOTH && change->a != 0)
        change->ratio = change->b / change->a;
    change->tendency = tend(change, hpmviz_change_direction(session, quantity));
    change->verdict = judge(change, survey);
}

/* What a run has of it by itself; NULL for nothing. */
static const struct hpm_figure *
figure_in_run(const HpmvizSession *session, guint id, size_t subject,
              const struct hpm_quantity *quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    HpmvizRun *run = hpmviz_runs_find(hpmviz_session_runs(session), id);
    struct hpmviz_identity *identity = hpmviz_identity_new(survey, subject);
    const struct hpm_survey *own = run == NULL ? NULL
                                   : hpmviz_session_view(session)->is_tree
                                       ? hpmviz_run_loaded(run)->paths
                                       : hpmviz_run_loaded(run)->sections;
    size_t at =
        own != NULL ? hpmviz_identity_find(identity, own) : HPM_NO_SUBJECT;
    size_t found =
        own != NULL ? hpm_survey_find(own, quantity->name) : HPM_NO_QUANTITY;
    const struct hpm_entry *entry =
        at != HPM_NO_SUBJECT && found != HPM_NO_QUANTITY
            ? hpm_subject_entry(&own->subjects[at], found)
            : NULL;

    hpmviz_identity_free(identity);
    return entry != NULL ? &entry->figure : NULL;
}

static void
take_from_run(const struct hpm_quantity *quantity,
              const struct hpm_figure *figure, double *value,
              struct hpmviz_marks *marks)
{
    *value = figure != NULL ? shown(quantity, figure->value) : NAN;
    *marks = hpmviz_marks_of(figure);
}

void
hpmviz_change_find_all(const HpmvizSession *session, size_t subject,
                       size_t quantity, struct hpmviz_change *ret_change)
{
    const struct hpmviz_selection *selection =
        hpmviz_session_selection(session);
    const struct hpm_quantity *here =
        &hpmviz_session_survey(session)->quantities[quantity];
    guint reference = selection->reference;

    hpmviz_change_find(session, subject, quantity, ret_change);
    if (!isnan(ret_change->difference) || !selection->is_compared)
        return;
    if (ret_change->only != HPM_SIDE_B)
        take_from_run(here, figure_in_run(session, reference, subject, here),
                      &ret_change->a, &ret_change->marks_a);
    if (ret_change->only != HPM_SIDE_A)
        take_from_run(here,
                      figure_in_run(session, selection->run, subject, here),
                      &ret_change->b, &ret_change->marks_b);
}
