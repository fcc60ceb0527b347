/* SPDX-License-Identifier: BSD-3-Clause
 * hpm recover: performance files of what programs left behind that stopped
 * without their end. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/option.h"
#include "file/copies.h"
#include "file/pattern.h"
#include "file/reader.h"
#include "file/studyfile.h"
#include "file/writer.h"
#include "hpm/holder.h"
#include "hpm/leftovers.h"
#include "hpm/subcommand.h"
#include "metric/binding.h"
#include "metric/library.h"
#include "record/revive.h"

/* A program's run, known again in other files. */
struct known_run {
    long pid;
    char *start;
};

struct recovery {
    bool is_cleaning;
    struct known_run *runs; /* whose journals were recovered */
    size_t n_runs, runs_capacity;
    struct hpm_string done; /* what was done, a line each */
    size_t n_good, n_bad;
    bool has_output_failed;
};

/* What becomes of a leftover. */
enum outcome {
    KEPT,     /* it has, or may get, what is nowhere else */
    USELESS,  /* nothing is in it that is not elsewhere */
    RECOVERED /* all of it is in a performance file now */
};

static void
fail(struct recovery *recovery, const char *sentence)
{
    subcommand_say("recover", sentence);
    recovery->n_bad++;
}

static void
note(struct recovery *recovery, const char *path, const char *sentence)
{
    hpm_string_add_format(&recovery->done, "'%s': %s\n", path, sentence);
}

/* ---- making a file --------------------------------------------------- */

/* What is to be written: an experiment or a study. */
struct content {
    const struct hpm_experiment *experiment;
    struct hpm_derived *derived;
    const struct hpm_study *study;
};

static bool
write_content(const struct content *content, struct hpm_output *output,
              struct hpm_error *err)
{
    if (content->study != NULL)
        return hpm_studyfile_write(content->study, output, err);
    return hpm_writer_write(content->experiment, content->derived, output, err);
}

static bool
have_same_bytes(const char *a, const char *b)
{
    FILE *x = fopen(a, "re"), *y = fopen(b, "re");
    bool are_same = x != NULL && y != NULL;
    char first[4096], second[4096];
    size_t n = sizeof first;

    while (are_same && n == sizeof first) {
        n = fread(first, 1, sizeof first, x);
        are_same = fread(second, 1, sizeof second, y) == n &&
                   memcmp(first, second, n) == 0;
    }
    if (x != NULL)
        fclose(x);
    if (y != NULL)
        fclose(y);
    return are_same;
}

/* Was it recovered before?  Then `path`, which was just written, is one file
 * too many, and becomes the path of the first one. */
static bool
was_there(const char *wanted, struct hpm_string *path)
{
    struct hpm_string other = {0};
    bool is_found = false;

    for (unsigned i = 0; i < 1000 && !is_found; i++) {
        hpm_string_clear(&other);
        hpm_string_add(&other, wanted);
        if (i > 0)
            hpm_string_add_format(&other, ".%u", i);
        if (strcmp(hpm_string_text(&other), hpm_string_text(path)) == 0)
            break;
        is_found =
            have_same_bytes(hpm_string_text(&other), hpm_string_text(path));
    }
    if (is_found && unlink(hpm_string_text(path)) == 0) {
        hpm_string_clear(path);
        hpm_string_add(path, hpm_string_text(&other));
    }
    hpm_string_free(&other);
    return is_found;
}

/* Write it beside the leftover, under the name `wanted` or the next free one;
 * *ret_path is that.  *ret_is_new is false where the same was there. */
static bool
make_file(const char *wanted, const struct content *content,
          struct hpm_string *ret_path, bool *ret_is_new, struct hpm_error *err)
{
    const char *base = hpm_string_base_name(wanted);
    struct hpm_destination destination;
    struct hpm_output *output;
    char *path = NULL;
    bool is_good = false;

    if (!hpm_destination_fix(&destination, wanted, err))
        return false;
    output = hpm_output_open(&destination, err);
    if (output != NULL && write_content(content, output, err))
        is_good = hpm_output_commit(output, true, &path, err);
    else if (output != NULL)
        hpm_output_abandon(output);
    hpm_destination_clear(&destination);
    if (!is_good)
        return false;
    hpm_string_clear(ret_path);
    hpm_string_add_bytes(ret_path, wanted, (size_t)(base - wanted));
    hpm_string_add(ret_path, hpm_string_base_name(path));
    hpm_memory_free(path);
    *ret_is_new = !was_there(wanted, ret_path);
    return true;
}

/* ---- journals -------------------------------------------------------- */

/* A program that runs may still put more aside; of another machine's nobody
 * here knows. */
static bool
is_in_use(const struct hpm_experiment *experiment, const char *path,
          struct hpm_error *why)
{
    const char *host = experiment->machine.host;
    struct utsname here;
    struct stat status;

