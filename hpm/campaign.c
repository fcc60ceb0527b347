/* SPDX-License-Identifier: BSD-3-Clause
 * hpm campaign: measure all wanted metrics with as many runs as needed. */
#include "hpm/campaign/campaign.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "file/output.h"
#include "host/memory.h"
#include "host/path.h"
#include "hpm/campaign/planning.h"
#include "hpm/frame/result.h"
#include "hpm/frame/subcommand.h"
#include "study/tool/option.h"

enum { MOST_REPEATS = 1000 };

struct options {
    struct planning_options planning;
    struct campaign campaign;
    const char *tolerance; /* for hpm integrate; NULL: its own */
    bool is_quiet;         /* print no report */
};

/* The value is for hpm integrate, but an error is reported before the runs. */
static bool
read_tolerance(void *options, const char *word, struct hpm_error *err)
{
    double part;

    ((struct options *)options)->tolerance = word;
    return result_read_tolerance(word, &part, err);
}

static const struct hpm_option table[] = {
    {'e', "events", HPM_OPTION_WORD(struct options, planning.events)},
    {'m', "metrics", HPM_OPTION_WORD(struct options, planning.metrics)},
    {0, "parts", HPM_OPTION_FLAG(struct options, planning.has_parts)},
    {'r', "repeat",
     HPM_OPTION_NUMBER(struct options, campaign.n_repeats, 1, MOST_REPEATS)},
    {0, "interleave", HPM_OPTION_FLAG(struct options, campaign.is_interleaved)},
    {0, "sections", HPM_OPTION_FLAG(struct options, campaign.has_sections)},
    {'o', "output", HPM_OPTION_WORD(struct options, campaign.output)},
    {0, "folder", HPM_OPTION_WORD(struct options, campaign.folder)},
    {0, "tolerance", HPM_OPTION_READ(read_tolerance)},
    {'n', "no-report", HPM_OPTION_FLAG(struct options, is_quiet)},
};

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    /* words after the program are the program's own options */
    if (!hpm_options_read("hpm campaign", table, sizeof table / sizeof table[0],
                          true, argc, argv, options, err))
        return false;
    if (optind == argc)
        return hpm_error_set(err, "expected a program to run, such as 'hpm "
                                  "campaign -m all ./app'");
    options->campaign.program = argv + optind;
    return true;
}

/* ---- names ----------------------------------------------------------- */

/* Names not given by the user are made from the program's name. */
struct names {
    struct hpm_string output, folder;
};

/* Check before the runs whether OUT could be written. */
static bool
check_output(const char *output, struct hpm_error *err)
{
    struct hpm_destination destination;
    struct stat status;

    if (output[0] == '\0' || strcmp(output, "-") == 0)
        return hpm_error_set(err,
                             "-o '%s': expected the name of a file; standard "
                             "output is the program's",
                             output);
    if (lstat(output, &status) == 0)
        return hpm_error_set(err,
                             "'%.200s' is there already, and no file is ever "
                             "replaced; move it, or name another with -o",
                             output);
    if (!hpm_destination_fix(&destination, output, err))
        return false;
    hpm_destination_clear(&destination);
    return true;
}

static bool
fix_names(struct campaign *campaign, struct names *names, struct hpm_error *err)
{
    const char *program = hpm_path_base_name(campaign->program[0]);

    hpm_string_add_format(&names->output, "%s.hpm.xml", program);
    hpm_string_add_format(&names->folder, "%s.campaign", program);
    if (names->output.failed || names->folder.failed)
        return hpm_error_no_memory(err);
    if (campaign->output == NULL)
        campaign->output = names->output.text;
    if (campaign->folder == NULL)
        campaign->folder = names->folder.text;
    return check_output(campaign->output, err);
}

static bool
take_lists(struct campaign *campaign, const struct hpm_schedule *schedule,
           struct hpm_error *err)
{
    size_t n = schedule->packing.n_sets;
    bool is_good = true;

    campaign->lists = hpm_memory_new(n, sizeof *campaign->lists);
    if (campaign->lists == NULL)
        return hpm_error_no_memory(err);
    campaign->n_sets = n;
    for (size_t i = 0; i < n; i++) {
        hpm_schedule_add_events(schedule, &schedule->packing.sets[i],
                                &campaign->lists[i]);
        is_good = is_good && !campaign->lists[i].failed;
    }
    return is_good || hpm_error_no_memory(err);
}

static void
clear_campaign(struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->n_sets; i++)
        hpm_string_free(&campaign->lists[i]);
    hpm_memory_free(campaign->lists);
    free(campaign->path); /* from realpath */
}

/* ---- runs ------------------------------------------------------------ */

