/* SPDX-License-Identifier: BSD-3-Clause
 * Hot spots: where a program's samples are. */
#include "study/hotspot/hotspots.h"

#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"

/* The samples of one place in one section. */
struct counted {
    uint32_t sampled, section; /* HPM_NO_INDEX: all sections */
    uint32_t name, module;     /* numbers of names */
    uint32_t line;             /* the same; HPM_NO_NAME: not asked for */
    uint64_t n;
};

struct finding {
    struct hpm_hotspots *hotspots;
    struct hpm_naming naming;
    uint32_t *sections; /* by section: the first section that is equal apart
                         * from the call path */
    bool *has_threads;  /* by event: threads have samples of it */
    struct counted *counted;
    size_t n_counted, capacity;
};

/* ---- sections -------------------------------------------------------- */

double
hpm_hotspots_scale(const struct hpm_hotspots *hotspots,
                   const struct hpm_study_sampled *sampled)
{
    uint64_t n_runs = 1;

    for (size_t i = 0; i < hotspots->study->n_tasks; i++) {
        struct hpm_number n = hotspots->study->tasks[i].n_runs;

        if (n.kind == HPM_NUMBER_COUNT && n.amount > n_runs)
            n_runs = n.amount;
    }
    return (double)sampled->period / (double)n_runs;
}

bool
hpm_hotspots_is_one_of_several(const struct hpm_study *study,
                               const struct hpm_study_sampled *sampled)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_sampled; i++)
        n += study->sampled[i].name == sampled->name;
    return n > 1;
}

bool
hpm_hotspots_is_same_section(const struct hpm_study_section *a,
                             const struct hpm_study_section *b)
{
    return a->label == b->label && a->base == b->base && a->line == b->line &&
           a->instance == b->instance && a->scope == b->scope &&
           a->is_outside == b->is_outside;
}

static int
compare_texts(const char *a, const char *b)
{
    return (a > b) - (a < b); /* equal texts have the same address */
}

static int
compare_sections(const void *first, const void *second)
{
    const struct hpm_study_section *a =
        *(struct hpm_study_section *const *)first;
    const struct hpm_study_section *b =
        *(struct hpm_study_section *const *)second;
    int order = compare_texts(a->label, b->label);

    if (order == 0)
        order = compare_texts(a->base, b->base);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    if (order == 0)
        order = (a->instance > b->instance) - (a->instance < b->instance);
    if (order == 0)
        order = a->scope - b->scope;
    if (order == 0)
        order = a->is_outside - b->is_outside;
    return order != 0 ? order : (a > b) - (a < b);
}

static bool
group_sections(struct finding *finding)
{
    const struct hpm_study *study = finding->hotspots->study;
    const struct hpm_study_section **sorted =
        hpm_memory_new(study->n_sections + 1, sizeof *sorted);
    size_t first = 0;

    finding->sections =
        hpm_memory_new(study->n_sections + 1, sizeof *finding->sections);
    if (sorted == NULL || finding->sections == NULL) {
        hpm_memory_free(sorted);
        return false;
    }
    for (size_t i = 0; i < study->n_sections; i++)
        sorted[i] = &study->sections[i];
    qsort(sorted, study->n_sections, sizeof *sorted, compare_sections);
    for (size_t i = 0; i < study->n_sections; i++) {
        if (!hpm_hotspots_is_same_section(sorted[first], sorted[i]))
            first = i;
        finding->sections[sorted[i] - study->sections] =
            (uint32_t)(sorted[first] - study->sections);
    }
    hpm_memory_free(sorted);
    return true;
}

/* ---- places ---------------------------------------------------------- */

static bool
is_of_thread(const struct hpm_study *study, const struct hpm_study_hit *hit)
{
    return hpm_study_section_of(study, hit->row)->scope == HPM_SCOPE_THREAD;
}

