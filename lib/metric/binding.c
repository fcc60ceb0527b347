/* SPDX-License-Identifier: BSD-3-Clause
 * Binds metrics to an experiment: which counter gives which leaf's count. */
#include "metric/binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "metric/matching.h"
#include "metric/roof.h"
#include "model/estimate.h"

/* Reads a word such as "LINE=64". */
static void
take_number(const char *word, size_t length, struct hpm_platform *platform)
{
    for (size_t i = 0; i < HPM_N_MACHINE_NUMBERS; i++) {
        size_t n = strlen(hpm_machine_numbers[i]);

        if (length > n && word[n] == '=' &&
            strncmp(word, hpm_machine_numbers[i], n) == 0)
            platform->numbers[i] = strtod(word + n + 1, NULL);
    }
}

struct hpm_platform
hpm_platform_of(const struct hpm_machine *machine)
{
    struct hpm_platform platform = {.pmu = machine->pmu,
                                    .numbers[HPM_MACHINE_MHZ] = machine->mhz};
    const char *word = machine->facts != NULL ? machine->facts : "";

    while (*word != '\0') {
        size_t length = strcspn(word, " ");
        bool is_absent = strncmp(word, "no-", 3) == 0;
        const char *name = is_absent ? word + 3 : word;
        size_t name_length = length - (is_absent ? 3 : 0);

        for (size_t i = 0; i < HPM_N_FACTS; i++) {
            if (strlen(hpm_fact_names[i]) != name_length ||
                memcmp(hpm_fact_names[i], name, name_length) != 0)
                continue;
            platform.known |= 1u << i;
            if (!is_absent)
                platform.facts |= 1u << i;
        }
        take_number(word, length, &platform);
        word += length;
        word += strspn(word, " ");
    }
    return platform;
}

/* ---- finding counts -------------------------------------------------- */

/* Where to find the count of each spelling. */
struct origins {
    struct hpm_matching matching;
    struct hpm_names names;
    enum hpm_origin *kinds;
    size_t *indices;
    size_t capacity;
    size_t indices_capacity;
    struct hpm_reach *reaches; /* per counter */
    uint32_t *of_counter;      /* per counter: its spelling */
    enum hpm_privilege base;   /* the run's default domain */
};

static uint32_t
spelling(struct origins *origins, const char *name)
{
    struct hpm_string text = {0};
    uint32_t number = HPM_NO_NAME;

    hpm_matching_add(&text, &origins->matching, name);
    if (!text.failed)
        number =
            hpm_names_add(&origins->names, hpm_string_text(&text), text.length);
    hpm_string_free(&text);
    return number;
}

/* If two have one spelling, the first is kept. */
static bool
add_origin(struct origins *origins, const char *name, enum hpm_origin kind,
           size_t index)
{
    uint32_t number = spelling(origins, name);

    if (number == HPM_NO_NAME ||
        !hpm_memory_grow(&origins->kinds, &origins->capacity, number + 1u,
                         sizeof *origins->kinds) ||
        !hpm_memory_grow(&origins->indices, &origins->indices_capacity,
                         number + 1u, sizeof *origins->indices))
        return false;
    if (origins->kinds[number] == HPM_ORIGIN_NONE) {
        origins->kinds[number] = kind;
        origins->indices[number] = index;
    }
    return true;
}

/* Names that every record has a value for. */
static const struct {
    const char *name;
    enum hpm_origin origin;
} free_names[] = {{"time::wall", HPM_ORIGIN_WALL},
                  {"Count", HPM_ORIGIN_CALLS},
                  {"cpu::mhz", HPM_ORIGIN_MHZ},
                  {"cpu::count", HPM_ORIGIN_CPUS},
                  {"cpu::allowed", HPM_ORIGIN_ALLOWED}};

enum { N_FREE = sizeof free_names / sizeof free_names[0] };

enum hpm_origin
hpm_binding_free_origin(const char *event)
{
    for (size_t i = 0; i < N_FREE; i++) {
        if (strcmp(event, free_names[i].name) == 0)
            return free_names[i].origin;
    }
    return hpm_roof_is_name(event) ? HPM_ORIGIN_ROOF : HPM_ORIGIN_NONE;
}

bool
hpm_binding_is_free(const char *event)
{
    return hpm_binding_free_origin(event) != HPM_ORIGIN_NONE;
}

