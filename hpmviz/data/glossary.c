/* SPDX-License-Identifier: BSD-3-Clause
 * What the names in the open files mean. */
#include "hpmviz/data/glossary.h"

#include "study/metric/formula.h"
#include "study/report/shown.h"

static void
add_limit(struct hpm_string *string, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(string, "%s: %s ", word,
                          limit->is_above ? "above" : "below");
    hpm_string_add_real(string, limit->value);
    hpm_string_add(string, "\n");
}

static void
add_text(struct hpm_string *string, const char *word, const char *text)
{
    if (text != NULL)
        hpm_string_add_format(string, "\n%s: %s\n", word, text);
}

static void
add_metric(struct hpm_string *string, const struct hpm_metrics *metrics,
           size_t index, enum hpm_precision precision)
{
    const struct hpm_metric *metric = &metrics->metrics[index];
    const struct hpm_limits *limits = &metric->limits[precision];

    if (metric->rules.count > 0) {
        hpm_string_add_format(string, "\n%s = ", metric->name);
        hpm_formula_add(string, metrics, metric->rules.first);
        hpm_string_add(string, "\n");
    }
    if (limits->bad.is_given || limits->good.is_given)
        hpm_string_add(string, "\n");
    add_limit(string, "bad", &limits->bad);
    add_limit(string, "good", &limits->good);
    add_text(string, "rises", metric->texts[HPM_TEXT_RISES]);
    add_text(string, "falls", metric->texts[HPM_TEXT_FALLS]);
    metric = &metrics->metrics[metric->hint_of];
    add_text(string, "why it matters", metric->texts[HPM_TEXT_WHY]);
    add_text(string, "try", metric->texts[HPM_TEXT_TRY]);
    add_text(string, "measure next", metric->texts[HPM_TEXT_NEXT]);
}

void
hpmviz_glossary_add(const struct hpm_survey *survey, size_t quantity,
                    enum hpm_precision precision, struct hpm_string *string)
{
    const struct hpm_quantity *it = &survey->quantities[quantity];
    const char *unit = hpm_shown_unit(it);

    hpm_string_add(string, it->name);
    if (*unit != '\0')
        hpm_string_add_format(string, ", in %s", unit);
    hpm_string_add(string, "\n");
    if (it->description != NULL)
        hpm_string_add_format(string, "%s\n", it->description);
    for (size_t i = 0; it->metrics != NULL && i < survey->n_machines; i++) {
        if (it->metrics[i] == HPM_NO_METRIC)
            continue;
        add_metric(string, survey->machines[i].library.metrics, it->metrics[i],
                   precision);
        return;
    }
}
