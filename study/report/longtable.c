/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as one long table, for CSV and JSON. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "model/experiment.h"
#include "study/columns/lacks.h"
#include "study/report/entrynumbers.h"
#include "study/report/format.h"
#include "study/report/report.h"
#include "study/report/shown.h"
#include "study/report/surveyhints.h"

/* A column with one number, or consecutive columns of several numbers. */
struct column {
    const char *name; /* NULL: the names of the numbers */
    enum hpm_entry_number first, last;
};

/* The first columns are those of a report at run time. */
static const struct column columns[] = {
    {.name = "section"},
    {.name = "path"},
    {.name = "inst"},
    {.name = "file"},
    {.name = "linestart"},
    {.name = "lineend"},
    {.name = "scope"},
    {.name = "task"},
    {.name = "thread"},
    {.name = "metric"},
    {.name = "kind"},
    {.name = "unit"},
    {NULL, HPM_ENTRY_VALUE, HPM_ENTRY_SDEV},
    {.name = "state"},
    {NULL, HPM_ENTRY_SHARE, HPM_ENTRY_RUNS},
    {.name = "verdict"},
    {.name = "remarks"},
    {.name = "reason"},
    {NULL, HPM_ENTRY_PART, HPM_ENTRY_BASE},
    {.name = "time_share"},
    {NULL, HPM_ENTRY_THREADS, HPM_ENTRY_TASK_IMBALANCE},
    {.name = "section_share"},
    {NULL, HPM_ENTRY_JUDGED, HPM_ENTRY_UNCERTAINTY},
    {.name = "hint"},
    {.name = "explained"},
};

static void
add_columns(struct hpm_table *table)
{
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        const struct column *column = &columns[i];

        if (column->name != NULL)
            hpm_table_add_column(table, column->name, NULL, 3);
        else
            hpm_table_add_columns(table, hpm_entrynumbers_names + column->first,
                                  column->last - column->first + 1u, 3);
    }
}

/* The table may have millions of rows, so it is formatted in pieces. */
struct records {
    struct hpm_string *string;
    struct hpm_table *table; /* the present piece */
    bool is_json;
    size_t n_rows; /* formatted before */
    struct hpm_survey *survey;
    const struct hpm_view_options *options;
    bool has_hints;
    size_t subject;
    const struct hpm_entry *entry; /* being added; NULL: the row of a thread */
    struct hpm_string label, path;
};

static void
add_number(struct hpm_table *table, struct hpm_number number)
{
    if (number.kind == HPM_NUMBER_COUNT)
        hpm_table_add_count(table, number.amount);
    else if (number.kind == HPM_NUMBER_MINUS &&
             number.amount <= (uint64_t)INT64_MAX)
        hpm_table_add_integer(table, -(int64_t)number.amount);
    else
        hpm_table_add_real(table, hpm_number_to_real(number));
}

enum { PIECE = 4096 }; /* cells */

static void
format(struct records *records)
{
    if (records->is_json)
        hpm_json_add_rows(records->string, records->table,
                          records->n_rows == 0);
    else
        hpm_csv_add_rows(records->string, records->table);
    records->n_rows += hpm_table_rows(records->table);
    records->string->failed |= records->table->failed;
    hpm_table_empty(records->table);
}

/* ---- one row --------------------------------------------------------- */

static bool
has_paths(const struct hpm_survey *survey)
{
    return survey->options.grouping == HPM_GROUP_PATHS;
}

