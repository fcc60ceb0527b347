/* SPDX-License-Identifier: BSD-3-Clause
 * A study as a performance file. */
#include "study/file/studyfile.h"

#include <stdio.h>
#include <string.h>

#include "study/columns/calls.h"
#include "study/columns/hits.h"
#include "study/columns/lacks.h"
#include "study/columns/watched.h"
#include "study/columns/spreads.h"
#include "study/file/filecallers.h"
#include "study/file/format.h"

/* Bytes collected before they are written to the disk. */
enum { FLUSH_BYTES = 1 << 16 };

struct writer {
    const struct hpm_study *study;
    struct hpm_string *text;
    hpm_studyfile_put *put; /* NULL: all text stays in `text` */
    void *owner;
    size_t first_id; /* of the task being written */
};

static void
flush(struct writer *writer, size_t at_least)
{
    if (writer->put == NULL || writer->text->length < at_least)
        return;
    writer->put(writer->owner, hpm_string_text(writer->text),
                writer->text->length);
    hpm_string_clear(writer->text);
}

static void
add_element(struct writer *writer, const char *indent,
            enum hpm_format_name element, const void *values, const char *end)
{
    hpm_string_add(writer->text, indent);
    hpm_string_add_char(writer->text, '<');
    hpm_string_add(writer->text, hpm_format_elements[element].name);
    hpm_format_add(writer->text, element, values);
    hpm_string_add(writer->text, end);
}

/* The file of one run has the facts about its task in the root element. */
static bool
is_result(const struct writer *writer)
{
    return writer->study->kind != HPM_STUDY_RUN;
}

/* ---- the head -------------------------------------------------------- */

static size_t
count_tasks(const struct hpm_study *study, enum hpm_answer is_complete)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_tasks; i++)
        n += study->tasks[i].is_complete == is_complete;
    return n;
}

/* A summary knows only whether one of its tasks is incomplete. */
static void
describe_incomplete(const struct hpm_study *study, size_t n_incomplete,
                    char *ret_reason, size_t size)
{
    if (study->kind == HPM_STUDY_SUMMARY)
        snprintf(ret_reason, size, "one or more of %zu tasks are incomplete",
                 hpm_study_count_tasks(study));
    else
        snprintf(ret_reason, size, "%zu of %zu tasks are incomplete",
                 n_incomplete, study->n_tasks);
}

static void
write_root(struct writer *writer)
{
    const struct hpm_study *study = writer->study;
    struct hpm_format_file file = {.version = "1",
                                   .kind = (int)study->kind + 1};
    size_t n_incomplete = count_tasks(study, HPM_NO);
    uint64_t n_left_out = hpm_lacks_count(study);
    char reason[80];

    if (!is_result(writer) && study->n_tasks > 0) {
        file.complete = (int)study->tasks[0].is_complete;
        file.reason = study->tasks[0].reason;
    } else if (n_incomplete > 0) {
        describe_incomplete(study, n_incomplete, reason, sizeof reason);
        file.complete = HPM_NO;
        file.reason = reason;
    } else if (n_left_out > 0) {
        snprintf(reason, sizeof reason, "%llu file%s left out",
                 (unsigned long long)n_left_out,
                 n_left_out == 1 ? " was" : "s were");
        file.complete = HPM_NO;
        file.reason = reason;
    } else if (count_tasks(study, HPM_YES) == study->n_tasks) {
        file.complete = HPM_YES;
    }
    add_element(writer, "", HPM_FORMAT_FILE, &file, ">\n");
}

static void
write_sources(struct writer *writer)
{
    const struct hpm_study *study = writer->study;

    if (!is_result(writer))
        return;
    add_element(writer, "  ", HPM_FORMAT_SOURCES, NULL, ">\n");
    for (size_t i = 0; i < study->n_sources; i++)
        add_element(writer, "    ", HPM_FORMAT_SOURCE, &study->sources[i],
                    "/>\n");
    for (size_t i = 0; i < study->n_left_out; i++)
        add_element(
            writer, "    ", HPM_FORMAT_LEFT_OUT,
            &(struct hpm_format_left_out){study->left_out[i], {.amount = 0}},
            "/>\n");
    if (study->n_left_out_more > 0)
        add_element(writer, "    ", HPM_FORMAT_LEFT_OUT,
                    &(struct hpm_format_left_out){
                        .count = hpm_number_count(study->n_left_out_more)},
                    "/>\n");
    hpm_string_add(writer->text, "  </Sources>\n");
}

