/* SPDX-License-Identifier: BSD-3-Clause
 * The thread that takes samples out of rings: whose they are, from run to run. */
#include "record/drainer.c"

#include "tap.h"

static struct hpm_threads first, second;
static struct hpm_sampling sampling; /* of nothing: rounds are far apart */

static struct hpm_threads *
now_drained(void)
{
    struct hpm_threads *threads;

    pthread_mutex_lock(&drainer.lock);
    threads = drainer.threads;
    pthread_mutex_unlock(&drainer.lock);
    return threads;
}

static void
test_runs(void)
{
    struct hpm_error err;

    ok(hpm_drainer_start(&first, &sampling, &err), "it is started");
    ok(now_drained() == &first, "for the threads of that run");
    ok(hpm_drainer_start(&second, &sampling, &err) && now_drained() == &first,
       "what begins meanwhile, to calibrate, does not take it away");
    hpm_drainer_end(&second);
    ok(now_drained() == &first, "nor does the end of that");
    hpm_drainer_end(&first);
    ok(now_drained() == NULL, "at the end of the run it has nothing to do");
    ok(hpm_drainer_start(&second, &sampling, &err) && now_drained() == &second,
       "the next run has it, whether it was still asleep or had ended");
    hpm_drainer_end(&second);
}

/* Whatever it is doing in this instant: it ends in the end. */
static void
test_asleep(void)
{
    struct hpm_error err;

    pthread_mutex_lock(&drainer.lock);
    atomic_store(&drainer.pid, getpid());
    drainer.threads = NULL;
    pthread_mutex_unlock(&drainer.lock);
    ok(hpm_drainer_start(&first, &sampling, &err) && now_drained() == &first,
       "one that is asleep, of an earlier run, goes on for the new one");
    hpm_drainer_end(&first);
}

int
main(void)
{
    hpm_threads_init(&first, 1);
    hpm_threads_init(&second, 1);
    test_runs();
    test_asleep();
    return done();
}
