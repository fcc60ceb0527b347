/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the list of sections of a metric. */
#include "hpmviz/sections/sectionmetric.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "study/report/line.h"
#include "study/report/shown.h"

static const struct hpm_entry *
entry_of(const HpmvizSession *session, guint row, size_t quantity)
{
    return hpm_subject_entry(&hpmviz_session_survey(session)->subjects[row],
                             quantity);
}

static const struct hpm_quantity *
quantity_at(const HpmvizSession *session, size_t quantity)
{
    return &hpmviz_session_survey(session)->quantities[quantity];
}

static enum hpmviz_statistic
statistic_of(const HpmvizSession *session)
{
    return hpmviz_session_view(session)->statistic;
}

/* The same words as in the table of the section's metrics. */
static struct hpmviz_sheet
sheet_of(const HpmvizSession *session, guint row, size_t *quantity)
{
    return (struct hpmviz_sheet){.survey = hpmviz_session_survey(session),
                                 .subject = row,
                                 .quantities = quantity,
                                 .n_columns = 1};
}

static gboolean
is_metric(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

gboolean *
hpmviz_sectionmetric_list(const HpmvizSession *session)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    size_t n = survey != NULL ? survey->n_quantities : 0;
    gboolean *are_listed = g_new0(gboolean, n + 1);

    if (!hpmviz_session_has_metrics(session))
        return are_listed;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];

        for (size_t j = 0; j < subject->n_entries; j++) {
            size_t quantity = subject->entries[j].quantity;

            are_listed[quantity] = is_metric(&survey->quantities[quantity]);
        }
    }
    return are_listed;
}

gboolean
hpmviz_sectionmetric_is_listed(const HpmvizSession *session, size_t quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    if (!hpmviz_session_has_metrics(session) ||
        !is_metric(&survey->quantities[quantity]))
        return FALSE;
    for (guint i = 0; i < survey->n_subjects; i++) {
        if (entry_of(session, i, quantity) != NULL)
            return TRUE;
    }
    return FALSE;
}

double
hpmviz_sectionmetric_number(const HpmvizSession *session, guint row,
                            size_t quantity)
{
    if (!hpmviz_session_has_metrics(session))
        return NAN;
    return hpm_quantity_to_shown(quantity_at(session, quantity),
                                 hpmviz_session_value(session, row, quantity));
}

/* NULL where the statistic is another one. */
static const struct hpm_worst *
worst_of(const HpmvizSession *session, guint row, size_t quantity)
{
    const struct hpm_entry *entry =
        hpmviz_session_has_metrics(session) &&
                statistic_of(session) == HPMVIZ_STATISTIC_WORST
            ? entry_of(session, row, quantity)
            : NULL;

    return entry != NULL
               ? hpm_entry_worst(hpmviz_session_survey(session), entry)
               : NULL;
}

enum hpm_verdict
hpmviz_sectionmetric_verdict(const HpmvizSession *session, guint row,
                             size_t quantity)
{
    const struct hpm_worst *worst = worst_of(session, row, quantity);

    return worst != NULL ? worst->verdict : HPM_VERDICT_NONE;
}

/* ---- texts ----------------------------------------------------------- */

static const char *
word_of_none(const HpmvizSession *session, guint row, size_t quantity)
{
    const struct hpm_entry *entry = entry_of(session, row, quantity);
    const struct hpm_worst *worst = worst_of(session, row, quantity);

    if (entry == NULL)
        return "–";
    if (entry->threads.n == 0)
        return _("n/a");
    if (worst != NULL)
        return worst->has_limits ? _("no verdict") : _("no limits");
    if (statistic_of(session) == HPMVIZ_STATISTIC_SUM)
        return _("no sum");
    return _("n/a");
}

void
hpmviz_sectionmetric_add_text(const HpmvizSession *session, guint row,
                              size_t quantity, struct hpm_string *text)
{
    double number = hpmviz_sectionmetric_number(session, row, quantity);
    struct hpmviz_sheet sheet = sheet_of(session, row, &quantity);

    if (!hpmviz_session_has_metrics(session))
        hpm_string_add(text, "…");
    else if (isnan(number))
        hpm_string_add(text, word_of_none(session, row, quantity));
    else
        hpmviz_details_add_number(&sheet, 0, number, text);
}

/* ---- in full --------------------------------------------------------- */

