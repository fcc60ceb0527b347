/* SPDX-License-Identifier: BSD-3-Clause
 * Helper programs of hpm, which users do not call. */
#include "hpm/frame/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- find ------------------------------------------------------------ */

/* The length of the common folders of both, including the last slash. */
static size_t
common_length(const char *a, const char *b)
{
    size_t length = 0;

    for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++) {
        if (a[i] == '/')
            length = i + 1;
    }
    return length;
}

/* This program's folder, without a slash at the end. */
static bool
find_own_folder(char *ret_folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", ret_folder, size - 1);
    char *slash;

    if (length <= 0)
        return false;
    ret_folder[length] = '\0';
    slash = strrchr(ret_folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

/* BINDIR and HELPERDIR are the folders of configure.  If a package was moved,
 * or installed below another root, only their common part changes. */
static void
add_helper_folder(struct hpm_string *path, const char *own_folder)
{
    size_t common = common_length(BINDIR, HELPERDIR);
    const char *bin = &BINDIR[common]; /* "bin" */
    size_t length = strlen(own_folder), rest = strlen(bin);

    if (length > rest && strcmp(own_folder + length - rest, bin) == 0 &&
        own_folder[length - rest - 1] == '/') {
        hpm_string_add_bytes(path, own_folder, length - rest);
        hpm_string_add(path, &HELPERDIR[common]);
    } else {
        hpm_string_add(path, HELPERDIR);
    }
}

static bool
is_program(struct hpm_string *path, const char *name)
{
    hpm_string_add_format(path, "/%s", name);
    return !path->failed && access(hpm_string_text(path), X_OK) == 0;
}

bool
helper_find(const char *name, struct hpm_string *path, struct hpm_error *err)
{
    char own_folder[PATH_MAX];

    if (!find_own_folder(own_folder, sizeof own_folder))
        return hpm_error_set(err,
                             "cannot find where hpm is installed "
                             "(/proc/self/exe: %s); mount /proc",
                             strerror(errno));
    hpm_string_add(path, own_folder);
    if (is_program(path, name))
        return true;
    hpm_string_clear(path);
    add_helper_folder(path, own_folder);
    if (is_program(path, name))
        return true;
    if (path->failed)
        return hpm_error_no_memory(err);
    return hpm_error_set(err,
                         "'%s' is missing or cannot be run; install all "
                         "of the HPM Toolkit",
                         hpm_string_text(path));
}

bool
helper_find_hpmcount(struct hpm_string *path, struct hpm_error *err)
{
    if (helper_find("../hpmcount/hpmcount", path, err))
        return true;
    hpm_string_clear(path);
    return helper_find("hpmcount", path, err);
}

/* ---- run ------------------------------------------------------------- */

static void
set_streams(bool is_silent)
{
    int nothing = open("/dev/null", O_RDWR);

    if (nothing < 0)
        return;
    dup2(nothing, STDIN_FILENO);
    dup2(is_silent ? nothing : STDERR_FILENO, STDOUT_FILENO);
    if (is_silent)
        dup2(nothing, STDERR_FILENO);
    if (nothing > STDERR_FILENO)
        close(nothing);
}

static void
become(char *const *arguments, const struct helper_variable *variables,
       bool is_silent)
{
    for (; variables->name != NULL; variables++) {
        if (variables->value != NULL)
            setenv(variables->name, variables->value, 1);
        else
            unsetenv(variables->name);
    }
    set_streams(is_silent);
    execv(arguments[0], arguments);
    _exit(127);
}

bool
helper_run(char *const *arguments, const struct helper_variable *variables,
           bool is_silent, struct hpm_error *err)
{
    const char *path = arguments[0];
    pid_t pid = fork();
    int status;

    if (pid == 0)
        become(arguments, variables, is_silent);
    if (pid < 0)
        return hpm_error_set(err, "cannot start '%s': %s", path,
                             strerror(errno));
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return hpm_error_set(err, "cannot wait for '%s': %s", path,
                                 strerror(errno));
    }
    if (WIFSIGNALED(status))
        return hpm_error_set(err, "'%s' was ended by signal %d", path,
                             WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        return hpm_error_set(err, "'%s' failed (exit status %d)", path,
                             WEXITSTATUS(status));
    return true;
}