static bool
find_scopes(struct finding *finding)
{
    const struct hpm_study *study = finding->hotspots->study;

    finding->has_threads =
        hpm_memory_new(study->n_sampled + 1, sizeof *finding->has_threads);
    if (finding->has_threads == NULL)
        return false;
    for (size_t i = 0; i < study->n_hits; i++) {
        if (is_of_thread(study, &study->hits[i]))
            finding->has_threads[study->hits[i].sampled] = true;
    }
    return true;
}

static bool
count(struct finding *finding, const struct counted *counted)
{
    if (!hpm_memory_grow(&finding->counted, &finding->capacity,
                         finding->n_counted + 1, sizeof *finding->counted))
        return false;
    finding->counted[finding->n_counted++] = *counted;
    return true;
}

/* Count the hit in its section, and once for the whole program: a thread's
 * sample is also in a section of the process. */
static bool
count_hit(struct finding *finding, const struct hpm_study_hit *hit)
{
    const struct hpm_study *study = finding->hotspots->study;
    struct counted counted = {
        .sampled = hit->sampled, .line = HPM_NO_NAME, .n = hit->n};

    if (!hpm_naming_find(&finding->naming, hit, &counted.name,
                         &counted.module) ||
        (finding->naming.kind == HPM_NAMING_PLACE &&
         !hpm_naming_find_line(&finding->naming, hit, &counted.line)))
        return false;
    counted.section =
        finding->sections[hpm_study_row(study, hit->row)->section];
    if (!count(finding, &counted))
        return false;
    if (is_of_thread(study, hit) != finding->has_threads[hit->sampled])
        return true;
    hpm_naming_note(&finding->naming, hit, counted.name);
    counted.section = HPM_NO_INDEX;
    return count(finding, &counted);
}

static bool
count_hits(struct finding *finding)
{
    const struct hpm_study *study = finding->hotspots->study;

    for (size_t i = 0; i < study->n_hits; i++) {
        if (!count_hit(finding, &study->hits[i]))
            return false;
    }
    return true;
}

static int
compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int
compare_counted(const void *first, const void *second)
{
    const struct counted *a = first, *b = second;
    int order = compare(a->sampled, b->sampled);

    if (order == 0)
        order = compare(a->section, b->section);
    if (order == 0)
        order = compare(a->module, b->module);
    if (order == 0)
        order = compare(a->name, b->name);
    return order != 0 ? order : compare(a->line, b->line);
}

static void
add_up(struct finding *finding)
{
    struct counted *counted = finding->counted;
    size_t n = 0;

    if (finding->n_counted == 0)
        return;
    qsort(counted, finding->n_counted, sizeof *counted, compare_counted);
    for (size_t i = 1; i < finding->n_counted; i++) {
        if (compare_counted(&counted[n], &counted[i]) == 0) {
            counted[n].n += counted[i].n;
        } else {
            counted[++n] = counted[i];
        }
    }
    finding->n_counted = n + 1;
}

/* ---- parts ----------------------------------------------------------- */

static int
compare_spots(const void *first, const void *second)
{
    const struct hpm_hotspot *a = first, *b = second;
    int order = compare(b->n, a->n);

    if (order == 0)
        order = strcmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->module, b->module);
}

/* Add the part of `n` places of one event in one section. */
static bool
add_part(struct finding *finding, const struct counted *counted, size_t n)
{
    struct hpm_hotspots *hotspots = finding->hotspots;
    struct hpm_hotspots_part *part = &hotspots->parts[hotspots->n_parts++];

    part->sampled = counted->sampled;
    part->section = counted->section;
    part->spots = hpm_arena_new(&hotspots->arena, n, sizeof *part->spots);
    if (part->spots == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (counted[i].name == HPM_NAMING_LOST) {
            part->n_lost += counted[i].n;
            continue;
        }
        part->n_taken += counted[i].n;
        part->spots[part->n_spots++] = (struct hpm_hotspot){
            hpm_names_text(&hotspots->names, counted[i].name),
            hpm_names_text(&hotspots->names, counted[i].module),
            hpm_names_text(&hotspots->names, counted[i].line), counted[i].n};
    }
    qsort(part->spots, part->n_spots, sizeof *part->spots, compare_spots);
    return true;
}

