/* SPDX-License-Identifier: BSD-3-Clause
 * A performance file as a study.
 *
 * A record is added to the study when its end is met, so that a cut file gives
 * whole records only.  Who is whose parent is settled at the end (kinship.c),
 * for a record may come before its parent.
 */
#include "file/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/describe.h"
#include "file/fence.h"
#include "file/kinship.h"
#include "file/parse.h"
#include "model/transfer.h"

enum {
    DEEPEST = 32,
    UNKNOWN = -1,
    MOST_COLUMNS = 4096, /* different counters: hundreds are a lot */
    LONGEST_NAME = 200   /* of a file, in messages */
};

/* A value of the record being read. */
struct value {
    uint32_t column;
    struct hpm_format_data data;
};

struct reader {
    const char *source; /* the file; in messages parse.file stands for it */
    struct hpm_study *study;
    struct hpm_parse parse;
    struct hpm_reader_report *report;
    struct hpm_describe describe;
    struct hpm_kinship kinship;

    int elements[DEEPEST];                        /* the open ones */
    const char *names_met[HPM_FORMAT_N_ELEMENTS]; /* the parser's */
    int last_inside[HPM_FORMAT_N_ELEMENTS]; /* each element: mostly the next */
    int depth;
    uint32_t last_record_task;
    bool has_end;
    struct hpm_number n_records;
    struct hpm_fence_position end; /* of the file, where it says so */
    size_t n_met;                  /* records, those left out too */

    struct hpm_format_record record;
    struct hpm_fence_position position; /* of the record */
    bool is_record_good;
    const char *last_file, *last_base; /* and its base name */
    union hpm_format_any any;          /* any other element */
    struct value *values;
    size_t n_values, values_capacity;
    uint32_t *last_records; /* per column: the record that had it last */
    size_t last_records_capacity;
    uint32_t last_column; /* it is mostly the next one */
};

static void
out_of_memory(struct reader *reader, struct hpm_fence *fence)
{
    struct hpm_error err;

    reader->parse.is_out_of_memory = true;
    hpm_study_no_memory(reader->study, &err);
    hpm_fence_stop(fence, NULL, "%s", err.text);
}

/* ---- values ---------------------------------------------------------- */

static bool
is_integer(struct hpm_number number)
{
    return number.kind == HPM_NUMBER_COUNT || number.kind == HPM_NUMBER_MINUS;
}

/* The paper's records do not say which data are counters.  Count and the times
 * are known; a number with decimals is a metric, and then the whole column
 * is. */
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

/* Records mostly have the same data in the same order. */
static uint32_t
find_column(struct reader *reader, const struct hpm_format_data *data)
{
    struct hpm_study *study = reader->study;
    uint32_t next = reader->last_column + 1;
    enum hpm_column_kind kind = (enum hpm_column_kind)data->kind;

    if (next < study->n_columns && study->columns[next].name == data->name &&
        study->columns[next].unit == data->unit &&
        study->columns[next].kind == data->kind && kind != HPM_COLUMN_UNSAID)
        return next;
    if (kind == HPM_COLUMN_UNSAID)
        kind = guess_kind(study, data);
    return hpm_study_add_column(study, data->name, data->unit, kind);
}

static const char *
keep(struct reader *reader, const char *text)
{
    const char *kept = hpm_atoms_add_text(&reader->study->names, text);

    reader->parse.is_out_of_memory |= kept == NULL;
    return kept;
}

/* Without a number, and without a state that would say why, there is none. */
static void
settle_state(struct reader *reader, struct hpm_format_data *data,
             const struct hpm_format_attribute *bad)
{
    struct hpm_datum *datum = &data->datum;

    datum->is_hidden = data->disp % 2 == 0 && data->disp != 0;
    if (data->children != 0)
        datum->numbers[HPM_FIELD_CHILDREN] = hpm_number_count(1);
    if (data->partial == HPM_FORMAT_YES)
        datum->numbers[HPM_FIELD_PARTIAL] = hpm_number_count(1);
    datum->state = (enum hpm_state)(data->state != 0 ? data->state - 1 : 0);
    if (datum->numbers[HPM_FIELD_VALUE].kind != HPM_NUMBER_NONE ||
        datum->numbers[HPM_FIELD_EXCLUSIVE].kind != HPM_NUMBER_NONE ||
        !hpm_state_has_value(datum->state))
        return;
    datum->state = HPM_STATE_LOST;
    datum->reason = keep(reader, bad != NULL ? "the file has no number here"
                                             : "the file has no value");
}

