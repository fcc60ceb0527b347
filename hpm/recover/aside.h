/* SPDX-License-Identifier: BSD-3-Clause
 * Moving a file aside, where it can be had back: into the folder hpm-leftovers
 * beside it, under its name there, or NAME.1, NAME.2 ... where that is taken.
 *
 * A file is held first, then looked at, then moved: what is moved is the file
 * that was looked at, and nobody has changed it meanwhile.
 */
#ifndef HPM_ASIDE_H
#define HPM_ASIDE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/string.h"

#define ASIDE_FOLDER "hpm-leftovers"

/* How much is known of programs that may write to a held file. */
enum aside_writers {
    ASIDE_NO_WRITER, /* none has it open, and none will while it is held */
    ASIDE_A_WRITER,  /* one has */
    ASIDE_UNKNOWN,   /* the file system does not tell */
};

struct aside {
    const char *path;
    int fd;
    struct stat status; /* as it was when it was held */
    enum aside_writers writers;
};

/* Hold the regular file at `path`, which must stay valid; a link is none.
 * False when that cannot be. */
bool aside_hold(struct aside *ret_aside, const char *path,
                struct hpm_error *err);

/* Let go of it. */
void aside_release(struct aside *aside);

/* Append the path that it would be moved to. */
void aside_add_place(const struct aside *aside, struct hpm_string *place);

/* Move it aside; *ret_place is its path then.  False, and the file where it
 * was, when anything is not as it should be: it is another file by now, it was
 * changed since it was held, or it is being written to. */
bool aside_move(struct aside *aside, struct hpm_string *ret_place,
                struct hpm_error *err);

/* Delete the file that was moved to `place`, after everything before is on the
 * disk.  False, and the file still there, when that cannot be, or when it
 * cannot be known whether a program writes to it. */
bool aside_delete(struct aside *aside, const char *place,
                  struct hpm_error *err);

#endif
