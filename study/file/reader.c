/* SPDX-License-Identifier: BSD-3-Clause
 * A performance file as a study: its elements, and what needs the whole file.
 *
 * The parent of each record is found at the end (parents.c), because a record
 * may come before its parent.
 */
#include "study/file/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/memory.h"
#include "study/columns/transfer.h"
#include "study/file/filerecord.h"

enum {
    DEEPEST = 32,
    UNKNOWN = -1,
    LONGEST_NAME = 200 /* of a file, in messages */
};

struct hpm_reader {
    struct hpm_xmlguard *guard;
    struct hpm_parse_names names;
};

/* A file that is being read. */
struct reading {
    const char *source; /* the file's name; messages show parse.file */
    struct hpm_study *study;
    struct hpm_parse parse;
    struct hpm_reader_report *report;
    struct hpm_describe describe;
    struct hpm_parents parents;
    struct hpm_fileprofile profile;
    struct hpm_filecalls calls;
    struct hpm_filespreads spreads;
    struct hpm_filerecord record;

    int elements[DEEPEST];                  /* the open elements */
    int last_inside[HPM_FORMAT_N_ELEMENTS]; /* by element: the last element
                                             * inside it */
    int depth;
    bool has_end;
    struct hpm_number n_records;
    struct hpm_xmlguard_position end; /* of the file, where the file has an End
                                       * element */
    union hpm_format_any any;         /* any element but data */
};

static void
out_of_memory(struct reading *reading, struct hpm_xmlguard *guard)
{
    struct hpm_error err;

    reading->parse.is_out_of_memory = true;
    hpm_study_no_memory(reading->study, &err);
    hpm_xmlguard_stop(guard, NULL, "%s", err.text);
}

/* ---- elements -------------------------------------------------------- */

/* Use the contents of a known element. */
static bool
take(struct reading *reading, int element, struct hpm_xmlguard *guard)
{
    const union hpm_format_any *any = &reading->any;

    if (hpm_fileprofile_knows((enum hpm_format_name)element))
        return hpm_fileprofile_take(&reading->profile,
                                    (enum hpm_format_name)element, any, guard);
    if (hpm_filecalls_knows((enum hpm_format_name)element))
        return hpm_filecalls_take(&reading->calls,
                                  (enum hpm_format_name)element, any, guard);
    if (element == HPM_FORMAT_SPREAD)
        return hpm_filespreads_take(&reading->spreads, &any->spread, guard);
    if (element != HPM_FORMAT_END)
        return hpm_describe_take(&reading->describe,
                                 (enum hpm_format_name)element, any, guard);
    reading->has_end = true;
    reading->end = hpm_xmlguard_locate(guard, NULL);
    reading->n_records = any->end.n_records;
    return true;
}

static int
search_element(struct reading *reading, int around, const char *name)
{
    const char **names = reading->parse.names->elements;

    for (int i = 0; i < HPM_FORMAT_N_ELEMENTS; i++) {
        if (hpm_format_elements[i].parent != around)
            continue;
        if (names[i] == name ||
            strcmp(hpm_format_elements[i].name, name) == 0) {
            names[i] = name;
            return i;
        }
    }
    return UNKNOWN;
}

/* Records of sections and of what is outside have the same contents. */
static bool
is_record(int element)
{
    return element == HPM_FORMAT_RECORD || element == HPM_FORMAT_OUTSIDE;
}

static int
find_root(struct reading *reading, const char *name)
{
    if (strcmp(name, hpm_format_elements[HPM_FORMAT_RECORD].name) == 0)
        return HPM_FORMAT_RECORD;
    return search_element(reading, -1, name);
}

/* Which element is this?  Mostly the same as the last one inside the same
 * parent. */
static int
find_element(struct reading *reading, const char *name)
{
    int around, last;

    if (reading->depth == 0)
        return find_root(reading, name);
    around = reading->elements[reading->depth - 1];
    if (around == UNKNOWN)
        return UNKNOWN;
    if (is_record(around))
        around = HPM_FORMAT_RECORD;
    last = reading->last_inside[around];
    if (reading->parse.names->elements[last] == name &&
        hpm_format_elements[last].parent == around)
        return last;
    last = search_element(reading, around, name);
    if (last != UNKNOWN)
        reading->last_inside[around] = last;
    return last;
}

