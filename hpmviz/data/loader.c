/* SPDX-License-Identifier: BSD-3-Clause
 * Reading performance files away from the main loop. */
#include "hpmviz/data/loader.h"

#include "hpmviz/data/surveys.h"
#include "study/columns/lacks.h"
#include "study/columns/placecut.h"
#include "study/file/inputs.h"
#include "study/survey/surveying.h"

/* ---- listening ------------------------------------------------------- */

struct listening {
    GPtrArray *problems;
    struct hpmviz_progress *progress;
    GCancellable *cancellable;
};

static void
keep_problem(void *owner, const char *sentence)
{
    struct listening *listening = owner;

    g_ptr_array_add(listening->problems, g_strdup(sentence));
}

/* What is not in what was read. */
static void
keep_lacks(const struct listening *listening, const struct hpm_study *study,
           size_t n_said)
{
    struct hpm_string text = {0};
    char **lines;

    hpm_lacks_add_lines(study, n_said, &text);
    lines = g_strsplit(hpm_string_text(&text), "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (**line != '\0')
            g_ptr_array_add(listening->problems, g_strdup(*line));
    }
    g_strfreev(lines);
    hpm_string_free(&text);
}

static bool
note_step(void *owner, size_t n_done, size_t n)
{
    struct listening *listening = owner;

    if (listening->progress != NULL) {
        g_atomic_int_set(&listening->progress->n_files, (gint)n);
        g_atomic_int_set(&listening->progress->n_done, (gint)n_done);
    }
    return !g_cancellable_is_cancelled(listening->cancellable);
}

/* ---- loading --------------------------------------------------------- */

/* All that is wrong, for where nothing is right. */
static void
join_problems(const GPtrArray *problems, struct hpm_error *err, GString *text)
{
    if (problems->len == 0)
        g_string_append(text,
                        err->text[0] != '\0' ? err->text : "nothing was read");
    for (guint i = 0; i < problems->len; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? "\n" : "",
                               (char *)problems->pdata[i]);
}

static gboolean
fill(struct hpmviz_loaded *loaded, struct hpm_inputs *inputs,
     const struct listening *listening, struct hpm_error *err)
{
    struct hpm_inputs_listener listener = {(void *)listening, keep_problem,
                                           note_step};

    for (size_t i = 0; i < inputs->n_files; i++)
        g_ptr_array_add(loaded->files, g_strdup(inputs->files[i].path));
    loaded->study = hpm_inputs_merge(inputs, &listener, false);
    if (loaded->study != NULL)
        keep_lacks(listening, loaded->study, inputs->n_refusals);
    loaded->n_files = (guint)inputs->n_taken;
    loaded->n_bad = (guint)inputs->n_bad;
    err->text[0] = '\0';
    return loaded->study != NULL;
}

static bool
find_hotspots(struct hpmviz_loaded *loaded, struct hpm_error *err)
{
    if (loaded->study->n_hits == 0)
        return true;
    loaded->hotspots = hpm_hotspots_new(loaded->study, HPM_NAMING_PLACE, err);
    if (loaded->hotspots == NULL)
        return false;
    return loaded->study->n_chains == 0 ||
           hpm_callgraph_make(&loaded->callgraph, loaded->study) ||
           hpm_error_no_memory(err);
}

/* A window reads what is open again, which that cannot be. */
static bool
has_no_standard_input(char *const *words, struct hpm_error *err)
{
    return !g_strv_contains((const char *const *)words, "-") ||
           hpm_error_set(err, "standard input cannot be read again; expected "
                              "files or folders");
}

static bool
note_read(struct hpmviz_progress *progress)
{
    if (progress != NULL)
        g_atomic_int_set(&progress->are_read, 1);
    return true;
}

static struct hpmviz_loaded *
load(char *const *words, enum hpm_precision precision,
     struct hpmviz_progress *progress, GCancellable *cancellable,
     GError **error)
{
    struct hpmviz_loaded *loaded = g_new0(struct hpmviz_loaded, 1);
    struct listening listening = {NULL, progress, cancellable};
    struct hpm_inputs inputs = {0};
    struct hpm_error err = {""};
    gint64 begin = g_get_monotonic_time();
    gboolean is_good;

    loaded->n_users = 1;
    loaded->files = g_ptr_array_new_with_free_func(g_free);
    loaded->problems = listening.problems =
        g_ptr_array_new_with_free_func(g_free);
    is_good =
        has_no_standard_input(words, &err) &&
        hpm_inputs_find(&inputs, words, g_strv_length((char **)words), &err) &&
        fill(loaded, &inputs, &listening, &err) && note_read(progress) &&
        hpmviz_surveys_make(loaded, precision, cancellable, &err) &&
        find_hotspots(loaded, &err);
    if (is_good && !loaded->sections->options.is_brief)
        loaded->kinds = hpmviz_surveys_find_kinds(
            loaded->sections, &loaded->pictures, cancellable);
    hpm_inputs_clear(&inputs);
    loaded->seconds = (double)(g_get_monotonic_time() - begin) / 1e6;
    if (is_good && !g_cancellable_is_cancelled(cancellable))
        return loaded;
    if (!g_cancellable_set_error_if_cancelled(cancellable, error)) {
        GString *text = g_string_new(NULL);

        join_problems(loaded->problems, &err, text);
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                            text->str);
        g_string_free(text, TRUE);
    }
    hpmviz_loaded_free(loaded);
    return NULL;
}

