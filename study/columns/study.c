/* SPDX-License-Identifier: BSD-3-Clause
 * A study: tasks, sections, rows, columns. */
#include "study/columns/study.h"

#include <stdlib.h>

#include "base/string.h"
#include "host/memory.h"
#include "study/store/keyedhash.h"

const char *const hpm_study_kind_names[] = {
    [HPM_STUDY_RUN] = "run",
    [HPM_STUDY_MERGED] = "merged",
    [HPM_STUDY_INTEGRATED] = "integrated",
    [HPM_STUDY_MEAN] = "mean",
    [HPM_STUDY_DIFF] = "diff",
    [HPM_STUDY_SUMMARY] = "summary",
};

struct hpm_study *
hpm_study_new(size_t most_bytes)
{
    struct hpm_study *study = hpm_memory_new(1, sizeof *study);

    if (study == NULL)
        return NULL;
    study->arena.most = most_bytes;
    study->names.arena = &study->arena;
    study->names.hash = hpm_keyedhash;
    hpm_keyedhash_seed(study->names.seed);
    return study;
}

void
hpm_study_free(struct hpm_study *study)
{
    if (study == NULL)
        return;
    hpm_arena_free(&study->arena);
    hpm_memory_free(study);
}

/* In the largest unit in which the number is whole or has two or more
 * digits. */
static void
add_size(struct hpm_string *string, size_t n_bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB"};
    size_t i = 0;

    for (; i < 2 && (n_bytes >= 16384 || n_bytes % 1024 == 0); i++)
        n_bytes /= 1024;
    hpm_string_add_format(string, "%zu %s", n_bytes,
                          i == 0 && n_bytes == 1 ? "byte" : units[i]);
}

bool
hpm_study_no_memory(const struct hpm_study *study, struct hpm_error *err)
{
    struct hpm_string size = {0};

    if (study == NULL || study->arena.most == 0)
        return hpm_error_no_memory(err);
    add_size(&size, study->arena.most);
    hpm_error_set(err,
                  "more than the %s of memory allowed are needed; take "
                  "fewer files, or allow hpm more by --max-memory",
                  hpm_string_text(&size));
    hpm_string_free(&size);
    return false;
}

/* ---- tasks ----------------------------------------------------------- */

static bool
is_task(const void *array, uint32_t place, const void *key)
{
    return ((const struct hpm_task *)array)[place].number == *(const int *)key;
}

/* Callers mostly ask for the last task, here and below. */
uint32_t
hpm_study_find_task(const struct hpm_study *study, int number)
{
    if (study->n_tasks > 0 &&
        is_task(study->tasks, (uint32_t)study->n_tasks - 1, &number))
        return (uint32_t)study->n_tasks - 1;
    return hpm_index_find(&study->task_index, &number, sizeof number, is_task,
                          study->tasks);
}

uint32_t
hpm_study_add_task(struct hpm_study *study, int number)
{
    uint32_t n = (uint32_t)study->n_tasks, i;

    if (n > 0 && is_task(study->tasks, n - 1, &number))
        return n - 1;
    if (study->n_tasks >= HPM_NO_INDEX - 1 ||
        !hpm_arena_grow(&study->arena, &study->tasks, &study->tasks_capacity,
                        study->n_tasks + 1, sizeof *study->tasks))
        return HPM_NO_INDEX;
    i = hpm_index_find_or_add(&study->task_index, &study->arena, &number,
                              sizeof number, is_task, study->tasks, n);
    if (i != n)
        return i;
    study->tasks[study->n_tasks] = (struct hpm_task){.number = number};
    return (uint32_t)study->n_tasks++;
}

/* ---- texts ----------------------------------------------------------- */

bool
hpm_study_own(struct hpm_study *study, const char **text)
{
    const char *kept = hpm_names_keep_text(&study->names, *text);

    if (kept == NULL && *text != NULL)
        return false;
    *text = kept;
    return true;
}

bool
hpm_study_own_section(struct hpm_study *study,
                      struct hpm_study_section *section)
{
    return hpm_study_own(study, &section->label) &&
           hpm_study_own(study, &section->base) &&
           hpm_study_own(study, &section->file);
}