static void
write_run(struct writer *writer, const struct hpm_task *task)
{
    struct hpm_format_run run = {.task = hpm_number_integer(task->number),
                                 .program = task->program,
                                 .job = task->job,
                                 .pid = task->pid,
                                 .forked_from = task->forked_from,
                                 .start = task->start,
                                 .seconds = task->seconds,
                                 .exit = task->exit,
                                 .tool = task->tool,
                                 .n_runs = task->n_runs,
                                 .only = task->only,
                                 .except = task->except,
                                 .n_skipped = task->n_skipped,
                                 .members = task->members,
                                 .n_members = task->n_members,
                                 .dims = task->dims,
                                 .periods = task->periods,
                                 .coords = task->coords,
                                 .degrees = task->degrees,
                                 .sources = task->sources,
                                 .destinations = task->destinations};

    if (is_result(writer)) {
        run.complete = (int)task->is_complete;
        run.reason = task->reason;
    } else if (!task->has_run) {
        return;
    }
    add_element(writer, "  ", HPM_FORMAT_RUN, &run, ">\n");
    for (size_t i = 0; i < task->n_resources; i++)
        add_element(writer, "    ", HPM_FORMAT_RESOURCE, &task->resources[i],
                    "/>\n");
    hpm_string_add(writer->text, "  </Run>\n");
    flush(writer, FLUSH_BYTES);
}

static void
write_machine(struct writer *writer, const struct hpm_task *task)
{
    if (!task->has_machine)
        return;
    add_element(writer, "  ", HPM_FORMAT_MACHINE,
                &(struct hpm_format_machine){hpm_number_integer(task->number),
                                             task->machine},
                "/>\n");
    flush(writer, FLUSH_BYTES);
}

static void
write_counters(struct writer *writer, const struct hpm_task *task)
{
    if (!task->has_counters)
        return;
    add_element(writer, "  ", HPM_FORMAT_COUNTERS,
                &(struct hpm_format_counters){hpm_number_integer(task->number)},
                ">\n");
    for (size_t i = 0; i < task->n_counters; i++)
        add_element(writer, "    ", HPM_FORMAT_COUNTER, &task->counters[i],
                    "/>\n");
    hpm_string_add(writer->text, "  </Counters>\n");
    flush(writer, FLUSH_BYTES);
}

static void
write_calibrations(struct writer *writer, const struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_calibrations; i++) {
        const struct hpm_task_calibration *calibration = &task->calibrations[i];

        add_element(writer, "  ", HPM_FORMAT_CALIBRATION,
                    &(struct hpm_format_calibration){
                        hpm_number_integer(task->number), *calibration},
                    ">\n");
        for (size_t j = 0; j < calibration->n_costs; j++)
            add_element(writer, "    ", HPM_FORMAT_COST, &calibration->costs[j],
                        "/>\n");
        hpm_string_add(writer->text, "  </Calibration>\n");
        flush(writer, FLUSH_BYTES);
    }
}

static void
write_problems(struct writer *writer, const struct hpm_task *task)
{
    for (size_t i = 0; i < task->n_problems; i++) {
        struct hpm_format_problem problem = {.said = task->problems[i]};

        if (is_result(writer))
            problem.task = hpm_number_integer(task->number);
        add_element(writer, "  ", HPM_FORMAT_PROBLEM, &problem, "/>\n");
    }
    flush(writer, FLUSH_BYTES);
}

/* ---- samples --------------------------------------------------------- */

