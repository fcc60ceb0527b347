/* SPDX-License-Identifier: BSD-3-Clause
 * Writes an experiment as a performance file. */
#include "config.h"

#include "file/writer.h"

#include <math.h>
#include <string.h>

/* Text is collected up to this size, then written: so the writer needs the same
 * memory for files of any size. */
enum { FLUSH_BYTES = 1 << 16 };

struct hpm_writer {
    struct hpm_string *text;
    struct hpm_output *output; /* NULL: the whole file stays in `text` */
    size_t n_calls;            /* sampled calls written so far */
};

static void
flush(struct hpm_writer *writer, size_t at_least)
{
    if (writer->output == NULL || writer->text->length < at_least)
        return;
    hpm_output_write(writer->output, hpm_string_text(writer->text),
                     writer->text->length);
    hpm_string_clear(writer->text);
}

void
hpm_writer_add_escaped(struct hpm_string *string, const char *text)
{
    while (*text != '\0') {
        size_t length = hpm_string_character(text);

        if (length == 0) {
            hpm_string_add_format(string, "\\x%02X", (unsigned char)*text);
            text++;
        } else if (length > 1 || strchr("\t\n\r\"&<>\\", *text) == NULL) {
            hpm_string_add_bytes(string, text, length);
            text += length;
        } else {
            if (*text == '\\')
                hpm_string_add(string, "\\\\");
            else
                hpm_string_add_format(string, "&#%d;", *text);
            text++;
        }
    }
}

/* ---- attributes ------------------------------------------------------ */

static void
add_text(struct hpm_string *string, const char *name, const char *text)
{
    if (text == NULL)
        return;
    hpm_string_add_format(string, " %s=\"", name);
    hpm_writer_add_escaped(string, text);
    hpm_string_add_char(string, '"');
}

static void
add_integer(struct hpm_string *string, const char *name, long long value)
{
    hpm_string_add_format(string, " %s=\"%lld\"", name, value);
}

static void
add_count(struct hpm_string *string, const char *name, uint64_t value)
{
    hpm_string_add_format(string, " %s=\"%llu\"", name,
                          (unsigned long long)value);
}

static void
add_real(struct hpm_string *string, const char *name, double value)
{
    if (!isfinite(value))
        return;
    hpm_string_add_format(string, " %s=\"", name);
    hpm_string_add_real(string, value);
    hpm_string_add_char(string, '"');
}

/* Writes -5 ns as -0.000000005. */
static void
add_signed_seconds(struct hpm_string *string, const char *name, int64_t ns)
{
    uint64_t amount = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;

    hpm_string_add_format(string, " %s=\"%s%llu.%09llu\"", name,
                          ns < 0 ? "-" : "",
                          (unsigned long long)(amount / 1000000000),
                          (unsigned long long)(amount % 1000000000));
}

/* Writes nanoseconds as seconds with all nine decimals: exact. */
static void
add_seconds(struct hpm_string *string, const char *name, uint64_t ns)
{
    hpm_string_add_format(string, " %s=\"%llu.%09llu\"", name,
                          (unsigned long long)(ns / 1000000000),
                          (unsigned long long)(ns % 1000000000));
}

static const char *
yes_no(bool is_yes)
{
    return is_yes ? "yes" : "no";
}

/* ---- the run --------------------------------------------------------- */

static const char place_names[HPM_N_PLACE][13] = {
    "dims", "periods", "coords", "degrees", "sources", "destinations"};

