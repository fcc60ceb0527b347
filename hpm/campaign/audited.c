/* SPDX-License-Identifier: BSD-3-Clause
 * The sections of a study that an audit compares with another study's. */
#include "hpm/campaign/audited.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "study/columns/combine.h"

/* ---- names ------------------------------------------------------------ */

static void
add_label(struct hpm_string *string, const struct hpm_study_section *section)
{
    if (section->label != NULL && section->label[0] != '\0')
        hpm_string_add(string, section->label);
    else
        hpm_string_add_format(string, "#%d", section->instance);
}

/* Add the section's place in the source; what is outside all sections has
 * none. */
static void
add_place(struct hpm_string *string, const struct hpm_study_section *section)
{
    if (!section->is_outside)
        hpm_string_add_format(string, " (#%d %s:%d)", section->instance,
                              section->base != NULL ? section->base : "",
                              section->line);
}

/* The path to a section, with the places of all its sections where
 * `has_places`; NULL when there is no memory. */
static const char *
path_of(const struct audited *audited, uint32_t section, bool has_places,
        struct hpm_study *names)
{
    const struct hpm_study_section *here = &audited->study->sections[section];
    struct hpm_string path = {0};

    if (here->parent != HPM_NO_INDEX) {
        const struct audited_section *above = &audited->sections[here->parent];

        hpm_string_add_format(&path, "%s/",
                              has_places ? above->key : above->name);
    }
    add_label(&path, here);
    if (has_places)
        add_place(&path, here);
    if (here->parent == HPM_NO_INDEX && here->scope == HPM_SCOPE_PROCESS)
        hpm_string_add(&path, " (process)");
    return hpm_study_keep(names, &path);
}

/* Name the sections around a section before the section itself. */
static bool
name_one(struct audited *audited, uint32_t number, struct hpm_study *names)
{
    struct audited_section *section = &audited->sections[number];
    uint32_t parent = audited->study->sections[number].parent;

    if (section->key != NULL)
        return true;
    if (parent != HPM_NO_INDEX && !name_one(audited, parent, names))
        return false;
    section->section = number;
    section->first_row = HPM_NO_INDEX;
    section->name = path_of(audited, number, false, names);
    section->key = path_of(audited, number, true, names);
    return section->name != NULL && section->key != NULL;
}

static int
compare_texts(const char *a, const char *b)
{
    return (a > b) - (a < b);
}

static int
compare_names(const void *a, const void *b)
{
    const struct audited_section *const *x = a, *const *y = b;

    return compare_texts((*x)->name, (*y)->name);
}

static int
compare_keys(const void *a, const void *b)
{
    const struct audited_section *const *x = a, *const *y = b;

    return compare_texts((*x)->key, (*y)->key);
}

/* Add places to names that several sections share. */
static void
tell_apart(struct audited *audited)
{
    struct audited_section **sorted = audited->sorted;
    size_t n = audited->study->n_sections;

    qsort(sorted, n, sizeof *sorted, compare_names);
    for (size_t i = 0, end; i < n; i = end) {
        const char *name = sorted[i]->name;

        for (end = i + 1; end < n && sorted[end]->name == name; end++)
            sorted[end]->name = sorted[end]->key;
        if (end > i + 1)
            sorted[i]->name = sorted[i]->key;
    }
    qsort(sorted, n, sizeof *sorted, compare_keys);
}

/* ---- public functions ------------------------------------------------- */

bool
audited_open(struct audited *audited, const struct hpm_study *study,
             struct hpm_study *names)
{
    size_t n = study->n_sections;

    *audited = (struct audited){
        .study = study,
        .sections = hpm_memory_new(n + 1, sizeof *audited->sections),
        .sorted = hpm_memory_new(n + 1, sizeof *audited->sorted),
        .next_rows =
            hpm_memory_new(study->n_rows + 1, sizeof *audited->next_rows)};
    if (audited->sections == NULL || audited->sorted == NULL ||
        audited->next_rows == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        audited->sorted[i] = &audited->sections[i];
        if (!name_one(audited, i, names))
            return false;
    }
    tell_apart(audited);
    for (uint32_t row = 0; row < study->n_rows; row++) {
        uint32_t section = hpm_study_row(study, row)->section;

        audited->next_rows[row] = audited->sections[section].first_row;
        audited->sections[section].first_row = row;
    }
    return true;
}

void
audited_close(struct audited *audited)
{
    hpm_memory_free(audited->sections);
    hpm_memory_free(audited->sorted);
    hpm_memory_free(audited->next_rows);
}

uint32_t
audited_find(const struct audited *audited, const char *key)
{
    const struct audited_section wanted = {.key = key}, *at = &wanted;
    struct audited_section *const *found =
        bsearch(&at, audited->sorted, audited->study->n_sections,
                sizeof *audited->sorted, compare_keys);

    return found != NULL ? (*found)->section : HPM_NO_INDEX;
}

static size_t
count_rows(const struct audited *audited, uint32_t section)
{
    size_t n = 0;

    for (uint32_t row = audited->sections[section].first_row;
         row != HPM_NO_INDEX; row = audited->next_rows[row])
        n++;
    return n;
}

bool
audited_sum(const struct audited *audited, uint32_t section, uint32_t column,
            struct hpm_datum *ret_datum)
{
    struct hpm_operand *inputs =
        hpm_memory_new(count_rows(audited, section) + 1, sizeof *inputs);
    uint32_t row = audited->sections[section].first_row;
    size_t n = 0;

    for (; inputs != NULL && row != HPM_NO_INDEX;
         row = audited->next_rows[row]) {
        inputs[n].n_calls = NAN;
        n += hpm_study_get_datum(audited->study, row, column, &inputs[n].datum);
    }
    if (n > 0)
        hpm_combine_sum(inputs, n, ret_datum);
    hpm_memory_free(inputs);
    return n > 0;
}
