/* SPDX-License-Identifier: BSD-3-Clause
 * Where the report and the performance file go. */
#include "hpmcount/outputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "base/memory.h"
#include "base/write.h"
#include "file/pattern.h"
#include "file/writer.h"
#include "hpmcount/colour.h"
#include "hpmcount/deputy.h"
#include "hpmcount/say.h"

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

/* Before ".hpm.xml", else before the last dot of the name, else at its end. */
static size_t
place_of_fields(const char *pattern)
{
    const char *name = hpm_string_base_name(pattern);
    const char *dot = strstr(name, ".hpm.xml");

    if (dot == NULL)
        dot = strrchr(name, '.');
    return dot != NULL && dot != name ? (size_t)(dot - pattern)
                                      : strlen(pattern);
}

/* The tasks of a job share a command line: each puts its number into the
 * name, unless the name has it, or all are to write to one file. */
static void
complete_pattern(struct hpm_string *string, const char *pattern, bool is_unique,
                 bool is_shared)
{
    bool has_rank = hpm_launcher_rank() >= 0 && !is_shared;
    size_t place = place_of_fields(pattern);

    hpm_string_add_bytes(string, pattern, place);
    if ((is_unique || has_rank) && !has_field(pattern, 'r'))
        hpm_string_add(string, "_%r");
    if (is_unique && !has_field(pattern, 'p'))
        hpm_string_add(string, "_%p");
    hpm_string_add(string, pattern + place);
}

static bool
fix_one(const struct options *options, const char *pattern, bool is_shared,
        const struct hpm_run *run, struct hpm_destination *ret_destination,
        struct hpm_error *err)
{
    struct hpm_string full = {0};
    char *path = NULL;
    bool is_good;

    complete_pattern(&full, pattern, options->is_unique, is_shared);
    if (full.failed)
        hpm_error_no_memory(err);
    else
        path = hpm_pattern_expand(hpm_string_text(&full), run, err);
    is_good = path != NULL && hpm_destination_fix(ret_destination, path, err);
    hpm_memory_free(path);
    hpm_string_free(&full);
    return is_good;
}

bool
outputs_fix(struct outputs *ret_outputs, const struct options *options,
            const struct hpm_run *run, struct hpm_error *err)
{
    const char *pattern = options->output;

    *ret_outputs = (struct outputs){.options = options};
    if (pattern == NULL)
        pattern = hpm_env_get(HPM_VARIABLE_OUTPUT_NAME);
    if (pattern == NULL && options->is_unique && options->log == NULL)
        pattern = HPM_DEFAULT_PATTERN;
    if (pattern != NULL) {
        if (!fix_one(options, pattern, options->is_aggregated, run,
                     &ret_outputs->file, err))
            return false;
        ret_outputs->has_file = true;
    }
    if (options->log != NULL) {
        bool is_shared = options->is_appended || options->is_aggregated;

        if (!fix_one(options, options->log, is_shared, run, &ret_outputs->log,
                     err))
            return false;
        ret_outputs->has_log = true;
    }
    return true;
}

void
outputs_clear(struct outputs *outputs)
{
    if (outputs->has_file)
        hpm_destination_clear(&outputs->file);
    if (outputs->has_log)
        hpm_destination_clear(&outputs->log);
    outputs->has_file = outputs->has_log = false;
}

/* ---- writing --------------------------------------------------------- */

static bool
commit(struct hpm_output *output, const struct hpm_destination *destination,
       bool tells_name, struct hpm_error *err)
{
    char *path = NULL;
    char sentence[512];

    if (!hpm_output_commit(output, hpm_env_is_on(HPM_VARIABLE_FSYNC, true),
                           &path, err))
        return false;
    if (tells_name &&
        strcmp(hpm_string_base_name(path), destination->name) != 0) {
        snprintf(sentence, sizeof sentence, "%s exists already; wrote %s",
                 destination->name, path);
        say(sentence);
    }
    hpm_memory_free(path);
    return true;
}

struct file_work {
    const struct outputs *outputs;
    const struct hpm_experiment *experiment;
    struct hpm_derived *derived;
    bool tells_name;
};

static bool
write_file(void *context, struct hpm_error *err)
{
    const struct file_work *work = context;
    const struct hpm_destination *destination = &work->outputs->file;
    struct hpm_output *output = hpm_output_open(destination, err);

    if (output == NULL)
        return false;
    if (hpm_writer_write(work->experiment, work->derived, output, err))
        return commit(output, destination, work->tells_name, err);
    hpm_output_abandon(output);
    return false;
}

/* What went wrong names the file, but where it took too long. */
static void
say_failure(const struct hpm_destination *destination, const char *why)
{
    char sentence[1024];

    if (strstr(why, destination->name) != NULL) {
        say(why);
        return;
    }
    snprintf(sentence, sizeof sentence, "cannot write '%.200s': %s",
             destination->name, why);
    say(sentence);
}

void
outputs_write_file(const struct outputs *outputs,
                   const struct hpm_experiment *experiment,
                   struct hpm_derived *derived, bool tells_name)
{
    struct file_work work = {outputs, experiment, derived, tells_name};
    struct hpm_error err;

    if (outputs->has_file && !deputy_do(write_file, &work, &err))
        say_failure(&outputs->file, err.text);
}

struct log_work {
    const struct outputs *outputs;
    const struct hpm_string *text;
};

static bool
write_log(void *context, struct hpm_error *err)
{
    const struct log_work *work = context;
    const struct hpm_destination *destination = &work->outputs->log;
    const struct hpm_string *text = work->text;
    struct hpm_output *output;

    if (work->outputs->options->is_appended)
        return hpm_output_append(destination, text->text, text->length, err);
    output = hpm_output_open(destination, err);
    if (output == NULL)
        return false;
    hpm_output_write(output, text->text, text->length);
    return commit(output, destination, true, err);
}

static void
write_standard_error(const struct outputs *outputs,
                     const struct hpm_string *text)
{
    struct hpm_string coloured = {0};

    if (outputs->options->format->may_have_colour && colour_is_wanted())
        colour_add(&coloured, hpm_string_text(text));
    if (coloured.length == 0 || coloured.failed)
        hpm_write_all(STDERR_FILENO, text->text, text->length);
    else
        hpm_write_all(STDERR_FILENO, coloured.text, coloured.length);
    hpm_string_free(&coloured);
}

void
outputs_write_report(const struct outputs *outputs,
                     const struct hpm_string *text)
{
    struct hpm_error err;

    if (text->failed || text->text == NULL) {
        say("out of memory; there is no report");
        return;
    }
    if (outputs->has_log) {
        if (deputy_do(write_log, &(struct log_work){outputs, text}, &err))
            return;
        say_failure(&outputs->log, err.text);
    } else if (outputs->options->is_quiet) {
        return;
    }
    write_standard_error(outputs, text);
}
