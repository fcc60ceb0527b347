/* SPDX-License-Identifier: BSD-3-Clause
 * --section: the functions that are measured. */
#include "hpmcount/probeplan.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/string.h"
#include "elf/wanted.h"
#include "host/memory.h"
#include "hpmcount/privilege.h"
#include "hpmcount/say.h"
#include "study/probe/demangled.h"
#include "study/probe/executable.h"
#include "study/probe/probeable.h"

/* ---- one function ------------------------------------------------------ */

/* The same number in all runs and tasks; two functions never share one. */
static int
number_of(const struct probeplan *plan, const char *label)
{
    uint32_t hash = 2166136261u;
    bool is_taken = true;

    for (const char *at = label; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    for (; is_taken; hash++) {
        is_taken = false;
        for (size_t i = 0; i < plan->n && !is_taken; i++)
            is_taken = plan->points[i].instance == (int)(hash & 0x3fffffff);
    }
    return (int)((hash - 1) & 0x3fffffff);
}

/* A function with several names is measured once, under the first one. */
static bool
is_there(const struct probeplan *plan, uint64_t offset)
{
    for (size_t i = 0; i < plan->n; i++) {
        if (plan->points[i].offset == offset)
            return true;
    }
    return false;
}

struct choosing {
    struct probeplan *plan;
    const struct hpm_wanted *wanted;
    size_t n_refused;
    const char *refused, *why; /* one of them */
    enum hpm_probe_extent extent;
};

static bool
can_be_taken(const struct probeplan *plan, const struct hpm_probeable *function)
{
    return function->probe == HPM_PROBE_WHOLE ||
           (function->probe == HPM_PROBE_ENTRY && plan->is_entry_only);
}

static bool
choose(struct choosing *choosing, const struct hpm_probeable *function,
       char *shown, const char *plain)
{
    const char *forms[4] = {function->name};
    const char *label = shown != NULL ? shown : function->name;
    struct probeplan *plan = choosing->plan;
    struct probeplan_point *point = &plan->points[plan->n];

    forms[1] = shown;
    if (shown != NULL)
        forms[2] = plain;
    if (!hpm_wanted_takes(choosing->wanted, forms, NULL) ||
        is_there(plan, function->offset))
        return true;
    if (!can_be_taken(plan, function)) {
        /* rather one for which there is another way */
        if (choosing->n_refused++ == 0 || function->probe < choosing->extent) {
            choosing->extent = function->probe;
            choosing->refused = function->name;
            choosing->why = function->why;
        }
        return true;
    }
    *point = (struct probeplan_point){.label = hpm_memory_copy_text(label),
                                      .instance = number_of(plan, label),
                                      .start = function->start,
                                      .offset = function->offset,
                                      .kind = function->kind};
    plan->n += point->label != NULL;
    return point->label != NULL;
}

static bool
choose_all(struct choosing *choosing, const struct hpm_probeables *functions,
           struct hpm_error *err)
{
    bool is_good = true;

    choosing->plan->points =
        hpm_memory_new(functions->n + 1, sizeof *choosing->plan->points);
    if (choosing->plan->points == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < functions->n && is_good; i++) {
        char *shown = hpm_demangled_name(functions->list[i].name);
        char *plain = shown != NULL ? hpm_demangled_plain(shown) : NULL;

        is_good = choose(choosing, &functions->list[i], shown, plain);
        hpm_memory_free(shown);
        hpm_memory_free(plain);
    }
    return is_good || hpm_error_no_memory(err);
}

/* ---- the list ---------------------------------------------------------- */

static int
compare(const void *first, const void *second)
{
    const struct probeplan_point *a = first, *b = second;

    return a->offset == b->offset ? 0 : a->offset < b->offset ? -1 : 1;
}

static bool
finish(const struct choosing *choosing, const char *patterns,
       struct hpm_error *err)
{
    struct probeplan *plan = choosing->plan;
    bool can_be_counted = choosing->extent == HPM_PROBE_ENTRY;

    if (plan->n == 0 && choosing->n_refused > 0 && can_be_counted)
        return hpm_error_set(err,
                             "--section: '%.100s' cannot be measured: %s; "
                             "--entry-only counts its calls",
                             choosing->refused, choosing->why);
    if (plan->n == 0 && choosing->n_refused > 0)
        return hpm_error_set(err,
                             "--section: '%.100s' cannot be measured: %s; 'hpm "
                             "functions' lists what can",
                             choosing->refused, choosing->why);
    if (plan->n == 0)
        return hpm_error_set(err,
                             "--section: no function of '%s' is called '%s'; "
                             "'hpm functions' lists them",
                             plan->path, patterns);
    if (choosing->n_refused > 0 && can_be_counted)
        say("--section: functions that cannot be measured: %zu, such as "
            "'%.100s': %s; --entry-only counts their calls",
            choosing->n_refused, choosing->refused, choosing->why);
    else if (choosing->n_refused > 0)
        say("--section: functions that cannot be measured: %zu, such as "
            "'%.100s': %s",
            choosing->n_refused, choosing->refused, choosing->why);
    hpm_sort(plan->points, plan->n, sizeof *plan->points, compare);
    return true;
}

static bool
find_path(struct probeplan *plan, const char *word, struct hpm_error *err)
{
    const char *gained = privilege_of(word);
    struct hpm_string path = {0};
    char *real = NULL;

    if (gained != NULL)
        return hpm_error_set(err,
                             "--section: '%s' %s: the kernel counts nothing in "
                             "such a program; measure a copy without "
                             "privileges",
                             word, gained);
    if (hpm_executable_find(word, &path))
        real = realpath(hpm_string_text(&path), NULL);
    plan->path = hpm_memory_copy_text(real != NULL ? real : word);
    free(real);
    hpm_string_free(&path);
    if (plan->path == NULL)
        return hpm_error_no_memory(err);
    if (strpbrk(plan->path, " \t\n:") != NULL)
        return hpm_error_set(err,
                             "--section: the kernel sets no probe in a file "
                             "with a blank or colon in its path ('%s'); copy "
                             "it elsewhere",
                             plan->path);
    return true;
}

/* Lines of the source are not read here.  An item may begin with blanks. */
static bool
names_no_source(const char *patterns, struct hpm_error *err)
{
    for (const char *at = strstr(patterns, "file:"); at != NULL;
         at = strstr(at + 1, "file:")) {
        if (at == patterns || strchr(", \t!", at[-1]) != NULL)
            return hpm_error_set(err,
                                 "--section: files of the source ('%.100s') "
                                 "are not known here; 'hpm functions "
                                 "PROGRAM file:NAME' lists their "
                                 "functions, name those",
                                 at);
    }
    return true;
}

bool
probeplan_make(struct probeplan *plan, const char *patterns, const char *word,
               struct hpm_error *err)
{
    struct hpm_probeables functions = {0};
    struct hpm_wanted *wanted = hpm_wanted_new(patterns);
    struct choosing choosing = {.plan = plan, .wanted = wanted};
    bool is_good = wanted != NULL || hpm_error_no_memory(err);

    is_good = is_good && names_no_source(patterns, err) &&
              find_path(plan, word, err) &&
              hpm_probeables_read(&functions, plan->path, err) &&
              choose_all(&choosing, &functions, err) &&
              finish(&choosing, patterns, err);
    hpm_probeables_clear(&functions);
    hpm_wanted_free(wanted);
    return is_good;
}

void
probeplan_clear(struct probeplan *plan)
{
    for (size_t i = 0; i < plan->n; i++)
        hpm_memory_free(plan->points[i].label);
    hpm_memory_free(plan->points);
    hpm_memory_free(plan->path);
    *plan = (struct probeplan){0};
}

const struct probeplan_point *
probeplan_find(const struct probeplan *plan, uint64_t offset)
{
    size_t low = 0, high = plan->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (plan->points[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < plan->n && plan->points[low].offset == offset
               ? &plan->points[low]
               : NULL;
}
