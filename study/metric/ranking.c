/* SPDX-License-Identifier: BSD-3-Clause
 * Which hints to give. */
#include "study/metric/ranking.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"

/* A hint about less than this part of the time is not given. */
static const double least_part = 0.05;

/* A hint replaces another one if it weighs at least this part of the other's
 * weight. */
static const double replacing_part = 0.5;

/* ---- the time a metric is a part of ----------------------------------- */

/* Does one of the metric's formulas use the wall clock time? */
static bool
has_wall(const struct hpm_metrics *metrics, const struct hpm_metric *metric)
{
    const struct hpm_range rules = metric->rules;

    for (size_t i = rules.first; i < rules.first + rules.count; i++) {
        const struct hpm_range steps = metrics->rules[i].steps;

        for (size_t j = steps.first; j < steps.first + steps.count; j++) {
            const struct hpm_step *step = &metrics->steps[j];

            if (step->kind == HPM_OP_NAME && !step->input.is_metric &&
                strcmp(metrics->leaves[step->input.index], "time::wall") == 0)
                return true;
        }
    }
    return false;
}

size_t
hpm_ranking_find_time(const struct hpm_metrics *metrics,
                      const struct hpm_metric *metric)
{
    if (metric->texts[HPM_TEXT_TIMEBASE] != NULL)
        return hpm_metrics_find(metrics, metric->texts[HPM_TEXT_TIMEBASE]);
    return has_wall(metrics, metric) ? HPM_NO_METRIC
                                     : hpm_metrics_find(metrics, "CPU_TIME");
}

size_t
hpm_ranking_find_part(const struct hpm_metrics *metrics,
                      const struct hpm_metric *metric)
{
    const char *name = metric->texts[HPM_TEXT_EXPLAINS];

    return name != NULL ? hpm_metrics_find(metrics, name) : HPM_NO_METRIC;
}

/* In cycles per second. */
static double
nominal_clock(const struct hpm_metrics *metrics)
{
    uint32_t name = hpm_names_find(&metrics->spec->names, "MHZ");

    return name != HPM_NO_NAME ? 1e6 * metrics->constant_of[name] : NAN;
}

bool
hpm_ranking_init(struct hpm_ranking *ranking, const struct hpm_metrics *metrics,
                 enum hpm_precision precision, struct hpm_error *err)
{
    size_t n = metrics->n_metrics;

    *ranking = (struct hpm_ranking){
        .metrics = metrics,
        .precision = precision,
        .cpu_time = hpm_metrics_find(metrics, "CPU_TIME"),
        .user_time = hpm_metrics_find(metrics, "USER_TIME"),
        .cycles = hpm_metrics_find(metrics, "CYCLES"),
        .clock = nominal_clock(metrics),
        .task = HPM_NO_TASK,
        .thread = HPM_NO_THREAD,
    };
    ranking->worst = hpm_memory_new(n, sizeof *ranking->worst);
    ranking->time_of = hpm_memory_new(n, sizeof *ranking->time_of);
    ranking->part_of = hpm_memory_new(n, sizeof *ranking->part_of);
    ranking->weights = hpm_memory_new(n, sizeof *ranking->weights);
    ranking->stand_ins = hpm_memory_new(n, sizeof *ranking->stand_ins);
    ranking->crossed = hpm_memory_new(n, sizeof *ranking->crossed);
    ranking->is_silent = hpm_memory_new(n, sizeof(bool));
    ranking->has_lower = hpm_memory_new(n, sizeof(bool));
    ranking->is_spoken_for = hpm_memory_new(n, sizeof(bool));
    ranking->n_below = hpm_memory_new(n, sizeof *ranking->n_below);
    if (ranking->worst == NULL || ranking->time_of == NULL ||
        ranking->part_of == NULL || ranking->weights == NULL ||
        ranking->stand_ins == NULL || ranking->crossed == NULL ||
        ranking->is_silent == NULL || ranking->has_lower == NULL ||
        ranking->is_spoken_for == NULL || ranking->n_below == NULL) {
        hpm_ranking_clear(ranking);
        return hpm_error_no_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        ranking->time_of[i] =
            hpm_ranking_find_time(metrics, &metrics->metrics[i]);
        ranking->part_of[i] =
            hpm_ranking_find_part(metrics, &metrics->metrics[i]);
    }
    return true;
}

