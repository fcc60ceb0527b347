/* SPDX-License-Identifier: BSD-3-Clause
 * The sections in a performance file. */
#include "recordfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes: an element is a line of the file --------------------- */

static const char *
find(const char *line, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strstr(line, name); at != NULL;
         at = strstr(at + 1, name)) {
        if (at[-1] == ' ' && at[length] == '=' && at[length + 1] == '"')
            return at + length + 2;
    }
    return NULL;
}

static void
copy(const char *line, const char *name, char *room, size_t size)
{
    const char *text = find(line, name);

    snprintf(room, size, "%.*s", text != NULL ? (int)strcspn(text, "\"") : 0,
             text != NULL ? text : "");
}

static uint64_t
number(const char *line, const char *name, uint64_t otherwise)
{
    const char *text = find(line, name);

    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

static int
integer(const char *line, const char *name)
{
    const char *text = find(line, name);

    return text != NULL ? atoi(text) : 0;
}

/* ---- elements -------------------------------------------------------- */

static void
read_record(struct recordfile_record *record, const char *line, bool is_outside)
{
    memset(record, 0, sizeof *record);
    record->is_outside = is_outside;
    record->tid = integer(line, "tid");
    record->id = integer(line, "id");
    record->parent = integer(line, "parent");
    record->within = integer(line, "within");
    record->instance = integer(line, "inst");
    record->line = integer(line, "linestart");
    record->outer = number(line, "outer", SIZE_MAX);
    record->skipped = number(line, "skipped", 0);
    record->has_overlap = find(line, "overlap") != NULL;
    record->is_open = find(line, "open") != NULL;
    copy(line, "label", record->label, sizeof record->label);
    copy(line, "file", record->file, sizeof record->file);
}

/* Metrics, and data of the kernel, are not needed by tests of sections. */
static bool
read_datum(struct recordfile_record *record, const char *line)
{
    struct recordfile_datum *datum = &record->data[record->n_data];

    if (strstr(line, "kind=\"metric\"") != NULL ||
        strstr(line, "name=\"ru::") != NULL)
        return true;
    if (++record->n_data == RECORDFILE_MAX_DATA)
        return false;
    copy(line, "name", datum->name, sizeof datum->name);
    copy(line, "state", datum->state, sizeof datum->state);
    copy(line, "reason", datum->reason, sizeof datum->reason);
    copy(line, "value", datum->value, sizeof datum->value);
    copy(line, "exclusive", datum->exclusive, sizeof datum->exclusive);
    copy(line, "mean", datum->mean, sizeof datum->mean);
    copy(line, "sdev", datum->sdev, sizeof datum->sdev);
    return true;
}

static void
add_problem(struct recordfile *file, const char *line)
{
    size_t length = strlen(file->problems);

    snprintf(file->problems + length, sizeof file->problems - length, "# %s",
             line);
}

/* False if there are too many of something. */
static bool
read_line(struct recordfile *file, const char *line)
{
    bool is_outside = strncmp(line, "<Outside ", 9) == 0;

    if (is_outside || strncmp(line, "<InstrumentationPt ", 19) == 0) {
        if (file->n == RECORDFILE_MAX)
            return false;
        read_record(&file->records[file->n++], line, is_outside);
    } else if (strncmp(line, "<data ", 6) == 0 && file->n > 0) {
        return read_datum(&file->records[file->n - 1], line);
    } else if (strncmp(line, "<Problem ", 9) == 0) {
        file->n_problems += number(line, "count", 1);
        add_problem(file, line);
    }
    return true;
}

bool
recordfile_read(struct recordfile *file, const char *path)
{
    FILE *stream = fopen(path, "re");
    char line[4096] = "";
    bool is_good = stream != NULL;

    file->n = 0;
    file->n_problems = 0;
    file->problems[0] = '\0';
    while (is_good && fgets(line, sizeof line, stream) != NULL)
        is_good = read_line(file, line + strspn(line, " "));
    if (stream != NULL)
        fclose(stream);
    return is_good && strcmp(line, "</HPMPerformanceFile>\n") == 0;
}

const struct recordfile_datum *
recordfile_datum(const struct recordfile_record *record, const char *name)
{
    for (size_t i = 0; i < record->n_data; i++) {
        if (strcmp(record->data[i].name, name) == 0)
            return &record->data[i];
    }
    return NULL;
}