const char *
hpm_study_keep(struct hpm_study *study, struct hpm_string *words)
{
    const char *kept =
        words->failed
            ? NULL
            : hpm_names_keep_text(&study->names, hpm_string_text(words));

    hpm_string_free(words);
    return kept;
}

/* ---- places ---------------------------------------------------------- */

static bool
is_place(const void *array, uint32_t place, const void *key)
{
    const struct hpm_study_place *wanted = key;
    const struct hpm_study_place *here =
        (const struct hpm_study_place *)array + place;

    return here->task == wanted->task && here->tid == wanted->tid;
}

uint32_t
hpm_study_find_place(const struct hpm_study *study, uint32_t task, int tid)
{
    struct hpm_study_place place = {task, tid};

    return hpm_index_find(&study->place_index, &place, sizeof place, is_place,
                          study->places);
}

uint32_t
hpm_study_add_place(struct hpm_study *study, uint32_t task, int tid)
{
    struct hpm_study_place place = {task, tid};
    uint32_t n = (uint32_t)study->n_places, i;

    if (n > 0 && is_place(study->places, n - 1, &place))
        return n - 1;
    if (study->n_places >= HPM_NO_INDEX - 1 ||
        !hpm_arena_grow(&study->arena, &study->places, &study->places_capacity,
                        study->n_places + 1, sizeof *study->places))
        return HPM_NO_INDEX;
    i = hpm_index_find_or_add(&study->place_index, &study->arena, &place,
                              sizeof place, is_place, study->places, n);
    if (i != n)
        return i;
    study->places[study->n_places] = place;
    return (uint32_t)study->n_places++;
}

/* ---- sections -------------------------------------------------------- */

/* The key of a section, without padding. */
struct section_key {
    uintptr_t label, base;
    uint32_t parent, twin;
    int scope, instance, line, is_outside;
};

static struct section_key
key_of_section(const struct hpm_study_section *section)
{
    return (struct section_key){.label = (uintptr_t)section->label,
                                .base = (uintptr_t)section->base,
                                .parent = section->parent,
                                .twin = section->twin,
                                .scope = section->scope,
                                .instance = section->instance,
                                .line = section->line,
                                .is_outside = section->is_outside};
}

static bool
is_section(const void *array, uint32_t place, const void *key)
{
    struct section_key here =
        key_of_section((const struct hpm_study_section *)array + place);

    return memcmp(&here, key, sizeof here) == 0;
}

uint32_t
hpm_study_find_section(const struct hpm_study *study,
                       const struct hpm_study_section *section)
{
    struct section_key key = key_of_section(section);

    return hpm_index_find(&study->section_index, &key, sizeof key, is_section,
                          study->sections);
}

uint32_t
hpm_study_add_section(struct hpm_study *study,
                      const struct hpm_study_section *section)
{
    struct section_key key = key_of_section(section);
    uint32_t n = (uint32_t)study->n_sections, i;

    if (study->n_sections >= HPM_NO_INDEX - 1 ||
        !hpm_arena_grow(&study->arena, &study->sections,
                        &study->sections_capacity, study->n_sections + 1,
                        sizeof *study->sections))
        return HPM_NO_INDEX;
    i = hpm_index_find_or_add(&study->section_index, &study->arena, &key,
                              sizeof key, is_section, study->sections, n);
    if (i != n)
        return i;
    study->sections[study->n_sections] = *section;
    return (uint32_t)study->n_sections++;
}

uint32_t
hpm_study_climb(const struct hpm_study *study, uint32_t section, uint32_t *map)
{
    uint32_t inside = HPM_NO_INDEX;

    for (;;) {
        uint32_t parent = study->sections[section].parent;

        map[section] = inside;
        if (parent == HPM_NO_INDEX || map[parent] != HPM_NO_INDEX)
            return section;
        inside = section;
        section = parent;
    }
}

/* ---- columns --------------------------------------------------------- */

struct column_key {
    uintptr_t name, unit;
    uint64_t kind;
};

