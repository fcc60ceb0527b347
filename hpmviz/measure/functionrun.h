/* SPDX-License-Identifier: BSD-3-Clause
 * The command that measures one function of the program which the user's own
 * command runs. */
#ifndef HPMVIZ_MEASURE_FUNCTIONRUN_H
#define HPMVIZ_MEASURE_FUNCTIONRUN_H

#include <gio/gio.h>

#include "hpmviz/instrument/functionat.h"

struct hpmviz_functionrun {
    char *folder, *command; /* the user's */
    char *source;           /* of the function, with folders */
    struct hpmviz_function function;
    gboolean is_prepared; /* what comes before the program has been run */
};

/* A copy of all of it, for hpmviz_functionrun_free. */
struct hpmviz_functionrun *
hpmviz_functionrun_new(const char *folder, const char *command,
                       const char *source,
                       const struct hpmviz_function *function);
void hpmviz_functionrun_free(gpointer run);

/* What is to be run next, for g_free: the user's command with hpmcount in it; or,
 * with *ret_is_preparation, what stands before the program in it, since the
 * program is not there or older than its source: ask again when that has been
 * run.  NULL, with a reason and what the user can do, where the function cannot be
 * measured.  Reads files: not for the main loop. */
char *hpmviz_functionrun_next(const struct hpmviz_functionrun *run,
                              gboolean *ret_is_preparation, GError **error);

#endif
