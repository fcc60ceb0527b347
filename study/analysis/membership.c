/* SPDX-License-Identifier: BSD-3-Clause
 * What the members of a group have in common. */
#include "study/analysis/membership.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/analysis/coverage.h"
#include "study/analysis/taskgrid.h"
#include "study/analysis/toldgrid.h"
#include "study/points/pointlabels.h"

struct group {
    const struct hpm_observations *observations;
    const size_t *labels;
    size_t label, n;
};

static const struct hpm_point *
point_at(const struct group *group, size_t row)
{
    return &group->observations->points
                ->all[group->observations->preparation.rows[row]];
}

static bool
is_member(const struct group *group, size_t row)
{
    return group->labels[row] == group->label;
}

static int
task_of(const struct hpm_point *point)
{
    return point->task;
}

static int
thread_of(const struct hpm_point *point)
{
    return point->thread;
}

static int
call_of(const struct hpm_point *point)
{
    return point->call;
}

static bool
is_several(const struct group *group, hpm_number_of_point *number)
{
    for (size_t i = 1; i < group->n; i++) {
        if (number(point_at(group, i)) != number(point_at(group, 0)))
            return true;
    }
    return false;
}

/* ---- a range, or every n-th -------------------------------------------------
 */

struct range {
    int least, most, step;
};

static bool
is_in_range(const struct range *range, int number)
{
    return number >= range->least && number <= range->most &&
           (number - range->least) % range->step == 0;
}

static struct range
range_of(const struct group *group, hpm_number_of_point *number)
{
    struct range range = {INT_MAX, INT_MIN, 1};

    for (size_t i = 0; i < group->n; i++) {
        int here = number(point_at(group, i));

        if (is_member(group, i)) {
            range.least = here < range.least ? here : range.least;
            range.most = here > range.most ? here : range.most;
        }
    }
    return range;
}

