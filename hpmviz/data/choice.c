/* SPDX-License-Identifier: BSD-3-Clause
 * Places that a user chooses to see alone. */
#include "hpmviz/data/choice.h"

#include <glib/gi18n.h>
#include <string.h>

#include "hpmviz/data/ranges.h"

static struct hpmviz_choice *
new_choice(const struct hpm_study *study, char *name)
{
    struct hpmviz_choice *choice = g_new0(struct hpmviz_choice, 1);

    choice->are_kept = g_new0(bool, study->n_places + 1);
    choice->name = name;
    return choice;
}

void
hpmviz_choice_free(struct hpmviz_choice *choice)
{
    if (choice == NULL)
        return;
    g_free(choice->are_kept);
    g_free(choice->name);
    g_free(choice);
}

/* ---- by numbers ------------------------------------------------------ */

static gboolean
is_blank(const char *text)
{
    return text[strspn(text, " \t")] == '\0';
}

static char *
name_ranges(const char *tasks, const char *threads)
{
    if (is_blank(threads))
        return g_strdup_printf(_("tasks %s"), tasks);
    return is_blank(tasks)
               ? g_strdup_printf(_("threads %s"), threads)
               : g_strdup_printf(_("tasks %s, threads %s"), tasks, threads);
}

/* How many are kept. */
static size_t
keep(const struct hpm_study *study, const GArray *tasks, const GArray *threads,
     bool *are_kept)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_places; i++) {
        const struct hpm_study_place *place = &study->places[i];

        are_kept[i] =
            hpmviz_ranges_has(tasks, study->tasks[place->task].number) &&
            hpmviz_ranges_has(threads, place->tid);
        n += are_kept[i] ? 1 : 0;
    }
    return n;
}

struct hpmviz_choice *
hpmviz_choice_of_ranges(const struct hpmviz_loaded *loaded, const char *tasks,
                        const char *threads, char **ret_problem)
{
    const struct hpm_study *study = hpmviz_loaded_whole(loaded)->study;
    g_autoptr(GArray) of_tasks = hpmviz_ranges_read(tasks, ret_problem);
    g_autoptr(GArray) of_threads =
        of_tasks != NULL ? hpmviz_ranges_read(threads, ret_problem) : NULL;
    struct hpmviz_choice *choice;

    if (of_threads == NULL)
        return NULL;
    choice = new_choice(study, name_ranges(tasks, threads));
    if (keep(study, of_tasks, of_threads, choice->are_kept) > 0)
        return choice;
    *ret_problem =
        g_strdup_printf(_("The open files have no %s."), choice->name);
    hpmviz_choice_free(choice);
    return NULL;
}

/* ---- by rows --------------------------------------------------------- */

struct hpmviz_choice *
hpmviz_choice_of_rows(const struct hpmviz_loaded *loaded,
                      const struct hpmviz_sheet *sheet,
                      const gboolean *are_taken, const char *name)
{
    const struct hpm_study *study = hpmviz_loaded_whole(loaded)->study;
    struct hpmviz_choice *choice = new_choice(study, g_strdup(name));
    g_autofree gboolean *are_whole = g_new0(gboolean, study->n_tasks + 1);

    for (guint i = 0; i < sheet->n_rows; i++) {
        uint32_t task = hpm_study_find_task(study, sheet->places[i].task);
        uint32_t place =
            task != HPM_NO_INDEX
                ? hpm_study_find_place(study, task, sheet->places[i].tid)
                : HPM_NO_INDEX;

        if (!are_taken[i] || place == HPM_NO_INDEX)
            continue;
        choice->are_kept[place] = true;
        are_whole[task] |= sheet->places[i].tid == -1;
    }
    for (size_t i = 0; i < study->n_places; i++)
        choice->are_kept[i] |= are_whole[study->places[i].task];
    return choice;
}
