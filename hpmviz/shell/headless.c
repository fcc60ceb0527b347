/* SPDX-License-Identifier: BSD-3-Clause
 * The viewer without a display. */
#include "hpmviz/shell/headless.h"

#include "file/output.h"
#include "host/memory.h"
#include "host/path.h"
#include "host/write.h"
#include "hpmviz/data/distributiontext.h"
#include "hpmviz/data/treesexport.h"
#include "hpmviz/data/trendexport.h"
#include "hpmviz/shell/distributionoutput.h"
#include "hpmviz/shell/picture.h"
#include "hpmviz/shell/treesoutput.h"
#include "hpmviz/shell/trendoutput.h"
#include "study/report/report.h"

static const struct {
    const char *name;
    guint most_metrics;
} views[] = {
    {"sections", 0}, {"trees", 1}, {"distribution", 2}, {"scatter", 2}};

gboolean
hpmviz_headless_has_view(const char *view)
{
    gboolean has_one = view == NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(views); i++)
        has_one = has_one || g_strcmp0(view, views[i].name) == 0;
    return has_one;
}

guint
hpmviz_headless_most_metrics(const char *view)
{
    for (gsize i = 0; i < G_N_ELEMENTS(views); i++) {
        if (g_strcmp0(view, views[i].name) == 0)
            return views[i].most_metrics;
    }
    return 0;
}

/* The metric with this number, from 0; NULL for none. */
static const char *
metric_of(const struct hpmviz_headless *headless, guint i)
{
    guint n = headless->metrics != NULL ? g_strv_length(headless->metrics) : 0;

    return i < n ? headless->metrics[i] : NULL;
}

static gboolean
is_of_trees(const struct hpmviz_headless *headless)
{
    return g_strcmp0(headless->view, "trees") == 0;
}

gboolean
hpmviz_headless_is_wanted(const struct hpmviz_headless *headless)
{
    return headless->is_printed || headless->csv != NULL ||
           headless->screenshot != NULL;
}

static void
say(const char *sentence)
{
    g_printerr("hpmviz: %s\n", sentence);
}

/* ---- output ---------------------------------------------------------- */

static gboolean
write_file(const char *path, const char *bytes, size_t n_bytes)
{
    struct hpm_destination destination;
    struct hpm_output *output;
    struct hpm_error err = {""};
    char *named = NULL;
    gboolean is_good = FALSE;

    if (!hpm_destination_fix(&destination, path, &err)) {
        say(err.text);
        return FALSE;
    }
    output = hpm_output_open(&destination, &err);
    if (output != NULL) {
        hpm_output_write(output, bytes, n_bytes);
        is_good = hpm_output_commit(output, false, &named, &err);
    }
    if (is_good &&
        g_strcmp0(hpm_path_base_name(named), hpm_path_base_name(path)) != 0)
        hpm_error_set(&err, "'%s' is there already; wrote '%s'", path, named);
    if (err.text[0] != '\0')
        say(err.text);
    hpm_memory_free(named);
    hpm_destination_clear(&destination);
    return is_good;
}

static gboolean
put(const char *path, const char *bytes, size_t n_bytes)
{
    int number;

    if (g_strcmp0(path, "-") != 0)
        return write_file(path, bytes, n_bytes);
    number = hpm_write_all(1, bytes, n_bytes);
    if (number != 0)
        say(g_strerror(number));
    return number == 0;
}

static gboolean
put_text(const char *path, struct hpm_string *text)
{
    gboolean is_good = FALSE;

    if (text->failed)
        say("out of memory");
    else
        is_good = put(path, hpm_string_text(text), text->length);
    hpm_string_free(text);
    return is_good;
}

/* ---- what is wanted -------------------------------------------------- */

/* As wide as a page; the costliest first, as in the window. */
static struct hpm_view_options
view_of(const struct hpm_survey *survey)
{
    struct hpm_view_options view = {.view = HPM_VIEW_SECTION,
                                    .style = {.width = 100}};
    struct hpm_error err;

    hpm_sort_read(survey, NULL, &view.sort, &err);
    return view;
}

static gboolean
print(struct hpm_survey *survey)
{
    const struct hpm_view_options view = view_of(survey);
    struct hpm_string text = {0};

    hpm_report_add_text(&text, survey, &view);
    return put_text("-", &text);
}

static gboolean export(const char *path, struct hpm_survey *survey)
{
    const struct hpm_view_options view = view_of(survey);
    struct hpm_string text = {0};

    hpm_report_add_csv(&text, survey, &view);
    return put_text(path, &text);
}

/* Into the file of the picture.  Takes the drawing. */
static gboolean
put_picture(const struct hpmviz_headless *headless,
            struct hpmviz_drawing *drawing)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes =
        hpmviz_drawing_finish(drawing, headless->screenshot, &error);

    if (bytes == NULL) {
        say(error->message);
        return FALSE;
    }
    return put(headless->screenshot, g_bytes_get_data(bytes, NULL),
               g_bytes_get_size(bytes));
}

/* ---- linked trees ---------------------------------------------------- */

static gboolean
put_csv_of_trees(const char *path, struct hpmviz_trees *trees)
{
    struct hpm_string text = {0};

    hpmviz_treesexport_add_csv(trees, &text);
    return put_text(path, &text);
}

static gboolean
print_trees(const struct hpmviz_trees *trees)
{
    struct hpm_string text = {0};

    hpmviz_treesexport_add_text(trees, &text);
    return put_text("-", &text);
}

