/* SPDX-License-Identifier: BSD-3-Clause
 * The performance files that a measured program writes by a library of ours. */
#include "hpmcount/written.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hpmcount/screen.h"
#include "study/words/words.h"

/* A screen has room for so many names. */
enum { MOST_NAMES = 2 };

static char list[4096]; /* its path; empty: not begun */

const char *
written_begin(void)
{
    const char *folder = getenv("TMPDIR");
    int length, fd;

    if (list[0] != '\0')
        return list;
    length = snprintf(list, sizeof list, "%s/hpmcount.XXXXXX",
                      folder != NULL && folder[0] == '/' ? folder : "/tmp");
    fd = length < (int)sizeof list ? mkostemp(list, O_CLOEXEC) : -1;
    if (fd < 0) {
        list[0] = '\0';
        return NULL;
    }
    close(fd);
    return list;
}

size_t
written_length(void)
{
    struct stat info;

    return list[0] != '\0' && stat(list, &info) == 0 ? (size_t)info.st_size : 0;
}

bool
written_is_empty(void)
{
    return list[0] != '\0' && written_length() == 0;
}

void
written_end(void)
{
    if (list[0] != '\0')
        unlink(list);
    list[0] = '\0';
}

/* For a shell: quoted where a character may mean something. */
static void
add_word(struct hpm_string *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:+@%-";

    if (word[strspn(word, plain)] == '\0') {
        hpm_string_add(text, word);
        return;
    }
    hpm_string_add_char(text, '\'');
    for (; *word != '\0'; word++)
        if (*word == '\'')
            hpm_string_add(text, "'\\''");
        else
            hpm_string_add_char(text, *word);
    hpm_string_add_char(text, '\'');
}

/* As the user would name it from where hpmcount was started. */
static const char *
name_from_here(const char *path)
{
    char here[4096];
    size_t length;

    if (getcwd(here, sizeof here) == NULL)
        return path;
    length = strlen(here);
    if (strncmp(path, here, length) != 0 || path[length] != '/' ||
        path[length + 1] == '-')
        return path;
    return path + length + 1;
}

/* The files that are there: a task's own is gone when its job has one file.  Returns
 * their number. */
static size_t
add_files(struct hpm_string *text, FILE *paths)
{
    char *path = NULL;
    size_t n = 0, size = 0;
    ssize_t length;

    while ((length = getline(&path, &size, paths)) > 0) {
        path[length - 1] = '\0';
        if (access(path, F_OK) != 0 || n++ >= MOST_NAMES)
            continue;
        hpm_string_add_char(text, ' ');
        add_word(text, name_from_here(path));
    }
    free(path);
    return n;
}

void
written_add_text(struct hpm_string *string)
{
    struct hpm_string text = {0}, shown = {0};
    FILE *paths = list[0] != '\0' ? fopen(list, "re") : NULL;
    size_t n;

    if (paths == NULL)
        return;
    hpm_string_add(&text, "hpm report");
    n = add_files(&text, paths);
    fclose(paths);
    if (n > MOST_NAMES)
        hpm_string_add_format(&text, _(" (and %zu more)"), n - MOST_NAMES);
    hpm_string_add_safe(&shown, hpm_string_text(&text));
    if (n > 0)
        screen_add_entry(string, 0, _("file written"), hpm_string_text(&shown));
    hpm_string_finish(&text, &string->failed);
    hpm_string_finish(&shown, &string->failed);
}
