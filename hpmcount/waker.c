/* SPDX-License-Identifier: BSD-3-Clause
 * A process that continues a stopped hpmcount when the program continues. */
#include "hpmcount/waker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "source/machine/procfile.h"

enum { STEP_MS = 50 };

bool
waker_sees_stop(pid_t program)
{
    char path[64], line[512];
    const char *end = NULL;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)program);
    if (hpm_procfile_line(path, line, sizeof line))
        end = strrchr(line, ')'); /* the name may contain anything */
    return end != NULL && strncmp(end, ") T", 3) == 0;
}

/* Close the standard streams: no reader may wait for this process. */
static void
leave_streams(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
}

static void
watch(pid_t program, pid_t hpmcount)
{
    const struct timespec step = {0, STEP_MS * 1000000L};

    leave_streams();
    while (getppid() == hpmcount && waker_sees_stop(program))
        nanosleep(&step, NULL);
    if (getppid() == hpmcount)
        kill(hpmcount, SIGCONT);
    _exit(0);
}

pid_t
waker_start(pid_t program)
{
    pid_t hpmcount = getpid();
    pid_t pid = fork();

    if (pid == 0)
        watch(program, hpmcount);
    return pid;
}

void
waker_end(pid_t waker)
{
    if (waker < 0)
        return;
    kill(waker, SIGKILL);
    while (waitpid(waker, NULL, 0) < 0 && errno == EINTR)
        continue;
}
