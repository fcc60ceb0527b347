/* SPDX-License-Identifier: BSD-3-Clause
 * All runs side by side. */
#include "hpmviz/data/trend.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "hpmviz/data/details.h"
#include "hpmviz/data/identity.h"
#include "study/report/line.h"

/* ---- which section is which ------------------------------------------ */

/* Per run and subject: it stands in a row. */
struct matching {
    struct hpmviz_trend *trend;
    gboolean **are_taken;
    struct hpmviz_identities **identities; /* per run */
};

static const struct hpm_study_section *
section_of(const struct hpm_survey *survey, size_t subject)
{
    return &survey->study->sections[survey->subjects[subject].section];
}

static void
take(struct matching *matching, struct hpmviz_trend_row *row, guint run,
     size_t subject)
{
    row->subjects[run] = subject;
    matching->are_taken[run][subject] = TRUE;
}

/* A section on the same line first: of two of one label the other one may have
 * gone. */
static void
find_in(struct matching *matching, struct hpmviz_trend_row *row, guint run,
        gboolean is_moved)
{
    const struct hpmviz_trend *trend = matching->trend;
    const struct hpm_survey *own = trend->surveys[row->first];
    const struct hpm_survey *survey = trend->surveys[run];
    struct hpmviz_identity *identity;
    size_t found;

    if (row->subjects[run] != HPM_NO_SUBJECT)
        return;
    identity = hpmviz_identity_new(own, row->subjects[row->first]);
    found = hpmviz_identities_find(matching->identities[run], identity);
    hpmviz_identity_free(identity);
    if (found == HPM_NO_SUBJECT || matching->are_taken[run][found])
        return;
    if (is_moved || section_of(survey, found)->line ==
                        section_of(own, row->subjects[row->first])->line)
        take(matching, row, run, found);
}

/* Rows of the sections of a run that no run before it has. */
static void
add_rows(struct matching *matching, guint run)
{
    struct hpmviz_trend *trend = matching->trend;
    const struct hpm_survey *survey = trend->surveys[run];
    guint from = trend->n_rows;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        struct hpmviz_trend_row *row;

        if (matching->are_taken[run][i])
            continue;
        trend->rows =
            g_renew(struct hpmviz_trend_row, trend->rows, trend->n_rows + 1);
        row = &trend->rows[trend->n_rows++];
        row->first = run;
        row->subjects = g_new(size_t, trend->n_runs);
        for (guint j = 0; j < trend->n_runs; j++)
            row->subjects[j] = HPM_NO_SUBJECT;
        take(matching, row, run, i);
    }
    for (gboolean is_moved = FALSE; is_moved <= TRUE; is_moved++) {
        for (guint i = from; i < trend->n_rows; i++) {
            for (guint j = run + 1; j < trend->n_runs; j++)
                find_in(matching, &trend->rows[i], j, is_moved);
        }
    }
}

static void
match(struct hpmviz_trend *trend)
{
    struct matching matching = {
        trend, g_new(gboolean *, trend->n_runs + 1),
        g_new(struct hpmviz_identities *, trend->n_runs + 1)};

    for (guint i = 0; i < trend->n_runs; i++) {
        matching.are_taken[i] =
            g_new0(gboolean, trend->surveys[i]->n_subjects + 1);
        matching.identities[i] = hpmviz_identities_new(trend->surveys[i]);
    }
    for (guint i = 0; i < trend->n_runs; i++)
        add_rows(&matching, i);
    for (guint i = 0; i < trend->n_runs; i++) {
        g_free(matching.are_taken[i]);
        hpmviz_identities_free(matching.identities[i]);
    }
    g_free(matching.are_taken);
    g_free(matching.identities);
}

/* ---- runs ------------------------------------------------------------ */

/* Those without records of their own, too: a row of theirs says how many they
 * are.  NAN for none, as of a run that was counted whole. */
static double
count_threads(const struct hpm_study *study)
{
    g_autofree size_t *folded = g_new0(size_t, study->n_places + 1);
    size_t n = hpm_study_count_threads(study);

    for (uint32_t i = 0; i < study->n_rows; i++) {
        uint32_t place = hpm_study_row(study, i)->place;

        if (study->places[place].tid < -1)
            folded[place] = MAX(folded[place], hpm_study_n_threads(study, i));
    }
    for (size_t i = 0; i < study->n_places; i++)
        n += folded[i];
    return n > 0 ? (double)n : NAN;
}

