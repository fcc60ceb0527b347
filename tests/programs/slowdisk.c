/* SPDX-License-Identifier: BSD-3-Clause
 * Loaded before hpmviz: a disk that is slow.  Each call that looks for a file beneath
 * the folder HPM_TEST_SLOW takes HPM_TEST_SLOW_MS milliseconds, and one by the first
 * thread, which draws the window, is a line of the file HPM_TEST_SLOW_LOG.
 *
 * Calls that the C library makes itself (of fopen, say) are not seen. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* ---- waiting ----------------------------------------------------------- */

static void
note(const char *call, const char *path)
{
    const char *log = getenv("HPM_TEST_SLOW_LOG");
    char line[PATH_MAX + 64];
    int n = snprintf(line, sizeof line, "%s %s\n", call, path);
    int fd = log != NULL
                 ? (int)syscall(SYS_openat, AT_FDCWD, log,
                                O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
                 : -1;

    if (fd >= 0 && n > 0 && write(fd, line, (size_t)n) < 0)
        perror("slowdisk");
    if (fd >= 0)
        close(fd);
}

/* The whole name of what is in the folder of a descriptor. */
static const char *
whole_name(int folder, const char *path, char *room, size_t size)
{
    char link[64];
    ssize_t n;

    if (path[0] == '/' || folder == AT_FDCWD)
        return path;
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    n = syscall(SYS_readlinkat, AT_FDCWD, link, room, size - 1);
    if (n < 0)
        return path;
    room[n] = '\0';
    snprintf(room + n, size - (size_t)n, "/%s", path);
    return room;
}

static void
look_for(const char *call, int folder, const char *path)
{
    const char *slow = getenv("HPM_TEST_SLOW"), *words;
    char room[2 * PATH_MAX];
    struct timespec time = {0, 0};
    long ms;

    if (slow == NULL || path == NULL)
        return;
    path = whole_name(folder, path, room, sizeof room);
    if (strncmp(path, slow, strlen(slow)) != 0)
        return;
    if (gettid() == getpid())
        note(call, path);
    words = getenv("HPM_TEST_SLOW_MS");
    ms = words != NULL ? atol(words) : 0;
    time.tv_sec = ms / 1000;
    time.tv_nsec = ms % 1000 * 1000000;
    nanosleep(&time, NULL);
}

/* ---- the calls --------------------------------------------------------- */

#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

/* The mode is there only where a file is made. */
#define OPENS(name)                                                            \
    int name(const char *path, int flags, ...)                                 \
    {                                                                          \
        va_list more;                                                          \
        unsigned mode;                                                         \
                                                                               \
        va_start(more, flags);                                                 \
        mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;                   \
        va_end(more);                                                          \
        look_for(#name, AT_FDCWD, path);                                       \
        return REAL(name)(path, flags, mode);                                  \
    }
#define OPENS_AT(name)                                                         \
    int name(int folder, const char *path, int flags, ...)                     \
    {                                                                          \
        va_list more;                                                          \
        unsigned mode;                                                         \
                                                                               \
        va_start(more, flags);                                                 \
        mode = flags & O_CREAT ? va_arg(more, unsigned) : 0;                   \
        va_end(more);                                                          \
        look_for(#name, folder, path);                                         \
        return REAL(name)(folder, path, flags, mode);                          \
    }
#define TAKES_PATH(type, name, rest, arguments)                                \
    type name(const char *path rest)                                           \
    {                                                                          \
        look_for(#name, AT_FDCWD, path);                                       \
        return REAL(name) arguments;                                           \
    }
#define TAKES_PLACE(type, name, rest, arguments)                               \
    type name(int folder, const char *path rest)                               \
    {                                                                          \
        look_for(#name, folder, path);                                         \
        return REAL(name) arguments;                                           \
    }
#define AND ,

OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)
TAKES_PATH(FILE *, fopen, AND const char *mode, (path, mode))
TAKES_PATH(FILE *, fopen64, AND const char *mode, (path, mode))
TAKES_PATH(DIR *, opendir, , (path))
TAKES_PATH(int, stat, AND struct stat *status, (path, status))
TAKES_PATH(int, stat64, AND struct stat64 *status, (path, status))
TAKES_PATH(int, lstat, AND struct stat *status, (path, status))
TAKES_PATH(int, lstat64, AND struct stat64 *status, (path, status))
TAKES_PATH(int, access, AND int mode, (path, mode))
TAKES_PATH(int, mkdir, AND mode_t mode, (path, mode))
TAKES_PATH(int, unlink, , (path))
TAKES_PATH(int, rename, AND const char *to, (path, to))
TAKES_PATH(char *, realpath, AND char *resolved, (path, resolved))
TAKES_PATH(ssize_t, readlink, AND char *target AND size_t size,
           (path, target, size))
TAKES_PLACE(int, fstatat, AND struct stat *status AND int flags,
            (folder, path, status, flags))
TAKES_PLACE(int, fstatat64, AND struct stat64 *status AND int flags,
            (folder, path, status, flags))
TAKES_PLACE(int, statx,
            AND int flags AND unsigned mask AND struct statx *status,
            (folder, path, flags, mask, status))
TAKES_PLACE(int, faccessat, AND int mode AND int flags,
            (folder, path, mode, flags))
TAKES_PLACE(int, unlinkat, AND int flags, (folder, path, flags))
TAKES_PLACE(int, renameat, AND int other AND const char *to,
            (folder, path, other, to))
TAKES_PLACE(int, renameat2, AND int other AND const char *to AND unsigned flags,
            (folder, path, other, to, flags))
TAKES_PLACE(ssize_t, readlinkat, AND char *target AND size_t size,
            (folder, path, target, size))

long
syscall(long number, ...)
{
    va_list more;
    long a[6];

    va_start(more, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(more, long);
    va_end(more);
    if (number == SYS_openat2)
        look_for("openat2", (int)a[0], (const char *)a[1]);
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
