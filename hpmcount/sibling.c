/* SPDX-License-Identifier: BSD-3-Clause
 * Running the program hpm, which reads performance files. */
#include "hpmcount/sibling.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hpmcount/say.h"

/* The hpm beside this program, else the one in PATH. */
static void
find_hpm(char *ret_path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", ret_path, size - 1);
    char *slash;

    ret_path[n > 0 ? n : 0] = '\0';
    slash = strrchr(ret_path, '/');
    if (slash != NULL && (size_t)(slash - ret_path) + 5 < size) {
        memcpy(slash + 1, "hpm", 4);
        if (access(ret_path, X_OK) == 0)
            return;
    }
    snprintf(ret_path, size, "hpm");
}

static void
read_all(int fd, struct hpm_string *text)
{
    char buffer[4096];
    ssize_t n;

    while ((n = read(fd, buffer, sizeof buffer)) != 0) {
        if (n > 0)
            hpm_string_add_bytes(text, buffer, (size_t)n);
        else if (errno != EINTR)
            break;
    }
}

/* posix_spawn cannot change the folder in every C library, so this process
 * changes to the folder and back.  Returns an error number, or 0. */
static int
spawn_in(const char *folder, const posix_spawn_file_actions_t *actions,
         const char *const *arguments, pid_t *ret_pid)
{
    char path[4096];
    int here = -1, error = 0;

    find_hpm(path, sizeof path);
    if (folder != NULL) {
        here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (here < 0 || chdir(folder) != 0)
            error = errno;
    }
    if (error == 0)
        error = posix_spawnp(ret_pid, path, actions, NULL,
                             (char *const *)arguments, environ);
    if (here >= 0) {
        if (fchdir(here) != 0)
            say("cannot return to the working folder: %s", strerror(errno));
        close(here);
    }
    return error;
}

int
sibling_run(const char *folder, const char *const *arguments,
            struct hpm_string *text)
{
    posix_spawn_file_actions_t actions;
    int pipe_fds[2], status = -1, error;
    pid_t pid;

    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
    error = spawn_in(folder, &actions, arguments, &pid);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_fds[1]);
    if (error == 0) {
        read_all(pipe_fds[0], text);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            continue;
        status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    close(pipe_fds[0]);
    errno = error;
    return status;
}

bool
sibling_was_good(int status)
{
    enum { GOOD = 0, SOME_INPUTS_BAD = 1 };

    return status == GOOD || status == SOME_INPUTS_BAD;
}
