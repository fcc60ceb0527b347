/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer shows. */
#include "hpmviz/data/session.h"

#include <math.h>
#include <string.h>

#include "hpmviz/data/watcher.h"
#include "study/survey/surveying.h"

struct _HpmvizSession {
    GObject parent_instance;
    struct hpmviz_loaded *loaded;
    GCancellable *survey_stop;   /* of what is being surveyed, or NULL */
    GCancellable *restrict_stop; /* of what is being taken out, or NULL */
    struct hpmviz_view view;
    size_t selected;

    char **words, **new_words; /* of what is open, and of what is read */
    HpmvizWatcher *watcher;
    char *folder, *failure;
    struct hpmviz_progress *progress; /* of what is being read, or NULL */
    GCancellable *cancellable;
    guint watch;

    struct hpmviz_sources *sources;
    HpmvizPreferences *preferences;
};

G_DEFINE_TYPE(HpmvizSession, hpmviz_session, G_TYPE_OBJECT)

enum {
    PROGRESS,
    LOADED,
    SURVEYED,
    FAILED,
    OUTDATED,
    VIEWED,
    SELECTED,
    N_SIGNALS
};

static guint signals[N_SIGNALS];

enum { WATCH_MS = 100 };

/* ---- names ----------------------------------------------------------- */

static const char *const statistics[HPMVIZ_N_STATISTICS] = {
    "max", "mean", "sum", "min", "task", "worst"};

const char *
hpmviz_statistic_name(enum hpmviz_statistic statistic)
{
    return statistics[statistic];
}

enum hpmviz_statistic
hpmviz_statistic_find(const char *name)
{
    for (int i = 0; name != NULL && i < HPMVIZ_N_STATISTICS; i++) {
        if (strcmp(statistics[i], name) == 0)
            return (enum hpmviz_statistic)i;
    }
    return HPMVIZ_STATISTIC_MAX;
}

/* ---- the object ------------------------------------------------------ */

static void
stop_watching(HpmvizSession *session)
{
    if (session->watch != 0)
        g_source_remove(session->watch);
    session->watch = 0;
    g_clear_object(&session->cancellable);
    session->progress = NULL; /* freed by the reading's end */
}

static void
stop_surveying(HpmvizSession *session)
{
    if (session->survey_stop != NULL)
        g_cancellable_cancel(session->survey_stop);
    g_clear_object(&session->survey_stop);
}

static void
stop_restricting(HpmvizSession *session)
{
    if (session->restrict_stop != NULL)
        g_cancellable_cancel(session->restrict_stop);
    g_clear_object(&session->restrict_stop);
}

static void
finalize(GObject *object)
{
    HpmvizSession *session = HPMVIZ_SESSION(object);

    hpmviz_session_cancel(session);
    stop_surveying(session);
    stop_restricting(session);
    hpmviz_loaded_free(session->loaded);
    g_object_unref(session->watcher);
    hpmviz_sources_free(session->sources);
    g_object_unref(session->preferences);
    g_strfreev(session->words);
    g_strfreev(session->new_words);
    g_free(session->folder);
    g_free(session->failure);
    G_OBJECT_CLASS(hpmviz_session_parent_class)->finalize(object);
}

