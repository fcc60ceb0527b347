/* SPDX-License-Identifier: BSD-3-Clause
 * Distributions without a display. */
#include "hpmviz/shell/distributionoutput.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "hpmviz/data/distributiontext.h"
#include "hpmviz/plots/plot.h"

enum { EACH = 5 }; /* extremes at either end of the order */

struct hpmviz_distributionoutput {
    struct hpmviz_sheet *sheet;
    struct hpmviz_distribution *values, *others; /* others: or NULL */
    struct hpmviz_placegrid *grid;
    struct hpmviz_roofline *roofline;
    struct hpmviz_plotdata data; /* of these */
};

/* ---- which ------------------------------------------------------------ */

static gboolean
has_label(const struct hpm_survey *survey, size_t subject, const char *label)
{
    struct hpm_string own = {0};
    gboolean is_same;

    hpm_survey_add_label(survey, subject, &own);
    is_same = strcmp(hpm_string_text(&own), label) == 0;
    hpm_string_free(&own);
    return is_same;
}

/* What speaks for a section. */
struct candidate {
    size_t subject;
    gboolean is_in_view; /* of the scope that the view shows */
    double seconds;      /* NAN: not known */
};

/* Of a comparison in the first run: a difference says nothing about what a section
 * costs. */
static double
time_of(HpmvizSession *session, size_t subject)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    size_t time = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    const struct hpm_entry *entry;

    if (time == HPM_NO_QUANTITY)
        return NAN;
    if (!hpm_survey_is_difference(survey))
        return hpmviz_session_value(session, subject, time);
    entry = hpm_subject_entry(&survey->subjects[subject], time);
    return entry != NULL ? hpm_number_to_real(entry->figure.base) : NAN;
}

static gboolean
is_better(const struct candidate *candidate, const struct candidate *than)
{
    if (than->subject == HPM_NO_SUBJECT ||
        candidate->is_in_view != than->is_in_view)
        return than->subject == HPM_NO_SUBJECT || candidate->is_in_view;
    return isnan(than->seconds) ? !isnan(candidate->seconds)
                                : candidate->seconds > than->seconds;
}

/* The one with that label, or any, that took the longest, of the scope that the view
 * shows where there is one; what no section covers is none unless it is named. */
static size_t
find_section(HpmvizSession *session, const char *label)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    int scope = hpmviz_session_view(session)->scope;
    struct candidate best = {HPM_NO_SUBJECT, FALSE, NAN};

    for (size_t i = 0; i < survey->n_subjects; i++) {
        size_t section = survey->subjects[i].section;
        const struct candidate here = {
            i, survey->study->sections[section].scope == scope,
            time_of(session, i)};

        if (label != NULL ? !has_label(survey, i, label)
                          : hpm_survey_is_outside(survey, i))
            continue;
        if (is_better(&here, &best))
            best = here;
    }
    return best.subject;
}

/* NULL, and the error, for a metric that the section does not have. */
static struct hpmviz_distribution *
distribute(const struct hpmviz_sheet *sheet, const char *metric, GError **error)
{
    guint column = hpmviz_sheet_find_name(sheet, metric);

    if (column != HPMVIZ_NONE)
        return hpmviz_distribution_new(sheet, column);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
                "the section has no metric '%s'; --print lists its metrics",
                metric);
    return NULL;
}

static gboolean
fill(struct hpmviz_distributionoutput *output, HpmvizSession *session,
     const char *section, const char *metric, const char *other, GError **error)
{
    struct hpm_survey *survey = hpmviz_session_survey(session);
    size_t subject = find_section(session, section);

    if (subject == HPM_NO_SUBJECT) {
        g_set_error(
            error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
            "no section '%s' in these files; --print lists the sections",
            section != NULL ? section : "");
        return FALSE;
    }
    output->sheet = hpmviz_sheet_new(survey, subject);
    hpmviz_sheet_fill(output->sheet, G_MAXUINT);
    output->values =
        distribute(output->sheet, metric != NULL ? metric : "ExcSec", error);
    if (output->values == NULL)
        return FALSE;
    if (other != NULL)
        output->others = distribute(output->sheet, other, error);
    if (other != NULL && output->others == NULL)
        return FALSE;
    output->roofline = hpmviz_roofline_new(output->values);
    output->grid =
        hpmviz_placegrid_new(output->values, hpmviz_session_topology(session));
    output->data = (struct hpmviz_plotdata){.x = output->values,
                                            .selected = HPMVIZ_NONE,
                                            .grid = output->grid,
                                            .y = output->others,
                                            .roofline = output->roofline};
    return TRUE;
}

struct hpmviz_distributionoutput *
hpmviz_distributionoutput_new(HpmvizSession *session, const char *section,
                              const char *metric, const char *other,
                              GError **error)
{
    struct hpmviz_distributionoutput *output =
        g_new0(struct hpmviz_distributionoutput, 1);

    if (fill(output, session, section, metric, other, error))
        return output;
    hpmviz_distributionoutput_free(output);
    return NULL;
}

void
hpmviz_distributionoutput_free(struct hpmviz_distributionoutput *output)
{
    if (output == NULL)
        return;
    hpmviz_placegrid_free(output->grid);
    hpmviz_roofline_free(output->roofline);
    if (output->others != NULL)
        hpmviz_distribution_free(output->others);
    hpmviz_distribution_free(output->values);
    hpmviz_sheet_free(output->sheet);
    g_free(output);
}

const struct hpmviz_plotdata *
hpmviz_distributionoutput_data(const struct hpmviz_distributionoutput *output)
{
    return &output->data;
}

