/* SPDX-License-Identifier: BSD-3-Clause
 * Two runs as one study. */
#include "hpmviz/data/comparing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/data/surveys.h"
#include "study/columns/diff.h"
#include "study/columns/placecut.h"
#include "study/metric/unify.h"

struct comparing {
    struct hpmviz_loaded *sides[2];
    enum hpm_precision precision;
};

static void
free_comparing(gpointer data)
{
    struct comparing *comparing = data;

    hpmviz_loaded_free(comparing->sides[0]);
    hpmviz_loaded_free(comparing->sides[1]);
    g_free(comparing);
}

static void
free_loaded(gpointer data)
{
    hpmviz_loaded_free(data);
}

/* ---- one name for an event ------------------------------------------- */

static gboolean
has_column(const struct hpm_study *study, const char *name)
{
    for (size_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, name) == 0)
            return TRUE;
    }
    return FALSE;
}

static gboolean
has_columns_of(const struct hpm_study *study, const struct hpm_study *other)
{
    for (size_t i = 0; i < other->n_columns; i++) {
        if (!has_column(study, other->columns[i].name))
            return FALSE;
    }
    return TRUE;
}

/* Nobody changes a study that others read: where counters have names that only
 * one run knows, copies get the names that both have. */
static struct hpm_study *
subtract_copies(const struct hpm_study *a, const struct hpm_study *b,
                struct hpm_error *err)
{
    struct hpm_study *copies[2] = {NULL, NULL}, *result = NULL;

    copies[0] = hpm_placecut_new(a, NULL, 0, err);
    if (copies[0] != NULL)
        copies[1] = hpm_placecut_new(b, NULL, 0, err);
    if (copies[1] != NULL && hpm_unify(copies, 2, err))
        result = hpm_diff(copies[0], copies[1], 0, err);
    hpm_study_free(copies[0]);
    hpm_study_free(copies[1]);
    return result;
}

static void
subtract(struct hpmviz_loaded *loaded, const struct comparing *comparing,
         struct hpm_error *err)
{
    const struct hpm_study *a = comparing->sides[0]->study;
    const struct hpm_study *b = comparing->sides[1]->study;

    if (!has_columns_of(a, b) || !has_columns_of(b, a)) {
        loaded->study = subtract_copies(a, b, err);
        return;
    }
    loaded->study = hpm_diff_of_kept(a, b, 0, err);
    for (int i = 0; i < 2; i++)
        loaded->sides[i] = hpmviz_loaded_ref(comparing->sides[i]);
}

/* ---- both as one ----------------------------------------------------- */

static void
add_strings(GPtrArray *array, const GPtrArray *from)
{
    for (guint i = 0; i < from->len; i++)
        g_ptr_array_add(array, g_strdup(from->pdata[i]));
}

static struct hpmviz_loaded *
join(const struct comparing *comparing)
{
    struct hpmviz_loaded *loaded = g_new0(struct hpmviz_loaded, 1);

    loaded->n_users = 1;
    loaded->files = g_ptr_array_new_with_free_func(g_free);
    loaded->problems = g_ptr_array_new_with_free_func(g_free);
    for (int i = 0; i < 2; i++) {
        const struct hpmviz_loaded *side = comparing->sides[i];

        add_strings(loaded->files, side->files);
        add_strings(loaded->problems, side->problems);
        loaded->n_files += side->n_files;
        loaded->n_bad += side->n_bad;
        loaded->seconds += side->seconds;
    }
    return loaded;
}

static void
run(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const struct comparing *comparing = data;
    struct hpmviz_loaded *loaded = join(comparing);
    struct hpm_error err = {""};
    gboolean is_good;

    (void)source;
    subtract(loaded, comparing, &err);
    is_good =
        loaded->study != NULL &&
        hpmviz_surveys_make(loaded, comparing->precision, cancellable, &err);
    if (is_good && !loaded->sections->options.is_brief)
        loaded->kinds = hpmviz_surveys_find_kinds(
            loaded->sections, &loaded->pictures, cancellable);
    if (is_good && !g_task_return_error_if_cancelled(task)) {
        g_task_return_pointer(task, loaded, free_loaded);
        return;
    }
    hpmviz_loaded_free(loaded);
    if (!is_good)
        g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED,
                                _("the runs cannot be compared: %s"), err.text);
}

void
hpmviz_comparing_start(struct hpmviz_loaded *a, struct hpmviz_loaded *b,
                       enum hpm_precision precision, GCancellable *cancellable,
                       GAsyncReadyCallback callback, gpointer data)
{
    g_autoptr(GTask) task = g_task_new(NULL, cancellable, callback, data);
    struct comparing *comparing = g_new0(struct comparing, 1);

    comparing->sides[0] = hpmviz_loaded_ref(a);
    comparing->sides[1] = hpmviz_loaded_ref(b);
    comparing->precision = precision;
    g_task_set_task_data(task, comparing, free_comparing);
    g_task_run_in_thread(task, run);
}
