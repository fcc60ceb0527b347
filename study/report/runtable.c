/* SPDX-License-Identifier: BSD-3-Clause
 * An experiment as one long table, in which programs find every value. */
#include "config.h"

#include "study/report/runtable.h"

#include <math.h>
#include <string.h>

#include "model/estimate.h"
#include "study/report/format.h"
#include "study/report/hints.h"

static const char *const columns[] = {
    "section",  "path",      "inst",     "file",    "linestart", "lineend",
    "scope",    "task",      "thread",   "metric",  "kind",      "unit",
    "value",    "exclusive", "mean",     "sdev",    "state",     "share",
    "error",    "runs",      "verdict",  "remarks", "reason",    "windows",
    "interval", "hint",      "explained"};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

/* ---- the whole run --------------------------------------------------- */

static void
add_run_head(struct hpm_table *table, const struct hpm_experiment *experiment,
             const char *metric, const char *kind, const char *unit)
{
    hpm_table_add_text(table, "");
    hpm_table_add_text(table, "");
    hpm_table_add_nones(table, 1);
    hpm_table_add_text(table, "");
    hpm_table_add_nones(table, 2);
    hpm_table_add_text(table, "run");
    hpm_table_add_integer(table, experiment->run.task);
    hpm_table_add_nones(table, 1);
    hpm_table_add_text(table, metric);
    hpm_table_add_text(table, kind);
    hpm_table_add_text(table, unit);
}

/* exclusive, mean, sdev; state; share, error, runs, verdict; remarks; reason,
 * windows, interval, hint, explained */
static void
add_run_tail(struct hpm_table *table, enum hpm_state state)
{
    hpm_table_add_nones(table, 3);
    hpm_table_add_text(table, hpm_state_name(state));
    hpm_table_add_nones(table, 4);
    hpm_table_add_text(table, "");
    hpm_table_add_nones(table, 5);
}

static void
add_run_rows(struct hpm_table *table, const struct hpm_experiment *experiment)
{
    add_run_head(table, experiment, "time::wall", "time", "s");
    hpm_table_add_real(table, (double)experiment->run.ns / 1e9);
    add_run_tail(table, HPM_STATE_COUNTED);
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        add_run_head(table, experiment, resource->name, "counter",
                     resource->unit);
        if (resource->is_known)
            hpm_table_add_count(table, resource->value);
        else
            hpm_table_add_none(table);
        add_run_tail(table, resource->is_known ? HPM_STATE_COUNTED
                                               : HPM_STATE_UNSUPPORTED);
    }
}

/* ---- records --------------------------------------------------------- */

static void
add_path(struct hpm_string *path, const struct hpm_experiment *experiment,
         size_t record)
{
    size_t parent = experiment->records[record].parent;

    if (parent != HPM_NO_RECORD) {
        add_path(path, experiment, parent);
        hpm_string_add_char(path, '/');
    }
    hpm_record_add_label(&experiment->records[record], path);
}

/* What all rows of a record have at the begin. */
struct head {
    const struct hpm_experiment *experiment;
    const struct hpm_record *record;
    struct hpm_string label;
    struct hpm_string path;
};

static void
add_head(struct hpm_table *table, const struct head *head, const char *metric,
         const char *kind, const char *unit)
{
    const struct hpm_record *record = head->record;

    hpm_table_add_text(table, hpm_string_text(&head->label));
    hpm_table_add_text(table, hpm_string_text(&head->path));
    hpm_table_add_integer(table, record->instance);
    hpm_table_add_text(table, record->file);
    hpm_table_add_integer(table, record->line_start);
    hpm_table_add_integer(table, record->line_end);
    hpm_table_add_text(table, hpm_scope_name(record->scope));
    hpm_table_add_integer(table, head->experiment->run.task);
    hpm_table_add_integer(table, record->tid);
    hpm_table_add_text(table, metric);
    hpm_table_add_text(table, kind);
    hpm_table_add_text(table, unit);
}

