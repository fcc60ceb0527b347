/* SPDX-License-Identifier: BSD-3-Clause
 * A part of an experiment. */
#include "study/columns/cut.h"

#include "study/columns/absence.h"
#include "study/columns/calls.h"
#include "study/columns/combine.h"
#include "study/columns/hits.h"
#include "study/columns/watched.h"
#include "study/columns/transfer.h"

/* Whether a section is kept, kept as a root, or removed. */
enum fate { KEPT, ROOT, GONE };

struct cutting {
    const struct hpm_study *from;
    struct hpm_study *to;
    struct hpm_arena arena;
    unsigned char *fates; /* by section: enum fate */
    uint32_t *sections;   /* by section: the section of the result */
    uint32_t *rows;       /* by row: the row of the result */
    uint32_t *next;       /* by row: the next row that became the same row, or
                           * the next removed row with the same heir */
    uint32_t *first;      /* by row of the result: its first old row */
    size_t first_capacity;
    uint32_t *columns;  /* by column: the column of the result */
    uint32_t *heirs;    /* by removed row: the row around it */
    uint32_t *outsides; /* by place and scope: the row of what is outside */
    bool *is_settled;   /* by row: its heir is known */
    bool *is_vague;     /* by row: what it inherits is not known */
    uint32_t count, inclusive, exclusive; /* columns "Count", "IncSec" ... */
    struct hpm_operand *inputs;
    size_t inputs_capacity;
    struct hpm_index index;
};

/* ---- sections -------------------------------------------------------- */

/* In a study parents come before children, so a parent's fate is known here. */
static size_t
decide(struct cutting *cutting, const char *label, bool is_removed)
{
    const struct hpm_study *from = cutting->from;
    size_t n_found = 0;

    for (uint32_t i = 0; i < from->n_sections; i++) {
        const struct hpm_study_section *section = &from->sections[i];
        bool is_wanted = strcmp(section->label, label) == 0;
        unsigned char above = section->parent == HPM_NO_INDEX
                                  ? (is_removed ? KEPT : GONE)
                                  : cutting->fates[section->parent];

        n_found += is_wanted;
        if (is_removed)
            cutting->fates[i] = is_wanted || above == GONE ? GONE : KEPT;
        else if (above != GONE)
            cutting->fates[i] = KEPT;
        else
            cutting->fates[i] = is_wanted ? ROOT : GONE;
    }
    return n_found;
}

static bool
add_sections(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (uint32_t i = 0; i < from->n_sections; i++) {
        struct hpm_study_section section = from->sections[i];

        if (cutting->fates[i] == GONE)
            continue;
        if (cutting->fates[i] == ROOT)
            section.parent = HPM_NO_INDEX;
        else if (section.parent != HPM_NO_INDEX)
            section.parent = cutting->sections[section.parent];
        if (!hpm_study_own_section(cutting->to, &section))
            return false;
        cutting->sections[i] = hpm_study_add_section(cutting->to, &section);
        if (cutting->sections[i] == HPM_NO_INDEX)
            return false;
    }
    return true;
}

/* ---- rows ------------------------------------------------------------ */

static bool
add_new_row(struct cutting *cutting, uint32_t i, struct hpm_row_key *key)
{
    struct hpm_study *to = cutting->to;
    struct hpm_row row = *hpm_study_row(cutting->from, i);
    uint32_t added;

    row.place = key->place;
    row.section = key->section;
    row.parent = row.within = HPM_NO_INDEX;
    added = hpm_study_add_row(to, &row);
    if (added == HPM_NO_INDEX ||
        !hpm_arena_grow(&cutting->arena, &cutting->first,
                        &cutting->first_capacity, (size_t)added + 1,
                        sizeof *cutting->first) ||
        !hpm_index_add(&cutting->index, &cutting->arena, key, sizeof *key,
                       added))
        return false;
    cutting->rows[i] = added;
    cutting->first[added] = i;
    return true;
}