static int
greatest_divisor(int a, int b)
{
    while (b != 0) {
        int rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Are the members those, and no others, whose numbers are in the range? */
static bool
tells_apart(const struct group *group, hpm_number_of_point *number,
            const struct range *range)
{
    for (size_t i = 0; i < group->n; i++) {
        if (is_member(group, i) !=
            is_in_range(range, number(point_at(group, i))))
            return false;
    }
    return true;
}

static bool
find_range(const struct group *group, hpm_number_of_point *number,
           struct range *ret_range)
{
    int step = 0;

    *ret_range = range_of(group, number);
    if (tells_apart(group, number, ret_range))
        return true;
    for (size_t i = 0; i < group->n; i++) {
        if (is_member(group, i))
            step = greatest_divisor(step, number(point_at(group, i)) -
                                              ret_range->least);
    }
    ret_range->step = step > 0 ? step : 1;
    return step > 1 && tells_apart(group, number, ret_range);
}

/* "thread 0", "tasks 0 to 3", "every 8th task from 0 to 56". */
static void
add_range(struct hpm_string *string, const char *noun,
          const struct range *range)
{
    if (range->least == range->most)
        hpm_string_add_format(string, "%s %d", noun, range->least);
    else if (range->step == 1)
        hpm_string_add_format(string, "%ss %d to %d", noun, range->least,
                              range->most);
    else
        hpm_string_add_format(string, "every %d%s %s from %d to %d",
                              range->step,
                              range->step == 2   ? "nd"
                              : range->step == 3 ? "rd"
                                                 : "th",
                              noun, range->least, range->most);
}

/* ---- whose numbers they are ------------------------------------------------- */

/* " of each task", or where some have none of them " of 7 of 8 tasks". */
static void
add_owners(struct hpm_string *string, const struct hpm_coverage *coverage,
           enum hpm_coverage_owner owner)
{
    const char *noun = owner == HPM_COVERAGE_OF_TASK ? "task" : "thread";

    if (owner == HPM_COVERAGE_OF_ALL || coverage->n_owners < 2)
        return;
    if (coverage->n_with == coverage->n_owners)
        hpm_string_add_format(string, " of each %s", noun);
    else
        hpm_string_add_format(string, " of %zu of %zu %ss", coverage->n_with,
                              coverage->n_owners, noun);
}

/* Of n numbers that each owner could have, those that are not there. */
static void
add_missing(struct hpm_string *string, const struct hpm_coverage *coverage,
            size_t n)
{
    size_t n_named = n * coverage->n_with;

    if (n_named > coverage->n_there)
        hpm_string_add_format(string, ", %zu of them missing",
                              n_named - coverage->n_there);
}

/* Is at least half of what a name says there? */
static bool
is_enough(const struct hpm_coverage *coverage, size_t n)
{
    return coverage->n_there >= n * coverage->n_with / 2;
}

static size_t
count_numbers(const struct range *range)
{
    return (size_t)(((long)range->most - range->least) / range->step) + 1;
}

/* The range as a name, where at least half of what it says is there.  Of calls only
 * some are kept, drawn by chance: they have no holes. */
static bool
add_range_of(struct hpm_string *string, const struct group *group,
             const char *noun, hpm_number_of_point *number,
             enum hpm_coverage_owner owner)
{
    bool are_calls = owner == HPM_COVERAGE_OF_THREAD;
    struct hpm_coverage coverage;
    struct range range;
    size_t n;

    if (!find_range(group, number, &range))
        return false;
    coverage = hpm_coverage_find(group->observations, group->labels,
                                 group->label, number, owner);
    n = count_numbers(&range);
    if (!are_calls && !is_enough(&coverage, n))
        return false;
    add_range(string, noun, &range);
    add_owners(string, &coverage, owner);
    if (!are_calls)
        add_missing(string, &coverage, n);
    return true;
}

/* ---- several numbers ------------------------------------------------------ */

struct numbers {
    int *all; /* the least first, each once */
    size_t n;
};

static int
compare_numbers(const void *first, const void *second)
{
    int a = *(const int *)first, b = *(const int *)second;

    return (a > b) - (a < b);
}

/* Those of the members; false when there is no memory. */
static bool
collect(const struct group *group, hpm_number_of_point *number,
        struct numbers *ret)
{
    size_t n = 0;

    *ret = (struct numbers){hpm_memory_new(group->n + 1, sizeof *ret->all), 0};
    for (size_t i = 0; i < group->n && ret->all != NULL; i++) {
        if (is_member(group, i))
            ret->all[n++] = number(point_at(group, i));
    }
    if (n > 0)
        qsort(ret->all, n, sizeof *ret->all, compare_numbers);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || ret->all[i] != ret->all[i - 1])
            ret->all[ret->n++] = ret->all[i];
    }
    return ret->all != NULL;
}

static bool
are_among(const struct numbers *numbers, int number)
{
    return bsearch(&number, numbers->all, numbers->n, sizeof number,
                   compare_numbers) != NULL;
}

static size_t
count_pieces(const struct numbers *numbers)
{
    size_t n = numbers->n > 0;

    for (size_t i = 1; i < numbers->n; i++)
        n += numbers->all[i] != numbers->all[i - 1] + 1;
    return n;
}

/* "0, 2-4, 7" */
static void
add_numbers(struct hpm_string *string, const struct numbers *numbers)
{
    size_t first = 0;

    for (size_t i = 0; i < numbers->n; i++) {
        if (i + 1 < numbers->n && numbers->all[i + 1] == numbers->all[i] + 1)
            continue;
        hpm_string_add_format(string, "%s%d", first > 0 ? ", " : "",
                              numbers->all[first]);
        if (first < i)
            hpm_string_add_format(string, "-%d", numbers->all[i]);
        first = i + 1;
    }
}

static size_t
count_members(const struct group *group)
{
    size_t n = 0;

    for (size_t i = 0; i < group->n; i++)
        n += is_member(group, i);
    return n;
}

/* Are the members those, and no others, whose number is among these? */
static bool
are_all_of(const struct group *group, hpm_number_of_point *number,
           const struct numbers *numbers)
{
    for (size_t i = 0; i < group->n; i++) {
        if (is_member(group, i) !=
            are_among(numbers, number(point_at(group, i))))
            return false;
    }
    return true;
}