    if (host != NULL && uname(&here) == 0 && strcmp(host, here.nodename) != 0)
        return !hpm_error_set(why,
                              "the journal stays: whether its program still "
                              "runs only %.100s knows",
                              host);
    if (stat(path, &status) == 0 &&
        holder_is_there(experiment->run.pid, &status))
        return !hpm_error_set(why,
                              "the journal stays: its program, process %ld, "
                              "still runs",
                              experiment->run.pid);
    return false;
}

/* A second journal of a run adds nothing to know. */
static void
remember_run(struct recovery *recovery, const struct hpm_run *run)
{
    if (!hpm_memory_grow(&recovery->runs, &recovery->runs_capacity,
                         recovery->n_runs + 1, sizeof *recovery->runs))
        return;
    recovery->runs[recovery->n_runs++] = (struct known_run){
        run->pid, hpm_memory_copy_text(run->start != NULL ? run->start : "")};
}

static size_t
count_threads(const struct hpm_experiment *experiment)
{
    size_t n = 0;
    int last = -1;

    for (size_t i = 0; i < experiment->n_records; i++) {
        const struct hpm_record *record = &experiment->records[i];

        n += record->tid >= 0 && record->tid != last;
        last = record->tid;
    }
    return n;
}

static void
add_amount(struct hpm_string *text, size_t n, const char *what)
{
    hpm_string_add_format(text, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void
note_recovered(struct recovery *recovery, const char *path,
               const struct leftover *leftover,
               const struct hpm_experiment *experiment, bool is_new)
{
    hpm_string_add_format(&recovery->done, "'%s': ", path);
    if (!is_new)
        hpm_string_add(&recovery->done, "was recovered before: ");
    add_amount(&recovery->done, experiment->n_records, "record");
    hpm_string_add(&recovery->done, " of ");
    add_amount(&recovery->done, count_threads(experiment), "thread");
    hpm_string_add(&recovery->done, ", up to ");
    hpm_string_add_fixed(&recovery->done, (double)experiment->run.ns / 1e9, 3);
    hpm_string_add_format(&recovery->done, " s of the run, from '%s'\n",
                          leftover->path);
}

/* Metrics are no reason to recover nothing. */
static bool
write_revived(struct recovery *recovery, const struct leftover *leftover,
              const struct hpm_revived *revived)
{
    struct hpm_platform platform =
        hpm_platform_of(&revived->experiment->machine);
    struct content content = {.experiment = revived->experiment};
    struct hpm_string wanted = {0}, path = {0};
    struct hpm_library library = {0};
    struct hpm_error err;
    bool is_new, is_good;

    if (hpm_library_open(&library, NULL, &platform, &err))
        content.derived =
            hpm_derived_new(library.metrics, revived->experiment, false, &err);
    hpm_string_add_bytes(&wanted, leftover->path,
                         leftover_name_length(leftover));
    is_good =
        make_file(hpm_string_text(&wanted), &content, &path, &is_new, &err);
    if (is_good) {
        note_recovered(recovery, hpm_string_text(&path), leftover,
                       revived->experiment, is_new);
    } else {
        fail(recovery, err.text);
        recovery->has_output_failed = true;
    }
    hpm_derived_free(content.derived);
    hpm_library_close(&library);
    hpm_string_free(&wanted);
    hpm_string_free(&path);
    return is_good;
}

static enum outcome
recover_revived(struct recovery *recovery, const struct leftover *leftover,
                const struct hpm_revived *revived)
{
    struct hpm_error err;

    if (revived->n_wrong > 0) {
        hpm_error_set(&err,
                      "%.300s: %zu of its tables do not say what they should; "
                      "they are left out",
                      leftover->path, revived->n_wrong);
        fail(recovery, err.text);
    }
    if (!write_revived(recovery, leftover, revived))
        return KEPT;
    recovery->n_good++;
    if (is_in_use(revived->experiment, leftover->path, &err)) {
        if (recovery->is_cleaning)
            note(recovery, leftover->path, err.text);
        return KEPT;
    }
    remember_run(recovery, &revived->experiment->run);
    return revived->n_wrong > 0 ? KEPT : RECOVERED;
}

static enum outcome
recover_journal(struct recovery *recovery, const struct leftover *leftover)
{
    struct hpm_copies copies = {.file = NULL};
    enum outcome outcome = KEPT;
    struct hpm_revived revived;
    struct hpm_error err;

    if (!hpm_copies_read(&copies, leftover->path, &err)) {
        fail(recovery, err.text);
    } else if (!hpm_revive(&copies, leftover->path, &revived, &err)) {
        fail(recovery, err.text);
        outcome = copies.n == 0 ? USELESS : KEPT;
    } else {
        outcome = recover_revived(recovery, leftover, &revived);
        hpm_revived_clear(&revived);
    }
    hpm_copies_clear(&copies);
    return outcome;
}

/* ---- performance files that are cut ---------------------------------- */

/* Temporary files have no name of their own. */
static char *
name_of_run(const struct leftover *leftover, const struct hpm_task *task,
            struct hpm_error *err)
{
    const char *base = hpm_string_base_name(leftover->path);
    struct hpm_run run = {.task = task->number,
                          .program = (char *)task->program,
                          .job = (char *)(task->job != NULL ? task->job : ""),
                          .pid = (long)hpm_number_to_real(task->pid)};
    struct hpm_string path = {0};
    char *name;

    if (run.program == NULL)
        run.program = (char *)"recovered";
    name = hpm_pattern_expand(HPM_DEFAULT_PATTERN, &run, err);
    if (name == NULL)
        return NULL;
    hpm_string_add_bytes(&path, leftover->path,
                         (size_t)(base - leftover->path));
    hpm_string_add(&path, name);
    hpm_memory_free(name);
    if (path.failed)
        hpm_error_no_memory(err);
    return path.text;
}

static char *
wanted_name(const struct leftover *leftover, const struct hpm_study *study,
            struct hpm_error *err)
{
    size_t length = strlen(leftover->path);
    char *name;

    if (leftover->kind == LEFTOVER_TEMPORARY)
        return name_of_run(leftover, &study->tasks[0], err);
    name = hpm_memory_copy_text(leftover->path);
    if (name == NULL)
        hpm_error_no_memory(err);
    else if (length > 3 && strcmp(name + length - 3, ".gz") == 0)
        name[length - 3] = '\0';
    return name;
}

static bool
is_known(const struct recovery *recovery, const struct hpm_study *study)
{
    const struct hpm_task *task = &study->tasks[0];

    for (size_t i = 0; i < recovery->n_runs; i++) {
        const struct known_run *run = &recovery->runs[i];

        if (study->n_tasks == 1 && task->start != NULL && run->start != NULL &&
            strcmp(run->start, task->start) == 0 &&
            (long)hpm_number_to_real(task->pid) == run->pid)
            return true;
    }
    return false;
}

static bool
write_study(struct recovery *recovery, const struct leftover *leftover,
            const struct hpm_study *study)
{
    const struct content content = {.study = study};
    struct hpm_string path = {0};
    struct hpm_error err;
    bool is_new, is_good;
    char *wanted = wanted_name(leftover, study, &err);

    is_good =
        wanted != NULL && make_file(wanted, &content, &path, &is_new, &err);
    if (is_good) {
        hpm_string_add_format(&recovery->done, "'%s': %s",
                              hpm_string_text(&path),
                              is_new ? "" : "was recovered before: ");
        add_amount(&recovery->done, study->n_rows, "whole record");
        hpm_string_add_format(&recovery->done, ", from '%s'\n", leftover->path);
    } else {
        fail(recovery, err.text);
        recovery->has_output_failed = true;
    }
    hpm_memory_free(wanted);
    hpm_string_free(&path);
    return is_good;
}

static enum outcome
recover_study(struct recovery *recovery, const struct leftover *leftover,
              const struct hpm_study *study,
              const struct hpm_reader_report *report)
{
    bool is_temporary = leftover->kind == LEFTOVER_TEMPORARY;
    size_t n_notes = report->is_cut ? 1 : 0;

    if (is_temporary && is_known(recovery, study)) {
        note(recovery, leftover->path, "the journal had all that is in it");
        return USELESS;
    }
    if (!is_temporary && !report->is_cut) {
        if (leftover->is_named)
            note(recovery, leftover->path, "is whole already");
        return KEPT;
    }
    if (!write_study(recovery, leftover, study))
        return KEPT;
    recovery->n_good++;
    /* what was left out of it, beside its end, is nowhere else */
    return report->notes.n > n_notes || report->n_unknown > 0 ? KEPT
                                                              : RECOVERED;
}

/* Empty, or only the begin of a performance file. */
static bool
has_no_record(const char *path)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<HPMPerformanceFile ";
    FILE *file = fopen(path, "re");
    char text[sizeof head];
    size_t n;

    if (file == NULL)
        return false;
    n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    return memcmp(text, head, n) == 0;
}

/* Who looks for the results of a run misses those of a file with their name; a
 * temporary file is litter. */
static void
say_no_record(struct recovery *recovery, const struct leftover *leftover)
{
    static const char sentence[] = "there is no whole record in it";
    struct hpm_error err;

    if (leftover->kind == LEFTOVER_TEMPORARY) {
        note(recovery, leftover->path, sentence);
        return;
    }
    hpm_error_set(&err, "%.300s: %s", leftover->path, sentence);
    fail(recovery, err.text);
}

static enum outcome
recover_file(struct recovery *recovery, const struct leftover *leftover)
{
    struct hpm_reader_report report = {.n_unknown = 0};
    enum outcome outcome = KEPT;
    struct hpm_error err;
    struct hpm_study *study = hpm_reader_read(leftover->path, 0, &report, &err);

    if (study != NULL && study->n_tasks > 0) {
        outcome = recover_study(recovery, leftover, study, &report);
    } else if (has_no_record(leftover->path)) {
        say_no_record(recovery, leftover);
        outcome = USELESS;
    } else {
        fail(recovery, study != NULL ? "a file without a task" : err.text);
    }
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
    return outcome;
}

/* ---- each ------------------------------------------------------------ */

static void
clean(struct recovery *recovery, const struct leftover *leftover)
{
    struct hpm_error err;

    if (unlink(leftover->path) == 0) {
        note(recovery, leftover->path, "removed");
        return;
    }
    hpm_error_set(&err, "%.300s: cannot be removed: %s", leftover->path,
                  strerror(errno));
    fail(recovery, err.text);
}

static void
recover(struct recovery *recovery, const struct leftover *leftover)
{
    struct stat status;
    enum outcome outcome;

    if (leftover->kind == LEFTOVER_TEMPORARY &&
        stat(leftover->path, &status) == 0 &&
        holder_is_there(leftover->pid, &status))
        return; /* is being written */
    if (leftover->kind == LEFTOVER_JOURNAL)
        outcome = recover_journal(recovery, leftover);
    else
        outcome = recover_file(recovery, leftover);
    if (recovery->is_cleaning && outcome != KEPT)
        clean(recovery, leftover);
}

static enum status
finish(struct recovery *recovery)
{
    enum status status = recovery->n_bad > 0 ? SOME_BAD : GOOD;

    if (recovery->n_bad > 0 && recovery->n_good == 0)
        status = NOTHING;
    if (recovery->has_output_failed)
        status = OUTPUT;
    if (recovery->done.length == 0 && recovery->n_bad == 0)
        hpm_string_add(&recovery->done, "nothing to recover\n");
    status = subcommand_print("recover", &recovery->done, status);
    for (size_t i = 0; i < recovery->n_runs; i++)
        hpm_memory_free(recovery->runs[i].start);
    hpm_memory_free(recovery->runs);
    hpm_string_free(&recovery->done);
    return status;
}

static bool
parse(struct recovery *recovery, int argc, char **argv, struct hpm_error *err)
{
    static const struct option long_options[] = {
        {"clean", no_argument, NULL, 'c'}, {NULL, 0, NULL, 0}};
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
        if (c != 'c')
            return hpm_option_refuse("hpm recover", argc, argv, c == ':', err);
        recovery->is_cleaning = true;
    }
    return true;
}

