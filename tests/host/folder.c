/* SPDX-License-Identifier: BSD-3-Clause
 * The names in a folder: all of them, once each. */
#include "host/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

/* Long names, so that the kernel returns them in many portions. */
enum { N_FILES = 300 };

static void
file_name(int i, char *ret_name, size_t size)
{
    snprintf(ret_name, size, "%0*d", 10 + i % 190, i);
}

static void
make_files(const char *folder)
{
    char path[512], name[256];

    for (int i = 0; i < N_FILES; i++) {
        file_name(i, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        close(open(path, O_WRONLY | O_CREAT, 0600));
    }
    snprintf(path, sizeof path, "%s/.hidden", folder);
    close(open(path, O_WRONLY | O_CREAT, 0600));
}

static void
remove_files(const char *folder)
{
    char path[512], name[256];

    for (int i = 0; i < N_FILES; i++) {
        file_name(i, name, sizeof name);
        snprintf(path, sizeof path, "%s/%s", folder, name);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/.hidden", folder);
    unlink(path);
    rmdir(folder);
}

static void
test_names(const char *path)
{
    static int n_seen[N_FILES];
    struct hpm_folder folder;
    const char *name;
    int n_strange = 0;
    bool is_good = hpm_folder_open(&folder, path);

    ok(is_good, "a folder can be read");
    if (!is_good)
        return;
    while ((name = hpm_folder_next(&folder)) != NULL) {
        int i = atoi(name);
        char expected[256];

        file_name(i, expected, sizeof expected);
        if (i >= 0 && i < N_FILES && strcmp(name, expected) == 0)
            n_seen[i]++;
        else
            n_strange++;
    }
    hpm_folder_close(&folder);
    for (int i = 0; i < N_FILES; i++)
        is_good = is_good && n_seen[i] == 1;
    ok(is_good, "every name comes once");
    ok(n_strange == 0, "and none that begins with a dot");
}

static void
test_refusals(const char *path)
{
    struct hpm_folder folder;
    char file[512];

    ok(!hpm_folder_open(&folder, "/nowhere/at/all") && errno == ENOENT,
       "a folder that is missing says so");
    snprintf(file, sizeof file, "%s/.hidden", path);
    ok(!hpm_folder_open(&folder, file) && errno == ENOTDIR,
       "a file is no folder");
}

/* A folder removed under the reader, as those of threads in /proc are. */
static void
test_vanished(void)
{
    char path[] = "/tmp/hpm-vanished-XXXXXX";
    struct hpm_folder folder;

    if (mkdtemp(path) == NULL || !hpm_folder_open(&folder, path)) {
        ok(false, "a folder to remove can be made");
        return;
    }
    rmdir(path);
    ok(hpm_folder_next(&folder) == NULL,
       "a folder that vanishes is at its end");
    hpm_folder_close(&folder);
}

int
main(void)
{
    char path[] = "/tmp/hpm-folder-XXXXXX";

    if (mkdtemp(path) == NULL) {
        perror(path);
        return 1;
    }
    make_files(path);
    test_names(path);
    test_refusals(path);
    remove_files(path);
    test_vanished();
    return done();
}
