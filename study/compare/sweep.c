/* SPDX-License-Identifier: BSD-3-Clause
 * One command with several values of a parameter: how its time changes. */
#include "study/compare/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/text.h"
#include "study/compare/basis.h"
#include "study/compare/intake.h"
#include "study/compare/words.h"
#include "study/report/tablewords.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { BAR = 40 }; /* characters of the longest bar */

/* ---- points -------------------------------------------------------------- */

static double
number_of(const char *word)
{
    char *end;
    double value = strtod(word, &end);

    return end == word || *end != '\0' ? NAN : value;
}

/* Compare the first value with another one; NULL where there is no time. */
static const struct hpm_comparison *
find(const struct hpm_sweep *sweep, size_t side)
{
    return hpm_comparisons_find(
        sweep->view->comparisons, 0,
        hpm_samples_find_metric(sweep->view->samples, HPM_INTAKE_TIME), side);
}

struct hpm_sweep_point
hpm_sweep_point(const struct hpm_sweep *sweep, size_t place)
{
    const struct hpm_comparison *one = find(sweep, place > 0 ? place : 1);
    double first = number_of(sweep->values[0]);
    struct hpm_sweep_point point = {.value = number_of(sweep->values[place]),
                                    .time = NAN,
                                    .speed_up = NAN,
                                    .low = NAN,
                                    .high = NAN,
                                    .efficiency = NAN};

    if (one == NULL)
        return point;
    point.time = place > 0 ? one->median_b : one->median_a;
    point.speed_up = place > 0 ? 1.0 / one->ratio : 1.0;
    if (place > 0) {
        point.low = 1.0 / one->high;
        point.high = 1.0 / one->low;
    }
    if (first > 0.0 && point.value > 0.0)
        point.efficiency = point.speed_up / (point.value / first);
    return point;
}

/* ---- text ---------------------------------------------------------------- */

static void
add_number_cell(struct hpm_table *table, double value, bool is_part)
{
    struct hpm_string text = {0};

    if (is_part)
        hpm_words_add_part(&text, value);
    else
        hpm_words_add_ratio(&text, value);
    hpm_table_add_string(table, &text);
}

static void
add_columns(struct hpm_table *table, const char *name)
{
    static const char *const names[] = {"time", "speed-up", "95 % interval",
                                        "efficiency"};

    hpm_table_add_column(table, "value", name, 0);
    hpm_table_align_column(table);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        hpm_table_add_column(table, names[i], NULL, 0);
        hpm_table_align_column(table);
    }
}

static void
add_row(struct hpm_table *table, const char *value,
        const struct hpm_sweep_point *point)
{
    struct hpm_string time = {0}, interval = {0};

    hpm_table_add_text(table, value);
    hpm_words_add_value(&time, HPM_SAMPLES_TIME, point->time);
    hpm_table_add_string(table, &time);
    add_number_cell(table, point->speed_up, false);
    if (!isnan(point->low)) {
        hpm_words_add_ratio(&interval, point->low);
        hpm_string_add(&interval, "..");
        hpm_words_add_ratio(&interval, point->high);
        hpm_table_add_string(table, &interval);
    } else {
        hpm_table_add_none(table);
    }
    add_number_cell(table, point->efficiency, true);
}

/* ---- other metrics
 * -------------------------------------------------------- */

static void
add_median(struct hpm_table *table, const struct hpm_sweep *sweep,
           size_t metric, size_t place)
{
    const struct hpm_comparison *one = hpm_comparisons_find(
        sweep->view->comparisons, 0, metric, place > 0 ? place : 1);
    struct hpm_string text = {0};

    if (one == NULL) {
        hpm_table_add_none(table);
        return;
    }
    hpm_words_add_value(&text, sweep->view->samples->metrics[metric].kind,
                        place > 0 ? one->median_b : one->median_a);
    if (place > 0 && hpm_finding_is_difference(one->finding))
        hpm_string_add(&text, " *");
    hpm_table_add_string(table, &text);
}

