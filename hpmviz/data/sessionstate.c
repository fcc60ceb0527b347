/* SPDX-License-Identifier: BSD-3-Clause
 * The session itself: opening, the view, the selection. */
#include "hpmviz/data/sessionstate.h"

#include <glib/gi18n.h>

#include "hpmviz/data/identity.h"

G_DEFINE_TYPE(HpmvizSession, hpmviz_session, G_TYPE_OBJECT)

static guint signals[HPMVIZ_N_TELLS];

void
hpmviz_session_tell(HpmvizSession *session, enum hpmviz_tell tell)
{
    g_signal_emit(session, signals[tell], 0);
}

/* ---- the object ------------------------------------------------------ */

static void
finalize(GObject *object)
{
    HpmvizSession *session = HPMVIZ_SESSION(object);

    hpmviz_reader_cancel(session->reader);
    hpmviz_session_stop_surveying(session);
    hpmviz_session_stop_restricting(session);
    hpmviz_session_stop_comparing(session);
    hpmviz_loaded_free(session->loaded);
    g_object_unref(session->reader);
    g_object_unref(session->runs);
    g_object_unref(session->watcher);
    hpmviz_sources_free(session->sources);
    g_object_unref(session->preferences);
    g_strfreev(session->words);
    g_free(session->topology);
    g_free(session->metric);
    g_free(session->folder);
    g_free(session->failure);
    G_OBJECT_CLASS(hpmviz_session_parent_class)->finalize(object);
}

static void
hpmviz_session_class_init(HpmvizSessionClass *class)
{
    static const char *const names[HPMVIZ_N_TELLS] = {
        "progress", "loaded",   "surveyed", "failed", "outdated",
        "viewed",   "selected", "metric",   "place"};

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < HPMVIZ_N_TELLS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0,
                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_changed(HpmvizSession *session)
{
    hpmviz_session_tell(session, HPMVIZ_TELL_OUTDATED);
}

static void
on_progress(HpmvizSession *session)
{
    hpmviz_session_tell(session, HPMVIZ_TELL_PROGRESS);
}

static void
hpmviz_session_init(HpmvizSession *session)
{
    session->selection = (struct hpmviz_selection){
        .subject = HPM_NO_SUBJECT, .task = -1, .tid = -1};
    session->runs = hpmviz_runs_new();
    session->reader = hpmviz_reader_new();
    g_signal_connect_swapped(session->reader, "progress",
                             G_CALLBACK(on_progress), session);
    session->view.scope = HPM_SCOPE_THREAD;
    session->view.precision = HPM_PRECISION_DOUBLE;
    session->sources = hpmviz_sources_new();
    session->preferences = hpmviz_preferences_new();
    session->watcher = hpmviz_watcher_new();
    g_signal_connect_swapped(session->watcher, "changed",
                             G_CALLBACK(on_changed), session);
}

HpmvizSession *
hpmviz_session_new(void)
{
    return g_object_new(HPMVIZ_TYPE_SESSION, NULL);
}

HpmvizPreferences *
hpmviz_session_preferences(const HpmvizSession *session)
{
    return session->preferences;
}

void
hpmviz_session_set_preferences(HpmvizSession *session,
                               HpmvizPreferences *preferences)
{
    g_set_object(&session->preferences, preferences);
}

/* ---- opening --------------------------------------------------------- */

/* The folder of the first file that was read; opening a file there says that
 * its sources may be looked at. */
static void
learn_folder(HpmvizSession *session)
{
    const struct hpm_study *study = session->loaded->study;

    g_clear_pointer(&session->folder, g_free);
    if (study->n_sources == 0)
        return;
    session->folder = g_path_get_dirname(study->sources[0].file);
    hpmviz_sources_confirm_root(session->sources, session->folder);
}

static gboolean
has_scope(const struct hpm_survey *survey, int scope)
{
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (survey->study->sections[survey->subjects[i].section].scope == scope)
            return TRUE;
    }
    return FALSE;
}

static gboolean
is_same_section(const struct hpm_study_section *a,
                const struct hpm_study_section *b)
{
    return a->scope == b->scope && a->line == b->line &&
           a->instance == b->instance && g_strcmp0(a->label, b->label) == 0 &&
           g_strcmp0(a->base, b->base) == 0;
}

