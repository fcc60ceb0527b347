/* SPDX-License-Identifier: BSD-3-Clause
 * What the caller and the environment chose at init. */
#include "session/settings.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "base/launcher.h"
#include "base/message.h"
#include "file/pattern.h"
#include "host/memory.h"
#include "inquiry/definer.h"
#include "record/run.h"
#include "session/metrics.h"
#include "source/sources.h"

static void
check_environment(void)
{
    struct hpm_string lines = {0};

    hpm_env_check(&lines);
    hpm_message_say_lines(&lines);
    hpm_string_free(&lines);
}

static void
choose_run(struct hpm_run *run, int task, const char *program)
{
    int rank = hpm_launcher_rank();
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (program == NULL || program[0] == '\0')
        program = program_invocation_short_name;
    if (task >= 0 && rank >= 0 && task != rank)
        hpm_message_say_format(
            "hpmInit says task %d, the launcher rank %d; using %d", task, rank,
            task);
    if (task < 0)
        task = rank >= 0 ? rank : 0;
    hpm_run_describe(run, program, task, &now);
}

static enum hpm_domain
choose_domain(void)
{
    const char *word = hpm_env_get(HPM_VARIABLE_DOMAIN);
    enum hpm_domain domain = HPM_DOMAIN_USER;

    if (word != NULL && !hpm_domain_from_name(word, &domain))
        hpm_message_say_format(
            "HPM_DOMAIN='%.40s' is unknown; expected user, kernel or "
            "all; using user",
            word);
    return domain;
}

/* Process sections count these resources, too: reading them costs little
 * there. */
static const char process_events[] =
    "ru::utime,ru::stime,ru::minflt,ru::majflt,ru::nvcsw,ru::nivcsw";

static bool
serves(const struct hpm_source *const *sources, const struct hpm_source *source)
{
    while (*sources != NULL && *sources != source)
        sources++;
    return *sources != NULL;
}

/* Add the events that HPM_METRICS and HPM_SET need, after those of HPM_EVENTS;
 * none if neither variable is set or they name nothing here.  HPM_SET may also
 * name a set of events. */
static void
add_wanted_events(struct hpm_settings *settings,
                  const struct hpm_source *const *sources,
                  enum hpm_domain domain, struct hpm_string *list)
{
    const char *events = hpm_env_get(HPM_VARIABLE_EVENTS);
    const char *metrics = hpm_env_get(HPM_VARIABLE_METRICS);
    const char *set = hpm_env_get(HPM_VARIABLE_SET);
    struct hpm_string lines = {0};
    struct hpm_error err;
    bool is_set;

    if (set == NULL)
        set = hpm_env_get(HPM_VARIABLE_EVENT_SET);
    if (events != NULL)
        set = NULL;
    if (metrics == NULL && set == NULL)
        return;
    if (!hpm_session_inquire(&settings->inquiry, sources, domain, &err)) {
        hpm_message_say(err.text);
        return;
    }
    if (!hpm_inquiry_want(&settings->inquiry, metrics, set, &is_set, &err))
        hpm_message_say_format("HPM_METRICS: %s", err.text);
    hpm_inquiry_explain(&settings->inquiry, &lines);
    hpm_message_say_lines(&lines);
    hpm_string_free(&lines);
    if (events != NULL)
        hpm_string_add(list, events);
    hpm_request_add_events(&settings->inquiry.request, list);
}

static void
choose_events(struct hpm_settings *settings)
{
    const char *choice = hpm_env_get(HPM_VARIABLE_SOURCE);
    struct hpm_error err;
    const struct hpm_source *const *sources = hpm_sources_choose(choice, &err);
    enum hpm_domain domain = choose_domain();
    struct hpm_eventset *set = &settings->set;
    struct hpm_string reasons = {0}, list = {0};

    hpm_definer_serve();
    if (sources == NULL) {
        hpm_message_say_format("%s; using auto", err.text);
        sources = hpm_sources_choose(NULL, &err);
    }
    add_wanted_events(settings, sources, domain, &list);
    set->takes_turns = hpm_env_is_on(HPM_VARIABLE_SHARE, false);
    if (!hpm_eventset_choose(set, list.length > 0 ? list.text : NULL, NULL,
                             domain, sources, &err))
        hpm_message_say(err.text);
    hpm_eventset_explain(set, &reasons);
    hpm_message_say_lines(&reasons);
    hpm_string_free(&reasons);
    hpm_string_free(&list);
    if (serves(sources, &hpm_source_usage))
        hpm_eventset_add_process(set, process_events, domain, sources, &err);
}

static bool
fix_destination(const struct hpm_settings *settings,
                struct hpm_destination *ret_destination, const char *pattern,
                struct hpm_error *err)
{
    char *path = hpm_pattern_expand(pattern, &settings->run, err);
    bool is_good =
        path != NULL && hpm_destination_fix(ret_destination, path, err);

    hpm_memory_free(path);
    return is_good;
}