static double
now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The remaining time, if each run takes as long as the runs so far. */
static void
say_progress(size_t n_done, size_t n, size_t n_made, double began)
{
    double each = (now() - began) / (double)n_made;
    struct hpm_string line = {0};

    if (isatty(STDERR_FILENO) == 1 && n_done < n) {
        hpm_string_add_format(&line, "%zu of %zu runs are made; about ", n_done,
                              n);
        hpm_string_add_fixed(&line, each * (double)(n - n_done), 1);
        hpm_string_add(&line, " s are left");
        subcommand_say("campaign", "%s", hpm_string_text(&line));
    }
    hpm_string_free(&line);
}

static void
say_stop(const struct campaign *campaign, struct campaign_run run,
         size_t n_done)
{
    subcommand_say("campaign",
                   "stopped in run %llu of set %zu (%.200s), %zu of %zu runs "
                   "are made; the same command goes on with this run",
                   (unsigned long long)run.repeat + 1, run.set + 1,
                   hpm_string_text(&campaign->lists[run.set]), n_done,
                   campaign_n_runs(campaign));
}

static void
say_no_file(const struct campaign *campaign, struct campaign_run run)
{
    subcommand_say(
        "campaign", "run %llu of set %zu has written no performance file%s",
        (unsigned long long)run.repeat + 1, run.set + 1,
        campaign->has_sections ? "; is the program linked with libhpm? Without "
                                 "--sections the whole program is counted"
                               : "");
}

/* A run without a file does not count as made, however well it ended. */
static int
end_run(const struct campaign *campaign, struct campaign_run run,
        const char *folder)
{
    struct hpm_error err;

    if (campaign_add_files(folder, NULL) == 0) {
        say_no_file(campaign, run);
        return campaign->has_sections ? NOTHING : OUTPUT;
    }
    if (campaign_end_run(folder, &err))
        return 0;
    return subcommand_fail("campaign", &err, OUTPUT);
}

/* 0, or the exit status to end with. */
static int
make_run(const struct campaign *campaign, struct campaign_run run)
{
    struct hpm_string folder = {0};
    struct hpm_error err;
    int code = OUTPUT;

    if (!campaign_begin_run(campaign, run, &folder, &err))
        subcommand_say("campaign", "%s", err.text);
    else
        code = campaign_make_run(campaign, run, folder.text);
    if (code == 0)
        code = end_run(campaign, run, folder.text);
    hpm_string_free(&folder);
    return code;
}