/* The CSV last: it chooses each call path. */
static enum hpmviz_status
put_trees(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    g_autofree char *reason = NULL;
    struct hpmviz_trees *trees =
        hpmviz_treesoutput_new(session, metric_of(headless, 0), &reason);
    gboolean is_good;

    if (trees == NULL) {
        say(reason);
        return HPMVIZ_NOTHING;
    }
    is_good =
        (!headless->is_printed || print_trees(trees)) &&
        (headless->screenshot == NULL ||
         put_picture(headless,
                     hpmviz_treesoutput_draw(trees, headless->is_dark))) &&
        (headless->csv == NULL || put_csv_of_trees(headless->csv, trees));
    hpmviz_trees_free(trees);
    return is_good ? HPMVIZ_GOOD : HPMVIZ_OUTPUT;
}

/* ---- reading --------------------------------------------------------- */

/* Metrics of call paths are waited for only where these are looked at. */
static void
look_at_paths(HpmvizSession *session)
{
    struct hpmviz_view view = *hpmviz_session_view(session);

    view.is_tree = TRUE;
    hpmviz_session_set_view(session, &view);
}

/* Let the session read as it does for the window, until all runs have their
 * metrics.  Of runs that are compared all must be there. */
static gboolean
load(HpmvizSession *session, char *const *words, gboolean is_compared)
{
    guint n_done, n_files;

    if (is_compared)
        hpmviz_session_open_runs(session, words);
    else
        hpmviz_session_open(session, words);
    while (hpmviz_session_is_loading(session, &n_done, &n_files) ||
           hpmviz_session_is_comparing(session) ||
           hpmviz_session_is_surveying(session))
        g_main_context_iteration(NULL, TRUE);
    return hpmviz_session_loaded(session) != NULL &&
           hpmviz_session_failure(session) == NULL;
}

static void
say_problems(HpmvizSession *session)
{
    const GPtrArray *problems = hpmviz_session_loaded(session)->problems;

    for (guint i = 0; i < problems->len; i++)
        say(problems->pdata[i]);
}

/* Of more than two runs, all side by side. */
static gboolean
put_trend(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    struct hpmviz_trend *trend = hpmviz_trend_new(session);
    struct hpm_string text = {0}, csv = {0};
    gboolean is_good = TRUE;

    if (headless->is_printed) {
        hpmviz_trendexport_add_text(trend, &text);
        is_good = put_text("-", &text);
    }
    if (is_good && headless->csv != NULL) {
        hpmviz_trendexport_add_csv(trend, &csv);
        is_good = put_text(headless->csv, &csv);
    }
    hpmviz_trend_free(trend);
    return is_good;
}

static gboolean
put_report(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    struct hpm_survey *survey = hpmviz_session_survey(session);

    if (hpmviz_runs_count(hpmviz_session_runs(session)) > 2)
        return put_trend(headless, session);
    return (!headless->is_printed || print(survey)) &&
           (headless->csv == NULL || export(headless->csv, survey));
}

/* ---- the distribution ------------------------------------------------- */

/* The view of two metrics is that plot alone. */
static const char *
only_plot(const struct hpmviz_headless *headless)
{
    return g_strcmp0(headless->view, hpmviz_scatterplot.id) == 0
               ? hpmviz_scatterplot.id
               : NULL;
}

static enum hpmviz_status
put_distribution(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    g_autoptr(GError) error = NULL;
    struct hpmviz_distributionoutput *output = hpmviz_distributionoutput_new(
        session, headless->section, metric_of(headless, 0),
        metric_of(headless, 1), &error);
    const struct hpmviz_plotdata *data;
    struct hpm_string text = {0}, csv = {0};
    gboolean is_good = TRUE;

    if (output == NULL) {
        say(error->message);
        return HPMVIZ_NOTHING;
    }
    data = hpmviz_distributionoutput_data(output);
    if (headless->is_printed) {
        hpmviz_distributionoutput_add_text(data, &text);
        is_good = put_text("-", &text);
    }
    if (is_good && headless->csv != NULL) {
        hpmviz_distribution_add_csv(data->x, data->y, &csv);
        is_good = put_text(headless->csv, &csv);
    }
    if (is_good && headless->screenshot != NULL)
        is_good = put_picture(
            headless, hpmviz_distributionoutput_draw(data, only_plot(headless),
                                                     headless->is_dark));
    hpmviz_distributionoutput_free(output);
    return is_good ? HPMVIZ_GOOD : HPMVIZ_OUTPUT;
}

/* ---- all of it -------------------------------------------------------- */

/* Of more than two runs all, else what the list of sections shows. */
static struct hpmviz_drawing *
draw_sections(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    return hpmviz_runs_count(hpmviz_session_runs(session)) > 2
               ? hpmviz_trendoutput_draw(session, headless->is_dark)
               : hpmviz_picture_draw(session, headless->is_dark);
}

static enum hpmviz_status
put_sections(const struct hpmviz_headless *headless, HpmvizSession *session)
{
    return put_report(headless, session) &&
                   (headless->screenshot == NULL ||
                    put_picture(headless, draw_sections(headless, session)))
               ? HPMVIZ_GOOD
               : HPMVIZ_OUTPUT;
}

enum hpmviz_status
hpmviz_headless_run(const struct hpmviz_headless *headless, char *const *words)
{
    HpmvizSession *session = hpmviz_session_new();
    enum hpmviz_status status;

    if (is_of_trees(headless))
        look_at_paths(session);
    if (!load(session, words, headless->is_compared)) {
        say(hpmviz_session_failure(session));
        g_object_unref(session);
        return HPMVIZ_NOTHING;
    }
    say_problems(session);
    hpmviz_session_set_topology(session, headless->topology);
    if (is_of_trees(headless))
        status = put_trees(headless, session);
    else if (hpmviz_headless_most_metrics(headless->view) > 1)
        status = put_distribution(headless, session);
    else
        status = put_sections(headless, session);
    g_object_unref(session);
    return status;
}
