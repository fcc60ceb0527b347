/* SPDX-License-Identifier: BSD-3-Clause
 * The targets of the report and the performance file. */
#include "hpmcount/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "file/pattern.h"
#include "file/writer.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"
#include "hpmcount/colour.h"
#include "hpmcount/deputy.h"
#include "hpmcount/document.h"
#include "hpmcount/fifo.h"
#include "hpmcount/say.h"
#include "study/report/terminal.h"

/* ---- names ----------------------------------------------------------- */

static bool
has_field(const char *pattern, char letter)
{
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c != '%')
            continue;
        if (c[1] == letter)
            return true;
        if (c[1] != '\0')
            c++;
    }
    return false;
}

/* Where fields are inserted: before ".hpm.xml", else before the last dot of the
 * name, else at its end. */
static size_t
place_of_fields(const char *pattern)
{
    const char *name = hpm_path_base_name(pattern);
    const char *dot = strstr(name, ".hpm.xml");

    if (dot == NULL)
        dot = strrchr(name, '.');
    return dot != NULL && dot != name ? (size_t)(dot - pattern)
                                      : strlen(pattern);
}

/* The tasks of a job have the same command line: put the task's number into the
 * name, unless the name has it already, or all tasks write one file. */
static void
complete_pattern(struct hpm_string *string, const char *pattern, bool is_unique,
                 bool is_shared, bool is_numbered)
{
    bool has_rank = hpm_launcher_rank() >= 0 && !is_shared;
    size_t place = place_of_fields(pattern);

    hpm_string_add_bytes(string, pattern, place);
    if ((is_unique || has_rank) && !has_field(pattern, 'r'))
        hpm_string_add(string, "_%r");
    if (is_unique && !has_field(pattern, 'p'))
        hpm_string_add(string, "_%p");
    if (is_numbered && !has_field(pattern, 'i'))
        hpm_string_add(string, ".%i");
    hpm_string_add(string, pattern + place);
}

/* Replace "%i" by the number of the run, padded to the digits of the last run,
 * so that names sort in the order of runs. */
static void
add_numbered(struct hpm_string *string, const char *pattern, uint64_t run,
             uint64_t n_runs)
{
    int digits = snprintf(NULL, 0, "%llu", (unsigned long long)n_runs);

    for (const char *c = pattern; *c != '\0'; c++) {
        if (c[0] == '%' && c[1] == 'i') {
            hpm_string_add_format(string, "%0*llu", digits,
                                  (unsigned long long)run);
            c++;
        } else {
            hpm_string_add_char(string, *c);
            if (c[0] == '%' && c[1] != '\0')
                hpm_string_add_char(string, *++c);
        }
    }
}

char *
outputs_expand(const char *pattern, uint64_t run_number, uint64_t n_runs,
               const struct hpm_run *run, struct hpm_error *err)
{
    struct hpm_string numbered = {0};
    char *path = NULL;

    add_numbered(&numbered, pattern, run_number, n_runs);
    if (numbered.failed)
        hpm_error_no_memory(err);
    else
        path = hpm_pattern_expand(hpm_string_text(&numbered), run, err);
    hpm_string_free(&numbered);
    return path;
}

/* There is one report, so its name must not have the run's number; nor may the
 * folder of a file, which is fixed before the first run. */
static bool
check_number(const char *option, const char *pattern, bool is_one,
             struct hpm_error *err)
{
    const char *slash = strrchr(pattern, '/');
    struct hpm_string folder = {0};
    bool is_good;

    if (slash != NULL && !is_one)
        hpm_string_add_bytes(&folder, pattern, (size_t)(slash - pattern));
    is_good = !has_field(is_one ? pattern : hpm_string_text(&folder), 'i') ||
              hpm_error_set(err, "%s '%.200s': %%i is the number of a run; %s",
                            option, pattern,
                            is_one ? "of all runs there is one report"
                                   : "it can be in the name of the file, not "
                                     "of its folder");
    hpm_string_free(&folder);
    return is_good;
}