/* Warn that only the first run can read a pipe. */
static void
warn_of_pipe(size_t n)
{
    struct stat status;

    if (n > 1 && fstat(STDIN_FILENO, &status) == 0 &&
        (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
        subcommand_say("campaign",
                       "standard input is a pipe, which only the first run can "
                       "read; where the program reads it, give each run all of "
                       "it from a file (< FILE)");
}

static int
make_runs(const struct campaign *campaign)
{
    size_t n = campaign_n_runs(campaign), n_done = 0, n_made = 0;
    double began = now();

    for (size_t i = 0; i < n; i++)
        n_done +=
            campaign_is_done(campaign, campaign_run_at(campaign, i), NULL);
    if (n_done > 0) {
        subcommand_say("campaign",
                       "%zu of %zu runs were made before, in '%.200s'", n_done,
                       n, campaign->folder);
    }
    warn_of_pipe(n - n_done);
    for (size_t i = 0; i < n; i++) {
        struct campaign_run run = campaign_run_at(campaign, i);
        int code;

        if (campaign_is_done(campaign, run, NULL))
            continue;
        code = make_run(campaign, run);
        if (code != 0) {
            say_stop(campaign, run, n_done);
            return code;
        }
        say_progress(++n_done, n, ++n_made, began);
    }
    return 0;
}

/* ---- lost processes --------------------------------------------------- */

static size_t
most_processes(const struct campaign *campaign)
{
    size_t most = 0;

    for (size_t i = 0; i < campaign_n_runs(campaign); i++) {
        size_t n =
            campaign_count_processes(campaign, campaign_run_at(campaign, i));

        most = n > most ? n : most;
    }
    return most;
}

static void
say_short(struct campaign_run run, size_t n, size_t most, const char *rest)
{
    subcommand_say(
        "campaign",
        "run %llu of set %zu has the files of %zu processes, another "
        "run of %zu%s",
        (unsigned long long)run.repeat + 1, run.set + 1, n, most, rest);
}

static int
make_again(const struct campaign *campaign, struct campaign_run run)
{
    struct hpm_error err;
    int code;

    if (!campaign_take_back(campaign, run, &err)) {
        subcommand_say("campaign", "%s", err.text);
        return OUTPUT;
    }
    code = make_run(campaign, run);
    if (code != 0)
        say_stop(campaign, run, campaign_n_runs(campaign) - 1);
    return code;
}

/* A launcher may end well although one of its tasks did not.  So a run with
 * fewer processes than another one is made again, but only once: a program need
 * not always have the same number. */
static int
make_short_runs(const struct campaign *campaign)
{
    int code = 0;

    for (size_t i = 0; i < campaign_n_runs(campaign) && code == 0; i++) {
        struct campaign_run run = campaign_run_at(campaign, i);
        size_t n = campaign_count_processes(campaign, run);
        size_t most = most_processes(campaign);

        if (n >= most || campaign_was_taken_back(campaign, run))
            continue;
        say_short(run, n, most, "; the run is made once more");
        code = make_again(campaign, run);
        i = (size_t)-1; /* this run may now have most: check all again */
    }
    return code;
}

/* Do some runs still have fewer processes than others? */
static bool
lacks_processes(const struct campaign *campaign)
{
    size_t most = most_processes(campaign);
    bool lacks = false;

    for (size_t i = 0; i < campaign_n_runs(campaign); i++) {
        struct campaign_run run = campaign_run_at(campaign, i);
        size_t n = campaign_count_processes(campaign, run);

        if (n == most)
            continue;
        lacks = true;
        say_short(run, n, most,
                  ", the second time, too: what the others would have counted "
                  "is missing in the result");
    }
    return lacks;
}

/* ---- the result ------------------------------------------------------ */

/* The words of a subcommand, as a user would type them. */
struct words {
    char **all;
    size_t n, capacity;
};

static bool
add_word(struct words *words, const char *word)
{
    if (!hpm_memory_grow(&words->all, &words->capacity, words->n + 2,
                         sizeof *words->all))
        return false;
    words->all[words->n++] = (char *)word;
    words->all[words->n] = NULL;
    return true;
}

static enum status
type(const struct subcommand *subcommand, const struct words *words)
{
    return subcommand->run((int)words->n, words->all);
}

static bool
add_paths(struct words *words, const struct hpm_string *paths, size_t n)
{
    const char *path = hpm_string_text(paths);
    bool is_good = true;

    for (size_t i = 0; i < n && is_good; i++) {
        is_good = add_word(words, path);
        path += strlen(path) + 1;
    }
    return is_good;
}

/* Merge the files of the tasks of one run, and add the path of the result.
 * Files may not look like one run (--force): a script starts one program after
 * the other, and each of them is task 0. */
static enum status
merge_run(const char *folder, const struct hpm_string *paths, size_t n,
          struct hpm_string *ret_path)
{
    struct hpm_string path = {0};
    struct words words = {0};
    enum status status = OUTPUT;

    hpm_string_add_format(&path, "%s.hpm.xml", folder);
    unlink(hpm_string_text(&path)); /* from an earlier campaign */
    if (!path.failed && add_word(&words, "merge") &&
        add_word(&words, "--force") && add_word(&words, "-o") &&
        add_word(&words, path.text) && add_paths(&words, paths, n))
        status = type(&subcommand_merge, &words);
    hpm_string_add(ret_path, hpm_string_text(&path));
    hpm_string_add_char(ret_path, '\0');
    hpm_string_free(&path);
    hpm_memory_free(words.all);
    return status;
}

/* Add the path of one file for each run. */
static enum status
find_files(const struct campaign *campaign, struct hpm_string *paths)
{
    enum status status = GOOD;

    for (size_t i = 0; i < campaign_n_runs(campaign) && status == GOOD; i++) {
        struct campaign_run run = campaign_run_at(campaign, i);
        struct hpm_string here = {0}, folder = {0};
        size_t n = campaign_is_done(campaign, run, &folder)
                       ? campaign_add_files(folder.text, &here)
                       : 0;

        if (n == 0) {
            say_no_file(campaign, run);
            status = NOTHING;
        } else if (n == 1) {
            hpm_string_add_bytes(paths, here.text, here.length);
        } else {
            status = merge_run(folder.text, &here, n, paths);
        }
        hpm_string_free(&here);
        hpm_string_free(&folder);
    }
    return status;
}

static enum status
integrate(const struct options *options, const struct hpm_string *paths)
{
    const struct campaign *campaign = &options->campaign;
    struct words words = {0};
    enum status status = OUTPUT;

    if (add_word(&words, "integrate") && add_word(&words, "-o") &&
        add_word(&words, campaign->output) &&
        (options->tolerance == NULL ||
         (add_word(&words, "--tolerance") &&
          add_word(&words, options->tolerance))) &&
        add_paths(&words, paths, campaign_n_runs(campaign)))
        status = type(&subcommand_integrate, &words);
    hpm_memory_free(words.all);
    return status;
}

static enum status
report(const struct options *options)
{
    struct words words = {0};
    enum status status = OUTPUT;

    if (options->is_quiet)
        return GOOD;
    if (add_word(&words, "report") &&
        add_word(&words, options->campaign.output))
        status = type(&subcommand_report, &words);
    hpm_memory_free(words.all);
    return status;
}

/* Another program may have made OUT during the runs: then do not report that
 * file. */
static enum status
keep_others(const char *output)
{
    struct hpm_error err;

    if (check_output(output, &err))
        return GOOD;
    subcommand_say("campaign", "%s", err.text);
    subcommand_say("campaign", "all runs are made; the same command makes OUT "
                               "of them as soon as it can be written");
    return OUTPUT;
}

static enum status
make_result(const struct options *options)
{
    struct hpm_string paths = {0};
    enum status status = keep_others(options->campaign.output);

    if (status == GOOD)
        status = find_files(&options->campaign, &paths);

    if (status == GOOD)
        status = integrate(options, &paths);
    hpm_string_free(&paths);
    return status == GOOD ? report(options) : status;
}

/* ---- the command ----------------------------------------------------- */

static int
conduct(struct options *options, const struct hpm_schedule *schedule)
{
    struct campaign *campaign = &options->campaign;
    struct hpm_error err;
    int code;

    if (!take_lists(campaign, schedule, &err))
        return subcommand_fail("campaign", &err, OUTPUT);
    code = campaign_open_folder(campaign, &err);
    if (code != GOOD)
        return subcommand_fail("campaign", &err, code);
    campaign->input_at = lseek(STDIN_FILENO, 0, SEEK_CUR);
    code = make_runs(campaign);
    if (code == 0)
        code = make_short_runs(campaign);
    if (code == 0)
        code = (int)make_result(options);
    return code == GOOD && lacks_processes(campaign) ? SOME_BAD : code;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.planning.command = "campaign",
                              .campaign.n_repeats = 1};
    struct planning planning = {0};
    struct names names = {{0}, {0}};
    struct hpm_error err;
    int code = USAGE;

    bool is_good = parse(&options, argc, argv, &err) &&
                   fix_names(&options.campaign, &names, &err);

    options.planning.is_for_sections = options.campaign.has_sections;
    if (!is_good || !planning_make(&planning, &options.planning, &err)) {
        if (err.text[0] != '\0')
            subcommand_say("campaign", "%s", err.text);
    } else if (!planning_has_runs(&planning)) {
        code = NOTHING;
    } else {
        code = conduct(&options, &planning.schedule);
        if (code == GOOD && planning_lacks_events(&planning))
            code = SOME_BAD; /* a line named the events */
    }
    clear_campaign(&options.campaign);
    planning_close(&planning);
    hpm_string_free(&names.output);
    hpm_string_free(&names.folder);
    return (enum status)code;
}

const struct subcommand subcommand_campaign = {
    .name = "campaign",
    .summary =
        N_("more metrics than counters: a program run once per set of them"),
    .help =
        "Usage: hpm campaign [options] [--] PROGRAM [ARGUMENT...]\n"
        "\n"
        "Run a program as often as its counters are too few for the metrics "
        "wanted (see\n"
        "'hpm help plan'), each time with other events, and put the runs "
        "together as\n"
        "'hpm integrate' does.  What was made stays in a folder: the same "
        "command goes on\n"
        "where it was interrupted.  A run whose cycles or instructions are far "
        "from those of\n"
        "the others is named.\n"
        "\n"
        "  -e, --events LIST   these events\n"
        "  -m, --metrics LIST  metrics, sets of the definitions, or all "
        "(default without -e)\n"
        "      --parts         with all parts of their hierarchies, as all "
        "has them\n"
        "  -r, --repeat N      run the program N times for each set\n"
        "      --interleave    all sets once, then all again; otherwise N "
        "runs of one set,\n"
        "                      then of the next\n"
        "      --sections      the program measures itself, by libhpm: its "
        "files are put\n"
        "                      together; otherwise hpmcount counts all of it\n"
        "      --tolerance N   how far the runs may be apart, in per cent of "
        "the median (5)\n"
        "  -o, --output OUT    write OUT (PROGRAM.hpm.xml)\n"
        "      --folder NAME   what the runs write (PROGRAM.campaign)\n"
        "  -n, --no-report     no report at the end\n"
        "\n"
        "Exit status: 0 good, that of the program where it is not 0 (128 + "
        "the number of the\n"
        "signal that ended it), and of hpm's own: 1 some files are bad, or "
        "some events cannot\n"
        "be counted, 2 wrong usage, 3 nothing can be counted, 4 something "
        "cannot be written.\n",
    .run = run,
};