static void
add_who(struct records *records, const struct hpm_line *line)
{
    const struct hpm_subject *subject =
        &records->survey->subjects[records->subject];
    const struct hpm_study_section *section =
        &records->survey->study->sections[subject->section];
    bool is_file = records->options->view == HPM_VIEW_FILE;
    struct hpm_table *table = records->table;

    if (table->n_cells > PIECE)
        format(records);
    hpm_table_add_text(table, is_file ? "" : hpm_string_text(&records->label));
    if (has_paths(records->survey))
        hpm_table_add_text(table, hpm_string_text(&records->path));
    else
        hpm_table_add_none(table);
    if (is_file) {
        hpm_table_add_nones(table, 1);
        hpm_table_add_text(table, section->base);
        hpm_table_add_nones(table, 2);
    } else {
        hpm_table_add_integer(table, section->instance);
        hpm_table_add_text(table, section->file);
        hpm_table_add_integer(table, section->line);
        hpm_table_add_integer(table, subject->line_end);
    }
    hpm_table_add_text(table, hpm_scope_name((enum hpm_scope)section->scope));
    if (line->has_task)
        hpm_table_add_integer(table, line->task);
    else
        hpm_table_add_none(table);
    if (line->has_thread)
        hpm_table_add_integer(table, line->tid);
    else
        hpm_table_add_none(table);
}

static void
add_what(struct hpm_table *table, const struct hpm_quantity *quantity)
{
    static const char *const kinds[] = {
        [HPM_QUANTITY_CALLS] = "counter",  [HPM_QUANTITY_EXCLUSIVE] = "time",
        [HPM_QUANTITY_INCLUSIVE] = "time", [HPM_QUANTITY_COUNTER] = "counter",
        [HPM_QUANTITY_METRIC] = "metric",  [HPM_QUANTITY_RECORDED] = "metric",
    };

    hpm_table_add_text(table, quantity->name);
    hpm_table_add_text(table, kinds[quantity->kind]);
    hpm_table_add_text(table, quantity->unit);
}

/* Is the value a mean with an unknown spread over runs? */
static bool
lacks_spread(const struct hpm_figure *figure)
{
    return figure->value.kind != HPM_NUMBER_NONE &&
           figure->runs.kind != HPM_NUMBER_NONE &&
           figure->run_dev.kind == HPM_NUMBER_NONE;
}

/* The words that apply: "partial doubtful short open overlap outside hidden
 * only-in-a". */
static void
add_remarks(struct records *records, const struct hpm_quantity *quantity,
            const struct hpm_figure *figure)
{
    unsigned flags = records->survey->subjects[records->subject].flags;
    const struct {
        bool holds;
        const char *word;
    } remarks[] = {
        {figure->is_partial, "partial"},
        {figure->doubt != HPM_DOUBT_NONE, "doubtful"},
        {(flags & HPM_ROW_SHORT) != 0, "short"},
        {(flags & HPM_ROW_OPEN) != 0, "open"},
        {(flags & HPM_ROW_OVERLAP) != 0, "overlap"},
        {hpm_survey_is_outside(records->survey, records->subject), "outside"},
        {quantity->is_hidden, "hidden"},
        {(flags & HPM_ROW_SIDE_A) != 0, "only-in-a"},
        {(flags & HPM_ROW_SIDE_B) != 0, "only-in-b"},
        {figure->is_run_bound, "run-bounds"},
        {lacks_spread(figure), "no-run-spread"},
    };
    struct hpm_string words = {0};

    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
        if (remarks[i].holds)
            hpm_string_add_format(&words, "%s%s", words.length > 0 ? " " : "",
                                  remarks[i].word);
    }
    hpm_table_add_string(records->table, &words);
}

/* Task and thread: "2.1". */
static void
add_place(struct hpm_table *table, const struct hpm_study *study, size_t place)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "%d.%d",
                          study->tasks[study->places[place].task].number,
                          study->places[place].tid);
    hpm_table_add_string(table, &text);
}

/* Of a summary, whose places are not those of the study; NULL: no place. */
static void
add_extreme(struct hpm_table *table, const struct hpm_study_extreme *extreme)
{
    struct hpm_string text = {0};

    if (extreme == NULL || extreme->task.kind == HPM_NUMBER_NONE) {
        hpm_table_add_none(table);
        return;
    }
    hpm_number_add(&text, extreme->task);
    hpm_string_add_char(&text, '.');
    hpm_number_add(&text, extreme->thread);
    hpm_table_add_string(table, &text);
}