static void
write_run(struct hpm_string *string, const struct hpm_experiment *experiment)
{
    const struct hpm_run *run = &experiment->run;

    hpm_string_add(string, "  <Run");
    add_integer(string, "task", run->task);
    add_text(string, "program", run->program);
    add_text(string, "job", run->job);
    add_integer(string, "pid", run->pid);
    if (run->forked_from > 0)
        add_integer(string, "forked_from", run->forked_from);
    add_text(string, "start", run->start);
    add_seconds(string, "seconds", run->ns);
    add_text(string, "exit", run->exit_status);
    add_text(string, "tool", PACKAGE_TARNAME " " PACKAGE_VERSION);
    add_text(string, "only", run->only);
    add_text(string, "except", run->except);
    if (run->n_skipped > 0)
        add_count(string, "skip", run->n_skipped);
    for (int i = 0; i < HPM_N_PLACE; i++)
        add_text(string, place_names[i], run->place[i]);
    hpm_string_add(string, ">\n");
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        hpm_string_add(string, "    <Resource");
        add_text(string, "name", resource->name);
        if (resource->is_known)
            add_count(string, "value", resource->value);
        else
            add_text(string, "state", hpm_state_name(HPM_STATE_UNSUPPORTED));
        if (resource->unit[0] != '\0')
            add_text(string, "unit", resource->unit);
        hpm_string_add(string, "/>\n");
    }
    hpm_string_add(string, "  </Run>\n");
}

static void
write_machine(struct hpm_string *string,
              const struct hpm_experiment *experiment)
{
    const struct hpm_machine *machine = &experiment->machine;

    hpm_string_add(string, "  <Machine");
    add_integer(string, "task", experiment->run.task);
    add_text(string, "host", machine->host);
    add_text(string, "system", machine->system);
    add_text(string, "arch", machine->architecture);
    add_text(string, "cpu", machine->cpu);
    if (machine->n_cpus > 0)
        add_integer(string, "cpus", machine->n_cpus);
    if (machine->n_allowed > 0)
        add_integer(string, "allowed", machine->n_allowed);
    add_text(string, "binding", machine->binding);
    add_text(string, "numa", machine->numa_nodes);
    add_text(string, "pmu", machine->pmu);
    if (machine->mhz > 0.0)
        add_real(string, "mhz", machine->mhz);
    add_text(string, "mhz_source", machine->mhz_source);
    add_text(string, "virtual", yes_no(machine->is_virtual));
    add_text(string, "facts", machine->facts);
    add_text(string, "counters",
             machine->has_hardware_counters ? "hardware" : "software only");
    add_text(string, "reason", machine->no_counters_reason);
    hpm_string_add(string, "/>\n");
}

static void
write_counters(struct hpm_string *string,
               const struct hpm_experiment *experiment)
{
    hpm_string_add(string, "  <Counters");
    add_integer(string, "task", experiment->run.task);
    hpm_string_add(string, ">\n");
    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        hpm_string_add(string, "    <Counter");
        add_text(string, "name", counter->name);
        add_text(string, "source", counter->source);
        add_text(string, "domain", counter->domain);
        if (counter->unit[0] != '\0')
            add_text(string, "unit", counter->unit);
        add_text(string, "state", hpm_state_name(counter->state));
        add_text(string, "reason", counter->reason);
        add_text(string, "description", counter->description);
        hpm_string_add(string, "/>\n");
    }
    hpm_string_add(string, "  </Counters>\n");
}

static void
add_signed_cost(struct hpm_string *string, const char *name, int64_t cost,
                bool is_time)
{
    if (is_time)
        add_signed_seconds(string, name, cost);
    else
        add_integer(string, name, cost);
}

static void
write_cost(struct hpm_string *string, const struct hpm_experiment *experiment,
           const struct hpm_calibrated_cost *cost)
{
    static const char *const selves[] = {"self", "self_median", "self_max"};
    static const char *const pairs[] = {"pair", "pair_median", "pair_max"};
    bool is_time = cost->counter == HPM_NO_COUNTER;

    hpm_string_add(string, "    <cost");
    add_text(string, "name",
             is_time ? "IncSec" : experiment->counters[cost->counter].name);
    for (int i = 0; i < 3; i++)
        add_signed_cost(string, selves[i], cost->self[i], is_time);
    for (int i = 0; i < 3; i++)
        add_signed_cost(string, pairs[i], cost->pair[i], is_time);
    add_signed_cost(string, "start", cost->start, is_time);
    hpm_string_add(string, "/>\n");
}

