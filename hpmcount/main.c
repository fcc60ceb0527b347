/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount: count a whole run of a program, nothing rebuilt. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/memory.h"
#include "base/write.h"
#include "file/output.h"
#include "file/pattern.h"
#include "file/writer.h"
#include "hpmcount/assemble.h"
#include "hpmcount/launch.h"
#include "hpmcount/listing.h"
#include "hpmcount/options.h"
#include "source/eventset.h"

enum { OWN_FAILURE = 125 };

/* All of one invocation. */
struct session {
    struct options options;
    const struct hpm_source *const *sources;
    enum hpm_domain domain;
    struct hpm_eventset set;
    struct hpm_experiment *experiment;
    struct hpm_destination file, log;
    bool has_file, has_log;
};

static void
say(const char *sentence)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "hpmcount: %s\n", sentence);
    hpm_write_all(STDERR_FILENO, hpm_string_text(&line), line.length);
    hpm_string_free(&line);
}

static void
say_lines(struct hpm_string *lines)
{
    char *rest = NULL;

    for (char *line = lines->text != NULL ? strtok_r(lines->text, "\n", &rest)
                                          : NULL;
         line != NULL; line = strtok_r(NULL, "\n", &rest))
        say(line);
    hpm_string_free(lines);
}

/* ---- before ---------------------------------------------------------- */

static bool
choose_sources(struct session *session, struct hpm_error *err)
{
    const char *source = hpm_env_get(HPM_VARIABLE_SOURCE);
    const char *domain = hpm_env_get(HPM_VARIABLE_DOMAIN);
    struct hpm_string lines = {0};

    hpm_env_check(&lines);
    say_lines(&lines);
    session->sources = hpm_source_choose(source);
    if (session->sources == NULL)
        return hpm_error_set(err,
                             "HPM_SOURCE='%.40s' is unknown; expected "
                             "auto, kernel, papi, usage, replay or none",
                             source);
    session->domain = HPM_DOMAIN_USER;
    if (domain != NULL && !hpm_domain_from_name(domain, &session->domain))
        return hpm_error_set(err,
                             "HPM_DOMAIN='%.40s' is unknown; expected "
                             "user, kernel or all",
                             domain);
    return true;
}

static bool
choose_events(struct session *session, struct hpm_error *err)
{
    struct hpm_string reasons = {0};

    if (!hpm_eventset_choose(&session->set, session->options.events,
                             session->options.set_name, session->domain,
                             session->sources, err))
        return false;
    hpm_eventset_explain(&session->set, &reasons);
    say_lines(&reasons);
    return true;
}

static bool
fix_file(struct session *session, const char *pattern,
         struct hpm_destination *ret_destination, bool *ret_has,
         struct hpm_error *err)
{
    char *path;

    if (pattern == NULL)
        return true;
    path = hpm_pattern_expand(pattern, &session->experiment->run, err);
    *ret_has = path != NULL && hpm_destination_fix(ret_destination, path, err);
    hpm_memory_free(path);
    return *ret_has;
}

static bool
choose_files(struct session *session, struct hpm_error *err)
{
    const char *pattern = session->options.output;

    if (pattern == NULL)
        pattern = hpm_env_get(HPM_VARIABLE_OUTPUT_NAME);
    return fix_file(session, pattern, &session->file, &session->has_file,
                    err) &&
           fix_file(session, session->options.log, &session->log,
                    &session->has_log, err);
}

static bool
prepare(struct session *session, struct hpm_error *err)
{
    session->experiment = hpm_experiment_new();
    if (session->experiment == NULL)
        return hpm_error_no_memory(err);
    hpm_clock_init();
    return choose_events(session, err) &&
           assemble_run(session->experiment, session->options.command[0],
                        err) &&
           choose_files(session, err);
}

/* ---- after ----------------------------------------------------------- */

/* Hand an output its name, and say so where it is another than asked for. */
static bool
commit(struct hpm_output *output, const struct hpm_destination *destination,
       struct hpm_error *err)
{
    char *path = NULL;
    char sentence[512];

    if (!hpm_output_commit(output, hpm_env_is_on(HPM_VARIABLE_FSYNC, true),
                           &path, err))
        return false;
    if (strcmp(hpm_string_base_name(path), destination->name) != 0) {
        snprintf(sentence, sizeof sentence, "%s exists already; wrote %s",
                 destination->name, path);
        say(sentence);
    }
    hpm_memory_free(path);
    return true;
}

static void
write_file(struct session *session)
{
    struct hpm_output *output;
    struct hpm_error err;

    if (!session->has_file)
        return;
    output = hpm_output_open(&session->file, &err);
    if (output != NULL &&
        !hpm_writer_write(session->experiment, output, &err)) {
        hpm_output_abandon(output);
        output = NULL;
    }
    if (output == NULL || !commit(output, &session->file, &err))
        say(err.text);
}

/* To the log, or where that fails to standard error: a run is not repeated for
 * a full disk. */
static void
write_report(struct session *session)
{
    struct hpm_string text = {0};
    struct hpm_output *output = NULL;
    struct hpm_error err;
    bool is_written = false;

    session->options.format->add(&text, session->experiment);
    if (text.failed) {
        say("out of memory; there is no report");
        hpm_string_free(&text);
        return;
    }
    if (session->has_log) {
        output = hpm_output_open(&session->log, &err);
        if (output != NULL) {
            hpm_output_write(output, text.text, text.length);
            is_written = commit(output, &session->log, &err);
        }
        if (!is_written)
            say(err.text);
    }
    if (!is_written)
        hpm_write_all(STDERR_FILENO, text.text, text.length);
    hpm_string_free(&text);
}

/* Run, report; the program's wait status, or our own exit status in
 * *ret_failure. */
static int
run(struct session *session, int *ret_failure)
{
    const struct launch_wish wish = {.argv = session->options.command,
                                     .set = &session->set};
    struct launch launch;
    struct relay relay;
    struct hpm_error err;

    *ret_failure = OWN_FAILURE;
    if (!prepare(session, &err)) {
        say(err.text);
        return 0;
    }
    relay_begin(&relay);
    *ret_failure = launch_run(&launch, &wish, &relay, &err);
    if (*ret_failure != 0)
        say(err.text);
    else if (!assemble_record(session->experiment, &launch, &session->set,
                              &err))
        say("out of memory; there is no report");
    else {
        write_report(session);
        write_file(session);
    }
    launch_clear(&launch);
    return launch.status;
}

static void
clear(struct session *session)
{
    if (session->has_file)
        hpm_destination_clear(&session->file);
    if (session->has_log)
        hpm_destination_clear(&session->log);
    hpm_eventset_clear(&session->set);
    hpm_experiment_free(session->experiment);
}

int
main(int argc, char **argv)
{
    struct session session = {0};
    struct hpm_error err;
    int status, failure;

    if (!options_parse(&session.options, argc, argv, &err) ||
        !choose_sources(&session, &err)) {
        say(err.text);
        return OWN_FAILURE;
    }
    switch (session.options.task) {
    case TASK_HELP:
        options_print_help();
        return 0;
    case TASK_VERSION:
        options_print_version();
        return 0;
    case TASK_LIST:
        return listing_print(session.sources, session.domain);
    case TASK_RUN:
        break;
    }
    status = run(&session, &failure);
    clear(&session);
    if (failure != 0)
        return failure;
    launch_end_like(status);
}
