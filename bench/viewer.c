/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the viewer is with many records, beside the time that the library
 * needs to read and merge the same files.
 *
 *     viewer [-r ROUNDS] FILE...
 *
 * In each round one child process reads the files, and another opens them in
 * the viewer's window and works there: sorts, filters, scrolls, goes to the
 * tree, opens the metrics of a section.  A disturbance of the machine disturbs
 * both, so the ratio within a round counts.  A display is needed.
 *
 * A pause is the time between two polls of the main loop, in which the program
 * handles no event of the user: the processor time of its thread, since on a
 * busy machine the wall clock tells more about other programs. */
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "hpmviz/metrics/metricswindow.h"
#include "hpmviz/shell/window.h"
#include "statistic.h"
#include "study/file/inputs.h"

enum { MOST_ROUNDS = 100 };

/* The results of a child. */
enum figure {
    FIRST, /* seconds until the files are read, or the list of sections drawn */
    WHOLE, /* seconds until metrics are shown */
    OPENING,
    SORTING,
    FILTERING,
    SCROLLING,
    TREE,
    METRICS,
    TABLE,  /* the figures from OPENING to here: the longest pause of each
             * action, in seconds */
    MEMORY, /* MB, at its maximum */
    N_FIGURES
};

static double
seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double
most_memory(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

/* ---- reading by the library ----------------------------------------- */

static void
say(void *owner, const char *sentence)
{
    (void)owner;
    fprintf(stderr, "%s\n", sentence);
}

static bool
go_on(void *owner, size_t n_done, size_t n)
{
    (void)owner, (void)n_done, (void)n;
    return true;
}

static void
read_bare(char **words, double *figures)
{
    double begin = seconds(CLOCK_MONOTONIC);
    struct hpm_inputs_listener listener = {NULL, say, go_on};
    struct hpm_inputs inputs = {0};
    struct hpm_error err;
    struct hpm_study *study = NULL;

    if (hpm_inputs_find(&inputs, words, g_strv_length(words), &err))
        study = hpm_inputs_merge(&inputs, &listener, false);
    figures[FIRST] = seconds(CLOCK_MONOTONIC) - begin;
    figures[MEMORY] = most_memory();
    if (study == NULL)
        exit(1);
}

/* ---- pauses ---------------------------------------------------------- */

static double last_poll, longest;
static double *watched; /* the figure that gets the longest pause */

static int
poll_and_time(GPollFD *fds, guint n, int timeout)
{
    double now = seconds(CLOCK_THREAD_CPUTIME_ID);
    int result;

    if (last_poll > 0 && now - last_poll > longest)
        longest = now - last_poll;
    if (watched != NULL && longest > *watched)
        *watched = longest;
    result = g_poll(fds, n, timeout);
    last_poll = seconds(CLOCK_THREAD_CPUTIME_ID);
    return result;
}

static void
watch(double *figure)
{
    longest = 0;
    watched = figure;
}

/* ---- the viewer ------------------------------------------------------ */

/* Run the loop until only timers are waiting. */
static void
settle(void)
{
    gint64 end = g_get_monotonic_time() + 300000;

    while (g_get_monotonic_time() < end) {
        if (!g_main_context_iteration(NULL, FALSE))
            g_usleep(1000);
    }
}

static GtkWidget *
find_widget(GtkWidget *widget, GType type)
{
    GtkWidget *found = NULL;
    GList *children;

    if (G_TYPE_CHECK_INSTANCE_TYPE(widget, type))
        return widget;
    if (!GTK_IS_CONTAINER(widget))
        return NULL;
    children = gtk_container_get_children(GTK_CONTAINER(widget));
    for (GList *at = children; at != NULL && found == NULL; at = at->next)
        found = find_widget(at->data, type);
    g_list_free(children);
    return found;
}

struct viewer {
    HpmvizSession *session;
    GtkWidget *window;
    GtkTreeView *list;
    char **words;
    double *figures, begin;
    gboolean is_drawn;
};

static gboolean
note_draw(GtkWidget *widget, cairo_t *cairo, gpointer data)
{
    struct viewer *viewer = data;

    (void)widget, (void)cairo;
    viewer->is_drawn = hpmviz_session_survey(viewer->session) != NULL;
    return FALSE;
}

static void
open_files(struct viewer *viewer)
{
    watch(&viewer->figures[OPENING]);
    viewer->begin = seconds(CLOCK_MONOTONIC);
    hpmviz_session_open(viewer->session, viewer->words);
    while (!viewer->is_drawn && hpmviz_session_failure(viewer->session) == NULL)
        g_main_context_iteration(NULL, TRUE);
    viewer->figures[FIRST] = seconds(CLOCK_MONOTONIC) - viewer->begin;
}

static void
sort_columns(GtkTreeView *view)
{
    GtkTreeViewColumn *column;

    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        for (int j = 0; j < 2; j++) {
            gtk_tree_view_column_clicked(column);
            settle();
        }
    }
}

