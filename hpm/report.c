/* SPDX-License-Identifier: BSD-3-Clause
 * hpm report: what performance files say, for people and for programs. */
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "host/memory.h"
#include "hpm/frame/machine.h"
#include "hpm/frame/result.h"
#include "hpm/frame/subcommand.h"
#include "hpm/frame/together.h"
#include "hpm/htmlpage.h"
#include "study/analysis/kindsentence.h"
#include "study/columns/lacks.h"
#include "study/hotspot/callgraphreport.h"
#include "study/hotspot/hotspotreport.h"
#include "study/report/paragraph.h"
#include "study/report/report.h"
#include "study/report/terminal.h"
#include "study/survey/surveying.h"
#include "study/tool/option.h"
#include "study/words/sentence.h"

static const char command[] = "report";

enum format { TEXT, CSV, JSON, HTML };

struct options {
    unsigned by; /* enum hpm_view, then enum hpm_naming_kind and others */
    enum hpm_view view;
    enum format format;
    const char *sort, *filter, *output, *arch;
    enum hpm_precision precision;
    bool is_forced;
    bool is_each, has_sources; /* for HTML */
    size_t most_bytes;
    uint64_t n_threads;
};

/* Views of sections, then views of samples. */
static const char *const views[] = {"section", "tree", "task",   "thread",
                                    "metric",  "file", "symbol", "line",
                                    "module",  "call", "stack",  NULL};
enum {
    FIRST_OF_SAMPLES = HPM_VIEW_FILE + 1,
    BY_CALL = FIRST_OF_SAMPLES + 3,
    BY_STACK
};

static const char *const formats[] = {"text", "csv", "json", "html", NULL};
static const char *const precisions[] = {"single", "double", NULL};

static const struct hpm_option table[] = {
    {0, "by", HPM_OPTION_NAME(struct options, by, views)},
    {0, "sort", HPM_OPTION_WORD(struct options, sort)},
    {0, "filter", HPM_OPTION_WORD(struct options, filter)},
    {0, "format", HPM_OPTION_NAME(struct options, format, formats)},
    {'o', "output", HPM_OPTION_WORD(struct options, output)},
    {0, "arch", HPM_OPTION_CHECKED(struct options, arch, machine_check_arch)},
    {0, "precision", HPM_OPTION_NAME(struct options, precision, precisions)},
    {0, "each", HPM_OPTION_FLAG(struct options, is_each)},
    {0, "source", HPM_OPTION_FLAG(struct options, has_sources)},
    {0, "force", HPM_OPTION_FLAG(struct options, is_forced)},
    {0, "max-memory", HPM_OPTION_SIZE(struct options, most_bytes)},
    {0, "threads", HPM_OPTION_NUMBER(struct options, n_threads, 1, 1024)},
};

/* ---- output ---------------------------------------------------------- */

static enum status
put_out(const struct options *options, struct hpm_string *text,
        enum status otherwise)
{
    return result_put(command, options->output, text, otherwise);
}

/* ---- the report ------------------------------------------------------ */

/* Only two views have lines for single tasks or threads. */
static bool
check_filter(const struct options *options,
             const struct hpm_line_filter *filter, struct hpm_error *err)
{
    if (hpm_line_filter_asks(filter, HPM_LINE_THREAD) &&
        options->view != HPM_VIEW_THREAD)
        return hpm_error_set(err, "in the filter: 'thread' needs --by thread");
    if (hpm_line_filter_asks(filter, HPM_LINE_TASK) &&
        options->view != HPM_VIEW_THREAD && options->view != HPM_VIEW_TASK)
        return hpm_error_set(err, "in the filter: 'task' needs --by task or "
                                  "--by thread");
    return true;
}

/* Append which threads behave alike, where this is certain. */
static void
add_kinds(struct hpm_survey *survey, size_t width, struct hpm_string *text)
{
    struct hpm_string sentence = {0}, shown = {0};

    hpm_kindsentence_add(&sentence, survey);
    if (sentence.length > 0) {
        hpm_sentence_add(&shown, hpm_string_text(&sentence));
        hpm_string_add_char(text, '\n');
        hpm_paragraph_add(text, hpm_string_text(&shown), width, 2);
    }
    hpm_string_finish(&sentence, &text->failed);
    hpm_string_finish(&shown, &text->failed);
}

static void
add_report(const struct options *options, struct hpm_survey *survey,
           const struct hpm_view_options *view, struct hpm_string *text)
{
    if (options->format == CSV)
        hpm_report_add_csv(text, survey, view);
    else if (options->format == JSON)
        hpm_report_add_json(text, survey, view);
    else
        hpm_report_add_text(text, survey, view);
    if (options->format == TEXT && options->view == HPM_VIEW_SECTION)
        add_kinds(survey, view->style.width, text);
}

