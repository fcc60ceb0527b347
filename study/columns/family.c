/* SPDX-License-Identifier: BSD-3-Clause
 * Processes of one run that other processes of the run forked. */
#include "study/columns/family.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

enum { MOST_LINES = 8 };

bool
hpm_family_is_child(const struct hpm_task *task)
{
    return task->forked_from.kind != HPM_NUMBER_NONE;
}

bool
hpm_family_has_child(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (hpm_family_is_child(&study->tasks[i]))
            return true;
    }
    return false;
}

/* ---- kin ------------------------------------------------------------- */

static bool
is_same_number(struct hpm_number a, struct hpm_number b)
{
    return a.kind != HPM_NUMBER_NONE && hpm_number_compare(a, b) == 0;
}

/* Process ids are only unique on one machine. */
static bool
is_same_host(const struct hpm_task *a, const struct hpm_task *b)
{
    const char *x = a->machine.host, *y = b->machine.host;

    return x == NULL || y == NULL || strcmp(x, y) == 0;
}

static bool
are_kin(const struct hpm_task *a, const struct hpm_task *b)
{
    return is_same_host(a, b) &&
           (is_same_number(a->forked_from, b->pid) ||
            is_same_number(a->forked_from, b->forked_from) ||
            is_same_number(b->forked_from, a->pid));
}

static bool
has_kin(const struct hpm_study *study, const struct hpm_task *task)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (&study->tasks[i] != task && are_kin(task, &study->tasks[i]))
            return true;
    }
    return false;
}

bool
hpm_family_is_kin(const struct hpm_study *study, const struct hpm_study *other)
{
    if (study->n_tasks == 0)
        return true;
    for (size_t i = 0; i < other->n_tasks; i++) {
        const struct hpm_task *task = &other->tasks[i];

        if (hpm_family_is_child(task) && !has_kin(study, task) &&
            !has_kin(other, task))
            return false;
    }
    return true;
}

const struct hpm_task *
hpm_family_find(const struct hpm_study *study, const struct hpm_task *task)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *other = &study->tasks[i];

        if (is_same_number(task->pid, other->pid) &&
            is_same_host(task, other) && task->start != NULL &&
            other->start != NULL && strcmp(task->start, other->start) == 0)
            return other;
    }
    return NULL;
}

/* ---- numbers --------------------------------------------------------- */

int
hpm_family_number_for_now(const struct hpm_study *study,
                          const struct hpm_study *other, int last)
{
    int number = last;

    do
        number--;
    while (hpm_study_find_task(study, number) != HPM_NO_INDEX ||
           hpm_study_find_task(other, number) != HPM_NO_INDEX);
    return number;
}

static int
compare_children(const void *a, const void *b)
{
    const struct hpm_task *x = *(const struct hpm_task *const *)a;
    const struct hpm_task *y = *(const struct hpm_task *const *)b;
    int order = hpm_string_compare(x->start, y->start);

    if (order == 0)
        order = hpm_string_compare(x->machine.host, y->machine.host);
    return order != 0 ? order : hpm_number_compare(x->pid, y->pid);
}

bool
hpm_family_number(struct hpm_study *study)
{
    struct hpm_task **children =
        hpm_memory_new(study->n_tasks + 1, sizeof(struct hpm_task *));
    int64_t next = 0;
    size_t n = 0;

    if (children == NULL)
        return false;
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        if (hpm_family_is_child(task))
            children[n++] = task;
        else if (task->number >= next)
            next = (int64_t)task->number + 1;
    }
    qsort(children, n, sizeof *children, compare_children);
    /* if the numbers would become too large, children keep their present
     * ones */
    if (next + (int64_t)n <= INT_MAX) {
        for (size_t i = 0; i < n; i++)
            children[i]->number = (int)(next + (int64_t)i);
    }
    hpm_memory_free(children);
    return true;
}

/* ---- text for people ------------------------------------------------- */

static const struct hpm_task *
find_parent(const struct hpm_study *study, const struct hpm_task *child)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        if (is_same_number(child->forked_from, task->pid) &&
            is_same_host(child, task))
            return task;
    }
    return NULL;
}

void
hpm_family_find_parents(const struct hpm_study *study, uint32_t *ret_parents)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        const struct hpm_task *parent =
            hpm_family_is_child(task) ? find_parent(study, task) : NULL;

        ret_parents[i] = parent != NULL && parent != task
                             ? (uint32_t)(parent - study->tasks)
                             : HPM_NO_INDEX;
    }
}

static bool
are_siblings(const struct hpm_task *a, const struct hpm_task *b)
{
    return is_same_number(a->forked_from, b->forked_from) && is_same_host(a, b);
}

/* The sentence on consecutive tasks that have one parent. */
static void
add_line(const struct hpm_study *study, size_t first, size_t last,
         struct hpm_string *string)
{
    const struct hpm_task *child = &study->tasks[first];
    const struct hpm_task *parent = find_parent(study, child);
    bool is_one = first == last;

    hpm_string_add_format(string, "task%s %d", is_one ? "" : "s",
                          child->number);
    if (!is_one)
        hpm_string_add_format(string, "-%d", study->tasks[last].number);
    hpm_string_add_format(string, " %s that ",
                          is_one ? "is a process" : "are processes");
    if (parent != NULL)
        hpm_string_add_format(string, "task %d forked (process %lld)\n",
                              parent->number,
                              (long long)hpm_number_to_real(parent->pid));
    else
        hpm_string_add_format(
            string,
            "process %lld forked, of which there is no "
            "file\n",
            (long long)hpm_number_to_real(child->forked_from));
}

static bool
has_process_sections(const struct hpm_study *study, const struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_rows; i++) {
        const struct hpm_row *row =
            hpm_study_row(study, (uint32_t)(task->first_row + i));
        const struct hpm_study_section *section =
            &study->sections[row->section];

        if (section->scope == HPM_SCOPE_PROCESS && !section->is_outside)
            return true;
    }
    return false;
}

bool
hpm_family_counts_twice(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        const struct hpm_task *parent =
            hpm_family_is_child(task) ? find_parent(study, task) : NULL;

        if (parent != NULL && has_process_sections(study, task) &&
            has_process_sections(study, parent))
            return true;
    }
    return false;
}

void
hpm_family_add_lines(const struct hpm_study *study, struct hpm_string *string)
{
    size_t n_lines = 0, n_more = 0;

    for (size_t i = 0, last; i < study->n_tasks && study->n_tasks > 1;
         i = last + 1) {
        const struct hpm_task *task = &study->tasks[i];

        last = i;
        if (!hpm_family_is_child(task))
            continue;
        while (last + 1 < study->n_tasks &&
               are_siblings(task, &study->tasks[last + 1]))
            last++;
        if (n_lines++ < MOST_LINES)
            add_line(study, i, last, string);
        else
            n_more += last - i + 1;
    }
    if (n_more > 0)
        hpm_string_add_format(string, "%zu more task%s forked, too\n", n_more,
                              n_more == 1 ? " was" : "s were");
    if (hpm_family_counts_twice(study))
        hpm_string_add(string, "process sections count what forked processes "
                               "did meanwhile, too: a sum over such a process "
                               "and the one that forked it counts that "
                               "twice\n");
}
