/* SPDX-License-Identifier: BSD-3-Clause
 * Writing all bytes, without a signal to the program. */
#include "host/write.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* Signals and limits are tried in children, which must survive them. */
static void
check_child(bool (*is_right)(void), const char *sentence)
{
    int status = -1;
    pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        signal(SIGPIPE, SIG_DFL);
        signal(SIGXFSZ, SIG_DFL);
        alarm(300);
        _exit(is_right() ? 0 : 1);
    }
    waitpid(child, &status, 0);
    ok(child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0, sentence);
    if (WIFSIGNALED(status))
        printf("# ended by signal %d\n", WTERMSIG(status));
}

static bool
is_pending(int signal)
{
    sigset_t pending;

    sigpending(&pending);
    return sigismember(&pending, signal) == 1;
}

static bool
is_blocked(int signal)
{
    sigset_t mask;

    sigprocmask(SIG_SETMASK, NULL, &mask);
    return sigismember(&mask, signal) == 1;
}

static void
block(int signal)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

static int
closed_pipe(void)
{
    int ends[2];

    if (pipe(ends) != 0)
        _exit(99);
    close(ends[0]);
    return ends[1];
}

enum { LIMIT = 1000 };

/* A file without a name that may grow to LIMIT bytes. */
static int
limited_file(void)
{
    char path[] = "/tmp/hpm-write-XXXXXX";
    int fd = mkstemp(path);

    if (fd < 0 || unlink(path) != 0 ||
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){LIMIT, RLIM_INFINITY}) != 0)
        _exit(99);
    return fd;
}

static const char bytes[4 * LIMIT];

/* ---- what succeeds --------------------------------------------------- */

static void
test_plain(void)
{
    char got[16];
    int ends[2];

    ok(pipe(ends) == 0, "a pipe can be made");
    errno = 77;
    ok(hpm_write_all(ends[1], "a\0bc", 4) == 0 && errno == 77,
       "writing succeeds and keeps errno");
    ok(read(ends[0], got, sizeof got) == 4 && memcmp(got, "a\0bc", 4) == 0,
       "all bytes arrive");
    ok(hpm_write_all(ends[1], "", 0) == 0, "no bytes are no trouble");
    close(ends[0]);
    close(ends[1]);
}

static void
on_alarm(int signal)
{
    (void)signal;
}

enum { MANY = 1 << 20 };

static unsigned char
pattern(size_t i)
{
    return (unsigned char)(i * 2654435761u >> 16);
}

/* Reads slowly; 0 when all bytes came in order. */
static int
read_slowly(int fd)
{
    static unsigned char part[1 << 16];
    size_t n_read = 0;
    ssize_t n;

    while ((n = read(fd, part, sizeof part)) > 0) {
        for (ssize_t i = 0; i < n; i++) {
            if (part[i] != pattern(n_read++))
                return 1;
        }
        usleep(2000);
    }
    return n_read == MANY ? 0 : 1;
}

/* A timer interrupts write calls, some of them in the middle. */
static bool
is_whole_in_spite_of_signals(void)
{
    static char many[MANY];
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 700}, {0, 700}};
    int ends[2], status = -1, error;
    pid_t reader;

    if (pipe(ends) != 0 || (reader = fork()) < 0)
        return false;
    if (reader == 0) {
        close(ends[1]);
        _exit(read_slowly(ends[0]));
    }
    close(ends[0]);
    for (size_t i = 0; i < MANY; i++)
        many[i] = (char)pattern(i);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    error = hpm_write_all(ends[1], many, MANY);
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    close(ends[1]);
    waitpid(reader, &status, 0);
    return error == 0 && status == 0;
}

/* ---- what fails ------------------------------------------------------ */

static bool
is_closed_pipe_survived(void)
{
    int fd = closed_pipe();

    errno = 77;
    return hpm_write_all(fd, bytes, 10) == EPIPE && errno == 77 &&
           !is_pending(SIGPIPE) && !is_blocked(SIGPIPE) && !is_blocked(SIGXFSZ);
}

static bool
is_file_limit_survived(void)
{
    int fd = limited_file();

    errno = 77;
    return hpm_write_all(fd, bytes, sizeof bytes) == EFBIG && errno == 77 &&
           !is_pending(SIGXFSZ) && !is_blocked(SIGXFSZ) &&
           !is_blocked(SIGPIPE) && lseek(fd, 0, SEEK_END) == LIMIT;
}

static volatile sig_atomic_t n_handled;

static void
count_signal(int signal)
{
    (void)signal;
    n_handled++;
}

static bool
is_handler_left_alone(void)
{
    struct sigaction action = {.sa_handler = count_signal};
    int fd;

    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    fd = limited_file();
    return hpm_write_all(closed_pipe(), bytes, 10) == EPIPE &&
           hpm_write_all(fd, bytes, sizeof bytes) == EFBIG && n_handled == 0;
}

static bool
is_ignored_signal_fine(void)
{
    int fd;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    fd = limited_file();
    return hpm_write_all(closed_pipe(), bytes, 10) == EPIPE &&
           hpm_write_all(fd, bytes, sizeof bytes) == EFBIG;
}

