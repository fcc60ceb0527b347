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
#include "hpmcount/hinting.h"
#include "hpmcount/summary.h"
#include "study/report/runtable.h"
#include "study/tool/option.h"
#include "study/words/words.h"

static void
add_csv(struct hpm_string *string, const struct hpm_experiment *experiment,
        struct hpm_derived *derived, const struct look *look)
{
    struct hpm_ranking ranking;

    if (!hinting_rank(&ranking, derived, look)) {
        string->failed = true;
        return;
    }
    hpm_runtable_add_csv(string, experiment, derived, &ranking);
    hpm_ranking_clear(&ranking);
}

static void
add_json(struct hpm_string *string, const struct hpm_experiment *experiment,
         struct hpm_derived *derived, const struct look *look)
{
    struct hpm_ranking ranking;

    if (!hinting_rank(&ranking, derived, look)) {
        string->failed = true;
        return;
    }
    hpm_runtable_add_json(string, experiment, derived, &ranking);
    hpm_ranking_clear(&ranking);
}

static const struct format formats[] = {
    {"text", summary_add_text, series_add_text, true, NULL, false},
    {"csv", add_csv, series_add_csv, false, document_add_csv_messages, false},
    {"json", add_json, series_add_json, false, document_add_json_messages,
     true},
};

enum { N_FORMATS = sizeof formats / sizeof formats[0] };
enum { MAX_RUNS = 100000, MAX_DELAY_MS = 1000000000 };

/* ---- reading --------------------------------------------------------- */

/* These names mean an open descriptor.  Opening them as files would give
 * another file, or none: a shell's >(COMMAND) is a pipe. */
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
set_log_fd(struct options *options, const char *option, const char *word,
           uint64_t number, struct hpm_error *err)
{
    if (!is_written_to((int)number))
        return hpm_error_set(err,
                             "%s %.200s: file descriptor %d is not open for "
                             "writing",
                             option, word, (int)number);
    options->log = NULL;
    options->log_fd = (int)number;
    return true;
}

static bool
take_log(void *owner, const char *word, struct hpm_error *err)
{
    struct options *options = owner;
    uint64_t number = 0;

    if (find_descriptor(word, &number))
        return set_log_fd(options, "--log", word, number, err);
    options->log = word;
    options->log_fd = -1;
    return true;
}

static bool
take_log_fd(void *owner, const char *word, struct hpm_error *err)
{
    uint64_t number;

    if (!hpm_string_to_count(word, &number) || number > INT_MAX)
        return hpm_error_set(err,
                             "--log-fd '%.40s': expected a whole number from 0 "
                             "to %d",
                             word, INT_MAX);
    return set_log_fd(owner, "--log-fd", word, number, err);
}

static bool
choose_format(void *owner, const char *word, struct hpm_error *err)
{
    struct options *options = owner;

    for (size_t i = 0; i < N_FORMATS; i++) {
        if (strcmp(word, formats[i].name) == 0) {
            options->format = &formats[i];
            return true;
        }
    }
    return hpm_error_set(err,
                         "--format '%.40s' is unknown; expected text, csv or "
                         "json",
                         word);
}

/* A list of "libomp" and "regions", or nothing. */
static bool
take_openmp(void *owner, const char *word, struct hpm_error *err)
{
    struct options *options = owner;

    options->takes_openmp = true;
    while (word != NULL) {
        size_t length = strcspn(word, ",");

        if (length == 6 && strncmp(word, "libomp", 6) == 0)
            options->has_libomp = true;
        else if (length == 7 && strncmp(word, "regions", 7) == 0)
            options->has_regions = true;
        else
            return hpm_error_set(err,
                                 "--openmp='%.40s' is unknown; expected "
                                 "regions, libomp or both, with a comma "
                                 "between them",
                                 word);
        word = word[length] == ',' ? word + length + 1 : NULL;
    }
    return true;
}

/* ---- the table ------------------------------------------------------- */

#define FLAG(member) HPM_OPTION_FLAG(struct options, member)
#define CHOICE(member, value) HPM_OPTION_CHOICE(struct options, member, value)
#define WORD(member) HPM_OPTION_WORD(struct options, member)
#define NUMBER(member, least, most)                                            \
    HPM_OPTION_NUMBER(struct options, member, least, most)