/* ---- in a thread ----------------------------------------------------- */

struct request {
    char **words;
    enum hpm_precision precision;
    struct hpmviz_progress *progress;
};

static void
free_request(gpointer data)
{
    struct request *request = data;

    g_strfreev(request->words);
    g_free(request);
}

static void
free_loaded(gpointer data)
{
    hpmviz_loaded_free(data);
}

static void
run(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const struct request *request = data;
    GError *error = NULL;
    struct hpmviz_loaded *loaded = load(request->words, request->precision,
                                        request->progress, cancellable, &error);

    (void)source;
    if (loaded != NULL)
        g_task_return_pointer(task, loaded, free_loaded);
    else
        g_task_return_error(task, error);
}

void
hpmviz_loader_start(char *const *words, enum hpm_precision precision,
                    struct hpmviz_progress *progress, GCancellable *cancellable,
                    GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new(NULL, cancellable, callback, data);
    struct request *request = g_new0(struct request, 1);

    request->words = g_strdupv((char **)words);
    request->precision = precision;
    request->progress = progress;
    g_task_set_task_data(task, request, free_request);
    g_task_run_in_thread(task, run);
    g_object_unref(task);
}

struct hpmviz_loaded *
hpmviz_loader_finish(GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer(G_TASK(result), error);
}

/* ---- some of the threads ----------------------------------------------- */

struct restriction {
    struct hpmviz_loaded *whole;
    size_t group;
    bool *are_kept; /* places that the user chose, or NULL */
    char *name;     /* theirs */
    enum hpm_precision precision;
};

static void
free_restriction(gpointer data)
{
    struct restriction *restriction = data;

    hpmviz_loaded_free(restriction->whole);
    g_free(restriction->are_kept);
    g_free(restriction->name);
    g_free(restriction);
}

static struct hpm_study *
cut_group(const struct hpmviz_loaded *whole, size_t group,
          struct hpm_error *err)
{
    const struct hpm_kindmembers *members = &whole->pictures.members;
    bool *are_kept = g_new0(bool, whole->study->n_places + 1);
    struct hpm_study *study;

    for (size_t i = 0; i < members->n; i++)
        are_kept[members->places[i]] |= members->labels[i] == group;
    study = hpm_placecut_new(whole->study, are_kept, 0, err);
    g_free(are_kept);
    return study;
}

static struct hpm_study *
cut_places(const struct restriction *restriction, struct hpm_error *err)
{
    return restriction->are_kept != NULL
               ? hpm_placecut_new(restriction->whole->study,
                                  restriction->are_kept, 0, err)
               : cut_group(restriction->whole, restriction->group, err);
}

static struct hpmviz_loaded *
take_places(const struct restriction *restriction, GCancellable *cancellable,
            struct hpm_error *err)
{
    struct hpmviz_loaded *whole = restriction->whole;
    struct hpmviz_loaded *loaded = g_new0(struct hpmviz_loaded, 1);

    loaded->n_users = 1;
    loaded->whole = hpmviz_loaded_ref(whole);
    loaded->group = restriction->group;
    loaded->chosen = g_strdup(restriction->name);
    loaded->files = g_ptr_array_ref(whole->files);
    loaded->problems = g_ptr_array_ref(whole->problems);
    loaded->n_files = whole->n_files;
    loaded->n_bad = whole->n_bad;
    loaded->seconds = whole->seconds;
    loaded->study = cut_places(restriction, err);
    if (loaded->study != NULL &&
        hpmviz_surveys_make(loaded, restriction->precision, cancellable, err) &&
        find_hotspots(loaded, err))
        return loaded;
    hpmviz_loaded_free(loaded);
    return NULL;
}

