/* SPDX-License-Identifier: BSD-3-Clause
 * Copying what one study holds into another.
 *
 * Maps give for each index of one study the index in the other.  Numbers are
 * copied column by column; blocks without numbers are skipped.
 */
#include "study/columns/transfer.h"

#include "host/memory.h"
#include "study/columns/calls.h"
#include "study/columns/hits.h"
#include "study/columns/lacks.h"
#include "study/columns/spreads.h"

uint32_t *
hpm_transfer_map(struct hpm_arena *arena, size_t n)
{
    uint32_t *map = hpm_arena_new(arena, n, sizeof *map);

    if (map != NULL)
        memset(map, 0xff, n * sizeof *map);
    return map;
}

/* ---- texts ----------------------------------------------------------- */

/* Make the text fields of `thing` the study's own.  `like`, if not NULL, is a
 * thing of the study that mostly has the same texts in the same fields:
 * comparing with it is cheaper than looking the texts up. */
static bool
own_all(struct hpm_study *to, const void *thing, const void *like,
        const char **const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *known = NULL;

        if (*texts[i] == NULL)
            continue;
        if (like != NULL)
            memcpy(&known,
                   (const char *)like +
                       ((const char *)texts[i] - (const char *)thing),
                   sizeof known);
        if (known != NULL && strcmp(known, *texts[i]) == 0)
            *texts[i] = known;
        else if (!hpm_study_own(to, texts[i]))
            return false;
    }
    return true;
}

#define OWN_LIKE(to, thing, like, ...)                                         \
    own_all(to, thing, like, (const char **const[]){__VA_ARGS__},              \
            sizeof((const char **const[]){__VA_ARGS__}) /                      \
                sizeof(const char **))
#define OWN(to, ...) OWN_LIKE(to, NULL, NULL, __VA_ARGS__)

static void *
copy_array(struct hpm_study *to, const void *array, size_t n, size_t size)
{
    void *copy = hpm_arena_new(&to->arena, n, size);

    if (copy != NULL && n > 0)
        memcpy(copy, array, n * size);
    return copy;
}

/* ---- descriptions ---------------------------------------------------- */

static bool
own_counters(struct hpm_study *to, struct hpm_task *task,
             const struct hpm_task *like)
{
    for (size_t i = 0; i < task->n_counters; i++) {
        struct hpm_task_counter *counter = &task->counters[i];
        const struct hpm_task_counter *there =
            like != NULL && i < like->n_counters ? &like->counters[i] : NULL;

        if (!OWN_LIKE(to, counter, there, &counter->name, &counter->source,
                      &counter->domain, &counter->unit, &counter->reason,
                      &counter->description, &counter->runs))
            return false;
    }
    return true;
}

static bool
own_lists(struct hpm_study *to, struct hpm_task *task,
          const struct hpm_task *like)
{
    bool is_good = own_counters(to, task, like);

    for (size_t i = 0; i < task->n_resources && is_good; i++)
        is_good = OWN(to, &task->resources[i].name, &task->resources[i].unit);
    for (size_t i = 0; i < task->n_problems && is_good; i++)
        is_good = hpm_study_own(to, &task->problems[i].text);
    return is_good;
}

static bool
copy_calibrations(struct hpm_study *to, struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_calibrations; i++) {
        struct hpm_task_calibration *calibration = &task->calibrations[i];

        calibration->costs_capacity = calibration->n_costs;
        calibration->costs =
            copy_array(to, calibration->costs, calibration->n_costs,
                       sizeof *calibration->costs);
        if (calibration->costs == NULL ||
            !hpm_study_own(to, &calibration->when))
            return false;
        for (size_t j = 0; j < calibration->n_costs; j++) {
            if (!hpm_study_own(to, &calibration->costs[j].name))
                return false;
        }
    }
    return true;
}