static bool
has_column_already(struct reader *reader, uint32_t column)
{
    uint32_t record = (uint32_t)reader->n_met;

    if (!hpm_arena_grow(&reader->study->arena, &reader->last_records,
                        &reader->last_records_capacity, (size_t)column + 1,
                        sizeof *reader->last_records)) {
        reader->parse.is_out_of_memory = true;
        return true;
    }
    if (reader->last_records[column] == record)
        return true;
    reader->last_records[column] = record;
    return false;
}

static void
note_data(struct reader *reader, const struct hpm_fence *fence,
          const char *problem)
{
    struct hpm_fence_position position = hpm_fence_locate(fence, NULL);

    hpm_notes_add(&reader->report->notes, "%s:%ld:%ld: %s; left out",
                  reader->parse.file, position.line, position.column, problem);
}

/* It stands behind the values there are and becomes one of them, if it may. */
static void
take_data(struct reader *reader, const struct hpm_format_attribute *bad,
          struct hpm_fence *fence)
{
    struct value *value = &reader->values[reader->n_values];
    struct hpm_format_data *data = &value->data;
    uint32_t column;

    if (!reader->is_record_good)
        return;
    if (data->name == NULL) {
        note_data(reader, fence, "data without a name");
        return;
    }
    column = find_column(reader, data);
    if (column == HPM_NO_INDEX) {
        reader->parse.is_out_of_memory = true;
        return;
    }
    if (column >= MOST_COLUMNS) {
        hpm_fence_stop(fence, NULL, "more than %d different data names",
                       MOST_COLUMNS);
        return;
    }
    reader->last_column = column;
    if (has_column_already(reader, column)) {
        note_data(reader, fence, "the same data a second time in one record");
        return;
    }
    reader->n_values++;
    value->column = column;
    settle_state(reader, data, bad);
}

/* ---- records --------------------------------------------------------- */

static void
begin_record(struct reader *reader, const struct hpm_format_record *record,
             const struct hpm_fence *fence)
{
    reader->record = *record;
    reader->position = hpm_fence_locate(fence, NULL);
    reader->n_values = 0;
    reader->last_column = HPM_NO_INDEX;
    reader->n_met++;
}

static bool
is_process(const struct hpm_format_record *record)
{
    int64_t tid = 0;

    hpm_number_to_integer(record->tid, INT32_MIN, INT32_MAX, &tid);
    return record->scope == 2 || (record->scope == 0 && tid == -1);
}

static int
to_int(struct hpm_number number, int otherwise)
{
    int64_t value = otherwise;

    hpm_number_to_integer(number, INT32_MIN, INT32_MAX, &value);
    return (int)value;
}

static unsigned
flags_of(const struct hpm_format_record *record)
{
    bool is_hidden = record->disp % 2 == 0 && record->disp != 0;

    return (record->open == HPM_YES ? HPM_ROW_OPEN : 0u) |
           (record->is_short == HPM_YES ? HPM_ROW_SHORT : 0u) |
           (record->overlap == HPM_YES ? HPM_ROW_OVERLAP : 0u) |
           (is_hidden ? HPM_ROW_HIDDEN : 0u) |
           (record->side == HPM_SIDE_A ? HPM_ROW_SIDE_A : 0u) |
           (record->side == HPM_SIDE_B ? HPM_ROW_SIDE_B : 0u);
}

/* The records of a file are of few source files. */
static const char *
base_of(struct reader *reader, const char *file)
{
    if (reader->last_file != file) {
        reader->last_file = file;
        reader->last_base = keep(reader, hpm_string_base_name(file));
    }
    return reader->last_base;
}

/* What a record says it is, its call path apart. */
static struct hpm_section
self_of(struct reader *reader, const struct hpm_format_record *record)
{
    const char *file = record->file != NULL ? record->file : keep(reader, "");

    return (struct hpm_section){
        .parent = HPM_NO_INDEX,
        .scope = is_process(record) ? HPM_SCOPE_PROCESS : HPM_SCOPE_THREAD,
        .instance = to_int(record->instance, 0),
        .line = to_int(record->line_start, 0),
        .label = record->label != NULL ? record->label : keep(reader, ""),
        .base = base_of(reader, file),
        .file = file};
}

