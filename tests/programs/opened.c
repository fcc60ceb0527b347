/* SPDX-License-Identifier: BSD-3-Clause
 * Counts how often a program has asked for a file or a connection: its own
 * open, fopen and socket replace those of the C library, also for its
 * libraries. */
#include "opened.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int opened_files;
int opened_sockets;

typedef FILE *open_stream(const char *path, const char *mode);

static int
open_file(int folder, const char *path, int flags, unsigned mode)
{
    __atomic_add_fetch(&opened_files, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

/* The mode, which is passed when a file is created. */
#define MODE(last)                                                             \
    __extension__({                                                            \
        va_list arguments;                                                     \
        unsigned mode;                                                         \
        va_start(arguments, last);                                             \
        mode = ((last) & (O_CREAT | O_TMPFILE)) != 0                           \
                   ? va_arg(arguments, unsigned)                               \
                   : 0;                                                        \
        va_end(arguments);                                                     \
        mode;                                                                  \
    })

int
open(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE(flags));
}

int
open64(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE(flags));
}

int
openat(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE(flags));
}

int
openat64(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE(flags));
}

static FILE *
open_by(const char *function, const char *path, const char *mode)
{
    open_stream *real = (open_stream *)dlsym(RTLD_NEXT, function);

    __atomic_add_fetch(&opened_files, 1, __ATOMIC_RELAXED);
    return real(path, mode);
}

FILE *
fopen(const char *path, const char *mode)
{
    return open_by("fopen", path, mode);
}

FILE *
fopen64(const char *path, const char *mode)
{
    return open_by("fopen64", path, mode);
}

int
socket(int domain, int type, int protocol)
{
    __atomic_add_fetch(&opened_sockets, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_socket, domain, type, protocol);
}
