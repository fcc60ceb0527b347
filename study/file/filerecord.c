/* SPDX-License-Identifier: BSD-3-Clause
 * A record on its way into a study.  It is added when its end is read: a cut
 * file gives complete records only.
 */
#include "host/path.h"
#include "study/file/filerecord.h"

#include "study/columns/watched.h"

enum { MOST_COLUMNS = 4096 /* different counters: hundreds are a lot */ };

struct hpm_filerecord_value {
    uint32_t column;
    struct hpm_format_data data;
};

/* ---- values ---------------------------------------------------------- */

static bool
is_integer(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_COUNT || number.kind == HPM_NUMBER_MINUS;
}

/* The records of the HPM Toolkit paper do not say which data are counters.
 * Count and the times are known; a number with decimals is a metric, and then
 * the whole column is a metric. */
static enum hpm_column_kind
guess_kind(struct hpm_study *study, const struct hpm_format_data *data)
{
    uint32_t i;

    if (strcmp(data->name, "Count") == 0)
        return HPM_COLUMN_COUNTER;
    if (strcmp(data->name, "IncSec") == 0 || strcmp(data->name, "ExcSec") == 0)
        return HPM_COLUMN_TIME;
    if (is_integer(data->datum.numbers[HPM_FIELD_VALUE])) {
        i = hpm_study_find_column(study, data->name, data->unit,
                                  HPM_COLUMN_METRIC);
        return i != HPM_NO_INDEX ? HPM_COLUMN_METRIC : HPM_COLUMN_UNSAID;
    }
    i = hpm_study_find_column(study, data->name, data->unit, HPM_COLUMN_UNSAID);
    if (i != HPM_NO_INDEX)
        hpm_study_set_column_kind(study, i, HPM_COLUMN_METRIC);
    return HPM_COLUMN_METRIC;
}

/* Most records have the same data in the same order, so look at the next column
 * first. */
static uint32_t
find_column(struct hpm_filerecord *record, const struct hpm_format_data *data)
{
    struct hpm_study *study = record->study;
    uint32_t next = record->last_column + 1;
    enum hpm_column_kind kind = (enum hpm_column_kind)data->kind;

    if (next < study->n_columns && study->columns[next].name == data->name &&
        study->columns[next].unit == data->unit &&
        study->columns[next].kind == data->kind && kind != HPM_COLUMN_UNSAID)
        return next;
    if (kind == HPM_COLUMN_UNSAID)
        kind = guess_kind(study, data);
    return hpm_study_add_column(study, data->name, data->unit, kind);
}

/* Set the reason where the file gives none. */
static void
give_reason(struct hpm_filerecord *record, struct hpm_datum *datum,
            const char *reason)
{
    if (datum->reason == NULL)
        datum->reason = hpm_parse_keep(record->parse, reason);
}

/* A value without a number and without a state that would explain it is lost;
 * every value that is missing has a reason. */
static void
settle_state(struct hpm_filerecord *record, struct hpm_format_data *data,
             const struct hpm_format_attribute *bad)
{
    struct hpm_datum *datum = &data->datum;

    datum->is_hidden = data->disp % 2 == 0 && data->disp != 0;
    if (data->children != 0)
        datum->numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    if (data->partial == HPM_FORMAT_YES)
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    if (data->spread != 0)
        datum->numbers[HPM_FIELD_BOUNDS] = hpm_number_count(1);
    datum->state = (enum hpm_state)(data->state != 0 ? data->state - 1 : 0);
    if (datum->numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE) {
        datum->reason = NULL; /* the value is there: no reason needed */
    } else if (datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE) {
        give_reason(record, datum,
                    bad != NULL ? "the file has no number here"
                                : HPM_REASON_ONLY_EXCLUSIVE);
    } else if (hpm_state_has_value(datum->state)) {
        datum->state = HPM_STATE_LOST;
        datum->reason = NULL;
        give_reason(record, datum,
                    bad != NULL ? "the file has no number here"
                                : "the file has no value");
    } else {
        give_reason(record, datum, "the file does not say why");
    }
}

static bool
has_column_already(struct hpm_filerecord *record, uint32_t column)
{
    uint32_t number = (uint32_t)record->n_met;

    if (column >= record->last_records_capacity &&
        !hpm_arena_grow(&record->study->arena, &record->last_records,
                        &record->last_records_capacity, (size_t)column + 1,
                        sizeof *record->last_records)) {
        record->parse->is_out_of_memory = true;
        return true;
    }
    if (record->last_records[column] == number)
        return true;
    record->last_records[column] = number;
    return false;
}

static void
note_data(struct hpm_filerecord *record, const struct hpm_xmlguard *guard,
          const char *problem)
{
    struct hpm_xmlguard_position position = hpm_xmlguard_locate(guard, NULL);

    hpm_notes_add(record->parse->notes, "%s:%ld:%ld: %s; left out",
                  record->parse->file, position.line, position.column, problem);
}

struct hpm_format_data *
hpm_filerecord_room(struct hpm_filerecord *record)
{
    if (record->n_values == record->values_capacity &&
        !hpm_arena_grow(&record->study->arena, &record->values,
                        &record->values_capacity, record->n_values + 1,
                        sizeof *record->values))
        return NULL;
    return &record->values[record->n_values].data;
}

void
hpm_filerecord_take(struct hpm_filerecord *record,
                    const struct hpm_format_attribute *bad,
                    struct hpm_xmlguard *guard)
{
    struct hpm_filerecord_value *value = &record->values[record->n_values];
    struct hpm_format_data *data = &value->data;
    uint32_t column;