static bool
add_values(struct reader *reader, uint32_t row)
{
    uint32_t after = HPM_NO_INDEX;

    for (size_t i = 0; i < reader->n_values; i++) {
        const struct value *value = &reader->values[i];

        if (!hpm_study_set_datum(reader->study, row, value->column, after,
                                 &value->data.datum))
            return false;
        after = value->column;
    }
    for (int i = 0; i < HPM_EXTRA_FILE; i++) {
        if (!hpm_study_set_extra(reader->study, row, (enum hpm_extra)i,
                                 reader->record.extras[i]))
            return false;
    }
    return true;
}

static bool
end_record(struct reader *reader)
{
    const struct hpm_format_record *record = &reader->record;
    struct hpm_study *study = reader->study;
    struct hpm_section self = self_of(reader, record);
    uint32_t task = hpm_describe_task(&reader->describe, record->task);
    uint32_t place, row;

    if (task == HPM_NO_INDEX)
        return false;
    place = hpm_study_add_place(
        study, task, to_int(record->tid, is_process(record) ? -1 : 0));
    if (place == HPM_NO_INDEX)
        return false;
    row = hpm_study_add_row(
        study, &(struct hpm_row){.section = HPM_NO_INDEX,
                                 .place = place,
                                 .parent = HPM_NO_INDEX,
                                 .within = HPM_NO_INDEX,
                                 .line_end = to_int(record->line_end, 0),
                                 .flags = flags_of(record)});
    reader->last_record_task = task;
    return row != HPM_NO_INDEX && add_values(reader, row) &&
           hpm_kinship_add(&reader->kinship, &self, record->id, record->parent,
                           record->within, reader->position);
}

/* ---- elements -------------------------------------------------------- */

static bool
take(struct reader *reader, int element, const struct hpm_format_attribute *bad,
     struct hpm_fence *fence)
{
    const union hpm_format_any *any = &reader->any;

    switch (element) {
    case HPM_FORMAT_RECORD:
        begin_record(reader, &any->record, fence);
        return true;
    case HPM_FORMAT_DATA:
        take_data(reader, bad, fence);
        return true;
    case HPM_FORMAT_END:
        reader->has_end = true;
        reader->end = hpm_fence_locate(fence, NULL);
        reader->n_records = any->end.n_records;
        return true;
    default:
        return hpm_describe_take(&reader->describe,
                                 (enum hpm_format_name)element, any, fence);
    }
}

static int
search_element(struct reader *reader, int around, const char *name)
{
    for (int i = 0; i < HPM_FORMAT_N_ELEMENTS; i++) {
        if (hpm_format_elements[i].parent == around &&
            strcmp(hpm_format_elements[i].name, name) == 0) {
            reader->names_met[i] = name;
            return i;
        }
    }
    return UNKNOWN;
}

static int
find_root(struct reader *reader, const char *name)
{
    if (strcmp(name, hpm_format_elements[HPM_FORMAT_RECORD].name) == 0)
        return HPM_FORMAT_RECORD;
    return search_element(reader, -1, name);
}

/* Which element is it, here?  Mostly what came last inside the same. */
static int
find_element(struct reader *reader, const char *name)
{
    int around, last;

    if (reader->depth == 0)
        return find_root(reader, name);
    around = reader->elements[reader->depth - 1];
    if (around == UNKNOWN)
        return UNKNOWN;
    last = reader->last_inside[around];
    if (reader->names_met[last] == name &&
        hpm_format_elements[last].parent == around)
        return last;
    last = search_element(reader, around, name);
    if (last != UNKNOWN)
        reader->last_inside[around] = last;
    return last;
}

/* A file without a version was not written by us and has no escapes. */
static bool
has_version(const struct hpm_fence_attribute *attributes, int n_attributes)
{
    for (int i = 0; i < n_attributes; i++) {
        if (strcmp(attributes[i].name, "version") == 0)
            return true;
    }
    return false;
}

/* Where the values of an element go, zeroed; NULL when there is no memory. */
static void *
room_for(struct reader *reader, int element)
{
    void *room = &reader->any;

    if (element == HPM_FORMAT_DATA) {
        if (!hpm_arena_grow(&reader->study->arena, &reader->values,
                            &reader->values_capacity, reader->n_values + 1,
                            sizeof *reader->values))
            return NULL;
        room = &reader->values[reader->n_values].data;
    }
    memset(room, 0, hpm_format_elements[element].size);
    return room;
}

