/* SPDX-License-Identifier: BSD-3-Clause
 * What a file of definitions covers on the processors it is for.
 *
 * A processor is assumed to count exactly the events that the statements for it
 * name, so that a file can be judged on any machine. */
#include "study/tool/coverage.h"

#include <string.h>

#include "host/memory.h"
#include "metric/language/definitions.h"
#include "metric/request.h"
#include "study/plan/processor.h"

/* One PMU of one file. */
struct coverage {
    const char *pmu;
    hpm_coverage_ask *ask;
    void *context;
    struct hpm_string *lines;
    size_t n_faults;
    struct hpm_processor processor;
};

/* Called for each PMU; false when memory runs out. */
typedef bool visit_pmu(struct coverage *coverage);

/* ---- the PMU's events ------------------------------------------------ */

static enum hpm_acquaintance
ask_event(const struct coverage *coverage, size_t name,
          struct hpm_error *ret_why)
{
    const struct hpm_spec *spec = coverage->processor.metrics->spec;
    const char *text = spec->names.texts[name];

    return hpm_spec_find_event(spec, coverage->pmu, text) != NULL
               ? HPM_ACQUAINTANCE_DEFINED
               : coverage->ask(coverage->pmu, text, coverage->context, ret_why);
}

static bool
list_events(struct coverage *coverage)
{
    static const char *const words[HPM_N_ACQUAINTANCES] = {
        [HPM_ACQUAINTANCE_MISSING] = "untold",
        [HPM_ACQUAINTANCE_NONE] = "untold",
        [HPM_ACQUAINTANCE_NOT] = "unknown",
        [HPM_ACQUAINTANCE_WRONG] = "wrong",
        [HPM_ACQUAINTANCE_KNOWN] = "known",
        [HPM_ACQUAINTANCE_DEFINED] = "known",
    };
    const struct hpm_names *names = &coverage->processor.metrics->spec->names;
    struct hpm_error why;

    for (size_t i = 0; i < names->n_texts; i++) {
        if (coverage->processor.is_event[i])
            hpm_string_add_format(coverage->lines, "%s %s %s\n", coverage->pmu,
                                  names->texts[i],
                                  words[ask_event(coverage, i, &why)]);
    }
    return true;
}

/* The line "events": the number of events whose code definitions have, and of
 * each of libpfm4's answers on the others. */
static void
add_answers(struct hpm_string *lines, const size_t n[HPM_N_ACQUAINTANCES])
{
    size_t n_wrong = n[HPM_ACQUAINTANCE_WRONG], n_events = 0;
    size_t n_defined = n[HPM_ACQUAINTANCE_DEFINED];

    for (size_t i = 0; i < HPM_N_ACQUAINTANCES; i++)
        n_events += n[i];
    hpm_string_add_format(lines, "  events     %zu, ", n_events);
    if (n_defined > 0)
        hpm_string_add_format(lines, "%zu by codes of definitions%s", n_defined,
                              n_defined < n_events ? ", " : "\n");
    if (n_defined > 0 && n_defined == n_events)
        return;
    if (n[HPM_ACQUAINTANCE_MISSING] > 0)
        hpm_string_add(lines, "not checked: libpfm4 is missing here\n");
    else if (n[HPM_ACQUAINTANCE_NONE] > 0)
        hpm_string_add(lines,
                       "not checked: libpfm4 of this machine lacks the PMU\n");
    else
        hpm_string_add_format(
            lines,
            n_wrong > 0 ? "libpfm4 knows %zu and encodes %zu of them wrongly\n"
                        : "libpfm4 knows %zu\n",
            n[HPM_ACQUAINTANCE_KNOWN] + n_wrong, n_wrong);
}

static void
report_events(struct coverage *coverage)
{
    const struct hpm_names *names = &coverage->processor.metrics->spec->names;
    size_t n[HPM_N_ACQUAINTANCES] = {0};

    for (size_t i = 0; i < names->n_texts; i++) {
        enum hpm_acquaintance answer;
        struct hpm_error why;

        if (!coverage->processor.is_event[i])
            continue;
        answer = ask_event(coverage, i, &why);
        n[answer]++;
        if (answer == HPM_ACQUAINTANCE_NOT)
            hpm_string_add_format(coverage->lines,
                                  "  fault      there is no event '%s'\n",
                                  names->texts[i]);
        if (answer == HPM_ACQUAINTANCE_WRONG) {
            hpm_string_add_format(coverage->lines, "  refused    %s\n",
                                  why.text);
            coverage->processor.is_event[i] = false;
        }
    }
    coverage->n_faults += n[HPM_ACQUAINTANCE_NOT];
    add_answers(coverage->lines, n);
}

