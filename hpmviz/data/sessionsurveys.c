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
take_survey(HpmvizSession *session, struct hpm_survey *survey, char **kinds,
            struct hpm_kindpictures *pictures)
{
    struct hpm_survey **place =
        survey_of(session->loaded, survey->options.grouping);
    struct hpm_survey *before = *place;

    hpm_survey_judge(survey, session->view.precision);
    *place = survey;
    if (*kinds != NULL) {
        g_free(session->loaded->kinds);
        session->loaded->kinds = g_steal_pointer(kinds);
        hpm_kindpictures_clear(&session->loaded->pictures);
        session->loaded->pictures = *pictures;
        *pictures = (struct hpm_kindpictures){0};
    }
    *(survey->options.grouping == HPM_GROUP_PATHS
          ? &session->loaded->brief_paths
          : &session->loaded->brief_sections) = before;
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

static void
end_surveying(GObject *source, GAsyncResult *result, gpointer data)
{
    struct hpmviz_work *surveying = data;
    HpmvizSession *session = g_weak_ref_get(&surveying->session);
    GError *error = NULL;
    struct hpm_kindpictures pictures;
    char *kinds;
    struct hpm_survey *survey =
        hpmviz_loader_survey_finish(result, &kinds, &pictures, &error);

    (void)source;
    if (session == NULL || surveying->stop != session->survey_stop) {
        hpm_survey_free(survey);
    } else {
        g_clear_object(&session->survey_stop);
        if (survey != NULL)
            take_survey(session, survey, &kinds, &pictures);
        else
            hpmviz_session_fail(session, error->message);
    }
    g_free(kinds);
    hpm_kindpictures_clear(&pictures);
    g_clear_error(&error);
    hpmviz_work_free(surveying);
    g_clear_object(&session);
}

static void
start_survey(HpmvizSession *session, enum hpm_grouping grouping)
{
    session->survey_stop = g_cancellable_new();
    hpmviz_loader_survey(session->loaded, grouping, session->view.precision,
                         session->survey_stop, end_surveying,
                         hpmviz_work_new(session, session->survey_stop));
}

/* The survey that is looked at first, if it is brief; then the other. */
void
hpmviz_session_survey_next(HpmvizSession *session)
{
    enum hpm_grouping first =
        session->view.is_tree ? HPM_GROUP_PATHS : HPM_GROUP_SECTIONS;
    enum hpm_grouping second =
        session->view.is_tree ? HPM_GROUP_SECTIONS : HPM_GROUP_PATHS;

    if ((*survey_of(session->loaded, first))->options.is_brief)
        start_survey(session, first);
    else if ((*survey_of(session->loaded, second))->options.is_brief)
        start_survey(session, second);
}

/* ---- a group of threads ------------------------------------------------ */

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
