/* SPDX-License-Identifier: BSD-3-Clause
 * Which file is mapped where, by the kernel's list. */
#include "functions/mappedfile.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"

/* A line is "first-end permissions offset device inode   path". */
static const char *
path_in(const char *line, uintptr_t address)
{
    char *at;
    uintptr_t first = (uintptr_t)strtoull(line, &at, 16);
    uintptr_t end = *at == '-' ? (uintptr_t)strtoull(at + 1, NULL, 16) : 0;

    return address >= first && address < end ? strchr(line, '/') : NULL;
}

/* Lines whose path is longer than the kernel allows are passed over. */
struct lines {
    int descriptor;
    size_t n; /* bytes in `text` */
    char text[2 * 4096];
};

/* Take the line at the front away, of `length` bytes, and read on. */
static bool
read_on(struct lines *lines, size_t length)
{
    ssize_t n;

    lines->n -= length;
    memmove(lines->text, lines->text + length, lines->n);
    n = read(lines->descriptor, lines->text + lines->n,
             sizeof lines->text - 1 - lines->n);
    if (n > 0)
        lines->n += (size_t)n;
    lines->text[lines->n] = '\0';
    return lines->n > 0;
}

char *
hpm_mappedfile_find(uintptr_t address)
{
    struct lines lines = {.n = 0};
    char *found = NULL;
    size_t length = 0;

    lines.descriptor = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (lines.descriptor < 0)
        return NULL;
    while (found == NULL && read_on(&lines, length)) {
        const char *path;

        length = strcspn(lines.text, "\n");
        lines.text[length] = '\0';
        path = path_in(lines.text, address);
        if (path != NULL)
            found = hpm_memory_copy_text(path);
        length += length < lines.n;
    }
    close(lines.descriptor);
    return found;
}