static bool
is_column(const void *array, uint32_t place, const void *key)
{
    const struct column_key *wanted = key;
    const struct hpm_column *here = (const struct hpm_column *)array + place;

    return (uintptr_t)here->name == wanted->name &&
           (uintptr_t)here->unit == wanted->unit &&
           (uint64_t)here->kind == wanted->kind;
}

uint32_t
hpm_study_find_column(const struct hpm_study *study, const char *name,
                      const char *unit, enum hpm_column_kind kind)
{
    struct column_key key = {(uintptr_t)name, (uintptr_t)unit, kind};

    return hpm_index_find(&study->column_index, &key, sizeof key, is_column,
                          study->columns);
}

uint32_t
hpm_study_find_named(const struct hpm_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (strcmp(study->columns[i].name, name) == 0)
            return i;
    }
    return HPM_NO_INDEX;
}

bool
hpm_study_add_problem(struct hpm_study *study, uint32_t task, const char *text)
{
    struct hpm_task *of = &study->tasks[task];

    if (!hpm_arena_grow(&study->arena, &of->problems, &of->problems_capacity,
                        of->n_problems + 1, sizeof *of->problems))
        return false;
    of->problems[of->n_problems++] =
        (struct hpm_task_problem){text, hpm_number_count(1)};
    return true;
}

uint32_t
hpm_study_add_column(struct hpm_study *study, const char *name,
                     const char *unit, enum hpm_column_kind kind)
{
    struct column_key key = {(uintptr_t)name, (uintptr_t)unit, kind};
    uint32_t n = (uint32_t)study->n_columns, i;

    if (study->n_columns >= HPM_NO_INDEX - 1 ||
        !hpm_arena_grow(&study->arena, &study->columns,
                        &study->columns_capacity, study->n_columns + 1,
                        sizeof *study->columns))
        return HPM_NO_INDEX;
    i = hpm_index_find_or_add(&study->column_index, &study->arena, &key,
                              sizeof key, is_column, study->columns, n);
    if (i != n)
        return i;
    study->columns[study->n_columns] = (struct hpm_column){
        .name = name, .unit = unit, .kind = kind, .last_task = HPM_NO_INDEX};
    return (uint32_t)study->n_columns++;
}

/* The old key stays in the index, but its entry no longer matches. */
bool
hpm_study_set_column_kind(struct hpm_study *study, uint32_t column,
                          enum hpm_column_kind kind)
{
    struct hpm_column *here = &study->columns[column];
    struct column_key key = {(uintptr_t)here->name, (uintptr_t)here->unit,
                             kind};

    here->kind = kind;
    return hpm_index_add(&study->column_index, &study->arena, &key, sizeof key,
                         column);
}

bool
hpm_study_rename_column(struct hpm_study *study, uint32_t column,
                        const char *name)
{
    struct hpm_column *here = &study->columns[column];
    struct column_key key = {(uintptr_t)name, (uintptr_t)here->unit,
                             (uint64_t)here->kind};

    here->name = name;
    return hpm_index_add(&study->column_index, &study->arena, &key, sizeof key,
                         column);
}

/* Note that the task has this column, behind `after` where that is known.  The
 * column is new to the task: all rows of a task are added together. */
static bool
list_column(struct hpm_study *study, struct hpm_task *task, uint32_t column,
            uint32_t after)
{
    size_t at = task->n_columns;

    if (!hpm_arena_grow(&study->arena, &task->columns, &task->columns_capacity,
                        task->n_columns + 1, sizeof *task->columns))
        return false;
    while (at > 0 && task->columns[at - 1] != after)
        at--;
    if (at == 0 && after != HPM_NO_INDEX)
        at = task->n_columns;
    memmove(task->columns + at + 1, task->columns + at,
            (task->n_columns - at) * sizeof *task->columns);
    task->columns[at] = column;
    task->n_columns++;
    return true;
}

/* ---- rows ------------------------------------------------------------ */

