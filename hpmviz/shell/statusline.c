/* SPDX-License-Identifier: BSD-3-Clause
 * The line below the panes. */
#include "hpmviz/shell/statusline.h"

#include <glib/gi18n.h>

#include "base/string.h"
#include "hpmviz/data/change.h"

static void
add_count(GString *text, const char *format, size_t n)
{
    g_string_append_printf(text, format, n);
}

static void
add_files(const HpmvizSession *session, GString *text)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(session);
    size_t n;

    add_count(text, ngettext("%zu file", "%zu files", loaded->n_files),
              loaded->n_files);
    n = hpm_study_count_tasks(loaded->study);
    add_count(text, ngettext(", %zu task", ", %zu tasks", n), n);
    if (loaded->study->kind == HPM_STUDY_SUMMARY)
        g_string_append(text, _(" in a summary, without values of each"));
    n = hpm_study_count_threads(loaded->study);
    if (n > 0) /* whole processes have none of their own */
        add_count(text, ngettext(", %zu thread", ", %zu threads", n), n);
    if (loaded->n_bad > 0)
        add_count(text,
                  ngettext(", %zu file with problems",
                           ", %zu files with problems", loaded->n_bad),
                  loaded->n_bad);
}

static void
add_values(const HpmvizSession *session, gboolean awaits_metrics, GString *text)
{
    const struct hpmviz_view *view = hpmviz_session_view(session);
    const struct hpm_study *study = hpmviz_session_loaded(session)->study;

    if (hpmviz_change_is_shown(session)) {
        const char *a, *b;

        hpmviz_change_letters(session, &a, &b);
        g_string_append_printf(text, _("; values: %s − %s"), b, a);
    } else if (view->statistic == HPMVIZ_STATISTIC_TASK)
        g_string_append_printf(text, _("; values: task %d, max over threads"),
                               view->task);
    else if (view->statistic == HPMVIZ_STATISTIC_WORST)
        g_string_append(text, _("; values: worst of metrics, max of times over "
                                "threads"));
    else if (study->kind != HPM_STUDY_SUMMARY &&
             hpm_study_count_threads(study) == 0)
        g_string_append_printf(text, _("; values: %s over processes"),
                               hpmviz_statistic_name(view->statistic));
    else
        g_string_append_printf(text, _("; values: %s over threads"),
                               hpmviz_statistic_name(view->statistic));
    if (hpmviz_session_has_metrics(session))
        return;
    g_string_append(text, awaits_metrics
                              ? _("; metrics open when they are worked out")
                              : _("; metrics are being worked out"));
}

static void
add_selected(const HpmvizSession *session, GString *text)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    size_t selected = hpmviz_session_selected(session);
    struct hpm_string label = {0}, safe = {0};

    if (selected == HPM_NO_SUBJECT)
        return;
    hpm_survey_add_label(survey, selected, &label);
    hpm_string_add_safe(&safe, hpm_string_text(&label));
    if (hpmviz_change_is_shown(session))
        g_string_append_printf(text, "   %s", hpm_string_text(&safe));
    else
        g_string_append_printf(text, _("   %s: %.1f %% of the exclusive time"),
                               hpm_string_text(&safe),
                               100 * survey->subjects[selected].share);
    if (hpmviz_session_has_metrics(session) && !hpmviz_change_is_shown(session))
        g_string_append_printf(
            text,
            ngettext(", %zu value bad", ", %zu values bad",
                     (gulong)survey->subjects[selected].n_bad),
            survey->subjects[selected].n_bad);
    hpm_string_free(&label);
    hpm_string_free(&safe);
}

char *
hpmviz_statusline_text(const HpmvizSession *session, gboolean awaits_metrics)
{
    GString *text = g_string_new(NULL);

    if (hpmviz_session_loaded(session) == NULL) {
        g_string_append(text, _("no performance file is open"));
    } else {
        add_files(session, text);
        add_values(session, awaits_metrics, text);
        add_selected(session, text);
    }
    return g_string_free(text, FALSE);
}
