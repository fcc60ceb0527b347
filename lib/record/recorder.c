/* SPDX-License-Identifier: BSD-3-Clause
 * The recorder: one recording of one process, from init to harvest. */
#include "record/recorder.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"

/* Present where the program brought an OpenMP runtime with it. */
extern int omp_get_level(void) __attribute__((weak));
extern int omp_get_thread_num(void) __attribute__((weak));

struct hpm_recorder *
hpm_recorder_new(const struct hpm_eventset *set,
                 void (*say)(const char *line), int *error_counter,
                 struct hpm_error *err)
{
    struct hpm_recorder *recorder = hpm_memory_new(1, sizeof *recorder);

    if (recorder != NULL)
        recorder->problems = hpm_problems_new(say, error_counter);
    if (recorder == NULL || recorder->problems == NULL) {
        hpm_memory_free(recorder);
        hpm_error_no_memory(err);
        return NULL;
    }
    recorder->set = set;
    pthread_mutex_init(&recorder->lock, NULL);
    hpm_process_init(&recorder->process, set, recorder->problems);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    clock_gettime(CLOCK_REALTIME, &recorder->start_date);
    recorder->start = hpm_clock_instant();
    return recorder;
}

void
hpm_recorder_free(struct hpm_recorder *recorder)
{
    if (recorder == NULL)
        return;
    while (recorder->threads != NULL) {
        struct hpm_thread *thread = recorder->threads;

        recorder->threads = thread->next;
        hpm_thread_free(thread);
    }
    hpm_process_clear(&recorder->process);
    hpm_problems_free(recorder->problems);
    pthread_mutex_destroy(&recorder->lock);
    hpm_memory_free(recorder);
}

/* The thread's number in a parallel region of the first level, -1 elsewhere:
 * there the numbers of different teams would collide. */
static int
openmp_number(void)
{
    if (omp_get_level == NULL || omp_get_thread_num == NULL ||
        omp_get_level() != 1)
        return -1;
    return omp_get_thread_num();
}

static bool
is_taken(const struct hpm_recorder *recorder, int tid)
{
    for (const struct hpm_thread *thread = recorder->threads; thread != NULL;
         thread = thread->next) {
        if (thread->tid == tid)
            return true;
    }
    return false;
}

/* In order of first use, but OpenMP's own number where it is free. */
static void
choose_tid(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    int omp = openmp_number();

    if (omp >= 0 && !is_taken(recorder, omp)) {
        thread->tid = omp;
        return;
    }
    while (is_taken(recorder, recorder->next_tid))
        recorder->next_tid++;
    thread->tid = recorder->next_tid++;
    thread->omp = omp;
}

struct hpm_thread *
hpm_recorder_enter(struct hpm_recorder *recorder)
{
    struct hpm_thread *thread =
        hpm_thread_new(recorder->set, recorder->problems);

    if (thread == NULL) {
        hpm_problems_add(recorder->problems, HPM_PROBLEM_NO_MEMORY,
                         &(struct hpm_place){0, "thread", NULL, 0}, 1);
        return NULL;
    }
    pthread_mutex_lock(&recorder->lock);
    choose_tid(recorder, thread);
    thread->next = recorder->threads;
    recorder->threads = thread;
    pthread_mutex_unlock(&recorder->lock);
    return thread;
}

void
hpm_recorder_leave(struct hpm_recorder *recorder, struct hpm_thread *thread)
{
    if (!hpm_recorder_begin_call(recorder, thread))
        return;
    hpm_thread_end(thread);
    thread->has_ended = true;
    hpm_recorder_end_call(thread);
}