struct hpmviz_trend *
hpmviz_trend_new(const HpmvizSession *session)
{
    const HpmvizRuns *runs = hpmviz_session_runs(session);
    struct hpmviz_trend *trend = g_new0(struct hpmviz_trend, 1);

    trend->n_runs = hpmviz_runs_count(runs);
    trend->runs = g_new0(HpmvizRun *, trend->n_runs + 1);
    trend->surveys = g_new0(struct hpm_survey *, trend->n_runs + 1);
    trend->n_threads = g_new0(double, trend->n_runs + 1);
    for (guint i = 0; i < trend->n_runs; i++) {
        HpmvizRun *run = g_object_ref(hpmviz_runs_at(runs, i));
        const struct hpmviz_loaded *loaded = hpmviz_run_loaded(run);

        trend->runs[i] = run;
        trend->surveys[i] = hpmviz_session_view(session)->is_tree
                                ? loaded->paths
                                : loaded->sections;
        trend->n_threads[i] = count_threads(loaded->study);
        if (hpmviz_run_id(run) == hpmviz_runs_reference(runs))
            trend->reference = i;
    }
    match(trend);
    return trend;
}

void
hpmviz_trend_free(struct hpmviz_trend *trend)
{
    if (trend == NULL)
        return;
    for (guint i = 0; i < trend->n_rows; i++)
        g_free(trend->rows[i].subjects);
    for (guint i = 0; i < trend->n_runs; i++)
        g_object_unref(trend->runs[i]);
    g_free(trend->rows);
    g_free(trend->runs);
    g_free(trend->surveys);
    g_free(trend->n_threads);
    g_free(trend);
}

/* ---- numbers --------------------------------------------------------- */

static const char *const kinds[HPMVIZ_TREND_N_KINDS] = {"value", "speed-up",
                                                        "efficiency"};

const char *
hpmviz_trend_kind_name(enum hpmviz_trend_kind kind)
{
    return kinds[kind];
}

enum hpmviz_trend_kind
hpmviz_trend_kind_find(const char *name)
{
    for (int i = 0; i < HPMVIZ_TREND_N_KINDS; i++) {
        if (g_strcmp0(kinds[i], name) == 0)
            return (enum hpmviz_trend_kind)i;
    }
    return HPMVIZ_TREND_VALUE;
}

static const struct hpm_quantity *
quantity_in(const struct hpm_survey *survey, const char *name)
{
    size_t quantity = hpm_survey_find(survey, name);

    return quantity != HPM_NO_QUANTITY ? &survey->quantities[quantity] : NULL;
}

const struct hpm_figure *
hpmviz_trend_figure(const struct hpmviz_trend *trend, guint row, guint run,
                    const char *name)
{
    const struct hpm_survey *survey = trend->surveys[run];
    size_t subject = trend->rows[row].subjects[run];
    size_t quantity = hpm_survey_find(survey, name);
    const struct hpm_entry *entry;

    if (subject == HPM_NO_SUBJECT || quantity == HPM_NO_QUANTITY)
        return NULL;
    entry = hpm_subject_entry(&survey->subjects[subject], quantity);
    return entry != NULL ? &entry->figure : NULL;
}

static double
value_of(const struct hpmviz_trend *trend, guint row, guint run,
         const char *name)
{
    const struct hpm_figure *figure =
        hpmviz_trend_figure(trend, row, run, name);

    return figure != NULL
               ? hpm_quantity_to_shown(quantity_in(trend->surveys[run], name),
                                       hpm_number_to_real(figure->value))
               : NAN;
}

static gboolean
is_time(const struct hpmviz_trend *trend, guint run, const char *name)
{
    const struct hpm_quantity *quantity =
        quantity_in(trend->surveys[run], name);

    return quantity != NULL && (quantity->kind == HPM_QUANTITY_EXCLUSIVE ||
                                quantity->kind == HPM_QUANTITY_INCLUSIVE);
}

double
hpmviz_trend_number(const struct hpmviz_trend *trend, guint row, guint run,
                    enum hpmviz_trend_kind kind, const char *quantity)
{
    double value = value_of(trend, row, run, quantity), speedup;