static enum status
report(const struct options *options, struct hpm_survey *survey,
       enum status otherwise)
{
    struct hpm_view_options view = {.view = options->view,
                                    .has_sort = options->sort != NULL};
    struct hpm_line_filter *filter = NULL;
    struct hpm_string text = {0};
    struct hpm_error err;
    enum status status;

    if (options->filter != NULL) {
        filter = hpm_line_filter_new(survey, options->filter, &err);
        if (filter == NULL)
            return subcommand_fail(command, &err, USAGE);
    }
    if (!hpm_sort_read(survey, options->sort, &view.sort, &err) ||
        !check_filter(options, filter, &err)) {
        hpm_line_filter_free(filter);
        return subcommand_fail(command, &err, USAGE);
    }
    view.filter = filter;
    view.style.width = hpm_terminal_width(STDOUT_FILENO);
    view.style.is_coloured =
        options->output == NULL && hpm_terminal_has_colours(STDOUT_FILENO);
    add_report(options, survey, &view, &text);
    status = put_out(options, &text, otherwise);
    hpm_line_filter_free(filter);
    return status;
}

/* Report what the study lacks: a table for programs has no place for it. */
static void
say_lacks(const struct hpm_study *study, size_t n_said)
{
    struct hpm_string lines = {0};

    hpm_lacks_add_lines(study, n_said, &lines);
    subcommand_say_lines(command, hpm_string_text(&lines));
    hpm_string_free(&lines);
}

/* A summary has no lines for single tasks or threads. */
static bool
check_summary(const struct options *options, const struct hpm_study *study,
              struct hpm_error *err)
{
    if (study->kind != HPM_STUDY_SUMMARY ||
        (options->view != HPM_VIEW_TASK && options->view != HPM_VIEW_THREAD))
        return true;
    return hpm_error_set(err, "the file is a summary, which has no values of "
                              "single tasks and threads; 'hpm report' without "
                              "--by says how they lie, and whose the smallest "
                              "and the largest are");
}

static enum status
report_study(const struct options *options, const struct hpm_study *study,
             const struct hpm_inputs *inputs, enum status otherwise)
{
    struct hpm_survey_options how = {.grouping =
                                         hpm_view_grouping(options->view),
                                     .precision = options->precision,
                                     .pmu = options->arch};
    struct hpm_string named = {0};
    struct hpm_survey *survey;
    struct hpm_error err;
    enum status status;

    if (!check_summary(options, study, &err))
        return subcommand_fail(command, &err, USAGE);
    hpm_string_add_format(&named, "%s %s",
                          options->sort != NULL ? options->sort : "",
                          options->filter != NULL ? options->filter : "");
    how.named = hpm_string_text(&named);
    survey = hpm_survey_new(study, &how, &err);
    if (survey == NULL) {
        hpm_string_free(&named);
        return subcommand_fail(command, &err, OUTPUT);
    }
    subcommand_say_lines(command, hpm_string_text(&survey->complaints));
    if (options->format == CSV)
        say_lacks(study, inputs->n_refusals);
    status = report(options, survey, otherwise);
    hpm_survey_free(survey);
    hpm_string_free(&named);
    return status;
}

/* ---- samples --------------------------------------------------------- */

enum { MOST_IN_TEXT = 20 }; /* as in the paper's tables */

/* Why there is nothing to report; NULL where there is something. */
static const char *
explain_lack(const struct options *options, const struct hpm_study *study)
{
    if (study->n_hits == 0 && study->n_sampled > 0)
        return N_("the program was sampled, but no sample came: it ran for "
                  "less than a period, or in the kernel");
    if (study->n_hits == 0)
        return N_("these files have no samples; run the program with "
                  "HPM_SAMPLE=cpu-clock@997us, or under hpmcount --sample "
                  "(hpm-environment(7))");
    if (options->by < BY_CALL || study->n_chains > 0)
        return NULL;
    for (size_t i = 0; i < study->n_tasks; i++) {
        for (size_t k = 0; k < study->tasks[i].n_sampled; k++) {
            if (study->tasks[i].sampled[k].chains != NULL)
                return N_("no sample has a caller: the program has no frame "
                          "pointers; compile it, and its libraries, with "
                          "-fno-omit-frame-pointer");
        }
    }
    return N_("these samples have no callers; run the program under hpmcount "
              "--sample cpu-clock@997us --chains fp");
}

static struct hpm_text_style
find_style(const struct options *options)
{
    return (struct hpm_text_style){.width = hpm_terminal_width(STDOUT_FILENO),
                                   .is_coloured =
                                       options->output == NULL &&
                                       hpm_terminal_has_colours(STDOUT_FILENO)};
}