uint32_t
hpm_study_add_row(struct hpm_study *study, const struct hpm_row *row)
{
    size_t block = study->n_rows / HPM_SERIES_ROWS;
    struct hpm_task *task = &study->tasks[study->places[row->place].task];

    if (study->n_rows >= HPM_NO_INDEX - 1 ||
        !hpm_arena_grow(&study->arena, &study->row_blocks,
                        &study->row_blocks_capacity, block + 1,
                        sizeof *study->row_blocks))
        return HPM_NO_INDEX;
    if (study->row_blocks[block] == NULL)
        study->row_blocks[block] =
            hpm_arena_new(&study->arena, HPM_SERIES_ROWS, sizeof *row);
    if (study->row_blocks[block] == NULL)
        return HPM_NO_INDEX;
    *hpm_study_row(study, study->n_rows) = *row;
    if (task->n_rows == 0)
        task->first_row = study->n_rows;
    task->n_rows++;
    return (uint32_t)study->n_rows++;
}

/* How many of the numbers must be looked at. */
static int
count_numbers(const struct hpm_datum *datum)
{
    unsigned kinds = 0;

    for (int i = HPM_FIELD_CLAMPED; i < HPM_N_NUMBERS; i++)
        kinds |= datum->numbers[i].kind;
    return kinds != 0 ? HPM_N_NUMBERS : HPM_FIELD_CLAMPED;
}

bool
hpm_study_set_datum(struct hpm_study *study, uint32_t row, uint32_t column,
                    uint32_t after, const struct hpm_datum *datum)
{
    struct hpm_column *here = &study->columns[column];
    uint32_t task = hpm_study_place_of(study, row)->task;
    unsigned char bits =
        (unsigned char)((datum->is_hidden ? HPM_TAG_HIDDEN : 0) |
                        ((int)datum->state + 1) << HPM_TAG_STATE_SHIFT);
    int n;

    if (here->last_task != task &&
        !list_column(study, &study->tasks[task], column, after))
        return false;
    here->last_task = task;
    if (!hpm_series_set(&here->fields[HPM_FIELD_VALUE], &study->arena, row,
                        datum->numbers[HPM_FIELD_VALUE], bits))
        return false;
    n = count_numbers(datum);
    for (int i = HPM_FIELD_VALUE + 1; i < n; i++) {
        if (datum->numbers[i].kind != HPM_NUMBER_NONE &&
            !hpm_series_set(&here->fields[i], &study->arena, row,
                            datum->numbers[i], 0))
            return false;
    }
    return datum->reason == NULL ||
           hpm_series_set(&here->fields[HPM_FIELD_REASON], &study->arena, row,
                          hpm_number_count((uintptr_t)datum->reason), 0);
}

bool
hpm_study_is_tag(unsigned char tag)
{
    return (tag & HPM_SERIES_KIND) <= HPM_NUMBER_REAL &&
           (tag & HPM_TAG_STATE) >> HPM_TAG_STATE_SHIFT <=
               HPM_STATE_UNDEFINED + 1;
}

static struct hpm_number
number_of_side(const struct hpm_study *study, uint32_t row, uint32_t column,
               int side, enum hpm_field field)
{
    const struct hpm_study_sides *sides = study->sides;
    uint32_t from = sides->rows[2 * (size_t)row + (size_t)side];
    uint32_t from_column = study->columns[column].sides[side];

    return from != HPM_NO_INDEX && from_column != HPM_NO_INDEX
               ? hpm_study_number(sides->studies[side], from, from_column,
                                  field)
               : (struct hpm_number){0};
}

static struct hpm_number
subtract_sides(const struct hpm_study *study, uint32_t row, uint32_t column,
               enum hpm_field field)
{
    return hpm_number_subtract(number_of_side(study, row, column, 1, field),
                               number_of_side(study, row, column, 0, field));
}

/* The value in a is known where there is a difference. */
static struct hpm_number
value_in_a(const struct hpm_study *study, uint32_t row, uint32_t column,
           enum hpm_field field)
{
    struct hpm_number difference = hpm_study_number(study, row, column, field);

    return difference.kind != HPM_NUMBER_NONE
               ? number_of_side(study, row, column, 0, field)
               : difference;
}

