/* SPDX-License-Identifier: BSD-3-Clause
 * --section: the functions that are measured. */
#include "hpmcount/probeplan.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/string.h"
#include "host/memory.h"
#include "hpmcount/linked.h"
#include "hpmcount/privilege.h"
#include "hpmcount/probeparts.h"
#include "hpmcount/say.h"
#include "study/probe/chosen.h"
#include "study/probe/executable.h"

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

/* Add what was chosen in a file; the path is the plan's. */
static bool
take_all(struct probeplan *plan, const struct hpm_chosen *chosen,
         const char *path)
{
    if (!hpm_memory_grow(&plan->points, &plan->capacity, plan->n + chosen->n,
                         sizeof *plan->points))
        return false;
    for (size_t i = 0; i < chosen->n; i++) {
        const struct hpm_chosen_point *from = &chosen->points[i];
        struct probeplan_point *point = &plan->points[plan->n];

        *point =
            (struct probeplan_point){.path = path,
                                     .label = hpm_memory_copy_text(from->label),
                                     .instance = number_of(plan, from->label),
                                     .start = from->start,
                                     .offset = from->offset,
                                     .kind = from->kind};
        if (point->label == NULL)
            return false;
        plan->n++;
    }
    return true;
}

/* ---- the list ---------------------------------------------------------- */

static int
compare(const void *first, const void *second)
{
    const struct probeplan_point *a = first, *b = second;

    return a->offset == b->offset ? 0 : a->offset < b->offset ? -1 : 1;
}

void
probeplan_sort(struct probeplan *plan)
{
    hpm_sort(plan->points, plan->n, sizeof *plan->points, compare);
}

/* Say what of a file cannot be measured; false where that is all. */
static bool
judge(const struct hpm_chosen *chosen, const char *path, const char *patterns,
      struct hpm_error *err)
{
    bool can_be_counted = chosen->extent == HPM_PROBE_ENTRY;

    if (chosen->n == 0 && chosen->n_refused > 0 && can_be_counted)
        return hpm_error_set(err,
                             "--section: '%.100s' cannot be measured: %s; "
                             "--entry-only counts its calls",
                             chosen->refused, chosen->why);
    if (chosen->n == 0 && chosen->n_refused > 0)
        return hpm_error_set(err,
                             "--section: '%.100s' cannot be measured: %s; 'hpm "
                             "functions' lists what can",
                             chosen->refused, chosen->why);
    if (chosen->n == 0)
        return hpm_error_set(err,
                             "--section: no function of '%s' is called '%s'; "
                             "'hpm functions' lists them",
                             path, patterns);
    if (chosen->n_refused > 0 && can_be_counted)
        say("--section: functions that cannot be measured: %zu, such as "
            "'%.100s': %s; --entry-only counts their calls",
            chosen->n_refused, chosen->refused, chosen->why);
    else if (chosen->n_refused > 0)
        say("--section: functions that cannot be measured: %zu, such as "
            "'%.100s': %s",
            chosen->n_refused, chosen->refused, chosen->why);
    return true;
}

static bool
can_be_probed(const char *path, struct hpm_error *err)
{
    return strpbrk(path, " \t\n:") == NULL ||
           hpm_error_set(err,
                         "--section: the kernel sets no probe in a file "
                         "with a blank or colon in its path ('%s'); copy "
                         "it elsewhere",
                         path);
}

/* Choose functions of one file, whose path the plan takes. */
static bool
add_file(struct probeplan *plan, char *path, const char *patterns,
         struct hpm_error *err)
{
    struct hpm_chosen chosen = {.points = NULL};
    bool is_good = path != NULL;

    if (is_good && !hpm_memory_grow(&plan->paths, &plan->paths_capacity,
                                    plan->n_paths + 1, sizeof *plan->paths)) {
        hpm_memory_free(path);
        return hpm_error_no_memory(err);
    }
    if (!is_good)
        return false;
    plan->paths[plan->n_paths++] = path;
    is_good =
        can_be_probed(path, err) &&
        hpm_chosen_read(&chosen, path, patterns, plan->is_entry_only, err) &&
        (take_all(plan, &chosen, path) || hpm_error_no_memory(err)) &&
        judge(&chosen, path, patterns, err);
    hpm_chosen_clear(&chosen);
    return is_good;
}

/* The program's file. */
static char *
find_program(const char *word, struct hpm_error *err)
{
    const char *gained = privilege_of(word);
    struct hpm_string path = {0};
    char *real = NULL, *copy;

    if (gained != NULL) {
        hpm_error_set(err,
                      "--section: '%s' %s: the kernel counts nothing in such a "
                      "program; measure a copy without privileges",
                      word, gained);
        return NULL;
    }
    if (hpm_executable_find(word, &path))
        real = realpath(hpm_string_text(&path), NULL);
    copy = hpm_memory_copy_text(real != NULL ? real : word);
    free(real);
    hpm_string_free(&path);
    if (copy == NULL)
        hpm_error_no_memory(err);
    return copy;
}

/* A library's file, or without one the program's. */
static char *
find_file(const char *program, const char *library, struct hpm_error *err)
{
    char *copy;

    if (library != NULL)
        return linked_find(program, library, err);
    copy = hpm_memory_copy_text(program);
    if (copy == NULL)
        hpm_error_no_memory(err);
    return copy;
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
    struct probeparts parts = {.list = NULL};
    bool is_good =
        names_no_source(patterns, err) &&
        (probeparts_read(&parts, patterns) || hpm_error_no_memory(err));
    char *program = is_good ? find_program(word, err) : NULL;

    is_good = is_good && program != NULL;
    for (size_t i = 0; is_good && i < parts.n; i++) {
        const struct probepart *part = &parts.list[i];

        is_good = add_file(plan, find_file(program, part->library, err),
                           hpm_string_text(&part->patterns), err);
    }
    if (is_good)
        probeplan_sort(plan);
    hpm_memory_free(program);
    probeparts_clear(&parts);
    return is_good;
}

void
probeplan_clear(struct probeplan *plan)
{
    for (size_t i = 0; i < plan->n; i++)
        hpm_memory_free(plan->points[i].label);
    hpm_memory_free(plan->points);
    for (size_t i = 0; i < plan->n_paths; i++)
        hpm_memory_free(plan->paths[i]);
    hpm_memory_free(plan->paths);
    *plan = (struct probeplan){0};
}

const struct probeplan_point *
probeplan_find(const struct probeplan *plan, const char *path, uint64_t offset)
{
    size_t low = 0, high = plan->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (plan->points[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < plan->n && plan->points[low].offset == offset; low++) {
        if (strcmp(plan->points[low].path, path) == 0)
            return &plan->points[low];
    }
    return NULL;
}
