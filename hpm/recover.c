/* SPDX-License-Identifier: BSD-3-Clause
 * hpm recover: make performance files of what programs left behind that stopped
 * before their end.
 *
 * A user's file is never removed when in doubt: a file is only moved aside if
 * it was read to its end, and is empty or all its contents are in a complete
 * file.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "hpm/frame/subcommand.h"
#include "hpm/recover/holder.h"
#include "hpm/recover/recovery.h"
#include "study/tool/option.h"
#include "study/words/sentence.h"

/* ---- cleaning -------------------------------------------------------- */

static void
note_cleaned(struct recovery *recovery, const struct leftover *leftover,
             const char *place, const struct verdict *verdict)
{
    struct hpm_string *done = &recovery->done;
    const char *would = recovery->is_dry ? "would be " : "";

    recovery_add_path(done, leftover->path);
    hpm_string_add_format(done, ": %s", would);
    if (place == NULL) {
        hpm_string_add(done, "deleted");
    } else {
        hpm_string_add(done, "moved to ");
        recovery_add_path(done, place);
    }
    if (verdict->holder.length > 0) {
        hpm_string_add(done, "; all of it is in ");
        recovery_add_path(done, hpm_string_text(&verdict->holder));
        hpm_string_add_char(done, '\n');
    } else {
        hpm_string_add(done, "; nothing is in it\n");
    }
}

/* Move a leftover aside before deleting it, so that it is deleted only if each
 * step before succeeded. */
static void
move_aside(struct recovery *recovery, const struct leftover *leftover,
           struct aside *aside, const struct verdict *verdict)
{
    struct hpm_string place = {0};
    struct hpm_error err;
    bool is_deleted = false;

    if (!aside_move(aside, &place, &err)) {
        recovery_fail(recovery, err.text);
    } else {
        if (recovery->is_deleting) {
            is_deleted = aside_delete(aside, hpm_string_text(&place), &err);
            if (!is_deleted)
                recovery_fail(recovery, err.text);
        }
        recovery->n_moved += !is_deleted;
        note_cleaned(recovery, leftover,
                     is_deleted ? NULL : hpm_string_text(&place), verdict);
    }
    hpm_string_free(&place);
}

static void
clean(struct recovery *recovery, const struct leftover *leftover,
      struct aside *aside, const struct verdict *verdict)
{
    struct hpm_string place = {0};

    if (!verdict->may_go) {
        if (verdict->why.text[0] != '\0')
            recovery_note(recovery, leftover->path, verdict->why.text);
    } else if (!recovery->is_dry) {
        move_aside(recovery, leftover, aside, verdict);
    } else {
        aside_add_place(aside, &place);
        note_cleaned(recovery, leftover,
                     recovery->is_deleting ? NULL : hpm_string_text(&place),
                     verdict);
        hpm_string_free(&place);
    }
}

/* ---- each ------------------------------------------------------------ */

/* A file that a program has open for writing is left alone; but a journal may
 * be read at any time. */
static bool
is_being_written(struct recovery *recovery, const struct leftover *leftover,
                 const struct aside *aside)
{
    struct hpm_error why;

    if (leftover->kind == LEFTOVER_JOURNAL)
        return false;
    if (leftover->kind == LEFTOVER_TEMPORARY &&
        holder_is_there(leftover->pid, &aside->status)) {
        hpm_error_set(&why,
                      "process %ld, which may be writing it, is there; it is "
                      "left alone",
                      leftover->pid);
        recovery_note(recovery, leftover->path, why.text);
        return true;
    }
    if (aside->writers != ASIDE_A_WRITER)
        return false;
    recovery_note(recovery, leftover->path,
                  "a program is writing to it; it is left alone");
    return true;
}

