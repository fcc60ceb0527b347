/* SPDX-License-Identifier: BSD-3-Clause
 * Writes what a recording leaves: the performance file and the report. */
#include "session/results.h"

#include <string.h>

#include "base/message.h"
#include "file/journal.h"
#include "file/pattern.h"
#include "file/writer.h"
#include "file/written.h"
#include "host/memory.h"
#include "host/path.h"
#include "metric/derived.h"
#include "record/checkpoint.h"
#include "record/shortclock.h"
#include "report/sections.h"
#include "session/handover.h"
#include "session/metrics.h"
#include "source/replay.h"
#include "source/usage.h"

/* ---- the journal ----------------------------------------------------- */

static void
say_nothing(const char *line)
{
    (void)line;
}

/* What the user has not asked for costs no wait for the disk, and its failure no
 * line in each task: then it survives the program, but no loss of power. */
static bool
begin_journal(const struct hpm_settings *settings,
              struct hpm_recorder *recorder,
              const struct hpm_destination *destination, struct hpm_error *err)
{
    bool is_asked = settings->are_checkpoints_asked;
    const struct hpm_checkpoint_plan plan = {
        settings->checkpoint_ns, settings->is_synced && is_asked,
        is_asked ? hpm_message_say : say_nothing};
    struct hpm_journal *journal = hpm_journal_new(
        settings->has_journal ? &settings->journal : destination, err);
    struct hpm_string path = {0};
    bool is_good;

    if (journal == NULL)
        return false;
    hpm_destination_add_path(destination, destination->name, &path);
    is_good = hpm_checkpoint_begin(recorder, journal, &plan,
                                   hpm_string_text(&path), &settings->run, err);
    hpm_string_free(&path);
    return is_good;
}

void
hpm_results_begin(const struct hpm_settings *settings,
                  struct hpm_recorder *recorder)
{
    struct hpm_error err = {.text = "no place for the journal was found"};
    const struct hpm_destination *destination =
        settings->has_file ? &settings->file : &settings->fallback;
    bool is_begun;

    if (!settings->has_checkpoints)
        return;
    is_begun = (settings->has_file || settings->has_fallback) &&
               begin_journal(settings, recorder, destination, &err);
    if (!is_begun && settings->are_checkpoints_asked)
        hpm_message_say_format("HPM_CHECKPOINT: %s; there are no checkpoints",
                               err.text);
}

/* ---- files ----------------------------------------------------------- */

/* Say if the file got another name than the user asked for. */
static void
say_name(const struct hpm_destination *destination, const char *path)
{
    if (strcmp(hpm_path_base_name(path), destination->name) != 0)
        hpm_message_say_format("%s exists already; wrote %s", destination->name,
                               path);
}

static bool
write_file(const struct hpm_destination *destination, bool is_synced,
           const struct hpm_experiment *experiment, struct hpm_derived *derived,
           char **ret_path, struct hpm_error *err)
{
    struct hpm_output *output = hpm_output_open(destination, err);

    if (output == NULL)
        return false;
    if (!hpm_writer_write(experiment, derived, output, err)) {
        hpm_output_abandon(output);
        return false;
    }
    if (!hpm_output_commit(output, is_synced, ret_path, err))
        return false;
    hpm_written_add(*ret_path);
    if (hpm_handover_taker() == NULL)
        say_name(destination, *ret_path);
    return true;
}

/* If there is no memory for the journal's name, there still is a journal. */
static void
say_lost(const struct hpm_recorder *recorder, const char *why,
         const char *remedy)
{
    char *path = hpm_checkpoint_path(recorder);
    const char *journal = path != NULL ? path : "(its name ends in .journal)";

    if (!hpm_checkpoint_is_there(recorder))
        hpm_message_say_format("%s; the measurement is lost%s", why, remedy);
    else if (hpm_checkpoint_has_all(recorder))
        hpm_message_say_format("%s; the measurement is in the journal %s", why,
                               journal);
    else
        hpm_message_say_format("%s; only a part of the measurement is in the "
                               "journal %s%s",
                               why, journal, remedy);
    hpm_memory_free(path);
}