/* Why no value of the section was judged. */
static void
add_no_worst(const HpmvizSession *session, const struct hpm_entry *entry,
             struct hpm_string *text)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    const struct hpm_rows *judged = &entry->figure.judged;

    hpm_string_add(text, _("no worst value: "));
    if (survey->study->kind == HPM_STUDY_DIFF)
        hpm_string_add(text, _("a difference is not judged"));
    else if (!hpm_entry_worst(survey, entry)->has_limits)
        hpm_string_add(text, survey->options.precision == HPM_PRECISION_SINGLE
                                 ? _("no limits are given in single precision")
                                 : _("no limits are given in double "
                                     "precision"));
    else if (judged->doubt != HPM_DOUBT_NONE)
        hpm_string_add(text, hpm_doubt_text(judged->doubt));
    else
        hpm_string_add(text, _("parts of all values are missing"));
}

/* Why there is no number. */
static void
add_reason(const HpmvizSession *session, guint row, size_t quantity,
           struct hpm_string *text)
{
    const struct hpm_entry *entry = entry_of(session, row, quantity);

    if (entry == NULL) {
        hpm_string_add(text, _("not asked for in this section"));
    } else if (entry->threads.n == 0) {
        hpm_string_add_format(text,
                              "%s: ", hpm_state_name(entry->figure.state));
        hpm_shown_add_reason(text, &entry->figure);
    } else if (worst_of(session, row, quantity) != NULL) {
        add_no_worst(session, entry, text);
    } else if (statistic_of(session) == HPMVIZ_STATISTIC_SUM) {
        hpm_string_add(text, _("values of this metric cannot be added"));
    } else if (statistic_of(session) == HPMVIZ_STATISTIC_TASK) {
        hpm_string_add(text, _("a task's metrics are in the window of the "
                               "section's metrics"));
    }
}

static void
add_limits(const HpmvizSession *session, guint row, size_t quantity,
           struct hpm_string *text)
{
    struct hpmviz_sheet sheet = sheet_of(session, row, &quantity);
    struct hpm_limits limits;

    if (!hpmviz_details_find_limits(
            &sheet, 0, hpmviz_session_view(session)->precision, &limits))
        return;
    hpm_string_add(text, " (");
    hpmviz_details_add_limits(&limits, text);
    hpm_string_add(text, ")");
}

static void
add_who(const HpmvizSession *session, const struct hpm_worst *worst,
        struct hpm_string *text)
{
    const struct hpm_study *study = hpmviz_session_survey(session)->study;
    const struct hpm_study_place *place;
    int task;

    if (worst->who == HPM_NO_INDEX) {
        hpm_string_add(text, _("of the whole run"));
        return;
    }
    place = &study->places[worst->who];
    task = study->tasks[place->task].number;
    if (place->tid < 0)
        hpm_string_add_format(text, _("task %d, whole process"), task);
    else
        hpm_string_add_format(text, _("task %d, thread %d"), task, place->tid);
}

static void
add_worst(const HpmvizSession *session, guint row, size_t quantity,
          const struct hpm_worst *worst, struct hpm_string *text)
{
    const struct hpm_rows *judged =
        &entry_of(session, row, quantity)->figure.judged;

    hpm_string_add_format(text, ", %s", _(hpm_verdict_name(worst->verdict)));
    add_limits(session, row, quantity, text);
    hpm_string_add(text, "\n");
    add_who(session, worst, text);
    hpm_string_add_format(text, _("; bad are %u of %u values with a verdict"),
                          judged->n_bad, judged->n_judged);
}

void
hpmviz_sectionmetric_add_details(const HpmvizSession *session, guint row,
                                 size_t quantity, struct hpm_string *text)
{
    const struct hpm_quantity *here = quantity_at(session, quantity);
    const struct hpm_worst *worst = worst_of(session, row, quantity);

    hpm_string_add_format(text, "%s ", here->name);
    if (!hpmviz_session_has_metrics(session)) {
        hpm_string_add(text, _("is being worked out"));
    } else if (isnan(hpmviz_sectionmetric_number(session, row, quantity))) {
        add_reason(session, row, quantity, text);
    } else {
        hpmviz_sectionmetric_add_text(session, row, quantity, text);
        if (hpm_shown_unit(here)[0] != '\0')
            hpm_string_add_format(text, " %s", hpm_shown_unit(here));
        if (worst != NULL)
            add_worst(session, row, quantity, worst, text);
    }
    hpm_string_add(text, "\n");
}

void
hpmviz_sectionmetric_add_meaning(const HpmvizSession *session, size_t quantity,
                                 struct hpm_string *text)
{
    guint row = 0;
    struct hpmviz_sheet sheet;

    while (entry_of(session, row, quantity) == NULL)
        row++;
    sheet = sheet_of(session, row, &quantity);
    hpmviz_details_add_column(&sheet, 0, text);
}
