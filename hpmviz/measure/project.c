/* SPDX-License-Identifier: BSD-3-Clause
 * The folder a source is built in, and its command. */
#include "hpmviz/measure/project.h"

#include <string.h>

enum { MOST_PROJECTS = 50 };

/* ---- the folder ------------------------------------------------------ */

static gboolean
has_recipe(const char *folder)
{
    static const char *const recipes[] = {
        "Makefile",    "makefile",    "GNUmakefile", "CMakeLists.txt",
        "meson.build", "build.ninja", "SConstruct",  ".git"};

    for (gsize i = 0; i < G_N_ELEMENTS(recipes); i++) {
        g_autofree char *path = g_build_filename(folder, recipes[i], NULL);

        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return TRUE;
    }
    return FALSE;
}

static gboolean
is_known(const char *folder, const char *const *known)
{
    return g_strv_contains(known, folder);
}

/* The nearest folder that is asked for, from the source up to the root; NULL
 * for none. */
static char *
find_above(const char *source, const char *const *known)
{
    char *folder = g_path_get_dirname(source);

    for (;;) {
        g_autofree char *above = NULL;

        if (known != NULL ? is_known(folder, known) : has_recipe(folder))
            return folder;
        above = g_path_get_dirname(folder);
        if (strcmp(above, folder) == 0)
            break;
        g_free(folder);
        folder = g_steal_pointer(&above);
    }
    g_free(folder);
    return NULL;
}

char *
hpmviz_project_find(const char *source, const char *const *known)
{
    char *folder = find_above(source, known);

    if (folder == NULL)
        folder = find_above(source, NULL);
    return folder != NULL ? folder : g_path_get_dirname(source);
}

/* ---- the command ----------------------------------------------------- */

/* What is remembered is "FOLDER\nCOMMAND", the last used last. */
static char **
entries_of(const HpmvizPreferences *preferences)
{
    return hpmviz_preferences_get_strings(preferences, "measure", "projects");
}

static gboolean
is_of(const char *entry, const char *folder)
{
    gsize n = strlen(folder);

    return strncmp(entry, folder, n) == 0 && entry[n] == '\n';
}

char **
hpmviz_project_known(const HpmvizPreferences *preferences)
{
    char **entries = entries_of(preferences);

    for (guint i = 0; entries[i] != NULL; i++)
        entries[i][strcspn(entries[i], "\n")] = '\0';
    return entries;
}

char *
hpmviz_project_command(const HpmvizPreferences *preferences, const char *folder)
{
    g_auto(GStrv) entries = entries_of(preferences);

    for (guint i = 0; entries[i] != NULL; i++) {
        if (is_of(entries[i], folder))
            return g_strdup(entries[i] + strlen(folder) + 1);
    }
    return g_strdup("");
}

void
hpmviz_project_remember(HpmvizPreferences *preferences, const char *folder,
                        const char *command)
{
    g_auto(GStrv) entries = entries_of(preferences);
    g_autofree char *entry = g_strconcat(folder, "\n", command, NULL);
    g_autoptr(GPtrArray) kept = g_ptr_array_new();

    for (guint i = 0; entries[i] != NULL; i++) {
        if (!is_of(entries[i], folder))
            g_ptr_array_add(kept, entries[i]);
    }
    if (kept->len >= MOST_PROJECTS)
        g_ptr_array_remove_range(kept, 0, kept->len - MOST_PROJECTS + 1);
    if (*command != '\0')
        g_ptr_array_add(kept, entry);
    g_ptr_array_add(kept, NULL);
    hpmviz_preferences_set_strings(preferences, "measure", "projects",
                                   (const char *const *)kept->pdata);
}
