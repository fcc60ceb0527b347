/* SPDX-License-Identifier: BSD-3-Clause
 * Moving a file aside, so that the user can get it back: into the folder
 * hpm-leftovers beside it, under its name, or NAME.1, NAME.2 ... where the name
 * is taken.
 *
 * A file is held first, then examined, then moved: so the moved file is the one
 * that was examined, and nobody changed it meanwhile.
 */
#ifndef HPM_ASIDE_H
#define HPM_ASIDE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/string.h"

#define ASIDE_FOLDER "hpm-leftovers"

/* What is known about programs that may write to a held file. */
enum aside_writers {
    ASIDE_NO_WRITER, /* none has it open, or will while it is held */
    ASIDE_A_WRITER,  /* a program has it open */
    ASIDE_UNKNOWN,   /* the file system does not tell */
};

struct aside {
    const char *path;
    int fd;
    struct stat status; /* when the hold began */
    enum aside_writers writers;
};

/* Hold the regular file at `path`, which must stay valid; a link is refused.
 * False when this is impossible. */
bool aside_hold(struct aside *ret_aside, const char *path,
                struct hpm_error *err);

/* End the hold. */
void aside_release(struct aside *aside);

/* Append the path to which the file would be moved. */
void aside_add_place(const struct aside *aside, struct hpm_string *place);

/* Move the file aside; *ret_place is its new path.  False, with the file at its
 * old place, when anything is wrong: there is another file now, it was changed
 * since the hold began, or a program writes to it. */
bool aside_move(struct aside *aside, struct hpm_string *ret_place,
                struct hpm_error *err);

/* Delete the file that was moved to `place`, after everything before is on the
 * disk.  False, with the file kept, when this is impossible, or when it is not
 * known whether a program writes to it. */
bool aside_delete(struct aside *aside, const char *place,
                  struct hpm_error *err);

#endif