/* A device is refused; for /dev/null the message names the option that does
 * what people want. */
static bool
fix_path(const char *option, const char *path,
         struct hpm_destination *ret_destination, struct hpm_error *err)
{
    bool is_none = strcmp(path, "/dev/null") == 0;

    if (is_none && strcmp(option, "--log") == 0)
        return hpm_error_set(err,
                             "--log '%s' is not a regular file; -n prints "
                             "no report",
                             path);
    if (is_none)
        return hpm_error_set(err,
                             "%s '%s' is not a regular file; without the "
                             "option no such file is made",
                             option, path);
    return hpm_destination_fix(ret_destination, path, err);
}

/* Fix the target of the first run's performance file.  A pipe takes only one
 * file; a job's result replaces the name, so it must be a file. */
static bool
fix_first(struct outputs *outputs, const struct hpm_run *run,
          struct hpm_error *err)
{
    const struct options *options = outputs->options;
    char *path =
        outputs_expand(outputs->file_pattern, 1, options->n_runs, run, err);

    if (path != NULL && options->n_runs <= 1 && !options->is_aggregated &&
        fifo_is(path)) {
        outputs->file_fd = fifo_open(path, err);
        outputs->has_file_fd = outputs->file_fd >= 0;
        outputs->file_name = path;
        return outputs->has_file_fd;
    }
    outputs->has_file =
        path != NULL && fix_path("-o", path, &outputs->file, err);
    hpm_memory_free(path);
    return outputs->has_file;
}

static bool
fix_file(struct outputs *outputs, const char *pattern,
         const struct hpm_run *run, struct hpm_error *err)
{
    const struct options *options = outputs->options;
    struct hpm_string full = {0};

    if (!check_number("-o", pattern, false, err))
        return false;
    complete_pattern(&full, pattern, options->is_unique, options->is_aggregated,
                     options->n_runs > 1);
    outputs->file_pattern = full.text;
    if (full.failed)
        return hpm_error_no_memory(err);
    return fix_first(outputs, run, err);
}

/* The path of the report or the page, of which there is one for all runs; NULL,
 * with the reason. */
static char *
expand_single(const struct outputs *outputs, const char *option,
              const char *pattern, bool is_shared, const struct hpm_run *run,
              struct hpm_error *err)
{
    struct hpm_string full = {0};
    char *path = NULL;

    if (!check_number(option, pattern, true, err))
        return NULL;
    complete_pattern(&full, pattern, outputs->options->is_unique,
                     is_shared || outputs->options->is_aggregated, false);
    if (full.failed)
        hpm_error_no_memory(err);
    else
        path = outputs_expand(hpm_string_text(&full), 1,
                              outputs->options->n_runs, run, err);
    hpm_string_free(&full);
    return path;
}

static bool
fix_log(struct outputs *outputs, const struct hpm_run *run,
        struct hpm_error *err)
{
    char *path = expand_single(outputs, "--log", outputs->options->log,
                               options_append(outputs->options), run, err);

    if (path != NULL && fifo_is(path)) {
        outputs->log_fd = fifo_open(path, err);
        outputs->has_log_fd = outputs->log_fd >= 0;
        outputs->log_name = path;
        return outputs->has_log_fd;
    }
    outputs->has_log =
        path != NULL && fix_path("--log", path, &outputs->log, err);
    hpm_memory_free(path);
    return outputs->has_log;
}

static bool
fix_page(struct outputs *outputs, const struct hpm_run *run,
         struct hpm_error *err)
{
    char *path = expand_single(outputs, "--html", outputs->options->page, false,
                               run, err);

    outputs->has_page =
        path != NULL && fix_path("--html", path, &outputs->page, err);
    hpm_memory_free(path);
    return outputs->has_page;
}

