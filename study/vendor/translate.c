/* SPDX-License-Identifier: BSD-3-Clause
 * Formulas of vendors' metrics, translated to our language. */
#include "study/vendor/translate.h"

#include <string.h>

#include "metric/language/parser.h"
#include "study/vendor/expression.h"
#include "study/vendor/notation.h"
#include "study/vendor/variant.h"
#include "study/vendor/words.h"

struct translation {
    struct hpm_vendor *vendor;
    const struct hpm_names *taken; /* names that no metric may get */
    struct hpm_vendor_processor *processor;
    struct hpm_vendor_metric *metric;
    int depth; /* depth of metrics that need other metrics */
};

enum { MOST_METRICS_DEEP = 32 };

static bool translate(struct translation *translation);

/* ---- names ----------------------------------------------------------- */

static const char *
without_alias(const struct hpm_vendor_metric *metric, const char *name)
{
    for (size_t i = 0; i < metric->n_aliases; i++) {
        if (strcmp(metric->aliases[i].alias, name) == 0)
            return metric->aliases[i].name;
    }
    return name;
}

static bool
become_ours(struct hpm_expression *expression, const char *name,
            struct hpm_error *err)
{
    expression->kind = HPM_EXPRESSION_OURS;
    expression->name = name;
    return name != NULL || hpm_error_no_memory(err);
}

/* A latency that was not measured is below 0: the vendor's formula then takes
 * another number. */
static bool
become_latency(struct hpm_expression *expression,
               struct translation *translation, const char *name,
               struct hpm_error *err)
{
    const struct hpm_vendor_processor *processor = translation->processor;
    size_t length = strcspn(name, ":");
    struct hpm_string constant = {0};
    char event[256] = "";

    if (length < sizeof event)
        memcpy(event, name, length);
    translation->metric->is_of_cores = true;
    expression->kind = HPM_EXPRESSION_NUMBER;
    expression->number = -1.0;
    for (size_t i = 0; i < processor->n_latencies; i++) {
        if (hpm_string_same_word(processor->latencies[i].event, event))
            expression->number = processor->latencies[i].cycles;
    }
    hpm_translate_add_latency(&constant, processor, event);
    expression->name = hpm_vendor_keep_string(translation->vendor, &constant);
    return expression->name != NULL || hpm_error_no_memory(err);
}

void
hpm_translate_add_latency(struct hpm_string *text,
                          const struct hpm_vendor_processor *processor,
                          const char *event)
{
    hpm_string_add_format(text, "%sLATENCY_", processor->kind);
    hpm_notation_add_metric(text, event);
}

static bool
become_metric(struct hpm_expression *expression,
              struct translation *translation, struct hpm_vendor_metric *metric,
              struct hpm_error *err)
{
    struct translation other = *translation;

    other.metric = metric;
    other.depth++;
    if (other.depth > MOST_METRICS_DEEP)
        return hpm_error_set(err, "it needs '%.80s', which needs itself",
                             metric->name);
    if (!translate(&other))
        return hpm_error_no_memory(err);
    if (metric->why != NULL)
        return hpm_error_set(err, "it needs '%.80s', which cannot be turned",
                             metric->name);
    translation->metric->is_of_node |= metric->is_of_node;
    translation->metric->is_of_cores |= metric->is_of_cores;
    return become_ours(expression, metric->ours, err);
}

static bool
become_event(struct hpm_expression *expression, struct translation *translation,
             const char *name, struct hpm_error *err)
{
    const struct hpm_vendor_event *event;
    struct hpm_vendor_metric *metric;

    if (hpm_vendor_find_event(translation->processor, name) == NULL) {
        metric = hpm_vendor_find_metric(translation->processor, name);
        if (metric != NULL)
            return become_metric(expression, translation, metric, err);
    }
    event = hpm_variant_find(translation->vendor, translation->processor, name,
                             err);
    if (event == NULL)
        return false;
    translation->metric->is_of_node |= event->code.is_of_node;
    translation->metric->is_of_cores |= !event->code.is_of_node;
    return become_ours(expression, event->ours, err);
}

static bool
become_literal(struct hpm_expression *expression,
               struct translation *translation, const char *literal,
               struct hpm_error *err)
{
    if (strcmp(literal, "smt") == 0) {
        expression->kind = HPM_EXPRESSION_SMT;
        return true;
    }
    translation->metric->is_of_node |= strstr(literal, "node::") != NULL;
    return become_ours(expression, literal, err);
}

