/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of several rows, and parts of several wholes. */
#include "config.h"

#include "metric/tally.h"

#include "metric/trial.h"
#include "tap.h"

/* The error of several rows is the sum of their errors. */
static void
test_rows(void)
{
    struct hpm_tally sum = {0};
    const struct hpm_tally more = {.is_present = true,
                                   .value = 8.0,
                                   .error = 2.0,
                                   .spread = 3.0,
                                   .resolution = 0.5};

    hpm_tally_add(&sum, &more, false);
    hpm_tally_add(&sum, &more, false);
    is_near(sum.value, 16.0, 0.0, "two rows add up");
    is_near(sum.error, 4.0, 0.0, "so do their errors");
    is_near(sum.spread, 6.0, 0.0, "and how far they are from their means");
    is_near(sum.resolution, 1.0, 0.0, "and how coarse they are");
}

/* For verdicts, each part belongs to one whole. */
static void
test_shared_part(void)
{
    struct hpm_spec *spec = read_text("compose A = P + Q compose B = P + R", 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);

    ok(metrics->metrics[hpm_metrics_find(metrics, "P")].parent ==
           hpm_metrics_find(metrics, "A"),
       "a part of two stands below the one defined first");
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_rows();
    test_shared_part();
    return done();
}
