/* SPDX-License-Identifier: BSD-3-Clause
 * Running a program and waiting for it. */
#include "hpm/frame/childrun.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hpm/frame/subcommand.h"

enum { CANNOT_RUN = 126, NOT_FOUND = 127 };

/* ---- signals --------------------------------------------------------- */

static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

enum { N_SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t come; /* the last signal */
static volatile pid_t child;
static struct sigaction before[N_SIGNALS];

/* Pass on SIGTERM and SIGHUP only: a terminal has sent the other signals to the
 * program, too. */
static void
note_signal(int number)
{
    come = number;
    if (child > 0 && (number == SIGTERM || number == SIGHUP))
        kill(child, number);
}

void
childrun_watch(void)
{
    struct sigaction action = {.sa_handler = note_signal};

    come = 0;
    for (int i = 0; i < N_SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void
childrun_leave(void)
{
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

int
childrun_signal(void)
{
    return come;
}

/* ---- the program ----------------------------------------------------- */

static void
say_cannot_run(const char *command, const char *program, int error)
{
    subcommand_say(command, "cannot run '%.200s': %s", program,
                   strerror(error));
}

int
childrun_wait(const char *command, char *const *words,
              childrun_prepare *prepare, void *owner)
{
    int status = -1;

    child = fork();
    if (child == 0) {
        childrun_leave();
        if (prepare != NULL)
            prepare(owner);
        execvp(words[0], words);
        say_cannot_run(command, words[0], errno);
        _exit(errno == ENOENT ? NOT_FOUND : CANNOT_RUN);
    }
    if (child < 0)
        say_cannot_run(command, words[0], errno);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    return status;
}

/* ---- names ----------------------------------------------------------- */

void
childrun_add_pattern(struct hpm_string *pattern, const char *path)
{
    for (; *path != '\0'; path++) {
        if (*path == '%')
            hpm_string_add_char(pattern, '%');
        hpm_string_add_char(pattern, *path);
    }
}
