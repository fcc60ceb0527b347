/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor: what can be counted on this machine, and what counting costs. */
#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/option.h"
#include "hpm/overhead.h"
#include "hpm/subcommand.h"

enum { OPTION_OVERHEAD = 256, OPTION_JSON };

struct options {
    bool is_overhead;
    bool is_json;
    const char *events;
};

static const struct option long_options[] = {
    {"overhead", no_argument, NULL, OPTION_OVERHEAD},
    {"events", required_argument, NULL, 'e'},
    {"json", no_argument, NULL, OPTION_JSON},
    {NULL, 0, NULL, 0},
};

static bool
check(const struct options *options, int argc, char **argv,
      struct hpm_error *err)
{
    if (optind < argc)
        return hpm_error_set(err,
                             "'%.40s' is not expected; try "
                             "'hpm doctor --help'",
                             argv[optind]);
    if (options->events != NULL && !options->is_overhead)
        return hpm_error_set(err, "-e says what --overhead counts; give both");
    return true;
}

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, ":e:", long_options, NULL)) != -1) {
        switch (c) {
        case OPTION_OVERHEAD:
            options->is_overhead = true;
            break;
        case OPTION_JSON:
            options->is_json = true;
            break;
        case 'e':
            options->events = optarg;
            break;
        default:
            return hpm_option_refuse("hpm doctor", argc, argv, c == ':', err);
        }
    }
    return check(options, argc, argv, err);
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_error err;

    if (!parse(&options, argc, argv, &err)) {
        subcommand_say("doctor", err.text);
        return USAGE;
    }
    return overhead_run(options.events, options.is_json);
}

const struct subcommand subcommand_doctor = {
    .name = "doctor",
    .summary = "what can be counted here, and what counting costs",
    .help =
        "Usage: hpm doctor --overhead [-e LIST] [--json]\n"
        "\n"
        "Measure what measuring costs here, in time and in every counter, and "
        "what is\n"
        "left of it in the results.\n"
        "\n"
        "      --overhead      1,000 calls of an empty section, of one around "
        "it, of new\n"
        "                      ones, and of sections of the whole process\n"
        "  -e, --events LIST   with --overhead: what to count\n"
        "      --json          for programs to read\n"
        "\n"
        "Exit status: 0 it was measured, 2 wrong usage, 3 it could not be "
        "measured,\n"
        "4 output failed.\n",
    .run = run,
};
