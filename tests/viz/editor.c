/* SPDX-License-Identifier: BSD-3-Clause
 * The user's editor gets a file and a line, and no shell is used. */
#include "hpmviz/source/editor.h"

#include <gio/gio.h>

#include "tap.h"

static void
expect(const char *setting, const char *terminal, const char *path,
       const char *expected, const char *sentence)
{
    GError *error = NULL;
    char **command = hpmviz_editor_command(setting, terminal, path, 12, &error);
    char *text = command != NULL ? g_strjoinv("|", command) : NULL;

    is_text(text, expected, sentence);
    ok((command == NULL) == (error != NULL),
       "there is an error where there is no command");
    g_clear_error(&error);
    g_strfreev(command);
    g_free(text);
}

static void
test_environment(void)
{
    HpmvizPreferences *preferences = hpmviz_preferences_new();
    char *setting;

    g_setenv("EDITOR", "ed", TRUE);
    g_unsetenv("VISUAL");
    setting = hpmviz_editor_setting(preferences);
    is_text(setting, "ed", "EDITOR names the editor");
    g_free(setting);
    g_setenv("VISUAL", "gvim", TRUE);
    setting = hpmviz_editor_setting(preferences);
    is_text(setting, "gvim", "VISUAL before it");
    g_free(setting);
    hpmviz_preferences_set_string(preferences, "editor", "command", "kate");
    setting = hpmviz_editor_setting(preferences);
    is_text(setting, "kate", "the preferences before both");
    g_free(setting);
    g_object_unref(preferences);
}

int
main(void)
{
    expect("gedit", NULL, "/a.f", "gedit|+12|--|/a.f",
           "an editor gets the line, and the file as no option");
    expect("/usr/bin/code -w", NULL, "/a.f", "/usr/bin/code|-w|--goto|/a.f:12",
           "or as it wants them, known by its name");
    expect("my 'own editor' --at=%l %f %%", NULL, "/a.f",
           "my|own editor|--at=12|/a.f|%", "or where the setting has them");
    expect("vim -R", "xterm -e", "/a.f", "xterm|-e|vim|-R|+12|--|/a.f",
           "an editor without windows runs in a terminal");
    expect("vim", NULL, "/a.f", NULL, "not without one");
    expect("vi; rm -rf /", "xterm -e", "/a.f", "vi;|rm|-rf|/|+12|--|/a.f",
           "a semicolon is a part of a word");
    expect("vim $(reboot) `reboot` | sh", "t", "/a.f",
           "t|vim|$(reboot)|`reboot`|||sh|+12|--|/a.f", "nothing is replaced");
    expect("e %f", NULL, "/x/a;touch X;%l$(id).c", "e|/x/a;touch X;%l$(id).c",
           "nor is anything in the file's name");
    expect("gedit", NULL, "/x/'q' \"r\".c", "gedit|+12|--|/x/'q' \"r\".c",
           "which is one word whatever is in it");
    expect("vim 'unfinished", NULL, "/a.f", NULL, "a lone quote is an error");
    expect("", NULL, "/a.f", NULL, "so is no editor");
    expect("   ", NULL, "/a.f", NULL, "or only blanks");
    test_environment();
    return done();
}
