/* SPDX-License-Identifier: BSD-3-Clause
 * Limits of vendors' metrics.  "own > 10 & parent > 20" becomes a limit of 10:
 * here a limit counts only if the limits of the parents are crossed, too. */
#include <math.h>
#include <string.h>

#include "study/vendor/expression.h"
#include "study/vendor/notation.h"
#include "study/vendor/translate.h"

struct limits {
    struct hpm_vendor *vendor;
    struct hpm_vendor_processor *processor;
    struct hpm_vendor_metric *metric;
    bool are_parts; /* a metric in percent has a limit written as a fraction of
                     * 1 */
};

static bool
has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* ---- parents -------------------------------------------------------- */

static struct hpm_vendor_metric *
parent_of(const struct limits *limits, const struct hpm_vendor_metric *metric)
{
    struct hpm_vendor_metric *parent =
        has_text(metric->parent)
            ? hpm_vendor_find_metric(limits->processor, metric->parent)
            : NULL;

    return parent == metric ? NULL : parent;
}

static bool
is_above(const struct limits *limits, const struct hpm_vendor_metric *above)
{
    const struct hpm_vendor_metric *metric = limits->metric;

    for (int i = 0; metric != NULL && i < 32; i++) {
        metric = parent_of(limits, metric);
        if (metric == above)
            return true;
    }
    return false;
}

/* Slots that retire are no loss: a limit of their metrics tells where to look,
 * not what is bad. */
static bool
is_of_retiring(const struct limits *limits)
{
    const struct hpm_vendor_metric *metric = limits->metric;

    for (int i = 0; metric != NULL && i < 32; i++) {
        if (hpm_string_same_word(metric->name, "Retiring") ||
            hpm_string_same_word(metric->name, "tma_retiring"))
            return true;
        metric = parent_of(limits, metric);
    }
    return false;
}

/* ---- reading --------------------------------------------------------- */

static const struct hpm_vendor_metric *
metric_of(const struct limits *limits, const char *name)
{
    const struct hpm_vendor_metric *metric = limits->metric;

    for (size_t i = 0; i < metric->n_limit_aliases; i++) {
        if (strcmp(metric->limit_aliases[i].alias, name) == 0)
            name = metric->limit_aliases[i].name;
    }
    return hpm_vendor_find_metric(limits->processor, name);
}

/* a < b, one of which is a metric and the other a number. */
static bool
read_comparison(struct limits *limits, const struct hpm_expression *truth,
                struct hpm_error *err)
{
    bool is_left = truth->a != NULL && truth->a->kind == HPM_EXPRESSION_NAME;
    const struct hpm_expression *name = is_left ? truth->a : truth->b;
    double value = hpm_expression_constant(is_left ? truth->b : truth->a);
    const struct hpm_vendor_metric *metric;

    if (truth->kind != HPM_EXPRESSION_LESS ||
        name->kind != HPM_EXPRESSION_NAME || isnan(value))
        return hpm_error_set(err, "is more than a number it is compared with");
    metric = metric_of(limits, name->name);
    if (metric != limits->metric)
        return (metric != NULL && is_above(limits, metric)) ||
               hpm_error_set(err,
                             "asks for '%.60s', too, which is not above "
                             "it",
                             metric != NULL ? metric->name : name->name);
    if (limits->metric->has_limit)
        return hpm_error_set(err, "has two sides");
    limits->metric->has_limit = true;
    limits->metric->is_limit_above = !is_left;
    limits->metric->limit = value;
    return true;
}

static bool
read_truth(struct limits *limits, const struct hpm_expression *truth,
           struct hpm_error *err)
{
    if (truth->kind == HPM_EXPRESSION_AND)
        return read_truth(limits, truth->a, err) &&
               read_truth(limits, truth->b, err);
    return read_comparison(limits, truth, err);
}

/* Replace names that no formula can have, such as "metric_TMA_..X(%)", by the
 * metrics' plain names. */
static const char *
with_plain_names(struct limits *limits, const char *text)
{
    struct hpm_string plain = {0};

    while (*text != '\0') {
        const struct hpm_vendor_metric *longest = NULL;
        size_t length = 0;

        for (size_t i = 0; i < limits->processor->n_metrics; i++) {
            const struct hpm_vendor_metric *here =
                &limits->processor->metrics[i];
            size_t n = here->other_name != NULL ? strlen(here->other_name) : 0;

            if (n > length && strncmp(text, here->other_name, n) == 0) {
                longest = here;
                length = n;
            }
        }
        if (longest != NULL)
            hpm_string_add(&plain, longest->name);
        else
            hpm_string_add_char(&plain, *text);
        text += longest != NULL ? length : 1;
        limits->are_parts |= longest != NULL;
    }
    return hpm_vendor_keep_string(limits->vendor, &plain);
}

/* ---- units ----------------------------------------------------------- */

static bool
fit_unit(struct limits *limits, struct hpm_error *err)
{
    struct hpm_vendor_metric *metric = limits->metric;
    bool is_percent = metric->unit != NULL && strcmp(metric->unit, "%") == 0;

    if (!metric->is_limit_shown)
        metric->limit *= metric->factor;
    else if (limits->are_parts && is_percent && metric->limit < 1.0)
        metric->limit *= 100.0;
    return metric->limit > 0.0 || hpm_error_set(err, "is not above 0");
}

static bool
find_limit(struct limits *limits, struct hpm_error *err)
{
    struct hpm_vendor_metric *metric = limits->metric;
    const char *plain = with_plain_names(limits, metric->threshold);
    struct hpm_expression *truth =
        plain != NULL ? hpm_expression_read(&limits->vendor->arena, plain, err)
                      : NULL;

    if (truth == NULL || !read_truth(limits, truth, err))
        return false;
    if (!metric->has_limit)
        return hpm_error_set(err, "is one of other metrics");
    if (is_of_retiring(limits))
        return hpm_error_set(err, "marks slots that retire, which is no loss");
    return fit_unit(limits, err);
}

/* ---- all of them ----------------------------------------------------- */

bool
hpm_limits_find(struct hpm_vendor *vendor,
                struct hpm_vendor_processor *processor, struct hpm_error *err)
{
    for (size_t i = 0; i < processor->n_metrics; i++) {
        struct hpm_vendor_metric *metric = &processor->metrics[i];
        struct limits limits = {vendor, processor, metric, false};
        struct hpm_error why = {""};

        if (!has_text(metric->threshold) || metric->text == NULL)
            continue;
        if (find_limit(&limits, &why))
            continue;
        metric->has_limit = false;
        metric->why_no_limit = hpm_vendor_keep_reason(vendor, &why);
        if (metric->why_no_limit == NULL)
            return hpm_error_no_memory(err);
    }
    return true;
}
