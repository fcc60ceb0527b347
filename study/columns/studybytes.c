/* SPDX-License-Identifier: BSD-3-Clause
 * A study as a row of bytes.
 *
 *     version  texts  kind
 *     modules  columns (names)  sampled  tasks  sections  places  rows
 *     numbers: for each series how many rows it has, then runs of rows with
 *              one tag, each with its amounts
 *     chains  hits  kept calls  spreads  sources  files left out  dropped metrics
 *
 * Things are read in the order in which other things name them.  Each function
 * serves both directions; writing works on a shallow copy, whose texts and
 * arrays are those of the study. */
#include "study/columns/studybytes.h"

#include "study/columns/callers.h"
#include "study/columns/calls.h"
#include "study/columns/hits.h"
#include "study/columns/spreads.h"
#include "study/columns/taskstream.h"
#include "study/store/stream.h"

/* Raise it with every change of what is written: the tasks of a job may have
 * been linked with different libraries. */
enum { VERSION = 3 };

/* After reading thing `i`: false ends the list.  Adding must have given it its
 * own place, which it does not if an equal thing is there already. */
static bool
is_placed(struct hpm_stream *stream, uint32_t place, size_t i)
{
    stream->failed = stream->failed || place != i;
    return !stream->failed;
}

/* ---- what others name -------------------------------------------------- */

static void
do_modules(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_modules;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_module module = {0};

        if (!stream->is_reading)
            module = study->modules[i];
        hpm_stream_text(stream, &module.path);
        hpm_stream_text(stream, &module.build_id);
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_hits_add_module(study, &module), i);
    }
}

static void
do_columns(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_columns;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_column column = {0};
        unsigned char kind;

        if (!stream->is_reading)
            column = study->columns[i];
        kind = (unsigned char)column.kind;
        hpm_stream_text(stream, &column.name);
        hpm_stream_text(stream, &column.unit);
        hpm_stream_byte(stream, &kind);
        if (kind > HPM_COLUMN_TIME || column.name == NULL)
            stream->failed = true;
        if (stream->is_reading && !stream->failed)
            is_placed(stream,
                      hpm_study_add_column(study, column.name, column.unit,
                                           (enum hpm_column_kind)kind),
                      i);
    }
}

static void
do_sampled(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_sampled;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_sampled sampled = {0};

        if (!stream->is_reading)
            sampled = study->sampled[i];
        hpm_stream_text(stream, &sampled.name);
        hpm_stream_text(stream, &sampled.domain);
        hpm_stream_text(stream, &sampled.unit);
        hpm_stream_count(stream, &sampled.period);
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_hits_add_sampled(study, &sampled), i);
    }
}

static void
do_tasks(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_tasks;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_task task = {0};

        if (!stream->is_reading)
            task = study->tasks[i];
        hpm_taskstream(stream, study, &task);
        if (!stream->is_reading || stream->failed)
            continue;
        if (is_placed(stream, hpm_study_add_task(study, task.number), i))
            study->tasks[i] = task;
    }
}

static void
do_sections(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_sections;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_section section = {0};
        uint64_t twin;

        if (!stream->is_reading)
            section = study->sections[i];
        twin = section.twin;
        hpm_stream_index(stream, &section.parent, i);
        hpm_stream_count(stream, &twin);
        section.twin = (uint32_t)twin;
        hpm_stream_word(stream, &section.scope, HPM_SCOPE_PROCESS + 1);
        hpm_stream_int(stream, &section.instance);
        hpm_stream_int(stream, &section.line);
        hpm_stream_bool(stream, &section.is_outside);
        hpm_stream_text(stream, &section.label);
        hpm_stream_text(stream, &section.base);
        hpm_stream_text(stream, &section.file);
        if (section.label == NULL || section.base == NULL)
            stream->failed = true;
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_study_add_section(study, &section), i);
    }
}

static void
do_places(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_places;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_place place = {HPM_NO_INDEX, 0};

        if (!stream->is_reading)
            place = study->places[i];
        hpm_stream_index(stream, &place.task, study->n_tasks);
        hpm_stream_int(stream, &place.tid);
        if (place.task == HPM_NO_INDEX)
            stream->failed = true;
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_study_add_place(study, place.task, place.tid),
                      i);
    }
}

