/* SPDX-License-Identifier: BSD-3-Clause
 * The file libHPM_events: the events to count, as IBM's HPM Toolkit read it. */
#include "source/eventfile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "source/machine/procfile.h"

enum { MAX_BYTES = 1 << 16, MAX_WORDS = 3 };

/* The name may be a pipe that nobody writes into: opening that would block. */
static bool
is_readable(const char *path, struct hpm_error *err)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return hpm_error_set(err, "%s: cannot be read: %s", path,
                             strerror(errno));
    if (!S_ISREG(status.st_mode))
        return hpm_error_set(err, "%s: not a regular file", path);
    if (status.st_size >= MAX_BYTES)
        return hpm_error_set(err, "%s: larger than 64 KiB", path);
    return true;
}

/* Split a line into at most MAX_WORDS words, in place; returns their number.  A
 * comma between slashes belongs to the word. */
static size_t
split(char *line, char **ret_words)
{
    bool in_slashes = false;
    char *rest = NULL;
    size_t n = 0;

    line[strcspn(line, "#")] = '\0';
    for (char *c = line; *c != '\0'; c++) {
        if (*c == ',' && !in_slashes)
            *c = ' ';
        in_slashes ^= *c == '/';
    }
    for (char *word = strtok_r(line, " \t\r", &rest);
         word != NULL && n < MAX_WORDS; word = strtok_r(NULL, " \t\r", &rest))
        ret_words[n++] = word;
    return n;
}

static bool
is_number(const char *word)
{
    return word[0] != '\0' && strspn(word, "0123456789") == strlen(word);
}

static enum hpm_eventfile
read_lines(const char *path, char *text, struct hpm_string *list,
           struct hpm_error *err)
{
    enum hpm_eventfile found = HPM_EVENTFILE_NONE;
    unsigned number = 0;

    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        char *words[MAX_WORDS] = {NULL};
        size_t n = split(line, words);

        number++;
        if (n == 0)
            continue;
        if (n == 2 && is_number(words[0]) && found != HPM_EVENTFILE_SET) {
            hpm_string_add_format(list, "%s%s", list->length > 0 ? "," : "",
                                  words[1]);
            found = HPM_EVENTFILE_EVENTS;
        } else if (n == 1 && found == HPM_EVENTFILE_NONE) {
            hpm_string_add(list, words[0]);
            found = HPM_EVENTFILE_SET;
        } else {
            hpm_error_set(err,
                          "%s:%u: '%.40s' is out of place; expected a "
                          "number and an event on each line, or only the "
                          "name of a set",
                          path, number,
                          words[n == 2 && is_number(words[0]) ? 1 : 0]);
            return HPM_EVENTFILE_BAD;
        }
    }
    if (found == HPM_EVENTFILE_NONE) {
        hpm_error_set(err, "%s: names no event", path);
        return HPM_EVENTFILE_BAD;
    }
    return found;
}

enum hpm_eventfile
hpm_eventfile_read(const char *path, struct hpm_string *list,
                   struct hpm_error *err)
{
    enum hpm_eventfile found = HPM_EVENTFILE_BAD;
    char *text;

    if (access(path, F_OK) != 0 && errno == ENOENT)
        return HPM_EVENTFILE_NONE;
    if (!is_readable(path, err))
        return HPM_EVENTFILE_BAD;
    text = hpm_memory_new(MAX_BYTES, 1);
    if (text == NULL)
        hpm_error_no_memory(err);
    else if (hpm_procfile_read(path, text, MAX_BYTES) < 0)
        hpm_error_set(err, "%s: cannot be read", path);
    else
        found = read_lines(path, text, list, err);
    hpm_memory_free(text);
    if (found != HPM_EVENTFILE_BAD && list->failed) {
        hpm_error_no_memory(err);
        return HPM_EVENTFILE_BAD;
    }
    return found;
}
