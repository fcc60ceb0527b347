/* SPDX-License-Identifier: BSD-3-Clause
 * --openmp=libomp: a program that gcc has compiled gets LLVM's OpenMP runtime, which
 * tells more of its threads than gcc's. */
#include "hpmcount/libomp.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mark.h"
#include "hpmcount/say.h"

/* The name by which programs of gcc ask for their runtime. */
static const char gcc_name[] = "libgomp.so.1";

static char folder[PATH_MAX];
static char linked[PATH_MAX + sizeof gcc_name]; /* the name in it */

/* ---- finding the runtime -------------------------------------------------- */

/* Write the path of LLVM's runtime, found as the program would find it. */
static void
tell_path(int to)
{
    static const char *const names[] = {"libomp.so.5", "libomp.so",
                                        "libiomp5.so"};
    const struct link_map *found;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);

        if (library == NULL || dlsym(library, "GOMP_parallel") == NULL ||
            dlinfo(library, RTLD_DI_LINKMAP, (void *)&found) != 0)
            continue;
        if (write(to, found->l_name, strlen(found->l_name)) > 0)
            return;
    }
}

/* A child opens the runtime: a runtime that is loaded once stays, with what it changes
 * in its process. */
static bool
find_path(char path[PATH_MAX])
{
    size_t length = 0;
    ssize_t n = 1;
    pid_t child;
    int ends[2];

    if (pipe(ends) != 0)
        return false;
    child = fork();
    if (child == 0) {
        tell_path(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    while (child > 0 && length < PATH_MAX - 1 &&
           (n > 0 || (n < 0 && errno == EINTR))) {
        n = read(ends[0], path + length, PATH_MAX - 1 - length);
        length += n > 0 ? (size_t)n : 0;
    }
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
    path[length] = '\0';
    return length > 0;
}

/* ---- the folder ----------------------------------------------------------- */

static bool
make_folder(const char *path, struct hpm_error *err)
{
    const char *where = getenv("TMPDIR");
    struct hpm_string name = {0};
    bool is_good;

    hpm_string_add_format(&name, "%s/hpmcount-XXXXXX",
                          where != NULL && *where == '/' ? where : "/tmp");
    is_good = !name.failed && name.length < sizeof folder;
    if (is_good)
        memcpy(folder, name.text, name.length + 1);
    hpm_string_free(&name);
    if (!is_good || mkdtemp(folder) == NULL) {
        folder[0] = '\0';
        return hpm_error_set(err,
                             "--openmp=libomp: no folder can be made in %.200s "
                             "(%s); name another one in TMPDIR",
                             where != NULL ? where : "/tmp", strerror(errno));
    }
    strcpy(linked, folder);
    strcat(linked, "/");
    strcat(linked, gcc_name);
    if (symlink(path, linked) == 0)
        return true;
    return hpm_error_set(err, "--openmp=libomp: %.200s: %s", linked,
                         strerror(errno));
}

/* Once, also where a program is run several times. */
static void
say_change(const char *path)
{
    static bool is_said;

    if (!is_said)
        say("the program runs on LLVM's OpenMP, %s, in place of gcc's: its "
            "parallel regions take longer to begin and end",
            path);
    is_said = true;
}

bool
libomp_begin(struct hpm_string *folders, struct hpm_error *err)
{
    const char *before = getenv("LD_LIBRARY_PATH");
    char path[PATH_MAX];

    if (!find_path(path))
        return hpm_error_set(
            err, "--openmp=libomp: LLVM's OpenMP runtime, libomp.so.5, is not "
                 "among the system's libraries nor in LD_LIBRARY_PATH; install "
                 "it (apt-get install libomp5, dnf install libomp)");
    if (!make_folder(path, err))
        return false;
    hpm_string_add(folders, folder);
    if (before != NULL && *before != '\0')
        hpm_string_add_format(folders, ":%s", before);
    if (folders->failed)
        return hpm_error_no_memory(err);
    say_change(path);
    return true;
}

void
libomp_end(void)
{
    if (folder[0] == '\0')
        return;
    unlink(linked);
    rmdir(folder);
    folder[0] = '\0';
}