static bool
add_counters(struct origins *origins, const struct hpm_experiment *experiment)
{
    bool is_good = true;

    for (size_t i = 0; i < experiment->n_counters; i++)
        hpm_matching_claim(&origins->matching, experiment->counters[i].name);
    for (size_t i = 0; i < experiment->n_counters && is_good; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        is_good = add_origin(origins, counter->name, HPM_ORIGIN_COUNTER, i);
        origins->of_counter[i] = spelling(origins, counter->name);
        is_good = is_good && origins->of_counter[i] != HPM_NO_NAME;
        origins->reaches[i] =
            hpm_reach_of(counter->name, counter->domain, counter->unit);
        origins->base = hpm_privilege_learn(origins->base, origins->reaches[i]);
    }
    return is_good;
}

static bool
add_origins(struct origins *origins, const struct hpm_experiment *experiment,
            bool is_whole_run)
{
    bool is_good = true;

    for (size_t i = 0; i < N_FREE && is_good; i++)
        is_good =
            add_origin(origins, free_names[i].name, free_names[i].origin, 0);
    is_good = is_good && add_counters(origins, experiment);
    for (size_t i = 0; i < experiment->n_resources && is_whole_run && is_good;
         i++)
        is_good = add_origin(origins, experiment->resources[i].name,
                             HPM_ORIGIN_RESOURCE, i);
    return is_good;
}

/* Takes the first counter of this spelling that counts the right domain. */
static void
find_counter(struct hpm_binding *binding, const struct origins *origins,
             size_t leaf, uint32_t number)
{
    const char *name = binding->metrics->leaves[leaf];
    enum hpm_privilege privilege;

    binding->origins[leaf].is_refused = true;
    for (size_t i = binding->experiment->n_counters; i > 0; i--) {
        if (origins->of_counter[i - 1] != number ||
            !hpm_reach_serves(origins->reaches[i - 1], name, origins->base,
                              &privilege))
            continue;
        binding->origins[leaf].is_refused = false;
        binding->origins[leaf].index = i - 1;
        binding->origins[leaf].privilege = privilege;
    }
    if (binding->origins[leaf].is_refused)
        binding->origins[leaf].privilege =
            origins->reaches[binding->origins[leaf].index].privilege;
}

static void
find_origins(struct hpm_binding *binding, const struct origins *origins)
{
    for (size_t i = 0; i < binding->metrics->n_leaves; i++) {
        uint32_t number = hpm_names_find(
            &origins->names, hpm_matching_of_leaf(&origins->matching, i));

        if (hpm_roof_is_name(binding->metrics->leaves[i]))
            binding->origins[i].origin = HPM_ORIGIN_ROOF;
        if (number == HPM_NO_NAME)
            continue;
        binding->origins[i].origin = origins->kinds[number];
        binding->origins[i].index = origins->indices[number];
        if (origins->kinds[number] == HPM_ORIGIN_COUNTER)
            find_counter(binding, origins, i, number);
    }
}

bool
hpm_binding_init(struct hpm_binding *binding, const struct hpm_metrics *metrics,
                 const struct hpm_experiment *experiment, bool is_whole_run,
                 struct hpm_error *err)
{
    struct origins origins = {.capacity = 0};
    bool is_good;

    *binding = (struct hpm_binding){
        .metrics = metrics,
        .experiment = experiment,
        .is_whole_run = is_whole_run,
        .has_wrong = hpm_some_count_is_wrong(experiment->machine.facts)};
    binding->origins =
        hpm_memory_new(metrics->n_leaves, sizeof *binding->origins);
    origins.reaches =
        hpm_memory_new(experiment->n_counters + 1, sizeof *origins.reaches);
    origins.of_counter =
        hpm_memory_new(experiment->n_counters + 1, sizeof *origins.of_counter);
    is_good = binding->origins != NULL && origins.reaches != NULL &&
              origins.of_counter != NULL &&
              hpm_matching_init(&origins.matching, metrics) &&
              add_origins(&origins, experiment, is_whole_run);
    if (is_good)
        find_origins(binding, &origins);
    hpm_matching_clear(&origins.matching);
    hpm_names_free(&origins.names);
    hpm_memory_free(origins.kinds);
    hpm_memory_free(origins.indices);
    hpm_memory_free(origins.reaches);
    hpm_memory_free(origins.of_counter);
    return is_good || hpm_error_no_memory(err);
}

/* Is the count from getrusage, counted as ru::... or known of the whole run? */
static bool
is_usage(const struct hpm_binding *binding, size_t leaf)
{
    size_t index = binding->origins[leaf].index;

    if (binding->origins[leaf].origin == HPM_ORIGIN_RESOURCE)
        return true;
    return binding->origins[leaf].origin == HPM_ORIGIN_COUNTER &&
           strncmp(binding->experiment->counters[index].name, "ru::", 4) == 0;
}