static const char *const precisions[] = {"single", "double", NULL};

static const char *const chains[] = {"no", "fp", NULL};

/* A test compares the manual page and completions with this table. */
static const struct hpm_option table[] = {
    {'e', "events", WORD(events), .argument = "LIST",
     .group = N_("What to count"),
     .help = N_("events, with commas between them")},
    {'s', "set", WORD(set_name), .argument = "NAME",
     .help = N_("a set of events or metrics with a name")},
    {'m', "metrics", WORD(metrics), .argument = "LIST",
     .help = N_("metrics, or all that can be measured here; their events\n"
                "are counted")},
    {0, "sample", WORD(sampled), .argument = "LIST",
     .help = N_("note where the program is, once in a period of an event:\n"
                "cpu-clock@997us,cycles@1000003; with -o, for\n"
                "'hpm report --by symbol'")},
    {0, "chains", HPM_OPTION_NAME(struct options, chains, chains),
     .argument = "WAY",
     .help = N_("with --sample: from where each place was called, by\n"
                "frame pointers; for 'hpm report --by stack'")},
    {0, "delay", NUMBER(delay_ms, 0, MAX_DELAY_MS), .argument = "MS",
     .help = N_("count from so many milliseconds after the start on")},
    {0, "share", FLAG(takes_turns),
     .help = N_("let more events than there are counters take turns;\n"
                "else those that do not fit are named and not counted")},
    {0, "audit", FLAG(is_audit),
     .help = N_("count the events of -e alone and shared, and compare\n"
                "(hpm audit)")},
    {0, "mpi", FLAG(takes_mpi),
     .help = N_("take the time of calls of MPI, too, by libhpm_mpi, which\n"
                "writes a performance file of the job")},
    {0, "functions", WORD(functions), .argument = "LIST",
     .help = N_("measure functions of a program: 'solve_*,!*_inline';\n"
                "it is compiled with -finstrument-functions (or clang's\n"
                "-fxray-instrument), and writes a performance file with\n"
                "them as sections")},
    {0, "library", WORD(libraries), .argument = "LIST",
     .help = N_("measure calls of shared libraries of any program, 'blas,\n"
                "libm:exp*': blas, fftw, lapack, libm, mpi, or one that\n"
                "hpmwrap made; writes a performance file with them")},
    {0, "section", WORD(probed), .argument = "LIST",
     .help = N_("measure functions of a program as it is: 'solve_*,main';\n"
                "with -o, as sections; needs root (hpm functions lists\n"
                "what can be measured)")},
    {0, "entry-only", FLAG(is_entry_only),
     .help = N_("with --section: count the calls of the functions, and\n"
                "measure no more, without return probes")},
    {0, "openmp", HPM_OPTION_FREE(take_openmp), .argument = "LIST",
     .help = N_("take the time that threads of OpenMP wait, too, by\n"
                "libhpm_openmp, which writes a performance file; LIST:\n"
                "regions, each with its time; libomp, to run a program\n"
                "of gcc on LLVM's OpenMP")},
    {'l', "list", CHOICE(task, TASK_LIST),
     .help = N_("list the events, sets and metrics countable here")},
    {'p', "pid", WORD(processes), .argument = "PID,...",
     .group = N_("What runs already"),
     .help = N_("count these processes from now to their end, to Ctrl+C,\n"
                "or while the program runs that the line ends with")},
    {'t', "tid", WORD(threads), .argument = "TID,...",
     .help = N_("count these threads")},
    {'A', "all-cpus", FLAG(has_all_cpus),
     .help = N_("count all that runs on this machine (perf stat -a)")},
    {'C', "cpu", WORD(cpus), .argument = "N,...",
     .help = N_("count all that runs on these processors: 0-3,7")},
    {0, "cgroup", WORD(cgroup), .argument = "NAME",
     .help = N_("count a control group, on all processors or those of -C")},
    {0, "per-thread", FLAG(has_thread_rows),
     .help = N_("with -p or -t: values of each thread, too")},
    {0, "per-core", FLAG(has_core_rows),
     .help = N_("with -A, -C or --cgroup: values of each core, too")},
    {0, "timeout", NUMBER(timeout_ms, 1, MAX_DELAY_MS), .argument = "MS",
     .help = N_("end so many milliseconds after the beginning")},
    {'I', "interval", NUMBER(interval_ms, 1, MAX_DELAY_MS), .argument = "MS",
     .group = N_("How often"),
     .help = N_("tell counts and rates of each so many milliseconds")},
    {'r', "repeat", NUMBER(n_runs, 1, MAX_RUNS), .argument = "N",
     .help = /* xgettext:no-c-format */
     N_("run the program N times and report mean, deviation,\n"
        "minimum, 95 % interval and outliers")},
    {0, "warmup", NUMBER(n_warmups, 0, MAX_RUNS), .argument = "N",
     .help = N_("before that, run it N times uncounted")},
    {'a', "aggregate", FLAG(is_aggregated), .group = N_("Where results go"),
     .help = N_("under mpirun, srun ...: one report of all tasks")},
    {'o', "output", WORD(output), .argument = "NAME",
     .help = N_("write a performance file, too; NAME may hold %n program,\n"
                "%r task, %p process id, %i run of -r, %h host, %j job,\n"
                "%%; without %i the runs of -r are NAME.1.hpm.xml ...")},
    {0, "html", WORD(page), .argument = "NAME",
     .help = N_("write a page for a browser, too: one file to send\n"
                "(hpm report --format html); of -r each run is in it")},
    {0, "log", HPM_OPTION_READ(take_log), .argument = "NAME",
     .help = N_("write the report there, not to standard error; -: to\n"
                "standard output; >(COMMAND): to that command")},
    {0, "log-fd", HPM_OPTION_READ(take_log_fd), .argument = "N",
     .help = N_("write it to the open file descriptor N")},
    {0, "append", FLAG(is_appended),
     .help = N_("add it to the end of that file")},
    {'u', "unique", FLAG(is_unique),
     .help = N_("put task and process id into the names of both")},
    {0, "format", HPM_OPTION_READ(choose_format), .argument = "FORMAT",
     .help = N_("text (default), csv or json")},
    {'v', "verbose", FLAG(is_verbose),
     .help = N_("report all there is: resource usage, counters, metrics")},
    {'x', "formulas", FLAG(has_formulas),
     .help = N_("show the formulas of metrics")},
    {0, "precision", HPM_OPTION_NAME(struct options, precision, precisions),
     .argument = "P",
     .help = N_("judge metrics for single or double (default) precision")},
    {'n', "no-report", FLAG(is_quiet),
     .help = N_("no report on standard error")},
    {0, "yes-launcher", FLAG(allows_launcher), .group = N_("Others"),
     .help = N_("the program is a launcher (mpirun, srun ...), count it\n"
                "all the same")},
    {'h', "help", CHOICE(task, TASK_HELP), .help = N_("this help")},
    {'V', "version", CHOICE(task, TASK_VERSION), .help = N_("the version")},
};