/* Add the row to those that became the same row. */
static void
join_row(struct cutting *cutting, uint32_t i, uint32_t to)
{
    struct hpm_row *row = hpm_study_row(cutting->to, to);
    const struct hpm_row *from = hpm_study_row(cutting->from, i);

    cutting->next[i] = cutting->first[to];
    cutting->first[to] = i;
    cutting->rows[i] = to;
    row->flags |= from->flags & ~(unsigned)HPM_ROW_HIDDEN;
    if (from->line_end > row->line_end)
        row->line_end = from->line_end;
}

static bool
add_row(struct cutting *cutting, uint32_t i, uint32_t task)
{
    const struct hpm_study *from = cutting->from;
    const struct hpm_row *row = hpm_study_row(from, i);
    struct hpm_row_key key = {HPM_NO_INDEX, cutting->sections[row->section]};
    uint32_t there;

    if (cutting->fates[row->section] == GONE)
        return true;
    key.place =
        hpm_study_add_place(cutting->to, task, from->places[row->place].tid);
    if (key.place == HPM_NO_INDEX)
        return false;
    there = hpm_index_find(&cutting->index, &key, sizeof key, hpm_study_is_row,
                           cutting->to);
    if (there == HPM_NO_PLACE)
        return add_new_row(cutting, i, &key);
    join_row(cutting, i, there);
    return true;
}

static void
link_row(struct cutting *cutting, uint32_t i)
{
    const struct hpm_row *from = hpm_study_row(cutting->from, i);
    struct hpm_row *row;

    if (cutting->rows[i] == HPM_NO_INDEX)
        return;
    row = hpm_study_row(cutting->to, cutting->rows[i]);
    if (from->parent != HPM_NO_INDEX && cutting->fates[from->section] != ROOT)
        row->parent = cutting->rows[from->parent];
    if (from->within != HPM_NO_INDEX)
        row->within = cutting->rows[from->within];
}

static bool
add_rows(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (size_t i = 0; i < from->n_tasks; i++) {
        const struct hpm_task *task = &from->tasks[i];
        uint32_t to = hpm_study_add_task(cutting->to, task->number);

        if (to == HPM_NO_INDEX ||
            !hpm_transfer_description(cutting->to, to, task))
            return false;
        for (size_t j = 0; j < task->n_rows; j++) {
            if (!add_row(cutting, (uint32_t)(task->first_row + j), to))
                return false;
        }
    }
    for (uint32_t i = 0; i < from->n_rows; i++)
        link_row(cutting, i);
    return true;
}

/* ---- what the removed rows had --------------------------------------- */

/* Walk up to the first row that is kept or whose heir is known, then set the
 * heir of all rows on the way. */
static void
find_heir(struct cutting *cutting, uint32_t row)
{
    const struct hpm_study *from = cutting->from;
    uint32_t at = row, heir, next;

    while (at != HPM_NO_INDEX && cutting->rows[at] == HPM_NO_INDEX &&
           !cutting->is_settled[at])
        at = hpm_study_row(from, at)->parent;
    heir = at != HPM_NO_INDEX && cutting->rows[at] == HPM_NO_INDEX
               ? cutting->heirs[at]
               : at;
    for (; row != at; row = next) {
        next = hpm_study_row(from, row)->parent;
        cutting->heirs[row] = heir;
        cutting->is_settled[row] = true;
    }
}

/* What no section covers is one row for each thread and process. */
static uint32_t *
outside_of(const struct cutting *cutting, uint32_t i)
{
    const struct hpm_row *row = hpm_study_row(cutting->from, i);

    return &cutting
                ->outsides[2 * (size_t)row->place +
                           (size_t)cutting->from->sections[row->section].scope];
}

static bool
is_outside(const struct cutting *cutting, uint32_t row)
{
    return hpm_study_section_of(cutting->from, row)->is_outside;
}

/* Each removed row gets as heir the row around it that is kept; without such a
 * row, the row of what is outside sections, where there is one. */