    if (kind == HPMVIZ_TREND_VALUE)
        return value;
    if (!is_time(trend, run, quantity) || !(value > 0))
        return NAN;
    speedup = value_of(trend, row, trend->reference, quantity) / value;
    return kind == HPMVIZ_TREND_SPEEDUP
               ? speedup
               : speedup * trend->n_threads[trend->reference] /
                     trend->n_threads[run];
}

/* ---- texts ----------------------------------------------------------- */

const struct hpm_study_section *
hpmviz_trend_section(const struct hpmviz_trend *trend, guint row)
{
    const struct hpmviz_trend_row *here = &trend->rows[row];

    return section_of(trend->surveys[here->first], here->subjects[here->first]);
}

gboolean
hpmviz_trend_find_row(const struct hpmviz_trend *trend, guint run,
                      size_t subject, guint *ret_row)
{
    for (guint i = 0; subject != HPM_NO_SUBJECT && i < trend->n_rows; i++) {
        if (trend->rows[i].subjects[run] == subject) {
            *ret_row = i;
            return TRUE;
        }
    }
    return FALSE;
}

void
hpmviz_trend_add_label(const struct hpmviz_trend *trend, guint row,
                       struct hpm_string *text)
{
    const struct hpmviz_trend_row *here = &trend->rows[row];

    hpm_survey_add_label(trend->surveys[here->first],
                         here->subjects[here->first], text);
}

/* Metrics and counters of many records come a while after the times. */
static gboolean
is_awaited(const struct hpmviz_trend *trend, guint row, guint run,
           const char *quantity)
{
    const struct hpm_survey *survey = trend->surveys[run];

    return survey->options.is_brief &&
           trend->rows[row].subjects[run] != HPM_NO_SUBJECT &&
           quantity_in(survey, quantity) == NULL;
}

static void
add_number(const struct hpmviz_trend *trend, guint run,
           enum hpmviz_trend_kind kind, const char *quantity, double number,
           struct hpm_string *text)
{
    const struct hpm_quantity *here =
        quantity_in(trend->surveys[run], quantity);

    if (kind == HPMVIZ_TREND_VALUE &&
        (here->kind == HPM_QUANTITY_CALLS ||
         here->kind == HPM_QUANTITY_COUNTER) &&
        number >= 0 && number < 9e15)
        hpm_string_add_grouped(text, (uint64_t)number);
    else
        hpm_string_add_fixed(
            text, number,
            kind == HPMVIZ_TREND_VALUE && is_time(trend, run, quantity) ? 6
                                                                        : 3);
}

/* A speed-up is as good as both times that it is made of. */
static gboolean
is_partial(const struct hpmviz_trend *trend, guint row, guint run,
           enum hpmviz_trend_kind kind, const char *quantity)
{
    const struct hpm_figure *figure =
        hpmviz_trend_figure(trend, row, run, quantity);

    return (figure != NULL && figure->is_partial) ||
           (kind != HPMVIZ_TREND_VALUE && run != trend->reference &&
            is_partial(trend, row, trend->reference, HPMVIZ_TREND_VALUE,
                       quantity));
}

void
hpmviz_trend_add_text(const struct hpmviz_trend *trend, guint row, guint run,
                      enum hpmviz_trend_kind kind, const char *quantity,
                      struct hpm_string *text)
{
    double number = hpmviz_trend_number(trend, row, run, kind, quantity);
    const struct hpm_figure *figure =
        hpmviz_trend_figure(trend, row, run, quantity);

    if (isnan(number)) {
        hpm_string_add(text, is_awaited(trend, row, run, quantity) ? "…"
                             : figure != NULL && kind == HPMVIZ_TREND_VALUE
                                 ? hpmviz_details_none(figure->state)
                                 : _("n/a"));
        return;
    }
    if (is_partial(trend, row, run, kind, quantity))
        hpm_string_add(text, "~");
    add_number(trend, run, kind, quantity, number, text);
    if (kind == HPMVIZ_TREND_VALUE)
        hpm_string_add_format(text, "%s%s", hpmviz_details_mark(figure->state),
                              figure->doubt != HPM_DOUBT_NONE ? " ?" : "");
}
