/* SPDX-License-Identifier: BSD-3-Clause
 * The text of the first screen for a run without a hint. */
#include "config.h"

#include "hpmcount/crossings.h"

#include "metric/trial.h"
#include "tap.h"

#define HINT " why \"w\" next M try \"t\" "
#define NOTHING "nothing that was measured is beyond its limit"
#define SMALL "no hint; beyond a limit: "
#define UNKNOWN "nothing for certain"
#define MAYBE "nothing for certain; perhaps beyond a limit: "

static const struct {
    const char *sentence;
    const char *definitions;
    const char *counts;
    const char *doubtful; /* metrics whose value is too near to a limit, "A
                           * B" */
    const char *phrase;
} cases[] = {
    {"nothing is beyond a limit", "measure A = X bad > 5" HINT, "X 5", "",
     NOTHING},
    {"no limit is given", "measure A = X", "X 500", "", NOTHING},
    {"there is no value", "ratio A = X / Y bad > 5" HINT, "X 6, Y 0", "",
     NOTHING},
    {"one value is, with its unit", "measure A = X bad > 5 unit \"byte\"" HINT,
     "X 6000", "", SMALL "A 6.00 kB"},
    {"one without a hint is, too", "measure A = X bad > 5", "X 6", "",
     SMALL "A 6"},
    {"a value has no verdict, for the limit is too near",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5" HINT, "X 6, Y 1", "A",
     MAYBE "A 6"},
    {"nor has one that is within its limit as a number",
     "measure A = X bad > 5" HINT, "X 4", "A", NOTHING},
    {"one without a hint says little", "measure A = X bad > 5", "X 6", "A",
     UNKNOWN},
    {"nor does one that cannot be", "measure A = X bad > 5 range 0, 5" HINT,
     "X 6", "", UNKNOWN},
    {"some are, others may be",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5" HINT, "X 6, Y 7", "B",
     SMALL "A 6; perhaps beyond a limit: B 7"},
    {"three are named",
     "measure A = X bad > 1" HINT "measure B = X bad > 2" HINT
     "measure C = X bad > 3" HINT "measure D = X bad > 4" HINT,
     "X 9", "", SMALL "A 9, B 9, C 9 ..."},
    {"a part may be where its whole may be",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A" HINT,
     "X 6, Y 7", "A B", MAYBE "A 6, B 7"},
    {"and not where its whole is not bad",
     "measure A = X bad > 5" HINT "measure B = Y bad > 5 under A" HINT,
     "X 4, Y 7", "B", NOTHING},
};

/* Set an error as large as the limit. */
static void
doubt(const struct hpm_metrics *metrics, struct hpm_metric_value *values,
      const char *names)
{
    for (size_t i = 0; i < metrics->n_metrics; i++)
        if (strstr(names, metrics->metrics[i].name) != NULL)
            values[i].coarse = 5.0;
}

static void
test_phrases(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct hpm_spec *spec = read_text(cases[i].definitions, 1);
        struct hpm_metrics *metrics = choose(spec, NULL, 0);
        struct hpm_metric_value *values = evaluate(metrics, cases[i].counts);
        struct hpm_string got = {0};

        doubt(metrics, values, cases[i].doubtful);
        crossings_add(&got, metrics, values, NULL, HPM_PRECISION_DOUBLE);
        is_text(hpm_string_text(&got), cases[i].phrase, cases[i].sentence);
        hpm_string_free(&got);
        free(values);
        hpm_metrics_free(metrics);
        hpm_spec_free(spec);
    }
}

static void
test_choice(void)
{
    struct hpm_spec *spec =
        read_text("measure A = X bad > 5" HINT "measure B = X bad > 5" HINT, 1);
    struct hpm_metrics *metrics = choose(spec, NULL, 0);
    struct hpm_metric_value *values = evaluate(metrics, "X 6");
    struct hpm_string got = {0};
    bool is_chosen[8] = {false};

    is_chosen[hpm_metrics_find(metrics, "B")] = true;
    crossings_add(&got, metrics, values, is_chosen, HPM_PRECISION_DOUBLE);
    is_text(hpm_string_text(&got), SMALL "B 6", "only what is chosen");
    hpm_string_free(&got);
    free(values);
    hpm_metrics_free(metrics);
    hpm_spec_free(spec);
}

int
main(void)
{
    test_phrases();
    test_choice();
    return done();
}