/* An element left out takes what is inside it along. */
static void
begin_element(void *owner, struct hpm_fence *fence, const char *name,
              const struct hpm_fence_attribute *attributes, int n_attributes)
{
    struct reader *reader = owner;
    const struct hpm_format_attribute *bad = NULL;
    int element = find_element(reader, name);
    void *room;
    bool is_good;

    reader->elements[reader->depth] = element;
    if (reader->depth++ == 0 && element == UNKNOWN) {
        hpm_fence_stop(fence, NULL,
                       "not a performance file: it begins with '%.40s'; "
                       "expected HPMPerformanceFile",
                       name);
        return;
    }
    if (element == UNKNOWN) {
        reader->report->n_unknown++;
        return;
    }
    if (element == HPM_FORMAT_RECORD)
        reader->parse.n_texts = 0;
    else if (element == HPM_FORMAT_FILE)
        reader->parse.has_escapes = has_version(attributes, n_attributes);
    room = room_for(reader, element);
    if (room == NULL) {
        out_of_memory(reader, fence);
        return;
    }
    is_good =
        hpm_parse_element(&reader->parse, fence, (enum hpm_format_name)element,
                          attributes, n_attributes, room, &bad);
    if (element == HPM_FORMAT_RECORD)
        reader->is_record_good = is_good;
    if (!is_good && element != HPM_FORMAT_RECORD)
        reader->elements[reader->depth - 1] = UNKNOWN;
    else if (!take(reader, element, bad, fence))
        reader->parse.is_out_of_memory = true;
    if (reader->parse.is_out_of_memory)
        out_of_memory(reader, fence);
}

static void
end_element(void *owner, struct hpm_fence *fence)
{
    struct reader *reader = owner;
    int element = reader->elements[--reader->depth];

    if (element == HPM_FORMAT_RECORD && reader->is_record_good &&
        (!end_record(reader) || reader->parse.is_out_of_memory))
        out_of_memory(reader, fence);
}

/* ---- the end --------------------------------------------------------- */

static bool
has_incomplete_task(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].is_complete == HPM_NO)
            return true;
    }
    return false;
}

/* Tasks that say nothing themselves are as complete as the file; but if others
 * say why the file is not, it is not their matter. */
static void
spread_completeness(struct reader *reader)
{
    struct hpm_study *study = reader->study;

    if (reader->describe.file.complete == HPM_NO && has_incomplete_task(study))
        return;
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        if (task->is_complete == HPM_UNSAID) {
            task->is_complete = (enum hpm_answer)reader->describe.file.complete;
            task->reason = reader->describe.file.reason;
        }
    }
}

/* Of a cut file, the task whose records came last, that of the record it is cut
 * in, and those without any may lack something. */
static bool
mark_cut(struct reader *reader, const char *reason)
{
    struct hpm_study *study = reader->study;
    const char *kept = keep(reader, reason);
    uint32_t begun = hpm_study_find_task(study, to_int(reader->record.task, 0));

    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        if (i == reader->last_record_task || i == begun || task->n_rows == 0) {
            task->is_complete = HPM_NO;
            task->reason = kept;
        }
    }
    return kept != NULL;
}

static bool
check_end(struct reader *reader)
{
    int64_t n = (int64_t)reader->n_met;
    int64_t said = n;

    if (!reader->has_end)
        return true;
    hpm_number_to_integer(reader->n_records, 0, INT64_MAX, &said);
    if (said == n)
        return true;
    hpm_notes_add(&reader->report->notes,
                  "%s:%ld:%ld: holds %lld records where its end says %lld; "
                  "something was cut out",
                  reader->parse.file, reader->end.line, reader->end.column,
                  (long long)n, (long long)said);
    return mark_cut(reader, "records were cut out of the file");
}

static bool
add_own_source(struct reader *reader)
{
    const char *name = keep(reader, reader->source);

    for (size_t i = 0; i < reader->study->n_tasks; i++)
        reader->study->tasks[i].file = name;
    return reader->study->n_sources > 0 ||
           hpm_describe_add_source(&reader->describe, name);
}

/* Everything that needs the whole file.  Records of several tasks in a file
 * that does not say what it is were merged by somebody. */
static bool
settle(struct reader *reader)
{
    if (reader->study->n_tasks > 1 && reader->study->kind == HPM_STUDY_RUN)
        reader->study->kind = HPM_STUDY_MERGED;
    spread_completeness(reader);
    return check_end(reader) && add_own_source(reader) &&
           hpm_kinship_settle(&reader->kinship, reader->study,
                              reader->parse.file, &reader->report->notes) &&
           hpm_study_rank_columns(reader->study) &&
           !reader->parse.is_out_of_memory;
}

/* ---- the calls ------------------------------------------------------- */

