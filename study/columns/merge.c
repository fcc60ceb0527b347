/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of one run together. */
#include "study/columns/merge.h"

#include <limits.h>
#include <stdio.h>

#include "host/memory.h"
#include "study/columns/agree.h"
#include "study/columns/family.h"
#include "study/columns/transfer.h"
#include "study/columns/taskranges.h"

/* ---- one run --------------------------------------------------------- */

/* The text of the first task that has one; NULL where none has. */
static const char *
find_text(const struct hpm_study *study, size_t offset)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const char *text = *(
            const char *const *)(const void *)((const char *)&study->tasks[i] +
                                               offset);

        if (text != NULL)
            return text;
    }
    return NULL;
}

static bool
check_text(const struct hpm_study *study, const struct hpm_study *other,
           const char *what, size_t offset, struct hpm_error *err)
{
    const char *here = find_text(study, offset);
    const char *there = find_text(other, offset);
    struct hpm_string name = {0};

    if (here == NULL || there == NULL || strcmp(here, there) == 0)
        return true;
    hpm_agree_add_name(other, &name);
    hpm_error_set(err,
                  "%.200s is of the %s '%.80s', the others are of '%.80s': not "
                  "one run; leave it out, or merge them by 'hpm merge "
                  "--force'",
                  hpm_string_text(&name), what, there, here);
    hpm_string_free(&name);
    return false;
}

/* A forked child's file has the number of its parent: its process id tells it
 * from other tasks. */
static bool
check_child(const struct hpm_study *study, const struct hpm_task *child,
            struct hpm_error *err)
{
    const struct hpm_task *twin = hpm_family_find(study, child);

    return twin == NULL ||
           hpm_error_set(err,
                         "%.150s is of process %lld, which is in '%.150s' "
                         "already; was it given twice?",
                         child->file != NULL ? child->file : "an experiment",
                         (long long)hpm_number_to_real(child->pid),
                         twin->file != NULL ? twin->file : "what was merged");
}

/* There may be two files of one process: a whole one, and one that hpm recover
 * made of its journal or while it ran. */
static bool
refuse_task(const struct hpm_study *study, const struct hpm_task *there,
            const struct hpm_study *other, const struct hpm_task *task,
            struct hpm_error *err)
{
    bool is_same = hpm_family_find(study, task) == there;
    bool is_better =
        is_same && there->is_complete == HPM_NO && task->is_complete == HPM_YES;
    const char *file = there->file != NULL ? there->file : "what was merged";
    struct hpm_string name = {0};

    hpm_agree_add_name(other, &name);
    hpm_error_set(err, "%.150s is of task %d, which is in '%.150s' already%s",
                  hpm_string_text(&name), task->number, file,
                  is_better ? ", of the same process but not complete; leave "
                              "that file out"
                  : is_same ? ", of the same process; was it given twice?"
                            : "; is it of another run (hpm mean)? hpm merge "
                              "--force takes it as one more task");
    hpm_string_free(&name);
    return false;
}

/* Summaries of the same tasks may have different numbers. */
static bool
check_members(const struct hpm_study *study, const struct hpm_task *task,
              struct hpm_error *err)
{
    struct hpm_taskranges theirs = {0}, ours = {0};
    bool is_good = task->members == NULL ||
                   hpm_taskranges_read(&theirs, task->members) ||
                   hpm_error_set(err,
                                 "the numbers of the tasks in a summary "
                                 "cannot be read: '%.60s'",
                                 task->members);

    for (size_t i = 0; i < study->n_tasks && task->members != NULL; i++) {
        if (study->tasks[i].members != NULL)
            hpm_taskranges_read(&ours, study->tasks[i].members);
    }
    for (size_t i = 0; i < theirs.n && is_good; i++) {
        const struct hpm_taskrange *range = &theirs.ranges[i];

        if (hpm_taskranges_has(&ours, range->first, range->last))
            is_good = hpm_error_set(
                err,
                "%.200s is a summary of tasks %d to %d and others, some "
                "of which another summary has, too",
                task->file != NULL ? task->file : "what was merged",
                range->first, range->last);
    }
    hpm_taskranges_free(&theirs);
    hpm_taskranges_free(&ours);
    return is_good;
}

static bool
check_tasks(const struct hpm_study *study, const struct hpm_study *other,
            struct hpm_error *err)
{
    for (size_t i = 0; i < other->n_tasks; i++) {
        int number = other->tasks[i].number;
        uint32_t place = hpm_study_find_task(study, number);

        if (!check_members(study, &other->tasks[i], err))
            return false;
        if (hpm_family_is_child(&other->tasks[i])) {
            if (!check_child(study, &other->tasks[i], err))
                return false;
            continue;
        }
        if (place == HPM_NO_INDEX || hpm_family_is_child(&study->tasks[place]))
            continue;
        return refuse_task(study, &study->tasks[place], other, &other->tasks[i],
                           err);
    }
    return true;
}

/* A run can be merged with a merged run, a mean with a mean and so on. */
static enum hpm_study_kind
merged_kind(const struct hpm_study *study)
{
    return study->kind == HPM_STUDY_RUN ? HPM_STUDY_MERGED : study->kind;
}

static bool
check_kind(const struct hpm_study *study, const struct hpm_study *other,
           struct hpm_error *err)
{
    struct hpm_string name = {0};