/* The words that apply: "partial doubtful short open overlap first-calls hidden". */
static void
add_remarks(struct hpm_table *table, const struct head *head, bool is_partial,
            bool is_doubtful, bool is_hidden)
{
    const struct {
        bool holds;
        const char *word;
    } remarks[] = {
        {is_partial, "partial"},
        {is_doubtful, "doubtful"},
        {head->record->is_short, "short"},
        {head->record->is_open, "open"},
        {head->record->has_overlap, "overlap"},
        {head->record->has_first_calls, "first-calls"},
        {is_hidden, "hidden"},
    };
    struct hpm_string words = {0};

    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
        if (remarks[i].holds)
            hpm_string_add_format(&words, "%s%s", words.length > 0 ? " " : "",
                                  remarks[i].word);
    }
    hpm_table_add_string(table, &words);
}

/* The tail of a row, with the record's remarks. */
static void
add_tail(struct hpm_table *table, const struct head *head, enum hpm_state state)
{
    hpm_table_add_nones(table, 3);
    hpm_table_add_text(table, hpm_state_name(state));
    hpm_table_add_nones(table, 4);
    add_remarks(table, head, false, false, false);
    hpm_table_add_nones(table, 5);
}

static void
add_time_rows(struct hpm_table *table, const struct head *head)
{
    const struct hpm_value *time = &head->record->time;

    if (!head->record->is_outside) {
        add_head(table, head, "Count", "counter", "");
        hpm_table_add_count(table, head->record->calls);
        add_tail(table, head, HPM_STATE_COUNTED);
    }
    add_head(table, head, "ExcSec", "time", "s");
    hpm_table_add_real(table, (double)time->exclusive / 1e9);
    add_tail(table, head, HPM_STATE_COUNTED);
    if (time->lacks_total)
        return;
    add_head(table, head, "IncSec", "time", "s");
    hpm_table_add_real(table, (double)time->total / 1e9);
    hpm_table_add_nones(table, 1);
    hpm_table_add_real(table, time->mean / 1e9);
    hpm_table_add_real(table, time->deviation / 1e9);
    hpm_table_add_text(table, hpm_state_name(HPM_STATE_COUNTED));
    hpm_table_add_nones(table, 4);
    add_remarks(table, head, false, false, false);
    hpm_table_add_nones(table, 5);
}

/* On-windows, and half of the 95 % confidence interval. */
static void
add_turns(struct hpm_table *table, const struct hpm_value *value)
{
    bool has_error = value->state == HPM_STATE_SHARED && value->freedom > 0;

    if (value->n_windows > 0)
        hpm_table_add_count(table, value->n_windows);
    else
        hpm_table_add_none(table);
    hpm_table_add_real(table,
                       has_error && !value->lacks_total
                           ? value->error * hpm_estimate_reach(value->freedom)
                           : NAN);
}

static void
add_counter_row(struct hpm_table *table, const struct head *head,
                const struct hpm_counter *counter,
                const struct hpm_value *value)
{
    bool has_value = hpm_state_has_value(value->state);
    bool has_total = has_value && !value->lacks_total;

    add_head(table, head, counter->name,
             counter->kind == HPM_COUNTER_TIME ? "time" : "counter",
             counter->unit);
    if (has_total)
        hpm_table_add_count(table, value->total);
    else
        hpm_table_add_none(table);
    if (has_value && value->has_exclusive)
        hpm_table_add_count(table, value->exclusive);
    else
        hpm_table_add_none(table);
    hpm_table_add_real(table, has_total ? value->mean : NAN);
    hpm_table_add_real(table, has_total ? value->deviation : NAN);
    hpm_table_add_text(table, hpm_state_name(value->state));
    hpm_table_add_real(table, value->share);
    hpm_table_add_real(table,
                       has_total && value->freedom > 0 ? value->error : NAN);
    hpm_table_add_nones(table, 2);
    add_remarks(table, head, false, false, counter->is_hidden);
    hpm_table_add_text_or_none(table, has_value ? NULL
                                      : value->state == HPM_STATE_BRIEF
                                          ? HPM_REASON_BRIEF
                                          : counter->reason);
    add_turns(table, value);
    hpm_table_add_nones(table, 2);
}

