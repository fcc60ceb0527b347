/* SPDX-License-Identifier: BSD-3-Clause
 * The child of hpmcount that becomes the program.
 *
 * The kernel keeps the peak memory of a process through exec, so the child's
 * size is the smallest peak that can be reported for a program.  Therefore the
 * child has no memory of hpmcount but the stack, calls few functions, and does
 * not use the dynamic linker for them: looking up a name reads tables that are
 * as large again. */
#include "hpmcount/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/launcher.h"
#include "host/memory.h"
#include "host/path.h"
#include "study/probe/executable.h"

enum { OWN_FAILURE = 125 };

/* Resolved when hpmcount is loaded, not in the child. */
static int (*const volatile bound_close)(int) = close;
static int (*const volatile bound_execve)(const char *, char *const *,
                                          char *const *) = execve;
static int (*const volatile bound_prctl)(int, ...) = prctl;
static int (*const volatile bound_getrusage)(__rusage_who_t,
                                             struct rusage *) = getrusage;
static ssize_t (*const volatile bound_read)(int, void *, size_t) = read;
static ssize_t (*const volatile bound_write)(int, const void *, size_t) = write;

/* ---- in the child ---------------------------------------------------- */

/* Counters begin in the middle of exec, but getrusage begins at the fork: so
 * the child reports its own usage until then.  What the kernel does in exec
 * before it starts the counters cannot be known: it copies arguments and
 * environment into the new memory, which causes some page faults. */
static void
tell_usage(int fd)
{
    struct rusage usage;

    bound_getrusage(RUSAGE_SELF, &usage);
    while (bound_write(fd, &usage, sizeof usage) < 0 && errno == EINTR)
        continue;
}

/* The child reads one byte (the go-ahead) and writes its usage. */
uint64_t
child_own_io(const char *event)
{
    if (strcmp(event, "proc::wchar") == 0)
        return sizeof(struct rusage);
    return strcmp(event, "proc::rchar") == 0 ||
           strcmp(event, "proc::syscr") == 0 ||
           strcmp(event, "proc::syscw") == 0;
}

/* A launcher ends the other tasks of a job by SIGKILL when one has died.  It sends that
 * to hpmcount, which cannot pass it on: the program would go on without a job, wait for
 * the others for ever, and keep the launcher waiting, too.  If hpmcount has died
 * already, become_program finds its pipe closed. */
static void
die_with_parent(void)
{
    bound_prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* Wait until the counters are open, then become the program.  If this fails,
 * send errno; a successful exec closes the pipe.  The parent has already found
 * the file; execvp deals with a missing file, or one that is not a program. */
static void
become_program(const char *path, char **argv, int go_fd, int error_fd,
               const struct relay *relay)
{
    char go;
    int error;
    ssize_t n;

    do
        n = bound_read(go_fd, &go, 1);
    while (n < 0 && errno == EINTR);
    if (n != 1)
        _exit(OWN_FAILURE); /* hpmcount has died */
    relay_restore(relay);
    bound_execve("", argv, environ); /* fails, but its code is then in memory */
    tell_usage(error_fd);
    bound_execve(path, argv, environ);
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES ||
        errno == ENOEXEC)
        execvp(argv[0], argv); /* the next such file, or a shell script */
    error = errno;
    while (write(error_fd, &error, sizeof error) < 0 && errno == EINTR)
        continue;
    _exit(127);
}

/* ---- in the parent --------------------------------------------------- */

struct pipes {
    int go[2];    /* parent to child: go on */
    int error[2]; /* child to parent: errno of exec */
};

