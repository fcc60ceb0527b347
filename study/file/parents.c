/* SPDX-License-Identifier: BSD-3-Clause
 * Which record of a file is inside which. */
#include "study/file/parents.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A record whose family is not yet known.  Ids are numbers plus one, 0 for
 * none. */
struct hpm_kin {
    struct hpm_study_section self;
    uint64_t id, parent, within;
    struct hpm_xmlguard_position position; /* the end of its first tag */
    uint32_t mark; /* for the search for circles: number of the walk that
                    * passed */
};

struct id_of_row {
    uint64_t id;
    uint32_t row;
};

struct settling {
    struct hpm_parents *parents;
    struct hpm_study *study;
    const char *file;
    struct hpm_notes *notes;
    struct id_of_row *ids; /* sorted; NULL where ids are row numbers */
    size_t n_ids;
    struct hpm_index rows; /* by place and section; twins are separate */
    uint32_t *last_twins;  /* by row: the last row with the same fields */
};

/* Add a note about a record. */
static void note_record(struct settling *settling, uint32_t row,
                        const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void
note_record(struct settling *settling, uint32_t row, const char *format, ...)
{
    struct hpm_xmlguard_position position =
        settling->parents->kin[row].position;
    char sentence[300];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    hpm_notes_add(settling->notes, "%s:%ld:%ld: %s", settling->file,
                  position.line, position.column, sentence);
}

static uint64_t
plus_one(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_COUNT ? number.amount + 1 : 0;
}

bool
hpm_parents_add(struct hpm_parents *parents,
                const struct hpm_study_section *self, struct hpm_number id,
                struct hpm_number parent, struct hpm_number within,
                struct hpm_xmlguard_position position)
{
    if (!hpm_arena_grow(&parents->arena, &parents->kin, &parents->capacity,
                        parents->n + 1, sizeof *parents->kin))
        return false;
    if (parents->n == 0)
        parents->is_numbered = true;
    parents->kin[parents->n++] = (struct hpm_kin){.self = *self,
                                                  .id = plus_one(id),
                                                  .parent = plus_one(parent),
                                                  .within = plus_one(within),
                                                  .position = position};
    if (plus_one(id) != parents->n + 1)
        parents->is_numbered = false;
    return true;
}

void
hpm_parents_free(struct hpm_parents *parents)
{
    hpm_arena_free(&parents->arena);
    parents->kin = NULL;
    parents->n = parents->capacity = 0;
}

/* ---- ids ------------------------------------------------------------- */

static int
compare_ids(const void *a, const void *b)
{
    const struct id_of_row *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Where two records have one id, the first record keeps it. */
static bool
sort_ids(struct settling *settling)
{
    struct hpm_parents *parents = settling->parents;
    size_t n = 0;

    if (parents->is_numbered)
        return true;
    settling->ids =
        hpm_arena_new(&parents->arena, parents->n, sizeof *settling->ids);
    if (settling->ids == NULL)
        return false;
    for (size_t i = 0; i < parents->n; i++) {
        if (parents->kin[i].id != 0)
            settling->ids[n++] =
                (struct id_of_row){parents->kin[i].id, (uint32_t)i};
    }
    qsort(settling->ids, n, sizeof *settling->ids, compare_ids);
    for (size_t i = 0; i < n; i++) {
        struct id_of_row *id = &settling->ids[i];

        if (settling->n_ids > 0 &&
            settling->ids[settling->n_ids - 1].id == id->id)
            note_record(settling, id->row,
                        "the id %llu was given to a record before; the first "
                        "one keeps it",
                        (unsigned long long)id->id - 1);
        else
            settling->ids[settling->n_ids++] = *id;
    }
    return true;
}

static uint32_t
find_row(const struct settling *settling, uint64_t id)
{
    struct id_of_row key = {id, 0};
    size_t low = 0, high = settling->n_ids;

    if (settling->parents->is_numbered)
        return id >= 2 && id - 2 < settling->parents->n ? (uint32_t)(id - 2)
                                                        : HPM_NO_INDEX;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (settling->ids[middle].id < key.id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < settling->n_ids && settling->ids[low].id == id
               ? settling->ids[low].row
               : HPM_NO_INDEX;
}

/* ---- parents --------------------------------------------------------- */

static void
note(struct settling *settling, uint32_t row, const char *what, uint64_t id,
     const char *problem)
{
    note_record(settling, row, "%s=\"%llu\" %s; left out", what,
                (unsigned long long)id - 1, problem);
}

static uint32_t
task_of(const struct hpm_study *study, uint32_t row)
{
    return hpm_study_place_of(study, row)->task;
}

/* The row that an attribute names, if it may name that row. */
static uint32_t
find_kin(struct settling *settling, uint32_t row, const char *what, uint64_t id,
         int scope)
{
    uint32_t other;

    if (id == 0)
        return HPM_NO_INDEX;
    other = find_row(settling, id);
    if (other == HPM_NO_INDEX)
        note(settling, row, what, id, "is the id of no record here");
    else if (task_of(settling->study, other) != task_of(settling->study, row))
        note(settling, row, what, id, "is a record of another task");
    else if (settling->parents->kin[other].self.scope != scope)
        note(settling, row, what, id, "is a record of the other scope");
    else
        return other;
    return HPM_NO_INDEX;
}

static void
find_families(struct settling *settling)
{
    struct hpm_parents *parents = settling->parents;

    for (uint32_t i = 0; i < parents->n; i++) {
        struct hpm_row *row = hpm_study_row(settling->study, i);
        const struct hpm_kin *kin = &parents->kin[i];

        row->parent =
            find_kin(settling, i, "parent", kin->parent, kin->self.scope);
        row->within =
            find_kin(settling, i, "within", kin->within, HPM_SCOPE_PROCESS);
    }
}

/* Walk up from every row once.  Where a walk comes to a row that it has already
 * passed, there is a circle. */
static void
cut_circles(struct settling *settling)
{
    struct hpm_parents *parents = settling->parents;

    for (uint32_t i = 0; i < parents->n; i++) {
        uint32_t at = i;

        while (at != HPM_NO_INDEX && parents->kin[at].mark == 0) {
            struct hpm_row *row = hpm_study_row(settling->study, at);

            parents->kin[at].mark = i + 1;
            if (row->parent != HPM_NO_INDEX &&
                parents->kin[row->parent].mark == i + 1) {
                note(settling, at, "parent", parents->kin[at].parent,
                     "makes a circle");
                row->parent = HPM_NO_INDEX;
            }
            at = row->parent;
        }
    }
}

/* ---- sections -------------------------------------------------------- */

/* The last row of the same thread with the same fields. */
static uint32_t
find_twin(const struct settling *settling, const struct hpm_row_key *key)
{
    uint32_t first = hpm_index_find(&settling->rows, key, sizeof *key,
                                    hpm_study_is_row, settling->study);

    if (first == HPM_NO_PLACE)
        return HPM_NO_INDEX;
    return settling->last_twins[first] != 0 ? settling->last_twins[first]
                                            : first;
}

static void
note_twin(struct settling *settling, uint32_t row, const char *label)
{
    note_record(settling, row,
                "'%.80s' was recorded before in the same thread and on the "
                "same call path; both are kept, not added up",
                label);
}

/* A record with the same fields as another one of the same thread is a twin.
 * Twins are kept separate: adding them up would be wrong if one record is there
 * twice. */
static uint32_t
find_section(struct settling *settling, uint32_t row,
             struct hpm_study_section *section)
{
    struct hpm_study *study = settling->study;
    struct hpm_row_key key = {hpm_study_row(study, row)->place,
                              hpm_study_add_section(study, section)};
    uint32_t twin;

    if (key.section == HPM_NO_INDEX)
        return HPM_NO_INDEX;
    twin = find_twin(settling, &key);
    if (twin == HPM_NO_INDEX)
        return hpm_index_add(&settling->rows, &settling->parents->arena, &key,
                             sizeof key, row)
                   ? key.section
                   : HPM_NO_INDEX;
    section->twin = hpm_study_section_of(study, twin)->twin + 1;
    if (section->twin == 1)
        note_twin(settling, row, section->label);
    settling->last_twins[hpm_index_find(&settling->rows, &key, sizeof key,
                                        hpm_study_is_row, study)] = row;
    return hpm_study_add_section(study, section);
}

/* Set the section of a row whose parent has its section. */
static bool
give_section(struct settling *settling, uint32_t i)
{
    struct hpm_study *study = settling->study;
    struct hpm_row *row = hpm_study_row(study, i);
    struct hpm_study_section section = settling->parents->kin[i].self;

    if (row->parent != HPM_NO_INDEX)
        section.parent = hpm_study_row(study, row->parent)->section;
    row->section = find_section(settling, i, &section);
    if (row->section == HPM_NO_INDEX)
        return false;
    return strcmp(study->sections[row->section].file, section.file) == 0 ||
           hpm_study_set_text(study, i, HPM_EXTRA_FILE, section.file);
}

/* Parents first, but without recursion: a path may be as long as the file. */
static bool
give_sections(struct settling *settling)
{
    struct hpm_study *study = settling->study;
    uint32_t *path = hpm_arena_new(&settling->parents->arena,
                                   settling->parents->n, sizeof *path);
    size_t length;

    if (path == NULL)
        return false;
    for (uint32_t i = 0; i < settling->parents->n; i++) {
        uint32_t at = i;

        for (length = 0; at != HPM_NO_INDEX &&
                         hpm_study_row(study, at)->section == HPM_NO_INDEX;
             at = hpm_study_row(study, at)->parent)
            path[length++] = at;
        while (length > 0) {
            if (!give_section(settling, path[--length]))
                return false;
        }
    }
    return true;
}

static bool
is_scattered(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_rows; i++) {
        const struct hpm_task *task = hpm_study_task_of(study, i);

        if (i < task->first_row || i >= task->first_row + task->n_rows)
            return true;
    }
    return false;
}

bool
hpm_parents_settle(struct hpm_parents *parents, struct hpm_study *study,
                   const char *file, struct hpm_notes *notes)
{
    struct settling settling = {
        .parents = parents, .study = study, .file = file, .notes = notes};

    if (!sort_ids(&settling))
        return false;
    settling.last_twins =
        hpm_arena_new(&parents->arena, parents->n, sizeof *settling.last_twins);
    if (settling.last_twins == NULL)
        return false;
    find_families(&settling);
    cut_circles(&settling);
    parents->is_scattered = is_scattered(study);
    return give_sections(&settling);
}
