/* SPDX-License-Identifier: BSD-3-Clause
 * Opening a source at a line in the user's own editor. */
#include "hpmviz/source/editor.h"

#include <gio/gio.h>
#include <string.h>

struct habit {
    const char *editor, *words;
    gboolean in_terminal;
};

/* Of others is expected what most understand. */
static const char usual[] = "+%l -- %f";

static const struct habit remembered[] = {
    {"vi", usual, TRUE},
    {"vim", usual, TRUE},
    {"nvim", usual, TRUE},
    {"nano", usual, TRUE},
    {"micro", usual, TRUE},
    {"joe", usual, TRUE},
    {"mcedit", "%f:%l", TRUE},
    {"hx", "%f:%l", TRUE},
    {"helix", "%f:%l", TRUE},
    {"kak", usual, TRUE},
    {"emacsclient", "-n +%l -- %f", FALSE},
    {"kate", "--line %l -- %f", FALSE},
    {"kwrite", "--line %l -- %f", FALSE},
    {"code", "--goto %f:%l", FALSE},
    {"codium", "--goto %f:%l", FALSE},
    {"subl", "%f:%l", FALSE},
    {"zed", "%f:%l", FALSE},
};

static const struct habit *
habit_of(const char *command)
{
    static const struct habit others = {NULL, usual, FALSE};
    char *name = g_path_get_basename(command);
    const struct habit *habit = &others;

    for (guint i = 0; i < G_N_ELEMENTS(remembered); i++) {
        if (strcmp(name, remembered[i].editor) == 0)
            habit = &remembered[i];
    }
    g_free(name);
    return habit;
}

/* "%f" and "%l" in a word; what they stand for is not looked at again. */
static char *
fill(const char *word, const char *path, int line)
{
    GString *filled = g_string_new(NULL);

    for (const char *at = word; *at != '\0'; at++) {
        if (at[0] == '%' && at[1] == 'f')
            g_string_append(filled, path);
        else if (at[0] == '%' && at[1] == 'l')
            g_string_append_printf(filled, "%d", line);
        else if (at[0] == '%' && at[1] == '%')
            g_string_append_c(filled, '%');
        else {
            g_string_append_c(filled, *at);
            continue;
        }
        at++;
    }
    return g_string_free(filled, FALSE);
}

static void
add_words(GPtrArray *command, const char *const *words)
{
    for (; *words != NULL; words++)
        g_ptr_array_add(command, g_strdup(*words));
}

static void
add_filled(GPtrArray *command, char *const *words, const char *path, int line)
{
    for (; *words != NULL; words++)
        g_ptr_array_add(command, fill(*words, path, line));
}

static gboolean
names_file(char *const *words)
{
    gboolean is_named = FALSE;

    for (; *words != NULL; words++)
        is_named = is_named || strstr(*words, "%f") != NULL;
    return is_named;
}

char **
hpmviz_editor_command(const char *setting, const char *terminal,
                      const char *path, int line, GError **error)
{
    const struct habit *habit;
    GPtrArray *command;
    char **words, **more;

    if (*setting == '\0') {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "no editor is known: set one here, or in VISUAL");
        return NULL;
    }
    if (!g_shell_parse_argv(setting, NULL, &words, error))
        return NULL;
    habit = habit_of(words[0]);
    if (habit->in_terminal && terminal == NULL) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                    "no terminal was found to run '%s' in", words[0]);
        g_strfreev(words);
        return NULL;
    }
    command = g_ptr_array_new();
    if (habit->in_terminal) {
        more = g_strsplit(terminal, " ", -1);
        add_words(command, (const char *const *)more);
        g_strfreev(more);
    }
    if (names_file(words)) {
        add_filled(command, words, path, line);
    } else {
        add_words(command, (const char *const *)words);
        more = g_strsplit(habit->words, " ", -1);
        add_filled(command, more, path, line);
        g_strfreev(more);
    }
    g_ptr_array_add(command, NULL);
    g_strfreev(words);
    return (char **)g_ptr_array_free(command, FALSE);
}

char *
hpmviz_editor_setting(const HpmvizPreferences *preferences)
{
    char *setting =
        hpmviz_preferences_get_string(preferences, "editor", "command", "");
    const char *environment = g_getenv("VISUAL");

    if (*setting != '\0')
        return setting;
    if (environment == NULL || *environment == '\0')
        environment = g_getenv("EDITOR");
    g_free(setting);
    return g_strdup(environment != NULL ? environment : "");
}

const char *
hpmviz_editor_terminal(void)
{
    static const char *const terminals[] = {"x-terminal-emulator -e",
                                            "gnome-terminal --", "konsole -e",
                                            "xfce4-terminal -x", "xterm -e"};

    for (guint i = 0; i < G_N_ELEMENTS(terminals); i++) {
        char *name = g_strndup(terminals[i], strcspn(terminals[i], " "));
        char *found = g_find_program_in_path(name);

        g_free(name);
        g_free(found);
        if (found != NULL)
            return terminals[i];
    }
    return NULL;
}