static void
write_profile(struct writer *writer, const struct hpm_task *task)
{
    const struct hpm_study *study = writer->study;

    if (task->n_sampled == 0)
        return;
    add_element(writer, "  ", HPM_FORMAT_PROFILE,
                &(struct hpm_format_profile){hpm_number_integer(task->number)},
                ">\n");
    for (size_t i = 0; i < task->n_sampled; i++)
        add_element(writer, "    ", HPM_FORMAT_SAMPLED, &task->sampled[i],
                    "/>\n");
    for (size_t i = 0; i < task->n_modules; i++) {
        struct hpm_format_module module = {hpm_number_count(i + 1),
                                           study->modules[task->modules[i]]};

        if (module.said.build_id[0] == '\0')
            module.said.build_id = NULL;
        add_element(writer, "    ", HPM_FORMAT_MODULE, &module, "/>\n");
    }
    hpm_string_add(writer->text, "  </Profile>\n");
    flush(writer, FLUSH_BYTES);
}

/* A module's number in the list of its task. */
static struct hpm_number
number_of_module(const struct hpm_task *task, uint32_t module)
{
    uint64_t number = hpm_filecallers_module(task, module);

    return number > 0 ? hpm_number_count(number) : (struct hpm_number){0};
}

static void
write_at(struct writer *writer, const struct hpm_task *task,
         const struct hpm_study_hit *hit)
{
    struct hpm_string callers = {0};
    struct hpm_format_at at = {number_of_module(task, hit->module),
                               hpm_number_count(hit->offset),
                               hpm_number_count(hit->n), NULL};

    hpm_filecallers_add(&callers, writer->study, task, hit->chain);
    if (hit->chain != 0)
        at.callers = hpm_string_text(&callers);
    add_element(writer, "      ", HPM_FORMAT_AT, &at, "/>\n");
    hpm_string_finish(&callers, &writer->text->failed);
}

/* Does the task have several events of this name? */
static bool
is_of_several(const struct hpm_task *task,
              const struct hpm_study_sampled *sampled)
{
    size_t n = 0;

    for (size_t i = 0; i < task->n_sampled; i++)
        n += task->sampled[i].name == sampled->name;
    return n > 1;
}

/* Write `n` hits of one event. */
static void
write_samples(struct writer *writer, const struct hpm_task *task,
              const struct hpm_study_hit *hits, size_t n)
{
    const struct hpm_study_sampled *sampled =
        &writer->study->sampled[hits->sampled];
    struct hpm_format_samples samples = {.name = sampled->name};
    uint64_t n_taken, n_lost;

    hpm_hits_sum(hits, n, hits->sampled, &n_taken, &n_lost);
    if (is_of_several(task, sampled)) {
        samples.domain = sampled->domain;
        samples.period = hpm_number_count(sampled->period);
    }
    samples.n_taken = hpm_number_count(n_taken);
    if (n_lost > 0)
        samples.n_lost = hpm_number_count(n_lost);
    add_element(writer, "    ", HPM_FORMAT_SAMPLES, &samples, ">\n");
    for (size_t i = 0; i < n; i++) {
        if (hits[i].module != HPM_MODULE_LOST)
            write_at(writer, task, &hits[i]);
    }
    hpm_string_add(writer->text, "    </samples>\n");
}

static void
write_hits(struct writer *writer, const struct hpm_task *task, uint32_t row)
{
    const struct hpm_study_hit *hits;
    size_t n = hpm_hits_of(writer->study, row, &hits), end;

    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && hits[end].sampled == hits[i].sampled;)
            end++;
        write_samples(writer, task, hits + i, end - i);
    }
}

/* ---- single calls ---------------------------------------------------- */