static bool
are_a_list(const struct group *group, hpm_number_of_point *number,
           const struct numbers *numbers)
{
    enum { MOST_PIECES = 4 };

    return count_members(group) >= 2 * numbers->n &&
           count_pieces(numbers) <= MOST_PIECES &&
           are_all_of(group, number, numbers);
}

/* Any members can be listed: it is a name where each number stands for several of
 * them, and a person can take it in. */
static bool
add_list(struct hpm_string *string, const struct group *group)
{
    struct numbers numbers;
    bool is_good = collect(group, thread_of, &numbers);
    const struct hpm_coverage coverage =
        hpm_coverage_find(group->observations, group->labels, group->label,
                          thread_of, HPM_COVERAGE_OF_TASK);
    bool is_name = is_good && are_a_list(group, thread_of, &numbers) &&
                   is_enough(&coverage, numbers.n);

    string->failed |= !is_good;
    if (is_name) {
        hpm_string_add(string, "threads ");
        add_numbers(string, &numbers);
        add_owners(string, &coverage, HPM_COVERAGE_OF_TASK);
        add_missing(string, &coverage, numbers.n);
    }
    hpm_memory_free(numbers.all);
    return is_name;
}

/* ---- a part of a grid ------------------------------------------------------ */

enum { ABSENT, MEMBER, OTHER };

/* By task; false where threads of a task are here and there, or a task is
 * missing. */
static bool
mark_tasks(const struct group *group, unsigned char *marks, size_t n)
{
    for (size_t i = 0; i < group->n; i++) {
        int task = task_of(point_at(group, i));
        unsigned char mark = is_member(group, i) ? MEMBER : OTHER;

        if (task < 0 || (size_t)task >= n ||
            (marks[task] != ABSENT && marks[task] != mark))
            return false;
        marks[task] = mark;
    }
    return memchr(marks, ABSENT, n) == NULL;
}

static const struct hpm_study *
study_of(const struct group *group)
{
    return group->observations->points->survey->study;
}

/* By task of the study; false where threads of a task are here and there. */
static bool
mark_places(const struct group *group, unsigned char *marks)
{
    const struct hpm_study *study = study_of(group);

    for (size_t i = 0; i < group->n; i++) {
        unsigned char mark =
            is_member(group, i) ? HPM_TOLDGRID_MEMBER : HPM_TOLDGRID_OTHER;
        unsigned char *here =
            &marks[study->places[point_at(group, i)->place].task];

        if (*here != HPM_TOLDGRID_ABSENT && *here != mark)
            return false;
        *here = mark;
    }
    return true;
}

/* A part of the grid of a Cartesian communicator. */
typedef bool add_told(const struct hpm_study *study, const unsigned char *marks,
                      struct hpm_string *string);

static bool
add_told_grid(struct hpm_string *string, const struct group *group,
              add_told *add)
{
    const struct hpm_study *study = study_of(group);
    unsigned char *marks;
    bool is_name;

    if (!hpm_toldgrid_is_told(study))
        return false;
    marks = hpm_memory_new(study->n_tasks, sizeof *marks);
    string->failed |= marks == NULL;
    is_name =
        marks != NULL && mark_places(group, marks) && add(study, marks, string);
    hpm_memory_free(marks);
    return is_name;
}

/* The largest number of a task, also of one without the section; those of forked
 * children come behind. */
static int
last_task(const struct group *group)
{
    const struct hpm_study *study = study_of(group);
    int last = -1;

    for (size_t i = 0; i < group->n; i++)
        last = task_of(point_at(group, i)) > last ? task_of(point_at(group, i))
                                                  : last;
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].forked_from.kind == HPM_NUMBER_NONE &&
            study->tasks[i].number > last)
            last = study->tasks[i].number;
    }
    return last;
}

