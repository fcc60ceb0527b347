/* SPDX-License-Identifier: BSD-3-Clause
 * Where the program ran, as a tree. */
#include "hpmviz/data/systemtree.h"

#include <glib/gi18n.h>

struct making {
    const struct hpm_study *study;
    GArray *kinds[HPMVIZ_SYSTEM_N_KINDS]; /* nodes; parents count in the kind
                                           * above */
    guint *of_place, *of_task;
};

static void
append(const struct making *making, enum hpmviz_systemkind kind, guint parent,
       const char *name, int task, int tid)
{
    const struct hpmviz_systemnode node = {kind, parent, name, task, tid};

    g_array_append_val(making->kinds[kind], node);
}

/* The node of this name below that parent, which is made if there is none. */
static guint
find_or_add(const struct making *making, GHashTable *known,
            enum hpmviz_systemkind kind, guint parent, const char *name)
{
    g_autofree char *key =
        g_strdup_printf("%u %d %p", parent, (int)kind, (const void *)name);
    guint n = making->kinds[kind]->len;
    gpointer there;

    if (g_hash_table_lookup_extended(known, key, NULL, &there))
        return GPOINTER_TO_UINT(there);
    append(making, kind, parent, name, -1, -1);
    g_hash_table_insert(known, g_steal_pointer(&key), GUINT_TO_POINTER(n));
    return n;
}

static void
mark_tasks(struct making *making, int scope)
{
    const struct hpm_study *study = making->study;

    for (size_t i = 0; i < study->n_rows; i++) {
        const struct hpm_row *row = hpm_study_row(study, i);

        if (study->sections[row->section].scope != scope)
            continue;
        making->of_place[row->place] = 0;
        making->of_task[study->places[row->place].task] = 0;
    }
}

/* Texts of a study are equal where their addresses are. */
static void
add_tasks(struct making *making)
{
    const struct hpm_study *study = making->study;
    g_autoptr(GHashTable) known =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task_machine *machine = &study->tasks[i].machine;
        guint parent;

        if (making->of_task[i] == G_MAXUINT)
            continue;
        parent =
            find_or_add(making, known, HPMVIZ_SYSTEM_MACHINE, G_MAXUINT,
                        machine->cpu != NULL ? machine->cpu : machine->pmu);
        parent = find_or_add(making, known, HPMVIZ_SYSTEM_NODE, parent,
                             machine->host);
        making->of_task[i] = making->kinds[HPMVIZ_SYSTEM_TASK]->len;
        append(making, HPMVIZ_SYSTEM_TASK, parent, NULL, study->tasks[i].number,
               -1);
    }
}

static void
add_threads(struct making *making)
{
    const struct hpm_study *study = making->study;

    for (size_t i = 0; i < study->n_places; i++) {
        const struct hpm_study_place *place = &study->places[i];

        if (making->of_place[i] == G_MAXUINT)
            continue;
        making->of_place[i] = making->kinds[HPMVIZ_SYSTEM_THREAD]->len;
        append(making, HPMVIZ_SYSTEM_THREAD, making->of_task[place->task], NULL,
               study->tasks[place->task].number, place->tid);
    }
}

static void
shift(guint *indices, size_t n, guint by)
{
    for (size_t i = 0; i < n; i++) {
        if (indices[i] != G_MAXUINT)
            indices[i] += by;
    }
}

/* Put one kind behind the other; parents are then nodes of the whole tree. */
static struct hpmviz_systemtree *
join(struct making *making)
{
    struct hpmviz_systemtree *tree = g_new0(struct hpmviz_systemtree, 1);
    GArray *all = making->kinds[0];
    guint before = 0; /* where the kind above begins */

    for (int kind = 1; kind < HPMVIZ_SYSTEM_N_KINDS; kind++) {
        GArray *nodes = making->kinds[kind];
        guint begin = all->len;

        for (guint i = 0; i < nodes->len; i++)
            g_array_index(nodes, struct hpmviz_systemnode, i).parent += before;
        if (kind == HPMVIZ_SYSTEM_TASK)
            shift(making->of_task, making->study->n_tasks, begin);
        if (kind == HPMVIZ_SYSTEM_THREAD)
            shift(making->of_place, making->study->n_places, begin);
        g_array_append_vals(all, nodes->data, nodes->len);
        g_array_unref(nodes);
        before = begin;
    }
    tree->n = all->len;
    tree->nodes =
        (struct hpmviz_systemnode *)(gpointer)g_array_free(all, FALSE);
    tree->of_place = making->of_place;
    tree->of_task = making->of_task;
    return tree;
}

static guint *
new_indices(size_t n)
{
    guint *indices = g_new(guint, n + 1);

    for (size_t i = 0; i < n; i++)
        indices[i] = G_MAXUINT;
    return indices;
}

struct hpmviz_systemtree *
hpmviz_systemtree_new(const struct hpm_study *study, int scope)
{
    struct making making = {.study = study,
                            .of_place = new_indices(study->n_places),
                            .of_task = new_indices(study->n_tasks)};

    for (int i = 0; i < HPMVIZ_SYSTEM_N_KINDS; i++)
        making.kinds[i] =
            g_array_new(FALSE, FALSE, sizeof(struct hpmviz_systemnode));
    mark_tasks(&making, scope);
    add_tasks(&making);
    add_threads(&making);
    return join(&making);
}

void
hpmviz_systemtree_free(struct hpmviz_systemtree *tree)
{
    if (tree == NULL)
        return;
    g_free(tree->nodes);
    g_free(tree->of_place);
    g_free(tree->of_task);
    g_free(tree);
}

guint
hpmviz_systemtree_find(const struct hpmviz_systemtree *tree, int task, int tid)
{
    enum hpmviz_systemkind kind =
        tid != -1 ? HPMVIZ_SYSTEM_THREAD : HPMVIZ_SYSTEM_TASK;

    for (guint i = 0; i < tree->n && task >= 0; i++) {
        if (tree->nodes[i].kind == kind && tree->nodes[i].task == task &&
            tree->nodes[i].tid == tid)
            return i;
    }
    return G_MAXUINT;
}

void
hpmviz_systemtree_add_label(const struct hpmviz_systemtree *tree, guint node,
                            struct hpm_string *text)
{
    const struct hpmviz_systemnode *here = &tree->nodes[node];

    if (here->name != NULL)
        hpm_string_add_safe(text, here->name);
    else if (here->kind == HPMVIZ_SYSTEM_MACHINE)
        hpm_string_add(text, _("(processor not recorded)"));
    else if (here->kind == HPMVIZ_SYSTEM_NODE)
        hpm_string_add(text, _("(node not recorded)"));
    else if (here->kind == HPMVIZ_SYSTEM_TASK)
        hpm_string_add_format(text, _("task %d"), here->task);
    else if (here->tid == -1)
        hpm_string_add(text, _("whole process"));
    else if (here->tid < 0)
        hpm_string_add(text, _("sum of several threads"));
    else
        hpm_string_add_format(text, _("thread %d"), here->tid);
}
