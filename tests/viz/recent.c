/* SPDX-License-Identifier: BSD-3-Clause
 * The menu of recent files changes when the list does. */
#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hpmviz/shell/filecommands.h"
#include "scratch.h"
#include "tap.h"

/* For the leak sanitizer: memory that Mesa keeps is no fault of the viewer. */
const char *__lsan_default_suppressions(void);
const char *
__lsan_default_suppressions(void)
{
    return "leak:libGLX_mesa.so\n";
}

static void
count(guint *n_changes)
{
    (*n_changes)++;
}

/* Add a file as the viewer does when it has opened one; the menu has that many
 * items a little later, when the list is on disk. */
static void
add(GtkRecentManager *manager, const char *uri, GMenu *menu, int n_items)
{
    GtkRecentData data = {.mime_type = (char *)"application/xml",
                          .app_name = (char *)g_get_prgname(),
                          .app_exec = (char *)"hpmviz %f"};
    gint64 limit = g_get_monotonic_time() + 300 * G_USEC_PER_SEC;

    gtk_recent_manager_add_full(manager, uri, &data);
    while (g_menu_model_get_n_items(G_MENU_MODEL(menu)) != n_items &&
           g_get_monotonic_time() < limit) {
        g_main_context_iteration(NULL, FALSE);
        g_usleep(1000);
    }
    is_count((unsigned)g_menu_model_get_n_items(G_MENU_MODEL(menu)),
             (unsigned)n_items, "a file that was opened is in the menu");
}

/* Without a display GTK has no list.  Starts a display like person.py. */
static void
go_to_desktop(char *program)
{
    const char *source = g_getenv("top_srcdir");
    char *desktop = g_build_filename(source != NULL ? source : ".", "tests",
                                     "viz", "desktop", NULL);
    char *look[] = {(char *)"sh", desktop, NULL};
    char *reason = NULL;
    int status = 0;

    if (!g_spawn_sync(NULL, look, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL,
                      &reason, NULL, &status, NULL) ||
        status != 0) {
        printf("1..0 # SKIP %s\n",
               reason != NULL ? g_strchomp(reason) : "no desktop");
        exit(0);
    }
    execlp("sh", "sh", desktop, program, (char *)NULL);
    exit(1);
}

int
main(int argc, char **argv)
{
    char *folder;
    GMenu *menu = g_menu_new();
    GtkRecentManager *manager;
    guint n_changes = 0;

    (void)argc;
    if (g_getenv("DESKTOP_SERVER") == NULL)
        go_to_desktop(argv[0]);
    folder = g_dir_make_tmp("hpm-recent-XXXXXX", NULL);
    g_setenv("XDG_DATA_HOME", folder, TRUE);
    g_set_prgname("hpmviz");
    gtk_init_check(NULL, NULL);
    manager = gtk_recent_manager_get_default();
    g_signal_connect_swapped(menu, "items-changed", G_CALLBACK(count),
                             &n_changes);
    hpmviz_filecommands_fill_recent(menu);
    add(manager, "file:///tmp/a.hpm.xml", menu, 1);
    ok(n_changes > 0, "those who watch the menu are told");
    n_changes = 0;
    g_signal_emit_by_name(manager, "changed");
    is_count(n_changes, 0, "where only dates are new, nothing of it changes");
    add(manager, "file:///tmp/b.hpm.xml", menu, 2);
    g_object_unref(menu);
    remove_all(folder);
    g_free(folder);
    return done();
}
