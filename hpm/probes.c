/* SPDX-License-Identifier: BSD-3-Clause
 * hpm probes: probes that root defines once, so that all users can measure functions
 * of unmodified programs. */
#include <getopt.h>
#include <string.h>

#include "hpm/frame/subcommand.h"
#include "hpm/probing/probing.h"
#include "study/tool/option.h"

static const char *const formats[] = {"text", "csv", "json", NULL};

struct options {
    unsigned format;
    bool is_entry_only, takes_all;
};

static const struct hpm_option words[] = {
    {0, "format", HPM_OPTION_NAME(struct options, format, formats)},
    {0, "entry-only", HPM_OPTION_FLAG(struct options, is_entry_only)},
    {0, "all", HPM_OPTION_FLAG(struct options, takes_all)},
};

static enum status
define(const struct options *options, char **rest, size_t n)
{
    if (n >= 2 && !options->takes_all)
        return probing_define(rest[0], rest + 1, n - 1, options->is_entry_only);
    subcommand_say(probing_command,
                   "expected a program and functions, such as 'hpm probes "
                   "define ./app solve_*', for all functions '*'");
    return USAGE;
}

static enum status
remove_some(const struct options *options, char **rest, size_t n)
{
    if (options->takes_all != (n > 0))
        return n > 0 ? probing_remove(rest[0], rest + 1, n - 1)
                     : probing_remove(NULL, NULL, 0);
    subcommand_say(probing_command, "expected a program whose probes are to be "
                                    "removed, or --all");
    return USAGE;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_error err;
    const char *action;
    char **rest;
    size_t n;

    if (!hpm_options_read("hpm probes", words, sizeof words / sizeof words[0],
                          false, argc, argv, &options, &err))
        return subcommand_fail(probing_command, &err, USAGE);
    action = optind < argc ? argv[optind] : "";
    rest = argv + optind + 1;
    n = optind < argc ? (size_t)(argc - optind - 1) : 0;
    if (strcmp(action, "define") == 0)
        return define(&options, rest, n);
    if (strcmp(action, "remove") == 0)
        return remove_some(&options, rest, n);
    if (strcmp(action, "list") == 0)
        return probing_list(rest, n, options.format);
    subcommand_say(probing_command, "expected 'define', 'list' or 'remove'");
    return USAGE;
}

const struct subcommand subcommand_probes = {
    .name = "probes",
    .summary = N_("let users without root measure functions of programs"),
    .help = "Usage: hpm probes define [--entry-only] PROGRAM PATTERN...\n"
            "       hpm probes list [--format FORMAT] [PROGRAM...]\n"
            "       hpm probes remove PROGRAM [PATTERN...] | --all\n"
            "\n"
            "Only root may set probes in programs. Define them once for the "
            "functions that other\n"
            "users may measure by 'hpmcount --section'; list shows the probes "
            "in all programs and\n"
            "whose they are, and what users may do; remove takes away those "
            "of define.\n"
            "\n"
            "      --entry-only     for users' 'hpmcount --entry-only', which "
            "counts calls alone\n"
            "      --format FORMAT  text (the default), csv, json\n"
            "      --all            those in all programs\n"
            "\n"
            "Exit status: 0 done, 1 some probes are in use, 2 wrong usage, 3 "
            "not allowed or\n"
            "nothing found, 4 the list cannot be written.\n",
    .run = run,
};
