/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by subcommands that make one performance file of several. */
#include "hpm/frame/machine.h"
#include "hpm/frame/result.h"

#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/string.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"
#include "hpm/frame/interrupt.h"
#include "study/columns/family.h"
#include "study/columns/lacks.h"
#include "study/metric/renew.h"
#include "study/metric/unify.h"
#include "study/store/number.h"
#include "study/tool/option.h"
#include "study/words/words.h"
#include "study/xml/gzip.h"

/* ---- options --------------------------------------------------------- */

/* Read "5%" or "5" as 0.05. */
bool
result_read_tolerance(const char *text, double *ret_part, struct hpm_error *err)
{
    const char *end = text + strcspn(text, "%");
    struct hpm_number number = {0};
    const char *problem = hpm_number_read(text, end, &number);
    double value = hpm_number_to_real(number);

    if (problem != NULL || (end[0] != '\0' && end[1] != '\0') ||
        !(value > 0 && value <= 100))
        return hpm_error_set(err,
                             "--tolerance '%.40s': expected per cent, above 0 "
                             "up to 100",
                             text);
    *ret_part = value / 100;
    return true;
}

static bool
read_tolerance(void *options, const char *word, struct hpm_error *err)
{
    return result_read_tolerance(
        word, &((struct result_options *)options)->tolerance, err);
}

static const char *const views[] = {"section", "symbol", "line", "module",
                                    NULL};
static const char *const formats[] = {"text", "csv", "json", NULL};

static const struct {
    struct hpm_option option;
    unsigned taken; /* 0: all subcommands */
} all_options[] = {
    {{'o', "output", HPM_OPTION_WORD(struct result_options, output)}, 0},
    {{0, "force", HPM_OPTION_FLAG(struct result_options, is_forced)},
     RESULT_FORCE},
    {{0, "summary", HPM_OPTION_FLAG(struct result_options, is_summary)},
     RESULT_SUMMARY},
    {{0, "tolerance", HPM_OPTION_READ(read_tolerance)}, RESULT_TOLERANCE},
    {{0, "root", HPM_OPTION_WORD(struct result_options, root)}, RESULT_LABEL},
    {{0, "remove", HPM_OPTION_WORD(struct result_options, removed)},
     RESULT_LABEL},
    {{0, "arch",
      HPM_OPTION_CHECKED(struct result_options, arch, machine_check_arch)},
     RESULT_ARCH},
    {{0, "by", HPM_OPTION_NAME(struct result_options, by, views)},
     RESULT_SAMPLES},
    {{0, "format", HPM_OPTION_NAME(struct result_options, format, formats)},
     RESULT_SAMPLES},
    {{0, "max-memory", HPM_OPTION_SIZE(struct result_options, most_bytes)}, 0},
    {{0, "threads",
      HPM_OPTION_NUMBER(struct result_options, n_threads, 1, 1024)},
     0},
};

enum { N_OPTIONS = sizeof all_options / sizeof all_options[0] };

static bool
check(const struct result_options *options, unsigned taken,
      struct hpm_error *err)
{
    if (options->by != RESULT_BY_SECTION && options->output != NULL)
        return hpm_error_set(err, "--by symbol, line and module print what "
                                  "changed; -o is for the file of differences, "
                                  "without --by");
    if (options->by != RESULT_BY_SECTION)
        return true;
    if (options->format != RESULT_FORMAT_TEXT)
        return hpm_error_set(err, "--format goes with --by symbol, line or "
                                  "module");
    if (options->output == NULL || options->output[0] == '\0')
        return hpm_error_set(err,
                             "expected -o OUT, the file to write; 'hpm "
                             "help %s' says more",
                             options->command);
    if ((taken & RESULT_LABEL) &&
        (options->root == NULL) == (options->removed == NULL))
        return hpm_error_set(err, "expected --root LABEL or --remove LABEL, "
                                  "one of them");
    return true;
}

bool
result_parse(struct result_options *ret_options, const char *command,
             unsigned taken, int argc, char **argv, struct hpm_error *err)
{
    struct result_options options = {
        .command = command,
        .renews_metrics =
            (taken & (RESULT_ARCH | RESULT_RENEWED)) == RESULT_ARCH};
    struct hpm_option table[N_OPTIONS];
    char name[32] = "hpm ";
    size_t n = 0;

    for (size_t i = 0; i < N_OPTIONS; i++) {
        if (all_options[i].taken == 0 || (all_options[i].taken & taken) != 0)
            table[n++] = all_options[i].option;
    }
    strncat(name, command, sizeof name - strlen(name) - 1);
    if (!hpm_options_read(name, table, n, false, argc, argv, &options, err))
        return false;
    options.words = argv + optind;
    options.n_words = (size_t)(argc - optind);
    *ret_options = options;
    return check(&options, taken, err);
}