/* A file without a version is not from the HPM Toolkit's own writers and has no
 * escapes. */
static bool
has_version(const struct hpm_xmlguard_attribute *attributes, int n_attributes)
{
    for (int i = 0; i < n_attributes; i++) {
        if (attributes[i].prefix == NULL &&
            strcmp(attributes[i].name, "version") == 0)
            return true;
    }
    return false;
}

/* Zeroed room for the values of an element; NULL when there is no memory. */
static void *
room_for(struct reading *reading, int element)
{
    void *room = &reading->any;

    if (element == HPM_FORMAT_DATA)
        room = hpm_filerecord_room(&reading->record);
    if (room != NULL)
        memset(room, 0, hpm_format_elements[element].size);
    return room;
}

/* Read the attributes of an element.  An element that is left out takes all
 * inside it along; a record that is left out must still be counted. */
static bool
read_element(struct reading *reading, int element, struct hpm_xmlguard *guard,
             const struct hpm_xmlguard_attribute *attributes, int n_attributes)
{
    const struct hpm_format_attribute *bad = NULL;
    void *room = room_for(reading, element);
    bool is_good;

    if (room == NULL)
        return false;
    is_good =
        hpm_parse_element(&reading->parse, guard, (enum hpm_format_name)element,
                          attributes, n_attributes, room, &bad);
    if (is_record(element))
        hpm_filerecord_begin(&reading->record, room,
                             element == HPM_FORMAT_OUTSIDE, is_good, guard);
    else if (!is_good)
        reading->elements[reading->depth - 1] = UNKNOWN;
    else if (element == HPM_FORMAT_DATA)
        hpm_filerecord_take(&reading->record, bad, guard);
    else if (!take(reading, element, guard))
        return false;
    return !reading->parse.is_out_of_memory;
}

static void
begin_element(void *owner, struct hpm_xmlguard *guard, const char *name,
              const struct hpm_xmlguard_attribute *attributes, int n_attributes)
{
    struct reading *reading = owner;
    int element = find_element(reading, name);

    reading->elements[reading->depth] = element;
    if (reading->depth++ == 0 && element == UNKNOWN) {
        hpm_xmlguard_stop(guard, NULL,
                          "not a performance file: it begins with '%.40s'; "
                          "expected HPMPerformanceFile",
                          name);
        return;
    }
    if (element == UNKNOWN) {
        reading->report->n_unknown++;
        return;
    }
    if (is_record(element)) {
        reading->parse.n_texts = 0;
        hpm_fileprofile_begin_record(&reading->profile);
        hpm_filecalls_begin_record(&reading->calls);
        hpm_filespreads_begin_record(&reading->spreads);
    } else if (element == HPM_FORMAT_FILE) {
        reading->parse.has_escapes = has_version(attributes, n_attributes);
    }
    if (!read_element(reading, element, guard, attributes, n_attributes))
        out_of_memory(reading, guard);
}

static void
end_element(void *owner, struct hpm_xmlguard *guard)
{
    struct reading *reading = owner;
    int element = reading->elements[--reading->depth];

    if (is_record(element) && reading->record.is_good &&
        (!hpm_filerecord_end(&reading->record) ||
         reading->parse.is_out_of_memory))
        out_of_memory(reading, guard);
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

/* A task that says nothing about its completeness is as complete as the file.
 * But where other tasks explain why the file is incomplete, the task is not
 * affected. */
static void
spread_completeness(struct reading *reading)
{
    struct hpm_study *study = reading->study;

    if (reading->describe.file.complete == HPM_NO && has_incomplete_task(study))
        return;
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        if (task->is_complete == HPM_UNSAID) {
            task->is_complete =
                (enum hpm_answer)reading->describe.file.complete;
            task->reason = reading->describe.file.reason;
        }
    }
}

/* Mark tasks incomplete where the file is cut: the task of the last record, the
 * task of the record that is cut, and tasks without any record. */
static bool
mark_cut(struct reading *reading, const char *reason)
{
    struct hpm_study *study = reading->study;
    const char *kept = hpm_parse_keep(&reading->parse, reason);
    int64_t number = 0;
    uint32_t begun;

    hpm_number_to_integer(reading->record.said.task, 0, INT32_MAX, &number);
    begun = hpm_study_find_task(study, (int)number);
    for (size_t i = 0; i < study->n_tasks; i++) {
        struct hpm_task *task = &study->tasks[i];

        if (i == reading->record.last_task || i == begun || task->n_rows == 0) {
            task->is_complete = HPM_NO;
            task->reason = kept;
        }
    }
    return kept != NULL;
}

