/* SPDX-License-Identifier: BSD-3-Clause
 * The state of hpm recover, and making files. */
#include "hpm/recover/recovery.h"

#include <string.h>
#include <sys/stat.h>

#include "base/string.h"
#include "file/output.h"
#include "host/memory.h"
#include "host/path.h"
#include "hpm/frame/interrupt.h"
#include "hpm/frame/subcommand.h"
#include "hpm/recover/bytes.h"

enum { MOST_NAMES = 1000 };

void
recovery_fail(struct recovery *recovery, const char *sentence)
{
    subcommand_say("recover", "%s", sentence);
    recovery->n_bad++;
}

void
recovery_add_path(struct hpm_string *text, const char *path)
{
    hpm_string_add_char(text, '\'');
    hpm_string_add_safe(text, path);
    hpm_string_add_char(text, '\'');
}

void
recovery_note(struct recovery *recovery, const char *path, const char *sentence)
{
    recovery_add_path(&recovery->done, path);
    hpm_string_add_format(&recovery->done, ": %s\n", sentence);
}

const char *
recovery_verb(const struct recovery *recovery, bool is_new)
{
    if (!is_new)
        return "was recovered before: ";
    return recovery->is_dry ? "would be made: " : "";
}

/* ---- making a file --------------------------------------------------- */

/* Find among NAME, NAME.1 ... a file with these bytes; else the first free
 * name, and false.  A folder or a link also takes a name. */
static bool
find_name(const char *wanted, const struct hpm_string *bytes,
          struct hpm_string *ret_path)
{
    struct stat status;

    for (unsigned i = 0; i < MOST_NAMES; i++) {
        hpm_string_clear(ret_path);
        hpm_string_add(ret_path, wanted);
        if (i > 0)
            hpm_string_add_format(ret_path, ".%u", i);
        if (bytes_are_in(hpm_string_text(ret_path), bytes))
            return true;
        if (lstat(hpm_string_text(ret_path), &status) != 0)
            break;
    }
    return false;
}

/* Is the path taken by something other than a regular file?  The user cannot
 * choose another name for a recovered file. */
static bool
is_no_file(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static bool
write_file(const char *wanted, const struct hpm_string *bytes,
           struct hpm_string *ret_path, struct hpm_error *err)
{
    const char *base = hpm_path_base_name(wanted);
    struct hpm_destination destination;
    struct hpm_output *output;
    char *path = NULL;
    bool is_good = false;

    if (!hpm_destination_fix(&destination, wanted, err))
        return false;
    output = interrupt_open(&destination, err);
    if (output != NULL) {
        hpm_output_write(output, hpm_string_text(bytes), bytes->length);
        is_good = interrupt_commit(output, true, &path, err);
    }
    hpm_destination_clear(&destination);
    if (!is_good)
        return false;
    hpm_string_clear(ret_path);
    hpm_string_add_bytes(ret_path, wanted, (size_t)(base - wanted));
    hpm_string_add(ret_path, hpm_path_base_name(path));
    hpm_memory_free(path);
    return bytes_are_in(hpm_string_text(ret_path), bytes) ||
           hpm_error_set(err, "%.300s: is not what was written to it",
                         hpm_string_text(ret_path));
}

bool
recovery_make(struct recovery *recovery, const char *wanted,
              const struct hpm_string *bytes, struct hpm_string *ret_path,
              bool *ret_is_new)
{
    struct hpm_string free_name = {0};
    struct hpm_error err;
    bool is_good = true;

    *ret_is_new = false;
    if (bytes->failed)
        is_good = hpm_error_no_memory(&err);
    else
        *ret_is_new = !find_name(wanted, bytes, ret_path);
    if (is_no_file(wanted)) {
        hpm_string_add(&free_name, hpm_string_text(ret_path));
        wanted = hpm_string_text(&free_name);
    }
    if (is_good && *ret_is_new && !recovery->is_dry)
        is_good = write_file(wanted, bytes, ret_path, &err);
    hpm_string_free(&free_name);
    if (is_good && ret_path->failed)
        is_good = hpm_error_no_memory(&err);
    if (is_good) {
        recovery->n_good++;
        return true;
    }
    recovery_fail(recovery, err.text);
    recovery->has_output_failed = true;
    return false;
}

/* ---- runs ------------------------------------------------------------ */

void
recovery_remember(struct recovery *recovery, long pid, const char *start,
                  const char *path)
{
    struct known_run run = {.pid = pid,
                            .start = hpm_memory_copy_text(start),
                            .path = hpm_memory_copy_text(path)};

    if (run.start != NULL && run.path != NULL &&
        hpm_memory_grow(&recovery->runs, &recovery->runs_capacity,
                        recovery->n_runs + 1, sizeof *recovery->runs)) {
        recovery->runs[recovery->n_runs++] = run;
        return;
    }
    hpm_memory_free(run.start);
    hpm_memory_free(run.path);
}

const char *
recovery_known(const struct recovery *recovery, const struct hpm_study *study)
{
    const struct hpm_task *task = &study->tasks[0];

    for (size_t i = 0; i < recovery->n_runs; i++) {
        const struct known_run *run = &recovery->runs[i];

        if (study->n_tasks == 1 && task->start != NULL &&
            strcmp(run->start, task->start) == 0 &&
            (long)hpm_number_to_real(task->pid) == run->pid)
            return run->path;
    }
    return NULL;
}

void
recovery_clear(struct recovery *recovery)
{
    for (size_t i = 0; i < recovery->n_runs; i++) {
        hpm_memory_free(recovery->runs[i].start);
        hpm_memory_free(recovery->runs[i].path);
    }
    hpm_memory_free(recovery->runs);
    hpm_string_free(&recovery->done);
}