static void
find_heirs(struct cutting *cutting)
{
    uint32_t n = (uint32_t)cutting->from->n_rows;

    for (uint32_t i = 0; i < n; i++) {
        if (is_outside(cutting, i) && cutting->rows[i] != HPM_NO_INDEX)
            *outside_of(cutting, i) = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (cutting->rows[i] == HPM_NO_INDEX)
            find_heir(cutting, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (cutting->rows[i] == HPM_NO_INDEX &&
            cutting->heirs[i] == HPM_NO_INDEX)
            cutting->heirs[i] = *outside_of(cutting, i);
    }
}

static bool
has_overlap(const struct cutting *cutting, uint32_t row)
{
    return (hpm_study_row(cutting->from, row)->flags & HPM_ROW_OVERLAP) != 0;
}

/* A removed row that overlaps its heir was partly inside the heir, and for the
 * rest inside the rows around the heir, up to the first row that does not
 * overlap.  How much each of these inherits is not known. */
static void
find_vague(struct cutting *cutting)
{
    for (uint32_t i = 0; i < cutting->from->n_rows; i++) {
        uint32_t at = cutting->heirs[i], last = HPM_NO_INDEX;

        if (at == HPM_NO_INDEX || !has_overlap(cutting, i) ||
            !has_overlap(cutting, at))
            continue;
        for (; at != HPM_NO_INDEX &&
               (last == HPM_NO_INDEX || has_overlap(cutting, last));
             at = hpm_study_row(cutting->from, at)->parent) {
            cutting->is_vague[at] = true;
            last = at;
        }
        at = *outside_of(cutting, i);
        if (has_overlap(cutting, last) && at != HPM_NO_INDEX)
            cutting->is_vague[at] = true;
    }
}

/* Exclusive values add up to what is covered, even where sections overlap.
 * Where a removed section has no exclusive value, or no record of the column,
 * the heir's exclusive value is not known.  Work is different: a section
 * without a record of it did none.
 */
static void
inherit_field(const struct cutting *cutting, uint32_t row, uint32_t column,
              enum hpm_field field, struct hpm_datum *datum)
{
    struct hpm_number *own = &datum->numbers[field];

    for (uint32_t i = cutting->next[row];
         i != HPM_NO_INDEX && own->kind != HPM_NUMBER_NONE;
         i = cutting->next[i]) {
        struct hpm_datum gone;

        if (hpm_study_get_datum(cutting->from, i, column, &gone))
            *own = hpm_number_sum(*own, gone.numbers[field]);
        else if (!hpm_absence_is_work(&cutting->from->columns[column]))
            *own = (struct hpm_number){0};
    }
}

/* In a difference, a side without the section has the value 0. */
static void
inherit_base(const struct cutting *cutting, uint32_t row, uint32_t column,
             struct hpm_datum *datum)
{
    struct hpm_number *own = &datum->numbers[HPM_FIELD_BASE_EXCLUSIVE];

    for (uint32_t i = cutting->next[row];
         i != HPM_NO_INDEX && own->kind != HPM_NUMBER_NONE;
         i = cutting->next[i]) {
        struct hpm_number base = hpm_study_number(cutting->from, i, column,
                                                  HPM_FIELD_BASE_EXCLUSIVE);

        *own = hpm_number_total(*own, base);
    }
    if (datum->numbers[HPM_FIELD_EXCLUSIVE].kind == HPM_NUMBER_NONE)
        *own = (struct hpm_number){0};
}

/* A datum with an inclusive value has no place for the reason why there is no
 * exclusive value: a problem of the task says it. */
static bool
note_unknown(struct cutting *cutting, uint32_t task, uint32_t column)
{
    struct hpm_study *to = cutting->to;
    struct hpm_task *here = &to->tasks[task];
    struct hpm_string text = {0};
    const char *kept;

    hpm_string_add(&text, cutting->from->columns[column].name);
    hpm_string_add(&text, ": the exclusive value is not known, for a section "
                          "cut out of it has none");
    kept = hpm_study_keep(to, &text);
    for (size_t i = 0; i < here->n_problems && kept != NULL; i++) {
        struct hpm_task_problem *problem = &here->problems[i];

        if (problem->text != kept)
            continue;
        problem->count = hpm_number_sum(problem->count, hpm_number_count(1));
        return true;
    }
    return kept != NULL && hpm_study_add_problem(to, task, kept);
}

static bool
inherit(struct cutting *cutting, uint32_t task, uint32_t row, uint32_t column,
        struct hpm_datum *datum)
{
    bool was_known =
        datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE;

    inherit_field(cutting, row, column, HPM_FIELD_EXCLUSIVE, datum);
    inherit_base(cutting, row, column, datum);
    if (cutting->next[row] != HPM_NO_INDEX)
        datum->numbers[HPM_FIELD_ERROR_EXCLUSIVE] = (struct hpm_number){0};
    if (datum->numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_NONE &&
        datum->numbers[HPM_FIELD_EXCLUSIVE].kind == HPM_NUMBER_NONE &&
        hpm_state_has_value(datum->state))
        *datum = (struct hpm_datum){
            .state = HPM_STATE_LOST,
            .is_hidden = datum->is_hidden,
            .reason = "a section cut out of it has no exclusive value"};
    return !was_known || datum->reason != NULL ||
           datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE ||
           note_unknown(cutting, task, column);
}

/* All that is outside sections is exclusive: the value is the exclusive value.
 * How far the runs of a mean are apart is not known for the new values. */
static void
be_outside(struct hpm_datum *datum)
{
    static const enum hpm_field of_runs[] = {HPM_FIELD_DEV, HPM_FIELD_MIN,
                                             HPM_FIELD_MAX, HPM_FIELD_BOUNDS};

    datum->numbers[HPM_FIELD_VALUE] = datum->numbers[HPM_FIELD_EXCLUSIVE];
    datum->numbers[HPM_FIELD_BASE] = datum->numbers[HPM_FIELD_BASE_EXCLUSIVE];
    datum->numbers[HPM_FIELD_ERROR] = datum->numbers[HPM_FIELD_ERROR_EXCLUSIVE];
    for (size_t i = 0; i < sizeof of_runs / sizeof *of_runs; i++)
        datum->numbers[of_runs[i]] = (struct hpm_number){0};
}

/* Remove what is not known: exclusive values, and all values of what is outside
 * sections. */
static void
be_vague(const struct cutting *cutting, uint32_t row, uint32_t column,
         struct hpm_datum *datum)
{
    bool is_own = column == cutting->exclusive || is_outside(cutting, row);

    if (!is_own) {
        datum->numbers[HPM_FIELD_EXCLUSIVE] = (struct hpm_number){0};
        datum->numbers[HPM_FIELD_BASE_EXCLUSIVE] = (struct hpm_number){0};
    }
    if (is_own || datum->numbers[HPM_FIELD_VALUE].kind == HPM_NUMBER_NONE)
        *datum = (struct hpm_datum){
            .state = HPM_STATE_LOST,
            .is_hidden = datum->is_hidden,
            .reason = "a section cut out overlapped those around it"};
}

/* Chain the removed rows behind their heirs. */
static void
chain_heirs(struct cutting *cutting)
{
    for (uint32_t i = 0; i < cutting->from->n_rows; i++) {
        uint32_t heir = cutting->heirs[i];

        if (heir == HPM_NO_INDEX)
            continue;
        cutting->next[i] = cutting->next[heir];
        cutting->next[heir] = i;
    }
}

/* ---- values ---------------------------------------------------------- */

static double
calls_of(const struct cutting *cutting, uint32_t row)
{
    return hpm_number_to_real(
        hpm_study_outer(cutting->from, row, cutting->count));
}

/* The exclusive time of a record without IncSec, which was measured with
 * HPM_ONLY_EXCLUSIVE.  False where the record has no exclusive time. */
static bool
get_exclusive_time(const struct cutting *cutting, uint32_t row, uint32_t column,
                   struct hpm_datum *ret_datum)
{
    struct hpm_datum exclusive;

    if (column != cutting->inclusive || cutting->exclusive == HPM_NO_INDEX ||
        !hpm_study_get_datum(cutting->from, row, cutting->exclusive,
                             &exclusive) ||
        !hpm_state_has_value(exclusive.state))
        return false;
    *ret_datum = (struct hpm_datum){.state = HPM_STATE_COUNTED,
                                    .is_hidden = exclusive.is_hidden};
    ret_datum->numbers[HPM_FIELD_EXCLUSIVE] =
        exclusive.numbers[HPM_FIELD_VALUE];
    return true;
}

/* Collect the values of the rows that became this one, or that it inherits
 * from; also their number, and the number of rows. */
static bool
gather(struct cutting *cutting, uint32_t row, uint32_t column, bool is_alone,
       size_t *ret_n, size_t *ret_n_rows)
{
    size_t n = 0, n_rows = 0;

    for (uint32_t i = row; i != HPM_NO_INDEX;
         i = is_alone ? HPM_NO_INDEX : cutting->next[i]) {
        if (!hpm_arena_grow(&cutting->arena, &cutting->inputs,
                            &cutting->inputs_capacity, n + 1,
                            sizeof *cutting->inputs))
            return false;
        n_rows++;
        if (!hpm_study_get_datum(cutting->from, i, column,
                                 &cutting->inputs[n].datum) &&
            !get_exclusive_time(cutting, i, column, &cutting->inputs[n].datum))
            continue;
        cutting->inputs[n++].n_calls = calls_of(cutting, i);
    }
    *ret_n = n;
    *ret_n_rows = n_rows;
    return true;
}

static bool
has_datum(const struct cutting *cutting, uint32_t row, uint32_t column,
          bool is_removed)
{
    enum hpm_state state;
    bool is_there = false;

    for (uint32_t i = row; i != HPM_NO_INDEX && !is_there;
         i = is_removed ? HPM_NO_INDEX : cutting->next[i])
        is_there = hpm_study_get_state(cutting->from, i, column, &state);
    return is_there;
}

/* There is no sum where some of the records have no value. */
static bool
say_lacking(struct cutting *cutting, size_t n, size_t n_rows,
            struct hpm_datum *datum)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "no value in %zu of %zu records", n_rows - n,
                          n_rows);
    *datum = (struct hpm_datum){.state = HPM_STATE_UNSUPPORTED,
                                .is_hidden = datum->is_hidden};
    datum->reason = hpm_study_keep(cutting->to, &text);
    return datum->reason != NULL;
}

