/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of hpmcount. */
#include "config.h"

#include "hpmcount/options.h"

#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hpmcount/document.h"
#include "hpmcount/summary.h"
#include "study/report/runtable.h"
#include "study/tool/option.h"

static void
add_csv(struct hpm_string *string, const struct hpm_experiment *experiment,
        struct hpm_derived *derived, const struct hpm_tree_style *style)
{
    (void)style;
    hpm_runtable_add_csv(string, experiment, derived);
}

static void
add_json(struct hpm_string *string, const struct hpm_experiment *experiment,
         struct hpm_derived *derived, const struct hpm_tree_style *style)
{
    (void)style;
    hpm_runtable_add_json(string, experiment, derived);
}

static const struct format formats[] = {
    {"text", summary_add_text, series_add_text, true, NULL, false},
    {"csv", add_csv, series_add_csv, false, document_add_csv_messages, false},
    {"json", add_json, series_add_json, false, document_add_json_messages,
     true},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };
enum { MAX_RUNS = 100000, MAX_DELAY_MS = 1000000000 };

/* ---- the table ------------------------------------------------------- */

/* What getopt says for options without a letter. */
enum {
    DELAY = 256,
    SHARE,
    AUDIT,
    WARMUP,
    LOG,
    LOG_FD,
    APPEND,
    FORMAT,
    PRECISION,
    YES_LAUNCHER
};

/* Man page and completions are held to this table by a test. */
static const struct entry {
    int code; /* the letter, where there is one */
    const char *name;
    const char *argument; /* NULL: it takes none */
    const char *group;    /* of the options from here on; NULL: the same */
    const char *help;
} entries[] = {
    {'e', "events", "LIST", "What to count",
     "events, with commas between them"},
    {'s', "set", "NAME", NULL, "a set of events or metrics with a name"},
    {'m', "metrics", "LIST", NULL,
     "metrics, or all that can be measured here; their events\n"
     "are counted"},
    {DELAY, "delay", "MS", NULL,
     "count from so many milliseconds after the start on"},
    {SHARE, "share", NULL, NULL,
     "let more events than there are counters take turns;\n"
     "else those that do not fit are named and not counted"},
    {AUDIT, "audit", NULL, NULL,
     "count the events of -e alone and shared, and compare\n"
     "(hpm audit)"},
    {'l', "list", NULL, NULL,
     "list the events, sets and metrics countable here"},
    {'r', "repeat", "N", "How often",
     "run the program N times and report mean, deviation,\n"
     "minimum, 95 % interval and outliers"},
    {WARMUP, "warmup", "N", NULL, "before that, run it N times uncounted"},
    {'a', "aggregate", NULL, "Where results go",
     "under mpirun, srun ...: one report of all tasks"},
    {'o', "output", "NAME", NULL,
     "write a performance file, too; NAME may hold %n program,\n"
     "%r task, %p process id, %i run of -r, %h host, %j job,\n"
     "%%; without %i the runs of -r are NAME.1.hpm.xml ..."},
    {LOG, "log", "NAME", NULL,
     "write the report there, not to standard error; -: to\n"
     "standard output; >(COMMAND): to that command"},
    {LOG_FD, "log-fd", "N", NULL, "write it to the open file descriptor N"},
    {APPEND, "append", NULL, NULL, "add it to the end of that file"},
    {'u', "unique", NULL, NULL,
     "put task and process id into the names of both"},
    {FORMAT, "format", "FORMAT", NULL, "text (default), csv or json"},
    {'x', "formulas", NULL, NULL, "show the formulas of metrics"},
    {PRECISION, "precision", "P", NULL,
     "judge metrics for single or double (default) precision"},
    {'n', "no-report", NULL, NULL, "no report on standard error"},
    {YES_LAUNCHER, "yes-launcher", NULL, "Others",
     "the program is a launcher (mpirun, srun ...), count it\nall the same"},
    {'h', "help", NULL, NULL, "this help"},
    {'V', "version", NULL, NULL, "the version"},
};

enum { N_ENTRIES = sizeof entries / sizeof entries[0] };

/* The table as getopt wants it.  "+": what follows the program's name belongs
 * to the program; ":": a missing value is told apart. */