static void
close_pair(int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* Both ends are above 2: if standard descriptors are closed, a pipe must not
 * become the program's standard input. */
static bool
open_pair(int ret_pair[2])
{
    int pair[2], moved[2];

    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    moved[0] = fcntl(pair[0], F_DUPFD_CLOEXEC, 3);
    moved[1] = fcntl(pair[1], F_DUPFD_CLOEXEC, 3);
    close_pair(pair);
    if (moved[0] < 0 || moved[1] < 0)
        return false;
    memcpy(ret_pair, moved, sizeof moved);
    return true;
}

static bool
open_pipes(struct pipes *ret_pipes)
{
    if (!open_pair(ret_pipes->go))
        return false;
    if (open_pair(ret_pipes->error))
        return true;
    close_pair(ret_pipes->go);
    return false;
}

static bool
read_whole(int fd, void *whole, size_t size)
{
    ssize_t n;

    do
        n = read(fd, whole, size);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size;
}

/* Read what the child used until exec; returns 0 when the program was started,
 * else errno of exec.  Waits until the child closes the pipe: waking up at each
 * message would delay the exec. */
static int
read_start(int fd, struct rusage *ret_before)
{
    struct pollfd closed = {.fd = fd};
    int error = 0;

    while (poll(&closed, 1, -1) < 0 && errno == EINTR)
        continue;
    if (!read_whole(fd, ret_before, sizeof *ret_before))
        memset(ret_before, 0, sizeof *ret_before);
    return read_whole(fd, &error, sizeof error) ? error : 0;
}

/* The path of argv[0], on the stack, because the child has no other memory; ""
 * where execvp is to report the error. */
static void
find_program(const char *word, char ret_path[PATH_MAX])
{
    struct hpm_string path = {0};

    ret_path[0] = '\0';
    if (hpm_executable_find(word, &path) && path.length < PATH_MAX)
        strcpy(ret_path, hpm_string_text(&path));
    hpm_string_free(&path);
}

/* Keep libpfm's relocated data, 1 MB, out of the child. */
static int
advise_object(struct dl_phdr_info *object, size_t size, void *advice)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const char *name = hpm_path_base_name(object->dlpi_name);

    (void)size;
    if (strncmp(name, "libpfm.", 7) != 0 && strncmp(name, "libpapi.", 8) != 0)
        return 0;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t from = object->dlpi_addr + part->p_vaddr;
        uintptr_t to = from + part->p_memsz;

        from -= from % page;
        if (part->p_type == PT_LOAD && (part->p_flags & PF_W) != 0)
            madvise((void *)from, to - from, *(const int *)advice);
    }
    return 0;
}

/* Fork without the memory of hpmcount that the child does not need. */
static pid_t
fork_small(void)
{
    int advice = MADV_DONTFORK;
    pid_t pid;

    hpm_memory_withhold(true);
    dl_iterate_phdr(advise_object, &advice);
    pid = fork();
    if (pid == 0)
        return 0;
    advice = MADV_DOFORK;
    dl_iterate_phdr(advise_object, &advice);
    hpm_memory_withhold(false);
    return pid;
}

int
child_start(struct child *ret_child, char **argv, struct relay *relay,
            struct hpm_error *err)
{
    const bool is_task = hpm_launcher_rank() >= 0;
    char path[PATH_MAX];
    struct pipes pipes;
    pid_t pid;

    if (!open_pipes(&pipes)) {
        hpm_error_set(err, "cannot make a pipe: %s", strerror(errno));
        return OWN_FAILURE;
    }
    find_program(argv[0], path);
    pid = fork_small();
    if (pid == 0) {
        bound_close(pipes.go[1]);
        if (is_task)
            die_with_parent();
        become_program(path, argv, pipes.go[0], pipes.error[1], relay);
    }
    if (pid < 0)
        hpm_error_set(err, "cannot start a process: %s", strerror(errno));
    close(pipes.go[0]);
    close(pipes.error[1]);
    *ret_child = (struct child){argv[0], pipes.go[1], pipes.error[0]};
    if (pid > 0) {
        relay->program = pid;
        return 0;
    }
    close(ret_child->go);
    close(ret_child->error);
    return OWN_FAILURE;
}

int
child_release(struct child *child, struct rusage *ret_before,
              struct hpm_error *err)
{
    int error;

    while (write(child->go, "", 1) < 0 && errno == EINTR)
        continue;
    error = read_start(child->error, ret_before);
    close(child->go);
    close(child->error);
    if (error == 0)
        return 0;
    hpm_error_set(err, "cannot run '%s': %s", child->word, strerror(error));
    return error == ENOENT || error == ENOTDIR ? 127 : 126;
}

void
child_dismiss(struct child *child, struct relay *relay)
{
    close(child->go);
    close(child->error);
    kill(relay->program, SIGKILL);
    while (waitpid(relay->program, NULL, 0) < 0 && errno == EINTR)
        continue;
}