static bool
check_end(struct reading *reading)
{
    int64_t n = (int64_t)reading->record.n_met;
    int64_t said = n;

    if (!reading->has_end)
        return true;
    hpm_number_to_integer(reading->n_records, 0, INT64_MAX, &said);
    if (said == n)
        return true;
    hpm_notes_add(&reading->report->notes,
                  "%s:%ld:%ld: holds %lld records where its end says %lld; "
                  "something was cut out",
                  reading->parse.file, reading->end.line, reading->end.column,
                  (long long)n, (long long)said);
    return mark_cut(reading, "records were cut out of the file");
}

static bool
add_own_source(struct reading *reading)
{
    const char *name = hpm_parse_keep(&reading->parse, reading->source);

    for (size_t i = 0; i < reading->study->n_tasks; i++)
        reading->study->tasks[i].file = name;
    return reading->study->n_sources > 0 ||
           hpm_describe_add_source(&reading->describe, name);
}

/* All that needs the whole file.  Where a file does not say what it is but has
 * records of several tasks, they were merged. */
static bool
settle(struct reading *reading)
{
    if (reading->study->n_tasks > 1 && reading->study->kind == HPM_STUDY_RUN)
        reading->study->kind = HPM_STUDY_MERGED;
    spread_completeness(reading);
    hpm_hits_settle(reading->study);
    return check_end(reading) && add_own_source(reading) &&
           hpm_parents_settle(&reading->parents, reading->study,
                              reading->parse.file, &reading->report->notes) &&
           hpm_study_rank_columns(reading->study) &&
           !reading->parse.is_out_of_memory;
}

/* ---- public functions ------------------------------------------------ */

/* A file's name shortened for messages: the end of the name is kept. */
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

/* Keep the records of a file that ended in `err`; false where there is none. */
static bool
salvage(struct reading *reading, const struct hpm_error *err)
{
    const char *place = err->text + strlen(reading->parse.file);
    char reason[64];
    long line = 0;

    if (reading->study->n_rows == 0 || reading->parse.is_out_of_memory)
        return false;
    if (*place == ':')
        line = strtol(place + 1, NULL, 10);
    snprintf(reason, sizeof reason,
             "the file is cut or damaged from line %ld on", line);
    reading->report->is_cut = true;
    hpm_notes_add(&reading->report->notes, "%s (%zu whole record%s kept)",
                  err->text, reading->study->n_rows,
                  reading->study->n_rows == 1 ? "" : "s");
    spread_completeness(reading);
    reading->has_end = false;
    return mark_cut(reading, reason);
}

/* The reader's guard; a new one where the last file left none. */
static struct hpm_xmlguard *
guard_of(struct hpm_reader *reader)
{
    if (reader->guard == NULL) {
        reader->names = (struct hpm_parse_names){.elements = {NULL}};
        reader->guard = hpm_xmlguard_new();
    }
    return reader->guard;
}

static void
let_go(struct hpm_reader *reader)
{
    hpm_xmlguard_free(reader->guard);
    reader->guard = NULL;
}

static bool
read_through(struct hpm_reader *reader, struct reading *reading, int fd,
             struct hpm_error *err)
{
    static const struct hpm_xmlguard_listener listener = {
        .bare = "InstrumentationPt",
        .root = "HPMPerformanceFile",
        .begin_element = begin_element,
        .end_element = end_element};
    struct hpm_xmlguard *guard = guard_of(reader);
    bool is_good;

    if (guard == NULL)
        return hpm_error_no_memory(err);
    is_good = hpm_xmlguard_read(guard, fd, reading->parse.file, &listener,
                                reading, err);
    if (!hpm_xmlguard_is_reusable(guard))
        let_go(reader);
    return is_good || salvage(reading, err);
}

