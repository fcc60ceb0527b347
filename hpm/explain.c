/* SPDX-License-Identifier: BSD-3-Clause
 * hpm explain: what a metric is. */
#include "hpm/machine.h"
#include "hpm/subcommand.h"
#include "report/catalogue.h"

static bool
explain(struct hpm_string *text, struct hpm_inquiry *inquiry, const char *name)
{
    const struct hpm_metrics *metrics = inquiry->library.metrics;
    size_t metric = hpm_metrics_find(metrics, name);
    const char *nearest;
    struct hpm_error err;

    if (metric != HPM_NO_METRIC) {
        hpm_string_add(text, text->length > 0 ? "\n" : "");
        hpm_catalogue_explain(text, &inquiry->request, metric);
        return true;
    }
    nearest = hpm_metrics_nearest(metrics, name);
    if (nearest != NULL)
        hpm_error_set(&err, "there is no metric '%.60s'; did you mean '%s'?",
                      name, nearest);
    else
        hpm_error_set(&err,
                      "there is no metric '%.60s'; 'hpm metrics --all' "
                      "lists them",
                      name);
    subcommand_say("explain", err.text);
    return false;
}

static enum status
run(int argc, char **argv)
{
    struct hpm_string text = {0};
    struct hpm_inquiry inquiry;
    enum status status;
    int n_told = 0;

    if (argc < 2 || argv[1][0] == '-') {
        subcommand_say("explain", "expected names of metrics; 'hpm metrics' "
                                  "lists them");
        return USAGE;
    }
    if (!machine_inquire("explain", &inquiry))
        return USAGE;
    for (int i = 1; i < argc; i++)
        n_told += explain(&text, &inquiry, argv[i]);
    status = n_told == argc - 1 ? GOOD : (n_told > 0 ? SOME_BAD : NOTHING);
    if (n_told > 0)
        status = subcommand_print("explain", &text, status);
    hpm_string_free(&text);
    hpm_inquiry_close(&inquiry);
    return status;
}

const struct subcommand subcommand_explain = {
    .name = "explain",
    .summary = "what a metric is, and whether it can be measured here",
    .help = "Usage: hpm explain METRIC...\n"
            "\n"
            "Tell of each metric what it means, its formulas and where they "
            "are defined, its\n"
            "unit, its limits and where they come from, what one should know, "
            "whether and by\n"
            "which events it can be measured here, and the same of what it "
            "needs.\n"
            "\n"
            "Exit status: 0 all told, 1 some are no metrics, 2 wrong usage, 3 "
            "none is one,\n"
            "4 it cannot be written.\n",
    .run = run,
};
