/* SPDX-License-Identifier: BSD-3-Clause
 * hpm metrics: what can be measured on this machine. */
#include "config.h"

#include <getopt.h>

#include "hpm/frame/machine.h"
#include "hpm/frame/subcommand.h"
#include "report/text.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/tool/catalogue.h"
#include "study/tool/option.h"

struct options {
    bool has_all;
    bool is_json;
    const char *arch;
};

static const struct hpm_option table[] = {
    {'a', "all", HPM_OPTION_FLAG(struct options, has_all)},
    {0, "json", HPM_OPTION_FLAG(struct options, is_json)},
    {0, "arch", HPM_OPTION_WORD(struct options, arch)},
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
add_json(struct hpm_string *text, const char *arch,
         const struct hpm_table *metrics, const struct hpm_table *sets)
{
    hpm_string_add(text, "{\"tool\": \"hpm metrics\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n");
    if (arch != NULL) {
        hpm_string_add(text, " \"arch\": ");
        hpm_json_add_text(text, arch);
        hpm_string_add(text, ",\n");
    }
    hpm_string_add(text, "\"metrics\": ");
    hpm_json_add_table(text, metrics);
    hpm_string_add(text, ",\n\"sets\": ");
    hpm_json_add_table(text, sets);
    hpm_string_add(text, "}\n");
}

static enum status
list(const struct options *options, struct hpm_request *request)
{
    struct hpm_table metrics = {0}, sets = {0};
    struct hpm_string text = {0};
    enum status status;

    hpm_catalogue_fill(&metrics, request, options->has_all);
    hpm_catalogue_fill_sets(&sets, request);
    if (options->is_json) {
        add_json(&text, options->arch, &metrics, &sets);
    } else {
        hpm_tablewords_add(&text, &metrics, NULL);
        hpm_string_add_char(&text, '\n');
        hpm_tablewords_add(&text, &sets, "members");
    }
    text.failed |= metrics.failed || sets.failed;
    status = subcommand_print("metrics", &text, GOOD);
    hpm_table_clear(&metrics);
    hpm_table_clear(&sets);
    return status;
}

static enum status
list_model(const struct options *options)
{
    struct machine_model model;
    enum status status;

    if (!machine_open_model("metrics", &model, options->arch))
        return USAGE;
    status = list(options, &model.processor.request);
    machine_close_model(&model);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_inquiry inquiry;
    struct hpm_error err;
    enum status status;

    if (!parse(&options, argc, argv, &err))
        return subcommand_fail("metrics", &err, USAGE);
    if (options.arch != NULL)
        return list_model(&options);
    if (!machine_inquire("metrics", &inquiry))
        return USAGE;
    status = list(&options, &inquiry.request);
    hpm_inquiry_close(&inquiry);
    return status;
}

const struct subcommand subcommand_metrics = {
    .name = "metrics",
    .summary = N_("the metrics that can be measured on this machine"),
    .help = "Usage: hpm metrics [--all] [--json] [--arch PMU]\n"
            "\n"
            "List the metrics that can be measured on this machine, entirely "
            "or in part, and\n"
            "the sets of the definitions.\n"
            "\n"
            "  -a, --all       those that cannot be measured here, too\n"
            "      --json      as JSON\n"
            "      --arch PMU  those of another processor, as its definitions "
            "describe it\n"
            "\n"
            "Exit status: 0 listed, 2 wrong usage, 4 the list cannot be "
            "written.\n",
    .run = run,
};