static void
add_numbers(struct records *records, const struct hpm_number *numbers,
            enum hpm_entry_number first, enum hpm_entry_number last)
{
    for (int i = (int)first; i <= (int)last; i++) {
        bool is_place = i == HPM_ENTRY_THREAD_MIN_AT ||
                        i == HPM_ENTRY_THREAD_MAX_AT || i == HPM_ENTRY_WORST_AT;

        if (records->entry != NULL && i == HPM_ENTRY_THREAD_MIN_AT &&
            records->entry->low != NULL)
            add_extreme(records->table, records->entry->low);
        else if (records->entry != NULL && i == HPM_ENTRY_THREAD_MAX_AT &&
                 records->entry->high != NULL)
            add_extreme(records->table, records->entry->high);
        else if (is_place && numbers[i].kind != HPM_NUMBER_NONE)
            add_place(records->table, records->survey->study,
                      (size_t)numbers[i].amount);
        else
            add_number(records->table, numbers[i]);
    }
}

/* Add a figure, after the cells of its section and thread. shares[] are NAN
 * where there is no share: for a single thread, and for all but exclusive
 * time. */
static void
add_figure(struct records *records, const struct hpm_quantity *quantity,
           const struct hpm_figure *figure, const struct hpm_number *numbers,
           const double shares[2])
{
    struct hpm_table *table = records->table;
    struct hpm_string reason = {0};

    add_what(table, quantity);
    add_numbers(records, numbers, HPM_ENTRY_VALUE, HPM_ENTRY_SDEV);
    hpm_table_add_text(table, hpm_state_name(figure->state));
    add_numbers(records, numbers, HPM_ENTRY_SHARE, HPM_ENTRY_RUNS);
    hpm_table_add_text_or_none(table, hpm_verdict_name(figure->verdict));
    add_remarks(records, quantity, figure);
    hpm_shown_add_reason(&reason, figure);
    hpm_table_add_text_or_none(table, hpm_string_text(&reason));
    add_numbers(records, numbers, HPM_ENTRY_PART, HPM_ENTRY_BASE);
    hpm_table_add_real(table, shares[0]);
    add_numbers(records, numbers, HPM_ENTRY_THREADS, HPM_ENTRY_TASK_IMBALANCE);
    hpm_table_add_real(table, shares[1]);
    add_numbers(records, numbers, HPM_ENTRY_JUDGED, HPM_ENTRY_UNCERTAINTY);
    hpm_string_finish(&reason, &table->failed);
}

static void
add_entry(struct records *records, const struct hpm_entry *entry)
{
    const struct hpm_survey *survey = records->survey;
    const struct hpm_subject *subject = &survey->subjects[records->subject];
    const struct hpm_quantity *quantity = &survey->quantities[entry->quantity];
    bool is_own_time = quantity->kind == HPM_QUANTITY_EXCLUSIVE;
    double shares[2] = {is_own_time ? subject->share : NAN,
                        is_own_time ? subject->section_share : NAN};
    struct hpm_line line = {.survey = survey, .subject = records->subject};
    struct hpm_number numbers[HPM_N_ENTRY_NUMBERS];

    if (entry->figure.is_renamed)
        return;
    hpm_entrynumbers_of_entry(numbers, survey, entry);
    add_who(records, &line);
    records->entry = entry;
    add_figure(records, quantity, &entry->figure, numbers, shares);
    records->entry = NULL;
    if (records->has_hints)
        hpm_surveyhints_add_mark(records->table, survey, records->subject,
                                 entry->quantity);
    else
        hpm_table_add_nones(records->table, 2);
}

/* ---- all rows -------------------------------------------------------- */

