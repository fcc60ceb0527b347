/* SPDX-License-Identifier: BSD-3-Clause
 * Files left behind by programs that stopped before their end. */
#include "hpm/recover/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"

#define JOURNAL ".journal"

/* Where ".journal" or ".journal.12" begins at the end of the name; NULL where
 * the name has no such end. */
static const char *
journal_end(const char *name)
{
    const char *end = NULL;

    for (const char *at = name; (at = strstr(at, JOURNAL)) != NULL; at++)
        end = at;
    if (end == NULL || end == name)
        return NULL;
    name = end + strlen(JOURNAL);
    if (name[0] == '.' && name[1] != '\0')
        name += 1 + strspn(name + 1, "0123456789");
    return name[0] == '\0' ? end : NULL;
}

static bool
read_temporary(const char *name, long *ret_pid)
{
    unsigned attempt;
    int length = 0;

    return sscanf(name, ".hpm-%ld-%u.tmp%n", ret_pid, &attempt, &length) == 2 &&
           length > 0 && name[length] == '\0';
}

static bool
is_performance_file(const char *name)
{
    return name[0] != '.' && strstr(name, ".hpm.xml") != NULL;
}

/* Set the kind of a file; false where it is no leftover. */
static bool
judge(const char *name, struct leftover *leftover)
{
    if (journal_end(name) != NULL)
        leftover->kind = LEFTOVER_JOURNAL;
    else if (read_temporary(name, &leftover->pid))
        leftover->kind = LEFTOVER_TEMPORARY;
    else if (is_performance_file(name) || leftover->is_named)
        leftover->kind = LEFTOVER_FILE;
    else
        return false;
    return true;
}

static bool
add(struct leftovers *leftovers, const char *folder, const char *name,
    bool is_named, struct hpm_error *err)
{
    struct leftover leftover = {.is_named = is_named};
    struct hpm_string path = {0};

    if (!judge(hpm_path_base_name(name), &leftover))
        return true;
    if (folder != NULL && strcmp(folder, ".") != 0) {
        hpm_string_add(&path, folder);
        if (folder[strlen(folder) - 1] != '/')
            hpm_string_add_char(&path, '/');
    }
    hpm_string_add(&path, name);
    if (path.failed ||
        !hpm_memory_grow(&leftovers->all, &leftovers->capacity,
                         leftovers->n + 1, sizeof *leftovers->all)) {
        hpm_string_free(&path);
        return hpm_error_no_memory(err);
    }
    leftover.path = path.text;
    leftovers->all[leftovers->n++] = leftover;
    return true;
}

bool
leftovers_find(struct leftovers *leftovers, const char *word,
               struct hpm_error *err)
{
    const struct dirent *entry;
    struct stat status;
    bool is_good = true;
    DIR *stream;

    if (stat(word, &status) != 0)
        return hpm_error_set(err, "'%.300s': %s", word, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        return add(leftovers, NULL, word, true, err);
    stream = opendir(word);
    if (stream == NULL)
        return hpm_error_set(err, "the folder '%.300s' cannot be read: %s",
                             word, strerror(errno));
    while (is_good && (errno = 0, entry = readdir(stream)) != NULL)
        is_good = add(leftovers, word, entry->d_name, false, err);
    if (is_good && errno != 0)
        is_good = hpm_error_set(err,
                                "the folder '%.300s' cannot be read to its "
                                "end: %s",
                                word, strerror(errno));
    closedir(stream);
    return is_good;
}

static int
compare(const void *a, const void *b)
{
    const struct leftover *x = a, *y = b;

    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return strcmp(x->path, y->path);
}

void
leftovers_sort(struct leftovers *leftovers)
{
    size_t n = 0;

    if (leftovers->n == 0)
        return;
    qsort(leftovers->all, leftovers->n, sizeof *leftovers->all, compare);
    for (size_t i = 0; i < leftovers->n; i++) {
        if (n > 0 && compare(&leftovers->all[n - 1], &leftovers->all[i]) == 0)
            hpm_memory_free(leftovers->all[i].path);
        else
            leftovers->all[n++] = leftovers->all[i];
    }
    leftovers->n = n;
}

void
leftovers_clear(struct leftovers *leftovers)
{
    for (size_t i = 0; i < leftovers->n; i++)
        hpm_memory_free(leftovers->all[i].path);
    hpm_memory_free(leftovers->all);
    *leftovers = (struct leftovers){0};
}

size_t
leftover_name_length(const struct leftover *journal)
{
    return (size_t)(journal_end(journal->path) - journal->path);
}