/* The journal's name is that of the file, in another folder. */
static void
choose_journal_folder(struct hpm_settings *settings)
{
    const struct hpm_destination *file =
        settings->has_file ? &settings->file : &settings->fallback;
    const char *folder = hpm_env_get(HPM_VARIABLE_JOURNAL_FOLDER);
    struct hpm_string path = {0};
    struct hpm_error err = {"out of memory"};

    settings->has_journal = false;
    if (folder == NULL || !settings->has_checkpoints ||
        (!settings->has_file && !settings->has_fallback))
        return;
    hpm_string_add_format(&path, "%s/%s", folder, file->name);
    settings->has_journal =
        !path.failed &&
        hpm_destination_fix(&settings->journal, path.text, &err);
    if (!settings->has_journal)
        hpm_message_say_format(
            "HPM_JOURNAL_FOLDER: %s; the journal is where the "
            "performance file will be",
            err.text);
    hpm_string_free(&path);
}

/* Says now if a file cannot be written, not after hours of computing. */
static void
choose_files(struct hpm_settings *settings)
{
    struct hpm_error err;

    settings->has_fallback = fix_destination(settings, &settings->fallback,
                                             settings->fallback_pattern, &err);
    settings->has_file =
        fix_destination(settings, &settings->file, settings->pattern, &err);
    if (!settings->has_file && settings->has_fallback)
        hpm_message_say_format("%s; the file will be %s/%s", err.text,
                               settings->fallback.folder,
                               settings->fallback.name);
    else if (!settings->has_file)
        hpm_message_say_format(
            "%s; set HPM_OUTPUT_NAME to a place for the file", err.text);
    if (settings->report != NULL && strcmp(settings->report, "stderr") != 0) {
        settings->has_report_file = fix_destination(
            settings, &settings->report_file, settings->report, &err);
        if (!settings->has_report_file)
            hpm_message_say_format("HPM_REPORT: %s; there will be no report",
                                   err.text);
    }
    choose_journal_folder(settings);
}

/* An interval longer than any run is cut to MOST_SECONDS.  A task of a job makes
 * checkpoints unless the user does not want them: whatever ends another task ends
 * this one by a signal. */
static void
choose_checkpoints(struct hpm_settings *settings)
{
    enum { MOST_SECONDS = 1000000000, SECONDS_OF_JOBS = 60 };
    unsigned long seconds =
        hpm_env_number(HPM_VARIABLE_CHECKPOINT, 0, ULONG_MAX);

    settings->are_checkpoints_asked = seconds != ULONG_MAX;
    if (seconds == ULONG_MAX && hpm_launcher_rank() >= 0 &&
        !hpm_env_is_off(HPM_VARIABLE_CHECKPOINT))
        seconds = SECONDS_OF_JOBS;
    settings->has_checkpoints = seconds != ULONG_MAX;
    settings->checkpoint_ns = UINT64_C(1000000000) *
                              (seconds < MOST_SECONDS ? seconds : MOST_SECONDS);
}

static char *
working_folder(void)
{
    char *folder = hpm_memory_new(PATH_MAX, 1);

    if (folder != NULL && getcwd(folder, PATH_MAX) != NULL)
        return folder;
    hpm_memory_free(folder);
    return NULL;
}

static void
read_settings(struct hpm_settings *settings)
{
    const char *pattern = hpm_env_get(HPM_VARIABLE_OUTPUT_NAME);
    const char *report = hpm_env_get(HPM_VARIABLE_REPORT);

    settings->pattern =
        hpm_memory_copy_text(pattern != NULL ? pattern : HPM_DEFAULT_PATTERN);
    settings->fallback_pattern = hpm_memory_copy_text(HPM_DEFAULT_PATTERN);
    if (report != NULL && strcmp(report, "none") != 0)
        settings->report = hpm_memory_copy_text(report);
    settings->folder = working_folder();
    settings->is_synced = hpm_env_is_on(HPM_VARIABLE_FSYNC, true);
    choose_checkpoints(settings);
}

static __attribute__((cold)) enum hpm_nesting
choose_nesting(void)
{
    static const char words[][8] = {[HPM_NESTING_SCOPES] = "scopes",
                                    [HPM_NESTING_STRICT] = "strict",
                                    [HPM_NESTING_FREE] = "free"};
    const char *value = hpm_env_get(HPM_VARIABLE_NESTING);

    for (int i = HPM_NESTING_SCOPES; value != NULL && i <= HPM_NESTING_FREE;
         i++) {
        if (hpm_string_same_word(value, words[i]))
            return (enum hpm_nesting)i;
    }
    if (value != NULL)
        hpm_message_say_format("HPM_NESTING='%.40s': expected scopes, strict "
                               "or free; scopes is taken",
                               value);
    return HPM_NESTING_SCOPES;
}

/* The kernel takes the samples: if HPM_SOURCE excludes the kernel, nothing is
 * sampled. */
