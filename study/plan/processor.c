/* SPDX-License-Identifier: BSD-3-Clause
 * A processor as the definitions describe it. */
#include "study/plan/processor.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "metric/binding.h"
#include "metric/making.h"

/* Each PMU is judged as in a usual machine. */
enum { FACTS = HPM_FACT_L2 | HPM_FACT_L3 | HPM_FACT_FMA };
enum { KNOWN_FACTS = FACTS | HPM_FACT_SMT | HPM_FACT_VM | HPM_FACT_NUMA };

/* ---- the processor's events ------------------------------------------ */

bool
hpm_processor_is_for(const struct hpm_spec *spec,
                     const struct hpm_statement *statement, const char *pmu)
{
    const struct hpm_range range = spec->arches[statement->arch].pmus;

    for (size_t i = range.first; i < range.first + range.count; i++) {
        if (strcmp(hpm_spec_text(spec, spec->pmus[i]), pmu) == 0)
            return true;
    }
    return false;
}

/* Is this a name such as "sw::task-clock", which any machine or kernel has? */
static bool
has_namespace(const char *name)
{
    static const char *const spaces[] = {
        "sw::", "ru::", "proc::", "time::", "cpu::", "perf::", "work::"};

    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++) {
        if (strncmp(name, spaces[i], strlen(spaces[i])) == 0)
            return true;
    }
    return hpm_binding_is_free(name);
}

/* Does a statement give it a value other than the sum of its parts? */
static bool
has_value(const struct hpm_metrics *metrics, uint32_t name)
{
    const struct hpm_metric *metric;

    if (metrics->metric_of[name] == 0)
        return false;
    metric = &metrics->metrics[metrics->metric_of[name] - 1];
    for (size_t i = 0; i < metric->rules.count; i++) {
        if (metrics->rules[metric->rules.first + i].kind !=
            HPM_STATEMENT_COMPOSE)
            return true;
    }
    return false;
}

/* A measure for one PMU may use a kernel's name for an event of the PMU: the
 * events of RISC-V's firmware are only known by the kernel's list. */
static bool
is_of_kernel(const char *name)
{
    return strncmp(name, "perf::", 6) == 0;
}

/* These names are events: in a measure the metric's own name; in a set a name
 * that is also a part or a sum in a hierarchy; and in any statement a name that
 * is not defined. */
static void
note_name(struct hpm_processor *processor,
          const struct hpm_statement *statement, uint32_t name)
{
    const struct hpm_metrics *metrics = processor->metrics;
    const char *text = hpm_spec_text(metrics->spec, name);
    bool is_defined = metrics->metric_of[name] != 0;
    bool is_measure = statement->kind == HPM_STATEMENT_MEASURE;

    if (is_measure && statement->name == name)
        is_defined = false;
    if (statement->kind == HPM_STATEMENT_SET)
        is_defined = has_value(metrics, name);
    if (!metrics->is_constant[name] && !is_defined &&
        ((is_measure && is_of_kernel(text)) || !has_namespace(text)))
        processor->is_event[name] = true;
}

/* Skip compositions: a part may be the rest of the whole.  If it is an event, a
 * statement of another kind names it. */
static void
note_events(struct hpm_processor *processor)
{
    const struct hpm_spec *spec = processor->metrics->spec;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *statement = &spec->statements[i];

        if (!hpm_processor_is_for(spec, statement, processor->pmu) ||
            statement->kind == HPM_STATEMENT_COMPOSE)
            continue;
        for (size_t j = 0; j < statement->terms.count; j++)
            note_name(processor, statement,
                      spec->terms[statement->terms.first + j].name);
        for (size_t j = 0; j < statement->ops.count; j++) {
            const struct hpm_op *op = &spec->ops[statement->ops.first + j];

            if (op->kind == HPM_OP_NAME || op->kind == HPM_OP_TOTAL)
                note_name(processor, statement, op->name);
        }
    }
}

bool
hpm_processor_has_event(const struct hpm_processor *processor,
                        const char *event)
{
    uint32_t name = hpm_names_find(&processor->metrics->spec->names, event);

    return name != HPM_NO_NAME && processor->is_event[name];
}

/* Counts that only some programs make themselves (work::flop) do not make a
 * metric measurable: they would hide the events that any program can count. */
static enum hpm_countable
can_count(const char *name, void *context)
{
    const struct hpm_processor *processor = context;

    if (hpm_processor_has_event(processor, name))
        return HPM_COUNTABLE_YES;
    if (is_of_kernel(name) || strncmp(name, "work::", 6) == 0 ||
        strncmp(name, "cpu::topdown-", 13) == 0 ||
        strcmp(name, "cpu::slots") == 0)
        return HPM_COUNTABLE_NO;
    return has_namespace(name) ? HPM_COUNTABLE_FREE : HPM_COUNTABLE_NO;
}

/* ---- the processor's counters ---------------------------------------- */

static const char counter_prefix[] = "COUNTER_";

bool
hpm_processor_is_counter_set(const char *name)
{
    size_t length = strlen(counter_prefix);

    return strcmp(name, "FIXED") == 0 || strcmp(name, "PAIRED") == 0 ||
           (strncmp(name, counter_prefix, length) == 0 &&
            isdigit((unsigned char)name[length]));
}