/* The sum of the rows that became this one.  A row that inherits keeps its
 * values, and only its exclusive values grow; ExcSec is itself an exclusive
 * value. */
static bool
sum_values(struct cutting *cutting, uint32_t row, uint32_t column,
           bool is_removed, struct hpm_datum *ret_datum)
{
    uint32_t first = cutting->first[row];
    uint32_t task = hpm_study_place_of(cutting->to, row)->task;
    bool is_alone, is_new_outside;
    size_t n, n_rows;

    if (is_removed && column == cutting->inclusive &&
        cutting->exclusive != HPM_NO_INDEX && is_outside(cutting, first))
        column = cutting->exclusive;
    is_alone = is_removed && column != cutting->exclusive;
    if (!gather(cutting, first, column, is_alone, &n, &n_rows))
        return false;
    hpm_combine_sum(cutting->inputs, n, ret_datum);
    if (n < n_rows)
        return say_lacking(cutting, n, n_rows, ret_datum);
    is_new_outside = is_alone && is_outside(cutting, first) &&
                     cutting->next[first] != HPM_NO_INDEX;
    if (is_new_outside) /* the exclusive value, set below */
        ret_datum->numbers[HPM_FIELD_VALUE] = (struct hpm_number){0};
    if (is_alone && !inherit(cutting, task, first, column, ret_datum))
        return false;
    if (is_new_outside)
        be_outside(ret_datum);
    if (cutting->is_vague[first] && column != cutting->count &&
        column != cutting->inclusive)
        be_vague(cutting, first, column, ret_datum);
    return hpm_study_own(cutting->to, &ret_datum->reason);
}