static void
prepare_getopt(struct option *ret_long, char *ret_short)
{
    *ret_short++ = '+';
    *ret_short++ = ':';
    for (size_t i = 0; i < N_ENTRIES; i++) {
        ret_long[i] = (struct option){.name = entries[i].name,
                                      .has_arg = entries[i].argument != NULL
                                                     ? required_argument
                                                     : no_argument,
                                      .val = entries[i].code};
        if (entries[i].code >= DELAY)
            continue;
        *ret_short++ = (char)entries[i].code;
        if (entries[i].argument != NULL)
            *ret_short++ = ':';
    }
    ret_long[N_ENTRIES] = (struct option){0};
    *ret_short = '\0';
}

/* ---- reading --------------------------------------------------------- */

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
choose_precision(struct options *options, const char *name,
                 struct hpm_error *err)
{
    if (strcmp(name, "single") == 0)
        options->precision = HPM_PRECISION_SINGLE;
    else if (strcmp(name, "double") == 0)
        options->precision = HPM_PRECISION_DOUBLE;
    else
        return hpm_error_set(err,
                             "precision '%.40s' is unknown; expected "
                             "single or double",
                             name);
    return true;
}

static bool
read_number(uint64_t *ret_number, const char *option, const char *text,
            uint64_t least, uint64_t most, struct hpm_error *err)
{
    uint64_t number;

    if (!hpm_string_to_count(text, &number) || number < least || number > most)
        return hpm_error_set(err,
                             "%s '%.40s': expected a whole number from "
                             "%llu to %llu",
                             option, text, (unsigned long long)least,
                             (unsigned long long)most);
    *ret_number = number;
    return true;
}

/* These names mean what is open; the file of that name would be another one, or
 * none: >(COMMAND) of a shell is a pipe. */
static bool
find_descriptor(const char *name, uint64_t *ret_number)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    if (strcmp(name, "-") == 0 || strcmp(name, "/dev/stdout") == 0) {
        *ret_number = STDOUT_FILENO;
        return true;
    }
    if (strcmp(name, "/dev/stderr") == 0) {
        *ret_number = STDERR_FILENO;
        return true;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t length = strlen(folders[i]);

        if (strncmp(name, folders[i], length) == 0)
            return hpm_string_to_count(name + length, ret_number) &&
                   *ret_number <= INT_MAX;
    }
    return false;
}

static bool
is_written_to(int fd)
{
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && (flags & O_PATH) == 0 &&
           (flags & O_ACCMODE) != O_RDONLY;
}

static bool
set_log_fd(struct options *options, const char *option, uint64_t number,
           struct hpm_error *err)
{
    if (!is_written_to((int)number))
        return hpm_error_set(err,
                             "%s %.200s: file descriptor %d is not open for "
                             "writing",
                             option, optarg, (int)number);
    options->log = NULL;
    options->log_fd = (int)number;
    return true;
}

static bool
take_log(struct options *options, struct hpm_error *err)
{
    uint64_t number = 0;

    if (find_descriptor(optarg, &number))
        return set_log_fd(options, "--log", number, err);
    options->log = optarg;
    options->log_fd = -1;
    return true;
}

static bool
take_log_fd(struct options *options, struct hpm_error *err)
{
    uint64_t number = 0;

    return read_number(&number, "--log-fd", optarg, 0, INT_MAX, err) &&
           set_log_fd(options, "--log-fd", number, err);
}

static bool
take_option(struct options *options, int code, struct hpm_error *err)
{
    switch (code) {
    case 'e':
        options->events = optarg;
        return true;
    case 's':
        options->set_name = optarg;
        return true;
    case 'm':
        options->metrics = optarg;
        return true;
    case DELAY:
        return read_number(&options->delay_ms, "--delay", optarg, 0,
                           MAX_DELAY_MS, err);
    case SHARE:
        return options->takes_turns = true;
    case AUDIT:
        return options->is_audit = true;
    case 'l':
        options->task = TASK_LIST;
        return true;
    case 'r':
        return read_number(&options->n_runs, "-r", optarg, 1, MAX_RUNS, err);
    case WARMUP:
        return read_number(&options->n_warmups, "--warmup", optarg, 0, MAX_RUNS,
                           err);
    case 'a':
        return options->is_aggregated = true;
    case 'o':
        options->output = optarg;
        return true;
    case LOG:
        return take_log(options, err);
    case LOG_FD:
        return take_log_fd(options, err);
    case APPEND:
        return options->is_appended = true;
    case 'u':
        return options->is_unique = true;
    case FORMAT:
        return choose_format(options, optarg, err);
    case 'x':
        return options->has_formulas = true;
    case PRECISION:
        return choose_precision(options, optarg, err);
    case 'n':
        return options->is_quiet = true;
    case YES_LAUNCHER:
        return options->allows_launcher = true;
    case 'h':
        options->task = TASK_HELP;
        return true;
    default:
        options->task = TASK_VERSION;
        return true;
    }
}

