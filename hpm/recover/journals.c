/* SPDX-License-Identifier: BSD-3-Clause
 * hpm recover: the journal of a program that stopped before its end. */
#include <string.h>
#include <sys/utsname.h>

#include "file/writer.h"
#include "host/path.h"
#include "hpm/frame/subcommand.h"
#include "hpm/recover/bytes.h"
#include "hpm/recover/holder.h"
#include "hpm/recover/recovery.h"
#include "metric/binding.h"
#include "metric/library.h"
#include "study/recover/copies.h"
#include "study/recover/recovered.h"

/* ---- messages -------------------------------------------------------- */

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
               const struct hpm_experiment *experiment,
               const struct hpm_copies *copies, bool is_new)
{
    struct hpm_string *done = &recovery->done;

    recovery_add_path(done, path);
    hpm_string_add_format(done, ": %s", recovery_verb(recovery, is_new));
    add_amount(done, experiment->n_records, "record");
    hpm_string_add(done, " of ");
    add_amount(done, count_threads(experiment), "thread");
    hpm_string_add(done, ", up to ");
    hpm_string_add_fixed(done, (double)experiment->run.ns / 1e9, 3);
    hpm_string_add(done, " s of the run, from ");
    recovery_add_path(done, leftover->path);
    if (copies->n_damaged > 0)
        hpm_string_add(done, ", parts of which are damaged, or were being "
                             "written: what is in them is from an earlier "
                             "checkpoint, or missing");
    hpm_string_add_char(done, '\n');
}

/* ---- may a journal be removed? --------------------------------------- */

/* Is the program running on this machine?  Of another machine this is not
 * known. */
static bool
is_running(const struct hpm_experiment *experiment, const struct aside *aside)
{
    const char *host = experiment->machine.host;
    struct utsname here;

    return host != NULL && uname(&here) == 0 &&
           strcmp(host, here.nodename) == 0 &&
           (holder_is_there(experiment->run.pid, &aside->status) ||
            aside->writers == ASIDE_A_WRITER);
}

/* A running program may still write to its journal; whether a program on
 * another machine runs is not known here. */
static bool
is_in_use(const struct hpm_experiment *experiment, const struct aside *aside,
          struct hpm_error *why)
{
    const char *host = experiment->machine.host;
    struct utsname here;

    if (host == NULL)
        return !hpm_error_set(why, "stays: the journal does not say of which "
                                   "machine its program is");
    if (uname(&here) != 0 || strcmp(host, here.nodename) != 0)
        return !hpm_error_set(why,
                              "the journal stays: whether its program still "
                              "runs only %.100s knows",
                              host);
    if (is_running(experiment, aside))
        return !hpm_error_set(why,
                              "the journal stays: its program, process %ld, "
                              "still runs",
                              experiment->run.pid);
    return false;
}

/* A journal contains only the latest copies of its tables.  It may be moved
 * away if every page of it was understood. */
static void
judge(const struct hpm_copies *copies, const struct hpm_recovered *recovered,
      const struct aside *aside, const char *path, struct verdict *verdict)
{
    if (is_in_use(recovered->experiment, aside, &verdict->why))
        return;
    if (copies->is_cut || copies->n_lost > 0) {
        hpm_error_set(&verdict->why, "stays: parts of it are missing");
        return;
    }
    if (recovered->n_wrong > 0 || copies->n_damaged > 0) {
        hpm_error_set(&verdict->why,
                      "stays: %zu of its tables and copies are damaged or "
                      "not known, and in no other file",
                      recovered->n_wrong + copies->n_damaged);
        return;
    }
    if (recovered->n_no_room + recovered->n_left_out > 0) {
        hpm_error_set(&verdict->why,
                      "stays: no other file has all its single calls");
        return;
    }
    hpm_string_add(&verdict->holder, path);
    verdict->may_go = !verdict->holder.failed;
}

/* ---- recovering ------------------------------------------------------ */

/* Missing metrics do not stop the recovery: readers compute them. */
static void
print(const struct leftover *leftover, const struct hpm_experiment *experiment,
      struct hpm_string *bytes)
{
    struct hpm_platform platform = hpm_platform_of(&experiment->machine);
    struct hpm_derived *derived = NULL;
    struct hpm_library library = {0};
    struct hpm_error err;