static void
hpmviz_session_class_init(HpmvizSessionClass *class)
{
    static const char *const names[N_SIGNALS] = {
        "progress", "loaded", "surveyed", "failed",
        "outdated", "viewed", "selected"};

    G_OBJECT_CLASS(class)->finalize = finalize;
    for (int i = 0; i < N_SIGNALS; i++)
        signals[i] =
            g_signal_new(names[i], HPMVIZ_TYPE_SESSION, G_SIGNAL_RUN_LAST, 0,
                         NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_changed(HpmvizSession *session)
{
    g_signal_emit(session, signals[OUTDATED], 0);
}

static void
hpmviz_session_init(HpmvizSession *session)
{
    session->selected = HPM_NO_SUBJECT;
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

/* A reading that goes on belongs to itself: the session may be gone, or read
 * something else, when it ends. */
struct reading {
    HpmvizSession *session;
    GCancellable *cancellable;
    struct hpmviz_progress progress;
};

static gboolean
watch_progress(gpointer data)
{
    g_signal_emit(data, signals[PROGRESS], 0);
    return G_SOURCE_CONTINUE;
}

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

/* ---- surveying ------------------------------------------------------- */

static void survey_next(HpmvizSession *session);

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
    g_signal_emit(session, signals[SURVEYED], 0);
    survey_next(session);
}

/* It does not keep the session: nobody may want the survey, or the group, any
 * more. */
struct surveying {
    GWeakRef session;
    GCancellable *stop;
};

static struct surveying *
new_surveying(HpmvizSession *session, GCancellable *stop)
{
    struct surveying *surveying = g_new0(struct surveying, 1);

    g_weak_ref_init(&surveying->session, session);
    surveying->stop = g_object_ref(stop);
    return surveying;
}

static void
free_surveying(struct surveying *surveying)
{
    g_object_unref(surveying->stop);
    g_weak_ref_clear(&surveying->session);
    g_free(surveying);
}

static void
end_surveying(GObject *source, GAsyncResult *result, gpointer data)
{
    struct surveying *surveying = data;
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
        if (survey != NULL) {
            take_survey(session, survey, &kinds, &pictures);
        } else {
            g_free(session->failure);
            session->failure = g_strdup(error->message);
            g_signal_emit(session, signals[FAILED], 0);
        }
    }
    g_free(kinds);
    hpm_kindpictures_clear(&pictures);
    g_clear_error(&error);
    free_surveying(surveying);
    g_clear_object(&session);
}

static void
start_survey(HpmvizSession *session, enum hpm_grouping grouping)
{
    session->survey_stop = g_cancellable_new();
    hpmviz_loader_survey(session->loaded, grouping, session->view.precision,
                         session->survey_stop, end_surveying,
                         new_surveying(session, session->survey_stop));
}

/* The survey that is looked at first, if it is brief; then the other. */
static void
survey_next(HpmvizSession *session)
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

/* ---- taking ---------------------------------------------------------- */

static void
take_words(HpmvizSession *session, const struct hpmviz_loaded *loaded)
{
    g_strfreev(session->words);
    session->words = g_steal_pointer(&session->new_words);
    hpmviz_watcher_watch(session->watcher, session->words,
                         (char **)loaded->files->pdata, loaded->files->len);
}

/* The section that was selected stays so, by what it is called. */
static void
take_loaded(HpmvizSession *session, struct hpmviz_loaded *loaded)
{
    struct hpmviz_loaded *before = session->loaded;
    const struct hpm_study_section *section =
        hpmviz_session_section(session, session->selected);

    stop_surveying(session);
    stop_restricting(session);
    session->loaded = loaded;
    judge(session); /* the view may have changed meanwhile */
    session->selected =
        section != NULL ? find_again(hpmviz_session_survey(session), section)
                        : HPM_NO_SUBJECT;
    hpmviz_loaded_free(before);
    learn_folder(session);
    if (!has_scope(loaded->sections, session->view.scope))
        session->view.scope = session->view.scope == HPM_SCOPE_THREAD
                                  ? HPM_SCOPE_PROCESS
                                  : HPM_SCOPE_THREAD;
    g_signal_emit(session, signals[LOADED], 0);
    if (session->loaded == loaded && session->survey_stop == NULL)
        survey_next(session);
}

static void
end_reading(GObject *source, GAsyncResult *result, gpointer data)
{
    struct reading *reading = data;
    HpmvizSession *session = reading->session;
    GError *error = NULL;
    struct hpmviz_loaded *loaded = hpmviz_loader_finish(result, &error);

    (void)source;
    if (reading->cancellable != session->cancellable) { /* another goes on */
        hpmviz_loaded_free(loaded);
    } else if (loaded != NULL) {
        stop_watching(session);
        take_words(session, loaded);
        take_loaded(session, loaded);
    } else {
        stop_watching(session);
        if (session->words == NULL) /* to be tried again */
            session->words = g_steal_pointer(&session->new_words);
        g_free(session->failure);
        session->failure = g_strdup(error->message);
        g_signal_emit(session, signals[FAILED], 0);
    }
    g_clear_error(&error);
    g_object_unref(reading->cancellable);
    g_object_unref(session);
    g_free(reading);
}

void
hpmviz_session_open(HpmvizSession *session, char *const *words)
{
    struct reading *reading = g_new0(struct reading, 1);
    char **copy = g_strdupv((char **)words);

    hpmviz_session_cancel(session);
    g_strfreev(session->new_words);
    session->new_words = copy;
    g_clear_pointer(&session->failure, g_free);
    session->cancellable = g_cancellable_new();
    session->progress = &reading->progress;
    session->watch = g_timeout_add(WATCH_MS, watch_progress, session);
    reading->session = g_object_ref(session);
    reading->cancellable = g_object_ref(session->cancellable);
    hpmviz_loader_start(copy, session->view.precision, &reading->progress,
                        session->cancellable, end_reading, reading);
}

const char *const *
hpmviz_session_words(const HpmvizSession *session)
{
    return (const char *const *)session->words;
}

void
hpmviz_session_reload(HpmvizSession *session)
{
    if (session->words != NULL)
        hpmviz_session_open(session, session->words);
}

void
hpmviz_session_cancel(HpmvizSession *session)
{
    if (session->cancellable != NULL)
        g_cancellable_cancel(session->cancellable);
    stop_watching(session);
}

gboolean
hpmviz_session_is_loading(const HpmvizSession *session, guint *ret_n_done,
                          guint *ret_n_files)
{
    if (session->progress == NULL)
        return FALSE;
    *ret_n_done = (guint)g_atomic_int_get(&session->progress->n_done);
    *ret_n_files = (guint)g_atomic_int_get(&session->progress->n_files);
    return TRUE;
}

/* ---- a group of threads ------------------------------------------------ */

static void
end_restricting(GObject *source, GAsyncResult *result, gpointer data)
{
    struct surveying *restricting = data;
    HpmvizSession *session = g_weak_ref_get(&restricting->session);
    GError *error = NULL;
    struct hpmviz_loaded *loaded = hpmviz_loader_finish(result, &error);

    (void)source;
    if (session == NULL || restricting->stop != session->restrict_stop) {
        hpmviz_loaded_free(loaded);
    } else if (loaded != NULL) {
        take_loaded(session, loaded);
    } else {
        g_clear_object(&session->restrict_stop);
        g_free(session->failure);
        session->failure = g_strdup(error->message);
        g_signal_emit(session, signals[FAILED], 0);
    }
    g_clear_error(&error);
    free_surveying(restricting);
    g_clear_object(&session);
}

void
hpmviz_session_restrict(HpmvizSession *session, size_t group)
{
    stop_restricting(session);
    if (session->loaded == NULL)
        return;
    session->restrict_stop = g_cancellable_new();
    hpmviz_loader_restrict(session->loaded, group, session->view.precision,
                           session->restrict_stop, end_restricting,
                           new_surveying(session, session->restrict_stop));
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
        hpmviz_session_section(session, session->selected);
    gboolean is_other_survey = view->is_tree != session->view.is_tree;

    session->view = *view;
    judge(session);
    if (is_other_survey && section != NULL)
        session->selected = find_again(hpmviz_session_survey(session), section);
    g_signal_emit(session, signals[VIEWED], 0);
}

/* ---- subjects -------------------------------------------------------- */

size_t
hpmviz_session_selected(const HpmvizSession *session)
{
    return session->selected;
}

void
hpmviz_session_select(HpmvizSession *session, size_t subject)
{
    if (subject == session->selected)
        return;
    session->selected = subject;
    g_signal_emit(session, signals[SELECTED], 0);
}

static double
value_of_task(const HpmvizSession *session, size_t subject, size_t quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    uint32_t task = hpm_study_find_task(survey->study, session->view.task);

    return task != HPM_NO_INDEX
               ? hpm_survey_task_value(survey, subject, quantity, task)
               : NAN;
}

static gboolean
is_metric(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

static double
worst_of(const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    const struct hpm_worst *worst = hpm_entry_worst(survey, entry);

    if (!is_metric(&survey->quantities[entry->quantity]))
        return entry->threads.max;
    return worst->verdict != HPM_VERDICT_NONE ? worst->value : NAN;
}

static double
sum_of(const struct hpm_survey *survey, const struct hpm_entry *entry)
{
    return survey->quantities[entry->quantity].is_ratio
               ? NAN
               : entry->threads.mean * (double)entry->threads.n;
}

double
hpmviz_session_value(const HpmvizSession *session, size_t subject,
                     size_t quantity)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    const struct hpm_entry *entry =
        hpm_subject_entry(&survey->subjects[subject], quantity);

    if (session->view.statistic == HPMVIZ_STATISTIC_TASK)
        return value_of_task(session, subject, quantity);
    if (entry == NULL || entry->threads.n == 0)
        return NAN;
    switch (session->view.statistic) {
    case HPMVIZ_STATISTIC_MEAN:
        return entry->threads.mean;
    case HPMVIZ_STATISTIC_SUM:
        return sum_of(survey, entry);
    case HPMVIZ_STATISTIC_MIN:
        return entry->threads.min;
    case HPMVIZ_STATISTIC_WORST:
        return worst_of(survey, entry);
    default:
        return entry->threads.max;
    }
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