static void
write_draw(struct writer *writer, const struct hpm_study_kept *kept)
{
    const struct hpm_study_call *calls = writer->study->calls + kept->first;
    struct hpm_format_calls head = {kept->n_made, hpm_number_count(kept->n)};

    add_element(writer, "    ", HPM_FORMAT_CALLS, &head, ">\n");
    for (size_t i = 0; i < kept->n_counters; i++)
        add_element(writer, "      ", HPM_FORMAT_COUNTED,
                    &(struct hpm_format_counted){kept->counters[i]}, "/>\n");
    for (size_t i = 0; i < kept->n; i++) {
        add_element(writer, "      ", HPM_FORMAT_CALL,
                    &(struct hpm_format_call){calls[i]}, "/>\n");
        flush(writer, FLUSH_BYTES);
    }
    hpm_string_add(writer->text, "    </calls>\n");
}

static void
write_calls(struct writer *writer, uint32_t row)
{
    const struct hpm_study_kept *kept;
    size_t n = hpm_calls_of(writer->study, row, &kept);

    for (size_t i = 0; i < n; i++)
        write_draw(writer, &kept[i]);
}

/* ---- spreads --------------------------------------------------------- */

static void
write_spreads(struct writer *writer, const struct hpm_task *task, uint32_t row)
{
    for (size_t i = 0; i < task->n_columns; i++) {
        uint32_t index = task->columns[i];
        const struct hpm_column *column = &writer->study->columns[index];
        const struct hpm_study_spread *spread =
            hpm_spreads_find(writer->study, row, index);

        if (spread != NULL)
            add_element(writer, "    ", HPM_FORMAT_SPREAD,
                        &(struct hpm_format_spread){column->name, column->unit,
                                                    column->kind, *spread},
                        "/>\n");
    }
}

/* ---- the records ----------------------------------------------------- */

/* Data without a kind in the input file are written without a kind. */
static void
write_datum(struct writer *writer, const struct hpm_column *column,
            const struct hpm_datum *datum)
{
    struct hpm_format_data data = {
        .name = column->name,
        .unit = column->unit,
        .datum = *datum,
        .kind = column->kind,
        .state = datum->state != HPM_STATE_COUNTED ? (int)datum->state + 1 : 0,
        .disp = datum->is_hidden ? HPM_FORMAT_FALSE : 0,
        .children = datum->numbers[HPM_FIELD_CHILDREN].kind != HPM_NUMBER_NONE,
        .partial = datum->numbers[HPM_FIELD_PARTIAL].kind != HPM_NUMBER_NONE
                       ? HPM_FORMAT_YES
                       : 0,
        .spread = datum->numbers[HPM_FIELD_BOUNDS].kind != HPM_NUMBER_NONE};

    add_element(writer, "    ", HPM_FORMAT_DATA, &data, "/>\n");
}

static struct hpm_number
id_of(const struct writer *writer, const struct hpm_task *task, uint32_t row)
{
    if (row == HPM_NO_INDEX)
        return (struct hpm_number){0};
    return hpm_number_count(writer->first_id + (row - task->first_row));
}

static void
write_record_head(struct writer *writer, const struct hpm_task *task,
                  uint32_t i)
{
    const struct hpm_study *study = writer->study;
    const struct hpm_row *row = hpm_study_row(study, i);
    const struct hpm_study_section *section = &study->sections[row->section];
    const char *file = hpm_study_text(study, i, HPM_EXTRA_FILE);
    struct hpm_string lid = {0};
    unsigned flags = row->flags;
    struct hpm_format_record record = {
        .label = section->label,
        .module = hpm_study_text(study, i, HPM_EXTRA_MODULE),
        .file = file != NULL ? file : section->file,
        .tid = hpm_number_integer(study->places[row->place].tid),
        .task = hpm_number_integer(task->number),
        .line_start = hpm_number_integer(section->line),
        .line_end = hpm_number_integer(row->line_end),
        .instance = hpm_number_integer(section->instance),
        .id = id_of(writer, task, i),
        .parent = id_of(writer, task, row->parent),
        .within = id_of(writer, task, row->within),
        .disp = flags & HPM_ROW_HIDDEN ? HPM_FORMAT_FALSE : HPM_FORMAT_TRUE,
        .scope = section->scope + 1,
        .open = flags & HPM_ROW_OPEN ? HPM_YES : HPM_UNSAID,
        .is_short = flags & HPM_ROW_SHORT ? HPM_YES : HPM_UNSAID,
        .overlap = flags & HPM_ROW_OVERLAP ? HPM_YES : HPM_UNSAID,
        .via = hpm_watched_get(study, i).via,
        .measured = flags & HPM_ROW_FIRST_CALLS ? HPM_MEASURED_FIRST_CALLS
                                                : HPM_MEASURED_ALL,
        .side = flags & HPM_ROW_SIDE_A   ? HPM_SIDE_A
                : flags & HPM_ROW_SIDE_B ? HPM_SIDE_B
                                         : HPM_SIDE_BOTH};

    for (int j = 0; j < HPM_N_NUMBER_EXTRAS; j++)
        record.extras[j] = hpm_study_extra(study, i, (enum hpm_extra)j);
    if (section->base[0] != '\0')
        hpm_string_add_format(&lid, "%s%d", section->base, section->line);
    else
        hpm_string_add(&lid, section->label);
    record.lid = hpm_string_text(&lid);
    add_element(writer, "  ",
                section->is_outside ? HPM_FORMAT_OUTSIDE : HPM_FORMAT_RECORD,
                &record, ">\n");
    hpm_string_finish(&lid, &writer->text->failed);
}

