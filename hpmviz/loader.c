/* SPDX-License-Identifier: BSD-3-Clause
 * Reading performance files away from the main loop. */
#include "hpmviz/loader.h"

#include "file/inputs.h"

void
hpmviz_loaded_free(struct hpmviz_loaded *loaded)
{
    if (loaded == NULL)
        return;
    hpm_survey_free(loaded->sections);
    hpm_survey_free(loaded->paths);
    hpm_study_free(loaded->study);
    g_ptr_array_unref(loaded->problems);
    g_free(loaded);
}

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

static struct hpm_survey *
survey(struct hpmviz_loaded *loaded, enum hpm_grouping grouping,
       enum hpm_precision precision, struct hpm_error *err)
{
    struct hpm_survey_options options = {
        .grouping = grouping, .precision = precision, .is_rejudged = true};

    return hpm_survey_new(loaded->study, &options, err);
}

static gboolean
fill(struct hpmviz_loaded *loaded, struct hpm_inputs *inputs,
     const struct listening *listening, enum hpm_precision precision,
     struct hpm_error *err)
{
    struct hpm_inputs_listener listener = {(void *)listening, keep_problem,
                                           note_step};

    loaded->study = hpm_inputs_merge(inputs, &listener, false);
    loaded->n_files = (guint)inputs->n_taken;
    loaded->n_bad = (guint)inputs->n_bad;
    if (loaded->study == NULL)
        return hpm_error_set(err, "%s",
                             loaded->problems->len > 0
                                 ? (char *)loaded->problems->pdata[0]
                                 : "nothing was read");
    loaded->sections = survey(loaded, HPM_GROUP_SECTIONS, precision, err);
    if (loaded->sections != NULL)
        loaded->paths = survey(loaded, HPM_GROUP_PATHS, precision, err);
    return loaded->paths != NULL;
}

struct hpmviz_loaded *
hpmviz_loader_load(char *const *words, enum hpm_precision precision,
                   struct hpmviz_progress *progress, GCancellable *cancellable,
                   GError **error)
{
    struct hpmviz_loaded *loaded = g_new0(struct hpmviz_loaded, 1);
    struct listening listening = {NULL, progress, cancellable};
    struct hpm_inputs inputs = {0};
    struct hpm_error err = {""};
    gint64 begin = g_get_monotonic_time();
    gboolean is_good;

    loaded->problems = listening.problems =
        g_ptr_array_new_with_free_func(g_free);
    is_good =
        hpm_inputs_find(&inputs, words, g_strv_length((char **)words), &err) &&
        fill(loaded, &inputs, &listening, precision, &err);
    hpm_inputs_clear(&inputs);
    loaded->seconds = (double)(g_get_monotonic_time() - begin) / 1e6;
    if (is_good)
        return loaded;
    if (!g_cancellable_set_error_if_cancelled(cancellable, error))
        g_set_error_literal(error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                            err.text);
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
    struct hpmviz_loaded *loaded =
        hpmviz_loader_load(request->words, request->precision,
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