    if (hpm_library_open(&library, NULL, &platform, &err))
        derived = hpm_derived_new(library.metrics, experiment, false, &err);
    if (derived == NULL) {
        subcommand_say("recover", "%.200s: recovered without metrics: %.200s",
                       leftover->path, err.text);
    }
    hpm_writer_print(experiment, derived, bytes);
    hpm_derived_free(derived);
    hpm_library_close(&library);
}

/* Report missing data as failures, each in a line. */
static void
say_missing(struct recovery *recovery, const struct leftover *leftover,
            const struct hpm_copies *copies,
            const struct hpm_recovered *recovered)
{
    struct hpm_error err;

    if (recovered->n_wrong > 0) {
        hpm_error_set(&err,
                      "%.300s: %zu of its tables do not say what they should; "
                      "they are left out",
                      leftover->path, recovered->n_wrong);
        recovery_fail(recovery, err.text);
    }
    if (recovered->n_no_room > 0) {
        hpm_error_set(&err,
                      "%.300s: there is no room for all single calls of %zu of "
                      "its sections; some or all are left out",
                      leftover->path, recovered->n_no_room);
        recovery_fail(recovery, err.text);
    }
    if (copies->is_cut || copies->n_lost > 0) {
        hpm_error_set(&err,
                      "%.300s: %s; %zu of its tables, of a thread or of the "
                      "process each, are lost, with their sections",
                      leftover->path,
                      copies->is_cut ? "its end was cut off" : "is damaged",
                      copies->n_lost);
        recovery_fail(recovery, err.text);
    }
}

/* A program that is still running has not stopped: change the reason. */
static bool
say_running(struct hpm_experiment *experiment, const struct aside *aside)
{
    return !is_running(experiment, aside) ||
           hpm_experiment_set_text(
               &experiment->run.reason,
               "its process was still there; recovered from the latest "
               "checkpoint in its journal");
}

static void
recover_revived(struct recovery *recovery, const struct leftover *leftover,
                const struct hpm_copies *copies,
                const struct hpm_recovered *recovered,
                const struct aside *aside, struct verdict *verdict)
{
    struct hpm_experiment *experiment = recovered->experiment;
    struct hpm_string wanted = {0}, bytes = {0}, path = {0};
    struct hpm_error err;
    bool is_new;

    say_missing(recovery, leftover, copies, recovered);
    if (!say_running(experiment, aside)) {
        hpm_error_no_memory(&err);
        recovery_fail(recovery, err.text);
        return;
    }
    print(leftover, experiment, &bytes);
    hpm_string_add_bytes(&wanted, leftover->path,
                         leftover_name_length(leftover));
    if (recovery_make(recovery, hpm_string_text(&wanted), &bytes, &path,
                      &is_new)) {
        note_recovered(recovery, hpm_string_text(&path), leftover, experiment,
                       copies, is_new);
        judge(copies, recovered, aside, hpm_string_text(&path), verdict);
        recovery_remember(recovery, experiment->run.pid, experiment->run.start,
                          hpm_string_text(&path));
    }
    hpm_string_free(&wanted);
    hpm_string_free(&bytes);
    hpm_string_free(&path);
}

/* Is this a journal without any data, of a performance file? */
static bool
is_nothing(const struct leftover *leftover, const struct aside *aside)
{
    struct hpm_string bytes = {0};
    bool is_nothing =
        strstr(hpm_path_base_name(leftover->path), ".hpm.xml") != NULL &&
        aside->writers == ASIDE_NO_WRITER &&
        bytes_read(aside->fd, leftover->path, &bytes, NULL) &&
        bytes_are_nothing(&bytes);

    hpm_string_free(&bytes);
    return is_nothing;
}

void
recovery_of_journal(struct recovery *recovery, const struct leftover *leftover,
                    struct aside *aside, struct verdict *verdict)
{
    struct hpm_copies copies = {.file = NULL};
    struct hpm_recovered recovered;
    struct hpm_error err;

    if (!hpm_copies_read(&copies, leftover->path, &err)) {
        verdict->may_go = is_nothing(leftover, aside);
        if (!verdict->may_go)
            recovery_fail(recovery, err.text);
    } else if (!hpm_recovered_read(&copies, leftover->path, &recovered, &err)) {
        recovery_fail(recovery, err.text);
    } else {
        recover_revived(recovery, leftover, &copies, &recovered, aside,
                        verdict);
        hpm_recovered_clear(&recovered);
    }
    hpm_copies_clear(&copies);
}