static void
choose_sampling(struct hpm_plan *plan)
{
    const char *list = hpm_env_get(HPM_VARIABLE_SAMPLE);
    struct hpm_error ignored;
    const struct hpm_source *const *sources =
        hpm_sources_choose(hpm_env_get(HPM_VARIABLE_SOURCE), &ignored);
    struct hpm_string lines = {0};

    if (list == NULL)
        return;
    if (sources != NULL && !serves(sources, &hpm_source_kernel))
        hpm_string_add(&lines, "HPM_SAMPLE: HPM_SOURCE keeps the kernel from "
                               "being asked; nothing is sampled\n");
    else
        hpm_sampling_choose(&plan->sampling, list, choose_domain(), &lines);
    hpm_message_say_lines(&lines);
    hpm_string_free(&lines);
}

/* A label may have a colon, but it may also be meant to end before it, and what
 * follows to be a number: "a:-1".  "n::f" is C++, "[[:alpha:]]*" a pattern. */
static bool
has_lone_colon(const char *label)
{
    const char *colon = strrchr(label, ':');

    return colon != NULL && strchr(label, '[') == NULL &&
           (colon == label || colon[-1] != ':');
}

/* Say which words of the list are wrong and left out, and which may be wrong; the
 * other words are used. */
static void
check_calls(const char *list)
{
    struct hpm_filter_calls calls;

    while (list != NULL && hpm_filter_next_calls(&list, &calls)) {
        if (calls.n == 0 || has_lone_colon(calls.glob))
            hpm_message_say_format(
                "HPM_CALLS: '%.40s' is %s; expected "
                "a label or pattern, or LABEL:N with N from "
                "1 to %d",
                calls.glob, calls.n == 0 ? "left out" : "taken for a label",
                HPM_FILTER_MOST_CALLS);
    }
}

static void
choose_plan(struct hpm_settings *settings)
{
    struct hpm_plan *plan = &settings->plan;

    choose_sampling(plan);

    plan->set = &settings->set;
    plan->filter.only = hpm_memory_copy_text(hpm_env_get(HPM_VARIABLE_ONLY));
    plan->filter.except =
        hpm_memory_copy_text(hpm_env_get(HPM_VARIABLE_EXCEPT));
    plan->filter.calls = hpm_memory_copy_text(hpm_env_get(HPM_VARIABLE_CALLS));
    check_calls(plan->filter.calls);
    plan->filter.n_skipped = hpm_env_number(HPM_VARIABLE_SKIP, 0, 0);
    plan->filter.nesting = choose_nesting();
    plan->n_thread_records =
        hpm_env_number(HPM_VARIABLE_MAX_THREADS, 1, HPM_MAX_THREADS_DEFAULT);
}

bool
hpm_settings_choose(struct hpm_settings *settings, int task,
                    const char *program)
{
    check_environment();
    read_settings(settings);
    choose_run(&settings->run, task, program);
    choose_events(settings);
    choose_plan(settings);
    if (settings->pattern == NULL || settings->fallback_pattern == NULL ||
        settings->run.program == NULL)
        return false;
    choose_files(settings);
    return true;
}

static void
add_literally(struct hpm_string *pattern, const char *path)
{
    for (; *path != '\0'; path++) {
        if (*path == '%')
            hpm_string_add_char(pattern, '%');
        hpm_string_add_char(pattern, *path);
    }
}

/* Change a pattern into that of a child; a relative pattern is relative to the
 * parent's working directory at init.  False when memory runs out. */
static bool
change_for_child(char **pattern, const char *folder)
{
    char *changed = hpm_pattern_for_child(*pattern);
    struct hpm_string path = {0};

    if (changed == NULL)
        return false;
    if (changed[0] != '/' && folder != NULL) {
        add_literally(&path, folder);
        hpm_string_add_char(&path, '/');
    }
    hpm_string_add(&path, changed);
    hpm_memory_free(changed);
    if (path.failed) {
        hpm_string_free(&path);
        return false;
    }
    hpm_memory_free(*pattern);
    *pattern = path.text;
    return true;
}

bool
hpm_settings_choose_for_child(struct hpm_settings *settings)
{
    const char *folder = settings->folder;
    bool has_report =
        settings->report != NULL && strcmp(settings->report, "stderr") != 0;

    if (!change_for_child(&settings->pattern, folder) ||
        !change_for_child(&settings->fallback_pattern, folder) ||
        (has_report && !change_for_child(&settings->report, folder)))
        return false;
    settings->run.forked_from = settings->run.pid;
    settings->run.pid = getpid();
    if (settings->has_fallback)
        hpm_destination_clear(&settings->fallback);
    if (settings->has_file)
        hpm_destination_clear(&settings->file);
    if (settings->has_report_file)
        hpm_destination_clear(&settings->report_file);
    if (settings->has_journal)
        hpm_destination_clear(&settings->journal);
    choose_files(settings);
    return true;
}