/* ---- words ------------------------------------------------------------ */

/* "section 'solve' (a.c:12): IPC" */
static void
add_heading(const struct hpmviz_distribution *values, struct hpm_string *text)
{
    hpmviz_distribution_add_subject(values->sheet, text);
    hpm_string_add(text, ": ");
    hpm_string_add_safe(
        text, hpmviz_sheet_quantity(values->sheet, values->column)->name);
}

/* Behind the first of two metrics: ", CPI". */
static void
add_other(const struct hpmviz_distribution *other, struct hpm_string *text)
{
    hpm_string_add(text, ", ");
    hpm_string_add_safe(
        text, hpmviz_sheet_quantity(other->sheet, other->column)->name);
}

/* The largest first. */
static void
add_extremes(const struct hpmviz_distribution *values, struct hpm_string *text)
{
    for (guint i = values->n; i-- > 0;) {
        if (i >= EACH && i + EACH < values->n)
            continue;
        hpmviz_distribution_add_place(values, values->rows[i], text);
        hpm_string_add_char(text, '\n');
    }
}

void
hpmviz_distributionoutput_add_text(const struct hpmviz_plotdata *data,
                                   struct hpm_string *text)
{
    add_heading(data->x, text);
    hpm_string_add_char(text, '\n');
    hpmviz_distribution_add_summary(data->x, text);
    hpm_string_add_char(text, '\n');
    if (data->y != NULL) {
        hpmviz_distribution_add_pair(data->x, data->y, text);
        hpm_string_add_char(text, '\n');
    }
    hpmviz_distribution_add_rules(data->x, text);
    hpm_string_add(text, "\n\n");
    hpm_string_add(text, _("Largest and smallest values:"));
    hpm_string_add_char(text, '\n');
    add_extremes(data->x, text);
}

/* ---- drawing ---------------------------------------------------------- */

struct painting {
    const struct hpmviz_plot *plot;
    struct hpmviz_plotdata data;
    gboolean is_dark;
    double width, height;
};

static void
paint(cairo_t *pen, PangoLayout *layout, gpointer data)
{
    const struct painting *painting = data;
    struct hpmviz_canvas canvas = {.cairo = pen,
                                   .layout = layout,
                                   .look =
                                       hpmviz_canvas_look(painting->is_dark),
                                   .width = painting->width,
                                   .height = painting->height};
    int height;

    pango_layout_set_text(layout, "0", -1);
    pango_layout_get_pixel_size(layout, NULL, &height);
    canvas.em = height;
    hpmviz_plot_draw(painting->plot, &canvas, &painting->data);
}

/* Is there anything to draw? */
static gboolean
has_plot(const struct hpmviz_plotdata *data, const struct hpmviz_plot *plot)
{
    if (plot == &hpmviz_scatterplot)
        return data->y != NULL;
    return plot != &hpmviz_rooflineplot || data->roofline->n > 0;
}

static void
add_plot(struct hpmviz_drawing *drawing, const struct hpmviz_plotdata *data,
         const struct hpmviz_plot *plot, gboolean is_dark)
{
    struct painting painting = {.plot = plot,
                                .data = *data,
                                .is_dark = is_dark,
                                .width = 760,
                                .height = plot == &hpmviz_heatplot ? 420 : 300};

    hpmviz_drawing_add_text(drawing, HPMVIZ_BODY, _(plot->name));
    if (plot == &hpmviz_heatplot)
        hpmviz_drawing_add_text(drawing, HPMVIZ_FAINT, data->grid->words);
    hpmviz_drawing_add_picture(drawing, painting.width, painting.height, paint,
                               &painting);
}

static void
add_words(struct hpmviz_drawing *drawing, enum hpmviz_script script,
          struct hpm_string *text)
{
    hpmviz_drawing_add_text(drawing, script, hpm_string_text(text));
    hpm_string_free(text);
    *text = (struct hpm_string){0};
}

struct hpmviz_drawing *
hpmviz_distributionoutput_draw(const struct hpmviz_plotdata *data,
                               const char *only, gboolean is_dark)
{
    static const struct hpmviz_plot *const plots[] = {
        &hpmviz_histogramplot, &hpmviz_sortedplot, &hpmviz_heatplot,
        &hpmviz_scatterplot, &hpmviz_rooflineplot};
    struct hpmviz_drawing *drawing = hpmviz_drawing_new(is_dark);
    struct hpm_string text = {0};

    add_heading(data->x, &text);
    if (data->y != NULL)
        add_other(data->y, &text);
    add_words(drawing, HPMVIZ_HEADING, &text);
    if (data->y != NULL)
        hpmviz_distribution_add_pair(data->x, data->y, &text);
    if (only == NULL && data->y != NULL)
        hpm_string_add_char(&text, '\n');
    if (only == NULL)
        hpmviz_distribution_add_summary(data->x, &text);
    add_words(drawing, HPMVIZ_BODY, &text);
    for (size_t i = 0; i < G_N_ELEMENTS(plots); i++) {
        if (has_plot(data, plots[i]) &&
            (only == NULL || strcmp(only, plots[i]->id) == 0))
            add_plot(drawing, data, plots[i], is_dark);
    }
    add_extremes(data->x, &text);
    add_words(drawing, HPMVIZ_BODY, &text);
    if (only != NULL)
        return drawing;
    hpmviz_distribution_add_rules(data->x, &text);
    add_words(drawing, HPMVIZ_FAINT, &text);
    return drawing;
}