/* Replace the lists of `task` by copies in the arena of `to`. */
static bool
copy_lists(struct hpm_study *to, struct hpm_task *task,
           const struct hpm_task *like)
{
    task->resources_capacity = task->n_resources;
    task->counters_capacity = task->n_counters;
    task->calibrations_capacity = task->n_calibrations;
    task->problems_capacity = task->n_problems;
    task->resources = copy_array(to, task->resources, task->n_resources,
                                 sizeof *task->resources);
    task->counters = copy_array(to, task->counters, task->n_counters,
                                sizeof *task->counters);
    task->calibrations =
        copy_array(to, task->calibrations, task->n_calibrations,
                   sizeof *task->calibrations);
    task->problems = copy_array(to, task->problems, task->n_problems,
                                sizeof *task->problems);
    return task->resources != NULL && task->counters != NULL &&
           task->calibrations != NULL && task->problems != NULL &&
           own_lists(to, task, like) && copy_calibrations(to, task);
}

bool
hpm_transfer_description(struct hpm_study *to, uint32_t to_task,
                         const struct hpm_task *from)
{
    const struct hpm_task *like = to_task > 0 ? &to->tasks[to_task - 1] : NULL;
    struct hpm_task task = *from;
    struct hpm_task_machine *machine = &task.machine;

    task.number = to->tasks[to_task].number;
    task.first_row = task.n_rows = 0;
    task.columns = NULL;
    task.n_columns = task.columns_capacity = 0;
    task.sampled = NULL; /* move_hits adds these two */
    task.n_sampled = task.sampled_capacity = 0;
    task.modules = NULL;
    task.n_modules = task.modules_capacity = 0;
    if (!OWN_LIKE(to, &task, like, &task.file, &task.program, &task.job,
                  &task.start, &task.exit, &task.tool, &task.reason, &task.only,
                  &task.except, &task.members, &task.dims, &task.periods,
                  &task.coords, &task.degrees, &task.sources,
                  &task.destinations, &machine->host, &machine->system,
                  &machine->architecture, &machine->cpu, &machine->pmu,
                  &machine->mhz_source, &machine->facts, &machine->counters,
                  &machine->reason, &machine->binding, &machine->numa_nodes) ||
        !copy_lists(to, &task, like))
        return false;
    to->tasks[to_task] = task;
    return true;
}

bool
hpm_transfer_sources(struct hpm_study *to, const struct hpm_study *from,
                     enum hpm_side side)
{
    for (size_t i = 0; i < from->n_sources; i++) {
        struct hpm_study_source source = from->sources[i];

        if (side != HPM_SIDE_BOTH)
            source.side = side;
        if (!hpm_study_own(to, &source.file) ||
            !hpm_arena_grow(&to->arena, &to->sources, &to->sources_capacity,
                            to->n_sources + 1, sizeof *to->sources))
            return false;
        to->sources[to->n_sources++] = source;
    }
    return hpm_lacks_transfer(to, from);
}

/* ---- sections and columns -------------------------------------------- */

/* Tasks are alike: a section is mostly at the same index in both studies. */
static bool
is_section_there(const struct hpm_study *to, size_t place,
                 const struct hpm_study_section *from, uint32_t parent)
{
    const struct hpm_study_section *here;

    if (place >= to->n_sections)
        return false;
    here = &to->sections[place];
    return here->parent == parent && here->twin == from->twin &&
           here->scope == from->scope && here->instance == from->instance &&
           here->line == from->line && strcmp(here->label, from->label) == 0 &&
           strcmp(here->base, from->base) == 0;
}

/* Add one section whose parent in `to` is known. */
static uint32_t
add_section(struct hpm_study *to, uint32_t place,
            const struct hpm_study_section *from, uint32_t parent)
{
    struct hpm_study_section section = *from;

    if (is_section_there(to, place, from, parent))
        return place;
    section.parent = parent;
    if (!OWN(to, &section.label, &section.base, &section.file))
        return HPM_NO_INDEX;
    return hpm_study_add_section(to, &section);
}

/* A call path may be as long as the file, so there is no recursion: each
 * section of the path is visited twice. */
uint32_t
hpm_transfer_section(struct hpm_study *to, const struct hpm_study *from,
                     uint32_t section, uint32_t *map)
{
    uint32_t at, parent;

    if (map[section] != HPM_NO_INDEX)
        return map[section];
    at = hpm_study_climb(from, section, map);
    parent = from->sections[at].parent;
    if (parent != HPM_NO_INDEX)
        parent = map[parent];
    while (at != HPM_NO_INDEX) {
        uint32_t inside = map[at];

        map[at] = add_section(to, at, &from->sections[at], parent);
        if (map[at] == HPM_NO_INDEX)
            return HPM_NO_INDEX;
        parent = map[at];
        at = inside;
    }
    return parent;
}

