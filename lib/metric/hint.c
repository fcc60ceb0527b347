/* SPDX-License-Identifier: BSD-3-Clause
 * The hints of metrics: each is completed by the hint it refers to, and is
 * given only if a limit can be crossed. */
#include "metric/choose.h"

static const struct {
    const char *word;
    enum hpm_text_kind kind;
} parts[] = {
    {"why", HPM_TEXT_WHY}, {"next", HPM_TEXT_NEXT}, {"try", HPM_TEXT_TRY}};

enum { N_PARTS = sizeof parts / sizeof parts[0] };

static bool
has_part(const struct hpm_metric *metric, size_t part)
{
    const char *text = metric->texts[parts[part].kind];

    return text != NULL && text[0] != '\0';
}

static bool
has_any_part(const struct hpm_metric *metric)
{
    for (size_t i = 0; i < N_PARTS; i++) {
        if (metric->texts[parts[i].kind] != NULL)
            return true;
    }
    return metric->evidence.count > 0 || metric->unless.count > 0;
}

static void
complain_unknown(struct hpm_choice *choice, struct hpm_position place,
                 const char *name, const char *purpose)
{
    const char *nearest = hpm_metrics_nearest(choice->metrics, name);

    if (nearest != NULL)
        hpm_spec_complain(choice->spec, place,
                          "there is no metric '%s' %s; did you mean '%s'?",
                          name, purpose, nearest);
    else
        hpm_spec_complain(choice->spec, place, "there is no metric '%s' %s",
                          name, purpose);
}

/* Copy the parts that the metric's hint lacks from the metric it is like.  That
 * metric must have a hint of its own, so that the order of completing does not
 * matter. */
static void
take_like(struct hpm_choice *choice, struct hpm_metric *metric)
{
    const char *like = metric->texts[HPM_TEXT_LIKE];
    size_t index = hpm_metrics_find(choice->metrics, like);
    const struct hpm_metric *other;

    if (index == HPM_NO_METRIC) {
        complain_unknown(choice, metric->hint_place, like, "to be like");
        return;
    }
    other = &choice->metrics->metrics[index];
    if (other->texts[HPM_TEXT_LIKE] != NULL) {
        hpm_spec_complain(choice->spec, metric->hint_place,
                          "'%s' is like '%s', which is like '%s'; expected a "
                          "metric with a hint of its own",
                          metric->name, like, other->texts[HPM_TEXT_LIKE]);
        return;
    }
    metric->hint_of = index;
    for (size_t i = 0; i < N_PARTS; i++) {
        if (metric->texts[parts[i].kind] == NULL)
            metric->texts[parts[i].kind] = other->texts[parts[i].kind];
    }
    if (metric->texts[HPM_TEXT_EXPLAINS] == NULL)
        metric->texts[HPM_TEXT_EXPLAINS] = other->texts[HPM_TEXT_EXPLAINS];
    if (metric->texts[HPM_TEXT_SAYS] == NULL)
        metric->texts[HPM_TEXT_SAYS] = other->texts[HPM_TEXT_SAYS];
    if (metric->evidence.count == 0)
        metric->evidence = other->evidence;
    if (metric->unless.count == 0)
        metric->unless = other->unless;
}

static void
check_parts(struct hpm_choice *choice, struct hpm_metric *metric)
{
    metric->has_hint = true;
    for (size_t i = 0; i < N_PARTS; i++) {
        if (has_part(metric, i))
            continue;
        metric->has_hint = false;
        hpm_spec_complain(choice->spec, metric->hint_place,
                          "the hint of '%s' lacks '%s'", metric->name,
                          parts[i].word);
    }
    if (!metric->may_be_bad)
        hpm_spec_complain(choice->spec, metric->hint_place,
                          "'%s' has a hint, but no limit 'bad' where it would "
                          "be given",
                          metric->name);
}

/* Is there a definition for some machine?  Assumed if files for other PMUs were
 * skipped. */
static bool
is_defined(const struct hpm_choice *choice, uint32_t name)
{
    const struct hpm_spec *spec = choice->spec;

    if (spec->is_for_one)
        return true;
    for (size_t i = 0; i < spec->n_statements; i++) {
        if (spec->statements[i].name == name &&
            spec->statements[i].kind <= HPM_STATEMENT_RATIO)
            return true;
    }
    return false;
}

static void
check_names(struct hpm_choice *choice, struct hpm_range names,
            const char *purpose)
{
    for (size_t i = 0; i < names.count; i++) {
        const struct hpm_term *term = &choice->spec->terms[names.first + i];

        if (choice->metrics->metric_of[term->name] == 0 &&
            !is_defined(choice, term->name))
            complain_unknown(choice, term->place,
                             hpm_spec_text(choice->spec, term->name), purpose);
    }
}

/* Check that the metric that gives the hint's weight exists. */
static void
check_weight(struct hpm_choice *choice, const struct hpm_metric *metric,
             enum hpm_text_kind kind, const char *purpose)
{
    const char *name = metric->texts[kind];

    if (name != NULL &&
        hpm_metrics_find(choice->metrics, name) == HPM_NO_METRIC &&
        !choice->spec->is_for_one)
        complain_unknown(choice, metric->place, name, purpose);
}

void
hpm_choice_complete_hints(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;

    for (size_t i = 0; i < metrics->n_metrics; i++) {
        struct hpm_metric *metric = &metrics->metrics[i];

        metric->hint_of = i;
        if (metric->texts[HPM_TEXT_LIKE] != NULL)
            take_like(choice, metric);
        if (has_any_part(metric)) {
            check_parts(choice, metric);
            check_names(choice, metric->evidence, "to show as evidence");
            check_names(choice, metric->unless, "to give a hint instead");
            check_weight(choice, metric, HPM_TEXT_TIMEBASE,
                         "to be the time of it");
            check_weight(choice, metric, HPM_TEXT_EXPLAINS,
                         "to be the part that its hint explains");
        } else if (metric->texts[HPM_TEXT_LIKE] != NULL &&
                   metric->hint_of != i) {
            hpm_spec_complain(choice->spec, metric->hint_place,
                              "'%s', which '%s' is like, has no hint",
                              metric->texts[HPM_TEXT_LIKE], metric->name);
        }
    }
}
