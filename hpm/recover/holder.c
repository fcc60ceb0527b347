/* SPDX-License-Identifier: BSD-3-Clause
 * Is the process that was writing a file still running? */
#include "hpm/recover/holder.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "source/machine/procfile.h"

/* The start of a process, as calendar time in seconds; 0 where there is no such
 * process, or it has ended and its parent has not waited for it. */
static time_t
beginning_of(long pid)
{
    struct timespec date, uptime;
    unsigned long long ticks;
    char path[64], text[1024];
    const char *rest;
    char state;

    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (!hpm_procfile_line(path, text, sizeof text))
        return 0;
    rest = strrchr(text, ')'); /* the program's name may contain anything */
    if (rest == NULL ||
        sscanf(rest,
               ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s "
               "%*s %*s %*s %*s %llu",
               &state, &ticks) != 2 ||
        state == 'Z' || state == 'X')
        return 0;
    clock_gettime(CLOCK_REALTIME, &date);
    clock_gettime(CLOCK_BOOTTIME, &uptime);
    return date.tv_sec - uptime.tv_sec +
           (time_t)(ticks / (unsigned long long)sysconf(_SC_CLK_TCK));
}

bool
holder_is_there(long pid, const struct stat *status)
{
    time_t beginning = pid > 0 ? beginning_of(pid) : 0;

    /* both times are only exact to a second */
    return beginning != 0 && beginning <= status->st_mtim.tv_sec + 2;
}
