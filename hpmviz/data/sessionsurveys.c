/* SPDX-License-Identifier: BSD-3-Clause
 * What the session shows, surveyed with metrics, or only a group of its threads:
 * work in threads. */
#include "hpmviz/data/sessionstate.h"
#include "study/survey/surveying.h"

void
hpmviz_session_stop_surveying(HpmvizSession *session)
{
    if (session->survey_stop != NULL)
        g_cancellable_cancel(session->survey_stop);
    g_clear_object(&session->survey_stop);
}

void
hpmviz_session_stop_restricting(HpmvizSession *session)
{
    if (session->restrict_stop != NULL)
        g_cancellable_cancel(session->restrict_stop);
    g_clear_object(&session->restrict_stop);
}

static struct hpm_survey **
survey_of(struct hpmviz_loaded *loaded, enum hpm_grouping grouping)
{
    return grouping == HPM_GROUP_PATHS ? &loaded->paths : &loaded->sections;
}

/* Its subjects are those of the brief one before, in their order.  That one
 * stays as long as the files do, for whoever looks at it. */
static void
take_survey(HpmvizSession *session, struct hpmviz_loaded *loaded,
            struct hpm_survey *survey, char **kinds,
            struct hpm_kindpictures *pictures)
{
    struct hpm_survey **place = survey_of(loaded, survey->options.grouping);
    struct hpm_survey *before = *place;

    hpm_survey_judge(survey, session->view.precision);
    *place = survey;
    if (*kinds != NULL) {
        g_free(loaded->kinds);
        loaded->kinds = g_steal_pointer(kinds);
        hpm_kindpictures_clear(&loaded->pictures);
        loaded->pictures = *pictures;
        *pictures = (struct hpm_kindpictures){0};
    }
    *(survey->options.grouping == HPM_GROUP_PATHS ? &loaded->brief_paths
                                                  : &loaded->brief_sections) =
        before;
    hpmviz_session_tell(session, HPMVIZ_TELL_SURVEYED);
    hpmviz_session_survey_next(session);
}

struct hpmviz_work *
hpmviz_work_new(HpmvizSession *session, GCancellable *stop)
{
    struct hpmviz_work *surveying = g_new0(struct hpmviz_work, 1);

    g_weak_ref_init(&surveying->session, session);
    surveying->stop = g_object_ref(stop);
    return surveying;
}

void
hpmviz_work_free(struct hpmviz_work *surveying)
{
    g_object_unref(surveying->stop);
    g_weak_ref_clear(&surveying->session);
    g_free(surveying);
}

/* The run may be taken out of the session meanwhile. */
struct resurveying {
    struct hpmviz_work *work;
    struct hpmviz_loaded *loaded;
};

static void
end_surveying(GObject *source, GAsyncResult *result, gpointer data)
{
    struct resurveying *resurveying = data;
    g_autoptr(HpmvizSession) session =
        g_weak_ref_get(&resurveying->work->session);
    g_autoptr(GError) error = NULL;
    struct hpm_kindpictures pictures;
    g_autofree char *kinds = NULL;
    struct hpm_survey *survey =
        hpmviz_loader_survey_finish(result, &kinds, &pictures, &error);

    (void)source;
    if (session == NULL || resurveying->work->stop != session->survey_stop) {
        hpm_survey_free(survey);
    } else {
        g_clear_object(&session->survey_stop);
        if (survey != NULL)
            take_survey(session, resurveying->loaded, survey, &kinds,
                        &pictures);
        else
            hpmviz_session_fail(session, error->message);
    }
    hpm_kindpictures_clear(&pictures);
    hpmviz_work_free(resurveying->work);
    hpmviz_loaded_free(resurveying->loaded);
    g_free(resurveying);
}

static void
start_survey(HpmvizSession *session, struct hpmviz_loaded *loaded,
             enum hpm_grouping grouping)
{
    struct resurveying *resurveying = g_new0(struct resurveying, 1);

    session->survey_stop = g_cancellable_new();
    resurveying->work = hpmviz_work_new(session, session->survey_stop);
    resurveying->loaded = hpmviz_loaded_ref(loaded);
    hpmviz_loader_survey(loaded, grouping, session->view.precision,
                         session->survey_stop, end_surveying, resurveying);
}

