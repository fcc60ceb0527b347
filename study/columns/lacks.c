/* SPDX-License-Identifier: BSD-3-Clause
 * What a study lacks. */
#include "study/columns/lacks.h"

#include <limits.h>
#include <string.h>

#include "study/columns/taskranges.h"

enum { MOST_SAID = 3, MOST_RANGES = 10 };

/* ---- files ----------------------------------------------------------- */

static int
compare(const struct hpm_study_left_out *a, const struct hpm_study_left_out *b)
{
    int order = strcmp(a->file, b->file);

    if (order != 0 || a->reason == b->reason)
        return order;
    if (a->reason == NULL || b->reason == NULL)
        return a->reason == NULL ? -1 : 1;
    return strcmp(a->reason, b->reason);
}

/* The list is sorted and bounded at each insertion: so the same files are kept
 * in whatever order studies are put together. */
static bool
insert(struct hpm_study *study, const struct hpm_study_left_out *added)
{
    size_t n = study->n_left_out, i = n;

    if (!hpm_arena_grow(&study->arena, &study->left_out,
                        &study->left_out_capacity, n + 1,
                        sizeof *study->left_out))
        return false;
    while (i > 0 && compare(&study->left_out[i - 1], added) > 0)
        i--;
    if (i > 0 && compare(&study->left_out[i - 1], added) == 0)
        return true;
    memmove(&study->left_out[i + 1], &study->left_out[i],
            (n - i) * sizeof *study->left_out);
    study->left_out[i] = *added;
    study->n_left_out++;
    if (study->n_left_out > HPM_STUDY_MOST_LEFT_OUT) {
        study->n_left_out--;
        study->n_left_out_more++;
    }
    return true;
}

bool
hpm_lacks_add(struct hpm_study *study, const char *file, const char *reason)
{
    struct hpm_study_left_out added = {file, reason};

    return hpm_study_own(study, &added.file) &&
           hpm_study_own(study, &added.reason) && insert(study, &added);
}

bool
hpm_lacks_transfer(struct hpm_study *to, const struct hpm_study *from)
{
    to->n_left_out_more += from->n_left_out_more;
    for (size_t i = 0; i < from->n_left_out; i++) {
        if (!hpm_lacks_add(to, from->left_out[i].file,
                           from->left_out[i].reason))
            return false;
    }
    return true;
}

uint64_t
hpm_lacks_count(const struct hpm_study *study)
{
    return study->n_left_out + study->n_left_out_more;
}

/* ---- tasks ----------------------------------------------------------- */

/* The numbers of the tasks that a launcher started; false without memory.  The
 * numbers of a summary that cannot be read are none. */
static bool
list_numbers(const struct hpm_study *study, struct hpm_taskranges *ranges)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];

        if (task->members != NULL)
            hpm_taskranges_read(ranges, task->members);
        else if (task->forked_from.kind == HPM_NUMBER_NONE)
            hpm_taskranges_add(ranges, task->number, task->number);
    }
    return !ranges->failed;
}

static void
add_range(struct hpm_string *string, size_t n_before, int first, int last)
{
    if (n_before == MOST_RANGES)
        hpm_string_add(string, " ...");
    if (n_before >= MOST_RANGES)
        return;
    hpm_string_add_format(string, "%s%d", n_before > 0 ? ", " : "", first);
    if (last > first)
        hpm_string_add_format(string, "-%d", last);
}

uint64_t
hpm_lacks_add_holes(const struct hpm_study *study, struct hpm_string *string)
{
    struct hpm_taskranges ranges = {0};
    uint64_t n_missing = 0;
    size_t n_holes = 0;
    int next = 0;

    if (study->kind == HPM_STUDY_RUN)
        return 0;
    string->failed |= !list_numbers(study, &ranges);
    for (size_t i = 0; i < ranges.n; i++) {
        const struct hpm_taskrange *range = &ranges.ranges[i];

        if (range->first > next) {
            add_range(string, n_holes++, next, range->first - 1);
            n_missing += (uint64_t)(range->first - next);
        }
        if (range->last == INT_MAX)
            break;
        next = range->last + 1;
    }
    hpm_taskranges_free(&ranges);
    return n_missing;
}

/* ---- text for people ------------------------------------------------- */

static uint64_t
count_numbers(const struct hpm_study *study)
{
    struct hpm_taskranges ranges = {0};
    int64_t largest = -1;

    if (list_numbers(study, &ranges) && ranges.n > 0)
        largest = ranges.ranges[ranges.n - 1].last;
    hpm_taskranges_free(&ranges);
    return (uint64_t)(largest + 1);
}

static void
add_holes_line(const struct hpm_study *study, struct hpm_string *string)
{
    struct hpm_string holes = {0};
    uint64_t n = hpm_lacks_add_holes(study, &holes);

    if (n > 0)
        hpm_string_add_format(string, "task%s %s %s missing: %llu of %llu\n",
                              n == 1 ? "" : "s", hpm_string_text(&holes),
                              n == 1 ? "is" : "are", (unsigned long long)n,
                              (unsigned long long)count_numbers(study));
    hpm_string_finish(&holes, &string->failed);
}

static void
add_left_out_line(const struct hpm_study *study, struct hpm_string *string)
{
    uint64_t n = hpm_lacks_count(study), n_said = 0;

    if (n == 0)
        return;
    hpm_string_add_format(string,
                          "%llu file%s left out:", (unsigned long long)n,
                          n == 1 ? " was" : "s were");
    for (; n_said < study->n_left_out && n_said < MOST_SAID; n_said++) {
        const struct hpm_study_left_out *file = &study->left_out[n_said];

        hpm_string_add_format(string, "%s '%s'", n_said > 0 ? ";" : "",
                              file->file);
        if (file->reason != NULL)
            hpm_string_add_format(string, " (%s)", file->reason);
    }
    if (n_said < n)
        hpm_string_add_format(string, "%s %llu more", n_said > 0 ? "; and" : "",
                              (unsigned long long)(n - n_said));
    hpm_string_add_char(string, '\n');
}

void
hpm_lacks_add_lines(const struct hpm_study *study, uint64_t n_said,
                    struct hpm_string *string)
{
    add_holes_line(study, string);
    if (hpm_lacks_count(study) > n_said)
        add_left_out_line(study, string);
}
