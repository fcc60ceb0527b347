/* SPDX-License-Identifier: BSD-3-Clause
 * The libraries that a program will load when it starts.
 *
 * Its dynamic linker is asked for them (--list): nobody else knows RPATH, RUNPATH,
 * LD_LIBRARY_PATH and the cache as it does. */
#include "hpmcount/linked.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/string.h"
#include "elf/elffile.h"
#include "host/memory.h"

/* ---- asking ------------------------------------------------------------ */

/* The path of the program's dynamic linker; "" for none. */
static void
find_linker(const char *program, char ret_path[PATH_MAX])
{
    struct hpm_elffile file = {0};

    ret_path[0] = '\0';
    if (!hpm_elffile_open(&file, program))
        return;
    for (size_t i = 0; i < file.n_parts; i++) {
        const ElfW(Phdr) *part = &file.parts[i];
        size_t size = part->p_filesz;

        if (part->p_type != PT_INTERP || size == 0 || size > PATH_MAX ||
            pread(file.descriptor, ret_path, size, (off_t)part->p_offset) !=
                (ssize_t)size)
            continue;
        ret_path[size - 1] = '\0';
    }
    hpm_elffile_close(&file);
}

/* Output of "LINKER --list PROGRAM"; "" where that fails. */
static void
ask(const char *linker, const char *program, struct hpm_string *ret_list)
{
    const char *const words[] = {linker, "--list", program, NULL};
    posix_spawn_file_actions_t actions;
    char part[4096];
    int pipe_fds[2], status = -1;
    pid_t pid;
    ssize_t n;

    if (pipe2(pipe_fds, O_CLOEXEC) != 0)
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe_fds[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                     O_WRONLY, 0);
    if (posix_spawn(&pid, linker, &actions, NULL, (char *const *)words,
                    environ) != 0)
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_fds[1]);
    while (pid > 0 && (n = read(pipe_fds[0], part, sizeof part)) != 0) {
        if (n > 0)
            hpm_string_add_bytes(ret_list, part, (size_t)n);
        else if (errno != EINTR)
            break;
    }
    close(pipe_fds[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (status != 0)
        hpm_string_clear(ret_list);
}

/* ---- finding ----------------------------------------------------------- */

/* "libfoo.so" and "libfoo.so.1" mean libfoo.so.1.2. */
static bool
is_called(const char *base, size_t length, const char *name)
{
    size_t n = strlen(name);

    return length >= n && strncmp(base, name, n) == 0 &&
           (length == n || base[n] == '.');
}

/* In lines "	libfoo.so.1 => /lib/libfoo.so.1 (0x...)". */
static char *
find_in(char *list, const char *name)
{
    char *line;

    while ((line = strsep(&list, "\n")) != NULL) {
        char *path = strstr(line, "=> /"), *end;

        line += strspn(line, " \t");
        end = path != NULL ? strstr(path, " (0x") : NULL;
        if (end == NULL || !is_called(line, strcspn(line, " "), name))
            continue;
        *end = '\0';
        return realpath(path + 3, NULL);
    }
    return NULL;
}

char *
linked_find(const char *program, const char *name, struct hpm_error *err)
{
    char linker[PATH_MAX], *real = NULL, *path = NULL;
    struct hpm_string list = {0};
    bool is_file = strchr(name, '/') != NULL;

    if (is_file) {
        real = realpath(name, NULL);
    } else {
        find_linker(program, linker);
        if (linker[0] != '\0')
            ask(linker, program, &list);
        if (list.length > 0)
            real = find_in(list.text, name);
    }
    if (real != NULL)
        path = hpm_memory_copy_text(real);
    if (real != NULL && path == NULL)
        hpm_error_no_memory(err);
    else if (real == NULL && is_file)
        hpm_error_set(err, "--section: cannot read '%.200s': %s", name,
                      strerror(errno));
    else if (real == NULL)
        hpm_error_set(err,
                      "--section: '%.200s' loads no library '%.100s' when it "
                      "starts ('ldd' lists those); of one that it loads later "
                      "give the path: '/path/%.100s:FUNCTION'",
                      program, name, name);
    free(real);
    hpm_string_free(&list);
    return path;
}
