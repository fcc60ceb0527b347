/* SPDX-License-Identifier: BSD-3-Clause
 * The list of --section, by files. */
#include "hpmcount/probeparts.h"

#include <string.h>

#include "elf/wanted.h"
#include "host/memory.h"

/* The length of the library's name before a colon, 0 for none.  No name of a function
 * has ".so" in it; "::" is of C++. */
static size_t
length_of_library(const char *item, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        if (item[i] != ':' || item[i + 1] == ':' || item[i - 1] == ':')
            continue;
        for (size_t k = 0; k + 3 <= i; k++) {
            if (strncmp(item + k, ".so", 3) == 0 &&
                (k + 3 == i || item[k + 3] == '.'))
                return i;
        }
    }
    return 0;
}

static struct probepart *
get_part(struct probeparts *parts, const char *library, size_t length)
{
    struct probepart *part;

    for (size_t i = 0; i < parts->n; i++) {
        const char *other = parts->list[i].library;

        if (other == NULL ? length == 0
                          : strlen(other) == length && length > 0 &&
                                strncmp(other, library, length) == 0)
            return &parts->list[i];
    }
    if (!hpm_memory_grow(&parts->list, &parts->capacity, parts->n + 1,
                         sizeof *parts->list))
        return NULL;
    part = &parts->list[parts->n];
    *part = (struct probepart){.library = NULL};
    if (length > 0) {
        part->library = hpm_memory_new(length + 1, 1);
        if (part->library == NULL)
            return NULL;
        memcpy(part->library, library, length);
    }
    parts->n++;
    return part;
}

static bool
add_item(struct probeparts *parts, const char *item, size_t length)
{
    bool is_excluded;
    struct probepart *part;
    size_t n;

    while (length > 0 && item[0] == ' ') {
        item++;
        length--;
    }
    is_excluded = length > 0 && item[0] == '!';
    item += is_excluded;
    length -= is_excluded;
    if (length == 0)
        return true;
    n = length_of_library(item, length);
    part = get_part(parts, item, n);
    if (part == NULL)
        return false;
    if (n > 0) {
        item += n + 1;
        length -= n + 1;
    }
    if (part->patterns.length > 0)
        hpm_string_add_char(&part->patterns, ',');
    hpm_string_add(&part->patterns, is_excluded ? "!" : "");
    hpm_string_add_bytes(&part->patterns, item, length);
    return !part->patterns.failed;
}

bool
probeparts_read(struct probeparts *parts, const char *patterns)
{
    for (;;) {
        size_t length = hpm_wanted_item_length(patterns);

        if (!add_item(parts, patterns, length))
            return false;
        if (patterns[length] == '\0')
            return true;
        patterns += length + 1;
    }
}

void
probeparts_clear(struct probeparts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        hpm_memory_free(parts->list[i].library);
        hpm_string_free(&parts->list[i].patterns);
    }
    hpm_memory_free(parts->list);
    *parts = (struct probeparts){.list = NULL};
}