static void
add_cell(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct records *records = owner;
    const struct hpm_survey *survey = records->survey;
    const struct hpm_study *study = survey->study;
    struct hpm_study_place place = *hpm_study_place_of(study, row);
    struct hpm_line line = {.survey = survey,
                            .subject = records->subject,
                            .figures = figures,
                            .task = study->tasks[place.task].number,
                            .tid = place.tid,
                            .has_task = true,
                            .has_thread =
                                records->options->view == HPM_VIEW_THREAD};
    struct hpm_number numbers[HPM_N_ENTRY_NUMBERS];

    if (!hpm_line_filter_wants(records->options->filter, &line))
        return;
    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (!figures[i].is_present ||
            hpm_subject_repeats(&survey->subjects[records->subject], i,
                                &figures[i]))
            continue;
        hpm_entrynumbers_of_figure(numbers, &survey->quantities[i],
                                   &figures[i]);
        add_who(records, &line);
        add_figure(records, &survey->quantities[i], &figures[i], numbers,
                   (const double[]){NAN, NAN});
        hpm_table_add_nones(records->table, 2);
    }
}

static void
name_subject(struct records *records, size_t subject)
{
    records->subject = subject;
    hpm_string_clear(&records->label);
    hpm_string_clear(&records->path);
    hpm_survey_add_label(records->survey, subject, &records->label);
    if (has_paths(records->survey))
        hpm_survey_add_path(records->survey, subject, &records->path);
}

static void
add_subject(struct records *records, size_t subject)
{
    const struct hpm_subject *here = &records->survey->subjects[subject];

    name_subject(records, subject);
    if (records->options->view == HPM_VIEW_TASK)
        hpm_survey_visit_tasks(records->survey, subject, add_cell, records);
    else if (records->options->view == HPM_VIEW_THREAD)
        hpm_survey_visit_threads(records->survey, subject, add_cell, records);
    else
        for (size_t i = 0; i < here->n_entries; i++)
            add_entry(records, &here->entries[i]);
}

/* The same rows, sorted by quantity. */
static void
add_by_metric(struct records *records, const struct hpm_lineup *lineup)
{
    for (size_t i = 0; i < records->survey->n_quantities; i++) {
        for (size_t j = 0; j < lineup->n; j++) {
            size_t subject = lineup->subjects[j];
            const struct hpm_entry *entry =
                hpm_subject_entry(&records->survey->subjects[subject], i);

            if (entry == NULL)
                continue;
            name_subject(records, subject);
            add_entry(records, entry);
        }
    }
}

static void
add_rows(struct hpm_string *string, struct hpm_survey *survey,
         const struct hpm_view_options *options, bool is_json)
{
    static const int scopes[] = {HPM_SCOPE_PROCESS, HPM_SCOPE_THREAD};
    bool has_cells =
        options->view == HPM_VIEW_TASK || options->view == HPM_VIEW_THREAD;
    struct hpm_table table = {0};
    struct records records = {.string = string,
                              .table = &table,
                              .is_json = is_json,
                              .survey = survey,
                              .options = options,
                              .has_hints =
                                  hpm_surveyhints_are_wanted(survey, options)};
    struct hpm_lineup lineup;
    struct hpm_error err;

    add_columns(&table);
    if (is_json)
        hpm_string_add_char(string, '[');
    else
        hpm_csv_add_table(string, &table);
    for (size_t i = 0; i < 2; i++) {
        if (!hpm_lineup_init(&lineup, survey, scopes[i], &options->sort,
                             has_cells ? NULL : options->filter, &err))
            string->failed = true;
        else if (options->view == HPM_VIEW_METRIC)
            add_by_metric(&records, &lineup);
        else
            for (size_t j = 0; j < lineup.n; j++)
                add_subject(&records, lineup.subjects[j]);
        hpm_lineup_clear(&lineup);
    }
    format(&records);
    if (is_json)
        hpm_string_add(string, records.n_rows > 0 ? "\n]" : "]");
    string->failed |=
        records.label.failed || records.path.failed || *survey->lacks_memory;
    hpm_table_clear(&table);
    hpm_string_free(&records.label);
    hpm_string_free(&records.path);
}