/* Note the events that a counter set names, as bits of their demand. */
static void
note_counter(struct hpm_processor *processor, const char *set, unsigned char n,
             uint64_t counter)
{
    const struct hpm_metrics *metrics = processor->metrics;
    const struct hpm_metric_set *found = hpm_metrics_find_set(metrics, set);

    for (size_t i = 0; found != NULL && i < found->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[found->inputs.first + i];
        const char *name = input.is_metric ? metrics->metrics[input.index].name
                                           : metrics->leaves[input.index];
        uint32_t number = hpm_names_find(&metrics->spec->names, name);

        if (counter == 0)
            processor->demands[number].n = n;
        else
            processor->demands[number].counters |= counter;
    }
}

static void
note_counters(struct hpm_processor *processor)
{
    const struct hpm_metrics *metrics = processor->metrics;

    for (size_t i = 0; i < metrics->spec->names.n_texts; i++)
        processor->demands[i].n = processor->is_event[i];
    note_counter(processor, "PAIRED", 2, 0);
    note_counter(processor, "FIXED", 0, 0);
    for (size_t i = 0; i < HPM_MAX_MODEL_COUNTERS; i++) {
        char name[32];

        snprintf(name, sizeof name, "%s%zu", counter_prefix, i + 1);
        note_counter(processor, name, 1, (uint64_t)1 << i);
    }
}

static struct hpm_demand
demand_of(const struct hpm_processor *processor, const char *event)
{
    uint32_t name = hpm_names_find(&processor->metrics->spec->names, event);

    return name != HPM_NO_NAME ? processor->demands[name]
                               : (struct hpm_demand){0};
}

size_t
hpm_processor_cost(const struct hpm_processor *processor,
                   const char *const *events, size_t n_events)
{
    size_t n = 0;

    for (size_t i = 0; i < n_events; i++)
        n += demand_of(processor, events[i]).n;
    return n;
}

/* A matching of counters and places: each step finds one more place along an
 * alternating path. */
struct assignment {
    uint64_t wanted[HPM_MAX_MODEL_COUNTERS]; /* by place: possible ones */
    int holder[HPM_MAX_MODEL_COUNTERS];      /* by counter: its place, or -1 */
    size_t n_places, n_counters;
};

static bool
find_counter(struct assignment *assignment, int place, uint64_t *tried)
{
    for (size_t i = 0; i < assignment->n_counters; i++) {
        uint64_t bit = (uint64_t)1 << i;

        if ((assignment->wanted[place] & bit) == 0 || (*tried & bit) != 0)
            continue;
        *tried |= bit;
        if (assignment->holder[i] < 0 ||
            find_counter(assignment, assignment->holder[i], tried)) {
            assignment->holder[i] = place;
            return true;
        }
    }
    return false;
}

bool
hpm_processor_fits(const struct hpm_processor *processor,
                   const char *const *events, size_t n_events)
{
    struct assignment assignment = {.n_counters = processor->n_counters};

    if (hpm_processor_cost(processor, events, n_events) > processor->n_counters)
        return false;
    for (size_t i = 0; i < n_events; i++) {
        struct hpm_demand demand = demand_of(processor, events[i]);

        for (size_t j = 0; j < demand.n; j++)
            assignment.wanted[assignment.n_places++] =
                demand.counters != 0 ? demand.counters : UINT64_MAX;
    }
    for (size_t i = 0; i < assignment.n_counters; i++)
        assignment.holder[i] = -1;
    for (size_t i = 0; i < assignment.n_places; i++) {
        uint64_t tried = 0;

        if (!find_counter(&assignment, (int)i, &tried))
            return false;
    }
    return true;
}

static size_t
read_counters(const struct hpm_metrics *metrics)
{
    uint32_t name = hpm_names_find(&metrics->spec->names, "COUNTERS");
    double n = name != HPM_NO_NAME ? metrics->constant_of[name] : (double)NAN;

    return n >= 1 && n <= HPM_MAX_MODEL_COUNTERS ? (size_t)n : 0;
}

/* ---- public functions ------------------------------------------------ */

bool
hpm_processor_open(struct hpm_processor *processor, struct hpm_spec *spec,
                   const char *pmu, struct hpm_error *err)
{
    struct hpm_platform platform = {
        .pmu = pmu, .facts = FACTS, .known = KNOWN_FACTS};

    *processor = (struct hpm_processor){
        .pmu = pmu, .metrics = hpm_metrics_new(spec, &platform, err)};
    if (processor->metrics == NULL)
        return false;
    processor->is_event = hpm_memory_new(spec->names.n_texts, sizeof(bool));
    processor->demands =
        hpm_memory_new(spec->names.n_texts, sizeof *processor->demands);
    if (processor->is_event == NULL || processor->demands == NULL) {
        hpm_processor_close(processor);
        return hpm_error_no_memory(err);
    }
    if (!hpm_request_init(&processor->request, processor->metrics, can_count,
                          processor, err)) {
        hpm_processor_close(processor);
        return false;
    }
    note_events(processor);
    note_counters(processor);
    processor->n_counters = read_counters(processor->metrics);
    return true;
}

void
hpm_processor_close(struct hpm_processor *processor)
{
    hpm_request_clear(&processor->request);
    hpm_memory_free(processor->is_event);
    hpm_memory_free(processor->demands);
    hpm_metrics_free(processor->metrics);
    *processor = (struct hpm_processor){0};
}