/* ---- the metrics of these events ------------------------------------- */

static bool
can_measure(struct coverage *coverage, struct hpm_input input)
{
    return hpm_request_ask_input(&coverage->processor.request, input) ==
           HPM_FEASIBLE_ALL;
}

static bool
is_generic(const struct hpm_metrics *metrics, const struct hpm_metric *metric)
{
    const char *file = hpm_spec_text(metrics->spec, metric->place.file);

    return metric->is_ratio && (strcmp(file, "generic.hpm") == 0 ||
                                strcmp(file, "levels.hpm") == 0);
}

/* The first name in a metric's formula that cannot be measured: the one to
 * define. */
static const char *
find_lacking(struct coverage *coverage, const struct hpm_metric *metric)
{
    const struct hpm_metrics *metrics = coverage->processor.metrics;

    for (size_t i = 0; i < metric->rules.count; i++) {
        const struct hpm_rule *rule = &metrics->rules[metric->rules.first + i];

        for (size_t j = 0; j < rule->steps.count; j++) {
            const struct hpm_step *step =
                &metrics->steps[rule->steps.first + j];
            bool is_name =
                step->kind == HPM_OP_NAME || step->kind == HPM_OP_TOTAL;

            if (is_name && !can_measure(coverage, step->input))
                return step->input.is_metric
                           ? metrics->metrics[step->input.index].name
                           : metrics->leaves[step->input.index];
        }
    }
    return "another machine";
}

static void
report_metrics(struct coverage *coverage)
{
    const struct hpm_metrics *metrics = coverage->processor.metrics;
    struct hpm_string missing = {0};
    size_t n = 0, n_all = 0;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (!is_generic(metrics, &metrics->metrics[i]))
            continue;
        n_all++;
        if (hpm_request_ask_metric(&coverage->processor.request, i) ==
            HPM_FEASIBLE_ALL) {
            n++;
            continue;
        }
        hpm_string_add_format(&missing, "  missing    %s needs %s\n",
                              metrics->metrics[i].name,
                              find_lacking(coverage, &metrics->metrics[i]));
    }
    hpm_string_add_format(coverage->lines,
                          "  metrics    %zu of the %zu generic "
                          "ones\n",
                          n, n_all);
    hpm_string_add_string(coverage->lines, &missing);
}

/* ---- hierarchies ----------------------------------------------------- */

static size_t
count_missing(struct coverage *coverage, const struct hpm_rule *tree)
{
    size_t n = 0;

    for (size_t i = 0; i < tree->inputs.count; i++)
        n += !can_measure(
            coverage,
            coverage->processor.metrics->inputs[tree->inputs.first + i]);
    return n;
}

static const struct hpm_rule *
tree_of(const struct hpm_metrics *metrics, size_t metric)
{
    size_t tree = metrics->metrics[metric].tree;

    return tree != HPM_NO_RULE ? &metrics->rules[tree] : NULL;
}

/* Is the metric measured, or the only missing part of a known whole? */
static bool
is_known(struct coverage *coverage, size_t metric)
{
    const struct hpm_metrics *metrics = coverage->processor.metrics;

    while (!can_measure(coverage, (struct hpm_input){true, metric})) {
        size_t parent = metrics->metrics[metric].parent;

        if (parent == HPM_NO_METRIC || tree_of(metrics, parent) == NULL ||
            count_missing(coverage, tree_of(metrics, parent)) != 1)
            return false;
        metric = parent;
    }
    return true;
}

/* The parts of a hierarchy that cannot be measured at all do not count as
 * missing. */
static bool
is_used(struct coverage *coverage, size_t metric)
{
    const struct hpm_metrics *metrics = coverage->processor.metrics;

    while (metrics->metrics[metric].parent != HPM_NO_METRIC)
        metric = metrics->metrics[metric].parent;
    return hpm_request_ask_metric(&coverage->processor.request, metric) !=
           HPM_FEASIBLE_NO;
}