/* The copy is above 2: a deputy has its own standard streams. */
static bool
fix_log_fd(struct outputs *outputs, struct hpm_error *err)
{
    int number = outputs->options->log_fd;

    outputs->log_fd = fcntl(number, F_DUPFD_CLOEXEC, 3);
    outputs->has_log_fd = outputs->log_fd >= 0;
    return outputs->has_log_fd || hpm_error_set(err, "file descriptor %d: %s",
                                                number, strerror(errno));
}

bool
outputs_fix(struct outputs *ret_outputs, const struct options *options,
            const struct hpm_run *run, struct hpm_error *err)
{
    const char *pattern = options->output;

    *ret_outputs = (struct outputs){.options = options};
    if (pattern == NULL && !options_load_writer(options))
        pattern = hpm_env_get(HPM_VARIABLE_OUTPUT_NAME);
    if (pattern == NULL && options->is_unique && options->log == NULL &&
        options->log_fd < 0)
        pattern = HPM_DEFAULT_PATTERN;
    return (pattern == NULL || fix_file(ret_outputs, pattern, run, err)) &&
           (options->log == NULL || fix_log(ret_outputs, run, err)) &&
           (options->log_fd < 0 || fix_log_fd(ret_outputs, err)) &&
           (options->page == NULL || fix_page(ret_outputs, run, err));
}

void
outputs_clear(struct outputs *outputs)
{
    if (outputs->has_file)
        hpm_destination_clear(&outputs->file);
    if (outputs->has_log)
        hpm_destination_clear(&outputs->log);
    if (outputs->has_file_fd)
        close(outputs->file_fd);
    if (outputs->has_log_fd)
        close(outputs->log_fd);
    if (outputs->has_page)
        hpm_destination_clear(&outputs->page);
    hpm_memory_free(outputs->file_pattern);
    hpm_memory_free(outputs->file_name);
    hpm_memory_free(outputs->log_name);
    *outputs = (struct outputs){.options = outputs->options};
}

/* ---- writing --------------------------------------------------------- */

static bool
commit(struct hpm_output *output, const struct hpm_destination *destination,
       struct hpm_error *err)
{
    char *path = NULL;

    if (!hpm_output_commit(output, hpm_env_is_on(HPM_VARIABLE_FSYNC, true),
                           &path, err))
        return false;
    if (strcmp(hpm_path_base_name(path), destination->name) != 0)
        say("%s exists already; wrote %s", destination->name, path);
    hpm_memory_free(path);
    return true;
}

struct file_work {
    const struct hpm_destination *destination; /* NULL: to `fd` */
    int fd;
    const struct hpm_experiment *experiment;
    struct hpm_derived *derived;
};

static bool
write_file(void *context, struct hpm_error *err)
{
    const struct file_work *work = context;
    struct hpm_output *output = hpm_output_open(work->destination, err);

    if (output == NULL)
        return false;
    if (hpm_writer_write(work->experiment, work->derived, output, err))
        return commit(output, work->destination, err);
    hpm_output_abandon(output);
    return false;
}

static bool
write_stream(void *context, struct hpm_error *err)
{
    const struct file_work *work = context;
    struct hpm_output *output = hpm_output_open_stream(work->fd, err);

    if (output == NULL)
        return false;
    if (hpm_writer_write(work->experiment, work->derived, output, err))
        return hpm_output_close(output, err);
    hpm_output_close(output, NULL);
    return false;
}

/* Most errors name the file; others, such as a timeout, do not. */
static void
say_failure(const struct hpm_destination *destination, const char *why)
{
    if (strstr(why, destination->name) != NULL)
        say("%s", why);
    else
        say("cannot write '%.200s': %s", destination->name, why);
}

bool
outputs_write_experiment(const struct hpm_destination *destination,
                         const struct hpm_experiment *experiment,
                         struct hpm_derived *derived, struct hpm_error *err)
{
    struct file_work work = {destination, -1, experiment, derived};

    return deputy_do(write_file, &work, err);
}