static bool
check(const struct options *options, struct hpm_error *err)
{
    if (options->task != TASK_RUN)
        return true;
    if (options->events != NULL && options->set_name != NULL)
        return hpm_error_set(err, "-e and -s exclude each other; list the "
                                  "events of both with -e");
    if (options->is_aggregated && options->n_runs + options->n_warmups > 1)
        return hpm_error_set(err, "-a and -r exclude each other; repeat the "
                                  "job, and average its files with hpm mean");
    if (options->is_appended && options->log == NULL && options->log_fd < 0)
        return hpm_error_set(err, "--append adds to the file of --log, which "
                                  "is missing");
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
    struct options options = {.format = &formats[0],
                              .precision = HPM_PRECISION_DOUBLE,
                              .n_runs = 1,
                              .log_fd = -1,
                              .own = argv + 1};
    struct option long_options[N_ENTRIES + 1];
    char short_options[2 * N_ENTRIES + 3];
    int code;

    prepare_getopt(long_options, short_options);
    opterr = 0;
    while ((code = getopt_long(argc, argv, short_options, long_options,
                               NULL)) != -1) {
        if (code == ':' || code == '?')
            return hpm_option_refuse("hpmcount", argc, argv, code == ':', err);
        if (!take_option(&options, code, err))
            return false;
    }
    options.command = argv + optind;
    if (!check(&options, err))
        return false;
    *ret_options = options;
    return true;
}

/* ---- help ------------------------------------------------------------ */

enum { HELP_COLUMN = 24 };

/* "  -e, --events LIST     text", further lines of the text below it */
static void
print_entry(const struct entry *entry)
{
    char head[64];

    snprintf(head, sizeof head, "  %c%c%c --%s%s%s",
             entry->code < DELAY ? '-' : ' ',
             entry->code < DELAY ? (char)entry->code : ' ',
             entry->code < DELAY ? ',' : ' ', entry->name,
             entry->argument != NULL ? " " : "",
             entry->argument != NULL ? entry->argument : "");
    printf("%-*s", HELP_COLUMN, head);
    for (const char *c = entry->help; *c != '\0'; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

void
options_print_help(void)
{
    fputs("Usage: hpmcount [options] [--] program [arguments]\n"
          "       hpmcount -l\n"
          "\n"
          "Run a program, count what it and all it starts do, and report it at "
          "the end.\n"
          "The program's input, output and exit status are untouched.\n",
          stdout);
    for (size_t i = 0; i < N_ENTRIES; i++) {
        if (entries[i].group != NULL)
            printf("\n%s:\n", entries[i].group);
        print_entry(&entries[i]);
    }
    fputs("\n"
          "Exit status: the program's own; 125 for a fault of hpmcount before "
          "it starts,\n"
          "126 if the program cannot be run, 127 if it is not found.\n"
          "\n"
          "Examples:\n"
          "  hpmcount ./app -n 100\n"
          "  hpmcount -e task-clock,page-faults,ru::nivcsw make -j4\n"
          "  hpmcount -m IPC,BRANCH_MISP_PCT ./app\n"
          "  hpmcount -r 10 --warmup 1 ./app\n"
          "  hpmcount --format csv --log run.csv ./app\n"
          "  hpmcount -o %n_%p.hpm.xml ./app\n"
          "  mpirun -n 4 hpmcount -o run.hpm.xml ./app\n"
          "  mpirun -n 4 hpmcount -a ./app\n",
          stdout);
}

void
options_print_version(void)
{
    puts("hpmcount (" PACKAGE_NAME ") " PACKAGE_VERSION);
}