struct hpm_number
hpm_study_work_out(const struct hpm_study *study, uint32_t row, uint32_t column,
                   enum hpm_field field)
{
    const uint32_t *rows = study->sides->rows + 2 * (size_t)row;

    if (rows[0] == HPM_NO_INDEX || rows[1] == HPM_NO_INDEX)
        return (struct hpm_number){0};
    switch (field) {
    case HPM_FIELD_EXCLUSIVE:
    case HPM_FIELD_MEAN:
        return subtract_sides(study, row, column, field);
    case HPM_FIELD_BASE:
        return value_in_a(study, row, column, HPM_FIELD_VALUE);
    case HPM_FIELD_BASE_EXCLUSIVE:
        return value_in_a(study, row, column, HPM_FIELD_EXCLUSIVE);
    default:
        return (struct hpm_number){0};
    }
}

static void
work_out_all(const struct hpm_study *study, uint32_t row, uint32_t column,
             struct hpm_number *numbers)
{
    static const enum hpm_field fields[] = {HPM_FIELD_EXCLUSIVE, HPM_FIELD_MEAN,
                                            HPM_FIELD_BASE,
                                            HPM_FIELD_BASE_EXCLUSIVE};

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        numbers[fields[i]] = hpm_study_number(study, row, column, fields[i]);
}

bool
hpm_study_get_datum(const struct hpm_study *study, uint32_t row,
                    uint32_t column, struct hpm_datum *ret_datum)
{
    const struct hpm_column *here = &study->columns[column];
    unsigned tag = hpm_series_tag(&here->fields[HPM_FIELD_VALUE], row);

    if ((tag & HPM_TAG_STATE) == 0)
        return false;
    ret_datum->is_hidden = (tag & HPM_TAG_HIDDEN) != 0;
    ret_datum->state = hpm_tag_state(tag);
    for (int i = 0; i < HPM_N_NUMBERS; i++)
        ret_datum->numbers[i] = hpm_series_get(&here->fields[i], row);
    if (study->sides != NULL)
        work_out_all(study, row, column, ret_datum->numbers);
    ret_datum->reason = (const char *)(uintptr_t)hpm_series_get(
                            &here->fields[HPM_FIELD_REASON], row)
                            .amount;
    return true;
}

void
hpm_study_settle_datum(struct hpm_datum *datum)
{
    if (datum->numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE) {
        datum->reason = NULL;
    } else if (datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE) {
        if (datum->reason == NULL)
            datum->reason = HPM_REASON_ONLY_EXCLUSIVE;
    } else {
        if (hpm_state_has_value(datum->state))
            datum->state = HPM_STATE_LOST;
        if (datum->reason == NULL)
            datum->reason = "what it is made of has no value";
    }
}

bool
hpm_study_set_extra(struct hpm_study *study, uint32_t row, enum hpm_extra extra,
                    struct hpm_number number)
{
    return number.kind == HPM_NUMBER_NONE ||
           hpm_series_set(&study->extras[extra], &study->arena, row, number, 0);
}

struct hpm_number
hpm_study_extra(const struct hpm_study *study, uint32_t row,
                enum hpm_extra extra)
{
    return hpm_series_get(&study->extras[extra], row);
}

struct hpm_number
hpm_study_outer(const struct hpm_study *study, uint32_t row, uint32_t calls)
{
    struct hpm_number outer = hpm_study_extra(study, row, HPM_EXTRA_OUTER);

    if (outer.kind == HPM_NUMBER_NONE && calls != HPM_NO_INDEX)
        outer = hpm_study_number(study, row, calls, HPM_FIELD_VALUE);
    return outer;
}

bool
hpm_study_is_row(const void *array, uint32_t row, const void *key)
{
    const struct hpm_row *here = hpm_study_row(array, row);
    const struct hpm_row_key *wanted = key;

    return here->place == wanted->place && here->section == wanted->section;
}

bool
hpm_study_are_of_process(const struct hpm_study *study, uint32_t a, uint32_t b)
{
    return a != b && study->places[a].task == study->places[b].task;
}

