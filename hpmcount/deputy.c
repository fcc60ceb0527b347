/* SPDX-License-Identifier: BSD-3-Clause
 * A child process for work that may never end. */
#include "hpmcount/deputy.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "host/write.h"
#include "hpmcount/say.h"

enum { DEFAULT_SECONDS = 60, NS_PER_MS = 1000000 };

/* Two pipes from the child to hpmcount: its messages, and the reason of a
 * failure. */
struct line {
    int said[2];
    int why[2];
};

static void
close_pair(int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

static bool
open_line(struct line *line)
{
    if (pipe2(line->said, O_CLOEXEC) != 0)
        return false;
    if (pipe2(line->why, O_CLOEXEC) == 0)
        return true;
    close_pair(line->said);
    return false;
}

/* ---- the deputy ------------------------------------------------------ */

/* Close hpmcount's streams: a program that reads hpmcount's output must not
 * wait for the child. */
static void
serve(deputy_work *work, void *context, const struct line *line)
{
    struct hpm_error err = {""};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool is_done;

    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
    dup2(line->said[1], STDERR_FILENO);
    close(line->said[0]);
    close(line->said[1]);
    close(line->why[0]);
    say_forget(); /* hpmcount has these messages, too */
    is_done = work(context, &err);
    if (!is_done)
        hpm_write_all(line->why[1], err.text, strlen(err.text));
    _exit(is_done ? 0 : 1);
}

/* ---- hpmcount -------------------------------------------------------- */

static uint64_t
now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / NS_PER_MS;
}

/* The time for poll: -1 is without limit. */
static int
left_ms(uint64_t end)
{
    uint64_t now = now_ms();

    if (end == 0)
        return -1;
    if (now >= end)
        return 0;
    return end - now < INT32_MAX ? (int)(end - now) : INT32_MAX;
}

/* Pass on the child's messages until it ends, which closes the pipe.  False
 * when the time is over. */
static bool
listen_to(int said, uint64_t end)
{
    for (;;) {
        struct pollfd wanted = {.fd = said, .events = POLLIN};
        char text[1024];
        ssize_t n;

        if (poll(&wanted, 1, left_ms(end)) == 0)
            return false;
        n = read(said, text, sizeof text);
        if (n > 0)
            say_text(text, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return true;
    }
}

static bool
judge(pid_t pid, int why, struct hpm_error *err)
{
    char text[sizeof err->text];
    int status = 0;
    ssize_t n;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    n = read(why, text, sizeof text - 1);
    if (n > 0)
        return hpm_error_set(err, "%.*s", (int)n, text);
    return hpm_error_set(err, "signal %d ended the process that wrote it",
                         WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* Do not wait for the child: even a kill may not end it now. */
static bool
give_up(pid_t pid, unsigned long seconds, struct hpm_error *err)
{
    kill(pid, SIGKILL);
    return hpm_error_set(err,
                         "nothing was written in %lu s; given up (HPM_TIMEOUT "
                         "says how long to wait)",
                         seconds);
}

unsigned long
deputy_patience(void)
{
    return hpm_env_number(HPM_VARIABLE_TIMEOUT, 0, DEFAULT_SECONDS);
}

bool
deputy_do(deputy_work *work, void *context, struct hpm_error *err)
{
    unsigned long seconds = deputy_patience();
    uint64_t end = seconds > 0 && seconds < UINT64_MAX / 2000
                       ? now_ms() + (uint64_t)seconds * 1000
                       : 0;
    struct line line;
    bool is_good;
    pid_t pid;

    if (!open_line(&line))
        return work(context, err);
    pid = fork();
    if (pid == 0)
        serve(work, context, &line);
    close(line.said[1]);
    close(line.why[1]);
    if (pid < 0)
        is_good = work(context, err);
    else
        is_good = listen_to(line.said[0], end) ? judge(pid, line.why[0], err)
                                               : give_up(pid, seconds, err);
    close(line.said[0]);
    close(line.why[0]);
    return is_good;
}