static void
write_calibrations(struct hpm_string *string,
                   const struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_calibrations; i++) {
        const struct hpm_calibrated *calibrated = &experiment->calibrations[i];

        hpm_string_add(string, "  <Calibration");
        add_integer(string, "task", experiment->run.task);
        add_text(string, "scope", hpm_scope_name(calibrated->scope));
        add_text(string, "when", calibrated->when);
        add_integer(string, "calls", calibrated->n_calls);
        hpm_string_add(string, ">\n");
        for (size_t j = 0; j < calibrated->n_costs; j++)
            write_cost(string, experiment, &calibrated->costs[j]);
        hpm_string_add(string, "  </Calibration>\n");
    }
}

static void
write_problems(struct hpm_string *string,
               const struct hpm_experiment *experiment)
{
    for (size_t i = 0; i < experiment->n_problems; i++) {
        hpm_string_add(string, "  <Problem");
        add_count(string, "count", experiment->problems[i].count);
        add_text(string, "text", experiment->problems[i].text);
        hpm_string_add(string, "/>\n");
    }
}

/* ---- the profile ------------------------------------------------------ */

static void
write_sampled(struct hpm_string *string, const struct hpm_profile_event *event)
{
    hpm_string_add(string, "    <Sampled");
    add_text(string, "name", event->name);
    add_text(string, "domain", event->domain);
    if (event->unit[0] != '\0')
        add_text(string, "unit", event->unit);
    add_count(string, "period", event->period);
    if (event->has_count)
        add_count(string, "count", event->count);
    add_count(string, "taken", event->n_taken);
    add_count(string, "lost", event->n_lost);
    if (event->has_chains)
        add_text(string, "chains", "fp");
    if (event->n_threads_without > 0)
        add_count(string, "threads_without", event->n_threads_without);
    hpm_string_add(string, "/>\n");
}

static void
write_profile(struct hpm_string *string,
              const struct hpm_experiment *experiment)
{
    const struct hpm_profile *profile = &experiment->profile;

    if (profile->n_events == 0)
        return;
    hpm_string_add(string, "  <Profile");
    add_integer(string, "task", experiment->run.task);
    hpm_string_add(string, ">\n");
    for (size_t i = 0; i < profile->n_events; i++)
        write_sampled(string, &profile->events[i]);
    for (size_t i = 0; i < profile->n_modules; i++) {
        hpm_string_add(string, "    <Module");
        add_count(string, "id", i + 1);
        add_text(string, "path", profile->modules[i].path);
        if (profile->modules[i].build_id[0] != '\0')
            add_text(string, "build_id", profile->modules[i].build_id);
        hpm_string_add(string, "/>\n");
    }
    hpm_string_add(string, "  </Profile>\n");
}

/* The nearest caller first, one word each: "2:4711", without a module ":4711";
 * "..." if there are more callers than were recorded. */
static void
write_callers(struct hpm_string *string, const struct hpm_chains *chains,
              uint32_t number)
{
    const char *blank = "";

    if (number == 0)
        return;
    hpm_string_add(string, " callers=\"");
    for (; number != 0; number = chains->chains[number - 1].caller) {
        const struct hpm_chain *chain = &chains->chains[number - 1];

        hpm_string_add(string, blank);
        if (chain->is_cut)
            hpm_string_add(string, "...");
        else if (chain->module < HPM_PROFILE_LOST)
            hpm_string_add_format(string, "%zu", chain->module + 1);
        if (!chain->is_cut)
            hpm_string_add_format(string, ":%llu",
                                  (unsigned long long)chain->offset);
        blank = " ";
    }
    hpm_string_add_char(string, '"');
}

/* Writes the number of samples at one address of a module; without a module,
 * the address itself. */
static void
write_hit(struct hpm_string *string, const struct hpm_chains *chains,
          const struct hpm_profile_hit *hit)
{
    if (hit->module == HPM_PROFILE_LOST)
        return;
    hpm_string_add(string, "      <at");
    if (hit->module != HPM_PROFILE_NO_MODULE)
        add_count(string, "module", hit->module + 1);
    hpm_string_add_format(string, " offset=\"%llu\" n=\"%llu\"",
                          (unsigned long long)hit->offset,
                          (unsigned long long)hit->n);
    write_callers(string, chains, hit->chain);
    hpm_string_add(string, "/>\n");
}