double
hpm_study_run_seconds(const struct hpm_task *task)
{
    if (task->seconds.kind == HPM_NUMBER_SECONDS)
        return 1e-9 * (double)task->seconds.amount;
    return hpm_number_to_real(task->seconds);
}

static int
compare_hosts(const void *a, const void *b)
{
    return hpm_string_compare(*(const char *const *)a, *(const char *const *)b);
}

bool
hpm_study_shares_nodes(const struct hpm_study *study)
{
    const char **hosts = hpm_memory_new(study->n_tasks + 1, sizeof *hosts);
    bool are_shared =
        hosts == NULL; /* not known: no sum rather than a wrong one */

    for (size_t i = 0; i < study->n_tasks && hosts != NULL; i++)
        hosts[i] = study->tasks[i].machine.host;
    if (hosts != NULL)
        qsort(hosts, study->n_tasks, sizeof *hosts, compare_hosts);
    for (size_t i = 1; i < study->n_tasks && !are_shared; i++)
        are_shared = hosts[i - 1] == NULL || hosts[i] == NULL ||
                     hosts[i - 1][0] == '\0' || hosts[i][0] == '\0' ||
                     strcmp(hosts[i - 1], hosts[i]) == 0;
    hpm_memory_free(hosts);
    return are_shared;
}

bool
hpm_study_counts_others(const struct hpm_study *study, uint32_t row,
                        bool is_of_node)
{
    const struct hpm_task *task = hpm_study_task_of(study, row);
    bool is_of_thread = hpm_study_place_of(study, row)->tid != -1;

    return (task->lacks_threads && is_of_thread) ||
           (task->lacks_neighbours && is_of_node);
}

size_t
hpm_study_n_members(const struct hpm_task *task)
{
    return task->members != NULL && task->n_members.kind == HPM_NUMBER_COUNT
               ? task->n_members.amount
               : 1;
}

size_t
hpm_study_count_tasks(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_tasks; i++)
        n += hpm_study_n_members(&study->tasks[i]);
    return n;
}

size_t
hpm_study_n_tasks(const struct hpm_study *study, uint32_t row)
{
    double n = hpm_number_to_real(hpm_study_extra(study, row, HPM_EXTRA_TASKS));

    return n > 1.0 ? (size_t)n : 1;
}

size_t
hpm_study_count_threads(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_places; i++)
        n += study->places[i].tid >= 0;
    return n;
}

size_t
hpm_study_n_threads(const struct hpm_study *study, uint32_t row)
{
    double n =
        hpm_number_to_real(hpm_study_extra(study, row, HPM_EXTRA_THREADS));

    return n > 1.0 ? (size_t)n : 1;
}

/* Threads of a task that have no records of their own. */
static size_t
count_others(const struct hpm_study *study, uint32_t task)
{
    const struct hpm_task *of = &study->tasks[task];
    size_t most = 0;

    for (size_t i = 0; i < of->n_rows; i++) {
        uint32_t row = (uint32_t)(of->first_row + i);
        size_t n = hpm_study_n_threads(study, row);

        if (hpm_study_place_of(study, row)->tid < -1 && n > most)
            most = n;
    }
    return most;
}

size_t
hpm_study_count_all_threads(const struct hpm_study *study)
{
    size_t n = hpm_study_count_threads(study);
    bool has_others = false;

    for (size_t i = 0; i < study->n_places; i++)
        has_others |= study->places[i].tid < -1;
    for (uint32_t i = 0; i < study->n_tasks && has_others; i++)
        n += count_others(study, i);
    return n;
}

bool
hpm_study_set_text(struct hpm_study *study, uint32_t row, enum hpm_extra extra,
                   const char *text)
{
    return text == NULL ||
           hpm_study_set_extra(study, row, extra,
                               hpm_number_count((uintptr_t)text));
}

const char *
hpm_study_text(const struct hpm_study *study, uint32_t row,
               enum hpm_extra extra)
{
    return (const char *)(uintptr_t)hpm_study_extra(study, row, extra).amount;
}
