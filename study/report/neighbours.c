/* SPDX-License-Identifier: BSD-3-Clause
 * The tasks of a job as a graph of neighbours, in words. */
#include "study/report/neighbours.h"

#include "study/columns/taskgraph.h"
#include "study/report/paragraph.h"
#include "study/words/words.h"

/* The fewest and most neighbours that a task has, and who has most. */
struct degrees {
    size_t fewest, most, sum, n_tasks;
    int task_of_most;
};

static bool
read_task(const struct hpm_task *task, struct hpm_taskgraph_place *ret)
{
    return task->degrees != NULL &&
           hpm_taskgraph_read(task->degrees, task->sources, task->destinations,
                              ret, NULL);
}

static void
count(struct degrees *degrees, int task, size_t degree)
{
    if (degrees->n_tasks == 0 || degree < degrees->fewest)
        degrees->fewest = degree;
    if (degrees->n_tasks == 0 || degree > degrees->most) {
        degrees->most = degree;
        degrees->task_of_most = task;
    }
    degrees->sum += degree;
    degrees->n_tasks++;
}

static void
add_degrees(struct hpm_string *line, const struct degrees *degrees)
{
    if (degrees->fewest == degrees->most)
        hpm_string_add_format(line, _("%zu in each task"), degrees->most);
    else
        hpm_string_add_format(line, _("%zu to %zu, mean %.1f, most in task %d"),
                              degrees->fewest, degrees->most,
                              (double)degrees->sum / (double)degrees->n_tasks,
                              degrees->task_of_most);
}

void
hpm_neighbours_add(struct hpm_string *string, const struct hpm_study *study,
                   size_t width)
{
    struct degrees sources = {0}, destinations = {0};
    struct hpm_string line = {0};

    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_taskgraph_place place;

        if (!read_task(&study->tasks[i], &place))
            continue;
        count(&sources, study->tasks[i].number, place.n_sources);
        count(&destinations, study->tasks[i].number, place.n_destinations);
    }
    if (sources.n_tasks == 0)
        return;
    hpm_string_add(&line, _("graph of tasks: tasks to receive from: "));
    add_degrees(&line, &sources);
    hpm_string_add(&line, _("; tasks to send to: "));
    add_degrees(&line, &destinations);
    if (sources.n_tasks < study->n_tasks)
        hpm_string_add_format(&line, _("; in it: %zu of %zu tasks"),
                              sources.n_tasks, study->n_tasks);
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_finish(&line, &string->failed);
}