enum { N_OPTIONS = sizeof table / sizeof table[0] };

/* ---- the whole command line ------------------------------------------ */

/* An option that cannot be combined with --audit, or NULL. */
static const char *
audit_lacks(const struct options *options)
{
    const struct {
        bool is_given;
        const char *name;
    } others[] = {{options->set_name != NULL, "-s"},
                  {options->metrics != NULL, "-m"},
                  {options->sampled != NULL, "--sample"},
                  {options->chains != OPTIONS_NO_CHAINS, "--chains"},
                  {options->takes_mpi, "--mpi"},
                  {options->functions != NULL, "--functions"},
                  {options->probed != NULL, "--section"},
                  {options->libraries != NULL, "--library"},
                  {options->takes_openmp, "--openmp"},
                  {options->delay_ms > 0, "--delay"},
                  {options->n_runs > 1, "-r"},
                  {options->n_warmups > 0, "--warmup"},
                  {options->is_aggregated, "-a"},
                  {options->output != NULL, "-o"},
                  {options->page != NULL, "--html"},
                  {options->log != NULL, "--log"},
                  {options->log_fd >= 0, "--log-fd"},
                  {options->is_unique, "-u"},
                  {options->is_quiet, "-n"},
                  {options->has_formulas, "-x"},
                  {options->is_verbose, "-v"},
                  {options->format != &formats[0], "--format"}};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].is_given)
            return others[i].name;
    }
    return NULL;
}

