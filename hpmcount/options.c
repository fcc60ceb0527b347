/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of hpmcount. */
#include "config.h"

#include "hpmcount/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "hpmcount/summary.h"
#include "report/sections.h"

static const struct format formats[] = {
    {"text", summary_add_text},
    {"csv", hpm_sections_add_csv},
    {"json", hpm_sections_add_json},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };
enum { OPTION_FORMAT = 256, OPTION_LOG };

static const struct option long_options[] = {
    {"events", required_argument, NULL, 'e'},
    {"set", required_argument, NULL, 's'},
    {"list", no_argument, NULL, 'l'},
    {"output", required_argument, NULL, 'o'},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"log", required_argument, NULL, OPTION_LOG},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

static bool
choose_format(struct options *options, const char *name, struct hpm_error *err)
{
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(name, formats[i].name) == 0) {
            options->format = &formats[i];
            return true;
        }
    }
    return hpm_error_set(err,
                         "format '%.40s' is unknown; expected text, csv "
                         "or json",
                         name);
}

static bool
refuse_option(int argc, char **argv, bool lacks_argument, struct hpm_error *err)
{
    const char *word = optind > 0 && optind <= argc ? argv[optind - 1] : "";

    if (lacks_argument)
        return hpm_error_set(err,
                             "option '%s' needs a value; try "
                             "'hpmcount --help'",
                             word);
    if (optopt != 0 && optopt < 256)
        return hpm_error_set(err,
                             "option '-%c' is unknown; try "
                             "'hpmcount --help'",
                             optopt);
    return hpm_error_set(err,
                         "option '%s' is unknown or ambiguous; try "
                         "'hpmcount --help'",
                         word);
}

static bool
check(const struct options *options, struct hpm_error *err)
{
    if (options->task != TASK_RUN)
        return true;
    if (options->events != NULL && options->set_name != NULL)
        return hpm_error_set(err, "-e and -s exclude each other; list the "
                                  "events of both with -e");
    if (options->command[0] == NULL)
        return hpm_error_set(err, "no program to run; expected hpmcount "
                                  "[options] program [arguments], try "
                                  "'hpmcount --help'");
    return true;
}

bool
options_parse(struct options *ret_options, int argc, char **argv,
              struct hpm_error *err)
{
    struct options options = {.format = &formats[0]};
    int c;

    opterr = 0;
    /* "+": what follows the program's name belongs to the program */
    while ((c = getopt_long(argc, argv, "+:e:s:lo:hV", long_options, NULL)) !=
           -1) {
        switch (c) {
        case 'e':
            options.events = optarg;
            break;
        case 's':
            options.set_name = optarg;
            break;
        case 'l':
            options.task = TASK_LIST;
            break;
        case 'o':
            options.output = optarg;
            break;
        case OPTION_FORMAT:
            if (!choose_format(&options, optarg, err))
                return false;
            break;
        case OPTION_LOG:
            options.log = optarg;
            break;
        case 'h':
            options.task = TASK_HELP;
            break;
        case 'V':
            options.task = TASK_VERSION;
            break;
        default:
            return refuse_option(argc, argv, c == ':', err);
        }
    }
    options.command = argv + optind;
    if (!check(&options, err))
        return false;
    *ret_options = options;
    return true;
}

void
options_print_help(void)
{
    fputs("Usage: hpmcount [options] [--] program [arguments]\n"
          "       hpmcount -l\n"
          "\n"
          "Run a program, count what it and all it starts do, and report it at "
          "the end.\n"
          "The program's input, output and exit status are untouched.\n"
          "\n"
          "What to count:\n"
          "  -e, --events LIST   events, with commas between them\n"
          "  -s, --set NAME      a set of events with a name\n"
          "  -l, --list          list the events and sets countable here\n"
          "\n"
          "Where results go:\n"
          "  -o, --output NAME   write a performance file, too; NAME may hold "
          "%n program,\n"
          "                      %r task, %p process id, %h host, %j job, %%\n"
          "      --log FILE      write the report there, not to standard "
          "error\n"
          "      --format FORMAT text (default), csv or json\n"
          "\n"
          "Others:\n"
          "  -h, --help          this help\n"
          "  -V, --version       the version\n"
          "\n"
          "Examples:\n"
          "  hpmcount ./app -n 100\n"
          "  hpmcount -e task-clock,page-faults,ru::nivcsw make -j4\n"
          "  hpmcount --format csv --log run.csv ./app\n"
          "  hpmcount -o %n_%p.hpm.xml ./app\n"
          "\n"
          "Exit status: the program's own; 125 for a fault of hpmcount before "
          "it starts,\n"
          "126 if the program cannot be run, 127 if it is not found.\n",
          stdout);
}

void
options_print_version(void)
{
    puts("hpmcount (" PACKAGE_NAME ") " PACKAGE_VERSION);
}
