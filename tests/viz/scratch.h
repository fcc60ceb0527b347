/* SPDX-License-Identifier: BSD-3-Clause
 * Folders that tests make for themselves. */
#ifndef TESTS_VIZ_SCRATCH_H
#define TESTS_VIZ_SCRATCH_H

#include <glib.h>

/* Remove a folder and all that is in it. */
static inline void
remove_all(const char *folder)
{
    char *command[] = {(char *)"rm", (char *)"-rf", (char *)"--",
                       (char *)folder, NULL};

    g_spawn_sync(NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                 NULL, NULL, NULL);
}

static inline guint
n_entries(const char *folder)
{
    GDir *entries = g_dir_open(folder, 0, NULL);
    guint n = 0;

    while (entries != NULL && g_dir_read_name(entries) != NULL)
        n++;
    g_clear_pointer(&entries, g_dir_close);
    return n;
}

#endif