/* Writes the `n` hits of one event. */
static void
write_samples(struct hpm_string *string, const struct hpm_profile *profile,
              const struct hpm_profile_hit *hits, size_t n)
{
    uint64_t n_taken = 0, n_lost = 0;

    for (size_t i = 0; i < n; i++) {
        if (hits[i].module == HPM_PROFILE_LOST)
            n_lost += hits[i].n;
        else
            n_taken += hits[i].n;
    }
    hpm_string_add(string, "    <samples");
    add_text(string, "name", profile->events[hits->event].name);
    add_count(string, "taken", n_taken);
    if (n_lost > 0)
        add_count(string, "lost", n_lost);
    hpm_string_add(string, ">\n");
    for (size_t i = 0; i < n; i++)
        write_hit(string, &profile->chains, &hits[i]);
    hpm_string_add(string, "    </samples>\n");
}

static void
write_record_samples(struct hpm_string *string,
                     const struct hpm_profile *profile, size_t record)
{
    const struct hpm_profile_hit *hits;
    size_t n = hpm_profile_hits_of(profile, record, &hits);

    for (size_t i = 0, of_event; i < n; i += of_event) {
        for (of_event = 1;
             i + of_event < n && hits[i + of_event].event == hits[i].event;)
            of_event++;
        write_samples(string, profile, hits + i, of_event);
    }
}

/* ---- single calls ---------------------------------------------------- */

/* One word for each counter: 7; 7* for an estimate; - if not known. */
static void
add_counts(struct hpm_string *string, const struct hpm_call_count *counts,
           size_t n)
{
    hpm_string_add(string, " counts=\"");
    for (size_t i = 0; i < n; i++) {
        const char *blank = i > 0 ? " " : "";

        if (counts[i].is_there)
            hpm_string_add_format(string, "%s%lld%s", blank,
                                  (long long)counts[i].value,
                                  counts[i].is_estimate ? "*" : "");
        else
            hpm_string_add_format(string, "%s-", blank);
    }
    hpm_string_add_char(string, '"');
}

static void
write_calls(struct hpm_writer *writer, const struct hpm_experiment *experiment,
            const struct hpm_calls *calls)
{
    struct hpm_string *string = writer->text;

    hpm_string_add(string, "    <calls");
    add_count(string, "of", calls->n_made);
    add_count(string, "kept", calls->n);
    hpm_string_add(string, ">\n");
    for (size_t i = 0; i < calls->n_counters; i++) {
        hpm_string_add(string, "      <counted");
        add_text(string, "name", experiment->counters[i].name);
        hpm_string_add(string, "/>\n");
    }
    for (size_t i = 0; i < calls->n; i++) {
        hpm_string_add(string, "      <call");
        add_count(string, "n", calls->calls[i].number);
        add_signed_seconds(string, "begin", calls->calls[i].begin);
        add_signed_seconds(string, "seconds", calls->calls[i].ns);
        if (calls->n_counters > 0)
            add_counts(string, &calls->counts[i * calls->n_counters],
                       calls->n_counters);
        hpm_string_add(string, "/>\n");
        flush(writer, FLUSH_BYTES);
    }
    hpm_string_add(string, "    </calls>\n");
}

/* ---- the records ----------------------------------------------------- */

static void
write_no_time(struct hpm_string *string, const char *name, enum hpm_state state)
{
    hpm_string_add(string, "    <data");
    add_text(string, "name", name);
    hpm_string_add(string, " kind=\"time\" unit=\"s\"");
    add_text(string, "state", hpm_state_name(state));
    add_text(string, "reason", HPM_REASON_ENTRY_ONLY);
    hpm_string_add(string, "/>\n");
}