/* The reader of the pipe waits until no process has it open for writing. */
static void
write_to_pipe(const struct outputs *outputs,
              const struct hpm_experiment *experiment,
              struct hpm_derived *derived)
{
    struct file_work work = {NULL, outputs->file_fd, experiment, derived};
    struct hpm_error err;

    if (!deputy_do(write_stream, &work, &err))
        say("cannot write '%.200s': %s", outputs->file_name, err.text);
}

/* A pattern of the program's, in which each % is two. */
bool
outputs_add_path(const struct outputs *outputs, const struct hpm_run *run,
                 uint64_t run_number, struct hpm_string *string,
                 struct hpm_error *err)
{
    char *path = outputs_expand(outputs->file_pattern, run_number,
                                outputs->options->n_runs, run, err);
    struct hpm_string whole = {0};

    if (path == NULL)
        return false;
    hpm_destination_add_path(&outputs->file, hpm_path_base_name(path), &whole);
    for (const char *c = hpm_string_text(&whole); *c != '\0'; c++) {
        hpm_string_add_char(string, *c);
        if (*c == '%')
            hpm_string_add_char(string, *c);
    }
    hpm_memory_free(path);
    hpm_string_finish(&whole, &string->failed);
    return !string->failed || hpm_error_no_memory(err);
}

void
outputs_write_file(const struct outputs *outputs,
                   const struct hpm_experiment *experiment,
                   struct hpm_derived *derived, uint64_t run)
{
    struct hpm_destination destination = outputs->file;
    struct hpm_error err;
    char *path = NULL;

    if (outputs->has_file_fd)
        write_to_pipe(outputs, experiment, derived);
    if (!outputs->has_file)
        return;
    if (run > 1)
        path = outputs_expand(outputs->file_pattern, run,
                              outputs->options->n_runs, &experiment->run, &err);
    if (path != NULL)
        destination.name = (char *)hpm_path_base_name(path);
    if ((run > 1 && path == NULL) ||
        !outputs_write_experiment(&destination, experiment, derived, &err))
        say_failure(&destination, err.text);
    hpm_memory_free(path);
}

struct page_work {
    const struct hpm_destination *destination;
    const struct hpm_string *text;
};

static bool
write_page(void *context, struct hpm_error *err)
{
    const struct page_work *work = context;
    struct hpm_output *output = hpm_output_open(work->destination, err);

    if (output == NULL)
        return false;
    hpm_output_write(output, work->text->text, work->text->length);
    return commit(output, work->destination, err);
}

bool
outputs_write_page(const struct outputs *outputs, const struct hpm_string *text)
{
    struct page_work work = {&outputs->page, text};
    struct hpm_error err;

    if (text->failed) {
        say("--html: out of memory");
        return false;
    }
    if (deputy_do(write_page, &work, &err))
        return true;
    say_failure(&outputs->page, err.text);
    return false;
}

/* A table appended to another one needs no heading. */
static size_t
header_length(const struct outputs *outputs, const struct hpm_string *text)
{
    const struct format *format = outputs->options->format;

    if (format->add_messages == NULL || format->is_json)
        return 0;
    return strcspn(text->text, "\n") + 1;
}

struct log_work {
    const struct outputs *outputs;
    const struct hpm_string *text;
};

static bool
write_to_log_fd(const struct outputs *outputs, const struct hpm_string *text,
                struct hpm_error *err)
{
    int error = hpm_write_all(outputs->log_fd, text->text, text->length);

    if (error == 0)
        return true;
    if (outputs->log_name != NULL)
        return hpm_error_set(err, "cannot write to the pipe '%.200s': %s",
                             outputs->log_name, strerror(error));
    return hpm_error_set(err, "cannot write to file descriptor %d: %s",
                         outputs->options->log_fd, strerror(error));
}

