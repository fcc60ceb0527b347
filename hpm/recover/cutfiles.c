/* SPDX-License-Identifier: BSD-3-Clause
 * hpm recover: temporary files that never got their final name, and cut
 * performance files. */
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "file/pattern.h"
#include "host/memory.h"
#include "host/path.h"
#include "hpm/recover/bytes.h"
#include "hpm/recover/recovery.h"
#include "study/file/reader.h"
#include "study/file/studyfile.h"

/* No program writes a performance file for more than a day. */
enum { OLD_S = 24 * 60 * 60 };

/* ---- names ----------------------------------------------------------- */

/* The name for a temporary file's data, made from its run. */
static char *
name_of_run(const struct leftover *leftover, const struct hpm_task *task,
            struct hpm_error *err)
{
    const char *base = hpm_path_base_name(leftover->path);
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

/* ---- files still being written --------------------------------------- */

static bool
is_old(const struct aside *aside)
{
    return time(NULL) - aside->status.st_mtim.tv_sec > OLD_S;
}

static bool
is_of_this_machine(const char *host)
{
    struct utsname here;

    return host != NULL && uname(&here) == 0 &&
           strcmp(host, here.nodename) == 0;
}

/* The process in a temporary file's name may be on another machine that shares
 * the folder. */
static bool
may_be_written(const struct leftover *leftover, const char *host,
               const struct aside *aside, struct hpm_error *why)
{
    if (leftover->kind != LEFTOVER_TEMPORARY || is_of_this_machine(host))
        return false;
    return !hpm_error_set(why,
                          "stays: whether process %ld of %.100s still writes "
                          "it is not known here%s",
                          leftover->pid,
                          host != NULL ? host : "a machine it does not name",
                          is_old(aside) ? "" : "; it was written today");
}

/* ---- files that are read --------------------------------------------- */

/* The bytes of the recovered file: those of a complete file unchanged; for a
 * cut file, what was read. */
static bool
choose_bytes(const struct leftover *leftover, const struct aside *aside,
             const struct hpm_study *study, bool is_cut,
             struct hpm_string *bytes, struct hpm_error *err)
{
    static const char packed[] = "\x1f\x8b";

    if (!is_cut && !bytes_read(aside->fd, leftover->path, bytes, err))
        return false;
    if (is_cut || (bytes->length > 2 && memcmp(bytes->text, packed, 2) == 0)) {
        hpm_string_clear(bytes);
        hpm_studyfile_print(study, bytes);
    }
    return true;
}

/* Does the file at `path`, made from the leftover, contain all of it? */
static void
judge(const struct aside *aside, const char *path,
      const struct hpm_string *made, struct verdict *verdict)
{
    struct hpm_string cut = {0};

    if (verdict->why.text[0] != '\0')
        return;
    if (!bytes_read(aside->fd, aside->path, &cut, &verdict->why)) {
        hpm_string_free(&cut);
        return;
    }
    verdict->may_go = bytes_hold(made, &cut);
    hpm_string_free(&cut);
    hpm_string_add(&verdict->holder, path);
    if (!verdict->may_go)
        hpm_error_set(&verdict->why,
                      "stays: not all that is in it is in '%.300s'", path);
}

static void
note_recovered(struct recovery *recovery, const char *path,
               const struct leftover *leftover, const struct hpm_study *study,
               bool is_new)
{
    struct hpm_string *done = &recovery->done;

    recovery_add_path(done, path);
    hpm_string_add_format(done, ": %s%zu whole record%s, from ",
                          recovery_verb(recovery, is_new), study->n_rows,
                          study->n_rows == 1 ? "" : "s");
    recovery_add_path(done, leftover->path);
    hpm_string_add_char(done, '\n');
}

static void
make_file(struct recovery *recovery, const struct leftover *leftover,
          const struct hpm_study *study, const struct aside *aside, bool is_cut,
          struct verdict *verdict)
{
    struct hpm_string bytes = {0}, path = {0};
    struct hpm_error err;
    char *wanted = wanted_name(leftover, study, &err);
    bool is_new;