/* The other metrics that change: medians, a row for each value. */
static void
add_others(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    struct hpm_text_style style = {sweep->view->width,
                                   sweep->view->is_coloured};
    const struct hpm_samples *samples = sweep->view->samples;
    size_t time = hpm_samples_find_metric(samples, HPM_INTAKE_TIME);
    struct hpm_table table = {0};

    if (samples->n_metrics <= (time < samples->n_metrics))
        return;
    hpm_table_add_column(&table, "value", sweep->name, 0);
    hpm_table_align_column(&table);
    for (size_t j = 0; j < samples->n_metrics; j++) {
        if (j == time)
            continue;
        hpm_table_add_column(&table, samples->metrics[j].name, NULL, 0);
        hpm_table_align_column(&table);
    }
    for (size_t i = 0; i < samples->n_sides; i++) {
        hpm_table_add_text(&table, sweep->values[i]);
        for (size_t j = 0; j < samples->n_metrics; j++) {
            if (j != time)
                add_median(&table, sweep, j, i);
        }
    }
    hpm_tablewords_add_in(string, &table, NULL, &style);
    hpm_table_finish(&table, &string->failed);
    hpm_string_add(string, _("* differs from that of the first value\n\n"));
}

/* The largest speed-up, measured or ideal. */
static double
largest(const struct hpm_sweep *sweep, bool with_ideal)
{
    double most = 1.0;

    for (size_t i = 0; i < sweep->view->samples->n_sides; i++) {
        struct hpm_sweep_point point = hpm_sweep_point(sweep, i);

        most = fmax(most, point.speed_up);
        most = fmax(most, point.high);
        if (with_ideal && !isnan(point.efficiency))
            most = fmax(most, point.speed_up / point.efficiency);
    }
    return most;
}

/* "4  ##########|": '|' marks the speed-up at an efficiency of 100 %. */
static void
add_bar(struct hpm_string *string, const char *value,
        const struct hpm_sweep_point *point, double most)
{
    char bar[BAR + 2];
    long n = lround(BAR * point->speed_up / most);
    double ideal = point->speed_up / point->efficiency;

    memset(bar, ' ', sizeof bar);
    bar[BAR + 1] = '\0';
    if (!isnan(point->speed_up))
        memset(bar, '#', (size_t)n);
    if (!isnan(ideal) && ideal <= most)
        bar[lround(BAR * ideal / most)] = '|';
    hpm_string_add_format(string, "%8s  %s", value, bar);
    hpm_string_trim(string);
    hpm_string_add_char(string, '\n');
}

static void
add_times(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    struct hpm_text_style style = {sweep->view->width,
                                   sweep->view->is_coloured};
    size_t n = sweep->view->samples->n_sides;
    double most = largest(sweep, true);
    struct hpm_table table = {0};

    add_columns(&table, sweep->name);
    for (size_t i = 0; i < n; i++) {
        struct hpm_sweep_point point = hpm_sweep_point(sweep, i);

        add_row(&table, sweep->values[i], &point);
    }
    hpm_tablewords_add_in(string, &table, NULL, &style);
    hpm_table_finish(&table, &string->failed);
    hpm_string_add(string, _("\nspeed-up (|: efficiency 100 %)\n"));
    for (size_t i = 0; i < n; i++) {
        struct hpm_sweep_point point = hpm_sweep_point(sweep, i);

        add_bar(string, sweep->values[i], &point, most);
    }
    hpm_string_add_char(string, '\n');
}

void
hpm_sweep_add_text(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    const struct hpm_samples *samples = sweep->view->samples;
    size_t n_runs = samples->sides[0].n_runs;
    struct hpm_string basis = {0};

    hpm_string_add_safe(string, sweep->command);
    hpm_string_add_format(string,
                          hpm_words_of("  (%zu run of each value)\n\n",
                                       "  (%zu runs of each value)\n\n",
                                       n_runs),
                          n_runs);
    if (hpm_samples_find_metric(samples, HPM_INTAKE_TIME) < samples->n_metrics)
        add_times(string, sweep);
    add_others(string, sweep);
    hpm_string_add(&basis, sweep->view->limits);
    hpm_string_add(&basis, sweep->view->notes);
    hpm_basis_add(&basis, sweep->view);
    hpm_sentence_add_lines(string, hpm_string_text(&basis), "");
    hpm_string_finish(&basis, &string->failed);
}

/* ---- SVG ----------------------------------------------------------------- */

enum {
    WIDTH = 480,
    HEIGHT = 320,
    LEFT = 50,
    BOTTOM = 40,
    TOP = 30,
    RIGHT = 20
};