/* The first subject of another survey that is the same section. */
static size_t
find_again(const struct hpm_survey *survey,
           const struct hpm_study_section *section)
{
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (is_same_section(
                &survey->study->sections[survey->subjects[i].section], section))
            return i;
    }
    return HPM_NO_SUBJECT;
}

/* Both surveys are judged: the other one may be looked at next. */
static void
judge(const HpmvizSession *session)
{
    if (session->loaded == NULL)
        return;
    hpm_survey_judge(session->loaded->sections, session->view.precision);
    hpm_survey_judge(session->loaded->paths, session->view.precision);
}

/* ---- taking ---------------------------------------------------------- */

/* Of all runs: whichever changes is read again. */
void
hpmviz_session_watch(HpmvizSession *session)
{
    g_autoptr(GPtrArray) words = g_ptr_array_new();
    g_autoptr(GPtrArray) files = g_ptr_array_new();
    HpmvizRun *run;

    for (guint i = 0; (run = hpmviz_runs_at(session->runs, i)) != NULL; i++) {
        for (const char *const *at = hpmviz_run_words(run); *at != NULL; at++)
            g_ptr_array_add(words, (char *)*at);
        g_ptr_array_extend(files, hpmviz_run_loaded(run)->files, NULL, NULL);
    }
    g_ptr_array_add(words, NULL);
    hpmviz_watcher_watch(session->watcher, (char **)words->pdata,
                         (char **)files->pdata, files->len);
}

/* The sentence stands below those of other failures of the same time, each once. */
void
hpmviz_session_fail(HpmvizSession *session, const char *failure)
{
    g_autofree char *before = session->failure;
    g_auto(GStrv) lines = g_strsplit(before != NULL ? before : "", "\n", -1);

    if (before == NULL)
        session->failure = g_strdup(failure);
    else if (g_strv_contains((const char *const *)lines, failure))
        session->failure = g_steal_pointer(&before);
    else
        session->failure = g_strconcat(before, "\n", failure, NULL);
    hpmviz_session_tell(session, HPMVIZ_TELL_FAILED);
}

/* The section that was selected stays so, by what it is called. */
void
hpmviz_session_take(HpmvizSession *session, struct hpmviz_loaded *loaded)
{
    struct hpmviz_loaded *before = session->loaded;
    const struct hpm_study_section *section =
        hpmviz_session_section(session, session->selection.subject);
    struct hpmviz_identity *identity =
        section != NULL ? hpmviz_identity_new(hpmviz_session_survey(session),
                                              session->selection.subject)
                        : NULL;

    hpmviz_session_stop_surveying(session);
    hpmviz_session_stop_restricting(session);
    hpmviz_session_stop_comparing(session);
    session->loaded = loaded;
    judge(session); /* the view may have changed meanwhile */
    session->selection.subject =
        identity != NULL
            ? hpmviz_identity_find(identity, hpmviz_session_survey(session))
            : HPM_NO_SUBJECT;
    hpmviz_identity_free(identity);
    hpmviz_loaded_free(before);
    learn_folder(session);
    if (!has_scope(loaded->sections, session->view.scope))
        session->view.scope = session->view.scope == HPM_SCOPE_THREAD
                                  ? HPM_SCOPE_PROCESS
                                  : HPM_SCOPE_THREAD;
    hpmviz_session_tell(session, HPMVIZ_TELL_LOADED);
    if (session->loaded == loaded)
        hpmviz_session_survey_next(session);
}

/* What a reading is for, beside the id of a run that is read again. */
enum { TO_OPEN = HPMVIZ_NO_RUN, TO_ADD = G_MAXUINT };

/* ---- what was read --------------------------------------------------- */

static void
take_opened(HpmvizSession *session, char **words, struct hpmviz_loaded *loaded)
{
    g_clear_pointer(&session->words, g_strfreev);
    session->selection.run = hpmviz_runs_start(session->runs, words, loaded);
    session->selection.is_compared = FALSE;
    session->wanted.run = session->selection.run;
    session->wanted.is_compared = FALSE;
    hpmviz_session_watch(session);
    hpmviz_session_take(session, loaded);
}

static void
take_added(HpmvizSession *session, char **words, struct hpmviz_loaded *loaded)
{
    guint id = hpmviz_runs_add(session->runs, words, loaded);

    hpmviz_loaded_free(loaded);
    if (id == HPMVIZ_NO_RUN) {
        hpmviz_session_fail(
            session, _("26 runs are open, and no more can be; remove one"));
        return;
    }
    hpmviz_session_watch(session);
    hpmviz_session_show(session, id, TRUE);
}