/* What is shown first: a comparison or a table of runs shows the others beside
 * it.  NULL where all are whole. */
static struct hpmviz_loaded *
find_brief(HpmvizSession *session, enum hpm_grouping grouping)
{
    HpmvizRun *run;

    if ((*survey_of(session->loaded, grouping))->options.is_brief)
        return session->loaded;
    for (guint i = 0; (run = hpmviz_runs_at(session->runs, i)) != NULL; i++) {
        struct hpmviz_loaded *loaded = hpmviz_run_loaded(run);

        if ((*survey_of(loaded, grouping))->options.is_brief)
            return loaded;
    }
    return NULL;
}

static enum hpm_grouping
grouping_of(const HpmvizSession *session)
{
    return session->view.is_tree ? HPM_GROUP_PATHS : HPM_GROUP_SECTIONS;
}

/* What is asked for is to be seen first: reading and comparing have the processors
 * until they end. */
static gboolean
has_to_wait(const HpmvizSession *session)
{
    guint n_done, n_files;

    return hpmviz_session_is_loading(session, &n_done, &n_files) ||
           hpmviz_session_is_comparing(session);
}

/* The surveys that are looked at first; then the others. */
void
hpmviz_session_survey_next(HpmvizSession *session)
{
    enum hpm_grouping grouping = grouping_of(session);
    struct hpmviz_loaded *loaded;

    if (session->loaded == NULL || session->survey_stop != NULL ||
        has_to_wait(session))
        return;
    loaded = find_brief(session, grouping);

    if (loaded == NULL) {
        grouping =
            grouping == HPM_GROUP_PATHS ? HPM_GROUP_SECTIONS : HPM_GROUP_PATHS;
        loaded = find_brief(session, grouping);
    }
    if (loaded != NULL)
        start_survey(session, loaded, grouping);
}

gboolean
hpmviz_session_is_surveying(HpmvizSession *session)
{
    return session->loaded != NULL &&
           (session->survey_stop != NULL || has_to_wait(session)) &&
           find_brief(session, grouping_of(session)) != NULL;
}

/* ---- some of the threads ----------------------------------------------- */

static void
end_restricting(GObject *source, GAsyncResult *result, gpointer data)
{
    struct hpmviz_work *restricting = data;
    HpmvizSession *session = g_weak_ref_get(&restricting->session);
    GError *error = NULL;
    struct hpmviz_loaded *loaded = hpmviz_loader_finish(result, &error);

    (void)source;
    if (session == NULL || restricting->stop != session->restrict_stop) {
        hpmviz_loaded_free(loaded);
    } else if (loaded != NULL) {
        hpmviz_session_take(session, loaded);
    } else {
        g_clear_object(&session->restrict_stop);
        hpmviz_session_fail(session, error->message);
    }
    g_clear_error(&error);
    hpmviz_work_free(restricting);
    g_clear_object(&session);
}

void
hpmviz_session_restrict(HpmvizSession *session, size_t group)
{
    hpmviz_session_stop_restricting(session);
    if (session->loaded == NULL)
        return;
    session->restrict_stop = g_cancellable_new();
    hpmviz_loader_restrict(session->loaded, group, session->view.precision,
                           session->restrict_stop, end_restricting,
                           hpmviz_work_new(session, session->restrict_stop));
}

void
hpmviz_session_choose_places(HpmvizSession *session, const bool *are_kept,
                             const char *name)
{
    const struct hpmviz_loaded *whole = hpmviz_loaded_whole(session->loaded);
    size_t n = 0;

    for (size_t i = 0; whole != NULL && i < whole->study->n_places; i++)
        n += are_kept[i] ? 1 : 0;
    if (n == 0)
        return;
    if (n == whole->study->n_places) {
        hpmviz_session_restrict(session, HPMVIZ_NO_GROUP);
        return;
    }
    hpmviz_session_stop_restricting(session);
    session->restrict_stop = g_cancellable_new();
    hpmviz_loader_choose(session->loaded, are_kept, name,
                         session->view.precision, session->restrict_stop,
                         end_restricting,
                         hpmviz_work_new(session, session->restrict_stop));
}