void
hpm_report_add_csv(struct hpm_string *string, struct hpm_survey *survey,
                   const struct hpm_view_options *options)
{
    add_rows(string, survey, options, false);
}

size_t
hpm_report_add_section_csv(struct hpm_string *string, struct hpm_survey *survey,
                           size_t subject, size_t from, size_t most)
{
    const struct hpm_view_options options = {.view = HPM_VIEW_THREAD};
    struct hpm_table table = {0};
    struct records records = {.string = string,
                              .table = &table,
                              .survey = survey,
                              .options = &options};
    size_t next;

    add_columns(&table);
    if (from == 0)
        hpm_csv_add_table(string, &table);
    name_subject(&records, subject);
    next = hpm_survey_visit_some(survey, subject, from, most, add_cell,
                                 &records, NULL);
    format(&records);
    string->failed |= records.label.failed || records.path.failed;
    hpm_table_clear(&table);
    hpm_string_free(&records.label);
    hpm_string_free(&records.path);
    return next;
}

/* ---- JSON: what is around the table ---------------------------------- */

static void
end_table(struct hpm_string *string, const char *name, struct hpm_table *table)
{
    hpm_string_add(string, ",\n");
    hpm_json_add_text(string, name);
    hpm_string_add(string, ": ");
    hpm_json_add_table(string, table);
    string->failed |= table->failed;
    hpm_table_clear(table);
}

static void
add_json_sources(struct hpm_string *string, const struct hpm_study *study)
{
    static const char *const names[] = {"file", "side"};
    static const char *const sides[] = {NULL, "a", "b"};
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, names, 2, 3);
    for (size_t i = 0; i < study->n_sources; i++) {
        hpm_table_add_text(&table, study->sources[i].file);
        hpm_table_add_text_or_none(&table, sides[study->sources[i].side]);
    }
    end_table(string, "sources", &table);
}

/* What the study lacks: files, and numbers of tasks. */
static void
add_json_lacks(struct hpm_string *string, const struct hpm_study *study)
{
    static const char *const names[] = {"file", "reason"};
    struct hpm_table table = {0};
    struct hpm_string holes = {0};

    hpm_table_add_columns(&table, names, 2, 3);
    for (size_t i = 0; i < study->n_left_out; i++) {
        hpm_table_add_text(&table, study->left_out[i].file);
        hpm_table_add_text_or_none(&table, study->left_out[i].reason);
    }
    end_table(string, "left_out", &table);
    hpm_string_add_format(string, ",\n\"n_left_out\": %llu",
                          (unsigned long long)hpm_lacks_count(study));
    hpm_lacks_add_holes(study, &holes);
    hpm_string_add_format(string, ",\n\"missing_tasks\": \"%s\"",
                          hpm_string_text(&holes));
    hpm_string_finish(&holes, &string->failed);
}

static void
add_json_tasks(struct hpm_string *string, const struct hpm_survey *survey)
{
    static const char *const names[] = {
        "task",       "program",     "job",
        "pid",        "forked_from", "start",
        "seconds",    "exit",        "complete",
        "reason",     "runs",        "host",
        "system",     "arch",        "cpu",
        "cpus",       "pmu",         "facts",
        "mhz",        "counters",    "counters_reason",
        "definitions"};
    const struct hpm_study *study = survey->study;
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 3);
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        const struct hpm_task_machine *machine = &task->machine;

        hpm_table_add_integer(&table, task->number);
        hpm_table_add_text_or_none(&table, task->program);
        hpm_table_add_text_or_none(&table, task->job);
        add_number(&table, task->pid);
        add_number(&table, task->forked_from);
        hpm_table_add_text_or_none(&table, task->start);
        add_number(&table, task->seconds);
        hpm_table_add_text_or_none(&table, task->exit);
        hpm_table_add_text_or_none(&table,
                                   task->is_complete == HPM_UNSAID ? NULL
                                   : task->is_complete == HPM_YES  ? "yes"
                                                                   : "no");
        hpm_table_add_text_or_none(&table, task->reason);
        add_number(&table, task->n_runs);
        hpm_table_add_text_or_none(&table, machine->host);
        hpm_table_add_text_or_none(&table, machine->system);
        hpm_table_add_text_or_none(&table, machine->architecture);
        hpm_table_add_text_or_none(&table, machine->cpu);
        add_number(&table, machine->n_cpus);
        hpm_table_add_text_or_none(&table, machine->pmu);
        hpm_table_add_text_or_none(&table, machine->facts);
        add_number(&table, machine->mhz);
        hpm_table_add_text_or_none(&table, machine->counters);
        hpm_table_add_text_or_none(&table, machine->reason);
        hpm_table_add_text_or_none(&table,
                                   survey->machines[survey->machine_of[i]].pmu);
    }
    end_table(string, "tasks", &table);
}

