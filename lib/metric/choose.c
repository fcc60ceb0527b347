/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses the definitions that hold on one machine, and makes the metrics of
 * them. */
#include "metric/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "metric/alias.h"

/* ---- what holds on this machine -------------------------------------- */

enum hpm_truth
hpm_choice_ask(const struct hpm_choice *choice, struct hpm_guard guard)
{
    const struct hpm_platform *platform = choice->platform;
    const char *name = hpm_spec_text(choice->spec, guard.fact);
    bool holds;

    if (name == NULL)
        return HPM_TRUTH_YES;
    for (size_t i = 0; i < HPM_N_FACTS; i++) {
        if (strcmp(name, hpm_fact_names[i]) != 0)
            continue;
        if (!(platform->known & 1u << i))
            return HPM_TRUTH_UNKNOWN;
        holds = (platform->facts & 1u << i) != 0;
        return holds != guard.is_negated ? HPM_TRUTH_YES : HPM_TRUTH_NO;
    }
    if (platform->pmu == NULL)
        return HPM_TRUTH_UNKNOWN;
    holds = strcmp(name, platform->pmu) == 0;
    return holds != guard.is_negated ? HPM_TRUTH_YES : HPM_TRUTH_NO;
}

void
hpm_choice_note(const struct hpm_choice *choice, uint32_t name,
                struct hpm_guard guard, struct hpm_lack *lack)
{
    if (lack->name == NULL || lack->is_known)
        *lack = (struct hpm_lack){
            .name = hpm_spec_text(choice->spec, name),
            .fact = hpm_spec_text(choice->spec, guard.fact),
            .is_negated = guard.is_negated,
            .is_known = hpm_choice_ask(choice, guard) == HPM_TRUTH_NO};
}

static bool
find_arches(struct hpm_choice *choice)
{
    const struct hpm_spec *spec = choice->spec;

    choice->metrics->is_arch_here =
        hpm_memory_new(spec->n_arches, sizeof(bool));
    if (choice->metrics->is_arch_here == NULL)
        return false;
    for (size_t i = 0; i < spec->n_arches; i++)
        choice->metrics->is_arch_here[i] =
            hpm_spec_is_here(spec, i, choice->platform->pmu);
    return true;
}

static bool
is_for_platform(const struct hpm_choice *choice,
                const struct hpm_statement *statement)
{
    return choice->metrics->is_arch_here[statement->arch];
}

/* Chain the statements that hold here by their names; "remove" ends a chain. */
bool
hpm_choice_begin(struct hpm_choice *choice)
{
    struct hpm_spec *spec = choice->spec;

    choice->last = hpm_memory_new(spec->names.n_texts, sizeof(size_t));
    choice->before = hpm_memory_new(spec->n_statements, sizeof(size_t));
    choice->metrics->holds = hpm_memory_new(spec->n_statements, sizeof(bool));
    if (choice->last == NULL || choice->before == NULL ||
        choice->metrics->holds == NULL || !find_arches(choice))
        return false;
    for (size_t i = 0; i < spec->n_statements; i++) {
        const struct hpm_statement *statement = &spec->statements[i];
        size_t *last = &choice->last[statement->name];

        if (statement->kind >= HPM_STATEMENT_EVENT ||
            !is_for_platform(choice, statement))
            continue;
        if (statement->kind == HPM_STATEMENT_REMOVE && *last == 0)
            hpm_spec_complain(spec, statement->place,
                              "there is nothing named '%s' to remove",
                              hpm_spec_text(spec, statement->name));
        choice->metrics->holds[i] =
            hpm_choice_ask(choice, statement->guard) == HPM_TRUTH_YES;
        choice->before[i] = *last;
        *last = statement->kind == HPM_STATEMENT_REMOVE ? 0 : i + 1;
    }
    return true;
}

/* ---- the statements of one name -------------------------------------- */

static int
compare_statements(const void *a, const void *b)
{
    const struct hpm_statement *const *one = a, *const *other = b;
    unsigned rank = hpm_spec_rank(*one);
    unsigned other_rank = hpm_spec_rank(*other);

    if (rank != other_rank)
        return rank < other_rank ? -1 : 1;
    return *one < *other ? -1 : 1;
}

