/* SPDX-License-Identifier: BSD-3-Clause
 * The elements and attributes of a performance file, in the order in which they
 * are written. */
#include "study/file/format.h"

#include <limits.h>
#include <stddef.h>

#include "file/writer.h"

/* ---- words ----------------------------------------------------------- */

static const char *const yes_no[] = {"yes", "no", NULL};
static const char *const true_false[] = {"true", "false", NULL};
static const char *const scopes[] = {"thread", "process", NULL};
static const char *const sides[] = {"a", "b", NULL};
static const char *const measured_calls[] = {"first calls", NULL};
static const char *const vias[] = {"hook", "xray", "wrapper", "uprobe", NULL};
static const char *const column_kinds[] = {"counter", "metric", "time", NULL};
static const char *const study_kinds[] = {
    "run", "merged", "integrated", "mean", "diff", "summary", NULL};
static const char *const spreads[] = {"bounds", NULL};
static const char *const omissions[] = {"not counted", NULL};
static const char *const states[] = {
    "counted", "shared",      "inferred",    "recorded",  "lost",
    "brief",   "unscheduled", "unsupported", "undefined", NULL};

/* ---- attributes ------------------------------------------------------ */

#define ATTRIBUTE(kind, element, attribute, field, ...)                        \
    {                                                                          \
        .name = attribute, .type = HPM_FORMAT_##kind,                          \
        .offset = offsetof(struct hpm_format_##element, field), __VA_ARGS__    \
    }
#define TEXT(element, name, field) ATTRIBUTE(TEXT, element, name, field, )
#define NUMBER(element, name, field) ATTRIBUTE(NUMBER, element, name, field, )
#define INTEGER(element, name, field, low, high)                               \
    ATTRIBUTE(INTEGER, element, name, field, .least = low, .most = high)
#define VITAL(element, name, field, low, high)                                 \
    ATTRIBUTE(INTEGER, element, name, field, .least = low, .most = high,       \
              .is_vital = true)
#define WORD(element, name, field, all)                                        \
    ATTRIBUTE(WORD, element, name, field, .words = all)
#define FIELD(name, field) NUMBER(data, name, datum.numbers[field])
#define EXTRA(name, extra, most) INTEGER(record, name, extras[extra], 0, most)
#define AMOUNT(name, extra) NUMBER(record, name, extras[extra])
#define COST(name, i) NUMBER(cost, name, said.numbers[i])

static const struct hpm_format_attribute file_attributes[] = {
    TEXT(file, "version", version),
    WORD(file, "complete", complete, yes_no),
    TEXT(file, "reason", reason),
    WORD(file, "kind", kind, study_kinds),
};

static const struct hpm_format_attribute source_attributes[] = {
    TEXT(source, "file", said.file),
    WORD(source, "side", said.side, sides),
};

static const struct hpm_format_attribute left_out_attributes[] = {
    TEXT(left_out, "file", said.file),
    TEXT(left_out, "reason", said.reason),
    INTEGER(left_out, "count", count, 1, INT64_MAX),
};

static const struct hpm_format_attribute run_attributes[] = {
    VITAL(run, "task", task, 0, INT_MAX),
    TEXT(run, "program", program),
    TEXT(run, "job", job),
    INTEGER(run, "pid", pid, INT64_MIN, INT64_MAX),
    INTEGER(run, "forked_from", forked_from, 1, INT64_MAX),
    TEXT(run, "start", start),
    NUMBER(run, "seconds", seconds),
    TEXT(run, "exit", exit),
    TEXT(run, "tool", tool),
    WORD(run, "complete", complete, yes_no),
    TEXT(run, "reason", reason),
    INTEGER(run, "runs", n_runs, 1, INT64_MAX),
    TEXT(run, "only", only),
    TEXT(run, "except", except),
    INTEGER(run, "skip", n_skipped, 1, INT64_MAX),
    TEXT(run, "tasks", members),
    INTEGER(run, "count", n_members, 1, INT64_MAX),
    TEXT(run, "dims", dims),
    TEXT(run, "periods", periods),
    TEXT(run, "coords", coords),
    TEXT(run, "degrees", degrees),
    TEXT(run, "sources", sources),
    TEXT(run, "destinations", destinations),
};

static const struct hpm_format_attribute resource_attributes[] = {
    TEXT(resource, "name", said.name),
    NUMBER(resource, "value", said.value),
    WORD(resource, "state", said.said_state, states),
    TEXT(resource, "unit", said.unit),
};

static const struct hpm_format_attribute machine_attributes[] = {
    VITAL(machine, "task", task, 0, INT_MAX),
    TEXT(machine, "host", said.host),
    TEXT(machine, "system", said.system),
    TEXT(machine, "arch", said.architecture),
    TEXT(machine, "cpu", said.cpu),
    INTEGER(machine, "cpus", said.n_cpus, 1, INT_MAX),
    INTEGER(machine, "allowed", said.n_allowed, 1, INT_MAX),
    TEXT(machine, "binding", said.binding),
    TEXT(machine, "numa", said.numa_nodes),
    TEXT(machine, "pmu", said.pmu),
    NUMBER(machine, "mhz", said.mhz),
    TEXT(machine, "mhz_source", said.mhz_source),
    WORD(machine, "virtual", said.is_virtual, yes_no),
    TEXT(machine, "facts", said.facts),
    TEXT(machine, "counters", said.counters),
    TEXT(machine, "reason", said.reason),
};

static const struct hpm_format_attribute counters_attributes[] = {
    VITAL(counters, "task", task, 0, INT_MAX),
};

static const struct hpm_format_attribute counter_attributes[] = {
    TEXT(counter, "name", said.name),
    TEXT(counter, "source", said.source),
    TEXT(counter, "domain", said.domain),
    TEXT(counter, "unit", said.unit),
    WORD(counter, "state", said.said_state, states),
    TEXT(counter, "reason", said.reason),
    TEXT(counter, "runs", said.runs),
    TEXT(counter, "description", said.description),
};

static const struct hpm_format_attribute calibration_attributes[] = {
    VITAL(calibration, "task", task, 0, INT_MAX),
    WORD(calibration, "scope", said.said_scope, scopes),
    TEXT(calibration, "when", said.when),
    INTEGER(calibration, "calls", said.n_calls, 0, INT64_MAX),
};

static const struct hpm_format_attribute cost_attributes[] = {
    TEXT(cost, "name", said.name), COST("self", 0),  COST("self_median", 1),
    COST("self_max", 2),           COST("pair", 3),  COST("pair_median", 4),
    COST("pair_max", 5),           COST("start", 6),
};

static const struct hpm_format_attribute problem_attributes[] = {
    INTEGER(problem, "count", said.count, 0, INT64_MAX),
    TEXT(problem, "text", said.text),
    VITAL(problem, "task", task, 0, INT_MAX),
};

static const struct hpm_format_attribute profile_attributes[] = {
    VITAL(profile, "task", task, 0, INT_MAX),
};

static const struct hpm_format_attribute sampled_attributes[] = {
    TEXT(sampled, "name", said.name),
    TEXT(sampled, "domain", said.domain),
    TEXT(sampled, "unit", said.unit),
    VITAL(sampled, "period", said.period, 1, INT64_MAX),
    INTEGER(sampled, "count", said.count, 0, INT64_MAX),
    INTEGER(sampled, "taken", said.n_taken, 0, INT64_MAX),
    INTEGER(sampled, "lost", said.n_lost, 0, INT64_MAX),
    TEXT(sampled, "chains", said.chains),
    INTEGER(sampled, "threads_without", said.n_threads_without, 0, INT64_MAX),
};

static const struct hpm_format_attribute module_attributes[] = {
    VITAL(module, "id", id, 1, INT_MAX),
    TEXT(module, "path", said.path),
    TEXT(module, "build_id", said.build_id),
};

static const struct hpm_format_attribute samples_attributes[] = {
    TEXT(samples, "name", name),
    TEXT(samples, "domain", domain),
    INTEGER(samples, "period", period, 1, INT64_MAX),
    INTEGER(samples, "taken", n_taken, 0, INT64_MAX),
    INTEGER(samples, "lost", n_lost, 0, INT64_C(1) << 40),
};

static const struct hpm_format_attribute at_attributes[] = {
    VITAL(at, "module", module, 1, INT_MAX),
    ATTRIBUTE(NUMBER, at, "offset", offset, .is_vital = true),
    VITAL(at, "n", n, 1, INT64_C(1) << 40), /* sums must not overflow */
    TEXT(at, "callers", callers),
};

static const struct hpm_format_attribute calls_attributes[] = {
    VITAL(calls, "of", n_made, 1, INT64_MAX),
    INTEGER(calls, "kept", n_kept, 0, INT64_MAX),
};

static const struct hpm_format_attribute counted_attributes[] = {
    TEXT(counted, "name", name),
};

static const struct hpm_format_attribute call_attributes[] = {
    VITAL(call, "n", said.number, 1, INT64_MAX),
    ATTRIBUTE(NUMBER, call, "begin", said.begin, .is_vital = true),
    ATTRIBUTE(NUMBER, call, "seconds", said.seconds, .is_vital = true),
    TEXT(call, "counts", said.counts),
};

#define EXTREME(which)                                                         \
    ATTRIBUTE(NUMBER, spread, #which, said.which.value, .is_vital = true),     \
        INTEGER(spread, #which "_task", said.which.task, 0, INT_MAX),          \
        INTEGER(spread, #which "_thread", said.which.thread, INT_MIN,          \
                INT_MAX),                                                      \
        TEXT(spread, #which "_host", said.which.host)

static const struct hpm_format_attribute spread_attributes[] = {
    TEXT(spread, "name", name),
    VITAL(spread, "of", said.n, 1, INT64_C(1) << 40),
    EXTREME(low),
    NUMBER(spread, "average", said.average),
    NUMBER(spread, "deviation", said.deviation),
    EXTREME(high),
    WORD(spread, "kind", kind, column_kinds),
    TEXT(spread, "unit", unit),
    TEXT(spread, "bins", said.bins),
    TEXT(spread, "sum", said.sum),
    TEXT(spread, "squares", said.squares),
    TEXT(spread, "rest", said.rest),
    TEXT(spread, "exclusive", said.exclusive),
};

static const struct hpm_format_attribute record_attributes[] = {
    ATTRIBUTE(DERIVED, record, "lid", lid, ),
    WORD(record, "disp", disp, true_false),
    VITAL(record, "tid", tid, INT_MIN, INT_MAX),
    VITAL(record, "task", task, 0, INT_MAX),
    TEXT(record, "label", label),
    TEXT(record, "file", file),
    INTEGER(record, "linestart", line_start, 0, INT_MAX),
    INTEGER(record, "lineend", line_end, 0, INT_MAX),
    WORD(record, "scope", scope, scopes),
    VITAL(record, "inst", instance, INT_MIN, INT_MAX),
    VITAL(record, "id", id, 0, INT64_MAX),
    VITAL(record, "parent", parent, 0, INT64_MAX),
    INTEGER(record, "within", within, 0, INT64_MAX),
    EXTRA("omp", HPM_EXTRA_OMP, INT_MAX),
    AMOUNT("outer", HPM_EXTRA_OUTER),
    EXTRA("skipped", HPM_EXTRA_SKIPPED, INT64_MAX),
    EXTRA("tasks", HPM_EXTRA_TASKS, INT_MAX),
    EXTRA("threads", HPM_EXTRA_THREADS, INT_MAX),
    WORD(record, "open", open, yes_no),
    WORD(record, "short", is_short, yes_no),
    WORD(record, "overlap", overlap, yes_no),
    WORD(record, "measured", measured, measured_calls),
    WORD(record, "via", via, vias),
    TEXT(record, "module", module),
    EXTRA("offset", HPM_EXTRA_OFFSET, INT64_MAX),
    WORD(record, "side", side, sides),
};

static const struct hpm_format_attribute data_attributes[] = {
    TEXT(data, "name", name),
    FIELD("value", HPM_FIELD_VALUE),
    FIELD("exclusive", HPM_FIELD_EXCLUSIVE),
    FIELD("mean", HPM_FIELD_MEAN),
    FIELD("sdev", HPM_FIELD_SDEV),
    FIELD("overhead", HPM_FIELD_OVERHEAD),
    FIELD("uncertainty", HPM_FIELD_UNCERTAINTY),
    FIELD("clamped", HPM_FIELD_CLAMPED),
    FIELD("share", HPM_FIELD_SHARE),
    FIELD("error", HPM_FIELD_ERROR),
    FIELD("error_exclusive", HPM_FIELD_ERROR_EXCLUSIVE),
    FIELD("windows", HPM_FIELD_WINDOWS),
    FIELD("freedom", HPM_FIELD_FREEDOM),
    FIELD("runs", HPM_FIELD_RUNS),
    FIELD("dev", HPM_FIELD_DEV),
    FIELD("min", HPM_FIELD_MIN),
    FIELD("max", HPM_FIELD_MAX),
    FIELD("runs_exclusive", HPM_FIELD_RUNS_EXCLUSIVE),
    WORD(data, "spread", spread, spreads),
    FIELD("base", HPM_FIELD_BASE),
    FIELD("base_exclusive", HPM_FIELD_BASE_EXCLUSIVE),
    WORD(data, "kind", kind, column_kinds),
    TEXT(data, "unit", unit),
    WORD(data, "state", state, states),
    TEXT(data, "reason", datum.reason),
    WORD(data, "partial", partial, yes_no),
    FIELD("only_exclusive", HPM_FIELD_ONLY_EXCLUSIVE),
    WORD(data, "children", children, omissions),
    WORD(data, "disp", disp, true_false),
    FIELD("sbad", HPM_FIELD_SBAD),
    FIELD("sgood", HPM_FIELD_SGOOD),
    FIELD("dbad", HPM_FIELD_DBAD),
    FIELD("dgood", HPM_FIELD_DGOOD),
};

static const struct hpm_format_attribute end_attributes[] = {
    INTEGER(end, "records", n_records, 0, INT64_MAX),
};

/* ---- elements -------------------------------------------------------- */

#define ELEMENT(name, parent, element)                                         \
    {                                                                          \
        name, parent, element##_attributes,                                    \
            sizeof(element##_attributes) / sizeof *(element##_attributes),     \
            sizeof(struct hpm_format_##element)                                \
    }

const struct hpm_format_element hpm_format_elements[HPM_FORMAT_N_ELEMENTS] = {
    [HPM_FORMAT_FILE] = ELEMENT("HPMPerformanceFile", -1, file),
    [HPM_FORMAT_SOURCES] = {"Sources", HPM_FORMAT_FILE, NULL, 0, 0},
    [HPM_FORMAT_SOURCE] = ELEMENT("Source", HPM_FORMAT_SOURCES, source),
    [HPM_FORMAT_LEFT_OUT] = ELEMENT("LeftOut", HPM_FORMAT_SOURCES, left_out),
    [HPM_FORMAT_RUN] = ELEMENT("Run", HPM_FORMAT_FILE, run),
    [HPM_FORMAT_RESOURCE] = ELEMENT("Resource", HPM_FORMAT_RUN, resource),
    [HPM_FORMAT_MACHINE] = ELEMENT("Machine", HPM_FORMAT_FILE, machine),
    [HPM_FORMAT_COUNTERS] = ELEMENT("Counters", HPM_FORMAT_FILE, counters),
    [HPM_FORMAT_COUNTER] = ELEMENT("Counter", HPM_FORMAT_COUNTERS, counter),
    [HPM_FORMAT_CALIBRATION] =
        ELEMENT("Calibration", HPM_FORMAT_FILE, calibration),
    [HPM_FORMAT_COST] = ELEMENT("cost", HPM_FORMAT_CALIBRATION, cost),
    [HPM_FORMAT_PROBLEM] = ELEMENT("Problem", HPM_FORMAT_FILE, problem),
    [HPM_FORMAT_PROFILE] = ELEMENT("Profile", HPM_FORMAT_FILE, profile),
    [HPM_FORMAT_SAMPLED] = ELEMENT("Sampled", HPM_FORMAT_PROFILE, sampled),
    [HPM_FORMAT_MODULE] = ELEMENT("Module", HPM_FORMAT_PROFILE, module),
    [HPM_FORMAT_RECORD] = ELEMENT("InstrumentationPt", HPM_FORMAT_FILE, record),
    [HPM_FORMAT_OUTSIDE] = ELEMENT("Outside", HPM_FORMAT_FILE, record),
    [HPM_FORMAT_DATA] = ELEMENT("data", HPM_FORMAT_RECORD, data),
    [HPM_FORMAT_SAMPLES] = ELEMENT("samples", HPM_FORMAT_RECORD, samples),
    [HPM_FORMAT_AT] = ELEMENT("at", HPM_FORMAT_SAMPLES, at),
    [HPM_FORMAT_CALLS] = ELEMENT("calls", HPM_FORMAT_RECORD, calls),
    [HPM_FORMAT_COUNTED] = ELEMENT("counted", HPM_FORMAT_CALLS, counted),
    [HPM_FORMAT_CALL] = ELEMENT("call", HPM_FORMAT_CALLS, call),
    [HPM_FORMAT_SPREAD] = ELEMENT("spread", HPM_FORMAT_RECORD, spread),
    [HPM_FORMAT_END] = ELEMENT("End", HPM_FORMAT_FILE, end),
};

/* ---- writing --------------------------------------------------------- */

static void
begin(struct hpm_string *string, const char *name)
{
    hpm_string_add_char(string, ' ');
    hpm_string_add(string, name);
    hpm_string_add_bytes(string, "=\"", 2);
}

static void
add_attribute(struct hpm_string *string,
              const struct hpm_format_attribute *attribute, const void *value)
{
    const struct hpm_number *number = value;
    const char *text;
    int word;

    switch (attribute->type) {
    case HPM_FORMAT_TEXT:
    case HPM_FORMAT_DERIVED:
        text = *(const char *const *)value;
        if (text == NULL)
            return;
        begin(string, attribute->name);
        hpm_writer_add_escaped(string, text);
        break;
    case HPM_FORMAT_NUMBER:
    case HPM_FORMAT_INTEGER:
        if (number->kind == HPM_NUMBER_NONE)
            return;
        begin(string, attribute->name);
        hpm_number_add(string, *number);
        break;
    case HPM_FORMAT_WORD:
        word = *(const int *)value;
        if (word == 0)
            return;
        begin(string, attribute->name);
        hpm_string_add(string, attribute->words[word - 1]);
        break;
    }
    hpm_string_add_char(string, '"');
}

void
hpm_format_add(struct hpm_string *string, enum hpm_format_name name,
               const void *values)
{
    const struct hpm_format_element *element = &hpm_format_elements[name];

    for (size_t i = 0; i < element->n_attributes; i++)
        add_attribute(string, &element->attributes[i],
                      (const char *)values + element->attributes[i].offset);
}