void
hpm_ranking_clear(struct hpm_ranking *ranking)
{
    hpm_memory_free(ranking->worst);
    hpm_memory_free(ranking->time_of);
    hpm_memory_free(ranking->part_of);
    hpm_memory_free(ranking->weights);
    hpm_memory_free(ranking->stand_ins);
    hpm_memory_free(ranking->crossed);
    hpm_memory_free(ranking->is_silent);
    hpm_memory_free(ranking->has_lower);
    hpm_memory_free(ranking->is_spoken_for);
    hpm_memory_free(ranking->n_below);
    *ranking = (struct hpm_ranking){0};
}

double
hpm_limit_distance(const struct hpm_limit *limit, double value)
{
    double distance = limit->is_above ? 1.0 - limit->value / value
                                      : 1.0 - value / limit->value;

    return distance < 1.0 ? distance : 1.0;
}

/* ---- one place ------------------------------------------------------- */

static double
distance_of(const struct hpm_ranking *ranking,
            const struct hpm_metric_value *values, size_t metric)
{
    const struct hpm_metric *here = &ranking->metrics->metrics[metric];

    return hpm_limit_distance(&here->limits[ranking->precision].bad,
                              values[metric].value / here->scale);
}

static bool
has_time(const struct hpm_metric_value *values, size_t time)
{
    return time != HPM_NO_METRIC && values[time].is_present &&
           !values[time].is_partial && !isnan(values[time].value);
}

static double
clamp(double value, double most)
{
    return value < 0.0 ? 0.0 : value < most ? value : most;
}

/* A metric counted in the user program alone says nothing about the time in the
 * kernel.  For runs and process sections getrusage tells the user time; for
 * threads the cycles do: a section that is mostly in the kernel has few of
 * them. */
static double
time_of_user(const struct hpm_ranking *ranking,
             const struct hpm_metric_value *values, double most)
{
    size_t cycles = ranking->cycles;

    if (has_time(values, ranking->user_time))
        return clamp(values[ranking->user_time].value, most);
    if (has_time(values, cycles) &&
        values[cycles].privilege == HPM_PRIVILEGE_USER && ranking->clock > 0.0)
        return clamp(values[cycles].value / ranking->clock, most);
    return most;
}

/* The seconds of a place that the metric is a part of. */
static double
time_of(const struct hpm_ranking *ranking,
        const struct hpm_metric_value *values, size_t metric, double seconds)
{
    size_t time = ranking->time_of[metric];

    if (has_time(values, time))
        seconds = clamp(values[time].value, seconds);
    return time != HPM_NO_METRIC && time == ranking->cpu_time &&
                   values[metric].privilege == HPM_PRIVILEGE_USER
               ? time_of_user(ranking, values, seconds)
               : seconds;
}

/* The part, from 0 to 1, of that time that the hint explains: what the
 * definition says, else how far the value is beyond the limit. */
static double
part_of(const struct hpm_ranking *ranking,
        const struct hpm_metric_value *values, size_t metric)
{
    size_t part = ranking->part_of[metric];
    double value;

    if (part == HPM_NO_METRIC || !values[part].is_present ||
        isnan(values[part].value))
        return distance_of(ranking, values, metric);
    value = values[part].value / 100.0;
    return value < 0.0 ? 0.0 : value < 1.0 ? value : 1.0;
}

/* The weight of a metric's hint at this place: the seconds it explains; 0 for
 * none. */
static double
weigh(const struct hpm_ranking *ranking, const struct hpm_metric_value *values,
      const bool *is_chosen, double seconds, size_t metric)
{
    double time, explained;

    if (!ranking->metrics->metrics[metric].has_hint ||
        (is_chosen != NULL && !is_chosen[metric]) ||
        hpm_metrics_judge(ranking->metrics, values, metric,
                          ranking->precision) != HPM_VERDICT_BAD)
        return 0.0;
    time = time_of(ranking, values, metric, seconds);
    explained = time * part_of(ranking, values, metric);
    /* a distance is not a time: it is small where a limit is only just
     * crossed */
    return (ranking->part_of[metric] != HPM_NO_METRIC ? explained : time) <
                   least_part * seconds
               ? 0.0
               : explained;
}