/* Where several rows became one, an extra that is an amount is added up. */
static bool
sum_extra(struct cutting *cutting, uint32_t row, enum hpm_extra extra,
          bool is_removed)
{
    uint32_t first = cutting->first[row];
    struct hpm_number sum = hpm_study_extra(cutting->from, first, extra);
    bool is_amount = extra == HPM_EXTRA_OUTER || extra == HPM_EXTRA_SKIPPED;

    if (extra == HPM_EXTRA_OUTER && sum.kind == HPM_NUMBER_NONE &&
        !is_removed && cutting->next[first] != HPM_NO_INDEX)
        sum = hpm_number_real(calls_of(cutting, first));
    for (uint32_t i = cutting->next[first];
         i != HPM_NO_INDEX && !is_removed && is_amount; i = cutting->next[i]) {
        struct hpm_number other = hpm_study_extra(cutting->from, i, extra);

        if (extra == HPM_EXTRA_OUTER && other.kind == HPM_NUMBER_NONE)
            other = hpm_number_real(calls_of(cutting, i));
        sum = hpm_number_total(sum, other);
    }
    return hpm_study_set_extra(cutting->to, row, extra, sum);
}

static bool
keep_watched(struct cutting *cutting, uint32_t row, bool is_removed)
{
    uint32_t first = cutting->first[row];
    struct hpm_watched_row watched = hpm_watched_get(cutting->from, first);

    for (uint32_t i = cutting->next[first]; i != HPM_NO_INDEX && !is_removed;
         i = cutting->next[i]) {
        struct hpm_watched_row other = hpm_watched_get(cutting->from, i);

        hpm_watched_join(&watched, &other);
    }
    return hpm_watched_set(cutting->to, row, &watched);
}