static void
write_records(struct writer *writer, const struct hpm_task *task)
{
    const struct hpm_study *study = writer->study;
    struct hpm_datum datum;

    for (size_t i = 0; i < task->n_rows; i++) {
        uint32_t row = (uint32_t)(task->first_row + i);
        bool is_outside;

        is_outside = hpm_study_section_of(study, row)->is_outside;
        write_record_head(writer, task, row);
        for (size_t j = 0; j < task->n_columns; j++) {
            if (hpm_study_get_datum(study, row, task->columns[j], &datum))
                write_datum(writer, &study->columns[task->columns[j]], &datum);
        }
        write_hits(writer, task, row);
        write_calls(writer, row);
        write_spreads(writer, task, row);
        hpm_string_add(writer->text, is_outside ? "  </Outside>\n"
                                                : "  </InstrumentationPt>\n");
        flush(writer, FLUSH_BYTES);
    }
    writer->first_id += task->n_rows;
}

/* ---- the file -------------------------------------------------------- */

static void
write_each(struct writer *writer,
           void (*write)(struct writer *, const struct hpm_task *))
{
    for (size_t i = 0; i < writer->study->n_tasks; i++)
        write(writer, &writer->study->tasks[i]);
}

static void
write_all(struct writer *writer)
{
    hpm_string_add(writer->text,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    write_root(writer);
    write_sources(writer);
    write_each(writer, write_run);
    write_each(writer, write_machine);
    write_each(writer, write_counters);
    write_each(writer, write_calibrations);
    write_each(writer, write_problems);
    write_each(writer, write_profile);
    writer->first_id = 1;
    write_each(writer, write_records);
    add_element(
        writer, "  ", HPM_FORMAT_END,
        &(struct hpm_format_end){hpm_number_count(writer->study->n_rows)},
        "/>\n</HPMPerformanceFile>\n");
}

bool
hpm_studyfile_write_to(const struct hpm_study *study, hpm_studyfile_put *put,
                       void *owner, struct hpm_error *err)
{
    struct hpm_string text = {0};
    struct writer writer = {
        .study = study, .text = &text, .put = put, .owner = owner};
    bool is_good;

    write_all(&writer);
    flush(&writer, 0);
    is_good = !text.failed;
    hpm_string_free(&text);
    return is_good || hpm_error_no_memory(err);
}

static void
put_out(void *owner, const char *bytes, size_t length)
{
    hpm_output_write(owner, bytes, length);
}

bool
hpm_studyfile_write(const struct hpm_study *study, struct hpm_output *output,
                    struct hpm_error *err)
{
    return hpm_studyfile_write_to(study, put_out, output, err);
}

void
hpm_studyfile_print(const struct hpm_study *study, struct hpm_string *string)
{
    struct writer writer = {.study = study, .text = string};

    write_all(&writer);
}