/* The part of all samples first, then the sections, largest first. */
static int
compare_parts(const void *first, const void *second)
{
    const struct hpm_hotspots_part *a = first, *b = second;
    int order = compare(a->sampled, b->sampled);

    if (order == 0)
        order = (b->section == HPM_NO_INDEX) - (a->section == HPM_NO_INDEX);
    if (order == 0)
        order = compare(b->n_taken, a->n_taken);
    return order != 0 ? order : compare(a->section, b->section);
}

static size_t
length_of_part(const struct finding *finding, size_t from)
{
    const struct counted *counted = finding->counted;
    size_t n = 1;

    while (from + n < finding->n_counted &&
           counted[from + n].sampled == counted[from].sampled &&
           counted[from + n].section == counted[from].section)
        n++;
    return n;
}

static bool
make_parts(struct finding *finding)
{
    struct hpm_hotspots *hotspots = finding->hotspots;
    size_t n_parts = 0;

    for (size_t i = 0; i < finding->n_counted; i += length_of_part(finding, i))
        n_parts++;
    hotspots->parts =
        hpm_arena_new(&hotspots->arena, n_parts, sizeof *hotspots->parts);
    if (hotspots->parts == NULL)
        return false;
    for (size_t i = 0, n; i < finding->n_counted; i += n) {
        n = length_of_part(finding, i);
        if (!add_part(finding, &finding->counted[i], n))
            return false;
    }
    qsort(hotspots->parts, hotspots->n_parts, sizeof *hotspots->parts,
          compare_parts);
    return true;
}

static bool
tell_lacks(struct finding *finding)
{
    struct hpm_hotspots *hotspots = finding->hotspots;
    const struct hpm_study *study = hotspots->study;

    hotspots->lacks = hpm_arena_new(&hotspots->arena, study->n_modules,
                                    sizeof *hotspots->lacks);
    if (hotspots->lacks == NULL)
        return false;
    for (size_t i = 0; i < study->n_modules; i++) {
        const char *reason = hpm_naming_explain(&finding->naming, i);

        if (reason != NULL)
            hotspots->lacks[hotspots->n_lacks++] = (struct hpm_hotspots_lack){
                study->modules[i].path, reason,
                finding->naming.modules[i].n_unnamed};
    }
    return true;
}

/* ---- public functions ------------------------------------------------ */

static bool
find_all(struct finding *finding)
{
    if (!hpm_naming_begin(&finding->naming) || !group_sections(finding) ||
        !find_scopes(finding) || !count_hits(finding))
        return false;
    add_up(finding);
    return make_parts(finding) && tell_lacks(finding);
}

struct hpm_hotspots *
hpm_hotspots_new(const struct hpm_study *study, enum hpm_naming_kind naming,
                 struct hpm_error *err)
{
    struct hpm_hotspots *hotspots = hpm_memory_new(1, sizeof *hotspots);
    struct finding finding = {.hotspots = hotspots};
    bool is_good;

    if (hotspots == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    hotspots->study = study;
    hotspots->naming = naming;
    finding.naming = (struct hpm_naming){
        .kind = naming, .study = study, .names = &hotspots->names};
    is_good = find_all(&finding);
    hpm_naming_end(&finding.naming);
    hpm_memory_free(finding.sections);
    hpm_memory_free(finding.has_threads);
    hpm_memory_free(finding.counted);
    if (is_good)
        return hotspots;
    hpm_hotspots_free(hotspots);
    hpm_error_no_memory(err);
    return NULL;
}

void
hpm_hotspots_free(struct hpm_hotspots *hotspots)
{
    if (hotspots == NULL)
        return;
    hpm_names_free(&hotspots->names);
    hpm_arena_free(&hotspots->arena);
    hpm_memory_free(hotspots);
}