/* ---- rows -------------------------------------------------------------- */

static void
do_row(struct hpm_stream *stream, const struct hpm_study *study,
       struct hpm_row *row, size_t n)
{
    uint64_t flags = row->flags;

    hpm_stream_index(stream, &row->section, study->n_sections);
    hpm_stream_index(stream, &row->place, study->n_places);
    hpm_stream_index(stream, &row->parent, n);
    hpm_stream_index(stream, &row->within, n);
    hpm_stream_int(stream, &row->line_end);
    hpm_stream_count(stream, &flags);
    row->flags = (unsigned)flags;
    if (row->section == HPM_NO_INDEX || row->place == HPM_NO_INDEX)
        stream->failed = true;
}

static void
do_rows(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_rows;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_row row = {0};

        if (!stream->is_reading)
            row = *hpm_study_row(study, i);
        do_row(stream, study, &row, n);
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_study_add_row(study, &row), i);
    }
}

/* ---- numbers ----------------------------------------------------------- */

/* How many rows from this one on, below `n`, have its tag. */
static size_t
length_of_run(const struct hpm_series *series, size_t row, size_t n)
{
    unsigned char tag = hpm_series_tag(series, row);
    size_t end = row + 1;

    while (end < n && hpm_series_tag(series, end) == tag)
        end++;
    return end - row;
}

/* The number of one row, which is there; or the text whose address stands in
 * its place. */
static void
do_amount(struct hpm_stream *stream, struct hpm_study *study,
          struct hpm_series *series, size_t row, unsigned char tag,
          bool is_text)
{
    struct hpm_number number = {
        .kind = (enum hpm_number_kind)(tag & HPM_SERIES_KIND)};
    const char *text;

    if (!stream->is_reading)
        number = hpm_series_get(series, row);
    if (is_text) {
        text = (const char *)(uintptr_t)number.amount;
        hpm_stream_text(stream, &text);
        number.amount = (uintptr_t)text;
    } else if (number.kind != HPM_NUMBER_NONE) {
        hpm_stream_amount(stream, number.kind, &number.amount);
    }
    if (stream->is_reading && !stream->failed &&
        !hpm_series_set(series, &study->arena, row, number,
                        (unsigned char)(tag & ~HPM_SERIES_KIND)))
        stream->failed = true;
}

static void
do_series(struct hpm_stream *stream, struct hpm_study *study,
          struct hpm_series *series, bool is_text)
{
    uint64_t n = hpm_series_end(series), length = 0;

    if (n > study->n_rows)
        n = study->n_rows;
    hpm_stream_count(stream, &n);
    if (n > study->n_rows)
        stream->failed = true;
    for (size_t row = 0; row < n && !stream->failed; row += length) {
        unsigned char tag = 0;

        if (!stream->is_reading) {
            tag = hpm_series_tag(series, row);
            length = length_of_run(series, row, n);
        }
        hpm_stream_byte(stream, &tag);
        hpm_stream_count(stream, &length);
        if (length == 0 || length > n - row || !hpm_study_is_tag(tag))
            stream->failed = true;
        for (size_t i = 0; tag != 0 && i < length && !stream->failed; i++)
            do_amount(stream, study, series, row + i, tag, is_text);
    }
}

static void
do_numbers(struct hpm_stream *stream, struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_columns; i++) {
        for (int j = 0; j < HPM_N_FIELDS; j++)
            do_series(stream, study, &study->columns[i].fields[j],
                      j == HPM_FIELD_REASON);
    }
    for (int i = 0; i < HPM_N_EXTRAS; i++)
        do_series(stream, study, &study->extras[i], i >= HPM_N_NUMBER_EXTRAS);
}

/* ---- samples and single calls ------------------------------------------ */

/* A module, or one of the numbers that stand for none (HPM_MODULE_CUT ...). */
static void
do_module(struct hpm_stream *stream, const struct hpm_study *study,
          uint32_t *module)
{
    uint64_t value = *module < HPM_MODULE_CUT
                         ? (uint64_t)*module + 3
                         : (uint64_t)HPM_MODULE_UNKNOWN - *module;

    hpm_stream_count(stream, &value);
    if (value >= 3 && value - 3 >= study->n_modules)
        stream->failed = true;
    if (stream->failed)
        value = 0;
    *module = value < 3 ? (uint32_t)(HPM_MODULE_UNKNOWN - value)
                        : (uint32_t)(value - 3);
}

