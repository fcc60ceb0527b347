/* SPDX-License-Identifier: BSD-3-Clause
 * Process scope: sections of all threads together, and of the children. */
#include "record/process.h"

#include "source/clock.h"

void
hpm_process_init(struct hpm_process *process, const struct hpm_eventset *set,
                 struct hpm_problems *problems)
{
    pthread_mutex_init(&process->lock, NULL);
    process->set = set;
    process->problems = problems;
}

void
hpm_process_clear(struct hpm_process *process)
{
    hpm_meter_close(process->meter);
    hpm_forest_free(process->forest);
    pthread_mutex_destroy(&process->lock);
}

/* With the lock held. */
static bool
is_open(struct hpm_process *process)
{
    if (process->forest != NULL)
        return true;
    if (process->is_unusable)
        return false;
    process->meter =
        hpm_meter_open(process->set, HPM_TARGET_PROCESS, 0, NULL);
    if (process->meter != NULL)
        process->forest = hpm_forest_new(process->meter->n_slots,
                                         process->problems);
    if (process->forest != NULL && process->meter->misses_threads)
        hpm_problems_add(process->problems, HPM_PROBLEM_THREADS_MISSED,
                         &(struct hpm_place){0, NULL, NULL, 0}, 1);
    if (process->forest != NULL)
        return true;
    process->is_unusable = true;
    hpm_problems_add(process->problems, HPM_PROBLEM_NO_MEMORY,
                     &(struct hpm_place){0, "process scope", NULL, 0}, 1);
    return false;
}

void
hpm_process_open(struct hpm_process *process)
{
    pthread_mutex_lock(&process->lock);
    is_open(process);
    pthread_mutex_unlock(&process->lock);
}

static void
publish_innermost(struct hpm_process *process)
{
    atomic_store_explicit(&process->innermost,
                          hpm_forest_innermost(process->forest),
                          memory_order_release);
}

/* With the lock held. */
static bool
is_open_elsewhere(struct hpm_process *process, int tid,
                  const struct hpm_place *place)
{
    const struct hpm_node *node =
        hpm_forest_find_open(process->forest, place->instance);

    if (node == NULL || node->opener == tid)
        return false;
    hpm_problems_add(process->problems, HPM_PROBLEM_OPEN_ELSEWHERE, place, 1);
    return true;
}

void
hpm_process_start(struct hpm_process *process, int tid, int instance,
                  int parent, const char *label, const char *file, int line)
{
    const struct hpm_place place = {instance, label, file, line};
    struct hpm_forest *forest;
    uint64_t *start;

    pthread_mutex_lock(&process->lock);
    forest = is_open(process) ? process->forest : NULL;
    if (forest != NULL && !is_open_elsewhere(process, tid, &place)) {
        start = hpm_forest_start(forest, instance, parent, label, file, line,
                                 NULL);
        publish_innermost(process);
        if (start != NULL) {
            forest->frames[forest->depth - 1].node->opener = tid;
            hpm_meter_read(process->meter, start);
            start[0] = hpm_clock_read();
        }
    }
    pthread_mutex_unlock(&process->lock);
}

void
hpm_process_stop(struct hpm_process *process, int instance, const char *file,
                 int line)
{
    /* The clock is read under the lock: before it, another thread could start
     * a section in between, and its time would begin after this end. */
    pthread_mutex_lock(&process->lock);
    if (is_open(process)) {
        process->forest->now[0] = hpm_clock_read();
        hpm_meter_read(process->meter, process->forest->now);
        hpm_forest_stop(process->forest, instance, file, line);
        publish_innermost(process);
    }
    pthread_mutex_unlock(&process->lock);
}

bool
hpm_process_add_work(struct hpm_process *process, int instance,
                     uint64_t amount, const char *unit)
{
    bool is_open_section;

    pthread_mutex_lock(&process->lock);
    is_open_section =
        process->forest != NULL &&
        hpm_forest_add_work(process->forest, instance, amount, unit);
    pthread_mutex_unlock(&process->lock);
    return is_open_section;
}

bool
hpm_process_close_sections(struct hpm_process *process)
{
    struct timespec limit;

    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    if (pthread_mutex_timedlock(&process->lock, &limit) != 0)
        return false;
    if (process->forest != NULL && process->forest->depth > 0) {
        process->forest->now[0] = hpm_clock_read();
        hpm_meter_read(process->meter, process->forest->now);
        hpm_forest_close_all(process->forest);
        publish_innermost(process);
    }
    pthread_mutex_unlock(&process->lock);
    return true;
}
