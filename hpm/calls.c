/* SPDX-License-Identifier: BSD-3-Clause
 * hpm calls: how the single calls of a section differ. */
#include <getopt.h>

#include "hpm/analysis/analysing.h"
#include "hpm/frame/result.h"
#include "hpm/frame/subcommand.h"
#include "study/analysis/callpictures.h"
#include "study/analysis/callreport.h"
#include "study/analysis/kindsentence.h"

static const char command[] = "calls";

enum { SVG = ANALYSING_JSON + 1 };

static const char *const formats[] = {ANALYSING_FORMATS, "svg", NULL};

static const char *const pictures[] = {[HPM_CALLPICTURE_HISTOGRAM] =
                                           "histogram",
                                       [HPM_CALLPICTURE_DRIFT] = "drift",
                                       NULL};

struct options {
    struct analysing_options analysing;
    unsigned picture; /* HPM_N_CALLPICTURES: not given */
};

static const struct hpm_option table[] = {
    ANALYSING_OPTIONS(struct options, analysing),
    {0, "format", HPM_OPTION_NAME(struct options, analysing.format, formats)},
    {0, "picture", HPM_OPTION_NAME(struct options, picture, pictures)},
};

/* Uses all metrics, whichever are shown. */
static void
say_phases(struct pointing *pointing, struct hpm_account *account)
{
    const struct hpm_points_options which = {
        .is_of_one = true,
        .subject = pointing->points.all[0].subject,
        .calls = &pointing->calls};
    struct hpm_string sentence = {0};
    struct hpm_points points;

    if (!hpm_points_init(&points, pointing->survey, &which, NULL))
        return;
    if (points.n > HPM_KINDSENTENCE_MOST_CALLS)
        hpm_string_add_format(&sentence,
                              N_("No phases were looked for: %zu calls are "
                                 "more than %d; hpm cluster --calls makes "
                                 "groups of them."),
                              points.n, HPM_KINDSENTENCE_MOST_CALLS);
    else
        hpm_kindsentence_add_points(&sentence, &points);
    if (sentence.length > 0 || sentence.failed)
        hpm_account_say_string(account, &sentence);
    hpm_points_clear(&points);
    hpm_string_free(&sentence);
}

static enum status
describe(const struct options *options, struct pointing *pointing,
         enum status otherwise)
{
    struct hpm_account account = {0};
    struct hpm_error err;
    enum status status;

    if (hpm_callreport_describe(&pointing->points, &account, &err)) {
        say_phases(pointing, &account);
        status = analysing_put(command, &options->analysing, &account,
                               "quantiles", otherwise);
    } else {
        status = subcommand_fail(command, &err, NOTHING);
    }
    hpm_account_clear(&account);
    return status;
}

static enum status
draw(const struct options *options, const struct hpm_points *points,
     enum status otherwise)
{
    enum hpm_callpicture which = options->picture == HPM_N_CALLPICTURES
                                     ? HPM_CALLPICTURE_HISTOGRAM
                                     : (enum hpm_callpicture)options->picture;
    struct hpm_picture picture = {0};
    struct hpm_string text = {0};
    struct hpm_error err;
    enum status status;

    if (hpm_callpicture_draw(&picture, points, which, &err)) {
        hpm_picture_add_svg(&picture, &text);
        status = result_put(command, options->analysing.points.output, &text,
                            otherwise);
    } else {
        status = subcommand_fail(command, &err, NOTHING);
    }
    hpm_picture_clear(&picture);
    return status;
}

static bool
check(const struct options *options, struct hpm_error *err)
{
    return analysing_check(&options->analysing, err) &&
           (options->picture == HPM_N_CALLPICTURES ||
            options->analysing.format == SVG ||
            hpm_error_set(err, "--picture needs --format svg"));
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.analysing.points.is_of_calls = true,
                              .picture = HPM_N_CALLPICTURES};
    struct pointing_options *points = &options.analysing.points;
    struct pointing pointing;
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm calls", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !check(&options, &err))
        return subcommand_fail(command, &err, USAGE);
    if (points->metrics == NULL && !points->is_raw)
        points->metrics = "IncSec";
    status = pointing_open_one(&pointing, command, points, argv + optind,
                               (size_t)(argc - optind));
    if (status == GOOD || status == SOME_BAD)
        status = options.analysing.format == SVG
                     ? draw(&options, &pointing.points, status)
                     : describe(&options, &pointing, status);
    pointing_close(&pointing);
    return status;
}

const struct subcommand subcommand_calls = {
    .name = "calls",
    .summary =
        N_("how the single calls of a section differ: spread, drift, phases"),
    .help =
        "Usage: hpm calls [options] FILE...\n"
        "\n"
        "Show how the calls of a section differ that HPM_CALLS has kept: "
        "quantiles, a\n"
        "histogram, how they change during the run, and phases where there "
        "are some beyond\n"
        "doubt. Several files are merged first. A FILE may be a folder, a "
        "pattern in quotes,\n"
        "or - for standard input.\n"
        "\n"
        "      --section LABEL   the section (the one with the most time)\n"
        "      --metrics NAMES   what to show, by name or pattern: 'IncSec, "
        "L1*' (IncSec)\n"
        "      --raw             all counters\n"
        "      --table NAME      csv: quantiles (the usual one), histogram\n"
        "      --picture NAME    svg: histogram (the default), drift\n"
        "      --format FORMAT   text (the default), csv, json, "
        "svg\n" POINTING_FILES_HELP,
    .run = run,
};