static void
run_restriction(GTask *task, gpointer source, gpointer data,
                GCancellable *cancellable)
{
    const struct restriction *restriction = data;
    struct hpm_error err = {""};
    struct hpmviz_loaded *loaded =
        restriction->group == HPMVIZ_NO_GROUP && restriction->are_kept == NULL
            ? hpmviz_loaded_ref(restriction->whole)
            : take_places(restriction, cancellable, &err);

    (void)source;
    if (loaded != NULL)
        g_task_return_pointer(task, loaded, free_loaded);
    else
        g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s",
                                err.text);
}

static struct restriction *
new_restriction(struct hpmviz_loaded *loaded, size_t group,
                enum hpm_precision precision)
{
    struct restriction *restriction = g_new0(struct restriction, 1);

    restriction->whole =
        hpmviz_loaded_ref(loaded->whole != NULL ? loaded->whole : loaded);
    restriction->group = group;
    restriction->precision = precision;
    return restriction;
}

static void
start_restriction(struct restriction *restriction, GCancellable *cancellable,
                  GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new(NULL, cancellable, callback, data);

    g_task_set_task_data(task, restriction, free_restriction);
    g_task_run_in_thread(task, run_restriction);
    g_object_unref(task);
}

void
hpmviz_loader_restrict(struct hpmviz_loaded *loaded, size_t group,
                       enum hpm_precision precision, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer data)
{
    start_restriction(new_restriction(loaded, group, precision), cancellable,
                      callback, data);
}

void
hpmviz_loader_choose(struct hpmviz_loaded *loaded, const bool *are_kept,
                     const char *name, enum hpm_precision precision,
                     GCancellable *cancellable, GAsyncReadyCallback callback,
                     gpointer data)
{
    struct restriction *restriction =
        new_restriction(loaded, HPMVIZ_NO_GROUP, precision);
    size_t n = restriction->whole->study->n_places;

    restriction->are_kept = g_new0(bool, n + 1);
    for (size_t i = 0; i < n; i++)
        restriction->are_kept[i] = are_kept[i];
    restriction->name = g_strdup(name);
    start_restriction(restriction, cancellable, callback, data);
}

/* ---- surveys with metrics, in a thread ------------------------------- */

struct resurvey {
    struct hpmviz_loaded *loaded;
    enum hpm_grouping grouping;
    enum hpm_precision precision;
    char *kinds;
    struct hpm_kindpictures pictures;
};

static void
free_resurvey(gpointer data)
{
    struct resurvey *resurvey = data;

    hpmviz_loaded_free(resurvey->loaded);
    g_free(resurvey->kinds);
    hpm_kindpictures_clear(&resurvey->pictures);
    g_free(resurvey);
}

static void
free_survey(gpointer data)
{
    hpm_survey_free(data);
}

static void
run_survey(GTask *task, gpointer source, gpointer data,
           GCancellable *cancellable)
{
    struct resurvey *resurvey = data;
    struct hpm_error err = {""};
    struct hpm_survey *survey =
        hpmviz_surveys_make_whole(resurvey->loaded->study, resurvey->grouping,
                                  resurvey->precision, cancellable, &err);

    (void)source;
    if (survey != NULL && resurvey->grouping == HPM_GROUP_SECTIONS &&
        resurvey->loaded->whole == NULL)
        resurvey->kinds =
            hpmviz_surveys_find_kinds(survey, &resurvey->pictures, cancellable);
    if (survey != NULL)
        g_task_return_pointer(task, survey, free_survey);
    else
        g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s",
                                err.text);
}

void
hpmviz_loader_survey(struct hpmviz_loaded *loaded, enum hpm_grouping grouping,
                     enum hpm_precision precision, GCancellable *cancellable,
                     GAsyncReadyCallback callback, gpointer data)
{
    GTask *task = g_task_new(NULL, cancellable, callback, data);
    struct resurvey *resurvey = g_new0(struct resurvey, 1);

    resurvey->loaded = hpmviz_loaded_ref(loaded);
    resurvey->grouping = grouping;
    resurvey->precision = precision;
    g_task_set_task_data(task, resurvey, free_resurvey);
    g_task_run_in_thread(task, run_survey);
    g_object_unref(task);
}

struct hpm_survey *
hpmviz_loader_survey_finish(GAsyncResult *result, char **ret_kinds,
                            struct hpm_kindpictures *ret_pictures,
                            GError **error)
{
    struct resurvey *resurvey = g_task_get_task_data(G_TASK(result));

    *ret_kinds = g_steal_pointer(&resurvey->kinds);
    *ret_pictures = resurvey->pictures;
    resurvey->pictures = (struct hpm_kindpictures){0};
    return g_task_propagate_pointer(G_TASK(result), error);
}