static bool
add_spots(struct hpm_string *text, const struct options *options,
          const struct hpm_study *study, struct hpm_error *err)
{
    const struct hpm_text_style style = find_style(options);
    struct hpm_hotspots *hotspots = hpm_hotspots_new(
        study, (enum hpm_naming_kind)(options->by - FIRST_OF_SAMPLES), err);

    if (hotspots == NULL)
        return false;
    if (options->format == CSV)
        hpm_hotspotreport_add_csv(text, hotspots);
    else if (options->format == JSON)
        hpm_hotspotreport_add_json(text, hotspots);
    else
        hpm_hotspotreport_add_text(text, hotspots, MOST_IN_TEXT, &style);
    hpm_hotspots_free(hotspots);
    return true;
}

static bool
add_calls(struct hpm_string *text, const struct options *options,
          const struct hpm_study *study, struct hpm_error *err)
{
    const struct hpm_text_style style = find_style(options);
    struct hpm_callgraph graph = {0};
    struct hpm_hotspots *hotspots =
        hpm_hotspots_new(study, HPM_NAMING_FUNCTION, err);
    bool is_good = hotspots != NULL && hpm_callgraph_make(&graph, study);

    if (hotspots != NULL && !is_good)
        hpm_error_no_memory(err);
    if (is_good && options->format == CSV)
        hpm_callgraphreport_add_csv(text, &graph);
    else if (is_good && options->format == JSON)
        hpm_callgraphreport_add_json(text, &graph);
    else if (is_good)
        hpm_callgraphreport_add_text(text, &graph, hotspots, MOST_IN_TEXT,
                                     &style);
    hpm_callgraph_clear(&graph);
    hpm_hotspots_free(hotspots);
    return is_good;
}

static bool
add_stacks(struct hpm_string *text, const struct hpm_study *study,
           struct hpm_error *err)
{
    struct hpm_stacks stacks = {0};
    bool is_good = hpm_stacks_begin(&stacks, study) &&
                   hpm_stacks_add_folded(text, &stacks);

    hpm_stacks_end(&stacks);
    return is_good || hpm_error_no_memory(err);
}

static enum status
report_samples(const struct options *options, const struct hpm_study *study,
               enum status otherwise)
{
    const char *lack = explain_lack(options, study);
    struct hpm_string text = {0};
    struct hpm_error err;
    bool is_good;

    if (lack != NULL) {
        subcommand_say(command, "%s", lack);
        return NOTHING;
    }
    if (options->by == BY_STACK)
        is_good = add_stacks(&text, study, &err);
    else if (options->by == BY_CALL)
        is_good = add_calls(&text, options, study, &err);
    else
        is_good = add_spots(&text, options, study, &err);
    if (is_good)
        return put_out(options, &text, otherwise);
    hpm_string_free(&text);
    return subcommand_fail(command, &err, OUTPUT);
}

/* ---- the page -------------------------------------------------------- */

static enum status
page_of(const struct options *options, struct hpm_study *const *studies,
        const char *const *names, size_t n, enum status otherwise)
{
    const struct htmlpage page = {.command = command,
                                  .arch = options->arch,
                                  .precision = options->precision,
                                  .has_sources = options->has_sources};
    struct hpm_string text = {0};
    struct hpm_error err;

    if (htmlpage_add(&text, &page, studies, n > 1 ? names : NULL, n, &err))
        return put_out(options, &text, otherwise);
    hpm_string_free(&text);
    return subcommand_fail(command, &err, OUTPUT);
}

/* Read one word, a file or a folder, as an experiment of its own. */
static enum status
read_one(const struct options *options, char *word,
         struct hpm_study **ret_study)
{
    struct inputs inputs = {.command = command};
    enum status status;
    struct hpm_error err;

    if (!inputs_find(&inputs, &word, 1, &err) ||
        !inputs_allow_output(&inputs, options->output, &err)) {
        status = subcommand_fail(command, &err, USAGE);
    } else {
        inputs.all.most_bytes = options->most_bytes;
        inputs.all.n_threads = (int)options->n_threads;
        status = inputs_merge(&inputs, options->is_forced, ret_study);
    }
    inputs_clear(&inputs);
    return status;
}

/* Report the words side by side. */
static enum status
report_each(const struct options *options, char **words, size_t n)
{
    struct hpm_study **studies = hpm_memory_new(n + 1, sizeof *studies);
    enum status status = GOOD, one;
    struct hpm_error err;

    if (studies == NULL) {
        hpm_error_no_memory(&err);
        return subcommand_fail(command, &err, OUTPUT);
    }
    for (size_t i = 0; i < n && status != NOTHING && status != USAGE; i++) {
        one = read_one(options, words[i], &studies[i]);
        if (one != GOOD)
            status = one;
    }
    if (status == GOOD || status == SOME_BAD)
        status =
            page_of(options, studies, (const char *const *)words, n, status);
    for (size_t i = 0; i < n; i++)
        hpm_study_free(studies[i]);
    hpm_memory_free(studies);
    return status;
}

