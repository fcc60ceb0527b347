/* SPDX-License-Identifier: BSD-3-Clause
 * One thread of the measured program: its counters and its sections. */
#include "record/thread.h"

#include "base/memory.h"
#include "source/clock.h"

struct hpm_thread *
hpm_thread_new(const struct hpm_eventset *set, struct hpm_problems *problems)
{
    struct hpm_thread *thread = hpm_memory_new(1, sizeof *thread);

    if (thread == NULL)
        return NULL;
    thread->omp = -1;
    thread->meter = hpm_meter_open(set, HPM_TARGET_THREAD, 0, NULL);
    if (thread->meter != NULL) {
        thread->forest = hpm_forest_new(thread->meter->n_slots, problems);
        thread->first = hpm_memory_new(thread->meter->n_slots,
                                       sizeof *thread->first);
    }
    if (thread->forest == NULL || thread->first == NULL) {
        hpm_thread_free(thread);
        return NULL;
    }
    hpm_meter_read(thread->meter, thread->first);
    thread->first[0] = hpm_clock_read();
    return thread;
}

void
hpm_thread_free(struct hpm_thread *thread)
{
    if (thread == NULL)
        return;
    hpm_meter_close(thread->meter);
    hpm_forest_free(thread->forest);
    hpm_memory_free(thread->first);
    hpm_memory_free(thread);
}

/* The clock is read next to the program, the counters outside it: the cheaper
 * reading is measured by the dearer one, not the other way round. */
void
hpm_thread_start(struct hpm_thread *thread, int instance, int parent,
                 const char *label, const char *file, int line,
                 const struct hpm_node *within)
{
    uint64_t *start = hpm_forest_start(thread->forest, instance, parent,
                                       label, file, line, within);

    if (start == NULL)
        return;
    hpm_meter_read(thread->meter, start);
    start[0] = hpm_clock_read();
}

void
hpm_thread_stop(struct hpm_thread *thread, int instance, const char *file,
                int line)
{
    uint64_t *now = thread->forest->now;

    now[0] = hpm_clock_read();
    hpm_meter_read(thread->meter, now);
    hpm_forest_stop(thread->forest, instance, file, line);
}

void
hpm_thread_read(struct hpm_thread *thread, uint64_t *ret_used)
{
    ret_used[0] = hpm_clock_read();
    hpm_meter_read(thread->meter, ret_used);
    for (size_t i = 0; i < thread->meter->n_slots; i++)
        ret_used[i] -= thread->first[i];
}

void
hpm_thread_close_sections(struct hpm_thread *thread, bool is_other)
{
    if (thread->forest->depth == 0)
        return;
    thread->is_closed_by_other = is_other;
    thread->forest->now[0] = hpm_clock_read();
    hpm_meter_read(thread->meter, thread->forest->now);
    hpm_forest_close_all(thread->forest);
}

void
hpm_thread_end(struct hpm_thread *thread)
{
    hpm_thread_close_sections(thread, false);
    hpm_meter_stop(thread->meter);
}
