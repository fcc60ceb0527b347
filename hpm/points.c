/* SPDX-License-Identifier: BSD-3-Clause
 * hpm points: the threads of sections as a table for other programs. */
#include <getopt.h>

#include "hpm/analysis/pointing.h"
#include "hpm/frame/result.h"
#include "hpm/frame/subcommand.h"
#include "study/points/pointtable.h"

static const char command[] = "points";

enum format { CSV, NPZ };

static const char *const formats[] = {"csv", "npz", NULL};

struct options {
    struct pointing_options points;
    unsigned format;
};

static const struct hpm_option table[] = {
    POINTING_OPTIONS(struct options, points),
    {0, "format", HPM_OPTION_NAME(struct options, format, formats)},
};

static enum status
put_points(const struct options *options, const struct hpm_points *points,
           enum status otherwise)
{
    struct hpm_string text = {0}, lacks = {0};
    struct hpm_error err;

    hpm_pointtable_add_lacks(&lacks, points);
    subcommand_say_lines(command, hpm_string_text(&lacks));
    hpm_string_free(&lacks);
    if (options->format == CSV)
        hpm_pointtable_add_csv(&text, points);
    else if (!hpm_pointtable_add_npz(&text, points, &err)) {
        hpm_string_free(&text);
        return subcommand_fail(command, &err, OUTPUT);
    }
    return result_put(command, options->points.output, &text, otherwise);
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct pointing pointing;
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm points", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err))
        return subcommand_fail(command, &err, USAGE);
    status = pointing_open(&pointing, command, &options.points, argv + optind,
                           (size_t)(argc - optind));
    if (status == GOOD || status == SOME_BAD)
        status = put_points(&options, &pointing.points, status);
    pointing_close(&pointing);
    return status;
}

const struct subcommand subcommand_points = {
    .name = "points",
    .summary =
        N_("each thread of each section as a line, for R, NumPy, pandas"),
    .help =
        "Usage: hpm points [options] FILE...\n"
        "\n"
        "Print a line for each thread of each section, a column for each "
        "metric: the table\n"
        "that other programs for statistics take. Several files are merged "
        "first. A FILE may\n"
        "be a folder, a pattern in quotes, or - for standard input.\n"
        "\n"
        "      --section LABELS  only sections with these labels or patterns: "
        "'solve, io*'\n" POINTING_COLUMNS_HELP
        "      --format FORMAT   csv (the default); npz: arrays that NumPy, "
        "pandas and R read\n" POINTING_FILES_HELP,
    .run = run,
};