    if (wanted == NULL ||
        !choose_bytes(leftover, aside, study, is_cut, &bytes, &err)) {
        recovery_fail(recovery, err.text);
    } else if (recovery_make(recovery, wanted, &bytes, &path, &is_new)) {
        note_recovered(recovery, hpm_string_text(&path), leftover, study,
                       is_new);
        judge(aside, hpm_string_text(&path), &bytes, verdict);
    }
    hpm_memory_free(wanted);
    hpm_string_free(&bytes);
    hpm_string_free(&path);
}

/* A run that was recovered already: compare with its file instead of making a
 * second one. */
static void
compare_with(struct recovery *recovery, const struct leftover *leftover,
             const char *path, const struct aside *aside,
             struct verdict *verdict)
{
    struct hpm_string made = {0};

    if (recovery->is_dry)
        hpm_error_set(&verdict->why, "stays where its data is not in '%.300s'",
                      path);
    else if (bytes_read_file(path, &made, &verdict->why))
        judge(aside, path, &made, verdict);
    hpm_string_free(&made);
    recovery_add_path(&recovery->done, leftover->path);
    hpm_string_add(&recovery->done, ": the journal of its run gave ");
    recovery_add_path(&recovery->done, path);
    hpm_string_add_char(&recovery->done, '\n');
}

static void
recover_study(struct recovery *recovery, const struct leftover *leftover,
              const struct hpm_study *study, bool is_cut,
              const struct aside *aside, struct verdict *verdict)
{
    bool is_temporary = leftover->kind == LEFTOVER_TEMPORARY;
    const char *host = study->tasks[0].machine.host;
    const char *known = is_temporary ? recovery_known(recovery, study) : NULL;

    if (!is_temporary && !is_cut) {
        if (leftover->is_named)
            recovery_note(recovery, leftover->path, "is whole already");
        return;
    }
    if (may_be_written(leftover, host, aside, &verdict->why) &&
        !is_old(aside)) {
        recovery_note(recovery, leftover->path, verdict->why.text);
        verdict->why.text[0] = '\0';
        return;
    }
    if (known != NULL)
        compare_with(recovery, leftover, known, aside, verdict);
    else
        make_file(recovery, leftover, study, aside, is_cut, verdict);
}

/* ---- files of which nothing is read ---------------------------------- */

static void
judge_empty(struct recovery *recovery, const struct leftover *leftover,
            const struct aside *aside, struct verdict *verdict)
{
    struct hpm_error err;

    verdict->may_go = leftover->kind != LEFTOVER_TEMPORARY || is_old(aside);
    if (!verdict->may_go)
        may_be_written(leftover, NULL, aside, &verdict->why);
    if (leftover->kind == LEFTOVER_TEMPORARY && recovery->is_cleaning)
        return;
    hpm_error_set(&err, "%.300s: is empty", leftover->path);
    if (leftover->kind == LEFTOVER_TEMPORARY)
        recovery_note(recovery, leftover->path, "is empty");
    else
        recovery_fail(recovery, err.text);
}

/* A file that cannot be read may still contain data, so it stays. */
static void
say_unread(struct recovery *recovery, const struct hpm_error *why)
{
    struct hpm_error err;

    hpm_error_set(&err, "%.400s (nothing of it is recovered; it stays)",
                  why->text);
    recovery_fail(recovery, err.text);
}

/* ---- public function ------------------------------------------------- */

void
recovery_of_file(struct recovery *recovery, const struct leftover *leftover,
                 struct aside *aside, struct verdict *verdict)
{
    struct hpm_reader_report report = {.n_unknown = 0};
    struct hpm_study *study;
    struct hpm_error err;

    if (aside->status.st_size == 0) {
        judge_empty(recovery, leftover, aside, verdict);
        return;
    }
    study = hpm_reader_read(leftover->path, 0, &report, &err);
    if (study == NULL) {
        say_unread(recovery, &err);
    } else if (study->n_tasks == 0) {
        hpm_error_set(&err, "%.300s: is a file without a task", leftover->path);
        say_unread(recovery, &err);
    } else {
        recover_study(recovery, leftover, study, report.is_cut, aside, verdict);
    }
    hpm_notes_free(&report.notes);
    hpm_study_free(study);
}
