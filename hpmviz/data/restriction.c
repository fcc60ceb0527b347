/* SPDX-License-Identifier: BSD-3-Clause
 * That only a group of threads is shown, in words. */
#include "hpmviz/data/restriction.h"

#include <glib/gi18n.h>

#include "study/words/sentence.h"

char *
hpmviz_restriction_name(const struct hpm_kindgroup *group)
{
    struct hpm_string shown = {0};
    char *name;

    hpm_sentence_add(&shown, hpm_string_text(&group->name));
    name = g_strdup(hpm_string_text(&shown));
    hpm_string_free(&shown);
    return name;
}

/* Are all places of each task there of which any is? */
static gboolean
has_whole_tasks(const struct hpmviz_loaded *loaded)
{
    const struct hpm_study *study = loaded->whole->study;
    size_t n = 0;

    for (size_t i = 0; i < study->n_places; i++) {
        int number = study->tasks[study->places[i].task].number;

        n += hpm_study_find_task(loaded->study, number) != HPM_NO_INDEX;
    }
    return n == loaded->study->n_places;
}

/* Of threads, or of tasks where each of them is whole. */
static char *
choice_sentence(const struct hpmviz_loaded *loaded)
{
    size_t n = hpm_study_count_threads(loaded->study);
    size_t n_all = hpm_study_count_threads(loaded->whole->study);

    if (n_all == 0 || has_whole_tasks(loaded))
        return g_strdup_printf(_("Only %zu of %zu tasks are shown: %s"),
                               loaded->study->n_tasks,
                               loaded->whole->study->n_tasks, loaded->chosen);
    return g_strdup_printf(_("Only %zu of %zu threads are shown: %s"), n, n_all,
                           loaded->chosen);
}

char *
hpmviz_restriction_sentence(const struct hpmviz_loaded *loaded)
{
    const struct hpm_kindmembers *members;
    const struct hpm_kindgroup *group;
    char *name, *sentence;

    if (loaded == NULL || loaded->whole == NULL)
        return NULL;
    if (loaded->chosen != NULL)
        return choice_sentence(loaded);
    members = &loaded->whole->pictures.members;
    group = &members->groups[loaded->group];
    name = hpmviz_restriction_name(group);
    sentence = g_strdup_printf(
        members->are_threads
            ? _("Only %zu of %zu threads are shown, group %zu: %s")
            : _("Only %zu of %zu tasks are shown, group %zu: %s"),
        group->n, members->n, loaded->group + 1, name);
    g_free(name);
    return sentence;
}