void
hpm_binding_begin_late(struct hpm_binding *binding)
{
    binding->begins_late = true;
    for (size_t i = 0; i < binding->metrics->n_leaves; i++) {
        if (is_usage(binding, i))
            binding->origins[i].origin = HPM_ORIGIN_NONE;
    }
}

void
hpm_binding_clear(struct hpm_binding *binding)
{
    hpm_memory_free(binding->origins);
    binding->origins = NULL;
}

/* ---- counting -------------------------------------------------------- */

static double
unit_factor(const char *unit)
{
    if (strcmp(unit, "ns") == 0)
        return 1e-9;
    if (strcmp(unit, "uJ") == 0)
        return 1e-6;
    return strcmp(unit, "kB") == 0 ? 1024.0 : 1.0;
}

static struct hpm_tally
to_count(const struct hpm_value *value, enum hpm_span span, double factor)
{
    struct hpm_tally count = {.is_present = value->is_present,
                              .state = value->state};
    bool is_exclusive = span == HPM_SPAN_EXCLUSIVE;

    if (is_exclusive ? !value->has_exclusive : value->lacks_total)
        count.is_present = false;
    count.value =
        factor * (double)(is_exclusive ? value->exclusive : value->total);
    count.is_exact = factor == 1.0;
    count.exact = is_exclusive ? value->exclusive : value->total;
    count.error = factor * value->uncertainty;
    if (value->state == HPM_STATE_SHARED) {
        double error = is_exclusive ? value->error_exclusive : value->error;
        bool is_known = value->freedom > 0 && !isnan(error);

        count.doubt = hpm_doubt_of_share(value->share, count.value,
                                         is_known ? factor * error : NAN);
        if (is_known)
            count.error += factor * error * hpm_estimate_reach(value->freedom);
    }
    return count;
}

/* A count without a unit is a number of events. */
static bool
is_events(const char *unit)
{
    return unit == NULL || unit[0] == '\0';
}

static struct hpm_tally
known(double value, bool is_known)
{
    return (struct hpm_tally){.is_present = true,
                              .state = is_known ? HPM_STATE_COUNTED
                                                : HPM_STATE_UNSUPPORTED,
                              .value = value};
}

static double
resolution_of(const struct hpm_binding *binding, size_t leaf)
{
    return hpm_count_resolution(binding->metrics->leaves[leaf],
                                binding->experiment->machine.facts);
}

static bool
is_wrong(const struct hpm_binding *binding, size_t leaf)
{
    return binding->has_wrong &&
           hpm_count_is_wrong(binding->metrics->leaves[leaf],
                              binding->experiment->machine.facts);
}

static struct hpm_tally
count_of_resource(const struct hpm_binding *binding, size_t leaf)
{
    const struct hpm_resource *resource =
        &binding->experiment->resources[binding->origins[leaf].index];
    struct hpm_tally count =
        known(unit_factor(resource->unit) * (double)resource->value,
              resource->is_known);

    count.is_exact = unit_factor(resource->unit) == 1.0;
    count.exact = (hpm_exact)resource->value;
    count.is_events = is_events(resource->unit);
    count.resolution = resolution_of(binding, leaf);
    return count;
}

static struct hpm_tally
count_of_roof(const struct hpm_binding *binding, size_t leaf)
{
    double value = hpm_roof_value(binding->metrics->leaves[leaf],
                                  binding->experiment->machine.facts);

    return known(value, !isnan(value));
}

/* Values that all records of a scope share. */
static struct hpm_tally
count_of_run(const struct hpm_binding *binding, size_t leaf,
             enum hpm_scope scope)
{
    const struct hpm_experiment *experiment = binding->experiment;

    switch (binding->origins[leaf].origin) {
    case HPM_ORIGIN_RESOURCE:
        /* of a thread, or a section of it, the run's are not known */
        if (scope == HPM_SCOPE_THREAD)
            return (struct hpm_tally){0};
        return count_of_resource(binding, leaf);
    case HPM_ORIGIN_ROOF:
        return count_of_roof(binding, leaf);
    case HPM_ORIGIN_MHZ:
        return known(experiment->machine.mhz, experiment->machine.mhz > 0.0);
    case HPM_ORIGIN_CPUS:
        return known(experiment->machine.n_cpus,
                     experiment->machine.n_cpus > 0);
    case HPM_ORIGIN_ALLOWED:
        if (scope == HPM_SCOPE_THREAD)
            return (struct hpm_tally){0};
        return known(experiment->machine.n_allowed,
                     experiment->machine.n_allowed > 0);
    default:
        return (struct hpm_tally){0};
    }
}

