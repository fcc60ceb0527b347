/* SPDX-License-Identifier: BSD-3-Clause
 * One spelling for an event that has several. */
#include "metric/alias.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 255, MOST_PARTS = 24 };

/* Compares the first letter first, because most names differ there: each report
 * compares all names of all definitions. */
static inline bool
is_prefix(const char *prefix, const char *text)
{
    return text[0] == prefix[0] && strncmp(text, prefix, strlen(prefix)) == 0;
}

static inline bool
is_same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0;
}

/* Different names of the kernel's tools for the same event. */
static const char *const synonyms[][2] = {
    {"cpu-cycles", "cycles"},
    {"branch-instructions", "branches"},
    {"cs", "context-switches"},
    {"faults", "page-faults"},
    {"migrations", "cpu-migrations"},
    {"idle-cycles-frontend", "stalled-cycles-frontend"},
    {"idle-cycles-backend", "stalled-cycles-backend"},
    {"page-faults-min", "minor-faults"},
    {"page-faults-maj", "major-faults"},
};

/* Events that the kernel lists for the processor: cpu::topdown-retiring,
 * cpu/topdown-retiring/ and cpu_core/topdown-retiring/ become
 * topdown-retiring. */
static void
skip_processor(char **ret_name)
{
    static const char *const owners[] = {"cpu::", "cpu/", "cpu_core/"};
    size_t length;
    char *name = *ret_name;

    for (size_t i = 0; i < 3; i++) {
        if (is_prefix(owners[i], name))
            name += strlen(owners[i]);
    }
    if (!is_prefix("topdown-", name) && !is_same(name, "slots") &&
        !is_same(name, "slots/"))
        return;
    length = strlen(name);
    if (name[length - 1] == '/')
        name[length - 1] = '\0';
    *ret_name = name;
}

/* Remove the part of the name that says only whose event it is; true if the
 * event is the kernel's. */
static bool
skip_owner(char **ret_name)
{
    static const char *const ours[] = {"ru::", "proc::", "time::", "cpu::"};
    static const char *const kernels[] = {"perf_count_sw_", "perf_count_hw_"};
    char *name = *ret_name, *owner;
    bool is_kernel = is_prefix("sw::", name) || is_prefix("perf::", name) ||
                     is_prefix("hw::", name);

    for (size_t i = 0; i < 4; i++) {
        if (is_prefix(ours[i], name))
            return false;
    }
    owner = strstr(name, "::");
    if (owner != NULL && owner[2] != ':')
        name = owner + 2;
    for (size_t i = 0; i < 2; i++) {
        if (is_prefix(kernels[i], name)) {
            name += strlen(kernels[i]);
            is_kernel = true;
        }
    }
    *ret_name = name;
    return is_kernel;
}

static void
add_kernel_name(struct hpm_string *string, char *name)
{
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '_')
            *c = '-';
    }
    for (size_t i = 0; i < sizeof synonyms / sizeof synonyms[0]; i++) {
        if (is_same(name, synonyms[i][0]))
            name = (char *)synonyms[i][1];
    }
    hpm_string_add(string, name);
}

/* The spelling of one mask or modifier; NULL for one that does not distinguish
 * events. */
static const char *
part_name(const char *part)
{
    static const char *const spellings[][2] = {
        {"i", "i=1"},    {"inv", "i=1"},    {"inv=1", "i=1"}, {"e", "e=1"},
        {"edge", "e=1"}, {"edge=1", "e=1"}, {"t", "t=1"},     {"any=1", "t=1"},
        {"i=0", NULL},   {"e=0", NULL},     {"c=0", NULL},    {"t=0", NULL},
        {"u", NULL},     {"k", NULL},       {"uk", NULL},     {"ku", NULL},
        {"u=1", NULL},   {"u=0", NULL},     {"k=1", NULL},    {"k=0", NULL},
        {"mg=0", NULL},  {"mh=1", NULL},    {"h", NULL},      {"p", NULL},
    };

    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (is_same(part, spellings[i][0]))
            return spellings[i][1];
    }
    return part;
}

