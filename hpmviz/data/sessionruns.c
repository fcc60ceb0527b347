/* SPDX-License-Identifier: BSD-3-Clause
 * Several runs in the session: which is shown, and what changed from one to
 * another. */
#include "hpmviz/data/comparing.h"
#include "hpmviz/data/sessionstate.h"

void
hpmviz_session_stop_comparing(HpmvizSession *session)
{
    if (session->compare_stop != NULL)
        g_cancellable_cancel(session->compare_stop);
    g_clear_object(&session->compare_stop);
}

/* It does not keep the session. */
struct showing {
    struct hpmviz_work *work;
    guint run, reference;
};

/* What was shown before stays, unless its run has been removed, or it was compared
 * with another run than the reference of now. */
static void
want_shown(HpmvizSession *session)
{
    const struct hpmviz_selection *shown = &session->selection;
    guint reference = hpmviz_runs_reference(session->runs);

    session->wanted.run = shown->run;
    session->wanted.is_compared = shown->is_compared;
    if (hpmviz_runs_find(session->runs, shown->run) == NULL ||
        (shown->is_compared && shown->reference != reference))
        hpmviz_session_show(session, reference, FALSE);
}

static void
end_comparing(GObject *source, GAsyncResult *result, gpointer data)
{
    struct showing *showing = data;
    g_autoptr(HpmvizSession) session = g_weak_ref_get(&showing->work->session);
    g_autoptr(GError) error = NULL;
    struct hpmviz_loaded *loaded = hpmviz_loader_finish(result, &error);

    (void)source;
    if (session == NULL || showing->work->stop != session->compare_stop) {
        hpmviz_loaded_free(loaded);
    } else if (loaded != NULL) {
        session->selection.run = showing->run;
        session->selection.reference = showing->reference;
        session->selection.is_compared = TRUE;
        hpmviz_session_take(session, loaded);
    } else {
        g_clear_object(&session->compare_stop);
        hpmviz_session_fail(session, error->message);
        want_shown(session);
        hpmviz_session_survey_next(session);
    }
    hpmviz_work_free(showing->work);
    g_free(showing);
}

static void
start_comparing(HpmvizSession *session, HpmvizRun *run)
{
    struct showing *showing = g_new0(struct showing, 1);
    HpmvizRun *reference =
        hpmviz_runs_find(session->runs, hpmviz_runs_reference(session->runs));

    hpmviz_session_stop_surveying(session);
    session->compare_stop = g_cancellable_new();
    showing->work = hpmviz_work_new(session, session->compare_stop);
    showing->run = hpmviz_run_id(run);
    showing->reference = hpmviz_run_id(reference);
    hpmviz_comparing_start(hpmviz_run_loaded(reference), hpmviz_run_loaded(run),
                           session->view.precision, session->compare_stop,
                           end_comparing, showing);
}

void
hpmviz_session_show(HpmvizSession *session, guint id, gboolean is_compared)
{
    HpmvizRun *run = hpmviz_runs_find(session->runs, id);

    if (run == NULL)
        return;
    hpmviz_session_stop_comparing(session);
    session->wanted.run = id;
    session->wanted.is_compared =
        is_compared && id != hpmviz_runs_reference(session->runs);
    if (session->wanted.is_compared) {
        start_comparing(session, run);
        return;
    }
    session->selection.run = id;
    session->selection.is_compared = FALSE;
    hpmviz_session_take(session, hpmviz_loaded_ref(hpmviz_run_loaded(run)));
}

void
hpmviz_session_set_reference(HpmvizSession *session, guint id)
{
    guint before = hpmviz_runs_reference(session->runs);
    guint shown = session->wanted.run;

    if (id == before || hpmviz_runs_find(session->runs, id) == NULL)
        return;
    hpmviz_runs_set_reference(session->runs, id);
    if (session->wanted.is_compared)
        hpmviz_session_show(session, shown == id ? before : shown, TRUE);
}

void
hpmviz_session_remove_run(HpmvizSession *session, guint id)
{
    guint before = hpmviz_runs_reference(session->runs);
    guint reference;

    if (!hpmviz_runs_remove(session->runs, id))
        return;
    hpmviz_session_watch(session);
    reference = hpmviz_runs_reference(session->runs);
    if (session->wanted.run == id || before != reference)
        hpmviz_session_show(session, reference, FALSE);
}

HpmvizRuns *
hpmviz_session_runs(const HpmvizSession *session)
{
    return session->runs;
}

gboolean
hpmviz_session_is_comparing(const HpmvizSession *session)
{
    return session->compare_stop != NULL;
}