static void
scroll(GtkTreeView *view)
{
    GtkAdjustment *adjustment =
        gtk_scrollable_get_vadjustment(GTK_SCROLLABLE(view));
    double most = gtk_adjustment_get_upper(adjustment) -
                  gtk_adjustment_get_page_size(adjustment);

    for (int i = 0; i <= 10; i++) {
        gtk_adjustment_set_value(adjustment, most * i / 10);
        settle();
    }
}

static void
filter(struct viewer *viewer)
{
    GtkWidget *entry = find_widget(viewer->window, GTK_TYPE_SEARCH_ENTRY);
    static const char *const texts[] = {"s", "se",  "section 9", "share > 1",
                                        "",  "bad", ""};

    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        gtk_entry_set_text(GTK_ENTRY(entry), texts[i]);
        settle();
    }
}

static void
show_tree(struct viewer *viewer, gboolean is_tree)
{
    struct hpmviz_view view = *hpmviz_session_view(viewer->session);

    view.is_tree = is_tree;
    hpmviz_session_set_view(viewer->session, &view);
    settle();
}

/* The table with values; the other one has tasks and threads. */
static GtkTreeView *
find_table(GtkWidget *widget)
{
    GtkTreeView *found = NULL;
    GList *children;

    if (GTK_IS_TREE_VIEW(widget))
        return gtk_tree_view_get_n_columns(GTK_TREE_VIEW(widget)) > 2
                   ? GTK_TREE_VIEW(widget)
                   : NULL;
    if (!GTK_IS_CONTAINER(widget))
        return NULL;
    children = gtk_container_get_children(GTK_CONTAINER(widget));
    for (GList *at = children; at != NULL && found == NULL; at = at->next)
        found = find_table(at->data);
    g_list_free(children);
    return found;
}

static GtkWidget *
find_metrics(void)
{
    GList *windows = gtk_window_list_toplevels();
    GtkWidget *found = NULL;

    for (GList *at = windows; at != NULL; at = at->next) {
        if (HPMVIZ_IS_METRICSWINDOW(at->data))
            found = at->data;
    }
    g_list_free(windows);
    return found;
}

static void
show_metrics(struct viewer *viewer)
{
    GtkWidget *window, *notebook;
    GtkTreeView *table;

    watch(&viewer->figures[METRICS]);
    hpmviz_metricswindow_open(viewer->session, GTK_WINDOW(viewer->window),
                              hpmviz_session_selected(viewer->session));
    settle();
    window = find_metrics();
    notebook = find_widget(window, GTK_TYPE_NOTEBOOK);
    gtk_notebook_set_current_page(GTK_NOTEBOOK(notebook), 0);
    settle();
    watch(&viewer->figures[TABLE]);
    table = find_table(window);
    gtk_tree_view_column_clicked(gtk_tree_view_get_column(table, 2));
    settle();
    scroll(table);
    gtk_widget_destroy(window);
    settle();
}

static void
work(struct viewer *viewer)
{
    double *figures = viewer->figures;

    while (!hpmviz_session_has_metrics(viewer->session))
        g_main_context_iteration(NULL, TRUE);
    figures[WHOLE] = seconds(CLOCK_MONOTONIC) - viewer->begin;
    watch(&figures[SORTING]);
    sort_columns(viewer->list);
    watch(&figures[SCROLLING]);
    scroll(viewer->list);
    watch(&figures[FILTERING]);
    filter(viewer);
    watch(&figures[TREE]);
    show_tree(viewer, TRUE);
    show_tree(viewer, FALSE);
    show_metrics(viewer);
    figures[MEMORY] = most_memory();
}