/* Prepare a reading; false when there is no memory. */
static bool
begin_reading(struct reading *reading, struct hpm_reader *reader,
              const char *shown, size_t most_bytes)
{
    struct hpm_study *study = hpm_study_new(most_bytes);
    struct hpm_notes *notes = &reading->report->notes;

    if (study == NULL)
        return false;
    reading->study = study;
    reading->parents.arena.most = most_bytes;
    reading->parse.file = shown;
    reading->parse.kept = &study->names;
    reading->parse.notes = notes;
    reading->parse.names = &reader->names;
    reading->describe.study = study;
    reading->describe.name = shown;
    reading->describe.notes = notes;
    reading->record.study = study;
    reading->record.parse = &reading->parse;
    reading->record.describe = &reading->describe;
    reading->record.parents = &reading->parents;
    reading->record.profile = &reading->profile;
    reading->record.calls = &reading->calls;
    reading->record.spreads = &reading->spreads;
    reading->spreads.study = study;
    reading->spreads.parse = &reading->parse;
    reading->calls.study = study;
    reading->calls.parse = &reading->parse;
    reading->profile.study = study;
    reading->profile.parse = &reading->parse;
    reading->profile.describe = &reading->describe;
    return true;
}

static struct hpm_study *
read_open(struct hpm_reader *reader, int fd, const char *name,
          size_t most_bytes, struct hpm_reader_report *report,
          struct hpm_error *err)
{
    struct short_name room;
    struct reading reading = {.source = name, .report = report};
    struct hpm_error problem = {""};
    bool is_good;

    if (!begin_reading(&reading, reader, shorten(name, &room), most_bytes)) {
        hpm_error_no_memory(err);
        return NULL;
    }
    is_good = read_through(reader, &reading, fd, &problem);
    if (is_good && !settle(&reading)) {
        hpm_study_no_memory(reading.study, &problem);
        is_good = false;
    }
    report->n_unknown += reading.parse.n_unknown;
    hpm_string_free(&reading.parse.text);
    hpm_parents_free(&reading.parents);
    hpm_fileprofile_free(&reading.profile);
    hpm_filecalls_free(&reading.calls);
    hpm_filespreads_free(&reading.spreads);
    if (is_good && reading.parents.is_scattered)
        reading.study = hpm_transfer_gather(reading.study);
    if (!is_good || reading.study == NULL) {
        hpm_error_set(err, "%s", problem.text);
        hpm_study_free(reading.study);
        return NULL;
    }
    return reading.study;
}

/* Open a file without blocking on a pipe or a device; only a regular file is
 * read. */
static int
open_regular(const char *path, struct stat *ret_status, struct hpm_error *err)
{
    struct short_name room;
    const char *shown = shorten(path, &room);
    int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    int fd;

    do
        fd = open(path, flags);
    while (fd < 0 && errno == EINTR);
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

struct hpm_reader *
hpm_reader_new(void)
{
    return hpm_memory_new(1, sizeof(struct hpm_reader));
}

void
hpm_reader_free(struct hpm_reader *reader)
{
    if (reader != NULL)
        let_go(reader);
    hpm_memory_free(reader);
}

struct hpm_study *
hpm_reader_read_next(struct hpm_reader *reader, const char *path,
                     size_t most_bytes, struct hpm_reader_report *report,
                     struct hpm_error *err)
{
    struct short_name room;
    struct stat before;
    struct hpm_study *study;
    int fd = open_regular(path, &before, err);

    if (fd < 0)
        return NULL;
    study = read_open(reader, fd, path, most_bytes, report, err);
    if (is_changed(fd, &before))
        hpm_notes_add(&report->notes,
                      "%s: was changed while it was read; read it again",
                      shorten(path, &room));
    close(fd);
    return study;
}

struct hpm_study *
hpm_reader_read(const char *path, size_t most_bytes,
                struct hpm_reader_report *report, struct hpm_error *err)
{
    struct hpm_reader reader = {.guard = NULL};
    struct hpm_study *study =
        hpm_reader_read_next(&reader, path, most_bytes, report, err);

    let_go(&reader);
    return study;
}

struct hpm_study *
hpm_reader_read_open(int fd, const char *name, size_t most_bytes,
                     struct hpm_reader_report *report, struct hpm_error *err)
{
    struct hpm_reader reader = {.guard = NULL};
    struct hpm_study *study =
        read_open(&reader, fd, name, most_bytes, report, err);

    let_go(&reader);
    return study;
}
