/* SPDX-License-Identifier: BSD-3-Clause
 * Single calls as a study of their own. */
#include "study/columns/callstudy.h"

#include "study/columns/transfer.h"

struct making {
    struct hpm_callstudy *calls;
    struct hpm_study *to;
    uint32_t count, time; /* columns */
    uint32_t *columns;    /* of the draw's counters */
    uint32_t *from_columns;
    size_t columns_capacity, from_capacity;
};

/* ---- columns ---------------------------------------------------------- */

/* The column of that name.  Several columns have one name where their units
 * differ: then the column that the row has. */
static uint32_t
find_column(const struct hpm_study *from, uint32_t row, const char *name)
{
    uint32_t found = HPM_NO_INDEX;
    struct hpm_datum datum;

    for (uint32_t i = 0; i < from->n_columns; i++) {
        if (from->columns[i].name != name ||
            from->columns[i].kind == HPM_COLUMN_METRIC)
            continue;
        found = i;
        if (hpm_study_get_datum(from, row, i, &datum))
            break;
    }
    return found;
}

static uint32_t
add_counter(struct making *making, const struct hpm_study_kept *kept, size_t i)
{
    const struct hpm_study *from = making->calls->from;
    uint32_t column = find_column(from, kept->row, kept->counters[i]);
    const char *name = kept->counters[i];

    making->from_columns[i] = column;
    if (column != HPM_NO_INDEX)
        return hpm_transfer_column(making->to, from, column);
    if (!hpm_study_own(making->to, &name))
        return HPM_NO_INDEX;
    return hpm_study_add_column(making->to, name, NULL, HPM_COLUMN_COUNTER);
}

static bool
begin_draw(struct making *making, const struct hpm_study_kept *kept)
{
    struct hpm_arena *arena = &making->to->arena;

    if (!hpm_arena_grow(arena, &making->columns, &making->columns_capacity,
                        kept->n_counters, sizeof *making->columns) ||
        !hpm_arena_grow(arena, &making->from_columns, &making->from_capacity,
                        kept->n_counters, sizeof *making->from_columns))
        return false;
    for (size_t i = 0; i < kept->n_counters; i++) {
        making->columns[i] = add_counter(making, kept, i);
        if (making->columns[i] == HPM_NO_INDEX)
            return false;
    }
    return true;
}

/* ---- one call --------------------------------------------------------- */

/* Why a call has no value: if the record has no value either, the reason is the
 * record's.  Else the counter had no turn in this call. */
static bool
explain(struct making *making, const struct hpm_study_kept *kept, size_t i,
        struct hpm_datum *datum)
{
    const struct hpm_study *from = making->calls->from;
    uint32_t column = making->from_columns[i];
    struct hpm_datum all;

    datum->state = HPM_STATE_UNSCHEDULED;
    datum->reason = "the counter had no turn in this call";
    if (column != HPM_NO_INDEX &&
        hpm_study_get_datum(from, kept->row, column, &all) &&
        !hpm_state_has_value(all.state) && all.state != HPM_STATE_BRIEF) {
        datum->state = all.state;
        datum->reason = all.reason;
    }
    return hpm_study_own(making->to, &datum->reason);
}

static bool
set_counts(struct making *making, const struct hpm_study_kept *kept,
           const struct hpm_study_call *call, uint32_t row)
{
    const char *text = call->counts;
    uint32_t after = making->time;

    for (size_t i = 0; i < kept->n_counters; i++) {
        struct hpm_datum datum = {.state = HPM_STATE_COUNTED};
        struct hpm_call_value value;

        hpm_calls_value(&text, &value);
        if (!value.is_there && !explain(making, kept, i, &datum))
            return false;
        if (value.is_there)
            datum.numbers[HPM_FIELD_VALUE] = hpm_number_integer(value.count);
        if (value.is_estimate)
            datum.state = HPM_STATE_SHARED;
        if (!hpm_study_set_datum(making->to, row, making->columns[i], after,
                                 &datum))
            return false;
        after = making->columns[i];
    }
    return true;
}

static bool
set_number(struct making *making, uint32_t row, uint32_t column, uint32_t after,
           struct hpm_number number)
{
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    datum.numbers[HPM_FIELD_VALUE] = number;
    return hpm_study_set_datum(making->to, row, column, after, &datum);
}