    if (!record->is_good)
        return;
    if (data->name == NULL) {
        note_data(record, guard, "data without a name");
        return;
    }
    column = find_column(record, data);
    if (column == HPM_NO_INDEX) {
        record->parse->is_out_of_memory = true;
        return;
    }
    if (column >= MOST_COLUMNS) {
        hpm_xmlguard_stop(guard, NULL, "more than %d different data names",
                          MOST_COLUMNS);
        return;
    }
    record->last_column = column;
    if (has_column_already(record, column)) {
        note_data(record, guard, "the same data a second time in one record");
        return;
    }
    record->n_values++;
    value->column = column;
    settle_state(record, data, bad);
}

/* ---- the record ------------------------------------------------------ */

void
hpm_filerecord_begin(struct hpm_filerecord *record,
                     const struct hpm_format_record *said, bool is_outside,
                     bool is_good, const struct hpm_xmlguard *guard)
{
    record->said = *said;
    record->is_outside = is_outside;
    record->is_good = is_good;
    record->position = hpm_xmlguard_locate(guard, NULL);
    record->n_values = 0;
    record->last_column = HPM_NO_INDEX;
    record->n_met++;
}

static bool
is_process(const struct hpm_format_record *said)
{
    int64_t tid = 0;

    hpm_number_to_integer(said->tid, INT32_MIN, INT32_MAX, &tid);
    return said->scope == 2 || (said->scope == 0 && tid == -1);
}

static int
to_int(struct hpm_number number, int otherwise)
{
    int64_t value = otherwise;

    hpm_number_to_integer(number, INT32_MIN, INT32_MAX, &value);
    return (int)value;
}

static unsigned
flags_of(const struct hpm_format_record *said)
{
    bool is_hidden = said->disp % 2 == 0 && said->disp != 0;

    return (said->open == HPM_YES ? HPM_ROW_OPEN : 0u) |
           (said->is_short == HPM_YES ? HPM_ROW_SHORT : 0u) |
           (said->overlap == HPM_YES ? HPM_ROW_OVERLAP : 0u) |
           (said->measured == HPM_MEASURED_FIRST_CALLS ? HPM_ROW_FIRST_CALLS
                                                       : 0u) |
           (is_hidden ? HPM_ROW_HIDDEN : 0u) |
           (said->side == HPM_SIDE_A ? HPM_ROW_SIDE_A : 0u) |
           (said->side == HPM_SIDE_B ? HPM_ROW_SIDE_B : 0u);
}

/* The records of a file have few different source files: keep the last base
 * name. */
static const char *
base_of(struct hpm_filerecord *record, const char *file)
{
    if (record->last_file != file) {
        record->last_file = file;
        record->last_base =
            hpm_parse_keep(record->parse, hpm_path_base_name(file));
    }
    return record->last_base;
}

/* The section of a record, without its call path. */
static struct hpm_study_section
self_of(struct hpm_filerecord *record)
{
    const struct hpm_format_record *said = &record->said;
    const char *file = said->file, *label = said->label;

    if (file == NULL)
        file = hpm_parse_keep(record->parse, "");
    if (label == NULL)
        label = hpm_parse_keep(record->parse, "");
    return (struct hpm_study_section){
        .parent = HPM_NO_INDEX,
        .scope = is_process(said) ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD,
        .instance = to_int(said->instance, 0),
        .line = to_int(said->line_start, 0),
        .label = label,
        .base = base_of(record, file),
        .file = file,
        .is_outside = record->is_outside};
}

static bool
add_values(struct hpm_filerecord *record, uint32_t row)
{
    uint32_t after = HPM_NO_INDEX;

    for (size_t i = 0; i < record->n_values; i++) {
        const struct hpm_filerecord_value *value = &record->values[i];

        if (!hpm_study_set_datum(record->study, row, value->column, after,
                                 &value->data.datum) ||
            !hpm_columnorder_note(&record->order, record->study,
                                  record->last_task, after, value->column))
            return false;
        after = value->column;
    }
    for (int i = 0; i < HPM_N_NUMBER_EXTRAS; i++) {
        if (!hpm_study_set_extra(record->study, row, (enum hpm_extra)i,
                                 record->said.extras[i]))
            return false;
    }
    return hpm_watched_set(
        record->study, row,
        &(struct hpm_watched_row){record->said.via, record->said.module,
                                  record->said.extras[HPM_EXTRA_OFFSET]});
}

bool
hpm_filerecord_end(struct hpm_filerecord *record)
{
    const struct hpm_format_record *said = &record->said;
    struct hpm_study *study = record->study;
    struct hpm_study_section self = self_of(record);
    uint32_t task = hpm_describe_task(record->describe, said->task);
    uint32_t place, row;

    if (task == HPM_NO_INDEX)
        return false;
    place = hpm_study_add_place(study, task,
                                to_int(said->tid, is_process(said) ? -1 : 0));
    if (place == HPM_NO_INDEX)
        return false;
    row = hpm_study_add_row(
        study, &(struct hpm_row){.section = HPM_NO_INDEX,
                                 .place = place,
                                 .parent = HPM_NO_INDEX,
                                 .within = HPM_NO_INDEX,
                                 .line_end = to_int(said->line_end, 0),
                                 .flags = flags_of(said)});
    record->last_task = task;
    return row != HPM_NO_INDEX && add_values(record, row) &&
           hpm_fileprofile_end_record(record->profile, row) &&
           hpm_filecalls_end_record(record->calls, row) &&
           hpm_filespreads_end_record(record->spreads, row) &&
           hpm_parents_add(record->parents, &self, said->id, said->parent,
                           said->within, record->position);
}