static void
write_times(struct hpm_string *string, const struct hpm_record *record)
{
    const struct hpm_value *time = &record->time;

    if (!record->is_outside)
        hpm_string_add_format(string,
                              "    <data name=\"Count\" value=\"%llu\" "
                              "kind=\"counter\"/>\n",
                              (unsigned long long)record->calls);
    if (!hpm_state_has_value(time->state)) {
        write_no_time(string, "ExcSec", time->state);
        write_no_time(string, "IncSec", time->state);
        return;
    }
    hpm_string_add(string, "    <data name=\"ExcSec\"");
    add_seconds(string, "value", time->exclusive);
    hpm_string_add(string, " kind=\"time\" unit=\"s\"/>\n");
    if (time->lacks_total)
        return;
    hpm_string_add(string, "    <data name=\"IncSec\"");
    add_seconds(string, "value", time->total);
    add_real(string, "mean", time->mean / 1e9);
    add_real(string, "sdev", time->deviation / 1e9);
    if (time->has_overhead) {
        add_seconds(string, "overhead", time->overhead);
        add_real(string, "uncertainty", time->uncertainty / 1e9);
    }
    if (time->n_clamped > 0)
        add_integer(string, "clamped", time->n_clamped);
    hpm_string_add(string, " kind=\"time\" unit=\"s\"/>\n");
}

/* A value that is too brief has no estimate, but its share and its windows are
 * written. */
static void
write_turns(struct hpm_string *string, const struct hpm_value *value)
{
    if (value->state == HPM_STATE_SHARED || value->state == HPM_STATE_BRIEF)
        add_real(string, "share", value->share);
    if (value->freedom > 0 && value->state == HPM_STATE_SHARED) {
        if (!value->lacks_total)
            add_real(string, "error", value->error);
        if (value->has_exclusive)
            add_real(string, "error_exclusive", value->error_exclusive);
    }
    if (value->n_windows > 0)
        add_count(string, "windows", value->n_windows);
    if (value->freedom > 0)
        add_integer(string, "freedom", (int)value->freedom);
}

static void
write_datum(struct hpm_string *string, const struct hpm_counter *counter,
            const struct hpm_value *value, enum hpm_scope scope)
{
    if (!value->is_present)
        return;
    hpm_string_add(string, "    <data");
    add_text(string, "name", counter->name);
    if (hpm_state_has_value(value->state)) {
        if (!value->lacks_total)
            add_count(string, "value", value->total);
        if (value->has_exclusive)
            add_count(string, "exclusive", value->exclusive);
        if (!value->lacks_total) {
            add_real(string, "mean", value->mean);
            add_real(string, "sdev", value->deviation);
            if (value->has_overhead)
                add_count(string, "overhead", value->overhead);
        }
        if (value->uncertainty > 0.0)
            add_real(string, "uncertainty", value->uncertainty);
        if (value->n_clamped > 0)
            add_integer(string, "clamped", value->n_clamped);
    }
    write_turns(string, value);
    add_text(string, "kind",
             counter->kind == HPM_COUNTER_TIME ? "time" : "counter");
    if (counter->unit[0] != '\0')
        add_text(string, "unit", counter->unit);
    if (value->state != HPM_STATE_COUNTED)
        add_text(string, "state", hpm_state_name(value->state));
    if (value->state == HPM_STATE_BRIEF)
        add_text(string, "reason", HPM_REASON_BRIEF);
    else if (!hpm_state_has_value(value->state))
        add_text(string, "reason",
                 counter->reason != NULL ? counter->reason
                                         : "what counts it does not say why");
    else if (value->lacks_total)
        add_text(string, "reason", HPM_REASON_ONLY_EXCLUSIVE);
    if (counter->omits_children && scope == HPM_SCOPE_PROCESS)
        add_text(string, "children", "not counted");
    if (counter->is_hidden)
        hpm_string_add(string, " disp=\"false\"");
    hpm_string_add(string, "/>\n");
}

/* ---- metrics --------------------------------------------------------- */

static void
add_limits(struct hpm_string *string, const struct hpm_metric *metric)
{
    static const char *const names[2][2] = {{"sbad", "sgood"},
                                            {"dbad", "dgood"}};

    for (int i = 0; i < 2; i++) {
        const struct hpm_limits *limits = &metric->limits[i];

        if (limits->bad.is_given)
            add_real(string, names[i][0], hpm_limit_to_file(&limits->bad));
        if (limits->good.is_given)
            add_real(string, names[i][1], hpm_limit_to_file(&limits->good));
    }
}