static struct hpm_tally
count_of_counter(const struct hpm_binding *binding, size_t leaf, size_t record,
                 enum hpm_span span)
{
    size_t index = binding->origins[leaf].index;
    const struct hpm_counter *counter = &binding->experiment->counters[index];
    const struct hpm_value *time = &binding->experiment->records[record].time;
    const struct hpm_value *value =
        hpm_experiment_value(binding->experiment, record, index);
    struct hpm_tally count = to_count(value, span, unit_factor(counter->unit));
    enum hpm_doubt doubt;

    /* tid -1 is the process, -2 the threads that share a record */
    if (hpm_tally_is_of_process(counter->name))
        count.place = (uint32_t)(binding->experiment->records[record].tid + 3);
    count.privilege = binding->origins[leaf].privilege;
    count.is_events = is_events(counter->unit);
    count.resolution = resolution_of(binding, leaf);
    doubt = hpm_doubt_of_time(counter->unit, value->has_overhead,
                              time->has_overhead ? (double)time->overhead * 1e-9
                                                 : 0.0,
                              value->uncertainty * 1e-9, count.value);
    if (doubt > count.doubt)
        count.doubt = doubt;
    if (is_wrong(binding, leaf))
        count.doubt = HPM_DOUBT_WRONG;
    if (!binding->is_whole_run && hpm_tally_is_peak(counter->name))
        count.cause = HPM_CAUSE_PEAK;
    if (count.is_present && binding->origins[leaf].is_refused)
        return hpm_tally_refuse(counter->name, count.privilege);
    return count;
}

/* The exclusive part of a record's time is always stored. */
static struct hpm_tally
count_of_record(const struct hpm_binding *binding, size_t leaf, size_t record,
                enum hpm_span span)
{
    const struct hpm_experiment *experiment = binding->experiment;
    struct hpm_value time = experiment->records[record].time;
    struct hpm_tally calls;

    switch (binding->origins[leaf].origin) {
    case HPM_ORIGIN_COUNTER:
        return count_of_counter(binding, leaf, record, span);
    case HPM_ORIGIN_WALL:
        time.is_present = time.has_exclusive = true;
        return to_count(&time, span, 1e-9);
    case HPM_ORIGIN_CALLS:
        calls = known((double)experiment->records[record].calls, true);
        calls.is_events = calls.is_exact = true;
        calls.exact = (hpm_exact)experiment->records[record].calls;
        return calls;
    default:
        return count_of_run(binding, leaf, experiment->records[record].scope);
    }
}

void
hpm_binding_count(const struct hpm_binding *binding, size_t record,
                  enum hpm_span span, struct hpm_tally *ret_counts)
{
    for (size_t i = 0; i < binding->metrics->n_leaves; i++) {
        ret_counts[i] = count_of_record(binding, i, record, span);
        if (binding->experiment->records[record].is_short &&
            ret_counts[i].doubt < HPM_DOUBT_SHORT)
            ret_counts[i].doubt = HPM_DOUBT_SHORT;
    }
}

/* ---- all records ----------------------------------------------------- */

static void
add_count(struct hpm_tally *sum, struct hpm_tally more)
{
    if (!more.is_present)
        return;
    hpm_tally_add(sum, &more,
                  sum->place != 0 && more.place != 0 &&
                      sum->place != more.place);
}

/* A record's exclusive count.  If there is none, the outermost records give
 * their inclusive count instead. */
static struct hpm_tally
own_count(const struct hpm_binding *binding, size_t leaf, size_t record)
{
    struct hpm_tally own =
        count_of_record(binding, leaf, record, HPM_SPAN_EXCLUSIVE);

    if (own.is_present ||
        binding->experiment->records[record].parent != HPM_NO_RECORD)
        return own;
    return count_of_record(binding, leaf, record, HPM_SPAN_INCLUSIVE);
}

void
hpm_binding_count_all(const struct hpm_binding *binding, enum hpm_scope scope,
                      struct hpm_tally *ret_counts)
{
    const struct hpm_experiment *experiment = binding->experiment;

    for (size_t i = 0; i < binding->metrics->n_leaves; i++) {
        enum hpm_origin origin = binding->origins[i].origin;
        bool is_sum = origin == HPM_ORIGIN_COUNTER ||
                      origin == HPM_ORIGIN_CALLS ||
                      (origin == HPM_ORIGIN_WALL && binding->begins_late);

        if (is_sum)
            ret_counts[i] = (struct hpm_tally){0};
        else if (origin == HPM_ORIGIN_WALL)
            ret_counts[i] = known((double)experiment->run.ns * 1e-9, true);
        else
            ret_counts[i] = count_of_run(binding, i, scope);
        for (size_t j = 0; j < experiment->n_records && is_sum; j++) {
            if (experiment->records[j].scope == scope)
                add_count(&ret_counts[i], own_count(binding, i, j));
        }
    }
}