/* Is the record the only one of its section?  Then metrics of the run are
 * judged for it. */
static bool
is_whole(const struct head *head)
{
    const struct hpm_record *record = head->record;

    for (size_t i = 0; i < head->experiment->n_records; i++) {
        const struct hpm_record *other = &head->experiment->records[i];

        if (other->scope == record->scope && other->tid != record->tid &&
            other->instance == record->instance &&
            other->line_start == record->line_start &&
            strcmp(other->label, record->label) == 0 &&
            strcmp(other->file, record->file) == 0)
            return false;
    }
    return true;
}

struct judgement {
    enum hpm_verdict verdict;
    enum hpm_doubt doubt;
    const struct hpm_ranking *ranking; /* of the run, or NULL */
    size_t metric;
};

static struct judgement
judge(const struct head *head, const struct hpm_metrics *metrics,
      const struct hpm_metric_value *values, size_t metric,
      const struct hpm_ranking *ranking)
{
    enum hpm_precision precision =
        ranking != NULL ? ranking->precision : HPM_PRECISION_DOUBLE;

    if (metrics->metrics[metric].is_of_run && !is_whole(head))
        return (struct judgement){.verdict = HPM_VERDICT_NONE,
                                  .doubt = values[metric].doubt,
                                  .ranking = ranking,
                                  .metric = metric};
    return (struct judgement){
        .verdict = hpm_metrics_judge(metrics, values, metric, precision),
        .doubt = hpm_metrics_doubt(metrics, values, metric),
        .ranking = ranking,
        .metric = metric};
}

static void
add_metric_reason(struct hpm_table *table, const struct hpm_metric_value *value,
                  enum hpm_doubt doubt)
{
    struct hpm_string reason = {0};

    if (isnan(value->value))
        hpm_metric_value_explain(value, &reason);
    else
        hpm_string_add(&reason, hpm_doubt_text(doubt));
    hpm_table_add_text_or_none(table, hpm_string_text(&reason));
    hpm_string_finish(&reason, &table->failed);
}

/* Doubles are exact only for integers up to 2^53. */
static void
add_metric_value(struct hpm_table *table, const struct hpm_metric_value *value,
                 double scale)
{
    bool is_long =
        value->is_exact && scale == 1.0 && fabs(value->value) >= 0x1p53;

    if (is_long && value->exact > 0 && value->exact <= UINT64_MAX)
        hpm_table_add_count(table, (uint64_t)value->exact);
    else if (is_long && value->exact < 0 && value->exact >= INT64_MIN)
        hpm_table_add_integer(table, (int64_t)value->exact);
    else
        hpm_table_add_real(table, value->value / scale);
}

static void
add_metric_row(struct hpm_table *table, const struct head *head,
               const struct hpm_metric *metric,
               const struct hpm_metric_value *inclusive,
               const struct hpm_metric_value *exclusive,
               struct judgement judgement)
{
    const struct hpm_metric_value *either =
        inclusive->is_present ? inclusive : exclusive;
    const char *unit = metric->texts[HPM_TEXT_UNIT];
    struct hpm_string name = {0};

