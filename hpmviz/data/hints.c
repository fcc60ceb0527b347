/* SPDX-License-Identifier: BSD-3-Clause
 * What the numbers suggest. */
#include "hpmviz/data/hints.h"

#include <glib/gi18n.h>

#include "study/report/hints.h"
#include "study/report/tree.h"
#include "study/words/sentence.h"

static void
free_hint(gpointer data)
{
    struct hpmviz_hint *hint = data;

    g_free(hint->title);
    g_free(hint->why);
    g_free(hint->evidence);
    g_free(hint->next);
    g_free(hint->attempt);
    g_free(hint);
}

static char *
take_text(struct hpm_string *string)
{
    char *text = g_strdup(hpm_string_text(string));

    hpm_string_free(string);
    return text;
}

/* ---- rankings -------------------------------------------------------- */

struct hpmviz_rankings *
hpmviz_rankings_new(const struct hpm_survey *survey)
{
    struct hpmviz_rankings *rankings = g_new0(struct hpmviz_rankings, 1);

    rankings->n = survey->n_machines;
    rankings->all = g_malloc0_n(rankings->n + 1, sizeof *rankings->all);
    for (size_t i = 0; i < rankings->n; i++) {
        for (int j = 0; j < 2; j++) {
            if (!hpm_ranking_init(&rankings->all[i][j],
                                  survey->machines[i].library.metrics,
                                  (enum hpm_precision)j, NULL))
                g_error("out of memory");
        }
    }
    return rankings;
}

void
hpmviz_rankings_free(struct hpmviz_rankings *rankings)
{
    if (rankings == NULL)
        return;
    for (size_t i = 0; i < rankings->n; i++) {
        hpm_ranking_clear(&rankings->all[i][0]);
        hpm_ranking_clear(&rankings->all[i][1]);
    }
    g_free(rankings->all);
    g_free(rankings);
}

/* ---- places ---------------------------------------------------------- */

static void
name_subject(struct hpm_string *string, size_t place,
             const struct hpm_metric *metric, void *context)
{
    hpm_survey_add_hint_place(context, place, metric, string);
}

static void
name_thread(struct hpm_string *string, size_t place,
            const struct hpm_metric *metric, void *context)
{
    const struct hpm_study *study = ((const struct hpm_survey *)context)->study;
    const struct hpm_study_place *here = &study->places[place];
    int task = study->tasks[here->task].number;

    (void)metric;
    if (here->tid < 0)
        hpm_string_add_format(string, _("task %d, whole process"), task);
    else
        hpm_string_add_format(string, _("task %d, thread %d"), task, here->tid);
}

/* ---- one hint -------------------------------------------------------- */

static size_t
quantity_of(const struct hpm_survey *survey, size_t machine, size_t metric)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];

        if (quantity->kind == HPM_QUANTITY_METRIC &&
            quantity->metrics[machine] == metric)
            return i;
    }
    return HPM_NO_QUANTITY;
}

static struct hpmviz_hint *
new_hint(const struct hpm_survey *survey, size_t machine, size_t subject,
         const struct hpm_ranking *ranking, const struct hpm_hint *hint)
{
    const struct hpm_metric *metric = &ranking->metrics->metrics[hint->metric];
    struct hpmviz_hint *new = g_new0(struct hpmviz_hint, 1);
    gboolean is_run = subject == HPM_NO_SUBJECT;
    struct hpm_string text = {0}, step = {0};

    new->subject = is_run ? hint->place : subject;
    new->quantity = quantity_of(survey, machine, hint->metric);
    new->own = hint->value;
    new->weight = hint->explained;
    hpm_hints_add_why(&text, ranking, hint);
    new->why = take_text(&text);
    new->attempt = g_strdup(_(metric->texts[HPM_TEXT_TRY]));
    hpm_hints_add_title(&text, ranking, hint, hpm_tree_add_value,
                        is_run ? name_subject : name_thread, (void *)survey);
    new->title = take_text(&text);
    hpm_hints_add_evidence(&text, ranking, hint);
    new->evidence = take_text(&text);
    hpm_hints_add_step(&step, ranking, hint, TRUE);
    hpm_sentence_add(&text, hpm_string_text(&step));
    hpm_string_finish(&step, &text.failed);
    new->next = take_text(&text);
    return new;
}

/* ---- all of them ----------------------------------------------------- */

/* Of equal weight, the kind of machine met first comes first. */
static void
put_hint(GPtrArray *hints, struct hpmviz_hint *hint)
{
    guint at = hints->len;

    while (at > 0 &&
           ((struct hpmviz_hint *)hints->pdata[at - 1])->weight < hint->weight)
        at--;
    g_ptr_array_insert(hints, (gint)at, hint);
    if (hints->len > HPM_MAX_HINTS)
        g_ptr_array_set_size(hints, HPM_MAX_HINTS);
}

static void
add_hints(GPtrArray *hints, const struct hpm_survey *survey, size_t machine,
          size_t subject, const struct hpm_ranking *ranking)
{
    struct hpm_hint ranked[HPM_MAX_HINTS];
    size_t n = hpm_ranking_get(ranking, ranked);

    for (size_t i = 0; i < n; i++)
        put_hint(hints,
                 new_hint(survey, machine, subject, ranking, &ranked[i]));
}

GPtrArray *
hpmviz_hints_of_run(const struct hpm_survey *survey)
{
    GPtrArray *hints = g_ptr_array_new_with_free_func(free_hint);

    for (size_t i = 0; i < survey->n_machines && hpm_survey_is_long(survey);
         i++)
        add_hints(hints, survey, i, HPM_NO_SUBJECT,
                  &survey->machines[i].rankings[survey->options.precision]);
    return hints;
}

GPtrArray *
hpmviz_hints_of_section(const struct hpm_survey *survey, size_t subject,
                        const struct hpmviz_rankings *rankings)
{
    GPtrArray *hints = g_ptr_array_new_with_free_func(free_hint);

    for (size_t i = 0; i < survey->n_machines && hpm_survey_is_long(survey);
         i++)
        add_hints(hints, survey, i, subject,
                  &rankings->all[i][survey->options.precision]);
    return hints;
}

/* Cells are judged however short a run was, and with the sections inside. */
char *
hpmviz_hints_explain_none(const struct hpm_survey *survey)
{
    if (hpm_survey_is_difference(survey))
        return g_strdup(
            _("none: what changed is not judged; each run by itself "
              "has hints"));
    if (!hpm_survey_is_long(survey))
        return g_strdup_printf(_("none: all sections together took %.3g s, "
                                 "which is too short for hints"),
                               survey->totals[0] + survey->totals[1]);
    return g_strdup(
        _("none: nothing is beyond a limit that has a hint, in what "
          "is a section's own"));
}

static void
add_part(struct hpm_string *string, const char *word, const char *text)
{
    if (text == NULL || text[0] == '\0')
        return;
    if (string->length > 0)
        hpm_string_add(string, "\n");
    hpm_string_add_format(string, "%s: %s", word, text);
}

void
hpmviz_hint_add_text(const struct hpmviz_hint *hint, struct hpm_string *string)
{
    struct hpm_string text = {0};

    add_part(&text, _("why"), hint->why);
    add_part(&text, _("with"), hint->evidence);
    add_part(&text, _("measure next"), hint->next);
    add_part(&text, _("try"), hint->attempt);
    hpm_string_add_string(string, &text);
}