/* Any grid that could be: of tasks that say none, where none is missing. */
static bool
add_grid(struct hpm_string *string, const struct group *group)
{
    unsigned char *marks;
    int last = last_task(group);
    bool *are_members, is_good, is_name;
    size_t n;

    if (hpm_toldgrid_is_told(study_of(group)))
        return false;
    if (last < 0 || (size_t)last >= group->n)
        return false;
    n = (size_t)last + 1;
    marks = hpm_memory_new(n, sizeof *marks);
    are_members = hpm_memory_new(n, sizeof *are_members);
    is_good = marks != NULL && are_members != NULL;
    string->failed |= !is_good;
    is_name = is_good && mark_tasks(group, marks, n);
    for (size_t i = 0; i < n && is_name; i++)
        are_members[i] = marks[i] == MEMBER;
    is_name = is_name && hpm_taskgrid_add(are_members, n, string);
    hpm_memory_free(marks);
    hpm_memory_free(are_members);
    return is_name;
}

/* ---- a host
 * ------------------------------------------------------------------ */

static const char *
host_of(const struct group *group, size_t row)
{
    return hpm_pointlabels_host(group->observations->points,
                                group->observations->preparation.rows[row]);
}

static const char *
find_host(const struct group *group)
{
    const char *host = NULL;

    for (size_t i = 0; i < group->n && host == NULL; i++)
        host = is_member(group, i) ? host_of(group, i) : NULL;
    for (size_t i = 0; i < group->n && host != NULL; i++) {
        if (is_member(group, i) != (strcmp(host_of(group, i), host) == 0))
            return NULL;
    }
    return host != NULL && host[0] != '\0' ? host : NULL;
}

static bool
add_host(struct hpm_string *string, const struct group *group)
{
    const char *host = find_host(group);
    size_t n_lacking;

    if (host == NULL)
        return false;
    n_lacking = hpm_coverage_lacking(group->observations, host);
    hpm_string_add_format(string, "host %s", host);
    if (n_lacking > 0 && group->observations->points->calls == NULL)
        hpm_string_add_format(string, ", %zu of its threads missing",
                              n_lacking);
    return true;
}

/* ---- one after the other --------------------------------------------- */

static void
add_members(const struct group *group, struct hpm_string *string)
{
    enum { MOST = 6 };
    size_t n = 0;

    for (size_t i = 0; i < group->n; i++) {
        if (!is_member(group, i) || ++n > MOST)
            continue;
        if (n > 1)
            hpm_string_add(string, ", ");
        hpm_pointlabels_add(string, group->observations->points,
                            group->observations->preparation.rows[i]);
    }
    if (n > MOST)
        hpm_string_add_format(string, " and %zu more", n - MOST);
}

/* Where whole tasks are members. */
static bool
add_name_of_tasks(struct hpm_string *string, const struct group *group)
{
    return add_host(string, group) ||
           add_told_grid(string, group, hpm_toldgrid_add_border) ||
           add_range_of(string, group, "task", task_of, HPM_COVERAGE_OF_ALL) ||
           add_told_grid(string, group, hpm_toldgrid_add_coordinate) ||
           add_grid(string, group);
}

/* Is there a name, and which? */
static bool
add_name(struct hpm_string *string, const struct group *group)
{
    bool has_threads = is_several(group, thread_of);

    if (is_several(group, call_of) &&
        add_range_of(string, group, "call", call_of, HPM_COVERAGE_OF_THREAD))
        return true;
    if (has_threads &&
        add_range_of(string, group, "thread", thread_of, HPM_COVERAGE_OF_TASK))
        return true;
    return is_several(group, task_of) &&
           (add_name_of_tasks(string, group) ||
            (has_threads && add_list(string, group)));
}

bool
hpm_membership_add(const struct hpm_observations *observations,
                   const size_t *labels, size_t label,
                   struct hpm_string *string)
{
    const struct group group = {observations, labels, label,
                                observations->preparation.matrix.n_rows};

    if (add_name(string, &group))
        return true;
    add_members(&group, string);
    return false;
}

bool
hpm_membership_is_host(const struct hpm_observations *observations,
                       const size_t *labels, size_t label)
{
    const struct group group = {observations, labels, label,
                                observations->preparation.matrix.n_rows};

    return find_host(&group) != NULL;
}