/* The metric of a row that was added up or inherits is out of date: it must be
 * computed again. */
static bool
is_stale_metric(const struct cutting *cutting, uint32_t row, uint32_t column)
{
    return cutting->from->columns[column].kind == HPM_COLUMN_METRIC &&
           cutting->next[cutting->first[row]] != HPM_NO_INDEX;
}

static bool
fill_row(struct cutting *cutting, uint32_t row, bool is_removed)
{
    uint32_t task = hpm_study_place_of(cutting->to, row)->task;
    const struct hpm_task *from = &cutting->from->tasks[task];
    uint32_t last = HPM_NO_INDEX;

    for (size_t i = 0; i < from->n_columns; i++) {
        uint32_t column = from->columns[i];
        struct hpm_datum datum;

        if (is_stale_metric(cutting, row, column) ||
            !has_datum(cutting, cutting->first[row], column, is_removed))
            continue;
        if (!sum_values(cutting, row, column, is_removed, &datum))
            return false;
        if (!hpm_study_set_datum(cutting->to, row, cutting->columns[column],
                                 last, &datum))
            return false;
        last = cutting->columns[column];
    }
    for (int i = 0; i < HPM_EXTRA_VIA; i++) {
        if (!sum_extra(cutting, row, (enum hpm_extra)i, is_removed))
            return false;
    }
    return keep_watched(cutting, row, is_removed);
}

/* ---- samples --------------------------------------------------------- */

static bool
move_hits(struct cutting *cutting, bool is_removed)
{
    struct hpm_study *to = cutting->to;
    struct hpm_hits_move move;

    if (!hpm_hits_begin_move(&move, &cutting->arena, to, cutting->from))
        return false;
    for (size_t i = 0; i < to->n_tasks; i++) {
        if (!hpm_hits_join_task(&move, &cutting->from->tasks[i], &to->tasks[i]))
            return false;
        if (!is_removed)
            hpm_hits_forget_totals(&to->tasks[i]);
    }
    for (uint32_t i = 0; i < to->n_rows; i++) {
        for (uint32_t row = cutting->first[i]; row != HPM_NO_INDEX;
             row = cutting->next[row]) {
            if (!hpm_hits_move_row(&move, row, i))
                return false;
        }
    }
    hpm_hits_settle(to);
    return true;
}