bool
options_attach(const struct options *options)
{
    return options->processes != NULL || options->threads != NULL ||
           options->cpus != NULL || options->cgroup != NULL ||
           options->has_all_cpus;
}

/* An option that cannot be used for running targets, or NULL. */
static const char *
attach_lacks(const struct options *options)
{
    if (options->sampled != NULL)
        return "--sample";
    if (options->takes_mpi)
        return "--mpi";
    if (options->functions != NULL)
        return "--functions";
    if (options->probed != NULL)
        return "--section";
    if (options->libraries != NULL)
        return "--library";
    if (options->takes_openmp)
        return "--openmp";
    if (options->delay_ms > 0)
        return "--delay";
    if (options->n_runs > 1)
        return "-r";
    if (options->n_warmups > 0)
        return "--warmup";
    if (options->is_aggregated)
        return "-a";
    return options->is_audit ? "--audit" : NULL;
}

/* An option that cannot be combined with --interval, or NULL. */
static const char *
interval_lacks(const struct options *options)
{
    if (options->n_runs > 1)
        return "-r";
    if (options->is_aggregated)
        return "-a";
    return options->is_audit ? "--audit" : NULL;
}

bool
options_load_writer(const struct options *options)
{
    return options->functions != NULL || options->libraries != NULL ||
           options->takes_mpi || options->takes_openmp;
}

bool
options_append(const struct options *options)
{
    return options->is_appended || options->interval_ms > 0;
}

static bool
check_target(const struct options *options, struct hpm_error *err)
{
    bool has_cpus = options->cpus != NULL || options->has_all_cpus;

    if ((options->processes != NULL) + (options->threads != NULL) +
            (options->cgroup != NULL || has_cpus) >
        1)
        return hpm_error_set(err, "-p, -t and -A, -C, --cgroup exclude each "
                                  "other; name one kind of target");
    if (options->cpus != NULL && options->has_all_cpus)
        return hpm_error_set(err, "-A and -C exclude each other; -C names some "
                                  "of the processors");
    if (options->has_thread_rows && options->processes == NULL &&
        options->threads == NULL)
        return hpm_error_set(err, "--per-thread goes with -p or -t");
    if (options->has_core_rows && options->cgroup == NULL && !has_cpus)
        return hpm_error_set(err, "--per-core goes with -A, -C or --cgroup");
    if (options->timeout_ms > 0 && options->command[0] != NULL)
        return hpm_error_set(err, "--timeout and a program exclude each other: "
                                  "the program sets the time");
    if (attach_lacks(options) != NULL)
        return hpm_error_set(err,
                             "%s is for programs that hpmcount starts; leave "
                             "it out to count what runs already",
                             attach_lacks(options));
    return true;
}

static bool
check_run(const struct options *options, struct hpm_error *err)
{
    if (options->has_thread_rows || options->has_core_rows)
        return hpm_error_set(err,
                             "%s counts what runs already; name it, with "
                             "%s for example",
                             options->has_thread_rows ? "--per-thread"
                                                      : "--per-core",
                             options->has_thread_rows ? "-p" : "-A");
    if (options->timeout_ms > 0)
        return hpm_error_set(err, "--timeout ends the counting of what runs "
                                  "already (-p, -A); to end a program there is "
                                  "timeout(1)");
    if (options->command[0] == NULL)
        return hpm_error_set(err, "no program to run; expected hpmcount "
                                  "[options] program [arguments], try "
                                  "'hpmcount --help'");
    return true;
}

