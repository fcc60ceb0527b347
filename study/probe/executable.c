/* SPDX-License-Identifier: BSD-3-Clause
 * The file that a command line's word runs. */
#include "study/probe/executable.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"

static bool
is_executable(const struct hpm_string *path)
{
    struct stat status;

    return !path->failed && stat(hpm_string_text(path), &status) == 0 &&
           S_ISREG(status.st_mode) && access(hpm_string_text(path), X_OK) == 0;
}

static bool
find_in(const char *folders, const char *word, struct hpm_string *ret_path)
{
    for (;;) {
        size_t length = strcspn(folders, ":");

        ret_path->length = 0;
        hpm_string_add_bytes(ret_path, folders, length);
        hpm_string_add(ret_path, length > 0 ? "/" : "");
        hpm_string_add(ret_path, word);
        if (is_executable(ret_path))
            return true;
        if (folders[length] == '\0')
            return false;
        folders += length + 1;
    }
}

bool
hpm_executable_find(const char *word, struct hpm_string *ret_path)
{
    const char *folders = getenv("PATH");

    if (strchr(word, '/') == NULL)
        return find_in(folders != NULL ? folders : "/bin:/usr/bin", word,
                       ret_path);
    hpm_string_add(ret_path, word);
    return is_executable(ret_path);
}

char *
hpm_executable_file(const char *word)
{
    struct hpm_string path = {0};
    char *real = realpath(word, NULL), *copy;

    if (real == NULL && strchr(word, '/') == NULL &&
        hpm_executable_find(word, &path))
        real = realpath(hpm_string_text(&path), NULL);
    copy = hpm_memory_copy_text(real != NULL ? real : word);
    hpm_string_free(&path);
    free(real);
    return copy;
}