    hpm_string_add(&name, either->is_partial ? "~" : "");
    hpm_string_add(&name, metric->shown);
    add_head(table, head, hpm_string_text(&name), "metric",
             unit != NULL ? unit : "");
    add_metric_value(table, inclusive, metric->scale);
    add_metric_value(table, exclusive, metric->scale);
    hpm_table_add_nones(table, 2);
    hpm_table_add_text(table, hpm_state_name(either->state));
    hpm_table_add_nones(table, 3);
    hpm_table_add_text_or_none(table, hpm_verdict_name(judgement.verdict));
    add_remarks(table, head, either->is_partial,
                judgement.doubt != HPM_DOUBT_NONE, false);
    add_metric_reason(table, inclusive, judgement.doubt);
    hpm_table_add_nones(table, 2);
    hpm_hints_add_mark(table, judgement.ranking, judgement.metric,
                       HPM_HINTS_ANYWHERE);
    hpm_string_finish(&name, &table->failed);
}

static void
add_metric_rows(struct hpm_table *table, const struct head *head,
                struct hpm_derived *derived, const struct hpm_ranking *ranking,
                size_t record)
{
    const struct hpm_metrics *metrics = derived->metrics;
    const struct hpm_metric_value *inclusive =
        hpm_derived_values(derived, record, HPM_SPAN_INCLUSIVE);
    const struct hpm_metric_value *exclusive =
        hpm_derived_values(derived, record, HPM_SPAN_EXCLUSIVE);

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        struct judgement judgement =
            judge(head, metrics, inclusive, i, ranking);

        if (!hpm_derived_shows(derived, i, &inclusive[i]) &&
            !hpm_derived_shows(derived, i, &exclusive[i]))
            continue;
        add_metric_row(table, head, &metrics->metrics[i], &inclusive[i],
                       &exclusive[i], judgement);
    }
}

static void
add_record_rows(struct hpm_table *table,
                const struct hpm_experiment *experiment,
                struct hpm_derived *derived, const struct hpm_ranking *ranking,
                size_t i)
{
    struct head head = {.experiment = experiment,
                        .record = &experiment->records[i]};

    hpm_record_add_label(head.record, &head.label);
    add_path(&head.path, experiment, i);
    add_time_rows(table, &head);
    for (size_t j = 0; j < experiment->n_counters; j++) {
        const struct hpm_value *value = hpm_experiment_value(experiment, i, j);

        if (value->is_present)
            add_counter_row(table, &head, &experiment->counters[j], value);
    }
    if (derived != NULL)
        add_metric_rows(table, &head, derived, ranking, i);
    hpm_string_finish(&head.label, &table->failed);
    hpm_string_finish(&head.path, &table->failed);
}

void
hpm_runtable_fill(const struct hpm_experiment *experiment,
                  struct hpm_derived *derived,
                  const struct hpm_ranking *ranking, struct hpm_table *table)
{
    hpm_table_add_columns(table, columns, N_COLUMNS, 3);
    add_run_rows(table, experiment);
    for (size_t i = 0; i < experiment->n_records; i++)
        add_record_rows(table, experiment, derived, ranking, i);
}

/* ---- formats --------------------------------------------------------- */