static bool
become(struct hpm_expression *expression, struct translation *translation,
       const char *name, struct hpm_error *err)
{
    const char *literal = hpm_words_of_literal(name);
    const char *why = hpm_words_why_not(name);
    size_t length = hpm_notation_number(name, &expression->number);

    if (length > 0 && name[length] == '\0') {
        expression->kind = HPM_EXPRESSION_NUMBER;
        expression->name = NULL;
        return true;
    }
    if (literal != NULL)
        return become_literal(expression, translation, literal, err);
    if (why != NULL)
        return hpm_error_set(err, "%s", why);
    if (strstr(name, ":retire_latency") != NULL || strstr(name, ":R") != NULL)
        return become_latency(expression, translation, name, err);
    if (name[0] == '#')
        return hpm_error_set(err, "it needs '%.80s', which is not known here",
                             name);
    return become_event(expression, translation, name, err);
}

static bool
resolve(struct hpm_expression *expression, void *context, struct hpm_error *err)
{
    struct translation *translation = context;
    const char *why = hpm_words_why_not(expression->name);

    if (expression->kind == HPM_EXPRESSION_NAME)
        return become(expression, translation,
                      without_alias(translation->metric, expression->name),
                      err);
    return why != NULL
               ? hpm_error_set(err, "%s", why)
               : hpm_error_set(err,
                               "it needs the function %.40s(%.60s), which is "
                               "not known here",
                               expression->name, expression->argument);
}

/* ---- names of ours --------------------------------------------------- */

static bool
is_word(const char *name)
{
    struct hpm_token token = {
        .kind = HPM_TOKEN_NAME, .text = name, .length = strlen(name)};

    return hpm_parser_is_word(&token);
}