/* A chain by its number, from 1 on; 0 for none. */
static void
do_chain_number(struct hpm_stream *stream, uint32_t *number, size_t n)
{
    uint32_t index = *number == 0 ? HPM_NO_INDEX : *number - 1;

    hpm_stream_index(stream, &index, n);
    *number = index == HPM_NO_INDEX ? 0 : index + 1;
}

static void
do_chains(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_chains;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_chain chain = {0};

        if (!stream->is_reading)
            chain = study->chains[i];
        do_chain_number(stream, &chain.caller, i);
        do_module(stream, study, &chain.module);
        hpm_stream_count(stream, &chain.offset);
        if (stream->is_reading && !stream->failed)
            is_placed(stream, hpm_callers_add(study, &chain), i + 1);
    }
}

static void
do_hits(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_hits;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_hit hit = {0};

        if (!stream->is_reading)
            hit = study->hits[i];
        hpm_stream_index(stream, &hit.row, study->n_rows);
        hpm_stream_index(stream, &hit.sampled, study->n_sampled);
        do_module(stream, study, &hit.module);
        hpm_stream_count(stream, &hit.offset);
        hpm_stream_count(stream, &hit.n);
        do_chain_number(stream, &hit.chain, study->n_chains);
        if (hit.row == HPM_NO_INDEX || hit.sampled == HPM_NO_INDEX)
            stream->failed = true;
        if (stream->is_reading && !stream->failed && !hpm_hits_add(study, &hit))
            stream->failed = true;
    }
}

static void
do_calls(struct hpm_stream *stream, struct hpm_study *study,
         const struct hpm_study_kept *kept)
{
    size_t n = kept->n;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_call call = {0};

        if (!stream->is_reading)
            call = study->calls[kept->first + i];
        hpm_stream_number(stream, &call.number);
        hpm_stream_number(stream, &call.begin);
        hpm_stream_number(stream, &call.seconds);
        hpm_stream_text(stream, &call.counts);
        if (stream->is_reading && !stream->failed &&
            !hpm_calls_add(study, &call))
            stream->failed = true;
    }
}

static void
do_kept(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_kept;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_kept kept = {0};

        if (!stream->is_reading)
            kept = study->kept[i];
        hpm_stream_index(stream, &kept.row, study->n_rows);
        hpm_stream_number(stream, &kept.n_made);
        hpm_stream_length(stream, &kept.n_counters);
        hpm_taskstream_take_array(stream, study, &kept.counters,
                                  kept.n_counters, sizeof *kept.counters);
        for (size_t j = 0; j < kept.n_counters && !stream->failed; j++)
            hpm_stream_text(stream, &kept.counters[j]);
        if (kept.row == HPM_NO_INDEX)
            stream->failed = true;
        if (stream->is_reading && !stream->failed &&
            !hpm_calls_begin(study, &kept))
            stream->failed = true;
        do_calls(stream, study, &kept);
    }
}

/* ---- spreads ----------------------------------------------------------- */

static void
do_extreme(struct hpm_stream *stream, struct hpm_study_extreme *extreme)
{
    hpm_stream_number(stream, &extreme->value);
    hpm_stream_number(stream, &extreme->task);
    hpm_stream_number(stream, &extreme->thread);
    hpm_stream_text(stream, &extreme->host);
}

static void
do_spreads(struct hpm_stream *stream, struct hpm_study *study)
{
    size_t n = study->n_spreads;

    hpm_stream_length(stream, &n);
    for (size_t i = 0; i < n && !stream->failed; i++) {
        struct hpm_study_spread spread = {0};

        if (!stream->is_reading)
            spread = study->spreads[i];
        hpm_stream_index(stream, &spread.row, study->n_rows);
        hpm_stream_index(stream, &spread.column, study->n_columns);
        hpm_stream_number(stream, &spread.n);
        do_extreme(stream, &spread.low);
        do_extreme(stream, &spread.high);
        hpm_stream_number(stream, &spread.average);
        hpm_stream_number(stream, &spread.deviation);
        hpm_stream_text(stream, &spread.bins);
        hpm_stream_text(stream, &spread.sum);
        hpm_stream_text(stream, &spread.squares);
        hpm_stream_text(stream, &spread.rest);
        hpm_stream_text(stream, &spread.exclusive);
        if (spread.row == HPM_NO_INDEX || spread.column == HPM_NO_INDEX)
            stream->failed = true;
        if (stream->is_reading && !stream->failed &&
            !hpm_spreads_add(study, &spread))
            stream->failed = true;
    }
}