void
hpm_runtable_add_csv(struct hpm_string *string,
                     const struct hpm_experiment *experiment,
                     struct hpm_derived *derived,
                     const struct hpm_ranking *ranking)
{
    struct hpm_table table = {0};

    hpm_runtable_fill(experiment, derived, ranking, &table);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

static void
add_member(struct hpm_string *string, const char *name, const char *text,
           const char *separator)
{
    hpm_json_add_text(string, name);
    hpm_string_add(string, ": ");
    if (text != NULL)
        hpm_json_add_text(string, text);
    else
        hpm_string_add(string, "null");
    hpm_string_add(string, separator);
}

static void
add_json_run(struct hpm_string *string, const struct hpm_run *run)
{
    hpm_string_add(string, "{");
    add_member(string, "program", run->program, ", ");
    add_member(string, "job", run->job, ", ");
    hpm_string_add_format(string, "\"task\": %d, \"pid\": %ld, ", run->task,
                          run->pid);
    add_member(string, "start", run->start, ", ");
    hpm_string_add(string, "\"seconds\": ");
    hpm_string_add_real(string, (double)run->ns / 1e9);
    hpm_string_add(string, ", ");
    add_member(string, "exit", run->exit_status, "}");
}

static void
add_json_machine(struct hpm_string *string, const struct hpm_machine *machine)
{
    hpm_string_add(string, "{");
    add_member(string, "host", machine->host, ", ");
    add_member(string, "system", machine->system, ", ");
    add_member(string, "arch", machine->architecture, ", ");
    add_member(string, "cpu", machine->cpu, ", ");
    hpm_string_add(string, "\"cpus\": ");
    if (machine->n_cpus > 0)
        hpm_string_add_format(string, "%d, ", machine->n_cpus);
    else
        hpm_string_add(string, "null, ");
    add_member(string, "pmu", machine->pmu, ", ");
    add_member(string, "facts", machine->facts, ", ");
    hpm_string_add(string, "\"mhz\": ");
    if (machine->mhz > 0.0)
        hpm_string_add_real(string, machine->mhz);
    else
        hpm_string_add(string, "null");
    hpm_string_add(string, ", ");
    add_member(string, "counters",
               machine->has_hardware_counters ? "hardware" : "software only",
               ", ");
    add_member(string, "reason", machine->no_counters_reason, "}");
}

static void
add_json_counters(struct hpm_string *string,
                  const struct hpm_experiment *experiment)
{
    struct hpm_table table = {0};
    static const char *const names[] = {"name",  "source", "domain",     "unit",
                                        "state", "reason", "description"};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 3);
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        hpm_table_add_text(&table, counter->name);
        hpm_table_add_text(&table, counter->source);
        hpm_table_add_text(&table, counter->domain);
        hpm_table_add_text(&table, counter->unit);
        hpm_table_add_text(&table, hpm_state_name(counter->state));
        hpm_table_add_text(&table, counter->reason);
        hpm_table_add_text(&table, counter->description);
    }
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

static void
add_json_problems(struct hpm_string *string,
                  const struct hpm_experiment *experiment)
{
    hpm_string_add_char(string, '[');
    for (size_t i = 0; i < experiment->n_problems; i++) {
        hpm_string_add(string, i > 0 ? ", {" : "{");
        add_member(string, "text", experiment->problems[i].text, ", ");
        hpm_string_add_format(
            string, "\"count\": %llu}",
            (unsigned long long)experiment->problems[i].count);
    }
    hpm_string_add_char(string, ']');
}

static void
add_json_hints(struct hpm_string *string, const struct hpm_ranking *ranking)
{
    struct hpm_table table = {0};

    hpm_hints_begin_table(&table);
    if (ranking != NULL)
        hpm_hints_add_rows(&table, ranking, false, NULL, NULL);
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

void
hpm_runtable_add_json(struct hpm_string *string,
                      const struct hpm_experiment *experiment,
                      struct hpm_derived *derived,
                      const struct hpm_ranking *ranking)
{
    struct hpm_table table = {0};

    hpm_runtable_fill(experiment, derived, ranking, &table);
    hpm_string_add(string, "{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                           "\", \"version\": 2, \"complete\": ");
    hpm_string_add(string, experiment->run.is_complete ? "true" : "false");
    hpm_string_add(string, ",\n\"run\": ");
    add_json_run(string, &experiment->run);
    hpm_string_add(string, ",\n\"machine\": ");
    add_json_machine(string, &experiment->machine);
    hpm_string_add(string, ",\n\"counters\": ");
    add_json_counters(string, experiment);
    hpm_string_add(string, ",\n\"problems\": ");
    add_json_problems(string, experiment);
    hpm_string_add(string, ",\n\"hints\": ");
    add_json_hints(string, ranking);
    hpm_string_add(string, ",\n\"data\": ");
    hpm_json_add_table(string, &table);
    hpm_string_add(string, "}\n");
    hpm_table_finish(&table, &string->failed);
}