/* All values are at the same distance: they mostly double. */
static double
x_of(size_t place, size_t n)
{
    double step = n > 1 ? (double)(WIDTH - LEFT - RIGHT) / (double)(n - 1) : 0;

    return LEFT + step * (double)place;
}

static double
y_of(double speed_up, double most)
{
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * speed_up / most;
}

static void
add_point(struct hpm_string *string, double x, double y)
{
    hpm_string_add_fixed(string, x, 1);
    hpm_string_add_char(string, ',');
    hpm_string_add_fixed(string, y, 1);
    hpm_string_add_char(string, ' ');
}

/* Escape characters that are markup in a document. */
static void
add_escaped(struct hpm_string *string, const char *text)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, text);
    for (const char *at = hpm_string_text(&safe); *at != '\0'; at++) {
        if (*at == '&')
            hpm_string_add(string, "&amp;");
        else if (*at == '<')
            hpm_string_add(string, "&lt;");
        else
            hpm_string_add_char(string, *at);
    }
    hpm_string_finish(&safe, &string->failed);
}

static void
add_words(struct hpm_string *string, double x, double y, const char *anchor,
          const char *words)
{
    hpm_string_add(string, "<text x=\"");
    hpm_string_add_fixed(string, x, 1);
    hpm_string_add(string, "\" y=\"");
    hpm_string_add_fixed(string, y, 1);
    hpm_string_add_format(string, "\" text-anchor=\"%s\">", anchor);
    add_escaped(string, words);
    hpm_string_add(string, "</text>\n");
}

static void
add_curve(struct hpm_string *string, const struct hpm_sweep *sweep, double most,
          bool is_ideal)
{
    size_t n = sweep->view->samples->n_sides;

    hpm_string_add_format(string, "<polyline fill=\"none\" %s points=\"",
                          is_ideal ? "stroke=\"#888888\" "
                                     "stroke-dasharray=\"4 4\""
                                   : "stroke=\"#1a5fb4\" stroke-width=\"2\"");
    for (size_t i = 0; i < n; i++) {
        struct hpm_sweep_point point = hpm_sweep_point(sweep, i);
        double value =
            is_ideal ? point.speed_up / point.efficiency : point.speed_up;

        if (!isnan(value))
            add_point(string, x_of(i, n), y_of(value, most));
    }
    hpm_string_add(string, "\"/>\n");
}

static void
add_marks(struct hpm_string *string, const struct hpm_sweep *sweep, double most)
{
    size_t n = sweep->view->samples->n_sides;

    for (size_t i = 0; i < n; i++) {
        struct hpm_sweep_point point = hpm_sweep_point(sweep, i);
        struct hpm_string words = {0};
        double x = x_of(i, n);

        add_words(string, x, HEIGHT - BOTTOM + 16, "middle", sweep->values[i]);
        if (isnan(point.speed_up))
            continue;
        hpm_words_add_ratio(&words, point.speed_up);
        add_words(string, x, y_of(point.speed_up, most) - 8, "middle",
                  hpm_string_text(&words));
        hpm_string_free(&words);
        if (isnan(point.low))
            continue;
        hpm_string_add(string, "<polyline stroke=\"#1a5fb4\" points=\"");
        add_point(string, x, y_of(point.low, most));
        add_point(string, x, y_of(point.high, most));
        hpm_string_add(string, "\"/>\n");
    }
}

void
hpm_sweep_add_svg(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    double most = largest(sweep, true);

    hpm_string_add_format(
        string,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n"
        "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    add_words(string, WIDTH / 2.0, 16, "middle", sweep->command);
    hpm_string_add_format(string,
                          "<polyline fill=\"none\" stroke=\"black\" "
                          "points=\"%d,%d %d,%d %d,%d\"/>\n",
                          LEFT, TOP, LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT,
                          HEIGHT - BOTTOM);
    add_words(string, WIDTH / 2.0, HEIGHT - 6, "middle", sweep->name);
    add_words(string, 4, TOP - 8, "start",
              "speed-up (dashed: efficiency 100 %)");
    add_curve(string, sweep, most, true);
    add_curve(string, sweep, most, false);
    add_marks(string, sweep, most);
    hpm_string_add(string, "</svg>\n");
}
