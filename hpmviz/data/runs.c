/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that are open. */
#include "hpmviz/data/runs.h"

struct _HpmvizRuns {
    GObject parent_instance;
    GListStore *list;
    guint last_id, reference;
};

G_DEFINE_TYPE(HpmvizRuns, hpmviz_runs, G_TYPE_OBJECT)

static guint changed;

static void
dispose(GObject *object)
{
    g_clear_object(&HPMVIZ_RUNS(object)->list);
    G_OBJECT_CLASS(hpmviz_runs_parent_class)->dispose(object);
}

static void
hpmviz_runs_class_init(HpmvizRunsClass *class)
{
    G_OBJECT_CLASS(class)->dispose = dispose;
    changed = g_signal_new("changed", HPMVIZ_TYPE_RUNS, G_SIGNAL_RUN_LAST, 0,
                           NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
hpmviz_runs_init(HpmvizRuns *runs)
{
    runs->list = g_list_store_new(HPMVIZ_TYPE_RUN);
}

HpmvizRuns *
hpmviz_runs_new(void)
{
    return g_object_new(HPMVIZ_TYPE_RUNS, NULL);
}

GListModel *
hpmviz_runs_list(const HpmvizRuns *runs)
{
    return G_LIST_MODEL(runs->list);
}

guint
hpmviz_runs_count(const HpmvizRuns *runs)
{
    return g_list_model_get_n_items(hpmviz_runs_list(runs));
}

HpmvizRun *
hpmviz_runs_at(const HpmvizRuns *runs, guint index)
{
    g_autoptr(HpmvizRun) run =
        g_list_model_get_item(hpmviz_runs_list(runs), index);

    return run; /* the list keeps it */
}

/* HPMVIZ_MOST_RUNS where there is none. */
static guint
index_of(const HpmvizRuns *runs, guint id)
{
    for (guint i = 0; i < hpmviz_runs_count(runs); i++) {
        if (hpmviz_run_id(hpmviz_runs_at(runs, i)) == id)
            return i;
    }
    return HPMVIZ_MOST_RUNS;
}

HpmvizRun *
hpmviz_runs_find(const HpmvizRuns *runs, guint id)
{
    return hpmviz_runs_at(runs, index_of(runs, id));
}

static gboolean
is_letter_free(const HpmvizRuns *runs, char letter)
{
    for (guint i = 0; i < hpmviz_runs_count(runs); i++) {
        if (hpmviz_run_letter(hpmviz_runs_at(runs, i))[0] == letter)
            return FALSE;
    }
    return TRUE;
}

static void
tell(HpmvizRuns *runs)
{
    g_signal_emit(runs, changed, 0);
}

static guint
append(HpmvizRuns *runs, char *const *words, struct hpmviz_loaded *loaded)
{
    g_autoptr(HpmvizRun) run = NULL;
    char letter = 'A';

    while (!is_letter_free(runs, letter))
        letter++;
    run = hpmviz_run_new(++runs->last_id, letter, words, loaded);
    g_signal_connect_object(run, "notify::name", G_CALLBACK(tell), runs,
                            G_CONNECT_SWAPPED);
    if (hpmviz_runs_count(runs) == 0)
        runs->reference = runs->last_id;
    g_list_store_append(runs->list, run);
    return runs->last_id;
}

guint
hpmviz_runs_add(HpmvizRuns *runs, char *const *words,
                struct hpmviz_loaded *loaded)
{
    guint id;

    if (hpmviz_runs_count(runs) == HPMVIZ_MOST_RUNS)
        return HPMVIZ_NO_RUN;
    id = append(runs, words, loaded);
    tell(runs);
    return id;
}

guint
hpmviz_runs_start(HpmvizRuns *runs, char *const *words,
                  struct hpmviz_loaded *loaded)
{
    guint id;

    g_list_store_remove_all(runs->list);
    id = append(runs, words, loaded);
    tell(runs);
    return id;
}

gboolean
hpmviz_runs_remove(HpmvizRuns *runs, guint id)
{
    guint index = index_of(runs, id);

    if (index == HPMVIZ_MOST_RUNS || hpmviz_runs_count(runs) == 1)
        return FALSE;
    g_list_store_remove(runs->list, index);
    if (runs->reference == id)
        runs->reference = hpmviz_run_id(hpmviz_runs_at(runs, 0));
    tell(runs);
    return TRUE;
}

guint
hpmviz_runs_reference(const HpmvizRuns *runs)
{
    return hpmviz_runs_count(runs) > 0 ? runs->reference : HPMVIZ_NO_RUN;
}

void
hpmviz_runs_set_reference(HpmvizRuns *runs, guint id)
{
    if (id == runs->reference || hpmviz_runs_find(runs, id) == NULL)
        return;
    runs->reference = id;
    tell(runs);
}

void
hpmviz_runs_renew(HpmvizRuns *runs, guint id, char *const *words,
                  struct hpmviz_loaded *loaded)
{
    HpmvizRun *run = hpmviz_runs_find(runs, id);

    if (run == NULL)
        return;
    hpmviz_run_renew(run, words, loaded);
    tell(runs);
}

void
hpmviz_runs_set_stale(HpmvizRuns *runs, guint id)
{
    HpmvizRun *run = hpmviz_runs_find(runs, id);

    if (run == NULL)
        return;
    hpmviz_run_set_stale(run);
    tell(runs);
}