static bool
gather(const struct hpm_choice *choice, uint32_t name, struct hpm_group *group)
{
    group->n = 0;
    for (size_t i = choice->last[name]; i != 0; i = choice->before[i - 1]) {
        if (!hpm_memory_grow(&group->statements, &group->capacity, group->n + 1,
                             sizeof *group->statements))
            return false;
        group->statements[group->n++] = &choice->spec->statements[i - 1];
    }
    if (group->n > 1)
        qsort(group->statements, group->n, sizeof *group->statements,
              compare_statements);
    return true;
}

bool
hpm_choice_is_set(const struct hpm_choice *choice, uint32_t name)
{
    for (size_t i = choice->last[name]; i != 0; i = choice->before[i - 1]) {
        if (choice->spec->statements[i - 1].kind == HPM_STATEMENT_SET)
            return true;
    }
    return false;
}

static bool
defines_metric(const struct hpm_statement *statement)
{
    return statement->kind == HPM_STATEMENT_MEASURE ||
           statement->kind == HPM_STATEMENT_COMPUTE ||
           statement->kind == HPM_STATEMENT_COMPOSE ||
           statement->kind == HPM_STATEMENT_RATIO;
}

/* ---- metrics without rules ------------------------------------------- */

bool
hpm_choice_add_leaf(struct hpm_choice *choice, uint32_t name,
                    struct hpm_position place)
{
    struct hpm_metrics *metrics = choice->metrics;

    if (metrics->leaf_of[name] != 0)
        return true;
    if (!hpm_memory_grow(&metrics->leaves, &metrics->leaves_capacity,
                         metrics->n_leaves + 1, sizeof *metrics->leaves) ||
        !hpm_memory_grow(&metrics->leaf_places, &metrics->places_capacity,
                         metrics->n_leaves + 1, sizeof *metrics->leaf_places))
        return false;
    metrics->leaves[metrics->n_leaves] = hpm_spec_text(metrics->spec, name);
    metrics->leaf_places[metrics->n_leaves] = place;
    metrics->leaf_of[name] = ++metrics->n_leaves;
    return true;
}

static bool
add_metric(struct hpm_choice *choice, uint32_t name, struct hpm_position place)
{
    struct hpm_metrics *metrics = choice->metrics;
    struct hpm_metric *metric;

    if (metrics->metric_of[name] != 0)
        return true;
    if (!hpm_memory_grow(&metrics->metrics, &metrics->metrics_capacity,
                         metrics->n_metrics + 1, sizeof *metrics->metrics) ||
        !hpm_choice_add_leaf(choice, name, place))
        return false;
    metric = &metrics->metrics[metrics->n_metrics++];
    metrics->metric_of[name] = metrics->n_metrics;
    *metric = (struct hpm_metric){
        .name = hpm_spec_text(metrics->spec, name),
        .scale = 1.0,
        .least = NAN,
        .most = NAN,
        .leaf = metrics->leaf_of[name] - 1,
        .tree = HPM_NO_RULE,
        .parent = HPM_NO_METRIC,
        .place = place,
    };
    metric->shown = metric->name;
    return true;
}

/* The parts of compositions are metrics, too, even without a definition: their
 * values may be inferred, and trees show them. */
static bool
add_parts(struct hpm_choice *choice, const struct hpm_statement *statement)
{
    struct hpm_metrics *metrics = choice->metrics;
    const struct hpm_spec *spec = choice->spec;

    for (size_t i = 0; i < statement->terms.count; i++) {
        const struct hpm_term *term = &spec->terms[statement->terms.first + i];
        bool is_event = strchr(hpm_spec_text(spec, term->name), ':') != NULL;

        if (!is_event && !metrics->is_constant[term->name] &&
            !add_metric(choice, term->name, term->place))
            return false;
    }
    return true;
}

/* Names that every section has in reports and files beside counters and
 * metrics. */