    if (study->n_tasks == 0 || study->kind == merged_kind(other))
        return true;
    hpm_agree_add_name(other, &name);
    hpm_error_set(err,
                  "%.200s is a result of another kind than the others (a mean, "
                  "a difference, a summary): they cannot be merged",
                  hpm_string_text(&name));
    hpm_string_free(&name);
    return false;
}

/* ---- adding ---------------------------------------------------------- */

static int
largest_number(const struct hpm_study *study)
{
    int largest = 0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        if (task->number > largest && !hpm_family_is_child(task))
            largest = task->number;
    }
    return largest;
}

/* The next number that no task of either study has. */
static int
next_free(const struct hpm_study *study, const struct hpm_study *other,
          int number)
{
    do
        number = number < INT_MAX ? number + 1 : 0;
    while (hpm_study_find_task(study, number) != HPM_NO_INDEX ||
           hpm_study_find_task(other, number) != HPM_NO_INDEX);
    return number;
}

/* The future numbers of the tasks: their own number where it is free, else the
 * next free number (the search begins only when it is needed).  Children get
 * their numbers at the end. */
static void
give_numbers(const struct hpm_study *study, const struct hpm_study *other,
             int *numbers)
{
    int last = -1, last_child = INT_MAX - (int)study->n_tasks;

    for (size_t i = 0; i < other->n_tasks; i++) {
        numbers[i] = other->tasks[i].number;
        if (hpm_family_is_child(&other->tasks[i])) {
            last_child = hpm_family_number_for_now(study, other, last_child);
            numbers[i] = last_child;
            continue;
        }
        if (hpm_study_find_task(study, numbers[i]) == HPM_NO_INDEX)
            continue;
        if (last < 0)
            last = largest_number(study);
        last = numbers[i] = next_free(study, other, last);
    }
}

bool
hpm_merge_add(struct hpm_study *study, const struct hpm_study *other,
              bool is_forced, bool *ret_is_broken, struct hpm_error *err)
{
    int *numbers;
    bool is_good;

    *ret_is_broken = false;
    if (!check_kind(study, other, err) ||
        (!is_forced && (!check_text(study, other, "program",
                                    offsetof(struct hpm_task, program), err) ||
                        !check_text(study, other, "job",
                                    offsetof(struct hpm_task, job), err) ||
                        !check_tasks(study, other, err))))
        return false;
    numbers = hpm_memory_new(other->n_tasks, sizeof *numbers);
    if (numbers == NULL)
        return hpm_error_no_memory(err);
    give_numbers(study, other, numbers);
    study->kind = merged_kind(other);
    is_good = hpm_transfer_sources(study, other, HPM_SIDE_BOTH) &&
              hpm_transfer_tasks(study, other, numbers);
    hpm_memory_free(numbers);
    if (!is_good) {
        *ret_is_broken = true;
        hpm_study_no_memory(study, err);
    }
    return is_good;
}

/* ---- did the tasks run at one time? ---------------------------------- */

/* Days from 1970 of a date (Gregorian, years counted from March). */
static int64_t
days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t m = month <= 2 ? month + 9 : month - 3;

    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 -
           719468;
}

/* Read "2026-11-20T11:30:00.123Z" as milliseconds; false if the text is not of
 * this form. */
static bool
read_time(const char *text, int64_t *ret_ms)
{
    int year, month, day, hour, minute, second, ms = 0;

    if (text == NULL || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3d", &year,
                               &month, &day, &hour, &minute, &second, &ms) < 6)
        return false;
    *ret_ms = (((days_of(year, month, day) * 24 + hour) * 60 + minute) * 60 +
               second) *
                  1000 +
              ms;
    return true;
}

/* If all tasks ran at one moment, the last task began before the first one
 * ended.  When a task ended that is not complete nobody knows: a file that hpm recover
 * made of a journal says how long the task ran up to its last checkpoint. */
static bool
check_times(const struct hpm_study *study, struct hpm_error *err)
{
    int64_t last_start = INT64_MIN, first_end = INT64_MAX;
    int last = 0, first = 0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        double seconds = hpm_number_to_real(task->seconds);
        int64_t start, end;

        if (hpm_family_is_child(task)) /* children may run in sequence */
            continue;
        if (!read_time(task->start, &start) || !(seconds >= 0 && seconds < 1e9))
            continue;
        end = task->is_complete == HPM_NO
                  ? INT64_MAX
                  : start + (int64_t)(seconds * 1000) + 1;
        if (start > last_start) {
            last_start = start;
            last = task->number;
        }
        if (end < first_end) {
            first_end = end;
            first = task->number;
        }
    }
    if (last_start <= first_end)
        return true;
    return hpm_error_set(err,
                         "task %d began %.3f s after task %d had ended: not "
                         "one run; merge them by 'hpm merge --force', or "
                         "average runs by 'hpm mean'",
                         last, (double)(last_start - first_end) / 1000, first);
}

bool
hpm_merge_end(struct hpm_study *study, bool is_forced, struct hpm_error *err)
{
    if (!is_forced && study->kind == HPM_STUDY_MERGED &&
        !check_times(study, err))
        return false;
    return (hpm_family_number(study) && hpm_study_arrange(study)) ||
           hpm_study_no_memory(study, err);
}