static void
report_tree(struct coverage *coverage, size_t metric)
{
    const struct hpm_metrics *metrics = coverage->processor.metrics;
    const struct hpm_rule *tree = tree_of(metrics, metric);
    bool is_inferable =
        count_missing(coverage, tree) == 1 && is_known(coverage, metric);

    for (size_t i = 0; i < tree->inputs.count && !is_inferable; i++) {
        struct hpm_input part = metrics->inputs[tree->inputs.first + i];
        const char *name = part.is_metric ? metrics->metrics[part.index].name
                                          : metrics->leaves[part.index];
        bool has_parts = part.is_metric && tree_of(metrics, part.index) != NULL;

        if (!has_parts && !can_measure(coverage, part))
            hpm_string_add_format(coverage->lines,
                                  "  missing    '%s' of '%s'\n", name,
                                  metrics->metrics[metric].name);
    }
}

static void
report_trees(struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->processor.metrics->n_metrics; i++) {
        if (tree_of(coverage->processor.metrics, i) != NULL &&
            is_used(coverage, i))
            report_tree(coverage, i);
    }
}

/* ---- constants, limits ----------------------------------------------- */

static void
report_constants(struct coverage *coverage)
{
    static const char *const expected[] = {"COUNTERS", "WIDTH", "L2_LATENCY",
                                           "MEM_LATENCY"};
    const struct hpm_spec *spec = coverage->processor.metrics->spec;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        uint32_t name = hpm_names_find(&spec->names, expected[i]);
        bool is_set = false;

        for (size_t j = 0; j < spec->n_statements && !is_set; j++)
            is_set =
                spec->statements[j].kind == HPM_STATEMENT_CONST &&
                spec->statements[j].name == name &&
                hpm_processor_is_for(spec, &spec->statements[j], coverage->pmu);
        if (!is_set)
            hpm_string_add_format(coverage->lines,
                                  "  missing    the constant '%s'\n",
                                  expected[i]);
    }
}

static void
report_limits(struct coverage *coverage)
{
    const struct hpm_spec *spec = coverage->processor.metrics->spec;

    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *statement = &spec->statements[i];
        const struct hpm_attributes *attributes = &statement->attributes;

        if (!hpm_processor_is_for(spec, statement, coverage->pmu) ||
            attributes->texts[HPM_TEXT_SOURCE] != HPM_NO_NAME ||
            !(attributes->bad[0].is_given || attributes->bad[1].is_given ||
              attributes->good[0].is_given || attributes->good[1].is_given))
            continue;
        hpm_string_add_format(coverage->lines,
                              "  fault      the limits of '%s' have no "
                              "source\n",
                              hpm_spec_text(spec, statement->name));
        coverage->n_faults++;
    }
}

/* ---- sets ------------------------------------------------------------ */

/* The events that a set counts. */
struct counted {
    const char **events;
    size_t n;
};

static bool
find_counted(struct coverage *coverage, const struct hpm_metric_set *set,
             struct counted *ret_counted)
{
    struct hpm_request *request = &coverage->processor.request;
    const struct hpm_metrics *metrics = request->metrics;

    ret_counted->events =
        hpm_memory_new(metrics->n_leaves, sizeof *ret_counted->events);
    ret_counted->n = 0;
    if (ret_counted->events == NULL)
        return false;
    hpm_request_forget(request);
    hpm_request_add_set(request, set);
    for (size_t i = 0; i < metrics->n_leaves; i++) {
        if (request->is_wanted[i])
            ret_counted->events[ret_counted->n++] = metrics->leaves[i];
    }
    return true;
}

static void
report_misfit(struct coverage *coverage, const char *set, size_t cost)
{
    size_t n_counters = coverage->processor.n_counters;

    coverage->n_faults++;
    if (cost > n_counters)
        hpm_string_add_format(coverage->lines,
                              "  fault      the set '%s' takes %zu counters of "
                              "%zu\n",
                              set, cost, n_counters);
    else
        hpm_string_add_format(coverage->lines,
                              "  fault      the set '%s' wants one counter for "
                              "several events (see the sets COUNTER_1 to "
                              "COUNTER_%zu)\n",
                              set, n_counters);
}