static bool
check(const struct options *options, struct hpm_error *err)
{
    if (options->task != TASK_RUN)
        return true;
    if (options->events != NULL && options->set_name != NULL)
        return hpm_error_set(err, "-e and -s exclude each other; list the "
                                  "events of both with -e");
    if (options->is_audit && audit_lacks(options) != NULL)
        return hpm_error_set(err,
                             "--audit goes with -e alone, for hpm audit has no "
                             "such thing as %s; leave that out",
                             audit_lacks(options));
    if (options->is_aggregated && options->n_runs + options->n_warmups > 1)
        return hpm_error_set(err, "-a and -r exclude each other; repeat the "
                                  "job, and average its files with hpm mean");
    if (options->sampled != NULL && options->output == NULL)
        return hpm_error_set(err, "--sample goes with -o NAME: samples are in "
                                  "the performance file, and 'hpm report --by "
                                  "symbol NAME' shows them");
    if (options->chains != OPTIONS_NO_CHAINS && options->sampled == NULL)
        return hpm_error_set(err, "--chains goes with --sample: callers are "
                                  "those of samples");
    if (options->sampled != NULL && options->delay_ms > 0)
        return hpm_error_set(err, "--sample and --delay exclude each other: "
                                  "the whole run is sampled");
    if (options->probed != NULL && options->output == NULL)
        return hpm_error_set(err, "--section goes with -o NAME: sections are "
                                  "in the performance file, and 'hpm report "
                                  "NAME' shows them");
    if (options->is_entry_only && options->probed == NULL)
        return hpm_error_set(err, "--entry-only goes with --section, which "
                                  "names the functions");
    if (options->probed != NULL && options->delay_ms > 0)
        return hpm_error_set(err, "--section and --delay exclude each other: "
                                  "all calls of the run are measured");
    if (options->is_appended && options->log == NULL && options->log_fd < 0)
        return hpm_error_set(err, "--append adds to the file of --log, which "
                                  "is missing");
    if (options->interval_ms > 0 && interval_lacks(options) != NULL)
        return hpm_error_set(err,
                             "--interval and %s exclude each other: its "
                             "rows are of one run of one task",
                             interval_lacks(options));
    return options_attach(options) ? check_target(options, err)
                                   : check_run(options, err);
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

    if (!hpm_options_read("hpmcount", table, N_OPTIONS, true, argc, argv,
                          &options, err))
        return false;
    options.command = argv + optind;
    if (!check(&options, err))
        return false;
    *ret_options = options;
    return true;
}

/* ---- help ------------------------------------------------------------ */

enum { HELP_COLUMN = 24 };

/* Print "  -e, --events LIST     text", or "--openmp[=LIST]", with further lines below
 * the text. */
static void
print_option(const struct hpm_option *option)
{
    const char *argument = option->argument != NULL ? option->argument : "";
    bool is_free = option->kind == HPM_OPTION_IS_FREE;
    char head[64];

    snprintf(head, sizeof head, "  %c%c%c --%s%s%s%s",
             option->letter != 0 ? '-' : ' ',
             option->letter != 0 ? option->letter : ' ',
             option->letter != 0 ? ',' : ' ', option->name,
             is_free             ? "[="
             : *argument != '\0' ? " "
                                 : "",
             argument, is_free ? "]" : "");
    printf("%-*s", HELP_COLUMN, head);
    for (const char *c = _(option->help); *c != '\0'; c++) {
        putchar(*c);
        if (*c == '\n')
            printf("%*s", HELP_COLUMN, "");
    }
    putchar('\n');
}

void
options_print_help(void)
{
    fputs(
        _("Usage: hpmcount [options] [--] program [arguments]\n"
          "       hpmcount [options] -p PID [program [arguments]]\n"
          "       hpmcount -l\n"
          "\n"
          "Run a program, count what it and all it starts do, and report it at "
          "the end.\n"
          "The program's input, output and exit status are untouched.\n"),
        stdout);
    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (table[i].group != NULL)
            printf("\n%s:\n", _(table[i].group));
        print_option(&table[i]);
    }
    fputs(
        _("\n"
          "Exit status: the program's own; 125 for a fault of hpmcount before "
          "it starts,\n"
          "126 if the program cannot be run, 127 if it is not found.\n"
          "\n"
          "Examples:\n"),
        stdout);
    fputs("  hpmcount ./app -n 100\n"
          "  hpmcount -e task-clock,page-faults,ru::nivcsw make -j4\n"
          "  hpmcount -m IPC,BRANCH_MISP_PCT ./app\n"
          "  hpmcount -r 10 --warmup 1 ./app\n"
          "  hpmcount -p 4711 sleep 5\n"
          "  hpmcount --format csv --log run.csv ./app\n"
          "  hpmcount -o %n_%p.hpm.xml ./app\n"
          "  hpmcount --html page.html ./app\n"
          "  mpirun -n 4 hpmcount -o run.hpm.xml ./app\n"
          "  mpirun -n 4 hpmcount -a ./app\n",
          stdout);
}

void
options_print_version(void)
{
    puts("hpmcount (" PACKAGE_NAME ") " PACKAGE_VERSION);
}
