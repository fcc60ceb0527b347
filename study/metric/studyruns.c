/* SPDX-License-Identifier: BSD-3-Clause
 * The runs that counted the columns of a study. */
#include "study/metric/studyruns.h"

#include <string.h>

#include "host/memory.h"
#include "study/columns/runlist.h"

/* A list of runs that counted something.  Each different list is kept once, so
 * two lists are equal if their addresses are. */
struct set {
    struct hpm_runs runs; /* the first member: known to formulas */
    struct hpm_studyruns *of;
    struct hpm_runlist list;
};

/* The intersection of two sets, found before: formulas ask the same for each
 * row. */
struct answer {
    const struct hpm_runs *a, *b, *both;
};

enum { N_ANSWERS = 256 };

struct hpm_studyruns {
    struct hpm_names names; /* lists as text; a name's number is its index in
                             * `sets` */
    struct set **sets;
    size_t n_sets, sets_capacity;
    const struct set *none; /* no run: the empty intersection */
    struct set all;
    /* By task its row, by column the set; NULL: `all`.  No rows where the study
     * has no lists.  Consecutive tasks with the same lists share a row. */
    const struct set ***rows;
    size_t n_tasks;
    struct answer answers[N_ANSWERS];
};

/* ---- sets -------------------------------------------------------------- */

static const struct hpm_runs *intersect(const struct hpm_runs *a,
                                        const struct hpm_runs *b);

/* Make a new set; it takes the list, or frees it. */
static const struct set *
new_set(struct hpm_studyruns *studyruns, struct hpm_runlist *list)
{
    struct set *set = hpm_memory_new(1, sizeof *set);

    if (set == NULL ||
        !hpm_memory_grow(&studyruns->sets, &studyruns->sets_capacity,
                         studyruns->n_sets + 1, sizeof *studyruns->sets)) {
        hpm_runlist_free(list);
        hpm_memory_free(set);
        return NULL;
    }
    *set = (struct set){.runs = {.is_none = list->n == 0, .both = intersect},
                        .of = studyruns,
                        .list = *list};
    *list = (struct hpm_runlist){0};
    studyruns->sets[studyruns->n_sets++] = set;
    return set;
}

/* The set of these runs; takes the list, or frees it.  NULL when there is no
 * memory. */
static const struct set *
find_set(struct hpm_studyruns *studyruns, struct hpm_runlist *list)
{
    struct hpm_string text = {0};
    uint32_t number = HPM_NO_NAME;

    hpm_runlist_write(list, &text);
    if (!text.failed)
        number = hpm_names_add(&studyruns->names, hpm_string_text(&text),
                               text.length);
    hpm_string_free(&text);
    if (number != HPM_NO_NAME && number >= studyruns->n_sets)
        return new_set(studyruns, list);
    hpm_runlist_free(list);
    return number != HPM_NO_NAME ? studyruns->sets[number] : NULL;
}

/* The first member of a set is its runs. */
static const struct set *
set_of(const struct hpm_runs *runs)
{
    return (const struct set *)(const void *)runs;
}

static size_t
hash(const struct set *a, const struct set *b)
{
    return ((uintptr_t)a / sizeof *a * 31 + (uintptr_t)b / sizeof *b) %
           N_ANSWERS;
}

/* Without memory the answer is the empty set: then a value made of both is
 * marked, which is the smaller error. */
static const struct hpm_runs *
intersect(const struct hpm_runs *a, const struct hpm_runs *b)
{
    const struct set *left = set_of(a), *right = set_of(b), *both = NULL;
    struct hpm_studyruns *studyruns = left->of;
    struct answer *answer = &studyruns->answers[hash(left, right)];
    struct hpm_runlist list = {0};

    if (left == &studyruns->all || right == &studyruns->all)
        return left == &studyruns->all ? b : a;
    if (answer->a == a && answer->b == b)
        return answer->both;
    if (hpm_runlist_add_both(&list, &left->list, &right->list))
        both = find_set(studyruns, &list);
    else
        hpm_runlist_free(&list);
    if (both == NULL)
        return &studyruns->none->runs;
    *answer = (struct answer){a, b, &both->runs};
    return &both->runs;
}

