/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of runs. */
#include "study/columns/runlist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

/* ---- lists ------------------------------------------------------------ */

static bool
add(struct hpm_runlist *list, uint64_t number)
{
    if (!hpm_memory_grow(&list->numbers, &list->capacity, list->n + 1,
                         sizeof *list->numbers))
        return false;
    list->numbers[list->n++] = number;
    return true;
}

static int
compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

static void
arrange(struct hpm_runlist *list)
{
    size_t n = 0;

    if (list->n > 1)
        qsort(list->numbers, list->n, sizeof *list->numbers, compare);
    for (size_t i = 0; i < list->n; i++) {
        if (n == 0 || list->numbers[n - 1] != list->numbers[i])
            list->numbers[n++] = list->numbers[i];
    }
    list->n = n;
}

/* Read the number (from 1 on) at the begin of a text; returns its end, or NULL
 * where there is no number. */
static const char *
read_number(const char *text, uint64_t *ret_number)
{
    char *end;

    text += strspn(text, " \t\r\n");
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *ret_number = strtoull(text, &end, 10);
    if (errno != 0 || *ret_number == 0)
        return NULL;
    return end + strspn(end, " \t\r\n");
}

bool
hpm_runlist_read(struct hpm_runlist *list, const char *text)
{
    size_t n_before = list->n;

    while (text != NULL && *text != '\0') {
        uint64_t number = 0;

        text = read_number(text, &number);
        if (text == NULL)
            list->n = n_before;
        else if (!add(list, number))
            return false;
    }
    arrange(list);
    return true;
}

void
hpm_runlist_free(struct hpm_runlist *list)
{
    hpm_memory_free(list->numbers);
    *list = (struct hpm_runlist){0};
}

bool
hpm_runlist_add_both(struct hpm_runlist *list, const struct hpm_runlist *a,
                     const struct hpm_runlist *b)
{
    for (size_t i = 0, j = 0; i < a->n && j < b->n;) {
        int order = compare(&a->numbers[i], &b->numbers[j]);

        if (order == 0 && !add(list, a->numbers[i]))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

void
hpm_runlist_write(const struct hpm_runlist *list, struct hpm_string *string)
{
    if (list->n == 0)
        hpm_string_add(string, "none");
    for (size_t i = 0; i < list->n; i++)
        hpm_string_add_format(string, "%s%" PRIu64, i > 0 ? " " : "",
                              list->numbers[i]);
}

bool
hpm_runlist_intersect(const char *a, const char *b, struct hpm_string *string)
{
    struct hpm_runlist left = {0}, right = {0}, both = {0};
    bool is_good = hpm_runlist_read(&left, a) && hpm_runlist_read(&right, b) &&
                   hpm_runlist_add_both(&both, &left, &right);

    if (is_good)
        hpm_runlist_write(&both, string);
    hpm_runlist_free(&left);
    hpm_runlist_free(&right);
    hpm_runlist_free(&both);
    return is_good && !string->failed;
}

/* ---- the runs of an integration --------------------------------------- */

/* The runs of all studies get consecutive numbers: each study as many as its
 * own lists name, or one. */
struct numbering {
    struct hpm_align *align;
    struct hpm_runlist *named; /* by study: the runs that its lists name */
    uint64_t *first;           /* by study, and one more: the first number of
                                * the study */
};

static uint64_t
width_of(const struct numbering *numbering, size_t study)
{
    return numbering->named[study].n > 0 ? numbering->named[study].n : 1;
}

static bool
find_named(const struct hpm_study *study, struct hpm_runlist *list)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        for (size_t j = 0; j < task->n_counters; j++) {
            if (!hpm_runlist_read(list, task->counters[j].runs))
                return false;
        }
    }
    return true;
}

static bool
begin(struct numbering *numbering)
{
    struct hpm_align *align = numbering->align;

    numbering->named = hpm_memory_new(align->n, sizeof *numbering->named);
    numbering->first = hpm_memory_new(align->n + 1, sizeof *numbering->first);
    if (numbering->named == NULL || numbering->first == NULL)
        return false;
    numbering->first[0] = 1;
    for (size_t i = 0; i < align->n; i++) {
        if (!find_named(align->studies[i], &numbering->named[i]))
            return false;
        numbering->first[i + 1] = numbering->first[i] + width_of(numbering, i);
    }
    return true;
}

static void
end(struct numbering *numbering)
{
    for (size_t i = 0; numbering->named != NULL && i < numbering->align->n; i++)
        hpm_runlist_free(&numbering->named[i]);
    hpm_memory_free(numbering->named);
    hpm_memory_free(numbering->first);
}

/* The study's description of a counter; NULL where it did not count it. */
static const struct hpm_task_counter *
find_counter(const struct hpm_study *study, uint32_t task, const char *name)
{
    const struct hpm_task *of =
        task != HPM_NO_INDEX ? &study->tasks[task] : NULL;

    for (size_t i = 0; of != NULL && i < of->n_counters; i++) {
        if (strcmp(of->counters[i].name, name) == 0)
            return &of->counters[i];
    }
    return NULL;
}

/* Add the runs of one study that counted the counter, in the numbers of all
 * studies. */
static bool
add_runs(const struct numbering *numbering, size_t study,
         const struct hpm_task_counter *counter, struct hpm_runlist *list)
{
    const struct hpm_runlist *named = &numbering->named[study];
    struct hpm_runlist own = {0};
    bool is_good = hpm_runlist_read(&own, counter->runs);
    size_t at = 0;

    for (uint64_t i = 0; i < width_of(numbering, study) && is_good; i++) {
        bool is_there = counter->runs == NULL;

        if (!is_there && at < own.n && own.numbers[at] == named->numbers[i]) {
            is_there = true;
            at++;
        }
        if (is_there)
            is_good = add(list, numbering->first[study] + i);
    }
    hpm_runlist_free(&own);
    return is_good;
}

static bool
set_runs(const struct numbering *numbering, const struct hpm_runlist *list,
         struct hpm_task_counter *counter)
{
    const struct hpm_align *align = numbering->align;
    struct hpm_string text = {0};

    counter->runs = NULL;
    if (list->n == numbering->first[align->n] - 1)
        return true;
    hpm_runlist_write(list, &text);
    counter->runs = hpm_study_keep(align->result, &text);
    return counter->runs != NULL;
}

static bool
name_runs(const struct numbering *numbering, size_t task,
          struct hpm_task_counter *counter)
{
    const struct hpm_align *align = numbering->align;
    struct hpm_runlist list = {0};
    bool is_good = true;

    for (size_t i = 0; i < align->n && is_good; i++) {
        const struct hpm_task_counter *there =
            find_counter(align->studies[i], align->tasks[task * align->n + i],
                         counter->name);

        is_good = there == NULL || add_runs(numbering, i, there, &list);
    }
    is_good = is_good && set_runs(numbering, &list, counter);
    hpm_runlist_free(&list);
    return is_good;
}

bool
hpm_runlist_name_all(struct hpm_align *align)
{
    struct numbering numbering = {.align = align};
    bool is_good = begin(&numbering);

    for (size_t i = 0; i < align->result->n_tasks && is_good; i++) {
        struct hpm_task *task = &align->result->tasks[i];

        for (size_t j = 0; j < task->n_counters && is_good; j++)
            is_good = name_runs(&numbering, i, &task->counters[j]);
    }
    end(&numbering);
    return is_good;
}
