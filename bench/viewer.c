/* SPDX-License-Identifier: BSD-3-Clause
 * How fast the viewer is with many records, beside the time that the library
 * needs to read and merge the same files.
 *
 *     viewer [-c] [-r ROUNDS] FILE...     (-c: each FILE is a run, compared)
 *
 * In each round one child process reads the files, and another opens them in
 * the viewer's window and works there: sorts, filters, scrolls, goes to the
 * tree, opens the metrics of a section.  A disturbance of the machine disturbs
 * both, so the ratio within a round counts.  A display is needed.
 */
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hpmviz/data/choice.h"
#include "hpmviz/metrics/metricswindow.h"
#include "hpmviz/places/placeswindow.h"
#include "hpmviz/shell/window.h"
#include "hpmviz/trees/treeswindow.h"
#include "statistic.h"
#include "study/file/inputs.h"
#include "viewerloop.h"

enum { MOST_ROUNDS = 100 };

static bool is_compared; /* each word is a run of its own */

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
    TABLE,
    TREES,
    EXPANDING,
    PLACES,
    RESTRICTING, /* the figures from OPENING to here: the longest pause of each
                  * action, in seconds */
    MEMORY,      /* MB, at its maximum */
    N_FIGURES
};

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

static struct hpm_study *
read_run(char **words)
{
    struct hpm_inputs_listener listener = {NULL, say, go_on};
    struct hpm_inputs inputs = {0};
    struct hpm_error err;

    if (!hpm_inputs_find(&inputs, words, g_strv_length(words), &err))
        return NULL;
    return hpm_inputs_merge(&inputs, &listener, false);
}

static void
read_bare(char **words, double *figures)
{
    double begin = bench_seconds(CLOCK_MONOTONIC);
    bool is_read = true;

    if (is_compared) {
        for (char **word = words; *word != NULL; word++)
            is_read &= read_run((char *[]){*word, NULL}) != NULL;
    } else {
        is_read = read_run(words) != NULL;
    }
    figures[FIRST] = bench_seconds(CLOCK_MONOTONIC) - begin;
    figures[MEMORY] = most_memory();
    if (!is_read)
        exit(1);
}

/* ---- the viewer ------------------------------------------------------ */

struct viewer {
    HpmvizSession *session;
    GtkWidget *window;
    GtkTreeView *list;
    char **words;
    double *figures, begin;
    gboolean is_drawn, is_loaded;
};

/* What is shown is what was asked for: of several runs what changed. */
static gboolean
is_all_shown(struct viewer *viewer)
{
    return hpmviz_session_survey(viewer->session) != NULL &&
           (!is_compared ||
            hpmviz_session_selection(viewer->session)->is_compared);
}

static gboolean
note_draw(GtkWidget *widget, cairo_t *cairo, gpointer data)
{
    struct viewer *viewer = data;

    (void)widget, (void)cairo;
    viewer->is_drawn = is_all_shown(viewer);
    return FALSE;
}

static void
open_files(struct viewer *viewer)
{
    bench_watch(&viewer->figures[OPENING]);
    viewer->begin = bench_seconds(CLOCK_MONOTONIC);
    if (is_compared)
        hpmviz_session_open_runs(viewer->session, viewer->words);
    else
        hpmviz_session_open(viewer->session, viewer->words);
    while (!viewer->is_drawn && hpmviz_session_failure(viewer->session) == NULL)
        g_main_context_iteration(NULL, TRUE);
    viewer->figures[FIRST] = bench_seconds(CLOCK_MONOTONIC) - viewer->begin;
}

static void
note_loaded(struct viewer *viewer)
{
    viewer->is_loaded = TRUE;
}

static void
wait_for_metrics(struct viewer *viewer)
{
    while (hpmviz_session_is_loading(viewer->session, NULL, NULL) ||
           hpmviz_session_is_comparing(viewer->session) ||
           !hpmviz_session_has_metrics(viewer->session))
        g_main_context_iteration(NULL, TRUE);
}

/* Other places are shown now, with their metrics. */
static void
wait_until_loaded(struct viewer *viewer)
{
    while (!viewer->is_loaded)
        g_main_context_iteration(NULL, TRUE);
    viewer->is_loaded = FALSE;
    wait_for_metrics(viewer);
    bench_settle();
}

static void
sort_columns(GtkTreeView *view)
{
    GtkTreeViewColumn *column;

    for (int i = 0; (column = gtk_tree_view_get_column(view, i)) != NULL; i++) {
        for (int j = 0; j < 2; j++) {
            gtk_tree_view_column_clicked(column);
            bench_settle();
        }
    }
}