static bool
is_reserved(const char *name)
{
    return strcmp(name, "Count") == 0 || strcmp(name, "ExcSec") == 0 ||
           strcmp(name, "IncSec") == 0;
}

/* The order in reports: definitions for this machine, then definitions for any
 * machine, each in the order they were read, then parts without a
 * definition. */
enum pass { PASS_SPECIAL, PASS_GENERAL, PASS_PARTS, N_PASSES };

static bool
add_name(struct hpm_choice *choice, const struct hpm_statement *statement,
         enum pass pass)
{
    struct hpm_metrics *metrics = choice->metrics;

    if (is_reserved(hpm_spec_text(choice->spec, statement->name))) {
        hpm_spec_complain(choice->spec, statement->place,
                          "'%s' is what each section has without a "
                          "definition; give the metric another name",
                          hpm_spec_text(choice->spec, statement->name));
        return true;
    }
    if (metrics->is_constant[statement->name]) {
        hpm_spec_complain(choice->spec, statement->place,
                          "'%s' is a constant elsewhere; give one of them "
                          "another name",
                          hpm_spec_text(choice->spec, statement->name));
        return true;
    }
    if (pass == PASS_PARTS)
        return statement->kind != HPM_STATEMENT_COMPOSE ||
               add_parts(choice, statement);
    return (pass == PASS_SPECIAL) != (statement->arch != 0) ||
           add_metric(choice, statement->name, statement->place);
}

/* Make room for all metrics and rules but the parts without a definition, so
 * that the arrays need not move while they grow. */
static bool
make_room(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t n = 0;

    for (size_t i = 0; i < choice->spec->n_statements; i++)
        n += is_for_platform(choice, &choice->spec->statements[i]);
    return hpm_memory_grow(&metrics->metrics, &metrics->metrics_capacity, n,
                           sizeof *metrics->metrics) &&
           hpm_memory_grow(&metrics->rules, &metrics->rules_capacity, n,
                           sizeof *metrics->rules);
}

static bool
add_names(struct hpm_choice *choice)
{
    const struct hpm_spec *spec = choice->spec;

    if (!make_room(choice))
        return false;
    for (enum pass pass = 0; pass < N_PASSES; pass++) {
        for (size_t i = 0; i < spec->n_statements; i++) {
            const struct hpm_statement *statement = &spec->statements[i];

            if (defines_metric(statement) &&
                is_for_platform(choice, statement) &&
                choice->last[statement->name] != 0 &&
                !add_name(choice, statement, pass))
                return false;
        }
    }
    return true;
}

/* ---- attributes ------------------------------------------------------ */

void
hpm_choice_take_texts(const struct hpm_choice *choice,
                      const struct hpm_statement *statement,
                      const char *texts[HPM_N_TEXTS])
{
    for (int i = 0; i < HPM_N_TEXTS; i++) {
        if (statement->attributes.texts[i] != HPM_NO_NAME)
            texts[i] =
                hpm_spec_text(choice->spec, statement->attributes.texts[i]);
    }
}

static void
take_limit(struct hpm_choice *choice, const struct hpm_limit_formula *formula,
           const char *name, struct hpm_limit *limit)
{
    double value;

    if (!formula->is_given)
        return;
    value = hpm_choice_constant(choice, formula->ops);
    if (isnan(value))
        return;
    if (value <= 0.0) {
        hpm_spec_complain(choice->spec, formula->place,
                          "a limit of '%s' must be above 0, for its sign in "
                          "files says on which side values are meant",
                          name);
        return;
    }
    *limit = (struct hpm_limit){true, formula->is_above, value};
}

static void
take_scale(struct hpm_choice *choice, const struct hpm_statement *statement,
           struct hpm_metric *metric)
{
    double scale;

    if (statement->attributes.scale.count == 0)
        return;
    scale = hpm_choice_constant(choice, statement->attributes.scale);
    if (scale > 0.0)
        metric->scale = scale;
    else if (!isnan(scale))
        hpm_spec_complain(choice->spec, statement->place,
                          "the scale of '%s' must be above 0", metric->name);
}