/* What is compared is compared again when the last run was read, or could not
 * be: any of them may have changed. */
static void
show_renewed(HpmvizSession *session, guint id)
{
    guint n_done, n_files;

    if (!session->wanted.is_compared && session->wanted.run == id)
        hpmviz_session_show(session, id, FALSE);
    else if (session->wanted.is_compared &&
             !hpmviz_session_is_loading(session, &n_done, &n_files))
        hpmviz_session_show(session, session->wanted.run, TRUE);
}

/* The run may have gone meanwhile. */
static void
take_renewed(HpmvizSession *session, guint id, char **words,
             struct hpmviz_loaded *loaded)
{
    hpmviz_runs_renew(session->runs, id, words, loaded);
    hpmviz_loaded_free(loaded);
    hpmviz_session_watch(session);
    show_renewed(session, id);
}

/* A run stays as it was; one that lacks more files only is as it is there. */
static void
take_failure(HpmvizSession *session, guint id, char **words,
             const char *failure)
{
    HpmvizRun *run = hpmviz_runs_find(session->runs, id);

    if (session->words == NULL && hpmviz_runs_count(session->runs) == 0)
        session->words = g_strdupv(words); /* to be tried again */
    if (run != NULL &&
        g_strv_equal(hpmviz_run_words(run), (const char *const *)words))
        hpmviz_runs_set_stale(session->runs, id);
    hpmviz_session_fail(session, failure);
    if (run != NULL && session->wanted.is_compared)
        show_renewed(session, id);
}

static void
end_reading(gpointer owner, char **words, guint tag,
            struct hpmviz_loaded *loaded, const char *failure)
{
    g_autoptr(HpmvizSession) session = g_object_ref(owner);

    if (loaded == NULL)
        take_failure(session, tag, words, failure);
    else if (tag == TO_OPEN || hpmviz_runs_count(session->runs) == 0)
        take_opened(session, words, loaded);
    else if (tag == TO_ADD)
        take_added(session, words, loaded);
    else
        take_renewed(session, tag, words, loaded);
    hpmviz_session_survey_next(session);
}

static void
read_words(HpmvizSession *session, char *const *words, guint tag)
{
    guint n_done, n_files;

    if (!hpmviz_session_is_loading(session, &n_done, &n_files))
        g_clear_pointer(&session->failure, g_free);
    hpmviz_reader_queue(session->reader, words, session->view.precision, tag,
                        end_reading, session);
}

void
hpmviz_session_open(HpmvizSession *session, char *const *words)
{
    hpmviz_reader_cancel(session->reader);
    read_words(session, words, TO_OPEN);
}

void
hpmviz_session_add_run(HpmvizSession *session, char *const *words)
{
    read_words(session, words, TO_ADD);
}

void
hpmviz_session_add_files(HpmvizSession *session, char *const *words)
{
    const char *const *before = hpmviz_session_words(session);
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    HpmvizRun *run = hpmviz_runs_find(session->runs, session->wanted.run);
    gboolean is_alone = hpmviz_runs_count(session->runs) <= 1;

    if (run != NULL)
        before = hpmviz_run_words(run);
    for (guint i = 0; before != NULL && before[i] != NULL; i++)
        g_ptr_array_add(all, (char *)before[i]);
    for (guint i = 0; words[i] != NULL; i++)
        g_ptr_array_add(all, words[i]);
    g_ptr_array_add(all, NULL);
    if (is_alone)
        hpmviz_session_open(session, (char **)all->pdata);
    else
        read_words(session, (char **)all->pdata, session->wanted.run);
}

void
hpmviz_session_open_runs(HpmvizSession *session, char *const *words)
{
    hpmviz_reader_cancel(session->reader);
    for (int i = 0; words[i] != NULL; i++) {
        char *word[] = {words[i], NULL};

        read_words(session, word, i == 0 ? TO_OPEN : TO_ADD);
    }
}

const char *const *
hpmviz_session_words(const HpmvizSession *session)
{
    const HpmvizRun *first = hpmviz_runs_at(session->runs, 0);

    return first != NULL ? hpmviz_run_words(first)
                         : (const char *const *)session->words;
}

