/* SPDX-License-Identifier: BSD-3-Clause
 * Surveys of what was read, or made of what was. */
#include "hpmviz/data/surveys.h"

#include "study/analysis/kindsentence.h"
#include "study/survey/surveying.h"

/* Their metrics are worked out in some hundredths of a second. */
enum { FEW_RECORDS = 2000 };

static bool
is_wanted(void *owner)
{
    return !g_cancellable_is_cancelled(owner);
}

/* One of two surveys that are made at a time. */
struct surveying {
    const struct hpm_study *study;
    struct hpm_survey_options options;
    struct hpm_survey *survey;
    struct hpm_error err;
};

static gpointer
make_survey(gpointer data)
{
    struct surveying *surveying = data;

    surveying->survey =
        hpm_survey_new(surveying->study, &surveying->options, &surveying->err);
    return NULL;
}

gboolean
hpmviz_surveys_make(struct hpmviz_loaded *loaded, enum hpm_precision precision,
                    GCancellable *cancellable, struct hpm_error *err)
{
    gboolean is_brief = loaded->study->n_rows > FEW_RECORDS;
    struct surveying sections = {.study = loaded->study,
                                 .options = {.grouping = HPM_GROUP_SECTIONS,
                                             .precision = precision,
                                             .has_all_metrics = true,
                                             .is_brief = is_brief,
                                             .goes_on = is_wanted,
                                             .owner = cancellable}};
    struct surveying paths = sections;
    GThread *thread;

    paths.options.grouping = HPM_GROUP_PATHS;
    thread = g_thread_new("paths", make_survey, &paths);
    make_survey(&sections);
    g_thread_join(thread);
    loaded->sections = sections.survey;
    loaded->paths = paths.survey;
    if (sections.survey != NULL && paths.survey != NULL)
        return TRUE;
    *err = sections.survey == NULL ? sections.err : paths.err;
    return FALSE;
}

/* Walks over all threads of a section: a survey is for one thread at a time. */
char *
hpmviz_surveys_find_kinds(struct hpm_survey *survey,
                          struct hpm_kindpictures *pictures,
                          GCancellable *cancellable)
{
    struct hpm_string sentence = {0};
    char *kinds;

    if (g_cancellable_is_cancelled(cancellable))
        return NULL;
    hpm_kindsentence_draw(&sentence, survey, pictures);
    kinds = g_strdup(hpm_string_text(&sentence));
    hpm_string_free(&sentence);
    return kinds;
}

/* More of them take memory for what they save. */
enum { MOST_PARTS = 4 };

struct hpm_survey *
hpmviz_surveys_make_whole(const struct hpm_study *study,
                          enum hpm_grouping grouping,
                          enum hpm_precision precision,
                          GCancellable *cancellable, struct hpm_error *err)
{
    guint n = CLAMP(g_get_num_processors(), 1, MOST_PARTS);
    struct surveying parts[MOST_PARTS];
    GThread *threads[MOST_PARTS];
    gboolean is_good = TRUE;

    for (guint i = 0; i < n; i++) {
        parts[i] = (struct surveying){.study = study,
                                      .options = {.grouping = grouping,
                                                  .precision = precision,
                                                  .has_all_metrics = true,
                                                  .part = i,
                                                  .n_parts = n,
                                                  .goes_on = is_wanted,
                                                  .owner = cancellable}};
        if (i > 0)
            threads[i] = g_thread_new("survey", make_survey, &parts[i]);
    }
    make_survey(&parts[0]);
    for (guint i = 0; i < n; i++) {
        if (i > 0)
            g_thread_join(threads[i]);
        if (parts[i].survey == NULL)
            *err = parts[i].err;
        is_good &= parts[i].survey != NULL;
    }
    for (guint i = 1; i < n; i++) {
        if (is_good)
            hpm_survey_join(parts[0].survey, parts[i].survey);
        else
            hpm_survey_free(parts[i].survey);
    }
    if (!is_good)
        hpm_survey_free(parts[0].survey);
    return is_good ? parts[0].survey : NULL;
}