void
hpm_results_give_up(const struct hpm_recorder *recorder, const char *why)
{
    say_lost(recorder, why, "");
}

/* False if it could not be written anywhere: err says why. */
static bool
write_performance_file(const struct hpm_settings *settings,
                       const struct hpm_experiment *experiment,
                       struct hpm_derived *derived, char **ret_path,
                       struct hpm_error *err)
{
    bool is_synced = settings->is_synced;
    struct hpm_error second;

    hpm_error_set(err, "no place for the file was found");
    if (settings->has_file && write_file(&settings->file, is_synced, experiment,
                                         derived, ret_path, err))
        return true;
    if (!settings->has_fallback)
        return false;
    if (!write_file(&settings->fallback, is_synced, experiment, derived,
                    ret_path, &second)) {
        if (!settings->has_file)
            *err = second;
        return false;
    }
    if (settings->has_file)
        hpm_message_say_format("%s; the file is %s/%s", err->text,
                               settings->fallback.folder,
                               settings->fallback.name);
    return true;
}

/* ---- the job's file -------------------------------------------------- */

/* The name for a file of all tasks; NULL when memory runs out. */
static char *
name_of_job_file(const struct hpm_settings *settings, const char *pattern)
{
    struct hpm_run run = settings->run;
    struct hpm_error ignored;
    char *path, *name;

    run.task = HPM_ALL_TASKS;
    path = hpm_pattern_expand(pattern, &run, &ignored);
    name = hpm_memory_copy_text(hpm_path_base_name(path));
    hpm_memory_free(path);
    return name;
}

/* False if there is no taker, or memory runs out.  `path` is the path of the
 * written file, or NULL. */
static bool
hand_over(const struct hpm_settings *settings,
          const struct hpm_experiment *experiment, struct hpm_derived *derived,
          const char *path)
{
    const struct hpm_destination *place =
        settings->has_file ? &settings->file : &settings->fallback;
    struct hpm_string text = {0};
    bool is_taken = false;
    char *name;

    if (hpm_handover_taker() == NULL)
        return false;
    hpm_writer_print(experiment, derived, &text);
    name = name_of_job_file(settings, settings->has_file ? settings->pattern
                                                         : HPM_DEFAULT_PATTERN);
    if (!text.failed && name != NULL) {
        hpm_handover_taker()(&(struct hpm_handover){
            .text = text.text,
            .length = text.length,
            .path = path,
            .own_name = place->name != NULL ? place->name : name,
            .folder = place->folder != NULL ? place->folder : ".",
            .name = name,
            .is_synced = settings->is_synced});
        is_taken = true;
    }
    hpm_memory_free(name);
    hpm_string_free(&text);
    return is_taken;
}

/* ---- the report ------------------------------------------------------ */

static void
write_report(const struct hpm_settings *settings,
             const struct hpm_experiment *experiment)
{
    struct hpm_string text = {0};
    struct hpm_error err;
    struct hpm_output *output;
    char *path = NULL;

    if (settings->report == NULL)
        return;
    hpm_sections_add_text(&text, experiment);
    if (text.failed) {
        hpm_message_say("out of memory; there is no report");
    } else if (strcmp(settings->report, "stderr") == 0) {
        hpm_message_write(text.text, text.length);
    } else if (settings->has_report_file) {
        output = hpm_output_open(&settings->report_file, &err);
        if (output != NULL)
            hpm_output_write(output, text.text, text.length);
        if (output == NULL || !hpm_output_commit(output, false, &path, &err))
            hpm_message_say_format("HPM_REPORT: %s", err.text);
        else
            say_name(&settings->report_file, path);
        hpm_memory_free(path);
    }
    hpm_string_free(&text);
}

static void
add_lack(const char *sentence, unsigned n_readings, void *context)
{
    struct hpm_experiment *experiment = context;
    struct hpm_problem *problem = hpm_experiment_add_problem(experiment);

    hpm_message_say(sentence);
    if (problem == NULL)
        return;
    problem->count = n_readings;
    if (!hpm_experiment_set_text(&problem->text, sentence))
        experiment->n_problems--;
}

