/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's list of probes in programs. */
#include "study/probe/probelist.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

/* Where tracefs is; the second is that of kernels and systems that mount it below
 * debugfs only. */
static const char *const places[] = {"/sys/kernel/tracing/uprobe_events",
                                     "/sys/kernel/debug/tracing/uprobe_events"};

int
hpm_probelist_open(int flags)
{
    int descriptor = -1;

    errno = ENOENT;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && descriptor < 0 &&
                       errno == ENOENT;
         i++)
        descriptor = open(places[i], flags | O_CLOEXEC);
    return descriptor;
}

/* ---- reading ----------------------------------------------------------- */

/* The whole list, since it may change meanwhile. */
static bool
read_text(struct hpm_string *ret_list)
{
    char part[4096];
    int descriptor = hpm_probelist_open(O_RDONLY), error;
    ssize_t n = -1;

    while (descriptor >= 0 && (n = read(descriptor, part, sizeof part)) > 0)
        hpm_string_add_bytes(ret_list, part, (size_t)n);
    error = ret_list->failed ? ENOMEM : errno;
    if (descriptor >= 0)
        close(descriptor);
    errno = error;
    return n == 0 && !ret_list->failed;
}

/* Where the offset is, ":0x" and all digits of an address; a path may have a colon
 * and blanks. */
static const char *
find_offset(const char *path)
{
    enum { N_DIGITS = 2 * sizeof(void *) };
    const char *at = path;

    while ((at = strstr(at, ":0x")) != NULL) {
        if (strspn(at + 3, "0123456789abcdef") == N_DIGITS)
            return at;
        at += 3;
    }
    return NULL;
}

/* "p:GROUP/EVENT PATH:0xOFFSET ...", "r:" for returns.  A line that is none is
 * passed over; false only without memory. */
static bool
add_line(struct hpm_probelist *list, size_t *capacity, const char *text)
{
    struct hpm_probeline line = {.is_return = text[0] == 'r'};
    int used = 0;
    const char *offset;
    size_t length;

    if (sscanf(text, "%*[pr]:%63[^/]/%63s %n", line.group, line.event, &used) <
            2 ||
        used == 0 || (offset = find_offset(text + used)) == NULL)
        return true;
    line.offset = strtoull(offset + 1, NULL, 16);
    length = (size_t)(offset - text) - (size_t)used;
    line.path = hpm_memory_new(length + 1, 1);
    if (line.path != NULL)
        memcpy(line.path, text + used, length);
    if (line.path == NULL ||
        !hpm_memory_grow(&list->lines, capacity, list->n + 1,
                         sizeof *list->lines)) {
        hpm_memory_free(line.path);
        return false;
    }
    list->lines[list->n++] = line;
    return true;
}

bool
hpm_probelist_read(struct hpm_probelist *list)
{
    struct hpm_string text = {0};
    size_t capacity = 0;
    bool is_good = read_text(&text);
    int error = errno;
    char *rest = text.text, *line;

    while (is_good && rest != NULL && *rest != '\0') {
        line = strsep(&rest, "\n");
        is_good = add_line(list, &capacity, line);
        error = ENOMEM;
    }
    hpm_string_free(&text);
    errno = error;
    return is_good;
}

void
hpm_probelist_clear(struct hpm_probelist *list)
{
    for (size_t i = 0; i < list->n; i++)
        hpm_memory_free(list->lines[i].path);
    hpm_memory_free(list->lines);
    *list = (struct hpm_probelist){.lines = NULL};
}

/* ---- writing ----------------------------------------------------------- */

/* The kernel takes one definition a call. */
static bool
write_line(int descriptor, struct hpm_string *line)
{
    bool is_good = !line->failed;

    if (line->failed)
        errno = ENOMEM;
    else
        is_good = write(descriptor, line->text, line->length) ==
                  (ssize_t)line->length;
    hpm_string_free(line);
    return is_good;
}

/* Where the return address is at a function's first instruction. */
#if defined(__x86_64__)
#define RETURN_ADDRESS "+0(%sp)"
#else
#define RETURN_ADDRESS "%lr"
#endif

bool
hpm_probelist_add(int descriptor, const struct hpm_probeline *line)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "%s:%s/%s %s:0x%llx sp=%%sp:u64%s\n",
                          line->is_return ? "r" : "p", line->group, line->event,
                          line->path, (unsigned long long)line->offset,
                          line->is_return ? "" : " ra=" RETURN_ADDRESS ":u64");
    return write_line(descriptor, &text);
}

bool
hpm_probelist_remove(int descriptor, const char *group, const char *event)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "-:%s/%s\n", group, event);
    return write_line(descriptor, &text);
}

/* The offset as the kernel itself prints it. */
bool
hpm_probelist_remove_one(int descriptor, const struct hpm_probeline *line)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "-:%s/%s %s:0x%0*llx\n", line->group,
                          line->event, line->path, (int)(2 * sizeof(void *)),
                          (unsigned long long)line->offset);
    return write_line(descriptor, &text);
}
