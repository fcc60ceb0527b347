/* SPDX-License-Identifier: BSD-3-Clause
 * The main loop of a viewer that is timed, and its widgets.
 *
 * A pause is the time between two polls of the main loop, in which the program
 * handles no event of the user: the processor time of its thread, since on a
 * busy machine the wall clock tells more about other programs. */
#ifndef BENCH_VIEWERLOOP_H
#define BENCH_VIEWERLOOP_H

#include <gtk/gtk.h>
#include <time.h>

double bench_seconds(clockid_t clock);

/* From now on pauses are timed. */
void bench_time_loop(void);

/* This figure gets the longest pause from now on, until another is watched. */
void bench_watch(double *figure);

/* Run the loop until nothing has been waiting for 0.3 s but timers. */
void bench_settle(void);

/* The first widget of a type, the widget itself or inside it; NULL for none. */
GtkWidget *bench_find_widget(GtkWidget *widget, GType type);

/* The same among all windows. */
GtkWidget *bench_find_window(GType type);

/* From the top of a list to its end, in ten steps. */
void bench_scroll(GtkTreeView *view);

#endif