static bool
gives_hint(const struct hpm_ranking *ranking, size_t metric)
{
    return ranking->weights[metric] > 0.0;
}

/* Mark all metrics above one that crossed its limit. */
static void
mark_above(struct hpm_ranking *ranking, size_t metric)
{
    size_t above = ranking->metrics->metrics[metric].parent;

    while (above != HPM_NO_METRIC) {
        ranking->has_lower[above] = true;
        above = ranking->metrics->metrics[above].parent;
    }
}

static bool
names(const struct hpm_metrics *metrics, size_t metric, size_t other)
{
    const struct hpm_range unless = metrics->metrics[metric].unless;

    for (size_t i = 0; i < unless.count; i++) {
        uint32_t name = metrics->spec->terms[unless.first + i].name;

        if (metrics->metric_of[name] == other + 1)
            return true;
    }
    return false;
}

/* Two metrics that name each other have one cause: the heavier one remains; of
 * equal ones, the one defined first. */
static bool
is_better(const struct hpm_ranking *ranking, size_t metric, size_t other)
{
    const double *weights = ranking->weights;

    if (weights[other] < replacing_part * weights[metric])
        return false;
    if (!names(ranking->metrics, other, metric))
        return true;
    return weights[other] > weights[metric] ||
           (weights[other] == weights[metric] && other < metric);
}

/* The weight of the best hint that replaces this metric's hint, from the
 * metrics after "unless"; 0 for none.  `ret_waits`: one of these is not decided
 * yet. */
static double
find_better(const struct hpm_ranking *ranking, size_t metric, bool *ret_waits)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const struct hpm_range unless = metrics->metrics[metric].unless;
    double best = 0.0;

    *ret_waits = false;
    for (size_t i = 0; i < unless.count; i++) {
        uint32_t name = metrics->spec->terms[unless.first + i].name;
        size_t other = metrics->metric_of[name];

        if (other == 0 || other - 1 == metric ||
            !gives_hint(ranking, other - 1) ||
            !is_better(ranking, metric, other - 1))
            continue;
        if (isnan(ranking->stand_ins[other - 1]))
            *ret_waits = true;
        else if (ranking->stand_ins[other - 1] > best)
            best = ranking->stand_ins[other - 1];
    }
    return best >= replacing_part * ranking->weights[metric] ? best : 0.0;
}

/* Decide all that can be decided now. */
static bool
decide_some(struct hpm_ranking *ranking)
{
    bool is_changed = false;

    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];
        bool waits;
        double better;

        if (!isnan(ranking->stand_ins[metric]))
            continue;
        better = find_better(ranking, metric, &waits);
        if (better <= 0.0 && waits)
            continue;
        ranking->is_silent[metric] = better > 0.0;
        ranking->stand_ins[metric] =
            better > 0.0 ? better : ranking->weights[metric];
        is_changed = true;
    }
    return is_changed;
}

/* In a circle of metrics that give way to each other, the heaviest remains:
 * otherwise none would, and a real problem would have no hint. */
static bool
decide_heaviest(struct hpm_ranking *ranking)
{
    const double *weights = ranking->weights;
    size_t heaviest = HPM_NO_METRIC;

    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];

        if (isnan(ranking->stand_ins[metric]) &&
            (heaviest == HPM_NO_METRIC || weights[metric] > weights[heaviest]))
            heaviest = metric;
    }
    if (heaviest == HPM_NO_METRIC)
        return false;
    ranking->stand_ins[heaviest] = weights[heaviest];
    return true;
}

/* Is the hint of this metric, or the hint that replaces it, enough for the
 * metric above it, too?  Not if it explains less than half as much, where both
 * are known as times. */
static bool
speaks_for(const struct hpm_ranking *ranking, size_t metric, size_t above)
{
    double enough = replacing_part * ranking->weights[above];

    if (ranking->is_silent[metric])
        return ranking->stand_ins[metric] >= enough;
    return ranking->part_of[metric] == HPM_NO_METRIC ||
           ranking->part_of[above] == HPM_NO_METRIC ||
           ranking->weights[metric] >= enough;
}