static bool
report_sets(struct coverage *coverage)
{
    const struct hpm_processor *processor = &coverage->processor;
    const struct hpm_metrics *metrics = processor->metrics;
    size_t n_sets = 0;

    if (processor->n_counters == 0)
        return true;
    for (size_t i = 0; i < metrics->n_sets; i++) {
        const struct hpm_metric_set *set = &metrics->sets[i];
        struct counted counted;
        size_t cost;

        if (hpm_processor_is_counter_set(set->name))
            continue;
        if (!find_counted(coverage, set, &counted))
            return false;
        cost = hpm_processor_cost(processor, counted.events, counted.n);
        n_sets += cost > 0;
        if (!hpm_processor_fits(processor, counted.events, counted.n))
            report_misfit(coverage, set->name, cost);
        hpm_memory_free(counted.events);
    }
    hpm_string_add_format(coverage->lines,
                          "  sets       %zu, for %zu counters\n", n_sets,
                          processor->n_counters);
    return true;
}

/* ---- a PMU, a file --------------------------------------------------- */

static bool
report_pmu(struct coverage *coverage)
{
    hpm_string_add_format(coverage->lines, "%s\n", coverage->pmu);
    report_events(coverage);
    report_metrics(coverage);
    report_trees(coverage);
    report_constants(coverage);
    report_limits(coverage);
    return report_sets(coverage);
}

static bool
cover_pmu(struct coverage *coverage, struct hpm_spec *spec, visit_pmu *visit,
          struct hpm_error *err)
{
    bool is_good;

    if (!hpm_processor_open(&coverage->processor, spec, coverage->pmu, err))
        return false;
    is_good = visit(coverage) || hpm_error_no_memory(err);
    hpm_processor_close(&coverage->processor);
    return is_good;
}

/* Is this the file's first statement for this PMU? */
static bool
is_new(const struct hpm_spec *spec, size_t statement, const char *pmu)
{
    uint32_t file = spec->statements[statement].place.file;

    for (size_t i = 0; i < statement; i++) {
        if (spec->statements[i].place.file == file &&
            hpm_processor_is_for(spec, &spec->statements[i], pmu))
            return false;
    }
    return true;
}

static bool
cover_file(struct coverage *coverage, struct hpm_spec *spec, uint32_t file,
           visit_pmu *visit, struct hpm_error *err)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_range pmus =
            spec->arches[spec->statements[i].arch].pmus;

        if (spec->statements[i].place.file != file)
            continue;
        for (size_t j = pmus.first; j < pmus.first + pmus.count; j++) {
            coverage->pmu = hpm_spec_text(spec, spec->pmus[j]);
            if (is_new(spec, i, coverage->pmu) &&
                !cover_pmu(coverage, spec, visit, err))
                return false;
        }
    }
    return true;
}

static bool
has_statements(const struct hpm_spec *spec, uint32_t file)
{
    for (size_t i = 0; i < spec->n_statements; i++) {
        if (spec->statements[i].place.file == file)
            return true;
    }
    return false;
}

static bool
cover(const char *path, struct coverage *coverage, visit_pmu *visit,
      struct hpm_error *err)
{
    struct hpm_spec *spec = hpm_spec_new();
    uint32_t file;
    bool is_good;

    if (spec == NULL)
        return hpm_error_no_memory(err);
    is_good = hpm_definitions_read_file(spec, path, err);
    file = hpm_names_find(&spec->names, path);
    if (is_good && !has_statements(spec, file))
        is_good = hpm_error_set(err,
                                "%.200s: cannot be read, or has no "
                                "statements without fault",
                                path);
    is_good = is_good && cover_file(coverage, spec, file, visit, err);
    hpm_spec_free(spec);
    return is_good && (!coverage->lines->failed || hpm_error_no_memory(err));
}

bool
hpm_coverage_add(const char *path, hpm_coverage_ask *ask, void *context,
                 struct hpm_string *lines, size_t *ret_n_faults,
                 struct hpm_error *err)
{
    struct coverage coverage = {.ask = ask, .context = context, .lines = lines};

    if (!cover(path, &coverage, report_pmu, err))
        return false;
    *ret_n_faults = coverage.n_faults;
    return true;
}

bool
hpm_coverage_add_events(const char *path, hpm_coverage_ask *ask, void *context,
                        struct hpm_string *lines, struct hpm_error *err)
{
    struct coverage coverage = {.ask = ask, .context = context, .lines = lines};

    return cover(path, &coverage, list_events, err);
}
