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

#endif