static bool
same_text(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static const struct hpm_vendor_metric *
find_ours(const struct hpm_vendor_processor *processor, const char *name)
{
    for (size_t i = 0; i < processor->n_metrics; i++) {
        const struct hpm_vendor_metric *here = &processor->metrics[i];

        if (here->ours != NULL && strcmp(here->ours, name) == 0)
            return here;
    }
    return NULL;
}

/* Has another kind of the processor's cores a metric of the node with that name
 * and another formula? */
static bool
is_of_other_kind(const struct translation *translation, const char *name)
{
    const struct hpm_vendor *vendor = translation->vendor;
    const struct hpm_vendor_metric *metric = translation->metric;

    for (size_t i = 0; metric->is_of_node && i < vendor->n_processors; i++) {
        const struct hpm_vendor_metric *other =
            strcmp(vendor->processors[i].name, translation->processor->name) ==
                    0
                ? find_ours(&vendor->processors[i], name)
                : NULL;

        if (other != NULL && (!same_text(other->text, metric->text) ||
                              !same_text(other->text_smt, metric->text_smt)))
            return true;
    }
    return false;
}

/* Is the name taken for this processor?  Other processors have their own
 * names. */
static bool
is_taken(const struct translation *translation, const char *name)
{
    return is_word(name) ||
           hpm_names_find(translation->taken, name) != HPM_NO_NAME ||
           hpm_vendor_find_event(translation->processor, name) != NULL ||
           find_ours(translation->processor, name) != NULL ||
           is_of_other_kind(translation, name);
}

/* The vendor's name after `first`; if that is taken, after `first` and
 * "vendor_"; if this is taken, too, with a number. */
static const char *
find_name(const struct translation *translation, const char *first,
          bool *ret_is_renamed)
{
    const char *name = NULL;

    for (int n = 0; name == NULL || is_taken(translation, name); n++) {
        struct hpm_string text = {0};

        hpm_string_add_format(&text, "%s%s", first, n > 0 ? "vendor_" : "");
        *ret_is_renamed = n > 0;
        hpm_notation_add_metric(&text, translation->metric->name);
        if (n > 1)
            hpm_string_add_format(&text, "_%d", n);
        name = hpm_vendor_keep_string(translation->vendor, &text);
        if (name == NULL)
            return NULL;
    }
    return name;
}

/* Give the metric a name that no event and no metric of the toolkit has. */
static bool
name_metric(const struct translation *translation)
{
    struct hpm_vendor_metric *metric = translation->metric;

    metric->ours = find_name(translation, translation->processor->kind,
                             &metric->is_renamed);
    return metric->ours != NULL;
}

/* A metric of the node has a name that says so; where it has counts of one kind
 * of cores, too, also of which. */
static bool
name_of_node(const struct translation *translation)
{
    struct hpm_vendor_metric *metric = translation->metric;
    char first[16] = "NODE_";

    if (metric->is_of_cores)
        strcat(first, translation->processor->kind);
    metric->ours = find_name(translation, first, &metric->is_renamed);
    metric->is_renamed = true;
    return metric->ours != NULL;
}

/* ---- formulas -------------------------------------------------------- */

static bool
lacks_latency(const struct hpm_expression *expression, struct hpm_error *err)
{
    if (expression == NULL)
        return false;
    if (expression->kind == HPM_EXPRESSION_NUMBER && expression->name != NULL &&
        expression->number < 0.0) {
        hpm_error_set(err,
                      "it needs the latency of an event (%.80s); give the "
                      "vendor's file of latencies, too",
                      expression->name);
        return true;
    }
    return lacks_latency(expression->a, err) ||
           lacks_latency(expression->b, err) ||
           lacks_latency(expression->c, err);
}

/* Such a formula has no result, whatever is counted, and definitions with it are
 * refused. */
static bool
divides_by_0(const struct hpm_expression *expression, struct hpm_error *err)
{
    if (expression == NULL)
        return false;
    if (expression->kind == HPM_EXPRESSION_DIVIDE &&
        hpm_expression_constant(expression->b) == 0.0) {
        hpm_error_set(err, "it divides by 0, which has no result, whatever is "
                           "counted");
        return true;
    }
    return divides_by_0(expression->a, err) ||
           divides_by_0(expression->b, err) || divides_by_0(expression->c, err);
}

static bool
has_counts(const struct hpm_expression *expression)
{
    return expression != NULL &&
           (expression->kind == HPM_EXPRESSION_OURS ||
            has_counts(expression->a) || has_counts(expression->b) ||
            has_counts(expression->c));
}

/* The formula for machines with or without several threads a core; NULL, with
 * the reason, if there is none. */
static const char *
print(struct translation *translation, const struct hpm_expression *formula,
      bool has_smt, struct hpm_error *err)
{
    struct hpm_vendor *vendor = translation->vendor;
    struct hpm_expression *folded =
        hpm_expression_fold(&vendor->arena, formula, has_smt);
    struct hpm_string text = {0};

    if (folded == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    if (lacks_latency(folded, err) || divides_by_0(folded, err))
        return NULL;
    if (!hpm_expression_print(folded, &text, err)) {
        hpm_string_free(&text);
        return NULL;
    }
    return hpm_vendor_keep_string(vendor, &text);
}

static void
find_texts(struct translation *translation, struct hpm_error *err)
{
    struct hpm_vendor_metric *metric = translation->metric;
    struct hpm_expression *formula =
        hpm_expression_read(&translation->vendor->arena, metric->formula, err);

    if (formula == NULL ||
        !hpm_expression_walk(formula, resolve, translation, err))
        return;
    if (!has_counts(formula)) {
        hpm_error_set(err, "nothing that is counted is in its formula");
        return;
    }
    metric->text = print(translation, formula, false, err);
    if (metric->text == NULL || !hpm_expression_has_smt(formula))
        return;
    metric->text_smt = print(translation, formula, true, err);
    if (metric->text_smt == NULL)
        metric->text = NULL;
    else if (strcmp(metric->text_smt, metric->text) == 0)
        metric->text_smt = NULL;
}

/* False only when there is no memory. */
static bool
translate(struct translation *translation)
{
    struct hpm_vendor_metric *metric = translation->metric;
    struct hpm_error err = {""};

    if (metric->text != NULL || metric->why != NULL)
        return true;
    find_texts(translation, &err);
    if (metric->text == NULL)
        metric->why = hpm_vendor_keep_reason(translation->vendor, &err);
    else if (metric->is_of_node && !name_of_node(translation))
        return false;
    return metric->text != NULL || metric->why != NULL;
}

static bool
translate_all(struct hpm_vendor *vendor, struct hpm_vendor_processor *processor,
              const struct hpm_names *taken)
{
    struct translation translation = {vendor, taken, processor, NULL, 0};

    for (size_t i = 0; i < processor->n_metrics; i++) {
        translation.metric = &processor->metrics[i];
        if (!name_metric(&translation))
            return false;
    }
    for (size_t i = 0; i < processor->n_metrics; i++) {
        translation.metric = &processor->metrics[i];
        if (!translate(&translation))
            return false;
    }
    return true;
}

bool
hpm_translate(struct hpm_vendor *vendor, const struct hpm_names *taken,
              struct hpm_error *err)
{
    if (vendor->lacks_memory)
        return hpm_error_no_memory(err);
    if (!hpm_vendor_share(vendor, err))
        return false;
    for (size_t i = 0; i < vendor->n_processors; i++) {
        struct hpm_vendor_processor *processor = &vendor->processors[i];

        if (!translate_all(vendor, processor, taken))
            return hpm_error_no_memory(err);
        if (!hpm_limits_find(vendor, processor, err))
            return false;
    }
    return !vendor->lacks_memory || hpm_error_no_memory(err);
}