static bool
is_column_there(const struct hpm_study *to, size_t place,
                const struct hpm_column *from)
{
    const struct hpm_column *here;

    if (place >= to->n_columns)
        return false;
    here = &to->columns[place];
    return here->kind == from->kind &&
           hpm_string_compare(here->name, from->name) == 0 &&
           hpm_string_compare(here->unit, from->unit) == 0;
}

uint32_t
hpm_transfer_column(struct hpm_study *to, const struct hpm_study *from,
                    uint32_t column)
{
    const struct hpm_column *here = &from->columns[column];
    const char *name = here->name, *unit = here->unit;

    if (is_column_there(to, column, here))
        return column;
    if (!OWN(to, &name, &unit))
        return HPM_NO_INDEX;
    return hpm_study_add_column(to, name, unit,
                                (enum hpm_column_kind)here->kind);
}

/* ---- rows ------------------------------------------------------------ */

/* The order in which all rows of `from` are copied, and the row each
 * becomes. */
struct order {
    uint32_t *rows;   /* by new position */
    uint32_t *places; /* new position by old row */
    size_t first;     /* the new row of position 0 */
    size_t n;
    bool is_kept; /* each row keeps the row before it */
};

static bool
order_rows(struct order *order, struct hpm_arena *scratch,
           const struct hpm_study *to, const struct hpm_study *from)
{
    size_t *next = hpm_arena_new(scratch, from->n_tasks + 1, sizeof *next);
    size_t sum = 0;

    order->first = to->n_rows;
    order->n = from->n_rows;
    order->is_kept = true;
    order->rows = hpm_transfer_map(scratch, from->n_rows);
    order->places = hpm_transfer_map(scratch, from->n_rows);
    if (next == NULL || order->rows == NULL || order->places == NULL)
        return false;
    for (size_t i = 0; i < from->n_tasks; i++) {
        next[i] = sum;
        sum += from->tasks[i].n_rows;
    }
    for (uint32_t i = 0; i < from->n_rows; i++) {
        uint32_t task = hpm_study_place_of(from, i)->task;

        order->is_kept = order->is_kept && next[task] == i;
        order->rows[next[task]] = i;
        order->places[i] = (uint32_t)next[task]++;
    }
    return true;
}

static uint32_t
moved(const struct order *order, uint32_t row)
{
    return row == HPM_NO_INDEX ? HPM_NO_INDEX
                               : (uint32_t)(order->first + order->places[row]);
}

static bool
copy_rows(struct hpm_study *to, struct hpm_arena *scratch,
          const struct hpm_study *from, const struct order *order,
          const uint32_t *tasks)
{
    uint32_t *sections = hpm_transfer_map(scratch, from->n_sections);
    uint32_t *places = hpm_transfer_map(scratch, from->n_places);

    if (sections == NULL || places == NULL)
        return false;
    for (size_t i = 0; i < from->n_rows; i++) {
        struct hpm_row row = *hpm_study_row(from, order->rows[i]);
        const struct hpm_study_place *place = &from->places[row.place];

        if (places[row.place] == HPM_NO_INDEX)
            places[row.place] =
                hpm_study_add_place(to, tasks[place->task], place->tid);
        row.place = places[row.place];
        row.section = hpm_transfer_section(to, from, row.section, sections);
        row.parent = moved(order, row.parent);
        row.within = moved(order, row.within);
        if (row.place == HPM_NO_INDEX || row.section == HPM_NO_INDEX ||
            hpm_study_add_row(to, &row) == HPM_NO_INDEX)
            return false;
    }
    return true;
}

/* Where the numbers are texts: make them the study's own. */
static bool
own_numbers(struct hpm_study *to, uint64_t *amounts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = (const char *)(uintptr_t)amounts[i];

        if (!hpm_study_own(to, &text))
            return false;
        amounts[i] = (uintptr_t)text;
    }
    return true;
}

