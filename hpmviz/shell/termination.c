/* SPDX-License-Identifier: BSD-3-Clause
 * When the viewer is ended from outside. */
#include "config.h"

#include "hpmviz/shell/termination.h"

#include <gdk/gdk.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#if defined HAVE_X11 && defined GDK_WINDOWING_X11
#include <gdk/gdkx.h>
#endif

#include "hpmviz/source/document.h"

enum { NOTHING = 3 }; /* the exit status, see hpmviz(1) */

static void
say(const char *what, guint n)
{
    if (n == 0)
        fprintf(stderr, "hpmviz: %s\n", what);
    else
        fprintf(stderr,
                "hpmviz: %s; unsaved changes to %u %s are kept, and offered "
                "when it is opened again\n",
                what, n, n == 1 ? "source" : "sources");
}

static gboolean
end_by_signal(gpointer data)
{
    int number = GPOINTER_TO_INT(data);
    guint n = hpmviz_document_keep_all();

    if (n > 0)
        say("ended by a signal", n);
    signal(number, SIG_DFL);
    raise(number);
    return G_SOURCE_CONTINUE;
}

#if defined HAVE_X11 && defined GDK_WINDOWING_X11
/* What Xlib wants of this is that it does not return; functions of exit would
 * talk to the display. */
static int
end_without_display(Display *display)
{
    (void)display;
    say("the display is gone", hpmviz_document_keep_all());
    _exit(NOTHING);
}
#endif

void
hpmviz_termination_prepare(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM};

    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        g_unix_signal_add(numbers[i], end_by_signal,
                          GINT_TO_POINTER(numbers[i]));
#if defined HAVE_X11 && defined GDK_WINDOWING_X11
    if (GDK_IS_X11_DISPLAY(gdk_display_get_default()))
        XSetIOErrorHandler(end_without_display);
#endif
}