/* Writes the state of the inclusive value, or of the exclusive one if there is
 * no other, and the reason if there is no inclusive value. */
static void
add_state(struct hpm_string *string, const struct hpm_metric_value *inclusive,
          const struct hpm_metric_value *exclusive)
{
    const struct hpm_metric_value *value =
        inclusive->is_present ? inclusive : exclusive;
    struct hpm_string reason = {0};

    if (value->state != HPM_STATE_COUNTED)
        add_text(string, "state", hpm_state_name(value->state));
    if (isnan(value->value)) {
        hpm_metric_value_explain(value, &reason);
        add_text(string, "reason", hpm_string_text(&reason));
    } else if (!inclusive->is_present) {
        add_text(string, "reason", HPM_REASON_ONLY_EXCLUSIVE);
    }
    if (value->is_partial)
        add_text(string, "partial", "yes");
    hpm_string_finish(&reason, &string->failed);
}

static void
add_metric_value(struct hpm_string *string, const char *name,
                 const struct hpm_metric_value *value, double scale)
{
    struct hpm_string digits = {0};

    if (hpm_metric_value_add_exact(&digits, value, scale))
        add_text(string, name, hpm_string_text(&digits));
    else
        add_real(string, name, value->value / scale);
    hpm_string_finish(&digits, &string->failed);
}

static void
write_metric(struct hpm_string *string, const struct hpm_metric *metric,
             const struct hpm_metric_value *inclusive,
             const struct hpm_metric_value *exclusive)
{
    hpm_string_add(string, "    <data");
    add_text(string, "name", metric->shown);
    if (inclusive->is_present)
        add_metric_value(string, "value", inclusive, metric->scale);
    if (exclusive->is_present)
        add_metric_value(string, "exclusive", exclusive, metric->scale);
    hpm_string_add(string, " kind=\"metric\"");
    add_text(string, "unit", metric->texts[HPM_TEXT_UNIT]);
    add_state(string, inclusive, exclusive);
    add_limits(string, metric);
    hpm_string_add(string, "/>\n");
}

static void
write_metrics(struct hpm_string *string, struct hpm_derived *derived,
              size_t record)
{
    const struct hpm_metrics *metrics = derived->metrics;
    const struct hpm_metric_value *inclusive =
        hpm_derived_values(derived, record, HPM_SPAN_INCLUSIVE);
    const struct hpm_metric_value *exclusive =
        hpm_derived_values(derived, record, HPM_SPAN_EXCLUSIVE);

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (hpm_derived_shows(derived, i, &inclusive[i]) ||
            hpm_derived_shows(derived, i, &exclusive[i]))
            write_metric(string, &metrics->metrics[i], &inclusive[i],
                         &exclusive[i]);
    }
}

/* ---- one record ------------------------------------------------------ */

/* How a function came to be a section; nothing for the program's own calls. */
static void
add_watched(struct hpm_string *string, const struct hpm_watched *watched)
{
    if (watched->via == HPM_VIA_CALL)
        return;
    add_text(string, "via", hpm_via_name(watched->via));
    if (watched->module == NULL)
        return;
    add_text(string, "module", watched->module);
    add_count(string, "offset", watched->offset);
}

