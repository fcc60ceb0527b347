/* SPDX-License-Identifier: BSD-3-Clause
 * The main loop of a viewer that is timed. */
#include "viewerloop.h"

#include <time.h>

double
bench_seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- pauses ---------------------------------------------------------- */

static double last_poll, longest;
static double *watched; /* the figure that gets the longest pause */

static int
poll_and_time(GPollFD *fds, guint n, int timeout)
{
    double now = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    int result;

    if (last_poll > 0 && now - last_poll > longest)
        longest = now - last_poll;
    if (watched != NULL && longest > *watched)
        *watched = longest;
    result = g_poll(fds, n, timeout);
    last_poll = bench_seconds(CLOCK_THREAD_CPUTIME_ID);
    return result;
}

void
bench_time_loop(void)
{
    g_main_context_set_poll_func(NULL, poll_and_time);
}

void
bench_watch(double *figure)
{
    longest = 0;
    watched = figure;
}

/* What is worked out in pieces has idle calls until it is done; a timer may come
 * in between. */
void
bench_settle(void)
{
    const gint64 quiet = 300000;
    gint64 end = g_get_monotonic_time() + quiet;

    while (g_get_monotonic_time() < end) {
        if (g_main_context_iteration(NULL, FALSE))
            end = g_get_monotonic_time() + quiet;
        else
            g_usleep(1000);
    }
}

/* ---- widgets --------------------------------------------------------- */

GtkWidget *
bench_find_widget(GtkWidget *widget, GType type)
{
    GtkWidget *found = NULL;
    GList *children;

    if (G_TYPE_CHECK_INSTANCE_TYPE(widget, type))
        return widget;
    if (!GTK_IS_CONTAINER(widget))
        return NULL;
    children = gtk_container_get_children(GTK_CONTAINER(widget));
    for (GList *at = children; at != NULL && found == NULL; at = at->next)
        found = bench_find_widget(at->data, type);
    g_list_free(children);
    return found;
}

GtkWidget *
bench_find_window(GType type)
{
    GList *windows = gtk_window_list_toplevels();
    GtkWidget *found = NULL;

    for (GList *at = windows; at != NULL; at = at->next) {
        if (G_TYPE_CHECK_INSTANCE_TYPE(at->data, type))
            found = at->data;
    }
    g_list_free(windows);
    return found;
}

void
bench_scroll(GtkTreeView *view)
{
    GtkAdjustment *adjustment =
        gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(view));
    double most = gtk_adjustment_get_upper(adjustment) -
                  gtk_adjustment_get_page_size(adjustment);

    for (int i = 0; i <= 10; i++) {
        gtk_adjustment_set_value(adjustment, most * i / 10);
        bench_settle();
    }
}
