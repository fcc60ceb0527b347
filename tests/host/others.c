/* SPDX-License-Identifier: BSD-3-Clause
 * Whether other threads have slept for a while. */
#include "host/others.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include "tap.h"

enum { WAIT, WORK, END };

struct worker {
    pthread_t thread;
    int wakes[2], dones[2];
};

/* Does what each byte says, and answers; sleeps between bytes. */
static void *
obey(void *argument)
{
    struct worker *worker = argument;
    char word = WAIT;

    while (word != END && read(worker->wakes[0], &word, 1) == 1) {
        for (volatile int i = 0; word == WORK && i < 100000; i = i + 1)
            continue;
        if (write(worker->dones[1], &word, 1) != 1)
            break;
    }
    return NULL;
}

static bool
tell(struct worker *worker, char word)
{
    return write(worker->wakes[1], &word, 1) == 1 &&
           read(worker->dones[0], &word, 1) == 1;
}

/* The answer comes before the thread sleeps again. */
static void
wait_until_asleep(struct hpm_others *others)
{
    do {
        hpm_others_look(others);
        usleep(20000);
    } while (!hpm_others_slept(others));
}

int
main(void)
{
    static struct hpm_others others;
    struct worker worker;

    hpm_others_look(&others);
    ok(others.is_known && others.n == 0 && hpm_others_slept(&others),
       "without other threads none has run");
    if (pipe(worker.wakes) != 0 || pipe(worker.dones) != 0 ||
        pthread_create(&worker.thread, NULL, obey, &worker) != 0)
        return 1;
    tell(&worker, WAIT);
    wait_until_asleep(&others);
    hpm_others_look(&others);
    ok(others.is_known && others.n == 1, "another thread is found");
    ok(hpm_others_slept(&others), "one that sleeps has slept");
    tell(&worker, WORK);
    ok(!hpm_others_slept(&others), "one that has worked has not");
    hpm_others_look(&others);
    tell(&worker, END);
    pthread_join(worker.thread, NULL);
    ok(!hpm_others_slept(&others), "nor has one that has ended");
    return done();
}