/* Copy n numbers, from place `from` of a block on, to n rows. */
static bool
copy_run(struct hpm_study *to, struct hpm_series *series, size_t row,
         const struct hpm_series_block *block, size_t from, size_t n,
         bool is_text)
{
    while (n > 0) {
        size_t at = row % HPM_SERIES_ROWS;
        size_t n_here = HPM_SERIES_ROWS - at < n ? HPM_SERIES_ROWS - at : n;
        struct hpm_series_block *target = hpm_series_block(series, row);

        if (target == NULL)
            target = hpm_series_add_block(series, &to->arena, row);
        if (target == NULL)
            return false;
        memcpy(target->amounts + at, block->amounts + from,
               n_here * sizeof *block->amounts);
        memcpy(target->tags + at, block->tags + from, n_here);
        if (is_text && !own_numbers(to, target->amounts + at, n_here))
            return false;
        row += n_here;
        from += n_here;
        n -= n_here;
    }
    return true;
}

/* The number of consecutive numbers from place i on, up to n, whose rows stay
 * together; `places` are the new positions of the block's rows. */
static size_t
length_of_run(const struct hpm_series_block *block, const struct order *order,
              const uint32_t *places, size_t i, size_t n)
{
    const unsigned char *tags = block->tags + i;
    const unsigned char *gap = memchr(tags, 0, n - i);
    size_t length = gap != NULL ? (size_t)(gap - tags) : n - i;

    for (size_t j = 1; !order->is_kept && j < length; j++) {
        if (places[i + j] != places[i] + j)
            return j;
    }
    return length;
}

/* Copy the numbers of a block, whose first row is `first`. */
static bool
copy_block(struct hpm_study *to, struct hpm_series *series, size_t first,
           const struct hpm_series_block *block, const struct order *order,
           bool is_text)
{
    const uint32_t *places = order->places + first;
    size_t n = order->n - first;
    size_t length;

    if (n > HPM_SERIES_ROWS)
        n = HPM_SERIES_ROWS;
    for (size_t i = 0; i<n; i += length> 0 ? length : 1) {
        length = length_of_run(block, order, places, i, n);
        if (length > 0 && !copy_run(to, series, order->first + places[i], block,
                                    i, length, is_text))
            return false;
    }
    return true;
}

static bool
copy_series(struct hpm_study *to, struct hpm_series *series,
            const struct hpm_series *from, const struct order *order,
            bool is_text)
{
    for (size_t row = 0; row < order->n && row < hpm_series_end(from);
         row += HPM_SERIES_ROWS) {
        const struct hpm_series_block *block = hpm_series_block(from, row);

        if (block != NULL &&
            !copy_block(to, series, row, block, order, is_text))
            return false;
    }
    return true;
}

static bool
copy_numbers(struct hpm_study *to, const struct hpm_study *from,
             const struct order *order, const uint32_t *columns)
{
    for (size_t i = 0; i < from->n_columns; i++) {
        for (int j = 0; j < HPM_N_FIELDS; j++) {
            if (!copy_series(to, &to->columns[columns[i]].fields[j],
                             &from->columns[i].fields[j], order,
                             j == HPM_FIELD_REASON))
                return false;
        }
    }
    for (int i = 0; i < HPM_N_EXTRAS; i++) {
        if (!copy_series(to, &to->extras[i], &from->extras[i], order,
                         i >= HPM_N_NUMBER_EXTRAS))
            return false;
    }
    return true;
}

/* Copy a task's list of columns, each column once. */
static bool
copy_columns(struct hpm_study *to, uint32_t to_task,
             const struct hpm_task *from, const uint32_t *columns)
{
    struct hpm_task *task = &to->tasks[to_task];

    task->columns =
        hpm_arena_new(&to->arena, from->n_columns, sizeof *task->columns);
    if (task->columns == NULL)
        return false;
    task->columns_capacity = from->n_columns;
    for (size_t i = 0; i < from->n_columns; i++) {
        struct hpm_column *column = &to->columns[columns[from->columns[i]]];

        if (column->last_task == to_task)
            continue;
        column->last_task = to_task;
        task->columns[task->n_columns++] = columns[from->columns[i]];
    }
    return true;
}