/* ---- rows --------------------------------------------------------------- */

static bool
has_lists(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t j = 0; j < study->tasks[i].n_counters; j++) {
            if (study->tasks[i].counters[j].runs != NULL)
                return true;
        }
    }
    return false;
}

/* Equal texts of a study have the same address. */
static bool
have_same_lists(const struct hpm_task *a, const struct hpm_task *b)
{
    if (a->n_counters != b->n_counters)
        return false;
    for (size_t i = 0; i < a->n_counters; i++) {
        if (a->counters[i].name != b->counters[i].name ||
            a->counters[i].runs != b->counters[i].runs)
            return false;
    }
    return true;
}

/* Columns of one name are one counter, even where unit or kind differ. */
static bool
set_columns(struct hpm_studyruns *studyruns, const struct hpm_study *study,
            const struct hpm_task_counter *counter, const struct set **row)
{
    struct hpm_runlist list = {0};
    const struct set *set;

    if (!hpm_runlist_read(&list, counter->runs)) {
        hpm_runlist_free(&list);
        return false;
    }
    set = find_set(studyruns, &list);
    for (size_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, counter->name) == 0)
            row[i] = set;
    }
    return set != NULL;
}

static bool
make_row(struct hpm_studyruns *studyruns, const struct hpm_study *study,
         size_t task)
{
    const struct hpm_task *of = &study->tasks[task];
    const struct set **row =
        hpm_memory_new(study->n_columns + 1, sizeof(const struct set *));

    studyruns->rows[task] = row;
    studyruns->n_tasks = task + 1;
    if (row == NULL)
        return false;
    for (size_t i = 0; i < of->n_counters; i++) {
        if (of->counters[i].name != NULL && of->counters[i].runs != NULL &&
            !set_columns(studyruns, study, &of->counters[i], row))
            return false;
    }
    return true;
}

static bool
make_rows(struct hpm_studyruns *studyruns, const struct hpm_study *study)
{
    studyruns->rows = hpm_memory_new(study->n_tasks, sizeof *studyruns->rows);
    if (studyruns->rows == NULL)
        return false;
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (i == 0 ||
            !have_same_lists(&study->tasks[i], &study->tasks[i - 1])) {
            if (!make_row(studyruns, study, i))
                return false;
            continue;
        }
        studyruns->rows[i] = studyruns->rows[i - 1];
        studyruns->n_tasks = i + 1;
    }
    return true;
}

struct hpm_studyruns *
hpm_studyruns_new(const struct hpm_study *study)
{
    struct hpm_studyruns *studyruns = hpm_memory_new(1, sizeof *studyruns);
    struct hpm_runlist list = {0};

    if (studyruns == NULL || !has_lists(study))
        return studyruns;
    studyruns->all = (struct set){.runs.both = intersect, .of = studyruns};
    studyruns->none = find_set(studyruns, &list);
    if (studyruns->none != NULL && make_rows(studyruns, study))
        return studyruns;
    hpm_studyruns_free(studyruns);
    return NULL;
}

void
hpm_studyruns_free(struct hpm_studyruns *studyruns)
{
    if (studyruns == NULL)
        return;
    for (size_t i = 0; i < studyruns->n_sets; i++) {
        hpm_runlist_free(&studyruns->sets[i]->list);
        hpm_memory_free(studyruns->sets[i]);
    }
    for (size_t i = 0; i < studyruns->n_tasks; i++) {
        if (i == 0 || studyruns->rows[i] != studyruns->rows[i - 1])
            hpm_memory_free(studyruns->rows[i]);
    }
    hpm_memory_free(studyruns->sets);
    hpm_memory_free(studyruns->rows);
    hpm_names_free(&studyruns->names);
    hpm_memory_free(studyruns);
}

const struct hpm_runs *
hpm_studyruns_of(const struct hpm_studyruns *studyruns, uint32_t column,
                 uint32_t task)
{
    const struct set *set;

    if (studyruns->rows == NULL)
        return NULL;
    set = studyruns->rows[task][column];
    return set != NULL ? &set->runs : &studyruns->all.runs;
}