static __attribute__((cold)) void
write_record_head(struct hpm_string *string,
                  const struct hpm_experiment *experiment, size_t i)
{
    const struct hpm_record *record = &experiment->records[i];

    struct hpm_string lid = {0}, label = {0};

    hpm_record_add_lid(record, &lid);
    hpm_record_add_label(record, &label);
    hpm_string_add(string,
                   record->is_outside ? "  <Outside" : "  <InstrumentationPt");
    add_text(string, "lid", hpm_string_text(&lid));
    hpm_string_add(string, " disp=\"true\"");
    add_integer(string, "tid", record->tid);
    add_integer(string, "task", experiment->run.task);
    add_text(string, "label", hpm_string_text(&label));
    add_text(string, "file", record->file);
    add_integer(string, "linestart", record->line_start);
    add_integer(string, "lineend", record->line_end);
    add_text(string, "scope", hpm_scope_name(record->scope));
    add_integer(string, "inst", record->instance);
    add_count(string, "id", i + 1);
    if (record->parent != HPM_NO_RECORD)
        add_count(string, "parent", record->parent + 1);
    if (record->within != HPM_NO_RECORD)
        add_count(string, "within", record->within + 1);
    if (record->omp >= 0)
        add_integer(string, "omp", record->omp);
    if (record->outer != record->calls)
        add_count(string, "outer", record->outer);
    if (record->n_skipped > 0)
        add_count(string, "skipped", record->n_skipped);
    if (record->n_threads > 0)
        add_integer(string, "threads", record->n_threads);
    if (record->is_open)
        add_text(string, "open", "yes");
    if (record->is_short)
        add_text(string, "short", "yes");
    if (record->has_overlap)
        add_text(string, "overlap", "yes");
    if (record->has_first_calls)
        add_text(string, "measured", "first calls");
    add_watched(string, &record->watched);
    hpm_string_add(string, ">\n");
    hpm_string_finish(&lid, &string->failed);
    hpm_string_finish(&label, &string->failed);
}

static void
write_record(struct hpm_writer *writer, const struct hpm_experiment *experiment,
             struct hpm_derived *derived, size_t i)
{
    struct hpm_string *string = writer->text;

    write_record_head(string, experiment, i);
    write_times(string, &experiment->records[i]);
    for (size_t j = 0; j < experiment->n_counters; j++)
        write_datum(string, &experiment->counters[j],
                    hpm_experiment_value(experiment, i, j),
                    experiment->records[i].scope);
    if (derived != NULL)
        write_metrics(string, derived, i);
    write_record_samples(string, &experiment->profile, i);
    if (writer->n_calls < experiment->n_calls &&
        experiment->calls[writer->n_calls].record == i)
        write_calls(writer, experiment, &experiment->calls[writer->n_calls++]);
    hpm_string_add(string, experiment->records[i].is_outside
                               ? "  </Outside>\n"
                               : "  </InstrumentationPt>\n");
}

/* ---- the file -------------------------------------------------------- */

static void
write_all(struct hpm_writer *writer, const struct hpm_experiment *experiment,
          struct hpm_derived *derived)
{
    struct hpm_string *text = writer->text;

    hpm_string_add(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                         "<HPMPerformanceFile version=\"1\"");
    add_text(text, "complete", yes_no(experiment->run.is_complete));
    add_text(text, "reason", experiment->run.reason);
    add_text(text, "kind", "run");
    hpm_string_add(text, ">\n");
    write_run(text, experiment);
    write_machine(text, experiment);
    write_counters(text, experiment);
    write_calibrations(text, experiment);
    write_problems(text, experiment);
    write_profile(text, experiment);
    for (size_t i = 0; i < experiment->n_records; i++) {
        write_record(writer, experiment, derived, i);
        flush(writer, FLUSH_BYTES);
    }
    hpm_string_add_format(text,
                          "  <End records=\"%zu\"/>\n"
                          "</HPMPerformanceFile>\n",
                          experiment->n_records);
    flush(writer, 0);
}

bool
hpm_writer_write(const struct hpm_experiment *experiment,
                 struct hpm_derived *derived, struct hpm_output *output,
                 struct hpm_error *err)
{
    struct hpm_string text = {0};
    struct hpm_writer writer = {.text = &text, .output = output};
    bool is_good;

    write_all(&writer, experiment, derived);
    is_good = !text.failed;
    hpm_string_free(&text);
    return is_good || hpm_error_no_memory(err);
}

void
hpm_writer_print(const struct hpm_experiment *experiment,
                 struct hpm_derived *derived, struct hpm_string *string)
{
    struct hpm_writer writer = {.text = string};

    write_all(&writer, experiment, derived);
}
