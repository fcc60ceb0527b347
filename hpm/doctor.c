/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor: what can be counted on this machine, and what counting costs. */
#include <getopt.h>

#include "hpm/diagnosis/diagnosis.h"
#include "hpm/diagnosis/overhead.h"
#include "hpm/frame/subcommand.h"
#include "hpm/roofs/roofs.h"
#include "hpm/verify/verify.h"
#include "study/tool/option.h"

struct options {
    bool is_overhead, is_verify, is_roofs;
    bool is_json;
    const char *events;
};

static const struct hpm_option table[] = {
    {0, "overhead", HPM_OPTION_FLAG(struct options, is_overhead)},
    {0, "verify", HPM_OPTION_FLAG(struct options, is_verify)},
    {0, "roofs", HPM_OPTION_FLAG(struct options, is_roofs)},
    {'e', "events", HPM_OPTION_WORD(struct options, events)},
    {0, "json", HPM_OPTION_FLAG(struct options, is_json)},
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
    if (options->is_overhead + options->is_verify + options->is_roofs > 1)
        return hpm_error_set(err, "--overhead, --verify and --roofs measure "
                                  "different things; give one of them");
    if (options->events != NULL && !options->is_overhead && !options->is_verify)
        return hpm_error_set(err, "-e says what --overhead or --verify counts; "
                                  "give one of them, too");
    return true;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_error err;

    if (!hpm_options_read("hpm doctor", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !check(&options, argc, argv, &err))
        return subcommand_fail("doctor", &err, USAGE);
    if (options.is_verify)
        return verify_run(options.events, options.is_json);
    if (options.is_roofs)
        return roofs_run(options.is_json);
    if (options.is_overhead)
        return overhead_run(options.events, options.is_json);
    return diagnosis_run(options.is_json);
}

const struct subcommand subcommand_doctor = {
    .name = "doctor",
    .summary = N_("what can be counted here, and what counting costs"),
    .help =
        "Usage: hpm doctor [--json]\n"
        "       hpm doctor --overhead [-e LIST] [--json]\n"
        "       hpm doctor --verify [-e LIST] [--json]\n"
        "       hpm doctor --roofs [--json]\n"
        "\n"
        "Say what can be counted on this machine, and why not more: the cause, "
        "the remedy,\n"
        "and all that was looked at, a line each.\n"
        "\n"
        "      --overhead      measure instead what measuring costs, in time "
        "and in every\n"
        "                      counter, and what is left of it in results\n"
        "      --verify        find out which events count right here, by code "
        "of which the\n"
        "                      counts are known, and keep that for this "
        "machine\n"
        "      --roofs         measure how fast this machine can calculate and "
        "read memory,\n"
        "                      and keep that for this machine: what programs "
        "do is compared\n"
        "                      with it\n"
        "  -e, --events LIST   with --overhead and --verify: what to count\n"
        "      --json          for programs to read\n"
        "\n"
        "Exit status: 0 hardware counters can be used (with --overhead and "
        "--roofs: it was\n"
        "measured; with --verify: none counts wrongly), 1 they cannot, or in "
        "part (some count\n"
        "wrongly), 2 wrong usage, 3 it could not be measured or kept, 4 output "
        "failed.\n",
    .run = run,
};