static void
speak_above(struct hpm_ranking *ranking)
{
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];
        size_t above = ranking->metrics->metrics[metric].parent;

        if (ranking->has_lower[metric])
            continue;
        for (; above != HPM_NO_METRIC;
             above = ranking->metrics->metrics[above].parent)
            if (speaks_for(ranking, metric, above))
                ranking->is_spoken_for[above] = true;
    }
}

/* A metric whose lower metric has no hint may still give way to others. */
static void
ask_above(struct hpm_ranking *ranking)
{
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];

        if (!ranking->has_lower[metric])
            continue;
        ranking->is_silent[metric] = ranking->is_spoken_for[metric];
        if (!ranking->is_silent[metric])
            ranking->stand_ins[metric] = NAN;
    }
}

/* The nearest metric above that gives a hint itself. */
static size_t
crossed_above(const struct hpm_ranking *ranking, size_t metric)
{
    const struct hpm_metric *metrics = ranking->metrics->metrics;
    size_t above = metrics[metric].parent;

    while (above != HPM_NO_METRIC && !gives_hint(ranking, above))
        above = metrics[above].parent;
    return above;
}

static void
silence_those_above(struct hpm_ranking *ranking, size_t metric)
{
    size_t above = metric;

    while (!ranking->is_silent[metric] &&
           (above = crossed_above(ranking, above)) != HPM_NO_METRIC)
        ranking->is_silent[above] |= speaks_for(ranking, metric, above);
}

/* In a hierarchy of several levels, a metric in the middle may give the hint,
 * which is then enough for those above it.  Work upwards, each metric after all
 * below it, because a silent metric is not enough for any other. */
static void
silence_above(struct hpm_ranking *ranking)
{
    for (size_t i = 0; i < ranking->n_crossed; i++)
        ranking->n_below[ranking->crossed[i]] = 0;
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t above = crossed_above(ranking, ranking->crossed[i]);

        if (above != HPM_NO_METRIC)
            ranking->n_below[above]++;
    }
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];

        if (ranking->has_lower[metric])
            continue;
        silence_those_above(ranking, metric);
        while ((metric = crossed_above(ranking, metric)) != HPM_NO_METRIC &&
               --ranking->n_below[metric] == 0)
            silence_those_above(ranking, metric);
    }
}

/* Decide which crossed metrics are silent: those with a lower metric that
 * crossed its limit, and those that give way to a hint given, or to the one
 * that replaces it. */
static void
silence(struct hpm_ranking *ranking)
{
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        size_t metric = ranking->crossed[i];

        ranking->stand_ins[metric] =
            ranking->has_lower[metric] ? ranking->weights[metric] : NAN;
    }
    while (decide_some(ranking) || decide_heaviest(ranking))
        ;
    speak_above(ranking);
    ask_above(ranking);
    while (decide_some(ranking) || decide_heaviest(ranking))
        ;
    silence_above(ranking);
}

static void
add_evidence(const struct hpm_ranking *ranking,
             const struct hpm_metric_value *values, struct hpm_hint *hint)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const struct hpm_range evidence = metrics->metrics[hint->metric].evidence;

    for (size_t i = 0;
         i < evidence.count && hint->n_evidence < HPM_MAX_EVIDENCE; i++) {
        uint32_t name = metrics->spec->terms[evidence.first + i].name;
        size_t metric = metrics->metric_of[name] - 1;
        struct hpm_evidence *shown = &hint->evidence[hint->n_evidence];

        if (metrics->metric_of[name] == 0 || metric == hint->metric ||
            !values[metric].is_present || isnan(values[metric].value))
            continue;
        *shown = (struct hpm_evidence){
            .metric = metric,
            .value = values[metric].value / metrics->metrics[metric].scale,
            .is_doubtful =
                hpm_metrics_doubt(metrics, values, metric) != HPM_DOUBT_NONE,
            .is_partial = values[metric].is_partial};
        hint->n_evidence++;
    }
}

static bool
is_measured(const struct hpm_ranking *ranking,
            const struct hpm_metric_value *values, const char *name)
{
    const struct hpm_metrics *metrics = ranking->metrics;
    const struct hpm_metric_set *set = hpm_metrics_find_set(metrics, name);
    size_t metric = hpm_metrics_find(metrics, name);

    if (set == NULL)
        return metric != HPM_NO_METRIC && values[metric].is_present;
    for (size_t i = 0; i < set->inputs.count; i++) {
        struct hpm_input input = metrics->inputs[set->inputs.first + i];

        if (!input.is_metric || !values[input.index].is_present)
            return false;
    }
    return true;
}