static void
take_range(struct hpm_choice *choice, const struct hpm_statement *statement,
           struct hpm_metric *metric)
{
    const struct hpm_attributes *attributes = &statement->attributes;

    metric->is_of_run |= attributes->is_of_run;
    if (attributes->least.count == 0)
        return;
    metric->least = hpm_choice_constant(choice, attributes->least);
    metric->most = attributes->most.count > 0
                       ? hpm_choice_constant(choice, attributes->most)
                       : NAN;
    if (metric->most <= metric->least)
        hpm_spec_complain(choice->spec, statement->place,
                          "the range of '%s' ends where it begins, or before",
                          metric->name);
}

/* The last statement that says anything about the hint is the one complaints
 * point to. */
static void
take_hint(const struct hpm_statement *statement, struct hpm_metric *metric)
{
    static const enum hpm_text_kind kinds[] = {HPM_TEXT_WHY, HPM_TEXT_NEXT,
                                               HPM_TEXT_TRY, HPM_TEXT_LIKE};
    const struct hpm_attributes *attributes = &statement->attributes;
    bool is_given =
        attributes->evidence.count > 0 || attributes->unless.count > 0;

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        is_given |= attributes->texts[kinds[i]] != HPM_NO_NAME;
    if (is_given)
        metric->hint_place = statement->place;
    if (attributes->evidence.count > 0)
        metric->evidence = attributes->evidence;
    if (attributes->unless.count > 0)
        metric->unless = attributes->unless;
}

static void
take_attributes(struct hpm_choice *choice,
                const struct hpm_statement *statement,
                struct hpm_metric *metric)
{
    const struct hpm_attributes *attributes = &statement->attributes;

    hpm_choice_take_texts(choice, statement, metric->texts);
    if (metric->texts[HPM_TEXT_AS] != NULL)
        metric->shown = metric->texts[HPM_TEXT_AS];
    for (int i = 0; i < 2; i++) {
        metric->may_be_bad |= attributes->bad[i].is_given;
        take_limit(choice, &attributes->bad[i], metric->name,
                   &metric->limits[i].bad);
        take_limit(choice, &attributes->good[i], metric->name,
                   &metric->limits[i].good);
    }
    take_scale(choice, statement, metric);
    take_range(choice, statement, metric);
    take_hint(statement, metric);
}

static const struct hpm_limit_formula *
limit_of(const struct hpm_statement *statement, int precision, bool is_bad)
{
    const struct hpm_attributes *attributes = &statement->attributes;

    return is_bad ? &attributes->bad[precision] : &attributes->good[precision];
}

/* The last statement that gave this limit; there is one. */
static size_t
find_limit(const struct hpm_group *group, int precision, bool is_bad)
{
    size_t i = group->n - 1;

    while (i > 0 &&
           !limit_of(group->statements[i], precision, is_bad)->is_given)
        i--;
    return i;
}

/* No value may be both good and bad.  The complaint points to the limit that
 * was given last: it is the user's, if the other one was shipped. */
static void
check_limits(struct hpm_choice *choice, const struct hpm_group *group,
             const struct hpm_metric *metric, int precision)
{
    const struct hpm_limits *limits = &metric->limits[precision];
    bool is_same_side = limits->bad.is_above == limits->good.is_above;
    bool overlap = limits->bad.is_above
                       ? limits->good.value > limits->bad.value
                       : limits->good.value < limits->bad.value;
    size_t bad, good;

    if (!limits->bad.is_given || !limits->good.is_given ||
        (!is_same_side && !overlap))
        return;
    bad = find_limit(group, precision, true);
    good = find_limit(group, precision, false);
    hpm_spec_complain(choice->spec,
                      limit_of(group->statements[bad > good ? bad : good],
                               precision, bad > good)
                          ->place,
                      "a value of '%s' %s %g would be good and bad (%s "
                      "%g); expected the limits on opposite sides",
                      metric->name, limits->good.is_above ? "above" : "below",
                      limits->good.value,
                      limits->bad.is_above ? "above" : "below",
                      limits->bad.value);
}