static bool
write_log(void *context, struct hpm_error *err)
{
    const struct log_work *work = context;
    const struct hpm_destination *destination = &work->outputs->log;
    const struct hpm_string *text = work->text;
    struct hpm_output *output;

    if (work->outputs->has_log_fd)
        return write_to_log_fd(work->outputs, text, err);
    if (options_append(work->outputs->options))
        return hpm_output_append(destination, text->text, text->length,
                                 header_length(work->outputs, text), err);
    output = hpm_output_open(destination, err);
    if (output == NULL)
        return false;
    hpm_output_write(output, text->text, text->length);
    return commit(output, destination, err);
}

static void
write_standard_error(const struct outputs *outputs,
                     const struct hpm_string *text)
{
    struct hpm_string coloured = {0};

    if (outputs->options->format->may_have_colour &&
        hpm_terminal_has_colours(STDERR_FILENO))
        colour_add(&coloured, hpm_string_text(text));
    if (coloured.length == 0 || coloured.failed)
        hpm_write_all(STDERR_FILENO, text->text, text->length);
    else
        hpm_write_all(STDERR_FILENO, coloured.text, coloured.length);
    hpm_string_free(&coloured);
}

/* The report with the messages so far, except a table in a file of its own.
 * Several reports in one file are on a line each. */
static void
make_document(const struct outputs *outputs, const struct hpm_string *report,
              bool is_alone, struct hpm_string *ret_document)
{
    const struct format *format = outputs->options->format;

    hpm_string_add_bytes(ret_document, report->text, report->length);
    if (format->add_messages != NULL && (format->is_json || !is_alone) &&
        !outputs->options->is_aggregated) /* that is from hpm report */
        format->add_messages(ret_document, say_waiting());
    if (format->is_json && options_append(outputs->options))
        document_make_one_line(ret_document);
}

static bool
write_to_log(const struct outputs *outputs, const struct hpm_string *report)
{
    struct hpm_string document = {0};
    struct hpm_error err;
    bool is_written = false;

    make_document(outputs, report, true, &document);
    if (document.failed)
        say("out of memory; there is no report");
    else
        is_written =
            deputy_do(write_log, &(struct log_work){outputs, &document}, &err);
    if (!is_written && !document.failed && outputs->has_log_fd)
        say("%s", err.text);
    else if (!is_written && !document.failed)
        say_failure(&outputs->log, err.text);
    hpm_string_free(&document);
    return is_written;
}

void
outputs_write_report(const struct outputs *outputs,
                     const struct hpm_string *report)
{
    struct hpm_string document = {0};

    if (report->failed || report->text == NULL) {
        say("out of memory; there is no report");
        return;
    }
    if (outputs->has_log || outputs->has_log_fd) {
        if (write_to_log(outputs, report))
            return;
    } else if (outputs->options->is_quiet) {
        return;
    }
    make_document(outputs, report, false, &document);
    if (document.failed) {
        say("out of memory; there is no report");
    } else {
        say_forget();
        write_standard_error(outputs, &document);
    }
    hpm_string_free(&document);
}

void
outputs_stream(const struct outputs *outputs, const struct hpm_string *text,
               size_t header_length)
{
    struct hpm_error err;

    if (outputs->has_log) {
        if (!hpm_output_append(&outputs->log, text->text, text->length,
                               header_length, &err))
            say_failure(&outputs->log, err.text);
    } else if (outputs->has_log_fd) {
        if (!write_to_log_fd(outputs, text, &err))
            say("%s", err.text);
    } else if (!outputs->options->is_quiet) {
        hpm_write_all(STDERR_FILENO, text->text, text->length);
    }
}

void
outputs_stream_messages(const struct outputs *outputs)
{
    const struct format *format = outputs->options->format;
    struct hpm_string text = {0};

    if (format->add_messages == NULL || format->is_json || outputs->has_log ||
        outputs->log_name != NULL)
        return;
    format->add_messages(&text, say_waiting());
    if (text.length > 0 && !text.failed) {
        say_forget();
        say_wait();
        outputs_stream(outputs, &text, 0);
    }
    hpm_string_free(&text);
}
