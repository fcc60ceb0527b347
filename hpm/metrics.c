/* SPDX-License-Identifier: BSD-3-Clause
 * hpm metrics: what can be measured on this machine. */
#include "config.h"

#include <getopt.h>

#include "hpm/machine.h"
#include "hpm/subcommand.h"
#include "report/text.h"
#include "study/report/format.h"
#include "study/tool/catalogue.h"
#include "study/tool/option.h"

struct options {
    bool has_all;
    bool is_json;
};

static const struct hpm_option table[] = {
    {'a', "all", HPM_OPTION_FLAG(struct options, has_all)},
    {0, "json", HPM_OPTION_FLAG(struct options, is_json)},
};

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    return hpm_options_read("hpm metrics", table,
                            sizeof table / sizeof table[0], false, argc, argv,
                            options, err) &&
           (optind == argc || hpm_error_set(err,
                                            "'%.40s' is not expected; 'hpm "
                                            "explain' describes one metric",
                                            argv[optind]));
}

static void
add_json(struct hpm_string *text, const struct hpm_table *metrics,
         const struct hpm_table *sets)
{
    hpm_string_add(text, "{\"tool\": \"hpm metrics\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n\"metrics\": ");
    hpm_json_add_table(text, metrics);
    hpm_string_add(text, ",\n\"sets\": ");
    hpm_json_add_table(text, sets);
    hpm_string_add(text, "}\n");
}

static enum status
run(int argc, char **argv)
{
    struct hpm_table metrics = {0}, sets = {0};
    struct options options = {0};
    struct hpm_string text = {0};
    struct hpm_inquiry inquiry;
    struct hpm_error err;
    enum status status;

    if (!parse(&options, argc, argv, &err))
        return subcommand_fail("metrics", &err, USAGE);
    if (!machine_inquire("metrics", &inquiry))
        return USAGE;
    hpm_catalogue_fill(&metrics, &inquiry.request, options.has_all);
    hpm_catalogue_fill_sets(&sets, &inquiry.request);
    if (options.is_json) {
        add_json(&text, &metrics, &sets);
    } else {
        hpm_text_add_table(&text, &metrics);
        hpm_string_add_char(&text, '\n');
        hpm_text_add_table(&text, &sets);
    }
    text.failed |= metrics.failed || sets.failed;
    status = subcommand_print("metrics", &text, GOOD);
    hpm_table_clear(&metrics);
    hpm_table_clear(&sets);
    hpm_inquiry_close(&inquiry);
    return status;
}

const struct subcommand subcommand_metrics = {
    .name = "metrics",
    .summary = "the metrics that can be measured on this machine",
    .help = "Usage: hpm metrics [--all] [--json]\n"
            "\n"
            "List the metrics that can be measured on this machine, entirely "
            "or in part, and\n"
            "the sets of the definitions.\n"
            "\n"
            "  -a, --all    those that cannot be measured here, too\n"
            "      --json   as JSON\n"
            "\n"
            "Exit status: 0 listed, 2 wrong usage, 4 the list cannot be "
            "written.\n",
    .run = run,
};
