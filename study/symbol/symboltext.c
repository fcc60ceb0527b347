/* SPDX-License-Identifier: BSD-3-Clause
 * Names of functions from a text file. */
#include "study/symbol/symboltext.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

/* Files in /proc do not tell their size: read until the end. */
static bool
read_whole(const char *path, char **ret_text)
{
    char bytes[1 << 14];
    struct hpm_string text = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = -1;

    while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
        hpm_string_add_bytes(&text, bytes, (size_t)n);
    if (fd >= 0)
        close(fd);
    if (n < 0 || text.failed || text.text == NULL) {
        hpm_string_free(&text);
        return false;
    }
    *ret_text = text.text;
    return true;
}

/* The next line, now ending in NUL; or NULL. */
static char *
next_line(char **rest)
{
    char *line = *rest, *end = strchr(line, '\n');

    if (*line == '\0')
        return NULL;
    *rest = end != NULL ? end + 1 : line + strlen(line);
    if (end != NULL)
        *end = '\0';
    return line;
}

bool
hpm_symboltext_read_map(const char *path, hpm_symboltext_add add, void *context,
                        char **ret_text)
{
    char *line, *rest;

    if (!read_whole(path, ret_text))
        return false;
    rest = *ret_text;
    while ((line = next_line(&rest)) != NULL) {
        char *at = line;
        uint64_t start = strtoull(at, &at, 16), size = strtoull(at, &at, 16);

        if (at > line && *at == ' ' && at[1] != '\0' &&
            !add(context, start, size, at + 1))
            return false;
    }
    return true;
}

/* A line such as "ffffffff81000000 T _text"; names of kernel modules are
 * followed by "[module]" and left out. */
static bool
add_kernel_line(char *line, hpm_symboltext_add add, void *context)
{
    char *at = line;
    uint64_t start = strtoull(line, &at, 16);

    return at == line || strlen(at) < 4 || strchr(at, '[') != NULL ||
           strchr("tTwW", at[1]) == NULL || add(context, start, 0, at + 3);
}

bool
hpm_symboltext_read_kernel(hpm_symboltext_add add, void *context,
                           char **ret_text)
{
    char *line, *rest;

    if (!read_whole("/proc/kallsyms", ret_text))
        return false;
    rest = *ret_text;
    while ((line = next_line(&rest)) != NULL) {
        if (!add_kernel_line(line, add, context))
            return false;
    }
    return true;
}