/* ---- samples --------------------------------------------------------- */

static bool
copy_hits(struct hpm_study *to, struct hpm_arena *scratch,
          const struct hpm_study *from, const struct order *order,
          const uint32_t *tasks)
{
    struct hpm_hits_move move;

    if (!hpm_hits_begin_move(&move, scratch, to, from))
        return false;
    for (size_t i = 0; i < from->n_tasks; i++) {
        if (!hpm_hits_join_task(&move, &from->tasks[i], &to->tasks[tasks[i]]))
            return false;
    }
    for (size_t i = 0; from->n_hits > 0 && i < order->n; i++) {
        if (!hpm_hits_move_row(&move, order->rows[i],
                               (uint32_t)(order->first + i)))
            return false;
    }
    hpm_hits_settle(to);
    return true;
}

static bool
copy_calls(struct hpm_study *to, const struct hpm_study *from,
           const struct order *order)
{
    for (size_t i = 0; from->n_kept > 0 && i < order->n; i++) {
        if (!hpm_calls_move_row(to, from, order->rows[i],
                                (uint32_t)(order->first + i)))
            return false;
    }
    return true;
}

static bool
copy_spreads(struct hpm_study *to, const struct hpm_study *from,
             const struct order *order, const uint32_t *columns)
{
    for (size_t i = 0; from->n_spreads > 0 && i < order->n; i++) {
        if (!hpm_spreads_move_row(to, from, order->rows[i],
                                  (uint32_t)(order->first + i), columns))
            return false;
    }
    return true;
}

/* ---- tasks ----------------------------------------------------------- */

static bool
copy_tasks(struct hpm_study *to, struct hpm_arena *scratch,
           const struct hpm_study *from, const int *numbers)
{
    uint32_t *tasks = hpm_transfer_map(scratch, from->n_tasks);
    uint32_t *columns = hpm_transfer_map(scratch, from->n_columns);
    struct order order;

    if (tasks == NULL || columns == NULL ||
        !order_rows(&order, scratch, to, from))
        return false;
    for (uint32_t i = 0; i < from->n_columns; i++) {
        columns[i] = hpm_transfer_column(to, from, i);
        if (columns[i] == HPM_NO_INDEX)
            return false;
    }
    for (size_t i = 0; i < from->n_tasks; i++) {
        tasks[i] = hpm_study_add_task(to, numbers[i]);
        if (tasks[i] == HPM_NO_INDEX ||
            !hpm_transfer_description(to, tasks[i], &from->tasks[i]) ||
            !copy_columns(to, tasks[i], &from->tasks[i], columns))
            return false;
    }
    return copy_rows(to, scratch, from, &order, tasks) &&
           copy_numbers(to, from, &order, columns) &&
           copy_hits(to, scratch, from, &order, tasks) &&
           copy_calls(to, from, &order) &&
           copy_spreads(to, from, &order, columns);
}

bool
hpm_transfer_tasks(struct hpm_study *to, const struct hpm_study *from,
                   const int *numbers)
{
    struct hpm_arena scratch = {0};
    bool is_good = copy_tasks(to, &scratch, from, numbers);

    hpm_arena_free(&scratch);
    return is_good;
}

struct hpm_study *
hpm_transfer_copy(const struct hpm_study *study, size_t most_bytes)
{
    struct hpm_study *copy = hpm_study_new(most_bytes);
    int *numbers = hpm_memory_new(study->n_tasks, sizeof *numbers);
    bool is_good = copy != NULL && numbers != NULL;

    if (is_good) {
        copy->kind = study->kind;
        for (size_t i = 0; i < study->n_tasks; i++)
            numbers[i] = study->tasks[i].number;
        is_good = hpm_transfer_sources(copy, study, HPM_SIDE_BOTH) &&
                  hpm_transfer_tasks(copy, study, numbers);
    }
    hpm_memory_free(numbers);
    if (is_good)
        return copy;
    hpm_study_free(copy);
    return NULL;
}

struct hpm_study *
hpm_transfer_gather(struct hpm_study *study)
{
    struct hpm_study *gathered = hpm_transfer_copy(study, study->arena.most);

    hpm_study_free(study);
    return gathered;
}