static void
add_json_counters(struct hpm_string *string, const struct hpm_study *study)
{
    static const char *const names[] = {"task",   "name",       "source",
                                        "domain", "unit",       "state",
                                        "reason", "description"};
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 3);
    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t j = 0; j < study->tasks[i].n_counters; j++) {
            const struct hpm_task_counter *counter =
                &study->tasks[i].counters[j];

            hpm_table_add_integer(&table, study->tasks[i].number);
            hpm_table_add_text(&table, counter->name);
            hpm_table_add_text_or_none(&table, counter->source);
            hpm_table_add_text_or_none(&table, counter->domain);
            hpm_table_add_text(&table, counter->unit);
            hpm_table_add_text_or_none(
                &table,
                counter->said_state != 0
                    ? hpm_state_name(hpm_said_state(counter->said_state))
                    : NULL);
            hpm_table_add_text_or_none(&table, counter->reason);
            hpm_table_add_text_or_none(&table, counter->description);
        }
    }
    end_table(string, "counters", &table);
}

static void
add_json_problems(struct hpm_string *string, const struct hpm_study *study)
{
    static const char *const names[] = {"task", "text", "count"};
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, names, 3, 3);
    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t j = 0; j < study->tasks[i].n_problems; j++) {
            hpm_table_add_integer(&table, study->tasks[i].number);
            hpm_table_add_text(&table, study->tasks[i].problems[j].text);
            add_number(&table, study->tasks[i].problems[j].count);
        }
    }
    end_table(string, "problems", &table);
}

static void
add_json_hints(struct hpm_string *string, struct hpm_survey *survey,
               const struct hpm_view_options *options)
{
    struct hpm_table table = {0};

    hpm_hints_begin_table(&table);
    if (hpm_surveyhints_are_wanted(survey, options))
        hpm_surveyhints_add_rows(&table, survey);
    end_table(string, "hints", &table);
}

static bool
is_complete(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_tasks; i++) {
        if (study->tasks[i].is_complete == HPM_NO)
            return false;
    }
    return hpm_lacks_count(study) == 0;
}

void
hpm_report_add_json_facts(struct hpm_string *string, struct hpm_survey *survey,
                          const struct hpm_view_options *options)
{
    const struct hpm_study *study = survey->study;

    hpm_string_add_format(string,
                          "{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                          "\", \"version\": 2, \"kind\": \"%s\", \"by\": "
                          "\"%s\", \"complete\": %s",
                          hpm_study_kind_names[study->kind],
                          hpm_view_names[options->view],
                          is_complete(study) ? "true" : "false");
    add_json_sources(string, study);
    add_json_lacks(string, study);
    add_json_tasks(string, survey);
    add_json_counters(string, study);
    add_json_problems(string, study);
    add_json_hints(string, survey, options);
}

void
hpm_report_add_json(struct hpm_string *string, struct hpm_survey *survey,
                    const struct hpm_view_options *options)
{
    hpm_report_add_json_facts(string, survey, options);
    hpm_string_add(string, ",\n\"data\": ");
    add_rows(string, survey, options, true);
    hpm_string_add(string, "}\n");
}
