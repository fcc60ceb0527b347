/* SPDX-License-Identifier: BSD-3-Clause
 * What the spreads of a summary tell of the threads of a subject. */
#include "study/survey/summaryspread.h"

#include <math.h>

#include "study/columns/spreads.h"

const struct hpm_study_spread *
hpm_summaryspread_find(const struct hpm_survey *survey, size_t quantity,
                       const uint32_t *rows, size_t n)
{
    const struct hpm_quantity *here = &survey->quantities[quantity];
    const struct hpm_study_spread *spread = NULL;

    if (n != 1 || survey->study->n_spreads == 0 ||
        survey->options.grouping == HPM_GROUP_FILES)
        return NULL;
    for (size_t i = 0; i < here->n_columns && spread == NULL; i++)
        spread = hpm_spreads_find(survey->study, rows[0], here->columns[i]);
    return spread != NULL && spread->n.kind == HPM_NUMBER_COUNT &&
                   spread->n.amount > 0
               ? spread
               : NULL;
}

double
hpm_summaryspread_longest(const struct hpm_survey *survey,
                          enum hpm_quantity_kind kind, const uint32_t *rows,
                          size_t n)
{
    size_t quantity = hpm_survey_find_kind(survey, kind);
    const struct hpm_study_spread *spread =
        quantity != HPM_NO_QUANTITY
            ? hpm_summaryspread_find(survey, quantity, rows, n)
            : NULL;

    return spread != NULL ? hpm_number_to_real(spread->high.value) : NAN;
}

void
hpm_summaryspread_add(struct hpm_entry *entry,
                      const struct hpm_study_spread *spread, uint32_t place)
{
    double n = hpm_number_to_real(spread->n);
    double deviation = hpm_number_to_real(spread->deviation);
    struct hpm_summary summary = {.n = (size_t)n,
                                  .min = hpm_number_to_real(spread->low.value),
                                  .max = hpm_number_to_real(spread->high.value),
                                  .mean = hpm_number_to_real(spread->average),
                                  .squares = n * deviation * deviation,
                                  .min_at = place,
                                  .max_at = place};

    if (entry->low == NULL ||
        hpm_number_compare(spread->low.value, entry->low->value) < 0) {
        entry->low = &spread->low;
        entry->least[0] = spread->low.value;
    }
    if (entry->high == NULL ||
        hpm_number_compare(spread->high.value, entry->high->value) > 0) {
        entry->high = &spread->high;
        entry->most[0] = spread->high.value;
    }
    hpm_summary_add_summary(&entry->threads, &summary);
}