static void
test_errors(void)
{
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    errno = 77;
    ok(hpm_write_all(-1, "a", 1) == EBADF && errno == 77,
       "a bad descriptor is told, errno is kept");
    if (fd >= 0)
        ok(hpm_write_all(fd, "a", 1) == ENOSPC, "a full disk is told");
    else
        skip("a full disk is told", "there is no /dev/full");
    close(fd);
}

static bool
is_limit_survived_in_place(void)
{
    int fd = limited_file();

    errno = 77;
    return hpm_write_all_at(fd, bytes, sizeof bytes, 10) == EFBIG &&
           hpm_write_reserve(fd, 0, 2 * LIMIT) == EFBIG && errno == 77 &&
           !is_pending(SIGXFSZ) && !is_blocked(SIGXFSZ) &&
           lseek(fd, 0, SEEK_END) == LIMIT;
}

static void
test_in_place(void)
{
    char path[] = "/tmp/hpm-write-XXXXXX", got[16] = "";
    int fd = mkstemp(path);

    ok(fd >= 0 && unlink(path) == 0, "a file can be made");
    ok(hpm_write_reserve(fd, 0, 8192) == 0 && lseek(fd, 0, SEEK_END) == 8192,
       "reserved room is in the file");
    ok(hpm_write_all_at(fd, "abc", 3, 5000) == 0 &&
           pread(fd, got, 5, 4999) == 5 && memcmp(got, "\0abc", 5) == 0,
       "bytes are written where they belong");
    ok(hpm_write_all_at(-1, "a", 1, 0) == EBADF &&
           hpm_write_reserve(-1, 0, 1) == EBADF,
       "a bad descriptor is told there, too");
    close(fd);
}

/* ---- the program's own signals --------------------------------------- */

static bool
is_pending_pipe_kept(void)
{
    block(SIGPIPE);
    raise(SIGPIPE);
    return hpm_write_all(closed_pipe(), bytes, 10) == EPIPE &&
           is_pending(SIGPIPE) && is_blocked(SIGPIPE);
}

static bool
is_pending_limit_kept(void)
{
    int fd = limited_file();

    block(SIGXFSZ);
    raise(SIGXFSZ);
    return hpm_write_all(fd, bytes, sizeof bytes) == EFBIG &&
           is_pending(SIGXFSZ) && is_blocked(SIGXFSZ);
}

/* One SIGPIPE is pending before; the other signal is caused by the write. */
static bool
is_pending_pipe_apart_from_limit(void)
{
    int fd = limited_file();

    block(SIGPIPE);
    raise(SIGPIPE);
    return hpm_write_all(fd, bytes, sizeof bytes) == EFBIG &&
           is_pending(SIGPIPE) && !is_pending(SIGXFSZ);
}

static bool
is_pending_limit_apart_from_pipe(void)
{
    block(SIGXFSZ);
    raise(SIGXFSZ);
    return hpm_write_all(closed_pipe(), bytes, 10) == EPIPE &&
           is_pending(SIGXFSZ) && !is_pending(SIGPIPE);
}

static bool
is_blocked_signal_not_left(void)
{
    block(SIGPIPE);
    block(SIGUSR1);
    return hpm_write_all(closed_pipe(), bytes, 10) == EPIPE &&
           !is_pending(SIGPIPE) && is_blocked(SIGPIPE) && is_blocked(SIGUSR1) &&
           !is_blocked(SIGXFSZ);
}

static bool
is_pending_kept_by_success(void)
{
    int ends[2];

    block(SIGPIPE);
    raise(SIGPIPE);
    return pipe(ends) == 0 && hpm_write_all(ends[1], bytes, 10) == 0 &&
           is_pending(SIGPIPE);
}

int
main(void)
{
    test_plain();
    check_child(is_whole_in_spite_of_signals,
                "all bytes arrive in spite of signals and a full pipe");
    check_child(is_closed_pipe_survived,
                "a closed pipe is told and does not kill");
    check_child(is_file_limit_survived,
                "a file size limit is told after what fits, does not kill");
    check_child(is_handler_left_alone, "the program's handlers do not run");
    check_child(is_ignored_signal_fine,
                "where the signals are ignored, errors are told as well");
    test_errors();
    test_in_place();
    check_child(
        is_limit_survived_in_place,
        "a file size limit does not kill who writes or reserves in place");
    check_child(is_pending_pipe_kept, "a SIGPIPE that was pending still is");
    check_child(is_pending_limit_kept, "a SIGXFSZ that was pending still is");
    check_child(is_pending_pipe_apart_from_limit,
                "with SIGPIPE pending, a file size limit does not kill");
    check_child(is_pending_limit_apart_from_pipe,
                "with SIGXFSZ pending, a closed pipe does not kill");
    check_child(is_blocked_signal_not_left,
                "a blocked signal stays blocked and is not left pending");
    check_child(is_pending_kept_by_success,
                "writing that succeeds leaves a pending signal");
    return done();
}