/* ---- where it comes from ----------------------------------------------- */

static void
do_sources(struct hpm_stream *stream, struct hpm_study *study)
{
    hpm_stream_length(stream, &study->n_sources);
    hpm_taskstream_take_array(stream, study, &study->sources, study->n_sources,
                              sizeof *study->sources);
    if (stream->is_reading)
        study->sources_capacity = study->n_sources;
    for (size_t i = 0; i < study->n_sources && !stream->failed; i++) {
        unsigned char side = (unsigned char)study->sources[i].side;

        hpm_stream_text(stream, &study->sources[i].file);
        hpm_stream_byte(stream, &side);
        if (side > HPM_SIDE_B || study->sources[i].file == NULL)
            stream->failed = true;
        study->sources[i].side = (enum hpm_side)side;
    }
}

static void
do_left_out(struct hpm_stream *stream, struct hpm_study *study)
{
    hpm_stream_length(stream, &study->n_left_out);
    hpm_taskstream_take_array(stream, study, &study->left_out,
                              study->n_left_out, sizeof *study->left_out);
    if (stream->is_reading)
        study->left_out_capacity = study->n_left_out;
    for (size_t i = 0; i < study->n_left_out && !stream->failed; i++) {
        hpm_stream_text(stream, &study->left_out[i].file);
        hpm_stream_text(stream, &study->left_out[i].reason);
    }
    hpm_stream_count(stream, &study->n_left_out_more);
    hpm_stream_length(stream, &study->n_dropped);
    hpm_taskstream_take_array(stream, study, &study->dropped, study->n_dropped,
                              sizeof *study->dropped);
    if (stream->is_reading)
        study->dropped_capacity = study->n_dropped;
    for (size_t i = 0; i < study->n_dropped && !stream->failed; i++)
        hpm_stream_text(stream, &study->dropped[i]);
}

/* ---- all --------------------------------------------------------------- */

static void
do_study(struct hpm_stream *stream, struct hpm_study *study)
{
    unsigned char version = VERSION, kind = (unsigned char)study->kind;

    hpm_stream_byte(stream, &version);
    if (version != VERSION)
        stream->failed = true;
    hpm_stream_names(stream);
    hpm_stream_byte(stream, &kind);
    if (kind > HPM_STUDY_SUMMARY)
        stream->failed = true;
    study->kind = (enum hpm_study_kind)kind;
    do_modules(stream, study);
    do_columns(stream, study);
    do_sampled(stream, study);
    do_tasks(stream, study);
    do_sections(stream, study);
    do_places(stream, study);
    do_rows(stream, study);
    do_numbers(stream, study);
    do_chains(stream, study);
    do_hits(stream, study);
    do_kept(stream, study);
    do_spreads(stream, study);
    do_sources(stream, study);
    do_left_out(stream, study);
}

bool
hpm_studybytes_write(const struct hpm_study *study,
                     struct hpm_string *ret_bytes, struct hpm_error *err)
{
    struct hpm_study view = *study;
    struct hpm_stream stream;

    hpm_stream_begin_writing(&stream, &view.names);
    stream.bytes = *ret_bytes;
    do_study(&stream, &view);
    *ret_bytes = stream.bytes;
    return !stream.failed || hpm_error_no_memory(err);
}

struct hpm_study *
hpm_studybytes_read(const void *bytes, size_t length, size_t most_bytes,
                    struct hpm_error *err)
{
    struct hpm_study *study = hpm_study_new(most_bytes);
    struct hpm_stream stream;

    if (study == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    hpm_stream_begin_reading(&stream, bytes, length, &study->names);
    do_study(&stream, study);
    if (!stream.failed && stream.at == stream.end)
        return study;
    hpm_study_free(study);
    hpm_error_set(err, "what another task sent cannot be used: memory ran out, "
                       "or it is linked with another version of libhpm_mpi");
    return NULL;
}
