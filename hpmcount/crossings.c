/* SPDX-License-Identifier: BSD-3-Clause
 * Limits that were crossed, or possibly crossed, in a run without a hint. */
#include "hpmcount/crossings.h"

#include <math.h>

#include "study/report/human.h"
#include "study/words/words.h"

enum { MOST_NAMED = 3 };

enum crossing {
    CROSSED_NOT,
    CROSSED,         /* by the verdict */
    CROSSED_MAYBE,   /* by the value, but there is no verdict */
    CROSSED_UNNAMED, /* the same, and not worth naming */
    N_CROSSINGS
};

struct crossings {
    struct hpm_string named[N_CROSSINGS];
    size_t n[N_CROSSINGS];
};

static bool
is_beyond(const struct hpm_metric *metric, double value,
          enum hpm_precision precision)
{
    return hpm_limits_judge(&metric->limits[precision],
                            value / metric->scale) == HPM_VERDICT_BAD;
}

/* A part is only judged where its wholes are bad: where one is not bad, or not
 * known, the part may not have crossed a limit. */
static bool
may_be_judged(const struct hpm_metrics *metrics,
              const struct hpm_metric_value *values, size_t metric,
              enum hpm_precision precision)
{
    for (size_t above = metrics->metrics[metric].parent; above != HPM_NO_METRIC;
         above = metrics->metrics[above].parent) {
        const struct hpm_metric *whole = &metrics->metrics[above];

        if (whole->is_of_run == metrics->metrics[metric].is_of_run &&
            whole->limits[precision].bad.is_given &&
            (!values[above].is_present ||
             !is_beyond(whole, values[above].value, precision)))
            return false;
    }
    return true;
}

static enum crossing
crossing_of(const struct hpm_metrics *metrics,
            const struct hpm_metric_value *values, size_t metric,
            enum hpm_precision precision)
{
    enum hpm_doubt doubt = hpm_metrics_doubt(metrics, values, metric);

    if (!values[metric].is_present || isnan(values[metric].value) ||
        !is_beyond(&metrics->metrics[metric], values[metric].value, precision))
        return CROSSED_NOT;
    switch (hpm_metrics_judge(metrics, values, metric, precision)) {
    case HPM_VERDICT_BAD:
        return CROSSED;
    case HPM_VERDICT_NONE:
        break;
    default:
        return CROSSED_NOT;
    }
    if (!may_be_judged(metrics, values, metric, precision))
        return CROSSED_NOT;
    /* an impossible or wrong count shows nothing; and for a metric without a
     * hint a value near its limit tells little */
    return metrics->metrics[metric].has_hint && doubt != HPM_DOUBT_RANGE &&
                   doubt != HPM_DOUBT_WRONG
               ? CROSSED_MAYBE
               : CROSSED_UNNAMED;
}

static void
name(struct crossings *found, enum crossing crossing,
     const struct hpm_metric *metric, double value)
{
    const char *unit = metric->texts[HPM_TEXT_UNIT];
    struct hpm_string *named = &found->named[crossing];

    if (++found->n[crossing] > MOST_NAMED + 1 || crossing == CROSSED_NOT ||
        crossing == CROSSED_UNNAMED)
        return;
    if (found->n[crossing] > MOST_NAMED) {
        hpm_string_add(named, " ...");
        return;
    }
    hpm_string_add(named, found->n[crossing] > 1 ? ", " : "");
    hpm_string_add(named, metric->shown);
    hpm_string_add_char(named, ' ');
    hpm_human_add(named, value, unit != NULL ? unit : "");
}

void
crossings_add(struct hpm_string *string, const struct hpm_metrics *metrics,
              const struct hpm_metric_value *values, const bool *is_chosen,
              enum hpm_precision precision)
{
    struct crossings found = {0};

    for (size_t i = 0; i < metrics->n_metrics; i++)
        if (is_chosen == NULL || is_chosen[i])
            name(&found, crossing_of(metrics, values, i, precision),
                 &metrics->metrics[i], values[i].value);
    if (found.n[CROSSED] > 0)
        hpm_string_add_format(string, _("no hint; beyond a limit: %s"),
                              hpm_string_text(&found.named[CROSSED]));
    else if (found.n[CROSSED_MAYBE] + found.n[CROSSED_UNNAMED] > 0)
        hpm_string_add(string, _("nothing for certain"));
    else
        hpm_string_add(string,
                       _("nothing that was measured is beyond its limit"));
    if (found.n[CROSSED_MAYBE] > 0)
        hpm_string_add_format(string, _("; perhaps beyond a limit: %s"),
                              hpm_string_text(&found.named[CROSSED_MAYBE]));
    for (size_t i = 0; i < N_CROSSINGS; i++)
        hpm_string_finish(&found.named[i], &string->failed);
}