/* The calls of a removed section are not calls of the section around it. */
static bool
move_calls(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (uint32_t i = 0; from->n_kept > 0 && i < cutting->to->n_rows; i++) {
        for (uint32_t row = cutting->first[i]; row != HPM_NO_INDEX;
             row = cutting->next[row]) {
            if (cutting->fates[hpm_study_row(from, row)->section] != GONE &&
                !hpm_calls_move_row(cutting->to, from, row, i))
                return false;
        }
    }
    return true;
}

/* ---- public functions ------------------------------------------------ */

static bool
begin(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    cutting->fates = hpm_arena_new(&cutting->arena, from->n_sections, 1);
    cutting->sections = hpm_transfer_map(&cutting->arena, from->n_sections);
    cutting->rows = hpm_transfer_map(&cutting->arena, from->n_rows);
    cutting->next = hpm_transfer_map(&cutting->arena, from->n_rows);
    cutting->heirs = hpm_transfer_map(&cutting->arena, from->n_rows);
    cutting->outsides = hpm_transfer_map(&cutting->arena, 2 * from->n_places);
    cutting->columns = hpm_transfer_map(&cutting->arena, from->n_columns);
    cutting->is_settled =
        hpm_arena_new(&cutting->arena, from->n_rows, sizeof(bool));
    cutting->is_vague =
        hpm_arena_new(&cutting->arena, from->n_rows, sizeof(bool));
    return cutting->fates != NULL && cutting->is_settled != NULL &&
           cutting->is_vague != NULL && cutting->outsides != NULL &&
           cutting->sections != NULL && cutting->rows != NULL &&
           cutting->next != NULL && cutting->heirs != NULL &&
           cutting->columns != NULL;
}

static bool
add_columns(struct cutting *cutting)
{
    const struct hpm_study *from = cutting->from;

    for (uint32_t i = 0; i < from->n_columns; i++) {
        cutting->columns[i] = hpm_transfer_column(cutting->to, from, i);
        if (cutting->columns[i] == HPM_NO_INDEX)
            return false;
    }
    cutting->count = hpm_study_find_named(from, "Count");
    cutting->inclusive = hpm_study_find_named(from, "IncSec");
    cutting->exclusive = hpm_study_find_named(from, "ExcSec");
    return true;
}

static bool
copy_part(struct cutting *cutting, bool is_removed)
{
    cutting->to->kind = cutting->from->kind;
    if (!hpm_transfer_sources(cutting->to, cutting->from, HPM_SIDE_BOTH) ||
        !add_sections(cutting) || !add_columns(cutting) || !add_rows(cutting))
        return false;
    if (is_removed) {
        find_heirs(cutting);
        find_vague(cutting);
        chain_heirs(cutting);
    }
    for (uint32_t i = 0; i < cutting->to->n_rows; i++) {
        if (!fill_row(cutting, i, is_removed))
            return false;
    }
    return move_hits(cutting, is_removed) && move_calls(cutting) &&
           hpm_study_rank_columns(cutting->to);
}

static struct hpm_study *
cut(const struct hpm_study *study, const char *label, bool is_removed,
    size_t most_bytes, struct hpm_error *err)
{
    struct cutting cutting = {.from = study};
    bool is_good = false;

    cutting.to = hpm_study_new(most_bytes);
    if (cutting.to == NULL || !begin(&cutting))
        hpm_study_no_memory(cutting.to, err);
    else if (decide(&cutting, label, is_removed) == 0)
        hpm_error_set(err,
                      "no section has the label '%.200s'; hpm report lists "
                      "those there are",
                      label);
    else if (!copy_part(&cutting, is_removed))
        hpm_study_no_memory(cutting.to, err);
    else
        is_good = true;
    hpm_arena_free(&cutting.arena);
    if (is_good)
        return cutting.to;
    hpm_study_free(cutting.to);
    return NULL;
}

struct hpm_study *
hpm_cut_root(const struct hpm_study *study, const char *label,
             size_t most_bytes, struct hpm_error *err)
{
    return cut(study, label, false, most_bytes, err);
}

struct hpm_study *
hpm_cut_remove(const struct hpm_study *study, const char *label,
               size_t most_bytes, struct hpm_error *err)
{
    return cut(study, label, true, most_bytes, err);
}