/* The thread number of a call's place is the number of the call in the task. */
static bool
add_call(struct making *making, const struct hpm_study_kept *kept,
         const struct hpm_study_call *call, uint32_t task, uint32_t section)
{
    const struct hpm_study *from = making->calls->from;
    struct hpm_study *to = making->to;
    struct hpm_row row = *hpm_study_row(from, kept->row);
    uint32_t added;

    row.section = section;
    row.place = hpm_study_add_place(to, task, (int)to->tasks[task].n_rows);
    row.parent = row.within = HPM_NO_INDEX;
    added =
        row.place != HPM_NO_INDEX ? hpm_study_add_row(to, &row) : HPM_NO_INDEX;
    if (added == HPM_NO_INDEX)
        return false;
    making->calls->draws[added] = (uint32_t)(kept - from->kept);
    return set_number(making, added, making->count, HPM_NO_INDEX,
                      hpm_number_count(1)) &&
           set_number(making, added, making->time, making->count,
                      call->seconds) &&
           set_counts(making, kept, call, added);
}

/* ---- all calls -------------------------------------------------------- */

/* The section without its call path: here no section is above it. */
static uint32_t
add_section(struct making *making, uint32_t row)
{
    struct hpm_study_section section =
        *hpm_study_section_of(making->calls->from, row);

    section.parent = HPM_NO_INDEX;
    if (!hpm_study_own_section(making->to, &section))
        return HPM_NO_INDEX;
    return hpm_study_add_section(making->to, &section);
}

static bool
add_draw(struct making *making, const struct hpm_study_kept *kept)
{
    const struct hpm_study *from = making->calls->from;
    uint32_t task = hpm_study_place_of(from, kept->row)->task;
    uint32_t section = add_section(making, kept->row);

    if (section == HPM_NO_INDEX || !begin_draw(making, kept))
        return false;
    for (size_t i = 0; i < kept->n; i++) {
        if (!add_call(making, kept, &from->calls[kept->first + i], task,
                      section))
            return false;
    }
    return true;
}

static bool
add_tasks(struct making *making)
{
    const struct hpm_study *from = making->calls->from;

    for (size_t i = 0; i < from->n_tasks; i++) {
        uint32_t task = hpm_study_add_task(making->to, from->tasks[i].number);

        if (task != i ||
            !hpm_transfer_description(making->to, task, &from->tasks[i]))
            return false;
    }
    return true;
}

static uint32_t
add_own_column(struct making *making, const char *name, const char *unit,
               enum hpm_column_kind kind)
{
    if (!hpm_study_own(making->to, &name) || !hpm_study_own(making->to, &unit))
        return HPM_NO_INDEX;
    return hpm_study_add_column(making->to, name, unit, kind);
}

static bool
make(struct making *making)
{
    struct hpm_callstudy *calls = making->calls;
    const struct hpm_study *from = calls->from;

    making->to->kind = from->kind;
    calls->draws =
        hpm_arena_new(&making->to->arena, from->n_calls, sizeof *calls->draws);
    making->count = add_own_column(making, "Count", NULL, HPM_COLUMN_COUNTER);
    making->time = add_own_column(making, "IncSec", "s", HPM_COLUMN_TIME);
    if (calls->draws == NULL || making->count == HPM_NO_INDEX ||
        making->time == HPM_NO_INDEX ||
        !hpm_transfer_sources(making->to, from, HPM_SIDE_BOTH) ||
        !add_tasks(making))
        return false;
    for (size_t i = 0; i < from->n_kept; i++) {
        if (!add_draw(making, &from->kept[i]))
            return false;
    }
    return true;
}

bool
hpm_callstudy_init(struct hpm_callstudy *calls, const struct hpm_study *from,
                   size_t most_bytes, struct hpm_error *err)
{
    struct making making = {.calls = calls};

    *calls = (struct hpm_callstudy){.from = from};
    calls->study = making.to = hpm_study_new(most_bytes);
    if (making.to != NULL && make(&making))
        return true;
    hpm_study_no_memory(making.to, err);
    hpm_callstudy_clear(calls);
    return false;
}

void
hpm_callstudy_clear(struct hpm_callstudy *calls)
{
    hpm_study_free(calls->study);
    *calls = (struct hpm_callstudy){.from = NULL};
}

/* Rows and places stand in the order of the calls. */
const struct hpm_study_call *
hpm_callstudy_call(const struct hpm_callstudy *calls, uint32_t place)
{
    return &calls->from->calls[place];
}

const struct hpm_study_kept *
hpm_callstudy_draw(const struct hpm_callstudy *calls, uint32_t place)
{
    return &calls->from->kept[calls->draws[place]];
}

int
hpm_callstudy_thread(const struct hpm_callstudy *calls, uint32_t place)
{
    return hpm_study_place_of(calls->from,
                              hpm_callstudy_draw(calls, place)->row)
        ->tid;
}
