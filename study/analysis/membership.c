/* SPDX-License-Identifier: BSD-3-Clause
 * What the members of a group have in common. */
#include "study/analysis/membership.h"

#include <limits.h>
#include <string.h>

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

/* Numbers of tasks, or of threads. */
typedef int number_of(const struct hpm_point *point);

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
is_several(const struct group *group, number_of *number)
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
range_of(const struct group *group, number_of *number)
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
tells_apart(const struct group *group, number_of *number,
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
find_range(const struct group *group, number_of *number,
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

/* ---- one after the other
 * ------------------------------------------------------- */

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

bool
hpm_membership_add(const struct hpm_observations *observations,
                   const size_t *labels, size_t label,
                   struct hpm_string *string)
{
    const struct group group = {observations, labels, label,
                                observations->preparation.matrix.n_rows};
    bool has_tasks = is_several(&group, task_of);
    bool has_threads = is_several(&group, thread_of);
    struct range range;
    const char *host;

    if (is_several(&group, call_of) && find_range(&group, call_of, &range)) {
        add_range(string, "call", &range);
        if (has_tasks || has_threads)
            hpm_string_add(string, " of each thread");
    } else if (has_threads && find_range(&group, thread_of, &range)) {
        add_range(string, "thread", &range);
        if (has_tasks)
            hpm_string_add(string, " of each task");
    } else if (has_tasks && (host = find_host(&group)) != NULL)
        hpm_string_add_format(string, "host %s", host);
    else if (has_tasks && find_range(&group, task_of, &range))
        add_range(string, "task", &range);
    else {
        add_members(&group, string);
        return false;
    }
    return true;
}