/* ---- the command ----------------------------------------------------- */

/* A page has all views, so options that choose one are refused; some options
 * are only for pages. */
static bool
check_format(const struct options *options, struct hpm_error *err)
{
    const struct {
        bool is_given;
        const char *name;
    } others[] = {{options->by != HPM_VIEW_SECTION, "--by"},
                  {options->sort != NULL, "--sort"},
                  {options->filter != NULL, "--filter"}};

    if (options->by >= FIRST_OF_SAMPLES &&
        (options->sort != NULL || options->filter != NULL))
        return hpm_error_set(err,
                             "%s does not go with --by %s: places stand by "
                             "their samples; leave it out",
                             options->sort != NULL ? "--sort" : "--filter",
                             views[options->by]);
    if (options->by == BY_STACK && options->format != TEXT)
        return hpm_error_set(err, "--by stack is text alone, a line for each "
                                  "stack; leave --format out");
    if (options->format != HTML && (options->is_each || options->has_sources))
        return hpm_error_set(err, "%s needs --format html",
                             options->is_each ? "--each" : "--source");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (options->format == HTML && others[i].is_given)
            return hpm_error_set(err,
                                 "%s does not go with --format html: the page "
                                 "itself is sorted and searched; leave it out",
                                 others[i].name);
    }
    return true;
}

static enum status
report_merged(const struct options *options, struct inputs *inputs)
{
    struct hpm_study *study = NULL;
    enum status status;

    inputs->all.most_bytes = options->most_bytes;
    inputs->all.n_threads = (int)options->n_threads;
    status = together_merge(inputs, options->is_forced, false, &study);
    if (study == NULL)
        return status;
    if (options->format == HTML)
        status = page_of(options, &study, NULL, 1, status);
    else if (options->by >= FIRST_OF_SAMPLES)
        status = report_samples(options, study, status);
    else
        status = report_study(options, study, &inputs->all, status);
    hpm_study_free(study);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.precision = HPM_PRECISION_DOUBLE};
    struct inputs inputs = {.command = command};
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm report", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !check_format(&options, &err) ||
        !inputs_find(&inputs, argv + optind, (size_t)(argc - optind), &err) ||
        !inputs_allow_output(&inputs, options.output, &err)) {
        inputs_clear(&inputs);
        return subcommand_fail(command, &err, USAGE);
    }
    options.view = options.by < FIRST_OF_SAMPLES ? (enum hpm_view)options.by
                                                 : HPM_VIEW_SECTION;
    status = options.is_each
                 ? report_each(&options, argv + optind, (size_t)(argc - optind))
                 : report_merged(&options, &inputs);
    inputs_clear(&inputs);
    return status;
}

const struct subcommand subcommand_report = {
    .name = "report",
    .summary = N_("what performance files say"),
    .help =
        "Usage: hpm report [options] FILE...\n"
        "\n"
        "Print what the performance files of a run say: sections by time, how "
        "it is spread\n"
        "over threads, and metrics. Several files are merged first. A FILE may "
        "be a\n"
        "folder, a pattern in quotes, or - for standard input.\n"
        "\n"
        "      --by WHAT         section (the default), tree, task, thread, "
        "metric, file;\n"
        "                        of samples: symbol, line, module; with "
        "callers: call,\n"
        "                        and stack, folded for flame graphs\n"
        "      --sort KEY        excl (the default), incl, calls, share, "
        "imbalance, lost,\n"
        "                        bad, label, file ..., a counter or metric; "
        "-KEY reversed\n"
        "      --filter EXPR     only lines like: 'sweep* and IPC < 1', 'IPC = "
        "bad',\n"
        "                        'file = *.f or share > 10'\n"
        "      --format FORMAT   text (the default), csv, json, html: a page "
        "to send\n"
        "      --each            html: each FILE an experiment, beside the "
        "others\n"
        "      --source          html: source lines of the sections are in it, "
        "too\n"
        "  -o, --output OUT      write OUT, which replaces nothing, packed by "
        "gzip where it\n"
        "                        ends in .gz; - is standard output\n"
        "      --arch PMU        metrics as they are defined for this "
        "processor\n"
        "      --precision P     judge metrics for single or double (the "
        "default)\n"
        "      --force           merge what does not look like one run\n"
        "      --max-memory SIZE what the files may take: 500M, 2G (half of "
        "the memory)\n"
        "      --threads N       read by N threads (as many as there are "
        "processors)\n"
        "\n"
        "COLUMNS sets the width of text; NO_COLOR keeps colours off.\n"
        "\n"
        "Exit status: 0 good, 1 some files are bad, each is named, 2 wrong "
        "usage, 3 nothing\n"
        "usable, 4 the report cannot be written.\n",
    .run = run,
};
