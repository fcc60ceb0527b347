/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions of libraries are measured. */
#include "libraries/choice.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "host/path.h"

enum { MOST_BYTES = 4096 }; /* as many as a path has */

/* "blas" and "dgemm*" of "blas:dgemm*". */
struct item {
    char list[MOST_BYTES];
    char glob[MOST_BYTES]; /* "": none */
    bool is_not;
};

static void
copy(char *to, const char *from, size_t length)
{
    while (length > 0 && from[0] == ' ') {
        from++;
        length--;
    }
    while (length > 0 && from[length - 1] == ' ')
        length--;
    snprintf(to, MOST_BYTES, "%.*s", (int)length, from);
}

/* Takes the next item off the text. */
static void
take_item(const char **text, struct item *ret)
{
    size_t length = strcspn(*text, ",");
    const char *colon = memchr(*text, ':', length);
    const char *glob = colon != NULL ? colon + 1 : *text + length;

    copy(ret->list, *text, colon != NULL ? (size_t)(colon - *text) : length);
    copy(ret->glob, glob, (size_t)(*text + length - glob));
    ret->is_not = ret->glob[0] == '!';
    if (ret->is_not)
        memmove(ret->glob, ret->glob + 1, strlen(ret->glob));
    *text += length + ((*text)[length] == ',');
}

/* Paths name the same library where both are whole, else where their last parts are
 * the same: LD_PRELOAD may have another way to it. */
static bool
is_of(const struct item *item, const char *list, const char *path)
{
    if (strchr(item->list, '/') == NULL)
        return strcmp(item->list, list) == 0;
    if (item->list[0] == '/' && path[0] == '/')
        return strcmp(item->list, path) == 0;
    return strcmp(hpm_path_base_name(item->list), hpm_path_base_name(path)) ==
           0;
}

static bool
matches(const struct item *item, const char *name, const char *label)
{
    return fnmatch(item->glob, name, 0) == 0 ||
           fnmatch(item->glob, label, 0) == 0;
}

bool
hpm_choice_takes(const char *choice, const char *list, const char *path,
                 const char *name, const char *label)
{
    bool is_named = false, has_globs = false, is_taken = false;
    struct item item;

    while (choice != NULL && *choice != '\0') {
        take_item(&choice, &item);
        if (!is_of(&item, list, path))
            continue;
        is_named = true;
        if (item.is_not && matches(&item, name, label))
            return false;
        if (item.is_not)
            continue;
        has_globs = has_globs || item.glob[0] != '\0';
        is_taken =
            is_taken || item.glob[0] == '\0' || matches(&item, name, label);
    }
    return choice == NULL || is_taken || (is_named && !has_globs);
}