bool
result_find(const struct result_options *options, char *const *words, size_t n,
            struct inputs *inputs, struct hpm_error *err)
{
    *inputs = (struct inputs){.command = options->command,
                              .all.most_bytes = options->most_bytes,
                              .all.n_threads = (int)options->n_threads};
    return inputs_find(inputs, words, n, err) &&
           (options->output == NULL ||
            inputs_allow_output(inputs, options->output, err));
}

/* ---- the summary ----------------------------------------------------- */

static void
add_amount(struct hpm_string *text, size_t n, const char *words)
{
    hpm_string_add(text, ", ");
    hpm_string_add_grouped(text, n);
    hpm_string_add(text, words);
}

static size_t
count_counters(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_columns; i++)
        n += study->columns[i].kind == HPM_COLUMN_COUNTER &&
             strcmp(study->columns[i].name, "Count") != 0;
    return n;
}

static size_t
count_incomplete(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_tasks; i++)
        n += study->tasks[i].is_complete == HPM_NO;
    return n;
}

static size_t
count_sections(const struct hpm_study *study)
{
    size_t n = 0;

    for (size_t i = 0; i < study->n_sections; i++)
        n += !study->sections[i].is_outside;
    return n;
}

/* Append "wrote 'all.hpm.xml': 8 files as 8 tasks, 12 sections, 4 counters". */
static void
add_summary(struct hpm_string *text, const char *path,
            const struct hpm_study *study, const struct inputs *inputs)
{
    size_t n_incomplete = count_incomplete(study);
    size_t n_tasks = hpm_study_count_tasks(study);
    size_t n_threads = hpm_study_count_all_threads(study);
    size_t n_sections = count_sections(study);
    size_t n_counters = count_counters(study);

    hpm_string_add_char(text, '\'');
    hpm_string_add_safe(text, path);
    hpm_string_add(text, "': ");
    hpm_string_add_grouped(text, inputs->all.n_taken);
    hpm_string_add(text, hpm_words_of(" file", " files", inputs->all.n_taken));
    add_amount(text, n_tasks, hpm_words_of(" task", " tasks", n_tasks));
    add_amount(text, n_threads, hpm_words_of(" thread", " threads", n_threads));
    add_amount(text, n_sections,
               hpm_words_of(" section", " sections", n_sections));
    add_amount(text, n_counters,
               hpm_words_of(" counter", " counters", n_counters));
    if (n_incomplete > 0)
        hpm_string_add_format(text,
                              hpm_words_of("; %zu task is incomplete",
                                           "; %zu tasks are incomplete",
                                           n_incomplete),
                              n_incomplete);
    if (inputs->all.n_bad > 0)
        hpm_string_add_format(text,
                              hpm_words_of("; %zu file was bad, in part or all",
                                           "; %zu files were bad, in part or "
                                           "all",
                                           inputs->all.n_bad),
                              inputs->all.n_bad);
    hpm_string_add_char(text, '\n');
}

/* ---- writing --------------------------------------------------------- */

/* Where the bytes go: exactly one of the three. */
struct sink {
    struct hpm_output *output;
    struct hpm_gzip *gzip;
    int error; /* of standard output */
};

static void
put(void *owner, const char *bytes, size_t length)
{
    struct sink *sink = owner;

    if (sink->gzip != NULL)
        hpm_gzip_write(sink->gzip, bytes, length);
    else if (sink->output != NULL)
        hpm_output_write(sink->output, bytes, length);
    else if (sink->error == 0)
        sink->error = hpm_write_all(STDOUT_FILENO, bytes, length);
}

static bool
print_study(const void *study, hpm_studyfile_put *put_bytes, void *owner,
            struct hpm_error *err)
{
    return hpm_studyfile_write_to(study, put_bytes, owner, err);
}

static bool
fill(struct sink *sink, result_print *print, const void *what, bool has_packing,
     struct hpm_error *err)
{
    bool is_good;

    if (has_packing) {
        sink->gzip = hpm_gzip_new(sink->output);
        if (sink->gzip == NULL)
            return hpm_error_no_memory(err);
    }
    is_good = print(what, put, sink, err);
    if (sink->gzip != NULL && !hpm_gzip_end(sink->gzip))
        is_good = hpm_error_no_memory(err);
    return is_good;
}

static bool
write_standard_output(const struct hpm_study *study, struct hpm_error *err)
{
    struct sink sink = {0};

    if (!fill(&sink, print_study, study, false, err))
        return false;
    return sink.error == 0 ||
           hpm_error_set(err, "cannot write to standard output: %s",
                         strerror(sink.error));
}

/* *ret_path is the file's path. */
static bool
write_file(const char *path, result_print *print, const void *what,
           char **ret_path, struct hpm_error *err)
{
    struct hpm_destination destination;
    struct sink sink = {0};
    bool is_good = false;

    if (!hpm_destination_fix(&destination, path, err))
        return false;
    sink.output = interrupt_open(&destination, err);
    if (sink.output != NULL) {
        is_good = fill(&sink, print, what, hpm_gzip_is_name(path), err);
        /* on the disk first: the user may remove the input files next */
        if (is_good)
            is_good = interrupt_commit(sink.output, true, ret_path, err);
        else
            interrupt_abandon(sink.output);
    }
    hpm_destination_clear(&destination);
    return is_good;
}