static int
compare_parts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void
add_parts(struct hpm_string *string, char *rest)
{
    const char *parts[MOST_PARTS];
    size_t n = 0;
    char *part;

    while ((part = strtok_r(rest, ":", &rest)) != NULL && n < MOST_PARTS) {
        if (is_prefix("cmask=", part)) {
            part += strlen("cmask=") - 2;
            part[0] = 'c';
            part[1] = '=';
        }
        parts[n] = part_name(part);
        n += parts[n] != NULL;
    }
    qsort(parts, n, sizeof parts[0], compare_parts);
    for (size_t i = 0; i < n; i++)
        hpm_string_add_format(string, ":%s", parts[i]);
}

static char
small_letter(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Replace each dot by a colon; `ret_small` gets small letters, too.  False if
 * the name is too long. */
static bool
copy_name(const char *name, bool is_folded, char ret_own[LONGEST + 1],
          char ret_small[LONGEST + 1])
{
    size_t length = strlen(name);

    if (length > LONGEST)
        return false;
    for (size_t i = 0; i <= length; i++) {
        char c = (char)(name[i] == '.' ? ':' : name[i]);

        ret_small[i] = small_letter(c);
        ret_own[i] = is_folded ? ret_small[i] : c;
    }
    return true;
}

/* A name without masks: of a counter or a metric.  `own` is as it was
 * written. */
static void
add_plain(struct hpm_string *string, const char *own, char *small,
          bool is_kernel)
{
    bool is_papi = is_prefix("papi_", small);

    if (is_kernel || strchr(small, '-') != NULL)
        add_kernel_name(string, small);
    else if (!is_papi && strcmp(own, small) != 0)
        hpm_string_add(string, own);
    else if (strchr(small, '_') == NULL)
        add_kernel_name(string, small);
    else
        hpm_string_add(string, small);
}

/* Is the name one word in capitals, as the names of metrics and of most vendor
 * events are?  Such a name has no owner, no mask and no other spelling ("P":
 * PAPI_..., PERF_COUNT_...).  Four of five names are such words, and each
 * report looks at all names of all definitions. */
static bool
is_capitals(const char *name)
{
    const char *c = name;

    if (*c < 'A' || *c > 'Z' || *c == 'P')
        return false;
    while ((*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_')
        c++;
    return *c == '\0';
}

static void
add_alias(struct hpm_string *string, const char *name, bool is_folded)
{
    char own[LONGEST + 1], small[LONGEST + 1], *at = small, *rest;
    struct hpm_string parts = {0};
    bool is_kernel;

    if (!is_folded && is_capitals(name)) {
        hpm_string_add(string, name);
        return;
    }
    if (!copy_name(name, is_folded, own, small)) {
        for (const char *c = name; *c != '\0'; c++)
            hpm_string_add_char(string, is_folded ? small_letter(*c) : *c);
        return;
    }
    skip_processor(&at);
    own[at - small + (ptrdiff_t)strlen(at)] = '\0';
    is_kernel = skip_owner(&at);
    if (strstr(at, "::") != NULL) { /* ru::, proc:: ... */
        hpm_string_add(string, own + (at - small));
        return;
    }
    rest = strchr(at, ':');
    if (rest != NULL) {
        own[rest - small] = '\0';
        *rest++ = '\0';
        add_parts(&parts, rest);
    }
    /* only events have masks */
    add_plain(string, parts.length > 0 ? at : own + (at - small), at,
              is_kernel);
    if (parts.length > 0)
        hpm_string_add(string, hpm_string_text(&parts));
    hpm_string_finish(&parts, &string->failed);
}

void
hpm_alias_add(struct hpm_string *string, const char *name)
{
    add_alias(string, name, false);
}

void
hpm_alias_add_folded(struct hpm_string *string, const char *name)
{
    add_alias(string, name, true);
}