/* Of two places that explain the same time, the one further beyond its limit is
 * worse. */
static bool
is_worse(const struct hpm_hint *a, const struct hpm_hint *b)
{
    if (a->n_places == 0 || b->n_places == 0)
        return a->n_places > 0;
    if (a->explained != b->explained)
        return a->explained > b->explained;
    return a->distance > b->distance;
}

static void
add_crossing(struct hpm_ranking *ranking, const struct hpm_metric_value *values,
             size_t metric, double seconds, size_t place)
{
    const struct hpm_metric *here = &ranking->metrics->metrics[metric];
    struct hpm_hint *worst = &ranking->worst[here->hint_of];
    struct hpm_hint hint = {.metric = metric,
                            .value = values[metric].value / here->scale,
                            .seconds =
                                time_of(ranking, values, metric, seconds),
                            .distance = distance_of(ranking, values, metric),
                            .explained = ranking->weights[metric],
                            .place = place,
                            .task = ranking->task,
                            .thread = ranking->thread,
                            .n_places = worst->n_places};

    /* two metrics with the same hint count as one crossing of a place */
    if (worst->n_places == 0 || worst->last_place != place)
        hint.n_places++;
    hint.last_place = place;
    if (!is_worse(&hint, worst)) {
        worst->n_places = hint.n_places;
        worst->last_place = place;
        return;
    }
    add_evidence(ranking, values, &hint);
    hint.is_next_measured =
        is_measured(ranking, values, here->texts[HPM_TEXT_NEXT]);
    *worst = hint;
}

void
hpm_ranking_add(struct hpm_ranking *ranking,
                const struct hpm_metric_value *values, const bool *is_chosen,
                double seconds, size_t place)
{
    size_t n = ranking->metrics->n_metrics;

    memset(ranking->is_silent, 0, n * sizeof *ranking->is_silent);
    memset(ranking->has_lower, 0, n * sizeof *ranking->has_lower);
    memset(ranking->is_spoken_for, 0, n * sizeof *ranking->is_spoken_for);
    ranking->n_crossed = 0;
    for (size_t i = 0; i < n; i++) {
        ranking->weights[i] = weigh(ranking, values, is_chosen, seconds, i);
        if (!gives_hint(ranking, i))
            continue;
        ranking->crossed[ranking->n_crossed++] = i;
        mark_above(ranking, i);
    }
    silence(ranking);
    for (size_t i = 0; i < ranking->n_crossed; i++) {
        if (!ranking->is_silent[ranking->crossed[i]])
            add_crossing(ranking, values, ranking->crossed[i], seconds, place);
    }
}

void
hpm_ranking_join(struct hpm_ranking *ranking, const struct hpm_ranking *other)
{
    for (size_t i = 0; i < ranking->metrics->n_metrics; i++) {
        struct hpm_hint *here = &ranking->worst[i];
        size_t n_places = here->n_places + other->worst[i].n_places;

        if (is_worse(&other->worst[i], here) ||
            (!is_worse(here, &other->worst[i]) &&
             other->worst[i].place < here->place))
            *here = other->worst[i];
        here->n_places = n_places;
    }
}

/* ---- all places ------------------------------------------------------ */

/* Each hint is inserted after those that weigh more, or weigh the same and came
 * before. */
size_t
hpm_ranking_get(const struct hpm_ranking *ranking,
                struct hpm_hint ret_hints[HPM_MAX_HINTS])
{
    size_t n = 0;

    for (size_t i = 0; i < ranking->metrics->n_metrics; i++) {
        const struct hpm_hint *hint = &ranking->worst[i];
        size_t at = n;

        if (hint->n_places == 0 || hint->n_places < ranking->least_places)
            continue;
        while (at > 0 && hint->explained > ret_hints[at - 1].explained)
            at--;
        if (at == HPM_MAX_HINTS)
            continue;
        if (n < HPM_MAX_HINTS)
            n++;
        memmove(&ret_hints[at + 1], &ret_hints[at],
                (n - 1 - at) * sizeof *ret_hints);
        ret_hints[at] = *hint;
    }
    return n;
}
