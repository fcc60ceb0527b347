/* SPDX-License-Identifier: BSD-3-Clause
 * Which functions are measured. */
#include "elf/wanted.h"

#include <fnmatch.h>
#include <string.h>

#include "host/memory.h"

struct item {
    const char *glob;
    bool is_excluded; /* "!" */
    bool is_file;     /* "file:" */
};

struct hpm_wanted {
    char *text; /* the globs are in it, each ended by NUL */
    struct item *items;
    size_t n;
    bool has_short; /* "short:keep" */
};

/* The brackets of a C++ operator's own name open nothing. */
size_t
hpm_wanted_item_length(const char *text)
{
    size_t depth = 0, i;

    for (i = 0; text[i] != '\0' && (text[i] != ',' || depth > 0); i++) {
        bool is_operator = i >= 8 && memcmp(text + i - 8, "operator", 8) == 0;

        if (strchr("(<", text[i]) != NULL && !is_operator)
            depth++;
        else if (strchr(")>", text[i]) != NULL && depth > 0)
            depth--;
    }
    /* brackets that never close: each comma ends an item */
    return depth > 0 ? strcspn(text, ",") : i;
}

static char *
trim(char *text)
{
    size_t length;

    text += strspn(text, " ");
    length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        text[--length] = '\0';
    return text;
}

static void
add(struct hpm_wanted *choice, char *text)
{
    struct item item = {0};

    text = trim(text);
    if (text[0] == '!') {
        item.is_excluded = true;
        text = trim(text + 1);
    }
    if (strncmp(text, "file:", 5) == 0) {
        item.is_file = true;
        text = trim(text + 5);
    }
    item.glob = text;
    if (strcmp(text, "short:keep") == 0)
        choice->has_short = true;
    else if (text[0] != '\0')
        choice->items[choice->n++] = item;
}

struct hpm_wanted *
hpm_wanted_new(const char *text)
{
    struct hpm_wanted *choice = hpm_memory_new(1, sizeof *choice);
    bool is_last = false;
    char *rest;

    if (choice == NULL)
        return NULL;
    choice->text = hpm_memory_copy_text(text);
    choice->items = hpm_memory_new(strlen(text) + 1, sizeof *choice->items);
    if (choice->text == NULL || choice->items == NULL) {
        hpm_wanted_free(choice);
        return NULL;
    }
    for (rest = choice->text; !is_last;) {
        size_t length = hpm_wanted_item_length(rest);

        is_last = rest[length] == '\0';
        rest[length] = '\0';
        add(choice, rest);
        rest += length + 1;
    }
    return choice;
}

void
hpm_wanted_free(struct hpm_wanted *choice)
{
    if (choice == NULL)
        return;
    hpm_memory_free(choice->text);
    hpm_memory_free(choice->items);
    hpm_memory_free(choice);
}

bool
hpm_wanted_has_short(const struct hpm_wanted *choice)
{
    return choice->has_short;
}

/* The glob may have as many of the last folders of the path as it likes:
 * "src/io*" matches "/home/me/app/src/io.c". */
static bool
matches_file(const char *glob, const char *file)
{
    while (file != NULL) {
        if (fnmatch(glob, file, FNM_PATHNAME) == 0)
            return true;
        file = strchr(file, '/');
        if (file != NULL)
            file++;
    }
    return false;
}

static bool
matches(const struct item *item, const char *const *names, const char *file)
{
    if (item->is_file)
        return matches_file(item->glob, file);
    for (; *names != NULL; names++) {
        if (fnmatch(item->glob, *names, 0) == 0)
            return true;
    }
    return false;
}

bool
hpm_wanted_takes(const struct hpm_wanted *choice, const char *const *names,
                 const char *file)
{
    /* A list without a single glob, such as "," of two empty variables, asks for
     * nothing. */
    bool is_taken = choice->n > 0 || choice->has_short, is_wanted = false;

    for (size_t i = 0; i < choice->n; i++) {
        const struct item *item = &choice->items[i];

        if (item->is_excluded && matches(item, names, file))
            return false;
        if (!item->is_excluded) {
            is_taken = false;
            is_wanted = is_wanted || matches(item, names, file);
        }
    }
    return is_taken || is_wanted;
}