static void
filter(struct viewer *viewer)
{
    GtkWidget *entry = bench_find_widget(viewer->window, GTK_TYPE_SEARCH_ENTRY);
    static const char *const texts[] = {"s", "se",  "section 9", "share > 1",
                                        "",  "bad", ""};

    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
        gtk_entry_set_text(GTK_ENTRY(entry), texts[i]);
        bench_settle();
    }
}

static void
show_tree(struct viewer *viewer, gboolean is_tree)
{
    struct hpmviz_view view = *hpmviz_session_view(viewer->session);

    view.is_tree = is_tree;
    hpmviz_session_set_view(viewer->session, &view);
    bench_settle();
}

/* The lists of a window, in their order; how many. */
static int
find_lists(GtkWidget *widget, GtkTreeView **lists, int most)
{
    GList *children;
    int n = 0;

    if (GTK_IS_TREE_VIEW(widget)) {
        lists[0] = GTK_TREE_VIEW(widget);
        return 1;
    }
    if (!GTK_IS_CONTAINER(widget))
        return 0;
    children = gtk_container_get_children(GTK_CONTAINER(widget));
    for (GList *at = children; at != NULL && n < most; at = at->next)
        n += find_lists(at->data, lists + n, most - n);
    g_list_free(children);
    return n;
}

/* The table with values; the other one has tasks and threads. */
static GtkTreeView *
find_table(GtkWidget *window)
{
    GtkTreeView *lists[9];
    int n = find_lists(window, lists, 9), i = 0;

    while (i < n - 1 && gtk_tree_view_get_n_columns(lists[i]) <= 2)
        i++;
    return lists[i];
}

static void
show_metrics(struct viewer *viewer)
{
    GtkWidget *window, *notebook;
    GtkTreeView *table;

    bench_watch(&viewer->figures[METRICS]);
    hpmviz_metricswindow_open(viewer->session, GTK_WINDOW(viewer->window),
                              hpmviz_session_selected(viewer->session));
    bench_settle();
    window = bench_find_window(HPMVIZ_TYPE_METRICSWINDOW);
    notebook = bench_find_widget(window, GTK_TYPE_NOTEBOOK);
    gtk_notebook_set_current_page(GTK_NOTEBOOK(notebook), 0);
    bench_settle();
    bench_watch(&viewer->figures[TABLE]);
    table = find_table(window);
    gtk_tree_view_column_clicked(gtk_tree_view_get_column(table, 2));
    bench_settle();
    bench_scroll(table);
    gtk_widget_destroy(window);
    bench_settle();
}

static void
press(GtkWidget *window, guint keyval, GdkModifierType state)
{
    g_autoptr(GdkEvent) event = gdk_event_new(GDK_KEY_PRESS);
    g_autofree GdkKeymapKey *keys = NULL;
    GdkKeymap *keymap =
        gdk_keymap_get_for_display(gtk_widget_get_display(window));
    int n;

    event->key.window = g_object_ref(gtk_widget_get_window(window));
    event->key.keyval = keyval;
    event->key.state = state;
    event->key.time = GDK_CURRENT_TIME;
    if (gdk_keymap_get_entries_for_keyval(keymap, keyval, &keys, &n))
        event->key.hardware_keycode = (guint16)keys[0].keycode;
    gdk_event_set_device(event,
                         gdk_seat_get_keyboard(gdk_display_get_default_seat(
                             gtk_widget_get_display(window))));
    gtk_main_do_event(event);
    bench_settle();
}

/* The linked trees, with all of each open. */
static void
show_trees(struct viewer *viewer)
{
    GtkWidget *window;
    GtkTreeView *trees[3];
    int n;

    bench_watch(&viewer->figures[TREES]);
    window =
        hpmviz_treeswindow_new(viewer->session, GTK_WINDOW(viewer->window));
    gtk_window_present(GTK_WINDOW(window));
    bench_settle();
    bench_watch(&viewer->figures[EXPANDING]);
    n = find_lists(window, trees, 3);
    for (int i = 0; i < n; i++) {
        gtk_widget_grab_focus(GTK_WIDGET(trees[i]));
        press(window, GDK_KEY_F8, 0);
        press(window, GDK_KEY_Home, 0);
        press(window, GDK_KEY_Right, GDK_CONTROL_MASK | GDK_SHIFT_MASK);
        bench_scroll(trees[i]);
    }
    gtk_widget_destroy(window);
    bench_settle();
}

