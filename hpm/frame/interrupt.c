/* SPDX-License-Identifier: BSD-3-Clause
 * A signal from the user while a file is being written. */
#include "hpm/frame/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

/* Changed only while these signals are blocked. */
static const struct hpm_output *unfinished;
static pid_t owner;
static struct sigaction before[N_SIGNALS];

/* A forked child has this handler, too, until it runs another program. */
static void
remove_and_end(int number)
{
    if (unfinished != NULL && getpid() == owner)
        hpm_output_remove_unfinished(unfinished);
    signal(number, SIG_DFL);
    raise(number); /* takes effect when this handler returns */
}

static void
block(sigset_t *ret_mask)
{
    sigset_t set;

    sigemptyset(&set);
    for (int i = 0; i < N_SIGNALS; i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, ret_mask);
}

/* Signals that are ignored (nohup) stay ignored. */
static void
watch(const struct hpm_output *output)
{
    struct sigaction action = {.sa_handler = remove_and_end};

    unfinished = output;
    owner = getpid();
    for (int i = 0; i < N_SIGNALS; i++)
        sigaddset(&action.sa_mask, signals[i]);
    for (int i = 0; i < N_SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
    }
}

static void
unwatch(void)
{
    unfinished = NULL;
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

struct hpm_output *
interrupt_open(const struct hpm_destination *destination, struct hpm_error *err)
{
    struct hpm_output *output;
    sigset_t mask;

    block(&mask);
    output = hpm_output_open(destination, err);
    if (output != NULL)
        watch(output);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return output;
}

bool
interrupt_commit(struct hpm_output *output, bool is_synced, char **ret_path,
                 struct hpm_error *err)
{
    sigset_t mask;
    bool is_good;

    block(&mask);
    is_good = hpm_output_commit(output, is_synced, ret_path, err);
    unwatch();
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    return is_good;
}

void
interrupt_abandon(struct hpm_output *output)
{
    sigset_t mask;

    block(&mask);
    hpm_output_abandon(output);
    unwatch();
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