static void
recover(struct recovery *recovery, const struct leftover *leftover)
{
    struct verdict verdict = {.may_go = false};
    struct hpm_error err;
    struct aside aside;

    if (!aside_hold(&aside, leftover->path, &err)) {
        recovery_fail(recovery, err.text);
        return;
    }
    if (!is_being_written(recovery, leftover, &aside)) {
        if (leftover->kind == LEFTOVER_JOURNAL)
            recovery_of_journal(recovery, leftover, &aside, &verdict);
        else
            recovery_of_file(recovery, leftover, &aside, &verdict);
        if (recovery->is_cleaning)
            clean(recovery, leftover, &aside, &verdict);
    }
    hpm_string_free(&verdict.holder);
    aside_release(&aside);
}

static enum status
finish(struct recovery *recovery)
{
    enum status status = recovery->n_bad > 0 ? SOME_BAD : GOOD;
    struct hpm_string shown = {0};

    if (recovery->n_bad > 0 && recovery->n_good == 0)
        status = NOTHING;
    if (recovery->has_output_failed)
        status = OUTPUT;
    if (recovery->done.length == 0 && recovery->n_bad == 0)
        hpm_string_add(&recovery->done, "nothing to recover\n");
    if (recovery->n_moved > 0)
        hpm_string_add(&recovery->done,
                       "to undo a move, move the file back; what is in "
                       "'" ASIDE_FOLDER "' is needed for nothing else\n");
    hpm_sentence_add_lines(&shown, hpm_string_text(&recovery->done), "");
    hpm_string_finish(&recovery->done, &shown.failed);
    status = subcommand_print("recover", &shown, status);
    recovery_clear(recovery);
    return status;
}

/* ---- options --------------------------------------------------------- */

static bool
parse(struct recovery *recovery, int argc, char **argv, struct hpm_error *err)
{
    static const struct hpm_option table[] = {
        {0, "clean", HPM_OPTION_FLAG(struct recovery, is_cleaning)},
        {0, "delete", HPM_OPTION_FLAG(struct recovery, is_deleting)},
        {'n', "dry-run", HPM_OPTION_FLAG(struct recovery, is_dry)},
    };

    if (!hpm_options_read("hpm recover", table, sizeof table / sizeof table[0],
                          false, argc, argv, recovery, err))
        return false;
    if (recovery->is_deleting && !recovery->is_cleaning)
        return hpm_error_set(err,
                             "--delete deletes the files that --clean moves; "
                             "give both");
    return true;
}

/* Report a missing file, and go on with the others. */
static void
find(struct recovery *recovery, struct leftovers *leftovers, const char *word)
{
    struct hpm_error err;

    if (!leftovers_find(leftovers, word, &err))
        recovery_fail(recovery, err.text);
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

    if (!parse(&recovery, argc, argv, &err))
        return subcommand_fail("recover", &err, USAGE);
    find_all(&recovery, &leftovers, argv + optind, argc - optind);
    for (size_t i = 0; i < leftovers.n; i++)
        recover(&recovery, &leftovers.all[i]);
    leftovers_clear(&leftovers);
    return finish(&recovery);
}

const struct subcommand subcommand_recover = {
    .name = "recover",
    .summary = N_("performance files of what killed programs left behind"),
    .help =
        "Usage: hpm recover [--clean [--delete]] [--dry-run] [FOLDER|FILE]...\n"
        "\n"
        "Make performance files of the journals (HPM_CHECKPOINT), cut "
        "performance files and\n"
        "temporary files in a folder, the current one if none is named. Mark "
        "them\n"
        "incomplete, and replace no file.\n"
        "\n"
        "      --clean    move a leftover into the folder hpm-leftovers "
        "beside it, once a\n"
        "                 whole file, which a line names, has all its data, or "
        "once it is\n"
        "                 empty; anything else stays, and a line says why\n"
        "      --delete   with --clean: delete these files instead of moving "
        "them\n"
        "  -n, --dry-run  only print what would happen\n"
        "\n"
        "Exit status: 0 good, 1 something could not be recovered, a line names "
        "it, 2 wrong\n"
        "usage, 3 nothing could be, 4 a file cannot be written.\n",
    .run = run,
};