/* The section's distribution, on each page; then some of its places alone. */
static void
show_places(struct viewer *viewer)
{
    GtkWidget *window, *notebook;
    struct hpmviz_choice *choice;
    char *problem = NULL;

    bench_watch(&viewer->figures[PLACES]);
    window =
        hpmviz_placeswindow_new(viewer->session, GTK_WINDOW(viewer->window));
    gtk_window_present(GTK_WINDOW(window));
    bench_settle();
    notebook = bench_find_widget(window, GTK_TYPE_NOTEBOOK);
    for (int i = 0; i < gtk_notebook_get_n_pages(GTK_NOTEBOOK(notebook)); i++) {
        gtk_notebook_set_current_page(GTK_NOTEBOOK(notebook), i);
        bench_settle();
    }
    bench_watch(&viewer->figures[RESTRICTING]);
    choice = hpmviz_choice_of_ranges(hpmviz_session_loaded(viewer->session),
                                     "0-499", "", &problem);
    viewer->is_loaded = FALSE;
    hpmviz_session_choose_places(viewer->session, choice->are_kept,
                                 choice->name);
    hpmviz_choice_free(choice);
    wait_until_loaded(viewer);
    hpmviz_session_restrict(viewer->session, HPMVIZ_NO_GROUP);
    wait_until_loaded(viewer);
    gtk_widget_destroy(window);
    bench_settle();
}

static void
work(struct viewer *viewer)
{
    double *figures = viewer->figures;

    wait_for_metrics(viewer);
    figures[WHOLE] = bench_seconds(CLOCK_MONOTONIC) - viewer->begin;
    bench_watch(&figures[SORTING]);
    sort_columns(viewer->list);
    bench_watch(&figures[SCROLLING]);
    bench_scroll(viewer->list);
    bench_watch(&figures[FILTERING]);
    filter(viewer);
    bench_watch(&figures[TREE]);
    show_tree(viewer, TRUE);
    show_tree(viewer, FALSE);
    show_metrics(viewer);
    show_trees(viewer);
    show_places(viewer);
    figures[MEMORY] = most_memory();
}

static void
activate(GtkApplication *application, gpointer data)
{
    struct viewer *viewer = data;

    viewer->session = hpmviz_session_new();
    viewer->window = hpmviz_window_new(application, viewer->session);
    viewer->list =
        GTK_TREE_VIEW(bench_find_widget(viewer->window, GTK_TYPE_TREE_VIEW));
    gtk_window_present(GTK_WINDOW(viewer->window));
    g_signal_connect_swapped(viewer->session, "loaded", G_CALLBACK(note_loaded),
                             viewer);
    g_signal_connect_after(viewer->list, "draw", G_CALLBACK(note_draw), viewer);
    bench_settle();
    bench_time_loop();
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
        {"  opening the linked trees", TREES, 100, 1e3},
        {"  expanding and scrolling them", EXPANDING, 100, 1e3},
        {"  a distribution on each of its pages", PLACES, 100, 1e3},
        {"  half of the tasks alone, and all again", RESTRICTING, 100, 1e3},
        {"memory, MB", MEMORY, 0, 1},
    };
    double ratios[MOST_ROUNDS], memory = is_compared ? 800 : 500;

    for (int i = 0; i < n; i++)
        ratios[i] = (results[1][FIRST][i] - 0.3) / results[0][FIRST][i];
    printf("%d rounds%38s  median  least-most\n", n, "");
    print("read and merge, s", results[0][FIRST], n, 0, 1);
    print("first useful window, s", results[1][FIRST], n, 0, 1);
    print("  (that - 0.3 s) / read and merge", ratios, n, 1.5, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        print(rows[i].what, results[1][rows[i].figure], n,
              rows[i].figure == MEMORY ? memory : rows[i].goal, rows[i].unit);
}

int
main(int argc, char **argv)
{
    static double results[2][N_FIGURES][MOST_ROUNDS];
    static task *const tasks[] = {read_bare, view};
    int rounds = 3, option;

    while ((option = getopt(argc, argv, "cr:")) != -1) {
        if (option == 'r')
            rounds = atoi(optarg);
        is_compared |= option == 'c';
    }
    if (argc <= optind || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: viewer [-c] [-r ROUNDS] FILE...\n");
        return 2;
    }
    for (int i = 0; i < rounds; i++) {
        for (int j = 0; j < 2; j++) {
            double figures[N_FIGURES];

            run(tasks[j], argv + optind, figures);
            for (int k = 0; k < N_FIGURES; k++)
                results[j][k][i] = figures[k];
        }
    }
    print_all(results, rounds);
    return 0;
}