/* Where the limit was given, or the range if that came later. */
static struct hpm_position
find_reach(const struct hpm_group *group, int precision, bool is_bad)
{
    size_t limit = find_limit(group, precision, is_bad);

    for (size_t i = group->n - 1; i > limit; i--) {
        if (group->statements[i]->attributes.least.count > 0)
            return group->statements[i]->place;
    }
    return limit_of(group->statements[limit], precision, is_bad)->place;
}

/* A limit outside the range is crossed by no value or by all: complain. */
static void
check_reach(struct hpm_choice *choice, const struct hpm_group *group,
            const struct hpm_metric *metric, int precision)
{
    for (int i = 0; i < 2; i++) {
        const struct hpm_limit *limit = i == 0
                                            ? &metric->limits[precision].bad
                                            : &metric->limits[precision].good;

        if (limit->is_given &&
            (limit->value < metric->least || limit->value > metric->most))
            hpm_spec_complain(choice->spec,
                              find_reach(group, precision, i == 0),
                              "the limit %g of '%s' is outside its range",
                              limit->value, metric->name);
    }
}

/* A metric is a count or a ratio, not both. */
static void
decide_kind(struct hpm_choice *choice, const struct hpm_group *group,
            struct hpm_metric *metric)
{
    const struct hpm_statement *first = NULL;

    for (size_t i = 0; i < group->n; i++) {
        const struct hpm_statement *here = group->statements[i];

        if (!defines_metric(here))
            continue;
        if (first == NULL)
            first = here;
        else if ((here->kind == HPM_STATEMENT_RATIO) !=
                 (first->kind == HPM_STATEMENT_RATIO))
            hpm_spec_complain(choice->spec, here->place,
                              "'%s' is a ratio and a count (%s:%d); expected "
                              "one or the other",
                              metric->name,
                              hpm_spec_text(choice->spec, first->place.file),
                              first->place.line);
    }
    metric->is_ratio = first != NULL && first->kind == HPM_STATEMENT_RATIO;
}

/* ---- all metrics ----------------------------------------------------- */

static void
complain_tune(struct hpm_choice *choice, const struct hpm_group *group)
{
    for (size_t i = 0; i < group->n; i++) {
        const struct hpm_statement *here = group->statements[i];
        const char *name = hpm_spec_text(choice->spec, here->name);
        const char *nearest = hpm_metrics_nearest(choice->metrics, name);

        if (here->kind == HPM_STATEMENT_TUNE)
            hpm_spec_complain(choice->spec, here->place,
                              nearest != NULL
                                  ? "there is no metric '%s' to tune; did you "
                                    "mean '%s'?"
                                  : "there is no metric '%s' to tune%.0s",
                              name, nearest != NULL ? nearest : "");
    }
}

static bool
fill_name(struct hpm_choice *choice, const struct hpm_group *group,
          uint32_t name)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t metric = metrics->metric_of[name];
    const struct hpm_statement *set = NULL;

    for (size_t i = 0; i < group->n; i++) {
        if (group->statements[i]->kind == HPM_STATEMENT_SET)
            set = group->statements[i];
    }
    if (set != NULL && !hpm_choice_add_set(choice, set))
        return false;
    if (metric == 0) {
        if (set == NULL && !metrics->is_constant[name])
            complain_tune(choice, group);
        return true;
    }
    for (size_t i = 0; i < group->n; i++)
        take_attributes(choice, group->statements[i],
                        &metrics->metrics[metric - 1]);
    for (int i = 0; i < 2; i++) {
        check_limits(choice, group, &metrics->metrics[metric - 1], i);
        check_reach(choice, group, &metrics->metrics[metric - 1], i);
    }
    return hpm_choice_add_rules(choice, group, &metrics->metrics[metric - 1]);
}

/* Two passes: first the kind of each metric, then the definitions, which need
 * the kinds of all. */