/* If there is no memory for metrics, the measurement is not lost: the file has
 * no metrics. */
static struct hpm_derived *
derive(struct hpm_inquiry *inquiry, const struct hpm_experiment *experiment)
{
    struct hpm_derived *derived = NULL;
    struct hpm_error err;

    if (hpm_session_inquire(inquiry, NULL, HPM_DOMAIN_USER, &err))
        derived =
            hpm_derived_new(inquiry->library.metrics, experiment, false, &err);
    if (derived == NULL)
        hpm_message_say_format("%s; the file has no metrics", err.text);
    return derived;
}

static const char *
reason_of(const struct hpm_experiment *experiment, size_t counter)
{
    const char *reason = experiment->counters[counter].reason;

    return reason != NULL ? reason : "";
}

/* Does a section lack the event's value because it was lost, or because the
 * section's thread could not count it?  Events that no thread can count were
 * reported at init; a file of samples that lacks some reports that itself.  If
 * a short clock fails, a record may have other times instead. */
static bool
is_lacking(const struct hpm_experiment *experiment,
           const struct hpm_eventset *set, size_t event)
{
    const struct hpm_source *source = set->events[event].source;
    bool is_short =
        strcmp(reason_of(experiment, event), hpm_usage_short_clock) == 0;

    for (size_t i = 0; source != NULL && i < experiment->n_records; i++) {
        const struct hpm_value *value =
            hpm_experiment_value(experiment, i, event);

        if (is_short && hpm_shortclock_has_times(experiment, i, set))
            continue;
        if (value->is_present && (value->state == HPM_STATE_LOST ||
                                  (value->state == HPM_STATE_UNSUPPORTED &&
                                   source != &hpm_source_replay)))
            return true;
    }
    return false;
}

/* Say in one line which events, from `first` on, lack values for the reason of
 * `first`. */
static void
say_lacks_of_reason(const struct hpm_experiment *experiment,
                    const struct hpm_eventset *set, size_t first)
{
    const char *reason = reason_of(experiment, first);
    const char *separator = "";
    struct hpm_string line = {0};

    hpm_string_add(&line, "no value in some sections: ");
    for (size_t i = first; i < set->n_events; i++) {
        if (!is_lacking(experiment, set, i) ||
            strcmp(reason_of(experiment, i), reason) != 0)
            continue;
        hpm_string_add_format(&line, "%s'%s'", separator,
                              experiment->counters[i].name);
        separator = ", ";
    }
    hpm_string_add_format(&line, ": %s", reason);
    hpm_message_say(hpm_string_text(&line));
    hpm_string_free(&line);
}

static void
say_lacks(const struct hpm_experiment *experiment,
          const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        size_t first = 0;

        while (first < i && !(is_lacking(experiment, set, first) &&
                              strcmp(reason_of(experiment, first),
                                     reason_of(experiment, i)) == 0))
            first++;
        if (first == i && is_lacking(experiment, set, i))
            say_lacks_of_reason(experiment, set, i);
    }
}

void
hpm_results_write(struct hpm_settings *settings, struct hpm_recorder *recorder,
                  struct hpm_experiment *experiment)
{
    struct hpm_derived *derived;
    struct hpm_error err;
    bool is_written, is_taken;
    char *path = NULL;

    experiment->run.forked_from = settings->run.forked_from;
    hpm_replay_visit_lacks(add_lack, experiment);
    say_lacks(experiment, &settings->set);
    derived = derive(&settings->inquiry, experiment);
    is_written =
        write_performance_file(settings, experiment, derived, &path, &err);
    is_taken = hand_over(settings, experiment, derived, path);
    if (!is_written && is_taken)
        hpm_message_say_format("%s; it is left to the job's file", err.text);
    else if (!is_written)
        say_lost(recorder, err.text, " (HPM_REPORT=stderr shows it as text)");
    else if (experiment->run.is_complete &&
             !hpm_checkpoint_remove(recorder, &err))
        hpm_message_say_format("%s; all of it is in %s", err.text, path);
    write_report(settings, experiment);
    hpm_memory_free(path);
    hpm_derived_free(derived);
    hpm_inquiry_close(&settings->inquiry);
}
