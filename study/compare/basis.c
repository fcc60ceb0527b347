/* SPDX-License-Identifier: BSD-3-Clause
 * What a comparison is based on: noise, tests, and the order of the runs. */
#include "study/compare/basis.h"

#include <math.h>

#include "study/compare/intake.h"
#include "study/compare/words.h"

static void
add_noise(struct hpm_string *string, const struct hpm_compare_view *view)
{
    size_t metric = hpm_samples_find_metric(view->samples, HPM_INTAKE_TIME);
    double noise = NAN;

    for (size_t i = 1; i < view->samples->n_sides; i++) {
        const struct hpm_comparison *time =
            hpm_comparisons_find(view->comparisons, 0, metric, i);

        if (time != NULL && time->n_a > 1)
            noise = fmax(noise, time->noise);
    }
    if (isnan(noise))
        return;
    hpm_string_add(string, "Noise: the time of one command is ");
    hpm_words_add_part(string, noise);
    hpm_string_add(string, " off its median, in the middle.\n");
}

void
hpm_basis_add(struct hpm_string *string, const struct hpm_compare_view *view)
{
    const struct hpm_comparisons *comparisons = view->comparisons;

    add_noise(string, view);
    if (comparisons->n_tests > 0)
        hpm_string_add_format(
            string,
            "\"differs\" is wrong in at most 5 of 100 comparisons of equals, "
            "over %s%zu test%s%s.\n",
            comparisons->n_tests > 1 ? "all " : "", comparisons->n_tests,
            comparisons->n_tests > 1 ? "s" : "",
            comparisons->n_looks > 1 ? " and all looks" : "");
    if (view->has_order)
        hpm_string_add_format(string,
                              "Runs took turns in an order by chance (--seed "
                              "%llu).\n",
                              (unsigned long long)view->seed);
}