static bool
fill_names(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    struct hpm_group group = {0};
    bool is_good = true;

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < choice->spec->names.n_texts && is_good; i++) {
            uint32_t name = (uint32_t)i;

            if (choice->last[i] == 0)
                continue;
            is_good = gather(choice, name, &group);
            if (!is_good)
                break;
            if (pass == 1)
                is_good = fill_name(choice, &group, name);
            else if (metrics->metric_of[i] != 0)
                decide_kind(choice, &group,
                            &metrics->metrics[metrics->metric_of[i] - 1]);
        }
    }
    hpm_memory_free(group.statements);
    return is_good;
}

/* Do definitions name this event, in this or another spelling? */
static bool
is_event(const struct hpm_choice *choice, const char *name)
{
    struct hpm_string shown = {0}, leaf = {0};
    bool is_found = false;

    hpm_alias_add(&shown, name);
    for (size_t i = 0; i < choice->metrics->n_leaves && !is_found; i++) {
        hpm_alias_add(&leaf, choice->metrics->leaves[i]);
        is_found = strcmp(hpm_string_text(&leaf), hpm_string_text(&shown)) == 0;
        hpm_string_free(&leaf);
    }
    hpm_string_free(&shown);
    return is_found;
}

/* Does the name a metric is shown under differ from all other metrics,
 * counters, reserved names and partial values? */
static bool
is_own_name(const struct hpm_choice *choice, const struct hpm_metric *metric,
            const bool *is_taken)
{
    uint32_t name = hpm_names_find(&choice->spec->names, metric->shown);

    return metric->shown[0] != '\0' && metric->shown[0] != '~' &&
           !is_reserved(metric->shown) && !is_taken[name] &&
           choice->metrics->leaf_of[name] == 0 &&
           !is_event(choice, metric->shown);
}

/* Each name a metric is shown under must be its own, as its real name is. */
static bool
check_shown(struct hpm_choice *choice)
{
    bool *is_taken =
        hpm_memory_new(choice->spec->names.n_texts + 1, sizeof(bool));

    for (size_t i = 0; i < choice->metrics->n_metrics && is_taken != NULL;
         i++) {
        struct hpm_metric *metric = &choice->metrics->metrics[i];

        if (metric->shown == metric->name)
            continue;
        if (is_own_name(choice, metric, is_taken)) {
            is_taken[hpm_names_find(&choice->spec->names, metric->shown)] =
                true;
            continue;
        }
        hpm_spec_complain(choice->spec, metric->place,
                          "'%s' cannot be shown as '%s', which %s; expected a "
                          "name of its own after as",
                          metric->name, metric->shown,
                          metric->shown[0] == '\0' ? "is empty"
                          : metric->shown[0] == '~'
                              ? "begins with the mark of partial values"
                              : "is the name of something else");
        metric->shown = metric->name;
    }
    hpm_memory_free(is_taken);
    return is_taken != NULL;
}

/* "A/B" is one name.  If it has no definition but A has one, a division was
 * meant. */
static void
complain_slashes(struct hpm_choice *choice)
{
    const struct hpm_metrics *metrics = choice->metrics;

    for (size_t i = 0; i < metrics->n_leaves; i++) {
        const char *slash = strchr(metrics->leaves[i], '/');
        struct hpm_string before = {0};
        uint32_t name;

        if (slash == NULL)
            continue;
        hpm_string_add_bytes(&before, metrics->leaves[i],
                             (size_t)(slash - metrics->leaves[i]));
        name = hpm_names_find(&choice->spec->names, hpm_string_text(&before));
        if (name != HPM_NO_NAME && choice->last[name] != 0)
            hpm_spec_complain(choice->spec, metrics->leaf_places[i],
                              "'%s' is not defined; to divide, write blanks "
                              "around '/'",
                              metrics->leaves[i]);
        hpm_string_free(&before);
    }
}

bool
hpm_choice_add_metrics(struct hpm_choice *choice)
{
    if (!add_names(choice) || !fill_names(choice) || !check_shown(choice))
        return false;
    complain_slashes(choice);
    hpm_choice_complete_hints(choice);
    return true;
}
