/* SPDX-License-Identifier: BSD-3-Clause
 * Lists of globs. */
#include "base/globs.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* A longer glob is longer than any reasonable label. */
enum { MAX_GLOB = 256 };

static bool
matches_glob(const char *glob, size_t length, const char *name)
{
    char text[MAX_GLOB];

    while (length > 0 && glob[0] == ' ') {
        glob++;
        length--;
    }
    while (length > 0 && glob[length - 1] == ' ')
        length--;
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, glob, length);
    text[length] = '\0';
    return fnmatch(text, name, 0) == 0;
}

bool
hpm_globs_match(const char *globs, const char *name)
{
    for (;;) {
        size_t length = strcspn(globs, ",");

        if (matches_glob(globs, length, name))
            return true;
        if (globs[length] == '\0')
            return false;
        globs += length + 1;
    }
}

bool
hpm_globs_take(const char *only, const char *except, const char *label,
               int instance)
{
    char number[16];

    if (label[0] == '\0') {
        snprintf(number, sizeof number, "#%d", instance);
        label = number;
    }
    if (only != NULL && !hpm_globs_match(only, label))
        return false;
    return except == NULL || !hpm_globs_match(except, label);
}
