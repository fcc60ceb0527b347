/* SPDX-License-Identifier: BSD-3-Clause
 * Reads a file of samples for a replay. */
#include "source/replayfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"

enum { LONGEST_NAME = 255, LONGEST_UNIT = 31 };

/* One value as it is written. */
struct cell {
    enum { PLAIN, SHARED, GONE } kind;
    uint64_t count, enabled, running;
};

struct parser {
    struct hpm_replayfile *file;
    char *next; /* text that is not read yet */
    char *end;
    char *rest; /* rest of the present line */
    size_t line;
    bool has_head;
    struct cell cells[HPM_MAX_EVENTS];
    struct hpm_error *err;
};

/* ---- the bytes ------------------------------------------------------- */

/* HPM_REPLAY may name anything: do not wait for a pipe, and do not read a
 * device. */
static int
open_file(const char *path, size_t *ret_size, struct hpm_error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;

    if (fd < 0 || fstat(fd, &status) != 0) {
        hpm_error_set(err,
                      "%.200s: cannot be read (%s); set HPM_REPLAY to a "
                      "file of samples",
                      path, strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
        hpm_error_set(err,
                      "%.200s: not a regular file; set HPM_REPLAY to a "
                      "file of samples",
                      path);
    } else if (status.st_size > HPM_REPLAY_MAX_BYTES) {
        hpm_error_set(err,
                      "%.200s: larger than 64 MiB; set HPM_REPLAY to a "
                      "shorter file",
                      path);
    } else {
        *ret_size = (size_t)status.st_size;
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static bool
read_all(int fd, char *text, size_t size, size_t *ret_length)
{
    *ret_length = 0;
    while (*ret_length < size) {
        ssize_t n = read(fd, text + *ret_length, size - *ret_length);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        if (n == 0)
            break;
        *ret_length += (size_t)n;
    }
    return true;
}

/* The whole text with a NUL after it; NULL on failure. */
static char *
read_file(const char *path, size_t *ret_length, struct hpm_error *err)
{
    size_t size;
    int fd = open_file(path, &size, err);
    char *text;

    if (fd < 0)
        return NULL;
    text = hpm_memory_new(size + 1, 1);
    if (text == NULL) {
        hpm_error_no_memory(err);
    } else if (!read_all(fd, text, size, ret_length)) {
        hpm_error_set(err,
                      "%.200s: cannot be read (%s); set HPM_REPLAY to a "
                      "file of samples",
                      path, strerror(errno));
        hpm_memory_free(text);
        text = NULL;
    }
    close(fd);
    return text;
}

/* ---- lines and words ------------------------------------------------- */

/* At most 40 bytes of a word, in whole characters. */
static int
shown_length(const char *word)
{
    size_t length = 0, character;

    while (word[length] != '\0' &&
           (character = hpm_string_character(word + length)) > 0 &&
           length + character <= 40)
        length += character;
    return (int)length;
}

/* Sets "file:line: 'word': sentence"; `word` is NULL at the end of a line. */
static bool __attribute__((format(printf, 3, 4)))
fail(const struct parser *parser, const char *word, const char *format, ...)
{
    char sentence[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (word == NULL)
        return hpm_error_set(parser->err, "%.200s:%zu: end of line: %s",
                             parser->file->path, parser->line, sentence);
    return hpm_error_set(parser->err, "%.200s:%zu: '%.*s': %s",
                         parser->file->path, parser->line, shown_length(word),
                         word, sentence);
}

static bool
check_text(const struct parser *parser, const char *line, const char *end)
{
    while (line < end) {
        size_t length = hpm_string_character(line);

        if (length == 0)
            return hpm_error_set(parser->err,
                                 "%.200s:%zu: byte 0x%02x: expected text in "
                                 "UTF-8; write the file anew as such",
                                 parser->file->path, parser->line,
                                 (unsigned char)*line);
        line += length;
    }
    return true;
}

/* Read the next line, ended by NUL; *ret_is_end after the last one. */
static bool
next_line(struct parser *parser, bool *ret_is_end)
{
    char *line = parser->next, *end;

    *ret_is_end = line == parser->end;
    if (*ret_is_end)
        return true;
    end = memchr(line, '\n', (size_t)(parser->end - line));
    parser->next = end != NULL ? end + 1 : parser->end;
    if (end == NULL)
        end = parser->end;
    parser->line++;
    if (!check_text(parser, line, end))
        return false;
    *end = '\0';
    parser->rest = line;
    return true;
}

/* The next word of the line, ended by NUL; NULL at the line's end or a
 * comment. */
static char *
next_word(struct parser *parser)
{
    static const char blanks[] = " \t\r";
    char *word = parser->rest + strspn(parser->rest, blanks);

    if (*word == '\0' || *word == '#')
        return NULL;
    parser->rest = word + strcspn(word, blanks);
    if (*parser->rest != '\0')
        *parser->rest++ = '\0';
    return word;
}

static bool
to_number(const char *word, uint64_t *ret_number)
{
    return word[0] >= '0' && word[0] <= '9' && word[1] != 'x' &&
           word[1] != 'X' && hpm_string_to_count(word, ret_number);
}

/* ---- the head -------------------------------------------------------- */

/* Where the unit begins; NULL if there is none.  A PMU's event has two slashes
 * of its own, cpu/event=1/. */
static char *
split_unit(char *word)
{
    size_t n_slashes = 0;
    char *slash = strrchr(word, '/');

    for (const char *c = word; *c != '\0'; c++)
        n_slashes += *c == '/';
    if (n_slashes % 2 == 0)
        return NULL;
    *slash = '\0';
    return slash + 1;
}

static bool
has_comma(const char *name)
{
    bool in_slashes = false;

    for (const char *c = name; *c != '\0'; c++) {
        if (*c == '/')
            in_slashes = !in_slashes;
        if (*c == ',' && !in_slashes)
            return true;
    }
    return false;
}

static bool
is_known(const struct hpm_replayfile *file, const char *name)
{
    for (size_t i = 0; i < file->n_events; i++) {
        if (strcmp(file->events[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool
add_event(struct parser *parser, char *word)
{
    struct hpm_replayfile *file = parser->file;
    struct hpm_replayevent *event = &file->events[file->n_events];
    char *unit;

    if (has_comma(word))
        return fail(parser, word,
                    "expected the name of one event; put blanks "
                    "between names");
    unit = split_unit(word);
    if (word[0] == '\0' || strlen(word) > LONGEST_NAME)
        return fail(parser, word,
                    "expected the name of an event, at most %d "
                    "bytes; shorten it",
                    LONGEST_NAME);
    if (unit != NULL && (unit[0] == '\0' || strlen(unit) > LONGEST_UNIT)) {
        unit[-1] = '/';
        return fail(parser, word,
                    "expected a unit of at most %d bytes after "
                    "the slash; give one or leave out the slash",
                    LONGEST_UNIT);
    }
    if (is_known(file, word))
        return fail(parser, word, "expected each event once; leave it out");
    if (file->n_events == HPM_MAX_EVENTS)
        return fail(parser, word,
                    "expected at most %d events; leave out the "
                    "others",
                    HPM_MAX_EVENTS);
    event->name = hpm_memory_copy_text(word);
    event->unit = hpm_memory_copy_text(unit);
    file->n_events++;
    if (event->name == NULL || (unit != NULL && event->unit == NULL))
        return hpm_error_no_memory(parser->err);
    return true;
}

static bool
parse_head(struct parser *parser, char *word)
{
    if (strcmp(word, "events") != 0)
        return fail(parser, word,
                    "expected 'events' and the names of the "
                    "events; make that the first line");
    parser->has_head = true;
    while ((word = next_word(parser)) != NULL) {
        if (!add_event(parser, word))
            return false;
    }
    return true;
}

/* ---- samples --------------------------------------------------------- */

static bool
parse_tid(struct parser *parser, const char *word, int *ret_tid)
{
    uint64_t number = 0;

    if (strcmp(word, "-1") != 0 &&
        (!to_number(word, &number) || number > HPM_REPLAY_MAX_TID))
        return fail(parser, word,
                    "expected the number of a thread, 0 to %d, or -1 for the "
                    "process; begin the line with it",
                    HPM_REPLAY_MAX_TID);
    *ret_tid = word[0] == '-' ? -1 : (int)number;
    return true;
}

static bool
parse_cell(struct parser *parser, char *word, struct cell *ret_cell)
{
    char *enabled = strchr(word, ':');
    char *running = enabled != NULL ? strchr(enabled + 1, ':') : NULL;
    bool is_good;

    *ret_cell = (struct cell){.kind = GONE};
    if (strcmp(word, "-") == 0)
        return true;
    ret_cell->kind = running != NULL ? SHARED : PLAIN;
    if (running != NULL)
        *enabled = *running = '\0';
    is_good = to_number(word, &ret_cell->count) &&
              (running == NULL || (to_number(enabled + 1, &ret_cell->enabled) &&
                                   to_number(running + 1, &ret_cell->running)));
    if (running != NULL)
        *enabled = *running = ':';
    return is_good || fail(parser, word,
                           "expected a count, count:enabled:running or "
                           "'-'; write integers below 2^64");
}

/* May this value follow `last`, the thread's previous row? */
static bool
check_cell(struct parser *parser, const char *word,
           const struct hpm_replaystream *stream, size_t column,
           const uint64_t *last)
{
    const struct cell *cell = &parser->cells[column];
    const struct hpm_replaycolumn *known = &stream->columns[column];
    const uint64_t *pair;

    if (cell->kind == GONE)
        return true;
    if (known->is_gone)
        return fail(parser, word,
                    "expected '-', for what is gone since line "
                    "%zu does not come back",
                    known->gone_line);
    if (stream->n_samples > 0 && known->is_shared != (cell->kind == SHARED))
        return fail(parser, word,
                    "expected %s, as in the lines before of this "
                    "thread",
                    known->is_shared ? "count:enabled:running"
                                     : "a count alone");
    if (cell->count < last[1 + column])
        return fail(parser, word,
                    "expected at least %llu as in the line "
                    "before of this thread; counts only grow",
                    (unsigned long long)last[1 + column]);
    if (cell->kind == PLAIN)
        return true;
    pair = &last[1 + parser->file->n_events + 2 * column];
    if (cell->enabled < pair[0] || cell->running < pair[1] ||
        cell->running - pair[1] > cell->enabled - pair[0])
        return fail(parser, word,
                    "expected enabled and running to grow from "
                    "%llu and %llu, running by no more than "
                    "enabled",
                    (unsigned long long)pair[0], (unsigned long long)pair[1]);
    return true;
}

static struct hpm_replaystream *
new_stream(const struct hpm_replayfile *file)
{
    struct hpm_replaystream *stream = hpm_memory_new(1, sizeof *stream);

    if (stream == NULL)
        return NULL;
    stream->row_length = 1 + 3 * file->n_events;
    stream->columns =
        hpm_memory_new(file->n_events + 1, sizeof *stream->columns);
    if (stream->columns == NULL) {
        hpm_memory_free(stream);
        return NULL;
    }
    return stream;
}

/* The thread's stream; it is made at the thread's first line. */
static struct hpm_replaystream *
get_stream(struct hpm_replayfile *file, int tid)
{
    size_t index = (size_t)(tid + 1);

    if (!hpm_memory_grow(&file->streams, &file->n_streams, index + 1,
                         sizeof(struct hpm_replaystream *)))
        return NULL;
    if (file->streams[index] == NULL)
        file->streams[index] = new_stream(file);
    return file->streams[index];
}

/* All lines of a thread have the form of its first line. */
static void
learn_columns(struct parser *parser, struct hpm_replaystream *stream)
{
    size_t n = parser->file->n_events;

    for (size_t i = 0; i < n; i++) {
        bool is_shared = parser->cells[i].kind == SHARED;

        stream->columns[i].is_shared = is_shared;
        stream->has_pairs = stream->has_pairs || is_shared;
        parser->file->events[i].is_shared |= is_shared;
    }
    stream->row_length = 1 + (stream->has_pairs ? 3 * n : n);
}

static bool
append_row(struct parser *parser, struct hpm_replaystream *stream,
           uint64_t time)
{
    size_t n = parser->file->n_events;
    uint64_t *row;

    if (!hpm_memory_grow(&stream->rows, &stream->capacity,
                         stream->n_samples + 1,
                         stream->row_length * sizeof *stream->rows))
        return hpm_error_no_memory(parser->err);
    row = stream->rows + stream->n_samples * stream->row_length;
    if (stream->n_samples > 0)
        memcpy(row, row - stream->row_length, stream->row_length * sizeof *row);
    row[0] = time;
    for (size_t i = 0; i < n; i++) {
        const struct cell *cell = &parser->cells[i];
        struct hpm_replaycolumn *column = &stream->columns[i];

        if (cell->kind == GONE && !column->is_gone) {
            column->is_gone = true;
            column->gone_sample = stream->n_samples;
            column->gone_line = parser->line;
        }
        if (cell->kind == GONE)
            continue;
        row[1 + i] = cell->count;
        if (stream->has_pairs) {
            row[1 + n + 2 * i] = cell->enabled;
            row[1 + n + 2 * i + 1] = cell->running;
        }
    }
    stream->n_samples++;
    stream->last_line = parser->line;
    return true;
}

static bool
parse_time(struct parser *parser, const char *word, uint64_t last,
           uint64_t *ret_time)
{
    if (word == NULL || !to_number(word, ret_time))
        return fail(parser, word,
                    "expected the time in nanoseconds; write an "
                    "integer below 2^64 after the thread");
    if (*ret_time < last)
        return fail(parser, word,
                    "expected a time of at least %llu as in the "
                    "line before of this thread; time does not "
                    "run back",
                    (unsigned long long)last);
    return true;
}

static bool
parse_sample(struct parser *parser, char *word)
{
    static const uint64_t zeros[1 + 3 * HPM_MAX_EVENTS];
    const uint64_t *last = zeros;
    size_t n = parser->file->n_events;
    struct hpm_replaystream *stream;
    uint64_t time;
    int tid = 0;

    if (!parse_tid(parser, word, &tid))
        return false;
    stream = get_stream(parser->file, tid);
    if (stream == NULL)
        return hpm_error_no_memory(parser->err);
    if (stream->n_samples > 0)
        last = hpm_replaystream_row(stream, stream->n_samples - 1);
    if (!parse_time(parser, next_word(parser), last[0], &time))
        return false;
    for (size_t i = 0; i < n; i++) {
        word = next_word(parser);
        if (word == NULL)
            return fail(parser, NULL,
                        "expected %zu values after the time, one "
                        "for each event, found %zu; write '-' "
                        "for one that is not there",
                        n, i);
        if (!parse_cell(parser, word, &parser->cells[i]) ||
            !check_cell(parser, word, stream, i, last))
            return false;
    }
    word = next_word(parser);
    if (word != NULL)
        return fail(parser, word,
                    "expected the end of the line after %zu "
                    "values, one for each event; leave it out",
                    n);
    if (stream->n_samples == 0)
        learn_columns(parser, stream);
    return append_row(parser, stream, time);
}

/* ---- the whole file -------------------------------------------------- */

static bool
parse(struct parser *parser)
{
    bool is_end = false;

    while (next_line(parser, &is_end) && !is_end) {
        char *word = next_word(parser);

        if (word != NULL && !(parser->has_head ? parse_sample(parser, word)
                                               : parse_head(parser, word)))
            return false;
    }
    if (is_end && !parser->has_head)
        return hpm_error_set(parser->err,
                             "%.200s: expected a line 'events' "
                             "with the names of the events; "
                             "make that the first line",
                             parser->file->path);
    return is_end;
}

struct hpm_replayfile *
hpm_replayfile_load(const char *path, struct hpm_error *err)
{
    struct parser *parser;
    struct hpm_replayfile *file;
    size_t length;
    char *text = read_file(path, &length, err);
    bool is_good;

    if (text == NULL)
        return NULL;
    parser = hpm_memory_new(1, sizeof *parser);
    file = hpm_memory_new(1, sizeof *file);
    is_good = parser != NULL && file != NULL &&
              (file->path = hpm_memory_copy_text(path)) != NULL;
    if (is_good) {
        *parser = (struct parser){
            .file = file, .next = text, .end = text + length, .err = err};
        is_good = parse(parser);
    } else {
        hpm_error_no_memory(err);
    }
    hpm_memory_free(parser);
    hpm_memory_free(text);
    if (is_good)
        return file;
    hpm_replayfile_free(file);
    return NULL;
}

void
hpm_replayfile_free(struct hpm_replayfile *file)
{
    if (file == NULL)
        return;
    for (size_t i = 0; i < file->n_events; i++) {
        hpm_memory_free(file->events[i].name);
        hpm_memory_free(file->events[i].unit);
    }
    for (size_t i = 0; i < file->n_streams; i++) {
        if (file->streams[i] == NULL)
            continue;
        hpm_memory_free(file->streams[i]->columns);
        hpm_memory_free(file->streams[i]->rows);
        hpm_memory_free(file->streams[i]);
    }
    hpm_memory_free(file->streams);
    hpm_memory_free(file->path);
    hpm_memory_free(file);
}

const struct hpm_replaystream *
hpm_replayfile_stream(const struct hpm_replayfile *file, int tid)
{
    size_t index = (size_t)(tid + 1);

    return tid >= -1 && index < file->n_streams ? file->streams[index] : NULL;
}

const uint64_t *
hpm_replaystream_row(const struct hpm_replaystream *stream, size_t index)
{
    return stream->rows + index * stream->row_length;
}