bool
result_write_file(const char *command, const char *output, result_print *print,
                  const void *what, struct hpm_string *ret_shown,
                  struct hpm_error *err)
{
    const char *name = hpm_path_base_name(output);
    char *path = NULL;

    if (!write_file(output, print, what, &path, err))
        return false;
    hpm_string_add_bytes(ret_shown, output, (size_t)(name - output));
    hpm_string_add(ret_shown, hpm_path_base_name(path));
    if (strcmp(hpm_string_text(ret_shown), output) != 0)
        subcommand_say(command, "'%.200s' exists; wrote '%.200s'", output,
                       hpm_string_text(ret_shown));
    hpm_memory_free(path);
    return true;
}

static bool
print_text(const void *what, hpm_studyfile_put *print_bytes, void *owner,
           struct hpm_error *err)
{
    const struct hpm_string *text = what;

    (void)err;
    print_bytes(owner, text->text, text->length);
    return true;
}

enum status
result_put(const char *command, const char *output, struct hpm_string *text,
           enum status otherwise)
{
    struct hpm_string shown = {0};
    struct hpm_error err;

    if (output == NULL || strcmp(output, "-") == 0 || text->failed)
        return subcommand_print(command, text, otherwise);
    if (!result_write_file(command, output, print_text, text, &shown, &err))
        otherwise = subcommand_fail(command, &err, OUTPUT);
    hpm_string_free(&shown);
    hpm_string_free(text);
    return otherwise;
}

static enum status
write_and_say(const struct result_options *options,
              const struct hpm_study *study, const struct inputs *inputs,
              enum status status)
{
    struct hpm_string shown = {0}, text = {0};
    struct hpm_error err;

    if (!result_write_file(options->command, options->output, print_study,
                           study, &shown, &err))
        return subcommand_fail(options->command, &err, OUTPUT);
    add_summary(&text, hpm_string_text(&shown), study, inputs);
    hpm_lacks_add_lines(study, inputs->all.n_refusals, &text);
    hpm_family_add_lines(study, &text);
    status = subcommand_print(options->command, &text, status);
    hpm_string_free(&shown);
    return status;
}

bool
result_renew(const struct result_options *options, struct hpm_study *study,
             struct hpm_error *err)
{
    struct hpm_string complaints = {0};
    bool is_good = hpm_renew(study, options->arch, &complaints, err);

    subcommand_say_lines(options->command, hpm_string_text(&complaints));
    hpm_string_free(&complaints);
    return is_good;
}

enum status
result_write(const struct result_options *options, struct hpm_study *study,
             const struct inputs *inputs, enum status status)
{
    struct hpm_error err;

    if (options->renews_metrics && !result_renew(options, study, &err))
        return subcommand_fail(options->command, &err, NOTHING);
    if (strcmp(options->output, "-") != 0)
        return write_and_say(options, study, inputs, status);
    if (write_standard_output(study, &err))
        return status;
    return subcommand_fail(options->command, &err, OUTPUT);
}

/* ---- the whole subcommand -------------------------------------------- */

static enum status
combine_and_write(const struct result_options *options, struct inputs *inputs,
                  result_combine *combine)
{
    struct hpm_study **studies = NULL;
    enum status status = inputs_read_runs(inputs, options->is_forced, &studies);
    struct hpm_study *result;
    struct hpm_error err;

    if (status == NOTHING)
        return NOTHING;
    result = hpm_unify(studies, inputs->all.n_taken, &err)
                 ? combine(options, studies, inputs->all.n_taken, &err)
                 : NULL;
    for (size_t i = 0; i < inputs->all.n_taken; i++)
        hpm_study_free(studies[i]);
    hpm_memory_free(studies);
    if (result != NULL && !hpm_inputs_leave_out(&inputs->all, result, &err)) {
        hpm_study_free(result);
        result = NULL;
    }
    if (result == NULL)
        return subcommand_fail(options->command, &err, NOTHING);
    status = result_write(options, result, inputs, status);
    hpm_study_free(result);
    return status;
}

enum status
result_run(const char *command, unsigned taken, int argc, char **argv,
           result_combine *combine)
{
    struct result_options options;
    struct inputs inputs = {0};
    struct hpm_error err;
    enum status status;

    if (result_parse(&options, command, taken, argc, argv, &err) &&
        result_find(&options, options.words, options.n_words, &inputs, &err)) {
        status = combine_and_write(&options, &inputs, combine);
    } else {
        status = subcommand_fail(command, &err, USAGE);
    }
    inputs_clear(&inputs);
    return status;
}