/* What is not there is named, and the others are recovered. */
static void
find(struct recovery *recovery, struct leftovers *leftovers, const char *word)
{
    struct hpm_error err;

    if (!leftovers_find(leftovers, word, &err))
        fail(recovery, err.text);
}

static void
find_all(struct recovery *recovery, struct leftovers *leftovers, char **words,
         int n)
{
    if (n == 0)
        find(recovery, leftovers, ".");
    for (int i = 0; i < n; i++)
        find(recovery, leftovers, words[i]);
    leftovers_sort(leftovers);
}

static enum status
run(int argc, char **argv)
{
    struct leftovers leftovers = {.n = 0};
    struct recovery recovery = {.n_good = 0};
    struct hpm_error err;

    if (!parse(&recovery, argc, argv, &err)) {
        subcommand_say("recover", err.text);
        return USAGE;
    }
    find_all(&recovery, &leftovers, argv + optind, argc - optind);
    for (size_t i = 0; i < leftovers.n; i++)
        recover(&recovery, &leftovers.all[i]);
    leftovers_clear(&leftovers);
    return finish(&recovery);
}

const struct subcommand subcommand_recover = {
    .name = "recover",
    .summary = "performance files of what killed programs left behind",
    .help =
        "Usage: hpm recover [--clean] [FOLDER|FILE]...\n"
        "\n"
        "Make performance files of the journals (HPM_CHECKPOINT), cut "
        "performance files and\n"
        "temporary files in a folder, the current one if none is named. They "
        "are marked\n"
        "incomplete; no file is replaced.\n"
        "\n"
        "      --clean   remove what was recovered, and what is of no use; "
        "never what holds\n"
        "                data that is nowhere else, or belongs to a program "
        "that still runs\n"
        "\n"
        "Exit status: 0 good, 1 something could not be recovered, it is named, "
        "2 wrong usage,\n"
        "3 nothing could be, 4 a file cannot be written.\n",
    .run = run,
};