void
hpmviz_session_reload(HpmvizSession *session)
{
    HpmvizRun *run;

    hpmviz_reader_cancel(session->reader);
    if (session->words != NULL && hpmviz_runs_count(session->runs) == 0)
        read_words(session, session->words, TO_OPEN);
    for (guint i = 0; (run = hpmviz_runs_at(session->runs, i)) != NULL; i++)
        read_words(session, (char *const *)hpmviz_run_words(run),
                   hpmviz_run_id(run));
}

void
hpmviz_session_cancel(HpmvizSession *session)
{
    hpmviz_reader_cancel(session->reader);
    hpmviz_session_survey_next(session);
}

gboolean
hpmviz_session_is_loading(const HpmvizSession *session, guint *ret_n_done,
                          guint *ret_n_files)
{
    return hpmviz_reader_is_busy(session->reader, ret_n_done, ret_n_files);
}

const struct hpmviz_loaded *
hpmviz_session_loaded(const HpmvizSession *session)
{
    return session->loaded;
}

const char *
hpmviz_session_failure(const HpmvizSession *session)
{
    return session->failure;
}

/* ---- the view -------------------------------------------------------- */

const struct hpmviz_view *
hpmviz_session_view(const HpmvizSession *session)
{
    return &session->view;
}

struct hpm_survey *
hpmviz_session_survey(const HpmvizSession *session)
{
    if (session->loaded == NULL)
        return NULL;
    return session->view.is_tree ? session->loaded->paths
                                 : session->loaded->sections;
}

gboolean
hpmviz_session_has_metrics(const HpmvizSession *session)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    return survey != NULL && !survey->options.is_brief;
}

void
hpmviz_session_set_view(HpmvizSession *session, const struct hpmviz_view *view)
{
    const struct hpm_study_section *section =
        hpmviz_session_section(session, session->selection.subject);
    gboolean is_other_survey = view->is_tree != session->view.is_tree;

    session->view = *view;
    judge(session);
    if (is_other_survey && section != NULL)
        session->selection.subject =
            find_again(hpmviz_session_survey(session), section);
    hpmviz_session_tell(session, HPMVIZ_TELL_VIEWED);
}

/* ---- subjects -------------------------------------------------------- */

size_t
hpmviz_session_selected(const HpmvizSession *session)
{
    return session->selection.subject;
}

void
hpmviz_session_select(HpmvizSession *session, size_t subject)
{
    if (subject == session->selection.subject)
        return;
    session->selection.subject = subject;
    hpmviz_session_tell(session, HPMVIZ_TELL_SELECTED);
}

const struct hpmviz_selection *
hpmviz_session_selection(const HpmvizSession *session)
{
    return &session->selection;
}

void
hpmviz_session_select_metric(HpmvizSession *session, const char *name)
{
    if (g_strcmp0(name, session->metric) == 0)
        return;
    g_free(session->metric);
    session->metric = g_strdup(name);
    session->selection.metric = session->metric;
    hpmviz_session_tell(session, HPMVIZ_TELL_METRIC);
}

void
hpmviz_session_select_place(HpmvizSession *session, int task, int tid)
{
    struct hpmviz_selection *selection = &session->selection;

    if (task == selection->task && tid == selection->tid)
        return;
    selection->task = task;
    selection->tid = tid;
    hpmviz_session_tell(session, HPMVIZ_TELL_PLACE);
}

size_t
hpmviz_session_metric(const HpmvizSession *session)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    size_t quantity = HPM_NO_QUANTITY;

    if (survey == NULL)
        return HPM_NO_QUANTITY;
    if (session->metric != NULL)
        quantity = hpm_survey_find(survey, session->metric);
    return quantity != HPM_NO_QUANTITY
               ? quantity
               : hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
}

const struct hpm_study_section *
hpmviz_session_section(const HpmvizSession *session, size_t subject)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);

    if (survey == NULL || subject >= survey->n_subjects)
        return NULL;
    return &survey->study->sections[survey->subjects[subject].section];
}

const char *
hpmviz_session_folder(const HpmvizSession *session)
{
    return session->folder;
}

struct hpmviz_sources *
hpmviz_session_sources(const HpmvizSession *session)
{
    return session->sources;
}

const char *
hpmviz_session_topology(const HpmvizSession *session)
{
    return session->topology;
}

void
hpmviz_session_set_topology(HpmvizSession *session, const char *topology)
{
    char *copy = g_strdup(topology);

    g_free(session->topology);
    session->topology = copy;
    hpmviz_session_tell(session, HPMVIZ_TELL_VIEWED);
}