/* A message has room for so much of a name: its end says most. */
struct short_name {
    char text[LONGEST_NAME + 4];
};

static const char *
shorten(const char *name, struct short_name *room)
{
    size_t length = strlen(name);

    if (length <= LONGEST_NAME)
        return name;
    snprintf(room->text, sizeof room->text, "...%s",
             name + length - LONGEST_NAME);
    return room->text;
}

/* Keep what there is of a file that ended in `err`; false when that is no
 * record. */
static bool
salvage(struct reader *reader, const struct hpm_error *err)
{
    const char *place = err->text + strlen(reader->parse.file);
    char reason[64];
    long line = 0;

    if (reader->study->n_rows == 0 || reader->parse.is_out_of_memory)
        return false;
    if (*place == ':')
        line = strtol(place + 1, NULL, 10);
    snprintf(reason, sizeof reason, "the file is cut at line %ld", line);
    reader->report->is_cut = true;
    hpm_notes_add(&reader->report->notes, "%s (%zu whole record%s kept)",
                  err->text, reader->study->n_rows,
                  reader->study->n_rows == 1 ? "" : "s");
    spread_completeness(reader);
    reader->has_end = false;
    return mark_cut(reader, reason);
}

struct hpm_study *
hpm_reader_read_open(int fd, const char *name, size_t most_bytes,
                     struct hpm_reader_report *report, struct hpm_error *err)
{
    static const struct hpm_fence_listener listener = {
        .bare = "InstrumentationPt",
        .root = "HPMPerformanceFile",
        .begin_element = begin_element,
        .end_element = end_element};
    struct short_name room;
    const char *shown = shorten(name, &room);
    struct reader reader = {.source = name, .report = report};
    struct hpm_error problem = {""};
    bool is_good;

    reader.study = hpm_study_new(most_bytes);
    if (reader.study == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    reader.kinship.arena.most = most_bytes;
    reader.parse.file = shown;
    reader.parse.kept = &reader.study->names;
    reader.parse.notes = &report->notes;
    reader.describe = (struct hpm_describe){
        .study = reader.study, .name = shown, .notes = &report->notes};
    is_good = hpm_fence_read(fd, shown, &listener, &reader, &problem) ||
              salvage(&reader, &problem);
    if (is_good && !settle(&reader)) {
        hpm_study_no_memory(reader.study, &problem);
        is_good = false;
    }
    report->n_unknown += reader.parse.n_unknown;
    hpm_string_free(&reader.parse.text);
    hpm_kinship_free(&reader.kinship);
    if (is_good && reader.kinship.is_scattered)
        reader.study = hpm_transfer_gather(reader.study);
    if (!is_good || reader.study == NULL) {
        hpm_error_set(err, "%s", problem.text);
        hpm_study_free(reader.study);
        return NULL;
    }
    return reader.study;
}

/* Opened so that a pipe or a device blocks nobody; then nothing but a regular
 * file is read. */
static int
open_regular(const char *path, struct stat *ret_status, struct hpm_error *err)
{
    struct short_name room;
    const char *shown = shorten(path, &room);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0) {
        hpm_error_set(err, "%s: cannot be opened: %s", shown, strerror(errno));
        return -1;
    }
    if (fstat(fd, ret_status) != 0)
        hpm_error_set(err, "%s: cannot be read: %s", shown, strerror(errno));
    else if (S_ISREG(ret_status->st_mode))
        return fd;
    else
        hpm_error_set(err, "%s: is %s; expected a regular file", shown,
                      S_ISDIR(ret_status->st_mode)
                          ? "a folder"
                          : "a pipe, a socket or a device");
    close(fd);
    return -1;
}

static bool
is_changed(int fd, const struct stat *before)
{
    struct stat after;

    return fstat(fd, &after) == 0 &&
           (after.st_size != before->st_size ||
            after.st_mtim.tv_sec != before->st_mtim.tv_sec ||
            after.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

struct hpm_study *
hpm_reader_read(const char *path, size_t most_bytes,
                struct hpm_reader_report *report, struct hpm_error *err)
{
    struct short_name room;
    struct stat before;
    struct hpm_study *study;
    int fd = open_regular(path, &before, err);

    if (fd < 0)
        return NULL;
    study = hpm_reader_read_open(fd, path, most_bytes, report, err);
    if (is_changed(fd, &before))
        hpm_notes_add(&report->notes,
                      "%s: was changed while it was read; read it again",
                      shorten(path, &room));
    close(fd);
    return study;
}