static void
activate(GtkApplication *application, gpointer data)
{
    struct viewer *viewer = data;

    viewer->session = hpmviz_session_new();
    viewer->window = hpmviz_window_new(application, viewer->session);
    viewer->list =
        GTK_TREE_VIEW(find_widget(viewer->window, GTK_TYPE_TREE_VIEW));
    gtk_window_present(GTK_WINDOW(viewer->window));
    g_signal_connect_after(viewer->list, "draw", G_CALLBACK(note_draw), viewer);
    settle();
    g_main_context_set_poll_func(NULL, poll_and_time);
    open_files(viewer);
    if (viewer->is_drawn)
        work(viewer);
    gtk_widget_destroy(viewer->window);
    g_object_unref(viewer->session);
}

static void
view(char **words, double *figures)
{
    struct viewer viewer = {.words = words, .figures = figures};
    GtkApplication *application =
        gtk_application_new("org.hpmtoolkit.bench", G_APPLICATION_NON_UNIQUE);

    g_signal_connect(application, "activate", G_CALLBACK(activate), &viewer);
    g_application_run(G_APPLICATION(application), 0, NULL);
    g_object_unref(application);
    if (!viewer.is_drawn)
        exit(1);
}

/* ---- rounds ---------------------------------------------------------- */

typedef void task(char **words, double *figures);

/* In a child, so that neither task has the other's memory. */
static void
run(task *run_task, char **words, double *figures)
{
    int ends[2], status;
    pid_t child;

    if (pipe(ends) != 0 || (child = fork()) < 0) {
        perror("viewer");
        exit(1);
    }
    if (child == 0) {
        memset(figures, 0, N_FIGURES * sizeof *figures);
        run_task(words, figures);
        _exit(write(ends[1], figures, N_FIGURES * sizeof *figures) < 0);
    }
    close(ends[1]);
    if (read(ends[0], figures, N_FIGURES * sizeof *figures) !=
        (ssize_t)(N_FIGURES * sizeof *figures)) {
        fprintf(stderr, "viewer: a child has failed\n");
        exit(1);
    }
    close(ends[0]);
    waitpid(child, &status, 0);
}

static void
print(const char *what, double *values, int n, double goal, double unit)
{
    double median = bench_median(values, (size_t)n);

    printf("%-46s %8.2f  %.2f-%.2f", what, median * unit,
           bench_quantile(values, (size_t)n, 0.0) * unit,
           bench_quantile(values, (size_t)n, 1.0) * unit);
    if (goal > 0)
        printf("  goal %.2f: %s", goal,
               median * unit <= goal ? "met" : "NOT MET");
    printf("\n");
}

static void
print_all(double results[2][N_FIGURES][MOST_ROUNDS], int n)
{
    static const struct {
        const char *what;
        enum figure figure;
        double goal, unit;
    } rows[] = {
        {"  metrics of all sections, s", WHOLE, 0, 1},
        {"longest pause, ms: until the list is drawn", OPENING, 100, 1e3},
        {"  sorting by each column", SORTING, 100, 1e3},
        {"  scrolling", SCROLLING, 100, 1e3},
        {"  filtering", FILTERING, 100, 1e3},
        {"  call paths, and back", TREE, 100, 1e3},
        {"  opening the metrics of a section", METRICS, 100, 1e3},
        {"  sorting and scrolling them", TABLE, 100, 1e3},
        {"memory, MB", MEMORY, 500, 1},
    };
    double ratios[MOST_ROUNDS];

    for (int i = 0; i < n; i++)
        ratios[i] = (results[1][FIRST][i] - 0.3) / results[0][FIRST][i];
    printf("%d rounds%38s  median  least-most\n", n, "");
    print("read and merge, s", results[0][FIRST], n, 0, 1);
    print("first useful window, s", results[1][FIRST], n, 0, 1);
    print("  (that - 0.3 s) / read and merge", ratios, n, 1.5, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        print(rows[i].what, results[1][rows[i].figure], n, rows[i].goal,
              rows[i].unit);
}

int
main(int argc, char **argv)
{
    static double results[2][N_FIGURES][MOST_ROUNDS];
    static task *const tasks[] = {read_bare, view};
    int rounds = 3, first = 1;

    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        rounds = atoi(argv[2]);
        first = 3;
    }
    if (argc <= first || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: viewer [-r ROUNDS] FILE...\n");
        return 2;
    }
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < 2; j++) {
            double figures[N_FIGURES];

            run(tasks[j], argv + first, figures);
            for (int k = 0; k < N_FIGURES; k++)
                results[j][k][i] = figures[k];
        }
    }
    print_all(results, rounds);
    return 0;
}
